/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of the firmware that depend on their arguments alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "check.h"
#include "checkin.h"
#include "done.h"
#include "epoch.h"
#include "node.h"
#include "pieces.h"
#include "random.h"
#include "remote_get.h"
#include "retry.h"
#include "ring.h"
#include "rts.h"
#include "tern_abi.h"

static uint32_t at(uint32_t x, uint32_t y, uint32_t z)
{
    return x | y << 5 | z << 10;
}

static void route_goes_the_shorter_way_ties_positive(void **state)
{
    static const struct {
        uint32_t sides, here, dst;
        unsigned port;
    } rows[] = {
        {3, 0, 0, NODE_PORT_NONE},
        {3, 0, 1, 0},
        {3, 0, 3, 1},
        {3, 0, 2, 0}, /* half way round: two equal ways */
        {3, 3, 0, 0}, /* across the wrap */
        {3, 3, 2, 1},
        {1, 0, 1, 0},
        {1, 1, 0, 0}, /* a ring of two: always two equal ways */
        {4, 0, 2, 0},
        {4, 0, 3, 1},
        {4, 4, 1, 0},
        {31, 31, 15, 0},
        {31, 31, 14, 0},
        {31, 0, 17, 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
        assert_int_equal(node_port(rows[i].here, rows[i].dst, rows[i].sides),
                         rows[i].port);
    assert_int_equal(node_port(at(1, 1, 1), at(2, 0, 0), at(3, 3, 3)),
                     0); /* X before Y */
    assert_int_equal(node_port(at(2, 1, 1), at(2, 0, 0), at(3, 3, 3)), 3);
    assert_int_equal(node_port(at(2, 0, 1), at(2, 0, 0), at(3, 3, 3)), 5);
}

static void a_mesh_has_no_way_round(void **state)
{
    (void)state;
    assert_int_equal(node_port(0, 3, 3 | TERN_DIMS_MESH), 0);
    assert_int_equal(node_port(3, 0, 3 | TERN_DIMS_MESH), 1);
    assert_int_equal(node_port(at(1, 3, 0), at(1, 0, 0), at(3, 3, 0) | TERN_DIMS_MESH), 3);
    assert_int_equal(node_port(2, 2, 3 | TERN_DIMS_MESH), NODE_PORT_NONE);
}

static void ports_that_lead_nowhere_are_idle(void **state)
{
    (void)state;
    assert_int_equal(node_ports_idle(1, 3), 0x3c); /* a ring: Y and Z have no links */
    assert_int_equal(node_ports_idle(at(0, 2, 1), at(3, 3, 3)), 0);
    assert_int_equal(node_ports_idle(at(0, 3, 1), at(3, 3, 0) | TERN_DIMS_MESH),
                     2 | 4 | 0x30);
    assert_int_equal(node_ports_idle(0, 0), NODE_PORTS_ALL);
}

static bool box_holds(struct box box, uint32_t node, uint32_t dims)
{
    struct box_view view;

    return box_look(box, node, dims, &view) == BOX_HOLDS;
}

/* Counts the nodes of a box, as one of them sees it. */
static uint32_t nodes_of(struct box box, uint32_t node, uint32_t dims)
{
    struct box_view view = {0};

    assert_int_equal(box_look(box, node, dims, &view), BOX_HOLDS);
    assert_int_equal(view.ports, box_ports(box, node));
    return view.nodes;
}

static void a_box_goes_up_from_low_to_high_round_the_rings(void **state)
{
    static const struct {
        uint32_t low, high, dims;
        unsigned nodes;
        uint32_t in, out; /* a node inside, one outside */
    } rows[] = {
        {0, 3, 3, 4, 3, 0x7fff},
        {2, 0, 3, 3, 3, 1}, /* across the wrap */
        {1, 0, 3, 4, 0, 0x7fff}, /* the whole ring, starting elsewhere */
        {31, 0, 31, 2, 31, 1},
        {1, 1, 3, 1, 1, 2},
        {1, 2, 3 | TERN_DIMS_MESH, 2, 2, 3},
        {0, 0x7fff, 0x7fff, 32768, 0x7fff, 0xffff},
    };
    struct box_view view;

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct box box = {(uint16_t)rows[i].low, (uint16_t)rows[i].high};

        assert_int_equal(nodes_of(box, rows[i].in, rows[i].dims), rows[i].nodes);
        assert_true(box_holds(box, rows[i].in, rows[i].dims));
        if (node_inside(rows[i].out, rows[i].dims))
            assert_false(box_holds(box, rows[i].out, rows[i].dims));
    }
    assert_int_equal(box_look((struct box){4, 0}, 0, 3, &view), BOX_BEYOND);
    assert_int_equal(box_look((struct box){0, 0x8000}, 0, 3, &view), BOX_BEYOND);
    assert_int_equal(box_look((struct box){2, 3}, 1, 3, &view), BOX_ELSEWHERE);
    /* A mesh has no wrap-around. */
    assert_false(box_holds((struct box){2, 0}, 3, 3 | TERN_DIMS_MESH));
    assert_true(box_holds((struct box){2, 0}, 3, 3));
}

/* Compares with a count, for every box and node of a small torus. */
static void a_box_holds_as_many_nodes_as_it_says(void **state)
{
    uint32_t dims = at(2, 1, 2);

    (void)state;
    for (uint32_t low = 0; low < 0x1000; low++)
        for (uint32_t high = 0; high < 0x1000; high++) {
            struct box box = {(uint16_t)low, (uint16_t)high};
            unsigned held = 0;

            if (!node_inside(low, dims) || !node_inside(high, dims))
                continue;
            for (uint32_t node = 0; node < 0x1000; node++)
                held += node_inside(node, dims) && box_holds(box, node, dims);
            assert_int_equal(held, nodes_of(box, low, dims));
            assert_true(box_holds(box, low, dims) && box_holds(box, high, dims));
        }
}

static void a_broadcast_leaves_by_every_side_it_has_more_of(void **state)
{
    (void)state;
    assert_int_equal(box_ports((struct box){1, 1}, 1), 0);
    assert_int_equal(box_ports((struct box){1, 3}, 1), 1);
    assert_int_equal(box_ports((struct box){0, 1}, 1), 2);
    assert_int_equal(box_ports((struct box){0, 3}, 1), 3);
    assert_int_equal(box_ports((struct box){(uint16_t)at(0, 1, 2), (uint16_t)at(0, 2, 3)},
                               at(0, 1, 3)),
                     4 | 0x20);
}

/* Returns the ports by which a node forwards copies, for any origin. */
static uint32_t children_of(struct box box, uint32_t origin, uint32_t node, uint32_t dims)
{
    struct box_tree tree;

    if (node == origin)
        return box_ports(box, node);
    box_tree(box, origin, node, dims, &tree);
    return tree.children;
}

/*
 * Checks that every node except the origin gets a copy from a parent, and that its depth equals its
 * distance.
 */
static void tree_is_whole(struct box box, uint32_t origin, uint32_t dims, const uint32_t *nodes,
                          unsigned count)
{
    unsigned leaving = 0, ranks = 0;

    for (unsigned i = 0; i < count; i++) {
        uint32_t at = nodes[i], children = children_of(box, origin, at, dims);
        struct box_tree tree;
        unsigned links = 0;

        ranks |= 1u << box_rank(box, at, dims);
        for (uint32_t set = children; set != 0; set &= set - 1)
            leaving++;
        if (at == origin)
            continue;
        box_tree(box, origin, at, dims, &tree);
        assert_int_equal(node_behind(tree.parent, tree.port, dims), at);
        assert_true(children_of(box, origin, tree.parent, dims) >> tree.port & 1);
        for (uint32_t on = at; on != origin; links++) {
            struct box_tree step;

            box_tree(box, origin, on, dims, &step);
            on = step.parent;
        }
        assert_int_equal(links, tree.depth);
    }
    assert_int_equal(leaving, count - 1);
    assert_int_equal(ranks, (1u << count) - 1);
}

static void the_way_of_a_broadcast_is_a_tree(void **state)
{
    static const struct {
        struct box box;
        uint32_t dims;
    } rows[] = {
        {{0, 3 | 2 << 5 | 1 << 10}, 3 | 2 << 5 | 1 << 10},                   /* a torus 4x3x2 */
        {{2 | 1 << 5, 1 | 0 << 5 | 1 << 10}, 3 | 2 << 5 | 1 << 10},          /* the same, starting
                                                                              * elsewhere */
        {{3 | 2 << 5, 0 | 0 << 5 | 1 << 10}, 3 | 2 << 5 | 1 << 10},          /* wraps in both
                                                                              * dimensions */
        {{1, 3 | 1 << 5}, 3 | 2 << 5 | TERN_DIMS_MESH},                      /* a mesh */
        {{0, 15}, 15},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        uint32_t nodes[32];
        unsigned count = 0;

        for (uint32_t node = 0; node < 0x8000; node++)
            if (node_inside(node, rows[i].dims) && box_holds(rows[i].box, node, rows[i].dims))
                nodes[count++] = node;
        for (unsigned origin = 0; origin < count; origin++)
            tree_is_whole(rows[i].box, nodes[origin], rows[i].dims, nodes, count);
    }
}

static void node_is_inside_by_every_coordinate(void **state)
{
    (void)state;
    assert_true(node_inside(at(3, 0, 0), at(3, 0, 0)));
    assert_false(node_inside(at(4, 0, 0), at(3, 0, 0)));
    assert_false(node_inside(at(0, 1, 0), at(3, 0, 0)));
    assert_false(node_inside(at(0, 0, 1), at(3, 0, 0)));
    assert_false(node_inside(0x8000, at(31, 31, 31)));
}

static void ring_arithmetic_holds_across_its_wraps(void **state)
{
    (void)state;
    assert_int_equal(ring_used(5, 5, 3), 0);
    assert_int_equal(ring_used(0x1000002, 0xfffffe, 3),
                     4);                     /* the index has 24 bits of the 32-bit count */
    assert_int_equal(ring_used(4, 5, 3), 8); /* the consumer is ahead: no entry is free */
    assert_int_equal(ring_offset(9, 3, 64), 64);
    assert_int_equal(ring_phase(0, 2), 1);
    assert_int_equal(ring_phase(3, 2), 1);
    assert_int_equal(ring_phase(4, 2), 0);
    assert_int_equal(ring_phase(8, 2), 1);
    assert_int_equal(ring_index_before(0x10003, 0xfffe), 0xfffe);
    assert_int_equal(ring_index_before(0x20007, 0x0007), 0x20007);
}

static void epochs_are_compared_across_their_wrap(void **state)
{
    (void)state;
    assert_int_equal(epoch_ahead(5, 5), 0);
    assert_int_equal(epoch_ahead(0, 0xffff), 1);
    assert_int_equal(epoch_ahead(0xffff, 0), -1);
    assert_int_equal(epoch_ahead(0x8000, 1), 0x7fff);
    assert_int_equal(epoch_status(7, 7), TERN_ST_OK);
    assert_int_equal(epoch_status(1, 0xffff), TERN_ST_RNR);
    assert_int_equal(epoch_status(0xffff, 1), TERN_ST_STALE_EPOCH);
}

static void pieces_of_a_ring_of_bytes_are_contiguous_and_apart(void **state)
{
    const uint32_t align = TERN_ARENA_ALIGN, size = 8 * align;
    struct piece piece;

    (void)state;
    assert_int_equal(piece_rounded(1), align);
    assert_int_equal(piece_rounded(align), align);
    assert_true(piece_find(&piece, size, 0, 0, size));
    assert_int_equal(piece.start, 0);
    assert_int_equal(piece.taken, size);
    assert_int_equal(piece_end(size, 0, size), 0);
    /* Two units are free at the end, three at the start. */
    assert_true(piece_find(&piece, size, 3 * align, 6 * align, 2 * align));
    assert_int_equal(piece.start, 6 * align);
    assert_int_equal(piece.taken, 2 * align);
    assert_true(piece_find(&piece, size, 3 * align, 6 * align, 3 * align));
    assert_int_equal(piece.start, 0);
    assert_int_equal(piece.taken, 5 * align);
    assert_false(piece_find(&piece, size, 3 * align, 6 * align, 4 * align));
    assert_false(piece_find(&piece, size, 7 * align, 7 * align, 2 * align));
}

static void bytes_that_were_read_are_counted_round_the_end(void **state)
{
    (void)state;
    assert_int_equal(piece_before(512, 64, 128), 64);
    assert_int_equal(piece_before(512, 448, 64), 128);
    assert_int_equal(piece_before(512, 0, 512), 512);
    assert_int_equal(piece_before(512, 64, 64), 512);
}

static void a_check_in_is_decoded_as_it_was_encoded(void **state)
{
    struct checkin c;

    (void)state;
    checkin_decode(&c, checkin_named(0xabcd, 0x2a5, TERN_ST_TIMEOUT), 0x77771234, 0xdeadbeef);
    assert_int_equal(c.area, 0xabcd);
    assert_int_equal(c.place, 0x2a5);
    assert_int_equal(c.refusal, TERN_ST_TIMEOUT);
    assert_int_equal(c.epoch, 0x1234);
    assert_int_equal(c.pass, 0xdeadbeef);
}

/* Builds a request to send from one corner of a line of four to all of them. */
static struct rts request(bool combined)
{
    uint32_t w[TERN_DESC_BYTES / 4] = {0};
    struct rts r;

    TERN_SET(DESC, remote_key, w, 0xaaaa0001);
    TERN_SET(RTS, area, w, 3);
    TERN_SET(RTS, epoch, w, 0xfffe);
    TERN_SET(RTS, tag, w, 0xbbbb);
    TERN_SET(RTS, pass, w, 0xcafe0000);
    TERN_SET(RTS, length, w, 4096);
    TERN_SET(RTS, lease, w, 0x10000);
    TERN_SET(RTS, reference, w, 0x20000);
    TERN_SET(RTS, box_low, w, 0);
    TERN_SET(RTS, box_high, w, 3);
    TERN_SET(RTS, answers, w, 77);
    TERN_SET(RTS, combined, w, combined);
    TERN_SET(RTS, limit, w, 0x30000);
    rts_decode(&r, 0, w);
    return r;
}

static void a_request_to_send_is_decoded_field_by_field(void **state)
{
    struct rts r = request(true);

    (void)state;
    assert_int_equal(r.key, 0xaaaa0001);
    assert_int_equal(r.area, 3);
    assert_int_equal(r.epoch, 0xfffe);
    assert_int_equal(r.tag, 0xbbbb);
    assert_int_equal(r.pass, 0xcafe0000);
    assert_int_equal(r.length, 4096);
    assert_int_equal(r.lease, 0x10000);
    assert_int_equal(r.reference, 0x20000);
    assert_int_equal(r.box.low, 0);
    assert_int_equal(r.box.high, 3);
    assert_int_equal(r.answers, 77);
    assert_int_equal(r.limit, 0x30000);
    assert_int_equal(r.room, 0);
    assert_true(r.combined);
    assert_false(r.by_message || r.delivered);
}

static void a_request_to_a_box_without_this_node_is_not_sane(void **state)
{
    struct rts alone = request(false), combined = request(true);

    (void)state;
    assert_true(rts_is_sane(&alone, 2, 7, 4));
    assert_false(rts_is_sane(&alone, 4, 7, 32));  /* this node is outside the box */
    assert_false(rts_is_sane(&alone, 2, 7, 3));   /* more nodes than slots */
    assert_false(rts_is_sane(&alone, 2, 2, 4));   /* a corner is outside the torus */
    assert_true(rts_is_sane(&combined, 2, 7, 3)); /* combined, there are only as many slots as
                                                   * ports */
    assert_false(rts_is_sane(&combined, 0, 7, 4)); /* the request comes from this node itself */
    combined.origin = 5;
    assert_false(rts_is_sane(&combined, 2, 7, 4)); /* the origin is not in its box */
    combined.origin = 9;
    assert_false(rts_is_sane(&combined, 2, 7, 4)); /* the origin is outside the torus */
}

static void a_remote_get_becomes_the_descriptor_of_a_put_or_broadcast(void **state)
{
    uint32_t w[TERN_DESC_BYTES / 4] = {0}, d[TERN_DESC_BYTES / 4] = {0};

    (void)state;
    TERN_SET(DESC, remote_key, w, 0x11110002);
    TERN_SET(GET, area, w, 5);
    TERN_SET(GET, epoch, w, 9);
    TERN_SET(GET, opcode, w, TERN_OP_PUT);
    TERN_SET(GET, flags, w, 0xff);
    TERN_SET(GET, node, w, 0x123);
    TERN_SET(GET, length, w, 300);
    TERN_SET(GET, remote_addr, w, UINT64_C(0x123456789a));
    TERN_SET(GET, local_addr, w, UINT64_C(0xfedcba98));
    TERN_SET(GET, local_key, w, 0x22220003);
    TERN_SET(GET, pass, w, 0x5eed);
    remote_get_describe(0x42, 0x1ffff, w, d);
    assert_int_equal(TERN_GET(DESC, opcode, d), TERN_OP_PULL);
    assert_int_equal(TERN_GET(DESC, flags, d), TERN_GET_FLAGS);
    assert_int_equal(TERN_GET(DESC, index, d), 0xffff);
    assert_int_equal(TERN_GET(DESC, dst_node, d), 0x123);
    assert_int_equal(TERN_GET(DESC, length, d), 300);
    assert_true(TERN_GET(DESC, remote_addr, d) == UINT64_C(0x123456789a));
    assert_int_equal(TERN_GET(DESC, remote_key, d), 0x11110002);
    assert_true(TERN_GET(DESC, local_addr, d) == UINT64_C(0xfedcba98));
    assert_int_equal(TERN_GET(DESC, local_key, d), 0x22220003);
    assert_int_equal(TERN_GET(PULL, area, d), 5);
    assert_int_equal(TERN_GET(PULL, epoch, d), 9);
    assert_int_equal(TERN_GET(PULL, node, d), 0x42);
    assert_int_equal(TERN_GET(PULL, pass, d), 0x5eed);

    for (unsigned i = 0; i < TERN_DESC_BYTES / 4; i++)
        d[i] = 0;
    TERN_SET(GET, area, w, TERN_AREA_NONE);
    remote_get_describe(0x42, 0, w, d);
    assert_int_equal(TERN_GET(DESC, opcode, d), TERN_OP_PUT); /* without a notification */

    for (unsigned i = 0; i < TERN_DESC_BYTES / 4; i++)
        d[i] = 0;
    TERN_SET(GET, opcode, w, TERN_OP_BCAST);
    TERN_SET(GBOX, low, w, 0x21);
    TERN_SET(GBOX, members, w, 6);
    remote_get_describe(0x42, 0, w, d);
    assert_int_equal(TERN_GET(DESC, opcode, d), TERN_OP_BCAST);
    assert_int_equal(TERN_GET(BOX, low, d), 0x21);
    assert_int_equal(TERN_GET(BOX, high, d), 0x123);
    assert_int_equal(TERN_GET(BOX, members, d), 6);
}

static void a_remote_get_of_another_opcode_or_length_is_refused(void **state)
{
    uint32_t w[TERN_DESC_BYTES / 4] = {0};

    (void)state;
    TERN_SET(GET, opcode, w, TERN_OP_SEND);
    assert_int_equal(remote_get_opcode_status(w), TERN_ST_BAD_OPCODE);
    TERN_SET(GET, opcode, w, TERN_OP_PUT);
    assert_int_equal(remote_get_opcode_status(w), TERN_ST_OK);
    assert_int_equal(remote_get_length_status(w), TERN_ST_BAD_LENGTH);
    TERN_SET(GET, length, w, TERN_PUT_BYTES_MAX);
    assert_int_equal(remote_get_length_status(w), TERN_ST_OK);
    TERN_SET(GET, length, w, TERN_PUT_BYTES_MAX + 1);
    assert_int_equal(remote_get_length_status(w), TERN_ST_BAD_LENGTH);
}

static void completion_words_follow_the_contract(void **state)
{
    struct done done = {.status = TERN_ST_LINK_DOWN,
                        .opcode = 1,
                        .queue = 300,
                        .index = 0xffff,
                        .node = 2,
                        .link = 1,
                        .fault = FAULT_NETWORK,
                        .value = UINT64_C(1) << 40};
    uint32_t w[CQE_WORDS];

    (void)state;
    done_encode(w, &done, 6, 2);
    assert_int_equal(TERN_GET(CQE, status, w), TERN_ST_LINK_DOWN);
    assert_int_equal(TERN_GET(CQE, queue, w), 300);
    assert_int_equal(TERN_GET(CQE, index, w), 0xffff);
    assert_int_equal(TERN_GET(CQE, link, w), 1);
    assert_int_equal(TERN_GET(CQE, lap, w), 6);
    assert_int_equal(TERN_GET(CQE, phase, w), 0);
    assert_true(TERN_GET(CQE, value, w) == UINT64_C(1) << 40);
}

static void fault_names_the_side_that_refused(void **state)
{
    (void)state;
    assert_int_equal(done_fault_side(TERN_ST_OK, true), FAULT_NONE);
    assert_int_equal(done_fault_side(TERN_ST_BAD_KEY, false), FAULT_ORIGIN);
    assert_int_equal(done_fault_side(TERN_ST_BAD_KEY, true), FAULT_TARGET);
    assert_int_equal(done_fault_side(TERN_ST_TIMEOUT, true), FAULT_NETWORK);
    assert_int_equal(done_fault_side(TERN_ST_BAD_LENGTH, false), FAULT_ORIGIN);
}

static void queue_shapes_each_have_their_status(void **state)
{
    (void)state;
    assert_int_equal(check_queue_shape(TERN_QTYPE_SQ, 15, 0, 64), TERN_ST_OK);
    assert_int_equal(check_queue_shape(TERN_QTYPE_SQ, 16, 0, 64), TERN_ST_BAD_SIZE);
    assert_int_equal(check_queue_shape(TERN_QTYPE_CQ, 18, 0, 64), TERN_ST_OK);
    assert_int_equal(check_queue_shape(TERN_QTYPE_CQ, 19, 0, 64), TERN_ST_BAD_SIZE);
    assert_int_equal(check_queue_shape(TERN_QTYPE_RQ, 4, 4, 64), TERN_ST_BAD_SIZE);
    assert_int_equal(check_queue_shape(TERN_QTYPE_RQ, 4, 13, 64), TERN_ST_BAD_SIZE);
    assert_int_equal(check_queue_shape(TERN_QTYPE_NONE, 4, 5, 64), TERN_ST_BAD_TYPE);
    assert_int_equal(check_queue_shape(4, 4, 5, 64), TERN_ST_BAD_TYPE);
    assert_int_equal(check_queue_shape(TERN_QTYPE_SQ, 4, 0, 32), TERN_ST_BAD_ALIGN);
    assert_int_equal(check_ring_bytes(TERN_QTYPE_RQ, 15, 12), 1u << 27);
}

static void region_use_is_exact_at_its_edges(void **state)
{
    uint32_t rgn[RGN_WORDS] = {0};

    (void)state;
    TERN_SET(RGN, iova, rgn, 0x1000);
    TERN_SET(RGN, length, rgn, 0x100);
    TERN_SET(RGN, rights, rgn, TERN_RIGHT_LOCAL_READ);
    TERN_SET(RGN, tag, rgn, 0xabcd);
    TERN_SET(RGN, fn, rgn, 3);
    assert_int_equal(check_region_owner(rgn, 0xabcd0001, 3),
                     TERN_ST_BAD_KEY); /* the region is not valid yet */
    TERN_SET(RGN, valid, rgn, 1);
    assert_int_equal(check_region_owner(rgn, 0xabcd0001, 3), TERN_ST_OK);
    assert_int_equal(check_region_owner(rgn, 0xabce0001, 3), TERN_ST_BAD_KEY);
    assert_int_equal(check_region_owner(rgn, 0xabcd0001, 2), TERN_ST_NOT_OWNER);
    assert_int_equal(check_region_use(rgn, 0x1000, 0x100, TERN_RIGHT_LOCAL_READ),
                     TERN_ST_OK);
    assert_int_equal(check_region_use(rgn, 0x1000, 0x101, 1), TERN_ST_BAD_RANGE);
    assert_int_equal(check_region_use(rgn, 0xfff, 1, 1), TERN_ST_BAD_RANGE);
    assert_int_equal(check_region_use(rgn, 0x1100, 0, 1), TERN_ST_OK);
    assert_int_equal(check_region_use(rgn, 0x1001, UINT64_MAX, 1), TERN_ST_BAD_RANGE);
    assert_int_equal(check_region_use(rgn, 0x1000, 1, TERN_RIGHT_LOCAL_WRITE),
                     TERN_ST_BAD_RIGHTS);
    assert_int_equal(check_region_shape(UINT64_MAX, 1, 1),
                     TERN_ST_OK); /* the very last byte */
    assert_int_equal(check_region_shape(UINT64_MAX, 2, 1), TERN_ST_BAD_RANGE);
    assert_int_equal(check_region_shape(0, 0, 1), TERN_ST_BAD_SIZE);
    assert_int_equal(check_region_shape(0, UINT64_C(1) << 48, 1), TERN_ST_BAD_SIZE);
    assert_int_equal(check_region_shape(0, 1, 0x20), TERN_ST_BAD_RIGHTS);
}

static void retries_double_and_stay_bounded(void **state)
{
    unsigned sum = 0;

    (void)state;
    for (unsigned i = 1; i <= RETRY_MAX; i++)
        sum += retry_wait(i);
    assert_int_equal(retry_wait(1), 1);
    assert_int_equal(retry_wait(2), 2);
    assert_int_equal(retry_wait(RETRY_MAX), 32);
    assert_int_equal(sum, 127);
}

static void random_state_never_sticks(void **state)
{
    uint32_t a = 1, b = 1;

    (void)state;
    random_stir(&a, 1); /* the seed that would make the state zero */
    assert_int_not_equal(a, 0);
    random_stir(&b, 2);
    assert_int_not_equal(random_next(&a), random_next(&b));
    assert_int_not_equal(random_next(&a), random_next(&a));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(route_goes_the_shorter_way_ties_positive),
        cmocka_unit_test(a_mesh_has_no_way_round),
        cmocka_unit_test(ports_that_lead_nowhere_are_idle),
        cmocka_unit_test(a_box_goes_up_from_low_to_high_round_the_rings),
        cmocka_unit_test(a_box_holds_as_many_nodes_as_it_says),
        cmocka_unit_test(a_broadcast_leaves_by_every_side_it_has_more_of),
        cmocka_unit_test(the_way_of_a_broadcast_is_a_tree),
        cmocka_unit_test(node_is_inside_by_every_coordinate),
        cmocka_unit_test(ring_arithmetic_holds_across_its_wraps),
        cmocka_unit_test(epochs_are_compared_across_their_wrap),
        cmocka_unit_test(pieces_of_a_ring_of_bytes_are_contiguous_and_apart),
        cmocka_unit_test(bytes_that_were_read_are_counted_round_the_end),
        cmocka_unit_test(a_check_in_is_decoded_as_it_was_encoded),
        cmocka_unit_test(a_request_to_send_is_decoded_field_by_field),
        cmocka_unit_test(a_request_to_a_box_without_this_node_is_not_sane),
        cmocka_unit_test(a_remote_get_becomes_the_descriptor_of_a_put_or_broadcast),
        cmocka_unit_test(a_remote_get_of_another_opcode_or_length_is_refused),
        cmocka_unit_test(completion_words_follow_the_contract),
        cmocka_unit_test(fault_names_the_side_that_refused),
        cmocka_unit_test(queue_shapes_each_have_their_status),
        cmocka_unit_test(region_use_is_exact_at_its_edges),
        cmocka_unit_test(retries_double_and_stay_bounded),
        cmocka_unit_test(random_state_never_sticks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
