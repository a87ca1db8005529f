/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's end of the host link on Ethernet, against a board that the test plays: frames lost,
 * repeated, out of order, damaged, of strangers; a board that falls silent. The test's clock is the
 * line's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "line.h"

enum {
    SESSION = 0x1234abcd,
    OTHER_SESSION = SESSION ^ 0x10,
    TURN_US = 1000,
    SOON_US = 20,
    TURNS_MOST = 10000,
    TAKEN_MOST = 64
};

static const uint8_t own[TERN_PACKET_ADDRESS] = {2, 0, 0, 0, 0, 9};

static struct {
    struct tern_line line;
    uint64_t now;
    uint8_t expect; /* the number that the board wants next */
    uint32_t taken[TAKEN_MOST];
    unsigned takens;
} test;

static void on_frame(void *ctx, const uint32_t *words, size_t count)
{
    (void)ctx;
    assert_in_range(count, 3, TERN_HLINK_UP_WORDS);
    assert_true(test.takens < TAKEN_MOST);
    test.taken[test.takens++] = words[2];
}

/* ---- the board ---- */

static size_t from_board(const uint32_t *words, size_t count, uint32_t session, uint8_t *packet)
{
    size_t bytes = tern_packet_make(words, count, own, session, packet);

    tern_packet_board(packet + TERN_PACKET_ADDRESS);
    memcpy(packet, own, sizeof own);
    return bytes;
}

static uint32_t head(unsigned kind, uint8_t seq, size_t count)
{
    return (uint32_t)kind << TERN_HLINK_KIND | (uint32_t)seq << TERN_HLINK_SEQ |
           (uint32_t)test.expect << TERN_HLINK_ACK | (uint32_t)count << TERN_HLINK_WORDS;
}

static void board_sends(const uint32_t *words, size_t count)
{
    uint8_t packet[TERN_PACKET_BYTES];
    size_t bytes = from_board(words, count, SESSION, packet);

    tern_line_packet(&test.line, packet, bytes);
}

static void board_syncs(uint32_t arg)
{
    uint32_t words[] = {head(TERN_HLINK_KIND_SYNCED, 0, 4), arg << TERN_HLINK_ARG, SESSION,
                        TERN_HLINK_VERSION};

    board_sends(words, 4);
}

static void board_acks(uint32_t arg)
{
    uint32_t words[] = {head(TERN_HLINK_KIND_ACK, 0, 2), arg << TERN_HLINK_ARG};

    board_sends(words, 2);
}

/* Makes frame `seq` of the board, an interrupt whose word 2 is `value`. */
static size_t board_frame(uint8_t seq, uint32_t value, uint32_t session, uint8_t *packet)
{
    uint32_t words[] = {head(TERN_HLINK_KIND_WRITE, seq, 5),
                        (uint32_t)TERN_HLINK_ARG_IRQ << TERN_HLINK_ARG, value, 0, 0};

    return from_board(words, 5, session, packet);
}

static void board_writes(uint8_t seq, uint32_t value)
{
    uint8_t packet[TERN_PACKET_BYTES];
    size_t bytes = board_frame(seq, value, SESSION, packet);

    tern_line_packet(&test.line, packet, bytes);
}

/* ---- the host ---- */

struct seen {
    unsigned packets, numbered, acks, gaps, syncs;
    uint8_t first; /* number of the first numbered one */
};

static struct seen turn(uint64_t later)
{
    struct seen seen = {0};
    uint32_t words[TERN_FRAME_WORDS];
    uint8_t packet[TERN_PACKET_BYTES], board[TERN_PACKET_ADDRESS];
    size_t bytes;

    test.now += later;
    tern_line_work(&test.line, test.now);
    tern_packet_board(board);
    for (;;) {
        const uint8_t *from = tern_line_output(&test.line, &bytes);
        bool bad;

        if (bytes == 0)
            return seen;
        memcpy(packet, from, bytes);
        tern_line_output_taken(&test.line, bytes);
        assert_true(tern_packet_words(packet, bytes, board, SESSION, words, &bad) >= 2);
        seen.packets++;
        if (tern_frame_kind(words[0]) == TERN_HLINK_KIND_SYNC) {
            seen.syncs++;
        } else if (tern_frame_kind(words[0]) == TERN_HLINK_KIND_ACK) {
            seen.acks++;
            seen.gaps += tern_frame_field(words[1], TERN_HLINK_ARG) == TERN_HLINK_ARG_GAP;
        } else if (seen.numbered++ == 0) {
            seen.first = tern_frame_field(words[0], TERN_HLINK_SEQ);
        }
    }
}

