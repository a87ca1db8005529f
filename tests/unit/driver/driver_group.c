/* SPDX-License-Identifier: Apache-2.0 */
/* Boxes, and groups against a fake NIC. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <tern/counter.h>

#include "box.h"
#include "fake_nic.h"
#include "internal.h"

enum { WAIT_MS = 60000, BYTES = 100 };

static uint16_t node(unsigned x, unsigned y, unsigned z)
{
    return tern_node(x, y, z);
}

static uint16_t torus(unsigned x, unsigned y, unsigned z)
{
    return tern_node(x - 1, y - 1, z - 1);
}

static uint16_t mesh(unsigned x, unsigned y, unsigned z)
{
    return (uint16_t)(torus(x, y, z) | DIMS_MESH);
}

/* ---- boxes */

static void whole_rings_are_turned_so_that_both_ways_carry_equally(void **state)
{
    /* ring of `side`, seen from `x`: from `low` up to `high` */
    static const struct {
        unsigned side, x, low, high;
    } table[] = {
        {1, 0, 0, 0}, {2, 0, 0, 1}, {2, 1, 1, 0}, {3, 0, 2, 1},     {3, 2, 1, 0},   {4, 0, 3, 2},
        {4, 3, 2, 1}, {5, 2, 0, 4}, {8, 1, 6, 5}, {32, 31, 16, 15}, {32, 0, 17, 16},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        uint16_t dims = torus(table[i].side, 1, 1);
        struct tern_box fit;

        assert_int_equal(tern_box_fit(tern_box_all(dims), dims, node(table[i].x, 0, 0), &fit), 0);
        assert_int_equal(fit.low, node(table[i].low, 0, 0));
        assert_int_equal(fit.high, node(table[i].high, 0, 0));
        assert_int_equal(tern_box_nodes(fit, dims), table[i].side);
    }
}

static void a_whole_ring_may_be_named_from_anywhere(void **state)
{
    struct tern_box fit;

    (void)state;
    assert_int_equal(tern_box_fit((struct tern_box){node(3, 0, 0), node(2, 0, 0)}, torus(8, 1, 1),
                                  node(5, 0, 0), &fit), 0);
    assert_int_equal(fit.low, node(2, 0, 0));
    assert_int_equal(fit.high, node(1, 0, 0));
}

static void a_part_of_a_ring_stays_as_it_is_over_its_end_too(void **state)
{
    const struct tern_box box = {node(3, 1, 0), node(1, 2, 0)};
    uint16_t dims = torus(5, 4, 2);
    struct tern_box fit;

    (void)state;
    assert_int_equal(tern_box_fit(box, dims, node(4, 2, 0), &fit), 0);
    assert_int_equal(fit.low, box.low);
    assert_int_equal(fit.high, box.high);
    assert_int_equal(tern_box_nodes(fit, dims), 4 * 2);
    assert_true(tern_box_holds(fit, dims, node(0, 1, 0)));
    assert_false(tern_box_holds(fit, dims, node(2, 1, 0)));
    assert_false(tern_box_holds(fit, dims, node(0, 1, 1)));
}

static void boxes_that_cannot_be_are_refused(void **state)
{
    static const struct {
        bool mesh;
        unsigned low, high, x; /* in a line of 6 */
    } table[] = {
        {false, 0, 6, 0}, /* beyond the torus */
        {false, 6, 1, 0},
        {false, 1, 4, 0}, /* without the origin */
        {false, 4, 1, 3},
        {true, 4, 1, 0},  /* across the end of a mesh */
        {true, 4, 1, 2},
        {true, 2, 4, 1},
        {true, 0, 7, 1},
    };
    struct tern_box fit = {7, 7};

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        uint16_t dims = table[i].mesh ? mesh(6, 1, 1) : torus(6, 1, 1);
        struct tern_box box = {node(table[i].low, 0, 0), node(table[i].high, 0, 0)};

        assert_int_equal(tern_box_fit(box, dims, node(table[i].x, 0, 0), &fit), -TERN_ST_BAD_BOX);
    }
    assert_int_equal(tern_box_fit((struct tern_box){0x8000, 0x8000}, torus(6, 1, 1), 0, &fit),
                     -TERN_ST_BAD_BOX);
    assert_int_equal(fit.low, 7);
}

