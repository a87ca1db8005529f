/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests chains in a ring of four. One node posts them. The others hold the words, lists and memory
 * that the chains access; they check in, count bytes, and go away at the end.
 *
 * usage: torus_chains
 */
#include <string.h>

#include <tern/counter.h>
#include <tern/atomic.h>
#include <tern/chain.h>
#include <tern/checkin.h>
#include <tern/read.h>
#include <tern/table.h>

#include "internal.h"
#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    NODES = 4,
    BYTES = 64 << 10,
    STEP = 64,      /* cycles */
    CALM = 30000,   /* cycles after which nothing moves any more */
    BOUND = 4000000,
    LENGTH = 600,   /* bytes of a put */
    AREA = 5,
    COUNTER = 3,
    PASS = 0xc4a1,
    LONG = 4000000, /* cycles an area waits for something that will come */
    SHORT = 60000,
    LATE = 400000   /* maximum delay of a time limit: ticks are some thousand cycles apart */
};

/* The layout of the target's memory. */
enum { LOCK = 0, COUNT = 8, GUARDED = 1024, NODE_AT = 4096, MARKS = 8192 };
/* The layout of the origin's memory. */
enum { SOURCE = 0, FOUND = 4096, COUNTED = 16384 };

static struct yard yard;
static struct yard_end *origin, *target;
static struct tern_rq *inbox; /* of the target */
static struct tern_region *words; /* the target's memory */
static uint16_t epoch = 1;

/* ---- running the ring */

static void run(uint64_t cycles)
{
    for (uint64_t at = 0; at < cycles; at += STEP)
        tern_sim_run(yard.sim, STEP);
}

static struct tern_completion next(void)
{
    return yard_next(&yard, origin, BOUND);
}

static bool silent(struct yard_end *end)
{
    struct tern_completion got;

    run(CALM);
    return !yard_poll(&yard, end, &got);
}

static bool ended(enum tern_status status, unsigned opcode, uint64_t context)
{
    struct tern_completion got = next();

    if (got.status == status && got.opcode == opcode && got.context == context)
        return true;
    tap_note("operation %u, context %llu: %s", got.opcode, (unsigned long long)got.context,
             tern_strerror((int)got.status));
    return false;
}

static struct tern_rptr there(uint64_t offset)
{
    return tern_region_pointer(words, offset);
}

static uint64_t word(uint64_t offset)
{
    uint64_t value;

    memcpy(&value, target->buffer + offset, sizeof(value));
    return value;
}

static void set_word(uint64_t offset, uint64_t value)
{
    memcpy(target->buffer + offset, &value, sizeof(value));
}

static unsigned more; /* TERN_LINK: the next step is not the last of its chain */

static void begin(void)
{
    more = TERN_LINK;
}

/* The next step is the last of its chain. */
static void last(void)
{
    more = 0;
}

/* ---- steps */

static void step_put(uint8_t seed, unsigned flags, uint64_t context)
{
    memset(origin->buffer + SOURCE, seed, LENGTH);
    yard_must(tern_put(origin->sq, there(GUARDED), origin->region, origin->buffer + SOURCE, LENGTH,
                       flags | more, context),
              "put");
}

static void step_lock(uint64_t me)
{
    yard_must(tern_compare_swap(origin->sq, there(LOCK), 0, me, more, 1), "lock");
}

static void step_unlock(uint64_t me)
{
    yard_must(tern_compare_swap(origin->sq, there(LOCK), me, 0, more, 3), "unlock");
}

static void step_send(uint64_t context)
{
    const struct tern_target to = {.node = target->node, .queue = tern_rq_number(inbox)};

    yard_must(tern_send(origin->sq, to, NULL, "done", 4, more, context), "send");
}

static void step_wait(uint64_t context)
{
    yard_must(tern_wait_area(origin->sq, AREA, epoch, more, context), "wait");
}

