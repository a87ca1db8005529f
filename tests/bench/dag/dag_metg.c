/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The overhead of a node, by patterns of Task Bench (Slaughter and others, SC 2020): METG(50 %),
 * the shortest task with which a worker spends half of its time on tasks, in round trips. A worker
 * waits for its exchanges one after the other, so that is the number of exchanges for a node; looks
 * of idle workers are not of a node. Beside it, the same for a central scheduler on the same NICs.
 *
 *     dag_metg [PATTERN...]        all patterns, or those
 *
 * On rtl a torus of 8 nodes, on soft one of 64; a worker on each node.
 */
#include <stdio.h>
#include <string.h>

#include "central.h"

enum {
    GATE = 16,
    AIM = 8,
    LEASE_SOFT_MS = 20000,
    LEASE_RTL_MS = 60000,
    TICK_SOFT_MS = 20,
    TICK_RTL_MS = 500,
    STEPS_SOFT = 6,
    STEPS_RTL = 2,
    RUN_MS = 1000 * 60 * 30, /* a net */
};

static struct dag_yard yard;

/* ---- patterns */

static bool is_trivial(unsigned step, unsigned to, unsigned from, unsigned width)
{
    (void)step, (void)to, (void)from, (void)width;
    return false;
}

static bool is_stencil(unsigned step, unsigned to, unsigned from, unsigned width)
{
    (void)step, (void)width;
    return to > from ? to - from <= 1 : from - to <= 1;
}

static unsigned log2_of(unsigned width)
{
    unsigned bits = 0;

    while (2u << bits <= width)
        bits++;
    return bits;
}

static bool is_fft(unsigned step, unsigned to, unsigned from, unsigned width)
{
    unsigned apart = to ^ from;

    return apart == 0 || apart == 1u << (step - 1) % log2_of(width);
}

static bool is_tree(unsigned step, unsigned to, unsigned from, unsigned width)
{
    (void)step, (void)width;
    return from == to / 2;
}

static bool is_all(unsigned step, unsigned to, unsigned from, unsigned width)
{
    (void)step, (void)to, (void)from, (void)width;
    return true;
}

static bool is_spread(unsigned step, unsigned to, unsigned from, unsigned width)
{
    return (to + step * 3) % width == from || (to + step * 5 + 1) % width == from;
}

struct pattern {
    const char *name;
    bool (*depends)(unsigned step, unsigned to, unsigned from, unsigned width);
};

static const struct pattern patterns[] = {
    {"trivial", is_trivial}, {"stencil", is_stencil}, {"fft", is_fft},
    {"tree", is_tree},       {"all-to-all", is_all},  {"spread", is_spread},
};
enum { PATTERNS = sizeof(patterns) / sizeof(patterns[0]) };

static void shape(const struct pattern *p, unsigned steps, unsigned width)
{
    char name[32];

    dag_shape_begin();
    for (unsigned step = 0; step < steps; step++)
        for (unsigned to = 0; to < width; to++) {
            (void)snprintf(name, sizeof(name), "s%u.%u", step, to);
            (void)dag_shape_node(name, 1);
            for (unsigned from = 0; step > 0 && from < width; from++)
                if (p->depends(step, to, from, width))
                    dag_shape_data((step - 1) * width + from, step * width + to);
        }
    dag_shape_run_serially();
}

/* ---- workers of the graph */

static const struct tern_function functions[] = {{"hash", dag_hash}};

struct order {
    unsigned node;
};

struct answer {
    int status;
    struct tern_dag_counts counts;
};

static void work_as(const void *arg, int in, int out)
{
    struct order order = *(const struct order *)arg;
    const struct tern_dag_worker worker = {
        .functions = functions, .count = 1, .timeout_ms = RUN_MS, .committed = dag_committed,
        .of = &order.node, .tick_ms = rig_tier_is_soft() ? TICK_SOFT_MS : TICK_RTL_MS};
    struct answer answer = {.status = 0};
    struct dag_user user;
    char go;

    dag_user_open(&user, &yard, order.node);
    gives(tern_dag_join(user.members, user.count, user.cache, "dag", RUN_MS, &user.run), 0,
          "tern_dag_join");
    gives(give(out, "r", 1), true, "a worker");
    gives(dag_user_await(&user, in, &go, 1), true, "a worker");
    answer.status = tern_dag_work(user.run, &worker);
    tern_dag_counts(user.run, &answer.counts);
    (void)give(out, &answer, sizeof(answer));
    dag_user_close(&user);
}

