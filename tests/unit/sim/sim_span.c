/* SPDX-License-Identifier: Apache-2.0 */
/* A torus in two simulators: who is a peer, what crosses between the halves, and how that ends. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include <cmocka.h>

#include "far.h"
#include "net.h"
#include "span.h"
#include "tern_abi.h"

enum {
    X_PLUS = 0,
    X_MINUS = 1,
    LATENCY = 8,
    BLOCK = 8,
    DATA = 2 * TERN_VN_DATA,
    BYTES = 48, /* of a packet */
    NUMBER_AT = 32,
    WORKS = 2000 /* more looks than any exchange here needs */
};

static const struct tern_torus ring = {.sides = {2, 1, 1}};
static const volatile int never = 0;

/* ---- greetings ---- */

/* A port of this machine that is free. */
static const char *free_port(void)
{
    static char text[8];
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &bytes), 0);
    close(fd);
    snprintf(text, sizeof text, "%u", ntohs(address.sin_port));
    return text;
}

static struct tern_far_greeting good(unsigned half)
{
    return (struct tern_far_greeting){.magic = {'t', 'e', 'r', 'n', 'l', 'i', 'n', 'k'},
                                      .version = TERN_FAR_VERSION,
                                      .abi = TERN_ABI_VERSION,
                                      .sides = {2, 1, 1},
                                      .half = half};
}

/* A peer that sends bytes of its own, in a thread. */
struct visitor {
    const char *port;
    const void *bytes;
    size_t count, more; /* of them at once, and after a greeting has come */
    pthread_t thread;
};

static int visit(const char *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)atoi(port)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};

    for (;;) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);

        if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        poll(NULL, 0, 10);
    }
}

static void *run_visitor(void *arg)
{
    const struct visitor *visitor = arg;
    int fd = visit(visitor->port);
    uint8_t byte[64];

    (void)!send(fd, visitor->bytes, visitor->count, MSG_NOSIGNAL);
    (void)!recv(fd, byte, sizeof byte, MSG_WAITALL);
    (void)!send(fd, (const uint8_t *)visitor->bytes + visitor->count, visitor->more, MSG_NOSIGNAL);
    while (recv(fd, byte, sizeof byte, 0) > 0)
        ;
    close(fd);
    return NULL;
}

/* Listens for a visitor that sends these bytes; why it was refused. */
static const char *refusal(const void *bytes, size_t count)
{
    static char error[TERN_FAR_ERROR_BYTES];
    struct visitor visitor = {.port = free_port(), .bytes = bytes, .count = count};
    struct tern_far_address address = {.host = "127.0.0.1", .port = visitor.port,
                                       .listens = true, .wait_ms = 400};
    struct tern_far_greeting own = good(0);
    struct tern_far *far;

    pthread_create(&visitor.thread, NULL, run_visitor, &visitor);
    far = tern_far_open(&address, &own, &never, error);
    tern_far_close(far);
    pthread_join(visitor.thread, NULL);
    return far == NULL ? error : "taken";
}

static void a_stranger_is_refused(void **state)
{
    static const char web[] = "GET / HTTP/1.1\r\n"
                              "Host: a-name-that-fills-a-greeting.example\r\n\r\n";

    (void)state;
    assert_non_null(strstr(refusal(web, sizeof web), "it is no tern simulator"));
    assert_non_null(strstr(refusal("tern", 4), "it sends no greeting"));
}

static void a_peer_that_does_not_fit_is_refused(void **state)
{
    struct tern_far_greeting peer = good(1);

    (void)state;
    assert_string_equal(refusal(&peer, sizeof peer), "taken");
    peer.version++;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another version"));
    peer = good(1);
    peer.abi++;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another version"));
    peer = good(1);
    peer.sides[1]++;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another --torus"));
    peer = good(1);
    peer.mesh = 1;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another --torus"));
    peer = good(1);
    peer.rtl = 1;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another --tier"));
    peer = good(1);
    peer.latency = 9;
    assert_non_null(strstr(refusal(&peer, sizeof peer), "another --model or --link-latency"));
    peer = good(0);
    assert_non_null(strstr(refusal(&peer, sizeof peer), "the same half"));
}

