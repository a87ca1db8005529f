/* SPDX-License-Identifier: Apache-2.0 */
/* A client joins a pool, sends requests to its server, and leaves. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <tern/read.h>

#include "member.h"

enum { CQ_LOG2 = 5, SQ_LOG2 = 4, RQ_LOG2 = 2, PATIENCE_MS = 10000, TURN_MS = 1000,
       RENEWALS_CHECKED = 8 /* per lease */ };

/* ---- messages */

/* Sends a request and waits for its completion, which it stores in `*ended`. */
static int send_request(struct tern_member *m, uint16_t queue, enum tern_status *ended)
{
    struct tern_target to = {.node = m->node, .queue = queue};
    struct tern_completion done = {0};
    struct tern_once once;
    int status;

    tern_once_begin(&once, m->sq, &done);
    status = tern_send(m->sq, to, m->region, &m->memory->request, sizeof(m->memory->request),
                       TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, PATIENCE_MS);
    *ended = done.status;
    return status;
}

/*
 * Waits for the answer, and renews the lease meanwhile if there is one. WAIT_EXPIRED, LEASE_OVER.
 */
static int await_answer(struct tern_member *m, struct wire_answer *answer, int timeout_ms)
{
    int64_t end = pool_now_ms() + timeout_ms;
    int slice = m->pool.lease_ms ? (int)m->pool.lease_ms / RENEWALS_CHECKED + 1 : timeout_ms;
    int status = 0;

    m->answered = false;
    m->answer = answer;
    while (!m->answered && !status) {
        int64_t left = end - pool_now_ms();
        struct tern_completion done;

        status = tern_cq_next(m->cq, &done, left < slice ? left > 0 ? (int)left : 0 : slice);
        if (!status)
            pool_member_heard(m, &done);
        if (status == -TERN_ST_WAIT_EXPIRED && left > 0)
            status = 0;
        if (!status && !m->answered && m->pool.lease_ms)
            status = tern_member_renew(m); /* it may hear the answer */
    }
    m->answer = NULL;
    return m->answered ? 0 : status;
}

static void prepare(struct tern_member *m, enum wire_kind kind)
{
    struct wire_request *request = &m->memory->request;

    *request = (struct wire_request){
        .magic = WIRE_MAGIC, .kind = (uint16_t)kind, .queue = tern_rq_number(m->rq),
        .nonce = m->nonce, .number = ++m->asks, .holder = m->pool.holder};
}

/* ---- joining */

/*
 * Asks the server at `queue`. NO_POOL: there is none; TIMEOUT: it has not answered yet. The lease
 * counts from before the request was sent.
 */
static int knock(struct tern_member *m, uint16_t queue)
{
    struct wire_answer answer;
    int64_t asked = pool_now_ms();
    enum tern_status ended;
    int status = send_request(m, queue, &ended);

    if (status)
        return status;
    if (ended == TERN_ST_BAD_QUEUE || ended == TERN_ST_BAD_TYPE || ended == TERN_ST_MSG_TOO_LONG)
        return -TERN_ST_NO_POOL;
    if (ended == TERN_ST_RNR)
        return -TERN_ST_TIMEOUT;
    if (ended != TERN_ST_OK)
        return -(int)ended;
    status = await_answer(m, &answer, TURN_MS);
    if (status)
        return status == -TERN_ST_WAIT_EXPIRED ? -TERN_ST_TIMEOUT : status;
    if (answer.status)
        return -(int)answer.status;
    m->pool = answer;
    m->server_queue = queue;
    m->renewed = asked;
    return 0;
}

/* Asks each queue where a server may listen, and repeats that while one of them is silent. */
static int ask_all(struct tern_member *m)
{
    int64_t end = pool_now_ms() + PATIENCE_MS;
    int status;

    do {
        bool silent = false;

        for (unsigned i = 0; i < WIRE_QUEUES; i++) {
            status = knock(m, wire_queue(m->info.queues, i));
            if (status != -TERN_ST_NO_POOL && status != -TERN_ST_TIMEOUT)
                return status;
            silent |= status == -TERN_ST_TIMEOUT;
        }
        status = silent ? -TERN_ST_TIMEOUT : -TERN_ST_NO_POOL;
    } while (status == -TERN_ST_TIMEOUT && pool_now_ms() < end);
    return status;
}

