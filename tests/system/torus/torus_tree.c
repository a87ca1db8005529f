/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree network: all nodes of a ring combine 8 bytes, or memory, and meet at barriers. When a
 * member fails, the others get its rank. Puts go from any rank to any other.
 *
 * Between the doorbells and the completions the program only lets time pass: no host executes an
 * instruction then. On rtl the cycles from the last doorbell to the last completion are printed.
 *
 * usage: torus_tree [NODES]; more than 7 run a part of the tests
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tern/tree.h>
#include <tern/work.h>

#include "rig.h"
#include "rig_tier.h"
#include "tern_model.h"
#include "yard.h"

enum {
    NODES = 7,
    NODES_MAX = 31,
    PORTS = 2,           /* of a ring */
    GROUP = 2,
    OTHER_GROUP = 1,
    STEP = 16,           /* cycles */
    BOUND = 200000,
    CALM = 3000,         /* cycles in which operations end */
    LIMIT = 20000,       /* cycles that members may wait for others */
    LINKS_RISE = 12000,  /* cycles after which cut links are up again */
    CYCLES_MAX = 900,
    OPS = TERN_TREE_XOR + 1,
    DEPTH = 4,           /* operations under way at once */
    VECTOR = 65536,      /* bytes of a long operation */
    LONG_CALM = 100000,  /* cycles in which it ends */
    PUTS_BOUND = 1000000, /* cycles in which all have put as much to one node */
    SHARE_MIN = 45,      /* percent of a link's rate that it has */
    NOBODY = -1
};

static struct yard yard;
static struct tern_info info;
static uint16_t dims;
static uint8_t epoch, number;

/* ---- cycles ---- */

static struct {
    uint64_t rung, told; /* the last doorbell, the last completion */
    unsigned bells[NODES_MAX], writes[NODES_MAX]; /* by node: doorbells, writes to the host */
} seen;

static void note(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)ctx;
    seen.bells[node % NODES_MAX] += lane == TERN_TRACE_DB_FIRST;
    seen.writes[node % NODES_MAX] += lane == TERN_TRACE_HWR_FIRST;
    if (lane == TERN_TRACE_DB_FIRST && cycle > seen.rung)
        seen.rung = cycle;
    if (lane == TERN_TRACE_HWR_FIRST && id >= TERN_HWTAG_CQ && cycle > seen.told)
        seen.told = cycle;
}

/* ---- groups ---- */

static struct tern_completion next(unsigned n)
{
    return yard_next(&yard, &yard.end[n], BOUND);
}

/* Sets the group of all nodes up in a new epoch. */
static bool set_up(uint8_t group, uint32_t limit)
{
    bool good = true;

    epoch++;
    for (unsigned n = 0; n < yard.nodes; n++)
        yard_must(tern_tree_leave(yard.end[n].sq, group, TERN_DFLAG_SIGNAL, n), "leave");
    for (unsigned n = 0; n < yard.nodes; n++)
        good &= next(n).status == TERN_ST_OK;
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_tree_group all = {.group = group, .epoch = epoch};

        tern_tree_all(yard.end[n].node, dims, limit, &all);
        yard_must(tern_tree_set(yard.end[n].sq, &all, TERN_DFLAG_SIGNAL, n), "set up");
    }
    for (unsigned n = 0; n < yard.nodes; n++)
        good &= next(n).status == TERN_ST_OK;
    return good;
}

static struct tern_tree_part part_of(uint8_t group, uint8_t op, uint8_t bytes)
{
    return (struct tern_tree_part){.group = group, .epoch = epoch, .number = number, .op = op,
                                   .bytes = bytes};
}

static void post(unsigned n, const struct tern_tree_part *part, uint64_t value)
{
    yard_must(tern_tree_combine(yard.end[n].sq, part, part->bytes ? &value : NULL,
                                TERN_DFLAG_SIGNAL, part->number), "combine");
}

/* Advances time, and nothing else, until all nodes have a completion, or the bound is over. */
static void let_time_pass(void)
{
    for (unsigned at = 0; at < CALM; at += STEP)
        tern_sim_run(yard.sim, STEP);
}

/* ---- results ---- */

static uint64_t value_of(unsigned n, unsigned turn)
{
    uint64_t x = (n + 1) * UINT64_C(0x9e3779b97f4a7c15) + turn * UINT64_C(0xd1342543de82ef95);

    x ^= x >> 29;
    return x * UINT64_C(0xbf58476d1ce4e5b9);
}

static uint64_t fold32(uint32_t a, uint32_t b, uint8_t op, bool is_signed)
{
    bool less = is_signed ? (int32_t)b < (int32_t)a : b < a;

    switch (op) {
    case TERN_TREE_SUM: return (uint32_t)(a + b);
    case TERN_TREE_MIN: return less ? b : a;
    case TERN_TREE_MAX: return less ? a : b;
    case TERN_TREE_AND: return a & b;
    case TERN_TREE_OR: return a | b;
    default: return a ^ b;
    }
}

static uint64_t fold64(uint64_t a, uint64_t b, uint8_t op, bool is_signed)
{
    bool less = is_signed ? (int64_t)b < (int64_t)a : b < a;

    switch (op) {
    case TERN_TREE_SUM: return a + b;
    case TERN_TREE_MIN: return less ? b : a;
    case TERN_TREE_MAX: return less ? a : b;
    case TERN_TREE_AND: return a & b;
    case TERN_TREE_OR: return a | b;
    default: return a ^ b;
    }
}

static uint64_t folded(const struct tern_tree_part *part, unsigned turn)
{
    uint64_t mask = part->bytes == 4 ? UINT32_MAX : UINT64_MAX, all = value_of(0, turn) & mask;

    for (unsigned n = 1; n < yard.nodes; n++) {
        uint64_t b = value_of(n, turn) & mask;

        if (part->wide)
            all = fold64(all, b, part->op, part->is_signed);
        else
            all = fold32((uint32_t)all, (uint32_t)b, part->op, part->is_signed) |
                  fold32((uint32_t)(all >> 32), (uint32_t)(b >> 32), part->op, part->is_signed)
                      << 32;
    }
    return all & mask;
}

