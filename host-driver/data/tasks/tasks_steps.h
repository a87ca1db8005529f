/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The single steps of operations on task queues: functions that post, and functions that handle the
 * completions. Every `_done` function returns BAD_ARGUMENT for another kind of completion, the
 * completion's status if that is not OK, and AGAIN when the send queue has no room for the next
 * step: then call again.
 */
#ifndef TERN_TASKS_STEPS_H
#define TERN_TASKS_STEPS_H

#include <tern/tasks.h>

/* Takes places of a word: completes as TERN_OP_CAS or, without `wanted`, as TERN_OP_TAKE. */
int tern_tpush_post(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                    uint32_t wanted, unsigned flags,
                    uint64_t context);

/*
 * Puts the records and marks them ready. Returns how many. The last operation has `flags` and
 * `context` and completes as TERN_OP_ADD; a put that fails completes before it, as TERN_OP_PUT with
 * `context`. FULL, STALE_POINTER.
 */
int tern_tpush_done(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                    uint32_t wanted,
                    const struct tern_completion *done, const struct tern_region *region,
                        void *places, unsigned flags,
                    uint64_t context);

/*
 * Takes tasks. Returns how many completions follow, 1 or 2, all with `context`; give each to
 * tern_tpop_done().
 */
int tern_tpop_post(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_tpop *pop,
                   uint64_t context);

/* Takes one of these completions. */
void tern_tpop_hear(const struct tern_tasks *tasks, struct tern_tpop *pop,
                    const struct tern_completion *done);

/*
 * Takes one of these completions and posts what follows. 1: another completion is still to come. 0:
 * the tasks `got` are taken. NOT_FOUND, STALE_POINTER.
 */
int tern_tpop_done(struct tern_sq *sq, const struct tern_tasks *tasks,
                   struct tern_holder holder, struct tern_tpop *pop,
                   const struct tern_completion *done, uint64_t context);

/* Posts the end of the task: completes as TERN_OP_CAS. */
int tern_tdone_post(struct tern_sq *sq, const struct tern_tasks *tasks,
                    const struct tern_task *task, unsigned flags,
                    uint64_t context);

/*
 * After that the task is done by this attempt: frees the place, with `flags` and `context`.
 * NOT_OWNER, NOT_TAKEN, STALE_POINTER.
 */
int tern_tdone_done(struct tern_sq *sq, const struct tern_tasks *tasks,
                    const struct tern_task *task,
                    const struct tern_completion *done, unsigned flags, uint64_t context);

/* Posts the renewal of the claim on a task; completes as TERN_OP_CAS.  NOT_OWNER. */
int tern_trenew_post(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_holder holder,
                     const struct tern_task *task, unsigned flags, uint64_t context);
int tern_trenew_done(struct tern_holder holder, struct tern_task *task,
                     const struct tern_completion *done);

/* ---- blocking forms: each runs a prepared operation to its end */
int tern_tpush_run(struct tern_sq *sq, struct tern_tpush *push, int timeout_ms);
int tern_trenew_run(struct tern_sq *sq, struct tern_tdone *renew, int timeout_ms);

#endif
