/* SPDX-License-Identifier: Apache-2.0 */
/* A heap at its server, for the files of this folder; the pool's lock protects all of it. */
#ifndef TERN_ALLOC_OWNER_H
#define TERN_ALLOC_OWNER_H

#include "layout.h"

/* A slab or block that may have no owner; `looks`: how many looks found the same word. */
struct heap_suspect {
    uint32_t block, slab; /* slab: HEAP_NO_SLAB for a header */
    uint64_t word;        /* the owner word; or the header */
    unsigned looks;
};

#define HEAP_NO_SLAB UINT32_MAX

struct heap_owner {
    struct tern_pool_service service; /* first */
    struct tern_pool *pool;
    struct tern_pool_object object;
    uint8_t *memory; /* of the whole pool */
    struct heap_head *head;
    uint64_t period;
    struct heap_suspect *suspects; /* ascending, in the order in which looks visit them */
    size_t count, room;
};

static inline uint64_t heap_header_at(const struct heap_owner *o, uint32_t block)
{
    return o->head->headers + (uint64_t)block * HEAP_WORD;
}

static inline uint64_t heap_map_at(const struct heap_owner *o, uint32_t block, uint32_t word)
{
    return o->head->maps + ((uint64_t)block * HEAP_WORDS + word) * HEAP_WORD;
}

static inline uint64_t heap_block_at(const struct heap_owner *o, uint32_t block)
{
    return o->head->starts + (uint64_t)block * HEAP_BLOCK;
}

/* Reads the word of the pool at `offset`, which NICs may be writing. */
static inline uint64_t heap_word_at(const struct heap_owner *o, uint64_t offset)
{
    return __atomic_load_n((uint64_t *)(void *)(o->memory + offset), __ATOMIC_ACQUIRE);
}

/* ---- words.c: operations through the server's NIC, which wait; `*before` is the old word */
int heap_swap_if(struct heap_owner *o, uint64_t offset, uint64_t compare, uint64_t compare_mask,
                 uint64_t swap, uint64_t *before);
int heap_set(struct heap_owner *o, uint64_t offset, uint64_t word);
/* Clears bits that are all set, as heap_clear(). */
int heap_clear_at(struct heap_owner *o, uint64_t offset, uint32_t bits, uint32_t frees);
/* Subtracts `by` from `used` of a counted block. */
int heap_discount(struct heap_owner *o, uint32_t block, uint32_t by);

/* ---- blocks.c */
/*
 * Finds a block of the class with free slabs, or gives the class to a free block, or to an empty
 * one of another class. FULL.
 */
int heap_block_for(struct heap_owner *o, unsigned klass, bool counted, uint32_t *block);
/* Takes a run of free blocks for a big object of `holder`.  FULL. */
int heap_big_take(struct heap_owner *o, uint64_t bytes, struct tern_holder holder, uint32_t *block,
                  uint32_t *generation);
/* Frees the run if the owner word is `own`. */
int heap_big_free(struct heap_owner *o, uint32_t block, uint64_t own);

/*
 * Completes what a crashed server was doing: opens blocks that it was closing (bits that it set
 * have no owner, so sweeps clear them), frees the blocks of unfinished runs.
 */
void heap_mend(struct heap_owner *o);

/* ---- sweep.c */
int heap_sweep(struct tern_pool_service *service, uint64_t period);

#endif
