/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links and router, as tern_link and tern_router, without beats and credits: a wire has places for
 * whole packets.  A packet that moves on needs one place, a packet that enters needs two, so a ring
 * never fills.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

enum {
    NETWORKS = 3,
    HERE = SOFT_PORTS,
    LINK_TRIES = 1000 /* the chip goes on for ever, and firmware gives up */
};

/* ---- is a link up? ---- */

static bool hears(const struct soft_node *node, unsigned port)
{
    const struct soft_link *link = &node->link[port];

    return tern_net_hears(node->net, node->config.number, port) && !link->forced &&
           node->sys.now >= link->hold_until;
}

static void fall(struct soft_node *node, struct soft_link *link)
{
    link->up = false;
    link->hold_until = node->sys.now + SOFT_LINK_HOLD;
    link->tell_down = true;
    link->tell_up = false;
    SOFT_COUNT(node, link_downs);
}

/* Up: we hear the peer, and it hears us.  A fall is told before a rise that follows it. */
static void look(struct soft_node *node, unsigned port)
{
    struct soft_link *link = &node->link[port];
    bool up = hears(node, port) && tern_net_heard(node->net, node->config.number, port);

    if (link->forced)
        link->hold_until = node->sys.now + SOFT_LINK_HOLD;
    if (up && !link->up) {
        link->up = true;
        link->tell_up = true;
    } else if (!up && link->up) {
        fall(node, link);
    }
    if (link->tell_up || link->tell_down)
        node->sys.pending |= UINT32_C(1) << TERN_EV_LINK;
    tern_net_say(node->net, node->config.number, port, hears(node, port));
}

void soft_links_look(struct soft_node *node)
{
    uint64_t before = tern_net_changes(node->net);

    for (unsigned port = 0; port < SOFT_PORTS; port++)
        look(node, port);
    node->net_seen = tern_net_changes(node->net);
    node->cost += node->net_seen != before; /* the peer has to look, too */
}

void soft_link_force(struct soft_node *node, unsigned port, bool down)
{
    node->link[port].forced = down;
    soft_links_look(node);
}

bool soft_links_up(const struct soft_node *node)
{
    for (unsigned port = 0; port < SOFT_PORTS; port++)
        if (!node->link[port].up)
            return false;
    return true;
}

/* When a hold ends. */
uint64_t soft_links_timer(const struct soft_node *node)
{
    uint64_t first = SOFT_NEVER;

    for (unsigned port = 0; port < SOFT_PORTS; port++) {
        const struct soft_link *link = &node->link[port];

        if (!link->up && link->hold_until > node->sys.now && link->hold_until < first)
            first = link->hold_until;
    }
    return first;
}

uint32_t soft_link_event(struct soft_node *node)
{
    for (unsigned up = 0; up <= 1; up++)
        for (unsigned port = 0; port < SOFT_PORTS; port++) {
            bool *tell = up ? &node->link[port].tell_up : &node->link[port].tell_down;

            if (!*tell)
                continue;
            *tell = false;
            return TERN_V(EV, type, TERN_EV_LINK) | TERN_V(EV, port, port) |
                   TERN_V(EV, up, up);
        }
    return 0;
}

/* ---- sending ---- */

static uint32_t link_crc(const uint8_t *packet, size_t bytes)
{
    return ~tern_wire_crc32c(UINT32_MAX, packet, bytes - 4);
}

/* Fills in what belongs to this hop and puts the packet on the wire.  A packet that was found
 * damaged carries a link CRC that is wrong on purpose.  What the wire damages is sent again. */
static void send(struct soft_node *node, unsigned port, unsigned vn, uint8_t *packet,
                 size_t bytes, bool stomp)
{
    struct soft_link *link = &node->link[port];
    uint32_t first = tern_wire_word(packet, TERN_PKT_link_seq_WORD);
    uint32_t crc;

    if (!link->up) {
        link->drops++;
        node->sys.drops++;
        SOFT_COUNT(node, link_down_drops);
        return;
    }
    first = (first & ~TERN_V(PKT, link_seq, UINT32_MAX)) | TERN_V(PKT, link_seq, link->sequence++);
    tern_wire_set_word(packet, TERN_PKT_link_seq_WORD, first);
    tern_wire_seal(packet, bytes, TERN_SEAL_HEADER);
    crc = link_crc(packet, bytes);
    tern_wire_set_word(packet, bytes / 4 - 1, stomp ? ~crc : crc);
    for (unsigned tries = 0; tries < LINK_TRIES; tries++)
        if (tern_net_send(node->net, node->config.number, port, vn, packet, bytes, node->sys.now))
            break;
    SOFT_COUNT(node, link_sent);
}

static bool room(const struct soft_node *node, unsigned port, unsigned vn, unsigned places)
{
    return !node->link[port].up ||
           tern_net_room(node->net, node->config.number, port, vn) >= places;
}

/* The shorter way round; a tie goes the positive way. */
static unsigned port_to(const struct soft_node *node, uint32_t dst)
{
    uint32_t side = (node->config.dims & 0x1fu) + 1;
    uint32_t ahead = (dst + side - (node->config.coordinates & 0x1fu)) % side;

    if ((dst & 0x7fff) == node->config.coordinates)
        return HERE;
    return 2 * ahead <= side ? 0 : 1;
}

