/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A task queue in the memory of one host, to which others in a ring of four push, from which they take one or half, and
 * where they say what is done: one by one, eight at once, and many of which some die.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tern/atomic.h>
#include <tern/read.h>
#include <tern/tasks.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    PRIORITIES = 2,
    PLACES = 40, /* of each: a word of 32 and one of 8 */
    WORDS = 4,
    RECORD = 56,
    PLACE = RECORD + 8,
    LIFE = 9,
    BYTES = 8192,
    SCRATCH = 8192,
    CLIENTS = 8,
    EACH = TERN_BLOCK_SLABS / CLIENTS,
    FIRST_NAME = 100, /* of an owner */
    VICTIM_NAME = 90,
    TASKS_MAX = 6000,
    LIVES_MAX = 64, /* of workers of which some die */
    WAIT_MS = 60000, /* a net */
};

struct record {
    uint32_t id, check[RECORD / 4 - 1];
};

static struct tern_tasks queue = {.priorities = PRIORITIES, .places = PLACES, .record_bytes = RECORD, .life = LIFE};

static struct record record_of(uint32_t id)
{
    struct record record = {.id = id};

    for (unsigned i = 0; i < RECORD / 4 - 1; i++)
        record.check[i] = id * 0x9e3779b9u + i;
    return record;
}

static bool is_record(const void *at, uint32_t id)
{
    struct record record = record_of(id);

    return !memcmp(at, &record, sizeof(record));
}

/* ---- whose memory it is ---- */

static void keeping(const void *arg, int in, int out)
{
    static uint64_t memory[BYTES / 8] __attribute__((aligned(64)));
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_region *region;
    char word;

    gives(tern_tasks_format(memory, sizeof(memory), &queue), 0, "tern_tasks_format");
    gives(tern_register(device, memory, sizeof(memory),
                        TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_READ, &region),
          0, "tern_register");
    queue.start = tern_region_pointer(region, 0);
    if (!give(out, &queue, sizeof(queue)))
        return;
    while (get(in, &word, 1) && word != 'q')
        ;
    tern_close(device);
}

/* ---- a worker ---- */

struct end {
    struct tern_device *device;
    struct tern_worker worker;
    uint64_t scratch[SCRATCH / 8] __attribute__((aligned(64)));
};

