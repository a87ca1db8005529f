/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs of tasks on a ring of four: run by workers on several nodes, from homes on one node and on
 * three; constraints of each kind; exact numbers of operations; refusals.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tern/atomic.h>

#include "dag_rig.h"
#include "layout.h"

enum {
    FAN = 1000,
    FAN_IN = 1100,
    TASKS = 2122,      /* of the largest graph, which has this fan-out and fan-in */
    LEASE_MS = 300000,
    SHORT_LEASE_MS = 1000,
    TICK_RTL_MS = 100,
    SHARED = 100,      /* graphs of so many nodes are shared by several workers */
    MEET_MS = 20000,
    GATE = 16,         /* exchanges for a node, at most */
    WIDTH = 8,         /* of the patterns of Task Bench */
    STEPS = 8,
};

static struct dag_yard yard;

static int fails(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    (void)attempt;
    (void)arg;
    (void)bytes;
    return -1;
}

/* The output is the argument. */
static int say(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    return tern_attempt_output(attempt, arg, bytes);
}

static int nothing(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    (void)attempt;
    (void)arg;
    (void)bytes;
    return 0;
}

/* Counts how many of its kind run at once. */
static int together(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    uint32_t now = atomic_fetch_add(&dag_board->at_once, 1) + 1;
    uint32_t most = dag_board->most_at_once;

    (void)attempt;
    (void)arg;
    (void)bytes;
    while (now > most && !atomic_compare_exchange_weak(&dag_board->most_at_once, &most, now))
        continue;
    pool_rig_pause(5);
    atomic_fetch_sub(&dag_board->at_once, 1);
    return 0;
}

/* Ends when two tasks are in it at the same time. */
static int meets(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    int64_t end = pool_rig_now() + MEET_MS;

    (void)arg;
    (void)bytes;
    atomic_fetch_add(&dag_board->at_once, 1);
    while (dag_board->at_once < 2 && pool_rig_now() < end && !tern_attempt_lost(attempt))
        pool_rig_pause(5);
    return dag_board->at_once == 2 ? 0 : -1;
}

static int loses(struct tern_attempt *attempt, const void *arg, uint32_t bytes);

static const struct tern_function functions[] = {
    {"hash", dag_hash}, {"fails", fails},       {"say", say},
    {"nothing", nothing}, {"together", together}, {"loses", loses},
    {"meets", meets},
};
enum { FUNCTIONS = sizeof(functions) / sizeof(functions[0]) };

/* ---- workers */

struct worker_order {
    unsigned node, number;
};

static struct tern_dag_worker a_worker(unsigned *number)
{
    return (struct tern_dag_worker){.functions = functions, .count = FUNCTIONS,
                                    .timeout_ms = POOL_WAIT_MS, .committed = dag_committed,
                                    .of = number, .tick_ms = rig_tier_is_soft() ? 0 : TICK_RTL_MS};
}

static void work_as(const void *arg, int in, int out)
{
    struct worker_order order = *(const struct worker_order *)arg;
    const struct tern_dag_worker worker = a_worker(&order.number);
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

static void publish(struct dag_user *user, const struct tern_dag *dag)
{
    memset(dag_board, 0, sizeof(*dag_board));
    gives(tern_dag_publish(dag, user->members, user->count, user->cache, "dag", &user->run), 0,
          "tern_dag_publish");
}

/* Runs the graph with workers on all nodes, and adds up their figures. Returns how it ended. */
static int run_with(struct dag_user *user, const struct tern_dag *dag, unsigned workers,
                    struct tern_dag_counts *sum)
{
    struct child child[DAG_WORKERS];
    int ended = 0;

    memset(sum, 0, sizeof(*sum));
    publish(user, dag);
    for (unsigned i = 0; i < workers; i++) {
        const struct worker_order order = {i % POOL_RING, i};

        child[i] = child_start(work_as, &order);
    }
    for (unsigned i = 0; i < workers; i++) {
        struct tern_dag_counts counts = {0};
        int status = -TERN_ST_SYSTEM;

        if (!dag_user_await(user, child[i].from, &status, sizeof(status)) ||
            !dag_user_await(user, child[i].from, &counts, sizeof(counts)) || !child_end(&child[i]))
            status = -TERN_ST_SYSTEM;
        ended = status ? status : ended;
        for (size_t k = 0; k < sizeof(counts) / sizeof(uint64_t); k++)
            ((uint64_t *)sum)[k] += ((const uint64_t *)&counts)[k];
    }
    return ended;
}

static int run_alone(struct dag_user *user, const struct tern_dag *dag)
{
    unsigned number = 0;
    const struct tern_dag_worker worker = a_worker(&number);

    publish(user, dag);
    return tern_dag_work(user->run, &worker);
}

static struct tern_dag_node_info info_of(struct dag_user *user, uint32_t node)
{
    struct tern_dag_status status;
    struct tern_dag_node_info info = {.state = TERN_DAG_STATES};

    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    gives(tern_dag_node_info(user->run, node, &info), 0, "tern_dag_node_info");
    return info;
}

static void leave(struct dag_user *user)
{
    tern_dag_leave(user->run);
    user->run = NULL;
}

/* ---- many workers */

static unsigned wrong_commits(void)
{
    unsigned wrong = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++)
        for (unsigned step = 1; step < 4; step++)
            wrong += dag_board->commits[i][step] != (step <= dag_shape.tasks[i]);
    return wrong;
}

