/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How many operations of a NIC an allocation takes: alone, and beside others in lock step, where
 * all members try the same words before any of them hears.
 */
#include <string.h>

#include "heap_yard.h"

enum { BLOCKS = 24, SIZE = 200, ROUND = 6000 /* cycles in which all that was posted ends */ };

static unsigned members(void)
{
    return rig_tier_is_soft() ? YARD_MEMBERS : 8;
}

static struct tern_heap_counts sum(void)
{
    struct tern_heap_counts all = {0}, one;

    for (unsigned i = 0; i < yard.count; i++) {
        tern_heap_counts(yard.heap[i], &one);
        all.header_swaps += one.header_swaps;
        all.map_swaps += one.map_swaps;
        all.takes += one.takes;
        all.retries += one.retries;
        all.failed += one.failed;
        all.asked += one.asked;
    }
    return all;
}

/* ---- lock step */

static struct tern_ptr got[YARD_MEMBERS];

/* One allocation of each member; all of them take a step before time passes. */
static void allocate_in_lock_step(void)
{
    unsigned ended = 0;

    for (unsigned i = 0; i < yard.count; i++)
        rig_need(tern_alloc_post(yard.heap[i], TERN_ALLOC_ANY, SIZE, i), "tern_alloc_post");
    while (ended < yard.count) {
        yard_run(ROUND);
        for (unsigned i = 0; i < yard.count; i++) {
            struct tern_heap_done done;

            if (tern_heap_poll(yard.heap[i], &done, 1) != 1)
                continue;
            rig_need(done.status, "an allocation");
            got[done.context] = done.at;
            ended++;
        }
    }
}

static unsigned alike(void)
{
    unsigned count = 0;

    for (unsigned i = 0; i < yard.count; i++)
        for (unsigned j = 0; j < i; j++)
            count += got[i].offset == got[j].offset;
    return count;
}

static void give_all_back(void)
{
    for (unsigned i = 0; i < yard.count; i++)
        rig_need(tern_free(yard.heap[i], got[i]), "tern_free");
}

/* Each member has met a block; then all allocate at once. */
static struct tern_heap_counts contend(unsigned n, enum tern_alloc_path path)
{
    const struct tern_heap_config config = {.path = path, .tries = 100000};
    struct tern_heap_counts before, after;

    yard_join(n, &config);
    for (unsigned i = 0; i < n; i++) {
        rig_need(tern_alloc(yard.heap[i], SIZE, &got[i]), "tern_alloc");
        rig_need(tern_free(yard.heap[i], got[i]), "tern_free");
    }
    yard_run(ROUND);
    before = sum();
    allocate_in_lock_step();
    after = sum();
    after.header_swaps -= before.header_swaps;
    after.map_swaps -= before.map_swaps;
    after.takes -= before.takes;
    after.retries -= before.retries;
    after.asked -= before.asked;
    return after;
}

static void literal_law(void)
{
    unsigned wrong = 0, doubles = 0;

    for (unsigned n = 2; n <= members(); n *= 2) {
        struct tern_heap_counts c = contend(n, TERN_ALLOC_LITERAL);
        double each = (double)c.header_swaps / n, law = (n + 1) / 2.0;

        tap_note("literal: members=%u header_swaps=%.2f law=%.2f map_swaps=%.2f", n, each, law,
                 (double)c.map_swaps / n);
        wrong += each < 0.85 * law || each > 1.15 * law;
        doubles += alike();
        give_all_back();
        yard_quit();
    }
    tap(wrong == 0, "literal: n members in lock step take (n + 1) / 2 swaps of the header each");
    tap(doubles == 0, "literal: and each gets another slab");
    tap_evidence("M12", "wrong=%u members=%u", wrong, members());
}

