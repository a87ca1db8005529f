/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that every invalid chase and lookup gets its own status, returns no bytes, and disturbs no
 * other operation: after each, valid ones on the same queue still work.
 */
#define _GNU_SOURCE

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tern/table.h>

#include "internal.h"
#include "rig.h"

enum {
    PAGE = 4096,
    NODE = TERN_NODE_BYTES,
    ROOM = 100,
    MARK = 0x5a,
    ORIGIN = 1,
    TARGET = 2, /* sides */
    HEAD = 64,  /* where the list begins, in linked nodes */
    LIST = 20,  /* more nodes than a lot */
    GENERATION = 7,
    LAST = PAGE / NODE - 1
};

static struct rig_end from, to;    /* `from` is the origin */
static struct tern_region *source; /* a page of `to`: a table, followed by a list */
static struct tern_region *place;  /* a page of `from`, writable by other nodes */
static struct tern_table table;
static uint8_t *memory, *here;

static uint8_t *node_at(unsigned n)
{
    return memory + (size_t)n * NODE;
}

static uint64_t addr_of(unsigned n)
{
    return (uintptr_t)node_at(n);
}

/* Returns the link to node `i` of the list, whose key is i + 1. */
static uint64_t link_to(unsigned i)
{
    return tern_link(addr_of(HEAD + i), GENERATION);
}

/* ---- valid operations */

static void frame(uint32_t w[DESC_WORDS], struct tern_rptr at)
{
    memset(w, 0, DESC_WORDS * sizeof(w[0]));
    TERN_SET(DESC, opcode, w, TERN_OP_LOOKUP);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, index, w, from.sq->places.made);
    TERN_SET(DESC, length, w, ROOM);
    tern_desc_set_remote(w, at);
    TERN_SET(LKP, addr, w, (uintptr_t)here);
    TERN_SET(LKP, key, w, tern_region_key(place));
    TERN_SET(LKP, length, w, ROOM);
    TERN_SET(LKP, nodes, w, 255);
    TERN_SET(LKP, ones, w, UINT64_MAX);
}

static void want(uint32_t w[DESC_WORDS], uint64_t key)
{
    TERN_SET(LKP, wanted, w, -key);
}

static void good_chase(uint32_t w[DESC_WORDS], uint64_t key)
{
    frame(w, tern_region_pointer(source, HEAD * NODE));
    TERN_SET(DESC, remote_addr, w, link_to(0));
    want(w, key);
}

static void good_lookup(uint32_t w[DESC_WORDS], const char *key)
{
    const struct tern_table_pointer there = {tern_region_pointer(source, 0), table.log2_buckets};
    uint64_t hash = tern_table_hash(key, strlen(key));

    frame(w, tern_table_bucket(&there, hash));
    want(w, hash);
}

static void write_memory(void)
{
    (void)tern_table_init(&table, memory, HEAD * NODE, 0, ROOM);
    (void)tern_table_set(&table, "key", 3, "value", 5);
    for (unsigned i = 0; i < LIST; i++) {
        tern_linked_init(node_at(HEAD + i), i + 1, GENERATION);
        if (i > 0)
            tern_linked_set_less(node_at(HEAD + i - 1), link_to(i));
    }
}

/* ---- results */

static bool untouched(void)
{
    for (unsigned i = 0; i < PAGE; i++)
        if (here[i] != MARK)
            return false;
    return true;
}

static struct tern_completion post(const uint32_t w[DESC_WORDS])
{
    struct tern_completion done = {.status = TERN_ST_INTERNAL};

    memset(here, MARK, PAGE);
    if (tern_post_raw(from.sq, w, 7) == 0)
        done = rig_wait(from.cq);
    return done;
}

static bool served(void)
{
    struct tern_table_record record;
    uint32_t w[DESC_WORDS];
    bool good;

    write_memory();
    good_chase(w, LIST);
    good = post(w).status == TERN_ST_OK && memcmp(here, node_at(HEAD + LIST - 1), ROOM) == 0 &&
        here[ROOM] == MARK;
    good_lookup(w, "key");
    return post(w).status == TERN_ST_OK &&
        tern_table_record_read(here, ROOM, "key", 3, &record) == 0 && record.whole && good;
}

static void refused(const char *name, const uint32_t w[DESC_WORDS], enum tern_status status,
                    unsigned side)
{
    struct tern_completion done = post(w);
    bool good = done.status == status && done.context == 7 && done.length == 0 &&
        done.fault == side && untouched();

    if (!good)
        tap_note("%s: expected %s, got %s from side %u", name, tern_strerror((int)status),
                 tern_strerror((int)done.status), done.fault);
    tap(served() && good, "%s", name);
    tap_evidence("B7.5", "status=%u", done.status);
}

