/* SPDX-License-Identifier: Apache-2.0 */
/* Box broadcast: a put to the members of a group in a box of nodes. */
#ifndef FW_HANDSHAKE_BCAST_H
#define FW_HANDSHAKE_BCAST_H

#include "fw.h"

/* Starts a broadcast, or a request to send, to a box. */
void fw_bcast(struct fw *fw, struct fw_queue *q, uint32_t event);

#endif
