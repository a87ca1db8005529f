/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Measures a small operation of one process while another process of the same node sends puts of 16
 * MiB.
 *
 * Node 0 has two processes. One keeps puts of LONG bytes to node 1 in flight, on 1, 4 and 16
 * queues. At random times the other one puts 8 bytes inline to node 1, and a process of node 1
 * reads 64 bytes of node 0, so that the answer leaves between those puts. Latency: first beat of
 * the doorbell to the last beat of the completion, at the host port of the requesting node; the
 * worst of ROUNDS. For puts also from the firmware's command to the ack, without the firmware. The
 * throughput of the long puts is measured, too, so that delaying them is no gain.
 */
#include <tern/read.h>

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum {
    LONG = 16 << 20,
    EACH = 3,
    ROUNDS = 40,
    PAUSE = 1024,
    LINK_BYTES = 8,
    SMALL = 64,
    CQ_LOG2 = 6,
    SQ_LOG2 = 6
};

const char source[] = "tests/bench/rtl/beside.c";

struct process {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq[LAB_QUEUES_MAX];
    struct tern_region *region;
    uint8_t *memory;
};

/*
 * Times of the last operation of `node`: first beat of its doorbell, command of the firmware, first
 * ack, last beat of its completion.
 */
struct seen {
    unsigned node, slot;
    uint64_t doorbell, command, ack, completion;
};

static void see(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    struct seen *seen = ctx;

    if (node != seen->node)
        return;
    if (lane == TERN_TRACE_DB_FIRST && seen->doorbell == 0)
        seen->doorbell = cycle;
    if (lane == TERN_TRACE_TX_CMD && seen->doorbell != 0 && seen->command == 0) {
        seen->command = cycle;
        seen->slot = id;
    }
    if (lane == TERN_TRACE_ACK_IN && seen->command != 0 && seen->ack == 0 &&
        (id & 0xff) == seen->slot)
        seen->ack = cycle;
    if (lane == TERN_TRACE_HWR_FIRST && (id & TERN_HWTAG_CQ) != 0)
        seen->completion = cycle + TERN_CQE_BYTES / LINK_BYTES - 1;
}

static int let_time_pass(void *arg)
{
    tern_sim_run(arg, 8);
    return 0;
}

static struct process process(struct lab *lab, unsigned node, unsigned queues)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
                            TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE;
    struct process made = {.memory = aligned_alloc(4096, LONG)};

    if (!made.memory)
        err(1, "memory");
    memset(made.memory, 0x3c, LONG);
    lab_must(tern_open_fd(tern_sim_connect(lab->sim, node), let_time_pass, lab->sim, &made.device),
             "open");
    lab_must(tern_register(made.device, made.memory, LONG, rights, &made.region), "register");
    lab_must(tern_cq_create(made.device, CQ_LOG2, TERN_CQ_POLLED, &made.cq), "completion queue");
    for (unsigned i = 0; i < queues; i++)
        lab_must(tern_sq_create(made.cq, SQ_LOG2, &made.sq[i]), "send queue");
    return made;
}

static void wait_one(struct process *process)
{
    struct tern_completion completion;
    int polled;

    while ((polled = tern_cq_poll(process->cq, &completion, 1)) == 0)
        lab_must(tern_cq_wait(process->cq, 60000), "wait");
    lab_must(polled, "poll");
    if (completion.status != TERN_ST_OK)
        errx(1, "a small operation ended with status %u", completion.status);
}

static unsigned draw(unsigned below)
{
    static uint32_t state = 2463534242u;

    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state % below;
}

struct latencies {
    uint64_t worst, sum;
    uint64_t chip; /* of puts: the worst from command to ack, without the firmware */
};

static void note(struct latencies *latencies, const struct seen *seen)
{
    uint64_t took = seen->completion - seen->doorbell;

    if (seen->doorbell == 0 || seen->completion <= seen->doorbell)
        errx(1, "no doorbell or no completion was seen");
    latencies->sum += took;
    if (seen->ack - seen->command > latencies->chip)
        latencies->chip = seen->ack - seen->command;
    if (took > latencies->worst)
        latencies->worst = took;
}

static void beside(unsigned queues)
{
    struct latencies put = {0}, read = {0};
    struct process sender, small, other;
    struct lab lab;
    struct seen seen = {0};
    uint64_t start, deposits;
    char parameters[96];

    lab_open(&lab, 2, 0);
    tern_sim_on_event(lab.sim, see, &seen);
    sender = process(&lab, 0, queues);
    small = process(&lab, 0, 1);
    other = process(&lab, 1, 1);
    /* the first operation of a queue takes longer */
    lab_must(tern_put_inline(small.sq[0], tern_region_pointer(other.region, 0), "12345678", 8,
                             TERN_DFLAG_SIGNAL, 0),
             "put");
    wait_one(&small);
    lab_must(tern_read(other.sq[0], tern_region_pointer(small.region, 0), other.region,
                       other.memory, SMALL, TERN_DFLAG_SIGNAL, 0),
             "read");
    wait_one(&other);
    for (unsigned i = 0; i < EACH * queues; i++)
        lab_must(tern_put(sender.sq[i % queues], tern_region_pointer(other.region, 0),
                          sender.region, sender.memory, LONG, TERN_DFLAG_SIGNAL, i),
                 "long put");
    tern_sim_run(lab.sim, 4096);
    lab_watch(&lab);
    start = tern_sim_cycle(lab.sim);
    for (unsigned i = 0; i < ROUNDS; i++) {
        tern_sim_run(lab.sim, 8 * (1 + draw(PAUSE / 8)));
        seen = (struct seen){.node = 0};
        lab_must(tern_put_inline(small.sq[0], tern_region_pointer(other.region, 64), "12345678", 8,
                                 TERN_DFLAG_SIGNAL, i),
                 "put");
        wait_one(&small);
        note(&put, &seen);
        tern_sim_run(lab.sim, 8 * (1 + draw(PAUSE / 8)));
        seen = (struct seen){.node = 1};
        lab_must(tern_read(other.sq[0], tern_region_pointer(small.region, 64 * i), other.region,
                           other.memory, SMALL, TERN_DFLAG_SIGNAL, i),
                 "read");
        wait_one(&other);
        note(&read, &seen);
    }
    deposits = lab.watch.deposits;
    snprintf(parameters, sizeof parameters, "queues=%u long=%d puts=%u of=%d r=%d", queues, LONG,
             EACH * queues, ROUNDS, HOST_LATENCY);
    figure("put_inline_8_beside_long", (double)put.worst, "cycles", parameters);
    figure("put_inline_8_beside_long_mean", (double)put.sum / ROUNDS, "cycles", parameters);
    figure("put_inline_8_beside_long_chip", (double)put.chip, "cycles", parameters);
    figure_and_aim("read64_beside_long", (double)read.worst, "cycles", parameters);
    figure("read64_beside_long_mean", (double)read.sum / ROUNDS, "cycles", parameters);
    figure("long_beside_small", 100.0 * (double)(deposits - ROUNDS) * wire_bytes(512) /
           ((double)(tern_sim_cycle(lab.sim) - start) * LINK_BYTES), "%wire", parameters);
    tern_sim_destroy(lab.sim); /* this also ends the long puts */
    free(sender.memory);
    free(small.memory);
    free(other.memory);
}

int main(void)
{
    beside(1);
    beside(4);
    beside(LAB_QUEUES_MAX);
    return 0;
}
