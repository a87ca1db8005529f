/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations in a ring of four, between hosts in processes of their own: one keeps words,
 * others change them, one by one and all at once. Then the keeper is killed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tern/counter.h>
#include <tern/atomic.h>

#include "keeper.h"
#include "rig_tier.h"

enum { WINDOW = 8 };

/* The words in the keeper's memory. */
enum { PLAIN, COUNTER, LOCK, GUARDED };

/* How many times each host adds to the counter, and takes the lock. */
static unsigned additions(void)
{
    return rig_tier_is_soft() ? 5000 : 100;
}

static unsigned turns(void)
{
    return rig_tier_is_soft() ? 200 : 8;
}

/* ---- all at once ---- */

/*
 * Sums of the counter's values that a host got, and of their squares; and whether each was greater
 * than the last.
 */
struct tally {
    uint64_t sum, squares;
    bool rising;
};

static void add_up(struct tern_sq *sq, struct tern_cq *cq, struct tern_rptr counter,
                   struct tally *tally)
{
    unsigned posted = 0;
    uint64_t last = 0;

    for (unsigned told = 0; told < additions(); told++) {
        struct tern_completion done;

        for (; posted < additions() && posted - told < WINDOW; posted++)
            gives(tern_fetch_add(sq, counter, 1, TERN_DFLAG_SIGNAL, posted), 0, "tern_fetch_add");
        done = next_completion(cq, WAIT_MS);
        gives((int)done.status, TERN_ST_OK, "an addition");
        tally->rising = tally->rising && (told == 0 || done.value > last);
        tally->sum += done.value;
        tally->squares += done.value * done.value;
        last = done.value;
    }
}

static uint64_t told(struct tern_cq *cq, const char *what)
{
    struct tern_completion done = next_completion(cq, WAIT_MS);

    gives((int)done.status, TERN_ST_OK, what);
    return done.value;
}

static void lock(struct tern_sq *sq, struct tern_cq *cq, struct tern_rptr at, uint64_t me)
{
    time_t until = time(NULL) + LOCK_S;

    do {
        gives(time(NULL) > until, false, "waiting for the lock");
        gives(tern_compare_swap(sq, at, 0, me, TERN_DFLAG_SIGNAL, 0), 0, "tern_compare_swap");
    } while (told(cq, "taking the lock") != 0);
}

/* Takes the lock, reads the guarded word, puts a value one higher, and gives the lock back. */
static void take_turns(struct tern_sq *sq, struct tern_cq *cq, struct tern_rptr words, uint64_t me)
{
    for (unsigned turn = 0; turn < turns(); turn++) {
        uint64_t guarded;

        lock(sq, cq, word_at(words, LOCK), me);
        gives(tern_fetch_add(sq, word_at(words, GUARDED), 0, TERN_DFLAG_SIGNAL, 0), 0,
              "tern_fetch_add");
        guarded = told(cq, "reading") + 1;
        gives(tern_put_inline(sq, word_at(words, GUARDED), &guarded, sizeof(guarded), 0, 0), 0,
              "tern_put_inline");
        gives(tern_swap(sq, word_at(words, LOCK), 0, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0), 0,
              "tern_swap");
        gives(told(cq, "giving the lock back") == me, true, "the lock was mine");
    }
}

/* Commands: add; take turns; quit. */
static void working(const void *arg, int in, int out)
{
    const struct worker *worker = arg;
    struct tally tally = {.rising = true};
    static struct host host;
    char word;

    host_open(&host, worker->rig, worker->node);
    while (get(in, &word, 1) && word != 'q') {
        if (word == 'a')
            add_up(host.sq, host.cq, word_at(worker->words, COUNTER), &tally);
        else
            take_turns(host.sq, host.cq, worker->words, worker->node + 1);
        (void)give(out, &tally, sizeof(tally));
    }
    host_close(&host);
}

/* ---- one by one ---- */

static struct keeper keeper;
static struct host here;

static uint64_t kept(unsigned which)
{
    uint64_t words[KEEPER_WORDS] = {0};

    return keeper_has(&keeper, words) ? words[which] : ~UINT64_C(0);
}

/* The address of a word that only one host changes. */
struct place {
    const char *name;
    struct tern_rptr at;
    bool own;
};

static uint64_t there(const struct place *place)
{
    return place->own ? *(volatile uint64_t *)&here.words[PLAIN] : kept(PLAIN);
}

