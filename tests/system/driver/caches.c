/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A cache in a pool, on a ring of four: its packets, counted at both NICs; changes with and without
 * conditions; maps, leases and expiry; what is refused.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>

#include <tern/cache.h>

#include "cache.h"
#include "pool_rig.h"

enum { BYTES = 1 << 20, MEMBERS = 8, LEASE_MS = 600000, SERVER = 2, VALUE = 128, KEYS = 32 };

static struct rig rig;
static struct tern_cache_config shape = {.bytes = BYTES, .log2_buckets = 10, .lease_ms = LEASE_MS};
static struct tern_device *server_device; /* for its figures alone */

static void begin(struct tern_pool *pool, bool adopted)
{
    (void)adopted;
    gives(tern_pool_device(pool) ? 0 : -1, 0, "tern_pool_device");
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
}

/* 'd': tells of changes; 's': makes a cache without room for a record; 'n': changes told so far. */
static int word(struct tern_pool *pool, char letter)
{
    const struct tern_cache_config small = {.bytes = 64, .log2_buckets = 1};
    struct tern_cache_served served = {0};

    if (letter == 's')
        return tern_cache_make(pool, "small", &small);
    if (letter == 'd')
        return tern_cache_share(pool, "cache");
    gives(tern_cache_served(pool, "cache", &served), 0, "tern_cache_served");
    return (int)served.deltas;
}

static struct tern_cache *open_cache(struct pool_client *c, const struct tern_cache_client *config)
{
    struct tern_cache *cache = NULL;

    gives(tern_cache_open(&c->member, 1, "cache", config, &cache), 0, "tern_cache_open");
    return cache;
}

static int set(struct tern_cache *cache, const char *key, const char *value)
{
    struct tern_item item = {.value = (void *)(uintptr_t)value, .bytes = strlen(value)};

    return tern_cache_set(cache, key, strlen(key), &item, TERN_ALWAYS);
}

/* Tells whether the key has the value. */
static bool has(struct tern_cache *cache, const char *key, const char *value)
{
    char text[512];
    struct tern_item item = {.value = text, .room = sizeof(text)};
    int status = tern_cache_get(cache, key, strlen(key), &item);

    return value ? status == 0 && item.bytes == strlen(value) && !memcmp(text, value, item.bytes)
                 : status == -TERN_ST_NOT_FOUND;
}

/* ---- packets of both NICs */

struct traffic {
    uint64_t out, back; /* packets of the client */
    uint64_t doorbells; /* of the server's host */
    uint64_t bytes;     /* that its NIC sent */
    struct tern_cache_counts counts;
};

static struct traffic traffic(struct pool_client *c, const struct tern_cache *cache)
{
    uint64_t here[TERN_STAT_COUNT], there[TERN_STAT_COUNT];
    struct traffic t;

    gives(tern_stats(c->device, here), 0, "tern_stats");
    gives(tern_stats(server_device, there), 0, "tern_stats");
    t.out = here[TERN_STAT_tx_packets];
    t.back = here[TERN_STAT_rx_packets];
    t.doorbells = there[TERN_STAT_doorbells];
    t.bytes = there[TERN_STAT_tx_bytes];
    tern_cache_counts(cache, &t.counts);
    return t;
}

static struct traffic since(struct pool_client *c, const struct tern_cache *cache,
                            const struct traffic *before)
{
    struct traffic t = traffic(c, cache);

    t.out -= before->out;
    t.back -= before->back;
    t.bytes -= before->bytes;
    t.doorbells -= before->doorbells + 1; /* the question for the figures is one */
    t.counts.lookups -= before->counts.lookups;
    t.counts.by_pointer -= before->counts.by_pointer;
    t.counts.record_reads -= before->counts.record_reads;
    t.counts.bucket_reads -= before->counts.bucket_reads;
    t.counts.stale -= before->counts.stale;
    t.counts.collisions -= before->counts.collisions;
    return t;
}

static void show(const char *what, const struct traffic *t)
{
    tap_note("%s: out=%llu back=%llu lookups=%llu reads=%llu+%llu doorbells=%llu", what,
             (unsigned long long)t->out, (unsigned long long)t->back,
             (unsigned long long)t->counts.lookups, (unsigned long long)t->counts.record_reads,
             (unsigned long long)t->counts.bucket_reads, (unsigned long long)t->doorbells);
}

static void a_fresh_pointer(struct pool_client *c, enum tern_cache_path path)
{
    const struct tern_cache_client config = {.path = path};
    const char *name = path == TERN_CACHE_AUTO ? "auto" : "literal";
    struct tern_cache *cache = open_cache(c, &config);
    uint64_t packets = path == TERN_CACHE_AUTO ? 2 : 1;
    struct traffic before, t;
    bool good = true;

    gives(set(cache, "pointer", "first"), 0, "tern_cache_set");
    gives(has(cache, "pointer", "first"), true, "tern_cache_get");
    before = traffic(c, cache);
    for (unsigned i = 0; i < 100; i++)
        good &= has(cache, "pointer", "first");
    t = since(c, cache, &before);
    show(name, &t);
    tap(good && t.out == 100 * packets && t.back == 100 * packets && t.counts.lookups == 0 &&
            t.counts.by_pointer == 100,
        "%s: a get by a fresh pointer is one exchange without a lookup", name);
    if (path == TERN_CACHE_LITERAL)
        tap_evidence("C3", "packets=%llu lookups=%llu doorbells=%llu", (unsigned long long)t.out,
                     (unsigned long long)t.counts.lookups, (unsigned long long)t.doorbells);
    tap(t.doorbells == 0, "%s: and the server's host does nothing", name);
    tern_cache_close(cache);
}

