/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lookups: how the origin starts and ends them, and how the firmware of the target makes the atomic
 * unit walk.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "asks.h"

enum {
    ASKER = 3,
    /* served at once: of four slots one is reserved for messages, and one for the next read */
    AT_ONCE = 2,
    GENERATION = 0xabcd
};

static struct rig rig;

static int fresh(void **state)
{
    (void)state;
    asks_open(&rig);
    return 0;
}

static void post(uint32_t bytes, uint32_t flags)
{
    uint32_t w[16];

    rig_lookup(w, bytes, flags);
    rig_start(&rig, w);
}

/* ---- origin side */

static void a_lookup_is_one_command_and_awaits_one_answer(void **state)
{
    static const uint32_t sizes[] = {1, 32, 100, PAYLOAD};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        asks_once(&rig, rig_lookup, sizes[i], TERN_PTYPE_LOOKUP);
}

static unsigned accesses_of(void (*build)(uint32_t *, uint32_t, uint32_t))
{
    unsigned before = regs.accesses;
    uint32_t w[16];

    build(w, 64, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    rig_answer(&rig, TERN_ST_OK);
    assert_non_null(rig_poll(&rig.cq));
    rig_consumed(&rig.cq);
    return regs.accesses - before;
}

static void an_ordinary_one_takes_the_quick_way(void **state)
{
    (void)state;
    unsigned reads, lookups;

    (void)accesses_of(rig_read); /* the first operation stores the CQ in `places` of the queue */
    lookups = accesses_of(rig_lookup);
    reads = accesses_of(rig_read);
    assert_in_range(lookups, 1, reads - 1);
}

/* The target checks, too, and refuses those sent by the fast path. */
static void what_is_asked_for_fits_one_packet(void **state)
{
    static const uint32_t lengths[] = {0, PAYLOAD + 1, UINT16_MAX};
    static const uint32_t operands[] = {0, TERN_READ_BYTES, TERN_INLINE_BYTES_MAX - 1,
                                        TERN_INLINE_BYTES_MAX + 1, 63};
    uint32_t w[16];

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        rig_lookup(w, lengths[i], TERN_DFLAG_FENCE);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
    }
    for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
        rig_lookup(w, 8, TERN_DFLAG_FENCE);
        TERN_SET(DESC, inline_len, w, operands[i]);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
    }
    rig_lookup(w, 8, 0);
    TERN_SET(DESC, flags, w, 0);
    asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
}

static void nodes_and_links_are_looked_at(void **state)
{
    uint32_t w[16];

    (void)state;
    post(8, 0);
    rig_answer(&rig, TERN_ST_OK);
    rig_lookup(w, 8, TERN_DFLAG_FENCE);
    TERN_SET(DESC, dst_node, w, 4);
    asks_in_vain(&rig, w, TERN_ST_BAD_NODE);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    rig_lookup(w, 8, 0);
    asks_in_vain(&rig, w, TERN_ST_LINK_DOWN);
}

static void a_counter_takes_the_bytes_that_came(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_lookup(w, 300, TERN_DFLAG_SIGNAL);
    asks_counted(&rig, w, 300);
}

static void one_that_finds_no_place_is_sent_again(void **state)
{
    (void)state;
    post(64, TERN_DFLAG_SIGNAL);
    asks_again(&rig, TERN_PTYPE_LOOKUP, REGS_UNSAID);
}

static void what_else_is_wrong_is_told_at_once(void **state)
{
    static const uint32_t statuses[] = {TERN_ST_BAD_KEY, TERN_ST_NOT_FOUND, TERN_ST_STALE_POINTER,
                                        TERN_ST_TOO_FAR, TERN_ST_BAD_LINK, TERN_ST_FLUSHED};

    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        post(64, 0);
        rig_answer(&rig, statuses[i]);
        rig_ticks(&rig, 4);
        assert_int_equal(regs.tx_count, i + 1);
        assert_int_equal(TERN_GET(CQE, length, rig_expect_of(&rig, TERN_OP_LOOKUP, statuses[i])),
                         0);
    }
}

