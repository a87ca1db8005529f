/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: admin commands, and the objects that they make.
 *
 * Functions 0 and 1 of node 0 give commands. Most keys and queue numbers exist, have existed, or
 * belong to the other function. In between, puts use those keys, doorbells ring those queues, and
 * functions are reset. Every command gets one completion; its result determines which memory may be
 * written afterwards.
 */
#include "laws.h"
#include "steps.h"
#include "wire.h"

enum { HEAD = 8, RECORD = HEAD + TERN_DESC_BYTES };

/* Bits of the second byte: fields to keep as the input has them. */
enum {
    RAW_VERSION = 1,
    RAW_OPCODE = 2,
    RAW_KEY = 4,
    RAW_ADDRESS = 8,
    RAW_QUEUE = 16,
    RAW_SHAPE = 32,
    RAW_SIZE = 64,
};

enum { ACT_ASK, ACT_LOCAL_PUT, ACT_PACKET, ACT_BELL, ACT_CONTROL, ACT_WORK, ACTS };

struct run {
    struct world *world;
    uint32_t first[WORLD_FUZZED]; /* commands from here on belong to this execution */
    bool was_reset[WORLD_FUZZED];
};

static bool is_ready(const struct run *run, unsigned fn)
{
    return world_fw(run->world, 0)->fn[fn].state == TERN_FNSTATE_READY;
}

/* Returns a region that exists or existed, by number: of this function, or of the other. */
static const struct world_region *any_region(const struct run *run, unsigned fn, uint32_t number)
{
    const struct world *world = run->world;

    for (unsigned i = 0; i < world->regions; i++) {
        const struct world_region *region = &world->region[(number + i) % world->regions];

        if (region->node == 0 && !region->admin && (region->fn == fn || number >> 6 & 1))
            return region;
    }
    return &world->region[0];
}

static uint32_t any_queue(const struct run *run, unsigned fn, uint32_t number)
{
    const struct world_function *f = &run->world->fn[0][fn];
    const struct world_function *other = &run->world->fn[0][(fn + 1) % WORLD_FUZZED];
    const uint32_t queues[] = {TERN_QUEUE_ANY, f->cq, f->sq, f->rq, other->cq, other->sq,
                               run->world->fn[0][WORLD_BYSTANDER].cq, fn};

    if (number & 8)
        return world_fw(run->world, 0)->first_queue + WORLD_FUNCTIONS * 3u + (number >> 4 & 3);
    return queues[number % (sizeof queues / sizeof queues[0])];
}

/* ---- commands ---- */

/*
 * Returns a key for a new region: in a part of the table that is the same before every execution,
 * or outside the table.
 */
static uint32_t wanted_key(uint32_t key)
{
    uint32_t index = key & 0xffff;

    return index >= REGIONS_KEPT && index < SOFT_REGIONS
        ? (key & 0xffff0000) | index % REGIONS_KEPT : key;
}

static void fix_address(const struct run *run, unsigned fn, uint8_t raw, uint32_t *w)
{
    uint32_t number = (uint32_t)TERN_GET(ADM, key, w);
    uint32_t low = (uint32_t)TERN_GET(ADM, addr, w);
    const struct world_region *region = any_region(run, fn, number);
    bool is_new = TERN_GET(DESC, opcode, w) == TERN_ADMIN_REG_REGION;

    if (!(raw & RAW_KEY))
        TERN_SET(ADM, key, w, is_new ? TERN_KEY_NONE : region->key);
    else if (is_new)
        TERN_SET(ADM, key, w, wanted_key(number));
    if (raw & RAW_ADDRESS)
        return;
    if (is_new)
        TERN_SET(ADM, addr, w, WORLD_BASE + AT_GONE + low % 0x1000);
    else
        TERN_SET(ADM, addr, w,
                 region->base + (low >> 12 & 3 ? low % 0x1000 & ~63u : low % 0x1000));
}

