/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tables that all nodes change, on the side of the owner: how they begin, and how dead records are
 * removed.
 */
#include <string.h>

#include <tern/atomic.h>
#include <tern/table_shared.h>

#include "record.h"
#include "slabs_inside.h"

enum { ALIGN = 64, BUCKETS_LOG2_MAX = 31 };

#define REACHED UINT64_MAX

static size_t buckets_bytes(unsigned log2_buckets)
{
    return (((size_t)TERN_NODE_BYTES << log2_buckets) + ALIGN - 1) / ALIGN * ALIGN;
}

int tern_table_shared_init(struct tern_table_shared *table, void *memory, size_t bytes,
                           unsigned log2_buckets,
                           uint32_t slab_bytes, uint8_t life, struct tern_holder holder)
{
    uint64_t first = (uintptr_t)memory;

    if (holder.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    if (first % ALIGN != 0)
        return -TERN_ST_BAD_ALIGN;
    if (slab_bytes % TERN_NODE_BYTES != 0 || slab_bytes <= RECORD_BYTES)
        return -TERN_ST_BAD_SIZE;
    if (log2_buckets > BUCKETS_LOG2_MAX || bytes < buckets_bytes(log2_buckets))
        return -TERN_ST_NO_MEMORY;
    if ((first - 1) >> 32 != (first + bytes - 1) >> 32)
        return -TERN_ST_BAD_RANGE;
    *table = (struct tern_table_shared){
        .pointer.log2_buckets = (uint8_t)log2_buckets, .holder = holder};
    memset(memory, 0, buckets_bytes(log2_buckets));
    return tern_blocks_format((uint8_t *)memory + buckets_bytes(log2_buckets),
                              bytes - buckets_bytes(log2_buckets),
                              slab_bytes, life, &table->blocks);
}

void tern_table_shared_at(struct tern_table_shared *table, struct tern_rptr start)
{
    table->pointer.start = start;
    table->blocks.start = tern_rptr_add(start, buckets_bytes(table->pointer.log2_buckets));
}

/* ---- sweeping */

struct sweep {
    struct tern_allocator *allocator;
    const struct tern_table_shared *table;
    uint8_t *memory;
    const void *head; /* of the slabs */
    uint64_t *seen;
};

/* NICs may write it at this moment. */
static uint64_t link_in(const uint32_t *node)
{
    uint64_t link = *(const volatile uint64_t *)(const void *)(node + TERN_NOD_less_WORD);

    return (uint32_t)link == 0 ? 0 : link;
}

static uint32_t *next_of(const uint32_t *node)
{
    return (uint32_t *)(uintptr_t)tern_link_addr(link_in(node));
}

/* The slab in which a record stands, or one more than there are. */
static uint32_t index_of(const struct sweep *s, const uint32_t *record)
{
    struct tern_slab first;
    uint64_t offset, slabs;

    (void)tern_blocks_holder(&s->table->blocks, s->head, 0, &first);
    offset = TERN_GET(RPTR, addr, first.at.w) - TERN_GET(RPTR, addr, s->table->pointer.start.w);
    offset = (uint64_t)((uintptr_t)record - (uintptr_t)s->memory) - offset;
    slabs = offset / s->table->blocks.slab_bytes;
    return offset % s->table->blocks.slab_bytes != 0 || slabs > s->table->blocks.slabs
        ? s->table->blocks.slabs : (uint32_t)slabs;
}

/* Before anything is changed: each link leads to a slab, and they end. */
static bool is_sound(const struct sweep *s, const uint32_t *bucket)
{
    uint32_t steps = 0;

    for (const uint32_t *at = next_of(bucket); at; at = next_of(at))
        if (steps++ == s->table->blocks.slabs || index_of(s, at) == s->table->blocks.slabs)
            return false;
    return true;
}

static bool is_shadowed(const uint32_t *first, const uint32_t *record)
{
    while (first != record && TERN_GET(REC, hash, first) != TERN_GET(REC, hash, record))
        first = next_of(first);
    return first != record;
}

static bool always_deleted(const uint32_t *first, const uint32_t *record)
{
    return first != record && tern_record_is_deletion(record);
}

/* Behind the first record, links are this thread's alone. */
static void unlink_those(uint32_t *first, bool (*is_one)(const uint32_t *, const uint32_t *))
{
    for (uint32_t *before = first, *at = next_of(first); at; at = next_of(before)) {
        if (is_one(first, at)) {
            tern_linked_set_less(before, link_in(at));
            tern_record_take_out(at);
        } else {
            before = at;
        }
    }
}

/*
 * A deletion that is all that a bucket has.  Were there others behind it, their link would
 * stand in the bucket a second time, and a client that knew it from the first would take it for
 * unchanged.
 */
static int empty_bucket(const struct sweep *s, const uint32_t *bucket)
{
    uint64_t link = link_in(bucket);
    uint32_t *record = next_of(bucket);
    struct tern_completion done;
    struct tern_once once;
    int status;

    if (!record || !tern_record_is_deletion(record) || next_of(record))
        return 0;
    tern_once_begin(&once, s->allocator->sq, &done);
    status = tern_compare_swap(
        s->allocator->sq,
        tern_rptr_add(s->table->pointer.start,
                      (uint64_t)((const uint8_t *)(bucket + TERN_NOD_less_WORD) - s->memory)),
        link, 0, TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, s->allocator->timeout_ms);
    if (status || done.status != TERN_ST_OK)
        return status ? status : -(int)done.status;
    if (done.value == link)
        tern_record_take_out(record);
    return 0;
}

static int sweep_bucket(const struct sweep *s, uint32_t *bucket)
{
    uint32_t *first = next_of(bucket);
    int status;

    if (!is_sound(s, bucket))
        return -TERN_ST_BAD_LINK;
    if (first) {
        unlink_those(first, is_shadowed);
        unlink_those(first, always_deleted);
    }
    status = empty_bucket(s, bucket);
    if (!status && !is_sound(s, bucket))
        status = -TERN_ST_BAD_LINK;
    for (const uint32_t *at = next_of(bucket); at && !status; at = next_of(at))
        s->seen[index_of(s, at)] = REACHED;
    return status;
}

/* In no bucket, now and a lease ago. */
static int give_slab_back(const struct sweep *s, uint32_t index)
{
    struct tern_slab slab;
    struct tern_holder holder = tern_blocks_holder(&s->table->blocks, s->head, index, &slab);
    uint64_t before = s->seen[index], now = (uint64_t)slab.generation + 1;
    int status;

    s->seen[index] = 0;
    if (before == REACHED || holder.owner != s->table->holder.owner ||
        holder.epoch != s->table->holder.epoch)
        return 0;
    if (before != now) {
        s->seen[index] = now;
        return 0;
    }
    status = tern_bfree_wait(s->allocator, &slab);
    return status ? status : 1;
}

int tern_table_shared_sweep(struct tern_allocator *allocator,
                            const struct tern_table_shared *table, void *memory,
                            uint64_t *seen)
{
    const struct sweep s = {allocator, table, memory,
                            (uint8_t *)memory + buckets_bytes(table->pointer.log2_buckets), seen};
    int count = 0, status = 0;

    for (size_t i = 0; i < (size_t)1 << table->pointer.log2_buckets && !status; i++)
        status = sweep_bucket(&s, (uint32_t *)memory + i * (TERN_NODE_BYTES / 4));
    for (uint32_t index = 0; index < table->blocks.slabs && status >= 0; index++) {
        status = give_slab_back(&s, index);
        count += status > 0;
    }
    return status < 0 ? status : count;
}
