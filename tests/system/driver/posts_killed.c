/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: posts_killed [--kills N] [--seed S]
 *
 * Kills either side of the memory for posted writes while it is in use: the process that posts, or
 * the simulator.  The poster writes number n+1 to slot n of a process on another node, and counts
 * what it posted and what completed in memory that outlives it.
 *
 * Lost: a put that completed with OK and is not in its slot; a put that was posted and completed
 * neither with OK nor with an error, though its poster lives.  Wrong: a slot with anything but its
 * number or nothing.  A bystander on the poster's NIC loses nothing in either way.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <tern/tern.h>

#include "chaos.h"
#include "numbers.h"
#include "rig_tier.h"

enum { SLOTS = 1 << 14, IN_FLIGHT = 48, WAIT_MS = 60000, BURST = 200 };

/* Outlives every process but the judge. */
struct record {
    volatile uint64_t posted, completed, failed;
    volatile bool ready, ended;
    volatile int fault; /* a status that the poster did not expect */
    uint64_t slots[SLOTS];
    volatile uint64_t good[SLOTS]; /* the number whose put completed with OK */
};

static struct rig rig;
static struct record *record;
static struct {
    unsigned kills;
    uint64_t seed, random;
    unsigned done, sims, stops;
    uint64_t posts, completed, lost, wrong, errors;
} run = {.kills = 0, .seed = 1};

/* ---- the poster */

/* Takes what completed; false when the simulator is gone and nothing is in flight any more. */
static bool drain(struct tern_cq *cq, int wait_ms)
{
    struct tern_completion done[64];
    int count = tern_cq_poll(cq, done, 64);

    if (count == 0 && wait_ms)
        count = tern_cq_next(cq, &done[0], wait_ms) == 0 ? 1 : 0;
    for (int i = 0; i < count; i++) {
        if (done[i].status == TERN_ST_OK) {
            record->good[done[i].context % SLOTS] = done[i].context + 1;
            record->completed++;
        } else {
            record->failed++;
            if (done[i].status != TERN_ST_DISCONNECTED)
                record->fault = (int)done[i].status;
        }
    }
    return count >= 0;
}

/* Every operation ends once, with OK or DISCONNECTED, even beside a simulator that was killed. */
static void take_the_rest(struct tern_cq *cq)
{
    for (unsigned tries = 0; tries < 600; tries++) {
        if (record->completed + record->failed >= record->posted || !drain(cq, 100))
            return;
    }
}

static void poster(struct tern_rptr to)
{
    struct tern_device *device = rig_open(&rig, 0);
    struct tern_cq *cq;
    struct tern_sq *sq;
    int status = tern_cq_create(device, 7, 0, &cq);

    if (!status)
        status = tern_sq_create(cq, 6, &sq);
    record->ready = true;
    for (uint64_t n = 0; !status && n < SLOTS;) {
        uint64_t number = n + 1;

        status = tern_put_inline(sq, tern_rptr_add(to, 8 * n), &number, sizeof(number),
                                 TERN_DFLAG_SIGNAL, n);
        if (!status)
            record->posted = ++n;
        else if (status == -TERN_ST_AGAIN)
            status = 0;
        if (record->posted - record->completed - record->failed >= IN_FLIGHT && !drain(cq, 0))
            break;
    }
    if (status && status != -TERN_ST_DISCONNECTED)
        record->fault = -status;
    take_the_rest(cq);
    record->ended = true;
    tern_close(device);
    _exit(0);
}

static pid_t start_poster(struct tern_rptr to)
{
    pid_t pid;

    memset(record, 0, sizeof(*record));
    pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        poster(to);
    }
    return pid;
}

/* ---- the judge's side of a round: the target's memory, and a bystander */

struct side {
    struct tern_device *there;
    struct tern_region *slots;
    struct rig_end bystander, other; /* on the poster's NIC and on the target's */
    uint64_t posted, ended;
};

static void side_open(struct side *side)
{
    memset(side, 0, sizeof(*side));
    rig_end_open(&side->bystander, &rig, 0);
    rig_end_open(&side->other, &rig, 1);
    side->there = rig_open(&rig, 1);
}

static void side_register(struct side *side)
{
    memset(record->slots, 0, sizeof(record->slots));
    if (tern_register(side->there, record->slots, sizeof(record->slots), TERN_RIGHT_REMOTE_WRITE,
                      &side->slots))
        tap(false, "the slots are registered");
}

static void side_close(struct side *side)
{
    rig_end_close(&side->bystander);
    rig_end_close(&side->other);
    tern_close(side->there);
}

/* The bystander puts without a pause; each put ends once, and well. */
static void bystander_step(struct side *side)
{
    struct tern_completion done[16];
    uint64_t number = side->posted;
    int status = 0, count;

    if (side->posted - side->ended < 16)
        status = tern_put_inline(side->bystander.sq, rig_end_at(&side->other, number % 512 * 8),
                                 &number, sizeof(number), TERN_DFLAG_SIGNAL, number);
    else
        status = -TERN_ST_AGAIN;
    side->posted += status == 0;
    count = tern_cq_poll(side->bystander.cq, done, 16);
    for (int i = 0; i < count; i++) {
        uint64_t held;

        memcpy(&held, side->other.buffer + done[i].context % 512 * 8, sizeof(held));
        run.lost += done[i].status != TERN_ST_OK || held % 512 != done[i].context % 512;
        side->ended++;
    }
}

static void bystander_rest(struct side *side)
{
    struct timespec begun, now;

    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        struct tern_completion done;

        if (side->ended == side->posted)
            return;
        if (tern_cq_next(side->bystander.cq, &done, 1000) == 0) {
            run.lost += done.status != TERN_ST_OK;
            side->ended++;
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - begun.tv_sec < WAIT_MS / 1000);
    run.lost += side->posted - side->ended;
}

