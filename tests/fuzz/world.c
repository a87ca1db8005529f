/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the world, and does the work of its hosts. */
#include "world.h"

#include <stdlib.h>
#include <string.h>

#include "laws.h"
#include "wire.h"

enum {
    SETTLE_TURNS = 20000, /* a limit that no terminating work reaches */
    CONSUME_TURNS = 64
};

static struct world the_world;

/* ---- host memory ---- */

static uint8_t *place(struct world *world, unsigned node, const struct tern_dma_op *op)
{
    uint64_t offset = op->address - WORLD_BASE;

    if (op->function >= WORLD_FUNCTIONS || offset > WORLD_BYTES ||
        op->bytes > WORLD_BYTES - offset)
        return NULL;
    return world->fn[node][op->function].memory + offset;
}

static enum tern_dma_result transfer(void *ctx, struct tern_dma_op *op)
{
    struct world *world = &the_world;
    unsigned node = (unsigned)(uintptr_t)ctx;
    uint8_t *at = place(world, node, op);

    world_judge_access(world, node, op);
    if (at == NULL)
        return TERN_DMA_FAULT;
    if (op->write)
        memcpy(at, op->data, op->bytes);
    else
        memcpy(op->data, at, op->bytes);
    op->moved = op->bytes;
    if (op->write)
        world_note_write(world, node, op);
    return TERN_DMA_OK;
}

static unsigned transfer_all(void *ctx, struct tern_dma_op *const *ops, unsigned count,
                             uint32_t *faults)
{
    *faults = 0;
    for (unsigned i = 0; i < count; i++)
        *faults |= (uint32_t)(transfer(ctx, ops[i]) == TERN_DMA_FAULT) << i;
    return count;
}

static void interrupt(void *ctx, unsigned function, unsigned vector)
{
    (void)ctx;
    if (function >= SOFT_FUNCTIONS || vector > UINT16_MAX)
        fuzz_fail("interrupt %u of function %u", vector, function);
}

static void bar_answer(void *ctx, uint64_t cookie, uint64_t data)
{
    (void)ctx;
    (void)cookie;
    the_world.answer = data;
}

/* ---- registers ---- */

static void access_bar(struct world *world, unsigned node, const struct tern_bar_access *access)
{
    if (soft_bar_room(world->node[node]) == 0)
        world_work(world);
    soft_bar_push(world->node[node], access);
}

void world_write32(struct world *world, unsigned node, unsigned fn, uint32_t address,
                   uint32_t value)
{
    bool high = address % 8 != 0;
    struct tern_bar_access access = {.data = (uint64_t)value << (high ? 32 : 0),
                                     .address = address & ~UINT32_C(7),
                                     .function = (uint8_t)fn,
                                     .enables = high ? 0xf0 : 0x0f,
                                     .write = true};

    access_bar(world, node, &access);
}

uint32_t world_read32(struct world *world, unsigned node, unsigned fn, uint32_t address)
{
    bool high = address % 8 != 0;
    struct tern_bar_access access = {.address = address & ~UINT32_C(7),
                                     .function = (uint8_t)fn,
                                     .enables = high ? 0xf0 : 0x0f};

    access_bar(world, node, &access);
    world_work(world);
    return (uint32_t)(world->answer >> (high ? 32 : 0));
}

void world_window(struct world *world, unsigned node, unsigned fn, unsigned queue,
                  const uint32_t *words)
{
    struct tern_bar_access access = {
        .function = (uint8_t)fn, .enables = 0xff, .write = true};

    for (uint32_t i = 0; i < SOFT_DESC_WORDS; i += 2) {
        access.address = TERN_BAR_DB + queue * TERN_BAR_DB_STRIDE + 4 * i;
        access.data = (uint64_t)words[i + 1] << 32 | words[i];
        access_bar(world, node, &access);
    }
}

void world_bell(struct world *world, unsigned node, unsigned fn, unsigned queue, uint32_t index)
{
    world_write32(world, node, fn, TERN_BAR_DB + queue * TERN_BAR_DB_STRIDE + TERN_DB_INDEX,
                  index);
}

/* ---- time ---- */

static bool turn(struct world *world)
{
    unsigned most = 0;

    for (unsigned n = 0; n < WORLD_NODES; n++) {
        unsigned cost = soft_node_turn(world->node[n], world->net, world->cycle);

        most = cost > most ? cost : most;
    }
    world->cycle += most;
    return most != 0;
}

void world_work(struct world *world)
{
    for (unsigned i = 0; i < SETTLE_TURNS; i++)
        if (!turn(world))
            return;
    fuzz_fail("the nodes do not come to rest");
}

