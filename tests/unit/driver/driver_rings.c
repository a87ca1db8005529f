/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the driver that access no NIC: ring places, completion rings, message splitting,
 * names, log text.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "internal.h"
#include "message.h"

/* ---- places of a send ring */

static void a_watched_place_is_free_when_its_operation_completed(void **state)
{
    struct tern_place at[4], place;
    struct tern_places places;

    (void)state;
    tern_places_init(&places, at, 2);
    tern_places_take(&places, 11, TERN_OP_PUT, true);
    tern_places_take(&places, 22, TERN_OP_PUT, true);
    assert_int_equal(tern_places_free(&places), 2);
    /* ended out of order: the first still holds its place, and so the one after it */
    assert_true(tern_places_complete(&places, 1, &place));
    assert_int_equal(place.context, 22);
    assert_int_equal(tern_places_free(&places), 2);
    assert_true(tern_places_complete(&places, 0, &place));
    assert_int_equal(place.context, 11);
    assert_int_equal(tern_places_free(&places), 4);
}

static void quiet_places_are_free_when_a_later_one_completed(void **state)
{
    struct tern_place at[8], place;
    struct tern_places places;

    (void)state;
    tern_places_init(&places, at, 3);
    tern_places_take(&places, 0, TERN_OP_PUT, true);
    tern_places_take(&places, 1, TERN_OP_PUT, false);
    tern_places_take(&places, 2, TERN_OP_PUT, false);
    tern_places_take(&places, 3, TERN_OP_PUT, true);
    tern_places_complete(&places, 0, &place);
    assert_int_equal(tern_places_free(&places), 5); /* no completion shows that they were fetched */
    tern_places_complete(&places, 3, &place);
    assert_int_equal(tern_places_free(&places), 8);
}

static void half_a_ring_of_quiet_operations_brings_a_silent_completion(void **state)
{
    struct tern_place at[8], place;
    struct tern_places places;

    (void)state;
    tern_places_init(&places, at, 3);
    for (int i = 0; i < 3; i++) {
        assert_false(tern_places_owe(&places));
        tern_places_take(&places, 0, TERN_OP_PUT, false);
    }
    assert_true(tern_places_owe(&places));
    tern_places_take(&places, 0, TERN_OP_PUT, false);
    assert_int_equal(tern_places_watched(&places), 1);
    assert_true(tern_places_complete(&places, 3, &place));
    assert_int_equal(place.state, PLACE_SILENT);
    assert_int_equal(tern_places_free(&places), 8);
}

static void places_wrap_with_their_16_bit_index(void **state)
{
    struct tern_place at[4], place;
    struct tern_places places;

    (void)state;
    tern_places_init(&places, at, 2);
    for (uint32_t i = 0; i < 3 * 65536u; i++) {
        assert_int_equal(tern_places_take(&places, i, TERN_OP_PUT, true), i);
        assert_true(tern_places_complete(&places, (uint16_t)i, &place));
        assert_int_equal(place.context, i);
    }
    assert_int_equal(tern_places_free(&places), 4);
}

static void a_completion_that_names_nothing_is_not_counted(void **state)
{
    struct tern_place at[4], place;
    struct tern_places places;

    (void)state;
    tern_places_init(&places, at, 2);
    tern_places_take(&places, 9, TERN_OP_PUT, true);
    assert_false(tern_places_complete(&places, 1, &place));
    assert_false(tern_places_complete(&places, 0xffff, &place));
    assert_true(tern_places_complete(&places, 0, &place));
    assert_false(tern_places_complete(&places, 0, &place)); /* twice */
    assert_int_equal(tern_places_free(&places), 4);
}

static void abandoned_operations_end_once_and_in_order(void **state)
{
    struct tern_place at[8], place;
    struct tern_places places;
    uint16_t index;

    (void)state;
    tern_places_init(&places, at, 3);
    tern_places_take(&places, 1, TERN_OP_PUT, true);
    tern_places_take(&places, 2, TERN_OP_PUT, false);
    tern_places_take(&places, 3, TERN_OP_SEND, true);
    assert_true(tern_places_abandon(&places, &place, &index));
    assert_int_equal(place.context, 1);
    assert_true(tern_places_abandon(&places, &place, &index));
    assert_int_equal(place.context, 3);
    assert_int_equal(index, 2);
    assert_false(tern_places_abandon(&places, &place, &index));
}

/* ---- completion rings */

static void write_cqe(uint32_t *ring, uint32_t count, unsigned log2_entries, uint32_t length)
{
    uint32_t *cqe = ring + (count & ((1u << log2_entries) - 1)) * CQE_WORDS;

    TERN_SET(CQE, length, cqe, length);
    TERN_SET(CQE, phase, cqe, ~(count >> log2_entries) & 1);
}

