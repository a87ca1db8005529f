/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table that its owner changes while others look keys up in it, between hosts in processes of
 * their own; a tree and a list there; then the owner is killed while lookups are in flight.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>
#include <tern/table.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    OWNER = 2, /* node */
    NODE = TERN_NODE_BYTES,
    KEYS = 40, /* keys that always exist */
    COMING = 10, /* keys that come and go */
    BUCKETS_LOG2 = 2,
    TABLE_BYTES = 16 << 20,
    TREE = 3, /* nodes, after the table */
    ROOM = 256,
    WINDOW_LOG2 = 4, WINDOW = 1 << WINDOW_LOG2,
    CHANGES = 60, /* per command */
    VALUE = 150,
    WAIT_MS = 60000 /* a net */
};

static unsigned rounds(void)
{
    return rig_tier_is_soft() ? 400 : 25;
}

/* Makes "key-3 version 17" followed by the same text repeatedly, longer for each version. */
static size_t name_value(char text[VALUE], unsigned key, unsigned version)
{
    int bytes = snprintf(text, VALUE, "key-%u version %u", key, version);

    memset(text + bytes, 'a' + (int)((key + version) % 26), version % 100);
    return (size_t)bytes + version % 100;
}

static size_t name_key(char text[16], unsigned key)
{
    return (size_t)snprintf(text, 16, "key-%u", key);
}

/* ---- the owner of the table ---- */

static void set(struct tern_table *table, unsigned key, unsigned version)
{
    char name[16], value[VALUE];
    size_t bytes = name_value(value, key, version);

    gives(tern_table_set(table, name, name_key(name, key), value, bytes), 0, "tern_table_set");
}

/* Removes or sets a key that comes and goes. */
static void change(struct tern_table *table, uint64_t *random, unsigned version)
{
    static bool gone[COMING];
    unsigned key = random_below(random, KEYS + COMING);
    char name[16];

    if (key >= KEYS && !gone[key - KEYS])
        gives(tern_table_remove(table, name, name_key(name, key)), 0, "tern_table_remove");
    else
        set(table, key, version);
    if (key >= KEYS)
        gone[key - KEYS] = !gone[key - KEYS];
}

/* Builds a tree of keys 10, 20, 30 with 20 at the root. */
static void plant(uint8_t *memory)
{
    for (unsigned i = 0; i < TREE; i++)
        tern_linked_init(memory + (size_t)i * NODE, i == 0 ? 20 : i == 1 ? 10 : 30, 1);
    tern_linked_set_generation(memory + NODE, 2);
    tern_linked_set_less(memory, tern_link((uintptr_t)memory + NODE, 2));
    tern_linked_set_more(memory, tern_link((uintptr_t)memory + 2 * NODE, 1));
}

struct offer {
    struct tern_table_pointer table;
    struct tern_rptr tree;
};

/* Sends the address of the table; changes it at each command 'c'; quits at any other. */
static void owning(const void *arg, int in, int out)
{
    struct tern_device *device = rig_open(arg, OWNER);
    uint8_t *memory = aligned_alloc(4096, TABLE_BYTES + 4096);
    struct offer offer = {.table.log2_buckets = BUCKETS_LOG2};
    struct tern_region *region;
    struct tern_table table;
    uint64_t random = 7;
    unsigned version = 1;
    char word;

    gives(memory ? 0 : -TERN_ST_NO_MEMORY, 0, "memory");
    gives(tern_table_init(&table, memory, TABLE_BYTES, BUCKETS_LOG2, ROOM), 0, "tern_table_init");
    for (unsigned key = 0; key < KEYS + COMING; key++)
        set(&table, key, 0);
    plant(memory + TABLE_BYTES);
    gives(tern_register(device, memory, TABLE_BYTES + 4096, TERN_RIGHT_REMOTE_READ, &region), 0,
          "tern_register");
    offer.table.start = tern_region_pointer(region, 0);
    offer.tree = tern_region_pointer(region, TABLE_BYTES);
    if (!give(out, &offer, sizeof(offer)))
        return;
    while (get(in, &word, 1) && word == 'c')
        for (unsigned i = 0; i < CHANGES; i++)
            change(&table, &random, version++);
    tern_close(device);
    free(memory);
}

