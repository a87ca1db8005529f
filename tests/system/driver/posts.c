/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls of a post, counted by a tracer: none while driver and simulator share memory for
 * posted writes, one for each post while every doorbell is a message.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "rig.h"
#include "rig_tier.h"

enum { BYTES = 8, PAUSES = 8, PAUSE_MS = 50 };

/* Shared by the poster and its tracer. */
struct shared {
    volatile int posting; /* the poster is executing a post */
    unsigned long calls;  /* system calls during posts */
    unsigned posts, good, refused;
    double seconds; /* duration of all posts */
};

static struct rig rig;
static struct shared *shared;

static unsigned posts(void)
{
    const char *text = getenv("TERN_TEST_POSTS");

    if (text)
        return (unsigned)atoi(text);
    return rig_tier_is_soft() ? 100000 : 4000;
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void post(struct rig_end *end, struct tern_rptr to)
{
    double begun = now();
    int status;

    shared->posting = 1;
    status = tern_put_inline(end->sq, to, end->buffer, BYTES, TERN_DFLAG_SIGNAL, shared->posts);
    shared->posting = 0;
    shared->seconds += now() - begun;
    shared->posts += status == 0;
    shared->refused += status == -TERN_ST_AGAIN;
    if (status != 0 && status != -TERN_ST_AGAIN)
        _exit(1);
}

static void drain(struct rig_end *end)
{
    struct tern_completion done[64];

    while (shared->good < shared->posts) {
        int count = tern_cq_poll(end->cq, done, 64);

        if (count < 0)
            _exit(1);
        for (int i = 0; i < count; i++) {
            if (done[i].status != TERN_ST_OK)
                _exit(1);
            shared->good++;
        }
    }
}

static void poster(unsigned count, unsigned pauses)
{
    struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    struct rig_end from, to;
    struct tern_rptr at;
    unsigned first;

    rig_end_open(&to, &rig, 1);
    rig_end_open(&from, &rig, 0);
    at = rig_end_at(&to, 0);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    raise(SIGSTOP);
    for (unsigned p = 0; p <= pauses; p++) {
        first = shared->posts;
        while (shared->posts - first < count / (pauses + 1)) {
            post(&from, at);
            if (shared->posts - shared->good >= 32)
                drain(&from);
        }
        drain(&from);
        if (pauses > 0)
            nanosleep(&pause, NULL); /* the simulator falls asleep */
    }
    ptrace(PTRACE_DETACH, 0, NULL, NULL);
    rig_end_close(&from);
    rig_end_close(&to);
    _exit(0);
}

/* Lets the poster run from system call to system call; returns its exit status, or -1. */
static int trace(pid_t pid)
{
    bool entered = false;
    int status;

    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
        return -1;
    ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
    for (;;) {
        int signal = 0;

        if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signal) != 0)
            return -1;
        if (waitpid(pid, &status, 0) != pid)
            return -1;
        if (WIFEXITED(status))
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            return -1;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80)) {
            entered = !entered;
            shared->calls += entered && shared->posting;
        }
    }
}

/* Posts `count` puts in a traced process; returns whether all succeeded. */
static bool run(unsigned count, unsigned pauses)
{
    pid_t pid;

    memset(shared, 0, sizeof(*shared));
    pid = fork();
    if (pid == 0)
        poster(count, pauses);
    return pid > 0 && trace(pid) == 0 && shared->good == shared->posts &&
           shared->posts >= count / (pauses + 1) * (pauses + 1);
}

int main(void)
{
    const char *const args[] = {"--torus", "2x1x1", NULL};
    unsigned count = posts();
    bool good;

    rig_start(&rig, args);
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    good = run(count, 0);
    tap(good && shared->calls == 0, "a post makes no system call");
    tap_evidence("F5", "posts=%u calls=%lu", shared->posts, shared->calls);
    tap_note("%u posts: %.2f us each, %u found the ring full", shared->posts,
             1e6 * shared->seconds / shared->posts, shared->refused);

    good = run(count / 10, PAUSES);
    tap(good && shared->calls == 0, "beside a simulator that sleeps and wakes neither");
    tap_evidence("F5", "posts=%u calls=%lu sleeps=%u", shared->posts, shared->calls, PAUSES);

    setenv("TERN_NO_BELLS", "1", 1);
    good = run(count / 10, 0);
    tap(good && shared->calls >= shared->posts,
        "without shared memory each post is a message, and the tracer counts it");
    tap_note("%u posts by messages: %.2f us each", shared->posts,
             1e6 * shared->seconds / shared->posts);
    rig_stop(&rig);
    return tap_end();
}
