/* SPDX-License-Identifier: Apache-2.0 */
/* Runs: the handle of a worker, its homes, keys of records. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

enum { ALIGN = 64, POLL_MS = 2 };

/* ---- homes */

static unsigned steps_between(unsigned a, unsigned b, unsigned side, bool mesh)
{
    unsigned apart = a > b ? a - b : b - a;

    return mesh || 2 * apart <= side ? apart : side - apart;
}

static unsigned distance(const struct tern_info *info, uint16_t to)
{
    bool mesh = info->dims >> 15;
    unsigned sum = 0;

    for (unsigned shift = 0; shift < 15; shift += 5)
        sum += steps_between(info->node >> shift & 31u, to >> shift & 31u,
                             (info->dims >> shift & 31u) + 1, mesh);
    return sum;
}

/* All workers number the homes by their nodes. */
static int by_node(const void *a, const void *b)
{
    const struct dag_home *left = a, *right = b;

    return (int)tern_member_node(left->member) - (int)tern_member_node(right->member);
}

static int home_find(struct dag_home *home, const struct tern_info *info, const char *name)
{
    struct tern_pool_object object;
    int status = tern_member_find(home->member, name, &object);

    if (status)
        return status;
    if (object.kind != DAG_KIND)
        return -TERN_ST_NOT_FOUND;
    home->offset = object.offset;
    home->bytes = object.bytes;
    home->distance = distance(info, tern_member_node(home->member));
    return 0;
}

static int make_memory(struct tern_run *run)
{
    uint8_t *at;

    for (unsigned i = 0; i < run->count; i++)
        run->memory_bytes += (run->homes[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
    run->memory = aligned_alloc(ALIGN, run->memory_bytes);
    if (!run->memory)
        return -TERN_ST_NO_MEMORY;
    memset(run->memory, 0, run->memory_bytes);
    at = run->memory;
    for (unsigned i = 0; i < run->count; i++) {
        run->homes[i].copy = at;
        at += (run->homes[i].bytes + ALIGN - 1) / ALIGN * ALIGN;
    }
    return tern_register(run->device, run->memory, run->memory_bytes,
                         TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &run->region);
}

static void put_in_order(struct tern_run *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        unsigned at = i;

        while (at > 0 && run->homes[run->order[at - 1]].distance > run->homes[i].distance) {
            run->order[at] = run->order[at - 1];
            at--;
        }
        run->order[at] = i;
    }
}

static int open_queues(struct tern_run *run)
{
    int status = tern_cq_create(run->device, RUN_CQ_LOG2, 0, &run->cq);

    if (!status)
        status = tern_sq_create(run->cq, RUN_SQ_LOG2, &run->sq);
    return status;
}

static int open_homes(struct tern_run *run, struct tern_member *const *members, const char *name)
{
    struct tern_info info;
    int status = tern_query(run->device, &info);

    run->chunk = info.put_bytes_max;
    run->here = info.node;
    run->process = (uint16_t)getpid();
    for (unsigned i = 0; i < run->count; i++)
        run->homes[i].member = members[i];
    qsort(run->homes, run->count, sizeof(*run->homes), by_node);
    for (unsigned i = 0; i < run->count && !status; i++)
        status = home_find(&run->homes[i], &info, name);
    put_in_order(run);
    if (!status)
        status = open_queues(run);
    return status ? status : make_memory(run);
}

static int keep_heads(struct tern_run *run)
{
    for (unsigned i = 0; i < run->count; i++) {
        struct dag_home *home = &run->homes[i];

        memcpy(&home->head, home->copy, sizeof(home->head));
        if (home->head.magic != DAG_MAGIC || home->head.end > home->offset + home->bytes ||
            home->head.area_count > home->head.areas_max)
            return -TERN_ST_PROTOCOL;
        if (!home->hint)
            home->hint = calloc(dag_words(home->head.nodes_max) + 1, sizeof(*home->hint));
        if (!home->hint)
            return -TERN_ST_NO_MEMORY;
    }
    return 0;
}

/* The areas of the present run, for its check-ins. */
static int read_areas(struct tern_run *run)
{
    round_begin(run);
    for (unsigned i = 0; i < run->count; i++) {
        const struct dag_head *head = &run->homes[i].head;

        round_read(run, i, head->areas, (uint64_t)head->area_count * sizeof(struct dag_area));
    }
    return round_go(run);
}

int run_read_heads(struct tern_run *run)
{
    int status;

    round_begin(run);
    for (unsigned i = 0; i < run->count; i++)
        round_read(run, i, run->homes[i].offset, sizeof(struct dag_head));
    status = round_go(run);
    if (!status)
        status = keep_heads(run);
    if (!status) {
        struct dag_phase phase = dag_phase_unpack(run->homes[0].head.phase);

        run->life = phase.life;
        run->phase = phase.phase;
        run->nodes = run->homes[0].head.nodes;
        run_name(run, run->homes[0].head.started);
        status = read_areas(run);
    }
    return status;
}

void tern_dag_leave(struct tern_run *run)
{
    if (!run)
        return;
    record_free(&run->ended.record);
    broadcast_end(run);
    if (run->sq)
        (void)tern_sq_destroy(run->sq);
    if (run->cq)
        (void)tern_cq_destroy(run->cq);
    if (run->region)
        (void)tern_release(run->region);
    for (unsigned i = 0; run->homes && i < run->count; i++)
        free(run->homes[i].hint);
    free(run->memory);
    free(run->homes);
    free(run->order);
    free(run->mine);
    free(run->round.ops);
    free(run);
}

int run_open(struct tern_member *const *members, unsigned count, struct tern_cache *cache,
             const char *name, struct tern_run **out)
{
    struct tern_run *run = calloc(1, sizeof(*run));
    int status = -TERN_ST_NO_MEMORY;

    if (!run)
        return status;
    if (count == 0) {
        free(run);
        return -TERN_ST_BAD_ARGUMENT;
    }
    run->device = tern_member_device(members[0]);
    run->cache = cache;
    run->count = count;
    run->homes = calloc(count, sizeof(*run->homes));
    run->order = calloc(count, sizeof(*run->order));
    if (run->homes && run->order)
        status = open_homes(run, members, name);
    if (!status)
        status = run_read_heads(run);
    if (status)
        tern_dag_leave(run);
    else
        *out = run;
    return status;
}

/* The homes of a run that goes on agree about its start, and how many they are. */
static bool agree(const struct tern_run *run)
{
    const struct dag_head *first = &run->homes[0].head;

    for (unsigned i = 0; i < run->count; i++)
        if (run->homes[i].head.started != first->started || run->homes[i].head.home != i ||
            run->homes[i].head.homes != run->count)
            return false;
    return true;
}

int tern_dag_join(struct tern_member *const *members, unsigned count, struct tern_cache *cache,
                  const char *name, int timeout_ms, struct tern_run **out)
{
    const struct timespec pause = {.tv_nsec = POLL_MS * 1000000L};
    uint64_t end = run_now_us() + (uint64_t)(timeout_ms < 0 ? INT32_MAX : timeout_ms) * 1000;
    struct tern_run *run;
    int status = run_open(members, count, cache, name, &run);

    if (status)
        return status;
    while (!status && (run->phase < TERN_DAG_GOING || !agree(run)) && run_now_us() < end) {
        nanosleep(&pause, NULL);
        status = run_read_heads(run);
    }
    if (!status && (run->phase < TERN_DAG_GOING || !agree(run)))
        status = -TERN_ST_NOT_FOUND;
    if (status)
        tern_dag_leave(run);
    else
        *out = run;
    return status;
}
