/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Promises of a cache in time, by a clock that the cycles of the NICs move: leases of pointers,
 * memory that is used again, evictions, values that expire, and what the server learns of their
 * use.  Server and clients are in one process with the simulator, so each run takes the same steps.
 * The clock stops while the server's host is at work.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tern/cache.h>

#include "heap_yard.h"

enum {
    STEP_CYCLES = 64, /* of a NIC, in a step of the yard */
    LEASE = 40,    /* ms: of the pool */
    SHORT = LEASE / 2,
    LONG = 3 * LEASE, /* of pointers */
    BYTES = 1 << 14,
    SLAB = 128,
    CLIENTS = 4,
    CACHES = 8,
    FEW = 8, /* sets beyond those that fill a cache */
    DAY = 1000000, /* s: the clock of the day at the start */
    PATIENCE = 100 * LEASE,
};

/* ---- the clock: --wrap=clock_gettime, --wrap=time */

int __real_clock_gettime(clockid_t which, struct timespec *now);
int __wrap_clock_gettime(clockid_t which, struct timespec *now);
time_t __wrap_time(time_t *out);

/* Steps in a millisecond: so many that a client opens a cache within a lease. */
static unsigned steps(void)
{
    return rig_tier_is_soft() ? 16 : 32;
}

static int64_t now_ms(void)
{
    return (int64_t)(yard.steps / steps());
}

int __wrap_clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t ms = 1000 + now_ms();

    if (which != CLOCK_MONOTONIC)
        return __real_clock_gettime(which, now);
    *now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

/* A second of the day is ten milliseconds long, or values would expire too late for a test. */
time_t __wrap_time(time_t *out)
{
    time_t now = DAY + (time_t)(now_ms() / 10);

    if (out)
        *out = now;
    return now;
}

/* ---- caches */

static struct tern_member *member;

static struct tern_cache_config shape_of(uint32_t lease_ms)
{
    struct tern_cache_config shape = {.bytes = BYTES, .log2_buckets = 4, .sizes = 1,
                                      .clients = CLIENTS, .lease_ms = lease_ms};

    shape.size[0].slab_bytes = SLAB;
    shape.size[0].share = 1;
    return shape;
}

static void make(const char *name, const struct tern_cache_config *shape)
{
    rig_need(tern_cache_make(yard.pool, name, shape), "tern_cache_make");
}

static struct tern_cache *open_cache(const char *name, enum tern_cache_path path)
{
    const struct tern_cache_client config = {.path = path};
    struct tern_cache *cache = NULL;

    rig_need(tern_member_renew(member), "tern_member_renew");
    rig_need(tern_cache_open(&member, 1, name, &config, &cache), "tern_cache_open");
    return cache;
}

static int set(struct tern_cache *cache, const char *key, uint32_t expires)
{
    struct tern_item item = {
        .value = (void *)(uintptr_t)key, .bytes = strlen(key), .expires = expires};

    return tern_cache_set(cache, key, strlen(key), &item, TERN_ALWAYS);
}

/* Tells whether a key has its value. */
static bool has(struct tern_cache *cache, const char *key)
{
    char text[SLAB];
    struct tern_item item = {.value = text, .room = sizeof(text)};

    return tern_cache_get(cache, key, strlen(key), &item) == 0 && item.bytes == strlen(key) &&
           memcmp(text, key, item.bytes) == 0;
}

static struct tern_cache_counts counts_of(const struct tern_cache *cache)
{
    struct tern_cache_counts counts;

    tern_cache_counts(cache, &counts);
    return counts;
}

static struct tern_cache_served served(const char *name)
{
    struct tern_cache_served out = {0};

    rig_need(tern_cache_served(yard.pool, name, &out), "tern_cache_served");
    return out;
}

static void name_of(char text[16], unsigned i)
{
    snprintf(text, 16, "key-%u", i);
}

