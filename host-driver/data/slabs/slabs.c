/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs of another node's memory: posts operations on their map words and owner words, and
 * interprets the results.
 */
#include <tern/slabs.h>
#include <tern/atomic.h>

#include "slabs_inside.h"

enum { WORD = TERN_ATOMIC_BYTES, SLABS_ALIGN = 64 };

static const uint64_t map_bits = UINT32_MAX;

/* ---- words as they are in memory */

static uint64_t word_of(const uint32_t *w)
{
    return w[0] | (uint64_t)w[1] << 32;
}

uint64_t tern_map_life(uint8_t life)
{
    uint32_t w[2] = {0};

    TERN_SET(MAP, life, w, life);
    return word_of(w);
}

uint64_t tern_map_frees(uint32_t frees)
{
    uint32_t w[2] = {0};

    TERN_SET(MAP, frees, w, frees);
    return word_of(w);
}

static uint64_t bit_of(uint32_t index)
{
    return UINT64_C(1) << index % TERN_BLOCK_SLABS;
}

uint32_t tern_map_generation(uint64_t map)
{
    const uint32_t w[2] = {(uint32_t)map, (uint32_t)(map >> 32)};

    return (uint32_t)(TERN_GET(MAP, life, w) << TERN_MAP_frees_BITS | TERN_GET(MAP, frees, w));
}

struct own {
    uint32_t generation;
    struct tern_holder holder;
};

static uint64_t own_word(uint32_t generation, struct tern_holder holder)
{
    uint32_t w[2] = {0};

    TERN_SET(OWN, generation, w, generation);
    TERN_SET(OWN, owner, w, holder.owner);
    TERN_SET(OWN, epoch, w, holder.epoch);
    return word_of(w);
}

static struct own own_read(uint64_t word)
{
    const uint32_t w[2] = {(uint32_t)word, (uint32_t)(word >> 32)};

    return (struct own){
        .generation = (uint32_t)TERN_GET(OWN, generation, w),
        .holder = {(uint16_t)TERN_GET(OWN, owner, w), (uint16_t)TERN_GET(OWN, epoch, w)},
    };
}

/* ---- addresses */

static size_t words_of(size_t slabs)
{
    return (slabs + TERN_BLOCK_SLABS - 1) / TERN_BLOCK_SLABS;
}

static size_t head_of(size_t slabs)
{
    return (words_of(slabs) + slabs) * WORD;
}

static size_t slabs_begin(size_t slabs)
{
    return (head_of(slabs) + SLABS_ALIGN - 1) / SLABS_ALIGN * SLABS_ALIGN;
}

static struct tern_rptr map_at(const struct tern_blocks *blocks, uint32_t word)
{
    return tern_rptr_add(blocks->start, (uint64_t)word * WORD);
}

static struct tern_rptr own_at(const struct tern_blocks *blocks, uint32_t index)
{
    return tern_rptr_add(blocks->start, (words_of(blocks->slabs) + (uint64_t)index) * WORD);
}

static struct tern_rptr slab_at(const struct tern_blocks *blocks, uint32_t index)
{
    return tern_rptr_add(blocks->start,
                         slabs_begin(blocks->slabs) + (uint64_t)index * blocks->slab_bytes);
}

uint32_t tern_blocks_words(const struct tern_blocks *blocks)
{
    return (uint32_t)words_of(blocks->slabs);
}

size_t tern_blocks_head(const struct tern_blocks *blocks)
{
    return head_of(blocks->slabs);
}

size_t tern_blocks_slabs_at(const struct tern_blocks *blocks)
{
    return slabs_begin(blocks->slabs);
}

/* Reads a word that NICs may be writing at this moment. */
static uint64_t word_in(const void *head, size_t word)
{
    return ((const volatile uint64_t *)head)[word];
}

static uint64_t own_in(const void *head, const struct tern_blocks *blocks, uint32_t index)
{
    return word_in(head, words_of(blocks->slabs) + index);
}

bool tern_slab_is_taken(const void *head, uint32_t index)
{
    return (word_in(head, index / TERN_BLOCK_SLABS) & bit_of(index)) != 0;
}

struct tern_holder tern_blocks_holder(const struct tern_blocks *blocks, const void *head,
                                      uint32_t index,
                                      struct tern_slab *slab)
{
    struct own own = own_read(own_in(head, blocks, index));

    *slab = (struct tern_slab){slab_at(blocks, index), index, own.generation};
    return own.holder;
}

/* ---- the node that has the memory */

static size_t slabs_in(size_t bytes, uint32_t slab_bytes)
{
    size_t slabs = bytes / (slab_bytes + WORD);

    if (slabs > UINT32_MAX)
        slabs = UINT32_MAX;
    while (slabs > 0 && slabs_begin(slabs) + slabs * slab_bytes > bytes)
        slabs--;
    return slabs;
}

int tern_blocks_format(void *memory, size_t bytes, uint32_t slab_bytes, uint8_t life,
                       struct tern_blocks *blocks)
{
    uint64_t *words = memory;
    size_t slabs;

