/* SPDX-License-Identifier: Apache-2.0
 *
 * Generates random programs.
 *
 * A program sets every register and the trap CSRs, runs hundreds of random pieces, and ends with a
 * store to tohost. x2, x4, x8 and x9 point into the data and are seldom written; the handler uses
 * x5 to x7. A program may destroy itself, so the run also ends after a number of instructions.
 */
#include "generate.h"

#include <string.h>

uint32_t random_word(struct random *r)
{
    uint64_t z = r->state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z ^ z >> 31) >> 16);
}

uint32_t random_below(struct random *r, uint32_t limit)
{
    return random_word(r) % limit;
}

uint32_t below(struct generator *g, uint32_t limit)
{
    return random_below(&g->random, limit);
}

struct item *add(struct generator *g, enum item_kind kind, uint32_t code)
{
    struct item *i = &g->p->items[g->p->count++];

    memset(i, 0, sizeof *i);
    i->kind = kind;
    i->code = code;
    return i;
}

void code(struct generator *g, uint32_t word)
{
    add(g, ITEM_CODE, word);
}

static void kept(struct generator *g, uint32_t word)
{
    add(g, ITEM_CODE, word)->keep = true;
}

void towards(struct generator *g, enum item_kind kind, uint32_t word,
             uint32_t reach)
{
    struct item *i = add(g, kind, word);

    i->target = g->p->count + below(g, reach);
}

/* ---- registers ---- */
uint32_t any(struct generator *g) { return below(g, 32); }

uint32_t target(struct generator *g)
{
    uint32_t rd = any(g);

    if ((rd == 2 || rd == 4 || rd == 8 || rd == 9) && below(g, 20) != 0) rd = 10;
    if (rd == g->counter) rd = 11;
    return rd;
}

/* Returns a register that neither the handler uses nor holds a pointer. */
uint32_t steady(struct generator *g) { return 10u + below(g, 22); }
static uint32_t pointer(struct generator *g) { return (0x982u >> 4 * below(g, 3)) & 15u; }

static uint32_t short_target(struct generator *g)
{
    return below(g, 20) == 0 ? below(g, 8) : 2u + below(g, 6);
}

/* ---- computing ---- */
static void gen_alu(struct generator *g)
{
    static const uint32_t base[] = {
        0x00000033, 0x40000033, 0x00001033, 0x00002033, 0x00003033, 0x00004033,
        0x00005033, 0x40005033, 0x00006033, 0x00007033,
    };

    code(g, enc_r(base[below(g, 10)], target(g), any(g), any(g)));
}

static void gen_muldiv(struct generator *g)
{
    code(g, enc_r(0x02000033u | below(g, 8) << 12, target(g), any(g), any(g)));
}

static void gen_immediate(struct generator *g)
{
    uint32_t f3 = below(g, 8);
    uint32_t imm = random_word(&g->random) & 0xfffu;

    if (f3 == 1) imm &= 31u;
    if (f3 == 5) imm &= 0x41fu;
    code(g, enc_i(0x13u | f3 << 12, target(g), any(g), imm));
}

static void gen_upper(struct generator *g)
{
    uint32_t top = random_word(&g->random) & 0xfffffu;

    code(g, below(g, 2) != 0 ? LUI(target(g), top) : AUIPC(target(g), top));
}

static void gen_pointer(struct generator *g)
{
    code(g, LUI(pointer(g), 0x80004u + below(g, 3)));
}

/* ---- memory ---- */
static uint32_t data_offset(struct generator *g, uint32_t size)
{
    uint32_t offset = below(g, 256) - (below(g, 4) == 0 ? 128u : 0u);

    return below(g, 16) == 0 ? offset : offset & ~(size - 1u);
}

static void gen_load(struct generator *g)
{
    static const uint32_t f3[] = {0, 1, 2, 4, 5};
    uint32_t f = f3[below(g, 5)];
    uint32_t base = below(g, 50) == 0 ? any(g) : pointer(g);

    code(g, enc_i(0x03u | f << 12, target(g), base, data_offset(g, 1u << (f & 3u))));
}

static void gen_store(struct generator *g)
{
    uint32_t f = below(g, 3);
    uint32_t base = below(g, 50) == 0 ? any(g) : pointer(g);

    code(g, enc_s(0x23u | f << 12, any(g), base, data_offset(g, 1u << f)));
}

