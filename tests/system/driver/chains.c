/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Chains in a ring of four, between hosts in processes of their own: each takes a lock, changes the
 * words that it guards, and gives it back, with one doorbell. Then the keeper of the words is
 * killed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tern/counter.h>
#include <tern/atomic.h>
#include <tern/chain.h>
#include <tern/checkin.h>
#include <tern/read.h>

#include "keeper.h"
#include "rig_tier.h"

enum {
    AREA = 2,
    COUNTER = 1,
    LIMIT = 100000000 /* cycles */
};

/* The keeper's words; both guarded words always name the same holder of the lock. */
enum { LOCK, FIRST, SECOND, TURNS, WORDS };

/* Turns of each host. */
static unsigned turns(void)
{
    return rig_tier_is_soft() ? 200 : 2;
}

/* Posts: take the lock, write both guarded words, read them, count, release the lock. */
static void post_turn(struct host *host, struct tern_rptr words, const uint64_t *me)
{
    struct tern_sq *sq = host->sq;

    gives(tern_compare_swap(sq, word_at(words, LOCK), 0, *me, TERN_LINK, LOCK), 0,
          "tern_compare_swap");
    gives(tern_put_inline(sq, word_at(words, FIRST), me, sizeof(*me), TERN_LINK, FIRST), 0,
          "tern_put_inline");
    gives(tern_put_inline(sq, word_at(words, SECOND), me, sizeof(*me), TERN_LINK, SECOND), 0,
          "tern_put_inline");
    gives(tern_read(sq, word_at(words, FIRST), host->region, host->words, 2 * sizeof(*me),
                    TERN_LINK, WORDS),
          0, "tern_read");
    gives(tern_fetch_add(sq, word_at(words, TURNS), 1, TERN_LINK, TURNS), 0, "tern_fetch_add");
    gives(tern_compare_swap(sq, word_at(words, LOCK), *me, 0, 0, WORDS), 0, "tern_compare_swap");
}

struct tally {
    unsigned taken, refused, mixed;
};

static void working(const void *arg, int in, int out)
{
    const struct worker *worker = arg;
    const uint64_t me = worker->node + 1;
    time_t until = time(NULL) + LOCK_S;
    struct tally tally = {0};
    static struct host host;
    char word;

    host_open(&host, worker->rig, worker->node);
    if (!get(in, &word, 1))
        return;
    while (tally.taken < turns()) {
        struct tern_completion done;

        gives(time(NULL) > until, false, "waiting for the lock");
        post_turn(&host, worker->words, &me);
        done = next_completion(host.cq, WAIT_MS);
        if (done.status == TERN_ST_UNLIKE && done.context == LOCK && done.value != me) {
            tally.refused++;
            continue;
        }
        gives((int)done.status, TERN_ST_OK, "a turn");
        gives((int)done.context, WORDS, "the last step tells");
        tally.mixed += host.words[0] != me || host.words[1] != me;
        tally.taken++;
    }
    (void)give(out, &tally, sizeof(tally));
    (void)get(in, &word, 1);
    host_close(&host);
}

static struct keeper keeper;
static struct host here;

static void a_lock_for_all(const struct rig *rig)
{
    struct workers workers;
    struct tally all = {0};
    uint64_t words[KEEPER_WORDS] = {0};
    bool good;

    workers_start(&workers, working, rig, keeper.words);
    good = workers_do(&workers, 'g');
    for (unsigned i = 0; i < RING && good; i++) {
        struct tally one = {0};

        good = get(workers.children[i].from, &one, sizeof(one));
        all.taken += one.taken;
        all.refused += one.refused;
        all.mixed += one.mixed;
    }
    good = workers_end(&workers, good) && keeper_has(&keeper, words);
    tap(good && all.mixed == 0 && all.taken == RING * turns() && words[TURNS] == all.taken &&
            words[LOCK] == 0,
        "a lock taken, used and given back by one chain lets one host at a time have what it "
        "guards");
    tap_evidence("B7.8", "turns=%u refused=%u", all.taken, all.refused);
}

/* A put by the keeper's NIC to this host is not available, so this NIC puts to itself. */
static void what_starts_and_ends_one(void)
{
    const struct tern_area area = {.id = AREA, .epoch = 1, .slots = 1, .limit = LIMIT};
    const uint64_t value = 5;
    struct tern_region *counted;
    uint64_t into = 0, words[KEEPER_WORDS] = {0};
    struct tern_completion done;
    struct tern_sq *other;
    bool cancelled = false;

    gives(tern_area_arm(here.device, &area, NULL), 0, "tern_area_arm");
    gives(tern_counter_set(here.device, COUNTER, 0), 0, "tern_counter_set");
    gives(tern_register_with(here.device,
            &(struct tern_region_attr){.addr = &into, .bytes = sizeof(into),
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = COUNTER},
            &counted), 0,
          "tern_register_with");
    gives(tern_counter_fills_area(here.device, COUNTER, sizeof(into), AREA), 0,
          "tern_counter_fills_area");
    gives(tern_sq_create(here.cq, 4, &other), 0, "tern_sq_create");
    for (unsigned turn = 0; turn < 2; turn++) {
        gives(tern_wait_area(other, AREA, (uint16_t)(1 + turn), TERN_LINK, 1), 0, "tern_wait_area");
        gives(tern_swap(other, word_at(keeper.words, TURNS), 1000 + turn, 0, 2), 0, "tern_swap");
        if (turn == 0) {
            struct tern_area again = area;

            gives(tern_put_inline(here.sq, tern_region_pointer(counted, 0), &value, sizeof(value),
                                  0, 0),
                  0, "tern_put_inline");
            done = next_completion(here.cq, WAIT_MS);
            tap(done.status == TERN_ST_OK && done.context == 2 && keeper_has(&keeper, words) &&
                    words[TURNS] == 1000,
                "a chain waits for a byte counter");
            again.epoch = 2;
            gives(tern_area_arm(here.device, &again, NULL), 0, "tern_area_arm");
        }
    }
    gives(tern_chain_cancel(other, &cancelled), 0, "tern_chain_cancel");
    done = next_completion(here.cq, WAIT_MS);
    tap(cancelled && done.status == TERN_ST_CANCELLED && keeper_has(&keeper, words) &&
            words[TURNS] == 1000,
        "a chain that waits is cancelled");
    gives(tern_swap(other, word_at(keeper.words, TURNS), 7, TERN_LINK, 2), 0, "tern_swap");
    tern_chain_drop(other);
    gives(tern_sq_destroy(other), 0, "tern_sq_destroy");
    tap(keeper_has(&keeper, words) && words[TURNS] == 1000, "a chain that is dropped does nothing");
}

static void keeper_killed(void)
{
    struct tern_completion done;
    const uint64_t me = 9;

    child_kill(&keeper.child);
    post_turn(&here, keeper.words, &me);
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status != TERN_ST_OK && done.status != TERN_ST_FLUSHED && done.context == LOCK,
        "when the target's host is killed the first step that needs it ends the chain");
    tap_note("it ends with %s", tern_strerror((int)done.status));
}

int main(void)
{
    struct rig rig;
    bool good;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    good = keeper_start(&keeper, &rig);
    host_open(&here, &rig, 0);
    if (good) {
        a_lock_for_all(&rig);
        what_starts_and_ends_one();
        keeper_killed();
    }
    good = keeper_start(&keeper, &rig) && good;
    tap(keeper_end(&keeper) && good, "who keeps the words ends well");
    host_close(&here);
    rig_stop(&rig);
    return tap_end();
}
