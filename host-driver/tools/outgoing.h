/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file on its way out of this process's memory, in pieces, several of them in flight: shared by
 * send-file and bcast. How a piece is posted, and who hears what, is theirs.
 */
#ifndef TERN_OUTGOING_H
#define TERN_OUTGOING_H

#include <argp.h>

#include "payload.h"
#include "peer.h"
#include "progress.h"

struct outgoing_options {
    const char *uri, *file, *report;
    uint16_t queue;
    int timeout_ms;
    uint32_t piece_bytes;
};

struct outgoing {
    struct peer peer;
    const struct outgoing_options *options;
    struct payload payload;
    struct tern_region *region;
    uint64_t posted, first_cycle, cycles;
    int64_t alive_ms; /* when receivers last heard that there is still somebody */
    struct progress progress;
};

/* As long as nothing else is asked for. */
extern const struct outgoing_options outgoing_defaults;

/* The keys q, p and r, the URI and the file; the others are the subcommand's own. */
error_t outgoing_parse(int key, char *arg, struct argp_state *state, struct outgoing_options *to);

/* Registers the file's memory; 0 or the negated status. */
int outgoing_register(struct outgoing *out);

/* The first cycle, and an empty bar; 0 or the negated status. */
int outgoing_start(struct outgoing *out);

/* Bytes of the next piece; 0 while enough are under way, and when all are posted. */
uint32_t outgoing_piece(const struct outgoing *out);
void outgoing_show(struct outgoing *out);

/* The bar's last state. */
void outgoing_end(struct outgoing *out);

/* Is it time for receivers to hear of this again? */
bool outgoing_silent(const struct outgoing *out);

/* DONE with the file's digest; REFUSE with a status. */
struct filemsg outgoing_done(const struct outgoing *out);
struct filemsg outgoing_refusal(const struct outgoing *out, uint32_t status);

#endif