static struct child owner;
static struct offer there;

static bool owner_start(const struct rig *rig)
{
    owner = child_start(owning, rig);
    return get(owner.from, &there, sizeof(there));
}

/* ---- the clients ---- */

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t memory[WINDOW][ROOM];
    struct tern_table_seen seen[KEYS + COMING];
    unsigned version[KEYS + COMING]; /* the latest that was found */
    unsigned found, stale, missing, wrong;
} here;

static void open_here(const struct rig *rig)
{
    here.device = rig_open(rig, 0);
    gives(tern_register(here.device, here.memory, sizeof(here.memory), TERN_RIGHT_REMOTE_WRITE,
                        &here.region), 0,
          "tern_register");
    gives(tern_cq_create(here.device, 6, 0, &here.cq), 0, "tern_cq_create");
    gives(tern_sq_create(here.cq, WINDOW_LOG2, &here.sq), 0, "tern_sq_create");
}

static int look_up(unsigned slot, unsigned key)
{
    char name[16];
    size_t bytes = name_key(name, key);
    const struct tern_table_lookup lookup = {
        .table = there.table,
        .hash = tern_table_hash(name, bytes),
        .seen = here.seen[key],
        .region = here.region,
        .to = here.memory[slot],
        .room = ROOM,
    };

    return tern_table_lookup(here.sq, &lookup, TERN_DFLAG_SIGNAL, (uint64_t)key << 8 | slot);
}

/* Checks that a record is complete, has the key, and is not older than an earlier one. */
static bool is_good(unsigned slot, unsigned key)
{
    char name[16], value[VALUE], head[VALUE] = "";
    size_t bytes = name_key(name, key);
    struct tern_table_record record;
    unsigned version = 0;

    if (tern_table_record_read(here.memory[slot], ROOM, name, bytes, &record) != 0 ||
        !record.whole || record.value_bytes >= VALUE)
        return false;
    memcpy(head, record.value, record.value_bytes);
    sscanf(head, "key-%*u version %u", &version);
    here.seen[key] = record.at;
    if (name_value(value, key, version) != record.value_bytes ||
        memcmp(value, head, record.value_bytes) != 0 ||
        version < here.version[key])
        return false;
    here.version[key] = version;
    return true;
}

/* Forgets the place of a record that no longer exists; keys that come and go may be missing. */
static void take(const struct tern_completion *done)
{
    unsigned key = (unsigned)(done->context >> 8), slot = done->context & 0xff;

    if (done->status == TERN_ST_STALE_POINTER) {
        here.seen[key] = (struct tern_table_seen){0};
        here.stale++;
    } else if (done->status == TERN_ST_NOT_FOUND && key >= KEYS) {
        here.seen[key] = (struct tern_table_seen){0};
        here.missing++;
    } else if (done->status == TERN_ST_OK && is_good(slot, key)) {
        here.found++;
    } else {
        tap_note("key-%u: %s", key, tern_strerror((int)done->status));
        here.wrong++;
    }
}

/* Looks up a window of different keys while the owner changes some. */
static void look_while_it_changes(void)
{
    bool good = true;

    for (unsigned round = 0; good && round < rounds(); round++) {
        good = give_word(&owner, 'c');
        for (unsigned slot = 0; slot < WINDOW; slot++)
            gives(look_up(slot, (round * WINDOW + slot) % (KEYS + COMING)), 0, "tern_table_lookup");
        for (unsigned slot = 0; slot < WINDOW; slot++) {
            struct tern_completion done = next_completion(here.cq, WAIT_MS);

            take(&done);
        }
    }
    tap(good && here.wrong == 0 && here.found > 0,
        "what is found while its owner changes it is whole, of the key, and never older than "
        "before");
    tap(here.stale > 0, "places where records were are told from those where they are");
    tap_note("found=%u stale=%u missing=%u wrong=%u", here.found, here.stale, here.missing,
             here.wrong);
}

