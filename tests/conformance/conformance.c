/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: conformance LOG-DIR JSON-FILE [COMMITTED [write]]
 *
 * Compares the promises (docs/requirements.def) with the records of the last test run. Prints one
 * line per id:
 *
 *   PASS TIER        every named test passed, in a program that passed; the evidence
 *                    meets the row's conditions (at least one); and for each test a
 *                    saboteur (tests/sabotage) shows that it can fail
 *   FAIL why         a named test did not run, or it or its program failed, or its
 *                    evidence does not meet the conditions
 *   MISSING why      anything else
 *
 * TIER is the tier on which the tests of the row ran: rtl, or soft if one of them ran only on soft
 * nodes; host and tree are rows without nodes.
 *
 * COMMITTED has a line `ID VERDICT [TIER]` for each row (docs/conformance.txt); the program names
 * rows that are worse now. With `write` it replaces the file.
 *
 * LOG-DIR/left-out-GOAL names programs that did not run because their dependencies have not
 * changed. If the sabotage table places a test in such a program, the test need not have run: its
 * row keeps the committed result, and its line mentions that. The same holds for a test that is not
 * in the table, whose row is MISSING in any case. A result on soft alone is not worse than one on
 * rtl if the twin on rtl was left out. Writes all results as JSON. Exit status 1 when an id has
 * failed or is worse.
 */
#define _GNU_SOURCE
#include "taplog.h"

#include <err.h>
#include <fnmatch.h>
#include <glob.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct requirement {
    const char *id, *text, *source, *tests;
};

#define REQ(id, text, source, tests) { #id, text, source, tests },
static const struct requirement requirements[] = {
#include <requirements.def>
};

/* `test` names the tests that the change breaks in `program`, separated by spaces. */
struct saboteur {
    const char *program, *test;
};

/* The empty row ends the table, which may be empty. */
#define SABOTEUR(ids, change, program, test, quick) { program, test },
static const struct saboteur saboteurs[] = {
#include <sabotage.def>
    { NULL, NULL },
};

enum verdict { PASS, MISSING, FAIL };
static const char *const verdict_names[] = { "PASS", "MISSING", "FAIL" };

struct finding {
    enum verdict verdict;
    unsigned tier;    /* of enum tap_tier, or 0 */
    bool left_out;    /* a test has a twin on rtl, which was left out */
    unsigned missing; /* reasons for MISSING */
    unsigned not_run; /* of these, tests of programs that were left out */
    bool recalled;    /* so the committed verdict counts */
    char *why;        /* for MISSING and FAIL; for PASS the tests that did not run; may be NULL */
    json_t *evidence; /* object */
};

/* Sets a worse verdict; takes ownership of `why`. */
static void worsen(struct finding *finding, enum verdict verdict, char *why)
{
    finding->missing += verdict == MISSING;
    if (verdict <= finding->verdict) {
        free(why);
        return;
    }
    free(finding->why);
    finding->verdict = verdict;
    finding->why = why;
}

__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...)
{
    char *made = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0)
        err(2, "out of memory");
    va_end(arguments);
    return made;
}

static const char *tier_name(unsigned tier)
{
    return tier & TIER_RTL    ? "rtl"
           : tier & TIER_SOFT ? "soft"
           : tier & TIER_HOST ? "host"
           : tier & TIER_TREE ? "tree"
                              : "";
}

/* ---- evidence */

/* A condition `key OP value`; the value may be the name of another key. */
struct condition {
    char *key, *op, *value;
};

static bool parse_condition(const char *words, struct condition *condition)
{
    static const char *const ops[] = { "!=", ">=", "<=", "=", ">", "<" };
    size_t at = strcspn(words, "!<>=");

    for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
        size_t length = strlen(ops[i]);

        if (strncmp(words + at, ops[i], length) != 0)
            continue;
        *condition = (struct condition){ text("%.*s", (int)at, words), text("%s", ops[i]),
                                         text("%s", words + at + length) };
        return at > 0 && condition->value[0];
    }
    return false;
}

