/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: driver_cache_maps [CLIENTS]
 *
 * Counts the packets that the server's NIC sends, and those on all links, when a cache's map
 * changes. With a number there are 1 to CLIENTS clients, at most 26, on a torus of 3x3x3; without
 * one there are 1 to 5 on 2x2x2. They join one after the other in the order of the nodes. A
 * broadcast goes to the smallest box that holds the server and the clients, over one link for each
 * other node of the box. All is one process with the simulator.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tern/cache.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    EDGE = 3,
    EDGE_QUICK = 2, /* 27 rtl nodes take a minute and a half for each client */
    NODES = EDGE * EDGE * EDGE,
    BYTES = 1 << 16,
    LEASE_MS = 600000, /* the longest */
    STEP = 64,
    SETTLE = 4000, /* cycles after which all packets of a change have gone */
    QUICK = 5,     /* clients */
    CYCLES = 1000, /* of a millisecond */
};

static unsigned edge = EDGE_QUICK, nodes; /* of the torus */
static struct tern_pool *pool;
static struct tern_device *server, *device[NODES];
static struct tern_member *member[NODES];
static struct tern_cache *cache[NODES];

/* ---- the clock: --wrap=clock_gettime. The simulator's, so that no lease ends on a slow host. */

int __real_clock_gettime(clockid_t which, struct timespec *now);
int __wrap_clock_gettime(clockid_t which, struct timespec *now);

int __wrap_clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t ms = 1000;

    if (which != CLOCK_MONOTONIC)
        return __real_clock_gettime(which, now);
    if (rig_sim)
        ms += (int64_t)(tern_sim_cycle(rig_sim) / CYCLES);
    *now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

/* ---- time passes while one of them waits, and the server serves meanwhile */

static bool inside;

static int progress(void *none)
{
    (void)none;
    tern_sim_run(rig_sim, STEP);
    if (!pool || inside)
        return 0;
    inside = true;
    rig_need(tern_pool_serve(pool, 0), "tern_pool_serve");
    inside = false;
    return 0;
}

static struct tern_device *open_node(unsigned node)
{
    struct tern_device *opened;

    rig_need(tern_open_fd(tern_sim_connect(rig_sim, node), progress, NULL, &opened), "tern_open");
    return opened;
}

static void settle(void)
{
    for (unsigned i = 0; i < SETTLE; i += STEP)
        tern_sim_run(rig_sim, STEP);
}

/* ---- a change */

static uint64_t statistic(struct tern_device *of, enum tern_stat which)
{
    uint64_t values[TERN_STAT_COUNT];

    rig_need(tern_stats(of, values), "tern_stats");
    return values[which];
}

static uint64_t links(void)
{
    uint64_t sum = 0;

    for (unsigned i = 1; i < nodes; i++)
        sum += device[i] ? statistic(device[i], TERN_STAT_link_sent) : 0;
    return sum + statistic(server, TERN_STAT_link_sent);
}

/* Nodes of the smallest box around nodes 0 to `last`: an edge is whole, or as long as it goes. */
static unsigned box(unsigned last)
{
    unsigned x = last < edge ? last + 1 : edge;
    unsigned y = last < edge * edge ? last / edge + 1 : edge;

    return x * y * (last / (edge * edge) + 1);
}

static uint64_t batches_of(unsigned i)
{
    struct tern_cache_counts counts;

    rig_need(tern_cache_renew(cache[i]), "tern_cache_renew");
    tern_cache_counts(cache[i], &counts);
    return counts.gaps ? 0 : counts.batches;
}

/* The server does nothing else meanwhile. */
static void share(void)
{
    inside = true;
    rig_need(tern_cache_share(pool, "cache"), "tern_cache_share");
    settle();
    inside = false;
}

/* Tells `clients` clients of one change; returns whether all is as it should be. */
static bool one_change(unsigned clients, bool *exact)
{
    uint64_t injected, passed, before[NODES];
    struct tern_item item = {.value = "value", .bytes = 5};
    unsigned hear = 0;
    bool good;

    share();
    for (unsigned i = 1; i <= clients; i++)
        before[i] = batches_of(i);
    rig_need(tern_cache_set(cache[1], "told", 4, &item, TERN_ALWAYS), "tern_cache_set");
    settle();
    injected = statistic(server, TERN_STAT_tx_packets);
    passed = links();
    share();
    injected = statistic(server, TERN_STAT_tx_packets) - injected;
    passed = links() - passed;
    for (unsigned i = 1; i <= clients; i++)
        hear += batches_of(i) == before[i] + 1;
    *exact = passed == clients;
    good = injected == 1 && passed == box(clients) - 1 && hear == clients;
    tap_note("clients=%u injected=%llu links=%llu heard=%u %s", clients,
             (unsigned long long)injected, (unsigned long long)passed, hear,
             *exact ? "exact" : "a box with other nodes");
    return good;
}

static void join(unsigned node)
{
    const struct tern_cache_client config = {.subscribe = true, .map_entries = 64};

    rig_need(tern_member_join(device[node], tern_node(0, 0, 0), "maps", TERN_POOL_WRITE,
                              &member[node]),
             "tern_member_join");
    rig_need(tern_cache_open(&member[node], 1, "cache", &config, &cache[node]),
             "tern_cache_open");
}

int main(int argc, char **argv)
{
    const struct tern_pool_config shape = {
        .name = "maps", .bytes = BYTES + 8192, .members = NODES, .lease_ms = LEASE_MS};
    const struct tern_cache_config config = {
        .bytes = BYTES, .log2_buckets = 6, .clients = NODES, .lease_ms = LEASE_MS};
    unsigned clients = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : QUICK;
    struct tern_sim_config sim = tern_sim_config_default();
    unsigned good = 0, exact = 0;

    edge = argc > 1 ? EDGE : EDGE_QUICK;
    nodes = edge * edge * edge;
    if (clients == 0 || clients >= nodes)
        clients = nodes - 1;
    sim.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    for (unsigned i = 0; i < 3; i++)
        sim.dims[i] = edge;
    rig_sim_start(&sim);
    server = open_node(0);
    rig_need(tern_pool_create(server, &shape, &pool), "tern_pool_create");
    rig_need(tern_cache_make(pool, "cache", &config), "tern_cache_make");
    for (unsigned i = 1; i < nodes; i++) /* also of those without a client: links are counted */
        device[i] = open_node(i);
    for (unsigned i = 1; i <= clients; i++) {
        bool is_exact;

        join(i);
        good += one_change(i, &is_exact);
        exact += is_exact;
    }
    tap(good == clients,
        "a change is one packet of the server, and one on a link for each node of the box");
    tap_evidence("C5", "injected=1 clients=%u exact=%u", clients, exact);
    for (unsigned i = 1; i <= clients; i++) {
        tern_cache_close(cache[i]);
        tern_member_quit(member[i]);
    }
    for (unsigned i = 1; i < nodes; i++)
        tern_close(device[i]);
    inside = true;
    tern_pool_close(pool);
    tern_close(server);
    rig_sim_stop();
    return tap_end();
}
