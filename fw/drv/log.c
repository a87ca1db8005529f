/* SPDX-License-Identifier: Apache-2.0 */
#include "log.h"

void log_write(uint32_t number, uint32_t count, const uint32_t *args)
{
    wr32(TERN_MMIO_LOG_PUSH, LOG_MARK << 24 | number << 8 | count);
    wr32(TERN_MMIO_LOG_PUSH, rd32(TERN_MMIO_MTIME_LO));
    for (uint32_t i = 0; i < count; i++)
        wr32(TERN_MMIO_LOG_PUSH, args[i]);
}
