/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tier a system test runs on: $TIER, rtl or soft; rtl when it is not set.  On rtl $MODEL names
 * the configuration of the chip, "board" or the simulator's.  The expectations of a test do not
 * depend on either.
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

/* NULL: the first that fits. */
static inline const char *rig_model(void)
{
    const char *model = getenv("MODEL");

    return model && model[0] && !rig_tier_is_soft() ? model : NULL;
}

/* What nodes of a model boot: the board's have smaller memories. */
static inline const char *rig_firmware(const char *model)
{
    return model && strcmp(model, "sim") && strcmp(model, "checked") ? "build/fw/tern-fw-lean.elf"
                                                                     : "build/fw/tern-fw.elf";
}

#endif
