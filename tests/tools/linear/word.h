/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One word's part of a history, laid out for the search.
 *
 * An operation with a response did one thing to the word, whenever it took
 * effect: it found one value (or, a WRITE, any) and left one.  Values that occur so
 * are numbered.  The effect of an operation without a response depends on its time.  Those that
 * cannot have changed anything (READ) are left out.
 */
#ifndef TERN_LINEAR_WORD_H
#define TERN_LINEAR_WORD_H

#include "linear.h"

#define LINEAR_NONE UINT32_MAX

struct linear_word_op {
    size_t index;    /* in the history */
    bool known;      /* has a response */
    bool overwrites; /* leaves the same whatever it finds, and does not tell that */
    uint32_t found;  /* number of the value found, LINEAR_NONE where that is open */
    uint32_t left;   /* number of the value left, LINEAR_NONE where that is open */
    uint32_t invoked, responded; /* entries; 0 for no response */
    uint32_t slot;
    /* Operations that must take effect before this one, LINEAR_NONE: none.  after: one of
     * the same client; twin: an equal one that has no response either and goes first. */
    uint32_t after, twin;
};

/* What operations without a response may do to a value, beside what `made` counts.
 * ONCE: as long as no two of them take effect one right after the other. */
enum {
    LINEAR_OPEN = 1, /* leave it, in time for somebody who found it */
    LINEAR_OPEN_ONCE = 2,
    LINEAR_USEFUL = 4, /* find it, and leave what somebody may have found */
    LINEAR_USEFUL_ONCE = 8,
};

struct linear_word {
    const struct linear_history *history; /* not owned */
    uint64_t initial_value;
    uint32_t initial; /* its number */
    struct linear_word_op *ops; /* in the order of their invocation */
    uint32_t op_count;
    uint32_t known_count;   /* operations with a response */
    uint32_t changer_count; /* operations without one that look at what they find */
    uint32_t slots;         /* most operations pending at a time */
    /* Invocations and responses in the order of time, numbered from 1: whose they are. */
    uint32_t *entries;
    uint32_t entry_count;
    /* Each value that an operation is known to find or leave, ascending; and of each: */
    uint64_t *values;
    uint32_t value_count;
    uint32_t *wanted;     /* operations with a response that found it */
    uint32_t *made;       /* operations that leave it and need not have found it */
    unsigned char *flags; /* LINEAR_OPEN and so on */
};

/*
 * Lays out what happened to `word` until its `responses`-th response (SIZE_MAX: until
 * the end): later invocations are left out, later responses have not come.
 *
 * Every client has one operation at a time (linear_overlap).  The caller gives what
 * comes back to linear_word_free, even with LINEAR_NO_MEMORY.
 */
enum linear_status linear_word_lay_out(const struct linear_history *history,
                                       uint32_t word, size_t responses,
                                       struct linear_word *laid_out);
void linear_word_free(struct linear_word *laid_out);

static inline const struct linear_op *linear_word_told(const struct linear_word *word,
                                                       uint32_t op)
{
    return linear_at(word->history, word->ops[op].index);
}

/* The number of a value, LINEAR_NONE where it has none. */
uint32_t linear_word_value(const struct linear_word *word, uint64_t value);

#endif
