/* SPDX-License-Identifier: Apache-2.0 */
/* The default timing outside the chip, and its output as text. */
#include "timing.h"

struct tern_timing tern_timing_default(void)
{
    return (struct tern_timing){
        .host_latency = 120, .posted = 0, .link_latency = 8, .flash_latency = 4};
}

const char *tern_timing_problem(const struct tern_timing *timing)
{
    if (timing->host_latency < TERN_HOST_LATENCY_MIN ||
        timing->host_latency > TERN_HOST_LATENCY_MAX)
        return "the host latency must be 2 to 65535 cycles";
    if (timing->link_latency < TERN_LINK_LATENCY_MIN ||
        timing->link_latency > TERN_LINK_LATENCY_MAX)
        return "the link latency must be 1 to 2048 cycles";
    if (timing->posted > TERN_HOST_LATENCY_MAX)
        return "the latency of posted writes must be at most 65535 cycles";
    if (timing->flash_latency == 0)
        return "the flash latency must be at least 1 cycle";
    return NULL;
}

void tern_timing_print(FILE *to, const struct tern_timing *timing, unsigned beat_bytes)
{
    fprintf(to,
            "timing: host read round trip %u cycles, posted writes %u, host port %u bytes "
            "a cycle,\n        wire %u cycles, link %u bytes a cycle, flash %u cycles a "
            "word; host software takes no time\n",
            timing->host_latency, timing->posted, beat_bytes,
            timing->link_latency, beat_bytes, timing->flash_latency);
}
