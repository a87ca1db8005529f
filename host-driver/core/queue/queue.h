/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queues: completion queues, send queues, reception FIFOs, and posting to them. For the folders of
 * the core above this one.
 */
#ifndef TERN_QUEUE_H
#define TERN_QUEUE_H

#include <tern/prepared.h>
#include <tern/work.h>

#include "device.h"
#include "places.h"

/*
 * The object that a number in a completion names: a queue, a pair or an arena. tern_device has
 * tables of them.
 */
struct tern_end {
    struct tern_cq *cq; /* where it reports */
    /* Fills in a completion that names this end; returns whether the application gets it. */
    bool (*told)(struct tern_end *end, struct tern_completion *out);
};

/* A ring of completions that the library took while a call waited for another one. */
struct tern_kept {
    struct tern_kept_one {
        struct tern_completion completion;
        const struct tern_steps *of; /* the operation that ended with it, or NULL */
    } *at;
    uint32_t entries, first, count;
};

struct tern_cq {
    struct tern_device *device;
    struct tern_cq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_cqring ring;
    struct tern_sq *sqs;
    struct tern_rq *rqs;
    struct tern_work *works;
    unsigned awake; /* of these works */
    bool reset;     /* the NIC has taken it down; any thread may set it */
    struct tern_kept kept;
    /* the operation that ended with the last taken completion, or NULL */
    const struct tern_steps *ended;
    uint16_t number;
    uint32_t expected; /* completions that posted operations will still bring */
    int event_fd;
    int vector;
};

/* A chain that is being posted: the NIC does not know its steps yet. */
struct tern_chain {
    unsigned steps; /* 0: none */
    unsigned quiet; /* quiet steps */
    uint32_t first; /* count of the first place */
    uint32_t quiet_run; /* value before the chain */
    struct tern_work *work;
};

struct tern_sq {
    struct tern_end end;
    struct tern_cq *cq;
    struct tern_sq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_places places;
    struct tern_work *work; /* owner of posts, or NULL */
    struct tern_work stray;
    int stray_status;
    uint32_t rung;
    uint16_t number;
    uint16_t counter; /* for operations posted from now on */
    struct tern_watch *watches;
    bool owned;       /* the library's own: the application gets only completions that a work passes
                       * on */
    struct tern_chain chain;
    /* of the last chain begun; of the last chain with a reported failure */
    uint32_t chain_number, chain_failed;
};

struct tern_rq {
    struct tern_end end;
    struct tern_cq *cq;
    struct tern_rq *next;
    struct tern_shared memory;
    struct tern_region *region;
    struct tern_work *work; /* takes the messages, or NULL */
    uint16_t number;
    unsigned log2_entries, log2_bytes;
    uint32_t arrived, released, rung;
};

/* ---- numbers: ring.c */
/* Makes `end` the object that queue number `number` names from now on; NULL: none. */
void tern_end_set(struct tern_device *device, uint16_t number, struct tern_end *end);

/* ---- queues: cq.c, sq.c, rq.c */
/* Makes a completion queue for the library itself, with the interrupt of `cq`. */
int tern_cq_create_beside(struct tern_cq *cq, unsigned log2_entries, struct tern_cq **out);
struct tern_queue_request {
    unsigned qtype, log2_entries, log2_bytes;
    uint16_t number, cq, vector;
    bool remote; /* other nodes fill it, by remote gets or messages to pairs */
};

/* Makes ring memory and the queue on the NIC; undoes all of it on failure. */
int tern_queue_create(struct tern_device *device, const struct tern_queue_request *request,
                      size_t ring_bytes, struct tern_shared *memory, struct tern_region **region,
                      uint16_t *number);
int tern_queue_delete(struct tern_device *device, uint16_t number, struct tern_shared *memory,
                      struct tern_region *region);
/* Frees only the handle. */
void tern_sq_free(struct tern_sq *sq);

/* Makes a reception FIFO for messages to pairs alone. */
int tern_rq_create_paired(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes,
                          struct tern_rq **out);

/* ---- posting: post.c */
/* Fills in what depends on the ring (index, version) and posts; `flags` may hold TERN_MORE. */
int tern_post(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context);
/* For tern_post_for(): the operation completes in any case, for its work alone. */
#define POST_SILENT 0x10000u
/* Posts an operation for `work`; NULL: for the application. */
int tern_post_for(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned flags, uint64_t context,
                  struct tern_work *work);
