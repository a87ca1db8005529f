/* SPDX-License-Identifier: Apache-2.0 */
/* The keeper of a pool, and how a new server connects to it. See keeper.h. */
#define _GNU_SOURCE
#include "keeper.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tern_abi.h"

enum { ANSWER_S = 5, BACKLOG = 4 };
/*
 * Bytes on the sockets. From the keeper: take over; the server lives; ready. From an adopter or the
 * server: exit.
 */
enum { SAY_TAKE = 'y', SAY_BUSY = 'b', SAY_READY = 'r', SAY_GO = 'g' };

/* ---- the address */

static uint64_t hash_bytes(uint64_t hash, const void *from, size_t bytes)
{
    for (const uint8_t *at = from; bytes > 0; bytes--, at++)
        hash = (hash ^ *at) * UINT64_C(0x100000001b3);
    return hash;
}

static socklen_t address_of(int nic, const char *name, struct sockaddr_un *address)
{
    struct sockaddr_un peer = {0};
    socklen_t bytes = sizeof(peer);
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    int length;

    if (getpeername(nic, (struct sockaddr *)&peer, &bytes) == 0)
        hash = hash_bytes(hash, peer.sun_path, strnlen(peer.sun_path, sizeof(peer.sun_path)));
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
                      "tern-pool-%u-%016llx-%s", (unsigned)getuid(), (unsigned long long)hash,
                      name);
    return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
}

int pool_address_take(int nic, const char *name)
{
    struct sockaddr_un address;
    socklen_t bytes = address_of(nic, name, &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

    if (fd < 0)
        return -TERN_ST_SYSTEM;
    if (bind(fd, (const struct sockaddr *)&address, bytes)) {
        int error = errno;

        close(fd);
        errno = error;
        return error == EADDRINUSE ? -TERN_ST_QUEUE_BUSY : -TERN_ST_SYSTEM;
    }
    return fd;
}

/* Tells whether the process at the other end belongs to the same user; `*pid` is its number. */
static bool is_ours(int fd, pid_t *pid)
{
    struct ucred peer;
    socklen_t bytes = sizeof(peer);

    if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &bytes) || peer.uid != getuid())
        return false;
    *pid = peer.pid;
    return true;
}

/* ---- the keeper's process: must not allocate memory, as the server had threads when it forked */

struct kept {
    int nic, memory, address, leash;
    pid_t server;
};

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

static void close_others(const struct kept *kept)
{
    int keep[] = {kept->nic, kept->memory, kept->address, kept->leash};
    unsigned first = 0;

    qsort(keep, sizeof(keep) / sizeof(keep[0]), sizeof(keep[0]), by_number);
    for (size_t i = 0; i < sizeof(keep) / sizeof(keep[0]); first = (unsigned)keep[i++] + 1)
        if ((unsigned)keep[i] > first)
            (void)close_range(first, (unsigned)keep[i] - 1, 0);
    (void)close_range(first, UINT32_MAX, 0);
}

/* Sends the byte together with the descriptors. */
static void hand_over(int to, const struct kept *kept)
{
    int fds[] = {kept->memory, kept->address};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(fds))];
    } control = {0};
    char byte = SAY_TAKE;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(fds));
    memcpy(CMSG_DATA(header), fds, sizeof(fds));
    (void)sendmsg(to, &message, MSG_NOSIGNAL);
}

/* Returns the socket of an adopter, or -1. */
static int answer(const struct kept *kept)
{
    static const char busy = SAY_BUSY;
    int fd = accept(kept->address, NULL, NULL);
    pid_t pid;

    if (fd < 0)
        return -1;
    if (!is_ours(fd, &pid)) {
        close(fd);
        return -1;
    }
    if (getppid() == kept->server) {
        (void)send(fd, &busy, 1, MSG_NOSIGNAL);
        close(fd);
        return -1;
    }
    hand_over(fd, kept);
    return fd;
}

/* Reads a byte from `*fd`, and closes it at its end. Returns whether the keeper is to exit. */
static bool is_dismissed(int *fd)
{
    char byte;
    ssize_t got = read(*fd, &byte, 1);

    if (got == 1)
        return byte == SAY_GO;
    if (got == 0 || errno != EINTR) {
        close(*fd);
        *fd = -1;
    }
    return false;
}

