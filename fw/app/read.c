/* SPDX-License-Identifier: Apache-2.0 */
#include "read.h"

#include "key.h"
#include "reply.h"

/* Ticks that a read may hold back other packets. */
#define PATIENCE_TICKS 2u

void fw_read_expect(const struct fw *fw, uint32_t slot)
{
    uint32_t bytes = fw_read_bytes(slot);

    if (bytes > fw->id.payload_max)
        tx_op_members(slot, (bytes - 1) / fw->id.payload_max);
}

uint32_t fw_read_take(struct fw *fw, uint32_t event)
{
    if (fw->own_free == 0 || !tx_ready(&fw->tx))
        return (uint8_t)(fw->ticks - fw->rx_since) > PATIENCE_TICKS ? (uint32_t)TERN_ST_RNR : FW_HOLD;
    rx_copy(event | fw->own_free);
    if (!fw_read_begin(fw, event))
        return TERN_ST_BAD_LENGTH;
    fw->tx.room--;
    return FW_LATER;
}

void fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status)
{
    uint32_t from = fw->op[slot].from;

    fw_own_ended(fw, slot);
    if (status == TERN_ST_OK)
        rx_free(from);
    else
        fw_recv_refuse(fw, from, status);
}

bool fw_region_is_read(const struct fw *fw, uint32_t index)
{
    for (uint32_t slot = fw->id.slots; slot < fw->id.slots + fw->id.own_slots; slot++)
        if (fw->op[slot].flags & OP_SERVES &&
            KEY_INDEX(rd32(tx_slot(slot) + 4 * TERN_DESC_local_key_WORD)) == index)
            return true;
    return false;
}
