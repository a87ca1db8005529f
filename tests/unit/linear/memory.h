/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random histories of an atomic memory: each operation takes effect in one tick between its
 * invocation and its response. So they are linearizable, until a test changes them.
 */
#ifndef TERN_LINEAR_MEMORY_H
#define TERN_LINEAR_MEMORY_H

#include "linear.h"

/* Returns a number below `end`; the same for a seed on every machine. */
uint64_t memory_draw(uint64_t *random, uint64_t end);

struct memory_recipe {
    uint64_t seed;
    uint32_t clients, words;
    size_t ops;
    uint32_t weights[LINEAR_TAKE + 1]; /* how often each kind occurs */
    uint32_t lost_per_mille;      /* without a response; a third of them have no effect */
    uint64_t op_ticks, gap_ticks; /* maximum ticks of an operation, and between operations of a
                                   * client */
    uint64_t values; /* operands are below this; 0: any, so in practice all different */
    bool spread;     /* no two events in the same tick */
};

struct memory_run {
    uint32_t words;
    uint64_t *initial; /* initial value of each word */
    struct linear_op *ops; /* ordered by effect; those without effect last */
    size_t count;
};

/* Makes a run; the test fails when memory runs out. */
struct memory_run memory_run(const struct memory_recipe *recipe);
void memory_run_free(struct memory_run *run);

/* Returns its history, for linear_free(). */
struct linear_history *memory_history(const struct memory_run *run);

/*
 * Each spoils a run whose values are all different, after operation `from`, and returns the word;
 * false when it finds no place for that.
 *
 * Makes a read return a value that was replaced before the read was invoked, by an operation
 * invoked after the response of the one that wrote the value.
 */
bool memory_stale_read(struct memory_run *run, size_t from, uint32_t *word);

/*
 * Of two successive changes of a word, makes the second return what the first returned, which is
 * impossible.
 */
bool memory_lost_update(struct memory_run *run, size_t from, uint32_t *word);

#endif