static bool has_come(uint8_t seed)
{
    return target->buffer[GUARDED] == seed && target->buffer[GUARDED + LENGTH - 1] == seed;
}

static bool message_has_come(void)
{
    struct tern_completion got;

    run(CALM);
    if (!yard_poll(&yard, target, &got))
        return false;
    (void)tern_rq_release(inbox, 1);
    return got.opcode == TERN_OP_RECV && got.length == 4 && memcmp(got.data, "done", 4) == 0;
}

/* ---- in order, by their results */

/* Returns the cycles with a host that waits for each step, without the host's own time. */
static uint64_t cycles_step_by_step(void)
{
    uint64_t since = tern_sim_cycle(yard.sim);

    yard_must(tern_compare_swap(origin->sq, there(LOCK), 0, 7, TERN_DFLAG_SIGNAL, 1), "lock");
    yard_must((int)next().status, "lock");
    step_put(10, TERN_DFLAG_SIGNAL, 2);
    yard_must((int)next().status, "put");
    yard_must(tern_compare_swap(origin->sq, there(LOCK), 7, 0, TERN_DFLAG_SIGNAL, 3), "unlock");
    yard_must((int)next().status, "unlock");
    return tern_sim_cycle(yard.sim) - since;
}

static uint64_t cycles_of_a_chain(void)
{
    uint64_t since = tern_sim_cycle(yard.sim);

    begin();
    step_lock(7);
    step_put(10, 0, 2);
    last();
    step_unlock(7);
    yard_must((int)next().status, "chain");
    return tern_sim_cycle(yard.sim) - since;
}

enum { BETWEEN = 2500 }; /* maximum cycles from the end of a step to the beginning of the next */

static void beside_a_host_that_waits(void)
{
    uint64_t host, chain;

    set_word(LOCK, 0);
    host = cycles_step_by_step();
    chain = cycles_of_a_chain();
    tap(rig_tier_is_soft() || chain < host + 2 * BETWEEN,
        "a_chain_takes_a_stated_time_between_steps");
    if (!rig_tier_is_soft())
        tap_evidence("B7.8", "chain_cycles=%llu step_by_step_cycles=%llu",
                     (unsigned long long)chain, (unsigned long long)host);
}

/* Returns how many doorbells the origin's NIC counted.  Reading the statistics rings one, too. */
static uint64_t bells(void)
{
    uint64_t stats[TERN_STAT_COUNT];

    yard_must(tern_stats(origin->device, stats), "statistics");
    return stats[TERN_STAT_doorbells];
}

static void a_lock_a_put_and_a_message(void)
{
    uint64_t doorbells;
    bool good;

    set_word(LOCK, 0);
    doorbells = bells();
    run(CALM); /* the doorbell of the statistics has come */
    yard_watch(&yard);
    begin();
    step_lock(7);
    step_put(11, 0, 2);
    step_unlock(7);
    run(CALM);
    tap(word(LOCK) == 0 && !has_come(11), "a_chain_that_is_not_posted_does_nothing");
    last();
    step_send(4);
    tap(ended(TERN_ST_OK, TERN_OP_SEND, 4) && has_come(11) && word(LOCK) == 0 &&
            message_has_come() && silent(origin),
        "a_chain_takes_a_lock_puts_gives_it_back_and_tells_of_its_last_step_alone");
    good = rig_tier_is_soft() || yard.watch.rings[0] == 1; /* the wires of the chip */
    doorbells = bells() - doorbells - 1;
    tap(good && doorbells == 1, "all_of_it_is_rung_for_once");
    tap_evidence("B7.8", "steps=4 doorbells=%llu", (unsigned long long)doorbells);
}

