/* SPDX-License-Identifier: Apache-2.0
 *
 * The server releases a member's key while the member's messages are in flight: does one of them
 * land after the server has given the memory to others, and does one pass the check with the key of
 * a later member?
 *
 * The model is the receiver of one NIC. It checks puts in order, and keeps the verdict on the next
 * put while the rest of its packet arrives, for any time; then the put enters the write channel, in
 * which everything lands in order. One unit carries out atomic operations one after the other: key
 * check; wait until no put with a good verdict is outside the channel; a marker through the
 * channel; then the word enters the channel. A put whose packet is still arriving may lose its
 * verdict meanwhile, and is then checked again.
 *
 *   member  a life of it sends with its key at any time, also after the key was released
 *   server  releases the key; has one ADD of 0 done by the unit, whose completion comes through the
 *           channel; gives the memory of that life to others; and lets the next life in, under a
 *           key of the same index with another tag
 *
 * LIVES lives, at most 3; PUTS puts and SWAPS compare-and-swaps of any of them.  One rule less each
 * (rule 6):
 *   NO_ADD      recovery when the key is released
 *   ADD_FIRST   the ADD before the release
 *   PAST_PUTS   the ADD does not wait for a put that has its verdict, as one of another NIC
 *   OTHER_UNIT  the ADD does not wait for the operation in the unit, as one of another NIC
 *   NO_MARKER   the ADD completes beside the write channel
 *   TAGS        different tags in a row, at first one for each life.  With 1 all lives have the
 *               same key, with 2 that of the life before the last comes again
 */
#ifndef LIVES
#define LIVES 2
#endif
#ifndef TAGS
#define TAGS LIVES
#endif
#ifndef PUTS
#define PUTS 2
#endif
#ifndef SWAPS
#define SWAPS 2
#endif

#define PUT 1
#define SWAP 2
#define ADD 3
#define MARKER 4
#define DONE 5

#define SERVER LIVES /* as a life: its key is always good */

/* The key at the index, if any; the newest life; lives whose memory was given to others. */
bit key_there;
byte tag, newest, recovered;

/* Puts in the order of arrival: the life of each, their number, the next one. */
byte life_of_put[PUTS], puts, next_put;
bit verdict; /* on the next one: good */

byte swaps;
bit completed; /* the ADD has completed */
bit passed[2], quiet[2]; /* the marker of a unit has passed; a unit waits for the puts */

chan jobs = [SWAPS + 1] of { byte, byte };       /* of the unit: operation, life */
chan other_jobs = [1] of { byte, byte };         /* of another unit */
chan channel = [PUTS + SWAPS + 4] of { byte, byte }; /* the write channel: command, life or unit */

#define IS_GOOD(life) (life == SERVER || (key_there && tag == life % TAGS))

/* ---- members: any life so far, including one that the server has given up */

#define SENDS(life) \
    :: d_step { newest >= life && puts < PUTS -> life_of_put[puts] = life; puts++ } \
    :: d_step { newest >= life && swaps < SWAPS -> jobs!SWAP, life; swaps++ }

proctype members()
{
end:
    do
    SENDS(0)
    SENDS(1)
    SENDS(2)
    od
}

/* ---- the receiver */

proctype receiver()
{
end:
    do
    :: d_step { next_put < puts && !verdict ->
            if
            :: IS_GOOD(life_of_put[next_put]) ->
                assert(life_of_put[next_put] == newest); /* no other life has this key */
                verdict = 1
            :: else -> next_put++
            fi
        }
    :: d_step { verdict -> channel!PUT, life_of_put[next_put]; verdict = 0; next_put++ }
    :: d_step { verdict && (quiet[0] || quiet[1]) -> verdict = 0 }
    od
}

proctype unit(byte me; chan work)
{
    byte what, life;

end:
    do
    :: work?what, life ->
        if
        :: d_step { IS_GOOD(life) ->
                assert(life == newest || life == SERVER);
                quiet[me] = 1; passed[me] = 0 }
#ifdef PAST_PUTS
            what == ADD || !verdict;
#else
            !verdict;
#endif
            quiet[me] = 0;
#ifdef NO_MARKER
            if
            :: what == ADD -> completed = 1; goto end
            :: else
            fi;
#endif
            channel!MARKER, me;
            passed[me];
            if
            :: what == SWAP -> channel!SWAP, life
            :: what == ADD -> channel!DONE, life
            fi
        :: d_step { !IS_GOOD(life) -> what = 0; life = 0 }
        fi
    od
}

proctype memory()
{
    byte what, whose;

end:
    do
    :: d_step { channel?what, whose ->
            if
            :: what == MARKER -> passed[whose] = 1
            :: what == DONE -> completed = 1
            :: else -> assert(whose >= recovered) /* nothing lands on memory of others */
            fi;
            what = 0; whose = 0
        }
    od
}

/* ---- the server */

inline add_nothing()
{
    completed = 0;
#ifdef OTHER_UNIT
    other_jobs!ADD, SERVER;
#else
    jobs!ADD, SERVER;
#endif
    completed
}

proctype server()
{
    do
    :: newest < LIVES ->
#ifdef ADD_FIRST
        add_nothing();
#endif
        key_there = 0;
#if !defined NO_ADD && !defined ADD_FIRST
        add_nothing();
#endif
        recovered = newest + 1;
        if
        :: newest + 1 == LIVES -> break
        :: else
        fi;
        d_step { newest++; tag = newest % TAGS; key_there = 1 }
    od
}

/* Messages that stop after the check do not stop the server. */
proctype ends()
{
    timeout;
    assert(recovered == LIVES)
}

init
{
    atomic {
        key_there = 1;
        run members(); run receiver(); run unit(0, jobs); run memory(); run server(); run ends();
#ifdef OTHER_UNIT
        run unit(1, other_jobs)
#endif
    }
}
