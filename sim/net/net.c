/* SPDX-License-Identifier: Apache-2.0 */
/* Wires between nodes, with faults. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"
#include "wire.h"

enum { LOOK_AHEAD_MIN = 8, NET_TREE_PARENT = TERN_MODEL_TREE - 1 };

/* Seeds each wire differently, so that its noise is independent; the state is never 0. */
static void net_wire_seed(struct net_wire *wire, uint64_t seed, unsigned number)
{
    wire->random = (seed * 2 + 1) * ((2 * (uint64_t)number + 1) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Returns the slots of a wire: for beats in flight, and for a node's run ahead. */
static unsigned slots_for(unsigned latency)
{
    unsigned needed = latency + (latency > LOOK_AHEAD_MIN ? latency : LOOK_AHEAD_MIN);
    unsigned slots = 1;

    while (slots < needed)
        slots *= 2;
    return slots;
}

void tern_net_use_beats(struct tern_net *net, unsigned bytes)
{
    for (unsigned w = 0; w < net->nodes * net->ports; w++)
        net->wires[w].beat = bytes;
}

/*
 * Returns the node that `port` of `node` of a tree leads to, and its port there: ports 0 and 1 lead
 * to the children, port 2 to the parent.
 */
static unsigned tree_neighbour(const struct tern_net *net, unsigned node, unsigned port,
                               unsigned *there)
{
    unsigned to = port == NET_TREE_PARENT ? (node - 1) / 2 : 2 * node + 1 + port;

    *there = port == NET_TREE_PARENT ? (node - 1) % 2 : (unsigned)NET_TREE_PARENT;
    if (port == NET_TREE_PARENT)
        return node == 0 ? TERN_TORUS_NONE : to;
    return to < net->nodes ? to : TERN_TORUS_NONE;
}

static unsigned neighbour(const struct tern_net *net, unsigned node, unsigned port,
                          unsigned *there)
{
    if (net->is_tree)
        return tree_neighbour(net, node, port, there);
    *there = port ^ 1;
    return tern_torus_neighbour(&net->torus, node, port);
}

static bool wire_init(struct tern_net *net, unsigned node, unsigned port, uint64_t seed)
{
    unsigned number = node * net->ports + port;
    struct net_wire *wire = &net->wires[number];
    unsigned there, to = neighbour(net, node, port, &there);

    net_wire_seed(wire, seed, number);
    wire->beat = TERN_MODEL_BEAT_MAX;
    if (to == TERN_TORUS_NONE)
        return true;
    wire->node = to;
    wire->port = there;
    net->ends[number].out = wire;
    net->ends[to * net->ports + wire->port].in = wire;
    wire->slots = calloc((size_t)net->mask + 1, sizeof *wire->slots);
    return wire->slots != NULL;
}

static bool wires_init(struct tern_net *net, uint64_t seed)
{
    size_t count = (size_t)net->nodes * net->ports;

    net->wires = calloc(count, sizeof *net->wires);
    net->ends = calloc(count, sizeof *net->ends);
    if (net->wires == NULL || net->ends == NULL)
        return false;
    for (unsigned w = 0; w < count; w++)
        if (!wire_init(net, w / net->ports, w % net->ports, seed))
            return false;
    return true;
}

static struct tern_net *net_new(const struct tern_torus *torus, bool is_tree, unsigned latency,
                                uint64_t seed)
{
    struct tern_net *net = calloc(1, sizeof *net);

    if (net == NULL)
        return NULL;
    net->torus = *torus;
    net->is_tree = is_tree;
    net->nodes = tern_torus_nodes(torus);
    net->ports = is_tree ? (unsigned)TERN_MODEL_TREE : tern_torus_ports(torus);
    net->latency = latency;
    net->mask = slots_for(latency) - 1;
    if (wires_init(net, seed))
        return net;
    tern_net_free(net);
    return NULL;
}

struct tern_net *tern_net_new(const struct tern_torus *torus, unsigned latency, uint64_t seed)
{
    return net_new(torus, false, latency, seed);
}

bool tern_net_add_tree(struct tern_net *net, uint64_t seed)
{
    net->tree = net_new(&net->torus, true, net->latency, ~seed);
    return net->tree != NULL;
}

struct tern_net *tern_net_tree(const struct tern_net *net)
{
    return net->tree;
}

static void queue_free(struct net_queue *queue)
{
    while (queue->count > 0)
        net_queue_drop(queue);
}

static void net_wire_free(struct net_wire *wire)
{
    for (unsigned c = 0; wire->queues != NULL && c < TERN_NET_CHANNELS; c++)
        queue_free(&wire->queues[c]);
    queue_free(&wire->injected);
    queue_free(&wire->again);
    free(wire->held);
    free(wire->late.beats);
    free(wire->slots);
    free(wire->queues);
}

void tern_net_free(struct tern_net *net)
{
    if (net == NULL)
        return;
    tern_net_free(net->tree);
    for (unsigned w = 0; net->wires != NULL && w < net->nodes * net->ports; w++)
        net_wire_free(&net->wires[w]);
    free(net->wires);
    free(net->ends);
    free(net->waiting);
    free(net->ready);
    free(net);
}

bool tern_net_has(const struct tern_net *net, unsigned node, unsigned port)
{
    return port < net->ports && net_end_at(net, node, port)->out != NULL;
}

/* Returns the wire on which `port` sends; NULL when there is no link. */
static struct net_wire *wire_from(const struct tern_net *net, unsigned node, unsigned port)
{
    return tern_net_has(net, node, port) ? net_end_at(net, node, port)->out : NULL;
}

/* ---- packets in memory ---- */

/*
 * Makes a packet with room for at least a header, because readers use it before they check the
 * length.
 */
static struct net_packet *packet_new(const uint8_t *packet, size_t bytes)
{
    size_t room = bytes > TERN_PKT_HEADER_BYTES ? bytes : TERN_PKT_HEADER_BYTES;
    struct net_packet *made = malloc(sizeof *made + room);

    if (made == NULL)
        return NULL;
    made->next = NULL;
    made->bytes = bytes;
    memcpy(made->data, packet, bytes);
    memset(made->data + bytes, 0, room - bytes);
    return made;
}

static bool queue_take(struct net_queue *queue, struct net_packet *packet)
{
    if (packet == NULL)
        return false;
    if (queue->count++ == 0)
        queue->first = packet;
    else
        queue->last->next = packet;
    queue->last = packet;
    return true;
}

bool net_queue_add(struct net_queue *queue, const uint8_t *packet, size_t bytes)
{
    return queue_take(queue, packet_new(packet, bytes));
}

void net_queue_drop(struct net_queue *queue)
{
    struct net_packet *first = queue->first;

    queue->first = first->next;
    queue->count--;
    free(first);
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
    struct net_wire *wire = wire_from(net, node, port);

    if (wire == NULL || wire->fault_count == NET_FAULTS || fault->count == 0)
        return false;
    wire->faults[wire->fault_count++] = *fault;
    return true;
}

void tern_net_noise(struct tern_net *net, unsigned node, unsigned port, uint32_t every)
{
    struct net_wire *wire = wire_from(net, node, port);

    if (wire != NULL)
        wire->noise_every = every;
}

static void remove_fault(struct net_wire *wire, unsigned at)
{
    wire->fault_count--;
    memmove(&wire->faults[at], &wire->faults[at + 1],
            (wire->fault_count - at) * sizeof *wire->faults);
}

/*
 * Returns the virtual network of a packet type; the first words of a packet do not contain the
 * type.
 */
static unsigned network_of(int type)
{
    return type == TERN_PTYPE_ACK   ? TERN_VN_ACK
           : type == TERN_PTYPE_PUT ? TERN_VN_DATA
                                    : TERN_VN_REQUEST;
}

/*
 * Chooses the fault that hits a packet of network `vn`. Each fault counts the packets it is
 * offered.
 */
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
        if (fault->every > 1 && next_random(wire) % fault->every != 0)
            continue;
        if (fault->kind == TERN_FAULT_DELAY && wire->held != NULL)
            continue; /* only one packet at a time is delayed */
        wire->fault_now = *fault;
        wire->fault = &wire->fault_now;
        if (--fault->count == 0)
            remove_fault(wire, i);
        return;
    }
}