static void a_lock_that_somebody_has(void)
{
    struct tern_completion got;

    set_word(LOCK, 99);
    begin();
    step_lock(7);
    step_put(12, 0, 2);
    step_unlock(7);
    last();
    step_send(4);
    got = next();
    tap(got.status == TERN_ST_UNLIKE && got.value == 99 && got.context == 1 &&
            got.opcode == TERN_OP_CAS && got.fault == 2,
        "a_lock_that_somebody_has_ends_the_chain_and_says_who");
    tap(silent(origin) && silent(target) && has_come(11) && word(LOCK) == 99,
        "nothing_behind_it_happens");
    set_word(LOCK, 0);
    begin();
    step_lock(8);
    step_put(13, TERN_DFLAG_SIGNAL, 2);
    last();
    step_unlock(8);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 2) && ended(TERN_ST_OK, TERN_OP_CAS, 3) && has_come(13) &&
            word(LOCK) == 0,
        "the_next_chain_goes,_and_a_step_tells_if_it_is_asked_to");
}

static void sums_decide_too(void)
{
    const struct tern_masked if_small = {
        .compare = 0, .compare_mask = ~UINT64_C(0xff), .swap = 5, .swap_mask = UINT64_MAX};

    set_word(COUNT, 250);
    for (unsigned turn = 0; turn < 2; turn++) {
        begin();
        yard_must(tern_fetch_add_masked(origin->sq, there(COUNT), &if_small, more, 5), "add");
        last();
        yard_must(tern_fetch_add_masked(origin->sq, there(COUNT), &if_small, more, 6), "add");
        if (turn == 0)
            tap(ended(TERN_ST_OK, TERN_OP_ADD, 6) && word(COUNT) == 260,
                "a_sum_under_a_mask_goes_as_long_as_it_may");
    }
    tap(ended(TERN_ST_UNLIKE, TERN_OP_ADD, 5) && silent(origin) && word(COUNT) == 260,
        "and_no_further");
}

static void look_up(uint64_t key, uint64_t context)
{
    const struct tern_chase chase = {.key = key, .nodes = 4};

    yard_must(tern_chase(origin->sq, there(NODE_AT), &chase, origin->region, origin->buffer + FOUND,
                         TERN_NODE_BYTES, more, context),
              "chase");
}

static void lookups_decide(void)
{
    tern_linked_init(target->buffer + NODE_AT, 42, 1);
    begin();
    look_up(42, 1);
    last();
    step_put(14, 0, 2);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 2) && has_come(14),
        "what_a_lookup_finds_lets_the_chain_go_on");
    begin();
    look_up(43, 1);
    last();
    step_put(15, 0, 2);
    tap(ended(TERN_ST_NOT_FOUND, TERN_OP_LOOKUP, 1) && silent(origin) && has_come(14),
        "what_is_not_there_ends_it");
}

/* Checks that a read in a chain returns the bytes that the step before it has put. */
static void a_read_sees_the_put_before_it(void)
{
    uint8_t *at = origin->buffer + FOUND;

    memset(at, 0, LENGTH);
    begin();
    step_put(16, 0, 1);
    yard_must(tern_read(origin->sq, there(GUARDED), origin->region, at, LENGTH, more, 2), "read");
    last();
    yard_must(tern_nop(origin->sq, more, 3), "nop");
    tap(ended(TERN_ST_OK, TERN_OP_NOP, 3) && at[0] == 16 && at[LENGTH - 1] == 16,
        "a_read_sees_the_put_before_it");
}

/* ---- events that start chains */

static void arm(uint32_t slots, uint32_t limit)
{
    const struct tern_area area = {
        .id = AREA, .epoch = ++epoch, .slots = slots, .pass = PASS, .limit = limit};

    yard_must(tern_area_arm(origin->device, &area, NULL), "arm");
}

static enum tern_status check_in(unsigned n, uint16_t slot)
{
    const struct tern_area_name to = {
        .node = origin->node, .id = AREA, .epoch = epoch, .pass = PASS};

    yard_must(tern_checkin(yard.end[n].sq, to, slot, NULL, TERN_DFLAG_SIGNAL, 0), "check in");
    return yard_next(&yard, &yard.end[n], BOUND).status;
}

