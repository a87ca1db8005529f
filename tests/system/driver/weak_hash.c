/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table whose hash is weak: many keys have the same hash, and all are in a few buckets.  A client
 * sets, removes and looks up keys of another node's table at random, with and without expectations,
 * and compares each answer with a table of its own.  Sweeps run beside.
 *
 * usage: driver_weak_hash [--operations N] [--seed S]
 */
#include <stdio.h>
#include <string.h>

#include <tern/table_shared.h>

#include "chaos.h"
#include "numbers.h"
#include "paces.h"
#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    CLIENT = 0, OWNER = 1,
    HASH_BITS = 3, BUCKETS_LOG2 = 1,
    KEYS = 40, KEY = 12,          /* bytes of a key */
    SMALL = 96, LARGE = 192, VALUE = 120, /* the largest value */
    BYTES = 1 << 15, SLABS_MAX = BYTES / SMALL,
    SWEEP = 48,                   /* operations between two sweeps */
    SWEEPS = 4,                   /* of a full table, until a slab is free */
    WAIT_MS = 600000,             /* a net */
};

static unsigned operations;
static uint64_t seed = 1;

static const struct tern_table_shape shape = {
    .log2_buckets = BUCKETS_LOG2, .sizes = 2, .size = {{SMALL, 1}, {LARGE, 2}}, .life = 1,
    .holder = {1, 1}, .secret = {.key = {5, 6}, .bits = HASH_BITS},
};
static const struct tern_table_seen nothing = {0};

/* ---- the node that has the table */

static struct paces paces = {.member = {{{2, 1}, 0}}};

static struct {
    struct tern_device *device;
    struct tern_allocator allocator;
    struct tern_table_shared table;
    struct tern_grace grace;
    uint64_t seen[2 * SLABS_MAX];
} owner;

static uint8_t memory[BYTES] __attribute__((aligned(64)));

static void owner_open(void)
{
    struct tern_region *region;

    owner.device = rig_sim_open(OWNER);
    rig_need(tern_table_shared_init(&owner.table, memory, BYTES, &shape), "table");
    rig_need(tern_register(owner.device, memory, BYTES,
                           TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
                               TERN_RIGHT_REMOTE_ATOMIC,
                           &region),
             "tern_register");
    tern_table_shared_at(&owner.table, tern_region_pointer(region, 0));
    owner.allocator = (struct tern_allocator){.holder = shape.holder, .timeout_ms = WAIT_MS};
    rig_need(tern_cq_create(owner.device, 5, 0, &owner.allocator.cq), "tern_cq_create");
    rig_need(tern_sq_create(owner.allocator.cq, 4, &owner.allocator.sq), "tern_sq_create");
    owner.grace = paces_grace(&paces);
}

/* The client has no operation under way, so a period ends. */
static void sweep(void)
{
    paces_go_on(&paces, PACES, PACE_PERIOD);
    rig_allow_time();
    rig_need(tern_table_shared_sweep(&owner.allocator, &owner.table, memory, &owner.grace,
                                     owner.seen),
             "tern_table_shared_sweep");
}

/* ---- the client */

static struct {
    struct tern_device *device;
    struct tern_table_writer writer;
    uint64_t scratch[(TERN_NODE_BYTES + 2 * LARGE) / 8], found[LARGE / 8];
    struct tern_region *found_region;
} client;

static void client_open(void)
{
    struct tern_table_writer *w = &client.writer;
    struct tern_region *region;

    client.device = rig_sim_open(CLIENT);
    rig_need(tern_table_writer_bytes(&owner.table) <= sizeof(client.scratch)
                 ? 0 : -TERN_ST_BAD_SIZE, "scratch");
    rig_need(tern_register(client.device, client.scratch, sizeof(client.scratch),
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region),
             "tern_register");
    rig_need(tern_register(client.device, client.found, sizeof(client.found),
                           TERN_RIGHT_REMOTE_WRITE, &client.found_region),
             "tern_register");
    *w = (struct tern_table_writer){.table = owner.table, .region = region,
                                    .scratch = client.scratch, .holder = {2, 1},
                                    .timeout_ms = WAIT_MS};
    rig_need(tern_cq_create(client.device, 5, 0, &w->cq), "tern_cq_create");
    rig_need(tern_sq_create(w->cq, 4, &w->sq), "tern_sq_create");
}