static void open_end(struct end *end, const struct rig *rig, unsigned node, struct tern_holder holder)
{
    struct tern_worker *w = &end->worker;
    struct tern_region *region;

    end->device = rig_open(rig, node);
    *w = (struct tern_worker){.tasks = queue, .holder = holder, .timeout_ms = WAIT_MS, .scratch = end->scratch};
    gives(tern_worker_bytes(&queue) <= sizeof(end->scratch), true, "tern_worker_bytes");
    gives(tern_cq_create(end->device, 7, 0, &w->cq), 0, "tern_cq_create");
    gives(tern_sq_create(w->cq, 6, &w->sq), 0, "tern_sq_create");
    gives(tern_register(end->device, end->scratch, sizeof(end->scratch), TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    w->region = region;
    tern_worker_init(w);
}

static struct tern_completion next(const struct tern_worker *w)
{
    return next_completion(w->cq, WAIT_MS);
}

static struct end here, there;
static uint64_t copy[BYTES / 8];
static struct tern_region *copy_region;

/* All of the queue, as it is when what was posted here before has ended. */
static void look(void)
{
    struct tern_worker *w = &here.worker;

    gives(tern_read(w->sq, queue.start, copy_region, copy, (uint32_t)tern_tasks_bytes(&queue),
                    TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 9),
          0, "tern_read");
    gives(next(w).status, TERN_ST_OK, "a look at the queue");
}

static unsigned ready_now(void)
{
    unsigned count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += 32 - (unsigned)__builtin_popcount((uint32_t)copy[word]);
    return count;
}

static unsigned taken_now(void)
{
    unsigned count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += (unsigned)__builtin_popcount((uint32_t)copy[WORDS + word]);
    return count - PRIORITIES * (2 * TERN_BLOCK_SLABS - PLACES);
}

static uint32_t freed_so_far(void)
{
    uint64_t count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += copy[WORDS + word] >> (64 - TERN_MAP_frees_BITS);
    return (uint32_t)count;
}

static int push_to(struct end *end, uint32_t priority, uint32_t first, unsigned count)
{
    struct record records[2 * PLACES];

    for (unsigned i = 0; i < count; i++)
        records[i] = record_of(first + i);
    return tern_tpush_wait(&end->worker, priority, records, count);
}

/* One task, which has to be this one. */
static bool pop_is(struct end *end, uint32_t id, struct tern_task *task)
{
    return tern_tpop_wait(&end->worker, task, 1) == 1 && is_record(task->record, id);
}

/* And what nobody is told of has arrived. */
static int done_by(struct end *end, const struct tern_task *task)
{
    int status = tern_tdone_wait(&end->worker, task);

    gives(tern_nop(end->worker.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 9), 0, "tern_nop");
    (void)next(&end->worker);
    return status;
}

/* ---- one by one ---- */

static void one_task(void)
{
    struct tern_task task, other;
    bool good = push_to(&here, 0, 1, 1) == 1 && ready_now() == 1 && taken_now() == 1;

    tap(good && pop_is(&there, 1, &task) && task.attempt == 1 && ready_now() == 0 && taken_now() == 1,
        "what one node pushes another takes from a third, with its record");
    tap(tern_tpop_wait(&here.worker, &other, 1) == -TERN_ST_NOT_FOUND, "a task that somebody runs is not taken by another");
    tap(done_by(&there, &task) == 0 && taken_now() == 0, "when it is done its place is free");
    tap(done_by(&there, &task) == -TERN_ST_NOT_TAKEN && taken_now() == 0, "a task is done once");
    gives(push_to(&here, 0, 2, 1), 1, "tern_tpush_wait");
    good = pop_is(&here, 2, &other) && other.index == task.index && other.generation > task.generation;
    tap(good && done_by(&there, &task) == -TERN_ST_STALE_POINTER,
        "who comes late for a task does not end another one at its place");
    tap(done_by(&here, &other) == 0 && taken_now() == 0, "which is done by who runs it");
}

/* What is known of the words is right as long as nothing is made ready by others. */
static void hints(void)
{
    struct tern_worker_counts *counts = &there.worker.counts;
    struct tern_task task;
    unsigned right = 0, wrong;

    gives(push_to(&here, 0, 10, 20), 20, "tern_tpush_wait");
    for (unsigned i = 0; i < 10; i++)
        right += pop_is(&there, 10 + i, &task) && done_by(&there, &task) == 0;
    tap(right == 10 && counts->rereads == 0, "records come along with tasks as long as nothing is pushed meanwhile");
    gives(push_to(&here, 0, 30, 1), 1, "tern_tpush_wait");
    wrong = counts->rereads;
    for (unsigned i = 0; i < 11; i++)
        right += tern_tpop_wait(&there.worker, &task, 1) == 1 && done_by(&there, &task) == 0;
    tap(right == 21 && counts->rereads == wrong + 1 && taken_now() == 0,
        "when something was pushed the next record is read behind, and then they come along again");
    tap_evidence("B7.21", "right=%u,reread=%u", right - counts->rereads, counts->rereads);
}

/* The place that was guessed, with another task in it. */
static void used_again(void)
{
    struct tern_worker_counts *counts = &there.worker.counts;
    struct tern_task first, task;
    uint32_t before;
    bool good;

    gives(push_to(&here, 0, 40, 3), 3, "tern_tpush_wait");
    good = pop_is(&there, 40, &first) && pop_is(&here, 41, &task) && done_by(&here, &task) == 0 && push_to(&here, 0, 43, 1) == 1;
    before = counts->rereads;
    good = good && pop_is(&there, 43, &task) && counts->rereads == before + 1 && done_by(&there, &task) == 0;
    tap(good && pop_is(&there, 42, &task) && counts->rereads == before + 1 && done_by(&there, &task) == 0 &&
            done_by(&there, &first) == 0 && taken_now() == 0,
        "a record that came along is not believed when its place may have got another task");
}

static void full_and_empty(void)
{
    struct tern_task tasks[TERN_BLOCK_SLABS];
    unsigned done = 0;
    int count;

    tap(push_to(&here, 1, 100, PLACES + 5) == PLACES && ready_now() == PLACES, "a queue takes as many tasks as it has places");
    tap(push_to(&there, 1, 1, 1) == -TERN_ST_FULL && push_to(&there, 1, 1, 3) == -TERN_ST_FULL && ready_now() == PLACES &&
            taken_now() == PLACES,
        "when it is full that is told, and nothing changes");
    tap(push_to(&there, 0, 1, 1) == 1 && pop_is(&there, 1, &tasks[0]) && done_by(&there, &tasks[0]) == 0,
        "another priority has places of its own, and is served first");
    while ((count = tern_tpop_wait(&here.worker, tasks, TERN_BLOCK_SLABS)) > 0)
        for (int i = 0; i < count; i++)
            done += done_by(&here, &tasks[i]) == 0;
    tap(done == PLACES && count == -TERN_ST_NOT_FOUND && taken_now() == 0, "when it is empty that is told");
}

static void halves(void)
{
    struct tern_task tasks[TERN_BLOCK_SLABS];
    uint64_t ids = 0;
    bool good = true;
    int first, left = TERN_BLOCK_SLABS, most;

    gives(push_to(&here, 0, 0, TERN_BLOCK_SLABS), TERN_BLOCK_SLABS, "tern_tpush_wait");
    first = tern_tpop_wait(&there.worker, tasks, TERN_BLOCK_SLABS);
    tap(first == TERN_BLOCK_SLABS / 2 && ready_now() == TERN_BLOCK_SLABS / 2, "half of the tasks are taken at once");
    for (most = first; most > 0 && good; most = left > 0 ? tern_tpop_wait(&there.worker, tasks, 5) : 0) {
        good = most <= 5 || most == first;
        for (int i = 0; i < most; i++) {
            struct record record;

            memcpy(&record, tasks[i].record, sizeof(record));
            good = good && is_record(&record, record.id) && !(ids >> record.id & 1);
            ids |= UINT64_C(1) << record.id;
            left -= done_by(&there, &tasks[i]) == 0;
        }
    }
    tap(good && left == 0 && ids == UINT32_MAX && taken_now() == 0, "and so the rest, at most as many as wanted: each of them once");
}

static void done_and_next(void)
{
    struct tern_task task;
    int done = -1, count = 0;

    gives(push_to(&here, 0, 50, 6), 6, "tern_tpush_wait");
    gives(tern_tpop_wait(&there.worker, &task, 1), 1, "tern_tpop_wait");
    while (is_record(task.record, (uint32_t)(50 + count)) && tern_tnext_wait(&there.worker, &task, &done) == 1 && done == 0)
        count++;
    tap(count == 5 && done == 0 && taken_now() == 0, "a task is done and the next one taken in one exchange");
    count = tern_tnext_wait(&there.worker, &task, &done);
    tap(count == -TERN_ST_NOT_FOUND && done == -TERN_ST_NOT_TAKEN, "of an exchange that fails twice both are told");
}

/* ---- in steps of one's own ---- */

static int stolen_by(struct end *end, struct tern_tpop *pop, bool *far)
{
    struct tern_worker *w = &end->worker;
    int status = tern_tpop(w->sq, &w->tasks, pop, 5);

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
    struct tern_tpop pop = {.word = 2, .wanted = wanted, .hint = UINT64_MAX, .region = w->region, .landing = here.scratch};
    struct record *places = (void *)(here.scratch + SCRATCH / 16);
    struct tern_completion done;
    struct tern_task task;
    unsigned wrong = 0, count = 0;
    bool far, good;

    for (unsigned i = 0; i < 12; i++) {
        struct record record = record_of(i);

        memcpy((uint8_t *)places + (size_t)i * PLACE + 8, &record, sizeof(record));
    }
    gives(tern_tasks_place_bytes(&queue) == PLACE && tern_tasks_words(&queue) == WORDS, true, "sizes");
    gives(tern_tpush(w->sq, &queue, 2, wanted, 0, 7), 0, "tern_tpush");
    done = next(w);
    good = tern_tpush_done(w->sq, &queue, 2, wanted, &done, w->region, places, 0, 8) == 12;
    done = next(w);
    tap(good && done.context == 8 && done.status == TERN_ST_OK && ready_now() == 12, "tasks are pushed into places that one names");
    good = stolen_by(&here, &pop, &far) == 0 && far && pop.reread && pop.got == wanted && pop.hint << 32 == ~UINT64_C(0) << 32;
    for (; tern_tpop_next(&queue, &pop, &task); count++) {
        wrong += !is_record(task.record, count) || task.attempt != 1;
        gives(tern_tdone(w->sq, &queue, &task, 0, 6), 0, "tern_tdone");
        done = next(w);
        wrong += tern_tdone_done(w->sq, &queue, &task, &done, 0, 0) != 0;
    }
    tap(good && count == 12 && wrong == 0 && taken_now() == 0, "and taken and done one step after the other, without any hint");
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
    tap(tern_tpush(w->sq, &queue, WORDS, 0, 0, 1) == -TERN_ST_BAD_RANGE && tern_tpop(w->sq, &queue, &beyond, 1) == -TERN_ST_BAD_RANGE &&
            tern_tdone(w->sq, &queue, &task, 0, 1) == -TERN_ST_BAD_RANGE &&
            tern_trenew(w->sq, &queue, w->holder, &task, 0, 1) == -TERN_ST_BAD_RANGE &&
            push_to(&here, PRIORITIES, 1, 1) == -TERN_ST_BAD_RANGE,
        "words, places and priorities that are none are refused at the door");
    tap(tern_tpush_done(w->sq, &queue, 0, 0, &refused, w->region, here.scratch, 0, 1) == -TERN_ST_BAD_KEY &&
            tern_tpush_done(w->sq, &queue, 0, 0, &refused_cas, w->region, here.scratch, 0, 1) == -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_done(w->sq, &queue, (struct tern_holder){0, 1}, &pop, &refused, 1) == -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_wait(&nobody, &some, 1) == -TERN_ST_BAD_ARGUMENT &&
            tern_tpop_done(w->sq, &queue, w->holder, &pop, &refused, 1) == -TERN_ST_BAD_KEY &&
            tern_tdone_done(w->sq, &queue, &some, &refused_cas, 0, 0) == -TERN_ST_BAD_KEY &&
            tern_tdone_done(w->sq, &queue, &some, &refused, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
            tern_trenew_done(w->holder, &some, &refused_cas) == -TERN_ST_BAD_KEY &&
            tern_trenew_done(w->holder, &some, &refused) == -TERN_ST_BAD_ARGUMENT && ready_now() == 0 && taken_now() == 0,
        "what was refused pushes, takes and ends no task");
}

/* The same worker, who has it wrong which queue that is. */
static void other_queues(void)
{
    struct tern_tasks right = here.worker.tasks, *tasks = &here.worker.tasks;
    struct tern_task task, none;
    bool good;

    gives(push_to(&there, 0, 3, 1), 1, "tern_tpush_wait");
    tasks->life++;
    good = push_to(&here, 0, 1, 1) == -TERN_ST_STALE_POINTER && push_to(&here, 0, 1, 2) == -TERN_ST_STALE_POINTER &&
           tern_tpop_wait(&here.worker, &none, 1) == -TERN_ST_STALE_POINTER &&
           tern_tpop_wait(&here.worker, &none, 9) == -TERN_ST_STALE_POINTER;
    *tasks = right;
    tap(good && ready_now() == 1 && taken_now() == 1, "who takes a queue for one of another life pushes and takes nothing");
    gives(pop_is(&there, 3, &task), true, "the task");
    TERN_SET(RPTR, key, tasks->start.w, TERN_GET(RPTR, key, tasks->start.w) ^ 0x10000);
    good = push_to(&here, 0, 1, 1) == -TERN_ST_BAD_KEY && tern_tpop_wait(&here.worker, &none, 1) == -TERN_ST_BAD_KEY &&
           done_by(&here, &task) == -TERN_ST_BAD_KEY && tern_trenew_wait(&here.worker, &task) == -TERN_ST_BAD_KEY;
    *tasks = right;
    tern_worker_init(&here.worker);
    tap(good && taken_now() == 1 && done_by(&there, &task) == 0, "with a wrong key nothing is pushed, taken or done");
}

/* ---- leases ---- */

static uint64_t seen[WORDS + PRIORITIES * PLACES];

static int sweep(void)
{
    look();
    return tern_tasks_sweep(&here.worker, copy, seen);
}

static void leases(void)
{
    struct tern_task kept, lost, again;
    bool good;

    gives(tern_tasks_seen(&queue) == sizeof(seen) / sizeof(seen[0]), true, "tern_tasks_seen");
    gives(push_to(&here, 0, 60, 3), 3, "tern_tpush_wait");
    gives(pop_is(&there, 60, &kept) && pop_is(&there, 61, &lost), true, "two tasks");
    good = sweep() == 0 && tern_trenew_wait(&there.worker, &kept) == 0;
    tap(good && sweep() == 1 && ready_now() == 2, "a task that is not renewed for a lease is ready again, one that is is not, nor one that nobody has taken");
    good = pop_is(&here, 61, &again) && again.index == lost.index && again.attempt == 2;
    tap(good && done_by(&there, &lost) == -TERN_ST_NOT_OWNER && taken_now() == 3,
        "who comes late for a task that was taken away is refused");
    tap(tern_trenew_wait(&there.worker, &lost) == -TERN_ST_NOT_OWNER && done_by(&here, &again) == 0 &&
            done_by(&there, &lost) == -TERN_ST_NOT_TAKEN,
        "and cannot renew it; the one who has it now does it");
    good = true;
    for (unsigned i = 0; i < 3; i++)
        good = good && tern_trenew_wait(&there.worker, &kept) == 0 && sweep() == 0;
    tap(good && done_by(&there, &kept) == 0, "who renews keeps its task for as long as it takes");
    gives(pop_is(&here, 62, &again) && done_by(&here, &again) == 0, true, "the third");
}

/* Somebody began and was heard of no more: a place taken, a task taken. */
static void half_done(void)
{
    struct tern_worker *w = &there.worker;
    struct tern_tpop pop = {.word = 0, .hint = UINT64_MAX, .region = w->region, .landing = there.scratch};
    struct tern_task task;
    bool good;

    memset(seen, 0, sizeof(seen));
    gives(tern_tpush(w->sq, &queue, 1, 0, 0, 7), 0, "tern_tpush");
    (void)next(w);
    gives(push_to(&here, 0, 70, 1), 1, "tern_tpush_wait");
    gives(tern_tpop(w->sq, &queue, &pop, 7), 1, "tern_tpop");
    (void)next(w);
    look();
    good = taken_now() == 2 && ready_now() == 0 && tern_tasks_recover(&here.worker, copy, w->holder) == 0 && sweep() == 0;
    tap(good && sweep() == 2 && taken_now() == 1 && ready_now() == 1 && sweep() == 0,
        "a task that was taken by nobody known is ready a lease later, and a place free that was taken for no task");
    gives(pop_is(&here, 70, &task) && task.attempt == 2 && done_by(&here, &task) == 0, true, "the task");
}

static void stealing(const void *arg, int in, int out)
{
    static struct end end;
    struct tern_task tasks[TERN_BLOCK_SLABS];
    int count;
    char word;

    open_end(&end, arg, 3, (struct tern_holder){VICTIM_NAME, 1});
    count = tern_tpop_wait(&end.worker, tasks, TERN_BLOCK_SLABS);
    gives(tern_nop(end.worker.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 1), 0, "tern_nop");
    (void)next(&end.worker);
    (void)give(out, &count, sizeof(count));
    (void)give(out, tasks, sizeof(tasks));
    (void)get(in, &word, 1);
}

static int recovered(uint16_t name, uint16_t epoch)
{
    look();
    return tern_tasks_recover(&here.worker, copy, (struct tern_holder){name, epoch});
}

static void worker_killed(const struct rig *rig)
{
    struct tern_task stolen[TERN_BLOCK_SLABS], task;
    struct child child;
    unsigned again = 0, refused = 0, done = 0;
    int count = 0;

    gives(push_to(&here, 0, 200, 20), 20, "tern_tpush_wait");
    child = child_start(stealing, rig);
    gives(get(child.from, &count, sizeof(count)) && get(child.from, stolen, sizeof(stolen)), true, "the victim");
    child_kill(&child);
    tap(count == 10 && recovered(VICTIM_NAME, 2) == 0 && recovered(VICTIM_NAME + 1, 1) == 0 && ready_now() == 10,
        "tasks of those who live are left alone");
    tap(recovered(VICTIM_NAME, 1) == 10 && ready_now() == 20 && recovered(VICTIM_NAME, 1) == 0,
        "all tasks of one that was killed while it ran them are ready again");
    for (int i = 0; i < count; i++)
        refused += done_by(&there, &stolen[i]) == -TERN_ST_NOT_OWNER;
    while (tern_tpop_wait(&there.worker, &task, 1) == 1) {
        again += task.attempt == 2;
        done += done_by(&there, &task) == 0;
    }
    tap(refused == 10 && again == 10 && done == 20 && taken_now() == 0, "what it would have said late is refused, and others do them");
    tap_evidence("B7.22", "recovered=%u,refused=%u", again, refused);
}

/* ---- all of them ---- */

static struct job {
    const struct rig *rig;
    unsigned number;
} jobs[LIVES_MAX];
static struct child workers[LIVES_MAX];

/* What they have in common: of each task how often somebody was told to have done it. */
static struct ledger {
    _Atomic uint32_t done, refused, wrong, again;
    _Atomic bool stop;
    _Atomic uint8_t did[TASKS_MAX];
    _Atomic uint32_t doing[LIVES_MAX]; /* the task that a worker says to have done just now, and one */
} *ledger;

/* Of what was taken from one word by as many requests, all at once. */
struct report {
    uint32_t bits;
    unsigned posted, none;
    struct tern_worker_counts counts;
};

static void take_some(struct end *end, struct report *report)
{
    struct tern_worker *w = &end->worker;
    struct tern_tpop pops[EACH];
    struct tern_task tasks[EACH];
    unsigned count = 0;

    for (unsigned i = 0; i < EACH; i++, report->posted++) {
        pops[i] = (struct tern_tpop){.hint = UINT64_MAX, .region = w->region, .landing = end->scratch};
        gives(tern_tpop(w->sq, &queue, &pops[i], 1 + i), 1, "tern_tpop");
    }
    for (unsigned missing = EACH; missing > 0;) {
        struct tern_completion done = next(w);
        struct tern_tpop *pop = &pops[done.context - 1];
        int status = tern_tpop_done(w->sq, &queue, w->holder, pop, &done, done.context);

        missing -= status != 1;
        report->none += status == -TERN_ST_NOT_FOUND;
        count += status == 0 && tern_tpop_next(&queue, pop, &tasks[count]);
    }
    for (unsigned i = 0; i < count; i++) {
        report->bits |= UINT32_C(1) << tasks[i].index;
        gives(tern_tdone_wait(w, &tasks[i]), 0, "tern_tdone_wait");
    }
}

/* Says which task is being run, and runs it: something that takes its time. */
static uint32_t begun(const struct end *end, const struct job *job, const struct tern_task *task)
{
    struct record record;

    memcpy(&record, task->record, sizeof(record));
    if (record.id >= TASKS_MAX || !is_record(&record, record.id)) {
        ledger->wrong++;
        return 0;
    }
    ledger->again += task->attempt > 1;
    ledger->doing[job->number] = record.id + 1;
    for (unsigned i = 0; i < (rig_tier_is_soft() ? 10 : 1); i++) {
        gives(tern_nop(end->worker.sq, TERN_DFLAG_SIGNAL, 9), 0, "tern_nop");
        (void)next(&end->worker);
    }
    return record.id;
}

static void ended(const struct job *job, uint32_t id, int status)
{
    if (status == 0) {
        ledger->did[id]++;
        ledger->done++;
    } else {
        ledger->refused++;
        ledger->wrong += status != -TERN_ST_NOT_OWNER && status != -TERN_ST_NOT_TAKEN && status != -TERN_ST_STALE_POINTER;
    }
    ledger->doing[job->number] = 0;
}

static void run_half(struct end *end, const struct job *job, const struct tern_task *tasks, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t id = begun(end, job, &tasks[i]);

        ended(job, id, tern_tdone_wait(&end->worker, &tasks[i]));
    }
}

static int run_rows(struct end *end, const struct job *job, struct tern_task *task)
{
    int status, done;

    do {
        uint32_t id = begun(end, job, task);

        status = tern_tnext_wait(&end->worker, task, &done);
        ended(job, id, done);
    } while (status == 1);
    return status;
}

/* Words to it: take some of one word; work by halves, or by rows, until there is nothing and it is told to stop; quit. */
static void working(const void *arg, int in, int out)
{
    static struct end end;
    const struct job *job = arg;
    struct tern_task tasks[TERN_BLOCK_SLABS];
    char word;

    open_end(&end, job->rig, job->number % RING, (struct tern_holder){(uint16_t)(FIRST_NAME + job->number), 1});
    while (get(in, &word, 1) && word != 'q') {
        struct report report = {.posted = 0};

        if (word == 't')
            take_some(&end, &report);
        while (word == 'w') {
            int count = tern_tpop_wait(&end.worker, tasks, job->number % 2 ? 6 : 1);

            if (count > 0 && job->number % 2)
                run_half(&end, job, tasks, count);
            else if (count > 0)
                count = run_rows(&end, job, tasks);
            if (count == -TERN_ST_NOT_FOUND && ledger->stop)
                break;
            if (count < 0)
                gives(count, -TERN_ST_NOT_FOUND, "tasks");
            sched_yield();
        }
        report.counts = end.worker.counts;
        (void)give(out, &report, sizeof(report));
    }
    tern_close(end.device);
}

static void start_worker(const struct rig *rig, unsigned number)
{
    jobs[number] = (struct job){rig, number};
    workers[number] = child_start(working, &jobs[number]);
}

static void one_word(void)
{
    struct report all = {.bits = 0}, one;
    bool good = push_to(&here, 0, 0, TERN_BLOCK_SLABS) == TERN_BLOCK_SLABS;

    for (unsigned i = 0; i < CLIENTS; i++)
        good = give_word(&workers[i], 't') && good;
    for (unsigned i = 0; i < CLIENTS; i++) {
        good = get(workers[i].from, &one, sizeof(one)) && !(all.bits & one.bits) && good;
        all.bits |= one.bits;
        all.posted += one.posted;
        all.none += one.none;
    }
    tap(good && all.bits == UINT32_MAX && all.none == 0 && all.posted == TERN_BLOCK_SLABS && taken_now() == 0,
        "eight workers at one word get all its tasks, each another one, and none asks twice");
    tap_evidence("B7.21", "requests=%u,none=%u", all.posted, all.none);
}

static uint32_t tasks_all(void)
{
    return rig_tier_is_soft() ? 3000 : 120;
}

static unsigned kills_all(void)
{
    return rig_tier_is_soft() ? 20 : 4;
}

/* Another one takes its place.  A third one is taken for dead, and is not. */
static void kill_one(const struct rig *rig, unsigned victim, unsigned next_number)
{
    child_kill(&workers[victim]);
    gives(recovered((uint16_t)(FIRST_NAME + victim), 1) >= 0, true, "tern_tasks_recover");
    gives(recovered((uint16_t)(FIRST_NAME + victim + 1), 1) >= 0, true, "tern_tasks_recover");
    start_worker(rig, next_number);
    gives(give_word(&workers[next_number], 'w'), true, "a word");
}

/* So many have been done that it is time for the next to die, most of them while they run one. */
static bool is_time(unsigned kills, unsigned victim, bool all_pushed)
{
    if (kills == kills_all() || ledger->done < tasks_all() / (kills_all() + 1) * (kills + 1))
        return false;
    return kills % 4 == 3 || all_pushed || ledger->doing[victim];
}

/* Pushes all of them, from two nodes, and kills workers meanwhile. */
static unsigned push_and_kill(const struct rig *rig)
{
    uint32_t pushed = 0, left = tasks_all();
    unsigned kills = 0;

    while (left > 0 || kills < kills_all()) {
        uint32_t count = left < PLACES ? left : PLACES;
        int status = count ? push_to(pushed % 2 ? &here : &there, pushed / 8 % 2, pushed, count) : 0;

        if (status < 0)
            gives(status, -TERN_ST_FULL, "tern_tpush_wait");
        pushed += status > 0 ? (uint32_t)status : 0;
        left = tasks_all() - pushed;
        for (unsigned i = 0; i < 100 && !is_time(kills, kills, left == 0); i++)
            sched_yield();
        if (is_time(kills, kills, left == 0)) {
            kill_one(rig, kills, CLIENTS + kills);
            kills++;
        }
    }
    return kills;
}

/* All stop when there is nothing they can take; what each of them has counted is added up. */
static struct tern_worker_counts hear_all(unsigned first, unsigned lives)
{
    struct tern_worker_counts all = {.pops = 0};
    struct report report;

    ledger->stop = true;
    for (unsigned i = first; i < lives; i++) {
        gives(get(workers[i].from, &report, sizeof(report)), true, "a worker");
        all.pops += report.counts.pops;
        all.rereads += report.counts.rereads;
        all.tasks += report.counts.tasks;
    }
    ledger->stop = false;
    return all;
}

/* What is left when all have stopped is what the dead had. */
static void finish(unsigned first, unsigned lives)
{
    memset(seen, 0, sizeof(seen));
    for (;;) {
        struct tern_worker_counts all = hear_all(first, lives);

        (void)sweep();
        (void)sweep();
        if (ready_now() == 0) {
            tap_note("%u tasks by %u pops, %u of which read behind", all.tasks, all.pops, all.rereads);
            return;
        }
        for (unsigned i = first; i < lives; i++)
            gives(give_word(&workers[i], 'w'), true, "a word");
    }
}

static void exactly_once(const struct rig *rig)
{
    unsigned kills, twice = 0, silent = 0, lost = 0;
    uint32_t before = freed_so_far();

    for (unsigned i = 0; i < CLIENTS; i++)
        gives(give_word(&workers[i], 'w'), true, "a word");
    kills = push_and_kill(rig);
    finish(kills, CLIENTS + kills);
    for (uint32_t id = 0; id < tasks_all(); id++) {
        twice += ledger->did[id] > 1;
        silent += ledger->did[id] == 0;
    }
    lost = silent;
    for (unsigned life = 0; life < kills; life++) /* killed before it heard that it had done it */
        lost -= ledger->doing[life] && ledger->did[ledger->doing[life] - 1] == 0;
    tap(twice == 0 && lost == 0 && ledger->wrong == 0 && freed_so_far() - before == tasks_all(),
        "while workers are killed each task is done exactly once");
    tap(ready_now() == 0 && taken_now() == 0, "and all places are free again");
    tap_evidence("B7.22", "done=%u,twice=%u,lost=%u,killed=%u,run_again=%u,late=%u", tasks_all(), twice, lost, kills,
                 (unsigned)ledger->again, (unsigned)ledger->refused);
    tap_note("%u were done by workers that were killed before they heard of it", silent);
}

static void keeper_killed(struct child *keeper)
{
    struct tern_task task;
    int status;

    child_kill(keeper);
    status = tern_tpop_wait(&here.worker, &task, 1);
    tap(status < 0 && status != -TERN_ST_NOT_FOUND, "nothing is taken from a host that was killed");
    tap_note("it ends with %s", tern_strerror(status));
}

/* ---- */

static void one_by_one(const struct rig *rig)
{
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
    worker_killed(rig);
}

static void all_at_once(const struct rig *rig)
{
    bool good = true;

    ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(ledger != MAP_FAILED, true, "mmap");
    for (unsigned i = 0; i < CLIENTS; i++)
        start_worker(rig, i);
    one_word();
    exactly_once(rig);
    for (unsigned i = kills_all(); i < CLIENTS + kills_all(); i++)
        good = give_word(&workers[i], 'q') && child_end(&workers[i]) && good;
    tap(good, "who took part ends well");
}

int main(void)
{
    struct child keeper;
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    keeper = child_start(keeping, &rig);
    gives(get(keeper.from, &queue, sizeof(queue)), true, "the keeper");
    open_end(&here, &rig, 0, (struct tern_holder){77, 1});
    open_end(&there, &rig, 1, (struct tern_holder){78, 1});
    gives(tern_register(here.device, copy, sizeof(copy), TERN_RIGHT_REMOTE_WRITE, &copy_region), 0, "tern_register");
    one_by_one(&rig);
    all_at_once(&rig);
    keeper_killed(&keeper);
    tern_close(here.device);
    tern_close(there.device);
    rig_stop(&rig);
    return tap_end();
}
