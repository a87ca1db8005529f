/* SPDX-License-Identifier: Apache-2.0 */
/* Wires and their faults, scenarios, and the host's end of the host port. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hostport.h"
#include "net.h"
#include "scenario.h"
#include "tern_abi.h"
#include "wire.h"

enum {
    LATENCY = 8,
    NODES = 3,
    WORDS = 7,
    NUMBER_AT = 40, /* offset in a packet's payload */
    X_PLUS = 0,
    X_MINUS = 1,
    DATA = 2 * TERN_VN_DATA, /* channel: data before a dateline */
    ACK = 2 * TERN_VN_ACK
};

static const struct tern_torus ring = {.sides = {NODES, 1, 1}};

/* ---- positions of nodes ---- */

static void numbers_and_coordinates_agree(void **state)
{
    static const struct tern_torus box = {.sides = {3, 2, 4}};

    (void)state;
    assert_int_equal(tern_torus_nodes(&box), 24);
    assert_int_equal(tern_torus_coordinates(&box, 0), 0);
    assert_int_equal(tern_torus_coordinates(&box, 4), 1 | 1 << 5);
    assert_int_equal(tern_torus_coordinates(&box, 23), 2 | 1 << 5 | 3 << 10);
    for (unsigned n = 0; n < 24; n++)
        assert_int_equal(tern_torus_number(&box, tern_torus_coordinates(&box, n)), n);
    assert_true(tern_torus_number(&box, 3) == TERN_TORUS_NONE);
    assert_true(tern_torus_number(&box, 2 << 5) == TERN_TORUS_NONE);
    assert_true(tern_torus_number(&box, 4 << 10) == TERN_TORUS_NONE);
    assert_true(tern_torus_number(&box, 1 << 15) == TERN_TORUS_NONE);
    assert_int_equal(tern_torus_dims(&box), 2 | 1 << 5 | 3 << 10);
}

static void a_torus_wraps_in_each_dimension(void **state)
{
    static const struct tern_torus box = {.sides = {3, 2, 4}}, flat = {.sides = {4, 3, 1}};

    (void)state;
    assert_int_equal(tern_torus_ports(&box), 6);
    assert_int_equal(tern_torus_neighbour(&box, 0, 0), 1);
    assert_int_equal(tern_torus_neighbour(&box, 2, 0), 0);
    assert_int_equal(tern_torus_neighbour(&box, 0, 1), 2);
    assert_int_equal(tern_torus_neighbour(&box, 1, 2), 4);
    assert_int_equal(tern_torus_neighbour(&box, 4, 2), 1);
    assert_int_equal(tern_torus_neighbour(&box, 1, 3), 4);
    assert_int_equal(tern_torus_neighbour(&box, 1, 4), 7);
    assert_int_equal(tern_torus_neighbour(&box, 19, 4), 1);
    assert_int_equal(tern_torus_neighbour(&box, 1, 5), 19);
    assert_int_equal(tern_torus_neighbour(&flat, 5, 4), 5); /* the only node of its row */
    for (unsigned n = 0; n < 24; n++)
        for (unsigned p = 0; p < 6; p++)
            assert_int_equal(tern_torus_neighbour(&box, tern_torus_neighbour(&box, n, p), p ^ 1),
                             n);
}

static void a_ring_has_two_ports(void **state)
{
    (void)state;
    assert_int_equal(tern_torus_ports(&ring), 2);
    assert_int_equal(tern_torus_neighbour(&ring, 2, 0), 0);
    assert_true(tern_torus_neighbour(&ring, 2, 2) == TERN_TORUS_NONE);
}

static void a_mesh_ends_at_its_edges(void **state)
{
    static const struct tern_torus mesh = {.sides = {3, 2, 1}, .mesh = true};
    unsigned links = 0;

    (void)state;
    assert_int_equal(tern_torus_dims(&mesh), 2 | 1 << 5 | 1 << 15);
    assert_int_equal(tern_torus_neighbour(&mesh, 1, 0), 2);
    assert_true(tern_torus_neighbour(&mesh, 2, 0) == TERN_TORUS_NONE);
    assert_true(tern_torus_neighbour(&mesh, 0, 1) == TERN_TORUS_NONE);
    assert_int_equal(tern_torus_neighbour(&mesh, 0, 2), 3);
    assert_true(tern_torus_neighbour(&mesh, 3, 2) == TERN_TORUS_NONE);
    assert_true(tern_torus_neighbour(&mesh, 0, 4) == TERN_TORUS_NONE);
    for (unsigned n = 0; n < 6; n++)
        for (unsigned p = 0; p < 6; p++)
            links += tern_torus_neighbour(&mesh, n, p) != TERN_TORUS_NONE;
    assert_int_equal(links, 2 * (2 * 2 + 3));
}

