/* SPDX-License-Identifier: Apache-2.0 */
/* Puts and messages. */
#include "queue.h"

void tern_desc_set_put(uint32_t *words, struct tern_rptr to, uint32_t bytes)
{
    TERN_SET(DESC, opcode, words, TERN_OP_PUT);
    tern_desc_set_remote(words, to);
    TERN_SET(DESC, length, words, bytes);
}

int tern_put(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
             const void *from, uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region || flags & TERN_DFLAG_INLINE)
        return -TERN_ST_BAD_ARGUMENT;
    tern_desc_set_put(words, to, bytes);
    tern_desc_set_local(words, region, from);
    return tern_post(sq, words, flags, context);
}

int tern_put_inline(struct tern_sq *sq, struct tern_rptr to, const void *from, uint32_t bytes,
                    unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_LENGTH;
    tern_desc_set_put(words, to, bytes);
    tern_desc_set_inline(words, from, bytes);
    return tern_post(sq, words, flags, context);
}

/* Posts all pieces or none: checks the room before it posts the first. */
int tern_put_long(struct tern_sq *sq, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint64_t bytes, unsigned flags, uint64_t context)
{
    uint64_t done = 0;
    uint64_t pieces = (bytes + TERN_PUT_BYTES_MAX - 1) / TERN_PUT_BYTES_MAX;

    if (pieces > UINT64_C(1) << sq->places.log2_entries)
        return -TERN_ST_BAD_LENGTH;
    if (!tern_sq_room(sq, (unsigned)pieces))
        return tern_post_refuse(sq);
    while (bytes - done > TERN_PUT_BYTES_MAX) {
        int status = tern_put(sq, tern_rptr_add(to, done), region, (const uint8_t *)from + done,
                              TERN_PUT_BYTES_MAX,
                                  (flags & ~(unsigned)TERN_DFLAG_SIGNAL) | TERN_MORE,
                              context);

        if (status)
            return status;
        done += TERN_PUT_BYTES_MAX;
    }
    if (done)
        flags |= TERN_DFLAG_FENCE;
    return tern_put(sq, tern_rptr_add(to, done), region, (const uint8_t *)from + done,
                    (uint32_t)(bytes - done), flags, context);
}

void tern_desc_set_send(uint32_t *words, struct tern_target to, const struct tern_region *region,
                        const void *from, uint32_t bytes)
{
    TERN_SET(DESC, opcode, words, TERN_OP_SEND);
    TERN_SET(DESC, dst_node, words, to.node);
    TERN_SET(DESC, dst_queue, words, to.queue);
    TERN_SET(DESC, length, words, bytes);
    TERN_SET(DESC, imm, words, to.imm);
    if (region)
        tern_desc_set_local(words, region, from);
    else
        tern_desc_set_inline(words, from, bytes);
}

int tern_send(struct tern_sq *sq, struct tern_target to, const struct tern_region *region,
              const void *from, uint32_t bytes, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    if (!region && bytes > TERN_INLINE_BYTES_MAX)
        return -TERN_ST_BAD_ARGUMENT;
    tern_desc_set_send(words, to, region, from, bytes);
    return tern_post(sq, words, flags, context);
}

int tern_nop(struct tern_sq *sq, unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};

    TERN_SET(DESC, opcode, words, TERN_OP_NOP);
    return tern_post(sq, words, flags, context);
}
