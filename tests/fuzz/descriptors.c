/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: descriptors in a ring, and doorbells.
 *
 * Steps act for function 0 of node 0, whose queue is empty before every execution. They may
 * overwrite descriptors during their fetch, ring doorbells beyond the ring, and write windows in
 * pieces. Every descriptor up to the doorbell gets one completion, or none if it did not ask for
 * one and succeeded.
 */
#include "steps.h"

enum { HEAD = 8, RECORD = HEAD + TERN_DESC_BYTES };

/* Bits of the second byte: fields to keep as the input has them. */
enum {
    RAW_VERSION = 1,
    RAW_INDEX = 2,
    RAW_LENGTH = 4,
    RAW_REMOTE = 8,
    RAW_LOCAL = 16,
    RAW_NODE = 32,
    RAW_OPCODE = 64,
    RAW_FLAGS = 128
};

/*
 * Bits of the seventh byte of a step: make the descriptor an atomic operation with its operands, a
 * read, or a lookup.
 */
enum { ATOMIC = 1, ATOMIC_ADD = 2, ATOMIC_ANYWHERE = 4, READ = 8, READ_ANY_LENGTH = 16,
      READ_ANYWHERE = 32, LOOKUP = 64, ATOMIC_TAKE = 128 };

enum { ACT_POST, ACT_POST_BELL, ACT_WINDOW, ACT_BELL, ACT_BEAT, ACT_WORK, ACT_OVERWRITE, ACTS };

struct run {
    struct world *world;
    struct world_function *f;
    uint32_t first; /* index of the first descriptor of this execution */
    bool pieces; /* windows were written in pieces: the contents that the NIC saw are unknown */
    struct {
        bool written, all_signal;
    } desc[WORLD_INDICES];
};

static void note(struct run *run, uint32_t index, const uint32_t *w)
{
    bool signal = TERN_F(DESC, flags, w[0]) & TERN_DFLAG_SIGNAL;
    uint32_t n = index - run->first;

    if (n >= WORLD_INDICES)
        return;
    run->desc[n].all_signal = signal && (!run->desc[n].written || run->desc[n].all_signal);
    run->desc[n].written = true;
}

/* The NIC takes it as its next descriptor, whatever its index. */
static void note_window(struct run *run, const uint32_t *w)
{
    uint32_t head = run->world->node[0]->prefetch.queue[run->f->sq].head;

    for (uint32_t i = head; i != run->f->posted && i - head < WORLD_INDICES; i++)
        note(run, i, w);
}

/* Makes a box from this node up to the other, down to it, or neither. */
static void fix_box(uint32_t *w)
{
    TERN_SET(BOX, low, w, TERN_GET(BOX, low, w) & 1);
    TERN_SET(BOX, members, w, TERN_GET(BOX, members, w) % 4 == 0);
}

/*
 * Returns the function whose keys are valid targets: that of the other node, whose keys are those
 * of members; for a copy to itself, this one.
 */
static const struct world_function *target_of(const struct run *run, const uint32_t *w)
{
    bool other = TERN_GET(DESC, dst_node, w) % 2;

    if (TERN_GET(DESC, opcode, w) == TERN_OP_BCAST)
        other = !(TERN_GET(DESC, flags, w) & TERN_DFLAG_SELF);
    return &run->world->fn[other][0];
}

static void fix_ends(const struct run *run, uint8_t raw, uint32_t *w)
{
    uint32_t remote = (uint32_t)TERN_GET(DESC, remote_key, w);
    uint32_t local = (uint32_t)TERN_GET(DESC, local_key, w);
    const struct world_function *target = target_of(run, w);

    if (!(raw & RAW_REMOTE)) {
        if (!(TERN_F(DESC, flags, w[0]) & TERN_DFLAG_OFFSET))
            TERN_SET(DESC, remote_addr, w,
                     steps_address(remote, TERN_GET(DESC, remote_addr, w)));
        TERN_SET(DESC, remote_key, w, steps_key(target, remote));
        if (TERN_GET(DESC, opcode, w) != TERN_OP_BCAST) /* in a broadcast this is the low corner of
                                                         * the box */
            TERN_SET(DESC, dst_queue, w, target->rq);
    }
    if (raw & RAW_LOCAL || TERN_F(DESC, flags, w[0]) & TERN_DFLAG_INLINE)
        return;
    TERN_SET(DESC, local_addr, w, steps_address(local, TERN_GET(DESC, local_addr, w)));
    TERN_SET(DESC, local_key, w, steps_key(run->f, local));
}

