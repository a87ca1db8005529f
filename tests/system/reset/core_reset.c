/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reset of one core, by its host or by its watchdog, and of one datapath: traffic through its node
 * goes on; packets, keys and acks from before the reset have no effect after it.
 *
 * A ring of five in this process, which advances time: every run is the same. Node 0 puts to node 2
 * by way of node 1. The test can stop to answer the NIC's messages to a host; that NIC then holds
 * deposits and their acks back.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "rig.h"
#include "rig_tier.h"
#include "tern_sim.h"

enum {
    NODES = 5,
    BUFFER = 1 << 19,
    PIECE = 4096,
    STEP_CYCLES = 64,
    LATENCY = 1000, /* cycles of a host read: a NIC awaits answers for 512 of them */
    WAIT_CYCLES = 6000000, /* a net: nothing here takes as long */
    WAIT_MS = 600000,
    SQ_LOG2 = 7,
    BATCH = 16,
    OPERATIONS = 64, /* entries of the operation table */
    OLD = 8 /* operations from before the reset */
};

struct host {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
    bool served;
};

static struct tern_sim *sim;
static struct host host[NODES];
static uint64_t deadline;

/* ---- the ring ---- */

static void need(int status, const char *what)
{
    if (!status)
        return;
    printf("not ok - %s: %s\n", what, tern_strerror(status));
    exit(EXIT_FAILURE);
}

static void run(uint64_t cycles)
{
    for (uint64_t end = tern_sim_cycle(sim) + cycles; tern_sim_cycle(sim) < end;) {
        tern_sim_run(sim, STEP_CYCLES);
        for (unsigned n = 0; n < NODES; n++)
            if (host[n].device && host[n].served)
                tern_serve(host[n].device);
    }
}

static int progress(void *arg)
{
    (void)arg;
    run(STEP_CYCLES);
    return tern_sim_cycle(sim) > deadline;
}

static void allow_time(void)
{
    deadline = tern_sim_cycle(sim) + WAIT_CYCLES;
}

static void attach(unsigned node, bool served)
{
    struct host *h = &host[node];

    allow_time();
    h->served = served;
    if (served)
        unsetenv("TERN_NO_PROCESS_VM");
    else
        setenv("TERN_NO_PROCESS_VM", "1", 1);
    need(tern_open_fd(tern_sim_connect(sim, node), progress, NULL, &h->device), "open");
    need(tern_query(h->device, &h->info), "query");
    need(tern_register(h->device, h->memory, BUFFER,
                       TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &h->region),
         "register");
    need(tern_cq_create(h->device, SQ_LOG2 + 1, TERN_CQ_POLLED, &h->cq), "completion queue");
    need(tern_sq_create(h->cq, SQ_LOG2, &h->sq), "send queue");
}

static void leave(unsigned node)
{
    tern_close(host[node].device);
    host[node].device = NULL;
}

static void *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    size_t room = 1 << 22;
    void *data = malloc(room);

    *bytes = file && data ? fread(data, 1, room, file) : 0;
    if (file)
        fclose(file);
    return data;
}

static void set_up(const char *firmware)
{
    struct tern_sim_config config = tern_sim_config_default();
    char error[TERN_SIM_ERROR_BYTES] = "";
    void *image = read_file(firmware, &config.firmware_bytes);
    int status;

    config.dims[0] = NODES;
    config.timing.host_latency = LATENCY;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.firmware = image;
    sim = tern_sim_create(&config, error, &status);
    free(image);
    if (!sim)
        printf("# %s\n", error);
    need(sim ? 0 : -TERN_ST_NO_MEMORY, "a simulator");
    for (unsigned n = 0; n < 3; n++) {
        host[n].memory = calloc(1, BUFFER);
        attach(n, true);
    }
    rig_fill(host[0].memory, BUFFER, 1);
}

static void tear_down(void)
{
    for (unsigned n = 0; n < 3; n++) {
        leave(n);
        free(host[n].memory);
    }
    tern_sim_destroy(sim);
}

/* ---- parts of the tests ---- */

static struct tern_rptr at(unsigned node, uint64_t offset)
{
    return tern_region_pointer(host[node].region, offset);
}

/* Puts `bytes` of node 0's memory to the same offset. */
static void post(struct tern_rptr to, uint32_t offset, uint32_t bytes, uint64_t context)
{
    need(tern_put(host[0].sq, to, host[0].region, host[0].memory + offset, bytes, TERN_DFLAG_SIGNAL,
                  context),
         "put");
}

/* Returns the next completion of node 0, with status WAIT_EXPIRED when there is none. */
static struct tern_completion next(void)
{
    struct tern_completion done = {.status = TERN_ST_WAIT_EXPIRED};
    int got = 0;

