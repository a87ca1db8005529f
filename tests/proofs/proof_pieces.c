/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rings of bytes (fw/proto/pieces.h), of any size and in any state. A piece lies in the ring,
 * overlaps no bytes in use, and the ring counts the bytes that it takes.
 */
#include "proof.h"

#include "pieces.h"

enum { SIZE_MAX_BYTES = 1 << 30 };

/* Returns the offset `n` bytes after `at`, with wrap-around. */
static uint32_t after(uint32_t size, uint32_t at, uint32_t n)
{
    return at + n >= size ? at + n - size : at + n;
}

static void a_piece_is_found(uint32_t size, uint32_t used, uint32_t tail, uint32_t bytes)
{
    uint32_t head = after(size, tail, used), witness = any_up_to(SIZE_MAX_BYTES);
    struct piece piece;

    if (!piece_find(&piece, size, used, head, bytes)) {
        PROVE(bytes > size - head || used + bytes > size, "a piece that fits at the head is found");
        return;
    }
    PROVE(piece.start <= size - bytes, "a piece lies in the ring");
    PROVE(piece.taken >= bytes && piece.taken <= size - used, "no more is taken than is free");
    if (witness < used)
        PROVE(after(size, tail, witness) - piece.start >= bytes, "no byte of it is in use");
    PROVE(piece_end(size, piece.start, bytes) == after(size, tail, used + piece.taken),
          "the ring goes on after it");
    if (piece.taken > bytes)
        REACHED("a piece at the start, after a skipped end");
    if (used + piece.taken == size && used != 0)
        REACHED("a full ring");
}

static void what_was_read_is_counted(uint32_t size, uint32_t used, uint32_t tail, uint32_t end)
{
    uint32_t read = piece_before(size, tail, end);

    PROVE(read >= 1 && read <= size, "something was read, and not more than the ring");
    PROVE(after(size, tail, read) == (end == size ? 0 : end), "up to there");
    if (end < tail && read <= used)
        REACHED("bytes round the end");
}

void proof(void)
{
    uint32_t size = any_up_to(SIZE_MAX_BYTES), used = any_up_to(SIZE_MAX_BYTES);
    uint32_t tail = any_up_to(SIZE_MAX_BYTES), bytes = piece_rounded(any_up_to(SIZE_MAX_BYTES));
    uint32_t end = any_up_to(SIZE_MAX_BYTES);

    ASSUME(size != 0 && size % TERN_ARENA_ALIGN == 0 && used <= size && tail < size);
    ASSUME(bytes != 0 && bytes <= size && end != 0 && end <= size);
    a_piece_is_found(size, used, tail, bytes);
    what_was_read_is_counted(size, used, tail, end);
}
