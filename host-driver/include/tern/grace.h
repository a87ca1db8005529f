/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grace periods tell the owner of shared memory when every member has ended all operations that it
 * had begun before a certain moment. Memory that was unused at that moment is then safe to reuse.
 * No step depends on time: a member may pause between any two operations for as long as it likes.
 *
 * Members are the processes that change the memory through their NICs. The owner keeps a list of
 * them. Each has a place in the list and a quiescent number, which the member raises itself, for
 * example by a put to a word of the owner. Three promises make a grace period sound:
 * - A member publishes number n + 1 only after the put of n has ended, and all operations that it
 *   began before publishing n, on all its queues.  An operation of several steps, such as
 *   tern_balloc(), has ended when its puts without a completion have: so the put of the number
 *   carries TERN_DFLAG_FENCE.
 * - After an operation that ended with TIMEOUT, LINK_DOWN or WAIT_EXPIRED the member publishes no
 *   more numbers: it leaves, and joins anew.
 * - A member that makes no progress stays in the list until it was fenced and drained: the owner
 *   released its key, and then completed an atomic operation through the same NIC.
 * A member that joins again has another epoch.
 *
 * A sweep reads the words of the memory first, and the members' numbers last. Its grace period is
 * over when each member of that list has raised its number by three, or has left. Raising it by
 * fewer is not enough: number n may be in flight while the member begins later operations, and the
 * put of n + 1 does not wait for those.
 *
 * Errors, threads, ownership, units: as tern.h says.  A grace belongs to one thread.
 */
#ifndef TERN_GRACE_H
#define TERN_GRACE_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of a holder: `owner` is not 0; each restart of an owner has an epoch of its own. */
struct tern_holder {
    uint16_t owner, epoch;
};

/* A member, as the owner's list has it now; owner 0: the place is empty. */
struct tern_pace {
    struct tern_holder holder;
    uint32_t number; /* the last one that it published */
};

/* The list of members.  The owner fills this in; the functions do not wait. */
struct tern_progress {
    unsigned places;
    struct tern_pace (*pace)(void *of, unsigned place);
    /* Returns whether a holder that is not a member, such as a service, may own memory. NULL: none
     * may. */
    bool (*knows)(void *of, struct tern_holder holder);
    void *of;
};

/* The grace periods of one sweep. */
struct tern_grace {
    struct tern_progress progress;
    struct tern_pace *marks; /* the caller's, with one entry per place */

    bool begun; /* library; at first false */
};

/*
 * Returns whether the period since the last look is over, or there was no look yet: then the next
 * look may begin.
 */
bool tern_grace_is_over(struct tern_grace *grace);

/* Ends a look, after the caller has read the words of the memory, and begins a period. */
void tern_grace_begin(struct tern_grace *grace);

/* Returns whether `holder` is a member now, or tern_progress.knows() accepts it. */
bool tern_grace_knows(const struct tern_grace *grace, struct tern_holder holder);

#ifdef __cplusplus
}
#endif

#endif
