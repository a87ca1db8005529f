/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts a text from the host memory of one NIC into that of another (RDMA WRITE), without a process
 * at the target.
 *
 *   tern sim --torus 4x1x1 &
 *   cc put.c $(pkg-config --cflags --libs tern) -o put
 *   ./put sim:0 sim:1 "hello"
 *
 * This program opens both NICs, so the remote pointer needs no message; between two programs a
 * message would carry it (tern_send, or any other way).
 */
#include <stdio.h>
#include <string.h>

#include <tern/tern.h>

/* Prints what went wrong, and with which status. */
static int fail(const char *what, int status)
{
    fprintf(stderr, "put: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* Posts one put and waits for its completion.  0 or a negated status. */
static int put_and_wait(struct tern_sq *sq, struct tern_cq *cq, struct tern_rptr to,
                        const struct tern_region *region, const void *from, uint32_t bytes)
{
    struct tern_completion done;
    int got = 0;
    int status = tern_put(sq, to, region, from, bytes, TERN_DFLAG_SIGNAL, 0);

    while (!status && got == 0) {
        status = tern_cq_wait(cq, -1);
        if (!status)
            got = tern_cq_poll(cq, &done, 1);
    }
    if (status || got < 0)
        return status ? status : got;
    return -(int)done.status;
}

int main(int argc, char **argv)
{
    const char *text = argc > 3 ? argv[3] : "hello over there";
    struct tern_device *here = NULL, *there = NULL;
    struct tern_region *source, *target;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    char from[256] = "", to[256] = "";
    uint64_t before = 0, after = 0;
    int status;

    if (argc < 3) {
        fprintf(stderr, "usage: put URI URI [TEXT]\n");
        return 2;
    }
    snprintf(from, sizeof(from), "%s", text);

    /* The target: memory that packets may write. */
    status = tern_open(argv[2], &there);
    if (status)
        return fail(argv[2], status);
    status = tern_register(there, to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target);
    if (status)
        return fail("registering the target", status);

    /* The origin: memory the NIC may read, and queues. */
    status = tern_open(argv[1], &here);
    if (status)
        return fail(argv[1], status);
    status = tern_register(here, from, sizeof(from), TERN_RIGHT_LOCAL_READ, &source);
    if (!status)
        status = tern_cq_create(here, 4, 0, &cq);
    if (!status)
        status = tern_sq_create(cq, 4, &sq);
    if (status)
        return fail("setting up", status);

    tern_cycles(here, &before);
    status = put_and_wait(sq, cq, tern_region_pointer(target, 0), source, from,
                          (uint32_t)strlen(from) + 1);
    tern_cycles(here, &after);
    if (status)
        return fail("put", status);
    tern_query(here, &info);
    if (info.modelled) /* the soft tier has no cycles */
        printf("the target holds \"%s\"\n", to);
    else
        printf("the target holds \"%s\" after %llu cycles\n", to,
               (unsigned long long)(after - before));

    tern_close(here);
    tern_close(there);
    return strcmp(from, to) != 0;
}
