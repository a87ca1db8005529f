/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of the benchmarks on rtl: figures, stages of an operation by the chip's trace ports, and
 * the load of the cores.
 */
#ifndef TERN_FIGURES_H
#define TERN_FIGURES_H

#include "lab.h"

enum { HOST_LATENCY = 120 /* cycles of a read of host memory */ };

/* The benchmark's own file. */
extern const char source[];

void figure(const char *id, double value, const char *unit, const char *parameters);

/* One that has a bar and an aim. */
void figure_and_aim(const char *id, double value, const char *unit, const char *parameters);

/* Returns the bytes that a packet with this payload takes on a link. */
uint32_t wire_bytes(uint32_t payload);

/* Packets that it has sent, answers among them. */
uint64_t packets(const struct lab_end *end);

/* ---- one operation */

enum { CUTS_MAX = 16 };

/*
 * Where an operation is cut: the first pulse of a lane at a node behind the cut before, with an id
 * under a mask.
 */
struct cut {
    const char *stage; /* from the cut before to this one */
    unsigned node, lane, id, id_mask;
};

/* One operation of node 0. */
struct path {
    const struct cut *cuts; /* as many as there are before one without a name; or NULL */
    unsigned next;
    uint64_t at[CUTS_MAX];
    uint64_t first, last; /* beats: of the doorbell, and of the completion */
};

void path_begin(struct path *path, const struct cut *cuts);

/* For tern_sim_on_event(): notes the pulse, if it is what was waited for. */
void path_seen(void *path, unsigned node, uint64_t cycle, unsigned lane, unsigned id);

/* All of its stages must have been seen. */
void path_must(const struct path *path, const char *name);

/* Figures of its stages, `name`_*. */
void path_split(const struct path *path, const char *name, const char *parameters);

double path_latency(const struct path *path);

/* ---- many */

struct core {
    uint64_t instructions, cycles;
};

struct core core(const struct lab_end *end);

/* Prints what each of `count` operations cost both cores since `origin` and `target` were read. */
void cores(const char *name, const struct lab *lab, struct core origin, struct core target,
           unsigned count, const char *parameters);

#endif
