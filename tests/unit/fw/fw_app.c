/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware's event loop and handlers, over a model of the registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

static struct rig rig;


static int fresh(void **state)
{
    (void)state;
    regs_reset();
    return 0;
}

static uint32_t fn_status(unsigned fn)
{
    return regs.fn[fn][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4];
}

static uint32_t fn_error(unsigned fn)
{
    return regs.fn[fn][(TERN_REG_FN_ERROR - TERN_BAR_FN_REGS) / 4];
}

/* Checks and returns the next completion, which must be there. */
static const uint32_t *expect(struct rig_queue *cq, unsigned status)
{
    const uint32_t *done = rig_poll(cq);

    assert_non_null(done);
    assert_int_equal(STATUS(done), status);
    return done;
}

static void expect_none(struct rig_queue *cq)
{
    assert_null(rig_poll(cq));
}

static void boot_clears_what_an_earlier_life_left(void **state)
{
    (void)state;
    regs.queue[9].config = TERN_QTYPE_SQ << 16;
    regs.region[5][7] = UINT32_C(1) << 31;
    regs.slot_used[3] = true;
    regs.reset_cause = 2;
    regs.fn[1][1] = TERN_FNSTATE_READY | 4u << 16;
    regs.op[2].busy = true;
    rig_boot(&rig);
    rig_run(&rig);
    assert_int_equal(regs.state, TERN_FWSTATE_READY);
    assert_int_equal(regs.queue[9].config, 0);
    assert_int_equal(regs.region[5][7], 0);
    assert_false(regs.slot_used[3]);
    assert_false(regs.op[2].busy);
    assert_int_equal(fn_status(1),
                     TERN_FNSTATE_OFF | 5u << 16); /* the function was reset */
    assert_true(regs.watchdog > 0);
    assert_int_equal(regs.log[0], 0xa5u << 24 | TERN_LOG_BOOT << 8 | 2);
}

/* Function 0 is also enabled first, and most used. */
static void a_core_reset_is_a_reset_of_every_function(void **state)
{
    (void)state;
    regs.reset_cause = 1;
    for (unsigned n = 0; n < 4; n++) {
        regs.fn[n][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] = TERN_FNSTATE_READY | (6 + n)
                                                                                           << 16;
        regs.fn[n][(TERN_REG_AQ_QUEUE - TERN_BAR_FN_REGS) / 4] = 77;
        regs.fn[n][(TERN_REG_FN_ERROR - TERN_BAR_FN_REGS) / 4] = 77;
    }
    rig_boot(&rig);
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(fn_status(n), TERN_FNSTATE_OFF | (7 + n) << 16);
        assert_int_equal(regs.fn[n][(TERN_REG_AQ_QUEUE - TERN_BAR_FN_REGS) / 4], 0);
        assert_int_equal(fn_error(n), 0);
    }
}

static void a_firmware_that_fails_its_self_test_says_so_and_serves_nothing(void **state)
{
    (void)state;
    regs.node = 0x8000; /* a node outside any torus */
    memset(&rig, 0, sizeof(rig));
    assert_false(fw_init(&rig.fw, 12345));
    assert_int_equal(regs.state & 0xffff, TERN_FWSTATE_FAILED);
    assert_int_not_equal(regs.log[0], 0);
    assert_int_equal(fn_status(0), 0);
}

static void enabling_names_what_is_wrong(void **state)
{
    static const struct {
        uint32_t reg, value, status;
    } rows[] = {
        {TERN_REG_ABI_WANTED, 0x00020000, TERN_ST_ABI_MISMATCH},
        {TERN_REG_AQ_BASE_LO, 0x00100020, TERN_ST_BAD_ALIGN},
        {TERN_REG_AQ_SIZE, 16, TERN_ST_BAD_SIZE},
        {TERN_REG_AQ_SIZE, 19 << 8, TERN_ST_BAD_SIZE},
    };

    (void)state;
    rig_boot(&rig);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t *word = &regs.fn[1][(rows[i].reg - TERN_BAR_FN_REGS) / 4];

        (void)rig_enable(&rig, 2); /* leaves valid words in its own row */
        memcpy(regs.fn[1], regs.fn[2], sizeof(regs.fn[1]));
        *word = rows[i].value;
        regs_event(TERN_EV_BAR, TERN_V(EV, fn, 1) | TERN_V(EV, value, 1));
        rig_run(&rig);
        assert_int_equal(fn_status(1), TERN_FNSTATE_ERROR | rows[i].status << 8);
    }
    assert_int_equal(rig_enable(&rig, 1), TERN_FNSTATE_READY);
    assert_int_equal(regs.fn[1][(TERN_REG_AQ_QUEUE - TERN_BAR_FN_REGS) / 4], 1 | 5 << 16);
    /* The entry covers the admin memory only, though function 2 was enabled first. */
    assert_int_equal(regs.region[2][6] >> 16 & 0xff, 1);
    assert_int_equal(regs.region[2][2], (64u + 32u) << RIG_AQ_LOG2);
}

static void a_silent_put_is_one_command_and_no_completion(void **state)
{
    uint32_t w[16];
    uint32_t command;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 4096, 0);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    command = TX_LAST();
    assert_int_equal(TERN_F(TXC, vn, command), TERN_VN_DATA);
    assert_int_equal(TERN_F(TXC, type, command), TERN_PTYPE_PUT);
    assert_int_equal(TERN_F(TXC, unacked, command), 0);
    assert_int_equal(TERN_F(TXC, notify, command), 0);
    assert_int_equal(TERN_F(TXC, inl, command), 0);
    rig_end(&rig, TERN_F(TXC, slot, command), TERN_ST_OK);
    expect_none(&rig.cq);
}