/* The moment of the kill: so many puts were completed, and then so many loops of the judge. */
static bool until_the_moment(struct side *side, uint64_t points, pid_t pid)
{
    uint32_t loops = random_below(&run.random, 2000);
    volatile uint32_t spin = 0;

    while (record->completed < points && !record->ended) {
        int status;

        if (waitpid(pid, &status, WNOHANG) == pid) {
            tap(false, "the poster lives until it is killed");
            return false;
        }
        if (side)
            bystander_step(side);
    }
    while (spin < loops)
        spin++;
    return true;
}

/* Compares the slots with what the poster recorded. */
static void judge(void)
{
    uint64_t posted = record->posted;

    for (uint64_t n = 0; n < SLOTS; n++) {
        uint64_t held = record->slots[n];

        /* A poster that was killed may have posted one more than it counted. */
        run.wrong += held != 0 && (held != n + 1 || n > posted);
        run.lost += record->good[n] != 0 && held != n + 1;
    }
    run.posts += posted;
    run.completed += record->completed;
    run.errors += record->failed;
    if (record->fault)
        tap(false, "the poster fails with nothing but DISCONNECTED: %s",
            tern_strerror(record->fault));
}

static bool kill_poster(struct side *side)
{
    uint64_t points = 1 + random_below(&run.random, rig_tier_is_soft() ? 3000 : 150);
    bool stop = random_below(&run.random, 4) == 0;
    pid_t pid;

    side_register(side);
    pid = start_poster(tern_region_pointer(side->slots, 0));
    if (!until_the_moment(side, points, pid))
        return false;
    if (stop) { /* paused in the midst of a post first, while others go on */
        kill(pid, SIGSTOP);
        for (unsigned i = 0; i < BURST; i++)
            bystander_step(side);
        run.stops++;
    }
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    bystander_rest(side);
    /* Behind the release nothing of the poster lands any more. */
    if (tern_release(side->slots))
        tap(false, "the slots are released");
    judge();
    run.done++;
    return true;
}

/* A poster beside a simulator that is paused and then killed. */
static bool kill_simulator(void)
{
    uint64_t points = 1 + random_below(&run.random, rig_tier_is_soft() ? 3000 : 150);
    struct tern_device *there = rig_open(&rig, 1);
    struct tern_region *slots;
    struct timespec begun, now, pause = {.tv_nsec = 5000000};
    bool ended = false;
    pid_t pid;

    memset(record->slots, 0, sizeof(record->slots));
    if (tern_register(there, record->slots, sizeof(record->slots), TERN_RIGHT_REMOTE_WRITE, &slots))
        return false;
    pid = start_poster(tern_region_pointer(slots, 0));
    if (!until_the_moment(NULL, points, pid))
        return false;
    if (random_below(&run.random, 2)) {
        kill(rig.sim, SIGSTOP); /* what is posted now stays in the memory */
        nanosleep(&pause, NULL);
        run.stops++;
    }
    kill(rig.sim, SIGKILL);
    waitpid(rig.sim, NULL, 0);
    clock_gettime(CLOCK_MONOTONIC, &begun);
    do {
        int status;

        ended = waitpid(pid, &status, WNOHANG) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
        nanosleep(&pause, NULL);
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (!ended && now.tv_sec - begun.tv_sec < WAIT_MS / 1000);
    if (!ended) {
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        tap(false, "a poster beside a killed simulator ends");
    }
    run.lost += record->posted - record->completed - record->failed;
    judge();
    run.sims++;
    tern_close(there);
    return true;
}

static void start_again(void)
{
    char command[96];

    snprintf(command, sizeof(command), "rm -rf '%s'", rig.dir);
    if (system(command))
        tap(false, "the folder of the killed simulator is removed");
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
}

int main(int argc, char **argv)
{
    const struct number numbers[] = {{"kills", 'k', "of each side", &run.kills}, {0}};
    bool good = true;
    struct side side;

    numbers_parse(argc, argv, "Kills either side of the memory for posted writes.", numbers,
                  &run.seed);
    if (!run.kills)
        run.kills = rig_tier_is_soft() ? 40 : 4;
    run.random = run.seed;
    signal(SIGPIPE, SIG_IGN);
    setvbuf(stdout, NULL, _IOLBF, 0); /* the forks below must not print it again */
    tap_note("seed %llu", (unsigned long long)run.seed);
    record = mmap(NULL, sizeof(*record), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});

    side_open(&side);
    while (good && run.done < run.kills)
        good = kill_poster(&side);
    side_close(&side);
    tap(good && run.lost == 0 && run.wrong == 0 && run.posts > run.done,
        "a process killed while it posts loses nothing that completed, and spoils nothing");
    tap_evidence("F5", "kills=%u posts=%llu lost=%llu wrong=%llu", run.done,
                 (unsigned long long)run.posts, (unsigned long long)run.lost,
                 (unsigned long long)run.wrong);

    for (unsigned i = 0; good && i < (run.kills + 3) / 4; i++) {
        good = kill_simulator();
        start_again();
    }
    tap(good && run.lost == 0 && run.wrong == 0,
        "beside a simulator that is killed every post ends, and none that completed is lost");
    tap_evidence("F5", "kills=%u lost=%llu wrong=%llu errors=%llu", run.sims,
                 (unsigned long long)run.lost, (unsigned long long)run.wrong,
                 (unsigned long long)run.errors);
    tap_note("%llu posts, %llu completed, %llu ended with an error, %u pauses",
             (unsigned long long)run.posts, (unsigned long long)run.completed,
             (unsigned long long)run.errors, run.stops);
    rig_stop(&rig);
    return tap_end();
}
