/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The fast path: takes a slab, or all of a word, by one operation of the owner's NIC. It first
 * tries block and word of the last success, without reading anything. If that word is full it reads
 * the block's map; if the block is full it reads headers.
 */
#include "heap.h"

/* The lowest `most` of the bits. */
static uint32_t some_of(uint32_t bits, uint32_t most)
{
    uint32_t some = 0;

    for (; bits && most; most--, bits &= bits - 1)
        some |= bits & -bits;
    return some;
}

static void try_word(struct heap_op *op)
{
    op->step = op->most ? STEP_TAKE_WORD : STEP_TAKE;
}

static bool can_serve(const struct heap_op *op, uint64_t word)
{
    struct heap_block header = heap_unpack(word);

    return header.state == BLOCK_SLABS && !header.counted && header.klass == op->klass;
}

/* Chooses another block of the window, beginning at a place that depends on the member. */
static void choose(struct heap_op *op)
{
    const struct heap_part *part = op->part;
    uint32_t count = part->head.blocks - part->window, first;

    if (count > HEAP_WINDOW)
        count = HEAP_WINDOW;
    first = tern_member_holder(part->member).owner % count;
    for (uint32_t i = 0; i < count && op->blocks < HEAP_BLOCKS_TRIED; i++) {
        uint32_t b = part->window + (first + i) % count;

        if (heap_is_passed(op, b) || !can_serve(op, part->known[b]))
            continue;
        op->block = b;
        op->header = part->known[b];
        op->mapped = false;
        op->step = STEP_MAP;
        return;
    }
    heap_window_next(op);
}

/* Leaves a full block: reads headers, unless this operation has read some already. */
static void pass(struct heap_op *op)
{
    heap_pass(op);
    if (op->part->block[op->klass] == op->block + 1)
        op->part->block[op->klass] = 0;
    if (op->windows)
        choose(op);
    else
        op->step = STEP_HEADERS;
}

/*
 * Finds the next word of the map, as read, with a free slab; for whole words, one whose slabs are
 * all free.
 */
static bool find_word(struct heap_op *op)
{
    uint32_t words = heap_words(op->klass), best = words, most = 0;
    uint32_t first = op->word + 1 + tern_member_holder(op->part->member).owner;

    for (uint32_t i = 0; i < words; i++) {
        uint32_t w = (first + i) % words;
        uint32_t left = ~heap_map_bits(op->landing->map[w]) & heap_valid(op->klass, w);
        uint32_t count = op->most ? (uint32_t)__builtin_popcount(left) : left != 0;

        if (count > most) {
            most = count;
            best = w;
        }
    }
    op->word = best;
    if (best == words)
        return false;
    op->want = some_of(~heap_map_bits(op->landing->map[best]) & heap_valid(op->klass, best),
                       op->most);
    return true;
}

static void judge_take(struct heap_op *op)
{
    uint64_t before = op->heard.value;
    uint32_t left = ~heap_map_bits(before) & heap_valid(op->klass, op->word);

    if (heap_life_of(heap_map_generation(before)) != heap_unpack(op->header).life) {
        op->part->known[op->block] = 0; /* the block has changed its class */
        (void)heap_try_again(op);
        pass(op);
        return;
    }
    if (op->most)
        left &= op->want;
    if (left) {
        op->slab = op->word * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctz(left);
        op->taken = op->most ? left : left & -left;
        op->generation = heap_map_generation(before);
        op->part->block[op->klass] = op->block + 1;
        op->part->word[op->klass] = op->word;
        op->step = STEP_OWNER_PUT;
        return;
    }
    op->words++;
    if (!heap_try_again(op)) {
        heap_op_ask(op);
    } else if (!op->mapped) {
        op->step = STEP_MAP;
    } else {
        op->landing->map[op->word] = before;
        if (find_word(op))
            try_word(op);
        else
            pass(op);
    }
}

void heap_fast_judge(struct heap_op *op)
{
    switch (op->step) {
    case STEP_HEADERS:
        heap_window_heard(op);
        choose(op);
        break;
    case STEP_MAP:
        op->mapped = true;
        if (find_word(op))
            try_word(op);
        else
            pass(op);
        break;
    default:
        judge_take(op);
        break;
    }
}

/* The block that was good last may have been met anew since, with another class. */
static bool has_good_block(const struct heap_op *op)
{
    uint32_t block = op->part->block[op->klass];

    return block && can_serve(op, op->part->known[block - 1]);
}

void heap_fast_begin(struct heap_op *op)
{
    struct heap_part *part = op->part;

    op->mapped = false;
    if (op->asks) {
        op->step = STEP_MAP;
    } else if (has_good_block(op)) {
        op->block = part->block[op->klass] - 1;
        op->header = part->known[op->block];
        op->word = part->word[op->klass];
        op->want = some_of(UINT32_MAX, op->most);
        try_word(op);
    } else {
        op->step = STEP_HEADERS;
    }
}
