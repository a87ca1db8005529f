/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Latency of a broadcast of 8 bytes in tori of 8 to 216 rtl nodes (`depth long`: 512), from the
 * first beat of the doorbell at the host port to the last beat of the last deposit.
 *
 * Puts of 8 bytes over one link and over more give the cost of a link, in the network alone; the
 * slope of the broadcast's latency over the depth of the torus is compared with it.
 */
#include <stdio.h>
#include <string.h>

#include "crowd.h"

enum { BYTES = 8, BUFFER = 2 * 4096 };

static const char source[] = "tests/bench/torus/depth.c";

struct sums {
    double n, x, y, xx, xy;
};

static void add(struct sums *sums, double x, double y)
{
    sums->n++;
    sums->x += x;
    sums->y += y;
    sums->xx += x * x;
    sums->xy += x * y;
}

static double slope(const struct sums *sums)
{
    return (sums->n * sums->xy - sums->x * sums->y) / (sums->n * sums->xx - sums->x * sums->x);
}

static double took(const struct yard *yard)
{
    return (double)(yard->watch.last - yard->watch.rung);
}

/*
 * Returns the cycles before the first beat entered the network: those of the firmware, the same for
 * every route.
 */
static double set_out(const struct yard *yard)
{
    return (double)(yard->watch.left - yard->watch.rung);
}

static unsigned depth_of(const struct yard *yard)
{
    return yard->dims[0] / 2 + yard->dims[1] / 2 + yard->dims[2] / 2;
}

/* Makes a put over `links` links along x; returns its cycles in the network. */
static double put(struct yard *yard, unsigned links)
{
    uint64_t word = links;

    yard_settle(yard);
    yard_watch(yard);
    yard_must(tern_put_inline(yard->end[0].sq, tern_region_pointer(yard->end[links].region, 0),
                              &word, BYTES, 0, 0),
              "put");
    yard_run_until_landed(yard, 1);
    return took(yard) - set_out(yard);
}

static double broadcast(struct yard *yard, struct tern_group *group, uint64_t word)
{
    yard_settle(yard);
    yard_watch(yard);
    yard_must(tern_bcast_inline(yard->end[0].sq, group, &word, BYTES, 0, TERN_DFLAG_UNACKED, 0),
              "broadcast");
    yard_run_until_landed(yard, yard->nodes - 1);
    tern_sim_run(yard->sim, 8); /* bytes at the host port reach memory some cycles later */
    for (unsigned n = 1; n < yard->nodes; n++)
        if (memcmp(crowd_target(yard, n), &word, BYTES) != 0)
            yard_must(-TERN_ST_INTERNAL, "what arrived is something else");
    return took(yard);
}

static void measure(const unsigned dims[3], struct sums *puts, struct sums *broadcasts)
{
    struct tern_info info;
    struct yard yard;
    double cycles, left;
    struct tern_group *group;

    yard_open(&yard, dims, BUFFER);
    crowd_join(&yard);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    put(&yard, 1); /* the first put of a queue takes longer */
    for (unsigned links = 1; links <= dims[0] / 2; links++)
        add(puts, links, put(&yard, links));
    group = crowd_group(&yard, 0, tern_box_all(info.dims));
    broadcast(&yard, group, 0x4321); /* the first broadcast takes longer */
    cycles = broadcast(&yard, group, 0x1234 + yard.nodes);
    add(broadcasts, depth_of(&yard), cycles);
    left = set_out(&yard);
    printf("bench bcast_8_latency %.0f cycles tier=rtl source=%s nodes=%u depth=%u "
           "left_after=%.0f\n", cycles, source, yard.nodes, depth_of(&yard), left);
    fprintf(stderr, "%u nodes, %u deep: %.0f cycles, of these %.0f in the network\n", yard.nodes,
            depth_of(&yard), cycles, cycles - left);
    yard_close(&yard);
}

int main(int argc, char **argv)
{
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 4, 4, 1 }, { 4, 4, 2 }, { 4, 4, 4 },
                                       { 6, 6, 6 }, { 8, 8, 8 } };
    unsigned count = argc == 2 && strcmp(argv[1], "long") == 0 ? 6 : 5;
    struct sums puts = { 0 }, broadcasts = { 0 };

    for (unsigned i = 0; i < count; i++)
        measure(tori[i], &puts, &broadcasts);
    printf("bench bcast_depth_slope %.3f times tier=rtl source=%s link=%.2f broadcast=%.2f\n",
           slope(&broadcasts) / slope(&puts), source, slope(&puts), slope(&broadcasts));
    return 0;
}