static void sides_and_nodes_have_limits(void **state)
{
    static const struct {
        struct tern_torus torus;
        bool good;
    } rows[] = {
        {{.sides = {1, 1, 1}}, true},   {{.sides = {8, 8, 8}}, true},
        {{.sides = {32, 16, 1}}, true}, {{.sides = {33, 1, 1}}, false},
        {{.sides = {1, 0, 1}}, false},  {{.sides = {32, 32, 1}}, false},
        {{.sides = {1, 1, 33}}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_true((tern_torus_problem(&rows[i].torus) == NULL) == rows[i].good);
}

static void ports_have_names(void **state)
{
    (void)state;
    for (unsigned p = 0; p < TERN_TORUS_PORTS_MAX; p++)
        assert_int_equal(tern_port_of(tern_port_name(p)), p);
    assert_int_equal(tern_port_of("Z-"), 5);
    assert_int_equal(tern_port_of("W+"), TERN_TORUS_PORTS_MAX);
}

/* ---- checksums ---- */

static void checksums_agree_with_published_values(void **state)
{
    static const uint8_t digits[] = "123456789";

    (void)state;
    assert_int_equal(tern_wire_crc16(digits, 9), 0x29b1);
    assert_true(~tern_wire_crc32c(UINT32_MAX, digits, 9) == 0xe3069283);
}

/* Builds a put of 16 bytes with correct checksums. */
static void make_packet(uint8_t packet[8 * WORDS])
{
    uint32_t words[2 * WORDS] = {0};

    TERN_SET(PKT, type, words, TERN_PTYPE_PUT);
    TERN_SET(PKT, version, words, TERN_PKT_VERSION);
    TERN_SET(PKT, vn, words, TERN_VN_DATA);
    TERN_SET(PKT, words, words, WORDS);
    TERN_SET(PKT, length, words, 16);
    TERN_SET(PKT, key, words, 0x12345678);
    words[8] = 0xdeadbeef;
    memcpy(packet, words, sizeof words);
    tern_wire_seal(packet, 8 * WORDS, TERN_SEAL_ALL);
}

static bool link_good(const uint8_t *packet)
{
    return tern_wire_word(packet, 2 * WORDS - 1) ==
           ~tern_wire_crc32c(UINT32_MAX, packet, 8 * WORDS - 4);
}

/* ---- wires ---- */

struct link {
    struct tern_net *net;
    uint64_t cycle;
    uint8_t got[8 * WORDS];
    size_t have;   /* bytes received since the last first beat */
    unsigned ends; /* last beats received */
    /* of the first packets: number, and cycle of the last beat */
    uint8_t number[16];
    uint64_t at[16];
};

/* One cycle: node 0 sends, node 1 receives. */
static void link_step(struct link *link, const struct tern_model_beat *beat)
{
    struct tern_model_beat none = {0}, in;

    tern_net_put(link->net, 0, X_PLUS, link->cycle, beat != NULL ? beat : &none);
    tern_net_take(link->net, 1, X_MINUS, link->cycle, &in);
    link->cycle++;
    if (!in.valid)
        return;
    if (in.kind == TERN_LINK_KIND_SOP)
        link->have = 0;
    if (link->have + 8 <= sizeof link->got)
        memcpy(link->got + link->have, &in.data, 8);
    link->have += 8;
    if (in.kind != TERN_LINK_KIND_EOP)
        return;
    if (link->ends < sizeof link->number) {
        link->number[link->ends] = link->got[NUMBER_AT];
        link->at[link->ends] = link->cycle - 1;
    }
    link->ends++;
}

static void link_send(struct link *link, const uint8_t *packet)
{
    for (unsigned w = 0; w < WORDS; w++) {
        struct tern_model_beat beat = {.valid = true,
                                       .kind = w == 0           ? TERN_LINK_KIND_SOP
                                               : w == WORDS - 1 ? TERN_LINK_KIND_EOP
                                                                : TERN_LINK_KIND_DATA};

        memcpy(&beat.data, packet + 8 * w, 8);
        link_step(link, &beat);
    }
}

static void link_drain(struct link *link)
{
    for (int i = 0; i < 2 * LATENCY; i++)
        link_step(link, NULL);
}

static struct link link_new(void)
{
    return (struct link){.net = tern_net_new(&ring, LATENCY, 1)};
}

static void a_beat_takes_the_latency_to_the_right_neighbour(void **state)
{
    struct tern_net *net = tern_net_new(&ring, LATENCY, 1);
    struct tern_model_beat out = {.valid = true, .data = 5}, in;

    (void)state;
    for (unsigned n = 0; n < NODES; n++) {
        uint64_t cycle = 100 * n;

        tern_net_put(net, n, X_PLUS, cycle, &out);
        tern_net_take(net, (n + 1) % NODES, X_MINUS, cycle + LATENCY - 1, &in);
        assert_false(in.valid);
        tern_net_take(net, (n + 1) % NODES, X_MINUS, cycle + LATENCY, &in);
        assert_true(in.valid);
        tern_net_take(net, (n + 1) % NODES, X_MINUS, cycle + LATENCY, &in);
        assert_false(in.valid); /* once */
        tern_net_put(net, n, X_MINUS, cycle + 50, &out);
        tern_net_take(net, (n + NODES - 1) % NODES, X_PLUS, cycle + 50 + LATENCY, &in);
        assert_true(in.valid);
    }
    tern_net_free(net);
}

static void a_cut_link_carries_nothing_either_way(void **state)
{
    struct link link = link_new();
    struct tern_model_beat out = {.valid = true}, in;
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    tern_net_cut(link.net, 1, X_MINUS, true); /* named by its other end */
    assert_true(tern_net_is_cut(link.net, 0, X_PLUS));
    link_send(&link, packet);
    link_drain(&link);
    assert_int_equal(link.have, 0);
    tern_net_put(link.net, 1, X_MINUS, link.cycle, &out);
    tern_net_take(link.net, 0, X_PLUS, link.cycle + LATENCY, &in);
    assert_false(in.valid);
    tern_net_cut(link.net, 0, X_PLUS, false);
    link_send(&link, packet);
    link_drain(&link);
    assert_int_equal(link.ends, 1);
    tern_net_free(link.net);
}

static void faults_hit_the_packets_they_are_meant_for(void **state)
{
    struct link link = link_new();
    uint8_t packet[8 * WORDS], other[8 * WORDS];
    struct tern_fault fault = {.kind = TERN_FAULT_DROP, .type = TERN_PTYPE_PUT, .skip = 1,
                               .count = 2};

    (void)state;
    make_packet(packet);
    memcpy(other, packet, sizeof other);
    other[4 * TERN_PKT_vn_WORD + 2] ^= TERN_VN_DATA ^ TERN_VN_ACK;
    assert_true(tern_net_fault(link.net, 0, X_PLUS, &fault));
    link_send(&link, packet); /* skipped */
    link_send(&link, packet); /* lost */
    link_send(&link, other);  /* a packet of another type */
    link_send(&link, packet); /* lost */
    link_send(&link, packet); /* the fault is used up */
    link_drain(&link);
    assert_int_equal(link.ends, 3);
    assert_int_equal(tern_net_stats(link.net, 0, X_PLUS)->lost, 2);
    assert_int_equal(tern_net_stats(link.net, 0, X_PLUS)->packets, 5);
    tern_net_free(link.net);
}

static void a_changed_field_is_sealed_as_asked(void **state)
{
    struct link link = link_new();
    uint8_t packet[8 * WORDS], want[8 * WORDS];
    struct tern_fault fault = {.kind = TERN_FAULT_SET, .type = TERN_ANY_TYPE, .count = 1,
                               .at = 1, .mask = 0xffff, .value = 0x0102};

    (void)state;
    make_packet(packet);
    memcpy(want, packet, sizeof want);
    tern_wire_set_word(want, 1, (tern_wire_word(want, 1) & 0xffff0000) | 0x0102);
    for (unsigned seal = 0; seal <= TERN_SEAL_ALL; seal++) {
        uint8_t sealed[8 * WORDS];

        memcpy(sealed, want, sizeof sealed);
        tern_wire_seal(sealed, sizeof sealed, seal);
        fault.seal = seal;
        tern_net_fault(link.net, 0, X_PLUS, &fault);
        link_send(&link, packet);
        link_drain(&link);
        assert_memory_equal(link.got, sealed, sizeof sealed);
        if (seal & TERN_SEAL_LINK)
            assert_true(link_good(link.got));
    }
    tern_net_free(link.net);
}

static void a_flipped_bit_is_not_sealed_over(void **state)
{
    struct link link = link_new();
    uint8_t packet[8 * WORDS];
    struct tern_fault fault = {.kind = TERN_FAULT_FLIP, .type = TERN_ANY_TYPE, .count = 1,
                               .at = 33, .mask = 0x10};

    (void)state;
    make_packet(packet);
    tern_net_fault(link.net, 0, X_PLUS, &fault);
    link_send(&link, packet);
    link_drain(&link);
    assert_int_equal(link.got[33], packet[33] ^ 0x10);
    assert_false(link_good(link.got));
    tern_net_free(link.net);
}

static void an_injected_packet_arrives_whole_as_it_stands(void **state)
{
    struct link link = link_new();
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    assert_false(tern_net_inject(link.net, 0, X_PLUS, packet, 13));
    assert_true(tern_net_inject(link.net, 0, X_PLUS, packet, sizeof packet));
    link_drain(&link);
    assert_int_equal(link.ends, 1);
    assert_memory_equal(link.got, packet, sizeof packet);
    tern_net_free(link.net);
}

static void noise_is_as_frequent_as_asked_and_repeatable(void **state)
{
    uint64_t damaged[2];

    (void)state;
    for (int run = 0; run < 2; run++) {
        struct link link = link_new();
        uint8_t packet[8 * WORDS];

        make_packet(packet);
        tern_net_noise(link.net, 0, X_PLUS, 10);
        for (int i = 0; i < 1000; i++)
            link_send(&link, packet);
        damaged[run] = tern_net_stats(link.net, 0, X_PLUS)->damaged;
        tern_net_free(link.net);
    }
    assert_true(damaged[0] > 500 && damaged[0] < 900); /* of 7000 beats */
    assert_int_equal(damaged[0], damaged[1]);
}

/* Sends packets numbered `first` to `last`, then runs the link until no wire can hold any. */
static void send_numbers(struct link *link, uint8_t first, uint8_t last)
{
    uint8_t packet[8 * WORDS];

    make_packet(packet);
    for (uint8_t number = first; number <= last; number++) {
        packet[NUMBER_AT] = number;
        link_send(link, packet);
    }
    for (int i = 0; i < 100; i++)
        link_step(link, NULL);
}

static void numbers_are(const struct link *link, const uint8_t *numbers, unsigned count)
{
    assert_int_equal(link->ends, count);
    assert_int_equal(link->have, 8 * WORDS);
    assert_memory_equal(link->number, numbers, count);
}

static void a_packet_may_come_twice(void **state)
{
    static const struct tern_fault fault = {
        .kind = TERN_FAULT_DUPLICATE, .type = TERN_ANY_TYPE, .skip = 1, .count = 1};
    struct link link = link_new();

    (void)state;
    assert_true(tern_net_fault(link.net, 0, X_PLUS, &fault));
    send_numbers(&link, 1, 3);
    numbers_are(&link, (const uint8_t[]){1, 2, 2, 3}, 4);
    assert_int_equal(tern_net_stats(link.net, 0, X_PLUS)->duplicated, 1);
    assert_int_equal(tern_net_stats(link.net, 0, X_PLUS)->packets, 3);
    tern_net_free(link.net);
}

static void a_packet_may_be_overtaken(void **state)
{
    static const struct tern_fault fault = {
        .kind = TERN_FAULT_DELAY, .type = TERN_ANY_TYPE, .count = 1, .at = 2};
    struct link link = link_new();

    (void)state;
    assert_true(tern_net_fault(link.net, 0, X_PLUS, &fault));
    send_numbers(&link, 1, 4);
    numbers_are(&link, (const uint8_t[]){2, 3, 1, 4}, 4);
    assert_int_equal(tern_net_stats(link.net, 0, X_PLUS)->delayed, 1);
    tern_net_free(link.net);
}

static void a_stalled_wire_holds_all_and_keeps_their_order(void **state)
{
    enum { UNTIL = 60 };
    struct link link = link_new();
    uint64_t before;

    (void)state;
    tern_net_stall(link.net, 0, X_PLUS, UNTIL);
    send_numbers(&link, 1, 12);
    numbers_are(&link, (const uint8_t[]){1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, 12);
    assert_true(link.at[0] == UNTIL + LATENCY + WORDS - 1);
    before = link.cycle;
    send_numbers(&link, 13, 13); /* no wire holds a packet any more */
    assert_true(link.at[12] == before + LATENCY + WORDS - 1);
    tern_net_free(link.net);
}

static void random_faults_hit_their_share(void **state)
{
    static const struct tern_fault fault = {
        .kind = TERN_FAULT_DROP, .type = TERN_ANY_TYPE, .every = 4, .count = UINT32_MAX};
    struct link link = link_new();
    uint8_t packet[8 * WORDS];
    uint64_t lost;

    (void)state;
    make_packet(packet);
    assert_true(tern_net_fault(link.net, 0, X_PLUS, &fault));
    for (int i = 0; i < 1000; i++)
        link_send(&link, packet);
    lost = tern_net_stats(link.net, 0, X_PLUS)->lost;
    assert_true(lost > 180 && lost < 320);
    tern_net_free(link.net);
}

static void where_a_mesh_ends_there_is_no_wire(void **state)
{
    static const struct tern_torus mesh = {.sides = {2, 1, 1}, .mesh = true};
    static const struct tern_fault fault = {
        .kind = TERN_FAULT_DROP, .type = TERN_ANY_TYPE, .count = 1};
    struct tern_net *net = tern_net_new(&mesh, LATENCY, 1);
    struct tern_model_beat out = {.valid = true, .kind = TERN_LINK_KIND_SOP}, in;
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    assert_true(tern_net_has(net, 0, X_PLUS));
    assert_false(tern_net_has(net, 1, X_PLUS));
    tern_net_put(net, 1, X_PLUS, 0, &out);
    for (unsigned n = 0; n < 2; n++) {
        tern_net_take(net, n, n == 0 ? X_MINUS : X_PLUS, LATENCY, &in);
        assert_false(in.valid);
    }
    tern_net_cut(net, 1, X_PLUS, false); /* creating a link is impossible */
    tern_net_noise(net, 1, X_PLUS, 1);
    tern_net_stall(net, 1, X_PLUS, 5);
    assert_true(tern_net_is_cut(net, 1, X_PLUS));
    assert_false(tern_net_fault(net, 1, X_PLUS, &fault));
    assert_false(tern_net_inject(net, 1, X_PLUS, packet, sizeof packet));
    assert_int_equal(tern_net_packets(net), 0);
    assert_int_equal(tern_net_stats(net, 1, X_PLUS)->packets, 0);
    assert_true(tern_net_use_packets(net));
    assert_false(tern_net_hears(net, 1, X_PLUS));
    assert_false(tern_net_heard(net, 1, X_PLUS));
    tern_net_free(net);
}

static void all_links_of_a_dead_nic_are_cut(void **state)
{
    static const struct tern_torus box = {.sides = {3, 3, 3}};
    struct tern_net *net = tern_net_new(&box, LATENCY, 1);
    unsigned cut = 0;

    (void)state;
    tern_net_kill(net, 13, true);
    for (unsigned n = 0; n < 27; n++)
        for (unsigned p = 0; p < 6; p++)
            cut += tern_net_is_cut(net, n, p);
    assert_int_equal(cut, 12);
    assert_true(tern_net_is_cut(net, 14, X_MINUS));
    tern_net_kill(net, 13, false);
    assert_false(tern_net_is_cut(net, 14, X_MINUS));
    tern_net_free(net);
}

/* ---- whole packets ---- */

static struct tern_net *net_of_packets(void)
{
    struct tern_net *net = tern_net_new(&ring, LATENCY, 1);

    assert_non_null(net);
    assert_true(tern_net_use_packets(net));
    return net;
}

/* Returns the packet that waits at node 1; NULL when there is none. */
static const uint8_t *whole_packet(struct tern_net *net)
{
    size_t bytes;
    const uint8_t *packet = tern_net_first(net, 1, X_MINUS, DATA, &bytes);

    if (packet != NULL)
        assert_int_equal(bytes, 8 * WORDS);
    return packet;
}

static void whole_packets_meet_the_faults_of_beats(void **state)
{
    static const struct tern_fault faults[] = {
        {.kind = TERN_FAULT_DROP, .type = TERN_ANY_TYPE, .skip = 1, .count = 1},
        {.kind = TERN_FAULT_FLIP,
         .type = TERN_ANY_TYPE,
         .count = 2,
         .at = 33,
         .mask = 0x10,
         .seal = 1},
        {.kind = TERN_FAULT_SET,
         .type = TERN_PTYPE_PUT,
         .count = 1,
         .at = 1,
         .mask = 0xffff,
         .value = 0x0102,
         .seal = TERN_SEAL_ALL},
        {.kind = TERN_FAULT_SET, .type = TERN_PTYPE_ACK, .count = 1, .at = 1, .mask = 0xffff},
        {.kind = TERN_FAULT_DROP, .type = TERN_ANY_TYPE, .every = 2, .count = 2},
    };
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    for (size_t f = 0; f <= sizeof faults / sizeof faults[0]; f++) {
        struct link link = link_new();
        struct tern_net *net = net_of_packets();

        if (f < sizeof faults / sizeof faults[0]) {
            assert_true(tern_net_fault(link.net, 0, X_PLUS, &faults[f]));
            assert_true(tern_net_fault(net, 0, X_PLUS, &faults[f]));
        } else { /* damage by a seed */
            tern_net_noise(link.net, 0, X_PLUS, 5);
            tern_net_noise(net, 0, X_PLUS, 5);
        }
        for (int i = 0; i < 4; i++) {
            unsigned before = link.ends;

            link_send(&link, packet);
            link_drain(&link);
            tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0);
            assert_true((whole_packet(net) != NULL) == (link.ends > before));
            if (whole_packet(net) == NULL)
                continue;
            assert_memory_equal(whole_packet(net), link.got, sizeof packet);
            tern_net_drop_first(net, 1, X_MINUS, DATA);
        }
        assert_memory_equal(tern_net_stats(net, 0, X_PLUS), tern_net_stats(link.net, 0, X_PLUS),
                            sizeof(struct tern_wire_stats));
        tern_net_free(link.net);
        tern_net_free(net);
    }
    printf("# evidence B4.2 faults=%zu\n", sizeof faults / sizeof faults[0] + 1);
}

/* The far end uses packet numbers: it drops repeated packets, and asks for missing ones. */
static void whole_packets_come_once_and_in_order(void **state)
{
    static const struct tern_fault twice = {.kind = TERN_FAULT_DUPLICATE,
                                            .type = TERN_ANY_TYPE,
                                            .count = 1},
                                   late = {.kind = TERN_FAULT_DELAY,
                                           .type = TERN_ANY_TYPE,
                                           .count = 1,
                                           .at = 1};
    struct tern_net *net = net_of_packets();
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    assert_true(tern_net_fault(net, 0, X_PLUS, &twice));
    assert_true(tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0));
    assert_int_equal(tern_net_waiting(net, 1), 1);
    assert_true(tern_net_fault(net, 0, X_PLUS, &late));
    assert_false(tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0)); /* sent again */
    assert_true(tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0));
    assert_int_equal(tern_net_waiting(net, 1), 2);
    assert_int_equal(tern_net_stats(net, 0, X_PLUS)->duplicated, 1);
    assert_int_equal(tern_net_stats(net, 0, X_PLUS)->delayed, 1);
    tern_net_free(net);
}

