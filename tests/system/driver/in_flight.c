/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations of several steps, all kinds of them in flight at once on one send queue: slabs, shared
 * tables, tasks, chains, messages, remote gets, a message of a pair. The operations come from one
 * thread; from one that waits for some of them in between; from four threads with a queue each; on
 * a ring without room for the next step; and across a fork.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/atomic.h>
#include <tern/chain.h>
#include <tern/pair.h>
#include <tern/remote_get.h>
#include <tern/slabs.h>
#include <tern/table_shared.h>
#include <tern/tasks.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    THREADS = 4,
    CLIENTS = THREADS + 1,
    SLAB = 96,
    LIFE = 2,
    BUCKETS_LOG2 = 6,
    TABLE_BYTES = 1024 * (SLAB + 8),
    BLOCK_BYTES = 64 * (SLAB + 8),
    RECORD = 24,
    QUEUE_BYTES = 4096,
    GET_BYTES = 6000,
    LETTER = 2000, /* several packets */
    LETTERS = 8,
    WAIT_MS = 30000,
};

/*
 * Operations of one round, used as their contexts; 0 is the context of other operations of the
 * caller.
 */
enum { SLAB_A, SLAB_B, SLAB_BACK, SET_A, SET_B, REMOVE, PUSH, POP, DONE, CHAIN, MESSAGE, GET,
      LETTER_SENT, OPERATIONS };

static unsigned rounds(void)
{
    return rig_tier_is_soft() ? 20 : 2;
}

/* ---- the side that has the memory; its host only gives buffers back */

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_rq *rq;
    struct tern_fifo *fifo;
    struct tern_inbox *inbox;
    struct tern_region *data_region;
    struct tern_blocks blocks;
    struct tern_table_shared table;
    struct tern_tasks tasks;
    uint8_t slabs[BLOCK_BYTES] __attribute__((aligned(64)));
    uint8_t records[TABLE_BYTES] __attribute__((aligned(64)));
    uint8_t queue[QUEUE_BYTES] __attribute__((aligned(64)));
    uint8_t data[GET_BYTES];
    uint64_t words[CLIENTS][2];
    struct tern_region *words_region;
    uint8_t letters[LETTERS][LETTER];
    unsigned messages, letters_got;
} server;

static const struct tern_table_shape shape = {
    .log2_buckets = BUCKETS_LOG2, .sizes = 1, .size = {{SLAB, 1}}, .life = LIFE, .holder = {1, 1}};

static struct tern_region *offered(void *memory, size_t bytes, unsigned rights)
{
    struct tern_region *region;

    gives(tern_register(server.device, memory, bytes, rights, &region), 0, "tern_register");
    return region;
}

static void server_open(const struct rig *rig)
{
    const unsigned all =
        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC;

    server.device = rig_open(rig, 1);
    gives(tern_cq_create(server.device, 8, 0, &server.cq), 0, "tern_cq_create");
    gives(tern_rq_create(server.cq, 6, 6, TERN_QUEUE_ANY, &server.rq), 0, "tern_rq_create");
    gives(tern_fifo_create(server.cq, 4, &server.fifo), 0, "tern_fifo_create");
    gives(tern_inbox_create(server.cq, 4, 12, TERN_INBOX_SHARED, &server.inbox), 0,
          "tern_inbox_create");
    for (unsigned i = 0; i < LETTERS; i++)
        gives(tern_inbox_post(server.inbox, server.letters[i], LETTER, i), 0, "tern_inbox_post");
    gives(tern_blocks_format(server.slabs, BLOCK_BYTES, SLAB, LIFE, &server.blocks), 0,
          "tern_blocks_format");
    server.blocks.start = tern_region_pointer(offered(server.slabs, BLOCK_BYTES, all), 0);
    gives(tern_table_shared_init(&server.table, server.records, TABLE_BYTES, &shape), 0,
          "tern_table_shared_init");
    tern_table_shared_at(&server.table, tern_region_pointer(offered(server.records, TABLE_BYTES,
                                                                    all), 0));
    server.tasks = (struct tern_tasks){.priorities = 1, .places = TERN_BLOCK_SLABS,
                                       .record_bytes = RECORD, .life = LIFE};
    gives(tern_tasks_format(server.queue, QUEUE_BYTES, &server.tasks), 0, "tern_tasks_format");
    server.tasks.start = tern_region_pointer(offered(server.queue, QUEUE_BYTES, all), 0);
    rig_fill(server.data, GET_BYTES, 3);
    server.data_region = offered(server.data, GET_BYTES,
                                 TERN_RIGHT_REMOTE_READ | TERN_RIGHT_LOCAL_READ);
    server.words_region = offered(server.words, sizeof(server.words), all);
}

