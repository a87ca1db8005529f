/* SPDX-License-Identifier: Apache-2.0 */
/* Regions and byte counters: who owns what. */
#ifndef FW_APP_REGION_H
#define FW_APP_REGION_H

#include "fw.h"

/*
 * Registers [base, base + bytes) for `fn`; the key, or TERN_KEY_NONE when the table is
 * full.
 */
uint32_t fw_region_add(struct fw *fw, uint32_t fn, uint64_t base, uint64_t bytes,
                       uint32_t rights, uint32_t counter);

void fw_region_remove(struct fw *fw, uint32_t index);

/* The words of the entry `key` names, if `fn` owns it: a status code. */
uint32_t fw_region_find(const struct fw *fw, uint32_t fn, uint32_t key, uint32_t *rgn);

/*
 * Takes down what functions being swept own in the first used word of the bitmap from
 * `word` on; the word to go on with.
 */
uint32_t fw_regions_sweep(struct fw *fw, uint32_t word);
void fw_counters_sweep(struct fw *fw);

/* Clears the region table and the counters' owners. */
void fw_regions_init(struct fw *fw);

#endif
