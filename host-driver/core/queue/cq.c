/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and destroys completion queues. */
#include <stdlib.h>
#include <string.h>

#include "queue.h"

/* ---- all queues of a device; the connection is closed */

static void cq_free(struct tern_device *device, struct tern_cq *cq)
{
    while (cq->sqs) {
        struct tern_sq *sq = cq->sqs;

        cq->sqs = sq->next;
        tern_shared_destroy(device, &sq->memory);
        tern_sq_free(sq);
    }
    while (cq->rqs) {
        struct tern_rq *rq = cq->rqs;

        cq->rqs = rq->next;
        tern_shared_destroy(device, &rq->memory);
        free(rq);
    }
    tern_works_free(cq);
    tern_event_destroy(device, cq->vector);
    tern_shared_destroy(device, &cq->memory);
    free(cq->kept.at);
    free(cq);
}

static void queues_free_all(struct tern_device *device)
{
    while (device->cqs) {
        struct tern_cq *cq = device->cqs;

        device->cqs = cq->next;
        cq_free(device, cq);
    }
}

/* ---- completion queues */

/* In a child, marks the queues: their completions and their memory are the parent's. */
static void queues_disown(struct tern_device *device)
{
    static uint32_t none[CQE_WORDS];

    for (struct tern_cq *cq = device->cqs; cq; cq = cq->next) {
        cq->ring = (struct tern_cqring){.words = none};
        cq->event_fd = -1;
        cq->vector = -1;
        cq->awake = 0;
        cq->kept.count = 0;
    }
}

/* The NIC has taken all queues down: the operations still out never complete. */
static void queues_reset(struct tern_device *device)
{
    pthread_mutex_lock(&device->lock);
    for (struct tern_cq *cq = device->cqs; cq; cq = cq->next)
        __atomic_store_n(&cq->reset, true, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&device->lock);
}

static struct tern_cq *cq_new(struct tern_device *device, unsigned log2_entries)
{
    struct tern_cq *cq = calloc(1, sizeof(*cq));

    if (!cq)
        return NULL;
    cq->device = device;
    cq->vector = -1;
    cq->event_fd = -1;
    cq->ring.log2_entries = log2_entries;
    return cq;
}

/* Makes the queue on the NIC, with interrupts to `vector`; negative: none. */
static int cq_start(struct tern_cq *cq, int vector)
{
    struct tern_device *device = cq->device;
    struct tern_queue_request request = {
        .qtype = TERN_QTYPE_CQ, .log2_entries = cq->ring.log2_entries, .number = TERN_QUEUE_ANY,
        .vector = vector < 0 ? TERN_VECTOR_NONE : (uint16_t)vector};
    int status = tern_queue_create(device, &request,
                                   (size_t)TERN_CQE_BYTES << cq->ring.log2_entries, &cq->memory,
                                   &cq->region, &cq->number);

    if (status)
        return status;
    cq->ring.words = (uint32_t *)(void *)cq->memory.base;
    pthread_mutex_lock(&device->lock);
    cq->next = device->cqs;
    device->cqs = cq;
    device->free_queues = queues_free_all;
    device->disown_queues = queues_disown;
    device->reset_queues = queues_reset;
    pthread_mutex_unlock(&device->lock);
    return 0;
}

int tern_cq_create(struct tern_device *device, unsigned log2_entries, unsigned flags,
                   struct tern_cq **out)
{
    struct tern_cq *cq;
    int status = 0;

    if (log2_entries > TERN_CQ_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    cq = cq_new(device, log2_entries);
    if (!cq)
        return -TERN_ST_NO_MEMORY;
    if (!(flags & TERN_CQ_POLLED))
        status = tern_event_create(device, &cq->vector, &cq->event_fd);
    if (!status)
        status = cq_start(cq, cq->vector);
    if (status) {
        tern_event_destroy(device, cq->vector);
        free(cq);
        return status;
    }
    *out = cq;
    return 0;
}

int tern_cq_create_beside(struct tern_cq *cq, unsigned log2_entries, struct tern_cq **out)
{
    struct tern_cq *beside = cq_new(cq->device, log2_entries);
    int status;

    if (!beside)
        return -TERN_ST_NO_MEMORY;
    status = cq_start(beside, cq->vector);
    if (status) {
        free(beside);
        return status;
    }
    *out = beside;
    return 0;
}

int tern_cq_destroy(struct tern_cq *cq)
{
    struct tern_device *device = cq->device;
    struct tern_cq **link;
    int status;

    if (cq->sqs || cq->rqs || cq->works)
        return -TERN_ST_QUEUE_BUSY;
    status = tern_queue_delete(device, cq->number, &cq->memory, cq->region);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    pthread_mutex_lock(&device->lock);
    for (link = &device->cqs; *link; link = &(*link)->next)
        if (*link == cq) {
            *link = cq->next;
            break;
        }
    pthread_mutex_unlock(&device->lock);
    tern_event_destroy(device, cq->vector);
    free(cq->kept.at);
    free(cq);
    return status;
}

int tern_cq_fd(const struct tern_cq *cq)
{
    return cq->event_fd;
}

struct tern_device *tern_cq_device(const struct tern_cq *cq)
{
    return cq->device;
}
