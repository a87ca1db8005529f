/* SPDX-License-Identifier: Apache-2.0 */
#include "region.h"

#include "check.h"
#include "key.h"
#include "random.h"
#include "slots.h"

/* Returns the index of a clear bit of `word`, which has one. */
static uint32_t clear_bit(uint32_t word)
{
    uint32_t bit = 0;

    while ((word >> bit) & 1)
        bit++;
    return bit;
}

/* Returns a free index; 0, which is never an index, if there is none. */
static uint32_t find_index(struct fw *fw)
{
    uint32_t words = fw->id.regions / 32u;

    for (uint32_t i = 0; i < words; i++) {
        uint32_t word = (fw->region_hint + i) % words;

        if (fw->region_used[word] != UINT32_MAX) {
            fw->region_hint = (uint16_t)word;
            return 32 * word + clear_bit(fw->region_used[word]);
        }
    }
    return 0;
}

uint32_t fw_region_wanted(const struct fw *fw, uint32_t key)
{
    uint32_t index = KEY_INDEX(key);

    if (index == 0 || index >= fw->id.regions)
        return TERN_ST_BAD_KEY;
    return fw->region_used[index / 32] >> index % 32 & 1 ? TERN_ST_QUEUE_BUSY : TERN_ST_OK;
}

/* Returns a key that cannot be guessed from earlier ones, or TERN_KEY_NONE. */
static uint32_t new_key(struct fw *fw)
{
    uint32_t index = find_index(fw);

    if (index == 0)
        return TERN_KEY_NONE;
    random_stir(&fw->random, sys_time());
    return KEY_MAKE(index, random_next(&fw->random) >> 16);
}

uint32_t fw_region_add(struct fw *fw, uint32_t fn, uint64_t base, uint64_t bytes,
                       uint32_t rights, uint32_t counter, uint32_t wanted)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT] = {0};
    uint32_t key = wanted != TERN_KEY_NONE ? wanted : new_key(fw);
    uint32_t index = KEY_INDEX(key);

    if (key == TERN_KEY_NONE)
        return key;
    TERN_SET(RGN, base, rgn, base);
    TERN_SET(RGN, iova, rgn, base);
    TERN_SET(RGN, length, rgn, bytes);
    TERN_SET(RGN, tag, rgn, key >> 16);
    TERN_SET(RGN, counter, rgn, counter);
    TERN_SET(RGN, fn, rgn, fn);
    TERN_SET(RGN, rights, rgn, rights);
    TERN_SET(RGN, valid, rgn, 1);
    key_entry_write(index, rgn);
    FW_USED(fw, regions)++;
    fw->region_used[index / 32] |= 1u << index % 32;
    return key;
}

/* Refuses new accesses with BAD_KEY, as after the removal. Keeps the entry, and returns false,
 * while remote reads are in progress: another function may register the memory once it is free. */
bool fw_region_remove(struct fw *fw, uint32_t index)
{
    key_entry_clear(index);
    if (fw_region_is_read(fw, index))
        return false;
    FW_USED(fw, regions)--;
    fw->region_used[index / 32] &= ~(1u << index % 32);
    return true;
}

uint32_t fw_region_find(const struct fw *fw, uint32_t fn, uint32_t key, uint32_t *rgn)
{
    if (KEY_INDEX(key) == 0 || KEY_INDEX(key) >= fw->id.regions)
        return TERN_ST_BAD_KEY;
    key_entry_read(KEY_INDEX(key), rgn);
    return check_region_owner(rgn, key, fn);
}

bool fw_region_leaves(const struct fw *fw, uint32_t fn, uint32_t key)
{
    uint32_t rgn[TERN_MMIO_RG_WORD_COUNT];

    if (fw_region_wanted(fw, key) != TERN_ST_QUEUE_BUSY)
        return false;
    key_entry_read(KEY_INDEX(key), rgn);
    rgn[TERN_RGN_valid_WORD] |= TERN_V(RGN, valid, 1);
    return check_region_owner(rgn, key, fn) == TERN_ST_OK;
}

static void sweep_one(struct fw *fw, uint32_t index)
{
    struct fw_fn *fn = &fw->fn[key_entry_owner(index) % FW_FUNCTIONS];

    if (fn->sweep != SWEEP_ALL &&
        (fn->sweep != SWEEP_KEEP_ADMIN || fn->admin_region == index))
        return;
    (void)fw_region_remove(fw, index);
    fn->clean = 0;
}

uint32_t fw_regions_sweep(struct fw *fw, uint32_t word)
{
    uint32_t words = fw->id.regions / 32u;
    uint32_t bits;

    while (word + 1 < words && fw->region_used[word] == 0)
        word++;
    bits = word == 0 ? fw->region_used[0] & ~1u : fw->region_used[word];
    for (uint32_t index = 32 * word; bits != 0; bits >>= 1, index++)
        if (bits & 1)
            sweep_one(fw, index);
    return word + 1;
}

void fw_regions_init(struct fw *fw)
{
    /* After power-on hardware has already done this. */
    if (fw->id.reset_cause != 0)
        for (uint32_t index = 0; index < fw->id.regions; index++)
            key_entry_clear(index);
    fw->region_used[0] = 1; /* index 0 stays free of keys */
}
