/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shared by the tests of reads and of lookups: both request bytes of another node, which arrive in
 * answers, and the target serves both from own slots of the firmware.
 */
#ifndef TESTS_UNIT_FW_ASKS_H
#define TESTS_UNIT_FW_ASKS_H

#include "rig.h"

#define OWN(n) (REGS_POOL + (n))
#define PAYLOAD 512u

/* Opens a function, and forgets all recorded answers. */
void asks_open(struct rig *rig);

/* ---- the origin */

/* Checks that the last command sent a request of `type`. */
void asks_by(uint32_t type, uint32_t notify);

/*
 * Checks that a request for so many bytes is one packet of `type` and awaits one answer, whatever
 * its flags.
 */
void asks_once(struct rig *rig, void (*build)(uint32_t *, uint32_t, uint32_t), uint32_t bytes,
               uint32_t type);

/* Lets all retries of the first operation time out. */
void asks_silence(struct rig *rig);

/* Posts `words`; checks that it completes with `status` and sends nothing. */
void asks_in_vain(struct rig *rig, const uint32_t *words, unsigned status);

/* Checks that an operation with SIGNAL is retried up to the limit; each try sets `members`. */
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
 * Checks that a region is released only after the bytes being sent from it have left, and likewise
 * a function.
 */
void asks_hold_region(struct rig *rig);
void asks_hold_function(struct rig *rig);

#endif
