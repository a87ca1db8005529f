/* SPDX-License-Identifier: Apache-2.0 */
/* Hash tables as the driver builds them, and records as it parses them. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>
#include <tern/table.h>

#include "crc.h"

enum { NODE = TERN_NODE_BYTES, BYTES = 1 << 20, ROOM = 512, KEYS = 300, STEPS = 3000 };

static uint8_t *memory;
static struct tern_table table;

static int fresh(void **state)
{
    (void)state;
    memory = aligned_alloc(NODE, BYTES);
    assert_non_null(memory);
    memset(memory, 0xa5, BYTES);
    assert_int_equal(tern_table_init(&table, memory, BYTES, 3, ROOM), 0);
    return 0;
}

static int done(void **state)
{
    (void)state;
    free(memory);
    return 0;
}

/* ---- linked nodes and list links */

static void a_link_is_an_address_and_a_generation(void **state)
{
    (void)state;
    assert_true(tern_link(0x123456789ab0, 0xfedc) == 0xfedc123456789ab0);
    assert_true(tern_link(UINT64_MAX, 0) == 0x0000ffffffffffff);
    assert_true(tern_link_addr(0xfedc123456789ab0) == 0x123456789ab0);
    assert_int_equal(tern_link_generation(0xfedc123456789ab0), 0xfedc);
}

static void what_is_the_users_in_a_node_stays(void **state)
{
    _Alignas(NODE) uint32_t words[NODE / 4];
    uint64_t halves[NODE / 8];

    (void)state;
    memset(words, 0x5a, sizeof(words));
    tern_linked_init(words, 0x1122334455667788, 3);
    tern_linked_set_less(words, 0xabcd000000000040);
    tern_linked_set_more(words, 0x60);
    tern_linked_set_generation(words, 0xfffe);
    memcpy(halves, words, sizeof(halves));
    assert_true(halves[0] == 0x1122334455667788 && halves[1] == 0xabcd000000000040 &&
                halves[2] == 0x60);
    assert_true(halves[3] == 0xfffe5a5a5a5a5a5a);
    assert_true(tern_linked_less(words) == 0xabcd000000000040);
    tern_linked_set_less(words, 0xabcd000100000000);
    assert_true(tern_linked_less(words) == 0);
}

/* ---- tables */

/* Walks as a NIC does in a lookup by bucket; NULL: not found. */
static const uint8_t *look_up(const void *key, size_t key_bytes, struct tern_table_record *record)
{
    struct tern_table_pointer pointer = {.log2_buckets = table.log2_buckets};
    const uint8_t *node;
    struct tern_rptr at;
    uint64_t link;

    TERN_SET(RPTR, addr, pointer.start.w, (uintptr_t)table.memory);
    at = tern_table_bucket(&pointer, table.secret.bits
                           ? tern_table_hash_keyed(&table.secret, key, key_bytes)
                           : tern_table_hash(key, key_bytes));
    node = (const uint8_t *)(uintptr_t)TERN_GET(RPTR, addr, at.w);

    assert_int_equal(TERN_GET(NOD, key, (const uint32_t *)(const void *)node), 0);
    while ((link = tern_linked_less(node)) != 0) {
        size_t offset;

        at = tern_link_follow(at, link);
        node = (const uint8_t *)(uintptr_t)TERN_GET(RPTR, addr, at.w);
        offset = (size_t)(node - table.memory);
        assert_in_range(offset, (unsigned)NODE << table.log2_buckets,
                        (size_t)table.nodes * NODE - ROOM);
        assert_int_equal(offset % NODE, 0);
        assert_int_not_equal((uint32_t)link, 0);
        assert_int_not_equal(tern_link_generation(link), 0);
        assert_int_equal(tern_link_generation(link),
                         TERN_GET(NOD, generation, (const uint32_t *)(const void *)node));
        if (tern_table_record_read(node, (size_t)table.nodes * NODE - offset, key, key_bytes,
                                   record) != 0)
            continue;
        assert_int_equal(record->at.place, offset / NODE);
        assert_int_equal(record->at.generation, tern_link_generation(link));
        assert_true(record->whole);
        return node;
    }
    return NULL;
}

