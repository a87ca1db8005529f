/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counters of the NIC. A counter starts at a number of bytes. The NIC subtracts the bytes that
 * arrive in regions registered with it (tern_region_attr.counted), and the bytes sent by queues
 * that use it (tern_sq_count()). At zero the NIC notifies a completion queue, or a check-in area,
 * once. Any number of operations, queues and regions of a NIC share one.
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
 * Sets the remaining bytes of counter `id` and makes this function its owner. It notifies nothing
 * at zero. BAD_COUNTER.
 */
int tern_counter_set(struct tern_device *device, uint16_t id, uint32_t bytes);

/* Reads the remaining bytes. */
int tern_counter_get(struct tern_device *device, uint16_t id, uint32_t *bytes);

/*
 * Sets counter `id` to `bytes`, as tern_counter_set(). When it reaches zero, `cq` gets one
 * completion of opcode TERN_OP_COUNTER with the counter in `index`; with 0 bytes it gets none.
 * NO_RESOURCE when `cq` has no entry left. `cq` is in use until the completion has come or the
 * counter is set again.
 */
int tern_counter_watch(struct tern_cq *cq, uint16_t id, uint32_t bytes);

/*
 * Sets counter `id` to `bytes`, as tern_counter_set().  When it reaches zero, the armed check-in
 * area `area` of this function counts as full.  BAD_AREA, BAD_COUNTER; BAD_ARGUMENT for 0 bytes.
 */
int tern_counter_fills_area(struct tern_device *device, uint16_t id, uint32_t bytes, uint16_t area);

/*
 * Makes counter `id` of this function count the operations posted to the queue from now on. When an
 * operation succeeds (sent, if that is its level, else delivered), the NIC subtracts its bytes.
 * Failed operations do not count, and complete with their error. TERN_COUNTER_NONE, the value of a
 * new queue, ends counting. BAD_COUNTER when no NIC has that number; operations complete with
 * BAD_COUNTER if this function has not set the counter.
 */
int tern_sq_count(struct tern_sq *sq, uint16_t id);

#ifdef __cplusplus
}
#endif

#endif
