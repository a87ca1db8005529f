/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chases and lookups in tables in a ring: one node has lists, trees and tables. The others look
 * keys up, one after the other, then all at once, then beside floods of other operations.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>
#include <tern/table.h>

#include "rig.h"
#include "rig_tier.h"

enum {
    RING_MAX = 9,
    KEEPER = 2,
    NODE = TERN_NODE_BYTES,
    TABLE_BYTES = 1 << 20,
    LIST_NODES = 40, /* several lots of the chip; the last is incomplete */
    TREE_NODES = 15,
    BROUGHT = 48, /* bytes of a node and of the bytes after it */
    ROOM = 512,
    SLOTS = 16, /* results at each node */
    ORIGIN = 1, TARGET = 2, /* sides that refuse */
    MARK = 0xee
};

static struct rig_end ends[RING_MAX];
static struct rig_end *const keeper = &ends[KEEPER], *const seeker = &ends[0];
static uint8_t *memory; /* of the table, at the node that has it */
static struct tern_region *memory_region;
static struct tern_table table;

/* Size of the ring: where the tier is quick, eight nodes look up in one. */
static unsigned ring(void)
{
    return rig_tier_is_soft() ? RING_MAX : 4;
}

static unsigned keys(void)
{
    return rig_tier_is_soft() ? 1000 : 60;
}

/* ---- one operation */

static struct tern_completion ends_with(struct rig_end *end, int posted)
{
    struct tern_completion done = {.status = (enum tern_status)-posted};

    return posted ? done : rig_wait(end->cq);
}

static bool is(const struct tern_completion *done, enum tern_status status, const char *what)
{
    if (done->status == status && done->opcode == TERN_OP_LOOKUP &&
        (status == TERN_ST_OK || (done->fault == TARGET && done->length == 0)))
        return true;
    tap_note("%s: %s from side %u, not %s", what, tern_strerror((int)done->status), done->fault,
             tern_strerror((int)status));
    return false;
}

static uint8_t *place_of(struct rig_end *end, unsigned slot)
{
    return end->buffer + (size_t)slot * ROOM;
}

static struct tern_table_lookup lookup_of(struct rig_end *end, unsigned slot, const char *key)
{
    return (struct tern_table_lookup){
        .table = {tern_region_pointer(memory_region, 0), table.log2_buckets},
        .hash = tern_table_hash(key, strlen(key)),
        .region = end->region,
        .to = place_of(end, slot),
        .room = ROOM,
    };
}

static int look_up(struct rig_end *end, unsigned slot, const char *key,
                   struct tern_table_seen seen, uint8_t nodes)
{
    struct tern_table_lookup lookup = lookup_of(end, slot, key);

    lookup.seen = seen;
    lookup.nodes = nodes;
    memset(lookup.to, MARK, ROOM);
    return tern_table_lookup(end->sq, &lookup, TERN_DFLAG_SIGNAL, slot);
}

static const struct tern_table_seen nowhere;

/* Checks the record of the key in `slot` of `end`. */
static bool brought(struct rig_end *end, unsigned slot, const char *key, const char *value,
                    struct tern_table_record *record)
{
    int status = tern_table_record_read(place_of(end, slot), ROOM, key, strlen(key), record);

    if (status == 0 && record->whole && record->value_bytes == strlen(value) &&
        memcmp(record->value, value, strlen(value)) == 0)
        return true;
    tap_note("%s: %s", key, tern_strerror(status));
    return false;
}

static bool finds(struct rig_end *end, const char *key, const char *value,
                  struct tern_table_seen *seen)
{
    struct tern_completion done = ends_with(end, look_up(end, 0, key, *seen, 0));
    struct tern_table_record record = {0};
    bool good = is(&done, TERN_ST_OK, key) && done.length == ROOM &&
        brought(end, 0, key, value, &record);

    *seen = record.at;
    return good;
}

static bool misses(const char *key, struct tern_table_seen seen, uint8_t nodes,
                   enum tern_status status)
{
    struct tern_completion done = ends_with(seeker, look_up(seeker, 0, key, seen, nodes));

    return is(&done, status, key) && place_of(seeker, 0)[0] == MARK;
}

static uint64_t count_of(struct rig_end *end, unsigned stat)
{
    uint64_t values[TERN_STAT_COUNT] = {0};

    (void)tern_stats(end->device, values);
    return values[stat];
}

/* ---- tables */

