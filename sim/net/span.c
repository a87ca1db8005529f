/* SPDX-License-Identifier: Apache-2.0 */
/* See span.h. */
#include "span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"
#include "wire.h"

enum {
    GRANTED_AT_ONCE = TERN_NET_QUEUE / 4,
    PACKET_MIN = TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES,
    WAIT_MS = 100
};

/* A wire between the halves. */
struct crossing {
    unsigned number;         /* in frames */
    unsigned node, port;     /* the sender */
    unsigned to, to_port;    /* where it ends */
    bool ours;               /* a node of this half sends on it */
    bool heard;              /* ours: as last sent to the peer */
    /* Places that the sending half may still fill; if not ours, as the sender knows. */
    unsigned credit[TERN_NET_CHANNELS];
};

/* The header of a block: `beats` beats follow. */
struct block {
    uint64_t cycle;
    uint32_t cycles, idle, beats, reserved;
};

struct beat {
    uint64_t data;
    uint16_t wire;
    uint8_t after; /* cycles after the first one of the block */
    uint8_t kind;
    uint32_t reserved;
};

struct tern_span {
    struct tern_far *far;
    struct tern_net *net;
    struct crossing *crossings;
    unsigned count;
    struct crossing **by_number; /* NULL: no wire between the halves */
    unsigned numbers;
    unsigned latency;
    bool idle;       /* the peer was idle in its last block */
    bool cut;        /* the links are cut, since the peer is dead */
    uint8_t *block;  /* the frame of a block, and its room */
    size_t block_bytes;
};

unsigned tern_span_half(const struct tern_torus *torus, unsigned node)
{
    return node >= (tern_torus_nodes(torus) + 1) / 2;
}

/* ---- making ---- */

static struct tern_far_greeting greeting(const struct tern_span_config *config,
                                         const struct tern_span_shape *shape)
{
    bool rtl = shape->tier == TERN_TIER_RTL;
    struct tern_far_greeting own = {.version = TERN_FAR_VERSION,
                                    .abi = TERN_ABI_VERSION,
                                    .mesh = shape->torus.mesh,
                                    .rtl = rtl,
                                    .half = config->half,
                                    .latency = rtl ? shape->latency : 0,
                                    .beat = rtl ? shape->beat : 0};

    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++)
        own.sides[d] = shape->torus.sides[d];
    return own;
}

static void add_crossing(struct tern_span *span, const struct tern_torus *torus, unsigned node,
                         unsigned port, unsigned half)
{
    unsigned to = tern_torus_neighbour(torus, node, port), from = tern_span_half(torus, node);
    struct crossing *crossing = &span->crossings[span->count];

    if (to == TERN_TORUS_NONE || tern_span_half(torus, to) == from)
        return;
    *crossing = (struct crossing){.number = node * tern_torus_ports(torus) + port,
                                  .node = node,
                                  .port = port,
                                  .to = to,
                                  .to_port = port ^ 1,
                                  .ours = from == half};
    span->by_number[crossing->number] = crossing;
    span->count++;
}

static bool make(struct tern_span *span, const struct tern_span_shape *shape, unsigned half)
{
    unsigned nodes = tern_torus_nodes(&shape->torus), ports = tern_torus_ports(&shape->torus);

    span->numbers = nodes * ports;
    span->latency = shape->latency;
    span->crossings = calloc(span->numbers, sizeof *span->crossings);
    span->by_number = calloc(span->numbers, sizeof(void *));
    span->block = malloc(TERN_FAR_FRAME_MAX);
    if (span->crossings == NULL || span->by_number == NULL || span->block == NULL)
        return false;
    for (unsigned n = 0; n < nodes; n++)
        for (unsigned p = 0; p < ports; p++)
            add_crossing(span, &shape->torus, n, p, half);
    return true;
}

struct tern_span *tern_span_open(const struct tern_span_config *config,
                                 const struct tern_span_shape *shape, struct tern_net *net,
                                 char error[TERN_FAR_ERROR_BYTES])
{
    struct tern_far_greeting own = greeting(config, shape);
    struct tern_span *span = calloc(1, sizeof *span);

    snprintf(error, TERN_FAR_ERROR_BYTES, "out of memory");
    if (span == NULL)
        return NULL;
    span->net = net;
    if (make(span, shape, config->half))
        span->far = tern_far_open(&config->address, &own, config->stop, error);
    if (span->far != NULL)
        return span;
    tern_span_close(span);
    return NULL;
}

void tern_span_close(struct tern_span *span)
{
    if (span == NULL)
        return;
    tern_far_close(span->far);
    free(span->crossings);
    free(span->by_number);
    free(span->block);
    free(span);
}

