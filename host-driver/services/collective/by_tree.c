/* SPDX-License-Identifier: Apache-2.0 */
/* Operations in the tree network. */
#include <string.h>

#include "team.h"

static bool is_wide(enum tern_reduce_type type)
{
    return type == TERN_REDUCE_I64 || type == TERN_REDUCE_U64;
}

bool team_tree_does(const struct tern_team *team, const struct tern_collective *op)
{
    if (!team->tree)
        return false;
    if (op->kind == TEAM_BARRIER)
        return true;
    return op->kind == TEAM_ALLREDUCE && op->how.op <= TERN_REDUCE_XOR &&
           op->how.type <= TERN_REDUCE_U64 && op->bytes <= TERN_TREE_BYTES;
}

void team_tree_begin(struct tern_team *team)
{
    team->phase = TEAM_TREE;
    team->needs_tree = true;
}

static struct tern_tree_part part_of(const struct tern_team *team,
                                     const struct tern_collective *op)
{
    static const uint8_t ops[] = {
        [TERN_REDUCE_SUM] = TERN_TREE_SUM, [TERN_REDUCE_MIN] = TERN_TREE_MIN,
        [TERN_REDUCE_MAX] = TERN_TREE_MAX, [TERN_REDUCE_AND] = TERN_TREE_AND,
        [TERN_REDUCE_OR] = TERN_TREE_OR, [TERN_REDUCE_XOR] = TERN_TREE_XOR,
    };
    struct tern_tree_part part = {.group = team->tree_group, .epoch = team->tree_epoch,
                                  .number = (uint8_t)team->number};

    if (op->kind == TEAM_BARRIER)
        return part;
    part.op = ops[op->how.op];
    part.wide = is_wide(op->how.type);
    part.is_signed = op->how.type == TERN_REDUCE_I32 || op->how.type == TERN_REDUCE_I64;
    part.bytes = (uint8_t)op->bytes;
    return part;
}

bool team_tree_advance(struct tern_team *team)
{
    const struct tern_collective *op = team->first;
    const struct tern_tree_part part = part_of(team, op);
    struct tern_work *before;
    int status;

    if (!team->needs_tree)
        return false;
    before = tern_sq_serve(team->sq, &team->work);
    status = tern_tree_combine(team->sq, &part, op->from, TERN_DFLAG_SIGNAL,
                               team_context(POST_TREE, 0));
    (void)tern_sq_serve(team->sq, before);
    if (status == -TERN_ST_AGAIN)
        return false;
    team->needs_tree = false;
    team->out += !status;
    if (status)
        team_fail(team, (enum tern_status)-status, team->rank);
    return team->phase != TEAM_TREE;
}

/* Returns the status of the team for one of a contribution that failed. */
static enum tern_status meaning_of(enum tern_status status)
{
    switch (status) {
    case TERN_ST_LINK_DOWN:
    case TERN_ST_NO_GROUP:
        return TERN_ST_DEAD_MEMBER;
    case TERN_ST_DIFFERS:
        return TERN_ST_MISMATCH;
    default:
        return status;
    }
}

static uint16_t rank_of(const struct tern_team *team, uint16_t node)
{
    for (uint16_t i = 0; i < team->size; i++)
        if (team->peers[i].node == node)
            return i;
    return team->rank;
}

/* An operation that has failed already, by a message of another member, is not told again. */
void team_tree_ended(struct tern_team *team, const struct tern_completion *done)
{
    enum { NETWORK = 3 };
    struct tern_collective *op = team->first;

    if (team->phase != TEAM_TREE)
        return;
    if (done->status != TERN_ST_OK) {
        team_fail(team, meaning_of(done->status),
                  done->fault == NETWORK ? rank_of(team, done->node) : team->rank);
        return;
    }
    if (op->kind == TEAM_ALLREDUCE)
        memcpy(op->to, &done->value, op->bytes);
    team->number++;
    team_end_op(team, 0, TERN_RANK_NONE);
}
