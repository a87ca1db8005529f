/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the firmware itself: check-ins with areas of other nodes, messages into their
 * reception FIFOs, remote gets, forwarded requests. They wait here until an own slot is free, so
 * that incoming packets never wait for outgoing ones.
 */
#ifndef FW_STATE_MESSAGES_OUT_H
#define FW_STATE_MESSAGES_OUT_H

#include "fw.h"

/* Tells whether one more reply can be kept, in addition to those counted in reply_owed. */
bool fw_reply_room(const struct fw *fw);

/*
 * Keeps a reply and sends it as soon as possible. Call only with room for it: fw_reply_room(), or a
 * place counted in reply_owed.
 */
void fw_reply(struct fw *fw, const struct fw_reply *reply);

/* Handles WORK_REPLY. */
void fw_replies_work(struct fw *fw);

/* Gives the own slot, which has sent its last packet, to a waiting message. */
void fw_own_ended(struct fw *fw, uint32_t slot);

/* Call every tick; returns whether a message is in flight. */
bool fw_replies_tick(struct fw *fw);

#endif
