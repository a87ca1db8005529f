/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares a broadcast of 256 KiB to all other nodes of a torus of rtl nodes with other ways to
 * send the same bytes.
 *
 * Times are from the first beat of the origin's doorbell at the host port to the last beat of the
 * last deposit. Baselines with the same bytes in the same run, with full queues: a put to each node
 * (loop), a binomial tree of puts (tree), and broadcasts along lines with a host at each corner
 * (turns). In the last two, hosts forward pieces of 8 KiB as soon as they arrive; hosts take no
 * time.
 *
 * Checks every byte at every target; that packets cross N - 1 links in all; and that there is one
 * descriptor and one doorbell, at the origin.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>

#include "crowd.h"

enum {
    BYTES = 256 << 10,
    PACKETS = BYTES / YARD_PACKET,
    PIECE = 8 << 10,           /* bytes that hosts forward at a time */
    PIECES = BYTES / PIECE,
    PIECE_PACKETS = PIECE / YARD_PACKET,
    LOOK_EVERY = 64            /* cycles between polls of those hosts */
};

static const char source[] = "tests/bench/torus/bcast.c";
static unsigned seed;

static void figure(const struct yard *yard, const char *id, double value, const char *unit)
{
    printf("bench %s %.3f %s tier=rtl source=%s torus=%ux%ux%u bytes=%d\n", id, value, unit,
           source, yard->dims[0], yard->dims[1], yard->dims[2], BYTES);
    fprintf(stderr, "%ux%ux%u %s %.3f %s\n", yard->dims[0], yard->dims[1], yard->dims[2], id,
            value, unit);
}

static void begin(struct yard *yard)
{
    crowd_fill(yard, 0, BYTES, ++seed);
    yard_settle(yard);
    yard_watch(yard);
}

/* Returns the cycles since the doorbell. */
static double took(const struct yard *yard)
{
    return (double)(yard->watch.last - yard->watch.rung);
}

/* The chip finishes a deposit before the host's memory has it, so this waits first. */
static void check(struct yard *yard)
{
    yard_settle(yard);
    crowd_check(yard, 0, BYTES, seed);
}

/* ---- a single descriptor ---- */

/*
 * Checks the doorbells and descriptors of a broadcast: one each at the origin, none elsewhere.
 * Reading the count of descriptors is itself a descriptor.
 */
static void check_work(struct yard *yard)
{
    static uint64_t before[YARD_NODES_MAX];

    for (unsigned n = 0; n < yard->nodes; n++)
        if (yard->watch.rings[n] != (n == 0))
            errx(1, "%ux%ux%u node %u: %" PRIu64 " doorbells for a broadcast", yard->dims[0],
                 yard->dims[1], yard->dims[2], n, yard->watch.rings[n]);
    for (unsigned n = 0; n < yard->nodes; n++)
        before[n] = yard->end[n].stats[TERN_STAT_fw_descs];
    yard_stat(yard, TERN_STAT_fw_descs);
    for (unsigned n = 0; n < yard->nodes; n++)
        if (yard->end[n].stats[TERN_STAT_fw_descs] != before[n] + 1 + (n == 0))
            errx(1, "%ux%ux%u node %u: %" PRIu64 " descriptors for a broadcast", yard->dims[0],
                 yard->dims[1], yard->dims[2], n,
                 yard->end[n].stats[TERN_STAT_fw_descs] - before[n] - 1);
}

static double broadcast(struct yard *yard, struct tern_group *group, unsigned flags)
{
    begin(yard);
    yard_must(tern_bcast(yard->end[0].sq, group, yard->end[0].region, 0, BYTES, 0,
                         flags | TERN_DFLAG_SIGNAL, 0),
              "broadcast");
    yard_run_until_landed(yard, (uint64_t)PACKETS * (yard->nodes - 1));
    yard_run_until_complete(yard, &yard->end[0], 1);
    check(yard);
    return took(yard);
}

/* Broadcasts without acks, and prints all counts. */
static void count_broadcast(struct yard *yard, struct tern_group *group)
{
    uint64_t links = yard_stat(yard, TERN_STAT_link_sent);

    broadcast(yard, group, TERN_DFLAG_UNACKED);
    check_work(yard);
    links = yard_stat(yard, TERN_STAT_link_sent) - links;
    figure(yard, "bcast_links_a_packet", (double)links / PACKETS / (yard->nodes - 1), "of_N-1");
}

/* ---- alternatives without broadcast ---- */

