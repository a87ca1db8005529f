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
    if (!team->tree || team->tree_over)
        return false;
    if (op->kind == TEAM_BARRIER)
        return true;
    return op->kind == TEAM_ALLREDUCE && op->how.op <= TERN_REDUCE_XOR &&
           op->how.type <= TERN_REDUCE_U64;
}

/* Tells whether the bytes go from and to the team's memory, not in descriptor and completion. */
static bool is_long(const struct tern_collective *op)
{
    return op->kind == TEAM_ALLREDUCE && op->bytes > TERN_TREE_BYTES;
}

void team_tree_begin(struct tern_team *team)
{
    team->phase = TEAM_TREE;
    team->needs_tree = true;
    team->tree_posted = 0;
    team->tree_out = 0;
    if (!is_long(team->first))
        return;
    team->piece = team_piece(team, team->first);
    team_take_part(team, team->first, team_part(team));
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
    part.bytes = is_long(op) ? 0 : (uint8_t)op->bytes;
    return part;
}

/* Posts the next bytes of the piece. */
static int post_bytes(struct tern_team *team, const struct tern_tree_part *part)
{
    uint32_t at = team->tree_posted, left = team->piece - at;
    uint32_t bytes = left < TERN_TREE_LONG_BYTES ? left : TERN_TREE_LONG_BYTES;
    unsigned flags = TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET;
    struct tern_rptr to = team_pointer(team, team->peers[team->rank].node, at); /* the result */
    int status = tern_tree_combine_long(team->sq, part, to, team->whole, team_part(team) + at,
                                        bytes, flags, team_context(POST_TREE, 0));

    if (!status)
        team->tree_posted += bytes;
    return status;
}

/* Posts a contribution, and notes whether another one is to follow. */
static int post(struct tern_team *team)
{
    const struct tern_collective *op = team->first;
    const struct tern_tree_part part = part_of(team, op);
    int status = is_long(op) ? post_bytes(team, &part)
                             : tern_tree_combine(team->sq, &part, op->from, TERN_DFLAG_SIGNAL,
                                                 team_context(POST_TREE, 0));

    if (status == -TERN_ST_AGAIN)
        return status;
    team->needs_tree = !status && is_long(op) && team->tree_posted < team->piece;
    team->tree_out += !status;
    team->out += !status;
    return status;
}

bool team_tree_advance(struct tern_team *team)
{
    struct tern_work *before;
    int status = 0;

    if (!team->needs_tree)
        return false;
    before = tern_sq_serve(team->sq, &team->work);
    while (!status && team->needs_tree)
        status = post(team);
    (void)tern_sq_serve(team->sq, before);
    if (status && status != -TERN_ST_AGAIN)
        team_fail(team, (enum tern_status)-status, team->rank);
    return team->phase != TEAM_TREE;
}

/*
 * Does the operation again over the torus, where rank 0 compares what all have posted: the tree
 * knows two members that differ, but not which of them differs from the others.
 */
static void ask_all(struct tern_team *team)
{
    team->tree_over = true;
    team->needs_tree = false;
    team->phase = TEAM_BEGIN;
}

/* Returns the status of the team for one of a contribution that failed. */
static enum tern_status meaning_of(enum tern_status status)
{
    switch (status) {
    case TERN_ST_LINK_DOWN:
    case TERN_ST_NO_GROUP:
        return TERN_ST_DEAD_MEMBER;
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
    if (done->status == TERN_ST_DIFFERS) {
        ask_all(team);
        return;
    }
    if (done->status != TERN_ST_OK) {
        team_fail(team, meaning_of(done->status),
                  done->fault == NETWORK ? rank_of(team, done->node) : team->rank);
        return;
    }
    if (--team->tree_out || team->needs_tree)
        return;
    if (is_long(op)) {
        team_give_result(team, op, team_result(team));
        team_end_round(team, TERN_ST_OK, TERN_RANK_NONE);
        return;
    }
    if (op->kind == TEAM_ALLREDUCE)
        memcpy(op->to, &done->value, op->bytes);
    team->number++;
    team_end_op(team, 0, TERN_RANK_NONE);
}
