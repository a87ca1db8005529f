/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A process that uses memory which another owns (owner.h): options for either role, and
 * operations of which it waits for one at a time.
 */
#ifndef TERN_ASKER_H
#define TERN_ASKER_H

#include <argp.h>
#include <tern/tern.h>

struct asker_options {
    const char *uri;
    const char *own;    /* file for a pointer to what it owns, or NULL */
    const char *at;     /* file with a pointer to what another owns, or NULL */
    const char *report; /* file for figures, or NULL */
    int timeout_ms;     /* OWNER_FOR_EVER until one is given */
};

struct asker {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int timeout_ms;
};

/* The keys a, T and r, and the URI; the others are the subcommand's own. */
error_t asker_parse(int key, char *arg, struct argp_state *state, struct asker_options *to);

/* Exits unless one of --`own` and --at was given, and --`for_at` and --report with --at alone. */
void asker_check(struct argp_state *state, const struct asker_options *chosen, const char *own,
                 const char *for_at, bool has_for_at);

/* All of these return 0, or EXIT_BAD after saying why. */
int asker_open(struct asker *asker, const struct asker_options *chosen);

/* The next end of an operation; `what` says what has failed otherwise. */
int asker_await(struct asker *asker, struct tern_completion *done, const char *what);

#endif
