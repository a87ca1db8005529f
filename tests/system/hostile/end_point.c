/* SPDX-License-Identifier: Apache-2.0 */
#include "end_point.h"

#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"

enum {
    BEAT = TERN_MODEL_BEAT_MAX, /* of the simulator's configuration */
    HEARING_CYCLES = 256, /* without a control word: the link has no peer */
    SETTLE_CYCLES = 64,   /* after which the far end is up, too */
    CTL_EVERY = 4,
    BLOCK_WORDS = 16,
    BLOCKS = 10 /* credit that it gives in each channel */
};

bool end_point_init(struct end_point *end, unsigned node)
{
    *end = (struct end_point){.node = node};
    for (unsigned p = 0; p < END_PORTS; p++) {
        end->queue[p] = calloc(END_QUEUE, sizeof(*end->queue[p]));
        if (!end->queue[p])
            return false;
        memset(end->link[p].freed, BLOCKS, END_CHANNELS);
    }
    return true;
}

void end_point_fini(struct end_point *end)
{
    for (unsigned p = 0; p < END_PORTS; p++)
        free(end->queue[p]);
}

bool end_point_send(struct end_point *end, unsigned port, const void *packet, size_t bytes,
                    unsigned seal)
{
    struct end_packet *last = &end->queue[port][(end->first[port] + end->count[port]) % END_QUEUE];

    if (end->count[port] == END_QUEUE)
        return false;
    memcpy(last->bytes, packet, bytes);
    last->count = bytes;
    last->seal = seal;
    end->count[port]++;
    return true;
}

void end_point_forget(struct end_point *end, unsigned port)
{
    end->count[port] = 0;
}

static const struct end_packet *oldest(const struct end_point *end, unsigned port)
{
    return end->count[port] == 0 ? NULL : &end->queue[port][end->first[port]];
}

static void drop_oldest(struct end_point *end, unsigned port)
{
    end->first[port] = (end->first[port] + 1) % END_QUEUE;
    end->count[port]--;
}

bool end_point_idle(const struct end_point *end)
{
    for (unsigned p = 0; p < END_PORTS; p++)
        if (end->count[p] != 0 || end->link[p].out_count != 0 || end->link[p].waits)
            return false;
    return true;
}

static void took(struct end_point *end, unsigned port, const uint8_t *packet, size_t bytes)
{
    end->came++;
    if (end->took)
        end->took(end->ctx, port, packet, bytes);
}

static unsigned channel_of(const uint8_t *packet)
{
    unsigned vn = TERN_F(PKT, vn, tern_wire_word(packet, TERN_PKT_vn_WORD)) % TERN_NET_NETWORKS;

    return tern_net_channel(
        vn, TERN_F(PKT, dateline, tern_wire_word(packet, TERN_PKT_dateline_WORD)) != 0);
}

static uint8_t blocks_of(const uint8_t *packet)
{
    unsigned words = TERN_F(PKT, words, tern_wire_word(packet, TERN_PKT_words_WORD));

    return (uint8_t)((words + BLOCK_WORDS - 1) / BLOCK_WORDS);
}

/* ---- whole packets ---- */

static unsigned take_packets(struct end_point *end, struct tern_net *net, unsigned port)
{
    unsigned did = 0;

    for (unsigned channel = 0; channel < TERN_NET_CHANNELS; channel++) {
        const uint8_t *packet;
        size_t bytes;

        while ((packet = tern_net_first(net, end->node, port, channel, &bytes)) != NULL) {
            took(end, port, packet, bytes);
            tern_net_drop_first(net, end->node, port, channel);
            did++;
        }
    }
    return did;
}

