/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Task queues: posts the operations that push, take and finish tasks, and interprets their results.
 */
#include <string.h>

#include <tern/atomic.h>
#include <tern/read.h>
#include <tern/tasks.h>

#include "slabs_inside.h"
#include "tasks_steps.h"
#include "taskwords.h"

enum { MISSING_TAKEN = 1, MISSING_READ = 2, ATTEMPT_FIRST = 1 };
enum { CLAIMS_A_PUT = TERN_INLINE_BYTES_MAX / TASK_WORD, CLAIMS_PUTS_MAX = TERN_BLOCK_SLABS / 2 };

static const uint64_t map_bits = UINT32_MAX;

static struct tern_rptr at(const struct tern_tasks *tasks, uint64_t offset)
{
    return tern_rptr_add(tasks->start, offset);
}

/* Rings for the operations posted so far, so that they do not wait for the caller's next call. */
static int no_room(struct tern_sq *sq)
{
    int status = tern_sq_flush(sq);

    return status ? status : -TERN_ST_AGAIN;
}

/* --- taking bits of a map word: the clear ones of a set, or the lowest clear one */

static int take_bits(struct tern_sq *sq, const struct tern_tasks *tasks, uint64_t offset,
                     uint32_t wanted, unsigned flags,
                     uint64_t context)
{
    struct tern_masked take = {
        .compare = tern_map_life(tasks->life),
        .compare_mask = tern_map_life(UINT8_MAX),
        .swap = wanted ? wanted : 1,
        .swap_mask = wanted ? wanted : map_bits,
    };

    flags |= TERN_DFLAG_SIGNAL;
    return wanted ? tern_compare_swap_masked(sq, at(tasks, offset), &take, flags, context)
                  : tern_take(sq, at(tasks, offset), &take, flags, context);
}

static uint32_t bits_got(uint64_t map, uint32_t wanted)
{
    uint32_t clear = tern_task_clear_bits(map);

    return wanted ? clear & wanted : tern_task_lowest(clear, 1);
}

/* Returns why a completion is not the expected result, or 0. */
static int answer_refused(const struct tern_tasks *tasks, uint32_t wanted,
                          const struct tern_completion *done)
{
    if (done->opcode != (wanted ? TERN_OP_CAS : TERN_OP_TAKE))
        return -TERN_ST_BAD_ARGUMENT;
    if (done->status != TERN_ST_OK)
        return -(int)done->status;
    return (done->value ^ tern_map_life(tasks->life)) & tern_map_life(UINT8_MAX)
        ? -TERN_ST_STALE_POINTER : 0;
}

/* ---- pushing */

int tern_tpush_post(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                    uint32_t wanted, unsigned flags,
               uint64_t context)
{
    if (word >= tern_tasks_words(tasks))
        return -TERN_ST_BAD_RANGE;
    return take_bits(sq, tasks, tern_task_free_at(tasks, word), wanted, flags, context);
}

static int put_place(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t index,
                     uint32_t generation,
                     const struct tern_region *region, uint8_t *place, uint64_t context)
{
    const struct tern_task_state state = {generation, ATTEMPT_FIRST, true};
    uint64_t word = tern_task_state_word(state);
    uint32_t bytes = tern_tasks_place_bytes(tasks);
    struct tern_rptr to = at(tasks, tern_task_place_at(tasks, index));

    memcpy(place, &word, sizeof(word));
    if (bytes <= TERN_INLINE_BYTES_MAX)
        return tern_put_inline(sq, to, place, bytes, TERN_MORE, context);
    return tern_put(sq, to, region, place, bytes, TERN_MORE, context);
}

/*
 * Puts each place by a put of its own, of one packet: if the pusher dies, no record is there in
 * part.
 */
int tern_tpush_done(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                    uint32_t wanted,
                    const struct tern_completion *done, const struct tern_region *region,
                        void *places, unsigned flags,
                    uint64_t context)
{
    int status = answer_refused(tasks, wanted, done);
    uint32_t got = bits_got(done->value, wanted);
    unsigned count = (unsigned)__builtin_popcount(got);
    uint8_t *place = places;

    if (status)
        return status;
    if (!got)
        return -TERN_ST_FULL;
    if (!tern_sq_room(sq, count + 1))
        return no_room(sq);
    for (uint32_t left = got; left && !status; left &= left - 1,
         place += tern_tasks_place_bytes(tasks))
        status = put_place(sq, tasks, tern_task_index(tasks, word, (uint32_t)__builtin_ctz(left)),
                           tern_map_generation(done->value), region, place, context);
    if (!status)
        status = tern_task_make_ready(sq, tasks, word, got,
                                      flags | TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, context);
    return status ? status : (int)count;
}

/* ---- taking */

static uint8_t *landed(const struct tern_tasks *tasks, const struct tern_tpop *pop, uint32_t bit)
{
    return (uint8_t *)pop->landing + (size_t)bit * tern_tasks_place_bytes(tasks);
}

