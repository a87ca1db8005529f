/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "cached.h"
#include "tool.h"

enum { MEMBERS = 64, SLACK = 1 << 16 };

static void leave(struct store *s)
{
    tern_cache_close(s->cache);
    s->cache = NULL;
    for (unsigned i = 0; i < s->member_count; i++)
        tern_member_quit(s->members[i]);
    s->member_count = 0;
}

static int join(struct store *s)
{
    const struct store_options *o = s->options;
    unsigned count = o->node_count ? o->node_count : 1;
    struct tern_info info;
    int status = tern_query(s->device, &info);

    for (unsigned i = 0; !status && i < count; i++) {
        status = tern_member_join(s->device, o->node_count ? o->nodes[i] : info.node, o->pool,
                                  TERN_POOL_WRITE, &s->members[i]);
        s->member_count += status == 0;
    }
    if (!status)
        status = tern_cache_open(s->members, count, o->cache, NULL, &s->cache);
    if (status)
        leave(s);
    return status;
}

/* A pool and a cache of this process. */
static int serve(struct store *s)
{
    const struct store_options *o = s->options;
    const struct tern_pool_config pool = {.name = o->pool,
                                          .bytes = o->serve + SLACK,
                                          .members = MEMBERS,
                                          .lease_ms = o->lease_ms,
                                          .keep = true};
    const struct tern_cache_config cache = {.bytes = o->serve};
    int status = tern_pool_adopt(s->device, o->pool, &s->pool);

    if (status == -TERN_ST_NO_POOL)
        status = tern_pool_create(s->device, &pool, &s->pool);
    if (!status)
        status = tern_cache_make(s->pool, o->cache, &cache);
    return status ? status : tern_pool_thread(s->pool);
}

int store_open(struct store *s, const struct store_options *options)
{
    int status = 0;

    *s = (struct store){.options = options, .device = tool_open(options->uri)};
    if (!s->device)
        return EXIT_BAD;
    if (options->serve)
        status = serve(s);
    if (status)
        return tool_fail(status, "cannot serve the cache %s", options->cache);
    status = join(s);
    if (status)
        return tool_fail(status, "cannot open the cache %s of the pool %s", options->cache,
                         options->pool);
    s->value_max = tern_cache_limits(s->cache).value_bytes;
    s->value = malloc(s->value_max);
    return s->value ? 0 : tool_fail(-TERN_ST_NO_MEMORY, "no room for a value");
}

void store_close(struct store *s)
{
    leave(s);
    tern_pool_close(s->pool);
    tern_close(s->device);
    free(s->value);
}

unsigned store_lease_ms(const struct store *s)
{
    return s->member_count ? tern_member_lease(s->members[0]) : 1000;
}

static bool is_gone(int status)
{
    return status == -TERN_ST_LEASE_OVER || status == -TERN_ST_NO_POOL ||
           status == -TERN_ST_BAD_KEY || status == -TERN_ST_TIMEOUT || status == -TERN_ST_LINK_DOWN;
}

bool store_mend(struct store *s, int status)
{
    if (s->cache && !is_gone(status))
        return false;
    leave(s);
    s->reopened++;
    return join(s) == 0;
}

void store_renew(struct store *s)
{
    int status = s->cache ? tern_cache_renew(s->cache) : -TERN_ST_LEASE_OVER;

    if (status)
        (void)store_mend(s, status);
}
