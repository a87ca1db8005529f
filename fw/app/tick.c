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

static void arm(const struct fw *fw)
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
    arm(fw);
}

void fw_tick_arm_fast(struct fw *fw)
{
    fw->tick_fast = 1;
    arm(fw);
}

static void tick_grace(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.functions; n++)
        if (fw->fn[n].grace != 0)
            fw->fn[n].grace--;
}

void fw_tick(struct fw *fw)
{
    bool busy = fw_ops_tick(fw);

    if (fw->sends != 0)
        fw_sends_tick(fw);
    busy |= fw_areas_tick(fw);
    busy |= fw_arenas_tick(fw);
    busy |= fw_trees_tick(fw);
    busy |= fw_replies_tick(fw);
    if (fw->stalled_first != FW_QUEUE_NIL)
        busy |= fw_queues_tick(fw);
    if (fw->resetting != 0) {
        tick_grace(fw);
        busy = true;
    }
    fw->tick_fast = busy || fw->sends != 0 || fw->work != 0;
    arm(fw);
}
