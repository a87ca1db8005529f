/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output of the benchmarks on rtl: figures, stages of an operation from the chip's trace ports, and
 * the load of the cores.
 */
#ifndef TERN_FIGURES_H
#define TERN_FIGURES_H

#include "lab.h"

enum { HOST_LATENCY = 120 /* cycles of a read of host memory */ };

/* The source file of the benchmark. */
extern const char source[];

void figure(const char *id, double value, const char *unit, const char *parameters);

/* Prints a figure with a bar and a baseline. */
void figure_and_aim(const char *id, double value, const char *unit, const char *parameters);

/* Returns the bytes that a packet with this payload takes on a link. */
uint32_t wire_bytes(uint32_t payload);

/* Returns the packets that the node has sent, including answers. */
uint64_t packets(const struct lab_end *end);

/* ---- a single operation */

enum { CUTS_MAX = 16 };

/*
 * The end of a stage: the first pulse of a lane at a node after the previous end, with an id under
 * a mask.
 */
struct cut {
    const char *stage; /* of the stage that ends here */
    unsigned node, lane, id, id_mask;
};

/* One operation of node 0. */
struct path {
    const struct cut *cuts; /* the list ends at one without a name; or NULL */
    unsigned next;
    uint64_t at[CUTS_MAX];
    uint64_t first, last; /* first beat of the doorbell; last beat of the completion */
};

void path_begin(struct path *path, const struct cut *cuts);

/* For tern_sim_on_event(): records a pulse if it is the expected one. */
void path_seen(void *path, unsigned node, uint64_t cycle, unsigned lane, unsigned id);

/* Ends the program unless all stages were seen. */
void path_must(const struct path *path, const char *name);

/* Prints the figures of its stages, `name`_*. */
void path_split(const struct path *path, const char *name, const char *parameters);

double path_latency(const struct path *path);

/* ---- many */

struct core {
    uint64_t instructions, cycles;
};

struct core core(const struct lab_end *end);

/*
 * Prints the load of both cores per operation, for `count` operations since `origin` and `target`
 * were read.
 */
void cores(const char *name, const struct lab *lab, struct core origin, struct core target,
           unsigned count, const char *parameters);

#endif
