/* SPDX-License-Identifier: Apache-2.0 */
/* Graphs as text for graphviz: each node, or above some thousand, sums of each level. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "graph.h"

enum { NODES_SHOWN = 2000 };

static void quote(FILE *file, const char *text)
{
    (void)fputc('"', file);
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            (void)fputc('\\', file);
        (void)fputc(*text, file);
    }
    (void)fputc('"', file);
}

static void draw_nodes(const struct tern_dag *dag, FILE *file)
{
    static const char *const style[] = {[TERN_AFTER] = " [style=dashed]", [TERN_DATA] = "",
                                        [TERN_IF] = " [style=dotted]"};

    for (uint32_t i = 0; i < dag->count; i++) {
        (void)fputs("  ", file);
        quote(file, dag->nodes[i].name);
        (void)fputs(";\n", file);
    }
    for (uint32_t i = 0; i < dag->edge_count; i++) {
        (void)fputs("  ", file);
        quote(file, dag->nodes[dag->edges[i].from].name);
        (void)fputs(" -> ", file);
        quote(file, dag->nodes[dag->edges[i].to].name);
        (void)fprintf(file, "%s;\n", style[dag->edges[i].kind]);
    }
}

/* A node's level is the longest way to it. */
static void find_levels(const struct tern_dag *dag, const uint32_t *order, uint32_t sorted,
                        uint32_t *level)
{
    for (uint32_t at = 0; at < sorted; at++)
        for (uint32_t e = dag->nodes[order[at]].first_out; e != GRAPH_NONE;
             e = dag->edges[e].next_out) {
            uint32_t to = dag->edges[e].to, below = level[order[at]] + 1;

            if (level[to] < below)
                level[to] = below;
        }
}

static void draw_sums(const struct tern_dag *dag, FILE *file, const uint32_t *level,
                      uint32_t *nodes, uint32_t *edges)
{
    uint32_t deepest = 0;

    for (uint32_t i = 0; i < dag->count; i++) {
        nodes[level[i]]++;
        edges[level[i]] += dag->nodes[i].outs;
        deepest = level[i] > deepest ? level[i] : deepest;
    }
    for (uint32_t i = 0; i <= deepest && dag->count; i++)
        (void)fprintf(file, "  level%u [label=\"level %u: %u nodes\"];\n", i, i, nodes[i]);
    for (uint32_t i = 0; i < deepest; i++)
        (void)fprintf(file, "  level%u -> level%u [label=\"%u edges\"];\n", i, i + 1, edges[i]);
}

static int draw_levels(const struct tern_dag *dag, FILE *file)
{
    size_t bytes = (size_t)dag->count * sizeof(uint32_t);
    uint32_t *order = malloc(bytes), *left = calloc(1, bytes), *level = calloc(1, bytes);
    uint32_t *nodes = calloc(1, bytes), *edges = calloc(1, bytes);
    bool good = order && left && level && nodes && edges;

    if (good) {
        find_levels(dag, order, graph_sort(dag, order, left), level);
        draw_sums(dag, file, level, nodes, edges);
    }
    free(order);
    free(left);
    free(level);
    free(nodes);
    free(edges);
    return good ? 0 : -TERN_ST_NO_MEMORY;
}

int tern_dag_draw(const struct tern_dag *dag, const char *path)
{
    FILE *file = fopen(path, "we");
    int status = 0;

    if (!file)
        return -TERN_ST_SYSTEM;
    (void)fputs("digraph dag {\n  node [shape=box];\n", file);
    if (dag->count > NODES_SHOWN)
        status = draw_levels(dag, file);
    else
        draw_nodes(dag, file);
    (void)fputs("}\n", file);
    if (ferror(file) && !status)
        status = -TERN_ST_SYSTEM;
    if (fclose(file) && !status)
        status = -TERN_ST_SYSTEM;
    return status;
}
