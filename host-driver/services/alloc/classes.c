/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of slabs, and the division of blocks and heaps. */
#include "layout.h"

/* Returns the largest slab of which a block can hold `slabs`. */
static uint32_t share_of_block(uint32_t slabs)
{
    return (HEAP_BLOCK - HEAP_ALIGN) / slabs / HEAP_ALIGN * HEAP_ALIGN;
}

/*
 * Returns the slab size of a class. The largest powers of two are reduced to make room for the
 * owner words: else one slab fewer would fit.
 */
uint32_t heap_slab_bytes(unsigned klass)
{
    uint32_t base = HEAP_SLAB_MIN << klass / HEAP_STEPS;
    uint32_t bytes = base + base / HEAP_STEPS * (klass % HEAP_STEPS);

    return bytes == HEAP_BLOCK / 4 || bytes == HEAP_BLOCK / 2 ? share_of_block(HEAP_BLOCK / bytes)
                                                              : bytes;
}

unsigned heap_class_of(uint64_t bytes)
{
    unsigned klass = 0;

    while (klass < HEAP_CLASSES && heap_slab_bytes(klass) < bytes)
        klass++;
    return klass;
}

static uint32_t begin_of(uint32_t slabs)
{
    return (slabs * HEAP_WORD + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
}

uint32_t heap_slabs(unsigned klass)
{
    uint32_t bytes = heap_slab_bytes(klass), slabs = HEAP_BLOCK / (bytes + HEAP_WORD);

    while (begin_of(slabs) + slabs * bytes > HEAP_BLOCK)
        slabs--;
    return slabs;
}

uint32_t heap_words(unsigned klass)
{
    return (heap_slabs(klass) + TERN_BLOCK_SLABS - 1) / TERN_BLOCK_SLABS;
}

uint32_t heap_slabs_begin(unsigned klass)
{
    return begin_of(heap_slabs(klass));
}

uint32_t heap_valid(unsigned klass, uint32_t word)
{
    uint32_t left = heap_slabs(klass) - word * TERN_BLOCK_SLABS;

    return left >= TERN_BLOCK_SLABS ? UINT32_MAX : (1u << left) - 1;
}

static uint64_t round_up(uint64_t bytes)
{
    return (bytes + HEAP_ALIGN - 1) / HEAP_ALIGN * HEAP_ALIGN;
}

uint32_t heap_lay_out(uint64_t bytes, struct heap_head *head)
{
    uint64_t each = HEAP_BLOCK + HEAP_WORDS * HEAP_WORD + HEAP_WORD;
    uint64_t blocks = bytes < sizeof(*head) + HEAP_ALIGN ? 0
                                                         : (bytes - sizeof(*head) - HEAP_ALIGN) /
                                                               each;

    head->blocks = (uint32_t)blocks;
    head->headers = sizeof(*head);
    head->maps = round_up(head->headers + blocks * HEAP_WORD);
    head->starts = head->maps + blocks * HEAP_WORDS * HEAP_WORD;
    return head->blocks;
}
