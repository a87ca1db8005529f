/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node that loses its power and gets it back: packets, pointers and acks of the life before do
 * nothing in the new one, though the chip has forgotten all that it knew; traffic of others goes on
 * when its links are up again.
 *
 * A ring of three in this process, which advances time.  A host that is not served answers none of
 * its NIC's messages, so that the NIC holds deposits and their acks back until it is.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    NODES = 3,
    BYTES = 1 << 16,
    PIECE = 64,
    OFF = 20000, /* cycles without power: neighbours see their links go down */
    SETTLE = 20000,
    LATENCY = 1000, /* cycles of a host read: a NIC awaits answers for 512 of them */
    SQ_LOG2 = 6,
    OLD = 8, /* operations of the life before */
    LIVES = 6
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

static struct host host[NODES];

static int progress(void *none)
{
    int over = rig_progress(none);

    for (unsigned n = 0; n < NODES; n++)
        if (host[n].device && host[n].served)
            tern_serve(host[n].device);
    return over;
}

static void run(uint64_t cycles)
{
    uint64_t end = tern_sim_cycle(rig_sim) + cycles;

    rig_allow_time();
    while (tern_sim_cycle(rig_sim) < end)
        progress(NULL);
}

static void attach(unsigned node, bool served)
{
    struct host *h = &host[node];

    rig_allow_time();
    h->served = served;
    if (served)
        unsetenv("TERN_NO_PROCESS_VM");
    else
        setenv("TERN_NO_PROCESS_VM", "1", 1);
    if (!h->memory)
        h->memory = aligned_alloc(4096, BYTES);
    rig_need(tern_open_fd(tern_sim_connect(rig_sim, node), progress, NULL, &h->device), "open");
    rig_need(tern_query(h->device, &h->info), "query");
    rig_need(tern_register(h->device, h->memory, BYTES,
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &h->region),
             "register");
    rig_need(tern_cq_create(h->device, SQ_LOG2 + 1, TERN_CQ_POLLED, &h->cq), "completion queue");
    rig_need(tern_sq_create(h->cq, SQ_LOG2, &h->sq), "send queue");
}

static void leave(unsigned node)
{
    tern_close(host[node].device);
    host[node].device = NULL;
}

/* The node's function is off after the power is back; the process opens it anew. */
static void power_cycle(unsigned node, bool served)
{
    if (!tern_sim_power_cycle(rig_sim, node, OFF))
        rig_need(-TERN_ST_NO_MEMORY, "power");
    run(OFF + SETTLE);
    leave(node);
    attach(node, served);
}

static struct tern_rptr at(unsigned node, uint64_t offset)
{
    return tern_region_pointer(host[node].region, offset);
}

static void post(unsigned node, struct tern_rptr to, uint32_t offset, uint64_t context)
{
    rig_need(tern_put(host[node].sq, to, host[node].region, host[node].memory + offset, PIECE,
                      TERN_DFLAG_SIGNAL, context),
             "put");
}

static unsigned put(unsigned node, struct tern_rptr to)
{
    post(node, to, 0, 1);
    return rig_next(host[node].cq).status;
}

static unsigned completions(unsigned node)
{
    struct tern_completion done[8];
    unsigned count = 0;
    int got;

    while ((got = tern_cq_poll(host[node].cq, done, 8)) > 0)
        count += (unsigned)got;
    return count;
}

static bool is_untouched(const struct host *h)
{
    for (unsigned i = 0; i < BYTES; i++)
        if (h->memory[i] != 0)
            return false;
    return true;
}

/* ---- lives ---- */

static void lives_go_on(void)
{
    uint8_t before = host[1].info.incarnation, last = before;
    unsigned good = 0;

    for (unsigned i = 0; i < LIVES; i++) {
        power_cycle(1, true);
        good += host[1].info.incarnation == last + 1;
        last = host[1].info.incarnation;
    }
    tap_evidence("K2.6", "first=%u last=%u", before, last);
    tap(before == 1 && good == LIVES, "a life after power-on has the next number");
}

/* ---- pointers and packets ---- */

static void pointers_of_before(void)
{
    struct tern_rptr old = at(1, 0);
    unsigned stale, fresh;

    tap(put(0, old) == TERN_ST_OK, "a pointer of this life is good");
    power_cycle(1, true);
    memset(host[1].memory, 0, BYTES);
    stale = put(0, old);
    tap(stale == TERN_ST_STALE_NODE && is_untouched(&host[1]),
        "pointers of before a power cycle are refused after it");
    fresh = put(0, at(1, 0));
    tap(fresh == TERN_ST_OK, "new pointers are good");
    tap_note("stale %u, fresh %u", stale, fresh);
}

/* ---- acks ---- */

/* Eight operations of a new life of node 0, whose target's host is not served. */
static void post_in_new_life(unsigned target, uint64_t *stale)
{
    power_cycle(0, true);
    *stale = rig_stat(host[0].device, TERN_STAT_rx_stale_acks);
    for (uint32_t i = 0; i < OLD; i++)
        post(0, at(target, i * PIECE), i * PIECE, i);
}

/*
 * Both lives do the same, so that the operations of each have the same entries in the chip's table,
 * of the same generation.  The acks of the first life come while the second life's are awaited.
 */
static void acks_of_before(void)
{
    uint64_t stale;
    unsigned early, good = 0;

    leave(1);
    leave(2);
    attach(1, false);
    attach(2, false);
    memset(host[1].memory, 0, BYTES);
    post_in_new_life(2, &stale);
    run(4000);
    post_in_new_life(1, &stale);
    run(4000);
    host[2].served = true;
    run(20000);
    early = completions(0);
    stale = rig_stat(host[0].device, TERN_STAT_rx_stale_acks) - stale;
    tap_evidence("K2.7", "stale=%" PRIu64 " early=%u", stale, early);
    tap(early == 0 && stale == OLD && is_untouched(&host[1]),
        "acks of before a power cycle complete nothing after it");
    host[1].served = true;
    for (uint32_t i = 0; i < OLD; i++)
        good += rig_next(host[0].cq).status == TERN_ST_OK;
    tap(good == OLD, "operations of the new life complete once");
}

/* ---- others ---- */

static void others_go_on(void)
{
    unsigned around;

    leave(1);
    leave(2);
    attach(1, true);
    attach(2, true);
    around = put(2, at(0, 0));
    power_cycle(1, true);
    tap(around == TERN_ST_OK && put(2, at(0, 0)) == TERN_ST_OK && put(0, at(1, 0)) == TERN_ST_OK &&
            put(1, at(2, 0)) == TERN_ST_OK,
        "all nodes reach each other after the power is back");
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = NODES;
    config.timing.host_latency = LATENCY;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    rig_sim_start(&config);
    for (unsigned n = 0; n < NODES; n++) {
        attach(n, true);
        memset(host[n].memory, 0, BYTES);
    }
    rig_fill(host[0].memory, BYTES, 1);
    lives_go_on();
    pointers_of_before();
    acks_of_before();
    others_go_on();
    for (unsigned n = 0; n < NODES; n++) {
        leave(n);
        free(host[n].memory);
    }
    rig_sim_stop();
    return tap_end();
}
