/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the other forms of the contract from the tables: `abigen sv` the SystemVerilog package,
 * `abigen ld` and `abigen ld-lean` the memory regions of the linker, `abigen md` docs/abi.md,
 * `abigen h` the header that is installed. `abigen check` only looks for overlaps. Every run checks
 * the tables first.
 *
 * The SystemVerilog package omits descriptor opcodes, admin commands and log texts, which hardware
 * does not use; named.sh removes more.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"

struct field_row {
    const char *layout, *name;
    unsigned word, lsb, width;
    const char *text;
};

struct value_row {
    const char *name;
    unsigned long long value;
    const char *text;
};

static const struct field_row fields[] = {
#define FIELD(layout, name, word, lsb, width, text) {#layout, #name, word, lsb, width, text},
#include "tables.h"
};

#define VALUE_TABLE(id) static const struct value_row id[]
VALUE_TABLE(consts) = {
#define CONST(name, value, text) {#name, value, text},
#define STATE(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(statuses) = {
#define STATUS(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(packets) = {
#define PKT(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(opcodes) = {
#define OP(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(admins) = {
#define ADMIN(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(events) = {
#define EVENT(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(stats) = {
#define STAT(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(traces) = {
#define TRACE(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(features) = {
#define FEATURE(name, value, text) {#name, value, text},
#include "tables.h"
};

VALUE_TABLE(idwords) = {
#define IDWORD(name, value, text) {#name, value, text},
#include "tables.h"
};
VALUE_TABLE(logs) = {
#define LOGMSG(name, value, args, text) {#name, value, text},
#include "tables.h"
};

static const struct reg_row {
    const char *name;
    unsigned offset;
    const char *access;
    const char *text;
} regs[] = {
#define REG(name, offset, access, reset, text) {#name, offset, #access, text},
#include "tables.h"
}, mmio_regs[] = {
#define MMIO_REG(name, offset, access, text) {#name, offset, #access, text},
#include "tables.h"
};

static const struct win_row {
    const char *name;
    unsigned offset, stride, count;
    const char *text;
} windows[] = {
#define MMIO_WIN(name, offset, stride, count, text) {#name, offset, stride, count, text},
#include "tables.h"
};

static const struct mem_row {
    const char *name;
    unsigned long base, bytes, lean;
    const char *text;
} mems[] = {
#define MEM(name, base, bytes, lean, text) {#name, base, bytes, lean, text},
#include "tables.h"
};

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

static void fail(const char *what, const char *name)
{
    fprintf(stderr, "abigen: %s: %s\n", what, name);
    exit(1);
}

/*
 * Fields of one layout may overlap only in ADM, EV and TRP, whose rows are alternatives of one
 * frame.
 */
static void check_fields(void)
{
    for (size_t i = 0; i < COUNT(fields); i++) {
        const struct field_row *a = &fields[i];
        unsigned a_low = a->word * 32 + a->lsb;

        if (a->width == 0 || a->width > 64 || (a->width <= 32 && a->lsb + a->width > 32))
            fail("field crosses its word", a->name);
        if (!strcmp(a->layout, "ADM") || !strcmp(a->layout, "EV") || !strcmp(a->layout, "TRP"))
            continue;
        for (size_t j = 0; j < i; j++) {
            const struct field_row *b = &fields[j];
            unsigned b_low = b->word * 32 + b->lsb;

            if (!strcmp(a->layout, b->layout) && a_low < b_low + b->width &&
                b_low < a_low + a->width)
                fail("fields overlap", a->name);
        }
    }
}

static void check_values(const struct value_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            if (rows[i].value == rows[j].value)
                fail("value used twice", rows[i].name);
}

static void check_offsets(void)
{
    for (size_t i = 0; i < COUNT(regs); i++)
        for (size_t j = 0; j < i; j++)
            if (regs[i].offset == regs[j].offset)
                fail("BAR offset used twice", regs[i].name);
    for (size_t i = 0; i < COUNT(mmio_regs); i++) {
        for (size_t j = 0; j < i; j++)
            if (mmio_regs[i].offset == mmio_regs[j].offset)
                fail("MMIO offset used twice", mmio_regs[i].name);
        for (size_t j = 0; j < COUNT(windows); j++)
            if (mmio_regs[i].offset >= windows[j].offset &&
                mmio_regs[i].offset < windows[j].offset + windows[j].stride * windows[j].count)
                fail("MMIO register inside a window", mmio_regs[i].name);
    }
}

