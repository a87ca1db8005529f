/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An end point on the links of a node, in place of its NIC: follows the link protocol, and sends
 * any packets that it is given.
 *
 * On request it breaks one rule: it sends without credit (`no_credit`), on rtl alone. After a link
 * went down it starts with fresh counts.
 *
 * It acknowledges incoming packets to the link, reports and drops them; it sends no packets of its
 * own. On rtl a packet leaves when the one before has been acknowledged. The end point gives up a
 * packet that the link refuses, without affecting others.
 */
#ifndef TERN_HOSTILE_END_POINT_H
#define TERN_HOSTILE_END_POINT_H

#include "stand_in.h"
#include "wire.h"

enum { END_PORTS = 2, END_QUEUE = 512 /* packets */, END_CHANNELS = 6 };

struct end_packet {
    uint8_t bytes[TERN_WIRE_PACKET_MAX];
    size_t count;
    unsigned seal; /* checksums to recompute; the link's number is always right */
};

/* One end of a link, one beat at a time. */
struct end_link {
    uint64_t heard_at, up_at; /* last control word, or 0; up since, or 0 */
    bool peer_hears;
    uint8_t expect, number;                     /* of incoming packets, of outgoing packets */
    uint8_t freed[END_CHANNELS];                /* credit given, in blocks, modulo 64 */
    uint8_t limit[END_CHANNELS], paid[END_CHANNELS];
    uint8_t in[TERN_WIRE_PACKET_MAX], out[TERN_WIRE_PACKET_MAX];
    size_t in_count, out_at, out_count; /* out_count: bytes of the packet in flight, 0: none */
    bool waits;                         /* for the acknowledgement of its packet */
    bool unwanted;                      /* the peer asked for it again while it was in flight */
    unsigned channel, idle;
};

struct end_point {
    unsigned node;
    void (*took)(void *ctx, unsigned port, const uint8_t *packet, size_t bytes);
    void *ctx;
    struct end_packet *queue[END_PORTS]; /* rings of END_QUEUE */
    unsigned first[END_PORTS], count[END_PORTS];
    struct end_link link[END_PORTS];
    uint64_t sent, refused, came; /* packets; refused: by the peer's link */
    uint64_t early;               /* of those refused: before their last beat */
    bool no_credit;               /* send without regard to credit */
};

/* Initialises an end point. False when there is no memory. */
bool end_point_init(struct end_point *end, unsigned node);
void end_point_fini(struct end_point *end);

/* Returns the argument for tern_sim_stand_in(). */
struct tern_stand_in end_point_stand_in(struct end_point *end);

/* Queues a packet of `bytes`, a multiple of 8, for `port`.  False when the queue is full. */
bool end_point_send(struct end_point *end, unsigned port, const void *packet, size_t bytes,
                    unsigned seal);

/* Drops the packets still to be sent through `port`. */
void end_point_forget(struct end_point *end, unsigned port);

/* Tells whether no packet is queued or in flight. */
bool end_point_idle(const struct end_point *end);

#endif
