/* SPDX-License-Identifier: Apache-2.0 */
/* The summary of a simulation as a JSON file. */
#ifndef TERN_SIM_REPORT_H
#define TERN_SIM_REPORT_H

#include <stdbool.h>

#include "measure.h"
#include "tern_sim.h"

struct tern_report {
    struct tern_sim *sim;
    const struct tern_measure *measure;
    double wall_seconds, cpu_seconds;
};

/*
 * {cycles, nodes, wall_seconds, cpu_seconds, node_cycles_per_second, rss_kib, packets,
 *  timing: {host_latency, posted, link_latency, flash_latency},
 *  links: [{node, port, packets, bytes, lost, damaged, injected}],
 *  connections: [{node, attached, detached, resets, resets_unconfirmed, refused}],
 *  firmware_cycles_per_descriptor: {count, min, median, max},
 *  put_latency: {from, to, doorbell, firmware, read, wire, deposit, total} or null,
 *  threads, state: SHA-256 of all registers and memories (state.h), null on soft}
 * Bytes of links include headers and trailers of packets. False when the file cannot be written.
 */
bool tern_report_write(const struct tern_report *report, const char *path);

#endif
