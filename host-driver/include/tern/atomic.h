/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations: the NIC that has a 64-bit word reads and changes it in one step; its host
 * takes no part.
 *
 * The word is registered with TERN_RIGHT_REMOTE_ATOMIC, and its address is a multiple of 8. It is
 * little-endian, as the host is. The completion has the old word in `value`, so the caller can see
 * whether a comparison succeeded. Without TERN_DFLAG_SIGNAL there is no completion.
 *
 * Atomicity: operations on one word, from all nodes, happen one after the other. A put to an
 * address that is a multiple of 8 changes the word entirely before or entirely after an operation.
 * The processor of the host that owns the word may read it at any time, but a store of its own may
 * be lost between the read and the write of an operation: it must use its NIC as all others do (a
 * node may name itself). These are the semantics of IBV_ATOMIC_HCA.
 *
 * At most once: an operation is sent once. A refused operation changed nothing. After TIMEOUT,
 * LINK_DOWN, FLUSHED or DISCONNECTED it may have happened or not, and the old word is lost.
 *
 * Order: operations of one queue on one word happen in the order of posting. An operation and a put
 * of the same queue overtake each other; TERN_DFLAG_FENCE starts an operation after all that were
 * posted before it.
 *
 * Sources: InfiniBand Architecture Specification Volume 1, 9.4.5 (atomic operations); operations
 * under masks as the "extended atomics" of verbs.
 *
 * Errors, threads, ownership, units: as tern.h says. `flags`, and the room that is needed, are as
 * with tern_put(); TERN_DFLAG_UNACKED has no effect, because the target always answers. `length` of
 * a completion, and the number that a byte counter of the queue receives, are the TERN_ATO_BYTES of
 * operands.
 */
#ifndef TERN_ATOMIC_H
#define TERN_ATOMIC_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Writes `swap` to the word at `at` if the word is `compare`. Returns AGAIN as tern_put(),
 * BAD_ALIGN when the address is no multiple of 8. Completes as TERN_OP_CAS: OK whether the word was
 * `compare` or not; or BAD_KEY, BAD_RIGHTS, BAD_RANGE, BAD_ALIGN, STALE_NODE, HOST_FAULT of the
 * target, BAD_NODE, LINK_DOWN, TIMEOUT.
 */
int tern_compare_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t compare, uint64_t swap,
                      unsigned flags, uint64_t context);

/* Writes `swap` to the word, whatever it was. */
int tern_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t swap, unsigned flags,
              uint64_t context);

/* Adds `add` to the word modulo 2^64. Completes as TERN_OP_ADD. */
int tern_fetch_add(struct tern_sq *sq, struct tern_rptr at, uint64_t add, unsigned flags,
                   uint64_t context);

/*
 * Operands under masks. If the word equals `compare` in all bits of `compare_mask` (no bits:
 * always), then
 *   compare-and-swap: replaces its bits of `swap_mask` by those of `swap`;
 *   fetch-and-add:    adds the bits of `swap_mask` of `swap` to the whole word, with carries;
 *   take:             computes that sum, and sets those bits of `swap_mask` that are set in it.
 *                     With a field of bits as mask
 *                     and its lowest bit as `swap`, this sets the lowest clear bit of the field;
 *                     none when all were set.
 */
struct tern_masked {
    uint64_t compare, compare_mask;
    uint64_t swap, swap_mask;
};

/* Posts an operation under masks. BAD_ARGUMENT without `masked`, which is copied at once. */
int tern_compare_swap_masked(struct tern_sq *sq, struct tern_rptr at,
                             const struct tern_masked *masked, unsigned flags, uint64_t context);
int tern_fetch_add_masked(struct tern_sq *sq, struct tern_rptr at,
                          const struct tern_masked *masked, unsigned flags, uint64_t context);

/* Posts a take. Completes as TERN_OP_TAKE. */
int tern_take(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked,
              unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
