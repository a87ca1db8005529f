/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the start of all firmware, so that the simulator reports ready only when all is up. */
#ifndef TERN_SIM_BOOT_H
#define TERN_SIM_BOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

enum tern_boot_state {
    TERN_BOOT_UNDER_WAY,
    TERN_BOOT_READY,  /* all firmware is in FWSTATE_READY */
    TERN_BOOT_FAILED  /* some firmware cannot start, or exceeded the limit */
};

struct tern_boot {
    bool blank;       /* no firmware was given: blank flash is expected */
    bool debugged;    /* a debugger may hold a core: no limit */
    unsigned up;      /* nodes 0 to up - 1 are up */
    uint64_t ask_at;  /* cycle of the next poll */
    enum tern_boot_state state;
};

/*
 * Reads the STATUS register of nodes that are not up, through the host port as a host does. Call
 * between blocks while the result is TERN_BOOT_UNDER_WAY. After TERN_BOOT_FAILED `error` has a
 * sentence with the node and its state.
 */
enum tern_boot_state tern_boot_watch(struct tern_boot *boot, struct tern_sim *sim,
                                     char error[TERN_SIM_ERROR_BYTES]);

#endif
