/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of chases and lookups in tables of the next node on rtl, compared with remote reads for
 * the same purpose: latency by the number of links, the share of the bucket and of each stage, the
 * mutual delay of clients of one bucket, and the load of a stream of lookups on both cores.
 *
 * Latency: first beat of the doorbell to last beat of the completion, both at the host port of the
 * origin. Each visited node takes one read of host memory; the rest is called its cost here.
 */
#include <tern/read.h>
#include <tern/table.h>

#include <stdio.h>
#include <string.h>

#include <err.h>

#include "figures.h"

enum {
    NODE = TERN_NODE_BYTES,
    LINKS_MAX = 8,
    STREAM = 256,
    CLIENTS = 8,
    ROUNDS = 16, /* of each client */
    KEYS = 200,
    ROOM = 128,
    UNIT_TAG = 12,          /* tags of the atomic unit's reads */
    READ_TAGS_MASK = 0xfff8, /* tags of the transmit unit's reads */
    LANDING = 4 << 20, /* offset in the origin's buffer */
    LIST = 1 << 20,    /* offset in the target's buffer */
    APART = 4 * NODE
};

const char source[] = "tests/bench/rtl/lookup.c";

static const struct cut lookup_cuts[] = {
    {"doorbell", 0, TERN_TRACE_DB_FIRST, 0, 0},
    {"origin", 0, TERN_TRACE_TX_CMD, 0, 0},
    {"out", 1, TERN_TRACE_RX_GOOD, 0, 0},
    {"event", 1, TERN_TRACE_FW_POP, 0, 0},
    {"begin", 1, TERN_TRACE_RD_REQ, UNIT_TAG, 0xffff},
    {"node", 1, TERN_TRACE_RD_LAST, UNIT_TAG, 0xffff},
    {"found", 1, TERN_TRACE_FW_POP, 0, 0},
    {"ask", 1, TERN_TRACE_RD_REQ, 0, READ_TAGS_MASK},
    {"read", 1, TERN_TRACE_RD_LAST, 0, READ_TAGS_MASK},
    {"back", 0, TERN_TRACE_DEP_LAST, 0, 0},
    {"told", 0, TERN_TRACE_FW_POP, 0, 0},
    {"completion", 0, TERN_TRACE_HWR_FIRST, TERN_HWTAG_CQ, TERN_HWTAG_CQ},
    {0},
};

static struct lab lab;
static struct path path;
static struct tern_table table;

static uint8_t *landing(void)
{
    return lab.origin.buffer + LANDING;
}

static double finish(void)
{
    lab_complete(&lab.origin, 1);
    return path_latency(&path);
}

static void begin(void)
{
    lab_settle(&lab);
    path_begin(&path, lookup_cuts);
    memset(landing(), 0, ROOM);
}

/* ---- the same by remote reads */

static double read_latency(uint64_t from, uint32_t bytes)
{
    begin();
    lab_must(tern_read(lab.origin.sq[0], tern_region_pointer(lab.target.region, from),
                       lab.origin.region, landing(), bytes, TERN_DFLAG_SIGNAL, 0), "read");
    return finish();
}

/*
 * One read after the other, since each returns the address of the next node; without the host's own
 * time.
 */
static double reads_latency(unsigned nodes)
{
    double sum = 0;

    for (unsigned i = 0; i < nodes; i++)
        sum += read_latency(LIST + (uint64_t)i * APART, NODE);
    return sum;
}

/* ---- chases */

/* Node i of the list has key i + 1. */
static void write_list(void)
{
    uint8_t *at = lab.target.buffer + LIST;

    for (unsigned i = 0; i <= LINKS_MAX; i++) {
        tern_linked_init(at + i * APART, i + 1, 1);
        tern_linked_set_less(at + i * APART, tern_link((uintptr_t)at + (i + 1) * APART, 1));
    }
}

static double chase_latency(unsigned links)
{
    const struct tern_chase chase = {.key = links + 1, .nodes = LINKS_MAX + 1, .generation = 1};
    uint64_t key;
    double latency;

    begin();
    lab_must(tern_chase(lab.origin.sq[0], tern_region_pointer(lab.target.region, LIST), &chase,
                        lab.origin.region, landing(), NODE, TERN_DFLAG_SIGNAL, 0), "chase");
    latency = finish();
    memcpy(&key, landing(), sizeof key);
    if (key != links + 1)
        errx(1, "another node came");
    return latency;
}

