/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP ports for gdb, only on this machine: the first port + N for node N.
 *
 * Runs in the thread of the simulation, when that calls it. A node takes one gdb; a second
 * connection is refused.
 */
#ifndef TERN_SIM_GDBSERVER_H
#define TERN_SIM_GDBSERVER_H

#include <stdbool.h>

#include "tern_sim.h"

struct tern_gdbserver;

/* Listens; port 0 takes any free ones. NULL and errno when a port is not available. */
struct tern_gdbserver *tern_gdbserver_new(struct tern_sim *sim, unsigned port);
void tern_gdbserver_free(struct tern_gdbserver *server);

unsigned tern_gdbserver_port(const struct tern_gdbserver *server, unsigned node);

/*
 * Reads, executes and answers requests; simulated time advances where they need it. Returns whether
 * a request came or a core stopped. `look`: also check the sockets.
 */
bool tern_gdbserver_work(struct tern_gdbserver *server, bool look);

#endif
