/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One word's part of a history, laid out for the search.
 *
 * An operation with a response had one effect on the word, at whatever time: it found one value (a
 * WRITE: any) and left one. These values are numbered. The effect of an operation without a
 * response depends on its time. Operations that cannot have changed anything (READ without a
 * response) are left out.
 */
#ifndef TERN_LINEAR_WORD_H
#define TERN_LINEAR_WORD_H

#include "linear.h"

#define LINEAR_NONE UINT32_MAX

struct linear_word_op {
    size_t index;    /* in the history */
    bool known;      /* has a response */
    bool overwrites; /* leaves the same value whatever it finds, and does not return the old one */
    uint32_t found;  /* number of the value found; LINEAR_NONE: unknown */
    uint32_t left;   /* number of the value left; LINEAR_NONE: unknown */
    uint32_t invoked, responded; /* entries; 0 for no response */
    uint32_t slot;
    /*
     * Operations that must take effect before this one; LINEAR_NONE: none. after: one of the same
     * client; twin: an equal one without a response, which goes first.
     */
    uint32_t after, twin;
};

/*
 * Possible effects of operations without a response on a value, in addition to `made`. ONCE: unless
 * two of them take effect in direct succession.
 */
enum {
    LINEAR_OPEN = 1, /* leave it, early enough for an operation that found it */
    LINEAR_OPEN_ONCE = 2,
    LINEAR_USEFUL = 4, /* find it, and leave a value that some operation may have found */
    LINEAR_USEFUL_ONCE = 8,
};

struct linear_word {
    const struct linear_history *history; /* not owned */
    uint64_t initial_value;
    uint32_t initial; /* number of that value */
    struct linear_word_op *ops; /* by invocation */
    uint32_t op_count;
    uint32_t known_count;   /* operations with a response */
    uint32_t changer_count; /* operations without one whose effect depends on the old value */
    uint32_t slots;         /* maximum number of operations pending at a time */
    /* Invocations and responses by time, numbered from 1: the operation of each. */
    uint32_t *entries;
    uint32_t entry_count;
    /* All values that operations are known to find or leave, ascending; and for each: */
    uint64_t *values;
    uint32_t value_count;
    uint32_t *wanted;     /* number of operations with a response that found it */
    uint32_t *made;       /* number of operations that leave it without needing to find it */
    unsigned char *flags; /* LINEAR_OPEN and so on */
};

/*
 * Lays out the history of `word` up to its `responses`-th response (SIZE_MAX: to the end): it omits
 * later invocations and later responses.
 *
 * Every client must have one operation at a time (linear_overlap). The caller frees the result by
 * linear_word_free, even after LINEAR_NO_MEMORY.
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

/* Returns the number of a value; LINEAR_NONE: it has none. */
uint32_t linear_word_value(const struct linear_word *word, uint64_t value);

#endif