    allow_time();
    while (got == 0 && !tern_cq_wait(host[0].cq, WAIT_MS))
        got = tern_cq_poll(host[0].cq, &done, 1);
    return done;
}

static uint64_t stat_of(unsigned node, unsigned row)
{
    uint64_t stats[TERN_STAT_COUNT];

    allow_time();
    need(tern_stats(host[node].device, stats), "statistics");
    return stats[row];
}

static uint32_t state_of(unsigned node)
{
    struct tern_info info;
    uint32_t word = 0;

    need(tern_query(host[node].device, &info), "query");
    need(tern_reg_read(host[node].device, TERN_REG_STATUS, &word), "register");
    return word & 0xff;
}

static void await_state(unsigned node, uint32_t state)
{
    allow_time();
    while (state_of(node) != state)
        if (progress(NULL))
            need(-TERN_ST_TIMEOUT, "the core");
}

static void hold(unsigned node)
{
    need(tern_core_hold(host[node].device, true), "hold");
    await_state(node, TERN_FWSTATE_RESET);
}

static void let_go(unsigned node)
{
    need(tern_core_hold(host[node].device, false), "let go");
    await_state(node, TERN_FWSTATE_READY);
}

/* Puts a batch from node 0 to node 2; returns how many puts succeeded. */
static unsigned batch(uint32_t first)
{
    unsigned good = 0;

    for (uint32_t i = 0; i < BATCH; i++)
        post(at(2, (first + i) * PIECE), (first + i) * PIECE, PIECE, first + i);
    for (uint32_t i = 0; i < BATCH; i++) {
        struct tern_completion done = next();

        good += done.status == TERN_ST_OK && done.length == PIECE;
    }
    return good;
}

/* ---- traffic through the node ---- */

static void passing_traffic(void)
{
    uint64_t forwarded = stat_of(1, TERN_STAT_link_forwarded), naks = stat_of(0, TERN_STAT_rx_naks);
    uint8_t life = host[1].info.incarnation;
    unsigned held, booting = 0;

    hold(1);
    held = batch(0);
    tap(held == BATCH && state_of(1) == TERN_FWSTATE_RESET,
        "puts pass a node whose core is held in reset");
    need(tern_core_hold(host[1].device, false), "let go");
    for (uint32_t first = BATCH; first < 4 * BATCH; first += BATCH)
        booting += batch(first);
    await_state(1, TERN_FWSTATE_READY);
    tap(booting == 3 * BATCH && rig_holds(host[2].memory, 4 * BATCH * PIECE, 1),
        "puts pass a node whose core boots");
    leave(1);
    attach(1, true);
    forwarded = stat_of(1, TERN_STAT_link_forwarded) - forwarded;
    naks = stat_of(0, TERN_STAT_rx_naks) - naks;
    tap_evidence("K2.1", "passed=%" PRIu64 " naks=%" PRIu64 " timeouts=%" PRIu64, forwarded, naks,
                 stat_of(0, TERN_STAT_fw_timeouts));
    tap(forwarded >= (uint64_t)4 * BATCH * PIECE / host[0].info.max_payload && naks == 0 &&
            stat_of(0, TERN_STAT_fw_timeouts) == 0 && host[1].info.incarnation == life + 1,
        "nothing of it is refused or late");
}

/* ---- packets and keys from before the reset ---- */

static bool all_is(const uint8_t *bytes, size_t count, uint8_t value)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != value)
            return false;
    return true;
}

/*
 * A long put is in flight when the core of its target is reset: the NIC refuses what arrives
 * afterwards.
 */
static void packets_of_before(void)
{
    static uint8_t then[BUFFER];
    struct tern_rptr pointer = at(1, 0);
    struct tern_completion done;

    memset(host[1].memory, 0, BUFFER);
    post(pointer, 0, BUFFER, 1);
    allow_time();
    while (all_is(host[1].memory, PIECE, 0) && !progress(NULL))
        ;
    hold(1);
    run(2000); /* earlier accepted packets are written by now */
    memcpy(then, host[1].memory, BUFFER);
    done = next();
    let_go(1);
    run(2000);
    tap_evidence("K2.2", "status=%u deposited=%d untouched=%d", done.status,
                 !all_is(then, PIECE, 0), all_is(then + BUFFER - PIECE, PIECE, 0));
    tap(done.status == TERN_ST_STALE_NODE && done.context == 1 &&
            !memcmp(then, host[1].memory, BUFFER) && !all_is(then, PIECE, 0) &&
            all_is(then + BUFFER - PIECE, PIECE, 0),
        "packets of before a reset are refused after it");
    post(pointer, 0, 64, 2);
    done = next();
    tap(done.status == TERN_ST_STALE_NODE && !memcmp(then, host[1].memory, BUFFER),
        "pointers of before a reset are refused after it");
    leave(1);
    attach(1, true);
    post(at(1, 0), 0, PIECE, 3);
    done = next();
    tap(done.status == TERN_ST_OK && !memcmp(host[0].memory, host[1].memory, PIECE),
        "new pointers are good");
}

