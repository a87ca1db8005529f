/* SPDX-License-Identifier: Apache-2.0 */
/* Groups of the tree network, and contributions to them, in the firmware. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum { GROUP = 2, EPOCH = 9, NODE = 3, LIMIT = 10 * TERN_TREE_TICK };

static const uint64_t value = UINT64_C(0x0123456789abcdef);
static struct rig rig;

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    regs.tree_groups = TERN_TREE_GROUPS;
    regs.node = NODE;
    rig_open(&rig, 4, 4);
    return 0;
}

static void set_words(uint32_t *w, bool on)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_OP_TREE_SET);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(TRS, limit, w, LIMIT);
    TERN_SET(TRS, epoch, w, EPOCH);
    TERN_SET(TRS, group, w, GROUP);
    TERN_SET(TRS, self, w, 1);
    TERN_SET(TRS, root, w, 1);
    TERN_SET(TRS, on, w, on);
}

static void combine_words(uint32_t *w, uint32_t bytes)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_OP_COMBINE);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, bytes);
    TERN_SET(DESC, result, w, 1);
    TERN_SET(TRO, epoch, w, EPOCH);
    TERN_SET(TRO, group, w, GROUP);
    TERN_SET(TRO, op, w, TERN_TREE_MAX);
    TERN_SET(TRO, wide, w, 1);
    TERN_SET(TRO, number, w, 77);
    memcpy(w + TERN_INLINE_OFFSET / 4, &value, sizeof(value));
}

static void set_up(void)
{
    uint32_t w[16];

    set_words(w, true);
    rig_start(&rig, w);
    rig_expect_of(&rig, TERN_OP_TREE_SET, TERN_ST_OK);
}

static unsigned contribute(void)
{
    uint32_t w[16];
    unsigned before = regs.tree_go_count;

    combine_words(w, 8);
    rig_start(&rig, w);
    assert_int_equal(regs.tree_go_count, before + 1);
    return regs.tree_goes[before] & 0x3f;
}

static void end(unsigned slot, uint32_t status, uint32_t rank)
{
    regs.tree_state[GROUP] -= TERN_V(TRG, pending, 1);
    regs_tree_end(slot, status, rank, status == TERN_TREE_OK ? ~value : 0);
    rig_run(&rig);
}

static void a_set_up_reaches_the_chip(void **state)
{
    (void)state;
    set_up();
    assert_int_equal(regs.tree_set_count, 1);
    assert_int_equal(TERN_F(TRS, group, regs.tree_sets[0]), GROUP);
    assert_int_equal(TERN_F(TRS, self, regs.tree_sets[0]), 1);
    assert_int_equal(TERN_F(TRG, fn, regs.tree_sets[0]), 0);
    assert_int_equal(regs.tree_rank, NODE);
    assert_int_equal(regs.tree_wait, LIMIT / TERN_TREE_TICK + 1);
}

static void a_contribution_ends_with_its_combination(void **state)
{
    const uint32_t *done;
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute();
    assert_int_equal(regs.tree_value[0], (uint32_t)value);
    assert_int_equal(regs.tree_value[1], (uint32_t)(value >> 32));
    assert_int_equal(TERN_F(TRO, op, regs.tree_goes[0]), TERN_TREE_MAX);
    assert_int_equal(TERN_F(TRO, bytes, regs.tree_goes[0]), 8);
    assert_int_equal(TERN_F(TRO, number, regs.tree_goes[0]), 77);
    assert_true(regs.slot_used[slot]);
    assert_null(rig_poll(&rig.cq));
    end(slot, TERN_TREE_OK, 0);
    done = rig_expect_of(&rig, TERN_OP_COMBINE, TERN_ST_OK);
    assert_true(TERN_GET(CQE, value, done) == ~value);
    assert_false(regs.slot_used[slot]);
    assert_int_equal(rig.fw.combines, 0);
    assert_int_equal(rig.fw.sends, 0);
}

static void each_failure_has_its_status_and_names_the_rank(void **state)
{
    static const uint8_t statuses[] = {
        [TERN_TREE_TIMEOUT] = TERN_ST_TIMEOUT,   [TERN_TREE_LINK_DOWN] = TERN_ST_LINK_DOWN,
        [TERN_TREE_MISMATCH] = TERN_ST_DIFFERS,  [TERN_TREE_MALFORMED] = TERN_ST_DAMAGED,
        [TERN_TREE_OVERRUN] = TERN_ST_DAMAGED,   [TERN_TREE_DAMAGED] = TERN_ST_DAMAGED,
        [TERN_TREE_NO_GROUP] = TERN_ST_NO_GROUP,
    };

    (void)state;
    set_up();
    for (uint32_t why = TERN_TREE_TIMEOUT; why <= TERN_TREE_NO_GROUP; why++) {
        const uint32_t *done;

        end(contribute(), why, 2);
        done = rig_expect_of(&rig, TERN_OP_COMBINE, statuses[why]);
        assert_int_equal(TERN_GET(CQE, value, done), 2);
        assert_int_equal(TERN_GET(CQE, node, done), 2);
        rig_consumed(&rig.cq);
    }
}

static void refuses(const uint32_t *w, uint32_t status)
{
    rig_start(&rig, w);
    rig_expect(&rig, status);
    rig_consumed(&rig.cq);
    assert_int_equal(regs.tree_go_count, 0);
}

static void a_contribution_that_does_not_fit_is_refused(void **state)
{
    uint32_t w[16];

    (void)state;
    combine_words(w, 8);
    refuses(w, TERN_ST_NO_GROUP);
    set_up();
    TERN_SET(TRO, epoch, w, EPOCH + 1);
    refuses(w, TERN_ST_NO_GROUP);
    combine_words(w, 4);
    refuses(w, TERN_ST_BAD_LENGTH);
    combine_words(w, 8);
    TERN_SET(TRO, op, w, TERN_TREE_XOR + 1);
    refuses(w, TERN_ST_BAD_TYPE);
    TERN_SET(TRO, group, w, TERN_TREE_GROUPS);
    refuses(w, TERN_ST_NO_TREE);
    set_words(w, true);
    refuses(w, TERN_ST_QUEUE_BUSY);
    regs.tree_state[GROUP] |= TERN_V(TRG, fn, 1);
    combine_words(w, 8);
    refuses(w, TERN_ST_NO_GROUP);
}

static void without_a_tree_both_are_refused(void **state)
{
    uint32_t w[16];

    (void)state;
    rig.fw.tree_groups = 0;
    set_words(w, true);
    refuses(w, TERN_ST_NO_TREE);
    combine_words(w, 8);
    refuses(w, TERN_ST_NO_TREE);
    assert_int_equal(regs.tree_set_count, 0);
}

/* ---- puts by rank */