static void fast_law(void)
{
    unsigned wrong = 0, doubles = 0;

    for (unsigned n = 2; n <= members(); n *= 2) {
        struct tern_heap_counts c = contend(n, TERN_ALLOC_FAST);

        tap_note("fast: members=%u takes=%llu retries=%llu", n, (unsigned long long)c.takes,
                 (unsigned long long)c.retries);
        wrong += c.takes != n || c.retries || c.asked;
        doubles += alike();
        give_all_back();
        yard_quit();
    }
    tap(wrong == 0, "fast: n members in lock step take one operation each, and none retries");
    tap(doubles == 0, "fast: and each gets another slab");
    tap_evidence("M15", "wrong=%u members=%u", wrong, members());
}

/* ---- round trips, as the NICs count them */

struct traffic {
    uint64_t sent, owner_messages;
    struct tern_heap_counts counts;
};

static uint64_t stat_of(struct tern_device *device, enum tern_stat which)
{
    uint64_t values[TERN_STAT_COUNT];

    rig_need(tern_stats(device, values), "tern_stats");
    return values[which];
}

/* Member 0 is on another node than the memory. */
static struct traffic traffic(void)
{
    struct traffic t = {.sent = stat_of(yard.device[0], TERN_STAT_tx_packets),
                        .owner_messages = yard.owner_messages};

    tern_heap_counts(yard.heap[0], &t.counts);
    return t;
}

/* The traffic of one call, until the last packet of it has arrived. */
static struct traffic traffic_since(const struct traffic *before)
{
    struct traffic t;

    yard_run(ROUND);
    t = traffic();
    t.sent -= before->sent;
    t.owner_messages -= before->owner_messages;
    return t;
}

/* `packets` of requests leave the member's NIC; the owner's host does nothing. */
static void exact(enum tern_alloc_path path, const char *name, unsigned count, unsigned packets,
                  unsigned back)
{
    const struct tern_heap_config config = {.path = path};
    struct traffic before, taken, given;
    struct tern_ptr at[32];
    uint64_t owner;

    yard_join(1, &config);
    rig_need(tern_alloc(yard.heap[0], SIZE, &at[0]), "tern_alloc");
    rig_need(tern_free(yard.heap[0], at[0]), "tern_free");
    yard_run(ROUND);
    before = traffic();
    if (count == 1)
        rig_need(tern_alloc(yard.heap[0], SIZE, at), "tern_alloc");
    else
        rig_need(tern_alloc_many(yard.heap[0], TERN_ALLOC_ANY, SIZE, at, count),
                 "tern_alloc_many");
    taken = traffic_since(&before);
    before = traffic();
    rig_need(tern_free(yard.heap[0], at[0]), "tern_free");
    given = traffic_since(&before);
    owner = taken.owner_messages + given.owner_messages;
    tap(taken.sent == packets, "%s: %u slabs take %u packets of the member's NIC", name, count,
        packets);
    tap(given.sent == back, "%s: giving one back takes %u", name, back);
    tap(owner == 0 && yard.owner_messages > 0,
        "%s: the host of the memory sends its NIC nothing meanwhile", name);
    tap_evidence("M9", "owner_calls=%llu taken_packets=%llu given_packets=%llu",
                 (unsigned long long)owner, (unsigned long long)taken.sent,
                 (unsigned long long)given.sent);
    tap_note("%s: taken=%llu given=%llu", name, (unsigned long long)taken.sent,
             (unsigned long long)given.sent);
    for (unsigned i = 1; i < count; i++)
        rig_need(tern_free(yard.heap[0], at[i]), "tern_free");
    yard_quit();
}

/*
 * With so few tries most members ask the server, which names the same block, and some find no slab
 * in the end; none of them goes on for longer than the limits say.
 */
