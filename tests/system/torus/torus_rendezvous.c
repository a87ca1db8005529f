/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rendezvous in a torus 2x2x2: seven NICs reserve room in their arenas, each at another address,
 * and the eighth then broadcasts, without host software in between.
 *
 * usage: torus_rendezvous
 */
#include <string.h>
#include <tern/counter.h>
#include <tern/rendezvous.h>

#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    SIDE = 2,
    NODES = SIDE * SIDE * SIDE,
    OTHERS = NODES - 1,
    BYTES = 128 << 10, /* of a node's memory */
    ARENA = 32 << 10,  /* bytes of the arena, at the start of the memory */
    COUNTER = 5,
    STEP = 64,         /* cycles */
    CALM = 3000,      /* cycles after which nothing moves any more */
    BOUND = 1000000,
    AREA = 2,
    ANSWER = 8000,     /* cycles that members have to answer */
    LEASE = 12000,
    REFERENCE = 0x1d00d,
    PUT = 7            /* context */
};

struct member {
    struct tern_arena *arena;
    struct tern_completion last; /* the last completion of its arena */
};

static struct yard yard;
static struct member member[NODES];
static struct tern_group *group;
static struct tern_rendezvous *rendezvous;
static uint32_t key;

static void run(unsigned cycles)
{
    for (unsigned at = 0; at < cycles; at += STEP)
        tern_sim_run(yard.sim, STEP);
}

static struct tern_completion next(unsigned n)
{
    return yard_next(&yard, &yard.end[n], BOUND);
}

static bool silent(unsigned n)
{
    struct tern_completion got;

    return !yard_poll(&yard, &yard.end[n], &got);
}

static bool all_silent(void)
{
    bool good = true;

    run(CALM);
    for (unsigned n = 0; n < NODES; n++)
        good = silent(n) && good;
    return good;
}

/* ---- setting up */

static void join(unsigned n)
{
    struct yard_end *end = &yard.end[n];
    struct tern_arena_memory memory = {
        .region = end->region, .base = end->buffer, .bytes = ARENA, .counter = COUNTER};

    yard_must(tern_counter_set(end->device, COUNTER, 0), "counter");
    yard_must(tern_arena_open(end->cq, key, &memory, &member[n].arena), "open an arena");
}

static void make_rendezvous(unsigned origin, const struct tern_rendezvous_limits *limits,
                            struct tern_rendezvous **out)
{
    struct yard_end *end = &yard.end[origin];
    struct tern_info info;

    yard_must(tern_query(end->device, &info), "query");
    yard_must(tern_group_create(end->cq, tern_box_all(info.dims), key, 1, &group), "group");
    yard_must(tern_rendezvous_create(end->cq, group, limits, out), "rendezvous");
    yard_must(tern_group_destroy(group), "group goes");
}

/* ---- putting */

static uint8_t byte_of(unsigned i, unsigned round)
{
    return (uint8_t)(i * 7 + (i >> 8) + round * 31);
}

static void fill(unsigned origin, uint32_t bytes, unsigned round)
{
    for (unsigned i = 0; i < bytes; i++)
        yard.end[origin].buffer[ARENA + i] = byte_of(i, round);
}

static void put(unsigned origin, struct tern_rendezvous *with, uint32_t bytes, unsigned round)
{
    struct yard_end *end = &yard.end[origin];

    fill(origin, bytes, round);
    yard_must(tern_rendezvous_put(end->sq, with, end->region, end->buffer + ARENA, bytes,
                                  REFERENCE + round, PUT),
              "put");
}

static struct tern_completion put_and_wait(uint32_t bytes, unsigned round)
{
    put(0, rendezvous, bytes, round);
    return next(0);
}

/* Checks that a node got the completion and has the bytes. */
static bool stands(unsigned n, unsigned origin, uint32_t bytes, unsigned round)
{
    struct tern_completion got = next(n);
    const uint8_t *data = got.data;

    if (got.opcode != TERN_OP_ARRIVED || got.status != TERN_ST_OK || got.length != bytes || !data ||
        got.imm != REFERENCE + round || got.node != yard.end[origin].node)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        if (data[i] != byte_of(i, round))
            return false;
    member[n].last = got;
    return true;
}