static void put_words(uint32_t *w, uint32_t node)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_OP_TREE_PUT);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, 8);
    TERN_SET(DESC, dst_node, w, node);
}

static void a_put_by_rank_takes_the_tree(void **state)
{
    uint32_t w[16];

    (void)state;
    put_words(w, 1);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(TXC, vn, regs.tx[0]), TERN_VN_TREE);
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_PTYPE_PUT);
    assert_int_equal(TERN_F(TXC, inl, regs.tx[0]), 1);
    put_words(w, NODE);
    rig_start(&rig, w);
    assert_int_equal(TERN_F(TXC, vn, regs.tx[1]), TERN_VN_DATA);
    regs_op_end(TERN_F(TXC, slot, regs.tx[0]), TERN_ST_OK);
    rig_run(&rig);
    (void)rig_expect_of(&rig, TERN_OP_TREE_PUT, TERN_ST_OK);
}

static void a_put_by_rank_that_fails_names_the_rank(void **state)
{
    const uint32_t *done;
    uint32_t w[16];

    (void)state;
    put_words(w, 2);
    rig_start(&rig, w);
    regs_op_end(TERN_F(TXC, slot, regs.tx[0]), TERN_ST_TIMEOUT);
    rig_run(&rig);
    done = rig_expect_of(&rig, TERN_OP_TREE_PUT, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, value, done), 2);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
}

