/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queue pairs between two NICs of a ring: order and exactly-once when buffers are scarce, messages
 * of many packets, kinds, errors and flushes, bad input, and a peer that is killed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/pair.h>
#include <tern/work.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    ENTRY_LOG2 = 12,
    LONGEST = 1 << ENTRY_LOG2,
    DEPTH_LOG2 = 5,
    MANY = 3, /* pairs that share one inbox */
    BUFFERS = 64,
    KEY = 0x11223344,
    NONE = -1,
    SLICE_MS = 1000,    /* of a wait; nothing is judged by it */
    PATIENCE = 60000000 /* cycles of a NIC: a net */
};

/* One host. */
struct side {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_region *region;
    struct tern_inbox *inbox;
    uint8_t memory[LONGEST], buffers[BUFFERS][LONGEST];
};

static struct side a, b;

static void side_open(struct side *side, const struct rig *rig, unsigned node)
{
    side->device = rig_open(rig, node);
    gives(tern_register(side->device, side->memory, LONGEST,
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE,
                        &side->region), 0, "tern_register");
    gives(tern_cq_create(side->device, 9, 0, &side->cq), 0, "tern_cq_create");
}

static void inbox_open(struct side *side, unsigned flags)
{
    gives(tern_inbox_create(side->cq, 4, ENTRY_LOG2, flags, &side->inbox), 0, "tern_inbox_create");
}

static struct tern_pair *pair_open(struct side *side, unsigned kind)
{
    struct tern_pair *pair;

    gives(tern_pair_create(side->cq, kind, DEPTH_LOG2, side->inbox, &pair), 0, "tern_pair_create");
    return pair;
}

static void connect_to(struct tern_pair *pair, const struct tern_pair *to, uint16_t first,
                       unsigned tries)
{
    const struct tern_pair_peer peer = {.name = tern_pair_name(to), .key = KEY, .first = first};

    gives(tern_pair_connect(pair, &peer), 0, "tern_pair_connect");
    gives(tern_pair_start(pair, first, tries), 0, "tern_pair_start");
}

static void couple(struct tern_pair *one, struct tern_pair *other, unsigned tries)
{
    connect_to(one, other, 65530, tries); /* close to the wrap of the sequence numbers */
    connect_to(other, one, 65530, tries);
}

static void post_buffer(struct side *side, unsigned number, uint32_t bytes)
{
    gives(tern_inbox_post(side->inbox, side->buffers[number % BUFFERS], bytes, number), 0,
          "tern_inbox_post");
}

/* Returns the cycles of a NIC so far, a time that does not depend on how busy the machine is. */
static uint64_t now_of(const struct side *side)
{
    uint64_t cycles = 0;

    gives(tern_cycles(side->device, &cycles), 0, "tern_cycles");
    return cycles;
}

static uint64_t now(void)
{
    return now_of(&a);
}

/* Tells, now and then, whether a wait has lasted longer than any correct operation can take. */
static bool too_late(uint64_t since)
{
    enum { ASKED = 256 };
    static unsigned asked;

    return ++asked % ASKED == 0 && now() - since > PATIENCE;
}

/* The next completion of `side`, while the other one is polled for nothing. */
static struct tern_completion next(struct side *side)
{
    struct tern_completion done = {.status = TERN_ST_WAIT_EXPIRED};
    uint64_t since = now_of(side);
    int got = 0;

    while (got == 0 && now_of(side) - since <= PATIENCE) {
        int status = tern_cq_wait(side->cq, SLICE_MS);

        gives(status == -TERN_ST_WAIT_EXPIRED ? 0 : status, 0, "tern_cq_wait");
        got = tern_cq_poll(side->cq, &done, 1);
    }
    gives(got, 1, "a completion");
    return done;
}

static bool ended(struct side *side, enum tern_status status, uint64_t context)
{
    struct tern_completion done = next(side);

    if (done.status == status && done.context == context)
        return true;
    tap_note("opcode %x context %llu: %s", done.opcode, (unsigned long long)done.context,
             tern_strerror((int)done.status));
    return false;
}