static void chases(void)
{
    double first, before, latency = 0, most = 0;
    char parameters[96];

    first = before = chase_latency(0);
    snprintf(parameters, sizeof parameters, "r=%d hops=1", HOST_LATENCY);
    figure("chase_no_link_latency", first, "cycles", parameters);
    path_split(&path, "chase_no_link", parameters);
    for (unsigned links = 1; links <= LINKS_MAX; links++) {
        latency = chase_latency(links);
        snprintf(parameters, sizeof parameters, "r=%d hops=1 links=%u", HOST_LATENCY, links);
        figure("chase_latency", latency, "cycles", parameters);
        figure("chase_by_reads", reads_latency(links + 1), "cycles", parameters);
        most = latency - before > most ? latency - before : most;
        before = latency;
    }
    snprintf(parameters, sizeof parameters, "r=%d hops=1 links=1..%d most=%.0f", HOST_LATENCY,
             LINKS_MAX, most - HOST_LATENCY);
    figure_and_aim("chase_link_cost", (latency - first) / LINKS_MAX - HOST_LATENCY, "cycles",
                   parameters);
}

/* ---- lookups */

static void name(char key[16], unsigned i)
{
    snprintf(key, 16, "key-%u", i);
}

static void write_table(void)
{
    lab_must(tern_table_init(&table, lab.target.buffer, LIST, 10, ROOM), "table");
    for (unsigned i = 0; i < KEYS; i++) {
        char key[16];

        name(key, i);
        lab_must(tern_table_set(&table, key, strlen(key), "24 bytes are its value..", 24), "set");
    }
}

static void post(unsigned queue, unsigned i, struct tern_table_seen seen_at, uint8_t *to,
                 unsigned flags)
{
    struct tern_table_lookup lookup = {
        .table = {tern_region_pointer(lab.target.region, 0), table.log2_buckets},
        .seen = seen_at, .region = lab.origin.region, .to = to, .room = ROOM,
    };
    char key[16];

    name(key, i);
    lookup.hash = tern_table_hash(key, strlen(key));
    lab_must(tern_table_lookup(lab.origin.sq[queue], &lookup, flags, queue), "lookup");
}

static struct tern_table_seen expect(unsigned i, const uint8_t *at)
{
    struct tern_table_record record;
    char key[16];

    name(key, i);
    lab_must(tern_table_record_read(at, ROOM, key, strlen(key), &record), "record");
    if (!record.whole)
        errx(1, "a record that is not whole");
    return record.at;
}

static double lookup_latency(unsigned i, struct tern_table_seen *at)
{
    double latency;

    begin();
    post(0, i, *at, landing(), TERN_DFLAG_SIGNAL);
    latency = finish();
    *at = expect(i, landing());
    return latency;
}

/* Returns a key whose record is the first of its bucket. */
static unsigned first_of_its_bucket(void)
{
    for (unsigned i = 0;; i++) {
        struct tern_table_pointer pointer = {tern_region_pointer(lab.target.region, 0),
                                             table.log2_buckets};
        struct tern_rptr bucket;
        struct tern_table_record record;
        char key[16];

        name(key, i);
        bucket = tern_table_bucket(&pointer, tern_table_hash(key, strlen(key)));
        bucket = tern_link_follow(bucket,
                                  tern_linked_less((void *)(uintptr_t)TERN_GET(RPTR, addr,
                                  bucket.w)));
        if (tern_table_record_read((void *)(uintptr_t)TERN_GET(RPTR, addr, bucket.w), ROOM, key,
                                   strlen(key), &record) == 0)
            return i;
    }
}

static uint64_t count_of(const struct lab_end *end, unsigned stat)
{
    uint64_t values[TERN_STAT_COUNT];

    lab_must(tern_stats(end->device, values), "statistics");
    return values[stat];
}

