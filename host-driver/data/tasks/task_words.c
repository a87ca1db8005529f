/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets and contents of the words of a task queue. */
#include <tern/atomic.h>

#include "slabs_inside.h"
#include "taskwords.h"

enum { PLACES_ALIGN = 64 };

/* ---- words */

static uint64_t word_of(const uint32_t *w)
{
    return w[0] | (uint64_t)w[1] << 32;
}

uint64_t tern_task_state_word(struct tern_task_state state)
{
    uint32_t w[2] = {0};

    TERN_SET(TSK, generation, w, state.generation);
    TERN_SET(TSK, attempt, w, state.attempt);
    TERN_SET(TSK, live, w, state.live);
    return word_of(w);
}

struct tern_task_state tern_task_state_read(uint64_t word)
{
    const uint32_t w[2] = {(uint32_t)word, (uint32_t)(word >> 32)};

    return (struct tern_task_state){
        .generation = (uint32_t)TERN_GET(TSK, generation, w),
        .attempt = (uint16_t)TERN_GET(TSK, attempt, w),
        .live = TERN_GET(TSK, live, w) != 0,
    };
}

uint64_t tern_task_claim_word(struct tern_holder holder, const struct tern_task *task)
{
    uint32_t w[2] = {0};

    TERN_SET(CLM, generation, w, task->generation & UINT16_MAX);
    TERN_SET(CLM, attempt, w, task->attempt & UINT8_MAX);
    TERN_SET(CLM, renewals, w, task->renewals);
    TERN_SET(CLM, owner, w, holder.owner);
    TERN_SET(CLM, epoch, w, holder.epoch);
    return word_of(w);
}

struct tern_task_claim tern_task_claim_read(uint64_t word)
{
    const uint32_t w[2] = {(uint32_t)word, (uint32_t)(word >> 32)};

    return (struct tern_task_claim){
        .generation = (uint16_t)TERN_GET(CLM, generation, w),
        .attempt = (uint8_t)TERN_GET(CLM, attempt, w),
        .renewals = (uint8_t)TERN_GET(CLM, renewals, w),
        .holder = {(uint16_t)TERN_GET(CLM, owner, w), (uint16_t)TERN_GET(CLM, epoch, w)},
    };
}

uint32_t tern_task_clear_bits(uint64_t map)
{
    return ~(uint32_t)map;
}

uint32_t tern_task_lowest(uint32_t bits, unsigned count)
{
    uint32_t some = 0;

    for (; count > 0 && bits; count--, bits &= bits - 1)
        some |= bits & (~bits + 1);
    return some;
}

/* ---- addresses */

uint32_t tern_task_words_each(const struct tern_tasks *tasks)
{
    return (tasks->places + TERN_BLOCK_SLABS - 1) / TERN_BLOCK_SLABS;
}

uint32_t tern_tasks_words(const struct tern_tasks *tasks)
{
    return tasks->priorities * tern_task_words_each(tasks);
}

uint32_t tern_task_places_of(const struct tern_tasks *tasks, uint32_t word)
{
    uint32_t left = tasks->places - word % tern_task_words_each(tasks) * TERN_BLOCK_SLABS;

    return left < TERN_BLOCK_SLABS ? left : TERN_BLOCK_SLABS;
}

uint32_t tern_task_index(const struct tern_tasks *tasks, uint32_t word, uint32_t bit)
{
    uint32_t each = tern_task_words_each(tasks);

    return word / each * tasks->places + word % each * TERN_BLOCK_SLABS + bit;
}

uint32_t tern_task_word(const struct tern_tasks *tasks, uint32_t index)
{
    return index / tasks->places * tern_task_words_each(tasks) +
           index % tasks->places / TERN_BLOCK_SLABS;
}

uint32_t tern_task_bit(const struct tern_tasks *tasks, uint32_t index)
{
    return index % tasks->places % TERN_BLOCK_SLABS;
}

static size_t all_places(const struct tern_tasks *tasks)
{
    return (size_t)tasks->priorities * tasks->places;
}

uint64_t tern_task_ready_at(uint32_t word)
{
    return (uint64_t)word * TASK_WORD;
}

uint64_t tern_task_free_at(const struct tern_tasks *tasks, uint32_t word)
{
    return ((uint64_t)tern_tasks_words(tasks) + word) * TASK_WORD;
}

uint64_t tern_task_claim_at(const struct tern_tasks *tasks, uint32_t index)
{
    return (2 * (uint64_t)tern_tasks_words(tasks) + index) * TASK_WORD;
}

uint64_t tern_task_place_at(const struct tern_tasks *tasks, uint32_t index)
{
    uint64_t head = (2 * (uint64_t)tern_tasks_words(tasks) + all_places(tasks)) * TASK_WORD;

    return (head + PLACES_ALIGN - 1) / PLACES_ALIGN * PLACES_ALIGN +
           (uint64_t)index * tern_tasks_place_bytes(tasks);
}

uint32_t tern_tasks_place_bytes(const struct tern_tasks *tasks)
{
    return TASK_WORD + tasks->record_bytes;
}

size_t tern_tasks_bytes(const struct tern_tasks *tasks)
{
    return tern_task_place_at(tasks, tasks->priorities * tasks->places);
}

/* ---- the node that has the memory */

static int refused(const void *memory, const struct tern_tasks *tasks)
{
    if ((uintptr_t)memory % PLACES_ALIGN != 0)
        return -TERN_ST_BAD_ALIGN;
    if (tasks->record_bytes % TASK_WORD != 0 ||
        tasks->record_bytes > TERN_TASK_BYTES_MAX - TASK_WORD)
        return -TERN_ST_BAD_SIZE;
    if (tasks->places == 0 || tasks->priorities == 0 ||
        (uint64_t)tasks->places * tasks->priorities > UINT32_MAX / 2)
        return -TERN_ST_BAD_ARGUMENT;
    return 0;
}

int tern_tasks_format(void *memory, size_t bytes, const struct tern_tasks *tasks)
{
    uint64_t *words = memory;
    int status = refused(memory, tasks);

    if (status)
        return status;
    if (tern_tasks_bytes(tasks) > bytes)
        return -TERN_ST_NO_MEMORY;
    for (size_t i = 0; i < tern_tasks_bytes(tasks) / TASK_WORD; i++)
        words[i] = 0;
    for (uint32_t word = 0; word < tern_tasks_words(tasks); word++) {
        uint64_t there = (UINT64_C(1) << tern_task_places_of(tasks, word)) - 1;

        words[tern_task_ready_at(word) / TASK_WORD] = tern_map_life(tasks->life) | UINT32_MAX;
        words[tern_task_free_at(tasks, word) / TASK_WORD] =
            tern_map_life(tasks->life) | (UINT32_MAX & ~there);
    }
    return 0;
}

/* ---- clearing bits */

static int clear(struct tern_sq *sq, const struct tern_tasks *tasks, uint64_t at, uint32_t bits,
                 unsigned flags, uint64_t context)
{
    return tern_map_clear(sq, tern_rptr_add(tasks->start, at), bits, tern_map_life(tasks->life),
                          tern_map_life(UINT8_MAX), flags,
                          context);
}

int tern_task_make_ready(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                         uint32_t bits, unsigned flags,
                         uint64_t context)
{
    return clear(sq, tasks, tern_task_ready_at(word), bits, flags, context);
}

int tern_task_make_free(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t index,
                        unsigned flags, uint64_t context)
{
    return clear(sq, tasks, tern_task_free_at(tasks, tern_task_word(tasks, index)),
                 UINT32_C(1) << tern_task_bit(tasks, index),
                 flags, context);
}
