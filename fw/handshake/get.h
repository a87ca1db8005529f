/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets: a node has another one put to it.
 *
 * The node that wants the bytes sends a message that describes a put (GET in the contract).  The
 * firmware of the node that has them checks it at the door, writes it as a descriptor into an
 * injection FIFO that its host has opened for that, and rings the doorbell itself: the put starts
 * with no host software there.  When it has ended, well or not, a check-in reports to the node that
 * asked; an area that waits for it goes on with the next descriptor of its queue, which may be the
 * next remote get.
 *
 * The mechanism: remote gets and injection FIFOs of the DMA engine in US7802025 and US8325633.
 */
#ifndef FW_HANDSHAKE_GET_H
#define FW_HANDSHAKE_GET_H

#include "fw.h"

/* ---- who asks: a message (send.h) */

/* Starts the remote get of a descriptor, OP_GET. */
void fw_get(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Whether an area of this node waits for the end of the message in the slot. */
bool fw_get_is(uint32_t slot);

/* Handles a remote get that could not be sent or placed: ends the area that waits for its end. */
void fw_get_failed(struct fw *fw, uint32_t slot, uint32_t status);

/* ---- who is asked */

/* A remote get in a receive slot: why not, or FW_LATER: fw_get_placed() has the answer. */
uint32_t fw_get_take(struct fw *fw, uint32_t slot);

/* Its descriptor was written, or refused by host memory; what to answer. */
uint32_t fw_get_placed(struct fw *fw, uint32_t slot, uint32_t status);

/* OP_PULL */
void fw_pull(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Tells who asked how the put in the slot ended. */
void fw_pull_ended(struct fw *fw, uint32_t slot, uint32_t status);

#endif
