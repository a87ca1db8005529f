/* SPDX-License-Identifier: Apache-2.0
 *
 * Packets in a torus of X by Y nodes: can a packet be blocked for ever?
 *
 * A buffer holds one packet, which models virtual cut-through: a copy starts only with room for all
 * of it. There is one buffer for each node, direction of travel, virtual network and dateline
 * channel, and one for each virtual network in which the node's own packets wait to enter.
 * Dimension order, the shorter way around, plus on a tie. A packet that crosses the link between
 * the last and the first place of a ring continues in the second channel; a turn starts in the
 * first again. A packet for a single node that crosses no such link in its first dimension may
 * start in the second: those to nodes with an odd sum of coordinates do. In a mesh a turn keeps the
 * channel.
 *
 *   request    taken by the firmware of the target, one at a time, which then must send data back
 *   data       taken by hardware, one packet at a time, which then must send an ack back
 *   broadcast  data with the deposit bit to all nodes: a buffer owes copies to the way on, to the
 *              turns into later dimensions and to the node, gives each when that one has room, and
 *              is free when none is left; the copy for the node waits for host memory, no other does
 *   ack        taken at once
 *
 * Each node sends SENDS packets, any of KINDS (bits: 1 request, 2 data, 4 broadcast) to any node.
 * In every state some step must be possible, until all is sent, delivered and answered.
 *
 *   ALL_SECOND    all packets that may begin in the second channel do
 *   MESH          no links from last to first
 *   NO_DATELINE   one channel: rings close into cycles
 *   ONE_NETWORK   requests, data and acks share buffers
 *   HELD_BY_LOCAL a broadcast goes on only after its node has its copy, and turns as the ways on
 *                 have room: stricter than the chip, still free of cycles
 */
#ifndef X
#define X 4
#endif
#ifndef Y
#define Y 1
#endif
#ifndef SENDS
#define SENDS 1
#endif
#ifndef KINDS
#define KINDS 7
#endif
#if Y > 1
#define DIRS 4
#else
#define DIRS 2
#endif
#ifdef ONE_NETWORK
#define NETWORKS 1
#else
#define NETWORKS 3
#endif

#define NODES (X * Y)
#define LOCAL DIRS                        /* output to the node; as a direction: from the node */
#define PLACES (NODES * (DIRS + 1) * NETWORKS * 2)
#define PLACE(n, dir, vn, vc) ((((n) * (DIRS + 1) + (dir)) * NETWORKS + (vn)) * 2 + (vc))
#define NODE_OF(p) ((p) / ((DIRS + 1) * NETWORKS * 2))
#define DIR_OF(p) (((p) / (NETWORKS * 2)) % (DIRS + 1))
#define VN_OF(p) (((p) / 2) % NETWORKS)
#define VC_OF(p) ((p) % 2)

#define REQUEST 1
#define DATA 2
#define ACK 3
#define BROADCAST 4
#ifdef ONE_NETWORK
#define NETWORK(kind) 0
#else
#define NETWORK(kind) ((kind) == REQUEST -> 0 : ((kind) == ACK -> 2 : 1))
#endif

/* A ring of `side` places: how far a broadcast goes in either direction, and the way to a place. */
#ifdef MESH
#define REACH(at, side, down) ((down) -> (at) : (side) - 1 - (at))
#define UPWARD(from, to, side) ((to) > (from))
#else
#define REACH(at, side, down) ((down) -> ((side) - 1) / 2 : (side) / 2)
#define UPWARD(from, to, side) (2 * (((to) + (side) - (from)) % (side)) <= (side))
#endif

byte kind[PLACES], dst[PLACES], src[PLACES], left[PLACES], owed[PLACES];
byte firmware[NODES], sink[NODES];        /* node to answer, plus 1; 255: none */
byte unsent[NODES];

/* Temporary variables; 0 between steps, so that they do not distinguish states. */
hidden byte n, m, dir, vc, reach, out;
hidden byte can;
hidden short p, q;

inline next_node(at, o) {
    m = (o == 0 -> (at) - (at) % X + ((at) % X + 1) % X :
        (o == 1 -> (at) - (at) % X + ((at) % X + X - 1) % X :
        (o == 2 -> ((at) + X) % NODES : ((at) + NODES - X) % NODES)))
}
/* Tells whether output `o` of node `at` is the link between last and first. */
#define WRAPS(at, o) ((o) == 0 && (at) % X == X - 1 || (o) == 1 && (at) % X == 0 || \
                      (o) == 2 && (at) / X == Y - 1 || (o) == 3 && (at) / X == 0)

