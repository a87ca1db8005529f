/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts the cases of a lock-step run, and compares them with coverage.def.
 */
#include "coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the words of coverage.def ---- */
#define C(corner) (1u << CORNER_##corner)
enum {
    A_ZERO = C(A_ZERO), RD_RS1 = C(RD_RS1), RD_RS2 = C(RD_RS2), RD_ZERO = C(RD_ZERO),
    RS1_ZERO = C(RS1_ZERO), EQUAL = C(EQUAL), LEAST = C(LEAST), GREATEST = C(GREATEST),
    SHIFT_0 = C(SHIFT_0), SHIFT_31 = C(SHIFT_31), OVERFLOW = C(OVERFLOW),
    TAKEN = C(TAKEN), NOT_TAKEN = C(NOT_TAKEN), BACKWARD = C(BACKWARD), SPLIT = C(SPLIT),
    ODD = C(ODD),
    B_SMALL = C(B_ZERO) | C(B_ONE) | C(B_ONES),
    HALVES = C(LANE_0) | C(LANE_2),
    LANES = HALVES | C(LANE_1) | C(LANE_3),
    SIGNS = C(PLUS) | C(MINUS),
};
/* Not a corner: tells whether it reads a register other than x0. */
#define READS (1u << 31)
#define A_VALUES (READS | C(A_ZERO) | C(A_ONE) | C(A_ONES) | C(A_MIN) | C(A_MAX))
#define B_VALUES (READS | B_SMALL | C(B_MIN) | C(B_MAX))

#define T(cause) (1u << (cause))
enum {
    INTERRUPT = T(TRAP_INTERRUPT),
    RUNS = T(TRAP_NONE) | INTERRUPT,
    FETCH_FAULT = T(GOLDEN_FETCH_FAULT), ILLEGAL = T(GOLDEN_ILLEGAL),
    BREAKPOINT = T(GOLDEN_BREAKPOINT), ECALL = T(GOLDEN_ECALL),
    LOAD_FAULT = T(GOLDEN_LOAD_FAULT), STORE_FAULT = T(GOLDEN_STORE_FAULT),
    LOAD_TRAPS = LOAD_FAULT | T(GOLDEN_LOAD_ALIGN),
    STORE_TRAPS = STORE_FAULT | T(GOLDEN_STORE_ALIGN),
};

enum {
    AFTER_DATA = 1u << STALL_DATA, LOAD_USE = 1u << STALL_LOAD_USE,
    AFTER_MULDIV = 1u << STALL_MULDIV,
};

struct row {
    const char *name;
    uint32_t corners, traps, least, greatest;
};

#define COVER(name, corners, traps, least, greatest) \
    {name, corners, traps, (uint32_t)(least), (uint32_t)(greatest)},
#define EXCEPT_CORNER(name, corners, stalls, why)
#define EXCEPT_TRAP(name, traps, stalls, why)
static const struct row rows[] = {
#include "coverage.def"
};
#undef COVER
#undef EXCEPT_CORNER
#undef EXCEPT_TRAP

struct exception_row {
    const char *name;
    uint32_t corners, traps, stalls;
    const char *why;
};

#define COVER(name, corners, traps, least, greatest)
#define EXCEPT_CORNER(name, corners, stalls, why) {name, corners, 0, stalls, why},
#define EXCEPT_TRAP(name, traps, stalls, why) {name, 0, traps, stalls, why},
static const struct exception_row exceptions[] = {
#include "coverage.def"
};

enum { ROWS = sizeof rows / sizeof rows[0],
       EXCEPTIONS = sizeof exceptions / sizeof exceptions[0] };
_Static_assert((int)ROWS <= (int)COVER_ROWS, "COVER_ROWS is too small");

static const char *const corner_names[] = {
    "a=0", "a=1", "a=-1", "a=min", "a=max", "b=0", "b=1", "b=-1", "b=min", "b=max",
    "a=b", "rd=rs1", "rd=rs2", "rd=x0", "rs1=x0", "least", "greatest", "shift 0",
    "shift 31", "overflow", "taken", "not taken", "backward", "split", "odd", "lane 0",
    "lane 1", "lane 2", "lane 3", "plus", "minus",
};
_Static_assert(sizeof corner_names / sizeof corner_names[0] == CORNERS, "names");

