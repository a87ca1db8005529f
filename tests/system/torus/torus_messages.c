/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many packets cross links for a put to many, in every variant (meeting.h): as many as geometry says, and
 * as many arrive at the origin.
 *
 * usage: torus_messages
 */
#include "meeting.h"
#include "rig.h"
#include "rig_tier.h"

/* What the links of all nodes have sent, and what the firmware of the origin has heard. */
struct count {
    uint64_t sent, heard;
};

static struct count count(struct yard *yard)
{
    struct count all = { 0 };

    for (unsigned n = 0; n < yard->nodes; n++) {
        uint64_t stats[TERN_STAT_COUNT];

        yard_must(tern_stats(yard->end[n].device, stats), "statistics");
        all.sent += stats[TERN_STAT_link_sent];
        if (n == 0)
            all.heard = stats[TERN_STAT_fw_checkins] + stats[TERN_STAT_fw_recvs] + stats[TERN_STAT_fw_gets];
    }
    return all;
}

/* Links on the shortest ways from the origin to everybody. */
static uint64_t distances(const struct yard *yard)
{
    uint64_t sum = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        sum += yard_distance(yard, 0, n);
    return sum;
}

/* Ports of the origin that lead to somebody: one in a dimension of two nodes. */
static unsigned ports(const struct yard *yard)
{
    unsigned count = 0;

    for (unsigned d = 0; d < 3; d++)
        count += yard->dims[d] > 2 ? 2 : yard->dims[d] - 1;
    return count;
}

/* Coordinate of place `i` along a side of the box around node 0, which has half of the others above it. */
static unsigned placed(unsigned i, unsigned side)
{
    return (i + side - (side - 1) / 2) % side;
}

/*
 * Links on the way of a request that is passed on, from the origin through all others and back: up and down
 * the lines of the box.
 */
static uint64_t round_trip(const struct yard *yard)
{
    const unsigned *dims = yard->dims;
    unsigned here = 0;
    uint64_t sum = 0;

    for (unsigned z = 0; z < dims[2]; z++)
        for (unsigned j = 0; j < dims[1]; j++)
            for (unsigned i = 0; i < dims[0]; i++) {
                unsigned y = z % 2 ? dims[1] - 1 - j : j;
                unsigned x = (y + z) % 2 ? dims[0] - 1 - i : i;
                unsigned node = (placed(z, dims[2]) * dims[1] + placed(y, dims[1])) * dims[0] + placed(x, dims[0]);

                if (node != 0)
                    sum += yard_distance(yard, here, node);
                if (node != 0)
                    here = node;
            }
    return sum + yard_distance(yard, here, 0);
}

/*
 * One packet to all, of the request and of the bytes, crosses as many links as there are targets.  What goes
 * to the origin, or is acked from there, goes all the way; what goes to a parent crosses one link.
 */
static struct count expected(const struct yard *yard, enum variant variant)
{
    uint64_t others = yard->nodes - 1, ways = distances(yard);

    switch (variant) {
    case PERSISTENT:
        return (struct count){ others + ways, 0 };          /* bytes; acks */
    case RELAYED:
        return (struct count){ others + ways + 2 * round_trip(yard), 1 }; /* bytes; their acks; request and answer, acked */
    case COMBINED:
        return (struct count){ 6 * others, 2 * ports(yard) }; /* request, bytes; answers, words of the end, acks of both */
    default:
        return (struct count){ 2 * others + 3 * ways, others }; /* request, bytes; answers, their acks, acks of the bytes */
    }
}

static void put_and_count(struct yard *yard, enum variant variant)
{
    enum { BYTES = 8 };
    struct count before, after, wanted = expected(yard, variant);

    meeting_prepare(yard, variant, BYTES, variant + 1);
    before = count(yard);
    meeting_put(yard, variant, BYTES);
    yard_settle(yard);
    after = count(yard);
    tap_note("%s, %u nodes: %llu packets on links, %llu heard", variant_name(variant), yard->nodes,
             (unsigned long long)(after.sent - before.sent), (unsigned long long)(after.heard - before.heard));
    tap(after.sent - before.sent == wanted.sent && after.heard - before.heard == wanted.heard,
        "%s_on_%u_nodes_takes_as_many_packets_as_geometry_says", variant_name(variant), yard->nodes);
    meeting_clear(yard, variant, BYTES);
}

static void count_on(const unsigned dims[3])
{
    struct tern_sim_config config = tern_sim_config_default();
    struct yard yard;

    for (unsigned d = 0; d < 3; d++)
        config.dims[d] = dims[d];
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, MEETING_BUFFER);
    meeting_open(&yard);
    for (enum variant v = 0; v < VARIANTS; v++)
        put_and_count(&yard, v);
    yard_close(&yard);
}

int main(void)
{
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } };
    unsigned tori_here = rig_tier_is_soft() ? 3 : 1; /* both tiers count alike; the large ones take long on rtl */

    for (unsigned i = 0; i < tori_here; i++)
        count_on(tori[i]);
    return tap_end();
}