/* The same, and frees the room of all that has arrived. */
static bool arrived(unsigned n, unsigned origin, uint32_t bytes, unsigned round)
{
    return stands(n, origin, bytes, round) &&
           tern_arena_release(member[n].arena, &member[n].last) == 0;
}

static bool all_arrived(uint32_t bytes, unsigned round)
{
    bool good = true;

    for (unsigned n = 1; n < NODES; n++)
        good = arrived(n, 0, bytes, round) && good;
    return good;
}

static uint64_t statistic(unsigned n, unsigned row)
{
    uint64_t stats[TERN_STAT_COUNT];

    yard_must(tern_stats(yard.end[n].device, stats), "statistics");
    return stats[row];
}

/*
 * Checks without advancing time: the origin's completion comes only when all members have all
 * bytes.
 */
static bool all_arrived_already(uint32_t bytes, unsigned round)
{
    uint64_t cycle = tern_sim_cycle(yard.sim);
    bool good = true;

    for (unsigned n = 1; n < NODES; n++)
        good = stands(n, 0, bytes, round) && good;
    good = good && tern_sim_cycle(yard.sim) == cycle;
    for (unsigned n = 1; n < NODES; n++)
        good = tern_arena_release(member[n].arena, &member[n].last) == 0 && good;
    return good;
}

static unsigned bases(struct tern_answer *answers)
{
    unsigned differ = 0;

    (void)tern_rendezvous_answers(rendezvous, answers, OTHERS);
    for (unsigned i = 1; i < OTHERS; i++)
        differ += answers[i].base != answers[i - 1].base;
    return differ;
}

/* Makes an arena keep the room of so many bytes. */
static bool put_to_one(unsigned n, uint32_t bytes)
{
    struct tern_rendezvous_limits limits = { .area = AREA + 1, .answer = ANSWER, .lease = LEASE };
    struct tern_rendezvous *one;
    bool good;

    yard_must(tern_group_create_list(yard.end[0].cq, &yard.end[n].node, 1, key, 1, &group),
              "group");
    yard_must(tern_rendezvous_create(yard.end[0].cq, group, &limits, &one), "rendezvous of one");
    put(0, one, bytes, n);
    good = next(0).status == TERN_ST_OK && stands(n, 0, bytes, n);
    yard_must(tern_rendezvous_destroy(one), "goes");
    yard_must(tern_group_destroy(group), "group goes");
    return good;
}

/*
 * Each arena keeps another number of bytes, so that later bases differ. Every node in the box with
 * an arena of the key is a member; the farthest opens first.
 */
static bool open_and_skew(void)
{
    bool good = true;

    for (unsigned n = OTHERS; n >= 1; n--) {
        join(n);
        good = put_to_one(n, 100 * n) && good;
    }
    return good && all_silent();
}

/* Adds up a statistic of the NICs of all members. */
static uint64_t members_count(unsigned what)
{
    uint64_t sum = 0;

    for (unsigned n = 1; n < NODES; n++)
        sum += statistic(n, what);
    return sum;
}

/*
 * Returns how many doorbells the NIC of the origin, or those of all members, counted. Reading the
 * statistics also rings one at each NIC.
 */
static uint64_t bells(bool of_the_origin)
{
    return of_the_origin ? statistic(0, TERN_STAT_doorbells) : members_count(TERN_STAT_doorbells);
}