static void post_waiting(uint8_t seed)
{
    begin();
    step_wait(1);
    step_put(seed, 0, 2);
    last();
    step_send(3);
}

static void check_ins_start_it(void)
{
    bool good;

    arm(2, LONG);
    post_waiting(20);
    good = check_in(2, 0) == TERN_ST_OK && silent(origin) && !has_come(20);
    tap(good, "a_chain_waits_for_all_who_have_to_check_in");
    good = check_in(3, 1) == TERN_ST_OK;
    tap(good && ended(TERN_ST_OK, TERN_OP_SEND, 3) && has_come(20) && message_has_come(),
        "the_last_check_in_starts_it");
}

static void a_counter_starts_it(void)
{
    struct tern_region *counted;
    bool good;

    arm(1, LONG);
    yard_must(tern_counter_set(origin->device, COUNTER, 0), "own the counter");
    yard_must(tern_register_with(origin->device,
            &(struct tern_region_attr){.addr = origin->buffer + COUNTED, .bytes = LENGTH,
                                       .rights = TERN_RIGHT_REMOTE_WRITE, .counted = true,
                                       .counter = COUNTER},
            &counted), "register");
    tap(tern_counter_fills_area(origin->device, COUNTER, LENGTH, AREA + 1) == -TERN_ST_BAD_AREA &&
            tern_counter_fills_area(origin->device, COUNTER, LENGTH, 999) == -TERN_ST_BAD_AREA &&
            tern_counter_fills_area(origin->device, COUNTER, 0, AREA) == -TERN_ST_BAD_ARGUMENT,
        "a_counter_fills_an_area_of_its_own_function");
    yard_must(tern_counter_fills_area(origin->device, COUNTER, LENGTH, AREA), "counter");
    post_waiting(21);
    for (unsigned i = 0; i < 2; i++) {
        yard_must(tern_put(target->sq, tern_region_pointer(counted, i * LENGTH / 2), target->region,
                           target->buffer, LENGTH / 2, TERN_DFLAG_SIGNAL, 0),
                  "put");
        good = yard_next(&yard, target, BOUND).status == TERN_ST_OK;
        if (i == 0)
            tap(good && silent(origin) && !has_come(21), "a_chain_waits_for_a_counter");
    }
    tap(good && ended(TERN_ST_OK, TERN_OP_SEND, 3) && has_come(21) && message_has_come(),
        "it_starts_when_that_is_zero");
    tap_evidence("N7b", "puts=2 bytes=%u", (unsigned)LENGTH);
    yard_must(tern_release(counted), "release");
}

/* ---- events that end chains */

static void a_time_limit_ends_it(void)
{
    uint64_t since;
    bool good;

    arm(1, SHORT);
    since = tern_sim_cycle(yard.sim);
    post_waiting(22);
    good = ended(TERN_ST_TIMEOUT, TERN_OP_WAIT, 1);
    tap(good && tern_sim_cycle(yard.sim) - since < LATE && silent(origin) && !has_come(22),
        "a_time_limit_ends_it");
    tap_evidence("B7.9", "limit=%u ended_after=%llu", (unsigned)SHORT,
                 (unsigned long long)(tern_sim_cycle(yard.sim) - since));
}

static void what_has_no_end_is_refused(void)
{
    arm(1, 0);
    post_waiting(23);
    tap(ended(TERN_ST_CHAIN_TOO_LONG, TERN_OP_WAIT, 1) && silent(origin) && !has_come(23),
        "a_wait_without_a_limit_is_refused");
    arm(1, LONG);
    epoch++;
    post_waiting(23);
    tap(ended(TERN_ST_CHAIN_TOO_LONG, TERN_OP_WAIT, 1) && silent(origin),
        "a_wait_for_what_is_not_armed_is_refused");
    epoch--;
}

