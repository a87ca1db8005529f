/* SPDX-License-Identifier: Apache-2.0 */
/* Reads: how the origin starts and ends them, and how the firmware of the target serves them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "asks.h"
#include "messages_out.h"

enum { READER = 3, AT_ONCE = 3 /* reads served at once, of four slots of each kind */ };

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

    rig_read(w, bytes, flags);
    rig_start(&rig, w);
}

/* ---- origin side */

static void a_short_read_is_one_command_and_awaits_one_answer(void **state)
{
    static const uint32_t sizes[] = {1, 8, 64, PAYLOAD};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        asks_once(&rig, rig_read, sizes[i], TERN_PTYPE_READ);
}

static void a_long_one_awaits_one_for_each_packet(void **state)
{
    static const uint32_t sizes[][2] = {{PAYLOAD + 1, 1}, {2 * PAYLOAD, 1}, {2 * PAYLOAD + 1, 2},
                                        {65536, 127},
                                        {TERN_PUT_BYTES_MAX - 1, 32767},
                                        {TERN_PUT_BYTES_MAX, 32767}};

    (void)state;
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        post(sizes[i][0], i % 2 ? TERN_DFLAG_SIGNAL : 0);
        asks_by(TERN_PTYPE_READ, i % 2);
        assert_int_equal(regs.members[LAST_SLOT()], sizes[i][1]);
        rig_answer(&rig, TERN_ST_OK);
        if (i % 2)
            (void)rig_expect_of(&rig, TERN_OP_READ, TERN_ST_OK);
    }
}

static void a_counter_takes_the_bytes_that_were_read(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_read(w, 3000, TERN_DFLAG_SIGNAL);
    asks_counted(&rig, w, 3000);
}

/* Posts a first read, which stores the CQ in `places` of the queue: later ones are fast. */
static void places_are_known(void)
{
    post(8, 0);
    rig_answer(&rig, TERN_ST_OK);
}

/* The chip sends those of one packet, and the target checks the length of the operands. */
static void what_is_asked_for_stands_in_the_descriptor_and_is_not_too_much(void **state)
{
    static const uint32_t lengths[] = {0, TERN_PUT_BYTES_MAX + 1, UINT32_MAX};
    static const uint32_t operands[] = {0, TERN_READ_BYTES - 1, TERN_READ_BYTES + 1,
                                        TERN_INLINE_BYTES_MAX, 63};
    uint32_t w[16];

    (void)state;
    places_are_known();
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        rig_read(w, lengths[i], i % 2 ? TERN_DFLAG_SIGNAL : 0);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
        rig_read(w, lengths[i], TERN_DFLAG_FENCE);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
    }
    for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
        rig_read(w, PAYLOAD + 1, i % 2 ? TERN_DFLAG_SIGNAL : 0);
        TERN_SET(DESC, inline_len, w, operands[i]);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
        rig_read(w, 8, TERN_DFLAG_FENCE);
        TERN_SET(DESC, inline_len, w, operands[i]);
        asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
    }
    rig_read(w, 8, 0);
    TERN_SET(DESC, flags, w, 0);
    asks_in_vain(&rig, w, TERN_ST_BAD_LENGTH);
}

static void nodes_and_links_are_looked_at(void **state)
{
    uint32_t w[16];

    (void)state;
    places_are_known();
    rig_read(w, PAYLOAD + 1, 0);
    TERN_SET(DESC, dst_node, w, 4);
    asks_in_vain(&rig, w, TERN_ST_BAD_NODE);
    regs_event(TERN_EV_LINK, TERN_V(EV, port, 0) | TERN_V(EV, up, 0));
    rig_run(&rig);
    rig_read(w, 8, 0);
    asks_in_vain(&rig, w, TERN_ST_LINK_DOWN);
}