static void check_all(void)
{
    check_fields();
    check_offsets();
    check_values(statuses, COUNT(statuses));
    check_values(packets, COUNT(packets));
    check_values(opcodes, COUNT(opcodes));
    check_values(admins, COUNT(admins));
    check_values(events, COUNT(events));
    check_values(stats, COUNT(stats));
    check_values(traces, COUNT(traces));
    check_values(logs, COUNT(logs));
}

static const char *upper(const char *name)
{
    static char out[64];
    size_t i;

    for (i = 0; name[i] && i + 1 < sizeof(out); i++)
        out[i] = (char)toupper((unsigned char)name[i]);
    out[i] = 0;
    return out;
}

static void sv_values(const char *prefix, const struct value_row *rows, size_t count,
                      unsigned width)
{
    for (size_t i = 0; i < count; i++)
        printf("  localparam logic [%u:0] %s%s = %u'h%llx;  // %s\n", width - 1, prefix,
               upper(rows[i].name), width, rows[i].value, rows[i].text);
    putchar('\n');
}

/*
 * Computes a CRC matrix from the effect of each input bit on the state, and prints for each state
 * bit the mask of input bits that feed it.
 */
typedef unsigned long long crc_step(unsigned long long state, unsigned bit);

static unsigned long long crc32c_step(unsigned long long state, unsigned bit)
{
    unsigned long long feedback = (state ^ bit) & 1;

    return (state >> 1) ^ (feedback ? 0x82f63b78ull : 0);
}

static unsigned long long crc16_step(unsigned long long state, unsigned bit)
{
    unsigned long long feedback = ((state >> 15) ^ bit) & 1;

    return ((state << 1) & 0xffff) ^ (feedback ? 0x1021ull : 0);
}

static unsigned long long crc8_step(unsigned long long state, unsigned bit)
{
    unsigned long long feedback = ((state >> 7) ^ bit) & 1;

    return ((state << 1) & 0xff) ^ (feedback ? 0x07ull : 0);
}

/* Returns the position in the data word of the n-th bit that enters the CRC. */
static unsigned crc_bit_order(unsigned n, unsigned data_bits, int kind)
{
    if (kind == 0)
        return n; /* reflected: least significant bit first */
    if (kind == 1)
        return (n & ~7u) | (7 - (n & 7)); /* bytes in wire order, most significant bit first */
    return data_bits - 1 - n;
}

static void sv_crc(const char *name, crc_step *step, unsigned state_bits, unsigned data_bits,
                   int kind)
{
    unsigned long long from_state[64], from_data[64];

    for (unsigned b = 0; b < state_bits; b++) {
        from_state[b] = 1ull << b;
        for (unsigned n = 0; n < data_bits; n++)
            from_state[b] = step(from_state[b], 0);
    }
    for (unsigned b = 0; b < data_bits; b++) {
        from_data[b] = 0;
        for (unsigned n = 0; n < data_bits; n++)
            from_data[b] = step(from_data[b], crc_bit_order(n, data_bits, kind) == b);
    }
    printf(
        "  function automatic logic [%u:0] %s(input logic [%u:0] crc, input logic [%u:0] data);\n",
        state_bits - 1, name, state_bits - 1, data_bits - 1);
    for (unsigned out = 0; out < state_bits; out++) {
        unsigned long long state_mask = 0, data_mask = 0;

        for (unsigned b = 0; b < state_bits; b++)
            state_mask |= ((from_state[b] >> out) & 1) << b;
        for (unsigned b = 0; b < data_bits; b++)
            data_mask |= ((from_data[b] >> out) & 1) << b;
        printf("    %s[%u] = ^(crc & %u'h%llx) ^ ^(data & %u'h%llx);\n", name, out, state_bits,
               state_mask, data_bits, data_mask);
    }
    printf("  endfunction\n\n");
}

/*
 * Prints the effect of each byte of a word on the CRC after the word: 256 values for each byte,
 * from first to last.
 */
