/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern dag run and status. `run` makes a pool with the records and the words of the graph, then
 * works on it as a member, beside worker processes of its own and of other nodes.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "dag.h"
#include "progress.h"

enum {
    MEMBERS = 128,
    NODE_BYTES = 4096,  /* of records and outputs, for each node */
    EDGE_BYTES = 160,
    LEAST_BYTES = 8 << 20,
    WORD_BYTES = 128,   /* of words, for each node */
    SLACK = 1 << 20,
    POINTER_LEASE_MS = 60000,
    SLICE_MS = 200,     /* between two steps of the progress bar */
    JOIN_MS = 30000,
    LEAVE_MS = 2000,    /* for workers of other nodes to see the end */
    PAUSE_MS = 10,
    NAMES_SHOWN = 20,
    BAR = 24,
};

/* A member with its handles. */
struct user {
    struct tern_device *device;
    struct tern_member *member;
    struct tern_cache *cache;
    struct tern_run *run;
};

static int user_join(struct user *u, const char *node_text)
{
    struct tern_info info;
    int status = tern_query(u->device, &info);
    uint16_t node = info.node;

    if (!status && node_text)
        status = tern_node_parse(node_text, &node, NULL);
    if (!status)
        status = tern_member_join(u->device, node, DAG_TOOL_POOL, TERN_POOL_WRITE, &u->member);
    if (!status)
        status = tern_cache_open(&u->member, 1, DAG_TOOL_CACHE, NULL, &u->cache);
    return status;
}

static void user_leave(struct user *u)
{
    tern_dag_leave(u->run);
    tern_cache_close(u->cache);
    if (u->member)
        tern_member_quit(u->member);
}

static void user_close(struct user *u)
{
    user_leave(u);
    tern_close(u->device);
}

/* ---- what is shown at the end */

static void list_failed(const struct user *u, const struct tern_dag *dag)
{
    struct tern_dag_status status;
    struct tern_dag_node_info info;
    char name[TERN_DAG_NAME];
    unsigned shown = 0;

    if (tern_dag_status(u->run, &status))
        return;
    fprintf(stderr, "tern: FAILED:");
    for (uint32_t i = 0; i < status.nodes; i++) {
        if (tern_dag_node_info(u->run, i, &info) || info.state != TERN_DAG_FAILED)
            continue;
        if (!dag && tern_dag_node_name(u->run, i, name, sizeof(name)))
            continue;
        if (shown++ < NAMES_SHOWN)
            fprintf(stderr, " %s", dag ? tern_dag_name(dag, i) : name);
    }
    fprintf(stderr, "%s\n", shown > NAMES_SHOWN ? " ..." : "");
}

static int say_end(const struct dag_options *chosen, const struct user *u,
                   const struct tern_dag *dag, int status)
{
    struct tern_dag_status now;
    struct tern_dag_counts n;

    if (status == -TERN_ST_BAD_STATE)
        list_failed(u, dag);
    else if (status)
        return tool_fail(status, "the graph did not end");
    if (tern_dag_status(u->run, &now))
        return tool_fail(0, "cannot read the graph");
    tern_dag_counts(u->run, &n);
    printf("%" PRIu32 " nodes: %" PRIu32 " done, %" PRIu32 " skipped, %" PRIu32
           " failed, %" PRIu32 " not run; %" PRIu64 " here, by %" PRIu64 " exchanges\n",
           now.nodes, now.by_state[TERN_DAG_DONE], now.by_state[TERN_DAG_SKIPPED],
           now.by_state[TERN_DAG_FAILED],
           now.by_state[TERN_DAG_WAITING] + now.by_state[TERN_DAG_RUNNING], n.nodes, n.exchanges);
    if (chosen->trace) {
        int wrote = tern_dag_trace(u->run, chosen->trace);

        if (wrote)
            return tool_fail(wrote, "cannot write %s", chosen->trace);
    }
    if (tool_report(chosen->report,
                    "nodes=%" PRIu32 "\ndone=%" PRIu32 "\nfailed=%" PRIu32 "\nskipped=%" PRIu32
                    "\nhere=%" PRIu64 "\ntasks=%" PRIu64 "\nexchanges=%" PRIu64 "\ntakes=%" PRIu64
                    "\ngiven=%" PRIu64 "\nrefused=%" PRIu64 "\n",
                    now.nodes, now.by_state[TERN_DAG_DONE], now.by_state[TERN_DAG_FAILED],
                    now.by_state[TERN_DAG_SKIPPED], n.nodes, n.tasks, n.exchanges, n.takes,
                    now.given, now.refused))
        return EXIT_BAD;
    return status ? EXIT_BAD : EXIT_DONE;
}

/* ---- work */

