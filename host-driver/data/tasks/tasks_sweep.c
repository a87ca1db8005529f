/* SPDX-License-Identifier: Apache-2.0 */
/* Recovers tasks of dead workers, tasks with expired leases, and places without an owner. */
#include <tern/atomic.h>
#include <tern/tasks.h>

#include "slabs_inside.h"
#include "taskwords.h"

enum { LOOKS = 3, LOOK_BITS = 2 }; /* three looks span two grace periods */

#define LOOK_MASK ((UINT64_C(1) << LOOK_BITS) - 1)

/* Reads a word that NICs may be writing at this moment. */
static uint64_t word_at(const void *memory, uint64_t offset)
{
    return ((const volatile uint64_t *)memory)[offset / TASK_WORD];
}

/* Waits for the operation posted since tern_once_begin(), and returns its status. */
static int answered(const struct tern_worker *w, struct tern_once *once, int posted,
                    const struct tern_completion *done)
{
    int status = tern_once_end(once, posted, w->timeout_ms);

    return status ? status : -(int)done->status;
}

/* ---- the state of a place, from its words */

struct place {
    uint32_t index, word, bit;
    struct tern_task_state state;
    struct tern_task_claim claim;
    bool taken, ready, claimed; /* claimed: by the current attempt */
};

static struct place place_of(const struct tern_worker *w, const void *memory, uint32_t index)
{
    const struct tern_tasks *tasks = &w->tasks;
    struct place p = {.index = index, .word = tern_task_word(tasks, index),
                      .bit = tern_task_bit(tasks, index)};

    p.state = tern_task_state_read(word_at(memory, tern_task_place_at(tasks, index)));
    p.claim = tern_task_claim_read(word_at(memory, tern_task_claim_at(tasks, index)));
    p.taken = word_at(memory, tern_task_free_at(tasks, p.word)) >> p.bit & 1;
    p.ready = !(word_at(memory, tern_task_ready_at(p.word)) >> p.bit & 1);
    p.claimed = p.claim.generation == (p.state.generation & UINT16_MAX) &&
        p.claim.attempt == (p.state.attempt & UINT8_MAX) &&
                p.claim.holder.owner != 0;
    return p;
}

static uint32_t places_in(const struct tern_worker *w)
{
    return w->tasks.priorities * w->tasks.places;
}

/* ---- making a task ready again */

/*
 * Begins the next attempt and makes the task ready, so that the NIC refuses the worker of the
 * earlier attempt. Returns 1, or 0 if the state word changed meanwhile.
 */
static int take_away(const struct tern_worker *w, const struct place *p)
{
    struct tern_task_state next = p->state;
    uint64_t now = tern_task_state_word(p->state);
    struct tern_completion done;
    struct tern_once once;
    int status;

    next.attempt++;
    tern_once_begin(&once, w->sq, &done);
    status = answered(w, &once, tern_compare_swap(w->sq, tern_rptr_add(w->tasks.start,
            tern_task_place_at(&w->tasks, p->index)), now,
                                           tern_task_state_word(next), TERN_DFLAG_SIGNAL, 0),
                      &done);
    if (status || done.value != now)
        return status;
    tern_once_begin(&once, w->sq, &done);
    status = answered(w, &once, tern_task_make_ready(w->sq, &w->tasks, p->word,
            UINT32_C(1) << p->bit, TERN_DFLAG_SIGNAL, 0), &done);
    return status ? status : 1;
}

int tern_tasks_recover(struct tern_worker *w, const void *memory, struct tern_holder dead)
{
    int count = 0;

    for (uint32_t index = 0; index < places_in(w); index++) {
        struct place p = place_of(w, memory, index);
        int status;

        if (!p.taken || !p.state.live || p.ready || !p.claimed ||
            p.claim.holder.owner != dead.owner ||
            p.claim.holder.epoch != dead.epoch)
            continue;
        status = take_away(w, &p);
        if (status < 0)
            return status;
        count += status;
    }
    return count;
}

/* ---- tasks that a worker runs without renewing its claim */

