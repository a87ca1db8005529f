/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the text protocol, carried out on the cache. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "cached.h"

enum { AT_ONCE = 32, ROOM = 1024, MONTH = 60 * 60 * 24 * 30 };

/* ---- the cache */

/* Tries a call, and once more if the cache had to be opened anew. */
#define CALL(call)                                                                                 \
    do {                                                                                           \
        int status = cached->store.cache ? (call) : -TERN_ST_LEASE_OVER;                           \
        if (status < 0 && store_mend(&cached->store, status))                                      \
            status = (call);                                                                       \
        return status;                                                                             \
    } while (0)

int command_get(struct cached *cached, struct proto_text key, struct tern_item *item)
{
    CALL(tern_cache_get(cached->store.cache, key.at, key.length, item));
}

int command_set(struct cached *cached, struct proto_text key, struct tern_item *item,
                enum tern_cache_if when)
{
    CALL(tern_cache_set(cached->store.cache, key.at, key.length, item, when));
}

int command_append(struct cached *cached, struct proto_text key, struct proto_text data,
                   bool before)
{
    CALL(tern_cache_append(cached->store.cache, key.at, key.length, data.at, data.length, before));
}

int command_delete(struct cached *cached, struct proto_text key, uint64_t cas)
{
    CALL(tern_cache_delete(cached->store.cache, key.at, key.length, cas));
}

int command_sum(struct cached *cached, struct proto_text key, uint64_t by, bool down,
                uint64_t *value)
{
    CALL(tern_cache_add(cached->store.cache, key.at, key.length, by, down, value));
}

int command_touch(struct cached *cached, struct proto_text key, uint32_t expires)
{
    CALL(tern_cache_touch(cached->store.cache, key.at, key.length, expires));
}

static int get_many(struct cached *cached, const struct tern_cache_key *keys,
                    struct tern_item *items, int *answers, unsigned count)
{
    CALL(tern_cache_mget(cached->store.cache, keys, items, answers, count));
}

static int flush(struct cached *cached)
{
    CALL(tern_cache_flush(cached->store.cache));
}

uint32_t command_expires(int64_t exptime)
{
    int64_t now = (int64_t)time(NULL);

    if (exptime < 0)
        return 1;
    if (exptime == 0)
        return 0;
    if (exptime <= MONTH)
        exptime += now;
    return exptime > UINT32_MAX ? UINT32_MAX : (uint32_t)exptime;
}

void command_failed(struct cached *cached, int status, struct evbuffer *out)
{
    cached->figures.errors++;
    if (status == -TERN_ST_FULL)
        evbuffer_add_printf(out, "SERVER_ERROR out of memory storing object\r\n");
    else if (status == -TERN_ST_BAD_LENGTH)
        evbuffer_add_printf(out, "SERVER_ERROR object too large for cache\r\n");
    else
        evbuffer_add_printf(out, "SERVER_ERROR %s\r\n", tern_strerror(status));
}

/* ---- get */

static void write_value(struct proto_text key, const struct tern_item *item, bool cas,
                        struct evbuffer *out)
{
    evbuffer_add_printf(out, "VALUE %.*s %" PRIu32 " %" PRIu64, (int)key.length, key.at,
                        item->flags, item->bytes);
    if (cas)
        evbuffer_add_printf(out, " %" PRIu64, item->cas);
    evbuffer_add(out, "\r\n", 2);
    evbuffer_add(out, item->value, item->bytes);
    evbuffer_add(out, "\r\n", 2);
}

/* A value for which there was not enough room among the others. */
static int get_large(struct cached *cached, struct proto_text key, struct tern_item *item)
{
    *item = (struct tern_item){.value = cached->store.value, .room = cached->store.value_max};
    return command_get(cached, key, item);
}

