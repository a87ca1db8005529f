/* SPDX-License-Identifier: Apache-2.0 */
/* Prepared calls: descriptors that are ready, with holes. */
#include <stdlib.h>
#include <string.h>

#include "calls.h"

/* ---- a copy of the list */

static size_t copy_bytes(const struct tern_wr *list)
{
    size_t bytes = 0;

    for (const struct tern_wr *wr = list; wr; wr = wr->next)
        bytes += sizeof(*wr) + wr->sge_count * sizeof(*wr->sges);
    return bytes;
}

/* Copies requests, and behind them all segments, into one piece of memory; NULL: there is none. */
static struct tern_wr *copy_list(const struct tern_wr *list, unsigned requests)
{
    struct tern_wr *copy = malloc(copy_bytes(list)), *to = copy;
    struct tern_sge *sges;

    if (!copy)
        return NULL;
    sges = (struct tern_sge *)(void *)(copy + requests);
    for (const struct tern_wr *wr = list; wr; wr = wr->next, to++) {
        *to = *wr;
        to->next = wr->next ? to + 1 : NULL;
        to->sges = sges;
        if (wr->sge_count)
            memcpy(sges, wr->sges, wr->sge_count * sizeof(*sges));
        sges += wr->sge_count;
    }
    return copy;
}

/* ---- holes */

static bool is_message(const struct plan_request *request)
{
    return request->opcode == TERN_WR_SEND;
}

static bool is_atomic(const struct plan_request *request)
{
    return request->opcode == TERN_WR_CAS || request->opcode == TERN_WR_ADD;
}

/* The request has such a field, and one that can change alone. */
static bool has_hole(const struct plan *plan, const struct tern_hole *hole)
{
    const struct plan_request *request;
    bool moves;

    if (hole->request >= plan->requests)
        return false;
    request = &plan->request[hole->request];
    moves = !is_atomic(request) && !(request->flags & TERN_WR_INLINE);
    if (hole->kind != TERN_HOLE_LOCAL && hole->segment)
        return false;
    switch (hole->kind) {
    case TERN_HOLE_LOCAL:
        return moves && hole->segment < request->count;
    case TERN_HOLE_LENGTH:
        return moves && request->count == 1;
    case TERN_HOLE_REMOTE:
    case TERN_HOLE_KEY:
        return !is_message(request);
    case TERN_HOLE_IMM:
        return is_message(request) && request->flags & TERN_WR_IMM;
    case TERN_HOLE_ID:
        return true;
    default:
        return false;
    }
}

static void set_local(const struct plan_request *request, uint32_t *words, uint64_t value)
{
    if (request->opcode == TERN_WR_READ)
        TERN_SET(RDR, addr, words, value);
    else
        TERN_SET(DESC, local_addr, words, value);
}

/* Operations of one request lie one behind the other at the other end. */
static void set_remote(struct plan *plan, const struct plan_request *request, uint64_t value)
{
    uint64_t before = TERN_GET(DESC, remote_addr, plan->desc[request->first].words);

    for (unsigned i = 0; i < request->count; i++) {
        uint32_t *words = plan->desc[request->first + i].words;

        TERN_SET(DESC, remote_addr, words,
                 TERN_GET(DESC, remote_addr, words) - before + value);
    }
}

static int set_length(const struct plan_request *request, uint32_t *words, uint64_t value)
{
    if (value == 0 || value > TERN_PUT_BYTES_MAX)
        return -TERN_ST_BAD_LENGTH;
    TERN_SET(DESC, length, words, value);
    if (request->opcode == TERN_WR_READ)
        TERN_SET(RDR, length, words, value);
    return 0;
}

