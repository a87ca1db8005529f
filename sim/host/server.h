/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moves the bytes of clients between sockets and NICs.
 *
 * All sockets are non-blocking; only tern_server_receive() waits, for the time that its caller
 * gives. Connections are served in the order of their NICs, then of their arrival, so equal input
 * at equal times has equal effects.
 */
#ifndef TERN_SIM_SERVER_H
#define TERN_SIM_SERVER_H

#include <stdbool.h>

#include "nic.h"

struct tern_server;

struct tern_server *tern_server_new(void);

/* Closes every socket and removes those that it created in the file system. */
void tern_server_free(struct tern_server *server);

/*
 * Listens at `path` for clients of `nic`; replaces a socket without a server. Returns 0 or an
 * errno; EADDRINUSE: another server listens there.
 */
int tern_server_listen(struct tern_server *server, struct tern_nic *nic, unsigned order,
                       const char *path);

/* Makes tern_server_receive() also wait for `fd`, which the caller owns. */
bool tern_server_watch(struct tern_server *server, int fd);

/* Adds an existing connection; `fd` becomes the server's. Returns 0 or an errno. */
int tern_server_adopt(struct tern_server *server, struct tern_nic *nic, unsigned order,
                      int fd);

/* Waits at most `timeout_ms` for input and takes it. Returns whether any came. */
bool tern_server_receive(struct tern_server *server, int timeout_ms);

/* Sends all output possible; drops ended connections. Returns whether any output is left. */
bool tern_server_send(struct tern_server *server);

#endif
