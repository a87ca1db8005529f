/* SPDX-License-Identifier: Apache-2.0 */
/*
 * See line.h: an Ethernet cable between a PHY and a UNIX socket each of whose messages is a frame,
 * or an interface of this machine (a path without a slash), all of whose frames reach the board.
 *
 * One client at a time at the socket; the next one may come when it has gone. The host's interface
 * is here, too: it adds the FCS, and drops frames of the board whose FCS is wrong.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "cable.h"
#include "line.h"
#include "phy.h"
#include "tern_abi.h"

enum { INPUT_FRAMES = 16, LEAST_BYTES = 60, TAGS = 256 };

const unsigned board_line_slice = BOARD_CABLE_SLICE; /* a microsecond */

static struct {
    const char *path;
    struct board_phy phy;
    struct board_wire down, up; /* to the board; to the host */
    struct board_frame out;     /* waits for room in the socket; no bytes: none */
    int listener, fd;
    bool cable;
    bool interface;             /* `fd` is one; it has no client that comes and goes */
    bool reads[TAGS], writes[TAGS]; /* that the host has not answered; a frame may come twice */
    unsigned owed; /* of both */
    uint64_t bad; /* frames of the board that the host's interface dropped */
} line = {.listener = -1, .fd = -1};

static bool open_interface(void)
{
    struct sockaddr_ll address = {.sll_family = AF_PACKET, .sll_protocol = htons(ETH_P_ALL)};
    struct packet_mreq all = {.mr_type = PACKET_MR_PROMISC};

    all.mr_ifindex = address.sll_ifindex = (int)if_nametoindex(line.path);
    if (address.sll_ifindex == 0)
        return false;
    line.interface = true;
    line.fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return line.fd >= 0 && bind(line.fd, (struct sockaddr *)&address, sizeof address) == 0 &&
           setsockopt(line.fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) == 0;
}

static bool open_socket(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};

    if (strlen(line.path) >= sizeof address.sun_path) {
        errno = EINVAL;
        return false;
    }
    strcpy(address.sun_path, line.path);
    line.listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    unlink(line.path);
    return line.listener >= 0 &&
           bind(line.listener, (struct sockaddr *)&address, sizeof address) == 0 &&
           listen(line.listener, 1) == 0;
}

bool board_line_open(const struct board_line_options *options)
{
    if (options->path == NULL) {
        errno = EINVAL;
        return false;
    }
    line.path = options->path;
    board_wire_init(&line.down, options->seed, options->flip, options->lose, options->repeat,
                    options->swap);
    board_wire_init(&line.up, options->seed + 1, options->flip, options->lose, options->repeat,
                    options->swap);
    board_phy_init(&line.phy, &line.down, &line.up);
    if (strchr(line.path, '/') != NULL ? !open_socket() : !open_interface())
        return false;
    if (options->cable != NULL && !board_cable_open(options->cable, options->second))
        return false;
    line.cable = options->cable != NULL;
    printf("ready: %s, its Ethernet at eth:%s\n", tern_board_name(), line.path);
    return fflush(stdout) == 0;
}

void board_line_close(void)
{
    if (line.path != NULL && !line.interface)
        unlink(line.path);
    board_cable_close();
}

/* Notes that a frame of the host link asks for an answer, or is one. */
static void note_frame(const uint8_t *bytes)
{
    const uint8_t *head = bytes + 4 * TERN_HLINK_ETHER_WORDS;
    unsigned kind = head[0] & 15;
    bool ask = kind == TERN_HLINK_KIND_READ || kind == TERN_HLINK_KIND_WRITE;
    bool read = kind == TERN_HLINK_KIND_READ || kind == TERN_HLINK_KIND_READ_DATA;
    bool *owed = (read ? line.reads : line.writes) + head[4 + TERN_HLINK_TAG / 8];

    if ((!ask && kind != TERN_HLINK_KIND_READ_DATA && kind != TERN_HLINK_KIND_WRITTEN) ||
        *owed == ask)
        return;
    *owed = ask;
    line.owed += ask ? 1 : -1u;
}