/* One turn of that host. */
static void serve(void)
{
    struct tern_completion done;

    while (tern_cq_poll(server.cq, &done, 1) > 0) {
        gives(done.status, TERN_ST_OK, "what came to the server");
        if (done.opcode == TERN_OP_RECV && done.queue == tern_rq_number(server.rq)) {
            gives(tern_rq_release(server.rq, 1), 0, "tern_rq_release");
            server.messages++;
        } else if (done.opcode == TERN_OP_RECV) {
            gives(tern_inbox_post(server.inbox, server.letters[done.context], LETTER,
                                  done.context), 0, "tern_inbox_post");
            server.letters_got++;
        }
    }
}

/*
 * ---- a client: one thread, one send queue, and a pair that reports to the same completion
 * queue
 */

struct client {
    unsigned number;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_getter *getter;
    struct tern_pair *pair, *other;
    struct tern_inbox *inbox;
    struct tern_allocator allocator;
    struct tern_worker worker;
    struct tern_table_writer writers[3];
    struct tern_region *region;
    struct memory {
        uint8_t got[GET_BYTES], letter[LETTER];
        uint64_t value;
        uint8_t scratch[3][1024] __attribute__((aligned(8)));
        uint8_t worker[8192] __attribute__((aligned(64)));
        uint8_t landing[TERN_BLOCK_SLABS * (RECORD + 8)] __attribute__((aligned(8)));
        uint8_t going[RECORD + 8] __attribute__((aligned(8)));
    } memory;
    /* operations of a round */
    struct tern_balloc slab[2];
    struct tern_bfree back;
    struct tern_tpush push;
    struct tern_tpop pop;
    struct tern_tdone done;
    char keys[3][24];
    unsigned told[OPERATIONS];
    bool good;
};

static struct client clients[CLIENTS];

static void pair_up(struct client *c)
{
    struct tern_pair_peer to = {.first = 1}, from = {.first = 1};

    gives(tern_inbox_create(c->cq, 2, 6, 0, &c->inbox), 0, "tern_inbox_create");
    gives(tern_pair_create(c->cq, TERN_PAIR_RC, 5, c->inbox, &c->pair), 0, "tern_pair_create");
    gives(tern_pair_create(server.cq, TERN_PAIR_RC, 2, server.inbox, &c->other), 0,
          "tern_pair_create");
    to.name = tern_pair_name(c->other);
    from.name = tern_pair_name(c->pair);
    gives(tern_pair_connect(c->pair, &to), 0, "tern_pair_connect");
    gives(tern_pair_connect(c->other, &from), 0, "tern_pair_connect");
    gives(tern_pair_start(c->pair, 1, TERN_PAIR_FOR_EVER), 0, "tern_pair_start");
}

