/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The simulator's speed on eight busy rtl nodes (traffic.h).
 *
 * The bar is on a figure that does not depend on the machine or its load: host instructions per
 * node-cycle, over a window of 2000 cycles, which callgrind counts in a second process of this
 * program (`nodes window`). Node-cycles per second, with one thread and with two pinned ones, are
 * only printed, with the speed of a fixed integer loop in the same run.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <valgrind/callgrind.h>

#include "shares.h"
#include "sim.h"
#include "traffic.h"

enum {
    NODES = TRAFFIC_NODES_MAX,
    WARM_CYCLES = 4000,
    WINDOW_CYCLES = 2000,
    TIMED_CYCLES = 40000,
    LOOP_TURNS = 200000000
};

static const char source[] = "tests/bench/sim/nodes.c";
static const char counts[] = "build/bench/nodes.callgrind";

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void start(struct traffic *traffic, unsigned threads)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = NODES;
    config.threads = threads;
    traffic_firmware(&config);
    traffic_open(traffic, &config, false);
    traffic_run(traffic, WARM_CYCLES);
}

/* ---- counted ---- */

static int window(void)
{
    struct traffic traffic;
    uint64_t begun;

    start(&traffic, 1);
    traffic_post(&traffic);
    begun = tern_sim_node_cycles(traffic.sim);
    CALLGRIND_START_INSTRUMENTATION;
    tern_sim_run(traffic.sim, WINDOW_CYCLES);
    CALLGRIND_STOP_INSTRUMENTATION;
    printf("%llu\n", (unsigned long long)(tern_sim_node_cycles(traffic.sim) - begun));
    traffic_close(&traffic);
    return 0;
}

/* Returns the number of instructions that callgrind counted. */
static double counted(void)
{
    static const char key[] = "totals: ";
    char line[4096];
    double total = -1;
    FILE *file = fopen(counts, "r");

    if (!file)
        err(1, "%s", counts);
    while (fgets(line, sizeof(line), file))
        if (strncmp(line, key, sizeof(key) - 1) == 0)
            total = strtod(line + sizeof(key) - 1, NULL);
    fclose(file);
    if (total <= 0)
        errx(1, "%s has no total", counts);
    return total;
}

static void count(const char *self)
{
    char command[512];
    unsigned long long node_cycles = 0;
    FILE *output;

    snprintf(command, sizeof(command),
             "valgrind -q --tool=callgrind --instr-atstart=no --callgrind-out-file=%s %s window",
             counts, self);
    output = popen(command, "r");
    if (!output)
        err(1, "valgrind");
    if (fscanf(output, "%llu", &node_cycles) != 1 || node_cycles == 0)
        errx(1, "the window under valgrind failed");
    if (pclose(output) != 0)
        errx(1, "valgrind failed");
    printf("bench sim_instructions %.0f instructions/node-cycle tier=rtl source=%s nodes=%d "
           "cycles=%d\n", counted() / (double)node_cycles, source, NODES, WINDOW_CYCLES);
}

/* ---- timed ---- */

/* Returns millions of iterations per second of a loop whose steps depend on each other. */
static double loop_speed(void)
{
    double begun = seconds();
    uint64_t x = 88172645463325252u;

    for (unsigned i = 0; i < LOOP_TURNS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    if (x == 0)
        errx(1, "a xorshift of a number that is not 0 became 0");
    return LOOP_TURNS / (seconds() - begun) * 1e-6;
}

static void measure(unsigned threads)
{
    struct traffic traffic;
    double begun, took, loop = loop_speed();

    start(&traffic, threads);
    tern_shares_fix(traffic.sim);
    begun = seconds();
    traffic_run(&traffic, TIMED_CYCLES);
    took = seconds() - begun;
    printf("bench sim_speed %.3f M/s tier=rtl source=%s nodes=%d threads=%u loop=%.0f\n",
           (double)NODES * TIMED_CYCLES / took * 1e-6, source, NODES, threads, loop);
    traffic_close(&traffic);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "window") == 0)
        return window();
    if (argc != 1)
        errx(2, "usage: nodes [window]");
    count(argv[0]);
    measure(1);
    measure(2);
    return 0;
}
