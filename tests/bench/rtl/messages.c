/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures the cost of messages, queue pairs, chains and fences on rtl.
 *
 * One way: from the first beat of the doorbell at the host port of the origin to the first beat of
 * the completion at that of the target. A ping-pong is a message each way; the answer is posted as
 * soon as the message is polled. A step of a chain: the time from the doorbell to the chain's
 * completion, divided by its steps. Repeated measurements give their median.
 */
#include <tern/chain.h>
#include <tern/pair.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum {
    ROUNDS = 9,
    STREAM = 128,
    RING_LOG2 = 8,
    ENTRY_LOG2 = 12,
    BUFFERS = 1 << RING_LOG2,
    CHAIN_MAX = 16,
    LONG = 4096
};

const char source[] = "tests/bench/rtl/messages.c";

/* Events of the trace ports in this round. */
static struct {
    uint64_t rung, told;     /* doorbell of node 0; completion at node 1 */
    uint64_t ended;          /* completion at node 0 */
} seen;

static void on_event(void *arg, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)arg;
    if (node == 0 && lane == TERN_TRACE_DB_FIRST && seen.rung == 0)
        seen.rung = cycle;
    if (lane == TERN_TRACE_HWR_FIRST && id & TERN_HWTAG_CQ)
        *(node == 0 ? &seen.ended : &seen.told) = cycle;
}

static int in_order(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static double middle(uint64_t *values)
{
    qsort(values, ROUNDS, sizeof values[0], in_order);
    return (double)values[ROUNDS / 2];
}

static void begin(struct lab *lab)
{
    lab_settle(lab);
    memset(&seen, 0, sizeof seen);
}

/* ---- messages into a reception FIFO */

static struct tern_rq *rq;

static void send(struct lab *lab, uint32_t bytes, unsigned flags)
{
    struct tern_target to = {.node = 1, .queue = tern_rq_number(rq)};

    lab_must(tern_send(lab->origin.sq[0], to,
                       bytes > TERN_INLINE_BYTES_MAX ? lab->origin.region : NULL,
                       lab->origin.buffer, bytes, flags, 0),
             "send");
}

static void take(struct lab *lab, unsigned count)
{
    lab_complete(&lab->target, count);
    lab_must(tern_rq_release(rq, count), "release");
}

static void messages(struct lab *lab)
{
    uint64_t ways[ROUNDS], start;
    struct core origin, target;

    lab_must(tern_rq_create(lab->target.cq, RING_LOG2, ENTRY_LOG2, TERN_QUEUE_ANY, &rq),
             "reception FIFO");
    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(lab);
        send(lab, 8, TERN_DFLAG_SIGNAL);
        take(lab, 1);
        lab_complete(&lab->origin, 1);
        ways[i] = seen.told - seen.rung;
    }
    figure("message_8_one_way", middle(ways), "cycles", "r=120 hops=1");
    begin(lab);
    origin = core(&lab->origin);
    target = core(&lab->target);
    start = tern_sim_cycle(lab->sim);
    for (unsigned i = 0; i < STREAM; i++)
        send(lab, 64, TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    take(lab, STREAM);
    lab_complete(&lab->origin, STREAM);
    figure("message_64_rate", (double)(tern_sim_cycle(lab->sim) - start) / STREAM,
           "cycles/message", "r=120 messages=128");
    figure("fw_cycles_per_message_origin",
           (double)(core(&lab->origin).cycles - origin.cycles) / STREAM, "cycles", "bytes=64");
    figure("fw_cycles_per_message_target",
           (double)(core(&lab->target).cycles - target.cycles) / STREAM, "cycles", "bytes=64");
    lab_must(tern_rq_destroy(rq), "reception FIFO");
}

/* ---- queue pairs */

struct side {
    struct lab_end *end;
    struct tern_inbox *inbox;
    struct tern_pair *pair;
};

static void open_side(struct side *side, struct lab_end *end)
{
    side->end = end;
    lab_must(tern_inbox_create(end->cq, RING_LOG2, ENTRY_LOG2, 0, &side->inbox), "inbox");
    lab_must(tern_pair_create(end->cq, TERN_PAIR_RC, RING_LOG2, side->inbox, &side->pair), "pair");
    for (unsigned i = 0; i < BUFFERS / 2; i++)
        lab_must(tern_inbox_post(side->inbox, end->buffer + (1 << 20) + i * LONG, LONG, 0),
                 "buffer");
}

static void connect_side(const struct side *side, const struct side *other)
{
    const struct tern_pair_peer peer = {.name = tern_pair_name(other->pair)};

    lab_must(tern_pair_connect(side->pair, &peer), "connect");
    lab_must(tern_pair_start(side->pair, 0, TERN_PAIR_FOR_EVER), "start");
}

static void pair_send(const struct side *side, uint32_t bytes)
{
    lab_must(tern_pair_send(side->pair, bytes > TERN_INLINE_BYTES_MAX ? side->end->region : NULL,
                            side->end->buffer, bytes, 0, 0, 0),
             "send");
}

static void one_way(struct lab *lab, const struct side *from, uint32_t bytes, const char *id)
{
    uint64_t ways[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(lab);
        pair_send(from, bytes);
        lab_complete(&lab->target, 1);
        ways[i] = seen.told - seen.rung;
    }
    figure(id, middle(ways), "cycles", "r=120 hops=1");
}

static void pairs(struct lab *lab)
{
    struct side a, b;
    uint64_t trips[ROUNDS], start;

    open_side(&a, &lab->origin);
    open_side(&b, &lab->target);
    connect_side(&a, &b);
    connect_side(&b, &a);
    one_way(lab, &a, 8, "pair_8_one_way");
    one_way(lab, &a, LONG, "pair_4096_one_way");
    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(lab);
        start = tern_sim_cycle(lab->sim);
        pair_send(&a, 8);
        lab_complete(&lab->target, 1);
        pair_send(&b, 8);
        lab_complete(&lab->origin, 1);
        trips[i] = tern_sim_cycle(lab->sim) - start;
    }
    figure("pair_8_ping_pong", middle(trips), "cycles", "r=120 hops=1");
}