static void silence_ends_in_a_timeout(void **state)
{
    (void)state;
    post(8, 0);
    asks_silence(&rig);
}

/* ---- target side */

static uint32_t *asked_for(unsigned rx)
{
    return regs.rx[rx] + (TERN_PKT_HEADER_BYTES - TERN_INLINE_OFFSET) / 4;
}

static void link_to(unsigned rx, uint64_t addr)
{
    TERN_SET(LNK, addr, regs.rx[rx] + TERN_PKT_addr_WORD, addr);
    TERN_SET(LNK, generation, regs.rx[rx] + TERN_PKT_addr_WORD, GENERATION);
}

static void ask(unsigned rx, unsigned nodes)
{
    uint32_t *w = regs.rx[rx];

    memset(w, 0, sizeof(regs.rx[rx]));
    TERN_SET(PKT, type, w, TERN_PTYPE_LOOKUP);
    TERN_SET(PKT, src, w, ASKER);
    TERN_SET(PKT, length, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(PKT, key, w, rig.key[0]);
    TERN_SET(PKT, opid, w, 0x100 + rx);
    TERN_SET(LKP, length, asked_for(rx), 64);
    TERN_SET(LKP, nodes, asked_for(rx), nodes);
    link_to(rx, rig_page(0) + RIG_DATA);
}

static void arrive(unsigned rx)
{
    regs.rx_freed[rx] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, rx) | TERN_V(EV, pkttype, TERN_PTYPE_LOOKUP));
    rig_run(&rig);
}

static void asked(unsigned rx, unsigned nodes)
{
    ask(rx, nodes);
    arrive(rx);
}

/* Makes the atomic unit finish its last command: it leaves the link at which it ended. */
static void walked(unsigned rx, bool found)
{
    link_to(rx, rig_page(0) + RIG_DATA + 0x100);
    regs_event(TERN_EV_RX,
               TERN_V(EV, rxslot, rx) | TERN_V(EV, walked, 1) | TERN_V(EV, found, found));
    rig_run(&rig);
}

static void looked_up(unsigned rx)
{
    asked(rx, 8);
    walked(rx, true);
}

static void walk_is(unsigned nth, unsigned rx, unsigned nodes, bool on, bool tree)
{
    uint32_t command = regs.atomics[nth - 1];

    assert_int_equal(regs.atomic_count, nth);
    assert_int_equal(TERN_F(RXA, slot, command), rx);
    assert_int_equal(TERN_F(RXA, walk, command), 1);
    assert_int_equal(TERN_F(RXA, add, command), 1);
    assert_int_equal(TERN_F(RXA, nodes, command), nodes - 1);
    assert_int_equal(TERN_F(RXA, on, command), on);
    assert_int_equal(TERN_F(RXA, tree, command), tree);
}

static void the_unit_is_told_how_far_to_go_and_where(void **state)
{
    (void)state;
    asked(2, 1);
    walk_is(1, 2, 1, false, false);
    asked(1, TERN_LOOKUP_LOT);
    walk_is(2, 1, TERN_LOOKUP_LOT, false, false);
    ask(3, 7);
    TERN_SET(LKP, tree, asked_for(3), 1);
    arrive(3);
    walk_is(3, 3, 7, false, true);
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(regs.ack_count, 0);
    asks_left_nothing(&rig);
}