static void a_miss(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct traffic before = traffic(c, cache), t;
    bool good = true;

    for (unsigned i = 0; i < 10; i++)
        good &= has(cache, "nothing", NULL);
    t = since(c, cache, &before);
    show("miss", &t);
    tap(good && t.out == 10 && t.back == 10 && t.counts.lookups == 10,
        "a miss is one lookup, one packet each way");
    tern_cache_close(cache);
}

/*
 * Lookups ask for the slab of the largest of the last records; a longer one takes another lookup,
 * once.
 */
static void a_lookup_of_its_size(struct pool_client *c)
{
    enum { SHORT = 128, LONGEST = 512, MANY = 200 };
    const struct tern_cache_client config = {.path = TERN_CACHE_LOOKUP};
    struct tern_cache *cache = open_cache(c, &config);
    struct traffic before, first, second, t;
    char value[301];
    bool good;

    memset(value, 'v', sizeof(value) - 1);
    value[sizeof(value) - 1] = 0;
    gives(set(cache, "short", "value"), 0, "tern_cache_set");
    gives(set(cache, "longer", value), 0, "tern_cache_set");
    before = traffic(c, cache);
    good = has(cache, "short", "value");
    first = since(c, cache, &before);
    before = traffic(c, cache);
    good &= has(cache, "short", "value");
    second = since(c, cache, &before);
    show("short", &second);
    tap(good && first.bytes == LONGEST && second.bytes == SHORT && second.counts.lookups == 1,
        "a lookup asks for no more bytes than records needed before");
    before = traffic(c, cache);
    good = has(cache, "longer", value);
    first = since(c, cache, &before);
    before = traffic(c, cache);
    good &= has(cache, "longer", value);
    second = since(c, cache, &before);
    tap(good && first.bytes == SHORT + LONGEST && first.counts.lookups == 2 &&
            second.bytes == LONGEST && second.counts.lookups == 1,
        "a longer record takes another lookup, once");
    for (unsigned i = 0; i < MANY; i++)
        good &= has(cache, "short", "value");
    before = traffic(c, cache);
    good &= has(cache, "short", "value");
    t = since(c, cache, &before);
    tap(good && t.bytes == SHORT, "and it is forgotten when no other is like it");
    tern_cache_close(cache);
}

/* ---- after the end */

static unsigned is_refused(int status)
{
    return status == -TERN_ST_BAD_STATE;
}

static void closed(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    char text[16];
    struct tern_item item = {.value = text, .room = sizeof(text)};
    const struct tern_cache_key key = {"closed", 6};
    struct tern_cache_served served;
    struct tern_cache_counts counts;
    struct tern_cache_done done;
    unsigned refused = 0;
    uint64_t value;
    int status = 0;

    gives(set(cache, "closed", "1"), 0, "tern_cache_set");
    tern_cache_close(cache);
    refused += is_refused(tern_cache_get(cache, "closed", 6, &item));
    refused += is_refused(tern_cache_mget(cache, &key, &item, &status, 1));
    refused += is_refused(tern_cache_set(cache, "closed", 6, &item, TERN_ALWAYS));
    refused += is_refused(tern_cache_update(cache, "closed", 6, &item));
    refused += is_refused(tern_cache_delete(cache, "closed", 6, 0));
    refused += is_refused(tern_cache_add(cache, "closed", 6, 1, false, &value));
    refused += is_refused(tern_cache_append(cache, "closed", 6, "x", 1, false));
    refused += is_refused(tern_cache_touch(cache, "closed", 6, 0));
    refused += is_refused(tern_cache_flush(cache));
    refused += is_refused(tern_cache_post_get(cache, "closed", 6, &item, 0));
    refused += is_refused(tern_cache_poll(cache, &done, 1));
    refused += is_refused(tern_cache_renew(cache));
    refused += is_refused(tern_cache_load(cache));
    refused += is_refused(tern_cache_stat(cache, 0, &served));
    tern_cache_counts(cache, &counts);
    tern_cache_close(cache);
    tap(refused == 14 && counts.gets == 0 && tern_cache_fd(cache) == -1 &&
            tern_cache_limits(cache).value_bytes == 0 && tern_cache_place(cache, "closed", 6) == 0,
        "each call with a cache that is closed is refused");
}

/* Another client sets the key in between. */
static void a_stale_pointer(struct pool_client *c, struct pool_client *other, bool together)
{
    const struct tern_cache_client config = {.path = TERN_CACHE_LITERAL, .together = together};
    struct tern_cache *cache = open_cache(c, &config), *setter = open_cache(other, NULL);
    struct traffic before, t;

    gives(set(setter, "stale", "one"), 0, "tern_cache_set");
    gives(has(cache, "stale", "one"), true, "tern_cache_get");
    gives(set(setter, "stale", "two"), 0, "tern_cache_set");
    before = traffic(c, cache);
    tap(has(cache, "stale", "two"), "%s: a stale pointer is noticed, and the new value found",
        together ? "together" : "apart");
    t = since(c, cache, &before);
    show("stale", &t);
    tap(t.out == 2 && t.counts.record_reads == 1 && t.counts.lookups == 1 && t.counts.stale == 1,
        "%s: by one read and one lookup", together ? "together" : "apart");
    tap_evidence("C15", "stale=%llu", (unsigned long long)t.counts.stale);
    tern_cache_close(setter);
    tern_cache_close(cache);
}

