/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Box broadcast, and counters that report its end: the firmware over a model of the registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

static struct rig rig;

#define STAT(name) (rig.fw.stat[TERN_STAT_fw_##name - FW_STAT_FIRST])

static uint32_t at(uint32_t x, uint32_t y, uint32_t z)
{
    return x | y << 5 | z << 10;
}

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    return 0;
}

/* Opens a node in the middle of a torus of 4 x 4 x 2, or in a corner of a mesh. */
static void open_at(uint32_t node, uint32_t dims)
{
    regs.node = node;
    regs.dims = dims;
    regs.ports = 6;
    rig_open(&rig, 4, 4);
    memset(regs.members, 0xff, sizeof(regs.members)); /* forgets what the boot wrote */
}

static void link_goes(unsigned port, bool up)
{
    regs_event(TERN_EV_LINK, TERN_V(EV, port, port) | TERN_V(EV, up, up));
    rig_run(&rig);
}

/* ---- broadcast ---- */

static void a_broadcast_is_one_command_that_awaits_its_members(void **state)
{
    const uint32_t *done;
    uint32_t w[16];

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(0, 1, 0), at(2, 3, 1), 17);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_PUT);
    assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_DATA);
    assert_int_equal(TERN_F(TXC, deposit, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, self, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, unacked, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, msg, TX_LAST()), 0);
    assert_int_equal(regs.members[LAST_SLOT()], 17);
    assert_null(rig_poll(&rig.cq));
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    done = rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_BCAST);
    assert_int_equal(TERN_GET(CQE, length, done), 600);
    assert_int_equal(TERN_GET(CQE, queue, done), rig.sq.number);
    assert_int_equal(STAT(bcasts), 1);
    assert_int_equal(STAT(puts), 0);
}

static void a_copy_for_the_origin_is_one_answer_more(void **state)
{
    uint32_t w[16];

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SELF | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, 32);
    TERN_SET(DESC, remote_key, w, rig.key[0]);
    rig_start(&rig, w);
    assert_int_equal(TERN_F(TXC, self, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 1);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 0);
    assert_int_equal(regs.members[LAST_SLOT()], 2);
}

static void an_unacked_broadcast_awaits_nobody(void **state)
{
    uint32_t w[16];

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(0, 1, 0), at(1, 1, 0), 1);
    TERN_SET(DESC, flags, w, TERN_DFLAG_UNACKED | TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    assert_int_equal(TERN_F(TXC, unacked, TX_LAST()), 1);
    assert_int_equal(regs.members[LAST_SLOT()], REGS_UNSAID);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    rig_expect(&rig, TERN_ST_OK);
}

static void bad_broadcasts_are_refused_at_the_door(void **state)
{
    static const struct {
        uint32_t dims, low, high, members, bytes;
        unsigned flags, status;
    } rows[] = {
        /* the origin is (1, 1, 0) */
        {0x463, 4, 0x21, 0, 8, 0, TERN_ST_BAD_NODE},          /* x of low */
        {0x463, 0x21, 0x81, 0, 8, 0, TERN_ST_BAD_NODE},       /* y of high */
        {0x463, 0x21, 0x821, 0, 8, 0, TERN_ST_BAD_NODE},      /* z of high */
        {0x463, 0x8021, 0x21, 0, 8, 0, TERN_ST_BAD_NODE},     /* bit 15 */
        {0x463, 0x22, 0x20, 0, 8, 0, TERN_ST_BAD_BOX},        /* x wraps from 2 to 0 */
        {0x463, 0x41, 0x61, 0, 8, 0, TERN_ST_BAD_BOX},        /* y from 2 to 3 */
        {0x463, 0x421, 0x421, 0, 8, 0, TERN_ST_BAD_BOX},      /* the torus has only z = 0 and 1 */
        {0x8463, 0x23, 0x21, 0, 8, 0, TERN_ST_BAD_BOX},       /* wraps around in a mesh */
        {0x463, 0x21, 0x22, 2, 8, 0, TERN_ST_BAD_BOX},        /* one node besides the origin */
        {0x463, 0x21, 0x21, 1, 8, 0, TERN_ST_BAD_BOX},        /* none */
        {0x463, 0x20, 0x22, 2, 0, 0, TERN_ST_BAD_LENGTH},
        {0x463, 0x20, 0x22, 2, TERN_PUT_BYTES_MAX + 1, 0, TERN_ST_BAD_LENGTH},
        {0x463, 0x21, 0x21, 0, 0, 0, TERN_ST_BAD_LENGTH},     /* even without members */
        {0x463, 0x20, 0x22, 2, 33, TERN_DFLAG_INLINE, TERN_ST_BAD_LENGTH},
        {0x463, 0x20, 0x22, 2, 0, TERN_DFLAG_INLINE, TERN_ST_BAD_LENGTH},
        {0x463, 0x20, 0x22, 2, 8, TERN_DFLAG_SELF, TERN_ST_BAD_KEY},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t w[16];
        const uint32_t *done;

        regs_reset();
        open_at(at(1, 1, 0), rows[i].dims);
        rig_bcast(w, rows[i].low, rows[i].high, rows[i].members);
        TERN_SET(DESC, flags, w, rows[i].flags);
        TERN_SET(DESC, length, w, rows[i].bytes);
        if (rows[i].flags & TERN_DFLAG_INLINE)
            TERN_SET(DESC, inline_len, w, rows[i].bytes);
        rig_start(&rig, w);
        assert_int_equal(regs.tx_count, 0);
        done = rig_expect(&rig, rows[i].status);
        assert_int_equal(TERN_GET(CQE, fault, done), 1);
        assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_BCAST);
        assert_false(regs.slot_used[0]);
    }
}

