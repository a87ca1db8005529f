/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call caches without a NIC: the descriptors that would be posted are compared with those that this
 * test builds, one by one.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <tern/call.h>

#include "fake_nic.h"

enum { REGIONS = 8, BYTES = 4096, SEED = 31 };

/* Calls that are compared: fewer where each costs ten times as much. */
#ifdef __SANITIZE_ADDRESS__
enum { CALLS = 500000 };
#else
enum { CALLS = 10000000 };
#endif

struct bench {
    struct fake_nic nic;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_calls *calls;
    struct tern_region *region[REGIONS];
    uint8_t memory[REGIONS][BYTES];
};

/* The last post of the cache, taken in place of the library's own function. */
static struct {
    struct tern_desc desc[TERN_CALL_OPS];
    uint64_t context[TERN_CALL_OPS];
    unsigned count, posts;
    int status;
} posted;

int __wrap_tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs,
                          const uint64_t *contexts, unsigned count);

int __wrap_tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs,
                          const uint64_t *contexts, unsigned count)
{
    (void)sq;
    memcpy(posted.desc, descs, count * sizeof(*descs));
    memcpy(posted.context, contexts, count * sizeof(*contexts));
    posted.count = count;
    posted.posts++;
    return posted.status;
}

static void register_one(struct bench *b, unsigned i)
{
    assert_int_equal(tern_register(b->device, b->memory[i], BYTES, TERN_RIGHT_LOCAL_READ,
                                   &b->region[i]), 0);
}

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    memset(&posted, 0, sizeof(posted));
    fake_nic_init(&b->nic);
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device), 0);
    assert_int_equal(tern_cq_create(b->device, 8, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, 8, &b->sq), 0);
    for (unsigned i = 0; i < REGIONS; i++)
        register_one(b, i);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    tern_calls_destroy(b->calls);
    fake_nic_stop(&b->nic);
    tern_close(b->device);
    free(b);
    return 0;
}

static void create(struct bench *b, const struct tern_calls_config *config)
{
    assert_int_equal(tern_calls_create(b->sq, config, &b->calls), 0);
}

static struct tern_calls_counts counts(const struct bench *b)
{
    struct tern_calls_counts counts;

    tern_calls_counts(b->calls, &counts);
    return counts;
}

/* ---- calls */

static struct tern_rptr there(uint32_t number)
{
    return (struct tern_rptr){{number * 64, 0, 7, 1}};
}

/* A put of two segments, a message and an addition. */
struct example {
    struct tern_sge sges[3];
    struct tern_wr wr[3];
};

static void fill(const struct bench *b, struct example *e)
{
    *e = (struct example){
        .sges = {{b->region[0], (void *)b->memory[0], 100},
                 {b->region[1], (void *)(b->memory[1] + 8), 50},
                 {b->region[2], (void *)b->memory[2], 20}},
        .wr = {{.id = 1, .sge_count = 2, .opcode = TERN_WR_PUT, .remote = there(5),
                .flags = TERN_WR_SIGNAL},
               {.id = 2, .sge_count = 1, .opcode = TERN_WR_SEND, .target = {3, 130, 77},
                .flags = TERN_WR_IMM},
               {.id = 3, .opcode = TERN_WR_ADD, .remote = there(9), .swap = 4,
                .flags = TERN_WR_SIGNAL | TERN_WR_FENCE}}};
    e->wr[0].next = &e->wr[1];
    e->wr[1].next = &e->wr[2];
    e->wr[0].sges = &e->sges[0];
    e->wr[1].sges = &e->sges[2];
}

static void expect_example(const struct bench *b)
{
    const struct tern_masked add = {.swap = 4, .swap_mask = UINT64_MAX};
    struct tern_desc want[4];

    assert_int_equal(tern_desc_put(&want[0], there(5), b->region[0], b->memory[0], 100, 0), 0);
    assert_int_equal(tern_desc_put(&want[1], tern_rptr_add(there(5), 100), b->region[1],
                                   b->memory[1] + 8, 50, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE),
                     0);
    assert_int_equal(tern_desc_send(&want[2], (struct tern_target){3, 130, 77}, b->region[2],
                                    b->memory[2], 20, TERN_DFLAG_IMM), 0);
    assert_int_equal(tern_desc_masked(&want[3], TERN_OP_ADD, there(9), &add,
                                      TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE), 0);
    assert_int_equal(posted.count, 4);
    assert_memory_equal(posted.desc, want, sizeof(want));
}

