/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Allocations of 1 to 64 clients at once from the memory of one node, in four ways in one run: the
 * two paths of heaps; a free list with a lock, taken by compare-and-swap; requests by
 * message, which the host of the memory answers.  The clock is read every few cycles; hosts take
 * no time.
 *
 * usage: heaps [SVG]
 */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <tern/atomic.h>

#include "figures.h"
#include "heap_yard.h"
#include "lines.h"

enum { BLOCKS = 8, SIZE = 200, STEP = 64, SETTLE = 8000, SLABS = 256, MESSAGE_LOG2 = 6 };

const char source[] = "tests/bench/rtl/heaps.c";

static const unsigned counts[] = {1, 4, 16, 64};
enum { COUNTS = sizeof(counts) / sizeof(counts[0]) };

enum way { FAST, LITERAL, LOCKED, ASKED, WAYS };
static const char *const names[WAYS] = {"fast", "literal", "lock and list", "messages"};
static const char *const ids[WAYS] = {"heap_fast", "heap_literal", "heap_locked", "heap_asked"};

static double cycles_of[WAYS][COUNTS], instructions_of[WAYS][COUNTS];

/* ---- the paths of a heap */

static unsigned poll_heaps(void)
{
    unsigned ended = 0;

    for (unsigned i = 0; i < yard.count; i++) {
        struct tern_heap_done done;

        if (tern_heap_poll(yard.heap[i], &done, 1) != 1)
            continue;
        rig_need(done.status, "an allocation");
        ended++;
    }
    return ended;
}

static void post_heaps(void)
{
    for (unsigned i = 0; i < yard.count; i++)
        rig_need(tern_alloc_post(yard.heap[i], TERN_ALLOC_ANY, SIZE, i), "tern_alloc_post");
}

/* Each client has met a block. */
static void meet(void)
{
    for (unsigned i = 0; i < yard.count; i++) {
        struct tern_ptr at;

        rig_need(tern_alloc(yard.heap[i], SIZE, &at), "tern_alloc");
        rig_need(tern_free(yard.heap[i], at), "tern_free");
    }
}

/* ---- others, with queues of their own */

/* Memory of the owner: the lock, the first free slab, the one after each. */
static uint64_t list[2 + SLABS];
static struct tern_rptr list_at;

enum step { LOCK, FIRST, NEXT, UNLOCK, DONE };

static struct other {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    enum step step;
    uint64_t slab;
    uint16_t answer; /* where it goes */
} others[YARD_MEMBERS];
static unsigned others_count;

static struct tern_rptr word_at(uint64_t word)
{
    return tern_rptr_add(list_at, word * 8);
}

static void open_others(void)
{
    for (unsigned i = 0; i < YARD_MEMBERS; i++) {
        struct other *o = &others[i];

        o->device = yard.device[i % YARD_NODES];
        rig_need(tern_cq_create(o->device, 5, 0, &o->cq), "tern_cq_create");
        rig_need(tern_sq_create(o->cq, 4, &o->sq), "tern_sq_create");
        rig_need(tern_rq_create(o->cq, 2, MESSAGE_LOG2, TERN_QUEUE_ANY, &o->rq), "tern_rq_create");
        rig_need(tern_register(o->device, o, sizeof(*o), TERN_RIGHT_LOCAL_READ, &o->region),
                 "tern_register");
    }
}

static void post_step(struct other *o, unsigned number)
{
    struct tern_rptr lock = word_at(0), first = word_at(1);
    uint64_t id = number + 1;
    int status;

    if (o->step == LOCK)
        status = tern_compare_swap(o->sq, lock, 0, id, TERN_DFLAG_SIGNAL, 0);
    else if (o->step == FIRST)
        status = tern_fetch_add(o->sq, first, 0, TERN_DFLAG_SIGNAL, 0);
    else if (o->step == NEXT)
        status = tern_fetch_add(o->sq, word_at(2 + o->slab), 0, TERN_DFLAG_SIGNAL, 0);
    else
        status = tern_compare_swap(o->sq, lock, id, 0, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0);
    rig_need(status, "a step");
}

/* The list goes on after the slab; the put is not waited for but by the fence. */
static void judge(struct other *o, uint64_t value)
{
    if (o->step == LOCK) {
        o->step = value == 0 ? FIRST : LOCK;
    } else if (o->step == FIRST) {
        o->slab = value;
        o->step = NEXT;
    } else if (o->step == NEXT) {
        rig_need(tern_put_inline(o->sq, word_at(1), &value, sizeof(value), 0, 0), "put");
        o->step = UNLOCK;
    } else {
        o->step = DONE;
    }
}

static void post_locked(void)
{
    for (unsigned i = 0; i < others_count; i++) {
        others[i].step = LOCK;
        post_step(&others[i], i);
    }
}

static unsigned poll_locked(void)
{
    unsigned ended = 0;

    for (unsigned i = 0; i < others_count; i++) {
        struct other *o = &others[i];
        struct tern_completion done;

        if (tern_cq_poll(o->cq, &done, 1) <= 0)
            continue;
        rig_need(-(int)done.status, "a step");
        judge(o, done.value);
        if (o->step == DONE)
            ended++;
        else
            post_step(o, i);
    }
    return ended;
}

/* ---- by message */

static struct {
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    uint64_t next;
} host;

static void open_host(void)
{
    struct tern_region *region;

    rig_need(tern_register(yard.server, list, sizeof(list),
                           TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE, &region),
             "tern_register");
    list_at = tern_region_pointer(region, 0);
    rig_need(tern_cq_create(yard.server, 8, 0, &host.cq), "tern_cq_create");
    rig_need(tern_sq_create(host.cq, 7, &host.sq), "tern_sq_create");
    rig_need(tern_rq_create(host.cq, 7, MESSAGE_LOG2, TERN_QUEUE_ANY, &host.rq), "tern_rq_create");
}

