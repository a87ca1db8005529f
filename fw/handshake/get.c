/* SPDX-License-Identifier: Apache-2.0 */
#include "get.h"

#include "area.h"
#include "check.h"
#include "checkin.h"
#include "clock.h"
#include "desc.h"
#include "messages_in.h"
#include "messages_out.h"
#include "op.h"
#include "queue.h"
#include "queue_hw.h"
#include "region.h"
#include "remote_get.h"
#include "ring.h"
#include "send.h"
#include "slots.h"

#define HALF_WORDS (TERN_DESC_BYTES / 8)

/* ---- the requesting node */

static uint32_t area_of(uint32_t slot)
{
    return TERN_F(GET, area, tx_slot_word(slot, TERN_GET_area_WORD));
}

static uint32_t epoch_of(uint32_t slot)
{
    return TERN_F(GET, epoch, tx_slot_word(slot, TERN_GET_epoch_WORD));
}

static bool length_fits(uint32_t slot)
{
    uint32_t frame = tx_slot_word(slot, 0);
    bool is_inline = TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE;

    if (TERN_F(DESC, opcode, frame) == TERN_OP_RELAY)
        return !is_inline && tx_slot_word(slot, TERN_DESC_length_WORD) >= TERN_RELAY_BYTES;
    return is_inline && TERN_F(DESC, inline_len, frame) == TERN_INLINE_BYTES_MAX;
}

static uint32_t check(const struct fw *fw, const struct fw_queue *q, uint32_t slot)
{
    if (!length_fits(slot))
        return TERN_ST_BAD_LENGTH;
    if (area_of(slot) == TERN_AREA_NONE)
        return TERN_ST_OK;
    return fw_area_may_arm(fw, q->fn, area_of(slot), epoch_of(slot), 1);
}

static void begun(struct fw *fw, uint32_t slot)
{
    if (area_of(slot) != TERN_AREA_NONE)
        fw_area_arm_again(fw, area_of(slot), epoch_of(slot), 1);
}

void fw_get_failed(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t id = area_of(slot), epoch = epoch_of(slot);

    if (id == TERN_AREA_NONE)
        return;
    if (fw_area_may_arm(fw, fw_op_queue(fw, slot)->fn, id, epoch, 0) == TERN_ST_OK)
        fw_area_fail(fw, id, epoch, status);
    else
        fw_area_end(fw, id, epoch, status);
}

bool fw_get_is(uint32_t slot)
{
    uint32_t opcode = fw_slot_opcode(slot);

    return opcode == TERN_OP_GET || opcode == TERN_OP_RELAY;
}

void fw_get(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = tx_slot_word(slot, 0);
    uint32_t result = fw_send_check(fw, q, slot, frame);

    if (result == TERN_ST_OK)
        result = check(fw, q, slot);
    if (result == TERN_ST_OK)
        result = fw_send_start(fw, q, slot, frame);
    if (result == TERN_ST_OK) {
        begun(fw, slot);
        return;
    }
    if (result < FW_HOLD)
        fw_get_failed(fw, slot, result);
    fw_desc_not_started(fw, q, event, result);
}

/* ---- the node that puts: checks on arrival */

/*
 * Returns the count of the oldest descriptor that must stay in the ring, because the prefetcher may
 * fetch it once more.
 */
static uint32_t oldest(const struct fw_queue *q)
{
    return q->flags & (QUEUE_STALLED | QUEUE_FENCED) ? ring_index_before(q->producer, q->resume)
                                                     : q->producer;
}

static uint32_t admit_queue(const struct fw *fw, uint32_t number)
{
    const struct fw_queue *q = &fw->queue[number % FW_QUEUES];

    if (number >= fw->id.queues || q->type == TERN_QTYPE_NONE ||
        q->flags & (QUEUE_CLOSING | QUEUE_DYING))
        return TERN_ST_BAD_QUEUE;
    if (q->flags & QUEUE_BROKEN)
        return TERN_ST_HOST_FAULT;
    return q->type == TERN_QTYPE_SQ && q->flags & QUEUE_REMOTE ? TERN_ST_OK : TERN_ST_BAD_TYPE;
}