static void a_broadcast_to_nobody_completes_at_once(void **state)
{
    uint32_t w[16];

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(1, 1, 0), at(1, 1, 0), 0);
    for (unsigned i = 0; i < 40; i++) { /* no completion place of the queue is lost */
        TERN_SET(DESC, flags, w, i % 2 ? TERN_DFLAG_SIGNAL : 0);
        rig_start(&rig, w);
        if (i % 2)
            assert_int_equal(TERN_GET(CQE, length, rig_expect(&rig, TERN_ST_OK)), 600);
    }
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(STAT(bcasts), 40);
    /* The chip copies the packet for the origin. */
    TERN_SET(DESC, flags, w, TERN_DFLAG_SELF);
    TERN_SET(DESC, remote_key, w, rig.key[0]);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(regs.members[LAST_SLOT()], 1);
}

static void every_link_it_leaves_by_has_to_be_up(void **state)
{
    uint32_t w[16];
    const uint32_t *done;

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    link_goes(1, false);
    link_goes(5, false);
    rig_bcast(w, at(1, 0, 0), at(2, 1, 1), 1); /* by X+, Y- and Z+ */
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    rig_expect(&rig, TERN_ST_OK);
    rig_bcast(w, at(1, 1, 1), at(2, 1, 0), 1); /* by X+ and Z- */
    rig_start(&rig, w);
    done = rig_expect(&rig, TERN_ST_LINK_DOWN);
    assert_int_equal(TERN_GET(CQE, link, done), 6);
    assert_int_equal(TERN_GET(CQE, node, done), at(1, 1, 0));
    assert_int_equal(regs.tx_count, 1);
    link_goes(5, true);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 2);
}

static void a_link_that_falls_ends_the_broadcasts_that_leave_by_it(void **state)
{
    uint32_t w[16];
    const uint32_t *done;
    unsigned other;

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    rig_start(&rig, w);
    other = LAST_SLOT();
    rig_bcast(w, at(0, 1, 0), at(2, 2, 0), 1);
    TERN_SET(DESC, length, w, 512);
    rig_start(&rig, w);
    /*
     * The link comes up again before the broadcast ends, and its completion still names the link.
     */
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 2) | TERN_V(EV, up, 0));
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 2) | TERN_V(EV, up, 1));
    rig_run(&rig);
    done = rig_expect(&rig, TERN_ST_LINK_DOWN);
    assert_int_equal(TERN_GET(CQE, index, done), 1);
    assert_int_equal(TERN_GET(CQE, link, done), 3);
    assert_int_equal(TERN_GET(CQE, node, done), at(1, 1, 0));
    assert_int_equal(TERN_GET(CQE, fault, done), 3);
    assert_true(regs.op[other].busy);
    assert_null(rig_poll(&rig.cq));
}

/* Members count the packets of one broadcast from each origin at a time. */
static void broadcasts_of_many_packets_go_one_way_at_a_time(void **state)
{
    uint32_t w[16];
    unsigned first, second;

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(0, 0, 0), at(3, 3, 1), 31);
    rig_start(&rig, w);
    first = LAST_SLOT();
    rig_start(&rig, w); /* in the same direction */
    assert_int_equal(regs.tx_count, 2);
    second = LAST_SLOT();
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    TERN_SET(DESC, length, w, 512); /* one packet: nothing to count */
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 3);
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    TERN_SET(DESC, flags, w, TERN_DFLAG_UNACKED);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 4);
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    rig_start(&rig, w);
    rig_ticks(&rig, 3);
    regs_op_end(second, TERN_ST_OK);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 4);
    regs_op_end(first, TERN_ST_OK);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 5);
}

