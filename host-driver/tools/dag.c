/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tern dag: graphs of tasks, from a file: checked, drawn, run by workers at many nodes, watched.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "dag.h"

enum { WORKERS_MAX = 256, LEASE_MAX = 600000 };

static const struct argp_option options[] = {
    {"library", 'L', "FILE", 0, "shared object with the functions of the tasks", 0},
    {"output", 'o', "FILE", 0, "show: write the drawing to FILE (standard output)", 0},
    {"workers", 'w', "NUMBER", 0, "run: worker processes at this NIC (1)", 0},
    {"join", 'j', "NODE", 0, "run: no file; work on the graph that is run at NODE", 0},
    {"at", 'a', "NODE", 0, "status: node where the graph is run (the NIC's own)", 0},
    {"trace", 't', "FILE", 0,
     "run: write when each node ran, as a picture if FILE ends with .svg, else for Chrome", 0},
    {"report", 'r', "FILE", 0, "run: write figures to FILE, key=value", 0},
    {"lease", 'l', "MS", 0, "run: a worker that is silent for so long is dead (2000)", 0},
    {"tick", 'k', "MS", 0, "run: time between two looks of an idle worker (5)", 0},
    {"limit", 'm', "MS", 0, "run: a command that takes longer is killed (never)", 0},
    {"tries", 'n', "NUMBER", 0, "run: how often a command is tried until it succeeds (1)", 0},
    {"timeout", 'T', "SECONDS", 0, "run: give up after so long (never)", 0},
    {0},
};