static void hashes_are_those_that_are_documented(void **state)
{
    (void)state;
    assert_true(tern_table_hash("", 0) == 0xefd01f60ba992926);
    assert_true(tern_table_hash("a", 1) == 0x82a2a958a9bece5b);
    assert_true(tern_table_hash("foobar", 6) == 0x2c22194922d1672b);
    assert_true(tern_table_hash("key-17", 6) == 0x2003634764f69417);
}

static void no_key_has_the_hash_of_buckets(void **state)
{
    const uint8_t would_be_0[] = {0xd5, 0x6b, 0xb9, 0x53, 0x42, 0x87, 0x08, 0x36};

    (void)state;
    assert_true(tern_table_hash(would_be_0, sizeof(would_be_0)) == 1);
}

/* The key 00 01 .. 0f and the messages 00 01 .., from the paper. */
static void keyed_hashes_are_those_of_the_paper(void **state)
{
    static const uint64_t wanted[] = {0x726fdb47dd0e0e31, 0x74f839c593dc67fd, 0x0d6c8009d9a94f5a};
    const struct tern_table_secret secret = {.key = {0x0706050403020100, 0x0f0e0d0c0b0a0908}};
    struct tern_table_secret weak = {.key = {1, 2}, .bits = 3};
    uint8_t text[64];
    bool seen[8] = {false};

    (void)state;
    for (uint8_t i = 0; i < sizeof(text); i++)
        text[i] = i;
    for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
        assert_true(tern_table_hash_keyed(&secret, text, i) == wanted[i]);
    assert_true(tern_table_hash_keyed(&secret, text, 8) == 0x93f5f5799a932462);
    assert_true(tern_table_hash_keyed(&secret, text, 15) == 0xa129ca6149be45e5);
    assert_true(tern_table_hash_keyed(&secret, text, 63) == 0x958a324ceb064572);
    for (unsigned i = 0; i < sizeof(text); i++) {
        uint64_t hash = tern_table_hash_keyed(&weak, text, i);

        assert_in_range(hash, 1, 7); /* none is 0, the key of buckets */
        seen[hash] = true;
    }
    for (unsigned hash = 1; hash < 8; hash++)
        assert_true(seen[hash]);
}

/* Of each length, from each address, alone and in two pieces. */
static void checksums_by_instruction_are_those_by_table(void **state)
{
    uint8_t bytes[300];

    (void)state;
    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(i * 167 + (i >> 3));
    assert_int_equal(~tern_crc_by_table(UINT32_MAX, "123456789", 9), 0xe3069283);
    assert_int_equal(~tern_crc_add(UINT32_MAX, "123456789", 9), 0xe3069283);
    if (!tern_crc_has_instruction())
        print_message("# this processor has no instruction for CRC-32C\n");
    for (unsigned from = 0; from < 9; from++)
        for (unsigned length = 0; from + length <= sizeof(bytes); length++) {
            uint32_t wanted = tern_crc_by_table(7, bytes + from, length);

            assert_int_equal(tern_crc_add(7, bytes + from, length), wanted);
            if (tern_crc_has_instruction())
                assert_int_equal(tern_crc_by_instruction(7, bytes + from, length), wanted);
            wanted = tern_crc_add(tern_crc_add(7, bytes, from), bytes + from, length);
            assert_int_equal(wanted, tern_crc_by_table(7, bytes, from + length));
        }
}