static void without_a_peer_the_wait_ends(void **state)
{
    char error[TERN_FAR_ERROR_BYTES];
    struct tern_far_address address = {.host = "127.0.0.1", .port = free_port(), .wait_ms = 200};
    struct tern_far_greeting own = good(1);

    (void)state;
    assert_null(tern_far_open(&address, &own, &never, error));
    assert_non_null(strstr(error, "no peer simulator"));
    address.listens = true;
    assert_null(tern_far_open(&address, &own, &never, error));
    assert_non_null(strstr(error, "no peer simulator came"));
}

/* ---- two halves ---- */

struct half {
    struct tern_span_config config;
    struct tern_span_shape shape;
    struct tern_net *net;
    struct tern_span *span;
    char error[TERN_FAR_ERROR_BYTES];
    pthread_t thread;
    uint64_t cycles; /* to run, on rtl */
};

static void *open_half(void *arg)
{
    struct half *half = arg;

    half->span = tern_span_open(&half->config, &half->shape, half->net, half->error);
    return NULL;
}

static void prepare(struct half *half, unsigned number, const char *port, enum tern_tier tier)
{
    half->config = (struct tern_span_config){.address = {.host = "127.0.0.1", .port = port,
                                                         .listens = number == 0, .wait_ms = 10000},
                                             .half = number, .stop = &never};
    half->shape = (struct tern_span_shape){.tier = tier, .torus = ring, .latency = LATENCY,
                                           .beat = 8};
    half->net = tern_net_new(&ring, LATENCY, 1);
    assert_non_null(half->net);
    if (tier == TERN_TIER_SOFT)
        assert_true(tern_net_use_packets(half->net));
}

static void open_both(struct half half[2], enum tern_tier tier)
{
    const char *port = free_port();

    memset(half, 0, 2 * sizeof *half);
    for (unsigned h = 0; h < 2; h++) {
        prepare(&half[h], h, port, tier);
        pthread_create(&half[h].thread, NULL, open_half, &half[h]);
    }
    for (unsigned h = 0; h < 2; h++) {
        pthread_join(half[h].thread, NULL);
        assert_non_null(half[h].span);
    }
}

static void close_both(struct half half[2])
{
    for (unsigned h = 0; h < 2; h++) {
        tern_span_close(half[h].span);
        tern_net_free(half[h].net);
    }
}

static void work(struct half half[2], unsigned times)
{
    while (times-- > 0) {
        tern_span_work(half[0].span);
        tern_span_work(half[1].span);
    }
}

/* Node 0 sends packets on X+, each with a number, as long as there is room for them. */
static unsigned fill(struct half *half, unsigned next)
{
    _Alignas(8) uint8_t packet[BYTES] = {0};

    while (tern_net_room(half->net, 0, X_PLUS, DATA, 0) > 0) {
        packet[NUMBER_AT] = (uint8_t)next++;
        assert_true(tern_net_send(half->net, 0, X_PLUS, DATA, packet, sizeof packet, 0));
    }
    return next;
}

static void packets_cross_in_order(void **state)
{
    struct half half[2];
    unsigned sent = 0, taken = 0;
    size_t bytes;

    (void)state;
    open_both(half, TERN_TIER_SOFT);
    for (unsigned look = 0; look < WORKS && taken < 200; look++) {
        const uint8_t *packet;

        sent = fill(&half[0], sent);
        work(half, 1);
        packet = tern_net_first(half[1].net, 1, X_MINUS, DATA, &bytes);
        if (packet == NULL)
            continue;
        assert_int_equal(bytes, BYTES);
        assert_int_equal(packet[NUMBER_AT], (uint8_t)taken++);
        tern_net_drop_first(half[1].net, 1, X_MINUS, DATA);
    }
    assert_true(taken == 200);
    close_both(half);
}

static void a_receiver_that_takes_nothing_holds_the_sender_back(void **state)
{
    struct half half[2];
    unsigned sent = 0;

    (void)state;
    open_both(half, TERN_TIER_SOFT);
    for (unsigned look = 0; look < WORKS; look++) {
        sent = fill(&half[0], sent);
        work(half, 1);
    }
    /* The queue of the peer, and that of this half. */
    assert_int_equal(tern_net_waiting(half[1].net, 1), TERN_NET_QUEUE);
    assert_int_equal(sent, 2 * TERN_NET_QUEUE);
    assert_null(tern_span_dead(half[1].span));
    close_both(half);
}

