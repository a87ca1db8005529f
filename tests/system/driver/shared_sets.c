/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table that the hosts of a ring of four change, each a process of its own: one by one, all at
 * once in one bucket, all at once at one key; then its owner sweeps.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/atomic.h>
#include <tern/table_shared.h>

#include "chaos.h"
#include "paces.h"
#include "rig_tier.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    READER = 1,
    CLIENTS = 4,
    FIRST_NAME = 100, /* first name of a holder */
    SMALL = 64,
    SLAB = 96,
    ROOM = SLAB,
    BUCKETS_LOG2 = 0, /* all keys are in one bucket */
    SLABS_MAX = 220, /* fewer than a lookup visits */
    BYTES = SLABS_MAX * (SLAB + 8),
    RESERVE = 3,
    LOOKS = 5, /* looks until all free slabs are found */
    KEY = 16, VALUE = 48,
    WAIT_MS = 60000 /* a net */
};

static struct tern_table_shared table; /* as received from its keeper */
static const struct tern_table_seen nothing = {0};

/* Changes of each client: keys of its own, or rounds at one key. */
static unsigned changes(void)
{
    return rig_tier_is_soft() ? 20 : 4;
}

/* Returns the bytes of the table's memory. */
static size_t bytes(void)
{
    return rig_tier_is_soft() ? BYTES : BYTES / 4;
}

/* ---- the host with the memory ---- */

static void open_queues(struct tern_device *device, struct tern_cq **cq, struct tern_sq **sq)
{
    gives(tern_cq_create(device, 5, 0, cq), 0, "tern_cq_create");
    gives(tern_sq_create(*cq, 4, sq), 0, "tern_sq_create");
}

static int taken_of(const uint8_t *memory)
{
    int count = 0;

    for (unsigned size = 0; size <= table.sizes; size++) {
        const struct tern_blocks *blocks = &table.blocks[size];
        const uint8_t *at = memory + (TERN_GET(RPTR, addr, blocks->start.w) -
                                      TERN_GET(RPTR, addr, table.pointer.start.w));
        const uint32_t *map = (const uint32_t *)(const void *)at;
        uint32_t words = tern_blocks_words(blocks);

        count -= (int)(words * TERN_BLOCK_SLABS - blocks->slabs);
        for (uint32_t i = 0; i < words; i++)
            count += __builtin_popcount(__atomic_load_n(&map[(size_t)i * 2], __ATOMIC_RELAXED));
    }
    return count;
}

static const struct tern_table_shape shape = {
    .log2_buckets = BUCKETS_LOG2, .sizes = 2, .size = {{SMALL, 1}, {SLAB, 2}}, .reserve = RESERVE,
    .life = 3, .holder = {1, 1}, .secret = {.key = {17, 4}, .bits = 2}, /* keys have three different
                                                                         * hashes */
};

/* Its list of members: the clients, of which the killed one leaves. */
static struct paces paces = {.member = {{{77, 1}, 0}, {{78, 1}, 0}, {{100, 1}, 0}, {{101, 1}, 0},
                                        {{102, 1}, 0}, {{103, 1}, 0}, {{104, 1}, 0}}};
enum { THERE = 1, VICTIM = 6 }; /* places */

/*
 * Commands: raise all numbers; sweep, after all members or all but `there` have raised their
 * numbers; remove the victim from the members; return how many slabs are taken; return how many
 * requests for a sweep came; quit.
 */
static int kept(struct tern_allocator *a, uint8_t *memory, char word)
{
    static uint64_t seen[2 * SLABS_MAX], asked;
    static struct tern_grace grace;
    uint64_t before = asked;

    if (!grace.marks)
        grace = paces_grace(&paces);
    switch (word) {
    case 'g':
        paces_go_on(&paces, PACES, PACE_PERIOD);
        return 0;
    case 's':
    case 'p':
        paces_go_on(&paces, word == 'p' ? THERE : PACES, PACE_PERIOD);
        return tern_table_shared_sweep(a, &table, memory, &grace, seen);
    case 'r':
        paces.member[VICTIM].holder.owner = 0;
        return 0;
    case 'a':
        asked = tern_table_shared_asked(&table, memory);
        return (int)(asked - before);
    default:
        return taken_of(memory);
    }
}

static void keeping(const void *arg, int in, int out)
{
    static uint8_t memory[BYTES] __attribute__((aligned(64)));
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_allocator a = {.holder = shape.holder};
    struct tern_region *region;
    char word;

    gives(tern_table_shared_init(&table, memory, bytes(), &shape), 0, "tern_table_shared_init");
    gives(tern_register(device, memory, bytes(),
                        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC,
                        &region),
          0, "tern_register");
    tern_table_shared_at(&table, tern_region_pointer(region, 0));
    open_queues(device, &a.cq, &a.sq);
    a.timeout_ms = WAIT_MS;
    if (!give(out, &table, sizeof(table)))
        return;
    while (get(in, &word, 1) && word != 'q') {
        int count = kept(&a, memory, word);

        (void)give(out, &count, sizeof(count));
    }
    tern_close(device);
}

