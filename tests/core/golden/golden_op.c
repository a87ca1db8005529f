/* SPDX-License-Identifier: Apache-2.0
 *
 * Golden model: the table of 32-bit instructions; decodes, executes and prints them.
 */
#include "golden.h"

#include <inttypes.h>
#include <stdio.h>

enum format { FORMAT_R, FORMAT_I, FORMAT_SHIFT, FORMAT_LOAD, FORMAT_S, FORMAT_B, FORMAT_U,
              FORMAT_J, FORMAT_CSR, FORMAT_CSRI, FORMAT_NONE };

typedef void (*execute_fn)(struct golden *g, const struct golden_at *when,
                           struct golden_step *s);
typedef uint32_t (*value_fn)(uint32_t a, uint32_t b);

struct golden_op {
    const char *name;
    uint32_t mask, match;
    enum format format;
    execute_fn execute;
    value_fn value; /* arithmetic, or the condition of a branch */
};

/* ---- arithmetic ---- */
static uint32_t do_add(uint32_t a, uint32_t b) { return a + b; }
static uint32_t do_sub(uint32_t a, uint32_t b) { return a - b; }
static uint32_t do_xor(uint32_t a, uint32_t b) { return a ^ b; }
static uint32_t do_or(uint32_t a, uint32_t b) { return a | b; }
static uint32_t do_and(uint32_t a, uint32_t b) { return a & b; }
static uint32_t do_sll(uint32_t a, uint32_t b) { return a << (b & 31u); }
static uint32_t do_srl(uint32_t a, uint32_t b) { return a >> (b & 31u); }
static uint32_t do_sltu(uint32_t a, uint32_t b) { return a < b; }
static uint32_t do_slt(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b; }
static uint32_t do_eq(uint32_t a, uint32_t b) { return a == b; }
static uint32_t do_ne(uint32_t a, uint32_t b) { return a != b; }
static uint32_t do_ge(uint32_t a, uint32_t b) { return !do_slt(a, b); }
static uint32_t do_geu(uint32_t a, uint32_t b) { return a >= b; }
static uint32_t do_mul(uint32_t a, uint32_t b) { return a * b; }

static uint32_t do_sra(uint32_t a, uint32_t b)
{
    uint32_t n = b & 31u;
    uint32_t fill = a >> 31 != 0 && n != 0 ? UINT32_MAX << (32u - n) : 0u;

    return a >> n | fill;
}

static uint32_t do_mulhu(uint32_t a, uint32_t b)
{
    return (uint32_t)((uint64_t)a * b >> 32);
}

/* Corrects the unsigned product: a negative factor is 2^32 too large there. */
static uint32_t do_mulhsu(uint32_t a, uint32_t b)
{
    return do_mulhu(a, b) - (a >> 31 != 0 ? b : 0u);
}

static uint32_t do_mulh(uint32_t a, uint32_t b)
{
    return do_mulhsu(a, b) - (b >> 31 != 0 ? a : 0u);
}

static uint32_t do_divu(uint32_t a, uint32_t b) { return b == 0 ? UINT32_MAX : a / b; }
static uint32_t do_remu(uint32_t a, uint32_t b) { return b == 0 ? a : a % b; }

static uint32_t magnitude(uint32_t a) { return a >> 31 != 0 ? 0u - a : a; }

static uint32_t do_div(uint32_t a, uint32_t b)
{
    uint32_t quotient;

    if (b == 0) return UINT32_MAX;
    quotient = magnitude(a) / magnitude(b);
    return (a ^ b) >> 31 != 0 ? 0u - quotient : quotient;
}

static uint32_t do_rem(uint32_t a, uint32_t b)
{
    uint32_t rest;

    if (b == 0) return a;
    rest = magnitude(a) % magnitude(b);
    return a >> 31 != 0 ? 0u - rest : rest;
}

/* ---- kinds of instruction ---- */
static uint32_t source1(const struct golden *g, const struct golden_step *s)
{
    return g->x[s->insn.rs1];
}

static uint32_t source2(const struct golden *g, const struct golden_step *s)
{
    return g->x[s->insn.rs2];
}

static void result(struct golden_step *s, uint32_t value)
{
    s->rd = s->insn.rd;
    s->rd_value = value;
}

static void run_registers(struct golden *g, const struct golden_at *w,
                          struct golden_step *s)
{
    (void)w;
    result(s, s->insn.op->value(source1(g, s), source2(g, s)));
}

static void run_immediate(struct golden *g, const struct golden_at *w,
                          struct golden_step *s)
{
    (void)w;
    result(s, s->insn.op->value(source1(g, s), s->insn.imm));
}

