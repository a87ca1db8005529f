/* SPDX-License-Identifier: Apache-2.0 */
/* Polls completions, and finds the operations and queues that they belong to. */
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#include "queue.h"

static void decode(const uint32_t *cqe, struct tern_completion *out)
{
    memset(out, 0, sizeof(*out));
    out->status = (enum tern_status)TERN_GET(CQE, status, cqe);
    out->opcode = (uint8_t)TERN_GET(CQE, opcode, cqe);
    out->flags = (uint8_t)TERN_GET(CQE, flags, cqe);
    out->index = (uint16_t)TERN_GET(CQE, index, cqe);
    out->queue = (uint16_t)TERN_GET(CQE, queue, cqe);
    out->node = (uint16_t)TERN_GET(CQE, node, cqe);
    out->link = (uint8_t)TERN_GET(CQE, link, cqe);
    out->fault = (uint8_t)TERN_GET(CQE, fault, cqe);
    out->length = (uint32_t)TERN_GET(CQE, length, cqe);
    out->imm = (uint32_t)TERN_GET(CQE, imm, cqe);
    out->value = TERN_GET(CQE, value, cqe);
}

/* ---- the ends of completions */

/* Handles an arrived message: sets `data` to its bytes in the FIFO. */
bool tern_rq_told(struct tern_end *end, struct tern_completion *out)
{
    struct tern_rq *rq = (struct tern_rq *)(void *)((uint8_t *)end - offsetof(struct tern_rq, end));

    if (out->opcode != TERN_OP_RECV)
        return false;
    out->data = rq->memory.base +
                ((size_t)(out->index & ((1u << rq->log2_entries) - 1)) << rq->log2_bytes);
    rq->arrived++;
    if (rq->work && rq->work->calls->ended)
        return rq->work->calls->ended(rq->work, out, true);
    return true;
}

/*
 * Sets the length of a completed read from its descriptor, which the ring keeps until its place is
 * freed; in the completion itself the length field has another meaning.
 */
static void count_bytes_read(const struct tern_sq *sq, struct tern_completion *out)
{
    uint32_t place = out->index & ((UINT32_C(1) << sq->places.log2_entries) - 1);
    uint32_t words[DESC_WORDS];

    if ((out->opcode != TERN_OP_READ && out->opcode != TERN_OP_LOOKUP) || out->status != TERN_ST_OK)
        return;
    memcpy(words, sq->memory.base + (size_t)place * TERN_DESC_BYTES, TERN_DESC_BYTES);
    out->length = (uint32_t)TERN_GET(DESC, length, words);
}

/*
 * Tells whether the application gets the completion; if the operation was posted for a work, the
 * work decides. Always inlined, because it runs for each completion.
 */
static inline __attribute__((always_inline)) bool is_heard(struct tern_sq *sq,
        const struct tern_place *place, struct tern_completion *out)
{
    struct tern_work *work = place->work;

    if (place->chain && tern_chain_swallows(sq, place->chain, out->status))
        return false;
    if (work && work->calls->ended)
        return work->calls->ended(work, out, place->state == PLACE_WATCHED);
    if (place->state == PLACE_DONE)
        return !sq->owned; /* no operation was in flight at this place */
    return place->state != PLACE_SILENT || out->status != TERN_ST_OK;
}

/* Handles the end of an operation; returns whether the application gets the completion. */
bool tern_sq_told(struct tern_end *end, struct tern_completion *out)
{
    struct tern_sq *sq = (struct tern_sq *)(void *)((uint8_t *)end - offsetof(struct tern_sq, end));
    struct tern_place place;

    if (out->opcode == TERN_OP_RECV)
        return false;
    count_bytes_read(sq, out);
    if (tern_places_complete(&sq->places, out->index, &place))
        sq->cq->expected--;
    out->context = place.context;
    return is_heard(sq, &place, out);
}