int tern_span_fd(const struct tern_span *span)
{
    return tern_far_fd(span->far);
}

const char *tern_span_dead(const struct tern_span *span)
{
    return tern_far_dead(span->far);
}

bool tern_span_idle(const struct tern_span *span)
{
    return span->idle || span->cut;
}

/* Cuts the links to the other half once its simulator is dead. */
static void cut_when_dead(struct tern_span *span)
{
    if (tern_far_dead(span->far) == NULL || span->cut)
        return;
    span->cut = true;
    for (unsigned c = 0; c < span->count; c++) {
        const struct crossing *crossing = &span->crossings[c];

        tern_net_cut(span->net, crossing->node, crossing->port, true);
        if (!crossing->ours)
            tern_net_say(span->net, crossing->node, crossing->port, false);
    }
}

static struct crossing *crossing_at(const struct tern_span *span, unsigned number, bool ours)
{
    struct crossing *crossing = number < span->numbers ? span->by_number[number] : NULL;

    return crossing != NULL && crossing->ours == ours ? crossing : NULL;
}

/* ---- packets ---- */

/* Takes a packet of the peer; false if it violates the protocol. */
static bool take_packet(struct tern_span *span, const struct tern_far_head *head,
                        const uint8_t *bytes)
{
    struct crossing *crossing = crossing_at(span, head->wire, false);

    if (crossing == NULL || head->channel >= TERN_NET_CHANNELS || head->bytes < PACKET_MIN ||
        head->bytes > TERN_WIRE_PACKET_MAX || head->bytes % 8 != 0 ||
        crossing->credit[head->channel] == 0)
        return false;
    crossing->credit[head->channel]--;
    tern_net_carry(span->net, crossing->node, crossing->port, head->channel, bytes, head->bytes);
    return true;
}

/* Takes a word of the peer about a wire: credit, or whether an end hears its peer. */
static bool take_word(struct tern_span *span, const struct tern_far_head *head,
                      const uint8_t *bytes)
{
    bool is_credit = head->kind == TERN_FAR_CREDIT;
    struct crossing *crossing = crossing_at(span, head->wire, is_credit);
    uint32_t word;

    if (crossing == NULL || head->channel >= TERN_NET_CHANNELS || head->bytes != sizeof word)
        return false;
    memcpy(&word, bytes, sizeof word);
    if (!is_credit) {
        tern_net_say(span->net, crossing->node, crossing->port, word != 0);
        return word <= 1;
    }
    if (word > TERN_NET_QUEUE - crossing->credit[head->channel])
        return false;
    crossing->credit[head->channel] += word;
    return true;
}

static bool take(struct tern_span *span, const struct tern_far_head *head, const uint8_t *bytes)
{
    switch (head->kind) {
    case TERN_FAR_ALIVE:
        return head->bytes == 0;
    case TERN_FAR_PACKET:
        return take_packet(span, head, bytes);
    case TERN_FAR_CREDIT:
    case TERN_FAR_HEARD:
        return take_word(span, head, bytes);
    default:
        return false;
    }
}

static void put_word(struct tern_span *span, const struct crossing *crossing,
                     enum tern_far_kind kind, unsigned channel, uint32_t word)
{
    struct tern_far_head head = {.kind = (uint8_t)kind,
                                 .channel = (uint8_t)channel,
                                 .wire = (uint16_t)crossing->number,
                                 .bytes = sizeof word};

    tern_far_put(span->far, &head, &word);
}

/* Sends the packets at the far end of a wire of ours, as far as the peer has places. */
static void send_packets(struct tern_span *span, struct crossing *crossing, unsigned channel)
{
    struct tern_far_head head = {.kind = TERN_FAR_PACKET,
                                 .channel = (uint8_t)channel,
                                 .wire = (uint16_t)crossing->number};
    const uint8_t *packet;
    size_t bytes;

    while (crossing->credit[channel] > 0 &&
           (packet = tern_net_first(span->net, crossing->to, crossing->to_port, channel,
                                    &bytes)) != NULL) {
        head.bytes = (uint32_t)bytes;
        tern_far_put(span->far, &head, packet);
        tern_net_drop_first(span->net, crossing->to, crossing->to_port, channel);
        crossing->credit[channel]--;
    }
}

static void send_ours(struct tern_span *span, struct crossing *crossing)
{
    bool heard = tern_net_heard(span->net, crossing->to, crossing->to_port);

    if (tern_net_waiting(span->net, crossing->to) > 0)
        for (unsigned c = TERN_NET_CHANNELS; c-- > 0;)
            send_packets(span, crossing, c);
    if (heard == crossing->heard)
        return;
    crossing->heard = heard;
    put_word(span, crossing, TERN_FAR_HEARD, 0, heard);
}

