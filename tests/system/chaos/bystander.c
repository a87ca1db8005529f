/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bystanders: processes that kills must not affect. The holder of the token checks the data that
 * came with it, puts other data to the next bystander, waits for the completion, and passes the
 * token on as a message.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "chaos.h"

enum { BYTES = 3000, RING_LOG2 = 3, MESSAGE_LOG2 = 6, MESSAGE_QUEUE = 300 };

struct stand {
    const struct bystander *me;
    struct tern_device *device;
    struct tern_cq *sends, *messages;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *here, *there;
    uint8_t from[BYTES], to[BYTES];
    struct target next;
};

static void wrong(const struct stand *stand, const char *what, int status)
{
    atomic_fetch_add(&stand->me->board->wrong[stand->me->node], 1);
    printf("# bystander on node %u: %s: %s\n", stand->me->node, what, tern_strerror(status));
    fflush(stdout);
    exit(EXIT_FAILURE);
}

static void must(const struct stand *stand, int status, const char *what)
{
    if (status)
        wrong(stand, what, status);
}

static void set_up(struct stand *stand)
{
    struct tern_device *device = rig_open(stand->me->rig, stand->me->node);

    stand->device = device;
    must(stand, tern_register(device, stand->to, BYTES, TERN_RIGHT_REMOTE_WRITE, &stand->there),
         "register");
    must(stand, tern_register(device, stand->from, BYTES, TERN_RIGHT_LOCAL_READ, &stand->here),
         "register");
    must(stand, tern_cq_create(device, 4, 0, &stand->sends), "completion queue");
    must(stand, tern_cq_create(device, 4, 0, &stand->messages), "completion queue");
    must(stand, tern_sq_create(stand->sends, RING_LOG2, &stand->sq), "send queue");
    must(stand, tern_rq_create(stand->messages, RING_LOG2, MESSAGE_LOG2, MESSAGE_QUEUE, &stand->rq),
         "FIFO");
}

static void pass_on(struct stand *stand, uint32_t lap)
{
    struct tern_target mailbox = {.node = stand->next.node, .queue = stand->next.queue};
    struct tern_completion done;

    rig_fill(stand->from, BYTES, lap);
    must(stand,
         tern_put(stand->sq, stand->next.pointer, stand->here, stand->from, BYTES,
                  TERN_DFLAG_SIGNAL, lap),
         "put");
    done = rig_wait(stand->sends);
    if (done.status != TERN_ST_OK || done.context != lap)
        wrong(stand, "a put failed", (int)done.status);
    must(stand, tern_send(stand->sq, mailbox, NULL, &lap, sizeof(lap), TERN_DFLAG_SIGNAL, lap),
         "send");
    done = rig_wait(stand->sends);
    if (done.status != TERN_ST_OK || done.context != lap)
        wrong(stand, "a message failed", (int)done.status);
}

/* Handles the arrival of the token. */
static void take(struct stand *stand, const struct tern_completion *got)
{
    uint32_t lap = 0;

    if (got->opcode != TERN_OP_RECV || got->length != sizeof(lap))
        wrong(stand, "a message that is none", (int)got->status);
    memcpy(&lap, got->data, sizeof(lap));
    if (!rig_holds(stand->to, BYTES, lap))
        wrong(stand, "the data is another's", TERN_ST_OK);
    must(stand, tern_rq_release(stand->rq, 1), "release");
    atomic_fetch_add(&stand->me->board->laps[stand->me->node], 1);
    if (atomic_load(&stand->me->board->stopping))
        atomic_store(&stand->me->board->parked, true);
    else
        pass_on(stand, lap + (stand->me->node == 0));
}

/* Waits for the token or a command; false at the end. */
static bool turn(struct stand *stand, int in)
{
    struct pollfd fds[2] = {{.fd = in, .events = POLLIN},
                            {.fd = tern_cq_fd(stand->messages), .events = POLLIN}};
    struct tern_completion got;
    eventfd_t count;

    poll(fds, 2, -1);
    if (fds[0].revents)
        return false;
    (void)eventfd_read(fds[1].fd, &count);
    while (tern_cq_poll(stand->messages, &got, 1) > 0)
        take(stand, &got);
    return true;
}

void bystander(const void *arg, int in, int out)
{
    static struct stand stand;
    struct target mine;

    stand.me = arg;
    set_up(&stand);
    mine = (struct target){.pointer = tern_region_pointer(stand.there, 0), .queue = MESSAGE_QUEUE};
    mine.node = tern_rptr_node(mine.pointer);
    if (!give(out, &mine, sizeof(mine)) || !get(in, &stand.next, sizeof(stand.next)))
        exit(EXIT_FAILURE);
    if (stand.me->node == 0)
        pass_on(&stand, 1);
    while (turn(&stand, in))
        ;
    tern_close(stand.device);
}
