/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many bytes of a record a client asks for.  A lookup knows nothing of the record that it will
 * find.  It asks for as much as the records before needed, since bytes take time: of the largest
 * slab 240 cycles more than of 128 bytes.  A record that is longer takes another lookup.
 */
#include "cache.h"

enum { FOUND = 64 }; /* records after which the need is settled anew */

static struct cache_need *need_of(struct cache_part *part, uint8_t kind)
{
    return &part->need[kind == CACHE_KEY_PART];
}

/* Bytes of the smallest slab in which a record has room. */
static uint32_t slab_for(const struct cache_part *part, uint64_t bytes)
{
    for (unsigned i = 0; i < part->table.sizes; i++)
        if (part->table.blocks[i].slab_bytes >= bytes)
            return part->table.blocks[i].slab_bytes;
    return part->room;
}

uint32_t cache_need(const struct cache_part *part, uint8_t kind)
{
    uint32_t bytes = part->need[kind == CACHE_KEY_PART].bytes;

    return bytes ? bytes : part->room;
}

void cache_need_learn(struct cache_part *part, uint8_t kind, uint64_t bytes)
{
    struct cache_need *need = need_of(part, kind);
    uint32_t slab = slab_for(part, bytes);

    if (slab > need->most)
        need->most = slab;
    if (slab > need->bytes)
        need->bytes = slab;
    if (++need->found < FOUND)
        return;
    *need = (struct cache_need){.bytes = need->most};
}

uint32_t cache_slab_bytes(const struct cache_part *part, uint32_t place)
{
    uint64_t start = TERN_GET(RPTR, addr, part->table.pointer.start.w);
    uint64_t at = start + (uint64_t)place * CACHE_NODE;

    for (unsigned i = 0; i < part->table.sizes; i++) {
        const struct tern_blocks *blocks = &part->table.blocks[i];
        uint64_t first = TERN_GET(RPTR, addr, blocks->start.w);

        if (at >= first && at - first < blocks->bytes)
            return blocks->slab_bytes;
    }
    return part->room;
}
