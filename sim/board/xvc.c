/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern-tap: the JTAG port of an ECP5 and its flash, for a program that speaks the protocol of the
 * Xilinx Virtual Cable (openFPGALoader -c xvc-client), at a TCP port of this machine.
 *
 * Prints the port, then serves one client after the other until SIGINT or SIGTERM. The flash's
 * contents are a file, which it writes back at the end. For tests, the cable is pulled or the power
 * fails in the middle of a transfer, and the flash is saved as it is after each 4 KiB of a write.
 */
#include <argp.h>
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "ecp5_tap.h"
#include "exits.h"

enum {
    PACKET_BYTES = 2048, /* of both vectors: a client that reads an answer at once gets all of it */
    VECTOR_BYTES = PACKET_BYTES / 2,
    PATH_BYTES = 256,
    CUT_BYTES = 4096,
    ID_2M = 0xef4015
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

struct server {
    const struct ecp5_device *device;
    const char *flash_path, *received_path, *cuts_path;
    size_t flash_bytes;
    uint32_t flash_id, cuts_from, cuts_bytes;
    uint64_t pull, cut; /* bytes that are taken before the cable goes, the power; 0: never */

    struct board_flash flash;
    struct ecp5_tap tap;
    uint64_t written, since_cut; /* bytes of the flash that were erased or programmed */
    unsigned cuts;
    int listener, client;
    bool pulled, dead; /* without power */
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "tern-tap: %s: %s\n", what, why);
    return false;
}

/* ---- arguments ---- */

enum { KEY_CUTS_FROM = 256, KEY_CUTS_BYTES, KEY_RECEIVED };

static const struct argp_option options[] = {
    {"device", 'd', "N", 0, "an LFE5U-45F or 85F: 45, 85 (default 85)", 0},
    {"flash", 'f', "FILE", 0, "the flash's contents; made at the end if there is none", 0},
    {"flash-size", 's', "BYTES", 0, "16777216 (default) or 2097152", 0},
    {"received", KEY_RECEIVED, "FILE", 0, "write the last bitstream there that came by JTAG", 0},
    {"pull", 'p', "BYTES", 0, "pull the cable when the device has taken so many", 0},
    {"power-cut", 'c', "BYTES", 0, "end when so many bytes of the flash are written", 0},
    {"cuts", 'C', "DIR", 0, "save a part of the flash there after each 4096 bytes of writes", 0},
    {"cuts-from", KEY_CUTS_FROM, "PLACE", 0, "the part's first byte", 0},
    {"cuts-bytes", KEY_CUTS_BYTES, "BYTES", 0, "the part's size", 0},
    {0}};

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct server *server = state->input;

    switch (key) {
    case 'd':
        server->device = ecp5_device((unsigned)strtoul(text, NULL, 10));
        if (server->device == NULL)
            argp_error(state, "%s: the device is 45 or 85", text);
        break;
    case 'f':
        server->flash_path = text;
        break;
    case 's':
        server->flash_bytes = strtoul(text, NULL, 10);
        if (server->flash_bytes != BOARD_FLASH_BYTES && server->flash_bytes != 2 << 20)
            argp_error(state, "%s: no flash has this size", text);
        if (server->flash_bytes != BOARD_FLASH_BYTES)
            server->flash_id = ID_2M;
        break;
    case KEY_RECEIVED:
        server->received_path = text;
        break;
    case 'p':
        server->pull = strtoull(text, NULL, 10);
        break;
    case 'c':
        server->cut = strtoull(text, NULL, 10);
        break;
    case 'C':
        server->cuts_path = text;
        break;
    case KEY_CUTS_FROM:
        server->cuts_from = (uint32_t)strtoul(text, NULL, 10);
        break;
    case KEY_CUTS_BYTES:
        server->cuts_bytes = (uint32_t)strtoul(text, NULL, 10);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

/* ---- files ---- */

static bool save(const char *path, const uint8_t *bytes, size_t count)
{
    FILE *file = fopen(path, "wb");
    bool good = file != NULL && fwrite(bytes, 1, count, file) == count;

    good = file != NULL && fclose(file) == 0 && good;
    return good || complain(path, strerror(errno));
}

static void save_cut(struct server *server)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof path, "%s/%u", server->cuts_path, server->cuts++);
    save(path, server->flash.bytes + server->cuts_from, server->cuts_bytes);
}

/* A power cut keeps what the flash has ended so far. */
static void on_change(void *ctx, uint32_t place, uint32_t bytes)
{
    struct server *server = ctx;

    (void)place;
    server->written += bytes;
    server->since_cut += bytes;
    if (server->cuts_path != NULL && !server->dead && server->since_cut >= CUT_BYTES) {
        server->since_cut = 0;
        save_cut(server);
    }
    server->pulled |= server->pull > 0 && server->written >= server->pull;
    if (server->cut > 0 && server->written >= server->cut && !server->dead) {
        server->dead = true;
        if (server->flash_path != NULL)
            save(server->flash_path, server->flash.bytes, server->flash.size);
    }
}

/* ---- the protocol ---- */

