/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts and broadcasts in tori with wires that damage, drop, repeat, delay and stall packets, links
 * that are cut and mended, and a NIC that dies. One seed determines everything.
 *
 * usage: torus_faults [SEEDS [FIRST]]      10 from 1 on; FAULTS_VERBOSE=1 tells what happens
 *
 * Invariants: no byte at a target is ever wrong; every operation ends within a stated number of
 * cycles; a successful one has delivered all its bytes; one whose route had neither a cut link nor
 * a dead NIC succeeds; a failed one names such a link or node on its route.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "rig.h"
#include "rig_tier.h"

enum {
    NODES_MAX = 9,
    BYTES = 512 << 10,      /* of a node's memory: half to send from, half to receive */
    SLOT = 1536,            /* bytes for one operation */
    LENGTH_MAX = 1500,
    PUTS = 6,               /* of each node */
    BROADCASTS = 2,
    OPERATIONS = NODES_MAX * (PUTS + BROADCASTS),
    STEP = 128,             /* cycles between checks */
    BUSY_STEPS = 400,       /* with faults */
    BOUND = 3000000,        /* cycles within which every operation ends */
    CUTS_MAX = 2,
    STALL_MIN = 32,         /* cycles, in total shorter than a link's limit for a dead peer */
    STALL_MORE = 150
};

struct operation {
    unsigned origin, target; /* target: the origin itself for a broadcast */
    unsigned slot, length;
    bool posted, ended;
    struct tern_completion end;
};

static struct yard yard;
static struct tern_group *groups[NODES_MAX];
static struct operation operations[OPERATIONS];
static unsigned count;
static bool link_fell[NODES_MAX][6], died[NODES_MAX];
static unsigned cuts, refused;
static uint64_t random_state;
static bool verbose;

static unsigned draw(unsigned below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % below;
}

/* ---- the route of a packet ---- */

static unsigned coordinate(unsigned n, unsigned d)
{
    return yard.end[n].node >> 5 * d & 31;
}

static unsigned beyond(unsigned n, unsigned port)
{
    unsigned at[3] = { coordinate(n, 0), coordinate(n, 1), coordinate(n, 2) };
    unsigned side = yard.dims[port / 2];

    at[port / 2] = (at[port / 2] + (port % 2 ? side - 1 : 1)) % side;
    return yard_at(&yard, at[0], at[1], at[2]);
}

/*
 * Returns the port by which a packet leaves `n` for `to`. With two equally short ways, packets go
 * up and acks go down.
 */
static unsigned way(unsigned n, unsigned to, bool ack)
{
    for (unsigned d = 0; d < 3; d++) {
        unsigned side = yard.dims[d], ahead = (coordinate(to, d) + side - coordinate(n, d)) % side;

        if (ahead)
            return 2 * d + (2 * ahead > side || (ack && 2 * ahead == side));
    }
    return 6;
}

/* The origin of the packet decides between two equally short ways. */
static bool way_fell(unsigned from, unsigned to, bool ack)
{
    unsigned first[3] = { 6, 6, 6 };

    if (died[from] || died[to])
        return true;
    while (from != to) {
        unsigned port = way(from, to, ack), d = port / 2;

        if (first[d] == 6)
            first[d] = port;
        port = first[d];
        if (link_fell[from][port])
            return true;
        from = beyond(from, port);
        if (died[from])
            return true;
    }
    return false;
}

static bool pair_fell(unsigned origin, unsigned target)
{
    return way_fell(origin, target, false) || way_fell(target, origin, true);
}

static bool is_broadcast(const struct operation *op)
{
    return op->origin == op->target;
}

static bool way_of_operation_fell(const struct operation *op)
{
    if (!is_broadcast(op))
        return pair_fell(op->origin, op->target);
    for (unsigned n = 0; n < yard.nodes; n++)
        if (n != op->origin && pair_fell(op->origin, n))
            return true;
    return false;
}

/* ---- memory ---- */

static uint8_t byte_of(const struct operation *op, unsigned i)
{
    return (uint8_t)(1 + (i * 31 + (i >> 8) * 7 + op->slot * 101 + op->origin * 17) % 255);
}

