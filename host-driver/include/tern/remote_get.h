/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets: another node puts bytes here on request, without its host.
 *
 * The node that has the bytes opens a FIFO for remote gets, once, and registers what may be read
 * with TERN_RIGHT_REMOTE_READ and TERN_RIGHT_LOCAL_READ.  tern_remote_get() sends it the
 * description of a put; its NIC places that in the FIFO and carries it out.  When the put has
 * ended, a check-in tells this NIC, which goes on with the next piece: a long transfer paces
 * itself, one piece at a time, and no host software runs at either end until the completion.
 *
 * The mechanism: remote gets and injection FIFOs of US7802025 and US8325633.
 *
 * Errors, units: as tern.h says.  Threads: a FIFO and a getter belong to the thread of their
 * completion queue.
 */
#ifndef TERN_REMOTE_GET_H
#define TERN_REMOTE_GET_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the side that has the bytes ------------------------------------------------------------ */

struct tern_fifo;

/*
 * Opens a FIFO of 2^log2_entries puts for remote gets of any node. A remote get that finds it full
 * is sent again, as a message is. A put that fails also completes here, in `cq`: TERN_OP_PULL with
 * its error, `queue` the FIFO and `node` the destination.
 */
int tern_fifo_create(struct tern_cq *cq, unsigned log2_entries, struct tern_fifo **fifo);

/* Waits for its puts in flight; drops those after them. */
int tern_fifo_destroy(struct tern_fifo *fifo);

/* Returns the queue number to which others send remote gets. */
uint16_t tern_fifo_number(const struct tern_fifo *fifo);

/* ---- the side that wants them --------------------------------------------------------------- */

struct tern_getter;

/*
 * Makes the state of one remote get at a time, with check-in area `area` of this NIC for its
 * exclusive use. `limit`: cycles given to each piece, 0: for ever, even if the other node has died.
 */
int tern_getter_create(struct tern_cq *cq, uint16_t area, uint32_t limit,
                       struct tern_getter **getter);

/* Frees it. QUEUE_BUSY while a remote get is in flight. */
int tern_getter_destroy(struct tern_getter *getter);

/* The transfer to ask for. */
struct tern_remote_get {
    struct tern_rptr from;            /* as tern_region_pointer() of its owner gave it */
    uint16_t fifo;                    /* of the same function there */
    const struct tern_region *region; /* with TERN_RIGHT_REMOTE_WRITE, around `to` */
    void *to;
    uint64_t bytes;                   /* less than 2^32 */
    /* bytes fetched at a time, at most put_bytes_max; 0: as many as can be */
    uint32_t piece;
};

/*
 * Posts the get, after all that was posted to `sq` before: two descriptors a piece, one doorbell.
 * AGAIN: no room in the queue, or the get before is out; BAD_LENGTH: nothing to get, or more pieces
 * than the queue could ever hold.  Completes once, as TERN_OP_GET: with OK when all bytes are
 * there; with why its FIFO or its memory refused (BAD_QUEUE, BAD_TYPE, BAD_KEY, BAD_RIGHTS,
 * BAD_RANGE), why the put failed, or TIMEOUT; then some of the bytes may be there.
 */
int tern_remote_get(struct tern_sq *sq, struct tern_getter *getter,
                    const struct tern_remote_get *get, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
