/* SPDX-License-Identifier: Apache-2.0 */
/* The table of calls. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"

static size_t places(const struct tern_calls *calls)
{
    return (size_t)WAYS << calls->log2_sets;
}

static void drop(struct stored *stored)
{
    free(stored->flat);
    *stored = (struct stored){0};
}

void call_drop_all(struct tern_calls *calls)
{
    for (size_t i = 0; i < places(calls); i++)
        drop(&calls->stored[i]);
}

/* ---- what goes with a region or the queue */

/* A region of a request in the run of words; requests that copy their bytes name none. */
static bool all_alive(const struct tern_calls *calls, const uint64_t *at, const uint64_t *end)
{
    while (at < end) {
        unsigned segments = (unsigned)(at[0] >> 32);
        bool copies = (at[0] & TERN_WR_INLINE) != 0;

        at += REQUEST_WORDS;
        for (unsigned i = 0; i < segments; i++, at += SEGMENT_WORDS) {
            if (!copies &&
                !known_alive(&calls->known, (const struct tern_region *)(uintptr_t)at[0]))
                return false;
        }
    }
    return true;
}

/* Requests of a list whose regions are to be there. */
static bool list_alive(const struct tern_calls *calls, const struct tern_wr *list)
{
    for (const struct tern_wr *wr = list; wr; wr = wr->next) {
        for (unsigned i = 0; i < wr->sge_count && !(wr->flags & TERN_WR_INLINE); i++) {
            if (!known_alive(&calls->known, wr->sges[i].region))
                return false;
        }
    }
    return true;
}

static void sweep(struct tern_calls *calls)
{
    for (struct tern_prepared *p = calls->prepared; p; p = p->next)
        p->stale = p->stale || !calls->sq || !list_alive(calls, p->list);
    for (size_t i = 0; i < places(calls); i++) {
        struct stored *stored = &calls->stored[i];

        if (!stored->flat)
            continue;
        if (calls->sq && all_alive(calls, stored->flat, stored->flat + stored->words))
            continue;
        calls->counts.invalidated++;
        for (struct tern_prepared *p = calls->prepared; p; p = p->next) {
            if (p->pinned == stored)
                p->pinned = NULL;
        }
        drop(stored);
    }
    known_sweep(&calls->known);
}

int call_look(struct tern_calls *calls)
{
    unsigned changes = atomic_load(&calls->known.changes);

    if (changes != calls->changes) {
        calls->changes = changes;
        sweep(calls);
    }
    return calls->sq ? 0 : -TERN_ST_BAD_QUEUE;
}

/* ---- finding and entering */

uint64_t call_cut(const struct tern_calls *calls, uint64_t fingerprint)
{
    unsigned bits = calls->config.fingerprint_bits;

    return bits && bits < 64 ? fingerprint & ((UINT64_C(1) << bits) - 1) : fingerprint;
}

unsigned call_clock(uint8_t *hand, bool *const used[WAYS], const bool pinned[WAYS])
{
    for (unsigned turn = 0; turn < 2 * WAYS; turn++) {
        unsigned way = *hand;

        *hand = (uint8_t)((way + 1) % WAYS);
        if (pinned[way])
            continue;
        if (!*used[way])
            return way;
        *used[way] = false;
    }
    return WAYS; /* all are pinned */
}

static struct stored *set_of(const struct tern_calls *calls, uint64_t fingerprint)
{
    return &calls->stored[WAYS * (fingerprint & ((UINT64_C(1) << calls->log2_sets) - 1))];
}

static struct stored *lookup(struct tern_calls *calls, uint64_t fingerprint)
{
    const struct flat *flat = &calls->flat;
    struct stored *set = set_of(calls, fingerprint);

    for (unsigned way = 0; way < WAYS; way++) {
        struct stored *stored = &set[way];

        if (!stored->flat || stored->fingerprint != fingerprint)
            continue;
        if (stored->words == flat->words &&
            memcmp(stored->flat, flat->at, flat->words * sizeof(*flat->at)) == 0)
            return stored;
        calls->counts.collisions++;
    }
    return NULL;
}