static void bytes_go_where_each_target_says(void)
{
    struct tern_answer answers[OTHERS];
    struct tern_completion got;
    uint64_t origin_rings, rings, heard;
    unsigned answered = 0;
    bool good;

    heard = members_count(TERN_STAT_fw_requests);
    origin_rings = bells(true);
    rings = bells(false);
    run(CALM); /* the doorbells of the statistics have arrived */
    yard_watch(&yard);
    got = put_and_wait(5000, 9);
    good = got.status == TERN_ST_OK && got.opcode == TERN_OP_BCAST && got.context == PUT;
    if (!rig_tier_is_soft()) /* the chip's trace port must agree */
        good = good && yard.watch.rings[0] == 1;
    origin_rings = bells(true) - origin_rings - 1;
    rings = bells(false) - rings - OTHERS;
    tap(good && origin_rings == 1 && rings == 0,
        "one_doorbell_starts_it_all_and_no_host_does_anything_else");
    heard = members_count(TERN_STAT_fw_requests) - heard;
    tap_evidence("N1", "targets=%llu doorbells=%llu others=%llu", (unsigned long long)heard,
                 (unsigned long long)origin_rings, (unsigned long long)rings);
    tap_evidence("N7", "targets=%llu doorbells=%llu others=%llu", (unsigned long long)heard,
                 (unsigned long long)origin_rings, (unsigned long long)rings);
    tap_evidence("N10", "doorbells=%llu", (unsigned long long)origin_rings);
    tap(heard == OTHERS, "each_targets_firmware_takes_the_request_from_its_reception_slots");
    tap_evidence("N3", "requests=%llu", (unsigned long long)heard);
    tap(all_arrived(5000, 9), "bytes_go_where_each_target_says");
    tap(bases(answers) >= OTHERS - 1, "bases_differ_from_target_to_target");
    tap_evidence("N4", "bases_that_differ=%u", bases(answers) + 1);
    tap(all_silent(), "nobody_is_told_more_than_that");
    for (unsigned n = 1; n < NODES; n++)
        answered += answers[n - 1].status == TERN_ST_OK;
    tap(good && answered == OTHERS, "every_member_has_answered");
    tap_evidence("N5", "answers=%u", answered);
}

static void many_in_a_row_go_round_the_arenas(void)
{
    static const uint32_t sizes[] = { 1, 9000, 20000, 31, 32768, 4096 };
    bool good = true;

    for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        good = put_and_wait(sizes[i], 20 + i).status == TERN_ST_OK && good;
        good = all_arrived(sizes[i], 20 + i) && good;
    }
    tap(good && all_silent(), "many_in_a_row_go_round_the_arenas");
}

/* One member has no room: no member gets the bytes. */
static void who_has_no_room_is_named_and_nothing_is_sent(void)
{
    struct tern_answer answers[OTHERS];
    struct tern_completion kept, got;
    uint64_t landed;
    bool good;

    good = put_and_wait(20000, 40).status == TERN_ST_OK;
    for (unsigned n = 1; n < NODES; n++)
        if (n != 4)
            good = arrived(n, 0, 20000, 40) && good;
    kept = next(4); /* its room is not freed */
    landed = members_count(TERN_STAT_rx_put_packets);
    yard_watch(&yard);
    got = put_and_wait(20000, 41);
    run(CALM);
    if (!rig_tier_is_soft()) /* the chip's trace port must agree */
        good = good && yard.watch.landed == 0;
    landed = members_count(TERN_STAT_rx_put_packets) - landed;
    tap(good && got.status == TERN_ST_ARENA_FULL && got.node == yard.end[4].node &&
            got.context == PUT && landed == 0 && all_silent(),
        "who_has_no_room_is_named_and_nothing_is_sent");
    tap_evidence("N36", "status=%u named=%u full=%u landed=%llu", (unsigned)got.status, got.node,
                 yard.end[4].node, (unsigned long long)landed);
    (void)tern_rendezvous_answers(rendezvous, answers, OTHERS);
    good = true;
    for (unsigned n = 1; n < NODES; n++)
        good = good && answers[n - 1].status == (n == 4 ? TERN_ST_ARENA_FULL : TERN_ST_OK);
    tap(good, "all_answers_are_known");
    yard_must(tern_arena_release(member[4].arena, &kept), "release");
    good = put_and_wait(20000, 42).status == TERN_ST_OK;
    tap(good && all_arrived(20000, 42), "the_next_one_takes_the_room_that_was_kept");
    got = put_and_wait(ARENA + 1, 43);
    tap(got.status == TERN_ST_BAD_LENGTH && got.node == yard.end[1].node,
        "more_than_an_arena_is_refused");
    yard_must(tern_rendezvous_withdraw(yard.end[0].sq, rendezvous), "withdraw");
    tap(all_silent(), "a_withdrawal_is_silent");
}

