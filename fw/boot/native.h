/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware as a library: many instances in one process, each in memory of its owner.
 *
 * Does the work of boot/main.c on the chip. The functions of `access` reach the registers of the
 * node; they get `node` as argument (hal/native/access.h). Different threads may run different
 * instances.
 */
#ifndef FW_BOOT_NATIVE_H
#define FW_BOOT_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "access.h"

/* Returns the bytes of a context, which needs the alignment of malloc. */
size_t fw_native_bytes(void);

/* Starts the firmware of `image_bytes` in `context`; false when the node is unusable. */
bool fw_native_boot(void *context, uint32_t image_bytes, const struct hal_access *access,
                    void *node);

/* Runs one turn of the event loop. */
void fw_native_step(void *context, const struct hal_access *access, void *node);

#endif