static void client_open(struct client *c, struct tern_device *device, unsigned number)
{
    const struct tern_holder me = {(uint16_t)(100 + number), 1};

    *c = (struct client){.number = number, .device = device};
    gives(tern_cq_create(device, 8, 0, &c->cq), 0, "tern_cq_create");
    gives(tern_sq_create(c->cq, 7, &c->sq), 0, "tern_sq_create");
    gives(tern_register(device, &c->memory, sizeof(c->memory),
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &c->region), 0,
          "tern_register");
    gives(tern_getter_create(c->cq, (uint16_t)number, 0, &c->getter), 0, "tern_getter_create");
    c->allocator = (struct tern_allocator){
        .blocks = server.blocks, .holder = me, .cq = c->cq, .sq = c->sq, .timeout_ms = WAIT_MS};
    for (unsigned i = 0; i < 3; i++) {
        c->writers[i] = (struct tern_table_writer){
            .table = server.table, .holder = me, .cq = c->cq, .sq = c->sq, .timeout_ms = WAIT_MS,
            .region = c->region, .scratch = c->memory.scratch[i]};
        gives(tern_table_writer_bytes(&server.table) <= sizeof(c->memory.scratch[i]), true,
              "tern_table_writer_bytes");
    }
    c->worker = (struct tern_worker){.tasks = server.tasks, .holder = me, .cq = c->cq,
                                     .sq = c->sq, .timeout_ms = WAIT_MS,
                                     .region = c->region, .scratch = c->memory.worker};
    gives(tern_worker_bytes(&server.tasks) <= sizeof(c->memory.worker), true, "tern_worker_bytes");
    tern_worker_init(&c->worker);
    pair_up(c);
}

static struct tern_rptr word_at(const struct client *c, unsigned word)
{
    return tern_region_pointer(server.words_region,
                               c->number * sizeof(server.words[0]) + word * sizeof(uint64_t));
}

/* Prepares what a round needs. */
static void prepare(struct client *c, unsigned round)
{
    static const char record[RECORD] = "a task";
    struct tern_slab slab;
    struct tern_task task;

    for (unsigned i = 0; i < 3; i++)
        snprintf(c->keys[i], sizeof(c->keys[i]), "key %u of %u, %u", i, c->number, round);
    gives(tern_balloc_wait(&c->allocator, &slab), 0, "tern_balloc_wait");
    gives(tern_table_shared_set_wait(&c->writers[2], c->keys[2], strlen(c->keys[2]), "gone", 4,
                                     NULL), 0,
          "tern_table_shared_set_wait");
    gives(tern_tpush_wait(&c->worker, 0, record, 1), 1, "tern_tpush_wait");
    gives(tern_tpop_wait(&c->worker, &task, 1), 1, "tern_tpop_wait");
    gives(tern_tpush_wait(&c->worker, 0, record, 1), 1, "tern_tpush_wait");
    memset(c->memory.got, 0, GET_BYTES);
    rig_fill(c->memory.letter, LETTER, round);
    c->memory.value = round + 1;
    c->slab[0] = c->slab[1] = (struct tern_balloc){.blocks = &server.blocks,
                                                   .holder = c->allocator.holder};
    c->back = (struct tern_bfree){.blocks = &server.blocks, .holder = c->allocator.holder,
                                  .slab = slab};
    c->push = (struct tern_tpush){.tasks = &server.tasks, .region = c->region,
                                  .places = c->memory.going};
    c->pop = (struct tern_tpop){.tasks = &server.tasks, .holder = c->allocator.holder,
                                .hint = UINT64_MAX, .region = c->region,
                                .landing = c->memory.landing};
    c->done = (struct tern_tdone){.tasks = &server.tasks, .task = task};
    memset(c->told, 0, sizeof(c->told));
}

static int post_chain(struct client *c)
{
    int status = tern_compare_swap(c->sq, word_at(c, 0), 0, 1, TERN_LINK, CHAIN);

    if (!status)
        status = tern_put_inline(c->sq, word_at(c, 1), &c->memory.value,
                                 sizeof(c->memory.value), TERN_LINK, CHAIN);
    return status ? status : tern_compare_swap(c->sq, word_at(c, 0), 1, 0, 0, CHAIN);
}

