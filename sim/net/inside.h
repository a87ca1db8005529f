/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the wires, for the two ways to use them: beat by beat, and whole packets. */
#ifndef TERN_SIM_NET_INSIDE_H
#define TERN_SIM_NET_INSIDE_H

#include "net.h"
#include "wire.h"

enum {
    NET_FAULTS = 16,
    NET_INJECTED = 16,
    NET_NETWORKS = 3,
    NET_PORTS = TERN_MODEL_PORTS,
    NET_BEAT = TERN_MODEL_BEAT_BYTES
};

struct net_packet {
    size_t bytes;
    _Alignas(8) uint8_t data[TERN_WIRE_PACKET_MAX];
};

/* Packets of one virtual network that wait at the far end of a wire. */
struct net_queue {
    struct net_packet packets[TERN_NET_QUEUE];
    unsigned first, count;
};

/* Its sender and its receiver may run in different threads: each keeps to its own part, and they
 * meet in slots that are `latency` cycles apart. */
struct net_wire {
    struct tern_model_beat *slots;
    bool cut;
    uint32_t noise_every;
    struct tern_fault faults[NET_FAULTS];
    unsigned fault_count;

    /* packet going by */
    bool in_packet, lost;
    const struct tern_fault *fault;
    struct tern_fault fault_now; /* a copy: the list may change meanwhile */
    size_t have;
    uint8_t packet[TERN_WIRE_PACKET_MAX];

    struct net_packet injected[NET_INJECTED];
    unsigned inject_first, inject_count;
    size_t inject_at;
    uint64_t random; /* of noise */
    uint64_t active; /* cycle of the last packet that began */

    struct net_queue *queues; /* a net of whole packets: one for each virtual network */
    bool heard;               /* the sender says that it receives its peer */

    struct tern_wire_stats stats;
};

struct tern_net {
    unsigned nodes, latency;
    unsigned mask; /* slots of a wire less 1, which are a power of 2 */
    uint64_t changes;       /* cuts and what ends said of themselves so far */
    unsigned *waiting;      /* a net of whole packets: how many stand before each node */
    struct net_wire *wires; /* wires[node * NET_PORTS + port]: what that port sends */
};

static inline struct net_wire *net_wire_from(const struct tern_net *net, unsigned node,
                                             unsigned port)
{
    return &net->wires[node * NET_PORTS + port];
}

/* The node at the other end of the link at `port`. */
static inline unsigned net_neighbour(const struct tern_net *net, unsigned node, unsigned port)
{
    return port == 0 ? (node + 1) % net->nodes : (node + net->nodes - 1) % net->nodes;
}

/* The wire that ends where `port` of `node` begins. */
static inline struct net_wire *net_wire_into(const struct tern_net *net, unsigned node,
                                             unsigned port)
{
    return net_wire_from(net, net_neighbour(net, node, port), port ^ 1);
}

/* One beat of a packet with the faults that are asked for; false when it does not arrive. */
bool net_packet_beat(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle);
void net_add_noise(struct net_wire *wire, struct tern_model_beat *beat);

/* Counts a packet that is put on the wire. */
void net_count_packet(struct net_wire *wire, uint64_t cycle);

/* tern_net_inject() of a net of whole packets. */
bool net_packets_inject(struct tern_net *net, unsigned node, unsigned port,
                        const uint8_t *packet, size_t bytes);

#endif
