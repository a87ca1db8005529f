/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Cycles per instruction of the core, and the causes of lost cycles.
 *
 *   mix  four kinds of work on the core bench (memory without waiting), built -O2 as the
 *        firmware is; cycles and instructions are the program's own reads of mcycle and
 *        minstret, the split is the bench's (+flow)
 *   put  the firmware's loop of 64-byte puts on a whole node; cycles and instructions are the
 *        registers BUSY and INSTRET of the BAR (asleep does not count), the split is that of
 *        the node's retire port
 *   crc  the fill and the bitwise CRC-32 of 1 KiB, on the core bench
 *
 * For each, the program compares the two accounts cycle by cycle, and checks that instructions and
 * lost cycles add up to all cycles; it ends on a difference.
 */
#include <err.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "mix.h"
#include "put.h"
#include "run.h"
#include "svg.h"
#include "tern/tern.h"

static const char flow_path[] = "build/tests/bench/cpi.flow";
static const char plot_path[] = "build/bench/cpi.svg";
static const char mix_path[] = "build/tests/bench/mix.elf";
static const char crc_path[] = "build/tests/bench/crc_1k.elf";

enum { LOADS = 3, COLUMNS_MAX = RUN_PARTS + 1 + LOADS };

static const struct put_load loads[LOADS] = {
    { "put", 1, 0 },
    { "put16", 16, 0 },
    { "putsig", 1, TERN_DFLAG_SIGNAL },
};

/* A workload: one column of the tables, one bar of the plot. */
struct column {
    const char *name;
    struct tally tally;
};

struct table {
    struct column column[COLUMNS_MAX];
    unsigned columns;
};

static void add(struct table *table, const char *name, const struct tally *tally)
{
    table->column[table->columns++] = (struct column){ name, *tally };
}

static void figure(const char *id, double value, const char *unit, const char *parameters)
{
    printf("bench %s %.4f %s tier=rtl source=tests/bench/core/cpi.c %s\n", id, value, unit,
           parameters);
}

/* ---- published figures of others ---- */

struct anchor {
    const char *core;
    double cpi;
};

/* CoreMark -O2, gcc 12.2, memory without waiting, counted with the same tools. */
static const struct anchor anchors[] = {
    { "ibex maxperf with its predictor", 1.16 },
    { "ibex maxperf", 1.24 },
    { "ultraembedded, 5 stages", 1.37 },
    { "VexRiscv IMAC, 4K + 4K caches", 1.57 },
    { "VexRiscv Lite", 3.18 },
    { "picorv32 with look-ahead", 4.05 },
};

static void print_anchors(double mix)
{
    printf("\nbeside other cores on CoreMark -O2, memory without waiting (measured with the\n"
           "same tools for the design notes; CoreMark itself is not part of this tree)\n\n");
    printf("  %-34s %6.3f\n", "tern, mix", mix);
    for (unsigned i = 0; i < sizeof(anchors) / sizeof(anchors[0]); i++)
        printf("  %-34s %6.2f\n", anchors[i].core, anchors[i].cpi);
}

/* ---- tables ---- */

static void print_heads(const struct table *table, const char *first)
{
    printf("  %-20s", first);
    for (unsigned i = 0; i < table->columns; i++)
        printf(" %6s", table->column[i].name);
    printf("\n");
}

static double per_hundred(const struct tally *tally, uint64_t count)
{
    return 100.0 * (double)count / (double)tally->cause[CAUSE_NONE];
}

static void print_lost(const struct table *table)
{
    printf("\ncycles for each 100 instructions, by what they were for (puts: the steady "
           "state)\n\n");
    print_heads(table, "");
    for (enum tally_cause cause = 0; cause < CAUSES; cause++) {
        if (cause == CAUSE_ASLEEP)
            continue;
        printf("  %-20s", tally_cause_text(cause));
        for (unsigned i = 0; i < table->columns; i++)
            printf(" %6.2f", per_hundred(&table->column[i].tally,
                                         table->column[i].tally.cause[cause]));
        printf("\n");
    }
    printf("  %-20s", "all");
    for (unsigned i = 0; i < table->columns; i++)
        printf(" %6.2f", per_hundred(&table->column[i].tally,
                                     tally_busy(&table->column[i].tally)));
    printf("\n");
}

