/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of the wires, for the two ways to use them: beat by beat, and whole packets. */
#ifndef TERN_SIM_NET_INSIDE_H
#define TERN_SIM_NET_INSIDE_H

#include "net.h"
#include "wire.h"

enum {
    NET_FAULTS = 16,
    NET_INJECTED = 16
};

struct net_packet {
    struct net_packet *next;
    size_t bytes;
    _Alignas(8) uint8_t data[];
};

struct net_queue {
    struct net_packet *first, *last;
    unsigned count;
};

/* Beats that wait for their turn, in a ring that grows. */
struct net_late {
    struct tern_model_beat *beats;
    unsigned first, count, size;
};

/* Its sender and its receiver may run in different threads: each keeps to its own part, and they
 * meet in slots that are `latency` cycles apart. */
struct net_wire {
    struct tern_model_beat *slots;
    unsigned node, port; /* where it ends */
    unsigned beat;       /* bytes of a beat */
    bool cut;
    uint32_t noise_every;
    struct tern_fault faults[NET_FAULTS];
    unsigned fault_count;
    uint64_t stalled; /* until this cycle */

    /* packet going by */
    bool in_packet, lost;
    const struct tern_fault *fault;
    struct tern_fault fault_now; /* a copy: the list may change meanwhile */
    size_t have;
    uint8_t packet[TERN_WIRE_PACKET_MAX];

    struct net_packet *held; /* delayed until ... */
    unsigned held_for;       /* ... so many others have passed */
    struct net_queue again;  /* follow the packet that has just ended */
    struct net_late late;    /* what they and a stall hold up */

    struct net_queue injected;
    size_t inject_at;
    uint64_t random; /* of noise */
    uint64_t active; /* cycle of the last packet that began */

    struct net_queue *queues; /* a net of whole packets: one for each channel */
    bool heard;               /* the sender says that it receives its peer */

    struct tern_wire_stats stats;
};

/* A port: the wires from it and into it.  NULL: there is no link. */
struct net_end {
    struct net_wire *out, *in;
};

struct tern_net {
    struct tern_torus torus;
    unsigned nodes, ports, latency;
    unsigned mask; /* slots of a wire less 1, which are a power of 2 */
    uint64_t changes;       /* cuts and what ends said of themselves so far */
    unsigned *waiting;      /* a net of whole packets: how many stand before each node ... */
    uint64_t *ready;        /* ... and where, as tern_net_ready() */
    struct net_wire *wires; /* wires[node * ports + port]: what that port sends */
    struct net_end *ends;   /* as wires */
};

static inline const struct net_end *net_end_at(const struct tern_net *net, unsigned node,
                                               unsigned port)
{
    return &net->ends[node * net->ports + port];
}

/* Adds a copy; false when there is no memory. */
bool net_queue_add(struct net_queue *queue, const uint8_t *packet, size_t bytes);
void net_queue_drop(struct net_queue *queue);

/* One beat of a packet with the faults that are asked for; false when it does not arrive. */
bool net_packet_beat(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle);
void net_add_noise(struct net_wire *wire, struct tern_model_beat *beat);

/* Counts a packet that is put on the wire. */
void net_count_packet(struct net_wire *wire, uint64_t cycle);

/* tern_net_inject() of a net of whole packets. */
bool net_packets_inject(struct tern_net *net, struct net_wire *wire, const uint8_t *packet,
                        size_t bytes);

#endif
