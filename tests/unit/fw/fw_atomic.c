/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations: how the origin starts and ends them, and the firmware's part at the target.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

#define WAS UINT64_C(0x8877665544332211)

static struct rig rig;

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    return 0;
}

static void post(uint32_t opcode, uint32_t flags)
{
    uint32_t w[16];

    rig_atomic(w, opcode, flags);
    rig_start(&rig, w);
}

/* Answers the operation in flight; a successful answer carries a word. */
static void answer(uint32_t status)
{
    if (status == TERN_ST_OK)
        TERN_SET(ATR, value, regs.slot[LAST_SLOT()], WAS);
    rig_answer(&rig, status);
}

static void starts(uint32_t opcode, uint32_t type, uint32_t flags)
{
    unsigned before = regs.tx_count;

    post(opcode, flags);
    assert_int_equal(regs.tx_count, before + 1);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), type);
    assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_REQUEST);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, msg, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 0);
    answer(TERN_ST_OK);
    assert_null(rig_poll(&rig.cq));
}

static void an_operation_is_one_command_of_its_own_type(void **state)
{
    (void)state;
    starts(TERN_OP_CAS, TERN_PTYPE_CAS, 0);
    starts(TERN_OP_ADD, TERN_PTYPE_ADD, 0);
    starts(TERN_OP_TAKE, TERN_PTYPE_TAKE, 0);
    starts(TERN_OP_CAS, TERN_PTYPE_CAS, TERN_DFLAG_FENCE);
    starts(TERN_OP_ADD, TERN_PTYPE_ADD, TERN_DFLAG_FENCE);
    starts(TERN_OP_TAKE, TERN_PTYPE_TAKE, TERN_DFLAG_FENCE);
}

static void its_completion_brings_the_word_as_it_was(void **state)
{
    const uint32_t *done;

    (void)state;
    post(TERN_OP_ADD, TERN_DFLAG_SIGNAL);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    answer(TERN_ST_OK);
    done = rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_ADD);
    assert_int_equal(TERN_GET(CQE, value, done), WAS);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
}

/* With a byte counter, the firmware writes the completion. */
static void a_completion_of_the_firmware_brings_it_too(void **state)
{
    const uint32_t *done;
    uint32_t w[16];

    (void)state;
    assert_int_equal(rig_set_counter(&rig, 3, 100), TERN_ST_OK);
    rig_atomic(w, TERN_OP_CAS, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, counted, w, 1);
    TERN_SET(DESC, counter, w, 3);
    rig_start(&rig, w);
    answer(TERN_ST_OK);
    done = rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, done), WAS);
    assert_int_equal(regs.counter[3], 100 - TERN_ATO_BYTES);
}

/* The link goes down after the answer has arrived. */
static void an_answer_that_came_before_the_end_counts(void **state)
{
    const uint32_t *done;

    (void)state;
    post(TERN_OP_CAS, TERN_DFLAG_SIGNAL);
    TERN_SET(ATR, value, regs.slot[LAST_SLOT()], WAS);
    regs.ends_before_kill = true;
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    regs.ends_before_kill = false;
    done = rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, done), WAS);
}

/* Whatever the answer is: one try, and no old word. */
static void one_that_failed_is_not_sent_again(void **state)
{
    static const uint32_t statuses[] = {TERN_ST_BAD_KEY, TERN_ST_BAD_RIGHTS, TERN_ST_BAD_RANGE,
                                        TERN_ST_BAD_ALIGN, TERN_ST_STALE_NODE, TERN_ST_HOST_FAULT,
                                        TERN_ST_RNR, TERN_ST_FLUSHED};

    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        const uint32_t *done;

        post(TERN_OP_CAS, 0);
        answer(statuses[i]);
        rig_ticks(&rig, 4);
        assert_int_equal(regs.tx_count, i + 1);
        done = rig_expect(&rig, statuses[i]);
        assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_CAS);
        assert_int_equal(TERN_GET(CQE, value, done), 0);
        assert_int_equal(TERN_GET(CQE, length, done), 0);
        assert_int_equal(TERN_GET(CQE, fault, done), 2);
        assert_null(rig_poll(&rig.cq));
    }
}

static void refused_here(const uint32_t *words, unsigned status)
{
    rig_start(&rig, words);
    assert_int_equal(TERN_GET(CQE, fault, rig_expect(&rig, status)), status == TERN_ST_LINK_DOWN
                     ? 3 : 1);
    assert_int_equal(regs.tx_count, 0);
}

/* The target checks the length of the operands of an ordinary one. */
static void operands_are_in_the_descriptor_and_whole(void **state)
{
    uint32_t w[16];

    (void)state;
    for (uint32_t bytes = 0; bytes < 64; bytes += 31) {
        rig_atomic(w, TERN_OP_ADD, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE);
        TERN_SET(DESC, inline_len, w, bytes);
        refused_here(w, TERN_ST_BAD_LENGTH);
    }
    rig_atomic(w, TERN_OP_CAS, 0);
    TERN_SET(DESC, flags, w, 0);
    refused_here(w, TERN_ST_BAD_LENGTH);
    rig_put(w, TERN_ATO_BYTES, 0);
    TERN_SET(DESC, opcode, w, TERN_OP_CAS);
    refused_here(w, TERN_ST_BAD_LENGTH);
}

