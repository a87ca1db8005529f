/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inboxes. An inbox is a reception FIFO; for each posted buffer the NIC may use one of its entries.
 * A count names both a buffer and the entry for its message.
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

/* Tells the NIC how many entries are free; without posted buffers the ring must look full. */
static int ring(struct tern_inbox *inbox)
{
    return tern_doorbell(inbox->rq->cq->device, inbox->rq->number,
                         (inbox->posted - entries(inbox)) & 0xffffff);
}

static const struct tern_work_calls inbox_calls;

int tern_inbox_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes,
                      unsigned flags,
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
    tern_work_add(cq, &inbox->work, &inbox_calls);
    *out = inbox;
    return ring(inbox);
}

int tern_inbox_destroy(struct tern_inbox *inbox)
{
    int status;

    if (inbox->pairs)
        return -TERN_ST_QUEUE_BUSY;
    status = tern_rq_destroy(inbox->rq);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    tern_work_remove(&inbox->work);
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
    *letter = (struct tern_letter){
        .buffer = buffer, .context = context, .bytes = bytes, .state = LETTER_POSTED};
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

/* Removes the buffer from the inbox. */
static void end(struct tern_inbox *inbox, struct tern_letter *letter)
{
    letter->state = LETTER_FREE;
    inbox->ended++;
    while (inbox->oldest != inbox->posted && letter_at(inbox,
                                                       inbox->oldest)->state == LETTER_FREE) {
        inbox->oldest++;
        inbox->ended--;
    }
}

/* Returns the letter that the NIC names by the low half of its count, or NULL. */
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
    tern_work_wake(&inbox->work);
}

void tern_inbox_flush(struct tern_inbox *inbox, uint16_t queue)
{
    for (uint32_t count = inbox->oldest; count != inbox->posted; count++)
        tern_inbox_lose(inbox, count, queue);
}

static struct tern_letter *first_lost(const struct tern_inbox *inbox, uint32_t *count)
{
    for (*count = inbox->oldest; *count != inbox->posted; ++*count)
        if (letter_at(inbox, *count)->state == LETTER_FLUSHED)
            return letter_at(inbox, *count);
    return NULL;
}

static struct tern_inbox *inbox_of(const struct tern_work *work)
{
    return (struct tern_inbox *)(void *)
        ((uint8_t *)(uintptr_t)work - offsetof(struct tern_inbox, work));
}

/* Completes the first flushed buffer. */
static bool inbox_step(struct tern_work *work, struct tern_completion *out)
{
    struct tern_inbox *inbox = inbox_of(work);
    uint32_t count;
    struct tern_letter *letter = first_lost(inbox, &count);

    if (!letter)
        tern_work_sleep(work);
    if (!letter || !out)
        return false;
    *out = (struct tern_completion){.status = TERN_ST_FLUSHED,
                                    .opcode = TERN_OP_RECV,
                                    .index = (uint16_t)count,
                                    .queue = letter->queue,
                                    .node = inbox->rq->cq->device->info.node,
                                    .context = letter->context,
                                    .data = letter->buffer};
    end(inbox, letter);
    return true;
}

static bool inbox_ready(const struct tern_work *work)
{
    uint32_t count;

    return first_lost(inbox_of(work), &count) != NULL;
}

static void inbox_free(struct tern_work *work)
{
    free(inbox_of(work)->letters);
    free(inbox_of(work));
}

static const struct tern_work_calls inbox_calls = {.step = inbox_step, .ready = inbox_ready,
                                                   .free = inbox_free};

int tern_inbox_begin_anew(struct tern_inbox *inbox, uint32_t taken)
{
    inbox->oldest = inbox->posted = taken;
    inbox->ended = 0;
    return ring(inbox);
}
