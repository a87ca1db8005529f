/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: talk PORT|PATH [held]
 *
 * Sends standard input to a server at a TCP port of this machine, or at a UNIX socket, and prints
 * what comes until the server ends the connection.  With `held`: opens so many connections first,
 * which stay open and send nothing, and prints how many of them the server has ended.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int open_at(const char *where)
{
    struct sockaddr_un path = {.sun_family = AF_UNIX};
    struct sockaddr_in port = {.sin_family = AF_INET,
                               .sin_port = htons((uint16_t)atoi(where)),
                               .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    bool is_path = strchr(where, '/') != NULL;
    int fd = socket(is_path ? AF_UNIX : AF_INET, SOCK_STREAM, 0);

    if (is_path)
        snprintf(path.sun_path, sizeof(path.sun_path), "%s", where);
    if (fd < 0 || connect(fd, is_path ? (struct sockaddr *)&path : (struct sockaddr *)&port,
                          is_path ? sizeof(path) : sizeof(port))) {
        perror(where);
        exit(1);
    }
    return fd;
}

/* Reads and writes at once, so neither side waits for the other. */
static int talk(int fd)
{
    char in[1 << 16], out[1 << 16];
    size_t bytes = 0, at = 0;
    bool ended = false;

    for (;;) {
        struct pollfd events = {.fd = fd, .events = POLLIN};
        ssize_t got;

        if (at == bytes && !ended) {
            bytes = fread(in, 1, sizeof(in), stdin);
            at = 0;
            ended = bytes == 0;
        }
        if (at < bytes)
            events.events |= POLLOUT;
        if (poll(&events, 1, -1) < 0)
            return 1;
        if (events.revents & POLLOUT) {
            got = send(fd, in + at, bytes - at, MSG_NOSIGNAL);
            at += got > 0 ? (size_t)got : bytes - at;
        }
        if (events.revents & (POLLIN | POLLHUP | POLLERR)) {
            got = read(fd, out, sizeof(out));
            if (got <= 0)
                return 0;
            fwrite(out, 1, (size_t)got, stdout);
        }
    }
}

/* Counts the connections that the server ended, or answered otherwise than with MN. */
static void hold(const char *where, int count)
{
    int *held = calloc((size_t)count, sizeof(*held)), ended = 0;
    char text[64];

    for (int i = 0; held && i < count; i++) {
        held[i] = open_at(where);
        (void)!write(held[i], "mn\r\n", 4);
        if (read(held[i], text, sizeof(text)) <= 0 || memcmp(text, "MN", 2) != 0)
            ended++;
    }
    printf("ended %d\n", ended);
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    if (argc > 2) {
        hold(argv[1], atoi(argv[2]));
        return 0;
    }
    return talk(open_at(argv[1]));
}
