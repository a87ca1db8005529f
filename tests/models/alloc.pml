/* SPDX-License-Identifier: Apache-2.0
 *
 * One slab, two clients that take it and give it back, and a server that sweeps: does the slab ever
 * have two holders, and does it come back?
 *
 * A message of a client is sent, has passed the check of its key, or has landed; puts and atomic
 * operations of one client overtake each other. A client may stop before any step. The server may
 * fence a client at any time: it releases the key, so that sent messages fail and those past the
 * check land; the client is gone when all of them have landed (drained).
 *
 *   client   TAKE; put of the owner word; compare-and-swap of the owner word; ADD that clears the bit
 *   number   a client raises it when all that it had begun before the last raise has ended
 *   server   looks: the word first, then the numbers; the period is over when each client has gone
 *            on by three, or is gone.  A slab with its bit set, no owner, and the same owner word is
 *            freed at the third look.  Each sweep gives back what a client has that is gone.
 *
 * ROUNDS takes of each client; the first FENCES clients may be fenced.  One rule less each:
 *   NO_KEY         a client that is given up keeps its key, as before decision 0053
 *   NO_DRAIN       gone at once when the key is released (rule 6)
 *   NO_FENCE       a number is raised though the put of an owner word is on its way (rule 1)
 *   ADVANCE=1, 2   a period is over when each client has gone on by that (rule 2).  With 2: number n is
 *                  on its way when a take is begun, and n + 1 is raised as the take is younger than n
 *   AT_LANDING     a number is raised when all that was begun before the one before has landed (and
 *                  not: was raised) has ended: a stricter client, for which an advance of 2 is enough
 *   NUMBERS_FIRST  a look takes the numbers first, the word last (rule 2)
 *   LOOKS=2        freed at the second look (rule 3)
 */
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef FENCES
#define FENCES 1
#endif
#ifndef ADVANCE
#define ADVANCE 3
#endif
#ifndef LOOKS
#define LOOKS 3
#endif
#define CLIENTS 2
#define AHEAD (ADVANCE + 1) /* maximum by which a client's number is ahead of a mark */

#define SENT 1
#define CHECKED 2
#define TAKE 1
#define SWAP 2
#define CLEAR 3

/* The memory. */
bit taken;
byte generation, owner, frees; /* owner word: generation and owner, client + 1 or 0 */
byte number[CLIENTS];          /* counted from the last mark */

/* The true state: the holder, client + 1 or 0. */
byte holder;

bit key[CLIENTS], gone[CLIENTS], failed[CLIENTS];

/* Messages of each client: an atomic operation, the put of an owner word, that of a number. */
byte atom[CLIENTS], atom_at[CLIENTS], put_at[CLIENTS], number_at[CLIENTS];
byte given[CLIENTS]; /* generation of the slab that it took */
bit got[CLIENTS];
byte said[CLIENTS];  /* the number that it raised last, counted from the last mark */
bit open[CLIENTS], old[CLIENTS]; /* an operation is open; it began before the last raise */

/* The sweep. */
byte looks, seen;
bit begun, marked[CLIENTS]; /* clients that the period waits for */

#define GENERATION(g) ((g) & 7)

/* ---- a client */

inline ask(c, what)
{
    d_step { atom[c] = what; atom_at[c] = SENT; }
    atom_at[c] == 0 || failed[c];
    if
    :: failed[c] -> goto stopped
    :: else
    fi
}

proctype client(byte c)
{
    byte round;

    do
    :: round == ROUNDS -> break
    :: round < ROUNDS ->
        round++;
        d_step { open[c] = 1; old[c] = 0; }
        ask(c, TAKE);
        if
        :: !got[c] -> d_step { open[c] = 0; old[c] = 0; }
        :: got[c] ->
            put_at[c] = SENT;
#ifdef NO_FENCE
            d_step { open[c] = 0; old[c] = 0; }
#endif
            put_at[c] == 0 || failed[c];
            if
            :: failed[c] -> goto stopped
            :: else
            fi;
            d_step { open[c] = 1; old[c] = 0; } /* the take has ended; giving back begins */
            ask(c, SWAP);
            assert(got[c]); /* only the holder changes the owner word */
            ask(c, CLEAR);
            d_step { open[c] = 0; old[c] = 0; got[c] = 0; }
        fi
    od;
stopped:
    skip
}

