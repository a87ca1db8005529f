/* SPDX-License-Identifier: Apache-2.0 */
#include "descriptors.h"

#include <stddef.h>

#include "admin.h"
#include "area.h"
#include "bcast.h"
#include "combine.h"
#include "cq.h"
#include "desc.h"
#include "get.h"
#include "put.h"
#include "queue.h"
#include "queue_hw.h"
#include "relay.h"
#include "ring.h"
#include "send.h"
#include "slots.h"

/* Descriptors handled before the next end of an operation. */
#define DESCS_IN_TURN 4u

/*
 * The lean firmware must be small: it always checks, parks and fetches where the other
 * configurations avoid it.
 */
#ifdef __OPTIMIZE_SIZE__
#define SMALL true
#define SWIFT static
#else
#define SMALL false
#define SWIFT static inline __attribute__((always_inline))
#endif

#ifdef TERN_HANG
/* Never returns: shows that the watchdog works. */
static _Noreturn void hang(void)
{
    sys_watchdog(20000);
    for (;;)
        ;
}
#endif

/* Completes at once, in the order of its queue. */
static void nop(struct fw *fw, struct fw_queue *q, uint32_t event)
{
#ifdef TERN_HANG
    hang();
#endif
    fw_desc_finish(fw, q, event);
}

static void unknown(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_desc_not_started(fw, q, event, TERN_ST_BAD_OPCODE);
}

/*
 * The handler of each opcode. A new opcode is a handler and a row here; an opcode without a row is
 * refused. The number of rows is a power of two.
 */
#define HANDLERS 64u

static const fw_desc_handler handlers[HANDLERS] = {
    [TERN_OP_NOP] = nop,
#ifdef TERN_NO_PUT
    [TERN_OP_PUT] = unknown,
    [TERN_OP_BCAST] = unknown,
    [TERN_OP_CAS] = unknown,
    [TERN_OP_ADD] = unknown,
    [TERN_OP_READ] = unknown,
    [TERN_OP_LOOKUP] = unknown,
    [TERN_OP_TAKE] = unknown,
#else
    [TERN_OP_PUT] = fw_put,
    [TERN_OP_BCAST] = fw_bcast,
    [TERN_OP_CAS] = fw_put,
    [TERN_OP_ADD] = fw_put,
    [TERN_OP_READ] = fw_put,
    [TERN_OP_LOOKUP] = fw_put,
    [TERN_OP_TAKE] = fw_put,
#endif
    [TERN_OP_SEND] = fw_send,
    [TERN_OP_CHECKIN] = fw_send,
    [TERN_OP_WAIT] = fw_wait,
    [TERN_OP_RTS] = fw_bcast,
    [TERN_OP_GET] = fw_get,
    [TERN_OP_PULL] = fw_pull,
    [TERN_OP_RELAY] = fw_relay,
#ifdef TERN_NO_COMBINE
    /* A build without this feature has none of the others either, and refuses both alike. */
    [TERN_OP_TREE_SET] = fw_relay,
    [TERN_OP_COMBINE] = fw_relay,
    [TERN_OP_TREE_PUT] = fw_relay,
    [TERN_OP_TREE_FORWARD] = fw_relay,
#else
    [TERN_OP_TREE_SET] = fw_tree_set,
    [TERN_OP_COMBINE] = fw_combine,
    [TERN_OP_TREE_PUT] = fw_tree_put,
    [TERN_OP_TREE_FORWARD] = fw_tree_forward,
#endif
};

/* Every opcode of descriptors has a row; those from OP_RECV on appear in completions only. */
#define OP(name, value, text) _Static_assert((value) < HANDLERS || (value) >= TERN_OP_RECV, text);
#include "tables.h"

static bool has_handler(uint32_t opcode)
{
    return opcode < HANDLERS && handlers[opcode] != NULL;
}

/* Returns the error of a descriptor, as its event reports it. */
static uint32_t event_status(uint32_t event)
{
    static const uint8_t statuses[4] = {
        [TERN_EVERR_NONE & 3] = TERN_ST_OK,
        [TERN_EVERR_HOST_FAULT & 3] = TERN_ST_HOST_FAULT,
        [TERN_EVERR_VERSION & 3] = TERN_ST_BAD_VERSION,
        [TERN_EVERR_INDEX & 3] = TERN_ST_BAD_INDEX,
    };

    return TERN_F(EV, look, event) ? statuses[TERN_F(EV, err, event) & 3] : TERN_ST_OK;
}

