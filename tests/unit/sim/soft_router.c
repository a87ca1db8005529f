/* SPDX-License-Identifier: Apache-2.0 */
/* The router of the soft tier alone: nodes with links that accept or refuse packets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "inside.h"
#include "wire.h"

enum { NODES_MAX = 64, ROUNDS = 1000000, LATENCY = 8 };

struct world {
    struct tern_torus torus;
    struct tern_net *net;
    unsigned nodes;
    struct soft_node *node[NODES_MAX];
};

/* Packets received by each node, and how often nodes refuse. */
static unsigned got[NODES_MAX], refusals[NODES_MAX], refuse_one_in;
static uint32_t random_state = 1;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 8) % limit;
}

bool soft_rx_take(struct soft_node *node, const uint8_t *packet, size_t bytes, bool stomped)
{
    (void)packet;
    assert_false(stomped);
    assert_int_equal(bytes, soft_packet_bytes(0));
    if (refuse_one_in > 0 && random_below(refuse_one_in) != 0) {
        refusals[node->config.number]++;
        return false;
    }
    got[node->config.number]++;
    return true;
}

/* ---- the nodes ---- */

static void look_at_links(struct world *world)
{
    for (unsigned i = 0; i < 3; i++)
        for (unsigned n = 0; n < world->nodes; n++)
            soft_links_look(world->node[n]);
}

static struct world world_new(unsigned x, unsigned y, unsigned z, bool mesh)
{
    struct world world = {.torus = {.sides = {x, y, z}, .mesh = mesh}};

    world.nodes = tern_torus_nodes(&world.torus);
    world.net = tern_net_new(&world.torus, LATENCY, 1);
    assert_non_null(world.net);
    assert_true(tern_net_use_packets(world.net));
    for (unsigned n = 0; n < world.nodes; n++) {
        world.node[n] = calloc(1, sizeof *world.node[n]);
        assert_non_null(world.node[n]);
        world.node[n]->net = world.net;
        world.node[n]->config.number = n;
        world.node[n]->config.coordinates = tern_torus_coordinates(&world.torus, n);
        world.node[n]->config.dims = tern_torus_dims(&world.torus);
        world.node[n]->config.ports = tern_torus_ports(&world.torus);
    }
    look_at_links(&world);
    memset(got, 0, sizeof got);
    memset(refusals, 0, sizeof refusals);
    refuse_one_in = 0;
    return world;
}

static void world_free(struct world *world)
{
    for (unsigned n = 0; n < world->nodes; n++)
        free(world->node[n]);
    tern_net_free(world->net);
}

/* Runs every node; true while packets are in flight. */
static bool work(struct world *world)
{
    unsigned waiting = 0;

    for (unsigned n = 0; n < world->nodes; n++)
        (void)soft_link_work(world->node[n]);
    for (unsigned n = 0; n < world->nodes; n++)
        waiting += tern_net_waiting(world->net, n);
    return waiting > 0;
}

static void settle(struct world *world)
{
    unsigned rounds = 0;

    while (work(world))
        assert_true(++rounds < ROUNDS);
}

static uint32_t at(const struct world *world, unsigned node)
{
    return tern_torus_coordinates(&world->torus, node);
}

struct header {
    uint32_t dst, box;
    unsigned vn;
    bool deposit;
};

static void make_packet(uint8_t packet[SOFT_PACKET_MAX], const struct header *header)
{
    uint32_t w[SOFT_HEADER_WORDS] = {0};

    TERN_SET(PKT, dst, w, header->dst);
    TERN_SET(PKT, deposit, w, header->deposit);
    TERN_SET(PKT, vn, w, header->vn);
    TERN_SET(PKT, words, w, soft_packet_bytes(0) / 8);
    TERN_SET(PKT, box, w, header->box);
    memset(packet, 0, SOFT_PACKET_MAX);
    memcpy(packet, w, sizeof w);
}

static bool route(struct world *world, unsigned from, unsigned to, unsigned vn)
{
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
    struct header header = {.dst = at(world, to), .vn = vn};

    make_packet(packet, &header);
    return soft_route(world->node[from], packet, soft_packet_bytes(0), vn);
}

/* ---- from one node to another ---- */

static unsigned steps_between(const struct world *world, uint32_t from, uint32_t to)
{
    unsigned steps = 0;

    for (unsigned d = 0; d < 3; d++) {
        unsigned side = world->torus.sides[d], a = from >> 5 * d & 31, b = to >> 5 * d & 31;
        unsigned ahead = (b + side - a) % side;

        if (world->torus.mesh)
            steps += a > b ? a - b : b - a;
        else
            steps += 2 * ahead <= side ? ahead : side - ahead;
    }
    return steps;
}

