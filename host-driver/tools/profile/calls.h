/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the cycles of a trace went: for each call path, each instruction, each function.
 *
 * Whose a cycle is: an instruction gets the cycles from the retirement of the one before to
 * its own, so all that the core waited for it: its load, its multiplication, and the fetch
 * after the jump that led to it.  The cycles of wfi are sleep and belong to no function.  The first
 * instruction after a reset gets the cycles of the reset and of the boot loader.
 *
 * Calls are found in the code: jal and jalr that write ra or t0 call, jalr to one of them
 * returns to the caller that waits for that address, any other step into another function is
 * a tail call.  A step that the instruction before cannot take is a trap, or, to the entry
 * point, a reset.  A trace may begin anywhere, so the first callers stay unknown.
 */
#ifndef TERN_PROFILE_CALLS_H
#define TERN_PROFILE_CALLS_H

#include "program.h"
#include "trace.h"

/* A function, or an inlined one, at the end of a path of callers; node 0 is the root. */
struct calls_node {
    uint32_t parent, child, sibling; /* 0: none */
    int scope;                       /* of the program; or one of those below */
    uint64_t cycles, instructions;   /* of its own */
};

enum { CALLS_ROOT = -1, CALLS_TRAP = -2 }; /* instead of a scope */

struct calls_cell {
    uint64_t cycles, instructions;
};

struct calls_frame {
    uint32_t node;
    int function;
    uint32_t back; /* where it returns to */
    bool known;    /* it was seen to be called: `back` means something */
    bool trap;     /* called by a trap: mret returns from it */
};

enum { CALLS_DEPTH_MAX = 256 };

struct calls {
    const struct program *program;
    uint64_t from, to; /* cycles that count */
    struct calls_node *node;
    size_t nodes, node_room;
    struct calls_cell *cell;   /* for each of the program */
    uint64_t *entered;         /* calls of each scope that is a function */
    uint64_t total, busy, sleep, reset, unfinished; /* cycles; the first is the sum */
    uint64_t instructions, sleeps, resets, traps;
    /* where the trace is */
    uint64_t until;
    uint32_t pc;
    bool begun;
    struct calls_frame frame[CALLS_DEPTH_MAX];
    unsigned depth;
    uint32_t handler[16]; /* where traps led to */
    unsigned handlers;
    char problem[512]; /* why it did not go on */
};

/* Counts the cycles [from, to) of a trace that begins with `cycle`.  False and a `problem` when
 * there is no memory, as below. */
bool calls_init(struct calls *calls, const struct program *program, uint64_t cycle,
                uint64_t from, uint64_t to);
void calls_fini(struct calls *calls);

/* The next instruction of the trace.  False also when the program cannot have done this. */
bool calls_step(struct calls *calls, uint64_t until, uint32_t pc);

/* The end of the trace. */
void calls_end(struct calls *calls, uint64_t until);

/* Cycles of each node together with all below it; to be freed.  NULL and a message on stderr
 * when there is no memory. */
uint64_t *calls_totals(const struct calls *calls);

/* Brings the children of every node in the order of their names. */
void calls_sort(struct calls *calls);

/* The name of a node's function. */
const char *calls_name(const struct calls *calls, const struct calls_node *node);

#endif
