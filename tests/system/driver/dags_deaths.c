/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Workers of a graph that are killed, or paused beyond their lease, at boundaries of their messages
 * to the NIC: before or after any message, so in each gap of the protocol. Each task of each node
 * has one commit, the digests are those of a serial run, a paused worker that goes on changes
 * nothing. One victim dies between two tasks of a node: another worker goes on after the first.
 *
 * $ROUNDS: how many graphs are run, each with three victims; 80 and more visit each boundary.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "dag_rig.h"
#include "pauses.h"

enum {
    STOPPED = 3,
    GOING = 2,
    GAP_MESSAGES = 60, /* the first messages of a worker cover some nodes from take to close */
    NODES_SOFT = 40,
    NODES_RTL = 12,
    ROUNDS_SOFT = 5,
    ROUNDS_RTL = 1,
    TRIES = 50,
    NOTED = 10, /* a line of figures after so many graphs */
    LEASE_SOFT_MS = 1000,
    LEASE_RTL_MS = 10000,
    GAPS = GAP_MESSAGES * 4, /* a kill and a pause, before and after each message */
};

static struct dag_yard yard;
static uint64_t seed = 1;

struct order {
    unsigned node, number;
    bool steady, between; /* between: stops after the first task of a node of several */
    struct pause_order pause;
};

struct answer {
    int status;
    struct tern_dag_counts counts;
};

static bool stop_between;

/* The second task of a node never begins in this process. */
static int hash_or_stop(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    uint64_t before;

    if (stop_between && tern_attempt_before(attempt, &before))
        (void)raise(SIGKILL);
    return dag_hash(attempt, arg, bytes);
}

static const struct tern_function functions[] = {{"hash", hash_or_stop}};

static bool is_over(int status)
{
    return status == -TERN_ST_LEASE_OVER || status == -TERN_ST_BAD_KEY;
}

static void join(struct dag_user *user, unsigned node)
{
    int status;

    dag_user_open(user, &yard, node);
    while (is_over(status = tern_dag_join(user->members, user->count, user->cache, "dag",
                                          POOL_WAIT_MS, &user->run))) {
        dag_user_close(user);
        dag_user_open(user, &yard, node);
    }
    gives(status, 0, "tern_dag_join");
}

static void work_as(const void *arg, int in, int out)
{
    struct order order = *(const struct order *)arg;
    const struct tern_dag_worker worker = {.functions = functions, .count = 1,
                                           .timeout_ms = POOL_WAIT_MS, .committed = dag_committed,
                                           .of = &order.number,
                                           .tick_ms = rig_tier_is_soft() ? 0 : 100};
    struct answer answer = {.status = 0};
    struct dag_user user;
    char go = 'g';

    if (!order.steady)
        join(&user, order.node);
    (void)give(out, &go, 1);
    if (order.steady) {
        (void)get(in, &go, 1);
        join(&user, order.node);
    } else {
        (void)dag_user_await(&user, in, &go, 1);
    }
    stop_between = order.between;
    if (!order.steady && !order.between)
        pauses_arm(&order.pause);
    answer.status = tern_dag_work(user.run, &worker);
    /* On a machine that is busy it may be late by more than a lease; then it joins anew. */
    while (order.steady && is_over(answer.status)) {
        dag_user_close(&user);
        join(&user, order.node);
        answer.status = tern_dag_work(user.run, &worker);
    }
    tern_dag_counts(user.run, &answer.counts);
    (void)give(out, &answer, sizeof(answer));
    dag_user_close(&user);
}

/* ---- one graph */

struct sums {
    unsigned graphs, kills, pauses, stopped, wrong_digests, twice, missing, late, other_status;
    uint64_t given, refused, lost;
    bool gap[GAPS];
};

static unsigned rounds(void)
{
    const char *text = getenv("ROUNDS");
    unsigned soft = rig_tier_is_soft() ? ROUNDS_SOFT : ROUNDS_RTL;

    return text && text[0] ? (unsigned)strtoul(text, NULL, 10) : soft;
}

static bool is_long(void)
{
    return rounds() * STOPPED >= GAPS;
}

static struct order order_of(unsigned number, unsigned round)
{
    unsigned victim = round * STOPPED + number;
    struct order order = {.node = number % POOL_RING, .number = number,
                          .steady = number >= STOPPED};

