/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Eight workers at one task queue, from all nodes of a ring of four: all at one word at once; then
 * thousands of tasks, while the test kills some workers and treats some as dead. Each task is done
 * exactly once.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

#include "tasks_rig.h"
#include "tasks_steps.h"

enum {
    CLIENTS = 8,
    EACH = TERN_BLOCK_SLABS / CLIENTS,
    FIRST_NAME = 100, /* name of the first owner */
    TASKS_MAX = 6000,
    LIVES_MAX = 64, /* workers started, including replacements of killed ones */
};

static struct job {
    const struct rig *rig;
    unsigned number;
} jobs[LIVES_MAX];
static struct child workers[LIVES_MAX];

/*
 * Shared by all processes: for each task, how many workers got the result that they have done it.
 */
static struct ledger {
    _Atomic uint32_t done, refused, wrong, again;
    _Atomic bool stop;
    _Atomic uint8_t did[TASKS_MAX];
    _Atomic uint32_t
        doing[LIVES_MAX]; /* the task that a worker is just ending, plus 1 */
} *ledger;

/* A worker's results after it posted many takes of one map word at once. */
struct report {
    uint32_t bits;
    unsigned posted, none;
    struct tern_worker_counts counts;
};

static void take_some(struct end *end, struct report *report)
{
    struct tern_worker *w = &end->worker;
    struct tern_tpop pops[EACH];
    struct tern_task tasks[EACH];
    unsigned count = 0;

    for (unsigned i = 0; i < EACH; i++, report->posted++) {
        pops[i] =
            (struct tern_tpop){.hint = UINT64_MAX, .region = w->region, .landing = end->scratch};
        gives(tern_tpop_post(w->sq, &queue, &pops[i], 1 + i), 1, "tern_tpop");
    }
    for (unsigned missing = EACH; missing > 0;) {
        struct tern_completion done = next(w);
        struct tern_tpop *pop = &pops[done.context - 1];
        int status = tern_tpop_done(w->sq, &queue, w->holder, pop, &done, done.context);

        missing -= status != 1;
        report->none += status == -TERN_ST_NOT_FOUND;
        count += status == 0 && tern_tpop_next(&queue, pop, &tasks[count]);
    }
    for (unsigned i = 0; i < count; i++) {
        report->bits |= UINT32_C(1) << tasks[i].index;
        gives(tern_tdone_wait(w, &tasks[i]), 0, "tern_tdone_wait");
    }
}

/* Records which task is being run, and runs it for some time. */
static uint32_t begun(const struct end *end, const struct job *job, const struct tern_task *task)
{
    struct record record;

    memcpy(&record, task->record, sizeof(record));
    if (record.id >= TASKS_MAX || !is_record(&record, record.id)) {
        ledger->wrong++;
        return 0;
    }
    ledger->again += task->attempt > 1;
    ledger->doing[job->number] = record.id + 1;
    for (unsigned i = 0; i < (rig_tier_is_soft() ? 10 : 1); i++) {
        gives(tern_nop(end->worker.sq, TERN_DFLAG_SIGNAL, 9), 0, "tern_nop");
        (void)next(&end->worker);
    }
    return record.id;
}

static void ended(const struct job *job, uint32_t id, int status)
{
    if (status == 0) {
        ledger->did[id]++;
        ledger->done++;
    } else {
        ledger->refused++;
        ledger->wrong += status != -TERN_ST_NOT_OWNER && status != -TERN_ST_NOT_TAKEN &&
                         status != -TERN_ST_STALE_POINTER;
    }
    ledger->doing[job->number] = 0;
}

static void run_half(struct end *end, const struct job *job, const struct tern_task *tasks,
                     int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t id = begun(end, job, &tasks[i]);

        ended(job, id, tern_tdone_wait(&end->worker, &tasks[i]));
    }
}

static int run_rows(struct end *end, const struct job *job, struct tern_task *task)
{
    int status, done;

    do {
        uint32_t id = begun(end, job, task);

        status = tern_tnext_wait(&end->worker, task, &done);
        ended(job, id, done);
    } while (status == 1);
    return status;
}

/*
 * Commands: take some of one word; work by halves, or by rows, until the queue is empty and the
 * command to stop has come; quit.
 */
