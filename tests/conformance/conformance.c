/* SPDX-License-Identifier: Apache-2.0
 *
 * usage: conformance LOG-DIR JSON-FILE
 *
 * Holds the promises (docs/requirements.def) against what the tests recorded
 * when they last ran.  One line an id:
 *
 *   PASS TIER TEST...  every named test ended well, in a program that ended
 *                      well, recorded all the evidence that the row names (a row
 *                      names some), and
 *                      a saboteur (tests/sabotage/sabotage.def) shows that
 *                      a test of the row can fail
 *   FAIL TEST why      a named test, or its program, failed
 *   MISSING why        anything else
 *
 * Writes the same as JSON.  Exit status 1 when an id has failed.
 */
#define _GNU_SOURCE
#include "taplog.h"

#include <err.h>
#include <fnmatch.h>
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

/* `ids` are the requirements that the saboteur breaks, separated by spaces. */
struct saboteur {
    const char *ids, *test;
};

/* The empty row ends the table, which may have no other. */
#define SABOTEUR(ids, change, program, test, quick) { #ids, test },
static const struct saboteur saboteurs[] = {
#include <sabotage.def>
    { NULL, NULL },
};

enum verdict { PASS, MISSING, FAIL };
static const char *const verdict_names[] = { "PASS", "MISSING", "FAIL" };

struct finding {
    enum verdict verdict;
    const char *tier; /* of the last test that counted */
    char *why;        /* for MISSING and FAIL, may be NULL */
    json_t *evidence; /* object */
};

