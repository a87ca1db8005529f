/* SPDX-License-Identifier: Apache-2.0 */
#include "op.h"

#include "cq.h"
#include "log.h"
#include "node.h"
#include "send.h"

#define OP_WORDS (FW_OPS / 32)

/* Entries of the table that are still to be visited. */
struct op_set {
    uint32_t words[OP_WORDS];
};

static struct op_set ops_busy(void)
{
    struct op_set set;

    for (unsigned word = 0; word < OP_WORDS; word++)
        set.words[word] = tx_ops_busy(word);
    return set;
}

/* Number of the one bit set in `bit`. */
static inline uint32_t bit_number(uint32_t bit)
{
    return (uint32_t)((bit & 0xaaaaaaaa) != 0) |
           (uint32_t)((bit & 0xcccccccc) != 0) << 1 |
           (uint32_t)((bit & 0xf0f0f0f0) != 0) << 2 |
           (uint32_t)((bit & 0xff00ff00) != 0) << 3 |
           (uint32_t)((bit & 0xffff0000) != 0) << 4;
}

/* Takes an entry out of the set; false when it is empty. */
static bool take(struct op_set *set, uint32_t *entry)
{
    for (uint32_t word = 0; word < OP_WORDS; word++) {
        uint32_t bits = set->words[word];

        if (bits != 0) {
            set->words[word] = bits & (bits - 1);
            *entry = 32 * word + bit_number(bits & -bits);
            return true;
        }
    }
    return false;
}

void fw_op_finish(struct fw *fw, const struct fw_op *op, uint32_t status, bool sent)
{
    uint32_t cq = fw->queue[op->queue].cq;
    struct done done = {
        .status = (uint8_t)status,
        .opcode = op->opcode,
        .queue = op->queue,
        .index = op->index,
        .node = op->node,
        .length = status == TERN_ST_OK ? op->length : 0,
        .fault = done_fault_side(status, sent),
    };

    if (status == TERN_ST_OK && !(op->flags & OP_SIGNAL)) {
        if (!(op->flags & OP_SILENT))
            fw_cq_return(&fw->queue[cq]);
        return;
    }
    if (status == TERN_ST_LINK_DOWN) {
        done.node = fw->id.node;
        done.link = (uint8_t)(node_port(fw->id.node, op->node, fw->id.dims) + 1);
    }
    if (status != TERN_ST_OK)
        LOG(OP_ERROR, op->queue, status, op->node);
    if (op->flags & OP_SILENT)
        fw_cq_write(fw, cq, &done);
    else
        fw_cq_complete(fw, cq, &done);
}

/* Takes hardware's progress bits into the records; whether anything moved. */
static bool note_progress(struct fw *fw)
{
    struct op_set set = ops_busy();
    uint32_t any = 0, n;

    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t moved = tx_progress_take(word);

        any |= moved;
        set.words[word] &= moved;
    }
    while (take(&set, &n)) {
        fw->op[n].flags |= OP_SENT;
        fw->op[n].idle = 0;
    }
    return any != 0;
}

__attribute__((noinline)) static void op_ended(struct fw *fw, uint32_t event)
{
    uint32_t entry = TERN_F(EV, op, event);
    uint32_t status = TERN_F(EV, opstatus, event);
    struct fw_op op = fw->op[entry % FW_OPS];
    bool sent;

    if (status != TERN_ST_OK)
        (void)note_progress(fw);
    sent = (fw->op[entry % FW_OPS].flags & OP_SENT) != 0;
    tx_op_free(entry);
    if (op.flags & OP_DEAD) {
        if (op.opcode == TERN_OP_SEND)
            fw_send_release(fw, op.slot);
        return;
    }
    if (op.opcode == TERN_OP_SEND)
        fw_send_ended(fw, &op, status, sent);
    else
        fw_op_finish(fw, &op, status, sent);
}