/* Applies the fault to the last beat of wire->packet. */
static void apply_fault(struct net_wire *wire, bool end)
{
    const struct tern_fault *fault = wire->fault;
    size_t begin = wire->have - wire->beat;

    if (fault->kind == TERN_FAULT_SET && 4 * fault->at >= begin &&
        4 * (size_t)fault->at < wire->have) {
        uint32_t word = tern_wire_word(wire->packet, fault->at);

        tern_wire_set_word(wire->packet, fault->at,
                           (word & ~fault->mask) | (fault->value & fault->mask));
    }
    if (wire->have == TERN_WIRE_ROUTED + sizeof(uint16_t)) /* the checksum is in this beat, too */
        tern_wire_seal(wire->packet, TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES,
                       fault->seal & TERN_SEAL_HEADER);
    if (end && wire->have >= TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES)
        tern_wire_seal(wire->packet, wire->have, fault->seal & ~(unsigned)TERN_SEAL_HEADER);
    if (fault->kind == TERN_FAULT_FLIP && fault->at >= begin && fault->at < wire->have)
        wire->packet[fault->at] ^= (uint8_t)fault->mask;
}

/* ---- packets being sent ---- */

void net_count_packet(struct net_wire *wire, uint64_t cycle)
{
    wire->stats.packets++;
    wire->active = cycle;
}

