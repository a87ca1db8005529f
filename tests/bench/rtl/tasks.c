/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of tasks of the next node's queue on rtl: taking one with its record; taking half of 32
 * at once, compared with the two steps of other designs (an addition to the head, then a read of
 * the records); ending one and taking the next; a stream of them; and eight workers at one word.
 *
 * Latency: first beat of the doorbell to last beat of the last completion, both at the host port of
 * the origin. The puts of claim words leave afterwards, and no worker waits for them; the figures
 * of streams include them.
 */
#include <tern/atomic.h>
#include <tern/read.h>
#include <tern/tasks.h>

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"
#include "tasks_steps.h"

enum {
    CLIENTS = 8,
    HALF = TERN_BLOCK_SLABS / 2,
    ROUNDS = 8,
    RECORD = 56,
    SCRATCH = 1 << 16, /* offset of the benchmark's own memory */
};

const char source[] = "tests/bench/rtl/tasks.c";

static struct lab lab;
static struct tern_worker worker;
static struct path path;

static void make_queue(void)
{
    worker = (struct tern_worker){
        .tasks = {.priorities = 1, .places = TERN_BLOCK_SLABS, .record_bytes = RECORD, .life = 1},
        .holder = {1, 1},
        .cq = lab.origin.cq,
        .sq = lab.origin.sq[0],
        .timeout_ms = 60000,
        .region = lab.origin.region,
        .scratch = lab.origin.buffer,
    };
    lab_must(tern_tasks_format(lab.target.buffer, LAB_BYTES, &worker.tasks), "format");
    worker.tasks.start = tern_region_pointer(lab.target.region, 0);
    tern_worker_init(&worker);
}

/* Pushes as many tasks as there are places; the hints are then right. */
static void fill(void)
{
    static const uint8_t records[TERN_BLOCK_SLABS][RECORD];
    struct tern_task none;

    lab_must(tern_tpush_wait(&worker, 0, records, TERN_BLOCK_SLABS) == TERN_BLOCK_SLABS
                 ? 0
                 : -TERN_ST_FULL,
             "push");
    tern_worker_init(&worker);
    lab_must(tern_tpop_wait(&worker, &none, 1), "the first task");
    lab_must(tern_tdone_wait(&worker, &none), "the first task done");
    lab_settle(&lab);
    lab_must(tern_tpush_wait(&worker, 0, records, 1), "push");
    lab_settle(&lab);
}

