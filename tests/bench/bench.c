/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: bench JSON-FILE [--keep FILE COMMIT] OUTPUT...
 *
 * Collects the output of the benchmark programs, one OUTPUT file per program, and compares it with
 * the bars (bars.def). A figure is a line
 *
 *   bench ID VALUE UNIT [key=value ...]
 *
 * The result has fields for the keys `tier`, `source` and `baseline` (a number); all other keys are
 * parameters. Other lines are ignored.
 *
 * Prints a table and writes JSON, a list of {id, value, unit, limit, baseline, gate, pass, tier,
 * source, parameters}. FILE keeps the figures of each COMMIT, one JSON line per commit; the program
 * lists those that moved by more than 1 % since the last other commit. Exit status 1 when a gate
 * fails or a gated id is absent, 2 when a line is invalid.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct bar {
    const char *id;
    bool gate;
    const char *op; /* "<=" or ">=" */
    double limit;
    const char *unit;
};

/* The empty row ends the table, which may be empty. */
#define BAR(id, gate, op, limit, unit, meaning) { #id, gate, #op, limit, #unit },
static const struct bar bars[] = {
#include <bars.def>
    { NULL, false, NULL, 0, NULL },
};

static const struct bar *bar_of(const char *id)
{
    for (const struct bar *bar = bars; bar->id; bar++)
        if (strcmp(bar->id, id) == 0)
            return bar;
    return NULL;
}

static bool meets(const struct bar *bar, double value)
{
    return strcmp(bar->op, "<=") == 0 ? value <= bar->limit : value >= bar->limit;
}

/* Returns a number; on bad input it ends the process, since a figure must not be lost. */
static double number(const char *text, const char *where)
{
    char *end;
    double value;

    errno = 0;
    value = strtod(text, &end);
    if (errno || end == text || *end)
        errx(2, "%s: not a number: %s", where, text);
    return value;
}

/* Adds a `key=value` pair of a figure. It modifies `pair`. */
static void add_pair(json_t *row, char *pair, const char *where)
{
    char *equals = strchr(pair, '=');
    char *end;
    double value;

    if (!equals)
        errx(2, "%s: not key=value: %s", where, pair);
    *equals++ = '\0';
    if (strcmp(pair, "tier") == 0 || strcmp(pair, "source") == 0) {
        json_object_set_new(row, pair, json_string(equals));
        return;
    }
    if (strcmp(pair, "baseline") == 0) {
        json_object_set_new(row, pair, json_real(number(equals, where)));
        return;
    }
    value = strtod(equals, &end);
    json_object_set_new(json_object_get(row, "parameters"), pair,
                        *equals && !*end ? json_real(value) : json_string(equals));
}

/* Makes the row of a line; the keys come in the order that the head of this file lists. */
static json_t *row_of(char *line, const char *where)
{
    char *rest = NULL;
    const char *id, *value, *unit;
    const struct bar *bar;
    json_t *row = json_object();

    strtok_r(line, " \n", &rest);
    id = strtok_r(NULL, " \n", &rest);
    value = strtok_r(NULL, " \n", &rest);
    unit = strtok_r(NULL, " \n", &rest);
    if (!unit)
        errx(2, "%s: bench ID VALUE UNIT expected", where);
    bar = bar_of(id);
    if (bar && strcmp(bar->unit, unit) != 0)
        errx(2, "%s: %s is in %s, its bar in %s", where, id, unit, bar->unit);
    json_object_set_new(row, "id", json_string(id));
    json_object_set_new(row, "value", json_real(number(value, where)));
    json_object_set_new(row, "unit", json_string(unit));
    json_object_set_new(row, "limit", bar ? json_real(bar->limit) : json_null());
    json_object_set_new(row, "baseline", json_null());
    json_object_set_new(row, "gate", json_boolean(bar && bar->gate));
    json_object_set_new(row, "pass", bar ? json_boolean(meets(bar, number(value, where)))
                                         : json_null());
    json_object_set_new(row, "tier", json_string("rtl"));
    json_object_set_new(row, "source", json_string(where));
    json_object_set_new(row, "parameters", json_object());
    for (char *pair; (pair = strtok_r(NULL, " \n", &rest));)
        add_pair(row, pair, where);
    return row;
}

static void read_output(json_t *rows, const char *path)
{
    const char *slash = strrchr(path, '/');
    char *where = strdup(slash ? slash + 1 : path);
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");

    if (!file || !where)
        err(2, "%s", path);
    if (strrchr(where, '.'))
        *strrchr(where, '.') = '\0';
    while (getline(&line, &room, file) > 0)
        if (strncmp(line, "bench ", 6) == 0)
            json_array_append_new(rows, row_of(line, where));
    free(line);
    free(where);
    fclose(file);
}

/* Formats the parameters as one short text for the table. */
static char *parameter_text(const json_t *row)
{
    const char *key;
    json_t *value;
    char *text = strdup("");

    json_object_foreach(json_object_get(row, "parameters"), key, value) {
        char *longer = NULL;
        int made;

        if (json_is_string(value))
            made = asprintf(&longer, "%s%s=%s ", text, key, json_string_value(value));
        else
            made = asprintf(&longer, "%s%s=%g ", text, key, json_real_value(value));
        if (made < 0)
            err(2, "out of memory");
        free(text);
        text = longer;
    }
    return text;
}

static const char *mark_of(const json_t *row)
{
    const json_t *pass = json_object_get(row, "pass");
    bool gate = json_is_true(json_object_get(row, "gate"));

    if (json_is_null(pass))
        return "";
    if (json_is_true(pass))
        return gate ? "pass" : "met";
    return gate ? "FAIL" : "aim";
}

