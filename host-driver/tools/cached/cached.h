/* SPDX-License-Identifier: Apache-2.0 */
/* `tern cached`, for the files of this folder: one thread, one cache, many connections. */
#ifndef TERN_CACHED_CACHED_H
#define TERN_CACHED_CACHED_H

#include <event2/buffer.h>
#include <event2/event.h>
#include <tern/cache.h>

#include "protocol.h"

/* ---- store.c: the cache, opened anew when its lease is over */

struct store_options {
    const char *uri, *pool, *cache;
    uint16_t nodes[64]; /* of the servers; none: the node of the NIC itself */
    unsigned node_count;
    uint64_t serve; /* bytes of a cache that this process serves itself; 0: none */
    unsigned lease_ms;
};

struct store {
    const struct store_options *options;
    struct tern_device *device;
    struct tern_pool *pool; /* NULL: served by another process */
    struct tern_member *members[64];
    unsigned member_count;
    struct tern_cache *cache; /* NULL: out of reach */
    uint64_t value_max;
    uint8_t *value; /* value_max bytes */
    uint64_t reopened;
};

/* 0, or EXIT_BAD after saying why. */
int store_open(struct store *store, const struct store_options *options);
void store_close(struct store *store);
/* Keeps the lease; call every eighth of it. */
void store_renew(struct store *store);
unsigned store_lease_ms(const struct store *store);
/* Whether a call that ended with `status` may be tried again, as the cache was opened anew. */
bool store_mend(struct store *store, int status);

/* ---- what is counted */
struct figures {
    uint64_t connections_now, connections, refused;
    uint64_t gets, sets, touches, flushes, metas;
    uint64_t get_hits, get_misses, delete_hits, delete_misses, incr_hits, incr_misses, decr_hits,
        decr_misses, cas_hits, cas_misses, cas_badval, touch_hits, touch_misses;
    uint64_t bytes_read, bytes_written, errors;
    int64_t began;
};

struct cached {
    struct event_base *base;
    struct store store;
    struct figures figures;
    unsigned connections_max;
    struct event *flush; /* a flush that is due later */
};

/* ---- commands.c, meta.c, stats.c: carry a request out, and write the answer */
void command_run(struct cached *cached, struct proto_request *request, struct evbuffer *out);
void meta_run(struct cached *cached, struct proto_request *request, struct evbuffer *out);
void stats_run(struct cached *cached, const struct proto_request *request, struct evbuffer *out);
/* The same for Prometheus. */
void stats_metrics(struct cached *cached, struct evbuffer *out);

/* Calls of the cache, tried once more where it had to be opened anew. */
int command_get(struct cached *cached, struct proto_text key, struct tern_item *item);
int command_set(struct cached *cached, struct proto_text key, struct tern_item *item,
                enum tern_cache_if when);
int command_append(struct cached *cached, struct proto_text key, struct proto_text data,
                   bool before);
int command_delete(struct cached *cached, struct proto_text key, uint64_t cas);
int command_sum(struct cached *cached, struct proto_text key, uint64_t by, bool down,
                uint64_t *value);
int command_touch(struct cached *cached, struct proto_text key, uint32_t expires);
/* The time of a command, in seconds from now or of the day, as the cache has it. */
uint32_t command_expires(int64_t exptime);
/* Answers with a failure of the cache. */
void command_failed(struct cached *cached, int status, struct evbuffer *out);

/* ---- serve.c: sockets */
int serve_tcp(struct cached *cached, const char *address, unsigned port);
int serve_unix(struct cached *cached, const char *path);
int serve_metrics(struct cached *cached, const char *address, unsigned port);

#endif
