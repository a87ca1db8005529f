/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues in the memory of one node: every node pushes tasks there and takes them away, one or half of them at once,
 * and says when they are done.  All of it is atomic operations, puts and reads that the NIC there carries out; its host
 * takes no part.
 *
 * A queue has places for tasks, in groups of TERN_BLOCK_SLABS, which are called words here as each has a map word that says
 * which places are free, and one that says which tasks are ready.  A priority has words of its own; 0 is looked at first.
 *
 * A task is a record of a fixed size, which the queue does not look into.  It is ready, or somebody runs it: that is one
 * bit of a word, so taking tasks is one operation however many they are, never in vain because others were quicker, and no
 * task is taken by two.  Who takes a task makes an attempt at it; the attempt has a number.
 *
 * At most one attempt is the one that did the task: tern_tdone() compares the attempt and changes it in one operation.  Who
 * runs a task writes what comes of it where only this attempt does, and lets others know when tern_tdone_done() has said 0.
 *
 * Who dies: its tasks are found by claim words (tern_tasks_recover()), or by their not being renewed for a lease
 * (tern_tasks_sweep()); they become ready again, for another attempt.  A late tern_tdone() of the attempt before is
 * refused, however late it comes.  So a task is done once, and run at least once.  Only between two steps of pushing, and
 * from a good tern_tdone() to tern_tdone_done(), nobody may be held up for longer than a lease: its place may have been
 * given to somebody else.
 *
 * The node whose memory it is: when it dies its tasks are gone.
 *
 * Errors, threads, ownership, units: as tern.h says.  The queue's region has TERN_RIGHT_REMOTE_ATOMIC,
 * TERN_RIGHT_REMOTE_WRITE and TERN_RIGHT_REMOTE_READ.
 */
#ifndef TERN_TASKS_H
#define TERN_TASKS_H

#include <tern/slabs.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What everybody knows of a queue. */
struct tern_tasks {
    struct tern_rptr start; /* tern_region_pointer(region, 0) of who has it */
    uint32_t priorities;
    uint32_t places;        /* of each priority */
    uint32_t record_bytes;
    uint8_t life;
};

/* ---- who has the memory ---------------------------------------------------------------------- */

/*
 * Makes an empty queue, as `tasks` says but for its start, of the `bytes` at `memory`, a multiple of 64.  The caller
 * registers them as one region and fills in `tasks->start`.  Memory that is made anew has the next life.  BAD_ALIGN;
 * BAD_SIZE when records are no multiple of 8, or a place is larger than TERN_TASK_BYTES_MAX; BAD_ARGUMENT without places or
 * priorities; NO_MEMORY when it does not fit.
 */
int tern_tasks_format(void *memory, size_t bytes, const struct tern_tasks *tasks);

/* Bytes of it all; of a place, which are those of a record and 8; words of each priority, and of all. */
size_t tern_tasks_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_place_bytes(const struct tern_tasks *tasks);
uint32_t tern_tasks_words(const struct tern_tasks *tasks);

/* ---- pushing ---------------------------------------------------------------------------------- */

/*
 * Takes places of word `word`: those of the set `wanted`, bits of the word, that are free; with no set, the lowest that is
 * free.  Returns AGAIN like tern_put(), BAD_RANGE when there is no such word.  Completes as TERN_OP_CAS, with no set as
 * TERN_OP_TAKE, always; the rest is for tern_tpush_done().
 */
int tern_tpush(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word, uint32_t wanted, unsigned flags,
               uint64_t context);

/*
 * What came of it: as many tasks are pushed as places were got.  Their records stand at `places` in `region`, which may be
 * read, one for each place wanted, in the form of a place: 8 bytes of the library's, then the record.  They stay as they
 * are until the last operation, which has `flags` and `context`, completes as TERN_OP_ADD; then, if it is well, the tasks
 * are ready.  A put that failed completes before it, as TERN_OP_PUT with `context`; its place is then taken for none and
 * freed by tern_tasks_sweep(). Returns how many.  FULL: no place was free; STALE_POINTER: the queue is of another life; the
 * completion's status if it is not OK; BAD_ARGUMENT for another completion.  AGAIN: places are taken, but the send queue
 * has no room for an operation each and one more: call again.
 */
int tern_tpush_done(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word, uint32_t wanted,
                    const struct tern_completion *done, const struct tern_region *region, void *places, unsigned flags,
                    uint64_t context);

/* ---- taking ----------------------------------------------------------------------------------- */

struct tern_task {
    uint32_t index, generation;
    uint16_t attempt;
    uint8_t renewals;
    const void *record; /* where it was brought */
};

/*
 * Tasks that are being taken: the caller fills in the first part and leaves the second to the library.  The hint is the map
 * word of ready tasks as it was seen last, whenever and however that was; all ones if never.  When it is right the records
 * are read along with the taking, in one round trip; else behind it, in two.
 */
struct tern_tpop {
    uint32_t word;
    uint32_t wanted; /* bits: those of them that are ready; none: the lowest that is */
    uint64_t hint; /* kept up to date by tern_tpop_done() */
    const struct tern_region *region; /* may be written from afar */
    void *landing;   /* room for TERN_BLOCK_SLABS places of tern_tasks_place_bytes() */

    uint32_t got; /* bits: the tasks that one has */
    bool reread;  /* the hint was wrong */
    uint32_t guess;
    int status;
    uint8_t missing;
};

/*
 * Takes tasks.  Returns how many completions follow, 1 or 2, all with `context`; AGAIN like tern_put(), BAD_RANGE when
 * there is no such word. Each of them is for tern_tpop_done().
 */
