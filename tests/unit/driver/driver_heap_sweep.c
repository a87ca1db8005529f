/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sweeps of a heap, look by look, with members that are stopped in each gap between two of their
 * operations; and the pool's looks between grace periods.  The operations of the server's NIC are
 * done here, on the heap's memory.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "owner.h"
#include "server.h"

enum { KLASS = 0, WORD = 3, SLAB = WORD * TERN_BLOCK_SLABS + 7, BYTES = 3 << 16 };

static const struct tern_holder member = {1, 9}, buried = {1, 8}, none = {0, 0};

/* ---- a pool with one member */

static struct lookers {
    struct tern_pool pool;
    struct tern_pool_service service;
    struct pool_ground *ground;
    unsigned looks;
    uint32_t during; /* by so much the member goes on during a look */
} lookers;

static int note_look(struct tern_pool_service *service, uint64_t period)
{
    (void)service;
    (void)period;
    lookers.looks++;
    pool_lease_of(lookers.ground, 0)->number += lookers.during;
    return 0;
}

static void open_pool(void)
{
    static uint64_t memory[4096 / 8];

    memset(memory, 0, sizeof(memory));
    lookers = (struct lookers){.ground = (struct pool_ground *)(void *)memory};
    lookers.ground->members = 1;
    lookers.ground->leases = 2048;
    lookers.pool.ground = lookers.ground;
    lookers.service.look = note_look;
    lookers.pool.services = &lookers.service;
    lookers.ground->seats[0] = (struct pool_seat){.state = SEAT_LIVE, .epoch = 9};
    assert_int_equal(pool_looks_open(&lookers.pool), 0);
}

/* ---- a heap of one block, and the NIC of its server */

static struct heap {
    struct heap_owner owner;
} heap;

static uint64_t *word_at(uint64_t offset)
{
    return (uint64_t *)(void *)(heap.owner.memory + offset);
}

/* Linked in place of the functions of words.c and blocks.c. */
int heap_swap_if(struct heap_owner *o, uint64_t offset, uint64_t compare, uint64_t compare_mask,
                 uint64_t swap, uint64_t *before)
{
    uint64_t *word = word_at(offset);

    assert_ptr_equal(o, &heap.owner);
    if (before)
        *before = *word;
    if (!((*word ^ compare) & compare_mask))
        *word = swap;
    return 0;
}

int heap_clear_at(struct heap_owner *o, uint64_t offset, uint32_t bits, uint32_t frees)
{
    uint64_t *word = word_at(offset);

    assert_ptr_equal(o, &heap.owner);
    if ((heap_map_bits(*word) & bits) == bits)
        *word += heap_map(0, frees, 0) - bits;
    return 0;
}

int heap_discount(struct heap_owner *o, uint32_t block, uint32_t by)
{
    uint64_t *word = word_at(heap_header_at(o, block));

    *word = heap_count(*word, heap_unpack(*word).used - by);
    return 0;
}

int heap_big_free(struct heap_owner *o, uint32_t block, uint64_t own)
{
    (void)o;
    (void)block;
    (void)own;
    return 0;
}

static void set_header(uint16_t used, bool counted)
{
    const struct heap_block header = {.klass = KLASS, .state = BLOCK_SLABS, .used = used,
                                      .counted = counted};

    *word_at(heap_header_at(&heap.owner, 0)) = heap_pack(header);
}

static int set_up(void **state)
{
    struct heap_head head;

    (void)state;
    memset(&heap, 0, sizeof(heap));
    open_pool();
    heap.owner.pool = &lookers.pool;
    heap.owner.memory = aligned_alloc(HEAP_ALIGN, BYTES);
    assert_non_null(heap.owner.memory);
    memset(heap.owner.memory, 0, BYTES);
    assert_int_equal(heap_lay_out(BYTES / 2, &head), 1);
    heap.owner.head = (struct heap_head *)(void *)heap.owner.memory;
    *heap.owner.head = head;
    for (uint32_t w = 0; w < HEAP_WORDS; w++)
        *word_at(heap_map_at(&heap.owner, 0, w)) =
            heap_map(0, 0, w < heap_words(KLASS) ? ~heap_valid(KLASS, w) : UINT32_MAX);
    set_header(0, false);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(heap.owner.suspects);
    free(heap.owner.memory);
    free(lookers.pool.grace.marks);
    return 0;
}

/* ---- what members do, one operation at a time */

static uint64_t *map(void)
{
    return word_at(heap_map_at(&heap.owner, 0, WORD));
}

static bool is_taken(void)
{
    return heap_map_bits(*map()) >> SLAB % TERN_BLOCK_SLABS & 1;
}

static void take(void)
{
    *map() |= UINT64_C(1) << SLAB % TERN_BLOCK_SLABS;
}

static void own(uint32_t generation, struct tern_holder holder)
{
    *word_at(heap_block_at(&heap.owner, 0) + SLAB * HEAP_WORD) = heap_own(generation, holder);
}

static void look(uint64_t period)
{
    assert_int_equal(heap_sweep(&heap.owner.service, period), 0);
}

/* ---- rule 3 */

static void a_slab_without_an_owner_is_freed_at_the_third_look_two_grace_periods_later(void **state)
{
    (void)state;
    take();
    look(1);
    look(2);
    assert_true(is_taken());
    look(3);
    assert_false(is_taken());
}

static void looks_after_deaths_in_one_period_count_as_one(void **state)
{
    (void)state;
    take();
    for (unsigned i = 0; i < 9; i++)
        look(1);
    assert_true(is_taken());
    look(2);
    look(2);
    assert_true(is_taken());
    look(3);
    assert_false(is_taken());
}