static void free_condition(struct condition *condition)
{
    free(condition->key);
    free(condition->op);
    free(condition->value);
}

static const struct {
    const char *name;
    double value;
} statuses[] = {
#define STATUS(name, value, text) { #name, value },
#include <status.def>
#undef STATUS
};

/* Parses a number, or the name of a status. */
static bool is_number(const char *word, double *number)
{
    char *end;

    for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++) {
        *number = statuses[i].value;
        if (strcmp(statuses[i].name, word) == 0)
            return true;
    }

    *number = strtod(word, &end);
    return end != word && !*end;
}

static bool compare(const char *value, const char *op, const char *wanted)
{
    double a, b;
    bool numbers = is_number(value, &a) && is_number(wanted, &b);
    int order = numbers ? (a > b) - (a < b) : strcmp(value, wanted);

    if (strcmp(op, "=") == 0)
        return order == 0;
    if (strcmp(op, "!=") == 0)
        return order != 0;
    if (!numbers)
        return false;
    return op[0] == '>' ? order > 0 || (op[1] && order == 0) : order < 0 || (op[1] && order == 0);
}

static void judge_condition(struct finding *finding, const struct tap_log *log, const char *id,
                            size_t test, const struct condition *c)
{
    const char *name = log->tests[test].name, *value = tap_log_evidence(log, id, c->key, test, 0);

    if (!value)
        worsen(finding, FAIL, text("%s: no evidence %s", name, c->key));
    for (size_t i = 0; value; value = tap_log_evidence(log, id, c->key, test, ++i)) {
        const char *other = tap_log_evidence(log, id, c->value, test, i);

        json_object_set_new(finding->evidence, c->key, json_string(value));
        if (!compare(value, c->op, other ? other : c->value))
            worsen(finding, FAIL,
                   text("%s: %s=%s, not %s%s", name, c->key, value, c->op, c->value));
    }
}

/* `keys` is a list of conditions separated by commas, or NULL. */
static void judge_evidence(struct finding *finding, const struct tap_log *log, const char *id,
                           size_t test, const char *keys)
{
    char *list, *rest = NULL;

    if (!keys)
        return;
    list = text("%s", keys);
    for (char *key = strtok_r(list, ",", &rest); key; key = strtok_r(NULL, ",", &rest)) {
        struct condition condition = { 0 };

        if (parse_condition(key, &condition))
            judge_condition(finding, log, id, test, &condition);
        else
            worsen(finding, MISSING, text("the row does not say what %s must be", key));
        free_condition(&condition);
    }
    free(list);
}

/* ---- tests */

static void judge_test(struct finding *finding, const struct tap_log *log, size_t index,
                       const char *id, const char *keys)
{
    const struct tap_test *test = &log->tests[index];

    if (test->result == TAP_NOT_OK)
        worsen(finding, FAIL, text("%s", test->name));
    else if (test->result == TAP_SKIPPED)
        worsen(finding, MISSING, text("%s was skipped", test->name));
    else if (!log->ended_well)
        worsen(finding, FAIL, text("%s: its program %s failed", test->name, log->program));
    else
        judge_evidence(finding, log, id, index, keys);
}

/* Tells whether the saboteur makes a test with that name or pattern fail. */
static bool names(const struct saboteur *saboteur, const char *entry)
{
    char *tests = text("%s", saboteur->test), *rest = NULL;
    bool named = false;

    for (char *test = strtok_r(tests, " ", &rest); test; test = strtok_r(NULL, " ", &rest))
        named |= fnmatch(entry, test, 0) == 0;
    free(tests);
    return named;
}

static bool has_saboteur(const char *entry)
{
    for (const struct saboteur *s = saboteurs; s->test; s++)
        if (names(s, entry))
            return true;
    return false;
}

/* Programs that did not run because their dependencies have not changed, one per line. */
static char left_out_list[1 << 16];

