/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Links and router, like tern_link and tern_router, but without beats and credits: a wire has
 * places for whole packets. Dimensions are traversed in order, and packets that have crossed a
 * ring's dateline have places of their own, so packets in a ring cannot deadlock. A packet owes a
 * copy to each output that it needs; it sends each when there is room, and stays in its place until
 * it owes none.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

enum {
    HERE = TERN_MODEL_PORTS, /* the output to this node itself */
    OUTPUTS = HERE + 1,
    FIELD_BITS = 5, /* bits of a coordinate */
    MESH_BIT = 15,
    LINK_TRIES = 1000 /* the chip retries for ever, and firmware times out */
};

/* ---- state of a link ---- */

static bool hears(const struct soft_node *node, unsigned port)
{
    const struct soft_link *link = &node->link[port];

    return tern_net_hears(node->net, node->config.number, port) && !link->forced &&
           node->sys.now >= link->hold_until;
}

static void fall(struct soft_node *node, struct soft_link *link, unsigned broke)
{
    link->up = false;
    link->broke = (uint8_t)broke;
    link->hold_until = node->sys.now + SOFT_LINK_HOLD;
    link->tell_down = true;
    link->tell_up = false;
    SOFT_COUNT(node, link_downs);
}

/*
 * Updates a link: up if both ends hear each other. A fall is reported before a rise that follows
 * it.
 */
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
        fall(node, link, 0);
    }
    if (link->tell_up || link->tell_down)
        node->sys.pending |= UINT32_C(1) << TERN_EV_LINK;
    tern_net_say(node->net, node->config.number, port, hears(node, port));
}

void soft_links_look(struct soft_node *node)
{
    uint64_t before = tern_net_changes(node->net);

    for (unsigned port = 0; port < node->config.ports; port++)
        look(node, port);
    node->net_seen = tern_net_changes(node->net);
    node->cost += node->net_seen != before; /* the peer must check, too */
}

void soft_link_force(struct soft_node *node, unsigned port, bool down)
{
    node->link[port].forced = down;
    soft_links_look(node);
}

bool soft_links_up(const struct soft_node *node)
{
    for (unsigned port = 0; port < node->config.ports; port++)
        if (!node->link[port].up && tern_net_has(node->net, node->config.number, port))
            return false;
    return true;
}

/* Returns the end of the next hold. */
uint64_t soft_links_timer(const struct soft_node *node)
{
    uint64_t first = SOFT_NEVER;

    for (unsigned port = 0; port < node->config.ports; port++) {
        const struct soft_link *link = &node->link[port];

        if (!link->up && link->hold_until > node->sys.now && link->hold_until < first)
            first = link->hold_until;
    }
    return first;
}

uint32_t soft_link_event(struct soft_node *node)
{
    for (unsigned up = 0; up <= 1; up++)
        for (unsigned port = 0; port < node->config.ports; port++) {
            bool *tell = up ? &node->link[port].tell_up : &node->link[port].tell_down;

            if (!*tell)
                continue;
            *tell = false;
            return TERN_V(EV, type, TERN_EV_LINK) | TERN_V(EV, port, port) |
                   TERN_V(EV, up, up) | TERN_V(EV, broke, up ? 0 : node->link[port].broke);
        }
    return 0;
}

/* ---- routing ---- */

static unsigned place(uint32_t coordinates, unsigned dimension)
{
    return coordinates >> (dimension * FIELD_BITS) & ((1U << FIELD_BITS) - 1);
}

static bool same_place(const struct soft_node *node, uint32_t coordinates, unsigned dimension)
{
    return place(node->config.coordinates, dimension) == place(coordinates, dimension);
}

/*
 * Tells whether the way along a dimension leads down: on a ring the shorter way, up if both are
 * equal; in a mesh the only way.
 */
static bool leads_down(const struct soft_node *node, uint32_t from, uint32_t to, unsigned dimension)
{
    unsigned side = place(node->config.dims, dimension) + 1;
    unsigned ahead = (place(to, dimension) + side - place(from, dimension)) % side;

    if (node->config.dims >> MESH_BIT)
        return place(to, dimension) <= place(from, dimension);
    return 2 * ahead > side;
}

