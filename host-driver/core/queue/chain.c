/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains. Each step takes a place when it is posted, and the doorbell rings after the last one. So
 * a step that finds no room gives the places of earlier steps back.
 */
#include <string.h>

#include <tern/chain.h>

#include "queue.h"

/* Returns the maximum number of steps, which must fit into empty queues. */
static unsigned steps_max(const struct tern_sq *sq)
{
    uint32_t places = UINT32_C(1) << sq->places.log2_entries;
    uint32_t completions = UINT32_C(1) << sq->cq->ring.log2_entries;
    uint32_t least = places < completions ? places : completions;

    return least < TERN_CHAIN_STEPS ? least : TERN_CHAIN_STEPS;
}

/* Tells whether one more step fits; every step may complete with an error. */
static bool has_room(const struct tern_sq *sq)
{
    return tern_places_free(&sq->places) > 0 &&
           sq->cq->expected + sq->chain.quiet < UINT32_C(1) << sq->cq->ring.log2_entries;
}

static void begin(struct tern_sq *sq, struct tern_work *work)
{
    sq->chain = (struct tern_chain){.first = sq->places.made, .quiet_run = sq->places.quiet_run,
                                    .work = work};
    sq->chain_number += sq->chain_number == UINT32_MAX ? 2 : 1; /* 0: none */
}

void tern_chain_drop(struct tern_sq *sq)
{
    if (sq->chain.steps)
        sq->cq->expected -= tern_places_undo(&sq->places, sq->chain.first, sq->chain.quiet_run);
    sq->chain.steps = 0;
}

/* Drops the chain that misses this step. */
static int give_up(struct tern_sq *sq, int why)
{
    tern_chain_drop(sq);
    return why;
}

/* Marks a descriptor as a step. After a failed wait, the chain itself flushes the rest. */
static void link_step(struct tern_sq *sq, uint32_t *words)
{
    TERN_SET(DESC, decides, words, 1);
    TERN_SET(DESC, strict, words, 1);
    TERN_SET(DESC, linked, words, sq->chain.steps != 0);
    if (TERN_GET(DESC, opcode, words) == TERN_OP_WAIT)
        TERN_SET(CHK, guarded, words, 0);
}

int tern_chain_step(struct tern_sq *sq, uint32_t words[DESC_WORDS], unsigned *flags,
                    struct tern_work *work)
{
    if (sq->chain.steps && sq->chain.work != work)
        return -TERN_ST_AGAIN; /* the chain of another work is unfinished */
    if (!sq->chain.steps)
        begin(sq, work);
    if (sq->chain.steps == steps_max(sq))
        return give_up(sq, -TERN_ST_CHAIN_TOO_LONG);
    if (!has_room(sq))
        return give_up(sq, -TERN_ST_AGAIN);
    link_step(sq, words);
    *flags |= TERN_DFLAG_FENCE | (*flags & TERN_LINK ? TERN_MORE : TERN_DFLAG_SIGNAL);
    sq->chain.steps++;
    sq->chain.quiet += !(*flags & TERN_DFLAG_SIGNAL) && !tern_places_owe(&sq->places);
    return 0;
}

bool tern_chain_swallows(struct tern_sq *sq, uint32_t number, enum tern_status status)
{
    bool told = sq->chain_failed == number;

    if (number == 0 || status == TERN_ST_OK)
        return false;
    sq->chain_failed = number;
    return told;
}

int tern_chain_cancel(struct tern_sq *sq, bool *cancelled)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_CANCEL);
    TERN_SET(ADM, id, words, sq->number);
    status = tern_admin(sq->cq->device, words, NULL, 0, cqe);
    if (!status && cancelled)
        *cancelled = TERN_GET(CQE, length, cqe) != 0;
    return status;
}