static void run_lui(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    result(s, s->insn.imm);
}

static void run_auipc(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    result(s, s->pc + s->insn.imm);
}

static void run_jal(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    result(s, s->next_pc);
    s->next_pc = s->pc + s->insn.imm;
}

static void run_jalr(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    uint32_t target = (source1(g, s) + s->insn.imm) & ~1u;

    (void)w;
    result(s, s->next_pc);
    s->next_pc = target;
}

static void run_branch(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)w;
    if (s->insn.op->value(source1(g, s), source2(g, s)) != 0)
        s->next_pc = s->pc + s->insn.imm;
}

/* Returns the bytes of a load or store. */
static uint32_t access_size(const struct golden_step *s)
{
    return 1u << (s->insn.code >> 12 & 3u);
}

static unsigned access_lanes(const struct golden_step *s, uint32_t address)
{
    return ((1u << access_size(s)) - 1u) << (address & 3u);
}

static uint32_t extend(uint32_t value, uint32_t size, bool is_unsigned)
{
    uint32_t top;

    if (size == 4u) return value;
    top = 1u << (8u * size - 1u);
    value &= 2u * top - 1u;
    return is_unsigned ? value : (value ^ top) - top;
}

static void run_load(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    uint32_t address = source1(g, s) + s->insn.imm;
    uint32_t word;

    (void)w;
    if ((address & (access_size(s) - 1u)) != 0) {
        golden_trap(s, GOLDEN_LOAD_ALIGN, address);
        return;
    }
    s->address = address & ~3u;
    s->read_mask = access_lanes(s, address);
    if (!g->memory.read(g->memory.context, s->address, &word))
        golden_trap(s, GOLDEN_LOAD_FAULT, address);
    else
        result(s, extend(word >> 8u * (address & 3u), access_size(s),
                         (s->insn.code >> 14 & 1u) != 0));
}

static void run_store(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    uint32_t address = source1(g, s) + s->insn.imm;

    (void)w;
    if ((address & (access_size(s) - 1u)) != 0) {
        golden_trap(s, GOLDEN_STORE_ALIGN, address);
        return;
    }
    s->address = address & ~3u;
    s->write_mask = access_lanes(s, address);
    s->write_data = source2(g, s) << 8u * (address & 3u);
    if (!g->memory.write(g->memory.context, s->address, s->write_mask, s->write_data))
        golden_trap(s, GOLDEN_STORE_FAULT, address);
}

static void run_fence(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w, (void)s;
}

static void run_fence_i(struct golden *g, const struct golden_at *w,
                        struct golden_step *s)
{
    (void)w, (void)s;
    g->memory.fence_i(g->memory.context);
}

static void run_ecall(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    golden_trap(s, GOLDEN_ECALL, 0);
}

static void run_ebreak(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    golden_trap(s, GOLDEN_BREAKPOINT, s->pc);
}

static void run_mret(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)w;
    g->mie = g->mpie;
    g->mpie = true;
    s->next_pc = g->epc;
}

static void run_wfi(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    (void)g, (void)w;
    s->sleeps = true;
}

static uint32_t csr_new(const struct golden_step *s, uint32_t old, uint32_t operand)
{
    switch (s->insn.code >> 12 & 3u) {
    case 1: return operand;
    case 2: return old | operand;
    default: return old & ~operand;
    }
}

static void run_csr(struct golden *g, const struct golden_at *w, struct golden_step *s)
{
    unsigned number = s->insn.code >> 20;
    bool is_write = (s->insn.code >> 12 & 3u) == 1u || s->insn.rs1 != 0;
    uint32_t operand = s->insn.op->format == FORMAT_CSRI ? s->insn.rs1 : source1(g, s);
    uint32_t old;

    if (!golden_csr_read(g, number, w, &old) ||
        (is_write && !golden_csr_writable(number))) {
        golden_trap(s, GOLDEN_ILLEGAL, s->insn.raw);
        return;
    }
    if (is_write) golden_csr_write(g, number, w, csr_new(s, old, operand));
    result(s, old);
}

