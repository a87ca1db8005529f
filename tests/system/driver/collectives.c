/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Teams and collective operations: a host at each node of a torus, each a process of its own. The
 * parent has no device; it tells the hosts what to do together, kills and stops some, and compares
 * what they report. With the word `tree` the NICs have the tree network, too, which teams use.
 *
 * usage: driver_collectives [tree]
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tern/collective.h>
#include <tern/group.h>
#include <tern/tree.h>

#include "chaos.h"
#include "rig_tier.h"

enum {
    HOSTS_MAX = 27, CHUNK = 16384, LONGEST = 17000, INDEX = 60, QUEUE_FROM_END = 3,
    LIMIT_MS = 60000, CQ_LOG2 = 8, SEVERAL = 4, WAIT_MS = 300000,
    TREE_LIMIT = 1000000, /* cycles, on rtl */
    TREE_NODES = 7,
    TREE_GROUP = 3, TREE_EPOCH = 5 /* no team has that tag */
};

/* Commands of the parent to all hosts. */
enum task {
    DO_QUIT, DO_TEAM, DO_LEAVE, DO_MOVES, DO_REDUCTIONS, DO_OWN, DO_BAD_INPUT, DO_SEVERAL,
    DO_MISMATCH, DO_TREE_MISMATCH, DO_UNTIL_FAILURE, DO_BARRIER, DO_HEAR, DO_TREE,
    DO_UNTIL_TORUS, DO_NOT
};

enum difference { OTHER_OPERATION, OTHER_REDUCTION, OTHER_TYPE, OTHER_LENGTH, OTHER_ROOT,
                  OTHER_ORDER, DIFFERENCES,
                  /* of operations in the tree: broadcasts, and a reduction in place of one */
                  BROADCAST_ROOT = DIFFERENCES, BROADCAST_BYTE, BROADCAST_ROUND, BROADCAST_NOT };

struct order {
    enum task task;
    unsigned odd;              /* the rank that does otherwise */
    enum difference difference;
    unsigned tag, count, limit_ms;
    bool without;              /* the team finds no group of the tree */
    uint16_t nodes[HOSTS_MAX]; /* of the team */
};

struct answer {
    int status;
    unsigned failed;
    uint64_t done;  /* operations that ended well */
    uint64_t wrong; /* checks that failed */
};

/* A limit for hosts that are made to miss it, long enough for those that are only slow. */
static unsigned short_limit_ms(void)
{
    return rig_tier_is_soft() ? 800 : 30000;
}

static unsigned hosts_count;
static uint16_t nodes[HOSTS_MAX];

/* ---- a host ---- */

static struct {
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_info info;
    struct tern_team *team;
    unsigned rank, size;
    uint8_t from[HOSTS_MAX * LONGEST], to[HOSTS_MAX * LONGEST];
} me;

static struct answer answer;

static void open_host(const struct rig *rig, uint16_t node)
{
    char uri[32] = "sim:";

    setenv("TERN_SIM_DIR", rig->dir, 1);
    tern_node_format(node, uri + 4);
    gives(tern_open(uri, &me.device), 0, "tern_open");
    gives(tern_query(me.device, &me.info), 0, "tern_query");
    gives(tern_cq_create(me.device, CQ_LOG2, 0, &me.cq), 0, "tern_cq_create");
}

static struct tern_team_config config_of(const struct order *order)
{
    return (struct tern_team_config){
        .nodes = order->count ? order->nodes : NULL, .count = order->count, .index = INDEX,
        .tag = (uint16_t)order->tag, .queue = (uint16_t)(me.info.queues - QUEUE_FROM_END),
        .chunk = CHUNK, .limit_ms = order->limit_ms,
        .tree_limit = rig_tier_is_soft() ? 0 : TREE_LIMIT};
}

static void make_team(const struct order *order)
{
    const struct tern_team_config config = config_of(order);

    answer.status = tern_team_create(me.cq, &config, &me.team, &answer.failed);
    if (answer.status)
        return;
    me.rank = tern_team_rank(me.team);
    me.size = tern_team_size(me.team);
    if (tern_team_has_tree(me.team) !=
        ((me.info.features & TERN_FEATURE_COMBINE) && me.size > 1 && !order->without))
        answer.wrong++;
    if (tern_team_node(me.team, me.rank) != me.info.node ||
        tern_team_node(me.team, me.size) != TERN_RANK_NONE)
        answer.wrong++;
}

static void check(bool good)
{
    answer.wrong += !good;
}

static void ended(struct tern_collective *op, int posted)
{
    int status = tern_collective_wait(op, posted);

    if (status && !answer.status) {
        answer.status = status;
        answer.failed = op->failed;
    }
    answer.done += !status;
}

/* Byte `i` of the part of `rank` for `other`. */
static uint8_t byte_of(unsigned rank, unsigned other, size_t i)
{
    return (uint8_t)(rank * 37 + other * 101 + i * 7 + i / 251);
}

static void fill(uint8_t *at, unsigned rank, unsigned other, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        at[i] = byte_of(rank, other, i);
}

static bool holds(const uint8_t *at, unsigned rank, unsigned other, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (at[i] != byte_of(rank, other, i))
            return false;
    return true;
}

/* Lets members come in another order each time. */
static void come_late(unsigned turn)
{
    usleep((me.rank * 7 + turn * 13) % me.size * 300);
}

static void moves_of(unsigned root, size_t bytes)
{
    struct tern_collective op;

    come_late(root);
    memset(me.to, 0, sizeof(me.to));
    if (me.rank == root)
        fill(me.to, root, 0, bytes);
    ended(&op, tern_broadcast(me.team, &op, root, me.to, bytes, 0));
    check(holds(me.to, root, 0, bytes) && me.to[bytes] == 0);

    for (unsigned i = 0; i < me.size; i++)
        fill(me.from + i * bytes, root, i, bytes);
    memset(me.to, 0, sizeof(me.to));
    ended(&op, tern_scatter(me.team, &op, root, me.from, me.to, bytes, 0));
    check(holds(me.to, root, me.rank, bytes) && me.to[bytes] == 0);

    fill(me.from, me.rank, 5, bytes);
    memset(me.to, 0, sizeof(me.to));
    ended(&op, tern_gather(me.team, &op, root, me.from, me.to, bytes, 0));
    for (unsigned i = 0; i < me.size && me.rank == root; i++)
        check(holds(me.to + i * bytes, i, 5, bytes));
    check(me.rank == root || me.to[0] == 0);

    ended(&op, tern_allgather(me.team, &op, me.from, me.to, bytes, 0));
    for (unsigned i = 0; i < me.size; i++)
        check(holds(me.to + i * bytes, i, 5, bytes));
    ended(&op, tern_barrier(me.team, &op, 0));
}

