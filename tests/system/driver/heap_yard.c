/* SPDX-License-Identifier: Apache-2.0 */
/* See heap_yard.h. */
#include "heap_yard.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEP = 64, LEASE_MS = 600000, BLOCK = (1 << 16) + 264, SETTLE = 20000 };

struct heap_yard yard;

/* ---- messages of the server's host to its NIC: the linker wraps the functions that send them */

int __real_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index);
int __real_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words);
int __wrap_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index);
int __wrap_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words);

int __wrap_tern_doorbell(struct tern_device *device, uint16_t queue, uint32_t index)
{
    int status = yard.gap ? yard.gap(device, TERN_OP_NOP) : 0;

    yard.owner_messages += device == yard.server;
    return status ? status : __real_tern_doorbell(device, queue, index);
}

int __wrap_tern_doorbell_inline(struct tern_device *device, uint16_t queue, const uint32_t *words)
{
    int status = yard.gap ? yard.gap(device, (unsigned)TERN_GET(DESC, opcode, words)) : 0;

    yard.owner_messages += device == yard.server;
    return status ? status : __real_tern_doorbell_inline(device, queue, words);
}

static char name[TERN_POOL_NAME], second_name[TERN_POOL_NAME];

static bool inside; /* the server is the one that waits */

/* Lets the server serve, unless it is the one that waits. */
static void serve(void)
{
    if (!yard.served || !yard.pool || inside || yard.steps % (yard.pause + 1) != 0)
        return;
    inside = true;
    yard.turns++;
    rig_need(tern_pool_serve(yard.pool, 0), "tern_pool_serve");
    if (yard.second)
        rig_need(tern_pool_serve(yard.second, 0), "tern_pool_serve");
    inside = false;
}

static unsigned step(void)
{
    return yard.step ? yard.step : STEP;
}

static int progress(void *none)
{
    (void)none;
    tern_sim_run(rig_sim, step());
    yard.steps += !inside;
    serve();
    return 0;
}

static struct tern_device *open_device(unsigned node)
{
    struct tern_device *device;

    rig_need(tern_open_fd(tern_sim_connect(rig_sim, node), progress, NULL, &device), "tern_open");
    return device;
}

static struct tern_pool *make_pool(struct tern_device *server, const char *called,
                                   unsigned blocks)
{
    size_t bytes = (size_t)blocks * BLOCK + 4096;
    const struct tern_pool_config config = {.name = called, .bytes = bytes + 4096 + yard.room,
                                            .members = YARD_MEMBERS,
                                            .lease_ms = yard.lease_ms ? yard.lease_ms : LEASE_MS};
    struct tern_pool *pool;

    rig_need(tern_pool_create(server, &config, &pool), "tern_pool_create");
    rig_need(tern_heap_make(pool, "heap", bytes), "tern_heap_make");
    return pool;
}

void yard_open_second(unsigned blocks)
{
    snprintf(second_name, sizeof(second_name), "yard-%d-second", (int)getpid());
    yard.second_server = open_device(0);
    yard.second = make_pool(yard.second_server, second_name, blocks);
}

void yard_open(unsigned blocks)
{
    struct tern_sim_config sim = tern_sim_config_default();
    sim.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    sim.dims[0] = YARD_NODES;
    rig_sim_start(&sim);
    snprintf(name, sizeof(name), "yard-%d", (int)getpid());
    for (unsigned i = 0; i < YARD_NODES; i++)
        yard.device[i] = open_device(i);
    yard.server = open_device(YARD_SERVER);
    yard.pool = make_pool(yard.server, name, blocks);
    yard.memory = tern_pool_memory(yard.pool, NULL);
    yard.served = true;
}

struct tern_member *yard_member(unsigned device, unsigned node)
{
    struct tern_member *member;

    rig_need(tern_member_join(yard.device[device], tern_node(node, 0, 0),
                              node == YARD_SERVER ? name : second_name, TERN_POOL_WRITE, &member),
             "tern_member_join");
    return member;
}

void yard_join(unsigned count, const struct tern_heap_config *config)
{
    for (yard.count = 0; yard.count < count; yard.count++) {
        struct tern_member **member = &yard.member[yard.count];

        *member = yard_member(yard.count % YARD_NODES, YARD_SERVER);
        rig_need(tern_heap_open(member, 1, "heap", config, &yard.heap[yard.count]),
                 "tern_heap_open");
    }
}

void yard_quit(void)
{
    for (unsigned i = 0; i < yard.count; i++) {
        tern_heap_close(yard.heap[i]);
        tern_member_quit(yard.member[i]);
    }
    yard.count = 0;
    yard_run(SETTLE);
}

void yard_close(void)
{
    yard.served = false;
    for (unsigned i = 0; i < YARD_NODES; i++)
        tern_close(yard.device[i]);
    tern_pool_close(yard.pool);
    tern_close(yard.server);
    if (yard.second) {
        tern_pool_close(yard.second);
        tern_close(yard.second_server);
    }
    yard.second = NULL;
    rig_sim_stop();
}

uint8_t *yard_bytes(struct tern_ptr at)
{
    return yard.memory + at.offset;
}

unsigned yard_taken(uint64_t *block_bytes)
{
    struct tern_heap_class one;
    unsigned taken = 0;

    *block_bytes = 0;
    for (unsigned i = 0; tern_heap_class(yard.pool, "heap", i, &one) == 0; i++) {
        taken += one.taken;
        *block_bytes += (uint64_t)one.blocks << 16;
    }
    return taken;
}

void yard_run(unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i += step())
        (void)progress(NULL);
}