static int set_hole(struct tern_prepared *prepared, const struct tern_hole *hole, uint64_t value)
{
    const struct plan_request *request = &prepared->plan.request[hole->request];
    uint32_t *words = prepared->plan.desc[request->first + hole->segment].words;

    switch (hole->kind) {
    case TERN_HOLE_LOCAL:
        set_local(request, words, value);
        return 0;
    case TERN_HOLE_REMOTE:
        set_remote(&prepared->plan, request, value);
        return 0;
    case TERN_HOLE_KEY:
        for (unsigned i = 0; i < request->count; i++)
            TERN_SET(DESC, remote_key, prepared->plan.desc[request->first + i].words, value);
        return 0;
    case TERN_HOLE_LENGTH:
        return set_length(request, words, value);
    case TERN_HOLE_IMM:
        TERN_SET(DESC, imm, words, value);
        return 0;
    default:
        for (unsigned i = 0; i < request->count; i++)
            prepared->contexts[request->first + i] = value;
        return 0;
    }
}

/* ---- preparing */

static int declare(struct tern_prepared *prepared, const struct tern_hole *holes, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (!has_hole(&prepared->plan, &holes[i]))
            return -TERN_ST_BAD_ARGUMENT;
    }
    prepared->holes = malloc(count ? count * sizeof(*holes) : 1);
    if (!prepared->holes)
        return -TERN_ST_NO_MEMORY;
    if (count)
        memcpy(prepared->holes, holes, count * sizeof(*holes));
    prepared->hole_count = count;
    return 0;
}

static int prepare(struct tern_calls *calls, const struct tern_wr *list,
                   struct tern_prepared *prepared, const struct tern_wr **bad)
{
    struct plan *plan;
    int status = call_look(calls);

    if (!status)
        status = call_flatten(list, &calls->flat, bad);
    if (!status)
        status = call_find(calls, list, &plan, &prepared->pinned, bad);
    if (status)
        return status;
    memcpy(&prepared->plan, plan, offsetof(struct plan, desc) + plan->ops * sizeof(*plan->desc));
    call_contexts(list, plan, prepared->contexts);
    prepared->list = copy_list(list, calls->flat.requests);
    return prepared->list ? 0 : -TERN_ST_NO_MEMORY;
}

int tern_call_prepare(struct tern_calls *calls, const struct tern_wr *list,
                      const struct tern_hole *holes, unsigned count,
                      struct tern_prepared **out, const struct tern_wr **bad)
{
    struct tern_prepared *prepared = calloc(1, sizeof(*prepared));
    const struct tern_wr *refused = NULL;
    int status = prepared ? prepare(calls, list, prepared, &refused) : -TERN_ST_NO_MEMORY;

    if (!status)
        status = declare(prepared, holes, count);
    if (bad)
        *bad = refused;
    if (status) {
        if (prepared)
            free(prepared->list);
        free(prepared);
        return status;
    }
    if (prepared->pinned)
        prepared->pinned->pins++;
    prepared->calls = calls;
    prepared->next = calls->prepared;
    prepared->link = &calls->prepared;
    if (prepared->next)
        prepared->next->link = &prepared->next;
    calls->prepared = prepared;
    *out = prepared;
    return 0;
}

int tern_call_set(struct tern_prepared *prepared, unsigned hole, uint64_t value)
{
    if (hole >= prepared->hole_count)
        return -TERN_ST_BAD_ARGUMENT;
    return set_hole(prepared, &prepared->holes[hole], value);
}

int tern_call_execute(struct tern_prepared *prepared)
{
    struct tern_calls *calls = prepared->calls;
    int status = call_look(calls);

    if (!status && prepared->stale)
        status = -TERN_ST_STALE_POINTER;
    if (status)
        return status;
    call_refresh(prepared->list, &prepared->plan);
    status = tern_desc_post(calls->sq, prepared->plan.desc, prepared->contexts,
                            prepared->plan.ops);
    calls->counts.executed += status == 0;
    return status;
}

void tern_call_free(struct tern_prepared *prepared)
{
    if (!prepared)
        return;
    *prepared->link = prepared->next;
    if (prepared->next)
        prepared->next->link = prepared->link;
    if (prepared->pinned)
        prepared->pinned->pins--;
    free(prepared->holes);
    free(prepared->list);
    free(prepared);
}