/* So many milliseconds pass, in which the member keeps its lease. */
static void pass(int64_t ms)
{
    int64_t end = now_ms() + ms;

    while (now_ms() < end) {
        yard_run(steps() * STEP_CYCLES);
        rig_need(tern_member_renew(member), "tern_member_renew");
    }
}

static void let_look(const char *name, unsigned looks)
{
    uint64_t end = served(name).sweeps + looks;
    int64_t limit = now_ms() + PATIENCE;

    while (served(name).sweeps < end && now_ms() < limit)
        pass(1);
}

/* ---- the server's map */

static void loaded(void)
{
    struct tern_cache_config shape = shape_of(LONG);
    struct tern_cache *cache, *fresh;
    struct tern_cache_counts counts;
    int entries;

    make("map", &shape);
    cache = open_cache("map", TERN_CACHE_AUTO);
    rig_need(set(cache, "mapped", 0), "tern_cache_set");
    let_look("map", 3);
    fresh = open_cache("map", TERN_CACHE_AUTO);
    entries = tern_cache_load(fresh);
    counts = counts_of(fresh);
    tap(entries == 1 && has(fresh, "mapped") && counts_of(fresh).by_pointer == 1 &&
            counts_of(fresh).lookups == counts.lookups,
        "a client that has read the server's map looks nothing up");
    counts = counts_of(fresh);
    tap_evidence("C1", "entries=%d lookups=%llu", entries, (unsigned long long)counts.lookups);
    tap_evidence("C2", "by_pointer=%llu", (unsigned long long)counts.by_pointer);
    tern_cache_close(fresh);
    tern_cache_close(cache);
}

/* ---- leases of pointers */

static void lease_over(void)
{
    struct tern_cache *cache = open_cache("map", TERN_CACHE_AUTO);
    struct tern_cache_counts before, after;
    unsigned by_pointer = 0;

    rig_need(set(cache, "leased", 0), "tern_cache_set");
    (void)has(cache, "leased");
    for (unsigned i = 0; i < 3; i++) { /* each get prolongs the lease */
        pass(LONG / 2);
        before = counts_of(cache);
        (void)has(cache, "leased");
        by_pointer += (unsigned)(counts_of(cache).by_pointer - before.by_pointer);
    }
    tap(by_pointer == 3, "a pointer that is used has a lease anew");
    tap_evidence("C11", "prolonged=%u", by_pointer);
    pass(LONG + 1);
    before = counts_of(cache);
    tap(has(cache, "leased") && (after = counts_of(cache)).over - before.over == 1 &&
            after.lookups - before.lookups == 1 && after.record_reads == before.record_reads,
        "a pointer whose lease is over is left alone");
    after = counts_of(cache);
    tap_evidence("C13", "over=%llu", (unsigned long long)(after.over - before.over));
    tern_cache_close(cache);
}

/* ---- memory of a record is used for no other before the longest lease of its pointer is over */

static void not_reused(void)
{
    struct tern_cache_config shape = shape_of(LONG);
    struct tern_cache *cache;
    uint64_t freed;
    int64_t began;

    make("long", &shape);
    cache = open_cache("long", TERN_CACHE_AUTO);
    rig_need(set(cache, "reuse", 0), "tern_cache_set");
    let_look("long", 1);
    freed = served("long").freed;
    began = now_ms();
    rig_need(set(cache, "reuse", 0), "tern_cache_set");
    while (served("long").freed == freed && now_ms() < began + PATIENCE)
        pass(1);
    tap(served("long").freed > freed && now_ms() - began >= LONG,
        "a record's memory is free again no sooner than a lease after it was replaced");
    tap_evidence("C10", "waited_ms=%lld lease_ms=%u", (long long)(now_ms() - began),
                 tern_cache_limits(cache).lease_ms);
    tern_cache_close(cache);
}

/* ---- what is used stays: clients tell it, or the server's NIC samples it */

