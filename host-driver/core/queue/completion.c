/* SPDX-License-Identifier: Apache-2.0 */
/* Polling completions, and finding out what they belong to. */
#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "groups.h"
#include "handshakes.h"
#include "pairs.h"

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

/* A message arrived: points at its bytes.  False when its queue is gone. */
static bool complete_message(struct tern_cq *cq, struct tern_completion *out)
{
    struct tern_rq *rq = cq->rqs;

    while (rq && rq->number != out->queue)
        rq = rq->next;
    if (!rq)
        return tern_pairs_receive(cq, out);
    out->data = rq->memory.base +
                ((size_t)(out->index & ((1u << rq->log2_entries) - 1)) << rq->log2_bytes);
    rq->arrived++;
    return true;
}

/* The NIC tells what stood in the descriptor; what it was about stands in the ring, whose place is free after this. */
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
 * An operation ended.  False when nobody wants to know: the library's own, or its queue is gone; or not
 * yet, as its group is asked first.
 */
static bool complete_operation(struct tern_cq *cq, struct tern_completion *out)
{
    const bool is_part = out->opcode == TERN_OP_RELAY || out->opcode == TERN_OP_GET;
    struct tern_sq *sq = cq->sqs;
    struct tern_place place;

    while (sq && sq->number != out->queue)
        sq = sq->next;
    if (!sq)
        return tern_rendezvous_placed(cq, out) || tern_fifo_has(cq, out->queue);
    count_bytes_read(sq, out);
    if (tern_places_complete(&sq->places, out->index, &place))
        cq->expected--;
    out->context = place.context;
    if (tern_chain_swallows(sq, place.chain, out->status))
        return false;
    if (sq->pair)
        return tern_pair_ended(sq->pair, out, &place);
    if (place.group && (tern_groups_hold(cq, place.group, out) ||
                        tern_rendezvous_take(cq, place.group, out) ||
                        tern_getter_take(cq, place.group, out)))
        return false;
    /* A part of something larger, which has ended before it. */
    return !is_part && (place.state != PLACE_SILENT || out->status != TERN_ST_OK);
}

static bool complete(struct tern_cq *cq, struct tern_completion *out)
{
    switch (out->opcode) {
    case TERN_OP_RECV:
        return complete_message(cq, out);
    case TERN_OP_ARRIVED:
        return tern_arenas_complete(cq, out);
    case TERN_OP_ASKED:
    case TERN_OP_ERROR:
    case TERN_OP_COUNTER:
    case TERN_OP_AREA:
        return true;
    default:
        return complete_operation(cq, out);
    }
}

/* The connection is gone: the operations still out end here. */
static bool abandon(struct tern_cq *cq, struct tern_completion *out)
{
    struct tern_place place;
    uint16_t index;

    for (struct tern_sq *sq = cq->sqs; sq; sq = sq->next) {
        bool more = tern_places_abandon(&sq->places, &place, &index);

        while (more && sq->pair && place.group == PAIR_QUIET)
            more = tern_places_abandon(&sq->places, &place, &index);
        if (!more)
            continue;
        memset(out, 0, sizeof(*out));
        out->status = TERN_ST_DISCONNECTED;
        out->opcode = place.opcode;
        out->index = index;
        out->queue = sq->number;
        out->context = place.context;
        return true;
    }
    return false;
}

static int poll_lost(struct tern_cq *cq, struct tern_completion *out, int max, int status)
{
    int count = 0;

    while (count < max && abandon(cq, &out[count]))
        count++;
    cq->expected = 0;
    return count ? count : status;
}

static int ring_consumed(struct tern_cq *cq)
{
    if (!tern_cqring_owes(&cq->ring))
        return 0;
    cq->ring.rung = cq->ring.head;
    return tern_doorbell(cq->device, cq->number, cq->ring.head);
}

int tern_cq_poll(struct tern_cq *cq, struct tern_completion *out, int max)
{
    uint32_t cqe[CQE_WORDS];
    int count = 0;
    int status;

    while (count < max && tern_cqring_take(&cq->ring, cqe)) {
        decode(cqe, &out[count]);
        if (complete(cq, &out[count]))
            count++;
    }
    if (cq->groups)
        count += tern_groups_step(cq, out + count, max - count);
    if (cq->pairs || cq->inboxes)
        count += tern_pairs_step(cq, out + count, max - count);
    (void)ring_consumed(cq); /* a lost connection shows below, when there is nothing else to say */
    if (count || max <= 0)
        return count;
    status = tern_transport_turn(cq->device->transport);
    if (status && !tern_cqring_ready(&cq->ring))
        return poll_lost(cq, out, max, status);
    if (!tern_transport_inline(cq->device->transport))
        sched_yield();
    return 0;
}

static bool cq_ready(const void *arg)
{
    const struct tern_cq *cq = arg;

    return tern_cqring_ready(&cq->ring) || tern_groups_ready(cq) || tern_pairs_ready(cq);
}

/* Operations that the lost connection left behind are something to poll. */
static bool something_left(const struct tern_cq *cq)
{
    for (const struct tern_sq *sq = cq->sqs; sq; sq = sq->next)
        if (tern_places_watched(&sq->places))
            return true;
    return tern_groups_holding(cq);
}

int tern_cq_wait(struct tern_cq *cq, int timeout_ms)
{
    int status = tern_wait_until(cq->device, cq_ready, cq, cq->event_fd, timeout_ms);

    if (status && status == tern_transport_state(cq->device->transport) && something_left(cq))
        return 0;
    return status;
}

char *tern_completion_format(const struct tern_completion *completion, char *text, size_t bytes)
{
    static const char *const sides[] = {"", " (refused here)", " (refused at the target)",
                                        " (refused by the network)"};
    static const char *const links[] = {"X+", "X-", "Y+", "Y-", "Z+", "Z-"};
    char node[TERN_NODE_TEXT];
    unsigned link = completion->link;
    const char *side = completion->fault < 4 ? sides[completion->fault] : "";
    int used = snprintf(text, bytes, "queue %u, operation %u: %s", completion->queue,
                        completion->index, tern_strerror((int)completion->status));

    if (used < 0 || (size_t)used >= bytes || completion->status == TERN_ST_OK ||
        completion->status == TERN_ST_DISCONNECTED)
        return text;
    tern_node_format(completion->node, node);
    if (link >= 1 && link <= 6)
        snprintf(text + used, bytes - (size_t)used, ": link %s of node %s", links[link - 1], node);
    else
        snprintf(text + used, bytes - (size_t)used, ", node %s%s", node, side);
    return text;
}
