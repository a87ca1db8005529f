/* SPDX-License-Identifier: Apache-2.0 */
#include "cq.h"

#include "fnreg.h"
#include "slots.h"
#include "queue_hw.h"
#include "ring.h"

static uint16_t saturate(uint32_t free)
{
    return free > UINT16_MAX ? UINT16_MAX : (uint16_t)free;
}

bool fw_cq_refill(struct fw *fw, uint32_t number)
{
    struct fw_queue *cq = &fw->queue[number];
    uint32_t entries = 1u << cq->log2_entries;
    uint32_t used = cq->reserved + fw_ops_of_cq(fw, number);

    used += ring_used(queue_hw_head(number), queue_hw_doorbell(number), cq->log2_entries);
    cq->room = 0;
    if (!(cq->flags & (QUEUE_BROKEN | QUEUE_DYING)) && used < entries)
        cq->room = saturate(entries - used);
    return cq->room != 0;
}

bool fw_cq_may_promise(struct fw *fw, uint32_t number)
{
    const struct fw_queue *cq = &fw->queue[number];

    return fw_cq_ready(fw, number) && cq->reserved + 1u < 1u << cq->log2_entries;
}

bool fw_rq_refill(struct fw *fw, uint32_t number)
{
    struct fw_queue *rq = &fw->queue[number];
    uint32_t used = ring_used(rq->producer, queue_hw_doorbell(number), rq->log2_entries);

    rq->room = saturate((1u << rq->log2_entries) - used);
    return rq->room != 0;
}

void fw_cq_words(struct fw *fw, uint32_t number, uint32_t w[CQE_WORDS])
{
    fw_cq_words_here(fw, number, w);
}

void fw_cq_write(struct fw *fw, uint32_t number, const struct done *done)
{
    uint32_t w[CQE_WORDS];

    if (done->status != TERN_ST_OK)
        FW_COUNT(fw, errors);
    done_encode(w, done, 0, 0);
    fw_cq_words(fw, number, w);
}

void fw_cq_complete(struct fw *fw, uint32_t number, const struct done *done)
{
    fw->queue[number].reserved--;
    fw_cq_write(fw, number, done);
}

void fw_cq_tell(struct fw *fw, uint32_t number, const struct done *done)
{
    fw->queue[number].room--;
    fw_cq_write(fw, number, done);
}

void fw_fn_error(struct fw *fw, uint32_t fn, uint32_t queue, uint32_t status)
{
    uint32_t count = ++fw->fn[fn].errors;

    fnreg_write(fn, TERN_REG_FN_ERROR, status | (queue & 0xffff) << 8 | count << 24);
}

void fw_cq_failed(struct fw *fw, uint32_t number, uint32_t status)
{
    struct fw_queue *cq = &fw->queue[number];

    /* If the queue was deleted since, the error concerns no function. */
    if (cq->type != TERN_QTYPE_CQ || cq->flags & QUEUE_DYING)
        return;
    cq->flags |= QUEUE_BROKEN;
    cq->room = 0;
    fw_fn_error(fw, cq->fn, number, status);
}
