/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Linked into a program in front of the driver's posts (--wrap): appends each descriptor that a
 * queue posts to $TERN_RECORD/PID, as its queue's address and its words.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record.h"

int __real_tern_post(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context);
int __real_tern_post_for(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context,
                         void *work);
int __wrap_tern_post(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context);
int __wrap_tern_post_for(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context,
                         void *work);

/* A write of less than a page to a file opened to append comes whole, from any thread. */
static void record(const struct tern_sq *sq, const uint32_t *words, unsigned flags)
{
    static int fd = -1;
    static pid_t writer;
    const char *folder = getenv("TERN_RECORD");
    struct recorded recorded = {.queue = (uintptr_t)sq, .flags = flags & 0xff};
    char path[256];

    if (!folder)
        return;
    if (writer != getpid()) { /* the first post, or that of a child */
        writer = getpid();
        snprintf(path, sizeof(path), "%s/%ld", folder, (long)writer);
        fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    }
    memcpy(recorded.words, words, sizeof(recorded.words));
    if (fd < 0 || write(fd, &recorded, sizeof(recorded)) != sizeof(recorded))
        abort();
}

int __wrap_tern_post(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context)
{
    record(sq, words, flags);
    return __real_tern_post(sq, words, flags, context);
}

int __wrap_tern_post_for(struct tern_sq *sq, uint32_t *words, unsigned flags, uint64_t context,
                         void *work)
{
    record(sq, words, flags);
    return __real_tern_post_for(sq, words, flags, context, work);
}
