/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads. The origin sends one packet and counts answers. The target sends the bytes from one of its
 * own slots. It keeps the request in its receive slot until all bytes have left, because an error
 * is answered to that request. One own slot is left for messages, so at least one receive slot
 * never waits for the transmit unit.
 */
#ifndef FW_OP_READ_H
#define FW_OP_READ_H

#include "messages_in.h"

/* Returns the bytes that the read in the descriptor slot requests. */
static inline uint32_t fw_read_bytes(uint32_t slot)
{
    return rd32(tx_slot(slot) + 4 * TERN_RDR_length_WORD);
}

/* Tells whether the event, EV_RX, belongs to a read, or a lookup that has found its node. */
static inline bool fw_read_is(uint32_t event)
{
    return TERN_F(EV, found, event) ||
           (!TERN_F(EV, walked, event) && TERN_F(EV, pkttype, event) == TERN_PTYPE_READ);
}

/*
 * Handles EV_RX of another node's read, or of a lookup that has found its node: begins to send the
 * bytes, refuses, or lets it wait.
 */
void fw_read_asked(struct fw *fw, uint32_t event);

/* Sends the bytes requested by the copy in an own slot. */
#define READ_REPLY_COMMAND \
    (TERN_V(TXC, type, TERN_PTYPE_REPLY) | TERN_V(TXC, vn, TERN_VN_DATA) | TERN_V(TXC, notify, 1))

/* Checks the packet of a read in receive slot `from`; returns OK or the status of its fault. */
static inline uint32_t fw_read_status(const struct fw *fw, uint32_t from)
{
    if (fw_recv_is_stale(fw, from))
        return TERN_ST_STALE_NODE;
    return TERN_F(PKT, length, rx_header(from, TERN_PKT_length_WORD)) == TERN_READ_BYTES
               ? TERN_ST_OK
               : TERN_ST_BAD_LENGTH;
}

/* Notes that READ_REPLY_COMMAND was issued for the own slot, for the request in slot `from`. */
void fw_read_began(struct fw *fw, uint32_t slot, uint32_t from);

/*
 * Call when the own slot has sent its last packet, and no message waits for the slot. False,
 * without changes: the read is to be sampled (fw_read_ended()).
 */
bool fw_read_left(struct fw *fw, uint32_t slot);

/* Handles the end of a read, whatever its status. */
void fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status);

#endif