static void a_call_is_built_once_and_then_found(void **state)
{
    struct bench *b = *state;
    struct example e, again;

    create(b, NULL);
    fill(b, &e);
    assert_int_equal(tern_call(b->calls, e.wr, NULL), 0);
    expect_example(b);
    assert_int_equal(counts(b).misses, 1);
    fill(b, &again); /* the same call in other memory, with other ids */
    again.wr[0].id = 11;
    again.wr[2].id = 13;
    assert_int_equal(tern_call(b->calls, again.wr, NULL), 0);
    expect_example(b);
    assert_int_equal(counts(b).hits, 1);
    assert_int_equal(posted.context[0], 11);
    assert_int_equal(posted.context[1], 11);
    assert_int_equal(posted.context[2], 2);
    assert_int_equal(posted.context[3], 13);
}

static void a_call_that_differs_in_one_field_is_another(void **state)
{
    struct bench *b = *state;
    struct example e;

    create(b, NULL);
    for (unsigned i = 0; i < 14; i++) {
        fill(b, &e);
        switch (i) {
        case 0: break;
        case 1: e.sges[0].bytes++; break;
        case 2: e.sges[1].addr = b->memory[1] + 16; break;
        case 3: e.sges[1].region = b->region[3]; break;
        case 4: e.wr[0].sge_count = 1; break;
        case 5: e.wr[0].flags = 0; break;
        case 6: e.wr[0].opcode = TERN_WR_READ; break;
        case 7: e.wr[0].remote.w[0]++; break;
        case 8: e.wr[0].remote.w[3]++; break;
        case 9: e.wr[1].target.imm++; break;
        case 10: e.wr[1].target.queue++; break;
        case 11: e.wr[1].target.node++; break;
        case 12: e.wr[2].swap++; break;
        default: e.wr[1].next = NULL; break;
        }
        assert_int_equal(tern_call(b->calls, e.wr, NULL), 0);
        assert_int_equal(counts(b).misses, i + 1);
    }
    assert_int_equal(counts(b).hits, 0);
}

static void inline_bytes_are_those_of_the_moment(void **state)
{
    struct bench *b = *state;
    uint8_t bytes[12] = "one, two";
    struct tern_sge sges[2] = {{.addr = bytes, .bytes = 5}, {.addr = bytes + 5, .bytes = 3}};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .remote = there(1), .sges = sges, .sge_count = 2,
                         .flags = TERN_WR_INLINE};
    const struct tern_hole hole = {0, 0, TERN_HOLE_REMOTE};
    struct tern_prepared *prepared;

    create(b, NULL);
    assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    assert_memory_equal((uint8_t *)posted.desc[0].words + TERN_INLINE_OFFSET, "one, two", 8);
    memcpy(bytes, "two, one", 8);
    assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    assert_int_equal(counts(b).hits, 1);
    assert_memory_equal((uint8_t *)posted.desc[0].words + TERN_INLINE_OFFSET, "two, one", 8);
    assert_int_equal(tern_call_prepare(b->calls, &wr, &hole, 1, &prepared, NULL), 0);
    memcpy(bytes, "six, ten", 8);
    assert_int_equal(tern_call_set(prepared, 0, 0x4000), 0);
    assert_int_equal(tern_call_execute(prepared), 0);
    assert_memory_equal((uint8_t *)posted.desc[0].words + TERN_INLINE_OFFSET, "six, ten", 8);
    assert_int_equal(TERN_GET(DESC, remote_addr, posted.desc[0].words), 0x4000);
}

/* ---- bad calls */

