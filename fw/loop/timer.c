/* SPDX-License-Identifier: Apache-2.0 */
#include "timer.h"

#include "area.h"
#include "arena.h"
#include "clock.h"
#include "descriptors.h"
#include "ends.h"
#include "messages_out.h"
#include "op.h"
#include "queue.h"
#include "send.h"
#include "slots.h"
#include "tree.h"

/* Ticks between checks of all fences. Normally an event, or WORK_FENCE, opens a fence earlier. */
#define FENCE_TICKS 16u

static void tick_grace(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.functions; n++)
        if (fw->fn[n].grace != 0)
            fw->fn[n].grace--;
}

/* Calls the ticks of all tables that have something to watch. */
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

/* Sends a message again after its wait. */
static void repeat(struct fw *fw, uint32_t slot)
{
    uint32_t status = fw_send_try_again(fw, slot);

    if (status == TERN_ST_OK)
        FW_COUNT(fw, rnr_retries);
    else if (status == FW_HOLD || !hwr_ready(&fw->hwr, FW_WRITES_PER_EVENT))
        fw->op[slot].wait = 1; /* no room now: try again at the next tick */
    else {
        uint32_t number = tx_slot_queue(slot) % FW_QUEUES;

        fw_message_over(fw, slot, status, false);
        fw_fence_ended(fw, number);
    }
}

static void tick_sends(struct fw *fw)
{
    uint32_t set = fw_sends_waiting(fw), slot;

    while (fw_slots_take(&set, &slot))
        if (--fw->op[slot].wait == 0)
            repeat(fw, slot);
}

void fw_tick(struct fw *fw)
{
    bool busy = false;

    fw_series_over(fw);
    if (fw->sends != 0)
        tick_sends(fw);
    if (fw->watched != 0)
        busy = tick_tables(fw);
    if (fw->own_busy != 0)
        busy |= fw_replies_tick(fw);
    if (fw->stalled_first != FW_QUEUE_NIL)
        busy |= fw_queues_tick(fw);
    if (fw->parked != 0) {
        if (fw->parked_no_place || fw->ticks % FENCE_TICKS == 0)
            fw->work |= WORK_FENCE;
        fw->parked_no_place = false;
        busy = true;
    }
    if (fw->resetting != 0) {
        tick_grace(fw);
        busy = true;
    }
    fw_tick_rest(fw, busy);
}
