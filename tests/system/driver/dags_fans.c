/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nodes with many successors, from homes on six nodes of a torus: a node with successors at up to
 * four homes sets a bit for each, by one masked compare-and-swap; at more homes its end is one
 * broadcast, and the hosts of the homes set the bits. Numbers are those of the NIC's statistics.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include <tern/group.h>

#include "dag_rig.h"
#include "layout.h"

enum {
    HOMES = 6,
    LEASE_MS = 300000,
    TICK_RTL_MS = 100,
    FAN_SOFT = 1000,
    FAN_RTL = 12,
    PAUSE_MS = 300,
};

static struct dag_yard yard;

static int nothing(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    (void)attempt;
    (void)arg;
    (void)bytes;
    return 0;
}

static const struct tern_function functions[] = {{"hash", dag_hash}, {"nothing", nothing}};

static int run_alone(struct dag_user *user, const struct tern_dag *dag)
{
    unsigned number = 0;
    const struct tern_dag_worker worker = {.functions = functions, .count = 2,
                                           .timeout_ms = POOL_WAIT_MS,
                                           .committed = dag_committed, .of = &number,
                                           .tick_ms = rig_tier_is_soft() ? 0 : TICK_RTL_MS};

    memset(dag_board, 0, sizeof(*dag_board));
    gives(tern_dag_publish(dag, user->members, user->count, user->cache, "dag", &user->run), 0,
          "tern_dag_publish");
    return tern_dag_work(user->run, &worker);
}

static void leave(struct dag_user *user)
{
    tern_dag_leave(user->run);
    user->run = NULL;
}

/* A graph of one node, and `outs` that follow it; with `all` another one joins them. */
static struct tern_dag *fan_of(unsigned outs, bool all)
{
    static const struct tern_dag_task task = {.function = "nothing"};
    struct tern_dag *dag;
    uint32_t root, last = 0, to;
    char name[32];

    gives(tern_dag_new(&dag), 0, "tern_dag_new");
    gives(tern_dag_node(dag, "root", &task, 1, &root), 0, "tern_dag_node");
    for (unsigned i = 0; i < outs; i++) {
        (void)snprintf(name, sizeof(name), "n%u", i);
        gives(tern_dag_node(dag, name, &task, 1, &to), 0, "tern_dag_node");
        gives(tern_dag_edge(dag, root, to, TERN_AFTER, NULL), 0, "tern_dag_edge");
    }
    if (all)
        gives(tern_dag_node(dag, "last", &task, 1, &last), 0, "tern_dag_node");
    for (uint32_t i = 1; all && i <= outs; i++)
        gives(tern_dag_edge(dag, i, last, TERN_AFTER, NULL), 0, "tern_dag_edge");
    return dag;
}

/* Broadcasts that the NIC of the worker started. */
static uint64_t broadcasts(struct dag_user *user)
{
    uint64_t values[TERN_STAT_COUNT];

    gives(tern_stats(user->device, values), 0, "tern_stats");
    return values[TERN_STAT_fw_bcasts];
}

/*
 * `outs` successors are at so many homes, if these are not more than there are. The last node,
 * which joins all others, has a bit for each of them, too.
 */
static void at_homes(struct dag_user *user, unsigned outs, bool wanted)
{
    struct tern_dag *dag = fan_of(outs, false);
    struct tern_dag_counts n;
    struct tern_dag_status status;
    uint64_t before = broadcasts(user), sent;
    int ended = run_alone(user, dag);

    sent = broadcasts(user) - before;
    tern_dag_counts(user->run, &n);
    gives(tern_dag_status(user->run, &status), 0, "tern_dag_status");
    if (wanted)
        tap(ended == 0 && sent == 1 && n.broadcasts == 1 && n.hosted == outs,
            "the end of a node with %u successors, at more than four homes, is one broadcast",
            outs);
    else
        tap(ended == 0 && sent == 0 && n.broadcasts == 0 && n.hosted == 0,
            "the end of a node with successors at %u homes is a bit for each", outs);
    tap_evidence("D13", "homes=%u edges=%u broadcasts=%llu swaps=%llu", outs < HOMES ? outs : HOMES,
                 outs, (unsigned long long)sent,
                 (unsigned long long)(n.joins - n.hosted - outs));
    tap(status.by_state[TERN_DAG_DONE] == outs + 1 && n.joins == 2 * (uint64_t)outs &&
            n.commits == outs + 2,
        "%u successors: each edge is told once, each node is committed once", outs);
    tap_note("fan of %u: exchanges=%llu joins=%llu hosted=%llu broadcasts=%llu", outs,
             (unsigned long long)n.exchanges, (unsigned long long)n.joins,
             (unsigned long long)n.hosted, (unsigned long long)sent);
    leave(user);
    tern_dag_free(dag);
}