static int64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Works in slices, and shows between them how many nodes have ended. */
static int work(const struct dag_options *chosen, struct user *u,
                const struct dag_functions *functions, bool bar)
{
    struct tern_dag_worker worker = {.functions = functions->list, .count = functions->count,
                                     .tick_ms = chosen->tick_ms, .timeout_ms = SLICE_MS};
    int64_t end = now_ms() + chosen->timeout_ms;
    struct progress progress;
    struct tern_dag_status now;
    int status = tern_dag_status(u->run, &now);

    if (!bar)
        worker.timeout_ms = chosen->timeout_ms;
    progress_start(&progress, now.nodes ? now.nodes : 1);
    while (!status) {
        status = tern_dag_work(u->run, &worker);
        if (!bar || status != -TERN_ST_WAIT_EXPIRED || (chosen->timeout_ms >= 0 && now_ms() > end))
            break;
        status = tern_dag_status(u->run, &now);
        if (!status && progress_due(&progress, now.by_state[TERN_DAG_DONE]))
            progress_show(&progress, now.by_state[TERN_DAG_DONE], "nodes");
    }
    progress_end(&progress);
    return status;
}

/* A worker process joins the graph at `node`; NULL: at its own NIC. */
static int work_there(const struct dag_options *chosen, const struct dag_functions *functions,
                      const char *node, bool quiet)
{
    struct user u = {.device = tool_open(chosen->words[1])};
    int status;

    if (!u.device)
        return EXIT_BAD;
    status = user_join(&u, node);
    if (!status)
        status = tern_dag_join(&u.member, 1, u.cache, DAG_TOOL_SPACE, JOIN_MS, &u.run);
    if (status)
        status = tool_fail(status, "cannot join a graph");
    else {
        status = work(chosen, &u, functions, false);
        if (!quiet)
            status = say_end(chosen, &u, NULL, status);
    }
    user_close(&u);
    return status ? EXIT_BAD : EXIT_DONE;
}

/*
 * Starts a worker process. It waits for the pool, so it may begin before the graph is published; it
 * ends with its parent.
 */
static pid_t start_worker(const struct dag_options *chosen, const struct dag_functions *functions,
                          const int ready[2])
{
    pid_t pid;
    char word;

    (void)fflush(NULL);
    pid = fork();
    if (pid)
        return pid;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)close(ready[1]);
    if (read(ready[0], &word, 1) != 1)
        _exit(EXIT_BAD);
    _exit(work_there(chosen, functions, NULL, true));
}

/* ---- the process that has the graph */

static size_t cache_bytes(const struct tern_dag *dag)
{
    return LEAST_BYTES + (size_t)tern_dag_nodes(dag) * NODE_BYTES +
           (size_t)tern_dag_edges(dag) * EDGE_BYTES;
}

static int serve(const struct dag_options *chosen, struct tern_device *device,
                 const struct tern_dag *dag, struct tern_pool **pool)
{
    const struct tern_cache_config cache = {.bytes = cache_bytes(dag),
                                            .lease_ms = POINTER_LEASE_MS,
                                            .eviction = TERN_EVICT_NONE};
    const struct tern_dag_home home = {
        .nodes = tern_dag_nodes(dag) + 1,
        .joins = tern_dag_nodes(dag) + (uint32_t)(tern_dag_edges(dag) / 16) + 1024,
        .areas = TERN_CHECKIN_AREAS};
    const struct tern_pool_config config = {
        .name = DAG_TOOL_POOL,
        .bytes = cache.bytes + (size_t)home.nodes * WORD_BYTES + (size_t)home.joins * 8 +
                 (size_t)home.areas * (TERN_CHECKIN_SLOTS + 8) * 8 + SLACK,
        .members = MEMBERS, .lease_ms = chosen->lease_ms};
    int status = tern_pool_create(device, &config, pool);

    if (!status)
        status = tern_cache_make(*pool, DAG_TOOL_CACHE, &cache);
    if (!status)
        status = tern_dag_make(*pool, DAG_TOOL_SPACE, &home);
    return status ? status : tern_pool_thread(*pool);
}

/* Waits until other members have seen the end, or some time has passed. */
static void let_leave(struct tern_pool *pool)
{
    const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    int64_t end = now_ms() + LEAVE_MS;
    struct tern_pool_counts counts;

    do {
        tern_pool_counts(pool, &counts);
        nanosleep(&pause, NULL);
    } while (counts.live > 1 && now_ms() < end);
}