static bool new_table(unsigned log2_buckets)
{
    return tern_table_init(&table, memory, TABLE_BYTES, log2_buckets, ROOM) == 0;
}

static bool set(const char *key, const char *value)
{
    return tern_table_set(&table, key, strlen(key), value, strlen(value)) == 0;
}

static void name_key(char text[32], unsigned i)
{
    snprintf(text, 32, "key-%u", i);
}

/* Makes a value that fits one node, or needs several. */
static void name_value(char text[200], unsigned i)
{
    snprintf(text, 200, "value %u%*s", i, (int)(i % 7 * 25), "");
}

static bool fill(unsigned count)
{
    bool good = true;

    for (unsigned i = 0; i < count; i++) {
        char key[32], value[200];

        name_key(key, i);
        name_value(value, i);
        good = set(key, value) && good;
    }
    return good;
}

static struct tern_table_seen seen[1000];

static bool find_all(struct rig_end *end)
{
    bool good = true;

    for (unsigned i = 0; i < keys(); i++) {
        char key[32], value[200];

        name_key(key, i);
        name_value(value, i);
        good = finds(end, key, value, &seen[i]) && good;
    }
    return good;
}

static void all_keys(void)
{
    uint64_t packets, answers;
    bool good = new_table(8) && fill(keys()), alone = rig_node(KEEPER) == rig_node(0);
    uint64_t each = alone ? 2 : 1; /* the own node counts the packet there and the one back */

    packets = count_of(seeker, TERN_STAT_tx_packets);
    answers = count_of(keeper, TERN_STAT_tx_packets);
    good = find_all(seeker) && good;
    packets = count_of(seeker, TERN_STAT_tx_packets) - packets;
    answers = count_of(keeper, TERN_STAT_tx_packets) - answers;
    tap(good && packets == each * keys() && answers == each * keys(),
        "each key is found by one packet there and one back (%u keys)", keys());
    tap_evidence("B7.3", "keys=%u packets_out=%llu packets_back=%llu", keys(),
                 (unsigned long long)packets, (unsigned long long)answers);
    tap(find_all(seeker), "who knows where a record stood finds it there");
    tap(misses("no such key", nowhere, 0, TERN_ST_NOT_FOUND),
        "a key that is not there is not found");
    memset(seen, 0, sizeof(seen));
    tap(find_all(keeper), "a node finds what is in its own memory");
}

static void changes(void)
{
    struct tern_table_seen at = nowhere, before;
    bool good = new_table(4) && fill(20) && set("it", "first") && finds(seeker, "it", "first", &at);

    before = at;
    good = good && set("it", "second") && misses("it", before, 0, TERN_ST_STALE_POINTER);
    at = nowhere;
    tap(good && finds(seeker, "it", "second", &at) && at.place != before.place,
        "a record that has moved is not taken for what it was, and its bucket says where it is");
    at = nowhere;
    tap(set("it", "") && finds(seeker, "it", "", &at), "a value may be empty");
    good = tern_table_remove(&table, "it", 2) == 0;
    tap(good && misses("it", before, 0, TERN_ST_STALE_POINTER) &&
        misses("it", at, 0, TERN_ST_STALE_POINTER) &&
            misses("it", nowhere, 0, TERN_ST_NOT_FOUND),
        "one that was taken out is not found, not even where it was");
    at = (struct tern_table_seen){UINT32_MAX, 1};
    tap(misses("key-3", at, 0, TERN_ST_BAD_RANGE), "a place outside the table is told");
    tap(finds(seeker, "key-3",
              "value 3" "                                                                          "
                        " ", &(struct tern_table_seen){0}),
                            "what is beside those that changed is found");
}

/* All keys in one bucket; a lookup at the place of another key's record does not walk on. */
static void long_rows(void)
{
    struct tern_table_seen first = nowhere, last = nowhere;
    bool good = new_table(0) && fill(30);

    tap(finds(seeker, "key-0", "value 0", &first) && finds(seeker, "key-28", "value 28", &last) &&
            misses("key-7", first, 0, TERN_ST_TOO_FAR) &&
            finds(seeker, "key-29", "value 29                         ",
                  &(struct tern_table_seen){0}),
        "where another key's record stands no other is found");
    tap(good && finds(seeker, "key-0", "value 0", &(struct tern_table_seen){0}) &&
            finds(seeker, "key-28", "value 28", &(struct tern_table_seen){0}),
        "of a bucket with many records the first and the last are found");
    tap(misses("key-28", nowhere, 1, TERN_ST_TOO_FAR) &&
        misses("key-28", nowhere, 29, TERN_ST_TOO_FAR) &&
            misses("none", nowhere, 30, TERN_ST_TOO_FAR) &&
            misses("none", nowhere, 31, TERN_ST_NOT_FOUND),
        "no more of them are looked at than allowed");
}