static void too_many_steps(void)
{
    unsigned steps = 0;
    int status;

    while ((status = tern_nop(origin->sq, TERN_LINK, 0)) == 0)
        steps++;
    tap(status == -TERN_ST_CHAIN_TOO_LONG && steps == TERN_CHAIN_STEPS && silent(origin),
        "a_chain_of_too_many_steps_is_refused_and_nothing_of_it_posted");
    yard_must(tern_nop(origin->sq, TERN_DFLAG_SIGNAL, 7), "nop");
    tap(ended(TERN_ST_OK, TERN_OP_NOP, 7) && silent(origin),
        "an_operation_after_it_is_no_step_of_it");
    tern_chain_drop(origin->sq);
}

static bool cancelled(void)
{
    bool answer = false;

    yard_must(tern_chain_cancel(origin->sq, &answer), "cancel");
    return answer;
}

static void a_waiting_chain_is_cancelled(void)
{
    tap(!cancelled(), "where_nothing_is_nothing_is_cancelled");
    arm(1, LONG);
    post_waiting(24);
    run(CALM);
    tap(cancelled() && ended(TERN_ST_CANCELLED, TERN_OP_WAIT, 1) && silent(origin) && !has_come(24),
        "a_chain_that_waits_is_cancelled");
    tap(check_in(2, 0) == TERN_ST_OK && silent(origin) && !has_come(24),
        "what_it_waited_for_comes_too_late");
    step_put(25, TERN_DFLAG_SIGNAL, 1);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 1) && has_come(25), "the_next_one_goes");
}

/* Posts steps that each write a mark. */
static void post_marks(unsigned steps)
{
    memset(target->buffer + MARKS, 0, 4096);
    memset(origin->buffer + SOURCE, 1, 64);
    for (unsigned i = 0; i < steps; i++)
        yard_must(tern_put_inline(origin->sq, there(MARKS + 8 * i), origin->buffer + SOURCE, 8,
                                  i + 1 < steps ? TERN_LINK : 0, i),
                  "mark");
}

static unsigned marks(void)
{
    unsigned count = 0;

    while (count < TERN_CHAIN_STEPS && word(MARKS + 8 * count) != 0)
        count++;
    return count;
}

static void run_until_marked(unsigned count)
{
    uint64_t since = tern_sim_cycle(yard.sim);

    while (marks() < count && tern_sim_cycle(yard.sim) - since < BOUND)
        run(STEP);
}

static void a_running_chain_is_cancelled(void)
{
    struct tern_completion got;
    unsigned done;
    bool good;

    post_marks(TERN_CHAIN_STEPS);
    run_until_marked(3);
    good = cancelled();
    got = next();
    done = marks();
    good = good && got.status == TERN_ST_FLUSHED && got.context == done && done < TERN_CHAIN_STEPS;
    tap((good || rig_tier_is_soft()) && silent(origin) &&
            marks() == done, /* a chain with all it waits for ends at once */
        "of_a_chain_that_runs_what_has_not_begun_does_not_happen");
    tap_evidence("B7.9", "cancelled_after=%u of=%u", done, (unsigned)TERN_CHAIN_STEPS);
    post_marks(5);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 4) && marks() == 5, "and_the_next_one_goes");
}

/* ---- a chain does not make other queues wait */

enum {
    SAMPLES = 6,
    OTHER = 1000,
    TURN = 6000 /* cycles: the chip fetches a chain that cannot start twice */
};

static unsigned chains_told;

/* Returns the longest time of a put of another queue, from post to completion, in cycles. */
static uint64_t slowest_put(struct tern_sq *other)
{
    uint64_t most = 0;

    for (unsigned i = 0; i < SAMPLES; i++) {
        uint64_t since = tern_sim_cycle(yard.sim);
        struct tern_completion got;

        yard_must(tern_put(other, there(GUARDED), origin->region, origin->buffer, LENGTH,
                           TERN_DFLAG_SIGNAL, OTHER),
                  "put");
        got = next();
        if (got.context != OTHER) { /* the chain ended before it */
            chains_told++;
            got = next();
        }
        if (tern_sim_cycle(yard.sim) - since > most)
            most = tern_sim_cycle(yard.sim) - since;
    }
    return most;
}

