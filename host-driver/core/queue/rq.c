/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and destroys reception FIFOs. */
#include <stdlib.h>

#include "queue.h"

static int rq_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes,
                     uint16_t number, bool paired,
                     struct tern_rq **out)
{
    struct tern_queue_request request = {.qtype = TERN_QTYPE_RQ, .log2_entries = log2_entries,
                                         .log2_bytes = log2_bytes, .number = number,
                                             .remote = paired,
                                         .cq = cq->number, .vector = TERN_VECTOR_NONE};
    struct tern_rq *rq;
    int status;

    if (log2_entries > TERN_RING_LOG2_MAX || log2_bytes < TERN_RQ_ENTRY_LOG2_MIN ||
        log2_bytes > TERN_RQ_ENTRY_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    rq = calloc(1, sizeof(*rq));
    if (!rq)
        return -TERN_ST_NO_MEMORY;
    status = tern_queue_create(cq->device, &request, (size_t)1 << (log2_entries + log2_bytes),
                               &rq->memory, &rq->region, &rq->number);
    if (status) {
        free(rq);
        return status;
    }
    rq->cq = cq;
    rq->log2_entries = log2_entries;
    rq->log2_bytes = log2_bytes;
    rq->end = (struct tern_end){cq, tern_rq_told};
    tern_end_set(cq->device, rq->number, &rq->end);
    rq->next = cq->rqs;
    cq->rqs = rq;
    *out = rq;
    return 0;
}

int tern_rq_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, uint16_t number,
                   struct tern_rq **out)
{
    return rq_create(cq, log2_entries, log2_bytes, number, false, out);
}

int tern_rq_create_paired(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes,
                          struct tern_rq **out)
{
    return rq_create(cq, log2_entries, log2_bytes, TERN_QUEUE_ANY, true, out);
}

int tern_rq_destroy(struct tern_rq *rq)
{
    struct tern_rq **link = &rq->cq->rqs;
    int status = tern_queue_delete(rq->cq->device, rq->number, &rq->memory, rq->region);

    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    while (*link != rq)
        link = &(*link)->next;
    *link = rq->next;
    tern_cq_forget(rq->cq, rq->number);
    free(rq);
    return status;
}

void tern_rq_serve(struct tern_rq *rq, struct tern_work *work)
{
    rq->work = work;
}

uint16_t tern_rq_number(const struct tern_rq *rq)
{
    return rq->number;
}

int tern_rq_release(struct tern_rq *rq, unsigned count)
{
    uint32_t quarter = (UINT32_C(1) << rq->log2_entries) / 4;

    if (count > rq->arrived - rq->released)
        return -TERN_ST_BAD_ARGUMENT;
    rq->released += count;
    if (rq->released - rq->rung < (quarter ? quarter : 1))
        return 0;
    rq->rung = rq->released;
    return tern_doorbell(rq->cq->device, rq->number, rq->released);
}
