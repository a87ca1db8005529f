/* SPDX-License-Identifier: Apache-2.0 */
/* One node requests all statistics of another's firmware, and one that does not exist. */
#include <stddef.h>

#include <tern/ask.h>

#include "rig.h"
#include "rig_tier.h"

enum { PUTS = 5, AREA = 3, EPOCH = 7, PASS = 0x5eed };

static struct rig_end asker, other;

static const struct tern_area_name answers = {.id = AREA, .epoch = EPOCH, .pass = PASS};

static int ask(unsigned which)
{
    return tern_ask(asker.sq, tern_node(1, 0, 0), which, answers, TERN_DFLAG_SIGNAL, which);
}

static bool all_are_taken(void)
{
    bool good = true;

    for (unsigned n = 0; good && n < TERN_ASK_COUNT; n++)
        good = ask(TERN_ASK_FIRST + n) == 0;
    for (unsigned n = 0; good && n < TERN_ASK_COUNT + 1; n++) {
        struct tern_completion done = rig_wait(asker.cq);

        good = done.status == TERN_ST_OK;
        if (done.opcode == TERN_OP_AREA)
            good = good && done.index == AREA && done.imm == EPOCH;
    }
    return good;
}

/* Only this test gives the other node work, so statistics of other work do not change. */
static bool answers_are(const uint64_t *told, const uint64_t *counted)
{
    static const unsigned still[] = {TERN_STAT_fw_puts, TERN_STAT_fw_bcasts, TERN_STAT_used_queues,
                                     TERN_STAT_used_regions, TERN_STAT_used_counters};
    bool good = counted[TERN_STAT_fw_puts] == PUTS;

    for (unsigned i = 0; i < sizeof still / sizeof still[0]; i++)
        good = good && told[still[i] - TERN_ASK_FIRST] == counted[still[i]];
    return good;
}

int main(void)
{
    struct rig rig;
    uint64_t *told, counted[TERN_STAT_COUNT];
    struct tern_area area = {.id = AREA, .epoch = EPOCH, .slots = TERN_ASK_COUNT, .pass = PASS};
    struct tern_completion done;

    rig_start(&rig, (const char *const[]){"--torus", "2x1x1", NULL});
    rig_end_open(&asker, &rig, 0);
    rig_end_open(&other, &rig, 1);
    for (unsigned i = 0; i < PUTS; i++)
        rig_put(&other, &asker, 4096, 64);

    told = (uint64_t *)(void *)asker.buffer;
    area.region = asker.region;
    area.values = told;
    tap(tern_area_arm(asker.device, &area, asker.cq) == 0 && all_are_taken(),
        "the other firmware answers each question by a check-in");
    tap(tern_stats(other.device, counted) == 0 && answers_are(told, counted),
        "the answers are what the other node counts");
    done.status = ask(TERN_STAT_COUNT) ? TERN_ST_BAD_ARGUMENT : rig_wait(asker.cq).status;
    tap(done.status == TERN_ST_BAD_RANGE, "there is no such statistic");

    rig_end_close(&asker);
    rig_end_close(&other);
    rig_stop(&rig);
    return tap_end();
}