static void print_kinds(const struct table *table)
{
    printf("\nof 100 instructions\n\n");
    print_heads(table, "");
    for (enum tally_kind kind = 0; kind < KINDS; kind++) {
        printf("  %-20s", tally_kind_text(kind));
        for (unsigned i = 0; i < table->columns; i++)
            printf(" %6.2f", per_hundred(&table->column[i].tally,
                                         table->column[i].tally.kind[kind]));
        printf("\n");
    }
    printf("  %-20s", "targets across words");
    for (unsigned i = 0; i < table->columns; i++)
        printf(" %6.2f",
               per_hundred(&table->column[i].tally, table->column[i].tally.across));
    printf("\n");
}

/* ---- plot ---- */

static void plot(const struct table *table)
{
    const char *bar_text[COLUMNS_MAX], *text[CAUSES], *colour[CAUSES];
    double value[COLUMNS_MAX * CAUSES];
    struct svg_bars bars = { .title = "Cycles of the core in which no instruction retires",
                             .unit = "cycles for each 100 instructions",
                             .bars = table->columns,
                             .bar_text = bar_text,
                             .part_text = text,
                             .part_colour = colour,
                             .value = value };
    unsigned n = 0;

    for (enum tally_cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
        if (cause == CAUSE_ASLEEP)
            continue;
        text[bars.parts] = tally_cause_text(cause);
        colour[bars.parts++] = tally_cause_colour(cause);
    }
    for (unsigned i = 0; i < table->columns; i++) {
        const struct tally *tally = &table->column[i].tally;

        bar_text[i] = table->column[i].name;
        for (enum tally_cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++)
            if (cause != CAUSE_ASLEEP)
                value[n++] = per_hundred(tally, tally->cause[cause]);
    }
    mkdir("build/bench", 0777); /* exists under make bench */
    if (!svg_draw_bars(plot_path, &bars))
        err(1, "%s", plot_path);
    printf("\nplotted in %s\n", plot_path);
}

/* ---- workloads ---- */

static double measure_mix(struct table *table, struct run *run)
{
    struct tally all = { .cycles = 0 };
    uint64_t cycles = 0, instructions = 0;
    char parameters[64];

    for (unsigned i = 0; i < run->parts; i++) {
        all = tally_plus(&all, &run->part[i].tally);
        cycles += run->part[i].cycles;
        instructions += run->part[i].instructions;
        add(table, run->part[i].name, &run->part[i].tally);
    }
    add(table, "mix", &all);
    printf("the mix, by the program's own reads of mcycle and minstret\n\n");
    printf("  %-10s %9s %12s %6s %6s  %s\n", "part", "cycles", "instructions", "CPI", "share",
           "checksum");
    for (unsigned i = 0; i < run->parts; i++) {
        const struct run_part *part = &run->part[i];
        double cpi = (double)part->cycles / part->instructions;

        printf("  %-10s %9u %12u %6.3f %5.1f%%  %08x\n", part->name, part->cycles,
               part->instructions, cpi, 100.0 * part->cycles / (double)cycles, part->checksum);
        snprintf(parameters, sizeof(parameters), "part=%s", part->name);
        figure("core_cpi_mix_part", cpi, "cycles/instruction", parameters);
        figure("core_mix_share", 100.0 * part->cycles / (double)cycles, "%cycles", parameters);
    }
    printf("  %-10s %9llu %12llu %6.3f\n", "mix", (unsigned long long)cycles,
           (unsigned long long)instructions, (double)cycles / (double)instructions);
    return (double)cycles / (double)instructions;
}

