/* SPDX-License-Identifier: Apache-2.0 */
/* See central.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "central.h"

enum {
    CQ_LOG2 = 8,
    SQ_LOG2 = 7,
    RQ_LOG2 = 8,
    MESSAGE_LOG2 = 5,
    SLICE_MS = 200,
    SET_EXCHANGES = 4, /* of a set, see tern/cache.h */
    KEY = 32,
    NONE = -1,         /* no node is ready: the worker waits for another message */
    THE_END = -2,
};

/* A message of a worker: where it is, and the node that it has run; and the answer to it. */
struct done {
    uint16_t node, queue;
    int32_t ended;
};

struct next {
    int32_t node;
};

struct ends {
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
};

static const struct dag_yard *yard;
static unsigned run_number;

static void open_ends(struct ends *e, struct tern_device *device)
{
    gives(tern_cq_create(device, CQ_LOG2, 0, &e->cq), 0, "tern_cq_create");
    gives(tern_sq_create(e->cq, SQ_LOG2, &e->sq), 0, "tern_sq_create");
    gives(tern_rq_create(e->cq, RQ_LOG2, MESSAGE_LOG2, TERN_QUEUE_ANY, &e->rq), 0,
          "tern_rq_create");
}

static void close_ends(struct ends *e)
{
    gives(tern_rq_destroy(e->rq), 0, "tern_rq_destroy");
    gives(tern_sq_destroy(e->sq), 0, "tern_sq_destroy");
    gives(tern_cq_destroy(e->cq), 0, "tern_cq_destroy");
}

static void send(struct ends *e, uint16_t node, uint16_t queue, const void *words, uint32_t bytes)
{
    const struct tern_target to = {.node = node, .queue = queue};
    int status;

    do
        status = tern_send(e->sq, to, NULL, words, bytes, TERN_DFLAG_SIGNAL, 0);
    while (status == -TERN_ST_AGAIN);
    gives(status, 0, "tern_send");
}

/* Waits for a message, and keeps the leases meanwhile. */
static void hear(struct ends *e, struct dag_user *user, void *words, size_t bytes)
{
    for (;;) {
        struct tern_completion done;
        int count = tern_cq_poll(e->cq, &done, 1);

        gives(count < 0 ? count : 0, 0, "tern_cq_poll");
        gives(dag_user_renew(user), 0, "dag_user_renew");
        if (count == 0) {
            (void)tern_cq_wait(e->cq, SLICE_MS);
        } else if (done.opcode == TERN_OP_RECV) {
            memcpy(words, done.data, bytes);
            gives(tern_rq_release(e->rq, 1), 0, "tern_rq_release");
            return;
        } else {
            gives(-(int)done.status, 0, "a message");
        }
    }
}

/* ---- a worker */

struct order {
    unsigned node;
    uint16_t to_node, to_queue;
};

static struct tern_cache_key key_of(uint32_t node, char text[KEY])
{
    int length = snprintf(text, KEY, "central%u/%u", run_number, node);

    return (struct tern_cache_key){.bytes = text, .length = (size_t)length};
}

/* Gets all inputs in one exchange. */
static uint64_t inputs(struct dag_user *user, uint32_t node, uint64_t digest,
                       struct central_counts *n)
{
    unsigned count = dag_shape.inputs[node];
    struct tern_cache_key *keys = calloc(count + 1, sizeof(*keys));
    struct tern_item *items = calloc(count + 1, sizeof(*items));
    char(*text)[KEY] = calloc(count + 1, sizeof(*text));
    uint64_t *values = calloc(count + 1, sizeof(*values));
    int *status = calloc(count + 1, sizeof(*status));

    gives(keys && items && text && values && status, true, "calloc");
    for (unsigned i = 0; i < count; i++) {
        keys[i] = key_of(dag_shape.input[node][i], text[i]);
        items[i] = (struct tern_item){.value = &values[i], .room = sizeof(values[i])};
    }
    gives(tern_cache_mget(user->cache, keys, items, status, count) < 0, false, "tern_cache_mget");
    n->exchanges++;
    for (unsigned i = 0; i < count; i++) {
        gives(status[i], 0, "an input");
        digest = dag_digest(digest, &values[i], sizeof(values[i]));
    }
    free(keys);
    free(items);
    free(text);
    free(values);
    free(status);
    return digest;
}

static void run_node(struct dag_user *user, uint32_t node, struct central_counts *n)
{
    const char *name = tern_dag_name(dag_shape.dag, node);
    uint64_t digest = dag_digest(UINT64_C(14695981039346656037), name, strlen(name));
    struct tern_item item = {.value = &digest, .bytes = sizeof(digest)};
    struct tern_cache_key key;
    char text[KEY];

    if (dag_shape.inputs[node])
        digest = inputs(user, node, digest, n);
    key = key_of(node, text);
    gives(tern_cache_set(user->cache, key.bytes, key.length, &item, TERN_ALWAYS), 0,
          "tern_cache_set");
    n->exchanges += SET_EXCHANGES;
    n->nodes++;
}