/* Raises the number at any time that the rule allows. */
proctype raises(byte c)
{
end:
    do
    :: atomic { number_at[c] == 0 && !failed[c] && !(open[c] && old[c]) && said[c] < AHEAD &&
                begun ->
            said[c]++; number_at[c] = SENT;
#ifndef AT_LANDING
            old[c] = open[c]
#else
            skip
#endif
        }
    od
}

/* ---- the network: checks the key of each message, then lets it land */

inline land_atom(c)
{
    if
    :: atom[c] == TAKE && !taken ->
        assert(holder == 0 || gone[holder - 1]);
        taken = 1; holder = c + 1; given[c] = frees; got[c] = 1
    :: atom[c] == TAKE && taken -> got[c] = 0
    :: atom[c] == SWAP && owner == c + 1 && generation == given[c] ->
        owner = 0; generation = GENERATION(generation + 1)
    :: atom[c] == SWAP && !(owner == c + 1 && generation == given[c]) -> got[c] = 0
    :: atom[c] == CLEAR ->
        assert(taken && holder == c + 1);
        taken = 0; holder = 0; frees = GENERATION(frees + 1)
    fi;
    atom_at[c] = 0; atom[c] = 0
}

proctype network(byte c)
{
end:
    do
    :: d_step { atom_at[c] == SENT -> if :: key[c] -> atom_at[c] = CHECKED :: else -> failed[c] = 1; atom_at[c] = 0; atom[c] = 0 fi }
    :: d_step { put_at[c] == SENT -> if :: key[c] -> put_at[c] = CHECKED :: else -> failed[c] = 1; put_at[c] = 0 fi }
    :: d_step { number_at[c] == SENT -> if :: key[c] -> number_at[c] = CHECKED :: else -> failed[c] = 1; number_at[c] = 0 fi }
    :: d_step { atom_at[c] == CHECKED -> land_atom(c) }
    :: d_step { put_at[c] == CHECKED ->
            assert(holder == c + 1); /* a put never lands on another's slab */
            owner = c + 1; generation = given[c]; put_at[c] = 0 }
    :: d_step { number_at[c] == CHECKED -> number[c] = said[c]; number_at[c] = 0;
#ifdef AT_LANDING
            old[c] = open[c]
#endif
        }
    od
}

/* ---- the server */

#define IN_FLIGHT(c) (atom_at[c] == CHECKED || put_at[c] == CHECKED || number_at[c] == CHECKED)
#define WENT_ON(c) (!marked[c] || gone[c] || number[c] >= ADVANCE)
#define OVER (!begun || (WENT_ON(0) && WENT_ON(1)))
#define WORTH_A_LOOK (looks > 0 || (taken && owner == 0))

inline look_at_word()
{
    if
    :: taken && owner == 0 ->
        looks = (looks > 0 && seen == generation -> looks + 1 : 1);
        seen = generation
    :: else -> looks = 0
    fi
}

inline take_numbers()
{
    said[0] = said[0] - number[0]; number[0] = 0; marked[0] = !gone[0];
    said[1] = said[1] - number[1]; number[1] = 0; marked[1] = !gone[1];
    begun = 1
}

inline free_slab()
{
    assert(holder == 0 || gone[holder - 1]);
    taken = 0; holder = 0; frees = GENERATION(frees + 1)
}

proctype server()
{
    byte fenced;

end:
    do
    :: OVER && WORTH_A_LOOK ->
#ifdef NUMBERS_FIRST
        d_step { take_numbers() }
        d_step { look_at_word() }
#else
        d_step { look_at_word() }
        d_step { take_numbers() }
#endif
        if
        :: looks == LOOKS -> d_step { if :: taken -> free_slab() :: else fi; looks = 0 }
        :: else
        fi
    :: d_step { fenced < FENCES && !gone[fenced] ->
#ifndef NO_KEY
            key[fenced] = 0
#else
            skip
#endif
        }
#if !defined NO_DRAIN && !defined NO_KEY
        !IN_FLIGHT(fenced);
#endif
        d_step { gone[fenced] = 1; fenced++ }
    :: d_step { owner != 0 && gone[owner - 1] -> owner = 0; generation = GENERATION(generation + 1) }
        d_step { free_slab() }
    od
}

/* In the final state the slab is free, unless a live client has it. */
proctype ends()
{
    timeout;
    assert(!taken || (holder != 0 && !gone[holder - 1]))
}

init
{
    atomic {
        key[0] = 1; key[1] = 1;
        run client(0); run client(1); run raises(0); run raises(1);
        run network(0); run network(1); run server(); run ends()
    }
}
