/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include "tern_abi.h"

#define RIGHTS_ALL \
    (TERN_RIGHT_LOCAL_READ | TERN_RIGHT_LOCAL_WRITE | TERN_RIGHT_REMOTE_READ | \
     TERN_RIGHT_REMOTE_WRITE | TERN_RIGHT_REMOTE_ATOMIC)

uint32_t check_queue_shape(unsigned type, unsigned log2_entries, unsigned log2_bytes,
                          uint64_t base)
{
    unsigned log2_max = type == TERN_QTYPE_CQ ? TERN_CQ_LOG2_MAX : TERN_RING_LOG2_MAX;

    if (type != TERN_QTYPE_SQ && type != TERN_QTYPE_RQ && type != TERN_QTYPE_CQ)
        return TERN_ST_BAD_TYPE;
    if (log2_entries > log2_max)
        return TERN_ST_BAD_SIZE;
    if (type == TERN_QTYPE_RQ &&
        (log2_bytes < TERN_RQ_ENTRY_LOG2_MIN || log2_bytes > TERN_RQ_ENTRY_LOG2_MAX))
        return TERN_ST_BAD_SIZE;
    if (base % TERN_RING_ALIGN != 0)
        return TERN_ST_BAD_ALIGN;
    return TERN_ST_OK;
}

uint32_t check_ring_bytes(unsigned type, unsigned log2_entries, unsigned log2_bytes)
{
    if (type == TERN_QTYPE_SQ)
        return (uint32_t)TERN_DESC_BYTES << log2_entries;
    if (type == TERN_QTYPE_CQ)
        return (uint32_t)TERN_CQE_BYTES << log2_entries;
    return 1u << (log2_entries + log2_bytes);
}

uint32_t check_region_owner(const uint32_t rgn[RGN_WORDS], uint32_t key, unsigned fn)
{
    if (!TERN_F(RGN, valid, rgn[7]) || TERN_F(RGN, tag, rgn[3]) != key >> 16)
        return TERN_ST_BAD_KEY;
    if (TERN_F(RGN, fn, rgn[6]) != fn)
        return TERN_ST_NOT_OWNER;
    return TERN_ST_OK;
}

uint32_t check_region_use(const uint32_t rgn[RGN_WORDS], uint64_t addr, uint64_t bytes,
                         unsigned rights)
{
    uint64_t start = TERN_GET(RGN, iova, rgn);
    uint64_t length = TERN_GET(RGN, length, rgn);

    if ((TERN_F(RGN, rights, rgn[7]) & rights) != rights)
        return TERN_ST_BAD_RIGHTS;
    /* A sum could wrap, so check the offset first, then the rest of the region. */
    if (addr < start || addr - start > length || bytes > length - (addr - start))
        return TERN_ST_BAD_RANGE;
    return TERN_ST_OK;
}

uint32_t check_region_shape(uint64_t base, uint64_t bytes, unsigned rights)
{
    if (bytes == 0 || bytes >> TERN_RGN_length_BITS)
        return TERN_ST_BAD_SIZE;
    if (base + bytes < base && base + bytes != 0)
        return TERN_ST_BAD_RANGE;
    if (rights & ~(unsigned)RIGHTS_ALL)
        return TERN_ST_BAD_RIGHTS;
    return TERN_ST_OK;
}
