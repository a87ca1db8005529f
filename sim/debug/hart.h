/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A soft core under a debugger, through its debug port alone.
 *
 * While the core is halted, registers, CSRs and memory are accessed by instructions that the port
 * runs on it. The state that these change (the first word of the instruction memory, t0, t1) is
 * saved here and restored before the core runs. Simulated time advances with every command, for
 * all nodes.
 *
 * Calls that need a halted core return false, without effect, when it runs, when it is in reset, or
 * when the access raised an exception.
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
    TERN_HART_BREAK, /* halted at an ebreak */
    TERN_HART_RESET
};

/* An ebreak in place of an instruction. */
struct tern_hart_patch {
    uint32_t address;
    unsigned bytes; /* 2 or 4 */
    uint8_t original[4];
};

enum { TERN_HART_PATCHES = 64, TERN_HART_PC = 32 };

struct tern_hart {
    struct tern_probe *probe;
    const uint64_t *cycle; /* simulated time */
    void (*run)(void *ctx); /* advances simulated time a little */
    void *ctx;

    bool taken;        /* a debugger halted it and has not released it */
    bool engaged;      /* the fields below hold saved values */
    uint32_t pc;
    uint32_t first;    /* the first word of the instruction memory */
    uint32_t saved[2]; /* t0, t1 */
    bool based;        /* t0 holds `base`, to access memory near it */
    uint32_t base;

    bool stopping;     /* must halt when it leaves reset */
    bool replant;      /* ... to set its breakpoints again, then continue */
    unsigned patch_count;
    struct tern_hart_patch patches[TERN_HART_PATCHES];
};

void tern_hart_init(struct tern_hart *hart, struct tern_probe *probe, const uint64_t *cycle,
                    void (*run)(void *ctx), void *ctx);

/*
 * Halts the core; waits as long as a boot takes. A core that stays in reset longer halts when it
 * leaves reset.
 */
bool tern_hart_halt(struct tern_hart *hart);
/* Returns the state of the core.  Sets the breakpoints again if the core was reset meanwhile. */
enum tern_hart_state tern_hart_poll(struct tern_hart *hart);

/* Run on, and step; false when the pc is outside the instruction memory. */
bool tern_hart_go(struct tern_hart *hart);
bool tern_hart_step(struct tern_hart *hart);
/* Removes the breakpoints and lets the core run. */
void tern_hart_release(struct tern_hart *hart);
/* Resets the core by its watchdog; it is then halted at its first instruction. */
bool tern_hart_reset(struct tern_hart *hart);

/* Read and write registers 0 to 31, and TERN_HART_PC. */
bool tern_hart_get(struct tern_hart *hart, unsigned number, uint32_t *value);
bool tern_hart_set(struct tern_hart *hart, unsigned number, uint32_t value);
bool tern_hart_get_csr(struct tern_hart *hart, unsigned csr, uint32_t *value);
bool tern_hart_set_csr(struct tern_hart *hart, unsigned csr, uint32_t value);

/* Copy memory, in the largest accesses that alignment allows. Breakpoints are hidden. */
bool tern_hart_load(struct tern_hart *hart, uint32_t address, uint8_t *bytes, size_t count);
bool tern_hart_store(struct tern_hart *hart, uint32_t address, const uint8_t *bytes,
                     size_t count);

/*
 * Set and remove a breakpoint of 2 or 4 bytes in the instruction memory; repeating either is no
 * error.
 */
bool tern_hart_plant(struct tern_hart *hart, uint32_t address, unsigned bytes);
bool tern_hart_pull(struct tern_hart *hart, uint32_t address, unsigned bytes);

#endif