static void every_packet_takes_a_shortest_way(void **state)
{
    static const struct tern_torus shapes[] = {
        {.sides = {1, 1, 1}}, {.sides = {5, 1, 1}}, {.sides = {2, 2, 2}},
        {.sides = {4, 3, 2}}, {.sides = {3, 1, 4}}, {.sides = {3, 3, 1}, .mesh = true},
        {.sides = {4, 1, 1}, .mesh = true}, {.sides = {2, 3, 4}, .mesh = true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct tern_torus *s = &shapes[i];
        struct world world = world_new(s->sides[0], s->sides[1], s->sides[2], s->mesh);
        uint64_t steps = 0;

        for (unsigned from = 0; from < world.nodes; from++)
            for (unsigned to = 0; to < world.nodes; to++)
                for (unsigned vn = 0; vn < TERN_NET_NETWORKS; vn++) {
                    unsigned before = got[to];

                    assert_true(route(&world, from, to, vn));
                    settle(&world);
                    assert_int_equal(got[to], before + 1);
                    steps += steps_between(&world, at(&world, from), at(&world, to));
                    assert_true(tern_net_packets(world.net) == steps);
                }
        world_free(&world);
    }
}

/* Returns the wires that a packet takes, one bit each. */
static uint64_t wires_of(struct world *world, unsigned from, unsigned to, unsigned vn)
{
    uint64_t wires = 0;
    uint64_t before[NODES_MAX * TERN_MODEL_PORTS];
    unsigned ports = tern_torus_ports(&world->torus);

    for (unsigned w = 0; w < world->nodes * ports; w++)
        before[w] = tern_net_stats(world->net, w / ports, w % ports)->packets;
    assert_true(route(world, from, to, vn));
    settle(world);
    for (unsigned w = 0; w < world->nodes * ports; w++)
        if (tern_net_stats(world->net, w / ports, w % ports)->packets != before[w])
            wires |= UINT64_C(1) << (w % 64);
    return wires;
}

static void a_tie_goes_up_and_its_ack_comes_back_the_same_way(void **state)
{
    struct world world = world_new(4, 1, 1, false);

    (void)state;
    assert_true(wires_of(&world, 0, 2, TERN_VN_DATA) == (1 << 0 | 1 << 2)); /* X+ of 0 and 1 */
    assert_true(wires_of(&world, 2, 0, TERN_VN_ACK) == (1 << 5 | 1 << 3));  /* X- of 2 and 1 */
    assert_true(wires_of(&world, 2, 0, TERN_VN_DATA) == (1 << 4 | 1 << 6));
    world_free(&world);
}

static void a_link_that_is_down_drops(void **state)
{
    struct world world = world_new(3, 3, 1, true);

    (void)state;
    tern_net_cut(world.net, 0, 0, true);
    look_at_links(&world);
    assert_true(soft_links_up(world.node[8]));
    assert_false(soft_links_up(world.node[0]));
    assert_true(route(&world, 0, 1, TERN_VN_DATA));
    settle(&world);
    assert_int_equal(got[1], 0);
    assert_int_equal(world.node[0]->link[0].drops, 1);
    assert_true(route(&world, 0, 3, TERN_VN_DATA)); /* through the other dimension */
    settle(&world);
    assert_int_equal(got[3], 1);
    world_free(&world);
}

/* ---- to the nodes of a box ---- */

static unsigned part(uint32_t coordinates, unsigned d)
{
    return coordinates >> 5 * d & 31;
}

/* Tells whether the coordinate lies on the way up from the low corner to the high one. */
static bool holds(const struct world *world, uint32_t low, uint32_t high, uint32_t node)
{
    for (unsigned d = 0; d < 3; d++) {
        unsigned side = world->torus.sides[d];
        unsigned width = (part(high, d) + side - part(low, d)) % side;

        if ((part(node, d) + side - part(low, d)) % side > width)
            return false;
    }
    return true;
}

static void broadcast(struct world *world, unsigned from, uint32_t low, uint32_t high, bool self)
{
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
    struct header header = {.dst = high, .box = low, .vn = TERN_VN_DATA, .deposit = true};
    unsigned rounds = 0;

    make_packet(packet, &header);
    while (!soft_broadcast(world->node[from], packet, soft_packet_bytes(0), TERN_VN_DATA, self)) {
        (void)work(world);
        assert_true(++rounds < ROUNDS);
    }
}

/* In a mesh `low` must not exceed `high`. */
static bool is_box(const struct world *world, uint32_t low, uint32_t high)
{
    for (unsigned d = 0; d < 3; d++)
        if (world->torus.mesh && part(low, d) > part(high, d))
            return false;
    return true;
}

static void one_box(struct world *world, unsigned from, uint32_t low, uint32_t high, bool self)
{
    unsigned members = 0;
    uint64_t before = tern_net_packets(world->net);

    memset(got, 0, sizeof got);
    broadcast(world, from, low, high, self);
    settle(world);
    for (unsigned n = 0; n < world->nodes; n++) {
        bool member = holds(world, low, high, at(world, n)) && (n != from || self);

        assert_int_equal(got[n], member);
        members += member && n != from;
    }
    assert_true(tern_net_packets(world->net) - before == members); /* one wire per member */
}

static void each_node_of_a_box_gets_one_copy(void **state)
{
    static const struct tern_torus shapes[] = {
        {.sides = {5, 1, 1}}, {.sides = {2, 2, 2}}, {.sides = {3, 2, 2}}, {.sides = {4, 3, 1}},
        {.sides = {3, 2, 2}, .mesh = true}, {.sides = {4, 1, 1}, .mesh = true},
    };
    unsigned boxes = 0;

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct tern_torus *s = &shapes[i];
        struct world world = world_new(s->sides[0], s->sides[1], s->sides[2], s->mesh);

        for (unsigned low = 0; low < world.nodes; low++)
            for (unsigned high = 0; high < world.nodes; high++)
                for (unsigned from = 0; from < world.nodes; from++) {
                    if (!is_box(&world, at(&world, low), at(&world, high)) ||
                        !holds(&world, at(&world, low), at(&world, high), at(&world, from)))
                        continue;
                    refuse_one_in = boxes % 3 == 0 ? 3 : 0; /* then copies wait for a while */
                    one_box(&world, from, at(&world, low), at(&world, high), boxes % 2);
                    boxes++;
                }
        world_free(&world);
    }
    printf("# %u boxes\n", boxes);
}

