/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to send, arenas, and waits that hold up the queue: the firmware over a model of the
 * registers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fn.h"
#include "messages_out.h"
#include "rig.h"

enum { RX = 1, ORIGIN = 2, PASS = 0x51a7e, TAG = 0xfade, COUNTER = 4, BYTES = 1024, AREA = 5,
      OWN = REGS_POOL };

#define GROUP 0x60040051u
#define ARENA_AT (rig_page(0) + RIG_DATA)

static struct rig rig;
static unsigned arena;
static unsigned links; /* of the next descriptors posted, so many are linked */


static void words_to_open(uint32_t w[16])
{
    memset(w, 0, 64);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_OPEN_ARENA);
    TERN_SET(ADM, addr, w, ARENA_AT);
    TERN_SET(ADM, size, w, BYTES);
    TERN_SET(ADM, key, w, rig.key[0]);
    TERN_SET(ADM, group, w, GROUP);
    TERN_SET(ADM, counter, w, COUNTER);
    TERN_SET(ADM, cq, w, rig.cq.number);
}

static int open_anew(bool asks)
{
    const uint32_t *done;
    uint32_t w[16];

    regs_reset();
    rig_open(&rig, 4, 4);
    assert_int_equal(rig_set_counter(&rig, COUNTER, 0), TERN_ST_OK);
    words_to_open(w);
    TERN_SET(ADM, asks, w, asks);
    done = rig_admin(&rig, 0, w);
    assert_int_equal(STATUS(done), TERN_ST_OK);
    arena = (unsigned)TERN_GET(CQE, length, done);
    return 0;
}

static int fresh(void **state)
{
    (void)state;
    return open_anew(false);
}

static int fresh_asked(void **state)
{
    (void)state;
    return open_anew(true);
}

/* ---- requests */

static uint32_t *request(unsigned origin, unsigned epoch, uint32_t bytes)
{
    uint32_t *h = regs.rx[RX], *p = h + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;

    memset(h, 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, type, h, TERN_PTYPE_RTS);
    TERN_SET(PKT, src, h, origin);
    TERN_SET(PKT, length, h, TERN_INLINE_BYTES_MAX);
    h[TERN_PKT_addr_WORD] = TERN_V(RTS, area, AREA);
    h[TERN_PKT_key_WORD] = GROUP;
    TERN_SET(RTS, epoch, p, epoch);
    TERN_SET(RTS, tag, p, TAG);
    TERN_SET(RTS, pass, p, PASS + origin);
    TERN_SET(RTS, length, p, bytes);
    TERN_SET(RTS, reference, p, 0xabcd);
    TERN_SET(RTS, box_low, p, 3);
    TERN_SET(RTS, box_high, p, 2); /* the box of all four nodes, from 3 up to 2 */
    return h;
}

static void hear(void)
{
    regs.rx_freed[RX] = false;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_RTS));
    rig_run(&rig);
    assert_true(regs.rx_freed[RX]);
}

/*
 * Returns the refusal in the answer sent from own slot `slot`, and the base in *base; then its
 * message ends.
 */
static unsigned answer_in(unsigned slot, uint64_t *base)
{
    const uint32_t *w = regs.slot[slot];
    uint32_t where = w[TERN_CHK_area_WORD];

    assert_true(regs.op[slot].busy);
    assert_int_equal(TERN_F(CHK, area, where), AREA);
    assert_int_equal(TERN_F(CHK, slot, where), 2); /* this node, 1, is the third node of the box */
    *base = TERN_GET(ANS, base, w + 8);
    assert_int_equal(TERN_GET(ANS, epoch, w + 8), TERN_GET(CHK, epoch, w));
    assert_int_equal(TERN_GET(ANS, refusal, w + 8), TERN_F(CHK, refusal, where));
    rig_end(&rig, slot, TERN_ST_OK);
    return TERN_F(CHK, refusal, where);
}

static unsigned ask(unsigned origin, unsigned epoch, uint32_t bytes, uint64_t *base)
{
    unsigned before = regs.tx_count;

    request(origin, epoch, bytes);
    hear();
    assert_int_equal(regs.tx_count, before + 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[before]), TERN_PTYPE_CHECKIN);
    assert_int_equal(regs.slot[OWN][TERN_DESC_dst_node_WORD], origin);
    assert_int_equal(regs.slot[OWN][TERN_CHK_pass_WORD], PASS + origin);
    assert_int_equal(TERN_GET(CHK, epoch, regs.slot[OWN]), epoch);
    return answer_in(OWN, base);
}

static unsigned asked(unsigned origin, unsigned epoch, uint32_t bytes)
{
    uint64_t base;

    return ask(origin, epoch, bytes, &base);
}

static void unheard(void)
{
    unsigned before = regs.tx_count;

    hear();
    assert_int_equal(regs.tx_count, before);
}

static const uint32_t *window(void) { return regs.region[GROUP & 0xffff]; }

static bool window_is_shut(void) { return TERN_GET(RGN, rights, window()) == 0; }

/* Makes all announced bytes arrive. */
static const uint32_t *arrive(void)
{
    regs.counter[COUNTER] = 0;
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, COUNTER));
    rig_run(&rig);
    return rig_expect_of(&rig, TERN_OP_ARRIVED, TERN_ST_OK);
}

