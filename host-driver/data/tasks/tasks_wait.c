/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues for a worker that makes one call after the other, with its hints for each map word.
 */
#include <string.h>

#include <tern/read.h>
#include <tern/tasks.h>

#include "slabs_inside.h"
#include "tasks_steps.h"
#include "taskwords.h"

enum { SCRATCH_ALIGN = 64 };

/* ---- scratch: map words as read, hints, task places to read into, task places to write from */

static size_t words_bytes(const struct tern_tasks *tasks)
{
    return (size_t)tern_tasks_words(tasks) * TASK_WORD;
}

static size_t places_bytes(const struct tern_tasks *tasks)
{
    return (size_t)TERN_BLOCK_SLABS * tern_tasks_place_bytes(tasks);
}

static size_t places_begin(const struct tern_tasks *tasks)
{
    return (3 * words_bytes(tasks) + SCRATCH_ALIGN - 1) / SCRATCH_ALIGN * SCRATCH_ALIGN;
}

static uint64_t *looked(const struct tern_worker *w)
{
    return w->scratch;
}

static uint64_t *ready(const struct tern_worker *w)
{
    return looked(w) + tern_tasks_words(&w->tasks);
}

uint64_t *tern_worker_free_places(const struct tern_worker *w)
{
    return ready(w) + tern_tasks_words(&w->tasks);
}

static uint8_t *coming(const struct tern_worker *w)
{
    return (uint8_t *)w->scratch + places_begin(&w->tasks);
}

uint8_t *tern_worker_going(const struct tern_worker *w)
{
    return coming(w) + places_bytes(&w->tasks);
}

size_t tern_worker_bytes(const struct tern_tasks *tasks)
{
    return places_begin(tasks) + 2 * places_bytes(tasks);
}

void tern_worker_init(struct tern_worker *w)
{
    memset(&w->counts, 0, sizeof(w->counts));
    for (uint32_t word = 0; word < tern_tasks_words(&w->tasks); word++) {
        ready(w)[word] = UINT64_MAX;
        tern_worker_free_places(w)[word] = 0;
    }
}

/* ---- hints */

/*
 * Returns the later one of two values of a word: more tasks became ready or, if equal, more were
 * taken.
 */
static uint64_t later(uint64_t known, uint64_t seen)
{
    uint32_t more = tern_map_generation(seen) - tern_map_generation(known);
    int32_t ahead = (int32_t)(more << (32 - TERN_MAP_frees_BITS));

    if (known == UINT64_MAX)
        return seen;
    if (ahead == 0)
        return known | seen;
    return ahead > 0 ? seen : known;
}

static void hear_look(const struct tern_worker *w)
{
    for (uint32_t word = 0; word < tern_tasks_words(&w->tasks); word++)
        ready(w)[word] = later(ready(w)[word], looked(w)[word]);
}

/* Returns the first word whose hint shows a task, or the number of words. */
static uint32_t first_ready(const struct tern_worker *w)
{
    uint32_t word = 0;

    while (word < tern_tasks_words(&w->tasks) && !tern_task_clear_bits(ready(w)[word]))
        word++;
    return word;
}

/* ---- an exchange: any of ending a task, taking tasks and reading the words, in one round trip */

struct exchange {
    struct tern_tdone *finished; /* or NULL */
    struct tern_tpop *pop;       /* or NULL */
    bool look;
    int done;
};

static int look(const struct tern_worker *w, struct tern_once *once, struct tern_completion *done)
{
    int status;

    tern_once_begin(once, w->sq, done);
    status = tern_read(w->sq, w->tasks.start, w->region, looked(w),
                       (uint32_t)words_bytes(&w->tasks), TERN_DFLAG_SIGNAL, 0);
    (void)tern_sq_serve(w->sq, once->before);
    return status;
}

static int look_answer(const struct tern_worker *w, struct tern_once *once, int posted,
                       const struct tern_completion *done)
{
    int status = tern_once_end(once, posted, w->timeout_ms);

    if (status)
        return status;
    if (done->status == TERN_ST_OK)
        hear_look(w);
    return -(int)done->status;
}

static int first_of(int failed, int status)
{
    return failed ? failed : status;
}

