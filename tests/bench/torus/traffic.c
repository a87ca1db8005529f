/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures throughput and latency of the network by load: five traffic patterns on a torus of 4x4x4
 * rtl nodes, and uniform traffic on a mesh of the same size.
 *
 * Every node puts messages of one full packet to the nodes of the pattern, at random times that
 * give the load: beats (8 bytes) per cycle that a node offers, including header and trailer.
 * Throughput: beats per cycle and node of deposited puts, over a window after a run-up. Latency:
 * the mean number of packets in the network divided by the packets deposited per cycle (Little's
 * law), from the first beat into the router to the last beat of the deposit.
 *
 * Half of uniform traffic crosses the middle of the network, whose links bound it: with k nodes a
 * side to 8/k beats per cycle and node on a torus, 4/k on a mesh. A NIC's own port to the router
 * carries one beat per cycle: on the torus this is the lower bound of the two, on the mesh both are
 * one. Uniform traffic is compared with the lower bound; the share of its acks is printed, too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "yard.h"

enum {
    SIDE = 4,
    BEAT = 8,
    PACKET_BEATS = (TERN_PKT_HEADER_BYTES + YARD_PACKET + TERN_PKT_TRAILER_BYTES) / BEAT,
    RUN_UP = 3000,
    WINDOW = 6000,
    POST_EVERY = 64,
    SIGNAL_EVERY = 16,
    WAITING_MAX = 48, /* messages that a node delays when its queue is full */
    SETTLE = 4000,
    DRAIN_TURNS = 2000,
    ACK_BEATS = (TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES) / BEAT,
    LOADS = 6
};

static const char source[] = "tests/bench/torus/traffic.c";
static const double loads[LOADS] = { 0.1, 0.3, 0.5, 0.7, 0.85, 1.0 };

/* ---- patterns: the node to which node `n` of `nodes` puts ---- */

static unsigned draw(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (unsigned)(*state >> 33);
}

static unsigned uniform(const struct yard *yard, unsigned n, uint64_t *state)
{
    unsigned to = draw(state) % (yard->nodes - 1);

    return to < n ? to : to + 1;
}

static unsigned neighbour(const struct yard *yard, unsigned n, uint64_t *state)
{
    (void)state;
    return n % yard->dims[0] == yard->dims[0] - 1 ? n + 1 - yard->dims[0] : n + 1;
}

/* Maps (x, y, z) to (y, z, x): corners map to themselves and are silent. */
static unsigned transpose(const struct yard *yard, unsigned n, uint64_t *state)
{
    unsigned x = n % SIDE, y = n / SIDE % SIDE, z = n / SIDE / SIDE;

    (void)state;
    return yard_at(yard, y, z, x);
}

static unsigned bit_reverse(const struct yard *yard, unsigned n, uint64_t *state)
{
    unsigned to = 0;

    (void)state;
    for (unsigned bit = 1; bit < yard->nodes; bit <<= 1)
        to = to << 1 | ((n & bit) != 0);
    return to;
}

/* One message in eight goes to node 0. */
static unsigned hot_spot(const struct yard *yard, unsigned n, uint64_t *state)
{
    return n && draw(state) % 8 == 0 ? 0 : uniform(yard, n, state);
}

static const struct pattern {
    const char *name;
    unsigned (*to)(const struct yard *yard, unsigned n, uint64_t *state);
} patterns[] = {
    { "uniform", uniform },         { "neighbour", neighbour }, { "transpose", transpose },
    { "bit-reverse", bit_reverse }, { "hot-spot", hot_spot },
};
enum { PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

/* ---- load ---- */

struct sender {
    unsigned posted, waiting;
};

struct load {
    struct yard *yard;
    const struct pattern *pattern;
    double share; /* messages per cycle */
    uint64_t random;
    struct sender sender[YARD_NODES_MAX];
};

static bool put_one(struct load *load, unsigned n, unsigned to)
{
    struct yard_end *end = &load->yard->end[n];
    struct sender *sender = &load->sender[n];
    unsigned flags = sender->posted % SIGNAL_EVERY == 0 ? TERN_DFLAG_SIGNAL : 0;
    int status = tern_put(end->sq, tern_region_pointer(load->yard->end[to].region, 0), end->region,
                          end->buffer + YARD_PACKET, YARD_PACKET, flags | TERN_MORE, 0);

    if (status == -TERN_ST_AGAIN)
        return false;
    yard_must(status, "put");
    sender->posted++;
    return true;
}

static void post(struct load *load, unsigned n)
{
    struct sender *sender = &load->sender[n];

    yard_complete(&load->yard->end[n]);
    for (unsigned cycle = 0; cycle < POST_EVERY; cycle++)
        if ((draw(&load->random) & 0xffffff) < load->share * 0x1000000 &&
            sender->waiting < WAITING_MAX)
            sender->waiting++;
    while (sender->waiting) {
        unsigned to = load->pattern->to(load->yard, n, &load->random);

        if (to != n && !put_one(load, n, to))
            break;
        sender->waiting--;
    }
    yard_must(tern_sq_flush(load->yard->end[n].sq), "flush");
}

static void run(struct load *load, unsigned cycles)
{
    for (unsigned at = 0; at < cycles; at += POST_EVERY) {
        load->yard->still = true;
        for (unsigned n = 0; n < load->yard->nodes; n++)
            post(load, n);
        load->yard->still = false;
        tern_sim_run(load->yard->sim, POST_EVERY);
    }
}

struct point {
    double throughput, latency;
};

/* Waits until packets in flight have arrived. */
static void drain(struct load *load)
{
    for (unsigned turns = 0; turns < DRAIN_TURNS && load->yard->watch.on_way; turns++) {
        for (unsigned n = 0; n < load->yard->nodes; n++)
            yard_complete(&load->yard->end[n]);
        tern_sim_run(load->yard->sim, POST_EVERY);
    }
    tern_sim_run(load->yard->sim, SETTLE);
}

static struct point measure(struct yard *yard, const struct pattern *pattern, double offered)
{
    static struct load load;
    struct point point;
    uint64_t begun;
    double packets;