static void measure_crc(const struct run *run)
{
    char parameters[64];

    printf("\nfill and bitwise CRC-32 of %d bytes, by mcycle and minstret\n\n", CRC_BYTES);
    for (unsigned i = 0; i < run->parts; i++) {
        const struct run_part *part = &run->part[i];

        printf("  %-10s %9u cycles %9u instructions  CPI %.3f\n", part->name, part->cycles,
               part->instructions, (double)part->cycles / part->instructions);
        snprintf(parameters, sizeof(parameters), "form=%s bytes=%d", part->name, CRC_BYTES);
        if (strcmp(part->name, "fill") == 0)
            figure("core_fill_cycles", part->cycles, "cycles", parameters);
        else
            figure("core_crc_cycles", part->cycles, "cycles", parameters);
        if (strcmp(part->name, "fill") != 0)
            figure("core_crc_cycles_aim", part->cycles, "cycles", parameters);
    }
}

static void measure_puts(struct table *table)
{
    char parameters[96];

    printf("\nthe firmware's loop of 64-byte puts on a node, by BUSY and INSTRET of the BAR\n"
           "(whole stream) and by the retire port (steady: the deposits within it)\n\n");
    printf("  %-8s %9s %12s %6s  %8s %11s %6s\n", "", "cycles", "instructions", "CPI",
           "steady:", "cycles/put", "CPI");
    for (unsigned i = 0; i < LOADS; i++) {
        struct put_run run = put_run(&loads[i]);
        double cpi = (double)run.busy / (double)run.instructions;

        printf("  %-8s %9llu %12llu %6.3f  %8s %11.2f %6.3f\n", loads[i].name,
               (unsigned long long)run.busy, (unsigned long long)run.instructions, cpi, "",
               (double)tally_busy(&run.steady) / run.steady_puts, tally_cpi(&run.steady));
        snprintf(parameters, sizeof(parameters), "load=%s puts=%u", loads[i].name, run.puts);
        figure("core_cpi_put", cpi, "cycles/instruction", parameters);
        figure("core_cpi_put_aim", cpi, "cycles/instruction", parameters);
        figure("core_cpi_put_steady", tally_cpi(&run.steady), "cycles/instruction", parameters);
        add(table, loads[i].name, &run.steady);
    }
}

/* Prints the causes of lost cycles of the mix and of the loop of puts. */
static void report_lost(const struct table *table)
{
    char id[32], parameters[64];

    for (unsigned i = 0; i < table->columns; i++) {
        const struct column *column = &table->column[i];

        if (strcmp(column->name, "mix") != 0 && strcmp(column->name, "put") != 0)
            continue;
        for (enum tally_cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
            if (cause == CAUSE_ASLEEP || column->tally.cause[cause] == 0)
                continue;
            snprintf(id, sizeof(id), "core_lost_%s", column->name);
            snprintf(parameters, sizeof(parameters), "cause=%s", tally_cause_text(cause));
            for (char *c = parameters; *c; c++)
                if (*c == ' ')
                    *c = '_';
            figure(id, per_hundred(&column->tally, column->tally.cause[cause]),
                   "per_100_insns", parameters);
        }
    }
}

int main(void)
{
    struct run mix = run_program(mix_path, flow_path, 0);
    struct run crc = run_program(crc_path, flow_path, 0);
    struct table table = { .columns = 0 };
    double cpi = measure_mix(&table, &mix);

    figure("core_cpi_mix", cpi, "cycles/instruction", "baseline=1.24");
    figure("core_cpi_mix_aim", cpi, "cycles/instruction", "baseline=1.16");
    measure_crc(&crc);
    measure_puts(&table);
    report_lost(&table);
    print_lost(&table);
    print_kinds(&table);
    print_anchors(cpi);
    plot(&table);
    return 0;
}
