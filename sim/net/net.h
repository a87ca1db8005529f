/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wires between the nodes of a ring, and what can go wrong on them.
 *
 * A wire carries one beat a cycle one way and takes `latency` cycles.  It is a ring of slots:
 * what a node sends in cycle t is read by its neighbour in cycle t + latency, so nodes may be
 * run one after the other for up to `latency` cycles each.
 *
 * A port is an end of a link: wire out, wire in.  Faults are asked for at the sending end.
 */
#ifndef TERN_SIM_NET_H
#define TERN_SIM_NET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tern_model.h"

struct tern_net;

enum tern_fault_kind {
    TERN_FAULT_DROP, /* the packet vanishes */
    TERN_FAULT_FLIP, /* bits of one byte change */
    TERN_FAULT_SET   /* bits of one word are given a value */
};

enum { TERN_ANY_TYPE = -1 };

/* Something that happens to packets on one wire. */
struct tern_fault {
    enum tern_fault_kind kind;
    int type;       /* only packets of its virtual network count; or TERN_ANY_TYPE */
    unsigned skip;  /* of those, how many pass first */
    unsigned count; /* then how many are hit */
    unsigned at;    /* FLIP: byte; SET: word; beyond the packet: nothing happens */
    uint32_t mask;  /* which bits */
    uint32_t value; /* SET: their value */
    unsigned seal;  /* TERN_SEAL_*: checksums that are made right again */
};

struct tern_wire_stats {
    uint64_t packets, bytes; /* put on the wire, control words apart */
    uint64_t lost, damaged, injected;
};

struct tern_net *tern_net_new(unsigned nodes, unsigned latency, uint64_t seed);
void tern_net_free(struct tern_net *net);

/* What reaches `port` of `node` in `cycle`; each cycle is to be asked for once. */
void tern_net_take(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                   struct tern_model_beat *beat);

/* What `port` of `node` sends in `cycle`. */
void tern_net_put(struct tern_net *net, unsigned node, unsigned port, uint64_t cycle,
                  const struct tern_model_beat *beat);

/*
 * Whole packets, for nodes that know no beats.  A packet meets the same faults as beat by beat,
 * takes no time, and waits at the far end of the wire, in order, one queue a virtual network.
 */
enum { TERN_NET_QUEUE = 32 };

/* Makes the net one of whole packets; false when there is no memory. */
bool tern_net_use_packets(struct tern_net *net);

/* Places that are free where the wire from `port` of `node` ends. */
unsigned tern_net_room(const struct tern_net *net, unsigned node, unsigned port, unsigned vn);

/* Sends a packet; `bytes` is a multiple of 8.  Only when there is room.  False when the link at the far
 * end would ask for it again; a damaged copy goes there all the same, if it leaves a place. */
bool tern_net_send(struct tern_net *net, unsigned node, unsigned port, unsigned vn,
                   const uint8_t *packet, size_t bytes, uint64_t cycle);

/* The oldest packet that has come in at `port` of `node`, aligned to 8, or NULL. */
const uint8_t *tern_net_first(const struct tern_net *net, unsigned node, unsigned port,
                              unsigned vn, size_t *bytes);
void tern_net_drop_first(struct tern_net *net, unsigned node, unsigned port, unsigned vn);

/* Packets that wait at all ports of `node`. */
unsigned tern_net_waiting(const struct tern_net *net, unsigned node);

/* What the control words of a link would say: whether the end at `port` of `node` receives its
 * peer.  `tern_net_hears` is whether the wire into it is whole, `tern_net_heard` whether it is and
 * its peer says so.  `tern_net_changes` counts what may alter either. */
void tern_net_say(struct tern_net *net, unsigned node, unsigned port, bool heard);
bool tern_net_hears(const struct tern_net *net, unsigned node, unsigned port);
bool tern_net_heard(const struct tern_net *net, unsigned node, unsigned port);
uint64_t tern_net_changes(const struct tern_net *net);

/* The link at a port, both ways. */
void tern_net_cut(struct tern_net *net, unsigned node, unsigned port, bool cut);
bool tern_net_is_cut(const struct tern_net *net, unsigned node, unsigned port);

/* Adds a fault to what `port` of `node` sends; false when it has too many already. */
bool tern_net_fault(struct tern_net *net, unsigned node, unsigned port,
                    const struct tern_fault *fault);

/* Flips a random bit in one of `every` beats that `port` of `node` sends; 0 = none. */
void tern_net_noise(struct tern_net *net, unsigned node, unsigned port, uint32_t every);

/* Lets `port` of `node` send a packet as it stands, in the next idle cycles.  `bytes` is a
 * multiple of 8.  A link takes it if it bears the number that the link waits for; a packet of the node
 * that begins meanwhile is lost, and comes again.  False when `bytes` is no such number or too many
 * wait. */
bool tern_net_inject(struct tern_net *net, unsigned node, unsigned port,
                     const uint8_t *packet, size_t bytes);

const struct tern_wire_stats *tern_net_stats(const struct tern_net *net, unsigned node,
                                             unsigned port);

/* Packets on all wires together, and the last cycle in which one was sent. */
uint64_t tern_net_packets(const struct tern_net *net);
uint64_t tern_net_active(const struct tern_net *net);

#endif
