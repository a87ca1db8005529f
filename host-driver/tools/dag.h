/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the files of `tern dag`. */
#ifndef TERN_TOOL_DAG_H
#define TERN_TOOL_DAG_H

#include <tern/dag.h>

#include "tool.h"

enum { DAG_LEASE_MS = 2000, DAG_WHY = 1024, DAG_LINE = 384 };

#define DAG_TOOL_POOL "dag"
#define DAG_TOOL_CACHE "records"
#define DAG_TOOL_SPACE "dag"

struct dag_options {
    const char *words[3]; /* the verb, then the URI, or the file, or both */
    unsigned count;
    const char *library, *output, *trace, *report, *join, *at;
    unsigned workers, tick_ms;
    uint32_t lease_ms, limit_ms, tries;
    int timeout_ms;
};

/* Functions of the library, and those that are built in. */
struct dag_functions {
    struct tern_function *list;
    unsigned count;
};

/* Both print the reason of a failure, and return EXIT_BAD. */
int dag_functions(const struct dag_options *chosen, struct dag_functions *functions);
int dag_load(const struct dag_options *chosen, const char *path,
             const struct dag_functions *functions, struct tern_dag **dag);

int dag_run(const struct dag_options *chosen);
int dag_status(const struct dag_options *chosen);
/* Writes a line about the graph whose home is at node `at`, or why there is none. */
void dag_glance(struct tern_device *device, const char *at, char *text, size_t bytes);

#endif
