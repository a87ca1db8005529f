/* SPDX-License-Identifier: Apache-2.0 */
/* See far.h. */
#include "far.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    ALIVE_MS = 500,
    GREET_MS = 2000,  /* for the greeting of whoever has connected */
    LOOK_MS = 100,    /* between two looks at `stop`, and between two tries to connect */
    OUT_MAX = 1 << 23 /* a peer that leaves so much unread is dead */
};

static const char magic[8] = {'t', 'e', 'r', 'n', 'l', 'i', 'n', 'k'};

struct buffer {
    uint8_t *bytes;
    size_t begin, end, size;
};

struct tern_far {
    int fd;
    struct buffer in, out;
    uint64_t heard_ms, sent_ms;
    const char *dead;
};

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* ---- meeting ---- */

static bool explain(char *error, const char *what, const struct tern_far_address *address,
                    const char *why)
{
    bool any = address->host == NULL || address->host[0] == 0;

    snprintf(error, TERN_FAR_ERROR_BYTES, "%s %s:%s: %s", what, any ? "*" : address->host,
             address->port, why);
    return false;
}

/* A socket that listens or is connected, by `use`; -1 and *why when no address will do. */
static int socket_for(const struct tern_far_address *address,
                      int (*use)(int fd, const struct addrinfo *info), const char **why)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM,
                             .ai_flags = address->listens ? AI_PASSIVE : 0};
    bool any = address->host == NULL || address->host[0] == 0;
    struct addrinfo *list = NULL;
    int fd = -1;
    int bad = getaddrinfo(any ? NULL : address->host, address->port, &hints, &list);

    *why = bad == EAI_SYSTEM ? strerror(errno) : gai_strerror(bad);
    if (bad != 0)
        return -1;
    for (const struct addrinfo *info = list; info != NULL && fd < 0; info = info->ai_next) {
        fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd >= 0 && use(fd, info) == 0)
            break;
        *why = strerror(errno);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(list);
    return fd;
}

static int use_to_listen(int fd, const struct addrinfo *info)
{
    int on = 1;

    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        bind(fd, info->ai_addr, info->ai_addrlen) != 0)
        return -1;
    return listen(fd, 1);
}

static int use_to_connect(int fd, const struct addrinfo *info)
{
    return connect(fd, info->ai_addr, info->ai_addrlen);
}

static bool readable(int fd, int wait_ms)
{
    struct pollfd one = {.fd = fd, .events = POLLIN};

    return poll(&one, 1, wait_ms) > 0;
}

/* Reads as many bytes within the time of a greeting. */
static size_t read_greeting(int fd, void *to, size_t bytes, const volatile int *stop)
{
    uint64_t end = now_ms() + GREET_MS;
    size_t have = 0;

    while (have < bytes && now_ms() < end && !*stop) {
        ssize_t count;

        if (!readable(fd, LOOK_MS))
            continue;
        count = recv(fd, (uint8_t *)to + have, bytes - have, 0);
        if (count <= 0)
            break;
        have += (size_t)count;
    }
    return have;
}

/* NULL, or what makes it impossible to work with this peer. */
static const char *compare(const struct tern_far_greeting *own,
                           const struct tern_far_greeting *peer)
{
    if (peer->version != own->version || peer->abi != own->abi)
        return "the simulator is of another version";
    if (memcmp(peer->sides, own->sides, sizeof own->sides) != 0 || peer->mesh != own->mesh)
        return "the simulator has another --torus or --mesh";
    if (peer->rtl != own->rtl)
        return "the simulator has another --tier";
    if (peer->latency != own->latency || peer->beat != own->beat)
        return "the simulator has another --model or --link-latency";
    if (peer->half == own->half)
        return "the simulator has the same half of the torus";
    return NULL;
}

