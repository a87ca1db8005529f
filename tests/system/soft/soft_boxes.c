/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Broadcasts of raw descriptors on the soft tier: which nodes get the bytes, which get an event,
 * and the status of refusals.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tern/counter.h>
#include <tern/group.h>

#include "internal.h"
#include "rig.h"
#include "rig_sim.h"

enum {
    NODES_MAX = 16,
    BYTES = 1 << 14, /* of a member's memory */
    LITTLE = 1000,   /* of a member with less memory */
    PUT = 3000,      /* bytes of a broadcast: six packets */
    PACKETS = 6,
    AT = 100, /* offset in the members' memory */
    COUNTER = 7,
    INDEX = 200, /* of the group's key */
};

struct end {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq, *tell; /* for operations; for the counter */
    struct tern_sq *sq;
    struct tern_region *source, *group;
    uint8_t *memory; /* first half: what the node sends; then what it offers */
};

static struct end ends[NODES_MAX];
static unsigned nodes, origin;

/* ---- the nodes ---- */

static uint8_t *offered(unsigned n)
{
    return ends[n].memory + BYTES;
}

static void open_end(struct end *end, unsigned node)
{
    end->device = rig_sim_open(node);
    rig_need(tern_query(end->device, &end->info), "query");
    end->memory = aligned_alloc(4096, (size_t)2 * BYTES);
    rig_need(end->memory ? 0 : -TERN_ST_NO_MEMORY, "memory");
    for (unsigned i = 0; i < BYTES; i++)
        end->memory[i] = (uint8_t)(i * 131 + (i >> 8) * 7 + node);
    rig_need(tern_register(end->device, end->memory, BYTES, TERN_RIGHT_LOCAL_READ, &end->source),
         "register");
    rig_need(tern_cq_create(end->device, 6, TERN_CQ_POLLED, &end->cq), "CQ");
    rig_need(tern_cq_create(end->device, 8, TERN_CQ_POLLED, &end->tell), "CQ");
    rig_need(tern_sq_create(end->cq, 5, &end->sq), "SQ");
}

static void offer(unsigned n, uint8_t *memory, size_t bytes)
{
    rig_allow_time();
    rig_need(tern_counter_set(ends[n].device, COUNTER, 0), "counter");
    rig_need(tern_register_with(ends[n].device,
            &(struct tern_region_attr){.addr = memory, .bytes = bytes,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .keyed = true,
                                       .key = tern_group_key(INDEX, 0x4711),
                                       .counted = true, .counter = COUNTER},
            &ends[n].group),
         "join");
}

static void join(unsigned n, size_t bytes)
{
    offer(n, offered(n), bytes);
}

/* Joins with memory that is unmapped when the bytes arrive. */
static void join_with_nothing(unsigned n)
{
    uint8_t *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    rig_need(memory == MAP_FAILED ? -TERN_ST_NO_MEMORY : 0, "memory");
    offer(n, memory, BYTES);
    munmap(memory, BYTES);
}

static void leave(unsigned n)
{
    rig_allow_time();
    rig_need(tern_release(ends[n].group), "leave");
    ends[n].group = NULL;
}

static void power_on(unsigned x, unsigned y, unsigned z, bool mesh)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = x;
    config.dims[1] = y;
    config.dims[2] = z;
    config.mesh = mesh;
    config.tier = TERN_TIER_SOFT;
    rig_sim_start(&config);
    nodes = x * y * z;
    for (unsigned n = 0; n < nodes; n++)
        open_end(&ends[n], n);
}

static void power_off(void)
{
    for (unsigned n = 0; n < nodes; n++) {
        tern_close(ends[n].device);
        free(ends[n].memory);
    }
    memset(ends, 0, sizeof(ends));
    rig_sim_stop();
}

static unsigned number_of(uint16_t node)
{
    for (unsigned n = 0; n < nodes; n++)
        if (ends[n].info.node == node)
            return n;
    rig_need(-TERN_ST_BAD_NODE, "a node that there is");
    return 0;
}

/* ---- broadcasts ---- */

static void describe(uint32_t *w, uint16_t low, uint16_t high, unsigned members)
{
    struct end *end = &ends[origin];

    memset(w, 0, TERN_DESC_BYTES);
    TERN_SET(DESC, opcode, w, TERN_OP_BCAST);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, index, w, end->sq->places.made);
    TERN_SET(BOX, low, w, low);
    TERN_SET(BOX, high, w, high);
    TERN_SET(BOX, members, w, members);
    TERN_SET(DESC, length, w, PUT);
    TERN_SET(DESC, remote_addr, w, AT);
    TERN_SET(DESC, remote_key, w, tern_group_key(INDEX, 0x4711));
    TERN_SET(DESC, local_addr, w, (uintptr_t)end->memory);
    TERN_SET(DESC, local_key, w, tern_region_key(end->source));
}

