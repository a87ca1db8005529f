/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: hostile_process [--rounds N] [--seed S] [--first ROUND] [--progress N]
 *
 * A process sends its NIC forged and random descriptors, commands, doorbells and register accesses,
 * beside victims on the same NIC and on others. The victims must lose no byte and no operation, and
 * make progress meanwhile; after its end the NIC's tables must be as before. $TIER is the tier; 30
 * rounds of 160 acts on soft, 3 of 48 on rtl.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "hostile.h"
#include "numbers.h"
#include "rig_tier.h"

enum { HOME = 1 /* the node of the hostile process */, SECONDS = 240 /* a net */ };

struct run {
    struct rig rig;
    struct scene *scene;
    struct others others;
    struct child victims[NODES];
    uint64_t seed;
    unsigned first, rounds, acts, every;
};

static struct run the_run;

static void on_alarm(int number)
{
    (void)number; /* nothing here is safe in a signal handler, but the process ends with it */
    printf("not ok - %d seconds without an end\n", SECONDS);
    _exit(EXIT_FAILURE);
}

/* ---- victims ---- */

static bool tell(struct run *run, char word)
{
    char said;
    bool good = true;

    for (unsigned n = 0; n < NODES; n++)
        good = give_word(&run->victims[n], word) && get(run->victims[n].from, &said, 1) &&
            said == word && good;
    return good;
}

static bool start_victims(struct run *run)
{
    static struct seat who[NODES];
    char said;

    for (unsigned n = 0; n < NODES; n++) {
        who[n] = (struct seat){.rig = &run->rig, .scene = run->scene, .node = n};
        run->victims[n] = child_start(victim, &who[n]);
        if (!get(run->victims[n].from, &said, 1))
            return false;
    }
    return true;
}

static bool start(struct run *run)
{
    run->others.board = &run->scene->board;
    if (!others_start(&run->others, &run->rig) || !start_victims(run) ||
        !others_ask(&run->others, WATCH_BEGIN, 0))
        return false;
    for (unsigned n = 0; n < NODES; n++)
        run->scene->bystander_keys[n] = (uint32_t)TERN_GET(RPTR, key,
                                                           run->others.target[n].pointer.w);
    return tell(run, VICTIM_WORK);
}

static bool undisturbed(const struct run *run)
{
    return !atomic_load(&run->scene->wrong) && others_undisturbed(&run->others);
}

/* Each victim checks and uses all its objects, and reports errors. */
static bool judge(struct run *run)
{
    struct verdict verdict;
    bool good = tell(run, VICTIM_REST);

    for (unsigned n = 0; n < NODES; n++) {
        bool said = give_word(&run->victims[n], VICTIM_JUDGE) &&
            get(run->victims[n].from, &verdict, sizeof(verdict));

        if (said && verdict.wrong)
            tap_note("victim on node %u: %s, and %u more", n, verdict.why, verdict.wrong - 1);
        good = good && said && !verdict.wrong;
    }
    return good;
}

static bool end_victims(struct run *run)
{
    bool good = true;

    for (unsigned n = 0; n < NODES; n++)
        (void)give_word(&run->victims[n], VICTIM_LEAVE);
    for (unsigned n = 0; n < NODES; n++)
        good &= child_end(&run->victims[n]);
    return good;
}

/* ---- the table of forgeries ---- */

static void try_all(struct run *run)
{
    const struct attacker attacker = {.rig = &run->rig, .scene = run->scene, .node = HOME};
    struct child child = child_start(forger, &attacker);
    struct tried tried;
    unsigned count = 0;

    while (get(child.from, &tried, sizeof(tried)) && tried.name[0]) {
        tap(tried.good && undisturbed(run), "it is refused %s", tried.name);
        if (!tried.good)
            tap_note("%s", tried.why);
        count++;
    }
    tap(child_end(&child), "the forger ends well after %u of them", count);
    tap(others_ask_all(&run->others, WATCH_NODE), "tables are as they were after the forger");
}

/* ---- random acts ---- */