static void make_atomic(uint8_t how, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, how & ATOMIC_TAKE ? TERN_OP_TAKE : how & ATOMIC_ADD ? TERN_OP_ADD
             : TERN_OP_CAS);
    TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_ATO_BYTES);
    if (!(how & ATOMIC_ANYWHERE))
        TERN_SET(DESC, remote_addr, w,
                 TERN_GET(DESC, remote_addr, w) & ~(uint64_t)(TERN_ATOMIC_BYTES - 1));
}

static void make_read(const struct run *run, uint8_t how, uint32_t *w)
{
    uint32_t number = (uint32_t)TERN_GET(RDR, key, w);

    TERN_SET(DESC, opcode, w, TERN_OP_READ);
    TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_READ_BYTES);
    if (!(how & READ_ANY_LENGTH))
        TERN_SET(RDR, length, w, TERN_GET(DESC, length, w));
    if (how & READ_ANYWHERE)
        return;
    TERN_SET(RDR, addr, w, steps_address(number, TERN_GET(RDR, addr, w)));
    TERN_SET(RDR, key, w, steps_key(run->f, number));
}

static void make_lookup(uint8_t how, uint8_t nodes, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_LOOKUP);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    if (!(how & READ_ANY_LENGTH))
        TERN_SET(LKP, length, w, TERN_GET(LKP, length, w) % SOFT_PAYLOAD);
    if (how & ATOMIC_ANYWHERE)
        return;
    TERN_SET(DESC, remote_addr, w,
             TERN_GET(DESC, remote_addr, w) & ~(uint64_t)(TERN_NODE_BYTES - 1));
    TERN_SET(LKP, nodes, w, nodes);
    TERN_SET(LKP, wanted, w, nodes);
    steps_wanted(w);
}

/* Builds the descriptor of a step for place `index`. */
static void build(const struct run *run, const uint8_t *step, uint32_t index, uint32_t *w)
{
    uint8_t raw = step[1];

    memcpy(w, step + HEAD, TERN_DESC_BYTES);
    if (!(raw & RAW_VERSION))
        TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    if (!(raw & RAW_INDEX))
        TERN_SET(DESC, index, w, index & 0xffff);
    if (!(raw & RAW_OPCODE))
        TERN_SET(DESC, opcode, w, TERN_GET(DESC, opcode, w) % 4);
    if (!(raw & RAW_FLAGS))
        TERN_SET(DESC, flags, w, TERN_GET(DESC, flags, w) | TERN_DFLAG_SIGNAL);
    if (!(raw & RAW_NODE)) {
        TERN_SET(DESC, dst_node, w, TERN_GET(DESC, dst_node, w) % 4 != 0);
        TERN_SET(DESC, incarnation, w, TERN_GET(DESC, incarnation, w) & 1);
        if (TERN_GET(DESC, opcode, w) == TERN_OP_BCAST)
            fix_box(w);
    }
    if (!(raw & RAW_LENGTH)) {
        TERN_SET(DESC, length, w, TERN_GET(DESC, length, w) % (step[2] & 1 ? 10241 : 65));
        TERN_SET(DESC, inline_len, w, TERN_GET(DESC, inline_len, w) % 33);
    }
    if (step[6] & ATOMIC)
        make_atomic(step[6], w);
    else if (step[6] & READ)
        make_read(run, step[6], w);
    if (!(step[6] & ATOMIC) && step[6] & READ && step[6] & LOOKUP)
        make_lookup(step[6], step[7], w);
    fix_ends(run, raw, w);
}

static void put_in_ring(struct run *run, uint32_t index, const uint32_t *w)
{
    uint32_t place = index & ((1u << SQ_LOG2) - 1);

    memcpy(run->f->memory + AT_SQ + place * TERN_DESC_BYTES, w, TERN_DESC_BYTES);
    note(run, index, w);
}

static bool ring_full(const struct run *run)
{
    const struct soft_queue *q = &run->world->node[0]->prefetch.queue[run->f->sq];

    return ((run->f->posted - q->head) & 0xffffff) >= 1u << SQ_LOG2;
}

static void post(struct run *run, const uint8_t *step, bool window, bool bell)
{
    uint32_t w[SOFT_DESC_WORDS], index = run->f->posted;

    if (ring_full(run))
        world_work(run->world);
    if (ring_full(run))
        return; /* full until completions are taken */
    build(run, step, index, w);
    put_in_ring(run, index, w);
    run->f->posted++;
    if (window) {
        if (step[3] & 1) /* another descriptor than in the ring */
            w[step[4] % SOFT_DESC_WORDS] ^= step[5];
        note_window(run, w);
        world_window(run->world, 0, 0, run->f->sq, w);
    } else if (bell) {
        world_bell(run->world, 0, 0, run->f->sq, run->f->posted);
    }
}

