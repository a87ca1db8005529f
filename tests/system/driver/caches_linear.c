/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: driver_caches_linear [OPERATIONS [CLIENTS [SEED]]]
 *
 * Histories of a cache: clients on nodes of a ring set, add, get, increment, update in place and
 * delete the same few keys.  Each is a process that is paused now and then, also for longer than
 * its lease, or killed; another process takes the place of a killed one.  One of them has all keys
 * taken out now and then, as eviction does.  A key is a word, 0 without a value, and may become 0
 * by itself, since the server takes out what a dead client was updating.  The history must be
 * linearizable, and must not be when one get is changed.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
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
    CLIENTS_MAX = 27,
    MEMBERS = 64,
    KEYS = 4,     /* and one for each WORD_OPS operations; every fourth is updated in place */
    WORD_OPS = 1000,
    OPS = 1200,
    OPS_RTL = 180,
    BYTES = 1 << 20,
    STEP = 1000,
    DIGITS = 20,
    FLUSHES = 500,      /* operations for each of them */
    REJOIN_MS = 300000, /* a net */
    PER_EVENT = 120     /* operations for each pause or kill */
};

/* An operation that is under way has no response; one that is void told nothing. */
struct record {
    struct linear_op op;
    _Atomic bool begun;
    bool is_void;
};

struct record_board {
    atomic_uint next, done;
    unsigned operations, clients, keys;
    uint64_t seed;
    struct record record[];
};

static struct rig rig;
static struct record_board *board;
static unsigned nodes; /* of the ring */

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 1000 : 20000;
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
        .bytes = BYTES, .log2_buckets = 2, .clients = MEMBERS, .lease_ms = lease() / 2};

    (void)adopted;
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
}

/* ---- a client, which joins anew when its lease is over */

struct turn {
    struct pool_client c;
    struct tern_cache *cache;
    struct record *record;
    char key[8];
    bool fixed;     /* the key is updated in place */
    uint64_t fresh; /* a value that no other operation sets */
};

static int join(struct turn *t)
{
    int status = tern_member_join(t->c.device, tern_node(POOL_NODE, 0, 0), POOL_TEST_NAME,
                                  TERN_POOL_WRITE, &t->c.member);

    if (!status)
        status = tern_cache_open(&t->c.member, 1, "cache", NULL, &t->cache);
    return status;
}

static void leave(struct turn *t)
{
    tern_cache_close(t->cache);
    if (t->c.member)
        tern_member_quit(t->c.member);
    t->cache = NULL;
    t->c.member = NULL;
}

/* On a machine that is busy that may take several times. */
static void join_until(struct turn *t)
{
    int64_t end = pool_rig_now() + REJOIN_MS;

    while (join(t) != 0 && pool_rig_now() < end)
        leave(t);
    gives(t->cache != NULL, true, "joining anew");
}

/* ---- one operation: OK, how it failed without an effect, or LEASE_OVER: nothing is known of it */

enum effect { DONE, NOTHING, UNKNOWN };

static enum effect effect_of(int status)
{
    switch (-status) {
    case 0:
        return DONE;
    case TERN_ST_NOT_FOUND:
    case TERN_ST_UNLIKE:
    case TERN_ST_CONTENDED:
    case TERN_ST_FULL:
    case TERN_ST_BAD_STATE:
        return NOTHING;
    default:
        return UNKNOWN;
    }
}

/* The effect that the operation may have, noted before it begins. */
static void announce(struct turn *t, enum linear_kind kind, uint64_t compare, uint64_t operand)
{
    struct linear_op *op = &t->record->op;

    op->kind = kind;
    op->compare = op->result = compare;
    op->operand = operand;
    op->invoked = now_ns();
    op->responded = LINEAR_NO_RESPONSE;
    atomic_store(&t->record->begun, true);
}

static void answer(struct turn *t)
{
    t->record->op.responded = now_ns();
}

/* It found that the key has no value. */
static void answer_none(struct turn *t)
{
    t->record->op.kind = LINEAR_READ;
    t->record->op.result = 0;
    answer(t);
}

static int got(struct turn *t, uint64_t *value, uint64_t *cas)
{
    char text[DIGITS + 1] = "";
    struct tern_item item = {.value = text, .room = DIGITS};
    int status = tern_cache_get(t->cache, t->key, strlen(t->key), &item);

    *value = status == 0 ? strtoull(text, NULL, 10) : 0;
    *cas = item.cas;
    return status == -TERN_ST_NOT_FOUND ? 0 : status;
}