struct couple {
    struct tern_pair *one, *other;
};

/* Makes two connected pairs, each with an inbox of its own. */
static struct couple begin(unsigned kind, unsigned tries)
{
    struct couple pairs;

    inbox_open(&a, 0);
    inbox_open(&b, 0);
    pairs.one = pair_open(&a, kind);
    pairs.other = pair_open(&b, kind);
    couple(pairs.one, pairs.other, tries);
    return pairs;
}

static void end(const struct couple *pairs)
{
    gives(tern_pair_destroy(pairs->one), 0, "tern_pair_destroy");
    gives(tern_pair_destroy(pairs->other), 0, "tern_pair_destroy");
    gives(tern_inbox_destroy(a.inbox), 0, "tern_inbox_destroy");
    gives(tern_inbox_destroy(b.inbox), 0, "tern_inbox_destroy");
}

/* ---- one by one */

static bool one_message(const struct couple *pairs, uint32_t bytes, unsigned number)
{
    struct tern_completion got;
    bool sent;

    rig_fill(a.memory, bytes, number);
    post_buffer(&b, number, LONGEST);
    gives(tern_pair_send(pairs->one, a.region, a.memory, bytes, number,
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM | TERN_DFLAG_SOLICITED, 7),
          0, "tern_pair_send");
    sent = ended(&a, TERN_ST_OK, 7);
    got = next(&b);
    return sent && got.status == TERN_ST_OK && got.opcode == TERN_OP_RECV && got.length == bytes &&
        got.context == number &&
           got.imm == number && got.flags == (TERN_DFLAG_IMM | TERN_DFLAG_SOLICITED) &&
           got.queue == tern_pair_name(pairs->other).number &&
           got.value == tern_pair_name(pairs->one).number && got.node == tern_node(0, 0, 0) &&
           rig_holds(got.data, bytes, number);
}

static void sizes(unsigned kind, const char *text)
{
    static const uint32_t sizes[] = {0, 1, 31, 32, 33, 64, 255, 511, 512, 513, 1024, 1025, 2000,
                                     4095, 4096};
    struct couple pairs = begin(kind, 0);
    bool good = true;

    for (unsigned i = 0; good && i < sizeof(sizes) / sizeof(sizes[0]); i++)
        good = one_message(&pairs, sizes[i], i);
    tap(good,
        "messages of 0 to 4096 bytes arrive with immediate data, in the buffers posted for them "
        "(%s)", text);
    end(&pairs);
}

/* ---- many at once, and always too few buffers */

struct stream {
    struct tern_pair *from, *to;
    uint32_t sent, sent_well, got;
    bool wrong;
};

static struct {
    struct stream streams[MANY];
    unsigned posted; /* buffers */
    uint64_t moved;  /* when something came last */
    uint64_t random;
} flood;

/* Messages of each pair. */
static unsigned messages(void)
{
    return rig_tier_is_soft() ? 120 : 60;
}

/* Returns the length of message `number` of a pair; sometimes more than a packet. */
static uint32_t length_of(unsigned stream, uint32_t number)
{
    return number % 7 == 3 ? 700 + number % 300 : 8 + (number * 5 + stream * 3) % 60;
}

static void flood_send(unsigned which)
{
    struct stream *stream = &flood.streams[which];

    while (stream->sent < messages()) {
        uint32_t bytes = length_of(which, stream->sent);
        /* all equal except the first bytes of short messages */
        uint8_t *at = a.memory + (which * 1000);

        if (bytes <= TERN_INLINE_BYTES_MAX)
            memcpy(at, &stream->sent, 4);
        else
            bytes |= 1;
        if (tern_pair_send(stream->from, a.region, at, bytes, stream->sent,
                           TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, which))
            return;
        stream->sent++;
    }
}

