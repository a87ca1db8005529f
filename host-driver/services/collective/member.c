/* SPDX-License-Identifier: Apache-2.0 */
/* The steps of members other than rank 0. */
#include <string.h>

#include "team.h"

void team_member_begin(struct tern_team *team)
{
    struct tern_collective *op = team->first;
    struct message *message = team_message(team, 0);
    uint32_t bytes = team_up_bytes(team, op, team->rank);

    team_describe(team, op, &message->head);
    message->head.kind = WIRE_UP;
    team->peers[0].put_bytes = bytes > SHORT_BYTES ? bytes : 0;
    team->peers[0].data_bytes = bytes > SHORT_BYTES ? 0 : bytes;
    team->peers[0].needs_put = bytes > SHORT_BYTES;
    team_take_part(team, op, bytes > SHORT_BYTES ? team_part(team) : message->data);
    team->phase = TEAM_DATA;
}

/* Takes the verdict of the round. */
static bool take_verdict(struct tern_team *team)
{
    struct peer *first = &team->peers[0];
    const struct wire *head = &first->in.head;
    uint32_t bytes = team_down_bytes(team, team->first, team->rank);
    bool ours = first->came && head->number == team->number && head->round == team->round;

    if (!ours)
        return false;
    first->came = false;
    if (head->status == TERN_ST_OK)
        team_give_result(team, team->first,
                         bytes > SHORT_BYTES ? team_result(team) : first->in.data);
    team_end_round(team, (enum tern_status)head->status, head->rank);
    return true;
}

bool team_member_advance(struct tern_team *team)
{
    switch (team->phase) {
    case TEAM_DATA:
        if (!team_settled(team))
            return false;
        team->peers[0].needs_message = true;
        team->phase = TEAM_TELL;
        return true;
    case TEAM_TELL:
        if (!team_settled(team))
            return false;
        team->phase = TEAM_AWAIT;
        return true;
    case TEAM_AWAIT:
        return take_verdict(team);
    default:
        return false;
    }
}
