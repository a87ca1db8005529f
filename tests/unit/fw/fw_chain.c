/* SPDX-License-Identifier: Apache-2.0 */
/* Chains: descriptors that run depending on the result of the one before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

#define WAS UINT64_C(0x8877665544332211)

enum { DECIDES = 1, LINKED = 2, STRICT = 4, STEP = DECIDES | LINKED | STRICT };

static struct rig rig;

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    return 0;
}

/* Checks the descriptor that failed a chain, and the one after it. */
static void cut_by(unsigned status)
{
    (void)rig_expect(&rig, status);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
}

static void nothing_more(void)
{
    rig_ticks(&rig, 3);
    assert_null(rig_poll(&rig.cq));
}

static void post(uint32_t *w, unsigned how)
{
    TERN_SET(DESC, decides, w, (how & DECIDES) != 0);
    TERN_SET(DESC, linked, w, (how & LINKED) != 0);
    TERN_SET(DESC, strict, w, (how & STRICT) != 0);
    rig_post(&rig, &rig.sq, w);
}

static void post_put(unsigned how, uint32_t flags)
{
    uint32_t w[16];

    rig_put(w, 8, flags);
    post(w, how);
}

static void post_cas(unsigned how, uint32_t flags, uint64_t compare, uint64_t mask)
{
    uint32_t w[16];

    rig_atomic(w, TERN_OP_CAS, flags);
    TERN_SET(ATO, compare, w, compare);
    TERN_SET(ATO, compare_mask, w, mask);
    post(w, how);
}

static void started(unsigned count)
{
    rig_run(&rig);
    assert_int_equal(regs.tx_count, count);
}

/* Answers the atomic operation in flight with the old word `was`. */
static void answer(uint64_t was)
{
    TERN_SET(ATR, value, regs.slot[LAST_SLOT()], was);
    rig_answer(&rig, TERN_ST_OK);
}

static void fails(uint32_t status)
{
    rig_end(&rig, LAST_SLOT(), status);
}

/* ---- `decides` and `linked` bits */

static void what_is_linked_is_flushed_up_to_the_first_that_is_not(void **state)
{
    (void)state;
    post_put(DECIDES, 0);
    started(1);
    fails(TERN_ST_BAD_KEY);
    (void)rig_expect(&rig, TERN_ST_BAD_KEY);
    post_put(DECIDES | LINKED, 0);
    post_put(LINKED, TERN_DFLAG_INLINE);
    started(1);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    post_put(0, 0);
    post_put(LINKED, 0);
    started(3);
    nothing_more();
}

static void what_does_not_decide_cuts_nothing(void **state)
{
    (void)state;
    post_put(LINKED, 0);
    started(1);
    fails(TERN_ST_BAD_KEY);
    (void)rig_expect(&rig, TERN_ST_BAD_KEY);
    post_put(DECIDES | LINKED, 0);
    post_put(LINKED, 0);
    started(3);
    nothing_more();
}

/* Operations already started go on. */
static void nobody_hears_of_a_good_end_that_no_chain_follows(void **state)
{
    (void)state;
    post_put(DECIDES | LINKED, 0);
    started(1);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 0);
    assert_int_equal(rig.fw.marked, RIG_MARKED);
    post_put(DECIDES | LINKED, TERN_DFLAG_SIGNAL);
    started(2);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
}

/* Checks that `w` fails, that the descriptor linked to it is flushed, and no other. */
static void is_refused(uint32_t *w, unsigned how, unsigned status)
{
    unsigned before = regs.tx_count;

    post(w, how);
    post_put(LINKED, 0);
    post_put(0, 0);
    started(before + 1);
    cut_by(status);
    nothing_more();
}

static void what_is_refused_here_decides_too(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_put(w, 8, 0);
    TERN_SET(DESC, counted, w, 1);
    TERN_SET(DESC, counter, w, REGS_COUNTERS);
    is_refused(w, DECIDES, TERN_ST_BAD_COUNTER);
    rig_send(w, 8, 0);
    TERN_SET(DESC, dst_node, w, 4);
    is_refused(w, DECIDES, TERN_ST_BAD_NODE);
    rig_put(w, 8, 0);
    TERN_SET(DESC, opcode, w, 0x3f);
    is_refused(w, DECIDES, TERN_ST_BAD_OPCODE);
}

/* An unreadable descriptor may have been one with the `decides` bit. */
static void what_cannot_be_read_decides(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_put(w, 8, 0);
    TERN_SET(DESC, version, w, 7);
    is_refused(w, 0, TERN_ST_BAD_VERSION);
}

