/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A netlist of the node (NETLIST_MODEL) in place of the chip: rings of one and of two nodes, of the
 * netlist and of the RTL in the same configuration (NETLIST_RTL), boot the real firmware and run
 * the same programs with the same driver; nodes with the tree network are two, of which one is the
 * other's parent. Completions, memory, registers, statistics, instructions
 * and every pulse of the trace lanes must be the same, in the same cycles.
 */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "programs.h"
#include "tern_model.h"
#include "torus.h"

enum { SHOWN = 6, PROGRAMS_MAX = 24 };

struct answers {
    char *boot;
    bool booted;
    char *text[PROGRAMS_MAX];
    bool sane[PROGRAMS_MAX]; /* right results, and no completion was refused unexpectedly */
    unsigned completions;
    uint64_t cycles;
};

static bool has_tree(void)
{
    return tern_model_find(NETLIST_RTL, TERN_TORUS_PORTS_RING)->tree != 0;
}

static bool fits(const struct program *program, unsigned nodes)
{
    return program->nodes <= nodes && (!program->tree || has_tree());
}

static FILE *new_text(char **text)
{
    static size_t bytes; /* valid after the text was closed */
    FILE *file = open_memstream(text, &bytes);

    if (file)
        return file;
    printf("Bail out! no memory\n");
    exit(EXIT_FAILURE);
}

static void run_program(struct answers *answers, struct stage *stage, unsigned i)
{
    stage->transcript = new_text(&answers->text[i]);
    programs[i].run(stage);
    answers->sane[i] = stage->refused == programs[i].refused && stage->wrong == 0;
    answers->completions += stage->completions;
    stage_settle(stage);
    stage_mark(stage);
    fclose(stage->transcript);
}

/* If a model stops or reaches `limit` cycles, its remaining programs have no text. */
static void run(struct answers *answers, const char *model, unsigned nodes, uint64_t limit)
{
    static struct stage stage;

    memset(answers, 0, sizeof(*answers));
    memset(&stage, 0, sizeof(stage));
    stage.limit = limit;
    if (setjmp(stage.escape)) {
        fclose(stage.transcript);
        return;
    }
    stage_open(&stage, model, nodes, new_text(&answers->boot));
    stage_mark(&stage);
    fclose(stage.transcript);
    answers->booted = true;
    for (unsigned i = 0; i < program_count; i++)
        if (fits(&programs[i], nodes))
            run_program(answers, &stage, i);
    answers->cycles = tern_sim_cycle(stage.sim);
    stage.transcript = stderr;
    stage_close(&stage);
}

/* Prints where two texts begin to differ. */
static bool equal(char *rtl, char *netlist)
{
    unsigned differences = 0;
    char *a, *b;

    if (!netlist)
        printf("# the netlist did not get so far\n");
    if (!netlist || !rtl)
        return false;
    if (strcmp(rtl, netlist) == 0)
        return true;
    while (differences < SHOWN && (a = strsep(&rtl, "\n")) && (b = strsep(&netlist, "\n")))
        if (strcmp(a, b) != 0 && differences++ < SHOWN)
            printf("# rtl:     %s\n# netlist: %s\n", a, b);
    return false;
}

static unsigned tests, failures;

static void judge(const char *what, unsigned nodes, char *rtl, char *netlist, bool sane)
{
    bool good = equal(rtl, netlist) && sane;

    if (!sane)
        printf("# the RTL itself does not get through, or refuses and takes what it should not\n");
    printf("%sok %u - %u node%s of the " NETLIST_NAME " netlist ", good ? "" : "not ", ++tests,
           nodes, nodes == 1 ? "" : "s");
    printf("agree%s with the RTL on %s\n", nodes == 1 ? "s" : "", what);
    fflush(stdout);
    failures += !good;
}

static void compare(unsigned nodes)
{
    struct answers rtl, netlist;

    run(&rtl, NETLIST_RTL, nodes, UINT64_MAX);
    run(&netlist, NETLIST_MODEL, nodes, 2 * rtl.cycles); /* a wrong one ends soon */
    printf("# nodes=%u cycles=%llu completions=%u\n", nodes, (unsigned long long)rtl.cycles,
           rtl.completions);
    judge("the boot of the firmware", nodes, rtl.boot, netlist.boot, rtl.booted);
    for (unsigned i = 0; i < program_count; i++)
        if (fits(&programs[i], nodes))
            judge(programs[i].name, nodes, rtl.text[i], netlist.text[i], rtl.sane[i]);
}

int main(void)
{
    setenv("TERN_PATIENCE", "3600", 0); /* seconds: a mapped netlist is slow on a busy machine */
    if (!has_tree()) /* one node has no link to another */
        compare(1);
    compare(2);
    printf("1..%u\n", tests);
    return failures ? EXIT_FAILURE : EXIT_SUCCESS;
}