static void expect_refused(struct bench *b, const struct tern_wr *list, int status,
                           const struct tern_wr *culprit)
{
    const struct tern_wr *bad = list;
    unsigned posts = posted.posts;

    assert_int_equal(tern_call(b->calls, list, &bad), -status);
    assert_ptr_equal(bad, culprit);
    assert_int_equal(posted.posts, posts);
}

static void each_bad_request_has_its_error_and_nothing_is_posted(void **state)
{
    static struct tern_wr many[TERN_CALL_OPS + 1];
    static struct tern_sge lots[TERN_CALL_OPS + 1];
    struct bench *b = *state;
    struct example e;

    create(b, NULL);
    expect_refused(b, NULL, TERN_ST_BAD_LENGTH, NULL);
    fill(b, &e), e.wr[1].opcode = 99;
    expect_refused(b, e.wr, TERN_ST_BAD_OPCODE, &e.wr[1]);
    fill(b, &e), e.wr[1].opcode = 0;
    expect_refused(b, e.wr, TERN_ST_BAD_OPCODE, &e.wr[1]);
    fill(b, &e), e.wr[0].flags = 128;
    expect_refused(b, e.wr, TERN_ST_BAD_ARGUMENT, &e.wr[0]);
    fill(b, &e), e.wr[0].flags = TERN_WR_IMM;
    expect_refused(b, e.wr, TERN_ST_BAD_ARGUMENT, &e.wr[0]);
    fill(b, &e), e.wr[2].flags = TERN_WR_INLINE;
    expect_refused(b, e.wr, TERN_ST_BAD_ARGUMENT, &e.wr[2]);
    fill(b, &e), e.wr[2].sges = e.sges, e.wr[2].sge_count = 1;
    expect_refused(b, e.wr, TERN_ST_BAD_ARGUMENT, &e.wr[2]);
    fill(b, &e), e.sges[2].region = NULL;
    expect_refused(b, e.wr, TERN_ST_BAD_ARGUMENT, &e.wr[1]);
    fill(b, &e), e.sges[1].bytes = 0;
    expect_refused(b, e.wr, TERN_ST_BAD_LENGTH, &e.wr[0]);
    fill(b, &e), e.sges[1].bytes = TERN_PUT_BYTES_MAX + 1;
    expect_refused(b, e.wr, TERN_ST_BAD_LENGTH, &e.wr[0]);
    fill(b, &e), e.wr[0].flags = TERN_WR_INLINE; /* 150 bytes */
    expect_refused(b, e.wr, TERN_ST_BAD_LENGTH, &e.wr[0]);
    fill(b, &e), e.wr[0].sge_count = 0;
    expect_refused(b, e.wr, TERN_ST_BAD_LENGTH, &e.wr[0]);
    fill(b, &e), e.wr[1].sges = e.sges, e.wr[1].sge_count = 2; /* a message has one */
    expect_refused(b, e.wr, TERN_ST_BAD_LENGTH, &e.wr[1]);
    fill(b, &e), e.wr[2].remote.w[0] += 4;
    expect_refused(b, e.wr, TERN_ST_BAD_ALIGN, &e.wr[2]);
    for (unsigned i = 0; i <= TERN_CALL_OPS; i++) {
        lots[i] = (struct tern_sge){b->region[0], b->memory[0], 8};
        many[i] = (struct tern_wr){.opcode = TERN_WR_PUT, .sges = lots, .sge_count = 1,
                                   .next = i < TERN_CALL_OPS ? &many[i + 1] : NULL};
    }
    expect_refused(b, many, TERN_ST_BAD_LENGTH, &many[TERN_CALL_OPS]);
    many[TERN_CALL_OPS - 1].next = NULL;
    assert_int_equal(tern_call(b->calls, many, NULL), 0);
    assert_int_equal(posted.count, TERN_CALL_OPS);
    many[0].next = NULL;
    many[0].sge_count = TERN_CALL_OPS + 1;
    expect_refused(b, many, TERN_ST_BAD_LENGTH, &many[0]);
}

