/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzz target: packets on the wires.
 *
 * Steps send packets of any size and contents over the links to either node, with right or wrong
 * checksums, between puts and messages of the nodes themselves, for which they may forge acks. In
 * all cases each operation gets its one completion.
 */
#include "steps.h"
#include "wire.h"

/* Bit of the last byte: the request is a lookup instead of a read. */
enum { LOOKUP = 64 };

enum { HEAD = 8, RECORD = HEAD + TERN_PKT_HEADER_BYTES, OPERATIONS = 32 };

/* Bits of the second byte: fields to keep as the input has them. */
enum {
    RAW_VERSION = 1,
    RAW_BYTES = 2,
    RAW_HEADER_CRC = 4,
    RAW_END_CRC = 8,
    RAW_LINK_CRC = 16,
    RAW_KEY = 32,
    RAW_TYPE = 64,
    RAW_NODE = 128
};

enum { ACT_PUT, ACT_SEND, ACT_ACK, ACT_ANY, ACT_OWN_PUT, ACT_OWN_SEND, ACT_WORK, ACT_OWN_BCAST,
      ACT_READ, ACT_REPLY, ACT_OWN_READ, ACTS };

struct run {
    struct world *world;
    struct {
        unsigned node;
        uint32_t index;
    } operation[OPERATIONS];
    unsigned operations;
};

