/* SPDX-License-Identifier: Apache-2.0 */
#include "cq.h"

#include "fnreg.h"
#include "op.h"
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
    uint32_t used = cq->reserved + fw_ops_silent(fw, number);

    used += ring_used(cq->producer, queue_hw_doorbell(number), cq->log2_entries);
    cq->room = 0;
    if (!(cq->flags & (QUEUE_BROKEN | QUEUE_DYING)) && used < entries)
        cq->room = saturate(entries - used);
    return cq->room != 0;
}

bool fw_rq_refill(struct fw *fw, uint32_t number)
{
    struct fw_queue *rq = &fw->queue[number];
    uint32_t used = ring_used(rq->producer, queue_hw_doorbell(number), rq->log2_entries);

    rq->room = saturate((1u << rq->log2_entries) - used);
    return rq->room != 0;
}

/*
 * The tag leads back from a failed write to its queue; writes under way are far fewer
 * than tags.
 */
static uint32_t new_tag(struct fw *fw, uint32_t cq)
{
    uint32_t place = fw->cq_tag++ % FW_CQ_TAGS;

    fw->cq_tags[place] = (uint16_t)cq;
    return TAG_CQ + place;
}

void fw_cq_write(struct fw *fw, uint32_t number, const struct done *done)
{
    struct fw_queue *cq = &fw->queue[number];
    uint32_t entry = cq->producer++;
    struct hwr_place to = {.fn = cq->fn};
    uint32_t w[CQE_WORDS];

    FW_COUNT(fw, completions);
    if (done->status != TERN_ST_OK)
        FW_COUNT(fw, errors);
    if (cq->type != TERN_QTYPE_CQ || cq->flags & (QUEUE_DYING | QUEUE_BROKEN))
        return;
    to.addr =
        queue_hw_base(number) + ring_offset(entry, cq->log2_entries, TERN_CQE_BYTES);
    to.key = rd32(TERN_MMIO_Q_KEY);
    done_encode(w, done, entry, cq->log2_entries);
    hwr_data(&fw->hwr, &to, w, TERN_CQE_BYTES, new_tag(fw, number), false);
    if (cq->vector != TERN_VECTOR_NONE)
        hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
}

/*
 * What completions of puts that went well have in common goes to the registers; false if
 * the queue takes none or its ring lies across a border of 4 GiB.
 */
__attribute__((noinline)) static bool keep(struct fw *fw, uint32_t number)
{
    struct fw_queue *cq = &fw->queue[number];
    struct done done = {.opcode = TERN_OP_PUT};
    struct hwr_place to = {.addr = queue_hw_base(number), .fn = cq->fn};
    uint32_t w[CQE_WORDS];

    fw->kept_base = (uint32_t)to.addr;
    if (fw->kept_base > UINT32_MAX - ((uint32_t)TERN_CQE_BYTES << cq->log2_entries))
        return false;
    to.key = rd32(TERN_MMIO_Q_KEY);
    done_encode(w, &done, 0, 0);
    hwr_keep(&fw->hwr, number + 1, &to, w);
    return true;
}

static inline void word(unsigned i, uint32_t value)
{
    wr32(TERN_MMIO_HW_DATA + i * TERN_MMIO_HW_DATA_STRIDE, value);
}

bool fw_cq_put_done(struct fw *fw, const struct fw_op *op)
{
    uint32_t number = fw->queue[op->queue].cq, entry;
    struct fw_queue *cq = &fw->queue[number];

    if (cq->type != TERN_QTYPE_CQ || cq->flags != 0)
        return false;
    if (fw->hwr.kept != number + 1 && !keep(fw, number))
        return false;
    entry = cq->producer++;
    cq->reserved--;
    FW_COUNT(fw, completions);
    wr32(TERN_MMIO_HW_ADDR_LO,
         fw->kept_base + ring_offset(entry, cq->log2_entries, TERN_CQE_BYTES));
    word(1, TERN_V(CQE, index, op->index) | TERN_V(CQE, queue, op->queue));
    word(2, op->length);
    word(6, TERN_V(CQE, node, op->node));
    word(7, TERN_V(CQE, lap, entry) |
                TERN_V(CQE, phase, ring_phase(entry, cq->log2_entries)));
    hwr_again(&fw->hwr, TERN_CQE_BYTES, new_tag(fw, number));
    if (cq->vector != TERN_VECTOR_NONE)
        hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
    return true;
}

void fw_fn_error(struct fw *fw, uint32_t fn, uint32_t queue, uint32_t status)
{
    uint32_t count = ++fw->fn[fn].errors;

    fnreg_write(fn, TERN_REG_FN_ERROR, status | (queue & 0xffff) << 8 | count << 24);
}

void fw_cq_failed(struct fw *fw, uint32_t tag, uint32_t status)
{
    uint32_t number = fw->cq_tags[(tag - TAG_CQ) % FW_CQ_TAGS];
    struct fw_queue *cq = &fw->queue[number];

    /* The queue may have gone since; then nobody is left to tell. */
    if (cq->type != TERN_QTYPE_CQ || cq->flags & QUEUE_DYING)
        return;
    cq->flags |= QUEUE_BROKEN;
    cq->room = 0;
    fw_fn_error(fw, cq->fn, number, status);
}
