/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The one way through a handshake that nothing could have been faster than: from what the origin
 * sent last back to what it had waited for, to the node that sent that, and so on to the origin's
 * doorbell.
 *
 * From the trace ports alone (trace.def): packets by first and last beat, messages by their
 * commands, the core by its sleep.
 */
#ifndef TERN_PATH_H
#define TERN_PATH_H

#include "yard.h"

struct path;

/*
 * Watches the torus of `yard` from path_begin() to path_end().  Between them the yard may not be
 * closed.
 */
struct path *path_new(struct yard *yard);
void path_free(struct path *path);
void path_begin(struct path *path);
void path_end(struct path *path);

struct path_time {
    /* from the first beat of the doorbell to the command of the origin's last message */
    uint64_t cycles;
    uint64_t firmware; /* of these, at the node whose turn it was, with its core awake */
    uint64_t links;    /* from a command to the last beat of the packet at the next node */
    unsigned messages; /* how many of those */
    unsigned answers;  /* messages that came to the origin by then */
};

/*
 * Of a put without a handshake, or with one whose answers go to neighbours: a packet comes from the
 * node behind the port it came in by, and the first at a node from the origin.  What has been
 * recorded without that ends the program.
 */
struct path_time path_taken(const struct path *path);

/*
 * Of a put from node 0 to a neighbour: cycles from its command to the last beat of its packet
 * there.
 */
uint64_t path_of_link(const struct path *path, unsigned neighbour);

#endif
