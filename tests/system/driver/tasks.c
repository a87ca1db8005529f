/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task queue in the memory of one host. Others in a ring of four push tasks, take one or half of
 * them, and finish them: one by one, step by step, late, and dying. tasks_once.c does it all at
 * once.
 */
#include <string.h>

#include <tern/tasks.h>

#include "tasks_rig.h"
#include "tasks_steps.h"

enum { VICTIM_NAME = 90 }; /* name of an owner */

/* ---- one by one ---- */

static void one_task(void)
{
    struct tern_task task, other;
    bool good = push_to(&here, 0, 1, 1) == 1 && ready_now() == 1 && taken_now() == 1;

    tap(good && pop_is(&there, 1, &task) && task.attempt == 1 && ready_now() == 0 &&
            taken_now() == 1,
        "what one node pushes another takes from a third, with its record");
    tap(tern_tpop_wait(&here.worker, &other, 1) == -TERN_ST_NOT_FOUND,
        "a task that somebody runs is not taken by another");
    tap(done_by(&there, &task) == 0 && taken_now() == 0, "when it is done its place is free");
    tap(done_by(&there, &task) == -TERN_ST_NOT_TAKEN && taken_now() == 0, "a task is done once");
    gives(push_to(&here, 0, 2, 1), 1, "tern_tpush_wait");
    good = pop_is(&here, 2, &other) && other.index == task.index &&
           other.generation > task.generation;
    tap(good && done_by(&there, &task) == -TERN_ST_STALE_POINTER,
        "who comes late for a task does not end another one at its place");
    tap(done_by(&here, &other) == 0 && taken_now() == 0, "which is done by who runs it");
}

/* The hints are right as long as no other worker makes tasks ready. */
static void hints(void)
{
    struct tern_worker_counts *counts = &there.worker.counts;
    struct tern_task task;
    unsigned right = 0, wrong;

    gives(push_to(&here, 0, 10, 20), 20, "tern_tpush_wait");
    for (unsigned i = 0; i < 10; i++)
        right += pop_is(&there, 10 + i, &task) && done_by(&there, &task) == 0;
    tap(right == 10 && counts->rereads == 0,
        "records come along with tasks as long as nothing is pushed meanwhile");
    gives(push_to(&here, 0, 30, 1), 1, "tern_tpush_wait");
    wrong = counts->rereads;
    for (unsigned i = 0; i < 11; i++)
        right += tern_tpop_wait(&there.worker, &task, 1) == 1 && done_by(&there, &task) == 0;
    tap(right == 21 && counts->rereads == wrong + 1 && taken_now() == 0,
        "when something was pushed the next record is read behind, and then they come along again");
    tap_evidence("B7.21", "right=%u reread=%u", right - counts->rereads, counts->rereads);
}

/* The expected place has been reused for another task. */
static void used_again(void)
{
    struct tern_worker_counts *counts = &there.worker.counts;
    struct tern_task first, task;
    uint32_t before;
    bool good;

    tern_worker_init(&here.worker); /* forgets the hints, so that the next pushes get the lowest
                                     * places */
    gives(push_to(&here, 0, 40, 3), 3, "tern_tpush_wait");
    good = pop_is(&there, 40, &first) && pop_is(&here, 41, &task) && done_by(&here, &task) == 0 &&
           push_to(&here, 0, 43, 1) == 1;
    before = counts->rereads;
    good = good && pop_is(&there, 43, &task) && counts->rereads == before + 1 &&
           done_by(&there, &task) == 0;
    tap(good && pop_is(&there, 42, &task) && counts->rereads == before + 1 &&
            done_by(&there, &task) == 0 && done_by(&there, &first) == 0 && taken_now() == 0,
        "a record that came along is not believed when its place may have got another task");
}

