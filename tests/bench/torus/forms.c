/* SPDX-License-Identifier: Apache-2.0 */
#include "forms.h"

enum { ACK = 0 }; /* payload */

/* ---- geometry */

/* Returns the sum of shortest distances from the origin to all nodes. */
static uint64_t distances(const struct yard *yard)
{
    uint64_t sum = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        sum += yard_distance(yard, 0, n);
    return sum;
}

/* Returns the ports of the origin that lead to other nodes: one in a dimension of two nodes. */
static unsigned ports(const struct yard *yard)
{
    unsigned count = 0;

    for (unsigned d = 0; d < 3; d++)
        count += yard->dims[d] > 2 ? 2 : yard->dims[d] - 1;
    return count;
}

/*
 * Returns the coordinate of place `i` along a side of the box around node 0, half of which lies
 * above it.
 */
static unsigned placed(unsigned i, unsigned side)
{
    return (i + side - (side - 1) / 2) % side;
}

/* Returns the node at place `i` of the route up and down the lines of the box. */
static unsigned on_way(const struct yard *yard, unsigned i)
{
    const unsigned *dims = yard->dims;
    unsigned z = i / (dims[0] * dims[1]), y = i / dims[0] % dims[1], x = i % dims[0];

    if (z % 2)
        y = dims[1] - 1 - y;
    if ((y + z) % 2)
        x = dims[0] - 1 - x;
    return yard_at(yard, placed(x, dims[0]), placed(y, dims[1]), placed(z, dims[2]));
}

/* ---- packets */

static void add(struct forms *forms, uint64_t links, uint32_t payload)
{
    forms->packets += links;
    forms->bytes += links * (TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES +
                             (payload + 7) / 8 * 8);
}

/* Adds a packet to every node of the box: one link per node. */
static void add_put(struct forms *forms, uint64_t others, uint32_t bytes)
{
    for (uint32_t done = 0; done < bytes; done += YARD_PACKET)
        add(forms, others, bytes - done < YARD_PACKET ? bytes - done : YARD_PACKET);
}

/*
 * Adds the request that goes from the origin through all other nodes, growing at each, and the last
 * one's answer.
 */
static void add_round_trip(struct forms *forms, const struct yard *yard)
{
    uint32_t bytes = TERN_RELAY_BYTES;
    unsigned here = 0;

    for (unsigned i = 0; i < yard->nodes; i++) {
        unsigned node = on_way(yard, i);

        if (node == 0)
            continue;
        add(forms, yard_distance(yard, here, node), bytes);
        add(forms, yard_distance(yard, here, node), ACK);
        here = node;
        bytes += 4;
    }
    add(forms, yard_distance(yard, here, 0), TERN_INLINE_BYTES_MAX);
    add(forms, yard_distance(yard, here, 0), ACK);
}

/*
 * Returns the expected counts. A broadcast packet, of the request or of the bytes, crosses as many
 * links as there are targets. Packets to the origin, and acks from it, cross the whole distance;
 * packets to a parent cross one link.
 */
struct forms forms_expected(const struct yard *yard, enum variant variant, uint32_t bytes)
{
    uint64_t others = yard->nodes - 1, ways = distances(yard);
    struct forms forms = { 0 };

    add_put(&forms, others, bytes);
    if (variant == COMBINED) {
        add(&forms, others, TERN_INLINE_BYTES_MAX); /* request */
        add(&forms, 2 * others, TERN_CHECKIN_BYTES); /* answers, and reports of the end */
        add(&forms, 2 * others, ACK);
        forms.heard = 2 * ports(yard);
        return forms;
    }
    add(&forms, ways, ACK); /* for the bytes */
    if (variant == RELAYED) {
        add_round_trip(&forms, yard);
        forms.heard = 1;
    } else if (variant != PERSISTENT) {
        add(&forms, others, TERN_INLINE_BYTES_MAX); /* request */
        add(&forms, ways, TERN_CHECKIN_BYTES);
        add(&forms, ways, ACK);
        forms.heard = others;
    }
    return forms;
}

/* ---- counted */

static uint64_t wire_bytes(struct yard *yard)
{
    struct tern_net *net = tern_sim_net(yard->sim);
    uint64_t bytes = 0;

    for (unsigned n = 0; n < yard->nodes; n++)
        for (unsigned port = 0; port < TERN_TORUS_PORTS_MAX; port++)
            if (tern_net_has(net, n, port))
                bytes += tern_net_stats(net, n, port)->bytes;
    return bytes;
}

struct forms forms_counted(struct yard *yard)
{
    struct forms forms = { 0 };

    forms.packets = yard_stat(yard, TERN_STAT_link_sent);
    forms.bytes = wire_bytes(yard);
    forms.heard = yard->end[0].stats[TERN_STAT_fw_checkins] +
        yard->end[0].stats[TERN_STAT_fw_recvs] +
                  yard->end[0].stats[TERN_STAT_fw_gets];
    return forms;
}
