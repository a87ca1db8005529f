/* SPDX-License-Identifier: Apache-2.0 */
#include "hal.h"

#include "access.h"

/*
 * The node that this thread is running: the only variable of the native firmware outside its
 * contexts.
 */
static _Thread_local struct {
    const struct hal_access *access;
    void *node;
} hal;

void hal_use(const struct hal_access *access, void *node)
{
    hal.access = access;
    hal.node = node;
}

uint32_t rd32(uint32_t offset)
{
    return hal.access->read(hal.node, offset);
}

void wr32(uint32_t offset, uint32_t value)
{
    hal.access->write(hal.node, offset, value);
}

uintptr_t mmio_block(uint32_t offset)
{
    return offset;
}

uint32_t rd32_in(uintptr_t block, uint32_t offset)
{
    return rd32((uint32_t)block + offset);
}

void wr32_in(uintptr_t block, uint32_t offset, uint32_t value)
{
    wr32((uint32_t)block + offset, value);
}

bool wfi(void)
{
    return hal.access->sleep(hal.node);
}

bool timer_due(void)
{
    return hal.access->timer_due(hal.node);
}

void wake_sources_enable(void)
{
}
