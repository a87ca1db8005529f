/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gets of a cache on the next node, in one table: by a pointer, with the bucket beside it and
 * without, by lookup, many at one doorbell; beside them two reads one after the other and a call
 * that the server's host answers.  And the gets by pointer again while the server's host does
 * nothing at all.  A host that waits polls every eight cycles; hosts take no time.
 */
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/cache.h>
#include <tern/read.h>

#include "figures.h"
#include "heap_yard.h"

enum { BYTES = 1 << 18, VALUE = 128, STEP = 8, ROUNDS = 16, MANY = 32, SETTLE = 4000, CALL = 8 };

const char source[] = "tests/bench/rtl/caches.c";

static struct tern_member *member;

static struct tern_cache *open_cache(enum tern_cache_path path)
{
    const struct tern_cache_client config = {.path = path};
    struct tern_cache *cache = NULL;

    rig_need(tern_cache_open(&member, 1, "cache", &config, &cache), "tern_cache_open");
    return cache;
}

static uint64_t cycles_since(uint64_t start)
{
    return tern_sim_cycle(rig_sim) - start;
}

/* ---- gets */

static uint64_t get_one(struct tern_cache *cache, const char *key)
{
    char text[VALUE];
    struct tern_item item = {.value = text, .room = VALUE};
    struct tern_cache_done done;
    uint64_t start;

    yard_run(SETTLE);
    start = tern_sim_cycle(rig_sim);
    rig_need(tern_cache_post_get(cache, key, strlen(key), &item, 0), "tern_cache_post_get");
    while (tern_cache_poll(cache, &done, 1) == 0)
        ;
    rig_need(done.status, "a get");
    return cycles_since(start);
}

static int by_cycles(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* The one in the middle: ticks of the firmware fall into some. */
static double middle(uint64_t cycles[ROUNDS])
{
    qsort(cycles, ROUNDS, sizeof(cycles[0]), by_cycles);
    return (double)cycles[ROUNDS / 2];
}

static void gets(const char *id, enum tern_cache_path path, const char *key)
{
    struct tern_cache *cache = open_cache(path);
    uint64_t cycles[ROUNDS];

    (void)get_one(cache, key); /* by lookup: the pointer is known then */
    for (unsigned i = 0; i < ROUNDS; i++)
        cycles[i] = get_one(cache, key);
    figure_and_aim(id, middle(cycles), "cycles", key);
    tern_cache_close(cache);
}

static void many(const char *id, enum tern_cache_path path)
{
    static char text[MANY][VALUE], names[MANY][8];
    struct tern_cache *cache = open_cache(path);
    struct tern_cache_key keys[MANY];
    struct tern_item items[MANY];
    int status[MANY];
    uint64_t cycles = 0;

    for (unsigned i = 0; i < MANY; i++) {
        keys[i] = (struct tern_cache_key){names[i], (size_t)snprintf(names[i], 8, "m%u", i)};
        items[i] = (struct tern_item){.value = text[i], .room = VALUE};
    }
    for (unsigned round = 0; round < 2; round++) { /* all pointers are known in the second */
        uint64_t start;

        yard_run(SETTLE);
        start = tern_sim_cycle(rig_sim);
        if (tern_cache_mget(cache, keys, items, status, MANY) != MANY)
            errx(1, "not all values are there");
        cycles = cycles_since(start);
    }
    figure_and_aim(id, (double)cycles / MANY, "cycles/get", "keys=32");
    tern_cache_close(cache);
}

static void set(struct tern_cache *cache, const char *key, uint32_t bytes)
{
    static char text[VALUE];
    struct tern_item item = {.value = text, .bytes = bytes};

    rig_need(tern_cache_set(cache, key, strlen(key), &item, TERN_ALWAYS), "tern_cache_set");
}

static void fill(void)
{
    struct tern_cache *cache = open_cache(TERN_CACHE_AUTO);

    set(cache, "record=128", VALUE - 32 - 32 - 11);
    set(cache, "value=128", VALUE);
    for (unsigned i = 0; i < MANY; i++) {
        char name[8];

        snprintf(name, sizeof(name), "m%u", i);
        set(cache, name, VALUE - 32 - 32 - (uint32_t)strlen(name) - 1);
    }
    tern_cache_close(cache);
}

/* ---- other ways to the same bytes */

static struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    uint8_t bytes[VALUE];
} here, there;