static struct tern_task_state state_landed(const struct tern_tasks *tasks,
                                           const struct tern_tpop *pop, uint32_t bit)
{
    uint64_t word;

    memcpy(&word, landed(tasks, pop, bit), sizeof(word));
    return tern_task_state_read(word);
}

/* Reads all places from the lowest of `bits` to the highest. */
static int read_places(struct tern_sq *sq, const struct tern_tasks *tasks,
                       const struct tern_tpop *pop, uint32_t bits,
                       uint64_t context)
{
    uint32_t first = (uint32_t)__builtin_ctz(bits), last = 31 - (uint32_t)__builtin_clz(bits);

    return tern_read(sq, at(tasks, tern_task_place_at(tasks, tern_task_index(tasks, pop->word,
                                                                             first))), pop->region,
                     landed(tasks, pop, first),
                         (last - first + 1) * tern_tasks_place_bytes(tasks), TERN_DFLAG_SIGNAL,
                             context);
}

int tern_tpop_post(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_tpop *pop,
                   uint64_t context)
{
    int status;

    if (pop->word >= tern_tasks_words(tasks))
        return -TERN_ST_BAD_RANGE;
    if (!tern_sq_room(sq, 2))
        return no_room(sq);
    pop->guess = bits_got(pop->hint, pop->wanted);
    pop->guess &= (uint32_t)((UINT64_C(1) << tern_task_places_of(tasks, pop->word)) - 1);
    pop->got = 0;
    pop->reread = false;
    pop->status = 0;
    pop->missing = pop->guess ? MISSING_TAKEN | MISSING_READ : MISSING_TAKEN;
    status = take_bits(sq, tasks, tern_task_ready_at(pop->word), pop->wanted, 0, context);
    if (!status && pop->guess)
        status = read_places(sq, tasks, pop, pop->guess, context);
    return status ? status : __builtin_popcount(pop->missing);
}

/*
 * Tells whether the hint was right. If no task of the word became ready between hint and take, each
 * taken task was ready, with its present record, before the read was posted.
 */
static bool guessed_right(const struct tern_tpop *pop, uint64_t map)
{
    return ((map ^ pop->hint) & ~map_bits) == 0 && (pop->got & ~pop->guess) == 0;
}

static void hear_taken(const struct tern_tasks *tasks, struct tern_tpop *pop,
                       const struct tern_completion *done)
{
    int status = answer_refused(tasks, pop->wanted, done);

    pop->missing &= (uint8_t)~MISSING_TAKEN;
    if (status) {
        pop->status = status;
        return;
    }
    pop->got = bits_got(done->value, pop->wanted);
    if (!guessed_right(pop, done->value))
        pop->guess = 0;
    pop->hint = done->value | pop->got;
}

static void hear_read(struct tern_tpop *pop, const struct tern_completion *done)
{
    pop->missing &= (uint8_t)~MISSING_READ;
    if (done->status != TERN_ST_OK && !pop->status)
        pop->status = -(int)done->status;
}

static int read_behind(struct tern_sq *sq, const struct tern_tasks *tasks,
                       struct tern_tpop *pop, uint64_t context)
{
    int status = read_places(sq, tasks, pop, pop->got, context);

    if (status)
        return status;
    pop->reread = true;
    pop->missing = MISSING_READ;
    return 1;
}

/*
 * Puts the claims of consecutive bits of `got` from `bit` on, up to CLAIMS_A_PUT. Returns how many.
 */
static unsigned put_claims(struct tern_sq *sq, const struct tern_tasks *tasks,
                           struct tern_holder holder,
                           const struct tern_tpop *pop, uint32_t bit, int *status)
{
    uint32_t index = tern_task_index(tasks, pop->word, bit);
    uint64_t claims[CLAIMS_A_PUT];
    unsigned count = 0;

    for (; count < CLAIMS_A_PUT && bit + count < TERN_BLOCK_SLABS &&
         pop->got >> (bit + count) & 1; count++) {
        struct tern_task_state state = state_landed(tasks, pop, bit + count);
        const struct tern_task task = {.generation = state.generation, .attempt = state.attempt};

        claims[count] = tern_task_claim_word(holder, &task);
    }
    *status = tern_put_inline(sq, at(tasks, tern_task_claim_at(tasks, index)), claims,
                              count * TASK_WORD, 0, 0);
    return count;
}

static int claim(struct tern_sq *sq, const struct tern_tasks *tasks, struct tern_holder holder,
                 const struct tern_tpop *pop)
{
    unsigned count = (unsigned)__builtin_popcount(pop->got);
    struct tern_work *before;
    int status = 0;

    if (!tern_sq_room(sq, count < CLAIMS_PUTS_MAX ? count : CLAIMS_PUTS_MAX))
        return no_room(sq);
    before = tern_sq_serve(sq, tern_sq_stray(sq));
    for (uint32_t bit = 0; bit < TERN_BLOCK_SLABS && !status;)
        bit += pop->got >> bit & 1 ? put_claims(sq, tasks, holder, pop, bit, &status) : 1;
    (void)tern_sq_serve(sq, before);
    return status;
}

