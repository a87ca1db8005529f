/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Blocks: gives them a class, finds one with room, empties them for another class, joins them for
 * big objects. The server does this on request; members go on with other slabs meanwhile.
 */
#include <string.h>

#include "owner.h"

static struct heap_block block_of(const struct heap_owner *o, uint32_t block)
{
    return heap_unpack(heap_word_at(o, heap_header_at(o, block)));
}

/* Counts the taken slabs by the map. */
static uint32_t taken_of(const struct heap_owner *o, uint32_t block, unsigned klass)
{
    uint32_t taken = 0;

    for (uint32_t w = 0; w < heap_words(klass); w++)
        taken += (uint32_t)__builtin_popcount(
            heap_map_bits(heap_word_at(o, heap_map_at(o, block, w))) & heap_valid(klass, w));
    return taken;
}

/*
 * Tells whether a block has room: at least a quarter of its slabs is free or, if it has few slabs,
 * one.
 */
static bool has_room(const struct heap_owner *o, uint32_t block, const struct heap_block *b)
{
    uint32_t slabs = heap_slabs(b->klass), taken = taken_of(o, block, b->klass);

    if (b->counted && b->used > taken)
        taken = b->used;
    return taken < slabs && taken <= slabs - (slabs + 3) / 4;
}

/* Opens a block that no member can take from: writes its map words, then its header. */
static int open_block(struct heap_owner *o, uint32_t block, unsigned klass, bool counted,
                      uint8_t life)
{
    struct heap_block header = {.klass = (uint8_t)klass, .state = BLOCK_SLABS, .life = life,
                                .counted = counted};
    int status = 0;

    memset(o->memory + heap_block_at(o, block), 0, heap_slabs(klass) * HEAP_WORD);
    for (uint32_t w = 0; !status && w < HEAP_WORDS; w++) {
        uint32_t valid = w < heap_words(klass) ? heap_valid(klass, w) : 0;

        status = heap_set(o, heap_map_at(o, block, w), heap_map(life, 0, ~valid));
    }
    return status ? status : heap_set(o, heap_header_at(o, block), heap_pack(header));
}

/* Sets all bits of a map word if no slab of it is taken. Returns 1; 0: one is taken. */
static int close_word(struct heap_owner *o, uint32_t block, unsigned klass, uint32_t w,
                      uint8_t life)
{
    uint32_t valid = heap_valid(klass, w);
    uint64_t at = heap_map_at(o, block, w), before = 0;
    uint64_t empty = heap_map(life, 0, ~valid), alike = heap_map(UINT8_MAX, 0, UINT32_MAX);
    int status = heap_swap_if(o, at, empty, alike, heap_map(life, 0, UINT32_MAX), &before);

    return status ? status : (before & alike) == (empty & alike);
}

/* Restores the closed words and the header. */
static int reopen(struct heap_owner *o, uint32_t block, const struct heap_block *header,
                  uint32_t words)
{
    int status = 0;

    for (uint32_t w = 0; !status && w < words; w++)
        status = heap_clear_at(o, heap_map_at(o, block, w), heap_valid(header->klass, w), 1);
    return status ? status : heap_set(o, heap_header_at(o, block), heap_pack(*header));
}

/*
 * Makes an empty block free; then no slab of it can be taken. Returns 1; 0: it is not empty, and is
 * unchanged. While it is BUSY members may still take slabs of it, so after a crash the next server
 * opens it again (heap_mend()).
 */
static int close_block(struct heap_owner *o, uint32_t block)
{
    uint64_t at = heap_header_at(o, block), word = heap_word_at(o, at), before = 0;
    struct heap_block header = heap_unpack(word), busy = header;
    int status;

    if (header.state != BLOCK_SLABS || header.used || taken_of(o, block, header.klass))
        return 0;
    busy.state = BLOCK_BUSY;
    status = heap_swap_if(o, at, word, UINT64_MAX, heap_pack(busy), &before);
    if (status || before != word)
        return status;
    for (uint32_t w = 0; w < heap_words(header.klass); w++) {
        status = close_word(o, block, header.klass, w, header.life);
        if (status == 1)
            continue;
        return status ? status : reopen(o, block, &header, w);
    }
    status = heap_set(o, at, heap_pack((struct heap_block){.life = header.life}));
    return status ? status : 1;
}

/* Finds a free block, or empties one. Returns 1; 0: there is none. */
static int free_block(struct heap_owner *o, uint32_t *block)
{
    for (uint32_t b = 0; b < o->head->blocks; b++)
        if (block_of(o, b).state == BLOCK_FREE) {
            *block = b;
            return 1;
        }
    for (uint32_t b = 0; b < o->head->blocks; b++) {
        int status = close_block(o, b);

        *block = b;
        if (status)
            return status;
    }
    return 0;
}

