/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keys of a pool: they give members access to its memory that the server can revoke. See server.h.
 */
#define _GNU_SOURCE
#include <tern/atomic.h>
#include <tern/group.h>

#include "server.h"

enum {
    FOR_ALL = TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC,
    ROUNDS = 4,
};

/*
 * Permutes the 16-bit numbers by the secret (a Feistel network): 65536 successive keys have
 * different tags, and a member cannot derive one from another.
 */
static uint16_t tag_of(uint32_t number, const uint64_t *secret)
{
    uint32_t left = number >> 8 & 0xff, right = number & 0xff;

    for (unsigned round = 0; round < ROUNDS; round++) {
        uint64_t mixed = (secret[round & 1] ^ (right + 256 * round)) * UINT64_C(0x9e3779b97f4a7c15);
        uint32_t next = left ^ (uint32_t)(mixed >> 56);

        left = right;
        right = next;
    }
    return (uint16_t)(left << 8 | right);
}

/* Registers the ground from `offset` on, under a given key. */
static int region_make(struct tern_pool *pool, uint64_t offset, uint64_t bytes, unsigned rights,
                       struct tern_region **region)
{
    struct pool_ground *ground = pool->ground;
    struct tern_region_attr attr = {
        .addr = (uint8_t *)ground + offset, .bytes = bytes, .rights = rights, .keyed = true,
        .shared = true, .file = pool->file, .file_offset = offset};
    int status = -TERN_ST_QUEUE_BUSY;

    for (uint32_t i = 0; status == -TERN_ST_QUEUE_BUSY && i < pool->info.regions; i++) {
        pool->cursor = pool->cursor > 1 ? pool->cursor - 1 : pool->info.regions - 2;
        attr.key = tern_group_key((uint16_t)pool->cursor, tag_of(ground->tags, ground->secret));
        status = tern_register_with(pool->device, &attr, region);
    }
    ground->tags++;
    return status == -TERN_ST_QUEUE_BUSY ? -TERN_ST_NO_RESOURCE : status;
}

int pool_keys_open(struct tern_pool *pool)
{
    pool->cursor = pool->info.regions - 1;
    return region_make(pool, 0, pool->ground->bytes, FOR_ALL, &pool->region);
}

int pool_keys_grant(struct tern_pool *pool, uint32_t number)
{
    struct pool_ground *ground = pool->ground;
    struct pool_seat *seat = pool_seat_of(pool, number);
    struct pool_watch *watch = &pool->watch[number];
    bool writes = seat->rights & TERN_POOL_WRITE;
    uint64_t from = writes ? ground->leases : ground->directory;
    int status = region_make(pool, from, ground->bytes - from,
                             writes ? FOR_ALL : TERN_RIGHT_REMOTE_READ, &watch->region);

    if (status)
        return status;
    if (!writes)
        status = region_make(pool, ground->leases + number * sizeof(struct pool_lease),
                             sizeof(struct pool_lease),
                             TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE,
                             &watch->lease_region);
    if (status) {
        (void)pool_keys_release(pool, number);
        return status;
    }
    seat->key = tern_region_key(watch->region);
    seat->lease_key = writes ? TERN_KEY_NONE : tern_region_key(watch->lease_region);
    return 0;
}

static int release(struct tern_region **region)
{
    int status = *region ? tern_release(*region) : 0;

    if (status == -TERN_ST_QUEUE_BUSY)
        return status;
    *region = NULL;
    return status;
}

int pool_keys_release(struct tern_pool *pool, uint32_t number)
{
    struct pool_watch *watch = &pool->watch[number];
    int status = release(&watch->region);

    return status ? status : release(&watch->lease_region);
}

/* Posts an ADD of 0 and waits; `*ended` is its completion. */
static int add_nothing(struct tern_pool *pool, struct tern_rptr at, enum tern_status *ended)
{
    struct tern_completion done = {0};
    struct tern_once once;
    int status;

    tern_once_begin(&once, pool->sq, &done);
    status = tern_fetch_add(pool->sq, at, 0, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0);
    status = tern_once_end(&once, status, POOL_ANSWER_MS);
    *ended = done.status;
    return status;
}

int pool_keys_drain(struct tern_pool *pool)
{
    uint64_t offset = (uint64_t)((uint8_t *)&pool->ground->drain - (uint8_t *)pool->ground);
    enum tern_status ended;
    int status = add_nothing(pool, tern_region_pointer(pool->region, offset), &ended);

    return status ? status : -(int)ended;
}

bool pool_keys_is_gone(struct tern_pool *pool, uint32_t key, uint64_t offset)
{
    struct tern_rptr at = tern_region_pointer(pool->region, offset);
    enum tern_status ended;

    TERN_SET(RPTR, key, at.w, key);
    return add_nothing(pool, at, &ended) == 0 && ended == TERN_ST_BAD_KEY;
}
