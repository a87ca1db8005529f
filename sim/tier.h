/* SPDX-License-Identifier: Apache-2.0 */
/* The kind of a simulation's NICs. */
#ifndef TERN_SIM_TIER_H
#define TERN_SIM_TIER_H

enum tern_tier {
    TERN_TIER_RTL, /* the verilated chip, clocked; firmware on its core */
    TERN_TIER_SOFT /* models of its blocks; the same firmware compiled natively */
};

#endif