/* A record larger than a packet: its beginning arrives, and gives the length of the whole. */
static void long_records(void)
{
    static char value[2000];
    struct tern_completion done;
    struct tern_table_record record = {0};
    uint8_t *all = seeker->buffer + RIG_BUFFER / 2;
    bool good;

    rig_fill((uint8_t *)value, sizeof(value), 5);
    good = new_table(2) && tern_table_set(&table, "long", 4, value, sizeof(value)) == 0;
    done = ends_with(seeker, look_up(seeker, 0, "long", nowhere, 0));
    good = good && is(&done, TERN_ST_OK, "long") &&
           tern_table_record_read(seeker->buffer, ROOM, "long", strlen("long"), &record) == 0 &&
           !record.whole &&
           record.value_bytes == sizeof(value) && !memcmp(record.value, value, ROOM - NODE - 4);
    done = ends_with(seeker,
                     tern_read(seeker->sq,
                               tern_region_pointer(memory_region, (uint64_t)record.at.place * NODE),
                                       seeker->region, all, NODE + 4 + sizeof(value),
                                       TERN_DFLAG_SIGNAL, 0));
    tap(good && done.status == TERN_ST_OK &&
            tern_table_record_read(all, NODE + 4 + sizeof(value), "long", strlen("long"),
                                   &record) == 0 && record.whole &&
            !memcmp(record.value, value, sizeof(value)),
        "a record of more than a packet is read by its place");
}

/* ---- chases */

/* Linked nodes are not adjacent, and each is followed by other bytes. */
static uint8_t *node_at(unsigned i)
{
    return memory + (size_t)NODE * (3 * (size_t)i + 2);
}

static uint64_t link_to(unsigned i, bool from_start)
{
    uint64_t addr = (uintptr_t)node_at(i);

    return tern_link(from_start ? addr - (uintptr_t)memory : addr, (uint16_t)(100 + i));
}

static void new_node(unsigned i, uint64_t key)
{
    memset(node_at(i), (int)i, 3 * NODE);
    tern_linked_init(node_at(i), key, (uint16_t)(100 + i));
}

/* Keys that differ only in their high half, or only in their low half. */
static uint64_t list_key(unsigned i)
{
    return i & 1 ? (uint64_t)(i + 1) << 32 | 5 : i + 1;
}

static void new_list(unsigned nodes, bool from_start)
{
    for (unsigned i = 0; i < nodes; i++) {
        new_node(i, list_key(i));
        if (i > 0)
            tern_linked_set_less(node_at(i - 1), link_to(i, from_start));
    }
}

static struct tern_chase chase_of(uint64_t key, unsigned nodes)
{
    return (struct tern_chase){.key = key, .nodes = (uint8_t)nodes, .generation = 100};
}

static struct tern_completion chase_bytes(struct tern_chase chase, unsigned flags, uint32_t bytes)
{
    struct tern_rptr from = tern_region_pointer(memory_region, (uint64_t)(node_at(0) - memory));

    if (flags & TERN_DFLAG_OFFSET)
        TERN_SET(RPTR, addr, from.w, (uint64_t)(node_at(0) - memory));
    memset(seeker->buffer, MARK, bytes + 1);
    return ends_with(seeker,
                     tern_chase(seeker->sq, from, &chase, seeker->region, seeker->buffer, bytes,
                                        TERN_DFLAG_SIGNAL | flags, 0));
}

static bool chased(struct tern_chase chase, unsigned flags, enum tern_status status, unsigned node)
{
    struct tern_completion done = chase_bytes(chase, flags, BROUGHT);

    if (!is(&done, status, "chase") || seeker->buffer[BROUGHT] != MARK)
        return false;
    return status == TERN_ST_OK ? done.length == BROUGHT &&
        !memcmp(seeker->buffer, node_at(node), BROUGHT)
                                : seeker->buffer[0] == MARK;
}