/* Checks that the operation just posted returned `was`, and that the word is `is` now. */
static bool came(const struct place *place, int posted, uint8_t opcode, uint64_t was, uint64_t is)
{
    struct tern_completion done;
    uint64_t now;

    gives(posted, 0, "posting");
    done = next_completion(here.cq, WAIT_MS);
    now = there(place);
    if (done.status == TERN_ST_OK && done.opcode == opcode && done.value == was && now == is &&
        done.context == 9 && done.node == tern_rptr_node(place->at))
        return true;
    tap_note("%s: %s, opcode %u, value 0x%llx, now 0x%llx", place->name,
             tern_strerror((int)done.status), done.opcode, (unsigned long long)done.value,
             (unsigned long long)now);
    return false;
}

static void plain_words(const struct place *place)
{
    const uint64_t a = 0x0123456789abcdef, b = 0xfedcba9876543210, ones = UINT64_MAX;
    const unsigned s = TERN_DFLAG_SIGNAL;
    struct tern_sq *sq = here.sq;

    tap(came(place, tern_swap(sq, place->at, a, s, 9), TERN_OP_CAS, 0, a),
        "a swap changes a word and tells what it was (%s)", place->name);
    tap(came(place, tern_compare_swap(sq, place->at, a, b, s, 9), TERN_OP_CAS, a, b) &&
            came(place, tern_compare_swap(sq, place->at, a, ones, s, 9), TERN_OP_CAS, b, b) &&
            came(place, tern_compare_swap(sq, place->at, b ^ 1, ones, s, 9), TERN_OP_CAS, b, b) &&
            came(place, tern_compare_swap(sq, place->at, b ^ UINT64_C(1) << 63, ones, s, 9),
                 TERN_OP_CAS, b, b),
        "a compare and swap changes a word that is as it should be, and no other (%s)",
        place->name);
    tap(came(place, tern_fetch_add(sq, place->at, a, s, 9), TERN_OP_ADD, b, ones) &&
            came(place, tern_fetch_add(sq, place->at, 2, s, 9), TERN_OP_ADD, ones, 1) &&
            came(place, tern_fetch_add(sq, place->at, UINT32_MAX, s, 9), TERN_OP_ADD, 1,
                 UINT64_C(1) << 32) &&
            came(place, tern_fetch_add(sq, place->at, -UINT64_C(1), s, 9), TERN_OP_ADD,
                 UINT64_C(1) << 32, UINT32_MAX),
        "a fetch and add counts in 64 bits and goes round (%s)", place->name);
    tap(came(place, tern_swap(sq, place->at, 0, s, 9), TERN_OP_CAS, UINT32_MAX, 0),
        "a word is cleared (%s)", place->name);
}

/* A byte of state above a 56-bit count. */
static void masked_words(const struct place *place)
{
    const uint64_t state = UINT64_C(0xff) << 56, count = ~state, open = UINT64_C(1) << 56,
                   full = UINT64_C(2) << 56;
    const struct tern_masked open_it = {
        .compare_mask = state, .swap = open | 77, .swap_mask = state};
    const struct tern_masked count_if_open = {
        .compare = open | 99, .compare_mask = state, .swap = full | 5, .swap_mask = count};
    const struct tern_masked fill_it = {
        .compare = open, .compare_mask = state, .swap = full, .swap_mask = state};
    const unsigned s = TERN_DFLAG_SIGNAL;
    struct tern_sq *sq = here.sq;

    tap(came(place, tern_compare_swap_masked(sq, place->at, &open_it, s, 9), TERN_OP_CAS, 0,
             open) &&
            came(place, tern_compare_swap_masked(sq, place->at, &open_it, s, 9), TERN_OP_CAS, open,
                 open) &&
            came(place, tern_fetch_add_masked(sq, place->at, &count_if_open, s, 9), TERN_OP_ADD,
                 open, open | 5) &&
            came(place, tern_fetch_add_masked(sq, place->at, &count_if_open, s, 9), TERN_OP_ADD,
                 open | 5, open | 10) &&
            came(place, tern_compare_swap_masked(sq, place->at, &fill_it, s, 9), TERN_OP_CAS,
                 open | 10, full | 10) &&
            came(place, tern_fetch_add_masked(sq, place->at, &count_if_open, s, 9), TERN_OP_ADD,
                 full | 10, full | 10),
        "masks choose what is compared and what is changed (%s)", place->name);
    tap(came(place, tern_swap(sq, place->at, 0, s, 9), TERN_OP_CAS, full | 10, 0),
        "a masked word is cleared (%s)", place->name);
}