static const char *const trap_names[] = {
    "no trap", "fetch fault", "illegal", "breakpoint", "load misaligned", "load fault",
    "store misaligned", "store fault", "", "", "", "ecall", "interrupt",
};
_Static_assert(sizeof trap_names / sizeof trap_names[0] == TRAPS, "names");

static const char *const stall_names[] = {"none", "fetch", "data", "load-use", "mul/div"};
_Static_assert(sizeof stall_names / sizeof stall_names[0] == STALLS, "names");

static const uint32_t interrupt_causes[INTERRUPTS] = {3, 7, 11};

/* ---- choosing the row ---- */
static size_t row_named(const char *name)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(rows[i].name, name) == 0) return i;
    return ROWS;
}

static const char *name_of(const struct golden_insn *insn)
{
    if (insn->length == 0) return "(refused)";
    if (insn->op == NULL) return insn->length == 2 ? "(16 bits)" : "(32 bits)";
    if (insn->compressed >= 0) return golden_form_name((size_t)insn->compressed);
    return golden_op_name(golden_op_row(insn->op));
}

/* Each name is looked up once. */
static size_t row_of(const struct golden_insn *insn)
{
    static size_t op_rows[MAX_OPS], form_rows[MAX_FORMS]; /* row number plus 1; 0: not yet looked
                                                           * up */
    size_t *known = NULL;

    if (insn->length != 0 && insn->op != NULL)
        known = insn->compressed >= 0 ? &form_rows[insn->compressed]
                                      : &op_rows[golden_op_row(insn->op)];
    if (known == NULL) return row_named(name_of(insn));
    if (*known == 0) *known = row_named(name_of(insn)) + 1u;
    return *known - 1u;
}

/* ---- corners ---- */
static uint32_t value_corners(uint32_t value, unsigned first)
{
    static const uint32_t values[] = {0, 1, UINT32_MAX, 1u << 31, UINT32_MAX >> 1};

    for (unsigned i = 0; i < 5; i++)
        if (value == values[i]) return 1u << (first + i);
    return 0;
}

static uint32_t when(bool condition, enum corner corner)
{
    return condition ? 1u << corner : 0;
}

static uint32_t register_corners(const struct golden_step *s)
{
    const struct golden_insn *i = &s->insn;

    return value_corners(s->a, CORNER_A_ZERO) | value_corners(s->b, CORNER_B_ZERO) |
           when(s->a == s->b, CORNER_EQUAL) |
           when(i->rd == i->rs1 && i->rd != 0, CORNER_RD_RS1) |
           when(i->rd == i->rs2 && i->rd != 0, CORNER_RD_RS2) |
           when(i->rd == 0, CORNER_RD_ZERO) | when(i->rs1 == 0, CORNER_RS1_ZERO) |
           when((s->b & 31u) == 0, CORNER_SHIFT_0) |
           when((s->b & 31u) == 31u, CORNER_SHIFT_31) |
           when(s->a == 1u << 31 && s->b == UINT32_MAX, CORNER_OVERFLOW);
}

static uint32_t jump_corners(const struct golden_step *s,
                             const struct cover_around *around)
{
    bool taken = s->next_pc != s->pc + s->insn.length;

    return when(taken, CORNER_TAKEN) | when(!taken, CORNER_NOT_TAKEN) |
           when(taken && s->next_pc < s->pc, CORNER_BACKWARD) |
           when(taken && around->split, CORNER_SPLIT) |
           when(((s->a + s->insn.imm) & 1u) != 0, CORNER_ODD);
}

static uint32_t memory_corners(const struct golden_step *s)
{
    unsigned size = s->insn.code >> 12 & 3u;
    uint32_t top = s->rd_value >> ((8u << size) - 1u) & 1u;

    if ((s->read_mask | s->write_mask) == 0) return 0;
    return 1u << (CORNER_LANE_0 + ((s->a + s->insn.imm) & 3u)) |
           1u << (top != 0 ? CORNER_MINUS : CORNER_PLUS);
}

static uint32_t corners_of(const struct row *row, const struct golden_step *s,
                           const struct cover_around *around)
{
    return register_corners(s) | jump_corners(s, around) | memory_corners(s) |
           when(s->insn.imm == row->least, CORNER_LEAST) |
           when(s->insn.imm == row->greatest, CORNER_GREATEST);
}

/* ---- stalls ---- */
static bool uses(const struct golden_insn *insn, unsigned reg)
{
    unsigned reads = insn->op == NULL ? 0 : golden_op_reads(insn->op);

    return reg != 0 && (((reads & 1u) != 0 && insn->rs1 == reg) ||
                        ((reads & 2u) != 0 && insn->rs2 == reg));
}

