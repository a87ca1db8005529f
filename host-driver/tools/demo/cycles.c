/* SPDX-License-Identifier: Apache-2.0 */
/*
 * demo-cycles PART ...: measures the figures in cycles that `make demo` prints.
 *
 * The demo runs separate processes, whose speed depends on the scheduling of the machine. This
 * program runs the same operations with simulator and host software in one process, in which
 * simulated time passes only while the software waits for a NIC. So every run gives the same
 * figures, on every machine and under any load.
 *
 *   demo-cycles put FIRMWARE FILE NODES    the file from node 0 to node 1 of a ring
 *   demo-cycles bcast FIRMWARE FILE        the file from node 0.0.0 of a torus 2x2x2 to the seven
 *   others
 *   demo-cycles lock FIRMWARE ROUNDS       eight nodes take turns at a lock in the memory of the
 *   first
 *   demo-cycles table FIRMWARE KEYS        node 1 of a ring of two looks keys up in the memory of
 *   node 0
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <tern/atomic.h>
#include <tern/group.h>
#include <tern/read.h>
#include <tern/table.h>

#include "exits.h"
#include "firmware.h"
#include "measure.h"
#include "tern_sim.h"

enum {
    STEP_CYCLES = 64,      /* between two polls of waiting software */
    LIMIT_CYCLES = 400000000,
    PIECE_BYTES = 16384,   /* of a file, per descriptor */
    QUEUE_LOG2 = 5,
    LINK_BYTES = 8,        /* a cycle */
    NODE = TERN_NODE_BYTES,
    ROOM = 96,             /* maximum bytes of a record of the table */
    PUTS_ALONE = 32,
    TEXT_BYTES = 32
};

static struct tern_sim *sim;
static struct tern_device *devices[8];
static unsigned device_count;

/* ---- ends */

static void fail(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));

static void fail(const char *format, ...)
{
    va_list arguments;

    fprintf(stderr, "demo-cycles: ");
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(EXIT_BAD);
}

static void need(int status, const char *what)
{
    if (status < 0)
        fail("%s: %s", what, tern_strerror(status));
}

static void *room_for(size_t bytes)
{
    void *memory = aligned_alloc(4096, (bytes + 4096) / 4096 * 4096);

    if (!memory)
        fail("out of memory");
    return memset(memory, 0, bytes);
}

/* ---- NICs and hosts */

static int progress(void *none)
{
    (void)none;
    tern_sim_run(sim, STEP_CYCLES);
    for (unsigned i = 0; i < device_count; i++)
        tern_serve(devices[i]);
    return tern_sim_cycle(sim) > LIMIT_CYCLES;
}

/* Powers a torus on and opens all its nodes, 8 at most. */
static void start(const char *firmware, unsigned x, unsigned y, unsigned z)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES];
    uint8_t *bytes;
    int status;

    if (!tern_firmware_load(firmware, &bytes, &config.firmware_bytes, error, sizeof(error)))
        fail("%s", error);
    config.firmware = bytes;
    config.dims[0] = x, config.dims[1] = y, config.dims[2] = z;
    sim = tern_sim_create(&config, error, &status);
    if (!sim)
        fail("%s", error);
    free(bytes);
    for (unsigned n = 0; n < tern_sim_nodes(sim) && n < 8; n++) {
        need(tern_open_fd(tern_sim_connect(sim, n), progress, NULL, &devices[n]), "open");
        device_count = n + 1;
    }
}

static void stop(void)
{
    while (device_count > 0)
        tern_close(devices[--device_count]);
    tern_sim_destroy(sim);
}

struct queues {
    struct tern_cq *cq;
    struct tern_sq *sq;
};

static struct queues queues_of(unsigned node)
{
    struct queues q;

    need(tern_cq_create(devices[node], QUEUE_LOG2, TERN_CQ_POLLED, &q.cq), "completion queue");
    need(tern_sq_create(q.cq, QUEUE_LOG2, &q.sq), "send queue");
    return q;
}