static void others_have_their_turns(void)
{
    struct tern_sq *other;
    uint64_t alone, beside;
    unsigned done;

    yard_must(tern_sq_create(origin->cq, 4, &other), "another queue");
    alone = slowest_put(other);
    post_marks(TERN_CHAIN_STEPS);
    beside = slowest_put(other);
    done = marks();
    tap(rig_tier_is_soft() ||
            (chains_told == 0 && done < TERN_CHAIN_STEPS && beside < alone + TURN),
        "puts_of_another_queue_do_not_wait_for_a_chain_to_end");
    tap_evidence("B7.10", "put_alone=%llu beside_a_chain=%llu steps_meanwhile=%u",
                 (unsigned long long)alone, (unsigned long long)beside, done);
    tap((chains_told == 1 || ended(TERN_ST_OK, TERN_OP_PUT, TERN_CHAIN_STEPS - 1)) &&
            marks() == TERN_CHAIN_STEPS,
        "the_chain_ends_well_beside_them");
    yard_must(tern_sq_destroy(other), "destroy");
}

/* ---- without a fence, as in programs with many operations in flight */

static void post_bare(struct tern_rptr at, bool linked, uint64_t context)
{
    uint32_t w[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, w, TERN_OP_PUT);
    TERN_SET(DESC, length, w, 8);
    TERN_SET(DESC, decides, w, 1);
    TERN_SET(DESC, linked, w, linked);
    tern_desc_set_remote(w, at);
    tern_desc_set_local(w, origin->region, origin->buffer);
    yard_must(tern_post(origin->sq, w, TERN_DFLAG_SIGNAL, context), "post");
}

static void a_queue_stops_at_its_first_error(void)
{
    struct tern_rptr wrong = there(0);
    bool good;

    TERN_SET(RPTR, key, wrong.w, TERN_GET(RPTR, key, wrong.w) ^ 1);
    post_bare(there(GUARDED), false, 1);
    post_bare(wrong, true, 2);
    good = ended(TERN_ST_OK, TERN_OP_PUT, 1) && ended(TERN_ST_BAD_KEY, TERN_OP_PUT, 2);
    post_bare(there(GUARDED), true, 3);
    post_bare(there(GUARDED), true, 4);
    good = good && ended(TERN_ST_FLUSHED, TERN_OP_PUT, 3) && ended(TERN_ST_FLUSHED, TERN_OP_PUT, 4);
    tap(good, "what_is_linked_is_flushed_after_an_error");
    post_bare(there(GUARDED), false, 5);
    post_bare(there(GUARDED), true, 6);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 5) && ended(TERN_ST_OK, TERN_OP_PUT, 6),
        "what_is_not_lets_the_queue_go_on");
}

/* ---- chains whose queue, function or target goes away */

static void its_queue_is_destroyed(void)
{
    struct tern_sq *kept = origin->sq;

    yard_must(tern_sq_create(origin->cq, 6, &origin->sq), "a queue");
    arm(1, LONG);
    post_waiting(30);
    run(CALM);
    yard_must(tern_sq_destroy(origin->sq), "destroy one that waits");
    tap(check_in(2, 0) == TERN_ST_OK && silent(origin) && !has_come(30),
        "a_chain_that_waits_goes_with_its_queue");
    yard_must(tern_sq_create(origin->cq, 6, &origin->sq), "a queue");
    post_marks(TERN_CHAIN_STEPS);
    run_until_marked(3);
    yard_must(tern_sq_destroy(origin->sq), "destroy one that runs");
    tap(marks() < TERN_CHAIN_STEPS && silent(origin), "so_does_one_that_runs");
    origin->sq = kept;
    step_put(31, TERN_DFLAG_SIGNAL, 1);
    tap(ended(TERN_ST_OK, TERN_OP_PUT, 1) && has_come(31), "others_are_as_they_were");
}

