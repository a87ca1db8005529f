/* SPDX-License-Identifier: Apache-2.0 */
/* Wires that carry whole packets. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "tern_abi.h"

bool tern_net_use_packets(struct tern_net *net)
{
    net->waiting = calloc(net->nodes, sizeof *net->waiting);
    net->ready = calloc(net->nodes, sizeof *net->ready);
    for (unsigned w = 0; w < net->nodes * net->ports; w++) {
        net->wires[w].queues = calloc(TERN_NET_CHANNELS, sizeof *net->wires[w].queues);
        if (net->wires[w].queues == NULL)
            return false;
    }
    return net->waiting != NULL && net->ready != NULL;
}

static unsigned places(const struct net_wire *wire, unsigned channel)
{
    return TERN_NET_QUEUE - wire->queues[channel].count;
}

unsigned tern_net_room(const struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                       uint64_t cycle)
{
    const struct net_wire *wire = net_end_at(net, node, port)->out;

    return cycle < wire->stalled ? 0 : places(wire, channel);
}

static uint64_t ready_bit(unsigned port, unsigned channel)
{
    return UINT64_C(1) << (TERN_MODEL_PORTS * channel + port);
}

/* Appends a packet, for which there is room; false without memory. */
static bool append(struct tern_net *net, struct net_wire *wire, unsigned channel,
                   const uint8_t *packet, size_t bytes)
{
    if (!net_queue_add(&wire->queues[channel], packet, bytes))
        return false;
    net->waiting[wire->node]++;
    net->ready[wire->node] |= ready_bit(wire->port, channel);
    return true;
}

bool net_packets_inject(struct tern_net *net, struct net_wire *wire, const uint8_t *packet,
                        size_t bytes)
{
    unsigned vn = TERN_F(PKT, vn, tern_wire_word(packet, TERN_PKT_vn_WORD)) % TERN_NET_NETWORKS;
    unsigned channel = tern_net_channel(
        vn, TERN_F(PKT, dateline, tern_wire_word(packet, TERN_PKT_dateline_WORD)) != 0);

    if (places(wire, channel) == 0)
        return false;
    wire->stats.injected++;
    return wire->cut || append(net, wire, channel, packet, bytes);
}

/* Passes a packet through the faults, beat by beat; false when it is lost. */
static bool pass(struct net_wire *wire, uint8_t *packet, size_t bytes, uint64_t cycle)
{
    bool arrives = true;

    for (size_t at = 0; at < bytes; at += wire->beat) {
        struct tern_model_beat beat = {.valid = true, .kind = TERN_LINK_KIND_DATA};

        if (at == 0)
            beat.kind = TERN_LINK_KIND_SOP;
        else if (at + wire->beat == bytes)
            beat.kind = TERN_LINK_KIND_EOP;
        memcpy(&beat.data, packet + at, wire->beat);
        arrives = net_packet_beat(wire, &beat, cycle) && arrives;
        if (arrives && !wire->cut)
            net_add_noise(wire, &beat);
        memcpy(packet + at, &beat.data, wire->beat);
    }
    return arrives;
}

static bool inside(const struct tern_net *net, uint32_t coordinates)
{
    return tern_torus_number(&net->torus, coordinates) != TERN_TORUS_NONE;
}

/* Tells whether the destination exists: a link refuses other packets. */
static bool leads_somewhere(const struct tern_net *net, const uint8_t *packet)
{
    uint32_t first = tern_wire_word(packet, TERN_PKT_dst_WORD);
    uint32_t second = tern_wire_word(packet, TERN_PKT_box_WORD);

    return inside(net, TERN_F(PKT, dst, first)) &&
           (!TERN_F(PKT, deposit, first) || inside(net, TERN_F(PKT, box, second)));
}

bool tern_net_send(struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                   const uint8_t *packet, size_t bytes, uint64_t cycle)
{
    struct net_wire *wire = net_end_at(net, node, port)->out;
    uint8_t copy[TERN_WIRE_PACKET_MAX];
    bool taken = true;

    if (wire->fault_count == 0 && wire->noise_every == 0) {
        net_count_packet(wire, cycle);
        wire->stats.bytes += bytes;
    } else {
        memcpy(copy, packet, bytes);
        if (!pass(wire, copy, bytes, cycle))
            return wire->cut;
        packet = copy;
        taken = wire->cut || (tern_wire_link_takes(copy, bytes) && leads_somewhere(net, copy));
    }
    if (!wire->cut && (taken || places(wire, channel) > 1))
        taken = append(net, wire, channel, packet, bytes) && taken;
    return taken;
}

unsigned tern_net_places(const struct tern_net *net, unsigned node, unsigned port,
                         unsigned channel)
{
    return places(net_end_at(net, node, port)->out, channel);
}

void tern_net_carry(struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                    const uint8_t *packet, size_t bytes)
{
    struct net_wire *wire = net_end_at(net, node, port)->out;

    if (!wire->cut && places(wire, channel) > 0)
        (void)append(net, wire, channel, packet, bytes);
}

const uint8_t *tern_net_first(const struct tern_net *net, unsigned node, unsigned port,
                              unsigned channel, size_t *bytes)
{
    const struct net_wire *wire = net_end_at(net, node, port)->in;
    const struct net_packet *first;

    if (wire == NULL || wire->queues[channel].count == 0)
        return NULL;
    first = wire->queues[channel].first;
    *bytes = first->bytes;
    return first->data;
}

void tern_net_drop_first(struct tern_net *net, unsigned node, unsigned port, unsigned channel)
{
    struct net_queue *queue = &net_end_at(net, node, port)->in->queues[channel];

    net_queue_drop(queue);
    net->waiting[node]--;
    if (queue->count == 0)
        net->ready[node] &= ~ready_bit(port, channel);
}

uint64_t tern_net_ready(const struct tern_net *net, unsigned node)
{
    return net->ready[node];
}

unsigned tern_net_waiting(const struct tern_net *net, unsigned node)
{
    return net->waiting[node];
}

void tern_net_say(struct tern_net *net, unsigned node, unsigned port, bool heard)
{
    struct net_wire *wire = net_end_at(net, node, port)->out;

    if (wire == NULL)
        return;
    net->changes += wire->heard != heard;
    wire->heard = heard;
}

bool tern_net_hears(const struct tern_net *net, unsigned node, unsigned port)
{
    const struct net_wire *wire = net_end_at(net, node, port)->in;

    return wire != NULL && !wire->cut;
}

bool tern_net_heard(const struct tern_net *net, unsigned node, unsigned port)
{
    return tern_net_hears(net, node, port) && net_end_at(net, node, port)->in->heard;
}

uint64_t tern_net_changes(const struct tern_net *net)
{
    return net->changes;
}