static void bad_keys(void)
{
    struct tern_region *closed;
    uint32_t w[DESC_WORDS], key;

    good_chase(w, 2);
    TERN_SET(DESC, remote_key, w, tern_region_key(source) ^ 0x10000);
    refused("a_chase_with_a_wrong_key_is_refused", w, TERN_ST_BAD_KEY, TARGET);
    good_lookup(w, "key");
    TERN_SET(DESC, remote_key, w, tern_region_key(source) ^ 0x10000);
    refused("a_lookup_with_a_wrong_key_is_refused", w, TERN_ST_BAD_KEY, TARGET);
    if (tern_register(to.device, memory, PAGE, 31 & ~TERN_RIGHT_REMOTE_READ, &closed)) {
        tap(false, "a region without a right");
        return;
    }
    good_lookup(w, "key");
    TERN_SET(DESC, remote_key, w, tern_region_key(closed));
    refused("without_the_right_nothing_is_looked_up", w, TERN_ST_BAD_RIGHTS, TARGET);
    key = tern_region_key(closed);
    (void)tern_release(closed);
    good_lookup(w, "key");
    TERN_SET(DESC, remote_key, w, key);
    refused("in_a_region_that_was_released_nothing_is_looked_up", w, TERN_ST_BAD_KEY, TARGET);
    good_chase(w, 2);
    TERN_SET(DESC, incarnation, w, (TERN_GET(DESC, incarnation, w) + 1) & 0xff);
    refused("a_pointer_of_another_life_is_refused", w, TERN_ST_STALE_NODE, TARGET);
}

static void bad_places(void)
{
    uint32_t w[DESC_WORDS];

    good_chase(w, 2);
    TERN_SET(DESC, remote_addr, w, addr_of(LAST + 1));
    refused("a_first_node_behind_the_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_chase(w, 2);
    TERN_SET(DESC, remote_addr, w, addr_of(0) - NODE);
    refused("a_first_node_before_the_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_lookup(w, "key");
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, PAGE);
    refused("a_bucket_behind_the_region_is_refused", w, TERN_ST_BAD_RANGE, TARGET);
    good_chase(w, 2);
    TERN_SET(DESC, remote_addr, w, addr_of(HEAD) + 8);
    refused("a_first_node_that_is_not_aligned_is_refused", w, TERN_ST_BAD_ALIGN, TARGET);
    good_lookup(w, "key");
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, remote_addr, w, 16);
    refused("a_bucket_that_is_not_aligned_is_refused", w, TERN_ST_BAD_ALIGN, TARGET);
    good_chase(w, 2);
    TERN_SET(LKP, key, w, tern_region_key(place) ^ 0x10000);
    refused("a_wrong_key_of_the_place_here_brings_nothing", w, TERN_ST_BAD_KEY, TARGET);
    good_lookup(w, "key");
    TERN_SET(LKP, addr, w, (uintptr_t)here + PAGE - 32);
    refused("a_record_is_not_written_beyond_its_place_here", w, TERN_ST_BAD_RANGE, TARGET);
    good_chase(w, 9);
    tern_linked_init(node_at(LAST), 9, 0);
    TERN_SET(DESC, remote_addr, w, addr_of(LAST));
    refused("of_a_node_that_ends_the_region_no_more_is_brought", w, TERN_ST_BAD_RANGE, TARGET);
}

