/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that every invalid read gets its own status, whichever of the two regions is wrong,
 * returns no bytes, and disturbs no other operation: after each, a valid one still works.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tern/read.h>

#include "internal.h"
#include "rig.h"

enum {
    PAGE = 4096,
    AT = 200 /* offset in both regions */,
    BYTES = 1300 /* three packets */,
    MARK = 0x5a,
    ORIGIN = 1,
    TARGET = 2
};

static struct rig_end from, to; /* `from` is the origin */
/* a page of `to` and 4 bytes more, with the right to be read alone */
static struct tern_region *source;
static struct tern_region *place;  /* the same size at `from`, writable by other nodes */
static uint8_t *bytes, *here;

/* Makes the descriptor of a read, for tests to spoil. */
static void good_read(uint32_t w[DESC_WORDS], uint32_t length)
{
    struct tern_rptr at = tern_region_pointer(source, AT);

    memset(w, 0, DESC_WORDS * sizeof(w[0]));
    TERN_SET(DESC, opcode, w, TERN_OP_READ);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, inline_len, w, TERN_READ_BYTES);
    TERN_SET(DESC, index, w, from.sq->places.made);
    TERN_SET(DESC, length, w, length);
    tern_desc_set_remote(w, at);
    TERN_SET(RDR, addr, w, (uintptr_t)here + AT);
    TERN_SET(RDR, key, w, tern_region_key(place));
    TERN_SET(RDR, length, w, length);
}

static bool untouched(void)
{
    for (unsigned i = 0; i < PAGE + 4; i++)
        if (here[i] != MARK)
            return false;
    return true;
}

/* Tells whether the read returned its bytes, and changed none around them. */
static bool brought(uint32_t length)
{
    bool good = !memcmp(here + AT, bytes + AT, length);

    memset(here + AT, MARK, length);
    return good && untouched();
}

static bool served(void)
{
    struct tern_completion done;

    memset(here, MARK, PAGE + 4);
    if (tern_read(from.sq, tern_region_pointer(source, AT), place, here + AT, BYTES,
                  TERN_DFLAG_SIGNAL, 8))
        return false;
    done = rig_wait(from.cq);
    return done.status == TERN_ST_OK && done.length == BYTES && done.opcode == TERN_OP_READ &&
        done.context == 8 &&
           brought(BYTES);
}

static bool is(const char *name, const struct tern_completion *done, enum tern_status status,
               unsigned side)
{
    if (done->status == status && done->context == 7 && done->length == 0 && done->fault == side)
        return true;
    tap_note("%s: expected %s, got %s from side %u", name, tern_strerror((int)status),
             tern_strerror((int)done->status), done->fault);
    return false;
}

/* Posts `w`, expects `status` from `side`. */
static void refused(const char *name, const uint32_t w[DESC_WORDS], enum tern_status status,
                    unsigned side)
{
    struct tern_completion done;
    bool good;

    memset(here, MARK, PAGE + 4);
    if (tern_post_raw(from.sq, w, 7)) {
        tap(false, "%s (not posted)", name);
        return;
    }
    done = rig_wait(from.cq);
    good = is(name, &done, status, side) && untouched();
    tap(served() && good, "%s", name);
}

static void bad_keys(void)
{
    const unsigned others = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC;
    struct tern_region *closed;
    uint32_t w[DESC_WORDS], key;

    good_read(w, BYTES);
    TERN_SET(DESC, remote_key, w, tern_region_key(source) ^ 0x10000);
    refused("a_wrong_key_brings_nothing", w, TERN_ST_BAD_KEY, TARGET);
    if (tern_register(to.device, bytes, PAGE, others, &closed)) {
        tap(false, "a region without the right");
        return;
    }
    key = tern_region_key(closed);
    good_read(w, 8);
    TERN_SET(DESC, remote_key, w, key);
    refused("all_other_rights_are_not_enough", w, TERN_ST_BAD_RIGHTS, TARGET);
    (void)tern_release(closed);
    good_read(w, 8);
    TERN_SET(DESC, remote_key, w, key);
    refused("a_released_region_is_not_read", w, TERN_ST_BAD_KEY, TARGET);
    good_read(w, BYTES);
    TERN_SET(DESC, incarnation, w, (TERN_GET(DESC, incarnation, w) + 1) & 0xff);
    refused("a_pointer_of_another_life_is_refused", w, TERN_ST_STALE_NODE, TARGET);
}

