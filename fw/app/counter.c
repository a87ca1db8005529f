/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"

#include <string.h>

#include "arena.h"
#include "cq.h"
#include "ctr.h"

/* `counter_cq` of a counter that is not armed: queue 0 is an admin ring. */
#define NOBODY 0u

bool fw_counter_is_of(const struct fw *fw, uint32_t counter, uint32_t fn)
{
    return counter < fw->id.counters && fw->counter_owner[counter] == fn;
}

/* `cq` has a place. */
static void arm(struct fw *fw, uint32_t counter, uint32_t cq)
{
    fw_cq_reserve(&fw->queue[cq]);
    fw->queue[cq].users++;
    fw->counter_cq[counter] = (uint16_t)cq;
}

/* The place is free; whoever counts the queue's room anew will find it. */
static void disarm(struct fw *fw, uint32_t counter)
{
    struct fw_queue *cq = &fw->queue[fw->counter_cq[counter]];

    if (fw->counter_cq[counter] == NOBODY)
        return;
    cq->reserved--;
    cq->users--;
    fw->counter_cq[counter] = NOBODY;
}

static uint32_t tell(struct fw *fw, uint32_t counter, uint32_t cq)
{
    if (cq == fw->counter_cq[counter])
        return TERN_ST_OK;
    if (cq != NOBODY && !fw_cq_may_promise(fw, cq))
        return TERN_ST_NO_RESOURCE;
    disarm(fw, counter);
    if (cq != NOBODY)
        arm(fw, counter, cq);
    return TERN_ST_OK;
}

uint32_t fw_counter_set(struct fw *fw, uint32_t fn, uint32_t counter, uint32_t bytes,
                        uint32_t cq)
{
    bool is_free = counter < fw->id.counters &&
                   fw->counter_owner[counter] == FW_COUNTER_FREE;

    if ((!is_free && !fw_counter_is_of(fw, counter, fn)) || fw_arena_uses_counter(fw, counter))
        return TERN_ST_BAD_COUNTER;
    /* What is at zero does not come there. */
    if (tell(fw, counter, bytes != 0 ? cq : NOBODY) != TERN_ST_OK)
        return TERN_ST_NO_RESOURCE;
    if (is_free)
        FW_USED(fw, counters)++;
    fw->counter_owner[counter] = (uint8_t)fn;
    ctr_set(counter, bytes);
    return TERN_ST_OK;
}

/*
 * The event may be older than the last setting; a counter that is not at zero will raise
 * another one.
 */
void fw_on_counter(struct fw *fw, uint32_t event)
{
    uint32_t counter = TERN_F(EV, counter, event) % FW_COUNTERS;
    uint32_t cq = fw->counter_cq[counter];
    struct done done = {.opcode = TERN_OP_COUNTER,
                        .queue = cq,
                        .index = counter,
                        .node = fw->id.node};

    if (fw_arena_arrived(fw, counter) || cq == NOBODY || ctr_get(counter) != 0)
        return;
    fw->counter_cq[counter] = NOBODY;
    fw->queue[cq].users--;
    fw_cq_complete(fw, cq, &done);
}

void fw_counters_sweep(struct fw *fw)
{
    for (uint32_t n = 0; n < fw->id.counters; n++) {
        uint32_t owner = fw->counter_owner[n];

        if (owner == FW_COUNTER_FREE || !fw_fn_sweeping(fw, owner))
            continue;
        disarm(fw, n);
        fw->counter_owner[n] = FW_COUNTER_FREE;
        FW_USED(fw, counters)--;
    }
}

void fw_counters_init(struct fw *fw)
{
    memset(fw->counter_owner, FW_COUNTER_FREE, sizeof(fw->counter_owner));
}
