/* SPDX-License-Identifier: Apache-2.0 */
/* See report.h. */
#include "report.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tern/tern.h>

#include "profile.h"
#include "source.h"

static double percent(uint64_t part, uint64_t all)
{
    return all > 0 ? 100.0 * (double)part / (double)all : 0.0;
}

/* ---- summary ---- */

static void print_share(const struct report *report, uint64_t cycles, const char *what)
{
    printf("%12" PRIu64 " %5.1f%%  %s\n", cycles, percent(cycles, report->calls->total), what);
}

uint64_t report_from(const struct report *report)
{
    uint64_t begin = report->header->cycle;

    return report->calls->from > begin ? report->calls->from : begin;
}

void report_summary(const struct report *report)
{
    const struct calls *calls = report->calls;
    uint64_t from = report_from(report);
    char node[TERN_NODE_TEXT], text[96];

    printf("node %s, cycles %" PRIu64 " to %" PRIu64 ": %" PRIu64 " cycles, %" PRIu64
           " instructions\n",
           tern_node_format((uint16_t)report->header->node, node), from, from + calls->total,
           calls->total, calls->instructions);
    if (report->header->clock_hz != 0)
        printf("clock %" PRIu32 " Hz\n", report->header->clock_hz);
    putchar('\n');
    print_share(report, calls->busy, "busy");
    snprintf(text, sizeof text, "asleep (wfi, %" PRIu64 " times)", calls->sleeps);
    print_share(report, calls->sleep, text);
    if (calls->reset > 0)
        print_share(report, calls->reset, "in reset and boot, before the first instruction");
    if (calls->unfinished > 0)
        print_share(report, calls->unfinished, "for an instruction unfinished at the end");
    if (calls->traps > 0)
        printf("%12" PRIu64 " traps\n", calls->traps);
    if (calls->resets > 0)
        printf("%12" PRIu64 " resets of the core\n", calls->resets);
}

/* ---- functions ---- */

struct function_row {
    const char *name;
    int scope;
    uint64_t own, with, instructions, calls; /* own cycles; cycles including callees */
};

/*
 * Returns the row of a node's function, or of the function that contains it. NULL if there is none.
 */
static struct function_row *row_of(const struct report *report, struct function_row *rows,
                                   uint32_t node)
{
    const struct program *program = report->calls->program;
    int scope = report->calls->node[node].scope;

    while (scope >= 0 && program->scope[scope].parent != PROGRAM_NONE) {
        node = report->calls->node[node].parent;
        scope = report->calls->node[node].scope;
    }
    return scope >= 0 ? &rows[scope] : NULL;
}

/* Tells whether the function occurs higher up on the path: a recursive path counts once. */
static bool on_path_above(const struct report *report, struct function_row *rows, uint32_t node)
{
    const struct function_row *row = row_of(report, rows, node);

    for (uint32_t at = report->calls->node[node].parent; at != 0;
         at = report->calls->node[at].parent)
        if (row_of(report, rows, at) == row)
            return true;
    return false;
}

static bool add_up(const struct report *report, struct function_row *rows)
{
    const struct calls *calls = report->calls;
    uint64_t *total = calls_totals(calls);

    for (uint32_t i = 1; total != NULL && i < calls->nodes; i++) {
        struct function_row *row = row_of(report, rows, i);

        if (row == NULL)
            continue;
        row->own += calls->node[i].cycles;
        row->instructions += calls->node[i].instructions;
        if (!on_path_above(report, rows, i))
            row->with += total[i];
    }
    free(total);
    return total != NULL;
}

static int compare_functions(const void *a, const void *b)
{
    const struct function_row *one = a, *other = b;

    if (one->own != other->own)
        return one->own > other->own ? -1 : 1;
    if (one->with != other->with)
        return one->with > other->with ? -1 : 1;
    return one->scope < other->scope ? -1 : one->scope > other->scope;
}

/* Returns the width of the column of names. */
static int name_width(const struct report *report)
{
    enum { FIGURES = 54, MOST = 48 };
    int width = (int)report->columns - FIGURES;

    return width < 12 ? 12 : width > MOST ? MOST : width;
}

static void print_function(const struct report *report, const struct function_row *row)
{
    int width = name_width(report);
    uint64_t busy = report->calls->busy;

    printf("%-*.*s %10" PRIu64 " %5.1f%% %6.1f%% %10" PRIu64, width, width, row->name, row->own,
           percent(row->own, busy), percent(row->with, busy), row->instructions);
    if (row->instructions > 0)
        printf(" %6.2f", (double)row->own / (double)row->instructions);
    else
        printf(" %6s", "-");
    printf(" %8" PRIu64 "\n", row->calls);
}

/* Moves non-empty rows to the front; returns how many there are. */
static size_t pack(struct function_row *rows, size_t count)
{
    size_t used = 0;

    for (size_t i = 0; i < count; i++)
        if (rows[i].own > 0 || rows[i].with > 0 || rows[i].calls > 0 || rows[i].instructions > 0)
            rows[used++] = rows[i];
    qsort(rows, used, sizeof *rows, compare_functions);
    return used;
}

