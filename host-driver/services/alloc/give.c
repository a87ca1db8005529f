/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives a slab back, or to another holder.  First a compare-and-swap changes the owner word; it
 * fails if the slab is free, has another owner, or was given out anew.  Then the slab's bit is
 * cleared.  In a counted block the header comes last.
 */
#include "heap.h"

/* Computes op->own and op->own_new from the header, which gives the slab's size. */
static void find_slab(struct heap_op *op, bool fresh)
{
    struct tern_ptr at = {.generation = op->generation, .offset = op->bytes};
    uint64_t header = op->part->known[op->block];
    int status = header ? heap_slab_of(op->part, header, at, &op->slab) : -TERN_ST_STALE_POINTER;

    if (status == -TERN_ST_STALE_POINTER && !fresh) {
        op->step = STEP_HEADER; /* the block may have changed its class since this member read its
                                 * header */
        return;
    }
    if (status) {
        heap_op_fail(op, status);
        return;
    }
    op->header = header;
    op->word = op->slab / TERN_BLOCK_SLABS;
    op->step = STEP_OWN;
    op->big = heap_unpack(header).state == BLOCK_BIG;
    if (op->big && heap_own_holder(op->own_new).owner == 0)
        heap_op_fail(op, 0); /* the server will free it */
}

void heap_give_begin(struct heap_op *op)
{
    find_slab(op, false);
}

/* Returns why the owner word had another value. */
static int not_mine(const struct heap_op *op)
{
    if (heap_own_holder(op->heard.value).owner == 0)
        return -TERN_ST_NOT_TAKEN;
    return heap_own_generation(op->heard.value) != heap_own_generation(op->own)
               ? -TERN_ST_STALE_POINTER
               : -TERN_ST_NOT_OWNER;
}

static void judge_own(struct heap_op *op)
{
    struct heap_block header = heap_unpack(op->header);

    if (op->heard.value != op->own)
        heap_op_fail(op, not_mine(op));
    else if (heap_own_holder(op->own_new).owner) /* handed on to another holder */
        heap_op_fail(op, 0);
    else
        op->step = header.counted ? STEP_MAP : STEP_BIT;
}

/*
 * Judges the clearing of the bit. No other client changes this bit, so the compare-and-swap repeats
 * until the rest of the word is as expected.
 */
static void judge_clear(struct heap_op *op)
{
    if (op->heard.value == op->map) {
        op->step = STEP_HEADER_DOWN;
        op->after = STEP_DONE;
        op->tries = 0;
        return;
    }
    op->heap->counts.retries++;
    op->map = op->heard.value;
}

void heap_give_judge(struct heap_op *op)
{
    switch (op->step) {
    case STEP_HEADER:
        op->part->known[op->block] = op->landing->headers[0];
        find_slab(op, true);
        break;
    case STEP_OWN:
        judge_own(op);
        break;
    case STEP_MAP:
        op->map = op->landing->map[op->word];
        op->step = STEP_MAP_CLEAR;
        break;
    case STEP_MAP_CLEAR:
        judge_clear(op);
        break;
    default:
        heap_down_judge(op);
        break;
    }
}
