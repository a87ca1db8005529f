/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One side of a file transfer: a NIC with one completion queue, one send queue, one reception FIFO,
 * and the messages that have arrived. For one thread.
 */
#ifndef TERN_PEER_H
#define TERN_PEER_H

#include <tern/group.h>

#include "filemsg.h"

enum { PEER_INBOX = 64, PEER_TEXT = 256 };

struct peer {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_info info;
    struct filemsg out;            /* the message in flight */
    struct tern_region *out_region;
    /* messages that have arrived and were not taken */
    struct filemsg inbox[PEER_INBOX];
    uint16_t inbox_node[PEER_INBOX];
    unsigned inbox_count;
    /* the message in flight */
    bool sending;
    struct tern_completion sent;
    /* puts and broadcasts */
    unsigned puts_out;
    uint64_t put_bytes;            /* bytes of completed puts */
    bool put_failed;
    struct tern_completion put_error;
};

/* Opens `uri` and makes the queues; the reception FIFO gets `queue`.  0 or the negated status. */
int peer_open(struct peer *peer, const char *uri, uint16_t queue);
void peer_close(struct peer *peer);

/*
 * Waits up to `timeout_ms` for a completion and handles it. 0, WAIT_EXPIRED, or why the NIC is
 * lost.
 */
int peer_step(struct peer *peer, int timeout_ms);

/*
 * Sends `message` and waits until it has arrived. 0 or the negated status; `sent` has the
 * completion.
 */
int peer_send(struct peer *peer, struct tern_target to, const struct filemsg *message);

/* Takes the next message, waiting up to `timeout_ms`.  `node` gets its source. */
int peer_receive(struct peer *peer, struct filemsg *message, uint16_t *node, int timeout_ms);

/*
 * Returns the key of the group with number `number`, the same at all nodes; 0 when there are fewer
 * groups.
 */
uint32_t peer_group_key(const struct peer *peer, unsigned number);

/* Posts a put of a piece; AGAIN when the queues are full. */
int peer_put(struct peer *peer, struct tern_rptr to, const struct tern_region *region,
             const void *from, uint32_t bytes);

/* Posts the same piece as a broadcast, to the same offset. */
int peer_bcast(struct peer *peer, struct tern_group *group, const struct tern_region *region,
               uint64_t offset, uint32_t bytes);

int64_t peer_now_ms(void);

#endif
