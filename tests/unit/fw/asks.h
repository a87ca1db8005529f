/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the tests of reads and of lookups: both ask another node for bytes, which come as
 * answers, and both are served from slots of the firmware's own.
 */
#ifndef TESTS_UNIT_FW_ASKS_H
#define TESTS_UNIT_FW_ASKS_H

#include "rig.h"

#define OWN(n) (REGS_POOL + (n))
#define PAYLOAD 512u

/* A function that is ready, and no answers said yet. */
void asks_open(struct rig *rig);

/* ---- the origin */

/* The command sent last asks by a packet of `type`. */
void asks_by(uint32_t type, uint32_t notify);

/* Of so many bytes it is one packet of `type` and awaits one answer, whatever its flags. */
void asks_once(struct rig *rig, void (*build)(uint32_t *, uint32_t, uint32_t), uint32_t bytes,
               uint32_t type);

/* Nobody answers what was posted first. */
void asks_silence(struct rig *rig);

/* Posted, it completes with `status` and nothing leaves. */
void asks_in_vain(struct rig *rig, const uint32_t *words, unsigned status);

/*
 * What was posted with SIGNAL is sent again, until that has been often enough; `members` are said
 * each time.
 */
void asks_again(struct rig *rig, uint32_t type, uint32_t members);

/* Posts `words`, and checks that the operation subtracts its bytes from a counter. */
void asks_counted(struct rig *rig, uint32_t words[16], uint32_t bytes);

/* ---- the target */

void asks_left_nothing(const struct rig *rig);

/* Checks that the firmware's `nth` answer refuses the packet in receive slot `rx` with `status`. */
void asks_refused(unsigned nth, unsigned rx, uint32_t status);

/* Registers a region that other nodes may read but not write; releases it. */
void asks_register(struct rig *rig);
void asks_release(struct rig *rig);

/*
 * The region from which bytes are being sent is released when they have left, and so is a function.
 */
void asks_hold_region(struct rig *rig);
void asks_hold_function(struct rig *rig);

#endif
