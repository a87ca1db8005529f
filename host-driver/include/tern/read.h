/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads: the NIC of another node brings bytes of its memory here. Its host takes no part and only
 * needs to have registered the memory. A read takes one round trip, so it suits short data. For
 * long transfers with flow control, see tern/remote_get.h.
 *
 * Rights: the source needs TERN_RIGHT_REMOTE_READ. The destination here needs
 * TERN_RIGHT_REMOTE_WRITE, because the bytes arrive in packets of another node; a byte counter of
 * its region counts them. The destination belongs to the NIC until the read has ended.
 *
 * Atomicity: 8 bytes are read as a whole if both addresses are multiples of 8, as with puts;
 * nothing larger is. The bytes are those in memory when the NIC there reads them.
 *
 * Order: reads of a queue overtake each other and its puts. TERN_DFLAG_FENCE starts an operation
 * after all that were posted before it. Every read sees all puts that had completed when it was
 * posted, from any node. The bytes are in memory when the read completes.
 *
 * A read that failed may have written some of its bytes, and more may arrive later: the destination
 * is safe to reuse only after its region has been released.
 *
 * Errors, threads, ownership, units: as tern.h says. `flags`, and the room that is needed, are as
 * with tern_put(); TERN_DFLAG_OFFSET counts `from` from the start of the region, TERN_DFLAG_UNACKED
 * has no effect.
 */
#ifndef TERN_READ_H
#define TERN_READ_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads `bytes` (1 to put_bytes_max) at `from` into `to`, which lies in `region`. Returns AGAIN
 * like tern_put(), BAD_ARGUMENT without a region. Completes as TERN_OP_READ, with `length` the
 * bytes read: OK; or BAD_KEY, BAD_RIGHTS, BAD_RANGE, HOST_FAULT of either region, BAD_LENGTH,
 * STALE_NODE, BAD_NODE, LINK_DOWN, TIMEOUT, or RNR when the other NIC was busy sending for too
 * long. The NIC checks the region here when the bytes arrive; `fault` then names the target as
 * well.
 */
int tern_read(struct tern_sq *sq, struct tern_rptr from, const struct tern_region *region,
              void *to, uint32_t bytes, unsigned flags, uint64_t context);

/*
 * Has the NIC sample the reads and lookups that it answers: of about 2^log2 of them, one completes
 * in `cq` as TERN_OP_LOOKED, if it read memory that this function registered and `cq` has an entry
 * free.  `node` read `length` bytes at address `value`; `index` 1: a lookup found them, and the
 * upper 16 bits of `value` are the generation of its link.  No operation waits for a sample: the
 * answer has left by then, and the NIC drops a sample that finds no room.
 *
 * A function has samples in one queue, the last one; the rate is that of the last call of any
 * function of the NIC.  They end when the queue is destroyed.  BAD_SIZE: `log2` is over
 * TERN_SAMPLE_LOG2_MAX; BAD_OPCODE: the firmware of this NIC takes none.
 */
int tern_read_sample(struct tern_cq *cq, unsigned log2);

#ifdef __cplusplus
}
#endif

#endif
