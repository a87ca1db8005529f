/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a read of the next node's memory on rtl: the latency of a single one by stage, the
 * load of a stream of small ones on both cores, and the goodput of long ones.
 *
 * Latency: first beat of the doorbell to last beat of the completion, both at the host port of the
 * origin. The trace ports of the two nodes show the ends of stages, except event and command of the
 * target, since its chip reads ahead of both. Goodput as defined in tests/bench/rtl/put.c, for
 * deposits at the origin.
 */
#include <tern/read.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum {
    SMALL = 64,
    ALONE = 15,
    STREAM = 256,
    MESSAGES = 48,
    LINK_BYTES = 8,
    READ_TAGS = 8, /* tags of the transmit unit */
    LANDING = 4 << 20, /* offset in the origin's buffer */
};

const char source[] = "tests/bench/rtl/read.c";

static const struct cut cuts[] = {
    {"doorbell", 0, TERN_TRACE_DB_FIRST, 0, 0},
    {"origin", 0, TERN_TRACE_TX_CMD, 0, 0},
    {"out", 1, TERN_TRACE_RX_GOOD, 0, 0},
    {"start", 1, TERN_TRACE_RD_REQ, 0, 0xffff & ~(READ_TAGS - 1)},
    {"read", 1, TERN_TRACE_RD_LAST, 0, 0xffff & ~(READ_TAGS - 1)},
    {"send", 1, TERN_TRACE_LINK_OUT, 0, 0},
    {"back", 0, TERN_TRACE_DEP_LAST, 0, 0},
    {"answer", 0, TERN_TRACE_ACK_IN, 0, 0},
    {"told", 0, TERN_TRACE_FW_POP, 0, 0},
    {"completion", 0, TERN_TRACE_HWR_FIRST, TERN_HWTAG_CQ, TERN_HWTAG_CQ},
    {0},
};

/* Also the times of deposits, at their last beats. */
struct watched {
    struct path path;
    uint64_t first_deposit, last_deposit;
};

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct watched *watched = ctx;

    if (node == 0 && lane == TERN_TRACE_DEP_LAST) {
        watched->last_deposit = cycle;
        if (watched->first_deposit == 0)
            watched->first_deposit = cycle;
    }
    path_seen(&watched->path, node, cycle, lane, id);
}

/* Fills the target's bytes with a pattern for this round, and clears the destination. */
static void fill(struct lab *lab, size_t bytes)
{
    static unsigned round;

    round++;
    for (size_t i = 0; i < bytes; i++)
        lab->target.buffer[i] = (uint8_t)(i * 7 + (i >> 8) * 5 + round * 31);
    memset(lab->origin.buffer + LANDING, 0, bytes);
}

static void expect(const struct lab *lab, size_t bytes)
{
    if (memcmp(lab->origin.buffer + LANDING, lab->target.buffer, bytes) != 0)
        errx(1, "what was read is not what stands there");
}

static void post(struct lab *lab, size_t offset, uint32_t bytes, unsigned flags)
{
    lab_must(tern_read(lab->origin.sq[0], tern_region_pointer(lab->target.region, offset),
                       lab->origin.region, lab->origin.buffer + LANDING + offset, bytes, flags, 0),
                       "read");
}

/* ---- a single operation */

static void one(struct lab *lab, struct path *path, uint32_t bytes)
{
    fill(lab, bytes);
    lab_settle(lab);
    path_begin(path, cuts);
    post(lab, 0, bytes, TERN_DFLAG_SIGNAL);
    lab_complete(&lab->origin, 1);
    expect(lab, bytes);
    path_must(path, "a read");
}

static int by_latency(const void *a, const void *b)
{
    double x = path_latency(a), y = path_latency(b);

    return x < y ? -1 : x > y;
}

/*
 * Returns the median: the cost depends on earlier branches, and on the phase of the command count.
 */
static void alone(struct lab *lab, struct path *path, const char *name, uint32_t bytes)
{
    struct path all[ALONE];
    char id[64], parameters[64];

    for (unsigned i = 0; i < ALONE; i++) {
        one(lab, path, bytes);
        all[i] = *path;
    }
    qsort(all, ALONE, sizeof all[0], by_latency);
    snprintf(parameters, sizeof parameters, "r=%d hops=1 bytes=%u of=%d", HOST_LATENCY, bytes,
             ALONE);
    snprintf(id, sizeof id, "%s_latency", name);
    figure_and_aim(id, path_latency(&all[ALONE / 2]), "cycles", parameters);
    snprintf(id, sizeof id, "%s_latency_worst", name);
    figure(id, path_latency(&all[ALONE - 1]), "cycles", parameters);
    path_split(&all[ALONE / 2], name, parameters);
}

/* ---- streams */

/* Small ones, each with its completion. */
static void stream(struct lab *lab)
{
    struct core origin, target;
    uint64_t start, cycles;
    char parameters[64];

    fill(lab, STREAM * SMALL);
    lab_settle(lab);
    origin = core(&lab->origin);
    target = core(&lab->target);
    start = tern_sim_cycle(lab->sim);
    for (unsigned i = 0; i < STREAM; i++)
        post(lab, i * SMALL, SMALL, TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    lab_complete(&lab->origin, STREAM);
    cycles = tern_sim_cycle(lab->sim) - start;
    expect(lab, STREAM * SMALL);
    snprintf(parameters, sizeof parameters, "reads=%d bytes=%d r=%d", STREAM, SMALL, HOST_LATENCY);
    figure("read64_rate", (double)cycles / STREAM, "cycles/operation", parameters);
    figure("fw_cycles_per_read64_origin",
           (double)(core(&lab->origin).cycles - origin.cycles) / STREAM, "cycles", parameters);
    figure("fw_cycles_per_read64_target",
           (double)(core(&lab->target).cycles - target.cycles) / STREAM, "cycles", parameters);
}

/* The first packet marks the start; its bytes do not count. */
static void goodput(struct lab *lab, struct watched *watched, const char *name, uint32_t bytes,
                    uint32_t max_payload)
{
    const double limit = (double)max_payload / wire_bytes(max_payload),
        all = (double)MESSAGES * bytes - max_payload;
    char parameters[96];

    fill(lab, (size_t)MESSAGES * bytes);
    lab_settle(lab);
    *watched = (struct watched){0};
    for (unsigned i = 0; i < MESSAGES; i++)
        post(lab, (size_t)i * bytes, bytes, TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    lab_complete(&lab->origin, MESSAGES);
    expect(lab, (size_t)MESSAGES * bytes);
    snprintf(parameters, sizeof parameters, "bytes=%u reads=%d frame_limit=%.4f", bytes, MESSAGES,
             limit);
    figure(name,
           100 * all / ((double)(watched->last_deposit - watched->first_deposit) * LINK_BYTES) /
               limit,
           "%limit", parameters);
}

int main(void)
{
    struct tern_info info;
    struct watched watched = {0};
    struct lab lab;

    lab_open(&lab, 2, 0);
    tern_sim_on_event(lab.sim, seen, &watched);
    lab_must(tern_query(lab.origin.device, &info), "query");
    post(&lab, 0, SMALL, TERN_DFLAG_SIGNAL);
    lab_complete(&lab.origin, 1);
    alone(&lab, &watched.path, "read64", SMALL);
    alone(&lab, &watched.path, "read512", info.max_payload);
    stream(&lab);
    goodput(&lab, &watched, "read_goodput_64k", 64 << 10, info.max_payload);
    goodput(&lab, &watched, "read_goodput_4k", 4096, info.max_payload);
    lab_close(&lab);
    return 0;
}
