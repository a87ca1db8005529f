/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern cached: a front end of caches for clients of memcached.  It speaks the text protocol and the
 * meta commands at TCP and UNIX sockets; the values are in the memory of NICs.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cached.h"
#include "tool.h"

enum {
    PORT = 11211,
    CONNECTIONS = 1024,
    CONNECTIONS_MAX = 1 << 16,
    RENEWALS = 8,
    PORT_MAX = 65535,
    LEASE_MAX = 600000,
    WORD_MAX = 31
};

struct options {
    struct store_options store;
    const char *address, *path;
    unsigned port, metrics, connections;
    bool tcp;
};

static const struct argp_option options[] = {
    {"serve", 's', "BYTES", 0, "make pool and cache here, of so many bytes (k, m, g)", 0},
    {"at", 'a', "NODE", 0,
     "a node that serves the cache, for example 2.0.0; may be given again (the NIC's own)", 0},
    {"pool", 'P', "NAME", 0, "name of the pool (cached)", 0},
    {"cache", 'c', "NAME", 0, "name of the cache (cache)", 0},
    {"lease", 'L', "MS", 0, "with --serve: lease of the pool (2000)", 0},
    {"listen", 'l', "ADDRESS", 0, "address to listen at (127.0.0.1)", 0},
    {"port", 'p', "PORT", 0, "port to listen at (11211); 0: none", 0},
    {"unix", 'u', "PATH", 0, "UNIX socket to listen at, too", 0},
    {"connections", 'C', "NUMBER", 0, "connections at most (1024); more are refused", 0},
    {"metrics", 'm', "PORT", 0, "serve figures for Prometheus at this port, path /metrics", 0},
    {0},
};

static const char *name_of(struct argp_state *state, const char *arg)
{
    if (!arg[0] || strlen(arg) > WORD_MAX)
        argp_error(state, "a name has 1 to %d characters", WORD_MAX);
    return arg;
}

static void add_node(struct argp_state *state, struct store_options *to, const char *arg)
{
    const char *end = arg;

    if (to->node_count == sizeof(to->nodes) / sizeof(to->nodes[0]))
        argp_error(state, "too many nodes");
    if (tern_node_parse(arg, &to->nodes[to->node_count], &end) || *end)
        argp_error(state, "%s is no node", arg);
    to->node_count++;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct options *to = state->input;

    switch (key) {
    case 's':
        to->store.serve = tool_number(state, arg, UINT64_C(1) << 31);
        return 0;
    case 'a':
        add_node(state, &to->store, arg);
        return 0;
    case 'P':
        to->store.pool = name_of(state, arg);
        return 0;
    case 'c':
        to->store.cache = name_of(state, arg);
        return 0;
    case 'L':
        to->store.lease_ms = (unsigned)tool_number(state, arg, LEASE_MAX);
        return 0;
    case 'l':
        to->address = arg;
        return 0;
    case 'p':
        to->port = (unsigned)tool_number(state, arg, PORT_MAX);
        return 0;
    case 'u':
        to->path = arg;
        return 0;
    case 'C':
        to->connections = (unsigned)tool_number(state, arg, CONNECTIONS_MAX);
        return 0;
    case 'm':
        to->metrics = (unsigned)tool_number(state, arg, PORT_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (to->store.uri)
            return ARGP_ERR_UNKNOWN;
        to->store.uri = arg;
        return 0;
    case ARGP_KEY_END:
        if (!to->store.uri)
            argp_error(state, "which NIC?");
        if (!to->port && !to->path)
            argp_error(state, "without a port and a UNIX socket there is nothing to listen at");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static void on_renewal(evutil_socket_t none, short what, void *arg)
{
    struct cached *cached = arg;

    (void)none;
    (void)what;
    store_renew(&cached->store);
}

static void on_signal(evutil_socket_t number, short what, void *arg)
{
    (void)number;
    (void)what;
    event_base_loopbreak(arg);
}

static int listen_all(struct cached *cached, const struct options *chosen)
{
    int status = 0;

    if (chosen->port)
        status = serve_tcp(cached, chosen->address, chosen->port);
    if (!status && chosen->path)
        status = serve_unix(cached, chosen->path);
    if (!status && chosen->metrics)
        status = serve_metrics(cached, chosen->address, chosen->metrics);
    return status;
}

static int run(struct cached *cached, const struct options *chosen)
{
    unsigned ms = store_lease_ms(&cached->store) / RENEWALS + 1;
    const struct timeval period = {.tv_sec = ms / 1000, .tv_usec = (suseconds_t)(ms % 1000) * 1000};
    struct event *renewal = event_new(cached->base, -1, EV_PERSIST, on_renewal, cached);
    struct event *end = evsignal_new(cached->base, SIGINT, on_signal, cached->base);
    struct event *kill = evsignal_new(cached->base, SIGTERM, on_signal, cached->base);
    int status = listen_all(cached, chosen);

    if (!renewal || !end || !kill || event_add(renewal, &period) || event_add(end, NULL) ||
        event_add(kill, NULL))
        return tool_fail(-TERN_ST_NO_MEMORY, "cannot wait for events");
    if (status)
        return status;
    printf("ready\n");
    fflush(stdout);
    event_base_dispatch(cached->base);
    return 0;
}

int main(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "URI",
                              "Serves clients of memcached from caches in the memory of NICs: the "
                              "text protocol and its meta commands.\v"
                              "With --serve the cache is made at this NIC; front ends at other "
                              "NICs name its node by --at.  Gets of a front end need neither the "
                              "process nor the host that serves the cache.",
                              NULL,
                              NULL,
                              NULL};
    struct options chosen = {.store = {.pool = "cached", .cache = "cache", .lease_ms = 2000},
                             .address = "127.0.0.1",
                             .port = PORT,
                             .connections = CONNECTIONS};
    struct cached cached = {.figures.began = (int64_t)time(NULL)};
    int status;

    argp_err_exit_status = EXIT_USAGE;
    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    (void)signal(SIGPIPE, SIG_IGN);
    cached.connections_max = chosen.connections;
    cached.base = event_base_new();
    if (!cached.base)
        return tool_fail(-TERN_ST_NO_MEMORY, "cannot wait for events");
    status = store_open(&cached.store, &chosen.store);
    if (!status)
        status = run(&cached, &chosen);
    store_close(&cached.store);
    event_base_free(cached.base);
    return status;
}