    order.pause.kill = victim % 2 == 0;
    order.pause.after = victim / 2 % 2;
    /* Short forms spread over all boundaries, the long one visits each of them. */
    order.pause.messages = is_long() ? victim / 4 % GAP_MESSAGES
                                     : (victim * 7 + random_below(&seed, 7)) % GAP_MESSAGES;
    return order;
}

/* Waits until the process has stopped or ended, or `done` is in its pipe. */
static bool has_stopped(const struct child *child)
{
    siginfo_t info = {0};

    return waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == child->pid;
}

static void hear(struct child *child, const struct order *order, struct sums *sums)
{
    struct answer answer = {.status = -TERN_ST_SYSTEM};
    siginfo_t info = {0};
    bool stopped = has_stopped(child);

    (void)waitid(P_PID, (id_t)child->pid, &info, WSTOPPED | WEXITED | WNOHANG | WNOWAIT);
    sums->stopped += stopped && (info.si_code == CLD_STOPPED || info.si_code == CLD_KILLED);
    if (stopped && !order->steady && !order->between &&
        (info.si_code == CLD_STOPPED || info.si_code == CLD_KILLED))
        sums->gap[order->pause.messages * 4 + order->pause.kill * 2u + order->pause.after] = true;
    sums->kills += stopped && info.si_code == CLD_KILLED;
    sums->pauses += stopped && info.si_code == CLD_STOPPED;
    if (stopped && info.si_code == CLD_STOPPED)
        (void)kill(child->pid, SIGCONT);
    if (get(child->from, &answer, sizeof(answer))) {
        bool buried = is_over(answer.status);

        sums->lost += buried;
        sums->other_status += answer.status != 0 && !buried;
        sums->other_status += order->steady && answer.status != 0;
        sums->refused += answer.counts.refused;
    } else {
        sums->other_status += order->steady;
    }
    (void)child_end(child);
}

static void judge(const struct tern_dag_status *status, unsigned wrong, struct sums *sums)
{
    unsigned missing = 0;

    sums->given += status->given;
    sums->wrong_digests += wrong;
    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++)
        for (unsigned step = 1; step < 4; step++) {
            uint32_t commits = dag_board->commits[i][step];

            sums->twice += commits > (step <= dag_shape.tasks[i]);
            missing += commits == 0 && step <= dag_shape.tasks[i];
        }
    /* A victim that is killed after a commit does not tell of it; the state words have it. */
    sums->missing += missing <= STOPPED ? 0 : missing;
    sums->missing += status->by_state[TERN_DAG_DONE] != status->nodes;
}

/* The one that publishes leaves before the workers begin, and another one judges. */
static void publish(unsigned round)
{
    struct dag_user user;
    unsigned tries = 0;
    int status;

    dag_shape_layers(rig_tier_is_soft() ? NODES_SOFT : NODES_RTL, 100 + round);
    memset(dag_board, 0, sizeof(*dag_board));
    do {
        dag_user_open(&user, &yard, 1);
        status = tern_dag_publish(dag_shape.dag, user.members, user.count, user.cache, "dag",
                                  &user.run);
        dag_user_close(&user);
        /* the sweep frees the homes of a publisher whose lease is over */
        if (status)
            pool_rig_pause(LEASE_SOFT_MS / 4);
    } while (is_over(status) || (status == -TERN_ST_QUEUE_BUSY && ++tries < TRIES));
    gives(status, 0, "tern_dag_publish");
}

static void look_at(struct sums *sums)
{
    struct tern_dag_status status;
    struct dag_user user;
    unsigned wrong;
    int result;

    do {
        join(&user, 1);
        result = tern_dag_status(user.run, &status);
        if (!result && status.phase == TERN_DAG_GOING) {
            sums->other_status++;
            result = tern_dag_cancel(user.run);
        }
        wrong = result ? 0 : dag_wrong_digests(&user);
        if (!result)
            result = tern_dag_forget(user.run);
        if (result >= 0)
            judge(&status, wrong, sums);
        dag_user_close(&user);
    } while (is_over(result));
    gives(result > 0 ? 0 : result, 0, "tern_dag_forget");
}

