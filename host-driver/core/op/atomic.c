/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Atomic operations: a descriptor with four operand words; its completion has the old word.
 */
#include <tern/atomic.h>

#include "queue.h"

/*
 * Checks the alignment of an address. Only the target knows the address of an offset, and checks
 * it.
 */
static bool is_aligned(struct tern_rptr at, unsigned flags)
{
    return flags & TERN_DFLAG_OFFSET || TERN_GET(RPTR, addr, at.w) % TERN_ATOMIC_BYTES == 0;
}

int tern_desc_set_atomic(uint32_t *words, uint8_t opcode, struct tern_rptr at,
                         const struct tern_masked *masked,
                         unsigned flags)
{
    if (!masked)
        return -TERN_ST_BAD_ARGUMENT;
    if (!is_aligned(at, flags))
        return -TERN_ST_BAD_ALIGN;
    TERN_SET(DESC, opcode, words, opcode);
    TERN_SET(DESC, flags, words, TERN_DFLAG_INLINE);
    TERN_SET(DESC, inline_len, words, TERN_ATO_BYTES);
    TERN_SET(DESC, result, words, 1);
    tern_desc_set_remote(words, at);
    TERN_SET(ATO, compare, words, masked->compare);
    TERN_SET(ATO, compare_mask, words, masked->compare_mask);
    TERN_SET(ATO, swap, words, masked->swap);
    TERN_SET(ATO, swap_mask, words, masked->swap_mask);
    return 0;
}

static int post(struct tern_sq *sq, uint8_t opcode, struct tern_rptr at,
                const struct tern_masked *masked,
                unsigned flags, uint64_t context)
{
    uint32_t words[DESC_WORDS] = {0};
    int status = tern_desc_set_atomic(words, opcode, at, masked, flags);

    return status ? status : tern_post(sq, words, flags, context);
}

int tern_compare_swap_masked(struct tern_sq *sq, struct tern_rptr at,
                             const struct tern_masked *masked,
                             unsigned flags, uint64_t context)
{
    return post(sq, TERN_OP_CAS, at, masked, flags, context);
}

int tern_fetch_add_masked(struct tern_sq *sq, struct tern_rptr at,
                          const struct tern_masked *masked, unsigned flags,
                          uint64_t context)
{
    return post(sq, TERN_OP_ADD, at, masked, flags, context);
}

int tern_take(struct tern_sq *sq, struct tern_rptr at, const struct tern_masked *masked,
              unsigned flags, uint64_t context)
{
    return post(sq, TERN_OP_TAKE, at, masked, flags, context);
}

int tern_compare_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t compare, uint64_t swap,
                      unsigned flags,
                      uint64_t context)
{
    const struct tern_masked whole = {compare, UINT64_MAX, swap, UINT64_MAX};

    return tern_compare_swap_masked(sq, at, &whole, flags, context);
}

int tern_swap(struct tern_sq *sq, struct tern_rptr at, uint64_t swap, unsigned flags,
              uint64_t context)
{
    const struct tern_masked whole = {0, 0, swap, UINT64_MAX};

    return tern_compare_swap_masked(sq, at, &whole, flags, context);
}

int tern_fetch_add(struct tern_sq *sq, struct tern_rptr at, uint64_t add, unsigned flags,
                   uint64_t context)
{
    const struct tern_masked whole = {0, 0, add, UINT64_MAX};

    return tern_fetch_add_masked(sq, at, &whole, flags, context);
}
