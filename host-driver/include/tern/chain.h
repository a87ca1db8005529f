/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains: operations that the NIC does one after the other, each only if the one before has ended
 * well.
 *
 *     tern_compare_swap(sq, lock, 0, me, TERN_LINK, 1);
 *     tern_put(sq, to, region, bytes, n, TERN_LINK, 1);
 *     tern_swap(sq, lock, 0, 0, 1);                       no TERN_LINK: the last step; one doorbell
 *     for all
 *
 * An operation that is posted with TERN_LINK and the next one posted to the queue are steps of one
 * chain.  The NIC hears of a chain when its last step has been posted.
 *
 * A step begins when all before it have ended; the first, when all that was posted before the chain
 * has.  If a step does not end well, those after it do not happen.  An atomic operation ends well
 * if the word is what it is compared with (else UNLIKE, with the word as it was in `value`), a
 * lookup if there is what it looks for (else NOT_FOUND), any other operation if it ends with OK.
 * Steps before the one that failed have happened, and stay so.
 *
 * Completions.  A chain completes once: by its last step, with OK, or by the first step that
 * failed, with its status and the context that was given for it.  Steps posted with
 * TERN_DFLAG_SIGNAL complete when they end well, too.
 *
 * Which operations.  Puts, messages, check-ins, waits, atomic operations, reads, lookups,
 * tern_nop().  Broadcasts, remote gets and rendezvous are none: BAD_ARGUMENT.  Memory that a step
 * names must not change until the chain has ended.
 *
 * Room.  A chain is posted whole or not at all.  When a step returns AGAIN, the steps before it are
 * taken back: poll, then begin with the first.  CHAIN_TOO_LONG takes them back as well: more than
 * TERN_CHAIN_STEPS, or more than the queue or its completion queue ever have room for.  After any
 * other error the chain is as it was before that step; post another one, or tern_chain_drop().
 *
 * tern_wait_area() as a step makes the chain wait for check-ins, or, with
 * tern_counter_fills_area(), for a byte counter that reaches zero (tern/counter.h).  So a chain can
 * be there before the event that starts it.  No chain goes on for ever: it waits only for areas
 * that are armed, for the epoch that it names, with a time limit; each operation has a limit
 * anyhow.  A wait without an end completes with CHAIN_TOO_LONG.  Between two steps of a chain other
 * queues have their turns.
 *
 * Errors, threads, ownership, units: as tern.h says.
 */
#ifndef TERN_CHAIN_H
#define TERN_CHAIN_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes back the steps of a chain that is not whole; nothing if there is none. */
void tern_chain_drop(struct tern_sq *sq);

/*
 * Ends what the queue waits for: with CANCELLED, for every queue that waits for that area; and of a
 * chain that runs, steps that have not begun do not happen any more.  `*cancelled` (may be NULL):
 * whether there was anything of either kind; the chain's completion tells how it ended.  A chain
 * that waits for operations posted before it goes on.
 */
int tern_chain_cancel(struct tern_sq *sq, bool *cancelled);

#ifdef __cplusplus
}
#endif

#endif
