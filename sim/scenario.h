/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A list of faults with their times, one per line.
 *
 *   # comment
 *   at CYCLE cut NODE PORT            the link at a port, both ways
 *   at CYCLE restore NODE PORT
 *   at CYCLE kill NODE                all links of a node at once
 *   at CYCLE revive NODE
 *   at CYCLE drop NODE PORT [HITS]
 *   at CYCLE flip NODE PORT byte=N mask=M [seal=S] [HITS]
 *   at CYCLE set NODE PORT word=N mask=M value=V [seal=S] [HITS]
 *   at CYCLE duplicate NODE PORT [HITS]
 *   at CYCLE delay NODE PORT by=N [HITS]     until N others have passed, 1 to 32
 *   at CYCLE stall NODE PORT cycles=N        nothing comes for so long, 1 to 2048; then all, in
 *   order
 *   at CYCLE noise NODE PORT every=N         a random bit in one of N beats; 0: none
 *   at CYCLE inject NODE PORT seal=S BYTES...
 *
 * NODE is x.y.z, or its number; PORT is X+, X-, Y+, Y-, Z+ or Z-, the sending end. HITS is [type=T]
 * [skip=N] [every=N] [count=N]. T is a packet type or `any`. Of packets of that type `skip` (0)
 * pass first, then one in `every` (1), at random, is hit, `count` (1) in all. The simulation's seed
 * determines all random faults. S names the checksums that are corrected: letters h (header), e
 * (end to end), l (link), or 0. Numbers may be hexadecimal (0x..). BYTES are hexadecimal, two
 * digits a byte, the whole packet. A line takes effect at the first block that begins at its cycle
 * or later; lines may be in any order.
 */
#ifndef TERN_SIM_SCENARIO_H
#define TERN_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"

struct tern_scenario;

/* Parses a scenario; NULL if it is wrong, with line and reason in `error`. */
struct tern_scenario *tern_scenario_new(const char *text, const struct tern_torus *torus,
                                        char *error, size_t error_bytes);
void tern_scenario_free(struct tern_scenario *scenario);

/* Applies the lines that are due. */
void tern_scenario_apply(struct tern_scenario *scenario, struct tern_net *net,
                         uint64_t cycle);

#endif
