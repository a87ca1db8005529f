/* SPDX-License-Identifier: Apache-2.0 */
/* Caches where they are used: opened, closed, their leases and figures. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "cache.h"

enum { CQ_LOG2 = 9, SQ_LOG2 = 8, PARTS_MAX = 1024, MAP_ENTRIES = 4096 };

/* ---- opened */

static bool is_sound(const struct cache_head *head)
{
    return head->layout == CACHE_LAYOUT && head->shared.sizes >= 1 &&
           head->shared.sizes <= TERN_TABLE_SIZES_MAX &&
           head->shared.blocks[head->shared.sizes - 1].slab_bytes <= CACHE_ROOM_MAX;
}

/* No part is set twice, so there is none to look for. */
static void writers_open(struct cache_part *part, struct tern_cache *cache)
{
    for (unsigned i = 0; i < CACHE_WRITERS; i++)
        part->writer[i] = (struct tern_table_writer){
            .table = part->table,
            .holder = tern_member_holder(part->member),
            .cq = cache->cq,
            .sq = cache->sq,
            .timeout_ms = -1,
            .region = cache->scratch_region,
            .scratch = cache->scratch + (size_t)part->number * CACHE_SCRATCH +
                       (size_t)i * (CACHE_SCRATCH / CACHE_WRITERS),
            .blind = part->head.blind != 0 || i > 0};
}

static int part_open(struct cache_part *part, struct tern_cache *cache, const char *name)
{
    int status = tern_member_find(part->member, name, &part->object);

    if (!status && part->object.kind != CACHE_KIND)
        status = -TERN_ST_NOT_FOUND;
    if (!status)
        status = cache_read_part(cache, part, 0, &cache->memory->head, sizeof(part->head));
    if (status)
        return status;
    part->head = cache->memory->head;
    if (!is_sound(&part->head))
        return -TERN_ST_PROTOCOL;
    if (part->head.blind && cache->config.path == TERN_CACHE_LITERAL)
        return -TERN_ST_BAD_ARGUMENT;
    part->table = part->head.shared;
    part->room = part->table.blocks[part->table.sizes - 1].slab_bytes;
    writers_open(part, cache);
    status = cache_part_ready(part);
    if (!status && cache->config.subscribe)
        status = cache_ring_open(cache, part);
    return status == -TERN_ST_QUEUE_BUSY ? 0 : status;
}

static int open_queues(struct tern_cache *cache)
{
    size_t scratch = (size_t)cache->count * CACHE_SCRATCH;
    int status;

    cache->scratch = calloc(1, scratch);
    if (!cache->scratch)
        return -TERN_ST_NO_MEMORY;
    status = tern_register(cache->device, cache->memory, sizeof(*cache->memory),
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &cache->region);
    if (!status)
        status =
            tern_register(cache->device, cache->scratch, scratch,
                          TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &cache->scratch_region);
    if (!status)
        status = tern_cq_create(cache->device, CQ_LOG2, 0, &cache->cq);
    if (!status)
        status = tern_sq_create(cache->cq, SQ_LOG2, &cache->sq);
    return status;
}

static int open_parts(struct tern_cache *cache, struct tern_member *const *members,
                      const char *name)
{
    int status = 0;

    for (unsigned i = 0; !status && i < cache->count; i++) {
        cache->parts[i].member = members[i];
        cache->parts[i].number = (uint16_t)i;
        status = tern_member_device(members[i]) == cache->device ? tern_member_renew(members[i])
                                                                 : -TERN_ST_BAD_ARGUMENT;
    }
    for (unsigned i = 0; !status && i < cache->count; i++)
        status = part_open(&cache->parts[i], cache, name);
    return status;
}

/* ---- the handle: its addresses are used for no other, so a use after its close is noticed */

