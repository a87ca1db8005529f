/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the firmware of all nodes come up, so that the simulator calls itself ready only when it
 * is.
 */
#ifndef TERN_SIM_BOOT_H
#define TERN_SIM_BOOT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim.h"

enum tern_boot_state {
    TERN_BOOT_UNDER_WAY,
    TERN_BOOT_READY,  /* every firmware has shown FWSTATE_READY */
    TERN_BOOT_FAILED  /* one of them cannot, or has not within the limit */
};

struct tern_boot {
    bool blank;       /* no firmware was given, so a blank flash is as wanted */
    bool debugged;    /* a debugger may hold a core: no limit */
    unsigned up;      /* nodes 0 to up - 1 are */
    uint64_t ask_at;  /* cycle */
    enum tern_boot_state state;
};

/*
 * Asks the nodes that are not up for their STATUS register, through the host port as a host does.
 * Call between blocks until the result is another than TERN_BOOT_UNDER_WAY.  On TERN_BOOT_FAILED
 * `error` has a sentence that names the node and the state it is in.
 */
enum tern_boot_state tern_boot_watch(struct tern_boot *boot, struct tern_sim *sim,
                                     char error[TERN_SIM_ERROR_BYTES]);

#endif
