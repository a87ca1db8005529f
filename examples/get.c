/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads another node's memory (RDMA READ): its NIC answers, without a process there.
 *
 *   tern sim --torus 4x1x1 &
 *   cc get.c $(pkg-config --cflags --libs tern) -o get
 *   ./get sim:0 sim:1
 *
 * One program opens both NICs, so the remote pointer needs no message.
 */
#include <stdio.h>
#include <string.h>

#include <tern/read.h>

static int fail(const char *what, int status)
{
    fprintf(stderr, "get: %s: %s\n", what, tern_strerror(status));
    return 1;
}

int main(int argc, char **argv)
{
    struct tern_device *here, *there;
    struct tern_region *source, *place;
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_sq *sq;
    char from[64] = "a text in the memory of the other node", to[64] = "";
    int status;

    if (argc != 3) {
        fprintf(stderr, "usage: get URI URI\n");
        return 2;
    }
    /* The node that has the bytes: memory that other nodes may read. */
    if ((status = tern_open(argv[2], &there)) < 0)
        return fail(argv[2], status);
    if ((status = tern_register(there, from, sizeof(from), TERN_RIGHT_REMOTE_READ, &source)) < 0)
        return fail("register", status);

    /* The node that reads: the bytes arrive in packets, so its memory must allow remote writes. */
    if ((status = tern_open(argv[1], &here)) < 0)
        return fail(argv[1], status);
    if ((status = tern_register(here, to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &place)) < 0 ||
        (status = tern_cq_create(here, 4, 0, &cq)) < 0 || (status = tern_sq_create(cq, 4, &sq)) < 0)
        return fail("set up", status);

    status = tern_read(sq, tern_region_pointer(source, 0), place, to, sizeof(to),
                       TERN_DFLAG_SIGNAL, 0);
    if (!status)
        status = tern_cq_next(cq, &done, -1);
    if (!status)
        status = -(int)done.status;
    if (status)
        return fail("read", status);
    printf("read \"%s\"\n", to);
    tern_close(here);
    tern_close(there);
    return strcmp(from, to) != 0;
}