static struct tern_cache *handle_new(void)
{
    void *at = mmap(NULL, sizeof(struct tern_cache), PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return at == MAP_FAILED ? NULL : at;
}

/* Gives the memory back, and leaves zeros there that cannot be written. */
static void handle_close(struct tern_cache *cache)
{
    (void)mmap(cache, sizeof(*cache), PROT_READ,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void cache_free(struct tern_cache *cache)
{
    for (unsigned i = 0; cache->parts && i < cache->count; i++)
        cache_ring_close(cache, &cache->parts[i]);
    if (cache->sq)
        (void)tern_sq_destroy(cache->sq);
    if (cache->cq)
        (void)tern_cq_destroy(cache->cq);
    if (cache->region)
        (void)tern_release(cache->region);
    if (cache->scratch_region)
        (void)tern_release(cache->scratch_region);
    free(cache->write.at);
    free(cache->found.at);
    free(cache->map.known);
    free(cache->scratch);
    free(cache->parts);
    free(cache->memory);
    handle_close(cache);
}

static int cache_open(struct tern_cache *cache, struct tern_member *const *members,
                      const char *name)
{
    unsigned entries = cache->config.map_entries ? cache->config.map_entries : MAP_ENTRIES;
    int status;

    cache->parts = calloc(cache->count, sizeof(*cache->parts));
    cache->memory = aligned_alloc(CACHE_ALIGN, (sizeof(*cache->memory) + CACHE_ALIGN - 1) /
                                                   CACHE_ALIGN * CACHE_ALIGN);
    if (!cache->parts || !cache->memory)
        return -TERN_ST_NO_MEMORY;
    memset(cache->memory, 0, sizeof(*cache->memory));
    status = cache_map_open(&cache->map, entries);
    if (!status)
        status = open_queues(cache);
    return status ? status : open_parts(cache, members, name);
}

int tern_cache_open(struct tern_member *const *members, unsigned count, const char *name,
                    const struct tern_cache_client *config, struct tern_cache **out)
{
    struct tern_cache *cache;
    int status;

    if (!members || count == 0 || count > PARTS_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    cache = handle_new();
    if (!cache)
        return -TERN_ST_NO_MEMORY;
    if (config)
        cache->config = *config;
    cache->device = tern_member_device(members[0]);
    cache->count = count;
    status = cache_open(cache, members, name);
    if (status)
        cache_free(cache);
    else
        *out = cache;
    return status;
}

/* ---- closed */

static void give_stock_back(struct cache_part *part, struct tern_table_writer *writer)
{
    for (unsigned i = 0; i <= part->table.sizes; i++) {
        struct tern_allocator a = {.blocks = part->table.blocks[i],
                                   .holder = writer->holder,
                                   .cq = writer->cq,
                                   .sq = writer->sq,
                                   .timeout_ms = (int)tern_member_lease(part->member)};
        unsigned entered;

        if (!(writer->stocked >> i & 1) || !tern_member_alive(part->member))
            continue;
        entered = tern_member_enter(part->member);
        tern_member_leave(part->member, entered, tern_bfree_wait(&a, &writer->stock[i]));
    }
    writer->stocked = 0;
}

/* Ends the puts of pages in flight, and the gets whose completions were not polled. */
static void end_all(struct tern_cache *cache)
{
    for (unsigned i = 0; i < cache->count; i++) {
        struct cache_part *part = &cache->parts[i];

        if (part->telling)
            tern_member_leave(part->member, part->told_entered, cache_await(cache, &part->told));
        part->telling = false;
    }
    for (unsigned i = 0; i < CACHE_GETS; i++) {
        struct cache_get *get = &cache->get[i];

        if (!get->used)
            continue;
        (void)cache_await(cache, &get->end);
        (void)cache_get_finish(get);
    }
}

void tern_cache_close(struct tern_cache *cache)
{
    if (!cache || cache_is_closed(cache))
        return;
    end_all(cache);
    for (unsigned i = 0; i < cache->count; i++)
        for (unsigned w = 0; w < CACHE_WRITERS; w++)
            give_stock_back(&cache->parts[i], &cache->parts[i].writer[w]);
    cache_free(cache);
}

/* ---- figures */

int tern_cache_fd(const struct tern_cache *cache)
{
    return cache_is_closed(cache) ? -1 : tern_cq_fd(cache->cq);
}

void tern_cache_counts(const struct tern_cache *cache, struct tern_cache_counts *out)
{
    *out = cache->counts;
}

struct tern_cache_limits tern_cache_limits(const struct tern_cache *cache)
{
    struct tern_cache_limits limits = {.value_bytes = UINT64_MAX, .lease_ms = UINT32_MAX};

    if (cache_is_closed(cache))
        return (struct tern_cache_limits){0};
    for (unsigned i = 0; i < cache->count; i++) {
        const struct cache_part *part = &cache->parts[i];

        if (part->head.value_max < limits.value_bytes)
            limits.value_bytes = part->head.value_max;
        if (part->head.lease_ms < limits.lease_ms)
            limits.lease_ms = part->head.lease_ms;
    }
    return limits;
}
