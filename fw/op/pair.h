/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs, as far as they receive: a queue number that leads to a reception FIFO, and
 * determines the senders and the order of its messages.  The sending part is a send queue like any
 * other.
 */
#ifndef FW_OP_PAIR_H
#define FW_OP_PAIR_H

#include "fw.h"

/* A pair with a free number, which takes nothing yet. */
void fw_pair_open(struct fw *fw, uint32_t number, uint32_t fn);

/*
 * The packet in `slot` is for a pair, which rx_queue names: what it is answered with, or FW_LATER.
 */
uint32_t fw_pair_take(struct fw *fw, uint32_t slot);

/* It has been written, or not: what it is answered with. */
uint32_t fw_pair_written(struct fw *fw, uint32_t slot, uint32_t status);

#endif
