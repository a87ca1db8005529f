/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree network: all nodes of a ring combine 8 bytes and meet at barriers. When a
 * member fails, the others get its rank.
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

#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    NODES = 7,
    NODES_MAX = 31,
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
    NOBODY = -1
};

static struct yard yard;
static uint16_t dims;
static uint8_t epoch, number;

/* ---- cycles ---- */

static struct {
    uint64_t rung, told; /* the last doorbell, the last completion */
} seen;

static void note(void *ctx, unsigned node, uint64_t cycle, unsigned lane, unsigned id)
{
    (void)ctx;
    (void)node;
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
        "a barrier and a reduction of a word end within the bound while all hosts rest");
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
    yard_must(tern_tree_leave(yard.end[FORWARDER].sq, GROUP, TERN_DFLAG_SIGNAL, 0), "leave");
    good = next(FORWARDER).status == TERN_ST_OK;
    post_some(members);
    good &= some_hear(members, TERN_ST_NO_GROUP, FORWARDER);
    tap(good, "a node that forwards only and leaves is named to all");
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
}

int main(int argc, char **argv)
{
    struct tern_sim_config config = tern_sim_config_default();
    struct tern_info info;

    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    config.tree = true;
    config.dims[0] = argc > 1 ? (unsigned)atoi(argv[1]) : NODES;
    if (config.dims[0] < NODES || config.dims[0] > NODES_MAX)
        return EXIT_FAILURE;
    yard_open_as(&yard, &config, YARD_PACKET);
    yard.also = note;
    yard_must(tern_query(yard.end[0].device, &info), "query");
    dims = info.dims;
    tap(info.features & TERN_FEATURE_COMBINE && set_up(GROUP, LIMIT),
        "a group of all nodes is set up");
    hosts_rest();
    if (yard.nodes > NODES) { /* the chip takes minutes for the rest */
        killed(yard.nodes - 1, "a leaf");
        goes_on();
        yard_close(&yard);
        return tap_end();
    }
    all_operations();
    several();
    some_nodes();
    two_halves();
    bad_input();
    killed(yard.nodes - 1, "a leaf");
    killed(1, "a branch");
    killed(0, "the root");
    silent(yard.nodes - 1, "a leaf");
    silent(1, "a branch");
    silent(0, "the root");
    different();
    gone();
    goes_on();
    yard_close(&yard);
    return tap_end();
}