static unsigned give(uint32_t end)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_GIVE_ARENA);
    TERN_SET(ADM, id, w, arena);
    TERN_SET(ADM, length, w, end);
    return STATUS(rig_admin(&rig, 0, w));
}

static unsigned close_arena(unsigned id)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_CLOSE_ARENA);
    TERN_SET(ADM, id, w, id);
    return STATUS(rig_admin(&rig, 0, w));
}

static void a_request_opens_a_window_and_what_comes_is_told(void **state)
{
    const uint32_t *done;
    uint64_t base;

    (void)state;
    assert_true(window_is_shut());
    assert_int_equal(ask(ORIGIN, 1, 100, &base), 0);
    assert_int_equal(base, 0);
    assert_int_equal(TERN_GET(RGN, base, window()), ARENA_AT);
    assert_int_equal(TERN_GET(RGN, length, window()), 100);
    assert_int_equal(TERN_GET(RGN, tag, window()), TAG);
    assert_int_equal(TERN_GET(RGN, rights, window()), TERN_RIGHT_REMOTE_WRITE);
    assert_int_equal(regs.counter[COUNTER], 100);
    done = arrive();
    assert_int_equal(TERN_GET(CQE, index, done), arena);
    assert_int_equal(TERN_GET(CQE, length, done), 100);
    assert_int_equal(TERN_GET(CQE, imm, done), 0xabcd);
    assert_int_equal(TERN_GET(CQE, node, done), ORIGIN);
    assert_true(window_is_shut());
    assert_int_equal(ask(ORIGIN, 2, 8, &base), 0);
    assert_int_equal(base, 128); /* after the first transfer, whose room is not freed */
    assert_int_equal(TERN_GET(CQE, value, arrive()), 128);
}

static void the_same_again_gets_the_same_answer(void **state)
{
    uint64_t base;

    (void)state;
    assert_int_equal(ask(ORIGIN, 1, 100, &base), 0);
    assert_int_equal(arrive() != NULL, 1);
    assert_int_equal(ask(ORIGIN, 2, 100, &base), 0);
    assert_int_equal(base, 128);
    assert_int_equal(ask(ORIGIN, 2, 100, &base), 0);
    assert_int_equal(base, 128);
    assert_int_equal(asked(ORIGIN, 1, 100), TERN_ST_STALE_EPOCH);
    (void)arrive();
    assert_int_equal(asked(ORIGIN, 2, 100), TERN_ST_STALE_EPOCH); /* its bytes have arrived */
}

static void a_later_one_takes_the_place_of_one_that_did_not_come(void **state)
{
    uint64_t base;

    (void)state;
    assert_int_equal(ask(ORIGIN, 0xffff, 800, &base), 0);
    /* across the wrap: no room for both */
    assert_int_equal(ask(ORIGIN, 0, 900, &base), 0);
    assert_int_equal(base, 0);
    assert_int_equal(TERN_GET(CQE, length, arrive()), 900);
}

static void one_origin_at_a_time(void **state)
{
    (void)state;
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
    assert_int_equal(asked(ORIGIN + 1, 9, 100), TERN_ST_ARENA_BUSY);
    assert_int_equal(TERN_GET(CQE, node, arrive()), ORIGIN);
    assert_int_equal(asked(ORIGIN + 1, 9, 100), 0);
    assert_int_equal(TERN_GET(CQE, node, arrive()), ORIGIN + 1);
}

static void the_ring_of_bytes_comes_round(void **state)
{
    uint64_t base;

    (void)state;
    assert_int_equal(ask(ORIGIN, 1, BYTES + 1, &base), TERN_ST_BAD_LENGTH);
    assert_int_equal(base, 0);
    assert_int_equal(ask(ORIGIN, 2, 640, &base), 0);
    (void)arrive();
    assert_int_equal(ask(ORIGIN, 3, 300, &base), 0);
    assert_int_equal(base, 640);
    (void)arrive();
    assert_int_equal(asked(ORIGIN, 4, 65), TERN_ST_ARENA_FULL); /* 64 at the end */
    assert_int_equal(give(640), TERN_ST_OK);
    assert_int_equal(give(640), TERN_ST_BAD_RANGE); /* further than the used part of the ring */
    assert_int_equal(ask(ORIGIN, 5, 65, &base), 0);
    assert_int_equal(base, 0); /* the rest at the end is too short */
    assert_int_equal(give(128), TERN_ST_BAD_RANGE); /* its bytes have not arrived */
    (void)arrive();
    assert_int_equal(give(960), TERN_ST_OK);
    assert_int_equal(ask(ORIGIN, 6, 832, &base), 0);
    assert_int_equal(base, 128);
    (void)arrive();
    assert_int_equal(give(128), TERN_ST_OK); /* the skipped rest is freed with it */
    assert_int_equal(asked(ORIGIN, 7, 193), TERN_ST_ARENA_FULL);
    assert_int_equal(give(960), TERN_ST_OK);
    assert_int_equal(ask(ORIGIN, 8, BYTES, &base), 0); /* empty: starts at 0 again */
    assert_int_equal(base, 0);
    (void)arrive();
    assert_int_equal(give(BYTES + 64), TERN_ST_BAD_RANGE);
    assert_int_equal(give(0), TERN_ST_BAD_RANGE);
    assert_int_equal(give(BYTES), TERN_ST_OK);
    assert_int_equal(rig.fw.arena[arena].used, 0);
}

