/* SPDX-License-Identifier: Apache-2.0 */
/* Figures from the trace ports of all nodes. */
#include "measure.h"

#include <stdlib.h>

#include "tern_abi.h"

enum { HISTOGRAM = 4096 }; /* the last entry counts all longer times */

/* The firmware of one node while it handles an event. */
struct work {
    uint64_t offered; /* a bit per slot: its event waits */
    uint64_t begin;   /* cycle in which the event was taken; 0: asleep */
    bool descriptor;  /* the event may be a descriptor's */
    bool started;     /* a message was started */
};

/* Progress of the put being followed. */
enum stage { STAGE_NONE, STAGE_RUNG, STAGE_READY, STAGE_STARTED, STAGE_SENT, STAGE_ARRIVED };

struct tern_measure {
    struct work work[TERN_SIM_NODES_MAX];
    uint32_t histogram[HISTOGRAM];
    uint64_t count;
    unsigned longest;

    unsigned in_flight; /* operations, over all nodes */
    enum stage stage;
    unsigned from, to, id;
    uint64_t rung, ready, started, sent, arrived;
    struct tern_measure_put put;
};

/* ---- firmware ---- */

static void work_end(struct tern_measure *measure, struct work *work, uint64_t cycle)
{
    uint64_t took = cycle - work->begin;

    if (work->begin != 0 && work->descriptor && work->started) {
        measure->histogram[took < HISTOGRAM ? took : HISTOGRAM - 1]++;
        measure->count++;
        if (took > measure->longest)
            measure->longest = (unsigned)took;
    }
    work->begin = 0;
}

/*
 * Begins to measure the handling of an event. The id of a descriptor's event is its slot. Events of
 * other kinds may look alike, but start no message while a descriptor waits in that slot.
 */
static void work_begin(struct work *work, unsigned id, uint64_t cycle)
{
    uint64_t slot = UINT64_C(1) << (id >> TERN_EV_slot_LSB & 63);

    work->begin = cycle;
    work->started = false;
    work->descriptor = (work->offered & slot) != 0;
    if (work->descriptor)
        work->offered &= ~slot;
}

static void follow_firmware(struct tern_measure *measure, unsigned node, uint64_t cycle,
                            unsigned lane, unsigned id)
{
    struct work *work = &measure->work[node];

    switch (lane) {
    case TERN_TRACE_DESC_READY:
        work->offered |= UINT64_C(1) << (id & 63);
        break;
    case TERN_TRACE_FW_POP:
        work_end(measure, work, cycle);
        work_begin(work, id, cycle);
        break;
    case TERN_TRACE_TX_CMD:
        work->started = true;
        break;
    case TERN_TRACE_CORE_SLEEP:
        work_end(measure, work, cycle);
        break;
    default:
        break;
    }
}

/* ---- latency ---- */

/* Stops following the put: another operation came in between. */
static void spoil(struct tern_measure *measure)
{
    measure->stage = STAGE_NONE;
}

static void put_done(struct tern_measure *measure, uint64_t cycle)
{
    measure->put = (struct tern_measure_put){
        .seen = true,
        .from = measure->from,
        .to = measure->to,
        .doorbell = (unsigned)(measure->ready - measure->rung),
        .firmware = (unsigned)(measure->started - measure->ready),
        .read = (unsigned)(measure->sent - measure->started),
        .wire = (unsigned)(measure->arrived - measure->sent),
        .deposit = (unsigned)(cycle - measure->arrived),
        .total = (unsigned)(cycle - measure->rung)};
    measure->stage = STAGE_NONE;
}

static void follow_origin(struct tern_measure *measure, unsigned node, uint64_t cycle,
                          unsigned lane, unsigned id)
{
    bool same = node == measure->from;

    switch (lane) {
    case TERN_TRACE_DB_FIRST:
        if (measure->stage > STAGE_RUNG || measure->in_flight > 0)
            break; /* a consumer's doorbell, or a busy queue */
        measure->stage = STAGE_RUNG;
        measure->from = node;
        measure->rung = cycle;
        break;
    case TERN_TRACE_DESC_READY:
        if (measure->stage == STAGE_RUNG && same) {
            measure->stage = STAGE_READY;
            measure->ready = cycle;
        } else {
            spoil(measure);
        }
        break;
    case TERN_TRACE_TX_CMD:
        if (measure->stage == STAGE_READY && same && measure->in_flight == 0) {
            measure->stage = STAGE_STARTED;
            measure->started = cycle;
        } else {
            spoil(measure);
        }
        measure->in_flight += id != TERN_OP_NONE;
        break;
    case TERN_TRACE_TX_SOP:
        if (measure->stage == STAGE_STARTED && same) {
            measure->stage = STAGE_SENT;
            measure->sent = cycle;
            measure->id = id;
        } else {
            spoil(measure); /* the second packet of a longer message */
        }
        break;
    case TERN_TRACE_OP_DONE:
        measure->in_flight -= measure->in_flight > 0;
        break;
    default:
        break;
    }
}

static void follow_target(struct tern_measure *measure, unsigned node, uint64_t cycle,
                          unsigned lane, unsigned id)
{
    if (id != measure->id)
        return;
    if (lane == TERN_TRACE_RX_GOOD && measure->stage == STAGE_SENT) {
        measure->stage = STAGE_ARRIVED;
        measure->to = node;
        measure->arrived = cycle;
    } else if (lane == TERN_TRACE_DEP_LAST && measure->stage == STAGE_ARRIVED &&
               node == measure->to) {
        put_done(measure, cycle);
    }
}

static void on_event(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    follow_firmware(ctx, node, cycle, lane, id);
    follow_origin(ctx, node, cycle, lane, id);
    follow_target(ctx, node, cycle, lane, id);
}

/* ---- results ---- */

struct tern_measure *tern_measure_new(struct tern_sim *sim)
{
    struct tern_measure *measure = calloc(1, sizeof *measure);

    if (measure != NULL)
        tern_sim_on_event(sim, on_event, measure);
    return measure;
}

void tern_measure_free(struct tern_measure *measure)
{
    free(measure);
}

struct tern_measure_firmware tern_measure_firmware(const struct tern_measure *measure)
{
    struct tern_measure_firmware figure = {.count = measure->count, .max = measure->longest};
    uint64_t seen = 0;
    bool first = true;

    for (unsigned took = 0; took < HISTOGRAM && seen * 2 < measure->count; took++) {
        if (measure->histogram[took] > 0 && first) {
            figure.min = took;
            first = false;
        }
        seen += measure->histogram[took];
        figure.median = took;
    }
    return figure;
}

struct tern_measure_put tern_measure_put(const struct tern_measure *measure)
{
    return measure->put;
}
