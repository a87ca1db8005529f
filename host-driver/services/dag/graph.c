/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs: nodes, tasks and constraints, and their names. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "graph.h"

enum { ROOM = 64, LOAD = 2 /* buckets for each node */, COMMAND_MAX = 1 << 16 };

int graph_why(int status, char *why, size_t bytes, const char *format, ...)
{
    va_list args;

    if (!why || bytes == 0)
        return status;
    va_start(args, format);
    (void)vsnprintf(why, bytes, format, args);
    va_end(args);
    return status;
}

bool graph_room(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
    void **at = array;
    uint32_t more = *room ? *room * 2 : ROOM;
    void *grown;

    if (count < *room)
        return true;
    grown = realloc(*at, more * bytes);
    if (!grown)
        return false;
    *at = grown;
    *room = more;
    return true;
}

int tern_dag_new(struct tern_dag **dag)
{
    *dag = calloc(1, sizeof(**dag));
    return *dag ? 0 : -TERN_ST_NO_MEMORY;
}

static void free_node(struct graph_node *node)
{
    while (node->needs) {
        struct graph_need *need = node->needs;

        node->needs = need->next;
        free(need);
    }
    for (unsigned i = 0; i < node->count; i++) {
        free(node->tasks[i].function);
        free(node->tasks[i].command);
        free(node->tasks[i].arg);
    }
    free(node->tasks);
    free(node->name);
}

void tern_dag_free(struct tern_dag *dag)
{
    if (!dag)
        return;
    for (uint32_t i = 0; i < dag->count; i++)
        free_node(&dag->nodes[i]);
    for (uint32_t i = 0; i < dag->edge_count; i++)
        free(dag->edges[i].what);
    for (unsigned i = 0; i < dag->resource_count; i++)
        free(dag->resources[i].name);
    free(dag->nodes);
    free(dag->edges);
    free(dag->buckets);
    free(dag);
}

/* ---- names */

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 2166136261u; /* FNV-1a */

    for (; *name; name++)
        hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

static void file_under(struct tern_dag *dag, uint32_t node)
{
    uint32_t *bucket = &dag->buckets[hash_of(dag->nodes[node].name) & (dag->bucket_count - 1)];

    dag->nodes[node].next = *bucket;
    *bucket = node;
}

static bool buckets_grow(struct tern_dag *dag)
{
    uint32_t count = dag->bucket_count ? dag->bucket_count * LOAD : ROOM * LOAD;
    uint32_t *buckets;

    if (dag->count < dag->bucket_count / LOAD)
        return true;
    buckets = malloc(count * sizeof(*buckets));
    if (!buckets)
        return false;
    memset(buckets, 0xff, count * sizeof(*buckets));
    free(dag->buckets);
    dag->buckets = buckets;
    dag->bucket_count = count;
    for (uint32_t i = 0; i < dag->count; i++)
        file_under(dag, i);
    return true;
}

uint32_t tern_dag_find(const struct tern_dag *dag, const char *name)
{
    uint32_t node = GRAPH_NONE;

    if (dag->bucket_count)
        node = dag->buckets[hash_of(name) & (dag->bucket_count - 1)];
    while (node != GRAPH_NONE && strcmp(dag->nodes[node].name, name) != 0)
        node = dag->nodes[node].next;
    return node;
}

/* ---- nodes */

static bool text_fits(const char *text, size_t most)
{
    return text[0] && strlen(text) < most;
}

static int task_check(const struct tern_dag_task *task)
{
    if (!task->function == !task->command)
        return -TERN_ST_BAD_ARGUMENT;
    if (task->function ? !text_fits(task->function, TERN_DAG_NAME)
                       : !text_fits(task->command, COMMAND_MAX))
        return -TERN_ST_BAD_LENGTH;
    return task->arg_bytes > COMMAND_MAX ? -TERN_ST_BAD_LENGTH : 0;
}

static bool task_copy(struct graph_task *to, const struct tern_dag_task *task)
{
    to->limit_ms = task->limit_ms;
    to->tries = task->tries;
    to->function = task->function ? strdup(task->function) : NULL;
    to->command = task->command ? strdup(task->command) : NULL;
    if (task->arg_bytes) {
        to->arg = malloc(task->arg_bytes);
        if (to->arg)
            memcpy(to->arg, task->arg, task->arg_bytes);
        to->arg_bytes = task->arg_bytes;
    }
    return (to->function || to->command) && (to->arg || !to->arg_bytes);
}

static int node_check(const struct tern_dag *dag, const char *name,
                      const struct tern_dag_task *tasks, unsigned count)
{
    if (!name || (count && !tasks))
        return -TERN_ST_BAD_ARGUMENT;
    if (!text_fits(name, TERN_DAG_NAME))
        return -TERN_ST_BAD_LENGTH;
    if (count > TERN_DAG_TASKS_MAX)
        return -TERN_ST_BAD_SIZE;
    for (unsigned i = 0; i < count; i++) {
        int status = task_check(&tasks[i]);

        if (status)
            return status;
    }
    return tern_dag_find(dag, name) != GRAPH_NONE ? -TERN_ST_DUP_MEMBER : 0;
}

