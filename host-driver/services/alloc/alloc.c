/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation: of one object, of many, of big ones, and without waiting. */
#include "heap.h"

/* ---- choice of the node */

/* Tells whether the policy prefers a to b. */
static bool is_better(const struct tern_heap *heap, const struct heap_part *a,
                      const struct heap_part *b)
{
    if (heap->config.policy == TERN_ALLOC_LEAST && a->bytes != b->bytes)
        return a->bytes < b->bytes;
    return a->distance < b->distance || (a->distance == b->distance && a < b);
}

struct heap_part *heap_part_nth(struct tern_heap *heap, uint16_t node, unsigned nth)
{
    if (node == TERN_ALLOC_ANY && nth < heap->count &&
        heap->config.policy == TERN_ALLOC_ROUND)
        return &heap->parts[(heap->turn + nth) % heap->count];
    for (unsigned i = 0; i < heap->count; i++) {
        struct heap_part *part = &heap->parts[i];
        unsigned before = 0;

        if (node != TERN_ALLOC_ANY && tern_member_node(part->member) != node)
            continue;
        for (unsigned j = 0; j < heap->count; j++)
            before += (node == TERN_ALLOC_ANY || tern_member_node(heap->parts[j].member) == node) &&
                      is_better(heap, &heap->parts[j], part);
        if (before == nth)
            return part;
    }
    return NULL;
}

/* ---- one */

static void count_taken(struct tern_heap *heap, struct heap_part *part, uint64_t wanted,
                        uint64_t given)
{
    heap->counts.taken++;
    heap->counts.bytes_wanted += wanted;
    heap->counts.bytes_given += given;
    part->bytes += given;
}

static int take_big(struct tern_heap *heap, struct heap_part *part, uint64_t bytes,
                    struct tern_ptr *at)
{
    struct heap_ask ask = {.kind = HEAP_ASK_BIG, .bytes = bytes};
    int status = tern_member_renew(part->member);

    if (!status)
        status = heap_ask_server(heap, part, &ask);
    if (!status && ask.block >= part->head.blocks)
        status = -TERN_ST_PROTOCOL;
    if (status)
        return heap_told(part, status);
    part->known[ask.block] = ask.header;
    *at = (struct tern_ptr){.node = tern_member_node(part->member),
                            .pool = tern_member_pool(part->member),
                            .generation = ask.generation,
                            .offset = part->head.starts + (uint64_t)ask.block * HEAP_BLOCK +
                                      HEAP_BIG_HEAD};
    return 0;
}

static void begin_by_path(const struct tern_heap *heap, void (**begin)(struct heap_op *),
                          void (**judge)(struct heap_op *))
{
    bool literal = heap->config.path == TERN_ALLOC_LITERAL;

    *begin = literal ? heap_literal_begin : heap_fast_begin;
    *judge = literal ? heap_literal_judge : heap_fast_judge;
}

/* Takes slabs of one word: one, or at most `most`. The bits are those of the word. */
static int take_slabs(struct tern_heap *heap, struct heap_part *part, unsigned klass,
                      uint32_t most, struct heap_op *out)
{
    struct heap_op *op = heap_op_new(heap, part);
    void (*begin)(struct heap_op *), (*judge)(struct heap_op *);
    int status;

    if (!op)
        return -TERN_ST_AGAIN;
    begin_by_path(heap, &begin, &judge);
    op->klass = klass;
    op->most = heap->config.path == TERN_ALLOC_LITERAL ? 0 : most;
    status = heap_op_run(op, begin, judge);
    *out = *op;
    heap_op_drop(op);
    return status;
}

static bool has_stock(const struct tern_heap *heap)
{
    return heap->config.stock && heap->config.path == TERN_ALLOC_FAST;
}

static int take_one(struct tern_heap *heap, struct heap_part *part, unsigned klass,
                    struct tern_ptr *at)
{
    struct heap_op op;
    int status;