static void messages_decide(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_send(w, 8, 0);
    post(w, DECIDES);
    started(1);
    fails(TERN_ST_MSG_TOO_LONG);
    post_put(LINKED, 0);
    post_put(0, 0);
    started(2);
    cut_by(TERN_ST_MSG_TOO_LONG);
    nothing_more();
}

/* ---- strict */

static void an_operation_that_met_what_it_compares_with_lets_the_chain_go_on(void **state)
{
    (void)state;
    post_cas(DECIDES | STRICT, 0, WAS, UINT64_MAX);
    post_put(STEP, TERN_DFLAG_FENCE);
    post_cas(STEP, TERN_DFLAG_FENCE | TERN_DFLAG_SIGNAL, 0, 0);
    started(1);
    answer(WAS);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_PUT);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    started(3); /* without any tick */
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_CAS);
    answer(5);
    assert_int_equal(TERN_GET(CQE, value, rig_expect(&rig, TERN_ST_OK)), 5);
    nothing_more();
    assert_int_equal(rig.fw.marked, RIG_MARKED);
}

static void one_that_met_another_word_ends_it_and_tells_the_word(void **state)
{
    const uint32_t *done;

    (void)state;
    post_cas(DECIDES | STRICT, 0, WAS, UINT64_MAX);
    post_put(STEP, TERN_DFLAG_FENCE);
    post_put(STEP, TERN_DFLAG_FENCE | TERN_DFLAG_SIGNAL);
    started(1);
    answer(WAS ^ UINT64_C(1) << 63);
    done = rig_expect(&rig, TERN_ST_UNLIKE);
    assert_int_equal(TERN_GET(CQE, value, done), WAS ^ UINT64_C(1) << 63);
    assert_int_equal(TERN_GET(CQE, fault, done), 2);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    post_put(DECIDES | STRICT, 0);
    started(2);
    nothing_more();
}

static void only_bits_of_the_mask_are_compared(void **state)
{
    (void)state;
    post_cas(DECIDES | STRICT, 0, WAS, UINT64_C(0xff));
    started(1);
    answer(WAS ^ 0xff00);
    post_cas(DECIDES | STRICT, 0, WAS, UINT64_C(0xff));
    started(2);
    answer(WAS ^ 0x80);
    (void)rig_expect(&rig, TERN_ST_UNLIKE);
    nothing_more();
}

static void one_that_is_not_strict_may_meet_any_word(void **state)
{
    (void)state;
    post_cas(DECIDES, TERN_DFLAG_SIGNAL, WAS, UINT64_MAX);
    started(1);
    answer(1);
    assert_int_equal(TERN_GET(CQE, value, rig_expect(&rig, TERN_ST_OK)), 1);
    post_put(LINKED, 0);
    started(2);
    nothing_more();
}

/* The words of a descriptor's operands do not count for other operations. */
static void others_compare_nothing(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_put(w, 32, TERN_DFLAG_INLINE);
    memset(&w[8], 0xff, 24);
    post(w, DECIDES | STRICT);
    started(1);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    post_put(LINKED, 0);
    started(2);
    nothing_more();
}

/* A fence holds up the next step, which has already been fetched. */
static void a_step_that_fails_behind_a_fence_flushes_what_waits_there(void **state)
{
    (void)state;
    post_put(DECIDES | STRICT, 0);
    post_put(STEP, TERN_DFLAG_FENCE);
    post_put(0, 0);
    started(1);
    fails(TERN_ST_HOST_FAULT);
    rig_ticks(&rig, 2);
    started(2);
    cut_by(TERN_ST_HOST_FAULT);
    nothing_more();
}

/* ---- events that start and end a chain */

enum { AREA = 3, COUNTER = 5, EPOCH = 7, LIMIT = 100000 };

static unsigned admin(unsigned fn, uint32_t *w, uint32_t *result)
{
    const uint32_t *done = rig_admin(&rig, fn, w);

    assert_non_null(done);
    if (result)
        *result = (uint32_t)TERN_GET(CQE, length, done);
    return (unsigned)TERN_GET(CQE, status, done);
}

static void arm_area(unsigned fn, uint32_t limit)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, w, AREA);
    TERN_SET(ADM, epoch, w, EPOCH);
    TERN_SET(ADM, length, w, 2);
    TERN_SET(ADM, limit, w, limit);
    assert_int_equal(admin(fn, w, NULL), TERN_ST_OK);
}

