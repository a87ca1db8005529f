/* SPDX-License-Identifier: Apache-2.0 */
/* Finds faults of a graph: a cycle, functions that are not there. */
#include <stdlib.h>
#include <string.h>

#include "graph.h"

/* Kahn's algorithm; `left` gets the predecessors that were not sorted. */
uint32_t graph_sort(const struct tern_dag *dag, uint32_t *order, uint32_t *left)
{
    uint32_t sorted = 0;

    for (uint32_t i = 0; i < dag->count; i++) {
        left[i] = dag->nodes[i].ins;
        if (left[i] == 0)
            order[sorted++] = i;
    }
    for (uint32_t at = 0; at < sorted; at++) {
        uint32_t edge = dag->nodes[order[at]].first_out;

        for (; edge != GRAPH_NONE; edge = dag->edges[edge].next_out)
            if (--left[dag->edges[edge].to] == 0)
                order[sorted++] = dag->edges[edge].to;
    }
    return sorted;
}

/* Returns a predecessor that was not sorted. Each unsorted node has one. */
static uint32_t unsorted_before(const struct tern_dag *dag, const uint32_t *left, uint32_t node)
{
    uint32_t edge = dag->nodes[node].first_in;

    while (left[dag->edges[edge].from] == 0)
        edge = dag->edges[edge].next_in;
    return dag->edges[edge].from;
}

static void append(char *why, size_t bytes, const char *text)
{
    size_t used = strlen(why);

    if (used + strlen(text) + 1 < bytes)
        strcat(why, text);
    else if (used + 4 < bytes && strcmp(why + used - 3, "...") != 0)
        strcat(why, "...");
}

/*
 * Names a cycle, in the direction of its edges. The walk goes backwards, so it first collects the
 * nodes, in `path`.
 */
static void name_cycle(const struct tern_dag *dag, const uint32_t *left, uint32_t *path, char *why,
                       size_t bytes)
{
    uint32_t node = 0, length = 0;

    while (left[node] == 0)
        node++;
    for (uint32_t i = 0; i < dag->count; i++)
        node = unsorted_before(dag, left, node);
    for (uint32_t first = node; length == 0 || node != first; length++) {
        path[length] = node;
        node = unsorted_before(dag, left, node);
    }
    (void)graph_why(0, why, bytes, "cycle: %s", dag->nodes[path[length - 1]].name);
    for (uint32_t i = length; i-- > 0;) {
        append(why, bytes, " -> ");
        append(why, bytes, dag->nodes[i ? path[i - 1] : path[length - 1]].name);
    }
}

static int check_cycle(const struct tern_dag *dag, char *why, size_t bytes)
{
    uint32_t *order = malloc((dag->count + 1) * sizeof(*order));
    uint32_t *left = calloc(dag->count + 1, sizeof(*left));
    int status = order && left ? 0 : -TERN_ST_NO_MEMORY;

    if (!status && graph_sort(dag, order, left) < dag->count) {
        status = -TERN_ST_TOO_FAR;
        if (why && bytes > 0)
            name_cycle(dag, left, order, why, bytes);
    }
    free(order);
    free(left);
    return status;
}

static bool has_function(const struct tern_function *functions, unsigned count, const char *name)
{
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(functions[i].name, name))
            return true;
    return false;
}

static int check_functions(const struct tern_dag *dag, const struct tern_function *functions,
                           unsigned count, char *why, size_t bytes)
{
    for (uint32_t i = 0; i < dag->count; i++)
        for (unsigned k = 0; k < dag->nodes[i].count; k++) {
            const char *name = dag->nodes[i].tasks[k].function;

            if (name && !has_function(functions, count, name))
                return graph_why(-TERN_ST_NOT_FOUND, why, bytes,
                                 "node %s: there is no function %s", dag->nodes[i].name, name);
        }
    return 0;
}

int tern_dag_check(const struct tern_dag *dag, const struct tern_function *functions,
                   unsigned count, char *why, size_t bytes)
{
    int status = check_cycle(dag, why, bytes);

    if (!status && functions)
        status = check_functions(dag, functions, count, why, bytes);
    return status;
}
