/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Collective operations of all nodes of a ring in three forms in one run: by a team that has the
 * tree network, by one on the torus alone, and by a binary tree of puts in which the hosts combine.
 * All nodes begin at the same cycle, and host software takes no time, but looks only every 64
 * cycles. On rtl the cycles until the last node has its result are printed and compared; on soft
 * only results are checked.
 *
 * usage: torus_collectives [NODES]
 */
#include <stdlib.h>
#include <string.h>
#include <tern/collective.h>

#include "rig.h"
#include "rig_tier.h"
#include "tree_of_puts.h"
#include "yard.h"

enum {
    NODES = 7, NODES_MAX = 31,
    INDEX = 40, ENTRIES = 3, TAG = 100, FROM_END = 3, CQ_LOG2 = 7,
    LIMIT_MS = 3600000, TREE_LIMIT = 1000000,
    LONG = 65536, BUFFER = 64
};

enum form { TREE, TORUS, TEAMS, PUTS = TEAMS, FORMS };

static const char *const form_names[FORMS] = {"tree", "torus", "puts"};

/* An operation; 0 bytes: a barrier. */
static const struct row {
    const char *name;
    uint32_t bytes;
    bool is_broadcast;
} rows[] = {
    {"barrier", 0, false}, {"allreduce", 8, false}, {"allreduce", 512, false},
    {"allreduce", LONG, false}, {"broadcast", 8, true}, {"broadcast", LONG, true},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

/* The side of each node. */
static struct side {
    struct tern_cq *cq;
    struct tern_team *team[TEAMS];
    struct tree_of_puts *puts;
    int status;
    uint64_t memory[LONG / 8];
} sides[NODES_MAX];

static struct yard yard;
static struct tern_rptr places[NODES_MAX];
static unsigned queues;
static enum form form;
static const struct row *row;
static uint64_t cycles[ROWS][FORMS];

static void make_team(struct yard *all, unsigned n)
{
    const struct tern_team_config config = {
        .index = (uint16_t)(INDEX + form * ENTRIES), .tag = (uint16_t)(TAG + form),
        .queue = (uint16_t)(queues - FROM_END - form), .limit_ms = LIMIT_MS,
        .tree_limit = rig_tier_is_soft() ? 0 : TREE_LIMIT, .torus_alone = form == TORUS};
    struct side *side = &sides[n];
    unsigned failed;

    (void)all;
    side->status = tern_team_create(side->cq, &config, &side->team[form], &failed);
}

static bool all_well(void (*what)(struct yard *yard, unsigned n))
{
    bool good = true;

    yard_each(&yard, what);
    for (unsigned n = 0; n < yard.nodes; n++) {
        good &= !sides[n].status;
        if (sides[n].status)
            tap_note("node %u: %s", n, tern_strerror(-sides[n].status));
    }
    return good;
}

static bool set_up(void)
{
    bool good = true;

    for (unsigned n = 0; n < yard.nodes; n++)
        yard_must(tern_cq_create(yard.end[n].device, CQ_LOG2, 0, &sides[n].cq), "queue");
    for (form = TREE; form < TEAMS; form++)
        good &= all_well(make_team);
    for (unsigned n = 0; n < yard.nodes && good; n++) {
        yard_must(tree_of_puts_create(sides[n].cq, n, yard.nodes, LONG, places, &sides[n].puts),
                  "tree of puts");
        good &= tern_team_has_tree(sides[n].team[TREE]) &&
                !tern_team_has_tree(sides[n].team[TORUS]);
    }
    return good;
}

static uint64_t word_of(unsigned n, unsigned i)
{
    return (n + 1) * UINT64_C(0x9e3779b97f4a7c15) + i * UINT64_C(0xd1342543de82ef95) + form;
}

static int by_team(struct side *side)
{
    const struct tern_reduction sum = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    struct tern_team *team = side->team[form];
    struct tern_collective op;

    if (row->is_broadcast)
        return tern_collective_wait(&op, tern_broadcast(team, &op, 0, side->memory, row->bytes,
                                                        0));
    if (!row->bytes)
        return tern_collective_wait(&op, tern_barrier(team, &op, 0));
    return tern_collective_wait(&op, tern_allreduce(team, &op, &sum, side->memory, side->memory,
                                                    row->bytes, 0));
}

static int by_puts(struct side *side)
{
    if (row->is_broadcast)
        return tree_of_puts_broadcast(side->puts, side->memory, row->bytes);
    if (!row->bytes)
        return tree_of_puts_barrier(side->puts);
    return tree_of_puts_sum(side->puts, side->memory, row->bytes);
}

static void operate(struct yard *all, unsigned n)
{
    (void)all;
    sides[n].status = form == PUTS ? by_puts(&sides[n]) : by_team(&sides[n]);
}

static uint64_t wanted(unsigned i)
{
    uint64_t sum = word_of(0, i);

    for (unsigned n = 1; n < yard.nodes && !row->is_broadcast; n++)
        sum += word_of(n, i);
    return sum;
}

static bool all_have_result(void)
{
    bool good = true;

    for (unsigned i = 0; i < row->bytes / 8; i++)
        for (unsigned n = 0; n < yard.nodes; n++)
            good &= sides[n].memory[i] == wanted(i);
    return good;
}

static bool measure(uint64_t *took)
{
    uint64_t since;
    bool good;

    for (unsigned n = 0; n < yard.nodes; n++)
        for (unsigned i = 0; i < LONG / 8; i++)
            sides[n].memory[i] = word_of(n, i);
    since = tern_sim_cycle(yard.sim);
    good = all_well(operate);
    *took = tern_sim_cycle(yard.sim) - since;
    return good && all_have_result();
}

static void report(unsigned at)
{
    if (rig_tier_is_soft())
        return;
    tap_note("%-9s %5u bytes: tree %6llu, torus %6llu, puts %6llu cycles", rows[at].name,
             rows[at].bytes, (unsigned long long)cycles[at][TREE],
             (unsigned long long)cycles[at][TORUS], (unsigned long long)cycles[at][PUTS]);
}

static bool tree_is_faster(enum form than)
{
    bool good = true;

    for (unsigned at = 0; at < ROWS; at++)
        good &= cycles[at][TREE] < cycles[at][than];
    return good;
}

static void all_forms(void)
{
    for (form = TREE; form < FORMS; form++) {
        unsigned good = 0;

        for (unsigned at = 0; at < ROWS; at++) {
            row = &rows[at];
            good += measure(&cycles[at][form]);
        }
        tap(good == ROWS, "%s: all nodes have the results of all operations", form_names[form]);
    }
}

static void leave(struct yard *all, unsigned n)
{
    (void)all;
    sides[n].status = tern_team_destroy(sides[n].team[form]);
}

static void clean_up(void)
{
    bool good = true;

    for (unsigned n = 0; n < yard.nodes; n++)
        good &= tree_of_puts_destroy(sides[n].puts) == 0;
    for (form = TREE; form < TEAMS; form++)
        good &= all_well(leave);
    tap(good, "teams end");
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
    yard_open_as(&yard, &config, BUFFER);
    yard_must(tern_query(yard.end[0].device, &info), "query");
    queues = info.queues;
    tap(set_up(), "teams with and without the tree network, and a tree of puts, are set up");
    all_forms();
    for (unsigned at = 0; at < ROWS; at++)
        report(at);
    if (!rig_tier_is_soft()) {
        tap_evidence("N21", "nodes=%u barrier=%llu by_torus=%llu by_puts=%llu", yard.nodes,
                     (unsigned long long)cycles[0][TREE], (unsigned long long)cycles[0][TORUS],
                     (unsigned long long)cycles[0][PUTS]);
        tap(tree_is_faster(TORUS), "the tree network is faster than the torus alone");
    }
    /* two levels of hosts that take no time are fast */
    if (!rig_tier_is_soft() && yard.nodes == NODES_MAX)
        tap(tree_is_faster(PUTS), "the tree network is faster than a tree of puts");
    clean_up();
    yard_close(&yard);
    return tap_end();
}