/* Puts write to the first half of a node's receive memory, broadcasts to the second. */
static size_t place_of(const struct operation *op)
{
    return (is_broadcast(op) ? BYTES / 4 : 0) + (size_t)op->slot * SLOT;
}

/* Counts wrong bytes of an operation at node `n`; *missing: those that have not arrived. */
static unsigned wrong_at(const struct operation *op, unsigned n, unsigned *missing)
{
    const uint8_t *at = crowd_target(&yard, n) + place_of(op);
    unsigned wrong = 0;

    *missing = 0;
    for (unsigned i = 0; i < SLOT; i++) {
        uint8_t want = i < op->length ? byte_of(op, i) : 0;

        if (at[i] == want)
            continue;
        if (at[i] == 0)
            (*missing)++;
        else
            wrong++;
    }
    return wrong;
}

/* ---- operations ---- */

static void plan(void)
{
    count = 0;
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned k = 0; k < PUTS + BROADCASTS; k++) {
            struct operation *op = &operations[count++];

            *op = (struct operation){ .origin = n, .target = n, .length = 1 + draw(LENGTH_MAX) };
            op->slot = k < PUTS ? n * PUTS + k : n * BROADCASTS + k - PUTS;
            if (k < PUTS)
                op->target = (n + 1 + draw(yard.nodes - 1)) % yard.nodes;
        }
}

static bool post(struct operation *op)
{
    struct yard_end *from = &yard.end[op->origin];
    size_t at = place_of(op);
    int status;

    for (unsigned i = 0; i < op->length; i++)
        crowd_source(&yard, op->origin)[at + i] = byte_of(op, i);
    if (is_broadcast(op))
        status = tern_bcast(from->sq, groups[op->origin], from->region, at, op->length, at,
                            TERN_DFLAG_SIGNAL, (uint64_t)(op - operations));
    else
        status = tern_put(from->sq,
                          tern_region_pointer(yard.end[op->target].region, BYTES / 2 + at),
                          from->region, crowd_source(&yard, op->origin) + at, op->length,
                          TERN_DFLAG_SIGNAL, (uint64_t)(op - operations));
    if (status == -TERN_ST_AGAIN)
        return false;
    op->posted = true;
    if (status < 0) { /* the group has a member that an earlier broadcast could not reach */
        op->ended = true;
        op->end = (struct tern_completion){ .status = (enum tern_status)-status };
        refused++;
    }
    return true;
}

static void poll_all(void)
{
    struct tern_completion completion;

    yard.still = true;
    for (unsigned n = 0; n < yard.nodes; n++)
        while (tern_cq_poll(yard.end[n].cq, &completion, 1) == 1) {
            struct operation *op = &operations[completion.context];

            op->ended = true;
            op->end = completion;
        }
    yard.still = false;
}

static unsigned open_operations(void)
{
    unsigned open = 0;

    for (unsigned i = 0; i < count; i++)
        open += !operations[i].ended;
    return open;
}

/* ---- faults ---- */

static void tell(const char *what, unsigned node, unsigned port)
{
    if (verbose)
        printf("# cycle %llu: %s, node %u port %u\n", (unsigned long long)tern_sim_cycle(yard.sim),
               what, node, port);
}

static void cut(unsigned node, unsigned port)
{
    unsigned peer = beyond(node, port);

    if (cuts == CUTS_MAX || peer == node)
        return;
    cuts++;
    tell("cut", node, port);
    tern_net_cut(tern_sim_net(yard.sim), node, port, true);
    link_fell[node][port] = link_fell[peer][port ^ 1] = true;
}

static void kill_nic(unsigned node)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        if (died[n])
            return;
    tell("dies", node, 0);
    tern_net_kill(tern_sim_net(yard.sim), node, true);
    died[node] = true;
    for (unsigned port = 0; port < 6; port++)
        link_fell[node][port] = link_fell[beyond(node, port)][port ^ 1] = true;
}