/* Four bits of state above a map that ends in the middle of the word's upper half. */
static void taken_bits(const struct place *place)
{
    const uint64_t state = UINT64_C(0xf) << 60, map = (UINT64_C(1) << 34) - 1,
                   odd = UINT64_C(0x2aaaaaaaa), mine = UINT64_C(7) << 60;
    const struct tern_masked set = {.swap = mine | odd, .swap_mask = UINT64_MAX};
    const struct tern_masked take = {
        .compare = mine | 5, .compare_mask = state, .swap = 1, .swap_mask = map};
    const struct tern_masked others = {
        .compare = 0, .compare_mask = state, .swap = 1, .swap_mask = map};
    const unsigned s = TERN_DFLAG_SIGNAL;
    uint64_t word = mine | odd;
    struct tern_sq *sq = here.sq;
    bool good =
        came(place, tern_compare_swap_masked(sq, place->at, &set, s, 9), TERN_OP_CAS, 0, word) &&
        came(place, tern_take(sq, place->at, &others, s, 9), TERN_OP_TAKE, word, word);

    for (unsigned bit = 0; bit < 34; bit += 2) {
        good = good && came(place, tern_take(sq, place->at, &take, s, 9), TERN_OP_TAKE, word,
                            word | UINT64_C(1) << bit);
        word |= UINT64_C(1) << bit;
    }
    tap(good && word == (mine | map) &&
            came(place, tern_take(sq, place->at, &take, s, 9), TERN_OP_TAKE, word, word),
        "a take sets the lowest clear bit of its map, and none when all are set (%s)", place->name);
    tap(came(place, tern_swap(sq, place->at, 0, s, 9), TERN_OP_CAS, word, 0),
        "a map is cleared (%s)", place->name);
}

/* Operations without SIGNAL do not complete, but are carried out. */
static void quiet_words(const struct place *place)
{
    for (unsigned i = 0; i < 3; i++)
        gives(tern_fetch_add(here.sq, place->at, 1, 0, 8), 0, "tern_fetch_add");
    tap(came(place, tern_fetch_add(here.sq, place->at, 1, TERN_DFLAG_SIGNAL, 9), TERN_OP_ADD, 3,
             4) &&
            came(place, tern_swap(here.sq, place->at, 0, TERN_DFLAG_SIGNAL, 9), TERN_OP_CAS, 4, 0),
        "operations that nobody is told of happen in their order (%s)", place->name);
}

/* With a byte counter, the firmware writes the completion. */
static void counted_words(const struct place *place)
{
    const uint16_t counter = 3;
    uint32_t left = 0;
    bool good;

    gives(tern_counter_set(here.device, counter, 1000), 0, "tern_counter_set");
    gives(tern_sq_count(here.sq, counter), 0, "tern_sq_count");
    good = came(place, tern_swap(here.sq, place->at, 6, TERN_DFLAG_SIGNAL, 9), TERN_OP_CAS, 0, 6) &&
           came(place, tern_fetch_add(here.sq, place->at, -UINT64_C(6), TERN_DFLAG_SIGNAL, 9),
                TERN_OP_ADD, 6, 0);
    gives(tern_sq_count(here.sq, TERN_COUNTER_NONE), 0, "tern_sq_count");
    gives(tern_counter_get(here.device, counter, &left), 0, "tern_counter_get");
    tap(good && left == 1000 - 2 * TERN_ATO_BYTES,
        "operations that a byte counter follows tell what the word was (%s)", place->name);
}

/* Reads the words as their owner, while no host changes them. */
static void by_offset(const struct place *place)
{
    struct tern_rptr start = place->at;
    struct tern_completion done;

    TERN_SET(RPTR, addr, start.w, PLAIN * sizeof(uint64_t));
    tap(came(place, tern_swap(here.sq, start, 12, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, 9),
             TERN_OP_CAS, 0, 12) &&
            came(place, tern_swap(here.sq, place->at, 0, TERN_DFLAG_SIGNAL, 9), TERN_OP_CAS, 12, 0),
        "a word is named by its offset in the region, too (%s)", place->name);
    TERN_SET(RPTR, addr, start.w, 4);
    gives(tern_swap(here.sq, start, 12, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, 9), 0, "posting");
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status == TERN_ST_BAD_ALIGN && done.value == 0 && done.fault == 2 && there(place) == 0,
        "an offset to no whole word is refused there (%s)", place->name);
}