/* It is retried until it gets a final answer. */
static void a_read_that_finds_no_place_is_sent_again(void **state)
{
    (void)state;
    post(2 * PAYLOAD, TERN_DFLAG_SIGNAL);
    asks_again(&rig, TERN_PTYPE_READ, 1);
}

static void nobody_is_told_that_it_was_sent_again(void **state)
{
    (void)state;
    for (unsigned i = 0; i < 20; i++) {
        post(8, 0);
        rig_answer(&rig, TERN_ST_RNR);
        rig_ticks(&rig, 3);
        rig_answer(&rig, TERN_ST_OK);
    }
    assert_null(rig_poll(&rig.cq));
    for (unsigned i = 0; i < 20; i++) { /* their completion places are free */
        post(8, TERN_DFLAG_SIGNAL);
        rig_answer(&rig, TERN_ST_RNR);
        rig_ticks(&rig, 3);
        rig_answer(&rig, TERN_ST_OK);
        (void)rig_expect_of(&rig, TERN_OP_READ, TERN_ST_OK);
    }
    assert_int_equal(rig.fw.sends, 0);
}

static void a_fence_waits_for_one_that_will_be_sent_again(void **state)
{
    (void)state;
    post(8, 0);
    rig_answer(&rig, TERN_ST_RNR);
    post(16, TERN_DFLAG_FENCE);
    assert_int_equal(regs.tx_count, 1);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 2);
    rig_answer(&rig, TERN_ST_OK);
    rig_ticks(&rig, 2);
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 3);
    rig_answer(&rig, TERN_ST_OK);
}

static void what_else_is_wrong_is_told_at_once(void **state)
{
    static const uint32_t statuses[] = {TERN_ST_BAD_KEY, TERN_ST_BAD_RIGHTS, TERN_ST_BAD_RANGE,
                                        TERN_ST_BAD_LENGTH, TERN_ST_STALE_NODE, TERN_ST_HOST_FAULT,
                                        TERN_ST_FLUSHED};

    (void)state;
    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        post(i % 2 ? 8 : 2 * PAYLOAD, 0);
        rig_answer(&rig, statuses[i]);
        rig_ticks(&rig, 4);
        assert_int_equal(regs.tx_count, i + 1);
        assert_int_equal(TERN_GET(CQE, length, rig_expect_of(&rig, TERN_OP_READ, statuses[i])), 0);
    }
}

static void silence_ends_in_a_timeout(void **state)
{
    (void)state;
    post(8, 0);
    asks_silence(&rig);
}

/* ---- target side */

static void ask(unsigned rx, uint32_t opid)
{
    uint32_t *w = regs.rx[rx];

    memset(w, 0, sizeof(regs.rx[rx]));
    TERN_SET(PKT, type, w, TERN_PTYPE_READ);
    TERN_SET(PKT, flags, w, TERN_PFLAG_LAST | TERN_PFLAG_ACK_REQ);
    TERN_SET(PKT, src, w, READER);
    TERN_SET(PKT, length, w, TERN_READ_BYTES);
    TERN_SET(PKT, addr, w, rig_page(0) + RIG_DATA);
    TERN_SET(PKT, key, w, rig.key[0]);
    TERN_SET(PKT, opid, w, opid);
    w[8] = 0x1000;
    w[10] = 0x20003;
    w[11] = 64;
}

static void arrive(unsigned rx)
{
    regs.rx_freed[rx] = false;
    regs_read_comes(rx);
    rig_run(&rig);
}

static void asked(unsigned rx)
{
    ask(rx, 0x100 + rx);
    arrive(rx);
}

