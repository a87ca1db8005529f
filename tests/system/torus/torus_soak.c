/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A torus with every node broadcasting boxes while all others put, and some slow receivers: nothing
 * may stop for good.
 *
 * usage: torus_soak [NODE-CYCLES]      1 000 000
 *
 * Each node always has as many broadcasts, puts and messages in flight as its queue takes. Two
 * nodes seldom take messages out of their reception FIFOs, so that messages to them are answered
 * not ready. Then posting stops, and the torus must drain: every operation ends, broadcasts and
 * puts successfully, no byte is wrong, and the wires fall silent.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crowd.h"
#include "rig.h"
#include "rig_tier.h"

enum {
    SIDE_X = 2,
    SIDE_Y = 2,
    SIDE_Z = 2,
    NODES = SIDE_X * SIDE_Y * SIDE_Z,
    BOXES = 2,
    BYTES = 128 << 10,
    SLOT =
        2048, /* bytes of a node's receive memory for each origin: half for puts, half for
               * broadcasts */
    MESSAGE = 64,
    STEP = 256,
    SLOW = 2, /* slow nodes */
    SLOW_EVERY = 64, /* steps */
    DRAIN_CYCLES = 4000000,
    SILENCE = 4000
};

enum kind { PUT, BROADCAST, MESSAGE_TO };

static struct yard yard;
static struct tern_group *groups[NODES][BOXES];
static struct tern_cq *rq_cq[NODES];
static struct tern_rq *rq[NODES];
static uint64_t posted[3], ended[3], not_ready, failed;
static uint64_t random_state = 88172645463325252u;

static unsigned draw(unsigned below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)(random_state >> 33) % below;
}

/* An origin always puts and broadcasts the same bytes, so that copies may overtake each other. */
static uint8_t byte_of(unsigned origin, unsigned i)
{
    return (uint8_t)(1 + (i * 31 + origin * 17) % 255);
}

/* Returns a random box around node `n`. */
static struct tern_box box_around(unsigned n)
{
    unsigned low[3], high[3];

    for (unsigned d = 0; d < 3; d++) {
        unsigned at = yard.end[n].node >> 5 * d & 31, side = yard.dims[d], width = draw(side);
        unsigned down = draw(width + 1);

        low[d] = (at + side - down) % side;
        high[d] = (low[d] + width) % side;
    }
    return (struct tern_box){.low = tern_node(low[0], low[1], low[2]),
                             .high = tern_node(high[0], high[1], high[2])};
}

static void set_up(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct tern_info info;

    config.dims[0] = SIDE_X;
    config.dims[1] = SIDE_Y;
    config.dims[2] = SIDE_Z;
    config.threads = rig_tier_is_soft() ? 1 : 2;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    crowd_join(&yard);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    for (unsigned n = 0; n < NODES; n++) {
        for (unsigned i = 0; i < SLOT; i++)
            crowd_source(&yard, n)[i] = byte_of(n, i);
        yard_must(tern_cq_create(yard.end[n].device, 6, TERN_CQ_POLLED, &rq_cq[n]),
                  "completion queue");
        yard_must(tern_rq_create(rq_cq[n], 4, 7, TERN_QUEUE_ANY, &rq[n]), "reception queue");
        groups[n][0] = crowd_group(&yard, n, tern_box_all(info.dims));
        groups[n][1] = crowd_group(&yard, n, box_around(n));
    }
}

static int post_one(unsigned n, enum kind kind)
{
    struct yard_end *end = &yard.end[n];
    unsigned to = (n + 1 + draw(NODES - 1)) % NODES, bytes = 1 + draw(SLOT / 2), at = n * SLOT;
    struct tern_target target = { .node = yard.end[to].node, .queue = tern_rq_number(rq[to]) };

    switch (kind) {
    case PUT:
        return tern_put(end->sq, tern_region_pointer(yard.end[to].region, BYTES / 2 + at),
                        end->region, crowd_source(&yard, n), bytes, TERN_DFLAG_SIGNAL, kind);
    case BROADCAST:
        return tern_bcast(end->sq, groups[n][draw(BOXES)], end->region, SLOT / 2, bytes,
                          at + SLOT / 2, TERN_DFLAG_SIGNAL, kind);
    default:
        target.node = yard.end[to % SLOW].node;
        target.queue = tern_rq_number(rq[to % SLOW]);
        if (n < SLOW)
            return 0;
        return tern_send(end->sq, target, end->region, crowd_source(&yard, n), MESSAGE,
                         TERN_DFLAG_SIGNAL, kind);
    }
}