static void host_sends(unsigned count)
{
    static const uint32_t words[] = {0, 8};

    for (; count > 0; count--)
        assert_true(tern_line_send(&test.line, TERN_HLINK_KIND_BAR_READ, words, 2));
}

static int begin(void **state)
{
    (void)state;
    memset(&test, 0, sizeof test);
    tern_line_init(&test.line, SESSION, 0);
    tern_line_ether(&test.line, own);
    test.line.take = on_frame;
    return 0;
}

static int begin_session(void **state)
{
    begin(state);
    turn(TURN_US);
    board_syncs(0);
    turn(TURN_US);
    return 0;
}

static int end(void **state)
{
    (void)state;
    tern_line_fini(&test.line);
    return 0;
}

/* Turns until the board is dead. Returns after how long. */
static uint64_t dies_after(void)
{
    uint64_t from = test.now;

    while (!tern_line_dead(&test.line) && test.now - from < 10ull * TERN_LINE_DEAD_US)
        turn(TURN_US);
    return test.now - from;
}

/* ---- tests ---- */

static void a_session_is_asked_for_until_the_board_answers(void **state)
{
    unsigned syncs = 0;

    (void)state;
    for (unsigned i = 0; i < 1000; i++)
        syncs += turn(TURN_US).syncs;
    assert_in_range(syncs, 3, 50);
    board_syncs(0);
    host_sends(1);
    assert_int_equal(turn(TURN_US).numbered, 1);
}

static void a_board_whose_update_is_damaged_says_so_when_it_is_asked(void **state)
{
    (void)state;
    turn(TURN_US);
    board_syncs(0);
    assert_false(test.line.first_image);
    tern_line_ask(&test.line);
    assert_int_equal(turn(TURN_US).syncs, 1);
    board_syncs(TERN_HLINK_ARG_FIRST);
    assert_true(test.line.first_image);
    assert_false(test.line.asks);
    assert_int_equal(turn(TURN_US).packets, 0);
}

static void frames_of_another_node_of_the_board_are_not_taken(void **state)
{
    uint32_t words[] = {head(TERN_HLINK_KIND_WRITE, 0, 5) | 1u << TERN_HLINK_CHANNEL,
                        (uint32_t)TERN_HLINK_ARG_IRQ << TERN_HLINK_ARG, 7, 0, 0};

    (void)state;
    board_sends(words, 5);
    assert_int_equal(test.takens, 0);
    assert_int_equal(turn(TURN_US).packets, 0);
    board_writes(0, 8);
    assert_int_equal(test.takens, 1);
    assert_int_equal(test.taken[0], 8);
}

static void a_board_says_how_many_nodes_it_has(void **state)
{
    (void)state;
    turn(TURN_US);
    board_syncs(2u << TERN_HLINK_ARG_MORE | TERN_HLINK_ARG_FIRST);
    assert_int_equal(test.line.more, 2);
    assert_true(test.line.first_image);
}

static void a_board_whose_update_did_not_come_up_says_so_when_it_is_asked(void **state)
{
    (void)state;
    turn(TURN_US);
    board_syncs(0);
    assert_false(test.line.rolled_back);
    tern_line_ask(&test.line);
    turn(TURN_US);
    board_syncs(TERN_HLINK_ARG_BACK);
    assert_true(test.line.rolled_back);
    assert_false(test.line.first_image);
}

static void a_board_that_never_answers_is_dead_in_twenty_seconds(void **state)
{
    (void)state;
    assert_in_range(dies_after(), TERN_LINE_DEAD_US, TERN_LINE_DEAD_US + 2 * TURN_US);
}

static void a_board_that_falls_silent_while_frames_wait_is_dead_in_twenty_seconds(void **state)
{
    (void)state;
    host_sends(3);
    assert_in_range(dies_after(), TERN_LINE_DEAD_US, TERN_LINE_DEAD_US + 2 * TURN_US);
}

