/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The group of a team in the tree network. A team sets it up when it is made, if only members lie
 * between its members, and agrees by an operation over the torus whether all members could.
 */
#define _GNU_SOURCE
#include <time.h>

#include "team.h"

enum {
    MODELLED_CYCLES = 100,   /* a millisecond of the soft tier, at most */
    SIMULATED_CYCLES = 5000, /* ... of a simulated chip */
    MS = 1000,               /* in a second */
    GRACE_US = 2000          /* in which results reach the other members */
};

static uint32_t limit_of(const struct tern_team *team, const struct tern_team_config *config,
                         const struct tern_info *info)
{
    uint64_t each = info->modelled   ? MODELLED_CYCLES
                    : info->clock_hz ? info->clock_hz / MS
                                     : SIMULATED_CYCLES;
    uint64_t limit = config->tree_limit ? config->tree_limit : each * team->limit_ms;

    return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

/* Describes the place of a member in the group. */
static bool place_of(const struct tern_team *team, const struct tern_info *info, unsigned rank,
                     uint32_t limit, struct tern_tree_group *group)
{
    uint16_t nodes[TERN_TEAM_MEMBERS];

    for (unsigned i = 0; i < team->size; i++)
        nodes[i] = team->peers[i].node;
    return tern_tree_place(nodes[rank], info->dims, nodes, team->size, limit, group);
}

/* Tells whether no other node lies between the members: all but one have their parent there. */
static bool is_connected(const struct tern_team *team, const struct tern_info *info)
{
    unsigned orphans = 0;

    for (unsigned i = 0; i < team->size; i++) {
        unsigned rank = tern_tree_rank(team->peers[i].node, info->dims), above = 0;

        for (unsigned j = 0; rank != 0 && j < team->size; j++)
            above += tern_tree_rank(team->peers[j].node, info->dims) == (rank - 1) / 2;
        orphans += above == 0;
    }
    return orphans == 1;
}

/* Sets the group up on this NIC; false: it cannot. */
static bool set_up(struct tern_team *team, uint32_t limit, const struct tern_info *info)
{
    struct tern_tree_group group = {.group = team->tree_group, .epoch = team->tree_epoch};
    struct tern_completion done = {0};
    struct tern_once once;
    int status;

    (void)place_of(team, info, team->rank, limit, &group);
    tern_once_begin(&once, team->sq, &done);
    status = tern_once_end(&once, tern_tree_set(team->sq, &group, TERN_DFLAG_SIGNAL, 0), -1);
    return !status && done.status == TERN_ST_OK;
}

int team_tree_join(struct tern_team *team, const struct tern_team_config *config,
                   const struct tern_info *info, unsigned *failed)
{
    static const struct tern_reduction all = {.op = TERN_REDUCE_MIN, .type = TERN_REDUCE_U32};
    struct tern_collective op;
    uint32_t have, agreed = 0;
    int status;

    if (config->torus_alone || !(info->features & TERN_FEATURE_COMBINE) || team->size < 2 ||
        !is_connected(team, info))
        return 0;
    team->tree_group = config->tag % TERN_TREE_GROUPS;
    team->tree_epoch = (uint8_t)config->tag;
    have = set_up(team, limit_of(team, config, info), info);
    status = tern_collective_wait(&op, tern_allreduce(team, &op, &all, &have, &agreed,
                                                      sizeof(have), 0));
    team->tree = have; /* to be left, at least */
    if (status)
        *failed = op.failed;
    else if (!agreed)
        team_tree_leave(team);
    return status;
}

/* A failure may overtake a result on its way to another member, so the end is not at once. */
void team_tree_leave(struct tern_team *team)
{
    const struct timespec grace = {.tv_nsec = GRACE_US * 1000L};
    struct tern_completion done;
    struct tern_once once;

    if (!team->tree)
        return;
    nanosleep(&grace, NULL);
    tern_once_begin(&once, team->sq, &done);
    (void)tern_once_end(&once, tern_tree_leave(team->sq, team->tree_group, TERN_DFLAG_SIGNAL, 0),
                        -1);
    team->tree = false;
}
