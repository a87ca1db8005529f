/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tori and meshes of two and three dimensions, on either tier: puts between all pairs, all nodes at
 * once, wires that damage, repeat and delay packets, and a NIC that dies.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/tern.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    NODES_MAX = 32,
    BYTES = 1 << 17, /* of each end's buffer: it sends from the lower half and receives in the upper
                      * half */
    HALF = BYTES / 2,
    PART = HALF / NODES_MAX, /* of the upper half, for each sender */
    SMALL = 64,
    LONG = 1300, /* three packets */
};

struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct tern_torus torus;
static struct end ends[NODES_MAX];
static unsigned nodes;

static void open_end(struct end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE;

    end->device = rig_sim_open(node);
    end->memory = aligned_alloc(4096, BYTES);
    rig_need(end->memory ? 0 : -TERN_ST_NO_MEMORY, "memory");
    memset(end->memory, 0, BYTES);
    rig_need(tern_register(end->device, end->memory, BYTES, rights, &end->region), "register");
    rig_need(tern_cq_create(end->device, 6, TERN_CQ_POLLED, &end->cq), "CQ");
    rig_need(tern_sq_create(end->cq, 5, &end->sq), "SQ");
}

static void set_up(const struct tern_torus *shape, const char *scenario)
{
    struct tern_sim_config config = tern_sim_config_default();

    torus = *shape;
    nodes = tern_torus_nodes(&torus);
    memcpy(config.dims, torus.sides, sizeof(config.dims));
    config.mesh = torus.mesh;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.scenario = scenario;
    config.seed = 7;
    rig_sim_start(&config);
    for (unsigned n = 0; n < nodes; n++)
        open_end(&ends[n], n);
}

static void tear_down(void)
{
    for (unsigned n = 0; n < nodes; n++) {
        tern_close(ends[n].device);
        free(ends[n].memory);
    }
    memset(ends, 0, sizeof(ends));
    rig_sim_stop();
}

/* ---- puts */

static int post(unsigned from, unsigned to, uint32_t here, uint32_t there, uint32_t bytes)
{
    return tern_put(ends[from].sq, tern_region_pointer(ends[to].region, there), ends[from].region,
                    ends[from].memory + here, bytes, TERN_DFLAG_SIGNAL, bytes);
}

static enum tern_status put(unsigned from, unsigned to, uint32_t bytes)
{
    rig_need(post(from, to, 0, HALF + from * PART, bytes), "post");
    return rig_next(ends[from].cq).status;
}

static bool arrives(unsigned from, unsigned to, uint32_t bytes, unsigned seed)
{
    rig_fill(ends[from].memory, bytes, seed);
    return put(from, to, bytes) == TERN_ST_OK &&
        rig_holds(ends[to].memory + HALF + from * PART, bytes, seed);
}

/* Counts the links from one node to another. */
static unsigned steps_between(unsigned from, unsigned to)
{
    uint32_t a = tern_torus_coordinates(&torus, from), b = tern_torus_coordinates(&torus, to);
    unsigned steps = 0;

    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++) {
        unsigned side = torus.sides[d], x = a >> 5 * d & 31, y = b >> 5 * d & 31;
        unsigned ahead = (y + side - x) % side, back = (x + side - y) % side;

        if (torus.mesh)
            steps += x < y ? y - x : x - y;
        else
            steps += ahead < back ? ahead : back;
    }
    return steps;
}

static uint64_t forwarded(void)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < nodes; n++)
        sum += rig_stat(ends[n].device, TERN_STAT_link_forwarded);
    return sum;
}

static void all_pairs(const char *shape)
{
    uint64_t packets = tern_net_packets(tern_sim_net(rig_sim)), passed = forwarded(), want = 0,
        want_passed = 0;
    unsigned wrong = 0;

    for (unsigned from = 0; from < nodes; from++)
        for (unsigned to = 0; to < nodes; to++) {
            unsigned steps = steps_between(from, to), each = 2 * (1 + (LONG + 511) / 512);

            wrong += !arrives(from, to, SMALL, from + to);
            wrong += !arrives(from, to, LONG, from * to);
            want += steps * each; /* packets and acks */
            want_passed += steps > 0 ? (steps - 1) * each : 0;
        }
    packets = tern_net_packets(tern_sim_net(rig_sim)) - packets;
    passed = forwarded() - passed;
    tap(wrong == 0, "%s, each node puts to each, itself too", shape);
    tap_evidence("N18", "nodes=%u puts=%u", nodes, nodes * nodes);
    tap(packets == want && passed == want_passed,
        "%s: by shortest ways (%llu packets on links, %llu forwarded)", shape,
        (unsigned long long)packets, (unsigned long long)passed);
}

