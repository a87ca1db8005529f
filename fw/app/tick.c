/* SPDX-License-Identifier: Apache-2.0 */
#include "tick.h"

#include "area.h"
#include "arena.h"
#include "op.h"
#include "queue.h"
#include "reply.h"
#include "send.h"
#include "tree.h"

/*
 * Cycles of a tick: some host round trips, so that time-outs fit a fast bus and a slow
 * one.
 */
#define TICK_ROUND_TRIPS 16u
#define TICK_CYCLES_MIN 2048u
#define TICK_SLOW_FACTOR 512u
/* Slow ticks the watchdog lets pass. */
#define WATCHDOG_TICKS 4u

static void set_timer(const struct fw *fw)
{
    uint32_t slow = fw->tick_cycles * TICK_SLOW_FACTOR;

    sys_timer_arm(fw->tick_fast ? fw->tick_cycles : slow);
    sys_watchdog(slow * WATCHDOG_TICKS);
}

void fw_tick_init(struct fw *fw)
{
    fw->tick_cycles = fw->id.host_latency * TICK_ROUND_TRIPS;
    if (fw->tick_cycles < TICK_CYCLES_MIN)
        fw->tick_cycles = TICK_CYCLES_MIN;
    set_timer(fw);
}

uint32_t fw_ticks(const struct fw *fw, uint32_t cycles)
{
    return cycles / fw->tick_cycles + (cycles % fw->tick_cycles != 0);
}

void fw_tick_hurry(struct fw *fw)
{
    if (fw->tick_fast)
        return;
    fw->tick_fast = 1;
    set_timer(fw);
}

static void tick_grace(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.functions; n++)
        if (fw->fn[n].grace != 0)
            fw->fn[n].grace--;
}

/* A table that has nothing to watch is not looked at until it has. */
static bool tick_tables(struct fw *fw)
{
    if (fw->watched & WATCH_AREAS && !fw_areas_tick(fw))
        fw->watched &= (uint8_t)~WATCH_AREAS;
    if (fw->watched & WATCH_ARENAS && !fw_arenas_tick(fw))
        fw->watched &= (uint8_t)~WATCH_ARENAS;
    if (fw->watched & WATCH_TREES && !fw_trees_tick(fw))
        fw->watched &= (uint8_t)~WATCH_TREES;
    return fw->watched != 0;
}

void fw_tick(struct fw *fw)
{
    bool busy;

    fw->ticks++;
    busy = fw_ops_tick(fw);
    if (fw->sends != 0)
        fw_sends_tick(fw);
    if (fw->watched != 0)
        busy |= tick_tables(fw);
    if (fw->own_busy != 0)
        busy |= fw_replies_tick(fw);
    if (fw->stalled_first != FW_QUEUE_NIL)
        busy |= fw_queues_tick(fw);
    if (fw->resetting != 0) {
        tick_grace(fw);
        busy = true;
    }
    fw->tick_fast = busy || fw->sends != 0 || fw->work != 0;
    set_timer(fw);
}
