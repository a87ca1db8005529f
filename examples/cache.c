/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Makes a cache in the memory of one NIC, and uses it from another: the second get reads the record
 * by its pointer, without a lookup.
 *
 *   ./cache sim:0 sim:1
 */
#include <stdio.h>
#include <string.h>

#include <tern/cache.h>

static int fail(const char *what, int status)
{
    fprintf(stderr, "cache: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* The side that has the memory; a thread of the library serves it. */
static int serve(struct tern_device *device, struct tern_pool **pool)
{
    const struct tern_pool_config ground = {.name = "example", .bytes = 1 << 20, .members = 4};
    const struct tern_cache_config shape = {.bytes = 1 << 19};
    int status = tern_pool_create(device, &ground, pool);

    if (!status)
        status = tern_cache_make(*pool, "birds", &shape);
    return status ? status : tern_pool_thread(*pool);
}

static int use(struct tern_cache *cache)
{
    char text[64] = "";
    struct tern_item item = {.value = "flies from pole to pole", .bytes = 23};
    struct tern_cache_counts counts;
    int status = tern_cache_set(cache, "tern", 4, &item, TERN_ALWAYS);

    item = (struct tern_item){.value = text, .room = sizeof(text)};
    for (int i = 0; i < 2 && !status; i++)
        status = tern_cache_get(cache, "tern", 4, &item);
    if (status)
        return status;
    tern_cache_counts(cache, &counts);
    printf("tern: %.*s (%d gets, %d lookups)\n", (int)item.bytes, text, (int)counts.gets,
           (int)counts.lookups);
    return 0;
}

int main(int argc, char **argv)
{
    struct tern_device *here, *there;
    struct tern_member *member = NULL;
    struct tern_cache *cache = NULL;
    struct tern_pool *pool = NULL;
    struct tern_info info = {0};
    int status;

    if (argc < 3) {
        fprintf(stderr, "usage: cache URI-OF-THE-SERVER URI-OF-THE-CLIENT\n");
        return 2;
    }
    if ((status = tern_open(argv[1], &there)) != 0)
        return fail(argv[1], status);
    if ((status = tern_open(argv[2], &here)) != 0)
        return fail(argv[2], status);
    status = serve(there, &pool);
    if (!status)
        status = tern_query(there, &info);
    if (!status)
        status = tern_member_join(here, info.node, "example", TERN_POOL_WRITE, &member);
    if (!status)
        status = tern_cache_open(&member, 1, "birds", NULL, &cache);
    if (!status)
        status = use(cache);
    if (status)
        (void)fail("the cache", status);
    tern_cache_close(cache);
    tern_member_quit(member);
    tern_pool_close(pool);
    tern_close(here);
    tern_close(there);
    return status != 0;
}
