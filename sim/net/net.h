/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wires between the nodes of a torus or mesh, and the faults on them.
 *
 * A wire carries one beat per cycle in one direction, with `latency` cycles of delay. It is a ring
 * of slots: the neighbour reads in cycle t + latency the beat that a node sends in cycle t. So
 * nodes may run one after the other, for up to `latency` cycles each.
 *
 * A port is one end of a link: a wire out and a wire in. Faults are set at the sending end. Where a
 * mesh has no link, no beat arrives, none is counted, and no fault can be set.
 */
#ifndef TERN_SIM_NET_H
#define TERN_SIM_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern_model.h"
#include "torus.h"

struct tern_net;

enum tern_fault_kind {
    TERN_FAULT_DROP,      /* the packet vanishes */
    TERN_FAULT_FLIP,      /* bits of one byte change */
    TERN_FAULT_SET,       /* bits of one word are overwritten */
    TERN_FAULT_DUPLICATE, /* the packet comes twice */
    TERN_FAULT_DELAY      /* the packet comes after `at` others of its wire, which overtake it */
};

enum { TERN_ANY_TYPE = -1, TERN_DELAY_MAX = 32, TERN_STALL_MAX = 2048 };

/* A fault of packets on one wire. */
struct tern_fault {
    enum tern_fault_kind kind;
    int type;       /* counts only packets of this type's virtual network; or TERN_ANY_TYPE */
    unsigned skip;  /* so many of those pass first */
    unsigned every; /* then one in so many is hit, at random; 0 and 1: each */
    unsigned count; /* the fault ends after so many hits */
    unsigned at; /* FLIP: byte; SET: word; no effect beyond the packet. DELAY: 1 to TERN_DELAY_MAX,
                    less than a link needs to reuse a sequence number */
    uint32_t mask;  /* which bits */
    uint32_t value; /* SET: their value */
    unsigned seal;  /* TERN_SEAL_*: checksums to be corrected afterwards */
};

struct tern_wire_stats {
    uint64_t packets, bytes; /* sent on the wire, without control words */
    uint64_t lost, damaged, duplicated, delayed, injected;
};

struct tern_net *tern_net_new(const struct tern_torus *torus, unsigned latency, uint64_t seed);
void tern_net_free(struct tern_net *net);

/*
 * Adds the wires of a tree network between the same nodes, as a net of its own: ports 0 and 1 of
 * node r lead to nodes 2r + 1 and 2r + 2, port 2 to its parent. It is freed with `net`. False
 * without memory.
 */
bool tern_net_add_tree(struct tern_net *net, uint64_t seed);

/* Returns the net of the tree network, for all functions of this file; NULL: there is none. */
struct tern_net *tern_net_tree(const struct tern_net *net);

/*
 * Sets the bytes of a beat, 4 or 8 (initially 8); call it before the nodes run. With 4, a fault
 * cannot correct the end-to-end checksum: it has left before the last beat.
 */
void tern_net_use_beats(struct tern_net *net, unsigned bytes);

/* Tells whether there is a link at `port` of `node`. */
bool tern_net_has(const struct tern_net *net, unsigned node, unsigned port);

/* Returns the beat that reaches `port` of `node` in `cycle`; call once for each cycle. */
void tern_net_take(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                   struct tern_model_beat *beat);

/* Sends a beat from `port` of `node` in `cycle`. */
void tern_net_put(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                  const struct tern_model_beat *beat);

/* Puts a beat from another simulator on the wire, for `port` of `node` to take in `cycle`. */
void tern_net_arrive(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                     const struct tern_model_beat *beat);

/*
 * Whole packets, for nodes without beats. A packet meets the same faults as beat by beat, but takes
 * no time. It waits at the far end of the wire, in order, in one queue per channel: each virtual
 * network has two, for packets that have crossed a dateline and for others. Duplicate and delayed
 * copies do not appear: the receiving link would recognise their number.
 */
enum { TERN_NET_QUEUE = 32, TERN_NET_NETWORKS = 3, TERN_NET_CHANNELS = 2 * TERN_NET_NETWORKS };