static void put(struct yard *yard, unsigned to)
{
    struct yard_end *end = &yard->end[0];

    yard_must(tern_put(end->sq, tern_region_pointer(yard->end[to].region, yard->bytes / 2),
                       end->region, crowd_source(yard, 0), BYTES, 0, 0),
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
    put(yard, farthest(yard));
    yard_run_until_landed(yard, PACKETS);
    return took(yard);
}

static double loop(struct yard *yard)
{
    begin(yard);
    for (unsigned n = 1; n < yard->nodes; n++)
        put(yard, n);
    yard_run_until_landed(yard, (uint64_t)PACKETS * (yard->nodes - 1));
    check(yard);
    return took(yard);
}

/* ---- with hosts that forward, piece by piece ---- */

/* Posts the pieces that node `n` has and has not yet forwarded, as far as its queue has room. */
static void pass_on(struct yard *yard, unsigned n, unsigned served,
                    int (*post)(struct yard *, unsigned, unsigned, unsigned), unsigned *next)
{
    unsigned have = n ? (unsigned)(yard->watch.landed_at[n] / PIECE_PACKETS) : PIECES;

    while (*next < have * served) {
        int status = post(yard, n, *next / served, *next % served);

        if (status == -TERN_ST_AGAIN)
            return;
        yard_must(status, "piece");
        ++*next;
    }
}

/*
 * Returns the cycles until every node has all bytes; served() returns how many others a node
 * serves.
 */
static double relay(struct yard *yard, unsigned (*served)(const struct yard *, unsigned),
                    int (*post)(struct yard *, unsigned, unsigned, unsigned))
{
    unsigned next[YARD_NODES_MAX] = { 0 };
    uint64_t total = (uint64_t)PACKETS * (yard->nodes - 1);

    begin(yard);
    while (yard->watch.landed < total) {
        yard->still = true;
        for (unsigned n = 0; n < yard->nodes; n++) {
            yard_complete(&yard->end[n]);
            pass_on(yard, n, served(yard, n), post, &next[n]);
        }
        yard->still = false;
        tern_sim_run(yard->sim, LOOK_EVERY);
    }
    check(yard);
    return took(yard);
}

static const uint8_t *piece_at(const struct yard *yard, unsigned n, unsigned piece)
{
    return (n ? crowd_target(yard, n) : crowd_source(yard, n)) + (size_t)piece * PIECE;
}

/* A binomial tree: the parent of node n is n without its highest bit; the farthest child first. */
static unsigned children(const struct yard *yard, unsigned n)
{
    unsigned count = 0;

    for (unsigned bit = 1; bit < yard->nodes; bit <<= 1)
        count += bit > n && n + bit < yard->nodes;
    return count;
}

static int put_piece(struct yard *yard, unsigned n, unsigned piece, unsigned which)
{
    struct yard_end *end = &yard->end[n];
    unsigned bit = 1, to;

    while (bit <= n)
        bit <<= 1;
    to = n + (bit << (children(yard, n) - 1 - which));
    return tern_put(end->sq,
                    tern_region_pointer(yard->end[to].region,
                                        yard->bytes / 2 + (uint64_t)piece * PIECE), end->region,
                                        piece_at(yard, n, piece), PIECE, 0, 0);
}

/* Returns the line through node `n` along dimension `d`. */
static struct tern_box line_of(const struct yard *yard, unsigned n, unsigned d)
{
    uint16_t node = yard->end[n].node, side = (uint16_t)yard->dims[d];
    uint16_t across = (uint16_t)(node & ~(31u << 5 * d));

    return (struct tern_box){ .low = across, .high = (uint16_t)(across | (side - 1) << 5 * d) };
}

static struct tern_group *lines[YARD_NODES_MAX][3];

/*
 * Makes the groups that node `n` serves: its lines in the dimensions after the one in which it was
 * served.
 */
static void make_lines(struct yard *yard, unsigned n)
{
    for (unsigned d = 0; d < 3; d++) {
        bool serves = yard->dims[d] > 1 && yard->end[n].node >> 5 * d == 0;

        lines[n][d] = serves ? crowd_group(yard, n, line_of(yard, n, d)) : NULL;
    }
}

static unsigned lines_served(const struct yard *yard, unsigned n)
{
    (void)yard;
    return (unsigned)(lines[n][0] != NULL) + (lines[n][1] != NULL) + (lines[n][2] != NULL);
}

static int send_line(struct yard *yard, unsigned n, unsigned piece, unsigned which)
{
    size_t at = (size_t)(piece_at(yard, n, piece) - yard->end[n].buffer);
    unsigned d = 0;

    while (!lines[n][d] || which--)
        d++;
    return tern_bcast(yard->end[n].sq, lines[n][d], yard->end[n].region, at, PIECE,
                      (uint64_t)piece * PIECE, TERN_DFLAG_UNACKED, 0);
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
    figure(&yard, "bcast_tree", relay(&yard, children, put_piece) / all, "times");
    yard_each(&yard, make_lines);
    figure(&yard, "bcast_turns", relay(&yard, lines_served, send_line) / all, "times");
    yard_close(&yard);
}

int main(void)
{
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 4, 4, 1 }, { 3, 3, 3 } };

    for (unsigned i = 0; i < sizeof(tori) / sizeof(tori[0]); i++)
        measure(tori[i]);
    return 0;
}
