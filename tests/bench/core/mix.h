/* SPDX-License-Identifier: Apache-2.0
 *
 * A mixture of the work that CoreMark chose for small processors: linked lists, matrices, a
 * state machine over text, CRC.  The code is tern's own.  Nothing depends on the width of a
 * pointer, so the same source compiled for the host tells the checksums.
 */
#ifndef TERN_BENCH_MIX_H
#define TERN_BENCH_MIX_H

#include <stdint.h>

/* Each returns a checksum of all that it computed; the sizes make them take about as long. */
uint32_t mix_list(uint32_t seed);
uint32_t mix_matrix(uint32_t seed);
uint32_t mix_text(uint32_t seed);
uint32_t mix_crc(uint32_t seed);

enum { CRC_BYTES = 1024, MIX_SEED = 24635 };

/* The other program: a buffer filled by a linear congruential generator, and its bitwise
 * CRC-32, written with a branch and with a mask. */
void crc_fill(uint8_t *buffer, uint32_t byte_len, uint32_t seed);
uint32_t crc_branch(const uint8_t *data, uint32_t byte_len);
uint32_t crc_mask(const uint8_t *data, uint32_t byte_len);

static inline uint32_t mix_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* Takes a value into a checksum; the order counts. */
static inline uint32_t mix_into(uint32_t sum, uint32_t value)
{
    return (sum << 5 | sum >> 27) ^ value;
}

#endif
