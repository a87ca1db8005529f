/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What taking a slab of the next node's memory, and giving it back, costs on rtl: latency and packets of one alone, what a
 * stream of them takes of both cores, and what eight clients of one word cost each other.
 *
 * Latency: first beat of the doorbell to last beat of the completion, both at the host port of the origin.  The put that
 * says whose the slab is goes out after that, and nobody waits for it; streams have it in their figures.
 */
#include <tern/alloc.h>

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "lab.h"

enum {
    STREAM = 256,
    CLIENTS = 8,
    EACH = TERN_BLOCK_SLABS / CLIENTS, /* slabs of a word */
    ROUNDS = 16,                       /* a word each */
    SLAB = 64,
    BLOCK = 1 << 20, /* bytes */
    LIFE = 1,
    HOST_LATENCY = 120,
    CQE_BEATS = TERN_CQE_BYTES / 8,
};

static const char source[] = "tests/bench/rtl/alloc.c";
static const struct tern_holder me = {1, 1};

static struct lab lab;
static struct tern_blocks blocks;
static uint64_t first, last; /* doorbell, completion */

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)ctx;
    if (node == 0 && lane == TERN_TRACE_DB_FIRST && first == 0)
        first = cycle;
    if (node == 0 && lane == TERN_TRACE_HWR_FIRST && id & TERN_HWTAG_CQ)
        last = cycle + CQE_BEATS - 1;
}

static void figure(const char *id, double value, const char *unit, const char *parameters)
{
    printf("bench %s %.2f %s tier=rtl source=%s %s\n", id, value, unit, source, parameters);
}

/* A figure that has a bar and an aim. */
static void figure_and_aim(const char *id, double value, const char *unit, const char *parameters)
{
    char aim[64];

    snprintf(aim, sizeof aim, "%s_aim", id);
    figure(id, value, unit, parameters);
    figure(aim, value, unit, parameters);
}

static void make_blocks(void)
{
    lab_must(tern_blocks_format(lab.target.buffer, BLOCK, SLAB, LIFE, &blocks), "format");
    blocks.start = tern_region_pointer(lab.target.region, 0);
}

static struct tern_completion complete(void)
{
    struct tern_completion done;
    char text[128];
    int polled;

    while ((polled = tern_cq_poll(lab.origin.cq, &done, 1)) == 0)
        lab_must(tern_cq_wait(lab.origin.cq, 60000), "wait");
    lab_must(polled, "poll");
    if (done.status != TERN_ST_OK)
        errx(1, "%s", tern_completion_format(&done, text, sizeof text));
    return done;
}

/* That it has sent, answers among them. */
static uint64_t packets(const struct lab_end *end)
{
    uint64_t values[TERN_STAT_COUNT];

    lab_must(tern_stats(end->device, values), "statistics");
    return values[TERN_STAT_tx_packets] + values[TERN_STAT_tx_acks] + values[TERN_STAT_tx_naks];
}

/* ---- one alone */

static void begin(void)
{
    lab_settle(&lab);
    first = last = 0;
}

static void take_alone(struct tern_slab *slab, const char *parameters)
{
    uint64_t out = packets(&lab.origin), back = packets(&lab.target);
    struct tern_completion done;

    begin();
    lab_must(tern_balloc(lab.origin.sq[0], &blocks, 0, 0, 0), "balloc");
    done = complete();
    figure_and_aim("balloc_latency", (double)(last - first), "cycles", parameters);
    lab_settle(&lab);
    figure("balloc_round_trips", (double)(packets(&lab.target) - back), "packets", parameters);
    lab_must(tern_balloc_done(lab.origin.sq[0], &blocks, 0, me, &done, slab), "slab");
    lab_settle(&lab);
    figure("balloc_packets_out", (double)(packets(&lab.origin) - out), "packets", parameters);
}

static void give_back_alone(const struct tern_slab *slab, const char *parameters)
{
    struct tern_completion done;

    begin();
    lab_must(tern_bfree(lab.origin.sq[0], &blocks, me, slab, 0, 0), "bfree");
    done = complete();
    figure("bfree_owner_latency", (double)(last - first), "cycles", parameters);
    begin();
    lab_must(tern_bfree_done(lab.origin.sq[0], &blocks, me, slab, &done, TERN_DFLAG_SIGNAL, 0), "second half");
    (void)complete();
    figure("bfree_map_latency", (double)(last - first), "cycles", parameters);
}

/* The first operation of a queue brings its place in. */
static void warm_up(void)
{
    lab_must(tern_balloc(lab.origin.sq[0], &blocks, 1, 0, 0), "balloc");
    (void)complete();
}