/* ---- acks from before the reset ---- */

static unsigned completions(void)
{
    struct tern_completion done[8];
    unsigned count = 0;
    int got;

    while ((got = tern_cq_poll(host[0].cq, done, 8)) > 0)
        count += (unsigned)got;
    return count;
}

/*
 * The old operations are deposited, and acked, only when new operations have their entries of the
 * operation table: if such an ack were accepted, it would complete a new operation before its data
 * has arrived.
 */
static void acks_of_before(void)
{
    uint64_t stale;
    unsigned early, good = 0;

    leave(1);
    leave(2);
    attach(1, false);
    attach(2, false);
    for (uint32_t i = 0; i < OLD; i++)
        post(at(2, i * 64), i * 64, 64, i);
    run(4000);
    hold(0);
    let_go(0);
    leave(0);
    attach(0, true);
    stale = stat_of(0, TERN_STAT_rx_stale_acks);
    memset(host[1].memory, 0, BUFFER);
    for (uint32_t i = OLD; i < OPERATIONS; i++) { /* entries are allocated in turn */
        post(at(0, BUFFER - 64), 0, 64, i);
        good += next().status == TERN_ST_OK;
    }
    for (uint32_t i = 0; i < OLD; i++)
        post(at(1, i * 64), i * 64, 64, 100 + i);
    run(20000);
    host[2].served = true;
    run(40000);
    early = completions();
    stale = stat_of(0, TERN_STAT_rx_stale_acks) - stale;
    tap_evidence("K2.3", "stale=%" PRIu64 " early=%u", stale, early);
    tap(early == 0 && stale == OLD && all_is(host[1].memory, OLD * 64, 0),
        "acks of before a reset complete nothing after it");
    host[1].served = true;
    for (uint32_t i = 0; i < OLD; i++)
        good += next().status == TERN_ST_OK;
    run(20000);
    tap(good == OPERATIONS && completions() == 0 &&
            !memcmp(host[0].memory, host[1].memory, OLD * 64),
        "operations of the new life complete once");
}

/* ---- hosts of the core that was reset ---- */

/*
 * The state of the old firmware is lost: the hosts get DISCONNECTED and do not wait for ever.
 */
static void hosts_are_told(void)
{
    struct tern_completion done = {0}, more;
    uint64_t stats[TERN_STAT_COUNT];
    int status, after;

    hold(1);
    need(tern_put_inline(host[1].sq, at(2, 0), host[1].memory, 8, TERN_DFLAG_SIGNAL, 77), "put");
    let_go(1);
    allow_time();
    do
        status = tern_cq_wait(host[1].cq, WAIT_MS);
    while (!status && tern_cq_poll(host[1].cq, &done, 1) == 0);
    after = tern_cq_poll(host[1].cq, &more, 1);
    tap_evidence("K2.5", "status=%u again=%d", done.status, after);
    tap(!status && done.status == TERN_ST_DISCONNECTED && done.context == 77 &&
            after == -TERN_ST_DISCONNECTED &&
            tern_stats(host[1].device, stats) == -TERN_ST_DISCONNECTED,
        "hosts of a core that was reset are told, once for each operation");
    leave(1);
    attach(1, true);
    need(tern_put_inline(host[1].sq, at(1, 0), host[1].memory, 8, TERN_DFLAG_SIGNAL, 78), "put");
    allow_time();
    while (!(status = tern_cq_wait(host[1].cq, WAIT_MS)) && tern_cq_poll(host[1].cq, &done, 1) == 0)
        ;
    tap(!status && done.status == TERN_ST_OK && done.context == 78, "who opens it again is served");
}

/* ---- the datapath ---- */

static bool path_busy(unsigned node)
{
    bool busy = false;

    need(tern_path_busy(host[node].device, &busy), "busy");
    return busy;
}

/* Tells whether `bytes` holds the pattern of `seed` up to a border of packets, then zeros. */
static bool is_cut_between_packets(const uint8_t *bytes, size_t count, uint32_t packet)
{
    size_t at = 0;

    while (at < count && !all_is(bytes + at, packet, 0))
        at += packet;
    return at > 0 && at < count && rig_holds(bytes, at, 1) && all_is(bytes + at, count - at, 0);
}

