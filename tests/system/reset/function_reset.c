/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A reset of one function: its operations end with a status, those of the other functions of its
 * NIC go on untouched, its memory can be reached no longer, and it serves again at once.
 *
 * A ring of two in this process, which advances time.  Two processes share node 0; the host of node
 * 1 is not served for a while, so that operations are in flight when the reset comes.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    FIRST,  /* function 0 of node 0 */
    SECOND, /* another function of node 0 */
    TARGET, /* function 0 of node 1 */
    HOSTS,
    BYTES = 1 << 16,
    PIECE = 64,
    FLYING = 6,
    SQ_LOG2 = 5
};

struct host {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
    bool served;
};

static struct host host[HOSTS];

static int progress(void *none)
{
    int over = rig_progress(none);

    for (unsigned n = 0; n < HOSTS; n++)
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

static void make_queues(struct host *h)
{
    rig_need(tern_register(h->device, h->memory, BYTES,
                           TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
                               TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE,
                           &h->region),
             "register");
    rig_need(tern_cq_create(h->device, SQ_LOG2 + 1, TERN_CQ_POLLED, &h->cq), "completion queue");
    rig_need(tern_sq_create(h->cq, SQ_LOG2, &h->sq), "send queue");
}

static void free_queues(struct host *h)
{
    rig_need(tern_sq_destroy(h->sq), "send queue");
    rig_need(tern_cq_destroy(h->cq), "completion queue");
    rig_need(tern_release(h->region), "region");
}

static void attach(unsigned number, bool served)
{
    struct host *h = &host[number];

    rig_allow_time();
    h->served = served;
    if (served)
        unsetenv("TERN_NO_PROCESS_VM");
    else
        setenv("TERN_NO_PROCESS_VM", "1", 1);
    if (!h->memory)
        h->memory = aligned_alloc(4096, BYTES);
    rig_need(tern_open_fd(tern_sim_connect(rig_sim, number == TARGET), progress, NULL, &h->device),
             "open");
    make_queues(h);
}

static struct tern_rptr at(unsigned number, uint64_t offset)
{
    return tern_region_pointer(host[number].region, offset);
}

static void post(unsigned from, struct tern_rptr to, uint64_t context)
{
    rig_need(tern_put(host[from].sq, to, host[from].region, host[from].memory, PIECE,
                      TERN_DFLAG_SIGNAL, context),
             "put");
}

static unsigned put(unsigned from, struct tern_rptr to)
{
    post(from, to, 1);
    return rig_next(host[from].cq).status;
}

/* How many of the FLYING puts of `from` end with `status`, each once. */
static unsigned ended_with(unsigned from, unsigned status)
{
    unsigned seen = 0, count = 0;

    for (unsigned i = 0; i < FLYING; i++) {
        struct tern_completion done = rig_next(host[from].cq);

        if (done.status != status || done.context >= FLYING || seen >> done.context & 1)
            continue;
        seen |= 1u << done.context;
        count++;
    }
    return count;
}

/* `reset` has operations in flight to a host that does not answer, and so has `other`. */
static void reset_one(unsigned reset, unsigned other, const char *name)
{
    struct tern_completion more;
    struct tern_rptr old = at(reset, 0);
    unsigned ended, good, refused;
    int status, after;

    host[TARGET].served = false;
    for (unsigned i = 0; i < FLYING; i++) {
        post(reset, at(TARGET, i * PIECE), i);
        post(other, at(TARGET, (FLYING + i) * PIECE), i);
    }
    run(4000);
    rig_allow_time();
    status = tern_reset(host[reset].device);
    ended = ended_with(reset, TERN_ST_DISCONNECTED);
    after = tern_cq_poll(host[reset].cq, &more, 1);
    tap(status == 0 && ended == FLYING && after == -TERN_ST_DISCONNECTED,
        "%s: operations of a function that is reset end with a status, each once", name);
    tap_note("reset %d, ended %u, then %d", status, ended, after);
    host[TARGET].served = true;
    good = ended_with(other, TERN_ST_OK);
    tap(good == FLYING, "%s: operations of the other function of the NIC are untouched", name);
    refused = put(TARGET, old);
    tap(refused == TERN_ST_BAD_KEY, "%s: its memory can be reached no longer", name);
    free_queues(&host[reset]);
    make_queues(&host[reset]);
    tap(put(reset, at(TARGET, 0)) == TERN_ST_OK && put(TARGET, at(reset, 0)) == TERN_ST_OK &&
            put(other, at(reset, 0)) == TERN_ST_OK,
        "%s: it serves again with new queues and regions", name);
}

/* The first function holds the core, so its own state goes with that of all others. */
static void after_a_core_reset(void)
{
    struct tern_completion done = {0};

    rig_need(tern_core_hold(host[FIRST].device, true), "hold");
    run(1000);
    rig_need(tern_core_hold(host[FIRST].device, false), "let go");
    for (unsigned n = FIRST; n <= SECOND; n++) {
        tern_close(host[n].device);
        host[n].device = NULL;
    }
    attach(FIRST, true);
    attach(SECOND, true);
    rig_need(tern_reset(host[FIRST].device), "reset");
    free_queues(&host[FIRST]);
    make_queues(&host[FIRST]);
    post(SECOND, at(TARGET, 0), 7);
    done = rig_next(host[SECOND].cq);
    tap(put(FIRST, at(TARGET, 0)) == TERN_ST_OK && done.status == TERN_ST_OK && done.context == 7,
        "function 0 is reset alone, after a core reset, too");
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = 2;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    rig_sim_start(&config);
    attach(FIRST, true);
    attach(SECOND, true);
    attach(TARGET, false);
    reset_one(SECOND, FIRST, "another function");
    reset_one(FIRST, SECOND, "function 0");
    after_a_core_reset();
    for (unsigned n = 0; n < HOSTS; n++) {
        tern_close(host[n].device);
        free(host[n].memory);
    }
    rig_sim_stop();
    return tap_end();
}
