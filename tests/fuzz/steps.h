/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the steps of several targets: fields that are valid in most cases.
 *
 * A random key is never valid, so nothing after the key check would be tested. Therefore a step has
 * a byte of bits, one for each field: 1 keeps the field as the input has it; 0 makes it valid, or
 * plausible.
 */
#ifndef TERN_FUZZ_STEPS_H
#define TERN_FUZZ_STEPS_H

#include <string.h>

#include "world.h"


/* Returns an existing key, selected by a number of the input. */
static inline uint32_t steps_key(const struct world_function *function, uint32_t number)
{
    return function->keys[number % WORLD_KEYS];
}

/* Returns the start of that key's region. */
static inline uint64_t steps_base(uint32_t number)
{
    static const uint32_t at[WORLD_KEYS] = {AT_DATA,    AT_SOURCE, AT_GONE,
                                            AT_COUNTED, AT_SQ,     AT_ADMIN};

    return WORLD_BASE + at[number % WORLD_KEYS];
}

/* Returns an address near the region: an offset of 15 bits from its start, mostly small. */
static inline uint64_t steps_address(uint32_t number, uint64_t address)
{
    uint32_t low = (uint32_t)address & 0x7fff;

    return steps_base(number) + ((uint32_t)address >> 16 & 3 ? low & 0x3f : low) -
           ((uint32_t)address >> 18 & 63 ? 0 : 16);
}

/* Chooses the key of a lookup: one of a linked node of the world, or nearly one. */
static inline void steps_wanted(uint32_t *w)
{
    TERN_SET(LKP, wanted, w, 0 - (TERN_GET(LKP, wanted, w) % (WORLD_LINKED + 2)));
    TERN_SET(LKP, ones, w, UINT64_MAX);
}

#endif
