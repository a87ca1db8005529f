/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that no step waits for: puts of owner words, and sums that give slabs back. The
 * member's operation stays open until they have ended.
 */
#include <tern/atomic.h>

#include "heap.h"

enum { PART_SHIFT = 8, SEND_SHIFT = 32, INLINE_WORDS = 4 };

static struct tern_heap *heap_of(struct tern_work *work)
{
    return (struct tern_heap *)(void *)((uint8_t *)work - offsetof(struct tern_heap, tail));
}

/* Notes the end of one of several puts; returns true for the last, which ends the operation. */
static bool is_last(struct heap_send *send, int *status)
{
    if (send->status == 0)
        send->status = *status;
    *status = send->status;
    return --send->under_way == 0;
}

static bool ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct tern_heap *heap = heap_of(work);
    uint64_t context = completion->context;
    struct heap_part *part = &heap->parts[context >> PART_SHIFT & 0xffffff];
    uint32_t send = (uint32_t)(context >> SEND_SHIFT);
    int status = -(int)completion->status;

    (void)wanted;
    heap->tail_out--;
    if (!send || is_last(&heap->memory->send[send - 1], &status))
        tern_member_leave(part->member, context & 0xff, status);
    return false;
}

static const struct tern_work_calls tail_calls = {.ended = ended};

void heap_tail_open(struct tern_heap *heap)
{
    tern_work_add(heap->cq, &heap->tail, &tail_calls);
}

static uint64_t context_of(struct tern_heap *heap, const struct heap_part *part, unsigned entered)
{
    return (uint64_t)(part - heap->parts) << PART_SHIFT | entered;
}

/* ---- owner words */

static struct heap_send *send_free(struct tern_heap *heap)
{
    for (struct heap_send *s = heap->memory->send; s < heap->memory->send + HEAP_SENDS; s++)
        if (s->under_way == 0)
            return s;
    return NULL;
}

/* Returns the bits of the first run of set ones. */
static uint32_t first_run(uint32_t bits)
{
    uint32_t lowest = bits & -bits, sum = bits + lowest;

    return bits & ~sum;
}

static unsigned runs_of(uint32_t bits)
{
    unsigned runs = 0;

    for (; bits; bits &= ~first_run(bits))
        runs++;
    return runs;
}

static int put_run(struct tern_heap *heap, struct heap_part *part, struct heap_send *send,
                   struct tern_rptr words, uint32_t run)
{
    unsigned first = (unsigned)__builtin_ctz(run), count = (unsigned)__builtin_popcount(run);
    struct tern_rptr to = tern_rptr_add(words, (uint64_t)first * HEAP_WORD);
    uint64_t number = (uint64_t)(send - heap->memory->send) + 1;
    uint64_t context = context_of(heap, part, send->entered) | number << SEND_SHIFT;

    if (count <= INLINE_WORDS)
        return tern_put_inline(heap->sq, to, &send->own[first], count * HEAP_WORD,
                               TERN_DFLAG_SIGNAL, context);
    return tern_put(heap->sq, to, heap->region, &send->own[first], count * HEAP_WORD,
                    TERN_DFLAG_SIGNAL, context);
}

int heap_tail_own(struct tern_heap *heap, struct heap_part *part, unsigned entered, uint32_t block,
                  uint32_t word, uint32_t bits, const uint32_t *generations, uint32_t generation,
                  struct tern_holder holder)
{
    struct tern_rptr words = heap_own_rptr(part, block, word * TERN_BLOCK_SLABS);
    struct heap_send *send = send_free(heap);
    struct tern_work *before;
    int status = 0;

    if (!send || !tern_sq_room(heap->sq, runs_of(bits)))
        return -TERN_ST_AGAIN;
    for (unsigned i = 0; i < TERN_BLOCK_SLABS; i++)
        send->own[i] = heap_own(generations ? generations[i] : generation, holder);
    send->entered = entered;
    send->status = 0;
    before = tern_sq_serve(heap->sq, &heap->tail);
    for (; bits && !status; bits &= ~first_run(bits)) {
        status = put_run(heap, part, send, words, first_run(bits));
        send->under_way += !status;
        heap->tail_out += !status;
        heap->counts.owner_puts += !status;
    }
    (void)tern_sq_serve(heap->sq, before);
    return status;
}

int heap_tail_clear(struct tern_heap *heap, struct heap_part *part, unsigned entered,
                    uint32_t block, uint32_t word, uint32_t bits, uint32_t frees)
{
    const struct tern_masked clear = heap_clear(bits, frees);
    struct tern_work *before = tern_sq_serve(heap->sq, &heap->tail);
    int status = tern_fetch_add_masked(heap->sq, heap_map_rptr(part, block, word), &clear,
                                       TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE,
                                       context_of(heap, part, entered));

    (void)tern_sq_serve(heap->sq, before);
    heap->tail_out += !status;
    heap->counts.adds += !status;
    return status;
}
