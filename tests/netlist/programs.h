/* SPDX-License-Identifier: Apache-2.0 */
/* Programs that a netlist runs in the chip's place. */
#ifndef TERN_NETLIST_PROGRAMS_H
#define TERN_NETLIST_PROGRAMS_H

#include "stage.h"

struct program {
    const char *name;
    void (*run)(struct stage *stage);
    unsigned nodes;   /* that it needs */
    unsigned refused; /* completions that are not OK, and are not meant to be */
};

extern const struct program programs[];
extern const unsigned program_count;

#endif
