/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The layout of a heap in a pool: a head, the block headers, 32 map words (MAP of the contract) for
 * each block, then the blocks. A block begins with an owner word (OWN) for each slab. A big object
 * has a run of blocks, and one owner word.
 *
 * Offsets count from the start of the pool.
 */
#ifndef TERN_ALLOC_LAYOUT_H
#define TERN_ALLOC_LAYOUT_H

#include <tern/alloc.h>
#include <tern/atomic.h>

enum {
    HEAP_KIND = 0x70616568,
    HEAP_WORD = 8,
    HEAP_ALIGN = 64,
    HEAP_BLOCK = 1 << 16,
    HEAP_WORDS = 32,        /* map words per block */
    HEAP_STEPS = 4,         /* classes per doubling */
    HEAP_CLASSES = 37,
    HEAP_SLAB_MIN = 64,
    HEAP_BIG_HEAD = 64,     /* bytes for the owner word of a big object */
    /*
     * A holder may allocate a slab again itself, without telling others, fewer than this many times
     * before it publishes the generation; a recovery of the slab skips as many.
     */
    HEAP_AHEAD = 256,
};

struct heap_head {
    uint64_t magic;
    uint32_t blocks, rest;
    uint64_t headers, maps, starts;
    uint64_t rest_of_64[3];
};

enum heap_state { BLOCK_FREE, BLOCK_SLABS, BLOCK_BIG, BLOCK_BUSY };

/* A block header is one word. */
struct heap_block {
    uint8_t klass;   /* 6 bits */
    uint8_t state;   /* 2 bits */
    uint8_t life;
    uint16_t used;   /* if `counted`: at least the number of taken slabs */
    bool counted;    /* the literal path serves it */
    /*
     * 31 bits. Of a big object: its number of blocks in its first block, 0 in the others. Of a
     * block of slabs: counts the changes of `used`.
     */
    uint32_t run;
};

static inline uint64_t heap_pack(struct heap_block b)
{
    return (uint64_t)b.klass | (uint64_t)b.state << 6 | (uint64_t)b.life << 8 |
           (uint64_t)b.used << 16 | (b.counted ? UINT64_C(1) << 32 : 0) | (uint64_t)b.run << 33;
}

static inline struct heap_block heap_unpack(uint64_t word)
{
    return (struct heap_block){
        .klass = word & 63, .state = word >> 6 & 3, .life = (uint8_t)(word >> 8),
        .used = (uint16_t)(word >> 16), .counted = word >> 32 & 1, .run = (uint32_t)(word >> 33)};
}

/* The header with another `used`: a different word each time, even if a number comes again. */
static inline uint64_t heap_count(uint64_t word, uint32_t used)
{
    struct heap_block b = heap_unpack(word);

    b.used = (uint16_t)used;
    b.run++;
    return heap_pack(b);
}

/* ---- words of the contract */

static inline uint64_t heap_own(uint32_t generation, struct tern_holder holder)
{
    uint32_t w[2] = {0};

    TERN_SET(OWN, generation, w, generation);
    TERN_SET(OWN, owner, w, holder.owner);
    TERN_SET(OWN, epoch, w, holder.epoch);
    return w[0] | (uint64_t)w[1] << 32;
}

static inline uint32_t heap_own_generation(uint64_t own)
{
    const uint32_t w[2] = {(uint32_t)own, (uint32_t)(own >> 32)};

    return (uint32_t)TERN_GET(OWN, generation, w);
}

static inline struct tern_holder heap_own_holder(uint64_t own)
{
    const uint32_t w[2] = {(uint32_t)own, (uint32_t)(own >> 32)};

    return (struct tern_holder){(uint16_t)TERN_GET(OWN, owner, w),
                                (uint16_t)TERN_GET(OWN, epoch, w)};
}

static inline uint64_t heap_map(uint8_t life, uint32_t frees, uint32_t bits)
{
    uint32_t w[2] = {bits, 0};

    TERN_SET(MAP, life, w, life);
    TERN_SET(MAP, frees, w, frees);
    return w[0] | (uint64_t)w[1] << 32;
}

static inline uint32_t heap_map_bits(uint64_t map)
{
    return (uint32_t)map;
}

/* Returns the generation of slabs taken from the word: the life above the count of frees. */
static inline uint32_t heap_map_generation(uint64_t map)
{
    const uint32_t w[2] = {(uint32_t)map, (uint32_t)(map >> 32)};

    return (uint32_t)(TERN_GET(MAP, life, w) << TERN_MAP_frees_BITS | TERN_GET(MAP, frees, w));
}

static inline uint8_t heap_life_of(uint32_t generation)
{
    return (uint8_t)(generation >> TERN_MAP_frees_BITS);
}

/*
 * Builds one sum that clears `bits` of a map word and raises its count of frees by `frees`. It
 * takes effect only if all bits are set; otherwise the sum would borrow from others.
 */
static inline struct tern_masked heap_clear(uint32_t bits, uint32_t frees)
{
    return (struct tern_masked){.compare = bits, .compare_mask = bits,
                                .swap = heap_map(0, frees, 0) - bits, .swap_mask = UINT64_MAX};
}

/* ---- classes.c */

/* Returns the class for `bytes`; HEAP_CLASSES: a big object. */
unsigned heap_class_of(uint64_t bytes);
uint32_t heap_slab_bytes(unsigned klass);
/* Return the slabs of a block, its map words, and the bytes before the first slab. */
uint32_t heap_slabs(unsigned klass);
uint32_t heap_words(unsigned klass);
uint32_t heap_slabs_begin(unsigned klass);
/* Returns the bits of map word `word` that have a slab. */
uint32_t heap_valid(unsigned klass, uint32_t word);

/*
 * Returns the blocks of a heap of `bytes`, and fills in where its parts begin, from the start of
 * the heap.
 */
uint32_t heap_lay_out(uint64_t bytes, struct heap_head *head);

/* ---- requests to the server: a message, overwritten with the answer */

enum heap_ask_kind { HEAP_ASK_BLOCK = 1, HEAP_ASK_BIG, HEAP_ASK_FREE };

struct heap_ask {
    uint32_t magic, kind;
    uint64_t heap;      /* offset of the heap */
    uint64_t bytes;     /* BIG */
    uint32_t klass, counted; /* BLOCK */
    uint32_t block, generation; /* for FREE; in answers to BLOCK and BIG */
    int32_t status;     /* in the answer: negated status */
    uint32_t rest;
    uint64_t header;    /* in the answer: of the block */
};

_Static_assert(sizeof(struct heap_head) == 64, "the head of a heap has 64 bytes");
_Static_assert(sizeof(struct heap_ask) <= TERN_POOL_ASK, "a request fits");

#endif
