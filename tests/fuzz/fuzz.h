/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzz target, and what makes inputs for it.
 *
 * A target is one function of bytes.  Its inputs are records of one size, each a step; records that
 * are too short, or too many, are dropped.
 * The same target is driven by engine.c, which is deterministic and needs
 * nothing but a C compiler, and by libFuzzer (libfuzzer.c).
 */
#ifndef TERN_FUZZ_FUZZ_H
#define TERN_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_random {
    uint64_t state;
};

uint32_t fuzz_random(struct fuzz_random *random);

/* Less than `end`. */
static inline uint32_t fuzz_below(struct fuzz_random *random, uint32_t end)
{
    return (uint32_t)((uint64_t)fuzz_random(random) * end >> 32);
}

struct fuzz_target {
    const char *name;
    size_t record; /* bytes of a step */
    size_t most;   /* steps of an input */
    /* Makes a step that gets far into what it is for. */
    void (*fresh)(struct fuzz_random *random, uint8_t *record);
};

/* Of the target that is linked in. */
extern const struct fuzz_target fuzz_target;
int fuzz_one(const uint8_t *data, size_t size);

/*
 * Makes another input of `size` bytes at `data`, in place; returns its size, `room` at most.
 * `other` is an input to take steps from.
 */
size_t fuzz_mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                   const uint8_t *other, size_t other_size);

/* Says what went wrong, keeps the input, ends the program. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