/* Posts all operations and polls none. Returns how many it posted. */
static unsigned post_all(struct client *c)
{
    const struct tern_target to = {.node = tern_rptr_node(server.blocks.start),
                                   .queue = tern_rq_number(server.rq)};
    const struct tern_remote_get get = {.from = tern_region_pointer(server.data_region, 0),
                                        .fifo = tern_fifo_number(server.fifo),
                                        .region = c->region, .to = c->memory.got,
                                            .bytes = GET_BYTES, .piece = GET_BYTES / 3};
    unsigned posted = 0;

    posted += tern_balloc(c->sq, &c->slab[0], SLAB_A) == 0;
    posted += tern_balloc(c->sq, &c->slab[1], SLAB_B) == 0;
    posted += tern_table_shared_set(&c->writers[0], c->keys[0], strlen(c->keys[0]), "first", 5,
                                    NULL, SET_A) == 0;
    posted += tern_table_shared_set(&c->writers[1], c->keys[1], strlen(c->keys[1]), "second", 6,
                                    NULL, SET_B) == 0;
    posted += tern_table_shared_remove(&c->writers[2], c->keys[2], strlen(c->keys[2]), NULL,
                                       REMOVE) == 0;
    posted += tern_tpush(c->sq, &c->push, PUSH) == 0;
    posted += tern_tpop(c->sq, &c->pop, POP) == 0;
    posted += tern_tdone(c->sq, &c->done, DONE) == 0;
    posted += post_chain(c) == 0;
    posted += tern_send(c->sq, to, NULL, "hello", 5, TERN_DFLAG_SIGNAL, MESSAGE) == 0;
    posted += tern_remote_get(c->sq, c->getter, &get, GET) == 0;
    posted += tern_pair_send(c->pair, c->region, c->memory.letter, LETTER, 0, TERN_DFLAG_SIGNAL,
                             LETTER_SENT) == 0;
    posted += tern_bfree(c->sq, &c->back, SLAB_BACK) == 0;
    return posted;
}

/* Checks that each completes once, and nothing else does. */
static bool all_end(struct client *c)
{
    unsigned wrong = 0;

    for (unsigned left = OPERATIONS; left > 0; left--) {
        struct tern_completion done;

        if (tern_cq_next(c->cq, &done, WAIT_MS) != 0)
            return false;
        wrong += done.context >= OPERATIONS || done.status != TERN_ST_OK;
        if (done.context < OPERATIONS)
            wrong += c->told[done.context]++ != 0;
        if (wrong)
            tap_note("context %d: %s", (int)done.context, tern_strerror(done.status));
    }
    return wrong == 0;
}

/* Checks the results of all operations, and cleans up. */
static bool all_did(struct client *c)
{
    struct tern_task task;
    bool good = c->slab[0].slab.index != c->slab[1].slab.index && rig_holds(c->memory.got,
                                                                            GET_BYTES, 3) &&
                c->push.pushed == 1 && server.words[c->number][0] == 0 &&
                    server.words[c->number][1] == c->memory.value;

    for (unsigned i = 0; i < 2; i++) {
        good = tern_bfree_wait(&c->allocator, &c->slab[i].slab) == 0 && good;
        good = tern_table_shared_remove_wait(&c->writers[i], c->keys[i], strlen(c->keys[i]),
                                             NULL) == 0 && good;
    }
    good = tern_bfree_wait(&c->allocator, &c->back.slab) < 0 && good;
    good = tern_table_shared_remove_wait(&c->writers[2], c->keys[2], strlen(c->keys[2]),
                                         NULL) == -TERN_ST_NOT_FOUND && good;
    good = tern_tpop_next(&server.tasks, &c->pop, &task) && tern_tdone_wait(&c->worker,
                                                                            &task) == 0 && good;
    good = tern_tpop_wait(&c->worker, &task, 1) == 1 && tern_tdone_wait(&c->worker, &task) == 0 &&
        good;
    return tern_sq_strays(c->sq) == 0 && good;
}

static struct tern_allocator sweeper;
static uint64_t seen[TABLE_BYTES / SLAB];

static bool all_known(void *of, struct tern_holder holder)
{
    (void)of;
    return holder.owner != 0;
}

/* Sweeps slabs of removed records; no client is in the middle of a change meanwhile. */
static void sweep(struct client *c)
{
    static struct tern_grace grace = {.progress.knows = all_known};

    sweeper = (struct tern_allocator){
        .holder = shape.holder, .cq = c->cq, .sq = c->sq, .timeout_ms = WAIT_MS};
    for (unsigned i = 0; i < 4; i++)
        gives(tern_table_shared_sweep(&sweeper, &server.table, server.records, &grace, seen) >= 0,
              true, "tern_table_shared_sweep");
}