static void a_signalled_put_completes_with_its_index(void **state)
{
    uint32_t w[16];
    const uint32_t *done;
    unsigned before;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_post(&rig, &rig.sq, w);
    rig_put(w, 8, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED);
    rig_start(&rig, w);
    expect_none(&rig.cq);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, unacked, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    before = regs.interrupts;
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    done = expect(&rig.cq, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, index, done), 1);
    assert_int_equal(TERN_GET(CQE, queue, done), rig.sq.number);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_PUT);
    assert_int_equal(TERN_GET(CQE, length, done), 8);
    assert_int_equal(regs.interrupts, before + 1);
    assert_int_equal(regs.last_vector, 5);
}

static void a_silent_put_that_fails_completes_with_the_error(void **state)
{
    uint32_t w[16];
    const uint32_t *done;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 4096, 0);
    rig_start(&rig, w);
    regs.sent = 1u << LAST_SLOT();
    rig_end(&rig, LAST_SLOT(), TERN_ST_BAD_KEY);
    done = expect(&rig.cq, TERN_ST_BAD_KEY);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
    assert_int_equal(TERN_GET(CQE, fault, done), 2);
}

static void bad_descriptors_complete_with_their_own_status(void **state)
{
    static const struct {
        unsigned opcode, flags, version, node;
        uint32_t bytes, inline_len;
        unsigned status;
    } rows[] = {
        {0x33, 0, 1, 2, 8, 0, TERN_ST_BAD_OPCODE},
        {TERN_OP_TREE_FORWARD + 1, 0, 1, 2, 8, 0, TERN_ST_BAD_OPCODE},
        {TERN_OP_PUT, 0, 2, 2, 8, 0, TERN_ST_BAD_VERSION},
        {TERN_OP_PUT, 0, 1, 2, 0, 0, TERN_ST_BAD_LENGTH},
        {TERN_OP_PUT, 0, 1, 2, TERN_PUT_BYTES_MAX + 1, 0, TERN_ST_BAD_LENGTH},
        {TERN_OP_PUT, TERN_DFLAG_INLINE, 1, 2, 8, 33, TERN_ST_BAD_LENGTH},
        {TERN_OP_PUT, TERN_DFLAG_INLINE, 1, 2, 8, 0, TERN_ST_BAD_LENGTH},
        {TERN_OP_PUT, 0, 1, 4, 8, 0, TERN_ST_BAD_NODE},
        {TERN_OP_PUT, 0, 1, 1 << 5, 8, 0, TERN_ST_BAD_NODE},
        {TERN_OP_SEND, 0, 1, 2, 513, 0, TERN_ST_BAD_LENGTH},
        {TERN_OP_SEND, 0, 1, 9, 8, 0, TERN_ST_BAD_NODE},
    };

    (void)state;
    rig_open(&rig, 4, 4);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t w[16];
        const uint32_t *done;

        rig_put(w, rows[i].bytes, rows[i].flags);
        TERN_SET(DESC, opcode, w, rows[i].opcode);
        TERN_SET(DESC, version, w, rows[i].version);
        TERN_SET(DESC, dst_node, w, rows[i].node);
        TERN_SET(DESC, inline_len, w, rows[i].inline_len);
        rig_start(&rig, w);
        done = expect(&rig.cq, rows[i].status);
        assert_int_equal(TERN_GET(CQE, index, done), i);
        assert_int_equal(TERN_GET(CQE, opcode, done), rows[i].opcode);
        rig_consumed(&rig.cq);
    }
    assert_int_equal(regs.tx_count, 6); /* the transmit unit checks lengths and nodes of puts */
    /* The next valid one works. */
    {
        uint32_t w[16];

        rig_put(w, 8, 0);
        rig_start(&rig, w);
        assert_int_equal(regs.tx_count, 7);
    }
}

static void largest_lengths_are_allowed(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, TERN_PUT_BYTES_MAX, 0);
    rig_post(&rig, &rig.sq, w);
    rig_put(w, 32, TERN_DFLAG_INLINE);
    rig_post(&rig, &rig.sq, w);
    rig_send(w, 512, 0);
    rig_post(&rig, &rig.sq, w);
    rig_send(w, 0, 0);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 4);
}

static void a_link_that_is_down_is_named(void **state)
{
    uint32_t w[16];
    const uint32_t *done;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0); /* from node 1 to node 2: port 0 */
    rig_post(&rig, &rig.sq, w);
    TERN_SET(DESC, dst_node, w, 0); /* port 1 */
    rig_start(&rig, w);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    done = expect(&rig.cq, TERN_ST_LINK_DOWN); /* the put in flight */
    assert_int_equal(TERN_GET(CQE, link, done), 1);
    assert_int_equal(TERN_GET(CQE, node, done), 1);
    assert_int_equal(TERN_GET(CQE, index, done), 0);
    assert_true(regs.op[1].busy); /* a put through the other port goes on */
    TERN_SET(DESC, dst_node, w, 2);
    rig_start(&rig, w);
    done = expect(&rig.cq, TERN_ST_LINK_DOWN); /* a put that had not started */
    assert_int_equal(TERN_GET(CQE, link, done), 1);
    assert_int_equal(TERN_GET(CQE, node, done), 1);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 1));
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 3);
}

static void a_full_completion_queue_stops_its_ring_and_loses_nothing(void **state)
{
    uint32_t w[16];
    unsigned got = 0;

    (void)state;
    rig_open(&rig, 4, 1); /* two completions fit */
    for (unsigned i = 0; i < 6; i++) {
        rig_put(w, 0, 0); /* each completes at once with an error */
        rig_post(&rig, &rig.sq, w);
    }
    rig_run(&rig);
    assert_true(regs.queue[rig.sq.number].config >> 24 & 1);
    for (unsigned i = 0; i < 20 && got < 6; i++) {
        const uint32_t *done = rig_poll(&rig.cq);

        if (done) {
            assert_int_equal(TERN_GET(CQE, index, done), got++);
            continue;
        }
        rig_consumed(&rig.cq);
        rig_ticks(&rig, 1);
    }
    assert_int_equal(got, 6);
    expect_none(&rig.cq);
    assert_true(rig.fw.stat[TERN_STAT_fw_cq_stalls - FW_STAT_FIRST] > 0);
    for (unsigned i = 0; i < REGS_SLOTS; i++)
        assert_false(regs.slot_used[i]);
}

