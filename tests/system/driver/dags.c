/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of tasks on a ring of four: run by workers on several nodes, from homes on one node and on
 * three; constraints of each kind; counts of exchanges; refusals.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dag_rig.h"

static struct dag_yard yard = {.homes = 1, .nodes = 512, .joins = 640, .cache_bytes = 1 << 20};

static const struct tern_function functions[] = {{"hash", dag_hash}};

/* ---- graphs */

static const struct tern_dag_task hash = {.function = "hash"};

struct shape {
    struct tern_dag *dag;
    uint64_t digest[DAG_NODES];
    unsigned inputs[DAG_NODES];
    uint32_t input[DAG_NODES][8];
    unsigned tasks[DAG_NODES];
};
static struct shape shape;

static uint32_t add_node(const char *name, unsigned tasks)
{
    struct tern_dag_task list[4] = {hash, hash, hash, hash};
    uint32_t node;

    gives(tern_dag_node(shape.dag, name, list, tasks, &node), 0, "tern_dag_node");
    shape.inputs[node] = 0;
    shape.tasks[node] = tasks;
    return node;
}

static void add_data(uint32_t from, uint32_t to)
{
    gives(tern_dag_edge(shape.dag, from, to, TERN_DATA, NULL), 0, "tern_dag_edge");
    shape.input[to][shape.inputs[to]++] = from;
}

/* Nodes are added in an order in which each follows its predecessors. */
static void run_serially(void)
{
    for (uint32_t i = 0; i < tern_dag_nodes(shape.dag); i++) {
        uint64_t inputs[8];

        for (unsigned k = 0; k < shape.inputs[i]; k++)
            inputs[k] = shape.digest[shape.input[i][k]];
        shape.digest[i] =
            dag_serial(tern_dag_name(shape.dag, i), shape.tasks[i], inputs, shape.inputs[i]);
    }
}

/* Layers of random width; each node has one to three tasks and up to four predecessors. */
static void build_layers(unsigned nodes, uint64_t seed)
{
    char name[32];

    gives(tern_dag_new(&shape.dag), 0, "tern_dag_new");
    for (uint32_t i = 0; i < nodes; i++) {
        unsigned ins = i ? random_below(&seed, 4) + (i > 4) : 0;

        (void)snprintf(name, sizeof(name), "n%u", i);
        (void)add_node(name, 1 + random_below(&seed, 3));
        for (unsigned k = 0; k < ins; k++) {
            uint32_t from = i - 1 - random_below(&seed, i < 20 ? i : 20);
            bool twice = false;

            for (unsigned m = 0; m < shape.inputs[i]; m++)
                twice |= shape.input[i][m] == from;
            if (!twice)
                add_data(from, i);
        }
    }
    run_serially();
}

/* ---- workers */

struct worker_order {
    unsigned node;
    unsigned number;
};

static void committed(void *of, uint32_t node, unsigned step, unsigned attempt)
{
    (void)attempt;
    atomic_fetch_add(&dag_board->commits[node][step], 1);
    if (step >= 1)
        atomic_fetch_add(&dag_board->by_worker[*(unsigned *)of], 1);
}

static void work_as(const void *arg, int in, int out)
{
    struct worker_order order = *(const struct worker_order *)arg;
    const struct tern_dag_worker worker = {.functions = functions, .count = 1,
                                           .timeout_ms = POOL_WAIT_MS, .committed = committed,
                                           .of = &order.number};
    struct dag_user user;
    struct tern_dag_counts counts;
    int status;

    (void)in;
    dag_user_open(&user, &yard, order.node);
    gives(tern_dag_join(user.members, user.count, user.cache, "dag", POOL_WAIT_MS, &user.run), 0,
          "tern_dag_join");
    status = tern_dag_work(user.run, &worker);
    tern_dag_counts(user.run, &counts);
    (void)give(out, &status, sizeof(status));
    (void)give(out, &counts, sizeof(counts));
    dag_user_close(&user);
}

/* Runs the graph with workers on all nodes; returns the sum of their figures. */
static bool run_with(struct dag_user *user, unsigned workers, struct tern_dag_counts *sum)
{
    struct child child[DAG_WORKERS];
    bool good = true;

    memset(dag_board, 0, sizeof(*dag_board));
    memset(sum, 0, sizeof(*sum));
    gives(tern_dag_publish(shape.dag, user->members, user->count, user->cache, "dag", &user->run),
          0, "tern_dag_publish");
    for (unsigned i = 0; i < workers; i++) {
        const struct worker_order order = {i % POOL_RING, i};

        child[i] = child_start(work_as, &order);
    }
    for (unsigned i = 0; i < workers; i++) {
        struct tern_dag_counts counts = {0};
        int status = -1;

        good &= get(child[i].from, &status, sizeof(status)) &&
                get(child[i].from, &counts, sizeof(counts)) && status == 0;
        for (size_t k = 0; k < sizeof(counts) / sizeof(uint64_t); k++)
            ((uint64_t *)sum)[k] += ((const uint64_t *)&counts)[k];
        good &= child_end(&child[i]);
    }
    return good;
}

static unsigned wrong_digests(struct dag_user *user)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(shape.dag); i++) {
        uint64_t got = 0, bytes = 0;
        int status = tern_dag_result(user->run, i, &got, sizeof(got), &bytes);

        wrong += status || bytes != sizeof(got) || got != shape.digest[i];
    }
    return wrong;
}

static unsigned wrong_commits(void)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(shape.dag); i++)
        for (unsigned step = 1; step < 4; step++)
            wrong += dag_board->commits[i][step] != (step <= shape.tasks[i]);
    return wrong;
}

static void forget(struct dag_user *user)
{
    int deleted = tern_dag_forget(user->run);

    tap(deleted >= (int)tern_dag_nodes(shape.dag), "the records of a run that has ended go");
    tern_dag_leave(user->run);
    user->run = NULL;
    tern_dag_free(shape.dag);
}

static void many_workers(struct dag_user *user, unsigned nodes, unsigned workers)
{
    struct tern_dag_counts sum;
    struct tern_dag_status status;
    unsigned active = 0;

    build_layers(nodes, nodes);
    tap(run_with(user, workers, &sum), "%u workers run a graph of %u nodes from %u homes", workers,
        nodes, yard.homes);
    tap(wrong_digests(user) == 0, "the digests are those of a serial run");
    tap(wrong_commits() == 0, "each task is committed once");
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    tap(status.phase == TERN_DAG_IS_DONE && status.by_state[TERN_DAG_DONE] == nodes,
        "all nodes are done");
    for (unsigned i = 0; i < workers; i++)
        active += dag_board->by_worker[i] > 0;
    tap_note("nodes=%llu tasks=%llu exchanges=%llu takes=%llu taken=%llu missed=%llu steals=%llu "
             "joins=%llu pushes=%llu kept=%llu looks=%llu active=%u",
             (unsigned long long)sum.nodes, (unsigned long long)sum.tasks,
             (unsigned long long)sum.exchanges, (unsigned long long)sum.takes,
             (unsigned long long)sum.taken, (unsigned long long)sum.missed,
             (unsigned long long)sum.steals, (unsigned long long)sum.joins,
             (unsigned long long)sum.pushes, (unsigned long long)sum.kept,
             (unsigned long long)sum.looks, active);
    forget(user);
}

int main(void)
{
    struct dag_user user;

    yard.lease_ms = 60000;
    dag_board_make();
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    many_workers(&user, rig_tier_is_soft() ? 200 : 24, 4);
    dag_user_close(&user);
    tap(dag_yard_stop(&yard), "the homes end well");
    return tap_end();
}