static void moves(void)
{
    struct tern_collective op;

    moves_of(0, 8);
    if (rig_tier_is_soft()) {
        moves_of(me.size - 1, 232);
        moves_of(me.size / 2, 233);
    }
    moves_of(me.size - 1, 3000);
    memset(me.to, 0, LONGEST);
    if (me.rank == 1)
        fill(me.to, 1, 0, LONGEST);
    ended(&op, tern_broadcast(me.team, &op, 1, me.to, LONGEST, 0));
    check(holds(me.to, 1, 0, LONGEST));
}

/* ---- reductions ---- */

static const size_t widths[] = {4, 4, 8, 8, 4, 8};

/* Fills `count` elements of a rank; some of each sign, and floats of very different sizes. */
static void fill_elements(uint8_t *at, unsigned rank, enum tern_reduce_type type, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        uint64_t word = (rank * 0x9e3779b97f4a7c15u + i * 0xbf58476d1ce4e5b9u) ^ (uint64_t)i << 61;
        int size = (int)(word >> 32) % 40;
        double real = (double)(int32_t)word * (size < 0 ? 1e-9 : 1e9) * (size % 2 ? 1 : 1e-5);
        float single = (float)real;

        if (type == TERN_REDUCE_F64)
            memcpy(at + 8 * i, &real, 8);
        else if (type == TERN_REDUCE_F32)
            memcpy(at + 4 * i, &single, 4);
        else
            memcpy(at + widths[type] * i, &word, widths[type]);
    }
}

#define PICK(a, b, type, op)                                        \
    ((op) == TERN_REDUCE_SUM ? (type)((a) + (b)) :                  \
     (op) == TERN_REDUCE_MIN ? ((b) < (a) ? (b) : (a)) : ((b) > (a) ? (b) : (a)))

static uint64_t bits_of(enum tern_reduce_op op, uint64_t a, uint64_t b)
{
    switch (op) {
    case TERN_REDUCE_AND: return a & b;
    case TERN_REDUCE_OR: return a | b;
    case TERN_REDUCE_XOR: return a ^ b;
    default: return a + b;
    }
}

/* Combines one element as the specification says, apart from the library's way. */
static void combine_one(enum tern_reduce_op op, enum tern_reduce_type type, void *into,
                        const void *from)
{
    union { int32_t i; uint32_t u; int64_t l; uint64_t w; float f; double d; } a = {0}, b = {0};

    memcpy(&a, into, widths[type]);
    memcpy(&b, from, widths[type]);
    switch (type) {
    case TERN_REDUCE_F32: a.f = PICK(a.f, b.f, float, op); break;
    case TERN_REDUCE_F64: a.d = PICK(a.d, b.d, double, op); break;
    default:
        if (op != TERN_REDUCE_MIN && op != TERN_REDUCE_MAX)
            a.w = bits_of(op, a.w, b.w);
        else if (type == TERN_REDUCE_I32)
            a.i = (a.i < b.i) == (op == TERN_REDUCE_MIN) ? a.i : b.i;
        else if (type == TERN_REDUCE_U32)
            a.u = (a.u < b.u) == (op == TERN_REDUCE_MIN) ? a.u : b.u;
        else if (type == TERN_REDUCE_I64)
            a.l = (a.l < b.l) == (op == TERN_REDUCE_MIN) ? a.l : b.l;
        else
            a.w = (a.w < b.w) == (op == TERN_REDUCE_MIN) ? a.w : b.w;
    }
    memcpy(into, &a, widths[type]);
}

/* Tells whether `to` has the elements of all, combined in the order of ranks, bit for bit. */
static bool is_combined(const uint8_t *to, enum tern_reduce_op op, enum tern_reduce_type type,
                        unsigned count)
{
    static uint8_t want[LONGEST], other[LONGEST];

    fill_elements(want, 0, type, count);
    for (unsigned rank = 1; rank < me.size; rank++) {
        fill_elements(other, rank, type, count);
        for (unsigned i = 0; i < count; i++)
            combine_one(op, type, want + i * widths[type], other + i * widths[type]);
    }
    return !memcmp(to, want, count * widths[type]);
}

static void reduction(enum tern_reduce_op op, enum tern_reduce_type type, unsigned count)
{
    const struct tern_reduction how = {.op = op, .type = type};
    struct tern_collective one;
    uint64_t bytes = count * widths[type];
    unsigned root = (count + type) % me.size;

    come_late(count + (unsigned)type * 5 + op);
    fill_elements(me.from, me.rank, type, count);
    memset(me.to, 0, LONGEST);
    ended(&one, tern_allreduce(me.team, &one, &how, me.from, me.to, bytes, 0));
    check(is_combined(me.to, op, type, count));
    memset(me.to, 0, LONGEST);
    ended(&one, tern_reduce(me.team, &one, root, &how, me.from, me.to, bytes, 0));
    check(me.rank == root ? is_combined(me.to, op, type, count) : me.to[0] == 0);
}

/* The chip takes a second for some of them: there, a quarter of all pairs, and few elements. */
static void reductions(void)
{
    unsigned pair = 0;

    for (int type = TERN_REDUCE_I32; type <= TERN_REDUCE_F64; type++)
        for (int op = TERN_REDUCE_SUM; op <= TERN_REDUCE_XOR; op++)
            if ((type < TERN_REDUCE_F32 || op <= TERN_REDUCE_MAX) &&
                (rig_tier_is_soft() || pair++ % 4 == 0))
                reduction((enum tern_reduce_op)op, (enum tern_reduce_type)type,
                          op != TERN_REDUCE_SUM ? 1 : rig_tier_is_soft() ? 1200 : 100);
}

/* An operation that does not commute: elements are maps x -> a x + b, one after the other. */
struct map {
    uint32_t a, b, rest;
};

static void chain_maps(void *arg, void *into, const void *from, uint32_t count)
{
    struct map *to = into;
    const struct map *other = from;

    ++*(unsigned *)arg;
    for (uint32_t i = 0; i < count; i++)
        to[i] = (struct map){to[i].a * other[i].a, to[i].b * other[i].a + other[i].b, 0};
}

static void own(void)
{
    enum { MAPS = 500 };
    static struct map maps[MAPS], all[MAPS];
    unsigned calls = 0;
    const struct tern_reduction how = {.op = TERN_REDUCE_OWN, .combine = chain_maps, .arg = &calls,
                                       .element = sizeof(struct map)};
    struct tern_collective op;

    for (unsigned i = 0; i < MAPS; i++)
        maps[i] = (struct map){me.rank * 2 + 3, i + me.rank, 0};
    ended(&op, tern_allreduce(me.team, &op, &how, maps, all, sizeof(maps), 0));
    for (unsigned i = 0; i < MAPS; i++) {
        struct map want = {3, i, 0};

        for (unsigned rank = 1; rank < me.size; rank++)
            want = (struct map){want.a * (rank * 2 + 3), want.b * (rank * 2 + 3) + i + rank, 0};
        check(want.a == all[i].a && want.b == all[i].b);
    }
    check((calls > 0) == (me.rank == 0 && me.size > 1));
}