/*
 * The datapath of node 1 is reset while it sends a long put and node 0 sends one to it. After the
 * reset of its core alone its transmit unit would send to the end.
 */
static void datapath(void)
{
    static uint8_t then[BUFFER];
    uint64_t spoilt = stat_of(2, TERN_STAT_rx_bad_crc), late = stat_of(0, TERN_STAT_fw_timeouts);
    uint8_t life = host[1].info.incarnation;
    struct tern_completion done;
    unsigned good;

    memset(host[2].memory, 0, BUFFER);
    memcpy(host[1].memory, host[0].memory, BUFFER);
    need(tern_put(host[1].sq, at(2, 0), host[1].region, host[1].memory, BUFFER, TERN_DFLAG_SIGNAL,
                  5),
         "put");
    post(at(1, 0), 0, BUFFER, 6);
    allow_time();
    while (all_is(host[2].memory, PIECE, 0) && !progress(NULL))
        ;
    need(tern_path_reset(host[1].device), "reset");
    done = next();
    allow_time();
    while (path_busy(1) && !progress(NULL))
        ;
    tap(!path_busy(1) && state_of(1) == TERN_FWSTATE_RESET,
        "the reset of a datapath ends, and its core is held");
    tap(done.status == TERN_ST_STALE_NODE && done.context == 6,
        "a node whose datapath is reset refuses what arrives");
    run(2000); /* what is on the wires */
    memcpy(then, host[2].memory, BUFFER);
    run(4000);
    tap(!memcmp(then, host[2].memory, BUFFER) &&
            is_cut_between_packets(then, BUFFER, host[1].info.max_payload),
        "a datapath that is reset stops sending between two packets");
    good = batch(0);
    tap(good == BATCH && stat_of(2, TERN_STAT_rx_bad_crc) == spoilt &&
            stat_of(0, TERN_STAT_fw_timeouts) == late,
        "puts pass a node whose datapath was reset, and no packet is spoilt");
    let_go(1);
    leave(1);
    attach(1, true);
    tap(host[1].info.incarnation == (uint8_t)(life + 1), "its next life has the next number");
    good = 0;
    for (uint32_t i = 0; i < OPERATIONS; i++) {
        post(at(1, i * 64), i * 64, 64, i);
        need(tern_put(host[1].sq, at(2, i * 64), host[1].region, host[1].memory + i * 64, 64,
                      TERN_DFLAG_SIGNAL, i),
             "put");
    }
    for (uint32_t i = 0; i < OPERATIONS; i++)
        good += next().status == TERN_ST_OK;
    allow_time();
    for (uint32_t i = 0; i < OPERATIONS && !progress(NULL);)
        if (tern_cq_poll(host[1].cq, &done, 1) == 1)
            good += done.status == TERN_ST_OK && done.context == i++;
    tap(good == 2 * OPERATIONS && rig_holds(host[1].memory, OPERATIONS * 64, 1) &&
            rig_holds(host[2].memory, OPERATIONS * 64, 1),
        "after the reset of its datapath a node sends and receives in every slot");
}

/* ---- the watchdog ---- */

/* The firmware of this ring hangs in a descriptor of an opcode for this test. */
static void watchdog(void)
{
    uint8_t life = host[1].info.incarnation;
    unsigned good = 0, rounds = 0;
    uint64_t resets;

    need(tern_nop(host[1].sq, TERN_DFLAG_SIGNAL, 1), "nop");
    do
        good += batch((rounds++ % 4) * BATCH);
    while (state_of(1) == TERN_FWSTATE_READY && rounds < 200);
    while (state_of(1) != TERN_FWSTATE_READY && rounds < 200)
        good += batch((rounds++ % 4) * BATCH);
    leave(1);
    attach(1, true);
    resets = stat_of(1, TERN_STAT_core_resets);
    tap_evidence("K2.4", "resets=%" PRIu64 " passed=%u", resets, good);
    tap(resets == 1 && host[1].info.incarnation == life + 1 && good == rounds * BATCH &&
            rig_holds(host[2].memory, 4 * BATCH * PIECE, 1),
        "the watchdog resets a core that hangs, and traffic passes its node");
    post(at(1, 0), 0, PIECE, 9);
    tap(next().status == TERN_ST_OK && !memcmp(host[0].memory, host[1].memory, PIECE),
        "the node serves again");
}

int main(void)
{
    set_up("build/fw/tern-fw.elf");
    passing_traffic();
    packets_of_before();
    acks_of_before();
    hosts_are_told();
    datapath();
    tear_down();
    if (!rig_tier_is_soft()) { /* on soft the firmware is part of the simulator, and would hang
                                  it */
        set_up("build/fw/tern-fw-hang.elf");
        watchdog();
        tear_down();
    }
    return tap_end();
}
