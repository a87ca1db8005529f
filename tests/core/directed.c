/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the directed programs on the core bench, and checks that together they execute every
 * instruction of the core.
 *
 * Each program runs without stalls, and with random delays of grants and answers. TAP on stdout;
 * run from the project root. With the argument `-v` it also prints the bench's own lines.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PLACE "build/core/"

struct program {
    const char *name;  /* PLACE name .elf */
    const char *shows; /* the test's name */
    bool timed;        /* counts cycles, so stalls would break it */
};

static const struct program programs[] = {
    { "alu", "core_computes", false },
    { "alu_c", "core_computes_compressed", false },
    { "muldiv", "core_multiplies_and_divides", false },
    { "control", "core_branches_and_jumps", false },
    { "control_c", "core_branches_and_jumps_compressed", false },
    { "memory", "core_loads_and_stores", false },
    { "memory_c", "core_loads_and_stores_compressed", false },
    { "rvc", "core_executes_16_bit_forms", false },
    { "csr", "core_has_its_csrs_and_no_others", false },
    { "csr_c", "core_has_its_csrs_and_no_others_compressed", false },
    { "trap", "core_traps_precisely", false },
    { "trap_c", "core_traps_precisely_compressed", false },
    { "irq", "core_takes_interrupts_and_sleeps", false },
    { "irq_c", "core_takes_interrupts_and_sleeps_compressed", false },
    { "fencei", "core_runs_code_it_wrote", false },
    { "cycles", "core_takes_the_cycles_documented", true },
    { "work", "core_runs_a_c_program", false },
};

/*
 * Sixteenths of grants and answers that are delayed, and the seed. At 13 the core mostly waits; a
 * long program skips that.
 */
static const char *const stalls[][2] = {
    { "+stall=3", "+seed=1" },
    { "+stall=8", "+seed=2" },
    { "+stall=13", "+seed=3" },
};

struct insn {
    const char *name;
    uint32_t mask, match;
    unsigned long retired;
};

#define INSN(name, mask, match) { name, mask, match, 0 },
static struct insn insns[] = {
#include "insns.def"
};

enum {
    PROGRAMS = sizeof programs / sizeof programs[0],
    STALLS = sizeof stalls / sizeof stalls[0],
    INSNS = sizeof insns / sizeof insns[0],
};

static bool verbose;
static int tests, failures;

static bool report(bool ok, const char *name, const char *detail)
{
    printf("%sok %d - %s%s\n", ok ? "" : "not ", ++tests, name, detail);
    failures += !ok;
    return ok;
}

static void quieten(void)
{
    int null = verbose ? -1 : open("/dev/null", O_WRONLY);

    if (null >= 0)
        dup2(null, STDOUT_FILENO);
}

/* Runs one program; returns whether it passed. */
static bool run(const char *name, const char *const extra[2])
{
    char elf[64];
    int status;
    pid_t child;

    snprintf(elf, sizeof elf, PLACE "%s.elf", name);
    fflush(NULL);
    child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        quieten();
        execl(PLACE "elfrun", "elfrun", "-t", "10000000", PLACE "bench", elf, extra[0], extra[1],
              (char *)NULL);
        _exit(127);
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (status != 0)
        printf("# %s.elf %s %s: wait status %#x\n", name, extra[0], extra[1], (unsigned)status);
    return status == 0;
}

static void count(uint32_t code)
{
    uint32_t width = (code & 3) == 3 ? 0xffffffffu : 0xffffu;

    for (int i = 0; i < INSNS; i++) {
        if ((insns[i].match & 3) != (code & 3) || (code & insns[i].mask & width) != insns[i].match)
            continue;
        insns[i].retired++;
        return;
    }
    printf("# retired %08x, which is no instruction\n", (unsigned)code);
    failures++;
}

static void count_file(const char *path)
{
    FILE *file = fopen(path, "r");
    unsigned code;

    if (file == NULL)
        return;
    while (fscanf(file, "%x", &code) == 1)
        count(code);
    fclose(file);
}

static void run_plain(const struct program *program)
{
    char list[64], plus[80];
    const char *extra[2] = { plus, "+stall=0" };

    snprintf(list, sizeof list, PLACE "%s.insns", program->name);
    snprintf(plus, sizeof plus, "+insns=%s", list);
    if (report(run(program->name, extra), program->shows, ""))
        count_file(list);
    unlink(list);
}

static void run_stalled(const struct program *program)
{
    bool ok = true;

    for (int i = 0; i < STALLS; i++)
        ok = run(program->name, stalls[i]) && ok;
    report(ok, program->shows, "_stalled");
}

static void report_insns(void)
{
    char name[64], detail[64];

    for (int i = 0; i < INSNS; i++) {
        snprintf(name, sizeof name, "core_retires_%s", insns[i].name);
        snprintf(detail, sizeof detail, insns[i].retired != 0 ? "" : " (never)");
        report(insns[i].retired != 0, name, detail);
        printf("# retired %lu\n", insns[i].retired);
    }
}

int main(int argc, char **argv)
{
    verbose = argc > 1 && strcmp(argv[1], "-v") == 0;
    for (int i = 0; i < PROGRAMS; i++) {
        run_plain(&programs[i]);
        if (!programs[i].timed)
            run_stalled(&programs[i]);
    }
    report_insns();
    if (failures == 0) {
        printf("# evidence A4.1 programs=%d instructions=%d\n", PROGRAMS, INSNS);
        printf("# evidence B3.1 directed_programs=%d directed_instructions=%d\n", PROGRAMS, INSNS);
    }
    printf("1..%d\n", tests);
    return failures != 0;
}