/* Returns all completions and messages to the NIC, for every queue of our functions. */
UNCHECKED static bool consume(struct world *world, unsigned node)
{
    const struct fw *fw = world_fw(world, node);
    bool did = false;

    for (unsigned n = 0; n < SOFT_QUEUES; n++) {
        const struct fw_queue *q = &fw->queue[n];
        uint32_t given = world->node[node]->prefetch.queue[n].head; /* for CQs the head is counted
                                                                     * there */
        uint32_t producer = q->type == TERN_QTYPE_CQ ? given : q->producer & 0xffffff;

        if ((q->type != TERN_QTYPE_CQ && q->type != TERN_QTYPE_RQ) ||
            world->node[node]->prefetch.queue[n].doorbell == producer)
            continue;
        world_bell(world, node, q->fn, n, producer);
        did = true;
    }
    return did;
}

static void next_timer(struct world *world)
{
    uint64_t first = SOFT_NEVER;

    for (unsigned n = 0; n < WORLD_NODES; n++) {
        uint64_t timer = soft_node_timer(world->node[n]);

        first = timer < first ? timer : first;
    }
    if (first > world->cycle)
        world->cycle = first;
}

void world_settle(struct world *world)
{
    for (unsigned i = 0; i < SETTLE_TURNS; i++) {
        bool did = false;

        world_work(world);
        for (unsigned n = 0; n < WORLD_NODES; n++)
            did = consume(world, n) || did;
        if (did)
            continue;
        if (world_unfinished(world) == NULL)
            return;
        next_timer(world);
    }
    fuzz_fail("this does not end: %s", world_unfinished(world));
}

/* ---- commands ---- */

uint32_t world_ask(struct world *world, unsigned node, unsigned fn, uint32_t *words)
{
    struct world_function *f = &world->fn[node][fn];
    uint32_t index = f->admin_posted;
    uint32_t at = AT_ADMIN + (index & ((1u << ADMIN_LOG2) - 1)) * TERN_DESC_BYTES;

    TERN_SET(DESC, index, words, index & 0xffff);
    memcpy(f->memory + at, words, TERN_DESC_BYTES);
    memcpy(world->asked[node][fn][index % 64], words, TERN_DESC_BYTES);
    f->admin_posted++;
    world_bell(world, node, fn, fn, f->admin_posted & 0xffffff);
    return index;
}

/* Runs a command that must succeed; returns its result. */
static uint32_t must(struct world *world, unsigned node, unsigned fn, uint32_t *words)
{
    const struct world_cqe *last;

    TERN_SET(DESC, version, words, TERN_DESC_VERSION);
    (void)world_ask(world, node, fn, words);
    world_settle(world);
    last = &world->cqe[world->cqes - 1];
    if (world->cqes == 0 || TERN_GET(CQE, status, last->w) != TERN_ST_OK)
        fuzz_fail("the world cannot be made: command %u, status %u",
                  (unsigned)TERN_GET(DESC, opcode, words),
                  world->cqes == 0 ? 255 : (unsigned)TERN_GET(CQE, status, last->w));
    world->cqes = 0;
    return (uint32_t)TERN_GET(CQE, length, last->w);
}

static uint32_t make_region(struct world *world, unsigned node, unsigned fn, uint32_t at,
                            uint32_t bytes, unsigned rights, unsigned counter)
{
    uint32_t w[SOFT_DESC_WORDS] = {TERN_ADMIN_REG_REGION};

    TERN_SET(ADM, addr, w, WORLD_BASE + at);
    TERN_SET(ADM, size, w, bytes);
    TERN_SET(ADM, rights, w, rights);
    TERN_SET(ADM, counter, w, counter);
    return must(world, node, fn, w);
}

struct queue_plan {
    unsigned type, log2_entries, log2_bytes;
    uint32_t at;
};

static uint16_t make_queue(struct world *world, unsigned node, unsigned fn,
                           const struct queue_plan *plan)
{
    const struct world_function *f = &world->fn[node][fn];
    uint32_t w[SOFT_DESC_WORDS] = {TERN_ADMIN_CREATE_QUEUE};

    TERN_SET(ADM, id, w, TERN_QUEUE_ANY);
    TERN_SET(ADM, addr, w, WORLD_BASE + plan->at);
    TERN_SET(ADM, key, w, f->keys[KEY_RINGS]);
    TERN_SET(ADM, qtype, w, plan->type);
    TERN_SET(ADM, log2_entries, w, plan->log2_entries);
    TERN_SET(ADM, log2_bytes, w, plan->log2_bytes);
    TERN_SET(ADM, cq, w, f->cq);
    if (plan->type == TERN_QTYPE_CQ)
        TERN_SET(ADM, vector, w, fn);
    return (uint16_t)must(world, node, fn, w);
}

/* ---- making ---- */