static void many_workers(struct dag_user *user, unsigned workers, const char *what)
{
    uint32_t nodes = tern_dag_nodes(dag_shape.dag);
    uint64_t edges = tern_dag_edges(dag_shape.dag);
    struct tern_dag_counts sum;
    struct tern_dag_status status;
    int ended = run_with(user, dag_shape.dag, workers, &sum);
    unsigned active = 0, wrong = dag_wrong_digests(user), commits = wrong_commits();

    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    for (unsigned i = 0; i < workers; i++)
        active += dag_board->by_worker[i] > 0;
    tap(ended == 0 && sum.nodes == nodes + 1, "%s: all workers see the end, and all nodes ran",
        what);
    tap(wrong == 0, "%s: the digests are those of a serial run", what);
    tap_evidence("D2", "nodes=%u tasks=%llu edges=%llu wrong=%u", nodes,
                 (unsigned long long)sum.tasks, (unsigned long long)edges, wrong);
    tap(commits == 0, "%s: each task is committed once", what);
    tap_evidence("D11", "nodes=%u wrong_commits=%u", nodes, commits);
    tap(status.phase == TERN_DAG_IS_DONE && status.by_state[TERN_DAG_DONE] == nodes,
        "%s: all nodes are done", what);
    tap(sum.commits == sum.tasks + 1 && sum.refused == 0 && sum.joins >= edges,
        "%s: as many commits as tasks, as many bits of joins as edges", what);
    if (nodes >= SHARED)
        tap(active > 1, "%s: several workers take part", what);
    tap_note("%s: nodes=%llu tasks=%llu exchanges=%llu takes=%llu taken=%llu missed=%llu "
             "steals=%llu joins=%llu pushes=%llu kept=%llu looks=%llu",
             what, (unsigned long long)sum.nodes, (unsigned long long)sum.tasks,
             (unsigned long long)sum.exchanges, (unsigned long long)sum.takes,
             (unsigned long long)sum.taken, (unsigned long long)sum.missed,
             (unsigned long long)sum.steals, (unsigned long long)sum.joins,
             (unsigned long long)sum.pushes, (unsigned long long)sum.kept,
             (unsigned long long)sum.looks);
    tap_note("%s: exchanges for a node: %.1f", what, (double)sum.exchanges / (double)sum.nodes);
}

static void layers(struct dag_user *user, unsigned nodes, unsigned workers, const char *what)
{
    dag_shape_layers(nodes, nodes);
    many_workers(user, workers, what);
    tap(tern_dag_forget(user->run) >= (int)nodes, "%s: the records of a run that has ended go",
        what);
    leave(user);
    dag_shape_free();
}

/*
 * ---- WfFormat: a fan-out, then a fan-in, as blast and montage have them. Of the parts between
 * them the first ones follow the fan-out, and the last ones are gathered.
 */

static void write_wide(const char *path, unsigned parts, unsigned fan_out, unsigned fan_in,
                       const char *version)
{
    bool old = strcmp(version, "1.5") < 0;
    FILE *file = fopen(path, "w");

    gives(file != NULL, true, "fopen");
    (void)fprintf(file, "{\"schemaVersion\": \"%s\", \"workflow\": {%s\"tasks\": [\n", version,
                  old ? "" : "\"specification\": {");
    (void)fprintf(file, "{\"%s\": \"split\", \"parents\": []}", old ? "name" : "id");
    for (unsigned i = 0; i < parts; i++)
        (void)fprintf(file, ",\n{\"%s\": \"part%u\", \"parents\": [%s]}", old ? "name" : "id", i,
                      i < fan_out ? "\"split\"" : "");
    (void)fprintf(file, ",\n{\"%s\": \"gather\", \"parents\": [", old ? "name" : "id");
    for (unsigned i = parts - fan_in; i < parts; i++)
        (void)fprintf(file, "%s\"part%u\"", i > parts - fan_in ? ", " : "", i);
    (void)fprintf(file, "]}]}%s}\n", old ? "" : "}");
    gives(fclose(file), 0, "fclose");
}

/* The same graph for the serial run, which knows nothing of the file. */
static void shape_wide(unsigned parts, unsigned fan_out, unsigned fan_in)
{
    char name[32];
    uint32_t split, gather;

    dag_shape_begin();
    split = dag_shape_node("split", 1);
    for (unsigned i = 0; i < parts; i++) {
        (void)snprintf(name, sizeof(name), "part%u", i);
        if (dag_shape_node(name, 1) && i < fan_out)
            dag_shape_data(split, 1 + i);
    }
    gather = dag_shape_node("gather", 1);
    for (unsigned i = parts - fan_in; i < parts; i++)
        dag_shape_data(1 + i, gather);
    dag_shape_run_serially();
}

