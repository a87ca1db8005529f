/* SPDX-License-Identifier: Apache-2.0 */
/* Posts operations: checks arguments, and hands the operation to its team. */
#include <string.h>

#include "team.h"

static struct tern_collective *op_of(struct tern_steps *steps)
{
    return (struct tern_collective *)(void *)steps;
}

/* Begins the operation; the team brings its only completion when it has ended. */
static int op_next(struct tern_steps *steps)
{
    struct tern_collective *op = op_of(steps);

    if (op->begun)
        return op->status;
    op->begun = true;
    team_enqueue(op->team, op);
    return 1;
}

static bool op_heard(struct tern_steps *steps, const struct tern_completion *completion)
{
    (void)steps;
    (void)completion;
    return true;
}

static int start(struct tern_team *team, struct tern_collective *op,
                 const struct tern_collective *want, uint64_t context)
{
    if (!team || !op)
        return -TERN_ST_BAD_ARGUMENT;
    *op = *want;
    op->team = team;
    op->failed = TERN_RANK_NONE;
    if (want->root >= team->size)
        return -TERN_ST_BAD_RANK;
    if (want->kind != TEAM_BARRIER && !want->bytes)
        return -TERN_ST_BAD_LENGTH;
    if (team->failed) {
        op->failed = team->failed_rank;
        return team->failed;
    }
    return tern_steps_start(&op->steps, team->sq, op_next, op_heard, TERN_OP_BCAST, context);
}

/* A rank that does not fit the field is one that no member has. */
static uint16_t rank_of(unsigned rank)
{
    return (uint16_t)(rank < TERN_RANK_NONE ? rank : TERN_RANK_NONE);
}

int tern_barrier(struct tern_team *team, struct tern_collective *op, uint64_t context)
{
    return start(team, op, &(struct tern_collective){.kind = TEAM_BARRIER}, context);
}

int tern_broadcast(struct tern_team *team, struct tern_collective *op, unsigned root, void *data,
                   uint64_t bytes, uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_BROADCAST, .root = rank_of(root),
                                         .from = data, .to = data, .bytes = bytes};

    return data ? start(team, op, &want, context) : -TERN_ST_BAD_ARGUMENT;
}

int tern_scatter(struct tern_team *team, struct tern_collective *op, unsigned root,
                 const void *from, void *to, uint64_t bytes, uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_SCATTER, .root = rank_of(root),
                                         .from = from, .to = to, .bytes = bytes};

    if (!team || !to || (root == team->rank && !from))
        return -TERN_ST_BAD_ARGUMENT;
    return start(team, op, &want, context);
}

int tern_gather(struct tern_team *team, struct tern_collective *op, unsigned root,
                const void *from, void *to, uint64_t bytes, uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_GATHER, .root = rank_of(root),
                                         .from = from, .to = to, .bytes = bytes};

    if (!team || !from || (root == team->rank && !to))
        return -TERN_ST_BAD_ARGUMENT;
    return start(team, op, &want, context);
}

int tern_allgather(struct tern_team *team, struct tern_collective *op, const void *from, void *to,
                   uint64_t bytes, uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_ALLGATHER, .from = from, .to = to,
                                         .bytes = bytes};

    return from && to ? start(team, op, &want, context) : -TERN_ST_BAD_ARGUMENT;
}

static int start_reduction(struct tern_team *team, struct tern_collective *op,
                           struct tern_collective want, const struct tern_reduction *how,
                           uint64_t context)
{
    int why;

    if (!team || !how || !want.from || (!want.to && (want.kind == TEAM_ALLREDUCE ||
                                                     want.root == team->rank)))
        return -TERN_ST_BAD_ARGUMENT;
    want.how = *how;
    want.how.element = team_element(how, &why);
    if (!want.how.element)
        return why;
    if (want.how.element > team->chunk)
        return -TERN_ST_BAD_SIZE;
    if (want.bytes % want.how.element)
        return -TERN_ST_BAD_LENGTH;
    return start(team, op, &want, context);
}

int tern_reduce(struct tern_team *team, struct tern_collective *op, unsigned root,
                const struct tern_reduction *how, const void *from, void *to, uint64_t bytes,
                uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_REDUCE, .root = rank_of(root), .from = from,
                                         .to = to, .bytes = bytes};

    return start_reduction(team, op, want, how, context);
}

int tern_allreduce(struct tern_team *team, struct tern_collective *op,
                   const struct tern_reduction *how, const void *from, void *to, uint64_t bytes,
                   uint64_t context)
{
    const struct tern_collective want = {.kind = TEAM_ALLREDUCE, .from = from, .to = to,
                                         .bytes = bytes};

    return start_reduction(team, op, want, how, context);
}

int tern_collective_wait(struct tern_collective *op, int posted)
{
    /* No limit here: each operation ends by the limits of its team. */
    return posted ? posted : tern_steps_wait(&op->steps, -1);
}