static void print_row(const json_t *row)
{
    const char *id = json_string_value(json_object_get(row, "id"));
    const struct bar *bar = bar_of(id);
    char *parameters = parameter_text(row);
    char limit[24] = "";

    if (bar)
        snprintf(limit, sizeof(limit), "%s %g", bar->op, bar->limit);
    printf("%-32.32s %11.6g %-14.14s %-12s %-4s %-20.20s\n", id,
           json_real_value(json_object_get(row, "value")),
           json_string_value(json_object_get(row, "unit")), limit, mark_of(row), parameters);
    free(parameters);
}

static bool failed(const json_t *row)
{
    return json_is_true(json_object_get(row, "gate")) &&
           json_is_false(json_object_get(row, "pass"));
}

static bool reported(const json_t *rows, const char *id)
{
    size_t i;
    json_t *row;

    json_array_foreach(rows, i, row)
        if (strcmp(json_string_value(json_object_get(row, "id")), id) == 0)
            return true;
    return false;
}

/* Prints every gated id that no program reported; returns how many. */
static unsigned absent(const json_t *rows)
{
    unsigned count = 0;

    for (const struct bar *bar = bars; bar->id; bar++)
        if (bar->gate && !reported(rows, bar->id)) {
            printf("%-32.32s      absent %-14.14s %s %-9g FAIL\n", bar->id, bar->unit, bar->op,
                   bar->limit);
            count++;
        }
    return count;
}

/* ---- figures over time */

/* Figures by id and parameters; of two alike the first. */
static json_t *figures_of(const json_t *rows)
{
    json_t *figures = json_object(), *row;
    size_t i;

    json_array_foreach(rows, i, row) {
        char *parameters = parameter_text(row), *key = NULL;

        if (asprintf(&key, "%s %s", json_string_value(json_object_get(row, "id")), parameters) < 0)
            err(2, "out of memory");
        key[strlen(key) - 1] = '\0'; /* a blank ends it */
        if (!json_object_get(figures, key))
            json_object_set(figures, key, json_object_get(row, "value"));
        free(parameters);
        free(key);
    }
    return figures;
}

/*
 * The last line that another commit left, or NULL; where the line of this commit begins, or the
 * file ends.
 */
static json_t *line_before(const char *path, const char *commit, long *begin)
{
    FILE *file = fopen(path, "r");
    json_t *last = NULL;
    char *line = NULL;
    size_t room = 0;
    long at = 0;

    *begin = 0;
    while (file && getline(&line, &room, file) > 0) {
        json_t *read = json_loads(line, 0, NULL);
        const char *of = json_string_value(json_object_get(read, "commit"));

        if (!of)
            errx(2, "%s: a line is no JSON with a commit", path);
        *begin = at;
        at = ftell(file);
        if (strcmp(of, commit) == 0) {
            json_decref(read);
            continue;
        }
        json_decref(last);
        last = read;
        *begin = at;
    }
    free(line);
    if (file)
        fclose(file);
    return last;
}

/* Names the figures that are 1 % more or less than they were. */
static void print_moved(const json_t *was, const json_t *is)
{
    const char *commit = json_string_value(json_object_get(was, "commit")), *key;
    json_t *value;

    json_object_foreach((json_t *)is, key, value) {
        const json_t *before = json_object_get(json_object_get(was, "figures"), key);
        double old = json_number_value(before), now = json_real_value(value);

        if (before && (now - old > 0.01 * old || old - now > 0.01 * old))
            printf("moved since %.12s: %.60s %g -> %g\n", commit, key, old, now);
    }
}

/* Ends the file with the line of the commit; an earlier run's line of it goes. */
static void keep_figures(const char *path, const char *commit, const json_t *rows)
{
    json_t *figures = figures_of(rows), *before, *line;
    long begin;
    FILE *file;

    before = line_before(path, commit, &begin);
    if (before)
        print_moved(before, figures);
    line = json_pack("{s:s, s:o}", "commit", commit, "figures", figures);
    file = fopen(path, "a");
    if (!file || ftruncate(fileno(file), begin) != 0 ||
        json_dumpf(line, file, JSON_REAL_PRECISION(9)) != 0 || fputc('\n', file) == EOF ||
        fclose(file) != 0)
        err(2, "%s", path);
    json_decref(line);
    json_decref(before);
}

int main(int argc, char **argv)
{
    json_t *rows = json_array();
    unsigned failures;
    int first;
    size_t i;
    json_t *row;

    first = argc > 4 && strcmp(argv[2], "--keep") == 0 ? 5 : 2;
    if (argc < 2)
        errx(2, "usage: bench JSON-FILE [--keep FILE COMMIT] OUTPUT...");
    for (int n = first; n < argc; n++)
        read_output(rows, argv[n]);
    if (json_dump_file(rows, argv[1], JSON_INDENT(1) | JSON_REAL_PRECISION(9)) != 0)
        errx(2, "%s: cannot be written", argv[1]);
    printf("%-32s %11s %-14s %-12s %-4s %s\n", "id", "value", "unit", "bar", "", "parameters");
    failures = absent(rows);
    json_array_foreach(rows, i, row) {
        print_row(row);
        failures += failed(row);
    }
    if (first == 5)
        keep_figures(argv[3], argv[4], rows);
    printf("%zu figures, %u gates failed; see %s\n", json_array_size(rows), failures, argv[1]);
    return failures != 0;
}
