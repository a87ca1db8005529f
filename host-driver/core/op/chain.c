/* SPDX-License-Identifier: Apache-2.0 */
/* Chains: steps are kept until there is room for all of them. */
#include <stdlib.h>
#include <string.h>
#include <tern/chain.h>

#include "queue.h"

struct step {
    uint32_t words[DESC_WORDS];
    unsigned flags;
    uint64_t context;
};

struct tern_chain {
    unsigned count;
    bool too_long;
    struct step step[TERN_CHAIN_STEPS];
};

int tern_chain_begin(struct tern_sq *sq)
{
    if (sq->chain)
        return -TERN_ST_BAD_ARGUMENT;
    sq->chain = calloc(1, sizeof(*sq->chain));
    return sq->chain ? 0 : -TERN_ST_NO_MEMORY;
}

void tern_chain_drop(struct tern_sq *sq)
{
    free(sq->chain);
    sq->chain = NULL;
}

/* As long as it may be, and so that there is room for it when the queues are empty. */
static unsigned steps_max(const struct tern_sq *sq)
{
    uint32_t places = UINT32_C(1) << sq->places.log2_entries;
    uint32_t completions = UINT32_C(1) << sq->cq->ring.log2_entries;
    uint32_t least = places < completions ? places : completions;

    return least < TERN_CHAIN_STEPS ? least : TERN_CHAIN_STEPS;
}

/* What makes a step of it.  A chain flushes what follows a wait by itself. */
static void link_step(const struct tern_chain *chain, struct step *step)
{
    TERN_SET(DESC, decides, step->words, 1);
    TERN_SET(DESC, strict, step->words, 1);
    TERN_SET(DESC, linked, step->words, chain->count != 0);
    step->flags |= TERN_DFLAG_FENCE;
    if (TERN_GET(DESC, opcode, step->words) == TERN_OP_WAIT)
        TERN_SET(CHK, guarded, step->words, 0);
}

int tern_chain_add(struct tern_sq *sq, const uint32_t words[DESC_WORDS], unsigned flags, uint64_t context)
{
    struct tern_chain *chain = sq->chain;
    struct step *step;

    if (chain->count == steps_max(sq)) {
        chain->too_long = true;
        return -TERN_ST_CHAIN_TOO_LONG;
    }
    step = &chain->step[chain->count];
    memcpy(step->words, words, sizeof(step->words));
    step->flags = flags;
    step->context = context;
    link_step(chain, step);
    chain->count++;
    return 0;
}

/* There is room. */
static int post_steps(struct tern_sq *sq, struct tern_chain *chain)
{
    int status = 0;

    chain->step[chain->count - 1].flags |= TERN_DFLAG_SIGNAL;
    sq->chain_number += sq->chain_number == UINT32_MAX ? 2 : 1; /* 0: none */
    for (unsigned i = 0; !status && i < chain->count; i++) {
        struct step *step = &chain->step[i];
        uint32_t count = sq->places.made;

        status = tern_post(sq, step->words, step->flags | TERN_MORE, step->context);
        if (!status)
            tern_places_chain(&sq->places, count, sq->chain_number);
    }
    return status ? status : tern_sq_flush(sq);
}

int tern_chain_post(struct tern_sq *sq)
{
    struct tern_chain *chain = sq->chain;
    int status;

    if (!chain || chain->count == 0)
        return -TERN_ST_BAD_ARGUMENT;
    if (chain->too_long)
        return -TERN_ST_CHAIN_TOO_LONG;
    if (!tern_sq_room(sq, chain->count)) {
        status = tern_sq_flush(sq);
        return status ? status : -TERN_ST_AGAIN;
    }
    sq->chain = NULL;
    status = post_steps(sq, chain);
    free(chain);
    return status;
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
