/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A counter that two processes at different nodes increment at the same time, each by
 * fetch-and-add.
 *
 *   ./atomic sim:0 sim:1 1000
 *
 * The parent owns the word, at the second NIC; it increments the word through that NIC, and a child
 * through the first one. No addition is lost, because the NIC that has the word carries them out
 * one after the other. The owner's program must use its NIC, too: an addition by its processor
 * could be lost.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/atomic.h>

static int fail(const char *what, int status)
{
    fprintf(stderr, "atomic: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* Adds one `rounds` times, through a queue of `device`. */
static int raise_it(struct tern_device *device, struct tern_rptr word, int rounds)
{
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int status = tern_cq_create(device, 4, 0, &cq);

    if (!status)
        status = tern_sq_create(cq, 4, &sq);
    for (int i = 0; i < rounds && !status; i++) {
        int got = 0;

        status = tern_fetch_add(sq, word, 1, TERN_DFLAG_SIGNAL, 0);
        while (!status && (got = tern_cq_poll(cq, &done, 1)) == 0)
            status = tern_cq_wait(cq, -1);
        if (!status)
            status = got < 0 ? got : -(int)done.status; /* done.value is the old word */
    }
    return status ? fail("add", status) : 0;
}

/*
 * The other process: opens a NIC of its own, since a device cannot be used after fork(), and gets
 * the pointer by a pipe.
 */
static int child(const char *uri, int pipe_end, int rounds)
{
    struct tern_device *device;
    struct tern_rptr word;
    int status;

    if (read(pipe_end, &word, sizeof(word)) != sizeof(word))
        return 1;
    if ((status = tern_open(uri, &device)) < 0)
        return fail(uri, status);
    status = raise_it(device, word, rounds);
    tern_close(device);
    return status;
}

int main(int argc, char **argv)
{
    _Alignas(8) static volatile uint64_t word;
    struct tern_device *device;
    struct tern_region *region;
    struct tern_rptr pointer;
    int ends[2], status, result, rounds = argc > 3 ? atoi(argv[3]) : 1000;

    if (argc < 3 || pipe(ends)) {
        fprintf(stderr, "usage: atomic URI URI [ROUNDS]\n");
        return 2;
    }
    if (fork() == 0)
        _exit(child(argv[1], ends[0], rounds));
    if ((status = tern_open(argv[2], &device)) < 0)
        return fail(argv[2], status);
    if ((status = tern_register(device, (void *)(uintptr_t)&word, sizeof(word),
                                TERN_RIGHT_REMOTE_ATOMIC, &region)) < 0)
        return fail("register", status);
    pointer = tern_region_pointer(region, 0);
    if (write(ends[1], &pointer, sizeof(pointer)) != sizeof(pointer))
        return 1;
    status = raise_it(device, pointer, rounds);
    if (wait(&result) < 0 || result != 0)
        status = 1;
    printf("two processes added %d each: the counter is %" PRIu64 "\n", rounds, word);
    tern_close(device);
    return status || word != 2 * (uint64_t)rounds;
}