int heap_block_for(struct heap_owner *o, unsigned klass, bool counted, uint32_t *block)
{
    int status;

    for (uint32_t b = 0; b < o->head->blocks; b++) {
        struct heap_block header = block_of(o, b);

        if (header.state == BLOCK_SLABS && header.klass == klass && header.counted == counted &&
            has_room(o, b, &header)) {
            *block = b;
            return 0;
        }
    }
    status = free_block(o, block);
    if (status <= 0)
        return status ? status : -TERN_ST_FULL;
    return open_block(o, *block, klass, counted, (uint8_t)(block_of(o, *block).life + 1));
}

/* ---- big objects */

static uint32_t run_of(uint64_t bytes)
{
    return (uint32_t)((bytes + HEAP_BIG_HEAD + HEAP_BLOCK - 1) / HEAP_BLOCK);
}

/* Makes empty blocks free, then finds the first run of free blocks. */
static bool find_run(const struct heap_owner *o, uint32_t run, uint32_t *first)
{
    uint32_t found = 0;

    for (uint32_t b = 0; b < o->head->blocks && found < run; b++) {
        found = block_of(o, b).state == BLOCK_FREE ? found + 1 : 0;
        *first = b + 1 - found;
    }
    return found >= run;
}

/* Makes every empty block free. */
static int empty_out(struct heap_owner *o)
{
    for (uint32_t b = 0; b < o->head->blocks; b++) {
        int status = close_block(o, b);

        if (status < 0)
            return status;
    }
    return 0;
}

static int set_block(struct heap_owner *o, uint32_t block, enum heap_state state, uint32_t run)
{
    struct heap_block header = {.state = (uint8_t)state, .run = run,
                                .life = (uint8_t)(block_of(o, block).life +
                                                  (state == BLOCK_BIG))};

    return heap_set(o, heap_header_at(o, block), heap_pack(header));
}

/*
 * Writes the first block last to begin a run, and first to end it: after a crash the blocks in
 * between belong to no run, and the next server frees them.
 */
static int begin_run(struct heap_owner *o, uint32_t first, uint32_t run)
{
    int status = 0;

    for (uint32_t b = first + run; !status && b-- > first;)
        status = set_block(o, b, BLOCK_BIG, b == first ? run : 0);
    return status;
}

static int end_run(struct heap_owner *o, uint32_t first, uint32_t run)
{
    int status = 0;

    for (uint32_t b = first; !status && b < first + run; b++)
        status = set_block(o, b, BLOCK_FREE, 0);
    return status;
}

int heap_big_take(struct heap_owner *o, uint64_t bytes, struct tern_holder holder, uint32_t *block,
                  uint32_t *generation)
{
    uint32_t run = run_of(bytes);
    int status = 0;

    if (bytes > (uint64_t)o->head->blocks * HEAP_BLOCK - HEAP_BIG_HEAD)
        return -TERN_ST_BAD_SIZE;
    if (!find_run(o, run, block)) {
        status = empty_out(o);
        if (!status && !find_run(o, run, block))
            status = -TERN_ST_FULL;
    }
    if (status)
        return status;
    *generation = heap_map_generation(
        heap_map((uint8_t)(block_of(o, *block).life + 1), 0, 0));
    status = heap_set(o, heap_block_at(o, *block), heap_own(*generation, holder));
    return status ? status : begin_run(o, *block, run);
}

int heap_big_free(struct heap_owner *o, uint32_t block, uint64_t own)
{
    struct heap_block header = block_of(o, block);
    uint64_t before = 0;
    int status;

    if (header.state != BLOCK_BIG || header.run == 0)
        return -TERN_ST_STALE_POINTER;
    status = heap_swap_if(o, heap_block_at(o, block), own, UINT64_MAX,
                          heap_own(heap_own_generation(own) + 1, (struct tern_holder){0, 0}),
                          &before);
    if (status)
        return status;
    if (before != own && heap_own_holder(before).owner == 0)
        return -TERN_ST_NOT_TAKEN;
    if (before != own)
        return heap_own_generation(before) != heap_own_generation(own) ? -TERN_ST_STALE_POINTER
                                                                       : -TERN_ST_NOT_OWNER;
    return end_run(o, block, header.run);
}

void heap_mend(struct heap_owner *o)
{
    uint32_t run = 0;

    for (uint32_t b = 0; b < o->head->blocks; b++) {
        uint64_t *word = (uint64_t *)(void *)(o->memory + heap_header_at(o, b));
        struct heap_block header = heap_unpack(*word);

        if (header.state == BLOCK_BUSY)
            header.state = BLOCK_SLABS;
        if (header.state == BLOCK_BIG && header.run)
            run = header.run;
        if (header.state == BLOCK_BIG && run == 0)
            header = (struct heap_block){.life = header.life};
        run -= run > 0;
        *word = heap_pack(header);
    }
}