static bool gives(const struct tern_tree_part *part, unsigned turn)
{
    uint64_t wanted = part->bytes ? folded(part, turn) : 0;
    bool good = true;

    for (unsigned n = 0; n < yard.nodes; n++)
        post(n, part, value_of(n, turn) & (part->bytes == 4 ? UINT32_MAX : UINT64_MAX));
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_completion done = next(n);

        good &= done.status == TERN_ST_OK && done.opcode == TERN_OP_COMBINE &&
                done.value == wanted && done.length == part->bytes;
    }
    number++;
    return good;
}

static void all_operations(void)
{
    unsigned good = 0, cases = 0;

    for (uint8_t op = 0; op < OPS; op++)
        for (unsigned form = 0; form < 6; form++) { /* one word, two, half of two; signed or not */
            struct tern_tree_part part = part_of(GROUP, op, form / 2 == 2 ? 4 : 8);

            part.wide = form / 2 == 0;
            part.is_signed = form % 2;
            good += gives(&part, cases++);
        }
    tap_evidence("N20", "members=%u operations=%u good=%u", yard.nodes, cases, good);
    tap(good == cases, "all members get the sum, minimum, maximum, and, or, xor of words of both "
                       "sizes and signs");
}

/* ---- latency ---- */

static unsigned cycles_of(uint8_t bytes)
{
    struct tern_tree_part part = part_of(GROUP, TERN_TREE_SUM, bytes);
    unsigned ended = 0;

    part.wide = bytes == 8;
    memset(&seen, 0, sizeof(seen));
    for (unsigned n = 0; n < yard.nodes; n++)
        post(n, &part, value_of(n, 0));
    let_time_pass();
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_completion done;

        ended += yard_poll(&yard, &yard.end[n], &done) && done.status == TERN_ST_OK;
    }
    number++;
    if (ended < yard.nodes)
        return UINT32_MAX;
    return seen.told > seen.rung ? (unsigned)(seen.told - seen.rung) : 0;
}

static void hosts_rest(void)
{
    unsigned barrier = cycles_of(0), reduction = cycles_of(8);

    if (!rig_tier_is_soft())
        tap_evidence("N19", "nodes=%u barrier_cycles=%u allreduce_cycles=%u", yard.nodes, barrier,
                     reduction);
    tap(barrier <= CYCLES_MAX && reduction <= CYCLES_MAX,
        "a barrier and a reduction of a word end%s while all hosts rest",
        rig_tier_is_soft() ? "" : " within the bound");
}

/* ---- memory ---- */

/* The first half of each node's memory is contributed, results go to the second. */
static uint8_t *result_of(unsigned n)
{
    return yard.end[n].buffer + VECTOR;
}

/* Fills the memory of all nodes, and returns the combination of `bytes` of it. */
static const uint64_t *fill(const struct tern_tree_part *part, uint32_t bytes)
{
    static uint64_t all[VECTOR / 8];

    for (unsigned n = 0; n < yard.nodes; n++) {
        uint64_t *own = (uint64_t *)(void *)yard.end[n].buffer;

        memset(result_of(n), 0x5a, VECTOR);
        for (unsigned i = 0; i < VECTOR / 8; i++) {
            own[i] = value_of(n, i + number);
            if (n == 0)
                all[i] = own[i];
            else if (part->wide)
                all[i] = fold64(all[i], own[i], part->op, part->is_signed);
            else
                all[i] = fold32((uint32_t)all[i], (uint32_t)own[i], part->op, part->is_signed) |
                         fold32((uint32_t)(all[i] >> 32), (uint32_t)(own[i] >> 32), part->op,
                                part->is_signed) << 32;
        }
    }
    memset((uint8_t *)all + bytes, 0x5a, VECTOR - bytes);
    return all;
}

/* Posts all of node `n`, so that its host can rest. */
static unsigned post_memory(unsigned n, const struct tern_tree_part *part, uint32_t bytes)
{
    unsigned posts = 0;

    for (uint32_t at = 0; at < bytes; at += TERN_TREE_LONG_BYTES, posts++)
        yard_must(tern_tree_combine_long(
                      yard.end[n].sq, part, tern_region_pointer(yard.end[n].region, VECTOR + at),
                      yard.end[n].region, yard.end[n].buffer + at,
                      bytes - at < TERN_TREE_LONG_BYTES ? bytes - at : TERN_TREE_LONG_BYTES,
                      TERN_DFLAG_SIGNAL, at),
                  "combine memory");
    return posts;
}

static bool ends_well(unsigned n, unsigned posts, const uint64_t *all)
{
    bool good = true;

    for (unsigned i = 0; i < posts; i++) {
        struct tern_completion done = next(n);

        good &= done.status == TERN_ST_OK && done.opcode == TERN_OP_COMBINE && done.value == 0;
        if (done.status != TERN_ST_OK)
            tap_note("node %u: %s, rank %u", n, tern_strerror((int)done.status),
                     (unsigned)done.value);
    }
    return good && !memcmp(result_of(n), all, VECTOR);
}

static bool memory_gives(const struct tern_tree_part *part, uint32_t bytes)
{
    const uint64_t *all = fill(part, bytes);
    unsigned posts = 0;
    bool good = true;

    for (unsigned n = 0; n < yard.nodes; n++)
        posts = post_memory(n, part, bytes);
    for (unsigned n = 0; n < yard.nodes; n++)
        good &= ends_well(n, posts, all);
    number++;
    return good;
}

static void memory_combines(void)
{
    static const uint32_t lengths[] = {4, 512, 516, 3000, TERN_TREE_LONG_BYTES + 40, 8};
    unsigned good = 0, cases = 0;

    for (uint8_t op = 0; op < OPS; op++) {
        struct tern_tree_part part = part_of(GROUP, op, 0);

        part.is_signed = op % 2;
        good += memory_gives(&part, lengths[op]);
        part.number = number;
        part.wide = true;
        good += memory_gives(&part, lengths[(op + 3) % OPS] / 8 * 8 + 8);
        cases += 2;
    }
    tap_evidence("N20", "members=%u memory=%u memory_good=%u", yard.nodes, cases, good);
    tap(good == cases, "all members get the combination of their memory in memory");
}

/* Returns the cycles that puts of the same bytes to one node take: a combination without a tree. */
static unsigned cycles_of_puts(void)
{
    memset(&seen, 0, sizeof(seen));
    for (unsigned n = 1; n < yard.nodes; n++)
        yard_must(tern_put(yard.end[n].sq, tern_region_pointer(yard.end[0].region, VECTOR),
                           yard.end[n].region, yard.end[n].buffer, VECTOR, TERN_DFLAG_SIGNAL, 0),
                  "put");
    for (unsigned n = 1; n < yard.nodes; n++)
        (void)yard_next(&yard, &yard.end[n], PUTS_BOUND);
    return (unsigned)(seen.told - seen.rung);
}

