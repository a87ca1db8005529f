/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A heap in a pool, on a ring of four: both paths step by step, refusals, handing on, stock, big
 * objects, and the memory of a killed member.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/alloc.h>

#include "pool_rig.h"

enum { BLOCKS = 6, BYTES = BLOCKS * ((1 << 16) + 300) + 4096, MEMBERS = 6, SIZE = 200 };

static struct rig rig;

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 6000 : 15000;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    (void)adopted;
    gives(tern_heap_make(pool, "heap", BYTES), 0, "tern_heap_make");
}

/* 't': returns the taken slabs, as the server counts them. */
static int word(struct tern_pool *pool, char letter)
{
    struct tern_heap_class klass;
    int taken = 0;

    for (unsigned i = 0; letter == 't' && tern_heap_class(pool, "heap", i, &klass) == 0; i++)
        taken += (int)klass.taken;
    return taken;
}

static struct pool_serving serving = {.rig = &rig, .begin = begin, .word = word};
static struct child server;

static int taken(void)
{
    return pool_server_ask(&server, 't');
}

static struct tern_heap *open_heap(struct pool_client *c, enum tern_alloc_path path,
                                   unsigned stock)
{
    const struct tern_heap_config config = {.path = path, .stock = stock};
    struct tern_heap *heap = NULL;

    gives(tern_member_renew(c->member), 0, "tern_member_renew"); /* a test may take long */
    gives(tern_heap_open(&c->member, 1, "heap", &config, &heap), 0, "tern_heap_open");
    return heap;
}

/* Waits until the server counts `want` taken slabs; returns whether it does. */
static bool comes_to(struct tern_heap *heap, int want)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;

    while (taken() != want && pool_rig_now() < end) {
        gives(tern_heap_renew(heap), 0, "tern_heap_renew");
        pool_rig_pause(lease() / 20);
    }
    return taken() == want;
}

/* ---- the paths, step by step */

static void literal(struct pool_client *c)
{
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_LITERAL, 0);
    struct tern_heap_counts before, after;
    struct tern_ptr first, second;

    gives(tern_alloc(heap, SIZE, &first), 0, "tern_alloc");
    tern_heap_counts(heap, &before);
    tap(tern_alloc(heap, SIZE, &second) == 0 && second.offset != first.offset &&
            tern_usable_bytes(heap, second) >= SIZE,
        "the literal path takes a slab of the class");
    tern_heap_counts(heap, &after);
    tap(after.header_reads - before.header_reads == 1 && after.map_reads - before.map_reads == 1 &&
            after.header_swaps - before.header_swaps == 1 &&
            after.map_swaps - before.map_swaps == 1 &&
            after.owner_puts - before.owner_puts == 1 && after.takes == before.takes &&
            after.asked == before.asked,
        "by a read of the headers, a read of the map, a swap of each and one put");
    for (unsigned i = 3; i <= 6; i++)
        tap_evidence((const char[]){'M', (char)('0' + i), 0},
                     "header_reads=%llu map_reads=%llu map_swaps=%llu header_swaps=%llu",
                     (unsigned long long)(after.header_reads - before.header_reads),
                     (unsigned long long)(after.map_reads - before.map_reads),
                     (unsigned long long)(after.map_swaps - before.map_swaps),
                     (unsigned long long)(after.header_swaps - before.header_swaps));
    gives(tern_free(heap, first), 0, "tern_free");
    gives(tern_free(heap, second), 0, "tern_free");
    tap(comes_to(heap, 0), "and gives both back");
    tern_heap_close(heap);
}

/* Slabs taken, as a client sees them. */
static int seen(struct tern_heap *heap)
{
    struct tern_heap_class classes[64] = {{0}};
    int count = tern_heap_look(heap, tern_node(POOL_NODE, 0, 0), classes, 64), taken = 0;

    for (int i = 0; i < count; i++)
        taken += (int)classes[i].taken;
    return count > 0 ? taken : count;
}