/*
 * Gives back the slot of a descriptor whose queue is stalled or closing: the prefetcher fetches it
 * again, or the queue starts nothing more. After the last fetched descriptor a fence may open.
 */
static void drop(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    q->producer++;
    tx_slot_free(TERN_F(EV, slot, event));
    if (q->flags & QUEUE_FENCED &&
        queue_hw_head(TERN_F(EV, queue, event)) == (q->producer & RING_INDEX_MASK))
        (void)fw_queues_tick(fw);
}

static void stall_for_place(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    FW_COUNT(fw, cq_stalls);
    fw_desc_not_started(fw, q, event, FW_STALL);
}

/*
 * Tells whether a descriptor after a failed chain step is to be flushed. The first one that is not
 * linked ends the chain, and no later one is flushed.
 */
static bool is_cut_off(struct fw_queue *q, uint32_t frame)
{
    if (q->flags & QUEUE_BROKEN)
        return true;
    if (!(q->flags & QUEUE_CUT))
        return false;
    if (!TERN_F(DESC, linked, frame))
        fw_queue_mend(q, QUEUE_CUT);
    return TERN_F(DESC, linked, frame);
}

/* Refuses a descriptor that could not be read; cuts the queue, since it may have `decides`. */
static void refuse_bad(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t status)
{
    fw_queue_break(fw, TERN_F(EV, queue, event), QUEUE_CUT);
    fw_desc_refuse(fw, q, event, status, 0);
}

static void wait_for_fence(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t number = TERN_F(EV, queue, event);

    if (fw_queue_park(fw, number, TERN_F(EV, slot, event))) {
        fw_fence_ended(fw, number);
        return;
    }
    q->flags |= QUEUE_FENCED;
    fw_desc_not_started(fw, q, event, FW_STALL);
}

/* Handles a descriptor in the cases in which fw_on_desc cannot call its handler at once. */
__attribute__((noinline)) static void out_of_the_ordinary(struct fw *fw,
                                                          struct fw_queue *q,
                                                          uint32_t event)
{
    uint32_t frame = rd32(fw_desc_words(event)), status;
    bool fenced = TERN_F(DESC, flags, frame) & TERN_DFLAG_FENCE,
         step = !SMALL && fenced && TERN_F(DESC, decides, frame);

    if (step) /* first, because the chip is about to fetch more */
        fw_queue_hold_back(fw, TERN_F(EV, queue, event));
    status = event_status(event);
    if (!fw_cq_ready(fw, q->cq))
        stall_for_place(fw, q, event);
    else if (is_cut_off(q, frame))
        fw_desc_refuse(fw, q, event, TERN_ST_FLUSHED, 0);
    else if (status != TERN_ST_OK)
        refuse_bad(fw, q, event, status);
    else if (q->flags & QUEUE_ADMIN)
        fw_admin(fw, q, event);
    else if (fenced && fw_ops_of_queue(fw, TERN_F(EV, queue, event)))
        wait_for_fence(fw, q, event);
    else if (!has_handler(TERN_F(EV, opcode, event)))
        unknown(fw, q, event);
    else
        handlers[TERN_F(EV, opcode, event)](fw, q, event);
    if (step && !(fw->work & WORK_HELD && fw->held == event))
        fw_queue_step_began(fw, TERN_F(EV, queue, event));
}

/*
 * Tells whether the operation in slot `ahead` certainly keeps the fence of `slot` closed and its
 * end raises an event. This saves a check of the fence.
 */
static bool is_kept(const struct fw *fw, uint32_t number, uint32_t ahead, uint32_t slot)
{
    return !SMALL && ahead != FW_SLOT_NIL && fw->marked & tx_ops_busy() & 1u << ahead &&
           tx_slot_queue(ahead) == number &&
           TERN_F(DESC, flags, tx_slot_word(slot, 0)) & TERN_DFLAG_FENCE;
}