/* ---- works of the application on the library's queues ---- */

struct hearer {
    struct tern_work work;
    unsigned messages, broadcasts;
};

static bool hearer_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct hearer *hearer = (struct hearer *)(void *)work;

    (void)wanted;
    hearer->messages += completion->opcode == TERN_OP_RECV;
    hearer->broadcasts += completion->opcode == TERN_OP_BCAST;
    return false;
}

/*
 * Sends itself a message, which goes to a work, as does the end of a broadcast to no other node.
 */
static void hears(void)
{
    static const struct tern_work_calls calls = {.ended = hearer_ended};
    struct hearer hearer = {.messages = 0};
    struct tern_completion done;
    struct tern_group *group;
    struct tern_sq *sq;
    struct tern_rq *rq;
    uint64_t word = 1;

    gives(tern_cq_device(me.cq) == me.device, true, "tern_cq_device");
    gives(tern_sq_create(me.cq, 2, &sq), 0, "tern_sq_create");
    gives(tern_rq_create(me.cq, 2, 6, TERN_QUEUE_ANY, &rq), 0, "tern_rq_create");
    gives(tern_group_create_list(me.cq, &me.info.node, 1, tern_group_key(INDEX + 9, 1), 8, &group),
          0, "tern_group_create_list");
    hearer.work.calls = &calls;
    tern_rq_serve(rq, &hearer.work);
    tern_group_serve(group, &hearer.work);
    gives(tern_group_open(group, NULL), 0, "tern_group_open");
    gives(tern_bcast_inline(sq, group, &word, 8, 0, TERN_DFLAG_SIGNAL, 1), 0, "tern_bcast_inline");
    gives(tern_send(sq, (struct tern_target){me.info.node, tern_rq_number(rq), 0}, NULL, &word, 8,
                    TERN_DFLAG_FENCE, 2), 0, "tern_send");
    gives(tern_nop(sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 3), 0, "tern_nop");
    done = next_completion(me.cq, WAIT_MS);
    check(done.context == 3 && hearer.messages == 1 && hearer.broadcasts == 1);
    gives(tern_group_destroy(group), 0, "tern_group_destroy");
    gives(tern_rq_destroy(rq), 0, "tern_rq_destroy");
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
}

/* ---- several in flight, beside operations of the application ---- */

static void several(void)
{
    static uint64_t in[SEVERAL], out[SEVERAL];
    static struct tern_collective ops[SEVERAL];
    const struct tern_reduction how = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    struct tern_completion done;
    struct tern_sq *sq;
    unsigned left = SEVERAL + 1, next = 0;

    gives(tern_sq_create(me.cq, 2, &sq), 0, "tern_sq_create");
    for (unsigned i = 0; i < SEVERAL; i++) {
        in[i] = me.rank + i;
        gives(tern_allreduce(me.team, &ops[i], &how, &in[i], &out[i], 8, 100 + i), 0, "allreduce");
    }
    gives(tern_team_destroy(me.team), -TERN_ST_QUEUE_BUSY, "a team with operations in flight");
    gives(tern_nop(sq, TERN_DFLAG_SIGNAL, 7), 0, "tern_nop");
    for (; left; left--) {
        done = next_completion(me.cq, WAIT_MS);
        check(done.status == TERN_ST_OK);
        if (done.context == 7)
            continue;
        check(done.opcode == TERN_OP_BCAST && done.context == 100 + next);
        next++;
    }
    for (uint64_t i = 0; i < SEVERAL; i++)
        check(out[i] == (uint64_t)me.size * (me.size - 1) / 2 + me.size * i);
    answer.done += SEVERAL;
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
}

/* ---- bad input ---- */

static enum tern_status tree_ends(int posted, uint64_t *value);

/* Puts to no region of this node, by its rank. A NIC without a tree network refuses that first. */
static enum tern_status put_by_rank(void)
{
    unsigned rank = tern_tree_rank(me.info.node, me.info.dims);
    struct tern_rptr to = {0};
    uint64_t word = 0;
    enum tern_status status;
    struct tern_sq *sq;

    check(tern_tree_node(rank, me.info.dims) == me.info.node);
    TERN_SET(RPTR, node, to.w, me.info.node);
    gives(tern_sq_create(me.cq, 4, &sq), 0, "tern_sq_create");
    status = tree_ends(tern_tree_put(sq, rank, to, NULL, &word, sizeof(word), TERN_DFLAG_SIGNAL, 0),
                       &word);
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
    return status;
}

static void bad_input(const struct order *order)
{
    const struct tern_reduction sum = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    const struct tern_reduction none = {.op = (enum tern_reduce_op)9};
    const struct tern_reduction typeless = {.type = (enum tern_reduce_type)9};
    const struct tern_reduction bits = {.op = TERN_REDUCE_XOR, .type = TERN_REDUCE_F32};
    const struct tern_reduction no_call = {.op = TERN_REDUCE_OWN, .element = 4};
    struct tern_reduction huge = {.op = TERN_REDUCE_OWN, .element = CHUNK + 1,
                                  .combine = chain_maps};
    const uint16_t outside[] = {me.info.node, tern_node(31, 0, 0)};
    const uint16_t twice[] = {me.info.node, tern_node(0, 0, 0), me.info.node};
    struct tern_team_config config = config_of(order);
    struct tern_collective op;
    struct tern_team *team;
    uint64_t word = 0;

    check(tern_broadcast(me.team, &op, me.size, &word, 8, 0) == -TERN_ST_BAD_RANK);
    check(tern_reduce(me.team, &op, 70000, &sum, &word, &word, 8, 0) == -TERN_ST_BAD_RANK);
    check(tern_allreduce(me.team, &op, &sum, &word, &word, 7, 0) == -TERN_ST_BAD_LENGTH);
    check(tern_allgather(me.team, &op, &word, &word, 0, 0) == -TERN_ST_BAD_LENGTH);
    check(tern_allreduce(me.team, &op, &none, &word, &word, 8, 0) == -TERN_ST_BAD_OPCODE);
    check(tern_allreduce(me.team, &op, &bits, &word, &word, 8, 0) == -TERN_ST_BAD_OPCODE);
    check(tern_allreduce(me.team, &op, &typeless, &word, &word, 8, 0) == -TERN_ST_BAD_TYPE);
    check(tern_allreduce(me.team, &op, &no_call, &word, &word, 8, 0) == -TERN_ST_BAD_ARGUMENT);
    check(tern_allreduce(me.team, &op, &huge, &word, &word, 8, 0) == -TERN_ST_BAD_SIZE);
    huge.element = 0;
    check(tern_allreduce(me.team, &op, &huge, &word, &word, 8, 0) == -TERN_ST_BAD_SIZE);
    check(tern_allreduce(me.team, &op, NULL, &word, &word, 8, 0) == -TERN_ST_BAD_ARGUMENT);
    check(tern_allgather(me.team, &op, &word, NULL, 8, 0) == -TERN_ST_BAD_ARGUMENT);
    check(tern_barrier(NULL, &op, 0) == -TERN_ST_BAD_ARGUMENT);
    check(put_by_rank() ==
          (tern_team_has_tree(me.team) ? TERN_ST_BAD_KEY : TERN_ST_NO_TREE));
    config.nodes = outside;
    config.count = 0;
    check(tern_team_create(me.cq, &config, &team, NULL) == -TERN_ST_BAD_SIZE);
    config.count = 2;
    check(tern_team_create(me.cq, &config, &team, NULL) == -TERN_ST_BAD_NODE);
    config.nodes = twice;
    config.count = 3;
    check(tern_team_create(me.cq, &config, &team, NULL) == -TERN_ST_DUP_MEMBER);
    config.nodes = twice + 1;
    config.count = 1;
    check(me.info.node == 0 ||
          tern_team_create(me.cq, &config, &team, NULL) == -TERN_ST_BAD_ARGUMENT);
    config = config_of(order);
    config.chunk = 64;
    check(tern_team_create(me.cq, &config, &team, NULL) ==
          (me.size > 8 ? -TERN_ST_BAD_SIZE : -TERN_ST_QUEUE_BUSY));
    config.chunk = CHUNK;
    check(tern_team_create(me.cq, &config, &team, NULL) == -TERN_ST_QUEUE_BUSY);
}

