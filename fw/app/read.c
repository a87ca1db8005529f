/* SPDX-License-Identifier: Apache-2.0 */
#include "read.h"

#include "key.h"
#include "recv.h"
#include "reply.h"
#include "tick.h"

/* Ticks that a read may hold back other packets. */
#define PATIENCE_TICKS 2u

#define REPLY_COMMAND \
    (TERN_V(TXC, type, TERN_PTYPE_REPLY) | TERN_V(TXC, vn, TERN_VN_DATA) | TERN_V(TXC, notify, 1))

/* ---- the origin */

void fw_read_expect(const struct fw *fw, uint32_t slot)
{
    uint32_t bytes = fw_read_bytes(slot);

    if (bytes > fw->id.payload_max)
        tx_op_members(slot, (bytes - 1) / fw->id.payload_max);
}

/* ---- the target */

uint32_t fw_read_fault(const struct fw *fw, uint32_t slot)
{
    if (fw_recv_is_stale(fw, slot))
        return TERN_ST_STALE_NODE;
    return TERN_F(PKT, length, rx_header(slot, TERN_PKT_length_WORD)) == TERN_READ_BYTES ? TERN_ST_OK
                                                                                         : TERN_ST_BAD_LENGTH;
}

bool fw_read_begin(struct fw *fw, uint32_t event)
{
    uint32_t free = fw->read_slots & ~(uint32_t)fw->own_busy, n = 0;
    uint32_t from = TERN_F(EV, rxslot, event), slot;

    if (free == 0 || !tx_ready(&fw->tx) || fw_read_fault(fw, from) != TERN_ST_OK)
        return false;
    while (!(free >> n & 1))
        n++;
    slot = fw->id.slots + n;
    rx_copy(event, slot);
    tx_start(&fw->tx, REPLY_COMMAND | TERN_V(TXC, slot, slot));
    fw->own_busy |= (uint8_t)(1u << n);
    fw->reading |= (uint8_t)(1u << n);
    fw->read_from[n] = (uint8_t)from;
    fw_tick_hurry(fw);
    return true;
}

bool fw_read_left(struct fw *fw, uint32_t slot)
{
    uint32_t n = slot - fw->id.slots;

    if (fw->op[slot].flags != OP_OWN || !(fw->reading >> n & 1) || fw->reply_first != fw->reply_last)
        return false;
    fw->reading &= (uint8_t)~(1u << n);
    fw->own_busy &= (uint8_t)~(1u << n);
    rx_free(fw->read_from[n]);
    return true;
}

bool fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t n = slot - fw->id.slots;

    if (!(fw->reading >> n & 1))
        return false;
    fw->reading &= (uint8_t)~(1u << n);
    fw_own_ended(fw, slot);
    if (status == TERN_ST_OK)
        rx_free(fw->read_from[n]);
    else
        fw_recv_refuse(fw, fw->read_from[n], status);
    return true;
}

bool fw_region_is_read(const struct fw *fw, uint32_t index)
{
    for (uint32_t n = 0; fw->reading >> n != 0; n++)
        if (fw->reading >> n & 1 &&
            KEY_INDEX(rd32(tx_slot(fw->id.slots + n) + 4 * TERN_DESC_local_key_WORD)) == index)
            return true;
    return false;
}

void fw_reads_tick(struct fw *fw)
{
    if (!(fw->work & WORK_RX_HELD) || TERN_F(EV, pkttype, fw->rx_held) != TERN_PTYPE_READ ||
        ++fw->read_ticks <= PATIENCE_TICKS || !rx_ack_ready(&fw->rx))
        return;
    fw->work &= ~(uint32_t)WORK_RX_HELD;
    fw->read_ticks = 0;
    FW_COUNT(fw, rnr_sent);
    rx_answer(&fw->rx, TERN_F(EV, rxslot, fw->rx_held), TERN_ST_RNR);
}

/* The first is left to messages, so one receive slot is never kept by a read. */
void fw_reads_init(struct fw *fw)
{
    uint32_t slots = fw->id.own_slots < fw->id.rx_slots ? fw->id.own_slots : fw->id.rx_slots;

    fw->read_slots = (uint8_t)(((1u << slots) - 1) & ~1u);
}
