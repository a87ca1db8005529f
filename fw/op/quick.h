/* SPDX-License-Identifier: Apache-2.0 */
/* The quick path: what comes most, in one loop that keeps what it shares in registers. */
#ifndef FW_OP_QUICK_H
#define FW_OP_QUICK_H

#include "fw.h"

/*
 * Takes events: starts ordinary puts, atomic operations, reads and lookups, ends them, serves those
 * of other nodes; sleeps when there is none, until the timer is due. Returns the first event of
 * another kind, or 0. Call when the timer is not due and fw->work is 0.
 */
uint32_t fw_puts(struct fw *fw);

#endif