static void lists(bool from_start)
{
    const unsigned flags = from_start ? TERN_DFLAG_OFFSET : 0;
    bool found = true, bounded = true, ended = true;

    for (unsigned nodes = 1; nodes <= LIST_NODES; nodes++) {
        new_list(nodes, from_start);
        found = chased(chase_of(list_key(nodes - 1), nodes), flags, TERN_ST_OK, nodes - 1) && found;
        if (nodes > 1)
            bounded = chased(chase_of(list_key(nodes - 1), nodes - 1), flags, TERN_ST_TOO_FAR,
                             0) && bounded;
        ended = chased(chase_of(99, nodes), flags, TERN_ST_NOT_FOUND, 0) && ended;
    }
    tap(found, "a chase finds the last node of a list of 1 to %u%s", LIST_NODES,
        from_start ? " whose links count from its start" : "");
    tap(bounded, "it goes no farther than it may");
    tap(ended, "it knows the end of a list");
    tern_linked_set_less(node_at(LIST_NODES - 1), link_to(3, from_start));
    tap(chased(chase_of(99, 255), flags, TERN_ST_TOO_FAR, 0), "a circle ends it, too");
    tern_linked_set_less(node_at(1), tern_link(UINT64_C(1) << 32, 102));
    tap(chased(chase_of(99, 255), flags, TERN_ST_NOT_FOUND, 0),
        "a link without a low word is none");
}

static void lengths(void)
{
    static const uint32_t lengths[] = {1, 7, 8, 31, NODE, NODE + 1, 64, 65, 128, 300, ROOM};
    bool good = true;

    new_list(20, false);
    for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
        struct tern_completion done = chase_bytes(chase_of(list_key(4), 5), 0, lengths[i]);

        good = is(&done, TERN_ST_OK, "length") && done.length == lengths[i] &&
               !memcmp(seeker->buffer, node_at(4), lengths[i]) &&
               seeker->buffer[lengths[i]] == MARK && good;
    }
    tap(good, "as many bytes come as were asked for");
}

static void generations(void)
{
    struct tern_chase chase = chase_of(list_key(5), LIST_NODES);
    bool good;

    new_list(20, false);
    chase.generation = 7;
    good = chased(chase, 0, TERN_ST_STALE_POINTER, 0);
    chase.generation = 0;
    tap(good && chased(chase, 0, TERN_ST_OK, 5),
        "the first node is of the generation that is wanted, or any");
    tern_linked_set_generation(node_at(5), 106);
    good = chased(chase, 0, TERN_ST_STALE_POINTER, 0);
    tern_linked_set_less(node_at(4), tern_link((uintptr_t)node_at(5), 0));
    tap(good && chased(chase, 0, TERN_ST_OK, 5),
        "a link of an older generation leads nowhere, one without any to whatever is there");
    /* Looks for the first linked node of the second lot. */
    chase.key = list_key(TERN_LOOKUP_LOT);
    good = chased(chase, 0, TERN_ST_OK, TERN_LOOKUP_LOT);
    tern_linked_set_generation(node_at(TERN_LOOKUP_LOT), 1);
    tap(good && chased(chase, 0, TERN_ST_STALE_POINTER, 0),
        "that is so wherever others had their turn, too");
}

/* Keys of a tree that differ in both halves; the greatest is all ones. */
static uint64_t tree_key(unsigned i)
{
    return i * UINT64_C(0x1111111111111111);
}

static unsigned tree_node; /* nodes used so far */

static unsigned new_tree(unsigned low, unsigned high)
{
    unsigned middle = (low + high) / 2, node = tree_node++;

    new_node(node, tree_key(middle));
    if (low < middle)
        tern_linked_set_less(node_at(node), link_to(new_tree(low, middle - 1), false));
    if (middle < high)
        tern_linked_set_more(node_at(node), link_to(new_tree(middle + 1, high), false));
    return node;
}

static void trees(void)
{
    struct tern_chase chase = chase_of(0, 4);
    bool good = true;

    tree_node = 0;
    (void)new_tree(1, TREE_NODES);
    chase.tree = true;
    for (unsigned node = 0; node < TREE_NODES; node++) {
        chase.key = TERN_GET(NOD, key, (const uint32_t *)(const void *)node_at(node));
        good = chased(chase, 0, TERN_ST_OK, node) && good;
        chase.key--;
        good = chased(chase, 0, TERN_ST_NOT_FOUND, 0) && good;
        chase.key += 2;
        if (chase.key != 0)
            good = chased(chase, 0, TERN_ST_NOT_FOUND, 0) && good;
    }
    tap(good, "a chase finds each key of a tree, and none between them");
    chase.nodes = 3;
    chase.key = tree_key(1);
    tap(chased(chase, 0, TERN_ST_TOO_FAR, 0), "it goes no deeper than it may");
    /* More nodes than a lot, always to the right. */
    for (unsigned i = 0; i < LIST_NODES; i++) {
        new_node(i, i + 1);
        tern_linked_set_less(node_at(i), link_to(0, false));
        if (i > 0)
            tern_linked_set_more(node_at(i - 1), link_to(i, false));
    }
    chase.key = chase.nodes = LIST_NODES;
    tap(chased(chase, 0, TERN_ST_OK, LIST_NODES - 1), "however deep it is");
}