/* One lot at a time, counted for each packet. */
static void nodes_are_counted(void **state)
{
    (void)state;
    ask(0, 2 * TERN_LOOKUP_LOT + 3);
    TERN_SET(LKP, tree, asked_for(0), 1);
    arrive(0);
    walk_is(1, 0, TERN_LOOKUP_LOT, false, true);
    asked(1, TERN_LOOKUP_LOT + 1);
    walk_is(2, 1, TERN_LOOKUP_LOT, false, false);
    walked(0, false);
    walk_is(3, 0, TERN_LOOKUP_LOT, true, true);
    walked(1, false);
    walk_is(4, 1, 1, true, false);
    walked(0, false);
    walk_is(5, 0, 3, true, true);
    walked(1, false);
    asks_refused(1, 1, TERN_ST_TOO_FAR);
    walked(0, false);
    asks_refused(2, 0, TERN_ST_TOO_FAR);
    assert_int_equal(regs.atomic_count, 5);
    asked(0, 255); /* the maximum of the field */
    for (unsigned i = 0; i < 255 / TERN_LOOKUP_LOT; i++) {
        walk_is(6 + i, 0, TERN_LOOKUP_LOT, i > 0, false);
        walked(0, false);
    }
    walk_is(21, 0, 255 % TERN_LOOKUP_LOT, true, false);
    walked(0, false);
    asks_refused(3, 0, TERN_ST_TOO_FAR);
    asks_left_nothing(&rig);
}

static void what_was_found_is_copied_and_answered_from_there(void **state)
{
    const uint32_t *words;

    (void)state;
    looked_up(2);
    assert_int_equal(regs.copy_count, 1);
    assert_int_equal(TERN_F(RXC, rxslot, regs.copies[0]), 2);
    assert_int_equal(TERN_F(RXC, found, regs.copies[0]), 1);
    assert_int_equal(TERN_F(RXC, slot, regs.copies[0]), LAST_SLOT());
    assert_int_equal(regs.tx_count, 1);
    assert_in_range(LAST_SLOT(), OWN(1), OWN(REGS_SLOTS_OWN - 1));
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_REPLY);
    assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_DATA);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    words = regs.slot[LAST_SLOT()];
    assert_int_equal(TERN_GET(DESC, local_addr, words), rig_page(0) + RIG_DATA + 0x100);
    assert_int_equal(TERN_GET(DESC, length, words), 64);
    assert_false(regs.rx_freed[2]);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    assert_true(regs.rx_freed[2]);
    assert_int_equal(regs.ack_count, 0);
    asks_left_nothing(&rig);
}

/* The chip does not check the packet's type again. */
static void of_what_was_walked_the_type_says_nothing(void **state)
{
    (void)state;
    for (unsigned type = 0; type < 256; type++) {
        unsigned rx = type % REGS_RX_SLOTS;

        asked(rx, TERN_LOOKUP_LOT + 1);
        for (unsigned found = 0; found < 2; found++) {
            regs_event(TERN_EV_RX,
                       TERN_V(EV, rxslot, rx) | TERN_V(EV, walked, 1) | TERN_V(EV, pkttype, type) |
                                       TERN_V(EV, found, found));
            rig_run(&rig);
        }
        assert_int_equal(regs.atomic_count, 2 * (type + 1));
        assert_int_equal(regs.tx_count, type + 1);
        rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
        assert_true(regs.rx_freed[rx]);
    }
    assert_int_equal(regs.ack_count, 0);
    asks_left_nothing(&rig);
}

static void what_could_not_be_sent_is_told(void **state)
{
    static const uint32_t statuses[] = {TERN_ST_BAD_KEY, TERN_ST_BAD_RANGE, TERN_ST_HOST_FAULT,
                                        TERN_ST_LINK_DOWN, TERN_ST_TIMEOUT};

    (void)state;
    for (unsigned i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        looked_up(i % 4);
        rig_end(&rig, LAST_SLOT(), statuses[i]);
        asks_refused(i + 1, i % 4, statuses[i]);
        asks_left_nothing(&rig);
    }
}

static void packets_of_another_life_or_length_are_refused(void **state)
{
    (void)state;
    ask(0, 8);
    TERN_SET(PKT, incarnation, regs.rx[0], 6);
    arrive(0);
    asks_refused(1, 0, TERN_ST_STALE_NODE);
    ask(1, 8);
    TERN_SET(PKT, incarnation, regs.rx[1], 7);
    TERN_SET(PKT, length, regs.rx[1], TERN_INLINE_BYTES_MAX - 1);
    arrive(1);
    asks_refused(2, 1, TERN_ST_BAD_LENGTH);
    ask(2, 8);
    TERN_SET(PKT, length, regs.rx[2], TERN_INLINE_BYTES_MAX + 8);
    arrive(2);
    asks_refused(3, 2, TERN_ST_BAD_LENGTH);
    assert_int_equal(regs.atomic_count, 0);
    asks_left_nothing(&rig);
}

