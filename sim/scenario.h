/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults written down: what happens when, line by line.
 *
 *   # comment
 *   at CYCLE cut NODE PORT            the link at a port, both ways
 *   at CYCLE restore NODE PORT
 *   at CYCLE drop NODE PORT [type=T] [skip=N] [count=N]
 *   at CYCLE flip NODE PORT byte=N mask=M [seal=S] [type=T] [skip=N] [count=N]
 *   at CYCLE set NODE PORT word=N mask=M value=V [seal=S] [type=T] [skip=N] [count=N]
 *   at CYCLE noise NODE PORT every=N  a random bit in one of N beats; 0: none
 *   at CYCLE inject NODE PORT seal=S BYTES...
 *
 * NODE is x.y.z or x; PORT is X+ or X-, the end that sends.  T is a packet type or `any`, and
 * skip (0) and count (1) count packets of that type.  S says which checksums are made right:
 * letters h (header), e (end to end), l (link), or 0.  Numbers may be hexadecimal (0x..).
 * BYTES are hexadecimal, two digits a byte, the whole packet.  A line takes effect at the
 * first block that begins at its cycle or later; lines may stand in any order.
 */
#ifndef TERN_SIM_SCENARIO_H
#define TERN_SIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "net.h"

struct tern_scenario;

/* NULL when the text is not understood; then `error` names line and reason. */
struct tern_scenario *tern_scenario_new(const char *text, unsigned nodes, char *error,
                                        size_t error_bytes);
void tern_scenario_free(struct tern_scenario *scenario);

/* Does what is due. */
void tern_scenario_apply(struct tern_scenario *scenario, struct tern_net *net,
                         uint64_t cycle);

#endif