/* Accesses memory that refuses: the first 4 KiB after the RAM, or far from it. */
static void gen_refused(struct generator *g)
{
    uint32_t f = below(g, 3);
    uint32_t base = steady(g);

    code(g, LUI(base, below(g, 2) != 0 ? 0x80008u : 0x40000u));
    if (below(g, 2) != 0)
        code(g, enc_i(0x03u | f << 12, target(g), base, below(g, 64) & ~3u));
    else
        code(g, enc_s(0x23u | f << 12, any(g), base, below(g, 64) & ~3u));
}

/* ---- 16-bit forms ---- */
static void gen_short_alu(struct generator *g)
{
    uint32_t fields = random_word(&g->random) & 0x1ffcu;
    uint32_t rd = target(g) << 7;
    static const uint32_t pairs[] = {0x8c01, 0x8c21, 0x8c41, 0x8c61};

    switch (below(g, 9)) {
    case 0: code(g, 0x0000u | (fields & 0x1fe0u) | short_target(g) << 2); break;
    case 1: code(g, 0x0001u | (fields & 0x107cu) | rd); break;
    case 2: code(g, 0x4001u | (fields & 0x107cu) | rd); break;
    case 3: code(g, 0x6001u | (fields & 0x107cu) | rd); break;
    case 4: code(g, 0x8001u | (fields & 0x047cu) | short_target(g) << 7); break;
    case 5: code(g, 0x8801u | (fields & 0x107cu) | short_target(g) << 7); break;
    case 6: code(g, pairs[below(g, 4)] | short_target(g) << 7 | (fields & 0x1cu)); break;
    case 7: code(g, 0x0002u | (fields & 0x007cu) | rd); break;
    default: code(g, 0x8002u | below(g, 2) << 12 | rd | (1u + below(g, 31)) << 2); break;
    }
}

static void gen_short_memory(struct generator *g)
{
    uint32_t fields = random_word(&g->random) & 0x1ffcu;
    uint32_t base = below(g, 2) << 7;

    switch (below(g, 5)) {
    case 0: code(g, 0x4000u | (fields & 0x1c60u) | base | short_target(g) << 2); break;
    case 1: code(g, 0xc000u | (fields & 0x1c7cu) | base); break;
    case 2: code(g, 0x4002u | (fields & 0x107cu) | target(g) << 7); break;
    case 3: code(g, 0xc002u | (fields & 0x1ffcu)); break;
    default: code(g, 0x6101u | (fields & 0x107cu)); gen_pointer(g); break;
    }
}

/* ---- control flow ---- */
/* Returns a jump distance; far jumps are rare, as they skip much of the program. */
static uint32_t reach(struct generator *g, uint32_t far)
{
    return below(g, 12) == 0 ? far : 6u;
}

static void gen_branch(struct generator *g)
{
    static const uint32_t f3[] = {0, 1, 4, 5, 6, 7};
    uint32_t f = f3[below(g, 6)];

    switch (below(g, 6)) {
    case 0: towards(g, ITEM_JAL, 0x6fu | target(g) << 7, reach(g, 300)); break;
    case 1:
        towards(g, ITEM_CJ, below(g, 2) != 0 ? 0xa001u : 0x2001u, reach(g, 120)); break;
    case 2: case 3:
        towards(g, ITEM_CB, 0xc001u | below(g, 2) << 13 | below(g, 8) << 7, 6); break;
    default:
        towards(g, ITEM_BRANCH, enc_r(0x63u | f << 12, 0, any(g), any(g)), reach(g, 40));
        break;
    }
}

static void gen_indirect(struct generator *g)
{
    uint32_t at = steady(g);

    towards(g, ITEM_ADDRESS, at, 6);
    g->p->items[g->p->count - 1].target++;
    switch (below(g, 3)) {
    case 0: code(g, enc_i(0x67u, target(g), at, below(g, 2))); break;
    case 1: code(g, 0x8002u | at << 7); break;
    default: code(g, 0x9002u | at << 7); break;
    }
}

static void gen_simple(struct generator *g);

void exactly(struct generator *g, enum item_kind kind, uint32_t word, size_t to)
{
    struct item *i = add(g, kind, word);

    i->target = to;
    i->exact = true;
}

/* Makes a loop: jumps over some instructions, back to them, and over the jump back. */
static void gen_back(struct generator *g)
{
    uint32_t n = 1u + below(g, 60);
    size_t first = g->p->count + 1u, back = first + n + 1u;

    exactly(g, ITEM_CJ, 0xa001u, back);
    while (g->p->count < first + n) gen_alu(g);
    exactly(g, ITEM_JAL, 0x6fu, back + 1u);
    switch (below(g, 3)) {
    case 0: exactly(g, ITEM_CJ, 0x2001u, first); break;
    case 1: exactly(g, ITEM_JAL, 0xefu, first); break;
    default: exactly(g, ITEM_BRANCH, 0x5063u, first); break; /* bge x0,x0 */
    }
}

