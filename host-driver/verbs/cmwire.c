/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Messages of connections between nodes.
 *
 * Each process that takes part has a reception FIFO, its box. The box of a listening process has
 * one of the last CM_BOXES queue numbers of its NIC, so that a caller finds it: the caller asks one
 * box after the other until one knows the port.
 *
 * A program may close its listener and open another one at the same port for its next connection,
 * and the peer may call between the two. So a process remembers the ports of its last listeners and
 * reports them; the caller then asks again for a while. A port where no process ever listened is
 * refused at once.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "cm.h"

enum {
    CM_BOXES = 16,
    BOX_LOG2 = 6,
    BOX_BYTES_LOG2 = 9,
    SQ_LOG2 = 6,
    PROBE_MS = 1000,
    END_PAUSE_MS = 20,
    CALL_PAUSE_MS = 20, /* between two rounds of calls */
    CALL_PATIENCE_MS = 10000, /* how long a call waits for the next listener at a port */
    PAST_PORTS = 64
};

struct outgoing {
    struct outgoing *next;
    struct verbs_nic *nic;
    uint32_t id;
    uint16_t node, queue;
    struct cm_message message;
};

/* An end that is reported a little later, after the program has looked at the data before it. */
struct ending {
    struct ending *next;
    uint32_t id;
    int64_t at;
};

static struct outgoing *kept, **kept_end = &kept;
static struct ending *endings;

/* Ports of the last PAST_PORTS listeners of this process that ended. */
static struct past_port {
    uint16_t port, space;
} past_ports[PAST_PORTS];
static unsigned past_count;

/* ---- sending */

static void keep(struct verbs_nic *nic, uint32_t id, uint16_t node, uint16_t queue,
                 const struct cm_message *message)
{
    struct outgoing *out = malloc(sizeof(*out));

    if (!out)
        return;
    *out =
        (struct outgoing){.nic = nic, .id = id, .node = node, .queue = queue, .message = *message};
    out->message.from_queue = tern_rq_number(nic->cm_rq);
    *kept_end = out;
    kept_end = &out->next;
}

void cm_send(struct cm_id *id, enum cm_kind kind, unsigned reason)
{
    struct cm_message message = {.kind = (uint8_t)kind,
                                 .is_datagram = id->qp_type == QPT_UD,
                                 .port = kind == CM_REQ ? id->peer_port : id->port,
                                 .source_port = id->port,
                                 .space = id->space,
                                 .from_id = id->handle,
                                 .to_id = id->peer_id,
                                 .reason = (uint16_t)reason,
                                 .param = id->own};
    uint16_t queue =
        kind == CM_REQ ? (uint16_t)(id->nic->info.queues - 1 - id->attempt) : id->peer_queue;

    keep(id->nic, id->handle, id->peer_node, queue, &message);
}

static struct outgoing *take_kept(const struct verbs_nic *nic)
{
    struct outgoing **link = &kept, *out;

    while (*link && (*link)->nic != nic)
        link = &(*link)->next;
    out = *link;
    if (!out)
        return NULL;
    *link = out->next;
    if (!*link)
        kept_end = link;
    return out;
}

static bool put_on_wire(struct verbs_nic *nic, const struct outgoing *out)
{
    struct tern_target to = {.node = out->node, .queue = out->queue};
    uint16_t slot = slot_take(nic, NULL);

    if (!slot)
        return false;
    memcpy(slot_at(nic, slot), &out->message, sizeof(out->message));
    if (!tern_send(nic->cm_sq, to, nic->staging_region, slot_at(nic, slot), sizeof(out->message),
                   TERN_DFLAG_SIGNAL,
                   (uint64_t)out->message.kind << 48 | (uint64_t)(out->id & 0xffffffff) << 16 |
                       slot))
        return true;
    slot_release(nic, slot);
    return false;
}

void cm_flush(struct verbs_nic *nic)
{
    struct outgoing *out;
    bool is_sent = true;

    if (nic->dead || !nic->cm_sq)
        return;
    while (is_sent) {
        pthread_mutex_lock(&cm_lock);
        out = take_kept(nic);
        pthread_mutex_unlock(&cm_lock);
        if (!out)
            return;
        is_sent = put_on_wire(nic, out);
        if (is_sent) {
            free(out);
            continue;
        }
        pthread_mutex_lock(&cm_lock);
        out->next = kept;
        if (!kept)
            kept_end = &out->next;
        kept = out;
        pthread_mutex_unlock(&cm_lock);
    }
}

/* ---- messages that reached nobody */

static void call_round(struct cm_id *id)
{
    id->attempt = 0;
    id->may_listen = false;
    id->call_at = 0;
    cm_send(id, CM_REQ, 0);
}

void cm_call(struct cm_id *id)
{
    id->state = CM_CALLING;
    id->call_until = now_ms() + CALL_PATIENCE_MS;
    call_round(id);
}

