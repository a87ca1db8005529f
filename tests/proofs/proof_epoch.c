/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of epochs (fw/proto/epoch.h): all pairs, across the wrap of 16 bits. */
#include "proof.h"

#include "epoch.h"

void proof(void)
{
    uint32_t a = nondet_u16(), b = nondet_u16();
    int32_t ahead = epoch_ahead(a, b);
    uint32_t status = epoch_status(a, b);

    PROVE(ahead >= -0x8000 && ahead <= 0x7fff, "a distance has 16 bits");
    PROVE(((b + (uint32_t)ahead) & UINT16_MAX) == a, "an epoch is as far ahead as was counted");
    if (ahead != -0x8000)
        PROVE(epoch_ahead(b, a) == -ahead, "the other one is as far before");
    PROVE((status == TERN_ST_OK) == (a == b), "only the current epoch is taken");
    PROVE((status == TERN_ST_RNR) == (ahead > 0), "a later one may come again");
    PROVE((status == TERN_ST_STALE_EPOCH) == (ahead < 0), "an earlier one is refused for good");
    if (a < b && status == TERN_ST_RNR)
        REACHED("a later epoch round the wrap");
    if (a > b && status == TERN_ST_STALE_EPOCH)
        REACHED("an earlier epoch round the wrap");
}