static uint16_t byte_pair(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

/* Returns an operation of `node` that waits for acks, as packets name it. */
static uint32_t busy_operation(const struct soft_node *node, uint32_t number)
{
    for (uint32_t i = 0; i < SOFT_SLOTS; i++)
        if (node->ops.op[(number + i) % SOFT_SLOTS].busy)
            return soft_op_id(node, (number + i) % SOFT_SLOTS);
    return number;
}

/* Makes flag and bit of a broadcast agree, and the box end at some node. */
static void fix_put(const struct world_function *target, uint32_t *w)
{
    uint32_t number = (uint32_t)TERN_GET(PKT, key, w);

    TERN_SET(PKT, deposit, w, (TERN_GET(PKT, flags, w) & TERN_PFLAG_DEPOSIT) != 0);
    TERN_SET(PKT, box, w, TERN_GET(PKT, box, w) & 1);
    if (!(TERN_GET(PKT, flags, w) & TERN_PFLAG_OFFSET))
        TERN_SET(PKT, addr, w, steps_address(number, TERN_GET(PKT, addr, w)));
    TERN_SET(PKT, key, w, steps_key(target, number));
}

static bool is_lookup(const uint8_t *step)
{
    return step[7] & LOOKUP;
}

static void fix_kind(const struct run *run, const uint8_t *step, unsigned to, uint32_t *w)
{
    const unsigned act = step[0] % ACTS;
    static const struct {
        uint8_t type, vn;
    } kinds[] = {[ACT_PUT] = {TERN_PTYPE_PUT, TERN_VN_DATA},
                 [ACT_SEND] = {TERN_PTYPE_SEND, TERN_VN_REQUEST},
                 [ACT_ACK] = {TERN_PTYPE_ACK, TERN_VN_ACK},
                 [ACT_READ] = {TERN_PTYPE_READ, TERN_VN_REQUEST},
                 [ACT_REPLY] = {TERN_PTYPE_REPLY, TERN_VN_DATA}};
    const struct world_function *target =
        &run->world->fn[to][TERN_GET(PKT, opid, w) % WORLD_FUZZED];
    uint64_t address = TERN_GET(PKT, addr, w);

    TERN_SET(PKT, type, w, kinds[act].type);
    TERN_SET(PKT, vn, w, kinds[act].vn);
    TERN_SET(PKT, incarnation, w, TERN_GET(PKT, incarnation, w) & 1);
    if (act == ACT_PUT || act == ACT_READ || act == ACT_REPLY)
        fix_put(target, w);
    if (act == ACT_READ && is_lookup(step))
        TERN_SET(PKT, type, w, TERN_PTYPE_LOOKUP);
    if (act != ACT_PUT)
        TERN_SET(PKT, deposit, w, 0);
    if (act == ACT_SEND)
        TERN_SET(PKT, addr, w, (address & ~(UINT64_C(0xffff) << 32)) | (uint64_t)target->rq << 32);
    if (act == ACT_ACK || act == ACT_REPLY)
        TERN_SET(PKT, opid, w,
                 busy_operation(run->world->node[to], (uint32_t)TERN_GET(PKT, opid, w)));
}

static void fix_header(const struct run *run, const uint8_t *step, unsigned to, uint32_t *w,
                       uint32_t payload, size_t bytes)
{
    unsigned act = step[0] % ACTS;
    uint8_t raw = step[1];

    if (act != ACT_ANY && !(raw & RAW_KEY))
        fix_kind(run, step, to, w);
    if (!(raw & RAW_VERSION))
        TERN_SET(PKT, version, w, TERN_PKT_VERSION);
    if (!(raw & RAW_BYTES) || step[6] & 8) /* as long as the field says, even if that is too long */
        TERN_SET(PKT, length, w, payload);
    TERN_SET(PKT, words, w, (raw & RAW_BYTES) && !(step[6] & 8) ? TERN_GET(PKT, words, w)
             : bytes / 8);
    if (!(raw & RAW_NODE)) {
        TERN_SET(PKT, dst, w, step[6] & 7 ? to : 1 - to); /* some packets only pass through */
        TERN_SET(PKT, src, w, 1 - to);
    }
}

/* Returns the bytes of payload, or of the whole packet. */
static size_t packet_bytes(const uint8_t *step, uint32_t *payload)
{
    *payload = byte_pair(step + 2) % (SOFT_PAYLOAD + 1);
    if (step[0] % ACTS == ACT_ACK)
        *payload = 0;
    if (step[0] % ACTS == ACT_READ)
        *payload = is_lookup(step) ? TERN_INLINE_BYTES_MAX : TERN_READ_BYTES;
    if (step[1] & RAW_BYTES) {
        const size_t words = (TERN_WIRE_PACKET_MAX - 16) / 8 + 1; /* in 8-byte words; two words come
                                                                   * before */
        size_t bytes = 16 + 8 * (byte_pair(step + 2) % words);

        *payload = bytes < 40 ? 0 : (uint32_t)bytes - 40;
        return bytes;
    }
    return soft_packet_bytes(*payload);
}

/* Sets the destination of a read or lookup: a region of the requesting node. */
static void fill_read(const struct run *run, unsigned from, const uint8_t *step, uint8_t *payload)
{
    uint32_t w[SOFT_DESC_WORDS] = {0}, number = step[7];

    TERN_SET(RDR, addr, w, steps_address(number, step[4]));
    TERN_SET(RDR, key, w, steps_key(&run->world->fn[from][step[7] >> 7], number));
    TERN_SET(RDR, length, w, byte_pair(step + 2) % 2048);
    if (is_lookup(step)) {
        TERN_SET(LKP, nodes, w, step[4]);
        TERN_SET(LKP, tree, w, step[3] & 1);
        TERN_SET(LKP, wanted, w, step[4]);
        steps_wanted(w);
    }
    memcpy(payload, w + TERN_INLINE_OFFSET / 4, is_lookup(step) ? TERN_INLINE_BYTES_MAX
           : TERN_READ_BYTES);
}

static void put_on_wire(struct run *run, const uint8_t *step)
{
    static uint8_t packet[TERN_WIRE_PACKET_MAX];
    unsigned from = step[5] & 1, port = step[5] >> 1 & 1, seal = TERN_SEAL_ALL;
    uint32_t w[SOFT_HEADER_WORDS], payload;
    size_t bytes = packet_bytes(step, &payload);

    memset(packet, step[4], bytes);
    if (step[0] % ACTS == ACT_READ && !(step[1] & RAW_BYTES))
        fill_read(run, from, step, packet + TERN_PKT_HEADER_BYTES);
    memcpy(w, step + HEAD, sizeof w);
    fix_header(run, step, 1 - from, w, payload, bytes);
    memcpy(packet, w, sizeof w);
    seal &= step[1] & RAW_HEADER_CRC ? ~(unsigned)TERN_SEAL_HEADER : seal;
    seal &= step[1] & RAW_END_CRC ? ~(unsigned)TERN_SEAL_END : seal;
    seal &= step[1] & RAW_LINK_CRC ? ~(unsigned)TERN_SEAL_LINK : seal;
    if (bytes >= TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES)
        tern_wire_seal(packet, bytes, seal);
    if (tern_net_inject(run->world->net, from, port, packet, bytes))
        run->world->injected++;
    else
        world_work(run->world);
}

static uint32_t own_opcode(unsigned act)
{
    if (act == ACT_OWN_BCAST)
        return TERN_OP_BCAST;
    if (act == ACT_OWN_READ)
        return TERN_OP_READ;
    return act == ACT_OWN_PUT ? TERN_OP_PUT : TERN_OP_SEND;
}

/* Makes a box of both nodes, up or down. */
static void box_of_both(unsigned node, uint8_t down, uint32_t *w)
{
    TERN_SET(BOX, low, w, down & 1 ? 1 - node : node);
    TERN_SET(BOX, high, w, down & 1 ? node : 1 - node);
    TERN_SET(BOX, members, w, 1);
}

/* A read into the data area; long ones take several packets. */
static void read_into_data(const struct world_function *f, uint8_t length, uint32_t *w)
{
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL | TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, w, TERN_READ_BYTES);
    TERN_SET(RDR, addr, w, WORLD_BASE + AT_DATA);
    TERN_SET(RDR, key, w, f->keys[KEY_DATA]);
    TERN_SET(RDR, length, w, 1u + 8u * length);
}