static void an_answer_can_be_a_message(void **state)
{
    uint64_t base;

    (void)state;
    request(ORIGIN, 1, 100)[8 + TERN_RTS_answers_WORD - 8] = TERN_V(RTS, answers, 77) | TERN_V(RTS,
        by_message, 1);
    hear();
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_PTYPE_SEND);
    assert_int_equal(TERN_GET(DESC, dst_queue, regs.slot[OWN]), 77);
    assert_true(TERN_GET(DESC, flags, regs.slot[OWN]) & TERN_DFLAG_IMM);
    TERN_SET(CHK, epoch, regs.slot[OWN], 1); /* in the place where a check-in has it */
    assert_int_equal(answer_in(OWN, &base), 0);
}

static void what_is_taken_back_is_free_again(void **state)
{
    uint64_t base;

    (void)state;
    assert_int_equal(ask(ORIGIN, 1, BYTES, &base), 0);
    request(ORIGIN, 2, 0);
    unheard();
    assert_true(window_is_shut());
    assert_int_equal(rig.fw.arena[arena].used, 0);
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 0);
    assert_int_equal(ask(ORIGIN + 1, 1, BYTES, &base), 0);
    request(ORIGIN, 3, 0); /* of a node without a transfer */
    unheard();
    assert_false(window_is_shut());
    (void)arrive();
}

static void a_lease_counts_from_the_last_bytes(void **state)
{
    (void)state;
    uint32_t *p = request(ORIGIN, 1, 512);

    p[8 + TERN_RTS_lease_WORD - 8] = 3 * rig.fw.tick_cycles;
    hear();
    regs_op_end(OWN, TERN_ST_OK);
    rig_ticks(&rig, 2);
    regs.counter[COUNTER] = 256; /* some bytes have arrived */
    rig_ticks(&rig, 3);
    assert_int_equal(rig.fw.arena[arena].state, ARENA_GRANTED);
    rig_ticks(&rig, 4);
    assert_int_equal(rig.fw.arena[arena].state, ARENA_OPEN);
    assert_true(window_is_shut());
    assert_null(rig_poll(&rig.cq));
    regs_event(TERN_EV_CTR, TERN_V(EV, counter, COUNTER)); /* too late */
    rig_run(&rig);
    assert_null(rig_poll(&rig.cq));
}

static void what_is_no_request_goes_unheard(void **state)
{
    (void)state;
    request(ORIGIN, 1, 100)[TERN_PKT_key_WORD] = GROUP + 1;
    unheard();
    request(ORIGIN, 1, 100)[TERN_PKT_key_WORD] = GROUP + 0x10000;
    unheard();
    TERN_SET(PKT, length, request(ORIGIN, 1, 100), 24);
    unheard();
    TERN_SET(PKT, src, request(ORIGIN, 1, 100), 31);
    unheard();
    /* this node is outside the box */
    request(ORIGIN, 1, 100)[8 + TERN_RTS_box_low_WORD - 8] = 2 | 3u << 16;
    unheard();
    request(ORIGIN, 1, 100)[8 + TERN_RTS_box_low_WORD - 8] = 0x7fff7fff; /* the box is outside this
                                                                          * torus */
    unheard();
    assert_true(window_is_shut());
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
}

static void an_arena_without_a_completion_place_is_not_ready(void **state)
{
    struct fw_queue *cq = &rig.fw.queue[rig.cq.number];
    uint16_t room = cq->room, reserved = cq->reserved;

    (void)state;
    cq->room = 0;
    cq->reserved = 1u << cq->log2_entries;
    assert_int_equal(asked(ORIGIN, 1, 100), TERN_ST_RNR);
    cq->room = room;
    cq->reserved = reserved;
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
}

/*
 * Four own slots are the firmware's: further answers wait for one, and requests beyond the table
 * get no answer.
 */
static void answers_wait_for_a_slot_of_their_own(void **state)
{
    unsigned before = regs.tx_count;
    uint64_t base;

    (void)state;
    for (unsigned n = 0; n < FW_REPLIES + REGS_SLOTS_OWN + 3; n++) {
        request(ORIGIN, 1, 100);
        hear();
    }
    assert_int_equal(regs.tx_count, before + REGS_SLOTS_OWN);
    assert_false(fw_reply_room(&rig.fw));
    for (unsigned n = 0; n < FW_REPLIES + REGS_SLOTS_OWN; n++)
        assert_int_equal(answer_in(OWN + n % REGS_SLOTS_OWN, &base), 0);
    assert_int_equal(regs.tx_count, before + REGS_SLOTS_OWN + FW_REPLIES);
    assert_int_equal(rig.fw.own_busy, 0);
    assert_int_equal(rig.fw.marked, RIG_MARKED);
}

static void an_answer_that_fails_leaves_nothing_behind(void **state)
{
    (void)state;
    request(ORIGIN, 1, 100);
    hear();
    rig_end(&rig, OWN, TERN_ST_LINK_DOWN);
    assert_int_equal(rig.fw.own_busy, 0);
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
}

