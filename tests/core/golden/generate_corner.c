/* SPDX-License-Identifier: Apache-2.0
 *
 * Generates random programs: pieces for the crosses of coverage.def.
 *
 * A piece loads its operands from the table of corners that layout.c puts after x4, may add other
 * code, and ends with the instruction.
 */
#include "generate.h"

static uint32_t coin(struct generator *g) { return below(g, 2); }

static void load_table(struct generator *g, uint32_t reg, enum table_entry entry)
{
    code(g, LW(reg, TABLE_AT - DATA_AT + 4u * entry, 4u));
}

static enum table_entry value(struct generator *g)
{
    return (enum table_entry)below(g, TABLE_VALUES);
}

/* Returns a register of the 16-bit forms that holds no pointer. */
static uint32_t short_steady(struct generator *g) { return 10u + below(g, 6); }

static void store(struct generator *g)
{
    code(g, SW(any(g), TABLE_AT - DATA_AT + 0x80u, 4u));
}

/* Adds the code directly before the instruction; in most cases none, so that a load precedes it. */
static void approach(struct generator *g)
{
    switch (below(g, 8)) {
    case 0: code(g, ADDI(0u, 0u, 0)); break;
    case 1: code(g, 0x0001u); break;
    case 2: case 3:
        code(g, enc_r(0x02000033u | below(g, 8) << 12, 5u + below(g, 3), any(g), any(g)));
        break;
    case 4: case 5: store(g); break;
    default: break;
    }
}

/* Loads both operands, in either order. */
static void load_two(struct generator *g, uint32_t a, enum table_entry va, uint32_t b,
                     enum table_entry vb)
{
    if (coin(g) != 0) {
        load_table(g, a, va);
        load_table(g, b, vb);
    } else {
        load_table(g, b, vb);
        load_table(g, a, va);
    }
    approach(g);
}

static void two_values(struct generator *g, uint32_t a, uint32_t b)
{
    enum table_entry va = value(g), vb = below(g, 5) == 0 ? va : value(g);

    if (below(g, 8) == 0) va = TABLE_MIN, vb = TABLE_ONES;
    load_two(g, a, va, b, vb);
}

static uint32_t destination(struct generator *g, uint32_t a, uint32_t b)
{
    switch (below(g, 5)) {
    case 0: return 0;
    case 1: return a;
    case 2: return b;
    default: return target(g);
    }
}

/* ---- arithmetic ---- */
static void corner_alu(struct generator *g)
{
    static const uint32_t base[] = {
        0x00000033, 0x40000033, 0x00001033, 0x00002033, 0x00003033, 0x00004033,
        0x00005033, 0x40005033, 0x00006033, 0x00007033, 0x02000033, 0x02001033,
        0x02002033, 0x02003033, 0x02004033, 0x02005033, 0x02006033, 0x02007033,
    };
    uint32_t a = steady(g), b = steady(g);

    two_values(g, a, b);
    code(g, enc_r(base[below(g, 18)], destination(g, a, b), a, b));
}

static void corner_short_alu(struct generator *g)
{
    uint32_t a = short_steady(g), b = short_steady(g);

    two_values(g, a, b);
    switch (below(g, 6)) {
    case 0: code(g, 0x9002u | (coin(g) != 0 ? a : 0u) << 7 | b << 2); break;
    case 1: code(g, 0x8002u | (coin(g) != 0 ? a : 0u) << 7 | b << 2); break;
    default: code(g, 0x8c01u | below(g, 4) << 5 | (a - 8u) << 7 | (b - 8u) << 2); break;
    }
}

static uint32_t immediate(struct generator *g, uint32_t least, uint32_t greatest)
{
    switch (below(g, 5)) {
    case 0: return 0;
    case 1: return 1;
    case 2: return UINT32_MAX;
    case 3: return least;
    default: return greatest;
    }
}

static void corner_immediate(struct generator *g)
{
    uint32_t a = steady(g), kind = below(g, 9), f3 = kind == 8u ? 5u : kind;
    uint32_t imm = immediate(g, 0x800u, 0x7ffu) & 0xfffu;

    if (f3 == 1 || f3 == 5) imm = coin(g) * 31u;
    if (kind == 8) imm |= 0x400u; /* srai */
    load_table(g, a, value(g));
    approach(g);
    code(g, enc_i(0x13u | f3 << 12, destination(g, a, a), a, imm));
}