/* ---- members that differ ---- */

static void mismatch(const struct order *order)
{
    struct tern_reduction how = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    bool odd = me.rank == order->odd;
    unsigned root = odd && order->difference == OTHER_ROOT;
    uint64_t bytes = odd && order->difference == OTHER_LENGTH ? 6000 : 5000;
    struct tern_collective op, other;

    if (odd && order->difference == OTHER_REDUCTION)
        how.op = TERN_REDUCE_XOR;
    if (odd && order->difference == OTHER_TYPE)
        how.type = TERN_REDUCE_I64;
    if (order->difference == OTHER_ORDER) {
        if (odd) {
            gives(tern_barrier(me.team, &op, 0), 0, "tern_barrier");
            gives(tern_broadcast(me.team, &other, 0, me.to, bytes, 0), 0, "tern_broadcast");
        } else {
            gives(tern_broadcast(me.team, &op, 0, me.to, bytes, 0), 0, "tern_broadcast");
            gives(tern_barrier(me.team, &other, 0), 0, "tern_barrier");
        }
        ended(&op, 0);
        check(tern_collective_wait(&other, 0) == answer.status && other.failed == answer.failed);
    } else if (odd && order->difference == OTHER_OPERATION)
        ended(&op, tern_barrier(me.team, &op, 0));
    else
        ended(&op, tern_reduce(me.team, &op, root, &how, me.from, me.to, bytes, 0));
    check(tern_collective_wait(&op, tern_barrier(me.team, &op, 0)) == 0);
}

/* Posts two operations of the tree at once, the odd member in the other order. */
static void tree_orders(bool odd, uint64_t bytes)
{
    const struct tern_reduction how = {.op = TERN_REDUCE_MAX, .type = TERN_REDUCE_U32};
    struct tern_collective first, second;

    if (odd)
        gives(tern_barrier(me.team, &first, 0), 0, "tern_barrier");
    gives(tern_allreduce(me.team, odd ? &second : &first, &how, me.from, me.to, bytes, 0), 0,
          "tern_allreduce");
    if (!odd)
        gives(tern_barrier(me.team, &second, 0), 0, "tern_barrier");
    ended(&first, 0);
    check(tern_collective_wait(&second, 0) == answer.status && second.failed == answer.failed);
}

/* The odd member's broadcast differs in what no length and no operation of the tree shows. */
static void tree_broadcasts(bool odd, enum difference difference)
{
    const struct tern_reduction how = {.op = TERN_REDUCE_OR, .type = TERN_REDUCE_U64};
    uint64_t bytes = difference == BROADCAST_ROUND ? CHUNK : 2003;
    unsigned root = me.size - 1;
    struct tern_collective op;

    if (odd && difference == BROADCAST_ROOT)
        root = 0;
    if (odd && difference == BROADCAST_BYTE)
        bytes += 2;
    if (odd && difference == BROADCAST_ROUND)
        bytes *= 2;
    if (odd && difference == BROADCAST_NOT)
        ended(&op, tern_allreduce(me.team, &op, &how, me.from, me.to, 2016, 0));
    else
        ended(&op, tern_broadcast(me.team, &op, root, me.to, bytes, 0));
}

/* The same for an operation that the tree does. */
static void tree_mismatch(const struct order *order)
{
    struct tern_reduction how = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    bool odd = me.rank == order->odd;
    uint64_t bytes = 6000;
    struct tern_collective op;

    if (odd && order->difference == OTHER_REDUCTION)
        how.op = TERN_REDUCE_XOR;
    if (odd && order->difference == OTHER_TYPE)
        how.type = TERN_REDUCE_I64;
    if (odd && order->difference == OTHER_LENGTH)
        bytes = 5000;
    ended(&op, tern_allreduce(me.team, &op, &how, me.from, me.to, 8, 0));
    if (order->difference >= BROADCAST_ROOT)
        tree_broadcasts(odd, order->difference);
    else if (order->difference == OTHER_ORDER)
        tree_orders(odd, bytes);
    else if (odd && order->difference == OTHER_OPERATION)
        ended(&op, tern_barrier(me.team, &op, 0));
    else
        ended(&op, tern_allreduce(me.team, &op, &how, me.from, me.to, bytes, 0));
    check(tern_collective_wait(&op, tern_barrier(me.team, &op, 0)) == 0);
    check(!tern_team_has_tree(me.team));
}

/* ---- members that die or pause ---- */

static void until_failure(int out)
{
    const struct tern_reduction how = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    struct tern_collective op;

    while (!answer.status) {
        uint64_t bytes = answer.done % 3 ? 8 : 6000;

        for (unsigned i = 0; i < bytes / 8; i++)
            ((uint64_t *)(void *)me.from)[i] = me.rank + answer.done + i;
        ended(&op, tern_allreduce(me.team, &op, &how, me.from, me.to, bytes, 0));
        for (uint64_t i = 0; i < bytes / 8 && !answer.status; i++)
            check(((uint64_t *)(void *)me.to)[i] == (uint64_t)me.size * (me.size - 1) / 2 +
                  me.size * (answer.done - 1 + i));
        if (answer.done == 3)
            (void)give(out, "g", 1); /* the parent waits for it */
    }
    check(tern_barrier(me.team, &op, 0) == answer.status && op.failed == answer.failed);
}