static void work_as(const void *arg, int in, int out)
{
    struct order order = *(const struct order *)arg;
    struct central_counts n = {.nodes = 0};
    struct next next = {.node = NONE};
    struct dag_user user;
    struct tern_info info;
    struct ends e;
    char go;

    dag_user_open(&user, yard, order.node);
    open_ends(&e, user.device);
    gives(tern_query(user.device, &info), 0, "tern_query");
    gives(give(out, "r", 1), true, "a worker");
    gives(dag_user_await(&user, in, &go, 1), true, "a worker");
    while (next.node != THE_END) {
        struct done done = {info.node, tern_rq_number(e.rq), next.node};

        if (next.node >= 0)
            run_node(&user, (uint32_t)next.node, &n);
        send(&e, order.to_node, order.to_queue, &done, sizeof(done));
        /* Of the first message nothing has ended: it is no exchange of a node. */
        n.exchanges += done.ended >= 0;
        hear(&e, &user, &next, sizeof(next));
    }
    gives(give(out, &n, sizeof(n)), true, "a worker");
    close_ends(&e);
    dag_user_close(&user);
}

/* ---- the scheduler */

struct scheduler {
    uint32_t *left;               /* inputs that have not ended, of each node */
    uint32_t *ready, count, ended; /* count: of those ready */
    struct done idle[DAG_WORKERS];
    unsigned idlers;
};

static bool needs(uint32_t node, uint32_t from)
{
    for (unsigned i = 0; i < dag_shape.inputs[node]; i++)
        if (dag_shape.input[node][i] == from)
            return true;
    return false;
}

static void end_node(struct scheduler *s, uint32_t node)
{
    s->ended++;
    for (uint32_t to = node + 1; to < tern_dag_nodes(dag_shape.dag); to++)
        if (needs(to, node) && --s->left[to] == 0)
            s->ready[s->count++] = to;
}

/* Answers the workers that wait, as far as there are nodes, or at the end. */
static void answer(struct scheduler *s, struct ends *e)
{
    bool over = s->ended == tern_dag_nodes(dag_shape.dag);

    while (s->idlers > 0 && (s->count > 0 || over)) {
        const struct done *to = &s->idle[--s->idlers];
        struct next next = {.node = over ? THE_END : (int32_t)s->ready[--s->count]};

        send(e, to->node, to->queue, &next, sizeof(next));
    }
}

static void schedule(struct dag_user *user, struct ends *e, unsigned workers)
{
    uint32_t nodes = tern_dag_nodes(dag_shape.dag);
    struct scheduler s = {.left = calloc(nodes, sizeof(uint32_t)),
                          .ready = calloc(nodes, sizeof(uint32_t))};

    gives(s.left && s.ready, true, "calloc");
    for (uint32_t i = 0; i < nodes; i++) {
        s.left[i] = dag_shape.inputs[i];
        if (s.left[i] == 0)
            s.ready[s.count++] = i;
    }
    while (s.ended < nodes || s.idlers < workers) {
        hear(e, user, &s.idle[s.idlers], sizeof(s.idle[0]));
        if (s.idle[s.idlers].ended >= 0)
            end_node(&s, (uint32_t)s.idle[s.idlers].ended);
        s.idlers++;
        if (s.ended < nodes)
            answer(&s, e);
    }
    answer(&s, e);
    free(s.left);
    free(s.ready);
}

static unsigned wrong_outputs(struct dag_user *user)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++) {
        uint64_t digest = 0;
        struct tern_item item = {.value = &digest, .room = sizeof(digest)};
        char text[KEY];
        struct tern_cache_key key = key_of(i, text);

        wrong += tern_cache_get(user->cache, key.bytes, key.length, &item) != 0 ||
                 digest != dag_shape.digest[i];
        gives(tern_cache_delete(user->cache, key.bytes, key.length, 0), 0, "tern_cache_delete");
    }
    return wrong;
}

unsigned central_run(struct dag_user *user, const struct dag_yard *at, unsigned workers,
                     struct central_counts *sum)
{
    struct child child[DAG_WORKERS];
    struct order order = {.node = 0};
    struct tern_info info;
    struct ends e;
    char word;

    yard = at;
    run_number++;
    *sum = (struct central_counts){.nodes = 0};
    open_ends(&e, user->device);
    gives(tern_query(user->device, &info), 0, "tern_query");
    order.to_node = info.node;
    order.to_queue = tern_rq_number(e.rq);
    for (unsigned i = 0; i < workers; i++) {
        order.node = i;
        child[i] = child_start(work_as, &order);
        gives(dag_user_await(user, child[i].from, &word, 1), true, "a worker");
    }
    for (unsigned i = 0; i < workers; i++)
        gives(give_word(&child[i], 'g'), true, "a worker");
    schedule(user, &e, workers);
    for (unsigned i = 0; i < workers; i++) {
        struct central_counts n;

        gives(dag_user_await(user, child[i].from, &n, sizeof(n)), true, "a worker");
        gives(child_end(&child[i]), true, "a worker ends well");
        sum->nodes += n.nodes;
        sum->exchanges += n.exchanges;
    }
    close_ends(&e);
    return wrong_outputs(user);
}
