/* SPDX-License-Identifier: Apache-2.0 */
#include "op.h"

#include "cq.h"
#include "log.h"
#include "node.h"
#include "send.h"

/* Loop over the entries in use: `bits` and `n` are the caller's variables. */
#define FOR_BITS(bits, n, first) for ((n) = (first); (bits) != 0; (bits) >>= 1, (n)++)

#define OP_WORDS (FW_OPS / 32)

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
    bool any = false;

    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_progress_take(word);
        uint32_t n;

        any |= bits != 0;
        FOR_BITS(bits, n, 32 * word)
        {
            if (bits & 1) {
                fw->op[n].flags |= OP_SENT;
                fw->op[n].idle = 0;
            }
        }
    }
    return any;
}

void fw_on_op(struct fw *fw, uint32_t event)
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

uint32_t fw_ops_silent(const struct fw *fw, uint32_t cq)
{
    uint32_t count = 0;

    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        FOR_BITS(bits, n, 32 * word)
        {
            const struct fw_op *op = &fw->op[n];

            if (bits & 1 && (op->flags & (OP_SILENT | OP_DEAD)) == OP_SILENT)
                count += fw->queue[op->queue].cq == cq;
        }
    }
    return count;
}

bool fw_ops_of_queue(const struct fw *fw, uint32_t queue)
{
    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        FOR_BITS(bits, n, 32 * word)
        if (bits & 1 && fw->op[n].queue == queue && !(fw->op[n].flags & OP_DEAD))
            return true;
    }
    return fw_sends_of_queue(fw, queue);
}

static void kill(struct fw *fw, uint32_t entry, uint32_t status)
{
    fw->op[entry].flags |= OP_KILLED;
    fw->op[entry].idle = 0;
    tx_op_kill(entry, status);
}

void fw_ops_link_down(struct fw *fw, unsigned port)
{
    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        FOR_BITS(bits, n, 32 * word)
        if (bits & 1 && node_port(fw->id.node, fw->op[n].node, fw->id.dims) == port)
            kill(fw, n, TERN_ST_LINK_DOWN);
    }
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
    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        FOR_BITS(bits, n, 32 * word)
        if (bits & 1)
            sweep_one(fw, n);
    }
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
    bool busy = false;

    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        busy |= bits != 0;
        FOR_BITS(bits, n, 32 * word)
        if (bits & 1)
            tick_one(fw, n, any_moved);
    }
    return busy;
}

void fw_ops_forget(struct fw *fw)
{
    for (unsigned word = 0; word < OP_WORDS; word++) {
        uint32_t bits = tx_ops_busy(word);
        uint32_t n;

        FOR_BITS(bits, n, 32 * word)
        {
            if (bits & 1) {
                fw->op[n].flags = OP_DEAD;
                kill(fw, n, TERN_ST_FLUSHED);
            }
        }
    }
}
