/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that uses memory of another process (owner.h): options for either role, and operations,
 * each of which it waits for.
 */
#ifndef TERN_ASKER_H
#define TERN_ASKER_H

#include <argp.h>
#include <tern/tern.h>

struct asker_options {
    const char *uri;
    const char *own;    /* file for a pointer to the process's own memory, or NULL */
    const char *at;     /* file with a pointer to the other's memory, or NULL */
    const char *report; /* file for figures, or NULL */
    int timeout_ms;     /* OWNER_FOR_EVER by default */
};

struct asker {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int timeout_ms;
};

/* Parses the keys a, T and r, and the URI; other keys belong to the subcommand. */
error_t asker_parse(int key, char *arg, struct argp_state *state, struct asker_options *to);

/* Exits unless one of --`own` and --at was given, and --`for_at` and --report with --at alone. */
void asker_check(struct argp_state *state, const struct asker_options *chosen, const char *own,
                 const char *for_at, bool has_for_at);

/* Both return 0, or EXIT_BAD after printing the reason. */
int asker_open(struct asker *asker, const struct asker_options *chosen);

/* Waits for the next completion; `what` names the operation in an error message. */
int asker_await(struct asker *asker, struct tern_completion *done, const char *what);

#endif
