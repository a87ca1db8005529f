/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of tables that all nodes change, by the node that has the table. `seen` has for each slab
 * its generation at the last look and a state: the number of looks counted by
 * tern_slab_is_orphan(), or one of the marks below.
 */
#include <tern/atomic.h>

#include "shared.h"
#include "slabs_inside.h"

enum { MARK_SHADOWED = 16, MARK_UNREACHED, MARK_SHIFT = 32, REACHED_SHIFT = 63 };

#define REACHED (UINT64_C(1) << REACHED_SHIFT)

struct sweep {
    struct tern_allocator *allocator;
    const struct tern_table_shared *table;
    uint8_t *memory;
    const struct tern_grace *grace;
    uint64_t *seen;
};

/* ---- slabs */

/* A slab of a table: its blocks, and their head. */
struct spot {
    const struct tern_blocks *blocks;
    const void *head;
    uint32_t index;
    uint64_t *seen;
    struct tern_slab slab;
    struct tern_holder holder;
};

static const uint8_t *head_of(const struct sweep *s, unsigned size)
{
    uint64_t offset = TERN_GET(RPTR, addr, s->table->blocks[size].start.w) -
                      TERN_GET(RPTR, addr, s->table->pointer.start.w);

    return s->memory + offset;
}

static struct spot spot_of(const struct sweep *s, unsigned size, uint32_t index, size_t first)
{
    struct spot spot = {.blocks = &s->table->blocks[size], .head = head_of(s, size),
                        .index = index, .seen = &s->seen[first + index]};

    spot.holder = tern_blocks_holder(spot.blocks, spot.head, index, &spot.slab);
    return spot;
}

/* Finds the slab that holds a record; false: the link does not lead to a record in a slab. */
static bool find_slab(const struct sweep *s, const uint32_t *record, struct spot *spot)
{
    const uint8_t *at = (const uint8_t *)record;
    size_t first = 0;

    for (unsigned size = 0; size <= s->table->sizes; size++) {
        const struct tern_blocks *blocks = &s->table->blocks[size];
        const uint8_t *slabs = head_of(s, size) + tern_blocks_slabs_at(blocks);
        uint64_t offset = (uint64_t)((uintptr_t)at - (uintptr_t)slabs);

        if (at >= slabs && offset / blocks->slab_bytes < blocks->slabs) {
            *spot = spot_of(s, size, (uint32_t)(offset / blocks->slab_bytes), first);
            return offset % blocks->slab_bytes == 0;
        }
        first += blocks->slabs;
    }
    return false;
}

static struct tern_allocator allocator_of(const struct sweep *s, const struct spot *spot)
{
    struct tern_allocator a = *s->allocator;

    a.blocks = *spot->blocks;
    a.holder = s->table->holder;
    return a;
}

/* ---- marks */

static void set_mark(const struct spot *spot, uint64_t mark)
{
    *spot->seen = (*spot->seen & REACHED) | mark << MARK_SHIFT | spot->slab.generation;
}

/* Tells whether the slab had the mark at the last look, and was not given back since. */
static bool has_mark(const struct spot *spot, uint64_t mark)
{
    return (*spot->seen & ~REACHED) == (mark << MARK_SHIFT | spot->slab.generation);
}

/* ---- buckets */

/* Reads a link that NICs may be writing at this moment. */
static uint64_t link_in(const uint32_t *node)
{
    uint64_t link = *(const volatile uint64_t *)(const void *)(node + TERN_NOD_less_WORD);

    return (uint32_t)link == 0 ? 0 : link;
}

static uint32_t *next_of(const uint32_t *node)
{
    return (uint32_t *)(uintptr_t)tern_link_addr(link_in(node));
}