/* Reports freed places to the peer, several at once. */
static void grant(struct tern_span *span, struct crossing *crossing)
{
    for (unsigned c = 0; c < TERN_NET_CHANNELS; c++) {
        unsigned free = tern_net_places(span->net, crossing->node, crossing->port, c);

        if (free < crossing->credit[c] + GRANTED_AT_ONCE)
            continue;
        put_word(span, crossing, TERN_FAR_CREDIT, c, free - crossing->credit[c]);
        crossing->credit[c] = free;
    }
}

static void receive(struct tern_span *span)
{
    struct tern_far_head head;
    const uint8_t *bytes;

    while (tern_far_dead(span->far) == NULL && (bytes = tern_far_next(span->far, &head)) != NULL)
        if (!take(span, &head, bytes))
            tern_far_give_up(span->far, "the peer simulator sends garbage");
}

void tern_span_work(struct tern_span *span)
{
    if (span->cut)
        return;
    tern_far_work(span->far);
    receive(span);
    for (unsigned c = 0; c < span->count; c++)
        if (span->crossings[c].ours)
            send_ours(span, &span->crossings[c]);
        else
            grant(span, &span->crossings[c]);
    tern_far_work(span->far);
    cut_when_dead(span);
}

/* ---- beats ---- */

static void add_beats(struct tern_span *span, const struct crossing *crossing,
                      struct block *block, struct beat *to)
{
    for (unsigned after = 0; after < block->cycles; after++) {
        struct tern_model_beat beat;

        tern_net_take(span->net, crossing->to, crossing->to_port,
                      block->cycle + after + span->latency, &beat);
        if (!beat.valid)
            continue;
        to[block->beats++] = (struct beat){.data = beat.data,
                                           .wire = (uint16_t)crossing->number,
                                           .after = (uint8_t)after,
                                           .kind = (uint8_t)beat.kind};
    }
}

static void send_block(struct tern_span *span, struct block *block)
{
    struct tern_far_head head = {.kind = TERN_FAR_BLOCK};

    for (unsigned c = 0; c < span->count; c++)
        if (span->crossings[c].ours)
            add_beats(span, &span->crossings[c], block,
                      (struct beat *)(void *)(span->block + sizeof *block));
    memcpy(span->block, block, sizeof *block);
    head.bytes = (uint32_t)(sizeof *block + block->beats * sizeof(struct beat));
    tern_far_put(span->far, &head, span->block);
}

static bool take_beat(struct tern_span *span, const struct block *block, const struct beat *from)
{
    struct crossing *crossing = crossing_at(span, from->wire, false);
    struct tern_model_beat beat = {.valid = true, .kind = from->kind, .data = from->data};

    if (crossing == NULL || from->after >= block->cycles)
        return false;
    tern_net_arrive(span->net, crossing->to, crossing->to_port,
                    block->cycle + from->after + span->latency, &beat);
    return true;
}

/* Takes the peer's beats of the same cycles as `own`. */
static bool take_block(struct tern_span *span, const struct tern_far_head *head,
                       const uint8_t *bytes, const struct block *own)
{
    struct block block;
    struct beat beat;

    if (head->bytes < sizeof block)
        return false;
    memcpy(&block, bytes, sizeof block);
    if (block.cycle != own->cycle || block.cycles != own->cycles ||
        (head->bytes - sizeof block) % sizeof beat != 0 ||
        (head->bytes - sizeof block) / sizeof beat != block.beats)
        return false;
    span->idle = block.idle != 0;
    for (unsigned b = 0; b < block.beats; b++) {
        memcpy(&beat, bytes + sizeof block + b * sizeof beat, sizeof beat);
        if (!take_beat(span, &block, &beat))
            return false;
    }
    return true;
}

void tern_span_block(struct tern_span *span, uint64_t cycle, unsigned cycles, bool idle)
{
    struct block own = {.cycle = cycle, .cycles = cycles, .idle = idle};
    bool have = false;

    if (span->cut)
        return;
    send_block(span, &own);
    tern_far_work(span->far);
    while (!have && tern_far_dead(span->far) == NULL) {
        struct tern_far_head head;
        const uint8_t *bytes = tern_far_next(span->far, &head);

        if (bytes == NULL)
            tern_far_wait(span->far, WAIT_MS);
        else if (head.kind == TERN_FAR_BLOCK && take_block(span, &head, bytes, &own))
            have = true;
        else if (head.kind != TERN_FAR_ALIVE)
            tern_far_give_up(span->far, "the peer simulator sends garbage");
    }
    cut_when_dead(span);
}
