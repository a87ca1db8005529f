/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check-in areas: many NICs report to one that they are ready, and operations that wait there
 * start.
 *
 * An area belongs to a NIC and has check-in slots. Its owner arms it for an epoch. Other nodes
 * check in, each to a slot of its own, with a value of 8 bytes if it likes. When all slots have
 * reported, the owner's host gets a completion of opcode TERN_OP_AREA, and the NIC starts the
 * operations posted after tern_wait_area(), without host software. A second check-in to a slot
 * counts once. The NIC refuses a check-in for an older epoch with STALE_EPOCH. A check-in that
 * arrives before the area is armed is sent again by its NIC, as a message without room is, and ends
 * with RNR at last.
 *
 * The mechanism: clear-to-send counters of US8325633, here with slots, so that no check-in counts
 * twice.
 *
 * Ids are 0 to TERN_CHECKIN_AREAS - 1, shared by all functions of a NIC; epochs are counted modulo
 * 2^16. Errors, units: as tern.h says. Threads: functions that take a queue belong to that queue's
 * thread; those that take a device only may be called from any thread.
 */
#ifndef TERN_CHECKIN_H
#define TERN_CHECKIN_H

#include <tern/tern.h>

/* The parameters of an area. */
struct tern_area {
    uint16_t id, epoch;
    uint32_t slots;            /* 1 to TERN_CHECKIN_SLOTS */
    uint32_t pass;             /* key that check-ins must carry */
    uint32_t limit;            /* cycles after which it fails with TIMEOUT, 0: never */
    struct tern_region *region; /* receives the values; NULL: they are dropped */
    void *values;              /* in the region; 8 bytes a slot, little endian */
};

/*
 * Arms the area for this function. This ends an earlier wait of the area and starts operations that
 * wait for an older epoch. `cq`, unless NULL, gets one completion: `index` is the area, `imm` the
 * epoch. With TIMEOUT, `length` is the number of missing slots and `value` the first of them.
 * HOST_FAULT and similar: a value could not be written to memory. BAD_AREA, BAD_SIZE, NO_RESOURCE
 * when `cq` has no entry left.
 */
int tern_area_arm(struct tern_device *device, const struct tern_area *area, struct tern_cq *cq);

/*
 * Counts the slots that have not reported, and finds the first of them (the number of slots when
 * none is missing).
 */
int tern_area_missing(struct tern_device *device, uint16_t id, uint32_t *missing, uint32_t *first);

/* The address of an area of another node. */
struct tern_area_name {
    uint16_t node, id, epoch;
    uint32_t pass;
};

/*
 * Posts a check-in, with `value` unless that is NULL. `flags`: TERN_DFLAG_SIGNAL, FENCE, TERN_MORE.
 */
int tern_checkin(struct tern_sq *sq, struct tern_area_name to, uint16_t slot, const uint64_t *value,
                 unsigned flags, uint64_t context);

/*
 * Posts a wait: operations posted after it start when area `id` of this NIC has been full in
 * `epoch`, or has moved to a later epoch. When the area fails, the wait fails (TIMEOUT, or the
 * error of a value) and stops the queue: all later operations complete with FLUSHED until the queue
 * is destroyed.
 */
int tern_wait_area(struct tern_sq *sq, uint16_t id, uint16_t epoch, unsigned flags,
                   uint64_t context);

#endif