static void take_number(struct dag_options *to, int key, const char *arg, struct argp_state *state)
{
    switch (key) {
    case 'w':
        to->workers = (unsigned)tool_number(state, arg, WORKERS_MAX);
        break;
    case 'l':
        to->lease_ms = (uint32_t)tool_number(state, arg, LEASE_MAX);
        break;
    case 'm':
        to->limit_ms = (uint32_t)tool_number(state, arg, INT32_MAX);
        break;
    case 'n':
        to->tries = (uint32_t)tool_number(state, arg, INT32_MAX);
        break;
    default:
        to->tick_ms = (unsigned)tool_number(state, arg, LEASE_MAX);
        break;
    }
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct dag_options *to = state->input;
    const char **const texts[] = {['L'] = &to->library, ['o'] = &to->output, ['j'] = &to->join,
                                  ['a'] = &to->at,      ['t'] = &to->trace,  ['r'] = &to->report};

    switch (key) {
    case 'L':
    case 'o':
    case 'j':
    case 'a':
    case 't':
    case 'r':
        *texts[key] = arg;
        return 0;
    case 'w':
    case 'l':
    case 'k':
    case 'm':
    case 'n':
        take_number(to, key, arg, state);
        return 0;
    case 'T':
        to->timeout_ms = tool_timeout_ms(state, arg);
        return 0;
    case ARGP_KEY_ARG:
        if (to->count == sizeof(to->words) / sizeof(to->words[0]))
            return ARGP_ERR_UNKNOWN;
        to->words[to->count++] = arg;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* ---- functions */

enum { DIGITS = 17 };

/* The function that WfFormat's tasks have: the output is a digest of name and inputs. */
static int hash(struct tern_attempt *attempt, const void *arg, uint32_t arg_bytes)
{
    const char *name = tern_attempt_node(attempt), *from;
    uint64_t digest = UINT64_C(14695981039346656037), bytes;
    const uint8_t *at = (const uint8_t *)name;
    char text[DIGITS];

    (void)arg;
    (void)arg_bytes;
    bytes = strlen(name);
    for (unsigned input = 0; at; at = tern_attempt_input(attempt, input++, &from, &bytes))
        for (uint64_t i = 0; i < bytes; i++)
            digest = (digest ^ at[i]) * UINT64_C(1099511628211);
    (void)snprintf(text, sizeof(text), "%016" PRIx64, digest);
    return tern_attempt_output(attempt, text, sizeof(text) - 1);
}

int dag_functions(const struct dag_options *chosen, struct dag_functions *functions)
{
    const struct tern_function *list = NULL;
    char why[DAG_WHY] = "";
    int count = chosen->library ? tern_dag_library(chosen->library, &list, why, sizeof(why)) : 0;

    if (count < 0)
        return tool_fail(0, "cannot load %s: %s", chosen->library, why);
    functions->list = calloc((size_t)count + 1, sizeof(*functions->list));
    if (!functions->list)
        return tool_fail(-TERN_ST_NO_MEMORY, "cannot load functions");
    if (count)
        memcpy(functions->list, list, (size_t)count * sizeof(*list));
    functions->list[count] = (struct tern_function){"hash", hash};
    functions->count = (unsigned)count + 1;
    return EXIT_DONE;
}

int dag_load(const struct dag_options *chosen, const char *path,
             const struct dag_functions *functions, struct tern_dag **dag)
{
    char why[DAG_WHY] = "";
    int status = tern_dag_new(dag);

    if (!status)
        status = tern_dag_load(*dag, path, why, sizeof(why));
    if (!status)
        status = tern_dag_check(*dag, functions->list, functions->count, why, sizeof(why));
    if (!status)
        status = tern_dag_limit(*dag, chosen->limit_ms, chosen->tries);
    if (!status)
        return EXIT_DONE;
    tern_dag_free(*dag);
    *dag = NULL;
    return why[0] ? tool_fail(0, "%s: %s", path, why) : tool_fail(status, "cannot read %s", path);
}

/* ---- check, show */

static int check(const struct dag_options *chosen, const struct tern_dag *dag)
{
    printf("%s: %" PRIu32 " nodes, %" PRIu64 " edges\n", chosen->words[1], tern_dag_nodes(dag),
           tern_dag_edges(dag));
    return EXIT_DONE;
}

static int show(const struct dag_options *chosen, const struct tern_dag *dag)
{
    const char *path = chosen->output ? chosen->output : "/dev/stdout";
    int status = tern_dag_draw(dag, path);

    return status ? tool_fail(status, "cannot write %s", path) : EXIT_DONE;
}

static int with_file(const struct dag_options *chosen,
                     int (*run)(const struct dag_options *chosen, const struct tern_dag *dag))
{
    struct dag_functions functions = {.list = NULL};
    struct tern_dag *dag = NULL;
    int status = dag_functions(chosen, &functions);

    if (status)
        return status;
    status = dag_load(chosen, chosen->words[1], &functions, &dag);
    if (!status)
        status = run(chosen, dag);
    if (dag)
        tern_dag_free(dag);
    free(functions.list);
    return status;
}

int cmd_dag(int argc, char **argv)
{
    const struct argp argp = {
        options, parse, "run URI FILE\nrun URI --join NODE\ncheck FILE\nshow FILE\nstatus URI",
        "Graphs of tasks that workers at many nodes run together.\v"
        "FILE is WfFormat (JSON of WfCommons, 1.3 to 1.6) or a make-like file: lines `target: "
        "inputs`, each followed by commands. `run` serves the graph at its NIC and works on it "
        "until it has ended; `run --join` works on the graph of another process; `status` shows "
        "how far it is. `check` tells what is wrong with a file, `show` draws it for graphviz.",
        NULL, NULL, NULL};
    struct dag_options chosen = {.workers = 1, .lease_ms = DAG_LEASE_MS, .timeout_ms = -1};
    const char *verb;

    argp_parse(&argp, argc, argv, 0, NULL, &chosen);
    verb = chosen.count ? chosen.words[0] : "";
    if (!strcmp(verb, "check") && chosen.count == 2)
        return with_file(&chosen, check);
    if (!strcmp(verb, "show") && chosen.count == 2)
        return with_file(&chosen, show);
    if (!strcmp(verb, "status") && chosen.count == 2)
        return dag_status(&chosen);
    if (!strcmp(verb, "run") && chosen.count == (chosen.join ? 2u : 3u) && chosen.workers > 0)
        return dag_run(&chosen);
    argp_help(&argp, stderr, ARGP_HELP_STD_USAGE, argv[0]);
    return EXIT_USAGE;
}