static uint32_t short_immediate(uint32_t imm)
{
    return (imm >> 5 & 1u) << 12 | (imm & 31u) << 2;
}

static void corner_short_immediate(struct generator *g)
{
    uint32_t a = short_steady(g), imm = short_immediate(immediate(g, 0x20u, 0x1fu));
    uint32_t shift = (coin(g) * 31u) << 2, rd = below(g, 4) == 0 ? 0 : a;

    load_table(g, a, value(g));
    approach(g);
    switch (below(g, 5)) {
    case 0: code(g, 0x0001u | rd << 7 | imm); break;
    case 1: code(g, 0x8801u | (a - 8u) << 7 | imm); break;
    case 2: code(g, 0x0002u | rd << 7 | shift); break;
    default: code(g, 0x8001u | coin(g) << 10 | (a - 8u) << 7 | shift); break;
    }
}

/* Instructions that read no register, or only x2. */
static void corner_constant(struct generator *g)
{
    uint32_t rd = coin(g) * 10u, imm = immediate(g, 0x20u, 0x1fu);

    load_table(g, 2u, TABLE_X2);
    approach(g);
    switch (below(g, 6)) {
    case 0: code(g, LUI(rd, coin(g) * 0xfffffu)); break;
    case 1: code(g, AUIPC(rd, coin(g) * 0xfffffu)); break;
    case 2: code(g, 0x4001u | rd << 7 | short_immediate(imm)); break;
    case 3: code(g, 0x6001u | rd << 7 | short_immediate(coin(g) != 0 ? 0x20u : 0x1fu)); break;
    case 4: code(g, (coin(g) != 0 ? 0x0040u : 0x1fe0u) | below(g, 6) << 2); break;
    default:
        code(g, coin(g) != 0 ? 0x7101u : 0x617du); /* x2 - 512, x2 + 496 */
        load_table(g, 2u, TABLE_X2);
        break;
    }
}

/* ---- memory ---- */
static enum table_entry pointer_entry(uint32_t reg)
{
    return reg == 2u ? TABLE_X2 : reg == 8u ? TABLE_X8 : TABLE_X9;
}

/* Loads a base address, valid or not, and the value to be stored. */
static void load_base(struct generator *g, uint32_t base, uint32_t data)
{
    static const enum table_entry bad[] = {TABLE_REFUSED, TABLE_MISALIGNED};
    enum table_entry entry = below(g, 4) == 0 ? bad[coin(g)] : pointer_entry(base);

    if (data == base) {
        load_table(g, base, entry);
        approach(g);
    } else {
        load_two(g, base, entry, data, value(g));
    }
}

/* Returns a multiple of the access size, so that only a bad base makes it misaligned. */
static uint32_t memory_offset(struct generator *g, uint32_t size)
{
    switch (below(g, 4)) {
    case 0: return 0x800u;
    case 1: return 0x800u - size;
    default: return below(g, 64) & ~(size - 1u);
    }
}

static void corner_memory(struct generator *g)
{
    static const uint32_t loads[] = {0, 1, 2, 4, 5};
    uint32_t base = (0x982u >> 4 * below(g, 3)) & 15u, data = short_steady(g);
    uint32_t f3 = coin(g) != 0 ? loads[below(g, 5)] : 8u + below(g, 3);
    uint32_t offset = memory_offset(g, 1u << (f3 & 3u));

    if (below(g, 4) == 0) data = base;
    load_base(g, base, data);
    if (f3 < 8u)
        code(g, enc_i(0x03u | f3 << 12, below(g, 4) == 0 ? 0 : data, base, offset & 0xfffu));
    else
        code(g, enc_s(0x23u | (f3 & 3u) << 12, data, base, offset));
    load_table(g, base, pointer_entry(base));
}

static void corner_short_memory(struct generator *g)
{
    static const uint32_t offsets[] = {0, 0x1c60, 0x0c00, 0x1000, 0x0440};
    static const uint32_t offsets_sp[] = {0, 0x107c, 0x0030, 0x1000};
    static const uint32_t offsets_swsp[] = {0, 0x1f80, 0x0200, 0x1000};
    uint32_t form = below(g, 4), data = short_steady(g);
    uint32_t base = form < 2u ? 8u + coin(g) : 2u;
    uint32_t fields = (base - 8u) << 7 | offsets[below(g, 5)];

    if (below(g, 4) == 0 && (form < 3u)) data = base;
    load_base(g, base, data);
    switch (form) {
    case 0: code(g, 0x4000u | fields | (data - 8u) << 2); break;
    case 1: code(g, 0xc000u | fields | (data - 8u) << 2); break;
    case 2: code(g, 0x4002u | offsets_sp[below(g, 4)] | data << 7); break;
    default: code(g, 0xc002u | offsets_swsp[below(g, 4)] | data << 2); break;
    }
    load_table(g, base, pointer_entry(base));
}

