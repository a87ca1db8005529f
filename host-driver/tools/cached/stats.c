/* SPDX-License-Identifier: Apache-2.0 */
/* Figures, for `stats` and for Prometheus. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cached.h"

/* One figure: its name in `stats`, its value, its meaning; whether it only grows. */
typedef void visit_fn(void *of, const char *name, uint64_t value, const char *meaning, bool grows);

static struct tern_cache_served served(const struct cached *cached)
{
    struct tern_cache_served sum = {0};

    for (unsigned i = 0; cached->store.cache && i < cached->store.member_count; i++) {
        struct tern_cache_served one;

        if (tern_cache_stat(cached->store.cache, i, &one))
            continue;
        sum.bytes += one.bytes;
        sum.items += one.items;
        sum.item_bytes += one.item_bytes;
        sum.evicted += one.evicted;
        sum.expired += one.expired;
        sum.slabs += one.slabs;
        sum.free += one.free;
    }
    return sum;
}

static void visit_cache(const struct cached *cached, visit_fn *visit, void *of)
{
    struct tern_cache_served s = served(cached);
    struct tern_cache_counts n = {0};

    if (cached->store.cache)
        tern_cache_counts(cached->store.cache, &n);
    visit(of, "limit_maxbytes", s.bytes, "bytes of the cache at all its servers", false);
    visit(of, "curr_items", s.items, "records at the last look of the servers", false);
    visit(of, "bytes", s.item_bytes, "bytes of keys and values", false);
    visit(of, "slabs", s.slabs, "slabs for records", false);
    visit(of, "slabs_free", s.free, "slabs that are free", false);
    visit(of, "evictions", s.evicted, "records taken out for want of room", true);
    visit(of, "reclaimed", s.expired, "records taken out because their time was over", true);
    visit(of, "hits_by_pointer", n.by_pointer, "gets without a lookup", true);
    visit(of, "lookups", n.lookups, "lookups by the servers' NICs", true);
    visit(of, "pointers_stale", n.stale, "pointers that led to another record", true);
    visit(of, "pointers_over", n.over, "pointers whose lease was over", true);
    visit(of, "reopened", cached->store.reopened, "times the cache was opened anew", true);
}

static void visit_all(const struct cached *cached, visit_fn *visit, void *of)
{
    const struct figures *f = &cached->figures;

    visit(of, "pid", (uint64_t)getpid(), "process", false);
    visit(of, "uptime", (uint64_t)(time(NULL) - f->began), "seconds since the start", true);
    visit(of, "time", (uint64_t)time(NULL), "time of the day", false);
    visit(of, "pointer_size", 8 * sizeof(void *), "bits of a pointer", false);
    visit(of, "max_connections", cached->connections_max, "connections at most", false);
    visit(of, "curr_connections", f->connections_now, "connections now", false);
    visit(of, "total_connections", f->connections, "connections so far", true);
    visit(of, "rejected_connections", f->refused, "connections refused beyond the limit", true);
    visit(of, "cmd_get", f->gets, "keys asked for", true);
    visit(of, "cmd_set", f->sets, "values to be stored", true);
    visit(of, "cmd_flush", f->flushes, "flushes", true);
    visit(of, "cmd_touch", f->touches, "touches", true);
    visit(of, "cmd_meta", f->metas, "meta commands", true);
    visit(of, "get_hits", f->get_hits, "keys found", true);
    visit(of, "get_misses", f->get_misses, "keys not found", true);
    visit(of, "delete_misses", f->delete_misses, "deletes of keys without a value", true);
    visit(of, "delete_hits", f->delete_hits, "deletes", true);
    visit(of, "incr_misses", f->incr_misses, "increments of keys without a value", true);
    visit(of, "incr_hits", f->incr_hits, "increments", true);
    visit(of, "decr_misses", f->decr_misses, "decrements of keys without a value", true);
    visit(of, "decr_hits", f->decr_hits, "decrements", true);
    visit(of, "cas_misses", f->cas_misses, "cas of keys without a value", true);
    visit(of, "cas_hits", f->cas_hits, "cas", true);
    visit(of, "cas_badval", f->cas_badval, "cas of another version", true);
    visit(of, "touch_hits", f->touch_hits, "touches of a value", true);
    visit(of, "touch_misses", f->touch_misses, "touches of keys without a value", true);
    visit(of, "bytes_read", f->bytes_read, "bytes from clients", true);
    visit(of, "bytes_written", f->bytes_written, "bytes to clients", true);
    visit(of, "errors", f->errors, "answers that were errors", true);
    visit_cache(cached, visit, of);
}

/* ---- stats */

static void write_stat(void *of, const char *name, uint64_t value, const char *meaning, bool grows)
{
    (void)meaning;
    (void)grows;
    evbuffer_add_printf(of, "STAT %s %" PRIu64 "\r\n", name, value);
}

static void items(const struct cached *cached, struct evbuffer *out)
{
    struct tern_cache_served s = served(cached);

    write_stat(out, "items:1:number", s.items, "", false);
    write_stat(out, "items:1:evicted", s.evicted, "", false);
    write_stat(out, "items:1:reclaimed", s.expired, "", false);
}

static void slabs(const struct cached *cached, struct evbuffer *out)
{
    struct tern_cache_served s = served(cached);

    write_stat(out, "1:total_chunks", s.slabs, "", false);
    write_stat(out, "1:used_chunks", s.slabs - s.free, "", false);
    write_stat(out, "1:free_chunks", s.free, "", false);
    write_stat(out, "active_slabs", 1, "", false);
    write_stat(out, "total_malloced", s.bytes, "", false);
}

static void settings(const struct cached *cached, struct evbuffer *out)
{
    write_stat(out, "maxconns", cached->connections_max, "", false);
    write_stat(out, "item_size_max", cached->store.value_max, "", false);
    write_stat(out, "num_threads", 1, "", false);
}

void stats_run(struct cached *cached, const struct proto_request *r, struct evbuffer *out)
{
    if (r->words == 1) {
        evbuffer_add_printf(out, "STAT version %s\r\n", PROTO_VERSION_TEXT);
        visit_all(cached, write_stat, out);
    } else if (proto_is(r->word[1], "items")) {
        items(cached, out);
    } else if (proto_is(r->word[1], "slabs")) {
        slabs(cached, out);
    } else if (proto_is(r->word[1], "settings")) {
        settings(cached, out);
    } else if (proto_is(r->word[1], "reset")) {
        struct figures f = {.connections_now = cached->figures.connections_now,
                            .began = cached->figures.began};

        cached->figures = f;
        evbuffer_add_printf(out, "RESET\r\n");
        return;
    } else {
        evbuffer_add_printf(out, "ERROR\r\n");
        return;
    }
    evbuffer_add_printf(out, "END\r\n");
}

/* ---- Prometheus */

static void write_metric(void *of, const char *name, uint64_t value, const char *meaning,
                         bool grows)
{
    evbuffer_add_printf(of,
                        "# HELP tern_cached_%s %s\n# TYPE tern_cached_%s %s\n"
                        "tern_cached_%s %" PRIu64 "\n",
                        name, meaning, name, grows ? "counter" : "gauge", name, value);
}

void stats_metrics(struct cached *cached, struct evbuffer *out)
{
    visit_all(cached, write_metric, out);
}