/* Posts all parts, then waits for each. Returns the first error. */
static int exchange(const struct tern_worker *w, struct exchange *x)
{
    bool finishing = false, popping = false;
    struct tern_completion looked_at;
    struct tern_once once;
    int failed = 0, posted = -TERN_ST_AGAIN;

    if (x->finished) {
        failed = tern_tdone(w->sq, x->finished, 0);
        finishing = !failed;
    }
    if (!failed && x->pop) {
        failed = tern_tpop(w->sq, x->pop, 0);
        popping = !failed;
    }
    if (!failed && x->look)
        posted = look(w, &once, &looked_at);
    if (finishing)
        x->done = tern_steps_wait(&x->finished->steps, w->timeout_ms);
    if (popping)
        failed = first_of(failed, tern_steps_wait(&x->pop->steps, w->timeout_ms));
    if (!x->look || (failed && posted == -TERN_ST_AGAIN))
        return failed;
    return first_of(failed, look_answer(w, &once, posted, &looked_at));
}

/* ---- taking */

/* Chooses the lowest ready task or, for several, half of them from the other end. */
static uint32_t wanted_of(uint64_t map, unsigned most)
{
    uint32_t there = tern_task_clear_bits(map);
    unsigned count = (unsigned)__builtin_popcount(there), half = (count + 1) / 2;

    return most <= 1 ? 0 : there & ~tern_task_lowest(there, count - (half < most ? half : most));
}

/* Takes tasks of the first word whose hint shows some, and reads the other words meanwhile. */
static int pop_some(struct tern_worker *w, struct tern_tpop *pop, unsigned most, struct exchange *x)
{
    uint32_t word = first_ready(w);
    int status;

    *pop = (struct tern_tpop){.tasks = &w->tasks,
                              .holder = w->holder,
                              .word = word,
                              .region = w->region,
                              .landing = coming(w)};
    x->look = true;
    if (word < tern_tasks_words(&w->tasks)) {
        pop->hint = ready(w)[word];
        pop->wanted = wanted_of(pop->hint, most);
        x->pop = pop;
        x->look = tern_tasks_words(&w->tasks) > 1;
    }
    status = exchange(w, x);
    w->counts.looks += !x->pop;
    if (!x->pop)
        return status ? status : -TERN_ST_NOT_FOUND;
    w->counts.pops++;
    w->counts.rereads += pop->reread;
    ready(w)[word] = later(ready(w)[word], pop->hint);
    return status;
}

static int found(struct tern_worker *w, struct tern_tpop *pop, struct tern_task *tasks)
{
    int count = 0;

    while (tern_tpop_next(&w->tasks, pop, &tasks[count]))
        count++;
    w->counts.tasks += (uint32_t)count;
    return count;
}

/* Tries until it has a task, or until a read of all words shows none. */
static int pop_first(struct tern_worker *w, struct tern_task *tasks, unsigned most,
                     struct tern_tdone *finished, int *done)
{
    int status = w->holder.owner ? -TERN_ST_NOT_FOUND : -TERN_ST_BAD_ARGUMENT;

    for (bool looked_at_all = false; status == -TERN_ST_NOT_FOUND; finished = NULL) {
        struct exchange x = {.finished = finished, .done = -TERN_ST_WAIT_EXPIRED};
        struct tern_tpop pop;

        if (looked_at_all && first_ready(w) == tern_tasks_words(&w->tasks))
            break;
        status = pop_some(w, &pop, most, &x);
        looked_at_all = !x.pop;
        if (finished)
            *done = x.done;
        if (status == 0)
            return found(w, &pop, tasks);
    }
    return status;
}

int tern_tpop_wait(struct tern_worker *w, struct tern_task *tasks, unsigned most)
{
    return pop_first(w, tasks, most, NULL, NULL);
}

int tern_tnext_wait(struct tern_worker *w, struct tern_task *task, int *done)
{
    struct tern_tdone finished = {.tasks = &w->tasks, .task = *task};

    *done = -TERN_ST_BAD_RANGE;
    return pop_first(w, task, 1, &finished, done);
}

/* ---- running */

int tern_tdone_wait(struct tern_worker *w, const struct tern_task *task)
{
    struct tern_tdone finished = {.tasks = &w->tasks, .task = *task};
    struct exchange x = {.finished = &finished};
    int status = exchange(w, &x);

    return status ? status : x.done;
}

int tern_trenew_wait(struct tern_worker *w, struct tern_task *task)
{
    struct tern_tdone renew = {.tasks = &w->tasks, .holder = w->holder, .task = *task};
    int status = tern_trenew_run(w->sq, &renew, w->timeout_ms);

    *task = renew.task;
    return status;
}