static void fast(struct pool_client *c)
{
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct tern_heap_counts before, after;
    struct tern_ptr one, two, many[32], again;
    unsigned freed = 0;

    gives(tern_alloc(heap, SIZE, &one), 0, "tern_alloc");
    tern_heap_counts(heap, &before);
    gives(tern_alloc(heap, SIZE, &two), 0, "tern_alloc");
    tern_heap_counts(heap, &after);
    tap(after.takes - before.takes == 1 && after.header_reads == before.header_reads &&
            after.map_reads == before.map_reads && after.asked == before.asked &&
            after.retries == before.retries,
        "the fast path takes a slab by one operation");
    gives(tern_free(heap, one), 0, "tern_free");
    gives(tern_alloc(heap, SIZE, &again), 0, "tern_alloc");
    tap(again.offset != one.offset || again.generation > one.generation,
        "a slab that is given out again has a greater generation");
    gives(tern_free(heap, two), 0, "tern_free");
    gives(tern_free(heap, again), 0, "tern_free");
    tap(tern_alloc_many(heap, TERN_ALLOC_ANY, SIZE, many, 32) == 0 && comes_to(heap, 32),
        "many slabs are taken at once");
    tap(seen(heap) == 32 && tern_heap_look(heap, tern_node(0, 0, 0), NULL, 0) == -TERN_ST_BAD_NODE,
        "a client sees how many slabs are taken");
    tap(tern_free_many(heap, many, 32, &freed) == 0 && freed == 32 && comes_to(heap, 0),
        "and given back");
    tern_heap_close(heap);
}

/* ---- posted allocations, and allocations on one node */

static void posted(struct pool_client *c)
{
    enum { POSTED = 5, CONTEXT = 40 };
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct tern_heap_limits limits = tern_heap_limits(heap);
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    struct tern_heap_done done[POSTED];
    unsigned contexts = 0;
    struct tern_ptr at;
    int ended = 0;

    tap(tern_alloc_on(heap, tern_node(POOL_NODE, 0, 0), SIZE, &at) == 0 &&
            at.node == tern_node(POOL_NODE, 0, 0) && tern_free(heap, at) == 0,
        "memory comes from the node that was asked for");
    tap(tern_alloc_on(heap, tern_node(0, 0, 0), SIZE, &at) == -TERN_ST_BAD_NODE,
        "a node without a heap has none");
    for (unsigned i = 0; i < POSTED; i++)
        gives(tern_alloc_post(heap, TERN_ALLOC_ANY, SIZE, CONTEXT + i), 0, "tern_alloc_post");
    while (ended < POSTED && pool_rig_now() < end)
        ended += tern_heap_poll(heap, done + ended, POSTED - ended);
    for (int i = 0; i < ended; i++)
        if (done[i].status == 0 && tern_free(heap, done[i].at) == 0)
            contexts |= 1u << (done[i].context - CONTEXT);
    tap(ended == POSTED && contexts == (1u << POSTED) - 1,
        "each posted allocation ends once, with its context");
    tap(limits.tries == 64 && limits.words != 0 && limits.blocks != 0,
        "a client can read how long it tries");
    tap(comes_to(heap, 0), "all of that is given back");
    tern_heap_close(heap);
}

/* ---- refusals, which change nothing */

static void refusals(struct pool_client *c, enum tern_alloc_path path)
{
    static struct pool_client other;
    const char *name = path == TERN_ALLOC_FAST ? "fast" : "literal";
    struct tern_heap *heap = open_heap(c, path, 0), *foreign;
    struct tern_ptr at, wrong;
    int count;

    pool_client_open(&other, &rig, 3, TERN_POOL_WRITE);
    foreign = open_heap(&other, path, 0);
    gives(tern_alloc(heap, SIZE, &at), 0, "tern_alloc");
    count = taken();
    tap(tern_free(foreign, at) == -TERN_ST_NOT_OWNER, "%s: another's slab is not given back",
        name);
    wrong = at;
    wrong.offset += 8;
    tap(tern_free(heap, wrong) == -TERN_ST_BAD_RANGE, "%s: a place inside a slab is refused",
        name);
    wrong.offset = 0;
    tap(tern_free(heap, wrong) == -TERN_ST_BAD_RANGE, "%s: a place out of the heap is refused",
        name);
    wrong = at;
    wrong.generation--;
    tap(tern_free(heap, wrong) == -TERN_ST_STALE_POINTER, "%s: a stale pointer is refused", name);
    tap(taken() == count, "%s: nothing has changed", name);
    gives(tern_heap_renew(foreign), 0, "tern_heap_renew");
    tap(tern_hand_on(heap, at, tern_member_holder(other.member)) == 0 &&
            tern_free(heap, at) == -TERN_ST_NOT_OWNER,
        "%s: a slab that is handed on is another's", name);
    tap(pool_client_put(&other, tern_heap_rptr(foreign, at), 77) == TERN_ST_OK &&
            tern_free(foreign, at) == 0,
        "%s: who writes to it by its own key, and gives it back", name);
    tap(tern_free(foreign, at) == -TERN_ST_NOT_TAKEN, "%s: a slab is given back once", name);
    tap(comes_to(heap, 0), "%s: and is free", name);
    tern_heap_close(foreign);
    pool_client_close(&other);
    tern_heap_close(heap);
}

