/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counters of the NIC.  A counter starts at a number of bytes and goes down: by the bytes that
 * arrive in regions registered with it (tern_region_attr.counted), and by those that leave through
 * queues that it follows.  At zero it tells a completion queue, or a check-in area, once.  Any
 * number of operations, queues and regions of a NIC share one.
 *
 * Ids are 0 to `counters` - 1 of tern_query(), shared by all functions of a NIC; the first function
 * that sets a counter has it until it closes.  Bytes are 32 bits.
 *
 * Errors, units: as tern.h says.  Threads: tern_sq_count() belongs to the queue's thread, the
 * others to any.
 */
#ifndef TERN_COUNTER_H
#define TERN_COUNTER_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Sets what is left of counter `id`, and takes it for this function.  It tells nothing at zero.
 * BAD_COUNTER.
 */
int tern_counter_set(struct tern_device *device, uint16_t id, uint32_t bytes);

/* Reads what is left. */
int tern_counter_get(struct tern_device *device, uint16_t id, uint32_t *bytes);

/*
 * Sets counter `id` to `bytes`, as tern_counter_set(); when it reaches zero a completion of opcode
 * TERN_OP_COUNTER comes to `cq`, once, with the counter in `index`.  0 bytes: none comes.
 * NO_RESOURCE when `cq` has no place left.  Until it has come, or the counter was set otherwise,
 * `cq` is in use.
 */
int tern_counter_watch(struct tern_cq *cq, uint16_t id, uint32_t bytes);

/*
 * Sets counter `id` to `bytes`, as tern_counter_set(); when it reaches zero, check-in area `area`
 * of this function, which is armed, has all that it waits for.  BAD_AREA, BAD_COUNTER; BAD_ARGUMENT
 * for no bytes.
 */
int tern_counter_fills_area(struct tern_device *device, uint16_t id, uint32_t bytes, uint16_t area);

/*
 * Makes counter `id` of this function count the operations posted to the queue from now on.  When
 * an operation succeeds (sent, if that is its level, else delivered), the NIC subtracts its bytes.
 * Failed operations do not count, and complete with their error.  TERN_COUNTER_NONE, the value of a
 * new queue, ends counting.  BAD_COUNTER for numbers that no NIC has; if this function has not set
 * the counter, operations complete with BAD_COUNTER.
 */
int tern_sq_count(struct tern_sq *sq, uint16_t id);

#ifdef __cplusplus
}
#endif

#endif
