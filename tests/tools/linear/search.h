/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Searches for an order of the operations on one word.
 *
 * Wing and Gong: the entries form a list. An operation can go next when its invocation is before
 * the first response in the list. The search takes it out of the list with its response, and puts
 * it back if the rest fails. Lowe: the search does not visit a configuration (the operations that
 * are out of the list, and the value of the word) twice.
 *
 * The first response in the list, and one bit for each operation pending then, determine the
 * entries that are out: operations that responded earlier are all out, those invoked later are all
 * in. An operation has the bit of its slot, which no other one has while it is pending; each
 * operation of the slot that goes inverts the bit.
 *
 * Rules that shorten the search without changing its answer:
 *
 * - An operation that does not change the word can go at once; no alternative is needed.
 * - The search does not overwrite a value that a pending operation needs and no write can restore.
 * - Before a write, a write whose value no operation finds goes first, if there is one.
 * - An operation without a response goes only if it changes the word, and if the next one finds
 *   its value: otherwise it may as well have had no effect.
 * - Of equal operations without a response, the one invoked first goes first.
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
    size_t memo_bytes; /* maximum memory of the set */
    /* Without YES: with so many responses there was an order. */
    size_t reached;
    /* With YES: operations of the word in an order that explains all responses.  The
     * caller frees it. */
    uint32_t *order;
    uint32_t order_count;
};

/*
 * Returns LINEAR_OK, or LINEAR_NO_MEMORY and no result. It consumes the counts of the word's
 * values, so each word can be searched once.
 */
enum linear_status linear_search(struct linear_word *word, struct linear_limits limits,
                                 struct linear_search_result *result);

#endif
