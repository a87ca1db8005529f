/* SPDX-License-Identifier: Apache-2.0 */
/* Tables that all nodes change: creation, and the calls of clients. */
#include <string.h>

#include "shared.h"

enum {
    ALIGN = TERN_TABLE_ALIGN,
    BUCKETS_LOG2_MAX = 31,
    KEY_BYTES_MAX = UINT16_MAX,
    RESERVE_PART = 64
};

uint64_t tern_table_shared_hash(const struct tern_table_shared *table, const void *key,
                                size_t key_bytes)
{
    return tern_hash_under(&table->secret, key, key_bytes);
}

size_t tern_table_shared_slabs(const struct tern_table_shared *table)
{
    size_t slabs = 0;

    for (unsigned size = 0; size <= table->sizes; size++)
        slabs += table->blocks[size].slabs;
    return slabs;
}

uint64_t tern_table_shared_asked(const struct tern_table_shared *table, const void *memory)
{
    const uint8_t *at = (const uint8_t *)memory + tern_table_asked_at(table);

    return *(const volatile uint64_t *)(const void *)at;
}

/* ---- the node that has the table */

static int refused(const void *memory, size_t bytes, const struct tern_table_shape *shape)
{
    uint64_t first = (uintptr_t)memory;
    uint32_t before = RECORD_BYTES;

    if (shape->holder.owner == 0 || shape->sizes == 0 || shape->sizes > TERN_TABLE_SIZES_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    if (first % ALIGN != 0)
        return -TERN_ST_BAD_ALIGN;
    for (unsigned size = 0; size < shape->sizes; size++) {
        if (shape->size[size].slab_bytes % TERN_NODE_BYTES != 0 ||
            shape->size[size].slab_bytes <= before)
            return -TERN_ST_BAD_SIZE;
        before = shape->size[size].slab_bytes;
    }
    if (shape->log2_buckets > BUCKETS_LOG2_MAX ||
        bytes < tern_table_buckets_bytes(shape->log2_buckets) + ALIGN)
        return -TERN_ST_NO_MEMORY;
    return (first - 1) >> 32 != (first + bytes - 1) >> 32 ? -TERN_ST_BAD_RANGE : 0;
}

/* Returns the bytes that `slabs` slabs of one size need, with their map and owner words. */
static size_t bytes_for(uint32_t slabs, uint32_t slab_bytes)
{
    size_t words = (slabs + TERN_BLOCK_SLABS - 1) / TERN_BLOCK_SLABS + (size_t)slabs;

    return tern_table_aligned(words * TERN_ATOMIC_BYTES) +
           tern_table_aligned((size_t)slabs * slab_bytes);
}

static size_t reserve_bytes(const struct tern_table_shape *shape, size_t bytes)
{
    uint32_t largest = shape->size[shape->sizes - 1].slab_bytes, slabs = shape->reserve;

    if (slabs == 0)
        slabs = (uint32_t)(bytes / RESERVE_PART / largest);
    return bytes_for(slabs > 0 ? slabs : 1, largest);
}

static uint64_t shares_of(const struct tern_table_shape *shape)
{
    uint64_t shares = 0;

    for (unsigned size = 0; size < shape->sizes; size++)
        shares += shape->size[size].share;
    return shares ? shares : 1;
}

/*
 * Places the largest slabs, including the reserve, last in memory: a lookup of any record may then
 * copy as many bytes as the largest slab has.
 */
static int format(struct tern_table_shared *table, uint8_t *at, size_t bytes,
                  const struct tern_table_shape *shape)
{
    size_t reserve = reserve_bytes(shape, bytes), left;
    uint64_t shares = shares_of(shape);

    if (reserve > bytes)
        return -TERN_ST_NO_MEMORY;
    left = bytes - reserve;
    for (unsigned size = 0; size <= shape->sizes; size++) {
        bool last = size + 1 == shape->sizes, spare = size == shape->sizes;
        uint32_t slab_bytes = shape->size[size - spare].slab_bytes;
        size_t part = last ? left : (size_t)((bytes - reserve) / shares *
                                             (spare ? 0 : shape->size[size].share));
        int status;

        part = spare ? reserve : part / ALIGN * ALIGN;
        status = tern_blocks_format(at, part, slab_bytes, shape->life, &table->blocks[size]);
        if (status)
            return status;
        at += part;
        left -= spare ? 0 : part;
    }
    return 0;
}

int tern_table_shared_init(struct tern_table_shared *table, void *memory, size_t bytes,
                           const struct tern_table_shape *shape)
{
    int status = refused(memory, bytes, shape);
    size_t first;

    if (status)
        return status;
    *table = (struct tern_table_shared){
        .pointer.log2_buckets = (uint8_t)shape->log2_buckets, .secret = shape->secret,
        .holder = shape->holder, .sizes = (uint8_t)shape->sizes};
    first = tern_table_slabs_at(table);
    memset(memory, 0, first);
    return format(table, (uint8_t *)memory + first, bytes - first, shape);
}

/* Sets the addresses of the parts, in the order of their creation. */
void tern_table_shared_at(struct tern_table_shared *table, struct tern_rptr start)
{
    size_t at = tern_table_slabs_at(table);

    table->pointer.start = start;
    for (unsigned size = 0; size <= table->sizes; size++) {
        struct tern_blocks *blocks = &table->blocks[size];

        blocks->start = tern_rptr_add(start, at);
        at += blocks->bytes;
    }
}

/* ---- clients that change it */

int tern_table_writer_stock(struct tern_table_writer *w, size_t key_bytes, size_t value_bytes)
{
    unsigned size = tern_table_size_for(&w->table, tern_shared_bytes(key_bytes, value_bytes));
    struct tern_allocator a = {.blocks = w->table.blocks[size], .holder = w->holder, .cq = w->cq,
                               .sq = w->sq, .timeout_ms = w->timeout_ms, .word = w->word[size]};
    int status;

    if (size == w->table.sizes)
        return -TERN_ST_BAD_LENGTH;
    if (w->stocked >> size & 1)
        return 0;
    status = tern_balloc_wait(&a, &w->stock[size]);
    w->word[size] = a.word;
    if (!status)
        w->stocked |= 1u << size;
    return status;
}

struct wanted {
    const void *key, *value;
    size_t key_bytes, value_bytes;
    const struct tern_table_seen *expected;
};

/*
 * Makes a change; `waits`: blocks up to the writer's time limit. The slab of an abandoned change is
 * not used again.
 */
static int change(struct tern_table_writer *w, const struct wanted *wanted, bool waits,
                  uint64_t context)
{
    struct tern_table_change *c = &w->change;
    int status;

    if (wanted->key_bytes == 0 || wanted->key_bytes > KEY_BYTES_MAX ||
        tern_table_size_for(&w->table, tern_shared_bytes(wanted->key_bytes,
                                                         wanted->value_bytes)) == w->table.sizes)
        return -TERN_ST_BAD_LENGTH;
    if (c->out)
        return -TERN_ST_AGAIN;
    *c = (struct tern_table_change){
        .key = wanted->key, .key_bytes = wanted->key_bytes, .value = wanted->value,
        .value_bytes = wanted->value_bytes,
        .hash = tern_table_shared_hash(&w->table, wanted->key, wanted->key_bytes),
        .expects = wanted->expected != NULL, .out = true,
    };
    if (wanted->expected)
        c->expected = *wanted->expected;
    tern_change_begin(w);
    status = waits ? tern_steps_run(&c->steps, w->sq, tern_change_next, tern_change_heard,
                                    w->timeout_ms)
                   : tern_steps_start(&c->steps, w->sq, tern_change_next, tern_change_heard,
                                      TERN_OP_CAS, context);
    if (waits || status)
        c->out = false;
    if (status == -TERN_ST_WAIT_EXPIRED)
        w->stocked &= ~(1u << c->size);
    return status;
}

static int set(struct tern_table_writer *w, const struct wanted *wanted, bool waits,
               uint64_t context)
{
    return wanted->value_bytes >= RECORD_DELETION ? -TERN_ST_BAD_LENGTH : change(w, wanted,
                                                                                 waits, context);
}

int tern_table_shared_set(struct tern_table_writer *w, const void *key, size_t key_bytes,
                          const void *value, size_t value_bytes,
                          const struct tern_table_seen *expected, uint64_t context)
{
    return set(w, &(struct wanted){key, value, key_bytes, value_bytes, expected}, false, context);
}

int tern_table_shared_set_wait(struct tern_table_writer *w, const void *key, size_t key_bytes,
                               const void *value, size_t value_bytes,
                               const struct tern_table_seen *expected)
{
    return set(w, &(struct wanted){key, value, key_bytes, value_bytes, expected}, true, 0);
}

int tern_table_shared_remove(struct tern_table_writer *w, const void *key, size_t key_bytes,
                             const struct tern_table_seen *expected, uint64_t context)
{
    return change(w, &(struct wanted){key, NULL, key_bytes, RECORD_DELETION, expected}, false,
                  context);
}

int tern_table_shared_remove_wait(struct tern_table_writer *w, const void *key, size_t key_bytes,
                                  const struct tern_table_seen *expected)
{
    return change(w, &(struct wanted){key, NULL, key_bytes, RECORD_DELETION, expected}, true, 0);
}
