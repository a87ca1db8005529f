/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Members of a pool that stop in the gap that a rule of the pool is for: between two messages of an
 * operation.  In the gap leases end, the server buries, looks and sweeps, and other members work.
 * Afterwards the member goes on, or never does.  All is one process, whose clock the test moves, so
 * each run takes the same steps.
 *
 * A held member renews its lease in the gap.  A paused one goes on after the server has buried it.
 * A killed one sends nothing more.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <tern/atomic.h>
#include <tern/table_shared.h>

#include "heap_yard.h"

enum {
    A, B, PAIR,
    BLOCKS = 2, SIZE = 200,
    LEASE = 400, QUARTERS = 4, /* ms; of a lease */
    ROUND = 2000, /* cycles in which all that was posted ends */
    LONG = 20,    /* quarters: three looks with all grace periods between them, and more */
    DEATH = 6,    /* in which a member that does not renew is buried */
    ANY_MESSAGE = 256,
    CYCLES = 1000, /* of a millisecond */
};

enum form { HELD, PAUSED, KILLED, FORMS };
static const char *const forms[FORMS] = {"held", "paused", "killed"};

/* ---- the clock: --wrap=clock_gettime */

int __real_clock_gettime(clockid_t which, struct timespec *now);
int __wrap_clock_gettime(clockid_t which, struct timespec *now);

static int64_t clock_ms = 1000;

