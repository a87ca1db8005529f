/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A member's key is released while an operation by it is half way in: the packet is past the check
 * of the key and its end is held up on the wire.  The pool's drain must end after it, and nothing
 * may change the memory from then on.
 */
#include <string.h>

#include <tern/atomic.h>

#include "rig.h"
#include "rig_sim.h"
#include "rig_tier.h"
#include "server.h"

enum {
    MEMBER = 1, SERVER = 2, TOWARDS_SERVER = 0, /* node, node, port of the member's node */
    BYTES = 1 << 12, PUT = 512,
    FIRST = 0, STEP = 8, OFFSETS = 90,           /* cycles from the post to the hold-up */
    HELD = 6000, AFTERWARDS = 12000,             /* cycles */
};

static struct side {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_region *region;
    uint8_t bytes[PUT];
} member;

static struct tern_pool *pool;
static uint8_t *memory;

static void open_sides(void)
{
    const struct tern_pool_config config = {.name = "drained", .bytes = BYTES, .members = 1};

    member.device = rig_sim_open(MEMBER);
    rig_need(tern_register(member.device, member.bytes, PUT, TERN_RIGHT_LOCAL_READ,
                           &member.region), "tern_register");
    rig_need(tern_cq_create(member.device, 5, 0, &member.cq), "tern_cq_create");
    rig_need(tern_sq_create(member.cq, 4, &member.sq), "tern_sq_create");
    rig_need(tern_pool_create(rig_sim_open(SERVER), &config, &pool), "tern_pool_create");
    memory = tern_pool_memory(pool, NULL);
}

/* A key of the only seat; a pointer to the objects by it. */
static struct tern_rptr grant(void)
{
    const struct pool_ground *ground = pool->ground;

    pool_seat_of(pool, 0)->rights = TERN_POOL_WRITE;
    rig_allow_time();
    rig_need(pool_keys_grant(pool, 0), "pool_keys_grant");
    return tern_region_pointer(pool->watch[0].region, ground->objects - ground->leases);
}

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
    unsigned in, refused;
    unsigned between; /* changed the memory after the release had ended, before the drain did */
    unsigned late;    /* and after that */
};

static void one(int (*post)(struct tern_rptr at), unsigned offset, struct ends *ends)
{
    static uint8_t released[BYTES], drained[BYTES];
    struct tern_rptr at = grant();
    struct tern_completion done;

    memset(memory, 0, BYTES);
    rig_need(post(at), "post");
    tern_sim_run(rig_sim, offset);
    tern_net_stall(tern_sim_net(rig_sim), MEMBER, TOWARDS_SERVER,
                   tern_sim_cycle(rig_sim) + HELD);
    rig_allow_time();
    rig_need(pool_keys_release(pool, 0), "pool_keys_release");
    memcpy(released, memory, BYTES);
    rig_need(pool_keys_drain(pool), "pool_keys_drain");
    memcpy(drained, memory, BYTES);
    tern_sim_run(rig_sim, AFTERWARDS);
    ends->between += memcmp(released, drained, BYTES) != 0;
    ends->late += memcmp(drained, memory, BYTES) != 0;
    done = rig_next(member.cq);
    ends->in += done.status == TERN_ST_OK;
    ends->refused += done.status == TERN_ST_BAD_KEY;
}

static void all(const char *what, int (*post)(struct tern_rptr at))
{
    struct ends ends = {0};

    for (unsigned i = 0; i < OFFSETS; i++)
        one(post, FIRST + i * STEP, &ends);
    tap(ends.in + ends.refused == OFFSETS && ends.in && ends.refused,
        "a %s that is held up on its way is carried out or refused for its key", what);
    tap(ends.late == 0, "a %s behind the check of the key lands before the drain's end or never",
        what);
    if (!rig_tier_is_soft())
        tap(ends.between > 0, "and some of them after the release of the key");
    tap_evidence("M14", "in=%u refused=%u between=%u late=%u", ends.in, ends.refused, ends.between,
                 ends.late);
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.dims[0] = 3;
    memset(member.bytes, 0xa5, PUT);
    rig_sim_start(&config);
    open_sides();
    all("put", post_put);
    all("compare-and-swap", post_swap);
    rig_allow_time();
    rig_sim_stop();
    return tap_end();
}
