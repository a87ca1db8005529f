/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a node under native firmware: a table of functions that the owner of the node
 * fills in.
 *
 * The firmware names nothing of its implementation. Each function gets `node` as the owner gave it.
 */
#ifndef FW_HAL_NATIVE_ACCESS_H
#define FW_HAL_NATIVE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct hal_access {
    uint32_t (*read)(void *node, uint32_t offset);
    void (*write)(void *node, uint32_t offset, uint32_t value);
    /*
     * The firmware has nothing to do: true, if there is an event for it now; false: it shall
     * return.
     */
    bool (*sleep)(void *node);
    bool (*timer_due)(void *node);
};

/*
 * From now on the firmware of this thread reaches the registers of `node`. `access` and `node`
 * belong to the caller and must outlive the calls of the firmware.
 */
void hal_use(const struct hal_access *access, void *node);

#endif