static void read_left_out(const char *dir)
{
    char *pattern = text("%s/left-out-*", dir);
    size_t length = 1;
    glob_t found;

    left_out_list[0] = '\n';
    if (glob(pattern, 0, NULL, &found) == 0)
        for (size_t i = 0; i < found.gl_pathc; i++) {
            FILE *file = fopen(found.gl_pathv[i], "r");

            if (!file)
                err(2, "%s", found.gl_pathv[i]);
            length += fread(left_out_list + length, 1, sizeof(left_out_list) - 1 - length, file);
            fclose(file);
        }
    globfree(&found);
    free(pattern);
}

static bool was_left_out(const char *program)
{
    char *line = text("\n%s\n", program);
    bool left = strstr(left_out_list, line);

    free(line);
    return left;
}

/*
 * Tells whether the program of the test, or of one of the tests that match the pattern, was left
 * out. A test without a saboteur may belong to any of these programs; its row is MISSING in any
 * case.
 */
static bool test_left_out(const char *entry)
{
    for (const struct saboteur *s = saboteurs; s->test; s++)
        if (names(s, entry) && was_left_out(s->program))
            return true;
    return !has_saboteur(entry) && left_out_list[0] && left_out_list[1];
}

/* Tells whether a program soft_NAME ran and NAME was left out. */
static bool twin_left_out(const struct tap_log *log)
{
    char *line = strncmp(log->program, "soft_", 5) == 0 ? text("/%s\n", log->program + 5) : NULL;
    bool left = line && strstr(left_out_list, line);

    free(line);
    return left;
}

/* Returns the first such sign without `_` after it: that one is part of the name of a test. */
static char *sign_of(char *entry, char sign)
{
    char *at = strchr(entry, sign);

    while (at && at[1] == '_')
        at = strchr(at + 1, sign);
    return at;
}

/* Returns the colon before the conditions of an entry, or NULL. */
static char *conditions_of(char *entry)
{
    return sign_of(entry, ':');
}

/* Judges one entry `[goal/]name[:condition,condition...]` of a row's tests. */
static void judge_entry(struct finding *finding, const struct tap_logs *logs, const char *id,
                        char *entry)
{
    char *keys = conditions_of(entry), *slash;
    unsigned tier = 0;
    bool group_ran = false, left_out = false;
    const char *group = NULL;

    if (keys)
        *keys++ = '\0';
    slash = sign_of(entry, '/');
    if (slash) {
        *slash = '\0';
        group = entry;
        entry = slash + 1;
    }
    for (size_t i = 0; i < logs->count; i++) {
        const struct tap_log *log = &logs->logs[i];

        if (group && strcmp(group, log->group) != 0 && strcmp(group, log->program) != 0)
            continue;
        for (size_t j = 0; j < log->test_count; j++)
            group_ran |= log->tests[j].result != TAP_SKIPPED;
        for (size_t j = 0; j < log->test_count; j++) {
            if (fnmatch(entry, log->tests[j].name, 0) != 0)
                continue;
            tier |= log->tiers;
            left_out |= twin_left_out(log);
            judge_test(finding, log, j, id, keys);
        }
    }
    if (group && !group_ran)
        worsen(finding, MISSING, text("make %s has not run", group));
    else if (tier == 0 && test_left_out(entry)) {
        worsen(finding, MISSING, text("%s: its program was left out", entry));
        finding->not_run++;
    } else if (tier == 0)
        worsen(finding, FAIL, text("%s did not run", entry));
    if (!has_saboteur(entry))
        worsen(finding, MISSING, text("no saboteur of %s", entry));
    /* a row counts as soft if one of its tests ran on soft alone */
    if (!(tier & TIER_RTL) && tier & TIER_SOFT) {
        finding->tier = TIER_SOFT;
        finding->left_out |= left_out;
    } else if (finding->tier != TIER_SOFT && tier > finding->tier) {
        finding->tier = tier & TIER_RTL ? TIER_RTL : tier & TIER_HOST ? TIER_HOST : TIER_TREE;
    }
}