static void bad_places(void)
{
    const uint64_t start = (uintptr_t)bytes;
    uint32_t w[DESC_WORDS];

    good_read(w, BYTES);
    TERN_SET(DESC, remote_addr, w, start + PAGE + 5 - BYTES);
    refused("a_byte_behind_the_region_is_not_read", w, TERN_ST_BAD_RANGE, TARGET);
    good_read(w, 8);
    TERN_SET(DESC, remote_addr, w, start - 1);
    refused("a_byte_before_the_region_is_not_read", w, TERN_ST_BAD_RANGE, TARGET);
    good_read(w, BYTES);
    TERN_SET(DESC, remote_addr, w, UINT64_MAX - 7);
    refused("addresses_that_go_round_are_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_read(w, BYTES);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, PAGE + 5 - BYTES);
    refused("an_offset_behind_the_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_read(w, BYTES);
    TERN_SET(DESC, dst_node, w, tern_node(31, 0, 0));
    refused("a_node_outside_the_torus_is_refused", w, TERN_ST_BAD_NODE, ORIGIN);
    good_read(w, 8);
    TERN_SET(DESC, dst_node, w, tern_node(31, 0, 0));
    refused("a_short_one_too", w, TERN_ST_BAD_NODE, ORIGIN);
}

static void bad_lengths(void)
{
    static const struct {
        uint32_t bytes;
        const char *name;
    } operands[] = {{0, "no_operands_are_refused"}, {15, "operands_of_15_bytes_are_refused"},
                    {17, "operands_of_17_bytes_are_refused"},
                    {32, "operands_of_32_bytes_are_refused"},
                    {63, "operands_of_63_bytes_are_refused"}};
    uint32_t w[DESC_WORDS];

    good_read(w, 0);
    refused("nothing_is_not_read", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_read(w, TERN_PUT_BYTES_MAX + 1);
    refused("more_than_a_put_has_is_not_read", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_read(w, UINT32_MAX);
    refused("the_most_that_can_be_said_is_not_read", w, TERN_ST_BAD_LENGTH, ORIGIN);
    for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
        good_read(w, i % 2 ? BYTES : 8);
        TERN_SET(DESC, inline_len, w, operands[i].bytes);
        refused(operands[i].name, w, TERN_ST_BAD_LENGTH, ORIGIN);
    }
    good_read(w, BYTES);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    refused("operands_by_reference_are_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
}

/* Errors that the packets with the bytes meet at the origin. */
static void bad_destinations(void)
{
    const unsigned others = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_ATOMIC;
    struct tern_region *closed;
    uint32_t w[DESC_WORDS];

    good_read(w, BYTES);
    TERN_SET(RDR, key, w, tern_region_key(place) ^ 0x10000);
    refused("a_wrong_key_of_the_place_here_brings_nothing", w, TERN_ST_BAD_KEY, TARGET);
    good_read(w, 8);
    TERN_SET(RDR, addr, w, (uintptr_t)here + PAGE + 4 - 7);
    refused("a_byte_behind_the_place_here_is_not_written", w, TERN_ST_BAD_RANGE, TARGET);
    if (tern_register(from.device, here, PAGE, others, &closed)) {
        tap(false, "a region without the right");
        return;
    }
    good_read(w, BYTES);
    TERN_SET(RDR, key, w, tern_region_key(closed));
    refused("a_place_that_packets_may_not_write_is_refused", w, TERN_ST_BAD_RIGHTS, TARGET);
    (void)tern_release(closed);
}

/* ---- memory that was unmapped */

static void gone(const char *name, struct rig_end *end, unsigned rights)
{
    uint8_t *memory = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct tern_region *page;
    struct tern_completion done;
    int posted;

    if (memory == MAP_FAILED || tern_register(end->device, memory, PAGE, rights, &page)) {
        tap(false, "memory for unmapping");
        return;
    }
    munmap(memory, PAGE);
    if (end == &to)
        posted = tern_read(from.sq, tern_region_pointer(page, 0), place, here, BYTES,
                           TERN_DFLAG_SIGNAL, 7);
    else
        posted = tern_read(from.sq, tern_region_pointer(source, 0), page, memory, BYTES,
                           TERN_DFLAG_SIGNAL, 7);
    done = rig_wait(from.cq);
    tap(posted == 0 && is(name, &done, TERN_ST_HOST_FAULT, TARGET) && served(), "%s", name);
    (void)tern_release(page);
}

/* ---- other fields of the descriptor */

static void odd_descriptors(void)
{
    struct tern_completion done;
    uint32_t w[DESC_WORDS];
    bool good;

    memset(here, MARK, PAGE + 4);
    good_read(w, BYTES);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, AT);
    good = !tern_post_raw(from.sq, w, 7);
    done = rig_wait(from.cq);
    tap(good && done.status == TERN_ST_OK && brought(BYTES),
        "an_offset_into_the_region_says_what_is_read");
    good_read(w, 8);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_UNACKED);
    good = !tern_post_raw(from.sq, w, 7);
    done = rig_wait(from.cq);
    tap(good && done.status == TERN_ST_OK && brought(8),
        "a_read_ends_with_its_bytes_though_it_says_it_need_not");
    tap(tern_read(from.sq, tern_region_pointer(source, 0), NULL, here, 8, 0,
                  0) == -TERN_ST_BAD_ARGUMENT,
        "a_read_without_a_place_is_refused_at_the_door");
}

static bool set_up(void)
{
    bytes = aligned_alloc(PAGE, 2 * PAGE);
    here = aligned_alloc(PAGE, 2 * PAGE);
    if (!bytes || !here)
        return false;
    rig_fill(bytes, PAGE + 4, 3);
    return !tern_register(to.device, bytes, PAGE + 4, TERN_RIGHT_REMOTE_READ, &source) &&
           !tern_register(from.device, here, PAGE + 4, TERN_RIGHT_REMOTE_WRITE, &place);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    if (set_up()) {
        bad_keys();
        bad_places();
        bad_lengths();
        bad_destinations();
        gone("memory_that_is_gone_there_is_reported", &to, TERN_RIGHT_REMOTE_READ);
        gone("memory_that_is_gone_here_is_reported", &from, TERN_RIGHT_REMOTE_WRITE);
        odd_descriptors();
    } else {
        tap(false, "memory");
    }
    rig_end_close(&from);
    rig_end_close(&to);
    free(bytes);
    free(here);
    rig_stop(&rig);
    return tap_end();
}
