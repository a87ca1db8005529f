/* SPDX-License-Identifier: Apache-2.0 */
#include "queue.h"

#include "cq.h"
#include "slots.h"
#include "queue_hw.h"
#include "ring.h"
#include "sample.h"
#include "clock.h"

/* Stalled queues checked in one tick; the others follow in the next. */
#define STALLED_PER_TICK 16

/* Polls for the start of a fetch. */
#define BURST_LOOKS 8u

static uint32_t config(const struct fw_queue *q)
{
    return QUEUE_HW_CFG(q->type, q->fn, q->log2_entries);
}

/*
 * Sets where a put of the queue finds completion room: nowhere, if the put must be checked first.
 */
static void settle(struct fw_queue *q)
{
    if (q->type == TERN_QTYPE_SQ)
        q->places = q->flags == 0 ? (uint16_t)(q->cq * sizeof(*q)) : FW_PLACES_NIL;
}

void fw_queue_open(struct fw *fw, uint32_t number, const struct fw_queue_new *wanted)
{
    struct fw_queue *q = &fw->queue[number];

    *q = (struct fw_queue){
        .type = wanted->type,
        .fn = wanted->fn,
        .log2_entries = wanted->log2_entries,
        .flags = wanted->flags,
        .cq = wanted->cq_or_vector,
    };
    FW_USED(fw, queues)++;
    if (q->type == TERN_QTYPE_RQ)
        q->log2_bytes = wanted->log2_bytes;
    if (q->type != TERN_QTYPE_CQ)
        fw->queue[q->cq].users++;
    if (q->type == TERN_QTYPE_CQ && q->vector != TERN_VECTOR_NONE)
        q->flags |= QUEUE_INTERRUPTS;
    settle(q);
    queue_hw_start(number, wanted->base, wanted->key, config(q));
}

uint32_t fw_queue_find_free(const struct fw *fw)
{
    for (uint32_t n = fw->first_queue; n < fw->id.queues; n++)
        if (fw->queue[n].type == TERN_QTYPE_NONE)
            return n;
    return FW_QUEUE_NIL;
}

static void list_append(struct fw *fw, uint32_t number)
{
    fw->queue[number].next = FW_QUEUE_NIL;
    if (fw->stalled_first == FW_QUEUE_NIL)
        fw->stalled_first = (uint16_t)number;
    else
        fw->queue[fw->stalled_last].next = (uint16_t)number;
    fw->stalled_last = (uint16_t)number;
}

void fw_queue_stall(struct fw *fw, uint32_t number)
{
    struct fw_queue *q = &fw->queue[number];

    q->flags |= QUEUE_STALLED;
    settle(q);
    q->resume = (uint16_t)q->producer;
    queue_hw_config(number, config(q) | QUEUE_HW_STOP);
    list_append(fw, number);
    fw_tick_hurry(fw);
}

void fw_queue_break(struct fw *fw, uint32_t number, uint8_t how)
{
    fw->queue[number].flags |= how;
    settle(&fw->queue[number]);
}

void fw_queue_mend(struct fw_queue *q, uint8_t how)
{
    q->flags &= (uint8_t)~how;
    settle(q);
}

void fw_queue_decide(struct fw *fw, uint32_t number, uint32_t frame)
{
    if (TERN_F(DESC, decides, frame))
        fw_queue_break(fw, number, QUEUE_CUT);
}

uint32_t fw_queue_cancel(struct fw *fw, uint32_t number, uint32_t *cancelled)
{
    const struct fw_queue *q = &fw->queue[number];

    *cancelled = q->flags & (QUEUE_STALLED | QUEUE_FENCED) || fw_ops_of_queue(fw, number);
    if (*cancelled)
        fw_queue_break(fw, number, QUEUE_CUT);
    else if (queue_hw_doorbell(number) != (q->producer & RING_INDEX_MASK))
        return FW_STALL;
    return TERN_ST_OK;
}

/* Tells whether every fetched descriptor has arrived, so that none can arrive late. */
static bool all_arrived(const struct fw_queue *q, uint32_t number)
{
    return queue_hw_head(number) == (q->producer & RING_INDEX_MASK);
}

