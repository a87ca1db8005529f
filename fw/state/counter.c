/* SPDX-License-Identifier: Apache-2.0 */
#include "counter.h"

#include <string.h>

#include "cq.h"
#include "ctr.h"

/*
 * `counter_cq` of a counter that is not armed; 0 is free for this, since queue 0 is an admin ring.
 */
#define NOBODY 0u

bool fw_counter_is_of(const struct fw *fw, uint32_t counter, uint32_t fn)
{
    return counter < fw->id.counters && fw->counter_owner[counter] == fn;
}

static bool is_queue(uint32_t told)
{
    return told != NOBODY && told < FW_QUEUES;
}

/* Arms the counter; the completion queue has an entry for it. */
static void arm(struct fw *fw, uint32_t counter, uint32_t told)
{
    fw->counter_cq[counter] = (uint16_t)told;
    if (!is_queue(told))
        return;
    fw_cq_reserve(&fw->queue[told]);
    fw->queue[told].users++;
}

/* Frees the counter's completion entry; the queue's next recount of its room includes it. */
static void disarm(struct fw *fw, uint32_t counter)
{
    uint32_t told = fw->counter_cq[counter];

    fw->counter_cq[counter] = NOBODY;
    if (!is_queue(told))
        return;
    fw->queue[told].reserved--;
    fw->queue[told].users--;
}

static uint32_t tell(struct fw *fw, uint32_t counter, uint32_t told)
{
    if (told == fw->counter_cq[counter])
        return TERN_ST_OK;
    if (is_queue(told) && !fw_cq_may_promise(fw, told))
        return TERN_ST_NO_RESOURCE;
    disarm(fw, counter);
    arm(fw, counter, told);
    return TERN_ST_OK;
}

uint32_t fw_counter_set(struct fw *fw, uint32_t fn, uint32_t counter, uint32_t bytes,
                        uint32_t told)
{
    bool is_free = counter < fw->id.counters &&
                   fw->counter_owner[counter] == FW_COUNTER_FREE;

    if (!is_free && !fw_counter_is_of(fw, counter, fn))
        return TERN_ST_BAD_COUNTER;
    /* A counter set to zero raises no event, so it needs no completion entry. */
    if (tell(fw, counter, bytes != 0 ? told : NOBODY) != TERN_ST_OK)
        return TERN_ST_NO_RESOURCE;
    if (is_free)
        FW_USED(fw, counters)++;
    fw->counter_owner[counter] = (uint8_t)fn;
    ctr_set(counter, bytes);
    return TERN_ST_OK;
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
