/* SPDX-License-Identifier: Apache-2.0
 *
 * Contributions and results in a tree of NODES nodes (tern_tree): can they be blocked for ever?
 *
 * A place holds one packet. Each link has a place up, shared by all groups, and a place down. Each
 * node has SLOTS slots for each group and port (two children, the node itself), one place in which
 * contributions are combined, and one place for results that the member has not taken yet. Each
 * member contributes SENDS times to each of its groups.
 *
 *   up      a contribution leaves with credit for a slot of its group at the parent; so the place up
 *           always empties into that slot
 *   merge   takes one contribution of each port, if all have come, and passes one on: to the parent,
 *           or at the group's root to the way down
 *   down    copies a result to the children and the node, when all of them have room
 *   notices count freed slots, and end failed groups; they have places of their own and are taken at
 *           once, so they are single steps here
 *
 * In every state some step must be possible, until all members have all results or know that their
 * group has failed. Group 0 has all nodes; group 1 the nodes 1, 3 and 4 if there are so many, with
 * its root at node 1, else all.
 *
 *   MISSING      node MISSING contributes nothing to group 0; the node that waits for it times out
 *   NO_TIMEOUT   ... does not
 *   NO_CREDIT    contributions leave without credit, and wait in the place up for a slot
 *   ONE_RING     the groups share the slots of a port
 *   HELD         a member takes results only when all its contributions have left
 */
#ifndef NODES
#define NODES 3
#endif
#ifndef GROUPS
#define GROUPS 2
#endif
#ifndef SENDS
#define SENDS 2
#endif
#ifndef SLOTS
#define SLOTS 1
#endif
#ifndef MISSING
#define MISSING 255
#endif

#define SELF 2
#define IN(n, g) ((g) == 0 || NODES < 7 || (n) == 1 || (n) == 3 || (n) == 4)
#define ROOT(g) ((g) == 0 || NODES < 7 -> 0 : 1)
#define PARENT(n) (((n) - 1) / 2)
#define PORT(n) (((n) + 1) % 2)
#define CHILD(n, p) (2 * (n) + 1 + (p))
#define WAITS(n, g, p) (IN(n, g) && ((p) == SELF || CHILD(n, p) < NODES && IN(CHILD(n, p), g)))
#define RING(n, g, p) (((n) * GROUPS + (g)) * 3 + (p))

byte ring[NODES * GROUPS * 3];    /* contributions in slots */
byte owed[NODES * GROUPS];        /* slots of the parent taken, as the child knows */
byte up[NODES], down[NODES];      /* on the link to the parent, from it: group + 1 */
byte merge[NODES];                /* combined, not yet passed on: group + 1 */
byte sink[NODES];                 /* for the member: group + 1 */
byte sent[NODES * GROUPS], got[NODES * GROUPS];
bool failed[NODES * GROUPS];

/* Temporary variables; 0 between steps. */
hidden byte n, g, p;
hidden byte can;

#define AT(n, g) ((n) * GROUPS + (g))
#ifdef ONE_RING
#if GROUPS == 2
#define USED(n, g, p) (ring[RING(n, 0, p)] + ring[RING(n, 1, p)])
#endif
#else
#define USED(n, g, p) ring[RING(n, g, p)]
#endif
#define ROOM(n, g, p) (USED(n, g, p) < SLOTS)
#if defined(NO_CREDIT) || defined(ONE_RING)
#define CREDIT(n, g) true
#else
#define CREDIT(n, g) (owed[AT(n, g)] < SLOTS)
#endif

/* Whether port `p` of a group has come, or is not waited for. */
#define CAME(n, g, p) (!WAITS(n, g, p) || ring[RING(n, g, p)] > 0)
#define COMPLETE(n, g) (IN(n, g) && CAME(n, g, 0) && CAME(n, g, 1) && CAME(n, g, 2))
#define PARTIAL(n, g) (IN(n, g) && !COMPLETE(n, g) && \
    ring[RING(n, g, 0)] + ring[RING(n, g, 1)] + ring[RING(n, g, 2)] > 0)

/* The steps of node `n` in group `g`. */
#define CONTRIBUTES(n, g) (IN(n, g) && !failed[AT(n, g)] && sent[AT(n, g)] < SENDS && \
    ROOM(n, g, SELF) && !((n) == MISSING && (g) == 0))
#define MERGES(n, g) (!failed[AT(n, g)] && merge[n] == 0 && COMPLETE(n, g) && \
    ((n) == ROOT(g) || CREDIT(n, g)))
#define LEAVES(n, g) (merge[n] == (g) + 1 && (n) != ROOT(g) && up[n] == 0)
#define ARRIVES(n, g) ((n) > 0 && up[n] == (g) + 1 && \
    (failed[AT(PARENT(n), g)] || ROOM(PARENT(n), g, PORT(n))))
