/* SPDX-License-Identifier: Apache-2.0 */
/* `tern collective bench`: times collective operations of all NICs of the running simulator. */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/collective.h>

#include "tool.h"

enum { INDEX = 48, CQ_LOG2_MIN = 6, SHORT = 8, LONG = 65536, TAGS = 0x7fff };

struct bench {
    unsigned rounds;
    bool modelled;
    const char *report;
    const char *verb;
    unsigned tag;
    char **uris;
    int count;
    uint16_t *nodes;
};

/* One operation of a member, `bytes` long. */
typedef int once_fn(struct tern_team *team, uint32_t bytes, uint64_t *memory);

static int barrier(struct tern_team *team, uint32_t bytes, uint64_t *memory)
{
    struct tern_collective op;

    (void)bytes;
    (void)memory;
    return tern_collective_wait(&op, tern_barrier(team, &op, 0));
}

/* Adds up words that are 1, and checks the first sum. */
static int allreduce(struct tern_team *team, uint32_t bytes, uint64_t *memory)
{
    const struct tern_reduction sum = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    struct tern_collective op;
    int status;

    for (uint32_t i = 0; i < bytes / sizeof(*memory); i++)
        memory[i] = 1;
    status = tern_collective_wait(&op, tern_allreduce(team, &op, &sum, memory, memory, bytes, 0));
    for (uint32_t i = 0; i < bytes / sizeof(*memory) && !status; i++)
        if (memory[i] != tern_team_size(team))
            status = -TERN_ST_INTERNAL;
    return status;
}

static int broadcast(struct tern_team *team, uint32_t bytes, uint64_t *memory)
{
    struct tern_collective op;

    return tern_collective_wait(&op, tern_broadcast(team, &op, 0, memory, bytes, 0));
}

static const struct {
    const char *name;
    once_fn *once;
    uint32_t bytes;
} rows[] = {
    {"barrier", barrier, 0},
    {"allreduce", allreduce, SHORT},
    {"allreduce", allreduce, LONG},
    {"broadcast", broadcast, LONG},
};

/* Times a row; rank 0 prints the mean. */
static int time_row(const struct bench *bench, struct tern_team *team, struct tern_device *device,
                    size_t row, uint64_t *memory)
{
    uint64_t since = 0, until = 0;
    int status = barrier(team, 0, NULL);

    if (!status)
        status = tern_cycles(device, &since);
    for (unsigned i = 0; i < bench->rounds && !status; i++)
        status = rows[row].once(team, rows[row].bytes, memory);
    if (!status)
        status = tern_cycles(device, &until);
    if (status || tern_team_rank(team) != 0)
        return status;
    until = bench->rounds ? (until - since) / bench->rounds : 0;
    printf("%-10s %6u bytes", rows[row].name, rows[row].bytes);
    if (bench->modelled) { /* its cycles mean nothing */
        printf("  done\n");
        return 0;
    }
    printf("  %8" PRIu64 " cycles\n", until);
    return tool_report(bench->report, "{\"name\":\"collective\",\"operation\":\"%s\",\"bytes\":%u,"
                       "\"members\":%d,\"cycles\":%" PRIu64 "}\n", rows[row].name,
                       rows[row].bytes, bench->count, until) ? -TERN_ST_SYSTEM : 0;
}

static int run_member(struct bench *bench, struct tern_device *device)
{
    struct tern_team_config config = {.nodes = bench->nodes, .count = (unsigned)bench->count,
                                      .index = INDEX, .tag = (uint16_t)bench->tag};
    uint64_t *memory = calloc(1, LONG);
    unsigned log2 = CQ_LOG2_MIN, failed;
    struct tern_team *team;
    struct tern_info info = {.modelled = false};
    struct tern_cq *cq;
    int status = memory ? tern_query(device, &info) : -TERN_ST_NO_MEMORY;

    while (1u << log2 < 4 * config.count)
        log2++;
    if (!status)
        status = tern_cq_create(device, log2, 0, &cq);
    bench->modelled = info.modelled;
    config.queue = (uint16_t)(info.queues - 2);
    if (!status)
        status = tern_team_create(cq, &config, &team, &failed);
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]) && !status; row++)
        status = time_row(bench, team, device, row, memory);
    if (!status)
        status = tern_team_destroy(team);
    free(memory);
    return status;
}

/* The process of one NIC. */
static int member(struct bench *bench, int rank)
{
    struct tern_device *device;
    int status;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    device = tool_open(bench->uris[rank]);
    if (!device)
        return EXIT_BAD;
    status = run_member(bench, device);
    tern_close(device);
    return status ? tool_fail(status, "the member at %s", bench->uris[rank]) : EXIT_DONE;
}

static int run(struct bench *bench)
{
    int failed = EXIT_DONE, status;

    printf("%d members, mean of %u operations\n", bench->count, bench->rounds);
    fflush(stdout);
    for (int rank = 0; rank < bench->count; rank++)
        if (fork() == 0) {
            status = member(bench, rank);
            fflush(stdout);
            _exit(status);
        }
    for (int rank = 0; rank < bench->count; rank++)
        if (wait(&status) < 0 || status)
            failed = EXIT_BAD;
    return failed;
}

static const struct argp_option options[] = {
    {"rounds", 'n', "N", 0, "operations of each kind (20)", 0},
    {"report", 'r', "FILE", 0, "append the figures to FILE, as JSON", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct bench *bench = state->input;

    switch (key) {
    case 'n':
        bench->rounds = (unsigned)tool_number(state, arg, 1000000);
        if (!bench->rounds)
            argp_error(state, "no rounds");
        return 0;
    case 'r':
        bench->report = arg;
        return 0;
    case ARGP_KEY_ARG:
        if (bench->verb || strcmp(arg, "bench"))
            argp_usage(state);
        bench->verb = arg;
        return 0;
    case ARGP_KEY_END:
        if (!bench->verb)
            argp_usage(state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int cmd_collective(int argc, char **argv)
{
    const struct argp argp = {options, parse, "bench",
                              "Times collective operations of all NICs of the running simulator, "
                              "with a process for each NIC.", NULL, NULL, NULL};
    struct bench bench = {.rounds = 20, .tag = (unsigned)getpid() & TAGS};
    int status = EXIT_DONE;

    argp_parse(&argp, argc, argv, 0, NULL, &bench);
    bench.count = tool_nics(&bench.uris);
    if (bench.count < 0)
        return EXIT_BAD;
    bench.nodes = calloc((size_t)bench.count + 1, sizeof(*bench.nodes));
    for (int i = 0; i < bench.count && !status; i++)
        if (!bench.nodes || tern_node_parse(bench.uris[i] + strlen("sim:"), &bench.nodes[i], NULL))
            status = tool_fail(-TERN_ST_BAD_ARGUMENT, "%s", bench.uris[i]);
    if (!status)
        status = run(&bench);
    free(bench.nodes);
    tool_nics_free(bench.uris, bench.count);
    return status;
}