/* Returns the bytes that a link carries in a cycle. */
static unsigned beat_bytes(void)
{
    const char *model = rig_model() ? rig_model() : "tree";

    return rig_tier_is_soft() ? TERN_MODEL_BEAT_MAX : tern_model_find(model, PORTS)->beat_bytes;
}

static void memory_is_fast(void)
{
    struct tern_tree_part part = part_of(GROUP, TERN_TREE_SUM, 0);
    const uint64_t *all;
    unsigned posts = 0, cycles, share;
    bool good = true;

    part.wide = true;
    all = fill(&part, VECTOR);
    memset(&seen, 0, sizeof(seen));
    for (unsigned n = 0; n < yard.nodes; n++)
        posts = post_memory(n, &part, VECTOR);
    for (unsigned at = 0; at < LONG_CALM; at += STEP)
        tern_sim_run(yard.sim, STEP);
    cycles = (unsigned)(seen.told - seen.rung);
    for (unsigned n = 0; n < yard.nodes; n++)
        good &= ends_well(n, posts, all);
    number++;
    share = cycles ? VECTOR / beat_bytes() * 100 / cycles : 0;
    if (!rig_tier_is_soft())
        tap_evidence("N20", "nodes=%u bytes=%u cycles=%u percent_of_link=%u puts_to_one_node=%u",
                     yard.nodes, VECTOR, cycles, share, cycles_of_puts());
    tap(good && (rig_tier_is_soft() || share >= SHARE_MIN),
        "64 KiB of memory are combined while all hosts rest");
}

/* ---- several at once ---- */

static void several(void)
{
    struct tern_tree_part first = part_of(GROUP, TERN_TREE_SUM, 8), other, part;
    bool good = set_up(OTHER_GROUP, LIMIT);

    first.wide = true;
    other = first;
    other.group = OTHER_GROUP;
    other.epoch = epoch;
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 0; i < 2 * DEPTH; i++) {
            part = i % 2 ? other : first;
            part.number = (uint8_t)(number + i);
            post(n, &part, value_of(n, i));
        }
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 0; i < 2 * DEPTH; i++) {
            struct tern_completion done = next(n);
            uint8_t turn = (uint8_t)(done.context - number);

            good &= done.status == TERN_ST_OK && turn < 2 * DEPTH &&
                    done.value == folded(turn % 2 ? &other : &first, turn);
        }
    number = (uint8_t)(number + 2 * DEPTH);
    tap(good, "several operations of two groups are under way at once and do not mix");
}

/* ---- groups of some nodes ---- */

/* Members have more than one node that is none between them: 0, 1 and 2 forward only. */
static const unsigned members[] = {3, 4, 5};
/* Two groups with one number at nodes of their own. */
static const unsigned halves[2][3] = {{1, 3, 4}, {2, 5, 6}};
enum { MEMBERS = 3 };

/* Sets a group of some nodes up, at those between them as well; returns how many were set up. */
static unsigned set_up_some(const unsigned *some, uint8_t group)
{
    uint16_t nodes[MEMBERS];
    unsigned count = 0;

    for (unsigned i = 0; i < MEMBERS; i++)
        nodes[i] = yard.end[some[i]].node;
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_tree_group place = {.group = group, .epoch = epoch};

        if (!tern_tree_place(yard.end[n].node, dims, nodes, MEMBERS, LIMIT, &place))
            continue;
        yard_must(tern_tree_set(yard.end[n].sq, &place, TERN_DFLAG_SIGNAL, n), "set up");
        count += next(n).status == TERN_ST_OK;
    }
    return count;
}

static void leave_all(uint8_t group)
{
    for (unsigned n = 0; n < yard.nodes; n++) {
        yard_must(tern_tree_leave(yard.end[n].sq, group, TERN_DFLAG_SIGNAL, n), "leave");
        (void)next(n);
    }
    epoch++;
}

static void post_some(const unsigned *some)
{
    struct tern_tree_part part = part_of(GROUP, TERN_TREE_SUM, 8);

    part.wide = true;
    for (unsigned i = 0; i < MEMBERS; i++)
        post(some[i], &part, value_of(some[i], number));
}

static bool some_have_sum(const unsigned *some, uint8_t turn)
{
    uint64_t sum = 0;
    bool good = true;

    for (unsigned i = 0; i < MEMBERS; i++)
        sum += value_of(some[i], turn);
    for (unsigned i = 0; i < MEMBERS; i++) {
        struct tern_completion done = next(some[i]);

        good &= done.status == TERN_ST_OK && done.value == sum;
        if (done.status != TERN_ST_OK)
            tap_note("node %u: %s, rank %u", some[i], tern_strerror((int)done.status),
                     (unsigned)done.value);
    }
    return good;
}

static bool some_hear(const unsigned *some, enum tern_status status, unsigned rank)
{
    bool good = true;

    for (unsigned i = 0; i < MEMBERS; i++) {
        struct tern_completion done = next(some[i]);

        good &= done.status == status && done.value == rank && done.node == yard.end[rank].node;
    }
    return good;
}

static void some_nodes(void)
{
    enum { FORWARDER = 1, PLACES = 6 };
    struct tern_completion refused;
    unsigned places;
    bool good = true;

    leave_all(GROUP);
    places = set_up_some(members, GROUP);
    for (unsigned i = 0; i < DEPTH; i++, number++) {
        post_some(members);
        good &= some_have_sum(members, number);
    }
    tap_evidence("N19", "members=%u places=%u", MEMBERS, places);
    tap(good && places == PLACES,
        "some nodes combine while those between them forward only");
    post(FORWARDER, &(struct tern_tree_part){.group = GROUP, .epoch = epoch}, 0);
    refused = next(FORWARDER);
    good = refused.status == TERN_ST_NO_GROUP && refused.value == FORWARDER;
    tap(good, "a node that forwards only has its contribution refused");
    yard_must(tern_tree_leave(yard.end[FORWARDER].sq, GROUP, TERN_DFLAG_SIGNAL, 0), "leave");
    good = next(FORWARDER).status == TERN_ST_OK;
    post_some(members);
    good &= some_hear(members, TERN_ST_NO_GROUP, FORWARDER);
    tap(good, "a node that forwards only and leaves is named to all");
}

