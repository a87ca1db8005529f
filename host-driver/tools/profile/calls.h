/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Attributes the cycles of a trace to call paths, instructions and functions.
 *
 * An instruction gets the cycles from the retirement of the previous instruction to its own. These
 * include all its stalls: its load, its multiplication, and the fetch after the jump to it. Cycles
 * of wfi are sleep and belong to no function. The first instruction after a reset gets the cycles
 * of the reset and of the boot loader.
 *
 * The analysis finds calls in the code: jal and jalr that write ra or t0 are calls; jalr to one of
 * them returns to the caller with that return address; any other step into another function is a
 * tail call. A step that the previous instruction cannot make is a trap or, to the entry point, a
 * reset. A trace may begin anywhere, so the first callers are unknown.
 */
#ifndef TERN_PROFILE_CALLS_H
#define TERN_PROFILE_CALLS_H

#include "program.h"
#include "trace.h"

/* A function, or an inlined one, at the end of a path of callers; node 0 is the root. */
struct calls_node {
    uint32_t parent, child, sibling; /* 0: none */
    int scope;                       /* of the program, or one of the two below */
    uint64_t cycles, instructions;   /* of its own */
};

enum { CALLS_ROOT = -1, CALLS_TRAP = -2 }; /* instead of a scope */

struct calls_cell {
    uint64_t cycles, instructions;
};

struct calls_frame {
    uint32_t node;
    int function;
    uint32_t back; /* return address */
    bool known;    /* its call was seen, so `back` is valid */
    bool trap;     /* called by a trap: mret returns from it */
};

enum { CALLS_DEPTH_MAX = 256 };

struct calls {
    const struct program *program;
    uint64_t from, to; /* the range of cycles that count */
    struct calls_node *node;
    size_t nodes, node_room;
    struct calls_cell *cell;   /* one for each cell of the program */
    uint64_t *entered;         /* calls of each function, by scope */
    uint64_t total, busy, sleep, reset, unfinished; /* cycles; the first is the sum */
    uint64_t instructions, sleeps, resets, traps;
    /* present place in the trace */
    uint64_t until;
    uint32_t pc;
    bool begun;
    struct calls_frame frame[CALLS_DEPTH_MAX];
    unsigned depth;
    uint32_t handler[16]; /* addresses of trap handlers */
    unsigned handlers;
    char problem[512]; /* why the analysis stopped */
};

/*
 * Counts the cycles [from, to) of a trace that begins with `cycle`. False, with a `problem`, when
 * there is no memory; so do the functions below.
 */
bool calls_init(struct calls *calls, const struct program *program, uint64_t cycle,
                uint64_t from, uint64_t to);
void calls_fini(struct calls *calls);

/* Takes the next instruction of the trace. False also when the program cannot execute it there. */
bool calls_step(struct calls *calls, uint64_t until, uint32_t pc);

/* Takes the end of the trace. */
void calls_end(struct calls *calls, uint64_t until);

/*
 * Returns the cycles of each node including all below it, for the caller to free. NULL and a
 * message on stderr when there is no memory.
 */
uint64_t *calls_totals(const struct calls *calls);

/* Sorts the children of every node by name. */
void calls_sort(struct calls *calls);

/* Returns the name of a node's function. */
const char *calls_name(const struct calls *calls, const struct calls_node *node);

#endif
