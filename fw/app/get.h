/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets: a node has another one put to it.
 *
 * Who wants the bytes sends a message that describes a put (GET in the contract).  The firmware of the node
 * that has them checks it at the door, writes it as a descriptor into an injection FIFO that its host has
 * opened for that, and rings the doorbell itself: the put starts with no host software there.  When it has
 * ended, well or not, whoever asked is told by a check-in; an area that waits for it goes on with the next
 * descriptor of its queue, which may be the next remote get.
 *
 * The mechanism: remote gets and injection FIFOs of the DMA engine in US7802025 and US8325633.
 */
#ifndef FW_APP_GET_H
#define FW_APP_GET_H

#include "fw.h"

/* ---- who asks: OP_GET, a message (send.h) */

/* OK, or why the remote get in the slot cannot be sent. */
uint32_t fw_get_check(const struct fw *fw, const struct fw_queue *q, uint32_t slot);

/* It leaves: what waits for its end waits from now on. */
void fw_get_begun(struct fw *fw, uint32_t slot);

/* It cannot leave, or nothing was placed: whoever waits for its end hears of it too. */
void fw_get_failed(struct fw *fw, uint32_t slot, uint32_t status);

/* ---- who is asked */

/* A remote get in a receive slot: why not, or FW_LATER: fw_get_placed() has the answer. */
uint32_t fw_get_take(struct fw *fw, uint32_t slot);

/* Its descriptor was written, or refused by host memory; what to answer. */
uint32_t fw_get_placed(struct fw *fw, uint32_t slot, uint32_t status);

/* Descriptors being written into the ring of `queue`. */
uint32_t fw_gets_into(const struct fw *fw, uint32_t queue);

/* OP_PULL */
void fw_pull(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Tells who asked how the put in the slot ended. */
void fw_pull_ended(struct fw *fw, uint32_t slot, uint32_t status);

#endif