/* ---- nodes that forward without their hosts ---- */

/*
 * Members are 3, 4 and 5. Node 3 has 1 and 0 forward, node 5 has 2: the nearest member below each.
 * Node 6 is no member and wants the group of node 2, too.
 */
enum { BETWEEN = 3, SERVED = 5, RIVAL = 6, ABOVE_BOTH = 2 };

static const struct {
    unsigned from, to;
} forwards[BETWEEN] = {{3, 1}, {3, 0}, {SERVED, ABOVE_BOTH}};

static enum tern_status end_of(unsigned n, int posted)
{
    yard_must(posted, "post");
    return next(n).status;
}

static void place_some(unsigned n, const unsigned *some, unsigned count,
                       struct tern_tree_group *place)
{
    uint16_t nodes[MEMBERS];

    for (unsigned i = 0; i < count; i++)
        nodes[i] = yard.end[some[i]].node;
    *place = (struct tern_tree_group){.group = GROUP, .epoch = epoch};
    (void)tern_tree_place(yard.end[n].node, dims, nodes, count, LIMIT, place);
}

static enum tern_status set_own(unsigned n, const struct tern_tree_group *place)
{
    return end_of(n, tern_tree_set(yard.end[n].sq, place, TERN_DFLAG_SIGNAL, 0));
}

static enum tern_status forward(unsigned from, unsigned to, const struct tern_tree_group *place)
{
    return end_of(from, tern_tree_forward(yard.end[from].sq, yard.end[to].node, place,
                                          TERN_DFLAG_SIGNAL, 0));
}

/* The same while the node that the group serves may be dead: its silence takes longer. */
static enum tern_status forward_at_last(unsigned from, unsigned to,
                                        const struct tern_tree_group *place)
{
    enum { ATTEMPTS = 8 };
    enum tern_status status = TERN_ST_RNR;

    for (unsigned i = 0; i < ATTEMPTS && status == TERN_ST_RNR; i++) {
        yard_must(tern_tree_forward(yard.end[from].sq, yard.end[to].node, place,
                                    TERN_DFLAG_SIGNAL, 0), "forward");
        status = yard_next(&yard, &yard.end[from], PUTS_BOUND).status;
    }
    return status;
}

/* Sets the members' group up, by the members alone. */
static bool members_set_up(void)
{
    struct tern_tree_group place;
    bool good = true;

    for (unsigned i = 0; i < MEMBERS; i++) {
        place_some(members[i], members, MEMBERS, &place);
        good &= set_own(members[i], &place) == TERN_ST_OK;
    }
    for (unsigned i = 0; i < BETWEEN; i++) {
        place_some(forwards[i].to, members, MEMBERS, &place);
        good &= forward(forwards[i].from, forwards[i].to, &place) == TERN_ST_OK;
    }
    return good;
}

static bool members_combine(void)
{
    bool good = true;

    for (unsigned i = 0; i < DEPTH; i++, number++) {
        post_some(members);
        good &= some_have_sum(members, number);
    }
    return good;
}

/* Has node 2 forward for 5 and 6, as `from` asks; first sets the group up at `from`. */
static enum tern_status pair_forward(unsigned from, bool both)
{
    static const unsigned pair[] = {SERVED, RIVAL};
    struct tern_tree_group place;

    place_some(from, pair, 2, &place);
    if (!both)
        place.root = true; /* it tells no node above that it leaves */
    if (set_own(from, &place) != TERN_ST_OK)
        return TERN_ST_INTERNAL;
    place_some(ABOVE_BOTH, pair, 2, &place);
    place.child[0] = both;
    return forward_at_last(from, ABOVE_BOTH, &place);
}

static void leave_one(unsigned n)
{
    (void)end_of(n, tern_tree_leave(yard.end[n].sq, GROUP, TERN_DFLAG_SIGNAL, 0));
}

/* A group that a node has set up for one that has gone since, in silence, is given to another. */
static bool is_given_on(bool by_death)
{
    bool good;

    leave_all(GROUP);
    good = pair_forward(SERVED, false) == TERN_ST_OK;
    if (by_death)
        tern_net_kill(tern_sim_net(yard.sim), SERVED, true);
    else
        leave_one(SERVED);
    epoch++;
    good &= pair_forward(RIVAL, false) == TERN_ST_OK;
    leave_one(RIVAL);
    tern_net_kill(tern_sim_net(yard.sim), SERVED, false);
    for (unsigned at = 0; by_death && at < LINKS_RISE; at += STEP)
        tern_sim_run(yard.sim, STEP);
    return good;
}

static void hosts_between_do_nothing(void)
{
    unsigned bells = 0, writes = 0, others = 0;
    bool good;

    leave_all(GROUP);
    memset(&seen, 0, sizeof(seen));
    good = members_set_up() && members_combine();
    for (unsigned n = 0; n < yard.nodes; n++) {
        bells += n < BETWEEN ? seen.bells[n] : 0;
        writes += n < BETWEEN ? seen.writes[n] : 0;
        others += n < BETWEEN ? 0 : seen.bells[n];
    }
    tap_evidence("N19", "between=%u doorbells=%u host_writes=%u doorbells_of_members=%u", BETWEEN,
                 bells, writes, others);
    tap(good && bells == 0 && writes == 0 && (rig_tier_is_soft() || others > 0),
        "nodes between members forward, and their hosts take no part");
}

static void a_group_is_taken(void)
{
    struct tern_tree_group place;
    bool good = pair_forward(RIVAL, false) == TERN_ST_QUEUE_BUSY;

    place_some(ABOVE_BOTH, members, MEMBERS, &place);
    good &= set_own(ABOVE_BOTH, &place) == TERN_ST_QUEUE_BUSY;
    good &= forward(RIVAL, SERVED, &place) == TERN_ST_QUEUE_BUSY;
    place.epoch++;
    good &= forward(RIVAL, ABOVE_BOTH, &place) == TERN_ST_NO_GROUP;
    good &= members_combine();
    tap(good, "a node that forwards for a living group gives it to no other");
}