/* ---- the table of the test's own */

static struct shadow {
    bool there;
    char value[VALUE];
    size_t bytes;
    struct tern_table_seen seen, old; /* of its record, and of one before it */
} shadow[KEYS];

static struct {
    uint64_t sets, removals, lookups, refused, wrong, full;
} counts;

static void name_key(unsigned number, char key[KEY + 1])
{
    snprintf(key, KEY + 1, "key-%08u", number);
}

static void check(bool good)
{
    counts.wrong += !good;
}

static int look_up(unsigned number)
{
    char key[KEY + 1];
    struct tern_table_find find = {
        .lookup = {.table = owner.table.pointer, .region = client.found_region,
                   .to = client.found, .room = sizeof(client.found)},
        .key = key, .key_bytes = KEY};
    struct shadow *s = &shadow[number];
    struct tern_completion done;

    name_key(number, key);
    find.lookup.hash = tern_table_shared_hash(&owner.table, key, KEY);
    rig_need(tern_table_find(client.writer.sq, &find, 1), "tern_table_find");
    done = rig_next(client.writer.cq);
    counts.lookups++;
    if (done.status != TERN_ST_OK)
        return -(int)done.status;
    check(find.record.whole && find.record.value_bytes == s->bytes &&
          memcmp(find.record.value, s->value, s->bytes) == 0);
    check(find.record.at.place == s->seen.place &&
          find.record.at.generation == s->seen.generation);
    return 0;
}

/* A change; when there is no slab, the owner sweeps. */
static int change(unsigned number, const char *value, size_t bytes,
                  const struct tern_table_seen *expected)
{
    char key[KEY + 1];
    int status = -TERN_ST_FULL;

    name_key(number, key);
    for (unsigned i = 0; status == -TERN_ST_FULL && i <= SWEEPS; i++) {
        if (i) {
            counts.full++;
            sweep();
        }
        rig_allow_time();
        status = value ? tern_table_shared_set_wait(&client.writer, key, KEY, value, bytes,
                                                    expected)
                       : tern_table_shared_remove_wait(&client.writer, key, KEY, expected);
    }
    return status;
}

/* ---- one operation after the other */

enum expectation { ANY, ABSENT, CURRENT, FORMER, EXPECTATIONS };

static const struct tern_table_seen *expected_of(struct shadow *s, enum expectation which)
{
    return which == ABSENT ? &nothing
           : which == CURRENT ? &s->seen
           : which == FORMER ? &s->old
                             : NULL;
}

static bool is_met(const struct shadow *s, enum expectation which)
{
    return which == ANY || (which == ABSENT && !s->there) || (which == CURRENT && s->there);
}

/* ABSENT is no expectation of a removal, and nobody expects a record that he has not seen. */
static enum expectation choose(const struct shadow *s, bool removes)
{
    enum expectation which = (enum expectation)random_below(&seed, EXPECTATIONS);

    if ((which == ABSENT && removes) || (which == CURRENT && !s->there) ||
        (which == FORMER && s->old.place == 0))
        return ANY;
    return which;
}

static void set(unsigned number)
{
    struct shadow *s = &shadow[number];
    enum expectation which = choose(s, false);
    char value[VALUE];
    size_t bytes = 1 + random_below(&seed, VALUE);
    int status;

    for (size_t i = 0; i < bytes; i++)
        value[i] = (char)random_below(&seed, 256);
    counts.sets++;
    status = change(number, value, bytes, expected_of(s, which));
    check(status == (is_met(s, which) ? 0 : -TERN_ST_UNLIKE));
    counts.refused += status != 0;
    if (status)
        return;
    if (s->there)
        s->old = s->seen;
    s->there = true;
    s->seen = client.writer.written;
    s->bytes = bytes;
    memcpy(s->value, value, bytes);
}