/* ---- stock */

static void stock(struct pool_client *c)
{
    enum { PAIRS = 3200 };
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 32);
    struct tern_heap_counts n;
    struct tern_ptr at[64], last;
    uint64_t requests;

    gives(tern_alloc(heap, SIZE, &last), 0, "tern_alloc");
    gives(tern_free(heap, last), 0, "tern_free");
    tap(tern_free(heap, last) == -TERN_ST_NOT_TAKEN, "stock: a slab is given back once");
    for (unsigned i = 0; i < PAIRS / 64; i++) {
        for (unsigned j = 0; j < 64; j++)
            gives(tern_alloc(heap, SIZE, &at[j]), 0, "tern_alloc");
        for (unsigned j = 0; j < 64; j++)
            gives(tern_free(heap, at[j]), 0, "tern_free");
    }
    tap(tern_free(heap, last) == -TERN_ST_STALE_POINTER, "stock: a stale pointer is refused");
    tern_heap_counts(heap, &n);
    requests = n.takes + n.word_takes + n.adds + n.owner_puts + n.owner_swaps + n.header_reads +
               n.map_reads + n.asked;
    tap(requests * 100 <= 13 * n.taken, "stock: a pair takes 0.13 requests at most");
    tap_note("stock: requests=%llu pairs=%llu", (unsigned long long)requests,
             (unsigned long long)n.taken);
    tern_heap_close(heap);
    heap = open_heap(c, TERN_ALLOC_FAST, 0);
    tap(comes_to(heap, 0), "stock: all of it is free when the heap is closed");
    tern_heap_close(heap);
}

/* ---- requests to the server */

static void hybrid(struct pool_client *c)
{
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct tern_heap_counts before, after;
    struct tern_ptr big, small, full;

    tern_heap_counts(heap, &before);
    tap(tern_alloc(heap, 150000, &big) == 0 && tern_usable_bytes(heap, big) >= 150000,
        "a big object is taken by a request");
    tap(tern_free(heap, big) == 0 && tern_free(heap, big) != 0, "and given back once");
    tern_heap_counts(heap, &after);
    tap(after.asked - before.asked >= 2, "both are asked of the server");
    tap(tern_alloc(heap, (uint64_t)BYTES * 2, &full) == -TERN_ST_BAD_SIZE,
        "an object larger than the heap is refused");
    for (unsigned bytes = 64; bytes <= 16384; bytes *= 2) {
        gives(tern_alloc(heap, bytes, &small), 0, "a block of another class");
        gives(tern_free(heap, small), 0, "tern_free");
        gives(tern_heap_renew(heap), 0, "tern_heap_renew");
    }
    tap(comes_to(heap, 0), "empty blocks change their class");
    tern_heap_close(heap);
}

/* The client remembers the block that was good last; meanwhile the block changes its class. */
static void other_class(struct pool_client *c)
{
    enum { SMALL = 3000, LARGE = 30000, MOST = 2 * BLOCKS }; /* classes of one map word */
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct tern_ptr small, large[MOST];
    unsigned count = 0, wrong = 0;

    gives(tern_alloc(heap, SMALL, &small), 0, "tern_alloc");
    gives(tern_free(heap, small), 0, "tern_free");
    gives(comes_to(heap, 0), true, "an empty heap");
    while (count < MOST && tern_alloc(heap, LARGE, &large[count]) == 0)
        count++;
    for (unsigned i = 0; i < count && wrong == 0; i++) {
        gives(tern_free(heap, large[i]), 0, "tern_free");
        wrong += tern_alloc(heap, SMALL, &small) != -TERN_ST_FULL;
        wrong += tern_alloc(heap, LARGE, &large[i]) != 0;
    }
    tap(count == MOST && wrong == 0,
        "a block that has changed its class serves the old one no more");
    (void)tern_free_many(heap, large, count, NULL);
    tap(comes_to(heap, 0), "and is given back as what it is");
    tern_heap_close(heap);
}

/* ---- deaths */

