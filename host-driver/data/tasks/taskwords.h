/* SPDX-License-Identifier: Apache-2.0 */
/* Words of task queues: functions to build and parse them. */
#ifndef TERN_TASKWORDS_H
#define TERN_TASKWORDS_H

#include <tern/tasks.h>

enum { TASK_WORD = TERN_ATOMIC_BYTES };

/* The fields of a task's state word, and of the claim word of its attempt. */
struct tern_task_state {
    uint32_t generation;
    uint16_t attempt;
    bool live;
};

struct tern_task_claim {
    uint16_t generation;
    uint8_t attempt, renewals;
    struct tern_holder holder;
};

uint64_t tern_task_state_word(struct tern_task_state state);
struct tern_task_state tern_task_state_read(uint64_t word);
uint64_t tern_task_claim_word(struct tern_holder holder, const struct tern_task *task);
struct tern_task_claim tern_task_claim_read(uint64_t word);

/* Return offsets in the queue's memory. */
uint64_t tern_task_ready_at(uint32_t word);
uint64_t tern_task_free_at(const struct tern_tasks *tasks, uint32_t word);
uint64_t tern_task_claim_at(const struct tern_tasks *tasks, uint32_t index);
uint64_t tern_task_place_at(const struct tern_tasks *tasks, uint32_t index);

/* Return the words of one priority; the places of word `word`; the place of bit `bit` of it. */
uint32_t tern_task_words_each(const struct tern_tasks *tasks);
uint32_t tern_task_places_of(const struct tern_tasks *tasks, uint32_t word);
uint32_t tern_task_index(const struct tern_tasks *tasks, uint32_t word, uint32_t bit);
/* Return word and bit of a place. */
uint32_t tern_task_word(const struct tern_tasks *tasks, uint32_t index);
uint32_t tern_task_bit(const struct tern_tasks *tasks, uint32_t index);

/* Return the clear bits of a map word; the lowest `count` bits of a set. */
uint32_t tern_task_clear_bits(uint64_t map);
uint32_t tern_task_lowest(uint32_t bits, unsigned count);

/*
 * Posts one operation that makes tasks of a word ready, or places free: it clears bits of a map
 * word if all of them are set.
 */
int tern_task_make_ready(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                         uint32_t bits, unsigned flags,
                         uint64_t context);
int tern_task_make_free(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t index,
                        unsigned flags, uint64_t context);

/* Parts of a worker's scratch: its hints for the free places of each word; places to be put. */
uint64_t *tern_worker_free_places(const struct tern_worker *worker);
uint8_t *tern_worker_going(const struct tern_worker *worker);

#endif