static void so_are_those_that_want_nothing_or_too_much(void **state)
{
    static const uint32_t lengths[] = {0, PAYLOAD + 1, UINT16_MAX};
    unsigned refused = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        ask(0, 8);
        TERN_SET(LKP, length, asked_for(0), lengths[i]);
        arrive(0);
        asks_refused(++refused, 0, TERN_ST_BAD_LENGTH);
    }
    asked(1, 0);
    asks_refused(++refused, 1, TERN_ST_TOO_FAR);
    assert_int_equal(regs.atomic_count, 0);
    ask(0, 8);
    TERN_SET(LKP, length, asked_for(0), PAYLOAD);
    arrive(0);
    assert_int_equal(regs.atomic_count, 1);
    asks_left_nothing(&rig);
}

/* The length is in a word with other fields, and the address is a link with a generation. */
static void a_sample_of_a_lookup_has_its_length_and_the_link(void **state)
{
    uint32_t w[16] = {0};
    const uint32_t *done;

    (void)state;
    TERN_SET(DESC, opcode, w, TERN_ADMIN_SAMPLE);
    TERN_SET(ADM, cq, w, rig.cq.number);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    looked_up(1);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    done = rig_expect_of(&rig, TERN_OP_LOOKED, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, length, done), 64);
    assert_int_equal(TERN_GET(CQE, index, done), 1);
    assert_int_equal(TERN_GET(CQE, node, done), ASKER);
    assert_int_equal(TERN_GET(CQE, value, done),
                     (uint64_t)GENERATION << 48 | (rig_page(0) + RIG_DATA + 0x100));
}

static void so_many_are_answered_that_reads_and_messages_find_a_place(void **state)
{
    (void)state;
    for (unsigned rx = 0; rx <= AT_ONCE; rx++)
        looked_up(rx);
    assert_int_equal(regs.tx_count, AT_ONCE);
    assert_int_equal(regs.ack_count, 0);
    rig_end(&rig, TERN_F(TXC, slot, TX(1)), TERN_ST_OK);
    assert_true(regs.rx_freed[1]);
    assert_int_equal(regs.tx_count, AT_ONCE + 1);
    assert_int_equal(TERN_F(RXC, rxslot, regs.copies[AT_ONCE]), AT_ONCE);
    assert_int_equal(TERN_F(RXC, found, regs.copies[AT_ONCE]), 1);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_BAD_KEY);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    asks_refused(1, 0, TERN_ST_BAD_KEY);
    asks_left_nothing(&rig);
}

static void one_that_finds_no_place_for_two_ticks_is_refused(void **state)
{
    (void)state;
    for (unsigned rx = 0; rx <= AT_ONCE; rx++)
        looked_up(rx);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.ack_count, 0);
    rig_ticks(&rig, 1);
    asks_refused(1, AT_ONCE, TERN_ST_RNR);
    for (unsigned n = 0; n < AT_ONCE; n++)
        rig_end(&rig, TERN_F(TXC, slot, TX(n)), TERN_ST_OK);
    asks_left_nothing(&rig);
}

/*
 * The request waits in the transmit unit, perhaps because no receive slot is free, and answers
 * would wait after it.
 */
static void nor_waits_one_while_a_request_of_the_node_to_itself_does(void **state)
{
    uint32_t w[16];

    (void)state;
    for (unsigned rx = 0; rx < AT_ONCE; rx++)
        looked_up(rx);
    post(64, TERN_DFLAG_SIGNAL); /* to another node */
    looked_up(2);
    assert_int_equal(regs.ack_count, 0);
    rig_lookup(w, 64, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, dst_node, w, regs.node);
    rig_start(&rig, w);
    asks_refused(1, 2, TERN_ST_RNR);
    looked_up(2);
    asks_refused(2, 2, TERN_ST_RNR);
    regs.sent |= 1u << LAST_SLOT();
    looked_up(2);
    assert_int_equal(regs.ack_count, 2);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_OK);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_REPLY);
}