static void a_mesh_is_not_turned(void **state)
{
    struct tern_box fit;

    (void)state;
    assert_int_equal(tern_box_fit(tern_box_all(mesh(4, 3, 2)), mesh(4, 3, 2), node(3, 0, 1), &fit),
                     0);
    assert_int_equal(fit.low, 0);
    assert_int_equal(fit.high, node(3, 2, 1));
}

static void the_box_around_members_is_the_smallest(void **state)
{
    static const struct {
        bool mesh;
        unsigned count, x[4], origin, low, high; /* in a line of 8 */
    } table[] = {
        {false, 1, {3}, 2, 2, 3},
        {false, 1, {7}, 0, 7, 0},       /* shorter across the wrap */
        {true, 1, {7}, 0, 0, 7},
        {false, 3, {1, 6, 7}, 0, 6, 1},
        {false, 2, {2, 5}, 0, 0, 5},    /* gaps of 1, 2, 2: the first of the widest is left out */
        {false, 4, {1, 3, 5, 7}, 1, 1, 7},
        {false, 0, {0}, 4, 4, 4},       /* no member besides the origin */
        {false, 1, {4}, 4, 4, 4},       /* the origin may be named */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        uint16_t dims = table[i].mesh ? mesh(8, 1, 1) : torus(8, 1, 1), nodes[4];
        struct tern_box box = {0, 0};

        for (unsigned m = 0; m < table[i].count; m++)
            nodes[m] = node(table[i].x[m], 0, 0);
        assert_int_equal(tern_box_around(nodes, table[i].count, dims, node(table[i].origin, 0, 0),
                                         &box), 0);
        assert_int_equal(tern_box_nodes(box, dims),
                         tern_box_nodes((struct tern_box){node(table[i].low, 0, 0),
                                                          node(table[i].high, 0, 0)}, dims));
        for (unsigned m = 0; m < table[i].count; m++)
            assert_true(tern_box_holds(box, dims, nodes[m]));
        assert_true(tern_box_holds(box, dims, node(table[i].origin, 0, 0)));
    }
}

/* For every set of members of a ring of 7: no shorter arc holds all of them. */
static void no_smaller_box_holds_all_members(void **state)
{
    enum { SIDE = 7 };
    uint16_t dims = torus(SIDE, 1, 1);

    (void)state;
    for (unsigned set = 1; set < 1u << SIDE; set++) {
        unsigned best = SIDE, count = 0;
        uint16_t nodes[SIDE];
        struct tern_box box;

        for (unsigned x = 0; x < SIDE; x++)
            if (set >> x & 1)
                nodes[count++] = node(x, 0, 0);
        for (unsigned low = 0; low < SIDE; low++)
            for (unsigned length = 1; length < best; length++) {
                struct tern_box arc = {node(low, 0, 0), node((low + length - 1) % SIDE, 0, 0)};
                unsigned held = 0;

                for (unsigned m = 0; m < count; m++)
                    held += tern_box_holds(arc, dims, nodes[m]);
                if (held == count)
                    best = length;
            }
        assert_int_equal(tern_box_around(nodes, count, dims, nodes[0], &box), 0);
        assert_int_equal(tern_box_nodes(box, dims), best);
    }
}

static void bad_member_lists_are_refused(void **state)
{
    const uint16_t outside[] = {node(0, 0, 0), node(2, 0, 0)};
    const uint16_t beyond = 0x8000, twice[] = {node(1, 1, 1), node(0, 0, 0), node(1, 1, 1)};
    struct tern_box box;

    (void)state;
    assert_int_equal(tern_box_around(outside, 2, torus(2, 2, 2), 0, &box), -TERN_ST_BAD_NODE);
    assert_int_equal(tern_box_around(&beyond, 1, torus(2, 2, 2), 0, &box), -TERN_ST_BAD_NODE);
    assert_int_equal(tern_box_around(twice, 3, torus(2, 2, 2), 0, &box), -TERN_ST_DUP_MEMBER);
}