/* A member does not exist: the time limit ends the put. */
static void who_does_not_answer_is_named(void)
{
    struct tern_completion got;
    bool good;

    yard_must(tern_arena_close(member[6].arena), "close");
    got = put_and_wait(3000, 50);
    tap(got.status == TERN_ST_TIMEOUT && got.node == yard.end[6].node && all_silent(),
        "who_does_not_answer_is_named");
    join(6);
    good = put_and_wait(3000, 51).status == TERN_ST_OK;
    tap(good && all_arrived(3000, 51), "the_next_one_goes_through_without_the_library_made_anew");
}

/* Checks two rendezvous that share a member, as those of two origins may. */
static void two_origins_meet(void)
{
    struct tern_rendezvous_limits limits = { .area = AREA, .answer = ANSWER, .lease = LEASE };
    struct tern_rendezvous *other;
    struct tern_completion got;
    bool good = true;

    yard_must(tern_arena_close(member[7].arena), "close");
    yard_must(tern_group_create_list(yard.end[0].cq, &yard.end[1].node, 1, key, 1, &group),
              "group");
    limits.area = AREA + 1;
    yard_must(tern_rendezvous_create(yard.end[0].cq, group, &limits, &other), "rendezvous of one");
    got = put_and_wait(1000, 60); /* node 7 does not answer: the others keep the room for node 0 */
    good = got.status == TERN_ST_TIMEOUT;
    put(0, other, 1000, 61); /* a second rendezvous has another pass */
    got = next(0);
    tap(good && got.status == TERN_ST_ARENA_BUSY && got.node == yard.end[1].node,
        "one_origin_at_a_time");
    yard_must(tern_rendezvous_withdraw(yard.end[0].sq, rendezvous), "withdraw");
    run(CALM);
    put(0, other, 1000, 62);
    good = next(0).status == TERN_ST_OK;
    tap(good && arrived(1, 0, 1000, 62), "a_withdrawal_makes_room_for_others");
    got = put_and_wait(1000, 63);
    good = got.status == TERN_ST_TIMEOUT;
    run(LEASE + LEASE / 4);
    put(0, other, 1000, 64);
    good = next(0).status == TERN_ST_OK && good;
    tap(good && arrived(1, 0, 1000, 64), "room_for_which_nothing_comes_is_taken_back");
    yard_must(tern_rendezvous_destroy(other), "goes");
    yard_must(tern_group_destroy(group), "group goes");
    join(7);
    good = put_and_wait(777, 65).status == TERN_ST_OK;
    tap(good && all_arrived(777, 65) && all_silent(), "and_all_is_as_before");
}

/*
 * The literal variant: answers are messages to the origin's host, which counts them and starts the
 * put.
 */
