/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets for one rank in a tree of NODES nodes (tern_tree_unicast): can they be blocked for ever?
 *
 * Each link has a place up and a place down, each port of a node (two children, the parent, the
 * node itself) a store of one packet. Each node sends SENDS packets to any other nodes. Room that
 * a packet holds here is less than the chip has, so each blocked state of the chip is one here.
 *
 *   sends    a packet enters the store of the node itself
 *   moves    the packet of a store goes to the place of its way, if that is empty; one for this
 *            node leaves, since the node takes it without waiting for packets of the tree
 *   arrives  a packet goes from a place to the store of its port, if that is empty
 *
 * Spin must find no state without a step before all packets have arrived.
 *
 *   ONE_STORE  the ports of a node share one store
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef SENDS
#define SENDS 2
#endif

#define UP 2
#define SELF 3
#define PARENT(n) (((n) - 1) / 2)
#define PORT(n) (((n) + 1) % 2)
#define CHILD(n, p) (2 * (n) + 1 + (p))
/* At most three layers. */
#define BELOW(t, c) ((t) == (c) || (t) > 0 && PARENT(t) == (c))
#define WAY(n, t) ((t) == (n) -> SELF : (BELOW(t, CHILD(n, 0)) -> 0 : \
    (BELOW(t, CHILD(n, 1)) -> 1 : UP)))
#ifdef ONE_STORE
#define STORE(n, p) store[n]
#else
#define STORE(n, p) store[4 * (n) + (p)]
#endif

byte store[4 * NODES];           /* target + 1 */
byte up[NODES], down[NODES];     /* on the link to the parent, from it: target + 1 */
byte sent[NODES];
byte arrived;
#define ALL (NODES * SENDS)

#define TO(n, p) WAY(n, STORE(n, p) - 1)
#define MOVES(n, p) (STORE(n, p) > 0 && (TO(n, p) == SELF || TO(n, p) == UP && up[n] == 0 || \
    TO(n, p) < UP && down[CHILD(n, TO(n, p) % 2)] == 0))

inline move(n, p) {
    if
    :: TO(n, p) == SELF -> arrived++
    :: TO(n, p) == UP -> up[n] = STORE(n, p)
    :: else -> down[CHILD(n, TO(n, p))] = STORE(n, p)
    fi;
    STORE(n, p) = 0
}

proctype node(byte n) {
    byte t = 0;

    do
    :: atomic { sent[n] < SENDS && STORE(n, SELF) == 0 ->
        do
        :: t < NODES - 1 -> t++
        :: break
        od;
        if
        :: t == n -> t = (n + 1) % NODES
        :: else -> skip
        fi;
        STORE(n, SELF) = t + 1;
        sent[n]++;
        t = 0 }
    :: atomic { MOVES(n, 0) -> move(n, 0) }
#ifndef ONE_STORE
    :: atomic { MOVES(n, 1) -> move(n, 1) }
    :: atomic { MOVES(n, 2) -> move(n, 2) }
    :: atomic { MOVES(n, 3) -> move(n, 3) }
#endif
    :: atomic { n > 0 && up[n] > 0 && STORE(PARENT(n), PORT(n)) == 0 ->
        STORE(PARENT(n), PORT(n)) = up[n];
        up[n] = 0 }
    :: atomic { down[n] > 0 && STORE(n, UP) == 0 -> STORE(n, UP) = down[n]; down[n] = 0 }
    :: arrived == ALL -> break
    od
}

init {
    atomic {
        byte i = 0;
        do
        :: i < NODES -> run node(i); i++
        :: else -> break
        od
    }
}