static void keep(struct kept kept)
{
    static const char ready = SAY_READY;
    int adopter = -1;

    close_others(&kept);
    if (listen(kept.address, BACKLOG) || write(kept.leash, &ready, 1) != 1)
        return;
    for (;;) {
        struct pollfd fds[] = {{.fd = kept.nic},
                               {.fd = kept.leash, .events = POLLIN},
                               {.fd = adopter, .events = POLLIN},
                               {.fd = adopter < 0 ? kept.address : -1, .events = POLLIN}};

        if (poll(fds, sizeof(fds) / sizeof(fds[0]), -1) < 0)
            continue;
        if (fds[0].revents) /* the NIC has closed the connection */
            return;
        if (fds[1].revents && is_dismissed(&kept.leash))
            return;
        if (fds[2].revents && is_dismissed(&adopter))
            return;
        if (fds[3].revents)
            adopter = answer(&kept);
    }
}

/* ---- the server side */

static void keep_apart(const struct kept *kept)
{
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "tern-keeper");
    setsid();
    signal(SIGHUP, SIG_IGN);
    keep(*kept);
    _exit(0);
}

int pool_keeper_start(int nic, int memory, int address, struct pool_keeper *keeper)
{
    struct kept kept = {.nic = nic, .memory = memory, .address = address, .server = getpid()};
    int leash[2];
    char byte = 0;

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, leash))
        return -TERN_ST_SYSTEM;
    kept.leash = leash[1];
    keeper->leash = leash[0];
    keeper->pid = fork();
    if (keeper->pid == 0)
        keep_apart(&kept);
    close(leash[1]);
    if (keeper->pid > 0 && read(leash[0], &byte, 1) == 1)
        return 0;
    pool_keeper_stop(keeper);
    return -TERN_ST_SYSTEM;
}

void pool_keeper_stop(struct pool_keeper *keeper)
{
    static const char go = SAY_GO;

    if (keeper->leash < 0)
        return;
    (void)send(keeper->leash, &go, 1, MSG_NOSIGNAL);
    close(keeper->leash);
    keeper->leash = -1;
    if (keeper->pid > 0) {
        kill(keeper->pid, SIGCONT);
        while (waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
            ;
    }
}

/* ---- adopting */

static int receive(int from, struct pool_legacy *legacy)
{
    int fds[2];
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof(fds))];
    } control = {0};
    char byte = 0;
    struct iovec part = {&byte, 1};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    ssize_t got = recvmsg(from, &message, MSG_CMSG_CLOEXEC);
    const struct cmsghdr *header = CMSG_FIRSTHDR(&message);

    if (got < 0)
        return errno == EAGAIN || errno == EWOULDBLOCK ? -TERN_ST_TIMEOUT : -TERN_ST_SYSTEM;
    if (got == 0)
        return -TERN_ST_NO_POOL;
    if (byte == SAY_BUSY)
        return -TERN_ST_QUEUE_BUSY;
    if (byte != SAY_TAKE || !header || header->cmsg_len != CMSG_LEN(sizeof(fds)))
        return -TERN_ST_PROTOCOL;
    memcpy(fds, CMSG_DATA(header), sizeof(fds));
    *legacy = (struct pool_legacy){from, fds[0], fds[1]};
    return 0;
}

int pool_keeper_ask(int nic, const char *name, struct pool_legacy *legacy)
{
    static const struct timeval limit = {.tv_sec = ANSWER_S};
    struct sockaddr_un address;
    socklen_t bytes = address_of(nic, name, &address);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0), status;
    pid_t pid = 0;

    if (fd < 0)
        return -TERN_ST_SYSTEM;
    if (connect(fd, (const struct sockaddr *)&address, bytes) || !is_ours(fd, &pid)) {
        close(fd);
        return -TERN_ST_NO_POOL;
    }
    (void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (pid > 0)
        kill(pid, SIGCONT); /* it may be stopped */
    status = receive(fd, legacy);
    if (status)
        close(fd);
    return status;
}

int pool_keeper_dismiss(struct pool_legacy *legacy)
{
    static const char go = SAY_GO;
    char byte;
    ssize_t got;

    (void)send(legacy->keeper, &go, 1, MSG_NOSIGNAL);
    do
        got = recv(legacy->keeper, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
        return -TERN_ST_TIMEOUT;
    close(legacy->keeper);
    legacy->keeper = -1;
    return 0;
}
