/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counters: their owners, and the event when one reaches zero.
 *
 * A counter that is armed holds a place of its completion queue and counts as one of the
 * queue's users.  The event comes once.  Instead, a check-in area may be what is told.
 */
#ifndef FW_STATE_COUNTER_H
#define FW_STATE_COUNTER_H

#include "fw.h"

bool fw_counter_is_of(const struct fw *fw, uint32_t counter, uint32_t fn);

/*
 * In the place of a completion queue: check-in area `id` of the function is told, if it is still
 * its own then.
 */
#define FW_COUNTER_AREA(id) (FW_QUEUES + (id))

/*
 * Gives the counter to `fn` and sets it to `bytes`; `told` (checked), unless 0, is told when
 * it reaches zero.  OK, BAD_COUNTER, or NO_RESOURCE when `told` has no place: then nothing
 * has changed.
 */
uint32_t fw_counter_set(struct fw *fw, uint32_t fn, uint32_t counter, uint32_t bytes,
                        uint32_t told);

/* Takes the counters of functions being swept from them. */
void fw_counters_sweep(struct fw *fw);

/* Call at boot: no function owns a counter. */
void fw_counters_init(struct fw *fw);

#endif
