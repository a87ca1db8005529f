/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories of an atomic memory that is made up: each operation takes effect in one
 * tick between its invocation and its response.  So they are linearizable, until a test changes
 * them.
 */
#ifndef TERN_LINEAR_MEMORY_H
#define TERN_LINEAR_MEMORY_H

#include "linear.h"

/* Less than `end`; the same for the same seed everywhere. */
uint64_t memory_draw(uint64_t *random, uint64_t end);

struct memory_recipe {
    uint64_t seed;
    uint32_t clients, words;
    size_t ops;
    uint32_t weights[LINEAR_TAKE + 1]; /* of the kinds */
    uint32_t lost_per_mille;      /* without a response; a third of them without effect */
    uint64_t op_ticks, gap_ticks; /* most that an operation takes, and a client waits */
    uint64_t values; /* operands are less; 0: any, and so in practice all different */
    bool spread;     /* no two things happen in the same tick */
};

struct memory_run {
    uint32_t words;
    uint64_t *initial; /* of each word */
    struct linear_op *ops; /* in the order of their effects, those without any last */
    size_t count;
};

/* Ends the test when memory runs out. */
struct memory_run memory_run(const struct memory_recipe *recipe);
void memory_run_free(struct memory_run *run);

/* The history of it, for linear_free. */
struct linear_history *memory_history(const struct memory_run *run);

/*
 * Both spoil a run whose values are all different, after operation `from`, and tell
 * the word; false when there is no place for it.
 *
 * A read returns a value that was replaced before the read was invoked, by an
 * operation that was itself invoked after the response of the one that left the value.
 */
bool memory_stale_read(struct memory_run *run, size_t from, uint32_t *word);

/* Of two operations that changed the word one after the other, the second returns what
 * the first did: they cannot both have found it. */
bool memory_lost_update(struct memory_run *run, size_t from, uint32_t *word);

#endif
