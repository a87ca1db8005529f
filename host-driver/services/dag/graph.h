/* SPDX-License-Identifier: Apache-2.0 */
/* A graph in the memory of the program that builds it. */
#ifndef TERN_DAG_GRAPH_H
#define TERN_DAG_GRAPH_H

#include "layout.h"

#define GRAPH_NONE UINT32_MAX

struct graph_task {
    char *function, *command;
    uint8_t *arg;
    uint32_t arg_bytes, limit_ms, tries;
};

struct graph_edge {
    uint32_t from, to;
    enum tern_constraint kind;
    char *what;
    uint32_t next_in, next_out; /* of the same node, in the order in which they were added */
};

struct graph_need {
    uint32_t resource, units;
    struct graph_need *next;
};

struct graph_node {
    char *name;
    struct graph_task *tasks;
    unsigned count;
    uint32_t first_in, last_in, ins, first_out, last_out, outs;
    struct graph_need *needs;
    uint32_t not_before;
    uint32_t next; /* in its hash bucket */
};

struct tern_dag {
    struct graph_node *nodes;
    uint32_t count, room;
    struct graph_edge *edges;
    uint32_t edge_count, edge_room;
    uint32_t *buckets;
    uint32_t bucket_count; /* a power of 2 */
    struct {
        char *name;
        unsigned units;
    } resources[DAG_RESOURCES];
    unsigned resource_count;
};

/* Makes room for one more object of an array that doubles. Returns false without memory. */
bool graph_room(void *array, uint32_t count, uint32_t *room, size_t bytes);

/* Writes a sentence to `why`, unless that is NULL, and returns the negated status. */
int graph_why(int status, char *why, size_t bytes, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Sorts the nodes so that each follows its predecessors. Returns how many could be sorted. */
uint32_t graph_sort(const struct tern_dag *dag, uint32_t *order, uint32_t *left);

/* ---- files: readers of a text of `bytes`, which a NUL follows */
int graph_read_json(struct tern_dag *dag, const char *text, size_t bytes, char *why, size_t room);
int graph_read_make(struct tern_dag *dag, const char *text, char *why, size_t room);

#endif