/* ---- chains and fences */

static struct tern_rptr place(struct lab *lab, unsigned i)
{
    return tern_region_pointer(lab->target.region, 64 * i);
}

static double chain(struct lab *lab, unsigned steps)
{
    struct tern_sq *sq = lab->origin.sq[0];
    uint64_t times[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(lab);
        for (unsigned n = 0; n < steps; n++)
            lab_must(tern_put_inline(sq, place(lab, n), lab->origin.buffer, 8,
                                     n + 1 == steps ? TERN_DFLAG_SIGNAL : TERN_LINK, 0),
                     "step");
        lab_complete(&lab->origin, 1);
        times[i] = seen.ended - seen.rung;
    }
    return middle(times) / steps;
}

static void chains(struct lab *lab)
{
    for (unsigned steps = 4; steps <= CHAIN_MAX; steps *= 2) {
        char parameters[32];

        snprintf(parameters, sizeof parameters, "steps=%u r=120", steps);
        figure("chain_step", chain(lab, steps), "cycles/step", parameters);
    }
}

/* The second put starts after the first has ended. */
static void fence(struct lab *lab)
{
    struct tern_sq *sq = lab->origin.sq[0];
    uint64_t times[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        begin(lab);
        lab_must(tern_put_inline(sq, place(lab, 0), lab->origin.buffer, 8, TERN_MORE, 0), "put");
        lab_must(tern_put_inline(sq, place(lab, 1), lab->origin.buffer, 8,
                                 TERN_DFLAG_FENCE | TERN_DFLAG_SIGNAL, 0),
                 "fence");
        lab_complete(&lab->origin, 1);
        times[i] = seen.ended - seen.rung;
    }
    figure("fenced_put", middle(times), "cycles", "r=120 puts=2");
}

int main(void)
{
    struct lab lab;

    lab_open(&lab, 2, 0);
    tern_sim_on_event(lab.sim, on_event, NULL);
    messages(&lab);
    pairs(&lab);
    chains(&lab);
    fence(&lab);
    lab_close(&lab);
    return 0;
}