int __wrap_clock_gettime(clockid_t which, struct timespec *now)
{
    int64_t ms = clock_ms;

    if (which != CLOCK_MONOTONIC)
        return __real_clock_gettime(which, now);
    if (rig_sim)
        ms += (int64_t)(tern_sim_cycle(rig_sim) / CYCLES);
    *now = (struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
    return 0;
}

static bool is_half_way; /* A is in the midst of an operation, which is not to go on */

static void renew(unsigned i)
{
    if (i == A && is_half_way)
        (void)tern_member_renew(yard.member[i]);
    else
        (void)tern_heap_renew(yard.heap[i]);
}

/* So many quarters of a lease pass, in which these members renew, one bit each. */
static void pass(unsigned quarters, unsigned living)
{
    while (quarters--) {
        clock_ms += LEASE / QUARTERS;
        for (unsigned i = 0; i < PAIR; i++)
            if (living >> i & 1)
                renew(i);
        yard_run(ROUND);
    }
}

/* ---- the gap: before a message of member A */

static struct {
    unsigned opcode, skip; /* of the message; messages of the kind that pass before */
    void (*during)(void);
    bool kill, armed, met;
    bool dead; /* A sends nothing more */
} gap;

static int stop(struct tern_device *device, unsigned opcode)
{
    if (device != yard.device[A])
        return 0;
    if (gap.dead)
        return -TERN_ST_DISCONNECTED;
    if (!gap.armed || (gap.opcode != ANY_MESSAGE && gap.opcode != opcode))
        return 0;
    if (gap.skip) {
        gap.skip--;
        return 0;
    }
    gap.armed = false;
    gap.met = true;
    gap.dead = gap.kill;
    if (gap.during)
        gap.during();
    return gap.dead ? -TERN_ST_DISCONNECTED : 0;
}

static void arm(unsigned opcode, unsigned skip, enum form form, void (*during)(void))
{
    memset(&gap, 0, sizeof(gap));
    gap.opcode = opcode;
    gap.skip = skip;
    gap.kill = form == KILLED;
    gap.during = during;
    gap.armed = true;
}

static void hold(void)
{
    is_half_way = true;
    pass(LONG, 1u << A | 1u << B);
    is_half_way = false;
}

static void bury(void)
{
    pass(DEATH, 1u << B);
}

/* Returns the event that A meets in a gap. */
static void (*happens(enum form form))(void)
{
    return form == HELD ? hold : bury;
}

static unsigned taken(void)
{
    uint64_t bytes;

    return yard_taken(&bytes);
}

/* ---- heaps: two members, each with a good block */

static void open_pair(enum tern_alloc_path path)
{
    const struct tern_heap_config config = {.path = path};

    memset(&gap, 0, sizeof(gap));
    yard_join(PAIR, &config);
    for (unsigned i = 0; i < PAIR; i++) {
        struct tern_ptr at;

        rig_need(tern_alloc(yard.heap[i], SIZE, &at), "tern_alloc");
        rig_need(tern_free(yard.heap[i], at), "tern_free");
    }
    yard_run(ROUND);
    renew(A); /* hears the ends of all that was posted */
    renew(B);
}

static void close_pair(void)
{
    memset(&gap, 0, sizeof(gap));
    yard_quit();
    pass(2, 0);
}

/* Rules 1 and 3: A has taken a slab, and has not put its name to it. */
static void take_gap(enum form form)
{
    struct tern_heap_done done = {.status = -1};
    unsigned during, after;
    bool good;

    open_pair(TERN_ALLOC_FAST);
    rig_need(tern_alloc_post(yard.heap[A], TERN_ALLOC_ANY, SIZE, 0), "tern_alloc_post");
    yard_run(ROUND);
    during = taken();
    happens(form)();
    after = taken();
    if (form == HELD) {
        while (tern_heap_poll(yard.heap[A], &done, 1) != 1)
            yard_run(ROUND);
        good = during == 1 && after == 1 && done.status == 0 && taken() == 1 &&
               tern_free(yard.heap[A], done.at) == 0;
    } else {
        while (form == PAUSED && tern_heap_poll(yard.heap[A], &done, 1) != 1)
            yard_run(ROUND);
        yard_run(ROUND);
        good = during == 1 &&
               (form == KILLED || tern_heap_renew(yard.heap[A]) == -TERN_ST_LEASE_OVER);
    }
    pass(LONG, 1u << B);
    tap(good && taken() == 0, "rules 1, 3: %s between TAKE and the put of its name: %s",
        forms[form], form == HELD ? "the slab stays its own" : "the slab comes back");
    tap_evidence("M14", "during=%u after=%u left=%u", during, after, taken());
    close_pair();
}

static unsigned held_taken;

static void hold_and_count(void)
{
    hold();
    held_taken = taken();
}

/* Rule 3: A gives a slab back; no name is on it, and its bit is still set. */
static void give_gap(enum form form)
{
    struct tern_ptr at;
    int status;

    open_pair(TERN_ALLOC_FAST);
    rig_need(tern_alloc(yard.heap[A], SIZE, &at), "tern_alloc");
    held_taken = 1;
    arm(TERN_OP_ADD, 0, form, form == HELD ? hold_and_count : bury);
    status = tern_free(yard.heap[A], at);
    pass(LONG, 1u << B);
    tap(gap.met && held_taken == 1 && taken() == 0 && (form != HELD || status == 0),
        "rule 3: %s between the two words of a slab that it gives back: it is free once",
        forms[form]);
    tap_evidence("M14", "status=%d left=%u", status, taken());
    close_pair();
}

/* Rule 4: A hands a slab on, and stops before the owner word changes. */
static void hand_on_gap(enum form form)
{
    struct tern_ptr at;
    int status, by_b;

    open_pair(TERN_ALLOC_FAST);
    rig_need(tern_alloc(yard.heap[A], SIZE, &at), "tern_alloc");
    arm(TERN_OP_CAS, 0, form, happens(form));
    status = tern_hand_on(yard.heap[A], at, tern_member_holder(yard.member[B]));
    pass(LONG, 1u << B);
    by_b = tern_free(yard.heap[B], at);
    yard_run(ROUND);
    tap(gap.met && (status == 0) == (form == HELD) && (by_b == 0) == (form == HELD) && taken() == 0,
        "rule 4: %s before the owner word changes: %s", forms[form],
        form == HELD ? "the slab is another's afterwards" : "the slab was handed to no other");
    close_pair();
}

/* Rule 4: A dies when it has handed a slab on: B has it, and uses it. */
static void handed_on(enum form form)
{
    struct tern_ptr at;
    bool whole;

    open_pair(TERN_ALLOC_FAST);
    rig_need(tern_alloc(yard.heap[A], SIZE, &at), "tern_alloc");
    rig_need(tern_hand_on(yard.heap[A], at, tern_member_holder(yard.member[B])), "tern_hand_on");
    rig_fill(yard_bytes(at), SIZE, 5);
    arm(ANY_MESSAGE, 0, form, NULL);
    pass(LONG, 1u << B);
    whole = taken() == 1 && rig_holds(yard_bytes(at), SIZE, 5) &&
            tern_free(yard.heap[B], at) == 0;
    yard_run(ROUND);
    tap(whole && taken() == 0,
        "rule 4: %s when the owner word has changed: the slab stays another's", forms[form]);
    close_pair();
}

/* B's lease ends; A is still a member. */
static void bury_b(void)
{
    is_half_way = true;
    pass(2, 1u << A);
    is_half_way = false;
}

/* Rule 5: A hands a slab to B, which is buried before the owner word changes. */
static void to_the_dead(void)
{
    struct tern_ptr at;
    int status;

    open_pair(TERN_ALLOC_FAST);
    rig_need(tern_alloc(yard.heap[A], SIZE, &at), "tern_alloc");
    pass(3, 1u << A);
    arm(TERN_OP_CAS, 0, HELD, bury_b);
    status = tern_hand_on(yard.heap[A], at, tern_member_holder(yard.member[B]));
    pass(LONG, 1u << A);
    tap(gap.met && status == 0 && taken() == 0,
        "rule 5: held until the next holder is buried: the slab comes back all the same");
    tap_evidence("M14", "status=%d left=%u", status, taken());
    close_pair();
}

/* Literal: A stops before each of its messages, to take a slab and to give it back. */
static void literal_gaps(enum form form)
{
    unsigned gaps = 0, wrong = 0;

    unsigned step = rig_tier_is_soft() ? 1 : 8; /* on rtl not all of them */

    for (unsigned skip = 0; skip < 10; skip += step) {
        struct tern_ptr at;
        int status;

        open_pair(TERN_ALLOC_LITERAL);
        arm(ANY_MESSAGE, skip, form, form == HELD ? hold : bury);
        status = tern_alloc(yard.heap[A], SIZE, &at);
        if (!status)
            status = tern_free(yard.heap[A], at);
        gaps += gap.met;
        wrong += gap.met && form == HELD && status != 0;
        pass(LONG, 1u << B);
        wrong += taken() != 0;
        close_pair();
    }
    tap(gaps > 6 / step && wrong == 0,
        "rules 1, 3, 5: %s before a message of the literal path: no slab is lost", forms[form]);
    tap_evidence("M14", "gaps=%u wrong=%u", gaps, wrong);
}

int main(void)
{
    yard.lease_ms = LEASE;
    yard.gap = stop;
    yard_open(BLOCKS);
    for (enum form form = HELD; form < FORMS; form++) {
        take_gap(form);
        give_gap(form);
        hand_on_gap(form);
        if (form != HELD)
            handed_on(form);
        literal_gaps(form);
    }
    to_the_dead();
    yard_close();
    return tap_end();
}
