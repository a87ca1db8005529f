/* SPDX-License-Identifier: Apache-2.0 */
/* Tasks of the dead, leases that were not renewed, places that are nobody's. */
#include <tern/atomic.h>
#include <tern/tasks.h>

#include "slabs_inside.h"
#include "taskwords.h"

static const uint64_t map_bits = UINT32_MAX;

/* NICs may write it at this moment. */
static uint64_t word_at(const void *memory, uint64_t offset)
{
    return ((const volatile uint64_t *)memory)[offset / TASK_WORD];
}

/* Of what was posted since tern_once_begin(). */
static int answered(const struct tern_worker *w, struct tern_once *once, int posted,
                    const struct tern_completion *done)
{
    int status = tern_once_end(once, posted, w->timeout_ms);

    return status ? status : -(int)done->status;
}

/* ---- what a place is, as the words say */

struct place {
    uint32_t index, word, bit;
    struct tern_task_state state;
    struct tern_task_claim claim;
    bool taken, ready, claimed; /* claimed: the claim is of this attempt */
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

/* ---- ready again */

/*
 * The next attempt's turn: whoever made the last one is refused from here on.  1, or 0 if it
 * changed meanwhile.
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

/* ---- a lease later */

/*
 * What a task that somebody runs looks like: another attempt, or a renewal, and it looks
 * different.  0: nobody runs one.
 */
static uint64_t look_of(const struct place *p)
{
    const struct tern_task task = {
        .generation = p->state.generation,
        .attempt = p->state.attempt,
        .renewals = p->claimed ? p->claim.renewals : 0,
    };

    if (!p->taken || !p->state.live || p->ready)
        return 0;
    return tern_task_claim_word((struct tern_holder){p->claimed ? p->claim.holder.owner : 0, 1},
                                &task);
}

static int sweep_place(const struct tern_worker *w, const struct place *p, uint64_t *seen)
{
    uint64_t look = look_of(p);
    bool expired = look != 0 && look == *seen;

    *seen = expired ? 0 : look;
    return expired ? take_away(w, p) : 0;
}

/*
 * Places of the word that are taken and have no task, as bits.  One that is said to be ready
 * all the same, as a push has failed, is looked at first by whoever takes it.
 */
static uint32_t orphans_of(const struct tern_worker *w, const void *memory, uint32_t word)
{
    uint32_t orphans = 0;

    for (uint32_t bit = 0; bit < tern_task_places_of(&w->tasks, word); bit++) {
        struct place p = place_of(w, memory, tern_task_index(&w->tasks, word, bit));

        if (p.taken && !p.state.live && !p.ready)
            orphans |= UINT32_C(1) << bit;
    }
    return orphans;
}

/* Frees them all at once, if nobody has freed one of this word since `map`: who frees counts. */
static int free_orphans(const struct tern_worker *w, uint32_t word, uint64_t map, uint32_t orphans)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, w->sq, &done);
    status = answered(w, &once, tern_map_clear(w->sq, tern_rptr_add(w->tasks.start,
            tern_task_free_at(&w->tasks, word)), orphans,
                                            map, ~map_bits, TERN_DFLAG_SIGNAL, 0),
                          &done);

    if (status)
        return status;
    return (done.value ^ map) & ~map_bits || ~done.value & orphans
        ? 0 : __builtin_popcount(orphans);
}

static int sweep_word(const struct tern_worker *w, const void *memory, uint32_t word,
                      uint64_t *seen)
{
    uint64_t map = word_at(memory, tern_task_free_at(&w->tasks, word)) & ~map_bits;
    uint32_t orphans = orphans_of(w, memory, word), both = (uint32_t)*seen & orphans;
    int freed = 0;

    if ((*seen & ~map_bits) == map && both)
        freed = free_orphans(w, word, map, both);
    *seen = freed ? 0 : map | orphans;
    return freed;
}

int tern_tasks_sweep(struct tern_worker *w, const void *memory, uint64_t *seen)
{
    uint32_t words = tern_tasks_words(&w->tasks);
    int count = 0, status = 0;

    for (uint32_t word = 0; word < words && status >= 0; word++, count += status)
        status = sweep_word(w, memory, word, &seen[word]);
    for (uint32_t index = 0; index < places_in(w) && status >= 0; index++, count += status) {
        struct place p = place_of(w, memory, index);

        status = sweep_place(w, &p, &seen[words + index]);
    }
    return status < 0 ? status : count;
}

size_t tern_tasks_seen(const struct tern_tasks *tasks)
{
    return tern_tasks_words(tasks) + (size_t)tasks->priorities * tasks->places;
}
