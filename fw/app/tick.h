/* SPDX-License-Identifier: Apache-2.0 */
/* The timer: fast while something is in flight, slow otherwise. */
#ifndef FW_APP_TICK_H
#define FW_APP_TICK_H

#include "fw.h"

/* Sets the length of a tick from the host's latency and arms timer and watchdog. */
void fw_tick_init(struct fw *fw);

/* The timer is due. */
void fw_tick(struct fw *fw);

/* Something has started that a tick must look after. */
void fw_tick_hurry(struct fw *fw);

/* `cycles` in ticks, begun ones whole. */
uint32_t fw_ticks(const struct fw *fw, uint32_t cycles);

#endif