static void a_group_ends(void)
{
    struct tern_tree_group place;
    bool good;

    leave_one(members[1]);
    post_some(members);
    good = some_hear(members, TERN_ST_NO_GROUP, members[1]);
    leave_one(RIVAL);
    place_some(ABOVE_BOTH, members, MEMBERS, &place);
    good &= set_own(ABOVE_BOTH, &place) == TERN_ST_OK;
    leave_all(GROUP);
    good &= members_set_up() && members_combine();
    tap(good, "a member that leaves frees the nodes between, and they serve the next group");
}

static void forwarded(void)
{
    hosts_between_do_nothing();
    a_group_is_taken();
    a_group_ends();
    tap(is_given_on(false), "a group whose member has left unheard is given to another node");
    tap(is_given_on(true), "a group whose member has died unheard is given to another node");
}

static void two_halves(void)
{
    bool good = true;

    leave_all(GROUP);
    for (unsigned i = 0; i < 2; i++)
        good &= set_up_some(halves[i], GROUP) == MEMBERS;
    post_some(halves[0]);
    post_some(halves[1]);
    good &= some_have_sum(halves[1], number) && some_have_sum(halves[0], number);
    number++;
    tap(good, "two groups of one number at different nodes do not mix");
}

/* ---- failures ---- */

/* Checks that all members but `odd` hear that `rank` failed; all posted but `silent`. */
static bool all_hear(unsigned odd, int silent, enum tern_status status, unsigned rank)
{
    bool good = true;

    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_completion done;

        if ((int)n == silent)
            continue;
        done = next(n);
        if (n != odd)
            good &= done.status == status && done.value == rank &&
                    done.node == yard.end[rank].node;
        if (n != odd && (done.status != status || done.value != rank))
            tap_note("node %u: %s, rank %u", n, tern_strerror((int)done.status),
                     (unsigned)done.value);
    }
    return good;
}

static void post_all(int silent, int differs)
{
    for (unsigned n = 0; n < yard.nodes; n++) {
        struct tern_tree_part part =
            part_of(GROUP, (int)n == differs ? TERN_TREE_MIN : TERN_TREE_SUM, 8);

        part.wide = true;
        if ((int)n != silent)
            post(n, &part, value_of(n, 0));
    }
    number++;
}

static void killed(unsigned rank, const char *which)
{
    bool good = set_up(GROUP, LIMIT);

    tern_net_kill(tern_sim_net(yard.sim), rank, true);
    post_all(NOBODY, NOBODY);
    good &= all_hear(rank, NOBODY, TERN_ST_LINK_DOWN, rank);
    tern_net_kill(tern_sim_net(yard.sim), rank, false);
    for (unsigned at = 0; at < LINKS_RISE; at += STEP)
        tern_sim_run(yard.sim, STEP);
    tap(good, "when %s is killed, all others hear its rank", which);
}

static void silent(unsigned rank, const char *which)
{
    bool good = set_up(GROUP, LIMIT);

    post_all((int)rank, NOBODY);
    good &= all_hear(yard.nodes, (int)rank, TERN_ST_TIMEOUT, rank);
    post_all(NOBODY, NOBODY); /* a group that has failed answers at once */
    good &= all_hear(yard.nodes, NOBODY, TERN_ST_TIMEOUT, rank);
    tap(good, "when %s posts nothing, all others hear its rank within the limit", which);
}

/* A member posts no memory, or another length of it. */
static void memory_fails(unsigned rank, uint32_t bytes, enum tern_status status, const char *what)
{
    struct tern_tree_part part;
    bool good = set_up(GROUP, LIMIT);

    part = part_of(GROUP, TERN_TREE_SUM, 0);
    for (unsigned n = 0; n < yard.nodes; n++)
        if (n != rank || bytes)
            (void)post_memory(n, &part, n == rank ? bytes : TERN_TREE_LONG_BYTES);
    number++;
    good &= all_hear(yard.nodes, bytes ? NOBODY : (int)rank, status, rank);
    for (unsigned n = 0; n < yard.nodes; n++) /* a group that has failed answers at once */
        (void)post_memory(n, &part, TERN_TREE_LONG_BYTES);
    good &= all_hear(yard.nodes, NOBODY, status, rank);
    part.epoch = epoch + 1;
    good = set_up(GROUP, LIMIT) && memory_gives(&part, TERN_TREE_LONG_BYTES) && good;
    tap(good, "a member that posts %s is named to all, and the group works again", what);
}

/*
 * Node 1 names a wrong key for its own result. Its contribution leaves before the NIC checks that
 * key, so the others end well; only the write of the result on node 1 is refused.
 */
static void memory_without_key(void)
{
    const struct tern_tree_part part = part_of(GROUP, TERN_TREE_SUM, 0);
    const uint64_t *all = fill(&part, TERN_TREE_LONG_BYTES);
    struct tern_rptr wrong = tern_region_pointer(yard.end[1].region, VECTOR);
    bool good = true;

    TERN_SET(RPTR, key, wrong.w, TERN_GET(RPTR, key, wrong.w) ^ 0x10000);
    for (unsigned n = 0; n < yard.nodes; n++)
        if (n != 1)
            (void)post_memory(n, &part, TERN_TREE_LONG_BYTES);
    yard_must(tern_tree_combine_long(yard.end[1].sq, &part, wrong, yard.end[1].region,
                                     yard.end[1].buffer, TERN_TREE_LONG_BYTES, TERN_DFLAG_SIGNAL,
                                     0), "combine memory");
    for (unsigned n = 0; n < yard.nodes; n++)
        good &= n == 1 ? next(n).status == TERN_ST_BAD_KEY : ends_well(n, 1, all);
    number++;
    tap(good, "the result is refused where its key is wrong, and nowhere else");
}

static void different(void)
{
    unsigned odd = yard.nodes - 1;
    bool good = set_up(GROUP, LIMIT);

    post_all(NOBODY, (int)odd);
    good &= all_hear(yard.nodes, NOBODY, TERN_ST_DIFFERS, odd);
    tap(good, "a member with another operation is named to all");
}

static void gone(void)
{
    enum { LEAVER = 2 };
    bool good = set_up(GROUP, LIMIT);

    yard_must(tern_tree_leave(yard.end[LEAVER].sq, GROUP, TERN_DFLAG_SIGNAL, 0), "leave");
    good &= next(LEAVER).status == TERN_ST_OK;
    post_all(LEAVER, NOBODY);
    good &= all_hear(yard.nodes, LEAVER, TERN_ST_NO_GROUP, LEAVER);
    post_all(NOBODY, NOBODY);
    good &= next(LEAVER).status == TERN_ST_NO_GROUP;
    good &= all_hear(LEAVER, LEAVER, TERN_ST_NO_GROUP, LEAVER);
    tap(good, "a member that left its group is named to all");
}

