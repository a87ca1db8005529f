/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Random numbers for region tags: protect against accidents, not against an attacker who knows this
 * file. xorshift, 32 bits.
 */
#ifndef FW_PROTO_RANDOM_H
#define FW_PROTO_RANDOM_H

#include <stdint.h>

/* Mixes `noise` (a time, an address) into the state; the state never becomes 0. */
static inline void random_stir(uint32_t *state, uint32_t noise)
{
    *state = (*state ^ noise) * 0x9e3779b1u;
    if (*state == 0)
        *state = 1;
}

static inline uint32_t random_next(uint32_t *state)
{
    uint32_t x = *state;

    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    *state = x;
    return x;
}

#endif
