/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in flight, as tern_optab. */
#include "inside.h"

static struct soft_op *busy_op(struct soft_node *node, uint32_t op)
{
    return op < SOFT_OPS && node->ops.op[op].busy ? &node->ops.op[op] : NULL;
}

/* In use and not ended. */
static struct soft_op *live_op(struct soft_node *node, uint32_t op)
{
    struct soft_op *o = busy_op(node, op);

    return o != NULL && !o->ended ? o : NULL;
}

static void let_go(struct soft_op *op)
{
    op->busy = false;
    op->ended = false;
    op->generation++;
}

/* After a change: the operation may have ended. */
static void look(struct soft_node *node, struct soft_op *op)
{
    if (!op->sent_all || !(op->killed || !op->ack || op->out == 0))
        return;
    if (!op->notify && op->status == TERN_ST_OK) {
        let_go(op);
        return;
    }
    op->ended = true;
    op->told = true;
    soft_event(node, TERN_EV_OP,
               TERN_V(EV, op, op - node->ops.op) | TERN_V(EV, opstatus, op->status));
}

/* The first bad status sticks. */
static void note(struct soft_op *op, uint8_t status)
{
    if (op->status == TERN_ST_OK)
        op->status = status;
}

static void step_next(struct soft_ops *ops)
{
    ops->next = (ops->next + 1) % SOFT_OPS;
}

uint32_t soft_op_alloc(struct soft_node *node)
{
    struct soft_ops *ops = &node->ops;
    struct soft_op *op;
    uint32_t number;

    for (unsigned i = 0; i < SOFT_OPS && ops->op[ops->next].busy; i++)
        step_next(ops);
    op = &ops->op[ops->next];
    if (op->busy)
        return UINT32_C(1) << 31;
    number = ops->next;
    *op = (struct soft_op){
        .generation = op->generation, .ack = op->ack, .notify = op->notify, .busy = true};
    ops->progress &= ~(UINT64_C(1) << number);
    step_next(ops);
    return number;
}

void soft_op_free(struct soft_node *node, uint32_t op)
{
    struct soft_op *o = busy_op(node, op);

    if (o != NULL && !o->told)
        let_go(o);
}

void soft_op_kill(struct soft_node *node, uint32_t op, uint8_t status)
{
    struct soft_op *o = live_op(node, op);

    if (o == NULL)
        return;
    o->killed = true;
    note(o, status);
    look(node, o);
}

uint32_t soft_ops_busy(const struct soft_node *node, unsigned word)
{
    uint32_t bits = 0;

    for (unsigned i = 0; i < 32; i++)
        bits |= (uint32_t)node->ops.op[32 * word + i].busy << i;
    return bits;
}

uint32_t soft_ops_progress(struct soft_node *node, unsigned word)
{
    uint32_t bits = (uint32_t)(node->ops.progress >> (32 * word));

    node->ops.progress &= ~((uint64_t)UINT32_MAX << (32 * word));
    return bits;
}

void soft_op_start(struct soft_node *node, uint32_t op, bool ack, bool notify)
{
    struct soft_op *o = live_op(node, op);

    if (o == NULL)
        return;
    o->ack = ack;
    o->notify = notify;
}

void soft_op_sent(struct soft_node *node, uint32_t op)
{
    struct soft_op *o = live_op(node, op);

    if (o == NULL)
        return;
    o->out++;
    node->ops.progress |= UINT64_C(1) << op;
}

void soft_op_end(struct soft_node *node, uint32_t op, uint8_t status)
{
    struct soft_op *o = live_op(node, op);

    if (o == NULL)
        return;
    o->sent_all = true;
    note(o, status);
    look(node, o);
}

void soft_op_acked(struct soft_node *node, uint16_t opid, uint8_t status)
{
    uint32_t op = opid & 0xff;
    struct soft_op *o = live_op(node, op);

    if (o == NULL || !o->ack || o->generation != opid >> 8 || o->out == 0) {
        SOFT_COUNT(node, rx_stale_acks);
        return;
    }
    o->out--;
    node->ops.progress |= UINT64_C(1) << op;
    note(o, status);
    look(node, o);
}

uint16_t soft_op_id(const struct soft_node *node, uint32_t op)
{
    if (op >= SOFT_OPS)
        return (uint16_t)op;
    return (uint16_t)(op | (uint32_t)node->ops.op[op].generation << 8);
}
