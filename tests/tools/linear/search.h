/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The search for an order of the operations on one word.
 *
 * Wing and Gong: the entries form a list; an operation can go next when its invocation is before
 * the first response there; it is taken out of the list with
 * its response, and put back where what follows fails.  Lowe: a configuration (which
 * operations are out of the list, what the word holds) that was visited once is not
 * visited again.
 *
 * The first response in the list determines the entries that are out of it, and by one bit
 * for each operation pending then: those that responded earlier are all out, those
 * invoked later are all in.  An operation has the bit of its slot, which no other has while it is
 * pending; the bit is turned over each time an operation of the slot
 * goes.
 *
 * Rules that keep the search short, and do not change its answer:
 *
 * - An operation that leaves what it found can go at once, without an alternative.
 * - The word does not leave a value that a pending operation has to find and no write can restore.
 * - When a write goes, one whose value no operation finds goes before it, if there is one.
 * - An operation without a response goes only if it changes the word, and if the next
 *   one finds what it left: otherwise it might as well not have taken effect.
 * - Of operations without a response that do the same, the one invoked first goes
 *   first.
 *
 * Several operations without a response, each finding what the last one left (a
 * chain), can leave too many values to try them all.  So the search first runs rounds
 * that limit the length of chains: any order they find is valid.  Only the last round,
 * without a limit, can prove that there is no order.
 */
#ifndef TERN_LINEAR_SEARCH_H
#define TERN_LINEAR_SEARCH_H

#include "word.h"

struct linear_search_result {
    enum linear_answer answer;
    uint64_t configurations;
    uint64_t looks;
    size_t memo_bytes; /* at most at a time */
    /* Without YES: until so many responses had come, there was an order. */
    size_t reached;
    /* With YES: operations of the word in an order that explains all responses.  The
     * caller frees it. */
    uint32_t *order;
    uint32_t order_count;
};

/* Returns LINEAR_OK, or LINEAR_NO_MEMORY and no result.  The counts of the word's
 * values are used up: it is searched once. */
enum linear_status linear_search(struct linear_word *word, struct linear_limits limits,
                                 struct linear_search_result *result);

#endif