static bool fault_is(const struct net_wire *wire, enum tern_fault_kind kind)
{
    return wire->fault != NULL && wire->fault->kind == kind;
}

static void packet_begins(struct net_wire *wire, unsigned vn, uint64_t cycle)
{
    bool late;

    wire->have = 0;
    wire->in_packet = true;
    choose_fault(wire, vn);
    late = fault_is(wire, TERN_FAULT_DELAY);
    wire->lost = wire->inject_at > 0 || late || fault_is(wire, TERN_FAULT_DROP);
    wire->stats.lost += wire->lost && !late;
    wire->stats.delayed += late;
    wire->stats.duplicated += fault_is(wire, TERN_FAULT_DUPLICATE);
    wire->stats.damaged +=
        !wire->lost && (fault_is(wire, TERN_FAULT_FLIP) || fault_is(wire, TERN_FAULT_SET));
    net_count_packet(wire, cycle);
}

/* Queues duplicate and delayed copies; not for whole packets, whose receivers would ignore them. */
static void packet_ends(struct net_wire *wire)
{
    if (wire->queues != NULL)
        return;
    if (wire->held != NULL && --wire->held_for == 0) {
        queue_take(&wire->again, wire->held);
        wire->held = NULL;
    }
    if (fault_is(wire, TERN_FAULT_DUPLICATE))
        (void)net_queue_add(&wire->again, wire->packet, wire->have);
    if (fault_is(wire, TERN_FAULT_DELAY)) {
        wire->held = packet_new(wire->packet, wire->have);
        wire->held_for = wire->fault->at;
    }
}

/* Passes one beat of a packet through the faults of its wire; false when it does not arrive. */
bool net_packet_beat(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle)
{
    bool end = beat->kind == TERN_LINK_KIND_EOP;

    if (beat->kind == TERN_LINK_KIND_SOP)
        packet_begins(wire, TERN_F(PKT, vn, beat->data), cycle);
    wire->stats.bytes += wire->beat;
    wire->in_packet = wire->in_packet && !end;
    if (wire->fault != NULL && wire->have + wire->beat <= sizeof wire->packet) {
        memcpy(wire->packet + wire->have, &beat->data, wire->beat);
        wire->have += wire->beat;
        apply_fault(wire, end);
        memcpy(&beat->data, wire->packet + wire->have - wire->beat, wire->beat);
    }
    if (end)
        packet_ends(wire);
    return !wire->lost;
}

void net_add_noise(struct net_wire *wire, struct tern_model_beat *beat)
{
    if (wire->noise_every == 0 || next_random(wire) % wire->noise_every != 0)
        return;
    beat->data ^= UINT64_C(1) << (next_random(wire) % (8 * wire->beat));
    wire->stats.damaged++;
}

/* Makes the beat at `*at` of a packet that the node did not send, and advances `*at`. */
static void next_beat(const struct net_packet *packet, size_t *at, unsigned bytes,
                      struct tern_model_beat *beat)
{
    size_t next = *at + bytes;

    beat->valid = true;
    beat->kind = *at == 0                ? TERN_LINK_KIND_SOP
                 : next >= packet->bytes ? TERN_LINK_KIND_EOP
                                         : TERN_LINK_KIND_DATA;
    memcpy(&beat->data, packet->data + *at, bytes);
    *at = next;
}

/* Makes the next beat of an injected packet. */
static void inject_beat(struct net_wire *wire, struct tern_model_beat *beat)
{
    next_beat(wire->injected.first, &wire->inject_at, wire->beat, beat);
    if (wire->inject_at < wire->injected.first->bytes)
        return;
    wire->inject_at = 0;
    net_queue_drop(&wire->injected);
    wire->stats.injected++;
}

/* ---- delayed beats ---- */

static bool late_grow(struct net_late *late)
{
    unsigned size = late->size > 0 ? 2 * late->size : 64;
    struct tern_model_beat *beats = calloc(size, sizeof *beats);

    if (beats == NULL)
        return false;
    for (unsigned i = 0; i < late->count; i++)
        beats[i] = late->beats[(late->first + i) & (late->size - 1)];
    free(late->beats);
    *late = (struct net_late){.beats = beats, .count = late->count, .size = size};
    return true;
}

static void late_push(struct net_late *late, const struct tern_model_beat *beat)
{
    if (late->count < late->size || late_grow(late))
        late->beats[(late->first + late->count++) % late->size] = *beat;
}