static void silent_puts_give_their_places_back(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 1);
    for (unsigned i = 0; i < 40; i++) {
        rig_put(w, 8, 0);
        rig_start(&rig, w);
        assert_int_equal(regs.tx_count, i + 1);
        regs_op_end(LAST_SLOT(), TERN_ST_OK);
    }
    /* Two puts in flight reserve both places; the third has to wait. */
    for (unsigned i = 0; i < 3; i++)
        rig_post(&rig, &rig.sq, w);
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 42);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 43);
}

static void signalled_puts_hold_their_places(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 1);
    for (unsigned i = 0; i < 3; i++) {
        rig_put(w, 8, TERN_DFLAG_SIGNAL);
        rig_post(&rig, &rig.sq, w);
    }
    rig_run(&rig);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 2);
    regs_op_end(0, TERN_ST_OK);
    regs_op_end(1, TERN_ST_OK);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 2); /* completions occupy both places */
    expect(&rig.cq, TERN_ST_OK);
    expect(&rig.cq, TERN_ST_OK);
    rig_consumed(&rig.cq);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 3);
}

static void without_room_a_descriptor_is_held_and_then_started(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    regs.tx_space = 0;
    rig.fw.tx.room = 0;
    rig_put(w, 8, 0);
    rig_post(&rig, &rig.sq, w);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 0);
    regs_event(TERN_EV_LINK,
               TERN_V(EV, port, 1) | TERN_V(EV, up, 0)); /* other nodes are still served */
    rig_run(&rig);
    assert_int_equal(rig.fw.links_up & 2, 0);
    regs.tx_space = 8;
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(regs.mask, UINT32_MAX);
}

static void more_puts_than_slots_wait_in_order(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 5, 5);
    for (unsigned i = 0; i < REGS_POOL + 4; i++) {
        rig_put(w, 8, 0);
        rig_post(&rig, &rig.sq, w);
    }
    rig_run(&rig);
    assert_int_equal(regs.tx_count, REGS_POOL);
    for (unsigned i = 0; i < 4; i++)
        regs_op_end(i, TERN_ST_OK);
    rig_run(&rig);
    assert_int_equal(regs.tx_count, REGS_POOL + 4);
    assert_int_equal(TERN_GET(DESC, index, regs.slot[LAST_SLOT()]),
                     REGS_POOL + 3);
}

static void a_fence_waits_for_all_before_it(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_post(&rig, &rig.sq, w);
    rig_put(w, 8, TERN_DFLAG_FENCE);
    rig_post(&rig, &rig.sq, w);
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 1);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 3);
}

/* One in flight, then one that will be sent again. */
static void a_fence_of_a_put_waits_for_messages(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_send(w, 8, 0);
    rig_start(&rig, w);
    rig_end(&rig, LAST_SLOT(), TERN_ST_RNR);
    rig_put(w, 8, TERN_DFLAG_FENCE);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 2);
    rig_answer(&rig, TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 3);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_PUT);
    rig_send(w, 8, 0);
    rig_start(&rig, w);
    rig_put(w, 8, TERN_DFLAG_FENCE);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 4);
}

/*
 * The first put of a queue finds no place counted, and takes the slow path with what follows at
 * once.
 */
static void a_fence_of_a_put_waits_for_a_put_of_the_quick_loop(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    for (unsigned i = 1; i <= 2; i++) {
        rig_put(w, 8, 0);
        rig_start(&rig, w);
        assert_int_equal(regs.tx_count, i);
        if (i == 1)
            regs_op_end(LAST_SLOT(), TERN_ST_OK);
    }
    rig_put(w, 8, TERN_DFLAG_FENCE);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 2);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 3);
}

/* With a completion place taken, and flags as they are. */
static void a_put_behind_an_open_fence_starts_at_once(void **state)
{
    uint32_t w[16], room;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    room = rig.fw.queue[rig.cq.number].room;
    rig_put(w, 8, TERN_DFLAG_FENCE | TERN_DFLAG_SIGNAL);
    rig_post(&rig, &rig.sq, w);
    fw_step(&rig.fw);
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_PUT);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    assert_int_equal(rig.fw.queue[rig.cq.number].room, room - 1);
    assert_int_equal(rig.fw.parked, 0);
    rig_answer(&rig, TERN_ST_OK);
    (void)expect(&rig.cq, TERN_ST_OK);
}

static void no_progress_ends_in_a_timeout_that_names_the_node(void **state)
{
    uint32_t w[16];
    const uint32_t *done;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    for (unsigned i = 0; i < 100; i++) { /* a link with progress is not declared dead */
        regs.progress = 1;
        rig_ticks(&rig, 1);
    }
    expect_none(&rig.cq);
    rig_ticks(&rig, 70);
    done = expect(&rig.cq, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, node, done), 2);
    assert_int_equal(TERN_GET(CQE, fault, done), 3);
    assert_false(regs.op[0].busy);
}

static void a_message_has_eight_times_the_time_of_a_put(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_send(w, 8, 0);
    rig_start(&rig, w);
    regs.sent |= 1u << LAST_SLOT();
    rig_ticks(&rig, 64 * 8);
    expect_none(&rig.cq);
    rig_ticks(&rig, 8);
    rig_run(&rig);
    (void)expect(&rig.cq, TERN_ST_TIMEOUT);
}