static int pass_time(void *arg)
{
    (void)arg;
    run(STEP);
    return 0;
}

static void its_function_goes(void)
{
    struct yard_end *end = &yard.end[3];
    uint64_t before[TERN_STAT_COUNT], after[TERN_STAT_COUNT];
    const struct tern_area area = {.id = AREA, .epoch = 1, .slots = 1, .pass = PASS, .limit = LONG};
    struct tern_device *second;
    struct tern_cq *cq;
    struct tern_sq *sq;
    int fd = tern_sim_connect(yard.sim, 3);

    yard_must(tern_stats(end->device, before), "stats");
    yard_must(tern_open_fd(fd, pass_time, NULL, &second), "a second function");
    yard_must(tern_cq_create(second, 5, TERN_CQ_POLLED, &cq), "cq");
    yard_must(tern_sq_create(cq, 5, &sq), "sq");
    yard_must(tern_area_arm(second, &area, NULL), "arm");
    yard_must(tern_counter_fills_area(second, COUNTER, 1, AREA), "counter");
    yard_must(tern_wait_area(sq, AREA, 1, TERN_LINK, 0), "wait");
    yard_must(tern_nop(sq, 0, 0), "nop");
    run(CALM);
    tern_close(second);
    run(10 * CALM);
    yard_must(tern_stats(end->device, after), "stats");
    tap(after[TERN_STAT_used_queues] == before[TERN_STAT_used_queues] &&
            after[TERN_STAT_used_counters] == before[TERN_STAT_used_counters],
        "a_chain_goes_with_its_function_and_leaves_nothing");
    yard_must(tern_area_arm(end->device, &area, NULL), "arm what it had");
    tap(true, "what_it_waited_for_is_free");
}

static void its_target_dies(void)
{
    struct tern_completion got;

    set_word(LOCK, 0);
    arm(1, LONG);
    begin();
    step_lock(7);
    step_wait(2);
    step_put(32, 0, 3);
    last();
    step_unlock(7);
    run(CALM);
    tern_net_kill(tern_sim_net(yard.sim), 1, true);
    tap(word(LOCK) == 7 && check_in(3, 0) == TERN_ST_OK,
        "a_chain_stands_in_its_middle_when_its_target_dies");
    got = next();
    tap((got.status == TERN_ST_TIMEOUT || got.status == TERN_ST_LINK_DOWN) && got.context == 3 &&
            silent(origin) && !has_come(32),
        "the_step_that_needs_it_ends_the_chain");
    tap_note("it ends with %s", tern_strerror((int)got.status));
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = NODES;
    config.dims[1] = config.dims[2] = 1;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    origin = &yard.end[0];
    target = &yard.end[1];
    yard_must(
        tern_register(target->device, target->buffer, BYTES,
                      TERN_RIGHT_REMOTE_READ | TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC,
                      &words),
        "register");
    yard_must(tern_rq_create(target->cq, 3, 6, TERN_QUEUE_ANY, &inbox), "FIFO");
    beside_a_host_that_waits();
    a_lock_a_put_and_a_message();
    a_lock_that_somebody_has();
    sums_decide_too();
    lookups_decide();
    a_read_sees_the_put_before_it();
    check_ins_start_it();
    a_counter_starts_it();
    a_time_limit_ends_it();
    what_has_no_end_is_refused();
    too_many_steps();
    a_waiting_chain_is_cancelled();
    a_running_chain_is_cancelled();
    others_have_their_turns();
    a_queue_stops_at_its_first_error();
    its_queue_is_destroyed();
    its_function_goes();
    its_target_dies();
    yard_close(&yard);
    return tap_end();
}