/* Looks up each key after all changes have ended: every lookup must find its record. */
static void look_afterwards(void)
{
    unsigned before = here.found;

    for (unsigned key = 0; key < KEYS; key++) {
        struct tern_completion done;

        here.seen[key] = (struct tern_table_seen){0};
        for (unsigned tries = 0; tries < 3 && here.seen[key].place == 0; tries++) {
            gives(look_up(0, key), 0, "tern_table_lookup");
            done = next_completion(here.cq, WAIT_MS);
            take(&done);
        }
    }
    tap(here.found - before == KEYS && here.wrong == 0, "afterwards each key is found");
}

/* Finds a key by remote reads, as a client without lookups would: the bucket, then each record. */
static void look_by_reads(void)
{
    char name[16];
    size_t bytes = name_key(name, 3);
    struct tern_rptr at = tern_table_bucket(&there.table, tern_table_hash(name, bytes));
    unsigned reads = 0;
    uint64_t link;

    do {
        gives(tern_read(here.sq, at, here.region, here.memory[0], ROOM, TERN_DFLAG_SIGNAL, 0), 0,
              "tern_read");
        gives(next_completion(here.cq, WAIT_MS).status, TERN_ST_OK, "tern_read");
        link = tern_linked_less(here.memory[0]);
        at = tern_link_follow(at, link);
    } while (reads++ == 0 || (link != 0 && !is_good(0, 3)));
    tap(here.seen[3].generation != 0 && is_good(0, 3),
        "reads of the bucket and of its records find the same (%u reads)", reads);
}

static enum tern_status climb(uint64_t key)
{
    const struct tern_chase chase = {.key = key, .nodes = TREE, .generation = 1, .tree = true};

    gives(tern_chase(here.sq, there.tree, &chase, here.region, here.memory[0], NODE,
                     TERN_DFLAG_SIGNAL, 0), 0, "tern_chase");
    return next_completion(here.cq, WAIT_MS).status;
}

static void look_in_a_tree(void)
{
    bool good = climb(20) == TERN_ST_OK &&
        tern_link_addr(tern_linked_less(here.memory[0])) % NODE == 0 &&
                tern_link_generation(tern_linked_less(here.memory[0])) == 2;

    good = climb(10) == TERN_ST_OK && tern_linked_less(here.memory[0]) == 0 && good;
    good = climb(30) == TERN_ST_OK && good;
    tap(good && climb(25) == TERN_ST_NOT_FOUND && climb(5) == TERN_ST_NOT_FOUND,
        "a tree of another process is climbed");
}

/* ---- the owner is killed ---- */

static void owner_killed(void)
{
    struct tern_completion done;
    unsigned good = 0;

    memset(here.seen, 0, sizeof(here.seen));
    for (unsigned slot = 0; slot < WINDOW; slot++)
        gives(look_up(slot, slot), 0, "tern_table_lookup");
    child_kill(&owner);
    for (unsigned slot = 0; slot < WINDOW; slot++)
        good += next_completion(here.cq, WAIT_MS).status == TERN_ST_OK;
    tap(true, "lookups end when the host that has the table is killed");
    tap_note("lookups=%u good=%u", WINDOW, good);
    gives(look_up(0, 0), 0, "tern_table_lookup");
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status != TERN_ST_OK && done.node == tern_node(OWNER, 0, 0) && done.length == 0,
        "in memory of a host that was killed nothing is looked up, and the error names its node");
    tap_note("it ends with %s", tern_strerror((int)done.status));
}

int main(void)
{
    struct rig rig;
    bool good;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    good = owner_start(&rig);
    open_here(&rig);
    if (good) {
        look_while_it_changes();
        look_afterwards();
        look_by_reads();
        look_in_a_tree();
        owner_killed();
    }
    good = owner_start(&rig) && good;
    memset(&here.seen, 0, sizeof(here.seen));
    memset(&here.version, 0, sizeof(here.version));
    if (good)
        look_afterwards();
    good = give_word(&owner, 'q') && good;
    tap(child_end(&owner) && good, "another owner ends well");
    tern_close(here.device);
    rig_stop(&rig);
    return tap_end();
}
