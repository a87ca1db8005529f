/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: driver_cache_outage [GETS]
 *
 * A cache whose server is killed and whose keeper is stopped: only the NIC of its node is left.
 * Clients get keys that have a value and keys that have none, by pointer and by lookup, and each
 * answer is compared.  Another server then adopts the cache, and nothing is lost.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/cache.h>

#include "pool_rig.h"

enum { BYTES = 1 << 17, MEMBERS = 6, KEYS = 64, SOFT = 1000, RTL = 400, WRONG = 10 };

static struct rig rig;

static uint32_t lease(void)
{
    return rig_tier_is_soft() ? 2000 : 20000;
}

static void begin(struct tern_pool *pool, bool adopted)
{
    const struct tern_cache_config shape = {
        .bytes = BYTES, .log2_buckets = 6, .clients = MEMBERS, .lease_ms = lease()};

    (void)adopted;
    gives(tern_cache_make(pool, "cache", &shape), 0, "tern_cache_make");
}

static struct pool_serving serving = {.rig = &rig, .begin = begin};

static struct tern_cache *open_cache(struct pool_client *c, enum tern_cache_path path)
{
    const struct tern_cache_client config = {.path = path};
    struct tern_cache *cache = NULL;

    gives(tern_cache_open(&c->member, 1, "cache", &config, &cache), 0, "tern_cache_open");
    return cache;
}

/* The key of a number, which is its value, too; those from KEYS on have none. */
static size_t key_of(char text[16], unsigned i)
{
    return (size_t)snprintf(text, 16, "key-%u", i);
}

static bool is_right(struct tern_cache *cache, unsigned i)
{
    char key[16], text[16];
    struct tern_item item = {.value = text, .room = sizeof(text)};
    size_t bytes = key_of(key, i);
    int status = tern_cache_get(cache, key, bytes, &item);

    return i < KEYS ? status == 0 && item.bytes == bytes && memcmp(text, key, bytes) == 0
                    : status == -TERN_ST_NOT_FOUND;
}

static unsigned wrong_of(struct tern_cache *const *caches, unsigned count, unsigned gets)
{
    unsigned wrong = 0;

    for (unsigned i = 0; i < gets && wrong < WRONG; i++)
        wrong += !is_right(caches[i % count], i / count % (2 * KEYS));
    return wrong;
}

int main(int argc, char **argv)
{
    static struct pool_client c[2];
    struct tern_cache *caches[3];
    struct pool_serving next;
    struct tern_cache_counts counts[3];
    unsigned gets = argc > 1              ? (unsigned)strtoul(argv[1], NULL, 10)
                    : rig_tier_is_soft() ? SOFT
                                         : RTL;
    struct tern_item late = {.value = "l", .bytes = 1};
    unsigned wrong;
    struct child server;
    int status = -1;
    pid_t keeper;
    char key[16];

    serving.config = (struct tern_pool_config){.name = POOL_TEST_NAME,
                                               .bytes = BYTES + 4096,
                                               .members = MEMBERS,
                                               .lease_ms = lease(),
                                               .keep = true};
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    server = pool_server_start(&serving, NULL);
    pool_client_open(&c[0], &rig, 0, TERN_POOL_WRITE);
    pool_client_open(&c[1], &rig, 1, TERN_POOL_READ);
    caches[0] = open_cache(&c[0], TERN_CACHE_AUTO);
    caches[1] = open_cache(&c[0], TERN_CACHE_LOOKUP);
    caches[2] = open_cache(&c[1], TERN_CACHE_LITERAL);
    for (unsigned i = 0; i < KEYS; i++) {
        struct tern_item item = {.value = key, .bytes = key_of(key, i)};

        gives(tern_cache_set(caches[0], key, item.bytes, &item, TERN_ALWAYS), 0, "tern_cache_set");
    }
    gives(wrong_of(caches, 3, 3 * KEYS) == 0, true, "gets before");
    keeper = pool_rig_keeper(server.pid);
    gives(keeper > 0, true, "a keeper");
    child_kill(&server);
    gives(kill(keeper, SIGSTOP), 0, "kill");
    wrong = wrong_of(caches, 3, gets);
    for (unsigned i = 0; i < 3; i++)
        tern_cache_counts(caches[i], &counts[i]);
    tap_note("by_pointer=%llu lookups=%llu %llu of %u",
             (unsigned long long)(counts[0].by_pointer + counts[2].by_pointer),
             (unsigned long long)counts[0].lookups, (unsigned long long)counts[1].lookups, gets);
    tap(wrong == 0 && counts[0].by_pointer > 0 && counts[1].lookups > 0,
        "the NIC alone serves gets: the server is dead and its keeper stopped");
    tap_evidence("C16", "gets=%u wrong=%u", gets, wrong);
    tap(tern_cache_set(caches[0], "late", 4, &late, TERN_ALWAYS) == 0,
        "and sets, while there are slabs");
    gives(kill(keeper, SIGCONT), 0, "kill");
    next = serving;
    next.adopt = true;
    server = pool_server_start(&next, &status);
    tap(status == 0, "another server adopts the cache of a keeper that goes on");
    tap(wrong_of(caches, 3, 6 * KEYS) == 0 &&
            tern_cache_delete(caches[0], "late", 4, 0) == 0,
        "and nothing is lost");
    for (unsigned i = 0; i < 3; i++)
        tern_cache_close(caches[i]);
    pool_client_close(&c[1]);
    pool_client_close(&c[0]);
    tap(pool_server_end(&server), "the server ends well");
    rig_stop(&rig);
    return tap_end();
}
