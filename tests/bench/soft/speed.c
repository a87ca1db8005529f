/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The speed of the soft tier relative to rtl: puts per second of processor time, with the same
 * driver in the same run.
 *
 * Two nodes in one process and one thread; 64-byte puts by reference through one queue, posted
 * while there is room; one in 64 has a completion. The driver's own work counts in both figures.
 */
#include <stdio.h>
#include <time.h>

#include "lab.h"

enum { BYTES = 64, SIGNAL_EVERY = 64, PUTS_RTL = 512, PUTS_SOFT = 200000, ROUNDS = 3 };

static const char source[] = "tests/bench/soft/speed.c";

static double cpu_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Posts puts until the ring or the completion queue is full; returns how many. */
static unsigned post_some(struct lab *lab, unsigned from, unsigned to)
{
    for (unsigned i = from; i < to; i++) {
        uint64_t offset = (uint64_t)i * BYTES % (LAB_BYTES - BYTES);
        unsigned flags = (i + 1) % SIGNAL_EVERY == 0 ? TERN_DFLAG_SIGNAL : 0;
        int status = tern_put(lab->origin.sq[0], tern_region_pointer(lab->target.region, offset),
                              lab->origin.region, lab->origin.buffer + offset, BYTES,
                              flags | TERN_MORE, i);

        if (status == -TERN_ST_AGAIN)
            return i;
        lab_must(status, "put");
    }
    lab_must(tern_sq_flush(lab->origin.sq[0]), "flush");
    return to;
}

/* Returns puts per second of processor time. */
static double speed(struct lab *lab, unsigned puts)
{
    unsigned posted = 0, due = puts / SIGNAL_EVERY, seen = 0;
    double begun = cpu_seconds();

    while (seen < due) {
        unsigned before = posted;

        posted = post_some(lab, posted, puts);
        if (posted != before && posted < puts)
            continue;
        lab_complete(&lab->origin, 1);
        seen++;
    }
    return puts / (cpu_seconds() - begun);
}

static double best(enum tern_tier tier, unsigned puts)
{
    double most = 0;
    struct lab lab;

    lab_open_tier(&lab, tier, 2, 0);
    for (int i = 0; i < ROUNDS; i++) {
        double now = speed(&lab, puts);

        most = now > most ? now : most;
    }
    lab_close(&lab);
    return most;
}

int main(void)
{
    double rtl = best(TERN_TIER_RTL, PUTS_RTL), soft = best(TERN_TIER_SOFT, PUTS_SOFT);

    printf("bench put_speed_rtl %.0f puts/s tier=rtl source=%s bytes=%d\n", rtl, source, BYTES);
    printf("bench put_speed_soft %.0f puts/s tier=soft source=%s bytes=%d\n", soft, source, BYTES);
    printf("bench soft_over_rtl %.0f times tier=soft source=%s bytes=%d\n", soft / rtl, source,
           BYTES);
    return 0;
}
