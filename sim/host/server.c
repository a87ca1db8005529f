/* SPDX-License-Identifier: Apache-2.0 */
/* Sockets of the simulator. */
#include "server.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "client.h"

enum { EVENTS = 64, RECEIVE_BYTES = 65536, RECEIVES_AT_ONCE = 256, BACKLOG = 64 };

/* A listening socket, or a connection. */
struct point {
    struct point *next;
    struct tern_nic *nic;
    struct tern_client *client; /* NULL: a listening socket */
    unsigned order;
    int fd;
    bool readable, over;
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
};

struct tern_server {
    struct point *points; /* in order */
    int epoll;
    uint8_t buffer[RECEIVE_BYTES];
};

struct tern_server *tern_server_new(void)
{
    struct tern_server *server = calloc(1, sizeof *server);

    if (server == NULL)
        return NULL;
    server->epoll = epoll_create1(EPOLL_CLOEXEC);
    if (server->epoll < 0) {
        free(server);
        return NULL;
    }
    return server;
}

static void point_free(struct point *point)
{
    close(point->fd);
    if (point->path[0] != 0)
        unlink(point->path);
    free(point);
}

bool tern_server_watch(struct tern_server *server, int fd)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};

    return epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event) == 0;
}

void tern_server_free(struct tern_server *server)
{
    if (server == NULL)
        return;
    while (server->points != NULL) {
        struct point *point = server->points;

        server->points = point->next;
        point_free(point);
    }
    close(server->epoll);
    free(server);
}

static int point_add(struct tern_server *server, const struct point *like)
{
    struct point *point = malloc(sizeof *point);
    struct point **link = &server->points;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = point};

    if (point == NULL)
        return ENOMEM;
    *point = *like;
    if (epoll_ctl(server->epoll, EPOLL_CTL_ADD, point->fd, &event) != 0) {
        free(point);
        return errno;
    }
    while (*link != NULL && (*link)->order <= point->order)
        link = &(*link)->next;
    point->next = *link;
    *link = point;
    return 0;
}

/* ---- listening ---- */

static bool somebody_listens(const struct sockaddr_un *address)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = fd >= 0 &&
                    connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;

    if (fd >= 0)
        close(fd);
    return answered;
}

static int bind_at(int fd, const struct sockaddr_un *address)
{
    struct stat st;

    if (bind(fd, (const struct sockaddr *)address, sizeof *address) == 0)
        return 0;
    if (errno != EADDRINUSE || somebody_listens(address))
        return errno;
    if (lstat(address->sun_path, &st) != 0 || !S_ISSOCK(st.st_mode))
        return EADDRINUSE;
    unlink(address->sun_path);
    return bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : errno;
}

int tern_server_listen(struct tern_server *server, struct tern_nic *nic, unsigned order,
                       const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct point point = {.nic = nic, .order = order};
    int error;

    if (strlen(path) >= sizeof address.sun_path)
        return ENAMETOOLONG;
    strcpy(address.sun_path, path);
    point.fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (point.fd < 0)
        return errno;
    error = bind_at(point.fd, &address);
    if (error == 0) {
        strcpy(point.path, path);
        error = listen(point.fd, BACKLOG) == 0 ? point_add(server, &point) : errno;
    }
    if (error != 0)
        close(point.fd);
    return error;
}

static void drop_ended(struct tern_server *server)
{
    struct point **link = &server->points;

    while (*link != NULL) {
        struct point *point = *link;

        if (point->client == NULL || !(point->over || point->client->closing)) {
            link = &point->next;
            continue;
        }
        *link = point->next;
        tern_nic_detach(point->nic, point->client);
        point_free(point);
    }
}

static pid_t peer_of(int fd)
{
    struct ucred who = {0};
    socklen_t bytes = sizeof who;

    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &bytes) == 0 ? who.pid : 0;
}

int tern_server_adopt(struct tern_server *server, struct tern_nic *nic, unsigned order,
                      int fd)
{
    struct point point = {.nic = nic, .order = order, .fd = fd};
    int error;

    point.client = tern_nic_attach(nic, peer_of(fd));
    if (point.client == NULL)
        return ENOMEM;
    error = point_add(server, &point);
    if (error != 0)
        tern_nic_detach(nic, point.client);
    return error;
}