static void make_regions(struct world *world, unsigned node, unsigned fn)
{
    const unsigned local = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE;
    const unsigned all = local | TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE |
        TERN_RIGHT_REMOTE_ATOMIC;
    uint32_t *keys = world->fn[node][fn].keys;
    uint32_t counter[SOFT_DESC_WORDS] = {TERN_ADMIN_SET_COUNTER};
    uint32_t release[SOFT_DESC_WORDS] = {TERN_ADMIN_REL_REGION};

    TERN_SET(ADM, id, counter, fn);
    TERN_SET(ADM, length, counter, COUNTED_BYTES);
    (void)must(world, node, fn, counter);
    keys[KEY_RINGS] = make_region(world, node, fn, AT_SQ, 0x1000, local, TERN_COUNTER_NONE);
    keys[KEY_DATA] = make_region(world, node, fn, AT_DATA, DATA_BYTES, all, TERN_COUNTER_NONE);
    keys[KEY_SOURCE] = make_region(world, node, fn, AT_SOURCE, SOURCE_BYTES,
                                   TERN_RIGHT_LOCAL_READ, TERN_COUNTER_NONE);
    keys[KEY_COUNTED] = make_region(world, node, fn, AT_COUNTED, COUNTED_BYTES, all, fn);
    keys[KEY_GONE] = make_region(world, node, fn, AT_GONE, GONE_BYTES, all, TERN_COUNTER_NONE);
    TERN_SET(ADM, key, release, keys[KEY_GONE]);
    (void)must(world, node, fn, release);
}

static void enable(struct world *world, unsigned node, unsigned fn)
{
    world_write32(world, node, fn, TERN_REG_AQ_BASE_LO, (uint32_t)(WORLD_BASE + AT_ADMIN));
    world_write32(world, node, fn, TERN_REG_AQ_BASE_HI, WORLD_BASE >> 32);
    world_write32(world, node, fn, TERN_REG_AQ_SIZE,
                  ADMIN_LOG2 | ADMIN_CQ_LOG2 << 8 | (uint32_t)TERN_VECTOR_NONE << 16);
    world_write32(world, node, fn, TERN_REG_ABI_WANTED, TERN_ABI_VERSION);
    world_write32(world, node, fn, TERN_REG_FN_CTRL, 1);
    world_work(world);
    if ((world_read32(world, node, fn, TERN_REG_FN_STATUS) & 0xff) != TERN_FNSTATE_READY)
        fuzz_fail("function %u of node %u cannot be enabled", fn, node);
}

/*
 * Makes a list, each node of which also links to another one; some links have a wrong generation.
 */
static void make_nodes(struct world_function *f)
{
    for (unsigned i = 0; i < WORLD_LINKED; i++) {
        const unsigned to[] = {i + 1, 7 * i % WORLD_LINKED};
        uint32_t w[TERN_NODE_BYTES / 4] = {0};

        TERN_SET(NOD, key, w, i + 1);
        TERN_SET(LNK, addr, w + TERN_NOD_less_WORD, WORLD_BASE + AT_DATA + TERN_NODE_BYTES * to[0]);
        TERN_SET(LNK, addr, w + TERN_NOD_more_WORD,
                 WORLD_BASE + AT_DATA + TERN_NODE_BYTES * to[1] + i / 16);
        TERN_SET(LNK, generation, w + TERN_NOD_less_WORD, to[0] % 4);
        TERN_SET(LNK, generation, w + TERN_NOD_more_WORD, i % 8);
        TERN_SET(NOD, generation, w, i % 4);
        memcpy(f->memory + AT_DATA + TERN_NODE_BYTES * i, w, sizeof w);
    }
}

static void make_function(struct world *world, unsigned node, unsigned fn)
{
    static const struct queue_plan cq = {TERN_QTYPE_CQ, CQ_LOG2, 0, AT_CQ};
    static const struct queue_plan sq = {TERN_QTYPE_SQ, SQ_LOG2, 0, AT_SQ};
    static const struct queue_plan rq = {TERN_QTYPE_RQ, RQ_LOG2, RQ_ENTRY_LOG2, AT_RQ};
    struct world_function *f = &world->fn[node][fn];

    f->memory = calloc(1, WORLD_BYTES);
    if (f->memory == NULL)
        fuzz_fail("no memory");
    make_nodes(f);
    world->region[world->regions++] = (struct world_region){
        .node = (uint8_t)node, .fn = (uint8_t)fn, .admin = true, .live = true,
        .rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE, .base = WORLD_BASE + AT_ADMIN,
        .bytes = (TERN_DESC_BYTES << ADMIN_LOG2) + (TERN_CQE_BYTES << ADMIN_CQ_LOG2)};
    enable(world, node, fn);
    f->keys[KEY_ADMIN] = world->node[node]->prefetch.queue[fn].key;
    make_regions(world, node, fn);
    f->cq = make_queue(world, node, fn, &cq);
    f->sq = make_queue(world, node, fn, &sq);
    f->rq = make_queue(world, node, fn, &rq);
}