static void goes_on(void)
{
    struct tern_tree_part part;
    bool good = set_up(GROUP, LIMIT);

    part = part_of(GROUP, TERN_TREE_MAX, 8);
    tap(good && gives(&part, 1), "after all failures a group that is set up anew works");
}

/* ---- puts by rank ---- */

enum {
    CELL = 2048,         /* bytes of the memory of a node that each rank puts to */
    FROM_MEMORY = 1700,  /* bytes of a put from memory: four packets */
    ROUNDS = 3,
    TREE_LINKS = 3,
    /* that 8 bytes may take from doorbell to completion, with links and a host bus of 64 bits */
    PUT_CYCLES = 260,
    LINK_CYCLES = 70     /* ... for each link of the tree on their way */
};

static struct tern_rptr cell_of(unsigned from, unsigned to)
{
    return tern_region_pointer(yard.end[to].region, VECTOR + (uint64_t)from * CELL);
}

static void put(unsigned from, unsigned to, const void *bytes, uint32_t count)
{
    bool few = count <= TERN_INLINE_BYTES_MAX;

    yard_must(tern_tree_put(yard.end[from].sq, to, cell_of(from, to),
                            few ? NULL : yard.end[from].region, bytes, count, TERN_DFLAG_SIGNAL,
                            to),
              "put by rank");
}

static void clear_cells(void)
{
    for (unsigned n = 0; n < yard.nodes; n++)
        memset(result_of(n), 0, VECTOR);
}

/* Tells whether the put of `from` ends as one by rank does. */
static bool put_ends(unsigned from, enum tern_status status)
{
    struct tern_completion done = yard_next(&yard, &yard.end[from], 4 * (uint64_t)info.op_timeout);
    bool good = done.opcode == TERN_OP_TREE_PUT && done.status == status &&
                done.node == yard.end[done.context].node &&
                done.value == (status == TERN_ST_OK ? 0 : done.context);

    if (!good)
        tap_note("put of rank %u to rank %u: %s, rank %u", from, (unsigned)done.context,
                 tern_strerror((int)done.status), (unsigned)done.value);
    return good;
}

/* All ranks put to all others at once; returns how many puts brought their bytes. */
static unsigned pairs_that_put(uint32_t bytes)
{
    unsigned good = 0;

    clear_cells();
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 0; i < VECTOR / 8; i++)
            ((uint64_t *)(void *)yard.end[n].buffer)[i] = value_of(n, i + bytes);
    for (unsigned shift = 1; shift < yard.nodes; shift++)
        for (unsigned n = 0; n < yard.nodes; n++) {
            unsigned to = (n + shift) % yard.nodes;

            put(n, to, yard.end[n].buffer + (uint64_t)to * CELL, bytes);
        }
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 1; i < yard.nodes; i++)
            good += put_ends(n, TERN_ST_OK);
    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned to = 0; to < yard.nodes; to++)
            good -= n != to && memcmp(result_of(to) + (uint64_t)n * CELL,
                                      yard.end[n].buffer + (uint64_t)to * CELL, bytes) != 0;
    return good;
}

/* Returns the cycles from the doorbell of 8 bytes to their completion. */
static unsigned cycles_of_put(unsigned from, unsigned to, bool by_torus)
{
    uint64_t bytes = value_of(from, to);

    memset(&seen, 0, sizeof(seen));
    if (by_torus)
        yard_must(tern_put_inline(yard.end[from].sq, cell_of(from, to), &bytes, sizeof(bytes),
                                  TERN_DFLAG_SIGNAL, to),
                  "put");
    else
        put(from, to, &bytes, sizeof(bytes));
    if (next(from).status != TERN_ST_OK || memcmp(result_of(to) + from * CELL, &bytes, 8) != 0)
        return UINT32_MAX;
    return (unsigned)(seen.told - seen.rung);
}

static void puts_by_rank(const char *where)
{
    unsigned pairs = yard.nodes * (yard.nodes - 1), short_good = pairs_that_put(8),
             long_good = pairs_that_put(FROM_MEMORY);

    tap_evidence("N19b", "pairs=%u good=%u memory_good=%u", pairs, short_good, long_good);
    tap(short_good == pairs && long_good == pairs,
        "any rank puts to any other over the tree%s, all at once", where);
}

/* Returns the links of the tree between two ranks. */
static unsigned links_between(unsigned a, unsigned b)
{
    unsigned links = 0;

    for (; a != b; links++) {
        unsigned *lower = a > b ? &a : &b;

        *lower = (*lower - 1) / 2;
    }
    return links;
}

/*
 * Computes how much longer the beats of such a put take than on 64 bits.  They move one after the
 * other: each node stores the packet before it passes it on, and so does the receive unit.
 */
static unsigned beats_more(unsigned links)
{
    enum {
        WORD = 8,
        ANSWER = TERN_PKT_HEADER_BYTES + TERN_PKT_TRAILER_BYTES,
        PACKET = ANSWER + WORD
    };
    unsigned bits = 8 * (TERN_DESC_BYTES + (links + 2) * PACKET + WORD + ANSWER + TERN_CQE_BYTES);

    return bits / info.link_data_bits - bits / 64;
}

static void puts_are_fast(void)
{
    unsigned top = yard.nodes - 1, cycles = cycles_of_put(top / 2, top, false),
             torus = cycles_of_put(top / 2, top, true), links = links_between(top / 2, top);

    if (!rig_tier_is_soft())
        tap_evidence("N19b", "nodes=%u links=%u cycles=%u torus_cycles=%u", yard.nodes, links,
                     cycles, torus);
    tap(rig_tier_is_soft() ? cycles < BOUND :
                             cycles <= PUT_CYCLES + links * LINK_CYCLES + beats_more(links),
        "a word goes from a leaf to a leaf at the other side%s",
        rig_tier_is_soft() ? "" : " within the bound");
}

/* Ranks count x fastest. The model on rtl has one dimension. */
static void puts_in_three_dimensions(struct tern_sim_config config)
{
    config.dims[0] = config.dims[1] = config.dims[2] = 3;
    yard_open_as(&yard, &config, 2 * (size_t)VECTOR);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    puts_by_rank(" of a torus of three dimensions");
    yard_close(&yard);
}

