/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: driver_caches_torn [ROUNDS [SEED]]
 *
 * Reads of a record that is half written.  A writer puts another record of the same key over the
 * one that is there, which no client of the library does, and stops between two bursts of eight
 * bytes.  A get begins then, by the pointer or by a lookup, and the writer goes on.  The get
 * returns the old value with its version, or the new one with its own, and no bytes of both.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/cache.h>

#include "cache.h"
#include "pool_rig.h"

enum {
    BYTES = 1 << 16,
    MEMBERS = 4,
    LEASE_MS = 600000,
    VALUE = 400,
    BURST = 8,
    ROUNDS = 1000,
    ROUNDS_RTL = 40,
    WHOLE = CACHE_NODE + sizeof("torn") + sizeof(struct cache_value) + VALUE,
    ROOM = (WHOLE + BURST - 1) / BURST * BURST
};

static struct rig rig;

/* Two records of one key, at one place, of one generation. */
struct records {
    struct pool_client c;
    struct tern_region *region;
    struct tern_rptr at;
    uint32_t image[2][ROOM / 4];
    char value[2][VALUE];
    uint64_t version[2];
};

static void begin(struct tern_pool *pool, bool adopted)
{
    const struct tern_cache_config shape = {.bytes = BYTES, .lease_ms = LEASE_MS};

    (void)adopted;
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
}

static struct tern_cache *open_cache(struct pool_client *c, enum tern_cache_path path)
{
    const struct tern_cache_client config = {.path = path};
    struct tern_cache *cache = NULL;

    gives(tern_cache_open(&c->member, 1, "cache", &config, &cache), 0, "tern_cache_open");
    return cache;
}

/* The second record, from the first: as if the slab had got it for the same generation. */
static void make_second(struct records *r)
{
    uint8_t *to = (uint8_t *)r->image[1];
    struct cache_value head;

    memcpy(to, r->image[0], ROOM);
    memcpy(&head, to + CACHE_NODE + sizeof("torn"), sizeof(head));
    r->version[0] = head.version;
    r->version[1] = head.version += 1 << 17; /* the map has 16 bits of it, which stay */
    memcpy(to + CACHE_NODE + sizeof("torn"), &head, sizeof(head));
    memcpy(to + CACHE_NODE + sizeof("torn") + sizeof(head), r->value[1], VALUE);
    TERN_SET(REC, crc, r->image[1], tern_table_record_sum(to));
}

static void make_records(struct records *r, struct tern_cache *cache, const struct child *server)
{
    static uint8_t memory[BYTES + 4096];
    struct tern_item item = {.value = r->value[0], .bytes = VALUE};
    const uint8_t *found;
    uint64_t offset;

    for (unsigned i = 0; i < VALUE; i++) {
        r->value[0][i] = (char)('a' + i % 26);
        r->value[1][i] = (char)('A' + i % 26);
    }
    gives(tern_cache_set(cache, "torn", 4, &item, TERN_ALWAYS), 0, "tern_cache_set");
    pool_server_memory(server, memory, sizeof(memory));
    found = memmem(memory, sizeof(memory), r->value[0], VALUE);
    gives(found != NULL, true, "the value in the server's memory");
    offset = (uint64_t)(found - memory) + VALUE - WHOLE;
    memcpy(r->image[0], memory + offset, ROOM);
    make_second(r);
    r->at = tern_member_at(r->c.member, offset);
    gives(tern_register(r->c.device, r->image, sizeof(r->image), TERN_RIGHT_LOCAL_READ, &r->region),
          0, "tern_register");
}

/* Puts the bytes of a record from one place to another. */
static void put_wait(struct records *r, unsigned which, unsigned from, unsigned to)
{
    gives(tern_put(r->c.sq, tern_rptr_add(r->at, from), r->region,
                   (const uint8_t *)r->image[which] + from, to - from, TERN_DFLAG_SIGNAL, 0),
          0, "tern_put");
    gives(next_completion(r->c.cq, POOL_WAIT_MS).status, TERN_ST_OK, "a put");
}

/* Whether a value came whole, with its version. */
static bool is_one(const struct records *r, const struct tern_item *item)
{
    for (unsigned i = 0; i < 2; i++)
        if (item->bytes == VALUE && item->cas == r->version[i] &&
            memcmp(item->value, r->value[i], VALUE) == 0)
            return true;
    return false;
}

/* One round: 1 if the get returned a mixture. */
static unsigned round_of(struct records *r, struct tern_cache *cache, unsigned which, unsigned cut)
{
    char text[VALUE];
    struct tern_item item = {.value = text, .room = VALUE};
    int64_t end = pool_rig_now() + POOL_WAIT_MS;
    struct tern_cache_done done = {.status = -1};
    struct tern_cache_counts counts;
    uint64_t torn;
    int ended;

    put_wait(r, which, 0, cut);
    tern_cache_counts(cache, &counts);
    torn = counts.torn;
    gives(tern_cache_post_get(cache, "torn", 4, &item, 1), 0, "tern_cache_post_get");
    do { /* the writer goes on when a read has met what it left */
        ended = tern_cache_poll(cache, &done, 1);
        tern_cache_counts(cache, &counts);
    } while (ended == 0 && counts.torn == torn && pool_rig_now() < end);
    put_wait(r, which, cut, WHOLE);
    while (ended == 0 && pool_rig_now() < end)
        ended = tern_cache_poll(cache, &done, 1);
    gives(done.status, 0, "the get");
    return !is_one(r, &item);
}

int main(int argc, char **argv)
{
    static struct pool_serving serving = {.rig = &rig, .begin = begin};
    static struct records r;
    static struct pool_client reader;
    unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10)
                      : rig_tier_is_soft() ? ROUNDS
                                           : ROUNDS_RTL;
    uint64_t random = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct tern_cache_counts counts;
    struct tern_cache *cache[3];
    unsigned mixed = 0;
    uint64_t torn = 0;
    struct child server;

    serving.config = (struct tern_pool_config){
        .name = POOL_TEST_NAME, .bytes = BYTES + 4096, .members = MEMBERS, .lease_ms = LEASE_MS};
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    pool_client_open(&r.c, &rig, 0, TERN_POOL_WRITE);
    pool_client_open(&reader, &rig, 1, TERN_POOL_READ);
    for (unsigned path = TERN_CACHE_AUTO; path <= TERN_CACHE_LOOKUP; path++)
        cache[path] = open_cache(&reader, path);
    make_records(&r, open_cache(&r.c, TERN_CACHE_AUTO), &server);
    for (unsigned i = 0; i < rounds; i++)
        mixed += round_of(&r, cache[i % 3], (i + 1) % 2,
                          BURST * (1 + random_below(&random, WHOLE / BURST - 1)));
    for (unsigned path = TERN_CACHE_AUTO; path <= TERN_CACHE_LOOKUP; path++) {
        tern_cache_counts(cache[path], &counts);
        torn += counts.torn;
        tern_cache_close(cache[path]);
    }
    tap(mixed == 0, "no get returns bytes of two records");
    tap_note("rounds=%u torn=%llu mixed=%u", rounds, (unsigned long long)torn, mixed);
    tap(torn >= rounds / 2, "though their reads met records that were half written");
    pool_client_close(&reader);
    rig_stop(&rig);
    return tap_end();
}