static void sets(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct traffic before, t;

    gives(set(cache, "set", "one"), 0, "tern_cache_set");
    gives(set(cache, "set", "two"), 0, "tern_cache_set");
    before = traffic(c, cache);
    gives(set(cache, "set", "three"), 0, "tern_cache_set");
    t = since(c, cache, &before);
    show("set", &t);
    tap(t.out == 8 && t.doorbells == 0 && has(cache, "set", "three"),
        "a set of a key that is there is eight packets, and nothing at the server's host");
    before = traffic(c, cache);
    gives(set(cache, "new key", "one"), 0, "tern_cache_set");
    t = since(c, cache, &before);
    show("new", &t);
    tap(t.doorbells == 0 && has(cache, "new key", "one"),
        "a client makes a record without the server's host");
    tap_evidence("C19", "packets=%llu doorbells=%llu", (unsigned long long)t.out,
                 (unsigned long long)t.doorbells);
    tern_cache_close(cache);
}

/* ---- many gets at one doorbell */

static uint64_t doorbells(struct pool_client *c)
{
    uint64_t here[TERN_STAT_COUNT];

    gives(tern_stats(c->device, here), 0, "tern_stats");
    return here[TERN_STAT_doorbells];
}

static void many(struct pool_client *c)
{
    static char text[KEYS][VALUE], name[KEYS][16];
    struct tern_cache *cache = open_cache(c, NULL);
    struct tern_cache_key keys[KEYS];
    struct tern_item items[KEYS];
    int status[KEYS], found;
    uint64_t rung, one_by_one;
    bool good = true;

    for (unsigned i = 0; i < KEYS; i++) {
        keys[i] = (struct tern_cache_key){name[i], (size_t)snprintf(name[i], 16, "many-%u", i)};
        items[i] = (struct tern_item){.value = text[i], .room = VALUE};
        if (i % 4 != 3)
            gives(set(cache, name[i], name[i]), 0, "tern_cache_set");
    }
    rung = doorbells(c);
    found = tern_cache_mget(cache, keys, items, status, KEYS);
    rung = doorbells(c) - rung;
    for (unsigned i = 0; i < KEYS; i++)
        good &= i % 4 == 3 ? status[i] == -TERN_ST_NOT_FOUND
                           : status[i] == 0 && items[i].bytes == keys[i].length &&
                                 !memcmp(text[i], name[i], keys[i].length);
    tap(good && found == KEYS - KEYS / 4, "many keys are got at once, each with its own answer");
    one_by_one = doorbells(c);
    for (unsigned i = 0; i < KEYS; i++)
        (void)tern_cache_get(cache, name[i], keys[i].length, &items[i]);
    one_by_one = doorbells(c) - one_by_one;
    tap_note("doorbells=%llu one_by_one=%llu", (unsigned long long)rung,
             (unsigned long long)one_by_one);
    tap(one_by_one >= KEYS && rung * 8 <= one_by_one,
        "by one doorbell, and few for their completions");
    tern_cache_close(cache);
}

static void posted(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    char text[2][16];
    struct tern_item items[2] = {{.value = text[0], .room = 16}, {.value = text[1], .room = 16}};
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    struct tern_cache_done done[2] = {{0}};
    int ended = 0;

    gives(set(cache, "posted", "value"), 0, "tern_cache_set");
    gives(tern_cache_post_get(cache, "posted", 6, &items[0], 7), 0, "tern_cache_post_get");
    gives(tern_cache_post_get(cache, "absent", 6, &items[1], 8), 0, "tern_cache_post_get");
    while (ended < 2 && pool_rig_now() < end)
        ended += tern_cache_poll(cache, done + ended, 2 - ended);
    tap(tern_cache_fd(cache) >= 0 && ended == 2 && done[0].context + done[1].context == 15 &&
            items[0].bytes == 5 && done[0].status + done[1].status == -TERN_ST_NOT_FOUND,
        "posted gets end once each, with their contexts");
    tern_cache_close(cache);
}

/* ---- changes on condition */

static void conditions(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    char text[64];
    struct tern_item item = {.value = "a", .bytes = 1, .flags = 77};
    struct tern_item got = {.value = text, .room = sizeof(text)};
    uint64_t first;

    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_PRESENT) == -TERN_ST_NOT_FOUND,
        "replace needs a value");
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_CAS) == -TERN_ST_NOT_FOUND, "so does cas");
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_ABSENT) == 0, "add sets a key without one");
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_ABSENT) == -TERN_ST_UNLIKE,
        "and no key that has one");
    gives(tern_cache_get(cache, "k", 1, &got), 0, "tern_cache_get");
    first = got.cas;
    tap(got.flags == 77 && first != 0, "flags come back");
    item = (struct tern_item){.value = "bb", .bytes = 2, .cas = first};
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_CAS) == 0 && item.cas != first,
        "cas sets the value that was seen");
    item.cas = first;
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_CAS) == -TERN_ST_UNLIKE,
        "and not when it is another");
    tap(tern_cache_set(cache, "k", 1, &item, TERN_IF_PRESENT) == 0 && has(cache, "k", "bb"),
        "replace replaces");
    tap(tern_cache_append(cache, "k", 1, "cc", 2, false) == 0 &&
            tern_cache_append(cache, "k", 1, "a", 1, true) == 0 && has(cache, "k", "abbcc"),
        "append and prepend");
    tap(tern_cache_append(cache, "none", 4, "x", 1, false) == -TERN_ST_NOT_FOUND,
        "but not to nothing");
    tap(tern_cache_delete(cache, "k", 1, first) == -TERN_ST_UNLIKE && has(cache, "k", "abbcc"),
        "delete of another version changes nothing");
    tap(tern_cache_delete(cache, "k", 1, 0) == 0 && has(cache, "k", NULL), "delete deletes");
    tap_evidence("C6", "deleted=1");
    tap(tern_cache_delete(cache, "k", 1, 0) == -TERN_ST_NOT_FOUND, "once");
    tern_cache_close(cache);
}