static void gen_loop(struct generator *g)
{
    uint32_t counter = 28u + below(g, 4);
    size_t top;

    g->counter = counter;
    code(g, ADDI(counter, 0u, 1u + below(g, 6)));
    top = g->p->count;
    for (uint32_t n = 1u + below(g, 6); n > 0; n--) gen_simple(g);
    code(g, ADDI(counter, counter, 0xfffu));
    exactly(g, ITEM_BRANCH, enc_r(0x4063u, 0, 0u, counter), top);
    g->counter = 0;
}

/* Fetches from memory that refuses: far away, or in the second half of the last word. */
static void gen_bad_jump(struct generator *g)
{
    uint32_t at = steady(g), cell = 5u + below(g, 3);

    towards(g, ITEM_ADDRESS, at, 4);
    g->p->items[g->p->count - 1].target += 4u;
    code(g, LUI(cell, 0x80008u));
    code(g, SW(at, RESUME_AT - RAM_BYTES, cell));
    code(g, LUI(cell, below(g, 2) != 0 ? 0x80008u : 0x40000u));
    code(g, enc_i(0x67u, target(g), cell, below(g, 2) != 0 ? 0xffeu : 2u * below(g, 3)));
}

/* Changes the instruction after it and fetches again. */
static void gen_patch(struct generator *g)
{
    uint32_t at = 16u + below(g, 4), value = 20u + below(g, 4);

    exactly(g, ITEM_ADDRESS, at, g->p->count + 5u);
    code(g, enc_r(0x33u, value, any(g), 0u)); /* half of the new code is random */
    code(g, enc_i(0x6013u, value, value, 3u));
    code(g, enc_s(0x1023u, value, at, 0u));
    code(g, FENCE_I);
    code(g, ADDI(0u, 0u, 0));
}

/* ---- the system ---- */
static uint32_t csr_number(struct generator *g)
{
    static const uint32_t known[] = {
        0x300, 0x301, 0x304, 0x310, 0x320, 0x340, 0x341, 0x342, 0x343, 0x344,
        0xb00, 0xb02, 0xb80, 0xb82, 0xf11, 0xf12, 0xf13, 0xf14, 0xf15, 0x340, 0xb00, 0xb02,
        0x323, 0x33f, 0xb03, 0xb1f, 0xb83, 0xb9f, 0x305,
    };

    return below(g, 12) == 0 ? below(g, 4096) : known[below(g, sizeof known / sizeof known[0])];
}

static void gen_csr(struct generator *g)
{
    static const uint32_t f3[] = {1, 2, 3, 5, 6, 7};
    uint32_t number = csr_number(g);
    uint32_t f = f3[below(g, 6)];
    uint32_t source = below(g, 3) == 0 ? 0 : any(g);

    /* A random vector would end the program, so they are rare. */
    if (number == 0x305u && below(g, 40) != 0) f = 2, source = 0;
    code(g, enc_i(0x73u | f << 12, target(g), source, number));
}

void gen_vectors(struct generator *g)
{
    uint32_t at = steady(g);

    code(g, LUI(at, 0x80003u));
    if (below(g, 2) != 0) code(g, ADDI(at, at, VECTORS_SIZE));
    code(g, enc_i(0x6013u, at, at, below(g, 4)));
    code(g, CSRRW(target(g), 0x305u, at));
}

/* Enables interrupts again, whatever the CSRs are. */
void gen_enable(struct generator *g)
{
    uint32_t mask = steady(g);

    code(g, LUI(mask, 1u));
    code(g, ADDI(mask, mask, 0x888u));
    code(g, CSRRW(target(g), 0x304u, mask));
    code(g, CSRRS(target(g), 0x300u, mask));
}

static void gen_wfi(struct generator *g)
{
    if (below(g, 10) != 0) gen_enable(g);
    if (below(g, 2) != 0) code(g, enc_i(0x7073u, 0u, 8u, 0x300u)); /* clears MIE */
    code(g, WFI);
}

static void gen_mret(struct generator *g)
{
    uint32_t at = steady(g);

    code(g, enc_i(0x7073u, 0u, 8u, 0x300u));
    towards(g, ITEM_ADDRESS, at, 4);
    g->p->items[g->p->count - 1].target += 2u;
    code(g, CSRRW(target(g), 0x341u, at));
    code(g, MRET);
}

