/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories of a cache: clients on three nodes set, add, get, increment and delete the same few
 * keys, each a process that is paused now and then.  A key is a word, 0 without a value.  The
 * history must be linearizable, and must not be when one get is changed.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include <tern/cache.h>

#include "linear.h"
#include "pool_rig.h"

enum {
    CLIENTS = 3,
    KEYS = 4,
    OPS = 400,
    LEASE_MS = 600000,
    BYTES = 1 << 20,
    STEP = 1000,
    PAUSES = 10,
    DIGITS = 24
};

struct record_board {
    struct linear_op op[CLIENTS][OPS];
    unsigned count[CLIENTS];
};

static struct rig rig;
static struct record_board *board;

static unsigned ops(void)
{
    return rig_tier_is_soft() ? OPS : 60;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    const struct tern_cache_config shape = {
        .bytes = BYTES, .log2_buckets = 2, .lease_ms = LEASE_MS};

    (void)adopted;
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
}

/* ---- one operation; false: it tells nothing about the word */

struct turn {
    struct tern_cache *cache;
    char key[8];
    uint64_t fresh; /* a value that no other operation sets */
};

static int got(struct turn *t, uint64_t *value, uint64_t *cas)
{
    char text[DIGITS] = "";
    struct tern_item item = {.value = text, .room = DIGITS - 1};
    int status = tern_cache_get(t->cache, t->key, strlen(t->key), &item);

    *value = status == 0 ? strtoull(text, NULL, 10) : 0;
    *cas = item.cas;
    return status == -TERN_ST_NOT_FOUND ? 0 : status;
}

static int put(struct turn *t, enum tern_cache_if when, uint64_t cas)
{
    char text[DIGITS];
    struct tern_item item = {
        .value = text, .cas = cas, .bytes = (uint64_t)snprintf(text, DIGITS, "%" PRIu64, t->fresh)};

    return tern_cache_set(t->cache, t->key, strlen(t->key), &item, when);
}

static bool get_it(struct turn *t, struct linear_op *op)
{
    uint64_t cas;

    op->kind = LINEAR_READ;
    gives(got(t, &op->result, &cas), 0, "tern_cache_get");
    return true;
}

static bool set_it(struct turn *t, struct linear_op *op)
{
    op->kind = LINEAR_WRITE;
    op->operand = t->fresh;
    gives(put(t, TERN_ALWAYS, 0), 0, "tern_cache_set");
    return true;
}

static bool add_it(struct turn *t, struct linear_op *op)
{
    int status = put(t, TERN_IF_ABSENT, 0);

    op->kind = LINEAR_CAS;
    op->operand = t->fresh;
    return status == 0;
}

/* The get before it is no operation of the history. */
static bool cas_it(struct turn *t, struct linear_op *op)
{
    uint64_t cas;

    op->kind = LINEAR_CAS;
    op->operand = t->fresh;
    gives(got(t, &op->compare, &cas), 0, "tern_cache_get");
    op->result = op->compare;
    op->invoked = now_ns();
    return op->compare != 0 && put(t, TERN_IF_CAS, cas) == 0;
}

static bool sum_it(struct turn *t, struct linear_op *op)
{
    uint64_t value = 0;
    int status = tern_cache_add(t->cache, t->key, strlen(t->key), 1, false, &value);

    op->kind = status ? LINEAR_READ : LINEAR_FAA;
    op->operand = 1;
    op->result = status ? 0 : value - 1;
    gives(status == 0 || status == -TERN_ST_NOT_FOUND, true, "tern_cache_add");
    return true;
}

static bool delete_it(struct turn *t, struct linear_op *op)
{
    int status = tern_cache_delete(t->cache, t->key, strlen(t->key), 0);

    op->kind = status ? LINEAR_READ : LINEAR_WRITE;
    gives(status == 0 || status == -TERN_ST_NOT_FOUND, true, "tern_cache_delete");
    return true;
}

