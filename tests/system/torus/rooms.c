/* SPDX-License-Identifier: Apache-2.0 */
#include "rooms.h"

#include <err.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = TERN_ARENA_ALIGN,
    ENTRY = 4, /* bytes that each member adds to a relayed request */
    REFERENCE_AT = 4 * TERN_RTS_reference_WORD - TERN_INLINE_OFFSET
};

static uint8_t *kept; /* expected contents, node after node */

static uint8_t *kept_of(unsigned n)
{
    return kept + (size_t)n * ROOMS_BYTES;
}

static uint8_t mixed(uint32_t a, uint32_t b)
{
    uint32_t x = a * 0x9e3779b1u + b * 0x85ebca6bu;

    x ^= x >> 15;
    x *= 0x2c1b3c6du;
    return (uint8_t)(x >> 24);
}

uint8_t rooms_byte(uint32_t number, uint32_t i)
{
    return mixed(number + 1, i);
}

void rooms_paint(struct yard *yard)
{
    kept = malloc((size_t)yard->nodes * ROOMS_BYTES);
    if (!kept)
        err(1, "rooms");
    for (unsigned n = 0; n < yard->nodes; n++) {
        for (uint32_t i = 0; i < ROOMS_BYTES; i++)
            kept_of(n)[i] = mixed(0x70000000u + n, i);
        memcpy(yard->end[n].buffer, kept_of(n), ROOMS_BYTES);
    }
}

void rooms_free(void)
{
    free(kept);
    kept = NULL;
}

uint8_t *rooms_fill(struct yard *yard, unsigned n, const struct rooms_put *put)
{
    uint32_t at = ROOMS_SOURCE + put->number % 2 * ((ROOMS_PUT_MAX + BLOCK) & ~(BLOCK - 1u));

    for (uint32_t i = 0; i < put->bytes; i++)
        yard->end[n].buffer[at + i] = kept_of(n)[at + i] = rooms_byte(put->number, i);
    return yard->end[n].buffer + at;
}

unsigned rooms_changed(const struct rooms_put *put, const uint8_t *data)
{
    unsigned changed = 0;

    for (uint32_t i = 0; i < put->bytes; i++)
        changed += data[i] != rooms_byte(put->number, i);
    return changed;
}

/* Returns the bytes of a relayed request with all that members add. */
static uint32_t request_bytes(const struct yard *yard)
{
    return TERN_RELAY_BYTES + ENTRY * yard->nodes;
}

/*
 * Returns the room of a put. If its request was longer than its bytes, the end of the request
 * remains after them, and may overwrite the beginning of an older put.
 */
static uint32_t taken(const struct yard *yard, const struct rooms_put *put)
{
    uint32_t request = request_bytes(yard) + BLOCK;

    return put->relayed && request > put->bytes ? request : put->bytes;
}

bool rooms_told(struct yard *yard, unsigned n, const struct rooms_put *put, const uint8_t *data)
{
    const uint8_t *first = yard->end[n].buffer + ROOMS_ARENA;

    if (data < first || data + put->bytes > first + ROOMS_ARENA_MAX || (data - first) % BLOCK != 0)
        return false;
    memcpy(kept_of(n) + (data - yard->end[n].buffer), data, taken(yard, put));
    return rooms_changed(put, data) == 0;
}

/* ---- bytes without a completion ---- */

/*
 * Counts bytes from the front, or from the end, of a block until one equals neither the expected
 * byte nor the put's byte at that offset.
 */
static unsigned alike(const uint8_t *block, const uint8_t *expected, const struct rooms_put *put,
                      uint32_t from, bool end)
{
    for (unsigned i = 0; i < BLOCK; i++) {
        unsigned at = end ? BLOCK - 1 - i : i;

        if (block[at] != expected[at] &&
            (from + at >= put->bytes || block[at] != rooms_byte(put->number, from + at)))
            return i;
    }
    return BLOCK;
}

/* Tells whether at most two puts, one after the other, explain the bytes of a block. */
static bool left_by_puts(const uint8_t *block, const uint8_t *expected,
                         const struct rooms_put *untold, unsigned count)
{
    unsigned front = 0, back = 0;

    for (unsigned p = 0; p < count; p++)
        for (uint32_t from = 0; from < untold[p].bytes; from += BLOCK) {
            unsigned f = alike(block, expected, &untold[p], from, false);
            unsigned b = alike(block, expected, &untold[p], from, true);

            front = f > front ? f : front;
            back = b > back ? b : back;
        }
    return front + back >= BLOCK;
}

static bool is_request(const uint8_t *block, const struct rooms_put *untold, unsigned count)
{
    uint32_t reference;

    memcpy(&reference, block + REFERENCE_AT, sizeof(reference));
    for (unsigned p = 0; p < count; p++)
        if (untold[p].relayed && untold[p].reference == reference)
            return true;
    return false;
}

static unsigned differing(const uint8_t *at, const uint8_t *expected, uint32_t bytes)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < bytes; i++)
        count += at[i] != expected[i];
    return count;
}

/*
 * Counts the bytes of a block that differ from the expected ones.  Skips its first `until` bytes,
 * which members change in a stored request.
 */
static unsigned wrong_in_block(const uint8_t *block, const uint8_t *expected, uint32_t until,
                               const struct rooms_put *untold, unsigned count)
{
    uint8_t looked_at[BLOCK];
    unsigned differ;

    memcpy(looked_at, block, BLOCK);
    memcpy(looked_at, expected, until);
    differ = differing(looked_at, expected, BLOCK);
    return differ != 0 && !left_by_puts(looked_at, expected, untold, count) ? differ : 0;
}

static unsigned wrong_in_arena(const struct yard *yard, unsigned n, uint32_t arena,
                               const struct rooms_put *untold, unsigned count)
{
    const uint8_t *at = yard->end[n].buffer + ROOMS_ARENA, *expected = kept_of(n) + ROOMS_ARENA;
    uint32_t request_end = 0;
    unsigned wrong = 0;

    for (uint32_t b = 0; b < arena; b += BLOCK) {
        uint32_t until = request_end > b ? request_end - b : 0;

        if (is_request(at + b, untold, count))
            request_end = b + request_bytes(yard);
        else
            wrong += wrong_in_block(at + b, expected + b, until < BLOCK ? until : BLOCK, untold,
                                    count);
    }
    return wrong;
}

unsigned rooms_wrong(const struct yard *yard, unsigned n, uint32_t arena,
                     const struct rooms_put *untold, unsigned count)
{
    const uint8_t *at = yard->end[n].buffer, *expected = kept_of(n);
    uint32_t behind = ROOMS_ARENA + arena;

    return differing(at, expected, ROOMS_ARENA) + wrong_in_arena(yard, n, arena, untold, count) +
           differing(at + behind, expected + behind, ROOMS_BYTES - behind);
}
