/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern top: shows repeatedly what the NICs do. It uses public calls alone: identity and links,
 * statistics, cycle counters.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "dag.h"
#include "peer.h"
#include "tool.h"
#include "top_row.h"

struct top_options {
    char **uris;
    int count;
    bool once;
    unsigned interval_ms;
    uint64_t turns; /* 0: until interrupted */
    const char *graph; /* the node of its home; NULL: none is shown */
};

/* A NIC to be shown. */
struct nic {
    const char *uri;
    struct tern_device *device;
    struct top_look before, now;
    int status;
};

static volatile sig_atomic_t interrupted;

static const struct argp_option options[] = {
    {"once", '1', NULL, 0, "one table, of one interval, and no more: for scripts", 0},
    {"interval", 'i', "MILLISECONDS", 0, "time between two looks (1000)", 0},
    {"count", 'n', "NUMBER", 0, "end after so many tables", 0},
    {"dag", 'd', "NODE", 0, "also the graph of `tern dag` whose home is at NODE", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct top_options *to = state->input;

    switch (key) {
    case '1':
        to->once = true;
        return 0;
    case 'i':
        to->interval_ms = (unsigned)tool_number(state, arg, 1000000);
        return 0;
    case 'n':
        to->turns = tool_number(state, arg, 1000000000);
        return 0;
    case 'd':
        to->graph = arg;
        return 0;
    case ARGP_KEY_ARGS:
        to->uris = state->argv + state->next;
        to->count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (to->interval_ms == 0)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void on_interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

/* ---- looking */

static int look(struct tern_device *device, struct top_look *at)
{
    uint64_t instructions;
    int status = tern_query(device, &at->info);

    if (!status)
        status = tern_stats(device, at->stats);
    if (!status)
        status = tern_core_counters(device, &instructions, &at->busy);
    if (!status)
        status = tern_cycles(device, &at->cycles);
    at->ms = peer_now_ms();
    return status;
}

/* Reads a NIC's figures. Tries a lost NIC again at every turn, as it may come back. */
static void look_at(struct nic *nic)
{
    bool fresh = nic->device == NULL;

    nic->before = nic->now;
    nic->status = nic->device ? 0 : tern_open(nic->uri, &nic->device);
    if (!nic->status)
        nic->status = look(nic->device, &nic->now);
    if (!nic->status && fresh)
        nic->before = nic->now;
    if (nic->status && nic->device) {
        tern_close(nic->device);
        nic->device = NULL;
    }
}

/* ---- the keyboard */

/* The terminal's settings before this program changed them; valid while `keys` is set. */
static struct termios terminal_before;
static bool keys;

/*
 * Makes the terminal deliver each key at once, without echo. Does nothing when standard input is no
 * terminal, or this is a job in the background.
 */
static void keys_start(void)
{
    struct termios raw;

    if (tcgetpgrp(STDIN_FILENO) != getpgrp() || tcgetattr(STDIN_FILENO, &terminal_before))
        return;
    raw = terminal_before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    keys = !tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void keys_end(void)
{
    if (keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &terminal_before);
}

/* Waits; a key ends the wait, and `q` the program. */
static void pause_ms(unsigned ms)
{
    struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
    int64_t end = peer_now_ms() + ms;
    int64_t left;
    char key;

    while (!interrupted && (left = end - peer_now_ms()) > 0) {
        if (poll(&input, keys, (int)left) <= 0)
            continue;
        if (read(STDIN_FILENO, &key, 1) != 1)
            keys = false; /* the terminal is gone */
        else if (key == 'q' || key == 'Q')
            interrupted = 1;
    }
}

/* ---- showing */

/* By the first NIC that can be read. */
static void show_graph(const struct nic *nics, int count, const char *at)
{
    char text[DAG_LINE];

    for (int i = 0; i < count; i++)
        if (nics[i].device) {
            dag_glance(nics[i].device, at, text, sizeof(text));
            printf("%s\n", text);
            return;
        }
}

/* Shows all NICs. Returns how many could not be read. */
static int show(const struct nic *nics, int count, bool clear, const char *graph)
{
    char text[TOP_TEXT];
    int lost = 0;

    if (clear)
        printf("\033[H\033[2J");
    printf("%s\n", top_head());
    for (int i = 0; i < count; i++) {
        if (nics[i].status)
            printf("%-9s %s\n", nics[i].uri, tern_strerror(nics[i].status));
        else
            printf("%s\n", top_row(text, sizeof(text), &nics[i].before, &nics[i].now));
        lost += nics[i].status != 0;
    }
    if (graph)
        show_graph(nics, count, graph);
    printf("per second of this host; out: begun here; in: for this node; fwd: for others; q "
           "ends\n");
    fflush(stdout);
    return lost;
}

static int watch(struct nic *nics, int count, const struct top_options *chosen)
{
    uint64_t turns = chosen->once ? 1 : chosen->turns;
    bool clear = !chosen->once && isatty(STDOUT_FILENO);
    int lost = 0;

    for (int i = 0; i < count; i++)
        look_at(&nics[i]);
    for (uint64_t turn = 0; !interrupted && (!turns || turn < turns); turn++) {
        pause_ms(chosen->interval_ms);
        if (interrupted)
            break;
        for (int i = 0; i < count; i++)
            look_at(&nics[i]);
        lost = show(nics, count, clear, chosen->graph);
    }
    return lost ? EXIT_BAD : 0;
}

int cmd_top(int argc, char **argv)
{
    const struct argp argp = {options, parse, "[URI...]",
                              "Shows live what NICs do, those named or all of the simulator.\v"
                              "ops: operations in flight; core: share of the cycles in which the "
                              "firmware's core was awake. The key q ends it, as does Ctrl-C.",
                              NULL, NULL, NULL};
    const struct sigaction action = {.sa_handler = on_interrupt};
    struct top_options chosen = {.interval_ms = 1000};
    char **all = NULL;
    struct nic *nics;
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (!chosen.count) {
        chosen.count = tool_nics(&all);
        chosen.uris = all;
    }
    if (chosen.count < 0)
        return EXIT_BAD;
    nics = calloc((size_t)chosen.count, sizeof(*nics));
    if (!nics)
        return tool_fail(-TERN_ST_NO_MEMORY, "cannot look at %d NICs", chosen.count);
    for (int i = 0; i < chosen.count; i++)
        nics[i].uri = chosen.uris[i];
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL); /* so that the program restores the terminal */
    keys_start();
    status = watch(nics, chosen.count, &chosen);
    keys_end();
    for (int i = 0; i < chosen.count; i++)
        if (nics[i].device)
            tern_close(nics[i].device);
    free(nics);
    if (all)
        tool_nics_free(all, chosen.count);
    return status;
}