/* Both ends send before they read, so a refused end learns the reason, too. */
static const char *greet(int fd, const struct tern_far_greeting *own, const volatile int *stop)
{
    struct tern_far_greeting mine = *own, peer;
    size_t have;

    memcpy(mine.magic, magic, sizeof magic);
    if (send(fd, &mine, sizeof mine, MSG_NOSIGNAL) != (ssize_t)sizeof mine)
        return strerror(errno);
    have = read_greeting(fd, &peer, sizeof peer, stop);
    if (memcmp(peer.magic, magic, have < sizeof magic ? have : sizeof magic) != 0)
        return "it is no tern simulator";
    if (have < sizeof peer)
        return "it sends no greeting";
    return compare(&mine, &peer);
}

static struct tern_far *far_new(int fd)
{
    struct tern_far *far = calloc(1, sizeof *far);
    int on = 1;

    if (far == NULL)
        return NULL;
    far->fd = fd;
    far->heard_ms = far->sent_ms = now_ms();
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
    return far;
}

static int wait_for_peer(const struct tern_far_address *address,
                         const struct tern_far_greeting *own, const volatile int *stop,
                         char error[TERN_FAR_ERROR_BYTES])
{
    uint64_t end = now_ms() + address->wait_ms;
    const char *why;
    int listener = socket_for(address, use_to_listen, &why), fd = -1;

    if (listener < 0) {
        explain(error, "cannot listen at", address, why);
        return -1;
    }
    explain(error, "listening at", address, "no peer simulator came");
    while (fd < 0 && !*stop && now_ms() < end) {
        if (!readable(listener, LOOK_MS))
            continue;
        fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        why = fd < 0 ? strerror(errno) : greet(fd, own, stop);
        if (why == NULL)
            break;
        explain(error, "a visitor is refused at", address, why);
        fprintf(stderr, "tern-sim: %s\n", error);
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    close(listener);
    return fd;
}

static int look_for_peer(const struct tern_far_address *address,
                         const struct tern_far_greeting *own, const volatile int *stop,
                         char error[TERN_FAR_ERROR_BYTES])
{
    uint64_t end = now_ms() + address->wait_ms;
    const char *why = "interrupted";
    int fd = -1;

    while (!*stop) {
        fd = socket_for(address, use_to_connect, &why);
        if (fd >= 0 || now_ms() >= end)
            break;
        poll(NULL, 0, LOOK_MS);
    }
    if (fd < 0) {
        explain(error, "no peer simulator at", address, why);
        return -1;
    }
    why = greet(fd, own, stop);
    if (why == NULL)
        return fd;
    explain(error, "no link with the peer at", address, why);
    close(fd);
    return -1;
}

struct tern_far *tern_far_open(const struct tern_far_address *address,
                               const struct tern_far_greeting *own, const volatile int *stop,
                               char error[TERN_FAR_ERROR_BYTES])
{
    struct tern_far *far;
    int fd = address->listens ? wait_for_peer(address, own, stop, error)
                              : look_for_peer(address, own, stop, error);

    if (fd < 0)
        return NULL;
    far = far_new(fd);
    if (far == NULL) {
        snprintf(error, TERN_FAR_ERROR_BYTES, "out of memory");
        close(fd);
    }
    return far;
}

void tern_far_close(struct tern_far *far)
{
    if (far == NULL)
        return;
    if (far->fd >= 0)
        close(far->fd);
    free(far->in.bytes);
    free(far->out.bytes);
    free(far);
}

int tern_far_fd(const struct tern_far *far)
{
    return far->fd;
}

/* ---- frames ---- */

void tern_far_give_up(struct tern_far *far, const char *why)
{
    if (far->dead != NULL)
        return;
    far->dead = why;
    close(far->fd); /* or it would stay readable */
    far->fd = -1;
}

const char *tern_far_dead(const struct tern_far *far)
{
    return far->dead;
}

/* Makes room for `more` bytes behind the last; false when there is no memory. */
static bool make_room(struct buffer *buffer, size_t more)
{
    size_t have = buffer->end - buffer->begin, size = buffer->size;
    uint8_t *bytes;

    if (buffer->end + more <= size)
        return true;
    if (have > 0 && buffer->begin > 0)
        memmove(buffer->bytes, buffer->bytes + buffer->begin, have);
    buffer->begin = 0;
    buffer->end = have;
    while (size < have + more)
        size = size > 0 ? 2 * size : 1 << 16;
    if (size == buffer->size)
        return true;
    bytes = realloc(buffer->bytes, size);
    if (bytes == NULL)
        return false;
    buffer->bytes = bytes;
    buffer->size = size;
    return true;
}

static void add(struct buffer *buffer, const void *bytes, size_t count)
{
    if (count > 0)
        memcpy(buffer->bytes + buffer->end, bytes, count);
    buffer->end += count;
}

void tern_far_put(struct tern_far *far, const struct tern_far_head *head, const void *bytes)
{
    if (far->dead != NULL)
        return;
    if (far->out.end - far->out.begin > OUT_MAX ||
        !make_room(&far->out, sizeof *head + head->bytes)) {
        tern_far_give_up(far, "the peer simulator does not read what it is sent");
        return;
    }
    add(&far->out, head, sizeof *head);
    add(&far->out, bytes, head->bytes);
}

static void send_some(struct tern_far *far)
{
    struct buffer *out = &far->out;

    while (out->begin < out->end && far->dead == NULL) {
        ssize_t count = send(far->fd, out->bytes + out->begin, out->end - out->begin,
                             MSG_DONTWAIT | MSG_NOSIGNAL);

        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0 && errno != EAGAIN)
            tern_far_give_up(far, "the peer simulator has gone");
        if (count < 0)
            return;
        out->begin += (size_t)count;
        far->sent_ms = now_ms();
    }
}