int tern_dag_node(struct tern_dag *dag, const char *name, const struct tern_dag_task *tasks,
                  unsigned count, uint32_t *node)
{
    struct graph_node made = {.first_in = GRAPH_NONE, .last_in = GRAPH_NONE,
                              .first_out = GRAPH_NONE, .last_out = GRAPH_NONE};
    int status = node_check(dag, name, tasks, count);
    bool good;

    if (status)
        return status;
    if (!graph_room(&dag->nodes, dag->count, &dag->room, sizeof(*dag->nodes)) ||
        !buckets_grow(dag))
        return -TERN_ST_NO_MEMORY;
    made.name = strdup(name);
    made.tasks = calloc(count ? count : 1, sizeof(*made.tasks));
    good = made.name && made.tasks;
    for (unsigned i = 0; good && i < count; i++) {
        made.count++;
        good = task_copy(&made.tasks[i], &tasks[i]);
    }
    if (!good) {
        free_node(&made);
        return -TERN_ST_NO_MEMORY;
    }
    dag->nodes[dag->count] = made;
    file_under(dag, dag->count);
    if (node)
        *node = dag->count;
    dag->count++;
    return 0;
}

uint32_t tern_dag_nodes(const struct tern_dag *dag)
{
    return dag->count;
}

uint64_t tern_dag_edges(const struct tern_dag *dag)
{
    return dag->edge_count;
}

const char *tern_dag_name(const struct tern_dag *dag, uint32_t node)
{
    return node < dag->count ? dag->nodes[node].name : NULL;
}

/* ---- constraints */

static void link_edge(struct tern_dag *dag, uint32_t edge)
{
    struct graph_edge *e = &dag->edges[edge];
    struct graph_node *from = &dag->nodes[e->from], *to = &dag->nodes[e->to];

    *(from->outs++ ? &dag->edges[from->last_out].next_out : &from->first_out) = edge;
    *(to->ins++ ? &dag->edges[to->last_in].next_in : &to->first_in) = edge;
    from->last_out = to->last_in = edge;
}

int tern_dag_edge(struct tern_dag *dag, uint32_t from, uint32_t to, enum tern_constraint kind,
                  const char *what)
{
    struct graph_edge made = {from, to, kind, NULL, GRAPH_NONE, GRAPH_NONE};

    if (from >= dag->count || to >= dag->count)
        return -TERN_ST_BAD_RANGE;
    if (kind > TERN_IF || (kind == TERN_IF && !what))
        return -TERN_ST_BAD_ARGUMENT;
    if (what && strlen(what) >= TERN_DAG_NAME)
        return -TERN_ST_BAD_LENGTH;
    if (!graph_room(&dag->edges, dag->edge_count, &dag->edge_room, sizeof(*dag->edges)))
        return -TERN_ST_NO_MEMORY;
    made.what = strdup(what ? what : kind == TERN_DATA ? dag->nodes[from].name : "");
    if (!made.what)
        return -TERN_ST_NO_MEMORY;
    dag->edges[dag->edge_count] = made;
    link_edge(dag, dag->edge_count++);
    return 0;
}

static int find_resource(const struct tern_dag *dag, const char *name)
{
    for (unsigned i = 0; i < dag->resource_count; i++)
        if (!strcmp(dag->resources[i].name, name))
            return (int)i;
    return -TERN_ST_NOT_FOUND;
}

int tern_dag_resource(struct tern_dag *dag, const char *name, unsigned units)
{
    char *copy;

    if (find_resource(dag, name) >= 0)
        return -TERN_ST_DUP_MEMBER;
    if (units == 0 || units > TERN_DAG_UNITS_MAX)
        return -TERN_ST_BAD_RANGE;
    if (dag->resource_count == DAG_RESOURCES)
        return -TERN_ST_NO_RESOURCE;
    copy = strdup(name);
    if (!copy)
        return -TERN_ST_NO_MEMORY;
    dag->resources[dag->resource_count].name = copy;
    dag->resources[dag->resource_count++].units = units;
    return 0;
}

/* Keeps the needs in the order of their resources, so that workers take them in one order. */
int tern_dag_needs(struct tern_dag *dag, uint32_t node, const char *resource, unsigned units)
{
    int number = find_resource(dag, resource);
    struct graph_need **at, *need;

    if (number < 0)
        return number;
    if (node >= dag->count || units == 0 || units > dag->resources[number].units)
        return -TERN_ST_BAD_RANGE;
    at = &dag->nodes[node].needs;
    while (*at && (*at)->resource < (uint32_t)number)
        at = &(*at)->next;
    if (*at && (*at)->resource == (uint32_t)number)
        return -TERN_ST_DUP_MEMBER;
    need = malloc(sizeof(*need));
    if (!need)
        return -TERN_ST_NO_MEMORY;
    *need = (struct graph_need){(uint32_t)number, units, *at};
    *at = need;
    return 0;
}

int tern_dag_not_before(struct tern_dag *dag, uint32_t node, uint32_t ms)
{
    if (node >= dag->count)
        return -TERN_ST_BAD_RANGE;
    dag->nodes[node].not_before = ms;
    return 0;
}

int tern_dag_limit(struct tern_dag *dag, uint32_t limit_ms, uint32_t tries)
{
    for (uint32_t i = 0; i < dag->count; i++)
        for (unsigned k = 0; k < dag->nodes[i].count; k++) {
            struct graph_task *task = &dag->nodes[i].tasks[k];

            task->limit_ms = task->limit_ms ? task->limit_ms : limit_ms;
            task->tries = task->tries ? task->tries : tries;
        }
    return 0;
}