static void flood_take(const struct tern_completion *done)
{
    for (unsigned i = 0; i < MANY; i++) {
        struct stream *stream = &flood.streams[i];
        uint32_t bytes = length_of(i, stream->got);

        if (bytes > TERN_INLINE_BYTES_MAX)
            bytes |= 1;
        if (done->queue != tern_pair_name(stream->to).number)
            continue;
        stream->wrong |= done->status != TERN_ST_OK || done->imm != stream->got ||
            done->length != bytes;
        if (!stream->wrong && bytes <= TERN_INLINE_BYTES_MAX)
            stream->wrong = memcmp(done->data, &stream->got, 4) != 0;
        if (stream->wrong)
            tap_note("pair %u: message %u of %u bytes in place of %u: %s", i, done->imm,
                     done->length, stream->got, tern_strerror((int)done->status));
        stream->got++;
    }
}

/* Posts a few buffers at a time, and sometimes none. */
static void flood_buffers(void)
{
    if (tern_inbox_left(b.inbox) != 0 ||
        random_below(&flood.random, rig_tier_is_soft() ? 40 : 200) != 0)
        return;
    for (unsigned i = random_below(&flood.random, 6) + 1; i-- > 0;)
        post_buffer(&b, flood.posted++, LONGEST);
}

static bool flood_goes_on(void)
{
    uint32_t left = 0;

    for (unsigned i = 0; i < MANY; i++)
        left += 2 * messages() - flood.streams[i].got - flood.streams[i].sent_well;
    return left != 0 && !too_late(flood.moved);
}

static void flood_poll(void)
{
    struct tern_completion done[8];
    int count = tern_cq_poll(a.cq, done, 8);

    gives(count < 0 ? count : 0, 0, "tern_cq_poll");
    for (int i = 0; i < count; i++) {
        struct stream *stream = &flood.streams[done[i].context % MANY];

        stream->wrong |= done[i].status != TERN_ST_OK;
        stream->sent_well++;
    }
    count = tern_cq_poll(b.cq, done, 8);
    gives(count < 0 ? count : 0, 0, "tern_cq_poll");
    for (int i = 0; i < count; i++)
        flood_take(&done[i]);
    if (count > 0)
        flood.moved = now();
}

static uint64_t statistic(struct tern_device *device, const char *name)
{
    uint64_t values[TERN_STAT_COUNT];

    gives(tern_stats(device, values), 0, "tern_stats");
    return values[tern_stat_find(name)];
}

static void scarce_buffers(void)
{
    bool good = true;
    uint64_t repeats = statistic(a.device, "fw_rnr_retries");

    memset(&flood, 0, sizeof(flood));
    flood.random = 5;
    flood.moved = now();
    inbox_open(&a, TERN_INBOX_SHARED);
    inbox_open(&b, TERN_INBOX_SHARED);
    for (unsigned i = 0; i < MANY; i++) {
        flood.streams[i].from = pair_open(&a, TERN_PAIR_RC);
        flood.streams[i].to = pair_open(&b, TERN_PAIR_RC);
        couple(flood.streams[i].from, flood.streams[i].to, TERN_PAIR_FOR_EVER);
    }
    while (flood_goes_on()) {
        for (unsigned i = 0; i < MANY; i++)
            flood_send(i);
        flood_buffers();
        flood_poll();
    }
    for (unsigned i = 0; i < MANY; i++)
        good = good && !flood.streams[i].wrong && flood.streams[i].got == messages();
    repeats = statistic(a.device, "fw_rnr_retries") - repeats;
    tap(good && repeats != 0,
        "messages of pairs that share an inbox with few buffers arrive in order, each once");
    tap_evidence("B7.12", "pairs=%u messages=%u repeats=%llu", MANY, MANY * messages(),
                 (unsigned long long)repeats);
    for (unsigned i = 0; i < MANY; i++) {
        gives(tern_pair_destroy(flood.streams[i].from), 0, "tern_pair_destroy");
        gives(tern_pair_destroy(flood.streams[i].to), 0, "tern_pair_destroy");
    }
    gives(tern_inbox_destroy(a.inbox), 0, "tern_inbox_destroy");
    gives(tern_inbox_destroy(b.inbox), 0, "tern_inbox_destroy");
}

/* ---- a receiver that is not ready */

static void send_some(struct tern_pair *pair, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        gives(tern_pair_send(pair, NULL, &i, sizeof(i), i, TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, i),
              0, "tern_pair_send");
}

