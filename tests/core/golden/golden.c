/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model: fetches, traps and interrupts, and the steps of one instruction.
 */
#include "golden.h"

#include <string.h>

/*
 * Registers and CSRs without a reset start as zero here, too: a program must set them before it
 * reads them.
 */
void golden_reset(struct golden *g, uint32_t pc, uint32_t hart_id)
{
    struct golden_memory memory = g->memory;

    memset(g, 0, sizeof *g);
    g->memory = memory;
    g->pc = pc;
    g->hart_id = hart_id;
}

static void enter_handler(struct golden *g, uint32_t cause, uint32_t tval)
{
    uint32_t base = g->tvec & ~3u;
    bool vectored = (g->tvec & 1u) != 0 && cause >> 31 != 0;

    g->epc = g->pc;
    g->cause = cause;
    g->tval = tval;
    g->mpie = g->mie;
    g->mie = false;
    g->pc = base + (vectored ? 4u * (cause & 31u) : 0u);
}

uint32_t golden_irq_cause(const struct golden *g, uint32_t mip)
{
    static const unsigned order[] = {11, 3, 7};
    uint32_t pending = mip & g->enabled;

    if (!g->mie) return 0;
    for (size_t i = 0; i < 3; i++)
        if ((pending >> order[i] & 1u) != 0) return 1u << 31 | order[i];
    return 0;
}

void golden_interrupt(struct golden *g, uint32_t cause)
{
    enter_handler(g, cause, 0);
}

void golden_trap(struct golden_step *s, uint32_t cause, uint32_t tval)
{
    s->trap = true;
    s->cause = cause;
    s->tval = tval;
}

static void fetch(struct golden *g, struct golden_step *s)
{
    uint32_t low = 0, high = 0;

    if (!g->memory.fetch(g->memory.context, g->pc, &low)) {
        golden_trap(s, GOLDEN_FETCH_FAULT, g->pc);
    } else if ((low & 3u) == 3u &&
               !g->memory.fetch(g->memory.context, g->pc + 2u, &high)) {
        golden_trap(s, GOLDEN_FETCH_FAULT, g->pc + 2u);
    }
    golden_decode(high << 16 | low, &s->insn);
}

static void retire(struct golden *g, struct golden_step *s)
{
    if (s->rd != 0) g->x[s->rd] = s->rd_value;
    if (!g->instret_set) g->instret++;
    g->instret_set = false;
    g->pc = s->next_pc;
}

void golden_step(struct golden *g, const struct golden_at *when, struct golden_step *s)
{
    memset(s, 0, sizeof *s);
    s->pc = g->pc;
    fetch(g, s);
    s->next_pc = g->pc + s->insn.length;
    if (!s->trap && s->insn.op == NULL) golden_trap(s, GOLDEN_ILLEGAL, s->insn.raw);
    if (!s->trap) golden_execute(g, when, s);
    if (s->trap) {
        s->rd = 0;
        enter_handler(g, s->cause, s->tval);
        s->next_pc = g->pc;
    } else {
        retire(g, s);
    }
}