static void say_how_to_repeat(const struct run *run, unsigned round)
{
    tap_note("again: TIER=%s build/tests/hostile/hostile_process --seed %" PRIu64 " --first %u "
                                                                                  "--rounds 1",
                                                                                      rig_tier(),
             run->seed, round);
}

static bool round_of(struct run *run, unsigned round)
{
    const struct attacker attacker = {.rig = &run->rig, .scene = run->scene, .node = HOME,
                                      .seed = run->seed, .round = round, .acts = run->acts};
    struct child child = child_start(rioter, &attacker);
    struct tried tried = {0};
    bool said = get(child.from, &tried, sizeof(tried));
    bool ended = child_end(&child);
    bool tables = others_ask_all(&run->others, WATCH_NODE);

    if (said && ended && tried.good && tables && undisturbed(run))
        return true;
    tap_note("round %u: said %d, ended %d, tables %d: %s", round, said, ended, tables, tried.why);
    say_how_to_repeat(run, round);
    return false;
}

static unsigned riot(struct run *run)
{
    unsigned done = 0;

    while (done < run->rounds && round_of(run, run->first + done)) {
        alarm(SECONDS);
        if (++done % (run->every ? run->every : UINT32_MAX) == 0)
            tap_note("%u of %u rounds, %" PRIu32 " laps of a victim", done, run->rounds,
                     (uint32_t)atomic_load(&run->scene->laps[HOME]));
    }
    return done;
}

static void say_what_was(const struct run *run)
{
    for (unsigned i = 0; i < STATUSES; i++)
        if (atomic_load(&run->scene->ended[i]) != 0)
            tap_note("ended with %s: %" PRIu32, tern_strerror((int)i),
                     (uint32_t)atomic_load(&run->scene->ended[i]));
    for (unsigned n = 0; n < NODES; n++)
        tap_note("laps of the victim on node %u: %" PRIu32, n,
                 (uint32_t)atomic_load(&run->scene->laps[n]));
}

static void run_all(struct run *run)
{
    unsigned done = 0;
    bool good;

    tap_note("seed %" PRIu64 ", tier %s", run->seed, rig_tier());
    rig_start(&run->rig, (const char *const[]){"--torus", "3x1x1", NULL});
    good = start(run);
    tap(good, "victims, bystanders and a watcher are there");
    if (good && run->first == 0)
        try_all(run);
    if (good)
        done = riot(run);
    say_what_was(run);
    tap(good && done == run->rounds,
        "random acts on %s change nothing of others, who get on meanwhile", rig_tier());
    good = good && undisturbed(run) && others_await_lap(&run->others);
    tap_evidence("B7.4", "rounds=%u laps=%" PRIu32, done,
                 (uint32_t)atomic_load(&run->scene->laps[HOME]));
    tap(good && judge(run), "victims on %s have all that they had, and it serves", rig_tier());
    tap(good && end_victims(run) && others_end(&run->others),
        "bystanders of all that on %s notice nothing", rig_tier());
    (void)give_word(&run->others.watcher, WATCH_QUIT);
    tap(child_end(&run->others.watcher), "the watcher ends well");
    rig_stop(&run->rig);
}

/* ---- arguments ---- */

static const struct number numbers[] = {
    {"rounds", 'r', "rounds of random acts (30 on soft, 3 on rtl)", &the_run.rounds},
    {"acts", 'a', "acts in a round (160 on soft, 48 on rtl)", &the_run.acts},
    {"first", 'f', "the round to begin with (0, and the table before it)", &the_run.first},
    {"progress", 'p', "say something after N rounds (never)", &the_run.every},
    {0},
};

int main(int argc, char **argv)
{
    struct run *run = &the_run;

    run->seed = 1;
    run->rounds = rig_tier_is_soft() ? 30 : 3;
    run->acts = rig_tier_is_soft() ? 160 : 48;
    numbers_parse(argc, argv, "A hostile process beside others.", numbers, &run->seed);
    run->scene = shared(sizeof(*run->scene));
    if (!run->scene)
        return EXIT_FAILURE;
    signal(SIGPIPE, SIG_IGN);
    signal(SIGALRM, on_alarm);
    alarm(SECONDS);
    run_all(run);
    return tap_end();
}