static void wide(struct dag_user *user, unsigned tasks, unsigned fan_out, unsigned fan_in,
                 const char *version)
{
    unsigned parts = tasks - 2; /* without the first and the last one */
    char path[128], why[256] = "";
    struct tern_dag *dag;

    (void)snprintf(path, sizeof(path), "%s/wide.json", yard.rig.dir);
    write_wide(path, parts, fan_out, fan_in, version);
    shape_wide(parts, fan_out, fan_in);
    dag = dag_shape.dag;
    gives(tern_dag_new(&dag_shape.dag), 0, "tern_dag_new");
    tap(tern_dag_load(dag_shape.dag, path, why, sizeof(why)) == 0 &&
            tern_dag_edges(dag_shape.dag) == fan_out + fan_in,
        "a file of WfFormat %s with a fan-in of %u and a fan-out of %u is read %s", version,
        fan_in, fan_out, why);
    gives((int)tern_dag_nodes(dag_shape.dag), (int)tasks, "tern_dag_nodes");
    many_workers(user, 3, "wide");
    leave(user);
    tern_dag_free(dag);
    dag_shape_free();
    (void)unlink(path);
}

/* ---- constraints */

static uint32_t node_of(struct tern_dag *dag, const char *name, const char *function,
                        const char *arg)
{
    const struct tern_dag_task task = {.function = function, .arg = arg,
                                       .arg_bytes = arg ? (uint32_t)strlen(arg) : 0};
    uint32_t node;

    gives(tern_dag_node(dag, name, &task, 1, &node), 0, "tern_dag_node");
    return node;
}

static void edge(struct tern_dag *dag, uint32_t from, uint32_t to, enum tern_constraint kind,
                 const char *what)
{
    gives(tern_dag_edge(dag, from, to, kind, what), 0, "tern_dag_edge");
}

static void conditions(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_status status;
    uint32_t asked, yes, no, after, with;
    char text[8];
    uint64_t bytes = 0;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    asked = node_of(dag, "asked", "say", "yes");
    yes = node_of(dag, "if yes", "nothing", NULL);
    no = node_of(dag, "if no", "nothing", NULL);
    after = node_of(dag, "after no", "nothing", NULL);
    with = node_of(dag, "with no's output", "nothing", NULL);
    edge(dag, asked, yes, TERN_IF, "yes");
    edge(dag, asked, no, TERN_IF, "no");
    edge(dag, no, after, TERN_AFTER, NULL);
    edge(dag, no, with, TERN_DATA, NULL);
    tap(run_alone(user, dag) == 0 && info_of(user, yes).state == TERN_DAG_DONE &&
            info_of(user, no).state == TERN_DAG_SKIPPED,
        "condition: a node runs if an output is as said, else it is skipped");
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    tap(info_of(user, after).state == TERN_DAG_DONE &&
            info_of(user, with).state == TERN_DAG_SKIPPED,
        "and so is a node that needs its output, but not one that only follows");
    tap(tern_dag_result(user->run, asked, text, sizeof(text), &bytes) == 0 && bytes == 3 &&
            tern_dag_result(user->run, no, text, sizeof(text), &bytes) == -TERN_ST_BAD_STATE,
        "a skipped node has no result");
    tap_evidence("D9", "conditions=2 skipped=%u", status.by_state[TERN_DAG_SKIPPED]);
    leave(user);
    tern_dag_free(dag);
}

static void resources(struct dag_user *user, unsigned nodes, unsigned units)
{
    struct tern_dag *dag;
    struct tern_dag_counts sum;
    char name[32];

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    gives(tern_dag_resource(dag, "drive", units), 0, "tern_dag_resource");
    for (unsigned i = 0; i < nodes; i++) {
        (void)snprintf(name, sizeof(name), "n%u", i);
        gives(tern_dag_needs(dag, node_of(dag, name, "together", NULL), "drive", 1), 0,
              "tern_dag_needs");
    }
    tap(run_with(user, dag, rig_tier_is_soft() ? 4 : 2, &sum) == 0 &&
            dag_board->most_at_once <= units &&
            dag_board->most_at_once > 0,
        "resource: no more nodes run at once than there are units");
    tap_evidence("D9", "resources=1 units=%u at_once=%u", units, dag_board->most_at_once);
    leave(user);
    tern_dag_free(dag);
}

static void times(struct dag_user *user)
{
    enum { WAIT_MS = 200 };
    struct tern_dag *dag;
    struct tern_dag_node_info info;
    uint32_t node;
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    node = node_of(dag, "late", "nothing", NULL);
    (void)node_of(dag, "early", "nothing", NULL);
    gives(tern_dag_not_before(dag, node, WAIT_MS), 0, "tern_dag_not_before");
    status = run_alone(user, dag);
    info = info_of(user, node);
    tap(status == 0 && info.begun_us >= WAIT_MS * 1000,
        "time: a node runs no sooner than it may");
    tap_evidence("D9", "times=1 early=%d", info.begun_us < WAIT_MS * 1000);
    leave(user);
    tern_dag_free(dag);
}

/* ---- two at the same time */

static void two_at_once(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_counts sum;
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    (void)node_of(dag, "left", "meets", NULL);
    (void)node_of(dag, "right", "meets", NULL);
    status = run_with(user, dag, 2, &sum);
    tap(status == 0 && sum.tasks == 2, "two workers on two nodes run two tasks at the same time");
    tap_evidence("D6", "workers=2 tasks=%llu at_once=%u", (unsigned long long)sum.tasks,
                 dag_board->at_once);
    leave(user);
    tern_dag_free(dag);
}