static inline unsigned tern_net_channel(unsigned vn, bool dateline)
{
    return 2 * vn + dateline;
}

/* Switches to whole packets; false without memory. */
bool tern_net_use_packets(struct tern_net *net);

/*
 * Returns the free places at the far end of the wire from `port` of `node`; none while it is
 * stalled.
 */
unsigned tern_net_room(const struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                       uint64_t cycle);

/*
 * Sends a packet; `bytes` is a multiple of 8. Call only with room. False when the receiving link
 * would request it again; a damaged copy is delivered all the same, if that leaves a place.
 */
bool tern_net_send(struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                   const uint8_t *packet, size_t bytes, uint64_t cycle);

/*
 * For wires on which another simulator sends (span.h), which has already applied the faults: return
 * the free places of a queue, stalled or not; put a packet into one. A cut wire drops the packet.
 */
unsigned tern_net_places(const struct tern_net *net, unsigned node, unsigned port,
                         unsigned channel);
void tern_net_carry(struct tern_net *net, unsigned node, unsigned port, unsigned channel,
                    const uint8_t *packet, size_t bytes);

/* Returns the oldest packet that arrived at `port` of `node`, aligned to 8, or NULL. */
const uint8_t *tern_net_first(const struct tern_net *net, unsigned node, unsigned port,
                              unsigned channel, size_t *bytes);
void tern_net_drop_first(struct tern_net *net, unsigned node, unsigned port, unsigned channel);

/* Returns the queues with packets at `node`: bit TERN_MODEL_PORTS * channel + port. */
uint64_t tern_net_ready(const struct tern_net *net, unsigned node);

/* Returns the number of packets that wait at all ports of `node`. */
unsigned tern_net_waiting(const struct tern_net *net, unsigned node);

/*
 * The state that a link's control words would carry.  tern_net_say() sets whether the end at `port`
 * of `node` receives its peer.  tern_net_hears() returns whether the wire into that end is whole;
 * tern_net_heard() returns whether it is, and the peer receives this end.  tern_net_changes()
 * counts the changes that may alter either.
 */
void tern_net_say(struct tern_net *net, unsigned node, unsigned port, bool heard);
bool tern_net_hears(const struct tern_net *net, unsigned node, unsigned port);
bool tern_net_heard(const struct tern_net *net, unsigned node, unsigned port);
uint64_t tern_net_changes(const struct tern_net *net);

/* Cut or restore the link at a port, both directions; tell whether it is cut. */
void tern_net_cut(struct tern_net *net, unsigned node, unsigned port, bool cut);
bool tern_net_is_cut(const struct tern_net *net, unsigned node, unsigned port);

/* Cuts or restores all links of a node, those of the tree network too, as if its NIC died. */
void tern_net_kill(struct tern_net *net, unsigned node, bool dead);

/* Delays everything that `port` of `node` sends before cycle `until` to that cycle, in order. */
void tern_net_stall(struct tern_net *net, unsigned node, unsigned port, uint64_t until);

/*
 * Adds a fault to the packets that `port` of `node` sends; false when it has too many already, or
 * no link.
 */
bool tern_net_fault(struct tern_net *net, unsigned node, unsigned port,
                    const struct tern_fault *fault);

/* Flips a random bit in one of `every` beats that `port` of `node` sends; 0 = none. */
void tern_net_noise(struct tern_net *net, unsigned node, unsigned port, uint32_t every);

/*
 * Sends a packet unchanged from `port` of `node`, in the next idle cycles. `bytes` is a multiple of
 * 8. The receiving link accepts it only with the sequence number it expects. A packet of the node
 * that begins meanwhile is lost and sent again. False when `bytes` is not valid or too many packets
 * wait.
 */
bool tern_net_inject(struct tern_net *net, unsigned node, unsigned port,
                     const uint8_t *packet, size_t bytes);

const struct tern_wire_stats *tern_net_stats(const struct tern_net *net, unsigned node,
                                             unsigned port);

/* Return the number of packets on all wires, and the last cycle in which one was sent. */
uint64_t tern_net_packets(const struct tern_net *net);
uint64_t tern_net_active(const struct tern_net *net);

#endif
