/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware whose self-test fails: a whole image that does not come up. Uses no stack. */
#include "hal.h"

void _start(void);

__attribute__((section(".text.start"))) void _start(void)
{
    wr32(TERN_MMIO_FW_STATUS, TERN_FWSTATE_FAILED);
    for (;;)
        ;
}