static void add_flags(uint32_t *w, unsigned flags)
{
    TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | flags);
}

static struct tern_completion post(const uint32_t *w)
{
    rig_need(tern_post_raw(ends[origin].sq, w, 7), "post");
    return rig_next(ends[origin].cq);
}

/* Fills all memory with one value, and sets all counters. */
static void clean(void)
{
    for (unsigned n = 0; n < nodes; n++) {
        memset(offered(n), 0xee, BYTES);
        rig_allow_time();
        if (ends[n].group)
            rig_need(tern_counter_watch(ends[n].tell, COUNTER, PUT), "watch");
    }
}

/* Tells whether a node has the bytes and one completion, if it is a member, and neither if not. */
static bool has_exactly(unsigned n, bool member)
{
    const uint8_t *memory = offered(n);
    struct tern_completion told;

    for (unsigned i = 0; i < BYTES; i++) {
        bool inside = member && i >= AT && i < AT + PUT;

        if (memory[i] != (inside ? ends[origin].memory[i - AT] : 0xee))
            return false;
    }
    if (!member)
        return true;
    told = rig_next(ends[n].tell);
    return told.status == TERN_ST_OK && told.opcode == TERN_OP_COUNTER && told.index == COUNTER;
}

/*
 * Checks that of all nodes exactly those of the box except the origin have the bytes; with `self`
 * also the origin.
 */
static bool box_has(struct tern_box box, bool self)
{
    for (unsigned n = 0; n < nodes; n++) {
        bool member = ends[n].group && tern_box_holds(box, ends[n].info.dims, ends[n].info.node) &&
                      (n != origin || self);

        if (!has_exactly(n, member)) {
            printf("# node %x, %s\n", ends[n].info.node, member ? "a member" : "nobody's");
            return false;
        }
    }
    return true;
}

static unsigned members_in(struct tern_box box)
{
    unsigned count = 0;

    for (unsigned n = 0; n < nodes; n++)
        count += n != origin && ends[n].group &&
                 tern_box_holds(box, ends[n].info.dims, ends[n].info.node);
    return count;
}

static bool broadcast(struct tern_box box, unsigned flags)
{
    uint32_t w[DESC_WORDS];
    struct tern_completion done;

    clean();
    describe(w, box.low, box.high, members_in(box));
    add_flags(w, flags);
    done = post(w);
    if (done.status != TERN_ST_OK || done.opcode != TERN_OP_BCAST || done.length != PUT)
        return false;
    for (unsigned i = 0; flags & TERN_DFLAG_UNACKED && i < 1000; i++)
        (void)rig_progress(NULL);
    return box_has(box, flags & TERN_DFLAG_SELF);
}

static struct tern_box box_of(uint16_t low, uint16_t high)
{
    return (struct tern_box){.low = low, .high = high};
}

/* Tries every box that holds the origin. */
static bool every_box(unsigned *boxes)
{
    for (unsigned l = 0; l < nodes; l++)
        for (unsigned h = 0; h < nodes; h++) {
            struct tern_box box = box_of(ends[l].info.node, ends[h].info.node);

            if (!tern_box_holds(box, ends[0].info.dims, ends[origin].info.node))
                continue;
            ++*boxes;
            if (!broadcast(box, 0)) {
                printf("# box %x to %x from %x\n", box.low, box.high, ends[origin].info.node);
                return false;
            }
        }
    return true;
}

static void torus(void)
{
    struct tern_box all = box_of(tern_node(3, 0, 0), tern_node(2, 1, 1));
    unsigned outsider, boxes = 0;
    uint64_t before;

    power_on(4, 2, 2, false);
    origin = number_of(tern_node(0, 1, 0));
    outsider = number_of(tern_node(2, 1, 1));
    for (unsigned n = 0; n < nodes; n++)
        if (n != outsider)
            join(n, BYTES);
    before = rig_stat(ends[outsider].device, TERN_STAT_rx_not_member);
    tap(broadcast(all, 0) &&
            rig_stat(ends[outsider].device, TERN_STAT_rx_not_member) == before + PACKETS,
        "all members of a torus get the bytes and are told; who has no key says nothing");
    tap(broadcast(all, TERN_DFLAG_SELF), "the origin takes a copy too");
    tap(broadcast(all, TERN_DFLAG_UNACKED), "a broadcast without answers ends when it has left");
    tap(broadcast(box_of(ends[origin].info.node, ends[origin].info.node), TERN_DFLAG_SELF),
        "a box of the origin alone is a copy of its own");
    tap(every_box(&boxes), "every box that holds the origin, and nobody outside it");
    printf("# %u boxes\n", boxes);
    tap(rig_stat(ends[origin].device, TERN_STAT_fw_bcasts) == boxes + 4, "broadcasts are counted");
}

