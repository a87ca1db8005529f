/* SPDX-License-Identifier: Apache-2.0 */
/* The command line of the simulator. */
#ifndef TERN_SIM_OPTIONS_H
#define TERN_SIM_OPTIONS_H

#include "tern_sim.h"

enum { TERN_PATH_BYTES = 4096 };

/* A trace of the instructions of one node. */
struct tern_retire_option {
    const char *path;
    unsigned node;
};

struct tern_sim_options {
    struct tern_sim_config config; /* without firmware and scenario */
    char dir[TERN_PATH_BYTES];
    char firmware[TERN_PATH_BYTES];
    const char *scenario; /* files, NULL: none */
    const char *events;
    const char *report;
    struct tern_retire_option retire[TERN_SIM_NODES_MAX];
    unsigned retires; /* number of them */
    const char *fst;
    int fst_node; /* -1: all */
    uint64_t max_cycles; /* 0: none */
    int ready_fd; /* -1: none */
    int gdb_port; /* -1: no debugger */
    struct tern_span_config span; /* its port is NULL: no --link */
    int half;                     /* -1: as the address says */
    bool no_firmware;
};

/* Ends the process with a message when the arguments cannot be understood. */
void tern_sim_options_parse(struct tern_sim_options *options, int argc, char **argv);

#endif
