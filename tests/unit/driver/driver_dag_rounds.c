/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rounds of a worker of graphs, with a NIC that answers late: a round that was given up has no part
 * in the next one. The functions of the library that a round calls are here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tern/group.h>

#include "run.h"

enum { POSTS = 16 };

static struct nic {
    uint64_t context[POSTS];  /* of each post, in their order */
    unsigned posts, answered; /* answered: completions that were polled */
    unsigned answers;         /* posts whose completions may be polled */
    uint64_t now;
} nic;

static struct dag_home home;
static struct tern_run run;
static uint64_t memory[8];

static int post(uint64_t context)
{
    assert_true(nic.posts < POSTS);
    nic.context[nic.posts++] = context;
    return 0;
}

/* ---- in place of the library */

int tern_compare_swap_masked(struct tern_sq *sq, struct tern_rptr at,
                             const struct tern_masked *masked, unsigned flags, uint64_t context)
{
    (void)sq, (void)at, (void)masked, (void)flags;
    return post(context);
}

int tern_take(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked,
              unsigned flags, uint64_t context)
{
    return tern_compare_swap_masked(sq, at, masked, flags, context);
}

int tern_fetch_add(struct tern_sq *sq, struct tern_rptr at, uint64_t add, unsigned flags,
                   uint64_t context)
{
    (void)sq, (void)at, (void)add, (void)flags;
    return post(context);
}

int tern_put_inline(struct tern_sq *sq, struct tern_rptr to, const void *from, uint32_t bytes,
                    unsigned flags, uint64_t context)
{
    (void)sq, (void)to, (void)from, (void)bytes, (void)flags;
    return post(context);
}

int tern_bcast_inline(struct tern_sq *sq, struct tern_group *group, const void *from,
                      uint32_t bytes, uint64_t to_offset, unsigned flags, uint64_t context)
{
    (void)sq, (void)group, (void)from, (void)bytes, (void)to_offset, (void)flags;
    return post(context);
}

int tern_checkin(struct tern_sq *sq, struct tern_area_name area, uint16_t slot,
                 const uint64_t *value, unsigned flags, uint64_t context)
{
    (void)sq, (void)area, (void)slot, (void)value, (void)flags;
    return post(context);
}

int tern_read(struct tern_sq *sq, struct tern_rptr from, const struct tern_region *region,
              void *to, uint32_t bytes, unsigned flags, uint64_t context)
{
    (void)sq, (void)from, (void)region, (void)to, (void)bytes, (void)flags;
    return post(context);
}

bool tern_sq_room(const struct tern_sq *sq, unsigned count)
{
    (void)sq, (void)count;
    return true;
}

/* The value of a completion tells which post it belongs to. */
int tern_cq_poll_sized(struct tern_cq *cq, void *out, int max, size_t size)
{
    struct tern_completion done = {.status = TERN_ST_OK};

    (void)cq;
    assert_int_equal(max, 1);
    assert_int_equal(size, sizeof(done));
    if (nic.answered == nic.answers)
        return 0;
    done.context = nic.context[nic.answered];
    done.value = 100 + nic.answered++;
    memcpy(out, &done, sizeof(done));
    return 1;
}

int tern_cq_wait(struct tern_cq *cq, int timeout_ms)
{
    (void)cq;
    nic.now += (uint64_t)timeout_ms * 1000;
    return -TERN_ST_WAIT_EXPIRED;
}

struct tern_rptr tern_member_at(const struct tern_member *member, uint64_t offset)
{
    (void)member, (void)offset;
    return (struct tern_rptr){0};
}

uint16_t tern_member_node(const struct tern_member *member)
{
    (void)member;
    return 0;
}

unsigned tern_member_enter(struct tern_member *member)
{
    (void)member;
    return 0;
}

void tern_member_leave(struct tern_member *member, unsigned entered, int status)
{
    (void)member, (void)entered, (void)status;
}

/* ---- in place of base.c and graph.c */

int run_told(const struct dag_home *at, int status)
{
    (void)at;
    return status;
}

int run_renew(struct tern_run *r)
{
    (void)r;
    return 0;
}

uint64_t run_now_us(void)
{
    return nic.now;
}

bool graph_room(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
    void **at = array;

    (void)count;
    if (!*at)
        *at = calloc(POSTS, bytes);
    *room = POSTS;
    return *at != NULL;
}

/* ---- tests */

static void begin(void)
{
    nic = (struct nic){.now = 1};
    home = (struct dag_home){.copy = (uint8_t *)memory};
    free(run.round.ops);
    run = (struct tern_run){.homes = &home, .count = 1, .chunk = 512};
}

static int go(unsigned swaps)
{
    round_begin(&run);
    for (unsigned i = 0; i < swaps; i++)
        (void)round_swap(&run, 0, 8 * (uint64_t)i, 0, 1);
    return round_go(&run);
}

static void a_round_has_the_results_of_its_own_operations(void **state)
{
    (void)state;
    begin();
    nic.answers = 3;
    assert_int_equal(go(3), 0);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(round_old(&run, i), 100 + i);
}

static void operations_of_a_round_that_was_given_up_end_none_of_the_next(void **state)
{
    (void)state;
    begin();
    assert_int_equal(go(2), -TERN_ST_WAIT_EXPIRED);
    /* First the two old completions come, then those of the new round. */
    nic.answers = 4;
    assert_int_equal(go(2), 0);
    assert_int_equal(nic.answered, 4);
    assert_int_equal(round_old(&run, 0), 102);
    assert_int_equal(round_old(&run, 1), 103);
}

static void they_do_not_end_a_round_in_which_nothing_has_ended(void **state)
{
    (void)state;
    begin();
    assert_int_equal(go(2), -TERN_ST_WAIT_EXPIRED);
    nic.answers = 2;
    assert_int_equal(go(2), -TERN_ST_WAIT_EXPIRED);
    free(run.round.ops);
    run.round.ops = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_round_has_the_results_of_its_own_operations),
        cmocka_unit_test(operations_of_a_round_that_was_given_up_end_none_of_the_next),
        cmocka_unit_test(they_do_not_end_a_round_in_which_nothing_has_ended),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
