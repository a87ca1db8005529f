/* SPDX-License-Identifier: Apache-2.0 */
/* The length of a tick, and the timer: fast while something is in flight, slow otherwise. */
#ifndef FW_STATE_CLOCK_H
#define FW_STATE_CLOCK_H

#include "fw.h"

/* Sets the length of a tick from the host's latency; arms timer and watchdog. */
void fw_tick_init(struct fw *fw);

/* Arms the timer for the next tick, fast or slow, and the watchdog. */
void fw_clock_set(const struct fw *fw);

/* Makes ticks fast. Call when something starts that a tick must watch. */
void fw_tick_hurry(struct fw *fw);

/*
 * Gives descriptors a turn (WORK_DESCS) if some wait behind other events. The chip delivers
 * descriptors last, so requests of other nodes could keep those of this host waiting for ever. Call
 * after a series of events; returns whether a turn is due.
 */
bool fw_series_over(struct fw *fw);

/* Converts `cycles` to ticks, rounded up. */
uint32_t fw_ticks(const struct fw *fw, uint32_t cycles);

#endif
