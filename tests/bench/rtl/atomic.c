/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an atomic operation on a word of the next node costs on rtl: its latency by stage, alone, and what a stream of
 * them takes of both cores.
 *
 * Latency: first beat of the doorbell to last beat of the completion, which brings the word, both at the host port of the
 * origin.  Stages are cut by the trace ports of the two nodes.
 */
#include <tern/atomic.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab.h"

enum {
    STREAM = 256,
    HOST_LATENCY = 120,
    READ_TAG = 12,
    CQE_BEATS = TERN_CQE_BYTES / 8,
};

static const char source[] = "tests/bench/rtl/atomic.c";

/* Where an operation is cut: the first pulse of a lane at a node behind the cut before, with an id under a mask. */
static const struct cut {
    const char *stage; /* from the cut before to this one */
    unsigned node, lane, id, id_mask;
} cuts[] = {
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
};
#define CUTS (sizeof cuts / sizeof cuts[0])

struct path {
    unsigned next;
    uint64_t at[CUTS];
};

static void seen(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct path *path = ctx;
    const struct cut *cut = &cuts[path->next];

    if (path->next < CUTS && node == cut->node && lane == cut->lane && (id & cut->id_mask) == cut->id)
        path->at[path->next++] = cycle;
}

static void figure(const char *id, double value, const char *unit, const char *parameters)
{
    printf("bench %s %.2f %s tier=rtl source=%s %s\n", id, value, unit, source, parameters);
}

static struct tern_rptr word(struct lab *lab)
{
    return tern_region_pointer(lab->target.region, 0);
}

/* Takes `count` completions; the last one's word. */
static uint64_t complete(struct lab *lab, unsigned count)
{
    struct tern_completion completion = {0};
    char text[128];

    while (count) {
        int polled = tern_cq_poll(lab->origin.cq, &completion, 1);

        lab_must(polled, "poll");
        if (polled == 0) {
            lab_must(tern_cq_wait(lab->origin.cq, 60000), "wait");
            continue;
        }
        if (completion.status != TERN_ST_OK)
            errx(1, "%s", tern_completion_format(&completion, text, sizeof text));
        count--;
    }
    return completion.value;
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

/* ---- one alone */

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
    double latency;

    lab_settle(lab);
    memset(path, 0, sizeof *path);
    post(lab, kind, was, TERN_DFLAG_SIGNAL);
    expect(complete(lab, 1), was, "the word that an operation brings");
    expect(memory(lab), was + (kind != CAS_MISS), "the word");
    if (path->next != CUTS)
        errx(1, "%s: only %u of its stages were seen", name, path->next);
    snprintf(parameters, sizeof parameters, "r=%d hops=1", HOST_LATENCY);
    latency = (double)(path->at[CUTS - 1] - path->at[0] + CQE_BEATS - 1);
    snprintf(id, sizeof id, "%s_latency", name);
    figure(id, latency, "cycles", parameters);
    snprintf(id, sizeof id, "%s_latency_aim", name);
    figure(id, latency, "cycles", parameters);
    for (unsigned i = 1; i < CUTS; i++) {
        snprintf(id, sizeof id, "%s_%s", name, cuts[i].stage);
        figure(id, (double)(path->at[i] - path->at[i - 1]), "cycles", parameters);
    }
}

/* ---- a stream of them */

static uint64_t busy(const struct lab_end *end)
{
    uint64_t instructions, cycles;

    lab_must(tern_core_counters(end->device, &instructions, &cycles), "counters");
    return cycles;
}

static void stream(struct lab *lab, const char *name, enum kind kind)
{
    uint64_t was = memory(lab), origin, target, start, cycles;
    char id[64], parameters[64];

    lab_settle(lab);
    origin = busy(&lab->origin);
    target = busy(&lab->target);
    start = tern_sim_cycle(lab->sim);
    for (unsigned i = 0; i < STREAM; i++)
        post(lab, kind, was + i, TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    expect(complete(lab, STREAM), was + STREAM - 1, "the last word of a stream");
    cycles = tern_sim_cycle(lab->sim) - start;
    expect(memory(lab), was + STREAM, "the word");
    snprintf(parameters, sizeof parameters, "operations=%d r=%d", STREAM, HOST_LATENCY);
    snprintf(id, sizeof id, "%s_rate", name);
    figure(id, (double)cycles / STREAM, "cycles/operation", parameters);
    snprintf(id, sizeof id, "fw_cycles_per_%s_origin", name);
    figure(id, (double)(busy(&lab->origin) - origin) / STREAM, "cycles", parameters);
    snprintf(id, sizeof id, "fw_cycles_per_%s_target", name);
    figure(id, (double)(busy(&lab->target) - target) / STREAM, "cycles", parameters);
}

int main(void)
{
    struct path path;
    struct lab lab;

    memset(&path, 0, sizeof path);
    lab_open(&lab, 2, 0);
    tern_sim_on_event(lab.sim, seen, &path);
    memset(lab.target.buffer, 0, sizeof(uint64_t));
    post(&lab, ADD, 0, TERN_DFLAG_SIGNAL);
    complete(&lab, 1);
    alone(&lab, &path, "cas", CAS_HIT);
    alone(&lab, &path, "cas_miss", CAS_MISS);
    alone(&lab, &path, "add", ADD);
    stream(&lab, "cas", CAS_HIT);
    stream(&lab, "add", ADD);
    lab_close(&lab);
    return 0;
}
