/* SPDX-License-Identifier: Apache-2.0 */
/* Check-in areas and the queues that wait for them: the firmware over a model of the registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { AREA = 2, PASS = 0x7357, SLOTS = 40, RX = 1 };

static struct rig rig;

#define VALUES (rig_page(0) + RIG_DATA)

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    return 0;
}

static void words_to_arm(uint32_t w[16], unsigned epoch, unsigned slots, uint32_t limit)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, w, AREA);
    TERN_SET(ADM, epoch, w, epoch);
    TERN_SET(ADM, length, w, slots);
    TERN_SET(ADM, pass, w, PASS);
    TERN_SET(ADM, limit, w, limit);
    TERN_SET(ADM, addr, w, VALUES);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, cq, w, rig.cq.number);
}

static void arm(unsigned epoch, unsigned slots, uint32_t limit)
{
    uint32_t w[16];

    words_to_arm(w, epoch, slots, limit);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
}

/* Makes a check-in arrive, with slot and epoch as its value; returns the answer. */
static unsigned check_in_with(unsigned area, unsigned slot, unsigned epoch, uint32_t pass,
                              uint32_t bytes)
{
    uint32_t *h = regs.rx[RX];
    unsigned before = regs.ack_count;

    memset(h, 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, type, h, TERN_PTYPE_CHECKIN);
    TERN_SET(PKT, length, h, bytes);
    h[TERN_PKT_addr_WORD] = TERN_V(CHK, area, area) | TERN_V(CHK, slot, slot);
    h[TERN_PKT_addr_WORD + 1] = epoch;
    h[TERN_PKT_key_WORD] = pass;
    h[8] = slot;
    h[9] = epoch;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_CHECKIN));
    rig_run(&rig);
    if (regs.ack_count == before)
        return UINT32_MAX;
    assert_int_equal(regs.ack_count, before + 1);
    return regs.acks[regs.ack_count - 1] >> 8;
}

static unsigned check_in(unsigned slot, unsigned epoch)
{
    return check_in_with(AREA, slot, epoch, PASS, TERN_CHECKIN_BYTES);
}

static void post_wait(unsigned epoch, unsigned flags)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_WAIT);
    TERN_SET(DESC, flags, w, flags);
    TERN_SET(CHK, area, w, AREA);
    TERN_SET(CHK, epoch, w, epoch);
    TERN_SET(CHK, guarded, w, TERN_GUARDED_ALL);
    rig_start(&rig, w);
}

static void post_put(void)
{
    uint32_t w[16];

    rig_put(w, 64, 0);
    rig_start(&rig, w);
}

static const uint32_t *missing(void)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_GET_AREA);
    TERN_SET(ADM, id, w, AREA);
    return rig_admin(&rig, 0, w);
}

static void the_last_slot_tells_and_starts(void **state)
{
    const uint32_t *done;

    (void)state;
    arm(5, SLOTS, 0);
    post_wait(5, TERN_DFLAG_SIGNAL);
    post_put();
    for (unsigned n = 0; n + 1 < SLOTS; n++)
        assert_int_equal(check_in(n, 5), TERN_ST_OK);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(TERN_GET(CQE, length, missing()), 1);
    assert_int_equal(TERN_GET(CQE, value, missing()), SLOTS - 1);
    assert_int_equal(check_in(SLOTS - 1, 5), TERN_ST_OK);
    done = rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, index, done), AREA);
    assert_int_equal(TERN_GET(CQE, imm, done), 5);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_OK);
    assert_int_equal(regs.tx_count, 1);
    for (unsigned n = 0; n < SLOTS; n++) {
        assert_int_equal(regs_words(VALUES)[2 * n], n);
        assert_int_equal(regs_words(VALUES)[2 * n + 1], 5);
    }
}

static void a_slot_counts_once(void **state)
{
    (void)state;
    arm(5, 2, 0);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(check_in(0, 5), TERN_ST_OK);
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(check_in(1, 5), TERN_ST_OK);
    rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_OK);
    assert_int_equal(check_in(1, 5), TERN_ST_OK); /* the area was full: no second completion */
    assert_null(rig_poll(&rig.cq));
}

