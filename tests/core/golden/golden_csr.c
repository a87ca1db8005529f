/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model: the control and status registers, each with what a write may change.
 */
#include "golden.h"

enum {
    MSTATUS_MIE = 1u << 3,
    MSTATUS_MPIE = 1u << 7,
    MSTATUS_MPP = 3u << 11,
};

static uint64_t cycles_at(const struct golden *g, uint64_t cycle)
{
    return g->cycles.value + ((g->inhibit & 1u) != 0 ? 0 : cycle - g->cycles.at);
}

static uint32_t read_mstatus(const struct golden *g)
{
    return MSTATUS_MPP | (g->mpie ? MSTATUS_MPIE : 0u) | (g->mie ? MSTATUS_MIE : 0u);
}

bool golden_csr_read(struct golden *g, unsigned number, const struct golden_at *when,
                     uint32_t *value)
{
    switch (number) {
    case 0x300: *value = read_mstatus(g); break;
    case 0x301: *value = 0x40001104u; break; /* RV32, I M C */
    case 0x304: *value = g->enabled; break;
    case 0x305: *value = g->tvec; break;
    case 0x320: *value = g->inhibit; break;
    case 0x340: *value = g->scratch; break;
    case 0x341: *value = g->epc; break;
    case 0x342: *value = g->cause; break;
    case 0x343: *value = g->tval; break;
    case 0x344: *value = when->mip; break;
    case 0xb00: *value = (uint32_t)cycles_at(g, when->cycle); break;
    case 0xb80: *value = (uint32_t)(cycles_at(g, when->cycle) >> 32); break;
    case 0xb02: *value = (uint32_t)g->instret; break;
    case 0xb82: *value = (uint32_t)(g->instret >> 32); break;
    case 0xf14: *value = g->hart_id; break;
    case 0x310: case 0xf11: case 0xf12: case 0xf13: *value = 0; break;
    default: return false;
    }
    return true;
}

bool golden_csr_writable(unsigned number)
{
    return number >> 10 != 3u;
}

static uint64_t with_low(uint64_t old, uint32_t value)
{
    return (old & ~(uint64_t)UINT32_MAX) | value;
}

static uint64_t with_high(uint64_t old, uint32_t value)
{
    return (old & UINT32_MAX) | (uint64_t)value << 32;
}

/* The written counter does not count in the cycle of the write. */
static void set_cycles(struct golden *g, uint64_t value, const struct golden_at *when)
{
    g->cycles.value = value;
    g->cycles.at = when->cycle + 1u;
}

static void write_inhibit(struct golden *g, uint32_t value, const struct golden_at *when)
{
    set_cycles(g, cycles_at(g, when->cycle + 1u), when);
    g->inhibit = value & 5u;
}

static void write_mstatus(struct golden *g, uint32_t value)
{
    g->mie = (value & MSTATUS_MIE) != 0;
    g->mpie = (value & MSTATUS_MPIE) != 0;
}

void golden_csr_write(struct golden *g, unsigned number, const struct golden_at *when,
                      uint32_t value)
{
    uint64_t cycles = cycles_at(g, when->cycle);

    switch (number) {
    case 0x300: write_mstatus(g, value); break;
    case 0x304: g->enabled = value & GOLDEN_IRQ_LINES; break;
    case 0x305: g->tvec = value & ~2u; break;
    case 0x320: write_inhibit(g, value, when); break;
    case 0x340: g->scratch = value; break;
    case 0x341: g->epc = value & ~1u; break;
    case 0x342: g->cause = value & 0x8000001fu; break;
    case 0x343: g->tval = value; break;
    case 0xb00: set_cycles(g, with_low(cycles, value), when); break;
    case 0xb80: set_cycles(g, with_high(cycles, value), when); break;
    case 0xb02: g->instret = with_low(g->instret, value); break;
    case 0xb82: g->instret = with_high(g->instret, value); break;
    default: break; /* the others ignore writes */
    }
}
