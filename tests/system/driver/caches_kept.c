/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Caches in time: memory that runs short, values that expire, the map that a server hands out,
 * servers that are killed, and several servers.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/cache.h>

#include "pool_rig.h"

enum {
    BYTES = 1 << 16,
    MEMBERS = 6,
    CACHES = 3,
    /* On a machine that is busy, fewer looks may come in a time than uses are forgotten. */
    LOOK_SETS = 32,
};

static struct rig rig;
static struct tern_cache_config shape = {
    .bytes = BYTES, .log2_buckets = 6, .free_percent = 25, .clients = MEMBERS};

/* Its pointers have a lease of some of the pool's. */
static struct tern_cache_config long_leased = {
    .bytes = BYTES, .log2_buckets = 6, .clients = MEMBERS};

/* Many keys in each of its buckets. */
static struct tern_cache_config few_buckets = {
    .bytes = BYTES, .log2_buckets = 2, .clients = MEMBERS};

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 2000 : 6000;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    (void)adopted;
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
    gives(tern_cache_make(pool, "long", &long_leased), 0, "tern_cache_make");
    gives(tern_cache_make(pool, "few", &few_buckets), 0, "tern_cache_make");
}

static struct pool_serving serving = {.rig = &rig, .begin = begin};

static struct tern_cache *open_cache(struct pool_client *c, const struct tern_cache_client *config)
{
    struct tern_cache *cache = NULL;

    gives(tern_cache_open(&c->member, 1, "cache", config, &cache), 0, "tern_cache_open");
    return cache;
}

static int set(struct tern_cache *cache, const char *key, const char *value, uint32_t expires)
{
    struct tern_item item = {
        .value = (void *)(uintptr_t)value, .bytes = strlen(value), .expires = expires};

    return tern_cache_set(cache, key, strlen(key), &item, TERN_ALWAYS);
}

static bool has(struct tern_cache *cache, const char *key, const char *value)
{
    char text[512];
    struct tern_item item = {.value = text, .room = sizeof(text)};
    int status = tern_cache_get(cache, key, strlen(key), &item);

    return value ? status == 0 && item.bytes == strlen(value) && !memcmp(text, value, item.bytes)
                 : status == -TERN_ST_NOT_FOUND;
}

static struct tern_cache_served served(struct tern_cache *cache)
{
    struct tern_cache_served out = {0};

    gives(tern_cache_stat(cache, 0, &out), 0, "tern_cache_stat");
    return out;
}

/* Lets the server look `looks` times. */
static void let_look(struct tern_cache *cache, unsigned looks)
{
    uint64_t end = served(cache).sweeps + looks;
    int64_t limit = pool_rig_now() + POOL_WAIT_MS;

    while (served(cache).sweeps < end && pool_rig_now() < limit) {
        gives(tern_cache_renew(cache), 0, "tern_cache_renew");
        pool_rig_pause(lease() / 20);
    }
}

static size_t name(char text[32], unsigned i)
{
    return (size_t)snprintf(text, 32, "key-%u", i);
}

/* ---- more keys than there is memory for */

static void short_memory(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    unsigned sets = rig_tier_is_soft() ? 260 : 60, failed = 0, hot = 0, there = 0, wrong = 0;
    int why = 0;
    struct tern_cache_served s;
    char key[32], text[64];

    gives(set(cache, "hot", "value of it", 0), 0, "tern_cache_set");
    gives(has(cache, "hot", "value of it"), true, "tern_cache_get");
    let_look(cache, 2); /* the server knows by now */
    for (unsigned i = 0; i < sets; i++) {
        int status;

        if (i % LOOK_SETS == LOOK_SETS - 1)
            let_look(cache, 1);
        (void)name(key, i);
        status = set(cache, key, key, 0);
        failed += status != 0;
        why = status ? status : why;
        hot += has(cache, "hot", "value of it");
    }
    s = served(cache);
    tap_note("failed=%u: %s", failed, tern_strerror(why));
    tap(failed == 0, "no set fails while something may be evicted");
    tap_note("sets=%u slabs=%llu evicted=%llu items=%llu uses=%llu", sets,
             (unsigned long long)s.slabs, (unsigned long long)s.evicted,
             (unsigned long long)s.items, (unsigned long long)s.uses);
    tap(s.evicted > 0 && s.items < sets && s.bytes == shape.bytes && s.item_bytes < s.bytes,
        "records are evicted, and the memory is what was set aside");
    tap(hot == sets, "a record that is used is not evicted");
    tap(s.uses > 0, "the server learns by the history of clients what is used");
    tap_evidence("C11", "uses=%llu", (unsigned long long)s.uses);
    for (unsigned i = 0; i < sets; i++) {
        struct tern_item item = {.value = text, .room = sizeof(text)};
        size_t bytes = name(key, i);
        int status = tern_cache_get(cache, key, bytes, &item);

        there += status == 0;
        wrong += (status && status != -TERN_ST_NOT_FOUND) ||
                 (!status && (item.bytes != bytes || memcmp(text, key, bytes)));
    }
    tap(there > 0 && wrong == 0, "each key has its value or none");
    tern_cache_close(cache);
}

