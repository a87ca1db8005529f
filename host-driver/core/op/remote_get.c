/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Remote gets. Each piece is two descriptors: the request, which arms the area anew, and a wait for
 * the area that holds up later descriptors. If a wait fails the NIC flushes the rest; the
 * completion of the get, which is that of the last wait, then has the status of that failure.
 */
#include <stdlib.h>
#include <sys/random.h>
#include <tern/checkin.h>
#include <tern/remote_get.h>

#include "fifo.h"

struct tern_fifo {
    struct tern_work work; /* added to the completion queue */
    struct tern_end end;
    struct tern_cq *cq;
    tern_fifo_reader *reader;
    void *reader_arg;
    struct tern_shared memory;
    struct tern_region *region;
    uint16_t number;
};

struct tern_getter {
    struct tern_work work; /* owner of all descriptors of its gets */
    struct tern_cq *cq;
    uint64_t context;
    uint32_t pass;
    uint16_t area, epoch, node;
    bool out;
    uint64_t bytes;             /* of the get in flight */
    struct tern_completion why; /* the first failed descriptor before the last; OK: none */
};

/* ---- source side */

static bool fifo_told(struct tern_end *end, struct tern_completion *out)
{
    struct tern_fifo *fifo =
        (struct tern_fifo *)(void *)((uint8_t *)end - offsetof(struct tern_fifo, end));

    if (fifo->reader)
        fifo->reader(fifo->reader_arg, out);
    return true;
}

static void fifo_free(struct tern_work *work)
{
    struct tern_fifo *fifo =
        (struct tern_fifo *)(void *)((uint8_t *)work - offsetof(struct tern_fifo, work));

    tern_shared_destroy(fifo->end.cq->device, &fifo->memory);
    free(fifo);
}

static const struct tern_work_calls fifo_calls = {.free = fifo_free};

int tern_fifo_create(struct tern_cq *cq, unsigned log2_entries, struct tern_fifo **out)
{
    struct tern_queue_request request = {.qtype = TERN_QTYPE_SQ, .log2_entries = log2_entries,
                                         .number = TERN_QUEUE_ANY, .cq = cq->number,
                                         .vector = TERN_VECTOR_NONE, .remote = true};
    struct tern_fifo *fifo;
    int status;

    if (log2_entries > TERN_RING_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    fifo = calloc(1, sizeof(*fifo));
    if (!fifo)
        return -TERN_ST_NO_MEMORY;
    status = tern_queue_create(cq->device, &request, (size_t)TERN_DESC_BYTES << log2_entries,
                               &fifo->memory,
                               &fifo->region, &fifo->number);
    if (status) {
        free(fifo);
        return status;
    }
    fifo->cq = cq;
    fifo->end = (struct tern_end){cq, fifo_told};
    tern_end_set(cq->device, fifo->number, &fifo->end);
    tern_work_add(cq, &fifo->work, &fifo_calls);
    *out = fifo;
    return 0;
}

int tern_fifo_destroy(struct tern_fifo *fifo)
{
    int status = tern_queue_delete(fifo->cq->device, fifo->number, &fifo->memory, fifo->region);

    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    tern_cq_forget(fifo->cq, fifo->number);
    tern_work_remove(&fifo->work);
    free(fifo);
    return status;
}

uint16_t tern_fifo_number(const struct tern_fifo *fifo)
{
    return fifo->number;
}

int tern_fifo_read_by(struct tern_fifo *fifo, struct tern_cq *cq, tern_fifo_reader *reader,
                      void *arg)
{
    if (fifo->cq != cq)
        return -TERN_ST_BAD_ARGUMENT;
    fifo->reader = reader;
    fifo->reader_arg = arg;
    return 0;
}

/* ---- requester side */

static int arm(const struct tern_getter *getter, uint16_t epoch, uint32_t pass, uint32_t limit)
{
    struct tern_area area = {.id = getter->area, .epoch = epoch, .slots = 1, .pass = pass,
                             .limit = limit};

    return tern_area_arm(getter->cq->device, &area, NULL);
}

static const struct tern_work_calls getter_calls;

int tern_getter_create(struct tern_cq *cq, uint16_t area, uint32_t limit, struct tern_getter **out)
{
    struct tern_getter *made = calloc(1, sizeof(*made));
    int status;

    if (!made)
        return -TERN_ST_NO_MEMORY;
    made->cq = cq;
    made->area = area;
    if (getrandom(&made->pass, sizeof(made->pass), 0) != sizeof(made->pass))
        made->pass = area;
    status = arm(made, 0, made->pass, limit);
    if (status) {
        free(made);
        return status;
    }
    tern_work_add(cq, &made->work, &getter_calls);
    *out = made;
    return 0;
}

int tern_getter_destroy(struct tern_getter *getter)
{
    int status;

    if (getter->out && !tern_transport_state(getter->cq->device->transport))
        return -TERN_ST_QUEUE_BUSY;
    /* Changes the area's pass, so that the NIC refuses late check-ins. */
    status = arm(getter, (uint16_t)(getter->epoch + 1), ~getter->pass, 0);
    if (status && status != -TERN_ST_DISCONNECTED)
        return status;
    tern_work_remove(&getter->work);
    free(getter);
    return status;
}

static int post_request(struct tern_sq *sq, struct tern_getter *getter,
                        const struct tern_remote_get *get,
                        uint64_t offset, uint32_t bytes)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_GET);
    TERN_SET(DESC, linked, words, offset != 0);
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, words, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, dst_node, words, TERN_GET(RPTR, node, get->from.w));
    TERN_SET(DESC, dst_queue, words, get->fifo);
    TERN_SET(DESC, incarnation, words, TERN_GET(RPTR, incarnation, get->from.w));
    TERN_SET(DESC, remote_key, words, get->region->key);
    TERN_SET(GET, area, words, getter->area);
    TERN_SET(GET, epoch, words, getter->epoch);
    TERN_SET(GET, opcode, words, TERN_OP_PUT);
    TERN_SET(GET, node, words, sq->cq->device->info.node);
    TERN_SET(GET, length, words, bytes);
    TERN_SET(GET, remote_addr, words, (uintptr_t)get->to + offset);
    TERN_SET(GET, local_addr, words, TERN_GET(RPTR, addr, get->from.w) + offset);
    TERN_SET(GET, local_key, words, TERN_GET(RPTR, key, get->from.w));
    TERN_SET(GET, pass, words, getter->pass);
    return tern_post_for(sq, words, TERN_MORE, 0, &getter->work);
}

