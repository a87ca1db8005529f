/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Checks that every kind of bad descriptor and bad command gets its own status, moves no byte, and
 * disturbs no other operation: after each, a valid put on the same queue still works.
 */
#define _GNU_SOURCE

#include <string.h>
#include <sys/mman.h>

#include "internal.h"
#include "rig.h"

enum { NEAR_END = RIG_BUFFER - 64 };

static struct rig_end from, to, other;

/* Writes a correct put of 64 bytes, as the driver would; each test then makes one field wrong. */
static void good_put(uint32_t words[DESC_WORDS])
{
    struct tern_rptr target = rig_end_at(&to, 4096);

    memset(words, 0, DESC_WORDS * sizeof(words[0]));
    TERN_SET(DESC, opcode, words, TERN_OP_PUT);
    TERN_SET(DESC, flags, words, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, version, words, TERN_DESC_VERSION);
    TERN_SET(DESC, index, words, from.sq->places.made);
    TERN_SET(DESC, dst_node, words, tern_rptr_node(target));
    TERN_SET(DESC, length, words, 64);
    TERN_SET(DESC, remote_addr, words, TERN_GET(RPTR, addr, target.w));
    TERN_SET(DESC, remote_key, words, TERN_GET(RPTR, key, target.w));
    TERN_SET(DESC, local_addr, words, (uintptr_t)from.buffer);
    TERN_SET(DESC, local_key, words, tern_region_key(from.region));
}

/* Posts `words`, expects `status`, then proves that no byte moved and the queue still works. */
static void refused(const char *id, const char *name, const uint32_t words[DESC_WORDS],
                    enum tern_status status)
{
    struct tern_completion completion;
    static unsigned seed = 1;
    bool untouched, served;

    rig_fill(from.buffer, RIG_BUFFER, ++seed);
    memset(to.buffer, 0xee, RIG_BUFFER);
    if (tern_post_raw(from.sq, words, 7)) {
        tap(false, "%s (not posted)", name);
        return;
    }
    completion = rig_wait(from.cq);
    untouched = to.buffer[0] == 0xee && !memcmp(to.buffer, to.buffer + 1, RIG_BUFFER - 1);
    served = rig_put(&from, &to, 128, 256) == TERN_ST_OK &&
             !memcmp(to.buffer + 128, from.buffer + 128, 256);
    tap_evidence(id, "status=%u untouched=%u served=%u", completion.status, untouched, served);
    tap(completion.status == status && completion.context == 7 && untouched && served, "%s", name);
    if (completion.status != status)
        tap_note("expected %s, got %s", tern_strerror((int)status),
                 tern_strerror((int)completion.status));
}

static void bad_descriptors(void)
{
    uint32_t w[DESC_WORDS];

    good_put(w);
    TERN_SET(DESC, opcode, w, 0x7f);
    refused("A5.1", "unknown_opcode_is_refused", w, TERN_ST_BAD_OPCODE);
    good_put(w);
    TERN_SET(DESC, version, w, 9);
    refused("A5.2", "bad_version_is_refused", w, TERN_ST_BAD_VERSION);
    good_put(w);
    TERN_SET(DESC, length, w, 0);
    refused("A5.3", "length_zero_is_refused", w, TERN_ST_BAD_LENGTH);
    good_put(w);
    TERN_SET(DESC, length, w, TERN_PUT_BYTES_MAX + 1);
    refused("A5.4", "length_too_long_is_refused", w, TERN_ST_BAD_LENGTH);
    good_put(w);
    TERN_SET(DESC, index, w, from.sq->places.made + 3);
    refused("A5.9", "index_of_another_place_is_refused", w, TERN_ST_BAD_INDEX);
    good_put(w);
    TERN_SET(DESC, dst_node, w, tern_node(31, 0, 0));
    refused("A5.21", "node_outside_the_torus_is_refused", w, TERN_ST_BAD_NODE);
}