static void numbers(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    uint64_t value = 0;

    gives(set(cache, "n", "9"), 0, "tern_cache_set");
    tap(tern_cache_add(cache, "n", 1, 2, false, &value) == 0 && value == 11 &&
            has(cache, "n", "11"),
        "a number is added to");
    tap(tern_cache_add(cache, "n", 1, 3, true, &value) == 0 && value == 8 && has(cache, "n", "8 "),
        "and subtracted from, and keeps its length");
    tap(tern_cache_add(cache, "n", 1, 30, true, &value) == 0 && value == 0, "down to 0");
    gives(set(cache, "n", "18446744073709551615"), 0, "tern_cache_set");
    tap(tern_cache_add(cache, "n", 1, 2, false, &value) == 0 && value == 1, "modulo 2^64");
    gives(set(cache, "n", "x"), 0, "tern_cache_set");
    tap(tern_cache_add(cache, "n", 1, 1, false, &value) == -TERN_ST_BAD_STATE,
        "no text is a number");
    tap(tern_cache_add(cache, "m", 1, 1, false, &value) == -TERN_ST_NOT_FOUND,
        "nor is a key without a value");
    tern_cache_close(cache);
}

/* ---- updates in place */

enum { FIXED = 24 };

static int set_fixed(struct tern_cache *cache, const char *value)
{
    struct tern_item item = {
        .value = (void *)(uintptr_t)value, .bytes = FIXED, .flags = 5, .fixed = true};

    return tern_cache_set(cache, "fixed", 5, &item, TERN_ALWAYS);
}

static int update(struct tern_cache *cache, const char *key, const char *value, uint64_t cas)
{
    struct tern_item item = {
        .value = (void *)(uintptr_t)value, .bytes = strlen(value), .cas = cas};

    return tern_cache_update(cache, key, strlen(key), &item);
}

static void in_place(struct pool_client *c, struct pool_client *other)
{
    struct tern_cache *cache = open_cache(c, NULL), *setter = open_cache(other, NULL);
    struct traffic before, t;

    gives(set_fixed(setter, "a value of 24 characters"), 0, "tern_cache_set");
    gives(has(cache, "fixed", "a value of 24 characters"), true, "tern_cache_get");
    before = traffic(other, setter);
    gives(update(setter, "fixed", "another one, of as many.", 0), 0, "tern_cache_update");
    t = since(other, setter, &before);
    show("update", &t);
    tap(t.out == 6 && t.doorbells == 0 && t.counts.lookups == 0,
        "an update in place is a put through the pointer, without the server's host");
    before = traffic(c, cache);
    tap(has(cache, "fixed", "another one, of as many.") &&
            has(setter, "fixed", "another one, of as many."),
        "all clients get the new value");
    t = since(c, cache, &before);
    tap(t.counts.by_pointer == 1 && t.counts.lookups == 0 && t.counts.stale == 0,
        "by the pointers that they have");
    tap_evidence("C4", "packets=%llu doorbells=%llu by_pointer=%llu lookups=%llu",
                 (unsigned long long)t.out, (unsigned long long)t.doorbells,
                 (unsigned long long)t.counts.by_pointer, (unsigned long long)t.counts.lookups);
    tern_cache_close(setter);
    tern_cache_close(cache);
}

static void in_place_refused(struct pool_client *c)
{
    static char value[BYTES / 8];
    struct tern_cache *cache = open_cache(c, NULL);
    char text[FIXED];
    struct tern_item got = {.value = text, .room = FIXED};
    struct tern_item large = {.value = value, .bytes = sizeof(value), .fixed = true};
    struct tern_item item = {.value = value, .bytes = FIXED};
    uint64_t first, number;

    gives(set(cache, "record", "of any kind"), 0, "tern_cache_set");
    tap(update(cache, "record", "of one kind", 0) == -TERN_ST_BAD_STATE &&
            has(cache, "record", "of any kind"),
        "a value that was not set for it is not updated");
    tap(update(cache, "no record", "of one kind", 0) == -TERN_ST_NOT_FOUND, "nor is one not there");
    tap(update(cache, "fixed", "too short", 0) == -TERN_ST_BAD_LENGTH,
        "nor one of another length");
    gives(tern_cache_get(cache, "fixed", 5, &got), 0, "tern_cache_get");
    first = got.cas;
    tap(got.fixed && got.flags == 5 &&
            update(cache, "fixed", "the value number 3, here", first) == 0,
        "the number of the value that was seen");
    tap(update(cache, "fixed", "the value number 4, here", first) == -TERN_ST_UNLIKE &&
            has(cache, "fixed", "the value number 3, here"),
        "is not that of the next");
    gives(tern_cache_get(cache, "fixed", 5, &got), 0, "tern_cache_get");
    item.cas = got.cas;
    tap(got.cas != first &&
            tern_cache_set(cache, "fixed", 5, &item, TERN_IF_CAS) == -TERN_ST_BAD_STATE &&
            tern_cache_append(cache, "fixed", 5, "x", 1, false) == -TERN_ST_BAD_STATE &&
            tern_cache_add(cache, "fixed", 5, 1, false, &number) == -TERN_ST_BAD_STATE &&
            tern_cache_touch(cache, "fixed", 5, 0) == -TERN_ST_BAD_STATE &&
            tern_cache_delete(cache, "fixed", 5, got.cas) == -TERN_ST_BAD_STATE &&
            has(cache, "fixed", "the value number 3, here"),
        "changes that depend on such a value are refused");
    tap(tern_cache_set(cache, "fixed", 5, &large, TERN_ALWAYS) == -TERN_ST_BAD_LENGTH,
        "so is one that no record has room for");
    tap(set(cache, "fixed", "anew") == 0 && has(cache, "fixed", "anew") &&
            update(cache, "fixed", "once", 0) == -TERN_ST_BAD_STATE,
        "a set replaces it");
    tern_cache_close(cache);
}

