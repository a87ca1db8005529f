/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocates contiguous pieces of a ring of bytes. Pure.
 *
 * `size` is the ring's size; `used` bytes from `tail` to `head` are allocated, and may wrap.
 * Offsets are below `size`. A piece that does not fit before the end of the ring begins at its
 * start; the skipped bytes count as part of it.
 */
#ifndef FW_PROTO_PIECES_H
#define FW_PROTO_PIECES_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

struct piece {
    uint32_t start; /* offset in the ring */
    uint32_t taken; /* bytes of the ring, including skipped ones */
};

/* Rounds a length up to the granularity of the ring. */
static inline uint32_t piece_rounded(uint32_t bytes)
{
    return (bytes + TERN_ARENA_ALIGN - 1) & ~(uint32_t)(TERN_ARENA_ALIGN - 1);
}

/* Finds the place of a piece of `bytes` (rounded, at most `size`); false: no room now. */
static inline bool piece_find(struct piece *piece, uint32_t size, uint32_t used, uint32_t head,
                              uint32_t bytes)
{
    uint32_t to_end = size - head, skipped = bytes > to_end ? to_end : 0;

    if (bytes + skipped > size - used)
        return false;
    piece->start = skipped != 0 ? 0 : head;
    piece->taken = bytes + skipped;
    return true;
}

/* Returns the offset after a piece; it wraps at the end of the ring. */
static inline uint32_t piece_end(uint32_t size, uint32_t start, uint32_t bytes)
{
    return start + bytes == size ? 0 : start + bytes;
}

/*
 * Returns the bytes from `tail` up to `end`, which is 1 to `size`; a whole ring if `end` is `tail`.
 */
static inline uint32_t piece_before(uint32_t size, uint32_t tail, uint32_t end)
{
    return end > tail ? end - tail : end + size - tail;
}

#endif
