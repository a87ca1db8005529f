/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prepared descriptors: operations that are built once and posted many times.
 *
 * A function tern_desc_*() writes what the function of the same name without `desc` would post,
 * into memory of the caller; tern_desc_post() posts a list of them at one doorbell.  Between two
 * posts the caller may set fields anew, by the same functions.
 *
 * A descriptor holds the key of its region, not the region: once the region is released, the NIC
 * refuses the operation with BAD_KEY, until the NIC gives the key out anew, with another
 * generation.  A watch tells when a region or a queue goes.
 *
 * Threads, errors, units: as tern.h says.
 */
#ifndef TERN_PREPARED_H
#define TERN_PREPARED_H

#include <tern/atomic.h>
#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_desc {
    uint32_t words[TERN_DESC_BYTES / 4];
};

/*
 * As tern_put(), tern_put_inline(), tern_read(), tern_send() and the atomic operations (`opcode`
 * TERN_OP_CAS, TERN_OP_ADD or TERN_OP_TAKE) under masks, with the same errors.  `flags` are
 * TERN_DFLAG_* bits without TERN_MORE and TERN_LINK (BAD_ARGUMENT).
 */
int tern_desc_put(struct tern_desc *desc, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint32_t bytes, unsigned flags);
int tern_desc_put_inline(struct tern_desc *desc, struct tern_rptr to, const void *from,
                         uint32_t bytes, unsigned flags);
int tern_desc_read(struct tern_desc *desc, struct tern_rptr from, const struct tern_region *region,
                   void *to, uint32_t bytes, unsigned flags);
int tern_desc_send(struct tern_desc *desc, struct tern_target to, const struct tern_region *region,
                   const void *from, uint32_t bytes, unsigned flags);
int tern_desc_masked(struct tern_desc *desc, uint8_t opcode, struct tern_rptr at,
                     const struct tern_masked *masked, unsigned flags);

/*
 * Posts `count` descriptors in order, with a context each, at one doorbell: all of them or none.
 * AGAIN: there is no room for all; poll.  BAD_LENGTH: the ring is shorter than the list.
 * BAD_STATE: a chain is being posted.
 */
int tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs, const uint64_t *contexts,
                   unsigned count);

/* ---- watches -------------------------------------------------------------------------------- */

/* Says that a region or a queue goes.  The caller's memory; it stays until the watch has ended. */
struct tern_watch {
    /*
     * The object goes; the watch has ended.  Called by the thread that releases or destroys it, or
     * closes its device; it must not call this library.
     */
    void (*gone)(struct tern_watch *watch);
    struct tern_watch *next, **link;
    struct tern_device *device;
};

/*
 * Watches a region of `device`.  STALE_POINTER: the device has no region at this address; it is
 * compared, never followed.
 */
int tern_region_watch(struct tern_device *device, const struct tern_region *region,
                      struct tern_watch *watch);

/* Watches a send queue. */
void tern_sq_watch(struct tern_sq *sq, struct tern_watch *watch);

/* Ends a watch; nothing if it has ended. */
void tern_watch_end(struct tern_watch *watch);

/* The device of a send queue. */
struct tern_device *tern_sq_device(const struct tern_sq *sq);

#ifdef __cplusplus
}
#endif

#endif