/* ---- failure */

static void failure(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_status status;
    uint32_t bad, after, other;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    bad = node_of(dag, "bad", "fails", NULL);
    other = node_of(dag, "waits for its time", "nothing", NULL);
    gives(tern_dag_not_before(dag, other, INT32_MAX), 0, "tern_dag_not_before");
    after = node_of(dag, "after", "nothing", NULL);
    edge(dag, bad, after, TERN_AFTER, NULL);
    tap(run_alone(user, dag) == -TERN_ST_BAD_STATE &&
            info_of(user, bad).state == TERN_DAG_FAILED &&
            info_of(user, after).state == TERN_DAG_WAITING &&
            info_of(user, other).state == TERN_DAG_WAITING,
        "a task that fails ends the graph, and nothing runs after it");
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    tap(status.phase == TERN_DAG_HAS_FAILED && status.by_state[TERN_DAG_FAILED] == 1,
        "and the status names it");
    leave(user);
    tern_dag_free(dag);
}

static void refusals(struct dag_user *user)
{
    struct tern_dag *dag;
    uint32_t a, b, c;
    char why[256] = "";
    struct tern_run *run;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    a = node_of(dag, "a", "hash", NULL);
    b = node_of(dag, "b", "unheard", NULL);
    c = node_of(dag, "c", "hash", NULL);
    tap(tern_dag_node(dag, "a", NULL, 0, NULL) == -TERN_ST_DUP_MEMBER, "a name is there once");
    tap(tern_dag_check(dag, functions, FUNCTIONS, why, sizeof(why)) == -TERN_ST_NOT_FOUND &&
            strstr(why, "node b") && strstr(why, "unheard"),
        "a function that is not there is refused, with the node's name");
    edge(dag, a, b, TERN_DATA, NULL);
    edge(dag, b, c, TERN_AFTER, NULL);
    edge(dag, c, a, TERN_AFTER, NULL);
    tap(tern_dag_check(dag, NULL, 0, why, sizeof(why)) == -TERN_ST_TOO_FAR &&
            strstr(why, "a -> b") && strstr(why, "b -> c") && strstr(why, "c -> a"),
        "a cycle is refused, with its nodes by name");
    tap_evidence("D11", "cycle=%s", strstr(why, "c -> a") ? "named" : "none");
    tap(tern_dag_publish(dag, user->members, user->count, user->cache, "dag", &run) ==
            -TERN_ST_TOO_FAR,
        "and is not published");
    tern_dag_free(dag);
}

/* ---- cancelled runs, limits of commands, functions of a shared object, drawings */

static void cancelled(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_status status;
    unsigned number = 0;
    const struct tern_dag_worker worker = a_worker(&number);
    uint32_t node;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    node = node_of(dag, "waits for its time", "nothing", NULL);
    gives(tern_dag_not_before(dag, node, INT32_MAX), 0, "tern_dag_not_before");
    publish(user, dag);
    tap(tern_dag_wait(user->run, 1) == -TERN_ST_WAIT_EXPIRED,
        "a wait for a graph that goes on ends with its time");
    tap(tern_dag_cancel(user->run) == 0 &&
            tern_dag_wait(user->run, POOL_WAIT_MS) == -TERN_ST_CANCELLED &&
            tern_dag_work(user->run, &worker) == -TERN_ST_CANCELLED,
        "whether it waits or works, a process hears that the graph was cancelled");
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    tap(status.phase == TERN_DAG_IS_CANCELLED && status.by_state[TERN_DAG_WAITING] == 1,
        "and no node has run");
    leave(user);
    tern_dag_free(dag);
}

static void limited(struct dag_user *user)
{
    enum { LIMIT_MS = 20 };
    const struct tern_dag_task endless = {.command = "while :; do sleep 1; done"};
    struct tern_dag *dag;
    uint32_t node;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    gives(tern_dag_node(dag, "endless", &endless, 1, &node), 0, "tern_dag_node");
    gives(tern_dag_limit(dag, LIMIT_MS, 2), 0, "tern_dag_limit");
    tap(run_alone(user, dag) == -TERN_ST_BAD_STATE &&
            info_of(user, node).state == TERN_DAG_FAILED,
        "a command without a limit of its own has the limit of the graph");
    leave(user);
    tern_dag_free(dag);
}

static void from_library(struct dag_user *user)
{
    const struct tern_function *loaded = NULL;
    struct tern_dag_worker worker;
    struct tern_dag *dag;
    char why[256] = "";
    unsigned number = 0;
    int count = tern_dag_library("build/tests/system/dag_functions.so", &loaded, why, sizeof(why));

    tap(count == 1 && !strcmp(loaded[0].name, "expects"), "functions of a shared object load %s",
        why);
    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    (void)node_of(dag, "loaded", "expects", "expected");
    publish(user, dag);
    worker = a_worker(&number);
    worker.functions = loaded;
    worker.count = (unsigned)count;
    tap(tern_dag_work(user->run, &worker) == 0, "and a worker runs them");
    tap(tern_dag_library("build/tests/system/no_such.so", &loaded, why, sizeof(why)) ==
                -TERN_ST_NOT_FOUND &&
            strstr(why, "no_such.so"),
        "a shared object that is not there is refused, by its name");
    leave(user);
    tern_dag_free(dag);
}