/* A set reads the bucket, and as much of the record before it as has the key. */
static void no_use(struct tern_cache *setter, const char *name)
{
    struct tern_cache_served before, after;

    let_look(name, 1);
    before = served(name);
    rig_need(set(setter, "by pointer", 0), "tern_cache_set");
    let_look(name, 1);
    after = served(name);
    tap(after.samples - before.samples >= 2 && after.uses == before.uses,
        "what a set reads is not taken for a get");
}

/*
 * More keys than there is memory for, beside some that are got after each set.  A member has one
 * page, so where clients tell their use, one cache makes all requests.
 */
static void short_memory(const char *name, unsigned sample)
{
    struct tern_cache_config shape = shape_of(SHORT);
    struct tern_cache *setter, *pointing, *looking;
    struct tern_cache_served s;
    unsigned hot = 0, failed = 0, over = 0, wrong = 0, sets;
    uint64_t told;

    shape.sample = sample;
    shape.bytes = BYTES / 2;
    shape.free_percent = 25;
    make(name, &shape);
    let_look(name, 1);
    setter = open_cache(name, TERN_CACHE_AUTO);
    pointing = sample ? open_cache(name, TERN_CACHE_AUTO) : setter;
    looking = sample ? open_cache(name, TERN_CACHE_LOOKUP) : setter;
    sets = (unsigned)served(name).slabs * (rig_tier_is_soft() ? 3 : 1) + FEW;
    rig_need(set(setter, "by pointer", 0), "tern_cache_set");
    if (sample)
        no_use(setter, name);
    rig_need(set(setter, "by lookup", 0), "tern_cache_set");
    for (unsigned i = 0; i < sets; i++) {
        char key[16];

        name_of(key, i);
        hot += has(pointing, "by pointer");
        hot += has(looking, "by lookup");
        failed += set(setter, key, 0) != 0;
        s = served(name);
        over += s.bytes != shape.bytes || s.item_bytes > s.bytes || s.items > s.slabs;
    }
    for (unsigned i = 0; i < sets; i++) {
        char key[16], text[SLAB];
        struct tern_item item = {.value = text, .room = sizeof(text)};

        name_of(key, i);
        wrong += tern_cache_get(setter, key, strlen(key), &item) == 0 &&
                 (item.bytes != strlen(key) || memcmp(text, key, item.bytes) != 0);
    }
    let_look(name, 1);
    s = served(name);
    told = counts_of(setter).histories;
    if (sample)
        told += counts_of(pointing).histories + counts_of(looking).histories;
    tap_note("%s: sets=%u hot=%u slabs=%llu evicted=%llu items=%llu uses=%llu samples=%llu "
             "histories=%llu ms=%lld",
             name, sets, hot, (unsigned long long)s.slabs, (unsigned long long)s.evicted,
             (unsigned long long)s.items, (unsigned long long)s.uses,
             (unsigned long long)s.samples, (unsigned long long)told, (long long)now_ms());
    if (sample) {
        tap(s.samples > 0 && s.uses > 0 && told == 0,
            "the server's NIC samples what is got, and no client sends anything for it");
        tap_evidence("C17", "samples=%llu told=%llu", (unsigned long long)s.samples,
                     (unsigned long long)told);
        tap(hot == 2 * sets, "what the NIC sees used is not evicted, by pointer and by lookup");
        tap_evidence("C17", "hot=%u gets=%u", hot, 2 * sets);
        tap(over == 0 && failed == 0 && s.evicted > 0 && wrong == 0,
            "the memory stays what was set aside, and each set finds room");
        tap_evidence("C17", "over=%u failed=%u evicted=%llu", over, failed,
                     (unsigned long long)s.evicted);
    } else {
        tap(hot == 2 * sets && s.evicted > 0, "a record that is used is not evicted");
        tap(s.uses > 0 && told > 0,
            "the server learns by the history of clients what is used");
        tap_evidence("C11", "uses=%llu", (unsigned long long)s.uses);
    }
    if (sample) {
        tern_cache_close(looking);
        tern_cache_close(pointing);
    }
    tern_cache_close(setter);
}

