/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TCP ports for gdb, one for each node: node N at the first port + N, on this machine alone.
 *
 * Works in the thread that runs the simulation, whenever it is asked to.  A node takes one
 * gdb; another one that comes meanwhile is turned away.
 */
#ifndef TERN_SIM_GDBSERVER_H
#define TERN_SIM_GDBSERVER_H

#include <stdbool.h>

#include "tern_sim.h"

struct tern_gdbserver;

/* Listens; port 0 takes any free ones.  NULL and errno when a port cannot be had. */
struct tern_gdbserver *tern_gdbserver_new(struct tern_sim *sim, unsigned port);
void tern_gdbserver_free(struct tern_gdbserver *server);

unsigned tern_gdbserver_port(const struct tern_gdbserver *server, unsigned node);

/* Reads, carries out, answers; lets simulated time pass where that takes some.  True when
 * anything came or a core stopped.  Sockets are only looked at when told to. */
bool tern_gdbserver_work(struct tern_gdbserver *server, bool look);

#endif
