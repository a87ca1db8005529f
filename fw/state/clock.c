/* SPDX-License-Identifier: Apache-2.0 */
#include "clock.h"

/* Cycles of a tick: several host round trips, so that time-outs suit fast and slow buses. */
#define TICK_ROUND_TRIPS 16u
#define TICK_CYCLES_MIN 2048u
#define TICK_SLOW_FACTOR 512u
/* Slow ticks before the watchdog fires. */
#define WATCHDOG_TICKS 4u

void fw_clock_set(const struct fw *fw)
{
    uint32_t slow = fw->tick_cycles * TICK_SLOW_FACTOR;

    sys_timer_arm(fw->tick_fast ? fw->tick_cycles : slow);
    sys_watchdog(slow * WATCHDOG_TICKS);
}

void fw_tick_init(struct fw *fw)
{
    fw->tick_cycles = fw->id.host_latency * TICK_ROUND_TRIPS;
    if (fw->tick_cycles < TICK_CYCLES_MIN)
        fw->tick_cycles = TICK_CYCLES_MIN;
    fw_clock_set(fw);
}

bool fw_series_over(struct fw *fw)
{
    uint32_t pending = sys_events_pending();

    if (!(pending & SYS_EVENT(TERN_EV_DESC)) || pending == SYS_EVENT(TERN_EV_DESC))
        return false;
    fw->work |= WORK_DESCS;
    return true;
}

uint32_t fw_ticks(const struct fw *fw, uint32_t cycles)
{
    return cycles / fw->tick_cycles + (cycles % fw->tick_cycles != 0);
}

void fw_tick_hurry(struct fw *fw)
{
    if (fw->tick_fast)
        return;
    fw->tick_fast = 1;
    fw_clock_set(fw);
}