static int put(struct turn *t, enum tern_cache_if when, uint64_t cas)
{
    char text[DIGITS + 1];
    struct tern_item item = {
        .value = text,
        .cas = cas,
        .fixed = t->fixed,
        .bytes = (uint64_t)snprintf(text, sizeof(text), t->fixed ? "%020" PRIu64 : "%" PRIu64,
                                    t->fresh)};

    return tern_cache_set(t->cache, t->key, strlen(t->key), &item, when);
}

static int get_it(struct turn *t)
{
    uint64_t value, cas;
    int status;

    announce(t, LINEAR_READ, 0, 0);
    status = got(t, &value, &cas);
    t->record->op.result = value;
    if (!status)
        answer(t);
    else
        t->record->is_void = true;
    return status;
}

/* An operation that writes the fresh value: what its status tells. */
static int wrote(struct turn *t, int status)
{
    enum effect effect = effect_of(status);

    if (effect == DONE)
        answer(t);
    else if (effect == NOTHING)
        t->record->is_void = true;
    return status;
}

static int set_it(struct turn *t)
{
    announce(t, LINEAR_WRITE, 0, t->fresh);
    return wrote(t, put(t, TERN_ALWAYS, 0));
}

static int add_it(struct turn *t)
{
    announce(t, LINEAR_CAS, 0, t->fresh);
    return wrote(t, put(t, TERN_IF_ABSENT, 0));
}

/* The get before it is no operation of the history. */
static int cas_it(struct turn *t)
{
    uint64_t value, cas;
    int status = got(t, &value, &cas);

    if (status || value == 0)
        return status;
    announce(t, LINEAR_CAS, value, t->fresh);
    return wrote(t, put(t, TERN_IF_CAS, cas));
}

static int sum_it(struct turn *t)
{
    uint64_t value = 0;
    int status;

    announce(t, LINEAR_FAA, 0, 1);
    status = tern_cache_add(t->cache, t->key, strlen(t->key), 1, false, &value);
    if (status == -TERN_ST_NOT_FOUND) {
        answer_none(t);
        return status;
    }
    t->record->op.result = value - 1;
    return wrote(t, status);
}

static int delete_it(struct turn *t)
{
    int status;

    announce(t, LINEAR_WRITE, 0, 0);
    status = tern_cache_delete(t->cache, t->key, strlen(t->key), 0);
    if (status != -TERN_ST_NOT_FOUND)
        return wrote(t, status);
    answer_none(t);
    return status;
}

static int update_it(struct turn *t)
{
    char text[DIGITS + 1];
    struct tern_item item = {
        .value = text,
        .bytes = (uint64_t)snprintf(text, sizeof(text), "%020" PRIu64, t->fresh)};
    int status;

    announce(t, LINEAR_WRITE, 0, t->fresh);
    status = tern_cache_update(t->cache, t->key, strlen(t->key), &item);
    if (status != -TERN_ST_NOT_FOUND)
        return wrote(t, status);
    answer_none(t);
    return status;
}

typedef int operation(struct turn *t);

/* ---- clients */

static void one(struct turn *t, unsigned number, unsigned index, uint64_t *random)
{
    static operation *const any[] = {get_it, get_it, get_it, set_it,
                                     add_it, cas_it, sum_it, delete_it};
    static operation *const fixed[] = {get_it,    get_it,    get_it, set_it,
                                       update_it, update_it, add_it, delete_it};
    unsigned word = random_below(random, board->keys);

    t->record = &board->record[index];
    t->record->op.client = number;
    t->record->op.word = word;
    t->fixed = word % 4 == 3;
    t->fresh = (uint64_t)(index + 1) * STEP;
    snprintf(t->key, sizeof(t->key), "w%u", word);
    if (index % FLUSHES == FLUSHES - 1)
        (void)tern_cache_flush(t->cache);
    if (effect_of((t->fixed ? fixed : any)[random_below(random, 8)](t)) == UNKNOWN) {
        leave(t);
        join_until(t);
    }
    atomic_fetch_add(&board->done, 1);
}

/* The number of the process in the history, and the node that it is on. */
struct place {
    unsigned number, node;
};

static void client(const void *arg, int in, int out)
{
    static struct turn turn;
    const struct place *place = arg;
    uint64_t random = board->seed * 1000 + place->number + 1;
    unsigned index;
    char word = 1;

    (void)in;
    turn.c.device = rig_open(&rig, place->node);
    join_until(&turn);
    while ((index = atomic_fetch_add(&board->next, 1)) < board->operations)
        one(&turn, place->number, index, &random);
    (void)give(out, &word, 1);
    leave(&turn);
    tern_close(turn.c.device);
}

static struct child start(struct place *place, unsigned number, unsigned i)
{
    *place = (struct place){number, i < POOL_NODE ? i : i + 1};
    return child_start(client, place);
}

