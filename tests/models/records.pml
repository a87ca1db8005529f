/* SPDX-License-Identifier: Apache-2.0
 *
 * One bucket of a table that clients change remotely. Does a lookup miss a key that has a value, or
 * return an old value? Do two deletions undo one set? Does the server free a slab that a walk or
 * the bucket leads to?
 *
 * A record lies in a slab and has a link to the next one; the newest record of a key comes first. A
 * client may stop before any step, and the server may then find it dead.
 *
 *   lookup    reads the bucket, then record after record
 *   set       takes a slab; reads the bucket; writes the record with that link; compare-and-swap of
 *             the bucket, which brings the link if that is another one; hands the slab over to the
 *             table
 *   deletion  the same, by a record that says so; before the compare-and-swap it looks the key up,
 *             and ends NOT_FOUND if there is none
 *   sweep     unlinks, store by store: records behind a newer one of their key, if they were so at
 *             the look before; deletions behind which there is no record of their key.  It empties
 *             a bucket whose only record is a deletion, by compare-and-swap.  It frees slabs of the
 *             table that the bucket did not lead to at two looks.  Between two looks is a period:
 *             each operation that was under way at the first has ended, or its client is gone
 *             (alloc.pml has the numbers that tell so)
 *   recovery  at any time: slabs of clients that are gone become the table's
 *
 * CASE selects the records of the bucket and the operations. With DEATHS 1, client 1 may die; with
 * LOST defined, its compare-and-swap may end without an answer: then it hands the slab over, linked
 * or not. Each of these removes one rule:
 *   UNLINK_AT_ONCE     a shadowed record is unlinked when it is seen (rule 7)
 *   FREE_AT_ONCE       its slab is freed when it is unlinked (rule 7)
 *   BARE_DELETIONS     a deletion is unlinked though a record of its key is behind it (rule 7)
 *   NO_COUNT           an emptied bucket is 0 again (rule 8).  With rule 7 in force no case of this
 *                      model breaks: the period of the record that was set meanwhile waits for the
 *                      deletion that read the empty bucket.  With UNLINK_AT_ONCE it does
 *   RECOVERY_FREES     recovery frees slabs of the dead that the bucket does not lead to (rule 9)
 *   GIVES_BACK         a client without an answer frees its slab itself (rule 9)
 */
#ifndef DEATHS
#define DEATHS 0
#endif
#define CLIENTS 3
#define KEYS 2
#define SLABS 3
#define TABLE (CLIENTS + 1) /* the table, as an owner */

#define NOTHING 0
#define LOOKUP 1
#define SET 2
#define DELETE 3

#if CASE == 1 /* a lookup of a key after another key's record, and a set */
#define START put_first(1, 0); put_first(2, 1)
#define CLIENT_0 LOOKUP, 0, NOTHING, 0
#define CLIENT_1 SET, 0, NOTHING, 0
#define CLIENT_2 NOTHING, 0, NOTHING, 0
#elif CASE == 2 /* a deletion in an empty bucket, a set and its deletion */
#define START skip
#define CLIENT_0 DELETE, 0, NOTHING, 0
#define CLIENT_1 SET, 0, DELETE, 0
#define CLIENT_2 NOTHING, 0, NOTHING, 0
#elif CASE == 3 /* a deletion, a set of another key, lookups */
#define START put_first(1, 0)
#define CLIENT_0 LOOKUP, 0, NOTHING, 0
#define CLIENT_1 DELETE, 0, NOTHING, 0
#define CLIENT_2 SET, 1, NOTHING, 0
#elif CASE == 4 /* two sets of a key, and a lookup of another key after them */
#define START put_first(1, 1)
#define CLIENT_0 LOOKUP, 1, NOTHING, 0
#define CLIENT_1 SET, 0, NOTHING, 0
#define CLIENT_2 SET, 0, NOTHING, 0
#elif CASE == 5 /* a deletion and a set of one key, and a set of another; slabs are reused */
#define START put_first(1, 0)
#define CLIENT_0 LOOKUP, 0, LOOKUP, 1
#define CLIENT_1 DELETE, 0, SET, 0
#define CLIENT_2 SET, 1, NOTHING, 0
#endif

/* The memory. Slab 0 means none. */
byte bucket, emptied; /* the upper half of the link of an empty bucket */
byte next[SLABS + 1], key_of[SLABS + 1];
bit deletes[SLABS + 1];
byte owner[SLABS + 1]; /* client + 1, TABLE, 0: it is free */

/* The newest record of a key with a value, whether or not a client knows it. */
byte newest[KEYS];

/*
 * Clients: an operation is in flight; the record that a walk reads next; the results that a lookup
 * may return, because they were true at some moment of the operation: values, by slab; or no value.
 */
bit gone[CLIENTS], under_way[CLIENTS], absent[CLIENTS];
byte wants[CLIENTS], reads[CLIENTS], values[CLIENTS];

