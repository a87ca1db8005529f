/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A heap as it lies in a pool: a head, block headers side by side, 32 map words (MAP of the
 * contract) for each block, then the blocks.  A block begins with an owner word (OWN) for each
 * slab. A big object has a run of blocks, and one owner word.
 *
 * Offsets are those of the pool.
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
    HEAP_WORDS = 32,        /* map words of a block */
    HEAP_STEPS = 4,         /* classes of a doubling */
    HEAP_CLASSES = 37,
    HEAP_SLAB_MIN = 64,
    HEAP_BIG_HEAD = 64,     /* of a big object: its owner word */
    /*
     * A holder gives a slab out again itself, unseen by others, fewer than this many times
     * before it publishes the generation; a recovery of the slab jumps over so many.
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
    uint16_t used;   /* kept only if `counted`: at least the slabs taken */
    bool counted;    /* the literal path serves it */
    /* 31 bits.  BIG: blocks of it, on the first; 0 on the others.  SLABS: changes of `used`. */
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

/* Life above, frees below: the generation of what is taken from the word. */
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
 * Clears `bits` of a map word, all of which are set, and counts `frees` more, in one sum; without a
 * bit the sum would borrow from others, so it is done only if all are set.
 */
static inline struct tern_masked heap_clear(uint32_t bits, uint32_t frees)
{
    return (struct tern_masked){.compare = bits, .compare_mask = bits,
                                .swap = heap_map(0, frees, 0) - bits, .swap_mask = UINT64_MAX};
}

/* ---- classes.c */

/* Returns the class that holds `bytes`, or HEAP_CLASSES: it is a big object. */
unsigned heap_class_of(uint64_t bytes);
uint32_t heap_slab_bytes(unsigned klass);
/* Slabs of a block; its map words; the bytes before the first slab. */
uint32_t heap_slabs(unsigned klass);
uint32_t heap_words(unsigned klass);
uint32_t heap_slabs_begin(unsigned klass);
/* Bits of map word `word` that have a slab. */
uint32_t heap_valid(unsigned klass, uint32_t word);

/* Blocks of a heap of `bytes`, and where its parts begin, counted from the heap's start. */
uint32_t heap_lay_out(uint64_t bytes, struct heap_head *head);

/* ---- requests to the server: what a message carries, and the answer in its place */

enum heap_ask_kind { HEAP_ASK_BLOCK = 1, HEAP_ASK_BIG, HEAP_ASK_FREE };

struct heap_ask {
    uint32_t magic, kind;
    uint64_t heap;      /* its offset */
    uint64_t bytes;     /* BIG */
    uint32_t klass, counted; /* BLOCK */
    uint32_t block, generation; /* FREE; answer of BLOCK, BIG */
    int32_t status;     /* answer: negated */
    uint32_t rest;
    uint64_t header;    /* answer: of the block */
};

_Static_assert(sizeof(struct heap_head) == 64, "the head of a heap has 64 bytes");
_Static_assert(sizeof(struct heap_ask) <= TERN_POOL_ASK, "a request fits");

#endif
