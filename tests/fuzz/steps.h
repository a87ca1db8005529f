/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the steps of several targets: fields that are right most of the time.
 *
 * A random key is never good, so nothing after the key check would be tried.  So a step has a byte
 * of bits, each of which leaves one field as the input has it; where the bit is 0 the field is made
 * good, or chosen among values that mean something.
 */
#ifndef TERN_FUZZ_STEPS_H
#define TERN_FUZZ_STEPS_H

#include <string.h>

#include "world.h"


/* A key that was given out, by a number that the input has. */
static inline uint32_t steps_key(const struct world_function *function, uint32_t number)
{
    return function->keys[number % WORLD_KEYS];
}

/* Where the region of such a key begins. */
static inline uint64_t steps_base(uint32_t number)
{
    static const uint32_t at[WORLD_KEYS] = {AT_DATA,    AT_SOURCE, AT_GONE,
                                            AT_COUNTED, AT_SQ,     AT_ADMIN};

    return WORLD_BASE + at[number % WORLD_KEYS];
}

/* An address near the region: 15 bits around its begin, of which small ones are the most. */
static inline uint64_t steps_address(uint32_t number, uint64_t address)
{
    uint32_t low = (uint32_t)address & 0x7fff;

    return steps_base(number) + ((uint32_t)address >> 16 & 3 ? low & 0x3f : low) -
           ((uint32_t)address >> 18 & 63 ? 0 : 16);
}

/* Chooses the key of a lookup: one that some node of the world has, or almost such a key. */
static inline void steps_wanted(uint32_t *w)
{
    TERN_SET(LKP, wanted, w, 0 - (TERN_GET(LKP, wanted, w) % (WORLD_LINKED + 2)));
    TERN_SET(LKP, ones, w, UINT64_MAX);
}

#endif