/* ---- versions */

/* As if the slab had got so many records since that its generation came round. */
static void versions(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct traffic before, t;
    unsigned changed = 0;

    gives(set(cache, "version", "the newest"), 0, "tern_cache_set");
    gives(has(cache, "version", "the newest"), true, "tern_cache_get");
    for (size_t i = 0; i < (size_t)cache->map.sets * CACHE_WAYS; i++)
        if (cache->map.known[i].generation) {
            cache->map.known[i].version ^= 1;
            changed++;
        }
    before = traffic(c, cache);
    tap(changed == 1 && has(cache, "version", "the newest"),
        "an entry of another version is no hit");
    t = since(c, cache, &before);
    tap(t.counts.stale == 1 && t.counts.by_pointer == 0 && t.counts.lookups == 1,
        "though place, generation and key of its record agree");
    tap_evidence("C8", "stale=%llu by_pointer=%llu lookups=%llu",
                 (unsigned long long)t.counts.stale, (unsigned long long)t.counts.by_pointer,
                 (unsigned long long)t.counts.lookups);
    before = traffic(c, cache);
    gives(has(cache, "version", "the newest"), true, "tern_cache_get");
    t = since(c, cache, &before);
    tap(t.counts.by_pointer == 1 && t.counts.lookups == 0, "and one of the same version is");
    tern_cache_close(cache);
}

/* ---- times */

static void times(struct pool_client *c)
{
    struct tern_cache *cache = open_cache(c, NULL);
    struct tern_item item = {.value = "v", .bytes = 1, .expires = 1};

    gives(tern_cache_set(cache, "t", 1, &item, TERN_ALWAYS), 0, "tern_cache_set");
    tap(has(cache, "t", NULL), "a value whose time is over is not found");
    tap(tern_cache_delete(cache, "t", 1, 0) == -TERN_ST_NOT_FOUND, "nor deleted");
    item.expires = 0;
    tap(tern_cache_set(cache, "t", 1, &item, TERN_IF_ABSENT) == 0 && has(cache, "t", "v"),
        "but added anew");
    tap(tern_cache_touch(cache, "t", 1, 4000000000u) == 0 && has(cache, "t", "v"),
        "touch gives a value more time");
    tap(tern_cache_touch(cache, "t", 1, 1) == 0 && has(cache, "t", NULL), "or none");
    tap(tern_cache_touch(cache, "t", 1, 0) == -TERN_ST_NOT_FOUND, "and none to nothing");
    tern_cache_close(cache);
}

/* ---- what is refused */

static void refusals(struct pool_client *c)
{
    static char key[TERN_CACHE_KEY_MAX + 1], value[BYTES / 8], back[BYTES / 8];
    static struct pool_client reader;
    struct tern_cache *cache = open_cache(c, NULL), *none = NULL, *readers;
    struct tern_item item = {.value = value, .bytes = 1, .room = sizeof(value)}, got;
    uint64_t most = tern_cache_limits(cache).value_bytes;

    memset(key, 'k', sizeof(key));
    tap(tern_cache_set(cache, key, sizeof(key), &item, TERN_ALWAYS) == -TERN_ST_BAD_LENGTH &&
            tern_cache_get(cache, key, sizeof(key), &item) == -TERN_ST_BAD_LENGTH &&
            tern_cache_get(cache, key, 0, &item) == -TERN_ST_BAD_LENGTH,
        "keys of no bytes and of more than 250 are refused");
    for (size_t i = 0; i < sizeof(value); i++)
        value[i] = (char)(i * 7 + i / 251);
    item.bytes = most;
    got = (struct tern_item){.value = back, .room = sizeof(back)};
    tap(most > BYTES / 10 && most < sizeof(value) &&
            tern_cache_set(cache, key, sizeof(key) - 1, &item, TERN_ALWAYS) == 0 &&
            tern_cache_get(cache, key, sizeof(key) - 1, &got) == 0 && got.bytes == most &&
            memcmp(value, back, most) == 0,
        "the longest value with the longest key is kept, in parts");
    tap(tern_cache_append(cache, key, sizeof(key) - 1, "x", 1, false) == -TERN_ST_BAD_LENGTH,
        "and nothing put after it");
    item.bytes = 2000;
    tap(tern_cache_set(cache, key, sizeof(key) - 1, &item, TERN_ALWAYS) == 0 &&
            tern_cache_append(cache, key, sizeof(key) - 1, "xyz", 3, false) == 0 &&
            tern_cache_get(cache, key, sizeof(key) - 1, &got) == 0 && got.bytes == 2003 &&
            memcmp(value, back, 2000) == 0 && memcmp(back + 2000, "xyz", 3) == 0,
        "a value in parts is put after");
    item.bytes = most + 1;
    tap(tern_cache_set(cache, key, sizeof(key) - 1, &item, TERN_ALWAYS) == -TERN_ST_BAD_LENGTH,
        "a longer one is refused");
    item.room = 3;
    tap(tern_cache_get(cache, key, sizeof(key) - 1, &item) == -TERN_ST_BAD_SIZE &&
            item.bytes == 2003,
        "too little room: all but the value is there");
    tap(tern_cache_open(&c->member, 1, "other", NULL, &none) == -TERN_ST_NOT_FOUND,
        "a cache that is not there is not opened");
    tap(tern_cache_open(&c->member, 0, "cache", NULL, &none) == -TERN_ST_BAD_ARGUMENT,
        "nor one of no server");
    gives(set(cache, "read", "me"), 0, "tern_cache_set");
    pool_client_open(&reader, &rig, 1, TERN_POOL_READ);
    readers = open_cache(&reader, NULL);
    tap(has(readers, "read", "me") && has(readers, "read", "me"), "a reader gets");
    tap(set(readers, "read", "no") == -TERN_ST_BAD_RIGHTS && has(cache, "read", "me"),
        "and sets nothing");
    tern_cache_close(readers);
    pool_client_close(&reader);
    tern_cache_close(cache);
}

