/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that every invalid atomic operation gets its own status, returns no word, changes none,
 * and disturbs no other operation: after each, a valid operation on the same queue still works.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tern/atomic.h>

#include "internal.h"
#include "rig.h"

enum { PAGE = 4096, WORD = 64 /* in the region */, MARK = 0x5a, ORIGIN = 1, TARGET = 2 };

static struct rig_end from, to;
/* a page of `to` and 4 bytes more, with the right for atomic operations alone */
static struct tern_region *region;
static uint8_t *words;

/* Makes the descriptor of an addition of 1, for tests to spoil. */
static void good_add(uint32_t w[DESC_WORDS])
{
    struct tern_rptr at = tern_region_pointer(region, WORD);

    memset(w, 0, DESC_WORDS * sizeof(w[0]));
    TERN_SET(DESC, opcode, w, TERN_OP_ADD);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, inline_len, w, TERN_ATO_BYTES);
    TERN_SET(DESC, result, w, 1);
    TERN_SET(DESC, index, w, from.sq->places.made);
    tern_desc_set_remote(w, at);
    TERN_SET(ATO, swap, w, 1);
    TERN_SET(ATO, swap_mask, w, UINT64_MAX);
}

static bool untouched(void)
{
    for (unsigned i = 0; i < PAGE + 4; i++)
        if (words[i] != MARK)
            return false;
    return true;
}

/* Checks that good operations still work and that the words of the page are right. */
static bool served(void)
{
    struct tern_completion done;
    uint64_t was;

    memcpy(&was, words + WORD, sizeof(was));
    if (tern_swap(from.sq, tern_region_pointer(region, WORD), was, TERN_DFLAG_SIGNAL, 8))
        return false;
    done = rig_wait(from.cq);
    return done.status == TERN_ST_OK && done.value == was && done.context == 8 && untouched();
}

/* Posts `w`, expects `status` from `side`. */
static void refused(const char *name, const uint32_t w[DESC_WORDS], enum tern_status status,
                    unsigned side)
{
    struct tern_completion done;
    bool same, goes_on;

    memset(words, MARK, PAGE + 4);
    if (tern_post_raw(from.sq, w, 7)) {
        tap(false, "%s (not posted)", name);
        return;
    }
    done = rig_wait(from.cq);
    same = untouched();
    goes_on = served();
    tap(done.status == status && done.context == 7 && done.value == 0 && done.length == 0 &&
        done.fault == side &&
            same && goes_on, "%s", name);
    if (done.status != status || done.fault != side)
        tap_note("expected %s, got %s from side %u", tern_strerror((int)status),
                 tern_strerror((int)done.status), done.fault);
}

static void bad_keys(void)
{
    const unsigned others = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE;
    struct tern_region *closed;
    uint32_t w[DESC_WORDS], key;

    good_add(w);
    TERN_SET(DESC, remote_key, w, tern_region_key(region) ^ 0x10000);
    refused("a_wrong_key_changes_nothing", w, TERN_ST_BAD_KEY, TARGET);
    if (tern_register(to.device, words, PAGE, others, &closed)) {
        tap(false, "a region without the right");
        return;
    }
    key = tern_region_key(closed);
    good_add(w);
    TERN_SET(DESC, remote_key, w, key);
    refused("rights_to_read_and_write_are_not_enough", w, TERN_ST_BAD_RIGHTS, TARGET);
    (void)tern_release(closed);
    good_add(w);
    TERN_SET(DESC, remote_key, w, key);
    refused("a_released_region_is_refused", w, TERN_ST_BAD_KEY, TARGET);
    good_add(w);
    TERN_SET(DESC, opcode, w, TERN_OP_TAKE);
    TERN_SET(DESC, remote_key, w, key);
    refused("a_take_by_a_wrong_key_changes_nothing", w, TERN_ST_BAD_KEY, TARGET);
    good_add(w);
    TERN_SET(DESC, incarnation, w, (TERN_GET(DESC, incarnation, w) + 1) & 0xff);
    refused("a_pointer_of_another_life_is_refused", w, TERN_ST_STALE_NODE, TARGET);
}