/* A client sends a command in two pieces, the second when the first is acknowledged: at once. */
static bool get(struct server *server, void *bytes, size_t count)
{
    uint8_t *at = bytes;

    while (count > 0) {
        ssize_t got;
        int one = 1;

        setsockopt(server->client, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof one);
        got = recv(server->client, at, count, 0);
        if (got < 0 && errno == EINTR && !stop)
            continue;
        if (got <= 0)
            return false;
        at += got;
        count -= (size_t)got;
    }
    return true;
}

static bool put(struct server *server, const void *bytes, size_t count)
{
    return send(server->client, bytes, count, MSG_NOSIGNAL) == (ssize_t)count;
}

static bool bit(const uint8_t *vector, uint32_t at)
{
    return vector[at / 8] >> (at % 8) & 1;
}

static bool shift(struct server *server)
{
    uint8_t vectors[PACKET_BYTES], out[VECTOR_BYTES] = {0}, length[4];
    uint32_t count, bytes;

    if (!get(server, length, sizeof length))
        return false;
    count = length[0] | (uint32_t)length[1] << 8 | (uint32_t)length[2] << 16 |
            (uint32_t)length[3] << 24;
    bytes = count / 8 + (count % 8 != 0);
    if (bytes > VECTOR_BYTES)
        return complain("shift", "more bits than getinfo allows");
    if (!get(server, vectors, 2 * (size_t)bytes))
        return false;
    for (uint32_t i = 0; i < count; i++)
        out[i / 8] |= (uint8_t)(ecp5_tap_step(&server->tap, bit(vectors, i),
                                              bit(vectors + bytes, i)) << (i % 8));
    server->pulled |= server->pull > 0 && server->tap.burst_bits / 8 >= server->pull;
    return !server->pulled && !server->dead && put(server, out, bytes);
}

/* Serves a command; false when the client is gone. */
static bool command(struct server *server)
{
    static const char info[] = "xvcServer_v1.0:2048\n";
    char name[9] = {0};
    uint8_t period[4];

    if (!get(server, name, 6))
        return false;
    if (strcmp(name, "shift:") == 0)
        return shift(server);
    if (strcmp(name, "settck") == 0)
        return get(server, name, 1) && get(server, period, sizeof period) &&
               put(server, period, sizeof period);
    if (strcmp(name, "getinf") == 0)
        return get(server, name, 2) && put(server, info, sizeof info - 1);
    return complain(name, "no command");
}

static void serve(struct server *server)
{
    int one = 1;

    while (!stop && !server->dead) {
        server->client = accept(server->listener, NULL, NULL);
        if (server->client < 0)
            continue;
        setsockopt(server->client, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        while (!stop && command(server))
            ;
        close(server->client);
        board_flash_step(&server->flash, false, false, false);
        if (server->pulled)
            server->pull = 0;
        server->pulled = false;
    }
}

/* ---- start, end ---- */

static bool listen_anywhere(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;

    server->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (server->listener < 0 ||
        bind(server->listener, (struct sockaddr *)&address, sizeof address) != 0 ||
        listen(server->listener, 1) != 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &size) != 0)
        return complain("a port of TCP", strerror(errno));
    printf("ready: %s at port %u\n", server->device->name, ntohs(address.sin_port));
    return fflush(stdout) == 0;
}

static bool start(struct server *server)
{
    if (!board_flash_init(&server->flash, server->flash_bytes, server->flash_id))
        return complain("flash", "out of memory");
    if (server->flash_path != NULL && access(server->flash_path, F_OK) == 0 &&
        !board_flash_load(&server->flash, 0, server->flash_path))
        return complain(server->flash_path, strerror(errno));
    if (server->cuts_from > server->flash_bytes ||
        server->cuts_bytes > server->flash_bytes - server->cuts_from)
        return complain("--cuts-bytes", "beyond the flash");
    server->flash.changed = on_change;
    server->flash.ctx = server;
    ecp5_tap_init(&server->tap, server->device, &server->flash);
    ecp5_tap_power_up(&server->tap);
    server->tap.reloads = 0;
    return listen_anywhere(server);
}

static bool finish(struct server *server)
{
    const struct ecp5_tap *tap = &server->tap;
    bool good = true;

    printf("tap: loads %u reloads %u done %d error %d written %llu cuts %u\n", tap->loads,
           tap->reloads, tap->done, tap->error, (unsigned long long)server->written, server->cuts);
    if (server->flash_path != NULL && !server->dead)
        good = save(server->flash_path, server->flash.bytes, server->flash.size);
    if (server->received_path != NULL)
        good &= save(server->received_path, tap->burst, tap->burst_bits / 8);
    return good;
}

int main(int argc, char **argv)
{
    static struct server server = {.flash_bytes = BOARD_FLASH_BYTES, .flash_id = BOARD_FLASH_ID};
    static const struct argp argp = {options, parse, NULL, "Serves a simulated ECP5's JTAG port.",
                                     NULL, NULL, NULL};
    struct sigaction action = {.sa_handler = on_signal};
    bool good;

    server.device = ecp5_device(85);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &server);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    good = start(&server);
    if (good) {
        serve(&server);
        good = finish(&server);
    }
    ecp5_tap_fini(&server.tap);
    board_flash_fini(&server.flash);
    return good ? EXIT_DONE : EXIT_BAD;
}
