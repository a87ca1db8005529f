/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern-bridge: gives the nodes of a board to this machine.
 *
 * Owns the line to the board, a serial one or an Ethernet cable, and serves DIR/nic-X.Y.Z.sock as
 * the simulator does, so the driver sees no difference. Ends with SIGINT or SIGTERM, or when the
 * board no longer answers.
 */
#include <argp.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "board.h"
#include "ether.h"
#include "exits.h"
#include "serial.h"
#include "server.h"

enum {
    PATH_BYTES = 256,
    WAIT_MS = 100,
    STATUS_US = 20000,
    PATIENCE_MOST_S = 86400,
    NODE_US = 120000000,     /* to answer its first reads; a board chooses its image before */
    FIRMWARE_US = 600000000,
    NODES_MOST = 16, /* channels of the host link */
    READ_BYTES = 4096,
    READ_PACKETS = 64 /* between two looks at the clients */
};

static volatile sig_atomic_t stop;

static void on_signal(int number)
{
    (void)number;
    stop = 1;
}

struct bridge {
    const char *line;
    bool ether;
    char dir[PATH_BYTES];
    unsigned baud;
    int ready_fd; /* -1: none */
    int fd;
    bool closed; /* the line */
    bool counts; /* wanted at the end */
    unsigned slow; /* so many times slower than this machine is a board's time */
    uint64_t patience; /* microseconds for each step of the start; 0: the usual ones */
    struct tern_board_host board[NODES_MOST];
    unsigned nodes;  /* of the board that have a session */
    unsigned sender; /* the node whose output leaves */
    struct tern_server *server;
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "tern-bridge: %s%s%s\n", what, why != NULL ? ": " : "",
            why != NULL ? why : "");
    return false;
}

/* Returns the time of the board, in microseconds. */
static uint64_t now_us(const struct bridge *bridge)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return ((uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000) / bridge->slow;
}

/* ---- arguments ---- */

static const struct argp_option options[] = {
    {"dir", 'd', "DIR", 0, "serve the sockets of the nodes there (default: as tern sim)", 0},
    {"baud", 'b', "RATE", 0, "rate of the serial line (default 3000000)", 0},
    {"ready-fd", 'r', "FD", 0, "write \"ready\" there when clients may attach", 0},
    {"slow", 's', "N", 0, "the board is simulated, its time N times slower (default 1)", 0},
    {"counts", 'c', NULL, 0, "print the counts of the line at the end", 0},
    {0}};

static void parse_line(struct bridge *bridge, const char *text, struct argp_state *state)
{
    const char *name = strchr(text, ':');

    bridge->ether = strncmp(text, "eth:", 4) == 0;
    if ((!bridge->ether && strncmp(text, "serial:", 7) != 0) || name[1] == 0)
        argp_error(state, "%s: the line is serial:TTY or eth:INTERFACE", text);
    bridge->line = name + 1;
}