/* Returns the directions from one node to another: a bit per dimension, 1: down. */
static uint32_t way(const struct soft_node *node, uint32_t from, uint32_t to)
{
    uint32_t down = 0;

    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++)
        down |= (uint32_t)leads_down(node, from, to, d) << d;
    return down;
}

/* Tells whether the port's link is the dateline of a ring: between the last and the first place. */
static bool wraps(const struct soft_node *node, unsigned port)
{
    unsigned at = place(node->config.coordinates, port / 2);

    return at == (port % 2 != 0 ? 0 : place(node->config.dims, port / 2));
}

/* Header fields that a router reads. */
struct route {
    uint32_t dst, box;
    unsigned vn;
    bool deposit, dateline;
};

static struct route route_of(const uint8_t *packet)
{
    uint32_t w[2];

    memcpy(w, packet, sizeof w);
    return (struct route){.dst = (uint32_t)TERN_GET(PKT, dst, w),
                          .box = (uint32_t)TERN_GET(PKT, box, w),
                          .vn = (unsigned)TERN_GET(PKT, vn, w),
                          .deposit = TERN_GET(PKT, deposit, w) != 0,
                          .dateline = TERN_GET(PKT, dateline, w) != 0};
}

/*
 * Returns the outputs in dimensions from `first` on; for a single destination the next one, or this
 * node.
 */
static unsigned turns(const struct soft_node *node, const struct route *route, unsigned first)
{
    unsigned owed = 0;

    for (unsigned d = first; d < TERN_TORUS_DIMENSIONS; d++) {
        unsigned up = 1U << 2 * d, down = 2 * up;

        if (route->deposit)
            owed |= (same_place(node, route->dst, d) ? 0 : up) |
                    (same_place(node, route->box, d) ? 0 : down);
        else if (!same_place(node, route->dst, d))
            return route->box >> d & 1 ? down : up;
    }
    return route->deposit ? owed : 1U << HERE;
}

/* Returns the outputs of a packet that arrived at `port`. */
static unsigned owed_by(const struct soft_node *node, const struct route *route, unsigned port)
{
    unsigned dimension = port / 2;
    bool down = port % 2 == 0; /* it came from the upper neighbour */
    uint32_t end = route->deposit && down ? route->box : route->dst;
    bool arrived = same_place(node, end, dimension);
    unsigned owed = arrived ? 0 : 1U << (port ^ 1);

    if (route->deposit)
        return owed | 1U << HERE | turns(node, route, dimension + 1);
    return arrived ? turns(node, route, dimension + 1) : owed;
}

/* ---- sending ---- */

static uint32_t link_crc(const uint8_t *packet, size_t bytes)
{
    return ~tern_wire_crc32c(UINT32_MAX, packet, bytes - 4);
}

static void set_bits(uint8_t *packet, size_t word, uint32_t mask, uint32_t value)
{
    tern_wire_set_word(packet, word, (tern_wire_word(packet, word) & ~mask) | value);
}

/*
 * Fills in the fields of this hop and sends the packet. A packet found damaged gets a wrong link
 * CRC on purpose (`stomp`). A packet that the wire damages is sent again.
 */
static void send(struct soft_node *node, unsigned port, unsigned channel, uint8_t *packet,
                 size_t bytes, bool stomp)
{
    struct soft_link *link = &node->link[port];
    uint32_t crc;

    if (!link->up) {
        link->drops++;
        node->sys.drops++;
        SOFT_COUNT(node, link_down_drops);
        return;
    }
    set_bits(packet, TERN_PKT_link_seq_WORD, TERN_V(PKT, link_seq, UINT32_MAX),
             TERN_V(PKT, link_seq, link->sequence++));
    set_bits(packet, TERN_PKT_dateline_WORD, TERN_V(PKT, dateline, UINT32_MAX),
             TERN_V(PKT, dateline, channel & 1));
    tern_wire_seal(packet, bytes, TERN_SEAL_HEADER);
    crc = link_crc(packet, bytes);
    tern_wire_set_word(packet, bytes / 4 - 1, stomp ? ~crc : crc);
    for (unsigned tries = 0; tries < LINK_TRIES; tries++)
        if (tern_net_send(node->net, node->config.number, port, channel, packet, bytes,
                          node->sys.now))
            break;
    SOFT_COUNT(node, link_sent);
}