static void charge(struct soft_node *node, size_t bytes)
{
    node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
}

bool soft_route(struct soft_node *node, uint8_t *packet, size_t bytes, unsigned vn)
{
    unsigned port = port_to(node, TERN_F(PKT, dst, tern_wire_word(packet, TERN_PKT_dst_WORD)));

    if (port == HERE) {
        if (!soft_rx_take(node, packet, bytes, false))
            return false;
    } else {
        if (!room(node, port, vn, 2))
            return false;
        send(node, port, vn, packet, bytes, false);
    }
    charge(node, bytes);
    return true;
}

/* ---- receiving ---- */

static bool inside(uint32_t dst, uint32_t dims)
{
    return (dst & 0x1f) <= (dims & 0x1f) && (dst >> 5 & 0x1f) <= (dims >> 5 & 0x1f) &&
           (dst >> 10 & 0x1f) <= (dims >> 10 & 0x1f);
}

static bool header_good(const struct soft_node *node, const uint8_t *packet, const uint32_t *w)
{
    uint32_t vn = (uint32_t)TERN_GET(PKT, vn, w);
    uint32_t words = (uint32_t)TERN_GET(PKT, words, w);
    uint32_t most = vn == TERN_VN_ACK ? 0 : SOFT_PAYLOAD;

    return TERN_GET(PKT, hcrc, w) == tern_wire_crc16(packet, TERN_WIRE_ROUTED) && vn < NETWORKS &&
           words >= soft_packet_bytes(0) / 8 && words <= soft_packet_bytes(most) / 8 &&
           inside((uint32_t)TERN_GET(PKT, dst, w), node->config.dims);
}

struct verdict {
    size_t bytes;  /* that count: what the header says, when there are more */
    bool whole;    /* it ends where its header says, and its link CRC is right */
    bool stomped;  /* not whole, but that was found and counted before */
};

static struct verdict judge(const uint8_t *packet, const uint32_t *w, size_t bytes)
{
    size_t wanted = 8 * (size_t)TERN_GET(PKT, words, w);
    uint32_t crc = link_crc(packet, bytes);
    uint32_t has = tern_wire_word(packet, bytes / 4 - 1);

    return (struct verdict){.bytes = bytes < wanted ? bytes : wanted,
                            .whole = bytes == wanted && has == crc,
                            .stomped = bytes <= wanted && has == ~crc};
}

static void count(struct soft_node *node, unsigned port, const struct verdict *verdict)
{
    if (verdict->whole)
        node->link[port].good++;
    if (verdict->whole || verdict->stomped)
        return;
    node->link[port].bad_crc++;
    SOFT_COUNT(node, link_bad_crc);
}

/* Goes straight on, or into this node; false when there is no room. */
static bool pass_on(struct soft_node *node, unsigned port, const uint8_t *packet,
                    const uint32_t *w, const struct verdict *verdict)
{
    unsigned vn = (unsigned)TERN_GET(PKT, vn, w);
    _Alignas(8) uint8_t copy[SOFT_PACKET_MAX];

    if ((TERN_GET(PKT, dst, w) & 0x7fff) == node->config.coordinates)
        return soft_rx_take(node, packet, verdict->bytes, !verdict->whole);
    if (!room(node, port ^ 1, vn, 1))
        return false;
    memcpy(copy, packet, verdict->bytes);
    send(node, port ^ 1, vn, copy, verdict->bytes, !verdict->whole);
    SOFT_COUNT(node, link_forwarded);
    return true;
}

/* The packet at the head of a wire; false when it has to stay. */
static bool receive(struct soft_node *node, unsigned port, const uint8_t *packet, size_t bytes)
{
    uint32_t w[SOFT_HEADER_WORDS];
    struct verdict verdict;

    memcpy(w, packet, sizeof w);
    if (!header_good(node, packet, w)) {
        SOFT_COUNT(node, link_bad_header);
        node->sys.drops++;
        return true;
    }
    verdict = judge(packet, w, bytes);
    if (!pass_on(node, port, packet, w, &verdict))
        return false;
    count(node, port, &verdict);
    return true;
}

static bool receive_all(struct soft_node *node, unsigned port, unsigned vn)
{
    const uint8_t *packet;
    size_t bytes;
    bool did = false;

    while ((packet = tern_net_first(node->net, node->config.number, port, vn, &bytes)) !=
               NULL &&
           receive(node, port, packet, bytes)) {
        charge(node, bytes);
        tern_net_drop_first(node->net, node->config.number, port, vn);
        did = true;
    }
    return did;
}

/* Acks first, requests last. */
bool soft_link_work(struct soft_node *node)
{
    bool did = false;

    if (tern_net_changes(node->net) != node->net_seen)
        soft_links_look(node);
    if (tern_net_waiting(node->net, node->config.number) == 0)
        return false;
    for (unsigned vn = NETWORKS; vn-- > 0;)
        for (unsigned port = 0; port < SOFT_PORTS; port++)
            did = receive_all(node, port, vn) || did;
    return did;
}
