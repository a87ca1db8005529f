/* SPDX-License-Identifier: Apache-2.0 */
/* Events, timer, watchdog, identity and state of the node. */
#ifndef FW_DRV_SYS_H
#define FW_DRV_SYS_H

#include "hal.h"

#define SYS_EVENT(type) (1u << (type))
#define SYS_EVENTS_ALL 0xffffffffu

/* Identity and sizes of the node; the firmware reads them once at boot. */
struct sys_identity {
    uint16_t node, dims;
    uint16_t queues, functions, regions, counters;
    uint16_t payload_max; /* bytes */
    uint8_t slots, own_slots; /* descriptor slots filled by the prefetcher; own slots, which follow
                                 them */
    uint8_t rx_slots, ports;
    uint8_t incarnation, reset_cause;
    uint32_t host_latency; /* cycles */
    uint32_t clock_hz;
};

void sys_identity_read(struct sys_identity *id);

static inline uint32_t sys_event_pop(void)
{
    return rd32(TERN_MMIO_EV_POP);
}

/* Returns the types of waiting events, masked or not, one bit each. */
static inline uint32_t sys_events_pending(void)
{
    return rd32(TERN_MMIO_EV_PENDING);
}

static inline void sys_event_mask(uint32_t mask)
{
    wr32(TERN_MMIO_EV_MASK, mask);
}

/* Returns the low half of the time, which suffices for differences. */
static inline uint32_t sys_time(void)
{
    return rd32(TERN_MMIO_MTIME_LO);
}

uint64_t sys_time64(void);

/* Sets the timer to `cycles` from now. */
void sys_timer_arm(uint32_t cycles);

static inline void sys_watchdog(uint32_t cycles)
{
    wr32(TERN_MMIO_WDOG, cycles);
}

static inline void sys_state(uint32_t fwstate, uint32_t code)
{
    wr32(TERN_MMIO_FW_STATUS, fwstate | code << 16);
}

#endif
