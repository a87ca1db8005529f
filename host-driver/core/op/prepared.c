/* SPDX-License-Identifier: Apache-2.0 */
/* Prepared descriptors: built apart from their post. */
#include <string.h>
#include <tern/prepared.h>

#include "queue.h"

static int begin(struct tern_desc *desc, unsigned flags)
{
    if (flags & ~0xffu)
        return -TERN_ST_BAD_ARGUMENT;
    memset(desc, 0, sizeof(*desc));
    return 0;
}

/* The fields that the builders set stay. */
static int end(struct tern_desc *desc, unsigned flags)
{
    TERN_SET(DESC, flags, desc->words, TERN_GET(DESC, flags, desc->words) | flags);
    return 0;
}

int tern_desc_put(struct tern_desc *desc, struct tern_rptr to, const struct tern_region *region,
                  const void *from, uint32_t bytes, unsigned flags)
{
    int status = region && !(flags & TERN_DFLAG_INLINE) ? begin(desc, flags)
                                                        : -TERN_ST_BAD_ARGUMENT;

    if (status)
        return status;
    tern_desc_set_put(desc->words, to, bytes);
    tern_desc_set_local(desc->words, region, from);
    return end(desc, flags);
}

int tern_desc_put_inline(struct tern_desc *desc, struct tern_rptr to, const void *from,
                         uint32_t bytes, unsigned flags)
{
    int status = bytes <= TERN_INLINE_BYTES_MAX ? begin(desc, flags) : -TERN_ST_BAD_LENGTH;

    if (status)
        return status;
    tern_desc_set_put(desc->words, to, bytes);
    tern_desc_set_inline(desc->words, from, bytes);
    return end(desc, flags);
}

int tern_desc_read(struct tern_desc *desc, struct tern_rptr from, const struct tern_region *region,
                   void *to, uint32_t bytes, unsigned flags)
{
    int status = region ? begin(desc, flags) : -TERN_ST_BAD_ARGUMENT;

    if (status)
        return status;
    tern_desc_set_read(desc->words, from, region, to, bytes);
    return end(desc, flags);
}

int tern_desc_send(struct tern_desc *desc, struct tern_target to, const struct tern_region *region,
                   const void *from, uint32_t bytes, unsigned flags)
{
    int status = region || bytes <= TERN_INLINE_BYTES_MAX ? begin(desc, flags)
                                                          : -TERN_ST_BAD_ARGUMENT;

    if (status)
        return status;
    tern_desc_set_send(desc->words, to, region, from, bytes);
    return end(desc, flags);
}

int tern_desc_masked(struct tern_desc *desc, uint8_t opcode, struct tern_rptr at,
                     const struct tern_masked *masked, unsigned flags)
{
    bool known = opcode == TERN_OP_CAS || opcode == TERN_OP_ADD || opcode == TERN_OP_TAKE;
    int status = known ? begin(desc, flags) : -TERN_ST_BAD_ARGUMENT;

    if (!status)
        status = tern_desc_set_atomic(desc->words, opcode, at, masked, flags);
    return status ? status : end(desc, flags);
}

int tern_desc_post(struct tern_sq *sq, const struct tern_desc *descs, const uint64_t *contexts,
                   unsigned count)
{
    int status = tern_transport_state(sq->cq->device->transport);

    if (status)
        return status;
    if (sq->chain.steps)
        return -TERN_ST_BAD_STATE;
    if (count > UINT32_C(1) << sq->places.log2_entries)
        return -TERN_ST_BAD_LENGTH;
    if (!tern_sq_room(sq, count))
        return tern_post_refuse(sq);
    for (unsigned i = 0; i < count && !status; i++) {
        uint32_t words[DESC_WORDS];
        unsigned flags;

        memcpy(words, descs[i].words, sizeof(words));
        flags = (unsigned)TERN_GET(DESC, flags, words) | (i + 1 < count ? TERN_MORE : 0);
        status = tern_post(sq, words, flags, contexts[i]);
    }
    return status;
}