/* The sweep: clients for which the period waits; slabs at the last look. */
#define SHADOWED 1
#define UNREACHED 2
bit marked[CLIENTS], dirty;
byte seen[SLABS + 1];

hidden byte x, y; /* within a step */
hidden byte is;

/* ---- within a step */

inline put_first(s, k)
{
    next[s] = bucket; key_of[s] = k; owner[s] = TABLE; bucket = s; newest[k] = s
}

/* `is`: records from `from` up to `until` have the key of `like`. */
inline has_key(from, until, like)
{
    x = from; is = 0;
    do
    :: x != until && x != 0 -> is = is || key_of[x] == key_of[like]; x = next[x]
    :: else -> break
    od
}

/* `is`: the bucket leads to the slab. */
inline leads_to(s)
{
    x = bucket;
    do
    :: x != s && x != 0 -> x = next[x]
    :: else -> break
    od;
    is = x == s
}

inline free(s)
{
    leads_to(s);
    assert(!is);
    assert(gone[0] || reads[0] != s);
    assert(gone[1] || reads[1] != s);
    assert(gone[2] || reads[2] != s);
    owner[s] = 0; seen[s] = 0; dirty = 1
}

inline begin(c, k)
{
    under_way[c] = 1; wants[c] = k;
    values[c] = (newest[k] != 0 -> 1 << newest[k] : 0);
    absent[c] = newest[k] == 0
}

inline end_operation(c)
{
    under_way[c] = 0; marked[c] = 0; values[c] = 0; absent[c] = 0; wants[c] = 0
}

/* Swings the bucket's link: from now on the key has this value, or none. */
inline swing(s, k)
{
    assert(!deletes[s] || newest[k] != 0); /* a deletion undoes a set */
    bucket = s;
    newest[k] = (deletes[s] -> 0 : s);
    y = 0;
    do
    :: y < CLIENTS ->
        if
        :: under_way[y] && wants[y] == k && deletes[s] -> absent[y] = 1
        :: under_way[y] && wants[y] == k && !deletes[s] -> values[y] = values[y] | (1 << s)
        :: else
        fi;
        y++
    :: else -> break
    od;
    dirty = 1
}

/* ---- a client */

/* Walks from the record in `reads`; `found`: the record with a value, or 0. */
inline walk(c, k)
{
    do
    :: d_step { !gone[c] && reads[c] != 0 && key_of[reads[c]] != k -> reads[c] = next[reads[c]] }
    :: d_step { !gone[c] && (reads[c] == 0 || key_of[reads[c]] == k) ->
            found = (reads[c] != 0 && !deletes[reads[c]] -> reads[c] : 0);
            assert(found == 0 || values[c] & (1 << found)); /* never an old value */
            assert(found != 0 || absent[c]);                /* never misses a key with a value */
            reads[c] = 0
        }
        break
    :: gone[c] -> goto stopped
    od
}

#ifdef NO_COUNT
#define SAME_LINK (bucket == link)
#else
#define SAME_LINK (bucket == link && (link != 0 || emptied == count))
#endif

proctype client(byte c, what, k, then, then_k)
{
    byte found, mine, link, count;

    do
    :: what == NOTHING -> break
    :: what == LOOKUP ->
        if
        :: d_step { !gone[c] -> begin(c, k); reads[c] = bucket }
        :: gone[c] -> goto stopped
        fi;
        walk(c, k);
        found = 0;
        d_step { end_operation(c); what = then; k = then_k; then = NOTHING; then_k = 0 }
    :: what == SET || what == DELETE ->
        if
        :: d_step { !gone[c] ->
                mine = 1;
                do
                :: mine <= SLABS && owner[mine] != 0 -> mine++
                :: else -> break
                od;
                if
                :: mine <= SLABS ->
                    begin(c, k);
                    owner[mine] = c + 1; key_of[mine] = k; deletes[mine] = what == DELETE;
                    link = bucket; count = emptied
                :: else -> mine = 0 /* all are taken: a sweep may free some */
                fi
            }
        :: gone[c] -> goto stopped
        fi;
        do
        :: mine == 0 -> break
        :: mine != 0 ->
            if
            :: what == DELETE ->
                if
                :: d_step { !gone[c] -> reads[c] = bucket }
                :: gone[c] -> goto stopped
                fi;
                walk(c, k)
            :: else -> found = 1
            fi;
            if
            :: d_step { !gone[c] && found == 0 ->
                    owner[mine] = 0; mine = 0; link = 0; count = 0; end_operation(c) }
            :: d_step { !gone[c] && found != 0 && SAME_LINK ->
                    next[mine] = link; swing(mine, k); end_operation(c);
                    found = 0; link = 0; count = 0 }
                if
                :: d_step { !gone[c] -> owner[mine] = TABLE; mine = 0; dirty = 1 }
                :: gone[c] -> goto stopped
                fi
            :: d_step { !gone[c] && found != 0 && !SAME_LINK ->
                    link = bucket; count = emptied; found = 0 }
#ifdef LOST
            :: d_step { c == 1 && !gone[c] && found != 0 ->
                    if
                    :: SAME_LINK -> next[mine] = link; swing(mine, k)
                    :: else
                    fi;
                    found = 0; link = 0; count = 0 }
                goto unknown
            :: d_step { c == 1 && !gone[c] && found != 0 -> found = 0; link = 0; count = 0 }
unknown:
                if
#ifdef GIVES_BACK
                :: d_step { !gone[c] -> end_operation(c); free(mine); mine = 0 }
#else
                :: d_step { !gone[c] -> end_operation(c); owner[mine] = TABLE; mine = 0; dirty = 1 }
#endif
                :: gone[c] -> goto stopped
                fi
#endif
            :: gone[c] -> goto stopped
            fi
        od;
        found = 0;
        d_step { what = then; k = then_k; then = NOTHING; then_k = 0 }
    od;
stopped:
    skip
}