/* ---- all at once */

static bool came(struct rig_end *end, unsigned *left)
{
    struct tern_completion done = rig_wait(end->cq);
    struct tern_table_record record;
    char key[32], value[200];
    unsigned i = (unsigned)(done.context >> 8);

    name_key(key, i);
    name_value(value, i);
    (*left)--;
    return is(&done, TERN_ST_OK, key) && brought(end, done.context & 0xff, key, value, &record);
}

static bool post(struct rig_end *end, unsigned slot, unsigned i)
{
    struct tern_table_lookup lookup;
    char key[32];

    name_key(key, i);
    lookup = lookup_of(end, slot, key);
    return tern_table_lookup(end->sq, &lookup, TERN_DFLAG_SIGNAL, (uint64_t)i << 8 | slot) == 0;
}

/*
 * Runs lookups at all nodes except `but`, `each` at a time, for `rounds`. Returns how many had to
 * be repeated.
 */
static bool at_once(unsigned but, unsigned each, unsigned rounds, uint64_t *refused)
{
    bool good = true;

    *refused = count_of(keeper, TERN_STAT_fw_rnr_sent);
    for (unsigned round = 0; round < rounds; round++) {
        unsigned left[RING_MAX];

        for (unsigned n = 0; n < ring(); n++) {
            left[n] = n == but ? 0 : each;
            for (unsigned slot = 0; slot < left[n]; slot++)
                good = post(&ends[n], slot, (round + 7 * slot + n) % 50) && good;
        }
        for (unsigned n = 0; good && n < ring(); n++)
            while (good && left[n] > 0)
                good = came(&ends[n], &left[n]);
    }
    *refused = count_of(keeper, TERN_STAT_fw_rnr_sent) - *refused;
    return good;
}

static void all_at_once(void)
{
    const unsigned rounds = rig_tier_is_soft() ? 50 : 3;
    uint64_t refused = 1;
    bool good = new_table(0) && fill(50) && at_once(KEEPER, 1, rounds, &refused);

    tap(good && refused == 0,
        "all nodes but one at once find in one bucket of that what they look for, and nobody is "
        "asked to come again");
    tap_evidence("B7.3", "clients=%u retries=%llu", ring() - 1, (unsigned long long)refused);
    good = at_once(KEEPER, SLOTS, rounds, &refused);
    tap(good, "so they do with as many as their queues hold");
    tap_note("with full queues: %llu asked to come again", (unsigned long long)refused);
    good = at_once(RING_MAX, SLOTS, 2, &refused);
    tap_note("with the node itself: %llu asked to come again", (unsigned long long)refused);
    tap(good, "so do all, one of them at itself");
}

/* ---- beside other operations */

enum { FLOODERS = 2, PUT_BYTES = 4000, MESSAGE = 24 };

static struct rig_end *const flooders[FLOODERS] = {&ends[1], &ends[3]};
static unsigned flood_ended, flood_failed;

static void flood_take(struct rig_end *end, bool wait)
{
    struct tern_completion done;
    int count = wait ? 1 : tern_cq_poll(end->cq, &done, 1);

    if (wait)
        done = rig_wait(end->cq);
    for (; count > 0; count = tern_cq_poll(end->cq, &done, 1)) {
        flood_ended++;
        flood_failed += done.status != TERN_ST_OK && done.status != TERN_ST_RNR;
    }
}

/* Posts as many puts and messages as fit. */
static unsigned flood(struct tern_rq *inbox, unsigned n)
{
    struct rig_end *end = flooders[n];
    struct tern_target to = {rig_node(KEEPER), tern_rq_number(inbox), n};
    struct tern_rptr at = rig_end_at(keeper, RIG_BUFFER / 2 + n * PUT_BYTES);
    unsigned posted = 0;

    flood_take(end, false);
    while (tern_put(end->sq, at, end->region, end->buffer, PUT_BYTES, TERN_DFLAG_SIGNAL, 0) == 0 &&
           ++posted && tern_send(end->sq, to, end->region, end->buffer, MESSAGE, TERN_DFLAG_SIGNAL,
                                 0) == 0)
        posted++;
    return posted;
}