static void taking(const void *arg, int in, int out)
{
    static struct pool_client c;
    const enum tern_alloc_path *path = arg;
    struct tern_heap *heap;
    struct tern_ptr at;

    pool_client_open(&c, &rig, 1, TERN_POOL_WRITE);
    heap = open_heap(&c, *path, 0);
    for (unsigned i = 0; i < 10; i++)
        gives(tern_alloc(heap, SIZE, &at), 0, "tern_alloc");
    gives(tern_heap_renew(heap), 0, "tern_heap_renew");
    (void)give(out, &at, sizeof(at));
    (void)get(in, &at, 1);
}

static void killed(struct pool_client *c, enum tern_alloc_path path)
{
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct child child = child_start(taking, &path);
    struct tern_ptr at;

    gives(get(child.from, &at, sizeof(at)), true, "a member that takes");
    gives(taken() >= 10, true, "slabs are taken");
    child_kill(&child);
    tap(comes_to(heap, 0), "%s: all that a killed member had is free again",
        path == TERN_ALLOC_FAST ? "fast" : "literal");
    tern_heap_close(heap);
}

/* ---- too late */

static bool is_over(int status)
{
    return status == -TERN_ST_LEASE_OVER;
}

/* A client that did not renew for a lease has lost what it had. */
static void too_late(struct pool_client *c, enum tern_alloc_path path)
{
    static struct pool_client late;
    const char *name = path == TERN_ALLOC_FAST ? "fast" : "literal";
    struct tern_heap *own = open_heap(c, TERN_ALLOC_FAST, 0), *heap;
    struct tern_ptr at, other, more[2];
    uint64_t deaths = pool_server_counts(&server).deaths;
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    int before;

    pool_client_open(&late, &rig, 3, TERN_POOL_WRITE);
    heap = open_heap(&late, path, 0);
    gives(tern_alloc(heap, SIZE, &at), 0, "tern_alloc");
    gives(tern_alloc(own, SIZE, &other), 0, "tern_alloc");
    while (pool_server_counts(&server).deaths == deaths && pool_rig_now() < end) {
        gives(tern_heap_renew(own), 0, "tern_heap_renew");
        pool_rig_pause(lease() / 20);
    }
    gives(comes_to(own, 1), true, "a slab of a dead member");
    before = taken();
    tap(is_over(tern_free(heap, at)) && is_over(tern_alloc(heap, SIZE, &more[0])) &&
            is_over(tern_alloc_many(heap, TERN_ALLOC_ANY, SIZE, more, 2)) &&
            is_over(tern_hand_on(heap, at, tern_member_holder(c->member))) &&
            is_over(tern_heap_renew(heap)),
        "%s: who comes too late for its lease is told so by every call", name);
    tap(taken() == before && tern_free(own, other) == 0, "%s: and changes nothing", name);
    tern_heap_close(heap);
    pool_client_close(&late);
    tern_heap_close(own);
}

/* The server has closed the pool. */
static void closed(struct pool_client *c)
{
    struct tern_heap *heap = open_heap(c, TERN_ALLOC_FAST, 0);
    struct tern_ptr at, more;
    int given, taken_more;

    gives(tern_alloc(heap, SIZE, &at), 0, "tern_alloc");
    tap(pool_server_end(&server), "the server ends well");
    taken_more = tern_alloc(heap, SIZE, &more);
    given = tern_free(heap, at);
    tap(taken_more == -TERN_ST_NO_POOL && given == -TERN_ST_NO_POOL,
        "a pool that was closed is told of by every call");
    tern_heap_close(heap);
}

int main(void)
{
    static struct pool_client c;

    serving.config = (struct tern_pool_config){.name = POOL_TEST_NAME, .bytes = BYTES + 4096,
                                               .members = MEMBERS, .lease_ms = lease()};
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    pool_client_open(&c, &rig, 0, TERN_POOL_WRITE);
    literal(&c);
    fast(&c);
    posted(&c);
    refusals(&c, TERN_ALLOC_LITERAL);
    refusals(&c, TERN_ALLOC_FAST);
    stock(&c);
    hybrid(&c);
    other_class(&c);
    killed(&c, TERN_ALLOC_LITERAL);
    killed(&c, TERN_ALLOC_FAST);
    too_late(&c, TERN_ALLOC_LITERAL);
    too_late(&c, TERN_ALLOC_FAST);
    closed(&c);
    pool_client_close(&c);
    rig_stop(&rig);
    return tap_end();
}