static void a_request_is_copied_and_answered_from_there(void **state)
{
    (void)state;
    asked(2);
    assert_int_equal(regs.copy_count, 1);
    assert_int_equal(TERN_F(RXC, rxslot, regs.copies[0]), 2);
    assert_int_equal(TERN_F(RXC, slot, regs.copies[0]), LAST_SLOT());
    assert_int_equal(regs.tx_count, 1);
    assert_in_range(LAST_SLOT(), OWN(1), OWN(AT_ONCE));
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_REPLY);
    assert_int_equal(TERN_F(TXC, vn, TX_LAST()), TERN_VN_DATA);
    assert_int_equal(TERN_F(TXC, inl, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, msg, TX_LAST()), 0);
    assert_int_equal(TERN_F(TXC, notify, TX_LAST()), 1);
    assert_false(regs.rx_freed[2]);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    assert_true(regs.rx_freed[2]);
    assert_int_equal(regs.ack_count, 0);
    asks_left_nothing(&rig);
}

/* ---- samples */

static unsigned sample(unsigned cq, unsigned log2)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_SAMPLE);
    TERN_SET(ADM, cq, w, cq);
    TERN_SET(ADM, log2_entries, w, log2);
    return (unsigned)TERN_GET(CQE, status, rig_admin(&rig, 0, w));
}

static void serve(unsigned rx, unsigned status)
{
    asked(rx);
    rig_end(&rig, LAST_SLOT(), status);
}

static void a_sample_names_what_was_read_and_who_asked(void **state)
{
    const uint32_t *done;

    (void)state;
    assert_int_equal(sample(rig.cq.number, 0), TERN_ST_OK);
    for (unsigned i = 0; i < 3; i++) {
        serve(i, TERN_ST_OK);
        assert_true(regs.rx_freed[i]);
        done = rig_expect_of(&rig, TERN_OP_LOOKED, TERN_ST_OK);
        assert_int_equal(TERN_GET(CQE, value, done), rig_page(0) + RIG_DATA);
        assert_int_equal(TERN_GET(CQE, length, done), 64);
        assert_int_equal(TERN_GET(CQE, index, done), 0);
        assert_int_equal(TERN_GET(CQE, node, done), TERN_GET(PKT, src, regs.rx[i]));
        assert_int_equal(TERN_GET(CQE, queue, done), rig.cq.number);
    }
    serve(0, TERN_ST_BAD_KEY); /* nothing was read */
    assert_null(rig_poll(&rig.cq));
    asks_left_nothing(&rig);
}

static void one_in_so_many_is_sampled(void **state)
{
    enum { READS = 4096, LOG2 = 4 };
    unsigned samples = 0;

    (void)state;
    assert_int_equal(sample(rig.cq.number, LOG2), TERN_ST_OK);
    for (unsigned i = 0; i < READS; i++) {
        serve(i % 4, TERN_ST_OK);
        samples += rig_poll(&rig.cq) != NULL;
        rig_consumed(&rig.cq);
        regs.tx_count = 0;
        regs.copy_count = 0;
    }
    assert_in_range(samples, (READS >> LOG2) * 4 / 5, (READS >> LOG2) * 6 / 5);
    assert_int_equal(sample(0, 0), TERN_ST_OK);
    for (unsigned i = 0; i < 64; i++) {
        serve(i % 4, TERN_ST_OK);
        regs.tx_count = 0;
        regs.copy_count = 0;
    }
    assert_null(rig_poll(&rig.cq));
    asks_left_nothing(&rig);
}

/* They leave an entry, or the send queues of the completion queue would wait for its host. */
static void samples_take_no_place_from_others(void **state)
{
    unsigned room = 1u << rig.cq.log2, samples = 0;

    (void)state;
    assert_int_equal(sample(rig.cq.number, 0), TERN_ST_OK);
    for (unsigned i = 0; i < 2 * room; i++) {
        serve(i % 4, TERN_ST_OK);
        regs.tx_count = 0;
        regs.copy_count = 0;
    }
    while (rig_poll(&rig.cq))
        samples++;
    assert_int_equal(samples, room - 1);
    asks_left_nothing(&rig);
}

static unsigned admin(uint32_t *w, unsigned opcode, uint32_t *result)
{
    const uint32_t *done;

    TERN_SET(DESC, opcode, w, opcode);
    done = rig_admin(&rig, 0, w);
    *result = (uint32_t)TERN_GET(CQE, length, done);
    return STATUS(done);
}

