/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check-in areas: many NICs tell one that they are ready, and what was posted there goes on.
 *
 * An area belongs to a NIC and has slots.  Its owner arms it for an epoch; others check in, each to a slot
 * of its own and with a value of 8 bytes if it likes.  When all slots have come the owner's host gets a
 * completion of opcode TERN_OP_AREA, and operations posted behind tern_wait_area() start: by the NIC
 * alone, no host software takes part.  Checking in twice counts once.  What belongs to an older epoch is
 * refused with STALE_EPOCH; what comes before the area is armed is sent again by its NIC until then, as a
 * message that finds no room is, and at last ends with RNR.
 *
 * The mechanism: clear-to-send counters of US8325633, here with slots, so that nothing counts twice.
 *
 * Ids are 0 to TERN_CHECKIN_AREAS - 1, shared by all functions of a NIC; epochs are counted modulo 2^16.
 * Errors, units: as tern.h says.  Threads: what takes a queue belongs to that queue's thread; what takes a
 * device only may be called from any thread.
 */
#ifndef TERN_CHECKIN_H
#define TERN_CHECKIN_H

#include <tern/tern.h>

/* What an area is armed with. */
struct tern_area {
    uint16_t id, epoch;
    uint32_t slots;            /* 1 to TERN_CHECKIN_SLOTS */
    uint32_t pass;             /* what check-ins must bring, as a key */
    uint32_t limit;            /* cycles after which it fails with TIMEOUT, 0: never */
    struct tern_region *region; /* where values go, or NULL: they are dropped */
    void *values;              /* in the region; 8 bytes a slot, little endian */
};

/*
 * Arms the area, which belongs to this function from then on; whatever it was waiting for is given up,
 * and who waits for an older epoch goes on.  `cq`, unless NULL, gets the completion, once: `index` is the
 * area, `imm` the epoch; with TIMEOUT `length` says how many are missing and `value` the first slot; a value
 * that the memory refused gives HOST_FAULT or the like.
 * BAD_AREA, BAD_SIZE, NO_RESOURCE when `cq` has no place left.
 */
int tern_area_arm(struct tern_device *device, const struct tern_area *area, struct tern_cq *cq);

/* How many slots have not come, and the first of them (the number of slots when none is missing). */
int tern_area_missing(struct tern_device *device, uint16_t id, uint32_t *missing, uint32_t *first);

/* Whom to check in with. */
struct tern_area_name {
    uint16_t node, id, epoch;
    uint32_t pass;
};

/* Posts a check-in; with `value` NULL none goes along.  `flags`: TERN_DFLAG_SIGNAL, FENCE, TERN_MORE. */
int tern_checkin(struct tern_sq *sq, struct tern_area_name to, uint16_t slot, const uint64_t *value,
                 unsigned flags, uint64_t context);

/*
 * Posts a wait: what is posted behind it starts when area `id` of this NIC has been full in `epoch`, or is
 * in a later one.  When the area fails instead, so does the wait (TIMEOUT, or what refused a value), and with it the queue: all that
 * is behind completes with FLUSHED, until the queue is destroyed.
 */
int tern_wait_area(struct tern_sq *sq, uint16_t id, uint16_t epoch, unsigned flags, uint64_t context);

#endif