/* Returns the first error of a worker. */
static int run_workers(struct dag_user *user, unsigned workers, struct tern_dag_counts *sum)
{
    struct child child[DAG_WORKERS];
    int status = 0;
    char word;

    memset(sum, 0, sizeof(*sum));
    for (unsigned i = 0; i < workers; i++) {
        const struct order order = {i};

        child[i] = child_start(work_as, &order);
        /* One after the other: on rtl many that join at a time take longer than they may. */
        gives(dag_user_await(user, child[i].from, &word, 1), true, "a worker");
    }
    for (unsigned i = 0; i < workers; i++)
        gives(give_word(&child[i], 'g'), true, "a worker");
    for (unsigned i = 0; i < workers; i++) {
        struct answer answer = {.status = -TERN_ST_SYSTEM};

        if (!dag_user_await(user, child[i].from, &answer, sizeof(answer)))
            answer.status = -TERN_ST_SYSTEM;
        (void)child_end(&child[i]);
        if (answer.status)
            tap_note("worker %u: %s", i, tern_strerror(answer.status));
        status = status ? status : answer.status;
        for (size_t k = 0; k < sizeof(*sum) / sizeof(uint64_t); k++)
            ((uint64_t *)sum)[k] += ((const uint64_t *)&answer.counts)[k];
    }
    return status;
}

static unsigned wrong_commits(void)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++)
        wrong += dag_board->commits[i][1] != 1;
    return wrong;
}

/* ---- one pattern */

static double by_graph(struct dag_user *user, const struct pattern *p, unsigned workers)
{
    struct tern_dag_counts n;
    double metg;
    int status;

    memset(dag_board, 0, sizeof(*dag_board));
    gives(tern_dag_publish(dag_shape.dag, user->members, user->count, user->cache, "dag",
                           &user->run),
          0, "tern_dag_publish");
    status = run_workers(user, workers, &n);
    metg = (double)(n.exchanges - n.idle_looks) / (double)(n.nodes ? n.nodes : 1);
    tap(status == 0 && n.nodes == tern_dag_nodes(dag_shape.dag) + 1 && wrong_commits() == 0 &&
            dag_wrong_digests(user) == 0 && metg <= GATE,
        "%s: a node takes at most %u round trips, each has one commit and its digest", p->name,
        (unsigned)GATE);
    gives(tern_dag_forget(user->run) > 0, true, "tern_dag_forget");
    tern_dag_leave(user->run);
    user->run = NULL;
    return metg;
}

static double by_scheduler(struct dag_user *user, const struct pattern *p, unsigned workers)
{
    struct central_counts n;
    unsigned wrong = central_run(user, &yard, workers, &n);

    tap(wrong == 0 && n.nodes == tern_dag_nodes(dag_shape.dag),
        "%s: a central scheduler gives the same digests", p->name);
    return (double)n.exchanges / (double)(n.nodes ? n.nodes : 1);
}

static void bench(struct dag_user *user, const struct pattern *p, unsigned steps, unsigned workers)
{
    double graph, central;

    shape(p, steps, workers);
    graph = by_graph(user, p, workers);
    central = by_scheduler(user, p, workers);
    tap_note("METG(50 %%) %s: %.1f round trips (gate %u, aim %u); central scheduler %.1f", p->name,
             graph, (unsigned)GATE, (unsigned)AIM, central);
    dag_shape_free();
}

static const struct pattern *find(const char *name)
{
    for (size_t i = 0; i < PATTERNS; i++)
        if (!strcmp(patterns[i].name, name))
            return &patterns[i];
    return NULL;
}

int main(int argc, char **argv)
{
    bool soft = rig_tier_is_soft();
    unsigned side = soft ? 4 : 2, steps = soft ? STEPS_SOFT : STEPS_RTL;
    struct dag_user user;

    for (int i = 1; i < argc; i++)
        if (!find(argv[i])) {
            (void)fprintf(stderr, "usage: dag_metg "
                                  "[trivial|stencil|fft|tree|all-to-all|spread]...\n");
            return 2;
        }
    yard = (struct dag_yard){.homes = 1, .nodes = 1024, .joins = 4096, .size = {side, side, side},
                             .cache_bytes = soft ? 8 << 20 : 1 << 19,
                             .lease_ms = soft ? LEASE_SOFT_MS : LEASE_RTL_MS};
    dag_board_make();
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, dag_yard_node(0));
    for (size_t i = 0; argc == 1 && i < PATTERNS; i++)
        bench(&user, &patterns[i], steps, side * side * side);
    for (int i = 1; i < argc; i++)
        bench(&user, find(argv[i]), steps, side * side * side);
    dag_user_close(&user);
    gives(dag_yard_stop(&yard), true, "dag_yard_stop");
    return tap_end();
}