static void each_half_learns_that_the_other_hears_it(void **state)
{
    struct half half[2];

    (void)state;
    open_both(half, TERN_TIER_SOFT);
    work(half, WORKS / 10);
    assert_false(tern_net_heard(half[1].net, 1, X_MINUS));
    tern_net_say(half[0].net, 0, X_PLUS, true);
    work(half, WORKS / 10);
    assert_true(tern_net_heard(half[1].net, 1, X_MINUS));
    assert_false(tern_net_heard(half[1].net, 1, X_PLUS));
    tern_net_cut(half[0].net, 0, X_PLUS, true);
    work(half, WORKS / 10);
    assert_false(tern_net_heard(half[1].net, 1, X_MINUS));
    close_both(half);
}

static void a_peer_that_ends_is_a_cut_link(void **state)
{
    struct half half[2];

    (void)state;
    open_both(half, TERN_TIER_SOFT);
    tern_net_say(half[0].net, 0, X_PLUS, true);
    work(half, WORKS / 10);
    tern_span_close(half[0].span);
    half[0].span = NULL;
    for (unsigned look = 0; look < WORKS && tern_span_dead(half[1].span) == NULL; look++)
        tern_span_work(half[1].span);
    assert_string_equal(tern_span_dead(half[1].span), "the peer simulator has gone");
    for (unsigned port = 0; port < 2; port++) {
        assert_true(tern_net_is_cut(half[1].net, 1, port));
        assert_false(tern_net_heard(half[1].net, 1, port));
    }
    close_both(half);
}

/* A peer with a good greeting sends these frames; why it is dead then. */
static const char *death_by(const void *frames, size_t bytes)
{
    static uint8_t all[4096];
    struct tern_far_greeting peer = good(1);
    struct half half = {0};
    struct visitor visitor = {.port = free_port(), .bytes = all, .count = sizeof peer};
    const char *why;

    memcpy(all, &peer, sizeof peer);
    memcpy(all + sizeof peer, frames, bytes);
    visitor.more = bytes;
    prepare(&half, 0, visitor.port, TERN_TIER_SOFT);
    pthread_create(&visitor.thread, NULL, run_visitor, &visitor);
    open_half(&half);
    assert_non_null(half.span);
    for (unsigned look = 0; look < WORKS && tern_span_dead(half.span) == NULL; look++) {
        tern_span_work(half.span);
        poll(NULL, 0, 1);
    }
    why = tern_span_dead(half.span);
    tern_span_close(half.span);
    tern_net_free(half.net);
    pthread_join(visitor.thread, NULL);
    return why != NULL ? why : "alive";
}

static void frames_that_break_the_rules_end_the_link(void **state)
{
    /* Node 1 of two sends on wires 2 and 3. */
    static const struct {
        struct tern_far_head head;
        uint8_t bytes[64];
    } frame[] = {
        {.head = {.kind = 99, .bytes = 0}},
        {.head = {.kind = TERN_FAR_ALIVE, .bytes = TERN_FAR_FRAME_MAX + 1}},
        {.head = {.kind = TERN_FAR_BLOCK, .wire = 2, .bytes = 0}},
        {.head = {.kind = TERN_FAR_PACKET, .wire = 2, .bytes = 41}},
        {.head = {.kind = TERN_FAR_PACKET, .wire = 2, .bytes = 8}},
        {.head = {.kind = TERN_FAR_PACKET, .wire = 1, .bytes = BYTES}}, /* a wire of this half */
        {.head = {.kind = TERN_FAR_PACKET, .wire = 999, .bytes = BYTES}},
        {.head = {.kind = TERN_FAR_PACKET, .wire = 2, .channel = 6, .bytes = BYTES}},
        {.head = {.kind = TERN_FAR_CREDIT, .wire = 1, .bytes = 4}, .bytes = {33}},
        {.head = {.kind = TERN_FAR_CREDIT, .wire = 2, .bytes = 4}, .bytes = {1}},
        {.head = {.kind = TERN_FAR_HEARD, .wire = 2, .bytes = 4}, .bytes = {2}},
        {.head = {.kind = TERN_FAR_HEARD, .wire = 2, .bytes = 8}},
    };

    (void)state;
    for (size_t f = 0; f < sizeof frame / sizeof frame[0]; f++)
        assert_string_equal(death_by(&frame[f], sizeof frame[f]),
                            "the peer simulator sends garbage");
}

