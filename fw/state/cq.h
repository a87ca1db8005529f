/* SPDX-License-Identifier: Apache-2.0 */
/* Completion entries and completions. */
#ifndef FW_STATE_CQ_H
#define FW_STATE_CQ_H

#include "done.h"
#include "fw.h"
#include "queue_hw.h"
#include "ring.h"

/* Recount the free entries of a CQ or RQ; return whether there is one. */
bool fw_cq_refill(struct fw *fw, uint32_t cq);
bool fw_rq_refill(struct fw *fw, uint32_t rq);

/* Tells whether a completion entry can be taken. */
static inline bool fw_cq_ready(struct fw *fw, uint32_t cq)
{
    return fw->queue[cq].room != 0 || fw_cq_refill(fw, cq);
}

/*
 * Tells whether an entry may be reserved for an event that others cause, or that never comes: a
 * counter, an area, an arena. These leave one entry of the queue to operations that end by
 * themselves; otherwise its send queues could block for ever.
 */
bool fw_cq_may_promise(struct fw *fw, uint32_t cq);

/*
 * An entry for work in flight: taken with fw_cq_reserve, then used with fw_cq_complete, or
 * returned.
 */
static inline void fw_cq_reserve(struct fw_queue *cq)
{
    cq->room--;
    cq->reserved++;
}

static inline void fw_cq_return(struct fw_queue *cq)
{
    cq->reserved--;
    cq->room++;
}

/*
 * Writes a completion into an entry already taken from `room`, then the interrupt. Call with room
 * for FW_WRITES_PER_EVENT.
 */
void fw_cq_write(struct fw *fw, uint32_t cq, const struct done *done);

/* The same for a completion prepared except for its last word. Counts no error. */
void fw_cq_words(struct fw *fw, uint32_t cq, uint32_t w[CQE_WORDS]);

/* The same, inlined for paths that have code memory for it: the words stay in registers. */
static inline __attribute__((always_inline)) void fw_cq_words_here(struct fw *fw, uint32_t number,
                                                                   uint32_t w[CQE_WORDS])
{
    struct fw_queue *cq = &fw->queue[number];
    uint32_t entry, key;
    uint64_t base;

    FW_COUNT(fw, completions);
    if (cq->type != TERN_QTYPE_CQ || cq->flags & (QUEUE_DYING | QUEUE_BROKEN))
        return;
    entry = queue_hw_take(number, &base, &key);
    w[CQE_WORDS - 1] = done_last_word(entry, cq->log2_entries);
    hwr_line(&fw->hwr, base + ring_offset(entry, cq->log2_entries, TERN_CQE_BYTES), key, cq->fn, w,
             TERN_HWTAG_CQ + number);
    if (cq->vector != TERN_VECTOR_NONE)
        hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
}

/* Like fw_cq_write; fw_cq_complete uses an entry reserved before, fw_cq_tell takes a free one. */
void fw_cq_complete(struct fw *fw, uint32_t cq, const struct done *done);
void fw_cq_tell(struct fw *fw, uint32_t cq, const struct done *done);

/* Reports an error that has no completion in FN_ERROR. */
void fw_fn_error(struct fw *fw, uint32_t fn, uint32_t queue, uint32_t status);

/* Handles a completion whose write failed. */
void fw_cq_failed(struct fw *fw, uint32_t cq, uint32_t status);

#endif