static void the_host_counts_and_starts(void)
{
    struct tern_rendezvous_limits limits = { .area = AREA + 1, .lease = LEASE };
    struct yard_end *end = &yard.end[0];
    struct tern_rendezvous *literal;
    struct tern_completion got;
    unsigned arrivals = 0;
    int left = OTHERS;
    bool good;

    yard_must(tern_rq_create(end->cq, 4, 6, TERN_QUEUE_ANY, &limits.answers), "reception FIFO");
    make_rendezvous(0, &limits, &literal);
    fill(0, 2500, 70);
    yard_must(tern_rendezvous_ask(end->sq, literal, 2500, REFERENCE + 70), "ask");
    good = tern_rendezvous_send(end->sq, literal, end->region, end->buffer + ARENA, PUT) ==
           -TERN_ST_AGAIN;
    while (left > 0) {
        got = next(0);
        left = tern_rendezvous_heard(literal, &got);
        arrivals++;
    }
    tap(good && left == 0 && arrivals == OTHERS, "answers_come_into_the_origins_reception_fifo");
    tap_evidence("N6", "arrivals=%u", arrivals);
    tap_evidence("N17", "answers_in_the_fifo=%u", arrivals);
    good = tern_rendezvous_heard(literal, &got) == 0; /* a repeated answer counts once */
    yard_must(tern_rq_release(limits.answers, OTHERS), "release");
    yard_must(tern_rendezvous_send(end->sq, literal, end->region, end->buffer + ARENA, PUT),
              "send");
    got = next(0);
    good = good && got.status == TERN_ST_OK && got.context == PUT && all_arrived(2500, 70);
    tap(good && all_silent(), "the_host_of_the_origin_starts_the_put");
    tap_evidence("N10", "arrivals=%u", arrivals);
    yard_must(tern_rendezvous_destroy(literal), "goes");
    yard_must(tern_rq_destroy(limits.answers), "goes");
}

/*
 * Checks that the nodes combine the answers, and the reports that all bytes arrived: the origin
 * gets 3, one for each port, instead of 7, one for each member.
 */
static void combined(void)
{
    struct tern_rendezvous_limits limits = {
        .area = AREA + 2, .answer = 3 * ANSWER, .lease = LEASE, .combined = true};
    struct tern_rendezvous *tree, *plain = rendezvous;
    struct tern_completion kept, got;
    uint64_t before, heard;
    bool good;

    make_rendezvous(0, &limits, &tree);
    rendezvous = tree;
    before = statistic(0, TERN_STAT_fw_checkins);
    run(CALM); /* the doorbell of the query has arrived */
    yard_watch(&yard);
    got = put_and_wait(ARENA, 90);
    good = got.status == TERN_ST_OK && got.opcode == TERN_OP_BCAST && got.context == PUT &&
           got.length == ARENA;
    if (!rig_tier_is_soft())
        good = good && yard.watch.rings[0] == 1;
    good = all_arrived_already(ARENA, 90) && good;
    heard = statistic(0, TERN_STAT_fw_checkins) - before;
    tap(good && heard == 6, "the_origin_hears_one_answer_and_one_delivery_for_each_port");
    tap_evidence("N38", "heard=%llu", (unsigned long long)heard);
    good = put_and_wait(20000, 91).status == TERN_ST_OK;
    for (unsigned n = 1; n < NODES; n++)
        if (n != 6)
            good = arrived(n, 0, 20000, 91) && good;
    kept = next(6);
    yard_watch(&yard);
    got = put_and_wait(20000, 92);
    run(CALM);
    tap(good && got.status == TERN_ST_ARENA_FULL && got.node == yard.end[6].node && all_silent() &&
            (rig_tier_is_soft() || yard.watch.landed == 0),
        "a_refusal_comes_up_the_tree_with_its_name");
    yard_must(tern_arena_release(member[6].arena, &kept), "release");
    yard_must(tern_arena_close(member[5].arena), "close");
    got = put_and_wait(100, 93);
    tap(got.status == TERN_ST_NO_BASE && all_silent(), "a_member_without_an_arena_is_missed");
    join(5);
    good = put_and_wait(100, 94).status == TERN_ST_OK;
    tap(good && all_arrived(100, 94) && all_silent(), "the_tree_is_as_before");
    yard_must(tern_rendezvous_withdraw(yard.end[0].sq, tree), "withdraw");
    run(CALM);
    yard_must(tern_rendezvous_destroy(tree), "goes");
    rendezvous = plain;
}

/* ---- a relayed request */

/* The members in the order in which the request visits them: up and down the lines. */
static const unsigned on_the_way[OTHERS] = { 1, 3, 2, 6, 7, 5, 4 };

