/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `tern collective bench`: times collective operations of all NICs of the running simulator, each
 * over the tree network, over the torus alone, and by a tree of puts. All results are checked.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/collective.h>

#include "tool.h"
#include "tree_of_puts.h"

enum {
    INDEX = 48, ENTRIES = 3, /* of the region table, for a team */
    CQ_LOG2_MIN = 6, LONG = 65536, TAGS = 0x7fff, FROM_END = 2
};

/* The ways to do an operation; the first two have a team each. */
enum form { TREE, TORUS, TEAMS, PUTS = TEAMS, FORMS };

static const char *const form_names[FORMS] = {"tree", "torus", "puts"};

/* Memory that the processes of all NICs share. */
struct board {
    struct tern_rptr *places; /* of the tree of puts */
    uint64_t *turns;          /* the barrier to which each rank has come */
    uint64_t *took;           /* cycles that each rank needed */
};

struct bench {
    unsigned rounds;
    bool modelled;
    const char *report;
    const char *verb;
    unsigned tag;
    char **uris;
    int count;
    uint16_t *nodes;
    struct board board;
};

struct member {
    const struct bench *bench;
    struct tern_device *device;
    struct tern_cq *cq;
    struct tern_team *teams[TEAMS];
    struct tree_of_puts *puts;
    unsigned rank, size;
    uint64_t turn;
    uint64_t *memory;
};

/* One operation of a member, `bytes` long. */
typedef int once_fn(struct member *me, enum form form, uint32_t bytes);

static int meet(struct member *me, enum form form)
{
    struct tern_collective op;

    if (form == PUTS)
        return tree_of_puts_barrier(me->puts);
    return tern_collective_wait(&op, tern_barrier(me->teams[form], &op, 0));
}

/* Checks that no member leaves before all have come. */
static int barrier(struct member *me, enum form form, uint32_t bytes)
{
    uint64_t *turns = me->bench->board.turns;
    int status;

    (void)bytes;
    __atomic_store_n(&turns[me->rank], ++me->turn, __ATOMIC_RELEASE);
    status = meet(me, form);
    for (unsigned rank = 0; rank < me->size && !status; rank++)
        if (__atomic_load_n(&turns[rank], __ATOMIC_ACQUIRE) < me->turn)
            status = -TERN_ST_INTERNAL;
    return status;
}

static uint64_t word_of(const struct member *me, unsigned rank, uint32_t i)
{
    return me->turn * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)rank * 0x10001 + i;
}

/* The sum of what word_of() gives for all ranks. */
static uint64_t sum_of(const struct member *me, uint32_t i)
{
    const uint64_t ranks = (uint64_t)me->size * (me->size - 1) / 2;

    return me->size * word_of(me, 0, i) + ranks * 0x10001;
}

static int allreduce(struct member *me, enum form form, uint32_t bytes)
{
    const struct tern_reduction sum = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    const uint32_t words = bytes / sizeof(*me->memory);
    struct tern_collective op;
    int status;

    me->turn++;
    for (uint32_t i = 0; i < words; i++)
        me->memory[i] = word_of(me, me->rank, i);
    status = form == PUTS
                 ? tree_of_puts_sum(me->puts, me->memory, bytes)
                 : tern_collective_wait(&op, tern_allreduce(me->teams[form], &op, &sum, me->memory,
                                                            me->memory, bytes, 0));
    for (uint32_t i = 0; i < words && !status; i++)
        if (me->memory[i] != sum_of(me, i))
            status = -TERN_ST_INTERNAL;
    return status;
}

static int broadcast(struct member *me, enum form form, uint32_t bytes)
{
    const uint32_t words = bytes / sizeof(*me->memory);
    struct tern_collective op;
    int status;

    me->turn++;
    for (uint32_t i = 0; i < words; i++)
        me->memory[i] = me->rank ? 0 : word_of(me, 0, i);
    status = form == PUTS ? tree_of_puts_broadcast(me->puts, me->memory, bytes)
                          : tern_collective_wait(&op, tern_broadcast(me->teams[form], &op, 0,
                                                                     me->memory, bytes, 0));
    for (uint32_t i = 0; i < words && !status; i++)
        if (me->memory[i] != word_of(me, 0, i))
            status = -TERN_ST_INTERNAL;
    return status;
}

static const struct row {
    const char *name;
    once_fn *once;
    uint32_t bytes;
} rows[] = {
    {"barrier", barrier, 0},
    {"broadcast", broadcast, 8},
    {"broadcast", broadcast, 4096},
    {"broadcast", broadcast, LONG},
    {"allreduce", allreduce, 8},
    {"allreduce", allreduce, 512},
    {"allreduce", allreduce, 4096},
    {"allreduce", allreduce, LONG},
};

static int append(const struct bench *bench, const struct row *row, enum form form,
                  uint64_t cycles)
{
    FILE *out = fopen(bench->report, "a");

    if (!out)
        return -TERN_ST_SYSTEM;
    fprintf(out, "{\"name\":\"collective\",\"operation\":\"%s\",\"bytes\":%u,\"members\":%d,"
                 "\"form\":\"%s\",\"cycles\":%" PRIu64 "}\n", row->name, row->bytes,
            bench->count, form_names[form], cycles);
    return fclose(out) ? -TERN_ST_SYSTEM : 0;
}

