/* SPDX-License-Identifier: Apache-2.0 */
#include "forms.h"

enum { ACK = 0 }; /* payload */

/* ---- geometry */

/* Links on the shortest ways from the origin to everybody. */
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
 * Coordinate of place `i` along a side of the box around node 0, which has half of the others above
 * it.
 */
static unsigned placed(unsigned i, unsigned side)
{
    return (i + side - (side - 1) / 2) % side;
}

/* The node at place `i` of the way up and down the lines of the box. */
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

/* To every node of the box, one link a node. */
static void add_put(struct forms *forms, uint64_t others, uint32_t bytes)
{
    for (uint32_t done = 0; done < bytes; done += YARD_PACKET)
        add(forms, others, bytes - done < YARD_PACKET ? bytes - done : YARD_PACKET);
}

/* The request from the origin through all others, longer with each, and the last one's answer. */
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
 * One packet to all, of the request or of the bytes, crosses as many links as there are targets.
 * What goes to the origin, or is acked from there, goes all the way; what goes to a parent crosses
 * one link.
 */
struct forms forms_expected(const struct yard *yard, enum variant variant, uint32_t bytes)
{
    uint64_t others = yard->nodes - 1, ways = distances(yard);
    struct forms forms = { 0 };

    add_put(&forms, others, bytes);
    if (variant == COMBINED) {
        add(&forms, others, TERN_INLINE_BYTES_MAX); /* request */
        add(&forms, 2 * others, TERN_CHECKIN_BYTES); /* answers, words of the end */
        add(&forms, 2 * others, ACK);
        forms.heard = 2 * ports(yard);
        return forms;
    }
    add(&forms, ways, ACK); /* of the bytes */
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

/* ---- what was counted */

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
