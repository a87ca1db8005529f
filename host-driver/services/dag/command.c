/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Commands of the shell, each in a process group of its own, so that all of it can be killed when
 * its time or the worker's lease is over. The file $TERN_OUT is private to the attempt; its bytes
 * become the output of the task.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

enum { POLL_US_FIRST = 200, POLL_US_MOST = 5000, PATH_ROOM = 128, NOT_RUN = 127 };

static void pause_us(unsigned us)
{
    const struct timespec pause = {.tv_nsec = (long)us * 1000};

    nanosleep(&pause, NULL);
}

static void in_child(const struct tern_attempt *a, const struct dag_task *task, const char *out)
{
    char number[16];

    (void)setpgid(0, 0);
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)snprintf(number, sizeof(number), "%u", a->attempt);
    (void)setenv("TERN_OUT", out, 1);
    (void)setenv("TERN_NODE", a->record->name, 1);
    (void)setenv("TERN_ATTEMPT", number, 1);
    (void)execl("/bin/sh", "sh", "-c", task->text, (char *)NULL);
    _exit(NOT_RUN);
}

/* Waits for the end; kills the group when the time or the lease is over. */
static int await(struct tern_attempt *a, pid_t pid, uint32_t limit_ms)
{
    uint64_t end = run_now_us() + (uint64_t)limit_ms * 1000;
    unsigned pause = POLL_US_FIRST;
    int status, result = 0;

    while (waitpid(pid, &status, WNOHANG) == 0) {
        if ((limit_ms && run_now_us() > end) || tern_attempt_lost(a)) {
            (void)kill(-pid, SIGKILL);
            (void)kill(pid, SIGKILL);
            (void)waitpid(pid, &status, 0);
            result = -TERN_ST_BAD_STATE;
            break;
        }
        pause_us(pause);
        pause = pause < POLL_US_MOST ? pause * 2 : POLL_US_MOST;
    }
    (void)kill(-pid, SIGKILL);
    if (!result && (!WIFEXITED(status) || WEXITSTATUS(status) != 0))
        result = -TERN_ST_BAD_STATE;
    return result;
}

static int run_once(struct tern_attempt *a, const struct dag_task *task, const char *out)
{
    pid_t pid;

    (void)fflush(NULL);
    pid = fork();
    if (pid < 0)
        return -TERN_ST_SYSTEM;
    if (pid == 0)
        in_child(a, task, out);
    return await(a, pid, task->limit_ms);
}

/* Takes the bytes of the private file, if the command has written one. */
static int take_output(struct tern_attempt *a, const char *path)
{
    FILE *file = fopen(path, "rb");
    uint64_t most = tern_cache_limits(a->run->cache).value_bytes;
    uint8_t *bytes;
    size_t count;
    int status;

    if (!file)
        return 0;
    bytes = malloc(most + 1);
    count = bytes ? fread(bytes, 1, most + 1, file) : 0;
    (void)fclose(file);
    status = bytes ? tern_attempt_output(a, bytes, count) : -TERN_ST_NO_MEMORY;
    free(bytes);
    return status;
}

int command_run(struct tern_attempt *a, const struct dag_task *task)
{
    const char *folder = getenv("TMPDIR");
    char out[PATH_ROOM];
    int status = -TERN_ST_BAD_STATE;

    (void)snprintf(out, sizeof(out), "%.80s/tern-dag.%d.%u", folder ? folder : "/tmp",
                   (int)getpid(), a->node);
    for (uint32_t i = 0; i < task->tries && status && !a->lost; i++) {
        (void)unlink(out);
        status = run_once(a, task, out);
    }
    if (!status)
        status = take_output(a, out);
    (void)unlink(out);
    return status;
}
