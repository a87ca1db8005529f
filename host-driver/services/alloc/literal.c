/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The literal path, as in the patent's claim: READ of headers, choice of a block, READ of its map,
 * compare-and-swap of the header, compare-and-swap of a map word, put of the owner word.
 *
 * The count in the header is raised first and lowered last, so it is never below the number of
 * taken slabs.
 */
#include "heap.h"

static bool can_serve(const struct heap_op *op, uint64_t word)
{
    struct heap_block header = heap_unpack(word);

    return header.state == BLOCK_SLABS && header.counted && header.klass == op->klass &&
           header.used < heap_slabs(op->klass);
}

/*
 * Chooses the fullest block with a free slab: emptier ones may become empty, and change their
 * class.
 */
static void choose(struct heap_op *op)
{
    const struct heap_part *part = op->part;
    uint32_t end = part->window + HEAP_WINDOW, found = UINT32_MAX;

    if (end > part->head.blocks)
        end = part->head.blocks;
    for (uint32_t b = part->window; b < end && op->blocks < HEAP_BLOCKS_TRIED; b++) {
        if (heap_is_passed(op, b) || !can_serve(op, part->known[b]))
            continue;
        if (found == UINT32_MAX ||
            heap_unpack(part->known[b]).used > heap_unpack(part->known[found]).used)
            found = b;
    }
    if (found == UINT32_MAX) {
        heap_window_next(op);
        return;
    }
    op->block = found;
    op->header = part->known[found];
    op->words = 0;
    op->step = STEP_MAP;
}

static void pass(struct heap_op *op)
{
    heap_pass(op);
    choose(op);
}

/* Finds the first word of the map, as read, with a free slab. */
static bool find_word(struct heap_op *op)
{
    for (uint32_t w = 0; w < heap_words(op->klass); w++) {
        uint32_t left = ~heap_map_bits(op->landing->map[w]) & heap_valid(op->klass, w);

        if (left) {
            op->word = w;
            op->map = op->landing->map[w];
            op->slab = w * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctz(left);
            return true;
        }
    }
    return false;
}

static void judge_header(struct heap_op *op)
{
    uint64_t before = op->heard.value;
    uint8_t life = heap_unpack(op->header).life;

    if (before == op->header) {
        op->header = heap_count(before, heap_unpack(before).used + 1u);
        op->step = STEP_MAP_SET;
        return;
    }
    op->part->known[op->block] = op->header = before;
    if (!heap_try_again(op))
        heap_op_ask(op);
    else if (!can_serve(op, before) || heap_unpack(before).life != life)
        pass(op);
}

/* Lowers the header's count again, since no slab was taken. */
static void give_up_block(struct heap_op *op, bool ask)
{
    heap_pass(op);
    op->step = STEP_HEADER_DOWN;
    op->after = ask ? STEP_DONE : STEP_HEADERS;
}

static void judge_map(struct heap_op *op)
{
    uint64_t before = op->heard.value;
    bool again;

    if (before == op->map) {
        op->generation = heap_map_generation(before);
        op->taken = 1u << op->slab % TERN_BLOCK_SLABS;
        op->part->known[op->block] = op->header;
        op->step = STEP_OWNER_PUT;
        return;
    }
    op->landing->map[op->word] = before;
    again = heap_try_again(op);
    op->words += !(~heap_map_bits(before) & heap_valid(op->klass, op->word));
    if (!again || heap_life_of(heap_map_generation(before)) != heap_unpack(op->header).life ||
        !find_word(op))
        give_up_block(op, !again);
}

/* Goes on after the header's count was restored: with the next known headers, or the server. */
static void after_down(struct heap_op *op)
{
    if (op->step == STEP_DONE) {
        heap_op_ask(op);
    } else if (op->step == STEP_HEADERS) {
        op->part->known[op->block] = op->header;
        choose(op);
    }
}

void heap_literal_judge(struct heap_op *op)
{
    switch (op->step) {
    case STEP_HEADERS:
        heap_window_heard(op);
        choose(op);
        break;
    case STEP_MAP:
        if (find_word(op))
            op->step = STEP_HEADER_UP;
        else
            pass(op);
        break;
    case STEP_HEADER_UP:
        judge_header(op);
        break;
    case STEP_MAP_SET:
        judge_map(op);
        break;
    default:
        heap_down_judge(op);
        after_down(op);
        break;
    }
}

/* Begins with the block that the server named, if any. */
void heap_literal_begin(struct heap_op *op)
{
    op->step = op->asks ? STEP_MAP : STEP_HEADERS;
}