/* Checks a bucket before changing it: all links lead to slabs, keys are inside, the list ends. */
static bool is_sound(const struct sweep *s, const uint32_t *bucket)
{
    size_t steps = 0, slabs = tern_table_shared_slabs(s->table);
    struct spot spot;

    for (const uint32_t *at = next_of(bucket); at; at = next_of(at))
        if (steps++ == slabs || !find_slab(s, at, &spot) ||
            RECORD_BYTES + TERN_GET(REC, klen, at) > spot.blocks->slab_bytes)
            return false;
    return true;
}

/* Tells whether the list from `from` up to `end` has a record with the key of `record`. */
static bool has_key(const uint32_t *from, const uint32_t *end, const uint32_t *record)
{
    while (from != end && !tern_record_same_key(from, record))
        from = next_of(from);
    return from != end;
}

/* Unlinks a record, and changes its generation so that clients that remember its place notice. */
static void take_out(uint32_t *before, uint32_t *record)
{
    tern_linked_set_less(before, link_in(record));
    tern_record_take_out(record);
}

/*
 * Unlinks records that a newer one of the same key shadows, a grace period after a look first found
 * them shadowed: a walk that began before the newer one was linked may still reach them.
 */
static void unlink_shadowed(const struct sweep *s, uint32_t *first)
{
    struct spot spot;

    for (uint32_t *before = first, *at = next_of(first); at && find_slab(s, at, &spot);
         at = next_of(before)) {
        if (!has_key(first, at, at)) {
            before = at;
        } else if (has_mark(&spot, MARK_SHADOWED)) {
            take_out(before, at);
        } else {
            tern_record_take_out(at);
            set_mark(&spot, MARK_SHADOWED);
            before = at;
        }
    }
}

/*
 * Unlinks deletion records that no longer hide a record.  Hidden records go first, so a deleted
 * value never comes back.
 */
static void unlink_deletions(uint32_t *first)
{
    for (uint32_t *before = first, *at = next_of(first); at; at = next_of(before)) {
        if (tern_record_is_deletion(at) && !has_key(first, at, at) &&
            !has_key(next_of(at), NULL, at))
            take_out(before, at);
        else
            before = at;
    }
}

/*
 * Returns the link of an empty bucket, which counts how often the bucket was emptied.  Without the
 * count, a client could read an empty bucket, and miss that a key was set and removed again.
 */
static uint64_t emptied(uint32_t *bucket)
{
    uint64_t count = TERN_GET(NOD, user, bucket) + 1;

    TERN_SET(NOD, user, bucket, count);
    return count << 32;
}

/*
 * Empties a bucket whose only record is a deletion. If more records followed, their link would
 * appear in the bucket a second time, and a client that had read it before would take the bucket
 * for unchanged.
 */
static int empty_bucket(const struct sweep *s, uint32_t *bucket)
{
    struct tern_rptr at = tern_rptr_add(s->table->pointer.start,
                                        (uint64_t)((const uint8_t *)(bucket + TERN_NOD_less_WORD) -
                                                   s->memory));
    uint64_t link = link_in(bucket);
    uint32_t *record = next_of(bucket);
    struct tern_completion done;
    struct tern_once once;
    int status;

    if (!record || !tern_record_is_deletion(record) || next_of(record))
        return 0;
    tern_once_begin(&once, s->allocator->sq, &done);
    status = tern_compare_swap(s->allocator->sq, at, link, emptied(bucket), TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, s->allocator->timeout_ms);
    if (status || done.status != TERN_ST_OK)
        return status ? status : -(int)done.status;
    if (done.value == link)
        tern_record_take_out(record);
    return 0;
}

static void mark_reached(const struct sweep *s, const uint32_t *bucket)
{
    struct spot spot;

    for (const uint32_t *at = next_of(bucket); at; at = next_of(at))
        if (find_slab(s, at, &spot))
            *spot.seen |= REACHED;
}