static void sv_crc_tables(const char *name, crc_step *step, unsigned state_bits, unsigned bytes,
                          int kind)
{
    printf("  localparam logic [%u:0] %s [0:%u] = '{", state_bits - 1, name, bytes * 256 - 1);
    for (unsigned i = 0; i < bytes * 256; i++) {
        unsigned long long state = 0;

        for (unsigned n = 0; n < 8; n++)
            state = step(state, (i >> (kind == 0 ? n : 7 - n)) & 1);
        for (unsigned n = 8 * (i / 256 + 1); n < 8 * bytes; n++)
            state = step(state, 0);
        printf("%s%u'h%llx", i == 0 ? "\n    " : i % 8 == 0 ? ",\n    " : ", ", state_bits, state);
    }
    printf("};\n\n");
}

/*
 * Prints the function of sv_crc() with tables: the bytes that enter first are combined with the
 * state.
 */
static void sv_crc_lookup(const char *name, const char *table, unsigned state_bits,
                          unsigned table_bytes, unsigned data_bits, int kind)
{
    unsigned bytes = data_bits / 8, state_bytes = state_bits / 8;

    printf(
        "  function automatic logic [%u:0] %s(input logic [%u:0] crc, input logic [%u:0] data);\n"
        "    %s =",
        state_bits - 1, name, state_bits - 1, data_bits - 1, name);
    for (unsigned n = 0; n < bytes; n++) {
        unsigned data_lsb = 8 * (kind == 2 ? bytes - 1 - n : n);
        unsigned state_lsb = 8 * (kind == 0 ? n : state_bytes - 1 - n);

        printf("%s%s[{%u'd%u, data[%u:%u]", n ? " ^\n        " : " ", table,
               table_bytes > 4 ? 3u : 2u, table_bytes - bytes + n, data_lsb + 7, data_lsb);
        if (n < state_bytes)
            printf(" ^ crc[%u:%u]", state_lsb + 7, state_lsb);
        printf("}]");
    }
    printf(";\n  endfunction\n\n");
}

static const struct crc_function {
    const char *name, *table;
    crc_step *step;
    unsigned state_bits, table_bytes, data_bits;
    int kind;
} crc_functions[] = {
    {"crc32c_64", "Crc32cOfByte", crc32c_step, 32, 8, 64, 0},
    {"crc32c_32", "Crc32cOfByte", crc32c_step, 32, 8, 32, 0},
    {"crc16_64", "Crc16OfByte", crc16_step, 16, 8, 64, 1},
    {"crc16_48", "Crc16OfByte", crc16_step, 16, 8, 48, 1},
    {"crc16_32", "Crc16OfByte", crc16_step, 16, 8, 32, 1},
    {"crc16_16", "Crc16OfByte", crc16_step, 16, 8, 16, 1},
    {"crc8_24", "Crc8OfByte", crc8_step, 8, 3, 24, 2},
};

/*
 * Prints each CRC twice, from the same steps: as masks for synthesis, which shares their terms, and
 * as tables for simulation, where the masks take ten times as long.
 */
static void sv_crcs(void)
{
    printf(
        "\n"
        "  // CRC of one more data word; start with all ones.  CRC-32C is inverted at the end, "
        "the others are not.\n"
        "`ifdef TERN_MODEL\n");
    sv_crc_tables("Crc32cOfByte", crc32c_step, 32, 8, 0);
    sv_crc_tables("Crc16OfByte", crc16_step, 16, 8, 1);
    sv_crc_tables("Crc8OfByte", crc8_step, 8, 3, 2);
    for (size_t i = 0; i < COUNT(crc_functions); i++) {
        const struct crc_function *f = &crc_functions[i];

        sv_crc_lookup(f->name, f->table, f->state_bits, f->table_bytes, f->data_bits, f->kind);
    }
    printf("`else\n");
    for (size_t i = 0; i < COUNT(crc_functions); i++) {
        const struct crc_function *f = &crc_functions[i];

        sv_crc(f->name, f->step, f->state_bits, f->data_bits, f->kind);
    }
    printf("`endif\n");
}