static void judge(struct finding *finding, const struct tap_logs *logs,
                  const struct requirement *requirement)
{
    char *entries = text("%s", requirement->tests), *rest = NULL;
    size_t count = 0;
    bool evidence = false;

    *finding = (struct finding){ .verdict = PASS, .evidence = json_object() };
    for (char *entry = strtok_r(entries, " ", &rest); entry;
         entry = strtok_r(NULL, " ", &rest)) {
        evidence |= conditions_of(entry) != NULL;
        judge_entry(finding, logs, requirement->id, entry);
        count++;
    }
    if (count == 0)
        worsen(finding, MISSING, text("no test: %s", requirement->text));
    else if (!evidence)
        worsen(finding, MISSING, text("the row names no evidence"));
    free(entries);
}

/* Returns the names of a row's tests without their conditions. */
static json_t *tests_array(const char *tests)
{
    json_t *array = json_array();
    char *entries = text("%s", tests), *rest = NULL;

    for (char *entry = strtok_r(entries, " ", &rest); entry;
         entry = strtok_r(NULL, " ", &rest)) {
        char *colon = conditions_of(entry);

        if (colon)
            *colon = '\0';
        json_array_append_new(array, json_string(entry));
    }
    free(entries);
    return array;
}

/* Prints a line of at most 100 columns. */
static void print_line(const struct requirement *requirement, const struct finding *finding)
{
    bool pass = finding->verdict == PASS;
    char *line = text("%s %s %s%s%s", requirement->id, verdict_names[finding->verdict],
                      pass ? tier_name(finding->tier) : "",
                      pass && finding->why ? " as committed; " : "",
                      finding->why ? finding->why : "");

    printf("%.100s\n", line);
    free(line);
}

static json_t *json_row(const struct requirement *requirement, const struct finding *finding,
                        json_t *tests)
{
    json_t *row = json_object();

    json_object_set_new(row, "id", json_string(requirement->id));
    json_object_set_new(row, "status", json_string(verdict_names[finding->verdict]));
    json_object_set_new(row, "tier", json_string(tier_name(finding->tier)));
    json_object_set_new(row, "requirement", json_string(requirement->text));
    json_object_set_new(row, "source", json_string(requirement->source));
    json_object_set_new(row, "tests", tests);
    json_object_set_new(row, "evidence", finding->evidence);
    json_object_set_new(row, "reason", json_string(finding->why ? finding->why : ""));
    return row;
}

/* ---- committed results */

/* Ranks a verdict; a higher rank is better. */
static int rank(enum verdict verdict, const char *tier)
{
    if (verdict == FAIL)
        return 0;
    if (verdict == MISSING)
        return 1;
    return strcmp(tier, "soft") == 0 ? 2 : 3;
}

struct committed {
    char id[32], verdict[16], tier[16];
};

static int committed_rank(const struct committed *row)
{
    return rank(strcmp(row->verdict, "PASS") == 0 ? PASS : MISSING, row->tier);
}

static bool read_committed(FILE *file, struct committed *row)
{
    char line[256];

    while (fgets(line, sizeof(line), file)) {
        *row = (struct committed){ 0 };
        if (line[0] != '#' && sscanf(line, "%31s %15s %15s", row->id, row->verdict, row->tier) >= 2)
            return true;
    }
    return false;
}

enum { ROWS = sizeof(requirements) / sizeof(requirements[0]) };

static const struct finding *finding_of(const struct finding *findings, const char *id)
{
    for (size_t i = 0; i < ROWS; i++)
        if (strcmp(requirements[i].id, id) == 0)
            return &findings[i];
    return NULL;
}

static unsigned tier_named(const char *name)
{
    return strcmp(name, "rtl") == 0    ? TIER_RTL
           : strcmp(name, "soft") == 0 ? TIER_SOFT
           : strcmp(name, "host") == 0 ? TIER_HOST
                                       : TIER_TREE;
}

/*
 * Uses the committed result of a row that passed then, if this run lacks evidence for it only
 * because programs were left out.
 */
