/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper: a child of the server whose only task is to hold the pool's memory and the connection
 * to the NIC. While it exists, even if stopped, the NIC keeps serving the memory.
 *
 * A pool's address is an abstract socket name made of the NIC's path and the pool's name. The
 * server holds the socket bound to it, and the keeper listens on it.
 */
#ifndef TERN_POOL_KEEPER_H
#define TERN_POOL_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns a socket bound to the pool's address.  QUEUE_BUSY: another process has it; SYSTEM. */
int pool_address_take(int nic, const char *name);

struct pool_keeper {
    pid_t pid;
    int leash; /* -1: no keeper */
};

/*
 * Forks a keeper of `nic` and `memory` that listens on `address`; returns when it listens. SYSTEM.
 */
int pool_keeper_start(int nic, int memory, int address, struct pool_keeper *keeper);

/* Ends the keeper and waits for its exit. */
void pool_keeper_stop(struct pool_keeper *keeper);

/* The objects that an adopting server gets from the keeper of a dead server. */
struct pool_legacy {
    int keeper; /* socket to the keeper */
    int memory, address;
};

/*
 * Wakes the keeper of the pool and asks it for all its objects, which the caller then owns in
 * `legacy`. NO_POOL, QUEUE_BUSY, TIMEOUT, SYSTEM. If the adopter dies, the keeper waits for the
 * next one.
 */
int pool_keeper_ask(int nic, const char *name, struct pool_legacy *legacy);

/* Ends that keeper, and waits for its exit. TIMEOUT. */
int pool_keeper_dismiss(struct pool_legacy *legacy);

#endif