/* A lookup among the linked nodes of the other function, beginning with the first. */
static void look_up(uint8_t nodes, uint32_t *w)
{
    TERN_SET(DESC, opcode, w, TERN_OP_LOOKUP);
    TERN_SET(DESC, inline_len, w, TERN_INLINE_BYTES_MAX);
    TERN_SET(LKP, nodes, w, nodes);
    TERN_SET(LKP, tree, w, nodes & 1);
    TERN_SET(LKP, wanted, w, nodes);
    steps_wanted(w);
}

/* Posts a put, read or message of a node, whose packets and acks mix with the others. */
static void operate(struct run *run, const uint8_t *step)
{
    unsigned node = step[5] & 1;
    struct world_function *f = &run->world->fn[node][0];
    const struct world_function *target = &run->world->fn[1 - node][0];
    uint32_t w[SOFT_DESC_WORDS] = {0};

    if (run->operations == OPERATIONS ||
        ((f->posted - run->world->node[node]->prefetch.queue[f->sq].head) & 0xffffff) >= 8)
        return;
    TERN_SET(DESC, opcode, w, own_opcode(step[0] % ACTS));
    TERN_SET(DESC, version, w, TERN_DESC_VERSION);
    TERN_SET(DESC, flags, w, TERN_DFLAG_SIGNAL);
    TERN_SET(DESC, index, w, f->posted & 0xffff);
    TERN_SET(DESC, dst_queue, w, target->rq);
    TERN_SET(DESC, dst_node, w, 1 - node);
    TERN_SET(DESC, length, w, 1u + step[2]);
    TERN_SET(DESC, remote_addr, w, WORLD_BASE + AT_DATA);
    TERN_SET(DESC, remote_key, w, target->keys[KEY_DATA]);
    TERN_SET(DESC, local_addr, w, WORLD_BASE + AT_SOURCE);
    TERN_SET(DESC, local_key, w, f->keys[KEY_SOURCE]);
    if (step[0] % ACTS == ACT_OWN_BCAST)
        box_of_both(node, step[3], w);
    if (step[0] % ACTS == ACT_OWN_READ)
        read_into_data(f, step[2], w);
    if (step[0] % ACTS == ACT_OWN_READ && is_lookup(step))
        look_up(step[4], w);
    memcpy(f->memory + AT_SQ + (f->posted & ((1u << SQ_LOG2) - 1)) * TERN_DESC_BYTES, w, sizeof w);
    run->operation[run->operations].node = node;
    run->operation[run->operations++].index = f->posted++;
    world_bell(run->world, node, 0, f->sq, f->posted);
    if (step[1] & 1) /* only this operation: its packets leave, and no answer has come */
        (void)soft_node_turn(run->world->node[node], run->world->net, run->world->cycle);
}

static void act(struct run *run, const uint8_t *step)
{
    switch (step[0] % ACTS) {
    case ACT_OWN_PUT:
    case ACT_OWN_SEND:
    case ACT_OWN_BCAST:
    case ACT_OWN_READ:
        operate(run, step);
        break;
    case ACT_WORK:
        if (step[1] & 1)
            world_settle(run->world);
        else
            world_work(run->world);
        break;
    default:
        put_on_wire(run, step);
    }
}

int fuzz_one(const uint8_t *data, size_t size)
{
    struct run run = {.world = world_begin()};
    size_t steps = size / RECORD;

    for (size_t i = 0; i < steps && i < fuzz_target.most; i++)
        act(&run, data + i * RECORD);
    world_settle(run.world);
    for (unsigned i = 0; i < run.operations; i++) {
        unsigned node = run.operation[i].node, errors;
        unsigned got = world_completions(run.world, node, run.world->fn[node][0].sq,
                                         run.operation[i].index, &errors);

        if (got != 1)
            fuzz_fail("operation %u of node %u has %u completions", i, node, got);
    }
    world_judge(run.world);
    return 0;
}

static void fresh(struct fuzz_random *random, uint8_t *step)
{
    static const uint8_t acts[] = {ACT_PUT,     ACT_PUT,      ACT_PUT,  ACT_SEND,
                                   ACT_SEND,    ACT_ACK,      ACT_ANY,  ACT_OWN_PUT,
                                   ACT_OWN_PUT, ACT_OWN_SEND, ACT_WORK, ACT_ACK,
                                   ACT_OWN_BCAST, ACT_READ,    ACT_READ, ACT_REPLY,
                                   ACT_OWN_READ};

    for (unsigned i = 0; i < RECORD; i++)
        step[i] = (uint8_t)fuzz_random(random);
    step[0] = acts[fuzz_below(random, sizeof acts)];
    step[1] = 0;
    if (fuzz_below(random, 4) == 0)
        step[1] = (uint8_t)(1u << fuzz_below(random, 8));
    if (fuzz_below(random, 4) != 0)
        step[3] = 0;
}

const struct fuzz_target fuzz_target = {"packets", RECORD, 24, fresh};