static error_t parse(int key, char *text, struct argp_state *state)
{
    struct bridge *bridge = state->input;

    switch (key) {
    case 'd':
        if (strlen(text) >= sizeof bridge->dir)
            argp_error(state, "the folder's name is too long");
        snprintf(bridge->dir, sizeof bridge->dir, "%s", text);
        break;
    case 'b':
        bridge->baud = (unsigned)strtoul(text, NULL, 10);
        break;
    case 'r':
        bridge->ready_fd = atoi(text);
        break;
    case 'c':
        bridge->counts = true;
        break;
    case 's':
        bridge->slow = (unsigned)strtoul(text, NULL, 10);
        if (bridge->slow == 0)
            argp_error(state, "%s: --slow is a number from 1 on", text);
        break;
    case ARGP_KEY_ARG:
        if (bridge->line != NULL)
            argp_usage(state);
        parse_line(bridge, text, state);
        break;
    case ARGP_KEY_END:
        if (bridge->line == NULL)
            argp_usage(state);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    return 0;
}

static void default_dir(char *dir)
{
    const char *named = getenv("TERN_SIM_DIR");
    const char *runtime = getenv("XDG_RUNTIME_DIR");

    if (named != NULL && named[0] != 0)
        snprintf(dir, PATH_BYTES, "%s", named);
    else
        snprintf(dir, PATH_BYTES, "%s/tern-sim-%u",
                 runtime != NULL && runtime[0] != 0 ? runtime : "/tmp", (unsigned)getuid());
}

/* Reads $TERN_PATIENCE, in seconds: a board may be simulated by a busy machine. */
static uint64_t patience(void)
{
    const char *text = getenv("TERN_PATIENCE");
    unsigned long seconds = text != NULL ? strtoul(text, NULL, 10) : 0;

    return seconds >= 1 && seconds <= PATIENCE_MOST_S ? (uint64_t)seconds * 1000000 : 0;
}

/* ---- the line ---- */

/* Notes that the line has gone, unless a read or write failed for a reason that passes. */
static void judge(struct bridge *bridge, ssize_t result)
{
    if (result < 0)
        bridge->closed |= bridge->ether ? !tern_ether_lives(errno)
                                        : errno != EAGAIN && errno != EINTR;
}

static void receive(struct bridge *bridge)
{
    uint8_t bytes[READ_BYTES];
    unsigned most = bridge->ether ? READ_PACKETS : 1;
    ssize_t count;

    do {
        count = read(bridge->fd, bytes, sizeof bytes);
        for (unsigned i = 0; count > 0 && i < bridge->nodes; i++) {
            if (bridge->ether)
                tern_line_packet(&bridge->board[i].line, bytes, (size_t)count);
            else
                tern_line_input(&bridge->board[i].line, bytes, (size_t)count);
        }
        if (count == 0)
            bridge->closed = true;
    } while (--most > 0 && count > 0);
    judge(bridge, count);
}

/* Sends output of a node; returns whether all of it has left, so another node may go on. */
static bool send_some(struct bridge *bridge, struct tern_line *line)
{
    ssize_t sent;

    do {
        size_t count;
        const uint8_t *from = tern_line_output(line, &count);

        sent = count > 0 ? write(bridge->fd, from, count) : 0;
        if (sent > 0)
            tern_line_output_taken(line, (size_t)sent);
    } while (bridge->ether && sent > 0);
    judge(bridge, sent);
    return line->out_bytes == 0;
}

/* A node's output is whole frames, so the next node's turn is when it is empty. */
static void transmit(struct bridge *bridge)
{
    for (unsigned i = 0; i < bridge->nodes; i++) {
        if (!send_some(bridge, &bridge->board[bridge->sender].line))
            return;
        bridge->sender = (bridge->sender + 1) % bridge->nodes;
    }
}

/* Opens the line; false with errno. */
static bool open_line(struct bridge *bridge, uint8_t host[TERN_PACKET_ADDRESS])
{
    bridge->fd = bridge->ether ? tern_ether_open(bridge->line, host)
                               : tern_serial_open(bridge->line, bridge->baud);
    return bridge->fd >= 0;
}

static int wait_ms(const struct bridge *bridge, bool busy)
{
    uint64_t least = WAIT_MS * 1000;

    for (unsigned i = 0; i < bridge->nodes; i++) {
        const struct tern_line *line = &bridge->board[i].line;
        uint64_t us = tern_line_wait(line);

        us = us > least / bridge->slow ? least : us * bridge->slow;
        busy |= line->out_bytes > 0;
        least = us < least ? us : least;
    }
    if (busy)
        return 1;
    return least == WAIT_MS * 1000 ? WAIT_MS : (int)(least / 1000) + 1;
}

/* Returns when a step of the start must be over, which usually takes `usual` at most. */
static uint64_t start_limit(const struct bridge *bridge, uint64_t usual)
{
    return now_us(bridge) + (bridge->patience > 0 ? bridge->patience : usual);
}

static bool is_dead(const struct bridge *bridge, const struct tern_line *line)
{
    return tern_line_dead(line) && line->now - line->heard > bridge->patience;
}

/* Does all that is due, then waits for input. False when the board is gone. */
static bool turn(struct bridge *bridge)
{
    bool busy = false;

    receive(bridge);
    for (unsigned i = 0; i < bridge->nodes; i++)
        busy |= tern_board_host_work(&bridge->board[i], now_us(bridge));
    transmit(bridge);
    tern_server_send(bridge->server);
    if (bridge->closed)
        return complain(bridge->line, "the line is closed");
    for (unsigned i = 0; i < bridge->nodes; i++) {
        if (bridge->board[i].overrun)
            return complain(bridge->line, "the board does not keep the protocol");
        if (is_dead(bridge, &bridge->board[i].line))
            return complain(bridge->line, "the board does not answer");
    }
    tern_server_receive(bridge->server, wait_ms(bridge, busy));
    return true;
}

/* ---- start ---- */

static bool listen_at(struct bridge *bridge, unsigned node)
{
    unsigned at = bridge->board[node].coordinates;
    char path[PATH_BYTES + 32];
    int error;

    if (mkdir(bridge->dir, 0700) != 0 && errno != EEXIST)
        return complain(bridge->dir, strerror(errno));
    snprintf(path, sizeof path, "%s/nic-%u.%u.%u.sock", bridge->dir, at & 31, at >> 5 & 31,
             at >> 10);
    error = tern_server_listen(bridge->server, bridge->board[node].nic, node, path);
    if (error != 0)
        return complain(path, error == EADDRINUSE ? "another program serves it" : strerror(error));
    return true;
}

/* Reads what the bridge must know of a node. */
static bool ask_node(struct bridge *bridge, struct tern_board_host *board)
{
    uint64_t limit = start_limit(bridge, NODE_US);

    tern_board_host_ask(board);
    while (!tern_board_host_knows(board)) {
        if (now_us(bridge) > limit)
            return complain(bridge->line, "the node does not answer");
        if (stop || !turn(bridge))
            return false;
    }
    return true;
}

/* Waits until a node's firmware is ready. */
static bool boot(struct bridge *bridge, struct tern_board_host *board)
{
    uint64_t limit = start_limit(bridge, FIRMWARE_US), ask = 0;
    char text[64];

    for (;;) {
        unsigned state = tern_nic_status(board->nic) & 0xff;

        if (state == TERN_FWSTATE_READY)
            return true;
        if (state == TERN_FWSTATE_NOIMAGE || state == TERN_FWSTATE_BADIMAGE ||
            state == TERN_FWSTATE_FAILED || now_us(bridge) > limit) {
            snprintf(text, sizeof text, "the firmware did not come up (state %u)", state);
            return complain(bridge->line, text);
        }
        if (now_us(bridge) >= ask) {
            tern_nic_ask_status(board->nic);
            ask = now_us(bridge) + STATUS_US;
        }
        if (stop || !turn(bridge))
            return false;
    }
}

/* Begins a session with the next node of the board, and waits until it is ready. */
static bool start_node(struct bridge *bridge, const uint8_t host[TERN_PACKET_ADDRESS])
{
    struct tern_board_host *board = &bridge->board[bridge->nodes];
    uint32_t session = 0;

    while (session == 0)
        if (getrandom(&session, sizeof session, 0) != sizeof session)
            return complain("no random number", strerror(errno));
    tern_board_host_init(board, session, now_us(bridge));
    board->line.channel = (uint8_t)bridge->nodes++;
    if (bridge->ether)
        tern_line_ether(&board->line, host);
    if (!ask_node(bridge, board))
        return false;
    if (!tern_board_host_open(board))
        return complain("out of memory", NULL);
    if (!boot(bridge, board))
        return false;
    tern_line_ask(&board->line); /* by now the board has chosen the image of its firmware */
    while (board->line.asks)
        if (stop || !turn(bridge))
            return false;
    return true;
}

static bool start(struct bridge *bridge)
{
    uint8_t host[TERN_PACKET_ADDRESS];

    if (!open_line(bridge, host))
        return complain(bridge->line, strerror(errno));
    bridge->server = tern_server_new();
    if (bridge->server == NULL || !tern_server_watch(bridge->server, bridge->fd))
        return complain("out of memory", NULL);
    do
        if (!start_node(bridge, host))
            return false;
    while (bridge->nodes < NODES_MOST && bridge->nodes <= bridge->board[0].line.more);
    for (unsigned i = 0; i < bridge->nodes; i++)
        if (!listen_at(bridge, i))
            return false;
    return true;
}

static bool say_ready(struct bridge *bridge)
{
    if (bridge->board[0].line.first_image)
        complain(bridge->line, "the flash has no whole second image of the firmware, the first "
                               "one runs");
    if (bridge->board[0].line.rolled_back)
        complain(bridge->line, "the second image of the firmware did not come up, the first one "
                               "runs");
    printf("ready: a board at %s, nodes: %u, functions: %u, in %s\n", bridge->line,
           bridge->nodes, bridge->board[0].functions, bridge->dir);
    if (fflush(stdout) != 0)
        return complain("standard output", strerror(errno));
    if (bridge->ready_fd >= 0) {
        if (write(bridge->ready_fd, "ready\n", 6) != 6)
            complain("--ready-fd", strerror(errno));
        close(bridge->ready_fd);
    }
    return true;
}

static void say_counts(const struct bridge *bridge)
{
    struct tern_line_counts sum = {0};

    for (unsigned i = 0; i < bridge->nodes; i++) {
        const struct tern_line_counts *counts = &bridge->board[i].line.counts;

        sum.sent += counts->sent;
        sum.again += counts->again;
        sum.received += counts->received;
        sum.bad += counts->bad;
        sum.dropped += counts->dropped;
        sum.timeouts += counts->timeouts;
        sum.foreign += counts->foreign;
    }
    if (bridge->counts)
        printf("line: sent %llu again %llu received %llu bad %llu dropped %llu timeouts %llu "
               "foreign %llu\n",
               (unsigned long long)sum.sent, (unsigned long long)sum.again,
               (unsigned long long)sum.received, (unsigned long long)sum.bad,
               (unsigned long long)sum.dropped, (unsigned long long)sum.timeouts,
               (unsigned long long)sum.foreign);
}

int main(int argc, char **argv)
{
    static struct bridge bridge = {.baud = TERN_SERIAL_BAUD, .ready_fd = -1, .fd = -1, .slow = 1};
    static const struct argp argp = {options, parse, "serial:TTY\neth:INTERFACE",
                                     "Gives the nodes of a board to this machine.", NULL, NULL,
                                     NULL};
    struct sigaction action = {.sa_handler = on_signal};
    bool good;

    default_dir(bridge.dir);
    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &bridge);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    bridge.patience = patience();
    good = start(&bridge) && say_ready(&bridge);
    bridge.patience = 0;
    while (good && !stop)
        good = turn(&bridge);
    say_counts(&bridge);
    for (unsigned i = 0; i < bridge.nodes; i++)
        tern_board_host_abandon(&bridge.board[i]);
    tern_server_free(bridge.server);
    for (unsigned i = 0; i < bridge.nodes; i++)
        tern_board_host_fini(&bridge.board[i]);
    return good || stop ? EXIT_DONE : EXIT_BAD;
}