/* The next box may know the port. */
static void call_next(struct cm_id *id)
{
    int64_t now = now_ms();

    if (id->state != CM_CALLING)
        return;
    if (++id->attempt < CM_BOXES) {
        cm_send(id, CM_REQ, 0);
        return;
    }
    if (id->may_listen && now < id->call_until) {
        id->call_at = now + CALL_PAUSE_MS;
        return;
    }
    id->state = CM_ENDED;
    if (id->qp_type == QPT_UD)
        cm_raise(id, CM_UNREACHABLE, CM_NO_LISTENER, NULL);
    else
        cm_raise(id, CM_REJECTED, CM_NO_LISTENER, NULL);
}

static void end(struct cm_id *id)
{
    struct ending *ending;

    if (id->state != CM_CONNECTED && id->state != CM_CONNECTING && id->state != CM_ANSWERING)
        return;
    id->state = CM_ENDED;
    ending = malloc(sizeof(*ending));
    if (!ending)
        return;
    *ending = (struct ending){.next = endings, .id = id->handle, .at = now_ms() + END_PAUSE_MS};
    endings = ending;
}

/* The context is the one set by put_on_wire(). */
static bool ended(struct tern_work *served, struct tern_completion *done, bool wanted)
{
    struct verbs_nic *nic =
        (struct verbs_nic *)(void *)((uint8_t *)served - offsetof(struct verbs_nic, cm_served));
    enum cm_kind kind = (enum cm_kind)(done->context >> 48 & 0xff);
    struct cm_id *id;

    (void)wanted;
    slot_release(nic, (uint16_t)done->context);
    if (done->status == TERN_ST_OK)
        return false;
    pthread_mutex_lock(&cm_lock);
    id = table_get(&cm_ids, (uint32_t)(done->context >> 16));
    if (id && kind == CM_REQ &&
        (done->status == TERN_ST_BAD_QUEUE || done->status == TERN_ST_BAD_TYPE)) {
        call_next(id);
    } else if (id && id->state == CM_CALLING) {
        id->state = CM_ENDED;
        cm_raise(id, CM_UNREACHABLE, -110, NULL); /* ETIMEDOUT, as a kernel reports it */
    } else if (id && kind != CM_DREQ) {
        end(id);
    }
    pthread_mutex_unlock(&cm_lock);
    cm_flush(nic);
    return false;
}

static const struct tern_work_calls served_calls = {.ended = ended};

static int make_queue(struct verbs_nic *nic)
{
    int status = tern_sq_create(nic->cq, SQ_LOG2, &nic->cm_sq);

    if (status)
        return status;
    nic->cm_served.calls = &served_calls;
    (void)tern_sq_serve(nic->cm_sq, &nic->cm_served);
    return 0;
}

int cm_box(struct verbs_nic *nic, bool listens)
{
    int status = nic->cm_sq ? 0 : make_queue(nic);

    if (status || (nic->cm_rq && (nic->cm_listens || !listens)))
        return status;
    for (unsigned at = 0; at < CM_BOXES; at++) {
        struct tern_rq *rq;

        status = tern_rq_create(nic->cq, BOX_LOG2, BOX_BYTES_LOG2,
                                (uint16_t)(nic->info.queues - 1 - at), &rq);
        if (status == -TERN_ST_QUEUE_BUSY)
            continue;
        if (!status) {
            nic->cm_rq = rq; /* an earlier one stays, for answers in flight */
            nic->cm_listens = true;
        }
        break;
    }
    if (status && !listens)
        status = tern_rq_create(nic->cq, BOX_LOG2, BOX_BYTES_LOG2, TERN_QUEUE_ANY, &nic->cm_rq);
    return status;
}

/* ---- received messages */

static struct cm_id *find_listener(const struct verbs_nic *nic, const struct cm_message *message)
{
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        struct cm_id *id = table_get(&cm_ids, at);

        if (id && id->state == CM_LISTENING && id->port == message->port &&
            id->space == message->space && (id->is_any || id->nic == nic))
            return id;
    }
    return NULL;
}

void cm_listener_ends(const struct cm_id *id)
{
    past_ports[past_count++ % PAST_PORTS] = (struct past_port){id->port, id->space};
}

static bool listened_before(const struct cm_message *message)
{
    for (unsigned at = 0; at < PAST_PORTS && at < past_count; at++)
        if (past_ports[at].port == message->port && past_ports[at].space == message->space)
            return true;
    return false;
}

static void request_came(struct verbs_nic *nic, uint16_t node, const struct cm_message *message)
{
    struct cm_id *listener = find_listener(nic, message), *fresh = NULL;

    if (listener)
        fresh =
            cm_id_new(listener->channel, 0, message->space, message->is_datagram ? QPT_UD : QPT_RC);
    if (!fresh) {
        struct cm_message answer = {.kind = CM_NOT_MINE,
                                    .to_id = message->from_id,
                                    .reason = listened_before(message) ? CM_MAY_LISTEN : 0};

        keep(nic, 0, node, message->from_queue, &answer);
        return;
    }
    fresh->state = CM_ANSWERING;
    fresh->is_passive = true;
    fresh->nic = nic;
    fresh->port = message->port;
    fresh->peer_port = message->source_port;
    fresh->peer_node = node;
    fresh->peer_queue = message->from_queue;
    fresh->peer_id = message->from_id;
    fresh->peer = message->param;
    fresh->listener = listener;
    cm_raise_request(listener, fresh);
}

