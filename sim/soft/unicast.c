/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts for one rank, from node to node over the links of the tree, like tern_tree_unicast: the rank
 * is in the place of the box, and the target's node gets its place back where the packet arrives.
 */
#include <string.h>

#include "inside.h"
#include "wire.h"

enum {
    PARENT = TERN_MODEL_TREE - 1, /* of the links; those to the children come first */
    HERE = TERN_MODEL_TREE,
    NOWHERE,
    COORDINATE_BITS = 5,
    DIMENSIONS = 3,
    LINK_TRIES = 1000
};

/* Returns the number of the node in the torus, x counting fastest. */
static unsigned rank_of(uint32_t node, uint32_t dims)
{
    const uint32_t mask = (1U << COORDINATE_BITS) - 1;
    unsigned rank = 0;

    for (unsigned d = DIMENSIONS; d-- > 0;)
        rank = rank * ((dims >> d * COORDINATE_BITS & mask) + 1) +
               (node >> d * COORDINATE_BITS & mask);
    return rank;
}

/* Returns the link from the node with rank `here` towards `rank`. */
static unsigned way_to(unsigned here, unsigned rank)
{
    unsigned at = rank + 1, child = 0;

    if (rank == here)
        return HERE;
    for (; at > here + 1; at /= 2)
        child = at & 1;
    return at == here + 1 ? child : PARENT;
}

static void set_way(uint8_t *packet, uint32_t dst, uint32_t vn, uint32_t box)
{
    uint32_t w[2];

    memcpy(w, packet, sizeof w);
    TERN_SET(PKT, dst, w, dst);
    TERN_SET(PKT, vn, w, vn);
    TERN_SET(PKT, box, w, box);
    memcpy(packet, w, sizeof w);
}

/* Sends the packet over a link; false when there is no room. Over one that is down it is lost. */
static bool leave(struct soft_node *node, unsigned port, uint8_t *packet, size_t bytes)
{
    unsigned channel = tern_net_channel(TERN_VN_REQUEST, false);

    if (!node->tree.link[port].up)
        return true;
    if (tern_net_room(node->tree.net, node->config.number, port, channel, node->sys.now) == 0)
        return false;
    node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
    tern_wire_seal(packet, bytes, TERN_SEAL_HEADER | TERN_SEAL_LINK);
    for (unsigned tries = 0; tries < LINK_TRIES; tries++)
        if (tern_net_send(node->tree.net, node->config.number, port, channel, packet, bytes,
                          node->sys.now))
            break;
    return true;
}

/* Passes a packet on that came by link `from`; false when it must stay. None goes back. */
static bool pass_on(struct soft_node *node, unsigned from, const uint8_t *packet, size_t bytes)
{
    _Alignas(8) uint8_t copy[SOFT_PACKET_MAX];
    unsigned way, here = rank_of(node->config.coordinates, node->config.dims);
    uint32_t w[2];

    memcpy(w, packet, sizeof w);
    way = way_to(here, (unsigned)TERN_GET(PKT, box, w));
    if (way == from)
        return true;
    memcpy(copy, packet, bytes);
    if (way != HERE)
        return leave(node, way, copy, bytes);
    set_way(copy, node->config.coordinates, TERN_VN_DATA, 0);
    return soft_route(node, copy, bytes, TERN_VN_DATA);
}

bool soft_unicast(struct soft_node *node, const uint8_t *packet, size_t bytes)
{
    _Alignas(8) uint8_t copy[SOFT_PACKET_MAX];
    uint32_t w[2];

    memcpy(w, packet, sizeof w);
    memcpy(copy, packet, bytes);
    set_way(copy, 0, TERN_VN_REQUEST,
            rank_of((uint32_t)TERN_GET(PKT, dst, w), node->config.dims));
    return pass_on(node, NOWHERE, copy, bytes);
}

bool soft_unicast_work(struct soft_node *node, unsigned port)
{
    unsigned channel = tern_net_channel(TERN_VN_REQUEST, false);
    const uint8_t *packet;
    size_t bytes;
    bool did = false;

    while ((packet = tern_net_first(node->tree.net, node->config.number, port, channel, &bytes)) !=
           NULL) {
        if (tern_wire_link_takes(packet, bytes) && !pass_on(node, port, packet, bytes))
            return did;
        node->cost += COST_PACKET + (unsigned)(bytes / 8) * COST_WORD;
        tern_net_drop_first(node->tree.net, node->config.number, port, channel);
        did = true;
    }
    return did;
}