static void bad_forms(void)
{
    uint32_t w[DESC_WORDS];

    good_chase(w, 2);
    TERN_SET(LKP, nodes, w, 0);
    refused("a_chase_of_no_nodes_is_refused", w, TERN_ST_TOO_FAR, TARGET);
    good_lookup(w, "key");
    TERN_SET(LKP, length, w, 0);
    refused("a_lookup_of_no_bytes_is_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_lookup(w, "key");
    TERN_SET(LKP, length, w, from.device->info.max_payload + 1);
    refused("a_lookup_of_more_than_a_packet_is_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_chase(w, 2);
    TERN_SET(DESC, inline_len, w, 24);
    refused("a_request_of_24_bytes_is_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_chase(w, 2);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    refused("a_request_by_reference_is_refused", w, TERN_ST_BAD_LENGTH, ORIGIN);
    good_chase(w, 2);
    TERN_SET(DESC, dst_node, w, tern_node(31, 0, 0));
    refused("a_node_outside_the_torus_is_refused", w, TERN_ST_BAD_NODE, ORIGIN);
}

/* ---- errors during the walk: at the second node, and after a lot */

static void bad_way(const char *name, unsigned i, void (*spoil)(unsigned i),
                    enum tern_status status)
{
    uint32_t w[DESC_WORDS];

    good_chase(w, LIST);
    spoil(i);
    refused(name, w, status, TARGET);
}

static void grow_older(unsigned i)
{
    tern_linked_set_generation(node_at(HEAD + i), GENERATION + 1);
}

static void step_aside(unsigned i)
{
    tern_linked_set_less(node_at(HEAD + i - 1), link_to(i) + 16);
}

static void step_out(unsigned i)
{
    tern_linked_set_less(node_at(HEAD + i - 1), tern_link(addr_of(LAST + 1), 0));
}

static void step_far_out(unsigned i)
{
    tern_linked_set_less(node_at(HEAD + i - 1), tern_link(UINT64_MAX - NODE + 1, 0));
}

static void end_list(unsigned i)
{
    tern_linked_set_less(node_at(HEAD + i - 1), 0);
}

static void go_round(unsigned i)
{
    tern_linked_set_less(node_at(HEAD + i - 1), link_to(0));
}

static void bad_ways(void)
{
    const unsigned far = TERN_LOOKUP_LOT;

    bad_way("the_end_of_a_list_is_told", 1, end_list, TERN_ST_NOT_FOUND);
    bad_way("the_end_of_a_long_list_is_told", far, end_list, TERN_ST_NOT_FOUND);
    bad_way("a_node_of_another_generation_is_told", 1, grow_older, TERN_ST_STALE_POINTER);
    bad_way("a_node_of_another_generation_is_told_later", far, grow_older, TERN_ST_STALE_POINTER);
    bad_way("a_first_node_of_another_generation_is_told", 0, grow_older, TERN_ST_STALE_POINTER);
    bad_way("a_link_beside_a_node_is_told", 1, step_aside, TERN_ST_BAD_LINK);
    bad_way("a_link_beside_a_node_is_told_later", far, step_aside, TERN_ST_BAD_LINK);
    bad_way("a_link_out_of_the_region_is_told", 1, step_out, TERN_ST_BAD_LINK);
    bad_way("a_link_out_of_the_region_is_told_later", far, step_out, TERN_ST_BAD_LINK);
    bad_way("a_link_far_out_of_the_region_is_told", 1, step_far_out, TERN_ST_BAD_LINK);
    bad_way("a_circle_is_told", 1, go_round, TERN_ST_TOO_FAR);
    bad_way("a_circle_of_many_is_told", far, go_round, TERN_ST_TOO_FAR);
}

static void bad_bounds(void)
{
    uint32_t w[DESC_WORDS];

    good_chase(w, 2);
    TERN_SET(LKP, nodes, w, 1);
    refused("a_node_too_far_is_told", w, TERN_ST_TOO_FAR, TARGET);
    good_chase(w, LIST);
    TERN_SET(LKP, nodes, w, TERN_LOOKUP_LOT);
    refused("a_node_too_far_behind_a_whole_lot_is_told", w, TERN_ST_TOO_FAR, TARGET);
    good_chase(w, LIST);
    TERN_SET(LKP, nodes, w, LIST - 1);
    refused("a_node_too_far_in_another_lot_is_told", w, TERN_ST_TOO_FAR, TARGET);
}

static void bad_tables(void)
{
    uint32_t w[DESC_WORDS];

    good_lookup(w, "no such key");
    refused("a_key_that_is_not_there_is_told", w, TERN_ST_NOT_FOUND, TARGET);
    good_lookup(w, "key");
    memset(memory, 0xff, NODE);
    refused("a_bucket_of_ones_is_told", w, TERN_ST_BAD_LINK, TARGET);
    good_lookup(w, "key");
    rig_fill(memory, NODE, 3);
    memory[TERN_NOD_less_WORD * 4] |= 1;
    refused("a_bucket_of_garbage_is_told", w, TERN_ST_BAD_LINK, TARGET);
    good_lookup(w, "key");
    tern_linked_set_less(memory, tern_link(addr_of(LAST), 9));
    refused("a_bucket_that_leads_to_no_record_is_told", w, TERN_ST_STALE_POINTER, TARGET);
    good_lookup(w, "no such key");
    tern_linked_set_less(memory + NODE, tern_linked_less(memory));
    refused("records_in_a_circle_are_told", w, TERN_ST_TOO_FAR, TARGET);
}

/* ---- memory that was unmapped */

static void gone(void)
{
    uint8_t *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct tern_region *region;
    uint32_t w[DESC_WORDS];

    if (page == MAP_FAILED ||
        tern_register(to.device, page, PAGE, TERN_RIGHT_REMOTE_READ, &region)) {
        tap(false, "memory for unmapping");
        return;
    }
    munmap(page, PAGE);
    good_chase(w, 2);
    TERN_SET(DESC, remote_key, w, tern_region_key(region));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)page);
    refused("memory_that_is_gone_is_told", w, TERN_ST_HOST_FAULT, TARGET);
    (void)tern_release(region);
}

static bool set_up(void)
{
    memory = aligned_alloc(PAGE, PAGE);
    here = aligned_alloc(PAGE, PAGE);
    return memory && here &&
        !tern_register(to.device, memory, PAGE, TERN_RIGHT_REMOTE_READ, &source) &&
           !tern_register(from.device, here, PAGE, TERN_RIGHT_REMOTE_WRITE, &place);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&to, &rig, 1);
    if (set_up() && served()) {
        bad_keys();
        bad_places();
        bad_forms();
        bad_ways();
        bad_bounds();
        bad_tables();
        gone();
    } else {
        tap(false, "something to look up");
    }
    rig_end_close(&from);
    rig_end_close(&to);
    free(memory);
    free(here);
    rig_stop(&rig);
    return tap_end();
}