static void print_functions(const struct report *report, const struct function_row *rows,
                            size_t count, size_t shown)
{
    struct function_row rest = {.name = "(others)"}, sum = {.name = "sum"};

    printf("\n%-*s %10s %6s %7s %10s %6s %8s\n", name_width(report), "function", "cycles",
           "%busy", "+calls", "instrs", "CPI", "calls");
    for (size_t i = 0; i < count; i++) {
        struct function_row *into = i < shown ? &sum : &rest;

        if (i < shown)
            print_function(report, &rows[i]);
        into->own += rows[i].own;
        into->instructions += rows[i].instructions;
        into->calls += rows[i].calls;
    }
    rest.with = rest.own;
    if (shown < count)
        print_function(report, &rest);
    sum.own += rest.own;
    sum.instructions += rest.instructions;
    sum.calls += rest.calls;
    sum.with = sum.own;
    print_function(report, &sum);
}

bool report_functions(const struct report *report, size_t rows)
{
    const struct program *program = report->calls->program;
    struct function_row *row = calloc(program->scopes + 1, sizeof *row);
    size_t count;

    if (row == NULL)
        return profile_fail("out of memory");
    for (size_t i = 0; i < program->scopes; i++) {
        row[i].name = program->scope[i].name;
        row[i].scope = (int)i;
        row[i].calls = report->calls->entered[i];
    }
    if (!add_up(report, row)) {
        free(row);
        return false;
    }
    count = pack(row, program->scopes);
    print_functions(report, row, count, rows == 0 || rows > count ? count : rows);
    free(row);
    return true;
}

/* ---- lines ---- */

/* Columns of places and of source text. */
enum { PLACE_COLUMN = 30, PLACE_WIDTH = 24 };

struct line_row {
    int file, line, scope;
    uint64_t cycles, instructions;
};

static int compare_places(const void *a, const void *b)
{
    const struct line_row *one = a, *other = b;

    if (one->file != other->file)
        return one->file < other->file ? -1 : 1;
    return one->line < other->line ? -1 : one->line > other->line;
}

static int compare_lines(const void *a, const void *b)
{
    const struct line_row *one = a, *other = b;

    if (one->cycles != other->cycles)
        return one->cycles > other->cycles ? -1 : 1;
    return compare_places(a, b);
}

/* Collects all code that ran, and merges that of one line. Returns how many lines. */
static size_t collect(const struct report *report, struct line_row *rows)
{
    const struct calls *calls = report->calls;
    size_t count = 0, used = 0;

    for (size_t i = 0; i < calls->program->cells; i++) {
        const struct program_cell *cell = &calls->program->cell[i];

        if (calls->cell[i].cycles > 0 || calls->cell[i].instructions > 0)
            rows[count++] = (struct line_row){.file = cell->file,
                                              .line = cell->line,
                                              .scope = cell->scope,
                                              .cycles = calls->cell[i].cycles,
                                              .instructions = calls->cell[i].instructions};
    }
    qsort(rows, count, sizeof *rows, compare_places);
    for (size_t i = 0; i < count; i++) {
        if (used > 0 && compare_places(&rows[used - 1], &rows[i]) == 0) {
            rows[used - 1].cycles += rows[i].cycles;
            rows[used - 1].instructions += rows[i].instructions;
        } else {
            rows[used++] = rows[i];
        }
    }
    qsort(rows, used, sizeof *rows, compare_lines);
    return used;
}

/* Prints a place; of a long path only the end. */
static void print_place(const struct program *program, const struct line_row *row)
{
    char place[PATH_MAX + 16] = "(no line)";
    size_t length;

    if (row->file != PROGRAM_NONE)
        snprintf(place, sizeof place, "%s:%d", program->file[row->file].name, row->line);
    length = strlen(place);
    if (length > PLACE_WIDTH)
        printf("..%-*s", PLACE_WIDTH - 2, place + length - (PLACE_WIDTH - 2));
    else
        printf("%-*s", PLACE_WIDTH, place);
}

static void print_line(const struct report *report, const struct line_row *row)
{
    const struct program *program = report->calls->program;
    unsigned room = report->columns - PLACE_COLUMN - PLACE_WIDTH - 2;

    printf("%10" PRIu64 " %5.1f%% %10" PRIu64 "  ", row->cycles,
           percent(row->cycles, report->calls->busy), row->instructions);
    print_place(program, row);
    printf("  %.*s\n", (int)room,
           row->scope == PROGRAM_NONE ? "" : program->scope[row->scope].name);
    if (row->file != PROGRAM_NONE)
        source_print(&program->file[row->file], row->line, PLACE_COLUMN, report->columns);
}

bool report_lines(const struct report *report, size_t rows)
{
    struct line_row *row = calloc(report->calls->program->cells + 1, sizeof *row);
    uint64_t others = 0;
    size_t count, shown;

    if (row == NULL)
        return profile_fail("out of memory");
    count = collect(report, row);
    shown = rows == 0 || rows > count ? count : rows;
    printf("\n%10s %6s %10s  %-24s  %s\n", "cycles", "%busy", "instrs", "source line",
           "function");
    for (size_t i = 0; i < count; i++) {
        if (i < shown)
            print_line(report, &row[i]);
        else
            others += row[i].cycles;
    }
    if (shown < count)
        printf("%10" PRIu64 " %5.1f%% %10s  (the other %zu lines)\n", others,
               percent(others, report->calls->busy), "", count - shown);
    free(row);
    return true;
}
