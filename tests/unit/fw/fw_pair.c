/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs: which messages they accept, and in which order; which they drop; which errors break
 * them; and how a sender waits for its turn.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rig.h"

enum {
    PEER_NODE = 3,
    PEER_QUEUE = 77,
    FIRST = 0xffff, /* sequence number before 0 */
    KEY = 0x12345678,
    INBOX_LOG2 = 1,
    ENTRY_LOG2 = 11,
    ENTRY = 1 << ENTRY_LOG2
};

#define PEER (PEER_NODE | (uint32_t)PEER_QUEUE << 16)

static struct rig rig;
static uint32_t inbox, pair;

static const uint32_t *admin(unsigned fn, const uint32_t *w, uint32_t status)
{
    const uint32_t *done = rig_admin(&rig, fn, w);

    assert_non_null(done);
    assert_int_equal(TERN_GET(CQE, status, done), status);
    return done;
}

static void pair_words(uint32_t w[16], uint32_t number, unsigned kind, bool ready)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_SET_PAIR);
    TERN_SET(ADM, id, w, number);
    TERN_SET(ADM, kind, w, kind);
    TERN_SET(ADM, ready, w, ready);
    TERN_SET(ADM, peer, w, kind == TERN_PAIR_UD ? KEY : PEER);
    TERN_SET(ADM, first, w, FIRST);
    TERN_SET(ADM, rq, w, inbox);
}

/* Sets the pair; returns SET_PAIR's answer about a message that had begun. */
static uint64_t set(unsigned kind, bool ready)
{
    uint32_t w[16];

    pair_words(w, pair, kind, ready);
    return TERN_GET(CQE, value, admin(0, w, TERN_ST_OK));
}

static void create(uint32_t w[16], unsigned type)
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, type);
    TERN_SET(ADM, log2_entries, w, INBOX_LOG2);
    TERN_SET(ADM, log2_bytes, w, ENTRY_LOG2);
    TERN_SET(ADM, remote, w, 1);
    TERN_SET(ADM, addr, w, rig_page(0) + RIG_RQ);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, cq, w, rig.cq.number);
}

/* Opens a pair with an inbox of two entries. */
static void open(unsigned kind)
{
    uint32_t w[16];

    rig_open(&rig, 4, 4);
    create(w, TERN_QTYPE_RQ);
    inbox = (uint32_t)TERN_GET(CQE, length, admin(0, w, TERN_ST_OK));
    pair_words(w, TERN_QUEUE_ANY, kind, true);
    pair = (uint32_t)TERN_GET(CQE, length, admin(0, w, TERN_ST_OK));
}

static uint32_t word(uint32_t sequence, uint32_t part, bool more)
{
    uint32_t w[16] = {0};

    TERN_SET(PAR, sequence, w, sequence & 0xffff);
    TERN_SET(PAR, part, w, part);
    TERN_SET(PAR, more, w, more);
    return w[TERN_PAR_part_WORD];
}

/* Makes a message arrive; returns the answer. */
static uint32_t arrive_from(uint32_t peer, uint32_t queue, uint32_t key, uint32_t bytes)
{
    static unsigned slot;
    uint32_t *h = regs.rx[slot = (slot + 1) % 4];

    memset(h, 0, 32);
    TERN_SET(PKT, type, h, TERN_PTYPE_SEND);
    TERN_SET(PKT, src, h, peer & 0xffff);
    TERN_SET(PKT, length, h, bytes);
    h[5] = queue | (peer & 0xffff0000);
    h[6] = key;
    regs.rx_freed[slot] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, slot) | TERN_V(EV, pkttype, TERN_PTYPE_SEND));
    rig_run(&rig);
    assert_true(regs.rx_freed[slot]);
    assert_int_equal(regs.acks[regs.ack_count - 1] & 0xff, slot);
    return regs.acks[regs.ack_count - 1] >> 8;
}

static uint32_t arrive(uint32_t key, uint32_t bytes)
{
    return arrive_from(PEER, pair, key, bytes);
}

