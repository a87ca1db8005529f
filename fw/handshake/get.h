/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets: a node makes another node put bytes to it.
 *
 * The requesting node sends a message that describes a put (GET in the contract). The firmware of
 * the node that has the bytes checks it on arrival, writes it as a descriptor into an injection
 * FIFO that its host opened for this, and rings the doorbell itself. So the put starts without host
 * software there. When it has ended, well or not, a check-in reports this to the requester. If an
 * area waits for that, its queue continues with the next descriptor, which may be the next remote
 * get.
 *
 * The mechanism: remote gets and injection FIFOs of the DMA engine in US7802025 and US8325633.
 */
#ifndef FW_HANDSHAKE_GET_H
#define FW_HANDSHAKE_GET_H

#include "fw.h"

/* ---- the requesting node: sends a message (send.h) */

/* Starts the remote get of a descriptor, OP_GET. */
void fw_get(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Tells whether an area of this node waits for the end of the message in the slot. */
bool fw_get_is(uint32_t slot);

/* Handles a remote get that could not be sent or placed: ends the area that waits for its end. */
void fw_get_failed(struct fw *fw, uint32_t slot, uint32_t status);

/* ---- the node that puts */

/*
 * Handles a remote get in a receive slot: returns its fault, or FW_LATER; fw_get_placed() then
 * follows.
 */
uint32_t fw_get_take(struct fw *fw, uint32_t slot);

/* Call when its descriptor was written, or host memory refused it; returns the status to answer. */
uint32_t fw_get_placed(struct fw *fw, uint32_t slot, uint32_t status);

/* Handles OP_PULL. */
void fw_pull(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Reports the end of the put in the slot to the requester. */
void fw_pull_ended(struct fw *fw, uint32_t slot, uint32_t status);

#endif
