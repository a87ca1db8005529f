/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Direct put, and atomic operations, reads and lookups, which begin and end like one: one transmit
 * command.
 */
#ifndef FW_OP_PUT_H
#define FW_OP_PUT_H

#include "fw.h"

/*
 * Starts what quick.c leaves: with a counter, in a chain, over a mesh with a link down, or when
 * there was no room.
 */
void fw_put(struct fw *fw, struct fw_queue *q, uint32_t event);

/* OK, or the reason why the operation cannot start now, as fw_desc_not_started takes it. */
uint32_t fw_put_check(struct fw *fw, struct fw_queue *q, uint32_t event, uint32_t frame);

#endif
