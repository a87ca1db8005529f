/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tier of a system test: $TIER, rtl or soft; rtl by default. On rtl $MODEL names the
 * configuration of the chip, "board" or the simulator's. A test expects the same in all of them.
 */
#ifndef TERN_RIG_TIER_H
#define TERN_RIG_TIER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static inline const char *rig_tier(void)
{
    const char *tier = getenv("TIER");

    return tier && tier[0] ? tier : "rtl";
}

static inline bool rig_tier_is_soft(void)
{
    return !strcmp(rig_tier(), "soft");
}

/* Returns the model; NULL: the first that fits. */
static inline const char *rig_model(void)
{
    const char *model = getenv("MODEL");

    return model && model[0] && !rig_tier_is_soft() ? model : NULL;
}

/* Returns the program that simulates: $SIM, which takes the same options, or the checked one. */
static inline const char *rig_simulator(void)
{
    const char *program = getenv("SIM");

    return program && program[0] ? program : "build/bin/tern-sim-checked";
}

/* Returns the boot image of a model's nodes: the board's memories are smaller. */
static inline const char *rig_firmware(const char *model)
{
    bool full = !model || strcmp(model, "sim") == 0 || strcmp(model, "checked") == 0 ||
                strstr(model, "full");

    return full ? "build/fw/tern-fw.elf" : "build/fw/tern-fw-lean.elf";
}

#endif