static void receive_some(struct tern_far *far)
{
    struct buffer *in = &far->in;

    while (far->dead == NULL && in->end - in->begin < 2 * (size_t)TERN_FAR_FRAME_MAX) {
        ssize_t count;

        if (!make_room(in, 1 << 15)) {
            tern_far_give_up(far, "out of memory");
            return;
        }
        count = recv(far->fd, in->bytes + in->end, in->size - in->end, MSG_DONTWAIT);
        if (count < 0 && errno == EINTR)
            continue;
        if (count == 0 || (count < 0 && errno != EAGAIN))
            tern_far_give_up(far, "the peer simulator has gone");
        if (count <= 0)
            return;
        in->end += (size_t)count;
        far->heard_ms = now_ms();
    }
}

void tern_far_work(struct tern_far *far)
{
    static const struct tern_far_head alive = {.kind = TERN_FAR_ALIVE};
    uint64_t now = now_ms();

    if (far->dead != NULL)
        return;
    if (now >= far->sent_ms + ALIVE_MS && far->out.begin == far->out.end)
        tern_far_put(far, &alive, NULL);
    send_some(far);
    receive_some(far);
    /* This end may itself have been stopped: what has come meanwhile was read just now. */
    if (far->dead == NULL && now >= far->heard_ms + TERN_FAR_SILENT_MS)
        tern_far_give_up(far, "the peer simulator is silent");
}

void tern_far_wait(struct tern_far *far, int wait_ms)
{
    if (far->dead == NULL && readable(far->fd, wait_ms))
        receive_some(far);
    tern_far_work(far);
}

const uint8_t *tern_far_next(struct tern_far *far, struct tern_far_head *head)
{
    struct buffer *in = &far->in;
    size_t have = in->end - in->begin;
    const uint8_t *bytes;

    if (have < sizeof *head)
        return NULL;
    memcpy(head, in->bytes + in->begin, sizeof *head);
    if (head->bytes > TERN_FAR_FRAME_MAX || head->kind > TERN_FAR_BLOCK) {
        tern_far_give_up(far, "the peer simulator sends garbage");
        return NULL;
    }
    if (have < sizeof *head + head->bytes)
        return NULL;
    bytes = in->bytes + in->begin + sizeof *head;
    in->begin += sizeof *head + head->bytes;
    return bytes;
}
