/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks of requests of the host, done once, when they arrive.  Pure; every function returns a
 * status code.
 */
#ifndef FW_PROTO_CHECK_H
#define FW_PROTO_CHECK_H

#include <stdint.h>

#define RGN_WORDS 8

/* Type, sizes and alignment of a queue to create. */
uint32_t check_queue_shape(unsigned type, unsigned log2_entries, unsigned log2_bytes,
                          uint64_t base);

/* Bytes of the ring of a queue; the shape has been checked. */
uint32_t check_ring_bytes(unsigned type, unsigned log2_entries, unsigned log2_bytes);

/* The entry `rgn` belongs to `key` (index part looked up by the caller), `fn` owns it. */
uint32_t check_region_owner(const uint32_t rgn[RGN_WORDS], uint32_t key, unsigned fn);

/* Whether all of `rights` are allowed and [addr, addr + bytes) lies in the region. */
uint32_t check_region_use(const uint32_t rgn[RGN_WORDS], uint64_t addr, uint64_t bytes,
                         unsigned rights);

/* A region to register. */
uint32_t check_region_shape(uint64_t base, uint64_t bytes, unsigned rights);

#endif