static bool may_resume(struct fw *fw, struct fw_queue *q, uint32_t number)
{
    if (!all_arrived(q, number) || !fw_cq_ready(fw, q->cq))
        return false;
    if (q->flags & QUEUE_FENCED && fw_ops_of_queue(fw, number))
        return false;
    return fw_area_awaited(fw, number) == FW_AREAS;
}

static void resume(struct fw_queue *q, uint32_t number)
{
    q->flags &= (uint8_t) ~(QUEUE_STALLED | QUEUE_FENCED);
    settle(q);
    q->producer = ring_index_before(q->producer, q->resume);
    queue_hw_resume(number, q->producer & RING_INDEX_MASK, config(q));
}

/* Resumes the first stalled queue of the list, or moves it to the end. */
static void tick_first(struct fw *fw)
{
    uint32_t number = fw->stalled_first;
    struct fw_queue *q = &fw->queue[number];

    fw->stalled_first = q->next;
    if (q->flags & (QUEUE_CLOSING | QUEUE_DYING))
        q->flags &= (uint8_t)~QUEUE_STALLED;
    else if (may_resume(fw, q, number))
        resume(q, number);
    else
        list_append(fw, number);
}

bool fw_queues_tick(struct fw *fw)
{
    uint32_t last = fw->stalled_last, number = FW_QUEUE_NIL;

    for (unsigned i = 0; i < STALLED_PER_TICK && fw->stalled_first != FW_QUEUE_NIL; i++) {
        if (number == last)
            break; /* all have been checked */
        number = fw->stalled_first;
        tick_first(fw);
    }
    return fw->stalled_first != FW_QUEUE_NIL;
}

void fw_queue_ended(struct fw *fw, const struct fw_queue *q)
{
    if ((q->flags & (QUEUE_FENCED | QUEUE_STALLED)) == (QUEUE_FENCED | QUEUE_STALLED))
        (void)fw_queues_tick(fw);
}

/* ---- parked descriptors: wait for a fence in their slots */

bool fw_queue_park(struct fw *fw, uint32_t number, uint32_t slot)
{
    struct fw_queue *q = &fw->queue[number];

    if (fw->parked_count >= fw->id.slots / FW_PARKED_SHARE)
        return false;
    if (!(q->flags & QUEUE_FENCED)) {
        fw_queue_break(fw, number, QUEUE_FENCED);
        q->parked_first = FW_SLOT_NIL;
    }
    fw->op[slot].next = FW_SLOT_NIL;
    if (q->parked_first == FW_SLOT_NIL)
        q->parked_first = (uint8_t)slot;
    else
        fw->op[q->parked_last].next = (uint8_t)slot;
    q->parked_last = (uint8_t)slot;
    fw->parked |= 1u << slot;
    if (q->parked_first == slot)
        fw->parked_ahead |= 1u << slot;
    fw->parked_count++;
    q->resume = (uint16_t)++q->producer;
    queue_hw_config(number, config(q) | QUEUE_HW_STOP);
    fw_tick_hurry(fw);
    return true;
}

uint32_t fw_queue_unpark(struct fw *fw, uint32_t slot)
{
    uint32_t next = fw->op[slot].next;

    fw->op[slot].next = 0;
    fw->parked &= ~(1u << slot);
    fw->parked_ahead &= ~(1u << slot);
    if (next != FW_SLOT_NIL)
        fw->parked_ahead |= 1u << next;
    fw->parked_count--;
    return next;
}

void fw_parked_drop(struct fw *fw, uint32_t first)
{
    while (first != FW_SLOT_NIL) {
        uint32_t slot = first;

        first = fw_queue_unpark(fw, slot);
        tx_slot_free(slot);
    }
}

/*
 * Stops fetching after the burst that is about to begin. If none begins soon, the first burst that
 * arrives stops it.
 */
static void stop_after_a_burst(const struct fw_queue *q, uint32_t number)
{
    uint32_t head = q->producer & RING_INDEX_MASK;

    for (unsigned i = 0; i < BURST_LOOKS; i++)
        if (queue_hw_head(number) != head) {
            queue_hw_config(number, config(q) | QUEUE_HW_STOP);
            return;
        }
}