/* Prints a cell of the table: the mean cycles, which mean nothing where the chip is modelled. */
static int show(const struct member *me, const struct row *row, enum form form, uint64_t cycles)
{
    const struct bench *bench = me->bench;

    if (bench->modelled) {
        printf("  %9s", "done");
        return 0;
    }
    printf("  %9" PRIu64, cycles);
    return bench->report ? append(bench, row, form, cycles) : 0;
}

/* Returns the cycles of the slowest rank: a root may have ended long before. */
static uint64_t longest(const struct member *me)
{
    uint64_t most = 0;

    for (unsigned rank = 0; rank < me->size; rank++)
        if (me->bench->board.took[rank] > most)
            most = me->bench->board.took[rank];
    return most;
}

/* Times a form of an operation; rank 0 prints the mean. */
static int time_cell(struct member *me, const struct row *row, enum form form)
{
    uint64_t since = 0, until = 0;
    int status = meet(me, TORUS);

    if (!status)
        status = tern_cycles(me->device, &since);
    for (unsigned i = 0; i < me->bench->rounds && !status; i++)
        status = row->once(me, form, row->bytes);
    if (!status)
        status = tern_cycles(me->device, &until);
    me->bench->board.took[me->rank] = until - since;
    if (!status)
        status = meet(me, TORUS);
    if (status || me->rank)
        return status;
    return show(me, row, form, longest(me) / me->bench->rounds);
}

static int time_row(struct member *me, const struct row *row)
{
    int status = 0;

    if (!me->rank)
        printf("%-9s  %6u", row->name, row->bytes);
    for (enum form form = TREE; form < FORMS && !status; form++)
        if (form != TREE || tern_team_has_tree(me->teams[TREE]))
            status = time_cell(me, row, form);
        else if (!me->rank)
            printf("  %9s", "-");
    if (!me->rank)
        printf("\n");
    fflush(stdout);
    return status;
}

static int make_team(struct member *me, enum form form, unsigned queue)
{
    const struct bench *bench = me->bench;
    const struct tern_team_config config = {
        .nodes = bench->nodes, .count = me->size, .index = (uint16_t)(INDEX + form * ENTRIES),
        .tag = (uint16_t)(bench->tag + form), .queue = (uint16_t)(queue - form),
        .torus_alone = form == TORUS};
    unsigned failed;

    return tern_team_create(me->cq, &config, &me->teams[form], &failed);
}

static int set_up(struct member *me, const struct tern_info *info)
{
    unsigned log2 = CQ_LOG2_MIN;
    int status;

    while (1u << log2 < 4 * me->size)
        log2++;
    me->memory = calloc(1, LONG);
    status = me->memory ? tern_cq_create(me->device, log2, 0, &me->cq) : -TERN_ST_NO_MEMORY;
    for (enum form form = TREE; form < TEAMS && !status; form++)
        status = make_team(me, form, info->queues - FROM_END);
    if (!status)
        status = tree_of_puts_create(me->cq, me->rank, me->size, LONG, me->bench->board.places,
                                     &me->puts);
    return status;
}

/* The last members may still put when the first ones have ended: all meet before they free. */
static int clean_up(struct member *me)
{
    int status = meet(me, TORUS);

    if (!status)
        status = tree_of_puts_destroy(me->puts);
    for (enum form form = TREE; form < TEAMS && !status; form++)
        status = tern_team_destroy(me->teams[form]);
    free(me->memory);
    return status;
}

static int run_member(struct bench *bench, unsigned rank, struct tern_device *device)
{
    struct member me = {.bench = bench, .device = device, .rank = rank,
                        .size = (unsigned)bench->count};
    struct tern_info info = {.modelled = false};
    int status = tern_query(device, &info);

    bench->modelled = info.modelled;
    if (!status)
        status = set_up(&me, &info);
    if (!status && !rank)
        printf("%d members, mean of %u operations%s\n%-9s  %6s  %9s  %9s  %9s\n", bench->count,
               bench->rounds, info.modelled ? "" : ", in cycles", "operation", "bytes",
               form_names[TREE], form_names[TORUS], form_names[PUTS]);
    for (size_t row = 0; row < sizeof(rows) / sizeof(rows[0]) && !status; row++)
        status = time_row(&me, &rows[row]);
    return status ? status : clean_up(&me);
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
    status = run_member(bench, (unsigned)rank, device);
    tern_close(device);
    return status ? tool_fail(status, "the member at %s", bench->uris[rank]) : EXIT_DONE;
}

static int run(struct bench *bench)
{
    int failed = EXIT_DONE, status;

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

/* Makes the memory that all processes share; false if there is none. */
static bool make_board(struct bench *bench)
{
    const size_t count = (size_t)bench->count;
    const size_t bytes = count * (sizeof(*bench->board.places) + 2 * sizeof(*bench->board.turns));
    void *shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    if (shared == MAP_FAILED)
        return false;
    bench->board.turns = shared;
    bench->board.took = bench->board.turns + count;
    bench->board.places = (struct tern_rptr *)(void *)(bench->board.took + count);
    return true;
}

int cmd_collective(int argc, char **argv)
{
    const struct argp argp = {options, parse, "bench",
                              "Times collective operations of all NICs of the running simulator, "
                              "with a process for each NIC: over the tree network (-: not "
                              "there), over the torus alone, and by a binary tree of puts in "
                              "which the hosts combine. Checks all results.", NULL, NULL, NULL};
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
    if (!status && !make_board(&bench))
        status = tool_fail(-TERN_ST_NO_MEMORY, "memory of all processes");
    if (!status)
        status = run(&bench);
    free(bench.nodes);
    tool_nics_free(bench.uris, bench.count);
    return status;
}
