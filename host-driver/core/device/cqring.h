/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The reader's side of a completion ring: a head and the phase bit.  The NIC writes phase 1 on the
 * first lap and flips it on every lap; memory starts as zeros.
 */
#ifndef TERN_CQRING_H
#define TERN_CQRING_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_abi.h"

#define CQE_WORDS (TERN_CQE_BYTES / 4)

struct tern_cqring {
    const uint32_t *words;
    uint32_t head;  /* completions taken, free-running */
    uint32_t rung;  /* of them told to the NIC */
    unsigned log2_entries;
};

/* Is there a completion to take? */
bool tern_cqring_ready(const struct tern_cqring *ring);

/* Copies the completion `ahead` of the next one, which stays; false when it has not come. */
bool tern_cqring_peek(const struct tern_cqring *ring, uint32_t ahead, uint32_t cqe[CQE_WORDS]);

/* Copies the next completion and moves on; false when there is none. */
bool tern_cqring_take(struct tern_cqring *ring, uint32_t cqe[CQE_WORDS]);

/* Have a quarter of the entries been taken since the last doorbell? */
bool tern_cqring_owes(const struct tern_cqring *ring);

#endif
