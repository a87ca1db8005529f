/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that start.S calls, and symbols of the linker script. */
#ifndef FW_BOOT_BOOT_H
#define FW_BOOT_BOOT_H

#include <stdint.h>

int main(void);

/* Handles a trap: logs it and sets FWSTATE_FAILED; the watchdog then reboots. */
_Noreturn void fw_trap(uint32_t cause, uint32_t pc, uint32_t value);

/*
 * Called when the data memory is smaller than the image expects: sets FWSTATE_FAILED; the watchdog
 * then reboots.
 */
_Noreturn void fw_no_memory(void);

/* Bounds of the memory between .bss and the stack; addresses, not variables. */
extern uint32_t __bss_end[], __stack_low[];
extern char __image_bytes[];

#endif
