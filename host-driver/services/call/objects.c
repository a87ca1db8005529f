/* SPDX-License-Identifier: Apache-2.0 */
/* The receiving side: the application's objects for kinds of completions, in a like table. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* All that does not differ from one completion of a kind to the next. */
static void kind_of(const struct tern_completion *done, uint64_t kind[2])
{
    kind[0] = (uint64_t)done->status << 32 | (uint64_t)done->opcode << 16 |
              (uint64_t)done->flags << 8 | done->fault;
    kind[1] = (uint64_t)done->queue << 16 | done->node;
}

static void forget(struct tern_calls *calls, struct kept_object *kept)
{
    if (kept->taken && calls->config.free_object)
        calls->config.free_object(calls->config.arg, kept->object);
    *kept = (struct kept_object){0};
}

void call_objects_free(struct tern_calls *calls)
{
    for (size_t i = 0; i < (size_t)WAYS << calls->log2_sets; i++)
        forget(calls, &calls->objects[i]);
}

static struct kept_object *object_place(struct tern_calls *calls, struct kept_object *set)
{
    const bool pinned[WAYS] = {false};
    bool *used[WAYS];
    unsigned way;

    for (way = 0; way < WAYS; way++) {
        if (!set[way].taken)
            return &set[way];
        used[way] = &set[way].used;
    }
    way = call_clock(&calls->object_hands[(size_t)(set - calls->objects) / WAYS], used, pinned);
    forget(calls, &set[way]);
    return &set[way];
}

/* Makes the object from a completion whose holes are empty. */
static void *make(struct tern_calls *calls, const struct tern_completion *done)
{
    struct tern_completion *kind = &calls->kind;

    *kind = *done;
    kind->index = 0;
    kind->length = 0;
    kind->imm = 0;
    kind->value = 0;
    kind->context = 0;
    kind->data = NULL;
    return calls->config.make_object(calls->config.arg, kind);
}

void *tern_calls_object(struct tern_calls *calls, const struct tern_completion *done)
{
    uint64_t kind[2], fingerprint;
    struct kept_object *set, *kept;
    void *object;

    if (!calls->config.make_object)
        return NULL;
    kind_of(done, kind);
    fingerprint = call_cut(calls, call_fingerprint(kind, 2));
    set = &calls->objects[WAYS * (fingerprint & ((UINT64_C(1) << calls->log2_sets) - 1))];
    for (unsigned way = 0; way < WAYS; way++) {
        kept = &set[way];
        if (kept->taken && kept->fingerprint == fingerprint &&
            memcmp(kept->kind, kind, sizeof(kind)) == 0) {
            calls->counts.object_hits++;
            kept->used = true;
            return kept->object;
        }
    }
    calls->counts.object_misses++;
    object = make(calls, done);
    if (!object)
        return NULL;
    kept = object_place(calls, set);
    *kept = (struct kept_object){.fingerprint = fingerprint, .kind = {kind[0], kind[1]},
                                 .object = object, .taken = true, .used = true};
    return object;
}
