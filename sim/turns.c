/* SPDX-License-Identifier: Apache-2.0 */
/* Time on the soft tier. */
#include "turns.h"

enum {
    ROUNDS = 16,      /* between two checks of the sockets */
    QUIET_CYCLES = 4096 /* most cycles to pass at once */
};

static uint64_t min(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

uint64_t tern_turns_timer(const struct tern_sim *sim)
{
    uint64_t first = UINT64_MAX;

    for (unsigned n = 0; n < sim->nodes; n++)
        first = min(first, tern_node_timer(&sim->node[n]));
    return first;
}

/*
 * Runs one turn of every node. The nodes work in parallel: the round takes the time of the busiest.
 */
static unsigned round_of_turns(struct tern_sim *sim)
{
    unsigned most = 0;

    tern_scenario_apply(sim->scenario, sim->net, sim->cycle);
    for (unsigned n = 0; n < sim->nodes; n++) {
        unsigned cost = tern_node_turn(&sim->node[n], sim->net, sim->cycle);

        most = cost > most ? cost : most;
    }
    return most;
}

void tern_turns(struct tern_sim *sim, uint64_t end)
{
    sim->quiet = false;
    for (unsigned i = 0; i < ROUNDS && !sim->quiet && (i == 0 || sim->cycle < end); i++) {
        unsigned cost = round_of_turns(sim);

        sim->quiet = cost == 0;
        sim->cycle = min(sim->cycle + cost, sim->limit);
    }
    if (!sim->quiet || sim->cycle >= end)
        return;
    end = min(min(end, sim->limit), sim->cycle + QUIET_CYCLES);
    sim->cycle = min(end, tern_turns_timer(sim));
}
