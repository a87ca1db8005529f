/* SPDX-License-Identifier: Apache-2.0 */
/* The classes of a heap, as a client sees them from afar. */
#include <string.h>

#include <tern/read.h>

#include "heap.h"

enum { WAIT_MS = 10000 };

/* Reads words into the landing of the operation, waiting. */
static int read_to(struct heap_op *op, struct tern_rptr from, void *to, size_t bytes)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, op->heap->sq, &done);
    status = tern_read(op->heap->sq, from, op->heap->region, to, (uint32_t)bytes,
                       TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, WAIT_MS);
    return status ? status : -(int)done.status;
}

static int look_at_block(struct heap_op *op, uint32_t block, uint64_t word,
                         struct tern_heap_class *classes, unsigned count)
{
    struct heap_block header = heap_unpack(word);
    int status;

    if (header.state != BLOCK_SLABS || header.klass >= count)
        return 0;
    status = read_to(op, heap_map_rptr(op->part, block, 0), op->landing->map,
                     sizeof(op->landing->map));
    classes[header.klass].blocks++;
    classes[header.klass].slabs += heap_slabs(header.klass);
    for (uint32_t w = 0; !status && w < heap_words(header.klass); w++)
        classes[header.klass].taken += (uint32_t)__builtin_popcount(
            heap_map_bits(op->landing->map[w]) & heap_valid(header.klass, w));
    return status;
}

static int look_at_window(struct heap_op *op, uint32_t first, struct tern_heap_class *classes,
                          unsigned count)
{
    uint32_t blocks = op->part->head.blocks - first;
    int status;

    if (blocks > HEAP_WINDOW)
        blocks = HEAP_WINDOW;
    status = read_to(op, heap_header_rptr(op->part, first), op->landing->headers,
                     blocks * sizeof(uint64_t));
    for (uint32_t i = 0; !status && i < blocks; i++)
        status = look_at_block(op, first + i, op->landing->headers[i], classes, count);
    return status;
}

int tern_heap_look(struct tern_heap *heap, uint16_t node, struct tern_heap_class *classes,
                   unsigned count)
{
    struct heap_part *part = heap_part_nth(heap, node, 0);
    struct heap_op *op = part ? heap_op_new(heap, part) : NULL;
    unsigned entered;
    int status;

    if (!op)
        return part ? -TERN_ST_AGAIN : -TERN_ST_BAD_NODE;
    if (count > HEAP_CLASSES)
        count = HEAP_CLASSES;
    for (unsigned i = 0; i < count; i++)
        classes[i] = (struct tern_heap_class){.slab_bytes = heap_slab_bytes(i)};
    status = tern_member_renew(part->member);
    entered = tern_member_enter(part->member);
    for (uint32_t first = 0; !status && first < part->head.blocks; first += HEAP_WINDOW)
        status = look_at_window(op, first, classes, count);
    tern_member_leave(part->member, entered, status);
    heap_op_drop(op);
    return status ? heap_told(part, status) : HEAP_CLASSES;
}