static void gen_system(struct generator *g)
{
    switch (below(g, 9)) {
    case 0: code(g, 0x00000073u); break;
    case 1: code(g, 0x00100073u); break;
    case 2: code(g, 0x9002u); break;
    case 3: code(g, 0x0000000fu | (random_word(&g->random) & 0xffff8f80u)); break;
    case 4: code(g, FENCE_I); break;
    case 5: gen_wfi(g); break;
    case 6: gen_mret(g); break;
    case 7: gen_vectors(g); break;
    default: gen_enable(g); break;
    }
}

/* Random bits, mostly with a valid opcode; jumps may lead anywhere. */
static void gen_bits(struct generator *g)
{
    static const uint32_t opcodes[] = {0x03, 0x0f, 0x13, 0x13, 0x23, 0x33, 0x33, 0x67, 0x73, 0x73};
    uint32_t word = random_word(&g->random) & ~0x7fu;

    switch (below(g, 8)) {
    case 0: case 1: code(g, (random_word(&g->random) & 0xfffcu) | below(g, 3)); break;
    case 2: code(g, word | 0x63u); break;
    case 3: code(g, random_word(&g->random) | 3u); break;
    default: code(g, word | opcodes[below(g, sizeof opcodes / sizeof opcodes[0])]); break;
    }
}

static void gen_simple(struct generator *g)
{
    switch (below(g, 12)) {
    case 0: case 1: gen_alu(g); break;
    case 2: gen_immediate(g); break;
    case 3: gen_muldiv(g); break;
    case 4: gen_upper(g); break;
    case 5: case 6: gen_load(g); break;
    case 7: gen_store(g); break;
    case 8: gen_short_memory(g); break;
    default: gen_short_alu(g); break;
    }
}

static void gen_special(struct generator *g)
{
    switch (below(g, 16)) {
    case 0: gen_refused(g); break;
    case 1: gen_bad_jump(g); break;
    case 2: gen_patch(g); break;
    case 3: case 7: gen_bits(g); break;
    case 4: case 5: case 6: gen_system(g); break;
    case 12: gen_pointer(g); break;
    case 8: gen_loop(g); break;
    case 9: gen_back(g); break;
    case 10: case 11: gen_indirect(g); break;
    default: gen_csr(g); break;
    }
}

static void gen_prologue(struct generator *g)
{
    static const uint32_t csr[][2] = {{0x305, 1}, {0x340, 3}, {0x341, 4}, {0x342, 10},
                                      {0x343, 11}, {0x304, 12}, {0x300, 13}};

    kept(g, LUI(31, 0x80004u));
    for (uint32_t x = 1; x < 32; x++) kept(g, LW(x, 4u * x, 31u));
    for (size_t i = 0; i < sizeof csr / sizeof csr[0]; i++)
        kept(g, CSRRW(0u, csr[i][0], csr[i][1]));
}

/* The last three items: the store that ends the run. */
static void gen_epilogue(struct generator *g)
{
    kept(g, LUI(31, 0x80008u));
    kept(g, SW(31u, TOHOST_AT - RAM_BYTES, 31u));
    kept(g, 0xa001u);
}

/*
 * Retargets jumps into the middle of a piece, which mostly destroy the program: most go to the
 * start of the next piece instead. None goes past the epilogue.
 */
static void settle_targets(struct generator *g)
{
    struct program *p = g->p;

    for (size_t i = 0; i < p->count; i++) {
        struct item *item = &p->items[i];

        if (item->exact) continue;
        if (item->target >= p->count) item->target = p->count - 3u;
        if (below(g, 100) == 0) continue;
        while (!p->items[item->target].start) item->target++;
    }
}

void program_generate(struct program *p, uint64_t seed)
{
    struct generator g = {p, {seed}, 0};
    uint32_t length;
    size_t first;

    p->seed = seed;
    p->count = 0;
    gen_prologue(&g);
    length = 100u + below(&g, 400);
    while (p->count < length) {
        first = p->count;
        switch (below(&g, 12)) {
        case 0: gen_special(&g); break;
        case 1: gen_branch(&g); break;
        case 2: case 3: case 4: case 5: case 6: gen_corner(&g); break;
        default: gen_simple(&g); break;
        }
        p->items[first].start = true;
    }
    gen_epilogue(&g);
    p->items[p->count - 3].start = true;
    settle_targets(&g);
}