static enum tern_status tree_ends(int posted, uint64_t *value)
{
    struct tern_completion done = {.status = TERN_ST_WAIT_EXPIRED};

    gives(posted, 0, "a post to the tree");
    while (tern_cq_poll(me.cq, &done, 1) == 0)
        (void)tern_cq_wait(me.cq, WAIT_MS);
    *value = done.value;
    return done.status;
}

static bool is_place_of_all(const struct tern_tree_group *all)
{
    struct tern_tree_group place = {.group = all->group, .epoch = all->epoch};
    uint16_t members[HOSTS_MAX];

    for (unsigned i = 0; i < me.size; i++)
        members[i] = tern_team_node(me.team, i);
    return tern_tree_place(me.info.node, me.info.dims, members, me.size, TREE_LIMIT, &place) &&
           place.child[0] == all->child[0] && place.child[1] == all->child[1] && place.self &&
           place.root == all->root && place.limit == all->limit;
}

/* Combines the words of a page in it. */
static void memory_in_tree(struct tern_sq *sq, const struct tern_tree_part *part)
{
    enum { WORDS = 256, HALF = WORDS / 2 };
    static uint64_t words[WORDS];
    struct tern_region *region;
    uint64_t value;

    gives(tern_register(me.device, words, sizeof(words),
                        TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE, &region), 0,
          "tern_register");
    for (uint64_t i = 0; i < HALF; i++)
        words[i] = me.rank * i;
    check(tree_ends(tern_tree_combine_long(sq, part,
                                           tern_region_pointer(region, sizeof(words) / 2), region,
                                           words, sizeof(words) / 2, TERN_DFLAG_SIGNAL, 0),
                    &value) == TERN_ST_OK);
    for (uint64_t i = 0; i < HALF; i++)
        check(words[HALF + i] == me.size * (me.size - 1) / 2 * i);
    gives(tern_release(region), 0, "tern_release");
}

/* Combines ranks in a group of its own, without a team's help but for its barriers. */
static void in_tree(void)
{
    struct tern_tree_group group = {.group = TREE_GROUP, .epoch = TREE_EPOCH};
    const struct tern_tree_part part = {.group = TREE_GROUP, .epoch = TREE_EPOCH, .wide = true,
                                        .op = TERN_TREE_SUM, .bytes = sizeof(uint64_t)};
    uint64_t rank = tern_tree_rank(me.info.node, me.info.dims), value;
    struct tern_collective op;
    struct tern_sq *sq;

    gives(tern_sq_create(me.cq, SEVERAL, &sq), 0, "tern_sq_create");
    tern_tree_all(me.info.node, me.info.dims, TREE_LIMIT, &group);
    check(is_place_of_all(&group));
    check(tree_ends(tern_tree_set(sq, &group, TERN_DFLAG_SIGNAL, 0), &value) == TERN_ST_OK);
    ended(&op, tern_barrier(me.team, &op, 0));
    check(tree_ends(tern_tree_combine(sq, &part, &rank, TERN_DFLAG_SIGNAL, 0), &value) ==
              TERN_ST_OK && value == me.size * (me.size - 1) / 2);
    memory_in_tree(sq, &part);
    ended(&op, tern_barrier(me.team, &op, 0));
    check(tree_ends(tern_tree_leave(sq, TREE_GROUP, TERN_DFLAG_SIGNAL, 0), &value) ==
          TERN_ST_OK);
    group.self = false; /* and no other node forwards for a group that this one has not */
    check(tree_ends(tern_tree_forward(sq, tern_team_node(me.team, 0), &group, TERN_DFLAG_SIGNAL, 0),
                    &value) == TERN_ST_NO_GROUP);
    gives(tern_sq_destroy(sq), 0, "tern_sq_destroy");
}

static void leave(void)
{
    if (me.team)
        check(tern_team_destroy(me.team) == 0);
    me.team = NULL;
}

/* Meets the others now and then until the team has lost the tree, and once more. */
static void until_torus(int out)
{
    enum { REST_US = 20000 };
    struct tern_collective op;

    while (!answer.status && tern_team_has_tree(me.team)) {
        ended(&op, tern_barrier(me.team, &op, 0));
        if (answer.done == 3)
            (void)give(out, "g", 1); /* the parent waits for it */
        usleep(REST_US);
    }
    ended(&op, tern_barrier(me.team, &op, 0));
}

static void obey(const struct order *order, int out)
{
    struct tern_collective op;

    answer = (struct answer){.failed = TERN_RANK_NONE};
    switch (order->task) {
    case DO_TEAM: make_team(order); break;
    case DO_LEAVE: leave(); break;
    case DO_MOVES: moves(); break;
    case DO_REDUCTIONS: reductions(); break;
    case DO_OWN: own(); break;
    case DO_BAD_INPUT: bad_input(order); break;
    case DO_SEVERAL: several(); break;
    case DO_HEAR: hears(); break;
    case DO_TREE: in_tree(); break;
    case DO_MISMATCH: mismatch(order); break;
    case DO_TREE_MISMATCH: tree_mismatch(order); break;
    case DO_UNTIL_FAILURE: until_failure(out); break;
    case DO_UNTIL_TORUS: until_torus(out); break;
    case DO_BARRIER: ended(&op, tern_barrier(me.team, &op, 0)); break;
    default: break;
    }
}

struct host {
    const struct rig *rig;
    uint16_t node;
};

static void host(const void *arg, int in, int out)
{
    const struct host *host = arg;
    struct order order;

    open_host(host->rig, host->node);
    while (get(in, &order, sizeof(order)) && order.task != DO_QUIT) {
        obey(&order, out);
        gives(give(out, "a", 1) && give(out, &answer, sizeof(answer)), true, "an answer");
    }
    leave();
    tern_close(me.device);
}

/* ---- the parent ---- */

static struct child hosts[HOSTS_MAX];
static struct host places[HOSTS_MAX];
static struct answer answers[HOSTS_MAX];
static unsigned tag = 100;

static void start_host(const struct rig *rig, unsigned i)
{
    places[i] = (struct host){rig, nodes[i]};
    hosts[i] = child_start(host, &places[i]);
}

static void start_hosts(const struct rig *rig, unsigned x, unsigned y, unsigned z)
{
    hosts_count = x * y * z;
    for (unsigned i = 0; i < hosts_count; i++) {
        nodes[i] = tern_node(i % x, i / x % y, i / x / y);
        start_host(rig, i);
    }
}

static bool end_hosts(void)
{
    const struct order quit = {.task = DO_QUIT};
    bool good = true;

    for (unsigned i = 0; i < hosts_count; i++)
        if (hosts[i].pid > 0) {
            good = give(hosts[i].to, &quit, sizeof(quit)) && good;
            good = child_end(&hosts[i]) && good;
        }
    return good;
}