static void run_graph(unsigned round, bool between, struct sums *sums)
{
    struct child child[STOPPED + GOING];
    struct order orders[STOPPED + GOING];
    uint32_t left = 0;
    char go = 'g';

    publish(round);
    for (unsigned i = 0; i < STOPPED + GOING; i++) {
        orders[i] = order_of(i, round);
        if (between && i < STOPPED)
            orders[i].between = true;
        child[i] = child_start(work_as, &orders[i]);
    }
    for (unsigned i = 0; i < STOPPED + GOING; i++)
        gives(get(child[i].from, &go, 1), true, "a worker");
    /* The victims begin, and have stopped or ended before the others begin. */
    for (unsigned i = 0; i < STOPPED; i++)
        gives(give_word(&child[i], 'g'), true, "a victim");
    for (int64_t end = pool_rig_now() + POOL_WAIT_MS; pool_rig_now() < end && left < STOPPED;) {
        left = 0;
        for (unsigned i = 0; i < STOPPED; i++)
            left += has_stopped(&child[i]);
        pool_rig_pause(2);
    }
    for (unsigned i = STOPPED; i < STOPPED + GOING; i++)
        gives(give_word(&child[i], 'g'), true, "a worker");
    for (unsigned i = STOPPED; i < STOPPED + GOING; i++)
        hear(&child[i], &orders[i], sums);
    for (unsigned i = 0; i < STOPPED; i++)
        hear(&child[i], &orders[i], sums);
    sums->graphs++;
    look_at(sums);
}

/* Counts nodes of several tasks whose first task has one commit and whose attempt is not the first.
 */
static unsigned resumed(void)
{
    unsigned count = 0;

    for (uint32_t i = 0; i < tern_dag_nodes(dag_shape.dag); i++)
        count += dag_shape.tasks[i] > 1 && dag_board->commits[i][1] == 1 &&
                 dag_board->commits[i][2] == 1;
    return count;
}

static unsigned gaps(const struct sums *sums)
{
    unsigned count = 0;

    for (unsigned i = 0; i < GAPS; i++)
        count += sums->gap[i];
    return count;
}

int main(void)
{
    bool soft = rig_tier_is_soft();
    struct sums sums = {.graphs = 0}, between = {.graphs = 0};

    yard = (struct dag_yard){.homes = 1, .nodes = 256, .joins = 320, .areas = 4, .area_ins = 3,
                             .cache_bytes = soft ? 16 << 20 : 1 << 18,
                             .lease_ms = soft ? LEASE_SOFT_MS : LEASE_RTL_MS,
                             /* the records of one graph make room for those of a later one */
                             .pointer_ms = soft ? 2 * LEASE_SOFT_MS : 0};
    dag_board_make();
    dag_yard_start(&yard);
    for (unsigned round = 0; round < rounds(); round++) {
        run_graph(round, false, &sums);
        dag_shape_free();
        if (round % NOTED == NOTED - 1)
            tap_note("graphs=%u stopped=%u wrong_digests=%u refused=%llu lost=%llu", sums.graphs,
                     sums.stopped, sums.wrong_digests, (unsigned long long)sums.refused,
                     (unsigned long long)sums.lost);
    }
    tap(sums.stopped > 0 && sums.other_status == 0,
        "deaths: the other workers end the graph, however many stop");
    tap(sums.twice == 0 && sums.missing == 0, "deaths: each task has one commit");
    tap_evidence("D11", "stopped=%u twice=%u missing=%u", sums.stopped, sums.twice, sums.missing);
    tap(sums.wrong_digests == 0, "deaths: the digests are those of a serial run");
    tap(sums.given > 0, "deaths: nodes of dead workers are run by others");
    if (is_long()) {
        tap(gaps(&sums) == GAPS,
            "deaths: a worker was killed, and one paused, at each of %u boundaries", GAPS / 2);
        tap(sums.refused > 0, "deaths: late commits are refused, and counted");
    }
    tap_evidence("D12", "stopped=%u given=%llu", sums.stopped, (unsigned long long)sums.given);
    tap_note("graphs=%u stopped=%u kills=%u pauses=%u given=%llu refused=%llu lost=%llu",
             sums.graphs, sums.stopped, sums.kills, sums.pauses, (unsigned long long)sums.given,
             (unsigned long long)sums.refused, (unsigned long long)sums.lost);
    run_graph(0, true, &between);
    tap(between.kills > 0 && between.twice == 0 && between.missing == 0 &&
            between.wrong_digests == 0 && resumed() > 0 && between.given > 0,
        "a node whose worker died between two tasks goes on with the next");
    tap_evidence("D2b", "kills=%u twice=%u given=%llu", between.kills, between.twice,
                 (unsigned long long)between.given);
    dag_shape_free();
    tap(dag_yard_stop(&yard), "the home ends well");
    return tap_end();
}