/* Waits for the next completion, which must be OK. */
static struct tern_completion await(struct tern_cq *cq)
{
    struct tern_completion done;
    int got;

    while ((got = tern_cq_poll(cq, &done, 1)) == 0)
        need(tern_cq_wait(cq, -1), "wait");
    need(got, "poll");
    need(-(int)done.status, "operation");
    return done;
}

static uint8_t *file_bytes(const char *path, size_t *count)
{
    char error[TERN_SIM_ERROR_BYTES];
    uint8_t *bytes;

    if (!tern_firmware_load(path, &bytes, count, error, sizeof(error)))
        fail("%s", error);
    return bytes;
}

/* ---- lines of the table */

static void row(const char *name, uint64_t value)
{
    printf("  %-36s %12" PRIu64 "\n", name, value);
}

/* Returns the bytes on the wire for `bytes` in pieces, each in packets with header and trailer. */
static uint64_t wire_bytes(uint64_t bytes, uint64_t max_payload)
{
    uint64_t wire = 0;

    for (uint64_t left = bytes; left > 0;) {
        uint64_t payload = left < max_payload ? left : max_payload;

        wire += TERN_PKT_HEADER_BYTES + ((payload + 7) & ~UINT64_C(7)) + TERN_PKT_TRAILER_BYTES;
        left -= payload;
    }
    return wire;
}

/*
 * Prints the rows of a transfer. The frame limit is the bytes per cycle of a link without headers
 * and trailers.
 */
static void rows_of_transfer(uint64_t bytes, uint64_t cycles)
{
    struct tern_info info;
    double rate = cycles ? (double)bytes / (double)cycles : 0, limit;

    need(tern_query(devices[0], &info), "query");
    limit = bytes ? LINK_BYTES * (double)bytes / (double)wire_bytes(bytes, info.max_payload)
        : LINK_BYTES;
    row("bytes", bytes);
    row("cycles", cycles);
    printf("  %-36s %12.3f\n", "bytes per cycle", rate);
    printf("  %-36s %12.1f\n", "% of the frame limit", 100 * rate / limit);
}

/* ---- put */

/* Posts the next piece of the file; false when there is none, or no room for it. */
typedef bool post_piece(struct tern_sq *sq, uint64_t at, uint32_t bytes, void *arg);

/* Returns the cycles from before the first piece is posted until the last one completes. */
static uint64_t move_pieces(struct queues q, uint64_t bytes, post_piece *post, void *arg)
{
    uint64_t posted = 0, ended = 0, before, after;

    need(tern_cycles(devices[0], &before), "cycles");
    while (ended < bytes) {
        while (posted < bytes) {
            uint32_t piece = bytes - posted < PIECE_BYTES ? (uint32_t)(bytes - posted)
                : PIECE_BYTES;

            if (!post(q.sq, posted, piece, arg))
                break;
            posted += piece;
        }
        ended += await(q.cq).length;
    }
    need(tern_cycles(devices[0], &after), "cycles");
    return after - before;
}

struct put_place {
    struct tern_rptr to;
    struct tern_region *from;
    const uint8_t *bytes;
};

static bool post_put(struct tern_sq *sq, uint64_t at, uint32_t bytes, void *arg)
{
    const struct put_place *place = arg;
    int status = tern_put(sq, tern_rptr_add(place->to, at), place->from, place->bytes + at, bytes,
                          TERN_DFLAG_SIGNAL, 0);

    if (status != -TERN_ST_AGAIN)
        need(status, "put");
    return !status;
}

/* Times puts of 8 bytes, each with nothing else in flight. */
static void put_alone(struct queues q, struct tern_rptr to)
{
    static const uint64_t word = 1;

    for (int i = 0; i < PUTS_ALONE; i++) {
        tern_sim_run(sim, 1024);
        need(tern_put_inline(q.sq, to, &word, sizeof(word), TERN_DFLAG_SIGNAL, 0), "put");
        await(q.cq);
    }
    tern_sim_run(sim, 1024);
}

