/* SPDX-License-Identifier: Apache-2.0 */
/* Posts of a team, and the ends of rounds, operations and teams. */
#include <string.h>

#include "team.h"

void team_describe(const struct tern_team *team, const struct tern_collective *op,
                   struct wire *head)
{
    *head = (struct wire){.team = team->key, .number = team->number, .round = team->round,
                          .rank = team->rank, .bytes = op->bytes, .root = op->root,
                          .operation = op->kind, .element = op->how.element,
                          .how = (uint8_t)((unsigned)op->how.op << 4 | (unsigned)op->how.type)};
}

/* ---- posts */

/* Posts the put of a long part or result to a peer. */
static int post_put(struct tern_team *team, unsigned rank)
{
    const struct peer *peer = &team->peers[rank];
    const uint8_t *from = team_part(team);
    uint64_t to = team_slot_at(team, team->rank);

    if (team_is_first(team)) {
        bool scatters = team->first->kind == TEAM_SCATTER;

        from = team_result(team) + (scatters ? rank * team->piece : 0);
        to = 0; /* the result */
    }
    return tern_put(team->sq, team_pointer(team, peer->node, to), team->whole, from,
                    peer->put_bytes, TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET,
                    team_context(POST_PUT, rank));
}

static int post_bytes(struct tern_team *team, unsigned rank, const struct message *message,
                      uint32_t bytes, enum team_post post)
{
    const struct tern_target to = {.node = team->peers[rank].node, .queue = team->queue};

    return tern_send(team->sq, to, bytes > TERN_INLINE_BYTES_MAX ? team->whole : NULL, message,
                     bytes, TERN_DFLAG_SIGNAL, team_context(post, rank));
}

/* Posts a message that names the failed member. It is inline: the buffer may be in use. */
static int post_failure(struct tern_team *team, unsigned rank)
{
    const struct message message = {.head = {
        .team = team->key, .number = team->number, .round = team->round, .kind = WIRE_ABORT,
        .status = (uint8_t)-team->failed, .rank = team->failed_rank}};

    return post_bytes(team, rank, &message, sizeof(message.head), POST_PASS_ON);
}

static int post_message(struct tern_team *team, unsigned rank)
{
    if (team->phase == TEAM_PASS_ON)
        return post_failure(team, rank);
    return post_bytes(team, rank, team_message(team, rank),
                      (uint32_t)sizeof(struct wire) + team->peers[rank].data_bytes, POST_MESSAGE);
}

static int post_broadcast(struct tern_team *team)
{
    uint64_t from = (uint64_t)(team_result(team) - team->memory);
    int status = tern_bcast(team->sq, team->group, team->whole, from, team->broadcast_bytes, 0,
                            TERN_DFLAG_SIGNAL, team_context(POST_BROADCAST, 0));

    return status;
}

/* Puts the result to each member in place of a broadcast, which names the one that fails. */
void team_put_instead(struct tern_team *team)
{
    team->broadcast = false;
    for (unsigned i = 1; i < team->size; i++)
        team->peers[i].needs_put = true;
}

/* Counts a post. False: there was no room for it, or it failed at once. */
static bool posted(struct tern_team *team, int status, bool *need)
{
    if (status == -TERN_ST_AGAIN)
        return false;
    *need = false;
    if (!status)
        team->out++;
    else if (!team->failed)
        team_fail(team, (enum tern_status)-status, team->rank);
    return !status;
}

static bool post_needed(struct tern_team *team)
{
    if (team->broadcast) {
        int status = post_broadcast(team);

        if (status && status != -TERN_ST_AGAIN)
            team_put_instead(team);
        else if (!posted(team, status, &team->broadcast))
            return false;
    }
    for (unsigned i = 0; i < team->size; i++) {
        struct peer *peer = &team->peers[i];

        if (peer->needs_put && !posted(team, post_put(team, i), &peer->needs_put))
            return false;
        if (peer->needs_message && !posted(team, post_message(team, i), &peer->needs_message))
            return false;
    }
    return true;
}

/* The queue is the team's own, but steps of an operation may be served now. */
static bool post_all(struct tern_team *team)
{
    struct tern_work *before = tern_sq_serve(team->sq, &team->work);
    bool all = post_needed(team);

    (void)tern_sq_serve(team->sq, before);
    return all;
}

bool team_settled(struct tern_team *team)
{
    return post_all(team) && team->out == 0 && !team->broadcast;
}

/* ---- ends */

void team_fail(struct tern_team *team, enum tern_status status, uint16_t rank)
{
    if (team->failed)
        return;
    team->failed = -(int)status;
    team->failed_rank = rank;
    team->broadcast = false;
    team->needs_tree = false;
    for (unsigned i = 0; i < team->size; i++) {
        team->peers[i].needs_put = false;
        team->peers[i].needs_message = i != team->rank
                                       && (i != rank || status == TERN_ST_TIMEOUT ||
                                           status == TERN_ST_MISMATCH)
                                       && (i == 0 || team_is_first(team))
                                       && status != TERN_ST_DISCONNECTED;
    }
    team->phase = TEAM_PASS_ON;
    if (team->work.cq)
        tern_work_wake(&team->work);
}

void team_end_op(struct tern_team *team, int status, uint16_t rank)
{
    struct tern_collective *op = team->first;

    team->phase = TEAM_IDLE;
    if (!op)
        return;
    op->ended = true;
    op->status = status;
    op->failed = status ? rank : TERN_RANK_NONE;
}

void team_end_round(struct tern_team *team, enum tern_status status, uint16_t rank)
{
    struct tern_collective *op = team->first;

    op->done += team->piece;
    if (status == TERN_ST_OK && op->done < op->bytes) {
        team->round++;
        team->phase = TEAM_BEGIN;
        return;
    }
    team->number++;
    team_end_op(team, -(int)status, rank);
}