/* Brings a pair in error back, after its flushed buffers were polled. */
static bool revive(struct side *side, struct tern_pair *pair)
{
    struct tern_completion done;
    uint64_t since = now();

    while (tern_pair_reset(pair) == -TERN_ST_QUEUE_BUSY && !too_late(since))
        (void)tern_cq_poll(side->cq, &done, 1);
    return tern_pair_state(pair) == TERN_PAIR_RESET;
}

static bool all_arrive(const struct couple *pairs, unsigned count)
{
    bool good = true;

    for (unsigned i = 0; i < count; i++)
        post_buffer(&b, i, LONGEST);
    send_some(pairs->one, count);
    for (unsigned i = 0; good && i < count; i++) {
        struct tern_completion got = next(&b);

        good = ended(&a, TERN_ST_OK, i) && got.status == TERN_ST_OK && got.imm == i &&
            got.context == i;
    }
    return good;
}

static bool goes_again(const struct couple *pairs)
{
    bool good = revive(&a, pairs->one) && tern_pair_fail(pairs->other) == 0 &&
        revive(&b, pairs->other);

    couple(pairs->one, pairs->other, 0);
    return good && all_arrive(pairs, 5);
}

static void not_ready(void)
{
    struct couple pairs = begin(TERN_PAIR_RC, 0);
    bool good;

    post_buffer(&a, 1, LONGEST);
    send_some(pairs.one, 5);
    good = ended(&a, TERN_ST_RNR, 0);
    for (unsigned i = 1; i < 5; i++)
        good = ended(&a, TERN_ST_FLUSHED, i) && good;
    tap(good && tern_pair_state(pairs.one) == TERN_PAIR_ERROR,
        "a receiver that stays not ready breaks the pair, and what was behind is flushed in order");
    tap(ended(&a, TERN_ST_FLUSHED, 1) &&
        tern_pair_send(pairs.one, NULL, "", 1, 0, 0, 0) == -TERN_ST_BAD_STATE,
        "the buffers of a broken pair are flushed, and nothing can be sent");
    tap(goes_again(&pairs), "after a reset on both sides the pair goes on");
    end(&pairs);
}

static void for_ever(void)
{
    struct couple pairs = begin(TERN_PAIR_RC, TERN_PAIR_FOR_EVER);
    uint64_t before = statistic(b.device, "fw_rnr_sent");
    uint64_t since = now();
    struct tern_completion done;
    bool good = true;

    rig_fill(a.memory, 2000, 5);
    gives(tern_pair_send(pairs.one, a.region, a.memory, 2000, 5,
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, 0), 0, "tern_pair_send");
    for (unsigned i = 1; i < 5; i++)
        gives(tern_pair_send(pairs.one, a.region, a.memory, 1500 * (i % 2), 5 + i,
                             TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, i), 0,
              "tern_pair_send");
    while (good && statistic(b.device, "fw_rnr_sent") - before < 12) /* more than the 9 of one
                                                                      * try */
        good = tern_cq_poll(a.cq, &done, 1) == 0 && !too_late(since);
    for (unsigned i = 0; i < 5; i++)
        post_buffer(&b, i, LONGEST);
    for (unsigned i = 0; good && i < 5; i++) {
        done = next(&b);
        good = done.imm == 5 + i && done.status == TERN_ST_OK &&
            rig_holds(done.data, done.length, 5);
        while (good && tern_cq_poll(a.cq, &done, 1) == 0)
            good = !too_late(since);
        good = good && done.status == TERN_ST_OK && done.context == i;
    }
    tap(good, "a sender that tries for ever waits for longer than the NIC does, and order stays");
    end(&pairs);
}

/* ---- errors */

