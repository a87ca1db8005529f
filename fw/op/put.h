/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct puts; also atomic operations, reads and lookups, which begin and end like a put: with one
 * transmit command.
 */
#ifndef FW_OP_PUT_H
#define FW_OP_PUT_H

#include "fw.h"

/*
 * Starts operations that quick.c does not: with a counter, in a chain, with a link down, or after a
 * lack of room.
 */
void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Returns OK, or the reason why the operation cannot start now, in the form of fw_desc_not_started.
 */
uint32_t fw_put_check(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t frame);

#endif