static void a_call_cache_checks_its_configuration(void **state)
{
    struct bench *b = *state;
    struct tern_calls_config sets = {.log2_sets = 17}, bits = {.fingerprint_bits = 65};

    assert_int_equal(tern_calls_create(b->sq, &sets, &b->calls), -TERN_ST_BAD_SIZE);
    assert_int_equal(tern_calls_create(b->sq, &bits, &b->calls), -TERN_ST_BAD_SIZE);
}

/* ---- what goes */

static void a_call_goes_with_its_region_and_others_stay(void **state)
{
    struct bench *b = *state;
    struct tern_sge sge = {b->region[4], b->memory[4], 8}, other = {b->region[5], b->memory[5], 8};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1},
                   beside = {.opcode = TERN_WR_PUT, .sges = &other, .sge_count = 1};
    struct tern_prepared *prepared, *stays;
    uint32_t key = tern_region_key(b->region[4]);

    create(b, NULL);
    assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    assert_int_equal(tern_call(b->calls, &beside, NULL), 0);
    assert_int_equal(tern_call_prepare(b->calls, &wr, NULL, 0, &prepared, NULL), 0);
    assert_int_equal(tern_call_prepare(b->calls, &beside, NULL, 0, &stays, NULL), 0);
    assert_int_equal(tern_release(b->region[4]), 0);
    expect_refused(b, &wr, TERN_ST_STALE_POINTER, &wr);
    assert_int_equal(counts(b).invalidated, 1);
    assert_int_equal(tern_call_execute(prepared), -TERN_ST_STALE_POINTER);
    assert_int_equal(tern_call_execute(stays), 0);
    assert_int_equal(tern_call(b->calls, &beside, NULL), 0);
    assert_int_equal(counts(b).hits, 3); /* two preparations among them */

    /* The same memory anew, often at the same handle: another region all the same. */
    register_one(b, 4);
    sge.region = b->region[4];
    assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    assert_int_not_equal(tern_region_key(b->region[4]), key);
    assert_int_equal(TERN_GET(DESC, local_key, posted.desc[0].words),
                     tern_region_key(b->region[4]));
    assert_int_equal(tern_call_execute(prepared), -TERN_ST_STALE_POINTER);
    tern_call_free(prepared);
}

static void a_region_that_never_was_is_refused_without_a_look(void **state)
{
    struct bench *b = *state;
    const struct tern_region *none = (const struct tern_region *)(uintptr_t)64;
    struct tern_sge sge = {none, b->memory[0], 8};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1};

    create(b, NULL);
    expect_refused(b, &wr, TERN_ST_STALE_POINTER, &wr);
}

static void all_calls_go_with_their_queue(void **state)
{
    struct bench *b = *state;
    struct tern_prepared *prepared;
    struct example e;

    create(b, NULL);
    fill(b, &e);
    assert_int_equal(tern_call(b->calls, e.wr, NULL), 0);
    assert_int_equal(tern_call_prepare(b->calls, e.wr, NULL, 0, &prepared, NULL), 0);
    assert_int_equal(tern_sq_destroy(b->sq), 0);
    expect_refused(b, e.wr, TERN_ST_BAD_QUEUE, NULL);
    assert_int_equal(tern_call_execute(prepared), -TERN_ST_BAD_QUEUE);
    assert_int_equal(counts(b).invalidated, 1);
}

/* ---- the bound */

static void the_table_has_a_bound_and_what_is_used_or_prepared_stays(void **state)
{
    const struct tern_calls_config config = {.log2_sets = 1, .fingerprint_bits = 1};
    struct bench *b = *state;
    struct tern_sge sge = {b->region[0], b->memory[0], 8};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1};
    struct tern_prepared *prepared;

    create(b, &config);
    wr.remote = there(1000);
    assert_int_equal(tern_call_prepare(b->calls, &wr, NULL, 0, &prepared, NULL), 0);
    for (uint32_t i = 0; i < 1000; i++) {
        wr.remote = there(i);
        assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
        wr.remote = there(1001); /* used all the time */
        assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    }
    assert_true(counts(b).evicted >= 990);
    assert_true(counts(b).hits >= 990);
    wr.remote = there(1000);
    assert_int_equal(counts(b).unlike, 0);
    assert_int_equal(tern_call(b->calls, &wr, NULL), 0);
    assert_int_equal(TERN_GET(DESC, remote_addr, posted.desc[0].words),
                     TERN_GET(RPTR, addr, there(1000).w));
    assert_int_equal(tern_call_execute(prepared), 0);
}