static void samples_end_with_their_queue(void **state)
{
    uint32_t w[16] = {0}, number, none;

    (void)state;
    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, qtype, w, TERN_QTYPE_CQ);
    TERN_SET(ADM, log2_entries, w, 4);
    TERN_SET(ADM, addr, w, rig_page(0) + RIG_DATA + 0x1000);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, vector, w, TERN_VECTOR_NONE);
    assert_int_equal(admin(w, TERN_ADMIN_CREATE_QUEUE, &number), TERN_ST_OK);
    assert_int_equal(sample(number, TERN_SAMPLE_LOG2_MAX + 1), TERN_ST_BAD_SIZE);
    assert_int_equal(sample(TERN_QUEUE_ANY, 0), TERN_ST_BAD_QUEUE);
    assert_int_equal(sample(rig.sq.number, 0), TERN_ST_BAD_TYPE);
    assert_int_equal(sample(number, 0), TERN_ST_OK);
    assert_int_equal(rig.fw.sample_cq[0], number);
    memset(w, 0, sizeof(w));
    TERN_SET(ADM, id, w, number);
    assert_int_equal(admin(w, TERN_ADMIN_DELETE_QUEUE, &none), TERN_ST_OK);
    assert_int_equal(rig.fw.sample_cq[0], 0);
    serve(0, TERN_ST_OK);
    asks_left_nothing(&rig);
}

static void what_could_not_be_sent_is_told(void **state)
{
    static const uint32_t statuses[] = {TERN_ST_BAD_KEY, TERN_ST_BAD_RIGHTS, TERN_ST_BAD_RANGE,
                                        TERN_ST_BAD_LENGTH, TERN_ST_HOST_FAULT, TERN_ST_LINK_DOWN,
                                        TERN_ST_TIMEOUT};

    (void)state;
    for (unsigned i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        asked(i % 4);
        rig_end(&rig, LAST_SLOT(), statuses[i]);
        asks_refused(i + 1, i % 4, statuses[i]);
        asks_left_nothing(&rig);
    }
}

static void requests_of_another_life_or_length_are_refused(void **state)
{
    (void)state;
    ask(0, 1);
    TERN_SET(PKT, incarnation, regs.rx[0], 6);
    arrive(0);
    asks_refused(1, 0, TERN_ST_STALE_NODE);
    ask(1, 1);
    TERN_SET(PKT, incarnation, regs.rx[1], 7);
    TERN_SET(PKT, length, regs.rx[1], TERN_READ_BYTES - 1);
    arrive(1);
    asks_refused(2, 1, TERN_ST_BAD_LENGTH);
    ask(2, 1);
    TERN_SET(PKT, length, regs.rx[2], TERN_READ_BYTES + 1);
    arrive(2);
    asks_refused(3, 2, TERN_ST_BAD_LENGTH);
    assert_int_equal(regs.tx_count, 0);
    asks_left_nothing(&rig);
}

/* If all receive slots waited for the transmit unit, that could wait for one of them for ever. */
static void so_many_are_served_that_a_receive_slot_is_left(void **state)
{
    (void)state;
    for (unsigned rx = 0; rx < AT_ONCE; rx++)
        asked(rx);
    assert_int_equal(regs.tx_count, AT_ONCE);
    asked(AT_ONCE);
    assert_int_equal(regs.tx_count, AT_ONCE);
    assert_int_equal(regs.ack_count, 0);
    rig_end(&rig, TERN_F(TXC, slot, TX(1)), TERN_ST_OK);
    assert_true(regs.rx_freed[1]);
    assert_int_equal(regs.tx_count, AT_ONCE + 1);
    assert_int_equal(LAST_SLOT(), TERN_F(TXC, slot, TX(1)));
    assert_int_equal(TERN_F(RXC, rxslot, regs.copies[AT_ONCE]), AT_ONCE);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_OK);
    rig_end(&rig, TERN_F(TXC, slot, TX(2)), TERN_ST_BAD_KEY);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    asks_refused(1, 2, TERN_ST_BAD_KEY);
    asks_left_nothing(&rig);
}