static void too_long(void)
{
    struct couple pairs;
    bool good;

    gives(tern_inbox_create(a.cq, 4, 10, 0, &a.inbox), 0, "tern_inbox_create");
    gives(tern_inbox_create(b.cq, 4, 10, 0, &b.inbox), 0, "tern_inbox_create");
    pairs.one = pair_open(&a, TERN_PAIR_RC);
    pairs.other = pair_open(&b, TERN_PAIR_RC);
    couple(pairs.one, pairs.other, 0);
    post_buffer(&b, 0, LONGEST);
    post_buffer(&b, 1, LONGEST);
    gives(tern_pair_send(pairs.one, a.region, a.memory, 1025, 0, TERN_DFLAG_SIGNAL, 9), 0,
          "tern_pair_send");
    good = ended(&a, TERN_ST_MSG_TOO_LONG, 9) && tern_pair_state(pairs.one) == TERN_PAIR_ERROR;
    tap(good && ended(&b, TERN_ST_MSG_TOO_LONG, 0) && ended(&b, TERN_ST_FLUSHED, 1) &&
        tern_pair_state(pairs.other) == TERN_PAIR_ERROR,
        "a message longer than the inbox takes breaks both sides");
    good = goes_again(&pairs);
    post_buffer(&b, 0, 10);
    gives(tern_pair_send(pairs.one, a.region, a.memory, 11, 0, TERN_DFLAG_SIGNAL, 9), 0,
          "tern_pair_send");
    good = good && ended(&b, TERN_ST_MSG_TOO_LONG, 0) && ended(&a, TERN_ST_OK, 9);
    good = revive(&b, pairs.other) && good;
    gives(tern_pair_send(pairs.one, a.region, a.memory, 8, 0, TERN_DFLAG_SIGNAL, 10), 0,
          "tern_pair_send");
    tap(good && ended(&a, TERN_ST_BAD_STATE, 10) && tern_pair_state(pairs.one) == TERN_PAIR_ERROR,
        "a message longer than its buffer breaks the pair, and the sender hears of it with the "
        "next");
    end(&pairs);
}

/* Sends a message to a receiver set up as `peer` says, or not at all; checks its status. */
static bool refused(const struct tern_pair_peer *peer, uint16_t first, enum tern_status status)
{
    struct couple pairs;
    struct tern_pair_peer there = {.first = 0};
    bool good;

    inbox_open(&a, 0);
    inbox_open(&b, 0);
    pairs.one = pair_open(&a, TERN_PAIR_RC);
    pairs.other = pair_open(&b, TERN_PAIR_RC);
    there.name = tern_pair_name(pairs.other);
    gives(tern_pair_connect(pairs.one, &there), 0, "tern_pair_connect");
    gives(tern_pair_start(pairs.one, first, 0), 0, "tern_pair_start");
    if (peer) {
        struct tern_pair_peer mine = *peer;

        mine.name.number = (uint16_t)(mine.name.number + tern_pair_name(pairs.one).number);
        gives(tern_pair_connect(pairs.other, &mine), 0, "tern_pair_connect");
        gives(tern_pair_connect(pairs.other, &mine), -TERN_ST_BAD_STATE, "tern_pair_connect");
    }
    post_buffer(&b, 0, LONGEST);
    send_some(pairs.one, 2);
    good = ended(&a, status, 0) && ended(&a, TERN_ST_FLUSHED, 1) && tern_inbox_left(b.inbox) == 1;
    end(&pairs);
    return good;
}

