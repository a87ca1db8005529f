/* SPDX-License-Identifier: Apache-2.0 */
/* Wires of a ring of nodes, with faults. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"
#include "wire.h"

enum { LOOK_AHEAD_MIN = 8 };

/* A seed for each wire, so that its noise is its own; never 0. */
static void net_wire_seed(struct net_wire *wire, uint64_t seed, unsigned number)
{
    wire->random = (seed * 2 + 1) * ((2 * (uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Slots of a wire: what is on it, and what a node may run ahead. */
static unsigned slots_for(unsigned latency)
{
    unsigned needed = latency + (latency > LOOK_AHEAD_MIN ? latency : LOOK_AHEAD_MIN);
    unsigned slots = 1;

    while (slots < needed)
        slots *= 2;
    return slots;
}

struct tern_net *tern_net_new(unsigned nodes, unsigned latency, uint64_t seed)
{
    struct tern_net *net = calloc(1, sizeof *net);

    if (net == NULL)
        return NULL;
    net->nodes = nodes;
    net->latency = latency;
    net->mask = slots_for(latency) - 1;
    net->wires = calloc((size_t)nodes * NET_PORTS, sizeof *net->wires);
    for (unsigned w = 0; net->wires != NULL && w < nodes * NET_PORTS; w++) {
        net_wire_seed(&net->wires[w], seed, w);
        net->wires[w].slots = calloc((size_t)net->mask + 1, sizeof *net->wires[w].slots);
        if (net->wires[w].slots == NULL) {
            tern_net_free(net);
            return NULL;
        }
    }
    if (net->wires == NULL) {
        free(net);
        return NULL;
    }
    return net;
}

static void net_wire_free(struct net_wire *wire)
{
    free(wire->slots);
    free(wire->queues);
}

void tern_net_free(struct tern_net *net)
{
    if (net == NULL)
        return;
    for (unsigned w = 0; w < net->nodes * NET_PORTS; w++)
        net_wire_free(&net->wires[w]);
    free(net->wires);
    free(net->waiting);
    free(net);
}

static uint64_t next_random(struct net_wire *wire)
{
    wire->random ^= wire->random << 13;
    wire->random ^= wire->random >> 7;
    wire->random ^= wire->random << 17;
    return wire->random;
}

/* ---- faults ---- */

bool tern_net_fault(struct tern_net *net, unsigned node, unsigned port,
                    const struct tern_fault *fault)
{
    struct net_wire *wire = net_wire_from(net, node, port);

    if (wire->fault_count == NET_FAULTS || fault->count == 0)
        return false;
    wire->faults[wire->fault_count++] = *fault;
    return true;
}

void tern_net_noise(struct tern_net *net, unsigned node, unsigned port, uint32_t every)
{
    net_wire_from(net, node, port)->noise_every = every;
}

static void remove_fault(struct net_wire *wire, unsigned at)
{
    wire->fault_count--;
    memmove(&wire->faults[at], &wire->faults[at + 1],
            (wire->fault_count - at) * sizeof *wire->faults);
}

/* Where packets of a type travel: the first words of a packet do not tell its type. */
static unsigned network_of(int type)
{
    return type == TERN_PTYPE_ACK ? TERN_VN_ACK : type == TERN_PTYPE_PUT ? TERN_VN_DATA : TERN_VN_REQUEST;
}

/* Which fault hits a packet of network `vn`.  Each counts the packets it sees. */
static void choose_fault(struct net_wire *wire, unsigned vn)
{
    wire->fault = NULL;
    for (unsigned i = 0; i < wire->fault_count; i++) {
        struct tern_fault *fault = &wire->faults[i];

        if (fault->type != TERN_ANY_TYPE && network_of(fault->type) != vn)
            continue;
        if (fault->skip > 0) {
            fault->skip--;
            continue;
        }
        wire->fault_now = *fault;
        wire->fault = &wire->fault_now;
        if (--fault->count == 0)
            remove_fault(wire, i);
        return;
    }
}

/* Changes what the fault changes in the last beat of wire->packet. */
static void apply_fault(struct net_wire *wire, bool end)
{
    const struct tern_fault *fault = wire->fault;
    size_t begin = wire->have - NET_BEAT;

    if (fault->kind == TERN_FAULT_SET && 4 * fault->at >= begin &&
        4 * (size_t)fault->at < wire->have) {
        uint32_t word = tern_wire_word(wire->packet, fault->at);

        tern_wire_set_word(wire->packet, fault->at,
                           (word & ~fault->mask) | (fault->value & fault->mask));
    }
    if (wire->have == NET_BEAT)
        tern_wire_seal(wire->packet, TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES,
                       fault->seal & TERN_SEAL_HEADER);
    if (end && wire->have >= TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES)
        tern_wire_seal(wire->packet, wire->have, fault->seal & ~(unsigned)TERN_SEAL_HEADER);
    if (fault->kind == TERN_FAULT_FLIP && fault->at >= begin && fault->at < wire->have)
        wire->packet[fault->at] ^= (uint8_t)fault->mask;
}

/* ---- what is sent ---- */

void net_count_packet(struct net_wire *wire, uint64_t cycle)
{
    wire->stats.packets++;
    wire->active = cycle;
}

/* One beat of a packet; false when it is not to arrive. */
bool net_packet_beat(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle)
{
    bool end = beat->kind == TERN_LINK_KIND_EOP;

    if (beat->kind == TERN_LINK_KIND_SOP) {
        wire->have = 0;
        wire->in_packet = true;
        choose_fault(wire, TERN_F(PKT, vn, beat->data));
        wire->lost = wire->inject_at > 0 ||
                     (wire->fault != NULL && wire->fault->kind == TERN_FAULT_DROP);
        wire->stats.lost += wire->lost;
        wire->stats.damaged += wire->fault != NULL && !wire->lost;
        net_count_packet(wire, cycle);
    }
    wire->stats.bytes += NET_BEAT;
    wire->in_packet = wire->in_packet && !end;
    if (wire->lost)
        return false;
    if (wire->fault != NULL && wire->have + NET_BEAT <= sizeof wire->packet) {
        memcpy(wire->packet + wire->have, &beat->data, NET_BEAT);
        wire->have += NET_BEAT;
        apply_fault(wire, end);
        memcpy(&beat->data, wire->packet + wire->have - NET_BEAT, NET_BEAT);
    }
    return true;
}

void net_add_noise(struct net_wire *wire, struct tern_model_beat *beat)
{
    if (wire->noise_every == 0 || next_random(wire) % wire->noise_every != 0)
        return;
    beat->data ^= UINT64_C(1) << (next_random(wire) % 64);
    wire->stats.damaged++;
}

/* The next beat of an injected packet. */
static void inject_beat(struct net_wire *wire, struct tern_model_beat *beat)
{
    const struct net_packet *injected = &wire->injected[wire->inject_first];
    size_t next = wire->inject_at + NET_BEAT;

    beat->valid = true;
    beat->kind = wire->inject_at == 0        ? TERN_LINK_KIND_SOP
                 : next == injected->bytes ? TERN_LINK_KIND_EOP
                                             : TERN_LINK_KIND_DATA;
    memcpy(&beat->data, injected->data + wire->inject_at, NET_BEAT);
    wire->inject_at = next;
    if (next < injected->bytes)
        return;
    wire->inject_at = 0;
    wire->inject_first = (wire->inject_first + 1) % NET_INJECTED;
    wire->inject_count--;
    wire->stats.injected++;
}

void tern_net_put(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                  const struct tern_model_beat *beat)
{
    struct net_wire *wire = net_wire_from(net, node, port);
    struct tern_model_beat out = *beat;

    if (!out.valid && wire->inject_count == 0)
        return;
    if (out.valid && out.kind != TERN_LINK_KIND_CTL)
        out.valid = net_packet_beat(wire, &out, cycle);
    if (!out.valid && wire->inject_count > 0 && (!wire->in_packet || wire->lost))
        inject_beat(wire, &out);
    if (!out.valid || wire->cut)
        return;
    net_add_noise(wire, &out);
    wire->slots[(cycle + net->latency) & net->mask] = out;
}

void tern_net_take(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                   struct tern_model_beat *beat)
{
    struct net_wire *wire = net_wire_into(net, node, port);
    struct tern_model_beat *slot = &wire->slots[cycle & net->mask];

    beat->valid = slot->valid;
    if (!slot->valid)
        return;
    beat->kind = slot->kind;
    beat->data = slot->data;
    slot->valid = false;
}

/* ---- the rest ---- */

void tern_net_cut(struct tern_net *net, unsigned node, unsigned port, bool cut)
{
    net->changes++;
    net_wire_from(net, node, port)->cut = cut; /* what is beyond it already arrives */
    net_wire_into(net, node, port)->cut = cut;
}

bool tern_net_is_cut(const struct tern_net *net, unsigned node, unsigned port)
{
    return net_wire_from(net, node, port)->cut;
}

bool tern_net_inject(struct tern_net *net, unsigned node, unsigned port,
                     const uint8_t *packet, size_t bytes)
{
    struct net_wire *wire = net_wire_from(net, node, port);
    struct net_packet *injected;

    if (bytes < 2 * NET_BEAT || bytes % NET_BEAT != 0 || bytes > TERN_WIRE_PACKET_MAX ||
        (wire->queues == NULL && wire->inject_count == NET_INJECTED))
        return false;
    if (wire->queues != NULL)
        return net_packets_inject(net, node, port, packet, bytes);
    injected = &wire->injected[(wire->inject_first + wire->inject_count++) % NET_INJECTED];
    injected->bytes = bytes;
    memcpy(injected->data, packet, bytes);
    return true;
}

const struct tern_wire_stats *tern_net_stats(const struct tern_net *net, unsigned node,
                                             unsigned port)
{
    return &net_wire_from(net, node, port)->stats;
}

uint64_t tern_net_packets(const struct tern_net *net)
{
    uint64_t packets = 0;

    for (unsigned w = 0; w < net->nodes * NET_PORTS; w++)
        packets += net->wires[w].stats.packets;
    return packets;
}

uint64_t tern_net_active(const struct tern_net *net)
{
    uint64_t active = 0;

    for (unsigned w = 0; w < net->nodes * NET_PORTS; w++) {
        if (net->wires[w].active > active)
            active = net->wires[w].active;
    }
    return active;
}
