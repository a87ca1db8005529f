/* SPDX-License-Identifier: Apache-2.0 */
/* See boot.h. */
#include "boot.h"

#include <stdio.h>
#include <string.h>

#include "tern_abi.h"

/*
 * A good firmware is up after some 60 000 cycles. The limit does not wait for the watchdog's
 * further attempts.
 */
enum { ASK_CYCLES = 512, LIMIT_CYCLES = 250000 };

static const char *state_text(unsigned state)
{
    static const struct {
        const char *name;
        unsigned value;
        const char *text;
    } states[] = {
#define STATE(name, value, text) {#name, value, text},
#include "tables.h"
    };

    for (size_t i = 0; i < sizeof states / sizeof states[0]; i++)
        if (states[i].value == state && strncmp(states[i].name, "FWSTATE_", 8) == 0)
            return states[i].text;
    return "unknown state";
}

static void explain(const struct tern_sim *sim, unsigned node, uint32_t status, char *error)
{
    unsigned at = tern_torus_coordinates(&sim->torus, node), state = status & 0xff;
    int used = snprintf(error, TERN_SIM_ERROR_BYTES,
                        "the firmware of node %u.%u.%u did not come up", at & 31, at >> 5 & 31,
                        at >> 10);

    if (used > 0 && used < TERN_SIM_ERROR_BYTES)
        snprintf(error + used, (size_t)(TERN_SIM_ERROR_BYTES - used),
                 ": %s (state %u, code 0x%x, cycle %llu)", state_text(state), state, status >> 16,
                 (unsigned long long)sim->cycle);
}

static enum tern_boot_state judge(const struct tern_boot *boot, const struct tern_sim *sim,
                                  unsigned state)
{
    switch (state) {
    case TERN_FWSTATE_READY:
        return TERN_BOOT_READY;
    case TERN_FWSTATE_NOIMAGE:
        return boot->blank ? TERN_BOOT_READY : TERN_BOOT_FAILED;
    case TERN_FWSTATE_BADIMAGE:
    case TERN_FWSTATE_FAILED:
        return TERN_BOOT_FAILED;
    default:
        return !boot->debugged && sim->cycle > LIMIT_CYCLES ? TERN_BOOT_FAILED
        : TERN_BOOT_UNDER_WAY;
    }
}

enum tern_boot_state tern_boot_watch(struct tern_boot *boot, struct tern_sim *sim,
                                     char error[TERN_SIM_ERROR_BYTES])
{
    enum tern_boot_state state = TERN_BOOT_READY;

    if (sim->cycle < boot->ask_at || boot->state != TERN_BOOT_UNDER_WAY)
        return boot->state;
    boot->ask_at = sim->cycle + ASK_CYCLES;
    if (sim->cycle < ASK_CYCLES && sim->tier == TERN_TIER_RTL)
        return boot->state; /* while the chip is in reset, a read would get no answer */
    while (boot->up < sim->nodes) {
        uint32_t status = tern_nic_status(sim->node[boot->up].nic);

        if (!tern_sim_has(sim, boot->up)) {
            boot->up++;
            continue;
        }
        state = judge(boot, sim, status & 0xff);
        if (state == TERN_BOOT_FAILED)
            explain(sim, boot->up, status, error);
        if (state != TERN_BOOT_READY)
            break;
        boot->up++;
    }
    for (unsigned n = boot->up; n < sim->nodes && state == TERN_BOOT_UNDER_WAY; n++)
        if (tern_sim_has(sim, n))
            tern_nic_ask_status(sim->node[n].nic);
    boot->state = state;
    return state;
}
