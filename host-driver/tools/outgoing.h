/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sending side of a file transfer, shared by send-file and bcast: sends the file from this
 * process's memory in pieces, several of them in flight. The caller posts the pieces and sends the
 * messages.
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
    int64_t alive_ms; /* time of the last message to the receivers */
    struct progress progress;
};

/* The defaults. */
extern const struct outgoing_options outgoing_defaults;

/* Parses the keys q, p and r, the URI and the file; other keys belong to the subcommand. */
error_t outgoing_parse(int key, char *arg, struct argp_state *state, struct outgoing_options *to);

/* Registers the file's memory; 0 or the negated status. */
int outgoing_register(struct outgoing *out);

/* Takes the start time in cycles, and shows an empty progress bar; 0 or the negated status. */
int outgoing_start(struct outgoing *out);

/* Returns the bytes of the next piece; 0 while enough are in flight, and when all are posted. */
uint32_t outgoing_piece(const struct outgoing *out);
void outgoing_show(struct outgoing *out);

/* Shows the progress bar's last state. */
void outgoing_end(struct outgoing *out);

/* Tells whether it is time to send the receivers another sign of life. */
bool outgoing_silent(const struct outgoing *out);

/* Make the messages: DONE with the file's digest; REFUSE with a status. */
struct filemsg outgoing_done(const struct outgoing *out);
struct filemsg outgoing_refusal(const struct outgoing *out, uint32_t status);

#endif
