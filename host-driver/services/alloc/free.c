/* SPDX-License-Identifier: Apache-2.0 */
/* Gives memory back, or hands it on to another holder. */
#include "heap.h"

static int free_big(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                    uint32_t generation)
{
    struct heap_ask ask = {.kind = HEAP_ASK_FREE, .block = block, .generation = generation};
    int status = heap_ask_server(heap, part, &ask);

    if (!status)
        part->known[block] = 0;
    return heap_told(part, status);
}

/*
 * Changes the owner word from this holder, with generation `had`, to another or none, with `has`.
 */
static int give(struct tern_heap *heap, struct heap_part *part, uint32_t block, struct tern_ptr at,
                uint32_t had, uint32_t has, struct tern_holder to)
{
    struct heap_op *op = heap_op_new(heap, part);
    bool big;
    int status;

    if (!op)
        return -TERN_ST_AGAIN;
    op->block = block;
    op->bytes = at.offset;
    op->generation = at.generation;
    op->own = heap_own(had, tern_member_holder(part->member));
    op->own_new = heap_own(has, to);
    status = heap_op_run(op, heap_give_begin, heap_give_judge);
    big = op->big;
    heap_op_drop(op);
    return status || !big || to.owner ? status : free_big(heap, part, block, at.generation);
}

static int give_to_stock(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                         struct tern_ptr at, int *status)
{
    struct heap_block header = heap_unpack(part->known[block]);
    uint32_t slab;

    if (header.state != BLOCK_SLABS || heap_slab_of(part, part->known[block], at, &slab) ||
        !heap_stock_give(heap, part, block, slab, at.generation, status))
        return false;
    if (!*status && heap->shelved[header.klass] > heap->config.stock + TERN_BLOCK_SLABS)
        *status = heap_stock_trim(heap, header.klass, heap->config.stock);
    return true;
}

static int give_back(struct tern_heap *heap, struct tern_ptr at)
{
    uint32_t block;
    struct heap_part *part = heap_part_of(heap, at, &block);
    uint64_t bytes;
    int status;

    if (!part)
        return -TERN_ST_BAD_RANGE;
    bytes = tern_usable_bytes(heap, at);
    status = tern_member_renew(part->member);
    if (status)
        return heap_told(part, status);
    if (!give_to_stock(heap, part, block, at, &status))
        status = give(heap, part, block, at, at.generation, at.generation + 1,
                      (struct tern_holder){0, 0});
    if (!status)
        part->bytes -= bytes < part->bytes ? bytes : part->bytes;
    return status;
}

int tern_free(struct tern_heap *heap, struct tern_ptr at)
{
    int status = give_back(heap, at);

    heap->counts.given += !status;
    heap->counts.failed += status != 0;
    return status;
}

int tern_free_many(struct tern_heap *heap, const struct tern_ptr *at, unsigned count,
                   unsigned *freed)
{
    unsigned done = 0;
    int status = 0;

    while (done < count && !(status = tern_free(heap, at[done])))
        done++;
    if (freed)
        *freed = done;
    return status;
}

/* ---- handing on */

/* Returns the generation in the owner word, and the slab's record if it is in the stock. */
static int published(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                     struct tern_ptr at, uint32_t *generation, struct heap_stock **stock,
                     unsigned *bit)
{
    uint32_t slab;

    *generation = at.generation;
    *stock = NULL;
    if (heap_slab_of(part, part->known[block], at, &slab))
        return 0; /* the steps will find the reason */
    *stock = heap_stock_find(heap, part, block, slab / TERN_BLOCK_SLABS);
    *bit = slab % TERN_BLOCK_SLABS;
    if (!*stock || !((*stock)->mine >> *bit & 1)) {
        *stock = NULL;
        return 0;
    }
    *generation = (*stock)->generation[*bit];
    if (*generation + (*stock)->ahead[*bit] != at.generation)
        return -TERN_ST_STALE_POINTER;
    return (*stock)->free >> *bit & 1 ? -TERN_ST_NOT_TAKEN : 0;
}

int tern_hand_on(struct tern_heap *heap, struct tern_ptr at, struct tern_holder to)
{
    uint32_t block, generation;
    struct heap_part *part = heap_part_of(heap, at, &block);
    struct heap_stock *stock;
    unsigned bit = 0;
    int status;

    if (!part)
        return -TERN_ST_BAD_RANGE;
    if (to.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    status = published(heap, part, block, at, &generation, &stock, &bit);
    if (!status)
        status = give(heap, part, block, at, generation, at.generation, to);
    if (!status && stock)
        heap_stock_forget(heap, stock, bit);
    heap->counts.handed += !status;
    heap->counts.failed += status != 0;
    return status;
}
