/* SPDX-License-Identifier: Apache-2.0 */
/* See cqring.h. */
#include "cqring.h"

#include <string.h>

#include "barrier.h"

static uint32_t *entry_at(const struct tern_cqring *ring, uint32_t count)
{
    uint32_t mask = (UINT32_C(1) << ring->log2_entries) - 1;

    return ring->words + (size_t)(count & mask) * CQE_WORDS;
}

static bool is_written(const struct tern_cqring *ring, uint32_t count)
{
    uint32_t last = tern_read_last(entry_at(ring, count) + TERN_CQE_phase_WORD);
    uint32_t lap = (count >> ring->log2_entries) & 1;

    return TERN_F(CQE, phase, last) != lap;
}

bool tern_cqring_ready(const struct tern_cqring *ring)
{
    return is_written(ring, ring->head);
}

bool tern_cqring_peek(const struct tern_cqring *ring, uint32_t ahead, uint32_t cqe[CQE_WORDS])
{
    if (ahead >> ring->log2_entries || !is_written(ring, ring->head + ahead))
        return false;
    memcpy(cqe, entry_at(ring, ring->head + ahead), TERN_CQE_BYTES);
    return true;
}

void tern_cqring_void(struct tern_cqring *ring, uint32_t ahead)
{
    TERN_SET(CQE, queue, entry_at(ring, ring->head + ahead), TERN_QUEUE_ANY);
}

bool tern_cqring_take(struct tern_cqring *ring, uint32_t cqe[CQE_WORDS])
{
    if (!is_written(ring, ring->head))
        return false;
    memcpy(cqe, entry_at(ring, ring->head), TERN_CQE_BYTES);
    ring->head++;
    return true;
}

bool tern_cqring_owes(const struct tern_cqring *ring)
{
    uint32_t quarter = (UINT32_C(1) << ring->log2_entries) / 4;

    return ring->head - ring->rung >= (quarter ? quarter : 1);
}
