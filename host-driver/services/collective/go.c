/* SPDX-License-Identifier: Apache-2.0 */
/* How a team goes on: its posts and how they end, messages, time limits, failures. */
#include <stdlib.h>
#include <string.h>

#include "team.h"

enum { PROBES = 20 /* within the limit */, PROBE_MS_MAX = 500, LATE = 3 };

static struct tern_team *team_of(const struct tern_work *work)
{
    return (struct tern_team *)(void *)
        ((uint8_t *)(uintptr_t)work - offsetof(struct tern_team, work));
}

static bool has_needs(const struct tern_team *team)
{
    for (unsigned i = 0; i < team->size; i++)
        if (team->peers[i].needs_put || team->peers[i].needs_message)
            return true;
    return team->broadcast || team->needs_tree;
}

/* ---- failures */

/* Returns whether the peer is awaited now. */
static bool is_awaited(const struct tern_team *team, unsigned rank)
{
    if (rank == team->rank || team->peers[rank].came)
        return false;
    if (team_is_first(team))
        return team->phase == TEAM_COLLECT;
    return team->phase == TEAM_AWAIT && rank == 0;
}

static unsigned first_awaited(const struct tern_team *team)
{
    unsigned rank = 0;

    while (rank < team->size && !is_awaited(team, rank))
        rank++;
    return rank;
}

/* Asks an awaited peer whether it is there, by a put of one byte. */
static void probe(struct tern_team *team, unsigned rank)
{
    static const uint8_t byte;
    struct peer *peer = &team->peers[rank];
    struct tern_rptr to = team_pointer(team, peer->node, team_probe_at(team));

    if (peer->probing || !is_awaited(team, rank))
        return;
    peer->probing = tern_put_inline(team->sq, to, &byte, sizeof(byte),
                                    TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET,
                                    team_context(POST_PROBE, rank)) == 0;
    team->probes += peer->probing;
    peer->probe_number = team->number;
    peer->probe_round = team->round;
}

static void probe_all(struct tern_team *team, int64_t now)
{
    struct tern_work *before = tern_sq_serve(team->sq, &team->work);
    uint32_t pause = team->limit_ms / PROBES;

    for (unsigned i = 0; i < team->size; i++)
        probe(team, i);
    (void)tern_sq_serve(team->sq, before);
    team->probe_at = now + (pause < PROBE_MS_MAX ? pause + 1 : PROBE_MS_MAX);
}

/* A peer that came after the probe was posted may be gone for good reason. */
static void probe_ended(struct tern_team *team, unsigned rank, enum tern_status status)
{
    struct peer *peer = &team->peers[rank];

    peer->probing = false;
    team->probes--;
    if (status != TERN_ST_OK && is_awaited(team, rank) && peer->probe_number == team->number &&
        peer->probe_round == team->round)
        team_fail(team, TERN_ST_DEAD_MEMBER, (uint16_t)rank);
}

static bool is_waiting(const struct tern_team *team)
{
    return team->phase == TEAM_COLLECT || team->phase == TEAM_AWAIT;
}

static void look_at_clock(struct tern_team *team)
{
    int64_t now = team_now_ms();
    unsigned rank;

    if (!is_waiting(team))
        return;
    rank = first_awaited(team);
    if (rank < team->size && now >= team->deadline)
        team_fail(team, TERN_ST_TIMEOUT, (uint16_t)rank);
    else if (now >= team->probe_at)
        probe_all(team, now);
}

/* ---- rounds */

static void begin_round(struct tern_team *team)
{
    int64_t now = team_now_ms();
    uint32_t pause = team->limit_ms / PROBES;

    team->piece = team_piece(team, team->first);
    /* a member waits until rank 0 has waited for the others, even if that came late */
    team->deadline = now + (int64_t)team->limit_ms * (team_is_first(team) ? 1 : LATE);
    team->probe_at = now + (pause < PROBE_MS_MAX ? pause + 1 : PROBE_MS_MAX);
    if (team_is_first(team))
        team_first_begin(team);
    else
        team_member_begin(team);
}

static void begin(struct tern_team *team)
{
    team->round = 0;
    team->phase = team->failed ? TEAM_PASS_ON : TEAM_BEGIN;
}

static bool pass_on(struct tern_team *team)
{
    if (!team_settled(team))
        return false;
    team_end_op(team, team->failed, team->failed_rank);
    return true;
}

/* Goes on as far as it can without a completion. */
static void advance(struct tern_team *team)
{
    bool more = true;

    while (more && team->phase != TEAM_IDLE) {
        if (team->phase == TEAM_PASS_ON)
            more = pass_on(team);
        else if (team->phase == TEAM_BEGIN && team_tree_does(team, team->first))
            team_tree_begin(team);
        else if (team->phase == TEAM_BEGIN)
            begin_round(team);
        else if (team->phase == TEAM_TREE)
            more = team_tree_advance(team);
        else
            more = team_is_first(team) ? team_first_advance(team) : team_member_advance(team);
    }
}

