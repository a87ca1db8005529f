/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A client of the simulator's server, over a pair of sockets: its messages go through recvmsg, with
 * their descriptors, and it hears what the server has sent.
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
    struct vu_header header; /* of the message being heard */
    size_t have, left; /* its bytes so far; those of its body to come */
};

void connection_begin(struct connection *connection, struct tern_nic *nic);

/* Sends bytes, and descriptors with the first of them.  False when not all of it could be sent. */
bool connection_say(struct connection *connection, const void *bytes, size_t count, const int *fds,
                    unsigned fd_count);

/* Lets the server take in and send; it may drop the client. */
void connection_turn(struct connection *connection);

/* Whether the server has taken in all that was said. */
bool connection_is_read(const struct connection *connection);

/* The header of the next message heard; false when there is none. */
bool connection_hear(struct connection *connection, struct vu_header *header);

/* Goes away: the server has to notice. */
void connection_leave(struct connection *connection);

void connection_end(struct connection *connection);

#endif
