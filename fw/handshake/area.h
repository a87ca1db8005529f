/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check-in areas: slots that others check in to, once an epoch each.
 *
 * An area is armed for an epoch with a number of slots.  A check-in names area, slot and
 * epoch and may bring a value, which is written to host memory before any completion.  The same
 * slot again changes nothing; one of an older epoch is refused; one of a later epoch finds
 * the receiver not ready and is sent again by its origin's firmware.  When the last slot has
 * come, a completion tells the host and the queue that waits for the area goes on, with no
 * host software in between.  When the time given is over first, or host memory refused a
 * value, both get that error instead.
 *
 * The mechanism is that of the clear-to-send counters of US8325633.
 */
#ifndef FW_HANDSHAKE_AREA_H
#define FW_HANDSHAKE_AREA_H

#include "fw.h"

/* The parameters with which an area is armed; `cq` (checked) 0: no completion. */
struct fw_area_new {
    uint64_t values; /* where they go, 8 bytes a slot, under `values_key` if not KEY_NONE */
    uint32_t values_key, pass, slots, epoch, cq;
    uint32_t expected; /* slots that will come, 0: all */
    uint32_t limit; /* cycles, 0: for ever */
};

/* Arms an area: OK; BAD_AREA, BAD_SIZE, or NO_RESOURCE when `cq` is full: nothing has changed. */
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

/* Closes a slot that is not among the awaited ones, so that no check-in counts there. */
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

/* Takes a check-in with an area of this node, in a receive slot: the status that answers it. */
uint32_t fw_area_checkin(struct fw *fw, uint32_t slot);

/* A value, perhaps the last, was written, or refused.  Writes nothing to the host itself. */
void fw_area_written(struct fw *fw, uint32_t id, bool last, uint32_t status);

/* WORK_AREA: areas whose last value is written. */
void fw_areas_work(struct fw *fw);

/* OP_WAIT */
void fw_wait(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Every tick; whether some area has a time to keep. */
bool fw_areas_tick(struct fw *fw);

/* Takes the areas of functions being swept from them. */
void fw_areas_sweep(struct fw *fw);

#endif
