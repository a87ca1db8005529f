/* SPDX-License-Identifier: Apache-2.0 */
/* Index arithmetic of rings (fw/proto/ring.h): all sizes, all indices, across every wrap. */
#include "proof.h"

#include "ring.h"
#include "tern_abi.h"

static void used_is_what_lies_between(uint32_t producer, uint32_t consumer, unsigned log2)
{
    uint32_t size = 1u << log2, used = ring_used(producer, consumer & RING_INDEX_MASK, log2);

    PROVE(used <= size, "never more than the ring holds");
    if (producer - consumer <= size)
        PROVE(used == producer - consumer, "exact while the consumer keeps to the ring");
    if (producer < consumer && used == size)
        REACHED("a full ring round the wrap of 32 bits");
    if (((producer ^ consumer) & RING_INDEX_MASK) > 1u << 23 && used == 1)
        REACHED("one entry round the wrap of 24 bits");
}

/* Two entries in the ring at the same time. */
static void entries_are_apart(uint32_t a, uint32_t b, unsigned log2, uint32_t entry_bytes)
{
    uint32_t size = 1u << log2;
    uint32_t at_a = ring_offset(a, log2, entry_bytes), at_b = ring_offset(b, log2, entry_bytes);

    PROVE(at_a <= (size - 1) * entry_bytes, "an entry lies in its ring");
    if (a - b != 0 && a - b < size)
        PROVE(at_a >= at_b + entry_bytes || at_b >= at_a + entry_bytes, "no place is given twice");
    PROVE(ring_offset(a + size, log2, entry_bytes) == at_a, "a lap later the same place");
}

static void phase_tells_laps(uint32_t index, unsigned log2)
{
    uint32_t size = 1u << log2, low = index & RING_INDEX_MASK;

    PROVE(ring_phase(index, log2) <= 1, "phase is a bit");
    PROVE(ring_phase(index, log2) != ring_phase(index + size, log2), "phase flips on every lap");
    PROVE(ring_phase(low, log2) == ring_phase(index, log2), "24 bits of the index tell the phase");
    if (index < size)
        PROVE(ring_phase(index, log2) == 1, "phase is 1 on the first lap");
}

static void low_half_names_an_index(uint32_t now, uint32_t back)
{
    uint32_t index = now - back;

    if (back <= UINT16_MAX)
        PROVE(ring_index_before(now, (uint16_t)index) == index, "the low half names the index");
}

void proof(void)
{
    unsigned log2 = any_up_to(TERN_CQ_LOG2_MAX);
    unsigned log2_bytes = any_up_to(TERN_RQ_ENTRY_LOG2_MAX);

    used_is_what_lies_between(nondet_u32(), nondet_u32(), log2);
    phase_tells_laps(nondet_u32(), log2);
    low_half_names_an_index(nondet_u32(), nondet_u32());
    if (log2 <= TERN_RING_LOG2_MAX)
        entries_are_apart(nondet_u32(), nondet_u32(), log2, 1u << log2_bytes);
}