/*
 * Sets `reach` to the links that a broadcast follows on output `o` after it begins or turns at
 * `at`.
 */
inline reach_of(at, o) {
    reach = ((o) < 2 -> REACH((at) % X, X, (o) == 1) : REACH((at) / X, Y, (o) == 3))
}

/* Sets the copies that the packet in place `at` owes on arrival. */
inline owe(at) {
    n = NODE_OF(at);
    dir = DIR_OF(at);
    owed[at] = 0;
    if
    :: kind[at] == BROADCAST ->
        if
        :: dir == LOCAL -> skip
        :: else ->
            owed[at] = 1 << LOCAL;
            if
            :: left[at] > 0 -> owed[at] = owed[at] | (1 << dir)
            :: else -> skip
            fi
        fi;
        out = 0;
        do
        :: out < DIRS ->
            reach_of(n, out);
            if
            :: reach > 0 && (dir == LOCAL || out / 2 > dir / 2) -> owed[at] = owed[at] | (1 << out)
            :: else -> skip
            fi;
            out++
        :: else -> break
        od
    :: else ->
        if
        :: n % X != dst[at] % X -> out = (UPWARD(n % X, dst[at] % X, X) -> 0 : 1)
        :: n % X == dst[at] % X && n / X != dst[at] / X -> out = (UPWARD(n / X, dst[at] / X, Y) -> 2 : 3)
        :: else -> out = LOCAL
        fi;
        owed[at] = 1 << out
    fi
}

/*
 * Tells whether a packet of this node, waiting in place `at`, begins in the second channel of its
 * network.
 */
#define CROSSES(here, there, side) ((here) != (there) && (UPWARD(here, there, side) == ((there) < (here))))
#ifdef NO_DATELINE
#define BEGINS(n, at) 0
#else
#ifdef ALL_SECOND
#define SPREAD(node) 1
#else
#define SPREAD(node) (((node) % X + (node) / X) % 2)
#endif
#define BEGINS(n, at) (kind[at] != BROADCAST && SPREAD(dst[at]) && \
                       !(n % X != dst[at] % X -> CROSSES(n % X, dst[at] % X, X) : CROSSES(n / X, dst[at] / X, Y)))
#endif
#ifdef MESH
#define KEEPS(at, o) true
#else
#define KEEPS(at, o) (DIR_OF(at) / 2 == (o) / 2)
#endif

/*
 * Sets `can` and `q`: whether the packet in `at` can now give the copy for output `o`, and its
 * place.
 */
inline look(at, o) {
    can = false;
    q = 0;
    n = NODE_OF(at);
    if
    :: (owed[at] >> (o)) & 1 ->
        if
        :: (o) == LOCAL ->
            can = (kind[at] == ACK || (kind[at] == REQUEST -> firmware[n] == 0 : sink[n] == 0))
        :: else ->
            next_node(n, o);
            vc = (DIR_OF(at) == LOCAL -> BEGINS(n, at) : (KEEPS(at, o) -> VC_OF(at) : 0));
#ifndef NO_DATELINE
            vc = (WRAPS(n, o) -> 1 : vc);
#endif
            q = PLACE(m, o, VN_OF(at), vc);
            can = kind[q] == 0;
#ifdef HELD_BY_LOCAL
            can = can && ((owed[at] >> LOCAL) & 1) == 0
#endif
        fi
    :: else -> skip
    fi
}

inline give(at, o) {
    look(at, o);
    owed[at] = owed[at] & ~(1 << (o));
    if
    :: (o) == LOCAL && kind[at] == REQUEST -> firmware[n] = src[at] + 1
    :: (o) == LOCAL && kind[at] == DATA -> sink[n] = src[at] + 1
    :: (o) == LOCAL && kind[at] == BROADCAST -> sink[n] = 255
    :: (o) == LOCAL && kind[at] == ACK -> skip
    :: else ->
        kind[q] = kind[at];
        dst[q] = dst[at];
        src[q] = src[at];
        if
        :: kind[at] == BROADCAST && DIR_OF(at) != (o) ->
            reach_of(n, o);
            left[q] = reach - 1
        :: kind[at] == BROADCAST && DIR_OF(at) == (o) -> left[q] = left[at] - 1
        :: else -> skip
        fi;
        owe(q)
    fi;
    if
    :: owed[at] == 0 -> kind[at] = 0; dst[at] = 0; src[at] = 0; left[at] = 0
    :: else -> skip
    fi;
    n = 0; m = 0; dir = 0; vc = 0; reach = 0; out = 0; can = false; q = 0
}