/* Links resend what wires damage; no node passes damaged bytes on. */
static void puts_over_noise(void)
{
    enum { EVERY = 300 };
    struct tern_net *tree = tern_net_tree(tern_sim_net(yard.sim));
    uint64_t crc = yard_stat(&yard, TERN_STAT_rx_bad_crc);
    unsigned pairs = yard.nodes * (yard.nodes - 1), good;

    for (unsigned i = 0; i < yard.nodes * TREE_LINKS; i++)
        tern_net_noise(tree, i / TREE_LINKS, i % TREE_LINKS, EVERY);
    good = pairs_that_put(FROM_MEMORY);
    for (unsigned i = 0; i < yard.nodes * TREE_LINKS; i++)
        tern_net_noise(tree, i / TREE_LINKS, i % TREE_LINKS, 0);
    crc = yard_stat(&yard, TERN_STAT_rx_bad_crc) - crc;
    tap_evidence("N19b", "noise_pairs=%u noise_good=%u damaged=%u", pairs, good, (unsigned)crc);
    tap(good == pairs && crc == 0, "puts by rank arrive over wires that damage packets");
}

/* The waiting form: completions of other operations stay for the poll. */
static void a_put_is_waited_for(void)
{
    struct tern_completion done = {0}, other;
    struct tern_once once;
    uint64_t bytes = value_of(1, 2);
    bool good;

    yard_must(tern_nop(yard.end[1].sq, TERN_DFLAG_SIGNAL, 99), "nop");
    tern_once_begin(&once, yard.end[1].sq, &done);
    good = tern_once_end(&once, tern_tree_put(yard.end[1].sq, 2, cell_of(1, 2), NULL, &bytes,
                                              sizeof(bytes), TERN_DFLAG_SIGNAL, 0), -1) == 0;
    other = next(1);
    tap(good && done.opcode == TERN_OP_TREE_PUT && done.status == TERN_ST_OK &&
            memcmp(result_of(2) + CELL, &bytes, sizeof(bytes)) == 0 && other.context == 99,
        "a put by rank is waited for while other completions stay");
}

/* Each node puts while it contributes: both end, and no bytes are mixed up. */
static void puts_beside_groups(void)
{
    struct tern_tree_part part;
    unsigned good = 0;
    bool sums = set_up(GROUP, LIMIT);

    clear_cells();
    part = part_of(GROUP, TERN_TREE_SUM, 8);
    part.wide = true;
    for (unsigned round = 0; round < ROUNDS; round++, number++) {
        part.number = number;
        for (unsigned n = 0; n < yard.nodes; n++) {
            put(n, yard.nodes - 1 - n, yard.end[n].buffer, FROM_MEMORY);
            post(n, &part, value_of(n, round));
        }
        for (unsigned n = 0; n < yard.nodes; n++)
            for (unsigned i = 0; i < 2; i++) {
                struct tern_completion done = next(n);

                good += done.status == TERN_ST_OK && done.opcode == TERN_OP_TREE_PUT;
                sums &= done.status == TERN_ST_OK &&
                        (done.opcode == TERN_OP_TREE_PUT || done.value == folded(&part, round));
            }
    }
    for (unsigned n = 0; n < yard.nodes; n++)
        good -= memcmp(result_of(yard.nodes - 1 - n) + (uint64_t)n * CELL, yard.end[n].buffer,
                       FROM_MEMORY) != 0;
    tap_evidence("N19b", "puts=%u beside=%u", good, ROUNDS);
    tap(sums && good == ROUNDS * yard.nodes, "puts by rank and operations of a group do not mix");
}

/* The branch has no tree links any more, though its torus works: only ways through it are cut. */
static void the_way_is_the_tree(void)
{
    enum { BRANCH = 1, BELOW = 3, ABOVE = 5 };
    struct tern_net *tree = tern_net_tree(tern_sim_net(yard.sim));
    uint64_t bytes = value_of(BELOW, BRANCH);
    bool good = true;

    tern_net_kill(tree, BRANCH, true);
    put(ABOVE, 2, &bytes, sizeof(bytes));
    put(BELOW, BELOW + 1, &bytes, sizeof(bytes)); /* by the branch */
    put(2, ABOVE, &bytes, sizeof(bytes));
    good &= put_ends(ABOVE, TERN_ST_OK) && put_ends(2, TERN_ST_OK);
    good &= put_ends(BELOW, TERN_ST_TIMEOUT);
    tern_net_kill(tree, BRANCH, false);
    for (unsigned at = 0; at < LINKS_RISE; at += STEP)
        tern_sim_run(yard.sim, STEP);
    put(BELOW, BELOW + 1, &bytes, sizeof(bytes));
    good &= put_ends(BELOW, TERN_ST_OK);
    tap(good, "puts by rank take the links of the tree, and no others");
}

static void dead_rank(void)
{
    unsigned dead = yard.nodes - 1;
    uint64_t bytes = value_of(0, dead), began;
    bool good = true;

    began = tern_sim_cycle(yard.sim);
    tern_net_kill(tern_net_tree(tern_sim_net(yard.sim)), dead, true);
    put(0, dead, &bytes, sizeof(bytes)); /* under way while its torus goes down, too */
    for (unsigned at = 0; at < CALM; at += STEP)
        tern_sim_run(yard.sim, STEP);
    tern_net_kill(tern_sim_net(yard.sim), dead, true);
    for (unsigned at = 0; at < CALM; at += STEP)
        tern_sim_run(yard.sim, STEP);
    put(3, dead, yard.end[3].buffer, FROM_MEMORY);
    put(3, 0, &bytes, sizeof(bytes)); /* others go on */
    good &= put_ends(0, TERN_ST_TIMEOUT);
    for (unsigned i = 0; i < 2; i++) {
        struct tern_completion done = yard_next(&yard, &yard.end[3], 4 * (uint64_t)info.op_timeout);

        good &= done.status == (done.context == dead ? TERN_ST_TIMEOUT : TERN_ST_OK) &&
                done.value == (done.context == dead ? dead : 0);
    }
    tap_evidence("N19b", "dead=%u named=%u cycles_to_name=%u limit=%u", dead, dead,
                 (unsigned)(tern_sim_cycle(yard.sim) - began), 4 * info.op_timeout);
    tern_net_kill(tern_sim_net(yard.sim), dead, false);
    for (unsigned at = 0; at < LINKS_RISE; at += STEP)
        tern_sim_run(yard.sim, STEP);
    put(0, dead, &bytes, sizeof(bytes));
    good &= put_ends(0, TERN_ST_OK);
    tap(good, "a put to a rank that is dead ends in the time allowed and names the rank");
}

