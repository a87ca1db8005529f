/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations that complete by a poll. */
#include "heap.h"

int tern_alloc_post(struct tern_heap *heap, uint16_t node, uint64_t bytes, uint64_t context)
{
    struct heap_part *part = heap_part_nth(heap, node, 0);
    unsigned klass = heap_class_of(bytes);
    bool literal = heap->config.path == TERN_ALLOC_LITERAL;
    struct heap_op *op;
    int status;

    if (bytes == 0 || klass == HEAP_CLASSES)
        return -TERN_ST_BAD_SIZE;
    if (!part)
        return -TERN_ST_BAD_NODE;
    op = heap_op_new(heap, part);
    if (!op)
        return -TERN_ST_AGAIN;
    op->klass = klass;
    op->bytes = bytes;
    op->context = context;
    op->posted = true;
    status = heap_op_start(op, literal ? heap_literal_begin : heap_fast_begin,
                           literal ? heap_literal_judge : heap_fast_judge);
    heap->turn++;
    if (status)
        heap_op_drop(op);
    return status ? heap_told(part, status) : 0;
}

static void tell(struct heap_op *op, int status, struct tern_heap_done *out)
{
    struct tern_heap_counts *n = &op->heap->counts;

    *out = (struct tern_heap_done){.context = op->context, .status = status};
    if (!status) {
        out->at = heap_slab_ptr(op->part, op->klass, op->block, op->slab, op->generation);
        n->taken++;
        n->bytes_wanted += op->bytes;
        n->bytes_given += heap_slab_bytes(op->klass);
    }
    n->failed += status != 0;
    heap_op_drop(op);
}

int tern_heap_poll(struct tern_heap *heap, struct tern_heap_done *out, int max)
{
    int status = tern_heap_renew(heap), count = 0;

    for (unsigned i = 0; i < HEAP_OPS && count < max; i++) {
        struct heap_op *op = &heap->op[i];

        if (!op->used || !op->posted || !op->over)
            continue;
        status = heap_op_result(op);
        if (status != 1)
            tell(op, status, &out[count++]);
    }
    return count ? count : status < 0 ? status : 0;
}