/* Puts a packet of node `at` into its entry buffer, which must be free. */
inline enter(at, what, to) {
    p = PLACE(at, LOCAL, NETWORK(what), 0);
    kind[p] = what;
    dst[p] = to;
    src[p] = at;
    owe(p);
    p = 0; n = 0; dir = 0; reach = 0; out = 0
}
#define FREE(at, what) (kind[PLACE(at, LOCAL, NETWORK(what), 0)] == 0)
#define ANSWERS(at) (firmware[at] > 0 && FREE(at, DATA))
#define SINKS(at) (sink[at] == 255 || sink[at] > 0 && FREE(at, ACK))
#define SENDS_ANY(at) (unsent[at] > 0 && ((KINDS & 1) && FREE(at, REQUEST) || (KINDS & 6) && FREE(at, DATA)))

/* Checks that a step is possible, or that all is done. */
inline judge() {
    d_step {
        p = 0;
        q = 0;
        reach = 0;                        /* 1: a step is possible; 2: packets exist, too */
        n = 0;
        do
        :: n < NODES ->
            reach = reach | (ANSWERS(n) || SINKS(n) || SENDS_ANY(n) -> 1 : 0) |
                    (firmware[n] > 0 || sink[n] > 0 || unsent[n] > 0 -> 2 : 0);
            n++
        :: else -> break
        od;
        do
        :: p < PLACES && (reach & 1) == 0 ->
            if
            :: kind[p] > 0 ->
                reach = reach | 2;
                out = 0;
                do
                :: out <= LOCAL -> look(p, out); reach = reach | (can -> 1 : 0); out++
                :: else -> break
                od
            :: else -> skip
            fi;
            p++
        :: else -> break
        od;
        assert(reach != 2);
        p = 0; q = 0; n = 0; m = 0; vc = 0; out = 0; reach = 0; can = false
    }
}

active proctype network() {
    byte i = 0, o = 0, to = 0;

    d_step {
        do
        :: i < NODES -> unsent[i] = SENDS; i++
        :: else -> break
        od;
        i = 0
    }
    do
    :: atomic {
        if
        :: true ->                        /* a packet moves */
            do
            :: i < PLACES && kind[i] == 0 -> i++
            :: i < PLACES && kind[i] > 0 -> i++
            :: i < PLACES && kind[i] > 0 -> break
            :: i == PLACES -> break
            od;
            if
            :: i < PLACES ->
                do
                :: o < LOCAL -> o++
                :: break
                od;
                can = false;
                d_step {
                    look(i, o);
                    if
                    :: can -> give(i, o)
                    :: else -> n = 0; m = 0; vc = 0; q = 0
                    fi
                }
            :: else -> skip
            fi
        :: true ->                        /* a node acts */
            do
            :: i < NODES - 1 -> i++
            :: break
            od;
            if
            :: ANSWERS(i) -> d_step { o = firmware[i] - 1; firmware[i] = 0; enter(i, DATA, o) }
            :: SINKS(i) && sink[i] < 255 -> d_step { o = sink[i] - 1; sink[i] = 0; enter(i, ACK, o) }
            :: sink[i] == 255 -> sink[i] = 0
            :: unsent[i] > 0 && (KINDS & 4) && FREE(i, BROADCAST) && NODES > 1 ->
                d_step { unsent[i]--; enter(i, BROADCAST, i) }
            :: unsent[i] > 0 && (KINDS & 3) ->
                do
                :: to < NODES - 1 -> to++
                :: break
                od;
                if
                :: to != i && (KINDS & 1) && FREE(i, REQUEST) -> d_step { unsent[i]--; enter(i, REQUEST, to) }
                :: to != i && (KINDS & 2) && FREE(i, DATA) -> d_step { unsent[i]--; enter(i, DATA, to) }
                :: else -> skip
                fi
            :: else -> skip
            fi
        fi;
        i = 0; o = 0; to = 0;
        judge()
       }
    od
}