static bool file_has(const char *path, const char *one, const char *other)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

    text[bytes] = '\0';
    return file && fclose(file) == 0 && strstr(text, one) && strstr(text, other);
}

static void drawn(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_status status;
    char path[128];
    uint32_t first, second;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    first = node_of(dag, "first", "nothing", NULL);
    second = node_of(dag, "<second>", "nothing", NULL);
    edge(dag, first, second, TERN_AFTER, NULL);
    tap(tern_dag_find(dag, "<second>") == second && tern_dag_find(dag, "third") == UINT32_MAX,
        "a node is found by its name");
    (void)snprintf(path, sizeof(path), "%s/graph.dot", yard.rig.dir);
    tap(tern_dag_draw(dag, path) == 0 && file_has(path, "digraph", "second"),
        "a drawing for graphviz names the nodes");
    (void)unlink(path);
    tap(tern_dag_draw(dag, yard.rig.dir) == -TERN_ST_SYSTEM, "a folder takes no drawing");
    gives(run_alone(user, dag), 0, "tern_dag_work");
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    (void)snprintf(path, sizeof(path), "%s/trace.json", yard.rig.dir);
    tap(tern_dag_trace(user->run, path) == 0 &&
            file_has(path, "\"name\":\"first\"", "\"name\":\"\\u003csecond\\u003e\""),
        "a trace for a trace viewer has the names of the nodes");
    (void)unlink(path);
    (void)snprintf(path, sizeof(path), "%s/trace.svg", yard.rig.dir);
    tap(tern_dag_trace(user->run, path) == 0 &&
            file_has(path, "<svg", "<title>&#60;second&#62;</title>"),
        "a timeline as SVG has them, too");
    (void)unlink(path);
    leave(user);
    tern_dag_free(dag);
}

/* ---- an attempt that lost its node */

static struct dag_user *losing;

/* While it runs, the node is taken away as a sweep does it, and another worker runs it. */
static int loses(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    static bool once;
    struct worker_order order = {0, 1};
    struct tern_pool_object object;
    struct tern_dag_counts counts;
    struct pool_client c = {.device = NULL};
    struct dag_head head;
    struct child other;
    struct dag_state state;
    uint64_t word;
    int status = 0;

    (void)arg;
    (void)bytes;
    if (once || !losing)
        return tern_attempt_output(attempt, "second", 6);
    once = true;
    c.device = losing->device;
    gives(tern_cq_create(c.device, 6, 0, &c.cq), 0, "tern_cq_create");
    gives(tern_sq_create(c.cq, 4, &c.sq), 0, "tern_sq_create");
    gives(tern_register(c.device, c.words, sizeof(c.words), TERN_RIGHT_REMOTE_WRITE, &c.region), 0,
          "tern_register");
    gives(tern_member_find(losing->members[0], "dag", &object), 0, "tern_member_find");
    for (unsigned i = 0; i < sizeof(head) / 8; i++)
        (void)pool_client_read(&c, tern_member_at(losing->members[0], object.offset + i * 8),
                               (uint64_t *)(void *)&head + i);
    (void)pool_client_read(&c, tern_member_at(losing->members[0], head.states), &word);
    state = dag_state_unpack(word);
    state.state = NODE_WAIT;
    state.holder = (struct tern_holder){0, 0};
    word = dag_state_pack(state);
    (void)pool_client_put(&c, tern_member_at(losing->members[0], head.states), word);
    word = (uint64_t)state.life | dag_bit(0);
    (void)pool_client_put(&c, tern_member_at(losing->members[0], head.ready), word);
    losing = NULL; /* in the child as well */
    other = child_start(work_as, &order);
    (void)get(other.from, &status, sizeof(status));
    (void)get(other.from, &counts, sizeof(counts));
    gives(status, 0, "the other worker");
    gives(child_end(&other), true, "its end");
    (void)tern_sq_destroy(c.sq);
    (void)tern_cq_destroy(c.cq);
    (void)tern_release(c.region);
    return tern_attempt_output(attempt, "first", 5);
}

static void late(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_counts counts;
    char text[8] = "";
    uint64_t bytes = 0;
    uint32_t node;
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    node = node_of(dag, "lost", "loses", NULL);
    losing = user;
    status = run_alone(user, dag);
    tern_dag_counts(user->run, &counts);
    tap(status == 0 && counts.refused == 1 && counts.commits == 0 &&
            dag_board->commits[node][1] == 1,
        "the commit of an attempt that lost its node is refused and counted");
    tap(tern_dag_result(user->run, node, text, sizeof(text), &bytes) == 0 && bytes == 6 &&
            !memcmp(text, "second", 6) && info_of(user, node).attempt == 2,
        "and the result is that of the other attempt");
    tap_evidence("D12", "refused=%llu late_results=%d", (unsigned long long)counts.refused,
                 !memcmp(text, "first", 5));
    leave(user);
    tern_dag_free(dag);
}

/* ---- numbers of operations */

