/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings of 2^log2 entries with free-running indices.  The firmware counts in 32 bits,
 * hardware in the low 24.
 */
#ifndef FW_PROTO_RING_H
#define FW_PROTO_RING_H

#include <stdint.h>

#define RING_INDEX_MASK 0xffffffu

/* Returns the entries between two indices; a consumer outside the ring counts as a full ring. */
static inline uint32_t ring_used(uint32_t producer, uint32_t consumer, unsigned log2)
{
    uint32_t used = (producer - consumer) & RING_INDEX_MASK;

    return used > (1u << log2) ? 1u << log2 : used;
}

/* Returns the byte offset of entry `index` in its ring. */
static inline uint32_t ring_offset(uint32_t index, unsigned log2, uint32_t entry_bytes)
{
    return (index & ((1u << log2) - 1)) * entry_bytes;
}

/* Returns the phase bit of entry `index`: 1 on the first lap. */
static inline uint32_t ring_phase(uint32_t index, unsigned log2)
{
    return ~(index >> log2) & 1;
}

/* Returns the index whose low half is `low`, at most 2^16 - 1 before `now`. */
static inline uint32_t ring_index_before(uint32_t now, uint16_t low)
{
    return now - (uint16_t)(now - low);
}

#endif