static bool room(const struct soft_node *node, unsigned port, unsigned channel)
{
    return !node->link[port].up ||
           tern_net_room(node->net, node->config.number, port, channel, node->sys.now) > 0;
}

static void charge(struct soft_node *node, size_t bytes)
{
    node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
}

/* A packet and the copies that it owes. */
struct copies {
    const uint8_t *packet;
    size_t bytes;
    struct route route;
    bool stomp;
    unsigned straight; /* the output straight on */
};

/* Sends one copy; false when there is no room for it. */
static bool copy(struct soft_node *node, const struct copies *from, unsigned output)
{
    _Alignas(8) uint8_t packet[SOFT_PACKET_MAX];
    unsigned channel;

    if (output == HERE)
        return soft_rx_take(node, from->packet, from->bytes, from->stomp);
    channel = tern_net_channel(from->route.vn,
                               wraps(node, output) ||
                               (output == from->straight && from->route.dateline));
    if (!room(node, output, channel))
        return false;
    memcpy(packet, from->packet, from->bytes);
    send(node, output, channel, packet, from->bytes, from->stomp);
    return true;
}

/* Sends the copies for which there is room; returns those still owed. */
static unsigned hand_over(struct soft_node *node, const struct copies *from, unsigned owed)
{
    unsigned left = owed;

    for (unsigned output = 0; output < OUTPUTS; output++)
        if (owed >> output & 1 && copy(node, from, output))
            left &= ~(1U << output);
    return left;
}

static void count_copies(struct soft_node *node, unsigned owed)
{
    node->copies += (uint32_t)__builtin_popcount(owed) - 1;
}

bool soft_route(struct soft_node *node, uint8_t *packet, size_t bytes, unsigned vn)
{
    struct copies copies = {.packet = packet, .bytes = bytes, .route = route_of(packet),
                            .straight = HERE};
    struct route *route = &copies.route;
    uint32_t here = node->config.coordinates;
    unsigned left;

    /* An ack retraces the way of the packet. */
    route->vn = vn;
    route->box = vn == TERN_VN_ACK ? ~way(node, route->dst, here) & 7 : way(node, here, route->dst);
    set_bits(packet, TERN_PKT_box_WORD, TERN_V(PKT, box, UINT32_MAX), TERN_V(PKT, box, route->box));
    left = hand_over(node, &copies, turns(node, route, 0));
    if (vn == TERN_VN_REQUEST)
        node->waits_here = left == 1U << HERE;
    if (left != 0)
        return false;
    charge(node, bytes);
    return true;
}

bool soft_broadcast(struct soft_node *node, const uint8_t *packet, size_t bytes, unsigned vn,
                    bool self)
{
    struct copies copies = {.packet = packet, .bytes = bytes, .route = route_of(packet),
                            .straight = HERE};

    copies.route.vn = vn;
    if (node->owed == 0) {
        node->owed = (uint8_t)(turns(node, &copies.route, 0) | (unsigned)self << HERE);
        count_copies(node, node->owed);
    }
    node->owed = (uint8_t)hand_over(node, &copies, node->owed);
    if (node->owed != 0)
        return false;
    charge(node, bytes);
    return true;
}

/* ---- receiving ---- */

static bool inside(uint32_t node, uint32_t dims)
{
    for (unsigned d = 0; d < TERN_TORUS_DIMENSIONS; d++)
        if (place(node, d) > place(dims, d))
            return false;
    return true;
}

static bool header_good(const struct soft_node *node, const uint8_t *packet, const uint32_t *w)
{
    uint32_t vn = (uint32_t)TERN_GET(PKT, vn, w);
    uint32_t words = (uint32_t)TERN_GET(PKT, words, w);
    uint32_t most = vn == TERN_VN_ACK ? 0 : SOFT_PAYLOAD;

    return TERN_GET(PKT, hcrc, w) == tern_wire_crc16(packet, TERN_WIRE_ROUTED) &&
           vn < TERN_NET_NETWORKS && words >= soft_packet_bytes(0) / 8 &&
           words <= soft_packet_bytes(most) / 8 &&
           inside((uint32_t)TERN_GET(PKT, dst, w), node->config.dims) &&
           (!TERN_GET(PKT, deposit, w) ||
            inside((uint32_t)TERN_GET(PKT, box, w), node->config.dims));
}

