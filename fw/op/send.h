/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages: one packet, sent again while the receiver is not ready. OP_GET and OP_RELAY work the
 * same way.
 */
#ifndef FW_OP_SEND_H
#define FW_OP_SEND_H

#include "fw.h"

/* Starts the message of a descriptor. */
void fw_send(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * The two halves of fw_send(): return OK, or the reason why the message in the slot cannot start,
 * in the form of fw_desc_not_started(). `frame`: the first word of its descriptor.
 */
uint32_t fw_send_check(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame);
uint32_t fw_send_start(struct fw *fw, struct fw_queue *q, uint32_t slot, uint32_t frame);

/*
 * Handles a refusal of the message in the slot: keeps the message for another try, or returns false
 * if it has to end.
 */
bool fw_send_again(struct fw *fw, uint32_t slot, uint32_t status);

/*
 * Ends the message in the slot: writes its completion, if one is due, and gives the slot back.
 * `sent`: the message had sent a packet.
 */
void fw_send_finish(struct fw *fw, uint32_t slot, uint32_t status, bool sent);

/* Ends a message that succeeded, as its OP event reports. */
void fw_send_done(struct fw *fw, uint32_t event);

/* Turns a read that was refused with RNR for the first time into a message that waits. */
void fw_read_again(struct fw *fw, uint32_t slot);

/*
 * Starts a message again after its pause. FW_HOLD: not now, since an older message of its pair goes
 * first, or there is no room. FLUSHED: its queue starts no more operations.
 */
uint32_t fw_send_try_again(struct fw *fw, uint32_t slot);

/* Drops waiting messages of functions that are being taken down. */
void fw_sends_sweep(struct fw *fw);

#endif
