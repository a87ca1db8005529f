/* SPDX-License-Identifier: Apache-2.0 */
/* See cqring.h. */
#include "cqring.h"

#include <string.h>

#include "barrier.h"

static const uint32_t *next_entry(const struct tern_cqring *ring)
{
    uint32_t mask = (UINT32_C(1) << ring->log2_entries) - 1;

    return ring->words + (size_t)(ring->head & mask) * CQE_WORDS;
}

bool tern_cqring_ready(const struct tern_cqring *ring)
{
    uint32_t last = tern_read_last(next_entry(ring) + TERN_CQE_phase_WORD);
    uint32_t lap = (ring->head >> ring->log2_entries) & 1;

    return TERN_F(CQE, phase, last) != lap;
}

bool tern_cqring_take(struct tern_cqring *ring, uint32_t cqe[CQE_WORDS])
{
    if (!tern_cqring_ready(ring))
        return false;
    memcpy(cqe, next_entry(ring), TERN_CQE_BYTES);
    ring->head++;
    return true;
}

bool tern_cqring_owes(const struct tern_cqring *ring)
{
    uint32_t quarter = (UINT32_C(1) << ring->log2_entries) / 4;

    return ring->head - ring->rung >= (quarter ? quarter : 1);
}
