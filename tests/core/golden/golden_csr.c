/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model: the control and status registers, and which bits a write may change.
 */
#include "golden.h"

enum {
    MSTATUS_MIE = 1u << 3,
    MSTATUS_MPIE = 1u << 7,
    MSTATUS_MPP = 3u << 11,
};

static uint32_t read_mstatus(const struct golden *g)
{
    return MSTATUS_MPP | (g->mpie ? MSTATUS_MPIE : 0u) | (g->mie ? MSTATUS_MIE : 0u);
}

static uint64_t mcycle(const struct golden *g, const struct golden_at *when)
{
    return when->cycle + g->cycle_ahead;
}

/* Tells whether a CSR is an event counter, 3 to 31, its upper half or its event selector. */
static bool is_unused_counter(unsigned number)
{
    unsigned group = number & ~31u;

    return (group == 0xb00 || group == 0xb80 || group == 0x320) && (number & 31u) >= 3;
}

bool golden_csr_read(struct golden *g, unsigned number, const struct golden_at *when,
                     uint32_t *value)
{
    switch (number) {
    case 0x300: *value = read_mstatus(g); break;
    case 0x301: *value = 0x40001104u; break; /* RV32, I M C */
    case 0x304: *value = g->enabled; break;
    case 0x305: *value = g->tvec; break;
    case 0x340: *value = g->scratch; break;
    case 0x341: *value = g->epc; break;
    case 0x342: *value = g->cause; break;
    case 0x343: *value = g->tval; break;
    case 0x344: *value = when->mip; break;
    case 0xb00: *value = (uint32_t)mcycle(g, when); break;
    case 0xb02: *value = (uint32_t)g->instret; break;
    case 0xb80: *value = (uint32_t)(mcycle(g, when) >> 32); break;
    case 0xb82: *value = (uint32_t)(g->instret >> 32); break;
    case 0xf14: *value = g->hart_id; break;
    case 0x310: case 0x320: case 0xf11: case 0xf12: case 0xf13: case 0xf15: *value = 0; break;
    default: *value = 0; return is_unused_counter(number);
    }
    return true;
}

bool golden_csr_writable(unsigned number)
{
    return number >> 10 != 3u;
}

static void write_mstatus(struct golden *g, uint32_t value)
{
    g->mie = (value & MSTATUS_MIE) != 0;
    g->mpie = (value & MSTATUS_MPIE) != 0;
}

static uint64_t with_half(uint64_t counter, bool upper, uint32_t value)
{
    if (upper) return (uint64_t)value << 32 | (uint32_t)counter;
    return counter >> 32 << 32 | value;
}

/* Writes half of mcycle: the other half still counts the cycle of the write. */
static void write_mcycle(struct golden *g, const struct golden_at *when, bool upper, uint32_t value)
{
    g->cycle_ahead = with_half(mcycle(g, when) + 1u, upper, value) - (when->cycle + 1u);
}

static void write_minstret(struct golden *g, bool upper, uint32_t value)
{
    g->instret = with_half(g->instret, upper, value);
    g->instret_set = true;
}

void golden_csr_write(struct golden *g, unsigned number, const struct golden_at *when,
                      uint32_t value)
{
    switch (number) {
    case 0x300: write_mstatus(g, value); break;
    case 0x304: g->enabled = value & GOLDEN_IRQ_LINES; break;
    case 0x305: g->tvec = value & ~2u; break;
    case 0x340: g->scratch = value; break;
    case 0x341: g->epc = value & ~1u; break;
    case 0x342: g->cause = value & 0x8000001fu; break;
    case 0x343: g->tval = value; break;
    case 0xb00: write_mcycle(g, when, false, value); break;
    case 0xb80: write_mcycle(g, when, true, value); break;
    case 0xb02: write_minstret(g, false, value); break;
    case 0xb82: write_minstret(g, true, value); break;
    default: break; /* the others ignore writes */
    }
}