static void one_thread(struct client *c)
{
    unsigned posted = 0, wrong = 0;
    bool good = true;

    for (unsigned round = 0; round < rounds(); round++) {
        prepare(c, round);
        posted += post_all(c);
        wrong += !all_end(c);
        good = all_did(c) && good;
        serve();
        sweep(c);
    }
    tap(posted == OPERATIONS * rounds() && wrong == 0,
        "operations of several steps in flight on one queue all end well, each once");
    tap(good, "each has done what it should");
    tap_note("in_flight=%u rounds=%u", OPERATIONS, rounds());
}

/* ---- waiting for one while others are in flight */

static void waiting_in_between(struct client *c)
{
    struct tern_completion done;
    struct tern_slab slab;
    struct tern_once once;
    bool good;

    prepare(c, 1000);
    gives((int)post_all(c), OPERATIONS, "all of them");
    tap(tern_table_shared_set_wait(&c->writers[0], "x", 1, "y", 1, NULL) == -TERN_ST_AGAIN,
        "a writer makes one change after the other");
    good = tern_balloc_wait(&c->allocator, &slab) == 0 && tern_bfree_wait(&c->allocator,
                                                                          &slab) == 0;
    tern_once_begin(&once, c->sq, &done);
    good = tern_once_end(&once, tern_nop(c->sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0),
                         WAIT_MS) == 0 &&
           done.opcode == TERN_OP_NOP && good;
    tap(good, "waiting works on a queue that serves other things meanwhile");
    good = tern_cq_wait(c->cq, 0) == 0 && all_end(c);
    tap(good && all_did(c), "what completed meanwhile is polled afterwards, all of it");
    good = tern_cq_poll(c->cq, &done, 1) == 0;
    tap(good, "and nothing that was waited for comes again");
    serve();
    sweep(c);
}

/* The operation waited for first ends after the others. */
static void waiting_for_two(struct client *c)
{
    struct tern_balloc two[2] = {{.blocks = &server.blocks, .holder = c->allocator.holder},
                                 {.blocks = &server.blocks, .holder = c->allocator.holder}};
    struct tern_completion none;
    bool good;

    gives(tern_balloc(c->sq, &two[0], 7), 0, "tern_balloc");
    gives(tern_balloc(c->sq, &two[1], 8), 0, "tern_balloc");
    good = tern_steps_wait(&two[1].steps, WAIT_MS) == 0 && tern_steps_wait(&two[0].steps,
                                                                           WAIT_MS) == 0;
    tap(good && tern_cq_poll(c->cq, &none, 1) == 0, "operations are waited for in any order");
    for (unsigned i = 0; i < 2; i++)
        gives(tern_bfree_wait(&c->allocator, &two[i].slab), 0, "tern_bfree_wait");
}

/* ---- a ring without room for the next step */

static void no_room(struct client *c)
{
    struct tern_balloc late = {.blocks = &server.blocks, .holder = c->allocator.holder};
    struct tern_completion done;
    unsigned told[16] = {0};
    struct tern_table_writer writer = c->writers[0];
    struct tern_sq *small;
    unsigned posted = 0;
    uint64_t before;
    bool good = true;
    int status = 0;

    gives(tern_sq_create(c->cq, 3, &small), 0, "tern_sq_create");
    memcpy(&before, server.slabs, sizeof(before));
    for (unsigned i = 0; i < 8; i++)
        gives(tern_put(small, word_at(c, 1), c->region, &c->memory.value, 8, TERN_DFLAG_SIGNAL,
                       i), 0, "tern_put");
    status = tern_balloc(small, &late, 6);
    good = !memcmp(&before, server.slabs, sizeof(before));
    tap(status == -TERN_ST_AGAIN && good,
        "an operation that finds no room is refused, and nothing has changed");
    for (unsigned i = 0; i < 8; i++)
        gives(tern_cq_next(c->cq, &done, WAIT_MS), 0, "tern_cq_next");
    writer.sq = small;
    gives(tern_table_shared_set(&writer, "stall", 5, "x", 1, NULL, 5), 0, "tern_table_shared_set");
    while (tern_put(small, word_at(c, 1), c->region, &c->memory.value, 8, TERN_DFLAG_SIGNAL, 0) ==
           0)
        posted++;
    for (unsigned left = 1 + posted, more = 0; left > 0; left--) {
        gives(tern_cq_next(c->cq, &done, WAIT_MS), 0, "tern_cq_next");
        good = done.status == TERN_ST_OK && good;
        told[done.context]++;
        while (more < 16 && tern_put(small, word_at(c, 1), c->region, &c->memory.value, 8,
                                     TERN_DFLAG_SIGNAL, 4) == 0) {
            more++;
            left++;
        }
    }
    tap(good && told[5] == 1 && told[4] == 16 &&
            tern_table_shared_remove_wait(&c->writers[0], "stall", 5, NULL) == 0,
        "an operation whose next step finds no room goes on when there is some");
    gives(tern_sq_destroy(small), 0, "tern_sq_destroy");
}