static void opening_names_what_is_wrong(void **state)
{
    static const struct {
        unsigned size, cq, counter;
        uint32_t group;
        uint64_t at;
        unsigned status;
    } rows[] = {
        {64, 1, 6, 0x52, 0, TERN_ST_BAD_QUEUE},
        {64, REGS_QUEUES, 6, 0x52, 0, TERN_ST_BAD_QUEUE},
        {0, 0, 6, 0x52, 0, TERN_ST_BAD_SIZE},
        {96, 0, 6, 0x52, 0, TERN_ST_BAD_SIZE},
        {64, 0, 6, 0x52, RIG_PAGE, TERN_ST_BAD_RANGE},
        {64, 0, 7, 0x52, 0, TERN_ST_BAD_COUNTER},
        {64, 0, COUNTER, 0x52, 0, TERN_ST_BAD_COUNTER},
        {64, 0, 6, 0, 0, TERN_ST_BAD_KEY},
        {64, 0, 6, REGS_REGIONS, 0, TERN_ST_BAD_KEY},
        {64, 0, 6, 0x51, 0, TERN_ST_QUEUE_BUSY},
    };
    uint32_t w[16];

    (void)state;
    assert_int_equal(rig_set_counter(&rig, 6, 0), TERN_ST_OK);
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        words_to_open(w);
        TERN_SET(ADM, size, w, rows[i].size);
        TERN_SET(ADM, cq, w, rows[i].cq ? rows[i].cq : rig.cq.number);
        TERN_SET(ADM, counter, w, rows[i].counter);
        TERN_SET(ADM, group, w, rows[i].group);
        TERN_SET(ADM, addr, w, ARENA_AT + rows[i].at);
        assert_int_equal(STATUS(rig_admin(&rig, 0, w)), rows[i].status);
    }
    assert_int_equal(close_arena(arena + 1), TERN_ST_BAD_ARENA);
    assert_int_equal(close_arena(TERN_ARENAS), TERN_ST_BAD_ARENA);
}

static void tables_have_an_end(void **state)
{
    const uint32_t *done;
    uint32_t w[16];
    unsigned more = 0;

    (void)state;
    for (unsigned n = 1; n <= TERN_ARENAS; n++) {
        assert_int_equal(rig_set_counter(&rig, COUNTER + n, 0), TERN_ST_OK);
        words_to_open(w);
        TERN_SET(ADM, group, w, GROUP + n);
        TERN_SET(ADM, counter, w, COUNTER + n);
        done = rig_admin(&rig, 0, w);
        more += STATUS(done) == TERN_ST_OK;
    }
    assert_int_equal(more, TERN_ARENAS - 1);
}

static void what_an_arena_uses_stays(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    TERN_SET(DESC, opcode, w, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, w, GROUP);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_QUEUE_BUSY);
    TERN_SET(ADM, key, w, rig.key[0]);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_QUEUE_BUSY);
    assert_int_equal(rig_set_counter(&rig, COUNTER, 3), TERN_ST_BAD_COUNTER);
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
    assert_int_equal(close_arena(arena), TERN_ST_OK);
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 0);
    assert_int_equal(rig_set_counter(&rig, COUNTER, 3), TERN_ST_OK);
    request(ORIGIN, 2, 100);
    unheard();
    assert_int_equal(TERN_GET(RGN, valid, window()), 0);
}

static void a_function_that_goes_takes_its_arenas_along(void **state)
{
    uint32_t w[16] = {0};

    (void)state;
    assert_int_equal(asked(ORIGIN, 1, 100), 0);
    TERN_SET(DESC, opcode, w, TERN_ADMIN_RESET);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
    assert_int_equal(rig.fw.arena[arena].state, ARENA_FREE);
    assert_int_equal(TERN_GET(RGN, valid, window()), 0);
    request(ORIGIN, 2, 100);
    unheard();
}

/* ---- the host chooses the address */

/*
 * Makes the firmware ask its host about the request of `origin`; returns the number of the
 * question.
 */
static uint32_t question(unsigned origin, unsigned epoch, uint32_t bytes)
{
    const uint32_t *done;

    request(origin, epoch, bytes);
    unheard();
    done = rig_expect_of(&rig, TERN_OP_ASKED, TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, index, done), arena);
    assert_int_equal(TERN_GET(CQE, length, done), bytes);
    assert_int_equal(TERN_GET(CQE, imm, done), 0xabcd);
    assert_int_equal(TERN_GET(CQE, node, done), origin);
    assert_true(window_is_shut());
    return (uint32_t)TERN_GET(CQE, value, done);
}

static unsigned says(uint32_t number, uint32_t start, unsigned refusal)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_ANSWER_ARENA);
    TERN_SET(ADM, id, w, arena);
    TERN_SET(ADM, pass, w, number);
    TERN_SET(ADM, length, w, start);
    TERN_SET(ADM, refusal, w, refusal);
    return STATUS(rig_admin(&rig, 0, w));
}

