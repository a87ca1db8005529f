/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An end point at the wires of a node, in the place of its NIC: speaks the protocol of a link as it
 * should, and sends whatever packets it is given.
 *
 * Asked to, it breaks one rule: it sends without credit (`no_credit`), on rtl alone.  A link that
 * goes down begins a new life when it comes up again.
 *
 * It acknowledges incoming packets to the link, reports and forgets them: it answers nothing by
 * itself.  On rtl a packet leaves when the one before it has been acknowledged; one that the link
 * refuses is given up, at no cost to other packets.
 */
#ifndef TERN_HOSTILE_END_POINT_H
#define TERN_HOSTILE_END_POINT_H

#include "stand_in.h"
#include "wire.h"

enum { END_PORTS = 2, END_QUEUE = 512 /* packets */, END_CHANNELS = 6 };

struct end_packet {
    uint8_t bytes[TERN_WIRE_PACKET_MAX];
    size_t count;
    unsigned seal; /* checksums that are made right; the link's number always is */
};

/* One end of a link, beat by beat. */
struct end_link {
    uint64_t heard_at, up_at; /* last control word, or 0; since when it is up, or 0 */
    bool peer_hears;
    uint8_t expect, number;                     /* of packets that come, of those that leave */
    uint8_t freed[END_CHANNELS];                /* credit given, in blocks modulo 64 */
    uint8_t limit[END_CHANNELS], paid[END_CHANNELS];
    uint8_t in[TERN_WIRE_PACKET_MAX], out[TERN_WIRE_PACKET_MAX];
    size_t in_count, out_at, out_count; /* out_count: bytes of the packet on its way, 0: none */
    bool waits;                         /* for its acknowledgement */
    bool unwanted;                      /* it was asked for again while it was on its way */
    unsigned channel, idle;
};

struct end_point {
    unsigned node;
    void (*took)(void *ctx, unsigned port, const uint8_t *packet, size_t bytes);
    void *ctx;
    struct end_packet *queue[END_PORTS]; /* rings of END_QUEUE */
    unsigned first[END_PORTS], count[END_PORTS];
    struct end_link link[END_PORTS];
    uint64_t sent, refused, came; /* packets; refused: by the link */
    uint64_t early;               /* of those refused: before they had ended */
    bool no_credit;               /* send whether the peer has room or not */
};

/* False when there is no memory. */
bool end_point_init(struct end_point *end, unsigned node);
void end_point_fini(struct end_point *end);

/* For tern_sim_stand_in(). */
struct tern_stand_in end_point_stand_in(struct end_point *end);

/* Queues a packet of `bytes`, a multiple of 8, for `port`.  False when the queue is full. */
bool end_point_send(struct end_point *end, unsigned port, const void *packet, size_t bytes,
                    unsigned seal);

/* Forgets what is left to send through `port`. */
void end_point_forget(struct end_point *end, unsigned port);

/* Nothing is left to send, nor on its way. */
bool end_point_idle(const struct end_point *end);

#endif