static unsigned send_packets(struct end_point *end, struct tern_net *net, unsigned port,
                             uint64_t cycle)
{
    const struct end_packet *packet;
    uint8_t bytes[TERN_WIRE_PACKET_MAX];
    unsigned did = 0;

    while ((packet = oldest(end, port)) != NULL) {
        memcpy(bytes, packet->bytes, packet->count);
        tern_wire_seal(bytes, packet->count, packet->seal);
        if (tern_net_room(net, end->node, port, channel_of(bytes), cycle) == 0)
            break;
        if (tern_wire_link_takes(bytes, packet->count) &&
            tern_net_send(net, end->node, port, channel_of(bytes), bytes, packet->count, cycle))
            end->sent++;
        else
            end->refused++;
        drop_oldest(end, port);
        did++;
    }
    return did;
}

static unsigned turn(void *ctx, struct tern_net *net, uint64_t cycle)
{
    struct end_point *end = ctx;
    uint64_t before = tern_net_changes(net);
    unsigned did = 0;

    for (unsigned port = 0; port < END_PORTS; port++) {
        tern_net_say(net, end->node, port, tern_net_hears(net, end->node, port));
        did += take_packets(end, net, port) + send_packets(end, net, port, cycle);
    }
    return did + (tern_net_changes(net) != before);
}

/* ---- beats ---- */

static void hear(struct end_link *link, uint64_t cycle, uint64_t data)
{
    uint32_t w = (uint32_t)data;
    unsigned channel = TERN_F(CTL, channel, w);
    uint8_t freed = (uint8_t)TERN_F(CTL, freed, w);

    if ((uint32_t)(data >> 32) != ~w || channel >= END_CHANNELS)
        return;
    link->heard_at = cycle;
    link->peer_hears = TERN_F(CTL, heard, w);
    if (((freed - link->limit[channel]) & 0x3f) < 0x20)
        link->limit[channel] = freed;
    if (link->waits && TERN_F(CTL, ack, w) == ((link->number + 1u) & 0x3f)) {
        link->number = (link->number + 1) & 0x3f;
        link->waits = false;
    }
}

/*
 * Tells whether the peer asked for the packet in flight again. Counts each packet once; `early`: a
 * long one that has not ended yet.
 */
static bool is_unwanted(const struct end_link *link, uint64_t data)
{
    return (link->waits || link->out_count != 0) && TERN_F(CTL, nak, (uint32_t)data) &&
           TERN_F(CTL, ack, (uint32_t)data) == link->number;
}

/* Gives up the packet: the next one gets its number, and its credit counts as unused. */
static void give_up(struct end_point *end, struct end_link *link)
{
    unsigned channel = channel_of(link->out);

    link->paid[channel] = (uint8_t)((link->paid[channel] - blocks_of(link->out)) & 0x3f);
    link->waits = link->unwanted = false;
    end->refused++;
    end->sent--;
}

static void take_beat(struct end_point *end, unsigned port, const struct tern_model_beat *beat)
{
    struct end_link *link = &end->link[port];
    unsigned channel;

    if (beat->kind == TERN_LINK_KIND_SOP)
        link->in_count = 0;
    if (link->in_count + BEAT > sizeof(link->in))
        return;
    memcpy(link->in + link->in_count, &beat->data, BEAT);
    link->in_count += BEAT;
    if (beat->kind != TERN_LINK_KIND_EOP ||
        TERN_F(PKT, link_seq, tern_wire_word(link->in, 0)) != link->expect)
        return;
    channel = channel_of(link->in);
    link->expect = (link->expect + 1) & 0x3f;
    link->freed[channel] = (uint8_t)((link->freed[channel] + blocks_of(link->in)) & 0x3f);
    took(end, port, link->in, link->in_count);
}

static bool is_up(const struct end_link *link, uint64_t cycle)
{
    return link->heard_at != 0 && cycle - link->heard_at < HEARING_CYCLES && link->peer_hears;
}

static void say(struct end_link *link, uint64_t cycle, struct tern_model_beat *beat)
{
    uint32_t w =
        TERN_V(CTL, freed, link->freed[link->channel]) | TERN_V(CTL, channel, link->channel) |
        TERN_V(CTL, heard, link->heard_at != 0 && cycle - link->heard_at < HEARING_CYCLES) |
        TERN_V(CTL, ack, link->expect);

    *beat = (struct tern_model_beat){
        .valid = true, .kind = TERN_LINK_KIND_CTL, .data = (uint64_t)~w << 32 | w};
    link->channel = (link->channel + 1) % END_CHANNELS;
    link->idle = 0;
}

