/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Puts to many with and without a handshake (meeting.h), 8, 27 and 64 rtl nodes: from the first beat of the
 * doorbell to the first beat of the last target's completion.
 *
 * usage: rendezvous [nodes]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "meeting.h"

enum { HOP_CYCLES = 12 }; /* a wire of 8 cycles, and a node */

static const char source[] = "tests/bench/torus/rendezvous.c";

static uint64_t last_told(const struct yard *yard)
{
    uint64_t last = 0;

    for (unsigned n = 1; n < yard->nodes; n++)
        if (yard->watch.told_at[n] > last)
            last = yard->watch.told_at[n];
    return last;
}

/* Cycles in which each node's firmware was not asleep, up to now. */
static uint64_t busy[YARD_NODES_MAX];

static void read_busy(struct yard *yard, unsigned n)
{
    uint64_t instructions;

    yard_must(tern_core_counters(yard->end[n].device, &instructions, &busy[n]), "counters");
}

static unsigned depth_of(const struct yard *yard)
{
    return yard->dims[0] / 2 + yard->dims[1] / 2 + yard->dims[2] / 2;
}

/*
 * Work that has to be done one after the other when answers are combined: the origin's, and that of the
 * busiest node at each distance from it.
 */
static uint64_t work_in_a_row(const struct yard *yard, const uint64_t *before)
{
    uint64_t sum = 0;

    for (unsigned depth = 0; depth <= depth_of(yard); depth++) {
        uint64_t most = 0;

        for (unsigned n = 0; n < yard->nodes; n++)
            if (yard_distance(yard, 0, n) == depth && busy[n] - before[n] > most)
                most = busy[n] - before[n];
        sum += most;
    }
    return sum;
}

struct figures {
    uint64_t latency, asked, packets, heard, work;
};

static struct figures measure(struct yard *yard, enum variant variant, uint32_t bytes, unsigned seed)
{
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT], idle[YARD_NODES_MAX];
    struct figures figures;

    yard_must(tern_stats(yard->end[0].device, before), "statistics");
    meeting_prepare(yard, variant, bytes, seed);
    yard_each(yard, read_busy);
    memcpy(idle, busy, sizeof(idle));
    yard_watch(yard);
    meeting_put(yard, variant, bytes);
    figures.latency = last_told(yard) - yard->watch.rung;
    figures.asked = yard->watch.sent_at[0] - yard->watch.rung;
    figures.packets = yard->watch.started;
    yard_each(yard, read_busy);
    figures.work = work_in_a_row(yard, idle);
    yard_must(tern_stats(yard->end[0].device, after), "statistics");
    figures.heard = after[TERN_STAT_fw_checkins] - before[TERN_STAT_fw_checkins] +
                    after[TERN_STAT_fw_recvs] - before[TERN_STAT_fw_recvs] +
                    after[TERN_STAT_fw_gets] - before[TERN_STAT_fw_gets];
    meeting_clear(yard, variant, bytes);
    return figures;
}

/* What the handshake costs, and for combined answers of what links and firmware take one after the other. */
static void show_handshake(const struct yard *yard, enum variant variant, uint32_t bytes, const struct figures *f,
                           const struct figures *without)
{
    double way = 2.5 * depth_of(yard) * HOP_CYCLES + (double)f->work;

    printf("bench rendezvous_%s_over_%u %lld cycles tier=rtl source=%s bytes=%u\n", variant_name(variant),
           yard->nodes - 1, (long long)(f->latency - without->latency), source, bytes);
    if (variant == COMBINED)
        printf("bench rendezvous_combined_over_way %.3f times tier=rtl source=%s bytes=%u nodes=%u work=%llu\n",
               (double)(f->asked - without->asked) / way, source, bytes, yard->nodes, (unsigned long long)f->work);
}

static void measure_all(const unsigned dims[3])
{
    static const uint32_t sizes[] = { 8, 4096, MEETING_BYTES };
    struct yard yard;

    yard_open(&yard, dims, MEETING_BUFFER);
    meeting_open(&yard);
    for (unsigned s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
        for (enum variant v = 0; v < VARIANTS; v++) {
            static struct figures f, without;

            (void)measure(&yard, v, 64, s); /* everything has been used once */
            f = measure(&yard, v, sizes[s], s + 1);
            printf("bench rendezvous_%s %llu cycles tier=rtl source=%s bytes=%u nodes=%u depth=%u bytes_leave_after=%llu "
                   "origin_heard=%llu packets=%llu\n",
                   variant_name(v), (unsigned long long)f.latency, source, sizes[s], yard.nodes, depth_of(&yard),
                   (unsigned long long)f.asked, (unsigned long long)f.heard, (unsigned long long)f.packets);
            if (v == PERSISTENT)
                without = f;
            else
                show_handshake(&yard, v, sizes[s], &f, &without);
            fflush(stdout);
        }
    yard_close(&yard);
}

int main(int argc, char **argv)
{
    unsigned only = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
    static const unsigned tori[][3] = { { 2, 2, 2 }, { 3, 3, 3 }, { 4, 4, 4 } };

    for (unsigned i = 0; i < 3; i++)
        if (only == 0 || only == tori[i][0] * tori[i][1] * tori[i][2])
            measure_all(tori[i]);
    return 0;
}