static void mend(void)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned port = 0; port < 6; port++)
            if (link_fell[n][port] && !died[n] && !died[beyond(n, port)])
                tern_net_cut(tern_sim_net(yard.sim), n, port, false);
}

static void one_fault(bool may_kill)
{
    static const enum tern_fault_kind kinds[] = {TERN_FAULT_FLIP, TERN_FAULT_DROP,
                                                 TERN_FAULT_DUPLICATE, TERN_FAULT_DELAY};
    struct tern_net *net = tern_sim_net(yard.sim);
    unsigned node = draw(yard.nodes), port = draw(6), kind = draw(64);
    struct tern_fault fault = {.type = TERN_ANY_TYPE, .count = 1 + draw(3), .mask = 1u << draw(8)};

    if (!tern_net_has(net, node, port))
        return;
    if (kind < 48) {
        fault.kind = kinds[kind % 4];
        fault.at = fault.kind == TERN_FAULT_DELAY ? 1 + draw(3) : draw(80);
        if (tern_net_fault(net, node, port, &fault))
            tell("fault", node, port);
    } else if (kind < 54) {
        tell("stall", node, port);
        tern_net_stall(net, node, port, tern_sim_cycle(yard.sim) + STALL_MIN + draw(STALL_MORE));
    } else if (kind < 60) {
        tell("noise", node, port);
        tern_net_noise(net, node, port, draw(2) ? 200 + draw(2000) : 0);
    } else if (kind < 62) {
        cut(node, port);
    } else if (kind == 62) {
        mend();
    } else if (may_kill) {
        kill_nic(node);
    }
}

/* ---- one seed ---- */

static void set_up(unsigned seed)
{
    static const unsigned shapes[][3] = {{2, 2, 2}, {3, 3, 1}, {4, 2, 1}, {5, 1, 1},
                                         {4, 1, 1}, {3, 1, 1}, {2, 2, 1}};
    struct tern_sim_config config = tern_sim_config_default();

    random_state = 0x9e3779b97f4a7c15u * (seed + 1);
    for (unsigned i = 0; i < 8; i++)
        (void)draw(2);
    memcpy(config.dims, shapes[draw(sizeof(shapes) / sizeof(shapes[0]))], sizeof(config.dims));
    config.seed = seed;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    crowd_join(&yard);
    memset(link_fell, 0, sizeof(link_fell));
    memset(died, 0, sizeof(died));
    cuts = refused = 0;
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_info info;

        yard_must(tern_query(yard.end[n].device, &info), "query");
        groups[n] = crowd_group(&yard, n, tern_box_all(info.dims));
    }
    plan();
}

static void run(void)
{
    bool may_kill = draw(2);
    uint64_t limit;

    for (unsigned step = 0; step < BUSY_STEPS; step++) {
        struct operation *op = &operations[draw(count)];

        if (!op->posted && !died[op->origin])
            (void)post(op);
        if (draw(8) == 0)
            one_fault(may_kill);
        tern_sim_run(yard.sim, STEP);
        poll_all();
    }
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned port = 0; port < 6; port++)
            tern_net_noise(tern_sim_net(yard.sim), n, port, 0);
    for (unsigned i = 0; i < count; i++)
        while (!operations[i].posted && !post(&operations[i])) {
            tern_sim_run(yard.sim, STEP);
            poll_all();
        }
    limit = tern_sim_cycle(yard.sim) + BOUND;
    while (open_operations() && tern_sim_cycle(yard.sim) < limit) {
        tern_sim_run(yard.sim, STEP);
        poll_all();
    }
}

