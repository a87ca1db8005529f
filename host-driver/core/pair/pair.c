/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Creation and states of queue pairs. A pair is a send queue and the next queue number, for which
 * the NIC knows the inbox of arriving messages. That number names the pair; a receiver derives it
 * from the sender's send queue.
 */
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

enum { TRIES = 64 };

/*
 * Finds a send queue whose next queue number is free. If another function has that number, asks for
 * another send queue.
 */
static int find_numbers(struct tern_pair *pair, struct tern_cq *cq, unsigned log2_entries)
{
    struct tern_sq *spare[TRIES];
    unsigned spares = 0;
    int status;

    for (;;) {
        status = tern_sq_create(cq, log2_entries, &pair->sq);
        if (status)
            break;
        pair->number = (uint16_t)(pair->sq->number + 1);
        status = tern_pair_tell(pair, false);
        if (!status)
            break;
        if (spares == TRIES || (status != -TERN_ST_QUEUE_BUSY && status != -TERN_ST_BAD_QUEUE)) {
            (void)tern_sq_destroy(pair->sq);
            break;
        }
        spare[spares++] = pair->sq;
    }
    while (spares-- > 0)
        (void)tern_sq_destroy(spare[spares]);
    return status;
}

static void join(struct tern_pair *pair, struct tern_cq *cq)
{
    tern_pair_attach(pair, cq);
    pair->next_of_inbox = pair->inbox->pairs;
    pair->inbox->pairs = pair;
}

static void leave(struct tern_pair *pair)
{
    struct tern_pair **link = &pair->inbox->pairs;

    tern_end_set(pair->sq->cq->device, pair->number, NULL);
    tern_work_remove(&pair->work);
    while (*link != pair)
        link = &(*link)->next_of_inbox;
    *link = pair->next_of_inbox;
}

int tern_pair_create(struct tern_cq *cq, unsigned kind, unsigned log2_entries,
                     struct tern_inbox *inbox,
                     struct tern_pair **out)
{
    struct tern_pair *pair;
    int status;

    if (kind > TERN_PAIR_UD)
        return -TERN_ST_BAD_TYPE;
    if (log2_entries > TERN_RING_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    if (inbox->pairs && !inbox->shared)
        return -TERN_ST_QUEUE_BUSY;
    pair = calloc(1, sizeof(*pair));
    if (pair)
        pair->bad = calloc((size_t)1 << log2_entries, sizeof(*pair->bad));
    status = pair && pair->bad ? 0 : -TERN_ST_NO_MEMORY;
    if (!status) {
        pair->kind = (uint8_t)kind;
        pair->inbox = inbox;
        status = find_numbers(pair, cq, log2_entries);
    }
    if (status) {
        if (pair)
            free(pair->bad);
        free(pair);
        return status;
    }
    join(pair, cq);
    *out = pair;
    return 0;
}

/*
 * Flushes the buffers of messages that have arrived and were not polled: their completions name a
 * pair that no longer exists.
 */
static void lose_messages(struct tern_pair *pair)
{
    const struct tern_cqring *ring = &pair->inbox->rq->cq->ring;
    uint32_t cqe[CQE_WORDS];

    for (uint32_t ahead = 0; tern_cqring_peek(ring, ahead, cqe); ahead++)
        if (TERN_GET(CQE, opcode, cqe) == TERN_OP_RECV && TERN_GET(CQE, queue, cqe) == pair->number)
            tern_inbox_lose(pair->inbox, (uint32_t)TERN_GET(CQE, index, cqe), pair->number);
}

int tern_pair_destroy(struct tern_pair *pair)
{
    struct tern_device *device = pair->sq->cq->device;
    int status = tern_pair_tell(pair, false);

    if (!status) {
        lose_messages(pair);
        status = tern_admin_remove(device, TERN_ADMIN_DELETE_QUEUE, pair->number,
                                   TERN_ST_BAD_QUEUE);
    }
    if (status && status != -TERN_ST_DISCONNECTED && status != -TERN_ST_BAD_QUEUE)
        return status;
    leave(pair);
    status = tern_sq_destroy(pair->sq);
    free(pair->bad);
    free(pair);
    return status;
}

struct tern_pair_name tern_pair_name(const struct tern_pair *pair)
{
    const struct tern_device *device = pair->sq->cq->device;

    return (struct tern_pair_name){device->info.node, pair->number, (uint8_t)device->incarnation};
}

enum tern_pair_state tern_pair_state(const struct tern_pair *pair)
{
    return pair->state;
}

int tern_pair_connect(struct tern_pair *pair, const struct tern_pair_peer *peer)
{
    int status;

    if (pair->state != TERN_PAIR_RESET)
        return -TERN_ST_BAD_STATE;
    pair->peer = *peer;
    status = tern_pair_tell(pair, true);
    if (!status)
        pair->state = TERN_PAIR_RTR;
    return status;
}

int tern_pair_start(struct tern_pair *pair, uint16_t first, unsigned tries)
{
    if (pair->state != TERN_PAIR_RTR)
        return -TERN_ST_BAD_STATE;
    pair->sequence = first;
    pair->tries = tries;
    pair->tried = 0;
    pair->last = CLASS_NONE;
    pair->unlinked = true;
    pair->state = TERN_PAIR_RTS;
    return 0;
}

int tern_pair_reset(struct tern_pair *pair)
{
    struct tern_inbox *inbox = pair->inbox;
    int status = 0;

    if (pair->state != TERN_PAIR_ERROR)
        return pair->state == TERN_PAIR_RESET ? 0 : -TERN_ST_BAD_STATE;
    if (!pair->shut || pair->bad_count || !tern_pair_is_quiet(pair) || (!inbox->shared &&
            inbox->oldest != inbox->posted))
        return -TERN_ST_QUEUE_BUSY;
    if (!inbox->shared)
        status = tern_inbox_begin_anew(inbox, inbox->taken);
    if (!status)
        status = tern_pair_tell(pair, false);
    if (!status)
        pair->state = TERN_PAIR_RESET;
    return status;
}