static void working(const void *arg, int in, int out)
{
    static struct end end;
    const struct job *job = arg;
    struct tern_task tasks[TERN_BLOCK_SLABS];
    char word;

    open_end(&end, job->rig, job->number % RING,
             (struct tern_holder){(uint16_t)(FIRST_NAME + job->number), 1});
    while (get(in, &word, 1) && word != 'q') {
        struct report report = {.posted = 0};

        if (word == 't')
            take_some(&end, &report);
        while (word == 'w') {
            int count = tern_tpop_wait(&end.worker, tasks, job->number % 2 ? 6 : 1);

            if (count > 0 && job->number % 2)
                run_half(&end, job, tasks, count);
            else if (count > 0)
                count = run_rows(&end, job, tasks);
            if (count == -TERN_ST_NOT_FOUND && ledger->stop)
                break;
            if (count < 0)
                gives(count, -TERN_ST_NOT_FOUND, "tasks");
            sched_yield();
        }
        settle(&end);
        report.counts = end.worker.counts;
        (void)give(out, &report, sizeof(report));
    }
    tern_close(end.device);
}

static void start_worker(const struct rig *rig, unsigned number)
{
    jobs[number] = (struct job){rig, number};
    workers[number] = child_start(working, &jobs[number]);
}

static void one_word(void)
{
    struct report all = {.bits = 0}, one;
    bool good = push_to(&here, 0, 0, TERN_BLOCK_SLABS) == TERN_BLOCK_SLABS;

    for (unsigned i = 0; i < CLIENTS; i++)
        good = give_word(&workers[i], 't') && good;
    for (unsigned i = 0; i < CLIENTS; i++) {
        good = get(workers[i].from, &one, sizeof(one)) && !(all.bits & one.bits) && good;
        all.bits |= one.bits;
        all.posted += one.posted;
        all.none += one.none;
    }
    tap(good && all.bits == UINT32_MAX && all.none == 0 && all.posted == TERN_BLOCK_SLABS &&
            taken_now() == 0,
        "eight workers at one word get all its tasks, each another one, and none asks twice");
    tap_evidence("B7.21", "requests=%u none=%u", all.posted, all.none);
}

static uint32_t tasks_all(void)
{
    return rig_tier_is_soft() ? 3000 : 240;
}

static unsigned kills_all(void)
{
    return rig_tier_is_soft() ? 20 : 6;
}

/* Stops a worker while it runs a task, if it comes to one soon. */
static bool pause_at_work(unsigned worker)
{
    for (unsigned tries = 0; tries < 10000; tries++, sched_yield()) {
        if (!ledger->doing[worker])
            continue;
        gives(kill(workers[worker].pid, SIGSTOP), 0, "SIGSTOP");
        if (ledger->doing[worker])
            return true;
        gives(kill(workers[worker].pid, SIGCONT), 0, "SIGCONT");
    }
    return false;
}

/*
 * Kills a worker, and starts another in its place. Stops a third one and treats it as dead; when it
 * goes on later, another worker has its task.
 */
static void kill_one(const struct rig *rig, unsigned victim, unsigned next_number)
{
    bool paused;

    child_kill(&workers[victim]);
    gives(recovered((uint16_t)(FIRST_NAME + victim), 1) >= 0, true, "tern_tasks_recover");
    paused = pause_at_work(victim + 1);
    gives(recovered((uint16_t)(FIRST_NAME + victim + 1), 1) >= 0, true, "tern_tasks_recover");
    if (paused)
        gives(kill(workers[victim + 1].pid, SIGCONT), 0, "SIGCONT");
    start_worker(rig, next_number);
    gives(give_word(&workers[next_number], 'w'), true, "a word");
}

/*
 * Tells whether enough tasks are done for the next kill; most victims are killed while they run
 * one.
 */
static bool is_time(unsigned kills, unsigned victim, bool all_pushed)
{
    if (kills == kills_all() || ledger->done < tasks_all() / (kills_all() + 1) * (kills + 1))
        return false;
    return kills % 4 == 3 || all_pushed || ledger->doing[victim];
}