/* Admits only bytes that the requesting node could read itself. */
static uint32_t admit_bytes(const struct fw *fw, uint32_t fn, const uint32_t *w)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint32_t status = remote_get_length_status(w);

    if (status != TERN_ST_OK)
        return status;
    status = fw_region_find(fw, fn, w[TERN_GET_local_key_WORD], rgn);
    if (status != TERN_ST_OK)
        return status;
    return check_region_use(rgn, TERN_GET(GET, local_addr, w), w[TERN_GET_length_WORD],
                            TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ);
}

/*
 * Checks the opcode. A broadcast that names an area is accepted once, while that area waits for it;
 * afterwards it ends with STALE_EPOCH.
 */
static uint32_t admit_opcode(const struct fw *fw, uint32_t fn, const uint32_t *w)
{
    uint32_t area = (uint32_t)TERN_GET(GET, area, w), epoch = (uint32_t)TERN_GET(GET, epoch, w);

    if (!remote_get_is_broadcast(w))
        return remote_get_opcode_status(w);
    return area == TERN_AREA_NONE || fw_area_waits(fw, fn, area, epoch) ? TERN_ST_OK
                                                                        : TERN_ST_STALE_EPOCH;
}

/* Finds the ring index for the descriptor; RNR: the ring is full. */
static uint32_t find_place(const struct fw *fw, uint32_t number, uint32_t *index)
{
    const struct fw_queue *q = &fw->queue[number];

    *index = queue_hw_doorbell(number) + fw_gets_into(fw, number);
    return ring_used(*index, oldest(q), q->log2_entries) < 1u << q->log2_entries ? TERN_ST_OK
                                                                                 : TERN_ST_RNR;
}

/* ---- the descriptor */

static void write_descriptor(struct fw *fw, uint32_t slot, uint32_t number, uint32_t index,
                             const uint32_t *d)
{
    const struct fw_queue *q = &fw->queue[number];
    struct hwr_place to = {.fn = q->fn};

    to.addr = queue_hw_base(number) + ring_offset(index, q->log2_entries, TERN_DESC_BYTES);
    to.key = rd32(TERN_MMIO_Q_KEY);
    hwr_data(&fw->hwr, &to, d, 4 * HALF_WORDS, TAG_PART + slot, false);
    to.addr += 4 * HALF_WORDS;
    hwr_data(&fw->hwr, &to, d + HALF_WORDS, 4 * HALF_WORDS, slot, true);
    fw->rx_queue[slot] = (uint16_t)number;
    fw->placing |= 1u << slot;
}

/* Ends the area that waits for this broadcast: OK if the broadcast has begun, else the reason. */
static void tell_area(struct fw *fw, uint32_t slot, uint32_t fn, uint32_t status)
{
    uint32_t what = rx_payload(slot, TERN_GET_opcode_WORD - TERN_INLINE_OFFSET / 4);
    uint32_t named = rx_header(slot, TERN_PKT_addr_WORD);
    uint32_t area = TERN_F(GET, area, named), epoch = TERN_F(GET, epoch, named);

    if (TERN_F(GET, opcode, what) == TERN_OP_BCAST && fw_area_waits(fw, fn, area, epoch))
        fw_area_end(fw, area, epoch, status);
}

/*
 * Tells whether the key was found, by the `status` of its check: the requester may use that memory.
 */
static bool names_memory(uint32_t status)
{
    return status == TERN_ST_BAD_RIGHTS || status == TERN_ST_BAD_RANGE;
}