static void nodes_and_links_are_looked_at(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_atomic(w, TERN_OP_ADD, 0);
    TERN_SET(DESC, dst_node, w, 4);
    refused_here(w, TERN_ST_BAD_NODE);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    rig_atomic(w, TERN_OP_ADD, 0);
    refused_here(w, TERN_ST_LINK_DOWN);
}

static void it_is_answered_though_it_says_it_need_not(void **state)
{
    (void)state;
    post(TERN_OP_CAS, TERN_DFLAG_SIGNAL | TERN_DFLAG_UNACKED);
    assert_int_equal(TERN_F(TXC, unacked, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    answer(TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, rig_expect(&rig, TERN_ST_OK)), WAS);
}

static void a_fence_waits_for_what_is_before_it(void **state)
{
    uint32_t put;

    (void)state;
    {
        uint32_t w[16];

        rig_put(w, 8, 0);
        rig_start(&rig, w);
    }
    put = LAST_SLOT();
    post(TERN_OP_CAS, TERN_DFLAG_FENCE | TERN_DFLAG_SIGNAL);
    assert_int_equal(regs.tx_count, 1);
    regs_op_end(put, TERN_ST_OK);
    rig_ticks(&rig, 2); /* a silent operation has no event: a tick ends it */
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_CAS);
    answer(TERN_ST_OK);
    (void)rig_expect(&rig, TERN_ST_OK);
}

static void silence_ends_in_a_timeout(void **state)
{
    const uint32_t *done;

    (void)state;
    post(TERN_OP_ADD, 0);
    regs.sent |= 1u << LAST_SLOT();
    rig_ticks(&rig, 64 * 8); /* its target may be serving many others */
    assert_null(rig_poll(&rig.cq));
    rig_ticks(&rig, 8);
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 1);
    done = rig_expect(&rig, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
    assert_int_equal(TERN_GET(CQE, value, done), 0);
}

/* ---- the target */

static void arrive(unsigned slot, uint32_t type)
{
    regs.rx_freed[slot] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, slot) | TERN_V(EV, pkttype, type));
    rig_run(&rig);
}

static void the_unit_is_told_what_came_and_nothing_else_is_done(void **state)
{
    (void)state;
    regs.ack_space = 0; /* the chip sends its answer */
    rig.fw.rx.ack_room = 0;
    arrive(2, TERN_PTYPE_CAS);
    arrive(3, TERN_PTYPE_ADD);
    arrive(1, TERN_PTYPE_TAKE);
    assert_int_equal(regs.atomic_count, 3);
    assert_int_equal(TERN_F(RXA, slot, regs.atomics[0]), 2);
    assert_int_equal(TERN_F(RXA, add, regs.atomics[0]), 0);
    assert_int_equal(TERN_F(RXA, slot, regs.atomics[1]), 3);
    assert_int_equal(TERN_F(RXA, add, regs.atomics[1]), 1);
    assert_int_equal(TERN_F(RXA, walk, regs.atomics[0]) | TERN_F(RXA, walk, regs.atomics[1]), 0);
    assert_int_equal(TERN_F(RXA, slot, regs.atomics[2]), 1);
    assert_int_equal(TERN_F(RXA, add, regs.atomics[2]), 0);
    assert_int_equal(TERN_F(RXA, walk, regs.atomics[2]), 1);
    assert_int_equal(regs.ack_count, 0);
    assert_false(regs.rx_freed[1] || regs.rx_freed[2] || regs.rx_freed[3]);
}

static void those_behind_a_packet_that_waits_wait(void **state)
{
    (void)state;
    regs.ack_space = 0;
    rig.fw.rx.ack_room = 0;
    memset(regs.rx[0], 0, sizeof(regs.rx[0]));
    arrive(0, 0x3f); /* an unknown operation is still answered */
    arrive(1, TERN_PTYPE_ADD);
    arrive(2, TERN_PTYPE_TAKE);
    assert_int_equal(regs.atomic_count, 0);
    regs.ack_space = 16;
    rig_run(&rig);
    assert_int_equal(regs.ack_count, 1);
    assert_int_equal(regs.atomic_count, 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(an_operation_is_one_command_of_its_own_type),
        TEST(its_completion_brings_the_word_as_it_was),
        TEST(a_completion_of_the_firmware_brings_it_too),
        TEST(an_answer_that_came_before_the_end_counts),
        TEST(one_that_failed_is_not_sent_again),
        TEST(operands_are_in_the_descriptor_and_whole),
        TEST(nodes_and_links_are_looked_at),
        TEST(it_is_answered_though_it_says_it_need_not),
        TEST(a_fence_waits_for_what_is_before_it),
        TEST(silence_ends_in_a_timeout),
        TEST(the_unit_is_told_what_came_and_nothing_else_is_done),
        TEST(those_behind_a_packet_that_waits_wait),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