static void the_host_says_where_bytes_go(void **state)
{
    uint32_t first = question(ORIGIN, 1, 100), second;
    uint64_t base;

    (void)state;
    request(ORIGIN, 1, 100); /* its host has been asked already */
    unheard();
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(says(first, 96, 0), TERN_ST_BAD_RANGE);
    assert_int_equal(says(first, BYTES - 64, 0), TERN_ST_BAD_RANGE);
    assert_int_equal(says(first, BYTES + 64, 0), TERN_ST_BAD_RANGE);
    assert_int_equal(says(first, 0xffffffc0, 0), TERN_ST_BAD_RANGE);
    assert_int_equal(says(first + 1, 512, 0), TERN_ST_STALE_EPOCH);
    assert_int_equal(says(first, 512, 0), TERN_ST_OK);
    assert_int_equal(answer_in(OWN, &base), 0);
    assert_int_equal(base, 512);
    assert_int_equal(TERN_GET(RGN, base, window()), ARENA_AT + 512);
    assert_int_equal(TERN_GET(RGN, tag, window()), TAG);
    assert_int_equal(regs.counter[COUNTER], 100);
    assert_int_equal(says(first, 512, 0), TERN_ST_STALE_EPOCH);
    assert_int_equal(TERN_GET(CQE, value, arrive()), 512);
    assert_int_equal(give(512), TERN_ST_BAD_RANGE); /* such an arena has no ring */
    second = question(ORIGIN, 2, BYTES);
    assert_int_equal(says(second, 0, TERN_ST_ARENA_FULL), TERN_ST_OK);
    assert_int_equal(answer_in(OWN, &base), TERN_ST_ARENA_FULL);
    assert_true(window_is_shut());
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 0);
}

static void a_question_ends_with_its_request(void **state)
{
    uint32_t number = question(ORIGIN, 1, 100);

    (void)state;
    assert_int_equal(asked(ORIGIN + 1, 1, 100), TERN_ST_ARENA_BUSY);
    assert_int_equal(question(ORIGIN, 2, 200), number + 1);
    assert_int_equal(says(number, 0, 0), TERN_ST_STALE_EPOCH);
    request(ORIGIN, 3, 0);
    unheard();
    assert_int_equal(says(number + 1, 0, 0), TERN_ST_STALE_EPOCH);
    assert_int_equal(question(ORIGIN + 1, 1, 100), number + 2);
    assert_int_equal(close_arena(arena), TERN_ST_OK);
    assert_int_equal(says(number + 2, 0, 0), TERN_ST_BAD_ARENA);
    assert_int_equal(rig.fw.queue[rig.cq.number].reserved, 0);
}

/*
 * Makes the same request arrive in the form that members relay and store; returns the status of its
 * ack, which comes at once.
 */
static unsigned stored(unsigned origin, unsigned epoch, uint32_t bytes)
{
    uint32_t *h = request(origin, epoch, bytes),
        *p = h + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;
    unsigned writes = regs.hw_writes, acks = regs.ack_count;

    TERN_SET(PKT, type, h, TERN_PTYPE_RELAY);
    TERN_SET(PKT, length, h, TERN_RELAY_BYTES);
    TERN_SET(RLY, origin, p, origin);
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_RELAY));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, acks + 1);
    assert_int_equal(regs.hw_writes, writes);
    return regs.acks[acks % REGS_LOG] >> 8;
}

static void the_same_again_is_not_stored_in_less_room(void **state)
{
    (void)state;
    assert_int_equal(asked(ORIGIN, 1, 8), 0);
    assert_int_equal(stored(ORIGIN, 1, 8), TERN_ST_STALE_EPOCH);
    assert_false(window_is_shut()); /* an accepted transfer keeps its room */
}

static void an_arena_that_asks_stores_no_request(void **state)
{
    uint32_t number = question(ORIGIN, 1, 8);
    uint64_t base;

    (void)state;
    assert_int_equal(stored(ORIGIN, 1, 8), TERN_ST_BAD_TYPE);
    assert_int_equal(says(number, 64, 0), TERN_ST_OK);
    assert_int_equal(answer_in(OWN, &base), 0);
    assert_int_equal(stored(ORIGIN, 1, 8), TERN_ST_BAD_TYPE);
    assert_int_equal(stored(ORIGIN, 2, 8), TERN_ST_BAD_TYPE);
}

static void a_lease_ends_a_question(void **state)
{
    uint32_t *p = request(ORIGIN, 1, 512), number;

    (void)state;
    p[8 + TERN_RTS_lease_WORD - 8] = 3 * rig.fw.tick_cycles;
    unheard();
    number = (uint32_t)TERN_GET(CQE, value, rig_expect_of(&rig, TERN_OP_ASKED, TERN_ST_OK));
    rig_ticks(&rig, 2);
    assert_int_equal(rig.fw.arena[arena].state, ARENA_ASKED);
    rig_ticks(&rig, 2);
    assert_int_equal(rig.fw.arena[arena].state, ARENA_OPEN);
    assert_int_equal(says(number, 0, 0), TERN_ST_STALE_EPOCH);
}

static void an_answer_that_cannot_be_sent_is_not_taken(void **state)
{
    struct fw_queue *cq = &rig.fw.queue[rig.cq.number];
    uint32_t number = question(ORIGIN, 1, 100);
    uint16_t room = cq->room, reserved = cq->reserved;
    uint64_t base;

    (void)state;
    rig.fw.reply_owed = FW_REPLIES;
    assert_int_equal(says(number, 0, 0), TERN_ST_RNR);
    rig.fw.reply_owed = 0;
    cq->room = 0;
    cq->reserved = 1u << cq->log2_entries;
    assert_int_equal(says(number, 0, 0), TERN_ST_RNR);
    cq->room = room;
    cq->reserved = reserved;
    assert_int_equal(says(number, 0, 0), TERN_ST_OK);
    assert_int_equal(answer_in(OWN, &base), 0);
}

/*
 * --- combined answers: in the ring of four the box goes up from 3 to 2, and the origin is 2. This
 * node, 1, gets its copy from 2, and forwards one down to 0
 */

