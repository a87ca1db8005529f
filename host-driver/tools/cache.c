/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern cache: looks into a cache, and changes it: one key at a time, as a member of its pool.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <tern/cache.h>

#include "tool.h"

enum { WATCH_MS = 200, ARGS = 4 };

struct cache_options {
    const char *words[ARGS]; /* the verb, the URI, the key, the value */
    unsigned count;
    const char *pool, *cache, *node;
    uint32_t expires;
};

static const struct argp_option options[] = {
    {"at", 'a', "NODE", 0, "node that serves the cache, for example 2.0.0 (the NIC's own)", 0},
    {"pool", 'P', "NAME", 0, "name of the pool (cached)", 0},
    {"cache", 'c', "NAME", 0, "name of the cache (cache)", 0},
    {"expires", 'e', "SECONDS", 0, "of `set`: the value is gone after so long (never)", 0},
    {0},
};

/* The action of a verb; words: how many it has, itself and the URI among them. */
struct verb {
    const char *name;
    unsigned words;
    int (*run)(struct tern_cache *cache, const struct cache_options *chosen);
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct cache_options *to = state->input;

    switch (key) {
    case 'a':
        to->node = arg;
        return 0;
    case 'P':
        to->pool = arg;
        return 0;
    case 'c':
        to->cache = arg;
        return 0;
    case 'e':
        to->expires = (uint32_t)time(NULL) + (uint32_t)tool_number(state, arg, INT32_MAX);
        return 0;
    case ARGP_KEY_ARG:
        if (to->count == ARGS)
            return ARGP_ERR_UNKNOWN;
        to->words[to->count++] = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "what shall be done?");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- verbs */

/* Gets a value of any length; the caller frees it. */
static int get(struct tern_cache *cache, const char *key, struct tern_item *item)
{
    item->room = tern_cache_limits(cache).value_bytes;
    item->value = malloc(item->room);
    return item->value ? tern_cache_get(cache, key, strlen(key), item) : -TERN_ST_NO_MEMORY;
}

static int run_get(struct tern_cache *cache, const struct cache_options *chosen)
{
    const char *key = chosen->words[2];
    struct tern_item item = {.flags = 0};
    int status = get(cache, key, &item);

    if (!status) {
        fwrite(item.value, 1, item.bytes, stdout);
        putchar('\n');
    }
    free(item.value);
    return status ? tool_fail(status, "cannot get %s", key) : EXIT_DONE;
}

static int run_set(struct tern_cache *cache, const struct cache_options *chosen)
{
    const char *key = chosen->words[2], *value = chosen->words[3];
    struct tern_item item = {
        .value = (void *)(uintptr_t)value, .bytes = strlen(value), .expires = chosen->expires};
    int status = tern_cache_set(cache, key, strlen(key), &item, TERN_ALWAYS);

    return status ? tool_fail(status, "cannot set %s", key) : EXIT_DONE;
}

static int run_delete(struct tern_cache *cache, const struct cache_options *chosen)
{
    const char *key = chosen->words[2];
    int status = tern_cache_delete(cache, key, strlen(key), 0);

    return status ? tool_fail(status, "cannot delete %s", key) : EXIT_DONE;
}

static void show(const struct tern_item *item, int status)
{
    if (status == 0)
        printf("%.*s\n", (int)item->bytes, (const char *)item->value);
    else
        printf("(none)\n");
    fflush(stdout);
}

/* Prints the value whenever it has changed, until the lease or the simulator ends. */
static int run_watch(struct tern_cache *cache, const struct cache_options *chosen)
{
    const struct timespec pause = {.tv_nsec = WATCH_MS * 1000000L};
    const char *key = chosen->words[2];
    uint64_t cas = UINT64_MAX;

    for (;;) {
        struct tern_item item = {.cas = 0};
        int status = get(cache, key, &item);

        if (status && status != -TERN_ST_NOT_FOUND) {
            free(item.value);
            return tool_fail(status, "cannot get %s", key);
        }
        if ((status ? 0 : item.cas) != cas)
            show(&item, status);
        cas = status ? 0 : item.cas;
        free(item.value);
        nanosleep(&pause, NULL);
    }
}

static int run_stat(struct tern_cache *cache, const struct cache_options *chosen)
{
    struct tern_cache_served s;
    int status = tern_cache_stat(cache, 0, &s);

    (void)chosen;
    if (status)
        return tool_fail(status, "no figures");
    printf("bytes       %" PRIu64 "\nslabs       %" PRIu64 ", %" PRIu64 " free\n"
           "records     %" PRIu64 ", %" PRIu64 " bytes of keys and values\n"
           "taken out   %" PRIu64 " evicted, %" PRIu64 " expired, %" PRIu64 " flushed\n"
           "sweeps      %" PRIu64 "\n",
           s.bytes, s.slabs, s.free, s.items, s.item_bytes, s.evicted, s.expired, s.flushed,
           s.sweeps);
    return EXIT_DONE;
}

static const struct verb verbs[] = {
    {"get", 3, run_get},     {"set", 4, run_set},   {"delete", 3, run_delete},
    {"watch", 3, run_watch}, {"stat", 2, run_stat},
};

static const struct verb *verb_of(const struct cache_options *chosen)
{
    for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
        if (!strcmp(verbs[i].name, chosen->words[0]) && verbs[i].words == chosen->count)
            return &verbs[i];
    return NULL;
}

/* ---- the pool */

static int use(const struct cache_options *chosen, const struct verb *verb,
               struct tern_device *device)
{
    struct tern_member *member = NULL;
    struct tern_cache *cache = NULL;
    struct tern_info info;
    int status = tern_query(device, &info), answer = EXIT_BAD;
    uint16_t node = info.node;

    if (!status && chosen->node)
        status = tern_node_parse(chosen->node, &node, NULL);
    if (!status)
        status = tern_member_join(device, node, chosen->pool, TERN_POOL_WRITE, &member);
    if (!status)
        status = tern_cache_open(&member, 1, chosen->cache, NULL, &cache);
    if (status)
        (void)tool_fail(status, "cannot open the cache %s of the pool %s", chosen->cache,
                        chosen->pool);
    else
        answer = verb->run(cache, chosen);
    tern_cache_close(cache);
    tern_member_quit(member);
    return answer;
}

int cmd_cache(int argc, char **argv)
{
    const struct argp argp = {options,
                              parse,
                              "get|set|delete|watch|stat URI [KEY [VALUE]]",
                              "Gets, sets, deletes or watches a key of a cache in the memory of a "
                              "NIC, or shows the cache's figures.\v"
                              "`tern cached URI --serve SIZE` serves a cache.",
                              NULL,
                              NULL,
                              NULL};
    struct cache_options chosen = {.pool = "cached", .cache = "cache"};
    struct tern_device *device;
    const struct verb *verb;
    int status;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    verb = verb_of(&chosen);
    if (!verb) {
        argp_help(&argp, stderr, ARGP_HELP_STD_USAGE, argv[0]);
        return EXIT_USAGE;
    }
    device = tool_open(chosen.words[1]);
    if (!device)
        return EXIT_BAD;
    status = use(&chosen, verb, device);
    tern_close(device);
    return status;
}
