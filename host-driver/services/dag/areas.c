/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Joins that the NIC of a home does by itself: each is a check-in area with a slot for each
 * predecessor, and a chain of two steps that waits there,
 *
 *   WAIT for all check-ins; compare-and-swap that sets the bit of the node in its ready word
 *
 * so the last check-in pushes the node, and no host has a part in it. The NIC writes a value word
 * with each check-in. If the chain does not run (its limit is over, the process of the server has
 * ended), the sweep finds these words, and pushes the node.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/random.h>

#include <tern/chain.h>

#include "areas.h"

enum { SQ_LOG2 = 3, CQ_LOG2 = 6, WAIT_MS = 10000 };

struct armed {
    struct tern_sq *sq;
    bool has_id, waits; /* waits: its chain has not ended yet */
    uint16_t id, epoch;
};

struct dag_areas {
    struct tern_pool *pool;
    uint64_t offset;
    struct tern_cq *cq;
    struct tern_region *values; /* for the NIC to write to */
    struct armed one[DAG_AREAS];
};

struct dag_areas *areas_open(struct tern_pool *pool, uint64_t offset)
{
    struct dag_areas *a = calloc(1, sizeof(*a));

    if (a)
        *a = (struct dag_areas){.pool = pool, .offset = offset};
    return a;
}

/* ---- ends of chains */

/* Takes the ends of chains until that of `one` is there. */
static int drain(struct dag_areas *a, const struct armed *one)
{
    int status = 0;

    while (one->waits && !status) {
        struct tern_completion done;
        int count = tern_cq_poll(a->cq, &done, 1);

        if (count == 0)
            status = tern_cq_wait(a->cq, WAIT_MS);
        else if (count < 0)
            status = count;
        else if (done.context < DAG_AREAS)
            a->one[done.context].waits = false;
    }
    return status;
}

static int cancel(struct dag_areas *a, struct armed *one)
{
    bool cancelled;
    int status = one->waits ? tern_chain_cancel(one->sq, &cancelled) : 0;

    return status ? status : drain(a, one);
}

void areas_close(struct dag_areas *a)
{
    if (!a)
        return;
    for (unsigned i = 0; i < DAG_AREAS; i++)
        if (a->one[i].sq && cancel(a, &a->one[i]) == 0)
            (void)tern_sq_destroy(a->one[i].sq);
    if (a->cq)
        (void)tern_cq_destroy(a->cq);
    if (a->values)
        (void)tern_release(a->values);
    free(a);
}

/* ---- arming */

static int open_values(struct dag_areas *a, const struct dag_head *head)
{
    uint8_t *memory = tern_pool_memory(a->pool, NULL);
    int status = 0;

    if (!a->values)
        status = tern_register(tern_pool_device(a->pool), memory + head->values,
                               (uint64_t)head->values_max * DAG_WORD, TERN_RIGHT_LOCAL_WRITE,
                               &a->values);
    if (!status && !a->cq)
        status = tern_cq_create(tern_pool_device(a->pool), CQ_LOG2, 0, &a->cq);
    return status;
}

static bool is_ours(const struct dag_areas *a, uint16_t id)
{
    for (unsigned i = 0; i < DAG_AREAS; i++)
        if (a->one[i].has_id && a->one[i].id == id)
            return true;
    return false;
}

/* Arms the area that it has, or the first that no other program has, from the highest on. */
static int arm(const struct dag_areas *a, struct armed *one, struct tern_area *area)
{
    int status = -TERN_ST_NO_RESOURCE;

    area->epoch = ++one->epoch;
    area->id = one->id;
    if (one->has_id)
        return tern_area_arm(tern_pool_device(a->pool), area, NULL);
    for (uint16_t id = TERN_CHECKIN_AREAS; id > 0 && !one->has_id; id--) {
        area->id = (uint16_t)(id - 1);
        if (is_ours(a, area->id))
            continue;
        status = tern_area_arm(tern_pool_device(a->pool), area, NULL);
        if (status && status != -TERN_ST_BAD_AREA)
            return status;
        one->has_id = status == 0;
        one->id = area->id;
    }
    return one->has_id ? 0 : -TERN_ST_NO_RESOURCE;
}

/* Posts the chain. Its last step has no link. */
static int post(const struct dag_areas *a, struct armed *one, const struct dag_head *head,
                const struct dag_ask *ask)
{
    const struct tern_masked set =
        dag_set((uint8_t)ask->life, dag_bit(ask->area.place % DAG_BITS));
    uint64_t at = head->ready + (uint64_t)(ask->area.place / DAG_BITS) * DAG_WORD;
    int status = tern_wait_area(one->sq, one->id, one->epoch, TERN_LINK, ask->index);

    if (!status)
        status = tern_compare_swap_masked(one->sq, tern_pool_rptr(a->pool, at), &set, 0,
                                          ask->index);
    one->waits = status == 0;
    if (status)
        tern_chain_drop(one->sq);
    return status;
}

static bool is_good(const struct dag_head *head, const struct dag_ask *ask)
{
    return ask->index < head->areas_max && ask->area.place < head->nodes_max &&
           ask->area.slots > 0 && ask->area.slots <= TERN_CHECKIN_SLOTS &&
           ask->area.value <= head->values_max &&
           ask->area.slots <= head->values_max - ask->area.value;
}

int areas_arm(struct dag_areas *a, const struct dag_head *head, struct dag_ask *ask)
{
    struct tern_area area = {.slots = ask->area.slots, .limit = head->area_cycles};
    struct armed *one;
    int status;

    if (!is_good(head, ask))
        return -TERN_ST_BAD_ARGUMENT;
    one = &a->one[ask->index];
    status = open_values(a, head);
    if (!status && !one->sq)
        status = tern_sq_create(a->cq, SQ_LOG2, &one->sq);
    if (!status)
        status = cancel(a, one);
    if (!status && getrandom(&area.pass, sizeof(area.pass), 0) != sizeof(area.pass))
        status = -TERN_ST_SYSTEM;
    if (status)
        return status;
    area.region = a->values;
    area.values = (uint8_t *)tern_pool_memory(a->pool, NULL) + head->values +
                  (uint64_t)ask->area.value * DAG_WORD;
    status = arm(a, one, &area);
    ask->area.id = one->id;
    ask->area.epoch = one->epoch;
    ask->area.pass = area.pass;
    return status ? status : post(a, one, head, ask);
}