static void bad_addresses(void)
{
    struct tern_rptr target = rig_end_at(&to, NEAR_END + 1);
    uint32_t w[DESC_WORDS];

    good_put(w);
    TERN_SET(DESC, remote_addr, w, TERN_GET(RPTR, addr, target.w));
    refused("A5.5", "range_behind_the_target_region_is_refused", w, TERN_ST_BAD_RANGE);
    good_put(w);
    TERN_SET(DESC, remote_addr, w, (uintptr_t)to.buffer - 1);
    refused("A5.5", "range_before_the_target_region_is_refused", w, TERN_ST_BAD_RANGE);
    good_put(w);
    TERN_SET(DESC, remote_addr, w, UINT64_MAX - 7);
    refused("A5.5", "range_that_wraps_is_refused", w, TERN_ST_BAD_RANGE);
    good_put(w);
    TERN_SET(DESC, local_addr, w, (uintptr_t)from.buffer + NEAR_END + 1);
    refused("A5.5", "range_behind_the_local_region_is_refused", w, TERN_ST_BAD_RANGE);
    good_put(w);
    TERN_SET(DESC, remote_key, w, tern_region_key(to.region) ^ 0x10000);
    refused("A5.6", "wrong_target_key_is_refused", w, TERN_ST_BAD_KEY);
    good_put(w);
    TERN_SET(DESC, local_key, w, tern_region_key(from.region) ^ 0x80000000);
    refused("A5.6", "wrong_local_key_is_refused", w, TERN_ST_BAD_KEY);
    good_put(w);
    TERN_SET(DESC, local_key, w, tern_region_key(other.region));
    TERN_SET(DESC, local_addr, w, (uintptr_t)other.buffer);
    refused("A5.6", "region_of_another_process_is_refused", w, TERN_ST_NOT_OWNER);
}

static void released_region(void)
{
    struct tern_region *region;
    uint32_t w[DESC_WORDS];
    uint32_t key;

    if (tern_register(to.device, to.buffer, 4096, TERN_RIGHT_REMOTE_WRITE, &region)) {
        tap(false, "released_region_is_refused (not registered)");
        return;
    }
    key = tern_region_key(region);
    good_put(w);
    TERN_SET(DESC, remote_key, w, key);
    TERN_SET(DESC, remote_addr, w, (uintptr_t)to.buffer);
    tap(!tern_release(region), "a region is released");
    refused("A5.7", "released_region_is_refused", w, TERN_ST_BAD_KEY);
    if (!tern_register(to.device, to.buffer, 4096, TERN_RIGHT_REMOTE_READ, &region)) {
        good_put(w);
        TERN_SET(DESC, remote_key, w, tern_region_key(region));
        TERN_SET(DESC, remote_addr, w, (uintptr_t)to.buffer);
        refused("A5.6", "region_without_the_right_is_refused", w, TERN_ST_BAD_RIGHTS);
        (void)tern_release(region);
    }
}

/* Posts a put from memory that was unmapped after its registration. */
static void unmapped_memory(void)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE;
    struct tern_region *near_region, *far_region;
    uint32_t w[DESC_WORDS];
    void *near_memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                             0);
    void *far_memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (near_memory == MAP_FAILED || far_memory == MAP_FAILED ||
        tern_register(from.device, near_memory, 4096, rights, &near_region) ||
        tern_register(to.device, far_memory, 4096, rights, &far_region)) {
        tap(false, "memory for unmapping");
        return;
    }
    munmap(near_memory, 4096);
    munmap(far_memory, 4096);
    good_put(w);
    TERN_SET(DESC, local_key, w, tern_region_key(near_region));
    TERN_SET(DESC, local_addr, w, (uintptr_t)near_memory);
    refused("A5.8", "unmapped_source_is_reported", w, TERN_ST_HOST_FAULT);
    good_put(w);
    TERN_SET(DESC, remote_key, w, tern_region_key(far_region));
    TERN_SET(DESC, remote_addr, w, (uintptr_t)far_memory);
    refused("A5.8", "unmapped_target_is_reported", w, TERN_ST_HOST_FAULT);
    (void)tern_release(near_region);
    (void)tern_release(far_region);
}

/* ---- admin commands */

static void create_words(uint32_t words[DESC_WORDS], uint64_t ring, unsigned log2, uint16_t number)
{
    memset(words, 0, DESC_WORDS * sizeof(words[0]));
    TERN_SET(DESC, opcode, words, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, words, number);
    TERN_SET(ADM, addr, words, ring);
    TERN_SET(ADM, key, words, tern_region_key(from.region));
    TERN_SET(ADM, qtype, words, TERN_QTYPE_SQ);
    TERN_SET(ADM, log2_entries, words, log2);
    TERN_SET(ADM, cq, words, from.cq->number);
}

