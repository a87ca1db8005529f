/* SPDX-License-Identifier: Apache-2.0
 *
 * Two nodes of a graph, the second after the first: is each committed once, does each end, and does
 * the second read the output that was committed?
 *
 * Three workers take nodes, claim, run, commit, tell the successor, close; each step is one atomic
 * operation at the home. The server may find two of them dead at any moment, and revokes their
 * keys; such a worker may be paused and goes on, but its operations at the home fail. Its set of an
 * output does not: the cache may be in another pool. The server takes nodes of the dead away in one
 * step and makes them ready in another, and pushes nodes that are due and in no queue (rule 11).
 * An output has the attempt in its key, and the state word names the attempt (rule 12).
 *
 *   NO_SWEEP    the server does not push nodes that are due (rule 11)
 *   KEEPS_RUN   the server does not take running nodes from the dead (rule 11)
 *   KEEPS_DONE  nor those whose successors were not told (rule 11)
 *   ONE_KEY     all attempts write one output (rule 12)
 *   NO_KEYS     the server revokes no key (with at most four attempts a node)
 *   BLIND       a commit compares the state of the node alone, not its attempt and holder
 */
#define WORKERS 3
#define FIRST 0
#define SECOND 1

#define WAIT 0
#define RUN 1
#define DONE 2 /* its successors are being told */
#define OVER 3

byte state[2], holder[2], attempt[2];
bit ready[2] = { 1, 0 };
bit joined;            /* the join of the second node */
bit dead[WORKERS + 1]; /* the server has given it up */
byte commits[2];
byte deaths;
byte output;           /* of the first node: the attempt that wrote last */
bit outputs[8];        /* of the first node, by attempts */

#ifdef NO_KEYS
#define FENCED(me) false
#else
#define FENCED(me) dead[me]
#endif

#ifdef BLIND
#define AS_CLAIMED state[node] == RUN
#else
#define AS_CLAIMED state[node] == RUN && holder[node] == me && attempt[node] == mine
#endif

inline reads_input()
{
#ifdef ONE_KEY
    assert(output == attempt[FIRST])
#else
    assert(outputs[attempt[FIRST]])
#endif
}

proctype worker(byte me)
{
    byte node, mine;

end:
    atomic {
        !FENCED(me) && (ready[FIRST] || ready[SECOND]) ->
        if
        :: ready[FIRST] -> node = FIRST
        :: else -> node = SECOND
        fi;
        ready[node] = 0
    }
claim:
    if
    :: d_step { FENCED(me) -> skip } goto gone
    :: d_step { !FENCED(me) && state[node] == WAIT ->
        state[node] = RUN; holder[node] = me; attempt[node]++; mine = attempt[node] }
    :: d_step { !FENCED(me) && state[node] == DONE && holder[node] == 0 ->
        holder[node] = me; mine = attempt[node] } goto tell
    :: d_step { !FENCED(me) && (state[node] == RUN || state[node] == OVER || (state[node] == DONE && holder[node] != 0)) -> skip }
        goto end
    fi;
    if
    :: node == FIRST -> d_step { output = mine; outputs[mine] = 1 }
    :: else -> d_step { reads_input() }
    fi;
    if
    :: d_step { FENCED(me) -> skip } goto gone
    :: d_step { !FENCED(me) && (AS_CLAIMED) ->
        assert(mine == attempt[node]); state[node] = DONE; commits[node]++; assert(commits[node] == 1) }
    :: d_step { !FENCED(me) && !(AS_CLAIMED) -> skip } goto end /* refused */
    fi;
tell:
    if
    :: node == FIRST ->
        if
        :: d_step { FENCED(me) -> skip } goto gone
        :: d_step { !FENCED(me) -> joined = 1 }
        fi;
        if /* it pushes the second node, or keeps it */
        :: d_step { FENCED(me) -> skip } goto gone
        :: d_step { !FENCED(me) -> ready[SECOND] = 1 }
        :: d_step { !FENCED(me) && state[FIRST] == DONE && holder[FIRST] == me ->
            state[FIRST] = OVER; node = SECOND } goto claim
        fi
    :: else
    fi;
    if
    :: d_step { FENCED(me) -> skip } goto gone
    :: d_step { !FENCED(me) ->
        if :: state[node] == DONE && holder[node] == me -> state[node] = OVER :: else fi }
    fi;
    goto end;
gone:
    skip
}

#define DUE(n) ((state[n] == WAIT && (n == FIRST || joined)) || (state[n] == DONE && holder[n] == 0))

active proctype server()
{
    byte node;

end:
    do
    :: d_step { deaths < WORKERS - 1 -> deaths++; dead[deaths] = 1 }
#ifndef KEEPS_RUN
    :: d_step { state[FIRST] == RUN && dead[holder[FIRST]] && attempt[FIRST] < 4 ->
        state[FIRST] = WAIT; holder[FIRST] = 0; node = FIRST } goto push
    :: d_step { state[SECOND] == RUN && dead[holder[SECOND]] && attempt[SECOND] < 4 ->
        state[SECOND] = WAIT; holder[SECOND] = 0; node = SECOND } goto push
#endif
#ifndef KEEPS_DONE
    :: d_step { state[FIRST] == DONE && dead[holder[FIRST]] -> holder[FIRST] = 0; node = FIRST } goto push
    :: d_step { state[SECOND] == DONE && dead[holder[SECOND]] -> holder[SECOND] = 0; node = SECOND } goto push
#endif
#ifndef NO_SWEEP
    :: d_step { DUE(FIRST) && !ready[FIRST] -> ready[FIRST] = 1 }
    :: d_step { DUE(SECOND) && !ready[SECOND] -> ready[SECOND] = 1 }
#endif
    od;
push:
    atomic { ready[node] = 1; node = 0 }
    goto end
}

/* Nothing more can happen: both nodes have ended. */
active proctype judge()
{
end:
    timeout -> assert(state[FIRST] == OVER && state[SECOND] == OVER)
}

init
{
    atomic { run worker(1); run worker(2); run worker(3) }
}
