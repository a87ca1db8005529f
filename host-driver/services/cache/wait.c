/* SPDX-License-Identifier: Apache-2.0 */
/* Times, waiting, the keys of members, and the choice of a server: for all files of this folder. */
#define _GNU_SOURCE
#include <string.h>
#include <time.h>

#include "cache.h"

enum {
    LOOKS = 8,       /* in a lease, while something is awaited */
    BUSY_LEASES = 8, /* of the pool */
};

int64_t cache_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint32_t cache_now_s(void)
{
    return (uint32_t)time(NULL);
}

/* ---- waiting */

/* Takes so many at once, since a poll that finds nothing costs a turn of the transport. */
enum { HEARD = 16 };

static int hear(struct tern_cache *cache)
{
    struct tern_completion done[HEARD];
    int count, sum = 0;

    do {
        count = tern_cq_poll(cache->cq, done, HEARD);
        for (int i = 0; i < count; i++) {
            struct cache_end *end = (struct cache_end *)(uintptr_t)done[i].context;

            end->status = -(int)done[i].status;
            end->value = done[i].value;
            end->over = true;
        }
        sum += count > 0 ? count : 0;
    } while (count == HEARD);
    return count < 0 ? count : sum;
}

int cache_hear(struct tern_cache *cache, int timeout_ms)
{
    int count = hear(cache);

    if (count == 0 && timeout_ms > 0) {
        int status = tern_cq_wait(cache->cq, timeout_ms);

        if (status && status != -TERN_ST_WAIT_EXPIRED)
            return status;
        count = hear(cache);
    }
    return count;
}

static int pause_of(const struct tern_cache *cache)
{
    return (int)tern_member_lease(cache->parts[0].member) / LOOKS + 1;
}

int cache_await(struct tern_cache *cache, const struct cache_end *end)
{
    while (!end->over) {
        int status = cache_hear(cache, pause_of(cache));

        if (status < 0)
            return status;
        for (unsigned i = 0; !end->over && i < cache->count; i++)
            (void)tern_member_renew(cache->parts[i].member);
    }
    return end->status;
}

int64_t cache_busy_end(const struct cache_part *part, int64_t now)
{
    return now + BUSY_LEASES * (int64_t)tern_member_lease(part->member);
}

int cache_told(const struct cache_part *part, int status)
{
    return status == -TERN_ST_BAD_KEY || status == -TERN_ST_LEASE_OVER
               ? tern_member_why(part->member)
               : status;
}

/* ---- the key of the member */

static uint64_t addr_of(struct tern_rptr at)
{
    return TERN_GET(RPTR, addr, at.w);
}

/* Gives the slabs in stock the new key; their places are the same. */
static void move_stock(struct cache_part *part, struct tern_rptr start)
{
    for (unsigned w = 0; w < CACHE_WRITERS; w++) {
        struct tern_table_writer *writer = &part->writer[w];

        for (unsigned i = 0; i <= part->table.sizes; i++)
            if (writer->stocked >> i & 1)
                writer->stock[i].at =
                    tern_rptr_add(start, addr_of(writer->stock[i].at) - addr_of(start));
        writer->table = part->table;
    }
}

int cache_part_ready(struct cache_part *part)
{
    int status = tern_member_renew(part->member);
    struct tern_rptr start;

    if (status)
        return status;
    start = tern_member_at(part->member, part->object.offset);
    if (memcmp(&start, &part->start, sizeof(start)) == 0)
        return 0;
    part->start = start;
    tern_table_shared_at(&part->table, tern_rptr_add(start, part->head.table));
    move_stock(part, start);
    return 0;
}

/* ---- which server has a key */

/* The finalizer of MurmurHash3. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccd;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53;
    return x ^ x >> 33;
}

/* The server with the greatest weight for the key: no weight depends on the other servers. */
unsigned tern_cache_place(const struct tern_cache *cache, const void *key, size_t key_bytes)
{
    uint64_t hash = tern_table_hash(key, key_bytes), best = 0;
    unsigned place = 0;

    for (unsigned i = 0; cache->count > 1 && i < cache->count; i++) {
        const struct tern_member *member = cache->parts[i].member;
        uint64_t name = (uint64_t)tern_member_node(member) << 16 | tern_member_pool(member);
        uint64_t weight = mixed(hash ^ mixed(name + 1));

        if (i == 0 || weight > best) {
            best = weight;
            place = i;
        }
    }
    return place;
}

struct cache_part *cache_part_of(struct tern_cache *cache, const void *key, size_t key_bytes)
{
    return &cache->parts[tern_cache_place(cache, key, key_bytes)];
}