static void limits(void)
{
    const struct tern_heap_config config = {.path = TERN_ALLOC_LITERAL, .tries = 1};
    uint64_t most = 0, limit;
    unsigned good = 0, full = 0;

    yard_join(members(), &config);
    for (unsigned i = 0; i < yard.count; i++)
        rig_need(tern_alloc_post(yard.heap[i], TERN_ALLOC_ANY, SIZE, i), "tern_alloc_post");
    while (good + full < yard.count) {
        yard_run(ROUND);
        for (unsigned i = 0; i < yard.count; i++) {
            struct tern_heap_done done;

            if (tern_heap_poll(yard.heap[i], &done, 1) != 1)
                continue;
            good += done.status == 0;
            full += done.status != 0;
            if (done.status == 0)
                rig_need(tern_free(yard.heap[i], done.at), "tern_free");
        }
    }
    limit = 3 * (1 + 4 * (uint64_t)tern_heap_limits(yard.heap[0]).tries);
    for (unsigned i = 0; i < yard.count; i++) {
        struct tern_heap_counts n;

        tern_heap_counts(yard.heap[i], &n);
        if (n.header_swaps + n.map_swaps > most)
            most = n.header_swaps + n.map_swaps;
    }
    tap(most <= limit && good > 0, "literal: a member tries no more often than its limits say");
    tap_evidence("M12", "most=%llu limit=%llu", (unsigned long long)most,
                 (unsigned long long)limit);
    tap_note("limits: good=%u full=%u", good, full);
    yard_quit();
}

/* Allocates several slabs at once from a word whose first slabs are in use. */
static void scattered(void)
{
    enum { LARGE = 3000, MANY = 3 }; /* of one word */
    struct tern_heap_counts before, after;
    struct tern_ptr first, many[MANY];
    int status;

    yard_join(1, &(struct tern_heap_config){.path = TERN_ALLOC_FAST});
    rig_need(tern_alloc(yard.heap[0], LARGE, &first), "tern_alloc");
    before = sum();
    status = tern_alloc_many(yard.heap[0], TERN_ALLOC_ANY, LARGE, many, MANY);
    after = sum();
    tap(status == 0 && after.asked == before.asked && after.retries - before.retries <= 1,
        "fast: several slabs at once are any that are free");
    if (status == 0)
        rig_need(tern_free_many(yard.heap[0], many, MANY, NULL), "tern_free_many");
    rig_need(tern_free(yard.heap[0], first), "tern_free");
    yard_quit();
}

/* Allocates a word of slabs, one after the other, when the stock is empty. */
static void stocked(void)
{
    enum { WORD = 32 };
    const struct tern_heap_config config = {.path = TERN_ALLOC_FAST, .stock = WORD};
    struct traffic before, taken;
    struct tern_ptr at[2 * WORD];
    uint64_t exchanges;

    yard_join(1, &config);
    for (unsigned i = 0; i < WORD; i++)
        rig_need(tern_alloc(yard.heap[0], SIZE, &at[i]), "tern_alloc");
    yard_run(ROUND);
    before = traffic();
    for (unsigned i = WORD; i < 2 * WORD; i++)
        rig_need(tern_alloc(yard.heap[0], SIZE, &at[i]), "tern_alloc");
    taken = traffic_since(&before);
    exchanges = (taken.counts.word_takes - before.counts.word_takes) -
                (taken.counts.retries - before.counts.retries);
    /* the word before it is full: one TAKE in vain, and a READ of the map */
    tap(exchanges == 1 && taken.sent == 4,
        "fast: a client with a stock takes %u slabs by one exchange", WORD);
    tap_evidence("M15", "exchanges=%llu packets=%llu", (unsigned long long)exchanges,
                 (unsigned long long)taken.sent);
    tap_note("stock: exchanges=%llu packets=%llu", (unsigned long long)exchanges,
             (unsigned long long)taken.sent);
    for (unsigned i = 0; i < 2 * WORD; i++)
        rig_need(tern_free(yard.heap[0], at[i]), "tern_free");
    yard_quit();
}

int main(void)
{
    uint64_t bytes;

    yard_open(BLOCKS);
    exact(TERN_ALLOC_FAST, "fast", 1, 2, 2);
    exact(TERN_ALLOC_FAST, "fast", 32, 2, 2);
    exact(TERN_ALLOC_LITERAL, "literal", 1, 5, 4);
    scattered();
    stocked();
    fast_law();
    literal_law();
    limits();
    tap(yard_taken(&bytes) == 0, "all slabs are free in the end");
    yard_close();
    return tap_end();
}