/* ---- what is refused ---- */

static bool refused(const uint32_t *w, unsigned status, unsigned fault)
{
    struct tern_completion done;

    clean();
    done = post(w);
    if (done.status == status && done.fault == fault && done.opcode == TERN_OP_BCAST)
        return true;
    printf("# %s, fault %u\n", tern_strerror((int)done.status), done.fault);
    return false;
}

static void bad_input(void)
{
    uint16_t me = ends[origin].info.node;
    uint32_t w[DESC_WORDS];

    describe(w, me, tern_node(4, 1, 0), 1);
    tap(refused(w, TERN_ST_BAD_NODE, 1), "a high corner outside the torus");
    describe(w, tern_node(0, 2, 0), me, 1);
    tap(refused(w, TERN_ST_BAD_NODE, 1), "a low corner outside the torus");
    describe(w, tern_node(1, 1, 0), tern_node(3, 1, 0), 1);
    tap(refused(w, TERN_ST_BAD_BOX, 1), "a box without its origin");
    describe(w, me, tern_node(1, 1, 0), 2);
    tap(refused(w, TERN_ST_BAD_BOX, 1), "more members than nodes");
    describe(w, me, tern_node(1, 1, 0), 1);
    TERN_SET(DESC, length, w, 0);
    tap(refused(w, TERN_ST_BAD_LENGTH, 1), "no length");
    describe(w, me, tern_node(1, 1, 0), 1);
    TERN_SET(DESC, length, w, TERN_PUT_BYTES_MAX + 1);
    tap(refused(w, TERN_ST_BAD_LENGTH, 1), "too long");
    describe(w, me, tern_node(1, 1, 0), 1);
    TERN_SET(DESC, local_key, w, 0x7777);
    tap(refused(w, TERN_ST_BAD_KEY, 1), "a key of the origin's memory that is wrong");
    describe(w, me, tern_node(1, 1, 0), 1);
    TERN_SET(DESC, length, w, BYTES + 1);
    tap(refused(w, TERN_ST_BAD_RANGE, 1), "more than the origin's memory has");
    describe(w, me, tern_node(1, 1, 0), 1);
    add_flags(w, TERN_DFLAG_SELF);
    TERN_SET(DESC, remote_key, w, tern_group_key(INDEX + 1, 1));
    tap(refused(w, TERN_ST_BAD_KEY, 1), "a copy for an origin that is no member");
    describe(w, me, tern_node(1, 1, 0), 1);
    TERN_SET(DESC, version, w, 9);
    tap(refused(w, TERN_ST_BAD_VERSION, 1), "another version");
}

static void bad_members(void)
{
    unsigned neighbour = number_of(tern_node(1, 1, 0));
    uint16_t me = ends[origin].info.node;
    uint32_t w[DESC_WORDS];
    struct tern_completion done;

    leave(neighbour);
    describe(w, me, tern_node(2, 1, 0), 2);
    tap(refused(w, TERN_ST_TIMEOUT, 3),
        "a member that has no memory for it is waited for in bounded time");
    join(neighbour, LITTLE);
    describe(w, me, tern_node(2, 1, 0), 2);
    tap(refused(w, TERN_ST_BAD_RANGE, 2), "a member that has too little refuses");
    leave(neighbour);
    join_with_nothing(neighbour);
    describe(w, me, tern_node(2, 1, 0), 2);
    tap(refused(w, TERN_ST_HOST_FAULT, 2), "a member whose memory is gone refuses");
    leave(neighbour);
    join(neighbour, BYTES);
    clean();
    describe(w, tern_node(3, 0, 0), tern_node(1, 1, 1), 11);
    tern_net_cut(tern_sim_net(rig_sim), origin, 4, true);
    done = post(w);
    tap(done.status == TERN_ST_LINK_DOWN && done.link == 5 && done.node == me && done.fault == 3,
        "a link that it would leave by is down, and named");
}

static void mesh(void)
{
    unsigned boxes = 0;

    power_on(4, 2, 1, true);
    origin = number_of(tern_node(1, 0, 0));
    for (unsigned n = 0; n < nodes; n++)
        join(n, BYTES);
    tap(broadcast(box_of(0, tern_node(3, 1, 0)), TERN_DFLAG_SELF), "a whole mesh");
    for (unsigned n = 0; n < nodes; n++) {
        uint32_t w[DESC_WORDS];

        origin = n;
        describe(w, tern_node(3, 0, 0), tern_node(1, 1, 0), 1);
        if (!refused(w, TERN_ST_BAD_BOX, 1))
            boxes++;
    }
    tap(boxes == 0, "no box goes round in a mesh");
    power_off();
}

int main(void)
{
    torus();
    bad_input();
    bad_members();
    power_off();
    mesh();
    return tap_end();
}
