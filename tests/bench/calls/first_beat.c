/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: calls_first_beat COUNT...
 *
 * Prints, on rtl, the cycles from the first beat of the doorbell to the first beat of the first
 * packet on the link, and to the completion, for calls of so many requests: full build, hit,
 * execute, execute with a hole.  The host takes no time here.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "call_list.h"
#include "lab.h"

static struct lab lab;
static uint64_t doorbell, beat;

static void seen(void *unused, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)unused;
    (void)id;
    if (node != 0)
        return;
    if (lane == TERN_TRACE_DB_FIRST && !doorbell)
        doorbell = cycle;
    if (lane == TERN_TRACE_LINK_OUT && doorbell && !beat)
        beat = cycle;
}

/* The first call of a queue meets a core that fetches its code for the first time. */
static void warm_up(struct tern_calls *calls)
{
    static struct call_list list;
    struct tern_completion done;

    call_list_make(&list, 1, lab.origin.region, lab.origin.buffer,
                   tern_region_pointer(lab.target.region, 0));
    for (unsigned i = 0; i < 2; i++) {
        lab_must(tern_call(calls, list.wr, NULL), "tern_call");
        lab_must(tern_cq_next(lab.origin.cq, &done, -1), "tern_cq_next");
        lab_settle(&lab);
    }
}

static void print(const char *name, unsigned count, uint64_t began)
{
    struct tern_completion done;

    lab_must(tern_cq_next(lab.origin.cq, &done, -1), "tern_cq_next");
    lab_must(-(int)done.status, "put");
    if (!beat)
        errx(1, "no packet seen");
    printf("beat %s %u %" PRIu64 " %" PRIu64 "\n", name, count, beat - doorbell,
           tern_sim_cycle(lab.sim) - began);
}

static uint64_t begin(void)
{
    lab_settle(&lab);
    doorbell = beat = 0;
    return tern_sim_cycle(lab.sim);
}

static void measure(struct tern_calls *built, struct tern_calls *stored, unsigned count)
{
    static const struct tern_hole hole = {0, 0, TERN_HOLE_REMOTE};
    static struct call_list list;
    struct tern_rptr to = tern_region_pointer(lab.target.region, 0);
    struct tern_prepared *prepared;
    uint64_t began;

    call_list_make(&list, count, lab.origin.region, lab.origin.buffer, to);
    lab_must(tern_call_prepare(stored, list.wr, &hole, 1, &prepared, NULL), "tern_call_prepare");
    began = begin();
    lab_must(tern_call(built, list.wr, NULL), "tern_call");
    print("build", count, began);
    began = begin();
    lab_must(tern_call(stored, list.wr, NULL), "tern_call");
    print("hit", count, began);
    began = begin();
    lab_must(tern_call_execute(prepared), "tern_call_execute");
    print("execute", count, began);
    lab_must(tern_call_set(prepared, 0, TERN_GET(RPTR, addr, to.w) + LIST_STRIDE), "set");
    began = begin();
    lab_must(tern_call_execute(prepared), "tern_call_execute");
    print("hole", count, began);
    tern_call_free(prepared);
}

int main(int argc, char **argv)
{
    const struct tern_calls_config off = {.off = true};
    struct tern_calls *built, *stored;

    lab_open(&lab, 2, 0);
    lab_queues(&lab, 1);
    tern_sim_on_event(lab.sim, seen, NULL);
    lab_must(tern_calls_create(lab.origin.sq[0], &off, &built), "tern_calls_create");
    lab_must(tern_calls_create(lab.origin.sq[0], NULL, &stored), "tern_calls_create");
    warm_up(built);
    for (int i = 1; i < argc; i++)
        measure(built, stored, (unsigned)atoi(argv[i]));
    tern_calls_destroy(built);
    tern_calls_destroy(stored);
    lab_close(&lab);
    return 0;
}
