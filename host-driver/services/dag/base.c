/* SPDX-License-Identifier: Apache-2.0 */
/* Time, leases and keys of a run. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "run.h"

uint64_t run_now_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}

int run_told(const struct dag_home *home, int status)
{
    return status == -TERN_ST_BAD_KEY || status == -TERN_ST_LEASE_OVER
               ? tern_member_why(home->member)
               : status;
}

int run_renew(struct tern_run *run)
{
    int status = tern_cache_renew(run->cache);

    for (unsigned i = 0; i < run->count && !status; i++)
        status = tern_member_renew(run->homes[i].member);
    return status;
}

void run_name(struct tern_run *run, uint64_t started)
{
    (void)snprintf(run->name, sizeof(run->name), "dag%016llx", (unsigned long long)started);
}

/* ---- keys: the name of the run begins with the time of its start, so no other run has them */

size_t run_record_key(const struct tern_run *run, uint32_t node, char key[RECORD_KEY])
{
    return (size_t)snprintf(key, RECORD_KEY, "%s/%u", run->name, node);
}

size_t run_output_key(const struct tern_run *run, uint32_t node, unsigned step, unsigned attempt,
                      char key[RECORD_KEY])
{
    return (size_t)snprintf(key, RECORD_KEY, "%s/%u.%u.%u", run->name, node, step, attempt);
}
