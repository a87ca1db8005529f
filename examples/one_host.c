/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes of one host, each with a NIC of its own: P1, NIC 1, NIC 2, P2.  P2 lends memory; P1
 * writes to it by a call of two requests, which its call cache builds once and finds from then on,
 * and adds to a word that P2 sees grow.  The operating system has no part in a post.
 *
 *   tern sim --torus 2x1x1 &
 *   ./one_host sim:0 sim:1 1000
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/call.h>

enum { BYTES = 64, WORD = BYTES };

static int fail(const char *what, int status)
{
    fprintf(stderr, "one_host: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* P2: lends its memory until P1 is done, and prints what is there then. */
static int lend(const char *uri, int from, int to)
{
    static _Alignas(8) uint8_t memory[BYTES + 8];
    struct tern_device *device;
    struct tern_region *region;
    struct tern_rptr pointer;
    uint64_t count;
    char done;
    int status = tern_open(uri, &device);

    if (!status)
        status = tern_register(device, memory, sizeof(memory),
                               TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC, &region);
    if (status)
        return fail(uri, status);
    pointer = tern_region_pointer(region, 0);
    if (write(to, &pointer, sizeof(pointer)) != sizeof(pointer) || read(from, &done, 1) != 1)
        return 1;
    memcpy(&count, memory + WORD, sizeof(count));
    printf("P2 holds \"%s\", written %llu times\n", (char *)memory, (unsigned long long)count);
    tern_close(device);
    return 0;
}

/* Makes the call `times` times; 0 or a negated status. */
static int call(struct tern_cq *cq, struct tern_calls *calls, const struct tern_wr *list,
                unsigned times)
{
    int status = 0;

    for (unsigned i = 0; i < times && !status; i++) {
        struct tern_completion done;

        status = tern_call(calls, list, NULL);
        if (!status)
            status = tern_cq_next(cq, &done, 60000);
        if (!status)
            status = -(int)done.status;
    }
    return status;
}

/* P1. */
static int use(const char *uri, struct tern_rptr remote, unsigned times)
{
    char text[BYTES] = "the same host, another NIC";
    struct tern_sge sge = {.addr = text, .bytes = BYTES};
    struct tern_wr add = {.opcode = TERN_WR_ADD, .remote = tern_rptr_add(remote, WORD), .swap = 1,
                          .flags = TERN_WR_SIGNAL | TERN_WR_FENCE};
    struct tern_wr put = {.next = &add, .opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1,
                          .remote = remote};
    struct tern_calls_counts counts;
    struct tern_device *device;
    struct tern_region *region;
    struct tern_calls *calls;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int status = tern_open(uri, &device);

    if (status)
        return fail(uri, status);
    status = tern_register(device, text, BYTES, TERN_RIGHT_LOCAL_READ, &region);
    if (!status)
        status = tern_cq_create(device, 6, 0, &cq);
    if (!status)
        status = tern_sq_create(cq, 5, &sq);
    if (!status)
        status = tern_calls_create(sq, NULL, &calls);
    if (status)
        return fail("queues", status);
    sge.region = region;
    status = call(cq, calls, &put, times);
    if (status)
        return fail("call", status);
    tern_calls_counts(calls, &counts);
    printf("P1 built %llu call, found it %llu times\n", (unsigned long long)counts.misses,
           (unsigned long long)counts.hits);
    fflush(stdout);
    tern_calls_destroy(calls);
    tern_close(device);
    return 0;
}

int main(int argc, char **argv)
{
    unsigned times = argc > 3 ? (unsigned)atoi(argv[3]) : 1000;
    int to_p1[2], to_p2[2], status = 1, result;
    struct tern_rptr remote;
    pid_t p2;

    if (argc < 3) {
        fprintf(stderr, "usage: one_host URI URI [TIMES]\n");
        return 2;
    }
    if (pipe(to_p1) || pipe(to_p2))
        return 1;
    p2 = fork();
    if (p2 == 0)
        return lend(argv[2], to_p2[0], to_p1[1]);
    close(to_p1[1]);
    result = p2 < 0 || read(to_p1[0], &remote, sizeof(remote)) != sizeof(remote)
                 ? 1
                 : use(argv[1], remote, times);
    if (write(to_p2[1], "e", 1) != 1)
        result = 1;
    waitpid(p2, &status, 0);
    return result || status ? 1 : 0;
}
