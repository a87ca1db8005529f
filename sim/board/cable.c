/* SPDX-License-Identifier: Apache-2.0 */
/* See cable.h. */
#include "cable.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A byte of the line has two steps, so a slice has half as many; VALID: part of a frame. */
enum { BYTES = BOARD_CABLE_SLICE / 2, VALID = 256, RETRY_MS = 50, RETRIES = 1200 };

struct slice {
    uint16_t idle, count, byte[BYTES];
};

static struct {
    const char *path; /* of the listener; NULL: not here */
    int listener, fd;
    volatile sig_atomic_t cut;
    struct slice out, in;
    unsigned at;       /* byte of `in` */
    bool clock;        /* to the board */
    unsigned half;     /* pins of the second half of a byte */
    bool from_clock;
    uint8_t low;
    bool in_frame;
    uint64_t slices, frames;
} cable = {.listener = -1, .fd = -1};

static bool listen_at(const struct sockaddr_un *address)
{
    cable.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    unlink(address->sun_path);
    return cable.listener >= 0 &&
           bind(cable.listener, (const struct sockaddr *)address, sizeof *address) == 0 &&
           listen(cable.listener, 1) == 0;
}

static bool connect_to(const struct sockaddr_un *address)
{
    static const struct timespec wait = {.tv_nsec = RETRY_MS * 1000000};

    cable.fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    for (unsigned i = 0; cable.fd >= 0 && i < RETRIES; i++) {
        if (connect(cable.fd, (const struct sockaddr *)address, sizeof *address) == 0)
            return true;
        if ((errno != ENOENT && errno != ECONNREFUSED) || nanosleep(&wait, NULL) != 0)
            break;
    }
    return false;
}

bool board_cable_open(const char *path, bool second)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(path) >= sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(address.sun_path, path);
    if (second)
        return connect_to(&address);
    cable.path = path;
    return listen_at(&address);
}

void board_cable_close(void)
{
    if (cable.path != NULL)
        unlink(cable.path);
}

void board_cable_cut(bool cut)
{
    cable.cut = cut;
}

/* ---- pins ---- */

void board_cable_drive(struct tern_board_pins *pins)
{
    cable.clock = !cable.clock;
    pins->link_in_clock = cable.clock;
    if (cable.clock) {
        unsigned byte = cable.at < cable.in.count ? cable.in.byte[cable.at++] : 0;
        unsigned ctl = byte & VALID ? TERN_BOARD_RGMII_CTL : 0;

        pins->link_in = ctl | (byte & 15);
        cable.half = ctl | (byte >> 4 & 15);
    } else {
        pins->link_in = cable.half;
    }
}

void board_cable_sense(const struct tern_board_pins *pins)
{
    bool changed = pins->link_out_clock != cable.from_clock;
    bool valid = (pins->link_out & TERN_BOARD_RGMII_CTL) != 0 && pins->phy_on;

    cable.from_clock = pins->link_out_clock;
    if (changed && cable.from_clock)
        cable.low = pins->link_out & 15;
    if (!changed || cable.from_clock || cable.out.count == BYTES)
        return;
    cable.frames += valid && !cable.in_frame;
    cable.in_frame = valid;
    cable.out.byte[cable.out.count++] =
        valid ? (uint16_t)(VALID | cable.low | (pins->link_out << 4 & 0xf0)) : 0;
}

/* ---- slices ---- */

/* Sends or receives a whole slice; false if the peer has gone. */
static bool move(bool sends)
{
    ssize_t moved;

    do {
        moved = sends ? send(cable.fd, &cable.out, sizeof cable.out, MSG_NOSIGNAL)
                      : recv(cable.fd, &cable.in, sizeof cable.in, 0);
    } while (moved < 0 && errno == EINTR);
    return moved == sizeof(struct slice);
}

static void unplug(void)
{
    close(cable.fd);
    cable.fd = -1;
}

bool board_cable_exchange(bool idle)
{
    bool both = idle;

    if (cable.fd < 0 && cable.listener >= 0)
        cable.fd = accept4(cable.listener, NULL, NULL, SOCK_CLOEXEC);
    cable.at = 0;
    cable.in.count = 0;
    if (cable.cut)
        memset(cable.out.byte, 0, sizeof cable.out.byte);
    cable.out.idle = idle;
    if (cable.fd >= 0 && !(move(true) && move(false))) {
        unplug();
        cable.in.count = 0;
    } else if (cable.fd >= 0) {
        cable.slices++;
        both = idle && cable.in.idle;
        if (cable.cut)
            cable.in.count = 0;
    }
    cable.out.count = 0;
    return both;
}

void board_cable_counts(void)
{
    if (cable.slices > 0)
        printf(" cable %llu slices %llu frames", (unsigned long long)cable.slices,
               (unsigned long long)cable.frames);
}
