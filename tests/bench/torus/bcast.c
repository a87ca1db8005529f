/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A broadcast of 256 KiB to all other nodes of tori of rtl nodes, beside what there is without it.
 *
 * Times run from the first beat of the origin's doorbell at the host port to the last beat of the last
 * deposit.  Baselines, of the same size and in the same run, with queues as full as ours: a put to each
 * node (loop), a binomial tree of puts, in which each node that has all bytes serves the next (tree), and
 * broadcasts along lines with a host at each turn (turns).  Hosts take no time.
 *
 * Checked: every byte at every target; links that a packet crosses, all nodes together, N - 1; one
 * descriptor and one doorbell at the origin, none anywhere else.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "crowd.h"

enum { BYTES = 256 << 10, PACKETS = BYTES / YARD_PACKET };

static const char source[] = "tests/bench/torus/bcast.c";
static unsigned seed;

static void figure(const struct yard *yard, const char *id, double value, const char *unit)
{
    printf("bench %s %.3f %s tier=rtl source=%s torus=%ux%ux%u bytes=%d\n", id, value, unit, source, yard->dims[0],
           yard->dims[1], yard->dims[2], BYTES);
    fprintf(stderr, "%ux%ux%u %s %.3f %s\n", yard->dims[0], yard->dims[1], yard->dims[2], id, value, unit);
}

static void begin(struct yard *yard)
{
    crowd_fill(yard, 0, BYTES, ++seed);
    yard_settle(yard);
    yard_watch(yard);
}

/* Cycles since the doorbell. */
static double took(const struct yard *yard)
{
    return (double)(yard->watch.last - yard->watch.rung);
}

/* ---- one descriptor ---- */

/* What a node's host did, as its NIC counts it; reading it counts too. */
struct host_work {
    uint64_t descriptors, doorbells;
};

static struct host_work work_of(struct yard *yard, unsigned n)
{
    return (struct host_work){ .descriptors = yard_stat_of(yard, n, TERN_STAT_fw_descs),
                               .doorbells = yard_stat_of(yard, n, TERN_STAT_doorbells) };
}

static struct host_work less(struct host_work a, struct host_work b)
{
    return (struct host_work){ a.descriptors - b.descriptors, a.doorbells - b.doorbells };
}

/* Descriptors and doorbells of the broadcast alone: what reading costs is read twice before. */
static void check_work(const struct yard *yard, unsigned n, struct host_work idle, struct host_work busy)
{
    struct host_work own = less(busy, idle);
    unsigned want = n == 0;

    if (own.descriptors != want || own.doorbells != want)
        errx(1, "%ux%ux%u node %u: %" PRIu64 " descriptors and %" PRIu64 " doorbells for a broadcast", yard->dims[0],
             yard->dims[1], yard->dims[2], n, own.descriptors, own.doorbells);
}

static double broadcast(struct yard *yard, struct tern_group *group, unsigned flags)
{
    begin(yard);
    yard_must(tern_bcast(yard->end[0].sq, group, yard->end[0].region, 0, BYTES, 0, flags | TERN_DFLAG_SIGNAL, 0),
              "broadcast");
    yard_run_until_landed(yard, (uint64_t)PACKETS * (yard->nodes - 1));
    yard_run_until_complete(yard, &yard->end[0], 1);
    crowd_check(yard, 0, BYTES, seed);
    return took(yard);
}

/* The same without acks, and everything about it counted. */
static void count_broadcast(struct yard *yard, struct tern_group *group)
{
    static struct host_work before[YARD_NODES_MAX], idle[YARD_NODES_MAX];
    uint64_t links;

    for (unsigned n = 0; n < yard->nodes; n++)
        before[n] = work_of(yard, n);
    for (unsigned n = 0; n < yard->nodes; n++) {
        struct host_work now = work_of(yard, n);

        idle[n] = less(now, before[n]);
        before[n] = now;
    }
    links = yard_stat(yard, TERN_STAT_link_sent);
    for (unsigned n = 0; n < yard->nodes; n++)
        before[n] = work_of(yard, n);
    broadcast(yard, group, TERN_DFLAG_UNACKED);
    for (unsigned n = 0; n < yard->nodes; n++)
        check_work(yard, n, idle[n], less(work_of(yard, n), before[n]));
    links = yard_stat(yard, TERN_STAT_link_sent) - links;
    figure(yard, "bcast_links_a_packet", (double)links / PACKETS / (yard->nodes - 1), "of N-1");
}

/* ---- what there is without it ---- */

static void put(struct yard *yard, unsigned from, unsigned to, bool first)
{
    struct yard_end *end = &yard->end[from];

    yard_must(tern_put(end->sq, tern_region_pointer(yard->end[to].region, yard->bytes / 2), end->region,
                       first ? crowd_source(yard, from) : crowd_target(yard, from), BYTES, 0, 0),
              "put");
}

