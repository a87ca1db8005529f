/* SPDX-License-Identifier: Apache-2.0 */
/* Call caches: made, called, freed. */
#include <stdlib.h>

#include "calls.h"

/* ---- making and freeing */

static void sq_gone(struct tern_watch *watch)
{
    struct tern_calls *calls =
        (struct tern_calls *)(void *)((uint8_t *)watch - offsetof(struct tern_calls, sq_watch));

    calls->sq = NULL;
    atomic_fetch_add(&calls->known.changes, 1);
}

static int allocate(struct tern_calls *calls)
{
    size_t sets = (size_t)1 << calls->log2_sets;

    calls->stored = calloc(WAYS * sets, sizeof(*calls->stored));
    calls->objects = calloc(WAYS * sets, sizeof(*calls->objects));
    calls->hands = calloc(2, sets);
    if (!calls->stored || !calls->objects || !calls->hands)
        return -TERN_ST_NO_MEMORY;
    calls->object_hands = calls->hands + sets;
    return 0;
}

int tern_calls_create(struct tern_sq *sq, const struct tern_calls_config *config,
                      struct tern_calls **out)
{
    static const struct tern_calls_config usual;
    struct tern_calls *calls;
    int status;

    if (!config)
        config = &usual;
    if (config->log2_sets > LOG2_SETS_MAX || config->fingerprint_bits > 64)
        return -TERN_ST_BAD_SIZE;
    calls = calloc(1, sizeof(*calls));
    if (!calls)
        return -TERN_ST_NO_MEMORY;
    calls->config = *config;
    calls->log2_sets = config->log2_sets ? config->log2_sets : LOG2_SETS;
    calls->sq = sq;
    calls->known.device = tern_sq_device(sq);
    calls->sq_watch.gone = sq_gone;
    tern_sq_watch(sq, &calls->sq_watch);
    status = allocate(calls);
    if (status) {
        tern_calls_destroy(calls);
        return status;
    }
    *out = calls;
    return 0;
}

void tern_calls_destroy(struct tern_calls *calls)
{
    if (!calls)
        return;
    tern_watch_end(&calls->sq_watch);
    while (calls->prepared)
        tern_call_free(calls->prepared);
    if (calls->stored)
        call_drop_all(calls);
    if (calls->objects)
        call_objects_free(calls);
    known_free(&calls->known);
    free(calls->stored);
    free(calls->objects);
    free(calls->hands);
    free(calls);
}

void tern_calls_counts(const struct tern_calls *calls, struct tern_calls_counts *out)
{
    *out = calls->counts;
}

/* ---- calling */

int tern_call(struct tern_calls *calls, const struct tern_wr *list, const struct tern_wr **bad)
{
    const struct tern_wr *refused = NULL;
    struct stored *stored = NULL;
    struct plan *plan = NULL;
    int status = call_look(calls);

    if (!status && calls->config.off)
        status = call_build_only(calls, list, &plan, &refused);
    else if (!status)
        status = call_flatten(list, &calls->flat, &refused);
    if (!status && !calls->config.off)
        status = call_find(calls, list, &plan, &stored, &refused);
    if (!status && plan) {
        call_contexts(list, plan, calls->contexts);
        status = tern_desc_post(calls->sq, plan->desc, calls->contexts, plan->ops);
    }
    if (bad)
        *bad = refused;
    return status;
}
