/* SPDX-License-Identifier: Apache-2.0 */
/* Completion of messages and operations of queue pairs. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

/* ---- messages */

static struct tern_pair *pair_of(const struct tern_work *work)
{
    return (struct tern_pair *)(void *)((uint8_t *)(uintptr_t)work - offsetof(struct tern_pair,
                                                                              work));
}

void tern_pair_break(struct tern_pair *pair)
{
    if (pair->state == TERN_PAIR_ERROR)
        return;
    pair->state = TERN_PAIR_ERROR;
    pair->told = pair->shut = false;
    tern_work_wake(&pair->work);
}

int tern_pair_fail(struct tern_pair *pair)
{
    tern_pair_break(pair);
    return tern_transport_state(pair->sq->cq->device->transport);
}

/* Handles a message that arrived for the pair. */
static bool receive(struct tern_end *end, struct tern_completion *out)
{
    struct tern_pair *pair =
        (struct tern_pair *)(void *)((uint8_t *)end - offsetof(struct tern_pair, end));

    if (out->opcode != TERN_OP_RECV || !tern_inbox_take(pair->inbox, out))
        return false;
    /* the pair's number follows that of its send queue */
    out->value = (uint16_t)(out->value + 1);
    if (out->status != TERN_ST_OK)
        tern_pair_break(pair);
    return true;
}

/* ---- posted operations */

void tern_pair_serve(struct tern_pair *pair, struct tern_work *work)
{
    pair->served = work;
}

/* Returns whether the application gets it. */
static bool is_told(struct tern_pair *pair, struct tern_completion *out)
{
    return !pair->served || pair->served->calls->ended(pair->served, out, true);
}

static bool pair_ended(struct tern_work *work, struct tern_completion *out, bool wanted)
{
    struct tern_pair *pair = pair_of(work);
    const struct tern_sq *sq = pair->sq;
    struct tern_bad *bad;
    uint32_t at;

    if (out->status == TERN_ST_OK) {
        pair->tried = 0;
        return wanted && is_told(pair, out);
    }
    if (out->status == TERN_ST_DISCONNECTED || pair->kind == TERN_PAIR_UD)
        return is_told(pair, out);
    at = out->index & ((UINT32_C(1) << sq->places.log2_entries) - 1);
    bad = &pair->bad[pair->bad_count++];
    memcpy(bad->words, sq->memory.base + (size_t)at * TERN_DESC_BYTES, TERN_DESC_BYTES);
    bad->done = *out;
    bad->quiet = !wanted;
    tern_work_wake(&pair->work);
    return false;
}

static bool is_part(const struct tern_bad *bad)
{
    return bad->done.opcode == TERN_OP_SEND && TERN_GET(PAR, more, bad->words);
}

/* Sorts failed operations by the order of posting; there are fewer than 2^15. */
static int by_index(const void *a, const void *b)
{
    const struct tern_bad *left = a, *right = b;

    return (int16_t)(left->done.index - right->done.index);
}

/*
 * Returns the failed operation that stopped the queue. Older messages that waited for a retry are
 * flushed then, too.
 */
static const struct tern_bad *reason(const struct tern_pair *pair)
{
    unsigned at = 0;

    while (at + 1 < pair->bad_count && pair->bad[at].done.status == TERN_ST_FLUSHED)
        at++;
    return &pair->bad[at];
}

/* Judges failures after all operations in flight have ended: retries them, or breaks the pair. */
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

/*
 * Completes the failed operations: the first with the reason, the others as FLUSHED.  A message has
 * one completion.
 */
static bool tell_bad(struct tern_pair *pair, struct tern_completion *out)
{
    bool told = false;

    while (out && !told && pair->bad_done < pair->bad_count) {
        const struct tern_bad *bad = &pair->bad[pair->bad_done++];

        if (is_part(bad))
            continue;
        *out = bad->done;
        out->status = pair->bad_status;
        pair->bad_status = TERN_ST_FLUSHED;
        told = is_told(pair, out);
    }
    if (pair->bad_done == pair->bad_count)
        pair->bad_count = pair->bad_done = 0;
    return told;
}

static bool step_bad(struct tern_pair *pair, struct tern_completion *out)
{
    bool lost = tern_transport_state(pair->sq->cq->device->transport) != 0;

    if (!pair->bad_count)
        return false;
    if (!pair->again && !pair->bad_done) {
        if (!lost && !tern_pair_is_quiet(pair))
            return false;
        judge(pair);
    }
    if (!pair->again || lost || pair->state != TERN_PAIR_RTS)
        return tell_bad(pair, out);
    tern_pair_again(pair);
    return false;
}

/*
 * Shuts the pair.  After tern_pair_tell() the NIC writes nothing more for it; once all earlier
 * completions were polled, no posted buffer can get a message any more.
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

static bool pair_step(struct tern_work *work, struct tern_completion *out)
{
    struct tern_pair *pair = pair_of(work);
    bool told = step_bad(pair, out);

    if (told)
        return true;
    if (owes_shutting(pair))
        shut(pair);
    if (!pair->bad_count && !owes_shutting(pair))
        tern_work_sleep(work);
    return false;
}

static bool pair_ready(const struct tern_work *work)
{
    const struct tern_pair *pair = pair_of(work);

    return (pair->bad_count && (pair->again || pair->bad_done || tern_pair_is_quiet(pair))) ||
        owes_shutting(pair);
}

static void pair_free(struct tern_work *work)
{
    free(pair_of(work)->bad);
    free(pair_of(work));
}

static const struct tern_work_calls pair_calls = {
    .ended = pair_ended, .step = pair_step, .ready = pair_ready, .free = pair_free};

void tern_pair_attach(struct tern_pair *pair, struct tern_cq *cq)
{
    pair->sq->owned = true;
    tern_work_add(cq, &pair->work, &pair_calls);
    pair->end = (struct tern_end){pair->inbox->rq->cq, receive};
    tern_end_set(cq->device, pair->number, &pair->end);
}
