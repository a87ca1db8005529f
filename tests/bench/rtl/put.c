/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cost of a put on rtl: latency by stage, goodput in steady state, firmware cycles.
 *
 * Frame limit: payload bytes divided by all bytes of full packets on the wire (header, payload,
 * padding, trailer). Goodput in steady state: bytes between the first and the last deposit of a
 * stream of messages, with at least 8 in flight; 100 % is the frame limit of a link of 8 bytes a
 * cycle.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures.h"

enum { LINK_BYTES = 8, SMALL = 64, SMALL_PUTS = 256, MESSAGES = 48, POSTED = 60 };

const char source[] = "tests/bench/rtl/put.c";

/* Returns the payload share of a message of `bytes` on the wire. */
static double frame_limit(uint32_t bytes, uint32_t max_payload)
{
    uint32_t full = bytes / max_payload, rest = bytes % max_payload;
    uint32_t wire = full * wire_bytes(max_payload) + (rest ? wire_bytes(rest) : 0);

    return (double)bytes / wire;
}

/* ---- latency */

/*
 * Makes a single put on queue `queue`: 8 bytes inline, or SMALL by reference. Returns the cycle of
 * the driver's write.
 */
static uint64_t put_alone(struct lab *lab, bool inlined, unsigned queue)
{
    struct tern_rptr to = tern_region_pointer(lab->target.region, 64);
    uint64_t start;

    lab_settle(lab);
    lab_watch(lab);
    start = tern_sim_cycle(lab->sim);
    if (inlined)
        lab_must(tern_put_inline(lab->origin.sq[queue], to, "12345678", 8, TERN_DFLAG_SIGNAL, 0),
                 "put");
    else
        lab_must(tern_put(lab->origin.sq[queue], to, lab->origin.region, lab->origin.buffer, SMALL,
                          TERN_DFLAG_SIGNAL, 0), "put");
    lab_complete(&lab->origin, 1);
    lab_settle(lab);
    return start;
}