static void expiry(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct tern_cache_served before = served(cache), after;

    for (unsigned i = 0; i < 5; i++) {
        char key[32];

        (void)name(key, i);
        gives(set(cache, key, "over", 1), 0, "tern_cache_set");
    }
    let_look(cache, 3);
    after = served(cache);
    tap(after.expired - before.expired == 5, "the server takes out what expired");
    tap(tern_cache_flush(cache) >= 0 && has(cache, "hot", NULL), "flush takes out all");
    tern_cache_close(cache);
}

/* ---- the server's map */

static void loaded(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL), *fresh;
    struct tern_cache_counts counts;
    int entries;

    gives(set(cache, "mapped", "by the server", 0), 0, "tern_cache_set");
    let_look(cache, 3);
    fresh = open_cache(c, NULL);
    entries = tern_cache_load(fresh);
    gives(has(fresh, "mapped", "by the server"), true, "tern_cache_get");
    tern_cache_counts(fresh, &counts);
    tap(entries > 0 && counts.by_pointer == 1 && counts.lookups == 0,
        "a client that has read the server's map looks nothing up");
    tap_evidence("C1", "entries=%d lookups=%llu", entries, (unsigned long long)counts.lookups);
    tap_evidence("C2", "by_pointer=%llu", (unsigned long long)counts.by_pointer);
    tern_cache_close(fresh);
    tern_cache_close(cache);
}

/* A pointer that was not used for a lease is left alone. */
static void lease_over(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct tern_cache_counts before, after;
    int64_t end;

    gives(set(cache, "leased", "value", 0), 0, "tern_cache_set");
    gives(has(cache, "leased", "value"), true, "tern_cache_get");
    end = pool_rig_now() + tern_cache_limits(cache).lease_ms + 1;
    while (pool_rig_now() < end) {
        gives(tern_cache_renew(cache), 0, "tern_cache_renew");
        pool_rig_pause(lease() / 20);
    }
    tern_cache_counts(cache, &before);
    gives(has(cache, "leased", "value"), true, "tern_cache_get");
    tern_cache_counts(cache, &after);
    tap(after.over - before.over == 1 && after.lookups - before.lookups == 1 &&
            after.record_reads == before.record_reads,
        "a pointer whose lease is over is left alone");
    tap_evidence("C13", "over=%llu", (unsigned long long)(after.over - before.over));
    tern_cache_close(cache);
}

/* Memory of a record is used for no other before the longest lease of its pointer is over. */
static void not_reused(struct pool_client *c)
{
    struct tern_cache *cache = NULL;
    struct tern_cache_served s;
    int64_t began, freed;

    gives(tern_cache_open(&c->member, 1, "long", NULL, &cache), 0, "tern_cache_open");
    gives(set(cache, "reuse", "one", 0), 0, "tern_cache_set");
    s = served(cache);
    began = pool_rig_now();
    gives(set(cache, "reuse", "two", 0), 0, "tern_cache_set");
    while (served(cache).freed == s.freed && pool_rig_now() < began + POOL_WAIT_MS) {
        gives(tern_cache_renew(cache), 0, "tern_cache_renew");
        pool_rig_pause(lease() / 40);
    }
    freed = pool_rig_now() - began;
    tap(served(cache).freed > s.freed && freed >= tern_cache_limits(cache).lease_ms,
        "a record's memory is free again no sooner than a lease after it was replaced");
    tap_evidence("C10", "waited_ms=%lld lease_ms=%u", (long long)freed,
                 tern_cache_limits(cache).lease_ms);
    tern_cache_close(cache);
}

/* ---- records that say deleted */

/*
 * One that begins a bucket cannot leave it, as the bucket had the link to the next record before.
 * The server sets another record of the bucket anew.
 */