static unsigned stalls_of(const struct golden_insn *insn, bool accesses,
                          const struct cover_around *around)
{
    unsigned stalls = 0;

    if (around->fetch_held) stalls |= 1u << STALL_FETCH;
    if (around->data_held || (!accesses && around->before_data_held))
        stalls |= 1u << STALL_DATA;
    if (uses(insn, around->before_loaded)) stalls |= 1u << STALL_LOAD_USE;
    if (around->before_muldiv) stalls |= 1u << STALL_MULDIV;
    return stalls == 0 ? 1u << STALL_NONE : stalls;
}

static void count(uint64_t counts[STALLS], unsigned stalls)
{
    for (unsigned i = 0; i < STALLS; i++)
        counts[i] += stalls >> i & 1u;
}

/* ---- counting ---- */
static void count_csr(struct coverage *c, const struct golden_step *s)
{
    unsigned f3 = s->insn.code >> 12 & 7u;

    if ((s->insn.code & 0x7fu) != 0x73u || (f3 & 3u) == 0) return;
    c->csr[s->insn.code >> 20][f3]++;
    if ((f3 & 3u) == 1u || s->insn.rs1 != 0) c->csr_written[s->insn.code >> 20]++;
}

void cover_step(struct coverage *c, const struct golden_step *s,
                const struct cover_around *around)
{
    struct golden_insn insn = s->insn;
    unsigned stalls = stalls_of(&insn, (s->read_mask | s->write_mask) != 0, around);
    uint32_t corners;
    size_t row;

    c->instructions++;
    c->traps += s->trap;
    if (s->trap && s->cause == GOLDEN_FETCH_FAULT) insn.length = 0;
    row = row_of(&insn);
    count(c->trap[row][s->trap ? s->cause : TRAP_NONE], stalls);
    if (s->trap) return;
    corners = corners_of(&rows[row], s, around) & rows[row].corners;
    for (unsigned i = 0; i < CORNERS; i++)
        if ((corners >> i & 1u) != 0) count(c->corner[row][i], stalls);
    count_csr(c, s);
}

void cover_interrupt(struct coverage *c, uint32_t cause, const struct golden_insn *next,
                     const struct cover_around *around)
{
    size_t row = row_of(next);

    c->interrupts++;
    count(c->trap[row][TRAP_INTERRUPT], stalls_of(next, false, around));
    for (unsigned i = 0; i < INTERRUPTS; i++)
        if ((cause & 31u) == interrupt_causes[i]) c->interrupt[row][i]++;
}

/* ---- judging ---- */
static unsigned stalls_for(const struct row *row)
{
    return (row->corners & READS) != 0 ? (1u << STALLS) - 1u
                                       : ((1u << STALLS) - 1u) & ~(unsigned)LOAD_USE;
}

static const struct exception_row *excepted(const struct row *row, uint32_t corner,
                                            uint32_t trap, unsigned stall)
{
    for (size_t i = 0; i < EXCEPTIONS; i++) {
        const struct exception_row *e = &exceptions[i];

        if (strcmp(e->name, row->name) == 0 && (e->stalls >> stall & 1u) != 0 &&
            ((e->corners & corner) != 0 || (e->traps & trap) != 0))
            return e;
    }
    return NULL;
}

static void judge_one(struct cover_totals *totals, uint64_t times, bool is_excepted,
                      const char *row, const char *what, const char *with)
{
    if (is_excepted) {
        totals->excepted++;
        return;
    }
    totals->required++;
    if (times != 0) totals->met++;
    else printf("# never met: %s, %s, %s\n", row, what, with);
    if (totals->required == 1 || times < totals->least) totals->least = times;
}

static void judge_row(const struct coverage *c, size_t r, struct cover_totals *totals)
{
    const struct row *row = &rows[r];

    for (unsigned s = 0; s < STALLS; s++) {
        if ((stalls_for(row) >> s & 1u) == 0) continue;
        for (unsigned i = 0; i < CORNERS; i++)
            if ((row->corners >> i & 1u) != 0)
                judge_one(totals, c->corner[r][i][s],
                          excepted(row, 1u << i, 0, s) != NULL, row->name,
                          corner_names[i], stall_names[s]);
        for (unsigned i = 0; i < TRAPS; i++)
            if ((row->traps >> i & 1u) != 0)
                judge_one(totals, c->trap[r][i][s], excepted(row, 0, 1u << i, s) != NULL,
                          row->name, trap_names[i], stall_names[s]);
    }
    for (unsigned i = 0; i < INTERRUPTS && (row->traps & INTERRUPT) != 0; i++)
        judge_one(totals, c->interrupt[r][i], false, row->name, "interrupt",
                  (const char *[]){"software", "timer", "external"}[i]);
}

