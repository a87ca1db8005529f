/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to send that go from member to member: the firmware over a model of the registers.  It
 * is node 1 of a ring of four; the box begins at node 3, so node 2 comes after it and is the last.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fn.h"
#include "rig.h"

enum { RX = 1, BEFORE = 0, NEXT = 2, ORIGIN = 3, PASS = 0x51a7e, TAG = 0xfade, COUNTER = 4,
       BYTES = 1024, AREA = 5, EPOCH = 9, FIFO = 7, OWN = REGS_POOL, ENTRY = 4,
       ASKED = TERN_RELAY_BYTES + ENTRY, /* a request to which one member has added its room */
       PUT_WORDS = TERN_INLINE_BYTES_MAX / 4, NO_ANSWER = 0xffff };

#define GROUP 0x60040051u
#define ARENA_AT (rig_page(0) + RIG_DATA)

static struct rig rig;

static int fresh(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    regs_reset();
    rig_open(&rig, 4, 4);
    assert_int_equal(rig_set_counter(&rig, COUNTER, 0), TERN_ST_OK);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_OPEN_ARENA);
    TERN_SET(ADM, addr, w, ARENA_AT);
    TERN_SET(ADM, size, w, BYTES);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, group, w, GROUP);
    TERN_SET(ADM, counter, w, COUNTER);
    TERN_SET(ADM, cq, w, rig.cq.number);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    return 0;
}

/* Puts a request of `bytes` that began at `origin` into the receive slot. */
static uint32_t *request(unsigned origin, uint32_t bytes)
{
    uint32_t *h = regs.rx[RX], *p = h + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;

    memset(h, 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, type, h, TERN_PTYPE_RELAY);
    TERN_SET(PKT, src, h, BEFORE);
    TERN_SET(PKT, length, h, bytes);
    h[TERN_PKT_addr_WORD] = TERN_V(GET, area, AREA) | TERN_V(GET, epoch, EPOCH);
    h[TERN_PKT_key_WORD] = GROUP;
    TERN_SET(RTS, answers, p, FIFO);
    TERN_SET(RTS, epoch, p, EPOCH);
    TERN_SET(RTS, tag, p, TAG);
    TERN_SET(RTS, pass, p, PASS);
    TERN_SET(RTS, length, p, 100);
    TERN_SET(RTS, box_low, p, 3);
    TERN_SET(RTS, box_high, p, 2);
    TERN_SET(RLY, origin, p, origin);
    for (unsigned i = 0; i < PUT_WORDS; i++)
        h[TERN_PKT_HEADER_BYTES / 4 + PUT_WORDS + i] = 0x1000 + i;
    return h;
}

/* Returns what the node before is answered. */
static uint32_t hear(void)
{
    unsigned before = regs.ack_count;

    regs.rx_freed[RX] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_RELAY));
    rig_run(&rig);
    if (regs.ack_count == before)
        return NO_ANSWER;
    assert_int_equal(regs.ack_count, before + 1);
    assert_int_equal(regs.acks[before] & 0xff, RX);
    return regs.acks[before] >> 8;
}

static void refused(uint32_t status)
{
    unsigned before = regs.tx_count, writes = regs.hw_writes;

    assert_int_equal(hear(), status);
    assert_int_equal(regs.tx_count, before);
    assert_int_equal(regs.hw_writes, writes);
}

static void what_is_no_request_is_refused(void **state)
{
    uint32_t *p;

    (void)state;
    request(ORIGIN, TERN_RELAY_BYTES - ENTRY);
    refused(TERN_ST_BAD_LENGTH);
    request(ORIGIN, ASKED + 1);
    refused(TERN_ST_BAD_LENGTH);
    request(ORIGIN, rig.fw.id.payload_max); /* no room for an entry more */
    refused(TERN_ST_BAD_LENGTH);
    p = request(ORIGIN, ASKED) + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;
    TERN_SET(RTS, length, p, 0);
    refused(TERN_ST_BAD_BOX);
    p = request(ORIGIN, ASKED) + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;
    TERN_SET(RTS, box_low, p, 2);
    TERN_SET(RTS, box_high, p, 3); /* without this node */
    refused(TERN_ST_BAD_BOX);
    request(ORIGIN, ASKED)[TERN_PKT_key_WORD] = GROUP + 1;
    refused(TERN_ST_BAD_KEY);
}

/* All that was announced has come, so the room that comes next begins later in the arena. */
static void arrive(void)
{
    rig_end(&rig, OWN, TERN_ST_OK);
    regs.counter[COUNTER] = 0;
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, COUNTER));
    rig_run(&rig);
    (void)rig_expect_of(&rig, TERN_OP_ARRIVED, TERN_ST_OK);
}

