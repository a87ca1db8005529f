/* SPDX-License-Identifier: Apache-2.0 */
#include "op.h"

#include "bcast.h"
#include "counter.h"
#include "cq.h"
#include "ctr.h"
#include "desc.h"
#include "get.h"
#include "log.h"
#include "node.h"
#include "queue.h"
#include "read.h"
#include "reply.h"
#include "send.h"

_Static_assert(FW_SLOTS <= 32, "a set of slots is a word");

/* Number of the one bit set in `bit`. */
static inline uint32_t bit_number(uint32_t bit)
{
    return (uint32_t)((bit & 0xaaaaaaaa) != 0) |
           (uint32_t)((bit & 0xcccccccc) != 0) << 1 |
           (uint32_t)((bit & 0xf0f0f0f0) != 0) << 2 |
           (uint32_t)((bit & 0xff00ff00) != 0) << 3 |
           (uint32_t)((bit & 0xffff0000) != 0) << 4;
}

/* Takes a slot out of the set; false when it is empty. */
static bool take(uint32_t *set, uint32_t *slot)
{
    if (*set == 0)
        return false;
    *slot = bit_number(*set & -*set);
    *set &= *set - 1;
    return true;
}

void fw_op_mark(struct fw *fw, uint32_t slot, uint32_t flags)
{
    fw->op[slot].flags = (uint8_t)flags;
    fw->marked = (fw->marked & ~(1u << slot)) | (uint32_t)(flags != 0) << slot;
}

uint32_t fw_op_follow(struct fw *fw, uint32_t slot, uint32_t frame)
{
    if ((frame & (TERN_V(DESC, counted, 1) | TERN_V(DESC, strict, 1))) == 0)
        return 0;
    fw_op_mark(fw, slot, OP_COUNTED);
    return TERN_DFLAG_SIGNAL;
}

struct fw_queue *fw_op_queue(struct fw *fw, uint32_t slot)
{
    return &fw->queue[tx_slot_queue(slot) % FW_QUEUES];
}

void fw_op_release(struct fw *fw, uint32_t slot)
{
    const struct fw_queue *q = fw_op_queue(fw, slot);

    fw_op_mark(fw, slot, 0);
    tx_slot_free(slot);
    if (q->flags & QUEUE_FENCED)
        (void)fw_queues_tick(fw);
}

static uint32_t slot_word(uint32_t slot, unsigned word)
{
    return rd32(tx_slot(slot) + 4 * word);
}

static bool is_read(uint32_t slot)
{
    return fw_opcode_reads(TERN_F(DESC, opcode, slot_word(slot, 0)));
}

static uint32_t op_node(uint32_t slot)
{
    return TERN_F(DESC, dst_node, slot_word(slot, TERN_DESC_dst_node_WORD));
}

static bool goes_to_box(uint32_t slot)
{
    uint32_t opcode = TERN_F(DESC, opcode, slot_word(slot, 0));

    return opcode == TERN_OP_BCAST || opcode == TERN_OP_RTS;
}

/* The ports that what is in the slot leaves by. */
static uint32_t op_ports(const struct fw *fw, uint32_t slot)
{
    unsigned port;

    if (goes_to_box(slot))
        return box_ports(fw_bcast_box(slot), fw->id.node);
    port = node_port(fw->id.node, op_node(slot), fw->id.dims);
    return port == NODE_PORT_NONE ? 0 : 1u << port;
}

unsigned fw_op_port_down(const struct fw *fw, uint32_t slot)
{
    uint32_t ports = op_ports(fw, slot);
    uint32_t down = ports & ~fw->links_up;

    if (down == 0)
        down = ports;
    return bit_number(down & -down);
}

static uint32_t op_bytes(uint32_t slot, uint32_t frame)
{
    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE && !fw_opcode_reads(TERN_F(DESC, opcode, frame)))
        return TERN_F(DESC, inline_len, frame);
    return slot_word(slot, TERN_DESC_length_WORD);
}

/* The word that the answer brought, which the chip put into the slot. */
static uint64_t op_result(uint32_t slot, uint32_t frame)
{
    if (!TERN_F(DESC, result, frame))
        return 0;
    return slot_word(slot, TERN_ATR_value_WORD) |
           (uint64_t)slot_word(slot, TERN_ATR_value_WORD + 1) << 32;
}

/* What the completion of a descriptor in a slot says of it. */
static void describe(uint32_t slot, uint32_t queue, uint32_t status, struct done *done)
{
    uint32_t frame = slot_word(slot, 0);

    *done = (struct done){
        .status = status,
        .opcode = TERN_F(DESC, opcode, frame),
        .queue = queue,
        .index = TERN_F(DESC, index, slot_word(slot, TERN_DESC_index_WORD)),
        .node = op_node(slot),
        .length = status == TERN_ST_OK ? op_bytes(slot, frame) : 0,
        .value = status == TERN_ST_OK || status == TERN_ST_UNLIKE ? op_result(slot, frame) : 0,
    };
}

