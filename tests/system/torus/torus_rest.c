/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator does not compute idle nodes (sim/node/rest.h). A run with this feature and one that
 * computes every clock must have the same events in the same cycles. A run with hosts puts and
 * reads statistics. A run without hosts must have the same state at every stop, bit by bit; it
 * includes damaged beats, a cut link, and the slow tick of the firmware.
 *
 * usage: torus_rest
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "rig.h"
#include "rig_sim.h"
#include "state.h"
#include "yard.h"

#define FIRST UINT64_C(0xcbf29ce484222325)

enum {
    STOPS = 7,
    SLEEP = 60000, /* cycles, computed and then idle */
    ODD = 1237,
    SLOW_TICK = 1100000 /* contains one slow tick of the firmware */
};

struct course {
    uint64_t events, digest; /* number of events, and a hash of them */
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

static void stop(struct course *course, struct tern_sim *sim)
{
    unsigned at = course->stops++;

    course->cycle[at] = tern_sim_cycle(sim);
    if (!tern_sim_state_text(sim, course->state[at]))
        snprintf(course->state[at], sizeof(course->state[at]), "no state");
}

static void put(struct yard *yard, unsigned from, unsigned to)
{
    struct yard_end *end = &yard->end[from];

    yard_must(tern_put(end->sq, tern_region_pointer(yard->end[to].region, 0), end->region,
                       end->buffer, YARD_PACKET, TERN_DFLAG_SIGNAL, 0),
              "put");
    yard_run_until_complete(yard, end, 1);
}

static struct tern_sim_config config_of(const unsigned dims[3], bool every_clock)
{
    struct tern_sim_config config = tern_sim_config_default();

    memcpy(config.dims, dims, sizeof(config.dims));
    config.every_clock = every_clock;
    config.seed = 7;
    return config;
}

static void end_of(struct course *course, struct tern_sim *sim)
{
    course->rested = tern_sim_rested(sim);
    course->node_cycles = tern_sim_node_cycles(sim);
}

/* A torus without drivers, so that its state contains no address of this process. */
static void walk_alone(struct course *course, const unsigned dims[3], bool every_clock)
{
    struct tern_sim_config config = config_of(dims, every_clock);
    struct tern_sim *sim = rig_sim_create(&config);
    struct tern_net *net = tern_sim_net(sim);

    *course = (struct course){ .digest = FIRST };
    tern_sim_on_event(sim, seen, course);
    tern_sim_run(sim, SLEEP);
    stop(course, sim);
    tern_sim_run(sim, SLEEP + ODD);
    tern_net_noise(net, 0, 0, 2);
    tern_sim_run(sim, ODD);
    tern_net_noise(net, 0, 0, 0);
    stop(course, sim);
    tern_sim_run(sim, SLEEP);
    tern_net_cut(net, 1, 0, true);
    tern_sim_run(sim, SLEEP);
    stop(course, sim);
    tern_net_cut(net, 1, 0, false);
    tern_sim_run(sim, SLEEP + ODD);
    stop(course, sim);
    tern_sim_run(sim, SLOW_TICK);
    stop(course, sim);
    end_of(course, sim);
    tern_sim_destroy(sim);
}

/* A torus whose hosts put and read statistics. */
static void walk_with_hosts(struct course *course, const unsigned dims[3],
                            bool every_clock)
{
    struct tern_sim_config config = config_of(dims, every_clock);
    struct yard yard;

    *course = (struct course){ .digest = FIRST };
    yard_open_as(&yard, &config, 2 * YARD_PACKET);
    yard.also = seen;
    yard.also_ctx = course;
    tern_sim_run(yard.sim, SLEEP);
    put(&yard, 0, yard.nodes - 1);
    tern_sim_run(yard.sim, SLEEP + ODD);
    put(&yard, yard.nodes - 1, 1);
    mix(&course->digest, yard_stat(&yard, TERN_STAT_link_sent));
    mix(&course->digest, tern_sim_cycle(yard.sim));
    end_of(course, yard.sim);
    yard_close(&yard);
}

static void compare(const char *name,
                    void (*walk)(struct course *course, const unsigned dims[3],
                                 bool every_clock),
                    const unsigned dims[3])
{
    static struct course each, rests;

    walk(&each, dims, true);
    walk(&rests, dims, false);
    tap_note("%s: %" PRIu64 " of %" PRIu64 " node-cycles at rest, %" PRIu64 " events",
             name, rests.rested, rests.node_cycles, rests.events);
    tap(each.events > 0 && each.events == rests.events && each.digest == rests.digest,
        "%s_has_the_same_events_in_the_same_cycles", name);
    for (unsigned i = 0; i < each.stops; i++)
        tap(each.cycle[i] == rests.cycle[i] && strcmp(each.state[i], rests.state[i]) == 0,
            "%s_has_the_same_state_at_stop_%u", name, i + 1);
    tap(each.rested == 0 && rests.rested > SLEEP, "%s_rests_if_it_may", name);
}

int main(void)
{
    static const unsigned square[3] = { 2, 2, 1 }, pair[3] = { 2, 1, 1 };

    compare("square", walk_with_hosts, square);
    compare("pair", walk_alone, pair);
    return tap_end();
}