static void a_put_behind_a_long_one_is_not_late(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, TERN_PUT_BYTES_MAX, 0);
    rig_post(&rig, &rig.sq, w);
    rig_start(&rig, w);
    for (unsigned i = 0; i < 200; i++) {
        regs.progress = 1; /* only the first makes progress */
        rig_ticks(&rig, 1);
    }
    expect_none(&rig.cq);
    assert_true(regs.op[1].busy);
}

static void a_message_is_repeated_while_the_receiver_is_not_ready(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_send(w, 16, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    rig_start(&rig, w);
    for (unsigned i = 1; i <= 3; i++) {
        assert_int_equal(regs.tx_count, i);
        assert_int_equal(TERN_F(TXC, msg, TX_LAST()), 1);
        assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_REQUEST);
        rig_end(&rig, LAST_SLOT(), TERN_ST_RNR);
        rig_ticks(&rig, 1u << (i - 1));
    }
    assert_int_equal(regs.tx_count, 4);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, length, expect(&rig.cq, TERN_ST_OK)), 16);
    assert_false(regs.slot_used[LAST_SLOT()]);
}

static void a_receiver_never_ready_is_an_error(void **state)
{
    uint32_t w[16];
    unsigned tries = 0;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_send(w, 16, 0);
    rig_start(&rig, w);
    for (unsigned i = 0; i < 200; i++) {
        if (regs.tx_count > tries) {
            tries = regs.tx_count;
            regs_op_end(LAST_SLOT(), TERN_ST_RNR);
        }
        rig_ticks(&rig, 1);
    }
    assert_int_equal(tries, 9); /* the first try and eight retries */
    expect(&rig.cq, TERN_ST_RNR);
    for (unsigned i = 0; i < REGS_SLOTS; i++)
        assert_false(regs.slot_used[i]);
}

/* A message arrives in receive slot `slot`. */
static void arrive(unsigned slot, uint32_t type, uint32_t queue, uint32_t bytes)
{
    uint32_t *h = regs.rx[slot];

    memset(h, 0, 32);
    TERN_SET(PKT, type, h, type);
    TERN_SET(PKT, flags, h, TERN_PFLAG_IMM);
    TERN_SET(PKT, src, h, 3);
    TERN_SET(PKT, length, h, bytes);
    h[4] = 0xfeed;
    h[5] = queue | 77u << 16;
    regs.rx_freed[slot] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, slot) | TERN_V(EV, pkttype, type));
    rig_run(&rig);
}

static void expect_ack(unsigned slot, uint32_t status)
{
    assert_true(regs.ack_count > 0);
    assert_int_equal(regs.acks[regs.ack_count - 1], slot | status << 8);
    assert_true(regs.rx_freed[slot]);
}

static void a_message_lands_in_its_ring_then_completes_then_is_acked(void **state)
{
    const uint32_t *done;
    unsigned writes;

    (void)state;
    rig_open(&rig, 4, 4);
    arrive(1, TERN_PTYPE_SEND, rig.rq.number, 20);
    expect_ack(1, TERN_ST_OK);
    assert_int_equal(*regs_words(rig.rq.ring), 0x51515151);
    done = expect(&rig.cq, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_RECV);
    assert_int_equal(TERN_GET(CQE, queue, done), rig.rq.number);
    assert_int_equal(TERN_GET(CQE, length, done), 20);
    assert_int_equal(TERN_GET(CQE, imm, done), 0xfeed);
    assert_int_equal(TERN_GET(CQE, flags, done), TERN_DFLAG_IMM);
    assert_int_equal(TERN_GET(CQE, node, done), 3);
    assert_int_equal(TERN_GET(CQE, value, done), 77);
    writes = regs.hw_writes;
    arrive(2, TERN_PTYPE_SEND, rig.rq.number, 0);
    /* An empty message is also written, so that it cannot overtake the one before it. */
    assert_int_equal(regs.hw_writes - writes, 3);
    done = expect(&rig.cq, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, index, done), 1);
    assert_int_equal(TERN_GET(CQE, length, done), 0);
}

static void messages_that_cannot_be_taken_are_answered(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    arrive(0, TERN_PTYPE_SEND, rig.rq.number, 65);
    expect_ack(0, TERN_ST_MSG_TOO_LONG);
    arrive(0, TERN_PTYPE_SEND, 30, 8);
    expect_ack(0, TERN_ST_BAD_QUEUE);
    arrive(0, TERN_PTYPE_SEND, 0xffff, 8);
    expect_ack(0, TERN_ST_BAD_QUEUE);
    arrive(0, TERN_PTYPE_SEND, rig.sq.number, 8);
    expect_ack(0, TERN_ST_BAD_TYPE);
    arrive(0, 0x3f, rig.rq.number, 8);
    expect_ack(0, TERN_ST_BAD_OPCODE);
    expect_none(&rig.cq);
    for (unsigned i = 0; i < 4; i++) {
        arrive(i, TERN_PTYPE_SEND, rig.rq.number, 8);
        expect_ack(i, TERN_ST_OK);
    }
    arrive(0, TERN_PTYPE_SEND, rig.rq.number, 8);
    expect_ack(0, TERN_ST_RNR);
    regs.queue[rig.rq.number].doorbell = 1; /* the host took one message */
    arrive(0, TERN_PTYPE_SEND, rig.rq.number, 8);
    expect_ack(0, TERN_ST_OK);
}

static void a_ring_that_cannot_be_written_is_told_to_both_sides(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    regs.region[rig.key[0] & 0xffff][7] = 0; /* the region is gone */
    arrive(0, TERN_PTYPE_SEND, rig.rq.number, 8);
    expect_ack(0, TERN_ST_HOST_FAULT);
    /* The completion could not be written either, so the function's register reports the error. */
    assert_int_equal(fn_error(0) & 0xff, TERN_ST_BAD_KEY);
    assert_int_equal(fn_error(0) >> 8 & 0xffff, rig.cq.number);
}