static void a_stalled_wire_has_no_room(void **state)
{
    struct tern_net *net = net_of_packets();

    (void)state;
    tern_net_stall(net, 0, X_PLUS, 100);
    assert_int_equal(tern_net_room(net, 0, X_PLUS, DATA, 99), 0);
    assert_int_equal(tern_net_room(net, 0, X_PLUS, DATA, 100), TERN_NET_QUEUE);
    assert_int_equal(tern_net_room(net, 1, X_MINUS, DATA, 99), TERN_NET_QUEUE); /* in the other
                                                                                 * direction */
    tern_net_free(net);
}

static void channels_wait_apart(void **state)
{
    struct tern_net *net = net_of_packets();
    uint8_t packet[8 * WORDS];
    size_t bytes;

    (void)state;
    make_packet(packet);
    assert_true(tern_net_send(net, 0, X_PLUS, DATA + 1, packet, sizeof packet, 0));
    assert_null(whole_packet(net));
    assert_non_null(tern_net_first(net, 1, X_MINUS, DATA + 1, &bytes));
    assert_true(tern_net_ready(net, 1) == UINT64_C(1) << (TERN_MODEL_PORTS * (DATA + 1) + X_MINUS));
    tern_net_drop_first(net, 1, X_MINUS, DATA + 1);
    assert_true(tern_net_ready(net, 1) == 0);
    tern_wire_set_word(packet, TERN_PKT_dateline_WORD, /* the channel of the header */
                       TERN_V(PKT, dateline, 1));
    assert_true(tern_net_inject(net, 0, X_PLUS, packet, sizeof packet));
    assert_non_null(tern_net_first(net, 1, X_MINUS, DATA + 1, &bytes));
    tern_net_free(net);
}

