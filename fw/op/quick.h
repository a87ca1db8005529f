/* SPDX-License-Identifier: Apache-2.0 */
/* The quick path: frequent events, in one loop that keeps shared values in registers. */
#ifndef FW_OP_QUICK_H
#define FW_OP_QUICK_H

#include "fw.h"

/*
 * Handles events: starts ordinary puts, atomic operations, reads and lookups, ends them, and serves
 * those of other nodes. Without events it sleeps until the timer is due. Returns the first event of
 * another kind, or 0. Call when the timer is not due and fw->work is 0.
 */
uint32_t fw_puts(struct fw *fw);

#endif
