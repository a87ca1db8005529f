/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs from make-like files:
 *
 *   # a comment
 *   target: input input ...
 *   <tab>command
 *
 * A target is a node whose commands are its tasks, in their order. An input that is a target is a
 * predecessor; another one has to be a file. `$@`, `$<`, `$^` and `$$` mean what they mean to make,
 * a backslash at the end of a line goes on with the next, and `.PHONY` is left out. Variables,
 * patterns and other rules of make are refused.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "graph.h"

enum { RULES_ROOM = 16, TASKS_ROOM = TERN_DAG_TASKS_MAX };

struct rule {
    char *target, *inputs; /* inputs: words between blanks */
    char *commands[TASKS_ROOM];
    unsigned count, line;
};

struct reading {
    struct tern_dag *dag;
    struct rule *rules;
    uint32_t count, room;
    unsigned line;
    char *why;
    size_t why_room;
    bool ignored; /* the rule is left out, with its commands */
};

#define FAIL(r, status, ...) graph_why(-(TERN_ST_##status), (r)->why, (r)->why_room, __VA_ARGS__)

/* ---- lines */

/* Joins lines that end with a backslash; returns the line, and moves `*at` behind it. */
static char *next_line(struct reading *r, char **at)
{
    char *line = *at, *end = line;

    if (!*line)
        return NULL;
    r->line++;
    for (;;) {
        end += strcspn(end, "\n");
        if (!*end || end == line || end[-1] != '\\')
            break;
        end[-1] = ' ';
        *end++ = ' ';
        r->line++;
    }
    *at = *end ? end + 1 : end;
    *end = '\0';
    return line;
}

