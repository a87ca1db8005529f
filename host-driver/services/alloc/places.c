/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of headers, maps, owner words and slabs of a heap. */
#include "heap.h"

struct tern_rptr heap_header_rptr(const struct heap_part *part, uint32_t block)
{
    return tern_member_at(part->member, part->head.headers + (uint64_t)block * HEAP_WORD);
}

struct tern_rptr heap_map_rptr(const struct heap_part *part, uint32_t block, uint32_t word)
{
    return tern_member_at(part->member, part->head.maps +
                                            ((uint64_t)block * HEAP_WORDS + word) * HEAP_WORD);
}

static uint64_t start_of(const struct heap_part *part, uint32_t block)
{
    return part->head.starts + (uint64_t)block * HEAP_BLOCK;
}

struct tern_rptr heap_own_rptr(const struct heap_part *part, uint32_t block, uint32_t slab)
{
    return tern_member_at(part->member, start_of(part, block) + (uint64_t)slab * HEAP_WORD);
}

struct tern_ptr heap_slab_ptr(const struct heap_part *part, unsigned klass, uint32_t block,
                              uint32_t slab, uint32_t generation)
{
    return (struct tern_ptr){
        .node = tern_member_node(part->member),
        .pool = tern_member_pool(part->member),
        .generation = generation,
        .offset = start_of(part, block) + heap_slabs_begin(klass) +
                  (uint64_t)slab * heap_slab_bytes(klass),
    };
}

struct heap_part *heap_part_of(const struct tern_heap *heap, struct tern_ptr at, uint32_t *block)
{
    for (struct heap_part *part = heap->parts; part < heap->parts + heap->count; part++) {
        if (tern_member_node(part->member) != at.node || tern_member_pool(part->member) != at.pool)
            continue;
        if (at.offset < part->head.starts ||
            at.offset >= start_of(part, part->head.blocks))
            return NULL;
        *block = (uint32_t)((at.offset - part->head.starts) / HEAP_BLOCK);
        return part;
    }
    return NULL;
}

int heap_slab_of(const struct heap_part *part, uint64_t header, struct tern_ptr at, uint32_t *slab)
{
    struct heap_block block = heap_unpack(header);
    uint64_t in = (at.offset - part->head.starts) % HEAP_BLOCK;

    if (block.state == BLOCK_FREE || block.state == BLOCK_BUSY ||
        block.life != heap_life_of(at.generation))
        return -TERN_ST_STALE_POINTER;
    *slab = 0;
    if (block.state == BLOCK_BIG)
        return in == HEAP_BIG_HEAD && block.run ? 0 : -TERN_ST_BAD_RANGE;
    in -= heap_slabs_begin(block.klass);
    *slab = (uint32_t)(in / heap_slab_bytes(block.klass));
    return in % heap_slab_bytes(block.klass) || *slab >= heap_slabs(block.klass)
               ? -TERN_ST_BAD_RANGE
               : 0;
}
