/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check-in areas: slots in which other nodes check in, once per epoch.
 *
 * An area is armed for an epoch with a number of slots. A check-in names area, slot and epoch, and
 * may bring a value, which is written to host memory before any completion. A repeated check-in
 * changes nothing. One of an older epoch is refused. One of a later epoch gets RNR, and its
 * origin's firmware sends it again. After the last check-in the host gets a completion, and a queue
 * that waits for the area continues without host software. If the time limit ends first, or host
 * memory refuses a value, both get that error instead.
 *
 * The mechanism is that of the clear-to-send counters of US8325633.
 */
#ifndef FW_HANDSHAKE_AREA_H
#define FW_HANDSHAKE_AREA_H

#include "fw.h"

/* Parameters for arming an area; `cq` is checked already, 0: no completion. */
struct fw_area_new {
    uint64_t values; /* host address, 8 bytes per slot, under `values_key` unless that is KEY_NONE
                      * */
    uint32_t values_key, pass, slots, epoch, cq;
    uint32_t expected; /* check-ins to wait for, 0: all */
    uint32_t limit; /* cycles, 0: no time limit */
};

/* Arms an area: OK; without effect BAD_AREA, BAD_SIZE, or NO_RESOURCE when `cq` is full. */
uint32_t fw_area_arm(struct fw *fw, uint32_t fn, uint32_t id, const struct fw_area_new *wanted);

/*
 * fw_area_may_arm() checks whether an area of the function may be armed again for `epoch` with
 * `slots` slots: OK, BAD_AREA, STALE_EPOCH, BAD_SIZE.  After OK, fw_area_arm_again() arms it, and
 * it then waits for `expected` slots.  Its end gives no completion, unless one was requested
 * earlier and is still owed.
 */
uint32_t fw_area_may_arm(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t epoch,
                         uint32_t slots);
void fw_area_arm_again(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t expected);

/* Makes an area armed again fail with BAD_KEY unless its check-ins add up to `members` (ANS). */
void fw_area_count(struct fw *fw, uint32_t id, uint32_t members);

/* Delays the time limit of an area armed again until a descriptor waits for it. */
void fw_area_unhurried(struct fw *fw, uint32_t id);

/* Closes a slot that is not awaited, so that no check-in counts there. */
void fw_area_skip(struct fw *fw, uint32_t id, uint32_t place);

/* Ends `epoch` with `status` before it began; fw_area_may_arm() was OK for it. */
void fw_area_fail(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t status);

/* Tells whether the area of the function still waits for check-ins of `epoch`. */
bool fw_area_waits(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t epoch);

/* Ends the area with `status` if it still waits for check-ins of `epoch`. */
void fw_area_end(struct fw *fw, uint32_t id, uint32_t epoch, uint32_t status);

/* Ends a waiting area with `status` in any epoch, if the function still owns it. */
void fw_area_end_now(struct fw *fw, uint32_t fn, uint32_t id, uint32_t status);

/* Reports how many slots of the armed epoch are missing, and the first of them; BAD_AREA. */
uint32_t fw_area_look(const struct fw *fw, uint32_t fn, uint32_t id, uint32_t *missing,
                      uint32_t *first);

/*
 * Handles a check-in in a receive slot, for an area of this node; returns the status of its answer.
 */
uint32_t fw_area_checkin(struct fw *fw, uint32_t slot);

/* Handles the end of a value's write, maybe the last; writes nothing to the host itself. */
void fw_area_written(struct fw *fw, uint32_t id, bool last, uint32_t status);

/* Handles WORK_AREA: ends the areas whose last value is written. */
void fw_areas_work(struct fw *fw);

/* Handles OP_WAIT. */
void fw_wait(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Call every tick; returns whether an area still has a time limit. */
bool fw_areas_tick(struct fw *fw);

/* Frees the areas of functions being taken down. */
void fw_areas_sweep(struct fw *fw);

#endif