/* ---- changes that the server tells */

enum { NODES_OF_RING = 4, SUBSCRIBERS = 3 };

static uint64_t sent(struct tern_device *const *devices, unsigned count, unsigned statistic)
{
    uint64_t sum = 0, values[TERN_STAT_COUNT];

    for (unsigned i = 0; i < count; i++) {
        gives(tern_stats(devices[i], values), 0, "tern_stats");
        sum += values[statistic];
    }
    return sum;
}

/* Takes up what came, until `batches` have come. */
static bool hears(struct tern_cache *cache, uint64_t batches)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    struct tern_cache_counts counts;

    do {
        gives(tern_cache_renew(cache), 0, "tern_cache_renew");
        tern_cache_counts(cache, &counts);
    } while (counts.batches < batches && pool_rig_now() < end);
    return counts.batches == batches && counts.gaps == 0;
}

static bool all_hear(struct tern_cache *const *caches, unsigned count, uint64_t batches)
{
    bool good = true;

    for (unsigned i = 0; i < count; i++)
        good &= hears(caches[i], batches);
    return good;
}

/* Tells of one change, and counts what that takes. */
static void one_change(struct pool_client *c, struct tern_cache *const *caches,
                       struct tern_device *const *devices, const struct child *server,
                       uint64_t batches)
{
    uint64_t injected = sent(&server_device, 1, TERN_STAT_tx_packets);
    uint64_t links = sent(devices, NODES_OF_RING, TERN_STAT_link_sent);
    struct traffic before, t;

    gives(pool_server_ask(server, 'd'), 0, "tern_cache_share");
    tap(all_hear(caches, SUBSCRIBERS, batches), "all clients hear of a change");
    injected = sent(&server_device, 1, TERN_STAT_tx_packets) - injected;
    links = sent(devices, NODES_OF_RING, TERN_STAT_link_sent) - links;
    tap(injected == 1 && links == SUBSCRIBERS,
        "by one packet of the server, which passes one link for each client");
    tap_evidence("C5", "injected=%llu links=%llu clients=%d", (unsigned long long)injected,
                 (unsigned long long)links, SUBSCRIBERS);
    before = traffic(c, caches[0]);
    tap(has(caches[0], "told", "by the server"), "a client gets what it was told of");
    t = since(c, caches[0], &before);
    tap(t.counts.by_pointer == 1 && t.counts.lookups == 0, "without a lookup");
}

static void told(struct pool_client *c, struct pool_client *other, const struct child *server)
{
    static struct pool_client third;
    const struct tern_cache_client config = {.subscribe = true};
    struct tern_device *devices[NODES_OF_RING];
    struct tern_cache *caches[SUBSCRIBERS], *setter;
    uint64_t batches = sent(&server_device, 1, TERN_STAT_fw_bcasts);

    pool_client_open(&third, &rig, 1, TERN_POOL_READ);
    for (unsigned i = 0; i < NODES_OF_RING; i++)
        devices[i] = rig_open(&rig, i);
    caches[0] = open_cache(c, &config);
    caches[1] = open_cache(other, &config);
    caches[2] = open_cache(&third, &config);
    setter = open_cache(other, NULL);
    gives(set(setter, "before", "x"), 0, "tern_cache_set");
    gives(pool_server_ask(server, 'd'), 0, "tern_cache_share");
    batches = sent(&server_device, 1, TERN_STAT_fw_bcasts) - batches;
    tap(batches > 0 && all_hear(caches, SUBSCRIBERS, batches), "clients that subscribe hear all");
    gives(set(setter, "told", "by the server"), 0, "tern_cache_set");
    one_change(c, caches, devices, server, batches + 1);
    gives(tern_cache_delete(setter, "told", 4, 0), 0, "tern_cache_delete");
    gives(pool_server_ask(server, 'd'), 0, "tern_cache_share");
    tap(all_hear(caches, SUBSCRIBERS, batches + 2) && has(caches[2], "told", NULL) &&
            pool_server_ask(server, 'n') >= 3,
        "of a deletion as well");
    tern_cache_close(setter);
    for (unsigned i = 0; i < SUBSCRIBERS; i++)
        tern_cache_close(caches[i]);
    for (unsigned i = 0; i < NODES_OF_RING; i++)
        tern_close(devices[i]);
    pool_client_close(&third);
}

/* ---- keys of one hash */