static void take_out(unsigned number)
{
    struct shadow *s = &shadow[number];
    enum expectation which = choose(s, true);
    int status = change(number, NULL, 0, expected_of(s, which));

    counts.removals++;
    if (!s->there)
        check(status == -TERN_ST_NOT_FOUND || (which == FORMER && status == -TERN_ST_UNLIKE));
    else
        check(status == (is_met(s, which) ? 0 : -TERN_ST_UNLIKE));
    counts.refused += status != 0;
    if (status)
        return;
    s->old = s->seen;
    s->there = false;
}

static void look_at(unsigned number)
{
    check(look_up(number) == (shadow[number].there ? 0 : -TERN_ST_NOT_FOUND));
}

static void operate(void)
{
    unsigned number = random_below(&seed, KEYS);

    switch (random_below(&seed, 4)) {
    case 0:
        take_out(number);
        break;
    case 1:
        look_at(number);
        break;
    default:
        set(number);
    }
}

/* How many keys have the hash of another one. */
static unsigned alike(void)
{
    uint64_t hash[KEYS];
    unsigned count = 0;

    for (unsigned i = 0; i < KEYS; i++) {
        char key[KEY + 1];
        bool again = false;

        name_key(i, key);
        hash[i] = tern_table_shared_hash(&owner.table, key, KEY);
        for (unsigned k = 0; k < i; k++)
            again |= hash[k] == hash[i];
        count += again;
    }
    return count;
}

static void run(void)
{
    unsigned same = alike();

    for (unsigned i = 0; i < operations; i++) {
        operate();
        if (i % SWEEP == SWEEP - 1)
            sweep();
    }
    for (unsigned i = 0; i < KEYS; i++)
        look_at(i);
    tap(same >= KEYS - (1 << HASH_BITS), "most keys have the hash of another one");
    tap(counts.sets + counts.removals + counts.lookups == operations + KEYS && counts.refused > 0,
        "keys are set, removed and looked up, and expectations are refused");
    tap(counts.wrong == 0, "each of them ends as a table of the test's own says");
    tap_note("operations=%u sets=%llu removals=%llu lookups=%llu refused=%llu full=%llu wrong=%llu "
             "alike=%u", operations, (unsigned long long)counts.sets,
             (unsigned long long)counts.removals, (unsigned long long)counts.lookups,
             (unsigned long long)counts.refused, (unsigned long long)counts.full,
             (unsigned long long)counts.wrong, same);
}

/* All keys go, one after the other, and the slabs come back. */
static void empty(void)
{
    uint32_t taken = 0;

    for (unsigned i = 0; i < KEYS; i++)
        check(change(i, NULL, 0, NULL) == (shadow[i].there ? 0 : -TERN_ST_NOT_FOUND));
    for (unsigned i = 0; i < 2 * SWEEPS; i++)
        sweep();
    for (unsigned size = 0; size <= owner.table.sizes; size++) {
        const struct tern_blocks *blocks = &owner.table.blocks[size];
        const uint32_t *map = (const uint32_t *)(const void *)(memory +
            (TERN_GET(RPTR, addr, blocks->start.w) -
             TERN_GET(RPTR, addr, owner.table.pointer.start.w)));
        uint32_t words = tern_blocks_words(blocks);

        taken -= words * TERN_BLOCK_SLABS - blocks->slabs;
        for (uint32_t i = 0; i < words; i++)
            taken += (uint32_t)__builtin_popcount(map[(size_t)i * 2]);
    }
    for (unsigned size = 0; size <= owner.table.sizes; size++)
        taken -= client.writer.stocked >> size & 1;
    tap(counts.wrong == 0 && taken == 0, "without its keys no slab of it is taken");
    tap_note("taken=%d", (int)taken);
}

int main(int argc, char **argv)
{
    const struct number numbers[] = {{"operations", 'o', "on keys of the table", &operations},
                                     {NULL, 0, NULL, NULL}};
    struct tern_sim_config config = tern_sim_config_default();

    operations = rig_tier_is_soft() ? 1500 : 100;
    numbers_parse(argc, argv, "Changes a table whose hash is weak.", numbers, &seed);
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.dims[0] = 2;
    rig_sim_start(&config);
    owner_open();
    client_open();
    run();
    empty();
    rig_sim_stop();
    return tap_end();
}
