/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern profile: turns a retire trace into cycles for each function and each source line, and into a
 * flame graph. A separate program, so that nothing else needs libdw.
 */
#include <argp.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <tern/tern.h>
#include <unistd.h>

#include "calls.h"
#include "exits.h"
#include "flame.h"
#include "profile.h"
#include "program.h"
#include "report.h"
#include "trace.h"

enum { FUNCTIONS_SHOWN = 15, LINES_SHOWN = 10, COLUMNS = 80 };

bool profile_fail(const char *format, ...)
{
    va_list arguments;

    fflush(stdout);
    fputs("tern profile: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    return false;
}

/* ---- arguments ---- */

struct options {
    const char *trace, *elf, *svg, *folded;
    char default_elf[PATH_MAX + 64];
    bool lines, top_given;
    size_t top;
    uint64_t from, to;
};

enum { OPT_ELF = 256, OPT_SVG, OPT_FOLDED, OPT_LINES, OPT_TOP, OPT_FROM, OPT_TO };

static const struct argp_option option_list[] = {
    {"elf", OPT_ELF, "FILE", 0, "The firmware that ran (default: the one built with this)", 0},
    {"svg", OPT_SVG, "FILE", 0, "Write a flame graph for a browser", 0},
    {"folded", OPT_FOLDED, "FILE", 0, "Write the call paths, a line each, with their cycles", 0},
    {"lines", OPT_LINES, NULL, 0, "Show source lines only", 0},
    {"top", OPT_TOP, "N", 0, "Show N functions and N lines (0: all)", 0},
    {"from", OPT_FROM, "CYCLE", 0, "Count from this cycle on", 0},
    {"to", OPT_TO, "CYCLE", 0, "Count up to this cycle, without it", 0},
    {0}};

static uint64_t take_number(struct argp_state *state, const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 0);

    if (end == text || *end != 0 || strchr(text, '-') != NULL)
        argp_error(state, "'%s' is not a number", text);
    return number;
}

static error_t take_option(int key, char *text, struct argp_state *state)
{
    struct options *options = state->input;

    switch (key) {
    case OPT_ELF:
        options->elf = text;
        return 0;
    case OPT_SVG:
        options->svg = text;
        return 0;
    case OPT_FOLDED:
        options->folded = text;
        return 0;
    case OPT_LINES:
        options->lines = true;
        return 0;
    case OPT_TOP:
        options->top = (size_t)take_number(state, text);
        options->top_given = true;
        return 0;
    case OPT_FROM:
        options->from = take_number(state, text);
        return 0;
    case OPT_TO:
        options->to = take_number(state, text);
        return 0;
    case ARGP_KEY_ARG:
        if (options->trace[0] != 0)
            argp_usage(state);
        options->trace = text;
        return 0;
    case ARGP_KEY_END:
        if (options->trace[0] == 0)
            argp_usage(state);
        if (options->from >= options->to)
            argp_error(state, "--from must be less than --to");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* Finds the firmware beside this program: in the build folder, or where it is installed. */
static void default_elf(struct options *options)
{
    static const char *const places[] = {"../fw/tern-fw.elf", "../../share/tern/tern-fw.elf"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    char *slash;

    options->elf = "tern-fw.elf";
    if (length <= 0)
        return;
    self[length] = 0;
    slash = strrchr(self, '/');
    if (slash == NULL)
        return;
    slash[1] = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        snprintf(options->default_elf, sizeof options->default_elf, "%s%s", self, places[i]);
        if (access(options->default_elf, R_OK) == 0)
            break;
    }
    options->elf = options->default_elf;
}

/* ---- work ---- */

/*
 * Reports an impossible step. The trace may be damaged: then reading the rest of it reports that
 * instead.
 */
static bool blame(const struct calls *calls, struct trace *trace)
{
    struct trace_record record = {0};

    while (!record.end)
        if (!trace_next(trace, &record))
            return false;
    return profile_fail("%s", calls->problem);
}

static bool read_trace(struct calls *calls, struct trace *trace)
{
    struct trace_record record;

    do {
        if (!trace_next(trace, &record))
            return false;
        if (record.end)
            calls_end(calls, record.until);
        else if (!calls_step(calls, record.until, record.pc))
            return blame(calls, trace);
    } while (!record.end);
    if (calls->total > 0)
        return true;
    return profile_fail("the trace has no cycle to count: it is from %" PRIu64 " to %" PRIu64,
                        trace_header(trace)->cycle, calls->until);
}

static unsigned terminal_columns(void)
{
    struct winsize size;

    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= COLUMNS)
        return size.ws_col;
    return COLUMNS;
}

static bool print_tables(const struct options *options, const struct report *report)
{
    report_summary(report);
    if (!options->lines &&
        !report_functions(report, options->top_given ? options->top : FUNCTIONS_SHOWN))
        return false;
    return report_lines(report, options->top_given ? options->top : LINES_SHOWN);
}

/* The name of a file without its folder. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool write_all(const struct options *options, const struct report *report)
{
    uint64_t from = report_from(report);
    char node[TERN_NODE_TEXT], title[256];

    snprintf(title, sizeof title,
             "tern profile: %.128s, node %s, cycles %" PRIu64 " to %" PRIu64,
             base_name(options->trace), tern_node_format((uint16_t)report->header->node, node),
             from, from + report->calls->total);
    if (!print_tables(options, report))
        return false;
    if (fflush(stdout) != 0 || ferror(stdout))
        return profile_fail("the tables cannot be written");
    return (options->svg == NULL || flame_write_svg(report->calls, title, options->svg)) &&
           (options->folded == NULL || flame_write_folded(report->calls, options->folded));
}

static bool profile(const struct options *options, struct trace *trace,
                    const struct program *program)
{
    const struct trace_header *header = trace_header(trace);
    static struct calls calls;
    struct report report = {
        .calls = &calls, .header = header, .columns = terminal_columns()};
    bool good = calls_init(&calls, program, header->cycle, options->from, options->to);

    if (!good)
        profile_fail("%s", calls.problem);
    good = good && read_trace(&calls, trace);
    if (good) {
        calls_sort(&calls);
        good = write_all(options, &report);
    }
    calls_fini(&calls);
    return good;
}

int main(int argc, char **argv)
{
    const struct argp argp = {
        .options = option_list,
        .parser = take_option,
        .args_doc = "TRACE",
        .doc = "Shows where the cycles of a node's firmware went, by function and by source "
               "line.\vTRACE was written by `tern sim --retire-trace=TRACE`."};
    static struct options options = {.trace = "", .to = UINT64_MAX};
    struct trace *trace;
    struct program *program = NULL;
    bool good = false;

    argp_err_exit_status = EXIT_USAGE;
    default_elf(&options);
    argp_parse(&argp, argc, argv, 0, NULL, &options);
    trace = trace_open(options.trace);
    if (trace != NULL && (trace_header(trace)->image_bytes == 0 ||
                          program_is_image(options.elf, trace_header(trace)->image_bytes,
                                           trace_header(trace)->image_crc)))
        program = program_open(options.elf);
    if (program != NULL)
        good = profile(&options, trace, program);
    program_close(program);
    trace_close(trace);
    if (good && (ferror(stdout) || fflush(stdout)))
        good = profile_fail("cannot write to standard output: %s", strerror(errno));
    return good ? EXIT_DONE : EXIT_BAD;
}
