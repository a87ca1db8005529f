/* SPDX-License-Identifier: Apache-2.0 */
/* See peer.h. */
#define _GNU_SOURCE
#include "peer.h"

#include <string.h>
#include <time.h>

enum { QUEUE_LOG2 = 5, RQ_LOG2 = 6, CQ_LOG2 = 7, RQ_BYTES_LOG2 = 7, GROUP_TAG = 0x4654 };

/* Contexts: a message, or the bytes of a put. */
#define MESSAGE_CONTEXT UINT64_MAX

int64_t peer_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int peer_open(struct peer *peer, const char *uri, uint16_t queue)
{
    int status;

    memset(peer, 0, sizeof(*peer));
    status = tern_open(uri, &peer->device);
    if (!status)
        status = tern_query(peer->device, &peer->info);
    if (!status)
        status = tern_register(peer->device, &peer->out, sizeof(peer->out), TERN_RIGHT_LOCAL_READ,
                               &peer->out_region);
    if (!status)
        status = tern_cq_create(peer->device, CQ_LOG2, 0, &peer->cq);
    if (!status)
        status = tern_sq_create(peer->cq, QUEUE_LOG2, &peer->sq);
    if (!status)
        status = tern_rq_create(peer->cq, RQ_LOG2, RQ_BYTES_LOG2, queue, &peer->rq);
    if (status)
        peer_close(peer);
    return status;
}

void peer_close(struct peer *peer)
{
    tern_close(peer->device);
    peer->device = NULL;
}

static void book_message(struct peer *peer, const struct tern_completion *completion)
{
    unsigned count = peer->inbox_count;

    if (count < PEER_INBOX && completion->status == TERN_ST_OK &&
        filemsg_read(completion->data, completion->length, &peer->inbox[count])) {
        peer->inbox_node[count] = completion->node;
        peer->inbox_count++;
    }
    tern_rq_release(peer->rq, 1);
}

static void book_put(struct peer *peer, const struct tern_completion *completion)
{
    peer->puts_out--;
    if (completion->status == TERN_ST_OK) {
        peer->put_bytes += completion->context;
    } else if (!peer->put_failed) {
        peer->put_failed = true;
        peer->put_error = *completion;
    }
}

static void book(struct peer *peer, const struct tern_completion *completion)
{
    if (completion->opcode == TERN_OP_RECV)
        book_message(peer, completion);
    else if (completion->context == MESSAGE_CONTEXT) {
        peer->sending = false;
        peer->sent = *completion;
    } else if (completion->opcode == TERN_OP_PUT || completion->opcode == TERN_OP_BCAST)
        book_put(peer, completion);
}

int peer_step(struct peer *peer, int timeout_ms)
{
    struct tern_completion completions[8];
    int status = tern_cq_wait(peer->cq, timeout_ms);
    int count;

    if (status)
        return status;
    count = tern_cq_poll(peer->cq, completions, 8);
    for (int i = 0; i < count; i++)
        book(peer, &completions[i]);
    return count < 0 ? count : 0;
}

int peer_send(struct peer *peer, struct tern_target to, const struct filemsg *message)
{
    int status;

    peer->out = *message;
    memset(&peer->sent, 0, sizeof(peer->sent));
    do {
        status = tern_send(peer->sq, to, peer->out_region, &peer->out, sizeof(peer->out),
                           TERN_DFLAG_SIGNAL, MESSAGE_CONTEXT);
        if (status == -TERN_ST_AGAIN && peer_step(peer, 1000) == -TERN_ST_DISCONNECTED)
            return -TERN_ST_DISCONNECTED;
    } while (status == -TERN_ST_AGAIN);
    peer->sending = !status;
    while (peer->sending && !status) {
        status = peer_step(peer, 60000);
    }
    return status ? status : -(int)peer->sent.status;
}

int peer_receive(struct peer *peer, struct filemsg *message, uint16_t *node, int timeout_ms)
{
    int64_t end = peer_now_ms() + timeout_ms;

    while (peer->inbox_count == 0) {
        int64_t left = end - peer_now_ms();
        int status = peer_step(peer, left > 0 ? (int)left : 0);

        if (status && peer->inbox_count == 0)
            return status;
    }
    *message = peer->inbox[0];
    *node = peer->inbox_node[0];
    peer->inbox_count--;
    memmove(peer->inbox, peer->inbox + 1, peer->inbox_count * sizeof(peer->inbox[0]));
    memmove(peer->inbox_node, peer->inbox_node + 1,
            peer->inbox_count * sizeof(peer->inbox_node[0]));
    return 0;
}

int peer_put(struct peer *peer, struct tern_rptr to, const struct tern_region *region,
             const void *from, uint32_t bytes)
{
    int status = tern_put(peer->sq, to, region, from, bytes, TERN_DFLAG_SIGNAL, bytes);

    if (!status)
        peer->puts_out++;
    return status;
}

int peer_bcast(struct peer *peer, struct tern_group *group, const struct tern_region *region,
               uint64_t offset, uint32_t bytes)
{
    int status =
        tern_bcast(peer->sq, group, region, offset, bytes, offset, TERN_DFLAG_SIGNAL, bytes);

    if (!status)
        peer->puts_out++;
    return status;
}

/* Returns a key from the end of the region table, which NICs do not use for other keys. */
uint32_t peer_group_key(const struct peer *peer, unsigned number)
{
    uint32_t places = peer->info.regions / 2;

    if (number + 1 >= places)
        return TERN_KEY_NONE;
    return tern_group_key((uint16_t)(peer->info.regions - 2 * (number + 1)), GROUP_TAG);
}
