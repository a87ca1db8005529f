/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sends a message to a numbered queue of another node, from one process to another.
 *
 *   ./message sim:1                  receives: prints its queue number, waits for a message, prints
 *   it
 *   ./message sim:0 1.0.0 QUEUE hi   sends "hi" to that queue of node 1.0.0
 *
 * A message needs only the receiver's reception FIFO. When the FIFO is full the sender's NIC
 * retries, and after a while ends with RNR.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/tern.h>

static int fail(const char *what, int status)
{
    fprintf(stderr, "message: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* Waits for one completion. Returns 0, or why there is none. */
static int next(struct tern_cq *cq, struct tern_completion *done)
{
    int got, status;

    while ((got = tern_cq_poll(cq, done, 1)) == 0)
        if ((status = tern_cq_wait(cq, -1)) < 0)
            return status;
    return got < 0 ? got : 0;
}

static int receive(struct tern_cq *cq)
{
    struct tern_completion message;
    char node[TERN_NODE_TEXT];
    struct tern_rq *rq;
    int status = tern_rq_create(cq, 4, 8, TERN_QUEUE_ANY, &rq); /* 16 messages of up to 256 bytes */

    if (status)
        return fail("reception FIFO", status);
    printf("queue %u\n", tern_rq_number(rq));
    fflush(stdout);
    if ((status = next(cq, &message)) < 0)
        return fail("receive", status);
    printf("node %s says: %.*s\n", tern_node_format(message.node, node), (int)message.length,
           (const char *)message.data);
    return tern_rq_release(rq, 1) != 0; /* gives the bytes back to the NIC */
}

static int send_to(struct tern_device *device, struct tern_cq *cq, char **args)
{
    struct tern_target to = {.queue = (uint16_t)atoi(args[1])};
    struct tern_completion done;
    struct tern_region *region;
    struct tern_sq *sq;
    int status = tern_node_parse(args[0], &to.node, NULL);

    if (!status)
        status = tern_register(device, args[2], strlen(args[2]), TERN_RIGHT_LOCAL_READ, &region);
    if (!status)
        status = tern_sq_create(cq, 4, &sq);
    if (!status)
        status = tern_send(sq, to, region, args[2], (uint32_t)strlen(args[2]), TERN_DFLAG_SIGNAL,
                           0);
    if (!status)
        status = next(cq, &done);
    if (!status)
        status = -(int)done.status;
    return status ? fail("send", status) : 0;
}

int main(int argc, char **argv)
{
    struct tern_device *device;
    struct tern_cq *cq;
    int status;

    if (argc != 2 && argc != 5) {
        fprintf(stderr, "usage: message URI [NODE QUEUE TEXT]\n");
        return 2;
    }
    if ((status = tern_open(argv[1], &device)) < 0)
        return fail(argv[1], status);
    if ((status = tern_cq_create(device, 5, 0, &cq)) < 0)
        return fail("completion queue", status);
    status = argc == 2 ? receive(cq) : send_to(device, cq, argv + 2);
    tern_close(device);
    return status;
}