static void post(unsigned n)
{
    for (unsigned tries = 0; tries < 4; tries++) {
        enum kind kind = (enum kind)draw(3);
        int status;

        if (kind == MESSAGE_TO && n < SLOW)
            continue;
        status = post_one(n, kind);
        if (status == -TERN_ST_AGAIN)
            return;
        yard_must(status, "post");
        posted[kind]++;
    }
}

static void take(unsigned n)
{
    struct tern_completion completion;
    char text[128];

    while (tern_cq_poll(yard.end[n].cq, &completion, 1) == 1) {
        ended[completion.context]++;
        if (completion.context == MESSAGE_TO && completion.status == TERN_ST_RNR) {
            not_ready++;
        } else if (completion.status != TERN_ST_OK) {
            if (!failed++)
                tap_note("node %u: %s", n, tern_completion_format(&completion, text, sizeof(text)));
        }
    }
}

static void receive(unsigned n)
{
    struct tern_completion completion;

    while (tern_cq_poll(rq_cq[n], &completion, 1) == 1)
        yard_must(tern_rq_release(rq[n], 1), "release");
}

static void step(unsigned at, bool posting)
{
    yard.still = true;
    for (unsigned n = 0; n < NODES; n++) {
        take(n);
        if (n >= SLOW || !posting || at % SLOW_EVERY == 0)
            receive(n);
        if (posting)
            post(n);
    }
    yard.still = false;
    tern_sim_run(yard.sim, STEP);
}

static bool all_ended(void)
{
    for (unsigned kind = 0; kind < 3; kind++)
        if (ended[kind] != posted[kind])
            return false;
    return true;
}

static bool drains(void)
{
    uint64_t limit = tern_sim_cycle(yard.sim) + DRAIN_CYCLES;

    while (!all_ended() && tern_sim_cycle(yard.sim) < limit)
        step(0, false);
    return all_ended();
}

static bool silent(void)
{
    for (unsigned at = 0; at < 2 * SILENCE / STEP; at++)
        step(0, false);
    return tern_net_active(tern_sim_net(yard.sim)) + SILENCE < tern_sim_cycle(yard.sim);
}

/*
 * Counts messages that NICs answered with receiver-not-ready, including retries.
 */
static uint64_t answered_not_ready(void)
{
    uint64_t sum = 0;

    for (unsigned n = 0; n < NODES; n++) {
        uint64_t stats[TERN_STAT_COUNT];

        yard_must(tern_stats(yard.end[n].device, stats), "statistics");
        sum += stats[TERN_STAT_fw_rnr_sent];
    }
    return sum;
}

static unsigned wrong_bytes(void)
{
    unsigned wrong = 0;

    for (unsigned n = 0; n < NODES; n++)
        for (unsigned o = 0; o < NODES; o++)
            for (unsigned i = 0; i < SLOT; i++) {
                uint8_t is = crowd_target(&yard, n)[o * SLOT + i];

                wrong += is != 0 && is != byte_of(o, i);
            }
    return wrong;
}

int main(int argc, char **argv)
{
    uint64_t cycles = (argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000) / NODES, begun;
    unsigned wrong;
    uint64_t rnr;

    set_up();
    begun = tern_sim_cycle(yard.sim);
    for (unsigned at = 1; tern_sim_cycle(yard.sim) < begun + cycles; at++)
        step(at, true);
    tap(posted[PUT] > 100 && posted[BROADCAST] > 100 && posted[MESSAGE_TO] > 100,
        "every_node_puts_broadcasts_and_sends");
    tap_note("%llu puts, %llu broadcasts, %llu messages", (unsigned long long)posted[PUT],
             (unsigned long long)posted[BROADCAST], (unsigned long long)posted[MESSAGE_TO]);
    tap(drains(), "the_torus_drains");
    tap(!failed, "what_is_put_and_broadcast_ends_well");
    tap_note("%llu failed, %llu messages found no room", (unsigned long long)failed,
             (unsigned long long)not_ready);
    wrong = wrong_bytes();
    tap(!wrong, "no_byte_is_wrong");
    tap(silent(), "the_wires_fall_silent");
    rnr = answered_not_ready();
    tap(rnr > 0, "slow_receivers_were_not_ready");
    tap_evidence("B6.2", "node_cycles=%llu puts=%llu broadcasts=%llu not_ready=%llu",
                 (unsigned long long)tern_sim_node_cycles(yard.sim),
                 (unsigned long long)posted[PUT], (unsigned long long)posted[BROADCAST],
                 (unsigned long long)rnr);
    yard_close(&yard);
    return tap_end();
}
