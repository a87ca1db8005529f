/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The server frees the memory of dead members between grace periods (tern/pool.h).
 *
 * Each sweep frees the slabs of owners that are not members, not once per death: a member may hand
 * a slab to one that has just died. A slab that is taken without an owner is freed when three
 * looks, two full grace periods apart, have found the same owner word. A header whose count is too
 * high, and the same in three looks, is corrected.
 */
#include <stdlib.h>

#include "owner.h"

enum { LOOKS = 3 };

/* ---- suspects: those of this look, and of the last look in the same order */

struct look {
    struct heap_owner *o;
    struct heap_suspect *next; /* for this look */
    size_t count, room;
    size_t old;                /* the first of the last look that is not yet passed */
    bool fresh;                /* a grace period is over since the last look */
};

static bool is_before(const struct heap_suspect *a, uint32_t block, uint32_t slab)
{
    return a->block < block || (a->block == block && a->slab < slab);
}

/* Counts the looks that found the same state, including this one. */
static unsigned looks_of(struct look *look, uint32_t block, uint32_t slab, uint64_t word)
{
    struct heap_owner *o = look->o;
    const struct heap_suspect *s;

    while (look->old < o->count && is_before(&o->suspects[look->old], block, slab))
        look->old++;
    s = &o->suspects[look->old];
    if (look->old == o->count || s->block != block || s->slab != slab || s->word != word)
        return 1;
    return s->looks + look->fresh;
}

static int suspect(struct look *look, uint32_t block, uint32_t slab, uint64_t word, unsigned looks)
{
    if (look->count == look->room) {
        size_t room = look->room ? 2 * look->room : 64;
        struct heap_suspect *next = realloc(look->next, room * sizeof(*next));

        if (!next)
            return -TERN_ST_NO_MEMORY;
        look->next = next;
        look->room = room;
    }
    look->next[look->count++] = (struct heap_suspect){block, slab, word, looks};
    return 0;
}

/* ---- slabs */

static int free_bit(struct heap_owner *o, uint32_t block, const struct heap_block *header,
                    uint32_t slab, uint32_t frees)
{
    int status = heap_clear_at(o, heap_map_at(o, block, slab / TERN_BLOCK_SLABS),
                               1u << slab % TERN_BLOCK_SLABS, frees);

    return status || !header->counted ? status : heap_discount(o, block, 1);
}

/*
 * Frees a slab of a dead holder. The holder's key is released, so only the server changes this
 * word.
 */
static int recover(struct heap_owner *o, uint32_t block, const struct heap_block *header,
                   uint32_t slab, uint64_t own)
{
    uint64_t at = heap_block_at(o, block) + (uint64_t)slab * HEAP_WORD, before = 0;
    uint64_t none = heap_own(heap_own_generation(own) + HEAP_AHEAD, (struct tern_holder){0, 0});
    int status = heap_swap_if(o, at, own, UINT64_MAX, none, &before);

    if (status || before != own)
        return status;
    return free_bit(o, block, header, slab, HEAP_AHEAD + 1);
}

static int look_at_slab(struct look *look, uint32_t block, const struct heap_block *header,
                        uint32_t slab)
{
    struct heap_owner *o = look->o;
    uint64_t own = heap_word_at(o, heap_block_at(o, block) + (uint64_t)slab * HEAP_WORD);
    struct tern_holder holder = heap_own_holder(own);
    unsigned looks;

    if (holder.owner)
        return tern_pool_has(o->pool, holder) ? 0 : recover(o, block, header, slab, own);
    looks = looks_of(look, block, slab, own);
    if (looks >= LOOKS)
        return free_bit(o, block, header, slab, HEAP_AHEAD + 1);
    return suspect(look, block, slab, own, looks);
}

/* ---- blocks */

/*
 * Corrects a header's count: a member died between changing header and map, and left it one too
 * high.
 */
static int look_at_header(struct look *look, uint32_t block, uint64_t word, uint32_t taken)
{
    struct heap_block header = heap_unpack(word);
    unsigned looks;

    if (!header.counted || header.used == taken)
        return 0;
    looks = looks_of(look, block, HEAP_NO_SLAB, word);
    if (looks < LOOKS)
        return suspect(look, block, HEAP_NO_SLAB, word, looks);
    return heap_swap_if(look->o, heap_header_at(look->o, block), word, UINT64_MAX,
                        heap_count(word, taken), NULL);
}

static int look_at_slabs(struct look *look, uint32_t block, uint64_t word)
{
    const struct heap_block header = heap_unpack(word);
    uint32_t taken = 0;
    int status = 0;

    for (uint32_t w = 0; !status && w < heap_words(header.klass); w++) {
        uint32_t bits = heap_map_bits(heap_word_at(look->o, heap_map_at(look->o, block, w))) &
                        heap_valid(header.klass, w);

        taken += (uint32_t)__builtin_popcount(bits);
        for (; !status && bits; bits &= bits - 1)
            status = look_at_slab(look, block, &header,
                                  w * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctz(bits));
    }
    return status ? status : look_at_header(look, block, word, taken);
}

static int look_at_block(struct look *look, uint32_t block)
{
    struct heap_owner *o = look->o;
    uint64_t word = heap_word_at(o, heap_header_at(o, block));
    struct heap_block header = heap_unpack(word);

    if (header.state == BLOCK_SLABS)
        return look_at_slabs(look, block, word);
    if (header.state == BLOCK_BIG && header.run) {
        uint64_t own = heap_word_at(o, heap_block_at(o, block));

        return tern_pool_has(o->pool, heap_own_holder(own)) ? 0 : heap_big_free(o, block, own);
    }
    return 0;
}

int heap_sweep(struct tern_pool_service *service, uint64_t period)
{
    struct heap_owner *o = (struct heap_owner *)(void *)service;
    struct look look = {.o = o, .fresh = period != o->period};
    int status = 0;

    for (uint32_t b = 0; !status && b < o->head->blocks; b++)
        status = look_at_block(&look, b);
    if (status) {
        free(look.next);
        return status;
    }
    free(o->suspects);
    o->suspects = look.next;
    o->count = look.count;
    o->period = period;
    return 0;
}
