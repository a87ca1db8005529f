/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Check-in areas in a torus 2x2x2: seven nodes check in at the eighth, whose NIC then starts a
 * waiting put without host software.
 *
 * usage: torus_checkin
 */
#include <string.h>
#include <tern/checkin.h>

#include "rig.h"
#include "rig_tier.h"
#include "yard.h"

enum {
    SIDE = 2,
    OTHERS = SIDE * SIDE * SIDE - 1,
    BYTES = 64 << 10, /* of a node's memory */
    VALUES = 4096,    /* in the origin's memory: offset of the values */
    LENGTH = 600,     /* of the put */
    AT = 8192,        /* offset in the target's memory */
    STEP = 64,        /* cycles */
    CALM = 20000,     /* cycles after which nothing moves any more */
    BOUND = 2000000,
    AREA = 3,
    PASS = 0x7e57ed,
    LIMIT = 60000     /* cycles an area waits */
};

enum { WAITED = 1, PUT = 2 }; /* contexts at the origin */

static struct yard yard;
static struct yard_end *origin;

static void run(unsigned cycles)
{
    for (unsigned at = 0; at < cycles; at += STEP)
        tern_sim_run(yard.sim, STEP);
}

static struct tern_completion next(struct yard_end *end)
{
    return yard_next(&yard, end, BOUND);
}

static bool silent(struct yard_end *end)
{
    struct tern_completion got;

    run(CALM);
    return !yard_poll(&yard, end, &got);
}

static uint64_t value_of(unsigned n) { return UINT64_C(0x1122334400000000) + n; }

static void arm(uint16_t epoch, uint32_t limit)
{
    struct tern_area area = {.id = AREA,
                             .epoch = epoch,
                             .slots = OTHERS,
                             .pass = PASS,
                             .limit = limit,
                             .region = origin->region,
                             .values = origin->buffer + VALUES};

    memset(origin->buffer + VALUES, 0, OTHERS * TERN_CHECKIN_BYTES);
    yard_must(tern_area_arm(origin->device, &area, origin->cq), "arm");
}

static void post(unsigned n, struct tern_area_name to, uint16_t slot)
{
    uint64_t value = value_of(n);

    yard_must(tern_checkin(yard.end[n].sq, to, slot, &value, TERN_DFLAG_SIGNAL, n), "check in");
}

static struct tern_area_name area_in(uint16_t epoch)
{
    return (struct tern_area_name){.node = origin->node, .id = AREA, .epoch = epoch, .pass = PASS};
}

/* Node `n` checks in to its slot; returns the status. */
static enum tern_status check_in(unsigned n, uint16_t epoch)
{
    post(n, area_in(epoch), (uint16_t)(n - 1));
    return next(&yard.end[n]).status;
}

static unsigned missing(void)
{
    uint32_t count = 0, first = 0;

    yard_must(tern_area_missing(origin->device, AREA, &count, &first), "missing");
    return count;
}

/* Posts a put of the origin to node 1, after a wait. */
static void put_behind_a_wait(uint16_t epoch)
{
    memset(yard.end[1].buffer + AT, 0, LENGTH);
    memset(origin->buffer, epoch, LENGTH);
    yard_must(tern_wait_area(origin->sq, AREA, epoch, TERN_MORE, WAITED), "wait");
    yard_must(tern_put(origin->sq, tern_region_pointer(yard.end[1].region, AT), origin->region,
                       origin->buffer, LENGTH, TERN_DFLAG_SIGNAL, PUT),
              "put");
}

static bool has_come(uint16_t epoch)
{
    for (unsigned i = 0; i < LENGTH; i++)
        if (yard.end[1].buffer[AT + i] != (uint8_t)epoch)
            return false;
    return true;
}

static bool values_are_there(void)
{
    for (unsigned n = 1; n <= OTHERS; n++) {
        uint64_t value;

        memcpy(&value, origin->buffer + VALUES + TERN_CHECKIN_BYTES * (n - 1), sizeof(value));
        if (value != value_of(n))
            return false;
    }
    return true;
}

static bool area_told(enum tern_status status, uint16_t epoch)
{
    struct tern_completion got = next(origin);

    return got.opcode == TERN_OP_AREA && got.status == status && got.index == AREA &&
           got.imm == epoch;
}

static bool put_ended(enum tern_status status)
{
    struct tern_completion got = next(origin);

    return got.opcode == TERN_OP_PUT && got.context == PUT && got.status == status;
}

