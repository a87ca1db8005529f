/* SPDX-License-Identifier: Apache-2.0 */
#include "connection.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "client.h"
#include "fuzz.h"

enum { FDS_MAX = 2 * VU_FDS_MAX, TAKEN = 4096 };

static bool is_there(const struct connection *connection)
{
    const struct tern_client *client = tern_nic_clients(connection->nic);

    while (client != NULL && client != connection->client)
        client = client->next;
    return client != NULL;
}

void connection_begin(struct connection *connection, struct tern_nic *nic)
{
    int ends[2];

    *connection = (struct connection){.server = tern_server_new(), .nic = nic};
    if (connection->server == NULL ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0 ||
        tern_server_adopt(connection->server, nic, 0, ends[1]) != 0)
        fuzz_fail("no connection: %s", strerror(errno));
    connection->far = ends[0];
    connection->client = tern_nic_clients(nic);
    while (connection->client->next != NULL)
        connection->client = connection->client->next;
    connection->client->peer = 0; /* another process: its memory is not the client's */
}

bool connection_say(struct connection *connection, const void *bytes, size_t count, const int *fds,
                    unsigned fd_count)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int) * FDS_MAX)];
    } control = {{0}};
    struct iovec from = {.iov_base = (void *)(uintptr_t)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &from, .msg_iovlen = 1};

    if (fd_count > 0) {
        control.header.cmsg_len = CMSG_LEN(sizeof(int) * fd_count);
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        memcpy(CMSG_DATA(&control.header), fds, sizeof(int) * fd_count);
        message.msg_control = &control;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * fd_count);
    }
    return sendmsg(connection->far, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)count;
}

void connection_turn(struct connection *connection)
{
    (void)tern_server_receive(connection->server, 0);
    (void)tern_server_send(connection->server);
    if (connection->client != NULL && !is_there(connection))
        connection->client = NULL;
}

bool connection_is_read(const struct connection *connection)
{
    int unread = 0;

    return ioctl(connection->far, TIOCOUTQ, &unread) != 0 || unread == 0;
}

/* Skips bytes of the body; false when they have not all come. */
static bool skip_body(struct connection *connection)
{
    char bytes[TAKEN];

    while (connection->left > 0) {
        size_t wanted = connection->left < sizeof bytes ? connection->left : sizeof bytes;
        ssize_t count = recv(connection->far, bytes, wanted, MSG_DONTWAIT);

        if (count <= 0)
            return false;
        connection->left -= (size_t)count;
    }
    return true;
}

bool connection_hear(struct connection *connection, struct vu_header *header)
{
    uint8_t *to = (uint8_t *)&connection->header;
    ssize_t count;

    if (!skip_body(connection))
        return false;
    while (connection->have < sizeof *header) {
        count = recv(connection->far, to + connection->have, sizeof *header - connection->have,
                     MSG_DONTWAIT);
        if (count <= 0)
            return false;
        connection->have += (size_t)count;
    }
    *header = connection->header;
    if (header->bytes < sizeof *header)
        fuzz_fail("a message of %u bytes", header->bytes);
    connection->have = 0;
    connection->left = header->bytes - sizeof *header;
    return true;
}

void connection_leave(struct connection *connection)
{
    close(connection->far);
    connection->far = -1;
    connection_turn(connection);
    if (connection->client != NULL)
        fuzz_fail("the server does not notice that its client has gone");
}

void connection_end(struct connection *connection)
{
    if (connection->far >= 0)
        connection_leave(connection);
    tern_server_free(connection->server);
    connection->server = NULL;
}
