/* SPDX-License-Identifier: Apache-2.0 */
/* The target description for gdb. */
#include "describe.h"

#include <stdarg.h>
#include <stdio.h>

#include "hart.h"

const struct tern_describe_csr tern_describe_csrs[TERN_DESCRIBE_CSRS] = {
    {"mstatus", 0x300},  {"misa", 0x301},   {"mie", 0x304},      {"mtvec", 0x305},
    {"mscratch", 0x340}, {"mepc", 0x341},   {"mcause", 0x342},   {"mtval", 0x343},
    {"mip", 0x344},      {"mcycle", 0xb00}, {"minstret", 0xb02}, {"mcycleh", 0xb80},
    {"minstreth", 0xb82}, {"mhartid", 0xf14}};

static const char *const names[] = {
    "zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "fp", "s1", "a0",
    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static char text[8192];
static size_t used;

__attribute__((format(printf, 1, 2))) static void add(const char *format, ...)
{
    va_list args;

    va_start(args, format);
    used += (size_t)vsnprintf(text + used, sizeof text - used, format, args);
    va_end(args);
}

#define REGISTER "<reg name=\"%s\" bitsize=\"32\" regnum=\"%d\" type=\"%s\"/>\n"

static const char *type_of(int number)
{
    if (number == 1)
        return "code_ptr";
    return number >= 2 && number <= 4 ? "data_ptr" : "int";
}

static void write_registers(void)
{

    for (int r = 0; r < TERN_HART_PC; r++)
        add(REGISTER, names[r], r, type_of(r));
    add(REGISTER, "pc", TERN_HART_PC, "code_ptr");
}

static void write_csrs(void)
{
    for (int c = 0; c < TERN_DESCRIBE_CSRS; c++)
        add("<reg name=\"%s\" bitsize=\"32\" regnum=\"%d\" type=\"int\" group=\"csr\"/>\n",
            tern_describe_csrs[c].name, TERN_HART_PC + 1 + c);
}

const char *tern_describe_xml(size_t *bytes)
{
    if (used == 0) {
        add("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n"
                  "<target version=\"1.0\">\n<architecture>riscv:rv32</architecture>\n"
                  "<feature name=\"org.gnu.gdb.riscv.cpu\">\n");
        write_registers();
        add("</feature>\n<feature name=\"org.gnu.gdb.riscv.csr\">\n");
        write_csrs();
        add("</feature>\n</target>\n");
    }
    *bytes = used;
    return text;
}
