/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts to many with and without a handshake (meeting.h), 8, 27 and 64 rtl nodes: from the first beat of the
 * doorbell to the first beat of the last target's completion.
 */
#include <stdio.h>

#include "meeting.h"

static const char source[] = "tests/bench/torus/rendezvous.c";

static uint64_t last_told(const struct yard *yard)
{
    uint64_t last = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        if (yard->watch.told_at[n] > last)
            last = yard->watch.told_at[n];
    return last;
}

struct figures {
    uint64_t latency, asked, packets, heard;
};

static struct figures measure(struct yard *yard, enum variant variant, uint32_t bytes, unsigned seed)
{
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT];
    struct figures figures;

    yard_must(tern_stats(yard->end[0].device, before), "statistics");
    meeting_prepare(yard, variant, bytes, seed);
    yard_watch(yard);
    meeting_put(yard, variant, bytes);
    figures.latency = last_told(yard) - yard->watch.rung;
    figures.asked = yard->watch.sent_at[0] - yard->watch.rung;
    figures.packets = yard->watch.started;
    yard_must(tern_stats(yard->end[0].device, after), "statistics");
    figures.heard = after[TERN_STAT_fw_checkins] - before[TERN_STAT_fw_checkins] +
                    after[TERN_STAT_fw_recvs] - before[TERN_STAT_fw_recvs];
    meeting_clear(yard, variant, bytes);
    return figures;
}

static unsigned depth_of(const struct yard *yard)
{
    return yard->dims[0] / 2 + yard->dims[1] / 2 + yard->dims[2] / 2;
}

static void measure_all(const unsigned dims[3])
{
    static const uint32_t sizes[] = { 8, 4096, MEETING_BYTES };
    struct yard yard;

    yard_open(&yard, dims, MEETING_BUFFER);
    meeting_open(&yard);
    for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (enum variant v = 0; v < VARIANTS; v++) {
            struct figures f;

            (void)measure(&yard, v, 64, s); /* everything has been used once */
            f = measure(&yard, v, sizes[s], s + 1);
            printf("bench rendezvous_%s %llu cycles tier=rtl source=%s bytes=%u nodes=%u depth=%u bytes_leave_after=%llu "
                   "origin_heard=%llu packets=%llu\n",
                   variant_name(v), (unsigned long long)f.latency, source, sizes[s], yard.nodes, depth_of(&yard),
                   (unsigned long long)f.asked, (unsigned long long)f.heard, (unsigned long long)f.packets);
            fflush(stdout);
        }
    yard_close(&yard);
}

int main(void)
{
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } };

    for (unsigned i = 0; i < 3; i++)
        measure_all(tori[i]);
    return 0;
}
