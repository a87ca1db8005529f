/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Grace periods: how the owner of memory learns that each of its members has ended all that it had
 * begun before a certain moment, so that memory which looked unused then is unused.  No step
 * depends on time: a member may pause between any two operations for as long as it likes.
 *
 * Members: the processes that change the memory from afar.  The owner keeps a list of them; each
 * has a place in it and a quiescent number, which it raises itself, for example by a put into a
 * word of the owner's.  Three promises make a grace period sound:
 *   A member publishes number n + 1 only after every operation that it began before it published n
 *   has ended, on all its queues, and the put of n has ended.  An operation of several steps, such
 *   as tern_balloc(), ends as a whole, with the puts that no step waits for: TERN_DFLAG_FENCE at
 *   the put of the number.  After an operation that ended with TIMEOUT, LINK_DOWN or WAIT_EXPIRED
 *   the member publishes no more: it leaves, and joins anew.
 *   A member that makes no progress stays in the list until it was fenced and drained: its key was
 *   released, and an atomic operation of the owner through the same NIC ended after that.
 *   A member that joins again has another epoch.
 *
 * A sweep looks at words of the memory first, and at the members' numbers last.  The period of that
 * look is over when each member that was in the list has raised its number by two, or has left.
 * One is not enough: number n may be on its way while the operations after it are begun.
 *
 * Errors, threads, ownership, units: as tern.h says.  A grace belongs to one thread.
 */
#ifndef TERN_GRACE_H
#define TERN_GRACE_H

#include <tern/tern.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In whose name: `owner` is not 0; each life of an owner has an epoch of its own. */
struct tern_holder {
    uint16_t owner, epoch;
};

/* A member, as the owner's list says it now; owner 0: there is none at this place. */
struct tern_pace {
    struct tern_holder holder;
    uint32_t number; /* that it published last */
};

/* The list of members.  The owner fills this in; the functions do not wait. */
struct tern_progress {
    unsigned places;
    struct tern_pace (*pace)(void *of, unsigned place);
    /* Whether a holder that is no member may own memory, such as a service.  NULL: none may. */
    bool (*knows)(void *of, struct tern_holder holder);
    void *of;
};

/* The grace periods of one sweep. */
struct tern_grace {
    struct tern_progress progress;
    struct tern_pace *marks; /* of the caller: room for one at each place */

    bool begun; /* library; at first false */
};

/*
 * Whether the period since the last look is over, or there was no look yet: then the next look may
 * begin.
 */
bool tern_grace_is_over(struct tern_grace *grace);

/* Ends a look: the words of the memory have been read.  A period begins. */
void tern_grace_begin(struct tern_grace *grace);

/* Whether `holder` is a member now, or one that tern_progress.knows() knows. */
bool tern_grace_knows(const struct tern_grace *grace, struct tern_holder holder);

#ifdef __cplusplus
}
#endif

#endif