static void box_texts_are_read_as_they_are_written(void **state)
{
    const struct tern_box box = {node(31, 0, 7), node(31, 31, 31)};
    char text[TERN_BOX_TEXT];
    struct tern_box read;
    const char *end;

    (void)state;
    assert_string_equal(tern_box_format(box, text), "31.0.7-31.31.31");
    assert_int_equal(tern_box_parse(text, &read, NULL), 0);
    assert_memory_equal(&read, &box, sizeof(box));
    assert_int_equal(tern_box_parse("1.2.3,", &read, &end), 0);
    assert_int_equal(read.low, node(1, 2, 3));
    assert_int_equal(read.high, node(1, 2, 3));
    assert_int_equal(*end, ',');
    assert_int_equal(tern_box_parse("1.2.3-", &read, NULL), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_box_parse("1.2.3,", &read, NULL), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_box_parse("-1", &read, NULL), -TERN_ST_BAD_ARGUMENT);
}

/* ---- groups: the NIC is node 2.0.0 of a torus 4x2x1 */

struct bench {
    struct fake_nic nic;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    struct tern_group *group;
    uint8_t memory[BYTES];
};

static int set_up(void **state)
{
    struct bench *b = calloc(1, sizeof(*b));

    fake_nic_init(&b->nic);
    b->nic.dims = torus(4, 2, 1);
    fake_nic_start(&b->nic);
    assert_int_equal(tern_open_fd(b->nic.client_fd, NULL, NULL, &b->device), 0);
    assert_int_equal(tern_cq_create(b->device, 4, 0, &b->cq), 0);
    assert_int_equal(tern_sq_create(b->cq, 3, &b->sq), 0);
    assert_int_equal(tern_register(b->device, b->memory, BYTES, TERN_RIGHT_LOCAL_READ, &b->region),
                     0);
    *state = b;
    return 0;
}

static int tear_down(void **state)
{
    struct bench *b = *state;

    fake_nic_stop(&b->nic);
    tern_close(b->device);
    free(b);
    return 0;
}

static void make_group(struct bench *b)
{
    assert_int_equal(tern_group_create(b->cq, tern_box_all(b->nic.dims), tern_group_key(40, 7),
                                       BYTES, &b->group),
                     0);
}

static struct tern_completion next(struct bench *b)
{
    struct tern_completion completion;
    int got;

    do {
        assert_int_equal(tern_cq_wait(b->cq, WAIT_MS), 0);
        got = tern_cq_poll(b->cq, &completion, 1);
    } while (got == 0);
    assert_int_equal(got, 1);
    return completion;
}

static void members_are_the_nodes_of_the_box_but_this_one(void **state)
{
    struct bench *b = *state;
    struct tern_member members[8];

    make_group(b);
    assert_int_equal(tern_group_members(b->group, NULL, 0), 7);
    assert_int_equal(tern_group_members(b->group, members, 8), 7);
    for (int i = 0; i < 7; i++)
        assert_int_not_equal(members[i].node, node(2, 0, 0));
    assert_int_equal(tern_group_box(b->group).low, node(1, 0, 0));
    assert_int_equal(tern_group_box(b->group).high, node(0, 1, 0));
}

static void nothing_is_posted_before_the_group_is_open(void **state)
{
    struct bench *b = *state;

    make_group(b);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, BYTES, 0, 0, 0), -TERN_ST_NO_BASE);
    assert_int_equal(b->nic.last_bcast[0], 0);
}

static void opening_asks_every_member_at_its_last_byte(void **state)
{
    struct bench *b = *state;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    assert_int_equal(b->nic.offset_puts, 7);
    assert_int_equal(TERN_GET(DESC, remote_addr, b->nic.last_offset_put), BYTES - 1);
    assert_int_equal(TERN_GET(DESC, remote_key, b->nic.last_offset_put), tern_group_key(41, 7));
    assert_int_equal(TERN_GET(DESC, inline_len, b->nic.last_offset_put), 1);
}

