/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A worker: takes nodes, claims them, runs their tasks, commits each, and tells the successors.
 *
 * The commit of a node, the take of the next ones and a look at the phase of the run are one
 * exchange. Nothing of a node begins before a look at the phase that was posted after the last
 * commit, so nothing runs after a failure that this worker has seen.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "run.h"

enum { LATER_TICKS = 1, TIME_UNIT_US = 10, TAKE_MOST = DAG_BITS };

struct working {
    struct tern_run *run;
    const struct tern_dag_worker *worker;
    uint64_t end, tick_us; /* microseconds */
    unsigned left;         /* nodes that it still runs */
    bool limited;
};

/* ---- ending a node */

static uint64_t phase_at(const struct tern_run *run)
{
    return run->homes[0].offset + offsetof(struct dag_head, phase);
}

static void heard_commit(const struct working *w, uint32_t number)
{
    struct tern_run *run = w->run;
    struct dag_ended *e = &run->ended;
    struct dag_state to = dag_state_unpack(e->to);

    e->to_commit = false;
    e->to_tell = round_old(run, number) == e->from;
    if (!e->to_tell) {
        run->counts.refused++;
        run->late++;
        record_free(&e->record);
        return;
    }
    run->counts.commits++;
    run->counts.nodes += to.state == NODE_DONE;
    run->counts.skipped += to.state == NODE_SKIP;
    if (w->worker && w->worker->committed && e->node + 1 < run->nodes)
        w->worker->committed(w->worker->of, e->node, to.step, to.attempt);
}

static uint32_t add_commit(struct tern_run *run)
{
    struct dag_ended *e = &run->ended;
    unsigned home = run_home_of(run, e->node);

    (void)round_put(run, home,
                    run->homes[home].head.times +
                        (uint64_t)run_place_of(run, e->node) * sizeof(e->time),
                    &e->time, sizeof(e->time));
    units_release(run, e->unit);
    return round_swap(run, home, run_state_at(run, e->node), e->from, e->to);
}

/*
 * The word of a node whose successors have all been told is closed with the next round, which also
 * tells the home how many commits were refused.
 */
static void add_close(struct tern_run *run)
{
    if (run->late)
        (void)round_masked(run, OP_ADD, 0,
                           run->homes[0].offset + offsetof(struct dag_head, refused),
                           (struct tern_masked){.swap = run->late});
    run->late = 0;
    if (run->to_close)
        (void)round_swap(run, run_home_of(run, run->close_node), run_state_at(run, run->close_node),
                         run->close_from, run->close_to);
    run->to_close = false;
}

static void hear_phase(struct tern_run *run)
{
    struct dag_phase phase =
        dag_phase_unpack(run_copied(&run->homes[0], phase_at(run)));

    run->phase = phase.life == run->life ? phase.phase : TERN_DAG_NO_RUN;
}

/* Ends the run: after the last node, or after one that failed. */
static int end_run(struct tern_run *run, enum tern_dag_phase phase)
{
    const struct dag_phase going = {.life = run->life, .phase = TERN_DAG_GOING},
                           to = {.life = run->life, .phase = phase};
    int status;

    round_begin(run);
    (void)round_swap(run, 0, phase_at(run), dag_phase_pack(going), dag_phase_pack(to));
    add_close(run);
    round_read(run, 0, phase_at(run), DAG_WORD);
    status = round_go(run);
    /* The read may overtake the swap; either way the run has ended here. */
    if (!status)
        hear_phase(run);
    if (!status && run->phase == TERN_DAG_GOING)
        run->phase = phase;
    return status;
}

/* Tells the successors of the node that was committed. */
static int tell(struct tern_run *run)
{
    struct dag_ended *e = &run->ended;
    struct dag_state to = dag_state_unpack(e->to);
    int status;

    if (to.state == NODE_FAILED)
        status = end_run(run, TERN_DAG_HAS_FAILED);
    else if (e->node + 1 == run->nodes)
        status = end_run(run, TERN_DAG_IS_DONE);
    else
        status = joins_tell(run, e);
    if (status)
        return status;
    e->to_tell = false;
    record_free(&e->record);
    if (to.state == NODE_FAILED)
        return 0;
    run->to_close = true;
    run->close_node = e->node;
    run->close_from = e->to;
    to.state = to.state == NODE_SKIP ? NODE_OVER_SKIPPED : NODE_OVER;
    run->close_to = dag_state_pack(to);
    return 0;
}