/* Of both fan-out and fan-in the digests tell that each input was there. */
static void digests(struct dag_user *user, unsigned outs)
{
    struct tern_dag_counts n;
    char name[32];
    uint32_t first, last;
    int ended;

    dag_shape_begin();
    first = dag_shape_node("split", 1);
    for (unsigned i = 0; i < outs; i++) {
        (void)snprintf(name, sizeof(name), "part%u", i);
        dag_shape_data(first, dag_shape_node(name, 1));
    }
    last = dag_shape_node("gather", 1);
    for (uint32_t i = 1; i <= outs; i++)
        dag_shape_data(i, last);
    dag_shape_run_serially();
    ended = run_alone(user, dag_shape.dag);
    tern_dag_counts(user->run, &n);
    tap(ended == 0 && n.broadcasts == 1 && dag_wrong_digests(user) == 0,
        "a fan-out of %u and a fan-in of %u: the digests are those of a serial run", outs, outs);
    gives(tern_dag_forget(user->run) > 0, true, "tern_dag_forget");
    leave(user);
    dag_shape_free();
}

/* The server of one home does not run when the broadcast comes; later it finds the word. */
static void while_a_host_is_paused(struct dag_user *user, unsigned outs)
{
    struct tern_dag *dag = fan_of(outs, true);
    unsigned number = 0;
    struct tern_dag_worker worker = {.functions = functions, .count = 2, .timeout_ms = PAUSE_MS,
                                     .of = &number};
    struct tern_dag_counts n;
    int paused, ended;

    memset(dag_board, 0, sizeof(*dag_board));
    gives(tern_dag_publish(dag, user->members, user->count, user->cache, "dag", &user->run), 0,
          "tern_dag_publish");
    gives(kill(yard.server[1].pid, SIGSTOP), 0, "kill");
    paused = tern_dag_work(user->run, &worker);
    gives(kill(yard.server[1].pid, SIGCONT), 0, "kill");
    worker.timeout_ms = POOL_WAIT_MS;
    ended = tern_dag_work(user->run, &worker);
    tern_dag_counts(user->run, &n);
    tap(paused == -TERN_ST_WAIT_EXPIRED && ended == 0 && n.broadcasts == 1,
        "a host that is paused when the broadcast comes sets the bits when it goes on");
    leave(user);
    tern_dag_free(dag);
}

static void shown_by(unsigned outs)
{
    struct dag_user user;

    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    at_homes(&user, DAG_FAN_HOMES, false);
    at_homes(&user, DAG_FAN_HOMES + 1, true);
    at_homes(&user, outs, true);
    digests(&user, rig_tier_is_soft() ? 200 : 8);
    if (rig_tier_is_soft())
        while_a_host_is_paused(&user, 60);
    dag_user_close(&user);
    tap(dag_yard_stop(&yard), "six homes: they end well");
}

/* One of the homes has no room for a list of successors. */
static void without_room(unsigned outs)
{
    struct tern_dag *dag = fan_of(outs, false);
    struct tern_dag_counts n;
    struct dag_user user;
    int ended;

    yard.fan_outs = 1;
    dag_yard_start(&yard);
    dag_user_open(&user, &yard, 1);
    ended = run_alone(&user, dag);
    tern_dag_counts(user.run, &n);
    tap(ended == 0 && n.broadcasts == 0 && n.joins == 2 * (uint64_t)outs,
        "without room for its successors at a home a node sets their bits");
    leave(&user);
    dag_user_close(&user);
    gives(dag_yard_stop(&yard), true, "dag_yard_stop");
    tern_dag_free(dag);
    yard.fan_outs = 0;
}

int main(void)
{
    bool soft = rig_tier_is_soft();

    yard = (struct dag_yard){.homes = HOMES, .nodes = soft ? 256 : 32, .joins = soft ? 320 : 40,
                             .size = {3, 2, 1}, .cache_bytes = soft ? 1 << 20 : 1 << 18,
                             .lease_ms = LEASE_MS};
    dag_board_make();
    shown_by(soft ? FAN_SOFT : FAN_RTL);
    if (soft)
        without_room(60);
    return tap_end();
}