/* A link may be up again by the time the operation that it ended says so. */
static unsigned port_of_end(const struct fw *fw, uint32_t slot)
{
    const struct fw_op *op = &fw->op[slot];

    return op->flags & OP_KILLED ? op->port : fw_op_port_down(fw, slot);
}

static void fail(const struct fw *fw, uint32_t slot, struct done *done, bool sent)
{
    done->fault = done_fault_side(done->status, sent);
    LOG(OP_ERROR, done->queue, done->status, done->node);
    if (done->status == TERN_ST_LINK_DOWN) {
        done->link = port_of_end(fw, slot) + 1;
        done->node = fw->id.node;
    }
}

void fw_op_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent)
{
    uint32_t queue = tx_slot_queue(slot) % FW_QUEUES;
    struct done done;

    describe(slot, queue, status, &done);
    if (status != TERN_ST_OK) {
        fail(fw, slot, &done, sent);
        fw_queue_decide(fw, queue, slot_word(slot, 0));
    }
    fw_cq_write(fw, fw->queue[queue].cq, &done);
}

static bool is_counted(uint32_t slot)
{
    return TERN_F(DESC, counted, slot_word(slot, 0));
}

static uint32_t op_counter(uint32_t slot)
{
    return TERN_F(DESC, counter, slot_word(slot, TERN_DESC_counter_WORD));
}

void fw_op_count(uint32_t slot)
{
    if (is_counted(slot))
        ctr_take(op_counter(slot), op_bytes(slot, slot_word(slot, 0)));
}

uint32_t fw_op_counter_status(const struct fw *fw, const struct fw_queue *q, uint32_t slot)
{
    return !is_counted(slot) || fw_counter_is_of(fw, op_counter(slot), q->fn)
               ? TERN_ST_OK
               : TERN_ST_BAD_COUNTER;
}

#define ATOMICS (1u << TERN_OP_CAS | 1u << TERN_OP_ADD | 1u << TERN_OP_TAKE)

/* Whether an atomic operation of a chain has changed nothing: its operands still stand beside the answer. */
static bool is_unlike(uint32_t slot)
{
    uint32_t frame = slot_word(slot, 0), unlike = 0;

    for (unsigned i = 0; i < TERN_ATOMIC_BYTES / 4; i++)
        unlike |= (slot_word(slot, TERN_ATR_value_WORD + i) ^ slot_word(slot, TERN_ATO_compare_WORD + i)) &
                  slot_word(slot, TERN_ATO_compare_mask_WORD + i);
    return TERN_F(DESC, strict, frame) && ATOMICS >> TERN_F(DESC, opcode, frame) % 32 & 1 && unlike != 0;
}

/* Without SIGNAL nobody else here is told of an operation that ended well. */
static bool told_by_counter(uint32_t slot)
{
    fw_op_count(slot);
    return !(TERN_F(DESC, flags, slot_word(slot, 0)) & TERN_DFLAG_SIGNAL);
}

/* The completion place of the operation in the slot is free again. */
static void give_place_back(struct fw *fw, uint32_t slot)
{
    fw->queue[fw_op_queue(fw, slot)->cq].room++;
}

static void end_put(struct fw *fw, uint32_t slot, uint32_t status, uint32_t flags)
{
    if (flags & OP_PULLED)
        fw_pull_ended(fw, slot, status);
    if (status == TERN_ST_OK && flags & OP_COUNTED && is_unlike(slot))
        status = TERN_ST_UNLIKE;
    if (status == TERN_ST_OK && flags & (OP_COUNTED | OP_PULLED) && told_by_counter(slot))
        give_place_back(fw, slot);
    else
        fw_op_finish(fw, slot, status, tx_op_sent(slot));
    fw_op_release(fw, slot);
}

void fw_on_op(struct fw *fw, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event);
    uint32_t status = TERN_F(EV, opstatus, event);
    uint32_t flags = fw->op[slot].flags;

    if (flags & OP_SERVES) {
        fw_read_ended(fw, slot, status);
    } else if (flags & OP_OWN) {
        fw_reply_ended(fw, slot, status);
    } else if (flags & OP_DEAD) {
        if (flags & OP_SEND)
            fw->sends--;
        if (flags & OP_PULLED)
            fw_pull_ended(fw, slot, TERN_ST_FLUSHED);
        fw_op_release(fw, slot);
    } else if (flags & OP_SEND) {
        fw_send_ended(fw, slot, status);
    } else if (status == TERN_ST_RNR && is_read(slot)) {
        fw_read_again(fw, slot);
    } else {
        end_put(fw, slot, status, flags);
    }
}

/* Slots of queues that are busy; the firmware's own stand behind them. */
static uint32_t queues_busy(const struct fw *fw)
{
    return tx_ops_busy() & ((1u << fw->id.slots) - 1);
}