/* ---- control flow ---- */
/* The target of a jump back: it lies after a jump over it and ends with a jump over the rest. */
struct back {
    size_t over, first, leave;
};

static struct back begin_back(struct generator *g)
{
    struct back b;

    if (coin(g) != 0) code(g, 0x0001u);
    b.over = g->p->count;
    exactly(g, ITEM_CJ, 0xa001u, 0);
    b.first = g->p->count;
    code(g, coin(g) != 0 ? ADDI(5u, 5u, 1) : 0x0001u);
    b.leave = g->p->count;
    exactly(g, ITEM_JAL, 0x6fu, 0);
    g->p->items[b.over].target = g->p->count;
    return b;
}

static void end_back(struct generator *g, const struct back *b)
{
    g->p->items[b->leave].target = g->p->count;
}

/* Adds a jump back or, without a target, forward. */
static void jump(struct generator *g, const struct back *b, enum item_kind kind, uint32_t word)
{
    if (b != NULL) exactly(g, kind, word, b->first);
    else towards(g, kind, word, 6);
}

static void direct_jump(struct generator *g, const struct back *b)
{
    static const uint32_t f3[] = {0, 1, 4, 5, 6, 7};
    uint32_t a = short_steady(g), c = steady(g);

    switch (below(g, 10)) {
    case 0:
        approach(g);
        jump(g, b, ITEM_JAL, 0x6fu | (coin(g) != 0 ? target(g) : 0u) << 7);
        break;
    case 1:
        approach(g);
        jump(g, b, ITEM_CJ, coin(g) != 0 ? 0xa001u : 0x2001u);
        break;
    case 2: case 3:
        load_table(g, a, value(g));
        approach(g);
        jump(g, b, ITEM_CB, 0xc001u | coin(g) << 13 | (a - 8u) << 7);
        break;
    default:
        two_values(g, a, c);
        jump(g, b, ITEM_BRANCH, enc_r(0x63u | f3[below(g, 6)] << 12, 0, a, c));
        break;
    }
}

/* Takes the target address from memory. */
static void indirect_jump(struct generator *g, const struct back *b)
{
    uint32_t at = steady(g);

    jump(g, b, ITEM_ADDRESS, at);
    if (b == NULL) g->p->items[g->p->count - 1].target += 5u;
    code(g, ADDI(at, at, coin(g)));
    code(g, SW(at, TABLE_AT - DATA_AT + 0x84u, 4u));
    code(g, LW(at, TABLE_AT - DATA_AT + 0x84u, 4u));
    approach(g);
    switch (below(g, 3)) {
    case 0: code(g, enc_i(0x67u, destination(g, at, at), at, 0)); break;
    case 1: code(g, 0x8002u | at << 7); break;
    default: code(g, 0x9002u | at << 7); break;
    }
}

static void return_jump(struct generator *g, const struct back *b)
{
    uint32_t at = steady(g);

    code(g, enc_i(0x7073u, 0u, 8u, 0x300u)); /* an interrupt would overwrite mepc */
    jump(g, b, ITEM_ADDRESS, at);
    if (b == NULL) g->p->items[g->p->count - 1].target += 3u;
    code(g, CSRRW(0u, 0x341u, at));
    approach(g);
    code(g, MRET);
}

/*
 * Enables interrupts at the mret itself: the handler would return to it for ever, so traps continue
 * at its target instead.
 */
static void open_return(struct generator *g)
{
    uint32_t at = 10u + below(g, 4), cell = 14u + below(g, 4);
    size_t address = g->p->count;

    exactly(g, ITEM_ADDRESS, at, 0);
    gen_enable(g);
    code(g, enc_i(0x7073u, 0u, 8u, 0x300u));
    code(g, LUI(cell, 0x80008u));
    code(g, SW(at, RESUME_AT - RAM_BYTES, cell));
    code(g, LUI(cell, 0x80003u));
    code(g, ADDI(cell, cell, RESUMER_AT - 0x3000));
    code(g, CSRRW(0u, 0x305u, cell));
    code(g, CSRRW(0u, 0x341u, at));
    code(g, enc_i(0x6073u, 0u, 8u, 0x300u));
    if (coin(g) != 0) store(g);
    else approach(g);
    code(g, MRET);
    g->p->items[address].target = g->p->count;
    gen_vectors(g);
    gen_enable(g);
}

