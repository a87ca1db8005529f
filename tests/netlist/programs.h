/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a netlist runs in place of the chip. */
#ifndef TERN_NETLIST_PROGRAMS_H
#define TERN_NETLIST_PROGRAMS_H

#include "stage.h"

struct program {
    const char *name;
    void (*run)(struct stage *stage);
    unsigned nodes;   /* number of nodes */
    unsigned refused; /* expected number of completions other than OK */
    bool tree;        /* needs the tree network */
};

extern const struct program programs[];
extern const unsigned program_count;

#endif