/* Posts the wait for a piece; if it fails, later pieces are not requested. */
static int post_wait(struct tern_sq *sq, struct tern_getter *getter, bool first, bool last)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_WAIT);
    TERN_SET(CHK, area, words, getter->area);
    TERN_SET(CHK, epoch, words, getter->epoch);
    TERN_SET(DESC, decides, words, 1);
    TERN_SET(DESC, linked, words, !first);
    if (!last)
        return tern_post_for(sq, words, TERN_MORE, 0, &getter->work);
    return tern_post_for(sq, words, TERN_DFLAG_SIGNAL, 0, &getter->work);
}

static int post_pieces(struct tern_sq *sq, struct tern_getter *getter,
                       const struct tern_remote_get *get,
                       uint32_t piece, unsigned pieces)
{
    int status = 0;

    for (unsigned i = 0; !status && i < pieces; i++) {
        uint64_t offset = (uint64_t)i * piece, left = get->bytes - offset;

        getter->epoch++;
        status = post_request(sq, getter, get, offset, left < piece ? (uint32_t)left : piece);
        if (!status)
            status = post_wait(sq, getter, i == 0, i == pieces - 1);
    }
    return status;
}

int tern_remote_get(struct tern_sq *sq, struct tern_getter *getter,
                    const struct tern_remote_get *get, uint64_t context)
{
    uint32_t most = sq->cq->device->info.put_bytes_max;
    uint32_t piece = get->piece == 0 || get->piece > most ? most : get->piece;
    uint64_t pieces = (get->bytes + piece - 1) / piece;
    int status;

    if (!get->region || sq->cq != getter->cq || sq->chain.steps)
        return -TERN_ST_BAD_ARGUMENT;
    if (pieces == 0 || get->bytes > UINT32_MAX ||
        2 * pieces > UINT64_C(1) << sq->places.log2_entries)
        return -TERN_ST_BAD_LENGTH;
    if (getter->out || !tern_sq_room(sq, 2 * (unsigned)pieces))
        return -TERN_ST_AGAIN;
    getter->why.status = TERN_ST_OK;
    getter->node = (uint16_t)TERN_GET(RPTR, node, get->from.w);
    getter->bytes = get->bytes;
    getter->context = context;
    status = post_pieces(sq, getter, get, piece, (unsigned)pieces);
    getter->out = !status;
    return status;
}

/* ---- completions */

static void explain(const struct tern_getter *getter, struct tern_completion *completion)
{
    completion->opcode = TERN_OP_GET;
    completion->node = getter->node;
    completion->value = 0;
    completion->length = completion->status == TERN_ST_OK ? (uint32_t)getter->bytes : 0;
    if (completion->status == TERN_ST_OK || getter->why.status == TERN_ST_OK)
        return;
    completion->status = getter->why.status;
    completion->link = getter->why.link;
    completion->fault = getter->why.fault;
    if (getter->why.link)
        completion->node = getter->why.node;
}

static struct tern_getter *getter_of(struct tern_work *work)
{
    return (struct tern_getter *)(void *)((uint8_t *)work - offsetof(struct tern_getter, work));
}

static bool get_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct tern_getter *getter = getter_of(work);

    if (wanted) {
        getter->out = false;
        completion->context = getter->context;
        explain(getter, completion);
        return true;
    }
    if (completion->status != TERN_ST_OK && getter->why.status == TERN_ST_OK)
        getter->why = *completion;
    return false;
}

static void getter_free(struct tern_work *work)
{
    free(getter_of(work));
}

static const struct tern_work_calls getter_calls = {.ended = get_ended, .free = getter_free};