static void admin_refused(const char *id, const char *name, uint32_t words[DESC_WORDS],
                          enum tern_status status)
{
    int got = tern_admin(from.device, words, NULL, 0, NULL);
    bool served = rig_put(&from, &to, 0, 64) == TERN_ST_OK;

    tap_evidence(id, "status=%d served=%u", -got, served);
    tap(got == -(int)status && served, "%s", name);
    if (got != -(int)status)
        tap_note("expected %s, got %s", tern_strerror((int)status), tern_strerror(got));
}

static void bad_commands(void)
{
    uint64_t ring = ((uintptr_t)from.buffer + 63) & ~UINT64_C(63);
    uint32_t w[DESC_WORDS];

    create_words(w, ring + 8, 4, TERN_QUEUE_ANY);
    admin_refused("A5.10", "misaligned_ring_is_refused", w, TERN_ST_BAD_ALIGN);
    create_words(w, ring, TERN_RING_LOG2_MAX + 1, TERN_QUEUE_ANY);
    admin_refused("A5.10", "ring_that_is_too_large_is_refused", w, TERN_ST_BAD_SIZE);
    create_words(w, (uintptr_t)from.buffer + 2 * RIG_BUFFER + (64 - (uintptr_t)from.buffer % 64), 4,
                 TERN_QUEUE_ANY);
    admin_refused("A5.10", "ring_outside_its_region_is_refused", w, TERN_ST_BAD_RANGE);
    create_words(w, ring, 4, from.sq->number);
    admin_refused("A5.12", "own_queue_number_twice_is_refused", w, TERN_ST_QUEUE_BUSY);
    create_words(w, ring, 4, other.sq->number);
    admin_refused("A5.12", "queue_of_another_process_is_refused", w, TERN_ST_QUEUE_BUSY);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, w, other.sq->number);
    admin_refused("A5.12", "deleting_a_foreign_queue_is_refused", w, TERN_ST_NOT_OWNER);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, TERN_ADMIN_REL_REGION);
    TERN_SET(ADM, key, w, tern_region_key(other.region));
    admin_refused("A5.6", "releasing_a_foreign_region_is_refused", w, TERN_ST_NOT_OWNER);
    memset(w, 0, sizeof(w));
    TERN_SET(DESC, opcode, w, 0x7e);
    admin_refused("A5.1", "unknown_command_is_refused", w, TERN_ST_BAD_OPCODE);
}

static void bad_doorbell(const char *id, const char *name, uint16_t queue, uint32_t index,
                         enum tern_status expected)
{
    enum tern_status status = TERN_ST_OK;
    enum { PUTS_MOST = 16 };
    unsigned before, after = 0, puts = 0;
    uint16_t seen = 0;
    bool served;

    if (tern_last_error(from.device, &status, &seen, &before) ||
        tern_doorbell(from.device, queue, index)) {
        tap(false, "%s (no doorbell)", name);
        return;
    }
    /* Descriptors that wait may have a turn before the error, so that one put may not suffice. */
    do {
        served = rig_put(&from, &to, 0, 64) == TERN_ST_OK;
        (void)tern_last_error(from.device, &status, &seen, &after);
    } while (served && after == before && ++puts < PUTS_MOST);
    tap_evidence(id, "status=%u queue=%u count=%u", status, seen, after - before);
    tap(status == expected && seen == queue && after == before + 1 && served, "%s", name);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&from, &rig, 0);
    rig_end_open(&other, &rig, 0);
    rig_end_open(&to, &rig, 1);
    bad_descriptors();
    bad_addresses();
    released_region();
    unmapped_memory();
    bad_commands();
    bad_doorbell("A5.11", "doorbell_of_a_queue_that_does_not_exist_is_counted", 300, 1,
                 TERN_ST_BAD_QUEUE);
    bad_doorbell("A5.11", "doorbell_of_a_foreign_queue_is_counted", other.sq->number, 1,
                 TERN_ST_BAD_QUEUE);
    bad_doorbell("A5.9", "doorbell_that_leaves_the_ring_is_counted", from.sq->number,
                 from.sq->rung + 1000, TERN_ST_BAD_DOORBELL);
    tap(rig_put(&other, &to, 512, 512) == TERN_ST_OK, "the other process is served all the time");
    rig_end_close(&from);
    rig_end_close(&other);
    rig_end_close(&to);
    rig_stop(&rig);
    return tap_end();
}