static void rows_of_chip(const struct tern_measure *measure)
{
    struct tern_measure_firmware firmware = tern_measure_firmware(measure);
    struct tern_measure_put put = tern_measure_put(measure);

    if (!put.seen || !firmware.count)
        fail("the trace ports showed no put");
    row("8-byte put, doorbell to memory", put.total);
    row("  doorbell", put.doorbell);
    row("  firmware", put.firmware);
    row("  payload", put.read);
    row("  wire", put.wire);
    row("  deposit", put.deposit);
    row("firmware per descriptor", firmware.median);
}

static void part_put(char **args)
{
    struct tern_measure *measure;
    struct put_place place;
    struct tern_region *there;
    struct queues q;
    uint64_t cycles;
    size_t bytes;
    uint8_t *memory;

    start(args[0], (unsigned)strtoul(args[2], NULL, 10), 1, 1);
    q = queues_of(0);
    place.bytes = file_bytes(args[1], &bytes);
    memory = room_for(bytes + 8);
    need(tern_register(devices[0], (void *)(uintptr_t)place.bytes, bytes + 1,
                       TERN_RIGHT_LOCAL_READ, &place.from), "register");
    need(tern_register(devices[1], memory, bytes + 8, TERN_RIGHT_REMOTE_WRITE, &there), "register");
    place.to = tern_region_pointer(there, 0);
    cycles = move_pieces(q, bytes, post_put, &place);
    if (memcmp(memory, place.bytes, bytes) != 0)
        fail("the copy differs from the file");
    rows_of_transfer(bytes, cycles);
    measure = tern_measure_new(sim);
    if (!measure)
        fail("out of memory");
    put_alone(q, place.to);
    rows_of_chip(measure);
    stop();
    tern_measure_free(measure);
    free(memory);
    free((void *)(uintptr_t)place.bytes);
}

/* ---- broadcast */

struct bcast_place {
    struct tern_group *group;
    struct tern_region *from;
};

static bool post_bcast(struct tern_sq *sq, uint64_t at, uint32_t bytes, void *arg)
{
    const struct bcast_place *place = arg;
    int status = tern_bcast(sq, place->group, place->from, at, bytes, at, TERN_DFLAG_SIGNAL, 0);

    if (status != -TERN_ST_AGAIN)
        need(status, "broadcast");
    return !status;
}

static void part_bcast(char **args)
{
    struct bcast_place place;
    uint8_t *copies[8], *bytes;
    struct tern_info info;
    struct queues q;
    uint64_t cycles;
    uint32_t key;
    size_t count;

    start(args[0], 2, 2, 2);
    q = queues_of(0);
    bytes = file_bytes(args[1], &count);
    need(tern_query(devices[0], &info), "query");
    key = tern_group_key((uint16_t)(info.regions - 2), 1);
    for (unsigned n = 1; n < 8; n++) {
        struct tern_region *region;

        copies[n] = room_for(count + 1);
        need(tern_register_with(devices[n],
                                &(struct tern_region_attr){
                                    .addr = copies[n], .bytes = count + 1, .member = true,
                                        .key = key},
                                &region), "join");
    }
    need(tern_register(devices[0], bytes, count + 1, TERN_RIGHT_LOCAL_READ, &place.from),
         "register");
    need(tern_group_create(q.cq, tern_box_all(info.dims), key, count + 1, &place.group), "group");
    need(tern_group_open(place.group, NULL), "open group");
    cycles = move_pieces(q, count, post_bcast, &place);
    for (unsigned n = 1; n < 8; n++)
        if (memcmp(copies[n], bytes, count) != 0)
            fail("the copy of node %u differs from the file", n);
    row("receivers", 7);
    rows_of_transfer(count, cycles);
    stop();
    for (unsigned n = 1; n < 8; n++)
        free(copies[n]);
    free(bytes);
}

/* ---- lock */

enum lock_step { TAKE, READ, GIVE };

struct taker {
    struct queues q;
    enum lock_step step;
    uint64_t id, rounds_left;
};