static void all_at_once(const char *shape)
{
    enum { PUTS = 12 };
    unsigned posted[NODES_MAX] = {0}, completed = 0, wrong = 0;

    for (unsigned n = 0; n < nodes; n++)
        rig_fill(ends[n].memory, LONG, n);
    rig_allow_time();
    while (completed < nodes * nodes * PUTS && !rig_progress(NULL))
        for (unsigned n = 0; n < nodes; n++) {
            struct tern_completion done;

            while (posted[n] < nodes * PUTS &&
                   !post(n, posted[n] % nodes, 0, HALF + n * PART, LONG))
                posted[n]++;
            while (tern_cq_poll(ends[n].cq, &done, 1) == 1) {
                completed++;
                wrong += done.status != TERN_ST_OK;
            }
        }
    for (unsigned n = 0; n < nodes; n++)
        for (unsigned from = 0; from < nodes; from++)
            wrong += !rig_holds(ends[n].memory + HALF + from * PART, LONG, from);
    tap(completed == nodes * nodes * PUTS && wrong == 0, "%s: all to all at once, %u puts", shape,
        completed);
}

/* ---- faults */

static struct tern_wire_stats sum_of_wires(void)
{
    struct tern_wire_stats sum = {0};

    for (unsigned n = 0; n < nodes; n++)
        for (unsigned p = 0; p < TERN_MODEL_PORTS; p++) {
            const struct tern_wire_stats *wire = tern_net_stats(tern_sim_net(rig_sim), n, p);

            sum.lost += wire->lost;
            sum.damaged += wire->damaged;
            sum.duplicated += wire->duplicated;
            sum.delayed += wire->delayed;
        }
    return sum;
}

/* Checks that links deliver every packet over wires that damage some. */
static void bad_wires(const char *shape)
{
    struct tern_wire_stats hits;
    unsigned wrong = 0;

    for (unsigned round = 0; round < 4; round++)
        for (unsigned from = 0; from < nodes; from++)
            for (unsigned to = 0; to < nodes; to++)
                wrong += !arrives(from, to, LONG, from * 5 + to + round);
    hits = sum_of_wires();
    tap(wrong == 0 && hits.lost > 0 && hits.damaged > 0 && hits.duplicated > 0 && hits.delayed > 0,
        "%s: packets that wires lose (%llu), damage (%llu), repeat (%llu) and delay (%llu) harm no "
        "put", shape, (unsigned long long)hits.lost, (unsigned long long)hits.damaged,
            (unsigned long long)hits.duplicated, (unsigned long long)hits.delayed);
}

static void nic_dies(const char *shape)
{
    const unsigned dead = 1, other = 2, third = 3;
    enum tern_status status;

    tern_net_kill(tern_sim_net(rig_sim), dead, true);
    do
        status = put(0, dead, SMALL);
    while (status == TERN_ST_OK);
    tap(status == TERN_ST_LINK_DOWN && arrives(other, third, LONG, 9),
        "%s: nobody reaches a NIC whose links are dead; others go on", shape);
    tern_net_kill(tern_sim_net(rig_sim), dead, false);
    rig_allow_time();
    while (put(0, dead, SMALL) != TERN_ST_OK && !rig_progress(NULL))
        ;
    tap(arrives(0, dead, LONG, 4) && arrives(dead, 0, LONG, 5), "%s: it is reached again", shape);
}

static const char faults[] = "at 0 noise 0 X+ every=400\n"
                             "at 0 noise 1 Y- every=300\n"
                             "at 0 drop 1 X- every=20 count=1000\n"
                             "at 0 duplicate 2 X+ every=5 count=1000\n"
                             "at 0 duplicate 0 Y+ every=5 count=1000\n"
                             "at 0 delay 0 X- by=1 every=10 count=1000\n"
                             "at 0 delay 3 Y+ by=2 every=10 count=1000\n"
                             "at 20000 stall 0 X+ cycles=150\n"
                             "at 30000 stall 2 Y+ cycles=2000\n";

int main(void)
{
    static const struct {
        struct tern_torus torus;
        const char *name;
        bool soft_alone; /* would take long on the chip */
    } shapes[] = {
        {{.sides = {2, 2, 2}}, "torus 2x2x2", false},
        {{.sides = {3, 2, 1}}, "torus 3x2x1", true},
        {{.sides = {3, 3, 1}, .mesh = true}, "mesh 3x3x1", true},
        {{.sides = {2, 3, 2}}, "torus 2x3x2", true},
        {{.sides = {32, 1, 1}}, "ring of 32", true},
    };

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        if (shapes[i].soft_alone && !rig_tier_is_soft())
            continue;
        set_up(&shapes[i].torus, NULL);
        all_pairs(shapes[i].name);
        all_at_once(shapes[i].name);
        tear_down();
    }
    set_up(&(struct tern_torus){.sides = {2, 2, 1}, .mesh = true}, NULL);
    all_pairs("mesh 2x2x1");
    nic_dies("mesh 2x2x1");
    tear_down();
    set_up(&(struct tern_torus){.sides = {2, 2, 1}}, faults);
    bad_wires("torus 2x2x1");
    tear_down();
    return tap_end();
}
