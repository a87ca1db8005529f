/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads.  Their origin sends one packet and counts answers.  The target sends the bytes from one of its own
 * descriptor slots, and keeps the request in its receive slot until all have left, since what went wrong is answered
 * to it.  So many requests wait for the transmit unit at most that receive slots are left to what does not.
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
 * Begins to send what the packet of the RX event asks for.  False: nothing has begun, for want of a place, or because
 * of what fw_read_fault says.
 */
bool fw_read_begin(struct fw *fw, uint32_t event);

/* Why the request in the receive slot is refused, or OK. */
uint32_t fw_read_fault(const struct fw *fw, uint32_t slot);

/*
 * What was sent from the slot has left, all of it.  False: it was no read, or there is more to be done, for which
 * fw_read_ended is.
 */
bool fw_read_left(struct fw *fw, uint32_t slot);

/* What was sent from the own slot has ended; false when that was no read. */
bool fw_read_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* Whether bytes of the region are on their way to others. */
bool fw_region_is_read(const struct fw *fw, uint32_t index);

/* Every tick: one that no place was found for does not hold back what came after it for ever. */
void fw_reads_tick(struct fw *fw);

/* Says which slots reads may take. */
void fw_reads_init(struct fw *fw);

#endif
