/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out the memory of a team, and names it for other members; reads the clock. */
#define _GNU_SOURCE
#include <time.h>

#include "team.h"

enum { PROBE_BYTES = 64 };

int64_t team_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

uint8_t *team_result(const struct tern_team *team)
{
    return team->memory;
}

uint8_t *team_part(const struct tern_team *team)
{
    return team->memory + team->chunk + TEAM_SPARE;
}

static size_t messages_at(const struct tern_team *team)
{
    return (size_t)team_probe_at(team) + PROBE_BYTES;
}

struct message *team_message(const struct tern_team *team, unsigned rank)
{
    return (struct message *)(void *)(team->memory + messages_at(team)) + rank;
}

uint64_t team_probe_at(const struct tern_team *team)
{
    return 2 * ((uint64_t)team->chunk + TEAM_SPARE);
}

uint64_t team_slot_at(const struct tern_team *team, unsigned rank)
{
    return messages_at(team) + team->size * sizeof(struct message) + (size_t)rank * team->chunk;
}

static uint32_t key_beside(uint32_t key, unsigned number)
{
    return tern_group_key((uint16_t)((key & 0xffff) + number), (uint16_t)(key >> 16));
}

/* The group takes two entries; the third names all of the memory. */
uint32_t team_whole_key(const struct tern_team *team)
{
    return key_beside(team->key, 2);
}

struct tern_rptr team_pointer(const struct tern_team *team, uint16_t node, uint64_t at)
{
    struct tern_rptr to = {{0}};

    TERN_SET(RPTR, addr, to.w, at);
    TERN_SET(RPTR, key, to.w, team_whole_key(team));
    TERN_SET(RPTR, node, to.w, node);
    return to;
}
