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

static inline bool length_fits(uint32_t from)
{
    return TERN_F(PKT, length, rx_header(from, TERN_PKT_length_WORD)) == TERN_READ_BYTES;
}

bool fw_read_begin(struct fw *fw, uint32_t event)
{
    uint32_t from = TERN_F(EV, rxslot, event), slot = TERN_F(RXC, slot, fw->read_copy);
    uint32_t n = slot - fw->id.slots;

    if (fw_recv_is_stale(fw, from) || !length_fits(from))
        return false;
    wr32(TERN_MMIO_TX_CMD, REPLY_COMMAND | TERN_V(TXC, slot, slot));
    fw->own_busy |= (uint8_t)(1u << n);
    fw->reading |= 1u << slot;
    fw->read_from[n] = (uint8_t)from;
    fw_reads_look(fw);
    fw_tick_hurry(fw);
    return true;
}

uint32_t fw_read_take(struct fw *fw, uint32_t event)
{
    if (fw->read_copy == 0 || !tx_ready(&fw->tx))
        return (uint8_t)(fw->ticks - fw->rx_since) > PATIENCE_TICKS ? (uint32_t)TERN_ST_RNR : FW_HOLD;
    rx_copy(event | fw->read_copy);
    if (!fw_read_begin(fw, event))
        return TERN_ST_BAD_LENGTH;
    fw->tx.room--;
    return FW_LATER;
}

void fw_reads_look(struct fw *fw)
{
    uint32_t n = 1;

    while (fw->own_busy >> n & 1)
        n++;
    fw->read_copy = n < fw->id.own_slots ? TERN_V(RXC, slot, fw->id.slots + n) : 0;
}

bool fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t from = fw->read_from[(slot - fw->id.slots) % FW_OWN_SLOTS];

    if (!(fw->reading >> slot & 1))
        return false;
    fw->reading &= ~(1u << slot);
    fw_own_ended(fw, slot);
    if (status == TERN_ST_OK)
        rx_free(from);
    else
        fw_recv_refuse(fw, from, status);
    return true;
}

bool fw_region_is_read(const struct fw *fw, uint32_t index)
{
    uint32_t slot = fw->id.slots;

    for (uint32_t set = fw->reading >> slot; set != 0; set >>= 1, slot++)
        if (set & 1 && KEY_INDEX(rd32(tx_slot(slot) + 4 * TERN_DESC_local_key_WORD)) == index)
            return true;
    return false;
}
