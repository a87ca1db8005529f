/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of tables and task queues access no byte after their memory, which ends at an unmapped
 * page.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include <tern/table_shared.h>
#include <tern/tasks.h>

enum { ROOM = 1 << 20, LIFE = 3, SLAB = 256, BUCKETS_LOG2 = 2 };

static const struct tern_holder me = {.owner = 0x8001, .epoch = 5};

static size_t page(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

/* Returns `bytes` zero bytes (a multiple of 8) that end at an inaccessible page. */
static void *at_the_edge(size_t bytes)
{
    size_t room = (bytes + page() - 1) / page() * page();
    uint8_t *all =
        mmap(NULL, room + page(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    assert_true(all != MAP_FAILED);
    assert_int_equal(mprotect(all + room, page(), PROT_NONE), 0);
    return all + room - bytes;
}

static void a_sweep_of_tasks_ends_with_the_last_place(void **state)
{
    struct tern_worker worker = {
        .tasks = {.priorities = 2, .places = 40, .record_bytes = 24, .life = LIFE},
        .holder = me,
    };
    void *memory = at_the_edge(tern_tasks_bytes(&worker.tasks));
    uint64_t *seen = at_the_edge(tern_tasks_seen(&worker.tasks) * sizeof(*seen));
    struct tern_grace grace = {.begun = false};

    (void)state;
    assert_int_equal(tern_tasks_recover(&worker, memory, me), 0);
    assert_int_equal(tern_tasks_sweep(&worker, memory, &grace, seen), 0);
}

static void a_sweep_of_a_table_ends_with_the_last_bucket_and_slab(void **state)
{
    struct tern_table_shared table;
    struct tern_allocator allocator = {.holder = me};
    const struct tern_table_shape shape = {.log2_buckets = BUCKETS_LOG2, .sizes = 1,
                                           .size = {{SLAB, 1}}, .life = LIFE, .holder = me};
    struct tern_grace grace = {.begun = false};
    void *memory = at_the_edge(ROOM);
    size_t slabs;
    uint64_t *seen;

    (void)state;
    /* a table's memory is aligned to 64 and a multiple of 64 bytes long */
    assert_int_equal(tern_table_shared_init(&table, memory, ROOM, &shape), 0);
    tern_table_shared_at(&table, (struct tern_rptr){.w = {0}});
    slabs = tern_table_shared_slabs(&table);
    assert_true(slabs > 1000);
    seen = at_the_edge(slabs * sizeof(*seen));
    assert_int_equal(tern_table_shared_sweep(&allocator, &table, memory, &grace, seen), 0);
    for (size_t i = 0; i < slabs; i++)
        assert_int_equal(seen[i], 0);
}

/* A member's number; each time it is read, a client takes a slab. */
static struct tern_pace takes_meanwhile(void *words, unsigned place)
{
    (void)place;
    *(uint64_t *)words |= 1;
    return (struct tern_pace){me, 1};
}

/* If it read the numbers first, a slab taken after them would count as taken before. */
static void a_look_reads_the_words_first_and_the_numbers_last(void **state)
{
    struct tern_pace marks[1];
    struct tern_allocator allocator = {.holder = me};
    uint64_t *memory = at_the_edge(4096), seen[64] = {0};
    struct tern_grace grace = {.progress = {1, takes_meanwhile, NULL, memory}, .marks = marks};

    (void)state;
    assert_int_equal(tern_blocks_format(memory, 4096, SLAB, LIFE, &allocator.blocks), 0);
    assert_int_equal(tern_blocks_sweep(&allocator, memory, &grace, seen), 0);
    assert_int_equal(memory[0] & 1, 1);
    assert_int_equal(seen[0], 0);
    assert_int_equal(tern_blocks_sweep(&allocator, memory, &grace, seen), 0); /* the period is not
                                                                               * over */
    assert_int_equal(seen[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sweep_of_tasks_ends_with_the_last_place),
        cmocka_unit_test(a_look_reads_the_words_first_and_the_numbers_last),
        cmocka_unit_test(a_sweep_of_a_table_ends_with_the_last_bucket_and_slab),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
