/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct put: checks, an operation entry, one transmit command.
 *
 * This path has to be short: fw_put does the ordinary case without a stack frame,
 * everything else goes through put_checked.
 */
#include "cq.h"
#include "desc.h"
#include "op.h"
#include "tick.h"

/* The words of the descriptor that the firmware looks at. */
struct put {
    uint32_t frame, node, bytes;
};

static inline void put_read(struct put *put, uint32_t event)
{
    uintptr_t words = mmio_block(fw_desc_words(event));

    put->frame = rd32_in(words, 0);
    put->node = TERN_F(DESC, dst_node, rd32_in(words, 4 * TERN_DESC_dst_node_WORD));
    put->bytes = put->frame & TERN_V(DESC, flags, TERN_DFLAG_INLINE)
                     ? TERN_F(DESC, inline_len, put->frame)
                     : rd32_in(words, 4 * TERN_DESC_length_WORD);
}

/* One unsigned comparison says both: not 0, not more than allowed. */
static inline bool length_ok(const struct put *put)
{
    bool is_inline = (put->frame & TERN_V(DESC, flags, TERN_DFLAG_INLINE)) != 0;

    return put->bytes - 1 < (is_inline ? TERN_INLINE_BYTES_MAX : TERN_PUT_BYTES_MAX);
}

#define COMMAND(inl_, ack_, notify_) \
    (TERN_V(TXC, vn, TERN_VN_DATA) | TERN_V(TXC, type, TERN_PTYPE_PUT) | \
     TERN_V(TXC, inl, inl_) | TERN_V(TXC, ack, ack_) | TERN_V(TXC, notify, notify_) | \
     TERN_V(TXC, free_slot, 1))

/* The command for the flags UNACKED, INLINE, SIGNAL, which are bits 2 to 0. */
static const uint32_t commands[8] = {
    COMMAND(0, 1, 0), COMMAND(0, 1, 1), COMMAND(1, 1, 0), COMMAND(1, 1, 1),
    COMMAND(0, 0, 0), COMMAND(0, 0, 1), COMMAND(1, 0, 0), COMMAND(1, 0, 1),
};
_Static_assert(TERN_DFLAG_SIGNAL == 1 && TERN_DFLAG_INLINE == 2 &&
                   TERN_DFLAG_UNACKED == 4,
               "the table goes by these bits");

/* What the end of the operation has to know.  Hardware is under way meanwhile. */
static inline void record(struct fw *fw, struct fw_queue *q, uint32_t event,
                          uint32_t entry, const struct put *put)
{
    struct fw_op *op = &fw->op[entry];
    struct fw_queue *cq = &fw->queue[q->cq];

    op->queue = (uint16_t)TERN_F(EV, queue, event);
    op->index = (uint16_t)q->producer++;
    op->node = (uint16_t)put->node;
    op->opcode = TERN_OP_PUT;
    op->length = put->bytes;
    op->idle = 0;
    op->flags = OP_SILENT;
    cq->room--;
    if (put->frame & TERN_V(DESC, flags, TERN_DFLAG_SIGNAL)) {
        op->flags = OP_SIGNAL;
        cq->reserved++;
    }
}

/* The checks are done and a command fits. */
static inline void start(struct fw *fw, struct fw_queue *q, uint32_t event,
                         const struct put *put)
{
    uint32_t entry = tx_op_alloc();

    if (entry & TX_OP_NONE_FREE) {
        fw_desc_not_started(fw, q, event, FW_HOLD);
        return;
    }
    tx_start(&fw->tx, commands[TERN_F(DESC, flags, put->frame) & 7] |
                          TERN_V(TXC, slot, TERN_F(EV, slot, event)) |
                          TERN_V(TXC, op, entry));
    record(fw, q, event, entry, put);
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
}

static uint32_t check(struct fw *fw, struct fw_queue *q, uint32_t event,
                      const struct put *put)
{
    uint32_t status = length_ok(put) ? fw_node_status(fw, put->node) : TERN_ST_BAD_LENGTH;

    if (status == TERN_ST_OK && put->frame & TERN_V(DESC, flags, TERN_DFLAG_FENCE))
        status = fw_desc_fence(fw, q, event);
    if (status == TERN_ST_OK && !tx_ready(&fw->tx))
        status = FW_HOLD;
    return status;
}

__attribute__((noinline)) static void put_checked(struct fw *fw, struct fw_queue *q,
                                                  uint32_t event)
{
    struct put put;
    uint32_t result;

    put_read(&put, event);
    result = check(fw, q, event, &put);
    if (result == TERN_ST_OK)
        start(fw, q, event, &put);
    else
        fw_desc_not_started(fw, q, event, result);
}

void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    struct put put;

    put_read(&put, event);
    if (put.node != fw->good_node || !length_ok(&put) || !tx_ready(&fw->tx) ||
        put.frame & TERN_V(DESC, flags, TERN_DFLAG_FENCE))
        put_checked(fw, q, event);
    else
        start(fw, q, event, &put);
}