/* Queues `beat` on a delayed wire; replaces it by the beat that the wire delivers this cycle. */
static void late_pass(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle)
{
    struct net_late *late = &wire->late;

    if (beat->valid)
        late_push(late, beat);
    beat->valid = false;
    if (late->count == 0 || cycle < wire->stalled)
        return;
    *beat = late->beats[late->first];
    late->first = (late->first + 1) % late->size;
    late->count--;
}

/* Queues the copies of packets after the packet that has ended; its last beat is on its way. */
static void late_packets(struct net_wire *wire)
{
    for (; wire->again.count > 0; net_queue_drop(&wire->again)) {
        struct tern_model_beat beat;

        for (size_t at = 0; at < wire->again.first->bytes;) {
            next_beat(wire->again.first, &at, wire->beat, &beat);
            late_push(&wire->late, &beat);
        }
    }
}

static bool held_up(const struct net_wire *wire, uint64_t cycle)
{
    return wire->late.count > 0 || cycle < wire->stalled;
}

/* ---- beats ---- */

void tern_net_put(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                  const struct tern_model_beat *beat)
{
    struct net_wire *wire = net_end_at(net, node, port)->out;
    struct tern_model_beat out;

    if (wire == NULL || (!beat->valid && wire->injected.count == 0 && wire->late.count == 0))
        return;
    out = *beat;
    if (out.valid && out.kind != TERN_LINK_KIND_CTL)
        out.valid = net_packet_beat(wire, &out, cycle);
    if (!out.valid && wire->injected.count > 0 && (!wire->in_packet || wire->lost))
        inject_beat(wire, &out);
    if (held_up(wire, cycle))
        late_pass(wire, &out, cycle);
    if (wire->again.count > 0)
        late_packets(wire);
    if (!out.valid || wire->cut)
        return;
    net_add_noise(wire, &out);
    wire->slots[(cycle + net->latency) & net->mask] = out;
}

void tern_net_take(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                   struct tern_model_beat *beat)
{
    struct net_wire *wire = net_end_at(net, node, port)->in;
    struct tern_model_beat *slot;

    beat->valid = false;
    if (wire == NULL)
        return;
    slot = &wire->slots[cycle & net->mask];
    if (!slot->valid)
        return;
    *beat = *slot;
    slot->valid = false;
}

void tern_net_arrive(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                     const struct tern_model_beat *beat)
{
    struct net_wire *wire = net_end_at(net, node, port)->in;

    if (wire != NULL && !wire->cut)
        wire->slots[cycle & net->mask] = *beat;
}

/* ---- links ---- */

void tern_net_cut(struct tern_net *net, unsigned node, unsigned port, bool cut)
{
    if (!tern_net_has(net, node, port))
        return;
    net->changes++;
    net_end_at(net, node, port)->out->cut = cut; /* beats already past the cut still arrive */
    net_end_at(net, node, port)->in->cut = cut;
}

bool tern_net_is_cut(const struct tern_net *net, unsigned node, unsigned port)
{
    return !tern_net_has(net, node, port) || net_end_at(net, node, port)->out->cut;
}

void tern_net_kill(struct tern_net *net, unsigned node, bool dead)
{
    for (unsigned port = 0; port < net->ports; port++)
        tern_net_cut(net, node, port, dead);
    if (net->tree != NULL)
        tern_net_kill(net->tree, node, dead);
}

void tern_net_stall(struct tern_net *net, unsigned node, unsigned port, uint64_t until)
{
    struct net_wire *wire = wire_from(net, node, port);

    if (wire != NULL)
        wire->stalled = until;
}

bool tern_net_inject(struct tern_net *net, unsigned node, unsigned port,
                     const uint8_t *packet, size_t bytes)
{
    struct net_wire *wire = wire_from(net, node, port);

    if (wire == NULL || bytes < 2 * wire->beat || bytes % wire->beat != 0 ||
        bytes > TERN_WIRE_PACKET_MAX)
        return false;
    if (wire->queues != NULL)
        return net_packets_inject(net, wire, packet, bytes);
    return wire->injected.count < NET_INJECTED && net_queue_add(&wire->injected, packet, bytes);
}

const struct tern_wire_stats *tern_net_stats(const struct tern_net *net, unsigned node,
                                             unsigned port)
{
    static const struct tern_wire_stats none;

    return tern_net_has(net, node, port) ? &net_end_at(net, node, port)->out->stats : &none;
}

uint64_t tern_net_packets(const struct tern_net *net)
{
    uint64_t packets = 0;

    for (unsigned w = 0; w < net->nodes * net->ports; w++)
        packets += net->wires[w].stats.packets;
    return packets;
}

uint64_t tern_net_active(const struct tern_net *net)
{
    uint64_t active = net->tree != NULL ? tern_net_active(net->tree) : 0;

    for (unsigned w = 0; w < net->nodes * net->ports; w++) {
        if (net->wires[w].active > active)
            active = net->wires[w].active;
    }
    return active;
}