/* The firmware gives the chip a slot in advance when it expects reads. */
static void the_next_read_is_copied_unasked_while_a_slot_is_left_to_others(void **state)
{
    (void)state;
    assert_int_equal(regs.copy_next, 0);
    asked(0);
    assert_int_not_equal(regs.copy_next, 0);
    assert_int_not_equal(TERN_F(RXC, slot, regs.copy_next), LAST_SLOT());
    asked(1);
    assert_int_equal(TERN_F(TXC, slot, TX(1)), TERN_F(RXC, slot, regs.copies[1]));
    assert_int_equal(regs.copy_next, 0); /* otherwise a read that arrives now would take the last
                                          * one */
    asked(2);
    assert_int_equal(regs.tx_count, 3);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_OK);
    assert_int_equal(regs.copy_next, 0);
    rig_end(&rig, TERN_F(TXC, slot, TX(1)), TERN_ST_OK);
    assert_int_not_equal(regs.copy_next, 0);
    ask(0, 1); /* a read that is copied and refused uses no slot */
    TERN_SET(PKT, length, regs.rx[0], 8);
    arrive(0);
    asks_refused(1, 0, TERN_ST_BAD_LENGTH);
    asked(0);
    asked(1);
    assert_int_equal(regs.tx_count, 5);
}

static void one_that_finds_no_place_for_two_ticks_is_refused(void **state)
{
    (void)state;
    for (unsigned rx = 0; rx <= AT_ONCE; rx++)
        asked(rx);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.ack_count, 0);
    rig_ticks(&rig, 1);
    asks_refused(1, AT_ONCE, TERN_ST_RNR);
    assert_int_equal(rig.fw.work, 0);
    asked(AT_ONCE); /* its time limit starts again */
    rig_ticks(&rig, 2);
    assert_int_equal(regs.ack_count, 1);
    rig_ticks(&rig, 1);
    asks_refused(2, AT_ONCE, TERN_ST_RNR);
    for (unsigned n = 0; n < AT_ONCE; n++)
        rig_end(&rig, TERN_F(TXC, slot, TX(n)), TERN_ST_OK);
    asks_left_nothing(&rig);
}

static void without_room_for_commands_it_waits_too(void **state)
{
    (void)state;
    regs.tx_space = 0;
    rig.fw.tx.room = 0;
    asked(1);
    assert_int_equal(regs.tx_count, 0);
    regs.tx_space = 8;
    rig_run(&rig);
    assert_int_equal(regs.tx_count, 1);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
    asks_left_nothing(&rig);
}

/*
 * Without room for answers, a read being served goes on, and the answer of a failed one is delayed.
 */
static void answers_wait_for_their_room(void **state)
{
    (void)state;
    regs.ack_space = 0;
    rig.fw.rx.ack_room = 0;
    asked(0);
    asked(1);
    assert_int_equal(regs.tx_count, 2);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_BAD_RANGE);
    rig_end(&rig, TERN_F(TXC, slot, TX(1)), TERN_ST_OK);
    assert_int_equal(regs.ack_count, 0);
    assert_false(regs.rx_freed[0]);
    regs.ack_space = 16;
    rig_run(&rig);
    asks_refused(1, 0, TERN_ST_BAD_RANGE);
    asks_left_nothing(&rig);
}

static void message(void)
{
    const struct fw_reply reply = {.node = READER, .opcode = TERN_OP_CHECKIN};

    fw_reply(&rig.fw, &reply);
    rig_run(&rig);
}

