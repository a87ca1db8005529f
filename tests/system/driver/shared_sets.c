/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A table that the hosts of a ring of four change, each a process of its own: one by one, all at
 * once in one bucket, all at once at one key; and the sweep of its owner afterwards.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/atomic.h>
#include <tern/table_shared.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    READER = 1,
    CLIENTS = 4,
    FIRST_NAME = 100, /* of a holder */
    SLAB = 96,
    ROOM = SLAB,
    BUCKETS_LOG2 = 0, /* all keys are in one bucket */
    BUCKETS_BYTES = 64,
    SLABS_MAX = 220, /* fewer than a lookup goes through */
    BYTES = SLABS_MAX * (SLAB + 8),
    KEY = 16, VALUE = 48,
    WAIT_MS = 60000 /* a net */
};

static const struct tern_holder table_holder = {1, 1}, victim = {FIRST_NAME + CLIENTS, 1};
static struct tern_table_shared table; /* as its keeper has told */
static const struct tern_table_seen nothing = {0};

/* Changes of each client, keys of its own or rounds at one key. */
static unsigned changes(void)
{
    return rig_tier_is_soft() ? 20 : 4;
}

/* Of the table's memory. */
static size_t bytes(void)
{
    return rig_tier_is_soft() ? BYTES : BYTES / 4;
}

/* ---- whose memory it is ---- */

static void open_queues(struct tern_device *device, struct tern_allocator *a)
{
    gives(tern_cq_create(device, 5, 0, &a->cq), 0, "tern_cq_create");
    gives(tern_sq_create(a->cq, 4, &a->sq), 0, "tern_sq_create");
    a->timeout_ms = WAIT_MS;
}

static int taken_of(const struct tern_blocks *blocks, const uint8_t *memory)
{
    uint32_t words = tern_blocks_words(blocks), last = blocks->slabs % TERN_BLOCK_SLABS;
    const uint32_t *map = (const uint32_t *)(const void *)memory;
    int count = last ? (int)last - TERN_BLOCK_SLABS : 0;

    for (uint32_t i = 0; i < words; i++)
        count += __builtin_popcount(__atomic_load_n(&map[(size_t)i * 2], __ATOMIC_RELAXED));
    return count;
}

static bool all_known(void *of, struct tern_holder holder)
{
    (void)of, (void)holder;
    return true;
}

/* Words to it: sweep; give back what the victim had; tell how many slabs are taken; quit. */
static int kept(struct tern_allocator *a, uint8_t *memory, char word)
{
    static uint64_t seen[SLABS_MAX], orphans[SLABS_MAX];
    static struct tern_grace grace = {.progress = {.knows = all_known}};
    const uint8_t *slabs = memory + BUCKETS_BYTES;

    if (word == 's')
        return tern_table_shared_sweep(a, &table, memory, seen);
    if (word == 'r')
        return tern_blocks_recover(a, slabs, victim);
    return word == 'o' ? tern_blocks_sweep(a, slabs, &grace, orphans) : taken_of(&table.blocks,
        slabs);
}