/* Tells whether completions of this kind name a queue. */
static bool names_queue(uint8_t opcode)
{
    switch (opcode) {
    case TERN_OP_ARRIVED:
    case TERN_OP_ASKED:
    case TERN_OP_LOOKED:
    case TERN_OP_ERROR:
    case TERN_OP_COUNTER:
    case TERN_OP_AREA:
        return false;
    default:
        return true;
    }
}

/* Hands a completion to its end.  False: the application does not get it, or its queue is gone. */
static bool complete(struct tern_cq *cq, struct tern_completion *out)
{
    const struct tern_device *device = cq->device;
    struct tern_end *end = NULL;

    if (names_queue(out->opcode))
        end = device->ends[out->queue];
    else if (out->opcode != TERN_OP_ARRIVED)
        return true;
    else if (out->index < TERN_ARENAS)
        end = device->arrivals[out->index];
    return end && end->cq == cq && end->told(end, out);
}

void tern_cq_forget(struct tern_cq *cq, uint16_t number)
{
    uint32_t cqe[CQE_WORDS];

    tern_end_set(cq->device, number, NULL);
    for (uint32_t ahead = 0; tern_cqring_peek(&cq->ring, ahead, cqe); ahead++)
        if (names_queue((uint8_t)TERN_GET(CQE, opcode, cqe)) &&
            TERN_GET(CQE, queue, cqe) == number)
            tern_cqring_void(&cq->ring, ahead);
}

/* ---- a lost connection */

/* Ends one operation in flight with DISCONNECTED. False when there is none. */
static bool abandon_of(struct tern_sq *sq, struct tern_completion *out)
{
    struct tern_place place;
    uint16_t index;

    while (tern_places_abandon(&sq->places, &place, &index)) {
        memset(out, 0, sizeof(*out));
        out->status = TERN_ST_DISCONNECTED;
        out->opcode = place.opcode;
        out->index = index;
        out->queue = sq->number;
        out->context = place.context;
        if (is_heard(sq, &place, out))
            return true;
    }
    return false;
}

static bool is_reset(const struct tern_cq *cq)
{
    return __atomic_load_n(&cq->reset, __ATOMIC_ACQUIRE);
}

static bool abandon(struct tern_cq *cq, struct tern_completion *out)
{
    for (struct tern_sq *sq = cq->sqs; sq; sq = sq->next)
        if (abandon_of(sq, out))
            return true;
    for (struct tern_work *work = cq->works, *next; work; work = next) {
        next = work->next; /* the call may remove `work` */
        memset(out, 0, sizeof(*out));
        if (work->calls->lost && work->calls->lost(work, out))
            return true;
    }
    return false;
}

static int poll_lost(struct tern_cq *cq, struct tern_completion *out, int max, int status)
{
    int count = 0;

    if (status == -TERN_ST_FORKED)
        return status; /* in a child, operations belong to the parent */
    while (count < max && abandon(cq, &out[count]))
        count++;
    cq->expected = 0;
    return count ? count : status;
}

/* ---- polling */

static int ring_consumed(struct tern_cq *cq)
{
    if (!tern_cqring_owes(&cq->ring))
        return 0;
    cq->ring.rung = cq->ring.head;
    return tern_doorbell(cq->device, cq->number, cq->ring.head);
}

/* Steps all works that are awake, even if there is no room for completions. */
static int step_works(struct tern_cq *cq, struct tern_completion *out, int max)
{
    int count = 0;

    for (struct tern_work *work = cq->works, *next; work; work = next) {
        bool more = work->awake && work->calls->step;

        next = work->next; /* the call may remove `work` */
        while (more) {
            struct tern_completion *to = count < max ? &out[count] : NULL;

            if (to)
                memset(to, 0, sizeof(*to));
            more = work->calls->step(work, to) && to;
            count += more;
        }
    }
    return count;
}

