/* SPDX-License-Identifier: Apache-2.0 */
/* The server of a run of pauses: a heap, slabs and a table in one pool, and their sweeps. */
#include <stdlib.h>
#include <string.h>

#include "pauses.h"

struct pause_board *pauses_board;

static const struct tern_holder table_holder = {0xfffe, 1}, nobody = {0xffff, 1};

/* Slabs and a table, swept between the grace periods of the pool. */
static struct sweeping {
    struct tern_pool_service service; /* first */
    struct tern_pool *pool;
    uint64_t period;
    struct tern_blocks blocks;
    struct tern_table_shared table;
    uint8_t *slabs, *records;
    struct tern_grace slab_grace, table_grace;
    struct tern_pace marks[2];
    uint64_t *seen_slabs, *seen_records;
    uint64_t lonely, empty; /* periods, plus one: no member is left; nor is a slab taken */
} sweeping;

/* One member, whose number goes on by a grace period with each of the pool's. */
static struct tern_pace pace(void *of, unsigned place)
{
    (void)place;
    return (struct tern_pace){.holder = nobody,
                              .number = 3 * (uint32_t)((const struct sweeping *)of)->period};
}

static bool knows(void *of, struct tern_holder holder)
{
    return tern_pool_has(((struct sweeping *)of)->pool, holder);
}

static int taken_of_heap(struct tern_pool *pool);
static int taken_of_blocks(const void *memory, const struct tern_blocks *blocks);

/* Notes in which periods the last member was buried, and its last slab was free. */
static void note_end(struct sweeping *s, uint64_t period)
{
    struct tern_pool_counts counts;

    tern_pool_counts(s->pool, &counts);
    if (!atomic_load(&pauses_board->ending) || counts.live)
        return;
    if (!s->lonely)
        s->lonely = period + 1;
    if (!s->empty && taken_of_heap(s->pool) + taken_of_blocks(s->slabs, &s->blocks) == 0)
        s->empty = period + 1;
}

static int look(struct tern_pool_service *service, uint64_t period)
{
    struct sweeping *s = (struct sweeping *)(void *)service;
    struct tern_allocator a = {.blocks = s->blocks, .holder = nobody,
                               .sq = tern_pool_queue(s->pool), .timeout_ms = POOL_WAIT_MS};
    int status;

    __atomic_store_n(&s->period, period, __ATOMIC_RELAXED);
    status = tern_blocks_sweep(&a, s->slabs, &s->slab_grace, s->seen_slabs);
    if (status < 0)
        return status;
    a.holder = table_holder;
    status = tern_table_shared_sweep(&a, &s->table, s->records, &s->table_grace, s->seen_records);
    note_end(s, period);
    return status < 0 ? status : 0;
}

/* A member asks whether another is one now. */
static bool asked(struct tern_pool_service *service, struct tern_holder holder, void *words)
{
    struct pause_question question;

    (void)holder;
    memcpy(&question, words, sizeof(question));
    if (question.magic != PAUSE_MAGIC)
        return false;
    question.has = tern_pool_has(((struct sweeping *)(void *)service)->pool, question.holder);
    memcpy(words, &question, sizeof(question));
    return true;
}

static void find_all(struct sweeping *s, struct pause_board *board)
{
    uint8_t *memory = tern_pool_memory(s->pool, NULL);

    s->slabs = memory + board->slabs_at;
    s->records = memory + board->table_at;
    s->blocks = board->blocks;
    s->table = board->table;
}

static uint64_t make(struct tern_pool *pool, const char *name, size_t bytes)
{
    struct tern_pool_object object;

    gives(tern_pool_make(pool, name, 7, bytes, &object), 0, "tern_pool_make");
    gives(tern_pool_publish(pool, &object), 0, "tern_pool_publish");
    return object.offset;
}

static void make_slabs(struct sweeping *s, struct pause_board *board)
{
    board->slabs_at = make(s->pool, "slabs", PAUSE_SLABS_BYTES);
    gives(tern_blocks_format((uint8_t *)tern_pool_memory(s->pool, NULL) + board->slabs_at,
                             PAUSE_SLABS_BYTES, PAUSE_SLAB, 1, &board->blocks),
          0, "tern_blocks_format");
}

