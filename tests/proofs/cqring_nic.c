/* SPDX-License-Identifier: Apache-2.0 */
#include "cqring_nic.h"

#include "done.h"
#include "ring.h"
#include "tern_abi.h"

void nic_write(uint32_t *ring, const struct said *said, uint32_t number, unsigned log2)
{
    const struct done done = {
        .status = said->status,
        .opcode = said->opcode,
        .flags = said->flags,
        .link = said->link,
        .fault = said->fault,
        .queue = said->queue,
        .index = said->index,
        .node = said->node,
        .length = said->length,
        .imm = said->imm,
        .value = said->value,
    };
    uint32_t entry = number & RING_INDEX_MASK;

    done_encode(ring + ring_offset(entry, log2, TERN_CQE_BYTES) / 4, &done, entry, log2);
}

uint32_t nic_used(uint32_t number, uint32_t doorbell, unsigned log2)
{
    return ring_used(number, doorbell & RING_INDEX_MASK, log2);
}

uint32_t nic_phase(uint32_t number, unsigned log2)
{
    return ring_phase(number & RING_INDEX_MASK, log2);
}