static void whole_packets_wait_in_order_and_have_places(void **state)
{
    struct tern_net *net = net_of_packets();
    uint8_t packet[8 * WORDS];

    (void)state;
    make_packet(packet);
    for (unsigned i = 0; i < TERN_NET_QUEUE; i++) {
        assert_int_equal(tern_net_room(net, 0, X_PLUS, DATA, 0), TERN_NET_QUEUE - i);
        packet[NUMBER_AT] = (uint8_t)i;
        tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0);
    }
    assert_int_equal(tern_net_room(net, 0, X_PLUS, ACK, 0), TERN_NET_QUEUE); /* apart */
    assert_false(tern_net_inject(net, 0, X_PLUS, packet, sizeof packet));        /* full */
    assert_int_equal(tern_net_waiting(net, 1), TERN_NET_QUEUE);
    assert_int_equal(tern_net_waiting(net, 2), 0);
    for (unsigned i = 0; i < TERN_NET_QUEUE; i++) {
        assert_int_equal(whole_packet(net)[NUMBER_AT], i);
        tern_net_drop_first(net, 1, X_MINUS, DATA);
    }
    assert_null(whole_packet(net));
    assert_true(tern_net_inject(net, 0, X_PLUS, packet, sizeof packet));
    assert_memory_equal(whole_packet(net), packet, sizeof packet);
    tern_net_free(net);
}

