/* SPDX-License-Identifier: Apache-2.0 */
/* Making and destroying completion queues, send queues and reception FIFOs. */
#include <stdlib.h>
#include <string.h>

#include <tern/chain.h>

#include "groups.h"
#include "handshakes.h"
#include "pairs.h"

int tern_queue_create(struct tern_device *device, const struct tern_queue_request *request,
                      size_t ring_bytes, struct tern_shared *memory, struct tern_region **region,
                      uint16_t *number)
{
    uint32_t words[DESC_WORDS] = {0}, cqe[CQE_WORDS];
    int status = tern_shared_create(device, ring_bytes, memory);

    if (status)
        return status;
    status = tern_shared_register(device, memory, region);
    if (status)
        goto no_region;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_CREATE_QUEUE);
    TERN_SET(ADM, id, words, request->number);
    TERN_SET(ADM, addr, words, (uintptr_t)memory->base);
    TERN_SET(ADM, key, words, tern_region_key(*region));
    TERN_SET(ADM, qtype, words, request->qtype);
    TERN_SET(ADM, log2_entries, words, request->log2_entries);
    TERN_SET(ADM, log2_bytes, words, request->log2_bytes);
    TERN_SET(ADM, remote, words, request->remote);
    TERN_SET(ADM, cq, words, request->cq);
    TERN_SET(ADM, vector, words, request->vector);
    status = tern_admin(device, words, NULL, 0, cqe);
    if (status)
        goto no_queue;
    *number = (uint16_t)TERN_GET(CQE, length, cqe);
    return 0;

no_queue:
    (void)tern_release(*region);
no_region:
    tern_shared_destroy(device, memory);
    return status;
}

int tern_queue_delete(struct tern_device *device, uint16_t number, struct tern_shared *memory,
                      struct tern_region *region)
{
    uint32_t words[DESC_WORDS] = {0};
    int status;

    TERN_SET(DESC, opcode, words, TERN_ADMIN_DELETE_QUEUE);
    TERN_SET(ADM, id, words, number);
    status = tern_admin(device, words, NULL, 0, NULL);
    if (status == -TERN_ST_BAD_QUEUE)
        status = 0; /* gone with a reset */
    if (!status || status == -TERN_ST_DISCONNECTED) {
        (void)tern_release(region);
        tern_shared_destroy(device, memory);
    }
    return status;
}

/* ---- completion queues */

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

/* The queue on the NIC, with interrupts to `vector`, or none if that is negative. */
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
    cq->ring.words = (const uint32_t *)(const void *)cq->memory.base;
    pthread_mutex_lock(&device->lock);
    cq->next = device->cqs;
    device->cqs = cq;
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

    if (cq->sqs || cq->rqs || cq->groups || tern_handshakes_use(cq))
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
    free(cq);
    return status;
}

int tern_cq_fd(const struct tern_cq *cq)
{
    return cq->event_fd;
}

/* ---- send queues */

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
    sq->next = cq->sqs;
    cq->sqs = sq;
    *out = sq;
    return 0;
}

static void sq_free(struct tern_sq *sq)
{
    tern_chain_drop(sq);
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
    sq->cq->expected -= tern_places_watched(&sq->places);
    sq_free(sq);
    return status;
}

uint16_t tern_sq_number(const struct tern_sq *sq)
{
    return sq->number;
}

/* ---- reception FIFOs */

static int rq_create(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, uint16_t number, bool paired,
                     struct tern_rq **out)
{
    struct tern_queue_request request = {.qtype = TERN_QTYPE_RQ, .log2_entries = log2_entries,
                                         .log2_bytes = log2_bytes, .number = number, .remote = paired,
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

int tern_rq_create_paired(struct tern_cq *cq, unsigned log2_entries, unsigned log2_bytes, struct tern_rq **out)
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
    free(rq);
    return status;
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

/* ---- all of a device; the connection is closed */

static void cq_free(struct tern_device *device, struct tern_cq *cq)
{
    while (cq->sqs) {
        struct tern_sq *sq = cq->sqs;

        cq->sqs = sq->next;
        tern_shared_destroy(device, &sq->memory);
        sq_free(sq);
    }
    while (cq->rqs) {
        struct tern_rq *rq = cq->rqs;

        cq->rqs = rq->next;
        tern_shared_destroy(device, &rq->memory);
        free(rq);
    }
    tern_groups_free(cq);
    tern_handshakes_free(cq);
    tern_pairs_free(cq);
    tern_event_destroy(device, cq->vector);
    tern_shared_destroy(device, &cq->memory);
    free(cq);
}

void tern_queues_free_all(struct tern_device *device)
{
    while (device->cqs) {
        struct tern_cq *cq = device->cqs;

        device->cqs = cq->next;
        cq_free(device, cq);
    }
}