static void a_bad_doorbell_is_counted_in_its_function(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    regs_event(TERN_EV_DBERR,
               TERN_V(EV, fn, 0) | TERN_V(EV, queue, 31) | TERN_V(EV, err, 0));
    rig_run(&rig);
    assert_int_equal(fn_error(0), TERN_ST_BAD_QUEUE | 31u << 8 | 1u << 24);
    regs_event(TERN_EV_DBERR,
               TERN_V(EV, fn, 0) | TERN_V(EV, queue, rig.sq.number) | TERN_V(EV, err, 1));
    rig_run(&rig);
    assert_int_equal(fn_error(0), TERN_ST_BAD_DOORBELL | rig.sq.number << 8 | 2u << 24);
}

static void create_words(uint32_t *w, unsigned type, uint32_t cq)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, type);
    TERN_SET(ADM, log2_entries, w, 2);
    TERN_SET(ADM, log2_bytes, w, 6);
    TERN_SET(ADM, addr, w, rig_page(0) + RIG_DATA);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, cq, w, type == TERN_QTYPE_CQ ? 0 : cq);
    TERN_SET(ADM, vector, w, TERN_VECTOR_NONE);
}

#define CREATE(field, value, status) \
    do { \
        create_words(w, TERN_QTYPE_SQ, rig.cq.number); \
        TERN_SET(ADM, field, w, value); \
        assert_int_equal(STATUS(rig_admin(&rig, 0, w)), status); \
    } while (0)

static void creating_queues_names_what_is_wrong(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    CREATE(qtype, 0, TERN_ST_BAD_TYPE);
    CREATE(log2_entries, 16, TERN_ST_BAD_SIZE);
    CREATE(addr, rig_page(0) + RIG_DATA + 8, TERN_ST_BAD_ALIGN);
    CREATE(addr, rig_page(0) + RIG_PAGE - 64, TERN_ST_BAD_RANGE);
    CREATE(addr, rig_page(1), TERN_ST_BAD_RANGE);
    CREATE(key, rig.key[0] ^ 0x10000, TERN_ST_BAD_KEY);
    CREATE(key, 0, TERN_ST_BAD_KEY);
    CREATE(key, 0xffff, TERN_ST_BAD_KEY);
    CREATE(id, rig.sq.number, TERN_ST_QUEUE_BUSY);
    CREATE(id, 3, TERN_ST_BAD_QUEUE);
    CREATE(id, REGS_QUEUES, TERN_ST_BAD_QUEUE);
    CREATE(cq, rig.sq.number, TERN_ST_BAD_TYPE);
    CREATE(cq, 31, TERN_ST_BAD_QUEUE);
    CREATE(cq, 5, TERN_ST_NOT_OWNER); /* the admin completion queue of function 1 */
    create_words(w, TERN_QTYPE_SQ, rig.cq.number);
    assert_int_equal(STATUS(rig_admin(&rig, 1, w)),
                     TERN_ST_NOT_OWNER); /* function 0's CQ */
    create_words(w, TERN_QTYPE_CQ, 0);
    assert_int_equal(STATUS(rig_admin(&rig, 1, w)),
                     TERN_ST_NOT_OWNER); /* function 0's region */
    CREATE(id, 20, TERN_ST_OK);
    CREATE(id, 20, TERN_ST_QUEUE_BUSY);
    for (unsigned i = 0; i < 20; i++) {
        create_words(w, TERN_QTYPE_SQ, rig.cq.number);
        (void)rig_admin(&rig, 0, w);
    }
    CREATE(id, TERN_QUEUE_ANY, TERN_ST_NO_RESOURCE);
}

static uint32_t one_word(unsigned fn, unsigned opcode, uint32_t id, uint32_t key)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, opcode);
    TERN_SET(ADM, id, w, id);
    TERN_SET(ADM, key, w, key);
    return STATUS(rig_admin(&rig, fn, w));
}

static void deleting_waits_for_what_is_in_flight(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    assert_int_equal(one_word(0, TERN_ADMIN_DELETE_QUEUE, 31, 0), TERN_ST_BAD_QUEUE);
    assert_int_equal(one_word(0, TERN_ADMIN_DELETE_QUEUE, 0, 0), TERN_ST_BAD_QUEUE);
    assert_int_equal(one_word(1, TERN_ADMIN_DELETE_QUEUE, rig.sq.number, 0),
                     TERN_ST_NOT_OWNER);
    assert_int_equal(one_word(0, TERN_ADMIN_DELETE_QUEUE, rig.cq.number, 0),
                     TERN_ST_QUEUE_BUSY);
    rig_put(w, 8, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, rig.sq.number);
    rig_post(&rig, &rig.aq[0], w);
    rig_ticks(&rig, 3);
    expect_none(&rig.acq[0]);
    regs_op_end(LAST_SLOT(), TERN_ST_OK);
    rig_ticks(&rig, 3);
    expect(&rig.cq, TERN_ST_OK);
    expect(&rig.acq[0], TERN_ST_OK);
    assert_int_equal(regs.queue[rig.sq.number].config, 0);
    rig_consumed(&rig.acq[0]);
    assert_int_equal(one_word(0, TERN_ADMIN_DELETE_QUEUE, rig.rq.number, 0), TERN_ST_OK);
    assert_int_equal(one_word(0, TERN_ADMIN_DELETE_QUEUE, rig.cq.number, 0), TERN_ST_OK);
}