static void ends_of_whole_packets_hear_each_other(void **state)
{
    struct tern_net *net = net_of_packets();
    uint8_t packet[8 * WORDS];
    uint64_t changes;

    (void)state;
    make_packet(packet);
    assert_true(tern_net_hears(net, 1, X_MINUS));
    assert_false(tern_net_heard(net, 1, X_MINUS));
    tern_net_say(net, 0, X_PLUS, true);
    assert_true(tern_net_heard(net, 1, X_MINUS));
    assert_false(tern_net_heard(net, 2, X_MINUS));
    changes = tern_net_changes(net);
    tern_net_say(net, 0, X_PLUS, true); /* no change */
    assert_true(tern_net_changes(net) == changes);
    tern_net_cut(net, 1, X_MINUS, true);
    assert_true(tern_net_changes(net) != changes);
    assert_false(tern_net_hears(net, 1, X_MINUS));
    assert_false(tern_net_heard(net, 1, X_MINUS));
    tern_net_send(net, 0, X_PLUS, DATA, packet, sizeof packet, 0);
    assert_null(whole_packet(net));
    tern_net_free(net);
}

/* ---- scenarios ---- */

static void scenarios_are_read_strictly(void **state)
{
    static const struct {
        const char *text;
        const char *problem; /* part of the message; NULL: valid */
    } rows[] = {
        {"", NULL},
        {"# nothing\n\n   \n", NULL},
        {"at 100 cut 0 X+\nat 0x200 restore 0.0.0 X+ # again\n", NULL},
        {"at 1 drop 2 X- type=0x10 skip=3 count=2", NULL},
        {"at 1 set 0 X+ word=1 mask=0xffff value=7 seal=hel type=any", NULL},
        {"at 1 flip 0 X+ byte=40 mask=1 seal=0", NULL},
        {"at 1 noise 0 X+ every=1000", NULL},
        {"cut 0 X+", "line 1: a line begins with"},
        {"\nat x cut 0 X+", "line 2: a cycle"},
        {"at 1 hit 0 X+", "action"},
        {"at 1 cut", "node"},
        {"at 1 cut 3 X+", "node"}, /* nodes 0 to 2 */
        {"at 1 cut 0.1.0 X+", "node"},
        {"at 1 cut 0 Y+", "no link"},
        {"at 1 cut 0 W+", "port"},
        {"at 1 kill 2\nat 5 revive 2.0.0", NULL},
        {"at 1 kill 2 X+", "option"},
        {"at 1 duplicate 0 X+ every=3 count=9\nat 1 delay 0 X- by=32", NULL},
        {"at 1 delay 0 X+", "delay"},
        {"at 1 delay 0 X+ by=33", "delay"},
        {"at 1 stall 0 X+ cycles=2048", NULL},
        {"at 1 stall 0 X+ cycles=2049", "stall"},
        {"at 1 stall 0 X+", "stall"},
        {"at 1 drop 0 X+ often=3", "option"},
        {"at 1 drop 0 X+ skip=", "option"},
        {"at 1 drop 0 X+ now", "option"},
        {"at 1 set 0 X+ word=1 seal=q", "option"},
        {"at 1 inject 0 X+ 0102", "packet"},
        {"at 1 inject 0 X+ 01zz", "option"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char error[256] = "";
        struct tern_scenario *scenario =
            tern_scenario_new(rows[i].text, &ring, error, sizeof error);

        assert_true((scenario != NULL) == (rows[i].problem == NULL));
        if (rows[i].problem != NULL)
            assert_non_null(strstr(error, rows[i].problem));
        tern_scenario_free(scenario);
    }
}

static void a_scenario_acts_when_it_is_due(void **state)
{
    struct tern_net *net = tern_net_new(&ring, LATENCY, 1);
    struct tern_scenario *scenario =
        tern_scenario_new("at 200 restore 1 X+\nat 100 cut 1 X+\n", &ring, NULL, 0);

    (void)state;
    tern_scenario_apply(scenario, net, 99);
    assert_false(tern_net_is_cut(net, 1, X_PLUS));
    tern_scenario_apply(scenario, net, 104);
    assert_true(tern_net_is_cut(net, 1, X_PLUS));
    assert_true(tern_net_is_cut(net, 2, X_MINUS));
    tern_scenario_apply(scenario, net, 1000);
    assert_false(tern_net_is_cut(net, 1, X_PLUS));
    tern_scenario_free(scenario);
    tern_net_free(net);
}

static void a_scenario_names_nodes_of_a_mesh(void **state)
{
    static const struct tern_torus mesh = {.sides = {2, 3, 2}, .mesh = true};
    char error[256];
    struct tern_net *net = tern_net_new(&mesh, LATENCY, 1);
    struct tern_scenario *scenario = tern_scenario_new(
        "at 1 cut 1.1.0 Z+\nat 2 kill 0.2.1\nat 3 stall 0 Y+ cycles=5", &mesh, error, sizeof error);

    (void)state;
    assert_non_null(scenario);
    tern_scenario_apply(scenario, net, 1);
    assert_true(tern_net_is_cut(net, 3, 4));
    assert_true(tern_net_is_cut(net, 9, 5));
    assert_false(tern_net_is_cut(net, 10, 0));
    tern_scenario_apply(scenario, net, 3);
    assert_true(tern_net_is_cut(net, 10, 0)); /* 0.2.1 */
    assert_null(tern_scenario_new("at 1 cut 1.1.0 X+", &mesh, error, sizeof error));
    assert_non_null(strstr(error, "no link"));
    assert_null(tern_scenario_new("at 1 cut 1.3.0 X-", &mesh, error, sizeof error));
    assert_non_null(strstr(error, "no such node"));
    tern_scenario_free(scenario);
    tern_net_free(net);
}

/* ---- host port ---- */

/* Host memory at address 0. */
static uint8_t memory[4096];
static unsigned interrupts, pending;

static enum tern_dma_result transfer(void *ctx, struct tern_dma_op *op)
{
    (void)ctx;
    if (pending > 0) {
        pending--;
        return TERN_DMA_PENDING;
    }
    if (op->address + op->bytes > sizeof memory)
        return TERN_DMA_FAULT;
    if (op->write)
        memcpy(memory + op->address, op->data, op->bytes);
    else
        memcpy(op->data, memory + op->address, op->bytes);
    return TERN_DMA_OK;
}

static void interrupt(void *ctx, unsigned function, unsigned vector)
{
    (void)ctx;
    interrupts = interrupts * 1000 + function * 100 + vector;
}

static void bar_answer(void *ctx, uint64_t cookie, uint64_t data)
{
    (void)ctx;
    (void)cookie;
    (void)data;
}

struct pins {
    struct tern_hostport port;
    struct tern_model_in in;
    struct tern_model_out out, quiet;
    uint64_t cycle;
    unsigned answers, bad; /* answers to writes; errors among them */
};

static struct pins *pins_new(unsigned posted)
{
    static const struct tern_host host = {
        .transfer = transfer, .interrupt = interrupt, .bar_answer = bar_answer};
    struct tern_timing timing = {.host_latency = 20, .posted = posted, .flash_latency = 4};
    struct pins *pins = calloc(1, sizeof *pins);

    assert_true(tern_hostport_init(&pins->port, &host, &timing, TERN_MODEL_BEAT_MAX));
    for (size_t i = 0; i < sizeof memory; i++)
        memory[i] = (uint8_t)(i * 7 + (i >> 8));
    interrupts = 0;
    pending = 0;
    return pins;
}

static void pins_free(struct pins *pins)
{
    tern_hostport_fini(&pins->port);
    free(pins);
}

/* One clock; the chip's outputs are in pins->out. */
static void pins_step(struct pins *pins)
{
    tern_hostport_drive(&pins->port, &pins->in, pins->cycle);
    pins->answers += pins->in.hwb_valid;
    pins->bad += pins->in.hwb_valid && pins->in.hwb_err;
    tern_hostport_sample(&pins->port, &pins->in, &pins->out, &pins->quiet, pins->cycle);
    pins->out = pins->quiet;
    pins->cycle++;
}

static void reads_come_back_on_their_lanes_after_the_latency(void **state)
{
    static const struct {
        uint64_t address;
        uint16_t bytes;
        unsigned beats;
    } rows[] = {
        {0, 8, 1}, {0, 1, 1}, {7, 1, 1}, {7, 2, 2}, {64, 256, 32}, {65, 256, 33}, {3, 5, 1},
        {3840, 256, 32},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pins *pins = pins_new(0);
        unsigned beats = 0;
        uint8_t lanes[300];

        pins->out = (struct tern_model_out){.hrq_valid = true, .hrq_tag = 9};
        pins->out.hrq_addr = rows[i].address;
        pins->out.hrq_bytes = rows[i].bytes;
        pins_step(pins);
        while (!pins->in.hrd_last && pins->cycle < 200) {
            pins_step(pins);
            if (!pins->in.hrd_valid)
                continue;
            if (beats == 0) /* driven in the previous cycle */
                assert_int_equal(pins->cycle - 1, 20);
            assert_int_equal(pins->in.hrd_tag, 9);
            memcpy(lanes + 8 * beats++, &pins->in.hrd_data, 8);
        }
        assert_int_equal(beats, rows[i].beats);
        assert_memory_equal(lanes + rows[i].address % 8, memory + rows[i].address,
                            rows[i].bytes);
        pins_free(pins);
    }
}

static void a_read_outside_memory_is_answered_with_one_bad_beat(void **state)
{
    struct pins *pins = pins_new(0);

    (void)state;
    pins->out.hrq_valid = true;
    pins->out.hrq_addr = 4090;
    pins->out.hrq_bytes = 64;
    do
        pins_step(pins);
    while (!pins->in.hrd_valid && pins->cycle < 200);
    assert_true(pins->in.hrd_err);
    assert_true(pins->in.hrd_last);
    pins_step(pins);
    assert_false(pins->in.hrd_valid);
    pins_free(pins);
}

static void write_burst(struct pins *pins, uint64_t address, unsigned bytes, uint8_t first,
                        bool irq)
{
    uint8_t lanes[600] = {0};
    unsigned beats = (unsigned)((address % 8 + bytes + 7) / 8);

    for (unsigned i = 0; i < bytes; i++)
        lanes[address % 8 + i] = (uint8_t)(first + i);
    for (unsigned b = 0; b < beats; b++) {
        pins->out.hwr_valid = true;
        pins->out.hwr_irq = irq;
        pins->out.hwr_fn = irq ? 3 : 0;
        pins->out.hwr_addr = address;
        pins->out.hwr_bytes = (uint16_t)bytes;
        pins->out.hwr_last = b + 1 == beats;
        memcpy(&pins->out.hwr_data, lanes + 8 * b, 8);
        pins_step(pins);
    }
}

static void writes_and_interrupts_keep_their_order(void **state)
{
    static const unsigned posted[] = {0, 60};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct pins *pins = pins_new(posted[i]);
        uint64_t begun;

        write_burst(pins, 13, 30, 100, false);
        begun = pins->cycle;
        write_burst(pins, 8000, 4, 0, false); /* no memory at this address */
        write_burst(pins, 0, 2, 7, true);
        while (pins->cycle < begun + 100) {
            if (interrupts != 0 && posted[i] != 0)
                assert_true(pins->cycle >= begun + posted[i]);
            pins_step(pins);
        }
        assert_int_equal(pins->answers, 3);
        assert_int_equal(pins->bad, 1);
        assert_int_equal(interrupts, 300 + (7 | 8 << 8));
        assert_int_equal(memory[12], (uint8_t)(12 * 7));
        for (unsigned b = 0; b < 30; b++)
            assert_int_equal(memory[13 + b], 100 + b);
        assert_int_equal(memory[43], (uint8_t)(43 * 7));
        pins_free(pins);
    }
}

