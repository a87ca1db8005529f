/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains: operations that the NIC does one after the other, each only if the one before has ended well.
 *
 *     tern_chain_begin(sq);
 *     tern_compare_swap(sq, lock, 0, me, 0, 1);        what is posted between the two
 *     tern_put(sq, to, region, bytes, n, 0, 1);        becomes a step of the chain
 *     tern_swap(sq, lock, 0, 0, 1);
 *     tern_chain_post(sq);                             one doorbell
 *
 * A step begins when all before it have ended; the first, when all that was posted before the chain has.  If a step
 * does not end well, those behind it do not happen.  An atomic operation ends well if the word is what it is compared
 * with (else UNLIKE, with the word as it was in `value`), a lookup if there is what it looks for (else NOT_FOUND),
 * any other operation if it ends with OK.  What stands before the step that failed has happened, and stays so.
 *
 * One completion tells how the chain ended: the last step's, with OK, or that of the first step that failed, with its
 * status and the context that was given for it.  Steps posted with TERN_DFLAG_SIGNAL tell of their good ends, too.
 *
 * tern_wait_area() as a step makes the chain wait for check-ins, or, with tern_counter_fills_area(), for a byte counter
 * that reaches zero.  So a chain can be there before what starts it.
 *
 * No chain goes on for ever: it has TERN_CHAIN_STEPS steps at most, and waits only for areas that are armed, for the
 * epoch that it names, with a time limit; each operation has one anyhow.  More of a chain, or a wait without an end,
 * is CHAIN_TOO_LONG.  Between two steps of a chain other queues have their turns.
 *
 * Errors, threads, ownership, units: as tern.h says.
 */
#ifndef TERN_CHAIN_H
#define TERN_CHAIN_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * From here on what is posted to the queue is a step of a chain, and is kept back: puts, messages, check-ins, waits,
 * atomic operations, reads, lookups, tern_nop().  What is posted for a group, or gets, is not: BAD_ARGUMENT.
 * BAD_ARGUMENT if a chain has begun, NO_MEMORY.  Memory that a step names must not change until the chain has ended.
 */
int tern_chain_begin(struct tern_sq *sq);

/*
 * Posts the chain.  AGAIN when the ring or the completion queue has not enough room for all of it: poll, then call again.
 * CHAIN_TOO_LONG when a step was refused with that: then nothing is posted.  BAD_ARGUMENT without a step.
 */
int tern_chain_post(struct tern_sq *sq);

/* Forgets a chain that has not been posted. */
void tern_chain_drop(struct tern_sq *sq);

/*
 * What the queue waits for ends with CANCELLED, for whoever waits for that area; and of a chain that runs, steps that
 * have not begun do not happen any more.  `*cancelled` (may be NULL): whether there was anything of either kind; the
 * chain's completion tells how it ended.  One that has not begun, as what stands before it in the queue has not ended, goes on.
 */
int tern_chain_cancel(struct tern_sq *sq, bool *cancelled);

/*
 * Sets byte counter `counter` to `bytes`, as tern_counter_set(): when it reaches zero, area `area` of this function, which
 * is armed, has all that it waits for.  BAD_AREA, BAD_COUNTER; BAD_ARGUMENT for no bytes.
 */
int tern_counter_fills_area(struct tern_device *device, uint16_t counter, uint32_t bytes, uint16_t area);

#ifdef __cplusplus
}
#endif

#endif
