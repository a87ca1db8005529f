/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the simulator's server, over a socket pair: sends its messages and descriptors
 * through recvmsg, and receives the server's.
 */
#ifndef TERN_FUZZ_CONNECTION_H
#define TERN_FUZZ_CONNECTION_H

#include "server.h"
#include "vfio_user.h"

struct connection {
    struct tern_server *server;
    struct tern_nic *nic;
    struct tern_client *client; /* NULL: the server has dropped it */
    int far;
    struct vu_header header; /* of the message being received */
    size_t have, left; /* its bytes so far; missing bytes of its body */
};

void connection_begin(struct connection *connection, struct tern_nic *nic);

/* Sends bytes, with descriptors at the first one. False when not all could be sent. */
bool connection_say(struct connection *connection, const void *bytes, size_t count, const int *fds,
                    unsigned fd_count);

/* Lets the server receive and send; it may drop the client. */
void connection_turn(struct connection *connection);

/* Tells whether the server has received everything that was sent. */
bool connection_is_read(const struct connection *connection);

/* Returns the header of the next message; false when there is none. */
bool connection_hear(struct connection *connection, struct vu_header *header);

/* Closes the connection, which the server has to notice. */
void connection_leave(struct connection *connection);

void connection_end(struct connection *connection);

#endif