/* Pushes all tasks, from two nodes, and kills workers meanwhile. */
static unsigned push_and_kill(const struct rig *rig)
{
    uint32_t pushed = 0, left = tasks_all();
    unsigned kills = 0;

    while (left > 0 || kills < kills_all()) {
        uint32_t count = left < PLACES ? left : PLACES;
        int status = count ? push_to(pushed % 2 ? &here : &there, pushed / 8 % 2, pushed, count)
                           : 0;

        if (status < 0)
            gives(status, -TERN_ST_FULL, "tern_tpush_wait");
        pushed += status > 0 ? (uint32_t)status : 0;
        left = tasks_all() - pushed;
        for (unsigned i = 0; i < 100 && !is_time(kills, kills, left == 0); i++)
            sched_yield();
        if (is_time(kills, kills, left == 0)) {
            kill_one(rig, kills, CLIENTS + kills);
            kills++;
        }
    }
    return kills;
}

/* Stops all workers once no task is left for them; adds up their counts. */
static struct tern_worker_counts hear_all(unsigned first, unsigned lives)
{
    struct tern_worker_counts all = {.pops = 0};
    struct report report;

    ledger->stop = true;
    for (unsigned i = first; i < lives; i++) {
        gives(get(workers[i].from, &report, sizeof(report)), true, "a worker");
        all.pops += report.counts.pops;
        all.rereads += report.counts.rereads;
        all.tasks += report.counts.tasks;
    }
    ledger->stop = false;
    return all;
}

/* After all workers have stopped, finishes the tasks of the dead ones. */
static void finish(unsigned first, unsigned lives)
{
    sweep_anew();
    for (;;) {
        struct tern_worker_counts all = hear_all(first, lives);

        for (unsigned looks = 0; looks < 3; looks++)
            (void)sweep();
        if (ready_now() == 0) {
            tap_note("%u tasks by %u pops, %u of which read behind", all.tasks, all.pops,
                     all.rereads);
            return;
        }
        for (unsigned i = first; i < lives; i++)
            gives(give_word(&workers[i], 'w'), true, "a word");
    }
}

/*
 * Counts tasks that killed workers ended without recording it, from the ends that they had begun.
 */
static unsigned unheard(unsigned killed)
{
    unsigned count = 0;

    for (unsigned life = 0; life < killed; life++) {
        uint32_t id = ledger->doing[life];

        if (id == 0 || ledger->did[id - 1] > 0)
            continue;
        ledger->did[id - 1] = 1;
        count++;
    }
    return count;
}

static void exactly_once(const struct rig *rig)
{
    unsigned kills, twice = 0, silent = 0, lost = 0;
    uint32_t before = freed_so_far();

    for (unsigned i = 0; i < CLIENTS; i++)
        gives(give_word(&workers[i], 'w'), true, "a word");
    kills = push_and_kill(rig);
    finish(kills, CLIENTS + kills);
    for (uint32_t id = 0; id < tasks_all(); id++) {
        twice += ledger->did[id] > 1;
        silent += ledger->did[id] == 0;
    }
    lost = silent - unheard(kills);
    tap(twice == 0 && lost == 0 && ledger->wrong == 0 && freed_so_far() - before == tasks_all(),
        "while workers are killed each task is done exactly once");
    tap(ready_now() == 0 && taken_now() == 0, "and all places are free again");
    tap_evidence("B7.22", "done=%u twice=%u lost=%u killed=%u run_again=%u late=%u", tasks_all(),
                 twice, lost, kills, (unsigned)ledger->again, (unsigned)ledger->refused);
    tap_note("%u were done by workers that were killed before they heard of it", silent);
}

int main(void)
{
    struct rig rig;
    bool good = true;

    tasks_start(&rig);
    ledger = mmap(NULL, sizeof(*ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    gives(ledger != MAP_FAILED, true, "mmap");
    for (unsigned i = 0; i < CLIENTS; i++)
        start_worker(&rig, i);
    one_word();
    exactly_once(&rig);
    for (unsigned i = kills_all(); i < CLIENTS + kills_all(); i++)
        good = give_word(&workers[i], 'q') && child_end(&workers[i]) && good;
    tap(good && give_word(&keeper, 'q') && child_end(&keeper), "who took part ends well");
    tasks_stop(&rig);
    return tap_end();
}