static void bad_puts(void)
{
    struct tern_sq *sq = yard.end[0].sq;
    struct tern_rptr to = cell_of(0, 1), wrong = to;
    uint64_t bytes[5] = {0};
    bool good = true;

    good &= tern_tree_put(sq, yard.nodes, to, NULL, bytes, 8, 0, 0) == -TERN_ST_BAD_RANK;
    good &= tern_tree_put(sq, 2, to, NULL, bytes, 8, 0, 0) == -TERN_ST_BAD_NODE;
    good &= tern_tree_put(sq, 1, to, NULL, bytes, 40, 0, 0) == -TERN_ST_BAD_LENGTH;
    good &= tern_tree_put(sq, 1, to, NULL, NULL, 8, 0, 0) == -TERN_ST_BAD_ARGUMENT;
    put(0, 1, bytes, 0);
    good &= put_ends(0, TERN_ST_BAD_LENGTH);
    TERN_SET(RPTR, key, wrong.w, TERN_GET(RPTR, key, wrong.w) ^ 0x10000);
    yard_must(tern_tree_put(sq, 1, wrong, NULL, bytes, 8, TERN_DFLAG_SIGNAL, 1), "put by rank");
    good &= put_ends(0, TERN_ST_BAD_KEY);
    put(0, 0, bytes, 8); /* to itself, which needs no link */
    good &= put_ends(0, TERN_ST_OK);
    tap(good, "each kind of bad put by rank has a status of its own");
}

/* ---- bad input ---- */

static enum tern_status ends(const struct tern_tree_part *part)
{
    uint64_t value = 1;

    yard_must(tern_tree_combine(yard.end[0].sq, part, &value, TERN_DFLAG_SIGNAL, 0), "combine");
    return next(0).status;
}

/* A group that is active is not set up a second time. */
static bool is_busy(void)
{
    struct tern_tree_group again = {.group = GROUP, .epoch = epoch};

    tern_tree_all(yard.end[0].node, dims, LIMIT, &again);
    yard_must(tern_tree_set(yard.end[0].sq, &again, TERN_DFLAG_SIGNAL, 0), "set up");
    return next(0).status == TERN_ST_QUEUE_BUSY;
}

/* The driver refuses what no NIC could do, and finds no place in a group without members. */
static bool posts_are_refused(const struct tern_tree_part *part)
{
    struct tern_tree_group none = {.group = GROUP, .epoch = epoch};
    struct tern_tree_part wrong = *part;
    struct yard_end *end = &yard.end[0];
    uint64_t value = 1;
    bool good;

    good = tern_tree_combine(end->sq, part, NULL, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
           !tern_tree_place(end->node, dims, &end->node, 0, LIMIT, &none);
    wrong.op = OPS;
    good &= tern_tree_combine(end->sq, &wrong, &value, 0, 0) == -TERN_ST_BAD_TYPE;
    wrong = *part;
    wrong.bytes = TERN_TREE_BYTES + 1;
    good &= tern_tree_combine(end->sq, &wrong, &value, 0, 0) == -TERN_ST_BAD_LENGTH;
    wrong = *part;
    wrong.group = TERN_TREE_GROUPS;
    good &= tern_tree_combine(end->sq, &wrong, &value, 0, 0) == -TERN_ST_BAD_ARGUMENT;
    return good;
}

static void bad_input(void)
{
    struct tern_tree_part part = part_of(GROUP, TERN_TREE_SUM, 8), wrong;
    bool good = set_up(GROUP, LIMIT);

    good &= is_busy();
    part.epoch = epoch;
    wrong = part;
    wrong.epoch--;
    good &= ends(&wrong) == TERN_ST_NO_GROUP;
    wrong = part;
    wrong.group = GROUP + 1;
    good &= ends(&wrong) == TERN_ST_NO_GROUP;
    wrong = part;
    wrong.wide = true;
    wrong.bytes = 4;
    good &= ends(&wrong) == TERN_ST_BAD_LENGTH;
    wrong.bytes = 6;
    good &= ends(&wrong) == TERN_ST_BAD_LENGTH;
    tap(good, "contributions that do not fit are refused, each with its status");
    tap(posts_are_refused(&part),
        "contributions that no NIC could take are not posted, each with its status");
}

int main(int argc, char **argv)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.tree = true;
    config.model = rig_model();
    config.dims[0] = argc > 1 ? (unsigned)atoi(argv[1]) : NODES;
    if (config.dims[0] < NODES || config.dims[0] > NODES_MAX)
        return EXIT_FAILURE;
    yard_open_as(&yard, &config, 2 * (size_t)VECTOR);
    yard.also = note;
    yard_must(tern_query(yard.end[0].device, &info), "query");
    dims = info.dims;
    tap(info.features & TERN_FEATURE_COMBINE && set_up(GROUP, LIMIT),
        "a group of all nodes is set up");
    hosts_rest();
    memory_is_fast();
    puts_by_rank("");
    puts_are_fast();
    if (yard.nodes > NODES) { /* the chip takes minutes for the rest */
        killed(yard.nodes - 1, "a leaf");
        goes_on();
        yard_close(&yard);
        return tap_end();
    }
    all_operations();
    memory_combines();
    several();
    some_nodes();
    forwarded();
    two_halves();
    puts_over_noise();
    a_put_is_waited_for();
    puts_beside_groups();
    the_way_is_the_tree();
    dead_rank();
    bad_puts();
    bad_input();
    killed(yard.nodes - 1, "a leaf");
    killed(1, "a branch");
    killed(0, "the root");
    silent(yard.nodes - 1, "a leaf");
    silent(1, "a branch");
    silent(0, "the root");
    different();
    memory_fails(yard.nodes - 1, 0, TERN_ST_TIMEOUT, "no memory");
    memory_fails(yard.nodes - 1, 512, TERN_ST_DIFFERS, "less memory");
    memory_without_key();
    gone();
    goes_on();
    yard_close(&yard);
    if (rig_tier_is_soft())
        puts_in_three_dimensions(config);
    return tap_end();
}
