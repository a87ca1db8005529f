/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two processes on one NIC, with equal virtual addresses, put at the same time to two on another;
 * one of them is killed, and the others are not affected.
 *
 * Each process has its buffer at the same address, filled with a pattern of its own; sender k puts
 * only to receiver k. The parent only collects the remote pointers and the verdicts.
 */
#define _GNU_SOURCE

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rig.h"

enum { BYTES = 32768, ROUNDS = 24, PIECE = 4096 };

static void *const same_address = (void *)(uintptr_t)UINT64_C(0x2a0000000000);

struct child {
    pid_t pid;
    int to, from; /* pipes to and from the child */
};

static uint8_t *map_same(void)
{
    void *at = mmap(same_address, BYTES, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

    return at == same_address ? at : NULL;
}

static bool get(int fd, void *data, size_t bytes)
{
    return read(fd, data, bytes) == (ssize_t)bytes;
}

static bool give(int fd, const void *data, size_t bytes)
{
    return write(fd, data, bytes) == (ssize_t)bytes;
}

/* Sends its pointer, waits for a command, answers whether its pattern is complete. */
static int receiver(const struct rig *rig, unsigned number, int in, int out)
{
    struct tern_device *device = rig_open(rig, 1);
    struct tern_region *region;
    struct tern_rptr pointer;
    uint8_t *buffer = map_same();
    char word, verdict;

    if (!buffer || tern_register(device, buffer, BYTES, TERN_RIGHT_REMOTE_WRITE, &region))
        return EXIT_FAILURE;
    pointer = tern_region_pointer(region, 0);
    if (!give(out, &pointer, sizeof(pointer)))
        return EXIT_FAILURE;
    while (get(in, &word, 1) && word == '?') {
        verdict = rig_holds(buffer, BYTES, number) ? 'y' : 'n';
        if (!give(out, &verdict, 1))
            return EXIT_FAILURE;
    }
    tern_close(device);
    return EXIT_SUCCESS;
}

/* Puts its pattern repeatedly. Sends 's' after the start, and 'y' when all rounds were good. */
static int sender(const struct rig *rig, unsigned number, int in, int out)
{
    struct tern_device *device = rig_open(rig, 0);
    struct tern_region *region;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rptr target;
    uint8_t *buffer = map_same();
    bool good = true;

    if (!buffer || tern_register(device, buffer, BYTES, TERN_RIGHT_LOCAL_READ, &region) ||
        tern_cq_create(device, 6, 0, &cq) || tern_sq_create(cq, 5, &sq))
        return EXIT_FAILURE;
    rig_fill(buffer, BYTES, number);
    if (!get(in, &target, sizeof(target)))
        return EXIT_FAILURE;
    for (unsigned round = 0; good && round < ROUNDS; round++) {
        uint32_t offset = round * PIECE % BYTES;

        good = !tern_put(sq, tern_rptr_add(target, offset), region, buffer + offset, PIECE,
                         TERN_DFLAG_SIGNAL, round) &&
               rig_wait(cq).status == TERN_ST_OK;
        if (round == 0 && !give(out, "s", 1))
            return EXIT_FAILURE;
    }
    if (!give(out, good ? "y" : "n", 1))
        return EXIT_FAILURE;
    tern_close(device);
    return EXIT_SUCCESS;
}

typedef int child_fn(const struct rig *rig, unsigned number, int in, int out);

static struct child start(const struct rig *rig, child_fn *run, unsigned number)
{
    struct child child = {.pid = -1};
    int down[2], up[2];

    if (pipe(down) || pipe(up))
        return child;
    child.pid = fork();
    if (child.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(down[1]);
        close(up[0]);
        _exit(run(rig, number, down[0], up[1]));
    }
    close(down[0]);
    close(up[1]);
    child.to = down[1];
    child.from = up[0];
    return child;
}

static bool finish(struct child *child)
{
    int status = 0;

    /* ends the receiver, as other copies of the pipe prevent an end of file */
    (void)give(child->to, "q", 1);
    close(child->to);
    close(child->from);
    return waitpid(child->pid, &status, 0) == child->pid && WIFEXITED(status) &&
        WEXITSTATUS(status) == 0;
}

static bool verdict(const struct child *child)
{
    char word = 0;

    return give(child->to, "?", 1) && get(child->from, &word, 1) && word == 'y';
}

static bool says(const struct child *child, char word)
{
    char said = 0;

    return get(child->from, &said, 1) && said == word;
}

/* Connects sender k with receiver k. */
static bool introduce(struct child *sender_child, struct child *receiver_child)
{
    struct tern_rptr pointer;

    return get(receiver_child->from, &pointer, sizeof(pointer)) &&
           give(sender_child->to, &pointer, sizeof(pointer));
}

static void all_four_live(const struct rig *rig)
{
    struct child r1 = start(rig, receiver, 1), r2 = start(rig, receiver, 2);
    struct child s1 = start(rig, sender, 1), s2 = start(rig, sender, 2);
    bool good = introduce(&s1, &r1) && introduce(&s2, &r2);
    bool sent;

    sent = good && says(&s1, 's') && says(&s2, 's') && says(&s1, 'y') && says(&s2, 'y');
    good = sent && verdict(&r1) && verdict(&r2);
    tap_evidence("A8.1", "sent=%d verified=%d", sent, good);
    tap(good, "equal_addresses_do_not_mix");
    tap(finish(&s1) & finish(&s2) & finish(&r1) & finish(&r2), "all four end well");
}

static void one_is_killed(const struct rig *rig)
{
    struct child r1 = start(rig, receiver, 3), r2 = start(rig, receiver, 4);
    struct child s1 = start(rig, sender, 3), s2 = start(rig, sender, 4);
    bool good = introduce(&s1, &r1) && introduce(&s2, &r2) && says(&s1, 's');
    int status;

    kill(s1.pid, SIGKILL);
    good = good && waitpid(s1.pid, &status, 0) == s1.pid && says(&s2, 's') && says(&s2, 'y') &&
        verdict(&r2);
    tap_evidence("A8.2", "survivor_verified=%d", good);
    tap(good, "killed_sender_disturbs_nobody");
    close(s1.to);
    close(s1.from);
    tap(finish(&s2) & finish(&r2) & finish(&r1), "the others end well");
}

static void the_dead_leave_nothing(const struct rig *rig)
{
    struct child r1 = start(rig, receiver, 5), s1 = start(rig, sender, 5);
    bool good = introduce(&s1, &r1) && says(&s1, 's') && says(&s1, 'y') && verdict(&r1);

    tap(good, "function_of_the_dead_is_used_again");
    tap(finish(&s1) & finish(&r1), "they end well");
}

int main(void)
{
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    all_four_live(&rig);
    one_is_killed(&rig);
    the_dead_leave_nothing(&rig);
    rig_stop(&rig);
    return tap_end();
}
