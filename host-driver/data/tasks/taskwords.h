/* SPDX-License-Identifier: Apache-2.0 */
/* Words of task queues, for those who read and write them. */
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

/* Offsets in the queue's memory. */
uint64_t tern_task_ready_at(uint32_t word);
uint64_t tern_task_free_at(const struct tern_tasks *tasks, uint32_t word);
uint64_t tern_task_claim_at(const struct tern_tasks *tasks, uint32_t index);
uint64_t tern_task_place_at(const struct tern_tasks *tasks, uint32_t index);

/* Words of one priority; places of word `word`; the place that is bit `bit` of it. */
uint32_t tern_task_words_each(const struct tern_tasks *tasks);
uint32_t tern_task_places_of(const struct tern_tasks *tasks, uint32_t word);
uint32_t tern_task_index(const struct tern_tasks *tasks, uint32_t word, uint32_t bit);
/* The other way round. */
uint32_t tern_task_word(const struct tern_tasks *tasks, uint32_t index);
uint32_t tern_task_bit(const struct tern_tasks *tasks, uint32_t index);

/* Bits of a map word that are clear; the lowest `count` of some bits. */
uint32_t tern_task_clear_bits(uint64_t map);
uint32_t tern_task_lowest(uint32_t bits, unsigned count);

/*
 * Posts that tasks of a word are ready, or places free: bits of a map word are cleared if all
 * of them are set.
 */
int tern_task_make_ready(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t word,
                         uint32_t bits, unsigned flags,
                         uint64_t context);
int tern_task_make_free(struct tern_sq *sq, const struct tern_tasks *tasks, uint32_t index,
                        unsigned flags, uint64_t context);

/*
 * A worker's scratch: map words of places as it has seen them last; room for places that are to
 * be put.
 */
uint64_t *tern_worker_free_places(const struct tern_worker *worker);
uint8_t *tern_worker_going(const struct tern_worker *worker);

#endif
