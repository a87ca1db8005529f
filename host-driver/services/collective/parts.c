/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how many bytes each operation moves in a round, and copies them. */
#include <string.h>

#include "team.h"

/* Tells whether the operation has a part for each member in one memory of the caller. */
static bool has_parts(const struct tern_collective *op)
{
    return op->kind == TEAM_SCATTER || op->kind == TEAM_GATHER || op->kind == TEAM_ALLGATHER;
}

uint32_t team_piece(const struct tern_team *team, const struct tern_collective *op)
{
    enum { WORD = 8 };
    uint64_t left = op->bytes - op->done;
    uint32_t most = team->chunk;

    if (has_parts(op))
        most = team->chunk / team->size / WORD * WORD;
    else if (op->how.element)
        most -= most % op->how.element;
    return left < most ? (uint32_t)left : most;
}

uint32_t team_up_bytes(const struct tern_team *team, const struct tern_collective *op,
                       unsigned rank)
{
    switch (op->kind) {
    case TEAM_BARRIER:
        return 0;
    case TEAM_BROADCAST:
        return rank == op->root ? team->piece : 0;
    case TEAM_SCATTER:
        return rank == op->root ? team->piece * team->size : 0;
    default:
        return team->piece;
    }
}

uint32_t team_down_bytes(const struct tern_team *team, const struct tern_collective *op,
                         unsigned rank)
{
    switch (op->kind) {
    case TEAM_GATHER:
        return rank == op->root ? team->piece * team->size : 0;
    case TEAM_REDUCE:
        return rank == op->root ? team->piece : 0;
    case TEAM_ALLGATHER:
        return team->piece * team->size;
    default:
        return team->piece;
    }
}

bool team_result_is_common(const struct tern_collective *op)
{
    return op->kind == TEAM_BROADCAST || op->kind == TEAM_ALLGATHER || op->kind == TEAM_ALLREDUCE;
}

void team_take_part(const struct tern_team *team, const struct tern_collective *op, uint8_t *to)
{
    const uint8_t *from = op->from;
    uint32_t bytes = team_up_bytes(team, op, team->rank);

    if (op->kind == TEAM_SCATTER && bytes) {
        for (unsigned i = 0; i < team->size; i++)
            memcpy(to + i * team->piece, from + i * op->bytes + op->done, team->piece);
    } else if (bytes)
        memcpy(to, from + op->done, bytes);
}

void team_give_result(const struct tern_team *team, const struct tern_collective *op,
                      const uint8_t *from)
{
    uint8_t *to = op->to;
    uint32_t bytes = team_down_bytes(team, op, team->rank);

    if ((op->kind == TEAM_GATHER || op->kind == TEAM_ALLGATHER) && bytes) {
        for (unsigned i = 0; i < team->size; i++)
            memcpy(to + i * op->bytes + op->done, from + i * team->piece, team->piece);
    } else if (bytes)
        memcpy(to + op->done, from, bytes);
}
