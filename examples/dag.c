/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a graph of four tasks: two nodes lay an egg each after the first, the last one counts them.
 * The graph is published at one NIC, and a worker at another one runs it.
 *
 *   ./dag sim:0 sim:1
 */
#include <stdio.h>
#include <string.h>

#include <tern/dag.h>

static int fail(const char *what, int status)
{
    fprintf(stderr, "dag: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* ---- the tasks */

static int lay(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    return tern_attempt_output(attempt, arg, bytes);
}

static int count_inputs(struct tern_attempt *attempt, const void *arg, uint32_t bytes)
{
    uint64_t length;
    char text[32];
    unsigned eggs = 0;

    (void)arg;
    (void)bytes;
    while (tern_attempt_input(attempt, eggs, NULL, &length))
        eggs++;
    snprintf(text, sizeof(text), "%u eggs", eggs);
    return tern_attempt_output(attempt, text, strlen(text));
}

static const struct tern_function functions[] = {{"lay", lay}, {"count", count_inputs}};

/* ---- the graph */

static int build(struct tern_dag *dag, uint32_t *last)
{
    const struct tern_dag_task egg = {.function = "lay", .arg = "egg", .arg_bytes = 3};
    const struct tern_dag_task sum = {.function = "count"};
    uint32_t nest, left = 0, right = 0;
    int status = tern_dag_node(dag, "nest", NULL, 0, &nest);

    if (!status)
        status = tern_dag_node(dag, "left", &egg, 1, &left);
    if (!status)
        status = tern_dag_node(dag, "right", &egg, 1, &right);
    if (!status)
        status = tern_dag_node(dag, "sum", &sum, 1, last);
    if (!status)
        status = tern_dag_edge(dag, nest, left, TERN_AFTER, NULL);
    if (!status)
        status = tern_dag_edge(dag, nest, right, TERN_AFTER, NULL);
    if (!status)
        status = tern_dag_edge(dag, left, *last, TERN_DATA, NULL);
    return status ? status : tern_dag_edge(dag, right, *last, TERN_DATA, NULL);
}

/* The side that has the memory; a thread of the library serves it. */
static int serve(struct tern_device *device, struct tern_pool **pool)
{
    const struct tern_pool_config ground = {.name = "example", .bytes = 1 << 20, .members = 4};
    const struct tern_cache_config shape = {.bytes = 1 << 19, .eviction = TERN_EVICT_NONE};
    const struct tern_dag_home home = {.nodes = 16};
    int status = tern_pool_create(device, &ground, pool);

    if (!status)
        status = tern_cache_make(*pool, "records", &shape);
    if (!status)
        status = tern_dag_make(*pool, "graph", &home);
    return status ? status : tern_pool_thread(*pool);
}

static int run(struct tern_member *member, struct tern_cache *cache)
{
    const struct tern_dag_worker worker = {.functions = functions, .count = 2, .timeout_ms = -1};
    struct tern_run *run = NULL;
    struct tern_dag *dag;
    char text[32];
    uint64_t bytes = 0;
    uint32_t last = 0;
    int status = tern_dag_new(&dag);

    if (status)
        return status;
    status = build(dag, &last);
    if (!status)
        status = tern_dag_publish(dag, &member, 1, cache, "graph", &run);
    if (!status)
        status = tern_dag_work(run, &worker);
    if (!status)
        status = tern_dag_result(run, last, text, sizeof(text), &bytes);
    if (!status)
        printf("%.*s\n", (int)bytes, text);
    tern_dag_leave(run);
    tern_dag_free(dag);
    return status;
}

int main(int argc, char **argv)
{
    struct tern_device *here, *there;
    struct tern_member *member = NULL;
    struct tern_cache *cache = NULL;
    struct tern_pool *pool = NULL;
    struct tern_info info = {0};
    int status;

    if (argc < 3) {
        fprintf(stderr, "usage: dag URI-OF-THE-HOME URI-OF-THE-WORKER\n");
        return 2;
    }
    if ((status = tern_open(argv[1], &here)))
        return fail(argv[1], status);
    if ((status = tern_open(argv[2], &there)))
        return fail(argv[2], status);
    status = tern_query(here, &info);
    if (!status)
        status = serve(here, &pool);
    if (!status)
        status = tern_member_join(there, info.node, "example", TERN_POOL_WRITE, &member);
    if (!status)
        status = tern_cache_open(&member, 1, "records", NULL, &cache);
    if (!status)
        status = run(member, cache);
    tern_cache_close(cache);
    if (member)
        tern_member_quit(member);
    tern_pool_close(pool);
    tern_close(there);
    tern_close(here);
    return status ? fail("the graph", status) : 0;
}