static void epochs_are_told_apart_across_the_wrap(void **state)
{
    (void)state;
    arm(0xffff, 1, 0);
    assert_int_equal(check_in(0, 0xfffe), TERN_ST_STALE_EPOCH);
    assert_int_equal(check_in(0, 0), TERN_ST_RNR);
    assert_int_equal(TERN_GET(CQE, length, missing()), 1);
    arm(0, 1, 0);
    assert_int_equal(check_in(0, 0xffff), TERN_ST_STALE_EPOCH);
    assert_int_equal(check_in(0, 0), TERN_ST_OK);
    rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_OK);
    post_wait(0xffff, TERN_DFLAG_SIGNAL); /* the epoch was over long ago */
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_OK);
}

static void what_is_wrong_with_a_check_in_is_its_answer(void **state)
{
    (void)state;
    assert_int_equal(check_in(0, 5), TERN_ST_BAD_AREA);
    arm(5, 4, 0);
    assert_int_equal(check_in_with(AREA + TERN_CHECKIN_AREAS, 0, 5, PASS, 8), TERN_ST_BAD_AREA);
    assert_int_equal(check_in_with(AREA, 0, 5, PASS + 1, 8), TERN_ST_BAD_KEY);
    assert_int_equal(check_in_with(AREA, 4, 5, PASS, 8), TERN_ST_BAD_RANGE);
    assert_int_equal(check_in_with(AREA, 0xffff, 5, PASS, 8), TERN_ST_BAD_RANGE);
    assert_int_equal(check_in_with(AREA, 0, 5, PASS, 4), TERN_ST_BAD_LENGTH);
    assert_int_equal(TERN_GET(CQE, length, missing()), 4);
    assert_int_equal(check_in_with(AREA, 0, 5, PASS, 0), TERN_ST_OK); /* without a value */
    assert_int_equal(TERN_GET(CQE, length, missing()), 3);
}

static void arming_names_what_is_wrong(void **state)
{
    static const struct {
        unsigned id, slots, cq;
        uint64_t at;
        unsigned status;
    } rows[] = {
        {TERN_CHECKIN_AREAS, 1, 0, 0, TERN_ST_BAD_AREA},
        {AREA, 0, 0, 0, TERN_ST_BAD_SIZE},
        {AREA, TERN_CHECKIN_SLOTS + 1, 0, 0, TERN_ST_BAD_SIZE},
        {AREA, 1, REGS_QUEUES, 0, TERN_ST_BAD_QUEUE},
        {AREA, 1, 1, 0, TERN_ST_BAD_QUEUE},
        {AREA, 1, 0, RIG_PAGE, TERN_ST_BAD_RANGE},
    };
    uint32_t w[16];

    (void)state;
    (void)rig_enable(&rig, 1);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        words_to_arm(w, 5, rows[i].slots, 0);
        TERN_SET(ADM, id, w, rows[i].id);
        TERN_SET(ADM, cq, w, rows[i].cq);
        TERN_SET(ADM, addr, w, VALUES + rows[i].at);
        assert_int_equal(STATUS(rig_admin(&rig, 0, w)), rows[i].status);
    }
    assert_int_equal(STATUS(missing()), TERN_ST_BAD_AREA);
    arm(5, 1, 0);
    words_to_arm(w, 6, 1, 0);
    TERN_SET(ADM, cq, w, 0);
    TERN_SET(ADM, key, w, TERN_KEY_NONE);
    assert_int_equal(STATUS(rig_admin(&rig, 1, w)), TERN_ST_BAD_AREA); /* an area of another
                                                                        * function */
}

static void time_that_is_over_stops_the_queue(void **state)
{
    const uint32_t *done;

    (void)state;
    arm(5, 3, 3 * rig.fw.tick_cycles);
    post_wait(5, 0);
    post_put();
    assert_int_equal(check_in(0, 5), TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_null(rig_poll(&rig.cq));
    rig_ticks(&rig, 3);
    done = rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, length, done), 2);
    assert_int_equal(TERN_GET(CQE, value, done), 1);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_TIMEOUT);
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    post_put();
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(check_in(1, 5), TERN_ST_OK); /* late: no completion any more */
    assert_int_equal(check_in(2, 5), TERN_ST_OK);
    assert_null(rig_poll(&rig.cq));
}

static void a_wait_for_no_area_stops_the_queue(void **state)
{
    (void)state;
    post_wait(5, 0);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_AREA);
    post_put();
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
}

static unsigned delete_queue(uint32_t number)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, number);
    return STATUS(rig_admin(&rig, 0, w));
}

