/* SPDX-License-Identifier: Apache-2.0 */
#include "bcast.h"

#include "area.h"
#include "clock.h"
#include "cq.h"
#include "desc.h"
#include "op.h"
#include "region.h"
#include "slots.h"
#include "tree.h"

#define BROADCAST                                                              \
    (TERN_V(TXC, type, TERN_PTYPE_PUT) | TERN_V(TXC, vn, TERN_VN_DATA) |       \
     TERN_V(TXC, deposit, 1))
#define REQUEST                                                                \
    (TERN_V(TXC, type, TERN_PTYPE_RTS) | TERN_V(TXC, vn, TERN_VN_REQUEST) |    \
     TERN_V(TXC, msg, 1) | TERN_V(TXC, deposit, 1))

/* The fields of a descriptor that decide how its broadcast runs. */
struct bcast {
    struct box box;
    uint32_t slot, frame, flags;
    uint32_t members;
    uint32_t bytes;
    uint32_t asks;        /* it is a request to send, ... */
    uint32_t area, epoch; /* ... answered in this area, ... */
    uint32_t how;         /* ... in this way: the word of by_message */
    struct box_view view;
};

static void read(uint32_t slot, struct bcast *b)
{
    b->slot = slot;
    b->how = 0;
    b->box = fw_bcast_box(slot);
    b->frame = tx_slot_word(slot, 0);
    b->flags = TERN_F(DESC, flags, b->frame);
    b->asks = TERN_F(DESC, opcode, b->frame) == TERN_OP_RTS;
    if (b->asks) {
        b->area = TERN_F(RTS, area, tx_slot_word(slot, TERN_RTS_area_WORD));
        b->epoch = TERN_F(RTS, epoch, tx_slot_word(slot, TERN_RTS_epoch_WORD));
        b->how = tx_slot_word(slot, TERN_RTS_by_message_WORD);
    }
    b->members = TERN_F(BOX, members, tx_slot_word(slot, TERN_BOX_members_WORD));
    b->bytes = b->flags & TERN_DFLAG_INLINE ? TERN_F(DESC, inline_len, b->frame)
                                            : tx_slot_word(slot, TERN_DESC_length_WORD);
}

static uint32_t check_box(const struct fw *fw, struct bcast *b)
{
    enum box_verdict verdict = box_look(b->box, fw->id.node, fw->id.dims, &b->view);

    if (verdict == BOX_BEYOND)
        return TERN_ST_BAD_NODE;
    if (verdict == BOX_ELSEWHERE || b->members >= b->view.nodes)
        return TERN_ST_BAD_BOX;
    return TERN_ST_OK;
}

/* Checks the length: hardware does it only if the box has a receiver. */
static uint32_t check_length(const struct bcast *b)
{
    uint32_t most =
        b->flags & TERN_DFLAG_INLINE ? TERN_INLINE_BYTES_MAX : TERN_PUT_BYTES_MAX;

    if (b->asks)
        return b->bytes == most && most == TERN_INLINE_BYTES_MAX ? TERN_ST_OK : TERN_ST_BAD_LENGTH;
    return b->bytes == 0 || b->bytes > most ? TERN_ST_BAD_LENGTH : TERN_ST_OK;
}

/*
 * Checks this node's own membership: a node without the group's key drops the packets, so its own
 * answer would never come.
 */
static uint32_t check_self(const struct fw *fw, const struct bcast *b)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];
    uint32_t key = tx_slot_word(b->slot, TERN_DESC_remote_key_WORD);

    if (b->flags & TERN_DFLAG_SELF && !b->asks &&
        fw_region_find(fw, 0, key, rgn) == TERN_ST_BAD_KEY)
        return TERN_ST_BAD_KEY;
    return TERN_ST_OK;
}

/* Tells whether packets are numbered, so that members detect a loss; one packet needs no number. */
static bool numbered(const struct fw *fw, uint32_t flags, uint32_t bytes)
{
    return bytes > fw->id.payload_max && !(flags & (TERN_DFLAG_UNACKED | TERN_DFLAG_INLINE));
}

static bool goes_otherwise(const struct fw *fw, uint32_t slot, struct box box)
{
    struct bcast other;

    if (TERN_F(DESC, opcode, tx_slot_word(slot, 0)) != TERN_OP_BCAST)
        return false;
    read(slot, &other);
    return numbered(fw, other.flags, other.bytes) &&
           (other.box.low != box.low || other.box.high != box.high);
}

/*
 * Tells whether another broadcast in flight rules this one out. Packets to one box stay in order,
 * but packets to another box may take another way and arrive among them. A member tracks only one
 * broadcast of each origin at a time.
 */
static bool ways_cross(const struct fw *fw, const struct bcast *b)
{
    uint32_t busy = tx_ops_busy();

    if (!numbered(fw, b->flags, b->bytes))
        return false;
    for (uint32_t slot = 0; slot < FW_SLOTS; slot++)
        if (busy >> slot & 1 && goes_otherwise(fw, slot, b->box))
            return true;
    return false;
}

/*
 * Returns the check-in slots needed: one per node of the box, or per port if answers are combined.
 */
static uint32_t slots_needed(const struct bcast *b)
{
    return TERN_F(RTS, combined, b->how) ? NODE_PORTS : b->view.nodes;
}