/* A boot image that the loader accepts; the native firmware runs instead. */
static uint32_t image[TERN_FW_HEADER_BYTES / 4 + 1];

static void make_node(struct world *world, unsigned node)
{
    struct soft_config config = {.number = node,
                                 .coordinates = (uint16_t)node,
                                 .dims = WORLD_NODES - 1,
                                 .ports = TERN_TORUS_PORTS_RING,
                                 .timing = {.host_latency = 120, .link_latency = 8},
                                 .flash = image,
                                 .flash_words = sizeof image / sizeof image[0]};
    uint32_t zero = 0;

    image[0] = TERN_FW_MAGIC;
    image[1] = sizeof zero;
    image[2] = ~tern_wire_crc32c(UINT32_MAX, (const uint8_t *)&zero, sizeof zero);
    config.host = (struct tern_host){.ctx = (void *)(uintptr_t)node,
                                     .transfer = transfer,
                                     .transfer_all = transfer_all,
                                     .interrupt = interrupt,
                                     .bar_answer = bar_answer};
    world->node[node] = soft_node_new(&config);
    if (world->node[node] == NULL)
        fuzz_fail("no memory");
}

/* ---- restoring the state ---- */

/*
 * The tables of a node; of these, only the parts that can differ between idle states, because
 * copying takes most of the time of a short execution. Regions from REGIONS_KEPT on are never used
 * (an invariant).
 */
struct span {
    size_t from, to;
};

#define FIELD_AT(field) offsetof(struct soft_node, field)
static const struct span spans[] = {
    {FIELD_AT(bar.first), FIELD_AT(key.entry[REGIONS_KEPT])},
    {FIELD_AT(key.select), FIELD_AT(tx)},
    {FIELD_AT(tx.order), FIELD_AT(writes)},
    {FIELD_AT(writes.first), sizeof(struct soft_node)},
};

static struct {
    struct world world;
    uint8_t node[WORLD_NODES][sizeof(struct soft_node)];
    struct fw fw[WORLD_NODES];
    uint8_t memory[WORLD_NODES][WORLD_FUNCTIONS][WORLD_BYTES];
} saved;

static void copy_node(uint8_t *to, const uint8_t *from)
{
    for (unsigned i = 0; i < sizeof spans / sizeof spans[0]; i++)
        memcpy(to + spans[i].from, from + spans[i].from, spans[i].to - spans[i].from);
}

static void save(struct world *world)
{
    for (unsigned n = 0; n < WORLD_NODES; n++) {
        copy_node(saved.node[n], (const uint8_t *)world->node[n]);
        saved.fw[n] = *world_fw(world, n);
        for (unsigned f = 0; f < WORLD_FUNCTIONS; f++)
            memcpy(saved.memory[n][f], world->fn[n][f].memory, WORLD_BYTES);
    }
    for (unsigned i = 0; i < world->regions; i++)
        world->region[i].was_live = world->region[i].live;
    saved.world = *world;
}

/*
 * Restores the saved state, memory included: an old descriptor must not look like a new one, and
 * the path of a lookup depends on the memory that it reads.
 */
static void restore(struct world *world)
{
    world->cycle = saved.world.cycle;
    memcpy(world->fn, saved.world.fn, sizeof world->fn);
    memcpy(world->region, saved.world.region, saved.world.regions * sizeof world->region[0]);
    world->regions = saved.world.regions;
    memcpy(world->laps, saved.world.laps, sizeof world->laps);
    world->cqes = 0;
    world->injected = 0;
    for (unsigned n = 0; n < WORLD_NODES; n++) {
        copy_node((uint8_t *)world->node[n], saved.node[n]);
        *world_fw(world, n) = saved.fw[n];
        for (unsigned f = 0; f < WORLD_FUNCTIONS; f++)
            memcpy(world->fn[n][f].memory, saved.memory[n][f], WORLD_BYTES);
    }
}

static void make(struct world *world)
{
    const struct tern_torus ring = {.sides = {WORLD_NODES, 1, 1}};

    world->net = tern_net_new(&ring, 8, 1);
    if (world->net == NULL || !tern_net_use_packets(world->net))
        fuzz_fail("no memory");
    for (unsigned n = 0; n < WORLD_NODES; n++)
        make_node(world, n);
    world_work(world);
    for (unsigned n = 0; n < WORLD_NODES; n++)
        for (unsigned f = 0; f < WORLD_FUNCTIONS; f++)
            make_function(world, n, f);
    world_settle(world);
    save(world);
}

struct world *world_begin(void)
{
    if (the_world.net == NULL)
        make(&the_world);
    else
        restore(&the_world);
    return &the_world;
}