static void bad_arguments(void)
{
    struct tern_rptr at = tern_rptr_add(keeper.words, 4);
    bool good =
        tern_compare_swap(here.sq, at, 0, 1, 0, 0) == -TERN_ST_BAD_ALIGN &&
        tern_swap(here.sq, at, 1, 0, 0) == -TERN_ST_BAD_ALIGN &&
        tern_fetch_add(here.sq, tern_rptr_add(keeper.words, 1), 1, 0, 0) == -TERN_ST_BAD_ALIGN &&
        tern_compare_swap_masked(here.sq, keeper.words, NULL, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
        tern_fetch_add_masked(here.sq, keeper.words, NULL, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
        tern_take(here.sq, keeper.words, NULL, 0, 0) == -TERN_ST_BAD_ARGUMENT;
    unsigned posted = 0;

    tap(good, "words that are none and operands that are missing are refused at the door");
    while (tern_fetch_add(here.sq, keeper.words, 0, TERN_DFLAG_SIGNAL | TERN_MORE, 0) == 0)
        posted++;
    good = tern_fetch_add(here.sq, keeper.words, 0, TERN_DFLAG_SIGNAL, 0) == -TERN_ST_AGAIN &&
           posted == 16;
    for (unsigned i = 0; i < posted; i++)
        good = next_completion(here.cq, WAIT_MS).status == TERN_ST_OK && good;
    tap(good, "a full queue takes no operation, and those in it end");
}

/* ---- all operations ---- */

static bool all_do(const struct workers *workers, char word, struct tally *all)
{
    bool good = workers_do(workers, word);

    *all = (struct tally){.rising = true};
    for (unsigned i = 0; i < RING; i++) {
        struct tally one;

        good = get(workers->children[i].from, &one, sizeof(one)) && good;
        if (!good)
            return false;
        all->rising = all->rising && one.rising;
        all->sum += one.sum;
        all->squares += one.squares;
    }
    return good;
}

static void all_at_once(const struct rig *rig)
{
    const uint64_t n = (uint64_t)RING * additions();
    struct workers workers;
    struct tally all;
    bool good;

    workers_start(&workers, working, rig, keeper.words);
    good = all_do(&workers, 'a', &all);
    tap(good && kept(COUNTER) == n, "a counter that all nodes add to counts each addition once");
    tap(good && all.rising && all.sum == n * (n - 1) / 2 &&
            all.squares == (n - 1) * n * (2 * n - 1) / 6,
        "each of them is told another value, and all values are told");
    tap_evidence("B7.2", "additions=%llu", (unsigned long long)n);
    good = good && all_do(&workers, 't', &all);
    tap(good && kept(GUARDED) == (uint64_t)RING * turns() && kept(LOCK) == 0,
        "a lock by compare and swap lets one host at a time change what it guards");
    tap_note("turns=%u", RING * turns());
    tap(workers_end(&workers, good), "who took part ends well");
}

/* The NIC has removed the keeper's regions. */
static void keeper_killed(void)
{
    struct tern_completion done;

    child_kill(&keeper.child);
    gives(tern_swap(here.sq, keeper.words, 1, TERN_DFLAG_SIGNAL, 9), 0, "tern_swap");
    done = next_completion(here.cq, WAIT_MS);
    tap(done.status != TERN_ST_OK && done.value == 0 && done.node == rig_node(KEEPER),
        "a word of a host that was killed is not changed, and the error names its node");
    tap_note("it ends with %s", tern_strerror((int)done.status));
}

int main(void)
{
    struct place places[2] = {{.name = "another node"}, {.name = "the own node", .own = true}};
    struct rig rig;
    bool good;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    good = keeper_start(&keeper, &rig);
    host_open(&here, &rig, 0);
    places[0].at = keeper.words;
    places[1].at = tern_region_pointer(here.region, PLAIN * sizeof(uint64_t));
    for (unsigned i = 0; good && i < 2; i++) {
        plain_words(&places[i]);
        masked_words(&places[i]);
        taken_bits(&places[i]);
        quiet_words(&places[i]);
        counted_words(&places[i]);
        by_offset(&places[i]);
    }
    if (good) {
        bad_arguments();
        all_at_once(&rig);
        keeper_killed();
    }
    good = keeper_start(&keeper, &rig) && good;
    tap(keeper_end(&keeper) && good, "who keeps the words ends well");
    host_close(&here);
    rig_stop(&rig);
    return tap_end();
}