static const uint32_t *told(uint32_t status, uint32_t entry, uint32_t bytes)
{
    const uint32_t *done = rig_poll(&rig.cq);

    assert_non_null(done);
    assert_int_equal(TERN_GET(CQE, status, done), status);
    assert_int_equal(TERN_GET(CQE, opcode, done), TERN_OP_RECV);
    assert_int_equal(TERN_GET(CQE, queue, done), pair);
    assert_int_equal(TERN_GET(CQE, index, done), entry);
    assert_int_equal(TERN_GET(CQE, length, done), bytes);
    rig_consumed(&rig.cq);
    return done;
}

static void nobody_is_told(void)
{
    assert_null(rig_poll(&rig.cq));
}

static void a_pair_is_made_of_what_its_function_has(void **state)
{
    uint32_t w[16];

    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(rig_enable(&rig, 1) & 0xff, TERN_FNSTATE_READY);
    pair_words(w, TERN_QUEUE_ANY, 3, true);
    admin(0, w, TERN_ST_BAD_TYPE);
    pair_words(w, rig.sq.number, TERN_PAIR_RC, true);
    admin(0, w, TERN_ST_QUEUE_BUSY);
    pair_words(w, 0, TERN_PAIR_RC, true);
    admin(0, w, TERN_ST_BAD_QUEUE);
    pair_words(w, pair, TERN_PAIR_RC, true);
    admin(1, w, TERN_ST_NOT_OWNER);
    TERN_SET(ADM, rq, w, rig.sq.number);
    admin(0, w, TERN_ST_BAD_TYPE);
    TERN_SET(ADM, rq, w, 0xffff);
    admin(0, w, TERN_ST_BAD_QUEUE);
}

static void a_pair_goes_as_queues_do(void **state)
{
    uint32_t w[16] = {0};
    uint32_t used;

    (void)state;
    open(TERN_PAIR_RC);
    used = FW_USED(&rig.fw, queues);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, pair);
    admin(0, w, TERN_ST_OK);
    assert_int_equal(FW_USED(&rig.fw, queues), used - 1);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_BAD_QUEUE);
    TERN_SET(ADM, id, w, inbox);
    admin(0, w, TERN_ST_OK);
}

static void messages_for_a_pair_whose_inbox_is_gone_are_refused(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    open(TERN_PAIR_RC);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, inbox);
    admin(0, w, TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_BAD_QUEUE);
    create(w, TERN_QTYPE_SQ);
    TERN_SET(ADM, remote, w, 0);
    TERN_SET(ADM, id, w, inbox);
    admin(0, w, TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_BAD_TYPE);
}

static void only_its_peer_is_let_in(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(arrive_from(PEER + 1, pair, word(FIRST, 0, false), 8), TERN_ST_NOT_PEER);
    assert_int_equal(arrive_from(PEER + 0x10000, pair, word(FIRST, 0, false), 8), TERN_ST_NOT_PEER);
    assert_int_equal(arrive_from(PEER, inbox, 0, 8), TERN_ST_BAD_TYPE); /* sent to the inbox, not to
                                                                         * the pair */
    assert_int_equal(set(TERN_PAIR_RC, false), TERN_PAIR_NO_ENTRY);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_BAD_STATE);
    nobody_is_told();
    set(TERN_PAIR_RC, true);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, told(TERN_ST_OK, 0, 8)), PEER_QUEUE);
}

static void messages_are_taken_in_order(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(arrive(word(FIRST + 1, 0, false), 8), TERN_ST_EARLY);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_EARLY); /* once */
    assert_int_equal(arrive(word(FIRST + 1, 0, false), 9), TERN_ST_OK);
    told(TERN_ST_OK, 0, 8);
    told(TERN_ST_OK, 1, 9);
    assert_int_equal(arrive(word(FIRST + 3, 0, false), 8), TERN_ST_EARLY);
    assert_int_equal(arrive(word(FIRST + 2, 0, false), 8), TERN_ST_RNR);
    regs.queue[inbox].doorbell = 1;
    assert_int_equal(arrive(word(FIRST + 2, 0, false), 10), TERN_ST_OK);
    told(TERN_ST_OK, 2, 10);
    nobody_is_told();
}