static void what_is_wrong_with_a_member_is_told_and_nothing_is_sent(void **state)
{
    static const struct {
        uint8_t answer;
        enum tern_status want;
    } table[] = {
        {TERN_ST_TIMEOUT, TERN_ST_DEAD_MEMBER},    {TERN_ST_LINK_DOWN, TERN_ST_DEAD_MEMBER},
        {TERN_ST_BAD_KEY, TERN_ST_NO_BASE},        {TERN_ST_BAD_RANGE, TERN_ST_BAD_RANGE},
        {TERN_ST_BAD_RIGHTS, TERN_ST_BAD_RIGHTS},
    };
    struct bench *b = *state;
    struct tern_member members[7];

    make_group(b);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        uint16_t who = 0;

        b->nic.answer[node(1, 1, 0)] = table[i].answer;
        assert_int_equal(tern_group_open(b->group, &who), -(int)table[i].want);
        assert_int_equal(who, node(1, 1, 0));
        tern_group_members(b->group, members, 7);
        for (int m = 0; m < 7; m++)
            assert_int_equal(members[m].status,
                             members[m].node == who ? table[i].want : TERN_ST_OK);
        assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, BYTES, 0, 0, 0),
                         -(int)table[i].want);
    }
    assert_int_equal(b->nic.last_bcast[0], 0);
    b->nic.answer[node(1, 1, 0)] = 0;
    assert_int_equal(tern_group_open(b->group, NULL), 0); /* the member is back */
}

static void a_broadcast_is_one_descriptor_with_the_box(void **state)
{
    const uint16_t members[] = {node(3, 1, 0), node(0, 0, 0)};
    const uint32_t *desc;
    struct bench *b = *state;
    struct tern_completion done;

    desc = b->nic.last_bcast;
    assert_int_equal(tern_group_create_list(b->cq, members, 2, tern_group_key(40, 7), BYTES,
                                            &b->group), 0);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 10, 50, 20, TERN_DFLAG_SIGNAL, 99), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_OK);
    assert_int_equal(done.opcode, TERN_OP_BCAST);
    assert_int_equal(done.context, 99);
    assert_int_equal(TERN_GET(DESC, flags, desc), TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET);
    assert_int_equal(TERN_GET(BOX, low, desc), node(2, 0, 0));
    assert_int_equal(TERN_GET(BOX, high, desc), node(0, 1, 0));
    assert_int_equal(TERN_GET(BOX, members, desc), 2);
    assert_int_equal(TERN_GET(DESC, length, desc), 50);
    assert_int_equal(TERN_GET(DESC, remote_addr, desc), 20);
    assert_int_equal(TERN_GET(DESC, remote_key, desc), tern_group_key(40, 7));
    assert_true(TERN_GET(DESC, local_addr, desc) == (uintptr_t)b->memory + 10);
    assert_int_equal(TERN_GET(DESC, local_key, desc), tern_region_key(b->region));
    assert_int_equal(tern_bcast_inline(b->sq, b->group, "abc", 3, 97, TERN_DFLAG_SIGNAL, 1), 0);
    assert_int_equal(next(b).status, TERN_ST_OK);
    assert_memory_equal((const uint8_t *)desc + TERN_INLINE_OFFSET, "abc", 3);
    assert_int_equal(b->nic.inline_count, 2 + 2); /* the puts that ask, and both broadcasts */
}

static void what_does_not_fit_is_refused_at_once(void **state)
{
    struct bench *b = *state;
    struct tern_cq *other;
    struct tern_sq *foreign;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, BYTES, 1, 0, 0), -TERN_ST_BAD_RANGE);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 1, BYTES, 0, 0, 0), -TERN_ST_BAD_RANGE);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, UINT64_MAX, 2, 0, 0, 0),
                     -TERN_ST_BAD_RANGE);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 2, UINT64_MAX, 0, 0),
                     -TERN_ST_BAD_RANGE);
    assert_int_equal(tern_bcast(b->sq, b->group, NULL, 0, 1, 0, 0, 0), -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 1, 0, TERN_DFLAG_IMM, 0),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(tern_bcast_inline(b->sq, b->group, b->memory, 33, 0, 0, 0),
                     -TERN_ST_BAD_LENGTH);
    assert_int_equal(tern_cq_create(b->device, 3, 0, &other), 0);
    assert_int_equal(tern_sq_create(other, 3, &foreign), 0);
    assert_int_equal(tern_bcast(foreign, b->group, b->region, 0, 1, 0, 0, 0),
                     -TERN_ST_BAD_ARGUMENT);
    assert_int_equal(b->nic.last_bcast[0], 0);
    assert_int_equal(tern_group_create(b->cq, (struct tern_box){0, node(4, 0, 0)}, 40, BYTES,
                                       &b->group), -TERN_ST_BAD_BOX);
    assert_int_equal(tern_group_create(b->cq, tern_box_all(b->nic.dims), 40, 0, &b->group),
                     -TERN_ST_BAD_ARGUMENT);
}