static void members_that_never_answer_end_in_a_timeout(void **state)
{
    uint32_t w[16];
    const uint32_t *done;

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(0, 0, 0), at(3, 3, 1), 31);
    rig_start(&rig, w);
    regs.sent = 1u << LAST_SLOT();
    rig_ticks(&rig, 70);
    done = rig_expect(&rig, TERN_ST_TIMEOUT);
    assert_int_equal(TERN_GET(CQE, fault, done), 3);
    assert_int_equal(TERN_GET(CQE, node, done), at(3, 3, 1));
    assert_int_equal(STAT(timeouts), 1);
}

static void a_member_that_refuses_is_the_broadcasts_status(void **state)
{
    uint32_t w[16];

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(0, 0, 0), at(3, 3, 1), 31);
    rig_start(&rig, w);
    regs.sent = 1u << LAST_SLOT();
    rig_end(&rig, LAST_SLOT(), TERN_ST_BAD_RANGE);
    assert_int_equal(TERN_GET(CQE, fault, rig_expect(&rig, TERN_ST_BAD_RANGE)), 2);
}

static void a_broadcast_waits_for_its_fence_and_for_room(void **state)
{
    uint32_t w[16];
    unsigned first;

    (void)state;
    open_at(at(1, 1, 0), at(3, 3, 1));
    rig_bcast(w, at(1, 1, 0), at(2, 1, 0), 1);
    rig_start(&rig, w);
    first = LAST_SLOT();
    TERN_SET(DESC, flags, w, TERN_DFLAG_FENCE);
    rig_start(&rig, w);
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 1);
    regs_op_end(first, TERN_ST_OK);
    regs.tx_space = 0;
    rig.fw.tx.room = 0;
    rig_ticks(&rig, 3);
    assert_int_equal(regs.tx_count, 1); /* held */
    regs.tx_space = 8;
    rig_ticks(&rig, 1);
    assert_int_equal(regs.tx_count, 2);
}

static void the_edge_of_a_mesh_is_no_link_down(void **state)
{
    uint32_t w[16];

    (void)state;
    regs.link_up[1] = regs.link_up[3] = regs.link_up[5] = false;
    open_at(at(0, 0, 0), at(3, 3, 1) | TERN_DIMS_MESH);
    assert_int_equal(rig.fw.links_up, 0x3f);
    rig_bcast(w, at(0, 0, 0), at(3, 3, 1), 31);
    rig_start(&rig, w);
    rig_put(w, 8, 0);
    TERN_SET(DESC, dst_node, w, at(3, 0, 0)); /* shorter through the wrap, in a ring */
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 2);
    link_goes(1, false);
    assert_int_equal(rig.fw.links_up, 0x3f);
    link_goes(0, false);
    assert_int_equal(TERN_GET(CQE, link, rig_expect(&rig, TERN_ST_LINK_DOWN)), 1);
    assert_int_equal(TERN_GET(CQE, link, rig_expect(&rig, TERN_ST_LINK_DOWN)), 1);
}

/* ---- counters ---- */

static unsigned set_counter(unsigned fn, unsigned counter, uint32_t bytes, uint32_t cq)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_COUNTER);
    TERN_SET(ADM, id, w, counter);
    TERN_SET(ADM, length, w, bytes);
    TERN_SET(ADM, cq, w, cq);
    return STATUS(rig_admin(&rig, fn, w));
}

/* A deposit brings the counter to zero. */
static void reach(unsigned counter)
{
    regs.counter[counter] = 0;
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, counter));
    rig_run(&rig);
}

static unsigned delete_cq(void)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, rig.cq.number);
    return STATUS(rig_admin(&rig, 0, w));
}

static void a_counter_at_zero_tells_its_queue_once(void **state)
{
    const uint32_t *done;
    unsigned before;

    (void)state;
    rig_open(&rig, 4, 4);
    assert_int_equal(set_counter(0, 3, 1000, rig.cq.number), TERN_ST_OK);
    assert_int_equal(regs.counter[3], 1000);
    assert_int_equal(delete_cq(), TERN_ST_QUEUE_BUSY);
    before = regs.interrupts;
    reach(3);
    done = rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_COUNTER);
    assert_int_equal(TERN_GET(CQE, index, done), 3);
    assert_int_equal(TERN_GET(CQE, queue, done), rig.cq.number);
    assert_int_equal(regs.interrupts, before + 1);
    reach(3);
    reach(4); /* a counter that no function has set */
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(set_counter(0, 3, 8, rig.cq.number), TERN_ST_OK);
    reach(3);
    rig_expect(&rig, TERN_ST_OK);
}