static void bad_input(void)
{
    const struct tern_pair_peer well = {.first = 5};
    const struct tern_pair_peer another_node = {.name.node = tern_node(2, 0, 0), .first = 5};
    const struct tern_pair_peer another_pair = {.name.number = 2, .first = 5};
    struct tern_pair *pair;

    tap(refused(NULL, 5, TERN_ST_BAD_STATE),
        "a pair that is not ready to receive refuses messages with BAD_STATE");
    tap(refused(&another_node, 5, TERN_ST_NOT_PEER),
        "a pair refuses messages of another node with NOT_PEER");
    tap(refused(&another_pair, 5, TERN_ST_NOT_PEER),
        "a pair refuses messages of another pair with NOT_PEER");
    tap(refused(&well, 6, TERN_ST_EARLY),
        "a message that no other is missing before ends with EARLY when it is not the next one");
    inbox_open(&a, 0);
    pair = pair_open(&a, TERN_PAIR_RC);
    tap(tern_pair_send(pair, NULL, "", 1, 0, 0, 0) == -TERN_ST_BAD_STATE &&
        tern_pair_start(pair, 0, 0) == -TERN_ST_BAD_STATE &&
            tern_pair_put(pair, (struct tern_rptr){{0}}, NULL, "", 1, 0, 0) == -TERN_ST_BAD_STATE &&
            tern_pair_send_to(pair, tern_pair_name(pair), 0, NULL, "", 1, 0, 0,
                              0) == -TERN_ST_BAD_TYPE &&
            tern_pair_create(a.cq, TERN_PAIR_RC, 4, a.inbox, &pair) == -TERN_ST_QUEUE_BUSY &&
            tern_pair_create(a.cq, 3, 4, a.inbox, &pair) == -TERN_ST_BAD_TYPE &&
            tern_inbox_destroy(a.inbox) == -TERN_ST_QUEUE_BUSY,
        "calls in the wrong state, of the wrong kind, on what is in use are refused");
    gives(tern_pair_destroy(pair), 0, "tern_pair_destroy");
    gives(tern_inbox_destroy(a.inbox), 0, "tern_inbox_destroy");
}

/* ---- kinds of pairs that drop messages */

static void unreliable(void)
{
    struct couple pairs = begin(TERN_PAIR_UC, 0);
    struct tern_completion got;
    bool good;

    send_some(pairs.one, 1);
    gives(tern_pair_send(pairs.one, a.region, a.memory, 2000, 0, TERN_DFLAG_SIGNAL, 1), 0,
          "tern_pair_send");
    good = ended(&a, TERN_ST_OK, 0) && ended(&a, TERN_ST_OK, 1);
    post_buffer(&b, 3, LONGEST);
    rig_fill(a.memory, 1500, 4);
    gives(tern_pair_send(pairs.one, a.region, a.memory, 1500, 8,
                         TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, 2), 0, "tern_pair_send");
    good = good && ended(&a, TERN_ST_OK, 2);
    got = next(&b);
    tap(good && got.status == TERN_ST_OK && got.imm == 8 && got.length == 1500 &&
        rig_holds(got.data, 1500, 4) &&
            tern_pair_state(pairs.one) == TERN_PAIR_RTS,
        "what finds no buffer on an unreliable pair is dropped whole, and what comes later "
        "arrives");
    end(&pairs);
}

static void datagrams(void)
{
    struct couple pairs = begin(TERN_PAIR_UD, 0);
    struct tern_pair_name to = tern_pair_name(pairs.other), back = {0};
    struct tern_completion got;
    bool good;

    gives(tern_pair_send_to(pairs.one, to, KEY, NULL, "abc", 3, 1, TERN_DFLAG_SIGNAL, 1), 0,
          "tern_pair_send_to");
    good = ended(&a, TERN_ST_OK, 1);
    post_buffer(&b, 0, LONGEST);
    gives(tern_pair_send_to(pairs.one, to, KEY + 1, NULL, "abc", 3, 2, TERN_DFLAG_SIGNAL, 2), 0,
          "tern_pair_send_to");
    good = good && ended(&a, TERN_ST_NOT_PEER, 2);
    gives(tern_pair_send_to(pairs.one, to, KEY, NULL, "abc", 3, 3,
                            TERN_DFLAG_SIGNAL | TERN_DFLAG_IMM, 3), 0, "tern_pair_send_to");
    good = good && ended(&a, TERN_ST_OK, 3);
    got = next(&b);
    tap(good && got.imm == 3 && got.length == 3 && !memcmp(got.data, "abc", 3),
        "a datagram without the key is refused, one without a buffer dropped, and others arrive");
    back = (struct tern_pair_name){.node = got.node, .number = (uint16_t)got.value};
    post_buffer(&a, 0, LONGEST);
    gives(tern_pair_send_to(pairs.other, back, KEY, NULL, "d", 1, 0, 0, 0), 0, "tern_pair_send_to");
    got = next(&a);
    tap(got.status == TERN_ST_OK && got.length == 1 && got.node == rig_node(1) &&
        got.value == to.number, "who gets a datagram knows whom to answer");
    tap(tern_pair_send_to(pairs.one, to, KEY, a.region, a.memory, 513, 0, 0,
                          0) == -TERN_ST_BAD_LENGTH,
        "a datagram of more than a packet is refused");
    end(&pairs);
}