static void a_bad_put_by_rank_is_refused(void **state)
{
    uint32_t w[16];

    (void)state;
    put_words(w, 31);
    refuses(w, TERN_ST_BAD_NODE);
    put_words(w, 1);
    TERN_SET(DESC, counted, w, 1);
    TERN_SET(DESC, counter, w, 255);
    refuses(w, TERN_ST_BAD_COUNTER);
    rig.fw.tree_groups = 0;
    put_words(w, 1);
    refuses(w, TERN_ST_NO_TREE);
    assert_int_equal(regs.tx_count, 0);
}

static void a_full_group_holds_the_queue_back(void **state)
{
    uint32_t w[16];
    unsigned slot = 0;

    (void)state;
    set_up();
    for (unsigned i = 0; i < TERN_TREE_SLOTS; i++)
        slot = contribute();
    combine_words(w, 8);
    rig_start(&rig, w);
    assert_int_equal(regs.tree_go_count, TERN_TREE_SLOTS);
    end(slot, TERN_TREE_OK, 0);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tree_go_count, TERN_TREE_SLOTS + 1);
}

/* ---- from host memory */

static void long_words(uint32_t *w, uint32_t bytes)
{
    combine_words(w, 0);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, dst_node, w, NODE);
    TERN_SET(DESC, length, w, bytes);
    TERN_SET(DESC, result, w, 0);
}

/* Starts a contribution from host memory; returns its slot. */
static unsigned contribute_long(void)
{
    uint32_t w[16];
    unsigned before = regs.tx_count;

    long_words(w, TERN_TREE_LONG_BYTES);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, before + 1);
    return TERN_F(TXC, slot, regs.tx[before]);
}

static void bytes_of_host_memory_go_through_the_tree_as_a_put(void **state)
{
    const uint32_t *done;
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute_long();
    assert_int_equal(TERN_F(TRO, long, regs.tree_goes[0]), 1);
    assert_int_equal(TERN_F(TRO, group, regs.tree_goes[0]), GROUP);
    assert_int_equal(TERN_F(TRO, op, regs.tree_goes[0]), TERN_TREE_MAX);
    assert_int_equal(TERN_F(TXC, vn, regs.tx[0]), TERN_VN_TREE);
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_TREE_DATA + GROUP);
    assert_int_equal(TERN_F(TXC, inl, regs.tx[0]), 0);
    assert_null(rig_poll(&rig.cq));
    regs_op_end(slot, TERN_ST_OK);
    rig_run(&rig);
    done = rig_expect_of(&rig, TERN_OP_COMBINE, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, length, done), TERN_TREE_LONG_BYTES);
    assert_int_equal(rig.fw.sends, 0);
}

static void bytes_of_host_memory_are_alone_in_their_group(void **state)
{
    uint32_t w[16];
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute_long();
    combine_words(w, 8);
    rig_start(&rig, w);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tree_go_count, 1);
    regs_op_end(slot, TERN_ST_OK);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tree_go_count, 2);
    long_words(w, 8);
    rig_start(&rig, w);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, 1);
}

static void two_of_a_kind_are_under_way_and_a_third_waits(void **state)
{
    uint32_t w[16];
    unsigned first, second;

    (void)state;
    set_up();
    first = contribute_long();
    second = contribute_long();
    long_words(w, TERN_TREE_LONG_BYTES);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 2);
    regs_op_end(first, TERN_ST_OK);
    rig_run(&rig);
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 3);
    regs_op_end(second, TERN_ST_OK);
    regs_op_end(TERN_F(TXC, slot, regs.tx[2]), TERN_ST_OK);
    rig_run(&rig);
    assert_int_equal(rig.fw.sends, 0);
}

static void another_length_waits_for_those_before(void **state)
{
    uint32_t w[16];
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute_long();
    long_words(w, 512);
    rig_start(&rig, w);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, 1);
    regs_op_end(slot, TERN_ST_OK);
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tx_count, 2);
}

static void a_failure_of_bytes_of_host_memory_names_the_rank(void **state)
{
    const uint32_t *done;

    (void)state;
    set_up();
    regs.tree_why[GROUP] = TERN_V(TRW, status, TERN_TREE_TIMEOUT) | TERN_V(TRW, rank, 2);
    regs_op_end(contribute_long(), TERN_ST_NO_GROUP);
    rig_run(&rig);
    done = rig_expect_of(&rig, TERN_OP_COMBINE, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, value, done), 2);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
    assert_int_equal(rig.fw.sends, 0);
    rig_consumed(&rig.cq);
    regs_op_end(contribute_long(), TERN_ST_BAD_KEY);
    rig_run(&rig);
    (void)rig_expect_of(&rig, TERN_OP_COMBINE, TERN_ST_BAD_KEY);
}

