/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inboxes: a reception FIFO whose entries the NIC may use as soon as a buffer is posted, one for each.  A count names a
 * buffer and the entry that its message lands in.
 */
#include <stdlib.h>
#include <string.h>

#include "pairs.h"

static uint32_t entries(const struct tern_inbox *inbox)
{
    return UINT32_C(1) << inbox->rq->log2_entries;
}

static struct tern_letter *letter_at(const struct tern_inbox *inbox, uint32_t count)
{
    return &inbox->letters[count & (entries(inbox) - 1)];
}

/* The NIC counts entries that were given back: with none posted, the ring is to look full. */
static int ring(struct tern_inbox *inbox)
{
    return tern_doorbell(inbox->rq->cq->device, inbox->rq->number, (inbox->posted - entries(inbox)) & 0xffffff);
}

int tern_inbox_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, unsigned flags,
                      struct tern_inbox **out)
{
    struct tern_inbox *inbox;
    int status;

    if (log2_entries > TERN_RING_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    inbox = calloc(1, sizeof(*inbox));
    if (inbox)
        inbox->letters = calloc((size_t)1 << log2_entries, sizeof(*inbox->letters));
    status = inbox && inbox->letters ? 0 : -TERN_ST_NO_MEMORY;
    if (!status)
        status = tern_rq_create_paired(cq, log2_entries, log2_bytes, &inbox->rq);
    if (status) {
        if (inbox)
            free(inbox->letters);
        free(inbox);
        return status;
    }
    inbox->shared = (flags & TERN_INBOX_SHARED) != 0;
    inbox->next = cq->inboxes;
    cq->inboxes = inbox;
    *out = inbox;
    return ring(inbox);
}

int tern_inbox_destroy(struct tern_inbox *inbox)
{
    struct tern_inbox **link = &inbox->rq->cq->inboxes;
    int status;

    if (inbox->pairs)
        return -TERN_ST_QUEUE_BUSY;
    while (*link != inbox)
        link = &(*link)->next;
    status = tern_rq_destroy(inbox->rq);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    *link = inbox->next;
    free(inbox->letters);
    free(inbox);
    return status;
}

int tern_inbox_post(struct tern_inbox *inbox, void *buffer, uint32_t bytes, uint64_t context)
{
    struct tern_pair *owner = inbox->shared ? NULL : inbox->pairs;
    struct tern_letter *letter = letter_at(inbox, inbox->posted);
    int status = tern_transport_state(inbox->rq->cq->device->transport);

    if (status)
        return status;
    if (inbox->posted - inbox->oldest >= entries(inbox))
        return -TERN_ST_AGAIN;
    *letter = (struct tern_letter){.buffer = buffer, .context = context, .bytes = bytes, .state = LETTER_POSTED};
    inbox->posted++;
    if (!owner || owner->state != TERN_PAIR_ERROR)
        return ring(inbox);
    if (owner->shut)
        tern_inbox_lose(inbox, inbox->posted - 1, owner->number);
    return 0;
}

unsigned tern_inbox_left(const struct tern_inbox *inbox)
{
    return inbox->posted - inbox->oldest - inbox->ended;
}

/* The buffer's turn is over. */
static void end(struct tern_inbox *inbox, struct tern_letter *letter)
{
    letter->state = LETTER_FREE;
    inbox->ended++;
    while (inbox->oldest != inbox->posted && letter_at(inbox, inbox->oldest)->state == LETTER_FREE) {
        inbox->oldest++;
        inbox->ended--;
    }
}

/* The letter that the NIC names by the low half of its count, or NULL. */
static struct tern_letter *find(const struct tern_inbox *inbox, uint32_t entry)
{
    uint32_t ahead = (uint16_t)(entry - inbox->oldest);

    if (ahead >= inbox->posted - inbox->oldest)
        return NULL;
    return letter_at(inbox, inbox->oldest + ahead);
}

bool tern_inbox_take(struct tern_inbox *inbox, struct tern_completion *out)
{
    struct tern_letter *letter = find(inbox, out->index);
    const uint8_t *from = inbox->rq->memory.base +
                          ((size_t)(out->index & (entries(inbox) - 1)) << inbox->rq->log2_bytes);

    if (!letter || letter->state != LETTER_POSTED)
        return false;
    out->context = letter->context;
    out->data = letter->buffer;
    if (out->status == TERN_ST_OK && out->length > letter->bytes)
        out->status = TERN_ST_MSG_TOO_LONG;
    if (out->status == TERN_ST_OK && out->length)
        memcpy(letter->buffer, from, out->length);
    end(inbox, letter);
    return true;
}

void tern_inbox_lose(struct tern_inbox *inbox, uint32_t entry, uint16_t queue)
{
    struct tern_letter *letter = find(inbox, entry);

    if (!letter || letter->state != LETTER_POSTED)
        return;
    letter->state = LETTER_FLUSHED;
    letter->queue = queue;
    inbox->lost++;
    inbox->rq->cq->pairs_owe = true;
}

void tern_inbox_flush(struct tern_inbox *inbox, uint16_t queue)
{
    for (uint32_t count = inbox->oldest; count != inbox->posted; count++)
        tern_inbox_lose(inbox, count, queue);
}

bool tern_inbox_has_lost(const struct tern_inbox *inbox)
{
    return inbox->lost != 0;
}

int tern_inbox_tell_lost(struct tern_inbox *inbox, struct tern_completion *out, int max)
{
    uint32_t first = inbox->oldest, last = inbox->posted;
    int told = 0;

    for (uint32_t count = first; inbox->lost && count != last && told < max; count++) {
        struct tern_letter *letter = letter_at(inbox, count);

        if (letter->state != LETTER_FLUSHED)
            continue;
        out[told++] = (struct tern_completion){.status = TERN_ST_FLUSHED,
                                               .opcode = TERN_OP_RECV,
                                               .index = (uint16_t)count,
                                               .queue = letter->queue,
                                               .node = inbox->rq->cq->device->info.node,
                                               .context = letter->context,
                                               .data = letter->buffer};
        inbox->lost--;
        end(inbox, letter);
    }
    return told;
}

int tern_inbox_begin_anew(struct tern_inbox *inbox, uint32_t taken)
{
    inbox->oldest = inbox->posted = taken;
    inbox->ended = inbox->lost = 0;
    return ring(inbox);
}