static void tell(unsigned i, const struct order *order)
{
    answers[i] = (struct answer){.status = -TERN_ST_WAIT_EXPIRED};
    (void)give(hosts[i].to, order, sizeof(*order));
}

/* Takes the answer of a host; skips its other words. */
static bool hear(unsigned i)
{
    char word = 0;

    while (get(hosts[i].from, &word, 1) && word != 'a')
        ;
    return word == 'a' && get(hosts[i].from, &answers[i], sizeof(answers[i]));
}

/* Has hosts `low` to `high` - 1 do something. */
static bool all_do(struct order order, unsigned low, unsigned high)
{
    bool good = true;

    for (unsigned i = low; i < high; i++)
        if (hosts[i].pid > 0)
            tell(i, &order);
    for (unsigned i = low; i < high; i++)
        good = (hosts[i].pid <= 0 || hear(i)) && good;
    return good;
}

/* Tells whether hosts from `low` ended with `status` and `failed`, and saw nothing wrong. */
static bool all_have(unsigned low, unsigned high, int status, unsigned failed)
{
    bool good = true;

    for (unsigned i = low; i < high; i++) {
        if (hosts[i].pid <= 0)
            continue;
        if (answers[i].status != status || answers[i].failed != failed || answers[i].wrong) {
            tap_note("host %u: '%s' of rank %u after %llu, %llu wrong", i,
                     tern_strerror(answers[i].status), answers[i].failed,
                     (unsigned long long)answers[i].done, (unsigned long long)answers[i].wrong);
            good = false;
        }
    }
    return good;
}

static bool all_well(struct order order)
{
    return all_do(order, 0, hosts_count) && all_have(0, hosts_count, 0, TERN_RANK_NONE);
}

/* An order to make a team of the hosts `low` to `high` - 1. */
static struct order team_of(unsigned low, unsigned high, unsigned limit_ms)
{
    struct order order = {.task = DO_TEAM, .tag = ++tag, .limit_ms = limit_ms,
                          .count = high - low};

    memcpy(order.nodes, nodes + low, (high - low) * sizeof(nodes[0]));
    return order;
}

static void together(void)
{
    bool good = all_well((struct order){.task = DO_TEAM, .tag = ++tag, .limit_ms = LIMIT_MS});
    uint64_t done;

    tap(good, "all nodes of a torus make a team");
    good = all_well((struct order){.task = DO_MOVES});
    done = answers[hosts_count - 1].done;
    tap_evidence("N21", "members=%u operations=%llu", hosts_count, (unsigned long long)done);
    tap(good && done == (rig_tier_is_soft() ? 21 : 11),
        "broadcast, scatter, gather, allgather and barrier bring each member its bytes");
    good = all_well((struct order){.task = DO_REDUCTIONS});
    done = answers[hosts_count - 1].done;
    tap_evidence("N21", "reductions=%llu", (unsigned long long)done);
    tap(good && done == (rig_tier_is_soft() ? 60 : 16),
        "reductions have the same bits on all members, whatever the order of arrival");
    good = all_well((struct order){.task = DO_OWN});
    tap_evidence("N20b", "members=%u reductions=%llu", hosts_count, (unsigned long long)done);
    tap(good, "an operation that the application defines combines in the order of ranks");
    tap(all_well((struct order){.task = DO_SEVERAL}),
        "several operations of a team complete in order, beside others of the queue");
    if (rig_tier_is_soft())
        tap(all_well((struct order){.task = DO_HEAR}),
            "messages of a FIFO and broadcasts of a group can go to a work");
    tap(all_well((struct order){.task = DO_BAD_INPUT, .tag = tag, .limit_ms = LIMIT_MS}),
        "each kind of bad input is refused with a status of its own");
}

static void differing(void)
{
    static const char *const names[DIFFERENCES] = {
        "operation", "reduction", "type", "length", "root", "order of two operations"};

    for (unsigned i = 0; i < DIFFERENCES; i += rig_tier_is_soft() ? 1 : 4) {
        unsigned odd = 1 + i % (hosts_count - 1);
        struct order order = {.task = DO_MISMATCH, .odd = odd, .difference = (enum difference)i};
        bool good = all_do(order, 0, hosts_count) &&
                    all_have(0, hosts_count, -TERN_ST_MISMATCH, odd);

        tap_evidence("N21b", "named=%u odd=%u", answers[0].failed, odd);
        tap(good, "a member with another %s is named to all, and the team goes on", names[i]);
    }
}

/* Each rank in turn differs from the others in an operation of the tree, in a team of its own. */
static void differing_in_tree(void)
{
    static const enum difference differences[] = {
        OTHER_LENGTH, OTHER_ORDER, BROADCAST_ROOT, OTHER_OPERATION, OTHER_REDUCTION, OTHER_TYPE,
        BROADCAST_BYTE, BROADCAST_ROUND, BROADCAST_NOT};
    enum { KINDS = sizeof(differences) / sizeof(differences[0]) };
    unsigned last = rig_tier_is_soft() ? hosts_count : 2, kinds = rig_tier_is_soft() ? KINDS : 3;
    bool good = true;
    unsigned named = 0, cases = 0;

    for (unsigned odd = 1; odd < last; odd++)
        for (unsigned i = 0; i < kinds; i++, cases++) {
            struct order order = {.task = DO_TREE_MISMATCH, .odd = odd,
                                  .difference = differences[i]};

            good = all_well((struct order){.task = DO_LEAVE}) &&
                   all_well((struct order){.task = DO_TEAM, .tag = ++tag, .limit_ms = LIMIT_MS}) &&
                   all_do(order, 0, hosts_count) &&
                   all_have(0, hosts_count, -TERN_ST_MISMATCH, odd) && good;
            named += answers[0].failed == odd;
        }
    tap_evidence("N21b", "odd=%u named=%u", cases, named);
    tap(good, "a member that differs in the tree is named to all, and the team goes on");
}

/* Two teams at once; the first has members at the ends of the torus alone. */
static void subsets(void)
{
    unsigned half = hosts_count / 2;
    struct order low = team_of(0, half, LIMIT_MS), high = team_of(half, hosts_count, LIMIT_MS);
    bool good = all_well((struct order){.task = DO_LEAVE});

    for (unsigned i = 0; i < hosts_count; i++)
        tell(i, i < half ? &low : &high);
    for (unsigned i = 0; i < hosts_count; i++)
        good = hear(i) && good;
    good = good && all_have(0, hosts_count, 0, TERN_RANK_NONE) &&
           all_well((struct order){.task = rig_tier_is_soft() ? DO_MOVES : DO_BARRIER}) &&
           all_well((struct order){.task = DO_OWN});
    tap_evidence("N21", "subset=%u others=%u", half, hosts_count - half);
    tap(good, "two subsets are teams at the same time, and neither disturbs the other");
    tap(all_well((struct order){.task = DO_LEAVE}), "teams end");
}