static void owe_nothing(void)
{
    memset(line.reads, 0, sizeof line.reads);
    memset(line.writes, 0, sizeof line.writes);
    line.owed = 0;
}

/* Ends a client; an interface goes on after an error, as when it is down for a while. */
static void drop_client(void)
{
    line.out.count = 0;
    owe_nothing();
    if (line.interface)
        return;
    close(line.fd);
    line.fd = -1;
}

static void wait_for_input(int wait_ms)
{
    struct pollfd fd = {.fd = line.fd < 0 ? line.listener : line.fd, .events = POLLIN};

    if (wait_ms > 0)
        poll(&fd, 1, wait_ms);
    if (line.fd < 0)
        line.fd = accept4(line.listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
}

/* Receives a frame that is not one of this end's own. */
static ssize_t receive(uint8_t *bytes, size_t most)
{
    struct sockaddr_ll from = {0};
    socklen_t size = sizeof from;
    ssize_t count;

    do
        count = recvfrom(line.fd, bytes, most, 0, (struct sockaddr *)&from, &size);
    while (line.interface && count > 0 && from.sll_pkttype == PACKET_OUTGOING);
    return count;
}

/* Reads a frame; false if there was none. */
static bool read_frame(void)
{
    uint8_t bytes[BOARD_FRAME_BYTES];
    ssize_t count = receive(bytes, sizeof bytes - BOARD_FCS_BYTES);

    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
        drop_client();
    if (count <= 0)
        return false;
    if (count < LEAST_BYTES) { /* as an interface does */
        memset(bytes + count, 0, (size_t)(LEAST_BYTES - count));
        count = LEAST_BYTES;
    }
    note_frame(bytes);
    board_fcs_add(bytes, (size_t)count);
    board_wire_put(&line.down, bytes, (size_t)count + BOARD_FCS_BYTES);
    return true;
}

bool board_line_input(int wait_ms)
{
    bool any = false;

    if (line.cable && !board_cable_exchange(wait_ms > 0))
        wait_ms = 0;
    wait_for_input(wait_ms);
    for (unsigned i = 0; i < INPUT_FRAMES && line.fd >= 0 && board_wire_room(&line.down) > 0; i++) {
        if (!read_frame())
            break;
        any = true;
    }
    return any || board_wire_room(&line.down) == 0;
}

/* Takes the next good frame of the board; false if there is none. */
static bool next_good(struct board_frame *frame)
{
    while (board_wire_take(&line.up, frame)) {
        if (board_fcs_holds(frame->bytes, frame->count)) {
            frame->count -= BOARD_FCS_BYTES;
            return true;
        }
        line.bad++;
    }
    frame->count = 0;
    return false;
}

void board_line_output(void)
{
    while (line.out.count > 0 || next_good(&line.out)) {
        ssize_t sent = 0;

        if (line.fd >= 0)
            sent = send(line.fd, line.out.bytes, line.out.count, MSG_NOSIGNAL);
        if (sent < 0 && (errno == EAGAIN || errno == EINTR))
            return;
        if (sent < 0) {
            drop_client();
            return;
        }
        note_frame(line.out.bytes);
        line.out.count = 0;
    }
}

unsigned board_line_owed(void)
{
    return line.fd < 0 ? 0 : line.owed;
}

void board_line_cut(bool cut)
{
    board_cable_cut(cut);
}

void board_line_drive(struct tern_board_pins *pins)
{
    pins->rgmii_in = board_phy_send(&line.phy, &pins->rgmii_in_clock);
    board_cable_drive(pins);
}

bool board_line_sense(const struct tern_board_pins *pins)
{
    board_cable_sense(pins);
    return pins->phy_on &&
           board_phy_receive(&line.phy, pins->rgmii_out_clock, pins->rgmii_out);
}

void board_line_counts(void)
{
    board_cable_counts();
    printf(" to the board %llu bytes to the host %llu bytes faults %llu against Ethernet %llu\n",
           (unsigned long long)line.phy.sent, (unsigned long long)line.phy.received,
           (unsigned long long)line.down.faults + line.up.faults,
           (unsigned long long)line.phy.wrong);
}
