/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A node whose memory all others read without pause still begins the operations of its own host.
 * Each end of an own put is awaited before the next is posted, in simulated time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tern/read.h>
#include <tern/tern.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"

enum {
    NODES = 8,
    BYTES = 4096,
    SIZE = 64,   /* bytes of a read and of a put */
    DEPTH = 8,   /* reads in flight of each other node */
    CYCLES = 150000,
    WORST = 20000 /* cycles of an own put: far more than any seen, far fewer than a starved one */
};

struct end {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t *memory;
};

static struct end ends[NODES];

static void open_end(struct end *end, unsigned node)
{
    const unsigned rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE |
        TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE;

    end->device = rig_sim_open(node);
    end->memory = aligned_alloc(4096, BYTES);
    rig_need(end->memory ? 0 : -TERN_ST_NO_MEMORY, "memory");
    memset(end->memory, 0, BYTES);
    rig_need(tern_register(end->device, end->memory, BYTES, rights, &end->region), "register");
    rig_need(tern_cq_create(end->device, 6, TERN_CQ_POLLED, &end->cq), "CQ");
    rig_need(tern_sq_create(end->cq, 5, &end->sq), "SQ");
}

static void set_up(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    memcpy(config.dims, (unsigned[]){2, 2, 2}, sizeof(config.dims));
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.seed = 7;
    rig_sim_start(&config);
    for (unsigned n = 0; n < NODES; n++)
        open_end(&ends[n], n);
}

static void tear_down(void)
{
    for (unsigned n = 0; n < NODES; n++) {
        tern_close(ends[n].device);
        free(ends[n].memory);
    }
    rig_sim_stop();
}

static int read_from_first(struct end *end)
{
    return tern_read(end->sq, tern_region_pointer(ends[0].region, 0), end->region, end->memory,
                     SIZE, TERN_DFLAG_SIGNAL, 0);
}

/* Takes the ends of a reader and begins as many reads; adds to `wrong`; returns the ends. */
static unsigned keep_reading(struct end *end, unsigned *wrong)
{
    struct tern_completion done[DEPTH];
    int count = tern_cq_poll(end->cq, done, DEPTH);

    for (int i = 0; i < count; i++) {
        *wrong += done[i].status != TERN_ST_OK;
        rig_need(read_from_first(end), "read");
    }
    return count > 0 ? (unsigned)count : 0;
}

struct own {
    unsigned ended, wrong;
    uint64_t posted, worst; /* cycle; cycles */
    bool in_flight;
};

/* Keeps one put of the first node in flight. */
static void keep_putting(struct own *own)
{
    uint64_t now = tern_sim_cycle(rig_sim);
    struct tern_completion done;

    if (own->in_flight && now - own->posted > own->worst)
        own->worst = now - own->posted;
    if (own->in_flight && tern_cq_poll(ends[0].cq, &done, 1) == 1) {
        own->wrong += done.status != TERN_ST_OK;
        own->ended++;
        own->in_flight = false;
    }
    if (own->in_flight)
        return;
    rig_need(tern_put(ends[0].sq, tern_region_pointer(ends[1].region, BYTES / 2), ends[0].region,
                      ends[0].memory, SIZE, TERN_DFLAG_SIGNAL, 0),
             "put");
    own->posted = now;
    own->in_flight = true;
}

int main(void)
{
    unsigned reads = 0, wrong = 0;
    struct own own = {0};
    uint64_t end;

    set_up();
    for (unsigned n = 1; n < NODES; n++)
        for (unsigned i = 0; i < DEPTH; i++)
            rig_need(read_from_first(&ends[n]), "read");
    end = tern_sim_cycle(rig_sim) + CYCLES;
    rig_allow_time();
    while (tern_sim_cycle(rig_sim) < end && !rig_progress(NULL)) {
        for (unsigned n = 1; n < NODES; n++)
            reads += keep_reading(&ends[n], &wrong);
        keep_putting(&own);
    }
    tap(reads >= CYCLES / 1000 && wrong == 0, "seven nodes read the memory of one");
    tap(own.ended >= CYCLES / WORST && own.worst <= WORST && own.wrong == 0,
        "a node that all others read from begins its own puts");
    printf("# reads=%u puts=%u worst_cycles=%" PRIu64 "\n", reads, own.ended, own.worst);
    tear_down();
    return tap_end();
}
