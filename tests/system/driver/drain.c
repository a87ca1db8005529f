/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key of a member is released while an operation by it is on its way: at the moment from which
 * on the key is refused, and with the packet held up on the wire.  Whatever passed the check of the
 * key lands before the pool's drain has ended, or never.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <tern/atomic.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"
#include "server.h"

enum {
    MEMBER = 1, SERVER = 2, TOWARDS_SERVER = 0, /* node, node, port of the member's node */
    BYTES = 1 << 12, PUT = 512,
    STEP = 8,                /* cycles */
    RELEASE = 8192,          /* cycles that a release takes at most */
    LONG_AGO = 4, HOLDS = 7, /* posts before that moment, hold-ups of each */
    EVERY = 16,              /* cycles between these */
    ON_ITS_WAY = 296,        /* cycles from the post until the packet leaves */
    HELD = 600, AFTERWARDS = 3000, /* cycles */
    FOREVER = INT32_MAX,
};

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t bytes[PUT];
} member;

static struct tern_device *server;
static struct tern_pool *pool;
static uint8_t *memory;

/* ---- time, which passes while the server waits */

static struct {
    int (*post)(struct tern_rptr to);
    struct tern_rptr to;
    uint64_t post_at, hold_at;
} plan = {.post_at = UINT64_MAX, .hold_at = UINT64_MAX};

static int progress(void *none)
{
    uint64_t now;

    (void)none;
    tern_sim_run(rig_sim, STEP);
    now = tern_sim_cycle(rig_sim);
    if (now >= plan.post_at) {
        plan.post_at = UINT64_MAX;
        rig_need(plan.post(plan.to), "post");
    }
    if (now >= plan.hold_at) {
        plan.hold_at = UINT64_MAX;
        tern_net_stall(tern_sim_net(rig_sim), MEMBER, TOWARDS_SERVER, now + HELD);
    }
    return 0;
}

static void open_sides(void)
{
    char name[TERN_POOL_NAME]; /* the NICs of all processes like this one are alike */
    const struct tern_pool_config config = {.name = name, .bytes = BYTES, .members = 1};

    snprintf(name, sizeof(name), "drained-%d", (int)getpid());
    member.device = rig_sim_open(MEMBER);
    rig_need(tern_register(member.device, member.bytes, PUT, TERN_RIGHT_LOCAL_READ,
                           &member.region),
             "tern_register");
    rig_need(tern_cq_create(member.device, 5, 0, &member.cq), "tern_cq_create");
    rig_need(tern_sq_create(member.cq, 4, &member.sq), "tern_sq_create");
    rig_need(tern_open_fd(tern_sim_connect(rig_sim, SERVER), progress, NULL, &server), "open");
    rig_need(tern_pool_create(server, &config, &pool), "tern_pool_create");
    memory = tern_pool_memory(pool, NULL);
}

/* A key of the only seat; a pointer to the objects by it. */
static struct tern_rptr grant(void)
{
    const struct pool_ground *ground = pool->ground;

    pool_seat_of(pool, 0)->rights = TERN_POOL_WRITE;
    rig_need(pool_keys_grant(pool, 0), "pool_keys_grant");
    return tern_region_pointer(pool->watch[0].region, ground->objects - ground->leases);
}

/* ---- operations of the member */

static int post_put(struct tern_rptr to)
{
    return tern_put(member.sq, to, member.region, member.bytes, PUT, TERN_DFLAG_SIGNAL, 0);
}

static int post_swap(struct tern_rptr at)
{
    return tern_compare_swap(member.sq, at, 0, UINT64_C(0x0123456789abcdef), TERN_DFLAG_SIGNAL, 0);
}

/* Operations by their end. */
struct ends {
    unsigned in, refused, cut, other; /* cut: held up for longer than its link waits */
    unsigned between; /* changed the memory after the release had ended, before the drain did */
    unsigned late;    /* and after that */
};