/* Writes a beat anywhere in the BAR, from any function. */
static void beat(struct run *run, const uint8_t *step)
{
    struct tern_bar_access access = {.enables = step[2], .function = step[3] % WORLD_FUZZED,
                                     .write = step[4] & 1};
    uint32_t address;

    memcpy(&address, step + HEAD, sizeof address);
    memcpy(&access.data, step + HEAD + 8, sizeof access.data);
    if (step[1] & 1) /* a window of an existing queue */
        address = TERN_BAR_DB + address % TERN_BAR_DB_STRIDE +
                  (run->f->sq - 4u + step[5] % 16u) * TERN_BAR_DB_STRIDE;
    access.address = address % TERN_BAR_BYTES & ~7u;
    if (access.write && (access.address < TERN_BAR_DB || access.enables == 0))
        return; /* not the function's registers: they belong to the target of commands */
    run->pieces = run->pieces || access.write;
    if (soft_bar_room(run->world->node[0]) == 0)
        world_work(run->world);
    soft_bar_push(run->world->node[0], &access);
}

static void bell(struct run *run, const uint8_t *step)
{
    uint32_t index = run->f->posted;

    if (step[1] & 1)
        memcpy(&index, step + HEAD, sizeof index);
    else if (step[1] & 2)
        index += (uint32_t)step[2] - 128;
    world_bell(run->world, 0, 0, run->f->sq, index);
}

static void act(struct run *run, const uint8_t *step)
{
    uint32_t w[SOFT_DESC_WORDS], index;

    switch (step[0] % ACTS) {
    case ACT_POST:
    case ACT_POST_BELL:
    case ACT_WINDOW:
        post(run, step, step[0] % ACTS == ACT_WINDOW, step[0] % ACTS == ACT_POST_BELL);
        break;
    case ACT_BELL:
        bell(run, step);
        break;
    case ACT_BEAT:
        beat(run, step);
        break;
    case ACT_OVERWRITE:
        index = run->f->posted - 1 - step[2] % (1u << SQ_LOG2);
        build(run, step, index, w);
        put_in_ring(run, index, w);
        break;
    default:
        if (step[1] & 1)
            world_settle(run->world);
        else
            world_work(run->world);
    }
}

/* Checks the number of completions of each descriptor. */
static void judge(const struct run *run)
{
    uint32_t head = run->world->node[0]->prefetch.queue[run->f->sq].head;
    uint32_t count = (head - run->first) & 0xffffff;

    for (uint32_t n = 0; n < count && n < WORLD_INDICES; n++) {
        unsigned errors;
        unsigned got = world_completions(run->world, 0, run->f->sq, run->first + n, &errors);

        if (got > 1)
            fuzz_fail("descriptor %u has %u completions", n, got);
        if (got == 0 && run->desc[n].all_signal && !run->pieces)
            fuzz_fail("descriptor %u of %u has no completion", n, count);
    }
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct run run = {.world = world_begin()};
    size_t steps = size / RECORD;

    run.f = &run.world->fn[0][0];
    run.first = run.f->posted;
    for (size_t i = 0; i < steps && i < fuzz_target.most; i++)
        act(&run, data + i * RECORD);
    world_settle(run.world);
    judge(&run);
    world_judge(run.world);
    return 0;
}

static void fresh(struct fuzz_random *random, uint8_t *step)
{
    static const uint8_t acts[] = {ACT_POST,   ACT_POST_BELL, ACT_POST_BELL, ACT_WINDOW,
                                   ACT_WINDOW, ACT_BELL,      ACT_BEAT,      ACT_WORK};
    uint32_t w[SOFT_DESC_WORDS];

    for (unsigned i = 0; i < SOFT_DESC_WORDS; i++)
        w[i] = fuzz_random(random);
    memset(step, 0, HEAD);
    step[0] = acts[fuzz_below(random, sizeof acts)];
    step[2] = (uint8_t)(fuzz_below(random, 8) == 0);
    TERN_SET(DESC, opcode, w, fuzz_below(random, 8) ? TERN_OP_PUT : fuzz_random(random));
    if (fuzz_below(random, 4) == 0)
        TERN_SET(DESC, opcode, w, TERN_OP_BCAST);
    TERN_SET(DESC, flags, w, fuzz_below(random, 2) ? 0 : fuzz_random(random));
    memcpy(step + HEAD, w, sizeof w);
    if (fuzz_below(random, 4) == 0)
        step[1] = (uint8_t)(1u << fuzz_below(random, 8));
    if (fuzz_below(random, 4) == 0)
        step[6] = (uint8_t)(fuzz_below(random, 8) == 0 ? fuzz_random(random) : READ);
}

const struct fuzz_target fuzz_target = {"descriptors", RECORD, 24, fresh};
