/* SPDX-License-Identifier: Apache-2.0 */
/* The parser of the memcached protocol: requests, half requests, and random bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "protocol.h"

enum { MAX = 100 };

static struct proto_request parse(const char *text)
{
    struct proto_request r;

    proto_parse(text, strlen(text), MAX, &r);
    return r;
}

static void a_set_has_key_flags_time_and_data(void **state)
{
    struct proto_request r = parse("set key 7 -1 5 noreply\r\nhello\r\nget");

    (void)state;
    assert_int_equal(r.verb, PROTO_SET);
    assert_true(proto_is(r.key, "key"));
    assert_int_equal(r.flags, 7);
    assert_int_equal(r.exptime, -1);
    assert_true(proto_is(r.data, "hello"));
    assert_true(r.noreply);
    assert_int_equal(r.bytes, strlen("set key 7 -1 5 noreply\r\nhello\r\n"));
}

static void a_request_is_taken_when_all_of_it_is_there(void **state)
{
    static const char text[] = "cas key 0 0 5 99\r\nhello\r\n";
    struct proto_request r;

    (void)state;
    for (size_t bytes = 0; bytes < sizeof(text) - 1; bytes++) {
        proto_parse(text, bytes, MAX, &r);
        assert_int_equal(r.verb, PROTO_NOTHING);
    }
    proto_parse(text, sizeof(text) - 1, MAX, &r);
    assert_int_equal(r.verb, PROTO_CAS);
    assert_int_equal(r.cas, 99);
}

static void a_get_has_any_number_of_keys(void **state)
{
    struct proto_request r = parse("gets a  bb ccc\r\n");
    struct proto_text key;
    unsigned keys = 0;

    (void)state;
    assert_int_equal(r.verb, PROTO_GETS);
    while (proto_next(&r.keys, &key))
        assert_int_equal(key.length, ++keys);
    assert_int_equal(keys, 3);
}

static void wrong_requests_are_refused_in_words(void **state)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"\r\n", "ERROR\r\n"},
        {"get\r\n", "ERROR\r\n"},
        {"nonsense a\r\n", "ERROR\r\n"},
        {"set a 0 0 x\r\n", "CLIENT_ERROR bad command line format\r\n"},
        {"set a 4294967296 0 1\r\n",
         "CLIENT_ERROR bad command line format\r\n"}, /* flags: 32 bits */
        {"set a 0 0 -1\r\n", "CLIENT_ERROR bad command line format\r\n"},
        {"set a 0 0 1\r\nab\r\n", "CLIENT_ERROR bad data chunk\r\n"},
        {"set a 0 0 101\r\n", "SERVER_ERROR object too large for cache\r\n"},
        {"incr a -1\r\n", "CLIENT_ERROR invalid numeric delta argument\r\n"},
        {"incr a 18446744073709551616\r\n", "CLIENT_ERROR invalid numeric delta argument\r\n"},
        {"touch a b\r\n", "CLIENT_ERROR invalid exptime argument\r\n"},
        {"delete a 5\r\n",
         "CLIENT_ERROR bad command line format.  Usage: delete <key> [noreply]\r\n"},
        {"mg\r\n", "ERROR\r\n"},
        {"ms a x\r\n", "CLIENT_ERROR bad command line format\r\n"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct proto_request r = parse(rows[i].text);

        assert_int_equal(r.verb, PROTO_ERROR);
        assert_string_equal(r.error, rows[i].error);
    }
}

static void a_value_that_is_too_long_is_passed_over(void **state)
{
    struct proto_request r = parse("set a 0 0 1000\r\nabc");

    (void)state;
    assert_int_equal(r.bytes, strlen("set a 0 0 1000\r\n"));
    assert_int_equal(r.swallow, 1002);
}

static void the_binary_protocol_and_endless_lines_end_the_connection(void **state)
{
    static char line[PROTO_LINE_MAX + 1];
    struct proto_request r = parse("\x80\x01");

    (void)state;
    assert_int_equal(r.verb, PROTO_ERROR);
    assert_true(r.close);
    memset(line, 'x', sizeof(line));
    proto_parse(line, PROTO_LINE_MAX, MAX, &r);
    assert_int_equal(r.verb, PROTO_NOTHING);
    proto_parse(line, sizeof(line), MAX, &r);
    assert_true(r.verb == PROTO_ERROR && r.close);
}

/* Texts lie in what was given, progress is made, and nothing is read beyond it. */
static void random_bytes_do_no_harm(void **state)
{
    static const char *const words[] = {"get ",
                                        "set ",
                                        "ms ",
                                        "mg ",
                                        "cas ",
                                        "noreply",
                                        "\r\n",
                                        "\n",
                                        " ",
                                        "0",
                                        "5",
                                        "-1",
                                        "18446744073709551616",
                                        "k",
                                        "\x80"};
    uint32_t seed = 1;

    (void)state;
    for (unsigned i = 0; i < 200000; i++) {
        char text[256];
        size_t bytes = 0;
        struct proto_request r;
        char *exact;

        for (unsigned j = 0; j < 12; j++) {
            const char *word;
            size_t length;

            seed = seed * 1664525 + 1013904223;
            word = words[(seed >> 16) % (sizeof(words) / sizeof(words[0]))];
            length = strlen(word);
            memcpy(text + bytes, word, length);
            bytes += length;
        }
        exact = malloc(bytes);
        assert_non_null(exact);
        memcpy(exact, text, bytes);
        proto_parse(exact, bytes, MAX, &r);
        assert_true(r.bytes <= bytes);
        assert_true((r.verb == PROTO_NOTHING) == (r.bytes == 0));
        assert_true(r.verb != PROTO_ERROR || r.error);
        assert_true(r.key.length <= PROTO_KEY_MAX);
        if (r.data.at)
            assert_true(r.data.at >= exact && r.data.at + r.data.length + 2 <= exact + bytes);
        free(exact);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_has_key_flags_time_and_data),
        cmocka_unit_test(a_request_is_taken_when_all_of_it_is_there),
        cmocka_unit_test(a_get_has_any_number_of_keys),
        cmocka_unit_test(wrong_requests_are_refused_in_words),
        cmocka_unit_test(a_value_that_is_too_long_is_passed_over),
        cmocka_unit_test(the_binary_protocol_and_endless_lines_end_the_connection),
        cmocka_unit_test(random_bytes_do_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