static void bad_places(void)
{
    static const char *const between[] = {"an_address_1_byte_into_a_word_is_refused",
                                          "an_address_2_bytes_into_a_word_is_refused",
                                          "an_address_4_bytes_into_a_word_is_refused"};
    const uint64_t start = (uintptr_t)words;
    uint32_t w[DESC_WORDS];

    good_add(w);
    TERN_SET(DESC, remote_addr, w, start + PAGE); /* the second half of the word is outside */
    refused("a_word_that_leaves_its_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_add(w);
    TERN_SET(DESC, remote_addr, w, start - 8);
    refused("a_word_before_its_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_add(w);
    TERN_SET(DESC, remote_addr, w, UINT64_MAX - 7);
    refused("a_word_at_the_end_of_all_addresses_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    for (unsigned i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
        good_add(w);
        TERN_SET(DESC, remote_addr, w, start + WORD + (1u << i));
        refused(between[i], w, TERN_ST_BAD_ALIGN, TARGET);
    }
    good_add(w);
    TERN_SET(DESC, opcode, w, TERN_OP_CAS);
    TERN_SET(DESC, remote_addr, w, start + PAGE + 2); /* the NIC checks the range before the
                                                       * alignment */
    refused("an_address_between_words_behind_the_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_add(w);
    TERN_SET(DESC, opcode, w, TERN_OP_TAKE);
    TERN_SET(DESC, remote_addr, w, start + WORD + 4);
    refused("a_take_from_no_whole_word_is_refused", w, TERN_ST_BAD_ALIGN, TARGET);
    good_add(w);
    TERN_SET(DESC, dst_node, w, tern_node(31, 0, 0));
    refused("a_node_outside_the_torus_is_refused", w, TERN_ST_BAD_NODE, ORIGIN);
}

static void bad_lengths(void)
{
    static const struct {
        uint32_t bytes;
        const char *name;
    } lengths[] = {{0, "no_operands_are_refused"}, {8, "operands_of_8_bytes_are_refused"},
                   {31, "operands_of_31_bytes_are_refused"},
                   {33, "operands_of_33_bytes_are_refused"},
                   {63, "operands_of_63_bytes_are_refused"}};
    static const uint8_t opcodes[3] = {TERN_OP_CAS, TERN_OP_ADD, TERN_OP_TAKE};
    uint32_t w[DESC_WORDS];

    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        good_add(w);
        TERN_SET(DESC, opcode, w, opcodes[i % 3]);
        TERN_SET(DESC, inline_len, w, lengths[i].bytes);
        refused(lengths[i].name, w, TERN_ST_BAD_LENGTH, ORIGIN);
    }
    good_add(w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, length, w, TERN_ATO_BYTES);
    TERN_SET(DESC, local_addr, w, (uintptr_t)from.buffer);
    TERN_SET(DESC, local_key, w, tern_region_key(from.region));
    refused("operands_by_reference_are_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
}

/* ---- memory that was unmapped, or made read-only, after its registration */

static void on_page(const char *name, const struct tern_region *page,
                    const struct tern_masked *masked, enum tern_status status, uint64_t value)
{
    struct tern_completion done;

    memset(words, MARK, PAGE + 4);
    if (tern_compare_swap_masked(from.sq, tern_region_pointer(page, WORD), masked,
                                 TERN_DFLAG_SIGNAL, 7)) {
        tap(false, "%s (not posted)", name);
        return;
    }
    done = rig_wait(from.cq);
    tap(done.status == status && done.value == value &&
        (status == TERN_ST_OK || done.fault == TARGET) && served(), "%s", name);
    if (done.status != status)
        tap_note("expected %s, got %s", tern_strerror((int)status),
                 tern_strerror((int)done.status));
}

static void bad_memory(void)
{
    const struct tern_masked no = {.compare = 1, .compare_mask = 1, .swap = 3,
                                   .swap_mask = UINT64_MAX},
                             yes = {.swap = 3, .swap_mask = UINT64_MAX};
    uint8_t *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct tern_region *page;
    uint64_t was = 0x20;

    if (memory == MAP_FAILED ||
        tern_register(to.device, memory, PAGE, TERN_RIGHT_REMOTE_ATOMIC, &page)) {
        tap(false, "memory for unmapping");
        return;
    }
    memcpy(memory + WORD, &was, sizeof(was));
    mprotect(memory, PAGE, PROT_READ);
    on_page("a_word_that_may_not_be_written_is_told_when_it_is_not_alike", page, &no, TERN_ST_OK,
            was);
    on_page("a_word_that_may_not_be_written_is_reported", page, &yes, TERN_ST_HOST_FAULT, 0);
    tap(!memcmp(memory + WORD, &was, sizeof(was)), "it_is_as_it_was");
    munmap(memory, PAGE);
    on_page("a_word_that_is_gone_is_reported", page, &no, TERN_ST_HOST_FAULT, 0);
    (void)tern_release(page);
}

/* Descriptors with invalid fields that are not of the operation. */
static void odd_descriptors(void)
{
    struct tern_completion done;
    uint32_t w[DESC_WORDS];

    memset(words, MARK, PAGE + 4);
    good_add(w);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED);
    TERN_SET(ATO, swap, w, 0);
    (void)tern_post_raw(from.sq, w, 7);
    done = rig_wait(from.cq);
    tap(done.status == TERN_ST_OK && done.value == UINT64_C(0x0101010101010101) * MARK && served(),
        "an_operation_is_answered_though_it_says_it_need_not");
    good_add(w);
    TERN_SET(ATO, swap, w, 0);
    TERN_SET(DESC, result, w, 0);
    (void)tern_post_raw(from.sq, w, 7);
    done = rig_wait(from.cq);
    tap(done.status == TERN_ST_OK && done.value == 0 && served(),
        "who_does_not_ask_for_the_word_is_not_told_it");
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    words = aligned_alloc(PAGE, 2 * PAGE);
    if (words && !tern_register(to.device, words, PAGE + 4, TERN_RIGHT_REMOTE_ATOMIC, &region)) {
        bad_keys();
        bad_places();
        bad_lengths();
        bad_memory();
        odd_descriptors();
    } else {
        tap(false, "memory");
    }
    rig_end_close(&from);
    rig_end_close(&to);
    free(words);
    rig_stop(&rig);
    return tap_end();
}
