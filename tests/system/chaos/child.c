/* SPDX-License-Identifier: Apache-2.0 */
/* Processes and the pipes to them. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "chaos.h"

struct child child_start(child_fn *run, const void *arg)
{
    struct child child = {.pid = -1};
    int down[2], up[2];

    fflush(stdout);
    if (pipe(down) || pipe(up))
        return child;
    child.pid = fork();
    if (child.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(down[1]);
        close(up[0]);
        run(arg, down[0], up[1]);
        _exit(EXIT_SUCCESS);
    }
    close(down[0]);
    close(up[1]);
    child.to = down[1];
    child.from = up[0];
    return child;
}

static int wait_for(struct child *child)
{
    int status = -1;

    if (child->pid > 0 && waitpid(child->pid, &status, 0) != child->pid)
        status = -1;
    close(child->to);
    close(child->from);
    child->pid = -1;
    return status;
}

void child_kill(struct child *child)
{
    kill(child->pid, SIGKILL);
    wait_for(child);
}

bool child_end(struct child *child)
{
    int status = wait_for(child);

    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool get(int fd, void *data, size_t bytes)
{
    uint8_t *at = data;

    while (bytes > 0) {
        ssize_t got = read(fd, at, bytes);

        if (got <= 0)
            return false;
        at += got;
        bytes -= (size_t)got;
    }
    return true;
}

bool give(int fd, const void *data, size_t bytes)
{
    return write(fd, data, bytes) == (ssize_t)bytes;
}

bool give_word(const struct child *child, char word)
{
    return give(child->to, &word, 1);
}

void gives(int got, int want, const char *what)
{
    if (got == want)
        return;
    printf("# failed: %s gives '%s'\n", what, tern_strerror(got));
    fflush(stdout);
    _exit(EXIT_FAILURE);
}

struct tern_completion next_completion(struct tern_cq *cq, int wait_ms)
{
    struct tern_completion done = {0};

    do
        gives(tern_cq_wait(cq, wait_ms), 0, "tern_cq_wait");
    while (tern_cq_poll(cq, &done, 1) == 0);
    return done;
}