/* ---- under load ---- */

/* Each node has packets for all others, including broadcasts, and accepts packets slowly. */
static void nothing_waits_for_ever(void **state)
{
    static const struct tern_torus shapes[] = {
        {.sides = {8, 1, 1}}, {.sides = {4, 4, 1}}, {.sides = {3, 3, 3}}, {.sides = {4, 4, 4}},
        {.sides = {4, 4, 2}, .mesh = true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        enum { EACH = 400 };
        const struct tern_torus *s = &shapes[i];
        struct world world = world_new(s->sides[0], s->sides[1], s->sides[2], s->mesh);
        unsigned sent[NODES_MAX] = {0}, left = world.nodes, rounds = 0;
        unsigned want = 0, have = 0;
        uint32_t all = tern_torus_coordinates(&world.torus, world.nodes - 1);

        refuse_one_in = 8;
        while (left > 0) {
            assert_true(++rounds < ROUNDS);
            for (unsigned n = 0; n < world.nodes; n++)
                while (sent[n] < EACH) {
                    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
                    struct header box = {.dst = all, .vn = TERN_VN_DATA, .deposit = true};
                    bool many = sent[n] % 8 == 0;

                    make_packet(packet, &box);
                    if (many ? !soft_broadcast(world.node[n], packet, soft_packet_bytes(0),
                                               TERN_VN_DATA, true)
                             : !route(&world, n, (n + sent[n] * 7) % world.nodes, sent[n] % 3))
                        break;
                    want += many ? world.nodes : 1;
                    left -= ++sent[n] == EACH;
                }
            (void)work(&world);
        }
        settle(&world);
        for (unsigned n = 0; n < world.nodes; n++)
            have += got[n];
        assert_int_equal(have, want);
        printf("# %u nodes: %u packets taken, %u refusals at node 0\n", world.nodes, have,
               refusals[0]);
        world_free(&world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_takes_a_shortest_way),
        cmocka_unit_test(a_tie_goes_up_and_its_ack_comes_back_the_same_way),
        cmocka_unit_test(a_link_that_is_down_drops),
        cmocka_unit_test(each_node_of_a_box_gets_one_copy),
        cmocka_unit_test(nothing_waits_for_ever),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
