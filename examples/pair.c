/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two connected queue pairs (RC), as in a verbs program: posted buffers, a put, and a message that
 * announces the bytes of the put.
 *
 *   ./pair sim:0 sim:1
 *
 * Two programs would exchange the names of their pairs and the remote pointer some other way, for
 * example by the messages of message.c.
 */
#include <stdio.h>
#include <string.h>

#include <tern/pair.h>

enum { BYTES = 128 };

/* One end of the connection. */
struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_inbox *inbox;
    struct tern_pair *pair;
    struct tern_region *region;
    char memory[BYTES], buffer[BYTES];
};

static int fail(const char *what, int status)
{
    fprintf(stderr, "pair: %s: %s\n", what, tern_strerror(status));
    return 1;
}

static int make(struct end *end, const char *uri)
{
    int status = tern_open(uri, &end->device);

    if (!status)
        status = tern_register(end->device, end->memory, BYTES,
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &end->region);
    if (!status)
        status = tern_cq_create(end->device, 5, 0, &end->cq);
    if (!status)
        /* 4 buffers, messages of up to 128 bytes */
        status = tern_inbox_create(end->cq, 2, 7, 0, &end->inbox);
    if (!status)
        status = tern_pair_create(end->cq, TERN_PAIR_RC, 4, end->inbox, &end->pair);
    return status ? status : tern_inbox_post(end->inbox, end->buffer, BYTES, 0);
}

/* Moves the pair from RESET to RTR to RTS. */
static int connect_to(struct end *end, const struct end *other)
{
    const struct tern_pair_peer peer = {.name = tern_pair_name(other->pair), .first = 0};
    int status = tern_pair_connect(end->pair, &peer);

    return status ? status : tern_pair_start(end->pair, 0, TERN_PAIR_FOR_EVER);
}

static int next(struct tern_cq *cq, struct tern_completion *done)
{
    int got, status;

    while ((got = tern_cq_poll(cq, done, 1)) == 0)
        if ((status = tern_cq_wait(cq, -1)) < 0)
            return status;
    return got < 0 ? got : -(int)done->status;
}

int main(int argc, char **argv)
{
    static struct end a, b;
    struct tern_completion done;
    int status;

    if (argc != 3) {
        fprintf(stderr, "usage: pair URI URI\n");
        return 2;
    }
    if ((status = make(&a, argv[1])) < 0 || (status = make(&b, argv[2])) < 0 ||
        (status = connect_to(&a, &b)) < 0 ||
        (status = connect_to(&b, &a)) < 0)
        return fail("set up", status);

    strcpy(a.memory, "bytes of a put");
    status = tern_pair_put(a.pair, tern_region_pointer(b.region, 0), a.region, a.memory, BYTES, 0,
                           0);
    if (!status) /* the message starts when the put has ended */
        status = tern_pair_send(a.pair, NULL, "they are there", sizeof("they are there"), 0,
                                TERN_DFLAG_SIGNAL, 1);
    if (!status)
        status = next(b.cq, &done); /* the message, in b.buffer */
    if (!status)
        printf("message \"%s\", memory \"%s\"\n", b.buffer, b.memory);
    if (!status)
        status = next(a.cq, &done); /* the sender's own completion */
    if (status)
        return fail("exchange", status);
    tern_close(a.device);
    tern_close(b.device);
    return strcmp(a.memory, b.memory) != 0;
}