/* A place for one more: a free one, or that of a call that has not been used for a while. */
static struct stored *make_place(struct tern_calls *calls, uint64_t fingerprint)
{
    struct stored *set = set_of(calls, fingerprint);
    bool *used[WAYS], pinned[WAYS];
    unsigned way;

    for (way = 0; way < WAYS; way++) {
        if (!set[way].flat)
            return &set[way];
        used[way] = &set[way].used;
        pinned[way] = set[way].pins > 0;
    }
    way = call_clock(&calls->hands[(size_t)(set - calls->stored) / WAYS], used, pinned);
    if (way == WAYS)
        return NULL;
    calls->counts.evicted++;
    drop(&set[way]);
    return &set[way];
}

static size_t plan_bytes(const struct plan *plan)
{
    return offsetof(struct plan, desc) + plan->ops * sizeof(*plan->desc);
}

/* Copies the call to the table; NULL: there is no place, or no memory. */
static struct stored *enter(struct tern_calls *calls, uint64_t fingerprint)
{
    const struct flat *flat = &calls->flat;
    size_t words = flat->words * sizeof(*flat->at);
    struct stored *stored = calls->config.off ? NULL : make_place(calls, fingerprint);
    uint64_t *memory = stored ? malloc(words + plan_bytes(&calls->plan)) : NULL;

    if (!memory) {
        calls->counts.unstored++;
        return NULL;
    }
    memcpy(memory, flat->at, words);
    memcpy((uint8_t *)memory + words, &calls->plan, plan_bytes(&calls->plan));
    *stored = (struct stored){.fingerprint = fingerprint,
                              .flat = memory,
                              .plan = (struct plan *)(void *)((uint8_t *)memory + words),
                              .words = flat->words,
                              .used = true};
    return stored;
}

/* Watches the regions of the list before their keys are read. */
static int know_regions(struct tern_calls *calls, const struct tern_wr *list,
                        const struct tern_wr **bad)
{
    for (const struct tern_wr *wr = list; wr; wr = wr->next) {
        for (unsigned i = 0; i < wr->sge_count && !(wr->flags & TERN_WR_INLINE); i++) {
            int status = wr->sges[i].region ? known_add(&calls->known, wr->sges[i].region)
                                            : -TERN_ST_BAD_ARGUMENT;

            if (status) {
                *bad = wr;
                return status;
            }
        }
    }
    return 0;
}

static int build(struct tern_calls *calls, const struct tern_wr *list, const struct tern_wr **bad)
{
    int status = know_regions(calls, list, bad);

    return status ? status : call_build(list, &calls->plan, bad);
}

int call_build_only(struct tern_calls *calls, const struct tern_wr *list, struct plan **plan,
                    const struct tern_wr **bad)
{
    if (!list)
        return -TERN_ST_BAD_LENGTH;
    calls->counts.misses++;
    *plan = &calls->plan;
    return build(calls, list, bad);
}

/* Builds what was found, and compares: the built one wins. */
static int check_hit(struct tern_calls *calls, const struct tern_wr *list, struct plan **plan,
                     const struct tern_wr **bad)
{
    int status = build(calls, list, bad);

    if (status)
        return status;
    if (calls->plan.ops != (*plan)->ops ||
        memcmp(calls->plan.desc, (*plan)->desc, calls->plan.ops * sizeof(*calls->plan.desc)) != 0)
        calls->counts.unlike++;
    *plan = &calls->plan;
    return 0;
}

int call_find(struct tern_calls *calls, const struct tern_wr *list, struct plan **plan,
              struct stored **stored, const struct tern_wr **bad)
{
    uint64_t fingerprint = call_cut(calls, call_fingerprint(calls->flat.at, calls->flat.words));
    int status;

    *stored = calls->config.off ? NULL : lookup(calls, fingerprint);
    if (*stored) {
        calls->counts.hits++;
        (*stored)->used = true;
        *plan = (*stored)->plan;
        call_refresh(list, *plan);
        return calls->config.check_hits ? check_hit(calls, list, plan, bad) : 0;
    }
    calls->counts.misses++;
    status = build(calls, list, bad);
    if (status)
        return status;
    *plan = &calls->plan;
    *stored = enter(calls, fingerprint);
    return 0;
}