/* Returns the doorbells as the node's NIC counts them. */
static uint64_t doorbells_of(unsigned node)
{
    uint64_t stats[TERN_STAT_COUNT];

    yard_must(tern_stats(yard.end[node].device, stats), "statistics");
    return stats[TERN_STAT_doorbells];
}

static void the_last_one_starts_the_put(void)
{
    const uint16_t epoch = 7;
    bool good = true, again;
    uint64_t rings;
    unsigned left;

    arm(epoch, 0);
    put_behind_a_wait(epoch);
    for (unsigned n = 1; n < OTHERS; n++)
        good = check_in(n, epoch) == TERN_ST_OK && good;
    tap(good && silent(origin) && !has_come(epoch), "a_put_behind_a_wait_waits");
    again = check_in(3, epoch) == TERN_ST_OK;
    left = missing();
    tap(again && left == 1 && silent(origin), "the_same_one_again_counts_once");
    tap_evidence("N9", "again=%u left=%u", again, left);
    rings = doorbells_of(0);
    run(CALM); /* the doorbell of the query has arrived */
    yard_watch(&yard);
    good = check_in(OTHERS, epoch) == TERN_ST_OK;
    run(CALM);
    if (!rig_tier_is_soft()) /* the chip's trace port must agree */
        good = good && yard.watch.rings[0] == 0;
    rings = doorbells_of(0) - rings - 1; /* without that of the query */
    tap(good && has_come(epoch) && rings == 0,
        "the_last_check_in_starts_the_put_without_the_origins_software");
    tap_evidence("N8", "slots=%u doorbells=%llu", left, (unsigned long long)rings);
    tap(area_told(TERN_ST_OK, epoch) && put_ended(TERN_ST_OK), "the_host_is_told_of_both");
    tap(values_are_there(), "values_stand_in_their_slots");
}

static void what_does_not_fit_is_refused(void)
{
    struct tern_area_name other = area_in(7), wrong = area_in(8), early = area_in(6);

    arm(8, 0);
    other.id = AREA + 1;
    wrong.pass ^= 1;
    post(1, early, 0);
    tap(next(&yard.end[1]).status == TERN_ST_STALE_EPOCH && missing() == OTHERS,
        "an_older_epoch_changes_nothing");
    post(1, other, 0);
    tap(next(&yard.end[1]).status == TERN_ST_BAD_AREA, "an_area_that_is_not_is_refused");
    post(1, wrong, 0);
    tap(next(&yard.end[1]).status == TERN_ST_BAD_KEY, "a_wrong_pass_is_refused");
    post(1, area_in(8), OTHERS);
    tap(next(&yard.end[1]).status == TERN_ST_BAD_RANGE && missing() == OTHERS,
        "a_slot_that_is_not_is_refused");
}

/* Checks in before the area is armed: the origin's firmware sends the check-in again until then. */
static void who_is_early_is_counted_when_the_time_has_come(void)
{
    post(2, area_in(9), 1);
    run(2 * STEP);
    arm(9, 0);
    tap(next(&yard.end[2]).status == TERN_ST_OK && missing() == OTHERS - 1,
        "who_is_early_is_counted_when_the_time_has_come");
}

static void who_does_not_come_ends_the_wait(void)
{
    const uint16_t epoch = 10;
    struct tern_completion told, waited, put;
    bool good = true;

    arm(epoch, LIMIT);
    put_behind_a_wait(epoch);
    for (unsigned n = 1; n <= OTHERS; n++)
        if (n != 4)
            good = check_in(n, epoch) == TERN_ST_OK && good;
    told = next(origin);
    waited = next(origin);
    put = next(origin);
    tap(good && told.opcode == TERN_OP_AREA && told.status == TERN_ST_TIMEOUT && told.length == 1 &&
            told.value == 3,
        "who_did_not_come_is_named");
    tap(waited.context == WAITED && waited.status == TERN_ST_TIMEOUT && put.context == PUT &&
            put.status == TERN_ST_FLUSHED && silent(origin) && !has_come(epoch),
        "a_wait_that_fails_lets_nothing_behind_it_leave");
}

int main(void)
{
    struct tern_sim_config config = tern_sim_config_default();

    config.dims[0] = config.dims[1] = config.dims[2] = SIDE;
    config.tier = rig_tier_is_soft() ? TERN_TIER_SOFT : TERN_TIER_RTL;
    yard_open_as(&yard, &config, BYTES);
    origin = &yard.end[0];
    the_last_one_starts_the_put();
    what_does_not_fit_is_refused();
    who_is_early_is_counted_when_the_time_has_come();
    who_does_not_come_ends_the_wait();
    yard_close(&yard);
    return tap_end();
}