static unsigned fill_by_counter(unsigned area)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, w, COUNTER);
    TERN_SET(ADM, length, w, 64);
    TERN_SET(ADM, area, w, area);
    TERN_SET(ADM, by_area, w, 1);
    return admin(0, w, NULL);
}

static void count_to(uint32_t left)
{
    regs.counter[COUNTER] = left;
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, COUNTER));
    rig_run(&rig);
    rig_ticks(&rig, 1);
}

static void post_wait(unsigned how, unsigned epoch)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_WAIT);
    TERN_SET(CHK, area, w, AREA);
    TERN_SET(CHK, epoch, w, epoch);
    post(w, how);
}

/* Posts a step that waits, and one after it. */
static void post_waiting(unsigned epoch)
{
    post_wait(DECIDES | STRICT, epoch);
    post_put(STEP, TERN_DFLAG_FENCE);
}

static unsigned cancel(unsigned fn, uint32_t queue, uint32_t *cancelled)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CANCEL);
    TERN_SET(ADM, id, w, queue);
    return admin(fn, w, cancelled);
}

static void a_counter_at_zero_starts_what_waits(void **state)
{
    (void)state;
    assert_int_equal(fill_by_counter(AREA), TERN_ST_BAD_AREA);
    arm_area(0, LIMIT);
    assert_int_equal(fill_by_counter(TERN_CHECKIN_AREAS), TERN_ST_BAD_AREA);
    assert_int_equal(fill_by_counter(AREA), TERN_ST_OK);
    post_waiting(EPOCH);
    started(0);
    count_to(1); /* an event of an older setting */
    assert_int_equal(regs.tx_count, 0);
    count_to(0);
    assert_int_equal(regs.tx_count, 1);
    assert_null(rig_poll(&rig.cq));
    arm_area(0, LIMIT);
    count_to(0); /* reported only once */
    assert_int_equal(rig.fw.area[AREA].state, AREA_ARMED);
}

static void a_counter_does_not_fill_the_area_of_another_function(void **state)
{
    (void)state;
    arm_area(0, LIMIT);
    assert_int_equal(fill_by_counter(AREA), TERN_ST_OK);
    rig.fw.area[AREA].fn = 1;
    count_to(0);
    assert_int_equal(rig.fw.area[AREA].state, AREA_ARMED);
}

static void a_wait_that_may_never_end_is_no_step(void **state)
{
    (void)state;
    arm_area(0, 0);
    post_waiting(EPOCH);
    started(0);
    cut_by(TERN_ST_CHAIN_TOO_LONG);
    arm_area(0, LIMIT);
    post_wait(DECIDES | STRICT, EPOCH + 1);
    started(0);
    (void)rig_expect(&rig, TERN_ST_CHAIN_TOO_LONG);
    post_waiting(EPOCH - 1); /* this epoch is already over */
    started(1);
    nothing_more();
}

static void a_time_limit_ends_a_chain(void **state)
{
    (void)state;
    arm_area(0, LIMIT);
    post_waiting(EPOCH);
    started(0);
    rig_ticks(&rig, LIMIT / rig.fw.tick_cycles + 4);
    cut_by(TERN_ST_TIMEOUT);
    nothing_more();
}

static void what_waits_is_cancelled(void **state)
{
    uint32_t cancelled;

    (void)state;
    arm_area(0, LIMIT);
    post_waiting(EPOCH);
    post_put(0, 0);
    started(0);
    assert_int_equal(cancel(0, rig.sq.number, &cancelled), TERN_ST_OK);
    assert_int_equal(cancelled, 1);
    rig_ticks(&rig, 1);
    cut_by(TERN_ST_CANCELLED);
    assert_int_equal(regs.tx_count, 1);
    nothing_more();
}

static void of_what_runs_the_rest_is_cancelled(void **state)
{
    uint32_t cancelled;

    (void)state;
    assert_int_equal(cancel(0, rig.sq.number, &cancelled), TERN_ST_OK);
    assert_int_equal(cancelled, 0);
    post_put(DECIDES | STRICT, 0);
    post_put(STEP, TERN_DFLAG_FENCE);
    started(1);
    assert_int_equal(cancel(0, rig.sq.number, &cancelled), TERN_ST_OK);
    assert_int_equal(cancelled, 1);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 1);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    post_put(0, 0);
    started(2);
    nothing_more();
}