/* Checks that rows and instructions have the same names. */
static bool names_agree(void)
{
    bool agree = true;

    for (size_t i = 0; i < golden_op_count() + golden_form_count(); i++) {
        const char *name = i < golden_op_count() ? golden_op_name(i)
                                                 : golden_form_name(i - golden_op_count());

        if (row_named(name) != ROWS) continue;
        printf("# coverage.def has no row %s\n", name);
        agree = false;
    }
    for (size_t i = 0; i < EXCEPTIONS; i++) {
        if (row_named(exceptions[i].name) != ROWS) continue;
        printf("# coverage.def excepts %s, which has no row\n", exceptions[i].name);
        agree = false;
    }
    return agree;
}

bool cover_judge(const struct coverage *c, struct cover_totals *totals)
{
    *totals = (struct cover_totals){0};
    if (!names_agree()) return false;
    for (size_t i = 0; i < ROWS; i++) judge_row(c, i, totals);
    return totals->met == totals->required;
}

/* ---- CSRs ---- */
static const uint16_t csr[] = {
    0x300, 0x301, 0x304, 0x305, 0x310, 0x320, 0x340, 0x341, 0x342, 0x343, 0x344,
    0xb00, 0xb02, 0xb80, 0xb82, 0xf11, 0xf12, 0xf13, 0xf14, 0xf15,
    0x323, 0x33f, 0xb03, 0xb1f, 0xb83, 0xb9f,
};
enum { CSRS = sizeof csr / sizeof csr[0] };

/* Checks that every instruction accessed every CSR, and wrote it where that is allowed. */
bool cover_judge_csrs(const struct coverage *c)
{
    bool all = true;

    for (size_t i = 0; i < CSRS; i++) {
        bool may_write = golden_csr_writable(csr[i]);

        for (unsigned f3 = 1; f3 < CSR_FUNCTS; f3++) {
            /* csrrw and csrrwi always write */
            if (f3 == 4 || c->csr[csr[i]][f3] != 0 || (!may_write && (f3 & 3u) == 1u))
                continue;
            printf("# never met: CSR %03x by the instruction of funct3 %u\n", csr[i], f3);
            all = false;
        }
        if (may_write == (c->csr_written[csr[i]] != 0)) continue;
        printf("# CSR %03x was never written, or should not have been\n", csr[i]);
        all = false;
    }
    return all;
}

/* ---- the printed table ---- */
static void print_line(const char *what, const uint64_t counts[STALLS])
{
    printf("  %-18s", what);
    for (unsigned s = 0; s < STALLS; s++) printf(" %9" PRIu64, counts[s]);
    printf("\n");
}

static void print_csrs(const struct coverage *c)
{
    printf("%-20s %9s %9s %9s %9s %9s %9s\n", "CSR", "csrrw", "csrrs", "csrrc", "csrrwi",
           "csrrsi", "csrrci");
    for (size_t i = 0; i < CSRS; i++) {
        printf("  %03x               ", csr[i]);
        for (unsigned f3 = 1; f3 < CSR_FUNCTS; f3++)
            if (f3 != 4) printf(" %9" PRIu64, c->csr[csr[i]][f3]);
        printf("\n");
    }
}

void cover_print(const struct coverage *c)
{
    printf("%-20s", "stall:");
    for (unsigned s = 0; s < STALLS; s++) printf(" %9s", stall_names[s]);
    printf("\n");
    for (size_t r = 0; r < ROWS; r++) {
        printf("%s\n", rows[r].name);
        for (unsigned i = 0; i < TRAPS; i++)
            if ((rows[r].traps >> i & 1u) != 0) print_line(trap_names[i], c->trap[r][i]);
        for (unsigned i = 0; i < CORNERS; i++)
            if ((rows[r].corners >> i & 1u) != 0)
                print_line(corner_names[i], c->corner[r][i]);
    }
    print_csrs(c);
    for (size_t i = 0; i < EXCEPTIONS; i++)
        printf("not required: %s, %s\n", exceptions[i].name, exceptions[i].why);
}
