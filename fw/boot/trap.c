/* SPDX-License-Identifier: Apache-2.0 */
#include "boot.h"

#include "log.h"
#include "sys.h"

/* Error code in STATUS: a trap, and its cause. */
#define CODE_TRAP 0x200u
/* Error code in STATUS: no data memory at the start of the stack. */
#define CODE_SMALL_MEMORY 0x101u

void fw_trap(uint32_t cause, uint32_t pc, uint32_t value)
{
    LOG(TRAP, cause, pc, value);
    sys_state(TERN_FWSTATE_FAILED, CODE_TRAP | (cause & 0x1f));
    for (;;)
        (void)wfi();
}

/* Uses no stack. */
__attribute__((aligned(4))) void fw_no_memory(void)
{
    sys_state(TERN_FWSTATE_FAILED, CODE_SMALL_MEMORY);
    for (;;)
        (void)wfi();
}