/* ---- one exchange: what ended, what is next, how the run is */

static bool has_work(const struct tern_run *run, uint64_t now)
{
    for (uint32_t i = 0; i < run->mine_count; i++)
        if (run->mine[i].until <= now)
            return true;
    return false;
}

static unsigned most(const struct working *w)
{
    unsigned take = w->worker->take ? w->worker->take : TAKE_MOST;

    if (!w->run->hasty)
        take = 1;
    return w->limited && w->left < take ? w->left : take;
}

static int exchange(const struct working *w, bool look)
{
    struct tern_run *run = w->run;
    struct dag_take take = {.posted = false};
    uint32_t commit = 0;
    bool committing = run->ended.to_commit;
    int status;

    round_begin(run);
    if (committing)
        commit = add_commit(run);
    add_close(run);
    if (!has_work(run, run_now_us()) && !(w->limited && w->left == 0))
        ready_take(run, &take, most(w));
    if (look)
        ready_read(run);
    round_read(run, 0, phase_at(run), DAG_WORD);
    status = round_go(run);
    if (status) {
        run->counts.refused += committing && status == -TERN_ST_LEASE_OVER;
        return status;
    }
    hear_phase(run);
    if (committing)
        heard_commit(w, commit);
    status = ready_taken(run, &take);
    if (look)
        ready_hints(run);
    return !status && run->ended.to_tell ? tell(run) : status;
}

/* ---- running the tasks of a node */

static uint32_t since_start(const struct tern_run *run)
{
    return (uint32_t)((run_now_us() - run->homes[0].head.started) / TIME_UNIT_US) + 1;
}

static const struct tern_function *find(const struct tern_dag_worker *worker, const char *name)
{
    for (unsigned i = 0; i < worker->count; i++)
        if (!strcmp(worker->functions[i].name, name))
            return &worker->functions[i];
    return NULL;
}

static int run_task(const struct working *w, struct tern_attempt *a, const struct dag_task *task)
{
    const struct tern_function *function;

    w->run->counts.tasks++;
    if (task->command)
        return command_run(a, task);
    function = find(w->worker, task->text);
    return function && function->call(a, task->arg, task->arg_bytes) == 0 ? 0 : -TERN_ST_BAD_STATE;
}

/* Commits a task that is not the last one. Returns 1 if it took effect. */
static int commit_step(const struct working *w, struct tern_attempt *a, uint64_t *word)
{
    struct tern_run *run = w->run;
    struct dag_state next = dag_state_unpack(*word);
    uint32_t number;
    int status;

    next.step++;
    round_begin(run);
    number = round_swap(run, run_home_of(run, a->node), run_state_at(run, a->node), *word,
                        dag_state_pack(next));
    status = round_go(run);
    if (status)
        return status;
    if (round_old(run, number) != *word) {
        run->counts.refused++;
        run->late++;
        return 0;
    }
    run->counts.commits++;
    *word = dag_state_pack(next);
    a->step++;
    if (w->worker->committed)
        w->worker->committed(w->worker->of, a->node, next.step, next.attempt);
    return 1;
}

/* Runs the tasks that are left. Returns 1: all but the last are committed; 0: the node is lost. */
static int run_tasks(const struct working *w, struct tern_attempt *a, uint64_t *word, bool *failed)
{
    int status = 1;

    while (a->step < a->record->task_count && status == 1 && !*failed) {
        status = run_task(w, a, &a->record->tasks[a->step]);
        if (status == -TERN_ST_BAD_STATE && !a->lost) {
            *failed = true;
            return 1;
        }
        if (a->lost)
            status = run_renew(w->run);
        if (!status)
            status = attempt_store(a);
        if (status)
            return status;
        status = 1;
        if (a->step + 1 == a->record->task_count)
            break;
        status = commit_step(w, a, word);
    }
    return status;
}

/* The node has ended here; the next exchange commits it. */
static void ended(struct tern_run *run, struct tern_attempt *a, struct dag_record *record,
                  uint64_t word, enum dag_node_state state)
{
    struct dag_state to = dag_state_unpack(word);

    to.state = state;
    if (state == NODE_DONE)
        to.step = (uint8_t)record->task_count;
    run->ended.to_commit = true;
    run->ended.to_tell = false;
    run->ended.node = a->node;
    run->ended.from = word;
    run->ended.to = dag_state_pack(to);
    run->ended.time.ended = since_start(run);
    run->ended.record = *record;
    *record = (struct dag_record){.memory = NULL};
}