static void one_lookup(void)
{
    const unsigned i = first_of_its_bucket();
    uint64_t out, back;
    struct tern_table_seen at = {0};
    double by_bucket, by_place, by_reads;
    char parameters[64];

    snprintf(parameters, sizeof parameters, "r=%d hops=1", HOST_LATENCY);
    out = count_of(&lab.origin, TERN_STAT_tx_packets);
    back = count_of(&lab.target, TERN_STAT_tx_packets);
    by_bucket = lookup_latency(i, &at);
    out = count_of(&lab.origin, TERN_STAT_tx_packets) - out;
    back = count_of(&lab.target, TERN_STAT_tx_packets) - back;
    by_place = lookup_latency(i, &at);
    path_split(&path, "kvget_place_known", parameters);
    by_reads = read_latency(0, NODE) + read_latency((uint64_t)at.place * NODE, ROOM);
    figure("kvget_latency", by_bucket, "cycles", parameters);
    figure("kvget_latency_place_known", by_place, "cycles", parameters);
    figure("kvget_by_reads", by_reads, "cycles", parameters);
    figure_and_aim("kvget_bucket_cost", by_bucket - by_place - HOST_LATENCY, "cycles", parameters);
    figure("kvget_packets_out", (double)out, "packets", parameters);
    figure("kvget_packets_back", (double)back, "packets", parameters);
}

/* ---- many */

static void stream(const char *how, struct tern_table_seen *at)
{
    struct core origin, target;
    uint64_t start, cycles;
    char id[64], parameters[64];

    lab_settle(&lab);
    origin = core(&lab.origin);
    target = core(&lab.target);
    start = tern_sim_cycle(lab.sim);
    for (unsigned i = 0; i < STREAM; i++)
        post(0, i % KEYS, at[i % KEYS], landing() + (size_t)i * ROOM,
             TERN_DFLAG_SIGNAL | TERN_MORE);
    lab_must(tern_sq_flush(lab.origin.sq[0]), "flush");
    lab_complete(&lab.origin, STREAM);
    cycles = tern_sim_cycle(lab.sim) - start;
    for (unsigned i = 0; i < STREAM; i++)
        at[i % KEYS] = expect(i % KEYS, landing() + (size_t)i * ROOM);
    snprintf(parameters, sizeof parameters, "lookups=%d r=%d", STREAM, HOST_LATENCY);
    snprintf(id, sizeof id, "kvget_%s_rate", how);
    figure(id, (double)cycles / STREAM, "cycles/operation", parameters);
    snprintf(id, sizeof id, "kvget_%s", how);
    cores(id, &lab, origin, target, STREAM, parameters);
}

/* All clients look up the same key, and repeat when all have been answered. */
static void clients(void)
{
    const unsigned i = first_of_its_bucket();
    const struct tern_table_seen nowhere = {0};
    uint64_t retries = count_of(&lab.target, TERN_STAT_fw_rnr_sent), start, cycles;
    char parameters[64];

    lab_settle(&lab);
    start = tern_sim_cycle(lab.sim);
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned queue = 0; queue < CLIENTS; queue++)
            post(queue, i, nowhere, landing() + (size_t)queue * ROOM, TERN_DFLAG_SIGNAL);
        lab_complete(&lab.origin, CLIENTS);
    }
    cycles = tern_sim_cycle(lab.sim) - start;
    for (unsigned queue = 0; queue < CLIENTS; queue++)
        (void)expect(i, landing() + (size_t)queue * ROOM);
    snprintf(parameters, sizeof parameters, "clients=%d lookups=%d r=%d", CLIENTS,
             CLIENTS * ROUNDS, HOST_LATENCY);
    figure("kvget_clients_rate", (double)cycles / (CLIENTS * ROUNDS), "cycles/operation",
           parameters);
    figure("kvget_retries", (double)(count_of(&lab.target, TERN_STAT_fw_rnr_sent) - retries),
           "refusals", parameters);
}

int main(void)
{
    static struct tern_table_seen at[KEYS];

    lab_open(&lab, 2, 0);
    lab_queues(&lab, CLIENTS);
    tern_sim_on_event(lab.sim, path_seen, &path);
    write_list();
    write_table();
    (void)chase_latency(1);
    chases();
    one_lookup();
    stream("bucket", at);
    stream("place_known", at);
    clients();
    lab_close(&lab);
    return 0;
}
