/* SPDX-License-Identifier: Apache-2.0 */
/* Regions: registration and ownership. */
#ifndef FW_STATE_REGION_H
#define FW_STATE_REGION_H

#include "fw.h"

/*
 * Checks whether the firmware can assign the key that a function asks for; returns a status code.
 */
uint32_t fw_region_wanted(const struct fw *fw, uint32_t key);

/*
 * Registers [base, base + bytes) for `fn` under the key `wanted`, which must be free, or under a
 * new key if that is TERN_KEY_NONE. Returns the key, or TERN_KEY_NONE when the table is full.
 */
uint32_t fw_region_add(struct fw *fw, uint32_t fn, uint64_t base, uint64_t bytes,
                       uint32_t rights, uint32_t counter, uint32_t wanted);

/*
 * Removes the region; false: not yet, call again. Its key is refused from the first call on, and is
 * free after the last.
 */
bool fw_region_remove(struct fw *fw, uint32_t index);

/* Tells whether `fn` owns the region of `key`, and fw_region_remove() must be called again. */
bool fw_region_leaves(const struct fw *fw, uint32_t fn, uint32_t key);

/* Reads the words of the entry that `key` names, if `fn` owns it; returns a status code. */
uint32_t fw_region_find(const struct fw *fw, uint32_t fn, uint32_t key, uint32_t *rgn);

/*
 * Removes regions of functions being taken down, in the first used word of the bitmap from
 * `word` on; returns the word to continue with.
 */
uint32_t fw_regions_sweep(struct fw *fw, uint32_t word);

/* Clears the region table. */
void fw_regions_init(struct fw *fw);

#endif
