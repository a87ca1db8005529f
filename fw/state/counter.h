/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counters: their owners, and the event when one reaches zero.
 *
 * An armed counter reserves an entry of its completion queue and is one of the queue's users. It
 * raises its event once. A check-in area can take the place of the completion queue.
 */
#ifndef FW_STATE_COUNTER_H
#define FW_STATE_COUNTER_H

#include "fw.h"

bool fw_counter_is_of(const struct fw *fw, uint32_t counter, uint32_t fn);

/*
 * In place of a completion queue: reports to check-in area `id`, if the function then still owns
 * it.
 */
#define FW_COUNTER_AREA(id) (FW_QUEUES + (id))

/*
 * Gives the counter to `fn` and sets it to `bytes`. When it reaches zero, `told` (checked; 0: none)
 * gets a completion. OK; or without effect BAD_COUNTER, or NO_RESOURCE when `told` has no free
 * entry.
 */
uint32_t fw_counter_set(struct fw *fw, uint32_t fn, uint32_t counter, uint32_t bytes,
                        uint32_t told);

/* Frees the counters of functions being taken down. */
void fw_counters_sweep(struct fw *fw);

/* Call at boot: no function owns a counter. */
void fw_counters_init(struct fw *fw);

#endif
