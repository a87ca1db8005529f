/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations: a 64-bit word of another node is read and changed in one go, by the NIC there; its host takes
 * no part.
 *
 * The word is registered with TERN_RIGHT_REMOTE_ATOMIC, and its address is a multiple of 8.  It is in the byte order
 * of the host there, which is little-endian.  The completion has the word as it was before in `value`, so who compares
 * knows whether it was changed; without TERN_DFLAG_SIGNAL nobody is told.
 *
 * What is atomic: operations on one word, of all nodes, happen one after the other, and a put to an address that is a
 * multiple of 8 changes the word wholly before or wholly after.  What is not: programs of the host that owns the
 * word may read it at any time, but what they write themselves may be lost between the reading and the writing of
 * an operation; they go through their NIC like everybody else (a node may name itself).  These are the semantics of
 * IBV_ATOMIC_HCA.
 *
 * At most once: an operation is sent once.  One that was refused changed nothing.  TIMEOUT, LINK_DOWN, FLUSHED,
 * DISCONNECTED: it may have happened or not, and what the word was is lost.
 *
 * Order: operations on one word by one queue happen in the order of posting.  An operation and a put of the same
 * queue overtake each other; TERN_DFLAG_FENCE orders what it is given with after what was posted before.
 *
 * Sources: InfiniBand Architecture Specification Volume 1, 9.4.5 (atomic operations); operations under masks as
 * "extended atomics" of verbs have them.
 *
 * Errors, threads, ownership, units: as tern.h says.  `flags`, and the room that is needed, are as with tern_put();
 * TERN_DFLAG_UNACKED means nothing here, as there always is an answer.  `length` of a completion, and what a byte
 * counter that follows the queue is given, are the TERN_ATO_BYTES of operands.
 */
#ifndef TERN_ATOMIC_H
#define TERN_ATOMIC_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * If the word at `at` is `compare`, it becomes `swap`.  Returns AGAIN like tern_put(), BAD_ALIGN when the address is
 * no multiple of 8.  Completes as TERN_OP_CAS: OK whether it was alike or not; or BAD_KEY, BAD_RIGHTS, BAD_RANGE,
 * BAD_ALIGN, STALE_NODE, HOST_FAULT of the target, BAD_NODE, LINK_DOWN, TIMEOUT.
 */
int tern_compare_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t compare, uint64_t swap, unsigned flags,
                      uint64_t context);

/* The word becomes `swap`, whatever it was. */
int tern_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t swap, unsigned flags, uint64_t context);

/* `add` is added to the word, modulo 2^64.  Completes as TERN_OP_ADD. */
int tern_fetch_add(struct tern_sq *sq, struct tern_rptr at, uint64_t add, unsigned flags, uint64_t context);

/*
 * Under masks.  If the word is `compare` in all bits of `compare_mask` (no bits: always), then
 *   compare-and-swap: its bits of `swap_mask` become those of `swap`, the others stay;
 *   fetch-and-add:    the bits of `swap_mask` of `swap` are added to all of the word; carries run on;
 *   take:             those bits of `swap_mask` are set that are set in that sum.  With a field of bits as mask and its lowest
 *                     as `swap`, that is the lowest bit of the field that was clear; none when all were set.
 */
struct tern_masked {
    uint64_t compare, compare_mask;
    uint64_t swap, swap_mask;
};

/* BAD_ARGUMENT without `masked`, which is copied at once. */
int tern_compare_swap_masked(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked,
                             unsigned flags, uint64_t context);
int tern_fetch_add_masked(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked, unsigned flags,
                          uint64_t context);

/* Completes as TERN_OP_TAKE. */
int tern_take(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked, unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
