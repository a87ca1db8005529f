/* SPDX-License-Identifier: Apache-2.0 */
/* Caches where they are used: opened, closed, their leases and figures. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tern/read.h>

#include "cache.h"

enum {
    CQ_LOG2 = 9, SQ_LOG2 = 8, PARTS_MAX = 1024, MAP_ENTRIES = 4096,
    LOOKS = 8 /* in a lease, while something is awaited */
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

int cache_hear(struct tern_cache *cache, int timeout_ms)
{
    struct tern_completion done;
    int count = tern_cq_poll(cache->cq, &done, 1);

    if (count == 0 && timeout_ms > 0) {
        int status = tern_cq_wait(cache->cq, timeout_ms);

        if (status && status != -TERN_ST_WAIT_EXPIRED)
            return status;
        count = tern_cq_poll(cache->cq, &done, 1);
    }
    for (; count > 0; count = tern_cq_poll(cache->cq, &done, 1)) {
        struct cache_end *end = (struct cache_end *)(uintptr_t)done.context;

        end->status = -(int)done.status;
        end->over = true;
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

/* ---- opened */

/* Reads `bytes` of the pool at the object's `offset`, and waits. */
static int read_part(struct cache_part *part, struct tern_cache *cache, uint64_t offset, void *to,
                     uint32_t bytes)
{
    struct cache_end end = {.over = false};
    unsigned entered = tern_member_enter(part->member);
    int status = tern_read(cache->sq, tern_member_at(part->member, part->object.offset + offset),
                           cache->region, to, bytes, TERN_DFLAG_SIGNAL,
                           (uint64_t)(uintptr_t)&end);

    if (!status)
        status = cache_await(cache, &end);
    tern_member_leave(part->member, entered, status);
    return cache_told(part, status);
}

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
            .table = part->table, .holder = tern_member_holder(part->member), .cq = cache->cq,
            .sq = cache->sq, .timeout_ms = -1, .region = cache->scratch_region,
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
        status = read_part(part, cache, 0, &cache->memory->head, sizeof(part->head));
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
        status = tern_register(cache->device, cache->scratch, scratch,
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE,
                               &cache->scratch_region);
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
        status = tern_member_device(members[i]) == cache->device
                     ? tern_member_renew(members[i])
                     : -TERN_ST_BAD_ARGUMENT;
    }
    for (unsigned i = 0; !status && i < cache->count; i++)
        status = part_open(&cache->parts[i], cache, name);
    return status;
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
    free(cache);
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
    cache = calloc(1, sizeof(*cache));
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
        struct tern_allocator a = {.blocks = part->table.blocks[i], .holder = writer->holder,
                                   .cq = writer->cq, .sq = writer->sq,
                                   .timeout_ms = (int)tern_member_lease(part->member)};
        unsigned entered;

        if (!(writer->stocked >> i & 1) || !tern_member_alive(part->member))
            continue;
        entered = tern_member_enter(part->member);
        tern_member_leave(part->member, entered, tern_bfree_wait(&a, &writer->stock[i]));
    }
    writer->stocked = 0;
}

/* A put of a page that is under way, and gets that nobody polled. */
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
    if (!cache)
        return;
    end_all(cache);
    for (unsigned i = 0; i < cache->count; i++)
        for (unsigned w = 0; w < CACHE_WRITERS; w++)
            give_stock_back(&cache->parts[i], &cache->parts[i].writer[w]);
    cache_free(cache);
}

/* ---- leases, and the history of what was used */

/* Posts the page of what was used most since the last one, every quarter of a lease. */
static int tell(struct tern_cache *cache, struct cache_part *part, int64_t now)
{
    struct cache_page *page = &cache->memory->page;
    unsigned owner = tern_member_holder(part->member).owner, count;
    int status;

    if (owner == 0 || owner > part->head.clients || now < part->tell_at)
        return 0;
    for (unsigned i = 0; i < cache->count; i++)
        if (cache->parts[i].telling)
            return 0;
    memset(page->use, 0, sizeof(page->use));
    count = cache_map_uses(&cache->map, part->number, page->use, CACHE_USES);
    part->tell_at = now + part->head.lease_ms / 4;
    if (count == 0)
        return 0;
    page->count++;
    part->told.over = false;
    part->told_entered = tern_member_enter(part->member);
    status = tern_put(cache->sq,
                      tern_rptr_add(part->start, part->head.pages +
                                                     (owner - 1) * (uint64_t)sizeof(*page)),
                      cache->region, page, sizeof(*page), TERN_DFLAG_SIGNAL,
                      (uint64_t)(uintptr_t)&part->told);
    part->telling = status == 0;
    cache->counts.histories += status == 0;
    if (status)
        tern_member_leave(part->member, part->told_entered, 0);
    return status == -TERN_ST_AGAIN ? 0 : status;
}

