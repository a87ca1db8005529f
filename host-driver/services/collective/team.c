/* SPDX-License-Identifier: Apache-2.0 */
/* Makes and destroys teams, and their memory. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "team.h"

enum { ALIGN = 64, MORE_ENTRIES = 8, RETRY_US = 2000, WORD = 8 };

/* ---- memory */

/* Only rank 0 has slots. */
static int make_memory(struct tern_team *team)
{
    size_t slots = team->rank == 0 ? (size_t)team->size * team->chunk : 0;
    void *memory;

    team->bytes = (size_t)team_slot_at(team, 0) + slots;
    if (posix_memalign(&memory, ALIGN, team->bytes))
        return -TERN_ST_NO_MEMORY;
    memset(memory, 0, team->bytes);
    team->memory = memory;
    return 0;
}

/* ---- making */

/* Returns the rank of `node`, or TERN_RANK_NONE. */
static uint16_t rank_of(const struct tern_team *team, uint16_t node)
{
    for (uint16_t i = 0; i < team->size; i++)
        if (team->peers[i].node == node)
            return i;
    return TERN_RANK_NONE;
}

static int check(const struct tern_team *team, const struct tern_info *info)
{
    struct tern_box all = tern_box_all(info->dims);

    for (uint16_t i = 0; i < team->size; i++) {
        uint16_t node = team->peers[i].node;

        for (unsigned d = 0; d < 3; d++)
            if ((node >> 5 * d & 31) > (all.high >> 5 * d & 31) || node & 0x8000)
                return -TERN_ST_BAD_NODE;
        if (rank_of(team, node) != i)
            return -TERN_ST_DUP_MEMBER;
    }
    if (team->rank == TERN_RANK_NONE)
        return -TERN_ST_BAD_ARGUMENT;
    if (team->chunk % ALIGN || team->chunk / WORD < team->size || team->chunk > info->put_bytes_max)
        return -TERN_ST_BAD_SIZE;
    return 0;
}

static void name_members(struct tern_team *team, const struct tern_team_config *config,
                         const struct tern_info *info)
{
    unsigned sides[3] = {(info->dims & 31) + 1u, (info->dims >> 5 & 31) + 1u, 0};

    for (unsigned i = 0; i < team->size; i++)
        team->peers[i].node = config->nodes ? config->nodes[i] :
            tern_node(i % sides[0], i / sides[0] % sides[1], i / sides[0] / sides[1]);
    team->rank = rank_of(team, info->node);
}

static unsigned log2_of(unsigned least)
{
    unsigned log2 = 0;

    while (1u << log2 < least)
        log2++;
    return log2;
}

/* The NIC learns of freed entries in quarters, so twice as many as members are enough. */
static int make_queues(struct tern_team *team)
{
    unsigned entries = 2u * team->size + MORE_ENTRIES;
    int status = tern_sq_create(team->cq, log2_of(entries), &team->sq);

    if (status)
        return status;
    status = tern_rq_create(team->cq, log2_of(entries), WIRE_LOG2, team->queue, &team->rq);
    if (status)
        return status;
    tern_work_add(team->cq, &team->work, &team_calls);
    tern_rq_serve(team->rq, &team->work);
    return 0;
}

/* Registers memory last: a peer that reaches it finds the queue as well. */
static int make_regions(struct tern_team *team)
{
    struct tern_device *device = tern_cq_device(team->cq);
    const struct tern_region_attr result = {.addr = team->memory, .bytes = team->chunk,
                                            .member = true, .key = team->key};
    const struct tern_region_attr whole = {
        .addr = team->memory, .bytes = team->bytes, .keyed = true, .key = team_whole_key(team),
        .rights = TERN_RIGHT_LOCAL_READ | TERN_RIGHT_REMOTE_WRITE};
    int status = tern_register_with(device, &result, &team->member);

    return status ? status : tern_register_with(device, &whole, &team->whole);
}

/* ---- waiting for the others */

static void pause_some(void)
{
    const struct timespec pause = {.tv_nsec = RETRY_US * 1000L};

    nanosleep(&pause, NULL);
}

/* Opens the group of all others, again and again until all are there. */
static int await_all(struct tern_team *team, int64_t end, unsigned *failed)
{
    uint16_t nodes[TERN_TEAM_MEMBERS], node;
    int status;

    if (team->size == 1)
        return 0;
    for (unsigned i = 0; i < team->size; i++)
        nodes[i] = team->peers[i].node;
    status = tern_group_create_list(team->cq, nodes, team->size, team->key, team->chunk,
                                    &team->group);
    if (status)
        return status;
    tern_group_serve(team->group, &team->work);
    for (;;) {
        node = team->peers[team->rank].node;
        status = tern_group_open(team->group, &node);
        if (!status || status == -TERN_ST_DISCONNECTED)
            return status;
        if (team_now_ms() >= end)
            break;
        pause_some();
    }
    if (node != team->peers[team->rank].node)
        *failed = rank_of(team, node);
    return status;
}

static enum tern_status ask_first(struct tern_team *team, int *status)
{
    static const uint8_t byte;
    struct tern_completion done = {0};
    struct tern_once once;
    struct tern_rptr to = team_pointer(team, team->peers[0].node, team_probe_at(team));

