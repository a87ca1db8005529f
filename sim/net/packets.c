/* SPDX-License-Identifier: Apache-2.0 */
/* Wires that carry whole packets. */
#include <stdlib.h>
#include <string.h>

#include "inside.h"
#include "tern_abi.h"

bool tern_net_use_packets(struct tern_net *net)
{
    net->waiting = calloc(net->nodes, sizeof *net->waiting);
    for (unsigned w = 0; w < net->nodes * NET_PORTS; w++) {
        net->wires[w].queues = calloc(NET_NETWORKS, sizeof *net->wires[w].queues);
        if (net->wires[w].queues == NULL)
            return false;
    }
    return net->waiting != NULL;
}

unsigned tern_net_room(const struct tern_net *net, unsigned node, unsigned port, unsigned vn)
{
    return TERN_NET_QUEUE - net_wire_from(net, node, port)->queues[vn].count;
}

/* There is room. */
static void append(struct tern_net *net, unsigned node, unsigned port,
                                 unsigned vn, const uint8_t *packet, size_t bytes)
{
    struct net_queue *queue = &net_wire_from(net, node, port)->queues[vn];
    struct net_packet *place =
        &queue->packets[(queue->first + queue->count++) % TERN_NET_QUEUE];

    net->waiting[net_neighbour(net, node, port)]++;
    place->bytes = bytes;
    memcpy(place->data, packet, bytes);
}

bool net_packets_inject(struct tern_net *net, unsigned node, unsigned port,
                        const uint8_t *packet, size_t bytes)
{
    struct net_wire *wire = net_wire_from(net, node, port);
    unsigned vn = TERN_F(PKT, vn, tern_wire_word(packet, TERN_PKT_vn_WORD)) % NET_NETWORKS;

    if (tern_net_room(net, node, port, vn) == 0)
        return false;
    wire->stats.injected++;
    if (!wire->cut)
        append(net, node, port, vn, packet, bytes);
    return true;
}

/* Takes a packet through the faults, beat by beat; false when it is lost. */
static bool pass(struct net_wire *wire, uint8_t *packet, size_t bytes, uint64_t cycle)
{
    bool arrives = true;

    for (size_t at = 0; at < bytes; at += NET_BEAT) {
        struct tern_model_beat beat = {.valid = true, .kind = TERN_LINK_KIND_DATA};

        if (at == 0)
            beat.kind = TERN_LINK_KIND_SOP;
        else if (at + NET_BEAT == bytes)
            beat.kind = TERN_LINK_KIND_EOP;
        memcpy(&beat.data, packet + at, NET_BEAT);
        arrives = net_packet_beat(wire, &beat, cycle) && arrives;
        if (arrives && !wire->cut)
            net_add_noise(wire, &beat);
        memcpy(packet + at, &beat.data, NET_BEAT);
    }
    return arrives;
}

/* A link takes nothing for a node that is not there. */
static bool leads_somewhere(const struct tern_net *net, const uint8_t *packet)
{
    return TERN_F(PKT, dst, tern_wire_word(packet, TERN_PKT_dst_WORD)) < net->nodes;
}

bool tern_net_send(struct tern_net *net, unsigned node, unsigned port, unsigned vn,
                   const uint8_t *packet, size_t bytes, uint64_t cycle)
{
    struct net_wire *wire = net_wire_from(net, node, port);
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
    if (!wire->cut && (taken || tern_net_room(net, node, port, vn) > 1))
        append(net, node, port, vn, packet, bytes);
    return taken;
}

const uint8_t *tern_net_first(const struct tern_net *net, unsigned node, unsigned port,
                              unsigned vn, size_t *bytes)
{
    const struct net_queue *queue = &net_wire_into(net, node, port)->queues[vn];
    const struct net_packet *first = &queue->packets[queue->first];

    *bytes = first->bytes;
    return queue->count > 0 ? first->data : NULL;
}

void tern_net_drop_first(struct tern_net *net, unsigned node, unsigned port, unsigned vn)
{
    struct net_queue *queue = &net_wire_into(net, node, port)->queues[vn];

    queue->first = (queue->first + 1) % TERN_NET_QUEUE;
    queue->count--;
    net->waiting[node]--;
}

unsigned tern_net_waiting(const struct tern_net *net, unsigned node)
{
    return net->waiting[node];
}

void tern_net_say(struct tern_net *net, unsigned node, unsigned port, bool heard)
{
    struct net_wire *wire = net_wire_from(net, node, port);

    net->changes += wire->heard != heard;
    wire->heard = heard;
}

bool tern_net_hears(const struct tern_net *net, unsigned node, unsigned port)
{
    return !net_wire_into(net, node, port)->cut;
}

bool tern_net_heard(const struct tern_net *net, unsigned node, unsigned port)
{
    const struct net_wire *wire = net_wire_into(net, node, port);

    return !wire->cut && wire->heard;
}

uint64_t tern_net_changes(const struct tern_net *net)
{
    return net->changes;
}
