/* SPDX-License-Identifier: Apache-2.0 */
/* Figures and results of a run, read by the NIC from its homes and from the cache. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

enum { TIME_UNIT_US = 10 };

static enum tern_dag_state shown(enum dag_node_state state)
{
    static const enum tern_dag_state as[] = {
        [NODE_WAIT] = TERN_DAG_WAITING, [NODE_RUN] = TERN_DAG_RUNNING,
        [NODE_DONE] = TERN_DAG_DONE,    [NODE_OVER] = TERN_DAG_DONE,
        [NODE_SKIP] = TERN_DAG_SKIPPED, [NODE_OVER_SKIPPED] = TERN_DAG_SKIPPED,
        [NODE_FAILED] = TERN_DAG_FAILED,
    };

    return (unsigned)state < sizeof(as) / sizeof(as[0]) ? as[state] : TERN_DAG_WAITING;
}

static struct dag_state state_of(const struct tern_run *run, uint32_t node)
{
    return dag_state_unpack(run_copied(&run->homes[run_home_of(run, node)],
                                       run_state_at(run, node)));
}

static uint64_t checked_in(const struct tern_run *run, const struct dag_home *home)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < home->head.value_count; i++)
        sum += run_copied(home, home->head.values + (uint64_t)i * DAG_WORD) ==
               dag_value(run->life);
    return sum;
}

/* Counts the bits of join words that were set after the words were made, and check-ins. */
static uint64_t joined(const struct tern_run *run)
{
    uint64_t sum = 0;

    for (unsigned h = 0; h < run->count; h++) {
        const struct dag_home *home = &run->homes[h];

        sum += checked_in(run, home);
        for (uint32_t i = 0; i < home->head.join_words; i++)
            sum += (uint64_t)__builtin_popcountll(
                run_copied(home, home->head.joins + (uint64_t)i * DAG_WORD) & DAG_ALL_BITS);
    }
    return sum;
}

int tern_dag_status(struct tern_run *run, struct tern_dag_status *out)
{
    int status = run_read_heads(run);

    if (status)
        return status;
    memset(out, 0, sizeof(*out));
    out->phase = run->phase;
    if (run->nodes == 0)
        return 0;
    round_begin(run);
    for (unsigned h = 0; h < run->count; h++)
        round_read(run, h, run->homes[h].head.states,
                   run->homes[h].head.units - run->homes[h].head.states);
    for (unsigned h = 0; h < run->count; h++)
        round_read(run, h, run->homes[h].head.values,
                   (uint64_t)run->homes[h].head.value_count * DAG_WORD);
    status = round_go(run);
    if (status)
        return status;
    out->nodes = run->nodes - 1;
    for (uint32_t i = 0; i + 1 < run->nodes; i++)
        out->by_state[shown(state_of(run, i).state)]++;
    out->joined = joined(run);
    for (unsigned h = 0; h < run->count; h++) {
        out->given += run->homes[h].head.given;
        out->refused += run->homes[h].head.refused;
    }
    return 0;
}

int tern_dag_node_info(const struct tern_run *run, uint32_t node, struct tern_dag_node_info *out)
{
    const struct dag_home *home;
    struct dag_state state;
    struct dag_time time;

    if (node + 1 >= run->nodes)
        return -TERN_ST_BAD_RANGE;
    home = &run->homes[run_home_of(run, node)];
    state = state_of(run, node);
    memcpy(&time,
           home->copy + (home->head.times - home->offset) +
               (size_t)run_place_of(run, node) * sizeof(time),
           sizeof(time));
    *out = (struct tern_dag_node_info){.state = shown(state.state), .step = state.step,
                                       .attempt = state.attempt, .holder = state.holder};
    if (time.ended) {
        out->begun_us = (uint64_t)(time.begun - 1) * TIME_UNIT_US;
        out->ended_us = (uint64_t)(time.ended - 1) * TIME_UNIT_US;
    }
    return 0;
}

int tern_dag_node_name(struct tern_run *run, uint32_t node, char *name, size_t bytes)
{
    struct dag_record record;
    char key[RECORD_KEY];
    uint8_t *value;
    uint64_t length;
    int status = attempt_get(run, key, run_record_key(run, node, key), &value, &length);

    if (!status)
        status = record_read(&record, value, length);
    if (status)
        return status;
    (void)snprintf(name, bytes, "%s", record.name);
    record_free(&record);
    return 0;
}

int tern_dag_result(struct tern_run *run, uint32_t node, void *to, uint64_t room, uint64_t *bytes)
{
    struct tern_item item = {.value = to, .room = room};
    struct dag_state state;
    char key[RECORD_KEY];
    int status;

    if (node + 1 >= run->nodes)
        return -TERN_ST_BAD_RANGE;
    round_begin(run);
    round_read(run, run_home_of(run, node), run_state_at(run, node), DAG_WORD);
    status = round_go(run);
    if (status)
        return status;
    state = state_of(run, node);
    if (shown(state.state) != TERN_DAG_DONE)
        return -TERN_ST_BAD_STATE;
    status = tern_cache_get(run->cache, key,
                            run_output_key(run, node, state.step, state.attempt, key), &item);
    *bytes = item.bytes;
    return status;
}

/* ---- forgetting */

static int delete_key(struct tern_run *run, const char *key, size_t bytes, int *deleted)
{
    int status = tern_cache_delete(run->cache, key, bytes, 0);

    *deleted += status == 0;
    return status == -TERN_ST_NOT_FOUND ? 0 : status;
}

int tern_dag_forget(struct tern_run *run)
{
    struct tern_dag_status now;
    char key[RECORD_KEY];
    int deleted = 0, status = tern_dag_status(run, &now);

    if (!status && (now.phase == TERN_DAG_GOING || now.phase == TERN_DAG_BUILDING))
        status = -TERN_ST_BAD_STATE;
    for (uint32_t i = 0; !status && i + 1 < run->nodes; i++) {
        struct dag_state state = state_of(run, i);

        status = delete_key(run, key, run_record_key(run, i, key), &deleted);
        for (unsigned step = 1; step <= state.step && !status; step++)
            for (unsigned attempt = 1; attempt <= state.attempt && !status; attempt++)
                status = delete_key(run, key, run_output_key(run, i, step, attempt, key),
                                    &deleted);
    }
    return status ? status : deleted;
}