    tern_once_begin(&once, team->sq, &done);
    *status = tern_once_end(&once, tern_put_inline(team->sq, to, &byte, sizeof(byte),
                                                   TERN_DFLAG_SIGNAL | TERN_DFLAG_OFFSET, 0), -1);
    return done.status;
}

static int await_first(struct tern_team *team, int64_t end, unsigned *failed)
{
    for (;;) {
        int status;
        enum tern_status answer = ask_first(team, &status);

        if (status || answer == TERN_ST_OK || answer == TERN_ST_DISCONNECTED)
            return status ? status : -(int)answer;
        if (team_now_ms() >= end) {
            *failed = 0;
            return answer == TERN_ST_BAD_KEY ? -TERN_ST_NO_BASE : -TERN_ST_DEAD_MEMBER;
        }
        pause_some();
    }
}

/* ---- ending */

/* Polls once: an empty operation makes the queue report. */
static int turn(struct tern_team *team)
{
    struct tern_completion done;
    struct tern_once once;

    tern_once_begin(&once, team->sq, &done);
    return tern_once_end(&once, tern_nop(team->sq, TERN_DFLAG_SIGNAL, 0), -1);
}

static int free_group(struct tern_team *team)
{
    int status = 0;

    while (team->group && (status = tern_group_destroy(team->group)) == -TERN_ST_QUEUE_BUSY) {
        status = turn(team); /* it diagnoses a failure */
        if (status && status != -TERN_ST_AGAIN)
            break;
    }
    team->group = NULL;
    return status;
}

static void keep(int *first, int status)
{
    if (!*first)
        *first = status;
}

/* Waits until all posts have ended. */
static int settle(struct tern_team *team)
{
    int status = 0;

    while (!status && team->sq && (team->out || team->probes)) {
        status = turn(team);
        if (status == -TERN_ST_AGAIN)
            status = 0;
    }
    return status;
}

/* Frees all that the team has, in the order in which one needs the other. */
static int team_end(struct tern_team *team)
{
    int status = settle(team);

    if (!status)
        team_tree_leave(team);
    keep(&status, free_group(team));
    if (team->member)
        keep(&status, tern_release(team->member));
    if (team->whole)
        keep(&status, tern_release(team->whole));
    if (team->rq)
        keep(&status, tern_rq_destroy(team->rq));
    if (team->sq)
        keep(&status, tern_sq_destroy(team->sq));
    tern_work_remove(&team->work);
    free(team->memory);
    free(team);
    return status;
}

int tern_team_destroy(struct tern_team *team)
{
    return team->first ? -TERN_ST_QUEUE_BUSY : team_end(team);
}

/* ---- making, all of it */

static struct tern_team *team_new(struct tern_cq *cq, const struct tern_team_config *config,
                                  unsigned size)
{
    struct tern_team *team = calloc(1, sizeof(*team) + size * sizeof(team->peers[0]));

    if (!team)
        return NULL;
    team->cq = cq;
    team->last = &team->first;
    team->size = (uint16_t)size;
    team->key = tern_group_key(config->index, config->tag);
    team->queue = config->queue;
    team->chunk = config->chunk ? config->chunk : TERN_TEAM_CHUNK;
    team->limit_ms = config->limit_ms ? config->limit_ms : TERN_TEAM_LIMIT_MS;
    return team;
}

static int begin(struct tern_team *team, unsigned *failed)
{
    int64_t end = team_now_ms() + team->limit_ms;
    int status = make_memory(team);

    if (!status)
        status = make_queues(team);
    if (!status)
        status = make_regions(team);
    if (status)
        return status;
    return team->rank == 0 ? await_all(team, end, failed) : await_first(team, end, failed);
}

int tern_team_create(struct tern_cq *cq, const struct tern_team_config *config,
                     struct tern_team **out, unsigned *failed)
{
    unsigned none = TERN_RANK_NONE, *named = failed ? failed : &none, size;
    struct tern_info info;
    struct tern_team *team;
    int status;

    *named = TERN_RANK_NONE;
    if (!config)
        return -TERN_ST_BAD_ARGUMENT;
    status = tern_query(tern_cq_device(cq), &info);
    if (status)
        return status;
    size = config->nodes ? config->count : tern_box_nodes(tern_box_all(info.dims), info.dims);
    if (size == 0 || size > TERN_TEAM_MEMBERS)
        return -TERN_ST_BAD_SIZE;
    team = team_new(cq, config, size);
    if (!team)
        return -TERN_ST_NO_MEMORY;
    name_members(team, config, &info);
    status = check(team, &info);
    if (!status)
        status = begin(team, named);
    if (!status)
        status = team_tree_join(team, config, &info, named);
    if (status) {
        (void)team_end(team);
        return status;
    }
    *out = team;
    return 0;
}

/* ---- questions */

bool tern_team_has_tree(const struct tern_team *team)
{
    return team->tree && !team->tree_over;
}

unsigned tern_team_rank(const struct tern_team *team)
{
    return team->rank;
}

unsigned tern_team_size(const struct tern_team *team)
{
    return team->size;
}

uint16_t tern_team_node(const struct tern_team *team, unsigned rank)
{
    return rank < team->size ? team->peers[rank].node : TERN_RANK_NONE;
}
