/* SPDX-License-Identifier: Apache-2.0 */
#include "key.h"

static uint32_t word(unsigned i)
{
    return TERN_MMIO_RG_WORD + i * TERN_MMIO_RG_WORD_STRIDE;
}

void key_entry_read(uint32_t index, uint32_t rgn[TERN_MMIO_RG_WORD_COUNT])
{
    wr32(TERN_MMIO_RG_SEL, index);
    for (unsigned i = 0; i < TERN_MMIO_RG_WORD_COUNT; i++)
        rgn[i] = rd32(word(i));
}

void key_entry_write(uint32_t index, const uint32_t rgn[TERN_MMIO_RG_WORD_COUNT])
{
    wr32(TERN_MMIO_RG_SEL, index);
    for (unsigned i = 0; i < TERN_MMIO_RG_WORD_COUNT; i++)
        wr32(word(i), rgn[i]);
}

void key_entry_clear(uint32_t index)
{
    wr32(TERN_MMIO_RG_SEL, index);
    wr32(word(TERN_RGN_valid_WORD), 0);
}

uint32_t key_entry_owner(uint32_t index)
{
    wr32(TERN_MMIO_RG_SEL, index);
    return TERN_F(RGN, fn, rd32(word(TERN_RGN_fn_WORD)));
}
