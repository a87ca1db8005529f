/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves the bytes of clients between sockets and NICs.
 *
 * All sockets are non-blocking; nothing here waits but tern_server_receive(), for the time that its
 * caller gives.  Connections are served in the order of their NICs, then of their arrival, so
 * the same bytes at the same time have the same effect.
 */
#ifndef TERN_SIM_SERVER_H
#define TERN_SIM_SERVER_H

#include <stdbool.h>

#include "nic.h"

struct tern_server;

struct tern_server *tern_server_new(void);

/* Closes every socket and removes those it made in the file system. */
void tern_server_free(struct tern_server *server);

/* Listens at `path` for clients of `nic`; a socket that nobody serves any more is replaced.
 * 0 or an errno; EADDRINUSE: somebody listens there. */
int tern_server_listen(struct tern_server *server, struct tern_nic *nic, unsigned order,
                       const char *path);

/* Lets `fd`, which is not the server's, end the waiting of tern_server_receive(). */
bool tern_server_watch(struct tern_server *server, int fd);

/* A connection that is already there; `fd` becomes the server's.  0 or an errno. */
int tern_server_adopt(struct tern_server *server, struct tern_nic *nic, unsigned order,
                      int fd);

/* Takes in what has arrived, after waiting at most `timeout_ms` for it.  True if anything
 * came in. */
bool tern_server_receive(struct tern_server *server, int timeout_ms);

/* Sends what there is to send; drops connections that are over.  True if anything is left. */
bool tern_server_send(struct tern_server *server);

#endif
