/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A completion ring: the firmware writes (fw/proto/done.c, ring.h), the driver takes (cqring.c),
 * from any state of both. In any order of their steps, a completion is taken once, in order and
 * unchanged, and never overwritten before it was taken.
 */
#include "completion.c"
#include "cqring.c"
#include "cqring_nic.h"

enum { LOG2_MAX = 2, WORDS = CQE_WORDS << LOG2_MAX };

static uint32_t words[WORDS];
static struct tern_cqring ring = {.words = words};
static uint32_t written; /* completions the NIC has written, free-running */

static uint32_t entries(void)
{
    return UINT32_C(1) << ring.log2_entries;
}

static const uint32_t *entry_of(uint32_t number)
{
    return &words[(number & (entries() - 1)) * CQE_WORDS];
}

/*
 * Tells whether the entry of `number` holds the last completion written there: of this lap, or of
 * the previous one.
 */
static bool entry_is_of(uint32_t number, uint32_t count)
{
    return TERN_GET(CQE, phase, entry_of(number)) == nic_phase(count, ring.log2_entries);
}

/*
 * The invariant: the NIC writes no more than the doorbell permits; entries that are written and not
 * taken are of this lap, all others of the previous one.
 */
static bool holds(void)
{
    bool good = written - ring.head <= written - ring.rung && written - ring.rung <= entries();

    for (uint32_t i = 0; i < 1u << LOG2_MAX; i++) {
        uint32_t number = ring.head + i;

        if (i >= entries())
            break;
        if (number - ring.head < written - ring.head)
            good = good && entry_is_of(number, number) &&
                   TERN_GET(CQE, lap, entry_of(number)) ==
                       (number & ((UINT32_C(1) << TERN_CQE_lap_BITS) - 1));
        else
            good = good && entry_is_of(number, number - entries());
    }
    return good;
}

static struct said anything(void)
{
    return (struct said){.status = nondet_u8(), .opcode = nondet_u8(), .flags = nondet_u8(),
                         .link = nondet_u8(), .fault = nondet_u8(), .queue = nondet_u16(),
                         .index = nondet_u16(), .node = nondet_u16(), .length = nondet_u32(),
                         .imm = nondet_u32(), .value = nondet_u64()};
}

static void nic_step(void)
{
    struct said said = anything();

    if (nic_used(written, ring.rung, ring.log2_entries) >= entries())
        return;
    PROVE(written - ring.head < entries(), "no completion is written over before it was taken");
    nic_write(words, &said, written++, ring.log2_entries);
    if (written == 0)
        REACHED("the count wraps");
}

static void driver_step(void)
{
    uint32_t cqe[CQE_WORDS], before = ring.head;

    PROVE(tern_cqring_ready(&ring) == (written != ring.head), "ready while something is there");
    if (!tern_cqring_take(&ring, cqe)) {
        PROVE(ring.head == before, "nothing is taken of an empty ring");
        return;
    }
    PROVE(ring.head == before + 1 && before != written, "one is taken");
    PROVE(TERN_GET(CQE, lap, cqe) == (before & ((UINT32_C(1) << TERN_CQE_lap_BITS) - 1)),
          "in its turn");
    if (!tern_cqring_owes(&ring))
        return;
    ring.rung = ring.head;
    REACHED("a doorbell is owed");
}

/* The driver reads the values that the firmware wrote. */
static void words_are_read_as_written(void)
{
    const struct said said = anything();
    uint32_t cqe[CQE_WORDS];
    struct tern_completion out;

    nic_write(cqe, &said, nondet_u32(), 0);
    decode(cqe, &out);
    PROVE(out.status == said.status && out.opcode == said.opcode && out.flags == said.flags &&
              out.link == said.link && out.fault == said.fault && out.queue == said.queue &&
              out.index == said.index && out.node == said.node && out.length == said.length &&
              out.imm == said.imm && out.value == said.value,
          "a completion is read as it was written");
}

void proof(void)
{
    __CPROVER_havoc_object(words);
    ring.log2_entries = any_up_to(LOG2_MAX);
    ring.head = nondet_u32();
    ring.rung = nondet_u32();
    written = nondet_u32();
    ASSUME(holds());
    words_are_read_as_written();
    if (nondet_bool())
        nic_step();
    else
        driver_step();
    PROVE(holds(), "the ring stays good");
    if (written - ring.head == entries())
        REACHED("a full ring");
}