struct lock {
    struct tern_rptr lock, counter;
    uint64_t attempts;
};

static void post_take(struct lock *lock, struct taker *t)
{
    lock->attempts++;
    t->step = TAKE;
    need(tern_compare_swap(t->q.sq, lock->lock, 0, t->id, TERN_DFLAG_SIGNAL, 0),
         "compare-and-swap");
}

/* Posts the next step of a process that takes the lock, given its last completion. */
static void go_on(struct lock *lock, struct taker *t, const struct tern_completion *done)
{
    uint64_t sum = done->value + 1;

    switch (t->step) {
    case TAKE:
        if (done->value != 0) {
            post_take(lock, t);
            return;
        }
        t->step = READ;
        need(tern_fetch_add(t->q.sq, lock->counter, 0, TERN_DFLAG_SIGNAL, 0), "read");
        return;
    case READ:
        t->step = GIVE;
        need(tern_put_inline(t->q.sq, lock->counter, &sum, sizeof(sum), 0, 0), "put");
        need(tern_swap(t->q.sq, lock->lock, 0, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0), "swap");
        return;
    case GIVE:
        if (--t->rounds_left > 0)
            post_take(lock, t);
        return;
    }
}

static bool all_done(const struct taker *takers)
{
    for (unsigned n = 0; n < 8; n++)
        if (takers[n].rounds_left > 0)
            return false;
    return true;
}

static void part_lock(char **args)
{
    _Alignas(8) static volatile uint64_t words[2];
    uint64_t rounds = strtoull(args[1], NULL, 10), before, after;
    struct tern_region *region;
    struct taker takers[8];
    struct lock lock = {0};

    start(args[0], 2, 2, 2);
    need(tern_register(devices[0], (void *)(uintptr_t)words, sizeof(words),
                       TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE, &region), "register");
    lock.lock = tern_region_pointer(region, 0);
    lock.counter = tern_region_pointer(region, 8);
    for (unsigned n = 0; n < 8; n++)
        takers[n] = (struct taker){.q = queues_of(n), .id = n + 1, .rounds_left = rounds};
    need(tern_cycles(devices[0], &before), "cycles");
    for (unsigned n = 0; n < 8; n++)
        post_take(&lock, &takers[n]);
    while (!all_done(takers)) {
        struct tern_completion done;

        for (unsigned n = 0; n < 8; n++)
            if (tern_cq_poll(takers[n].q.cq, &done, 1) > 0) {
                need(-(int)done.status, "operation");
                go_on(&lock, &takers[n], &done);
            }
        if (progress(NULL))
            fail("the lock is not had for too long");
    }
    need(tern_cycles(devices[0], &after), "cycles");
    if (words[1] != 8 * rounds || words[0] != 0)
        fail("the count is %" PRIu64, words[1]);
    row("turns measured", words[1]);
    row("attempts to take the lock", lock.attempts);
    row("cycles", after - before);
    row("cycles per turn", (after - before) / words[1]);
    stop();
}

/* ---- table */

struct seeker {
    struct queues q;
    struct tern_region *region;
    struct tern_table_pointer table;
    _Alignas(NODE) uint8_t room[ROOM];
    uint64_t round_trips;
};

static void seek_by_lookup(struct seeker *s, uint64_t hash)
{
    const struct tern_table_lookup lookup = {.table = s->table, .hash = hash, .region = s->region,
                                             .to = s->room, .room = ROOM};

    need(tern_table_lookup(s->q.sq, &lookup, TERN_DFLAG_SIGNAL, 0), "lookup");
    await(s->q.cq);
    s->round_trips++;
}

static void seek_by_reads(struct seeker *s, uint64_t hash, const char *key)
{
    struct tern_rptr at = tern_table_bucket(&s->table, hash);
    struct tern_table_record record;
    uint32_t bytes = NODE;

    do {
        need(tern_read(s->q.sq, at, s->region, s->room, bytes, TERN_DFLAG_SIGNAL, 0), "read");
        await(s->q.cq);
        s->round_trips++;
        if (bytes == ROOM && !tern_table_record_read(s->room, ROOM, key, strlen(key), &record))
            return;
        at = tern_link_follow(s->table.start, tern_linked_less(s->room));
        bytes = ROOM;
    } while (tern_linked_less(s->room) != 0);
}

