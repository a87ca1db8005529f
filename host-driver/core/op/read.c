/* SPDX-License-Identifier: Apache-2.0 */
/* Reads: the descriptor names the source; its inline payload names the destination. */
#include <tern/read.h>

#include "queue.h"

void tern_desc_set_read(uint32_t *words, struct tern_rptr from,
                        const struct tern_region *region, const void *to,
                        uint32_t bytes)
{
    TERN_SET(DESC, opcode, words, TERN_OP_READ);
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, words, TERN_READ_BYTES);
    TERN_SET(DESC, length, words, bytes);
    tern_desc_set_remote(words, from);
    TERN_SET(RDR, addr, words, (uintptr_t)to);
    TERN_SET(RDR, key, words, region->key);
    TERN_SET(RDR, length, words, bytes);
}

int tern_read(struct tern_sq *sq, struct tern_rptr from, const struct tern_region *region,
              void *to, uint32_t bytes,
              unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region)
        return -TERN_ST_BAD_ARGUMENT;
    tern_desc_set_read(words, from, region, to, bytes);
    return tern_post(sq, words, flags, context);
}

int tern_read_sample(struct tern_cq *cq, unsigned log2)
{
    uint32_t words[DESC_WORDS] = {0};

    if (log2 > TERN_SAMPLE_LOG2_MAX)
        return -TERN_ST_BAD_SIZE;
    TERN_SET(DESC, opcode, words, TERN_ADMIN_SAMPLE);
    TERN_SET(ADM, log2_entries, words, log2);
    TERN_SET(ADM, cq, words, cq->number);
    return tern_admin(cq->device, words, NULL, 0, NULL);
}
