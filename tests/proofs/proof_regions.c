/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of regions (fw/state/region.c). From any bitmap it allocates a free key in the table,
 * never index 0, and changes nothing else; a released key becomes free, and no other does, unless
 * packets still read its region.
 */
#include "proof.h"
#include "region.c"

enum { WORDS_MAX = 3 };

static struct fw fw;
static uint32_t entry; /* last entry of the hardware's table that was written */
static uint32_t selected;

uint32_t rd32(uint32_t offset)
{
    (void)offset;
    return nondet_u32();
}

void wr32(uint32_t offset, uint32_t value)
{
    (void)offset;
    selected = value;
}

void key_entry_write(uint32_t index, const uint32_t rgn[TERN_MMIO_RG_WORD_COUNT])
{
    PROVE(TERN_GET(RGN, valid, rgn), "an entry that is given out is good");
    entry = index;
}

void key_entry_clear(uint32_t index)
{
    entry = index;
}

static bool is_used(uint32_t index)
{
    return fw.region_used[index / 32] >> index % 32 & 1;
}

static bool is_read;

bool fw_region_is_read(const struct fw *of, uint32_t index)
{
    (void)of;
    PROVE(entry == index, "reads are looked for when no more can begin");
    is_read = nondet_bool();
    return is_read;
}

/* The index of another region. */
static uint32_t other;
static bool other_was;

static void give_out(uint32_t wanted)
{
    uint32_t used = FW_USED(&fw, regions), index, key;
    bool free = fw_region_wanted(&fw, wanted) == TERN_ST_OK;

    if (wanted != TERN_KEY_NONE && !free)
        return;
    key = fw_region_add(&fw, nondet_u8(), nondet_u64(), nondet_u64(), nondet_u32(), nondet_u32(),
                        wanted);
    if (key == TERN_KEY_NONE) {
        PROVE(is_used(other) && other_was, "none is refused while one is free");
        REACHED("the table is full");
        return;
    }
    index = KEY_INDEX(key);
    PROVE(index != 0 && index < fw.id.regions, "an index is in the table");
    PROVE(entry == index, "its entry is written");
    PROVE(index != other || !other_was, "no index is given twice");
    PROVE(is_used(other) == (other_was || index == other), "nothing else changes");
    PROVE(FW_USED(&fw, regions) == used + 1, "it is counted");
    if (wanted != TERN_KEY_NONE)
        PROVE(key == wanted, "a wanted key is given as it is");
    entry = 0;
    if (!fw_region_remove(&fw, index)) {
        PROVE(is_read && is_used(index) && FW_USED(&fw, regions) == used + 1 && entry == index,
              "what is being read stays");
        REACHED("a region is being read");
        return;
    }
    PROVE(!is_read && is_used(other) == other_was && FW_USED(&fw, regions) == used &&
          entry == index, "what is given back is free, and nothing else");
    if (index == 2u * 32 + 31)
        REACHED("the last bit of a word");
}

void proof(void)
{
    fw.id.regions = (uint16_t)(32 * any_up_to(WORDS_MAX));
    ASSUME(fw.id.regions != 0);
    for (uint32_t i = 0; i < WORDS_MAX; i++)
        fw.region_used[i] = nondet_u32();
    fw.region_hint = nondet_u16();
    fw.random = nondet_u32();
    fw.region_used[0] |= 1; /* fw_regions_init() */
    ASSUME(fw.random != 0 && fw.region_hint <= WORDS_MAX);
    other = any_up_to(32 * WORDS_MAX - 1);
    ASSUME(other < fw.id.regions);
    other_was = is_used(other);
    give_out(nondet_bool() ? TERN_KEY_NONE : nondet_u32());
}