/*
 * A chain that finds no room leaves no step behind; other operations cannot get between its steps.
 */
static void chains_whole(struct client *c)
{
    struct tern_balloc balloc = {.blocks = &server.blocks, .holder = c->allocator.holder};
    struct tern_completion done;
    struct tern_sq *small;
    uint64_t value = 77;
    bool good;

    gives(tern_sq_create(c->cq, 2, &small), 0, "tern_sq_create");
    for (unsigned i = 0; i < 2; i++)
        gives(tern_nop(small, TERN_DFLAG_SIGNAL, i), 0, "tern_nop");
    good = tern_put_inline(small, word_at(c, 1), &value, 8, TERN_LINK, 2) == 0 &&
           tern_put_inline(small, word_at(c, 1), &value, 8, TERN_LINK, 3) == 0;
    tap(good && tern_put_inline(small, word_at(c, 1), &value, 8, 0, 4) == -TERN_ST_AGAIN,
        "a chain that finds no room for its last step is refused");
    for (unsigned i = 0; i < 2; i++)
        good = tern_cq_next(c->cq, &done, WAIT_MS) == 0 && done.context == i && good;
    good = tern_nop(small, TERN_DFLAG_SIGNAL, 9) == 0 && tern_cq_next(c->cq, &done,
            WAIT_MS) == 0 && done.context == 9 && good;
    tap(good && server.words[c->number][1] != value && tern_sq_room(small, 4),
        "and none of its steps has happened");
    gives(tern_put_inline(small, word_at(c, 1), &value, 8, TERN_LINK, 2), 0, "tern_put_inline");
    good = tern_balloc(small, &balloc, 5) == -TERN_ST_AGAIN;
    good = tern_put_inline(small, word_at(c, 1), &value, 8, 0, 4) == 0 && good;
    tap(good && tern_cq_next(c->cq, &done, WAIT_MS) == 0 && done.context == 4 &&
        server.words[c->number][1] == value,
        "an operation of others does not get in between the steps of a chain");
    gives(tern_sq_destroy(small), 0, "tern_sq_destroy");
}

/* ---- four threads */

static unsigned running;

static void *thread(void *arg)
{
    struct client *c = arg;

    c->good = true;
    for (unsigned round = 0; round < rounds(); round++) {
        prepare(c, round);
        c->good = post_all(c) == OPERATIONS && all_end(c) && all_did(c) && c->good;
    }
    __atomic_sub_fetch(&running, 1, __ATOMIC_RELEASE);
    return NULL;
}

static void four_threads(void)
{
    pthread_t threads[THREADS];
    unsigned good = 0;

    running = THREADS;
    server.messages = 0;
    for (unsigned i = 0; i < THREADS; i++)
        gives(pthread_create(&threads[i], NULL, thread, &clients[1 + i]), 0, "pthread_create");
    while (__atomic_load_n(&running, __ATOMIC_ACQUIRE))
        serve();
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        good += clients[1 + i].good;
    }
    serve();
    tap(good == THREADS && server.messages == THREADS * rounds(),
        "four threads with a queue each have all of that in flight, and it all ends well");
    sweep(&clients[0]);
}

