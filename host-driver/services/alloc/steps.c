/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of both paths, one descriptor each. */
#include <string.h>

#include <tern/atomic.h>
#include <tern/read.h>

#include "heap.h"

void heap_op_fail(struct heap_op *op, int status)
{
    op->status = status;
    op->step = STEP_DONE;
}

void heap_op_ask(struct heap_op *op)
{
    op->ask = true;
    heap_op_fail(op, -TERN_ST_FULL);
}

bool heap_try_again(struct heap_op *op)
{
    op->heap->counts.retries++;
    return ++op->tries < op->heap->config.tries;
}

/* ---- windows of headers */

static uint32_t window_count(const struct heap_part *part)
{
    uint32_t left = part->head.blocks - part->window;

    return left < HEAP_WINDOW ? left : HEAP_WINDOW;
}

void heap_window_heard(struct heap_op *op)
{
    memcpy(op->part->known + op->part->window, op->landing->headers,
           window_count(op->part) * sizeof(uint64_t));
    memset(op->passed, 0, sizeof(op->passed));
    op->windows++;
}

void heap_window_next(struct heap_op *op)
{
    struct heap_part *part = op->part;

    if (op->blocks >= HEAP_BLOCKS_TRIED ||
        (uint64_t)op->windows * HEAP_WINDOW >= part->head.blocks) {
        heap_op_ask(op);
        return;
    }
    part->window += HEAP_WINDOW;
    if (part->window >= part->head.blocks)
        part->window = 0;
    op->step = STEP_HEADERS;
}

void heap_pass(struct heap_op *op)
{
    uint32_t i = op->block - op->part->window;

    op->blocks++;
    if (i < HEAP_WINDOW)
        op->passed[i / 64] |= UINT64_C(1) << i % 64;
}

bool heap_is_passed(const struct heap_op *op, uint32_t block)
{
    uint32_t i = block - op->part->window;

    return i < HEAP_WINDOW && op->passed[i / 64] >> i % 64 & 1;
}

/* ---- lowering the header's count */

static uint64_t less(uint64_t word)
{
    uint32_t used = heap_unpack(word).used;

    return heap_count(word, used ? used - 1 : 0);
}

/*
 * Judges the compare-and-swap that lowers the header's count.  After too many tries it gives up:
 * the count stays one too high until the server's sweep corrects it.
 */
void heap_down_judge(struct heap_op *op)
{
    if (op->heard.value == op->header) {
        op->part->known[op->block] = op->header = less(op->header);
        op->step = op->after;
        return;
    }
    op->header = op->heard.value;
    if (!heap_try_again(op) && op->tries >= 2 * op->heap->config.tries)
        op->step = op->after;
}

/* ---- posts */

static int read_to(struct heap_op *op, struct tern_rptr from, void *to, size_t bytes,
                   uint64_t *count)
{
    int status = tern_read(op->heap->sq, from, op->heap->region, to, (uint32_t)bytes,
                           TERN_DFLAG_SIGNAL, 0);

    *count += !status;
    return status;
}

static int swap(struct heap_op *op, struct tern_rptr at, uint64_t compare, uint64_t to,
                unsigned flags, uint64_t *count)
{
    int status = tern_compare_swap(op->heap->sq, at, compare, to, flags | TERN_DFLAG_SIGNAL, 0);

    *count += !status;
    return status;
}

static uint64_t map_with(const struct heap_op *op, bool set)
{
    uint32_t bit = 1u << op->slab % TERN_BLOCK_SLABS;
    uint32_t generation = heap_map_generation(op->map);

    if (set)
        return op->map | bit;
    return heap_map(heap_life_of(generation), generation + 1, heap_map_bits(op->map) & ~bit);
}

static int take(struct heap_op *op)
{
    uint8_t life = heap_unpack(op->header).life;
    struct tern_masked masked = {.compare = heap_map(life, 0, 0),
                                 .compare_mask = heap_map(UINT8_MAX, 0, 0),
                                 .swap = 1, .swap_mask = UINT32_MAX};
    int status = tern_take(op->heap->sq, heap_map_rptr(op->part, op->block, op->word), &masked,
                           TERN_DFLAG_SIGNAL, 0);

    op->heap->counts.takes += !status;
    return status;
}

static int take_word(struct heap_op *op)
{
    uint8_t life = heap_unpack(op->header).life;
    struct tern_masked masked = {.compare = heap_map(life, 0, 0),
                                 .compare_mask = heap_map(UINT8_MAX, 0, 0),
                                 .swap = op->want, .swap_mask = op->want};
    int status = tern_compare_swap_masked(op->heap->sq,
                                          heap_map_rptr(op->part, op->block, op->word), &masked,
                                          TERN_DFLAG_SIGNAL, 0);

    op->heap->counts.word_takes += !status;
    return status;
}

/* Posts the last step. The operation then ends for its caller. */
static int post_tail(struct heap_op *op, int status)
{
    if (status)
        return status;
    op->tailed = true;
    op->step = STEP_DONE;
    return 0;
}

static int post_owner(struct heap_op *op)
{
    return post_tail(op, heap_tail_own(op->heap, op->part, op->entered, op->block, op->word,
                                       op->taken, NULL, op->generation,
                                       tern_member_holder(op->part->member)));
}

static int post_bit(struct heap_op *op)
{
    return post_tail(op, heap_tail_clear(op->heap, op->part, op->entered, op->block, op->word,
                                         1u << op->slab % TERN_BLOCK_SLABS, 1));
}

static int post_step(struct heap_op *op)
{
    struct tern_heap_counts *n = &op->heap->counts;
    struct heap_part *part = op->part;

    switch (op->step) {
    case STEP_HEADERS:
        return read_to(op, heap_header_rptr(part, part->window), op->landing->headers,
                       window_count(part) * sizeof(uint64_t), &n->header_reads);
    case STEP_HEADER:
        return read_to(op, heap_header_rptr(part, op->block), op->landing->headers, HEAP_WORD,
                       &n->header_reads);
    case STEP_MAP:
        return read_to(op, heap_map_rptr(part, op->block, 0), op->landing->map,
                       sizeof(op->landing->map), &n->map_reads);
    case STEP_HEADER_UP:
        return swap(op, heap_header_rptr(part, op->block), op->header,
                    heap_count(op->header, heap_unpack(op->header).used + 1u), 0, &n->header_swaps);
    case STEP_HEADER_DOWN:
        return swap(op, heap_header_rptr(part, op->block), op->header,
                    less(op->header), 0, &n->header_swaps);
    case STEP_MAP_SET:
    case STEP_MAP_CLEAR:
        return swap(op, heap_map_rptr(part, op->block, op->word), op->map,
                    map_with(op, op->step == STEP_MAP_SET), 0, &n->map_swaps);
    case STEP_OWN:
        return swap(op, heap_own_rptr(part, op->block, op->slab), op->own, op->own_new,
                    TERN_DFLAG_FENCE, &n->owner_swaps);
    case STEP_TAKE:
        return take(op);
    default:
        return take_word(op);
    }
}

int heap_step_post(struct heap_op *op)
{
    int status;

    if (op->step == STEP_OWNER_PUT)
        return post_owner(op);
    if (op->step == STEP_BIT)
        return post_bit(op);
    status = post_step(op);
    return status ? status : 1;
}
