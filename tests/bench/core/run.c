/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf32.h"

enum { RAM_BYTES = 1 << 20, MARKS = 2 * RUN_PARTS, PC_DIGITS = 8 };

static const uint32_t ram_base = 0x80000000u;
static uint8_t ram[RAM_BYTES];

struct marks {
    struct tally at[MARKS];
    unsigned count;
};

static void read_code(const char *path)
{
    struct elf32 elf;

    memset(ram, 0, sizeof(ram));
    if (!elf32_open(&elf, path) || !elf32_load(&elf, ram, ram_base, sizeof(ram)))
        errx(1, "%s %s", path, elf.error);
    elf32_close(&elf);
}

/* Runs the bench; the lines "part NAME CYCLES INSTRUCTIONS CHECKSUM" become parts. */
static void run_bench(struct run *run, const char *elf, const char *flow, unsigned stall)
{
    char command[512], line[256];
    FILE *pipe;

    snprintf(command, sizeof(command),
             "build/core/elfrun build/core/bench %s +flow=%s +stall=%u", elf, flow, stall);
    pipe = popen(command, "r");
    if (!pipe)
        err(1, "%s", command);
    while (fgets(line, sizeof(line), pipe)) {
        struct run_part *part = &run->part[run->parts % RUN_PARTS];

        if (sscanf(line, "part %15s %x %x %x", part->name, &part->cycles, &part->instructions,
                   &part->checksum) == 4)
            run->parts++;
    }
    if (pclose(pipe) != 0)
        errx(1, "failed: %s", command);
    if (run->parts == 0 || run->parts > RUN_PARTS)
        errx(1, "%s reports %u parts", elf, run->parts);
}

static void mark(void *ctx, const struct tally *tally)
{
    struct marks *marks = ctx;

    if (marks->count == MARKS)
        errx(1, "the program reads mcycle too often");
    marks->at[marks->count++] = *tally;
}

/* Reads a line: the pc of an instruction, or one digit for a cycle without one. */
static void follow_file(struct follow *follow, const char *path)
{
    char line[32];
    FILE *file = fopen(path, "r");

    if (!file)
        err(1, "%s", path);
    while (fgets(line, sizeof(line), file)) {
        uint32_t value = (uint32_t)strtoul(line, NULL, 16);

        if (strcspn(line, "\n") == PC_DIGITS)
            follow_retire(follow, value);
        else
            follow_lost(follow, value);
    }
    fclose(file);
}

/*
 * Checks that between a part's two marks lie exactly the cycles and instructions that it counted.
 */
static void compare(const struct run_part *part)
{
    const char *fault = tally_fault(&part->tally);

    if (fault)
        errx(1, "%s: %s", part->name, fault);
    if (part->tally.cycles != part->cycles)
        errx(1, "%s: mcycle says %u cycles, the bench %llu", part->name, part->cycles,
             (unsigned long long)part->tally.cycles);
    if (part->tally.cause[CAUSE_NONE] != part->instructions)
        errx(1, "%s: minstret says %u instructions, the bench %llu", part->name,
             part->instructions, (unsigned long long)part->tally.cause[CAUSE_NONE]);
}

struct run run_program(const char *elf, const char *flow, unsigned stall)
{
    struct run run = { .parts = 0 };
    struct marks marks = { .count = 0 };
    struct follow follow = { .code = ram, .base = ram_base, .code_bytes = sizeof(ram),
                             .marked = mark, .ctx = &marks };

    read_code(elf);
    run_bench(&run, elf, flow, stall);
    follow_file(&follow, flow);
    remove(flow);
    if (marks.count != 2 * run.parts)
        errx(1, "%s reports %u parts, but reads mcycle %u times", elf, run.parts, marks.count);
    for (unsigned i = 0; i < run.parts; i++) {
        run.part[i].tally = tally_less(&marks.at[2 * i + 1], &marks.at[2 * i]);
        compare(&run.part[i]);
    }
    return run;
}

const struct run_part *run_part(const struct run *run, const char *name)
{
    for (unsigned i = 0; i < run->parts; i++)
        if (strcmp(run->part[i].name, name) == 0)
            return &run->part[i];
    errx(1, "no part %s was reported", name);
}