/* ---- order among messages, puts and reads */

static void order(void)
{
    struct couple pairs = begin(TERN_PAIR_RC, 0);
    struct tern_rptr there = tern_region_pointer(b.region, 0);
    uint64_t back;
    bool good = true;

    for (uint64_t value = 1; good && value <= 30; value++) {
        post_buffer(&b, 0, LONGEST);
        gives(tern_pair_put(pairs.one, there, NULL, &value, sizeof(value), 0, 0), 0,
              "tern_pair_put");
        gives(tern_pair_send(pairs.one, NULL, NULL, 0, 0, 0, 0), 0, "tern_pair_send");
        gives(tern_pair_read(pairs.one, there, a.region, a.memory, sizeof(back), TERN_DFLAG_SIGNAL,
                             5), 0, "tern_pair_read");
        good = next(&b).status == TERN_ST_OK && !memcmp(b.memory, &value, sizeof(value)) &&
            ended(&a, TERN_ST_OK, 5);
        memcpy(&back, a.memory, sizeof(back));
        good = good && back == value;
    }
    tap(good,
        "a message says that the puts before it are there, and a read behind them finds them");
    send_some(pairs.one, 1); /* finds no buffer */
    gives(tern_pair_put(pairs.one, there, NULL, "wrong", 5, TERN_DFLAG_SIGNAL, 1), 0,
          "tern_pair_put");
    tap(ended(&a, TERN_ST_RNR, 0) && ended(&a, TERN_ST_FLUSHED, 1) &&
        memcmp(b.memory, "wrong", 5) != 0, "a put behind a message that failed does not happen");
    end(&pairs);
}

/* A message has arrived, and its pair is destroyed before the completion was polled. */
static void gone(void)
{
    struct couple pairs;
    bool good;

    inbox_open(&a, 0);
    inbox_open(&b, TERN_INBOX_SHARED);
    pairs.one = pair_open(&a, TERN_PAIR_RC);
    pairs.other = pair_open(&b, TERN_PAIR_RC);
    couple(pairs.one, pairs.other, 0);
    post_buffer(&b, 3, LONGEST);
    gives(tern_pair_send(pairs.one, NULL, NULL, 0, 0, TERN_DFLAG_SIGNAL, 1), 0, "tern_pair_send");
    good = ended(&a, TERN_ST_OK, 1);
    gives(tern_pair_destroy(pairs.other), 0, "tern_pair_destroy");
    tap(good && ended(&b, TERN_ST_FLUSHED, 3) && tern_inbox_left(b.inbox) == 0,
        "a pair that goes before its messages were polled gives the buffers of its shared inbox "
        "back");
    gives(tern_pair_destroy(pairs.one), 0, "tern_pair_destroy");
    gives(tern_inbox_destroy(a.inbox), 0, "tern_inbox_destroy");
    gives(tern_inbox_destroy(b.inbox), 0, "tern_inbox_destroy");
}

/* ---- a killed peer */

/* Takes two messages, then stops. */
static void peer(const void *arg, int in, int out)
{
    static struct side side;
    struct tern_pair_peer mine, theirs = {.first = 0};
    struct tern_pair *pair;

    side_open(&side, arg, 1);
    inbox_open(&side, 0);
    pair = pair_open(&side, TERN_PAIR_RC);
    mine.name = tern_pair_name(pair);
    post_buffer(&side, 0, LONGEST);
    post_buffer(&side, 1, LONGEST);
    if (!give(out, &mine.name, sizeof(mine.name)) || !get(in, &theirs.name, sizeof(theirs.name)))
        return;
    gives(tern_pair_connect(pair, &theirs), 0, "tern_pair_connect");
    (void)give(out, "r", 1);
    for (;;)
        (void)next(&side);
}