/*
 * Returns a value that differs after each new attempt or renewal of a running task; 0: no worker
 * runs a task at this place.
 */
static uint64_t look_of(const struct place *p)
{
    const struct tern_task task = {
        .generation = p->state.generation,
        .attempt = p->state.attempt,
        .renewals = p->claim.renewals,
    };

    if (!p->taken || !p->state.live || p->ready || !p->claimed)
        return 0;
    return tern_task_claim_word((struct tern_holder){p->claim.holder.owner, 1}, &task);
}

static int sweep_claim(const struct tern_worker *w, const struct place *p, uint64_t *seen)
{
    uint64_t look = look_of(p);
    bool expired = look != 0 && look == *seen;

    *seen = expired ? 0 : look;
    return expired ? take_away(w, p) : 0;
}

/* ---- places without an owner */

/*
 * Tells whether a place is taken but has no task, or a task that is neither ready nor claimed: a
 * client is in the middle of a push or a pop, or died there.  A failed push may leave a ready bit
 * without a task; the worker that takes it checks the place first.
 */
static bool is_nobodys(const struct place *p)
{
    return p->taken && !p->ready && !(p->state.live && p->claimed);
}

/* Tells whether the place had no owner at three looks, each a grace period after the last. */
static bool stays_nobodys(const struct place *p, uint64_t *seen)
{
    uint64_t state = tern_task_state_word(p->state) << LOOK_BITS, looks = 0;

    if (is_nobodys(p))
        looks = (*seen & ~LOOK_MASK) == state ? (*seen & LOOK_MASK) + 1 : 1;
    *seen = looks == 0 || looks == LOOKS ? 0 : state | looks;
    return looks == LOOKS;
}

static int free_places(const struct tern_worker *w, uint32_t word, uint32_t places)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, w->sq, &done);
    status = answered(w, &once,
                      tern_map_clear(w->sq,
                                     tern_rptr_add(w->tasks.start,
                                                   tern_task_free_at(&w->tasks, word)),
                                     places, 0, 0, TERN_DFLAG_SIGNAL, 0), &done);
    if (status)
        return status;
    return ~done.value & places ? 0 : __builtin_popcount(places);
}

/* Looks once at each place of a word. */
static int sweep_word(const struct tern_worker *w, const void *memory, uint32_t word,
                      uint64_t *seen)
{
    uint32_t none = 0;
    int count = 0, status = 0;

    for (uint32_t bit = 0; bit < tern_task_places_of(&w->tasks, word) && status >= 0; bit++) {
        struct place p = place_of(w, memory, tern_task_index(&w->tasks, word, bit));

        if (!stays_nobodys(&p, &seen[p.index]))
            continue;
        if (p.state.live)
            status = take_away(w, &p);
        else
            none |= UINT32_C(1) << bit;
        count += status;
    }
    if (status >= 0 && none) {
        status = free_places(w, word, none);
        count += status;
    }
    return status < 0 ? status : count;
}

static int look(const struct tern_worker *w, const void *memory, uint64_t *seen)
{
    int count = 0, status = 0;

    for (uint32_t word = 0; word < tern_tasks_words(&w->tasks) && status >= 0; word++) {
        status = sweep_word(w, memory, word, seen);
        count += status;
    }
    return status < 0 ? status : count;
}

int tern_tasks_sweep(struct tern_worker *w, const void *memory, struct tern_grace *grace,
                     uint64_t *seen)
{
    int count = 0, status = 0;

    if (tern_grace_is_over(grace)) {
        count = look(w, memory, seen + places_in(w));
        tern_grace_begin(grace);
    }
    if (count < 0)
        return count;
    for (uint32_t index = 0; index < places_in(w) && status >= 0; index++, count += status) {
        struct place p = place_of(w, memory, index);

        status = sweep_claim(w, &p, &seen[index]);
    }
    return status < 0 ? status : count;
}

size_t tern_tasks_seen(const struct tern_tasks *tasks)
{
    return 2 * (size_t)tasks->priorities * tasks->places;
}
