/* SPDX-License-Identifier: Apache-2.0 */
#include "desc.h"

#include "cq.h"
#include "node.h"
#include "op.h"
#include "queue.h"

static uint32_t slot_of(uint32_t event)
{
    return TERN_F(EV, slot, event);
}

uint32_t fw_node_status(const struct fw *fw, uint32_t node)
{
    unsigned port;

    if (!node_inside(node, fw->id.dims))
        return TERN_ST_BAD_NODE;
    port = node_port(fw->id.node, node, fw->id.dims);
    if (port != NODE_PORT_NONE && !((fw->links_up >> port) & 1))
        return TERN_ST_LINK_DOWN;
    return TERN_ST_OK;
}

/* Does nothing, in order: only its completion can be seen. */
static uint32_t nop(struct fw *fw, const struct fw_desc *d)
{
    uint32_t base = tx_slot(slot_of(d->event));
    uint32_t flags = TERN_F(DESC, flags, rd32(base));
    struct fw_queue *cq = &fw->queue[d->queue->cq];
    struct done done = {.queue = (uint16_t)d->number, .index = (uint16_t)d->queue->producer};

    if (flags & TERN_DFLAG_FENCE && fw_ops_of_queue(fw, d->number)) {
        d->queue->flags |= QUEUE_FENCED;
        return FW_STALL;
    }
    tx_slot_free(slot_of(d->event));
    if (flags & TERN_DFLAG_SIGNAL) {
        cq->room--;
        fw_cq_write(fw, d->queue->cq, &done);
    }
    return TERN_ST_OK;
}

static const fw_desc_handler handlers[] = {
    [TERN_OP_NOP] = nop,
#ifndef TERN_NO_PUT
    [TERN_OP_PUT] = fw_put,
#endif
    [TERN_OP_SEND] = fw_send,
};

uint32_t fw_desc_start(struct fw *fw, const struct fw_desc *d)
{
    uint32_t opcode = TERN_F(EV, opcode, d->event);

    if (TERN_F(EV, err, d->event) != 0)
        return TERN_F(EV, err, d->event);
    if (d->queue->flags & QUEUE_ADMIN)
        return fw_admin(fw, d);
    if (opcode >= sizeof(handlers) / sizeof(handlers[0]) || !handlers[opcode])
        return TERN_ST_BAD_OPCODE;
    return handlers[opcode](fw, d);
}

/* A descriptor that never started completes at once. */
static void refuse(struct fw *fw, const struct fw_desc *d, uint32_t status)
{
    uint32_t slot = slot_of(d->event);
    struct done done = {
        .status = (uint8_t)status,
        .opcode = (uint8_t)TERN_F(EV, opcode, d->event),
        .queue = (uint16_t)d->number,
        .index = (uint16_t)d->queue->producer,
        .fault = done_fault_side(status, false),
    };

    if (!(d->queue->flags & QUEUE_ADMIN))
        done.node = (uint16_t)TERN_F(DESC, dst_node, rd32(tx_slot(slot) + 4 * TERN_DESC_dst_node_WORD));
    if (status == TERN_ST_LINK_DOWN) {
        done.link = (uint8_t)(node_port(fw->id.node, done.node, fw->id.dims) + 1);
        done.node = fw->id.node;
    }
    tx_slot_free(slot);
    fw->queue[d->queue->cq].room--;
    fw_cq_write(fw, d->queue->cq, &done);
}

void fw_on_desc(struct fw *fw, uint32_t event)
{
    uint32_t number = TERN_F(EV, queue, event);
    struct fw_queue *q = &fw->queue[number];
    struct fw_desc d = {q, number, event};
    uint32_t result;

    if (q->type != TERN_QTYPE_SQ ||
        q->flags & (QUEUE_STALLED | QUEUE_CLOSING | QUEUE_DYING)) {
        q->producer++;
        tx_slot_free(slot_of(event));
        return;
    }
    result = fw_cq_ready(fw, q->cq) ? fw_desc_start(fw, &d) : FW_STALL;
    if (result == FW_HOLD) {
        fw->held = event;
        fw->work |= WORK_HELD;
        return;
    }
    FW_COUNT(fw, descs);
    if (result == FW_STALL) {
        tx_slot_free(slot_of(event));
        fw_queue_stall(fw, number);
    } else if (result != TERN_ST_OK && result != FW_LATER) {
        refuse(fw, &d, result);
    }
    q->producer++;
}