static void end_open(struct end *end, struct tern_device *device)
{
    end->device = device;
    rig_need(tern_cq_create(device, 5, 0, &end->cq), "tern_cq_create");
    rig_need(tern_sq_create(end->cq, 4, &end->sq), "tern_sq_create");
    rig_need(tern_rq_create(end->cq, 2, 8, TERN_QUEUE_ANY, &end->rq), "tern_rq_create");
    rig_need(tern_register(device, end->bytes, sizeof(end->bytes),
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE,
                           &end->region),
             "tern_register");
}

static bool take(struct end *end, unsigned opcode)
{
    struct tern_completion done;

    while (tern_cq_poll(end->cq, &done, 1) == 1) {
        rig_need(-(int)done.status, "an operation");
        if (done.opcode == opcode)
            return true;
    }
    return false;
}

static void read_once(void)
{
    rig_need(tern_read(here.sq, tern_region_pointer(there.region, 0), here.region, here.bytes,
                       VALUE, TERN_DFLAG_SIGNAL, 0),
             "tern_read");
    while (!take(&here, TERN_OP_READ))
        ;
}

/* `reads` one after the other. */
static void reads(const char *id, unsigned count)
{
    uint64_t cycles[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++) {
        uint64_t start;

        yard_run(SETTLE);
        start = tern_sim_cycle(rig_sim);
        for (unsigned j = 0; j < count; j++)
            read_once();
        cycles[i] = cycles_since(start);
    }
    figure(id, middle(cycles), "cycles", "bytes=128");
}

/* A request of 8 bytes and an answer of 128; both hosts poll. */
static uint64_t call_once(struct tern_target to, struct tern_target back)
{
    uint64_t start;

    yard_run(SETTLE);
    start = tern_sim_cycle(rig_sim);
    rig_need(tern_send(here.sq, to, here.region, here.bytes, CALL, 0, 0), "tern_send");
    while (!take(&there, TERN_OP_RECV))
        ;
    rig_need(tern_rq_release(there.rq, 1), "tern_rq_release");
    rig_need(tern_send(there.sq, back, there.region, there.bytes, VALUE, 0, 0), "tern_send");
    while (!take(&here, TERN_OP_RECV))
        ;
    rig_need(tern_rq_release(here.rq, 1), "tern_rq_release");
    return cycles_since(start);
}

static void call(void)
{
    const struct tern_target to = {.node = tern_node(YARD_SERVER, 0, 0),
                                   .queue = tern_rq_number(there.rq)};
    const struct tern_target back = {.node = tern_node(0, 0, 0),
                                     .queue = tern_rq_number(here.rq)};
    uint64_t cycles[ROUNDS];

    for (unsigned i = 0; i < ROUNDS; i++)
        cycles[i] = call_once(to, back);
    figure("cache_call", middle(cycles), "cycles", "bytes=128");
}

int main(void)
{
    const struct tern_cache_config shape = {
        .bytes = BYTES, .log2_buckets = 10, .lease_ms = 600000};

    yard.room = BYTES + 4096;
    yard_open(1);
    rig_need(tern_cache_make(yard.pool, "cache", &shape), "tern_cache_make");
    member = yard_member(0, YARD_SERVER);
    fill();
    yard.served = false; /* from now on the server's host does nothing */
    yard.step = STEP;    /* a poll that finds nothing lets so many cycles pass */
    gets("cache_get_by_pointer", TERN_CACHE_AUTO, "record=128");
    gets("cache_get_by_pointer_value", TERN_CACHE_AUTO, "value=128");
    gets("cache_get_literal", TERN_CACHE_LITERAL, "record=128");
    gets("cache_get_by_lookup", TERN_CACHE_LOOKUP, "record=128");
    many("cache_mget", TERN_CACHE_AUTO);
    many("cache_mget_literal", TERN_CACHE_LITERAL);
    end_open(&here, yard.device[0]);
    end_open(&there, yard.server);
    reads("cache_one_read", 1);
    reads("cache_two_reads", 2);
    call();
    yard.served = true;
    gets("cache_get_by_pointer_served", TERN_CACHE_AUTO, "record=128");
    return 0;
}