/* Returns the taken places that have a task: after a failed push a ready place may have none. */
static uint32_t with_tasks(const struct tern_tasks *tasks, const struct tern_tpop *pop)
{
    uint32_t live = 0;

    for (uint32_t left = pop->got; left; left &= left - 1) {
        uint32_t bit = (uint32_t)__builtin_ctz(left);

        if (state_landed(tasks, pop, bit).live)
            live |= UINT32_C(1) << bit;
    }
    return live;
}

void tern_tpop_hear(const struct tern_tasks *tasks, struct tern_tpop *pop,
                    const struct tern_completion *done)
{
    if (done->opcode == TERN_OP_READ && pop->missing & MISSING_READ)
        hear_read(pop, done);
    else if (done->opcode != TERN_OP_READ && pop->missing & MISSING_TAKEN)
        hear_taken(tasks, pop, done);
}

int tern_tpop_done(struct tern_sq *sq, const struct tern_tasks *tasks,
                   struct tern_holder holder, struct tern_tpop *pop,
                   const struct tern_completion *done, uint64_t context)
{
    if (holder.owner == 0)
        return -TERN_ST_BAD_ARGUMENT;
    tern_tpop_hear(tasks, pop, done);
    if (pop->missing)
        return 1;
    if (pop->status)
        return pop->status;
    if (pop->got && !pop->guess && !pop->reread)
        return read_behind(sq, tasks, pop, context);
    pop->got = with_tasks(tasks, pop);
    return pop->got ? claim(sq, tasks, holder, pop) : -TERN_ST_NOT_FOUND;
}

bool tern_tpop_next(const struct tern_tasks *tasks, struct tern_tpop *pop, struct tern_task *task)
{
    struct tern_task_state state;
    uint32_t bit;

    if (!pop->got)
        return false;
    bit = (uint32_t)__builtin_ctz(pop->got);
    state = state_landed(tasks, pop, bit);
    *task = (struct tern_task){
        .index = tern_task_index(tasks, pop->word, bit),
        .generation = state.generation,
        .attempt = state.attempt,
        .record = landed(tasks, pop, bit) + TASK_WORD,
    };
    pop->got &= pop->got - 1;
    return true;
}

/* ---- running */

static bool is_place(const struct tern_tasks *tasks, const struct tern_task *task)
{
    return task->index < tasks->priorities * tasks->places;
}

int tern_tdone_post(struct tern_sq *sq, const struct tern_tasks *tasks,
                    const struct tern_task *task, unsigned flags,
               uint64_t context)
{
    const struct tern_task_state mine = {task->generation, task->attempt, true},
        over = {task->generation, task->attempt, false};

    if (!is_place(tasks, task))
        return -TERN_ST_BAD_RANGE;
    return tern_compare_swap(sq, at(tasks, tern_task_place_at(tasks, task->index)),
                             tern_task_state_word(mine),
                             tern_task_state_word(over), flags | TERN_DFLAG_SIGNAL, context);
}

/* Returns why the state word was not that of this attempt. */
static int not_mine(struct tern_task_state state, const struct tern_task *task)
{
    if (state.generation != task->generation)
        return -TERN_ST_STALE_POINTER;
    return state.live ? -TERN_ST_NOT_OWNER : -TERN_ST_NOT_TAKEN;
}

int tern_tdone_done(struct tern_sq *sq, const struct tern_tasks *tasks,
                    const struct tern_task *task,
                    const struct tern_completion *done, unsigned flags, uint64_t context)
{
    const struct tern_task_state mine = {task->generation, task->attempt, true};

    if (done->opcode != TERN_OP_CAS)
        return -TERN_ST_BAD_ARGUMENT;
    if (done->status != TERN_ST_OK)
        return -(int)done->status;
    if (done->value != tern_task_state_word(mine))
        return not_mine(tern_task_state_read(done->value), task);
    return tern_task_make_free(sq, tasks, task->index, flags, context);
}

/* Fenced, because the put of the claim word may still be in flight. */
int tern_trenew_post(struct tern_sq *sq, const struct tern_tasks *tasks,
                     struct tern_holder holder, const struct tern_task *task,
                unsigned flags, uint64_t context)
{
    struct tern_task next = *task;

    if (!is_place(tasks, task))
        return -TERN_ST_BAD_RANGE;
    next.renewals++;
    return tern_compare_swap(sq, at(tasks, tern_task_claim_at(tasks, task->index)),
                             tern_task_claim_word(holder, task),
                             tern_task_claim_word(holder, &next),
                                 flags | TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, context);
}

int tern_trenew_done(struct tern_holder holder, struct tern_task *task,
                     const struct tern_completion *done)
{
    if (done->opcode != TERN_OP_CAS)
        return -TERN_ST_BAD_ARGUMENT;
    if (done->status != TERN_ST_OK)
        return -(int)done->status;
    if (done->value != tern_task_claim_word(holder, task))
        return -TERN_ST_NOT_OWNER;
    task->renewals++;
    return 0;
}