static void a_queue_that_goes_waits_no_more(void **state)
{
    (void)state;
    arm(5, 1, 0);
    post_wait(5, 0);
    assert_int_equal(rig.fw.area[AREA].waiter, rig.sq.number);
    assert_int_equal(delete_queue(rig.sq.number), TERN_ST_OK);
    assert_int_equal(rig.fw.area[AREA].waiter, 0);
    assert_int_equal(delete_queue(rig.cq.number), TERN_ST_QUEUE_BUSY); /* the area uses it */
    assert_int_equal(check_in(0, 5), TERN_ST_OK);
    rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_OK);
}

static void check_ins_wait_for_the_write_channel(void **state)
{
    (void)state;
    arm(5, 1, 0);
    rig.fw.hwr.room = 0;
    regs.hw_space = 1; /* less than a completion and an interrupt need */
    assert_int_equal(check_in(0, 5), UINT32_MAX);
    assert_null(rig_poll(&rig.cq));
    regs.hw_space = 4;
    rig_run(&rig);
    rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_OK);
}

static void arming_again_takes_no_further_place(void **state)
{
    const struct fw_queue *cq = &rig.fw.queue[rig.cq.number];

    (void)state;
    for (unsigned epoch = 1; epoch <= 40; epoch++) { /* more than the queue has completion places */
        arm(epoch, 1, 0);
        assert_int_equal(cq->reserved, 1);
        assert_true(cq->room < 1u << cq->log2_entries);
    }
}

static void the_longest_limit_is_long(void **state)
{
    (void)state;
    arm(5, 1, UINT32_MAX);
    assert_int_equal(rig.fw.area[AREA].ticks, UINT32_MAX / rig.fw.tick_cycles + 1);
}

/* Registers a region for the values, or releases it. */
static uint32_t gone_region(bool release, uint32_t key)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, release ? TERN_ADMIN_REL_REGION : TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, w, VALUES);
    TERN_SET(ADM, size, w, 64);
    TERN_SET(ADM, rights, w, TERN_RIGHT_LOCAL_WRITE);
    TERN_SET(ADM, counter, w, TERN_COUNTER_NONE);
    TERN_SET(ADM, key, w, key);
    return (uint32_t)TERN_GET(CQE, length, rig_admin(&rig, 0, w));
}

static void a_value_that_memory_refuses_fails_the_area(void **state)
{
    uint32_t w[16], key = gone_region(false, TERN_KEY_NONE);

    (void)state;
    words_to_arm(w, 5, 2, 0);
    TERN_SET(ADM, key, w, key);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    post_wait(5, 0);
    post_put();
    assert_int_equal(check_in(0, 5), TERN_ST_OK);
    (void)gone_region(true, key);
    assert_int_equal(check_in(1, 5), TERN_ST_OK);
    rig_expect_of(&rig, TERN_OP_AREA, TERN_ST_BAD_KEY);
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_KEY);
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    assert_int_equal(regs.tx_count, 0);
}

static void a_function_that_goes_takes_its_areas(void **state)
{
    uint32_t w[16];

    (void)state;
    arm(5, 1, 0);
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(&rig, 8);
    assert_int_equal(rig.fw.queue[rig.cq.number].type, TERN_QTYPE_NONE);
    assert_int_equal(check_in(0, 5), TERN_ST_BAD_AREA);
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    words_to_arm(w, 6, 1, 0);
    TERN_SET(ADM, cq, w, 0);
    TERN_SET(ADM, key, w, TERN_KEY_NONE);
    assert_int_equal(STATUS(rig_admin(&rig, 1, w)), TERN_ST_OK);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_last_slot_tells_and_starts),
        TEST(a_slot_counts_once),
        TEST(epochs_are_told_apart_across_the_wrap),
        TEST(what_is_wrong_with_a_check_in_is_its_answer),
        TEST(arming_names_what_is_wrong),
        TEST(time_that_is_over_stops_the_queue),
        TEST(a_wait_for_no_area_stops_the_queue),
        TEST(a_queue_that_goes_waits_no_more),
        TEST(check_ins_wait_for_the_write_channel),
        TEST(arming_again_takes_no_further_place),
        TEST(the_longest_limit_is_long),
        TEST(a_value_that_memory_refuses_fails_the_area),
        TEST(a_function_that_goes_takes_its_areas),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
