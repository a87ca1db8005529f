/* SPDX-License-Identifier: Apache-2.0
 *
 * A mix of the kinds of work that CoreMark uses for small processors: linked lists, matrices, a
 * state machine over text, CRC. The code is tern's own. It does not depend on the width of a
 * pointer, so the same source on the host gives the expected checksums.
 */
#ifndef TERN_BENCH_MIX_H
#define TERN_BENCH_MIX_H

#include <stdint.h>

/* Each returns a checksum of all its results; their sizes give them similar run times. */
uint32_t mix_list(uint32_t seed);
uint32_t mix_matrix(uint32_t seed);
uint32_t mix_text(uint32_t seed);
uint32_t mix_crc(uint32_t seed);

enum { CRC_BYTES = 1024, MIX_SEED = 24635 };

/*
 * The other program: fills a buffer by a linear congruential generator, and computes its bitwise
 * CRC-32, once with a branch and once with a mask.
 */
void crc_fill(uint8_t *buffer, uint32_t byte_len, uint32_t seed);
uint32_t crc_branch(const uint8_t *data, uint32_t byte_len);
uint32_t crc_mask(const uint8_t *data, uint32_t byte_len);

static inline uint32_t mix_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Adds a value to a checksum that depends on the order. */
static inline uint32_t mix_into(uint32_t sum, uint32_t value)
{
    return (sum << 5 | sum >> 27) ^ value;
}

#endif