/* A worse verdict replaces a better one; `why` is the caller's no longer. */
static void worsen(struct finding *finding, enum verdict verdict, char *why)
{
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

/* What the test ran on: said by the evidence, else known by the group. */
static const char *tier_of(const struct tap_log *log, const char *id)
{
    const char *said = tap_log_evidence(log, id, "tier");

    if (said)
        return said;
    if (strcmp(log->group, "unit") == 0)
        return "host";
    return strcmp(log->group, "check") == 0 ? "tree" : "rtl";
}

/* `keys` is a list with commas, or NULL.  Every key must have been recorded. */
static void judge_evidence(struct finding *finding, const struct tap_log *log, const char *id,
                           const char *name, const char *keys)
{
    char *list, *rest = NULL;

    if (!keys)
        return;
    list = text("%s", keys);
    for (char *key = strtok_r(list, ",", &rest); key; key = strtok_r(NULL, ",", &rest)) {
        const char *value = tap_log_evidence(log, id, key);

        if (value)
            json_object_set_new(finding->evidence, key, json_string(value));
        else
            worsen(finding, MISSING, text("%s: no evidence %s", name, key));
    }
    free(list);
}

static void judge_test(struct finding *finding, const struct tap_log *log,
                       const struct tap_test *test, const char *id, const char *keys)
{
    finding->tier = tier_of(log, id);
    if (test->result == TAP_NOT_OK)
        worsen(finding, FAIL, text("%s", test->name));
    else if (test->result == TAP_SKIPPED)
        worsen(finding, MISSING, text("%s was skipped", test->name));
    else if (!log->ended_well)
        worsen(finding, FAIL, text("%s: its program %s failed", test->name, log->program));
    else
        judge_evidence(finding, log, id, test->name, keys);
}

/* One entry `name[:key,key...]` of a row's tests. */
static void judge_entry(struct finding *finding, const struct tap_logs *logs, const char *id,
                        char *entry)
{
    char *keys = strchr(entry, ':');
    size_t matches = 0;

    if (keys)
        *keys++ = '\0';
    for (size_t i = 0; i < logs->count; i++) {
        const struct tap_log *log = &logs->logs[i];

        for (size_t j = 0; j < log->test_count; j++) {
            if (fnmatch(entry, log->tests[j].name, 0) != 0)
                continue;
            matches++;
            judge_test(finding, log, &log->tests[j], id, keys);
        }
    }
    if (matches == 0)
        worsen(finding, MISSING, text("%s did not run", entry));
}

/* Whether `word` is one of the words of `list`. */
static bool has_word(const char *list, const char *word)
{
    size_t length = strlen(word);

    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

static bool has_saboteur(const char *id)
{
    for (const struct saboteur *s = saboteurs; s->ids; s++)
        if (has_word(s->ids, id))
            return true;
    return false;
}

static void judge(struct finding *finding, const struct tap_logs *logs,
                  const struct requirement *requirement)
{
    char *entries = text("%s", requirement->tests), *rest = NULL;
    size_t count = 0;

    *finding = (struct finding){ .verdict = PASS, .tier = "", .evidence = json_object() };
    for (char *entry = strtok_r(entries, " ", &rest); entry;
         entry = strtok_r(NULL, " ", &rest)) {
        judge_entry(finding, logs, requirement->id, entry);
        count++;
    }
    if (count == 0)
        worsen(finding, MISSING, NULL);
    else if (!strchr(requirement->tests, ':'))
        worsen(finding, MISSING, text("the row names no evidence"));
    else if (!has_saboteur(requirement->id))
        worsen(finding, MISSING, text("no saboteur"));
    free(entries);
}

/* The names of a row's tests without their evidence. */
static json_t *tests_array(const char *tests)
{
    json_t *array = json_array();
    char *entries = text("%s", tests), *rest = NULL;

    for (char *entry = strtok_r(entries, " ", &rest); entry;
         entry = strtok_r(NULL, " ", &rest)) {
        entry[strcspn(entry, ":")] = '\0';
        json_array_append_new(array, json_string(entry));
    }
    free(entries);
    return array;
}

static void print_line(const struct requirement *requirement, const struct finding *finding,
                       const json_t *tests)
{
    printf("%s %s", requirement->id, verdict_names[finding->verdict]);
    if (finding->verdict == PASS) {
        printf(" %s", finding->tier);
        for (size_t i = 0; i < json_array_size(tests); i++)
            printf(" %s", json_string_value(json_array_get(tests, i)));
    } else if (finding->why) {
        printf(" %s", finding->why);
    }
    putchar('\n');
}

static json_t *json_row(const struct requirement *requirement, const struct finding *finding,
                        json_t *tests)
{
    json_t *row = json_object();

    json_object_set_new(row, "id", json_string(requirement->id));
    json_object_set_new(row, "status", json_string(verdict_names[finding->verdict]));
    json_object_set_new(row, "tier", json_string(finding->tier));
    json_object_set_new(row, "requirement", json_string(requirement->text));
    json_object_set_new(row, "source", json_string(requirement->source));
    json_object_set_new(row, "tests", tests);
    json_object_set_new(row, "evidence", finding->evidence);
    json_object_set_new(row, "saboteur", json_boolean(has_saboteur(requirement->id)));
    json_object_set_new(row, "reason", json_string(finding->why ? finding->why : ""));
    return row;
}

int main(int argc, char **argv)
{
    unsigned counts[3] = { 0 };
    json_t *all = json_array();
    struct tap_logs logs;

    if (argc != 3)
        errx(2, "usage: conformance LOG-DIR JSON-FILE");
    tap_logs_read(&logs, argv[1]);
    if (logs.count == 0)
        fprintf(stderr, "%s: no test has run yet; `make test` and `make check` do\n", argv[1]);
    for (size_t i = 0; i < sizeof(requirements) / sizeof(requirements[0]); i++) {
        struct finding finding;
        json_t *tests = tests_array(requirements[i].tests);

        judge(&finding, &logs, &requirements[i]);
        print_line(&requirements[i], &finding, tests);
        json_array_append_new(all, json_row(&requirements[i], &finding, tests));
        counts[finding.verdict]++;
        free(finding.why);
    }
    if (json_dump_file(all, argv[2], JSON_INDENT(1)) != 0)
        errx(2, "%s: cannot be written", argv[2]);
    printf("%u pass, %u fail, %u missing; see %s\n", counts[PASS], counts[FAIL], counts[MISSING],
           argv[2]);
    return counts[FAIL] != 0;
}