static void a_set_full_of_prepared_calls_takes_no_more(void **state)
{
    const struct tern_calls_config config = {.log2_sets = 1, .fingerprint_bits = 1};
    struct bench *b = *state;
    struct tern_sge sge = {b->region[0], b->memory[0], 8};
    struct tern_wr wr = {.opcode = TERN_WR_PUT, .sges = &sge, .sge_count = 1};
    struct tern_prepared *prepared;

    create(b, &config);
    for (uint32_t i = 0; i < 32; i++) {
        wr.remote = there(i);
        assert_int_equal(tern_call_prepare(b->calls, &wr, NULL, 0, &prepared, NULL), 0);
        assert_int_equal(tern_call_execute(prepared), 0);
        assert_int_equal(TERN_GET(DESC, remote_addr, posted.desc[0].words),
                         TERN_GET(RPTR, addr, there(i).w));
    }
    assert_int_equal(counts(b).unstored, 24); /* two sets of four have a place */
    assert_int_equal(counts(b).evicted, 0);
}

/* ---- prepared calls */

static void holes_are_filled_and_nothing_else_changes(void **state)
{
    static const struct tern_hole holes[] = {
        {0, 1, TERN_HOLE_LOCAL}, {0, 0, TERN_HOLE_REMOTE}, {0, 0, TERN_HOLE_KEY},
        {1, 0, TERN_HOLE_LENGTH}, {1, 0, TERN_HOLE_IMM}, {2, 0, TERN_HOLE_ID}};
    struct bench *b = *state;
    struct tern_desc before[4];
    struct tern_prepared *prepared;
    struct example e;

    create(b, NULL);
    fill(b, &e);
    assert_int_equal(tern_call_prepare(b->calls, e.wr, holes, 6, &prepared, NULL), 0);
    assert_int_equal(tern_call_execute(prepared), 0);
    expect_example(b);
    memcpy(before, posted.desc, sizeof(before));

    assert_int_equal(tern_call_set(prepared, 0, (uintptr_t)b->memory[1] + 24), 0);
    TERN_SET(DESC, local_addr, before[1].words, (uintptr_t)b->memory[1] + 24);
    assert_int_equal(tern_call_set(prepared, 1, 0x4000), 0);
    TERN_SET(DESC, remote_addr, before[0].words, 0x4000);
    TERN_SET(DESC, remote_addr, before[1].words, 0x4000 + 100);
    assert_int_equal(tern_call_set(prepared, 2, 0x777), 0);
    TERN_SET(DESC, remote_key, before[0].words, 0x777);
    TERN_SET(DESC, remote_key, before[1].words, 0x777);
    assert_int_equal(tern_call_set(prepared, 3, 16), 0);
    TERN_SET(DESC, length, before[2].words, 16);
    assert_int_equal(tern_call_set(prepared, 4, 0xabcd), 0);
    TERN_SET(DESC, imm, before[2].words, 0xabcd);
    assert_int_equal(tern_call_set(prepared, 5, 42), 0);
    assert_int_equal(tern_call_execute(prepared), 0);
    assert_memory_equal(posted.desc, before, sizeof(before));
    assert_int_equal(posted.context[3], 42);
    assert_int_equal(posted.context[0], 1);
    assert_int_equal(counts(b).executed, 2);

    assert_int_equal(tern_call(b->calls, e.wr, NULL), 0); /* the stored call is as it was */
    expect_example(b);
}

