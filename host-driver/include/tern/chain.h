/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains: operations that the NIC runs one after the other, each only if the one before succeeded.
 *
 *     tern_compare_swap(sq, lock, 0, me, TERN_LINK, 1);
 *     tern_put(sq, to, region, bytes, n, TERN_LINK, 1);
 *     tern_swap(sq, lock, 0, 0, 1);                       no TERN_LINK: the last step; one doorbell
 *     for all
 *
 * An operation that is posted with TERN_LINK and the next one posted to the queue are steps of one
 * chain. The doorbell for a chain rings when its last step has been posted.
 *
 * A step begins when all earlier steps have ended; the first, when all operations posted before the
 * chain have. If a step fails, later steps do not run. An atomic operation succeeds if the word
 * equals its operand (else UNLIKE, with the old word in `value`), a lookup if it finds its key
 * (else NOT_FOUND), any other operation if it ends with OK. Steps before a failed one are not
 * undone.
 *
 * Completions. A chain completes once: by its last step with OK, or by the first step that failed,
 * with the status and the context of that step. Steps posted with TERN_DFLAG_SIGNAL also complete
 * when they succeed.
 *
 * Allowed steps: puts, messages, check-ins, waits, atomic operations, reads, lookups, tern_nop().
 * Broadcasts, remote gets and rendezvous return BAD_ARGUMENT. Memory that a step names must not
 * change until the chain has ended.
 *
 * Room. A chain is posted whole or not at all. When a step returns AGAIN, the earlier steps are
 * taken back: poll, then begin with the first. CHAIN_TOO_LONG takes them back as well: the chain
 * has more than TERN_CHAIN_STEPS, or more than the queue or its completion queue can ever hold.
 * After any other error the chain is as it was before that step; post another step, or call
 * tern_chain_drop().
 *
 * tern_wait_area() as a step makes the chain wait for check-ins or, with tern_counter_fills_area(),
 * for a byte counter that reaches zero (tern/counter.h). So a program can post a chain before the
 * event that starts it. Every chain ends: it waits only for armed areas, for the epoch that it
 * names, with a time limit, and each operation has its own time limit. A wait without a limit
 * completes with CHAIN_TOO_LONG. Between two steps of a chain the NIC serves other queues.
 *
 * Errors, threads, ownership, units: as tern.h says.
 */
#ifndef TERN_CHAIN_H
#define TERN_CHAIN_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Takes back the steps of an unfinished chain; does nothing if there is none. */
void tern_chain_drop(struct tern_sq *sq);

/*
 * Cancels waits and chains. Every queue that waits for that area ends its wait with CANCELLED; a
 * running chain does not begin its remaining steps. Sets `*cancelled` (may be NULL) to whether
 * there was anything to cancel; the chain's completion tells how it ended. A chain that waits for
 * operations posted before it goes on.
 */
int tern_chain_cancel(struct tern_sq *sq, bool *cancelled);

#ifdef __cplusplus
}
#endif

#endif
