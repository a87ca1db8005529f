/* SPDX-License-Identifier: Apache-2.0 */
#include "put.h"

#include "clock.h"
#include "desc.h"
#include "node.h"
#include "op.h"
#include "read.h"
#include "slots.h"

_Static_assert(TERN_OP_ADD - TERN_OP_CAS == TERN_PTYPE_ADD - TERN_PTYPE_CAS &&
                   TERN_OP_READ - TERN_OP_CAS == TERN_PTYPE_READ - TERN_PTYPE_CAS &&
                   TERN_OP_LOOKUP - TERN_OP_CAS == TERN_PTYPE_LOOKUP - TERN_PTYPE_CAS &&
                   TERN_OP_TAKE - TERN_OP_CAS == TERN_PTYPE_TAKE - TERN_PTYPE_CAS,
               "an opcode becomes a packet type by one sum");

/*
 * Puts behind fences come here one by one; the firmware of the lean configuration is to be small.
 */
#ifdef __OPTIMIZE_SIZE__
#define SWIFT static
#define follow fw_op_follow
#else
#define SWIFT static inline __attribute__((always_inline))
#define follow fw_op_follow_here
#endif

static bool is_put(uint32_t frame)
{
    return TERN_F(DESC, opcode, frame) == TERN_OP_PUT;
}

static bool is_read(uint32_t frame)
{
    return TERN_F(DESC, opcode, frame) == TERN_OP_READ;
}

static bool is_lookup(uint32_t frame)
{
    return TERN_F(DESC, opcode, frame) == TERN_OP_LOOKUP;
}

/* Returns the transmit command; every operation except a put is always answered. */
static uint32_t command(uint32_t frame)
{
    uint32_t flags = TERN_F(DESC, flags, frame) & PLAIN_FLAGS;

    if (is_put(frame))
        return PUT_COMMAND | flags << TERN_TXC_notify_LSB;
    flags &= ~(uint32_t)TERN_DFLAG_UNACKED;
    return TERN_V(TXC, type, TERN_F(DESC, opcode, frame) + TERN_PTYPE_CAS - TERN_OP_CAS) |
           TERN_V(TXC, vn, TERN_VN_REQUEST) | flags << TERN_TXC_notify_LSB;
}

/* Checks lengths: operands must be inline. Hardware checks the length of a put. */
static bool length_fits(const struct fw *fw, uint32_t slot, uint32_t frame)
{
    static const uint32_t mask =
        TERN_V(DESC, flags, TERN_DFLAG_INLINE) | TERN_V(DESC, inline_len, ~0u);
    uint32_t operands = is_read(frame) ? TERN_READ_BYTES : TERN_ATO_BYTES;

    if (is_put(frame))
        return true;
    if (is_read(frame) && fw_read_bytes(slot) - 1 >= TERN_PUT_BYTES_MAX)
        return false;
    if (is_lookup(frame) && TERN_F(LKP, length, fw_read_bytes(slot)) - 1 >= fw->id.payload_max)
        return false;
    return (frame & mask) ==
           (TERN_V(DESC, flags, TERN_DFLAG_INLINE) | TERN_V(DESC, inline_len, operands));
}

__attribute__((noinline)) uint32_t fw_put_check(struct fw *fw, struct fw_queue *q, uint32_t event,
                                                uint32_t frame)
{
    uint32_t slot = TERN_F(EV, slot, event), status = fw_node_status(fw, fw_slot_node(slot));

    if (!length_fits(fw, slot, frame))
        return TERN_ST_BAD_LENGTH;
    if (status == TERN_ST_OK && TERN_F(DESC, counted, frame))
        status = fw_op_counter_status(fw, q, slot);
    if (status == TERN_ST_OK && !tx_ready(&fw->tx))
        status = FW_HOLD;
    return status;
}

/* Issues the command; hardware checks the rest. */
SWIFT void start(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame)
{
    tx_start(&fw->tx, command(frame) | TERN_V(TXC, slot, slot) |
                          follow(fw, slot, frame) << TERN_TXC_notify_LSB);
    q->producer++;
    fw->queue[q->cq].room--;
    FW_COUNT(fw, puts);
    fw_tick_hurry(fw);
}

/* Tells whether it is a put that needs no check for a counter or a link that is down. */
static bool is_plain_put(const struct fw *fw, uint32_t frame)
{
    return is_put(frame) && !TERN_F(DESC, counted, frame) && fw->links_up == NODE_PORTS_ALL;
}

void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    uint32_t slot = TERN_F(EV, slot, event), frame = rd32(fw_desc_words(event)), result;

    if (is_plain_put(fw, frame) && tx_ready(&fw->tx)) {
        start(fw, q, slot, frame);
        return;
    }
    result = fw_put_check(fw, q, event, frame);
    if (result != TERN_ST_OK) {
        fw_desc_not_started(fw, q, event, result);
        return;
    }
    if (is_read(frame))
        fw_read_expect(fw, slot);
    start(fw, q, slot, frame);
}
