/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allowed contents of the memory of a yard's nodes when puts to many nodes fail on the way.
 *
 * Initially all memory has a pattern. A byte may differ from it if a host has put it there, if its
 * node had a completion for it, or if it belongs to a put that a node may have reserved room for:
 * then at one place of the node's arena, and only within the length of the put.
 */
#ifndef TERN_ROOMS_H
#define TERN_ROOMS_H

#include "yard.h"

enum {
    ROOMS_BYTES = 96 << 10,  /* of a node's memory */
    ROOMS_ARENA = 4 << 10,   /* offset of its arena */
    ROOMS_ARENA_MAX = 32 << 10,
    ROOMS_SOURCE = 48 << 10, /* offset of the bytes that it sends */
    ROOMS_PUT_MAX = 20000
};

/* The bytes of a put. */
struct rooms_put {
    uint32_t number, bytes;
    uint32_t reference;
    bool relayed; /* the request is stored in the same room */
};

void rooms_paint(struct yard *yard);

/* Returns byte `i` of a put. */
uint8_t rooms_byte(uint32_t number, uint32_t i);

/* Makes node `n` write the bytes of a put to its source memory, at one of two places. */
uint8_t *rooms_fill(struct yard *yard, unsigned n, const struct rooms_put *put);

/* Records a completion of node `n` with the bytes at `data`; false when they are not complete. */
bool rooms_told(struct yard *yard, unsigned n, const struct rooms_put *put, const uint8_t *data);

/* Counts the bytes at `data` that differ from the put's. */
unsigned rooms_changed(const struct rooms_put *put, const uint8_t *data);

/* Counts bytes at `n` that no put without a completion there can explain. */
unsigned rooms_wrong(const struct yard *yard, unsigned n, uint32_t arena,
                     const struct rooms_put *untold, unsigned count);

void rooms_free(void);

#endif