static unsigned farthest(const struct yard *yard)
{
    unsigned best = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        if (yard_distance(yard, 0, n) > yard_distance(yard, 0, best))
            best = n;
    return best;
}

static double unicast(struct yard *yard)
{
    begin(yard);
    put(yard, 0, farthest(yard), true);
    yard_run_until_landed(yard, PACKETS);
    return took(yard);
}

static double loop(struct yard *yard)
{
    begin(yard);
    for (unsigned n = 1; n < yard->nodes; n++)
        put(yard, 0, n, true);
    yard_run_until_landed(yard, (uint64_t)PACKETS * (yard->nodes - 1));
    crowd_check(yard, 0, BYTES, seed);
    return took(yard);
}

/* Node n is served by n less its highest bit, as soon as that one has all, the farthest first. */
static double tree(struct yard *yard)
{
    bool served[YARD_NODES_MAX] = { true }; /* it has posted its puts */
    uint64_t total = (uint64_t)PACKETS * (yard->nodes - 1);

    begin(yard);
    for (unsigned bit = 256; bit; bit >>= 1)
        if (bit < yard->nodes)
            put(yard, 0, bit, true);
    while (yard->watch.landed < total) {
        for (unsigned n = 1; n < yard->nodes; n++) {
            if (served[n] || yard->watch.landed_at[n] < PACKETS)
                continue;
            served[n] = true;
            for (unsigned bit = 256; bit > n; bit >>= 1)
                if (n + bit < yard->nodes)
                    put(yard, n, n + bit, false);
        }
        tern_sim_run(yard->sim, 8);
    }
    crowd_check(yard, 0, BYTES, seed);
    return took(yard);
}

/* The line through node `n` along dimension `d`. */
static struct tern_box line_of(const struct yard *yard, unsigned n, unsigned d)
{
    uint16_t node = yard->end[n].node, side = (uint16_t)yard->dims[d];
    uint16_t across = (uint16_t)(node & ~(31u << 5 * d));

    return (struct tern_box){ .low = across, .high = (uint16_t)(across | (side - 1) << 5 * d) };
}

static struct tern_group *lines[YARD_NODES_MAX][3];

/* The groups that node `n` serves: its lines of the dimensions after those it was served along. */
static void make_lines(struct yard *yard, unsigned n)
{
    for (unsigned d = 0; d < 3; d++) {
        bool serves = yard->dims[d] > 1 && yard->end[n].node >> 5 * d == 0;

        lines[n][d] = serves ? crowd_group(yard, n, line_of(yard, n, d)) : NULL;
    }
}

static void turn(struct yard *yard, unsigned n)
{
    for (unsigned d = 0; d < 3; d++)
        if (lines[n][d])
            yard_must(tern_bcast(yard->end[n].sq, lines[n][d], yard->end[n].region, n ? yard->bytes / 2 : 0, BYTES,
                                 0, TERN_DFLAG_UNACKED, 0),
                      "line");
}

static double turns(struct yard *yard)
{
    bool served[YARD_NODES_MAX] = { true };
    uint64_t total = (uint64_t)PACKETS * (yard->nodes - 1);

    for (unsigned n = 0; n < yard->nodes; n++)
        make_lines(yard, n);
    begin(yard);
    turn(yard, 0);
    while (yard->watch.landed < total) {
        for (unsigned n = 1; n < yard->nodes; n++)
            if (!served[n] && yard->watch.landed_at[n] >= PACKETS) {
                served[n] = true;
                turn(yard, n);
            }
        tern_sim_run(yard->sim, 8);
    }
    crowd_check(yard, 0, BYTES, seed);
    return took(yard);
}

static void measure(const unsigned dims[3])
{
    struct tern_group *group;
    struct tern_info info;
    struct yard yard;
    double one, all;

    yard_open(&yard, dims, 2 * BYTES);
    crowd_join(&yard);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    group = crowd_group(&yard, 0, tern_box_all(info.dims));
    one = unicast(&yard);
    all = broadcast(&yard, group, 0);
    figure(&yard, "bcast_cycles", all, "cycles");
    figure(&yard, "bcast_over_unicast", all / one, "times");
    count_broadcast(&yard, group);
    figure(&yard, "bcast_loop", loop(&yard) / all, "times");
    figure(&yard, "bcast_tree", tree(&yard) / all, "times");
    figure(&yard, "bcast_turns", turns(&yard) / all, "times");
    yard_close(&yard);
}

int main(void)
{
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 4, 4, 1 }, { 3, 3, 3 } };

    for (unsigned i = 0; i < sizeof(tori) / sizeof(tori[0]); i++)
        measure(tori[i]);
    return 0;
}