#define FREE_BELOW(n, g) ((!WAITS(n, g, 0) || down[CHILD(n, 0)] == 0) && \
    (!WAITS(n, g, 1) || down[CHILD(n, 1)] == 0) && sink[n] == 0)
#define RESULT(n, g) (((n) == ROOT(g) -> merge[n] : down[n]) == (g) + 1)
#define PASSES(n, g) (RESULT(n, g) && (failed[AT(n, g)] || FREE_BELOW(n, g)))
#ifdef HELD
#define TAKES(n, g) (sink[n] == (g) + 1 && sent[AT(n, 0)] == SENDS && \
    (GROUPS == 1 || !IN(n, 1) || sent[AT(n, GROUPS - 1)] == SENDS))
#else
#define TAKES(n, g) (sink[n] == (g) + 1)
#endif
#if MISSING < 255 && !defined(NO_TIMEOUT)
#define FAILS(n, g) ((g) == 0 && !failed[AT(n, g)] && (PARTIAL(n, g) && \
    (n == MISSING || PARENT(MISSING) == (n)) || \
    (n) > 0 && failed[AT(PARENT(n), g)] || \
    CHILD(n, 0) < NODES && failed[AT(CHILD(n, 0), g)] || \
    CHILD(n, 1) < NODES && failed[AT(CHILD(n, 1), g)]))
#else
#define FAILS(n, g) false
#endif

#define DONE(n, g) (!IN(n, g) || failed[AT(n, g)] || got[AT(n, g)] == SENDS)

/* Frees the slots of what was combined: the children hear of it. */
inline freed(n, g) {
    p = 0;
    do
    :: p < 2 ->
        if
        :: WAITS(n, g, p) && owed[AT(CHILD(n, p), g)] > 0 -> owed[AT(CHILD(n, p), g)]--
        :: else -> skip
        fi;
        p++
    :: else -> break
    od;
    p = 0
}

inline act(n, g) {
    if
    :: CONTRIBUTES(n, g) -> ring[RING(n, g, SELF)]++; sent[AT(n, g)]++
    :: MERGES(n, g) ->
        p = 0;
        do
        :: p < 3 ->
            if
            :: WAITS(n, g, p) -> ring[RING(n, g, p)]--
            :: else -> skip
            fi;
            p++
        :: else -> break
        od;
        merge[n] = (g) + 1;
        if
        :: (n) != ROOT(g) -> owed[AT(n, g)]++
        :: else -> skip
        fi
    :: LEAVES(n, g) -> up[n] = (g) + 1; merge[n] = 0; freed(n, g)
    :: ARRIVES(n, g) ->
        if
        :: failed[AT(PARENT(n), g)] -> skip
        :: else -> ring[RING(PARENT(n), g, PORT(n))]++
        fi;
        up[n] = 0
    :: PASSES(n, g) ->
        if
        :: failed[AT(n, g)] -> skip
        :: else ->
            sink[n] = (g) + 1;
            p = 0;
            do
            :: p < 2 ->
                if
                :: WAITS(n, g, p) -> down[CHILD(n, p)] = (g) + 1
                :: else -> skip
                fi;
                p++
            :: else -> break
            od
        fi;
        if
        :: (n) == ROOT(g) -> merge[n] = 0; freed(n, g)
        :: else -> down[n] = 0
        fi
    :: TAKES(n, g) -> sink[n] = 0; got[AT(n, g)]++
    :: FAILS(n, g) -> failed[AT(n, g)] = true;
        ring[RING(n, g, 0)] = 0; ring[RING(n, g, 1)] = 0; ring[RING(n, g, 2)] = 0
    fi;
    p = 0
}
#define ACTS(n, g) (CONTRIBUTES(n, g) || MERGES(n, g) || LEAVES(n, g) || ARRIVES(n, g) || \
    PASSES(n, g) || TAKES(n, g) || FAILS(n, g))

/* Checks that a step is possible, or that all is done. */
inline judge() {
    d_step {
        can = 2;                  /* bit 0: a step is possible; bit 1: all is done */
        n = 0;
        do
        :: n < NODES ->
            g = 0;
            do
            :: g < GROUPS ->
                can = (can | (ACTS(n, g) -> 1 : 0)) & (DONE(n, g) -> 3 : 1);
                g++
            :: else -> break
            od;
            n++
        :: else -> break
        od;
        assert(can > 0);
        n = 0; g = 0; can = 0
    }
}

active proctype network() {
    byte i = 0, k = 0;

    do
    :: atomic {
        do
        :: i < NODES - 1 -> i++
        :: break
        od;
        do
        :: k < GROUPS - 1 -> k++
        :: break
        od;
        if
        :: ACTS(i, k) -> act(i, k)
        :: else -> skip
        fi;
        i = 0; k = 0;
        judge()
       }
    od
}