/* Waits until the host has done some operations. */
static bool is_going(unsigned i)
{
    char word = 0;

    return get(hosts[i].from, &word, 1) && word == 'g';
}

/* Has the hosts `low` to `high` - 1 make a team and operate until it fails. */
static bool some_go(unsigned low, unsigned high, unsigned limit_ms, unsigned watched)
{
    const struct order go = {.task = DO_UNTIL_FAILURE};
    struct order team = team_of(low, high, limit_ms);
    bool good = all_do(team, low, high) && all_have(low, high, 0, TERN_RANK_NONE);

    for (unsigned i = low; i < high; i++)
        tell(i, &go);
    return good && is_going(watched);
}

static bool begin_going(unsigned count, unsigned limit_ms, unsigned watched)
{
    return some_go(0, count, limit_ms, watched);
}

static bool some_name(unsigned low, unsigned high, int status, unsigned rank)
{
    bool good = true;

    for (unsigned i = low; i < high; i++)
        good = (hosts[i].pid <= 0 || hear(i)) && good;
    return good && all_have(low, high, status, rank);
}

static bool others_name(unsigned count, int status, unsigned rank)
{
    return some_name(0, count, status, rank);
}

static void killed(const struct rig *rig, unsigned count, unsigned victim)
{
    bool good = begin_going(count, rig_tier_is_soft() ? 10000 : LIMIT_MS, victim);

    child_kill(&hosts[victim]);
    tap(good && others_name(count, -TERN_ST_DEAD_MEMBER, victim),
        "when %s is killed, all others end with its rank", victim ? "a member" : "rank 0");
    good = all_do((struct order){.task = DO_LEAVE}, 0, count);
    tap(good && all_have(0, count, 0, TERN_RANK_NONE), "and leave the team");
    start_host(rig, victim);
    tap(all_do((struct order){.task = DO_NOT}, victim, victim + 1), "and another host comes");
}

static void paused(unsigned count, unsigned victim)
{
    bool good = begin_going(count, short_limit_ms(), victim);
    unsigned heard = 0;

    kill(hosts[victim].pid, SIGSTOP);
    for (unsigned i = 0; i < count; i++)
        heard += i != victim && hear(i);
    kill(hosts[victim].pid, SIGCONT);
    tap(good && heard == count - 1 && hear(victim) &&
            all_have(0, count, -TERN_ST_TIMEOUT, victim),
        "when %s pauses, all end with its rank in the time allowed",
        victim ? "a member" : "rank 0");
    tap(all_do((struct order){.task = DO_LEAVE}, 0, count) &&
            all_have(0, count, 0, TERN_RANK_NONE), "and they leave the team, too");
}

static void never(unsigned count, unsigned victim)
{
    struct order team = team_of(0, count, short_limit_ms());
    const struct order barrier = {.task = DO_BARRIER}, not = {.task = DO_NOT};
    bool good = all_do(team, 0, count) && all_have(0, count, 0, TERN_RANK_NONE);

    for (unsigned i = 0; i < count; i++)
        tell(i, i == victim ? &not : &barrier);
    for (unsigned i = 0; i < count; i++)
        good = hear(i) && good;
    answers[victim] = answers[!victim]; /* it has nothing to report */
    tap(good && all_have(0, count, -TERN_ST_TIMEOUT, victim),
        "when %s posts nothing, all others end with its rank", victim ? "a member" : "rank 0");
    (void)all_do((struct order){.task = DO_LEAVE}, 0, count);
    team = team_of(0, count, short_limit_ms() / 3);
    for (unsigned i = 0; i < count; i++)
        if (i != victim)
            tell(i, &team);
    good = true;
    for (unsigned i = 0; i < count; i++)
        good = (i == victim || hear(i)) && good;
    tap(good && answers[victim ? 0 : 1].failed == victim &&
            answers[victim ? 0 : 1].status == -TERN_ST_NO_BASE,
        "a team without %s is not made", victim ? "a member" : "rank 0");
    (void)all_do((struct order){.task = DO_LEAVE}, 0, count);
}

/* The NIC of rank 3 dies; its own host cannot say more than that. */
static void died(void)
{
    enum { DEAD = 3, HOSTS = 4 };
    char path[] = "/tmp/tern-collectives-XXXXXX";
    int fd = mkstemp(path);
    struct rig rig;
    bool good = fd >= 0 && dprintf(fd, "at 800000 kill 1.1.0\n") > 0;

    rig_start(&rig, (const char *const[]){"--torus", "2x2x1", "--scenario", path, NULL});
    start_hosts(&rig, 2, 2, 1);
    good = good && begin_going(HOSTS, LIMIT_MS, 0);
    for (unsigned i = 0; i < HOSTS - 1; i++)
        good = hear(i) && good;
    tap(good && all_have(0, HOSTS - 1, -TERN_ST_DEAD_MEMBER, DEAD),
        "when the NIC of a member dies, all others end with its rank");
    child_kill(&hosts[DEAD]);
    tap(end_hosts(), "and their hosts end well");
    rig_stop(&rig);
    close(fd);
    unlink(path);
}

/* ---- teams with gaps: the members are leaves of the tree, and no node above them is one ---- */

enum { LEAF = 3, LEAVES_END = TREE_NODES, INNER = 1 };

/* The next team takes the same group of the tree as the last one. */
static void same_group(void)
{
    tag += TERN_TREE_GROUPS - 1;
}

static bool leaves_do(enum task task)
{
    return all_do((struct order){.task = task}, LEAF, LEAVES_END) &&
           all_have(LEAF, LEAVES_END, 0, TERN_RANK_NONE);
}

static bool leaves_make_team(void)
{
    return all_do(team_of(LEAF, LEAVES_END, LIMIT_MS), LEAF, LEAVES_END) &&
           all_have(LEAF, LEAVES_END, 0, TERN_RANK_NONE);
}

/* Makes a team of the two nodes above; it finds their group free, or not. */
static bool inner_make_team(bool without)
{
    struct order team;

    same_group();
    team = team_of(INNER, LEAF, LIMIT_MS);
    team.without = without;
    return all_do(team, INNER, LEAF) && all_have(INNER, LEAF, 0, TERN_RANK_NONE);
}

static bool inner_do(enum task task)
{
    return all_do((struct order){.task = task}, INNER, LEAF) &&
           all_have(INNER, LEAF, 0, TERN_RANK_NONE);
}

static bool gaps(void)
{
    bool good = leaves_make_team() && leaves_do(rig_tier_is_soft() ? DO_MOVES : DO_BARRIER);

    tap_evidence("N19", "members=%u between=%u", LEAVES_END - LEAF, LEAF);
    good = good && leaves_do(DO_OWN);
    tap(good, "a team uses the tree though other nodes lie between its members");
    good = good && inner_make_team(true) && inner_do(DO_BARRIER) && leaves_do(DO_BARRIER);
    good = good && inner_do(DO_LEAVE) && leaves_do(DO_BARRIER) && leaves_do(DO_LEAVE);
    tap(good, "nodes between members keep the group for them while the team lives");
    good = good && inner_make_team(false) && inner_do(DO_BARRIER) && inner_do(DO_LEAVE);
    tap(good, "and give it to another team when it has ended");
    return good;
}