static void print_sv(void)
{
    printf(
        "// SPDX-License-Identifier: Apache-2.0\n"
        "// Generated from hw-model/abi/*.def by abigen: do not edit.\n\n"
        "`default_nettype none\n\n/* verilator lint_off UNUSEDPARAM */\npackage tern_abi_pkg;\n\n");
    for (size_t i = 0; i < COUNT(consts); i++)
        printf("  localparam int unsigned %s = 32'h%llx;  // %s\n", consts[i].name, consts[i].value,
               consts[i].text);
    putchar('\n');
    for (size_t i = 0; i < COUNT(mems); i++)
        printf(
            "  localparam logic [31:0] MEM_%s_BASE = 32'h%lx;  // %s\n"
            "  localparam int unsigned MEM_%s_BYTES = 32'h%lx;\n",
            mems[i].name, mems[i].base, mems[i].text, mems[i].name, mems[i].bytes);
    putchar('\n');
    for (size_t i = 0; i < COUNT(regs); i++)
        printf("  localparam logic [16:0] REG_%s = 17'h%x;  // %s\n", regs[i].name, regs[i].offset,
               regs[i].text);
    putchar('\n');
    for (size_t i = 0; i < COUNT(mmio_regs); i++)
        printf("  localparam logic [15:0] MMIO_%s = 16'h%x;  // %s\n", mmio_regs[i].name,
               mmio_regs[i].offset, mmio_regs[i].text);
    for (size_t i = 0; i < COUNT(windows); i++)
        printf(
            "  localparam logic [15:0] MMIO_%s = 16'h%x;  // %s\n"
            "  localparam int unsigned MMIO_%s_STRIDE = %u;\n"
            "  localparam int unsigned MMIO_%s_COUNT = %u;\n",
            windows[i].name, windows[i].offset, windows[i].text, windows[i].name, windows[i].stride,
            windows[i].name, windows[i].count);
    putchar('\n');
    sv_values("PTYPE_", packets, COUNT(packets), 8);
    sv_values("ST_", statuses, COUNT(statuses), 8);
    sv_values("EV_", events, COUNT(events), 4);
    for (size_t i = 0; i < COUNT(stats); i++)
        printf("  localparam int unsigned STAT_%s = %llu;  // %s\n", upper(stats[i].name),
               stats[i].value, stats[i].text);
    putchar('\n');
    for (size_t i = 0; i < COUNT(traces); i++)
        printf("  localparam int unsigned TRACE_%s = %llu;  // %s\n", traces[i].name,
               traces[i].value, traces[i].text);
    printf("  localparam int unsigned TRACE_LANES = %zu;\n\n", COUNT(traces));
    printf("  // Layout fields: first bit in the little-endian bit string, and width.\n");
    for (size_t i = 0; i < COUNT(fields); i++) {
        printf("  localparam int unsigned %s_", fields[i].layout);
        printf("%s_LSB = %u;  // %s\n", upper(fields[i].name), fields[i].word * 32 + fields[i].lsb,
               fields[i].text);
        printf("  localparam int unsigned %s_", fields[i].layout);
        printf("%s_W = %u;\n", upper(fields[i].name), fields[i].width);
    }
    sv_crcs();
    printf("endpackage\n/* verilator lint_on UNUSEDPARAM */\n\n`default_nettype wire\n");
}

