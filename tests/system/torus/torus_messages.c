/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Counts the packets and bytes on links for a put to many nodes, in every variant (meeting.h): they
 * must equal the numbers computed from the geometry, as must those that arrive at the origin.
 *
 * usage: torus_messages
 */
#include "forms.h"
#include "rig.h"
#include "rig_tier.h"

static void put_and_count(struct yard *yard, enum variant variant)
{
    enum { BYTES = 8 };
    struct forms before, after, wanted = forms_expected(yard, variant, BYTES);

    meeting_prepare(yard, variant, BYTES, variant + 1);
    before = forms_counted(yard);
    meeting_put(yard, variant, BYTES);
    yard_settle(yard);
    after = forms_counted(yard);
    tap_note("%s, %u nodes: %llu packets and %llu bytes on links, %llu heard",
             variant_name(variant), yard->nodes,
             (unsigned long long)(after.packets - before.packets),
             (unsigned long long)(after.bytes - before.bytes),
             (unsigned long long)(after.heard - before.heard));
    tap(after.packets - before.packets == wanted.packets &&
        after.heard - before.heard == wanted.heard,
        "%s_on_%u_nodes_takes_as_many_packets_as_geometry_says", variant_name(variant),
        yard->nodes);
    tap(after.bytes - before.bytes == wanted.bytes, "%s_on_%u_nodes_takes_as_many_bytes",
        variant_name(variant), yard->nodes);
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
    /* both tiers have the same counts; large tori take long on rtl */
    unsigned tori_here = rig_tier_is_soft() ? 3 : 1;

    for (unsigned i = 0; i < tori_here; i++)
        count_on(tori[i]);
    return tap_end();
}