/* Reads leave one own slot to messages, and wait for slots that messages use. */
static void messages_and_reads_share_slots(void **state)
{
    (void)state;
    for (unsigned rx = 0; rx < AT_ONCE; rx++)
        asked(rx);
    message();
    message();
    assert_int_equal(regs.tx_count, AT_ONCE + 1);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_CHECKIN);
    rig_end(&rig, TERN_F(TXC, slot, TX(0)), TERN_ST_OK); /* for the second message */
    assert_int_equal(regs.tx_count, AT_ONCE + 2);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_CHECKIN);
    asked(0);
    assert_int_equal(regs.tx_count, AT_ONCE + 2);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK); /* a message's */
    assert_int_equal(regs.tx_count, AT_ONCE + 3);
    assert_int_equal(TERN_F(TXC, type, TX_LAST()), TERN_PTYPE_REPLY);
}

/* A message of a queue in slot 0; the number 0 also means no slot. */
static void what_waits_in_the_first_slot_is_not_given_to_others(void **state)
{
    uint32_t w[16];

    (void)state;
    rig_send(w, 8, TERN_DFLAG_SIGNAL);
    rig_start(&rig, w);
    assert_int_equal(LAST_SLOT(), 0);
    rig_answer(&rig, TERN_ST_RNR);
    assert_int_not_equal(rig.fw.op[0].attempts, 0);
    for (unsigned rx = 0; rx < AT_ONCE; rx++)
        asked(rx);
    message();
    message();
    assert_int_equal(rig.fw.own_free, 0);
}

/* ---- regions that reads use */

static void a_region_is_released_when_nobody_reads_it_any_more(void **state)
{
    (void)state;
    asks_register(&rig);
    asked(0);
    asks_hold_region(&rig);
}

static void one_that_nobody_reads_is_released_at_once(void **state)
{
    (void)state;
    asked(0); /* the other read */
    asks_register(&rig);
    asks_release(&rig);
    assert_int_equal(TERN_GET(CQE, status, rig_poll(&rig.acq[0])), TERN_ST_OK);
    rig_end(&rig, LAST_SLOT(), TERN_ST_OK);
}

static void a_function_is_off_when_nobody_reads_its_memory_any_more(void **state)
{
    (void)state;
    asked(0);
    asks_hold_function(&rig);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, fresh)
    static const struct CMUnitTest tests[] = {
        TEST(a_short_read_is_one_command_and_awaits_one_answer),
        TEST(a_long_one_awaits_one_for_each_packet),
        TEST(a_counter_takes_the_bytes_that_were_read),
        TEST(what_is_asked_for_stands_in_the_descriptor_and_is_not_too_much),
        TEST(nodes_and_links_are_looked_at),
        TEST(a_read_that_finds_no_place_is_sent_again),
        TEST(nobody_is_told_that_it_was_sent_again),
        TEST(a_fence_waits_for_one_that_will_be_sent_again),
        TEST(what_else_is_wrong_is_told_at_once),
        TEST(silence_ends_in_a_timeout),
        TEST(a_request_is_copied_and_answered_from_there),
        TEST(a_sample_names_what_was_read_and_who_asked),
        TEST(one_in_so_many_is_sampled),
        TEST(samples_take_no_place_from_others),
        TEST(samples_end_with_their_queue),
        TEST(what_could_not_be_sent_is_told),
        TEST(requests_of_another_life_or_length_are_refused),
        TEST(so_many_are_served_that_a_receive_slot_is_left),
        TEST(the_next_read_is_copied_unasked_while_a_slot_is_left_to_others),
        TEST(one_that_finds_no_place_for_two_ticks_is_refused),
        TEST(without_room_for_commands_it_waits_too),
        TEST(answers_wait_for_their_room),
        TEST(messages_and_reads_share_slots),
        TEST(what_waits_in_the_first_slot_is_not_given_to_others),
        TEST(a_region_is_released_when_nobody_reads_it_any_more),
        TEST(one_that_nobody_reads_is_released_at_once),
        TEST(a_function_is_off_when_nobody_reads_its_memory_any_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
