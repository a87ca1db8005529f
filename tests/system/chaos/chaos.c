/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: chaos [--kills N] [--seed S] [--first ROUND]
 *
 * Kills senders and receivers at random moments, N times (50 on soft, 3 on rtl), and checks after
 * each kill: operations of survivors ended once, no process got a byte that was not sent, the NIC's
 * tables are as before, and the bystanders noticed nothing. $TIER is the tier.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "chaos.h"
#include "numbers.h"
#include "rig_tier.h"

enum { ROUND_SECONDS = 180 /* a round that takes longer counts as hanging */ };

struct run {
    struct rig rig;
    struct others others;
    uint64_t seed;
    unsigned first, kills, every; /* prints progress after `every` rounds */
    unsigned by_moment[MOMENTS], by_victim[VICTIMS];
    uint64_t posted, good, failed, received, by_status[STATUSES];
    bool operations_fine, tables_fine;
};

static struct run the_run;

/* ---- reporting a failure, and how to repeat it ---- */

static void say_how_to_repeat(const struct run *run, unsigned round)
{
    struct plan plan = plan_of(run->seed, round);

    printf("# round %u: %s killed while %s, nodes %u to %u, after %" PRIu32
           " points of the %s and %" PRIu32 " us\n",
           round, victim_name(plan.victim), moment_name(plan.moment), plan.from, plan.to,
           plan.points, plan.receiver_counts ? "receiver" : "sender", plan.delay_us);
    printf("# again: TIER=%s build/tests/chaos/chaos --seed %" PRIu64
           " --first %u --kills 1 (all: --kills %u)\n",
           rig_tier(), run->seed, round, run->kills);
    fflush(stdout);
}

static unsigned current_round;

static void on_alarm(int number)
{
    (void)number; /* nothing here is safe in a signal handler, but the process ends with it */
    printf("not ok - a round of %d seconds hangs\n", ROUND_SECONDS);
    say_how_to_repeat(&the_run, current_round);
    _exit(EXIT_FAILURE);
}

/* ---- a round ---- */

struct pair {
    struct actor actor;
    struct child sender, receiver; /* pid -1: none */
};

static bool start_pair(struct run *run, struct pair *pair)
{
    const struct plan *plan = &pair->actor.plan;
    bool alone = plan->moment == AT_OPENING;
    struct target target;

    pair->actor.rig = &run->rig;
    pair->sender.pid = pair->receiver.pid = -1;
    if (!alone || plan->victim != KILL_SENDER)
        pair->receiver = child_start(receiver, &pair->actor);
    if (!alone && !get(pair->receiver.from, &target, sizeof(target)))
        return false;
    if (!alone || plan->victim != KILL_RECEIVER)
        pair->sender = child_start(sender, &pair->actor);
    return alone || give(pair->sender.to, &target, sizeof(target));
}

static bool kill_at_the_point(struct pair *pair)
{
    const struct plan *plan = &pair->actor.plan;
    const struct timespec delay = {.tv_nsec = (long)plan->delay_us * 1000};
    char word = 0;

    if (!get(plan->receiver_counts ? pair->receiver.from : pair->sender.from, &word, 1) ||
        word != SAID_POINT)
        return false;
    nanosleep(&delay, NULL);
    if (plan->victim != KILL_RECEIVER)
        child_kill(&pair->sender);
    if (plan->victim != KILL_SENDER)
        child_kill(&pair->receiver);
    return true;
}

/*
 * The receiver outlives its sender: checks that nothing changes after the sender's function is
 * down.
 */
static bool settle(struct run *run, struct pair *pair)
{
    char word;

    if (!give_word(&pair->receiver, SAY_DEAD) ||
        !others_ask(&run->others, WATCH_NODE, pair->actor.plan.from))
        return false;
    return others_await_lap(&run->others) && give_word(&pair->receiver, SAY_SETTLED) &&
           get(pair->receiver.from, &word, 1) && word == SAY_SETTLED &&
           others_await_lap(&run->others) &&
           give_word(&pair->receiver, SAY_QUIT);
}

static bool judge(struct run *run, const struct verdict *verdict)
{
    run->posted += verdict->posted;
    run->good += verdict->good;
    run->failed += verdict->failed;
    run->received += verdict->received;
    for (unsigned i = 0; i < STATUSES; i++)
        run->by_status[i] += verdict->by_status[i];
    if (verdict->wrong != 0)
        printf("# %s, and %u more\n", verdict->why, verdict->wrong - 1);
    return verdict->wrong == 0 && verdict->good + verdict->failed == verdict->posted;
}