static void make_table(struct sweeping *s, struct pause_board *board)
{
    board->shape = (struct tern_table_shape){
        .log2_buckets = 1, .sizes = 1, .size = {{PAUSE_RECORD, 1}}, .life = 1,
        .holder = table_holder, .secret = {.key = {17, 4}, .bits = 3}};
    board->table_at = make(s->pool, "table", PAUSE_TABLE_BYTES);
    gives(tern_table_shared_init(&board->table,
                                 (uint8_t *)tern_pool_memory(s->pool, NULL) + board->table_at,
                                 PAUSE_TABLE_BYTES, &board->shape),
          0, "tern_table_shared_init");
}

void pauses_begin(struct tern_pool *pool, bool adopted)
{
    struct sweeping *s = &sweeping;
    const struct tern_progress progress = {1, pace, knows, s};
    struct tern_pool_object heap;

    pauses_board->began = pauses_messages();
    gives(tern_heap_make(pool, "heap", PAUSE_HEAP), 0, "tern_heap_make");
    gives(tern_pool_find(pool, "heap", &heap), 0, "tern_pool_find");
    pauses_board->heap_start = heap.offset;
    s->pool = pool;
    if (!adopted) {
        make_slabs(s, pauses_board);
        make_table(s, pauses_board);
    }
    find_all(s, pauses_board);
    s->blocks.start = tern_pool_rptr(pool, pauses_board->slabs_at);
    tern_table_shared_at(&s->table, tern_pool_rptr(pool, pauses_board->table_at));
    s->seen_slabs = calloc(s->blocks.slabs, sizeof(uint64_t));
    s->seen_records = calloc(tern_table_shared_slabs(&s->table), sizeof(uint64_t));
    gives(s->seen_slabs && s->seen_records, true, "memory");
    s->slab_grace = (struct tern_grace){.progress = progress, .marks = &s->marks[0]};
    s->table_grace = (struct tern_grace){.progress = progress, .marks = &s->marks[1]};
    s->service = (struct tern_pool_service){.look = look, .asked = asked};
    tern_pool_attach(pool, &s->service);
}

/* ---- what is taken */

static int taken_of_heap(struct tern_pool *pool)
{
    struct tern_heap_class one;
    int sum = 0;

    for (unsigned i = 0; tern_heap_class(pool, "heap", i, &one) == 0; i++)
        sum += (int)one.taken;
    return sum;
}

/* Bits of the map words, but for slabs that are not there. */
static int taken_of_blocks(const void *memory, const struct tern_blocks *blocks)
{
    const uint32_t *map = memory;
    uint32_t words = tern_blocks_words(blocks);
    int count = -(int)(words * TERN_BLOCK_SLABS - blocks->slabs);

    for (uint32_t i = 0; i < words; i++)
        count += __builtin_popcount(__atomic_load_n(&map[(size_t)i * 2], __ATOMIC_RELAXED));
    return count;
}

static int taken_of_table(const struct sweeping *s)
{
    int sum = 0;

    for (unsigned i = 0; i <= s->table.sizes; i++) {
        const struct tern_blocks *blocks = &s->table.blocks[i];
        uint64_t at = TERN_GET(RPTR, addr, blocks->start.w) -
                      TERN_GET(RPTR, addr, s->table.pointer.start.w);

        sum += taken_of_blocks(s->records + at, blocks);
    }
    return sum;
}

int pauses_word(struct tern_pool *pool, char word)
{
    switch (word) {
    case 'h':
        return taken_of_heap(pool);
    case 's':
        return taken_of_blocks(sweeping.slabs, &sweeping.blocks);
    case 't':
        return taken_of_table(&sweeping);
    case 'e':
        return sweeping.empty ? (int)(sweeping.empty - sweeping.lonely) : -1;
    default:
        return tern_pool_has(pool, pauses_board->asked);
    }
}