/* Checks the request stored at the last member: each member has added its room at the end. */
static unsigned have_added_their_rooms(void)
{
    const struct member *last = &member[on_the_way[OTHERS - 1]];
    const uint8_t *stored = (const uint8_t *)last->last.data + TERN_RELAY_BYTES;
    unsigned count = 0;
    uint32_t base;

    for (unsigned i = 0; i < OTHERS; i++) {
        memcpy(&base, stored + sizeof(base) * i, sizeof(base));
        count += base == member[on_the_way[i]].last.value;
    }
    return count;
}

/* Fewer bytes than the request has, so that the stored request remains visible. */
static void rooms_are_added_on_the_way(void)
{
    struct tern_completion got;
    uint64_t gets, heard;
    unsigned added;
    bool skewed, good;

    for (unsigned n = 1; n < NODES; n++)
        yard_must(tern_arena_close(member[n].arena), "close");
    skewed = open_and_skew();
    gets = statistic(0, TERN_STAT_fw_gets);
    heard = statistic(0, TERN_STAT_fw_checkins);
    run(CALM); /* the doorbells of the statistics have arrived */
    yard_watch(&yard);
    got = put_and_wait(24, 100);
    good = got.status == TERN_ST_OK && got.opcode == TERN_OP_BCAST && got.context == PUT &&
           got.length == 24;
    if (!rig_tier_is_soft())
        good = good && yard.watch.rings[0] == 1;
    for (unsigned n = 1; n < NODES; n++)
        good = stands(n, 0, 24, 100) && good;
    added = have_added_their_rooms();
    tap(good && skewed && added == OTHERS, "each_member_adds_its_room_and_passes_the_request_on");
    tap_evidence("N11", "members=%u", added);
    gets = statistic(0, TERN_STAT_fw_gets) - gets;
    heard = statistic(0, TERN_STAT_fw_checkins) - heard;
    tap(gets == 1 && heard == 0, "the_last_ones_remote_get_is_all_that_the_origin_hears");
    tap_evidence("N12", "gets=%llu checkins=%llu", (unsigned long long)gets,
                 (unsigned long long)heard);
    for (unsigned n = 1; n < NODES; n++)
        good = tern_arena_release(member[n].arena, &member[n].last) == 0 && good;
    for (unsigned i = 1; i <= 2; i++) /* room that only the request needed is free again */
        good = put_and_wait(ARENA, 100 + i).status == TERN_ST_OK && all_arrived(ARENA, 100 + i) &&
               good;
    tap(good, "whole_arenas_are_filled_in_a_row");
}

static void who_does_not_pass_it_on_is_named(void)
{
    struct tern_completion kept, got;
    bool good = put_and_wait(20000, 111).status == TERN_ST_OK;

    for (unsigned n = 1; n < NODES; n++)
        if (n != 6)
            good = arrived(n, 0, 20000, 111) && good;
    kept = next(6);
    got = put_and_wait(20000, 112);
    tap(good && got.status == TERN_ST_ARENA_FULL && got.node == yard.end[6].node &&
            got.context == PUT && all_silent(),
        "a_member_without_room_is_told_of_by_the_one_before_it");
    yard_must(tern_arena_release(member[6].arena, &kept), "release");
    yard_must(tern_arena_close(member[1].arena), "close");
    got = put_and_wait(100, 113);
    good = got.status == TERN_ST_NO_BASE && got.node == yard.end[1].node;
    join(1);
    yard_must(tern_arena_close(member[5].arena), "close");
    got = put_and_wait(100, 114);
    tap(good && got.status == TERN_ST_NO_BASE && got.node == yard.end[5].node && all_silent(),
        "a_member_without_an_arena_is_named");
    join(5);
}

static void bytes_that_may_not_be_read(void)
{
    struct yard_end *end = &yard.end[0];
    struct tern_region *closed;
    struct tern_completion got;

    yard_must(tern_register(end->device, end->buffer, BYTES, TERN_RIGHT_LOCAL_READ, &closed),
              "register");
    yard_must(tern_rendezvous_put(end->sq, rendezvous, closed, end->buffer + ARENA, 100, 0, PUT),
              "put");
    got = next(0);
    tap(got.status == TERN_ST_BAD_RIGHTS && all_silent(),
        "bytes_that_others_may_not_have_sent_are_not");
    yard_must(tern_release(closed), "release");
}