void fw_queue_refetch(struct fw *fw, uint32_t number, bool fenced)
{
    struct fw_queue *q = &fw->queue[number];

    if (!all_arrived(q, number))
        return;
    q->producer = ring_index_before(q->producer, q->resume);
    if (q->parked_first == FW_SLOT_NIL &&
        (!fenced || queue_hw_doorbell(number) == (q->producer & RING_INDEX_MASK)))
        fw_queue_mend(q, QUEUE_FENCED);
    queue_hw_resume(number, q->producer & RING_INDEX_MASK, config(q));
    if (q->flags & QUEUE_FENCED && queue_hw_doorbell(number) != (q->producer & RING_INDEX_MASK))
        stop_after_a_burst(q, number);
}

void fw_queue_hold_back(struct fw *fw, uint32_t number)
{
    queue_hw_config(number, config(&fw->queue[number]) | QUEUE_HW_STOP);
}

void fw_queue_step_began(struct fw *fw, uint32_t number)
{
    struct fw_queue *q = &fw->queue[number];

    if (q->flags & (QUEUE_STALLED | QUEUE_FENCED | QUEUE_CLOSING | QUEUE_DYING))
        return;
    if (q->flags != 0 || queue_hw_doorbell(number) == (q->producer & RING_INDEX_MASK)) {
        queue_hw_config(number, config(q));
        return;
    }
    fw_queue_break(fw, number, QUEUE_FENCED);
    q->parked_first = FW_SLOT_NIL;
    q->resume = (uint16_t)q->producer;
    fw_queue_refetch(fw, number, true);
}

void fw_queue_go_on(struct fw *fw, uint32_t number)
{
    fw_queue_mend(&fw->queue[number], QUEUE_FENCED);
    queue_hw_config(number, config(&fw->queue[number]));
}

static bool idle(const struct fw *fw, const struct fw_queue *q, uint32_t number)
{
    if (q->type == TERN_QTYPE_SQ)
        return !(q->flags & QUEUE_STALLED) && all_arrived(q, number) &&
               !fw_ops_of_queue(fw, number) && fw_gets_into(fw, number) == 0;
    return q->type == TERN_QTYPE_CQ || q->users == 0;
}

static void vanish(struct fw *fw, uint32_t number)
{
    struct fw_queue *q = &fw->queue[number];

    queue_hw_config(number, QUEUE_HW_CFG(TERN_QTYPE_NONE, 0, 0));
    if (q->type == TERN_QTYPE_SQ || q->type == TERN_QTYPE_RQ)
        fw->queue[q->cq].users--;
    fw_samples_forget(fw, q->fn, number);
    q->places = FW_PLACES_NIL;
    fw_area_forget(fw, number);
    FW_USED(fw, queues)--;
    q->type = TERN_QTYPE_NONE;
    q->flags = 0;
}

static bool end(struct fw *fw, uint32_t number, uint8_t how)
{
    struct fw_queue *q = &fw->queue[number];

    if (!(q->flags & how)) {
        if ((q->flags & (QUEUE_FENCED | QUEUE_STALLED)) == QUEUE_FENCED &&
            q->type == TERN_QTYPE_SQ) {
            fw_parked_drop(fw, q->parked_first);
            q->parked_first = FW_SLOT_NIL;
        }
        q->flags |= how;
        settle(q);
        if (q->type == TERN_QTYPE_SQ)
            queue_hw_config(number, config(q) | QUEUE_HW_STOP);
        fw_tick_hurry(fw);
    }
    if (!idle(fw, q, number))
        return false;
    vanish(fw, number);
    return true;
}

bool fw_queue_close(struct fw *fw, uint32_t number)
{
    return end(fw, number, QUEUE_CLOSING);
}

bool fw_queue_retire(struct fw *fw, uint32_t number)
{
    /* A completion queue stays until all queues that complete into it are deleted. */
    if (fw->queue[number].type == TERN_QTYPE_CQ && fw->queue[number].users != 0) {
        fw->queue[number].flags |= QUEUE_DYING;
        return false;
    }
    return end(fw, number, QUEUE_DYING);
}

bool fw_queue_uses_key(const struct fw *fw, uint32_t fn, uint32_t key)
{
    for (uint32_t n = 0; n < fw->id.queues; n++)
        if (fw->queue[n].type != TERN_QTYPE_NONE && fw->queue[n].fn == fn &&
            queue_hw_key(n) == key)
            return true;
    return false;
}