/* Measures one put and prints its stages as rows `what`_*; returns its latency. */
static unsigned split(struct lab *lab, const char *what, bool inlined, unsigned queue,
                      const char *parameters)
{
    struct tern_measure_put put;
    char id[64];

    put_alone(lab, inlined, queue);
    put = tern_measure_put(lab->measure);
    if (!put.seen) {
        fprintf(stderr, "no put seen\n");
        exit(1);
    }
    snprintf(id, sizeof(id), "%s_latency", what);
    figure(id, put.total, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_doorbell", what);
    figure(id, put.doorbell, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_firmware", what);
    figure(id, put.firmware, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_read", what);
    figure(id, put.read, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_wire", what);
    figure(id, put.wire, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_deposit", what);
    figure(id, put.deposit, "cycles", parameters);
    snprintf(id, sizeof(id), "%s_without_firmware", what);
    figure(id, put.total - put.firmware, "cycles", parameters);
    return put.total;
}

/* ---- streams */

static void post_stream(struct lab *lab, uint32_t bytes, unsigned messages, unsigned queues,
                        unsigned flags)
{
    for (unsigned i = 0; i < messages; i++) {
        uint64_t offset = (uint64_t)i * bytes % (LAB_BYTES - bytes);
        unsigned signal = i + queues >= messages ? TERN_DFLAG_SIGNAL : flags;

        lab_must(tern_put(lab->origin.sq[i % queues],
                          tern_region_pointer(lab->target.region, offset), lab->origin.region,
                          lab->origin.buffer + offset, bytes, signal | TERN_MORE, i), "put");
    }
    for (unsigned i = 0; i < queues; i++)
        lab_must(tern_sq_flush(lab->origin.sq[i]), "flush");
}

static void goodput(struct lab *lab, const char *name, uint32_t bytes, uint32_t max_payload)
{
    unsigned packets = (bytes + max_payload - 1) / max_payload;
    double limit = frame_limit(bytes, max_payload);
    uint64_t cycles;
    char parameters[96];
    uint64_t start;

    lab_settle(lab);
    lab_watch(lab);
    post_stream(lab, bytes, MESSAGES, 1, 0);
    lab_complete(&lab->origin, 1);
    lab_run_until_deposits(lab, (uint64_t)MESSAGES * packets);
    cycles = lab->watch.last_deposit - lab->watch.first_deposit;
    snprintf(parameters, sizeof(parameters), "bytes=%u messages=%d frame_limit=%.4f", bytes,
             MESSAGES, limit);
    /* the first packet marks the start, so its bytes do not count */
    figure(name,
           100.0 * ((double)MESSAGES * bytes - (double)bytes / packets) /
               ((double)cycles * LINK_BYTES) / limit,
           "%limit", parameters);

    lab_settle(lab);
    lab_watch(lab);
    start = tern_sim_cycle(lab->sim);
    post_stream(lab, bytes, 1, 1, 0);
    lab_complete(&lab->origin, 1);
    lab_run_until_deposits(lab, packets);
    snprintf(parameters, sizeof(parameters), "bytes=%u frame_limit=%.4f", bytes, limit);
    figure("put_single_goodput",
           100.0 * bytes / ((double)(lab->watch.last_deposit - start) * LINK_BYTES) / limit,
           "%limit", parameters);
}

/* Busy cycles of the origin's core, and instructions, per small put in steady state. */
static void firmware_cost(struct lab *lab, const char *name, unsigned queues, unsigned flags)
{
    uint64_t instructions, busy, instructions_after, busy_after;
    char id[64], parameters[64];

    lab_queues(lab, queues);
    lab_settle(lab);
    lab_must(tern_core_counters(lab->origin.device, &instructions, &busy), "counters");
    lab_watch(lab);
    post_stream(lab, SMALL, SMALL_PUTS, queues, flags);
    lab_complete(&lab->origin, flags ? SMALL_PUTS : queues);
    lab_run_until_deposits(lab, SMALL_PUTS);
    lab_must(tern_core_counters(lab->origin.device, &instructions_after, &busy_after), "counters");
    snprintf(parameters, sizeof(parameters), "queues=%u bytes=%d puts=%d", queues, SMALL,
             SMALL_PUTS);
    snprintf(id, sizeof(id), "fw_cycles_per_%s", name);
    figure(id, (double)(busy_after - busy) / SMALL_PUTS, "cycles", parameters);
    snprintf(id, sizeof(id), "fw_instructions_per_%s", name);
    figure(id, (double)(instructions_after - instructions) / SMALL_PUTS, "instructions",
           parameters);
    snprintf(id, sizeof(id), "%s_rate", name);
    figure(id, (double)(lab->watch.last_deposit - lab->watch.first_deposit) / (SMALL_PUTS - 1),
           "cycles/put", parameters);
}

/* Prints how much longer a put by reference takes than an inline one, without its two reads. */
static void over_inline(unsigned inlined, unsigned by_reference, const char *parameters)
{
    figure("put_ref_64_over_inline", (double)by_reference - inlined - 2 * HOST_LATENCY, "cycles",
           parameters);
}

static void first_put(struct lab *lab)
{
    lab_must(tern_put_inline(lab->origin.sq[0], tern_region_pointer(lab->target.region, 0), "w", 1,
                             TERN_DFLAG_SIGNAL, 0),
             "the first put of a queue");
    lab_complete(&lab->origin, 1);
}

/*
 * The bus delays posted writes of the host and deposits by POSTED cycles each way: measures from
 * the driver's write to the bytes in memory. The other latencies begin and end at the host port.
 */
static void posted_latency(struct lab *lab, const char *id, bool inlined)
{
    uint64_t start;

    start = put_alone(lab, inlined, 0);
    figure(id, (double)(lab->watch.last_deposit + POSTED - start), "cycles", "posted=60 queues=1");
}

static void posted(void)
{
    struct lab lab;

    lab_open(&lab, 2, POSTED);
    first_put(&lab);
    posted_latency(&lab, "put_inline_8_posted_latency", true);
    posted_latency(&lab, "put_ref_64_posted_latency", false);
    lab_close(&lab);
}

static void latencies(struct lab *lab, unsigned queues)
{
    char parameters[32];
    unsigned inlined;

    lab_queues(lab, queues);
    snprintf(parameters, sizeof(parameters), "posted=0 queues=%u", queues);
    inlined = split(lab, "put_inline_8", true, queues - 1, parameters);
    over_inline(inlined, split(lab, "put_ref_64", false, queues - 1, parameters), parameters);
}

int main(void)
{
    struct tern_info info;
    struct lab lab;

    lab_open(&lab, 2, 0);
    lab_must(tern_query(lab.origin.device, &info), "query");
    first_put(&lab);
    latencies(&lab, 1);
    goodput(&lab, "put_goodput_64k", 64 << 10, info.max_payload);
    goodput(&lab, "put_goodput_4k", 4096, info.max_payload);
    goodput(&lab, "put_goodput_512", 512, info.max_payload);
    goodput(&lab, "put_goodput_64", SMALL, info.max_payload);
    firmware_cost(&lab, "put", 1, 0);
    firmware_cost(&lab, "put", LAB_QUEUES_MAX, 0);
    firmware_cost(&lab, "signalled_put", 1, TERN_DFLAG_SIGNAL);
    firmware_cost(&lab, "signalled_put", LAB_QUEUES_MAX, TERN_DFLAG_SIGNAL);
    latencies(&lab, LAB_QUEUES_MAX);
    lab_close(&lab);
    posted();
    return 0;
}