enum { UP = ORIGIN, FROM_BEHIND = 1, PLACE_HERE = 2, PLACE_BEHIND = 1, LIMIT_TICKS = 9 };

static void hear_combined(unsigned epoch)
{
    uint32_t *p = request(UP, epoch, 100) + TERN_PKT_HEADER_BYTES / 4 - TERN_INLINE_OFFSET / 4;

    TERN_SET(RTS, combined, p, 1);
    TERN_SET(RTS, delivered, p, 1);
    TERN_SET(RTS, limit, p, LIMIT_TICKS * rig.fw.tick_cycles);
    hear();
}

static unsigned behind_says(unsigned area, unsigned epoch, unsigned refusal, uint32_t told)
{
    uint32_t *h = regs.rx[RX];
    unsigned before = regs.ack_count;

    memset(h, 0, sizeof(regs.rx[RX]));
    TERN_SET(PKT, length, h, TERN_CHECKIN_BYTES);
    h[TERN_PKT_addr_WORD] = TERN_V(CHK, area, area) | TERN_V(CHK, slot, FROM_BEHIND) | TERN_V(CHK,
        refusal, refusal);
    h[TERN_PKT_addr_WORD + 1] = epoch;
    h[TERN_PKT_key_WORD] = PASS + UP;
    h[TERN_PKT_HEADER_BYTES / 4] = told;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_CHECKIN));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, before + 1);
    return regs.acks[regs.ack_count - 1] >> 8;
}

/* Returns the refusal in the combined answer to the origin, and its number of members in *told. */
static unsigned word_up(unsigned area, uint32_t *told)
{
    const uint32_t *w = regs.slot[OWN];

    assert_true(regs.op[OWN].busy);
    assert_int_equal(TERN_GET(DESC, dst_node, w), UP);
    assert_int_equal(TERN_GET(CHK, area, w), area);
    assert_int_equal(TERN_GET(CHK, slot, w), FROM_BEHIND); /* port X-, as here */
    *told = (uint32_t)TERN_GET(ANS, base, w + 8);
    rig_end(&rig, OWN, TERN_ST_OK);
    return (unsigned)TERN_GET(CHK, refusal, w);
}

static void an_answer_waits_for_those_behind(void **state)
{
    uint32_t told;

    (void)state;
    /* the request has not arrived */
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, 0, 1), TERN_ST_RNR);
    hear_combined(1);
    assert_int_equal(regs.tx_count, 0);
    assert_false(window_is_shut());
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, 0, 5), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), 0);
    assert_int_equal(told, 6); /* the members below, and this one */
    /* repeated: changes nothing */
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, 0, 5), TERN_ST_OK);
    assert_int_equal(behind_says(TERN_CHECKIN_TREE_DONE, 1, 0, 5), TERN_ST_OK);
    assert_int_equal(regs.tx_count, 1);
    (void)arrive();
    assert_int_equal(word_up(AREA + 1, &told), 0);
    assert_int_equal(regs.tx_count, 2);
    hear_combined(2); /* the entry of the table is free */
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 2, 0, 0), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), 0);
}

static void an_asked_hosts_answer_goes_to_the_parent(void **state)
{
    uint32_t told, number;

    (void)state;
    hear_combined(1);
    number = (uint32_t)TERN_GET(CQE, value, rig_expect_of(&rig, TERN_OP_ASKED, TERN_ST_OK));
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, 0, 5), TERN_ST_OK);
    assert_int_equal(regs.tx_count, 0);
    assert_int_equal(says(number, 64, 0), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), 0);
    assert_int_equal(told, 6);
    assert_int_equal(TERN_GET(CQE, value, arrive()), 64);
    hear_combined(2);
    number = (uint32_t)TERN_GET(CQE, value, rig_expect_of(&rig, TERN_OP_ASKED, TERN_ST_OK));
    assert_int_equal(says(number, 0, TERN_ST_RNR), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), TERN_ST_RNR);
    assert_int_equal(told, PLACE_HERE);
}

static void who_is_no_member_passes_answers_on(void **state)
{
    uint32_t told;

    (void)state;
    assert_int_equal(close_arena(arena), TERN_ST_OK);
    hear_combined(1);
    /* nor are those below */
    assert_int_equal(behind_says(TERN_CHECKIN_TREE_DONE, 1, 0, 0), TERN_ST_OK);
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, 0, 0), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), 0);
    assert_int_equal(told, 0);
    assert_int_equal(regs.slot[OWN + 1][TERN_CHK_area_WORD] & 0xffff, AREA + 1);
    rig_end(&rig, OWN + 1, TERN_ST_OK);
    assert_int_equal(rig.fw.own_busy, 0);
}

static void a_refusal_goes_up_at_once(void **state)
{
    uint32_t told;

    (void)state;
    hear_combined(1);
    assert_int_equal(behind_says(TERN_CHECKIN_TREE, 1, TERN_ST_ARENA_FULL, 77), TERN_ST_OK);
    assert_int_equal(word_up(AREA, &told), TERN_ST_ARENA_FULL);
    assert_int_equal(told, 77);
    request(UP, 2, 0);
    unheard();
    assert_int_equal(asked(UP + 1, 1, BYTES), 0);
    hear_combined(3);
    assert_int_equal(word_up(AREA, &told), TERN_ST_ARENA_BUSY);
    assert_int_equal(told, PLACE_HERE);
}