static void corner_jump(struct generator *g)
{
    struct back back, *b = NULL;

    if (coin(g) != 0) back = begin_back(g), b = &back;
    switch (below(g, 12)) {
    case 0:
        if (below(g, 4) != 0) open_return(g);
        else return_jump(g, b);
        break;
    case 1: open_return(g); break;
    case 2: case 3: indirect_jump(g, b); break;
    default: direct_jump(g, b); break;
    }
    if (b != NULL) end_back(g, b);
}

/* ---- the system ---- */
static uint32_t csr_number(struct generator *g)
{
    static const uint32_t known[] = {
        0x300, 0x301, 0x304, 0x310, 0x320, 0x340, 0x341, 0x342, 0x343, 0x344,
        0xb00, 0xb02, 0xb80, 0xb82, 0xf11, 0xf12, 0xf13, 0xf14,
        0xf15, 0x323, 0x33f, 0xb03, 0xb1f, 0xb83, 0xb9f,
    };

    return below(g, 8) == 0 ? below(g, 4096) | 0x800u
                            : known[below(g, sizeof known / sizeof known[0])];
}

/* Sets a counter to a value just before its lower half overflows. */
static void corner_counter(struct generator *g)
{
    uint32_t a = steady(g), number = 0xb00u + 2u * coin(g);

    load_table(g, a, TABLE_ONES);
    code(g, CSRRW(target(g), number, a));
    approach(g);
    code(g, CSRRS(target(g), number + 0x80u, 0u));
}

static void corner_csr(struct generator *g)
{
    uint32_t a = steady(g), f3 = 1u + below(g, 3), number = csr_number(g);
    uint32_t rs1 = below(g, 4) == 0 ? 0 : a;

    load_table(g, a, value(g));
    approach(g);
    if (coin(g) != 0) f3 += 4u, rs1 = coin(g) * 31u;
    code(g, enc_i(0x73u | f3 << 12, destination(g, a, a), rs1, number));
    if (number == 0x300u || number == 0x304u) gen_enable(g);
}

/* Writes random values to mtvec while no trap can occur. */
static void corner_vector(struct generator *g)
{
    uint32_t a = steady(g), f3 = 1u + below(g, 3) + 4u * coin(g);

    code(g, enc_i(0x7073u, 0u, 8u, 0x300u));
    load_table(g, a, value(g));
    code(g, enc_i(0x73u | f3 << 12, destination(g, a, a), a, 0x305u));
    gen_vectors(g);
    gen_enable(g);
}

static void corner_system(struct generator *g)
{
    static const uint32_t codes[] = {
        0x00000073, 0x00100073, 0x9002, 0x0ff0000f, FENCE_I, WFI,
        0x0000, 0x9c41, 0x6002, 0x00002063 | 3u << 12, 0xffffffff, 0x80000033, 0x10200073,
    };

    if (coin(g) != 0) gen_enable(g);
    else load_table(g, any(g) & 16u, value(g));
    if (coin(g) != 0) store(g);
    else approach(g);
    code(g, codes[below(g, sizeof codes / sizeof codes[0])]);
}

void gen_corner(struct generator *g)
{
    if (below(g, 3) == 0) code(g, LUI(4u, 0x80004u));
    switch (below(g, 28)) {
    case 0: case 1: case 2: case 3: case 4: case 5: case 6: corner_alu(g); break;
    case 7: case 8: corner_short_alu(g); break;
    case 9: case 10: corner_immediate(g); break;
    case 11: case 12: corner_short_immediate(g); break;
    case 13: corner_constant(g); break;
    case 14: case 15: case 16: corner_memory(g); break;
    case 17: case 18: corner_short_memory(g); break;
    case 19: case 20: case 21: corner_jump(g); break;
    case 22: case 23: corner_csr(g); break;
    case 24: case 25: case 26: corner_system(g); break;
    default:
        if (coin(g) != 0) corner_vector(g);
        else corner_counter(g);
        break;
    }
}
