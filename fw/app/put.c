/* SPDX-License-Identifier: Apache-2.0 */
/* Direct put: checks, an operation entry, one transmit command.  The path that has to be short. */
#include "cq.h"
#include "desc.h"
#include "node.h"
#include "op.h"
#include "tick.h"

static uint32_t slot_word(uint32_t base, unsigned word)
{
    return rd32(base + 4 * word);
}

/* Bytes to move, 0 when the length is not allowed. */
static uint32_t put_bytes(uint32_t base, uint32_t frame)
{
    uint32_t bytes;

    if (TERN_F(DESC, flags, frame) & TERN_DFLAG_INLINE) {
        bytes = TERN_F(DESC, inline_len, frame);
        return bytes <= TERN_INLINE_BYTES_MAX ? bytes : 0;
    }
    bytes = slot_word(base, TERN_DESC_length_WORD);
    return bytes <= TERN_PUT_BYTES_MAX ? bytes : 0;
}

static uint32_t put_command(uint32_t slot, uint32_t op, uint32_t flags)
{
    bool want_ack = !(flags & TERN_DFLAG_UNACKED);

    return TERN_V(TXC, slot, slot) | TERN_V(TXC, vn, TERN_VN_DATA) |
           TERN_V(TXC, type, TERN_PTYPE_PUT) | TERN_V(TXC, op, op) |
           TERN_V(TXC, inl, (flags & TERN_DFLAG_INLINE) != 0) | TERN_V(TXC, ack, want_ack) |
           TERN_V(TXC, notify, (flags & TERN_DFLAG_SIGNAL) != 0) | TERN_V(TXC, free_slot, 1);
}

uint32_t fw_put(struct fw *fw, const struct fw_desc *d)
{
    uint32_t slot = TERN_F(EV, slot, d->event);
    uint32_t base = tx_slot(slot);
    uint32_t frame = slot_word(base, 0);
    uint32_t flags = TERN_F(DESC, flags, frame);
    uint32_t node = TERN_F(DESC, dst_node, slot_word(base, TERN_DESC_dst_node_WORD));
    uint32_t bytes = put_bytes(base, frame);
    uint32_t status, entry;
    struct fw_op *op;

    if (bytes == 0)
        return TERN_ST_BAD_LENGTH;
    status = fw_node_status(fw, node);
    if (status != TERN_ST_OK)
        return status;
    if (flags & TERN_DFLAG_FENCE && fw_ops_of_queue(fw, d->number)) {
        d->queue->flags |= QUEUE_FENCED;
        return FW_STALL;
    }
    if (!tx_ready(&fw->tx))
        return FW_HOLD;
    entry = tx_op_alloc();
    if (entry & TX_OP_NONE_FREE)
        return FW_HOLD;
    tx_start(&fw->tx, put_command(slot, entry, flags));

    /* Hardware is under way; what follows is for the end of the operation. */
    op = &fw->op[entry];
    op->queue = (uint16_t)d->number;
    op->index = (uint16_t)d->queue->producer;
    op->node = (uint16_t)node;
    op->opcode = TERN_OP_PUT;
    op->length = bytes;
    op->idle = 0;
    if (flags & TERN_DFLAG_SIGNAL) {
        op->flags = OP_SIGNAL;
        fw_cq_reserve(&fw->queue[d->queue->cq]);
    } else {
        op->flags = OP_SILENT;
        fw->queue[d->queue->cq].room--;
    }
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
    return TERN_ST_OK;
}
