/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long graphs of the shapes of montage, epigenomics and blast take on four workers, in
 * simulated time: a task lasts as long as its argument says by a clock that the parent process
 * advances. It advances to the next end of a task when each worker is in a task, or has looked for
 * nodes in vain since the last event. So the cost of taking and committing nodes is not in this
 * time, but a worker that is idle while a node is ready is.
 *
 * The bar is 10 % above max(T1 / P, Tinf), for graphs whose T1 / Tinf is at least 2 P. T1: the sum
 * of all tasks; Tinf: the longest path; P: workers.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "dag_rig.h"

enum { WORKERS = 4, LOOK_MS = 20, SPIN_MS = 1, BAR_PERCENT = 110, NAMES = 256 };

struct simulated_clock {
    _Atomic uint64_t now, events;
    struct {
        _Atomic uint64_t until; /* its task ends then */
        _Atomic uint64_t idle;  /* looked in vain after so many events, plus 1 */
        _Atomic bool ended;
    } worker[WORKERS];
};

static struct dag_yard yard;
static struct simulated_clock *simulated;
static unsigned me;

static int lasts(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    uint32_t duration;
    uint64_t until;

    if (bytes != sizeof(duration))
        return -1;
    memcpy(&duration, arg, sizeof(duration));
    until = simulated->now + duration;
    simulated->worker[me].until = until;
    simulated->events++;
    while (simulated->now < until && !tern_attempt_lost(attempt))
        pool_rig_pause(SPIN_MS);
    simulated->events++;
    return 0;
}

static const struct tern_function functions[] = {{"lasts", lasts}};

static void work_as(const void *arg, int in, int out)
{
    const struct tern_dag_worker worker = {.functions = functions, .count = 1,
                                           .timeout_ms = LOOK_MS, .tick_ms = 2, .take = 1};
    struct tern_dag_counts before, after;
    struct dag_user user;
    int status;

    (void)in;
    me = *(const unsigned *)arg;
    dag_user_open(&user, &yard, me);
    gives(tern_dag_join(user.members, user.count, user.cache, "dag", POOL_WAIT_MS, &user.run), 0,
          "tern_dag_join");
    do {
        uint64_t events = simulated->events;

        tern_dag_counts(user.run, &before);
        status = tern_dag_work(user.run, &worker);
        tern_dag_counts(user.run, &after);
        if (status == -TERN_ST_WAIT_EXPIRED && after.taken == before.taken &&
            after.kept == before.kept && after.idle_looks > before.idle_looks)
            simulated->worker[me].idle = events + 1;
    } while (status == -TERN_ST_WAIT_EXPIRED);
    simulated->worker[me].ended = true;
    (void)give(out, &status, sizeof(status));
    dag_user_close(&user);
}

/* ---- the clock */

/* Returns the end of the next task to end; 0: a worker may still begin one now. */
static uint64_t next_end(void)
{
    uint64_t events = simulated->events, now = simulated->now, next = UINT64_MAX;

    for (unsigned i = 0; i < WORKERS; i++) {
        uint64_t until = simulated->worker[i].until;

        if (until > now)
            next = until < next ? until : next;
        else if (simulated->worker[i].idle != events + 1)
            return 0;
    }
    return simulated->events == events && next != UINT64_MAX ? next : 0;
}

static bool all_ended(void)
{
    for (unsigned i = 0; i < WORKERS; i++)
        if (!simulated->worker[i].ended)
            return false;
    return true;
}

static bool keep_time(void)
{
    int64_t end = pool_rig_now() + POOL_WAIT_MS * 4;

    while (!all_ended() && pool_rig_now() < end) {
        uint64_t next = next_end();

        if (next)
            simulated->now = next;
        else
            pool_rig_pause(SPIN_MS);
    }
    return all_ended();
}

/* ---- graphs */

static struct {
    struct tern_dag *dag;
    uint64_t sum, path[DAG_NODES], longest; /* path: of each node, with itself */
    uint64_t seed;
} graph;

static uint32_t node(uint32_t least, uint32_t most)
{
    uint32_t duration = least + (uint32_t)random_below(&graph.seed, most - least + 1), number;
    const struct tern_dag_task task = {.function = "lasts", .arg = &duration,
                                       .arg_bytes = sizeof(duration)};
    char name[32];

    (void)snprintf(name, sizeof(name), "n%u", tern_dag_nodes(graph.dag));
    gives(tern_dag_node(graph.dag, name, &task, 1, &number), 0, "tern_dag_node");
    graph.sum += duration;
    graph.path[number] = duration;
    graph.longest = duration > graph.longest ? duration : graph.longest;
    return number;
}

/* `to` is a node whose successors have not been named yet. */
static void after(uint32_t from, uint32_t to, uint32_t own)
{
    gives(tern_dag_edge(graph.dag, from, to, TERN_AFTER, NULL), 0, "tern_dag_edge");
    if (graph.path[from] + own > graph.path[to])
        graph.path[to] = graph.path[from] + own;
    if (graph.path[to] > graph.longest)
        graph.longest = graph.path[to];
}