static int sweep_bucket(const struct sweep *s, uint32_t *bucket)
{
    uint32_t *first = next_of(bucket);
    int status;

    if (!is_sound(s, bucket))
        return -TERN_ST_BAD_LINK;
    if (first) {
        unlink_shadowed(s, first);
        unlink_deletions(first);
    }
    status = empty_bucket(s, bucket);
    if (!status && !is_sound(s, bucket))
        status = -TERN_ST_BAD_LINK;
    if (!status)
        mark_reached(s, bucket);
    return status;
}

/* ---- slabs that are in no bucket */

/* Frees a slab that was taken without an owner at three looks: 1, 0, or an error. */
static int free_orphan(const struct sweep *s, const struct spot *spot)
{
    struct tern_allocator a = allocator_of(s, spot);

    if (*spot->seen >> MARK_SHIFT >= MARK_SHADOWED)
        *spot->seen = 0;
    if (!tern_slab_is_orphan(spot->blocks, spot->head, spot->index, spot->seen))
        return 0;
    return tern_slabs_free(&a, spot->index / TERN_BLOCK_SLABS,
                           UINT64_C(1) << spot->index % TERN_BLOCK_SLABS);
}

/* Frees a slab of the table that no bucket led to at two looks, a grace period apart. */
static int free_unreached(const struct sweep *s, const struct spot *spot)
{
    struct tern_allocator a = allocator_of(s, spot);
    int status;

    if (!has_mark(spot, MARK_UNREACHED)) {
        set_mark(spot, MARK_UNREACHED);
        return 0;
    }
    *spot->seen = 0;
    status = tern_slab_give_back(&a, s->table->holder, &spot->slab);
    return status ? status : 1;
}

static int look_at_slab(const struct sweep *s, const struct spot *spot)
{
    if (*spot->seen & REACHED) {
        *spot->seen &= ~REACHED;
        if (!has_mark(spot, MARK_SHADOWED))
            *spot->seen = 0;
        return 0;
    }
    if (spot->holder.owner == 0)
        return free_orphan(s, spot);
    if (tern_holder_is(spot->holder, s->table->holder))
        return free_unreached(s, spot);
    *spot->seen = 0;
    return 0;
}

/*
 * Makes the table the owner of a dead client's slab.  A bucket may lead to its record, so this look
 * does not free the slab.
 */
static int take_over(const struct sweep *s, const struct spot *spot)
{
    struct tern_allocator a = allocator_of(s, spot);

    if (spot->holder.owner == 0 || tern_holder_is(spot->holder, s->table->holder) ||
        tern_grace_knows(s->grace, spot->holder))
        return 0;
    return tern_slab_inherit(&a, spot->holder, s->table->holder, &spot->slab);
}

static int for_each_slab(const struct sweep *s,
                         int (*visit)(const struct sweep *, const struct spot *))
{
    int count = 0, status = 0;
    size_t first = 0;

    for (unsigned size = 0; size <= s->table->sizes; size++) {
        for (uint32_t i = 0; i < s->table->blocks[size].slabs && status >= 0; i++) {
            struct spot spot = spot_of(s, size, i, first);

            status = visit(s, &spot);
            count += status;
        }
        first += s->table->blocks[size].slabs;
    }
    return status < 0 ? status : count;
}

static int look(const struct sweep *s)
{
    int status = 0;

    for (size_t i = 0; i < (size_t)1 << s->table->pointer.log2_buckets && !status; i++)
        status = sweep_bucket(s, (uint32_t *)(void *)s->memory + i * (TERN_NODE_BYTES / 4));
    return status ? status : for_each_slab(s, look_at_slab);
}

int tern_table_shared_sweep(struct tern_allocator *allocator,
                            const struct tern_table_shared *table, void *memory,
                            struct tern_grace *grace, uint64_t *seen)
{
    const struct sweep s = {allocator, table, memory, grace, seen};
    int count = 0, status;

    if (tern_grace_is_over(grace)) {
        count = look(&s);
        tern_grace_begin(grace);
    }
    status = count < 0 ? count : for_each_slab(&s, take_over);
    return status < 0 ? status : count;
}
