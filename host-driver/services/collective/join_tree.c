/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The group of a team in the tree network. Each member sets it up on its NIC when the team is made.
 * On the NIC of a node between members that is none itself, the nearest member below does that. An
 * operation over the torus then tells all members whether each set-up went well.
 */
#define _GNU_SOURCE
#include <time.h>

#include "team.h"

enum {
    MODELLED_CYCLES = 100,   /* a millisecond of the soft tier, at most */
    SIMULATED_CYCLES = 5000, /* ... of a simulated chip */
    MS = 1000,               /* in a second */
    ATTEMPTS = 8,            /* to set a group up: longer than a dead NIC takes to be noticed */
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

/* Describes the place of a node in the group; false: it has none. */
static bool place_of(const struct tern_team *team, uint16_t node, struct tern_tree_group *group)
{
    uint16_t nodes[TERN_TEAM_MEMBERS];

    for (unsigned i = 0; i < team->size; i++)
        nodes[i] = team->peers[i].node;
    return tern_tree_place(node, team->dims, nodes, team->size, team->tree_limit, group);
}

/*
 * Sets the group up on the NIC of `node`, which may be this one. Returns the status; RNR: that NIC
 * has no answer yet from one whose group may be over.
 */
static enum tern_status set_up_once(struct tern_team *team, uint16_t node)
{
    struct tern_tree_group group = {.group = team->tree_group, .epoch = team->tree_epoch};
    struct tern_completion done = {0};
    struct tern_once once;
    int status;

    if (!place_of(team, node, &group))
        return TERN_ST_OK; /* the root of the group is below it */
    tern_once_begin(&once, team->sq, &done);
    if (group.self)
        status = tern_tree_set(team->sq, &group, TERN_DFLAG_SIGNAL, 0);
    else
        status = tern_tree_forward(team->sq, node, &group, TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, -1);
    return status ? (enum tern_status)-status : done.status;
}

/* Returns whether the group is set up there. */
static bool set_up(struct tern_team *team, uint16_t node)
{
    enum tern_status status = TERN_ST_RNR;

    for (unsigned i = 0; i < ATTEMPTS && status == TERN_ST_RNR; i++)
        status = set_up_once(team, node);
    return status == TERN_ST_OK;
}

/* Sets the group up on NICs above this one that are no members', up to one that serves another. */
static bool set_up_above(struct tern_team *team)
{
    unsigned rank = tern_tree_rank(team->peers[team->rank].node, team->dims);
    bool good = true;

    while (good && rank != 0) {
        uint16_t node = tern_tree_node(rank = (rank - 1) / 2, team->dims);

        if (team_rank_below(team, node) != team->rank)
            break;
        good = set_up(team, node);
    }
    return good;
}

int team_tree_join(struct tern_team *team, const struct tern_team_config *config,
                   const struct tern_info *info, unsigned *failed)
{
    static const struct tern_reduction all = {.op = TERN_REDUCE_MIN, .type = TERN_REDUCE_U32};
    struct tern_collective op;
    uint32_t have, agreed = 0;
    bool mine;
    int status;

    if (config->torus_alone || !(info->features & TERN_FEATURE_COMBINE) || team->size < 2)
        return 0;
    team->dims = info->dims;
    team->tree_limit = limit_of(team, config, info);
    team->tree_group = config->tag % TERN_TREE_GROUPS;
    team->tree_epoch = (uint8_t)config->tag;
    mine = set_up(team, team->peers[team->rank].node);
    have = mine && set_up_above(team);
    status = tern_collective_wait(&op, tern_allreduce(team, &op, &all, &have, &agreed,
                                                      sizeof(have), 0));
    team->tree = mine; /* to be left, at least */
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