static void post_asked(void)
{
    const struct tern_target to = {.node = tern_node(YARD_SERVER, 0, 0),
                                   .queue = tern_rq_number(host.rq)};

    for (unsigned i = 0; i < others_count; i++) {
        others[i].answer = tern_rq_number(others[i].rq);
        rig_need(tern_send(others[i].sq, to, others[i].region, &others[i].answer,
                           sizeof(others[i].answer), 0, 0), "send");
    }
}

/* The host pops the list and answers. */
static void answer(void)
{
    struct tern_completion done;

    while (tern_cq_poll(host.cq, &done, 1) == 1) {
        struct tern_target to = {.node = done.node};

        if (done.opcode != TERN_OP_RECV)
            continue;
        memcpy(&to.queue, done.data, sizeof(to.queue));
        rig_need(tern_rq_release(host.rq, 1), "release");
        rig_need(tern_send(host.sq, to, host.region, &host.next, sizeof(host.next), 0, 0), "send");
        host.next++;
    }
}

static unsigned poll_asked(void)
{
    unsigned ended = 0;

    answer();
    for (unsigned i = 0; i < others_count; i++) {
        struct tern_completion done;

        if (tern_cq_poll(others[i].cq, &done, 1) != 1 || done.opcode != TERN_OP_RECV)
            continue;
        rig_need(tern_rq_release(others[i].rq, 1), "release");
        ended++;
    }
    return ended;
}

/* ---- figures */

static uint64_t instructions(void)
{
    uint64_t count, busy;

    rig_need(tern_core_counters(yard.server, &count, &busy), "tern_core_counters");
    return count;
}

static void measure(enum way way, unsigned at, void (*post)(void), unsigned (*poll)(void))
{
    unsigned n = counts[at], ended = 0;
    uint64_t before, start, messages;
    char parameters[64], id[64];

    yard_run(SETTLE);
    before = instructions();
    messages = yard.owner_messages;
    start = tern_sim_cycle(rig_sim);
    post();
    while (ended < n) {
        tern_sim_run(rig_sim, STEP);
        ended += poll();
    }
    messages = yard.owner_messages - messages;
    cycles_of[way][at] = (double)(tern_sim_cycle(rig_sim) - start) / n;
    yard_run(SETTLE);
    instructions_of[way][at] = (double)(instructions() - before) / n;
    snprintf(parameters, sizeof(parameters), "clients=%u", n);
    snprintf(id, sizeof(id), "%s_%u", ids[way], n);
    figure(id, cycles_of[way][at], "cycles", parameters);
    snprintf(id, sizeof(id), "%s_%u_instructions", ids[way], n);
    figure(id, instructions_of[way][at], "instructions", parameters);
    snprintf(id, sizeof(id), "%s_%u_owner_messages", ids[way], n);
    figure(id, (double)messages / n, "messages", parameters);
}

static void heaps(enum way way, enum tern_alloc_path path)
{
    const struct tern_heap_config config = {.path = path, .tries = 100000};

    for (unsigned at = 0; at < COUNTS; at++) {
        yard_join(counts[at], &config);
        meet();
        measure(way, at, post_heaps, poll_heaps);
        yard_quit();
    }
}

static void baselines(void)
{
    open_host();
    open_others();
    for (uint64_t i = 0; i < SLABS; i++)
        list[2 + i] = i + 1;
    for (unsigned at = 0; at < COUNTS; at++) {
        others_count = counts[at];
        measure(LOCKED, at, post_locked, poll_locked);
        measure(ASKED, at, post_asked, poll_asked);
    }
}

/* Draws what each way costs, in cycles and in instructions of the owner's NIC. */
static void plot(const char *path)
{
    static const char *const colours[WAYS] = {"#2ca02c", "#1f77b4", "#d62728", "#9467bd"};
    double x[WAYS * COUNTS], cycles[WAYS * COUNTS], instructions[WAYS * COUNTS];
    const struct svg_lines form = {.x_unit = "clients at once", .lines = WAYS, .points = COUNTS,
                                   .text = names, .colour = colours, .x = x,
                                   .log_x = true, .log_y = true};
    struct svg_lines plots[2] = {form, form};

    for (unsigned way = 0; way < WAYS; way++)
        for (unsigned at = 0; at < COUNTS; at++) {
            x[way * COUNTS + at] = counts[at];
            cycles[way * COUNTS + at] = fmax(1, cycles_of[way][at]);
            instructions[way * COUNTS + at] = fmax(1, instructions_of[way][at]);
        }
    plots[0].title = "From the first call to the last completion, for each allocation";
    plots[0].y_unit = "cycles";
    plots[0].y = cycles;
    plots[1].title = "What the firmware at the owner executes for each allocation";
    plots[1].y_unit = "instructions";
    plots[1].y = instructions;
    if (!svg_draw_plots(path, plots, 2))
        err(1, "%s", path);
}

int main(int argc, char **argv)
{
    yard_open(BLOCKS);
    heaps(FAST, TERN_ALLOC_FAST);
    heaps(LITERAL, TERN_ALLOC_LITERAL);
    baselines();
    if (argc > 1)
        plot(argv[1]);
    figure("heap_fast_64_over_locked", cycles_of[LOCKED][COUNTS - 1] / cycles_of[FAST][COUNTS - 1],
           "times", "clients=64");
    figure("heap_fast_64_over_asked", cycles_of[ASKED][COUNTS - 1] / cycles_of[FAST][COUNTS - 1],
           "times", "clients=64");
    yard_close();
    return 0;
}
