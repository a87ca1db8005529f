/* SPDX-License-Identifier: Apache-2.0 */
/* Messages: one packet, repeated while the receiver is not ready. */
#ifndef FW_APP_SEND_H
#define FW_APP_SEND_H

#include "fw.h"

/* OP_GET and OP_RELAY go the way of messages, too.  Packet type of a message's opcode. */
uint32_t fw_send_type(uint32_t opcode);

/* The operation of the message in the slot has ended. */
void fw_send_ended(struct fw *fw, uint32_t slot, uint32_t status);

/* A read was refused with RNR for the first time: from here on it goes the way of messages. */
void fw_read_again(struct fw *fw, uint32_t slot);

bool fw_sends_of_queue(const struct fw *fw, uint32_t queue);

/* Forgets messages that wait, of functions being taken down. */
void fw_sends_sweep(struct fw *fw);

/* Called every tick. */
void fw_sends_tick(struct fw *fw);

#endif