static bool start_at_once(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Starts a descriptor of a FENCED queue, parks it, or drops it to be fetched again. */
static void keep_or_drop(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t number = TERN_F(EV, queue, event), slot = TERN_F(EV, slot, event),
             ahead = q->parked_last;

    if ((uint16_t)q->producer == q->resume) {
        bool first = q->parked_first == FW_SLOT_NIL;

        if (!TERN_F(EV, look, event) || TERN_F(EV, err, event) == TERN_EVERR_NONE) {
            bool kept = first && is_kept(fw, number, ahead, slot);

            if (first && !kept && !SMALL && start_at_once(fw, q, event))
                return;
            if (fw_queue_park(fw, number, slot)) {
                if (first && !kept)
                    fw_fence_ended(fw, number);
                return;
            }
        } else if (first) {
            fw_queue_go_on(fw, number);
            out_of_the_ordinary(fw, q, event);
            return;
        }
    }
    q->producer++;
    tx_slot_free(slot);
    if (q->parked_first == FW_SLOT_NIL)
        fw_queue_refetch(fw, number, true);
}

/* Tells whether the descriptor has no error and no fence. */
static bool is_plain(uint32_t event)
{
    if (TERN_F(EV, look, event) &&
        (TERN_F(EV, err, event) != TERN_EVERR_NONE ||
         TERN_F(DESC, flags, rd32(fw_desc_words(event))) & TERN_DFLAG_FENCE))
        return false;
    return has_handler(TERN_F(EV, opcode, event));
}

void fw_on_desc(struct fw *fw, uint32_t event)
{
    struct fw_queue *q = &fw->queue[TERN_F(EV, queue, event) % FW_QUEUES];

    if (q->type == TERN_QTYPE_SQ && q->flags == 0 && fw->queue[q->cq].room != 0 && is_plain(event))
        handlers[TERN_F(EV, opcode, event) % HANDLERS](fw, q, event);
    else if (q->type == TERN_QTYPE_SQ && (q->flags & ~(uint32_t)QUEUE_CUT) == QUEUE_FENCED)
        keep_or_drop(fw, q, event);
    else if (q->type != TERN_QTYPE_SQ || q->flags & (QUEUE_STALLED | QUEUE_CLOSING | QUEUE_DYING))
        drop(fw, q, event);
    else if (q->flags & QUEUE_FENCED)
        keep_or_drop(fw, q, event);
    else
        out_of_the_ordinary(fw, q, event);
}

void fw_descs_turn(struct fw *fw)
{
    if (fw->mask != SYS_EVENTS_ALL || !(sys_events_pending() & SYS_EVENT(TERN_EV_DESC)))
        return;
    sys_event_mask(SYS_EVENT(TERN_EV_DESC));
    for (unsigned i = 0; i < DESCS_IN_TURN && !(fw->work & WORK_HELD); i++) {
        uint32_t event = hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT) ? sys_event_pop() : 0;

        if (event == 0)
            break;
        FW_COUNT(fw, events);
        fw_on_desc(fw, event);
    }
    sys_event_mask(fw->mask);
}

/* ---- fences */

/* Starts a descriptor whose fence is open. */
SWIFT void start_one(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t frame)
{
    if (is_cut_off(q, frame))
        fw_desc_refuse(fw, q, event, TERN_ST_FLUSHED, 0);
    else if (!has_handler(TERN_F(EV, opcode, event)))
        unknown(fw, q, event);
    else
        handlers[TERN_F(EV, opcode, event)](fw, q, event);
}

/*
 * Starts the descriptor in the slot, the first parked one of its queue. Handlers increment
 * q->producer for it, so meanwhile that holds its index. False: no room now, it stays parked.
 */
static bool start_parked(struct fw *fw, struct fw_queue *q, uint32_t number, uint32_t slot,
                         uint32_t frame)
{
    uint32_t fetched = q->producer, next = fw_queue_unpark(fw, slot);
    uint32_t event = TERN_V(EV, type, TERN_EV_DESC) | TERN_V(EV, slot, slot) |
                     TERN_V(EV, queue, number) | TERN_V(EV, opcode, TERN_F(DESC, opcode, frame)) |
                     TERN_V(EV, look, 1) | TERN_V(EV, err, TERN_EVERR_NONE);

    q->parked_first = (uint8_t)next;
    if (next == FW_SLOT_NIL)
        q->parked_last = (uint8_t)slot;
    q->producer = ring_index_before(
        fetched, (uint16_t)TERN_F(DESC, index, tx_slot_word(slot, TERN_DESC_index_WORD)));
    start_one(fw, q, event, frame);
    q->producer = fetched;
    if (q->flags &
        QUEUE_STALLED) { /* it waits for another reason: fetch it and all later ones again */
        fw_parked_drop(fw, next);
        fw_queue_mend(q, QUEUE_FENCED);
        return true;
    }
    if (!(fw->work & WORK_HELD) || fw->held != event)
        return true;
    fw->work &= ~(uint32_t)WORK_HELD;
    fw->op[slot].next = (uint8_t)next;
    fw->parked |= 1u << slot;
    fw->parked_ahead |= 1u << slot;
    if (next != FW_SLOT_NIL)
        fw->parked_ahead &= ~(1u << next);
    fw->parked_count++;
    q->parked_first = (uint8_t)slot;
    if (next == FW_SLOT_NIL)
        q->parked_last = (uint8_t)slot;
    return false;
}