void team_enqueue(struct tern_team *team, struct tern_collective *op)
{
    *team->last = op;
    team->last = &op->next;
    tern_work_wake(&team->work);
    if (team->first == op && team->phase == TEAM_IDLE) {
        begin(team);
        advance(team);
    }
}

/* ---- completions */

/* Returns the rank of the member whose message this is; TERN_RANK_NONE: of none that is heard. */
static uint16_t sender_of(const struct tern_team *team, const struct wire *head)
{
    if (!team_is_first(team))
        return head->kind == WIRE_DOWN ? 0 : TERN_RANK_NONE;
    return head->kind == WIRE_UP && head->rank < team->size ? head->rank : TERN_RANK_NONE;
}

/* Takes a message; one of another life of the team is dropped. */
static void message_came(struct tern_team *team, const struct tern_completion *done)
{
    struct message message = {.head = {0}};
    bool whole = done->status == TERN_ST_OK && done->length >= sizeof(message.head) &&
                 done->length <= sizeof(message);
    uint16_t rank;

    if (whole)
        memcpy(&message, done->data, done->length);
    (void)tern_rq_release(team->rq, 1);
    if (!whole || message.head.team != team->key)
        return;
    if (message.head.kind == WIRE_ABORT) {
        team_fail(team, (enum tern_status)message.head.status, message.head.rank);
        return;
    }
    rank = sender_of(team, &message.head);
    if (rank == TERN_RANK_NONE)
        return;
    team->peers[rank].in = message;
    team->peers[rank].came = true;
}

static void post_ended(struct tern_team *team, const struct tern_completion *done)
{
    enum team_post post = (enum team_post)(done->context >> TEAM_POST_SHIFT);
    unsigned rank = (uint16_t)done->context;
    enum { ORIGIN = 1 };

    if (post == POST_PROBE) {
        probe_ended(team, rank, done->status);
        return;
    }
    team->out--;
    if (post == POST_TREE) {
        team_tree_ended(team, done);
        return;
    }
    if (done->status == TERN_ST_OK || post == POST_PASS_ON)
        return;
    if (done->status == TERN_ST_DISCONNECTED || done->fault == ORIGIN)
        team_fail(team, done->status, team->rank);
    else if (post == POST_BROADCAST && !team->failed)
        team_put_instead(team);
    else
        team_fail(team, TERN_ST_DEAD_MEMBER, (uint16_t)rank);
}

static bool team_ended(struct tern_work *work, struct tern_completion *completion, bool wanted)
{
    struct tern_team *team = team_of(work);

    (void)wanted;
    if (completion->opcode == TERN_OP_RECV)
        message_came(team, completion);
    else
        post_ended(team, completion);
    advance(team);
    return false;
}

/* Hands the operation that has ended to its steps, which complete it. */
static bool complete(struct tern_team *team, struct tern_completion *out)
{
    struct tern_collective *op = team->first;

    team->first = op->next;
    if (!team->first) {
        team->last = &team->first;
        tern_work_sleep(&team->work);
    } else
        begin(team);
    out->value = op->failed;
    out->node = op->failed < team->size ? team->peers[op->failed].node : 0;
    return op->steps.work.calls->ended(&op->steps.work, out, true);
}

static bool team_step(struct tern_work *work, struct tern_completion *out)
{
    struct tern_team *team = team_of(work);

    look_at_clock(team);
    advance(team);
    if (!team->first && team->phase == TEAM_IDLE)
        tern_work_sleep(work);
    return out && team->first && team->first->ended && complete(team, out);
}

static bool team_ready(const struct tern_work *work)
{
    const struct tern_team *team = team_of(work);

    return (team->first && team->first->ended) || (has_needs(team) && tern_sq_room(team->sq, 1));
}

static int team_due(const struct tern_work *work)
{
    const struct tern_team *team = team_of(work);
    int64_t at = team->deadline < team->probe_at ? team->deadline : team->probe_at;
    int64_t left = at - team_now_ms();

    if (!is_waiting(team))
        return -1;
    return left > 0 ? (int)left : 0;
}

static bool team_lost(struct tern_work *work, struct tern_completion *out)
{
    struct tern_team *team = team_of(work);

    team_fail(team, TERN_ST_DISCONNECTED, team->rank);
    while (team->first) {
        if (!team->first->ended)
            team_end_op(team, -TERN_ST_DISCONNECTED, team->rank);
        if (complete(team, out))
            return true;
    }
    return false;
}

static void team_free(struct tern_work *work)
{
    free(team_of(work)->memory);
    free(team_of(work));
}

const struct tern_work_calls team_calls = {.ended = team_ended, .step = team_step,
                                           .ready = team_ready, .due = team_due,
                                           .lost = team_lost, .free = team_free};
