/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of the `tern` command that access no NIC: progress lines, messages of a file transfer,
 * SHA-256.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "filemsg.h"
#include "progress.h"
#include "sha256.h"
#include "top_row.h"

static void progress_lines_show_how_much_of_what_is_done(void **state)
{
    static const struct {
        uint64_t done, total;
        const char *want;
    } table[] = {
        {0, 100, "[..............................]   0 %  0 bytes"},
        {50, 100, "[###############...............]  50 %  50 bytes"},
        {100, 100, "[##############################] 100 %  100 bytes"},
        /* 0 of 0 bytes are complete */
        {0, 0, "[##############################] 100 %  0 bytes"},
    };
    char text[160];

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_string_equal(
            progress_format(text, sizeof(text), table[i].done, table[i].total, "bytes"),
            table[i].want);
    progress_format(text, 10, 1, 2, "bytes"); /* truncated, without an overrun */
    assert_int_equal(strlen(text), 9);
}

static void a_step_is_due_at_the_start_at_every_step_and_at_the_end(void **state)
{
    struct progress progress = {.total = 1000, .last_percent = -1};

    (void)state;
    assert_true(progress_due(&progress, 0));
    progress.last_percent = 0;
    assert_false(progress_due(&progress, 190));
    assert_true(progress_due(&progress, 200));
    progress.last_percent = 99;
    assert_true(progress_due(&progress, 1000));
    progress.last_percent = 100;
    assert_false(progress_due(&progress, 1000));
}

static void messages_are_read_as_they_were_made(void **state)
{
    struct tern_rptr pointer = {{1, 2, 3, 4}};
    struct filemsg made = filemsg_make(FILEMSG_HELLO), read;

    (void)state;
    made.bytes = 77;
    filemsg_set_pointer(&made, pointer);
    assert_true(filemsg_read(&made, sizeof(made), &read));
    assert_int_equal(read.bytes, 77);
    pointer = filemsg_pointer(&read);
    assert_int_equal(pointer.w[0], 1);
    assert_int_equal(pointer.w[3], 4);
}

static void pointers_are_read_as_they_were_written(void **state)
{
    static const char *const foreign[] = {
        "",
        "0000000123456789abcdef00fffffff",
        "0000000123456789abcdef00ffffffff0",
        "0000000123456789ABCDEF00ffffffff",
        "0000000123456789abcdef00fffffff\n",
        "+000000123456789abcdef00ffffffff",
    };
    struct tern_rptr made = {{1, 0x23456789, 0xabcdef00, UINT32_MAX}}, read;
    char text[TERN_RPTR_TEXT];

    (void)state;
    assert_string_equal(tern_rptr_format(made, text), "0000000123456789abcdef00ffffffff");
    assert_int_equal(tern_rptr_parse(text, &read, NULL), 0);
    assert_memory_equal(&made, &read, sizeof(made));
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
        assert_int_equal(tern_rptr_parse(foreign[i], &read, NULL), -TERN_ST_BAD_ARGUMENT);
}

static void foreign_messages_are_refused(void **state)
{
    struct filemsg good = filemsg_make(FILEMSG_DONE), bad, read;

    (void)state;
    assert_false(filemsg_read(&good, sizeof(good) - 1, &read));
    assert_false(filemsg_read(&good, 0, &read));
    bad = good;
    bad.magic++;
    assert_false(filemsg_read(&bad, sizeof(bad), &read));
    bad = good;
    bad.version++;
    assert_false(filemsg_read(&bad, sizeof(bad), &read));
    bad = good;
    bad.type = 0;
    assert_false(filemsg_read(&bad, sizeof(bad), &read));
    bad.type = FILEMSG_VERDICT + 1;
    assert_false(filemsg_read(&bad, sizeof(bad), &read));
}

static void statuses_of_nic_and_transfer_have_texts(void **state)
{
    (void)state;
    assert_string_equal(filemsg_strerror(TERN_ST_BAD_KEY), tern_strerror(TERN_ST_BAD_KEY));
    assert_non_null(strstr(filemsg_strerror(FILEMSG_TOO_LARGE), "larger"));
}

static void sha256_agrees_with_the_standard(void **state)
{
    uint8_t digest[32];
    char text[65];

    (void)state;
    assert_true(sha256("abc", 3, digest));
    assert_string_equal(sha256_text(digest, text),
                        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(sha256(NULL, 0, digest));
    assert_memory_equal(sha256_text(digest, text), "e3b0c442", 8);
}

/* ---- tern top */

static void rates_take_three_figures_and_a_unit(void **state)
{
    static const struct {
        uint64_t count;
        int64_t ms;
        const char *want;
    } table[] = {
        {0, 1000, "0"},         {999, 1000, "999"},       {1000, 1000, "1.00k"},
        {9996, 1000, "10.0k"},  {99960, 1000, "100k"},    {1234567, 1000, "1.23M"},
        {500, 250, "2.00k"},    {7, 0, "0"}, /* no time has passed */
        {999600, 1000, "1.00M"},
    };
    char text[16];

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
        assert_string_equal(top_rate(text, sizeof(text), table[i].count, table[i].ms),
                            table[i].want);
}

static void a_row_shows_what_happened_between_two_looks(void **state)
{
    struct top_look before = {.info = {.node = 1, .ports = 6, .links_up = 0x3f}, .ms = 1000};
    struct top_look now = before;
    char text[TOP_TEXT];

    (void)state;
    before.stats[TERN_STAT_tx_packets] = 100;
    before.busy = 50;
    now.ms = 3000;
    now.stats[TERN_STAT_tx_packets] = 300;
    now.stats[TERN_STAT_rx_put_bytes] = 5000000;
    now.stats[TERN_STAT_used_queues] = 12;
    now.cycles = 1000;
    now.busy = 300;
    now.info.links_up = 0x35;
    assert_string_equal(
        top_row(text, sizeof(text), &before, &now),
        "1.0.0     4 of 6        12       0     0 |        100          0          0"
        "          0      2.50M |       0  25 %  DOWN: X- Y-");
    assert_int_equal(strlen(top_head()), strcspn(text, "D") - 2);
    now.info.modelled = true; /* no cycles */
    now.info.links_up = 0x3f;
    top_row(text, sizeof(text), &before, &now);
    assert_string_equal(text + strlen(text) - 3, "  -");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(progress_lines_show_how_much_of_what_is_done),
        cmocka_unit_test(a_step_is_due_at_the_start_at_every_step_and_at_the_end),
        cmocka_unit_test(messages_are_read_as_they_were_made),
        cmocka_unit_test(pointers_are_read_as_they_were_written),
        cmocka_unit_test(foreign_messages_are_refused),
        cmocka_unit_test(statuses_of_nic_and_transfer_have_texts),
        cmocka_unit_test(sha256_agrees_with_the_standard),
        cmocka_unit_test(rates_take_three_figures_and_a_unit),
        cmocka_unit_test(a_row_shows_what_happened_between_two_looks),
    };

    return cmocka_run_group_tests_name("driver_tools", tests, NULL, NULL);
}
