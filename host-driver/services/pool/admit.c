/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers the requests that members send by message: to join, to leave, and those for services.
 */
#define _GNU_SOURCE
#include <string.h>

#include "server.h"

/* Sends pool->scratch. A member that does not receive it loses its lease later. */
static void answer(struct tern_pool *pool, uint16_t node, uint16_t queue)
{
    struct tern_target to = {.node = node, .queue = queue};
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, pool->sq, &done);
    status = tern_send(pool->sq, to, pool->scratch_region, &pool->scratch, sizeof(pool->scratch),
                       TERN_DFLAG_SIGNAL, 0);
    (void)tern_once_end(&once, status, POOL_ANSWER_MS);
}

static void prepare(struct tern_pool *pool, const struct wire_request *request, int status)
{
    pool->scratch = (struct wire_answer){
        .magic = WIRE_MAGIC, .status = (uint32_t)-status, .nonce = request->nonce,
        .number = request->number};
}

/*
 * Finds a seat for a request to join: the one that the same request got before, if its answer was
 * lost, or a free one.
 */
static int seat_for(struct tern_pool *pool, const struct wire_request *request, uint16_t node,
                    uint32_t *found)
{
    struct pool_ground *ground = pool->ground;
    uint32_t none = ground->members;

    *found = none;
    for (uint32_t i = 0; i < ground->members; i++) {
        uint32_t number = (ground->next_seat + i) % ground->members;
        const struct pool_seat *seat = pool_seat_of(pool, number);

        if (seat->state == SEAT_LIVE && seat->nonce == request->nonce && seat->node == node) {
            *found = number;
            return 0;
        }
        if (seat->state == SEAT_FREE && *found == none)
            *found = number;
    }
    return *found == none ? -TERN_ST_NO_RESOURCE : 1;
}

/* Gives the seat to the member; writes its state last. */
static int sit_down(struct tern_pool *pool, const struct wire_request *request, uint16_t node,
                    uint32_t number)
{
    struct pool_lease *lease = pool_lease_of(pool->ground, number);
    struct pool_seat *seat = pool_seat_of(pool, number);
    uint16_t epoch = (uint16_t)(seat->epoch + 1);
    int status;

    *seat = (struct pool_seat){
        .state = SEAT_FREE, .epoch = epoch ? epoch : 1, .rights = (uint16_t)request->rights,
        .node = node, .queue = request->queue, .nonce = request->nonce};
    status = pool_keys_grant(pool, number);
    if (status)
        return status;
    *lease = (struct pool_lease){.moved = pool->ground->adoption, .key = seat->key,
                                 .lease_key = seat->lease_key,
                                 .adoption = pool->ground->adoption};
    pool->ground->next_seat = number + 1;
    pool_watch_begin(pool, number);
    __atomic_store_n(&seat->state, SEAT_LIVE, __ATOMIC_RELEASE);
    pool->counts.live++;
    pool->counts.joins++;
    return 0;
}

static void tell_seat(struct tern_pool *pool, uint32_t number)
{
    const struct pool_ground *ground = pool->ground;
    const struct pool_watch *watch = &pool->watch[number];
    uint64_t page = number * sizeof(struct pool_lease);
    struct wire_answer *a = &pool->scratch;

    a->holder = (struct tern_holder){(uint16_t)(number + 1), pool_seat_of(pool, number)->epoch};
    a->lease_ms = ground->lease_ms;
    a->pool = ground->pool;
    a->life = ground->life;
    if (watch->lease_region) {
        a->shared = tern_region_pointer(watch->region, 0);
        a->lease = tern_region_pointer(watch->lease_region, 0);
    } else {
        a->shared = tern_region_pointer(watch->region, ground->directory - ground->leases);
        a->lease = tern_region_pointer(watch->region, page);
    }
    a->objects = ground->objects - ground->directory;
    a->bytes = ground->objects_bytes;
    a->adoption = ground->adoption;
    memcpy(a->secret, ground->secret, sizeof(a->secret));
}

static int join(struct tern_pool *pool, const struct wire_request *request, uint16_t node)
{
    uint32_t number = 0;
    int status = 0, is_new = 0;

    if (strncmp(request->name, pool->ground->name, sizeof(request->name)) != 0)
        status = -TERN_ST_NO_POOL;
    else if (!(request->rights & (TERN_POOL_READ | TERN_POOL_WRITE)))
        status = -TERN_ST_BAD_ARGUMENT;
    if (!status)
        status = is_new = seat_for(pool, request, node, &number);
    if (status == 1)
        status = sit_down(pool, request, node, number);
    prepare(pool, request, status);
    if (!status)
        tell_seat(pool, number);
    else if (status != -TERN_ST_NO_POOL)
        pool->counts.refused++;
    answer(pool, node, request->queue);
    return status == 0 && is_new == 1;
}

/* Returns the seat of the member that the request names, or NULL. */
static struct pool_seat *seat_named(struct tern_pool *pool, const struct wire_request *request,
                                    uint16_t node)
{
    struct pool_seat *seat;

    if (!tern_pool_has(pool, request->holder))
        return NULL;
    seat = pool_seat_of(pool, request->holder.owner - 1u);
    return seat->state == SEAT_LIVE && seat->nonce == request->nonce && seat->node == node ? seat
                                                                                            : NULL;
}

static void quit(struct tern_pool *pool, const struct wire_request *request, uint16_t node)
{
    struct pool_seat *seat = seat_named(pool, request, node);

    if (!seat || seat->left)
        return;
    seat->left = 1; /* freed with the next deaths */
    pool->counts.leaves++;
}

static void ask(struct tern_pool *pool, const struct wire_request *request, uint16_t node)
{
    struct pool_seat *seat = seat_named(pool, request, node);
    struct wire_request copy = *request;
    bool known = false;

    for (struct tern_pool_service *s = pool->services; seat && !known && s; s = s->next)
        known = s->asked && s->asked(s, copy.holder, copy.words);
    prepare(pool, request, !seat ? -TERN_ST_LEASE_OVER : known ? 0 : -TERN_ST_UNSUPPORTED);
    memcpy(pool->scratch.words, copy.words, sizeof(copy.words));
    answer(pool, node, copy.queue);
}

int pool_admit(struct tern_pool *pool, const struct tern_completion *message)
{
    struct wire_request request;

    if (message->status != TERN_ST_OK || message->length != sizeof(request))
        return 0;
    memcpy(&request, message->data, sizeof(request));
    request.name[sizeof(request.name) - 1] = 0;
    if (request.magic != WIRE_MAGIC)
        return 0;
    if (request.kind == WIRE_JOIN)
        return join(pool, &request, message->node);
    if (request.kind == WIRE_QUIT)
        quit(pool, &request, message->node);
    if (request.kind == WIRE_ASK)
        ask(pool, &request, message->node);
    return 0;
}
