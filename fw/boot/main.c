/* SPDX-License-Identifier: Apache-2.0 */
/* The firmware on the chip: its state, the memory test, the endless loop. */
#include "boot.h"

#include <stdio.h>

#include "fw.h"
#include "hal.h"
#include "log.h"

#define CODE_MEMORY 0x100u

static struct fw state;

/* Tests unused data memory: writes and reads each word's own address, then the complement. */
static bool memory_sane(void)
{
    for (uint32_t *p = __bss_end; p < __stack_low; p++)
        (void)ram_holds(p, (uint32_t)(uintptr_t)p);
    for (uint32_t *p = __bss_end; p < __stack_low; p++)
        if (!ram_still_holds(p, (uint32_t)(uintptr_t)p) ||
            !ram_holds(p, ~(uint32_t)(uintptr_t)p))
            return false;
    return true;
}

int main(void)
{
    if (!memory_sane()) {
        LOG(SELFTEST, CODE_MEMORY, 0);
        sys_state(TERN_FWSTATE_FAILED, CODE_MEMORY);
        return 1;
    }
    if (!fw_init(&state, (uint32_t)(uintptr_t)__image_bytes))
        return 1;
    fputs("tern firmware is up\n", stdout);
    for (;;)
        fw_step(&state);
}