static void who_may_cancel_what(void **state)
{
    (void)state;
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    assert_int_equal(cancel(1, rig.sq.number, NULL), TERN_ST_NOT_OWNER);
    assert_int_equal(cancel(0, rig.cq.number, NULL), TERN_ST_BAD_TYPE);
    assert_int_equal(cancel(0, 0, NULL), TERN_ST_BAD_QUEUE);
    assert_int_equal(cancel(0, 0xffff, NULL), TERN_ST_BAD_QUEUE);
}

/* ---- fenced steps keep their slots */

static unsigned parked(void)
{
    unsigned count = 0;

    for (uint32_t set = rig.fw.parked; set != 0; set &= set - 1)
        count++;
    assert_int_equal(count, rig.fw.parked_count);
    return count;
}

static void a_step_waits_in_its_slot_and_starts_when_the_one_before_ends(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 2; i++)
        post_put(STEP, TERN_DFLAG_FENCE);
    started(1);
    assert_int_equal(parked(), 1);
    {
        const unsigned i = 2;

        rig_answer(&rig, TERN_ST_OK);
        rig_run(&rig);
        assert_int_equal(regs.tx_count, i);
        assert_int_equal(parked(), 2 - i);
    }
    rig_answer(&rig, TERN_ST_OK);
    nothing_more();
    post_put(0, TERN_DFLAG_SIGNAL);
    started(3);
    rig_answer(&rig, TERN_ST_OK);
    (void)rig_expect(&rig, TERN_ST_OK);
}

static void steps_without_a_place_are_fetched_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        post_put(STEP, TERN_DFLAG_FENCE);
    started(1);
    assert_int_equal(parked(), rig.fw.id.slots / FW_PARKED_SHARE);
    for (unsigned i = 1; i < 8; i++) {
        rig_answer(&rig, TERN_ST_OK);
        started(i + 1);
    }
    rig_answer(&rig, TERN_ST_OK);
    assert_int_equal(parked(), 0);
    nothing_more();
}

static void a_step_that_fails_flushes_those_that_wait_in_slots(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 3; i++)
        post_put(STEP, TERN_DFLAG_FENCE);
    started(1);
    fails(TERN_ST_BAD_KEY);
    (void)rig_expect(&rig, TERN_ST_BAD_KEY);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    (void)rig_expect(&rig, TERN_ST_FLUSHED);
    assert_int_equal(parked(), 0);
    post_put(0, 0);
    started(2);
}

static void a_queue_that_goes_gives_the_slots_of_waiting_steps_back(void **state)
{
    uint32_t w[16] = {0};
    unsigned used = 0;

    (void)state;
    for (unsigned i = 0; i < 3; i++)
        post_put(STEP, TERN_DFLAG_FENCE);
    started(1);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, rig.sq.number);
    rig_post(&rig, &rig.aq[0], w);
    rig_run(&rig);
    assert_int_equal(parked(), 0);
    rig_answer(&rig, TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(rig.fw.queue[rig.sq.number].type, TERN_QTYPE_NONE);
    for (unsigned slot = 0; slot < REGS_POOL; slot++)
        used += regs.slot_used[slot];
    assert_int_equal(used, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(what_is_linked_is_flushed_up_to_the_first_that_is_not),
        TEST(what_does_not_decide_cuts_nothing),
        TEST(nobody_hears_of_a_good_end_that_no_chain_follows),
        TEST(what_is_refused_here_decides_too),
        TEST(what_cannot_be_read_decides),
        TEST(messages_decide),
        TEST(an_operation_that_met_what_it_compares_with_lets_the_chain_go_on),
        TEST(one_that_met_another_word_ends_it_and_tells_the_word),
        TEST(only_bits_of_the_mask_are_compared),
        TEST(one_that_is_not_strict_may_meet_any_word),
        TEST(others_compare_nothing),
        TEST(a_step_that_fails_behind_a_fence_flushes_what_waits_there),
        TEST(a_counter_at_zero_starts_what_waits),
        TEST(a_counter_does_not_fill_the_area_of_another_function),
        TEST(a_wait_that_may_never_end_is_no_step),
        TEST(a_time_limit_ends_a_chain),
        TEST(what_waits_is_cancelled),
        TEST(of_what_runs_the_rest_is_cancelled),
        TEST(who_may_cancel_what),
        TEST(a_step_waits_in_its_slot_and_starts_when_the_one_before_ends),
        TEST(steps_without_a_place_are_fetched_again),
        TEST(a_step_that_fails_flushes_those_that_wait_in_slots),
        TEST(a_queue_that_goes_gives_the_slots_of_waiting_steps_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
