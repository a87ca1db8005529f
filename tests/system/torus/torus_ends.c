/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A transfer from both ends: while the handshake for the rear of a message runs, its front is sent
 * by messages into the target's reception FIFO, and the direct put brings the rest. The target's
 * host chooses the address: after room for the front, so that the message is contiguous.
 *
 * usage: torus_ends
 */
#include <stdio.h>
#include <string.h>
#include <tern/counter.h>
#include <tern/rendezvous.h>

#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    WHOLE = 24 << 10,
    PIECE = 512,       /* bytes of a message */
    FRONT = 4 * PIECE, /* bytes sent by messages */
    BYTES = 64 << 10,  /* of a node's memory */
    COUNTER = 5,
    AREA = 2,
    ANSWER = 60000,
    LEASE = 120000,
    REFERENCE = 77,
    PUT = 7,          /* context */
    QUEUE_LOG2 = 5,
    STEP = 16,
    BOUND = 1000000,
};

/* Times of events at the target, in cycles since the origin posted. */
struct times {
    uint64_t first; /* first bytes */
    uint64_t whole; /* all */
};

static struct yard yard;
static struct yard_end *origin, *target;
static struct tern_sq *ahead; /* a queue of the origin beside that of the put, which waits */
static struct tern_rq *rq;
static struct tern_arena *arena;
static struct tern_rendezvous *rendezvous;

static uint8_t byte_of(unsigned i, unsigned round)
{
    return (uint8_t)(i * 5 + (i >> 8) + round * 29);
}

static void set_up(void)
{
    struct tern_arena_memory memory = {
        .base = 0, .bytes = BYTES / 2, .counter = COUNTER, .asks = true};
    struct tern_rendezvous_limits limits = { .area = AREA, .answer = ANSWER, .lease = LEASE };
    const uint32_t key = tern_group_key(200, 0x6a17);
    struct tern_group *group;

    memory.region = target->region;
    memory.base = target->buffer;
    yard_must(tern_counter_set(target->device, COUNTER, 0), "counter");
    yard_must(tern_arena_open(target->cq, key, &memory, &arena), "arena");
    yard_must(tern_rq_create(target->cq, QUEUE_LOG2, 9, TERN_QUEUE_ANY, &rq), "reception FIFO");
    yard_must(tern_sq_create(origin->cq, QUEUE_LOG2, &ahead), "send queue");
    yard_must(tern_group_create_list(origin->cq, &target->node, 1, key, 1, &group), "group");
    yard_must(tern_rendezvous_create(origin->cq, group, &limits, &rendezvous), "rendezvous");
    yard_must(tern_group_destroy(group), "group goes");
}

static void send_front(uint32_t front)
{
    struct tern_target to = { .node = target->node, .queue = tern_rq_number(rq) };

    for (uint32_t at = 0; at < front; at += PIECE)
        yard_must(tern_send(ahead, to, origin->region, origin->buffer + at, PIECE,
                            at + PIECE < front ? TERN_MORE : 0, 0),
                  "send");
}

/* The target's host: handles completions; returns how many bytes are in place. */
static uint32_t serve(uint32_t front, uint32_t *sent)
{
    struct tern_completion got;
    uint32_t came = 0;

    while (yard_poll(&yard, target, &got)) {
        if (got.status != TERN_ST_OK)
            return 0;
        if (got.opcode == TERN_OP_ASKED)
            yard_must(tern_arena_accept(arena, &got, target->buffer + front), "accept");
        if (got.opcode == TERN_OP_ARRIVED)
            came += got.length;
        if (got.opcode != TERN_OP_RECV)
            continue;
        memcpy(target->buffer + *sent, got.data, got.length);
        yard_must(tern_rq_release(rq, 1), "release");
        *sent += got.length;
        came += got.length;
    }
    return came;
}

/* Moves all bytes, `front` of them by messages; the times are 0 when they do not arrive. */
static struct times move(uint32_t front, unsigned round)
{
    uint64_t since = tern_sim_cycle(yard.sim), now = since;
    struct tern_completion got = { .status = TERN_ST_WAIT_EXPIRED };
    struct times times = {0};
    uint32_t sent = 0, came = 0;
    bool ended = false;

    memset(target->buffer, 0, WHOLE);
    for (unsigned i = 0; i < WHOLE; i++)
        origin->buffer[i] = byte_of(i, round);
    yard_must(tern_rendezvous_put(origin->sq, rendezvous, origin->region, origin->buffer + front,
                                  WHOLE - front, REFERENCE, PUT),
              "put");
    send_front(front);
    while ((came < WHOLE || !ended) && now - since < BOUND) {
        tern_sim_run(yard.sim, STEP);
        now = tern_sim_cycle(yard.sim);
        came += serve(front, &sent);
        ended = ended || yard_poll(&yard, origin, &got);
        if (came != 0 && times.first == 0)
            times.first = now - since;
        if (came == WHOLE && times.whole == 0)
            times.whole = now - since;
    }
    if (got.status != TERN_ST_OK || got.context != PUT)
        times.whole = 0;
    return times;
}

static bool stands(unsigned round)
{
    for (unsigned i = 0; i < WHOLE; i++)
        if (target->buffer[i] != byte_of(i, round))
            return false;
    return true;
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct times one, both;

    config.dims[0] = 2;
    config.dims[1] = config.dims[2] = 1;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    origin = &yard.end[0];
    target = &yard.end[1];
    set_up();
    one = move(0, 1);
    tap(one.whole != 0 && stands(1), "all_of_it_comes_by_the_direct_put");
    both = move(FRONT, 2);
    tap(both.whole != 0 && stands(2), "from_both_ends_it_comes_in_one_piece");
    tap(rig_tier_is_soft() || both.first < one.first,
        "from_both_ends_the_first_bytes_come_during_the_handshake");
    tap_evidence("N16", "front=%u first=%llu whole=%llu", (unsigned)FRONT,
                 (unsigned long long)both.first, (unsigned long long)both.whole);
    printf("# without it: first=%llu whole=%llu\n", (unsigned long long)one.first,
           (unsigned long long)one.whole);
    yard_close(&yard);
    return tap_end();
}
