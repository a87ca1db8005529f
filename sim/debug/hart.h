/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soft core in the hands of a debugger, by its debug port alone.
 *
 * While the core is halted, registers, CSRs and memory are reached by instructions that the port
 * runs on it; what those use (the first word of the instruction memory, t0, t1) is kept here
 * and put back before it runs.  Simulated time goes on with every command, for all nodes.
 *
 * Calls that need a halted core return false when it runs, when it is in reset,
 * or when the access met an exception; nothing else happens then.
 */
#ifndef TERN_SIM_HART_H
#define TERN_SIM_HART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe.h"

enum tern_hart_state {
    TERN_HART_RUNNING,
    TERN_HART_STANDING,
    TERN_HART_BREAK, /* stands before an ebreak */
    TERN_HART_RESET
};

/* An ebreak where an instruction was. */
struct tern_hart_patch {
    uint32_t address;
    unsigned bytes; /* 2 or 4 */
    uint8_t original[4];
};

enum { TERN_HART_PATCHES = 64, TERN_HART_PC = 32 };

struct tern_hart {
    struct tern_probe *probe;
    const uint64_t *cycle; /* simulated time */
    void (*run)(void *ctx); /* lets a little simulated time pass */
    void *ctx;

    bool taken;        /* a debugger has halted it since it was let go for good */
    bool engaged;      /* what follows is kept for the core */
    uint32_t pc;
    uint32_t first;    /* the first word of the instruction memory */
    uint32_t saved[2]; /* t0, t1 */
    bool based;        /* t0 holds `base`, near which memory is reached */
    uint32_t base;

    bool stopping;     /* it is to stand as soon as it comes out of reset */
    bool replant;      /* ... to be given its breakpoints again, and go on */
    unsigned patch_count;
    struct tern_hart_patch patches[TERN_HART_PATCHES];
};

void tern_hart_init(struct tern_hart *hart, struct tern_probe *probe, const uint64_t *cycle,
                    void (*run)(void *ctx), void *ctx);

/* Halts the core; waits as long as a boot takes.  A core that stays in reset for longer halts when
 * it comes out. */
bool tern_hart_halt(struct tern_hart *hart);
/* Returns the state of the core.  Sets the breakpoints again if the core was reset meanwhile. */
enum tern_hart_state tern_hart_poll(struct tern_hart *hart);

/* False when it cannot be where its pc says: outside the instruction memory. */
bool tern_hart_go(struct tern_hart *hart);
bool tern_hart_step(struct tern_hart *hart);
/* Takes the breakpoints out and lets it go for good. */
void tern_hart_release(struct tern_hart *hart);
/* Resets the core by its watchdog; it is then halted at its first instruction. */
bool tern_hart_reset(struct tern_hart *hart);

/* Registers 0 to 31, TERN_HART_PC. */
bool tern_hart_get(struct tern_hart *hart, unsigned number, uint32_t *value);
bool tern_hart_set(struct tern_hart *hart, unsigned number, uint32_t value);
bool tern_hart_get_csr(struct tern_hart *hart, unsigned csr, uint32_t *value);
bool tern_hart_set_csr(struct tern_hart *hart, unsigned csr, uint32_t value);

/* In the largest accesses that alignment allows.  Breakpoints do not show. */
bool tern_hart_load(struct tern_hart *hart, uint32_t address, uint8_t *bytes, size_t count);
bool tern_hart_store(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                     size_t count);

/* A breakpoint in the instruction memory, of 2 or 4 bytes; one that is there, or is not, is
 * no error. */
bool tern_hart_plant(struct tern_hart *hart, uint32_t address, unsigned bytes);
bool tern_hart_pull(struct tern_hart *hart, uint32_t address, unsigned bytes);

#endif
