/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Slabs of one host's memory, which others in a ring of four take and give back, one by one and
 * eight at once. Some of them are killed while they own slabs, and at last the host with the memory
 * is killed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <tern/slabs.h>
#include <tern/atomic.h>

#include "chaos.h"
#include "paces.h"
#include "rig_tier.h"
#include "slabs_inside.h"

enum {
    RING = 4,
    KEEPER = 2, /* node */
    CLIENTS = 8,
    FIRST_NAME = 100, /* name of the first owner */
    EACH = TERN_BLOCK_SLABS / CLIENTS, /* slabs that a client takes from one word */
    SLABS = 70, /* in three words, of which the last has six */
    WORDS = 3,
    SLAB = 64,
    LIFE = 5,
    VICTIM = 5, /* index of the client to be killed */
    VICTIM_NAME = FIRST_NAME + VICTIM,
    WAIT_MS = 60000, /* a net */
};

#define HEAD_WORDS (WORDS + SLABS)

static const struct tern_holder me = {77, 3};

/* How many slabs each client takes and gives back, concurrently with the others. */
static unsigned rounds(void)
{
    return rig_tier_is_soft() ? 500 : 12;
}

/* ---- the host with the memory ---- */

static struct tern_allocator opened(const struct rig *rig, unsigned node, struct tern_blocks blocks,
                                    struct tern_holder holder, struct tern_device **device)
{
    struct tern_allocator a = {.blocks = blocks, .holder = holder, .timeout_ms = WAIT_MS};

    *device = rig_open(rig, node);
    gives(tern_cq_create(*device, 5, 0, &a.cq), 0, "tern_cq_create");
    gives(tern_sq_create(a.cq, 4, &a.sq), 0, "tern_sq_create");
    return a;
}

static void closed(struct tern_allocator *a, struct tern_device *device)
{
    gives(tern_sq_destroy(a->sq), 0, "tern_sq_destroy");
    tern_close(device);
}

/* Commands: send the head; recover the slabs of `dead`, whose name follows; quit. */
static void keeping(const void *arg, int in, int out)
{
    static uint64_t memory[HEAD_WORDS + SLABS * SLAB / 8 + 8] __attribute__((aligned(SLAB)));
    struct tern_device *device;
    struct tern_allocator a = {.timeout_ms = WAIT_MS};
    struct tern_region *region;
    struct tern_blocks blocks;
    char word;

    gives(tern_blocks_format(memory, sizeof(memory), SLAB, LIFE, &blocks), 0, "tern_blocks_format");
    a = opened(arg, KEEPER, blocks, (struct tern_holder){1, 1}, &device);
    gives(tern_register(device, memory, sizeof(memory),
                        TERN_RIGHT_REMOTE_ATOMIC | TERN_RIGHT_REMOTE_WRITE, &region),
          0, "tern_register");
    a.blocks.start = tern_region_pointer(region, 0);
    if (!give(out, &a.blocks, sizeof(a.blocks)))
        return;
    while (get(in, &word, 1) && word != 'q') {
        struct tern_holder dead;
        int count;

        if (word == 'r' && get(in, &dead, sizeof(dead))) {
            count = tern_blocks_recover(&a, memory, dead);
            (void)give(out, &count, sizeof(count));
        } else {
            (void)give(out, memory, tern_blocks_head(&a.blocks));
        }
    }
    closed(&a, device);
}

/* ---- clients that take slabs ---- */

struct worker {
    const struct rig *rig;
    struct tern_blocks blocks;
    unsigned number;
};

/* The slabs that a worker took, and the faults that it saw. */
struct report {
    uint32_t index[EACH];
    unsigned posted, full, wrong;
};

static struct tern_completion next(const struct tern_allocator *a, uint8_t opcode)
{
    struct tern_completion done = next_completion(a->cq, WAIT_MS);

    gives(done.opcode, opcode, "what came");
    return done;
}