/* ---- the table ---- */
#define ALU(name, match, fn) {name, 0xfe00707fu, match, FORMAT_R, run_registers, fn}
#define IMM(name, match, fn) {name, 0x0000707fu, match, FORMAT_I, run_immediate, fn}
#define SHIFT(name, match, fn) {name, 0xfe00707fu, match, FORMAT_SHIFT, run_immediate, fn}
#define BRANCH(name, match, fn) {name, 0x0000707fu, match, FORMAT_B, run_branch, fn}
#define LOAD(name, match) {name, 0x0000707fu, match, FORMAT_LOAD, run_load, NULL}
#define STORE(name, match) {name, 0x0000707fu, match, FORMAT_S, run_store, NULL}
#define CSR(name, match) {name, 0x0000707fu, match, FORMAT_CSR, run_csr, NULL}
#define CSRI(name, match) {name, 0x0000707fu, match, FORMAT_CSRI, run_csr, NULL}
#define ONE(name, match, fn) {name, 0xffffffffu, match, FORMAT_NONE, fn, NULL}

static const struct golden_op ops[] = {
    ALU("add", 0x00000033, do_add), ALU("sub", 0x40000033, do_sub),
    ALU("sll", 0x00001033, do_sll), ALU("slt", 0x00002033, do_slt),
    ALU("sltu", 0x00003033, do_sltu), ALU("xor", 0x00004033, do_xor),
    ALU("srl", 0x00005033, do_srl), ALU("sra", 0x40005033, do_sra),
    ALU("or", 0x00006033, do_or), ALU("and", 0x00007033, do_and),
    ALU("mul", 0x02000033, do_mul), ALU("mulh", 0x02001033, do_mulh),
    ALU("mulhsu", 0x02002033, do_mulhsu), ALU("mulhu", 0x02003033, do_mulhu),
    ALU("div", 0x02004033, do_div), ALU("divu", 0x02005033, do_divu),
    ALU("rem", 0x02006033, do_rem), ALU("remu", 0x02007033, do_remu),
    IMM("addi", 0x00000013, do_add), IMM("slti", 0x00002013, do_slt),
    IMM("sltiu", 0x00003013, do_sltu), IMM("xori", 0x00004013, do_xor),
    IMM("ori", 0x00006013, do_or), IMM("andi", 0x00007013, do_and),
    SHIFT("slli", 0x00001013, do_sll), SHIFT("srli", 0x00005013, do_srl),
    SHIFT("srai", 0x40005013, do_sra),
    BRANCH("beq", 0x00000063, do_eq), BRANCH("bne", 0x00001063, do_ne),
    BRANCH("blt", 0x00004063, do_slt), BRANCH("bge", 0x00005063, do_ge),
    BRANCH("bltu", 0x00006063, do_sltu), BRANCH("bgeu", 0x00007063, do_geu),
    LOAD("lb", 0x00000003), LOAD("lh", 0x00001003), LOAD("lw", 0x00002003),
    LOAD("lbu", 0x00004003), LOAD("lhu", 0x00005003),
    STORE("sb", 0x00000023), STORE("sh", 0x00001023), STORE("sw", 0x00002023),
    {"lui", 0x7f, 0x37, FORMAT_U, run_lui, NULL},
    {"auipc", 0x7f, 0x17, FORMAT_U, run_auipc, NULL},
    {"jal", 0x7f, 0x6f, FORMAT_J, run_jal, NULL},
    {"jalr", 0x707f, 0x67, FORMAT_LOAD, run_jalr, NULL},
    {"fence", 0x707f, 0x0f, FORMAT_NONE, run_fence, NULL},
    {"fence.i", 0x707f, 0x100f, FORMAT_NONE, run_fence_i, NULL},
    CSR("csrrw", 0x1073), CSR("csrrs", 0x2073), CSR("csrrc", 0x3073),
    CSRI("csrrwi", 0x5073), CSRI("csrrsi", 0x6073), CSRI("csrrci", 0x7073),
    ONE("ecall", 0x00000073, run_ecall), ONE("ebreak", 0x00100073, run_ebreak),
    ONE("mret", 0x30200073, run_mret), ONE("wfi", 0x10500073, run_wfi),
};

enum { OPS = sizeof ops / sizeof ops[0] };

size_t golden_op_count(void) { return OPS; }
const char *golden_op_name(size_t row) { return ops[row].name; }
size_t golden_op_row(const struct golden_op *op) { return (size_t)(op - ops); }

unsigned golden_op_reads(const struct golden_op *op)
{
    switch (op->format) {
    case FORMAT_R: case FORMAT_S: case FORMAT_B: return 3;
    case FORMAT_I: case FORMAT_SHIFT: case FORMAT_LOAD: case FORMAT_CSR: return 1;
    default: return 0;
    }
}

void golden_execute(struct golden *g, const struct golden_at *when,
                    struct golden_step *s)
{
    s->a = source1(g, s);
    s->b = (golden_op_reads(s->insn.op) & 2u) != 0 ? source2(g, s) : s->insn.imm;
    s->insn.op->execute(g, when, s);
}