/*
 * Three broadcasts fail because of one member: every completion names it, those of quiet ones, too.
 */
static void a_broadcast_that_fails_names_the_member(void **state)
{
    struct bench *b = *state;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    b->nic.fail_opcode = TERN_OP_BCAST;
    b->nic.fail_status = TERN_ST_TIMEOUT;
    b->nic.answer[node(3, 1, 0)] = TERN_ST_TIMEOUT;
    for (uint64_t i = 0; i < 3; i++)
        assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0,
                                    i == 1 ? 0 : TERN_DFLAG_SIGNAL, i), 0);
    for (uint64_t i = 0; i < 3; i++) {
        struct tern_completion done = next(b);

        assert_int_equal(done.status, TERN_ST_DEAD_MEMBER);
        assert_int_equal(done.node, node(3, 1, 0));
        assert_int_equal(done.context, i);
    }
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, 0, 0), -TERN_ST_DEAD_MEMBER);
    b->nic.fail_status = 0;
    b->nic.answer[node(3, 1, 0)] = 0;
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, TERN_DFLAG_SIGNAL, 0), 0);
    assert_int_equal(next(b).status, TERN_ST_OK);
}

static void a_failure_that_nobody_is_to_blame_for_stays_as_it_was(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    b->nic.fail_opcode = TERN_OP_BCAST;
    b->nic.fail_status = TERN_ST_TIMEOUT; /* all members answer */
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, 0, 5), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_TIMEOUT);
    assert_int_equal(done.context, 5);
    assert_int_equal(b->nic.offset_puts, 14);
    b->nic.fail_status = TERN_ST_BAD_LENGTH; /* refused at the origin: it asks no member */
    b->nic.fail_fault = 1;
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, 0, 6), 0);
    assert_int_equal(next(b).status, TERN_ST_BAD_LENGTH);
    assert_int_equal(b->nic.offset_puts, 14);
    b->nic.fail_status = TERN_ST_BAD_RANGE; /* refused by a member: it asks which */
    b->nic.fail_fault = 2;
    b->nic.answer[node(0, 1, 0)] = TERN_ST_BAD_RANGE;
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, 0, 7), 0);
    done = next(b);
    assert_int_equal(done.status, TERN_ST_BAD_RANGE);
    assert_int_equal(done.node, node(0, 1, 0));
}

static void a_group_keeps_its_completion_queue(void **state)
{
    struct bench *b = *state;

    make_group(b);
    assert_int_equal(tern_sq_destroy(b->sq), 0);
    assert_int_equal(tern_cq_destroy(b->cq), -TERN_ST_QUEUE_BUSY);
    assert_int_equal(tern_group_destroy(b->group), 0);
    assert_int_equal(tern_cq_destroy(b->cq), 0);
}

static void a_broadcast_outlives_its_group(void **state)
{
    struct bench *b = *state;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    b->nic.fail_opcode = TERN_OP_BCAST;
    b->nic.fail_status = TERN_ST_TIMEOUT;
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, 0, 5), 0);
    assert_int_equal(tern_group_destroy(b->group), 0);
    assert_int_equal(next(b).status, TERN_ST_TIMEOUT);
}

static void a_lost_nic_ends_what_was_held(void **state)
{
    struct bench *b = *state;
    struct tern_completion done;

    make_group(b);
    assert_int_equal(tern_group_open(b->group, NULL), 0);
    b->nic.fail_opcode = TERN_OP_BCAST;
    b->nic.fail_status = TERN_ST_TIMEOUT;
    assert_int_equal(tern_bcast(b->sq, b->group, b->region, 0, 8, 0, TERN_DFLAG_SIGNAL, 5), 0);
    assert_int_equal(tern_cq_wait(b->cq, WAIT_MS), 0);
    fake_nic_hang_up(&b->nic);
    done = next(b);
    assert_true(done.status == TERN_ST_DISCONNECTED || done.status == TERN_ST_TIMEOUT);
    assert_int_equal(done.context, 5);
    assert_int_equal(tern_cq_poll(b->cq, &done, 1), -TERN_ST_DISCONNECTED);
    assert_int_equal(tern_group_open(b->group, NULL), -TERN_ST_DISCONNECTED);
}

