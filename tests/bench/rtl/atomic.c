/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of an atomic operation on a word of the next node on rtl: the latency of a single one by
 * stage, and the load of a stream of them on both cores.
 *
 * Latency: first beat of the doorbell to last beat of the completion with the old word, both at the
 * host port of the origin. The trace ports of the two nodes show the ends of stages.
 */
#include <tern/atomic.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum {
    STREAM = 256,
    READ_TAG = 12,
};

const char source[] = "tests/bench/rtl/atomic.c";

static const struct cut cuts[] = {
    {"doorbell", 0, TERN_TRACE_DB_FIRST, 0, 0},
    {"origin", 0, TERN_TRACE_TX_CMD, 0, 0},
    {"out", 1, TERN_TRACE_RX_GOOD, 0, 0},
    {"event", 1, TERN_TRACE_FW_POP, 0, 0},
    {"start", 1, TERN_TRACE_RD_REQ, READ_TAG, 0xffff},
    {"read", 1, TERN_TRACE_RD_LAST, READ_TAG, 0xffff},
    {"unit", 1, TERN_TRACE_LINK_OUT, 0, 0},
    {"back", 0, TERN_TRACE_ACK_IN, 0, 0},
    {"told", 0, TERN_TRACE_FW_POP, 0, 0},
    {"completion", 0, TERN_TRACE_HWR_FIRST, TERN_HWTAG_CQ, TERN_HWTAG_CQ},
    {0},
};

static struct tern_rptr word(struct lab *lab)
{
    return tern_region_pointer(lab->target.region, 0);
}

static uint64_t memory(struct lab *lab)
{
    uint64_t value;

    memcpy(&value, lab->target.buffer, sizeof value);
    return value;
}

static void expect(uint64_t is, uint64_t wanted, const char *what)
{
    if (is != wanted)
        errx(1, "%s is %#llx, not %#llx", what, (unsigned long long)is, (unsigned long long)wanted);
}

/* ---- a single operation */

enum kind { CAS_HIT, CAS_MISS, ADD };

static void post(struct lab *lab, enum kind kind, uint64_t was, unsigned flags)
{
    struct tern_sq *sq = lab->origin.sq[0];

    switch (kind) {
    case CAS_HIT:
        lab_must(tern_compare_swap(sq, word(lab), was, was + 1, flags, 0), "compare and swap");
        return;
    case CAS_MISS:
        lab_must(tern_compare_swap(sq, word(lab), was + 1, 0, flags, 0), "compare and swap");
        return;
    case ADD:
        lab_must(tern_fetch_add(sq, word(lab), 1, flags, 0), "add");
        return;
    }
}

static void alone(struct lab *lab, struct path *path, const char *name, enum kind kind)
{
    uint64_t was = memory(lab);
    char id[64], parameters[64];

    lab_settle(lab);
    path_begin(path, cuts);
    post(lab, kind, was, TERN_DFLAG_SIGNAL);
    expect(lab_complete(&lab->origin, 1).value, was, "the word that an operation brings");
    expect(memory(lab), was + (kind != CAS_MISS), "the word");
    snprintf(parameters, sizeof parameters, "r=%d hops=1", HOST_LATENCY);
    snprintf(id, sizeof id, "%s_latency", name);
    figure_and_aim(id, path_latency(path), "cycles", parameters);
    path_split(path, name, parameters);
}

/* ---- a stream of them */

static void stream(struct lab *lab, const char *name, enum kind kind)
{
    uint64_t was = memory(lab), start, cycles;
    struct core origin, target;
    char id[64], parameters[64];

    lab_settle(lab);
    origin = core(&lab->origin);
    target = core(&lab->target);
    start = tern_sim_cycle(lab->sim);
    for (unsigned i = 0; i < STREAM; i++)
        post(lab, kind, was + i, TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    expect(lab_complete(&lab->origin, STREAM).value, was + STREAM - 1, "the last word of a stream");
    cycles = tern_sim_cycle(lab->sim) - start;
    expect(memory(lab), was + STREAM, "the word");
    snprintf(parameters, sizeof parameters, "operations=%d r=%d", STREAM, HOST_LATENCY);
    snprintf(id, sizeof id, "%s_rate", name);
    figure(id, (double)cycles / STREAM, "cycles/operation", parameters);
    snprintf(id, sizeof id, "fw_cycles_per_%s_origin", name);
    figure(id, (double)(core(&lab->origin).cycles - origin.cycles) / STREAM, "cycles", parameters);
    snprintf(id, sizeof id, "fw_cycles_per_%s_target", name);
    figure(id, (double)(core(&lab->target).cycles - target.cycles) / STREAM, "cycles", parameters);
}

int main(void)
{
    struct path path;
    struct lab lab;

    path_begin(&path, NULL);
    lab_open(&lab, 2, 0);
    tern_sim_on_event(lab.sim, path_seen, &path);
    memset(lab.target.buffer, 0, sizeof(uint64_t));
    post(&lab, ADD, 0, TERN_DFLAG_SIGNAL);
    lab_complete(&lab.origin, 1);
    alone(&lab, &path, "cas", CAS_HIT);
    alone(&lab, &path, "cas_miss", CAS_MISS);
    alone(&lab, &path, "add", ADD);
    stream(&lab, "cas", CAS_HIT);
    stream(&lab, "add", ADD);
    lab_close(&lab);
    return 0;
}