static void collisions(struct pool_client *c)
{
    struct tern_cache_served served;
    struct tern_cache *cache = open_cache(c, NULL);
    struct traffic before, t;
    bool good = true;
    char key[8];

    for (unsigned i = 0; i < 8; i++) {
        snprintf(key, sizeof(key), "c%u", i);
        gives(set(cache, key, key), 0, "tern_cache_set");
    }
    before = traffic(c, cache);
    for (unsigned i = 0; i < 8; i++) {
        snprintf(key, sizeof(key), "c%u", i);
        good &= has(cache, key, key);
    }
    t = since(c, cache, &before);
    show("collisions", &t);
    tap(good && t.counts.collisions > 0, "keys of one hash are all found");
    tern_cache_close(cache);
    cache = open_cache(c, &(struct tern_cache_client){.path = TERN_CACHE_LOOKUP});
    before = traffic(c, cache);
    good = has(cache, "c7", "c7");
    t = since(c, cache, &before);
    tap(good && t.out == 1, "the newest by one lookup");
    before = traffic(c, cache);
    good = has(cache, "c4", "c4");
    t = since(c, cache, &before);
    tap(good && t.out == 4 && t.counts.collisions == 3, "one behind three others by four");
    tap(tern_cache_stat(cache, 0, &served) == 0 && served.bytes == BYTES &&
            tern_cache_stat(cache, 1, &served) == -TERN_ST_BAD_RANGE && tern_cache_load(cache) >= 0,
        "a client reads the figures and the map of its server");
    tap(tern_cache_flush(cache) >= 8 && has(cache, "c4", NULL), "and has all keys deleted");
    tern_cache_close(cache);
}

/* Old records keep their generation after a blind set, until a sweep: only the bucket has changed.
 */
static void blind_sets(struct pool_client *c, struct pool_client *other)
{
    const struct tern_cache_client literal = {.path = TERN_CACHE_LITERAL};
    struct tern_cache *cache = open_cache(c, NULL), *setter = open_cache(other, NULL), *none = NULL;
    struct traffic before, t;

    gives(set(setter, "blind", "one"), 0, "tern_cache_set");
    tap(has(cache, "blind", "one") && has(cache, "blind", "one"), "a value is got by its pointer");
    before = traffic(other, setter);
    gives(set(setter, "blind", "two"), 0, "tern_cache_set");
    t = since(other, setter, &before);
    show("blind set", &t);
    tap(has(cache, "blind", "two"), "a pointer is not believed after a blind set");
    tap(t.out == 6 && t.doorbells == 0, "which is six packets");
    tap(tern_cache_open(&c->member, 1, "cache", &literal, &none) == -TERN_ST_BAD_ARGUMENT,
        "the literal path is refused where sets are blind");
    tern_cache_close(setter);
    tern_cache_close(cache);
}

/* ---- a map that is smaller than the cache */

static void bounded(struct pool_client *c)
{
    const struct tern_cache_client config = {.map_entries = 8};
    struct tern_cache *setter = open_cache(c, NULL), *cache = open_cache(c, &config);
    struct tern_cache_counts first, then;
    bool good = true;
    char key[8];

    for (unsigned i = 0; i < KEYS; i++) {
        snprintf(key, sizeof(key), "b%u", i);
        gives(set(setter, key, key), 0, "tern_cache_set");
    }
    for (unsigned i = 0; i < 4; i++) {
        snprintf(key, sizeof(key), "b%u", i % 2);
        good &= has(cache, key, key);
    }
    tern_cache_counts(cache, &first);
    for (unsigned i = 0; i < KEYS; i++) {
        snprintf(key, sizeof(key), "b%u", i);
        good &= has(cache, key, key);
    }
    tern_cache_counts(cache, &then);
    tap(good && first.lookups <= 4 && first.by_pointer >= 1 && then.lookups >= KEYS - 8,
        "keys that a small map has no room for are fetched when they are wanted");
    tap_evidence("C7", "entries=8 keys=%d lookups=%llu", KEYS, (unsigned long long)then.lookups);
    tern_cache_close(cache);
    tern_cache_close(setter);
}

/* ---- several servers */

enum { SECOND = 1, SPREAD = 64 };

static void second_server(const void *arg, int in, int out)
{
    struct tern_device *device = rig_open(arg, SECOND);
    const struct tern_pool_config config = {
        .name = POOL_TEST_NAME, .bytes = BYTES + 4096, .members = MEMBERS, .lease_ms = LEASE_MS};
    struct tern_pool *pool = NULL;
    char ready = 1;

    gives(tern_pool_create(device, &config, &pool), 0, "tern_pool_create");
    begin(pool, false);
    gives(tern_pool_thread(pool), 0, "tern_pool_thread");
    if (give(out, &ready, 1))
        (void)get(in, &ready, 1);
    tern_pool_close(pool);
    tern_close(device);
}

static unsigned found(struct tern_cache *cache)
{
    unsigned count = 0;
    char key[8];

    for (unsigned i = 0; i < SPREAD; i++) {
        snprintf(key, sizeof(key), "s%u", i);
        count += has(cache, key, key);
    }
    return count;
}

/* Keys of the first server stay where they are when the second comes or goes. */
static void spread(struct pool_client *c)
{
    struct child server = child_start(second_server, &rig);
    struct tern_member *members[2] = {c->member, NULL};
    struct tern_cache *both = NULL, *one;
    unsigned on_first = 0, all;
    char key[8], ready;

    gives(get(server.from, &ready, 1), true, "the second server");
    gives(tern_member_join(c->device, tern_node(SECOND, 0, 0), POOL_TEST_NAME, TERN_POOL_WRITE,
                           &members[1]),
          0, "tern_member_join");
    gives(tern_cache_open(members, 2, "cache", NULL, &both), 0, "tern_cache_open");
    for (unsigned i = 0; i < SPREAD; i++) {
        snprintf(key, sizeof(key), "s%u", i);
        gives(set(both, key, key), 0, "tern_cache_set");
        on_first += tern_cache_place(both, key, strlen(key)) == 0;
    }
    all = found(both);
    one = open_cache(c, NULL);
    tap(all == SPREAD && on_first > SPREAD / 4 && on_first < SPREAD * 3 / 4,
        "keys are spread over two servers");
    tap(found(one) == on_first, "without the second server, the first has its keys still");
    tap_evidence("C18", "servers=2 keys=%d found=%u", SPREAD, all);
    tern_cache_close(one);
    tern_cache_close(both);
    tern_member_quit(members[1]);
    tap(give_word(&server, 'q') && child_end(&server), "the second server ends well");
}

