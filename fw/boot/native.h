/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware as a library: many instances in one process, each in memory of its owner's.
 *
 * What boot/main.c does on the chip.  While one of these functions runs, the functions of
 * hal/native reach the registers of that instance's node; who owns it sees to that.
 */
#ifndef FW_BOOT_NATIVE_H
#define FW_BOOT_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of a context, aligned as malloc aligns. */
size_t fw_native_bytes(void);

/* Starts the firmware of `image_bytes` in `context`; false when the node is not sane. */
bool fw_native_boot(void *context, uint32_t image_bytes);

/* One turn of the event loop. */
void fw_native_step(void *context);

#endif
