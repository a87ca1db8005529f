/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of host requests, done once, on arrival. Pure; every function returns a status code. */
#ifndef FW_PROTO_CHECK_H
#define FW_PROTO_CHECK_H

#include <stdint.h>

#define RGN_WORDS 8

/* Checks type, sizes and alignment of a queue to create. */
uint32_t check_queue_shape(unsigned type, unsigned log2_entries, unsigned log2_bytes,
                          uint64_t base);

/* Returns the bytes of a queue's ring; its shape was checked before. */
uint32_t check_ring_bytes(unsigned type, unsigned log2_entries, unsigned log2_bytes);

/* Checks that entry `rgn`, found by the index of `key`, has this key and belongs to `fn`. */
uint32_t check_region_owner(const uint32_t rgn[RGN_WORDS], uint32_t key, unsigned fn);

/* Checks that all `rights` are allowed and [addr, addr + bytes) lies in the region. */
uint32_t check_region_use(const uint32_t rgn[RGN_WORDS], uint64_t addr, uint64_t bytes,
                         unsigned rights);

/* Checks a region to register. */
uint32_t check_region_shape(uint64_t base, uint64_t bytes, unsigned rights);

#endif