/* ---- decoding ---- */
static uint32_t imm_i(uint32_t c) { return c >> 20 | (c >> 31 != 0 ? 0xfffff000u : 0u); }

static uint32_t imm_s(uint32_t c)
{
    return (imm_i(c) & ~31u) | (c >> 7 & 31u);
}

static uint32_t imm_b(uint32_t c)
{
    return (imm_s(c) & ~0x801u) | (c >> 7 & 1u) << 11;
}

static uint32_t imm_j(uint32_t c)
{
    return (c >> 31 != 0 ? 0xfff00000u : 0u) | (c & 0xff000u) | (c >> 20 & 1u) << 11 |
           (c >> 20 & 0x7feu);
}

static uint32_t immediate(enum format format, uint32_t c)
{
    switch (format) {
    case FORMAT_I: case FORMAT_LOAD: return imm_i(c);
    case FORMAT_SHIFT: return c >> 20 & 31u;
    case FORMAT_CSRI: return c >> 15 & 31u;
    case FORMAT_S: return imm_s(c);
    case FORMAT_B: return imm_b(c);
    case FORMAT_U: return c & 0xfffff000u;
    case FORMAT_J: return imm_j(c);
    default: return 0;
    }
}

static const struct golden_op *look_up(uint32_t code)
{
    for (size_t i = 0; i < OPS; i++)
        if ((code & ops[i].mask) == ops[i].match) return &ops[i];
    return NULL;
}

void golden_decode(uint32_t raw, struct golden_insn *insn)
{
    bool is_long = (raw & 3u) == 3u;

    insn->length = is_long ? 4u : 2u;
    insn->raw = is_long ? raw : raw & 0xffffu;
    insn->compressed = -1;
    insn->code = is_long ? raw : golden_expand(insn->raw, &insn->compressed);
    insn->op = look_up(insn->code);
    insn->rd = insn->code >> 7 & 31u;
    insn->rs1 = insn->code >> 15 & 31u;
    insn->rs2 = insn->code >> 20 & 31u;
    insn->imm = insn->op == NULL ? 0 : immediate(insn->op->format, insn->code);
}

/* ---- printing ---- */
static void print_operands(char *text, size_t size, uint32_t pc,
                           const struct golden_insn *i)
{
    int32_t imm = (int32_t)i->imm;

    switch (i->op->format) {
    case FORMAT_R: snprintf(text, size, "x%u,x%u,x%u", i->rd, i->rs1, i->rs2); break;
    case FORMAT_I: case FORMAT_SHIFT:
        snprintf(text, size, "x%u,x%u,%" PRId32, i->rd, i->rs1, imm); break;
    case FORMAT_LOAD:
        snprintf(text, size, "x%u,%" PRId32 "(x%u)", i->rd, imm, i->rs1); break;
    case FORMAT_S:
        snprintf(text, size, "x%u,%" PRId32 "(x%u)", i->rs2, imm, i->rs1); break;
    case FORMAT_B:
        snprintf(text, size, "x%u,x%u,%08" PRIx32, i->rs1, i->rs2, pc + i->imm); break;
    case FORMAT_U: snprintf(text, size, "x%u,0x%" PRIx32, i->rd, i->imm >> 12); break;
    case FORMAT_J: snprintf(text, size, "x%u,%08" PRIx32, i->rd, pc + i->imm); break;
    case FORMAT_CSR:
        snprintf(text, size, "x%u,0x%03" PRIx32 ",x%u", i->rd, i->code >> 20, i->rs1);
        break;
    case FORMAT_CSRI:
        snprintf(text, size, "x%u,0x%03" PRIx32 ",%u", i->rd, i->code >> 20, i->rs1);
        break;
    default: text[0] = '\0'; break;
    }
}

void golden_print(char *line, size_t size, uint32_t pc, const struct golden_insn *insn)
{
    char operands[64] = "";
    const char *name = insn->op == NULL ? "(illegal)" : insn->op->name;
    const char *form = "";

    if (insn->op != NULL) print_operands(operands, sizeof operands, pc, insn);
    if (insn->compressed >= 0) form = golden_form_name((size_t)insn->compressed);
    snprintf(line, size, "%08" PRIx32 ": %0*" PRIx32 "%*s %s %s%s%s", pc,
             (int)insn->length * 2, insn->raw, insn->length == 2 ? 4 : 0, "", name,
             operands, form[0] == '\0' ? "" : "   # ", form);
}
