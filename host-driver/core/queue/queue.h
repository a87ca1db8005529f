/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: completion queues, send queues, reception FIFOs, and how operations are posted to them.  For the
 * folders of the core above this one.
 */
#ifndef TERN_QUEUE_H
#define TERN_QUEUE_H

#include "device.h"
#include "places.h"

struct tern_cq {
    struct tern_device *device;
    struct tern_cq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_cqring ring;
    struct tern_sq *sqs;
    struct tern_rq *rqs;
    struct tern_group *groups;
    struct tern_arena *arenas;
    struct tern_rendezvous *rendezvous;
    struct tern_getter *getters;
    struct tern_fifo *fifos;
    bool pairs_owe; /* something is to be done for pairs or inboxes */
    struct tern_pair *pairs;
    struct tern_inbox *inboxes;
    uint16_t number;
    uint32_t expected; /* completions that posted operations will still bring */
    int event_fd;
    int vector;
};

struct tern_sq {
    struct tern_cq *cq;
    struct tern_sq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_places places;
    struct tern_pair *pair; /* that it sends for, or NULL */
    uint32_t rung;
    uint16_t number;
    uint16_t counter; /* of what is posted now */
    struct tern_chain *chain; /* that is being made, or NULL */
    uint32_t chain_number, chain_failed; /* of the last one posted; of the last one whose failure was told */
};

struct tern_rq {
    struct tern_cq *cq;
    struct tern_rq *next;
    struct tern_shared memory;
    struct tern_region *region;
    uint16_t number;
    unsigned log2_entries, log2_bytes;
    uint32_t arrived, released, rung;
};

/* ---- queues: cq.c, sq.c, rq.c */
/* Makes a completion queue for the library itself, whose interrupts go where those of `cq` go. */
int tern_cq_create_beside(struct tern_cq *cq, unsigned log2_entries, struct tern_cq **out);
struct tern_queue_request {
    unsigned qtype, log2_entries, log2_bytes;
    uint16_t number, cq, vector;
    bool remote; /* remote gets, or messages to pairs, fill it */
};

/* Makes ring memory and the queue on the NIC; undoes all of it on failure. */
int tern_queue_create(struct tern_device *device, const struct tern_queue_request *request,
                      size_t ring_bytes, struct tern_shared *memory, struct tern_region **region,
                      uint16_t *number);
int tern_queue_delete(struct tern_device *device, uint16_t number, struct tern_shared *memory,
                      struct tern_region *region);
/* Frees the handle alone. */
void tern_sq_free(struct tern_sq *sq);

/* Makes a reception FIFO where only messages to pairs land. */
int tern_rq_create_paired(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, struct tern_rq **out);

/* ---- posting: post.c */
/* Fills in what depends on the ring (index, version) and posts; `flags` may hold TERN_MORE. */
int tern_post(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context);
/* The same for `group`, which is asked when it fails; 0 = none. */
int tern_post_for(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                  uint32_t group);
/* Rings for what was posted; AGAIN, or why that failed. */
int tern_post_refuse(struct tern_sq *sq);
/* Fills in the payload: in the descriptor, or at `from` in `region`. */
void tern_desc_set_inline(uint32_t *words, const void *from, uint32_t bytes);
void tern_desc_set_local(uint32_t *words, const struct tern_region *region, const void *from);
/* Fills in the place in somebody's memory. */
void tern_desc_set_remote(uint32_t *words, struct tern_rptr to);
/* A read of `bytes`: what, and where it goes; region not NULL. */
void tern_desc_set_read(uint32_t *words, struct tern_rptr from, const struct tern_region *region, const void *to,
                        uint32_t bytes);
/* An atomic operation at `at`; BAD_ARGUMENT, BAD_ALIGN. */
struct tern_masked;
int tern_desc_set_atomic(uint32_t *words, uint8_t opcode, struct tern_rptr at, const struct tern_masked *masked,
                         unsigned flags);
/*
 * Posts exactly `words`, wrong as they may be, counting on a completion.
 */
int tern_post_raw(struct tern_sq *sq, const uint32_t words[DESC_WORDS], uint64_t context);

/* ---- chains: chain.c */
/* A step more of the chain that is being made: CHAIN_TOO_LONG. */
int tern_chain_add(struct tern_sq *sq, const uint32_t words[DESC_WORDS], unsigned flags, uint64_t context);
/* A step of chain `number` (0: none) has ended so: whether nobody is to be told, as an earlier one has failed. */
bool tern_chain_swallows(struct tern_sq *sq, uint32_t number, enum tern_status status);

#endif