static void a_read_has_its_holes_inside_too(void **state)
{
    static const struct tern_hole holes[] = {{0, 0, TERN_HOLE_LOCAL}, {0, 0, TERN_HOLE_LENGTH}};
    struct bench *b = *state;
    struct tern_sge sge = {b->region[0], b->memory[0], 64};
    struct tern_wr wr = {.opcode = TERN_WR_READ, .sges = &sge, .sge_count = 1,
                         .remote = there(3)};
    struct tern_prepared *prepared;
    struct tern_desc want;

    create(b, NULL);
    assert_int_equal(tern_call_prepare(b->calls, &wr, holes, 2, &prepared, NULL), 0);
    assert_int_equal(tern_call_set(prepared, 0, (uintptr_t)b->memory[0] + 128), 0);
    assert_int_equal(tern_call_set(prepared, 1, 32), 0);
    assert_int_equal(tern_call_execute(prepared), 0);
    assert_int_equal(tern_desc_read(&want, there(3), b->region[0], b->memory[0] + 128, 32, 0), 0);
    assert_memory_equal(posted.desc, &want, sizeof(want));
}

static void a_hole_that_was_not_declared_or_cannot_be_is_refused(void **state)
{
    static const struct tern_hole bad[] = {
        {3, 0, TERN_HOLE_ID}, {0, 2, TERN_HOLE_LOCAL}, {0, 1, TERN_HOLE_REMOTE},
        {0, 0, TERN_HOLE_LENGTH}, {0, 0, TERN_HOLE_IMM}, {1, 0, TERN_HOLE_REMOTE},
        {1, 0, TERN_HOLE_KEY}, {2, 0, TERN_HOLE_LOCAL}, {2, 0, TERN_HOLE_LENGTH},
        {0, 0, (enum tern_hole_kind)99}};
    static const struct tern_hole length = {1, 0, TERN_HOLE_LENGTH};
    struct bench *b = *state;
    struct tern_prepared *prepared;
    const struct tern_wr *culprit;
    struct example e;

    create(b, NULL);
    fill(b, &e);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        culprit = e.wr;
        assert_int_equal(tern_call_prepare(b->calls, e.wr, &bad[i], 1, &prepared, &culprit),
                         -TERN_ST_BAD_ARGUMENT);
        assert_null(culprit);
    }
    assert_int_equal(tern_call_prepare(b->calls, e.wr, &length, 1, &prepared, NULL), 0);
    assert_int_equal(tern_call_set(prepared, 1, 5), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_call_set(prepared, 0, 0), -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_call_set(prepared, 0, UINT64_C(1) << 32), -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_call_execute(prepared), 0);
    expect_example(b);
    e.wr[1].opcode = 77;
    assert_int_equal(tern_call_prepare(b->calls, e.wr, NULL, 0, &prepared, &culprit),
                     -TERN_ST_BAD_OPCODE);
    assert_ptr_equal(culprit, &e.wr[1]);
}

static void a_call_that_finds_no_room_is_tried_again(void **state)
{
    struct bench *b = *state;
    struct tern_prepared *prepared;
    struct example e;

    create(b, NULL);
    fill(b, &e);
    posted.status = -TERN_ST_AGAIN;
    assert_int_equal(tern_call(b->calls, e.wr, NULL), -TERN_ST_AGAIN);
    assert_int_equal(tern_call_prepare(b->calls, e.wr, NULL, 0, &prepared, NULL), 0);
    assert_int_equal(tern_call_execute(prepared), -TERN_ST_AGAIN);
    assert_int_equal(counts(b).executed, 0);
    posted.status = 0;
    assert_int_equal(tern_call(b->calls, e.wr, NULL), 0);
    expect_example(b);
    assert_int_equal(counts(b).hits, 2);
}

/* ---- completions */

struct made {
    struct tern_completion kind;
    unsigned made, freed;
};

static void *make_object(void *arg, const struct tern_completion *kind)
{
    struct made *made = arg;
    struct tern_completion *object = malloc(sizeof(*object));

    made->made++;
    made->kind = *kind;
    *object = *kind;
    return object;
}