static void full_and_empty(void)
{
    struct tern_task tasks[TERN_BLOCK_SLABS];
    unsigned done = 0;
    int count;

    tap(push_to(&here, 1, 100, PLACES + 5) == PLACES && ready_now() == PLACES,
        "a queue takes as many tasks as it has places");
    tap(push_to(&there, 1, 1, 1) == -TERN_ST_FULL && push_to(&there, 1, 1, 3) == -TERN_ST_FULL &&
            ready_now() == PLACES && taken_now() == PLACES,
        "when it is full that is told, and nothing changes");
    tap(push_to(&there, 0, 1, 1) == 1 && pop_is(&there, 1, &tasks[0]) &&
            done_by(&there, &tasks[0]) == 0,
        "another priority has places of its own, and is served first");
    while ((count = tern_tpop_wait(&here.worker, tasks, TERN_BLOCK_SLABS)) > 0)
        for (int i = 0; i < count; i++)
            done += done_by(&here, &tasks[i]) == 0;
    tap(done == PLACES && count == -TERN_ST_NOT_FOUND && taken_now() == 0,
        "when it is empty that is told");
}

static void halves(void)
{
    struct tern_task tasks[TERN_BLOCK_SLABS];
    uint64_t ids = 0;
    bool good = true;
    int first, left = TERN_BLOCK_SLABS, most;

    gives(push_to(&here, 0, 0, TERN_BLOCK_SLABS), TERN_BLOCK_SLABS, "tern_tpush_wait");
    first = tern_tpop_wait(&there.worker, tasks, TERN_BLOCK_SLABS);
    tap(first == TERN_BLOCK_SLABS / 2 && ready_now() == TERN_BLOCK_SLABS / 2,
        "half of the tasks are taken at once");
    for (most = first; most > 0 && good;
         most = left > 0 ? tern_tpop_wait(&there.worker, tasks, 5) : 0) {
        good = most <= 5 || most == first;
        for (int i = 0; i < most; i++) {
            struct record record;

            memcpy(&record, tasks[i].record, sizeof(record));
            good = good && is_record(&record, record.id) && !(ids >> record.id & 1);
            ids |= UINT64_C(1) << record.id;
            left -= done_by(&there, &tasks[i]) == 0;
        }
    }
    tap(good && left == 0 && ids == UINT32_MAX && taken_now() == 0,
        "and so the rest, at most as many as wanted: each of them once");
}

static void done_and_next(void)
{
    struct tern_task task;
    int done = -1, count = 0;

    gives(push_to(&here, 0, 50, 6), 6, "tern_tpush_wait");
    gives(tern_tpop_wait(&there.worker, &task, 1), 1, "tern_tpop_wait");
    while (is_record(task.record, (uint32_t)(50 + count)) &&
           tern_tnext_wait(&there.worker, &task, &done) == 1 && done == 0)
        count++;
    settle(&there);
    tap(count == 5 && done == 0 && taken_now() == 0,
        "a task is done and the next one taken in one exchange");
    count = tern_tnext_wait(&there.worker, &task, &done);
    tap(count == -TERN_ST_NOT_FOUND && done == -TERN_ST_NOT_TAKEN,
        "of an exchange that fails twice both are told");
}

/* ---- single steps ---- */

static int stolen_by(struct end *end, struct tern_tpop *pop, bool *far)
{
    struct tern_worker *w = &end->worker;
    int status = tern_tpop_post(w->sq, &w->tasks, pop, 5);

    *far = status == 1;
    for (status = 1; status == 1;) {
        struct tern_completion done = next(w);

        status = tern_tpop_done(w->sq, &w->tasks, w->holder, pop, &done, 5);
    }
    return status;
}