/* ---- an eviction takes a quarter of the slabs at most */

static const char *watched;
static uint64_t evicted, most;

/* Before each message to a NIC. */
static int watch(struct tern_device *device, unsigned opcode)
{
    struct tern_cache_served s;

    (void)device;
    (void)opcode;
    if (tern_cache_served(yard.pool, watched, &s) != 0)
        return 0;
    most = s.evicted - evicted > most ? s.evicted - evicted : most;
    evicted = s.evicted;
    return 0;
}

/* Fills a cache while the server does nothing, and then has it evict, because of a set or alone. */
static uint64_t most_evicted(const char *name, unsigned free_percent, bool asks, uint64_t *slabs)
{
    struct tern_cache_config shape = shape_of(SHORT);
    struct tern_cache *cache;
    uint64_t room;
    char key[16];

    shape.free_percent = free_percent;
    shape.bytes = BYTES / 2;
    make(name, &shape);
    let_look(name, 1);
    room = served(name).free - 8; /* less the reserve */
    *slabs = served(name).slabs - 8;
    cache = open_cache(name, TERN_CACHE_AUTO);
    yard.served = false;
    for (unsigned i = 0; i < room; i++) {
        name_of(key, i);
        rig_need(set(cache, key, 0), "tern_cache_set");
    }
    watched = name;
    evicted = most = 0;
    yard.served = true;
    yard.gap = watch;
    if (asks)
        rig_need(set(cache, "one more", 0), "tern_cache_set");
    else
        let_look(name, 4);
    yard.gap = NULL;
    tern_cache_close(cache);
    return most;
}

static void quarters(void)
{
    uint64_t slabs, by_ask = most_evicted("asked", 0, true, &slabs), by_look;

    tap_note("slabs=%llu by_ask=%llu", (unsigned long long)slabs, (unsigned long long)by_ask);
    tap(by_ask > 0 && 4 * by_ask <= slabs,
        "a request for room takes a quarter of the slabs at most");
    by_look = most_evicted("half", 50, false, &slabs);
    tap_note("slabs=%llu by_look=%llu", (unsigned long long)slabs, (unsigned long long)by_look);
    tap(by_look > 0 && 4 * by_look <= slabs,
        "a server that keeps half of the memory free takes no more at a time either");
}

/* ---- values that expire */

static void expiry(void)
{
    enum { KEYS = 5 };
    struct tern_cache *cache = open_cache("map", TERN_CACHE_AUTO);
    uint64_t before = served("map").expired;
    unsigned found = 0;

    for (unsigned i = 0; i < KEYS; i++) {
        char key[16];

        name_of(key, i);
        rig_need(set(cache, key, (uint32_t)time(NULL) + 2 * LEASE / 10), "tern_cache_set");
        found += has(cache, key);
    }
    pass(3 * LEASE);
    for (unsigned i = 0; i < KEYS; i++) {
        char key[16];

        name_of(key, i);
        found += has(cache, key) ? 2 * KEYS : 0;
    }
    let_look("map", 3);
    tap(found == KEYS && served("map").expired - before == KEYS,
        "the server takes out what expired, and no get finds it");
    tap_evidence("C17", "expired=%llu", (unsigned long long)(served("map").expired - before));
    tern_cache_close(cache);
}

int main(void)
{
    yard.lease_ms = LEASE;
    yard.pause = 7;
    yard.room = CACHES * (BYTES + 4096);
    yard_open(1);
    member = yard_member(0, YARD_SERVER);
    loaded();
    lease_over();
    not_reused();
    short_memory("told", 0);
    short_memory("sampled", 1);
    expiry();
    quarters();
    tern_member_quit(member);
    yard_close();
    return tap_end();
}