/* ---- a fork */

/* Counts the maps of this process that hold rings. */
static unsigned ring_maps(void)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    unsigned count = 0;
    char line[512];

    while (maps && fgets(line, sizeof(line), maps))
        count += strstr(line, "memfd:tern") != NULL;
    if (maps)
        fclose(maps);
    return count;
}

/* Returns how many calls were not refused. */
static unsigned refused_in_child(struct client *c)
{
    struct tern_balloc balloc = {.blocks = &server.blocks, .holder = c->allocator.holder};
    struct tern_completion done;
    struct tern_region *region;
    struct tern_info info;
    struct tern_cq *cq;
    unsigned wrong = 0;

    wrong += tern_put(c->sq, word_at(c, 1), c->region, &c->memory.value, 8, TERN_DFLAG_SIGNAL,
                      1) != -TERN_ST_FORKED;
    wrong += tern_sq_flush(c->sq) != -TERN_ST_FORKED;
    wrong += tern_balloc(c->sq, &balloc, 1) != -TERN_ST_FORKED;
    wrong += tern_pair_send(c->pair, NULL, "x", 1, 0, 0, 1) != -TERN_ST_FORKED;
    wrong += tern_cq_poll(c->cq, &done, 1) != -TERN_ST_FORKED;
    wrong += tern_cq_wait(c->cq, 1000) != -TERN_ST_FORKED;
    wrong += tern_cq_next(c->cq, &done, 1000) != -TERN_ST_FORKED;
    wrong += tern_register(c->device, &done, sizeof(done), 0, &region) != -TERN_ST_FORKED;
    wrong += tern_cq_create(c->device, 2, 0, &cq) != -TERN_ST_FORKED;
    wrong += tern_query(c->device, &info) != -TERN_ST_FORKED;
    wrong += tern_cq_fd(c->cq) != -1;
    wrong += ring_maps();
    return wrong;
}

/* Opens a NIC anew in the child, and moves bytes with it. */
static bool opens_anew(const struct rig *rig, struct tern_rptr to)
{
    struct rig_end end;
    struct tern_completion done;
    uint64_t value = 4711;

    rig_end_open(&end, rig, 0);
    gives(tern_put_inline(end.sq, to, &value, 8, TERN_DFLAG_SIGNAL, 0), 0, "tern_put_inline");
    done = rig_wait(end.cq);
    rig_end_close(&end);
    return done.status == TERN_ST_OK;
}

static void forked(struct client *c, const struct rig *rig)
{
    int status = -1;
    pid_t child;
    bool good;

    prepare(c, 2000);
    gives((int)post_all(c), OPERATIONS, "all of them");
    gives(ring_maps() > 0, true, "rings of this process");
    child = fork();
    if (child == 0) {
        struct tern_rptr to = word_at(&clients[1], 1);
        unsigned wrong = refused_in_child(c);

        tern_close(c->device);
        tern_close(server.device);
        _exit(wrong ? (int)wrong : opens_anew(rig, to) ? 0 : 100);
    }
    gives(child > 0 && waitpid(child, &status, 0) == child, true, "a child");
    good = all_end(c);
    if (status != 0)
        tap_note("the child ended with %#x", (unsigned)status);
    tap(WIFEXITED(status) && WEXITSTATUS(status) == 0,
        "a child of fork is refused on an inherited device, closes it, and opens the NIC anew");
    tap(good, "the operations of its parent all end well");
    tap(server.words[1][1] == 4711 && all_did(c), "the child moved its own bytes alone");
}

int main(void)
{
    struct tern_device *device;
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    server_open(&rig);
    device = rig_open(&rig, 0);
    for (unsigned i = 0; i < CLIENTS; i++)
        client_open(&clients[i], device, i);
    one_thread(&clients[0]);
    waiting_in_between(&clients[0]);
    waiting_for_two(&clients[0]);
    no_room(&clients[0]);
    chains_whole(&clients[0]);
    four_threads();
    forked(&clients[0], &rig);
    tern_close(device);
    tern_close(server.device);
    rig_stop(&rig);
    return tap_end();
}
