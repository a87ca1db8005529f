/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compares the simulator's speed on a torus of 4x4x4 idle rtl nodes with one whose nodes all put to
 * their neighbours: node-cycles per second of processor time, in the same process.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "yard.h"

enum { SIDE = 4, TURN = 64, BUSY_CYCLES = 4000, SETTLE = 60000, IDLE_CYCLES = 200000 };

static const char source[] = "tests/bench/sim/idle.c";

static double processor_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Every node puts to the next one in X, as fast as its queue accepts. */
static void post(struct yard *yard)
{
    yard->still = true;
    for (unsigned n = 0; n < yard->nodes; n++) {
        struct yard_end *end = &yard->end[n];
        unsigned to = n % SIDE == SIDE - 1 ? n + 1 - SIDE : n + 1;

        yard_complete(end);
        while (tern_put(end->sq, tern_region_pointer(yard->end[to].region, 0),
                        end->region, end->buffer, YARD_PACKET,
                        TERN_DFLAG_SIGNAL | TERN_MORE, 0) >= 0)
            ;
        yard_must(tern_sq_flush(end->sq), "flush");
    }
    yard->still = false;
}

static double node_cycles_a_second(struct yard *yard, uint64_t cycles, bool busy)
{
    uint64_t begun = tern_sim_node_cycles(yard->sim),
             end = tern_sim_cycle(yard->sim) + cycles;
    double at = processor_seconds();

    while (tern_sim_cycle(yard->sim) < end) {
        if (busy)
            post(yard);
        tern_sim_run(yard->sim, TURN);
    }
    return (double)(tern_sim_node_cycles(yard->sim) - begun) / (processor_seconds() - at);
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct yard yard;
    double busy, idle;

    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    yard_open_as(&yard, &config, 2 * YARD_PACKET);
    node_cycles_a_second(&yard, BUSY_CYCLES / 2, true);
    busy = node_cycles_a_second(&yard, BUSY_CYCLES, true);
    for (unsigned turns = 0; turns < SETTLE / TURN; turns++) {
        for (unsigned n = 0; n < yard.nodes; n++)
            yard_complete(&yard.end[n]);
        yard.still = false;
        tern_sim_run(yard.sim, TURN);
    }
    idle = node_cycles_a_second(&yard, IDLE_CYCLES, false);
    printf("bench sim_idle_over_busy %.1f times tier=rtl source=%s shape=%dx%dx%d "
           "busy=%.0f idle=%.0f\n",
           idle / busy, source, SIDE, SIDE, SIDE, busy, idle);
    yard_close(&yard);
    return 0;
}