static void answer_get(struct cached *cached, struct proto_text key, struct tern_item *item,
                       int status, bool cas, struct evbuffer *out)
{
    if (status == -TERN_ST_BAD_SIZE)
        status = get_large(cached, key, item);
    cached->figures.gets++;
    cached->figures.get_hits += status == 0;
    cached->figures.get_misses += status != 0;
    cached->figures.errors += status != 0 && status != -TERN_ST_NOT_FOUND;
    if (!status)
        write_value(key, item, cas, out);
}

/* Takes up to AT_ONCE keys; how many. */
static unsigned take_keys(struct proto_text *keys, struct tern_cache_key *taken)
{
    struct proto_text word;
    unsigned count = 0;

    while (count < AT_ONCE && proto_next(keys, &word))
        taken[count++] = (struct tern_cache_key){word.at, word.length};
    return count;
}

static void touch(struct cached *cached, const struct proto_request *r, struct proto_text key,
                  int *status)
{
    *status = command_touch(cached, key, command_expires(r->exptime));
    cached->figures.touches++;
    cached->figures.touch_hits += *status == 0;
    cached->figures.touch_misses += *status == -TERN_ST_NOT_FOUND;
}

static void run_get(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    static uint8_t room[AT_ONCE][ROOM];
    bool cas = r->verb == PROTO_GETS || r->verb == PROTO_GATS;
    bool touches = r->verb == PROTO_GAT || r->verb == PROTO_GATS;
    struct tern_cache_key keys[AT_ONCE];
    struct tern_item items[AT_ONCE];
    struct proto_text rest = r->keys;
    unsigned count;

    while ((count = take_keys(&rest, keys)) != 0) {
        int answers[AT_ONCE], status;

        for (unsigned i = 0; i < count; i++)
            items[i] = (struct tern_item){.value = room[i], .room = ROOM};
        status = get_many(cached, keys, items, answers, count);
        for (unsigned i = 0; i < count; i++) {
            struct proto_text key = {keys[i].bytes, keys[i].length};

            answer_get(cached, key, &items[i], status < 0 ? status : answers[i], cas, out);
            if (touches)
                touch(cached, r, key, &status);
        }
    }
    evbuffer_add_printf(out, "END\r\n");
}

/* ---- set and its like */

static int store(struct cached *cached, const struct proto_request *r)
{
    struct tern_item item = {.value = (void *)(uintptr_t)r->data.at,
                             .bytes = r->data.length,
                             .flags = r->flags,
                             .expires = command_expires(r->exptime),
                             .cas = r->cas};

    switch (r->verb) {
    case PROTO_ADD:
        return command_set(cached, r->key, &item, TERN_IF_ABSENT);
    case PROTO_REPLACE:
        return command_set(cached, r->key, &item, TERN_IF_PRESENT);
    case PROTO_CAS:
        return command_set(cached, r->key, &item, TERN_IF_CAS);
    case PROTO_APPEND:
        return command_append(cached, r->key, r->data, false);
    case PROTO_PREPEND:
        return command_append(cached, r->key, r->data, true);
    default:
        return command_set(cached, r->key, &item, TERN_ALWAYS);
    }
}

static void run_store(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    bool cas = r->verb == PROTO_CAS;
    int status = store(cached, r);

    cached->figures.sets++;
    cached->figures.cas_hits += cas && !status;
    cached->figures.cas_misses += cas && status == -TERN_ST_NOT_FOUND;
    cached->figures.cas_badval += cas && status == -TERN_ST_UNLIKE;
    if (!status)
        evbuffer_add_printf(out, "STORED\r\n");
    else if (status == -TERN_ST_UNLIKE)
        evbuffer_add_printf(out, cas ? "EXISTS\r\n" : "NOT_STORED\r\n");
    else if (status == -TERN_ST_NOT_FOUND)
        evbuffer_add_printf(out, cas ? "NOT_FOUND\r\n" : "NOT_STORED\r\n");
    else
        command_failed(cached, status, out);
}

/* ---- the others */

