/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets: another node puts bytes here on request, without software of its host.
 *
 * The node that has the bytes opens a FIFO for remote gets once, and registers the memory to be
 * read with TERN_RIGHT_REMOTE_READ and TERN_RIGHT_LOCAL_READ. tern_remote_get() sends that node the
 * description of a put; its NIC places the put in the FIFO and carries it out. When the put has
 * ended, it checks in at this NIC, which then requests the next piece. So only one piece is in
 * flight at a time, and no host software runs at either end until the completion.
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

/* ---- source side ------------------------------------------------------------ */

struct tern_fifo;

/*
 * Opens a FIFO of 2^log2_entries puts for remote gets of any node. If the FIFO is full, the
 * requesting NIC retries as for a message. A put that fails also completes here, in `cq`:
 * TERN_OP_PULL with its error, `queue` the FIFO and `node` the destination.
 */
int tern_fifo_create(struct tern_cq *cq, unsigned log2_entries, struct tern_fifo **fifo);

/* Waits for its puts in flight, drops queued ones, then frees the FIFO. */
int tern_fifo_destroy(struct tern_fifo *fifo);

/* Returns the queue number to which others send remote gets. */
uint16_t tern_fifo_number(const struct tern_fifo *fifo);

/* ---- requester side --------------------------------------------------------------- */

struct tern_getter;

/*
 * Makes the state of one remote get at a time, with check-in area `area` of this NIC for its
 * exclusive use. `limit`: cycles allowed for each piece; 0: no limit, even if the other node has
 * died.
 */
int tern_getter_create(struct tern_cq *cq, uint16_t area, uint32_t limit,
                       struct tern_getter **getter);

/* Frees it. QUEUE_BUSY while a remote get is in flight. */
int tern_getter_destroy(struct tern_getter *getter);

/* The transfer to ask for. */
struct tern_remote_get {
    struct tern_rptr from;            /* as tern_region_pointer() of its owner gave it */
    uint16_t fifo;                    /* a FIFO of the same function there */
    const struct tern_region *region; /* with TERN_RIGHT_REMOTE_WRITE; contains `to` */
    void *to;
    uint64_t bytes;                   /* less than 2^32 */
    /* bytes per request, at most put_bytes_max; 0: the maximum */
    uint32_t piece;
};

/*
 * Posts the get, after all that was posted to `sq` before: two descriptors a piece, one doorbell.
 * AGAIN: no room in the queue, or the previous get is in flight; BAD_LENGTH: zero bytes, or more
 * pieces than the queue can ever hold. Completes once, as TERN_OP_GET: OK when all bytes have
 * arrived; BAD_QUEUE, BAD_TYPE, BAD_KEY, BAD_RIGHTS, BAD_RANGE when the FIFO or its memory refused;
 * the status of a failed put; or TIMEOUT. After an error some of the bytes may have arrived.
 */
int tern_remote_get(struct tern_sq *sq, struct tern_getter *getter,
                    const struct tern_remote_get *get, uint64_t context);

#ifdef __cplusplus
}
#endif

#endif