/* Returns the cycles for all keys. */
static uint64_t seek_all(struct seeker *s, unsigned keys, bool by_reads)
{
    uint64_t before, after;

    s->round_trips = 0;
    need(tern_cycles(devices[1], &before), "cycles");
    for (unsigned i = 0; i < keys; i++) {
        struct tern_table_record record;
        char key[TEXT_BYTES];
        uint64_t hash = tern_table_hash(key, (size_t)snprintf(key, sizeof(key), "key-%u", i));

        if (by_reads)
            seek_by_reads(s, hash, key);
        else
            seek_by_lookup(s, hash);
        need(tern_table_record_read(s->room, ROOM, key, strlen(key), &record), key);
        if (!record.whole || record.value_bytes != sizeof(i) ||
            memcmp(record.value, &i, sizeof(i)) != 0)
            fail("%s has another value", key);
    }
    need(tern_cycles(devices[1], &after), "cycles");
    return after - before;
}

static void part_table(char **args)
{
    unsigned keys = (unsigned)strtoul(args[1], NULL, 10);
    static struct seeker s;
    struct tern_region *region;
    struct tern_table table;
    uint64_t trips, by_lookup, by_reads;
    uint8_t log2 = 0;
    size_t bytes;
    void *memory;

    if (keys == 0)
        fail("a table has at least one key");
    while (1u << log2 < keys)
        log2++;
    bytes = ((size_t)NODE << log2) + (size_t)(keys + 1) * ROOM;
    memory = room_for(bytes);
    start(args[0], 2, 1, 1);
    need(tern_table_init(&table, memory, bytes / NODE * NODE, log2, ROOM), "table");
    for (unsigned i = 0; i < keys; i++) {
        char key[TEXT_BYTES];
        size_t key_bytes = (size_t)snprintf(key, sizeof(key), "key-%u", i);

        need(tern_table_set(&table, key, key_bytes, &i, sizeof(i)), "table");
    }
    need(tern_register(devices[0], memory, bytes, TERN_RIGHT_REMOTE_READ, &region), "register");
    s.table = (struct tern_table_pointer){.start = tern_region_pointer(region, 0),
                                          .log2_buckets = log2};
    s.q = queues_of(1);
    need(tern_register(devices[1], s.room, sizeof(s.room), TERN_RIGHT_REMOTE_WRITE, &s.region),
         "register");
    by_lookup = seek_all(&s, keys, false);
    trips = s.round_trips;
    by_reads = seek_all(&s, keys, true);
    printf("  %-36s %12s %12s\n", "", "lookups", "reads");
    printf("  %-36s %12" PRIu64 " %12" PRIu64 "\n", "round trips", trips, s.round_trips);
    printf("  %-36s %12" PRIu64 " %12" PRIu64 "\n", "cycles per key", by_lookup / keys,
           by_reads / keys);
    stop();
    free(memory);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(char **args);
        int args;
    } parts[] = {{"put", part_put, 3}, {"bcast", part_bcast, 2}, {"lock", part_lock, 2},
                 {"table", part_table, 2}};

    for (size_t i = 0; argc > 1 && i < sizeof(parts) / sizeof(parts[0]); i++)
        if (!strcmp(argv[1], parts[i].name) && argc == parts[i].args + 2) {
            parts[i].run(argv + 2);
            return fflush(stdout) ? EXIT_BAD : EXIT_DONE;
        }
    fprintf(stderr,
            "usage: demo-cycles put FIRMWARE FILE NODES | bcast FIRMWARE FILE | lock FIRMWARE "
            "ROUNDS | "
                    "table FIRMWARE KEYS\n");
    return EXIT_USAGE;
}