static uint64_t packets(struct dag_user *user)
{
    uint64_t values[TERN_STAT_COUNT];

    gives(tern_stats(user->device, values), 0, "tern_stats");
    return values[TERN_STAT_tx_packets];
}

/*
 * A chain of tasks without data, by one worker: for each node the exchange that commits it, the bit
 * of its successor, the successor's record and its claim.
 */
static void counts_of_chain(struct dag_user *user, unsigned nodes)
{
    struct tern_dag *dag;
    struct tern_dag_counts n, was;
    unsigned number = 0;
    const struct tern_dag_worker worker = a_worker(&number);
    uint64_t before, sent;
    uint32_t last = 0;
    char name[32];
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    for (unsigned i = 0; i < nodes; i++) {
        uint32_t node;

        (void)snprintf(name, sizeof(name), "n%u", i);
        node = node_of(dag, name, "nothing", NULL);
        if (i)
            edge(dag, last, node, TERN_AFTER, NULL);
        last = node;
    }
    publish(user, dag);
    tern_dag_counts(user->run, &was);
    before = packets(user);
    status = tern_dag_work(user->run, &worker);
    sent = packets(user) - before;
    tern_dag_counts(user->run, &n);
    n.exchanges -= was.exchanges;
    /*
     * Beside four for each node: the first round, a look, a take; of the last node, which has no
     * record, the claim, the commit, the end; and the close.
     */
    tap(status == 0 && n.exchanges == 4 * (uint64_t)nodes + 7,
        "a node of a chain takes four exchanges: commit, join, record, claim");
    tap(n.joins == nodes && n.commits == nodes + 1 && n.kept == nodes && n.pushes == 0 &&
            n.takes == 1,
        "an edge is one masked compare-and-swap, and a node is one commit");
    tap_note("chain: nodes=%u exchanges=%llu packets=%llu", nodes,
             (unsigned long long)n.exchanges, (unsigned long long)sent);
    tap_evidence("D13", "exchanges=%llu joins=%llu edges=%u",
                 (unsigned long long)n.exchanges, (unsigned long long)n.joins, nodes);
    leave(user);
    tern_dag_free(dag);
}

/* Nodes that are all ready: each take but the first brings half of a word, by one operation. */
static void counts_of_takes(struct dag_user *user, unsigned nodes)
{
    struct tern_dag *dag;
    struct tern_dag_counts n;
    char name[32];
    unsigned takes = 1;
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    for (unsigned i = 0; i < nodes; i++) {
        (void)snprintf(name, sizeof(name), "n%u", i);
        (void)node_of(dag, name, "nothing", NULL);
    }
    for (unsigned left = nodes - 1; left > 0; left -= (left + 1) / 2)
        takes++;
    status = run_alone(user, dag);
    tern_dag_counts(user->run, &n);
    tap(status == 0 && n.takes == takes && n.taken == nodes && n.missed == 0,
        "a worker takes half of a word by one operation");
    tap_evidence("D7", "takes=%llu halves=%u taken=%llu nodes=%u", (unsigned long long)n.takes,
                 takes, (unsigned long long)n.taken, nodes);
    tap(n.idle_looks == n.ticks, "an idle worker looks once a tick");
    leave(user);
    tern_dag_free(dag);
}

/* ---- overhead: patterns of Task Bench (Slaughter and others, SC 2020) */

static bool depends(const char *pattern, unsigned step, unsigned to, unsigned from)
{
    unsigned apart = to > from ? to - from : from - to;

    if (!strcmp(pattern, "trivial"))
        return false;
    if (!strcmp(pattern, "stencil"))
        return apart <= 1;
    if (!strcmp(pattern, "fft"))
        return apart == 0 || apart == 1u << (step - 1) % 3;
    if (!strcmp(pattern, "tree"))
        return from == to / 2;
    if (!strcmp(pattern, "spread"))
        return (to + step * 3) % WIDTH == from || (to + step * 5 + 1) % WIDTH == from;
    return true; /* all to all */
}

static void pattern(struct dag_user *user, const char *name, unsigned steps)
{
    struct tern_dag_counts sum;
    char text[32];
    int ended;

    dag_shape_begin();
    for (unsigned step = 0; step < steps; step++)
        for (unsigned i = 0; i < WIDTH; i++) {
            (void)snprintf(text, sizeof(text), "s%u.%u", step, i);
            (void)dag_shape_node(text, 1);
            for (unsigned from = 0; step > 0 && from < WIDTH; from++)
                if (depends(name, step, i, from))
                    dag_shape_data((step - 1) * WIDTH + from, step * WIDTH + i);
        }
    dag_shape_run_serially();
    ended = run_with(user, dag_shape.dag, 4, &sum);
    sum.exchanges -= sum.idle_looks;
    tap(ended == 0 && dag_wrong_digests(user) == 0 && sum.exchanges <= GATE * sum.nodes,
        "%s: a node takes %u exchanges at most", name, (unsigned)GATE);
    tap_note("%s: nodes=%llu exchanges_for_a_node=%.2f idle_looks=%llu", name,
             (unsigned long long)sum.nodes, (double)sum.exchanges / (double)sum.nodes,
             (unsigned long long)sum.idle_looks);
    gives(tern_dag_forget(user->run) > 0, true, "tern_dag_forget");
    leave(user);
    dag_shape_free();
}

