/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern table: a table in the memory of one process, in which others look keys up without its help.
 *
 * `--keep` owns a table of the given number of keys and then sleeps: the NIC there does all the
 * work. `--at` finds each key and checks the record: by one lookup or, with --by-reads, by a read
 * of the bucket, and of the records that it leads to.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>
#include <tern/table.h>

#include "asker.h"
#include "owner.h"
#include "peer.h"
#include "progress.h"
#include "tool.h"

enum {
    TEXT = 32, KEYS_MAX = 1 << 20, KEYS_DEFAULT = 1000,
    NODE = TERN_NODE_BYTES, ROOM = 4 * NODE
};

struct table_options {
    struct asker_options shared;
    uint32_t keys;
    bool by_reads;
};

static const struct argp_option options[] = {
    {"keep", 'k', "FILE", 0, "own the table, and write a pointer to it to FILE", 0},
    {"at", 'a', "FILE", 0, "look each key up in the table that the pointer in FILE leads to", 0},
    {"keys", 'n', "NUMBER", 0, "how many keys the table has (1000); the same number at both sides",
     0},
    {"by-reads", 'b', 0, 0, "look up by reads of the bucket and of its records", 0},
    {"timeout", 'T', "SECONDS", 0,
     "give up when nobody answers for so long (30); with --keep end after so long (never)", 0},
    {"report", 'r', "FILE", 0, "write figures to FILE, key=value", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct table_options *to = state->input;

    switch (key) {
    case 'k':
        to->shared.own = arg;
        return 0;
    case 'n':
        to->keys = (uint32_t)tool_number(state, arg, KEYS_MAX);
        if (!to->keys)
            argp_error(state, "no keys are nothing to look up");
        return 0;
    case 'b':
        to->by_reads = true;
        return 0;
    case ARGP_KEY_END:
        asker_check(state, &to->shared, "keep", "by-reads", to->by_reads);
        return 0;
    default:
        return asker_parse(key, arg, state, &to->shared);
    }
}

/* ---- contents of the table */

static size_t name_key(char text[TEXT], uint32_t i)
{
    return (size_t)snprintf(text, TEXT, "key-%" PRIu32, i);
}

static size_t name_value(char text[TEXT], uint32_t i)
{
    return (size_t)snprintf(text, TEXT, "value %" PRIu32, i * 7);
}

/* Returns the size for one bucket per key. */
static uint8_t log2_buckets(uint32_t keys)
{
    uint8_t log2 = 0;

    while (1u << log2 < keys)
        log2++;
    return log2;
}

/* ---- the owner */

/*
 * Returns the bytes for the buckets, the records, and the bytes that a lookup copies after the last
 * record.
 */
static size_t bytes_of(uint32_t keys)
{
    size_t bytes = ((size_t)NODE << log2_buckets(keys)) + (size_t)keys * ROOM + ROOM;

    return (bytes + NODE - 1) / NODE * NODE;
}

static int fill(struct tern_table *table, uint32_t keys)
{
    int status = 0;

    for (uint32_t i = 0; i < keys && !status; i++) {
        char key[TEXT], value[TEXT];
        size_t key_bytes = name_key(key, i), value_bytes = name_value(value, i);

        status = tern_table_set(table, key, key_bytes, value, value_bytes);
    }
    return status;
}

static int keep(const struct table_options *chosen, struct tern_device *device, void *memory)
{
    size_t bytes = bytes_of(chosen->keys);
    struct tern_region *region;
    struct tern_table table;
    int status = tern_table_init(&table, memory, bytes, log2_buckets(chosen->keys), ROOM);

    if (!status)
        status = fill(&table, chosen->keys);
    if (status)
        return tool_fail(status, "cannot make the table");
    status = tern_register(device, memory, bytes, TERN_RIGHT_REMOTE_READ, &region);
    if (status)
        return tool_fail(status, "cannot register the table");
    status = owner_write_pointer(chosen->shared.own, tern_region_pointer(region, 0));
    return status ? status : owner_stay(device, chosen->shared.timeout_ms);
}

static int own_table(const struct table_options *chosen)
{
    struct tern_device *device;
    void *memory;
    int status;

    owner_hold_signals();
    device = tool_open(chosen->shared.uri);
    if (!device)
        return EXIT_BAD;
    memory = aligned_alloc(NODE, bytes_of(chosen->keys));
    status = memory ? keep(chosen, device, memory)
        : tool_fail(-TERN_ST_NO_MEMORY, "cannot make the table");
    tern_close(device);
    free(memory);
    return status;
}

/* ---- looking keys up */

struct seeker {
    const struct table_options *options;
    struct asker asker;
    struct tern_region *region;
    struct tern_table_pointer table;
    _Alignas(NODE) uint8_t room[ROOM]; /* results */
    uint64_t operations;
    uint64_t packets, cycles;
    struct progress progress;
};

/* Waits for the end of the operation just posted. */
static int await(struct seeker *s, int posted, const char *key)
{
    struct tern_completion done;
    char what[TEXT + sizeof("cannot look up ")];

    snprintf(what, sizeof(what), "cannot look up %s", key);
    if (posted)
        return tool_fail(posted, "%s", what);
    s->operations++;
    return asker_await(&s->asker, &done, what);
}

static int by_lookup(struct seeker *s, const char *key, uint64_t hash)
{
    const struct tern_table_lookup lookup = {
        .table = s->table, .hash = hash, .region = s->region, .to = s->room, .room = ROOM,
    };

    return await(s, tern_table_lookup(s->asker.sq, &lookup, TERN_DFLAG_SIGNAL, 0), key);
}

static int read_there(struct seeker *s, struct tern_rptr from, uint32_t bytes, const char *key)
{
    return await(s, tern_read(s->asker.sq, from, s->region, s->room, bytes, TERN_DFLAG_SIGNAL, 0),
                 key);
}

/* Reads the bucket, then one record after the other. */
static int by_reads(struct seeker *s, const char *key, uint64_t hash)
{
    struct tern_table_record record;
    uint64_t link;

    if (read_there(s, tern_table_bucket(&s->table, hash), NODE, key))
        return EXIT_BAD;
    while ((link = tern_linked_less(s->room)) != 0) {
        if (read_there(s, tern_link_follow(s->table.start, link), ROOM, key))
            return EXIT_BAD;
        if (tern_table_record_read(s->room, ROOM, key, strlen(key), &record) == 0)
            return 0;
    }
    return tool_fail(-TERN_ST_NOT_FOUND, "cannot look up %s", key);
}

static int look_up(struct seeker *s, uint32_t i)
{
    struct tern_table_record record;
    char key[TEXT], value[TEXT];
    size_t key_bytes = name_key(key, i), value_bytes = name_value(value, i);
    uint64_t hash = tern_table_hash(key, key_bytes);
    int status;

    memset(s->room, 0, ROOM);
    if (s->options->by_reads ? by_reads(s, key, hash) : by_lookup(s, key, hash))
        return EXIT_BAD;
    status = tern_table_record_read(s->room, ROOM, key, key_bytes, &record);
    if (status)
        return tool_fail(status, "cannot look up %s", key);
    if (!record.whole || record.value_bytes != value_bytes ||
        memcmp(record.value, value, value_bytes) != 0)
        return tool_fail(0, "%s has another value than it should have", key);
    return 0;
}

/* Reads the packets sent so far, and the time. */
static int take_figures(struct seeker *s, uint64_t *packets, uint64_t *cycle)
{
    uint64_t values[TERN_STAT_COUNT];
    int status = tern_stats(s->asker.device, values);

    if (!status)
        status = tern_cycles(s->asker.device, cycle);
    if (status)
        return tool_fail(status, "no figures");
    *packets = values[TERN_STAT_tx_packets];
    return 0;
}

static int look_all_up(struct seeker *s)
{
    uint32_t keys = s->options->keys;
    uint64_t packets = 0, cycle = 0;
    int status = take_figures(s, &packets, &cycle);

    progress_start(&s->progress, keys);
    for (uint32_t i = 0; i < keys && !status; i++) {
        status = look_up(s, i);
        if (!status && progress_due(&s->progress, i + 1))
            progress_show(&s->progress, i + 1, "keys");
    }
    progress_end(&s->progress);
    if (status || take_figures(s, &s->packets, &s->cycles))
        return EXIT_BAD;
    s->packets -= packets;
    s->cycles -= cycle;
    printf("%" PRIu32 " keys found by %" PRIu64 " round trips\n", keys, s->operations);
    return 0;
}

static int write_report(const struct seeker *s)
{
    return tool_report(s->options->shared.report,
                       "keys=%" PRIu32 "\nround_trips=%" PRIu64 "\npackets=%" PRIu64
                       "\ncycles=%" PRIu64 "\n",
                       s->options->keys, s->operations, s->packets, s->cycles);
}

static int use_table(const struct table_options *chosen)
{
    struct seeker s = {.options = chosen};
    int status = owner_read_pointer(chosen->shared.at, "table", &s.table.start);

    s.table.log2_buckets = log2_buckets(chosen->keys);
    if (status || asker_open(&s.asker, &chosen->shared))
        return EXIT_BAD;
    status = tern_register(s.asker.device, s.room, sizeof(s.room), TERN_RIGHT_REMOTE_WRITE,
                           &s.region);
    status = status ? tool_fail(status, "cannot register room for answers") : look_all_up(&s);
    if (!status)
        status = write_report(&s);
    tern_close(s.asker.device);
    return status;
}

int cmd_table(int argc, char **argv)
{
    const struct argp argp = {options, parse, "URI",
                              "Looks keys up in a table of another node's memory.\v"
                              "One process owns the table (--keep) until it is told to end; any "
                              "number of others, at any "
                              "node, look all its keys up (--at) by one round trip each.",
                              NULL, NULL, NULL};
    struct table_options chosen = {.shared.timeout_ms = OWNER_FOR_EVER, .keys = KEYS_DEFAULT};

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    if (chosen.shared.own)
        return own_table(&chosen);
    return use_table(&chosen);
}
