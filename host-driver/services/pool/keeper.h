/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The keeper: a child of the server that holds the pool's memory and the connection to the NIC, and
 * does nothing else.  As long as it lives, the NIC goes on with the memory, whether the keeper runs
 * or is stopped.
 *
 * A pool's address is a name of this host that has the NIC's path and the pool's name in it; the
 * socket bound to it is held by the server, and listened to by the keeper.
 */
#ifndef TERN_POOL_KEEPER_H
#define TERN_POOL_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

/* Returns a socket bound to the pool's address.  QUEUE_BUSY: another process has it; SYSTEM. */
int pool_address_take(int nic, const char *name);

struct pool_keeper {
    pid_t pid;
    int leash; /* -1: there is none */
};

/*
 * Forks a keeper of `nic` and `memory` that listens at `address`; returns when it does.  SYSTEM.
 */
int pool_keeper_start(int nic, int memory, int address, struct pool_keeper *keeper);

/* Ends the keeper and waits for its end. */
void pool_keeper_stop(struct pool_keeper *keeper);

/* The objects that an adopting server gets from the keeper of a dead server. */
struct pool_legacy {
    int keeper; /* socket to it */
    int memory, address;
};

/*
 * Asks the keeper of the pool for all it has, after waking it; `legacy` is the caller's.  NO_POOL,
 * QUEUE_BUSY, TIMEOUT, SYSTEM.  A keeper whose adopter dies waits for the next one.
 */
int pool_keeper_ask(int nic, const char *name, struct pool_legacy *legacy);

/* Lets that keeper go, and waits until it has ended. TIMEOUT. */
int pool_keeper_dismiss(struct pool_legacy *legacy);

#endif