/* Ends the surviving actor; returns whether its verdict is good. */
static bool end_survivor(struct run *run, struct pair *pair)
{
    struct child *survivor = pair->sender.pid > 0 ? &pair->sender : &pair->receiver;
    struct verdict verdict;
    bool good;

    if (survivor->pid < 0)
        return true;
    good = survivor == &pair->sender ? give_word(survivor, SAY_DEAD) : settle(run, pair);
    good = good && get(survivor->from, &verdict, sizeof(verdict)) && judge(run, &verdict);
    return child_end(survivor) && good;
}

static bool round_of(struct run *run, unsigned number)
{
    struct pair pair = {.actor.plan = plan_of(run->seed, number)};

    current_round = number;
    alarm(ROUND_SECONDS);
    run->by_moment[pair.actor.plan.moment]++;
    run->by_victim[pair.actor.plan.victim]++;
    run->operations_fine = start_pair(run, &pair) && kill_at_the_point(&pair) &&
                           end_survivor(run, &pair);
    run->tables_fine = others_ask_all(&run->others, WATCH_NODE);
    alarm(0);
    if (run->operations_fine && run->tables_fine && others_undisturbed(&run->others))
        return true;
    say_how_to_repeat(run, number);
    return false;
}

/* ---- the run ---- */

static void say_progress(const struct run *run, unsigned done)
{
    if (run->every == 0 || done % run->every != 0)
        return;
    printf("# %u of %u kills: %" PRIu64 " operations of survivors, %" PRIu64
           " of them failed; %" PRIu32 " laps\n",
           done, run->kills, run->posted, run->failed,
           (uint32_t)atomic_load(&run->others.board->laps[0]));
    fflush(stdout);
}

static void say_what_was(const struct run *run)
{
    for (unsigned i = 0; i < VICTIMS; i++)
        tap_note("%u times: %s", run->by_victim[i], victim_name((enum victim)i));
    for (unsigned i = 0; i < MOMENTS; i++)
        tap_note("%u times while %s", run->by_moment[i], moment_name((enum moment)i));
    tap_note("survivors: %" PRIu64 " operations, %" PRIu64 " messages", run->posted, run->received);
    for (unsigned i = 0; i < STATUSES; i++)
        if (run->by_status[i] != 0)
            tap_note("ended with %s: %" PRIu64, tern_strerror((int)i), run->by_status[i]);
}

static void run_all(struct run *run)
{
    unsigned done = 0;
    bool others, good;

    tap_note("seed %" PRIu64 ", tier %s", run->seed, rig_tier());
    rig_start(&run->rig, (const char *const[]){"--torus", "3x1x1", NULL});
    others = others_start(&run->others, &run->rig);
    tap(others, "bystanders and a watcher are there");
    run->operations_fine = run->tables_fine = others;
    while (others && done < run->kills && round_of(run, run->first + done))
        say_progress(run, ++done);
    say_what_was(run);
    tap_evidence("K1.1", "%s_kills=%u operations=%" PRIu64 " failed=%" PRIu64, rig_tier(), done,
                 run->posted, run->failed);
    tap(run->operations_fine && done == run->kills, "every operation of a survivor of %s ends once",
        rig_tier());
    alarm(ROUND_SECONDS);
    others = others && others_await_lap(&run->others);
    tap_evidence("K1.2", "%s_laps=%" PRIu32, rig_tier(),
                 (uint32_t)atomic_load(&run->others.board->laps[0]));
    good = others && others_end(&run->others);
    tap(good, "bystanders on %s notice nothing", rig_tier());
    alarm(ROUND_SECONDS);
    good = run->tables_fine && others_ask_all(&run->others, 'e') &&
           (!rig_tier_is_soft() || others_ask_all(&run->others, WATCH_FILL));
    tap_evidence("K1.3", "%s_tables=%u", rig_tier(), good ? NODES : 0);
    tap(good, "tables of %s are as they were", rig_tier());
    (void)give_word(&run->others.watcher, WATCH_QUIT);
    tap(child_end(&run->others.watcher), "the watcher ends well");
    rig_stop(&run->rig);
    alarm(0);
}

/* ---- arguments ---- */

static const struct number numbers[] = {
    {"kills", 'k', "how many (50 on soft, 3 on rtl)", &the_run.kills},
    {"first", 'f', "the round to begin with (0)", &the_run.first},
    {"progress", 'p', "say something after N kills (never)", &the_run.every},
    {0},
};

int main(int argc, char **argv)
{
    struct run *run = &the_run;

    run->seed = 1;
    run->kills = rig_tier_is_soft() ? 50 : 3;
    numbers_parse(argc, argv, "Kills hosts and looks at who is left.", numbers, &run->seed);
    run->others.board = shared(sizeof(*run->others.board));
    if (!run->others.board)
        return EXIT_FAILURE;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_alarm);
    run_all(run);
    return tap_end();
}