static void keeping(const void *arg, int in, int out)
{
    static uint8_t memory[BYTES] __attribute__((aligned(64)));
    struct tern_device *device = rig_open(arg, KEEPER);
    struct tern_allocator a = {.holder = table_holder};
    struct tern_region *region;
    char word;

    gives(tern_table_shared_init(&table, memory, bytes(), BUCKETS_LOG2, SLAB, 3, table_holder), 0, "tern_table_shared_init");
    gives(tern_register(device, memory, bytes(),
                        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC, &region),
          0, "tern_register");
    tern_table_shared_at(&table, tern_region_pointer(region, 0));
    open_queues(device, &a);
    a.blocks = table.blocks;
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
    gives(tern_register(c->device, c->memory, sizeof(c->memory), TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    gives(tern_register(c->device, c->found, sizeof(c->found), TERN_RIGHT_REMOTE_WRITE, &c->found_region), 0, "tern_register");
    *w = (struct tern_table_writer){.table = table, .region = region, .scratch = c->memory};
    w->slabs = (struct tern_allocator){.blocks = table.blocks, .holder = {name, 1}};
    open_queues(c->device, &w->slabs);
}

static int set_if(struct client *c, const char *key, const char *value, const struct tern_table_seen *expected)
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

/* By bucket, or where it was seen; a walk that was overtaken begins anew. */
static int look_up_at(struct client *c, const char *key, char value[VALUE], struct tern_table_seen *at, struct tern_table_seen seen)
{
    const struct tern_table_lookup lookup = {
        .table = table.pointer,
        .hash = tern_table_hash(key, strlen(key)),
        .seen = seen,
        .region = c->found_region,
        .to = c->found,
        .room = ROOM,
    };
    struct tern_completion done;
    struct tern_table_record record;
    int status;

    do {
        gives(tern_table_lookup(c->writer.slabs.sq, &lookup, TERN_DFLAG_SIGNAL, 1), 0, "tern_table_lookup");
        done = next_completion(c->writer.slabs.cq, WAIT_MS);
    } while (done.status == TERN_ST_STALE_POINTER && seen.generation == 0);
    if (done.status != TERN_ST_OK)
        return -(int)done.status;
    status = tern_table_record_read(c->found, sizeof(c->found), key, strlen(key), &record);
    if (status)
        return status;
    gives(record.whole && record.value_bytes < VALUE, true, "a whole record");
    memset(value, 0, VALUE);
    memcpy(value, record.value, record.value_bytes);
    *at = record.at;
    return 0;
}

static int look_up(struct client *c, const char *key, char value[VALUE], struct tern_table_seen *at)
{
    return look_up_at(c, key, value, at, nothing);
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
    bool good = tern_table_writer_stock(&here.writer) == 0 && set(&here, "apple", "green") == 0;

    tap(good && has(&there, "apple", "green"), "what one node has set another finds at a third");
    gives(look_up(&there, "apple", value, &first), 0, "look_up");
    good = set(&here, "apple", "red and round") == 0 && has(&there, "apple", "red and round");
    tap(good && set(&here, "pear", "") == 0 && has(&there, "pear", "") && has(&there, "apple", "red and round"),
        "a later value takes the place of the one before, and other keys stay");
    tap(look_up_at(&there, "apple", value, &second, first) == -TERN_ST_STALE_POINTER,
        "who remembers the place of a record that was replaced is told");
    gives(look_up(&there, "apple", value, &second), 0, "look_up");
    tap(look_up_at(&there, "apple", value, &first, second) == 0 && strcmp(value, "red and round") == 0,
        "a record is found at the place where it was seen");
}

static void expectations(void)
{
    struct tern_table_seen first, second;
    char value[VALUE];

    gives(look_up(&here, "apple", value, &first), 0, "look_up");
    tap(set_if(&here, "apple", "new", &nothing) == -TERN_ST_UNLIKE && set_if(&here, "plum", "blue", &nothing) == 0 &&
            has(&there, "plum", "blue") && has(&there, "apple", "red and round"),
        "who expects no value is refused when there is one");
    tap(set_if(&here, "apple", "yellow", &first) == 0 && set_if(&there, "apple", "black", &first) == -TERN_ST_UNLIKE &&
            take_out(&there, "apple", &first) == -TERN_ST_UNLIKE && has(&there, "apple", "yellow"),
        "who expects a record that was replaced is refused, and changes nothing");
    gives(look_up(&here, "apple", value, &second), 0, "look_up");
    tap(take_out(&there, "apple", &second) == 0 && look_up(&here, "apple", value, &second) == -TERN_ST_NOT_FOUND,
        "a key that was taken out is not found");
    tap(look_up_at(&here, "apple", value, &second, first) == -TERN_ST_STALE_POINTER &&
            take_out(&here, "apple", NULL) == -TERN_ST_NOT_FOUND && set_if(&here, "apple", "x", &first) == -TERN_ST_UNLIKE,
        "it cannot be taken out again, and is not where it was");
    tap(set_if(&here, "apple", "back", &nothing) == 0 && has(&there, "apple", "back"), "it can be set again");
}

/* Nothing is lost or gained in the end: those that the two have in stock are taken, too. */
static void swept(const char *what, unsigned keys)
{
    int freed = ask('s'), stocked = here.writer.stocked + there.writer.stocked, taken;

    freed += ask('s');
    taken = ask('t');
    tap(taken == (int)keys + stocked && freed > 0, "%s", what);
    tap_note("given back=%d taken=%d stocked=%d", freed, taken, stocked);
}

static void emptied(void)
{
    gives(take_out(&here, "apple", NULL), 0, "remove apple");
    gives(take_out(&there, "pear", NULL), 0, "remove pear");
    gives(take_out(&here, "plum", NULL), 0, "remove plum");
    swept("when all keys are taken out and swept up, no slab is taken", 0);
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
    tap(status == -TERN_ST_FULL && ask('t') == (int)table.blocks.slabs && has(&there, value, value) &&
            look_up(&there, key, value, &at) == -TERN_ST_NOT_FOUND,
        "a table that is full says so, and what was in it stays (%u keys)", count);
    gives(ask('s') == 0, true, "nothing to sweep");
    before = ask('t');
    tap(ask('s') == 0 && ask('t') == before, "records that are found are not swept up");
}

/* Behind everybody's back, at a byte of the table's memory. */
static uint64_t swap(struct client *c, uint64_t at, uint64_t value)
{
    gives(tern_swap(c->writer.slabs.sq, tern_rptr_add(table.pointer.start, at), value, TERN_DFLAG_SIGNAL, 1), 0, "tern_swap");
    return next_completion(c->writer.slabs.cq, WAIT_MS).value;
}

static uint64_t swap_link(struct client *c, uint64_t link)
{
    return swap(c, TERN_NOD_less_WORD * 4, link);
}

/* As if another key had its hash. */
static void same_hash(void)
{
    char value[VALUE];
    struct tern_table_seen at;
    uint64_t key_at, key;
    int status;

    gives(look_up(&here, "key 0", value, &at), 0, "look_up");
    key_at = (uint64_t)at.place * TERN_NODE_BYTES + TERN_NODE_BYTES;
    key = swap(&here, key_at, 0);
    status = set(&here, "key 0", "x");
    (void)swap(&here, key_at, key);
    tap(status == -TERN_ST_QUEUE_BUSY && has(&there, "key 0", "key 0"), "a key whose hash another key has is refused");
}

/* A link to a generation that its record does not have looks as if somebody always were quicker. */
static void never_quiet(void)
{
    uint64_t link = swap_link(&here, 0);
    int status;

    (void)swap_link(&here, link ^ tern_link(0, 0x4000));
    status = set(&here, "key 0", "x");
    (void)swap_link(&here, link);
    tap(status == -TERN_ST_CONTENDED && has(&there, "key 0", "key 0"), "who never finds a bucket at rest is asked to come again");
}

static void bad_input(void)
{
    static uint8_t memory[1024] __attribute__((aligned(64)));
    static const char much[SLAB] = "much";
    struct tern_table_shared other;
    struct client wrong = here;
    uint64_t link;
    int status;

    tap(tern_table_shared_init(&other, memory + 8, 512, 0, 64, 1, table_holder) == -TERN_ST_BAD_ALIGN &&
            tern_table_shared_init(&other, memory, 512, 0, 40, 1, table_holder) == -TERN_ST_BAD_SIZE &&
            tern_table_shared_init(&other, memory, 512, 0, 32, 1, table_holder) == -TERN_ST_BAD_SIZE &&
            tern_table_shared_init(&other, memory, 512, 5, 64, 1, table_holder) == -TERN_ST_NO_MEMORY &&
            tern_table_shared_init(&other, memory, 128, 0, 64, 1, table_holder) == -TERN_ST_NO_MEMORY &&
            tern_table_shared_init(&other, memory, 512, 0, 64, 1, (struct tern_holder){0, 0}) == -TERN_ST_BAD_ARGUMENT &&
            tern_table_shared_init(&other, memory, 512, 0, 64, 1, table_holder) == 0,
        "memory that no table can be made of is refused");
    tap(tern_table_shared_set_wait(&here.writer, "", 0, "x", 1, NULL) == -TERN_ST_BAD_LENGTH &&
            tern_table_shared_set_wait(&here.writer, "k", 1, much, SLAB - TERN_NODE_BYTES, NULL) == -TERN_ST_BAD_LENGTH &&
            tern_table_shared_set_wait(&here.writer, "k", 1, much, UINT32_MAX, NULL) == -TERN_ST_BAD_LENGTH &&
            tern_table_shared_remove_wait(&here.writer, much, SLAB, NULL) == -TERN_ST_BAD_LENGTH,
        "a record that no slab has room for is refused");
    TERN_SET(RPTR, key, wrong.writer.table.pointer.start.w, TERN_GET(RPTR, key, table.pointer.start.w) ^ 0x10000);
    status = set(&wrong, "k", "x");
    tap(status == -TERN_ST_BAD_KEY, "with a wrong key nothing is set");
    same_hash();
    never_quiet();
    link = swap_link(&here, 3 * TERN_NODE_BYTES);
    status = ask('s');
    (void)swap_link(&here, link);
    tap(status == -TERN_ST_BAD_LINK && ask('s') == 0 && ask('t') == (int)table.blocks.slabs,
        "a bucket that leads astray is not swept, and nothing given back");
}

/* ---- all of them ---- */

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

/* One more in the value of a key, which others count in, too. */
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

/* Words to it: set keys of its own; set the same key; count; set it for ever; quit. */
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
    char word;

    for (unsigned i = 0; i < CLIENTS; i++)
        gives(get(children[i].from, &word, 1), 1, "an answer");
}

static void different_keys(void)
{
    unsigned found = 0, missing = 0;

    tell_all('o');
    hear_all();
    gives(ask('s'), 0, "sweep");
    for (unsigned client = 0; client < CLIENTS; client++)
        for (unsigned i = 0; i < changes(); i++) {
            char key[KEY];

            name_own(key, client, i);
            if (has(&here, key, key))
                found++;
            else
                missing++;
        }
    tap(missing == 0 && found == CLIENTS * changes() && ask('t') == (int)found + here.writer.stocked + there.writer.stocked,
        "keys that all set at once in one bucket are all there, each in one slab");
    tap_note("evidence B7.14 keys=%u missing=%u", found, missing);
}

/*
 * What is found meanwhile is a record that somebody has set, and of each client never an older one
 * than before.
 */
static void same_key(void)
{
    unsigned last[CLIENTS] = {0}, wrong = 0, lookups = 0, client = 0, change = 0;
    char value[VALUE];
    struct tern_table_seen at;

    gives(set(&here, "same", "client 0 change 0 of all"), 0, "set");
    tell_all('s');
    (void)ask('s');
    for (; lookups < 4 * changes(); lookups++) {
        int status = look_up(&there, "same", value, &at);

        wrong += status != 0 || sscanf(value, "client %u change %u of all", &client, &change) != 2 ||
                 client >= CLIENTS || change < last[client];
        last[client % CLIENTS] = change;
    }
    hear_all();
    gives(look_up(&there, "same", value, &at), 0, "look_up");
    gives(sscanf(value, "client %u change %u of all", &client, &change), 2, "a value");
    tap(wrong == 0, "while all set one key, each lookup brings a whole record, and none goes back");
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
    tap(count == CLIENTS * changes(), "a count that all raise by expectation has each of them once");
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

/* In the middle of a change: what it had taken is its own, nobody's or the table's. */
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
    freed = ask('r') + ask('o') + ask('s');
    tap(own_keys_are_there() && has(&there, "same", "killed"), "when one is killed that changes a key, that has a value, and others stay");
    freed += ask('o') + ask('o');
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
    emptied();
    all_of_them(&rig);
    filled();
    bad_input();
    tern_close(here.device);
    tern_close(there.device);
    tap(give_word(&keeper, 'q') && child_end(&keeper), "who has the table ends well");
    rig_stop(&rig);
    return tap_end();
}