    if ((uintptr_t)memory % SLABS_ALIGN != 0)
        return -TERN_ST_BAD_ALIGN;
    if (slab_bytes == 0 || slab_bytes % WORD != 0)
        return -TERN_ST_BAD_SIZE;
    slabs = slabs_in(bytes, slab_bytes);
    if (slabs == 0)
        return -TERN_ST_NO_MEMORY;
    *blocks = (struct tern_blocks){
        .bytes = bytes, .slabs = (uint32_t)slabs, .slab_bytes = slab_bytes, .life = life};
    for (size_t i = 0; i < head_of(slabs) / WORD; i++)
        words[i] = i < words_of(slabs) ? tern_map_life(life) : 0;
    if (slabs % TERN_BLOCK_SLABS != 0) /* bits without a slab are never free */
        words[words_of(slabs) - 1] |= map_bits & ~(bit_of((uint32_t)slabs) - 1);
    return 0;
}

/* ---- taking */

int tern_slab_assign(struct tern_sq *sq, const struct tern_blocks *blocks,
                     struct tern_holder holder,
                     const struct tern_slab *slab, unsigned flags, uint64_t context)
{
    uint64_t own = own_word(slab->generation, holder);

    return tern_put_inline(sq, own_at(blocks, slab->index), &own, sizeof(own), flags, context);
}

int tern_balloc_post(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     unsigned flags, uint64_t context)
{
    struct tern_masked take = {.swap = 1, .swap_mask = map_bits};

    if (!blocks)
        return -TERN_ST_BAD_ARGUMENT;
    if (word >= tern_blocks_words(blocks))
        return -TERN_ST_BAD_RANGE;
    take.compare = tern_map_life(blocks->life);
    take.compare_mask = tern_map_life(UINT8_MAX);
    return tern_take(sq, map_at(blocks, word), &take, flags | TERN_DFLAG_SIGNAL, context);
}

int tern_balloc_done(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     struct tern_holder holder,
                     const struct tern_completion *done, struct tern_slab *slab)
{
    uint64_t map = done->value;
    struct tern_work *before;
    uint32_t index;
    int status;

    if (done->opcode != TERN_OP_TAKE || holder.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    if (done->status != TERN_ST_OK)
        return -(int)done->status;
    if ((map & tern_map_life(UINT8_MAX)) != tern_map_life(blocks->life))
        return -TERN_ST_STALE_POINTER;
    if ((map & map_bits) == map_bits)
        return -TERN_ST_FULL;
    index = word * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctzll(~map);
    *slab = (struct tern_slab){slab_at(blocks, index), index, tern_map_generation(map)};
    before = tern_sq_serve(sq, tern_sq_stray(sq));
    status = tern_slab_assign(sq, blocks, holder, slab, 0, 0);
    (void)tern_sq_serve(sq, before);
    return status;
}

/* ---- giving back */

int tern_bfree_post(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                    const struct tern_slab *slab, unsigned flags, uint64_t context)
{
    if (!blocks || !slab)
        return -TERN_ST_BAD_ARGUMENT;
    if (slab->index >= blocks->slabs)
        return -TERN_ST_BAD_RANGE;
    return tern_compare_swap(sq, own_at(blocks, slab->index), own_word(slab->generation, holder),
                             own_word(slab->generation + 1, (struct tern_holder){0, 0}),
                             flags | TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, context);
}

int tern_map_clear(struct tern_sq *sq, struct tern_rptr map, uint64_t bits, uint64_t wanted,
                   uint64_t mask, unsigned flags,
                   uint64_t context)
{
    const struct tern_masked clear = {
        .compare = wanted | bits,
        .compare_mask = mask | bits,
        .swap = tern_map_frees((uint32_t)__builtin_popcountll(bits)) - bits,
        .swap_mask = UINT64_MAX,
    };

    return tern_fetch_add_masked(sq, map, &clear, flags, context);
}

int tern_slabs_clear(struct tern_sq *sq, const struct tern_blocks *blocks, uint32_t word,
                     uint64_t bits, unsigned flags, uint64_t context)
{
    return tern_map_clear(sq, map_at(blocks, word), bits, 0, 0, flags, context);
}

/* Returns the status for an owner word that does not name this holder and slab. */
static int not_mine(struct own own, const struct tern_slab *slab)
{
    if (own.holder.owner == 0)
        return -TERN_ST_NOT_TAKEN;
    return own.generation != slab->generation ? -TERN_ST_STALE_POINTER : -TERN_ST_NOT_OWNER;
}

int tern_bfree_done(struct tern_sq *sq, const struct tern_blocks *blocks, struct tern_holder holder,
                    const struct tern_slab *slab, const struct tern_completion *done,
                        unsigned flags, uint64_t context)
{
    if (done->opcode != TERN_OP_CAS)
        return -TERN_ST_BAD_ARGUMENT;
    if (done->status != TERN_ST_OK)
        return -(int)done->status;
    if (done->value != own_word(slab->generation, holder))
        return not_mine(own_read(done->value), slab);
    return tern_slabs_clear(sq, blocks, slab->index / TERN_BLOCK_SLABS, bit_of(slab->index),
                            flags, context);
}

/* ---- whole operations */

void tern_balloc_start(struct tern_balloc *b)
{
    b->tried = 0;
    b->asked = false;
}

void tern_balloc_hear(struct tern_balloc *b, const struct tern_completion *done)
{
    b->map = done->value;
    b->answer = done->status;
}

/*
 * Handles the completion of the take; AGAIN: the slab is taken, but there was no room for the put
 * of its owner word.
 */
static int take_answer(struct tern_sq *sq, struct tern_balloc *b)
{
    const struct tern_completion done = {.opcode = TERN_OP_TAKE, .status = b->answer,
                                         .value = b->map};

    return tern_balloc_done(sq, b->blocks, b->word, b->holder, &done, &b->slab);
}

int tern_balloc_go(struct tern_sq *sq, struct tern_balloc *b)
{
    uint32_t words = tern_blocks_words(b->blocks);
    int status = 0;

    if (b->asked) {
        status = take_answer(sq, b);
        if (status != -TERN_ST_FULL)
            return status;
        b->asked = false;
        b->word = (b->word + 1) % words;
        b->tried++;
    }
    if (b->tried == (b->words && b->words < words ? b->words : words))
        return -TERN_ST_FULL;
    status = tern_balloc_post(sq, b->blocks, b->word, 0, 0);
    b->asked = !status;
    return status ? status : 1;
}

static int balloc_next(struct tern_steps *steps)
{
    return tern_balloc_go(steps->sq, (struct tern_balloc *)(void *)steps);
}

static bool balloc_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    tern_balloc_hear((struct tern_balloc *)(void *)steps, done);
    return true;
}

