/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How often a cache that is too small for its keys has the value, beside two exact models with the
 * same slabs: LFU with ageing, where a set counts as a use, and where it does not.  The requests
 * are those of three clusters of a published trace, drawn from its figures (cluster, bytes of keys
 * and values, shares of the operations, exponent of popularity).  Server and client are in one
 * process with the simulator, whose time is the only clock; it stops while the server's host is at
 * work.
 *
 * usage: driver_cache_ratio [--requests N] [--sample N] [--seed S]
 *
 * Figures of clusters 12, 29, 52: Yang, Yue, Rashmi, OSDI 2020.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tern/cache.h>

#include "chaos.h"
#include "heap_yard.h"
#include "numbers.h"

enum {
    STEPS = 16,    /* of the yard in a millisecond */
    CYCLES = 1024, /* of them */
    LEASE = 40,    /* ms */
    FREE = 5,      /* of a hundred slabs */
    PAUSE = 7,     /* steps between two turns of the server */
    BYTES = 1 << 18, KEYS = 4000, VALUE_MAX = 1100, RECORD = 512,
    AGEING = 8,    /* uses of each value, on average, after which the models halve their counts */
    POINTS = 2,    /* of a hundred: so much worse may the cache be */
};

struct cluster {
    const char *name;
    unsigned key_bytes, value_bytes, sets; /* sets: of a hundred requests */
    double exponent;
    size_t bytes;                          /* of the cache */
};

static const struct cluster clusters[] = {
    {"cluster 12", 44, 1030, 80, 0.30, BYTES},
    {"cluster 29", 36, 799, 14, 1.23, BYTES},
    {"cluster 52", 20, 273, 9, 1.21, BYTES / 2},
};
enum { CLUSTERS = sizeof(clusters) / sizeof(clusters[0]) };

static unsigned requests = 3000;
static unsigned sampled = 4; /* of the second run of each cluster: one in so many gets */
static uint64_t seed = 1;

/* ---- the clock: --wrap=clock_gettime */

int __real_clock_gettime(clockid_t which, struct timespec *now);
int __wrap_clock_gettime(clockid_t which, struct timespec *now);

int __wrap_clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t ms = 1000 + (int64_t)(yard.steps / STEPS);

    if (which != CLOCK_MONOTONIC)
        return __real_clock_gettime(which, now);
    *now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

/* ---- requests */

static double below[KEYS]; /* the share of all requests that keys up to this one have */

static void draw_popularity(const struct cluster *c)
{
    double sum = 0;

    for (unsigned i = 0; i < KEYS; i++)
        below[i] = sum += pow(i + 1, -c->exponent);
    for (unsigned i = 0; i < KEYS; i++)
        below[i] /= sum;
}

