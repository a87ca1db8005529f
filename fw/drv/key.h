/* SPDX-License-Identifier: Apache-2.0 */
/* The region table. */
#ifndef FW_DRV_KEY_H
#define FW_DRV_KEY_H

#include "hal.h"

#define KEY_INDEX(key) ((key)&0xffffu)
#define KEY_MAKE(index, tag) ((uint32_t)(tag) << 16 | (index))

/* Copies entry `index`; accesses only the table. */
void key_entry_read(uint32_t index, uint32_t rgn[TERN_MMIO_RG_WORD_COUNT]);

/* Writes the entry; the valid bit, in the last word, comes last. */
void key_entry_write(uint32_t index, const uint32_t rgn[TERN_MMIO_RG_WORD_COUNT]);

/* Clears the word with the valid bit: later checks do not find the entry. */
void key_entry_clear(uint32_t index);

/* Returns the function that owns an entry; a cleared entry keeps its owner. */
uint32_t key_entry_owner(uint32_t index);

#endif
