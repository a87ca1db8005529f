/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The stock: words of slabs that this client owns, and allocates from and frees to without any
 * operation.
 *
 * Each slab in stock has this client in its owner word. The client raises the generation at each
 * new allocation of the slab. It publishes the generation when that is HEAP_AHEAD above the one in
 * the owner word, or when it gives the slab back or hands it on.
 */
#include <stdlib.h>
#include <string.h>

#include "heap.h"

static struct heap_stock **bucket_of(const struct tern_heap *heap, const struct heap_part *part,
                                     uint32_t block, uint32_t word)
{
    size_t number = ((size_t)(part - heap->parts) * 31 + block) * HEAP_WORDS + word;

    return (struct heap_stock **)(uintptr_t)&heap->stock[number % HEAP_STOCK_BUCKETS];
}

struct heap_stock *heap_stock_find(const struct tern_heap *heap, const struct heap_part *part,
                                   uint32_t block, uint32_t word)
{
    struct heap_stock *s = *bucket_of(heap, part, block, word);

    while (s && !(s->part == part && s->block == block && s->word == word))
        s = s->next;
    return s;
}

/* ---- the shelf of a class */

static void shelve(struct tern_heap *heap, struct heap_stock *s)
{
    struct heap_stock **shelf = &heap->shelf[s->klass];

    if (s->link || !s->free)
        return;
    s->more = *shelf;
    s->link = shelf;
    if (s->more)
        s->more->link = &s->more;
    *shelf = s;
}

static void unshelve(struct heap_stock *s)
{
    if (!s->link)
        return;
    *s->link = s->more;
    if (s->more)
        s->more->link = s->link;
    s->link = NULL;
}

static void drop_if_empty(struct tern_heap *heap, struct heap_stock *s)
{
    struct heap_stock **link = bucket_of(heap, s->part, s->block, s->word);

    if (!s->free)
        unshelve(s);
    if (s->mine)
        return;
    while (*link != s)
        link = &(*link)->next;
    *link = s->next;
    free(s);
}

/* ---- adding and finding words */

struct heap_stock *heap_stock_add(struct tern_heap *heap, struct heap_part *part, uint32_t block,
                                  uint32_t word, unsigned klass, uint32_t taken,
                                  uint32_t generation)
{
    struct heap_stock *s = heap_stock_find(heap, part, block, word);

    if (!s) {
        struct heap_stock **bucket = bucket_of(heap, part, block, word);

        s = calloc(1, sizeof(*s));
        if (!s)
            return NULL;
        *s = (struct heap_stock){.next = *bucket, .part = part, .block = block, .word = word,
                                 .klass = klass};
        *bucket = s;
    }
    s->mine |= taken;
    s->free |= taken;
    for (uint32_t bits = taken; bits; bits &= bits - 1) {
        s->generation[__builtin_ctz(bits)] = generation;
        s->ahead[__builtin_ctz(bits)] = 0;
    }
    heap->shelved[klass] += (uint32_t)__builtin_popcount(taken);
    shelve(heap, s);
    return s;
}

bool heap_stock_get(struct tern_heap *heap, const struct heap_part *part, unsigned klass,
                    struct tern_ptr *at)
{
    struct heap_stock *s = heap->shelf[klass];
    unsigned bit;

    while (s && s->part != part)
        s = s->more;
    if (!s)
        return false;
    bit = (unsigned)__builtin_ctz(s->free);
    s->free &= s->free - 1;
    heap->shelved[klass]--;
    if (!s->free)
        unshelve(s);
    *at = heap_slab_ptr(part, klass, s->block, s->word * TERN_BLOCK_SLABS + bit,
                        s->generation[bit] + s->ahead[bit]);
    return true;
}

/* Puts the owner word before the generation is too far ahead of it. */
static int publish(struct tern_heap *heap, struct heap_stock *s, unsigned bit)
{
    unsigned entered = tern_member_enter(s->part->member);
    uint32_t generation = s->generation[bit] + s->ahead[bit];
    int status;

    while ((status = heap_tail_own(heap, s->part, entered, s->block, s->word, 1u << bit, NULL,
                                   generation, tern_member_holder(s->part->member))) ==
           -TERN_ST_AGAIN)
        if ((status = heap_hear(heap, 1)) < 0)
            break;
    if (status < 0) {
        tern_member_leave(s->part->member, entered, status);
        return status;
    }
    s->generation[bit] = generation;
    s->ahead[bit] = 0;
    return 0;
}

