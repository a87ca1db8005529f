/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tier a system test runs on: $TIER, rtl or soft; rtl when it is not set.  The expectations of
 * a test do not depend on it.
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

#endif