static char *trimmed(char *text)
{
    size_t length;

    text += strspn(text, " \t\r");
    length = strlen(text);
    while (length > 0 && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static int take_rule(struct reading *r, char *line)
{
    char *colon, *target = line, *inputs;
    struct rule *rule;

    line[strcspn(line, "#")] = '\0';
    line = trimmed(line);
    if (!*line)
        return 0;
    colon = strchr(line, ':');
    if (!colon || strchr(line, '=') || colon[1] == ':')
        return FAIL(r, PROTOCOL, "line %u: neither `target: inputs` nor a command: %.60s", r->line,
                    line);
    *colon = '\0';
    target = trimmed(target);
    inputs = trimmed(colon + 1);
    r->ignored = !strcmp(target, ".PHONY");
    if (r->ignored)
        return 0;
    if (!*target || strpbrk(target, " \t%$") || strpbrk(inputs, "%$;|"))
        return FAIL(r, PROTOCOL, "line %u: one plain target, and plain inputs: %.60s", r->line,
                    target);
    if (!graph_room(&r->rules, r->count, &r->room, sizeof(*r->rules)))
        return -TERN_ST_NO_MEMORY;
    rule = &r->rules[r->count++];
    *rule = (struct rule){.target = target, .inputs = inputs, .line = r->line};
    return 0;
}

static int take_command(struct reading *r, char *line)
{
    struct rule *rule = r->count ? &r->rules[r->count - 1] : NULL;

    line = trimmed(line);
    if (!*line || *line == '#' || r->ignored)
        return 0;
    if (!rule)
        return FAIL(r, PROTOCOL, "line %u: a command before the first target", r->line);
    if (rule->count == TASKS_ROOM)
        return FAIL(r, BAD_SIZE, "line %u: %s has more than %u commands", r->line, rule->target,
                    (unsigned)TASKS_ROOM);
    rule->commands[rule->count++] = line;
    return 0;
}

static int take_lines(struct reading *r, char *text)
{
    int status = 0;

    for (char *line; !status && (line = next_line(r, &text));)
        status = *line == '\t' ? take_command(r, line) : take_rule(r, line);
    return status;
}

/* ---- commands: automatic variables */

struct text {
    char *bytes;
    size_t used, room;
    bool failed;
};

static void append(struct text *t, const char *bytes, size_t count)
{
    if (!t->bytes || t->used + count + 1 > t->room) {
        size_t room = (t->used + count + 1) * 2;
        char *grown = t->failed ? NULL : realloc(t->bytes, room);

        t->failed = !grown;
        if (!grown)
            return;
        t->bytes = grown;
        t->room = room;
    }
    memcpy(t->bytes + t->used, bytes, count);
    t->used += count;
    t->bytes[t->used] = '\0';
}

/* The inputs with one blank between two, each once, as make has it; `most` of them. */
static void append_inputs(struct text *t, const char *inputs, bool first_only)
{
    const char *begin = inputs;
    bool any = false;

    while (*inputs) {
        size_t length = strcspn(inputs, " \t");
        bool again = false;

        for (const char *at = begin; at < inputs && length; at += strcspn(at, " \t"),
                        at += strspn(at, " \t"))
            again |= strcspn(at, " \t") == length && !memcmp(at, inputs, length);
        if (length && !again) {
            if (any)
                append(t, " ", 1);
            append(t, inputs, length);
            any = true;
            if (first_only)
                return;
        }
        inputs += length;
        inputs += strspn(inputs, " \t");
    }
}

static int expand(struct reading *r, const struct rule *rule, const char *command, char **out)
{
    struct text t = {.bytes = NULL};

    append(&t, "", 0);
    for (; *command; command++) {
        if (*command != '$') {
            append(&t, command, 1);
            continue;
        }
        command++;
        if (*command == '@')
            append(&t, rule->target, strlen(rule->target));
        else if (*command == '<' || *command == '^')
            append_inputs(&t, rule->inputs, *command == '<');
        else if (*command == '$')
            append(&t, "$", 1);
        else {
            free(t.bytes);
            return FAIL(r, PROTOCOL, "target %s: $%.1s is no variable here", rule->target,
                        command);
        }
    }
    if (t.failed) {
        free(t.bytes);
        return -TERN_ST_NO_MEMORY;
    }
    *out = t.bytes;
    return 0;
}

/* ---- nodes */

/* Leaves out the signs that make takes for itself. */
static const char *plain(const char *command)
{
    while (*command == '@' || *command == '+')
        command++;
    return command;
}

static int make_node(struct reading *r, const struct rule *rule)
{
    struct tern_dag_task tasks[TASKS_ROOM];
    char *commands[TASKS_ROOM] = {NULL};
    unsigned made = 0;
    int status = 0;

    while (made < rule->count && !status) {
        status = expand(r, rule, plain(rule->commands[made]), &commands[made]);
        if (!status) {
            tasks[made] = (struct tern_dag_task){.command = commands[made]};
            made++;
        }
    }
    if (!status) {
        status = tern_dag_node(r->dag, rule->target, tasks, made, NULL);
        if (status == -TERN_ST_DUP_MEMBER)
            (void)FAIL(r, DUP_MEMBER, "line %u: there are two rules for %s", rule->line,
                       rule->target);
        else if (status)
            (void)FAIL(r, BAD_LENGTH, "line %u: a name or a command is empty or too long: %.60s",
                       rule->line, rule->target);
    }
    while (made > 0)
        free(commands[--made]);
    return status;
}

static int make_edges(struct reading *r, const struct rule *rule)
{
    uint32_t to = tern_dag_find(r->dag, rule->target);
    char *save = NULL;
    int status = 0;

    for (char *input = strtok_r(rule->inputs, " \t", &save); input && !status;
         input = strtok_r(NULL, " \t", &save)) {
        uint32_t from = tern_dag_find(r->dag, input);

        if (from != GRAPH_NONE)
            status = tern_dag_edge(r->dag, from, to, TERN_AFTER, NULL);
        else if (access(input, F_OK) != 0)
            status = FAIL(r, NOT_FOUND, "line %u: %s needs %s, which is no target and no file",
                          rule->line, rule->target, input);
    }
    return status;
}

int graph_read_make(struct tern_dag *dag, const char *text, char *why, size_t room)
{
    struct reading r = {.dag = dag, .why = why, .why_room = room};
    char *copy = strdup(text);
    int status = copy ? take_lines(&r, copy) : -TERN_ST_NO_MEMORY;

    for (uint32_t i = 0; i < r.count && !status; i++)
        status = make_node(&r, &r.rules[i]);
    for (uint32_t i = 0; i < r.count && !status; i++)
        status = make_edges(&r, &r.rules[i]);
    free(r.rules);
    free(copy);
    return status;
}
