/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of taking a slab of the next node's memory, and of giving it back, on rtl: latency and
 * packets of a single operation, the load of a stream of them on both cores, and the mutual delay
 * of eight clients of one word.
 *
 * Latency: first beat of the doorbell to last beat of the completion, both at the host port of the
 * origin. The put of the owner word leaves afterwards, and no client waits for it; the figures of
 * streams include it.
 */
#include <tern/slabs.h>

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "slabs_inside.h"

enum {
    STREAM = 256,
    CLIENTS = 8,
    EACH = TERN_BLOCK_SLABS / CLIENTS, /* slabs of a word */
    ROUNDS = 16,                       /* one word in each */
    SLAB = 64,
    BLOCK = 1 << 20, /* bytes */
    LIFE = 1,
};

const char source[] = "tests/bench/rtl/alloc.c";
static const struct tern_holder me = {1, 1};

static struct lab lab;
static struct tern_blocks blocks;
static struct path path;

static void make_blocks(void)
{
    lab_must(tern_blocks_format(lab.target.buffer, BLOCK, SLAB, LIFE, &blocks), "format");
    blocks.start = tern_region_pointer(lab.target.region, 0);
}

/* ---- a single operation */

static void begin(void)
{
    lab_settle(&lab);
    path_begin(&path, NULL);
}

static void take_alone(struct tern_slab *slab, const char *parameters)
{
    uint64_t out = packets(&lab.origin), back = packets(&lab.target);
    struct tern_completion done;

    begin();
    lab_must(tern_balloc_post(lab.origin.sq[0], &blocks, 0, 0, 0), "balloc");
    done = lab_complete(&lab.origin, 1);
    figure_and_aim("balloc_latency", path_latency(&path), "cycles", parameters);
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
    lab_must(tern_bfree_post(lab.origin.sq[0], &blocks, me, slab, 0, 0), "bfree");
    done = lab_complete(&lab.origin, 1);
    figure("bfree_owner_latency", path_latency(&path), "cycles", parameters);
    begin();
    lab_must(tern_bfree_done(lab.origin.sq[0], &blocks, me, slab, &done, TERN_DFLAG_SIGNAL, 0),
             "second half");
    lab_complete(&lab.origin, 1);
    figure("bfree_map_latency", path_latency(&path), "cycles", parameters);
}

/* The first operation of a queue takes the slow path of the firmware. */
static void warm_up(void)
{
    lab_must(tern_balloc_post(lab.origin.sq[0], &blocks, 1, 0, 0), "balloc");
    lab_complete(&lab.origin, 1);
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

/* Counts slabs obtained; writes the owner word of each. The context is the word. */
static unsigned got(unsigned requests, unsigned queues)
{
    unsigned slabs = 0;

    for (unsigned i = 0; i < requests; i++) {
        struct tern_completion done = lab_complete(&lab.origin, 1);
        unsigned queue = (unsigned)(done.context >> 32) % queues;
        struct tern_slab slab;

        if (tern_balloc_done(lab.origin.sq[queue], &blocks, (uint32_t)done.context, me, &done,
                             &slab) == 0)
            slabs++;
    }
    return slabs;
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
        lab_must(tern_balloc_post(lab.origin.sq[0], &blocks, i / TERN_BLOCK_SLABS, TERN_MORE,
                                  i / TERN_BLOCK_SLABS),
                 "balloc");
    lab_must(tern_sq_flush(lab.origin.sq[0]), "flush");
    if (got(STREAM, 1) != STREAM)
        errx(1, "a slab is missing");
    cycles = tern_sim_cycle(lab.sim) - start;
    snprintf(parameters, sizeof parameters, "slabs=%d clients=1 r=%d", STREAM, HOST_LATENCY);
    figure("balloc_rate", (double)cycles / STREAM, "cycles/operation", parameters);
    lab_settle(&lab);
    cores("balloc", &lab, origin, target, STREAM, parameters);
}

/* All clients take slabs of one word at once, until it is full; then of the next. */
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
            lab_must(tern_balloc_post(lab.origin.sq[i % CLIENTS], &blocks, word, 0,
                                      (uint64_t)i << 32 | word),
                     "balloc");
        slabs += got(TERN_BLOCK_SLABS, CLIENTS);
    }
    cycles = tern_sim_cycle(lab.sim) - start;
    snprintf(parameters, sizeof parameters, "slabs=%u clients=%d r=%d", slabs, CLIENTS,
             HOST_LATENCY);
    figure("balloc_clients_rate", (double)cycles / slabs, "cycles/operation", parameters);
    figure("balloc_retries", (double)(ROUNDS * TERN_BLOCK_SLABS - slabs), "requests", parameters);
    lab_settle(&lab);
    cores("balloc", &lab, origin, target, slabs, parameters);
}

int main(void)
{
    lab_open(&lab, 2, 0);
    lab_queues(&lab, CLIENTS);
    tern_sim_on_event(lab.sim, path_seen, &path);
    make_blocks();
    warm_up();
    alone();
    stream();
    clients();
    lab_close(&lab);
    return 0;
}
