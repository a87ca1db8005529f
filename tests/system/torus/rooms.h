/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The allowed contents of the memory of a yard's nodes when puts to many fail on their way.
 *
 * All memory has a pattern at first.  A byte may differ from it when a host has put it there, when
 * its node had a completion for it,
 * or when it belongs to a put that a node may have made room for: then at one place of the
 * node's arena, and only as far as the put has bytes.
 */
#ifndef TERN_ROOMS_H
#define TERN_ROOMS_H

#include "yard.h"

enum {
    ROOMS_BYTES = 96 << 10,  /* of a node's memory */
    ROOMS_ARENA = 4 << 10,   /* where its arena begins */
    ROOMS_ARENA_MAX = 32 << 10,
    ROOMS_SOURCE = 48 << 10, /* what it sends itself */
    ROOMS_PUT_MAX = 20000
};

/* A put, as far as its bytes go. */
struct rooms_put {
    uint32_t number, bytes;
    uint32_t reference;
    bool relayed; /* the request is stored where the bytes go */
};

void rooms_paint(struct yard *yard);

/* Byte `i` of a put. */
uint8_t rooms_byte(uint32_t number, uint32_t i);

/* The host of `n` writes the bytes of a put where it sends them from: one of two places. */
uint8_t *rooms_fill(struct yard *yard, unsigned n, const struct rooms_put *put);

/* Node `n` was told of them at `data`; false when they are not there, whole. */
bool rooms_told(struct yard *yard, unsigned n, const struct rooms_put *put, const uint8_t *data);

/* How many of the bytes at `data` are not the put's. */
unsigned rooms_changed(const struct rooms_put *put, const uint8_t *data);

/* Bytes at `n` that none of the puts that it was not told of can have left there. */
unsigned rooms_wrong(const struct yard *yard, unsigned n, uint32_t arena,
                     const struct rooms_put *untold, unsigned count);

void rooms_free(void);

#endif
