/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All timing outside the chip, in one place. Every figure measured in simulation is printed with
 * the timing for which it holds.
 */
#ifndef TERN_SIM_TIMING_H
#define TERN_SIM_TIMING_H

#include <stdio.h>

struct tern_timing {
    unsigned host_latency; /* cycles from a read request to its first beat back */
    unsigned posted;       /* cycles of travel of a write or BAR access, one way */
    unsigned link_latency; /* cycles on the wire between two nodes; also the look-ahead */
    unsigned flash_latency; /* cycles from a flash request to its answer */
};

enum {
    TERN_HOST_LATENCY_MIN = 2,
    TERN_HOST_LATENCY_MAX = 0xffff, /* limit of the strap */
    TERN_LINK_LATENCY_MIN = 1,
    TERN_LINK_LATENCY_MAX = 2048
};

struct tern_timing tern_timing_default(void);

/* Checks the fields; returns NULL, or a text about the error. */
const char *tern_timing_problem(const struct tern_timing *timing);

/* Prints the timing, with the bytes that host port and links carry per cycle. */
void tern_timing_print(FILE *to, const struct tern_timing *timing, unsigned beat_bytes);

#endif