/*
 * Tells whether the packet breaks the dateline rule. Over the dateline every packet is in the
 * second channel; a packet in the second channel on its way to the dateline has already crossed it.
 * A mesh has no dateline.
 */
static bool breaks_dateline(const struct soft_node *node, unsigned port, const struct route *route)
{
    bool straight = owed_by(node, route, port) >> (port ^ 1) & 1;

    if (node->config.dims >> MESH_BIT)
        return false;
    return route->dateline ? straight && wraps(node, port ^ 1) : wraps(node, port);
}

struct verdict {
    size_t bytes;  /* as in the header, unless fewer came */
    bool whole;    /* its length matches the header, and its link CRC is right */
    bool stomped;  /* not whole, but an earlier link found and counted this */
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

/* Counts the links among `outputs`. */
static unsigned links_among(unsigned outputs)
{
    return (unsigned)__builtin_popcount(outputs & ~(1U << HERE));
}

/* Sends the packet's copies onward, into this node, or both; false while it owes a copy. */
static bool pass_on(struct soft_node *node, unsigned port, uint8_t *owed,
                    const struct copies *copies)
{
    unsigned left;

    if (*owed == 0) {
        *owed = (uint8_t)owed_by(node, &copies->route, port);
        count_copies(node, *owed);
    }
    left = hand_over(node, copies, *owed);
    SOFT_COUNT_BY(node, link_forwarded, links_among(*owed & ~left));
    *owed = (uint8_t)left;
    return left == 0;
}

/* Handles the packet at the head of a wire; false when it must stay. */
static bool receive(struct soft_node *node, unsigned port, uint8_t *owed, const uint8_t *packet,
                    size_t bytes)
{
    struct copies copies = {.packet = packet, .route = route_of(packet), .straight = port ^ 1};
    uint32_t w[SOFT_HEADER_WORDS];
    struct verdict verdict;

    memcpy(w, packet, sizeof w);
    if (!header_good(node, packet, w)) {
        SOFT_COUNT(node, link_bad_header);
        node->sys.drops++;
        return true;
    }
    if (*owed == 0 && breaks_dateline(node, port, &copies.route)) {
        SOFT_COUNT(node, link_bad_header);
        node->sys.drops++;
        fall(node, &node->link[port], TERN_LINK_BROKE_DATELINE);
        soft_links_look(node);
        return true;
    }
    verdict = judge(packet, w, bytes);
    copies.bytes = verdict.bytes;
    copies.stomp = !verdict.whole;
    if (!pass_on(node, port, owed, &copies))
        return false;
    count(node, port, &verdict);
    return true;
}

static bool receive_all(struct soft_node *node, unsigned port, unsigned channel)
{
    uint8_t *owed = &node->link[port].owed[channel];
    const uint8_t *packet;
    size_t bytes;
    bool did = false;

    while ((packet = tern_net_first(node->net, node->config.number, port, channel, &bytes)) !=
           NULL) {
        uint8_t before = *owed;

        if (!receive(node, port, owed, packet, bytes))
            return did || *owed != before;
        charge(node, bytes);
        tern_net_drop_first(node->net, node->config.number, port, channel);
        did = true;
    }
    return did;
}

/* Handles arrived packets: acks first, requests last. */
bool soft_link_work(struct soft_node *node)
{
    uint64_t ready;
    bool did = false;

    if (tern_net_changes(node->net) != node->net_seen)
        soft_links_look(node);
    for (ready = tern_net_ready(node->net, node->config.number); ready != 0;) {
        unsigned highest = 63U - (unsigned)__builtin_clzll(ready);

        ready ^= UINT64_C(1) << highest;
        did = receive_all(node, highest % TERN_MODEL_PORTS, highest / TERN_MODEL_PORTS) || did;
    }
    return did;
}
