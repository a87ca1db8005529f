/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Graphs from WfFormat, the JSON of WfCommons, versions 1.3 to 1.6. Since 1.5 a workflow has
 * `specification.tasks`, with identifiers in `parents` and `children`, and `execution.tasks`; the
 * versions before have `workflow.tasks` with names. A task runs the function `hash`, or the command
 * of `command.program` if the file's `runtimeSystem.name` is "tern".
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

struct reading {
    struct tern_dag *dag;
    char *why;
    size_t room;
    bool commands;
};

#define FAIL(r, status, ...) graph_why(-(TERN_ST_##status), (r)->why, (r)->room, __VA_ARGS__)

/* Identifiers came with 1.5; names were unique before. */
static const char *name_of(const json_t *task)
{
    const char *id = json_string_value(json_object_get(task, "id"));

    return id ? id : json_string_value(json_object_get(task, "name"));
}

static int version_check(const struct reading *r, const json_t *root)
{
    static const char *const known[] = {"1.3", "1.4", "1.5", "1.6"};
    const char *version = json_string_value(json_object_get(root, "schemaVersion"));

    if (!version)
        return FAIL(r, PROTOCOL, "there is no schemaVersion");
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (!strcmp(version, known[i]))
            return 0;
    return FAIL(r, PROTOCOL, "schemaVersion %s: 1.3 to 1.6 can be read", version);
}

static json_t *tasks_of(const json_t *root)
{
    json_t *workflow = json_object_get(root, "workflow");
    json_t *tasks = json_object_get(json_object_get(workflow, "specification"), "tasks");

    return tasks ? tasks : json_object_get(workflow, "tasks");
}

/* Finds the command of a task, in the execution or in the task. */
static const char *command_of(const json_t *root, const json_t *task, const char *name)
{
    json_t *list = json_object_get(json_object_get(json_object_get(root, "workflow"), "execution"),
                                   "tasks"), *one;
    size_t i;

    json_array_foreach(list, i, one) {
        const char *id = name_of(one);

        if (id && !strcmp(id, name))
            task = one;
    }
    return json_string_value(json_object_get(json_object_get(task, "command"), "program"));
}

static int make_node(const struct reading *r, const json_t *root, const json_t *task, size_t index)
{
    struct tern_dag_task made = {.function = "hash"};
    const char *name = name_of(task);
    int status;

    if (!name)
        return FAIL(r, PROTOCOL, "task %zu has neither id nor name", index);
    if (r->commands) {
        made.function = NULL;
        made.command = command_of(root, task, name);
        if (!made.command)
            return FAIL(r, PROTOCOL, "task %s has no command.program", name);
    }
    status = tern_dag_node(r->dag, name, &made, 1, NULL);
    if (status == -TERN_ST_DUP_MEMBER)
        return FAIL(r, DUP_MEMBER, "there are two tasks %s", name);
    return status ? FAIL(r, BAD_LENGTH, "task %.60s: a name or a command is empty or too long",
                         name)
                  : 0;
}

static bool has_edge(const struct tern_dag *dag, uint32_t from, uint32_t to)
{
    const struct graph_node *a = &dag->nodes[from], *b = &dag->nodes[to];

    if (a->outs < b->ins) {
        for (uint32_t e = a->first_out; e != GRAPH_NONE; e = dag->edges[e].next_out)
            if (dag->edges[e].to == to)
                return true;
        return false;
    }
    for (uint32_t e = b->first_in; e != GRAPH_NONE; e = dag->edges[e].next_in)
        if (dag->edges[e].from == from)
            return true;
    return false;
}

/* Adds the edges of `parents` or `children`; one that both tell of is one edge. */
static int make_edges(const struct reading *r, const json_t *task, const char *key, bool parents)
{
    uint32_t self = tern_dag_find(r->dag, name_of(task));
    json_t *list = json_object_get(task, key), *one;
    size_t i;

    if (list && !json_is_array(list))
        return FAIL(r, PROTOCOL, "task %s: %s is no list", name_of(task), key);
    json_array_foreach(list, i, one) {
        const char *other = json_string_value(one);
        uint32_t node = other ? tern_dag_find(r->dag, other) : GRAPH_NONE;
        int status = 0;

        if (!other)
            return FAIL(r, PROTOCOL, "task %s: %s has an entry that is no text", name_of(task),
                        key);
        if (node == GRAPH_NONE)
            return FAIL(r, NOT_FOUND, "task %s: %s %s is unknown", name_of(task),
                        parents ? "parent" : "child", other);
        if (!has_edge(r->dag, parents ? node : self, parents ? self : node))
            status = tern_dag_edge(r->dag, parents ? node : self, parents ? self : node, TERN_DATA,
                                   NULL);
        if (status)
            return status;
    }
    return 0;
}

static int read_tasks(struct reading *r, const json_t *root)
{
    json_t *tasks = tasks_of(root), *task;
    const char *system = json_string_value(
        json_object_get(json_object_get(root, "runtimeSystem"), "name"));
    int status = version_check(r, root);
    size_t i;

    r->commands = system && !strcmp(system, "tern");
    if (!status && !json_is_array(tasks))
        status = FAIL(r, PROTOCOL, "there is no workflow.specification.tasks");
    if (status)
        return status;
    json_array_foreach(tasks, i, task) {
        status = make_node(r, root, task, i);
        if (status)
            return status;
    }
    json_array_foreach(tasks, i, task) {
        status = make_edges(r, task, "parents", true);
        if (!status)
            status = make_edges(r, task, "children", false);
        if (status)
            return status;
    }
    return 0;
}

int graph_read_json(struct tern_dag *dag, const char *text, size_t bytes, char *why, size_t room)
{
    struct reading r = {.dag = dag, .why = why, .room = room};
    json_error_t error;
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    int status;

    if (!root)
        return FAIL(&r, PROTOCOL, "line %d: %s", error.line, error.text);
    status = read_tasks(&r, root);
    json_decref(root);
    return status;
}