/* Prints the firmware's memory regions: for the full configuration, or the lean one. */
static void print_ld(bool lean)
{
    printf(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Generated from hw-model/abi/memmap.def by abigen: do not edit. */\nMEMORY\n{\n");
    for (size_t i = 0; i < COUNT(mems); i++)
        if (strcmp(mems[i].name, "MMIO"))
            printf("    %s (%s) : ORIGIN = 0x%08lx, LENGTH = 0x%lx\n", mems[i].name,
                   i ? "rw" : "rx", mems[i].base, lean ? mems[i].lean : mems[i].bytes);
    printf("}\n");
}

static void md_values(const char *title, const char *prefix, const struct value_row *rows,
                      size_t count)
{
    printf("## %s\n\n| name | value | meaning |\n|---|---|---|\n", title);
    for (size_t i = 0; i < count; i++)
        printf("| `%s%s` | 0x%llx | %s |\n", prefix, rows[i].name, rows[i].value, rows[i].text);
    putchar('\n');
}

static void md_regs(const char *title, const struct reg_row *rows, size_t count)
{
    printf("## %s\n\n| offset | name | access | meaning |\n|---|---|---|---|\n", title);
    for (size_t i = 0; i < count; i++)
        printf("| 0x%03x | `%s` | %s | %s |\n", rows[i].offset, rows[i].name, rows[i].access,
               rows[i].text);
    putchar('\n');
}

static void print_md(void)
{
    const char *layout = "";

    printf(
        "<!-- SPDX-License-Identifier: Apache-2.0 -->\n# The contract\n\n"
        "Generated from the tables in `hw-model/abi` by `abigen`; edit the tables. How each "
        "block uses it: "
        "`hw-model/README.md`.\n\n");
    md_values("Constants and states", "", consts, COUNT(consts));
    md_regs("BAR 0 registers (host side)", regs, COUNT(regs));
    printf(
        "## Memory map of the soft core\n\n| base | bytes | lean | name | meaning |\n"
        "|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(mems); i++)
        printf("| 0x%08lx | 0x%lx | 0x%lx | `%s` | %s |\n", mems[i].base, mems[i].bytes,
               mems[i].lean, mems[i].name, mems[i].text);
    putchar('\n');
    md_regs("Registers of the soft core (offsets from MMIO)", mmio_regs, COUNT(mmio_regs));
    printf(
        "## Windows of the soft core\n\n| offset | stride | count | name | meaning |\n"
        "|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(windows); i++)
        printf("| 0x%04x | %u | %u | `%s` | %s |\n", windows[i].offset, windows[i].stride,
               windows[i].count, windows[i].name, windows[i].text);
    putchar('\n');
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (strcmp(layout, fields[i].layout)) {
            layout = fields[i].layout;
            printf("\n## Layout %s\n\n| word | bits | name | meaning |\n|---|---|---|---|\n",
                   layout);
        }
        printf("| %u | %u:%u | `%s` | %s |\n", fields[i].word, fields[i].lsb + fields[i].width - 1,
               fields[i].lsb, fields[i].name, fields[i].text);
    }
    putchar('\n');
    md_values("Descriptor opcodes", "OP_", opcodes, COUNT(opcodes));
    md_values("Admin commands", "", admins, COUNT(admins));
    md_values("Packet types", "", packets, COUNT(packets));
    md_values("Status codes", "", statuses, COUNT(statuses));
    md_values("Events of the soft core", "EV_", events, COUNT(events));
    md_values("Identify words", "", idwords, COUNT(idwords));
    md_values("Features: bits of the identify word FEATURES", "FEATURE_", features,
              COUNT(features));
    md_values("Statistics", "", stats, COUNT(stats));
    md_values("Trace lanes", "", traces, COUNT(traces));
    md_values("Firmware log", "", logs, COUNT(logs));
}

static void h_value(const char *prefix, const char *name, unsigned long long value,
                    const char *text)
{
    printf(value > 0xffff ? "    TERN_%s%s = %#llx, /* %s */\n"
                          : "    TERN_%s%s = %llu, /* %s */\n",
           prefix, name, value, text);
}

static void h_values(const char *title, const char *prefix, const struct value_row *rows,
                     size_t count)
{
    printf("\nenum tern_%s {\n", title);
    for (size_t i = 0; i < count; i++)
        h_value(prefix, rows[i].name, rows[i].value, rows[i].text);
    printf("};\n");
}

/*
 * Prints the header for applications: without registers, descriptors, packets and firmware states.
 */
static void print_h(void)
{
    printf(
        "/* SPDX-License-Identifier: Apache-2.0 */\n"
        "/* Constants of the tern contract that applications use.  Generated by `abigen h`; do "
        "not edit. */\n"
        "#ifndef TERN_ABI_H\n#define TERN_ABI_H\n\n#include <stdint.h>\n\nenum tern_const {\n");
#define CONST(name, value, text) h_value("", #name, value, text);
#include "tables.h"
    printf("};\n");
    h_values("status", "ST_", statuses, COUNT(statuses));
    h_values("opcode", "OP_", opcodes, COUNT(opcodes));
    printf("\nenum tern_stat {\n");
#define STAT(name, index, text) h_value("STAT_", #name, index, text);
#include "tables.h"
    printf("    TERN_STAT_COUNT = %d\n};\n\n#endif\n", TERN_STAT_COUNT);
}

int main(int argc, char **argv)
{
    const char *face = argc == 2 ? argv[1] : "";

    check_all();
    if (!strcmp(face, "sv"))
        print_sv();
    else if (!strcmp(face, "ld"))
        print_ld(false);
    else if (!strcmp(face, "ld-lean"))
        print_ld(true);
    else if (!strcmp(face, "md"))
        print_md();
    else if (!strcmp(face, "h"))
        print_h();
    else if (strcmp(face, "check")) {
        fprintf(stderr, "usage: abigen sv|ld|ld-lean|md|h|check\n");
        return 2;
    }
    return 0;
}