/* Rings for the posted operations; returns AGAIN, or why that failed. */
int tern_post_refuse(struct tern_sq *sq);
/* Fills in the payload: in the descriptor, or at `from` in `region`. */
void tern_desc_set_inline(uint32_t *words, const void *from, uint32_t bytes);
static inline void tern_desc_set_local(uint32_t *words, const struct tern_region *region,
                                       const void *from)
{
    TERN_SET(DESC, local_addr, words, (uintptr_t)from);
    TERN_SET(DESC, local_key, words, region->key);
}

/* Fills in the remote address. */
static inline void tern_desc_set_remote(uint32_t *words, struct tern_rptr to)
{
    TERN_SET(DESC, dst_node, words, TERN_GET(RPTR, node, to.w));
    TERN_SET(DESC, incarnation, words, TERN_GET(RPTR, incarnation, to.w));
    TERN_SET(DESC, remote_addr, words, TERN_GET(RPTR, addr, to.w));
    TERN_SET(DESC, remote_key, words, TERN_GET(RPTR, key, to.w));
}

/* Fills in a put, all but its payload; a message (`region` NULL: the bytes are copied). */
void tern_desc_set_put(uint32_t *words, struct tern_rptr to, uint32_t bytes);
void tern_desc_set_send(uint32_t *words, struct tern_target to, const struct tern_region *region,
                        const void *from, uint32_t bytes);
/* Fills in a read of `bytes`: source and local destination; region not NULL. */
void tern_desc_set_read(uint32_t *words, struct tern_rptr from,
                        const struct tern_region *region, const void *to,
                        uint32_t bytes);
/* Makes the descriptor of an atomic operation at `at`; BAD_ARGUMENT, BAD_ALIGN. */
struct tern_masked;
int tern_desc_set_atomic(uint32_t *words, uint8_t opcode, struct tern_rptr at,
                         const struct tern_masked *masked,
                         unsigned flags);
/*
 * Posts `words` unchanged and unchecked, for tests of bad input; expects one completion.
 */
int tern_post_raw(struct tern_sq *sq, const uint32_t words[DESC_WORDS], uint64_t context);

/* ---- chains: chain.c */
/*
 * Makes a step of a chain, posted for `work`, of `words` and `flags`. CHAIN_TOO_LONG, AGAIN.
 */
int tern_chain_step(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned *flags,
                    struct tern_work *work);
/*
 * Tells whether to drop the completion of a step of chain `number` (0: none) that ended with
 * `status`, because an earlier step of the chain has failed.
 */
bool tern_chain_swallows(struct tern_sq *sq, uint32_t number, enum tern_status status);

/* ---- completions: completion.c */
/* Fills in a completion of the send queue; for tern_sq.end. */
bool tern_sq_told(struct tern_end *end, struct tern_completion *out);
bool tern_rq_told(struct tern_end *end, struct tern_completion *out);
/*
 * Ends queue `number`, which the NIC has deleted: it has no object any more, and the completions
 * that name it and are still in the ring do not count for a new queue of that number.
 */
void tern_cq_forget(struct tern_cq *cq, uint16_t number);
/* Takes one completion, ignoring kept ones. 1, 0, or the status after which there will be none. */
int tern_cq_take(struct tern_cq *cq, struct tern_completion *out);
/* Sleeps as tern_cq_wait(), for tern_cq_take(). */
int tern_cq_sleep(struct tern_cq *cq, int timeout_ms);
/* Copies a completion to one of `size` bytes: its first fields, then zeros. */
void tern_completion_copy(void *out, const struct tern_completion *completion, size_t size);
/* Keeps a completion for the next poll, and signals the event of `cq`. */
int tern_kept_add(struct tern_cq *cq, const struct tern_completion *completion);
/* Drops the kept completion with which `steps` ended, if there is one. */
void tern_kept_drop(struct tern_cq *cq, const struct tern_steps *steps);
/* Prepares `steps` for another use: its kept completions go to the application. */
void tern_kept_disown(struct tern_cq *cq, const struct tern_steps *steps);
void tern_kept_tell(struct tern_cq *cq);

/* ---- works: work.c */
/*
 * Removes a work as tern_work_remove(), but gives its operations in flight to `heir` (NULL: the
 * application).
 */
void tern_work_leave(struct tern_work *work, struct tern_work *heir);
/* Frees the works of a queue whose device is closed. */
void tern_works_free(struct tern_cq *cq);

#endif
