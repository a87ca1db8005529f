/* SPDX-License-Identifier: Apache-2.0 */
/* Plans a round from the seed and its number. */
#include "chaos.h"
#include "rig_tier.h"

/* splitmix64 */
uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)(random_next(state) >> 32) % bound;
}

const char *moment_name(enum moment moment)
{
    static const char *const names[MOMENTS] = {"opening", "registering", "ringing", "moving",
                                               "completed"};

    return names[moment];
}

const char *victim_name(enum victim victim)
{
    static const char *const names[VICTIMS] = {"sender", "receiver", "both"};

    return names[victim];
}

struct plan plan_of(uint64_t seed, unsigned round)
{
    static const uint8_t victims[] = {KILL_SENDER,   KILL_RECEIVER, KILL_SENDER,
                                      KILL_RECEIVER, KILL_SENDER,   KILL_RECEIVER,
                                      KILL_SENDER,   KILL_RECEIVER, KILL_BOTH};
    static const enum moment moments[] = {AT_MOVING, AT_RINGING, AT_COMPLETED, AT_REGISTERING,
                                          AT_OPENING};
    static const uint8_t points[MOMENTS] = {6, 40, 100, 12, 40};
    uint64_t state = seed * UINT64_C(0x2545f4914f6cdd1d) + round;
    uint32_t longest = rig_tier_is_soft() ? 400 : 5000;
    struct plan plan = {.round = round};

    plan.from = random_below(&state, NODES);
    plan.to = (plan.from + 1) % NODES; /* the node to which a bystander puts, too */
    /* All combinations within 45 rounds, and never the same kind twice in a row. */
    plan.victim = victims[(round + seed) % sizeof(victims)];
    plan.moment = moments[round % MOMENTS];
    plan.receiver_counts = plan.victim == KILL_RECEIVER && plan.moment <= AT_RINGING;
    plan.points = 1 + random_below(&state, points[plan.moment]);
    plan.delay_us = random_below(&state, 3) == 0 ? 0 : random_below(&state, longest);
    plan.sender_by_message = random_below(&state, 4) == 0;
    plan.receiver_by_message = random_below(&state, 4) == 0;
    plan.random = random_next(&state);
    return plan;
}