static void it_is_stored_and_passed_on_with_the_room_of_this_node(void **state)
{
    const uint32_t *w = regs.slot[OWN], room = 128;
    uint32_t *stored = regs_words(ARENA_AT + room), *p;
    unsigned before;

    (void)state;
    request(ORIGIN, ASKED);
    assert_int_equal(hear(), TERN_ST_OK);
    arrive();
    memset(stored, 0xff, BYTES - room);
    p = request(ORIGIN, ASKED) + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;
    TERN_SET(RTS, epoch, p, EPOCH + 1);
    before = regs.tx_count;
    assert_int_equal(hear(), TERN_ST_OK);
    assert_int_equal(stored[0], 0x51515151); /* the model's payload of receive slot 1 */
    assert_int_equal(stored[ASKED / 4 - 1], 0x51515151);
    assert_int_equal(stored[ASKED / 4], room);
    assert_int_equal(stored[ASKED / 4 + 1], UINT32_MAX);
    assert_int_equal(regs.counter[COUNTER], 100);
    assert_int_equal(regs.tx_count, before + 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[before]), TERN_PTYPE_RELAY);
    assert_int_equal(w[TERN_DESC_dst_node_WORD] & 0xffff, NEXT);
    assert_int_equal(w[TERN_DESC_length_WORD], ASKED + ENTRY);
    assert_int_equal(TERN_GET(DESC, remote_key, w), GROUP);
    assert_int_equal(TERN_GET(DESC, local_addr, w), ARENA_AT + room);
    assert_int_equal(TERN_GET(DESC, local_key, w), rig.key[0]);
}

static void the_last_member_asks_the_origin_to_begin(void **state)
{
    const uint32_t *w = regs.slot[OWN];
    unsigned before = regs.tx_count;

    (void)state;
    request(NEXT, ASKED); /* the origin is no member: none comes after this node */
    assert_int_equal(hear(), TERN_ST_OK);
    assert_int_equal(regs.tx_count, before + 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[before]), TERN_PTYPE_GET);
    assert_int_equal(w[TERN_DESC_dst_node_WORD] & 0xffff, NEXT);
    assert_int_equal(TERN_GET(DESC, dst_queue, w), FIFO);
    assert_int_equal(TERN_GET(DESC, remote_key, w), (uint32_t)TAG << 16 | (GROUP & 0xffff));
    for (unsigned i = 0; i < PUT_WORDS; i++)
        assert_int_equal(w[8 + i], 0x1000 + i);
}

static void the_origin_hears_who_could_not_be_reached(void **state)
{
    const uint32_t *w = regs.slot[OWN];
    unsigned before;
    uint32_t where;

    (void)state;
    request(ORIGIN, ASKED);
    assert_int_equal(hear(), TERN_ST_OK);
    before = regs.tx_count;
    rig_end(&rig, OWN, TERN_ST_TIMEOUT);
    assert_int_equal(regs.tx_count, before + 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[before]), TERN_PTYPE_CHECKIN);
    w = regs.slot[TERN_F(TXC, slot, regs.tx[before])];
    where = w[TERN_CHK_area_WORD];
    assert_int_equal(w[TERN_DESC_dst_node_WORD] & 0xffff, ORIGIN);
    assert_int_equal(w[TERN_CHK_pass_WORD], PASS);
    assert_int_equal(TERN_GET(CHK, epoch, w), EPOCH);
    assert_int_equal(TERN_F(CHK, area, where), AREA);
    assert_int_equal(TERN_F(CHK, slot, where), 3); /* node 2 is the fourth of the box */
    assert_int_equal(TERN_F(CHK, refusal, where), TERN_ST_TIMEOUT);
}

static void what_memory_refuses_is_not_passed_on(void **state)
{
    unsigned before = regs.tx_count;

    (void)state;
    request(ORIGIN, ASKED);
    regs.write_fails = true;
    assert_int_equal(hear(), TERN_ST_HOST_FAULT);
    assert_int_equal(regs.tx_count, before);
    regs.write_fails = false;
    request(ORIGIN, ASKED); /* the node before may try again */
    assert_int_equal(hear(), TERN_ST_OK);
}

#define TEST(name) cmocka_unit_test_setup(name, fresh)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_request_is_refused),
        TEST(it_is_stored_and_passed_on_with_the_room_of_this_node),
        TEST(the_last_member_asks_the_origin_to_begin),
        TEST(the_origin_hears_who_could_not_be_reached),
        TEST(what_memory_refuses_is_not_passed_on),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
