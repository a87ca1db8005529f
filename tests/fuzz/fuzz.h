/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fuzz target, and the mutation of its inputs.
 *
 * A target is one function of bytes. Its inputs are records of one size, one per step; incomplete
 * and surplus records are dropped. Two engines run the same target: engine.c, which is
 * deterministic and needs nothing but a C compiler, and libFuzzer (libfuzzer.c).
 */
#ifndef TERN_FUZZ_FUZZ_H
#define TERN_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct fuzz_random {
    uint64_t state;
};

uint32_t fuzz_random(struct fuzz_random *random);

/* Returns a number below `end`. */
static inline uint32_t fuzz_below(struct fuzz_random *random, uint32_t end)
{
    return (uint32_t)((uint64_t)fuzz_random(random) * end >> 32);
}

struct fuzz_target {
    const char *name;
    size_t record; /* bytes per step */
    size_t most;   /* maximum steps of an input */
    /* Makes a step that passes the first checks of the code under test. */
    void (*fresh)(struct fuzz_random *random, uint8_t *record);
};

/* The target of this program. */
extern const struct fuzz_target fuzz_target;
int fuzz_one(const uint8_t *data, size_t size);

/*
 * Mutates an input of `size` bytes at `data` in place; returns its new size, at most `room`. It may
 * copy steps from `other`.
 */
size_t fuzz_mutate(struct fuzz_random *random, uint8_t *data, size_t size, size_t room,
                   const uint8_t *other, size_t other_size);

/* Prints the error, stores the input, ends the program. */
_Noreturn void fuzz_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