/* A put that went well and completes; everything else goes the long way. */
void fw_on_op(struct fw *fw, uint32_t event)
{
    const struct fw_op *op = &fw->op[TERN_F(EV, op, event) % FW_OPS];

    if (TERN_F(EV, opstatus, event) == TERN_ST_OK && op->opcode == TERN_OP_PUT &&
        (op->flags & (OP_SIGNAL | OP_SILENT | OP_DEAD)) == OP_SIGNAL &&
        fw_cq_put_done(fw, op))
        tx_op_free(TERN_F(EV, op, event));
    else
        op_ended(fw, event);
}

uint32_t fw_ops_silent(const struct fw *fw, uint32_t cq)
{
    struct op_set set = ops_busy();
    uint32_t count = 0, n;

    while (take(&set, &n)) {
        const struct fw_op *op = &fw->op[n];

        if ((op->flags & (OP_SILENT | OP_DEAD)) == OP_SILENT)
            count += fw->queue[op->queue].cq == cq;
    }
    return count;
}

bool fw_ops_of_queue(const struct fw *fw, uint32_t queue)
{
    struct op_set set = ops_busy();
    uint32_t n;

    while (take(&set, &n))
        if (fw->op[n].queue == queue && !(fw->op[n].flags & OP_DEAD))
            return true;
    return fw_sends_of_queue(fw, queue);
}

uint32_t fw_ops_used(void)
{
    struct op_set set = ops_busy();
    uint32_t count = 0, n;

    while (take(&set, &n))
        count++;
    return count;
}

static void kill(struct fw *fw, uint32_t entry, uint32_t status)
{
    fw->op[entry].flags |= OP_KILLED;
    fw->op[entry].idle = 0;
    tx_op_kill(entry, status);
}

void fw_ops_link_down(struct fw *fw, unsigned port)
{
    struct op_set set = ops_busy();
    uint32_t n;

    while (take(&set, &n))
        if (node_port(fw->id.node, fw->op[n].node, fw->id.dims) == port)
            kill(fw, n, TERN_ST_LINK_DOWN);
}

static void sweep_one(struct fw *fw, uint32_t entry)
{
    struct fw_op *op = &fw->op[entry];

    if (!(op->flags & OP_DEAD)) {
        op->owner = fw->queue[op->queue].fn;
        if (!fw_fn_sweeping(fw, op->owner))
            return;
        op->flags |= OP_DEAD;
        kill(fw, entry, TERN_ST_FLUSHED);
    }
    fw->fn[op->owner].clean = 0;
}

void fw_ops_sweep(struct fw *fw)
{
    struct op_set set = ops_busy();
    uint32_t n;

    while (take(&set, &n))
        sweep_one(fw, n);
}

/*
 * One entry in use, at a tick.  A message that has not begun stands behind others in the
 * transmit unit: as long as any operation moves, it is not late.
 */
static void tick_one(struct fw *fw, uint32_t entry, bool any_moved)
{
    struct fw_op *op = &fw->op[entry];

    if (!(op->flags & OP_SENT) && any_moved)
        return;
    if (++op->idle <= OP_TIMEOUT_TICKS)
        return;
    if (op->flags & OP_DEAD) {
        tx_op_free(entry); /* an earlier life took it and never started it */
        return;
    }
    if (!(op->flags & OP_KILLED))
        FW_COUNT(fw, timeouts);
    kill(fw, entry, TERN_ST_TIMEOUT);
}

bool fw_ops_tick(struct fw *fw)
{
    bool any_moved = note_progress(fw);
    struct op_set set = ops_busy();
    bool busy = false;
    uint32_t n;

    while (take(&set, &n)) {
        busy = true;
        tick_one(fw, n, any_moved);
    }
    return busy;
}

void fw_ops_forget(struct fw *fw)
{
    struct op_set set = ops_busy();
    uint32_t n;

    while (take(&set, &n)) {
        fw->op[n].flags = OP_DEAD;
        kill(fw, n, TERN_ST_FLUSHED);
    }
}