static void more_packets_than_places_end_the_link(void **state)
{
    static uint8_t frames[(TERN_NET_QUEUE + 1) * (sizeof(struct tern_far_head) + BYTES)];
    struct tern_far_head head = {.kind = TERN_FAR_PACKET, .wire = 2, .bytes = BYTES};

    (void)state;
    for (size_t at = 0; at < sizeof frames; at += sizeof head + BYTES)
        memcpy(frames + at, &head, sizeof head);
    assert_string_equal(death_by(frames, sizeof frames), "the peer simulator sends garbage");
}

/* ---- beats ---- */

/* Runs blocks in which each own node sends its cycle's number on X+, every third cycle. */
static void *run_half(void *arg)
{
    struct half *half = arg;
    unsigned node = half->config.half;

    for (uint64_t cycle = 0; cycle < half->cycles && half->error[0] == 0; cycle += BLOCK) {
        for (uint64_t at = cycle; at < cycle + BLOCK; at++) {
            struct tern_model_beat out = {.valid = at % 3 == node, .kind = TERN_LINK_KIND_CTL,
                                          .data = at};
            struct tern_model_beat in;
            uint64_t was = at - LATENCY;

            tern_net_take(half->net, node, X_MINUS, at, &in);
            tern_net_put(half->net, node, X_PLUS, at, &out);
            if (in.valid != (at >= LATENCY && was % 3 == 1 - node) || (in.valid && in.data != was))
                snprintf(half->error, sizeof half->error, "cycle %u", (unsigned)at);
        }
        tern_span_block(half->span, cycle, BLOCK, node == 0);
    }
    return NULL;
}

static void beats_arrive_in_the_cycle_in_which_they_would_in_one_simulator(void **state)
{
    struct half half[2];

    (void)state;
    open_both(half, TERN_TIER_RTL);
    for (unsigned h = 0; h < 2; h++) {
        half[h].cycles = 200 * BLOCK;
        half[h].error[0] = 0;
        pthread_create(&half[h].thread, NULL, run_half, &half[h]);
    }
    for (unsigned h = 0; h < 2; h++)
        pthread_join(half[h].thread, NULL);
    assert_string_equal(half[0].error, "");
    assert_string_equal(half[1].error, "");
    assert_null(tern_span_dead(half[0].span));
    assert_true(tern_span_idle(half[1].span));
    assert_false(tern_span_idle(half[0].span));
    close_both(half);
}

static void a_block_of_other_cycles_ends_the_link(void **state)
{
    struct half half[2];
    unsigned garbage = 0;

    (void)state;
    open_both(half, TERN_TIER_RTL);
    half[1].cycles = BLOCK;
    half[1].error[0] = 0;
    pthread_create(&half[1].thread, NULL, run_half, &half[1]);
    tern_span_block(half[0].span, BLOCK, BLOCK, false);
    pthread_join(half[1].thread, NULL);
    for (unsigned h = 0; h < 2; h++) {
        assert_non_null(tern_span_dead(half[h].span));
        assert_true(tern_net_is_cut(half[h].net, h, X_PLUS));
        garbage += strstr(tern_span_dead(half[h].span), "garbage") != NULL;
    }
    assert_true(garbage > 0); /* who sees it first ends the connection */
    close_both(half);
}

static void a_torus_falls_in_two_halves(void **state)
{
    static const struct tern_torus box = {.sides = {3, 3, 1}};
    unsigned second = 0;

    (void)state;
    assert_int_equal(tern_span_half(&ring, 0), 0);
    assert_int_equal(tern_span_half(&ring, 1), 1);
    for (unsigned n = 0; n < 9; n++)
        second += tern_span_half(&box, n);
    assert_int_equal(second, 4);
}

#define TEST(name) cmocka_unit_test(name)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_torus_falls_in_two_halves),
        TEST(a_stranger_is_refused),
        TEST(a_peer_that_does_not_fit_is_refused),
        TEST(without_a_peer_the_wait_ends),
        TEST(packets_cross_in_order),
        TEST(a_receiver_that_takes_nothing_holds_the_sender_back),
        TEST(each_half_learns_that_the_other_hears_it),
        TEST(a_peer_that_ends_is_a_cut_link),
        TEST(frames_that_break_the_rules_end_the_link),
        TEST(more_packets_than_places_end_the_link),
        TEST(beats_arrive_in_the_cycle_in_which_they_would_in_one_simulator),
        TEST(a_block_of_other_cycles_ends_the_link),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