static void killed(const struct rig *rig)
{
    struct child child = child_start(peer, rig);
    struct tern_pair_peer there = {.first = 0};
    struct tern_pair_name name;
    struct tern_pair *pair;
    unsigned status = TERN_ST_OK, flushed = 0;
    bool good;
    char ready;

    inbox_open(&a, 0);
    pair = pair_open(&a, TERN_PAIR_RC);
    name = tern_pair_name(pair);
    good = get(child.from, &there.name, sizeof(there.name)) &&
        give(child.to, &name, sizeof(name)) && get(child.from, &ready, 1);
    gives(tern_pair_connect(pair, &there), 0, "tern_pair_connect");
    gives(tern_pair_start(pair, 0, TERN_PAIR_FOR_EVER), 0, "tern_pair_start");
    send_some(pair, 10);
    good = good && ended(&a, TERN_ST_OK, 0) && ended(&a, TERN_ST_OK, 1);
    child_kill(&child);
    if (good) {
        struct tern_completion done = next(&a);

        status = done.status;
        good = done.context == 2 && done.status != TERN_ST_OK && done.status != TERN_ST_FLUSHED;
        tap_note("it ends with %s", tern_strerror((int)done.status));
    }
    for (unsigned i = 3; good && i < 10; i++, flushed++)
        good = ended(&a, TERN_ST_FLUSHED, i);
    tap(good && tern_pair_state(pair) == TERN_PAIR_ERROR,
        "when the peer is killed, what waits for it ends, and nothing waits for ever");
    tap_evidence("B7.13", "status=%u flushed=%u", status, flushed);
    gives(tern_pair_destroy(pair), 0, "tern_pair_destroy");
    gives(tern_inbox_destroy(a.inbox), 0, "tern_inbox_destroy");
}

/* ---- a work that gets the pair's completions */

static struct {
    unsigned count;
    uint64_t contexts[4];
    enum tern_status last;
} heard;

/* Withholds completions with an odd context. */
static bool hears(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    (void)work;
    (void)wanted;
    heard.contexts[heard.count++ % 4] = completion->context;
    heard.last = completion->status;
    return completion->context % 2 == 0;
}

static void served(void)
{
    static const struct tern_work_calls calls = {.ended = hears};
    struct tern_work work = {.calls = &calls};
    struct couple pairs = begin(TERN_PAIR_RC, 0);
    struct tern_completion done;
    bool good;

    tern_pair_serve(pairs.one, &work);
    post_buffer(&b, 0, LONGEST);
    for (uint64_t context = 1; context <= 2; context++)
        gives(tern_pair_put(pairs.one, tern_region_pointer(b.region, 0), a.region, a.memory, 8,
                            TERN_DFLAG_SIGNAL, context), 0, "tern_pair_put");
    good = ended(&a, TERN_ST_OK, 2) && heard.count == 2 && heard.contexts[0] == 1 &&
           heard.contexts[1] == 2;
    tap(good, "a work that a pair serves hears of its operations, and decides what is polled");
    /* The second message finds no buffer. */
    for (uint64_t context = 3; context <= 4; context++)
        gives(tern_pair_send(pairs.one, a.region, a.memory, 8, 0, TERN_DFLAG_SIGNAL, context), 0,
              "tern_pair_send");
    good = ended(&b, TERN_ST_OK, 0) && ended(&a, TERN_ST_RNR, 4) && heard.count == 4 &&
           heard.last == TERN_ST_RNR;
    tap(good, "it hears of operations that fail, too");
    tern_pair_serve(pairs.one, NULL);
    gives(tern_cq_poll(a.cq, &done, 1), 0, "tern_cq_poll");
    end(&pairs);
}

int main(void)
{
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    side_open(&a, &rig, 0);
    side_open(&b, &rig, 1);
    sizes(TERN_PAIR_RC, "RC");
    sizes(TERN_PAIR_UC, "UC");
    served();
    not_ready();
    for_ever();
    too_long();
    bad_input();
    unreliable();
    datagrams();
    order();
    scarce_buffers();
    gone();
    killed(&rig);
    tern_close(a.device);
    tern_close(b.device);
    rig_stop(&rig);
    return tap_end();
}
