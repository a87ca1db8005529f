/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Does 8-byte writes by verbs, then puts by libtern, under callgrind, which writes a dump for each
 * part.  Prints how many of each it did, and how many polls found no completion; cost.sh computes
 * the instructions of each.
 */
#include <stdio.h>
#include <string.h>
#include <tern/tern.h>
#include <unistd.h>
#include <valgrind/callgrind.h>

#include "ends.h"

enum { TIMES = 300, EMPTY = 1000, PAUSE_US = 400 };

static unsigned long empty;

static void part_begins(void)
{
    empty = 0;
    CALLGRIND_ZERO_STATS;
}

static void part_ends(const char *name, unsigned long times)
{
    CALLGRIND_DUMP_STATS_AT(name);
    printf("part %s %lu %lu\n", name, times, empty);
}

static void by_verbs(void)
{
    struct wish wish = wish_of(IBV_QPT_RC);
    struct ibv_sge sge;
    struct ibv_send_wr wr, *bad;
    struct ibv_wc wc;

    couple(&wish);
    wr = request(&a, IBV_WR_RDMA_WRITE, 8, 1, &sge);
    for (unsigned round = 0; round < 2; round++) { /* the first one warms up */
        part_begins();
        for (unsigned at = 0; at < TIMES; at++) {
            if (ibv_post_send(a.qp, &wr, &bad))
                return;
            usleep(PAUSE_US);
            while (ibv_poll_cq(a.cq, 1, &wc) == 0)
                empty++;
        }
        part_ends(round ? "verbs" : "warm", TIMES);
    }
    part_begins();
    for (unsigned at = 0; at < EMPTY; at++)
        (void)ibv_poll_cq(a.cq, 1, &wc);
    part_ends("verbs_empty", EMPTY);
    uncouple();
}

static void by_libtern(void)
{
    static uint64_t from, to;
    struct tern_device *here, *there;
    struct tern_region *source, *target;
    struct tern_completion done;
    struct tern_cq *cq;
    struct tern_sq *sq;

    if (tern_open("sim:0", &here) || tern_open("sim:1", &there) ||
        tern_register(here, &from, sizeof(from), TERN_RIGHT_LOCAL_READ, &source) ||
        tern_register(there, &to, sizeof(to), TERN_RIGHT_REMOTE_WRITE, &target) ||
        tern_cq_create(here, 8, 0, &cq) || tern_sq_create(cq, 8, &sq))
        return;
    for (unsigned round = 0; round < 2; round++) {
        part_begins();
        for (unsigned at = 0; at < TIMES; at++) {
            if (tern_put(sq, tern_region_pointer(target, 0), source, &from, sizeof(from),
                         TERN_DFLAG_SIGNAL, 0))
                return;
            usleep(PAUSE_US);
            while (tern_cq_poll(cq, &done, 1) == 0)
                empty++;
        }
        part_ends(round ? "libtern" : "warm", TIMES);
    }
    part_begins();
    for (unsigned at = 0; at < EMPTY; at++)
        (void)tern_cq_poll(cq, &done, 1);
    part_ends("libtern_empty", EMPTY);
    tern_close(here);
    tern_close(there);
}

int main(void)
{
    if (!ends_open())
        return 1;
    by_libtern();
    by_verbs();
    return 0;
}