static struct child keeper;

static int ask(char word)
{
    int count = -1;

    gives(give_word(&keeper, word) && get(keeper.from, &count, sizeof(count)), true, "the keeper");
    return count;
}

/* ---- a client ---- */

struct client {
    struct tern_device *device;
    struct tern_table_writer writer;
    uint64_t memory[(TERN_NODE_BYTES + 2 * SLAB) / 8], found[ROOM / 8];
    struct tern_region *found_region;
};

static void open_client(struct client *c, const struct rig *rig, unsigned node, uint16_t name)
{
    struct tern_table_writer *w = &c->writer;
    struct tern_region *region;

    *c = (struct client){.device = rig_open(rig, node)};
    gives(tern_table_writer_bytes(&table) == sizeof(c->memory), true, "tern_table_writer_bytes");
    gives(tern_register(c->device, c->memory, sizeof(c->memory),
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    gives(tern_register(c->device, c->found, sizeof(c->found), TERN_RIGHT_REMOTE_WRITE,
                        &c->found_region),
          0, "tern_register");
    *w = (struct tern_table_writer){.table = table, .region = region, .scratch = c->memory,
                                    .holder = {name, 1}, .timeout_ms = WAIT_MS};
    open_queues(c->device, &w->cq, &w->sq);
}

static int set_if(struct client *c, const char *key, const char *value,
                  const struct tern_table_seen *expected)
{
    return tern_table_shared_set_wait(&c->writer, key, strlen(key), value, strlen(value), expected);
}

static int set(struct client *c, const char *key, const char *value)
{
    return set_if(c, key, value, NULL);
}

static int take_out(struct client *c, const char *key, const struct tern_table_seen *expected)
{
    return tern_table_shared_remove_wait(&c->writer, key, strlen(key), expected);
}

static struct tern_table_find find_of(struct client *c, const char *key)
{
    return (struct tern_table_find){
        .lookup = {
            .table = table.pointer,
            .hash = tern_table_shared_hash(&table, key, strlen(key)),
            .region = c->found_region,
            .to = c->found,
            .room = ROOM,
        },
        .key = key, .key_bytes = strlen(key),
    };
}

static int value_of(const struct tern_table_record *record, char value[VALUE],
    struct tern_table_seen *at)
{
    gives(record->whole && record->value_bytes < VALUE, true, "a whole record");
    memset(value, 0, VALUE);
    memcpy(value, record->value, record->value_bytes);
    *at = record->at;
    return 0;
}

/* Looks at the remembered place alone. */
static int look_up_at(struct client *c, const char *key, char value[VALUE],
    struct tern_table_seen *at, struct tern_table_seen seen)
{
    struct tern_table_find find = find_of(c, key);
    struct tern_table_record record;
    struct tern_completion done;
    int status;

    find.lookup.seen = seen;
    gives(tern_table_lookup(c->writer.sq, &find.lookup, TERN_DFLAG_SIGNAL, 1), 0,
        "tern_table_lookup");
    done = next_completion(c->writer.cq, WAIT_MS);
    if (done.status != TERN_ST_OK)
        return -(int)done.status;
    status = tern_table_record_read(c->found, sizeof(c->found), key, strlen(key), &record);
    return status ? status : value_of(&record, value, at);
}

static int look_up(struct client *c, const char *key, char value[VALUE], struct tern_table_seen *at)
{
    struct tern_table_find find = find_of(c, key);
    struct tern_completion done;

    gives(tern_table_find(c->writer.sq, &find, 1), 0, "tern_table_find");
    done = next_completion(c->writer.cq, WAIT_MS);
    gives(done.opcode == TERN_OP_LOOKUP && done.context == 1, true, "its completion");
    return done.status != TERN_ST_OK ? -(int)done.status : value_of(&find.record, value, at);
}

static bool has(struct client *c, const char *key, const char *value)
{
    char found[VALUE];
    struct tern_table_seen at;

    return look_up(c, key, found, &at) == 0 && strcmp(found, value) == 0;
}

/* ---- one by one ---- */

static struct client here, there;

static void one_key(void)
{
    struct tern_table_seen first, second;
    char value[VALUE];
    bool good = tern_table_writer_stock(&here.writer, 5, 5) == 0 && set(&here, "apple",
        "green") == 0;

    tap(good && has(&there, "apple", "green"), "what one node has set another finds at a third");
    gives(look_up(&there, "apple", value, &first), 0, "look_up");
    good = set(&here, "apple", "red and round") == 0 && has(&there, "apple", "red and round");
    tap(good && set(&here, "pear", "") == 0 && has(&there, "pear", "") &&
            has(&there, "apple", "red and round"),
        "a later value takes the place of the one before, and other keys stay");
    tap(look_up_at(&there, "apple", value, &second, first) == -TERN_ST_STALE_POINTER,
        "who remembers the place of a record that was replaced is told");
    gives(look_up(&there, "apple", value, &second), 0, "look_up");
    tap(look_up_at(&there, "apple", value, &first, second) == 0 &&
            strcmp(value, "red and round") == 0,
        "a record is found at the place where it was seen");
    tap(tern_table_shared_hash(&table, "apple", 5) ==
            tern_table_hash_keyed(&table.secret, "apple", 5),
        "keys are hashed under the secret of the table");
}

static void expectations(void)
{
    struct tern_table_seen first, second;
    char value[VALUE];

    gives(look_up(&here, "apple", value, &first), 0, "look_up");
    tap(set_if(&here, "apple", "new", &nothing) == -TERN_ST_UNLIKE &&
            set_if(&here, "plum", "blue", &nothing) == 0 && has(&there, "plum", "blue") &&
            has(&there, "apple", "red and round"),
        "who expects no value is refused when there is one");
    tap(set_if(&here, "apple", "yellow", &first) == 0 &&
            set_if(&there, "apple", "black", &first) == -TERN_ST_UNLIKE &&
            take_out(&there, "apple", &first) == -TERN_ST_UNLIKE && has(&there, "apple", "yellow"),
        "who expects a record that was replaced is refused, and changes nothing");
    gives(look_up(&here, "apple", value, &second), 0, "look_up");
    tap(take_out(&there, "apple", &second) == 0 &&
            look_up(&here, "apple", value, &second) == -TERN_ST_NOT_FOUND,
        "a key that was taken out is not found");
    tap(look_up_at(&here, "apple", value, &second, first) == -TERN_ST_STALE_POINTER &&
            take_out(&here, "apple", NULL) == -TERN_ST_NOT_FOUND &&
            set_if(&here, "apple", "x", &first) == -TERN_ST_UNLIKE,
        "it cannot be taken out again, and is not where it was");
    tap(set_if(&here, "apple", "back", &nothing) == 0 && has(&there, "apple", "back"),
        "it can be set again");
}

/* Slabs in stock at the children, after changes that were refused. */
static int children_stock;

static int stocked(void)
{
    return children_stock + __builtin_popcount(here.writer.stocked) +
        __builtin_popcount(there.writer.stocked);
}

static int sweep_all(void)
{
    int freed = 0;

    for (unsigned i = 0; i < LOOKS; i++)
        freed += ask('s');
    return freed;
}

/* Checks that no slab is lost or gained: those in stock at the two clients are taken, too. */
static void swept(const char *what, unsigned keys)
{
    int freed = sweep_all(), taken = ask('t');

    tap(taken == (int)keys + stocked() && freed > 0, "%s", what);
    tap_note("given back=%d taken=%d stocked=%d", freed, taken, stocked());
}

/* ---- events between two looks of a sweep */

static uint64_t word_at(struct client *c, struct tern_rptr at)
{
    gives(tern_fetch_add(c->writer.sq, at, 0, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 1), 0,
        "tern_fetch_add");
    return next_completion(c->writer.cq, WAIT_MS).value;
}

static struct tern_rptr link_at(uint64_t place)
{
    return tern_rptr_add(table.pointer.start, place * TERN_NODE_BYTES + TERN_NOD_less_WORD * 4);
}

static uint64_t place_of(uint64_t link)
{
    return (tern_link_addr(link) - TERN_GET(RPTR, addr, table.pointer.start.w)) / TERN_NODE_BYTES;
}

static int sweep_while_stopped(unsigned times)
{
    int freed = 0;

    while (times--)
        freed += ask('p');
    return freed;
}

/*
 * A walk for "old" has read the bucket, and its NIC stops there. A set shadows the record of "old",
 * which comes after the first one.
 */
static void walk_stopped(void)
{
    struct tern_table_seen at;
    char value[VALUE];
    uint64_t first, next;
    int freed;

    gives(set(&here, "old", "before") == 0 && set(&here, "first", "one") == 0, true, "set");
    gives(look_up(&here, "old", value, &at), 0, "look_up");
    (void)ask('g');
    first = word_at(&there, link_at(0)); /* the walk waits from here on */
    gives(set(&here, "old", "after"), 0, "set");
    freed = sweep_while_stopped(8);
    next = word_at(&there, link_at(place_of(first)));
    tap(freed == 0 && place_of(next) == at.place,
        "a walk that was under way when its key was set comes to the record that was there");
    tap(look_up_at(&there, "old", value, &at, at) == -TERN_ST_STALE_POINTER && has(&there,
        "old", "after"),
        "while a client that remembers its place is told of the new one");
    freed = ask('s');
    next = word_at(&there, link_at(place_of(first)));
    tap(freed == 0 && (uint32_t)next == 0 && ask('s') == 1,
        "a grace period later it is in no bucket, and one further its slab is free");
    tap_note("evidence B7.14 sweeps=8 early=%d", freed);
}

/* After the record that marks the key as removed, an older record of the key remains for a time. */
static void stays_taken_out(void)
{
    struct tern_table_seen at;
    char value[VALUE];
    unsigned found = 0;

    gives(set(&here, "old", "v") == 0 && take_out(&here, "old", NULL) == 0 && set(&here,
        "first", "one") == 0, true, "set");
    for (unsigned i = 0; i < LOOKS; i++) {
        (void)ask('s');
        found += look_up(&there, "old", value, &at) != -TERN_ST_NOT_FOUND;
    }
    tap(found == 0, "a key that was taken out stays so while its records are swept up");
    gives(take_out(&here, "first", NULL), 0, "remove");
    (void)sweep_all();
}

/* Reads the bucket as a client that wants to remove a key, or to set it. */
static void bucket_emptied_twice(void)
{
    uint64_t before = word_at(&here, link_at(0)), now;

    gives((uint32_t)before == 0, true, "an empty bucket");
    gives(set(&there, "k", "v") == 0 && take_out(&there, "k", NULL) == 0, true, "a key, and none");
    (void)sweep_all();
    now = word_at(&here, link_at(0));
    tap((uint32_t)now == 0 && now != before && look_up(&here, "k", (char[VALUE]){0},
        &(struct tern_table_seen){0}) == -TERN_ST_NOT_FOUND,
        "a bucket that was emptied again is not the one that a client has read before");
    gives(tern_compare_swap(here.writer.sq, link_at(0), before, before + 1, TERN_DFLAG_SIGNAL,
        1), 0, "tern_compare_swap");
    tap(next_completion(here.writer.cq, WAIT_MS).value == now && set(&here, "k", "w") == 0 &&
        has(&there, "k", "w"),
        "so a change that was begun then does not take effect");
    gives(take_out(&here, "k", NULL), 0, "remove");
    (void)sweep_all();
}

/* Returns the owner word of the slab of a record. */
static struct tern_rptr own_at(uint32_t place)
{
    const struct tern_blocks *blocks = table.blocks;
    uint64_t slabs;

    for (;; blocks++) {
        uint64_t start = TERN_GET(RPTR, addr, blocks->start.w) - TERN_GET(RPTR, addr,
            table.pointer.start.w);

        if ((uint64_t)place * TERN_NODE_BYTES < start + blocks->bytes) {
            slabs = (tern_blocks_head(blocks) + 63) / 64 * 64;
            return tern_rptr_add(
                blocks->start,
                (tern_blocks_words(blocks) +
                 ((uint64_t)place * TERN_NODE_BYTES - start - slabs) / blocks->slab_bytes) *
                    TERN_ATOMIC_BYTES);
        }
    }
}

/* One client dies with an unused slab, and with a linked slab that it has not handed over. */
static void recovered(void)
{
    struct tern_allocator gone = {.blocks = table.blocks[0], .holder = {999, 1}, .cq =
        here.writer.cq, .sq = here.writer.sq,
                                  .timeout_ms = WAIT_MS};
    const uint64_t name = (uint64_t)999 << 32 | (uint64_t)1 << 48, mask = ~(uint64_t)UINT32_MAX;
    struct tern_masked masked = {.swap = name, .swap_mask = mask};
    struct tern_table_seen at;
    struct tern_slab slab;
    char value[VALUE];
    uint64_t own;
    int taken, first;

    gives(set(&here, "left", "behind") == 0 && look_up(&here, "left", value, &at) == 0, true,
        "a record");
    gives(tern_compare_swap_masked(here.writer.sq, own_at(at.place), &masked,
        TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 1), 0, "tern_compare_swap");
    own = next_completion(here.writer.cq, WAIT_MS).value;
    gives((own & mask) == ((uint64_t)table.holder.owner << 32 |
        (uint64_t)table.holder.epoch << 48), true, "whose it was");
    gives(tern_balloc_wait(&gone, &slab), 0, "tern_balloc_wait");
    (void)word_at(&here, link_at(0)); /* a fence */
    taken = ask('t');
    first = ask('s');
    tap(first == 0 && ask('t') == taken && word_at(&here, own_at(at.place)) == own,
        "slabs of a client that is no member become the table's, and none is freed at once");
    (void)sweep_all();
    tap(ask('t') == taken - 1 && has(&there, "left", "behind"),
        "the one without a record is free later, and the other keeps its record");
    gives(take_out(&here, "left", NULL), 0, "remove");
    (void)sweep_all();
}

static void blind_sets(void)
{
    struct tern_table_seen at, now;
    char value[VALUE];
    bool good = set(&here, "k", "one") == 0 && look_up(&there, "k", value, &at) == 0;

    here.writer.blind = true;
    good = good && set(&here, "k", "two") == 0 && has(&there, "k", "two");
    tap(good && look_up_at(&there, "k", value, &now, at) == 0 && strcmp(value, "one") == 0,
        "a blind set is found by bucket at once, and where the key was seen there is the older "
            "record");
    (void)ask('s');
    tap(look_up_at(&there, "k", value, &now, at) == -TERN_ST_STALE_POINTER && has(&there, "k",
        "two"), "until the table has been swept");
    tap(set_if(&here, "k", "three", &nothing) == -TERN_ST_UNLIKE && take_out(&here, "k",
        NULL) == 0 && take_out(&here, "k", NULL) == -TERN_ST_NOT_FOUND,
        "expectations and removals of such a client are kept");
    here.writer.blind = false;
    (void)sweep_all();
}

static bool is_in(uint32_t place, unsigned size)
{
    uint64_t start = TERN_GET(RPTR, addr, table.blocks[size].start.w) - TERN_GET(RPTR, addr,
        table.pointer.start.w);
    uint64_t at = (uint64_t)place * TERN_NODE_BYTES;

    return at >= start && at < start + table.blocks[size].bytes;
}

static void sizes(void)
{
    static const char *const values[] = {"", "sixteen bytes...",
        "more than sixteen bytes of a value"};
    struct tern_table_seen at[3];
    char value[VALUE];
    bool good = true;

    for (unsigned i = 0; i < 3; i++)
        good = good && set(&here, "0123456789abcdef", values[i]) == 0 && look_up(&there,
            "0123456789abcdef", value, &at[i]) == 0 &&
               strcmp(value, values[i]) == 0;
    tap(good && is_in(at[0].place, 0) && is_in(at[1].place, 0) && is_in(at[2].place, 1),
        "a record is in the smallest slab that has room for it");
    gives(take_out(&here, "0123456789abcdef", NULL), 0, "remove");
    (void)sweep_all();
}

/* Keys of three hashes in one bucket, compared with a list of expected contents. */
static void many_operations(void)
{
    enum { KEYS = 24 };
    const unsigned all = rig_tier_is_soft() ? 100000 : 60;
    unsigned version[KEYS] = {0}, wrong = 0, found = 0, most = 0;
    uint64_t random = 11;
    char key[KEY], value[VALUE], wanted[VALUE];
    struct tern_table_seen at;

    for (unsigned i = 1; i <= all && wrong == 0; i++) {
        unsigned k = random_below(&random, KEYS), what = random_below(&random, 4);
        struct client *c = random_below(&random, 2) ? &here : &there;
        int status, there_now = version[k] ? 0 : -TERN_ST_NOT_FOUND;

        (void)snprintf(key, sizeof(key), "key %u", k);
        (void)snprintf(value, sizeof(value), "version %u", i);
        if (what == 0) {
            wrong += take_out(c, key, NULL) != there_now;
            version[k] = 0;
        } else if (what == 1) {
            wrong += set(c, key, value) != 0;
            version[k] = i;
        } else {
            status = look_up(c, key, value, &at);
            (void)snprintf(wanted, sizeof(wanted), "version %u", version[k]);
            wrong += status != there_now || (status == 0 && strcmp(value, wanted) != 0);
            found += status == 0;
        }
        if (i % 8 == 0)
            (void)ask('s');
        if (i % 1024 == 0 && (unsigned)ask('t') > most)
            most = (unsigned)ask('t');
    }
    tap(wrong == 0 && found > 0, "keys of one hash are set, found and taken out side by side");
    tap_note("evidence B7.14 operations=%u wrong=%u", all, wrong);
    tap_note("found=%u most slabs=%u", found, most);
    for (unsigned k = 0; k < KEYS; k++) {
        (void)snprintf(key, sizeof(key), "key %u", k);
        (void)take_out(&here, key, NULL);
    }
    (void)sweep_all();
}

static void emptied(void)
{
    gives(take_out(&here, "apple", NULL), 0, "remove apple");
    gives(take_out(&there, "pear", NULL), 0, "remove pear");
    gives(take_out(&here, "plum", NULL), 0, "remove plum");
    swept("when all keys are taken out and swept up, no slab is taken", 0);
    bucket_emptied_twice();
    walk_stopped();
    gives(take_out(&here, "old", NULL) == 0 && take_out(&here, "first", NULL) == 0, true, "remove");
    (void)sweep_all();
    recovered();
    blind_sets();
    sizes();
    many_operations();
}

/* Counts the slabs outside the reserve. */
static int slabs_for_sets(void)
{
    return (int)(tern_table_shared_slabs(&table) - table.blocks[table.sizes].slabs);
}

static void filled(void)
{
    char key[KEY], value[VALUE];
    unsigned count = 0;
    struct tern_table_seen at;
    int status, before;

    do {
        (void)snprintf(key, sizeof(key), "key %u", count);
        status = set(&here, key, key);
        count += status == 0;
    } while (status == 0);
    (void)snprintf(value, sizeof(value), "key %u", count / 2);
    tap(status == -TERN_ST_FULL && ask('t') == slabs_for_sets() && has(&there, value, value) &&
            look_up(&there, key, value, &at) == -TERN_ST_NOT_FOUND,
        "a table that is full says so, and what was in it stays (%u keys)", count);
    gives(ask('s') == 0, true, "nothing to sweep");
    before = ask('t');
    tap(ask('s') == 0 && ask('t') == before, "records that are found are not swept up");
}

/*
 * Only the reserve has free slabs. When that is empty, too, the client asks the owner for a sweep
 * and tries again.
 */
static void removed_when_full(void)
{
    unsigned removed = 0, at_once = 0, asked = 0, unheard = 0, wrong = 0;
    char key[KEY], value[VALUE];
    struct tern_table_seen at;

    for (unsigned i = 0; removed + wrong == i; i++) {
        int status;

        (void)snprintf(key, sizeof(key), "key %u", i);
        if (!has(&there, key, key))
            break;
        while ((status = take_out(&here, key, NULL)) == -TERN_ST_FULL && asked < 1000) {
            if (asked == 0)
                at_once = i;
            asked++;
            unheard += ask('a') != 1;
            (void)ask('s');
        }
        removed += status == 0;
        wrong += status != 0 || look_up(&there, key, value, &at) != -TERN_ST_NOT_FOUND;
    }
    tap(at_once >= RESERVE && wrong == 0 && unheard == 0 && removed > at_once && asked > 0,
        "keys of a full table are taken out, by the reserve and then by asking the owner for a "
            "sweep");
    tap_note("evidence B7.14 removed=%u at_once=%u asked=%u", removed, at_once, asked);
}

/* Swaps a word of the table's memory, without the protocol. */
static uint64_t swap(struct client *c, uint64_t at, uint64_t value)
{
    gives(tern_swap(c->writer.sq, tern_rptr_add(table.pointer.start, at), value,
        TERN_DFLAG_SIGNAL, 1), 0, "tern_swap");
    return next_completion(c->writer.cq, WAIT_MS).value;
}

static uint64_t swap_link(struct client *c, uint64_t link)
{
    return swap(c, TERN_NOD_less_WORD * 4, link);
}

/*
 * A link with a generation that its record does not have: the client keeps finding that another was
 * quicker.
 */
static void never_quiet(void)
{
    uint64_t link = swap_link(&here, 0);
    int status;

    (void)swap_link(&here, link ^ tern_link(0, 0x4000));
    status = take_out(&here, "key 0", NULL);
    (void)swap_link(&here, link);
    tap(status == -TERN_ST_CONTENDED && has(&there, "key 0", "key 0"),
        "who never finds a bucket at rest is asked to come again");
}

static void bad_input(void)
{
    static uint8_t memory[1024] __attribute__((aligned(64)));
    static const char much[SLAB] = "much";
    struct tern_table_shape odd = shape, flat = shape, wide = shape, unnamed = shape, none = shape;
    struct tern_table_shared other;
    struct client wrong = here;
    uint64_t link;
    int status;

    odd.size[1].slab_bytes = 40;
    flat.size[1].slab_bytes = SMALL;
    wide.log2_buckets = 5;
    unnamed.holder.owner = 0;
    none.sizes = 0;
    tap(tern_table_shared_init(&other, memory + 8, 960, &shape) == -TERN_ST_BAD_ALIGN &&
            tern_table_shared_init(&other, memory, 960, &odd) == -TERN_ST_BAD_SIZE &&
            tern_table_shared_init(&other, memory, 960, &flat) == -TERN_ST_BAD_SIZE &&
            tern_table_shared_init(&other, memory, 960, &wide) == -TERN_ST_NO_MEMORY &&
            tern_table_shared_init(&other, memory, 512, &shape) == -TERN_ST_NO_MEMORY &&
            tern_table_shared_init(&other, memory, 1024, &unnamed) == -TERN_ST_BAD_ARGUMENT &&
            tern_table_shared_init(&other, memory, 1024, &none) == -TERN_ST_BAD_ARGUMENT &&
            tern_table_shared_init(&other, memory, 1024, &shape) == 0 &&
                other.blocks[2].slabs >= RESERVE,
        "memory that no table can be made of is refused");
    tap(tern_table_shared_set_wait(&here.writer, "", 0, "x", 1, NULL) == -TERN_ST_BAD_LENGTH &&
            tern_table_shared_set_wait(&here.writer, "k", 1, much, SLAB - TERN_NODE_BYTES, NULL) ==
                -TERN_ST_BAD_LENGTH &&
            tern_table_shared_set_wait(&here.writer, "k", 1, much, UINT32_MAX, NULL) ==
                -TERN_ST_BAD_LENGTH &&
            tern_table_shared_remove_wait(&here.writer, much, SLAB, NULL) == -TERN_ST_BAD_LENGTH,
        "a record that no slab has room for is refused");
    TERN_SET(RPTR, key, wrong.writer.table.pointer.start.w,
             TERN_GET(RPTR, key, table.pointer.start.w) ^ 0x10000);
    status = set(&wrong, "k", "x");
    tap(status == -TERN_ST_BAD_KEY, "with a wrong key nothing is set");
    never_quiet();
    link = swap_link(&here, TERN_NODE_BYTES);
    status = ask('s');
    (void)swap_link(&here, link);
    tap(status == -TERN_ST_BAD_LINK && ask('s') == 0 && ask('t') == slabs_for_sets(),
        "a bucket that leads astray is not swept, and nothing given back");
}

/* ---- all clients ---- */

struct worker {
    const struct rig *rig;
    unsigned number;
};

static struct worker workers[CLIENTS];
static struct child children[CLIENTS];

static void name_own(char key[KEY], unsigned client, unsigned i)
{
    (void)snprintf(key, KEY, "own %u.%u", client, i);
}

/* Adds 1 to the value of a key, which other clients do, too. */
static void count_one(struct client *c)
{
    char value[VALUE];
    struct tern_table_seen at;
    int status;

    do {
        unsigned count;

        gives(look_up(c, "count", value, &at), 0, "look_up");
        sscanf(value, "%u", &count);
        (void)snprintf(value, sizeof(value), "%u", count + 1);
        status = set_if(c, "count", value, &at);
    } while (status == -TERN_ST_UNLIKE || status == -TERN_ST_CONTENDED);
    gives(status, 0, "set");
}

static void set_for_sure(struct client *c, const char *key, const char *value)
{
    int status;

    do
        status = set(c, key, value);
    while (status == -TERN_ST_CONTENDED);
    gives(status, 0, "set");
}

/* Commands: set keys of its own; set the same key; count; set it for ever; quit. */
static void working(const void *arg, int in, int out)
{
    static struct client c;
    const struct worker *worker = arg;
    char word, key[KEY], value[VALUE];

    open_client(&c, worker->rig, worker->number % RING, (uint16_t)(FIRST_NAME + worker->number));
    while (get(in, &word, 1) && word != 'q') {
        while (word == 'k')
            (void)set(&c, "same", "killed");
        for (unsigned i = 0; i < changes(); i++) {
            name_own(key, worker->number, i);
            (void)snprintf(value, sizeof(value), "client %u change %u of all", worker->number, i);
            if (word == 'o')
                set_for_sure(&c, key, key);
            else if (word == 's')
                set_for_sure(&c, "same", value);
            else
                count_one(&c);
        }
        word = (char)__builtin_popcount(c.writer.stocked);
        (void)give(out, &word, 1);
    }
    tern_close(c.device);
}

static void tell_all(char word)
{
    for (unsigned i = 0; i < CLIENTS; i++)
        gives(give_word(&children[i], word), true, "a word");
}

static void hear_all(void)
{
    char stock;

    children_stock = 0;
    for (unsigned i = 0; i < CLIENTS; i++) {
        gives(get(children[i].from, &stock, 1), 1, "an answer");
        children_stock += stock;
    }
}

/* Tells whether all clients are done with their command, so that hear_all() would not wait. */
static bool all_are_done(void)
{
    struct pollfd answers[CLIENTS];

    for (unsigned i = 0; i < CLIENTS; i++)
        answers[i] = (struct pollfd){.fd = children[i].from, .events = POLLIN};
    return poll(answers, CLIENTS, 0) == CLIENTS;
}

static void different_keys(void)
{
    unsigned found = 0, missing = 0;

    tell_all('o');
    hear_all();
    (void)sweep_all();
    for (unsigned client = 0; client < CLIENTS; client++)
        for (unsigned i = 0; i < changes(); i++) {
            char key[KEY];

            name_own(key, client, i);
            if (has(&here, key, key))
                found++;
            else
                missing++;
        }
    tap(missing == 0 && found == CLIENTS * changes() && ask('t') == (int)found + stocked(),
        "keys that all set at once in one bucket are all there, each in one slab");
    tap_note("evidence B7.14 keys=%u missing=%u", found, missing);
}

/*
 * Every record found meanwhile was set by some client, and is never older than an earlier one of
 * the same client.
 */
static void same_key(void)
{
    unsigned last[CLIENTS] = {0}, wrong = 0, lookups = 0, client = 0, change = 0;
    char value[VALUE];
    struct tern_table_seen at;

    gives(set(&here, "same", "client 0 change 0 of all"), 0, "set");
    tell_all('s');
    (void)ask('s');
    for (; lookups < 4 * changes() || !all_are_done(); lookups++) {
        int status = look_up(&there, "same", value, &at);

        wrong += status != 0 ||
                 sscanf(value, "client %u change %u of all", &client, &change) != 2 ||
                 client >= CLIENTS || change < last[client];
        last[client % CLIENTS] = change;
    }
    hear_all();
    tap(wrong == 0, "while all set one key, each lookup brings a whole record, and none goes back");
    gives(look_up(&there, "same", value, &at), 0, "look_up");
    gives(sscanf(value, "client %u change %u of all", &client, &change), 2, "a value");
    tap(change == changes() - 1, "the last one stays");
    tap_note("evidence B7.14 lookups=%u wrong=%u", lookups, wrong);
}

static void counted(void)
{
    unsigned count = 0;
    char value[VALUE];
    struct tern_table_seen at;

    gives(set(&here, "count", "0"), 0, "set");
    tell_all('c');
    (void)ask('s');
    hear_all();
    gives(look_up(&there, "count", value, &at), 0, "look_up");
    sscanf(value, "%u", &count);
    tap(count == CLIENTS * changes(),
        "a count that all raise by expectation has each of them once");
    tap_note("evidence B7.14 counted=%u", count);
}

static bool own_keys_are_there(void)
{
    for (unsigned client = 0; client < CLIENTS; client++)
        for (unsigned i = 0; i < changes(); i++) {
            char key[KEY];

            name_own(key, client, i);
            if (!has(&here, key, key))
                return false;
        }
    return true;
}

/*
 * Kills a client in the middle of a change: its slab belongs to it, to no owner, or to the table.
 */
static void one_killed(const struct rig *rig)
{
    const struct worker worker = {rig, CLIENTS};
    struct child child = child_start(working, &worker);
    struct tern_table_seen at = {0};
    char value[VALUE];
    uint32_t before;
    int freed;

    gives(give_word(&child, 'k'), true, "a word");
    for (unsigned others = 0; others < changes(); others += at.place != before) {
        before = at.place;
        gives(look_up(&there, "same", value, &at), 0, "look_up");
    }
    child_kill(&child);
    (void)ask('r');
    freed = ask('s');
    tap(own_keys_are_there() && has(&there, "same", "killed"),
        "when one is killed that changes a key, that has a value, and others stay");
    tap_note("recovered=%d", freed);
    swept("what one had that was killed is free again", CLIENTS * changes() + 2);
}

static bool keeper_start(const struct rig *rig)
{
    keeper = child_start(keeping, rig);
    return get(keeper.from, &table, sizeof(table));
}

static void all_of_them(const struct rig *rig)
{
    bool good = true;

    for (unsigned i = 0; i < CLIENTS; i++) {
        workers[i] = (struct worker){rig, i};
        children[i] = child_start(working, &workers[i]);
    }
    different_keys();
    (void)ask('s');
    same_key();
    (void)ask('s');
    (void)ask('s');
    counted();
    swept("afterwards as many slabs are taken as there are keys", CLIENTS * changes() + 2);
    for (unsigned i = 0; i < CLIENTS; i++)
        good = give_word(&children[i], 'q') && child_end(&children[i]) && good;
    tap(good, "all of them end well");
    one_killed(rig);
}

int main(void)
{
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    gives(keeper_start(&rig), true, "the keeper");
    open_client(&here, &rig, 0, 77);
    open_client(&there, &rig, READER, 78);
    one_key();
    expectations();
    stays_taken_out();
    emptied();
    all_of_them(&rig);
    filled();
    bad_input();
    removed_when_full();
    tern_close(here.device);
    tern_close(there.device);
    tap(give_word(&keeper, 'q') && child_end(&keeper), "who has the table ends well");
    rig_stop(&rig);
    return tap_end();
}
