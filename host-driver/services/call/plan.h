/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of a call: the list as one run of words, and the descriptors. */
#ifndef TERN_CALL_PLAN_H
#define TERN_CALL_PLAN_H

#include <tern/call.h>

enum {
    REQUEST_WORDS = 6, /* of a request in the run, before its segments */
    SEGMENT_WORDS = 3,
    FLAT_WORDS = TERN_CALL_OPS * (REQUEST_WORDS + SEGMENT_WORDS)
};

/* A call as a run of words that is compared and hashed: all of it but the ids. */
struct flat {
    unsigned words;
    unsigned requests;
    uint64_t at[FLAT_WORDS];
};

/* The descriptors of a request are those from `first` on. */
struct plan_request {
    uint8_t first, count, opcode, flags;
};

/* A call as descriptors. */
struct plan {
    unsigned ops, requests;
    struct plan_request request[TERN_CALL_OPS];
    struct tern_desc desc[TERN_CALL_OPS];
};

/*
 * Writes the list as words; BAD_LENGTH with *bad: too many requests or segments.  Follows no
 * pointer to a region.
 */
int call_flatten(const struct tern_wr *list, struct flat *flat, const struct tern_wr **bad);

/* Returns the fingerprint of the words. */
uint64_t call_fingerprint(const uint64_t *words, unsigned count);

/* Builds the descriptors; the regions of the list are known to be there.  As tern_call(). */
int call_build(const struct tern_wr *list, struct plan *plan, const struct tern_wr **bad);

/* Copies the bytes of inline requests into their descriptors anew. */
void call_refresh(const struct tern_wr *list, struct plan *plan);

/* Writes the context of each descriptor: the id of its request. */
void call_contexts(const struct tern_wr *list, const struct plan *plan, uint64_t *contexts);

#endif
