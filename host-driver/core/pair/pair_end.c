/* SPDX-License-Identifier: Apache-2.0 */
/* How messages and operations of queue pairs end. */
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

/* ---- messages */

static struct tern_pair *find(const struct tern_cq *cq, uint16_t number)
{
    for (const struct tern_inbox *inbox = cq->inboxes; inbox; inbox = inbox->next)
        for (struct tern_pair *pair = inbox->pairs; pair; pair = pair->next_of_inbox)
            if (pair->number == number)
                return pair;
    return NULL;
}

void tern_pair_break(struct tern_pair *pair)
{
    if (pair->state == TERN_PAIR_ERROR)
        return;
    pair->state = TERN_PAIR_ERROR;
    pair->told = pair->shut = false;
    pair->sq->cq->pairs_owe = true;
}

int tern_pair_fail(struct tern_pair *pair)
{
    tern_pair_break(pair);
    return tern_transport_state(pair->sq->cq->device->transport);
}

bool tern_pairs_receive(struct tern_cq *cq, struct tern_completion *out)
{
    struct tern_pair *pair = find(cq, out->queue);

    if (!pair || !tern_inbox_take(pair->inbox, out))
        return false;
    out->value = (uint16_t)(out->value + 1); /* the number of a pair is that behind its send queue */
    if (out->status != TERN_ST_OK)
        tern_pair_break(pair);
    return true;
}

/* ---- what was posted */

bool tern_pair_ended(struct tern_pair *pair, struct tern_completion *out, const struct tern_place *place)
{
    const struct tern_sq *sq = pair->sq;
    uint32_t at = out->index & ((UINT32_C(1) << sq->places.log2_entries) - 1);
    struct tern_bad *bad;

    if (place->state != PLACE_WATCHED)
        return false;
    if (out->status == TERN_ST_OK)
        pair->tried = 0;
    if (out->status == TERN_ST_OK || pair->kind == TERN_PAIR_UD)
        return out->status != TERN_ST_OK || place->group != PAIR_QUIET;
    bad = &pair->bad[pair->bad_count++];
    pair->sq->cq->pairs_owe = true;
    memcpy(bad->words, sq->memory.base + (size_t)at * TERN_DESC_BYTES, TERN_DESC_BYTES);
    bad->done = *out;
    bad->quiet = place->group;
    return false;
}

static bool is_part(const struct tern_bad *bad)
{
    return bad->done.opcode == TERN_OP_SEND && TERN_GET(PAR, more, bad->words);
}

/* In the order in which they were posted: fewer than 2^15. */
static int by_index(const void *a, const void *b)
{
    const struct tern_bad *left = a, *right = b;

    return (int16_t)(left->done.index - right->done.index);
}

/* What cut the queue.  What was waiting to be tried again is flushed by it as well, though it stands before it. */
static const struct tern_bad *reason(const struct tern_pair *pair)
{
    unsigned at = 0;

    while (at + 1 < pair->bad_count && pair->bad[at].done.status == TERN_ST_FLUSHED)
        at++;
    return &pair->bad[at];
}

/* All that was out has ended, some of it badly: it begins anew, or the pair is done for. */
static void judge(struct tern_pair *pair)
{
    const struct tern_bad *first;

    qsort(pair->bad, pair->bad_count, sizeof(*pair->bad), by_index);
    first = reason(pair);
    pair->bad_status = first->done.status;
    pair->again = pair->state == TERN_PAIR_RTS && first->done.status == TERN_ST_RNR &&
                  first->done.opcode == TERN_OP_SEND &&
                  (pair->tries == TERN_PAIR_FOR_EVER || pair->tried < pair->tries);
    if (!pair->again) {
        tern_pair_break(pair);
        return;
    }
    pair->tried++;
}

/* Completions of what did not end well: the first says why, the others were flushed.  A message has one. */
static int tell_bad(struct tern_pair *pair, struct tern_completion *out, int max)
{
    int told = 0;

    while (pair->bad_done < pair->bad_count && told < max) {
        const struct tern_bad *bad = &pair->bad[pair->bad_done++];

        if (is_part(bad))
            continue;
        out[told] = bad->done;
        out[told++].status = pair->bad_status;
        pair->bad_status = TERN_ST_FLUSHED;
    }
    if (pair->bad_done == pair->bad_count)
        pair->bad_count = pair->bad_done = 0;
    return told;
}

static int step_bad(struct tern_pair *pair, struct tern_completion *out, int max)
{
    bool lost = tern_transport_state(pair->sq->cq->device->transport) != 0;

    if (!pair->bad_count)
        return 0;
    if (!pair->again && !pair->bad_done) {
        if (!lost && !tern_pair_is_quiet(pair))
            return 0;
        judge(pair);
    }
    if (!pair->again || lost || pair->state != TERN_PAIR_RTS)
        return tell_bad(pair, out, max);
    tern_pair_again(pair);
    return 0;
}

/*
 * The NIC writes nothing more for the pair from when it has been told.  When all that it wrote before has been polled, no
 * buffer that is left will get a message.
 */
static void shut(struct tern_pair *pair)
{
    struct tern_inbox *inbox = pair->inbox;

    if (!pair->told && tern_pair_tell(pair, false))
        return;
    pair->told = true;
    if (tern_cqring_ready(&inbox->rq->cq->ring))
        return;
    pair->shut = true;
    if (inbox->shared)
        return;
    inbox->taken = inbox->oldest + pair->begun;
    tern_inbox_flush(inbox, pair->number);
}

static bool owes_shutting(const struct tern_pair *pair)
{
    return pair->state == TERN_PAIR_ERROR && !pair->shut &&
           !tern_transport_state(pair->sq->cq->device->transport);
}

int tern_pairs_step(struct tern_cq *cq, struct tern_completion *out, int max)
{
    int count = 0;

    if (!cq->pairs_owe)
        return 0;
    cq->pairs_owe = false;
    for (struct tern_pair *pair = cq->pairs; pair; pair = pair->next) {
        count += step_bad(pair, out + count, max - count);
        if (owes_shutting(pair))
            shut(pair);
        cq->pairs_owe |= pair->bad_count || owes_shutting(pair);
    }
    for (struct tern_inbox *inbox = cq->inboxes; inbox; inbox = inbox->next) {
        count += tern_inbox_tell_lost(inbox, out + count, max - count);
        cq->pairs_owe |= tern_inbox_has_lost(inbox);
    }
    return count;
}

bool tern_pairs_ready(const struct tern_cq *cq)
{
    for (const struct tern_pair *pair = cq->pairs; pair; pair = pair->next)
        if ((pair->bad_count && (pair->again || pair->bad_done || tern_pair_is_quiet(pair))) ||
            owes_shutting(pair))
            return true;
    for (const struct tern_inbox *inbox = cq->inboxes; inbox; inbox = inbox->next)
        if (tern_inbox_has_lost(inbox))
            return true;
    return false;
}

void tern_pairs_free(struct tern_cq *cq)
{
    while (cq->pairs) {
        struct tern_pair *pair = cq->pairs;

        cq->pairs = pair->next;
        free(pair->bad);
        free(pair);
    }
    while (cq->inboxes) {
        struct tern_inbox *inbox = cq->inboxes;

        cq->inboxes = inbox->next;
        free(inbox->letters);
        free(inbox);
    }
}