static uint32_t check_area(const struct fw *fw, const struct fw_queue *q, const struct bcast *b)
{
    uint32_t status = TERN_ST_OK;

    if (b->asks)
        status = fw_area_may_arm(fw, q->fn, b->area, b->epoch, slots_needed(b));
    if (status == TERN_ST_OK && b->asks && fw_feature_tree == 0 &&
        (TERN_F(RTS, combined, b->how) || TERN_F(RTS, delivered, b->how)))
        status = TERN_ST_UNSUPPORTED;
    if (status == TERN_ST_OK && b->asks && TERN_F(RTS, delivered, b->how))
        status = fw_area_may_arm(fw, q->fn, b->area + 1, b->epoch, slots_needed(b));
    return status;
}

static uint32_t check(struct fw *fw, struct fw_queue *q, struct bcast *b)
{
    uint32_t status = check_box(fw, b);

    if (status == TERN_ST_OK)
        status = check_length(b);
    if (status == TERN_ST_OK)
        status = check_self(fw, b);
    if (status == TERN_ST_OK)
        status = fw_op_counter_status(fw, q, b->slot);
    if (status == TERN_ST_OK && b->view.ports & ~fw->links_up)
        status = TERN_ST_LINK_DOWN;
    if (status == TERN_ST_OK)
        status = check_area(fw, q, b);
    if (status == TERN_ST_OK && ways_cross(fw, b))
        status = FW_STALL;
    if (status == TERN_ST_OK && !tx_ready(&fw->tx))
        status = FW_HOLD;
    return status;
}

/* Ends a broadcast that no other node receives. */
static void finish_alone(struct fw *fw, struct fw_queue *q, const struct bcast *b)
{
    fw_op_count(b->slot);
    if (b->flags & TERN_DFLAG_SIGNAL) {
        fw->queue[q->cq].room--;
        fw_op_finish(fw, b->slot, TERN_ST_OK, false);
    }
    tx_slot_free(b->slot);
}

static void start(struct fw *fw, struct fw_queue *q, const struct bcast *b)
{
    bool self = b->flags & TERN_DFLAG_SELF;
    uint32_t flags = b->flags | fw_op_follow(fw, b->slot, b->frame);

    fw->queue[q->cq].room--;
    if (!(b->flags & TERN_DFLAG_UNACKED))
        tx_op_members(b->slot, b->members + self);
    tx_start(&fw->tx, (b->asks ? REQUEST : BROADCAST) | TERN_V(TXC, slot, b->slot) |
                          TERN_V(TXC, self, self) |
                          (flags & PLAIN_FLAGS) << TERN_TXC_notify_LSB);
    fw_tick_hurry(fw);
}

static uint32_t count_bits(uint32_t set)
{
    uint32_t count = 0;

    for (; set != 0; set &= set - 1)
        count++;
    return count;
}

/* Returns the number of check-ins to expect. */
static uint32_t answers(const struct bcast *b)
{
    if (tx_slot_word(b->slot, TERN_RTS_length_WORD) == 0 || TERN_F(RTS, by_message, b->how))
        return 0;
    if (TERN_F(RTS, combined, b->how))
        return count_bits(b->view.ports);
    return b->members + ((b->flags & TERN_DFLAG_SELF) != 0);
}

/* Arms the areas: answers may come as soon as the request has left. */
static void arm_for_answers(struct fw *fw, struct bcast *b)
{
    b->flags |= TERN_DFLAG_UNACKED; /* the check-in is the answer */
    fw_area_arm_again(fw, b->area, b->epoch, answers(b));
    if (TERN_F(RTS, combined, b->how))
        fw_area_count(fw, b->area, b->members);
    if (TERN_F(RTS, delivered, b->how)) {
        fw_area_arm_again(fw, b->area + 1, b->epoch, answers(b));
        fw_area_unhurried(fw, b->area + 1);
    }
    if (!TERN_F(RTS, combined, b->how) && !(b->flags & TERN_DFLAG_SELF))
        fw_area_skip(fw, b->area, box_rank(b->box, fw->id.node, fw->id.dims));
}

/* Ends the areas that wait for the broadcast's answers with its failure. */
static void fail_answers(struct fw *fw, const struct fw_queue *q, const struct bcast *b,
                         uint32_t status)
{
    uint32_t last = b->area + TERN_F(RTS, delivered, b->how);

    if (!b->asks || status >= FW_HOLD)
        return;
    for (uint32_t id = b->area; id <= last; id++)
        if (fw_area_may_arm(fw, q->fn, id, b->epoch, 0) == TERN_ST_OK)
            fw_area_fail(fw, id, b->epoch, status);
}

void fw_bcast(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    struct bcast b;
    uint32_t result;

    read(TERN_F(EV, slot, event), &b);
    result = check(fw, q, &b);
    if (result != TERN_ST_OK) {
        fail_answers(fw, q, &b, result);
        fw_desc_not_started(fw, q, event, result);
        return;
    }
    q->producer++;
    if (b.asks) {
        FW_COUNT(fw, descs);
        arm_for_answers(fw, &b);
    } else {
        FW_COUNT(fw, bcasts);
    }
    if (b.view.ports == 0 && !(b.flags & TERN_DFLAG_SELF))
        finish_alone(fw, q, &b);
    else
        start(fw, q, &b);
}