static uint32_t reg_wanted(unsigned fn, uint64_t size, uint32_t rights, uint32_t counter,
                           uint32_t key, unsigned status)
{
    uint32_t w[16] = {0};
    const uint32_t *done;

    TERN_SET(DESC, opcode, w, TERN_ADMIN_REG_REGION);
    TERN_SET(ADM, addr, w, rig_page(fn) + RIG_DATA);
    TERN_SET(ADM, size, w, size);
    TERN_SET(ADM, rights, w, rights);
    TERN_SET(ADM, counter, w, counter);
    TERN_SET(ADM, key, w, key);
    done = rig_admin(&rig, fn, w);
    assert_int_equal(STATUS(done), status);
    return (uint32_t)TERN_GET(CQE, length, done);
}

static uint32_t reg_region(unsigned fn, uint64_t size, uint32_t rights, uint32_t counter,
                           unsigned status)
{
    return reg_wanted(fn, size, rights, counter, TERN_KEY_NONE, status);
}

static void regions_are_registered_and_released_by_their_owner(void **state)
{
    uint32_t key;

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    (void)reg_region(0, 0, 1, TERN_COUNTER_NONE, TERN_ST_BAD_SIZE);
    (void)reg_region(0, UINT64_C(1) << 48, 1, TERN_COUNTER_NONE, TERN_ST_BAD_SIZE);
    (void)reg_region(0, 64, 0x80, TERN_COUNTER_NONE, TERN_ST_BAD_RIGHTS);
    (void)reg_region(0, 64, 1, 3, TERN_ST_BAD_COUNTER);
    key = reg_region(1, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    assert_int_not_equal(key & 0xffff, 0);
    assert_int_equal(one_word(0, TERN_ADMIN_REL_REGION, 0, key), TERN_ST_NOT_OWNER);
    assert_int_equal(one_word(1, TERN_ADMIN_REL_REGION, 0, key ^ 0x10000),
                     TERN_ST_BAD_KEY);
    assert_int_equal(one_word(1, TERN_ADMIN_REL_REGION, 0, key), TERN_ST_OK);
    assert_int_equal(one_word(1, TERN_ADMIN_REL_REGION, 0, key), TERN_ST_BAD_KEY);
    assert_int_equal(one_word(0, TERN_ADMIN_REL_REGION, 0, rig.key[0]),
                     TERN_ST_QUEUE_BUSY);
    assert_int_not_equal(reg_region(1, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK), key);
}

static void a_wanted_key_is_given_once(void **state)
{
    const uint32_t last = REGS_REGIONS - 1, key = 0xabcd0000 | last;

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    (void)reg_wanted(0, 64, 1, TERN_COUNTER_NONE, 0xabcd0000, TERN_ST_BAD_KEY);
    (void)reg_wanted(0, 64, 1, TERN_COUNTER_NONE, 0xabcd0000 | REGS_REGIONS, TERN_ST_BAD_KEY);
    assert_int_equal(reg_wanted(0, 64, 1, TERN_COUNTER_NONE, key, TERN_ST_OK), key);
    assert_int_equal(regs.region[last][3] >> 16, 0xabcd);
    /* taken, even with another tag and for another function */
    (void)reg_wanted(0, 64, 1, TERN_COUNTER_NONE, key, TERN_ST_QUEUE_BUSY);
    (void)reg_wanted(1, 64, 1, TERN_COUNTER_NONE, last, TERN_ST_QUEUE_BUSY);
    assert_int_equal(one_word(0, TERN_ADMIN_REL_REGION, 0, key), TERN_ST_OK);
    assert_int_equal(reg_wanted(1, 64, 1, TERN_COUNTER_NONE, last, TERN_ST_OK), last);
}

static void the_region_table_can_be_filled_and_emptied(void **state)
{
    uint32_t keys[REGS_REGIONS];
    unsigned count = 0;

    (void)state;
    rig_open(&rig, 4, 4);
    for (; count < REGS_REGIONS - 3; count++) /* beside entry 0, the page and the admin memory */
        keys[count] = reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    (void)reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_NO_RESOURCE);
    for (unsigned i = 0; i < count; i++)
        assert_int_equal(one_word(0, TERN_ADMIN_REL_REGION, 0, keys[i]), TERN_ST_OK);
    (void)reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
}

static void counters_belong_to_who_set_them(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, w, 3);
    TERN_SET(ADM, length, w, 1000);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    assert_int_equal(STATUS(rig_admin(&rig, 1, w)), TERN_ST_BAD_COUNTER);
    assert_int_equal(one_word(1, TERN_ADMIN_GET_COUNTER, 3, 0), TERN_ST_BAD_COUNTER);
    assert_int_equal(one_word(0, TERN_ADMIN_GET_COUNTER, REGS_COUNTERS, 0),
                     TERN_ST_BAD_COUNTER);
    (void)reg_region(0, 64, 1, 3, TERN_ST_OK);
    (void)reg_region(1, 64, 1, 3, TERN_ST_BAD_COUNTER);
    regs.counter[3] = 17;
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_ADMIN_GET_COUNTER);
    TERN_SET(ADM, id, w, 3);
    assert_int_equal(TERN_GET(CQE, value, rig_admin(&rig, 0, w)), 17);
}

static const uint32_t *long_answer(unsigned fn, unsigned opcode, uint32_t bytes,
                                   uint32_t key)
{
    uint32_t w[16] = {0};

    memset(regs_words(rig_page(0) + RIG_DATA), 0xcc, 1024);
    TERN_SET(DESC, opcode, w, opcode);
    TERN_SET(ADM, length, w, bytes);
    TERN_SET(ADM, addr, w, rig_page(0) + RIG_DATA);
    TERN_SET(ADM, key, w, key);
    return rig_admin(&rig, fn, w);
}