static void bytes_of_host_memory_that_do_not_fit_are_refused(void **state)
{
    uint32_t w[16];

    (void)state;
    set_up();
    long_words(w, TERN_TREE_LONG_BYTES + 8);
    refuses(w, TERN_ST_BAD_LENGTH);
    long_words(w, 0);
    refuses(w, TERN_ST_BAD_LENGTH);
    long_words(w, 12);
    refuses(w, TERN_ST_BAD_LENGTH);
    long_words(w, 16);
    TERN_SET(DESC, dst_node, w, NODE + 1);
    refuses(w, TERN_ST_BAD_NODE);
    assert_int_equal(regs.tx_count, 0);
}

static void bytes_of_host_memory_wait_as_long_as_their_group(void **state)
{
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute_long();
    rig_ticks(&rig, 40000);
    assert_null(rig_poll(&rig.cq));
    regs_op_end(slot, TERN_ST_OK);
    rig_run(&rig);
    (void)rig_expect_of(&rig, TERN_OP_COMBINE, TERN_ST_OK);
}

static void a_function_that_ends_gives_its_groups_back(void **state)
{
    unsigned slot;

    (void)state;
    set_up();
    slot = contribute();
    regs.fn[0][(TERN_REG_FN_CTRL - TERN_BAR_FN_REGS) / 4] = 2;
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(&rig, 4);
    assert_int_equal(regs.tree_set_count, 2);
    assert_int_equal(TERN_F(TRS, on, regs.tree_sets[1]), 0);
    assert_int_equal(regs.fn[0][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] & 0xff,
                     TERN_FNSTATE_RESETTING);
    end(slot, TERN_TREE_NO_GROUP, NODE);
    rig_ticks(&rig, 8);
    assert_int_equal(regs.fn[0][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] & 0xff,
                     TERN_FNSTATE_OFF);
    assert_int_equal(rig.fw.sends, 0);
}

/* ---- groups that this node only forwards */

enum { RX = 1, FIRST = 1, SECOND = 2, NO_FUNCTION = 0xff, NO_ANSWER = 0xffff };

static uint32_t forward_word(bool on)
{
    return TERN_V(TRS, epoch, EPOCH) | TERN_V(TRS, group, GROUP) | TERN_V(TRS, children, 3) |
           TERN_V(TRS, on, on);
}

/* Returns the answer to a message of `node`. */
static uint32_t asked(unsigned node, uint32_t what, uint32_t bytes)
{
    uint32_t *h = regs.rx[RX];
    unsigned before = regs.ack_count;

    memset(h, 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, type, h, TERN_PTYPE_TREE_FORWARD);
    TERN_SET(PKT, src, h, node);
    TERN_SET(PKT, length, h, bytes);
    h[TERN_PKT_HEADER_BYTES / 4] = what;
    h[TERN_PKT_HEADER_BYTES / 4 + 1] = LIMIT;
    regs.rx_freed[RX] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_TREE_FORWARD));
    rig_run(&rig);
    return regs.ack_count == before + 1 ? regs.acks[before] >> 8 : NO_ANSWER;
}

static uint32_t forwards_for(unsigned node)
{
    return asked(node, forward_word(true), TERN_FORWARD_BYTES);
}

/* Answers the question to `node` about the group. */
static void answers(unsigned node, uint32_t status)
{
    const uint32_t *w = regs.slot[LAST_SLOT()];

    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_TREE_FORWARD);
    assert_int_equal(TERN_GET(DESC, dst_node, w), node);
    assert_int_equal(w[TERN_TRF_what_WORD],
                     TERN_V(TRS, epoch, EPOCH) | TERN_V(TRS, group, GROUP));
    rig_answer(&rig, status);
}

