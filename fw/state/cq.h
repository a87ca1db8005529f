/* SPDX-License-Identifier: Apache-2.0 */
/* Completion places and completions. */
#ifndef FW_STATE_CQ_H
#define FW_STATE_CQ_H

#include "done.h"
#include "fw.h"
#include "queue_hw.h"
#include "ring.h"

/* Counts the free places of a CQ or RQ anew; whether there is one. */
bool fw_cq_refill(struct fw *fw, uint32_t cq);
bool fw_rq_refill(struct fw *fw, uint32_t rq);

/* Whether a completion place can be taken. */
static inline bool fw_cq_ready(struct fw *fw, uint32_t cq)
{
    return fw->queue[cq].room != 0 || fw_cq_refill(fw, cq);
}

/*
 * A place for what others bring about, or never: a counter, an area, an arena.  They leave
 * one place of the queue to work that ends by itself, or its send queues stood still with
 * them.
 */
bool fw_cq_may_promise(struct fw *fw, uint32_t cq);

/*
 * A place for work in flight: taken with `reserve`, used with fw_cq_complete, or given
 * back.
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
 * Writes a completion into a place that was taken from `room`, then the interrupt.  The
 * caller has seen to FW_WRITES_PER_EVENT.
 */
void fw_cq_write(struct fw *fw, uint32_t cq, const struct done *done);

/* The same, laid out already but for the last word. Counts no error. */
void fw_cq_words(struct fw *fw, uint32_t cq, uint32_t w[CQE_WORDS]);

/* The same, for a path that has room for it: the words stay in registers. */
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

/* The same into a place that was reserved, or into a free one. */
void fw_cq_complete(struct fw *fw, uint32_t cq, const struct done *done);
void fw_cq_tell(struct fw *fw, uint32_t cq, const struct done *done);

/* FN_ERROR: an error that has no completion. */
void fw_fn_error(struct fw *fw, uint32_t fn, uint32_t queue, uint32_t status);

/* A completion could not be written. */
void fw_cq_failed(struct fw *fw, uint32_t cq, uint32_t status);

#endif
