/* SPDX-License-Identifier: Apache-2.0 */
/* Runs blocks of nodes, in one thread or several. */
#include "shares.h"

#include <time.h>

#include "apart.h"

/*
 * Returns the first node of a thread's share; for the number after the last thread, the number of
 * nodes.
 */
static unsigned share_begin(const struct tern_sim *sim, unsigned thread)
{
    return thread * sim->nodes / sim->threads;
}

static void run_nodes(const struct tern_sim *sim, unsigned begin, unsigned end)
{
    for (unsigned n = begin; n < end; n++)
        if (!sim->node[n].elsewhere)
            tern_node_run(&sim->node[n], sim->net, sim->block);
}

static void run_share(void *ctx, unsigned thread)
{
    const struct tern_sim *sim = ctx;

    run_nodes(sim, share_begin(sim, thread), share_begin(sim, thread + 1));
}

/* ---- host memory ---- */

static uint64_t memory_mark(const struct tern_sim *sim)
{
    uint64_t mark = 0;

    for (unsigned n = 0; n < sim->nodes; n++)
        mark = mark * UINT64_C(0x100000001b3) + tern_nic_memory_mark(sim->node[n].nic);
    return mark;
}

/* Tells whether the node's NIC shares no memory with those in the shares before its own. */
static bool node_apart(const struct tern_sim *sim, unsigned node, unsigned others)
{
    for (unsigned n = 0; n < others; n++) {
        if (!tern_nics_apart(sim->node[n].nic, sim->node[node].nic))
            return false;
    }
    return true;
}

static bool shares_apart(const struct tern_sim *sim)
{
    for (unsigned t = 1; t < sim->threads; t++) {
        for (unsigned n = share_begin(sim, t); n < share_begin(sim, t + 1); n++) {
            if (!node_apart(sim, n, share_begin(sim, t)))
                return false;
        }
    }
    return true;
}

static bool side_by_side(struct tern_sim *sim)
{
    uint64_t mark;

    if (sim->threads < 2 || sim->dumping)
        return false;
    mark = memory_mark(sim);
    if (mark != sim->memory_mark) {
        sim->memory_mark = mark;
        sim->apart = shares_apart(sim);
    }
    return sim->apart;
}

/*
 * ---- pace ----
 *
 * If other processes use the processors, threads that wait for each other are slower than one
 * thread. The result is the same, so both ways are timed now and then, and the faster one is used
 * for a while.
 */

enum { TRIED_BLOCKS = 32, KEPT_BLOCKS = 4096 };

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void change_mode(struct tern_sim *sim, enum tern_pace_mode mode)
{
    struct tern_pace *pace = &sim->pace;

    pace->mode = mode;
    pace->blocks = 0;
    if (mode == TERN_PACE_TRY_ALL || mode == TERN_PACE_ALL)
        tern_crew_pin(sim->crew);
    else
        tern_crew_unpin(sim->crew);
}

/* Notes that a block took `ns`, and chooses the mode. */
static void keep_pace(struct tern_sim *sim, uint64_t ns)
{
    struct tern_pace *pace = &sim->pace;

    pace->blocks++;
    switch (pace->mode) {
    case TERN_PACE_TRY_ONE:
        pace->one_ns += ns;
        if (pace->blocks == TRIED_BLOCKS)
            change_mode(sim, TERN_PACE_TRY_ALL);
        break;
    case TERN_PACE_TRY_ALL:
        pace->all_ns += ns;
        if (pace->all_ns >= pace->one_ns) /* slower before the trial has ended */
            change_mode(sim, TERN_PACE_ONE);
        else if (pace->blocks == TRIED_BLOCKS)
            change_mode(sim, TERN_PACE_ALL);
        break;
    default:
        if (pace->blocks < KEPT_BLOCKS)
            break;
        pace->one_ns = pace->all_ns = 0;
        change_mode(sim, TERN_PACE_TRY_ONE);
        break;
    }
}

static bool trying(const struct tern_pace *pace)
{
    return pace->mode == TERN_PACE_TRY_ONE || pace->mode == TERN_PACE_TRY_ALL;
}

/* ---- running ---- */

static void run_together(struct tern_sim *sim)
{
    bool timed = !sim->pace.fixed && trying(&sim->pace);
    uint64_t begun = timed ? now_ns() : 0;

    if (sim->pace.fixed || sim->pace.mode >= TERN_PACE_TRY_ALL)
        tern_crew_run(sim->crew, run_share, sim);
    else
        run_nodes(sim, 0, sim->nodes);
    if (!sim->pace.fixed)
        keep_pace(sim, timed ? now_ns() - begun : 0);
}

void tern_shares_fix(struct tern_sim *sim)
{
    if (sim->crew == NULL)
        return;
    sim->pace.fixed = true;
    tern_crew_pin(sim->crew);
}

void tern_shares_run(struct tern_sim *sim)
{
    if (side_by_side(sim))
        run_together(sim);
    else
        run_nodes(sim, 0, sim->nodes);
    for (unsigned n = 0; n < sim->nodes; n++)
        tern_node_tell(&sim->node[n]);
}
