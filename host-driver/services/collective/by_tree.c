/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations in the tree network. A broadcast is an OR in which all members but the root contribute
 * zeros. The chip compares length and kind; after the bytes each member contributes what it posted,
 * and its complement. If members differ, no result has both words of any member.
 */
#include <limits.h>
#include <string.h>

#include "team.h"

/* Returns how many levels the second node is below the first one; -1: it is not below. */
static int depth_below(const struct tern_team *team, uint16_t top, uint16_t node)
{
    unsigned rank = tern_tree_rank(node, team->dims), above = tern_tree_rank(top, team->dims);
    int depth = 0;

    for (; rank > above; depth++)
        rank = (rank - 1) / 2;
    return rank == above ? depth : -1;
}

uint16_t team_rank_below(const struct tern_team *team, uint16_t node)
{
    uint16_t found = TERN_RANK_NONE;
    int least = INT_MAX;

    for (uint16_t i = 0; i < team->size; i++) {
        int depth = depth_below(team, node, team->peers[i].node);

        if (depth < 0 || depth >= least)
            continue;
        found = i;
        least = depth;
    }
    return found;
}

static bool is_wide(enum tern_reduce_type type)
{
    return type == TERN_REDUCE_I64 || type == TERN_REDUCE_U64;
}

/* The rest of what a member posted to a broadcast, which the chip does not compare. */
struct check {
    uint32_t what, complement;
};

enum { WORD = sizeof(uint64_t), NUMBER_SHIFT = 2, SIZE_SHIFT = 16 };

_Static_assert(sizeof(struct check) == WORD, "the tree combines words");
_Static_assert(sizeof(struct check) <= TEAM_SPARE, "it lies after the bytes of a round");
_Static_assert(TERN_TEAM_MEMBERS <= 1u << SIZE_SHIFT, "the root is below the size");

bool team_tree_does(const struct tern_team *team, const struct tern_collective *op)
{
    if (!team->tree || team->tree_over)
        return false;
    if (op->kind == TEAM_BARRIER || op->kind == TEAM_BROADCAST)
        return true;
    return op->kind == TEAM_ALLREDUCE && op->how.op <= TERN_REDUCE_XOR &&
           op->how.type <= TERN_REDUCE_U64;
}

/* Tells whether the bytes go from and to the team's memory, not in descriptor and completion. */
static bool is_long(const struct tern_collective *op)
{
    return op->kind == TEAM_BROADCAST ||
           (op->kind == TEAM_ALLREDUCE && op->bytes > TERN_TREE_BYTES);
}

/* Returns the bytes of the piece in whole words. */
static uint32_t rounded(const struct tern_team *team)
{
    return (team->piece + WORD - 1) / WORD * WORD;
}

static struct check check_of(const struct tern_team *team)
{
    uint32_t what = team->first->root | team->piece % WORD << SIZE_SHIFT;

    return (struct check){.what = what, .complement = ~what};
}

static void begin_broadcast(struct tern_team *team)
{
    const struct check check = check_of(team);
    uint8_t *part = team_part(team);
    uint32_t bytes = rounded(team);

    memset(part, 0, bytes);
    team_take_part(team, team->first, part); /* the root alone has one */
    memcpy(part + bytes, &check, sizeof(check));
    team->tree_bytes = bytes + (uint32_t)sizeof(check);
}

/* Tells whether all members have posted the same broadcast: all get the same answer. */
static bool is_agreed(const struct tern_team *team)
{
    const struct check check = check_of(team);

    return memcmp(team_result(team) + rounded(team), &check, sizeof(check)) == 0;
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
    if (team->first->kind == TEAM_BROADCAST) {
        begin_broadcast(team);
        return;
    }
    team->tree_bytes = team->piece;
    team_take_part(team, team->first, team_part(team));
}

/* Returns a number that differs if members differ in the kind of operation or in its rounds. */
static uint8_t number_of(const struct tern_team *team, const struct tern_collective *op)
{
    bool last = !is_long(op) || op->done + team->piece == op->bytes;

    return (uint8_t)(team->number << NUMBER_SHIFT | (unsigned)last << 1 |
                     (op->kind == TEAM_BROADCAST));
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
                                  .number = number_of(team, op)};

    if (op->kind == TEAM_BARRIER)
        return part;
    if (op->kind == TEAM_BROADCAST) {
        part.op = TERN_TREE_OR;
        part.wide = true;
        return part;
    }
    part.op = ops[op->how.op];
    part.wide = is_wide(op->how.type);
    part.is_signed = op->how.type == TERN_REDUCE_I32 || op->how.type == TERN_REDUCE_I64;
    part.bytes = is_long(op) ? 0 : (uint8_t)op->bytes;
    return part;
}

/*
 * Returns the size of each contribution of a round. All have one size, because the NIC takes a
 * second contribution beside another one only if the two are alike.
 */
static uint32_t share_of(uint32_t bytes)
{
    uint32_t count = (bytes + TERN_TREE_LONG_BYTES - 1) / TERN_TREE_LONG_BYTES;

    return (bytes + count * WORD - 1) / (count * WORD) * WORD;
}

/* Posts the next bytes of the round. */
static int post_bytes(struct tern_team *team, const struct tern_tree_part *part)
{
    uint32_t at = team->tree_posted, left = team->tree_bytes - at;
    uint32_t share = share_of(team->tree_bytes), bytes = left < share ? left : share;
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
    team->needs_tree = !status && is_long(op) && team->tree_posted < team->tree_bytes;
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
 * knows two members that differ, but not which of them differs from the others. The same after the
 * failure of a NIC between members, which is no member's.
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

/* Tells whether the failure is that of a NIC between members. */
static bool is_outside(const struct tern_team *team, const struct tern_completion *done)
{
    unsigned rank = team_rank_below(team, done->node);

    return done->status != TERN_ST_TIMEOUT &&
           (rank == TERN_RANK_NONE || team->peers[rank].node != done->node);
}

/* An operation that has failed already, by a message of another member, is not told again. */
void team_tree_ended(struct tern_team *team, const struct tern_completion *done)
{
    enum { NETWORK = 3 };
    struct tern_collective *op = team->first;

    if (team->phase != TEAM_TREE)
        return;
    if (done->status == TERN_ST_DIFFERS ||
        (done->status != TERN_ST_OK && done->fault == NETWORK && is_outside(team, done))) {
        ask_all(team);
        return;
    }
    if (done->status != TERN_ST_OK) {
        team_fail(team, meaning_of(done->status),
                  done->fault == NETWORK ? team_rank_below(team, done->node) : team->rank);
        return;
    }
    if (--team->tree_out || team->needs_tree)
        return;
    if (op->kind == TEAM_BROADCAST && !is_agreed(team)) {
        ask_all(team);
        return;
    }
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
