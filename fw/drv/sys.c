/* SPDX-License-Identifier: Apache-2.0 */
#include "sys.h"

void sys_identity_read(struct sys_identity *id)
{
    uint32_t config = rd32(TERN_MMIO_CONFIG);
    uint32_t limits = rd32(TERN_MMIO_LIMITS);
    uint32_t regions = rd32(TERN_MMIO_REGIONS);
    uint32_t sizes = rd32(TERN_MMIO_SIZES);

    id->node = (uint16_t)rd32(TERN_MMIO_NODE);
    id->dims = (uint16_t)rd32(TERN_MMIO_DIMS);
    id->queues = (uint16_t)limits;
    id->functions = (uint16_t)(limits >> 16);
    id->regions = (uint16_t)regions;
    id->counters = (uint16_t)(regions >> 16);
    id->ports = (uint8_t)(config >> 8);
    id->payload_max = (uint16_t)((config >> 16) * 8);
    id->slots = (uint8_t)(sizes - (sizes >> 8));
    id->own_slots = (uint8_t)(sizes >> 8);
    id->rx_slots = (uint8_t)(sizes >> 16);
    id->incarnation = (uint8_t)rd32(TERN_MMIO_INCARNATION);
    id->reset_cause = (uint8_t)rd32(TERN_MMIO_RESET_CAUSE);
    id->host_latency = rd32(TERN_MMIO_HOST_LATENCY);
    id->clock_hz = rd32(TERN_MMIO_CLOCK_HZ);
}

uint64_t sys_time64(void)
{
    uint32_t high = rd32(TERN_MMIO_MTIME_HI);
    uint32_t low = rd32(TERN_MMIO_MTIME_LO);
    uint32_t again = rd32(TERN_MMIO_MTIME_HI);

    /* If the low word wrapped between the two reads, returns the time just after the wrap. */
    return again == high ? (uint64_t)high << 32 | low : (uint64_t)again << 32;
}

void sys_timer_arm(uint32_t cycles)
{
    /* If the low word wraps between the two reads, the timer fires at once and is armed again. */
    uint32_t high = rd32(TERN_MMIO_MTIME_HI);
    uint64_t due = ((uint64_t)high << 32 | rd32(TERN_MMIO_MTIME_LO)) + cycles;

    wr32(TERN_MMIO_MTIMECMP_HI, (uint32_t)(due >> 32));
    wr32(TERN_MMIO_MTIMECMP_LO, (uint32_t)due);
}