static void who_is_behind_and_silent_is_named(void **state)
{
    uint32_t told;

    (void)state;
    hear_combined(1);
    rig_ticks(&rig, LIMIT_TICKS);
    assert_int_equal(word_up(AREA, &told), TERN_ST_TIMEOUT);
    assert_int_equal(told, PLACE_BEHIND);
}

/* A combined answer that arrives before its request is refused with RNR, and retried. */
static void a_word_that_is_early_is_said_again(void **state)
{
    (void)state;
    request(ORIGIN, 1, 100);
    hear();
    rig_end(&rig, OWN, TERN_ST_RNR);
    assert_int_equal(regs.tx_count, 1);
    rig_ticks(&rig, 2);
    assert_int_equal(regs.tx_count, 2);
    assert_true(regs.op[OWN].busy);
    for (unsigned n = 0; n < 8; n++) {
        regs_op_end(OWN, TERN_ST_RNR);
        rig_ticks(&rig, 40);
    }
    assert_int_equal(rig.fw.own_busy, 0); /* the retries end */
}

/* ---- origin side */

static void arm_area(unsigned epoch, unsigned slots)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_ADMIN_ARM_AREA);
    TERN_SET(ADM, id, w, AREA);
    TERN_SET(ADM, epoch, w, epoch);
    TERN_SET(ADM, length, w, slots);
    TERN_SET(ADM, pass, w, PASS);
    assert_int_equal(STATUS(rig_admin(&rig, 0, w)), TERN_ST_OK);
}

static void words_to_ask(uint32_t w[16], unsigned epoch)
{
    rig_bcast(w, 3, 2, 3);
    TERN_SET(DESC, opcode, w, TERN_OP_RTS);
    TERN_SET(DESC, flags, w, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, remote_key, w, GROUP);
    TERN_SET(RTS, area, w, AREA);
    TERN_SET(RTS, epoch, w, epoch);
    TERN_SET(RTS, pass, w, PASS);
    TERN_SET(RTS, length, w, 100);
}

static void post(uint32_t *w)
{
    TERN_SET(DESC, linked, w, links != 0);
    links -= links != 0;
    rig_start(&rig, w);
}

/* Posts a wait; the next `behind` descriptors are linked to it. */
static void post_wait(unsigned epoch, unsigned behind)
{
    uint32_t w[16] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_WAIT);
    TERN_SET(CHK, area, w, AREA);
    TERN_SET(CHK, epoch, w, epoch);
    TERN_SET(DESC, decides, w, behind != 0);
    post(w);
    links = behind;
}

static void post_put(void)
{
    uint32_t w[16];

    rig_put(w, 64, 0);
    post(w);
}

static unsigned check_in(unsigned slot, unsigned epoch, unsigned refusal)
{
    uint32_t *h = regs.rx[RX];
    unsigned before = regs.ack_count;

    memset(h, 0, sizeof(regs.rx[RX]));
    h[TERN_PKT_addr_WORD] = TERN_V(CHK, area, AREA) | TERN_V(CHK, slot, slot) | TERN_V(CHK,
        refusal, refusal);
    h[TERN_PKT_addr_WORD + 1] = epoch;
    h[TERN_PKT_key_WORD] = PASS;
    regs_event(TERN_EV_RX, TERN_V(EV, rxslot, RX) | TERN_V(EV, pkttype, TERN_PTYPE_CHECKIN));
    rig_run(&rig);
    assert_int_equal(regs.ack_count, before + 1);
    return regs.acks[regs.ack_count - 1] >> 8;
}

static void a_request_leaves_as_a_broadcast_and_arms(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(7, 4);
    words_to_ask(w, 8);
    post(w);
    assert_int_equal(regs.tx_count, 1);
    assert_int_equal(TERN_F(TXC, type, regs.tx[0]), TERN_PTYPE_RTS);
    assert_int_equal(TERN_F(TXC, vn, regs.tx[0]), TERN_VN_REQUEST);
    assert_true(TERN_F(TXC, deposit, regs.tx[0]) && TERN_F(TXC, unacked, regs.tx[0]) &&
                TERN_F(TXC, msg, regs.tx[0]) && TERN_F(TXC, inl, regs.tx[0]) &&
                !TERN_F(TXC, self, regs.tx[0]));
    assert_int_equal(rig.fw.area[AREA].missing, 3);
    post_wait(8, 1);
    post_put();
    assert_int_equal(check_in(0, 7, 0), TERN_ST_STALE_EPOCH);
    /* this node's own slot belongs to no member: the area does not wait for it */
    assert_int_equal(check_in(2, 8, 0), TERN_ST_OK);
    assert_int_equal(rig.fw.area[AREA].missing, 3);
    for (unsigned slot = 0; slot < 4; slot++)
        assert_int_equal(check_in(slot, 8, 0), TERN_ST_OK);
    assert_int_equal(regs.tx_count, 2);
    assert_null(rig_poll(&rig.cq));
}