static void recall(struct finding *findings, const char *path)
{
    FILE *file = fopen(path, "r");
    struct committed row;

    while (file && read_committed(file, &row)) {
        struct finding *now = NULL;

        for (size_t i = 0; i < ROWS; i++)
            if (strcmp(requirements[i].id, row.id) == 0)
                now = &findings[i];
        if (!now || now->verdict != MISSING || now->not_run != now->missing ||
            strcmp(row.verdict, "PASS") != 0)
            continue;
        now->verdict = PASS;
        now->tier = tier_named(row.tier);
        now->recalled = true;
    }
    if (file)
        fclose(file);
}

/* Prints the rows that are worse now; returns how many. */
static unsigned compare_committed(const struct finding *findings, const char *path)
{
    FILE *file = fopen(path, "r");
    struct committed row;
    unsigned worse = 0, better = 0;

    if (!file)
        err(2, "%s", path);
    while (read_committed(file, &row)) {
        const struct finding *now = finding_of(findings, row.id);
        int was = committed_rank(&row), is;

        if (!now) {
            printf("WORSE %s: its row is gone\n", row.id);
            worse++;
            continue;
        }
        is = rank(now->verdict, tier_name(now->tier));
        if (now->verdict == PASS && now->left_out && is == 2 && was == 3)
            continue;
        if (is < was)
            printf("WORSE %s: %s%s%s is committed\n", row.id, row.verdict, *row.tier ? " " : "",
                   row.tier);
        worse += is < was;
        better += is > was;
    }
    fclose(file);
    if (better)
        printf("%u rows are better than %s says; `make conformance-commit` writes it\n", better,
               path);
    return worse;
}

static void write_committed(const struct finding *findings, const char *path)
{
    FILE *file = fopen(path, "w");

    if (!file)
        err(2, "%s", path);
    fprintf(file,
            "# SPDX-License-Identifier: Apache-2.0\n#\n"
            "# The promises of docs/requirements.def, as `make conformance` found them after\n"
            "# `make test-all check-all`; no change may make one worse.  PASS soft: shown on soft\n"
            "# nodes alone.  Written by `make conformance-commit`.\n");
    for (size_t i = 0; i < ROWS; i++)
        fprintf(file, "%s %s%s%s\n", requirements[i].id, verdict_names[findings[i].verdict],
                findings[i].verdict == PASS ? " " : "",
                findings[i].verdict == PASS ? tier_name(findings[i].tier) : "");
    if (fclose(file) != 0)
        err(2, "%s", path);
}

int main(int argc, char **argv)
{
    static struct finding findings[ROWS];
    unsigned counts[3] = { 0 }, worse = 0, recalled = 0;
    json_t *all = json_array();
    struct tap_logs logs;

    if (argc < 3 || argc > 5)
        errx(2, "usage: conformance LOG-DIR JSON-FILE [COMMITTED [write]]");
    tap_logs_read(&logs, argv[1]);
    read_left_out(argv[1]);
    if (logs.count == 0)
        fprintf(stderr, "%s: no test has run yet; `make test` and `make check` do\n", argv[1]);
    for (size_t i = 0; i < ROWS; i++)
        judge(&findings[i], &logs, &requirements[i]);
    if (argc > 3)
        recall(findings, argv[3]);
    for (size_t i = 0; i < ROWS; i++) {
        print_line(&requirements[i], &findings[i]);
        json_array_append_new(all, json_row(&requirements[i], &findings[i],
                                            tests_array(requirements[i].tests)));
        counts[findings[i].verdict]++;
        recalled += findings[i].recalled;
    }
    if (json_dump_file(all, argv[2], JSON_INDENT(1)) != 0)
        errx(2, "%s: cannot be written", argv[2]);
    if (argc == 5)
        write_committed(findings, argv[3]);
    else if (argc == 4)
        worse = compare_committed(findings, argv[3]);
    if (recalled)
        printf(
            "%u passes are as committed: programs of theirs were left out; `make test-all "
            "check-all` "
            "runs them\n",
            recalled);
    printf("%u pass, %u fail, %u missing, %u worse than committed; see %s\n", counts[PASS],
           counts[FAIL], counts[MISSING], worse, argv[2]);
    return counts[FAIL] != 0 || worse != 0;
}
