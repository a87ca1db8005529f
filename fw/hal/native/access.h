/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The registers of a node for native firmware: a table of functions that the node's owner provides.
 *
 * So the firmware does not depend on the owner's code. Each function gets `node` as given to
 * hal_use().
 */
#ifndef FW_HAL_NATIVE_ACCESS_H
#define FW_HAL_NATIVE_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

struct hal_access {
    uint32_t (*read)(void *node, uint32_t offset);
    void (*write)(void *node, uint32_t offset, uint32_t value);
    /*
     * Called when the firmware has no work: returns true after an event has come; false: the
     * firmware must return.
     */
    bool (*sleep)(void *node);
    bool (*timer_due)(void *node);
};

/*
 * Sets the node whose registers the firmware of this thread uses from now on. `access` and `node`
 * belong to the caller and must outlive the calls of the firmware.
 */
void hal_use(const struct hal_access *access, void *node);

#endif