static void passed_on(void)
{
    struct tern_rendezvous_limits limits = {
        .area = AREA + 4, .answer = 8 * ANSWER, .lease = 8 * LEASE};
    struct tern_rendezvous *plain = rendezvous, *relay;

    yard_must(tern_fifo_create(yard.end[0].cq, 1, &limits.relay), "FIFO");
    make_rendezvous(0, &limits, &relay);
    rendezvous = relay;
    rooms_are_added_on_the_way();
    who_does_not_pass_it_on_is_named();
    bytes_that_may_not_be_read();
    tap(put_and_wait(3000, 120).status == TERN_ST_OK && all_arrived(3000, 120) && all_silent(),
        "behind_those_that_failed_it_goes_on");
    yard_must(tern_rendezvous_withdraw(yard.end[0].sq, relay), "withdraw");
    run(CALM);
    yard_must(tern_rendezvous_destroy(relay), "goes");
    yard_must(tern_fifo_destroy(limits.relay), "FIFO goes");
    rendezvous = plain;
}

/*
 * The chip alone forwards a request: the route to the farthest node leads through two nodes with
 * halted firmware.
 */
static void a_request_passes_nodes_whose_firmware_stands_still(void)
{
    static const unsigned between[] = { 1, 3 };
    struct tern_rendezvous_limits limits = { .area = AREA + 1, .answer = ANSWER, .lease = LEASE };
    struct tern_rendezvous *far;
    unsigned held = 0;
    bool good;

    yard_must(tern_group_create_list(yard.end[0].cq, &yard.end[OTHERS].node, 1, key, 1, &group),
              "group");
    yard_must(tern_rendezvous_create(yard.end[0].cq, group, &limits, &far), "rendezvous of one");
    yard_must(tern_group_destroy(group), "group goes");
    for (unsigned i = 0; i < 2; i++)
        held += tern_core_hold(yard.end[between[i]].device, true) == 0;
    put(0, far, 1500, 80);
    good = next(0).status == TERN_ST_OK && arrived(OTHERS, 0, 1500, 80);
    tap(good && held == sizeof(between) / sizeof(between[0]),
        "a_request_passes_nodes_whose_firmware_stands_still");
    tap_evidence("N2", "held=%u arrived=%u", held, good);
    yard_must(tern_rendezvous_destroy(far), "goes");
}

static void nothing_is_left(void)
{
    bool good = true;

    yard_must(tern_rendezvous_destroy(rendezvous), "rendezvous goes");
    for (unsigned n = 1; n < NODES; n++) {
        uint64_t stats[TERN_STAT_COUNT];

        yard_must(tern_arena_close(member[n].arena), "close");
        yard_must(tern_stats(yard.end[n].device, stats), "statistics");
        good = good && stats[TERN_STAT_used_regions] == yard.end[n].stats[TERN_STAT_used_regions] &&
               stats[TERN_STAT_used_operations] == 0;
    }
    tap(good, "tables_are_as_they_were");
}

int main(void)
{
    const struct tern_rendezvous_limits limits = { .area = AREA, .answer = ANSWER, .lease = LEASE };
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    key = tern_group_key(200, 0x6a17);
    for (unsigned n = 0; n < NODES; n++)
        yard_must(tern_stats(yard.end[n].device, yard.end[n].stats), "statistics");
    tap(open_and_skew(), "groups_of_one");
    make_rendezvous(0, &limits, &rendezvous);
    bytes_go_where_each_target_says();
    many_in_a_row_go_round_the_arenas();
    who_has_no_room_is_named_and_nothing_is_sent();
    who_does_not_answer_is_named();
    two_origins_meet();
    the_host_counts_and_starts();
    combined();
    passed_on();
    nothing_is_left();
    join(OTHERS);
    a_request_passes_nodes_whose_firmware_stands_still();
    yard_close(&yard);
    return tap_end();
}