static int run_here(const struct dag_options *chosen, const struct dag_functions *functions,
                    const struct tern_dag *dag, int begin)
{
    struct user u = {.device = tool_open(chosen->words[1])};
    struct tern_pool *pool = NULL;
    int status;

    if (!u.device)
        return EXIT_BAD;
    status = serve(chosen, u.device, dag, &pool);
    if (status)
        status = tool_fail(status, "cannot serve the graph");
    else if ((status = user_join(&u, NULL)) ||
             (status = tern_dag_publish(dag, &u.member, 1, u.cache, DAG_TOOL_SPACE, &u.run)))
        status = tool_fail(status, "cannot publish the graph");
    else {
        for (unsigned i = 1; i < chosen->workers; i++)
            (void)!write(begin, "b", 1);
        status = say_end(chosen, &u, dag, work(chosen, &u, functions, isatty(STDERR_FILENO)));
        let_leave(pool);
    }
    tern_dag_leave(u.run);
    tern_cache_close(u.cache);
    if (u.member)
        tern_member_quit(u.member);
    tern_pool_close(pool);
    tern_close(u.device);
    return status;
}

static int run_file(const struct dag_options *chosen, const struct dag_functions *functions)
{
    struct tern_dag *dag;
    int pipes[2], status = dag_load(chosen, chosen->words[2], functions, &dag);

    if (status)
        return status;
    if (pipe(pipes)) {
        tern_dag_free(dag);
        return tool_fail(-TERN_ST_SYSTEM, "cannot start workers");
    }
    for (unsigned i = 1; i < chosen->workers; i++)
        if (start_worker(chosen, functions, pipes) < 0)
            status = tool_fail(-TERN_ST_SYSTEM, "cannot start a worker");
    if (!status)
        status = run_here(chosen, functions, dag, pipes[1]);
    (void)close(pipes[1]);
    (void)close(pipes[0]);
    while (wait(NULL) > 0)
        continue;
    tern_dag_free(dag);
    return status;
}

int dag_run(const struct dag_options *chosen)
{
    struct dag_functions functions;
    int status = dag_functions(chosen, &functions);

    if (status)
        return status;
    status = chosen->join ? work_there(chosen, &functions, chosen->join, false)
                          : run_file(chosen, &functions);
    free(functions.list);
    return status;
}

/* ---- status */

static const char *const phases[] = {"no graph", "being published", "running",
                                     "done",     "FAILED",          "cancelled"};

static int glance(struct tern_device *device, const char *at, struct tern_dag_status *now)
{
    struct user u = {.device = device};
    int status = user_join(&u, at);

    if (!status)
        status = tern_dag_join(&u.member, 1, u.cache, DAG_TOOL_SPACE, 0, &u.run);
    if (!status)
        status = tern_dag_status(u.run, now);
    user_leave(&u);
    return status;
}

static void nodes_text(const struct tern_dag_status *now, char *text, size_t bytes)
{
    (void)snprintf(text, bytes,
                   "%s: %" PRIu32 " nodes: %" PRIu32 " waiting, %" PRIu32 " running, %" PRIu32
                   " done, %" PRIu32 " skipped, %" PRIu32 " failed",
                   phases[now->phase], now->nodes, now->by_state[TERN_DAG_WAITING],
                   now->by_state[TERN_DAG_RUNNING], now->by_state[TERN_DAG_DONE],
                   now->by_state[TERN_DAG_SKIPPED], now->by_state[TERN_DAG_FAILED]);
}

void dag_glance(struct tern_device *device, const char *at, char *text, size_t bytes)
{
    struct tern_dag_status now = {.phase = TERN_DAG_NO_RUN};
    char nodes[DAG_LINE / 2], bar[BAR + 1];
    int status = glance(device, at, &now);
    uint32_t ended = now.by_state[TERN_DAG_DONE] + now.by_state[TERN_DAG_SKIPPED];

    if (status) {
        (void)snprintf(text, bytes, "graph at %s: %s", at, tern_strerror(status));
        return;
    }
    nodes_text(&now, nodes, sizeof(nodes));
    for (unsigned i = 0; i < BAR; i++)
        bar[i] = now.nodes && (uint64_t)ended * BAR > (uint64_t)i * now.nodes ? '#' : '.';
    bar[BAR] = '\0';
    (void)snprintf(text, bytes, "graph at %s: [%s] %s; %" PRIu64 " taken from dead workers", at,
                   bar, nodes, now.given);
}

int dag_status(const struct dag_options *chosen)
{
    struct tern_device *device = tool_open(chosen->words[1]);
    struct tern_dag_status now = {.phase = TERN_DAG_NO_RUN};
    char text[DAG_LINE];
    int status;

    if (!device)
        return EXIT_BAD;
    status = glance(device, chosen->at, &now);
    tern_close(device);
    if (status)
        return tool_fail(status, "there is no graph");
    nodes_text(&now, text, sizeof(text));
    printf("%s\ntaken from dead workers: %" PRIu64 "; commits refused: %" PRIu64 "\n", text,
           now.given, now.refused);
    return EXIT_DONE;
}