static void deletions(struct pool_client *c)
{
    enum { KEYS = 32 };
    struct tern_cache *cache = NULL;
    struct tern_cache_served s;

    gives(tern_cache_open(&c->member, 1, "few", NULL, &cache), 0, "tern_cache_open");
    for (unsigned i = 0; i < KEYS; i++) {
        char key[32];

        (void)name(key, i);
        gives(set(cache, key, key, 0), 0, "tern_cache_set");
    }
    for (unsigned i = KEYS / 2; i < KEYS; i++) {
        char key[32];

        gives(tern_cache_delete(cache, key, name(key, i), 0), 0, "tern_cache_delete");
    }
    tern_cache_close(cache); /* it gives the slabs in stock back */
    gives(tern_cache_open(&c->member, 1, "few", NULL, &cache), 0, "tern_cache_open");
    for (unsigned looks = 0; looks < 12; looks++) {
        let_look(cache, 1);
        s = served(cache);
        if (s.items == KEYS / 2 && s.free + s.items == s.slabs)
            break;
    }
    tap_note("items=%llu free=%llu slabs=%llu", (unsigned long long)s.items,
             (unsigned long long)s.free, (unsigned long long)s.slabs);
    tap(s.items == KEYS / 2 && s.free + s.items == s.slabs,
        "records that say deleted leave their buckets, and their memory is free again");
    tern_cache_close(cache);
}

/* ---- a client that dies while it updates a value in place */

enum { FIXED = 16 };

/* The number of the last update is in the eight bytes before the value; an odd one: it goes on. */
static void dead_updater(struct pool_client *c, const struct child *server)
{
    static uint8_t memory[CACHES * BYTES + 4096];
    struct tern_cache *cache = open_cache(c, NULL);
    struct tern_item item = {.value = "sixteen letters.", .bytes = FIXED, .fixed = true};
    const uint64_t dead = (uint64_t)MEMBERS << 48 | UINT64_C(0x7fff) << 32 | 1;
    const uint8_t *found;
    struct tern_rptr at;

    gives(tern_cache_set(cache, "fixed", 5, &item, TERN_ALWAYS), 0, "tern_cache_set");
    pool_server_memory(server, memory, sizeof(memory));
    found = memmem(memory, sizeof(memory), item.value, FIXED);
    gives(found != NULL, true, "the value in the server's memory");
    at = tern_member_at(c->member, (uint64_t)(found - memory) - sizeof(dead));
    gives(pool_client_put(c, at, dead), TERN_ST_OK, "a put");
    tap(has(cache, "fixed", NULL),
        "a value whose updater died is taken out, and gets wait until then");
    item.value = "letters again...";
    item.fixed = true;
    tap(tern_cache_set(cache, "fixed", 5, &item, TERN_ALWAYS) == 0 &&
            tern_cache_update(cache, "fixed", 5, &item) == 0 &&
            has(cache, "fixed", "letters again..."),
        "its key gets another");
    tern_cache_close(cache);
}

/* ---- a server that is killed */

static void dead_server(struct pool_client *c, struct child *server)
{
    struct tern_cache *cache = open_cache(c, NULL);
    unsigned gets = rig_tier_is_soft() ? 1000 : 100, wrong = 0;
    struct pool_serving next = serving;
    int status = -1;

    gives(set(cache, "kept", "after death", 0), 0, "tern_cache_set");
    gives(has(cache, "kept", "after death"), true, "tern_cache_get");
    child_kill(server);
    for (unsigned i = 0; i < gets; i++)
        wrong += !has(cache, "kept", "after death") || !has(cache, "unknown", NULL);
    tap(wrong == 0, "gets go on when the server is dead, by pointer and by lookup");
    tap_evidence("C16", "gets=%u wrong=%u", 2 * gets, wrong);
    tap(set(cache, "set", "without a server", 0) == 0 && has(cache, "set", "without a server"),
        "so do sets, while there are slabs");
    next.adopt = true;
    *server = pool_server_start(&next, &status);
    tap(status == 0, "another server adopts the cache");
    tap(has(cache, "kept", "after death") && has(cache, "set", "without a server"),
        "nothing is lost");
    let_look(cache, 3);
    tap(has(cache, "kept", "after death"), "nor is it when that server has looked");
    tern_cache_close(cache);
}

int main(void)
{
    static struct pool_client c;
    struct child server;

    shape.lease_ms = lease() / 2;
    long_leased.lease_ms = (rig_tier_is_soft() ? 3 : 2) * lease();
    if (!rig_tier_is_soft()) /* a set takes the longer there */
        shape.bytes = BYTES / 4;
    few_buckets.lease_ms = lease() / 4;
    serving.config = (struct tern_pool_config){.name = POOL_TEST_NAME,
                                               .bytes = CACHES * BYTES + 4096,
                                               .members = MEMBERS,
                                               .lease_ms = lease(),
                                               .keep = true};
    rig_start(&rig, (const char *const[]){"--torus", "3x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    pool_client_open(&c, &rig, 0, TERN_POOL_WRITE);
    short_memory(&c);
    expiry(&c);
    loaded(&c);
    lease_over(&c);
    not_reused(&c);
    if (rig_tier_is_soft()) /* many grace periods */
        deletions(&c);
    dead_updater(&c, &server);
    dead_server(&c, &server);
    pool_client_close(&c);
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
