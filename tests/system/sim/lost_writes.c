/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A host that never answers some writes of its NIC: the operation ends with HOST_FAULT, at once
 * when the host answers a later write, else within a stated time; the NIC goes on, however often
 * that happens.
 */
#include <stdlib.h>
#include <string.h>

#include <tern/atomic.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    BYTES = 1 << 16,
    PIECE = 64,
    CQ_LOG2 = 6,
    SQ_LOG2 = 4,
    AGAIN = 20,             /* more than may wait for their answers */
    SIDE = 8,               /* puts side by side */
    ROUND_TRIPS = 768 + 64, /* the chip's limit, and what is left to do then */
    LEAST = 128             /* cycles that a round trip counts for at least */
};

static const uint64_t limit = (uint64_t)ROUND_TRIPS * LEAST;

struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct end from, to;

static void attach(struct end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
                            TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                            TERN_RIGHT_REMOTE_ATOMIC;

    end->device = rig_sim_open(node);
    end->memory = aligned_alloc(4096, BYTES);
    memset(end->memory, 1 + (int)node, BYTES);
    rig_need(tern_register(end->device, end->memory, BYTES, rights, &end->region), "register");
    rig_need(tern_cq_create(end->device, CQ_LOG2, TERN_CQ_POLLED, &end->cq), "completion queue");
    rig_need(tern_sq_create(end->cq, SQ_LOG2, &end->sq), "send queue");
}

static void post(uint32_t offset, uint32_t bytes)
{
    rig_need(tern_put(from.sq, tern_region_pointer(to.region, offset), from.region,
                      from.memory + offset, bytes, TERN_DFLAG_SIGNAL, offset),
             "put");
}

static unsigned put(uint32_t bytes)
{
    post(0, bytes);
    return rig_next(from.cq).status;
}

/* Posts a put while the target's host loses `count` answers; returns the cycles it takes. */
static uint64_t lost_put(uint32_t bytes, unsigned count, unsigned *status)
{
    uint64_t begin = tern_sim_cycle(rig_sim);

    tern_sim_lose_writes(rig_sim, 1, count);
    *status = put(bytes);
    tern_sim_lose_writes(rig_sim, 1, 0);
    return tern_sim_cycle(rig_sim) - begin;
}

static void one_is_lost(void)
{
    uint64_t worst;
    unsigned status, faults = 0;

    worst = lost_put(PIECE, 1, &status);
    tap(status == TERN_ST_HOST_FAULT && worst <= limit,
        "an operation whose host does not answer a write ends with a host fault");
    tap_note("after %llu cycles, at most %llu", (unsigned long long)worst,
             (unsigned long long)limit);
    worst = 0;
    for (unsigned i = 0; i < AGAIN; i++) {
        uint64_t took = lost_put(PIECE, 1, &status);

        faults += status == TERN_ST_HOST_FAULT;
        worst = took > worst ? took : worst;
    }
    tap(faults == AGAIN && worst <= limit, "it does so as often as answers of writes are lost");
    worst = lost_put(BYTES, 4 * AGAIN, &status);
    tap(status == TERN_ST_HOST_FAULT && worst <= 6 * limit,
        "a long put ends when most of its writes have no answer");
}

/* Each put is one write: the answer to the next one tells that one was lost. */
static void others_are_answered(void)
{
    uint64_t begin = tern_sim_cycle(rig_sim);
    unsigned good = 0, faults = 0;

    tern_sim_lose_writes(rig_sim, 1, 1);
    for (uint32_t i = 0; i < SIDE; i++)
        post(i * PIECE, PIECE);
    for (uint32_t i = 0; i < SIDE; i++) {
        struct tern_completion done = rig_next(from.cq);

        good += done.status == TERN_ST_OK;
        faults += done.status == TERN_ST_HOST_FAULT;
    }
    begin = tern_sim_cycle(rig_sim) - begin;
    tap(good == SIDE - 1 && faults == 1 && begin < limit / 8,
        "an answer to a later write tells which one was lost");
    tap_note("%u good, %u faults after %llu cycles", good, faults, (unsigned long long)begin);
}

static void tags_are_free(void)
{
    rig_fill(from.memory, BYTES, 7);
    tap(put(BYTES) == TERN_ST_OK && rig_holds(to.memory, BYTES, 7),
        "the places of lost writes are free again");
}

/* The completion is in memory; whether it is, the NIC cannot know. */
static void a_completion_is_lost(void)
{
    enum tern_status status = TERN_ST_OK;
    uint16_t queue;
    unsigned count = 0;
    uint64_t begin = tern_sim_cycle(rig_sim);

    tern_sim_lose_writes(rig_sim, 0, 1);
    rig_need(tern_put(from.sq, tern_region_pointer(to.region, 0), from.region, from.memory, PIECE,
                      TERN_DFLAG_SIGNAL, 1),
             "put");
    rig_allow_time();
    while (count == 0 && tern_sim_cycle(rig_sim) - begin < 2 * limit && !rig_progress(NULL))
        rig_need(tern_last_error(from.device, &status, &queue, &count), "last error");
    tern_sim_lose_writes(rig_sim, 0, 0);
    tap(count == 1 && status == TERN_ST_HOST_FAULT,
        "a completion that the host does not answer is an error of its queue");
    tern_close(from.device);
    attach(&from, 0);
    tap(put(PIECE) == TERN_ST_OK, "a process that opens the device again is served");
}

static void an_atomic_operation_is_lost(void)
{
    struct tern_completion done;

    rig_need(tern_fetch_add(from.sq, tern_region_pointer(to.region, 64), 1, TERN_DFLAG_SIGNAL, 2),
             "fetch and add");
    done = rig_next(from.cq);
    tern_sim_lose_writes(rig_sim, 1, 1);
    rig_need(tern_fetch_add(from.sq, tern_region_pointer(to.region, 64), 1, TERN_DFLAG_SIGNAL, 3),
             "fetch and add");
    tap(done.status == TERN_ST_OK && rig_next(from.cq).status == TERN_ST_HOST_FAULT,
        "an atomic operation whose write has no answer ends with a host fault");
    tern_sim_lose_writes(rig_sim, 1, 0);
    tap(put(PIECE) == TERN_ST_OK, "the atomic unit's write holds nothing up");
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = 2;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    rig_sim_start(&config);
    attach(&from, 0);
    attach(&to, 1);
    tap(put(BYTES) == TERN_ST_OK, "a put whose writes are all answered arrives");
    one_is_lost();
    others_are_answered();
    tags_are_free();
    a_completion_is_lost();
    if (!rig_tier_is_soft()) /* the soft tier's atomic words are not lost */
        an_atomic_operation_is_lost();
    tern_close(from.device);
    tern_close(to.device);
    rig_sim_stop();
    return tap_end();
}
