/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The critical path of a handshake: from the last packet that the origin sent, back to the event
 * that it had waited for, to the node that sent that, and so on to the origin's doorbell.
 *
 * Uses the trace ports alone (trace.def): packets by first and last beat, messages by their
 * commands, the core by its sleep.
 */
#ifndef TERN_PATH_H
#define TERN_PATH_H

#include "yard.h"

struct path;

/*
 * Records the torus of `yard` from path_begin() to path_end(). The yard must stay open between
 * them.
 */
struct path *path_new(struct yard *yard);
void path_free(struct path *path);
void path_begin(struct path *path);
void path_end(struct path *path);

struct path_time {
    /* from the first beat of the doorbell to the command of the origin's last message */
    uint64_t cycles;
    uint64_t firmware; /* of these, cycles with the core awake, at the node on the path */
    uint64_t links;    /* from a command to the last beat of the packet at the next node */
    unsigned messages; /* number of those packets */
    unsigned answers;  /* messages that the origin had received by then */
};

/*
 * Analyses a put without a handshake, or with one whose answers go to neighbours: a packet comes
 * from the node at the port where it arrived, and the first one at a node comes from the origin.
 * Ends the program if the recorded events do not fit.
 */
struct path_time path_taken(const struct path *path);

/*
 * Analyses a put from node 0 to a neighbour: cycles from its command to the last beat of its packet
 * there.
 */
uint64_t path_of_link(const struct path *path, unsigned neighbour);

#endif