static void overhead(struct dag_user *user)
{
    static const char *const names[] = {"trivial", "stencil", "fft", "tree", "all to all",
                                        "spread"};

    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        pattern(user, names[i], STEPS);
}

/* ---- records in the cache */

/* All keys have one of few hashes: candidates are told apart by their whole key. */
static void collisions(unsigned nodes)
{
    struct dag_user user;
    struct tern_cache_counts before, after;
    unsigned wrong = 0;
    bool alone = false;
    char name[TERN_DAG_NAME];

    yard.homes = 1;
    yard.hash_bits = rig_tier_is_soft() ? 3 : 1;
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    dag_shape_layers(nodes, 7);
    publish(&user, dag_shape.dag);
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < nodes; i++)
            wrong += tern_dag_node_name(user.run, i, name, sizeof(name)) != 0 ||
                     strcmp(name, tern_dag_name(dag_shape.dag, i)) != 0;
    for (uint32_t i = 0; i < nodes && !alone; i++) {
        tern_cache_counts(user.cache, &before);
        wrong += tern_dag_node_name(user.run, i, name, sizeof(name)) != 0;
        tern_cache_counts(user.cache, &after);
        /* the get found its record among several candidates, without a lookup */
        alone = after.record_reads - before.record_reads > 1 && after.lookups == before.lookups;
    }
    tap(wrong == 0 && before.collisions > 0,
        "records with the same hash are told apart by their whole key");
    tap_evidence("D4", "collisions=%llu wrong=%u", (unsigned long long)before.collisions, wrong);
    tap(tern_dag_node_name(user.run, nodes + 5, name, sizeof(name)) == -TERN_ST_NOT_FOUND,
        "and a key that none of them has is a miss");
    tap(alone, "all candidates of a hash are read in one round trip");
    tap_evidence("D1", "by_pointer=%llu", (unsigned long long)after.by_pointer);
    tap_evidence("D4b", "candidates=%llu lookups=%llu",
                 (unsigned long long)(after.record_reads - before.record_reads),
                 (unsigned long long)(after.lookups - before.lookups));
    tap_evidence("D3", "candidates=%llu",
                 (unsigned long long)(after.record_reads - before.record_reads));
    dag_user_close(&user);
    dag_shape_free();
    gives(dag_yard_stop(&yard), true, "dag_yard_stop");
    yard.hash_bits = 0;
}

/* A worker that has only records, and no graph, honours their constraints. */
static void constraints_by_record(struct dag_user *user)
{
    struct tern_dag *dag;
    struct tern_dag_counts sum;
    uint32_t first, second;
    uint64_t bytes = 0;
    char text[8] = "";
    int status;

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    first = node_of(dag, "first", "say", "no");
    second = node_of(dag, "second", "nothing", NULL);
    edge(dag, first, second, TERN_IF, "yes");
    status = run_with(user, dag, 1, &sum);
    tap(status == 0 && sum.skipped == 1 && info_of(user, second).state == TERN_DAG_SKIPPED &&
            tern_dag_result(user->run, first, text, sizeof(text), &bytes) == 0,
        "a worker that has a record honours the constraints in it");
    tap_evidence("D5", "skipped=%llu", (unsigned long long)sum.skipped);
    tap_evidence("D5b", "skipped=%llu", (unsigned long long)sum.skipped);
    leave(user);
    tern_dag_free(dag);
}

/* ---- joins that the NIC does */

static uint64_t checkins_at(const struct dag_yard *at)
{
    uint64_t values[TERN_STAT_COUNT];
    struct tern_device *device = rig_open(&at->rig, dag_yard_node(0));

    gives(tern_stats(device, values), 0, "tern_stats");
    tern_close(device);
    return values[TERN_STAT_fw_checkins];
}

/* Makes a graph of `count` joins of `ins` predecessors each. */
static struct tern_dag *joins_of(unsigned count, unsigned ins)
{
    struct tern_dag *dag;
    char name[32];

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    for (unsigned k = 0; k < count; k++) {
        uint32_t join;

        (void)snprintf(name, sizeof(name), "join%u", k);
        join = node_of(dag, name, "nothing", NULL);
        for (unsigned i = 0; i < ins; i++) {
            (void)snprintf(name, sizeof(name), "n%u.%u", k, i);
            edge(dag, node_of(dag, name, "nothing", NULL), join, TERN_AFTER, NULL);
        }
    }
    return dag;
}