/* ---- the server */

#define WENT_ON(c) (!marked[c] || gone[c])
#define OVER (WENT_ON(0) && WENT_ON(1) && WENT_ON(2))

proctype sweep()
{
    byte first, before, at, reached;

end:
    do
    :: d_step { dirty && OVER -> dirty = 0; first = bucket; before = first; at = next[first] }
        do
        :: d_step { at != 0 ->
                has_key(first, at, at);
                if
#ifdef UNLINK_AT_ONCE
                :: is ->
#else
                :: is && seen[at] != SHADOWED -> seen[at] = SHADOWED; before = at; dirty = 1
                :: is && seen[at] == SHADOWED ->
#endif
                    next[before] = next[at]; dirty = 1;
#ifdef FREE_AT_ONCE
                    free(at);
#endif
                    seen[at] = 0
                :: !is -> before = at
                fi;
                at = next[before]
            }
        :: at == 0 -> break
        od;
        before = first;
        d_step { at = next[first] }
        do
        :: d_step { at != 0 ->
                has_key(first, at, at);
#ifndef BARE_DELETIONS
                if
                :: !is -> has_key(next[at], 0, at)
                :: else
                fi;
#endif
                if
                :: !is && deletes[at] -> next[before] = next[at]; dirty = 1
                :: else -> before = at
                fi;
                at = next[before]
            }
        :: at == 0 -> break
        od;
        skip;
        d_step {
            first = 0; before = 0;
            if
            :: bucket != 0 && deletes[bucket] && next[bucket] == 0 ->
#ifdef UNLINK_AT_ONCE
                seen[bucket] = 0; /* the period of its slab starts now */
#endif
                bucket = 0; emptied = (emptied + 1) & 3; dirty = 1
            :: else
            fi;
            x = bucket;
            do
            :: x != 0 -> reached = reached | (1 << x); x = next[x]
            :: else -> break
            od;
            x = 0
        }
        d_step {
            at = 1;
            do
            :: at <= SLABS ->
                if
                :: reached & (1 << at) -> seen[at] = (seen[at] == SHADOWED -> SHADOWED : 0)
                :: !(reached & (1 << at)) && owner[at] != TABLE -> seen[at] = 0
                :: !(reached & (1 << at)) && owner[at] == TABLE && seen[at] != UNREACHED ->
                    seen[at] = UNREACHED; dirty = 1
                :: else -> free(at)
                fi;
                at++
            :: else -> break
            od;
            at = 0; reached = 0;
            marked[0] = under_way[0] && !gone[0];
            marked[1] = under_way[1] && !gone[1];
            marked[2] = under_way[2] && !gone[2]
        }
    od
}

proctype recovery()
{
    byte s, deaths;

end:
    do
    :: d_step { deaths < DEATHS -> gone[1] = 1; deaths++ }
    :: d_step { gone[1] && (owner[1] == 2 || owner[2] == 2 || owner[3] == 2) ->
            s = 1;
            do
            :: owner[s] != 2 -> s++
            :: else -> break
            od;
#ifdef RECOVERY_FREES
            leads_to(s);
            if
            :: is -> owner[s] = TABLE
            :: else -> free(s)
            fi;
#else
            owner[s] = TABLE;
#endif
            s = 0; dirty = 1
        }
    od
}

/* In the final state, each slab is free or has the newest record of its key. */
proctype ends()
{
    byte s;

    timeout;
    d_step {
        s = 1;
        do
        :: s <= SLABS ->
            leads_to(s);
            assert(owner[s] == 0 || (is && owner[s] == TABLE));
            if
            :: owner[s] != 0 -> has_key(bucket, s, s); assert(!is)
            :: else
            fi;
            s++
        :: else -> break
        od
    }
}

init
{
    atomic {
        START;
        run client(0, CLIENT_0); run client(1, CLIENT_1); run client(2, CLIENT_2);
        run sweep(); run recovery(); run ends()
    }
}