static __attribute__((noinline)) int poll_ring(struct tern_cq *cq, struct tern_completion *out,
                                               int max)
{
    uint32_t cqe[CQE_WORDS];
    const uint32_t head = cq->ring.head;
    int count = 0;
    int status;

    while (count < max && tern_cqring_take(&cq->ring, cqe)) {
        decode(cqe, &out[count]);
        if (complete(cq, &out[count]))
            count++;
    }
    if (cq->awake)
        count += step_works(cq, out + count, max - count);
    (void)ring_consumed(cq); /* if the connection is lost, the end of this function reports it */
    if (count || max <= 0 || cq->ring.head != head)
        return count; /* works may have taken completions */
    status = tern_transport_turn(cq->device->transport);
    if (!status && is_reset(cq))
        status = -TERN_ST_DISCONNECTED;
    if (status && !tern_cqring_ready(&cq->ring))
        return poll_lost(cq, out, max, status);
    if (!tern_transport_inline(cq->device->transport))
        sched_yield();
    return 0;
}

int tern_cq_take(struct tern_cq *cq, struct tern_completion *out)
{
    cq->ended = NULL;
    return poll_ring(cq, out, 1);
}

/* ---- kept completions */

static int kept_grow(struct tern_kept *kept)
{
    uint32_t entries = kept->entries ? 2 * kept->entries : 16;
    struct tern_kept_one *at = calloc(entries, sizeof(*at));

    if (!at)
        return -TERN_ST_NO_MEMORY;
    for (uint32_t i = 0; i < kept->count; i++)
        at[i] = kept->at[(kept->first + i) % kept->entries];
    free(kept->at);
    *kept = (struct tern_kept){at, entries, 0, kept->count};
    return 0;
}

int tern_kept_add(struct tern_cq *cq, const struct tern_completion *completion)
{
    struct tern_kept *kept = &cq->kept;
    int status = kept->count == kept->entries ? kept_grow(kept) : 0;

    if (!status)
        kept->at[(kept->first + kept->count++) % kept->entries] =
            (struct tern_kept_one){*completion, cq->ended};
    return status;
}

void tern_kept_drop(struct tern_cq *cq, const struct tern_steps *steps)
{
    struct tern_kept *kept = &cq->kept;
    uint32_t left = 0;

    for (uint32_t i = 0; i < kept->count; i++) {
        const struct tern_kept_one *one = &kept->at[(kept->first + i) % kept->entries];

        if (one->of != steps)
            kept->at[(kept->first + left++) % kept->entries] = *one;
    }
    kept->count = left;
}

void tern_kept_disown(struct tern_cq *cq, const struct tern_steps *steps)
{
    struct tern_kept *kept = &cq->kept;

    for (uint32_t i = 0; i < kept->count; i++)
        if (kept->at[(kept->first + i) % kept->entries].of == steps)
            kept->at[(kept->first + i) % kept->entries].of = NULL;
}

/* Signals the event for kept completions; the call that kept them had cleared it. */
void tern_kept_tell(struct tern_cq *cq)
{
    if (cq->kept.count && cq->event_fd >= 0)
        (void)eventfd_write(cq->event_fd, 1);
}

static int kept_take(struct tern_cq *cq, struct tern_completion *out, int max)
{
    struct tern_kept *kept = &cq->kept;
    int count = 0;

    for (; count < max && kept->count; count++, kept->count--) {
        out[count] = kept->at[kept->first].completion;
        kept->first = (kept->first + 1) % kept->entries;
    }
    return count;
}

static int poll_whole(struct tern_cq *cq, struct tern_completion *out, int max)
{
    if (cq->kept.count)
        return kept_take(cq, out, max);
    return poll_ring(cq, out, max);
}

void tern_completion_copy(void *out, const struct tern_completion *completion, size_t size)
{
    size_t both = size < sizeof(*completion) ? size : sizeof(*completion);

    memcpy(out, completion, both);
    memset((uint8_t *)out + both, 0, size - both);
}

