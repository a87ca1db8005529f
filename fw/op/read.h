/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads.  Their origin sends one packet and counts answers.  The target sends the bytes from one of
 * its own descriptor slots, and keeps the request in its receive slot until all have left, since
 * what went wrong is answered to it.  One own slot is left to messages, so at least one receive
 * slot never waits for the transmit unit.
 */
#ifndef FW_OP_READ_H
#define FW_OP_READ_H

#include "fw.h"

/* Bytes that the read in the descriptor slot asks for. */
static inline uint32_t fw_read_bytes(uint32_t slot)
{
    return rd32(tx_slot(slot) + 4 * TERN_RDR_length_WORD);
}

/* Whether the event, EV_RX, is of one of these. */
static inline bool fw_read_is(uint32_t event)
{
    return TERN_F(EV, found, event) ||
           (!TERN_F(EV, walked, event) && TERN_F(EV, pkttype, event) == TERN_PTYPE_READ);
}

/*
 * EV_RX of a read of another node, or of a lookup that has found its node: begins to send what it
 * asks for, refuses it, or has it wait.
 */
void fw_read_asked(struct fw *fw, uint32_t event);

/* What was sent from the own slot has left, and no message waits for the slot. */
void fw_read_left(struct fw *fw, uint32_t slot);

/* It has ended in whatever way. */
void fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status);

#endif