static void put_counted(unsigned flags, unsigned counter)
{
    uint32_t w[16];

    rig_put(w, 100, flags);
    TERN_SET(DESC, counted, w, 1);
    TERN_SET(DESC, counter, w, counter);
    rig_start(&rig, w);
}

static void end_put(unsigned status)
{
    rig_end(&rig, TERN_F(TXC, slot, regs.tx[(regs.tx_count - 1) % REGS_LOG]), status);
}

static void a_counter_follows_puts_and_tells_alone(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    assert_int_equal(set_counter(0, 3, 5000, rig.cq.number), TERN_ST_OK);
    for (unsigned i = 0; i < 20; i++) { /* more than the queue has completion places */
        put_counted(0, 3);
        assert_int_equal(regs.counter[3], 5000 - 100 * i);
        end_put(TERN_ST_OK);
        assert_null(rig_poll(&rig.cq));
    }
    put_counted(TERN_DFLAG_SIGNAL, 3);
    end_put(TERN_ST_OK);
    rig_expect(&rig, TERN_ST_OK);
    assert_int_equal(regs.counter[3], 2900);
    put_counted(0, 3);
    end_put(TERN_ST_BAD_KEY);
    rig_expect(&rig, TERN_ST_BAD_KEY);
    assert_int_equal(regs.counter[3], 2900);
}

static void nobody_counts_on_the_counter_of_another(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    assert_int_equal(set_counter(1, 3, 1000, 0), TERN_ST_OK);
    put_counted(0, 3);
    rig_expect(&rig, TERN_ST_BAD_COUNTER);
    put_counted(0, 4);
    rig_expect(&rig, TERN_ST_BAD_COUNTER);
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(regs.counter[3], 1000);
}

static void an_event_from_before_the_setting_tells_nobody(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    assert_int_equal(set_counter(0, 3, 1000, rig.cq.number), TERN_ST_OK);
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, 3));
    rig_run(&rig);
    assert_null(rig_poll(&rig.cq));
    reach(3);
    rig_expect(&rig, TERN_ST_OK);
}

static void setting_a_counter_names_what_is_wrong(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    (void)rig_enable(&rig, 1);
    assert_int_equal(set_counter(0, 3, 1, REGS_QUEUES), TERN_ST_BAD_QUEUE);
    assert_int_equal(set_counter(0, 3, 1, REGS_QUEUES - 1), TERN_ST_BAD_QUEUE);
    assert_int_equal(set_counter(0, 3, 1, REGS_FUNCTIONS), TERN_ST_BAD_QUEUE); /* its admin CQ */
    assert_int_equal(set_counter(0, 3, 1, rig.sq.number), TERN_ST_BAD_TYPE);
    assert_int_equal(set_counter(1, 3, 1, rig.cq.number), TERN_ST_NOT_OWNER);
    assert_int_equal(set_counter(0, REGS_COUNTERS, 1, rig.cq.number), TERN_ST_BAD_COUNTER);
    assert_int_equal(rig.fw.stat[TERN_STAT_used_counters - FW_STAT_FIRST], 0);
    assert_int_equal(set_counter(0, 3, 1, 0), TERN_ST_OK);
    reach(3);
    assert_null(rig_poll(&rig.cq));
}

static void a_counter_keeps_a_place_and_gives_it_back(void **state)
{
    (void)state;
    rig_open(&rig, 4, 2); /* four completions fit */
    assert_int_equal(set_counter(0, 1, 5, rig.cq.number), TERN_ST_OK);
    assert_int_equal(set_counter(0, 2, 5, rig.cq.number), TERN_ST_OK);
    assert_int_equal(set_counter(0, 5, 5, rig.cq.number), TERN_ST_OK);
    assert_int_equal(set_counter(0, 3, 5, rig.cq.number), TERN_ST_NO_RESOURCE);
    assert_int_equal(set_counter(0, 1, 7, rig.cq.number), TERN_ST_OK); /* reserves one place */
    assert_int_equal(set_counter(0, 1, 7, 0), TERN_ST_OK);
    assert_int_equal(set_counter(0, 3, 5, rig.cq.number), TERN_ST_OK);
    assert_int_equal(set_counter(0, 3, 0, rig.cq.number), TERN_ST_OK); /* stopped: reserves none */
    assert_int_equal(set_counter(0, 4, 5, rig.cq.number), TERN_ST_OK);
    reach(1);
    reach(3);
    assert_null(rig_poll(&rig.cq));
    reach(4);
    reach(2);
    assert_int_equal(TERN_GET(CQE, index, rig_expect(&rig, TERN_ST_OK)), 4);
    assert_int_equal(TERN_GET(CQE, index, rig_expect(&rig, TERN_ST_OK)), 2);
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 1); /* counter 5 */
    assert_int_equal(rig.fw.queue[rig.cq.number].users, 3); /* the counter, the send queue and the
                                                             * reception FIFO */
}

