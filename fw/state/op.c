/* SPDX-License-Identifier: Apache-2.0 */
#include "op.h"

#include "clock.h"
#include "counter.h"
#include "cq.h"
#include "ctr.h"
#include "desc.h"
#include "log.h"
#include "node.h"
#include "queue.h"
#include "slots.h"

/*
 * A tick must be short, so functions that it rarely calls are not inlined; the lean firmware must
 * be small.
 */
#ifdef __OPTIMIZE_SIZE__
#define APART
#else
#define APART __attribute__((noinline))
#define TICK_UNROLLED
#endif

uint32_t fw_op_follow(struct fw *fw, uint32_t slot, uint32_t frame)
{
    return fw_op_follow_here(fw, slot, frame);
}

void fw_op_release(struct fw *fw, uint32_t slot, const struct fw_queue *q)
{
    fw_op_mark(fw, slot, 0);
    tx_slot_free(slot);
    fw_queue_ended(fw, q);
}

static bool goes_to_box(uint32_t slot)
{
    uint32_t opcode = TERN_F(DESC, opcode, tx_slot_word(slot, 0));

    return opcode == TERN_OP_BCAST || opcode == TERN_OP_RTS;
}

/* Returns the ports of the torus through which the operation in the slot sends its packets. */
static uint32_t op_ports(const struct fw *fw, uint32_t slot)
{
    unsigned port;

    if (goes_to_box(slot))
        return box_ports(fw_bcast_box(slot), fw->id.node);
    if (fw_slot_by_tree(slot))
        return 0;
    port = node_port(fw->id.node, fw_slot_node(slot), fw->id.dims);
    return port == NODE_PORT_NONE ? 0 : 1u << port;
}

unsigned fw_op_port_down(const struct fw *fw, uint32_t slot)
{
    uint32_t ports = op_ports(fw, slot);
    uint32_t down = ports & ~fw->links_up;

    if (down == 0)
        down = ports;
    return fw_bit_number(down & -down);
}

static uint32_t op_bytes(uint32_t slot, uint32_t frame)
{
    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE &&
        !fw_opcode_reads(TERN_F(DESC, opcode, frame)))
        return TERN_F(DESC, inline_len, frame);
    return tx_slot_word(slot, TERN_DESC_length_WORD);
}

/* Returns the word of the answer, which the chip put into the slot. */
static uint64_t op_result(uint32_t slot, uint32_t frame)
{
    if (!TERN_F(DESC, result, frame))
        return 0;
    return tx_slot_word(slot, TERN_ATR_value_WORD) |
           (uint64_t)tx_slot_word(slot, TERN_ATR_value_WORD + 1) << 32;
}

/* Fills in the completion of the descriptor in a slot. */
static void describe(uint32_t slot, uint32_t queue, uint32_t status, struct done *done)
{
    uint32_t frame = tx_slot_word(slot, 0);

    *done = (struct done){
        .status = status,
        .opcode = TERN_F(DESC, opcode, frame),
        .queue = queue,
        .index = TERN_F(DESC, index, tx_slot_word(slot, TERN_DESC_index_WORD)),
        .node = fw_slot_node(slot),
        .length = status == TERN_ST_OK ? op_bytes(slot, frame) : 0,
        .value = status == TERN_ST_OK || status == TERN_ST_UNLIKE ? op_result(slot, frame) : 0,
    };
}

/* Returns the port that ended the operation. Its link may be up again by now. */
static unsigned port_of_end(const struct fw *fw, uint32_t slot)
{
    const struct fw_op *op = &fw->op[slot];

    return op->flags & OP_KILLED ? op->port : fw_op_port_down(fw, slot);
}

static void fail(const struct fw *fw, uint32_t slot, struct done *done, bool sent)
{
    done->fault = done_fault_side(done->status, sent);
    LOG(OP_ERROR, done->queue, done->status, done->node);
    if (fw_opcode_by_tree(done->opcode))
        done->value = node_rank(done->node, fw->id.dims);
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
        fw_queue_decide(fw, queue, tx_slot_word(slot, 0));
    }
    fw_cq_write(fw, fw->queue[queue].cq, &done);
}

bool fw_op_complete(struct fw *fw, uint32_t slot, uint32_t frame, struct fw_queue *q)
{
    const struct fw_queue *cq = &fw->queue[q->cq];

    /* For a read, hardware would report the length of its request. */
    if (fw_opcode_reads(TERN_F(DESC, opcode, frame)) || cq->type != TERN_QTYPE_CQ ||
        cq->flags & ~(unsigned)QUEUE_INTERRUPTS)
        return false;
    FW_COUNT(fw, completions);
    fw_op_mark(fw, slot, 0);
    hwr_complete(&fw->hwr, slot, q->cq);
    if (cq->flags & QUEUE_INTERRUPTS)
        hwr_interrupt(&fw->hwr, cq->fn, cq->vector, TAG_INTERRUPT);
    fw_queue_ended(fw, q);
    return true;
}