    if (has_stock(heap)) {
        status = tern_member_renew(part->member);
        if (status)
            return heap_told(part, status);
        if (heap_stock_get(heap, part, klass, at))
            return 0;
    }
    status = take_slabs(heap, part, klass, has_stock(heap) ? TERN_BLOCK_SLABS : 0, &op);
    if (status)
        return status;
    if (!has_stock(heap)) {
        *at = heap_slab_ptr(part, klass, op.block, op.slab, op.generation);
        return 0;
    }
    if (!heap_stock_add(heap, part, op.block, op.word, klass, op.taken, op.generation))
        return -TERN_ST_NO_MEMORY;
    return heap_stock_get(heap, part, klass, at) ? 0 : -TERN_ST_INTERNAL;
}

/* Allocates on `node`; for any node, tries others when one has no room. */
static int take(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at)
{
    unsigned klass = heap_class_of(bytes);
    int status = -TERN_ST_BAD_NODE;

    if (bytes == 0)
        return -TERN_ST_BAD_SIZE;
    for (unsigned nth = 0; nth < heap->count; nth++) {
        struct heap_part *part = heap_part_nth(heap, node, nth);

        if (!part)
            break;
        status = klass < HEAP_CLASSES ? take_one(heap, part, klass, at)
                                      : take_big(heap, part, bytes, at);
        if (!status)
            count_taken(heap, part, bytes, tern_usable_bytes(heap, *at));
        if (status != -TERN_ST_FULL)
            break;
    }
    heap->turn++;
    heap->counts.failed += status != 0;
    return status;
}

int tern_alloc(struct tern_heap *heap, uint64_t bytes, struct tern_ptr *at)
{
    return take(heap, TERN_ALLOC_ANY, bytes, at);
}

int tern_alloc_on(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at)
{
    return take(heap, node, bytes, at);
}

/* ---- many */

/* Makes pointers to the slabs taken from a word, through the stock if the heap has one. */
static int give_out(struct tern_heap *heap, struct heap_part *part, const struct heap_op *op,
                    unsigned klass, struct tern_ptr *at)
{
    struct heap_stock *s = NULL;
    int count = 0;

    if (has_stock(heap)) {
        s = heap_stock_add(heap, part, op->block, op->word, klass, op->taken, op->generation);
        if (!s)
            return -TERN_ST_NO_MEMORY;
        for (uint32_t bits = op->taken; bits; bits &= bits - 1)
            if (!heap_stock_get(heap, part, klass, &at[count++]))
                return -TERN_ST_INTERNAL;
        return count;
    }
    for (uint32_t bits = op->taken; bits; bits &= bits - 1)
        at[count++] = heap_slab_ptr(part, klass, op->block,
                                    op->word * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctz(bits),
                                    op->generation);
    return count;
}

static int take_some(struct tern_heap *heap, struct heap_part *part, unsigned klass, uint64_t bytes,
                     struct tern_ptr *at, unsigned count)
{
    uint32_t most = count < TERN_BLOCK_SLABS ? count : TERN_BLOCK_SLABS;
    struct heap_op op;
    int status = take_slabs(heap, part, klass, most, &op), given;

    if (status)
        return status;
    given = give_out(heap, part, &op, klass, at);
    for (int i = 0; i < given; i++)
        count_taken(heap, part, bytes, heap_slab_bytes(klass));
    return given;
}

int tern_alloc_many(struct tern_heap *heap, uint16_t node, uint64_t bytes, struct tern_ptr *at,
                    unsigned count)
{
    unsigned klass = heap_class_of(bytes), got = 0, nth = 0;
    int status = bytes ? 0 : -TERN_ST_BAD_SIZE;

    if (klass == HEAP_CLASSES || heap->config.path == TERN_ALLOC_LITERAL)
        while (got < count && !status && !(status = take(heap, node, bytes, &at[got])))
            got++;
    while (got < count && !status) {
        struct heap_part *part = heap_part_nth(heap, node, nth);

        status = part ? take_some(heap, part, klass, bytes, &at[got], count - got)
                      : nth ? -TERN_ST_FULL : -TERN_ST_BAD_NODE;
        if (status > 0)
            got += (unsigned)status;
        nth += status == -TERN_ST_FULL;
        if (status > 0 || (part && status == -TERN_ST_FULL))
            status = 0;
    }
    if (status) {
        heap->counts.failed++;
        (void)tern_free_many(heap, at, got, NULL);
    }
    return status;
}