static int open_member(struct tern_member *m)
{
    int status = tern_query(m->device, &m->info);

    m->memory = calloc(1, sizeof(*m->memory));
    if (!m->memory)
        return -TERN_ST_NO_MEMORY;
    if (!status)
        status = tern_register(m->device, m->memory, sizeof(*m->memory),
                               TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &m->region);
    if (!status)
        status = tern_cq_create(m->device, CQ_LOG2, 0, &m->cq);
    if (!status)
        status = tern_sq_create(m->cq, SQ_LOG2, &m->sq);
    if (!status)
        status = tern_rq_create(m->cq, RQ_LOG2, WIRE_LOG2, TERN_QUEUE_ANY, &m->rq);
    if (!status && getentropy(&m->nonce, sizeof(m->nonce)))
        status = -TERN_ST_SYSTEM;
    return status;
}

static void close_member(struct tern_member *m)
{
    if (m->sq)
        (void)tern_sq_destroy(m->sq);
    if (m->rq)
        (void)tern_rq_destroy(m->rq);
    if (m->cq)
        (void)tern_cq_destroy(m->cq);
    if (m->region)
        (void)tern_release(m->region);
    free(m->memory);
    free(m);
}

static int join(struct tern_member *m, const char *name, unsigned rights)
{
    int status = open_member(m);

    if (status)
        return status;
    prepare(m, WIRE_JOIN);
    m->memory->request.rights = rights;
    strcpy(m->memory->request.name, name);
    status = ask_all(m);
    if (status)
        return status;
    m->shared = m->pool.shared;
    m->lease = m->pool.lease;
    m->adoption = m->moved = m->pool.adoption;
    return 0;
}

int tern_member_join(struct tern_device *device, uint16_t node, const char *name, unsigned rights,
                     struct tern_member **out)
{
    struct tern_member *m;
    int status;

    if (!pool_name_is_good(name) || !(rights & (TERN_POOL_READ | TERN_POOL_WRITE)) ||
        rights & ~(TERN_POOL_READ | TERN_POOL_WRITE))
        return -TERN_ST_BAD_ARGUMENT;
    m = calloc(1, sizeof(*m));
    if (!m)
        return -TERN_ST_NO_MEMORY;
    m->device = device;
    m->node = node;
    status = join(m, name, rights);
    if (status)
        close_member(m);
    else
        *out = m;
    return status;
}

void tern_member_quit(struct tern_member *m)
{
    enum tern_status ended;

    if (!m)
        return;
    prepare(m, WIRE_QUIT);
    (void)send_request(m, m->server_queue, &ended);
    close_member(m);
}

struct tern_device *tern_member_device(const struct tern_member *m)
{
    return m->device;
}

/* ---- asking */

int tern_member_why(struct tern_member *m)
{
    enum tern_status ended = TERN_ST_OK;

    prepare(m, WIRE_NOTHING);
    if (send_request(m, m->server_queue, &ended) == 0 && ended == TERN_ST_BAD_QUEUE)
        return -TERN_ST_NO_POOL;
    return -TERN_ST_LEASE_OVER;
}

int tern_member_ask(struct tern_member *m, void *words, size_t bytes)
{
    struct wire_answer answer;
    enum tern_status ended;
    int status;

    if (bytes > TERN_POOL_ASK || (bytes && !words))
        return -TERN_ST_BAD_ARGUMENT;
    pool_member_hear(m);
    if (!tern_member_alive(m))
        return -TERN_ST_LEASE_OVER;
    prepare(m, WIRE_ASK);
    if (bytes)
        memcpy(m->memory->request.words, words, bytes);
    status = send_request(m, m->server_queue, &ended);
    if (!status && ended != TERN_ST_OK)
        status = -(int)ended;
    if (!status)
        status = await_answer(m, &answer, PATIENCE_MS);
    if (status)
        return status == -TERN_ST_WAIT_EXPIRED ? -TERN_ST_TIMEOUT : status;
    if (!answer.status && bytes)
        memcpy(words, answer.words, bytes);
    return -(int)answer.status;
}

int tern_member_find(struct tern_member *m, const char *name, struct tern_pool_object *object)
{
    uint32_t bytes = sizeof(m->memory->directory), piece = m->info.put_bytes_max;
    uint8_t *to = (uint8_t *)m->memory->directory;

    if (tern_member_renew(m))
        return -TERN_ST_LEASE_OVER;
    for (uint32_t at = 0; at < bytes; at += piece) {
        uint32_t count = bytes - at < piece ? bytes - at : piece;
        struct tern_completion done;
        struct tern_once once;
        int status;

        tern_once_begin(&once, m->sq, &done);
        status = tern_read(m->sq, tern_rptr_add(m->shared, at), m->region, to + at, count,
                           TERN_DFLAG_SIGNAL, 0);
        status = tern_once_end(&once, status, PATIENCE_MS);
        if (!status && done.status == TERN_ST_BAD_KEY)
            status = -TERN_ST_LEASE_OVER;
        else if (!status)
            status = -(int)done.status;
        if (status)
            return status;
    }
    return pool_object_find(m->memory->directory, name, object);
}