/* Otherwise a send queue would wait until the bytes arrive, if they ever do. */
static void a_counter_leaves_a_place_to_puts(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 0); /* one completion fits */
    assert_int_equal(set_counter(0, 1, 5, rig.cq.number), TERN_ST_NO_RESOURCE);
    rig_put(w, 8, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(rig.fw.stalled_first, FW_QUEUE_NIL);
}

/* The counter's place stays reserved, whatever else completes. */
static void puts_do_not_take_a_counters_place(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_open(&rig, 4, 1);
    assert_int_equal(set_counter(0, 1, 5, rig.cq.number), TERN_ST_OK);
    for (unsigned i = 0; i < 3; i++) {
        rig_put(w, 8, TERN_DFLAG_SIGNAL);
        rig_post(&rig, &rig.sq, w);
    }
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 1);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    reach(1);
    assert_int_equal(TERN_GET(CQE, opcode, rig_expect(&rig, TERN_ST_OK)), TERN_OP_PUT);
    assert_int_equal(TERN_GET(CQE, opcode, rig_expect(&rig, TERN_ST_OK)), TERN_OP_COUNTER);
}

static void a_counter_waits_for_the_write_channel(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    assert_int_equal(set_counter(0, 1, 5, rig.cq.number), TERN_ST_OK);
    regs.hw_space = 1;
    rig.fw.hwr.room = 0;
    reach(1);
    assert_null(rig_poll(&rig.cq));
    regs.hw_space = 4;
    rig_run(&rig);
    rig_expect(&rig, TERN_ST_OK);
}

static void a_function_that_goes_takes_its_counters(void **state)
{
    (void)state;
    rig_open(&rig, 4, 4);
    assert_int_equal(set_counter(0, 1, 5, rig.cq.number), TERN_ST_OK);
    regs_event(TERN_EV_BAR, TERN_V(EV, fn, 0) | TERN_V(EV, value, 2));
    rig_ticks(&rig, 8);
    assert_int_equal(regs.fn[0][(TERN_REG_FN_STATUS - TERN_BAR_FN_REGS) / 4] & 0xff,
                     TERN_FNSTATE_OFF);
    assert_int_equal(rig.fw.queue[rig.cq.number].type, TERN_QTYPE_NONE);
    assert_int_equal(rig.fw.counter_cq[1], 0);
    reach(1);
    assert_int_equal(rig.fw.stat[TERN_STAT_used_counters - FW_STAT_FIRST], 0);
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    assert_int_equal(set_counter(1, 1, 5, 0), TERN_ST_OK);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(a_broadcast_is_one_command_that_awaits_its_members),
        TEST(a_copy_for_the_origin_is_one_answer_more),
        TEST(an_unacked_broadcast_awaits_nobody),
        TEST(bad_broadcasts_are_refused_at_the_door),
        TEST(a_broadcast_to_nobody_completes_at_once),
        TEST(every_link_it_leaves_by_has_to_be_up),
        TEST(a_link_that_falls_ends_the_broadcasts_that_leave_by_it),
        TEST(broadcasts_of_many_packets_go_one_way_at_a_time),
        TEST(members_that_never_answer_end_in_a_timeout),
        TEST(a_member_that_refuses_is_the_broadcasts_status),
        TEST(a_broadcast_waits_for_its_fence_and_for_room),
        TEST(the_edge_of_a_mesh_is_no_link_down),
        TEST(a_counter_at_zero_tells_its_queue_once),
        TEST(a_counter_follows_puts_and_tells_alone),
        TEST(nobody_counts_on_the_counter_of_another),
        TEST(an_event_from_before_the_setting_tells_nobody),
        TEST(setting_a_counter_names_what_is_wrong),
        TEST(a_counter_keeps_a_place_and_gives_it_back),
        TEST(a_counter_leaves_a_place_to_puts),
        TEST(puts_do_not_take_a_counters_place),
        TEST(a_counter_waits_for_the_write_channel),
        TEST(a_function_that_goes_takes_its_counters),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
