/* SPDX-License-Identifier: Apache-2.0 */
/* The record of a node: all that a worker needs to run it. */
#ifndef TERN_DAG_RECORD_H
#define TERN_DAG_RECORD_H

#include "graph.h"

enum { RECORD_KEY = 64 };

struct dag_in {
    uint32_t from;
    enum tern_constraint kind;
    const char *what;
};

struct dag_need {
    uint32_t resource, units;
};

struct dag_task {
    bool command;
    const char *text; /* of the command, or the name of the function */
    uint32_t limit_ms, tries, arg_bytes;
    const void *arg;
};

/* A record as it is read; its pointers lead into `memory`. */
struct dag_record {
    uint8_t *memory;
    const char *name;
    uint32_t fan; /* number of its broadcast plus 1; 0: it has none */
    uint32_t not_before, need_count, task_count, in_count, out_count;
    struct dag_need *needs;
    struct dag_task *tasks;
    struct dag_in *ins;
    struct dag_out *outs;
};

/* Where the join words of a node are, at its home. */
struct dag_joins {
    uint32_t first, top; /* top: plus 1; 0: none */
};

/* Returns how many join words `ins` predecessors need. */
uint32_t record_join_words(uint32_t ins);
/* Finds the bits of predecessor `number` of `ins`, in words from `first` on; returns the levels. */
uint8_t record_path(uint32_t first, uint32_t ins, uint32_t number, struct dag_bit *path);

/*
 * Writes the record of a node; `outs` are its successors, `fan` as in a record. Returns the memory,
 * for the caller to free, and its length; NULL without memory.
 */
uint8_t *record_write(const struct tern_dag *dag, uint32_t node, uint32_t fan,
                      const struct dag_out *outs, uint32_t out_count, size_t *bytes);

/*
 * Reads a record of `bytes` at `memory`, which it takes over and frees on failure. PROTOCOL,
 * NO_MEMORY.
 */
int record_read(struct dag_record *record, uint8_t *memory, size_t bytes);
void record_free(struct dag_record *record);

#endif
