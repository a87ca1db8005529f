/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes with nothing to do are not computed (sim/node/rest.h), and nothing comes of it: a run in which they rest and
 * one in which every clock is computed have the same events in the same cycles, and at every stop the same state, bit
 * by bit.  In between: puts, a damaged beat, a link that is cut, an access by the host, and the slow tick of the firmware.
 *
 * usage: torus_rest
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"
#include "state.h"
#include "yard.h"

enum {
    STOPS = 7,
    SLEEP = 60000,      /* watched, and then at rest */
    ODD = 1237,
    SLOW_TICK = 1100000 /* the firmware looks round once in it */
};

struct course {
    uint64_t events, digest;      /* how many, and what they say */
    uint64_t rested, node_cycles;
    char state[STOPS][TERN_SIM_STATE_TEXT];
    uint64_t cycle[STOPS];
    unsigned stops;
};

static void mix(uint64_t *digest, uint64_t value)
{
    *digest = (*digest ^ value) * UINT64_C(0x100000001b3);
}

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct course *course = ctx;

    course->events++;
    mix(&course->digest, cycle);
    mix(&course->digest, (uint64_t)node << 32 | lane << 16 | id);
}

static void stop(struct course *course, struct yard *yard)
{
    unsigned at = course->stops++;

    course->cycle[at] = tern_sim_cycle(yard->sim);
    if (!tern_sim_state_text(yard->sim, course->state[at]))
        snprintf(course->state[at], sizeof(course->state[at]), "no state");
}

static void put(struct yard *yard, unsigned from, unsigned to)
{
    struct yard_end *end = &yard->end[from];

    yard_must(tern_put(end->sq, tern_region_pointer(yard->end[to].region, 0), end->region, end->buffer, YARD_PACKET,
                       TERN_DFLAG_SIGNAL, 0),
              "put");
    yard_run_until_complete(yard, end, 1);
}

static void walk(struct course *course, const unsigned dims[3], bool every_clock, bool slow)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct tern_net *net;
    struct yard yard;

    *course = (struct course){ .digest = UINT64_C(0xcbf29ce484222325) };
    memcpy(config.dims, dims, sizeof(config.dims));
    config.every_clock = every_clock;
    config.seed = 7;
    yard_open_as(&yard, &config, 2 * YARD_PACKET);
    yard.also = seen;
    yard.also_ctx = course;
    net = tern_sim_net(yard.sim);
    tern_sim_run(yard.sim, slow ? SLOW_TICK : SLEEP);
    stop(course, &yard);
    put(&yard, 0, yard.nodes - 1);
    stop(course, &yard);
    if (!slow) {
        tern_sim_run(yard.sim, SLEEP + ODD);
        tern_net_noise(net, 0, 0, 2);
        tern_sim_run(yard.sim, ODD);
        tern_net_noise(net, 0, 0, 0);
        stop(course, &yard);
        tern_sim_run(yard.sim, SLEEP);
        tern_net_cut(net, 1, 0, true);
        tern_sim_run(yard.sim, SLEEP);
        stop(course, &yard);
        tern_net_cut(net, 1, 0, false);
        tern_sim_run(yard.sim, SLEEP + ODD);
        stop(course, &yard);
        (void)yard_stat(&yard, TERN_STAT_link_downs);
        stop(course, &yard);
    }
    course->rested = tern_sim_rested(yard.sim);
    course->node_cycles = tern_sim_node_cycles(yard.sim);
    yard_close(&yard);
}

static void compare(const char *name, const unsigned dims[3], bool slow)
{
    static struct course each, rests;

    walk(&each, dims, true, slow);
    walk(&rests, dims, false, slow);
    tap_note("%s: %" PRIu64 " of %" PRIu64 " node-cycles at rest, %" PRIu64 " events", name, rests.rested,
             rests.node_cycles, rests.events);
    tap(each.events > 0 && each.events == rests.events && each.digest == rests.digest,
        "%s_has_the_same_events_in_the_same_cycles", name);
    for (unsigned i = 0; i < each.stops; i++)
        tap(each.cycle[i] == rests.cycle[i] && strcmp(each.state[i], rests.state[i]) == 0,
            "%s_has_the_same_state_at_stop_%u", name, i + 1);
    tap(each.rested == 0 && rests.rested > rests.node_cycles / 4, "%s_rests_if_it_may", name);
}

int main(void)
{
    static const unsigned square[3] = { 2, 2, 1 }, pair[3] = { 2, 1, 1 };

    compare("square", square, false);
    compare("slow_tick", pair, true);
    return tap_end();
}
