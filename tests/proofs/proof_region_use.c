/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The bounds check (fw/proto/check.c): any region entry, any address, any number of bytes. The
 * specification uses 128 bits, which cannot overflow.
 */
#include "proof.h"

#include "check.h"
#include "tern_abi.h"

typedef unsigned __int128 wide;

static void use_is_inside(const uint32_t rgn[RGN_WORDS])
{
    uint64_t addr = nondet_u64(), bytes = nondet_u64();
    uint64_t start = TERN_GET(RGN, iova, rgn), length = TERN_GET(RGN, length, rgn);
    unsigned rights = nondet_u32(), has = (unsigned)TERN_GET(RGN, rights, rgn);
    bool inside = addr >= start && (wide)addr + bytes <= (wide)start + length;
    uint8_t status = check_region_use(rgn, addr, bytes, rights);

    PROVE((status == TERN_ST_OK) == (inside && (has & rights) == rights),
          "accepted if and only if the bytes lie in the region and all rights are there");
    PROVE(status == TERN_ST_OK || status == TERN_ST_BAD_RANGE || status == TERN_ST_BAD_RIGHTS,
          "a documented status");
    if (status == TERN_ST_OK && addr > start && addr + bytes == start + length)
        REACHED("the last bytes of a region are accepted");
    if (status == TERN_ST_BAD_RANGE && addr + bytes < addr)
        REACHED("bytes that wrap are refused");
}

static void owner_has_the_key(const uint32_t rgn[RGN_WORDS])
{
    uint32_t key = nondet_u32();
    unsigned fn = nondet_u32();
    bool right = TERN_GET(RGN, valid, rgn) && TERN_GET(RGN, tag, rgn) == key >> 16;

    PROVE((check_region_owner(rgn, key, fn) == TERN_ST_OK) ==
              (right && TERN_GET(RGN, fn, rgn) == fn),
          "a region is its owner's, under its whole tag");
}

/* An accepted registration fits into an entry, and does not wrap. */
static void shape_fits_an_entry(void)
{
    uint64_t base = nondet_u64(), bytes = nondet_u64();
    unsigned rights = nondet_u32();
    uint32_t rgn[RGN_WORDS] = {0};

    if (check_region_shape(base, bytes, rights) != TERN_ST_OK)
        return;
    TERN_SET(RGN, length, rgn, bytes);
    TERN_SET(RGN, rights, rgn, rights);
    PROVE(TERN_GET(RGN, length, rgn) == bytes && bytes != 0, "the length fits its field");
    PROVE(TERN_GET(RGN, rights, rgn) == rights, "the rights fit their field");
    PROVE((wide)base + bytes <= (wide)1 << 64, "a region does not wrap");
    if (base + bytes == 0)
        REACHED("a region up to the last address");
}

static void ring_of_a_shape(void)
{
    unsigned type = nondet_u32(), log2 = nondet_u32(), log2_bytes = nondet_u32();
    uint64_t base = nondet_u64();
    uint64_t entry = TERN_DESC_BYTES;

    if (check_queue_shape(type, log2, log2_bytes, base) != TERN_ST_OK)
        return;
    if (type == TERN_QTYPE_CQ)
        entry = TERN_CQE_BYTES;
    else if (type == TERN_QTYPE_RQ)
        entry = UINT64_C(1) << log2_bytes;
    PROVE(log2 <= TERN_CQ_LOG2_MAX && base % TERN_RING_ALIGN == 0, "limits of the contract");
    PROVE(check_ring_bytes(type, log2, log2_bytes) == entry << log2, "bytes of a ring do not wrap");
    if (type == TERN_QTYPE_RQ)
        REACHED("a reception queue");
}

void proof(void)
{
    uint32_t rgn[RGN_WORDS];

    use_is_inside(rgn);
    owner_has_the_key(rgn);
    shape_fits_an_entry();
    ring_of_a_shape();
}
