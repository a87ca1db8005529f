/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Figures from the chips' trace ports.
 *
 * Firmware time of a descriptor: from the cycle in which the firmware took its event to the next
 * event it takes, or its sleep; only descriptors that started a message.
 *
 * Latency of a put, by stage: of the last single-packet put that met no other operation, from the
 * first doorbell beat at the origin's host port to the last beat of the deposit at the target's.
 */
#ifndef TERN_SIM_MEASURE_H
#define TERN_SIM_MEASURE_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_sim.h"

struct tern_measure;

struct tern_measure_firmware {
    uint64_t count;
    unsigned min, median, max;
};

struct tern_measure_put {
    bool seen;
    unsigned from, to; /* nodes */
    unsigned doorbell; /* first doorbell beat to the offer of its event */
    unsigned firmware; /* to the command that starts the message */
    unsigned read;     /* to the packet's first beat, with payload */
    unsigned wire;     /* to its good tail at the target */
    unsigned deposit;  /* to the last beat at the target's host port */
    unsigned total;
};

/* Starts to measure; NULL without memory. */
struct tern_measure *tern_measure_new(struct tern_sim *sim);
void tern_measure_free(struct tern_measure *measure);

struct tern_measure_firmware tern_measure_firmware(const struct tern_measure *measure);
struct tern_measure_put tern_measure_put(const struct tern_measure *measure);

#endif