static void a_board_that_owes_nothing_may_be_silent(void **state)
{
    (void)state;
    assert_int_equal(dies_after(), 10ull * TERN_LINE_DEAD_US);
}

static void frames_that_are_lost_leave_again_all_of_them(void **state)
{
    struct seen seen;

    (void)state;
    host_sends(5);
    assert_int_equal(turn(TURN_US).numbered, 5);
    test.expect = 2;
    board_acks(0);
    for (unsigned i = 0; i < TURNS_MOST; i++) {
        seen = turn(TURN_US);
        if (seen.numbered > 0)
            break;
    }
    assert_int_equal(seen.numbered, 3);
    assert_int_equal(seen.first, 2);
}

static void a_board_that_misses_frames_gets_them_at_once(void **state)
{
    struct seen seen;

    (void)state;
    host_sends(5);
    turn(TURN_US);
    test.expect = 1;
    board_acks(TERN_HLINK_ARG_GAP);
    seen = turn(0);
    assert_int_equal(seen.numbered, 4);
    assert_int_equal(seen.first, 1);
}

static void no_more_than_a_window_is_under_way(void **state)
{
    (void)state;
    host_sends(TERN_HLINK_WINDOW + 5);
    assert_int_equal(turn(TURN_US).numbered, TERN_HLINK_WINDOW);
    test.expect = 3;
    board_acks(0);
    assert_int_equal(turn(0).numbered, 3);
}

static void an_acknowledgement_of_what_was_not_sent_changes_nothing(void **state)
{
    (void)state;
    host_sends(2);
    turn(TURN_US);
    test.expect = 9;
    board_acks(0);
    assert_int_equal(test.line.open, 2);
}

static void a_frame_that_comes_twice_is_taken_once(void **state)
{
    (void)state;
    board_writes(0, 70);
    board_writes(0, 71);
    board_writes(1, 72);
    assert_int_equal(test.takens, 2);
    assert_int_equal(test.taken[0], 70);
    assert_int_equal(test.taken[1], 72);
    assert_int_equal(turn(TURN_US).acks, 1);
}

static void an_acknowledgement_leaves_with_an_answer_that_is_due(void **state)
{
    struct seen seen;

    (void)state;
    test.line.answers = true;
    board_writes(0, 70);
    assert_int_equal(turn(SOON_US).packets, 0);
    host_sends(1);
    seen = turn(SOON_US);
    assert_int_equal(seen.numbered, 1);
    assert_int_equal(seen.packets, 1);
    test.line.answers = false;
    assert_int_equal(turn(TURN_US).packets, 0);
}

static void an_acknowledgement_does_not_wait_long(void **state)
{
    (void)state;
    test.line.answers = true;
    board_writes(0, 70);
    assert_int_equal(turn(SOON_US).acks, 0);
    assert_int_equal(turn(TURN_US).acks, 1);
    for (uint8_t seq = 1; seq <= TERN_HLINK_WINDOW / 2; seq++)
        board_writes(seq, 70);
    assert_int_equal(turn(0).acks, 1);
}

static void frames_out_of_order_are_asked_for_again_once(void **state)
{
    (void)state;
    board_writes(1, 71);
    board_writes(2, 72);
    assert_int_equal(test.takens, 0);
    assert_int_equal(turn(TURN_US).gaps, 1);
    board_writes(3, 73);
    assert_int_equal(turn(TURN_US).gaps, 0);
    for (uint8_t seq = 0; seq < 4; seq++)
        board_writes(seq, 70u + seq);
    assert_int_equal(test.takens, 4);
    assert_int_equal(test.taken[3], 73);
}

static void a_damaged_frame_is_asked_for_again(void **state)
{
    uint8_t packet[TERN_PACKET_BYTES];
    size_t bytes = board_frame(0, 70, SESSION, packet);

    (void)state;
    for (size_t i = TERN_PACKET_HEAD; i < TERN_PACKET_HEAD + 24; i++) {
        packet[i] ^= 4;
        tern_line_packet(&test.line, packet, bytes);
        packet[i] ^= 4;
    }
    assert_int_equal(test.takens, 0);
    assert_int_equal(turn(TURN_US).gaps, 1);
    board_writes(0, 70);
    assert_int_equal(test.takens, 1);
}