/*
 * A member gives the slab back and is stopped before the sum; goes on; another one takes it and is
 * stopped before its owner word; each time there is a look.
 */
static void a_slab_that_changes_hands_between_looks_is_not_freed(void **state)
{
    (void)state;
    take();
    own(1, none); /* half given back */
    look(1);
    (void)heap_clear_at(&heap.owner, heap_map_at(&heap.owner, 0, WORD),
                        1u << SLAB % TERN_BLOCK_SLABS, 1);
    take();
    look(2); /* the same owner word */
    assert_true(is_taken());
    own(2, member);
    look(3);
    assert_true(is_taken());
    own(3, none); /* half given back once more: the looks begin anew */
    look(4);
    look(5);
    assert_true(is_taken());
    look(6);
    assert_false(is_taken());
}

static void a_slab_whose_owner_word_has_changed_is_looked_at_anew(void **state)
{
    (void)state;
    take();
    own(1, none);
    look(1);
    look(2);
    own(2, none);
    look(3);
    look(4);
    assert_true(is_taken());
    look(5);
    assert_false(is_taken());
}

static void a_free_slab_in_between_makes_the_looks_begin_anew(void **state)
{
    (void)state;
    take();
    look(1);
    look(2);
    (void)heap_clear_at(&heap.owner, heap_map_at(&heap.owner, 0, WORD),
                        1u << SLAB % TERN_BLOCK_SLABS, 1);
    look(3);
    take();
    look(4);
    look(5);
    assert_true(is_taken());
}

/* ---- rule 5 */

static void a_slab_that_is_handed_on_to_a_buried_member_is_freed_by_the_next_look(void **state)
{
    (void)state;
    take();
    own(1, member);
    look(1);
    assert_true(is_taken());
    own(1, buried); /* who died before look 1, at which it had nothing */
    look(1);
    assert_false(is_taken());
}

static void generations_of_recovered_slabs_pass_those_of_a_stock(void **state)
{
    (void)state;
    take();
    own(1, buried);
    look(1);
    assert_true(heap_map_generation(*map()) >= HEAP_AHEAD);
    look(2);
    assert_false(is_taken());
}

/* ---- headers */

static void a_count_that_is_too_high_is_set_right_at_the_third_look(void **state)
{
    uint64_t *header = word_at(heap_header_at(&heap.owner, 0));

    (void)state;
    set_header(3, true);
    look(1);
    look(2);
    assert_int_equal(heap_unpack(*header).used, 3);
    look(3);
    assert_int_equal(heap_unpack(*header).used, 0);
}

/* At each look another member is between the header and the map. */
static void a_header_that_counts_up_and_down_between_looks_is_left_alone(void **state)
{
    uint64_t *header = word_at(heap_header_at(&heap.owner, 0));

    (void)state;
    set_header(0, true);
    for (uint64_t period = 1; period < 9; period++) {
        *header = heap_count(*header, 1);
        look(period);
        assert_int_equal(heap_unpack(*header).used, 1);
        *header = heap_count(*header, 0);
    }
}

/* ---- rule 2: the pool's looks */

static unsigned looks_after(uint32_t steps)
{
    pool_lease_of(lookers.ground, 0)->number += steps;
    assert_int_equal(pool_look(&lookers.pool), 0);
    return lookers.looks;
}

static void a_grace_period_takes_three_numbers_of_each_member(void **state)
{
    (void)state;
    open_pool();
    assert_int_equal(looks_after(0), 1);
    assert_int_equal(looks_after(1), 1);
    assert_int_equal(looks_after(1), 1);
    assert_int_equal(looks_after(1), 2);
    free(lookers.pool.grace.marks);
}

/* Its operations before these numbers may be the ones that the look has not seen. */
static void numbers_that_land_during_a_look_count_for_nothing(void **state)
{
    (void)state;
    open_pool();
    lookers.during = 3;
    assert_int_equal(looks_after(0), 1);
    lookers.during = 0;
    assert_int_equal(looks_after(0), 1);
    assert_int_equal(looks_after(3), 2);
    free(lookers.pool.grace.marks);
}

/* It stays in the list as long as its key may let something in. */
static void a_dying_member_ends_no_grace_period_before_it_is_drained(void **state)
{
    (void)state;
    open_pool();
    assert_int_equal(looks_after(0), 1);
    lookers.ground->seats[0].state = SEAT_DYING;
    assert_int_equal(looks_after(0), 1);
    lookers.ground->seats[0].state = SEAT_FREE;
    assert_int_equal(looks_after(0), 2);
    free(lookers.pool.grace.marks);
}

#define SWEPT(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SWEPT(a_slab_without_an_owner_is_freed_at_the_third_look_two_grace_periods_later),
        SWEPT(looks_after_deaths_in_one_period_count_as_one),
        SWEPT(a_slab_that_changes_hands_between_looks_is_not_freed),
        SWEPT(a_slab_whose_owner_word_has_changed_is_looked_at_anew),
        SWEPT(a_free_slab_in_between_makes_the_looks_begin_anew),
        SWEPT(a_slab_that_is_handed_on_to_a_buried_member_is_freed_by_the_next_look),
        SWEPT(generations_of_recovered_slabs_pass_those_of_a_stock),
        SWEPT(a_count_that_is_too_high_is_set_right_at_the_third_look),
        SWEPT(a_header_that_counts_up_and_down_between_looks_is_left_alone),
        cmocka_unit_test(a_grace_period_takes_three_numbers_of_each_member),
        cmocka_unit_test(numbers_that_land_during_a_look_count_for_nothing),
        cmocka_unit_test(a_dying_member_ends_no_grace_period_before_it_is_drained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