static void in_steps(void)
{
    const uint32_t wanted = 0x00f0f00f;
    struct tern_worker *w = &here.worker;
    struct tern_tpop pop = {.word = 2,
                            .wanted = wanted,
                            .hint = UINT64_MAX,
                            .region = w->region,
                            .landing = here.scratch};
    struct record *places = (void *)(here.scratch + SCRATCH / 16);
    struct tern_completion done;
    struct tern_task task;
    unsigned wrong = 0, count = 0;
    bool far, good;

    for (unsigned i = 0; i < 12; i++) {
        struct record record = record_of(i);

        memcpy((uint8_t *)places + (size_t)i * PLACE + 8, &record, sizeof(record));
    }
    gives(tern_tasks_place_bytes(&queue) == PLACE && tern_tasks_words(&queue) == WORDS, true,
          "sizes");
    gives(tern_tpush_post(w->sq, &queue, 2, wanted, 0, 7), 0, "tern_tpush");
    done = next(w);
    good = tern_tpush_done(w->sq, &queue, 2, wanted, &done, w->region, places, 0, 8) == 12;
    done = next(w);
    tap(good && done.context == 8 && done.status == TERN_ST_OK && ready_now() == 12,
        "tasks are pushed into places that one names");
    good = stolen_by(&here, &pop, &far) == 0 && far && pop.reread && pop.got == wanted &&
           pop.hint << 32 == ~UINT64_C(0) << 32;
    for (; tern_tpop_next(&queue, &pop, &task); count++) {
        wrong += !is_record(task.record, count) || task.attempt != 1;
        gives(tern_tdone_post(w->sq, &queue, &task, 0, 6), 0, "tern_tdone");
        done = next(w);
        wrong += tern_tdone_done(w->sq, &queue, &task, &done, 0, 0) != 0;
    }
    tap(good && count == 12 && wrong == 0 && taken_now() == 0,
        "and taken and done one step after the other, without any hint");
}