static void killed_beside_gaps(const struct rig *rig)
{
    enum { VICTIM = LEAF + 1 };
    bool good = some_go(LEAF, LEAVES_END, LIMIT_MS, VICTIM);

    child_kill(&hosts[VICTIM]);
    tap(good && some_name(LEAF, LEAVES_END, -TERN_ST_DEAD_MEMBER, VICTIM - LEAF) &&
            leaves_do(DO_LEAVE),
        "when a member of a team with gaps is killed, all others end with its rank");
    start_host(rig, VICTIM);
    tap(inner_make_team(false) && inner_do(DO_BARRIER) && inner_do(DO_LEAVE),
        "and the nodes between them serve another team");
}

static void paused_beside_gaps(void)
{
    enum { VICTIM = LEAF + 2 };
    bool good = some_go(LEAF, LEAVES_END, short_limit_ms(), VICTIM);

    kill(hosts[VICTIM].pid, SIGSTOP);
    for (unsigned i = LEAF; i < LEAVES_END; i++)
        good = (i == VICTIM || hear(i)) && good;
    kill(hosts[VICTIM].pid, SIGCONT);
    tap(good && hear(VICTIM) &&
            all_have(LEAF, LEAVES_END, -TERN_ST_TIMEOUT, VICTIM - LEAF) && leaves_do(DO_LEAVE),
        "when a member of a team with gaps pauses, all end with its rank in the time allowed");
}

/* Two members post nothing: the node above both has no contribution at all, and is late itself. */
static void never_beside_gaps(void)
{
    enum { SILENT = LEAF + 2 };
    const struct order barrier = {.task = DO_BARRIER}, not = {.task = DO_NOT};
    struct order team = team_of(LEAF, LEAVES_END, short_limit_ms());
    bool good = all_do(team, LEAF, LEAVES_END) && all_have(LEAF, LEAVES_END, 0, TERN_RANK_NONE);

    for (unsigned i = LEAF; i < LEAVES_END; i++)
        tell(i, i < SILENT ? &barrier : &not);
    for (unsigned i = LEAF; i < LEAVES_END; i++)
        good = hear(i) && good;
    tap(good && all_have(LEAF, SILENT, -TERN_ST_TIMEOUT, SILENT - LEAF) && leaves_do(DO_LEAVE),
        "when no member below a node between them posts, all others end with the rank of one");
}

/* Kills all members at different moments of their team's beginning. */
static void all_killed_beside_gaps(const struct rig *rig)
{
    enum { TIMES = 8, STEP_US = 1500 };
    bool good = true;

    for (unsigned moment = 0; moment < TIMES; moment++) {
        struct order team;

        same_group();
        team = team_of(LEAF, LEAVES_END, LIMIT_MS);
        for (unsigned i = LEAF; i < LEAVES_END; i++)
            tell(i, &team);
        usleep(moment * STEP_US);
        for (unsigned i = LEAF; i < LEAVES_END; i++)
            child_kill(&hosts[i]);
        for (unsigned i = LEAF; i < LEAVES_END; i++)
            start_host(rig, i);
        good = leaves_do(DO_NOT) && inner_make_team(false) && inner_do(DO_BARRIER) &&
               inner_do(DO_LEAVE) && good;
    }
    tap(good, "when all members of a team with gaps are killed, the nodes between serve another");
}

/* The NIC of a node between members dies: the team goes on over the torus. */
static void gap_died(void)
{
    char path[] = "/tmp/tern-collectives-XXXXXX";
    const struct order go = {.task = DO_UNTIL_TORUS};
    int fd = mkstemp(path);
    struct rig rig;
    bool good = fd >= 0 && dprintf(fd, "at 800000 kill %u.0.0\n", INNER) > 0;

    rig_start(&rig, (const char *const[]){"--torus", "7x1x1", "--tree", "--scenario", path, NULL});
    start_hosts(&rig, TREE_NODES, 1, 1);
    good = good && leaves_make_team();
    for (unsigned i = LEAF; i < LEAVES_END; i++)
        tell(i, &go);
    tap(good && is_going(LEAF) && some_name(LEAF, LEAVES_END, 0, TERN_RANK_NONE),
        "when the NIC of a node between members dies, the team goes on over the torus");
    child_kill(&hosts[INNER]);
    tap(end_hosts(), "and the hosts end well");
    rig_stop(&rig);
    close(fd);
    unlink(path);
}

static void with_tree(void)
{
    struct rig rig;

    rig_start(&rig, (const char *const[]){"--torus", "7x1x1", "--tree", NULL});
    start_hosts(&rig, TREE_NODES, 1, 1);
    together();
    tap(all_well((struct order){.task = DO_TREE}),
        "processes combine in a group of the tree beside that of their team");
    differing_in_tree();
    subsets();
    if (!gaps()) { /* members that wait for one another would hold up each test that follows */
        for (unsigned i = 0; i < TREE_NODES; i++)
            child_kill(&hosts[i]);
        rig_stop(&rig);
        return;
    }
    killed_beside_gaps(&rig);
    killed(&rig, TREE_NODES, 2);
    if (rig_tier_is_soft()) {
        paused(TREE_NODES, 3);
        killed(&rig, TREE_NODES, 0);
        paused(TREE_NODES, 0);
        never(TREE_NODES, 1);
        never(TREE_NODES, 0);
        paused_beside_gaps();
        never_beside_gaps();
        all_killed_beside_gaps(&rig);
    }
    tap(end_hosts(), "the hosts end well");
    rig_stop(&rig);
    if (rig_tier_is_soft())
        gap_died();
}

int main(int argc, char **argv)
{
    bool soft = rig_tier_is_soft();
    struct rig rig;
    unsigned count;

    signal(SIGPIPE, SIG_IGN);
    if (argc > 1 && !strcmp(argv[1], "tree")) {
        with_tree();
        return tap_end();
    }
    rig_start(&rig, (const char *const[]){"--torus", soft ? "3x3x3" : "2x2x1", NULL});
    start_hosts(&rig, soft ? 3 : 2, soft ? 3 : 2, soft ? 3 : 1);
    together();
    differing();
    subsets();
    count = soft ? 8 : 4;
    killed(&rig, count, 2);
    paused(count, 3);
    never(count, 1);
    if (soft) { /* the chip would take minutes */
        killed(&rig, count, 0);
        paused(count, 0);
        never(count, 0);
    }
    tap(end_hosts(), "the hosts end well");
    rig_stop(&rig);
    if (soft) /* the chip reaches its time-outs in minutes */
        died();
    return tap_end();
}
