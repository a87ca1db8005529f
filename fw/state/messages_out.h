/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of the firmware itself: check-ins with areas of other nodes, messages into their
 * reception FIFOs, remote gets, requests that are passed on.  They wait here until one of the
 * firmware's own descriptor slots is free, so that nothing that comes in ever waits for
 * something to leave.
 */
#ifndef FW_STATE_MESSAGES_OUT_H
#define FW_STATE_MESSAGES_OUT_H

#include "fw.h"

/* Tells whether there is room to keep one more reply, beside those counted in reply_owed. */
bool fw_reply_room(const struct fw *fw);

/*
 * Keeps a reply and sends it as soon as possible.  Call only with room for it: fw_reply_room(), or
 * a place counted in reply_owed.
 */
void fw_reply(struct fw *fw, const struct fw_reply *reply);

/* WORK_REPLY */
void fw_replies_work(struct fw *fw);

/* Gives the own slot, which has sent its last packet, to a message that waits for it. */
void fw_own_ended(struct fw *fw, uint32_t slot);

/* Every tick; whether some message is under way. */
bool fw_replies_tick(struct fw *fw);

#endif