static bool is_counted(uint32_t slot)
{
    return TERN_F(DESC, counted, tx_slot_word(slot, 0));
}

static uint32_t op_counter(uint32_t slot)
{
    return TERN_F(DESC, counter, tx_slot_word(slot, TERN_DESC_counter_WORD));
}

void fw_op_count(uint32_t slot)
{
    if (is_counted(slot))
        ctr_take(op_counter(slot), op_bytes(slot, tx_slot_word(slot, 0)));
}

uint32_t fw_op_counter_status(const struct fw *fw, const struct fw_queue *q, uint32_t slot)
{
    return !is_counted(slot) || fw_counter_is_of(fw, op_counter(slot), q->fn)
               ? TERN_ST_OK
               : TERN_ST_BAD_COUNTER;
}

/*
 * Kills an operation. If a put ends by itself first, hardware already has its slot, and the next
 * operation there must not find its flags.
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

    while (fw_slots_take(&set, &slot)) {
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
    uint32_t set = fw_ops_busy(fw) & ~fw_combining(fw);
    uint32_t slot;

    while (fw_slots_take(&set, &slot))
        sweep_one(fw, slot);
}

/* Returns the factor on the time without progress after which the operation in the slot fails. */
static uint32_t patience(const struct fw *fw, uint32_t slot)
{
    uint32_t opcode = fw_slot_opcode(slot);

    if ((fw->op[slot].flags & OP_SERVES) || opcode == TERN_OP_PUT || opcode == TERN_OP_BCAST ||
        opcode == TERN_OP_PULL || fw_opcode_by_tree(opcode))
        return 1;
    return fw_opcode_reads(opcode) ? OP_PATIENCE : OP_SERVED_PATIENCE;
}

/*
 * Ends an operation without progress for OP_TIMEOUT_TICKS times its factor. A group of the tree
 * network has a time limit of its own.
 */
static void late(struct fw *fw, uint32_t slot)
{
    struct fw_op *op = &fw->op[slot];

    if (fw_slot_combines(slot) || ++op->idle < patience(fw, slot)) {
        fw->late |= 1u << slot;
        return;
    }
    if (!(op->flags & OP_KILLED))
        FW_COUNT(fw, timeouts);
    kill(fw, slot, TERN_ST_TIMEOUT);
}

/* Clears the late state of operations that made progress. */
APART static void forgive(struct fw *fw, uint32_t moved)
{
    uint32_t set = fw->late & moved, slot;

    fw->late &= ~moved;
    while (fw_slots_take(&set, &slot))
        fw->op[slot].idle = 0;
}

APART static void all_late(struct fw *fw, uint32_t set)
{
    uint32_t slot;

    while (fw_slots_take(&set, &slot))
        late(fw, slot);
}

/*
 * Increments the idle counts of the slots in `set`, and clears those in `moved`; returns the slots
 * whose count is full. All counts are updated in parallel, because a loop over slots would delay
 * all events.
 */
static inline uint32_t count_idle(struct fw *fw, uint32_t set, uint32_t moved)
{
#ifdef TICK_UNROLLED
#pragma GCC unroll 4
#endif
    for (unsigned i = 0; i < OP_IDLE_LOG2; i++) {
        uint32_t bits = fw->idle_looks[i] & ~moved;

        fw->idle_looks[i] = bits ^ set;
        set &= bits;
    }
    return set;
}

/*
 * Checks progress. A message that has not begun waits for others in the transmit unit; it is not
 * late while any operation makes progress.
 */
void fw_ops_tick(struct fw *fw)
{
    uint32_t moved = tx_progress_take(), busy = tx_ops_busy();
    uint32_t set = busy & ~moved;

    fw->tick_fast = busy != 0;
    fw->ops_ticked = 1;
    if (fw->late & moved)
        forgive(fw, moved);
    if (moved != 0 && set != 0)
        set &= tx_ops_sent();
    set = count_idle(fw, set, moved);
    if (set != 0)
        all_late(fw, set);
}

void fw_tick_rest(struct fw *fw, bool busy)
{
    if (fw_ops_turn(fw))
        fw_ops_tick(fw);
    fw->ops_ticked = 0;
    fw->ticks++;
    fw->tick_fast |= busy || fw->sends != 0 || fw->work != 0;
    fw_clock_set(fw);
}

void fw_ops_forget(struct fw *fw)
{
    uint32_t busy = tx_ops_busy();

    for (uint32_t slot = 0; slot < fw->id.slots; slot++) {
        if (!((busy >> slot) & 1)) {
            tx_op_members(slot, 0); /* set, but its command was never given */
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
