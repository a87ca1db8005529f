/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader's side of a completion ring: its head and the phase bit. The NIC writes phase 1 on the
 * first lap and flips it on every lap; the memory is initially zero.
 */
#ifndef TERN_CQRING_H
#define TERN_CQRING_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

#define CQE_WORDS (TERN_CQE_BYTES / 4)

struct tern_cqring {
    uint32_t *words;
    uint32_t head;  /* completions taken, free-running */
    uint32_t rung;  /* those that the NIC knows of */
    unsigned log2_entries;
};

/* Tells whether there is a completion to take. */
bool tern_cqring_ready(const struct tern_cqring *ring);

/*
 * Copies the completion `ahead` places after the next one, without taking it; false when it has not
 * come.
 */
bool tern_cqring_peek(const struct tern_cqring *ring, uint32_t ahead, uint32_t cqe[CQE_WORDS]);

/*
 * Makes the completion `ahead` places after the next one name no queue; it has come. The NIC does
 * not read completions.
 */
void tern_cqring_void(struct tern_cqring *ring, uint32_t ahead);

/* Copies the next completion and takes it; false when there is none. */
bool tern_cqring_take(struct tern_cqring *ring, uint32_t cqe[CQE_WORDS]);

/* Tells whether a quarter of the entries have been taken since the last doorbell. */
bool tern_cqring_owes(const struct tern_cqring *ring);

#endif