bool heap_stock_give(struct tern_heap *heap, struct heap_part *part, uint32_t block, uint32_t slab,
                     uint32_t generation, int *status)
{
    struct heap_stock *s = heap_stock_find(heap, part, block, slab / TERN_BLOCK_SLABS);
    unsigned bit = slab % TERN_BLOCK_SLABS;

    if (!s || !(s->mine >> bit & 1))
        return false;
    *status = 0;
    if (s->generation[bit] + s->ahead[bit] != generation)
        /* the generation is one higher: the slab was freed since, and not allocated again */
        *status = s->free >> bit & 1 && s->generation[bit] + s->ahead[bit] == generation + 1
                      ? -TERN_ST_NOT_TAKEN
                      : -TERN_ST_STALE_POINTER;
    else if (s->free >> bit & 1)
        *status = -TERN_ST_NOT_TAKEN;
    if (*status)
        return true;
    if (++s->ahead[bit] == HEAP_AHEAD)
        *status = publish(heap, s, bit);
    s->free |= 1u << bit;
    heap->shelved[s->klass]++;
    shelve(heap, s);
    return true;
}

void heap_stock_forget(struct tern_heap *heap, struct heap_stock *s, uint32_t bit)
{
    s->mine &= ~(1u << bit);
    drop_if_empty(heap, s);
}

/* ---- giving words back to the pool */

static uint32_t furthest(const struct heap_stock *s, uint32_t bits)
{
    uint32_t most = 0;

    for (; bits; bits &= bits - 1)
        if (s->ahead[__builtin_ctz(bits)] > most)
            most = s->ahead[__builtin_ctz(bits)];
    return most;
}

/* Waits until there is room for both posts. */
static int await_room(struct tern_heap *heap, unsigned posts)
{
    int status = 0;

    while (status >= 0 && !tern_sq_room(heap->sq, posts))
        status = heap_hear(heap, 1);
    return status < 0 ? status : 0;
}

/* Posts two operations: the owner words, then the map word. */
static int give_back(struct tern_heap *heap, struct heap_stock *s, uint32_t bits)
{
    uint32_t generations[TERN_BLOCK_SLABS];
    uint32_t more = furthest(s, bits) + 1;
    unsigned entered;
    int status = await_room(heap, TERN_BLOCK_SLABS / 2 + 1);

    if (status)
        return status;
    for (unsigned i = 0; i < TERN_BLOCK_SLABS; i++)
        generations[i] = s->generation[i] + s->ahead[i] + 1;
    entered = tern_member_enter(s->part->member);
    while ((status = heap_tail_own(heap, s->part, entered, s->block, s->word, bits, generations, 0,
                                   (struct tern_holder){0, 0})) == -TERN_ST_AGAIN)
        if ((status = heap_hear(heap, 1)) < 0)
            break;
    if (status < 0) {
        tern_member_leave(s->part->member, entered, status);
        return status;
    }
    entered = tern_member_enter(s->part->member);
    status = heap_tail_clear(heap, s->part, entered, s->block, s->word, bits, more);
    if (status)
        tern_member_leave(s->part->member, entered, status);
    s->mine &= ~bits;
    s->free &= ~bits;
    heap->shelved[s->klass] -= (uint32_t)__builtin_popcount(bits);
    return status;
}

int heap_stock_trim(struct tern_heap *heap, unsigned klass, uint32_t most)
{
    struct heap_stock *s = heap->shelf[klass], *more;
    int status = 0;

    for (; s && !status && heap->shelved[klass] > most; s = more) {
        more = s->more;
        if (most && s->free != s->mine)
            continue; /* only whole words are cheap to give back */
        status = give_back(heap, s, s->free);
        drop_if_empty(heap, s);
    }
    return status;
}

void heap_stock_close(struct tern_heap *heap)
{
    for (unsigned klass = 0; klass < HEAP_CLASSES; klass++)
        (void)heap_stock_trim(heap, klass, 0);
    for (unsigned i = 0; i < HEAP_STOCK_BUCKETS; i++)
        while (heap->stock[i]) {
            struct heap_stock *s = heap->stock[i];

            heap->stock[i] = s->next;
            free(s);
        }
}