static void a_node_between_members_forwards_for_them(void **state)
{
    (void)state;
    assert_int_equal(asked(FIRST, forward_word(true) | TERN_V(TRS, self, 1), TERN_FORWARD_BYTES),
                     TERN_ST_OK);
    assert_int_equal(regs.tree_set_count, 1);
    assert_int_equal(regs.tree_sets[0], forward_word(true) | TERN_V(TRG, fn, NO_FUNCTION));
    assert_int_equal(regs.tree_rank, NODE);
    assert_int_equal(regs.tree_wait, LIMIT / TERN_TREE_TICK + 1);
    assert_int_equal(asked(FIRST, forward_word(true), TERN_FORWARD_BYTES - 4), TERN_ST_BAD_LENGTH);
    rig.fw.tree_groups = GROUP;
    assert_int_equal(forwards_for(FIRST), TERN_ST_NO_TREE);
    assert_int_equal(regs.tree_set_count, 1);
}

static void a_group_of_a_function_is_not_forwarded(void **state)
{
    (void)state;
    set_up();
    assert_int_equal(forwards_for(FIRST), TERN_ST_QUEUE_BUSY);
    assert_int_equal(regs.tree_set_count, 1);
    assert_int_equal(regs.tx_count, 0);
}

static void a_group_that_is_in_use_is_not_forwarded_for_another(void **state)
{
    (void)state;
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    for (unsigned i = 1; i <= 2; i++) {
        assert_int_equal(forwards_for(SECOND), TERN_ST_RNR);
        assert_int_equal(forwards_for(SECOND), TERN_ST_RNR);
        assert_int_equal(regs.tx_count, i); /* one question */
        answers(FIRST, TERN_ST_OK);
        assert_int_equal(forwards_for(SECOND), TERN_ST_QUEUE_BUSY);
    }
    assert_int_equal(regs.tree_set_count, 1);
}

static void a_group_that_nobody_uses_any_more_is_forwarded_for_another(void **state)
{
    static const uint32_t ends[] = {TERN_ST_NO_GROUP, TERN_ST_TIMEOUT, TERN_ST_LINK_DOWN};

    (void)state;
    for (unsigned i = 0; i < sizeof(ends) / sizeof(*ends); i++) {
        unsigned node = i % 2 ? SECOND : FIRST;

        if (i == 0)
            assert_int_equal(forwards_for(node), TERN_ST_OK);
        assert_int_equal(forwards_for(FIRST + SECOND - node), TERN_ST_RNR);
        answers(node, ends[i]);
        assert_int_equal(TERN_F(TRS, on, regs.tree_sets[regs.tree_set_count - 1]), 0);
        assert_int_equal(forwards_for(FIRST + SECOND - node), TERN_ST_OK);
    }
}

static void a_node_that_sets_up_anew_has_left_its_old_group(void **state)
{
    (void)state;
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    assert_int_equal(forwards_for(FIRST), TERN_ST_RNR);
    assert_int_equal(TERN_F(TRS, on, regs.tree_sets[1]), 0);
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    assert_int_equal(regs.tx_count, 0);
}

static void a_late_answer_ends_no_group_of_another(void **state)
{
    (void)state;
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    assert_int_equal(forwards_for(SECOND), TERN_ST_RNR);
    regs.tree_state[GROUP] &= ~TERN_V(TRG, active, 1); /* it fails meanwhile */
    assert_int_equal(forwards_for(SECOND), TERN_ST_OK);
    answers(FIRST, TERN_ST_NO_GROUP);
    assert_int_equal(regs.tree_set_count, 2);
    assert_int_equal(forwards_for(FIRST), TERN_ST_RNR);
    answers(SECOND, TERN_ST_OK);
}

static void a_node_says_whether_it_uses_a_group(void **state)
{
    (void)state;
    assert_int_equal(asked(FIRST, forward_word(false), TERN_FORWARD_BYTES), TERN_ST_NO_GROUP);
    set_up();
    assert_int_equal(asked(FIRST, forward_word(false), TERN_FORWARD_BYTES), TERN_ST_OK);
    assert_int_equal(asked(FIRST, forward_word(false) ^ 1, TERN_FORWARD_BYTES), TERN_ST_NO_GROUP);
    regs.tree_state[GROUP] &= ~TERN_V(TRG, active, 1);
    assert_int_equal(asked(FIRST, forward_word(false), TERN_FORWARD_BYTES), TERN_ST_NO_GROUP);
    assert_int_equal(regs.tree_set_count, 1);
}