static void a_member_registers_its_memory_and_a_twin(void **state)
{
    struct bench *b = *state;
    struct tern_region *region;

    assert_int_equal(tern_register_with(b->device,
            &(struct tern_region_attr){.addr = b->memory, .bytes = BYTES,
                                       .rights = TERN_RIGHT_LOCAL_READ, .member = true,
                                       .key = tern_group_key(40, 7), .counted = true,
                                       .counter = 3},
            &region), 0);
    assert_int_equal(tern_region_key(region), tern_group_key(40, 7));
    assert_int_equal(TERN_GET(ADM, key, b->nic.last_region), tern_group_key(41, 7));
    assert_int_equal(TERN_GET(ADM, size, b->nic.last_region), BYTES);
    assert_int_equal(TERN_GET(ADM, rights, b->nic.last_region), TERN_RIGHT_REMOTE_WRITE);
    assert_int_equal(TERN_GET(ADM, counter, b->nic.last_region), TERN_COUNTER_NONE);
    assert_true(TERN_GET(ADM, addr, b->nic.last_region) != (uintptr_t)b->memory);
    assert_int_equal(tern_release(region), 0);
    assert_int_equal(tern_register_with(b->device,
            &(struct tern_region_attr){.addr = b->memory, .bytes = BYTES,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .keyed = true,
                                       .key = tern_group_key(9, 8), .counted = true,
                                       .counter = 3},
            &region), 0);
    assert_int_equal(TERN_GET(ADM, key, b->nic.last_region), tern_group_key(9, 8));
    assert_int_equal(TERN_GET(ADM, counter, b->nic.last_region), 3);
    assert_int_equal(tern_register_with(b->device,
            &(struct tern_region_attr){.addr = b->memory, .bytes = BYTES, .keyed = true,
                                       .key = 0, .counted = true, .counter = 3},
            &region),
                     -TERN_ST_BAD_KEY);
}

static void a_counter_tells_the_queue_that_asked(void **state)
{
    struct bench *b = *state;

    assert_int_equal(tern_counter_watch(b->cq, 5, 1234), 0);
    assert_int_equal(TERN_GET(ADM, id, b->nic.last_counter), 5);
    assert_int_equal(TERN_GET(ADM, length, b->nic.last_counter), 1234);
    assert_int_not_equal(TERN_GET(ADM, cq, b->nic.last_counter), 0);
    assert_int_equal(tern_counter_set(b->device, 5, 1), 0);
    assert_int_equal(TERN_GET(ADM, cq, b->nic.last_counter), 0);
}

#define GROUP_TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_rings_are_turned_so_that_both_ways_carry_equally),
        cmocka_unit_test(a_whole_ring_may_be_named_from_anywhere),
        cmocka_unit_test(a_part_of_a_ring_stays_as_it_is_over_its_end_too),
        cmocka_unit_test(boxes_that_cannot_be_are_refused),
        cmocka_unit_test(a_mesh_is_not_turned),
        cmocka_unit_test(the_box_around_members_is_the_smallest),
        cmocka_unit_test(no_smaller_box_holds_all_members),
        cmocka_unit_test(bad_member_lists_are_refused),
        cmocka_unit_test(box_texts_are_read_as_they_are_written),
        GROUP_TEST(members_are_the_nodes_of_the_box_but_this_one),
        GROUP_TEST(nothing_is_posted_before_the_group_is_open),
        GROUP_TEST(opening_asks_every_member_at_its_last_byte),
        GROUP_TEST(what_is_wrong_with_a_member_is_told_and_nothing_is_sent),
        GROUP_TEST(a_broadcast_is_one_descriptor_with_the_box),
        GROUP_TEST(what_does_not_fit_is_refused_at_once),
        GROUP_TEST(a_broadcast_that_fails_names_the_member),
        GROUP_TEST(a_failure_that_nobody_is_to_blame_for_stays_as_it_was),
        GROUP_TEST(a_group_keeps_its_completion_queue),
        GROUP_TEST(a_broadcast_outlives_its_group),
        GROUP_TEST(a_lost_nic_ends_what_was_held),
        GROUP_TEST(a_member_registers_its_memory_and_a_twin),
        GROUP_TEST(a_counter_tells_the_queue_that_asked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