/* The link is down: resets all counts, and drops the packet in flight. */
static void begin_anew(struct end_link *link)
{
    link->up_at = 0;
    link->expect = link->number = 0;
    link->waits = link->unwanted = false;
    link->in_count = link->out_count = 0;
    memset(link->freed, BLOCKS, sizeof(link->freed));
    memset(link->limit, 0, sizeof(link->limit));
    memset(link->paid, 0, sizeof(link->paid));
}

/* Begins the next packet, if there is one and credit for it. */
static void begin(struct end_point *end, unsigned port)
{
    struct end_link *link = &end->link[port];
    const struct end_packet *packet = oldest(end, port);
    unsigned channel;

    if (packet == NULL)
        return;
    channel = channel_of(packet->bytes);
    if (!end->no_credit &&
        ((link->limit[channel] - link->paid[channel] - blocks_of(packet->bytes)) & 0x3f) >= 0x20)
        return;
    link->unwanted = false;
    memcpy(link->out, packet->bytes, packet->count);
    tern_wire_set_word(link->out, 0, (tern_wire_word(link->out, 0) & ~TERN_V(PKT, link_seq, ~0u)) |
                                         TERN_V(PKT, link_seq, link->number));
    tern_wire_seal(link->out, packet->count, packet->seal);
    link->paid[channel] = (uint8_t)((link->paid[channel] + blocks_of(link->out)) & 0x3f);
    link->out_count = packet->count;
    link->out_at = 0;
    drop_oldest(end, port);
}

static void send_beat(struct end_point *end, struct end_link *link, struct tern_model_beat *beat)
{
    beat->valid = true;
    beat->kind = TERN_LINK_KIND_DATA;
    memcpy(&beat->data, link->out + link->out_at, BEAT);
    if (link->out_at == 0)
        beat->kind = TERN_LINK_KIND_SOP;
    link->out_at += BEAT;
    if (link->out_at < link->out_count)
        return;
    beat->kind = TERN_LINK_KIND_EOP;
    link->out_count = 0;
    link->waits = !end->no_credit; /* without credit it does not wait for acknowledgements either */
    link->number = (link->number + end->no_credit) & 0x3f;
    end->sent++;
}

static void clock_port(struct end_point *end, unsigned port, uint64_t cycle,
                       const struct tern_model_beat *in, struct tern_model_beat *out)
{
    struct end_link *link = &end->link[port];

    if (in->valid && in->kind == TERN_LINK_KIND_CTL) {
        hear(link, cycle, in->data);
        end->early += is_unwanted(link, in->data) && link->out_count != 0;
        link->unwanted |= is_unwanted(link, in->data);
    } else if (in->valid) {
        take_beat(end, port, in);
    }
    if (link->waits && link->unwanted)
        give_up(end, link);
    if (!is_up(link, cycle))
        begin_anew(link);
    else if (link->up_at == 0)
        link->up_at = cycle;
    if (link->out_count == 0 && !link->waits && link->up_at != 0 &&
        cycle - link->up_at > SETTLE_CYCLES && link->idle < CTL_EVERY)
        begin(end, port);
    if (link->out_count != 0)
        send_beat(end, link, out);
    else if (++link->idle >= CTL_EVERY)
        say(link, cycle, out);
}

static void clock_all(void *ctx, uint64_t cycle, const struct tern_model_beat in[TERN_MODEL_PORTS],
                      struct tern_model_beat out[TERN_MODEL_PORTS])
{
    for (unsigned port = 0; port < END_PORTS; port++)
        clock_port(ctx, port, cycle, &in[port], &out[port]);
}

struct tern_stand_in end_point_stand_in(struct end_point *end)
{
    return (struct tern_stand_in){.ctx = end, .clock = clock_all, .turn = turn};
}
