/* SPDX-License-Identifier: Apache-2.0 */
/* Chases: the descriptor says what to look for; its inline payload says where the result goes. */
#include <tern/table.h>

#include "queue.h"

static const uint64_t bytes_max = (1u << TERN_LKP_length_BITS) - 1;

/*
 * Checks the alignment of an address. Only the target knows the address of an offset, and checks
 * it.
 */
static bool is_aligned(uint64_t addr, unsigned flags)
{
    return flags & TERN_DFLAG_OFFSET || addr % TERN_NODE_BYTES == 0;
}

static int refuse(uint64_t addr, const struct tern_chase *chase, uint32_t bytes, unsigned flags)
{
    if (chase->key == 0 || chase->nodes == 0 || tern_link_generation(addr) != 0)
        return -TERN_ST_BAD_ARGUMENT;
    if (!is_aligned(addr, flags))
        return -TERN_ST_BAD_ALIGN;
    return bytes == 0 || bytes > bytes_max ? -TERN_ST_BAD_LENGTH : 0;
}

int tern_chase(struct tern_sq *sq, struct tern_rptr from, const struct tern_chase *chase,
               const struct tern_region *region, void *to, uint32_t bytes, unsigned flags,
                   uint64_t context)
{
    uint64_t addr = TERN_GET(RPTR, addr, from.w);
    uint32_t words[DESC_WORDS] = {0};
    int status = chase && region ? refuse(addr, chase, bytes, flags) : -TERN_ST_BAD_ARGUMENT;

    if (status)
        return status;
    TERN_SET(DESC, opcode, words, TERN_OP_LOOKUP);
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, words, TERN_INLINE_BYTES_MAX);
    TERN_SET(DESC, length, words, bytes);
    tern_desc_set_remote(words, from);
    TERN_SET(DESC, remote_addr, words, tern_link(addr, chase->generation));
    TERN_SET(LKP, addr, words, (uintptr_t)to);
    TERN_SET(LKP, key, words, region->key);
    TERN_SET(LKP, length, words, bytes);
    TERN_SET(LKP, nodes, words, chase->nodes);
    TERN_SET(LKP, tree, words, chase->tree);
    TERN_SET(LKP, wanted, words, -chase->key);
    TERN_SET(LKP, ones, words, UINT64_MAX);
    return tern_post(sq, words, flags, context);
}