static void empty_inbox(struct tern_cq *cq, struct tern_rq *inbox)
{
    struct tern_completion done;

    while (tern_cq_poll(cq, &done, 1) > 0)
        (void)tern_rq_release(inbox, 1);
}

static void beside_floods(void)
{
    const unsigned rounds = rig_tier_is_soft() ? 100 : 6;
    struct tern_cq *cq;
    struct tern_rq *inbox;
    unsigned posted = 0;
    bool good = new_table(4) && fill(50);

    if (tern_cq_create(keeper->device, 6, 0, &cq) ||
        tern_rq_create(cq, 3, 6, TERN_QUEUE_ANY, &inbox)) {
        tap(false, "an inbox");
        return;
    }
    flood_ended = flood_failed = 0;
    for (unsigned round = 0; good && round < rounds; round++) {
        unsigned left = SLOTS / 2;

        for (unsigned n = 0; n < FLOODERS; n++)
            posted += flood(inbox, n);
        for (unsigned slot = 0; slot < SLOTS / 2; slot++)
            good = post(seeker, slot, (round + 7 * slot) % 50) && good;
        while (good && left > 0) {
            empty_inbox(cq, inbox);
            good = came(seeker, &left);
        }
    }
    while (flood_ended < posted) {
        empty_inbox(cq, inbox);
        for (unsigned n = 0; n < FLOODERS; n++)
            flood_take(flooders[n], false);
    }
    tap(good && posted > 0 && flood_failed == 0,
        "lookups beside floods of puts and messages to the same node are all answered");
    tap_note("%u puts and messages meanwhile", posted);
    tap(!tern_rq_destroy(inbox) && !tern_cq_destroy(cq), "the flood leaves nothing behind");
}

/* Another node makes the bucket lead to one of two records, repeatedly. */
static void links_written_from_afar(void)
{
    const unsigned rounds = rig_tier_is_soft() ? 1000 : 60;
    struct tern_rptr bucket_link = tern_region_pointer(memory_region, TERN_NOD_less_WORD * 4);
    struct tern_table_seen at[2] = {{0}, {0}};
    unsigned found[2] = {0};
    struct tern_table_record record;
    bool good = new_table(0) && set("k", "0") && finds(seeker, "k", "0", &at[0]) && set("k", "1") &&
                finds(seeker, "k", "1", &at[1]);

    tern_linked_set_generation(memory + (size_t)at[0].place * NODE, at[0].generation);
    for (unsigned i = 0; good && i < rounds; i++) {
        uint64_t link = tern_link((uintptr_t)memory + (uint64_t)at[i & 1].place * NODE,
                                  at[i & 1].generation);
        struct tern_completion done;

        good = tern_put_inline(ends[1].sq, bucket_link, &link, sizeof(link), TERN_DFLAG_SIGNAL,
                               0) == 0;
        done = ends_with(seeker, look_up(seeker, 0, "k", nowhere, 2));
        good = is(&done, TERN_ST_OK, "k") &&
            tern_table_record_read(seeker->buffer, ROOM, "k", 1, &record) == 0 && record.whole &&
               rig_wait(ends[1].cq).status == TERN_ST_OK && good;
        found[good && *record.value == '1']++;
    }
    tap(good, "a link that is written from afar meanwhile is the old one or the new one (%u, %u)",
        found[0], found[1]);
}

int main(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", rig_tier_is_soft() ? "9x1x1" : "4x1x1", NULL});
    for (unsigned n = 0; n < ring(); n++)
        rig_end_open(&ends[n], &rig, n);
    memory = aligned_alloc(4096, TABLE_BYTES);
    if (!memory || tern_register(keeper->device, memory, TABLE_BYTES,
                                 TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE,
                                 &memory_region)) {
        tap(false, "memory");
    } else {
        all_keys();
        changes();
        long_rows();
        long_records();
        lists(false);
        lists(true);
        lengths();
        generations();
        trees();
        all_at_once();
        beside_floods();
        links_written_from_afar();
    }
    for (unsigned n = 0; n < ring(); n++)
        rig_end_close(&ends[n]);
    free(memory);
    rig_stop(&rig);
    return tap_end();
}