static uint64_t hint(void)
{
    uint64_t word;

    memcpy(&word, lab.target.buffer, sizeof(word));
    return word;
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

static struct tern_tpop prepared(uint32_t wanted, uint64_t map)
{
    return (struct tern_tpop){.wanted = wanted,
                              .hint = map,
                              .region = worker.region,
                              .landing = lab.origin.buffer + SCRATCH};
}

/* ---- a single task, and half of all */

/* Takes tasks; returns the cycles. */
static double taken(struct tern_tpop *pop)
{
    int status;

    lab_settle(&lab);
    path_begin(&path, NULL);
    lab_must(tern_tpop_post(worker.sq, &worker.tasks, pop, 1), "pop");
    do {
        struct tern_completion done = complete();

        status = tern_tpop_done(worker.sq, &worker.tasks, worker.holder, pop, &done, 1);
    } while (status == 1);
    lab_must(status, "pop");
    return path_latency(&path);
}

static void all_done(struct tern_tpop *pop)
{
    struct tern_task task;

    lab_settle(&lab);
    while (tern_tpop_next(&worker.tasks, pop, &task))
        lab_must(tern_tdone_wait(&worker, &task), "done");
    lab_settle(&lab);
}

/* Also counts packets, including puts of claim words and their acks. */
static double take_alone(const char *name, uint32_t wanted, uint64_t map, const char *parameters)
{
    uint64_t out = packets(&lab.origin), back = packets(&lab.target);
    struct tern_tpop pop = prepared(wanted, map);
    double cycles;
    char id[64];

    cycles = taken(&pop);
    snprintf(id, sizeof id, "%s_latency", name);
    figure(id, cycles, "cycles", parameters);
    lab_settle(&lab);
    snprintf(id, sizeof id, "%s_round_trips", name);
    figure(id, pop.reread ? 2 : 1, "round_trips", parameters);
    snprintf(id, sizeof id, "%s_packets_out", name);
    figure(id, (double)(packets(&lab.origin) - out), "packets", parameters);
    snprintf(id, sizeof id, "%s_packets_back", name);
    figure(id, (double)(packets(&lab.target) - back), "packets", parameters);
    all_done(&pop);
    return cycles;
}

/*
 * Steals as other designs do: one operation takes from a counter, whose result tells what to read.
 * `ours` is the time to take half of the tasks above.
 */
static void two_steps(double ours, const char *parameters)
{
    struct tern_rptr spare = tern_region_pointer(lab.target.region, LAB_BYTES / 2);

    lab_settle(&lab);
    path_begin(&path, NULL);
    lab_must(tern_fetch_add(worker.sq, spare, HALF, TERN_DFLAG_SIGNAL, 1), "addition");
    (void)complete();
    lab_must(tern_read(worker.sq, tern_rptr_add(spare, 64), worker.region,
                       lab.origin.buffer + SCRATCH, HALF * (RECORD + 8), TERN_DFLAG_SIGNAL, 1),
             "read");
    (void)complete();
    figure("steal_two_steps_latency", path_latency(&path), "cycles", parameters);
    figure("steal_half_over_two_steps", ours / path_latency(&path), "times", parameters);
}

static void alone(void)
{
    char parameters[64];
    double half;

    snprintf(parameters, sizeof parameters, "r=%d hops=1 record=%d", HOST_LATENCY, RECORD);
    fill();
    (void)take_alone("tpop", 0, hint(), parameters);
    (void)take_alone("tpop_unknown", 0, UINT64_MAX, parameters);
    make_queue();
    fill();
    half = take_alone("steal_half", 0xffffu << HALF, hint(), parameters);
    two_steps(half, parameters);
}

/* ---- repeatedly ending one and taking the next */

static void row(void)
{
    struct tern_task task;
    uint64_t start, cycles;
    char parameters[64];
    unsigned count = 0;
    int status, done;

    make_queue();
    fill();
    tern_worker_init(&worker);
    lab_must(tern_tpop_wait(&worker, &task, 1), "pop");
    lab_settle(&lab);
    start = tern_sim_cycle(lab.sim);
    do {
        status = tern_tnext_wait(&worker, &task, &done);
        lab_must(done, "done");
        count++;
    } while (status == 1);
    cycles = tern_sim_cycle(lab.sim) - start;
    snprintf(parameters, sizeof parameters, "tasks=%u reread=%u r=%d", count, worker.counts.rereads,
             HOST_LATENCY);
    figure("tnext_time", (double)cycles / count, "cycles/task", parameters);
}

/* ---- many workers, each with its own queue, all requests at once */

static unsigned got(struct tern_tpop *pops, unsigned *rereads)
{
    unsigned tasks = 0;

    for (unsigned left = TERN_BLOCK_SLABS; left > 0;) {
        struct tern_completion done = complete();
        struct tern_tpop *pop;
        int status;

        if (done.context == 0)
            continue;
        pop = &pops[done.context - 1];
        status = tern_tpop_done(lab.origin.sq[done.context % CLIENTS], &worker.tasks, worker.holder,
                                pop, &done, done.context);
        left -= status != 1;
        tasks += status == 0;
        *rereads += status != 1 && pop->reread;
    }
    return tasks;
}

/* Sets each hint to its value at that request, if the requests arrive in order. */
static void many(unsigned queues, const char *name)
{
    static struct tern_tpop pops[TERN_BLOCK_SLABS];
    struct core before, after;
    uint64_t start, cycles, map;
    char parameters[80], id[64];
    unsigned tasks, rereads = 0;

    make_queue();
    fill();
    lab_settle(&lab);
    map = hint();
    before = core(&lab.target);
    start = tern_sim_cycle(lab.sim);
    for (unsigned i = 0; i < TERN_BLOCK_SLABS; i++, map |= map + 1) {
        pops[i] = prepared(0, map);
        lab_must(tern_tpop_post(lab.origin.sq[(i + 1) % queues], &worker.tasks, &pops[i], i + 1),
                 "pop");
    }
    tasks = got(pops, &rereads);
    cycles = tern_sim_cycle(lab.sim) - start;
    lab_settle(&lab);
    after = core(&lab.target);
    snprintf(parameters, sizeof parameters, "tasks=%u clients=%u reread=%u r=%d", tasks, queues,
             rereads, HOST_LATENCY);
    snprintf(id, sizeof id, "%s_rate", name);
    figure(id, (double)cycles / tasks, "cycles/task", parameters);
    snprintf(id, sizeof id, "%s_retries", name);
    figure(id, (double)(TERN_BLOCK_SLABS - tasks), "requests", parameters);
    snprintf(id, sizeof id, "fw_instructions_per_%s", name);
    figure(id, (double)(after.instructions - before.instructions) / tasks, "instructions",
           parameters);
}

int main(void)
{
    lab_open(&lab, 2, 0);
    lab_queues(&lab, CLIENTS);
    tern_sim_on_event(lab.sim, path_seen, &path);
    make_queue();
    alone();
    row();
    many(1, "tpop");
    many(CLIENTS, "tpop_clients");
    lab_close(&lab);
    return 0;
}