/* Polls for programs built with another size of a completion. */
static __attribute__((noinline)) int poll_other(struct tern_cq *cq, uint8_t *out, int max,
                                                size_t size)
{
    struct tern_completion one;
    int count = 0, status = 0;

    while (count < max && (status = poll_whole(cq, &one, 1)) > 0)
        tern_completion_copy(out + (size_t)count++ * size, &one, size);
    return count ? count : status;
}

int tern_cq_poll_sized(struct tern_cq *cq, void *out, int max, size_t size)
{
    if (size == sizeof(struct tern_completion) && !cq->kept.count)
        return poll_ring(cq, out, max);
    return poll_other(cq, out, max, size);
}

/* ---- waiting */

static bool has_completion(const struct tern_cq *cq)
{
    if (tern_cqring_ready(&cq->ring))
        return true;
    for (const struct tern_work *work = cq->awake ? cq->works : NULL; work; work = work->next)
        if (work->awake && ((work->calls->ready && work->calls->ready(work)) ||
                            (work->calls->due && work->calls->due(work) == 0)))
            return true;
    return false;
}

/* Returns the shorter of a time-out, negative for none, and the time until a work is due. */
static int until_due(const struct tern_cq *cq, int timeout_ms)
{
    for (const struct tern_work *work = cq->awake ? cq->works : NULL; work; work = work->next) {
        int due = work->awake && work->calls->due ? work->calls->due(work) : -1;

        if (due >= 0 && (timeout_ms < 0 || due < timeout_ms))
            timeout_ms = due;
    }
    return timeout_ms;
}

static bool ring_ready(const void *arg)
{
    const struct tern_cq *cq = arg;

    return has_completion(cq) || is_reset(cq);
}

static bool cq_ready(const void *arg)
{
    const struct tern_cq *cq = arg;

    return cq->kept.count || ring_ready(cq);
}

/*
 * Tells whether a poll has something to report: operations that the lost connection ended, or
 * completions that a work still holds.
 */
static bool something_left(const struct tern_cq *cq)
{
    for (const struct tern_sq *sq = cq->sqs; sq; sq = sq->next)
        if (tern_places_watched(&sq->places))
            return true;
    return cq->awake != 0;
}

static int wait_for(struct tern_cq *cq, bool (*ready)(const void *arg), int timeout_ms)
{
    int sooner = until_due(cq, timeout_ms);
    int status = tern_wait_until(cq->device, ready, cq, cq->event_fd, sooner);
    int state = tern_transport_state(cq->device->transport);

    if (status == -TERN_ST_WAIT_EXPIRED && sooner != timeout_ms)
        status = 0; /* a work is due: the next poll calls it */
    if (!state && is_reset(cq)) {
        state = -TERN_ST_DISCONNECTED;
        if (!status && !cq->kept.count && !has_completion(cq))
            status = state;
    }
    if (status && status != -TERN_ST_FORKED && status == state && something_left(cq))
        return 0;
    return status;
}

int tern_cq_sleep(struct tern_cq *cq, int timeout_ms)
{
    return wait_for(cq, ring_ready, timeout_ms);
}

int tern_cq_wait(struct tern_cq *cq, int timeout_ms)
{
    return wait_for(cq, cq_ready, timeout_ms);
}

int tern_cq_next_sized(struct tern_cq *cq, void *out, size_t size, int timeout_ms)
{
    int64_t end = tern_now_ms() + timeout_ms;

    for (;;) {
        int count = tern_cq_poll_sized(cq, out, 1, size);
        int64_t left = timeout_ms < 0 ? -1 : end - tern_now_ms();

        if (count == 0)
            count = tern_cq_wait(cq, timeout_ms < 0 ? -1 : left > 0 ? (int)left : 0);
        else if (count > 0)
            return 0;
        if (count < 0)
            return count;
    }
}