/* Returns the fault in the way an operation ended, or NULL. */
static const char *wrong_name(const struct operation *op)
{
    const struct tern_completion *end = &op->end;

    if (!op->ended)
        return "has not ended";
    if (end->status == TERN_ST_OK)
        return NULL;
    if (!way_of_operation_fell(op))
        return "failed, and its way was whole";
    if (end->status == TERN_ST_LINK_DOWN && end->link && !link_fell[op->origin][end->link - 1])
        return "names a link that never fell";
    if (end->status == TERN_ST_TIMEOUT && !is_broadcast(op) &&
        end->node != yard.end[op->target].node)
        return "names another node";
    if (end->status == TERN_ST_DEAD_MEMBER) {
        for (unsigned n = 0; n < yard.nodes; n++)
            if (yard.end[n].node == end->node && pair_fell(op->origin, n))
                return NULL;
        return "names a member whose way was whole";
    }
    if (end->status != TERN_ST_LINK_DOWN && end->status != TERN_ST_TIMEOUT &&
        !(end->status == TERN_ST_PACKET_LOST && is_broadcast(op)))
        return "failed with a status that no fault gives";
    return NULL;
}

static void report(const struct operation *op, unsigned seed, const char *what)
{
    char text[128];

    tap_note("seed %u: %s from node %u to %u, %u bytes: %s: %s", seed,
             is_broadcast(op) ? "broadcast" : "put", op->origin, op->target, op->length, what,
             tern_completion_format(&op->end, text, sizeof(text)));
}

static void judge(unsigned seed)
{
    unsigned wrong = 0, missing = 0, misnamed = 0, good = 0;

    for (unsigned i = 0; i < count; i++) {
        const struct operation *op = &operations[i];
        const char *problem = wrong_name(op);

        if (problem) {
            misnamed++;
            report(op, seed, problem);
        }
        good += op->ended && op->end.status == TERN_ST_OK;
        for (unsigned n = 0; n < yard.nodes; n++) {
            bool target = is_broadcast(op) ? n != op->origin : n == op->target;
            unsigned not_here, bad;

            if (!target)
                continue;
            bad = wrong_at(op, n, &not_here);
            if (bad)
                report(op, seed, "wrong bytes");
            if (op->ended && op->end.status == TERN_ST_OK && not_here) {
                report(op, seed, "ended well, and bytes are missing");
                missing += not_here;
            }
            wrong += bad;
        }
    }
    tap(!wrong && !missing && !misnamed, "faults_of_seed_%u_harm_nothing_in_silence", seed);
    tap_note("%ux%ux%u: %u of %u operations ended well, %u were refused, %u links cut",
             yard.dims[0], yard.dims[1], yard.dims[2], good, count, refused, cuts);
    tap_evidence("B6.3", "operations=%u well=%u wrong_bytes=%u", count, good, wrong);
}

/* Events of all seeds together: without any, the run would prove nothing. */
static struct {
    uint64_t damaged; /* packets that links or NICs found damaged */
    unsigned cuts, deaths, failed;
} all;

static void remember(void)
{
    for (unsigned n = 0; n < yard.nodes; n++) {
        uint64_t stats[TERN_STAT_COUNT];

        if (died[n]) {
            all.deaths++;
            continue;
        }
        yard_must(tern_stats(yard.end[n].device, stats), "statistics");
        all.damaged += stats[TERN_STAT_link_bad_header] + stats[TERN_STAT_link_bad_crc] +
                       stats[TERN_STAT_rx_bad_crc];
    }
    for (unsigned i = 0; i < count; i++)
        all.failed += !operations[i].ended || operations[i].end.status != TERN_ST_OK;
    all.cuts += cuts;
}

int main(int argc, char **argv)
{
    unsigned seeds = argc > 1 ? (unsigned)atoi(argv[1]) : 10,
             first = argc > 2 ? (unsigned)atoi(argv[2]) : 1;

    verbose = getenv("FAULTS_VERBOSE");
    for (unsigned seed = first; seed < first + seeds; seed++) {
        set_up(seed);
        run();
        judge(seed);
        remember();
        yard_close(&yard);
    }
    tap(all.damaged > 0 && all.cuts > 0 && all.failed > 0, "faults_happened_in_these_seeds");
    tap_note("%llu packets damaged, %u links cut, %u NICs died, %u operations failed",
             (unsigned long long)all.damaged, all.cuts, all.deaths, all.failed);
    tap_evidence("B6.3", "damaged=%llu cuts=%u failed=%u", (unsigned long long)all.damaged,
                 all.cuts, all.failed);
    return tap_end();
}