static void free_object(void *arg, void *object)
{
    ((struct made *)arg)->freed++;
    free(object);
}

static void completions_of_one_kind_have_one_object(void **state)
{
    struct made made = {0};
    const struct tern_calls_config config = {.log2_sets = 1, .make_object = make_object,
                                             .free_object = free_object, .arg = &made};
    struct tern_completion a = {.status = TERN_ST_OK, .opcode = TERN_OP_PUT, .queue = 130,
                                .node = 2, .length = 64, .context = 5, .index = 9, .value = 3};
    struct tern_completion like = a, other = a;
    struct bench *b = *state;
    struct tern_completion *object, *second;

    create(b, &config);
    object = tern_calls_object(b->calls, &a);
    assert_int_equal(object->opcode, TERN_OP_PUT);
    assert_int_equal(object->node, 2);
    assert_int_equal(made.kind.context + made.kind.length + made.kind.value + made.kind.index, 0);
    like.length = 8;
    like.context = 6;
    like.index = 77;
    assert_ptr_equal(tern_calls_object(b->calls, &like), object);
    other.status = TERN_ST_BAD_KEY;
    second = tern_calls_object(b->calls, &other);
    assert_ptr_not_equal(second, object);
    assert_int_equal(second->status, TERN_ST_BAD_KEY);
    assert_int_equal(counts(b).object_hits, 1);
    assert_int_equal(counts(b).object_misses, 2);
    for (unsigned i = 0; i < 100; i++) {
        other.queue = (uint16_t)i;
        second = tern_calls_object(b->calls, &other);
        assert_int_equal(second->queue, i);
    }
    assert_int_equal(made.made, 102);
    assert_int_equal(made.freed, 102 - 8);
    tern_calls_destroy(b->calls);
    b->calls = NULL;
    assert_int_equal(made.freed, made.made);
}

/* ---- many calls */

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(random_state >> 33) % below;
}

/* A call out of a few hundred thousand, of which some come often. */
static void draw_call(const struct bench *b, struct tern_wr wr[4], struct tern_sge sges[4][3])
{
    const uint64_t after = random_state, seed = draw(4) ? draw(40) : draw(100000);
    unsigned requests;

    random_state = seed * UINT64_C(0x9e3779b97f4a7c15);
    requests = 1 + draw(3);
    for (unsigned r = 0; r < requests; r++) {
        bool atomic = draw(6) == 0;

        wr[r] = (struct tern_wr){.next = r + 1 < requests ? &wr[r + 1] : NULL, .id = draw(1000),
                                 .sges = sges[r], .sge_count = atomic ? 0 : 1 + draw(3),
                                 .opcode = (uint8_t)(atomic ? TERN_WR_ADD : 1 + draw(2)),
                                 .flags = (uint8_t)(draw(2) ? TERN_WR_SIGNAL : TERN_WR_FENCE),
                                 .remote = there(draw(4)), .swap = draw(2)};
        for (unsigned s = 0; s < wr[r].sge_count; s++) {
            unsigned region = draw(REGIONS);

            sges[r][s] = (struct tern_sge){b->region[region],
                                           (void *)(b->memory[region] + 8 * draw(4)), 8 + draw(3)};
        }
    }
    random_state = after + UINT64_C(0x9e3779b97f4a7c15);
}