/* Posts all requests at once, and none a second time. */
static void take_some(struct tern_allocator *a, struct tern_slab *slabs, struct report *report)
{
    for (unsigned i = 0; i < EACH; i++, report->posted++)
        gives(tern_balloc_post(a->sq, &a->blocks, 1, i + 1 < EACH ? TERN_MORE : 0, i), 0,
              "tern_balloc");
    for (unsigned i = 0; i < EACH; i++) {
        struct tern_completion done = next(a, TERN_OP_TAKE);
        int status = tern_balloc_done(a->sq, &a->blocks, 1, a->holder, &done, &slabs[i]);

        report->full += status == -TERN_ST_FULL;
        report->wrong += status != 0;
        report->index[i] = slabs[i].index;
    }
}

/*
 * Changes a word of the slab, which must have the value of its last owner; no other client may
 * change it meanwhile.
 */
static uint64_t swapped(const struct tern_allocator *a, struct tern_rptr at, uint64_t word)
{
    gives(tern_swap(a->sq, at, word, TERN_DFLAG_SIGNAL, 0), 0, "tern_swap");
    return next(a, TERN_OP_CAS).value;
}

static void take_turns(struct tern_allocator *a, struct report *report)
{
    for (unsigned i = 0; i < rounds(); i++) {
        struct tern_slab slab;
        int status = tern_balloc_wait(a, &slab);

        gives(status, 0, "tern_balloc_wait");
        report->posted++;
        report->wrong += swapped(a, slab.at, a->holder.owner) != 0;
        report->wrong += swapped(a, slab.at, 0) != a->holder.owner;
        gives(tern_bfree_wait(a, &slab), 0, "tern_bfree_wait");
    }
}

/*
 * Runs a worker process that takes commands of one letter: t takes some slabs of one map word, f
 * gives them back, c takes and gives back many times, q quits.
 */
static void working(const void *arg, int in, int out)
{
    const struct worker *worker = arg;
    struct tern_holder holder = {(uint16_t)(FIRST_NAME + worker->number), 1};
    struct tern_slab slabs[EACH];
    struct tern_device *device;
    struct tern_allocator a =
        opened(worker->rig, worker->number % RING, worker->blocks, holder, &device);
    char word;

    while (get(in, &word, 1) && word != 'q') {
        struct report report = {.wrong = 0};

        if (word == 't')
            take_some(&a, slabs, &report);
        else if (word == 'c')
            take_turns(&a, &report);
        for (unsigned i = 0; word == 'f' && i < EACH; i++)
            gives(tern_bfree_wait(&a, &slabs[i]), 0, "tern_bfree_wait");
        (void)give(out, &report, sizeof(report));
    }
    closed(&a, device);
}

/* ---- one by one ---- */

static struct child keeper;
static struct tern_allocator here;
static uint64_t head[HEAD_WORDS];

static void look(void)
{
    gives(give_word(&keeper, 'h') && get(keeper.from, head, sizeof(head)), true, "the head");
}

static unsigned taken(void)
{
    unsigned count = 0;

    look();
    for (unsigned word = 0; word < WORDS; word++)
        count += (unsigned)__builtin_popcount((uint32_t)head[word]);
    return count - (WORDS * TERN_BLOCK_SLABS - SLABS);
}

/* Checks the owner word, after its put has arrived. */
static bool owned(const struct tern_slab *slab)
{
    const uint32_t *own = (const uint32_t *)&head[WORDS + slab->index];

    gives(tern_nop(here.sq, TERN_DFLAG_SIGNAL | TERN_DFLAG_FENCE, 0), 0, "tern_nop");
    (void)next(&here, TERN_OP_NOP);
    look();
    return TERN_GET(OWN, owner, own) == me.owner && TERN_GET(OWN, epoch, own) == me.epoch &&
           TERN_GET(OWN, generation, own) == slab->generation;
}

static struct tern_slab all[SLABS];

static void until_full(void)
{
    struct tern_completion done;
    struct tern_slab slab;
    bool good = true;

    for (unsigned i = 0; good && i < SLABS; i++) {
        good = tern_balloc_wait(&here, &all[i]) == 0 && all[i].index == i && owned(&all[i]);
        good = good && all[i].generation == (uint32_t)LIFE << TERN_MAP_frees_BITS;
    }
    tap(good && taken() == SLABS,
        "slabs are taken in their order, each once, and its owner word says whose it is");
    tap(tern_balloc_wait(&here, &slab) == -TERN_ST_FULL && taken() == SLABS,
        "when all are taken that is told, and nothing changes");
    gives(tern_balloc_post(here.sq, &here.blocks, 2, 0, 9), 0, "tern_balloc");
    done = next(&here, TERN_OP_TAKE);
    tap(done.status == TERN_ST_OK && done.context == 9 &&
            tern_balloc_done(here.sq, &here.blocks, 2, me, &done, &slab) == -TERN_ST_FULL,
        "a word that has fewer slabs than bits gives out no more than it has");
}

