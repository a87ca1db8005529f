/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The key of a member is released while an operation by it has passed the check of the key and has
 * not landed: the rest of a put's packet is held up on the wire, and a compare-and-swap waits for a
 * slow host.  An operation that passed the check lands before the pool's drain has ended, or never.
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
    STEP = 8,                   /* cycles */
    RELEASE = 16384,            /* cycles that a release takes at most */
    MOMENTS = 4,                /* posts before the last one in time ... */
    EVERY_PUT = 16, EVERY_SWAP = 256, /* ... so many cycles apart */
    HOLDS = 2, STALLS = 2,      /* hold-ups of each moment, stalls of one */
    HELD = 200, GAP = 40,       /* cycles; the link hears a control word in the gap */
    SLOW = 6000,                /* cycles of a host's read, longer than a release */
    AFTERWARDS = 3000,          /* cycles */
    NEVER = -1,
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
    uint64_t post_at, stall_at;
    int behind;     /* cycles from the begin of the packet to its first stall, or NEVER */
    unsigned stalls; /* still to come */
    uint64_t packets; /* sent before this one */
} plan = {.post_at = UINT64_MAX, .stall_at = UINT64_MAX};

static void stall_in_time(uint64_t now)
{
    struct tern_net *net = tern_sim_net(rig_sim);

    if (plan.stalls == STALLS && plan.stall_at == UINT64_MAX &&
        tern_net_stats(net, MEMBER, TOWARDS_SERVER)->packets > plan.packets)
        plan.stall_at = now + (uint64_t)plan.behind;
    if (plan.stalls == 0 || now < plan.stall_at)
        return;
    tern_net_stall(net, MEMBER, TOWARDS_SERVER, now + HELD);
    plan.stalls--;
    plan.stall_at = now + HELD + GAP;
}

static int progress(void *none)
{
    uint64_t now;

    (void)none;
    tern_sim_run(rig_sim, STEP);
    now = tern_sim_cycle(rig_sim);
    stall_in_time(now);
    if (now >= plan.post_at) {
        plan.post_at = UINT64_MAX;
        rig_need(plan.post(plan.to), "post");
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
static bool one(int (*post)(struct tern_rptr at), int post_at, int behind, struct ends *ends)
{
    static uint8_t released[BYTES], drained[BYTES];
    uint64_t now;
    struct tern_completion done;

    plan.to = grant();
    plan.post = post;
    memset(memory, 0, BYTES);
    now = tern_sim_cycle(rig_sim);
    plan.post_at = now + (uint64_t)post_at;
    plan.behind = behind;
    plan.stalls = behind == NEVER ? 0 : STALLS;
    plan.stall_at = UINT64_MAX;
    plan.packets = tern_net_stats(tern_sim_net(rig_sim), MEMBER, TOWARDS_SERVER)->packets;
    rig_need(pool_keys_release(pool, 0), "pool_keys_release");
    memcpy(released, memory, BYTES);
    rig_need(pool_keys_drain(pool), "pool_keys_drain");
    memcpy(drained, memory, BYTES);
    while (plan.post_at != UINT64_MAX)
        (void)progress(NULL);
    for (int at = 0; at < AFTERWARDS; at += STEP)
        (void)progress(NULL);
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

/* The last moment of a release, by so many cycles, at which a post is still in time. */
static int last_moment(int (*post)(struct tern_rptr at), int every, struct ends *ends)
{
    int good = 0, bad = RELEASE;

    while (bad - good > every) {
        int middle = (good + bad) / 2 / STEP * STEP;

        if (one(post, middle, NEVER, ends))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

static void tell(const char *what, int last, const struct ends *ends)
{
    tap(ends->other == 0 && ends->in && ends->refused,
        "a %s on its way to a key that is released is carried out, refused or cut off", what);
    tap(ends->between > 0, "a %s behind the check of the key lands when the release has ended",
        what);
    tap(ends->late == 0, "a %s behind the check of the key lands before the drain's end or never",
        what);
    tap_evidence("M14", "in=%u refused=%u between=%u late=%u", ends->in, ends->refused,
                 ends->between, ends->late);
    tap_note("%s: last moment=%d cut=%u other=%u", what, last, ends->cut, ends->other);
}

static void puts_held_up(void)
{
    struct ends ends = {0};
    int last = last_moment(post_put, EVERY_PUT, &ends);

    for (int ago = 0; ago < MOMENTS; ago++)
        for (int hold = 1; hold <= HOLDS; hold++)
            (void)one(post_put, last - ago * EVERY_PUT, hold * STEP, &ends);
    tell("put", last, &ends);
}

static void swaps_of_a_slow_host(void)
{
    struct ends ends = {0};
    int last = last_moment(post_swap, EVERY_SWAP, &ends);

    for (int ago = 0; ago < MOMENTS; ago++)
        (void)one(post_swap, last - ago * EVERY_SWAP, NEVER, &ends);
    tell("compare-and-swap", last, &ends);
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

/* With a simulator whose hosts answer reads after so many cycles, 0: as usual. */
static void run(unsigned latency, void (*test)(void))
{
    struct tern_sim_config config = tern_sim_config_default();

    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.dims[0] = 3;
    if (latency)
        config.timing.host_latency = latency;
    rig_sim_start(&config);
    open_sides();
    test();
    tern_pool_close(pool);
    rig_sim_stop();
}

int main(void)
{
    memset(member.bytes, 0xa5, PUT);
    run(0, drained_by_an_operation);
    if (!rig_tier_is_soft()) { /* there no packet is half way in */
        run(0, puts_held_up);
        run(SLOW, swaps_of_a_slow_host);
    }
    return tap_end();
}