static void the_host_waits_for_a_group_that_its_node_forwards(void **state)
{
    uint32_t w[16];

    (void)state;
    set_words(w, true);
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    rig_start(&rig, w);
    assert_null(rig_poll(&rig.cq));
    answers(FIRST, TERN_ST_OK);
    rig_ticks(&rig, 4);
    (void)rig_expect_of(&rig, TERN_OP_TREE_SET, TERN_ST_QUEUE_BUSY);
    rig_consumed(&rig.cq);
    rig_start(&rig, w);
    assert_null(rig_poll(&rig.cq));
    answers(FIRST, TERN_ST_NO_GROUP);
    rig_ticks(&rig, 4);
    (void)rig_expect_of(&rig, TERN_OP_TREE_SET, TERN_ST_OK);
    assert_int_equal(TERN_F(TRG, fn, regs.tree_state[GROUP]), 0);
}

static void only_a_group_of_the_function_is_forwarded_elsewhere(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    TERN_SET(DESC, opcode, w, TERN_OP_TREE_FORWARD);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_FORWARD_BYTES);
    TERN_SET(DESC, dst_node, w, SECOND);
    w[TERN_TRF_what_WORD] = forward_word(true);
    refuses(w, TERN_ST_NO_GROUP);
    set_up();
    w[TERN_TRF_what_WORD] ^= 1;
    refuses(w, TERN_ST_NO_GROUP);
    w[TERN_TRF_what_WORD] ^= 1;
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_TREE_FORWARD);
    rig_answer(&rig, TERN_ST_OK);
    (void)rig_expect_of(&rig, TERN_OP_TREE_FORWARD, TERN_ST_OK);
    rig_consumed(&rig.cq);
    rig.fw.tree_groups = 0;
    refuses(w, TERN_ST_NO_TREE);
}

static void a_function_that_ends_leaves_groups_that_its_node_forwards(void **state)
{
    (void)state;
    assert_int_equal(forwards_for(FIRST), TERN_ST_OK);
    regs.fn[0][(TERN_REG_FN_CTRL - TERN_BAR_FN_REGS) / 4] = 2;
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(&rig, 8);
    assert_int_equal(regs.fn[0][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] & 0xff,
                     TERN_FNSTATE_OFF);
    assert_int_equal(regs.tree_set_count, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    const struct CMUnitTest tests[] = {
        TEST(a_set_up_reaches_the_chip),
        TEST(a_contribution_ends_with_its_combination),
        TEST(each_failure_has_its_status_and_names_the_rank),
        TEST(a_contribution_that_does_not_fit_is_refused),
        TEST(without_a_tree_both_are_refused),
        TEST(a_full_group_holds_the_queue_back),
        TEST(a_put_by_rank_takes_the_tree),
        TEST(a_put_by_rank_that_fails_names_the_rank),
        TEST(a_bad_put_by_rank_is_refused),
        TEST(bytes_of_host_memory_go_through_the_tree_as_a_put),
        TEST(bytes_of_host_memory_are_alone_in_their_group),
        TEST(two_of_a_kind_are_under_way_and_a_third_waits),
        TEST(another_length_waits_for_those_before),
        TEST(a_failure_of_bytes_of_host_memory_names_the_rank),
        TEST(bytes_of_host_memory_that_do_not_fit_are_refused),
        TEST(bytes_of_host_memory_wait_as_long_as_their_group),
        TEST(a_function_that_ends_gives_its_groups_back),
        TEST(a_node_between_members_forwards_for_them),
        TEST(a_group_of_a_function_is_not_forwarded),
        TEST(a_group_that_is_in_use_is_not_forwarded_for_another),
        TEST(a_group_that_nobody_uses_any_more_is_forwarded_for_another),
        TEST(a_node_that_sets_up_anew_has_left_its_old_group),
        TEST(a_late_answer_ends_no_group_of_another),
        TEST(a_node_says_whether_it_uses_a_group),
        TEST(the_host_waits_for_a_group_that_its_node_forwards),
        TEST(only_a_group_of_the_function_is_forwarded_elsewhere),
        TEST(a_function_that_ends_leaves_groups_that_its_node_forwards),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
