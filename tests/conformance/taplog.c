/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads test logs; see taplog.h.
 */
#define _GNU_SOURCE
#include "taplog.h"

#include <err.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the array with room for one more element. */
static void *grown(void *array, size_t count, size_t element_bytes)
{
    void *bigger = reallocarray(array, count + 1, element_bytes);

    if (!bigger)
        err(2, "reading the logs");
    return bigger;
}

static char *copied(const char *text)
{
    char *copy = strdup(text);

    if (!copy)
        err(2, "reading the logs");
    return copy;
}

/* Converts "some text # SKIP why" to "some_text". */
static char *test_name(const char *description)
{
    char *name = copied(description);
    char *comment = strstr(name, " #");
    size_t length;

    if (comment)
        *comment = '\0';
    length = strlen(name);
    while (length > 0 && strchr(" \r\n", name[length - 1]))
        name[--length] = '\0';
    for (char *c = name; *c; c++)
        if (*c == ' ')
            *c = '_';
    return name;
}

/* Skips the number and the dash after "ok". */
static const char *description_of(const char *rest)
{
    rest += strspn(rest, " ");
    rest += strspn(rest, "0123456789");
    rest += strspn(rest, " ");
    if (rest[0] == '-' && rest[1] == ' ')
        rest += 2;
    return rest;
}

static void add_test(struct tap_log *log, const char *rest, bool ok)
{
    struct tap_test *test;

    log->tests = grown(log->tests, log->test_count, sizeof(*log->tests));
    test = &log->tests[log->test_count++];
    test->name = test_name(description_of(rest));
    if (strcasestr(rest, "# SKIP"))
        test->result = TAP_SKIPPED;
    else
        test->result = ok ? TAP_OK : TAP_NOT_OK;
}

/* Parses "ID key=value key=value ...": one entry per pair. */
static void add_evidence(struct tap_log *log, char *text)
{
    char *rest = NULL;
    char *id = strtok_r(text, " \r\n", &rest);

    if (!id)
        return;
    for (char *pair; (pair = strtok_r(NULL, " \r\n", &rest));) {
        char *equals = strchr(pair, '=');
        struct tap_evidence *evidence;

        if (!equals)
            continue;
        *equals = '\0';
        log->evidence = grown(log->evidence, log->evidence_count, sizeof(*log->evidence));
        evidence = &log->evidence[log->evidence_count++];
        evidence->id = copied(id);
        evidence->key = copied(pair);
        evidence->value = copied(equals + 1);
        evidence->after = log->test_count;
        log->evidence_first |= log->test_count == 0;
    }
}

static void read_line(struct tap_log *log, char *line)
{
    static const char evidence[] = "# evidence ";

    if (strncmp(line, "ok ", 3) == 0)
        add_test(log, line + 2, true);
    else if (strncmp(line, "not ok ", 7) == 0)
        add_test(log, line + 6, false);
    else if (strncmp(line, evidence, sizeof(evidence) - 1) == 0)
        add_evidence(log, line + sizeof(evidence) - 1);
}

/* Reads the runner's verdict "passed failed skipped" from the .result file. */
static bool ended_well(const char *tap_path)
{
    char *path = NULL;
    FILE *file;
    unsigned passed, failed;
    bool well = false;

    if (asprintf(&path, "%.*s.result", (int)(strlen(tap_path) - 4), tap_path) < 0)
        err(2, "reading the logs");
    file = fopen(path, "r");
    free(path);
    if (!file)
        return false;
    if (fscanf(file, "%u %u", &passed, &failed) == 2)
        well = failed == 0;
    fclose(file);
    return well;
}

/* Returns the tiers of the nodes that the program made; each node has left a line. */
static unsigned tiers_of(const char *tap_path, const char *group)
{
    char *path = NULL, line[16];
    FILE *file;
    unsigned tiers = 0;

    if (asprintf(&path, "%.*s.tiers", (int)(strlen(tap_path) - 4), tap_path) < 0)
        err(2, "reading the logs");
    file = fopen(path, "r");
    free(path);
    while (file && fgets(line, sizeof(line), file))
        tiers |= strcmp(line, "rtl\n") == 0    ? TIER_RTL
                 : strcmp(line, "soft\n") == 0 ? TIER_SOFT
                                               : 0;
    if (file)
        fclose(file);
    if (tiers)
        return tiers;
    if (strcmp(group, "unit") == 0)
        return TIER_HOST;
    return strcmp(group, "rtl") == 0 ? TIER_RTL : TIER_TREE;
}

static void read_log(struct tap_log *log, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *group = slash;
    char *line = NULL;
    size_t room = 0;
    FILE *file = fopen(path, "r");

    if (!file)
        err(2, "%s", path);
    while (group > path && group[-1] != '/')
        group--;
    *log = (struct tap_log){
        .group = strndup(group, (size_t)(slash - group)),
        .program = strndup(slash + 1, strlen(slash + 1) - 4),
        .ended_well = ended_well(path),
    };
    log->tiers = tiers_of(path, log->group);
    while (getline(&line, &room, file) > 0)
        read_line(log, line);
    free(line);
    fclose(file);
}

void tap_logs_read(struct tap_logs *logs, const char *dir)
{
    char *pattern = NULL;
    glob_t found;

    *logs = (struct tap_logs){ 0 };
    if (asprintf(&pattern, "%s/*/*.tap", dir) < 0)
        err(2, "reading the logs");
    if (glob(pattern, 0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc; i++) {
            if (strstr(found.gl_pathv[i], "/quick/"))
                continue; /* runs a selection of the others again */
            logs->logs = grown(logs->logs, logs->count, sizeof(*logs->logs));
            read_log(&logs->logs[logs->count++], found.gl_pathv[i]);
        }
        globfree(&found);
    }
    free(pattern);
}

enum { ANYWHERE = -1 };

/* `after`: the number of tests before it, or ANYWHERE. */
static const char *find(const struct tap_log *log, const char *id, const char *key, long after,
                        size_t skip)
{
    for (size_t i = 0; i < log->evidence_count; i++) {
        const struct tap_evidence *e = &log->evidence[i];

        if (strcmp(e->id, id) != 0 || strcmp(e->key, key) != 0)
            continue;
        if ((after == ANYWHERE || e->after == (size_t)after) && skip-- == 0)
            return e->value;
    }
    return NULL;
}

const char *tap_log_evidence(const struct tap_log *log, const char *id, const char *key,
                             size_t test, size_t skip)
{
    const long behind = (long)test + 1, before = (long)test;
    const long places[] = { log->evidence_first ? before : behind,
                            log->evidence_first ? behind : before, ANYWHERE };

    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
        if (find(log, id, key, places[i], 0))
            return find(log, id, key, places[i], skip);
    return NULL;
}