static uint32_t follows(const uint32_t *from, unsigned count, uint32_t least, uint32_t most)
{
    uint32_t number = node(least, most), own = (uint32_t)graph.path[number];

    for (unsigned i = 0; i < count; i++)
        after(from[i], number, own);
    return number;
}

static void montage(void)
{
    enum { IMAGES = 32 };
    uint32_t project[IMAGES], diff[2 * IMAGES], back[IMAGES], model, table;

    for (unsigned i = 0; i < IMAGES; i++)
        project[i] = node(10, 17);
    for (unsigned i = 0; i < 2 * IMAGES; i++) {
        const uint32_t two[] = {project[i % IMAGES],
                                project[(i + 1 + i / IMAGES * 3) % IMAGES]};

        diff[i] = follows(two, 2, 3, 5);
    }
    model = follows(diff, 2 * IMAGES, 2, 2);
    model = follows(&model, 1, 3, 3);
    for (unsigned i = 0; i < IMAGES; i++) {
        const uint32_t two[] = {model, project[i]};

        back[i] = follows(two, 2, 3, 5);
    }
    table = follows(back, IMAGES, 1, 1);
    table = follows(&table, 1, 4, 4);
    (void)follows(&table, 1, 1, 1);
}

static void epigenomics(void)
{
    enum { LANES = 4, PARTS = 8, STAGES = 4 };
    static const uint32_t most[STAGES] = {3, 2, 2, 24};
    uint32_t merged[LANES], last;

    for (unsigned lane = 0; lane < LANES; lane++) {
        uint32_t split = node(2, 3), part[PARTS];

        for (unsigned i = 0; i < PARTS; i++) {
            part[i] = split;
            for (unsigned stage = 0; stage < STAGES; stage++)
                part[i] = follows(&part[i], 1, most[stage] * 3 / 4, most[stage]);
        }
        merged[lane] = follows(part, PARTS, 2, 3);
    }
    last = follows(merged, LANES, 2, 2);
    last = follows(&last, 1, 1, 1);
    (void)follows(&last, 1, 2, 2);
}

static void blast(void)
{
    enum { PARTS = 80 };
    uint32_t split = node(2, 2), part[PARTS];

    for (unsigned i = 0; i < PARTS; i++)
        part[i] = follows(&split, 1, 8, 16);
    (void)follows(part, PARTS, 2, 2);
    (void)follows(part, PARTS, 1, 1);
}

static uint64_t least_time(void)
{
    uint64_t shared = (graph.sum + WORKERS - 1) / WORKERS;

    return shared > graph.longest ? shared : graph.longest;
}

static void measure(struct dag_user *user, const char *name, void (*shape)(void))
{
    struct child child[WORKERS];
    bool in_time, good = true;

    memset(&graph, 0, sizeof(graph));
    memset(simulated, 0, sizeof(*simulated));
    graph.seed = 1;
    gives(tern_dag_new(&graph.dag), 0, "tern_dag_new");
    shape();
    gives(tern_dag_publish(graph.dag, user->members, user->count, user->cache, "dag", &user->run),
          0, "tern_dag_publish");
    for (unsigned i = 0; i < WORKERS; i++)
        child[i] = child_start(work_as, &i);
    in_time = keep_time();
    for (unsigned i = 0; i < WORKERS; i++) {
        int status = -1;

        good &= in_time && get(child[i].from, &status, sizeof(status)) && status == 0;
        good &= child_end(&child[i]);
    }
    tap(good && graph.sum >= 2 * WORKERS * graph.longest &&
            simulated->now * 100 <= BAR_PERCENT * least_time() && simulated->now >= least_time(),
        "%s: the graph takes at most 10 %% longer than it must", name);
    tap_note("%s: nodes=%u T1=%llu Tinf=%llu least=%llu makespan=%llu (%.1f %%)", name,
             tern_dag_nodes(graph.dag), (unsigned long long)graph.sum,
             (unsigned long long)graph.longest, (unsigned long long)least_time(),
             (unsigned long long)simulated->now,
             100.0 * (double)simulated->now / (double)least_time());
    tern_dag_leave(user->run);
    user->run = NULL;
    tern_dag_free(graph.dag);
}

int main(void)
{
    struct dag_user user;

    yard = (struct dag_yard){.homes = 1, .nodes = NAMES, .joins = NAMES + 64,
                             .cache_bytes = 4 << 20, .lease_ms = 300000};
    simulated = mmap(NULL, sizeof(*simulated), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                     -1, 0);
    gives(simulated != MAP_FAILED, true, "mmap");
    dag_board_make();
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    measure(&user, "montage", montage);
    measure(&user, "epigenomics", epigenomics);
    measure(&user, "blast", blast);
    dag_user_close(&user);
    tap(dag_yard_stop(&yard), "the home ends well");
    return tap_end();
}
