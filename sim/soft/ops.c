/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in flight, each named by its descriptor slot, like tern_optab. */
#include "inside.h"

/* Returns the operation if it is in flight, else NULL. */
static struct soft_op *live_op(struct soft_node *node, uint32_t slot)
{
    struct soft_op *op = slot < SOFT_SLOTS ? &node->ops.op[slot] : NULL;

    return op != NULL && op->busy && !op->told ? op : NULL;
}

/*
 * Ends an operation if its last change completes it. Its entry is then ready for the next one, with
 * a new generation. The slot is the prefetcher's, or the firmware's once it has taken the event.
 */
static void look(struct soft_node *node, struct soft_op *op)
{
    uint8_t status = op->status;
    unsigned slot = (unsigned)(op - node->ops.op);
    bool tell = op->notify || status != TERN_ST_OK;

    if (!op->sent_all || !(op->killed || op->out == 0))
        return;
    *op = (struct soft_op){
        .generation = (uint8_t)(op->generation + 1), .busy = tell, .told = tell, .sent = op->sent};
    if (tell)
        soft_event(node, TERN_EV_OP,
                   TERN_V(EV, slot, slot) | TERN_V(EV, opstatus, status) |
                       TERN_V(EV, queue, node->prefetch.slot[slot].queue));
    else
        soft_slot_free(node, slot);
}

/* Keeps the first bad status. */
static void note(struct soft_op *op, uint8_t status)
{
    if (op->status == TERN_ST_OK)
        op->status = status;
}

void soft_op_begin(struct soft_node *node, uint32_t slot)
{
    struct soft_op *op = &node->ops.op[slot % SOFT_SLOTS];

    op->busy = true;
    op->sent = false;
    node->ops.progress |= UINT32_C(1) << slot % SOFT_SLOTS;
}

void soft_op_taken(struct soft_node *node, uint32_t slot)
{
    node->ops.op[slot % SOFT_SLOTS].busy = false;
    node->ops.op[slot % SOFT_SLOTS].told = false;
}

void soft_op_kill(struct soft_node *node, uint32_t slot, uint8_t status)
{
    struct soft_op *op = live_op(node, slot);

    if (op == NULL)
        return;
    op->killed = true;
    note(op, status);
    look(node, op);
}

uint32_t soft_ops_busy(const struct soft_node *node)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < SOFT_SLOTS; i++)
        bits |= (uint32_t)node->ops.op[i].busy << i;
    return bits;
}

uint32_t soft_ops_sent(const struct soft_node *node)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < SOFT_SLOTS; i++)
        bits |= (uint32_t)node->ops.op[i].sent << i;
    return bits;
}

uint32_t soft_ops_progress(struct soft_node *node)
{
    uint32_t bits = node->ops.progress;

    node->ops.progress = 0;
    return bits;
}

void soft_op_members(struct soft_node *node, uint32_t slot, uint32_t members)
{
    if (slot < SOFT_SLOTS)
        node->ops.op[slot].out = members;
}

void soft_op_start(struct soft_node *node, uint32_t slot, bool notify)
{
    struct soft_op *op = live_op(node, slot);

    if (op != NULL)
        op->notify = notify;
}

void soft_op_sent(struct soft_node *node, uint32_t slot, bool answered)
{
    struct soft_op *op = live_op(node, slot);

    if (op == NULL)
        return;
    op->out += answered;
    op->sent = true;
    node->ops.progress |= UINT32_C(1) << slot;
}

/*
 * Ends an operation's transmission. Only the last packet of a broadcast asks for answers, so none
 * come before it has left.
 */
void soft_op_end(struct soft_node *node, uint32_t slot, uint8_t status, bool answered)
{
    struct soft_op *op = live_op(node, slot);

    if (op == NULL)
        return;
    op->sent_all = true;
    if (!answered && status != TERN_ST_OK)
        op->out = 0;
    note(op, status);
    look(node, op);
}

bool soft_op_acked(struct soft_node *node, uint16_t opid, uint8_t status, bool last)
{
    uint32_t slot = soft_op_slot(node, opid);
    struct soft_op *op = live_op(node, slot);

    if (op == NULL || op->generation != opid >> 8 || op->out == 0) {
        SOFT_COUNT(node, rx_stale_acks);
        return false;
    }
    op->out = last ? 0 : op->out - 1;
    node->ops.progress |= UINT32_C(1) << slot;
    note(op, status);
    look(node, op);
    return true;
}

/* Two bits of an operation's number tell the lives of this node apart; they are 0 in the first. */
static uint32_t life(const struct soft_node *node)
{
    return ((node->sys.incarnation ^ SOFT_INCARNATION_FIRST) & 3u) << 6;
}

uint16_t soft_op_id(const struct soft_node *node, uint32_t slot)
{
    return (uint16_t)(slot | life(node) |
                      (uint32_t)node->ops.op[slot % SOFT_SLOTS].generation << 8);
}

uint32_t soft_op_slot(const struct soft_node *node, uint16_t opid)
{
    return (opid & 0xff) ^ life(node);
}