static void taken_again(void)
{
    struct tern_slab first = all[40], second, last = all[SLABS - 1];
    bool good = tern_bfree_wait(&here, &first) == 0 && taken() == SLABS - 1 &&
                tern_balloc_wait(&here, &second) == 0;
    int status;

    tap(good && second.index == first.index && second.generation == first.generation + 1 &&
            owned(&second),
        "what is given back is taken again, with a later generation");
    all[40] = second;
    status = tern_bfree_wait(&here, &first);
    tap(status == -TERN_ST_STALE_POINTER && owned(&second),
        "who had a slab before cannot give it back");
    tap_evidence("M13", "by_an_old_pointer=%d", -status);
    good = tern_bfree_wait(&here, &last) == 0;
    status = tern_bfree_wait(&here, &last);
    tap(good && status == -TERN_ST_NOT_TAKEN && taken() == SLABS - 1, "a slab is given back once");
    tap_evidence("M13", "twice=%d", -status);
    gives(tern_balloc_wait(&here, &all[SLABS - 1]), 0, "tern_balloc_wait");
}

/* Gives a slab back in the name of `holder`. */
static int freed_by(struct tern_holder holder, const struct tern_slab *slab)
{
    struct tern_allocator other = here;

    other.holder = holder;
    return tern_bfree_wait(&other, slab);
}

static void in_wrong_hands(void)
{
    struct tern_allocator later = here;
    struct tern_slab slab = all[7];
    int status = freed_by((struct tern_holder){me.owner + 1, me.epoch}, &slab);

    tap(status == -TERN_ST_NOT_OWNER && owned(&slab),
        "who is not its owner cannot give a slab back");
    tap_evidence("M13", "by_another=%d", -status);
    tap(freed_by((struct tern_holder){me.owner, me.epoch + 1}, &slab) == -TERN_ST_NOT_OWNER &&
            owned(&slab),
        "nor can its owner in another epoch");
    slab.generation--;
    tap(tern_bfree_wait(&here, &slab) == -TERN_ST_STALE_POINTER && owned(&all[7]),
        "nor with another generation");
    later.blocks.life++;
    later.word = all[7].index / TERN_BLOCK_SLABS;
    gives(tern_bfree_wait(&here, &all[7]), 0, "tern_bfree_wait");
    tap(tern_balloc_wait(&later, &slab) == -TERN_ST_STALE_POINTER && taken() == SLABS - 1,
        "who takes slabs for those of another life gets none");
    gives(tern_balloc_wait(&here, &all[7]), 0, "tern_balloc_wait");
}