static bool is_from_peer(const struct cm_id *id, uint16_t node, const struct cm_message *message)
{
    return id->peer_node == node && (id->state == CM_CALLING || id->peer_id == message->from_id);
}

static void answer_came(struct cm_id *id, const struct cm_message *message)
{
    if (id->state != CM_CALLING)
        return;
    id->peer_id = message->from_id;
    id->peer_queue = message->from_queue;
    id->peer = message->param;
    id->state = id->qp_type == QPT_UD ? CM_CONNECTED : CM_CONNECTING;
    cm_raise(id, id->qp_type == QPT_UD ? CM_ESTABLISHED : CM_CONNECT_RESPONSE, 0, &id->peer);
}

static void message_came(struct verbs_nic *nic, uint16_t node, const struct cm_message *message)
{
    struct cm_id *id = table_get(&cm_ids, message->to_id);

    if (message->kind == CM_REQ) {
        request_came(nic, node, message);
        return;
    }
    if (!id || !is_from_peer(id, node, message)) {
        struct cm_message answer = {
            .kind = CM_DREQ, .to_id = message->from_id, .from_id = message->to_id};

        if (message->kind == CM_REP || message->kind == CM_PROBE)
            keep(nic, 0, node, message->from_queue, &answer);
        return;
    }
    switch (message->kind) {
    case CM_NOT_MINE:
        id->may_listen |= message->reason == CM_MAY_LISTEN;
        call_next(id);
        break;
    case CM_REP:
        answer_came(id, message);
        break;
    case CM_RTU:
        if (id->state == CM_CONNECTING)
            cm_raise(id, CM_ESTABLISHED, 0, NULL);
        id->state = CM_CONNECTED;
        break;
    case CM_REJ:
        id->state = CM_ENDED;
        cm_raise(id, id->qp_type == QPT_UD ? CM_UNREACHABLE : CM_REJECTED, message->reason,
                 &message->param);
        break;
    case CM_DREQ:
        end(id);
        break;
    default:
        break;
    }
}

void cm_arrived(struct verbs_nic *nic, const struct tern_completion *done)
{
    struct cm_message message;

    if (done->length != sizeof(message))
        return;
    memcpy(&message, done->data, sizeof(message));
    pthread_mutex_lock(&cm_lock);
    message_came(nic, done->node, &message);
    pthread_mutex_unlock(&cm_lock);
    cm_flush(nic);
}

/* ---- time */

static void tell_endings(int64_t now)
{
    struct ending **link = &endings;

    while (*link) {
        struct ending *ending = *link;
        struct cm_id *id = table_get(&cm_ids, ending->id);

        if (now < ending->at) {
            link = &ending->next;
            continue;
        }
        if (id && id->state == CM_ENDED)
            cm_raise(id, CM_DISCONNECTED, 0, NULL);
        *link = ending->next;
        free(ending);
    }
}

/*
 * Asks peers whether they still run: the NIC of a dead process answers that its box does not exist.
 */
static void probe(const struct verbs_nic *nic, int64_t now)
{
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        struct cm_id *id = table_get(&cm_ids, at);

        if (!id || id->nic != nic || id->qp_type == QPT_UD ||
            (id->state != CM_CONNECTING && id->state != CM_CONNECTED) ||
            now - id->probed < PROBE_MS)
            continue;
        if (id->probed)
            cm_send(id, CM_PROBE, 0);
        id->probed = now;
    }
}

static void call_again(const struct verbs_nic *nic, int64_t now)
{
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        struct cm_id *id = table_get(&cm_ids, at);

        if (id && id->nic == nic && id->state == CM_CALLING && id->call_at && now >= id->call_at)
            call_round(id);
    }
}

static bool call_waits(void)
{
    for (uint32_t at = 1; at <= cm_ids.room; at++) {
        const struct cm_id *id = table_get(&cm_ids, at);

        if (id && id->state == CM_CALLING && id->call_at)
            return true;
    }
    return false;
}

void cm_tick(struct verbs_nic *nic, int64_t now)
{
    if (!nic->cm_sq)
        return;
    pthread_mutex_lock(&cm_lock);
    tell_endings(now);
    call_again(nic, now);
    probe(nic, now);
    pthread_mutex_unlock(&cm_lock);
    cm_flush(nic);
}

void cm_forget(void)
{
    pthread_mutex_init(&cm_lock, NULL);
    cm_ids = (struct verbs_table){.most = cm_ids.most};
    kept = NULL;
    kept_end = &kept;
    endings = NULL;
    past_count = 0;
}

bool cm_is_waiting(void)
{
    bool is_waiting;

    pthread_mutex_lock(&cm_lock);
    is_waiting = endings != NULL || kept != NULL || call_waits();
    pthread_mutex_unlock(&cm_lock);
    return is_waiting;
}