static void long_answers_are_written_in_pieces(void **state)
{
    const uint32_t *data = regs_words(rig_page(0) + RIG_DATA);
    const uint32_t *done;

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    done = long_answer(0, TERN_ADMIN_IDENTIFY, 4096, rig.key[0]);
    assert_int_equal(STATUS(done), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, length, done), 4 * TERN_ID_WORDS);
    assert_int_equal(data[TERN_ID_FW_BYTES], 12345);
    assert_int_equal(data[TERN_ID_FIRST_QUEUE], 2 * REGS_FUNCTIONS);
    assert_int_equal(data[TERN_ID_WORDS], 0xcccccccc); /* not one byte more */
    done = long_answer(0, TERN_ADMIN_IDENTIFY, 11, rig.key[0]);
    assert_int_equal(TERN_GET(CQE, length, done), 8);
    assert_int_equal(data[2], 0xcccccccc);
    done = long_answer(0, TERN_ADMIN_STATS, 512, rig.key[0]);
    assert_int_equal(TERN_GET(CQE, length, done), 512);
    assert_int_equal(data[2 * TERN_STAT_rx_packets], 100 + TERN_STAT_rx_packets);
    assert_int_equal(data[2 * TERN_STAT_fw_admin],
                     rig.fw.stat[TERN_STAT_fw_admin - FW_STAT_FIRST]);
    done = long_answer(0, TERN_ADMIN_LOG, 16,
                       rig.key[0]); /* without room for the largest record */
    assert_int_equal(TERN_GET(CQE, length, done), 0);
    assert_int_equal(regs.log_taken, 0);
    done = long_answer(0, TERN_ADMIN_LOG, 1024, rig.key[0]);
    assert_int_equal(STATUS(done), TERN_ST_OK);
    assert_int_equal(data[0], 0xa5u << 24 | TERN_LOG_BOOT << 8 | 2);
    assert_int_equal(TERN_GET(CQE, length, done), 4 * regs.log_taken);
    assert_true(regs.log_taken > 0);
    done = long_answer(0, TERN_ADMIN_LOG, 1024, rig.key[0]);
    assert_int_equal(TERN_GET(CQE, length, done), 0);
    assert_int_equal(STATUS(long_answer(1, TERN_ADMIN_LOG, 64, rig.key[0])),
                     TERN_ST_DENIED);
    assert_int_equal(STATUS(long_answer(1, TERN_ADMIN_STATS, 64, rig.key[0])),
                     TERN_ST_NOT_OWNER);
    assert_int_equal(STATUS(long_answer(0, TERN_ADMIN_STATS, 64, 5)), TERN_ST_BAD_KEY);
    assert_int_equal(STATUS(long_answer(0, 0x77, 64, 5)), TERN_ST_BAD_OPCODE);
}

static void a_full_write_channel_delays_and_loses_nothing(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    regs.hw_space = 1;
    rig.fw.hwr.room = 0;
    rig_put(w, 0, 0);
    rig_start(&rig, w);
    expect_none(&rig.cq);
    assert_int_equal(regs.mask, 1u << TERN_EV_HWR);
    regs.hw_space = 4;
    rig_run(&rig);
    expect(&rig.cq, TERN_ST_BAD_LENGTH);
    assert_int_equal(regs.mask, UINT32_MAX);
}

static void without_ack_places_packets_wait(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    regs.ack_space = 0;
    rig.fw.rx.ack_room = 0;
    arrive(0, TERN_PTYPE_SEND, 30, 8);
    assert_int_equal(regs.ack_count, 0);
    regs.ack_space = 16;
    rig_run(&rig);
    expect_ack(0, TERN_ST_BAD_QUEUE);
}

static void request_reset(unsigned fn)
{
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, fn) | TERN_V(EV, value, 2));
}

static void resetting_a_function_takes_its_things_and_no_others(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    (void)reg_region(1, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    rig_put(w, 8, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    request_reset(0);
    regs_fetch();
    fw_step(&rig.fw);
    assert_int_equal(fn_status(0) & 0xff, TERN_FNSTATE_RESETTING);
    rig_ticks(&rig, 6);
    assert_int_equal(fn_status(0), TERN_FNSTATE_OFF | 1u << 16);
    assert_false(regs.op[0].busy);
    expect_none(&rig.cq);
    for (unsigned n = 0; n < REGS_QUEUES; n++)
        assert_int_equal(regs.queue[n].config != 0, n == 1 || n == 5);
    for (unsigned n = 0; n < REGS_REGIONS; n++)
        if (regs.region[n][7] >> 31)
            assert_int_equal(regs.region[n][6] >> 16 & 0xff, 1);
    assert_int_equal(fn_status(1), TERN_FNSTATE_READY);
    (void)reg_region(1, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    memset(regs.memory, 0, RIG_PAGE); /* another process */
    assert_int_equal(rig_enable(&rig, 0), TERN_FNSTATE_READY | 1u << 16);
    (void)reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    request_reset(3); /* a function that was never enabled also counts */
    rig_ticks(&rig, 6);
    assert_int_equal(fn_status(3), TERN_FNSTATE_OFF | 1u << 16);
}

static void a_reset_waits_for_descriptors_that_are_still_coming(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    regs.queue[rig.sq.number].head = 1; /* fetched; its event has not come */
    regs.slot_used[0] = true;
    request_reset(0);
    rig_ticks(&rig, 20);
    assert_int_equal(fn_status(0) & 0xff, TERN_FNSTATE_RESETTING);
    rig_put(w, 8, 0);
    regs_event(TERN_EV_DESC,
               TERN_V(EV, opcode, TERN_OP_PUT) | TERN_V(EV, queue, rig.sq.number));
    rig_ticks(&rig, 6);
    assert_int_equal(fn_status(0) & 0xff, TERN_FNSTATE_OFF);
    assert_int_equal(regs.tx_count, 0);
    assert_false(regs.slot_used[0]);
}

static void the_reset_command_keeps_the_admin_queue(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_send(w, 8, 0);
    rig_start(&rig, w);
    assert_int_equal(one_word(0, TERN_ADMIN_RESET, 0, 0), TERN_ST_OK);
    for (unsigned n = 2 * REGS_FUNCTIONS; n < REGS_QUEUES; n++)
        assert_int_equal(regs.queue[n].config, 0);
    for (unsigned i = 0; i < REGS_SLOTS; i++)
        assert_false(regs.slot_used[i]);
    assert_int_equal(fn_status(0) & 0xff, TERN_FNSTATE_READY);
    (void)reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
    assert_int_equal(one_word(0, TERN_ADMIN_RESET, 0, 0), TERN_ST_OK);
}

static void a_completion_that_cannot_be_written_breaks_its_queue_alone(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    regs.write_fails = true;
    rig_put(w, 0, 0);
    rig_start(&rig, w);
    assert_int_equal(fn_error(0), TERN_ST_HOST_FAULT | rig.cq.number << 8 | 1u << 24);
    regs.write_fails = false;
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1); /* there is no completion place for it */
    (void)reg_region(0, 64, 1, TERN_COUNTER_NONE, TERN_ST_OK);
}

static void a_completion_of_hardware_that_fails_breaks_its_queue(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, TERN_DFLAG_SIGNAL);
    rig_post(&rig, &rig.sq, w);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 2);
    regs.write_fails = true;
    rig_end(&rig, TERN_F(TXC, slot, regs.tx[0]), TERN_ST_OK);
    assert_int_equal(fn_error(0), TERN_ST_HOST_FAULT | rig.cq.number << 8 | 1u << 24);
    regs.write_fails = false;
    rig_end(&rig, TERN_F(TXC, slot, regs.tx[1]), TERN_ST_OK);
    expect_none(&rig.cq); /* the queue stops: no later completion follows a lost one */
    for (unsigned i = 0; i < REGS_SLOTS; i++)
        assert_false(regs.slot_used[i]);
}