/* Builds the descriptors of the list as the cache should, with the library's builders alone. */
static unsigned build(const struct tern_wr *list, struct tern_desc *desc, uint64_t *context)
{
    unsigned count = 0;

    for (const struct tern_wr *wr = list; wr; wr = wr->next) {
        const struct tern_masked add = {.swap = wr->swap, .swap_mask = UINT64_MAX};
        unsigned signal = wr->flags & TERN_WR_SIGNAL ? TERN_DFLAG_SIGNAL : 0;
        unsigned fence = wr->flags & TERN_WR_FENCE ? TERN_DFLAG_FENCE : 0;
        uint64_t before = 0;

        if (wr->opcode == TERN_WR_ADD) {
            (void)tern_desc_masked(&desc[count], TERN_OP_ADD, wr->remote, &add, signal | fence);
            context[count++] = wr->id;
        }
        for (unsigned s = 0; s < wr->sge_count; s++) {
            const struct tern_sge *sge = &wr->sges[s];
            unsigned flags = (s == 0 ? fence : 0) |
                             (s + 1 == wr->sge_count ? signal | (s ? TERN_DFLAG_FENCE : 0) : 0);
            struct tern_rptr remote = tern_rptr_add(wr->remote, before);

            if (wr->opcode == TERN_WR_PUT)
                (void)tern_desc_put(&desc[count], remote, sge->region, sge->addr, sge->bytes,
                                    flags);
            else
                (void)tern_desc_read(&desc[count], remote, sge->region, sge->addr, sge->bytes,
                                     flags);
            context[count++] = wr->id;
            before += sge->bytes;
        }
    }
    return count;
}

static void no_call_is_confused_with_another(void **state)
{
    static struct tern_desc desc[TERN_CALL_OPS];
    static uint64_t context[TERN_CALL_OPS];
    const struct tern_calls_config config = {.fingerprint_bits = 4, .check_hits = true};
    const char *text = getenv("TERN_TEST_CALLS");
    unsigned long total = text ? strtoul(text, NULL, 10) : CALLS, wrong = 0;
    struct bench *b = *state;
    struct tern_calls_counts counted;

    create(b, &config);
    random_state = SEED;
    for (unsigned long i = 0; i < total; i++) {
        struct tern_wr wr[4];
        struct tern_sge sges[4][3];
        unsigned count;

        if (i % 50000 == 49999) { /* a region goes and comes again at the same place */
            unsigned region = draw(REGIONS);

            assert_int_equal(tern_release(b->region[region]), 0);
            register_one(b, region);
        }
        draw_call(b, wr, sges);
        count = build(wr, desc, context);
        assert_int_equal(tern_call(b->calls, wr, NULL), 0);
        wrong += count != posted.count || memcmp(posted.desc, desc, count * sizeof(*desc)) != 0 ||
                 memcmp(posted.context, context, count * sizeof(*context)) != 0;
    }
    counted = counts(b);
    printf("# evidence F13 calls=%lu wrong=%lu unlike=%lu hits=%lu collisions=%lu\n", total, wrong,
           (unsigned long)counted.unlike, (unsigned long)counted.hits,
           (unsigned long)counted.collisions);
    printf("# evidence F12 evicted=%lu\n", (unsigned long)counted.evicted);
    printf("# evidence F14 invalidated=%lu wrong=%lu\n", (unsigned long)counted.invalidated, wrong);
    assert_int_equal(wrong, 0);
    assert_int_equal(counted.unlike, 0);
    assert_true(counted.hits > total / 20);
    assert_true(counted.collisions > total / 20);
    assert_true(counted.evicted > 0);
    assert_true(counted.invalidated > 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CASE(a_call_is_built_once_and_then_found),
        CASE(a_call_that_differs_in_one_field_is_another),
        CASE(inline_bytes_are_those_of_the_moment),
        CASE(each_bad_request_has_its_error_and_nothing_is_posted),
        CASE(a_call_cache_checks_its_configuration),
        CASE(a_call_goes_with_its_region_and_others_stay),
        CASE(a_region_that_never_was_is_refused_without_a_look),
        CASE(all_calls_go_with_their_queue),
        CASE(the_table_has_a_bound_and_what_is_used_or_prepared_stays),
        CASE(a_set_full_of_prepared_calls_takes_no_more),
        CASE(holes_are_filled_and_nothing_else_changes),
        CASE(a_read_has_its_holes_inside_too),
        CASE(a_hole_that_was_not_declared_or_cannot_be_is_refused),
        CASE(a_call_that_finds_no_room_is_tried_again),
        CASE(completions_of_one_kind_have_one_object),
        CASE(no_call_is_confused_with_another),
    };

    return cmocka_run_group_tests_name("driver_calls", tests, NULL, NULL);
}
