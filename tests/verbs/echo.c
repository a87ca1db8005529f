/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A program that uses only sockets, for librspreload to run over verbs.
 *
 * usage: echo ADDRESS PORT [BYTES]
 *
 * With BYTES it connects, sends that many bytes and reads them back; otherwise it listens, and
 * returns the bytes of one connection.
 */
#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { PIECE = 4096, MOST = 1 << 20, TRIES = 100, PAUSE_US = 100000 };

static uint8_t sent[MOST], back[MOST];

static bool send_all(int fd, const uint8_t *from, size_t bytes)
{
    while (bytes) {
        ssize_t part = send(fd, from, bytes < PIECE ? bytes : PIECE, 0);

        if (part <= 0)
            return false;
        from += part;
        bytes -= (size_t)part;
    }
    return true;
}

static bool receive_all(int fd, uint8_t *to, size_t bytes)
{
    while (bytes) {
        ssize_t part = recv(fd, to, bytes, 0);

        if (part <= 0)
            return false;
        to += part;
        bytes -= (size_t)part;
    }
    return true;
}

static int serve(const struct sockaddr_in *here)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    ssize_t part;
    int peer;

    if (fd < 0 || bind(fd, (const struct sockaddr *)here, sizeof(*here)) || listen(fd, 1)) {
        perror("echo: listen");
        return 1;
    }
    peer = accept(fd, NULL, NULL);
    if (peer < 0) {
        perror("echo: accept");
        return 1;
    }
    while ((part = recv(peer, back, PIECE, 0)) > 0)
        if (!send_all(peer, back, (size_t)part))
            return 1;
    close(peer);
    close(fd);
    return part < 0;
}

/* The server may not listen yet. */
static int connect_to(const struct sockaddr_in *there)
{
    for (unsigned at = 0; at < TRIES; at++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        if (fd >= 0 && !connect(fd, (const struct sockaddr *)there, sizeof(*there)))
            return fd;
        close(fd);
        usleep(PAUSE_US);
    }
    return -1;
}

static int ask(const struct sockaddr_in *there, size_t bytes)
{
    int fd = connect_to(there);

    if (fd < 0) {
        perror("echo: connect");
        return 1;
    }
    for (size_t at = 0; at < bytes; at++)
        sent[at] = (uint8_t)(at * 7 + at / 251);
    for (size_t at = 0; at < bytes; at += PIECE) {
        size_t part = bytes - at < PIECE ? bytes - at : PIECE;

        if (!send_all(fd, sent + at, part) || !receive_all(fd, back + at, part)) {
            perror("echo: transfer");
            return 1;
        }
    }
    shutdown(fd, SHUT_RDWR);
    close(fd);
    printf("echo: %zu bytes %s\n", bytes, memcmp(sent, back, bytes) ? "differ" : "came back");
    return memcmp(sent, back, bytes) != 0;
}

int main(int argc, char **argv)
{
    struct sockaddr_in address = {.sin_family = AF_INET};

    if (argc < 3 || inet_pton(AF_INET, argv[1], &address.sin_addr) != 1)
        return 2;
    address.sin_port = htons((uint16_t)atoi(argv[2]));
    if (argc == 3)
        return serve(&address);
    return atoi(argv[3]) > MOST ? 2 : ask(&address, (size_t)atoi(argv[3]));
}
