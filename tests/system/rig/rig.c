/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a simulator for a test, and opens ends on it. */
#define _GNU_SOURCE

#include "rig.h"
#include "rig_tier.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WAIT_MS = 60000, /* a limit that no test reaches */
    ARGS_MAX = 24,
    RING_LOG2 = 6,
    CQ_LOG2 = 8,
    ALL_RIGHTS = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE | TERN_RIGHT_REMOTE_READ |
                 TERN_RIGHT_REMOTE_WRITE,
};

static unsigned tests, failures;

void tap(bool good, const char *format, ...)
{
    va_list args;

    printf("%sok %u - ", good ? "" : "not ", ++tests);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(stdout);
    failures += !good;
}

void tap_evidence(const char *id, const char *format, ...)
{
    va_list args;

    printf("# evidence %s ", id);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

void tap_note(const char *format, ...)
{
    va_list args;

    printf("# ");
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
}

int tap_end(void)
{
    printf("1..%u\n", tests);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list args;

    printf("not ok %u - ", ++tests);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    exit(EXIT_FAILURE);
}

static void exec_sim(const struct rig *rig, const char *const *args, int ready)
{
    char ready_text[16];
    const char *argv[ARGS_MAX + 10] = {"tern-sim", "--dir",      rig->dir, "--ready-fd",
                                      ready_text, "--tier", rig_tier()};
    size_t count = 7;

    if (rig_model()) {
        argv[count++] = "--model";
        argv[count++] = rig_model();
    }
    snprintf(ready_text, sizeof(ready_text), "%d", ready);
    for (; args && *args && count < ARGS_MAX + 9; args++)
        argv[count++] = *args;
    argv[count] = NULL;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (!freopen("/dev/null", "w", stdout))
        _exit(127);
    execv(rig_simulator(), (char *const *)(uintptr_t)argv);
    _exit(127);
}

void rig_start(struct rig *rig, const char *const *args)
{
    int ready[2];
    char byte;

    strcpy(rig->dir, "/tmp/tern-rig-XXXXXX");
    if (!mkdtemp(rig->dir) || pipe(ready))
        give_up("a folder and a pipe for the simulator (%s)", strerror(errno));
    rig->sim = fork();
    if (rig->sim < 0)
        give_up("fork (%s)", strerror(errno));
    if (rig->sim == 0) {
        close(ready[0]);
        exec_sim(rig, args, ready[1]);
    }
    close(ready[1]);
    if (read(ready[0], &byte, 1) != 1)
        give_up("the simulator starts");
    close(ready[0]);
}

void rig_stop(struct rig *rig)
{
    int status = 0;

    kill(rig->sim, SIGTERM);
    if (waitpid(rig->sim, &status, 0) != rig->sim || !WIFEXITED(status) || WEXITSTATUS(status))
        tap(false, "the simulator ends well (wait status 0x%x)", (unsigned)status);
    if (rmdir(rig->dir))
        tap(false, "the simulator leaves nothing behind (%s)", strerror(errno));
}

struct tern_device *rig_open(const struct rig *rig, unsigned x)
{
    struct tern_device *device;
    char uri[128];
    int status;

    snprintf(uri, sizeof(uri), "sim:%s/nic-%u.0.0.sock", rig->dir, x);
    status = tern_open(uri, &device);
    if (status)
        give_up("open %s: %s", uri, tern_strerror(status));
    return device;
}

static void must(int status, const char *what)
{
    if (status < 0)
        give_up("%s: %s", what, tern_strerror(status));
}

void rig_end_open(struct rig_end *end, const struct rig *rig, unsigned x)
{
    end->device = rig_open(rig, x);
    end->buffer = calloc(1, RIG_BUFFER);
    if (!end->buffer)
        give_up("memory");
    must(tern_register(end->device, end->buffer, RIG_BUFFER, ALL_RIGHTS, &end->region), "register");
    must(tern_cq_create(end->device, CQ_LOG2, 0, &end->cq), "completion queue");
    must(tern_sq_create(end->cq, RING_LOG2, &end->sq), "send queue");
}

void rig_end_close(struct rig_end *end)
{
    tern_close(end->device);
    free(end->buffer);
}

struct tern_rptr rig_end_at(const struct rig_end *end, uint64_t offset)
{
    return tern_region_pointer(end->region, offset);
}

struct tern_completion rig_wait(struct tern_cq *cq)
{
    struct tern_completion completion = {.status = TERN_ST_WAIT_EXPIRED};
    int count;

    do {
        count = tern_cq_poll(cq, &completion, 1);
        if (count < 0)
            completion.status = (enum tern_status)-count;
        if (count)
            return completion;
    } while (!tern_cq_wait(cq, WAIT_MS));
    if (tern_cq_poll(cq, &completion, 1) <= 0)
        completion.status = TERN_ST_WAIT_EXPIRED;
    return completion;
}

enum tern_status rig_put(struct rig_end *from, const struct rig_end *to, uint32_t offset,
                         uint32_t bytes)
{
    int status = tern_put(from->sq, rig_end_at(to, offset), from->region, from->buffer + offset,
                          bytes, TERN_DFLAG_SIGNAL, 0);

    return status ? (enum tern_status)-status : rig_wait(from->cq).status;
}

void rig_fill(uint8_t *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = (uint8_t)((i * 167 + (i >> 8) + seed * 29 + 1) & 0xff);
}

bool rig_holds(const uint8_t *at, size_t bytes, unsigned seed)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != (uint8_t)((i * 167 + (i >> 8) + seed * 29 + 1) & 0xff))
            return false;
    return true;
}