/* The process of the server does not run while the graph does. */
static void without_the_host(struct dag_user *user, unsigned joins, unsigned ins)
{
    struct tern_dag *dag = joins_of(joins, ins);
    struct tern_dag_counts n;
    unsigned number = 0;
    struct tern_dag_worker worker = a_worker(&number);
    uint64_t before = checkins_at(&yard), heard;
    int status;

    worker.timeout_ms = POOL_WAIT_MS / 2;
    publish(user, dag);
    gives(kill(yard.server[0].pid, SIGSTOP), 0, "kill");
    status = tern_dag_work(user->run, &worker);
    gives(kill(yard.server[0].pid, SIGCONT), 0, "kill");
    heard = checkins_at(&yard) - before;
    tern_dag_counts(user->run, &n);
    tap(status == 0 && n.checkins == (uint64_t)joins * ins && n.pushes == 0 && n.unheard == 0,
        "the NIC of a home joins and pushes nodes while its host is stopped");
    tap(heard == n.checkins && n.joins == (uint64_t)joins * (ins + 1),
        "an edge to such a join is one check-in, by the statistics of that NIC");
    tap_evidence("D13", "areas=%u checkins=%llu edges=%u pushes=%llu", joins,
                 (unsigned long long)heard, joins * ins, (unsigned long long)n.pushes);
    leave(user);
    tern_dag_free(dag);
}

/* More joins than areas, which serve one graph after the other. */
static void more_than_areas(struct dag_user *user, unsigned joins, unsigned ins)
{
    struct tern_dag *dag = joins_of(joins, ins);
    struct tern_dag_counts n;
    int status = run_alone(user, dag);

    tern_dag_counts(user->run, &n);
    tap(status == 0 && n.checkins == (uint64_t)yard.areas * ins && n.refused == 0 &&
            n.joins == (uint64_t)joins * (ins + 1),
        "of more joins than areas the others are words");
    leave(user);
    tern_dag_free(dag);
}

/* All areas of the home's NIC belong to another program. */
static void without_areas(struct dag_user *user, unsigned ins)
{
    struct tern_dag *dag = joins_of(1, ins);
    struct tern_device *other = rig_open(&yard.rig, dag_yard_node(0));
    struct tern_dag_counts n;
    int status;

    for (uint16_t id = 0; id < TERN_CHECKIN_AREAS; id++) {
        const struct tern_area area = {.id = id, .epoch = 1, .slots = 1};

        gives(tern_area_arm(other, &area, NULL), 0, "tern_area_arm");
    }
    status = run_alone(user, dag);
    tern_dag_counts(user->run, &n);
    tap(status == 0 && n.checkins == 0, "without a free area of the NIC all joins are words");
    tern_close(other);
    leave(user);
    tern_dag_free(dag);
}

/* The time limit of the chain is over before the first check-in. */
static void after_the_limit(struct dag_user *user, unsigned ins)
{
    struct tern_dag *dag = joins_of(1, ins);
    struct tern_dag_counts n;
    int status = run_alone(user, dag);

    tern_dag_counts(user->run, &n);
    tap(status == 0 && n.checkins == ins && n.pushes == 0,
        "after the limit of a chain the sweep pushes the node");
    leave(user);
    tern_dag_free(dag);
}

static void joined_by_the_nic(bool soft)
{
    struct dag_user user;

    yard.homes = 1;
    yard.areas = soft ? 4 : 1;
    yard.area_ins = soft ? 0 : 2;
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    if (soft)
        without_areas(&user, 60);
    without_the_host(&user, soft ? 3 : 1, soft ? 60 : 2);
    if (soft)
        more_than_areas(&user, 6, 60);
    dag_user_close(&user);
    gives(dag_yard_stop(&yard), true, "dag_yard_stop");
    if (soft) {
        yard.area_cycles = 1;
        yard.lease_ms = SHORT_LEASE_MS;
        dag_yard_start(&yard);
        dag_user_open(&user, &yard, 1);
        after_the_limit(&user, 60);
        dag_user_close(&user);
        gives(dag_yard_stop(&yard), true, "dag_yard_stop");
        yard.lease_ms = LEASE_MS;
        yard.area_cycles = 0;
    }
    yard.areas = 0;
}

static void from_one_home(bool soft)
{
    struct dag_user user;

    yard.homes = 1;
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    if (soft) {
        layers(&user, 200, 4, "one home");
        wide(&user, 11, 9, 9, "1.3");
        wide(&user, TASKS, FAN, FAN_IN, "1.6");
        overhead(&user);
    }
    counts_of_takes(&user, soft ? DAG_BITS : 4);
    times(&user);
    resources(&user, soft ? 24 : 3, soft ? 2 : 1);
    conditions(&user);
    constraints_by_record(&user);
    two_at_once(&user);
    failure(&user);
    refusals(&user);
    cancelled(&user);
    limited(&user);
    from_library(&user);
    drawn(&user);
    late(&user);
    counts_of_chain(&user, soft ? 50 : 3);
    dag_user_close(&user);
    tap(dag_yard_stop(&yard), "one home: it ends well");
}

static void from_three_homes(bool soft)
{
    struct dag_user user;

    yard.homes = 3;
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    layers(&user, soft ? 200 : 6, soft ? 5 : 2, "three homes");
    dag_user_close(&user);
    tap(dag_yard_stop(&yard), "three homes: they end well");
}

int main(void)
{
    bool soft = rig_tier_is_soft();

    yard = (struct dag_yard){.nodes = soft ? TASKS + 1 : 64, .joins = soft ? 2800 : 80,
                             .cache_bytes = soft ? 4 << 20 : 1 << 19, .lease_ms = LEASE_MS};
    dag_board_make();
    from_one_home(soft);
    from_three_homes(soft);
    collisions(soft ? 40 : 6);
    joined_by_the_nic(soft);
    return tap_end();
}