static void bad_arguments(void)
{
    const struct tern_completion refused = {.status = TERN_ST_BAD_KEY, .opcode = TERN_OP_TAKE},
                                 refused_free = {.status = TERN_ST_BAD_KEY, .opcode = TERN_OP_CAS};
    struct tern_slab beyond = {.index = SLABS}, slab;
    struct tern_holder nobody = {0, 1};
    _Alignas(64) uint64_t memory[32];
    struct tern_blocks blocks;

    tap(tern_blocks_format(memory + 1, sizeof(memory) - 8, 8, 1, &blocks) == -TERN_ST_BAD_ALIGN &&
            tern_blocks_format(memory, sizeof(memory), 0, 1, &blocks) == -TERN_ST_BAD_SIZE &&
            tern_blocks_format(memory, sizeof(memory), 12, 1, &blocks) == -TERN_ST_BAD_SIZE &&
            tern_blocks_format(memory, sizeof(memory), 256, 1, &blocks) == -TERN_ST_NO_MEMORY &&
            tern_blocks_format(memory, sizeof(memory), 64, 1, &blocks) == 0 && blocks.slabs == 3 &&
            tern_blocks_words(&blocks) == 1 && tern_blocks_head(&blocks) == 32 &&
            (uint32_t)memory[0] == ~UINT32_C(7),
        "memory that slabs cannot be made of is refused");
    tap(tern_balloc_post(here.sq, &here.blocks, WORDS, 0, 0) == -TERN_ST_BAD_RANGE &&
            tern_balloc_post(here.sq, NULL, 0, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
            tern_bfree_post(here.sq, &here.blocks, me, &beyond, 0, 0) == -TERN_ST_BAD_RANGE &&
            tern_bfree_post(here.sq, &here.blocks, me, NULL, 0, 0) == -TERN_ST_BAD_ARGUMENT &&
            tern_bfree_wait(&here, NULL) == -TERN_ST_BAD_ARGUMENT,
        "words and slabs that are none are refused at the door");
    tap(tern_balloc_done(here.sq, &here.blocks, 0, me, &refused, &slab) == -TERN_ST_BAD_KEY &&
            tern_balloc_done(here.sq, &here.blocks, 0, nobody, &refused, &slab) ==
                -TERN_ST_BAD_ARGUMENT &&
            tern_balloc_done(here.sq, &here.blocks, 0, me, &refused_free, &slab) ==
                -TERN_ST_BAD_ARGUMENT &&
            tern_bfree_done(here.sq, &here.blocks, me, &all[0], &refused_free, 0, 0) ==
                -TERN_ST_BAD_KEY &&
            tern_bfree_done(here.sq, &here.blocks, me, &all[0], &refused, 0, 0) ==
                -TERN_ST_BAD_ARGUMENT,
        "what was refused gives and frees no slab");
}

/* Checks that each operation reports a bad key. */
static void bad_keys(void)
{
    struct tern_allocator wrong = here;
    struct tern_slab slab;

    TERN_SET(RPTR, key, wrong.blocks.start.w, TERN_GET(RPTR, key, wrong.blocks.start.w) ^ 0x10000);
    tap(tern_balloc_wait(&wrong, &slab) == -TERN_ST_BAD_KEY &&
            tern_bfree_wait(&wrong, &all[3]) == -TERN_ST_BAD_KEY && taken() == SLABS &&
            owned(&all[3]),
        "with a wrong key nothing is taken or given back");
}

static void give_all_back(void)
{
    bool good = true;

    for (unsigned i = 0; good && i < SLABS; i++)
        good = tern_bfree_wait(&here, &all[i]) == 0;
    tap(good && taken() == 0, "all slabs are free again");
}

/* ---- all clients ---- */

static struct child workers[CLIENTS];
static struct report reports[CLIENTS];

static bool all_do(char word)
{
    bool good = true;

    for (unsigned i = 0; i < CLIENTS; i++)
        good = give_word(&workers[i], word) && good;
    for (unsigned i = 0; i < CLIENTS; i++)
        good = get(workers[i].from, &reports[i], sizeof(reports[i])) && good;
    return good;
}

static void one_word(void)
{
    unsigned posted = 0, wrong = 0;
    uint64_t got = 0;
    bool good = all_do('t');

    for (unsigned i = 0; i < CLIENTS; i++) {
        posted += reports[i].posted;
        wrong += reports[i].wrong;
        for (unsigned k = 0; k < EACH; k++)
            got |= UINT64_C(1) << (reports[i].index[k] - TERN_BLOCK_SLABS) % 64;
    }
    tap(good && wrong == 0 && posted == TERN_BLOCK_SLABS && got == UINT32_MAX &&
            taken() == TERN_BLOCK_SLABS,
        "eight clients of one word get all its slabs, each another one, and none asks twice");
    tap_evidence("B7.11", "slabs=%u requests=%u", TERN_BLOCK_SLABS, posted);
    tap(all_do('f') && taken() == 0, "and give them back");
}

static void turns(void)
{
    unsigned posted = 0, wrong = 0;
    uint64_t frees = 0;
    bool good;

    look();
    frees -= head[0] >> 40;
    good = all_do('c');
    for (unsigned i = 0; i < CLIENTS; i++) {
        posted += reports[i].posted;
        wrong += reports[i].wrong;
    }
    tap(good && wrong == 0 && posted == CLIENTS * rounds() && taken() == 0,
        "no slab has two owners while eight clients take slabs and give them back");
    frees += head[0] >> 40;
    tap(frees == posted, "the map word counts what was given back");
    tap_evidence("B7.11", "taken=%u", posted);
}

/* ---- clients that die ---- */

static int recovered(uint16_t owner, uint16_t epoch)
{
    struct tern_holder dead = {owner, epoch};
    int count = -1;

    if (!give_word(&keeper, 'r') || !give(keeper.to, &dead, sizeof(dead)) ||
        !get(keeper.from, &count, sizeof(count)))
        return -1;
    return count;
}

static void owner_killed(void)
{
    struct tern_slab slab, other;
    bool good = all_do('t');

    gives(tern_balloc_wait(&here, &slab), 0, "tern_balloc_wait");
    child_kill(&workers[VICTIM]);
    tap(good && recovered(VICTIM_NAME, 2) == 0 && recovered(VICTIM_NAME + 100, 1) == 0 &&
            taken() == TERN_BLOCK_SLABS + 1,
        "slabs of those who live are left alone");
    tap(recovered(VICTIM_NAME, 1) == EACH && taken() == TERN_BLOCK_SLABS + 1 - EACH &&
            recovered(VICTIM_NAME, 1) == 0,
        "all slabs of one that was killed are free again");
    look();
    here.word = 1;
    tap(tern_balloc_wait(&here, &other) == 0 &&
            other.generation > (uint32_t)LIFE << TERN_MAP_frees_BITS && owned(&other) &&
            tern_bfree_wait(&here, &other) == 0 && tern_bfree_wait(&here, &slab) == 0,
        "others take them, with a later generation");
    here.word = 0;
}

/* Takes a slab without writing its owner word, as a client that dies then. */
static uint32_t orphan(uint32_t word)
{
    struct tern_completion done;

    gives(tern_balloc_post(here.sq, &here.blocks, word, 0, 0), 0, "tern_balloc");
    done = next(&here, TERN_OP_TAKE);
    return word * TERN_BLOCK_SLABS + (uint32_t)__builtin_ctzll(~done.value);
}

/* ---- slabs that no client gives back */

static struct paces paces = {.member = {{me, 7}, {{me.owner + 1, 1}, UINT32_MAX}}};
static uint64_t seen[SLABS];
static struct tern_grace grace;

enum { MINE, OTHERS, NOBODY = PACES }; /* places */

/* Makes the keeper sweep, after all members except `stopped` have raised their numbers. */
static int sweep(unsigned stopped, uint32_t steps)
{
    paces_go_on(&paces, stopped, steps);
    if (tern_grace_is_over(&grace))
        look();
    return tern_blocks_sweep(&here, head, &grace, seen);
}

static void nobodys(void)
{
    unsigned before = taken();
    struct tern_slab slab;
    bool good;

    grace = paces_grace(&paces);
    tap(sweep(NOBODY, PACE_PERIOD) == (int)before && taken() == 0,
        "all slabs of clients that have left are free again");
    before = 0;
    gives(tern_balloc_wait(&here, &slab), 0, "tern_balloc_wait");
    gives(owned(&slab), true, "its owner");
    (void)orphan(0);
    (void)orphan(0);
    (void)orphan(2);
    good = sweep(NOBODY, PACE_PERIOD) == 0 && sweep(NOBODY, PACE_PERIOD) == 0 && taken() ==
        before + 4;
    tap(good && sweep(NOBODY, PACE_PERIOD) == 3 && taken() == before + 1 && sweep(NOBODY,
        PACE_PERIOD) == 0 &&
        sweep(NOBODY, PACE_PERIOD) == 0 && sweep(NOBODY, PACE_PERIOD) == 0,
        "slabs without an owner are freed at the third look, two grace periods later, and no "
            "others");
    (void)orphan(0);
    good = sweep(NOBODY, PACE_PERIOD) == 0;
    gives(tern_bfree_wait(&here, &slab), 0, "tern_bfree_wait");
    tap(good && sweep(NOBODY, PACE_PERIOD) == 0 && sweep(NOBODY, PACE_PERIOD) == 1 && taken() ==
        before,
        "so they are where others are given back all the time");
}

/* Looks in between without sweeping: it does not count as a look of the sweeps. */
static void own_look(void)
{
    struct tern_pace marks[PACES];
    struct tern_grace own = paces_grace(&paces);
    bool good;

    own.marks = marks;
    good = tern_grace_is_over(&own);
    tern_grace_begin(&own);
    good = good && !tern_grace_is_over(&own);
    paces_go_on(&paces, NOBODY, PACE_PERIOD);
    tap(good && tern_grace_is_over(&own), "a period begins with a look and ends by progress");
    tap(tern_grace_knows(&own, me) &&
            !tern_grace_knows(&own, (struct tern_holder){me.owner, (uint16_t)(me.epoch + 1)}),
        "a holder of another epoch is no member");
}

/* Checks that no grace period ends until a member's number has risen by three or it has left. */
static void periods(void)
{
    unsigned before = taken();
    bool good;

    grace = paces_grace(&paces);
    (void)orphan(0);
    good = sweep(NOBODY, PACE_PERIOD) == 0;
    for (unsigned i = 0; i < 8; i++)
        good = sweep(MINE, PACE_PERIOD) == 0 && good;
    paces_go_on(&paces, NOBODY, 2);
    good = !tern_grace_is_over(&grace) && good;
    tap(good && sweep(MINE, 5) == 0 && taken() == before + 1,
        "a member that has gone on by less than three keeps a slab without an owner from being "
        "freed");
    good = sweep(NOBODY, 1) == 0; /* the second look */
    paces.member[MINE].holder.owner = 0;
    good = good && sweep(NOBODY, 0) == 0;
    paces_go_on(&paces, NOBODY, PACE_PERIOD);
    tap(good && sweep(NOBODY, 0) == 1 && taken() == before,
        "one that has left, or was fenced, keeps none");
    paces.member[MINE].holder = me;
}

/*
 * Checks a slab whose owner is removed at the first look but whose bit is set; at the second look
 * another client has taken it, and the put of its owner word is in flight.
 */
static void half_given_back(void)
{
    struct tern_slab first, second;
    struct tern_completion taken_now;
    bool good;

    grace = paces_grace(&paces);
    gives(tern_balloc_wait(&here, &first), 0, "tern_balloc_wait");
    gives(tern_bfree_post(here.sq, &here.blocks, me, &first, 0, 0), 0, "tern_bfree");
    taken_now = next(&here, TERN_OP_CAS);
    good = sweep(NOBODY, PACE_PERIOD) == 0;
    gives(tern_bfree_done(here.sq, &here.blocks, me, &first, &taken_now, TERN_DFLAG_SIGNAL, 0),
        0, "second half");
    (void)next(&here, TERN_OP_ADD);
    gives(tern_balloc_post(here.sq, &here.blocks, first.index / TERN_BLOCK_SLABS, 0, 0), 0,
        "tern_balloc");
    taken_now = next(&here, TERN_OP_TAKE);
    good = sweep(NOBODY, PACE_PERIOD) == 0 && good;
    gives(tern_balloc_done(here.sq, &here.blocks, first.index / TERN_BLOCK_SLABS, me,
        &taken_now, &second), 0, "tern_balloc_done");
    gives(owned(&second), true, "its owner");
    good = sweep(NOBODY, PACE_PERIOD) == 0 && sweep(NOBODY, PACE_PERIOD) == 0 && good;
    for (unsigned i = 0; i < 4; i++) {
        first = second;
        gives(tern_bfree_post(here.sq, &here.blocks, me, &first, 0, 0), 0, "tern_bfree");
        taken_now = next(&here, TERN_OP_CAS);
        good = sweep(NOBODY, PACE_PERIOD) == 0 && good;
        gives(tern_bfree_done(here.sq, &here.blocks, me, &first, &taken_now, 0, 0), 0,
            "second half");
        gives(tern_balloc_wait(&here, &second), 0, "tern_balloc_wait");
    }
    tap(good && second.index == first.index && tern_bfree_wait(&here, &second) == 0,
        "a slab whose owner word has changed between two looks is not freed");
}

/*
 * A client is stopped after taking a slab and before it sends the owner word; no number of sweeps
 * frees the slab.
 */
static void paused(void)
{
    struct tern_allocator other = here;
    struct tern_completion done;
    struct tern_slab mine, its;
    int freed = 0;

    grace = paces_grace(&paces);
    other.holder = paces.member[OTHERS].holder;
    gives(tern_balloc_post(here.sq, &here.blocks, 0, 0, 0), 0, "tern_balloc");
    done = next(&here, TERN_OP_TAKE);
    for (unsigned i = 0; i < 8; i++)
        freed += sweep(MINE, PACE_PERIOD);
    gives(tern_balloc_wait(&other, &its), 0, "tern_balloc_wait");
    gives(tern_balloc_done(here.sq, &here.blocks, 0, me, &done, &mine), 0, "tern_balloc_done");
    tap(freed == 0 && mine.index != its.index && owned(&mine),
        "a slab of a client that was stopped before it put its name there is not given to another");
    tap(tern_bfree_wait(&here, &mine) == 0 && tern_bfree_wait(&other, &its) == 0,
        "both give back what they have");
    tap_evidence("B7.11", "sweeps=8 freed=%d", freed);
}

/* Every sweep frees slabs of holders that are not in the list, even long after their death. */
static void not_in_the_list(void)
{
    struct tern_allocator gone = here, service = here;
    struct tern_slab slabs[4], kept;
    bool good;

    gone.holder = (struct tern_holder){me.owner + 2, 9};
    service.holder = paces.service = (struct tern_holder){9, 1};
    gives(tern_balloc_wait(&service, &kept), 0, "tern_balloc_wait");
    for (unsigned i = 0; i < 4; i++)
        gives(tern_balloc_wait(i < 3 ? &gone : &here, &slabs[i]), 0, "tern_balloc_wait");
    gives(owned(&slabs[3]), true, "its owner");
    look();
    good = tern_blocks_sweep(&here, head, &grace, seen) == 3;
    gives(tern_balloc_wait(&gone, &slabs[0]), 0, "tern_balloc_wait");
    gives(owned(&slabs[0]), false, "its owner");
    good = good && tern_blocks_sweep(&here, head, &grace, seen) == 1;
    tap(good && tern_bfree_wait(&here, &slabs[3]) == 0 && tern_bfree_wait(&service, &kept) == 0,
        "each sweep frees what an owner has that is no member, and leaves what members and "
            "services have");
}

static void keeper_killed(void)
{
    struct tern_slab slab;
    int status;

    child_kill(&keeper);
    status = tern_balloc_wait(&here, &slab);
    tap(status < 0 && status != -TERN_ST_FULL, "nothing is taken from a host that was killed");
    tap_note("it ends with %s", tern_strerror(status));
}

/* ---- */

static void one_by_one(void)
{
    until_full();
    taken_again();
    in_wrong_hands();
    bad_arguments();
    bad_keys();
    give_all_back();
}

static void all_at_once(const struct rig *rig)
{
    static struct worker jobs[CLIENTS];
    bool good = true;

    for (unsigned i = 0; i < CLIENTS; i++) {
        jobs[i] = (struct worker){rig, here.blocks, i};
        workers[i] = child_start(working, &jobs[i]);
    }
    one_word();
    turns();
    owner_killed();
    for (unsigned i = 0; i < CLIENTS; i++)
        if (i != VICTIM)
            good = give_word(&workers[i], 'q') && child_end(&workers[i]) && good;
    tap(good, "who took part ends well");
}

int main(void)
{
    struct tern_device *device;
    struct tern_blocks blocks;
    struct rig rig;

    signal(SIGPIPE, SIG_IGN);
    rig_start(&rig, (const char *const[]){"--torus", "4x1x1", NULL});
    keeper = child_start(keeping, &rig);
    if (get(keeper.from, &blocks, sizeof(blocks)) && blocks.slabs == SLABS) {
        here = opened(&rig, 0, blocks, me, &device);
        one_by_one();
        all_at_once(&rig);
        nobodys();
        own_look();
    periods();
        half_given_back();
        paused();
        not_in_the_list();
        keeper_killed();
        closed(&here, device);
    } else {
        tap(false, "who keeps the memory has %u slabs", blocks.slabs);
    }
    rig_stop(&rig);
    return tap_end();
}