/* ---- clients */

static void client(const void *arg, int in, int out)
{
    static bool (*const kinds[])(struct turn *, struct linear_op *) = {
        get_it, get_it, get_it, set_it, add_it, cas_it, sum_it, delete_it};
    static const unsigned nodes[CLIENTS] = {0, 1, 3};
    static struct pool_client c;
    unsigned number = *(const unsigned *)arg;
    uint64_t random = number + 1;
    struct turn turn = {.cache = NULL};
    char word = 1;

    pool_client_open(&c, &rig, nodes[number], TERN_POOL_WRITE);
    gives(tern_cache_open(&c.member, 1, "cache", NULL, &turn.cache), 0, "tern_cache_open");
    gives(give(out, &word, 1) && get(in, &word, 1), true, "the start");
    for (unsigned i = 0; i < ops(); i++) {
        struct linear_op op = {.client = number, .word = random_below(&random, KEYS)};

        snprintf(turn.key, sizeof(turn.key), "w%u", op.word);
        turn.fresh = (uint64_t)(number + 1) << 40 | (uint64_t)(i + 1) * STEP;
        op.invoked = now_ns();
        if (!kinds[random_below(&random, 8)](&turn, &op))
            continue;
        op.responded = now_ns();
        board->op[number][board->count[number]++] = op;
    }
    (void)give(out, &word, 1);
    tern_cache_close(turn.cache);
    pool_client_close(&c);
}

/* Pauses one client after the other for a moment. */
static void pause_some(const struct child *children)
{
    for (unsigned i = 0; i < PAUSES; i++) {
        pid_t pid = children[i % CLIENTS].pid;

        (void)kill(pid, SIGSTOP);
        pool_rig_pause(10);
        (void)kill(pid, SIGCONT);
        pool_rig_pause(3);
    }
}

/* ---- judged */

static struct linear_history *history(bool spoilt)
{
    struct linear_history *h = linear_new(KEYS);

    for (unsigned i = 0; i < CLIENTS; i++)
        for (unsigned j = 0; h && j < board->count[i]; j++) {
            struct linear_op op = board->op[i][j];

            if (spoilt && op.kind == LINEAR_READ && op.result != 0) {
                op.result = 7; /* no client sets that */
                spoilt = false;
            }
            gives(linear_add(h, &op), LINEAR_OK, "linear_add");
        }
    return h;
}

static enum linear_answer judge(bool spoilt)
{
    struct linear_history *h = history(spoilt);
    struct linear_verdict verdict = {.answer = LINEAR_GAVE_UP};

    if (h)
        (void)linear_check(h, &verdict);
    linear_free(h);
    return verdict.answer;
}

int main(void)
{
    static const unsigned numbers[CLIENTS] = {0, 1, 2};
    static struct pool_serving serving = {.rig = &rig, .begin = begin};
    struct child server, children[CLIENTS];
    unsigned count = 0;
    char word = 1;
    bool good = true;

    board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(board != MAP_FAILED, true, "shared memory");
    serving.config = (struct tern_pool_config){
        .name = POOL_TEST_NAME, .bytes = BYTES + 4096, .members = 8, .lease_ms = LEASE_MS};
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    for (unsigned i = 0; i < CLIENTS; i++) {
        children[i] = child_start(client, &numbers[i]);
        good &= get(children[i].from, &word, 1);
    }
    for (unsigned i = 0; i < CLIENTS; i++)
        good &= give_word(&children[i], 's');
    pause_some(children);
    for (unsigned i = 0; i < CLIENTS; i++) {
        good &= get(children[i].from, &word, 1) && child_end(&children[i]);
        count += board->count[i];
    }
    tap(good, "clients on three nodes change the same keys");
    tap(judge(false) == LINEAR_YES, "what they see is linearizable");
    tap_note("operations=%u", count);
    tap(judge(true) == LINEAR_NO, "and is not when one get is changed");
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