static void parts_of_a_message_share_an_entry(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(arrive(word(FIRST, 1, false), 8), TERN_ST_EARLY); /* not the first packet of a
                                                                        * message */
    assert_int_equal(arrive(word(FIRST, 0, true), 512), TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST + 2, 2, false), 8), TERN_ST_EARLY);
    assert_int_equal(arrive(word(FIRST + 1, 1, true), 512), TERN_ST_OK);
    assert_int_equal(*regs_words(rig_page(0) + RIG_RQ + 1024), 0);
    nobody_is_told();
    assert_int_equal(arrive(word(FIRST + 2, 2, false), 76), TERN_ST_OK);
    told(TERN_ST_OK, 0, 1100);
    assert_int_not_equal(*regs_words(rig_page(0) + RIG_RQ + 1024), 0);
    assert_int_equal(arrive(word(FIRST + 3, 0, false), 8), TERN_ST_OK);
    told(TERN_ST_OK, 1, 8);
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 0);
}

static void what_does_not_fit_breaks_the_pair(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    for (unsigned i = 0; i < ENTRY / 512; i++)
        assert_int_equal(arrive(word(FIRST + i, i, true), 512), TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST + 4, 4, true), 1), TERN_ST_MSG_TOO_LONG);
    told(TERN_ST_MSG_TOO_LONG, 0, ENTRY + 1);
    assert_int_equal(arrive(word(FIRST + 5, 5, false), 1), TERN_ST_BAD_STATE);
    assert_int_equal(set(TERN_PAIR_RC, false), TERN_PAIR_NO_ENTRY);
    nobody_is_told();
}

static void whoever_changes_a_pair_is_told_of_a_message_that_had_begun(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST + 1, 0, true), 512), TERN_ST_OK);
    assert_int_equal(set(TERN_PAIR_RC, false), 1);
    assert_int_equal(set(TERN_PAIR_RC, true), TERN_PAIR_NO_ENTRY);
}

static void places_that_the_host_takes_back_are_not_used(void **state)
{
    (void)state;
    open(TERN_PAIR_RC);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_OK);
    regs.queue[inbox].doorbell = 0xffffff;
    set(TERN_PAIR_RC, true);
    assert_int_equal(arrive(word(FIRST, 0, false), 8), TERN_ST_RNR);
}

static void what_an_unreliable_pair_has_no_room_for_is_dropped_whole(void **state)
{
    (void)state;
    open(TERN_PAIR_UC);
    regs.queue[inbox].doorbell = 0xffffff - 1;
    assert_int_equal(arrive(word(FIRST, 0, true), 512), TERN_ST_OK);
    regs.queue[inbox].doorbell = 0;
    assert_int_equal(arrive(word(FIRST + 1, 1, false), 8), TERN_ST_OK);
    nobody_is_told();
    assert_int_equal(arrive(word(FIRST + 2, 0, true), 512), TERN_ST_OK);
    assert_int_equal(arrive(word(FIRST + 4, 2, false), 8), TERN_ST_OK); /* a packet is missing */
    nobody_is_told();
    assert_int_equal(arrive(word(FIRST + 5, 0, false), 30), TERN_ST_OK); /* in the same entry */
    told(TERN_ST_OK, 0, 30);
}

static void datagrams_need_the_key(void **state)
{
    (void)state;
    open(TERN_PAIR_UD);
    assert_int_equal(arrive(KEY + 1, 8), TERN_ST_NOT_PEER);
    assert_int_equal(arrive_from(5 | 9u << 16, pair, KEY, 8), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, node, told(TERN_ST_OK, 0, 8)), 5);
    assert_int_equal(arrive_from(6 | 8u << 16, pair, KEY, 512), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, told(TERN_ST_OK, 1, 512)), 8);
    assert_int_equal(arrive(KEY, 8), TERN_ST_OK); /* no buffer: dropped */
    nobody_is_told();
}