/* Checks of the fences in one turn of the event loop. */
#define LOOKS 4u

/*
 * The reason why the fence of a queue is closed: none, operations whose ends raise events, or one
 * whose end raises no event, so that the firmware must poll.
 */
enum fence { FENCE_OPEN, FENCE_HEARD, FENCE_UNHEARD };

SWIFT enum fence look_at_fence(const struct fw *fw, uint32_t number, uint32_t frame)
{
    uint32_t set;

    if (!(TERN_F(DESC, flags, frame) & TERN_DFLAG_FENCE))
        return FENCE_OPEN;
    set = fw_ops_in_flight(fw, number);
    if (set & ~fw->marked)
        return FENCE_UNHEARD;
    if (set == 0 && (fw_sends_waiting(fw) == 0 || !fw_sends_of_queue(fw, number)))
        return FENCE_OPEN;
    return FENCE_HEARD;
}

/*
 * Starts the next descriptor of a FENCED queue with none parked; false: its fence is closed, or
 * there is no room.
 */
static bool start_at_once(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t number = TERN_F(EV, queue, event), slot = TERN_F(EV, slot, event),
             frame = tx_slot_word(slot, 0);

    if (look_at_fence(fw, number, frame) != FENCE_OPEN || !fw_cq_ready(fw, q->cq))
        return false;
    start_one(fw, q, event, frame);
    if (q->flags & QUEUE_STALLED) {
        fw_queue_mend(q, QUEUE_FENCED);
    } else if (!(fw->work & WORK_HELD) || fw->held != event) {
        q->resume = (uint16_t)q->producer;
        q->parked_last = (uint8_t)slot;
        fw_queue_refetch(fw, number, TERN_F(DESC, flags, frame) & TERN_DFLAG_FENCE);
    }
    return true;
}

/* Starts parked descriptors of a queue as far as possible; returns whether to check again soon. */
static bool open_fence(struct fw *fw, uint32_t number)
{
    struct fw_queue *q = &fw->queue[number];

    while (q->parked_first != FW_SLOT_NIL) {
        uint32_t slot = q->parked_first, frame = tx_slot_word(slot, 0);
        enum fence fence = look_at_fence(fw, number, frame);

        if (fence != FENCE_OPEN)
            return fence == FENCE_UNHEARD;
        if (!fw_cq_ready(fw, q->cq)) {
            fw->parked_no_place = true; /* the next tick checks again */
            return false;
        }
        if (!hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT) || !start_parked(fw, q, number, slot, frame))
            return true;
        if (q->flags & QUEUE_STALLED)
            return false;
        if (q->parked_first == FW_SLOT_NIL || fw->op[q->parked_first].next == FW_SLOT_NIL)
            fw_queue_refetch(fw, number, TERN_F(DESC, flags, frame) & TERN_DFLAG_FENCE);
        if (q->parked_first != FW_SLOT_NIL && is_kept(fw, number, slot, q->parked_first))
            return false;
    }
    return false;
}

void fw_fence_ended(struct fw *fw, uint32_t number)
{
    if ((fw->queue[number].flags & (QUEUE_FENCED | QUEUE_STALLED)) == QUEUE_FENCED &&
        open_fence(fw, number))
        fw->work |= WORK_FENCE;
}

/* Checks all fences once; returns whether to check again soon. */
static bool look_at_all(struct fw *fw)
{
    uint32_t set = fw->parked_ahead, slot;
    bool again = false;

    while (fw_slots_take(&set, &slot)) {
        uint32_t number = tx_slot_queue(slot) % FW_QUEUES;

        if (fw->parked_ahead >> slot & 1)
            again |= open_fence(fw, number);
    }
    return again;
}

void fw_fences_work(struct fw *fw)
{
    /* A check takes less time than a turn of the event loop. */
    for (unsigned i = 0; i < LOOKS; i++)
        if (!look_at_all(fw)) {
            fw->work &= ~(uint32_t)WORK_FENCE;
            return;
        }
}