static void fix_shape(const struct run *run, unsigned fn, uint8_t raw, uint32_t *w)
{
    bool region = TERN_GET(DESC, opcode, w) == TERN_ADMIN_REG_REGION;

    if (!(raw & RAW_QUEUE)) {
        TERN_SET(ADM, id, w, any_queue(run, fn, (uint32_t)TERN_GET(ADM, id, w)));
        TERN_SET(ADM, cq, w, any_queue(run, fn, (uint32_t)TERN_GET(ADM, cq, w)));
        TERN_SET(ADM, counter, w, TERN_GET(ADM, counter, w) & 1 ? TERN_COUNTER_NONE : fn);
    }
    if (region && !(raw & RAW_SIZE))
        TERN_SET(ADM, size, w, TERN_GET(ADM, size, w) % 0x400);
    if (!region && !(raw & RAW_SIZE))
        TERN_SET(ADM, length, w, TERN_GET(ADM, length, w) % 0x400);
    if (raw & RAW_SHAPE)
        return;
    if (region) {
        TERN_SET(ADM, rights, w, TERN_GET(ADM, rights, w) & 0x1f);
    } else {
        TERN_SET(ADM, qtype, w, 1 + TERN_GET(ADM, qtype, w) % 3);
        TERN_SET(ADM, log2_entries, w, TERN_GET(ADM, log2_entries, w) % 5);
        TERN_SET(ADM, log2_bytes, w, 5 + TERN_GET(ADM, log2_bytes, w) % 4);
    }
}

static void build(const struct run *run, unsigned fn, const uint8_t *step, uint32_t *w)
{
    uint8_t raw = step[1];

    memcpy(w, step + HEAD, TERN_DESC_BYTES);
    if (!(raw & RAW_VERSION))
        TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    if (!(raw & RAW_OPCODE))
        TERN_SET(DESC, opcode, w, 1 + TERN_GET(DESC, opcode, w) % TERN_ADMIN_GET_COUNTER);
    fix_address(run, fn, raw, w);
    fix_shape(run, fn, raw, w);
}

static bool ring_full(const struct run *run, unsigned fn)
{
    uint32_t seen = world_fw(run->world, 0)->queue[fn].producer;

    return run->world->fn[0][fn].admin_posted - seen >= 1u << ADMIN_LOG2;
}

static void ask(struct run *run, const uint8_t *step)
{
    unsigned fn = step[2] % WORLD_FUZZED;
    uint32_t w[SOFT_DESC_WORDS];

    if (is_ready(run, fn) && ring_full(run, fn))
        world_settle(run->world);
    if (!is_ready(run, fn))
        return;
    build(run, fn, step, w);
    (void)world_ask(run->world, 0, fn, w);
    if (step[3] & 1)
        world_work(run->world);
}

/* ---- operations with the keys ---- */

static void local_put(struct run *run, const uint8_t *step)
{
    unsigned fn = step[2] % WORLD_FUZZED;
    struct world_function *f = &run->world->fn[0][fn];
    const struct world_region *from, *to;
    uint32_t w[SOFT_DESC_WORDS];

    if (((f->posted - run->world->node[0]->prefetch.queue[f->sq].head) & 0xffffff) >= 8)
        return;
    memcpy(w, step + HEAD, sizeof w);
    from = any_region(run, fn, (uint32_t)TERN_GET(DESC, local_key, w));
    to = any_region(run, fn, (uint32_t)TERN_GET(DESC, remote_key, w));
    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, index, w, f->posted & 0xffff);
    TERN_SET(DESC, dst_node, w, 0);
    TERN_SET(DESC, incarnation, w, 0);
    TERN_SET(DESC, length, w, 1 + TERN_GET(DESC, length, w) % 64);
    TERN_SET(DESC, local_addr, w, from->base + TERN_GET(DESC, local_addr, w) % 64);
    TERN_SET(DESC, local_key, w, from->key);
    TERN_SET(DESC, remote_addr, w, to->base + TERN_GET(DESC, remote_addr, w) % 64);
    TERN_SET(DESC, remote_key, w, to->key);
    memcpy(f->memory + AT_SQ + (f->posted & ((1u << SQ_LOG2) - 1)) * TERN_DESC_BYTES, w, sizeof w);
    world_bell(run->world, 0, fn, f->sq, ++f->posted & 0xffffff);
}