/* Computes bit by bit. */
static uint32_t crc32c(const uint8_t *at, size_t bytes)
{
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < bytes; i++) {
        crc ^= at[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

static void a_record_has_the_checksum_of_its_bytes(void **state)
{
    struct tern_table_record record;
    uint32_t words[16];
    const uint8_t *at;

    (void)state;
    assert_int_equal(crc32c((const uint8_t *)"123456789", 9), 0xe3069283);
    assert_int_equal(tern_table_set(&table, "some key", 8, "and its value", 13), 0);
    at = look_up("some key", 8, &record);
    assert_non_null(at);
    memcpy(words, at, sizeof(words));
    assert_int_equal(TERN_GET(REC, klen, words), 8);
    assert_int_equal(TERN_GET(REC, vlen, words), 13);
    TERN_SET(REC, crc, words, 0);
    TERN_SET(REC, next, words, 0);
    assert_int_equal(crc32c((const uint8_t *)words, NODE + 21),
                     TERN_GET(REC, crc, (const uint32_t *)(const void *)at));
}

static bool is_outside_the_checksum(size_t i)
{
    return i / 4 == TERN_REC_next_WORD || i / 4 == TERN_REC_next_WORD + 1;
}

static void a_record_that_was_changed_is_told(void **state)
{
    struct tern_table_record record;
    uint8_t copy[NODE + 21];
    const uint8_t *at;

    (void)state;
    assert_int_equal(tern_table_set(&table, "some key", 8, "and its value", 13), 0);
    at = look_up("some key", 8, &record);
    for (size_t i = 0; i < sizeof(copy); i++) {
        int status;

        memcpy(copy, at, sizeof(copy));
        copy[i] ^= 4;
        status = tern_table_record_read(copy, sizeof(copy), "some key", 8, &record);
        if (is_outside_the_checksum(i))
            assert_int_equal(status, 0);
        else if (i / 4 == TERN_REC_vlen_WORD) /* longer than the bytes read, or with another
                                               * checksum */
            assert_true(status == -TERN_ST_BAD_LINK || (status == 0 && !record.whole));
        else
            assert_true(status == -TERN_ST_BAD_LINK || status == -TERN_ST_NOT_FOUND);
    }
}

static void a_part_of_a_record_is_told_from_the_whole(void **state)
{
    struct tern_table_record record;
    const uint8_t *at;

    (void)state;
    assert_int_equal(tern_table_set(&table, "some key", 8, "and its value", 13), 0);
    at = look_up("some key", 8, &record);
    assert_int_equal(tern_table_record_read(at, NODE - 1, "some key", 8, &record),
                     -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_table_record_read(at, NODE + 7, "some key", 8, &record),
                     -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_table_record_read(at, NODE + 8, "some key", 8, &record), 0);
    assert_false(record.whole);
    assert_int_equal(record.value_bytes, 13);
    assert_int_equal(tern_table_record_read(at, NODE + 20, "some key", 8, &record), 0);
    assert_false(record.whole);
    assert_int_equal(tern_table_record_read(at, NODE + 21, "some key", 8, &record), 0);
    assert_true(record.whole);
    assert_memory_equal(record.value, "and its value", 13);
}

/* Two keys have the same hash, and a record of one is read for the other. */
static void a_record_of_another_key_is_none_though_their_hashes_are_alike(void **state)
{
    struct tern_table_record record;
    uint8_t copy[NODE + 21];

    (void)state;
    assert_int_equal(tern_table_set(&table, "some key", 8, "and its value", 13), 0);
    memcpy(copy, look_up("some key", 8, &record), sizeof(copy));
    copy[NODE] = 'x';
    assert_int_equal(tern_table_record_read(copy, sizeof(copy), "some key", 8, &record),
                     -TERN_ST_NOT_FOUND);
}

static const uint32_t *words_of(struct tern_table_seen at)
{
    return (const uint32_t *)(const void *)(memory + (size_t)at.place * NODE);
}

/* Checks that the place of a removed record is forgotten. */
static void expect_forgotten(struct tern_table_seen before)
{
    struct tern_table_record record;

    assert_int_not_equal(TERN_GET(REC, generation, words_of(before)), before.generation);
    assert_int_not_equal(TERN_GET(REC, generation, words_of(before)), 0);
    assert_int_equal(tern_table_record_read(words_of(before), 100, "k", 1, &record), 0);
    assert_int_equal(record.at.place, 0);
    assert_int_equal(record.at.generation, 0);
}

static void what_is_set_again_stands_elsewhere_and_is_of_another_generation(void **state)
{
    struct tern_table_record before, after;

    (void)state;
    assert_int_equal(tern_table_set(&table, "k", 1, "one", 3), 0);
    assert_non_null(look_up("k", 1, &before));
    assert_int_equal(tern_table_set(&table, "k", 1, "two", 3), 0);
    assert_non_null(look_up("k", 1, &after));
    assert_memory_equal(after.value, "two", 3);
    assert_int_not_equal(after.at.place, before.at.place);
    assert_int_not_equal(after.at.generation, before.at.generation);
    expect_forgotten(before.at);
    assert_int_equal(tern_table_remove(&table, "k", 1), 0);
    assert_null(look_up("k", 1, &before));
    expect_forgotten(after.at);
    assert_int_equal(tern_table_remove(&table, "k", 1), -TERN_ST_NOT_FOUND);
}

/* So many changes that generations wrap. */
static void no_record_is_of_generation_0(void **state)
{
    struct tern_table_record record;

    (void)state;
    for (unsigned i = 0; i < 0x8003; i++) {
        struct tern_table_seen at;

        if (i % 8192 == 0)
            table.used = 8;
        assert_int_equal(tern_table_set(&table, "k", 1, &i, 4), 0);
        assert_non_null(look_up("k", 1, &record));
        at = record.at;
        assert_int_not_equal(at.generation, 0);
        assert_int_equal(tern_table_remove(&table, "k", 1), 0);
        expect_forgotten(at);
    }
}

/* Records of one bucket: the first, one in the middle, the last. */
static void those_before_and_behind_stay(void **state)
{
    struct tern_table_record record;

    (void)state;
    assert_int_equal(tern_table_init(&table, memory, BYTES, 0, ROOM), 0);
    for (char key = 'a'; key <= 'e'; key++)
        assert_int_equal(tern_table_set(&table, &key, 1, &key, 1), 0);
    assert_int_equal(tern_table_set(&table, "c", 1, "C", 1), 0);
    assert_int_equal(tern_table_remove(&table, "a", 1), 0);
    assert_int_equal(tern_table_set(&table, "e", 1, "E", 1), 0);
    assert_int_equal(tern_table_remove(&table, "d", 1), 0);
    assert_int_equal(tern_table_set(&table, "a", 1, "A", 1), 0);
    assert_null(look_up("d", 1, &record));
    for (const char *at = "AbCE"; *at; at++) {
        char key = (char)(*at | 32);

        assert_non_null(look_up(&key, 1, &record));
        assert_int_equal(*record.value, *at);
    }
}

static void what_cannot_be_is_refused(void **state)
{
    static uint8_t long_key[65536];
    struct tern_table other;

    (void)state;
    assert_int_equal(tern_table_init(&other, memory + 8, BYTES - 8, 3, 32), -TERN_ST_BAD_ALIGN);
    assert_int_equal(tern_table_init(&other, memory, 7 * NODE, 3, 32), -TERN_ST_NO_MEMORY);
    assert_int_equal(tern_table_init(&other, memory, BYTES, 32, 32), -TERN_ST_NO_MEMORY);
    assert_int_equal(tern_table_init(&other, memory, 8 * NODE, 3, 32), 0);
    assert_int_equal(tern_table_set(&other, "k", 1, "v", 1), -TERN_ST_NO_MEMORY);
    assert_int_equal(tern_table_init(&other, memory, 10 * NODE, 3, 32), 0);
    assert_int_equal(tern_table_set(&other, "", 0, "v", 1), -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_table_set(&other, long_key, 65536, "v", 1), -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_table_set(&other, long_key, 65535, "v", 1), -TERN_ST_NO_MEMORY);
    assert_int_equal(tern_table_set(&other, "k", 1, "v", 1), 0);
    assert_int_equal(tern_table_set(&other, "l", 1, "v", 1), -TERN_ST_NO_MEMORY);
    assert_int_equal(tern_table_set(&other, "k", 1, "w", 1), -TERN_ST_NO_MEMORY);
}

/* A lookup copies as many bytes as were asked for, however short the record is. */
static void behind_the_last_record_there_is_room(void **state)
{
    enum { ALL = 100 * NODE };
    struct tern_table_record record;
    unsigned last = 0;

    (void)state;
    assert_int_equal(tern_table_init(&table, memory, ALL, 3, ROOM), 0);
    while (tern_table_set(&table, &last, sizeof(last), "", 0) == 0)
        last++;
    last--;
    assert_non_null(look_up(&last, sizeof(last), &record));
    assert_int_equal(record.at.place * NODE + ROOM, ALL);
}

/* The table's memory extends across a multiple of 4 GiB. */
static void no_record_stands_where_no_link_leads(void **state)
{
    enum { HALF = 1 << 16 };
    uint8_t *middle = (uint8_t *)(UINT64_C(0x1230) << 32), *all;
    struct tern_table_record record;
    unsigned last = 0, found = 0;

    (void)state;
    all = mmap(middle - HALF, 2 * HALF, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    assert_ptr_equal(all, middle - HALF);
    assert_int_equal(tern_table_init(&table, all, 2 * HALF, 3, ROOM), 0);
    while (tern_table_set(&table, &last, sizeof(last), "", 0) == 0)
        last++;
    for (unsigned i = 0; i < last; i++) {
        const uint8_t *at = look_up(&i, sizeof(i), &record);

        found += at != NULL && at != middle;
    }
    assert_int_equal(found, last);
    assert_int_equal(TERN_GET(NOD, key, (const uint32_t *)(const void *)middle), 0);
    munmap(all, 2 * HALF);
}

/* ---- compared with a list of the expected contents */

struct model {
    bool there;
    unsigned value;
};

static void check_all(const struct model *model)
{
    for (unsigned i = 0; i < KEYS; i++) {
        struct tern_table_record record;
        char key[16], value[64];
        const uint8_t *at;

        snprintf(key, sizeof(key), "key %u", i);
        at = look_up(key, strlen(key), &record);
        assert_int_equal(at != NULL, model[i].there);
        if (at == NULL)
            continue;
        snprintf(value, sizeof(value), "%*u", (int)(model[i].value % 50 + 5), model[i].value);
        assert_int_equal(record.value_bytes, strlen(value));
        assert_memory_equal(record.value, value, strlen(value));
    }
}

static void what_was_set_is_there(void)
{
    static struct model model[KEYS];
    unsigned seed = getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 1;

    print_message("seed %u\n", seed);
    srand(seed);
    memset(model, 0, sizeof(model));
    for (unsigned step = 0; step < STEPS; step++) {
        unsigned i = (unsigned)rand() % KEYS;
        char key[16], value[64];

        snprintf(key, sizeof(key), "key %u", i);
        snprintf(value, sizeof(value), "%*u", (int)(step % 50 + 5), step);
        if (rand() % 4 == 0) {
            assert_int_equal(tern_table_remove(&table, key, strlen(key)), model[i].there ? 0
                             : -TERN_ST_NOT_FOUND);
            model[i].there = false;
        } else {
            assert_int_equal(tern_table_set(&table, key, strlen(key), value, strlen(value)), 0);
            model[i] = (struct model){true, step};
        }
        if (step % 100 == 0)
            check_all(model);
    }
    check_all(model);
}

static void what_was_set_is_there_and_nothing_else(void **state)
{
    (void)state;
    what_was_set_is_there();
}

static void so_it_is_when_all_keys_have_one_of_three_hashes(void **state)
{
    (void)state;
    table.secret = (struct tern_table_secret){.key = {3, 4}, .bits = 2};
    what_was_set_is_there();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, fresh, done)
    static const struct CMUnitTest tests[] = {
        TEST(a_link_is_an_address_and_a_generation),
        TEST(what_is_the_users_in_a_node_stays),
        TEST(hashes_are_those_that_are_documented),
        TEST(no_key_has_the_hash_of_buckets),
        TEST(keyed_hashes_are_those_of_the_paper),
        TEST(checksums_by_instruction_are_those_by_table),
        TEST(a_record_has_the_checksum_of_its_bytes),
        TEST(a_record_that_was_changed_is_told),
        TEST(a_part_of_a_record_is_told_from_the_whole),
        TEST(a_record_of_another_key_is_none_though_their_hashes_are_alike),
        TEST(what_is_set_again_stands_elsewhere_and_is_of_another_generation),
        TEST(no_record_is_of_generation_0),
        TEST(those_before_and_behind_stay),
        TEST(what_cannot_be_is_refused),
        TEST(behind_the_last_record_there_is_room),
        TEST(no_record_stands_where_no_link_leads),
        TEST(what_was_set_is_there_and_nothing_else),
        TEST(so_it_is_when_all_keys_have_one_of_three_hashes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