static void memory_that_answers_late_only_delays(void **state)
{
    struct pins *pins = pins_new(0);

    (void)state;
    pending = 500;
    write_burst(pins, 0, 8, 50, false);
    for (int i = 0; i < 400; i++) {
        pins_step(pins);
        assert_false(pins->in.hwb_valid);
    }
    while (!pins->in.hwb_valid && pins->cycle < 1000)
        pins_step(pins);
    assert_int_equal(memory[0], 50);
    assert_true(pins->cycle > 500 && pins->cycle < 510);
    pins_free(pins);
}

static void the_chip_may_hold_up_bar_accesses(void **state)
{
    struct pins *pins = pins_new(0);
    struct tern_bar_access write = {.write = true, .address = 8, .enables = 0xff};

    (void)state;
    for (unsigned i = 0; i < 3; i++) {
        write.data = i;
        tern_hostport_bar_push(&pins->port, &write, 0);
    }
    pins_step(pins); /* not ready */
    assert_true(pins->in.bar_valid);
    assert_int_equal(pins->in.bar_wdata, 0);
    for (unsigned i = 0; i < 3; i++) {
        pins->out.bar_ready = true;
        pins_step(pins);
        assert_int_equal(pins->in.bar_wdata, i);
    }
    pins_step(pins);
    assert_false(pins->in.bar_valid);
    assert_int_equal(tern_hostport_bar_room(&pins->port), TERN_BAR_QUEUE);
    pins_free(pins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_and_coordinates_agree),
        cmocka_unit_test(a_torus_wraps_in_each_dimension),
        cmocka_unit_test(a_ring_has_two_ports),
        cmocka_unit_test(a_mesh_ends_at_its_edges),
        cmocka_unit_test(sides_and_nodes_have_limits),
        cmocka_unit_test(ports_have_names),
        cmocka_unit_test(a_packet_may_come_twice),
        cmocka_unit_test(a_packet_may_be_overtaken),
        cmocka_unit_test(a_stalled_wire_holds_all_and_keeps_their_order),
        cmocka_unit_test(random_faults_hit_their_share),
        cmocka_unit_test(where_a_mesh_ends_there_is_no_wire),
        cmocka_unit_test(all_links_of_a_dead_nic_are_cut),
        cmocka_unit_test(whole_packets_come_once_and_in_order),
        cmocka_unit_test(a_stalled_wire_has_no_room),
        cmocka_unit_test(channels_wait_apart),
        cmocka_unit_test(a_scenario_names_nodes_of_a_mesh),
        cmocka_unit_test(checksums_agree_with_published_values),
        cmocka_unit_test(a_beat_takes_the_latency_to_the_right_neighbour),
        cmocka_unit_test(a_cut_link_carries_nothing_either_way),
        cmocka_unit_test(faults_hit_the_packets_they_are_meant_for),
        cmocka_unit_test(a_changed_field_is_sealed_as_asked),
        cmocka_unit_test(a_flipped_bit_is_not_sealed_over),
        cmocka_unit_test(an_injected_packet_arrives_whole_as_it_stands),
        cmocka_unit_test(noise_is_as_frequent_as_asked_and_repeatable),
        cmocka_unit_test(whole_packets_meet_the_faults_of_beats),
        cmocka_unit_test(whole_packets_wait_in_order_and_have_places),
        cmocka_unit_test(ends_of_whole_packets_hear_each_other),
        cmocka_unit_test(scenarios_are_read_strictly),
        cmocka_unit_test(a_scenario_acts_when_it_is_due),
        cmocka_unit_test(reads_come_back_on_their_lanes_after_the_latency),
        cmocka_unit_test(a_read_outside_memory_is_answered_with_one_bad_beat),
        cmocka_unit_test(writes_and_interrupts_keep_their_order),
        cmocka_unit_test(memory_that_answers_late_only_delays),
        cmocka_unit_test(the_chip_may_hold_up_bar_accesses),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
