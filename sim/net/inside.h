/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the wires, for their two uses: beat by beat, and whole packets. */
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

/* Delayed beats, in a ring that grows. */
struct net_late {
    struct tern_model_beat *beats;
    unsigned first, count, size;
};

/*
 * A wire. Its sender and receiver may run in different threads: each uses only its own fields, and
 * both share slots that are `latency` cycles apart.
 */
struct net_wire {
    struct tern_model_beat *slots;
    unsigned node, port; /* the receiving end */
    unsigned beat;       /* bytes of a beat */
    bool cut;
    uint32_t noise_every;
    struct tern_fault faults[NET_FAULTS];
    unsigned fault_count;
    uint64_t stalled; /* no beat is delivered before this cycle */

    /* the packet being sent */
    bool in_packet, lost;
    const struct tern_fault *fault;
    struct tern_fault fault_now; /* a copy: the list may change meanwhile */
    size_t have;
    uint8_t packet[TERN_WIRE_PACKET_MAX];

    struct net_packet *held; /* delayed until ... */
    unsigned held_for;       /* ... so many others have passed */
    struct net_queue again;  /* packets to send after the one that has just ended */
    struct net_late late;    /* beats delayed by those or by a stall */

    struct net_queue injected;
    size_t inject_at;
    uint64_t random; /* for noise */
    uint64_t active; /* cycle in which the latest packet began */

    struct net_queue *queues; /* whole packets: one queue per channel */
    bool heard;               /* the sender says that it receives its peer */

    struct tern_wire_stats stats;
};

/* A port: the wires from it and into it. NULL: it has no link. */
struct net_end {
    struct net_wire *out, *in;
};

struct tern_net {
    struct tern_torus torus;
    struct tern_net *tree; /* the wires of the tree network, or NULL */
    bool is_tree;
    unsigned nodes, ports, latency;
    unsigned mask; /* slots of a wire (a power of 2) less 1 */
    uint64_t changes;       /* number of cuts and reports of ends so far */
    unsigned *waiting;      /* whole packets: number waiting at each node ... */
    uint64_t *ready;        /* ... and where, in the form of tern_net_ready() */
    struct net_wire *wires; /* wires[node * ports + port]: what that port sends */
    struct net_end *ends;   /* in the order of wires */
};

static inline const struct net_end *net_end_at(const struct tern_net *net, unsigned node,
                                               unsigned port)
{
    return &net->ends[node * net->ports + port];
}

/* Adds a copy; false without memory. */
bool net_queue_add(struct net_queue *queue, const uint8_t *packet, size_t bytes);
void net_queue_drop(struct net_queue *queue);

/* Passes one beat of a packet through the faults of its wire; false when it does not arrive. */
bool net_packet_beat(struct net_wire *wire, struct tern_model_beat *beat, uint64_t cycle);
void net_add_noise(struct net_wire *wire, struct tern_model_beat *beat);

/* Counts a packet that enters the wire. */
void net_count_packet(struct net_wire *wire, uint64_t cycle);

/* tern_net_inject() for whole packets. */
bool net_packets_inject(struct tern_net *net, struct net_wire *wire, const uint8_t *packet,
                        size_t bytes);

#endif