static void packet(struct run *run, const uint8_t *step)
{
    _Alignas(8) uint8_t bytes[TERN_PKT_HEADER_BYTES + 64 + TERN_PKT_TRAILER_BYTES] = {0};
    const struct world_region *to = any_region(run, step[2] % WORLD_FUZZED, step[4]);
    uint32_t w[SOFT_HEADER_WORDS] = {0}, payload = 1 + step[5] % 64u;
    size_t whole = soft_packet_bytes(payload);

    TERN_SET(PKT, type, w, TERN_PTYPE_PUT);
    TERN_SET(PKT, vn, w, TERN_VN_DATA);
    TERN_SET(PKT, version, w, TERN_PKT_VERSION);
    TERN_SET(PKT, flags, w, TERN_PFLAG_LAST);
    TERN_SET(PKT, src, w, 1);
    TERN_SET(PKT, opid, w, TERN_OP_NONE);
    TERN_SET(PKT, length, w, payload);
    TERN_SET(PKT, words, w, whole / 8);
    TERN_SET(PKT, key, w, to->key);
    TERN_SET(PKT, addr, w, to->base + step[6]);
    memcpy(bytes, w, sizeof w);
    tern_wire_seal(bytes, whole, TERN_SEAL_ALL);
    if (tern_net_inject(run->world->net, 1, step[7] & 1, bytes, whole))
        run->world->injected++;
}

static void bell(struct run *run, const uint8_t *step)
{
    unsigned fn = step[2] % WORLD_FUZZED;
    uint32_t queue = any_queue(run, fn, step[4]) % SOFT_QUEUES, index;

    memcpy(&index, step + HEAD, sizeof index);
    if (!(step[1] & 1))
        index &= 0x1f;
    /* An admin queue with a wrong doorbell serves other commands than the recorded ones. */
    if (queue >= world_fw(run->world, 0)->first_queue)
        world_bell(run->world, 0, fn, queue, index);
}

/* Resets a function, or enables it if it is off; sometimes both without a pause. */
static void control(struct run *run, const uint8_t *step)
{
    unsigned fn = step[2] % WORLD_FUZZED;
    bool off = world_fw(run->world, 0)->fn[fn].state == TERN_FNSTATE_OFF;

    if (!off && !(step[1] & 1)) {
        world_write32(run->world, 0, fn, TERN_REG_FN_CTRL, 2);
        run->was_reset[fn] = true;
    } else {
        if (off)
            run->world->fn[0][fn].admin_posted = 0;
        world_write32(run->world, 0, fn, TERN_REG_FN_CTRL, 1);
    }
    world_work(run->world);
    if (step[3] & 1)
        world_settle(run->world);
}

static void act(struct run *run, const uint8_t *step)
{
    switch (step[0] % ACTS) {
    case ACT_ASK:
        ask(run, step);
        break;
    case ACT_LOCAL_PUT:
        local_put(run, step);
        break;
    case ACT_PACKET:
        packet(run, step);
        break;
    case ACT_BELL:
        bell(run, step);
        break;
    case ACT_CONTROL:
        control(run, step);
        break;
    default:
        if (step[1] & 1)
            world_settle(run->world);
        else
            world_work(run->world);
    }
}

static void judge(const struct run *run, unsigned fn)
{
    const struct world_function *f = &run->world->fn[0][fn];

    for (uint32_t i = run->first[fn]; !run->was_reset[fn] && i != f->admin_posted; i++) {
        unsigned errors, got = world_completions(run->world, 0, fn, i, &errors);

        if (got != 1)
            fuzz_fail("command %u of function %u has %u completions", i - run->first[fn], fn, got);
    }
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct run run = {.world = world_begin()};
    size_t steps = size / RECORD;

    for (unsigned fn = 0; fn < WORLD_FUZZED; fn++)
        run.first[fn] = run.world->fn[0][fn].admin_posted;
    for (size_t i = 0; i < steps && i < fuzz_target.most; i++)
        act(&run, data + i * RECORD);
    world_settle(run.world);
    for (unsigned fn = 0; fn < WORLD_FUZZED; fn++)
        judge(&run, fn);
    world_judge(run.world);
    return 0;
}

static void fresh(struct fuzz_random *random, uint8_t *step)
{
    static const uint8_t acts[] = {ACT_ASK, ACT_ASK, ACT_ASK, ACT_ASK, ACT_ASK, ACT_ASK, ACT_ASK,
                                   ACT_LOCAL_PUT, ACT_PACKET, ACT_CONTROL, ACT_BELL, ACT_WORK};

    for (unsigned i = 0; i < RECORD; i++)
        step[i] = (uint8_t)fuzz_random(random);
    step[0] = acts[fuzz_below(random, sizeof acts)];
    step[1] = 0;
    if (fuzz_below(random, 4) == 0)
        step[1] = (uint8_t)(1u << fuzz_below(random, 8));
}

const struct fuzz_target fuzz_target = {"commands", RECORD, 20, fresh};
