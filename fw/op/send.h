/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: one packet, repeated while the receiver is not ready. OP_GET and OP_RELAY go the same
 * way.
 */
#ifndef FW_OP_SEND_H
#define FW_OP_SEND_H

#include "fw.h"

/* Starts the message of a descriptor. */
void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * The two halves of it: OK, or the reason why the message in the slot cannot start, as
 * fw_desc_not_started takes it. `frame`: its first word.
 */
uint32_t fw_send_check(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame);
uint32_t fw_send_start(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame);

/*
 * An answer has come to the message in the slot: keeps it for another try, or returns false: it is
 * over.
 */
bool fw_send_again(struct fw *fw, uint32_t slot, uint32_t status);

/*
 * Ends the message in the slot: its completion, if one is due, and its slot. `sent`: a packet of it
 * had left.
 */
void fw_send_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent);

/* Ends the message of an EV_OP that ended well. */
void fw_send_done(struct fw *fw, uint32_t event);

/* Turns a read that was refused with RNR for the first time into a message that waits. */
void fw_read_again(struct fw *fw, uint32_t slot);

/*
 * Starts a message again whose wait is over. FW_HOLD: not now, because an older message of its pair
 * goes first or for want of a place; FLUSHED: its queue starts nothing any more.
 */
uint32_t fw_send_try_again(struct fw *fw, uint32_t slot);

/* Forgets messages that wait, of functions being taken down. */
void fw_sends_sweep(struct fw *fw);

#endif