static void a_refusal_fails_what_the_wait_guards_and_no_more(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(7, 4);
    words_to_ask(w, 8);
    post(w);
    post_wait(8, 2);
    post_put();
    post_put();
    post_put();
    assert_int_equal(check_in(0, 8, 0), TERN_ST_OK);
    assert_int_equal(check_in(3, 8, TERN_ST_ARENA_FULL), TERN_ST_OK);
    assert_null(rig_poll(&rig.cq)); /* one answer is missing */
    assert_int_equal(check_in(1, 8, TERN_ST_ARENA_BUSY), TERN_ST_OK);
    assert_int_equal(TERN_GET(CQE, value, rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_ARENA_FULL)),
                     3);
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    assert_null(rig_poll(&rig.cq));
    assert_int_equal(regs.tx_count, 2); /* the request, and the third put */
    post_put();
    assert_int_equal(regs.tx_count, 3);
}

static void a_request_that_cannot_leave_fails_the_wait(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(7, 4);
    words_to_ask(w, 8);
    TERN_SET(BOX, high, w, 31);
    post(w);
    rig_expect_of(&rig, TERN_OP_RTS, TERN_ST_BAD_NODE);
    post_wait(8, 1);
    post_put();
    rig_expect_of(&rig, TERN_OP_WAIT, TERN_ST_BAD_NODE);
    rig_expect_of(&rig, TERN_OP_PUT, TERN_ST_FLUSHED);
    words_to_ask(w, 9);
    post(w);
    assert_int_equal(regs.tx_count, 1);
}

static void asking_names_what_is_wrong(void **state)
{
    uint32_t w[16];

    (void)state;
    words_to_ask(w, 8);
    post(w);
    rig_expect_of(&rig, TERN_OP_RTS, TERN_ST_BAD_AREA);
    arm_area(8, 4);
    post(w);
    rig_expect_of(&rig, TERN_OP_RTS, TERN_ST_STALE_EPOCH);
    arm_area(7, 3);
    post(w);
    rig_expect_of(&rig, TERN_OP_RTS, TERN_ST_BAD_SIZE); /* the box has four nodes */
    arm_area(7, 4);
    TERN_SET(DESC, inline_len, w, 24);
    post(w);
    rig_expect_of(&rig, TERN_OP_RTS, TERN_ST_BAD_LENGTH);
    assert_int_equal(regs.tx_count, 0);
}

static void a_withdrawal_awaits_nobody(void **state)
{
    uint32_t w[16];

    (void)state;
    arm_area(7, 4);
    words_to_ask(w, 8);
    TERN_SET(RTS, length, w, 0);
    post(w);
    assert_int_equal(regs.tx_count, 1);
    post_wait(8, 1);
    post_put();
    assert_int_equal(regs.tx_count, 2);
    assert_int_equal(rig.fw.work, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_request_opens_a_window_and_what_comes_is_told, fresh),
        cmocka_unit_test_setup(the_same_again_gets_the_same_answer, fresh),
        cmocka_unit_test_setup(a_later_one_takes_the_place_of_one_that_did_not_come, fresh),
        cmocka_unit_test_setup(one_origin_at_a_time, fresh),
        cmocka_unit_test_setup(the_ring_of_bytes_comes_round, fresh),
        cmocka_unit_test_setup(an_answer_can_be_a_message, fresh),
        cmocka_unit_test_setup(what_is_taken_back_is_free_again, fresh),
        cmocka_unit_test_setup(a_lease_counts_from_the_last_bytes, fresh),
        cmocka_unit_test_setup(what_is_no_request_goes_unheard, fresh),
        cmocka_unit_test_setup(an_arena_without_a_completion_place_is_not_ready, fresh),
        cmocka_unit_test_setup(answers_wait_for_a_slot_of_their_own, fresh),
        cmocka_unit_test_setup(an_answer_that_fails_leaves_nothing_behind, fresh),
        cmocka_unit_test_setup(opening_names_what_is_wrong, fresh),
        cmocka_unit_test_setup(tables_have_an_end, fresh),
        cmocka_unit_test_setup(what_an_arena_uses_stays, fresh),
        cmocka_unit_test_setup(a_function_that_goes_takes_its_arenas_along, fresh),
        cmocka_unit_test_setup(the_host_says_where_bytes_go, fresh_asked),
        cmocka_unit_test_setup(a_question_ends_with_its_request, fresh_asked),
        cmocka_unit_test_setup(the_same_again_is_not_stored_in_less_room, fresh),
        cmocka_unit_test_setup(an_arena_that_asks_stores_no_request, fresh_asked),
        cmocka_unit_test_setup(a_lease_ends_a_question, fresh_asked),
        cmocka_unit_test_setup(an_answer_that_cannot_be_sent_is_not_taken, fresh_asked),
        cmocka_unit_test_setup(an_asked_hosts_answer_goes_to_the_parent, fresh_asked),
        cmocka_unit_test_setup(an_answer_waits_for_those_behind, fresh),
        cmocka_unit_test_setup(who_is_no_member_passes_answers_on, fresh),
        cmocka_unit_test_setup(a_refusal_goes_up_at_once, fresh),
        cmocka_unit_test_setup(who_is_behind_and_silent_is_named, fresh),
        cmocka_unit_test_setup(a_word_that_is_early_is_said_again, fresh),
        cmocka_unit_test_setup(a_request_leaves_as_a_broadcast_and_arms, fresh),
        cmocka_unit_test_setup(a_refusal_fails_what_the_wait_guards_and_no_more, fresh),
        cmocka_unit_test_setup(a_request_that_cannot_leave_fails_the_wait, fresh),
        cmocka_unit_test_setup(asking_names_what_is_wrong, fresh),
        cmocka_unit_test_setup(a_withdrawal_awaits_nobody, fresh),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
