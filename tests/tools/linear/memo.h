/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The set of configurations that a search has visited.
 *
 * An element is a key of `stride` 64-bit words; key[1] is never 0.  The memory of the
 * table, with that of its successor while it grows, stays within `limit_bytes`.
 */
#ifndef TERN_LINEAR_MEMO_H
#define TERN_LINEAR_MEMO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct linear_memo {
    uint64_t *table; /* `room` keys; those with key[1] == 0 are free */
    size_t stride;
    size_t room; /* a power of two; initially 0 */
    size_t used;
    size_t limit_bytes;
    size_t peak_bytes;
};

enum linear_memo_result {
    LINEAR_MEMO_NEW,   /* added */
    LINEAR_MEMO_KNOWN, /* found */
    LINEAR_MEMO_FULL,  /* not found, and the limit or the memory leaves no room */
};

void linear_memo_init(struct linear_memo *memo, size_t stride, size_t limit_bytes);
void linear_memo_fini(struct linear_memo *memo);

enum linear_memo_result linear_memo_add(struct linear_memo *memo, const uint64_t *key);

#endif
