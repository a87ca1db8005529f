/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A link fails for a moment while a broadcast crosses it, and is up again before the last packet.
 * None of the origin's own links fails, all members answer the last packet, and yet some bytes did
 * not reach all members. The completion must report that.
 *
 * usage: torus_lost
 */
#include <err.h>
#include <stdio.h>
#include <string.h>

#include "crowd.h"
#include "rig.h"
#include "rig_tier.h"

enum {
    RING = 4,
    BYTES = 4 << 20,         /* of a node's memory: half to send from, half to receive */
    LENGTH = 1 << 20,        /* bytes of a broadcast: 2048 packets */
    STEP = 64,               /* cycles */
    /* cycles for which the link is cut; it comes up again some thousand cycles later */
    DOWN = 600,
    BOUND = 2000000,         /* cycles within which a broadcast ends */
    TRIES = 3
};

static struct yard yard;
static struct tern_group *group;

static size_t arrived(unsigned n)
{
    size_t count = 0;

    for (size_t i = 0; i < LENGTH; i++)
        count += crowd_target(&yard, n)[i] != 0;
    return count;
}

static void clear(void)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        memset(crowd_target(&yard, n), 0, BYTES / 2);
}

static bool poll(struct tern_completion *end)
{
    bool ended;

    yard.still = true;
    ended = tern_cq_poll(yard.end[0].cq, end, 1) == 1;
    yard.still = false;
    return ended;
}

/*
 * Broadcasts from node 0, and cuts the link between nodes 1 and 2 when `at` bytes have reached node
 * 2.
 */
static struct tern_completion broadcast(size_t at)
{
    struct tern_net *net = tern_sim_net(yard.sim);
    struct tern_completion end = { .status = TERN_ST_WAIT_EXPIRED };
    uint64_t limit = tern_sim_cycle(yard.sim) + BOUND, mend = 0;
    bool fell = at == 0;

    clear();
    yard_must(tern_bcast(yard.end[0].sq, group, yard.end[0].region, 0, LENGTH, 0,
                         TERN_DFLAG_SIGNAL, 0), "broadcast");
    while (!poll(&end) && tern_sim_cycle(yard.sim) < limit) {
        tern_sim_run(yard.sim, STEP);
        if (!fell && crowd_target(&yard, 2)[at]) {
            fell = true;
            tern_net_cut(net, 1, 0, true);
            mend = tern_sim_cycle(yard.sim) + DOWN;
        }
        if (mend && tern_sim_cycle(yard.sim) >= mend) {
            tern_net_cut(net, 1, 0, false);
            mend = 0;
        }
    }
    if (mend)
        tern_net_cut(net, 1, 0, false);
    return end;
}

static void judge(size_t at)
{
    struct tern_completion end = broadcast(at);
    size_t came[RING];
    char text[128];
    bool all = true;

    for (unsigned n = 1; n < RING; n++) {
        came[n] = arrived(n);
        all = all && came[n] == LENGTH;
    }
    tap_note("cut after %zu of %u bytes: at 1 came %zu, at 2 %zu, at 3 %zu: %s", at,
             (unsigned)LENGTH, came[1], came[2], came[3],
             tern_completion_format(&end, text, sizeof(text)));
    tap(crowd_target(&yard, 2)[LENGTH - 1] && !all, "the_last_packet_came_and_others_did_not_%zu",
        at);
    tap(end.status == TERN_ST_PACKET_LOST, "part_of_a_broadcast_that_was_lost_is_told_%zu", at);
    tap_evidence("B6.4", "lost_bytes=%zu status=%u", LENGTH - came[2], (unsigned)end.status);
}

/* Only rtl has trace ports, which show doorbells. */
static void judge_silence(void)
{
    unsigned long long rings = yard.watch.rings[1] + yard.watch.rings[2] + yard.watch.rings[3];
    bool seen = rig_tier_is_soft() || yard.watch.rings[0] == 1;

    tap(seen && rings == 0 && arrived(1) + arrived(2) + arrived(3) == 3 * LENGTH,
        "targets_get_every_byte_without_their_software");
    tap_evidence("N14", "bytes=%zu target_doorbells=%llu", arrived(1), rings);
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct tern_info info;
    struct tern_completion end;

    config.dims[0] = RING;
    config.dims[1] = config.dims[2] = 1;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    crowd_join(&yard);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    group = crowd_group(&yard, 0, tern_box_all(info.dims));
    memset(crowd_source(&yard, 0), 0x5a, LENGTH);
    for (unsigned i = 0; i < TRIES; i++)
        judge((size_t)LENGTH / 8 * (i + 1));
    yard_watch(&yard);
    end = broadcast(0);
    tap(end.status == TERN_ST_OK && arrived(1) == LENGTH && arrived(2) == LENGTH &&
        arrived(3) == LENGTH, "the_next_broadcast_is_whole");
    judge_silence();
    yard_close(&yard);
    return tap_end();
}