/* ---- a writer that stopped between two bursts of a record */

enum {
    WORD = 8,
    WHOLE = 6 * WORD,
    RECORD = CACHE_NODE + sizeof("half") + sizeof(struct cache_value) + WHOLE
};

/* Gets the value while a part of it is of another one; tells whether it was a mixture. */
static unsigned mixtures(struct tern_cache *cache, const char *value)
{
    char text[512];
    struct tern_item item = {.value = text, .room = sizeof(text)};
    int status = tern_cache_get(cache, "half", 4, &item);

    return status == 0 && (item.bytes != WHOLE || memcmp(text, value, WHOLE) != 0);
}

static void half_written(struct pool_client *c, const struct child *server)
{
    static uint8_t memory[BYTES];
    const struct tern_cache_client literal = {.path = TERN_CACHE_LITERAL};
    struct tern_cache *caches[] = {open_cache(c, NULL), open_cache(c, &literal)};
    uint64_t old, new = UINT64_C(0x6262626262626262);
    struct tern_cache_counts counts;
    unsigned step = rig_tier_is_soft() ? 1 : 3; /* an unreadable record is read many times */
    unsigned mixed = 0, torn = 0;
    uint32_t record[RECORD / 4 + 1];
    char value[WHOLE + 1];
    struct tern_rptr at;
    uint8_t *found;

    memset(value, 'a', WHOLE);
    value[WHOLE] = 0;
    memcpy(&old, value, WORD);
    gives(set(caches[0], "half", value), 0, "tern_cache_set");
    pool_server_memory(server, memory, sizeof(memory));
    found = memmem(memory, sizeof(memory), value, WHOLE);
    gives(found != NULL, true, "the value in the server's memory");
    memcpy(record, found + WHOLE - RECORD, RECORD);
    tap(tern_table_record_sum(record) == TERN_GET(REC, crc, record),
        "the checksum of its record is there");
    at = tern_member_at(c->member, (uint64_t)(found - memory));
    for (unsigned path = 0; path < 2; path++) {
        gives(has(caches[path], "half", value), true, "tern_cache_get");
        for (unsigned word = 0; word < WHOLE / WORD; word += step) {
            gives(pool_client_put(c, tern_rptr_add(at, word * WORD), new), TERN_ST_OK, "a put");
            mixed += mixtures(caches[path], value);
        }
        for (unsigned word = 0; word < WHOLE / WORD; word += step)
            gives(pool_client_put(c, tern_rptr_add(at, word * WORD), old), TERN_ST_OK, "a put");
        tern_cache_counts(caches[path], &counts);
        torn += counts.torn > 0;
    }
    tap(mixed == 0 && torn == 2 && has(caches[0], "half", value),
        "a record that is half written is never handed out");
    tap_evidence("C14", "mixed=%u torn=%u", mixed, torn);
    tern_cache_close(caches[1]);
    tern_cache_close(caches[0]);
}

static struct child start(struct pool_client *c)
{
    static struct pool_serving serving = {.rig = &rig, .begin = begin, .word = word};
    struct child server;

    serving.config = (struct tern_pool_config){
        .name = POOL_TEST_NAME, .bytes = BYTES + 4096, .members = MEMBERS, .lease_ms = LEASE_MS};
    server = pool_server_start(&serving, NULL);
    pool_client_open(c, &rig, 0, TERN_POOL_WRITE);
    return server;
}

int main(void)
{
    static struct pool_client c, other;
    struct child server;

    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = start(&c);
    server_device = rig_open(&rig, SERVER);
    pool_client_open(&other, &rig, 3, TERN_POOL_WRITE);
    a_fresh_pointer(&c, TERN_CACHE_AUTO);
    a_fresh_pointer(&c, TERN_CACHE_LITERAL);
    a_miss(&c);
    a_lookup_of_its_size(&c);
    closed(&c);
    a_stale_pointer(&c, &other, false);
    a_stale_pointer(&c, &other, true);
    sets(&c);
    many(&c);
    posted(&c);
    conditions(&c);
    numbers(&c);
    in_place(&c, &other);
    in_place_refused(&c);
    versions(&c);
    times(&c);
    refusals(&c);
    tap(pool_server_ask(&server, 's') == -TERN_ST_BAD_SIZE,
        "a cache with no room for a record is refused");
    half_written(&c, &server);
    told(&c, &other, &server);
    bounded(&c);
    spread(&c);
    pool_client_close(&other);
    pool_client_close(&c);
    tap(pool_server_end(&server), "the server ends well");
    shape.hash_bits = 1;
    shape.blind = true;
    server = start(&c);
    pool_client_open(&other, &rig, 3, TERN_POOL_WRITE);
    collisions(&c);
    blind_sets(&c, &other);
    pool_client_close(&other);
    pool_client_close(&c);
    tap(pool_server_end(&server), "so does that of a weak hash");
    tern_close(server_device);
    rig_stop(&rig);
    return tap_end();
}
