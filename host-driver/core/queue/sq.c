/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and destroys send queues. */
#include <stdlib.h>

#include "queue.h"

/* ---- operations that complete for neither a step nor the application */

static bool stray_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct tern_sq *sq = (struct tern_sq *)(void *)((uint8_t *)work - offsetof(struct tern_sq,
                                                                               stray));

    (void)wanted;
    if (!sq->stray_status)
        sq->stray_status = -(int)completion->status;
    return false;
}

static const struct tern_work_calls stray_calls = {.ended = stray_ended};

struct tern_work *tern_sq_stray(struct tern_sq *sq)
{
    return &sq->stray;
}

int tern_sq_strays(struct tern_sq *sq)
{
    int status = sq->stray_status;

    sq->stray_status = 0;
    return status;
}

struct tern_work *tern_sq_serve(struct tern_sq *sq, struct tern_work *work)
{
    struct tern_work *before = sq->work;

    sq->work = work;
    return before;
}

/* ---- making and destroying */

int tern_sq_create(struct tern_cq *cq, unsigned log2_entries, struct tern_sq **out)
{
    struct tern_queue_request request = {.qtype = TERN_QTYPE_SQ, .log2_entries = log2_entries,
                                         .number = TERN_QUEUE_ANY, .cq = cq->number,
                                         .vector = TERN_VECTOR_NONE};
    struct tern_place *places;
    struct tern_sq *sq;
    int status;

    if (log2_entries > TERN_RING_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    sq = calloc(1, sizeof(*sq));
    places = calloc((size_t)1 << log2_entries, sizeof(*places));
    status = sq && places ? 0 : -TERN_ST_NO_MEMORY;
    if (!status)
        status = tern_queue_create(cq->device, &request, (size_t)TERN_DESC_BYTES << log2_entries,
                                   &sq->memory, &sq->region, &sq->number);
    if (status) {
        free(places);
        free(sq);
        return status;
    }
    tern_places_init(&sq->places, places, log2_entries);
    sq->counter = TERN_COUNTER_NONE;
    sq->cq = cq;
    sq->end = (struct tern_end){cq, tern_sq_told};
    sq->stray.calls = &stray_calls;
    tern_end_set(cq->device, sq->number, &sq->end);
    sq->next = cq->sqs;
    cq->sqs = sq;
    *out = sq;
    return 0;
}

void tern_sq_free(struct tern_sq *sq)
{
    tern_watches_tell(sq->cq->device, &sq->watches);
    free(sq->places.at);
    free(sq);
}

int tern_sq_destroy(struct tern_sq *sq)
{
    struct tern_sq **link = &sq->cq->sqs;
    int status = tern_queue_delete(sq->cq->device, sq->number, &sq->memory, sq->region);

    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    while (*link != sq)
        link = &(*link)->next;
    *link = sq->next;
    tern_cq_forget(sq->cq, sq->number);
    sq->cq->expected -= tern_places_watched(&sq->places);
    tern_sq_free(sq);
    return status;
}

void tern_sq_watch(struct tern_sq *sq, struct tern_watch *watch)
{
    tern_watch_add(sq->cq->device, &sq->watches, watch);
}

struct tern_device *tern_sq_device(const struct tern_sq *sq)
{
    return sq->cq->device;
}

uint16_t tern_sq_number(const struct tern_sq *sq)
{
    return sq->number;
}
