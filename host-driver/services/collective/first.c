/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of rank 0, which coordinates. */
#include <string.h>

#include "team.h"

void team_first_begin(struct tern_team *team)
{
    team->phase = TEAM_COLLECT;
}

static bool all_came(const struct tern_team *team)
{
    for (unsigned i = 1; i < team->size; i++)
        if (!team->peers[i].came)
            return false;
    return true;
}

static bool is_same(const struct wire *a, const struct wire *b)
{
    return a->number == b->number && a->round == b->round && a->bytes == b->bytes &&
           a->root == b->root && a->operation == b->operation && a->how == b->how &&
           a->element == b->element;
}

/* Tells whether `a` is of an earlier round than `b`. */
static bool is_earlier(const struct wire *a, const struct wire *b)
{
    if (a->number != b->number)
        return (int32_t)(a->number - b->number) < 0;
    return (int32_t)(a->round - b->round) < 0;
}

/* Returns what rank `i` has posted; that of rank 0 is `own`. */
static const struct wire *head_of(const struct tern_team *team, unsigned i, const struct wire *own)
{
    return i ? &team->peers[i].in.head : own;
}

/* Returns the first of the latest round. */
static const struct wire *latest(const struct tern_team *team, const struct wire *own)
{
    const struct wire *found = own;

    for (unsigned i = 1; i < team->size; i++)
        if (is_earlier(found, head_of(team, i, own)))
            found = head_of(team, i, own);
    return found;
}

/*
 * Finds the first member that posted another operation than the first one. After a failure in the
 * tree, members whose result was lost are a round behind: the latest round is the one that failed.
 * Returns whether all are at the same round.
 */
static bool judge(struct tern_team *team)
{
    const struct wire *most;
    struct wire own;
    bool together = true;

    team_describe(team, team->first, &own);
    most = latest(team, &own);
    team->verdict = TERN_ST_OK;
    team->concerned = TERN_RANK_NONE;
    for (unsigned i = 0; i < team->size; i++) {
        const struct wire *head = head_of(team, i, &own);

        together = together && !is_earlier(head, most);
        if (is_earlier(head, most) || is_same(head, most) || team->verdict != TERN_ST_OK)
            continue;
        team->verdict = TERN_ST_MISMATCH;
        team->concerned = (uint16_t)i;
    }
    return together;
}

/* Returns the part of a member; `own` is this member's. */
static const uint8_t *part_of(const struct tern_team *team, unsigned rank, const uint8_t *own)
{
    if (rank == 0)
        return own;
    if (team_up_bytes(team, team->first, rank) > SHORT_BYTES)
        return team->memory + team_slot_at(team, rank);
    return team->peers[rank].in.data;
}

/* Makes the result of all parts, in the order of ranks. */
static void make_result(struct tern_team *team)
{
    struct tern_collective *op = team->first;
    uint8_t *result = team_result(team), *own = team_part(team);

    team_take_part(team, op, own);
    switch (op->kind) {
    case TEAM_BARRIER:
        break;
    case TEAM_BROADCAST:
    case TEAM_SCATTER:
        memcpy(result, part_of(team, op->root, own), team_up_bytes(team, op, op->root));
        break;
    case TEAM_GATHER:
    case TEAM_ALLGATHER:
        for (unsigned i = 0; i < team->size; i++)
            memcpy(result + i * team->piece, part_of(team, i, own), team->piece);
        break;
    default:
        memcpy(result, own, team->piece);
        for (unsigned i = 1; i < team->size; i++)
            team_combine(&op->how, result, part_of(team, i, own), team->piece);
    }
}

/* Prepares the puts of long results; one broadcast where all get the same. */
static void send_results(struct tern_team *team)
{
    struct tern_collective *op = team->first;

    team->broadcast = team->group && team_result_is_common(op) &&
                      team_down_bytes(team, op, 1) > SHORT_BYTES;
    team->broadcast_bytes = team_down_bytes(team, op, 1);
    for (unsigned i = 1; i < team->size; i++) {
        team->peers[i].put_bytes = team_down_bytes(team, op, i);
        team->peers[i].needs_put = !team->broadcast && team->peers[i].put_bytes > SHORT_BYTES;
    }
}

/* Prepares the verdicts, with the results that are short. */
static void send_verdicts(struct tern_team *team)
{
    struct tern_collective *op = team->first;

    for (unsigned i = 1; i < team->size; i++) {
        struct message *message = team_message(team, i);
        uint32_t bytes = team->verdict == TERN_ST_OK ? team_down_bytes(team, op, i) : 0;
        uint32_t at = op->kind == TEAM_SCATTER ? i * team->piece : 0;

        message->head = (struct wire){.team = team->key, .kind = WIRE_DOWN,
                                      .number = team->number, .round = team->round,
                                      .status = (uint8_t)team->verdict, .rank = team->concerned};
        team->peers[i].data_bytes = bytes <= SHORT_BYTES ? bytes : 0;
        memcpy(message->data, team_result(team) + at, team->peers[i].data_bytes);
        team->peers[i].needs_message = true;
    }
}

static void combine(struct tern_team *team)
{
    if (!judge(team)) {
        team_fail(team, TERN_ST_MISMATCH, team->concerned);
        return;
    }
    if (team->verdict == TERN_ST_OK) {
        make_result(team);
        send_results(team);
    }
    for (unsigned i = 1; i < team->size; i++)
        team->peers[i].came = false;
    team->phase = TEAM_DATA;
}

bool team_first_advance(struct tern_team *team)
{
    switch (team->phase) {
    case TEAM_COLLECT:
        if (!all_came(team))
            return false;
        combine(team);
        return true;
    case TEAM_DATA:
        if (!team_settled(team))
            return false;
        send_verdicts(team);
        team->phase = TEAM_TELL;
        return true;
    case TEAM_TELL:
        if (!team_settled(team))
            return false;
        if (team->verdict == TERN_ST_OK)
            team_give_result(team, team->first, team_result(team));
        team_end_round(team, team->verdict, team->concerned);
        return true;
    default:
        return false;
    }
}