static void accept_all(struct tern_server *server, struct point *point)
{
    int fd;

    while ((fd = accept4(point->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK)) >= 0) {
        if (tern_server_adopt(server, point->nic, point->order, fd) != 0)
            close(fd);
    }
}

/* ---- receiving ---- */

static unsigned fds_of(struct msghdr *message, int *fds)
{
    unsigned count = 0;

    for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        size_t bytes = c->cmsg_len - CMSG_LEN(0);

        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        memcpy(fds + count, CMSG_DATA(c), bytes);
        count += (unsigned)(bytes / sizeof *fds);
    }
    return count;
}

/* Receives one piece of input; false without any, or at the end of the connection. */
static bool receive_piece(struct tern_server *server, struct point *point)
{
    size_t wanted = tern_client_wanted(point->client);
    union {
        struct cmsghdr align;
        char bytes[CMSG_SPACE(sizeof(int) * VU_FDS_MAX)];
    } control;
    struct iovec into = {.iov_base = server->buffer};
    struct msghdr message = {.msg_iov = &into, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof control};
    int fds[VU_FDS_MAX];
    ssize_t count;

    if (wanted == 0)
        return false;
    into.iov_len = wanted < sizeof server->buffer ? wanted : sizeof server->buffer;
    count = recvmsg(point->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (count <= 0) {
        point->over = count == 0 || (errno != EAGAIN && errno != EINTR);
        point->readable = false;
        return false;
    }
    if (message.msg_flags & MSG_CTRUNC)
        point->over = true;
    tern_client_input(point->client, server->buffer, (size_t)count, fds,
                      fds_of(&message, fds));
    return true;
}

/* Tells the clients whether the simulator sleeps. Returns true if one has posted a write. */
static bool set_asleep(struct tern_server *server, bool asleep)
{
    bool rung = false;

    for (struct point *point = server->points; point != NULL; point = point->next) {
        if (point->client == NULL)
            continue;
        tern_bells_sleep(&point->client->bells, asleep);
        rung = rung || tern_bells_rung(&point->client->bells);
    }
    return rung;
}

static int wait_events(struct tern_server *server, struct epoll_event *events, int timeout_ms)
{
    int count;

    if (timeout_ms == 0)
        return epoll_wait(server->epoll, events, EVENTS, 0);
    if (set_asleep(server, true))
        timeout_ms = 0;
    count = epoll_wait(server->epoll, events, EVENTS, timeout_ms);
    set_asleep(server, false);
    return count;
}

bool tern_server_receive(struct tern_server *server, int timeout_ms)
{
    struct epoll_event events[EVENTS];
    int count = wait_events(server, events, timeout_ms);
    struct point *next;

    for (int i = 0; i < count; i++) {
        if (events[i].data.ptr != NULL)
            ((struct point *)events[i].data.ptr)->readable = true;
    }
    if (count <= 0)
        return false;
    for (struct point *point = server->points; point != NULL; point = next) {
        next = point->next; /* a new connection may be inserted here */
        if (!point->readable)
            continue;
        if (point->client == NULL) {
            point->readable = false;
            accept_all(server, point);
            continue;
        }
        for (int n = 0; n < RECEIVES_AT_ONCE && receive_piece(server, point); n++)
            ;
    }
    drop_ended(server); /* first, so that later connections get their functions */
    return true;
}

/* ---- sending ---- */

static void send_all(struct point *point)
{
    size_t bytes;
    const uint8_t *from = tern_client_output(point->client, &bytes);
    ssize_t sent;

    if (bytes == 0)
        return;
    sent = send(point->fd, from, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent >= 0)
        tern_client_output_taken(point->client, (size_t)sent);
    else if (errno != EAGAIN && errno != EINTR)
        point->over = true;
}

bool tern_server_send(struct tern_server *server)
{
    bool left = false;

    for (struct point *point = server->points; point != NULL; point = point->next) {
        if (point->client == NULL)
            continue;
        send_all(point);
        left = left || point->client->out_bytes > 0;
    }
    drop_ended(server);
    return left;
}