static void answer(struct cached *cached, int status, const char *good, struct evbuffer *out)
{
    if (!status)
        evbuffer_add_printf(out, "%s\r\n", good);
    else if (status == -TERN_ST_NOT_FOUND)
        evbuffer_add_printf(out, "NOT_FOUND\r\n");
    else
        command_failed(cached, status, out);
}

static void run_delete(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    int status = command_delete(cached, r->key, 0);

    cached->figures.delete_hits += status == 0;
    cached->figures.delete_misses += status == -TERN_ST_NOT_FOUND;
    answer(cached, status, "DELETED", out);
}

static void run_sum(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    bool down = r->verb == PROTO_DECR;
    uint64_t value = 0;
    int status = command_sum(cached, r->key, r->delta, down, &value);

    cached->figures.incr_hits += !down && !status;
    cached->figures.incr_misses += !down && status == -TERN_ST_NOT_FOUND;
    cached->figures.decr_hits += down && !status;
    cached->figures.decr_misses += down && status == -TERN_ST_NOT_FOUND;
    if (!status)
        evbuffer_add_printf(out, "%" PRIu64 "\r\n", value);
    else if (status == -TERN_ST_BAD_STATE)
        evbuffer_add_printf(out,
                            "CLIENT_ERROR cannot increment or decrement non-numeric value\r\n");
    else
        answer(cached, status, "", out);
}

static void run_touch(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    int status;

    touch(cached, r, r->key, &status);
    answer(cached, status, "TOUCHED", out);
}

static void flush_due(evutil_socket_t none, short what, void *arg)
{
    (void)none;
    (void)what;
    (void)flush(arg);
}

static void run_flush(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    const struct timeval later = {.tv_sec = r->exptime};
    int status = 0;

    cached->figures.flushes++;
    if (!cached->flush)
        cached->flush = evtimer_new(cached->base, flush_due, cached);
    if (cached->flush)
        evtimer_del(cached->flush);
    if (r->exptime <= 0)
        status = flush(cached);
    else if (!cached->flush || evtimer_add(cached->flush, &later))
        status = -TERN_ST_NO_MEMORY;
    if (status < 0)
        command_failed(cached, status, out);
    else
        evbuffer_add_printf(out, "OK\r\n");
}

static void run(struct cached *cached, struct proto_request *r, struct evbuffer *out)
{
    switch (r->verb) {
    case PROTO_ERROR:
        cached->figures.errors++;
        evbuffer_add_printf(out, "%s", r->error);
        break;
    case PROTO_GET:
    case PROTO_GETS:
    case PROTO_GAT:
    case PROTO_GATS:
        run_get(cached, r, out);
        break;
    case PROTO_DELETE:
        run_delete(cached, r, out);
        break;
    case PROTO_INCR:
    case PROTO_DECR:
        run_sum(cached, r, out);
        break;
    case PROTO_TOUCH:
        run_touch(cached, r, out);
        break;
    case PROTO_FLUSH_ALL:
        run_flush(cached, r, out);
        break;
    case PROTO_VERSION:
        evbuffer_add_printf(out, "VERSION %s\r\n", PROTO_VERSION_TEXT);
        break;
    case PROTO_VERBOSITY:
        evbuffer_add_printf(out, "OK\r\n");
        break;
    case PROTO_STATS:
        stats_run(cached, r, out);
        break;
    case PROTO_QUIT:
        r->close = true;
        break;
    case PROTO_META_GET:
    case PROTO_META_SET:
    case PROTO_META_DELETE:
    case PROTO_META_SUM:
    case PROTO_META_NOP:
    case PROTO_META_DEBUG:
        meta_run(cached, r, out);
        break;
    default:
        run_store(cached, r, out);
    }
}

void command_run(struct cached *cached, struct proto_request *r, struct evbuffer *out)
{
    struct evbuffer *none = r->noreply ? evbuffer_new() : NULL;

    run(cached, r, none ? none : out);
    if (none)
        evbuffer_free(none);
}
