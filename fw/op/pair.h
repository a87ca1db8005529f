/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The receiving part of a queue pair: a queue number in front of a reception FIFO, which checks the
 * sender and the order of messages. The sending part is an ordinary send queue.
 */
#ifndef FW_OP_PAIR_H
#define FW_OP_PAIR_H

#include "fw.h"

/* Opens the pair `number`, which is free; it takes no messages yet. */
void fw_pair_open(struct fw *fw, uint32_t number, uint32_t fn);

/* Handles the packet in `slot` for the pair in rx_queue: returns its answer, or FW_LATER. */
uint32_t fw_pair_take(struct fw *fw, uint32_t slot);

/* Handles the end of the packet's write; returns its answer. */
uint32_t fw_pair_written(struct fw *fw, uint32_t slot, uint32_t status);

#endif
