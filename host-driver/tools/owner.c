/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "owner.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "peer.h"
#include "tool.h"

enum { LOOK_MS = 500 };

static sigset_t ending(void)
{
    sigset_t signals;

    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    return signals;
}

void owner_hold_signals(void)
{
    const sigset_t signals = ending();

    sigprocmask(SIG_BLOCK, &signals, NULL);
}

int owner_write_pointer(const char *file, struct tern_rptr pointer)
{
    char text[TERN_RPTR_TEXT], *new_file;
    bool good;
    FILE *out;

    if (asprintf(&new_file, "%s.new", file) < 0)
        return tool_fail(-TERN_ST_NO_MEMORY, "cannot write %s", file);
    out = fopen(new_file, "w");
    good = out && fprintf(out, "%s\n", tern_rptr_format(pointer, text)) > 0;
    good = out && !fclose(out) && good;
    if (!good || rename(new_file, file)) {
        int status = tool_fail(-TERN_ST_SYSTEM, "cannot write %s", file);

        unlink(new_file);
        free(new_file);
        return status;
    }
    free(new_file);
    return 0;
}

/* Reads the file, which must have the written line and nothing else. */
int owner_read_pointer(const char *file, const char *to_what, struct tern_rptr *pointer)
{
    char text[TERN_RPTR_TEXT + 2] = "";
    FILE *in = fopen(file, "r");
    size_t bytes;

    if (!in)
        return tool_fail(-TERN_ST_SYSTEM, "cannot read %s", file);
    bytes = fread(text, 1, sizeof(text) - 1, in);
    if (ferror(in)) {
        tool_fail(-TERN_ST_SYSTEM, "cannot read %s", file);
        fclose(in);
        return EXIT_BAD;
    }
    fclose(in);
    if (bytes > 0 && text[bytes - 1] == '\n')
        text[bytes - 1] = 0;
    if (tern_rptr_parse(text, pointer, NULL))
        return tool_fail(0, "%s holds no pointer to a %s", file, to_what);
    return 0;
}

int owner_stay(struct tern_device *device, int timeout_ms)
{
    const sigset_t signals = ending();
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    int64_t end = peer_now_ms() + timeout_ms;
    uint64_t cycle;

    while (sigtimedwait(&signals, NULL, &look) < 0) {
        int status = tern_cycles(device, &cycle);

        if (status)
            return tool_fail(status, "the NIC is gone");
        if (timeout_ms != OWNER_FOR_EVER && peer_now_ms() >= end)
            return 0;
    }
    return 0;
}