int tern_balloc(struct tern_sq *sq, struct tern_balloc *b, uint64_t context)
{
    if (!b->blocks || b->holder.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    tern_balloc_start(b);
    return tern_steps_start(&b->steps, sq, balloc_next, balloc_heard, TERN_OP_TAKE, context);
}

enum { FREE_OWNER, FREE_BIT, FREE_DONE };

void tern_bfree_start(struct tern_bfree *b)
{
    b->step = FREE_OWNER;
}

void tern_bfree_hear(struct tern_bfree *b, const struct tern_completion *done)
{
    b->own = done->value;
    b->answer = done->status;
}

int tern_bfree_go(struct tern_sq *sq, struct tern_bfree *b)
{
    const struct tern_completion done = {.opcode = TERN_OP_CAS, .status = b->answer,
                                         .value = b->own};
    int status;

    if (b->step == FREE_DONE)
        return -(int)b->answer;
    if (b->step == FREE_OWNER)
        status = tern_bfree_post(sq, b->blocks, b->holder, &b->slab, 0, 0);
    else
        status = tern_bfree_done(sq, b->blocks, b->holder, &b->slab, &done, TERN_DFLAG_SIGNAL, 0);
    if (status)
        return status;
    b->step++;
    return 1;
}

static int bfree_next(struct tern_steps *steps)
{
    return tern_bfree_go(steps->sq, (struct tern_bfree *)(void *)steps);
}

static bool bfree_heard(struct tern_steps *steps, const struct tern_completion *done)
{
    tern_bfree_hear((struct tern_bfree *)(void *)steps, done);
    return true;
}

int tern_bfree(struct tern_sq *sq, struct tern_bfree *b, uint64_t context)
{
    if (!b->blocks)
        return -TERN_ST_BAD_ARGUMENT;
    tern_bfree_start(b);
    return tern_steps_start(&b->steps, sq, bfree_next, bfree_heard, TERN_OP_ADD, context);
}

/* ---- waiting */

int tern_balloc_wait(struct tern_allocator *a, struct tern_slab *slab)
{
    struct tern_balloc op = {.blocks = &a->blocks, .holder = a->holder,
                             .word = a->word % tern_blocks_words(&a->blocks)};
    int status = a->holder.owner ? tern_sq_strays(a->sq) : -TERN_ST_BAD_ARGUMENT;

    if (status)
        return status;
    tern_balloc_start(&op);
    status = tern_steps_run(&op.steps, a->sq, balloc_next, balloc_heard, a->timeout_ms);
    a->word = op.word;
    *slab = op.slab;
    return status;
}

int tern_slab_give_back(struct tern_allocator *a, struct tern_holder holder,
                        const struct tern_slab *slab)
{
    struct tern_bfree op = {.blocks = &a->blocks, .holder = holder, .slab = *slab};

    tern_bfree_start(&op);
    return tern_steps_run(&op.steps, a->sq, bfree_next, bfree_heard, a->timeout_ms);
}

int tern_slab_inherit(struct tern_allocator *a, struct tern_holder dead, struct tern_holder heir,
                      const struct tern_slab *slab)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, a->sq, &done);
    status = tern_compare_swap(a->sq, own_at(&a->blocks, slab->index),
                               own_word(slab->generation, dead), own_word(slab->generation, heir),
                               TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, a->timeout_ms);
    return status ? status : -(int)done.status;
}

int tern_bfree_wait(struct tern_allocator *a, const struct tern_slab *slab)
{
    return slab ? tern_slab_give_back(a, a->holder, slab) : -TERN_ST_BAD_ARGUMENT;
}