uint32_t fw_ops_of_cq(const struct fw *fw, uint32_t cq)
{
    uint32_t set = queues_busy(fw);
    uint32_t count = 0, slot;

    while (take(&set, &slot))
        if (!(fw->op[slot].flags & (OP_SEND | OP_DEAD)))
            count += fw->queue[tx_slot_queue(slot) % FW_QUEUES].cq == cq;
    return count;
}

bool fw_ops_of_queue(const struct fw *fw, uint32_t queue)
{
    uint32_t set = queues_busy(fw);
    uint32_t slot;

    while (take(&set, &slot))
        if (!(fw->op[slot].flags & OP_DEAD) && tx_slot_queue(slot) == queue)
            return true;
    return fw_sends_of_queue(fw, queue);
}

bool fw_ops_wait_here(const struct fw *fw)
{
    uint32_t set = queues_busy(fw) & ~tx_ops_sent(), slot;

    while (take(&set, &slot))
        if (op_node(slot) == fw->id.node && TERN_F(DESC, opcode, slot_word(slot, 0)) != TERN_OP_PUT)
            return true;
    return false;
}

uint32_t fw_ops_used(const struct fw *fw)
{
    uint32_t set = queues_busy(fw), count = 0, slot;

    while (take(&set, &slot))
        count++;
    return count;
}

/*
 * A put may end by itself before this; then hardware has the slot back, and whoever gets
 * it shall find nothing said of it.
 */
static void kill(struct fw *fw, uint32_t slot, uint32_t status)
{
    struct fw_op *op = &fw->op[slot];

    tx_op_kill(slot, status);
    op->idle = 0;
    fw_op_mark(fw, slot, (tx_ops_busy() >> slot) & 1 ? op->flags | OP_KILLED : 0);
}

void fw_ops_link_down(struct fw *fw, unsigned port)
{
    uint32_t set = tx_ops_busy();
    uint32_t slot;

    while (take(&set, &slot)) {
        if (!((op_ports(fw, slot) >> port) & 1))
            continue;
        if (!(fw->op[slot].flags & (OP_KILLED | OP_DEAD)))
            fw->op[slot].port = (uint8_t)port;
        kill(fw, slot, TERN_ST_LINK_DOWN);
    }
}

static void sweep_one(struct fw *fw, uint32_t slot)
{
    struct fw_op *op = &fw->op[slot];

    if (!(op->flags & OP_DEAD)) {
        op->owner = fw_op_queue(fw, slot)->fn;
        if (!fw_fn_sweeping(fw, op->owner))
            return;
        fw_op_mark(fw, slot, op->flags | OP_DEAD);
        kill(fw, slot, TERN_ST_FLUSHED);
    }
    fw->fn[op->owner].clean = 0;
}

void fw_ops_sweep(struct fw *fw)
{
    uint32_t set = queues_busy(fw);
    uint32_t slot;

    while (take(&set, &slot))
        sweep_one(fw, slot);
}

static void late(struct fw *fw, uint32_t slot)
{
    struct fw_op *op = &fw->op[slot];

    fw->late |= 1u << slot;
    if (fw->ticks % OP_PATIENT_TICKS != 0 && is_read(slot))
        return;
    if (++op->idle <= OP_TIMEOUT_TICKS)
        return;
    if (!(op->flags & OP_KILLED))
        FW_COUNT(fw, timeouts);
    kill(fw, slot, TERN_ST_TIMEOUT);
}

/* What moved is not late any more. */
static void forgive(struct fw *fw, uint32_t moved)
{
    uint32_t set = fw->late & moved, slot;

    fw->late &= ~moved;
    while (take(&set, &slot))
        fw->op[slot].idle = 0;
}

/*
 * A message that has not begun stands behind others in the transmit unit: as long as any
 * operation moves, it is not late.
 */
bool fw_ops_tick(struct fw *fw)
{
    uint32_t moved = tx_progress_take(), busy = tx_ops_busy(), slot;
    uint32_t set = busy & ~moved;

    forgive(fw, moved);
    if (moved != 0 && set != 0)
        set &= tx_ops_sent();
    while (take(&set, &slot))
        late(fw, slot);
    return busy != 0;
}

void fw_ops_forget(struct fw *fw)
{
    uint32_t busy = tx_ops_busy();

    for (uint32_t slot = 0; slot < fw->id.slots; slot++) {
        if (!((busy >> slot) & 1)) {
            tx_op_members(slot, 0); /* said, but its command never given */
            tx_slot_free(slot);
            continue;
        }
        fw_op_mark(fw, slot, OP_DEAD);
        kill(fw, slot, TERN_ST_FLUSHED);
    }
    for (uint32_t n = fw->id.own_slots; n-- > 0;) {
        uint32_t slot = fw->id.slots + n;

        fw_op_mark(fw, slot, OP_OWN);
        if (!((busy >> slot) & 1)) {
            if (n != 0)
                fw_own_give(fw, slot);
            continue;
        }
        fw->own_busy |= (uint8_t)(1u << n);
        kill(fw, slot, TERN_ST_FLUSHED);
    }
}