static void alone(void)
{
    struct tern_slab slab;
    char parameters[64];

    snprintf(parameters, sizeof parameters, "r=%d hops=1", HOST_LATENCY);
    take_alone(&slab, parameters);
    give_back_alone(&slab, parameters);
}

/* ---- many */

struct core {
    uint64_t instructions, cycles;
};

static struct core core(const struct lab_end *end)
{
    struct core now;

    lab_must(tern_core_counters(end->device, &now.instructions, &now.cycles), "counters");
    return now;
}

/* Slabs that were got; each is said to be whose it is.  Context: the word. */
static unsigned got(unsigned requests, unsigned queues)
{
    unsigned slabs = 0;

    for (unsigned i = 0; i < requests; i++) {
        struct tern_completion done = complete();
        unsigned queue = (unsigned)(done.context >> 32) % queues;
        struct tern_slab slab;

        if (tern_balloc_done(lab.origin.sq[queue], &blocks, (uint32_t)done.context, me, &done, &slab) == 0)
            slabs++;
    }
    return slabs;
}

static void cores(const char *name, struct core origin, struct core target, unsigned count, const char *parameters)
{
    struct core now = core(&lab.origin);
    char id[64];

    snprintf(id, sizeof id, "fw_cycles_per_%s_origin", name);
    figure(id, (double)(now.cycles - origin.cycles) / count, "cycles", parameters);
    snprintf(id, sizeof id, "fw_instructions_per_%s_origin", name);
    figure(id, (double)(now.instructions - origin.instructions) / count, "instructions", parameters);
    now = core(&lab.target);
    snprintf(id, sizeof id, "fw_cycles_per_%s", name);
    figure(id, (double)(now.cycles - target.cycles) / count, "cycles", parameters);
    snprintf(id, sizeof id, "fw_instructions_per_%s", name);
    figure_and_aim(id, (double)(now.instructions - target.instructions) / count, "instructions", parameters);
}

static void stream(void)
{
    struct core origin, target;
    uint64_t start, cycles;
    char parameters[64];

    make_blocks();
    lab_settle(&lab);
    origin = core(&lab.origin);
    target = core(&lab.target);
    start = tern_sim_cycle(lab.sim);
    for (unsigned i = 0; i < STREAM; i++)
        lab_must(tern_balloc(lab.origin.sq[0], &blocks, i / TERN_BLOCK_SLABS, TERN_MORE, i / TERN_BLOCK_SLABS), "balloc");
    lab_must(tern_sq_flush(lab.origin.sq[0]), "flush");
    if (got(STREAM, 1) != STREAM)
        errx(1, "a slab is missing");
    cycles = tern_sim_cycle(lab.sim) - start;
    snprintf(parameters, sizeof parameters, "slabs=%d clients=1 r=%d", STREAM, HOST_LATENCY);
    figure("balloc_rate", (double)cycles / STREAM, "cycles/operation", parameters);
    lab_settle(&lab);
    cores("balloc", origin, target, STREAM, parameters);
}

/* All want slabs of one word at once, until it is full; then of the next. */
static void clients(void)
{
    struct core origin, target;
    uint64_t start, cycles;
    char parameters[64];
    unsigned slabs = 0;

    make_blocks();
    lab_settle(&lab);
    origin = core(&lab.origin);
    target = core(&lab.target);
    start = tern_sim_cycle(lab.sim);
    for (unsigned word = 0; word < ROUNDS; word++) {
        for (unsigned i = 0; i < TERN_BLOCK_SLABS; i++)
            lab_must(tern_balloc(lab.origin.sq[i % CLIENTS], &blocks, word, 0, (uint64_t)i << 32 | word), "balloc");
        slabs += got(TERN_BLOCK_SLABS, CLIENTS);
    }
    cycles = tern_sim_cycle(lab.sim) - start;
    snprintf(parameters, sizeof parameters, "slabs=%u clients=%d r=%d", slabs, CLIENTS, HOST_LATENCY);
    figure("balloc_clients_rate", (double)cycles / slabs, "cycles/operation", parameters);
    figure("balloc_retries", (double)(ROUNDS * TERN_BLOCK_SLABS - slabs), "requests", parameters);
    lab_settle(&lab);
    cores("balloc", origin, target, slabs, parameters);
}

int main(void)
{
    lab_open(&lab, 2, 0);
    lab_queues(&lab, CLIENTS);
    tern_sim_on_event(lab.sim, seen, NULL);
    make_blocks();
    warm_up();
    alone();
    stream();
    clients();
    lab_close(&lab);
    return 0;
}