int tern_cache_renew(struct tern_cache *cache)
{
    int64_t now = cache_now_ms();
    int status = cache_hear(cache, 0);

    status = status < 0 ? status : 0;
    for (unsigned i = 0; i < cache->count; i++) {
        struct cache_part *part = &cache->parts[i];
        int one = cache_part_ready(part);

        if (part->telling && part->told.over) {
            part->telling = false;
            tern_member_leave(part->member, part->told_entered, part->told.status);
        }
        if (!one)
            one = cache_ring_hear(cache, part);
        if (!one)
            one = tell(cache, part, now);
        status = status ? status : one;
    }
    return status;
}

/* ---- the server's map */

void cache_learn_entry(struct tern_cache *cache, const struct cache_part *part,
                       const struct cache_entry *entry, int64_t now)
{
    const struct cache_known known = {
        .link = tern_link(addr_of(part->table.pointer.start) + (uint64_t)entry->place * CACHE_NODE,
                          entry->generation),
        .until = now + part->head.lease_ms, .code = entry->code, .place = entry->place,
        .generation = entry->generation, .version = entry->version, .part = part->number,
        .nodes = (uint16_t)(part->room / CACHE_NODE), .expires = entry->expires};
    bool full;

    if (entry->generation == 0) {
        cache_map_drop(&cache->map, entry->code, part->number);
        return;
    }
    (void)cache_map_learn(&cache->map, &known, now, &full);
    cache->counts.learnt++;
    cache->counts.map_full += full;
}

int cache_load_part(struct tern_cache *cache, struct cache_part *part)
{
    const uint32_t window = sizeof(cache->memory->entries) / sizeof(cache->memory->entries[0]);
    int count = 0, status = cache_part_ready(part);

    for (uint32_t at = 0; !status && at < part->head.map_entries; at += window) {
        uint32_t entries = part->head.map_entries - at < window ? part->head.map_entries - at
                                                                : window;
        int64_t now = cache_now_ms();

        status = read_part(part, cache, part->head.map + at * sizeof(struct cache_entry),
                           cache->memory->entries, entries * (uint32_t)sizeof(struct cache_entry));
        for (uint32_t i = 0; !status && i < entries; i++)
            if (cache->memory->entries[i].generation) {
                cache_learn_entry(cache, part, &cache->memory->entries[i], now);
                count++;
            }
    }
    return status ? status : count;
}

int tern_cache_load(struct tern_cache *cache)
{
    int count = 0;

    for (unsigned i = 0; i < cache->count; i++) {
        int one = cache_load_part(cache, &cache->parts[i]);

        if (one < 0)
            return one;
        count += one;
    }
    return count;
}

/* ---- figures */

int tern_cache_stat(struct tern_cache *cache, unsigned server, struct tern_cache_served *out)
{
    struct cache_part *part = &cache->parts[server];
    int status = server < cache->count ? cache_part_ready(part) : -TERN_ST_BAD_RANGE;

    if (!status)
        status = read_part(part, cache, offsetof(struct cache_head, served),
                           &cache->memory->head.served, sizeof(*out));
    if (!status)
        *out = cache->memory->head.served;
    return status;
}

int tern_cache_fd(const struct tern_cache *cache)
{
    return tern_cq_fd(cache->cq);
}

void tern_cache_counts(const struct tern_cache *cache, struct tern_cache_counts *out)
{
    *out = cache->counts;
}

struct tern_cache_limits tern_cache_limits(const struct tern_cache *cache)
{
    struct tern_cache_limits limits = {.value_bytes = UINT64_MAX, .lease_ms = UINT32_MAX};

    for (unsigned i = 0; i < cache->count; i++) {
        const struct cache_part *part = &cache->parts[i];

        if (part->head.value_max < limits.value_bytes)
            limits.value_bytes = part->head.value_max;
        if (part->head.lease_ms < limits.lease_ms)
            limits.lease_ms = part->head.lease_ms;
    }
    return limits;
}
