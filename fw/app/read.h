/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads.  Their origin sends one packet and counts answers.  The target sends the bytes from one of its own
 * descriptor slots, and keeps the request in its receive slot until all have left, since what went wrong is answered
 * to it.  One own slot is left to messages, so at least one receive slot never waits for the transmit unit.
 */
#ifndef FW_APP_READ_H
#define FW_APP_READ_H

#include "fw.h"

/* Bytes that the read in the descriptor slot asks for. */
static inline uint32_t fw_read_bytes(uint32_t slot)
{
    return rd32(tx_slot(slot) + 4 * TERN_RDR_length_WORD);
}

/* Before the command of the read in the slot: an answer more for each packet behind the first. */
void fw_read_expect(const struct fw *fw, uint32_t slot);

/*
 * Begins to send what the packet of the RX event asks for, which has been copied to where fw->read_copy says; there is
 * room for a command, which the caller counts.  False: nothing has begun, because something is wrong.
 */
bool fw_read_begin(struct fw *fw, uint32_t event);

/* The same when not all of that is so: FW_LATER, FW_HOLD when it has to wait, or why it is refused. */
uint32_t fw_read_take(struct fw *fw, uint32_t event);

/* What was sent from the slot has ended; false when that was not what a read asked for. */
bool fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* The own slots in use are others now. */
void fw_reads_look(struct fw *fw);

/* Whether bytes of the region are on their way to others. */
bool fw_region_is_read(const struct fw *fw, uint32_t index);

#endif