static void bad_arguments(void)
{
    static uint64_t memory[BYTES / 8] __attribute__((aligned(64)));
    const struct tern_completion refused = {.status = TERN_ST_BAD_KEY, .opcode = TERN_OP_TAKE},
                                 refused_cas = {.status = TERN_ST_BAD_KEY, .opcode = TERN_OP_CAS};
    struct tern_worker *w = &here.worker;
    struct tern_tasks odd = queue, large = queue, none = queue;
    struct tern_tpop beyond = {.word = WORDS}, pop = {.missing = 1};
    struct tern_task task = {.index = PRIORITIES * PLACES}, some = {.attempt = 1};
    struct tern_worker nobody = *w;

    nobody.holder.owner = 0;
    odd.record_bytes = 12;
    large.record_bytes = TERN_TASK_BYTES_MAX;
    none.places = 0;
    tap(tern_tasks_format(memory + 1, BYTES - 8, &queue) == -TERN_ST_BAD_ALIGN &&
            tern_tasks_format(memory, BYTES, &odd) == -TERN_ST_BAD_SIZE &&
            tern_tasks_format(memory, BYTES, &large) == -TERN_ST_BAD_SIZE &&
            tern_tasks_format(memory, BYTES, &none) == -TERN_ST_BAD_ARGUMENT &&
            tern_tasks_format(memory, tern_tasks_bytes(&queue) - 1, &queue) == -TERN_ST_NO_MEMORY &&
            tern_tasks_format(memory, tern_tasks_bytes(&queue), &queue) == 0,
        "memory that no queue can be made of is refused");
    tap(tern_tpush_post(w->sq, &queue, WORDS, 0, 0, 1) == -TERN_ST_BAD_RANGE &&
            tern_tpop_post(w->sq, &queue, &beyond, 1) == -TERN_ST_BAD_RANGE &&
            tern_tdone_post(w->sq, &queue, &task, 0, 1) == -TERN_ST_BAD_RANGE &&
            tern_trenew_post(w->sq, &queue, w->holder, &task, 0, 1) == -TERN_ST_BAD_RANGE &&
            push_to(&here, PRIORITIES, 1, 1) == -TERN_ST_BAD_RANGE,
        "words, places and priorities that are none are refused at the door");
    tap(tern_tpush_done(w->sq, &queue, 0, 0, &refused, w->region, here.scratch, 0, 1) ==
                -TERN_ST_BAD_KEY &&
            tern_tpush_done(w->sq, &queue, 0, 0, &refused_cas, w->region, here.scratch, 0, 1) ==
                -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_done(w->sq, &queue, (struct tern_holder){0, 1}, &pop, &refused, 1) ==
                -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_wait(&nobody, &some, 1) == -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_done(w->sq, &queue, w->holder, &pop, &refused, 1) == -TERN_ST_BAD_KEY &&
            tern_tdone_done(w->sq, &queue, &some, &refused_cas, 0, 0) == -TERN_ST_BAD_KEY &&
            tern_tdone_done(w->sq, &queue, &some, &refused, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
            tern_trenew_done(w->holder, &some, &refused_cas) == -TERN_ST_BAD_KEY &&
            tern_trenew_done(w->holder, &some, &refused) == -TERN_ST_BAD_ARGUMENT &&
            ready_now() == 0 && taken_now() == 0,
        "what was refused pushes, takes and ends no task");
}

/* The same worker, with a wrong description of the queue. */
static void other_queues(void)
{
    struct tern_tasks right = here.worker.tasks, *tasks = &here.worker.tasks;
    struct tern_task task, none;
    bool good;

    gives(push_to(&there, 0, 3, 1), 1, "tern_tpush_wait");
    tasks->life++;
    good = push_to(&here, 0, 1, 1) == -TERN_ST_STALE_POINTER &&
           push_to(&here, 0, 1, 2) == -TERN_ST_STALE_POINTER &&
           tern_tpop_wait(&here.worker, &none, 1) == -TERN_ST_STALE_POINTER &&
           tern_tpop_wait(&here.worker, &none, 9) == -TERN_ST_STALE_POINTER;
    *tasks = right;
    tap(good && ready_now() == 1 && taken_now() == 1,
        "who takes a queue for one of another life pushes and takes nothing");
    gives(pop_is(&there, 3, &task), true, "the task");
    TERN_SET(RPTR, key, tasks->start.w, TERN_GET(RPTR, key, tasks->start.w) ^ 0x10000);
    good = push_to(&here, 0, 1, 1) == -TERN_ST_BAD_KEY &&
           tern_tpop_wait(&here.worker, &none, 1) == -TERN_ST_BAD_KEY &&
           done_by(&here, &task) == -TERN_ST_BAD_KEY &&
           tern_trenew_wait(&here.worker, &task) == -TERN_ST_BAD_KEY;
    *tasks = right;
    tern_worker_init(&here.worker);
    tap(good && taken_now() == 1 && done_by(&there, &task) == 0,
        "with a wrong key nothing is pushed, taken or done");
}

/* ---- leases ---- */

static void leases(void)
{
    struct tern_task kept, lost, again;
    struct tern_completion done;
    struct tern_tdone renew;
    bool good;

    gives(tern_tasks_seen(&queue) == sizeof(seen) / sizeof(seen[0]), true, "tern_tasks_seen");
    gives(push_to(&here, 0, 60, 3), 3, "tern_tpush_wait");
    gives(pop_is(&there, 60, &kept) && pop_is(&there, 61, &lost), true, "two tasks");
    good = sweep() == 0 && tern_trenew_wait(&there.worker, &kept) == 0;
    tap(good && sweep() == 1 && ready_now() == 2,
        "a task that is not renewed for a lease is ready again, one that is is not, nor one that "
        "nobody has taken");
    good = pop_is(&here, 61, &again) && again.index == lost.index && again.attempt == 2;
    tap(good && done_by(&there, &lost) == -TERN_ST_NOT_OWNER && taken_now() == 3,
        "who comes late for a task that was taken away is refused");
    tap(tern_trenew_wait(&there.worker, &lost) == -TERN_ST_NOT_OWNER &&
            done_by(&here, &again) == 0 && done_by(&there, &lost) == -TERN_ST_NOT_TAKEN,
        "and cannot renew it; the one who has it now does it");
    good = true;
    for (unsigned i = 0; i < 3; i++)
        good = good && tern_trenew_wait(&there.worker, &kept) == 0 && sweep() == 0;
    renew = (struct tern_tdone){.tasks = &queue, .holder = there.worker.holder, .task = kept};
    gives(tern_trenew(there.worker.sq, &renew, 13), 0, "tern_trenew");
    done = next(&there.worker);
    tap(good && done.status == TERN_ST_OK && done.opcode == TERN_OP_CAS && done.context == 13 &&
            sweep() == 0,
        "a renewal that is posted completes once, with its context, and counts");
    kept = renew.task;
    tap(good && done_by(&there, &kept) == 0, "who renews keeps its task for as long as it takes");
    gives(pop_is(&here, 62, &again) && done_by(&here, &again) == 0, true, "the third");
}

/* A client died in the middle: after taking a place, or after taking a task. */
static void half_done(void)
{
    struct tern_worker *w = &there.worker;
    struct tern_tpop pop = {
        .word = 0, .hint = UINT64_MAX, .region = w->region, .landing = there.scratch};
    struct tern_task task;
    bool good;

    sweep_anew();
    gives(tern_tpush_post(w->sq, &queue, 1, 0, 0, 7), 0, "tern_tpush");
    (void)next(w);
    gives(push_to(&here, 0, 70, 1), 1, "tern_tpush_wait");
    gives(tern_tpop_post(w->sq, &queue, &pop, 7), 1, "tern_tpop");
    (void)next(w);
    good = taken_now() == 2 && ready_now() == 0 && tern_tasks_recover(&here.worker, copy,
        w->holder) == 0;
    good = sweep() == 0 && sweep() == 0 && good;
    for (unsigned i = 0; i < 4; i++)
        good = sweep_but(THERE) == 0 && good;
    tap(good && sweep() == 2 && taken_now() == 1 && ready_now() == 1 && sweep() == 0,
        "a task that was taken by no known worker is ready at the third look, two grace periods "
            "later, and a place free that was taken for no task");
    gives(pop_is(&here, 70, &task) && task.attempt == 2 && done_by(&here, &task) == 0, true,
          "the task");
}

/*
 * One client is stopped in the middle of a push, and one in the middle of ending a task; both go on
 * later.
 */
static void paused(void)
{
    struct tern_worker *w = &there.worker;
    uint64_t *place = there.scratch + SCRATCH / 16;
    struct tern_completion taken, ended;
    struct tern_task task, mine;
    int swept = 0;

    sweep_anew();
    gives(push_to(&here, 0, 81, 1), 1, "tern_tpush_wait");
    gives(pop_is(&there, 81, &mine), true, "a task");
    gives(tern_tdone_post(w->sq, &queue, &mine, 0, 6), 0, "tern_tdone");
    ended = next(w);
    gives(tern_tpush_post(w->sq, &queue, 0, 0, 0, 7), 0, "tern_tpush");
    taken = next(w);
    for (unsigned i = 0; i < 8; i++)
        swept += sweep_but(THERE);
    gives(push_to(&here, 0, 82, 1), 1, "tern_tpush_wait");
    gives(tern_tdone_done(w->sq, &queue, &mine, &ended, 0, 0), 0, "tern_tdone_done");
    *(struct record *)(void *)(place + 1) = record_of(83);
    gives(tern_tpush_done(w->sq, &queue, 0, 0, &taken, w->region, place, 0, 8), 1,
        "tern_tpush_done");
    (void)next(w);
    tap(swept == 0 && taken_now() == 2 && ready_now() == 2,
        "a client that was stopped in the middle of a push or of the end of a task goes on, and "
        "no other has its place");
    for (unsigned i = 0; i < 2; i++)
        gives(tern_tpop_wait(&here.worker, &task, 1) == 1 && done_by(&here, &task) == 0, true,
            "a task");
    tap(taken_now() == 0, "and both tasks are there once");
}

/* The ready bit of a place is set, but the place has no task. */
static void push_failed(void)
{
    struct tern_worker *w = &here.worker;
    struct tern_completion done;
    struct tern_task none;
    bool good;

    sweep_anew();
    gives(tern_tpush_post(w->sq, &queue, 0, 0, 0, 7), 0, "tern_tpush");
    done = next(w);
    gives(tern_tpush_done(w->sq, &queue, 0, 0, &done, copy_region, here.scratch, 0, 8), 1,
          "tern_tpush_done");
    done = next(w);
    good = done.opcode == TERN_OP_PUT && done.context == 8 && done.status == TERN_ST_BAD_RIGHTS;
    good = good && next(w).opcode == TERN_OP_ADD && ready_now() == 1 && sweep() == 0 &&
           sweep() == 0;
    tap(good && tern_tpop_wait(&there.worker, &none, 1) == -TERN_ST_NOT_FOUND && ready_now() == 0,
        "a task whose record could not be put is told of, and nobody gets it");
    tap(taken_now() == 1 && sweep() == 0 && sweep() == 0 && sweep() == 1 && taken_now() == 0,
        "and its place is free two grace periods later");
}

static void stealing(const void *arg, int in, int out)
{
    static struct end end;
    struct tern_task tasks[TERN_BLOCK_SLABS];
    int count;
    char word;

    open_end(&end, arg, 3, (struct tern_holder){VICTIM_NAME, 1});
    count = tern_tpop_wait(&end.worker, tasks, TERN_BLOCK_SLABS);
    settle(&end);
    (void)give(out, &count, sizeof(count));
    (void)give(out, tasks, sizeof(tasks));
    (void)get(in, &word, 1);
}

static void worker_killed(const struct rig *rig)
{
    struct tern_task stolen[TERN_BLOCK_SLABS], task;
    struct child child;
    unsigned again = 0, refused = 0, done = 0;
    int count = 0;

    gives(push_to(&here, 0, 200, 20), 20, "tern_tpush_wait");
    child = child_start(stealing, rig);
    gives(get(child.from, &count, sizeof(count)) && get(child.from, stolen, sizeof(stolen)), true,
          "the victim");
    child_kill(&child);
    tap(count == 10 && recovered(VICTIM_NAME, 2) == 0 && recovered(VICTIM_NAME + 1, 1) == 0 &&
            ready_now() == 10,
        "tasks of those who live are left alone");
    tap(recovered(VICTIM_NAME, 1) == 10 && ready_now() == 20 && recovered(VICTIM_NAME, 1) == 0,
        "all tasks of one that was killed while it ran them are ready again");
    for (int i = 0; i < count; i++)
        refused += done_by(&there, &stolen[i]) == -TERN_ST_NOT_OWNER;
    while (tern_tpop_wait(&there.worker, &task, 1) == 1) {
        again += task.attempt == 2;
        done += done_by(&there, &task) == 0;
    }
    tap(refused == 10 && again == 10 && done == 20 && taken_now() == 0,
        "what it would have said late is refused, and others do them");
    tap_evidence("B7.22", "recovered=%u refused=%u", again, refused);
}

static void keeper_killed(void)
{
    struct tern_task task;
    int status;

    child_kill(&keeper);
    status = tern_tpop_wait(&here.worker, &task, 1);
    tap(status < 0 && status != -TERN_ST_NOT_FOUND, "nothing is taken from a host that was killed");
    tap_note("it ends with %s", tern_strerror(status));
}

int main(void)
{
    struct rig rig;

    tasks_start(&rig);
    one_task();
    hints();
    used_again();
    full_and_empty();
    halves();
    done_and_next();
    in_steps();
    bad_arguments();
    other_queues();
    leases();
    half_done();
    paused();
    push_failed();
    worker_killed(&rig);
    keeper_killed();
    tasks_stop(&rig);
    return tap_end();
}