static void a_put_that_ends_before_it_is_killed_leaves_nothing_behind(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    regs.ends_before_kill = true;
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    assert_int_equal(rig.fw.marked, RIG_MARKED);
    regs.ends_before_kill = false;
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 1));
    rig_put(w, 8, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    expect(&rig.cq, TERN_ST_OK);
    expect_none(&rig.cq);
}

static void the_core_sleeps_when_nothing_is_left(void **state)
{
    uint32_t w[16];
    unsigned accesses;

    (void)state;
    rig_open(&rig, 4, 4);
    rig_put(w, 8, 0);
    rig_start(&rig, w);
    assert_int_equal(rig.fw.tick_fast, 1);
    regs_op_end(0, TERN_ST_OK);
    rig_ticks(&rig, 5);
    rig_run(&rig);
    accesses = regs.accesses;
    rig_run(&rig);
    assert_int_equal(regs.accesses - accesses,
                     1); /* it looks for an event before it sleeps */
    assert_int_equal(rig.fw.tick_fast, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(boot_clears_what_an_earlier_life_left),
        TEST(a_core_reset_is_a_reset_of_every_function),
        TEST(a_firmware_that_fails_its_self_test_says_so_and_serves_nothing),
        TEST(enabling_names_what_is_wrong),
        TEST(a_silent_put_is_one_command_and_no_completion),
        TEST(a_signalled_put_completes_with_its_index),
        TEST(a_silent_put_that_fails_completes_with_the_error),
        TEST(bad_descriptors_complete_with_their_own_status),
        TEST(largest_lengths_are_allowed),
        TEST(a_link_that_is_down_is_named),
        TEST(a_full_completion_queue_stops_its_ring_and_loses_nothing),
        TEST(silent_puts_give_their_places_back),
        TEST(signalled_puts_hold_their_places),
        TEST(without_room_a_descriptor_is_held_and_then_started),
        TEST(more_puts_than_slots_wait_in_order),
        TEST(a_fence_waits_for_all_before_it),
        TEST(a_fence_of_a_put_waits_for_messages),
        TEST(a_fence_of_a_put_waits_for_a_put_of_the_quick_loop),
        TEST(a_put_behind_an_open_fence_starts_at_once),
        TEST(no_progress_ends_in_a_timeout_that_names_the_node),
        TEST(a_message_has_eight_times_the_time_of_a_put),
        TEST(a_put_behind_a_long_one_is_not_late),
        TEST(a_message_is_repeated_while_the_receiver_is_not_ready),
        TEST(a_receiver_never_ready_is_an_error),
        TEST(a_message_lands_in_its_ring_then_completes_then_is_acked),
        TEST(messages_that_cannot_be_taken_are_answered),
        TEST(a_ring_that_cannot_be_written_is_told_to_both_sides),
        TEST(a_bad_doorbell_is_counted_in_its_function),
        TEST(creating_queues_names_what_is_wrong),
        TEST(deleting_waits_for_what_is_in_flight),
        TEST(regions_are_registered_and_released_by_their_owner),
        TEST(a_wanted_key_is_given_once),
        TEST(the_region_table_can_be_filled_and_emptied),
        TEST(counters_belong_to_who_set_them),
        TEST(long_answers_are_written_in_pieces),
        TEST(a_full_write_channel_delays_and_loses_nothing),
        TEST(without_ack_places_packets_wait),
        TEST(resetting_a_function_takes_its_things_and_no_others),
        TEST(a_reset_waits_for_descriptors_that_are_still_coming),
        TEST(the_reset_command_keeps_the_admin_queue),
        TEST(a_completion_that_cannot_be_written_breaks_its_queue_alone),
        TEST(a_completion_of_hardware_that_fails_breaks_its_queue),
        TEST(a_put_that_ends_before_it_is_killed_leaves_nothing_behind),
        TEST(the_core_sleeps_when_nothing_is_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
