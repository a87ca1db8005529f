/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads: bytes of another node come here at once, brought by the NIC there; its host takes no part, and need not have
 * opened anything but the region.  One round trip: the quick way to a few bytes.  For long transfers that pace
 * themselves, see tern/remote_get.h.
 *
 * What is read is registered with TERN_RIGHT_REMOTE_READ.  Where it goes is registered here with
 * TERN_RIGHT_REMOTE_WRITE, as the bytes come in packets of another node; a byte counter of that region counts them.
 * Until the read has ended its place here belongs to the NIC.
 *
 * What is whole: 8 bytes of which both addresses are a multiple of 8, like those of a put; nothing larger.  What is
 * read is what stood there when the NIC there came to it.
 *
 * Order: reads of a queue, and reads and puts of it, overtake each other; TERN_DFLAG_FENCE orders what it is given with
 * after all that was posted before.  A put that has completed is seen by every read posted after that, whoever
 * posts it.  What a read brought is in memory when it completes.
 *
 * A read that failed may have written some of its bytes, and more may come: its place here is only sure to
 * stay as it is when the region has been released.
 *
 * Errors, threads, ownership, units: as tern.h says.  `flags`, and the room that is needed, are as with tern_put();
 * TERN_DFLAG_OFFSET counts `from` from the start of the region, TERN_DFLAG_UNACKED means nothing here.
 */
#ifndef TERN_READ_H
#define TERN_READ_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Reads `bytes` (1 to put_bytes_max) at `from` into `to`, which lies in `region`.  Returns AGAIN like tern_put(),
 * BAD_ARGUMENT without a region.  Completes as TERN_OP_READ, with `length` the bytes read: OK; or BAD_KEY, BAD_RIGHTS,
 * BAD_RANGE, HOST_FAULT of either region, BAD_LENGTH, STALE_NODE, BAD_NODE, LINK_DOWN, TIMEOUT, or RNR when the other NIC
 * had too much else to send for a long time.  What is wrong with the region here is found when the bytes come: then, too,
 * `fault` names the target.
 */
int tern_read(struct tern_sq *sq, struct tern_rptr from, const struct tern_region *region, void *to, uint32_t bytes,
              unsigned flags, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
