/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets for gdb. */
#include "gdbserver.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "gdb.h"
#include "sim.h"

struct seat {
    struct tern_gdbserver *server;
    struct tern_hart hart;
    struct tern_gdb gdb;
    int listener, fd; /* fd -1: no connection */
    unsigned port;
    size_t in_first, in_count; /* received, not yet processed */
    uint8_t in[1024];
};

struct tern_gdbserver {
    struct tern_sim *sim;
    unsigned count;
    struct seat seats[];
};

/* ---- creation ---- */

static void pass_time(void *ctx)
{
    tern_sim_block(ctx, UINT64_MAX);
}

static int open_port(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
                                  .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int yes = 1;

    if (fd < 0)
        return -1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(fd, (const struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 4) == 0)
        return fd;
    yes = errno;
    close(fd);
    errno = yes;
    return -1;
}

static unsigned port_of(int fd)
{
    struct sockaddr_in address = {0};
    socklen_t bytes = sizeof address;

    return getsockname(fd, (struct sockaddr *)&address, &bytes) == 0 ? ntohs(address.sin_port)
                                                                     : 0;
}

static bool seat_init(struct tern_gdbserver *server, unsigned node, unsigned port)
{
    struct seat *seat = &server->seats[node];
    struct tern_sim *sim = server->sim;

    seat->server = server;
    seat->fd = -1;
    tern_hart_init(&seat->hart, &sim->node[node].probe, &sim->cycle, pass_time, sim);
    tern_gdb_init(&seat->gdb, &seat->hart, node);
    seat->listener = open_port(port == 0 ? 0 : port + node);
    if (seat->listener < 0)
        return false;
    seat->port = port_of(seat->listener);
    return tern_server_watch(sim->server, seat->listener);
}

struct tern_gdbserver *tern_gdbserver_new(struct tern_sim *sim, unsigned port)
{
    struct tern_gdbserver *server =
        calloc(1, sizeof *server + sim->nodes * sizeof server->seats[0]);
    int error;

    if (server == NULL)
        return NULL;
    server->sim = sim;
    while (server->count < sim->nodes) {
        if (!seat_init(server, server->count++, port)) {
            error = errno;
            tern_gdbserver_free(server);
            errno = error;
            return NULL;
        }
    }
    return server;
}

static void leave(struct seat *seat)
{
    if (seat->fd < 0)
        return;
    tern_gdb_end(&seat->gdb);
    close(seat->fd);
    seat->fd = -1;
}

void tern_gdbserver_free(struct tern_gdbserver *server)
{
    if (server == NULL)
        return;
    for (unsigned n = 0; n < server->count; n++) {
        leave(&server->seats[n]);
        if (server->seats[n].listener >= 0)
            close(server->seats[n].listener);
    }
    free(server);
}

unsigned tern_gdbserver_port(const struct tern_gdbserver *server, unsigned node)
{
    return server->seats[node].port;
}

/* ---- work ---- */

static void take_seat(struct seat *seat, int fd)
{
    int yes = 1;

    if (seat->fd >= 0 || !tern_gdb_begin(&seat->gdb)) {
        close(fd);
        return;
    }
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    seat->fd = fd;
    seat->in_count = 0;
    if (!tern_server_watch(seat->server->sim->server, fd))
        leave(seat);
}

static bool welcome(struct seat *seat)
{
    int fd = accept4(seat->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

    if (fd >= 0)
        take_seat(seat, fd);
    return fd >= 0;
}

/* Receives bytes; false without any. */
static bool receive(struct seat *seat)
{
    ssize_t count;

    if (seat->in_count > 0)
        return true;
    count = recv(seat->fd, seat->in, sizeof seat->in, 0);
    if (count > 0) {
        seat->in_first = 0;
        seat->in_count = (size_t)count;
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR))
        leave(seat);
    return false;
}

static void send_out(struct seat *seat)
{
    ssize_t sent;

    if (seat->gdb.out_bytes == 0)
        return;
    sent = send(seat->fd, seat->gdb.out, seat->gdb.out_bytes, MSG_NOSIGNAL);
    if (sent > 0)
        tern_gdb_sent(&seat->gdb, (size_t)sent);
    else if (errno != EAGAIN && errno != EINTR)
        leave(seat);
}

static bool work(struct seat *seat, bool look)
{
    bool running = seat->gdb.running;
    bool came = look && welcome(seat);
    size_t taken;

    if (seat->fd >= 0 && (look || seat->in_count > 0) && receive(seat)) {
        taken = tern_gdb_input(&seat->gdb, seat->in + seat->in_first, seat->in_count);
        seat->in_first += taken;
        seat->in_count -= taken;
        came = came || taken > 0;
    }
    if (seat->fd >= 0)
        tern_gdb_poll(&seat->gdb);
    came = came || running != seat->gdb.running;
    if (seat->fd >= 0)
        send_out(seat);
    if (seat->fd >= 0 && seat->gdb.over)
        leave(seat);
    return came;
}

bool tern_gdbserver_work(struct tern_gdbserver *server, bool look)
{
    bool came = false;

    for (unsigned n = 0; n < server->count; n++)
        came = work(&server->seats[n], look) || came;
    return came;
}
