/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues against a fake NIC: addresses and contents of words, and the order of posting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "fake_nic.h"
#include "tasks_steps.h"
#include "internal.h"
#include "slabs_inside.h"
#include "taskwords.h"

enum { WAIT_MS = 60000, LIFE = 3, PLACES = 40, WORDS = 4, RECORD = 24 };

static const struct tern_tasks form = {
    .priorities = 2, .places = PLACES, .record_bytes = RECORD, .life = LIFE};

static void places_have_words_of_their_own(void **state)
{
    uint64_t before = tern_task_place_at(&form, 0);

    (void)state;
    assert_int_equal(tern_tasks_words(&form), WORDS);
    assert_int_equal(before % 64, 0);
    assert_true(before >= tern_task_claim_at(&form, 2 * PLACES));
    for (uint32_t index = 0; index < 2 * PLACES; index++) {
        uint32_t word = tern_task_word(&form, index), bit = tern_task_bit(&form, index);

        assert_true(word < WORDS && bit < tern_task_places_of(&form, word));
        assert_int_equal(word / (WORDS / 2), index / PLACES);
        assert_int_equal(tern_task_index(&form, word, bit), index);
        assert_int_equal(tern_task_place_at(&form, index), before + (uint64_t)index * (RECORD + 8));
    }
    assert_int_equal(tern_tasks_bytes(&form), before + 2 * PLACES * (RECORD + 8));
}

static void words_say_what_was_put_in(void **state)
{
    const struct tern_task_state task = {0xfedcba98, 0xabcd, true};
    const struct tern_task run = {.generation = 0x12345678, .attempt = 0x1ff, .renewals = 0xee};
    struct tern_task_state read = tern_task_state_read(tern_task_state_word(task));
    struct tern_task_claim claim =
        tern_task_claim_read(tern_task_claim_word((struct tern_holder){0x8001, 0xc003}, &run));

    (void)state;
    assert_int_equal(read.generation, task.generation);
    assert_int_equal(read.attempt, task.attempt);
    assert_true(read.live);
    assert_int_equal(claim.generation, 0x5678);
    assert_int_equal(claim.attempt, 0xff);
    assert_int_equal(claim.renewals, 0xee);
    assert_int_equal(claim.holder.owner, 0x8001);
    assert_int_equal(claim.holder.epoch, 0xc003);
    assert_int_equal(tern_task_lowest(0xf0f0, 5), 0x10f0);
    assert_int_equal(tern_task_lowest(3, 9), 3);
}

/* ---- posted operations */

struct bench {
    struct fake_nic nic;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_tasks tasks;
    uint64_t memory[1024] __attribute__((aligned(64)));
};

static int set_up(void **state)
{
    struct bench *b = aligned_alloc(64, (sizeof(*b) + 63) / 64 * 64);

    memset(b, 0, sizeof(*b));
    fake_nic_init(&b->nic);
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device), 0);
    assert_int_equal(tern_cq_create(b->device, 6, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, 6, &b->sq), 0);
    assert_int_equal(tern_register(b->device, b->memory, sizeof(b->memory),
                                   TERN_RIGHT_REMOTE_ATOMIC, &b->region),
                     0);
    b->tasks = form;
    b->tasks.start = tern_region_pointer(b->region, 0);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    fake_nic_stop(&b->nic); /* stops first: its thread may still access the memory */
    tern_close(b->device);
    free(b);
    return 0;
}

static struct tern_completion next(struct bench *b)
{
    struct tern_completion completion;

    do
        assert_int_equal(tern_cq_wait(b->cq, WAIT_MS), 0);
    while (tern_cq_poll(b->cq, &completion, 1) == 0);
    return completion;
}

static void assert_operands(const struct bench *b, uint64_t compare, uint64_t compare_mask,
                            uint64_t swap, uint64_t swap_mask)
{
    const uint32_t *w = b->nic.last_atomic;

    assert_true(TERN_GET(ATO, compare, w) == compare);
    assert_true(TERN_GET(ATO, compare_mask, w) == compare_mask);
    assert_true(TERN_GET(ATO, swap, w) == swap);
    assert_true(TERN_GET(ATO, swap_mask, w) == swap_mask);
}

static void tasks_are_made_ready_behind_a_fence(void **state)
{
    const uint32_t wanted = 0x70, got = 0x50;
    const uint64_t life = tern_map_life(LIFE), every = tern_map_life(UINT8_MAX);
    struct bench *b = *state;
    struct tern_completion done;

    b->nic.word = life | 0x20;
    assert_int_equal(tern_tpush_post(b->sq, &b->tasks, 2, wanted, 0, 1), 0);
    done = next(b);
    assert_operands(b, life, every, wanted, wanted);
    assert_int_equal(
        tern_tpush_done(b->sq, &b->tasks, 2, wanted, &done, b->region, b->memory + 512, 0, 2), 2);
    assert_int_equal(next(b).context, 2);
    assert_operands(b, life | got, every | got, tern_map_frees(2) - got, UINT64_MAX);
    assert_true(TERN_GET(DESC, flags, b->nic.last_atomic) & TERN_DFLAG_FENCE);
    assert_int_equal(TERN_GET(DESC, remote_addr, b->nic.last_atomic), (uintptr_t)&b->memory[2]);
}

static void a_lease_is_renewed_behind_a_fence(void **state)
{
    const struct tern_holder me = {7, 1};
    struct tern_task task = {.index = 3, .generation = 1, .attempt = 1, .renewals = UINT8_MAX};
    struct bench *b = *state;
    struct tern_completion done;

    b->nic.word = tern_task_claim_word(me, &task);
    assert_int_equal(tern_trenew_post(b->sq, &b->tasks, me, &task, 0, 1), 0);
    done = next(b);
    assert_true(TERN_GET(DESC, flags, b->nic.last_atomic) & TERN_DFLAG_FENCE);
    assert_int_equal(tern_trenew_done(me, &task, &done), 0);
    assert_int_equal(task.renewals, 0);
    assert_true(TERN_GET(ATO, swap, b->nic.last_atomic) == tern_task_claim_word(me, &task));
    b->nic.word = 0;
    assert_int_equal(tern_trenew_post(b->sq, &b->tasks, me, &task, 0, 1), 0);
    done = next(b);
    assert_int_equal(tern_trenew_done(me, &task, &done), -TERN_ST_NOT_OWNER);
}

/* A full send queue refuses before anything is posted; the call can be repeated. */
static void a_queue_without_room_refuses_whole(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;
    struct tern_sq *small;

    assert_int_equal(tern_sq_create(b->cq, 2, &small), 0);
    b->nic.word = tern_map_life(LIFE);
    assert_int_equal(tern_tpush_post(b->sq, &b->tasks, 0, 0xff, 0, 1), 0);
    done = next(b);
    assert_int_equal(
        tern_tpush_done(small, &b->tasks, 0, 0xff, &done, b->region, b->memory + 512, 0, 2),
        -TERN_ST_AGAIN);
    assert_operands(b, tern_map_life(LIFE), tern_map_life(UINT8_MAX), 0xff, 0xff);
    assert_int_equal(
        tern_tpush_done(b->sq, &b->tasks, 0, 0xff, &done, b->region, b->memory + 512, 0, 2), 8);
    assert_int_equal(next(b).opcode, TERN_OP_ADD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_have_words_of_their_own),
        cmocka_unit_test(words_say_what_was_put_in),
        cmocka_unit_test_setup_teardown(tasks_are_made_ready_behind_a_fence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_lease_is_renewed_behind_a_fence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_queue_without_room_refuses_whole, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