int tern_tpop(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_tpop *pop, uint64_t context);

/*
 * What came of it.  1: another completion is still to come.  0: one has the tasks `got`, and puts that say so have been
 * posted. NOT_FOUND: none of them was ready.  STALE_POINTER: the queue is of another life; a completion's status if it is
 * not OK; BAD_ARGUMENT for another completion, or no owner.  AGAIN: the send queue has no room for another TERN_BLOCK_SLABS
 * / 2 operations: call again.
 */
int tern_tpop_done(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_holder holder, struct tern_tpop *pop,
                   const struct tern_completion *done, uint64_t context);

/* Of `got` the one with the lowest bit, which is taken off.  False when there is none. */
bool tern_tpop_next(const struct tern_tasks *tasks, struct tern_tpop *pop, struct tern_task *task);

/* ---- running ---------------------------------------------------------------------------------- */

/*
 * The task is done, first half: from here on it cannot be done by anybody.  What came of it has to be there already: with
 * TERN_DFLAG_FENCE what was posted to this queue before is.  Returns AGAIN like tern_put(), BAD_RANGE when there is
 * no such task.  Completes as TERN_OP_CAS, always; the rest is for tern_tdone_done().
 */
int tern_tdone(struct tern_sq *sq, const struct tern_tasks *tasks, const struct tern_task *task, unsigned flags,
               uint64_t context);

/*
 * The second half: this attempt has done the task, and the operation that frees its place is posted with `flags` and
 * `context`; it completes as TERN_OP_ADD.  It has not, nothing has changed and nothing is posted with NOT_OWNER: the task
 * was taken away for another attempt; NOT_TAKEN: it has been done; STALE_POINTER: the place has another task, or never had
 * this one; the completion's status if it is not OK; BAD_ARGUMENT for another completion.  AGAIN: the send queue has no
 * room: call again.
 */
int tern_tdone_done(struct tern_sq *sq, const struct tern_tasks *tasks, const struct tern_task *task,
                    const struct tern_completion *done, unsigned flags, uint64_t context);

/*
 * Says that the task is still being run, more often than once a lease.  Completes as TERN_OP_CAS; tern_trenew_done() says
 * NOT_OWNER if somebody else runs it by now.
 */
int tern_trenew(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_holder holder, const struct tern_task *task,
                unsigned flags, uint64_t context);
int tern_trenew_done(struct tern_holder holder, struct tern_task *task, const struct tern_completion *done);

/* ---- the same, waiting ------------------------------------------------------------------------ */

/*
 * For who does one thing after the other: queues that serve nothing else meanwhile, with room for 64 operations.  After
 * WAIT_EXPIRED it is no good any more.
 */
struct tern_worker {
    struct tern_tasks tasks;
    struct tern_holder holder;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int timeout_ms; /* of each answer, -1: for ever */
    const struct tern_region *region; /* may be read, and written from afar; holds the scratch */
    void *scratch;  /* tern_worker_bytes() of the caller's, a multiple of 64, set up by tern_worker_init() */
    struct tern_worker_counts {
        uint32_t pops;    /* operations that took tasks, or found none */
        uint32_t tasks;   /* taken */
        uint32_t rereads; /* of these operations, those that had to read records behind */
        uint32_t looks;   /* at all words, when none was known to have a task */
    } counts;
};

size_t tern_worker_bytes(const struct tern_tasks *tasks);
void tern_worker_init(struct tern_worker *worker);

/*
 * Pushes `count` tasks of one priority, whose records follow each other.  Returns how many: fewer when the queue is full.
 * BAD_RANGE when there is no such priority; FULL: none; otherwise as tern_tpush_done(); WAIT_EXPIRED.
 */
int tern_tpush_wait(struct tern_worker *worker, uint32_t priority, const void *records, unsigned count);

/*
 * Takes a task, or with `most` above 1 half of those of a word, at most so many; of the first priority that has some, as
 * far as is known.  Returns how many.  Their records stay until the next call.  NOT_FOUND: no task is ready; otherwise as
 * tern_tpop_done(); WAIT_EXPIRED.
 */
int tern_tpop_wait(struct tern_worker *worker, struct tern_task *tasks, unsigned most);

/* As tern_tdone_done(), and as tern_trenew_done(); WAIT_EXPIRED. */
int tern_tdone_wait(struct tern_worker *worker, const struct tern_task *task);
int tern_trenew_wait(struct tern_worker *worker, struct tern_task *task);

/*
 * Both in one exchange: `task` is done, which ends as `*done` says, as with tern_tdone_wait(); and is another one
 * afterwards, if 1 is returned, as by tern_tpop_wait().
 */
int tern_tnext_wait(struct tern_worker *worker, struct tern_task *task, int *done);

/* ---- those that nobody does ------------------------------------------------------------------- */

/*
 * Makes the tasks ready again that `dead` ran.  `memory` is all of the queue, as who has it sees it, or a copy that was
 * read from afar: what has changed since is left alone.  Returns how many.
 */
int tern_tasks_recover(struct tern_worker *worker, const void *memory, struct tern_holder dead);

/*
 * Makes the tasks ready again that somebody has run since the last call with the same `seen` and not renewed, and frees
 * places that have been nobody's since, in words where no place was freed meanwhile.  To be called a lease apart, with
 * tern_tasks_seen() words in `seen`, at first 0.  Returns how many of both.
 */
int tern_tasks_sweep(struct tern_worker *worker, const void *memory, uint64_t *seen);
size_t tern_tasks_seen(const struct tern_tasks *tasks);

#ifdef __cplusplus
}
#endif

#endif