static int run_claimed(const struct working *w, struct tern_attempt *a, struct dag_record *record,
                       uint64_t word)
{
    struct tern_run *run = w->run;
    bool skip, failed = false;
    uint64_t began = run_now_us();
    int status;

    a->step = dag_state_unpack(word).step;
    a->attempt = dag_state_unpack(word).attempt;
    run->ended.time = (struct dag_time){.begun = since_start(run), .attempt = a->attempt,
                                        .node = run->here, .process = run->process};
    status = attempt_inputs(a, &skip);
    if (!status && !skip)
        status = attempt_resume(a);
    if (status)
        return status;
    status = skip ? 1 : run_tasks(w, a, &word, &failed);
    run->hasty = run_now_us() - began <= w->tick_us;
    if (status == 1)
        ended(run, a, record, word, skip ? NODE_SKIP : failed ? NODE_FAILED : NODE_DONE);
    return status < 0 ? status : run->hasty ? 0 : mine_give_back(run);
}

/* A node that a dead worker committed: this one only does the rest. */
static void take_over(struct tern_run *run, uint32_t node, struct dag_record *record, uint64_t word)
{
    run->counts.takeovers++;
    run->ended.to_tell = true;
    run->ended.to_commit = false;
    run->ended.node = node;
    run->ended.to = word;
    run->ended.record = *record;
    *record = (struct dag_record){.memory = NULL};
}

/* ---- beginning a node */

static int get_record(struct tern_run *run, uint32_t node, struct dag_record *record)
{
    char key[RECORD_KEY];
    uint8_t *bytes;
    uint64_t length;
    int status;

    *record = (struct dag_record){.name = ""};
    if (node + 1 == run->nodes)
        return 0;
    status = attempt_get(run, key, run_record_key(run, node, key), &bytes, &length);
    return status ? status : record_read(record, bytes, length);
}

static int later(struct tern_run *run, const struct dag_mine *mine, uint64_t until)
{
    int status = mine_add(run, mine->node, mine->guess);

    if (!status)
        run->mine[run->mine_count - 1].until = until;
    return status;
}

static int begin_claimed(const struct working *w, const struct dag_mine *mine,
                         struct tern_attempt *a, struct dag_record *record)
{
    struct tern_run *run = w->run;
    uint64_t word;
    int status = claim_node(a, mine->guess, &word);

    if (status == 1 && dag_state_unpack(word).state == NODE_RUN)
        return run_claimed(w, a, record, word);
    if (status == 1)
        take_over(run, mine->node, record, word);
    return status < 0 ? status : 0;
}

/* Units that no commit gives back. */
static int drop_units(struct tern_run *run)
{
    round_begin(run);
    units_release(run, run->ended.unit);
    return round_go(run);
}

static int begin_node(struct working *w, const struct dag_mine *mine)
{
    struct tern_run *run = w->run;
    struct dag_record record;
    struct tern_attempt a = {.run = run, .record = &record, .node = mine->node};
    uint64_t now = run_now_us(), due;
    int status = get_record(run, mine->node, &record);

    if (status)
        return status;
    due = run->homes[0].head.started + (uint64_t)record.not_before * 1000;
    if (record.not_before && now < due) {
        status = later(run, mine, due);
    } else {
        status = units_take(run, &record, mine->node, run->ended.unit);
        if (status == 1) {
            status = begin_claimed(w, mine, &a, &record);
            if (!status && w->limited && run->ended.to_commit)
                w->left--;
            if (!status && !run->ended.to_commit)
                status = drop_units(run);
        } else if (status == 0) {
            status = later(run, mine, now + LATER_TICKS * w->tick_us);
        }
    }
    attempt_free(&a);
    record_free(&record);
    return status;
}

static bool next_mine(struct tern_run *run, struct dag_mine *mine)
{
    uint64_t now = run_now_us();

    for (uint32_t i = 0; i < run->mine_count; i++) {
        if (run->mine[i].until > now)
            continue;
        *mine = run->mine[i];
        memmove(&run->mine[i], &run->mine[i + 1],
                (run->mine_count - i - 1) * sizeof(run->mine[0]));
        run->mine_count--;
        return true;
    }
    return false;
}

/* ---- the loop */