/* ---- pauses and kills */

struct happened {
    unsigned pauses, outages, kills;
};

static void happen(struct child *children, struct place *places, unsigned *numbers,
                   uint64_t *random, struct happened *h)
{
    unsigned i = random_below(random, board->clients), kind = random_below(random, 8);
    bool outage;

    if (kind == 0) { /* who is dead says nothing more; another goes on */
        child_kill(&children[i]);
        children[i] = start(&places[i], (*numbers)++, i);
        h->kills++;
        return;
    }
    outage = kind == 1 && rig_tier_is_soft(); /* a lease is long on rtl */
    (void)kill(children[i].pid, SIGSTOP);
    pool_rig_pause(outage ? 3 * lease() : 10);
    (void)kill(children[i].pid, SIGCONT);
    h->outages += outage;
    h->pauses += !outage;
}

/* One after the other, as long as there are operations to be done. */
static struct happened disturb(struct child *children, struct place *places)
{
    uint64_t random = board->seed;
    unsigned numbers = board->clients, events = 0;
    struct happened h = {0};

    while (atomic_load(&board->next) < board->operations) {
        if (atomic_load(&board->done) / PER_EVENT > events) {
            events++;
            happen(children, places, &numbers, &random, &h);
        } else {
            pool_rig_pause(3);
        }
    }
    return h;
}

/* ---- judged */

static struct linear_history *history(bool spoilt, unsigned *count)
{
    struct linear_history *h = linear_new(board->keys);

    *count = 0;
    if (h)
        linear_set_vanishing(h);
    for (unsigned i = 0; h && i < board->operations; i++) {
        const struct record *record = &board->record[i];
        struct linear_op op = record->op;

        if (!atomic_load(&record->begun) || record->is_void)
            continue;
        if (spoilt && op.kind == LINEAR_READ && op.responded != LINEAR_NO_RESPONSE && op.result) {
            op.result = 7; /* no client sets that */
            spoilt = false;
        }
        gives(linear_add(h, &op), LINEAR_OK, "linear_add");
        ++*count;
    }
    return h;
}

static enum linear_answer judge(bool spoilt, unsigned *count)
{
    struct linear_history *h = history(spoilt, count);
    struct linear_verdict verdict = {.answer = LINEAR_GAVE_UP};

    if (h)
        (void)linear_check(h, &verdict);
    if (!spoilt && verdict.answer == LINEAR_NO)
        (void)linear_explain(h, &verdict, stdout);
    linear_free(h);
    return verdict.answer;
}

static void board_make(int argc, char **argv)
{
    unsigned operations = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10)
                          : rig_tier_is_soft() ? OPS
                                               : OPS_RTL;
    size_t bytes = sizeof(*board) + operations * sizeof(board->record[0]);

    board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(board != MAP_FAILED, true, "shared memory");
    board->operations = operations;
    board->clients = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : CLIENTS;
    board->seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    board->keys = KEYS + operations / WORD_OPS;
    gives(board->clients >= 1 && board->clients <= CLIENTS_MAX, true, "1 to 27 clients");
    nodes = board->clients < 3 ? 4 : board->clients + 1;
}

int main(int argc, char **argv)
{
    static struct pool_serving serving = {.rig = &rig, .begin = begin};
    static struct child children[CLIENTS_MAX];
    static struct place places[CLIENTS_MAX];
    struct child server;
    struct happened h;
    char word = 1, torus[16];
    unsigned count;
    bool good = true;

    board_make(argc, argv);
    serving.config = (struct tern_pool_config){.name = POOL_TEST_NAME,
                                               .bytes = BYTES + 4096,
                                               .members = MEMBERS,
                                               .lease_ms = lease()};
    snprintf(torus, sizeof(torus), "%ux1x1", nodes);
    rig_start(&rig, (const char *const[]){"--torus", torus, NULL});
    server = pool_server_start(&serving, NULL);
    for (unsigned i = 0; i < board->clients; i++)
        children[i] = start(&places[i], i, i);
    h = disturb(children, places);
    for (unsigned i = 0; i < board->clients; i++)
        good &= get(children[i].from, &word, 1) && child_end(&children[i]);
    tap(good, "clients on several nodes change the same keys");
    tap(judge(false, &count) == LINEAR_YES, "what they see is linearizable");
    tap_note("operations=%u clients=%u pauses=%u outages=%u kills=%u seed=%llu", count,
             board->clients, h.pauses, h.outages, h.kills, (unsigned long long)board->seed);
    tap(judge(true, &count) == LINEAR_NO, "and is not when one get is changed");
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