static void the_phase_tells_new_from_old_over_many_laps(void **state)
{
    uint32_t memory[4 * CQE_WORDS] = {0}, cqe[CQE_WORDS];
    struct tern_cqring ring = {.words = memory, .log2_entries = 2};

    (void)state;
    assert_false(tern_cqring_take(&ring, cqe)); /* zeroed memory has no completion */
    for (uint32_t count = 0; count < 100; count += 3) {
        for (uint32_t i = 0; i < 3; i++)
            write_cqe(memory, count + i, 2, count + i);
        for (uint32_t i = 0; i < 3; i++) {
            assert_true(tern_cqring_take(&ring, cqe));
            assert_int_equal(TERN_GET(CQE, length, cqe), count + i);
        }
        assert_false(tern_cqring_take(&ring, cqe));
    }
}

static void the_consumer_doorbell_is_owed_after_a_quarter(void **state)
{
    struct tern_cqring ring = {.log2_entries = 4, .head = 103, .rung = 100};

    (void)state;
    assert_false(tern_cqring_owes(&ring));
    ring.head = 104;
    assert_true(tern_cqring_owes(&ring));
    ring = (struct tern_cqring){.log2_entries = 0, .head = 1};
    assert_true(tern_cqring_owes(&ring)); /* one entry: after every completion */
}

/* ---- messages */

static void messages_are_cut_by_their_size(void **state)
{
    static const struct {
        uint32_t size;
        size_t have;
        long want;
    } table[] = {
        {16, 0, 0},   {16, 15, 0},  {16, 16, 16}, {16, 40, 16},
        {15, 16, -1}, /* shorter than its own header */
        {0, 16, -1},  {VFU_MESSAGE_MAX, 100, 0},
        {VFU_MESSAGE_MAX + 1, 16, -1}, {UINT32_MAX, 16, -1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        struct vfu_header header[4] = {{.size = table[i].size}};

        assert_int_equal(vfu_message_size(header, table[i].have), table[i].want);
    }
}

/* ---- names */

static void nodes_and_uris_are_read_and_written(void **state)
{
    char text[TERN_NODE_TEXT], path[100];
    const char *end;
    uint16_t node;

    (void)state;
    assert_int_equal(tern_node_parse("3", &node, NULL), 0);
    assert_int_equal(node, 3);
    assert_int_equal(tern_node_parse("1.2.3", &node, NULL), 0);
    assert_string_equal(tern_node_format(node, text), "1.2.3");
    assert_int_equal(tern_node_parse("31.31.31:7", &node, &end), 0);
    assert_string_equal(end, ":7");
    assert_int_equal(tern_node_parse("32.0.0", &node, NULL), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_node_parse("1.2.3x", &node, NULL), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_node_parse("", &node, NULL), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_uri_path("sim:/a/b.sock", path, sizeof(path)), 0);
    assert_string_equal(path, "/a/b.sock");
    setenv("TERN_SIM_DIR", "/d", 1);
    assert_int_equal(tern_uri_path("sim:1", path, sizeof(path)), 0);
    assert_string_equal(path, "/d/nic-1.0.0.sock");
    assert_int_equal(tern_uri_path("sim:1", path, 10), -TERN_ST_BAD_SIZE);
    assert_int_equal(tern_uri_path("tcp:1", path, sizeof(path)), -TERN_ST_BAD_ARGUMENT);
}

static void log_records_become_lines(void **state)
{
    uint32_t trap[] = {0xa5000000u | TERN_LOG_TRAP << 8 | TERN_LOG_TRAP_ARGS, 77, 2, 0x40, 5};
    uint32_t unknown[] = {0xa5123401, 5, 6};
    char text[160];

    (void)state;
    assert_int_equal(tern_log_format(trap, 5, text, sizeof(text)), 5);
    assert_string_equal(text, "        77 trap: cause 0x2, pc 0x40, value 0x5");
    assert_int_equal(tern_log_format(trap, 4, text, sizeof(text)), 0);
    assert_int_equal(tern_log_format(unknown, 3, text, sizeof(text)), 3);
    assert_string_equal(text, "         5 record 4660: 0x6");
    assert_int_equal(tern_log_format(unknown + 1, 2, text, sizeof(text)), 1); /* resynchronises */
    assert_int_equal(tern_log_format(trap, 5, text, 12), 5);                 /* truncated, without
                                                                              * an overrun */
    assert_int_equal(strlen(text), 11);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watched_place_is_free_when_its_operation_completed),
        cmocka_unit_test(quiet_places_are_free_when_a_later_one_completed),
        cmocka_unit_test(half_a_ring_of_quiet_operations_brings_a_silent_completion),
        cmocka_unit_test(places_wrap_with_their_16_bit_index),
        cmocka_unit_test(a_completion_that_names_nothing_is_not_counted),
        cmocka_unit_test(abandoned_operations_end_once_and_in_order),
        cmocka_unit_test(the_phase_tells_new_from_old_over_many_laps),
        cmocka_unit_test(the_consumer_doorbell_is_owed_after_a_quarter),
        cmocka_unit_test(messages_are_cut_by_their_size),
        cmocka_unit_test(nodes_and_uris_are_read_and_written),
        cmocka_unit_test(log_records_become_lines),
    };

    return cmocka_run_group_tests_name("driver_rings", tests, NULL, NULL);
}