static unsigned draw_key(void)
{
    double at = random_below(&seed, 1u << 30) / (double)(1u << 30);
    unsigned low = 0, high = KEYS - 1;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (below[middle] < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- an exact model: a value takes the place of the least used one, which it finds at once */

struct model {
    bool counts_sets;
    unsigned room, held, hits;
    uint64_t uses, turn;
    struct { uint32_t uses; uint64_t last; bool there; } key[KEYS];
};

static struct model models[2];

static void model_evict(struct model *m)
{
    unsigned least = KEYS;

    for (unsigned i = 0; i < KEYS; i++)
        if (m->key[i].there &&
            (least == KEYS || m->key[i].uses < m->key[least].uses ||
             (m->key[i].uses == m->key[least].uses && m->key[i].last < m->key[least].last)))
            least = i;
    m->key[least].there = false;
    m->held--;
}

static void model_use(struct model *m, unsigned key)
{
    m->key[key].uses++;
    m->key[key].last = ++m->turn;
    if (++m->uses < AGEING * (uint64_t)(m->held + 1))
        return;
    m->uses = 0;
    for (unsigned i = 0; i < KEYS; i++)
        m->key[i].uses /= 2;
}

static void model_set(struct model *m, unsigned key)
{
    if (!m->key[key].there) {
        if (m->held == m->room)
            model_evict(m);
        m->key[key].there = true;
        m->key[key].uses = 0;
        m->held++;
    }
    m->key[key].last = ++m->turn;
    if (m->counts_sets)
        model_use(m, key);
}

static void model_request(struct model *m, unsigned key, bool sets)
{
    bool hit = m->key[key].there;

    if (!sets) {
        m->hits += hit;
        if (hit)
            model_use(m, key);
    }
    if (sets || !hit)
        model_set(m, key);
}

/* ---- the cache */

static struct tern_cache *cache;
static struct tern_cache_config shape;

/* Slabs that a value of the cluster takes: of a whole record each, and one for the rest. */
static unsigned shape_for(const struct cluster *c)
{
    unsigned head = 32 + 1 + c->key_bytes + 32, part = RECORD - 32 - 16 - 32;
    unsigned whole, rest;

    if (head + c->value_bytes <= RECORD) {
        whole = 0;
        rest = head + c->value_bytes;
    } else {
        whole = (c->value_bytes + part - 1) / part;
        rest = head;
    }
    rest = (rest + 31) / 32 * 32;
    shape = (struct tern_cache_config){.bytes = c->bytes, .lease_ms = LEASE / 2,
                                        .free_percent = FREE};
    if (whole == 0) {
        shape.sizes = 1;
        shape.size[0].slab_bytes = rest;
        shape.size[0].share = 1;
    } else {
        shape.sizes = 2;
        shape.size[0].slab_bytes = rest;
        shape.size[0].share = rest;
        shape.size[1].slab_bytes = RECORD;
        shape.size[1].share = whole * RECORD;
    }
    return whole + 1;
}

static void fill_key(const struct cluster *c, unsigned key, char *text)
{
    char name[16];

    memset(text, 'k', c->key_bytes);
    memcpy(text, name, (size_t)snprintf(name, sizeof(name), "%u.", key));
}

/* Returns whether it was a hit; `*wrong` counts values of other keys, `*failed` sets. */
static bool cache_request(const struct cluster *c, unsigned key, bool sets, unsigned *wrong,
                          unsigned *failed)
{
    static uint8_t value[VALUE_MAX];
    char text[64];
    struct tern_item item = {.value = value, .room = sizeof(value)};
    bool hit = false;

    fill_key(c, key, text);
    if (!sets) {
        hit = tern_cache_get(cache, text, c->key_bytes, &item) == 0;
        *wrong += hit && (item.bytes != c->value_bytes || !rig_holds(value, item.bytes, key));
    }
    if (sets || !hit) {
        rig_fill(value, c->value_bytes, key);
        item = (struct tern_item){.value = value, .bytes = c->value_bytes};
        *failed += tern_cache_set(cache, text, c->key_bytes, &item, TERN_ALWAYS) != 0;
    }
    (void)tern_cache_renew(cache);
    return hit;
}

/* `sample` 0: the client tells what it uses; else the server's NIC samples it. */
static void run(const struct cluster *c, unsigned number, unsigned sample)
{
    const char *by = sample ? ", sampled" : "";
    struct tern_member *member;
    struct tern_cache_served served;
    unsigned slabs, hits = 0, gets = 0, wrong = 0, failed = 0, over = 0, best;
    char name[16];

    snprintf(name, sizeof(name), "cache-%u", number);
    slabs = shape_for(c);
    shape.sample = sample;
    draw_popularity(c);
    rig_need(tern_cache_make(yard.pool, name, &shape), "tern_cache_make");
    member = yard_member(0, YARD_SERVER);
    rig_need(tern_cache_open(&member, 1, name, NULL, &cache), "tern_cache_open");
    for (unsigned i = 0; i < LEASE; i++) {
        yard_run(CYCLES);
        (void)tern_cache_renew(cache);
    }
    rig_need(tern_cache_served(yard.pool, name, &served), "tern_cache_served");
    memset(models, 0, sizeof(models));
    models[0].room = models[1].room = (unsigned)served.slabs / slabs;
    models[1].counts_sets = true;
    for (unsigned i = 0; i < requests; i++) {
        unsigned key = draw_key();
        bool sets = random_below(&seed, 100) < c->sets;

        gets += !sets;
        hits += cache_request(c, key, sets, &wrong, &failed);
        for (unsigned m = 0; m < 2; m++)
            model_request(&models[m], key, sets);
        if (i % 64 == 0) {
            rig_need(tern_cache_served(yard.pool, name, &served), "tern_cache_served");
            over += served.bytes != c->bytes || served.item_bytes > c->bytes;
        }
    }
    best = models[0].hits > models[1].hits ? models[0].hits : models[1].hits;
    rig_need(tern_cache_served(yard.pool, name, &served), "tern_cache_served");
    tap(100 * best <= 100 * hits + POINTS * gets,
        "%s%s: the hit ratio is within %u points of the better of two exact models", c->name, by,
        (unsigned)POINTS);
    tap_evidence("C17", "hits=%.1f best=%.1f evicted=%llu", 100.0 * hits / gets,
                 100.0 * best / gets, (unsigned long long)served.evicted);
    tap(wrong == 0 && failed == 0 && over == 0 && served.evicted > 0,
        "%s%s: each set finds room, within the bytes, and each value is its key's", c->name, by);
    tap_evidence("C17", "failed=%u over=%u wrong=%u", failed, over, wrong);
    tap_note("%s%s: gets=%u values=%u models=%.2f %.2f items=%llu free=%llu slabs=%llu ms=%llu "
             "uses=%llu samples=%llu hits=%u freed=%llu sweeps=%llu",
             c->name, by, gets, models[0].room, 100.0 * models[0].hits / gets,
             100.0 * models[1].hits / gets, (unsigned long long)served.items,
             (unsigned long long)served.free, (unsigned long long)served.slabs,
             (unsigned long long)(yard.steps / STEPS), (unsigned long long)served.uses,
             (unsigned long long)served.samples, hits,
             (unsigned long long)served.freed, (unsigned long long)served.sweeps);
    tern_cache_close(cache);
    tern_member_quit(member);
    yard_run(CYCLES);
}

int main(int argc, char **argv)
{
    const struct number numbers[] = {{"requests", 'r', "of each cluster", &requests},
                                     {"sample", 'n', "gets for each sample of the NIC", &sampled},
                                     {NULL, 0, NULL, NULL}};

    numbers_parse(argc, argv, "Compares eviction with exact models.", numbers, &seed);
    yard.lease_ms = LEASE;
    yard.pause = PAUSE;
    yard.room = 2 * CLUSTERS * (BYTES + 4096);
    yard_open(1);
    for (unsigned i = 0; i < CLUSTERS; i++) {
        uint64_t same = seed;

        run(&clusters[i], 2 * i, 0);
        seed = same;
        run(&clusters[i], 2 * i + 1, sampled);
    }
    yard_close();
    return tap_end();
}