static void without_room_for_commands_it_waits_too(void **state)
{
    (void)state;
    regs.tx_space = 0;
    rig.fw.tx.room = 0;
    looked_up(1);
    assert_int_equal(regs.tx_count, 0);
    regs.tx_space = 8;
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(RXC, found, regs.copies[0]), 1);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    asks_left_nothing(&rig);
}

/* It starts at once: a slot is reserved for the next read, and the lookup takes another. */
static void reads_and_lookups_share_slots(void **state)
{
    uint32_t named;

    (void)state;
    ask(0, 8);
    TERN_SET(PKT, length, regs.rx[0], TERN_READ_BYTES);
    regs_read_comes(0);
    rig_run(&rig);
    named = TERN_F(RXC, slot, regs.copy_next);
    assert_in_range(named, OWN(1), OWN(REGS_SLOTS_OWN - 1));
    looked_up(1);
    assert_int_not_equal(LAST_SLOT(), named);
    assert_int_equal(regs.tx_count, 2);
    ask(2, 8);
    TERN_SET(PKT, length, regs.rx[2], TERN_READ_BYTES);
    regs_read_comes(2);
    rig_run(&rig);
    assert_int_equal(LAST_SLOT(), named);
    for (unsigned n = 0; n < 3; n++)
        rig_end(&rig, TERN_F(TXC, slot, TX(n)), TERN_ST_OK);
    asks_left_nothing(&rig);
}

/* ---- regions of the found bytes */

static void a_region_is_released_when_what_was_found_there_has_left(void **state)
{
    (void)state;
    asks_register(&rig);
    looked_up(0);
    asks_hold_region(&rig);
}

/* The chip's checks end the walk. */
static void who_still_looks_holds_no_region(void **state)
{
    (void)state;
    asks_register(&rig);
    asked(0, 8);
    asks_release(&rig);
    assert_int_equal(TERN_GET(CQE, status, rig_poll(&rig.acq[0])), TERN_ST_OK);
    walked(0, true);
    rig_end(&rig, LAST_SLOT(), TERN_ST_BAD_KEY);
    asks_refused(1, 0, TERN_ST_BAD_KEY);
    asks_left_nothing(&rig);
}

static void a_function_is_off_when_what_was_found_there_has_left(void **state)
{
    (void)state;
    looked_up(0);
    asks_hold_function(&rig);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(a_lookup_is_one_command_and_awaits_one_answer),
        TEST(an_ordinary_one_takes_the_quick_way),
        TEST(what_is_asked_for_fits_one_packet),
        TEST(nodes_and_links_are_looked_at),
        TEST(a_counter_takes_the_bytes_that_came),
        TEST(one_that_finds_no_place_is_sent_again),
        TEST(what_else_is_wrong_is_told_at_once),
        TEST(silence_ends_in_a_timeout),
        TEST(the_unit_is_told_how_far_to_go_and_where),
        TEST(nodes_are_counted),
        TEST(what_was_found_is_copied_and_answered_from_there),
        TEST(of_what_was_walked_the_type_says_nothing),
        TEST(what_could_not_be_sent_is_told),
        TEST(packets_of_another_life_or_length_are_refused),
        TEST(so_are_those_that_want_nothing_or_too_much),
        TEST(a_sample_of_a_lookup_has_its_length_and_the_link),
        TEST(so_many_are_answered_that_reads_and_messages_find_a_place),
        TEST(one_that_finds_no_place_for_two_ticks_is_refused),
        TEST(nor_waits_one_while_a_request_of_the_node_to_itself_does),
        TEST(without_room_for_commands_it_waits_too),
        TEST(reads_and_lookups_share_slots),
        TEST(a_region_is_released_when_what_was_found_there_has_left),
        TEST(who_still_looks_holds_no_region),
        TEST(a_function_is_off_when_what_was_found_there_has_left),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
