/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linearizability of a history of operations on 64-bit words of remote memory.
 *
 * A history is linearizable if there is a moment for every operation between its invocation and its
 * response, such that the operations on each word, executed in the order of these moments, return
 * their results. Words are independent, so the checker judges each separately (locality: Herlihy
 * and Wing, 1990). The search is that of Wing and Gong with the memoisation of Lowe ("Testing for
 * linearizability", 2017); see search.h.
 *
 * Times. Any clock that all clients share, in any unit. An operation precedes another if its
 * response is earlier than the other's invocation. In the same tick the two count as concurrent,
 * unless they are of one client: then the first precedes. So a coarse clock may hide violations,
 * but never invents one.
 *
 * Threads. Histories share nothing; use each by one thread at a time.
 */
#ifndef TERN_LINEAR_H
#define TERN_LINEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum linear_kind {
    LINEAR_READ,
    LINEAR_WRITE,
    LINEAR_CAS,
    LINEAR_MASKED_CAS,
    LINEAR_FAA,
    LINEAR_SWAP,
    LINEAR_TAKE,
};

/*
 * Instead of a response time: there was no response, or one that does not tell whether the
 * operation took effect. It may have, at any time after its invocation, or never.
 */
#define LINEAR_NO_RESPONSE UINT64_MAX

/*
 * An operation. Fields that its kind does not mention are ignored.
 *
 * READ        returns the word
 * WRITE       the word becomes `operand`; returns nothing
 * CAS         where the word is `compare` it becomes `operand`; returns the word before
 * MASKED_CAS  where the word agrees with `compare` in the bits of `compare_mask`, its
 *             bits of `swap_mask` become those of `operand`; returns the word before
 * FAA         `operand` is added, modulo 2^64; returns the word before
 * SWAP        the word becomes `operand`; returns the word before
 * TAKE        `operand` is added to the word, modulo 2^64, and the bits of `swap_mask` are set that
 *             are set in the sum;
 *             returns the word before
 */
struct linear_op {
    enum linear_kind kind;
    uint32_t client; /* a client has one operation at a time */
    uint32_t word;
    uint64_t invoked;
    uint64_t responded; /* at least `invoked`, or LINEAR_NO_RESPONSE */
    uint64_t operand;
    uint64_t compare;
    uint64_t compare_mask;
    uint64_t swap_mask;
    uint64_t result; /* its result, if there is a response */
};

enum linear_status {
    LINEAR_OK,
    LINEAR_BAD_KIND,  /* no such operation */
    LINEAR_BAD_WORD,  /* a word that the history does not have */
    LINEAR_BAD_TIMES, /* a response before the invocation */
    LINEAR_OVERLAP,   /* a client with two operations at a time */
    LINEAR_TOO_MANY,  /* more than LINEAR_OPS_MAX operations */
    LINEAR_NO_MEMORY,
};

#define LINEAR_OPS_MAX ((size_t)1 << 30)

/* Returns a short text; static. */
const char *linear_status_text(enum linear_status status);

struct linear_history;

/*
 * Returns a history of the words 0 to words - 1, each initially 0, without operations. NULL when
 * memory runs out. The caller frees it by linear_free.
 */
struct linear_history *linear_new(uint32_t words);
void linear_free(struct linear_history *history); /* NULL is fine */

/* Sets the initial value of a word. */
enum linear_status linear_set_initial(struct linear_history *history, uint32_t word,
                                      uint64_t value);
uint64_t linear_initial(const struct linear_history *history, uint32_t word);

/*
 * From now on a word may become 0 by itself at any time, as the value of a key does that a cache
 * evicts; it never becomes anything else by itself. So an operation that found 0 does not tell what
 * there was before: linear_add() makes it a write of what it left.
 */
void linear_set_vanishing(struct linear_history *history);

/*
 * Adds a copy of an operation. Operations may come in any order; the first has index 0. With any
 * status except LINEAR_OK the history is unchanged.
 */
enum linear_status linear_add(struct linear_history *history, const struct linear_op *op);

uint32_t linear_words(const struct linear_history *history);
size_t linear_count(const struct linear_history *history);

/* Returns an operation; valid until the next linear_add. */
const struct linear_op *linear_at(const struct linear_history *history, size_t index);

/*
 * Checks that each client had one operation at a time: LINEAR_OK; or LINEAR_OVERLAP, and the
 * indices of two that overlap, the one invoked first before the other. An operation without a
 * response does not overlap later ones of its client.
 */
enum linear_status linear_overlap(const struct linear_history *history, size_t pair[2]);

/*
 * Limits of the search for one word; beyond them the answer is LINEAR_GAVE_UP.
 *
 * `memo_bytes` limits the memory of the search's set of configurations, the only part whose size is
 * not bounded by a number of bytes per operation (160 in the history, some 300 more while its word
 * is searched). An element takes 24 bytes with up to 64 operations pending at a time, and 8 more
 * for each further 64. `looks` limits the time: 10^8 take 3 to 10 s. Both are counts, so results
 * are reproducible.
 */
struct linear_limits {
    size_t memo_bytes; /* at least LINEAR_MEMO_BYTES_MIN */
    uint64_t looks;
};

#define LINEAR_MEMO_BYTES_MIN ((size_t)1 << 16)

/* The defaults. */
#define LINEAR_MEMO_BYTES ((size_t)256 << 20)
#define LINEAR_LOOKS      ((uint64_t)100000000)

void linear_set_limits(struct linear_history *history, struct linear_limits limits);
struct linear_limits linear_limits(const struct linear_history *history);

enum linear_answer {
    LINEAR_YES,     /* linearizable */
    LINEAR_NO,      /* not linearizable, whatever the limits */
    LINEAR_GAVE_UP, /* unknown: a limit was reached */
};

struct linear_verdict {
    enum linear_answer answer;
    /* NO: the lowest that is not linearizable; GAVE_UP: the lowest that is undecided */
    uint32_t word;
    /* NO, GAVE_UP: with so many responses of the word there was an order */
    size_t explained;
    /* The cost: sums over the words, and the largest memory of the memo for one word. */
    uint64_t configurations;
    uint64_t looks;
    size_t memo_bytes;
};

/*
 * Judges the history, which does not change and may grow afterwards.
 *
 * Returns LINEAR_OK and fills in the verdict; or LINEAR_OVERLAP or LINEAR_NO_MEMORY. NO takes
 * precedence: if one word is not linearizable, undecided words do not matter.
 */
enum linear_status linear_check(const struct linear_history *history,
                                struct linear_verdict *verdict);

/*
 * Writes why the word of a LINEAR_NO verdict is not linearizable: the first response that no order
 * explains, the end of an order of everything before it, and the pending operations. Operations are
 * in the format of text.h.
 *
 * Checks beginnings of that word's history, each within the limits; if one of these is undecided,
 * the text mentions it and names more than one response. Returns LINEAR_OK or LINEAR_NO_MEMORY.
 */
enum linear_status linear_explain(const struct linear_history *history,
                                  const struct linear_verdict *verdict, FILE *file);

#endif
