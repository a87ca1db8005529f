/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of changing another node's table on rtl, from the call to its completion, in a ring of
 * two, with a slab in stock; host software takes no time. The benchmark reads the clock between
 * polls, so figures have a resolution of some cycles.
 */
#include <tern/table_shared.h>

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "figures.h"

enum {
    SLAB = 192, VALUE = 80, BYTES = 1 << 20, LIFE = 1, WAIT_MS = 60000,
    BUCKETS_LOG2 = 0,   /* all keys are in one bucket */
    SCRATCH = 0,        /* offset in the origin's buffer */
    FOUND = 1 << 20,
};

const char source[] = "tests/bench/rtl/sets.c";
static const char *key = "the first key, 17";
enum { KEY = 17 };
static const struct tern_table_seen nothing = {0};

static struct lab lab;
static struct tern_table_shared table;
static struct tern_table_writer writer;

static void make_table(void)
{
    const struct tern_table_shape shape = {
        .log2_buckets = BUCKETS_LOG2, .sizes = 1, .size = {{SLAB, 1}}, .life = LIFE,
        .holder = {1, 1}, .secret = {.key = {1, 2}},
    };

    lab_must(tern_table_shared_init(&table, lab.target.buffer, BYTES, &shape), "table");
    tern_table_shared_at(&table, tern_region_pointer(lab.target.region, 0));
    writer = (struct tern_table_writer){
        .table = table, .holder = {2, 1}, .cq = lab.origin.cq, .sq = lab.origin.sq[0],
        .timeout_ms = WAIT_MS, .region = lab.origin.region,
        .scratch = lab.origin.buffer + SCRATCH,
    };
}

static struct tern_table_seen look_up(void)
{
    struct tern_table_find find = {
        .lookup = {
            .table = table.pointer, .hash = tern_table_shared_hash(&table, key, KEY),
            .region = lab.origin.region, .to = lab.origin.buffer + FOUND, .room = SLAB,
        },
        .key = key, .key_bytes = KEY,
    };

    lab_must(tern_table_find(lab.origin.sq[0], &find, 0), "find");
    lab_complete(&lab.origin, 1);
    if (!find.record.whole || find.record.value_bytes != VALUE)
        errx(1, "another record came");
    return find.record.at;
}

/* Polls at every step of the clock, as a host that only waits. */
static struct tern_completion next(void)
{
    struct tern_completion done;
    int polled;

    while ((polled = tern_cq_poll(lab.origin.cq, &done, 1)) == 0)
        tern_sim_run(lab.sim, 1);
    lab_must(polled, "poll");
    lab_must(-(int)done.status, "change");
    return done;
}

/* Measures a single change, and the packets of both sides. */
static void change(const char *id, bool blind, bool removes, const struct tern_table_seen *expected)
{
    static const char value[VALUE] = "a value";
    uint64_t out, back, start;
    char name[64], parameters[64];

    lab_must(tern_table_writer_stock(&writer, KEY, VALUE), "slab");
    lab_settle(&lab);
    out = packets(&lab.origin);
    back = packets(&lab.target);
    start = tern_sim_cycle(lab.sim);
    writer.blind = blind;
    lab_must(removes ? tern_table_shared_remove(&writer, key, KEY, expected, 7)
                     : tern_table_shared_set(&writer, key, KEY, value, VALUE, expected, 7),
             "change");
    if (next().context != 7)
        errx(1, "another completion came");
    snprintf(parameters, sizeof parameters, "r=%d hops=1 bytes=%d", HOST_LATENCY, VALUE);
    figure(id, (double)(tern_sim_cycle(lab.sim) - start), "cycles", parameters);
    lab_settle(&lab);
    snprintf(name, sizeof name, "%s_packets_out", id);
    figure(name, (double)(packets(&lab.origin) - out), "packets", parameters);
    snprintf(name, sizeof name, "%s_packets_back", id);
    figure(name, (double)(packets(&lab.target) - back), "packets", parameters);
}

int main(void)
{
    struct tern_table_seen at;

    lab_open(&lab, 2, 0);
    lab_queues(&lab, 1);
    make_table();
    change("set_first", false, false, &nothing);
    key = "another key of 17";
    change("set_new", false, false, &nothing);
    at = look_up();
    change("set_expected", false, false, &at);
    (void)look_up();
    change("set_known", false, false, NULL);
    change("set_blind", true, false, NULL);
    (void)look_up();
    change("set_remove", false, true, NULL);
    lab_close(&lab);
    return 0;
}