/* Checks a remote get for an injection FIFO; OK: *index is its place in the ring. */
static uint32_t admit(const struct fw *fw, uint32_t number, const uint32_t *w, uint32_t *index)
{
    uint32_t fn = fw->queue[number].fn, status = admit_opcode(fw, fn, w);

    if (status == TERN_ST_OK)
        status = admit_bytes(fw, fn, w);
    return status == TERN_ST_OK ? find_place(fw, number, index) : status;
}

uint32_t fw_get_take(struct fw *fw, uint32_t slot)
{
    uint32_t number = rx_header(slot, TERN_PKT_addr_WORD + 1) & 0xffff;
    uint32_t source = TERN_F(PKT, src, rx_header(slot, TERN_PKT_src_WORD));
    uint32_t w[TERN_DESC_BYTES / 4], d[TERN_DESC_BYTES / 4] = {0};
    uint32_t status = admit_queue(fw, number), index = 0;

    if (status != TERN_ST_OK)
        return status;
    if (TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) != TERN_INLINE_BYTES_MAX)
        return TERN_ST_BAD_LENGTH;
    fw_message_words(slot, w);
    status = admit(fw, number, w, &index);
    if (names_memory(status)) /* a node without the key must not end other nodes' waits */
        tell_area(fw, slot, fw->queue[number].fn, status);
    if (status != TERN_ST_OK)
        return status;
    remote_get_describe(source, index, w, d);
    write_descriptor(fw, slot, number, index, d);
    FW_COUNT(fw, gets);
    return FW_LATER;
}

/*
 * Handles the end of the descriptor's write; a failure breaks the queue and flushes its
 * descriptors.
 */
uint32_t fw_get_placed(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t number = fw->rx_queue[slot];

    fw->placing &= ~(1u << slot);
    if (fw->queue[number].flags & (QUEUE_CLOSING | QUEUE_DYING))
        return TERN_ST_FLUSHED;
    if (status != TERN_ST_OK)
        fw_queue_break(fw, number, QUEUE_BROKEN);
    wr32(TERN_MMIO_Q_DB, queue_hw_doorbell(number) + 1);
    tell_area(fw, slot, fw->queue[number].fn, status);
    return status;
}

/* ---- end of the put */

/* Sends the check-in that reports the end; the caller ensured room. */
static void tell_end(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t named = tx_slot_word(slot, TERN_PULL_area_WORD);
    const struct fw_reply reply = {
        .pass = tx_slot_word(slot, TERN_PULL_pass_WORD),
        .where = checkin_named(TERN_F(PULL, area, named), 0, status),
        .node = (uint16_t)TERN_F(PULL, node, tx_slot_word(slot, TERN_PULL_node_WORD)),
        .to = (uint16_t)TERN_F(PULL, epoch, named),
        .bytes = TERN_CHECKIN_BYTES,
        .opcode = TERN_OP_CHECKIN,
    };

    fw_reply(fw, &reply);
}

void fw_pull_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    fw->reply_owed--;
    tell_end(fw, slot, status);
}

static uint32_t pull_check(struct fw *fw, struct fw_queue *q, uint32_t slot)
{
    uint32_t status;

    if (!fw_reply_room(fw))
        return FW_STALL;
    status =
        fw_node_status(fw, TERN_F(DESC, dst_node, tx_slot_word(slot, TERN_DESC_dst_node_WORD)));
    if (status == TERN_ST_OK)
        status = fw_op_counter_status(fw, q, slot);
    if (status == TERN_ST_OK && !tx_ready(&fw->tx))
        status = FW_HOLD;
    return status;
}

void fw_pull(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t result = pull_check(fw, q, slot);

    if (result != TERN_ST_OK) {
        if (result < FW_HOLD)
            tell_end(fw, slot, result);
        fw_desc_not_started(fw, q, event, result);
        return;
    }
    fw_op_mark(fw, slot, OP_PULLED);
    fw->reply_owed++;
    tx_start(&fw->tx, PUT_COMMAND | TERN_V(TXC, slot, slot) | TERN_V(TXC, notify, 1));
    q->producer++;
    fw->queue[q->cq].room--;
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
}