static int ended_as(const struct tern_run *run)
{
    switch (run->phase) {
    case TERN_DAG_IS_DONE:
        return 0;
    case TERN_DAG_HAS_FAILED:
        return -TERN_ST_BAD_STATE;
    case TERN_DAG_IS_CANCELLED:
        return -TERN_ST_CANCELLED;
    default:
        return -TERN_ST_NOT_FOUND;
    }
}

static void wait_tick(const struct working *w)
{
    const struct timespec tick = {.tv_sec = (time_t)(w->tick_us / 1000000),
                                  .tv_nsec = (long)(w->tick_us % 1000000) * 1000};

    w->run->counts.ticks++;
    nanosleep(&tick, NULL);
}

static bool hints_show(const struct tern_run *run)
{
    for (unsigned h = 0; h < run->count; h++)
        for (uint32_t i = 0; i < dag_words(run->homes[h].head.local); i++)
            if (run->homes[h].hint[i] & DAG_ALL_BITS &&
                (uint8_t)run->homes[h].hint[i] == run->life)
                return true;
    return false;
}

/*
 * Takes nodes that a hint shows. After a swap that came too late it waits a tick: others take nodes
 * as fast as they become ready, and each try of one more worker makes the words busier.
 */
static int take_hinted(const struct working *w)
{
    uint64_t missed = w->run->counts.missed;
    int status = exchange(w, false);

    if (status || w->run->counts.missed == missed)
        return status;
    ready_forget(w->run);
    wait_tick(w);
    return 0;
}

static bool is_over(const struct working *w)
{
    return run_now_us() > w->end || (w->limited && w->left == 0);
}

/* Without work and without a hint: one look, then, if that shows none, a tick. */
static int look(const struct working *w)
{
    int status = exchange(w, true);

    if (status || w->run->phase != TERN_DAG_GOING || has_work(w->run, run_now_us()) ||
        hints_show(w->run))
        return status;
    w->run->counts.idle_looks++;
    wait_tick(w);
    return 0;
}

static int work(struct working *w)
{
    struct tern_run *run = w->run;
    int status = exchange(w, false);

    while (!status && run->phase == TERN_DAG_GOING && !is_over(w)) {
        struct dag_mine mine;

        if (next_mine(run, &mine)) {
            status = begin_node(w, &mine);
            if (!status && run->ended.to_tell)
                status = tell(run);
            else if (!status)
                status = exchange(w, false);
        } else if (hints_show(run)) {
            status = take_hinted(w);
        } else {
            status = look(w);
        }
    }
    return status;
}

int tern_dag_work(struct tern_run *run, const struct tern_dag_worker *worker)
{
    unsigned tick = worker->tick_ms ? worker->tick_ms : RUN_TICK_MS;
    struct working w = {.run = run, .worker = worker, .tick_us = (uint64_t)tick * 1000,
                        .left = worker->most, .limited = worker->most != 0};
    int status;

    w.end = worker->timeout_ms < 0 ? UINT64_MAX
                                   : run_now_us() + (uint64_t)worker->timeout_ms * 1000;
    status = work(&w);
    if (!status && run->phase == TERN_DAG_GOING) {
        status = mine_give_back(run);
        if (!status)
            status = w.limited && w.left == 0 ? -TERN_ST_AGAIN : -TERN_ST_WAIT_EXPIRED;
    } else if (!status) {
        run->mine_count = 0;
        round_begin(run);
        add_close(run);
        (void)round_go(run);
        status = ended_as(run);
    }
    return status;
}

int tern_dag_wait(struct tern_run *run, int timeout_ms)
{
    const struct timespec tick = {.tv_nsec = RUN_TICK_MS * 1000000L};
    uint64_t end = timeout_ms < 0 ? UINT64_MAX : run_now_us() + (uint64_t)timeout_ms * 1000;
    int status;

    do {
        round_begin(run);
        round_read(run, 0, phase_at(run), DAG_WORD);
        status = round_go(run);
        if (status)
            return status;
        hear_phase(run);
        if (run->phase != TERN_DAG_GOING)
            return ended_as(run);
        nanosleep(&tick, NULL);
    } while (run_now_us() < end);
    return -TERN_ST_WAIT_EXPIRED;
}

int tern_dag_cancel(struct tern_run *run)
{
    return end_run(run, TERN_DAG_IS_CANCELLED);
}

void tern_dag_counts(const struct tern_run *run, struct tern_dag_counts *out)
{
    *out = run->counts;
}
