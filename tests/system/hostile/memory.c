/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with registered parts; checks that the rest does not change. */
#define _GNU_SOURCE
#include <sys/mman.h>

#include "hostile.h"

int memory_make(struct memory *memory, struct tern_device *device, unsigned seed)
{
    memory->seed = seed;
    memory->bytes = mmap(NULL, MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                         -1, 0);
    if (memory->bytes == MAP_FAILED)
        return -TERN_ST_NO_MEMORY;
    rig_fill(memory->bytes, MEMORY_BYTES, seed);
    return tern_register(device, memory->bytes, MEMORY_BYTES, 0, &memory->whole);
}

int memory_register(struct memory *memory, struct tern_device *device, struct part part,
                    unsigned rights, struct tern_region **region)
{
    return tern_register(device, memory->bytes + part.at, part.bytes, rights, region);
}

static bool inside(uint32_t at, const struct part *parts, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (at - parts[i].at < parts[i].bytes)
            return true;
    return false;
}

bool memory_holds(const struct memory *memory, const struct part *parts, unsigned count)
{
    static uint8_t pattern[MEMORY_BYTES];

    rig_fill(pattern, MEMORY_BYTES, memory->seed);
    for (uint32_t at = 0; at < MEMORY_BYTES; at++)
        if (memory->bytes[at] != pattern[at] && !inside(at, parts, count))
            return false;
    return true;
}