static void a_frame_that_is_cut_is_dropped(void **state)
{
    uint8_t packet[TERN_PACKET_BYTES];
    uint32_t words[TERN_HLINK_UP_WORDS] = {head(TERN_HLINK_KIND_WRITE, 0, TERN_HLINK_UP_WORDS)};
    size_t bytes = from_board(words, TERN_HLINK_UP_WORDS, SESSION, packet);

    (void)state;
    for (size_t cut = 0; cut < bytes; cut++) {
        uint8_t *shorter = malloc(cut + 1); /* a read beyond it is seen by a sanitizer */

        memcpy(shorter, packet, cut);
        tern_line_packet(&test.line, shorter, cut);
        free(shorter);
    }
    assert_int_equal(test.takens, 0);
    tern_line_packet(&test.line, packet, bytes);
    assert_int_equal(test.takens, 1);
}

static void frames_of_other_sessions_types_and_receivers_are_not_taken(void **state)
{
    uint8_t packet[TERN_PACKET_BYTES];
    size_t bytes = board_frame(0, 70, OTHER_SESSION, packet);

    (void)state;
    tern_line_packet(&test.line, packet, bytes);
    bytes = board_frame(0, 70, SESSION, packet);
    for (size_t i = 0; i < 14; i++) {
        bool sender = i >= TERN_PACKET_ADDRESS && i < 2 * TERN_PACKET_ADDRESS;

        packet[i] ^= 8;
        if (!sender)
            tern_line_packet(&test.line, packet, bytes);
        packet[i] ^= 8;
    }
    assert_int_equal(test.takens, 0);
    assert_int_equal(test.line.counts.foreign, 9);
    assert_int_equal(turn(TURN_US).packets, 0);
    tern_line_packet(&test.line, packet, bytes);
    assert_int_equal(test.takens, 1);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_session_is_asked_for_until_the_board_answers, begin, end),
        cmocka_unit_test_setup_teardown(
            a_board_whose_update_is_damaged_says_so_when_it_is_asked, begin, end),
        cmocka_unit_test_setup_teardown(frames_of_another_node_of_the_board_are_not_taken,
                                        begin_session, end),
        cmocka_unit_test_setup_teardown(a_board_says_how_many_nodes_it_has, begin, end),
        cmocka_unit_test_setup_teardown(
            a_board_whose_update_did_not_come_up_says_so_when_it_is_asked, begin, end),
        cmocka_unit_test_setup_teardown(a_board_that_never_answers_is_dead_in_twenty_seconds, begin,
                                        end),
        cmocka_unit_test_setup_teardown(
            a_board_that_falls_silent_while_frames_wait_is_dead_in_twenty_seconds, begin_session,
            end),
        cmocka_unit_test_setup_teardown(a_board_that_owes_nothing_may_be_silent, begin_session,
                                        end),
        cmocka_unit_test_setup_teardown(frames_that_are_lost_leave_again_all_of_them, begin_session,
                                        end),
        cmocka_unit_test_setup_teardown(a_board_that_misses_frames_gets_them_at_once, begin_session,
                                        end),
        cmocka_unit_test_setup_teardown(no_more_than_a_window_is_under_way, begin_session, end),
        cmocka_unit_test_setup_teardown(an_acknowledgement_of_what_was_not_sent_changes_nothing,
                                        begin_session, end),
        cmocka_unit_test_setup_teardown(a_frame_that_comes_twice_is_taken_once, begin_session, end),
        cmocka_unit_test_setup_teardown(an_acknowledgement_leaves_with_an_answer_that_is_due,
                                        begin_session, end),
        cmocka_unit_test_setup_teardown(an_acknowledgement_does_not_wait_long, begin_session, end),
        cmocka_unit_test_setup_teardown(frames_out_of_order_are_asked_for_again_once, begin_session,
                                        end),
        cmocka_unit_test_setup_teardown(a_damaged_frame_is_asked_for_again, begin_session, end),
        cmocka_unit_test_setup_teardown(a_frame_that_is_cut_is_dropped, begin_session, end),
        cmocka_unit_test_setup_teardown(frames_of_other_sessions_types_and_receivers_are_not_taken,
                                        begin_session, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
