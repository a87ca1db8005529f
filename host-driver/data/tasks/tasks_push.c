/* SPDX-License-Identifier: Apache-2.0 */
/* Pushes tasks for a worker that makes one call after the other. */
#include <string.h>

#include <tern/tasks.h>

#include "tasks_steps.h"
#include "taskwords.h"

/* Fills places: 8 bytes for the library, then the record. */
static void fill_places(const struct tern_worker *w, const void *records, unsigned count)
{
    uint32_t bytes = w->tasks.record_bytes, place = tern_tasks_place_bytes(&w->tasks);

    for (unsigned i = 0; i < count; i++)
        memcpy(tern_worker_going(w) + (size_t)i * place + TASK_WORD,
               (const uint8_t *)records + (size_t)i * bytes, bytes);
}

static int push_some(struct tern_worker *w, uint32_t word, uint32_t wanted, const void *records)
{
    struct tern_tpush push = {.tasks = &w->tasks, .word = word, .wanted = wanted,
                              .region = w->region,
                              .places = tern_worker_going(w), .map = UINT64_MAX};
    int status;

    fill_places(w, records, wanted ? (unsigned)__builtin_popcount(wanted) : 1);
    status = tern_tpush_run(w->sq, &push, w->timeout_ms);
    if (push.map != UINT64_MAX)
        tern_worker_free_places(w)[word] = push.map | (wanted
                ? wanted : tern_task_lowest(tern_task_clear_bits(push.map), 1));
    return status ? status : (int)push.pushed;
}

/* Pushes as many tasks into one word as it has room for; tries only once for a single task. */
static int push_to(struct tern_worker *w, uint32_t word, const uint8_t *records, unsigned count)
{
    unsigned pushed = 0;
    int status = 0;

    while (pushed < count && status >= 0) {
        uint32_t wanted =
            tern_task_lowest(tern_task_clear_bits(tern_worker_free_places(w)[word]),
                             count - pushed);

        if (!wanted)
            break;
        status = push_some(w, word, count - pushed > 1 ? wanted : 0,
                           records + (size_t)pushed * w->tasks.record_bytes);
        if (status == -TERN_ST_FULL)
            status = 0;
        pushed += status > 0 ? (unsigned)status : 0;
    }
    return status < 0 ? status : (int)pushed;
}

int tern_tpush_wait(struct tern_worker *w, uint32_t priority, const void *records, unsigned count)
{
    uint32_t each = tern_task_words_each(&w->tasks), first = priority * each;
    unsigned pushed = 0;

    if (priority >= w->tasks.priorities || each == 0)
        return -TERN_ST_BAD_RANGE;
    for (uint32_t tried = 0; tried < 2 * each && pushed < count; tried++) {
        uint32_t word = first + tried % each;
        int status;

        if (tried >= each) /* places that were taken before may be free now */
            tern_worker_free_places(w)[word] = 0;
        status = push_to(w, word,
                (const uint8_t *)records + (size_t)pushed * w->tasks.record_bytes, count - pushed);
        if (status < 0)
            return status;
        pushed += (unsigned)status;
    }
    return pushed == 0 && count > 0 ? -TERN_ST_FULL : (int)pushed;
}