    load = (struct load){ .yard = yard, .pattern = pattern, .share = offered / PACKET_BEATS,
                          .random = 88172645463325252u };
    run(&load, RUN_UP);
    yard_watch(yard);
    begun = tern_sim_cycle(yard->sim);
    run(&load, WINDOW);
    packets = (double)yard->watch.landed / (double)(tern_sim_cycle(yard->sim) - begun);
    point = (struct point){ .throughput = packets * PACKET_BEATS / yard->nodes,
                            .latency = packets > 0 ? yard_on_way(yard) / packets : 0 };
    drain(&load);
    return point;
}

/* ---- a torus or a mesh ---- */

struct stage {
    const char *name;
    bool mesh;
    unsigned patterns; /* number of patterns to run */
    double bisection;  /* beats per cycle and node */
};

static const struct stage stages[] = {{"torus", false, PATTERNS, 8.0 / SIDE},
                                      {"mesh", true, 1, 4.0 / SIDE}};

static void plot_one(const struct stage *stage, const char *what, struct svg_lines *lines)
{
    char title[80], path[80];

    snprintf(title, sizeof(title), "%dx%dx%d %s: %s", SIDE, SIDE, SIDE, stage->name, lines->title);
    snprintf(path, sizeof(path), "build/bench/%s_%s.svg", stage->name, what);
    lines->title = title;
    if (!svg_draw_lines(path, lines))
        perror(path);
}

static void plot(const struct stage *stage, struct point at[PATTERNS][LOADS])
{
    static const char *const names[PATTERNS] = {"uniform", "neighbour", "transpose", "bit-reverse",
                                                "hot-spot"};
    static const char *const colours[PATTERNS] = {"#1f77b4", "#2ca02c", "#d62728", "#9467bd",
                                                  "#ff7f0e"};
    double x[PATTERNS * LOADS], through[PATTERNS * LOADS], late[PATTERNS * LOADS];
    struct svg_lines lines = {.lines = stage->patterns,
                              .points = LOADS,
                              .text = names,
                              .colour = colours,
                              .x = x,
                              .x_unit = "offered load, beats a cycle and node"};

    for (unsigned p = 0; p < stage->patterns; p++)
        for (unsigned l = 0; l < LOADS; l++) {
            x[p * LOADS + l] = loads[l];
            through[p * LOADS + l] = at[p][l].throughput;
            late[p * LOADS + l] = at[p][l].latency;
        }
    lines.title = "what arrives";
    lines.y_unit = "beats a cycle and node";
    lines.y = through;
    lines.limit = stage->bisection;
    lines.limit_text = "bisection";
    plot_one(stage, "throughput", &lines);
    lines.title = "cycles from the router to the deposit";
    lines.y_unit = "cycles";
    lines.y = late;
    lines.limit = 0;
    plot_one(stage, "latency", &lines);
}

static void tell(const struct stage *stage, unsigned p, unsigned l, struct point point)
{
    fprintf(stderr, "%s, %s at %.2f: %.3f beats a cycle and node, %.0f cycles\n", stage->name,
            patterns[p].name, loads[l], point.throughput, point.latency);
    printf(
        "bench torus_throughput %.3f beats/cycle tier=rtl source=%s shape=%s pattern=%s load=%.2f "
        "bisection=%.2f\n",
        point.throughput, source, stage->name, patterns[p].name, loads[l], stage->bisection);
    printf("bench torus_latency %.0f cycles tier=rtl source=%s shape=%s pattern=%s load=%.2f\n",
           point.latency, source, stage->name, patterns[p].name, loads[l]);
}

/* Uniform traffic is the first pattern. */
static void judge(const struct stage *stage, const struct point at[LOADS])
{
    double best = 0, limit = fmin(stage->bisection, 1);

    for (unsigned l = 0; l < LOADS; l++)
        best = fmax(best, at[l].throughput);
    printf(
        "bench %s_uniform %.1f %%limit tier=rtl source=%s limit=%.2f bisection=%.2f "
        "with_acks=%.1f\n",
        stage->name, 100 * best / limit, source, limit, stage->bisection,
        100 * best * (PACKET_BEATS + ACK_BEATS) / PACKET_BEATS / limit);
}

static void show(const struct stage *stage)
{
    static struct point at[PATTERNS][LOADS];
    struct tern_sim_config config = tern_sim_config_default();
    struct yard yard;

    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    config.mesh = stage->mesh;
    config.threads = 2;
    yard_open_as(&yard, &config, 2 * YARD_PACKET);
    for (unsigned p = 0; p < stage->patterns; p++)
        for (unsigned l = 0; l < LOADS; l++) {
            at[p][l] = measure(&yard, &patterns[p], loads[l]);
            tell(stage, p, l, at[p][l]);
        }
    judge(stage, at[0]);
    yard_close(&yard);
    plot(stage, at);
}

static bool named(const char *name, int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        if (strcmp(argv[k], name) == 0)
            return true;
    return false;
}

/* Runs all stages, or the named ones; with `uniform` only their first pattern. */
int main(int argc, char **argv)
{
    bool uniform_only = named("uniform", argc, argv);

    for (unsigned i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
        struct stage stage = stages[i];

        if (uniform_only)
            stage.patterns = 1;
        if (argc == 1 + uniform_only || named(stage.name, argc, argv))
            show(&stage);
    }
    return 0;
}