/* ---- sender side */

static void post(bool linked)
{
    uint32_t w[16];

    rig_send(w, 8, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, decides, w, 1);
    TERN_SET(DESC, linked, w, linked);
    rig_post(&rig, &rig.sq, w);
}

static void answer(unsigned slot, uint32_t status)
{
    rig_end(&rig, slot, status);
}

static void expect(uint32_t index, uint32_t status)
{
    const uint32_t *done = rig_poll(&rig.cq);

    assert_non_null(done);
    assert_int_equal(TERN_GET(CQE, index, done), index);
    assert_int_equal(TERN_GET(CQE, status, done), status);
    rig_consumed(&rig.cq);
}

/* Posts `count` messages; returns their slots. */
static void start(unsigned *slots, unsigned count)
{
    unsigned before = regs.tx_count;

    for (unsigned i = 0; i < count; i++)
        post(i != 0);
    rig_run(&rig);
    assert_int_equal(regs.tx_count - before, count);
    for (unsigned i = 0; i < count; i++)
        slots[i] = TERN_F(TXC, slot, regs.tx[(before + i) % REGS_LOG]);
}

static void who_is_early_waits_for_those_before(void **state)
{
    unsigned slots[3], before;

    (void)state;
    rig_open(&rig, 4, 4);
    start(slots, 3);
    answer(slots[0], TERN_ST_RNR);
    rig_ticks(&rig, 1);
    answer(slots[0], TERN_ST_RNR);
    answer(slots[1], TERN_ST_EARLY);
    answer(slots[2], TERN_ST_EARLY);
    before = regs.tx_count;
    rig_ticks(&rig, 1);
    assert_int_equal(regs.tx_count, before);
    rig_ticks(&rig, 1);
    assert_int_equal(TERN_F(TXC, slot, regs.tx[before % REGS_LOG]), slots[0]);
    answer(slots[0], TERN_ST_OK);
    expect(0, TERN_ST_OK);
    rig_ticks(&rig, 2);
    answer(slots[1], TERN_ST_OK);
    answer(slots[2], TERN_ST_OK);
    expect(1, TERN_ST_OK);
    expect(2, TERN_ST_OK);
}

static void who_is_early_and_first_has_failed(void **state)
{
    unsigned slots[2];

    (void)state;
    rig_open(&rig, 4, 4);
    start(slots, 2);
    answer(slots[1], TERN_ST_EARLY);
    assert_null(rig_poll(&rig.cq));
    answer(slots[0], TERN_ST_EARLY);
    expect(0, TERN_ST_EARLY);
    rig_ticks(&rig, 1);
    expect(1, TERN_ST_FLUSHED);
    post(true);
    rig_run(&rig);
    expect(2, TERN_ST_FLUSHED);
    post(false);
    rig_run(&rig);
    answer(LAST_SLOT(), TERN_ST_OK);
    expect(3, TERN_ST_OK);
}

static int fresh(void **state)
{
    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    memset(regs.members, 0xff, sizeof(regs.members));
    return 0;
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pair_is_made_of_what_its_function_has),
        TEST(a_pair_goes_as_queues_do),
        TEST(messages_for_a_pair_whose_inbox_is_gone_are_refused),
        TEST(only_its_peer_is_let_in),
        TEST(messages_are_taken_in_order),
        TEST(parts_of_a_message_share_an_entry),
        TEST(what_does_not_fit_breaks_the_pair),
        TEST(whoever_changes_a_pair_is_told_of_a_message_that_had_begun),
        TEST(places_that_the_host_takes_back_are_not_used),
        TEST(what_an_unreliable_pair_has_no_room_for_is_dropped_whole),
        TEST(datagrams_need_the_key),
        TEST(who_is_early_waits_for_those_before),
        TEST(who_is_early_and_first_has_failed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