/* Returns whether the operation, posted `post_at` cycles into the release, was carried out. */
static bool one(int (*post)(struct tern_rptr at), int post_at, int hold_at, struct ends *ends)
{
    static uint8_t released[BYTES], drained[BYTES];
    uint64_t now;
    struct tern_completion done;

    plan.to = grant();
    plan.post = post;
    memset(memory, 0, BYTES);
    now = tern_sim_cycle(rig_sim);
    plan.post_at = now + (uint64_t)post_at;
    plan.hold_at = hold_at == FOREVER ? UINT64_MAX : plan.post_at + (uint64_t)hold_at;
    rig_need(pool_keys_release(pool, 0), "pool_keys_release");
    memcpy(released, memory, BYTES);
    rig_need(pool_keys_drain(pool), "pool_keys_drain");
    memcpy(drained, memory, BYTES);
    while (plan.post_at != UINT64_MAX)
        (void)progress(NULL);
    tern_sim_run(rig_sim, AFTERWARDS);
    ends->between += memcmp(released, drained, BYTES) != 0;
    ends->late += memcmp(drained, memory, BYTES) != 0;
    done = rig_next(member.cq);
    ends->in += done.status == TERN_ST_OK;
    ends->refused += done.status == TERN_ST_BAD_KEY;
    ends->cut += done.status == TERN_ST_LINK_DOWN;
    ends->other += done.status != TERN_ST_OK && done.status != TERN_ST_BAD_KEY &&
                   done.status != TERN_ST_LINK_DOWN;
    return done.status == TERN_ST_OK;
}

/* The last moment of a release, by EVERY cycles, at which a post is still in time. */
static int last_moment(int (*post)(struct tern_rptr at), struct ends *ends)
{
    int good = 0, bad = RELEASE;

    while (bad - good > EVERY) {
        int middle = (good + bad) / 2 / STEP * STEP;

        if (one(post, middle, FOREVER, ends))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static void all(const char *what, int (*post)(struct tern_rptr at))
{
    struct ends ends = {0};
    int last = last_moment(post, &ends);

    for (int ago = 0; ago < LONG_AGO; ago++)
        for (int hold = 0; hold < HOLDS && last - ago * EVERY > 0; hold++)
            (void)one(post, last - ago * EVERY, ON_ITS_WAY + hold * EVERY, &ends);
    tap(ends.other == 0 && ends.in && ends.refused,
        "a %s on its way to a key that is released is carried out, refused or cut off", what);
    tap(ends.late == 0, "a %s behind the check of the key lands before the drain's end or never",
        what);
    tap_evidence("M14", "in=%u refused=%u between=%u late=%u", ends.in, ends.refused, ends.between,
                 ends.late);
    tap_note("%s: last moment=%d cut=%u other=%u", what, last, ends.cut, ends.other);
}

/* ---- what a burial does */

static void drained_by_an_operation(void)
{
    uint64_t before, between, after;

    (void)grant();
    before = rig_stat(server, TERN_STAT_tx_packets);
    rig_need(pool_keys_release(pool, 0), "pool_keys_release");
    between = rig_stat(server, TERN_STAT_tx_packets);
    rig_need(pool_bury(pool, 0), "pool_bury");
    after = rig_stat(server, TERN_STAT_tx_packets);
    tap(between == before && after > between && pool_seat_of(pool, 0)->state == SEAT_FREE,
        "a burial ends with an operation of the pool's own NIC, after the release of the key");
    tap_note("packets=%llu", (unsigned long long)(after - between));
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.dims[0] = 3;
    memset(member.bytes, 0xa5, PUT);
    rig_sim_start(&config);
    open_sides();
    drained_by_an_operation();
    if (!rig_tier_is_soft()) { /* there no packet is half way in */
        all("put", post_put);
        all("compare-and-swap", post_swap);
    }
    rig_sim_stop();
    return tap_end();
}
