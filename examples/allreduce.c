/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Adds up a number of each node, so that every node has the sum.
 *
 *   tern sim --torus 2x2x1 &
 *   ./allreduce sim:0.0.0 sim:1.0.0 sim:0.1.0 sim:1.1.0
 *
 * A process for each NIC; the order of the arguments is that of the ranks. Each adds its rank + 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tern/collective.h>

enum { MEMBERS_MAX = 64, INDEX = 40, TAG = 1 };

static int fail(const char *what, int status)
{
    fprintf(stderr, "allreduce: %s: %s\n", what, tern_strerror(status));
    return 1;
}

/* Is the member `rank` of the team of `uris`. */
static int member(char **uris, int count, int rank)
{
    const struct tern_reduction sum = {.op = TERN_REDUCE_SUM, .type = TERN_REDUCE_U64};
    struct tern_team_config config = {.count = (unsigned)count, .index = INDEX, .tag = TAG};
    uint64_t mine = (uint64_t)rank + 1, all = 0;
    uint16_t nodes[MEMBERS_MAX];
    struct tern_collective op;
    struct tern_device *device;
    struct tern_team *team;
    struct tern_info info;
    struct tern_cq *cq;
    int status;

    for (int i = 0; i < count; i++)
        if (tern_node_parse(uris[i] + 4, &nodes[i], NULL)) /* after "sim:" */
            return fail(uris[i], -TERN_ST_BAD_ARGUMENT);
    if ((status = tern_open(uris[rank], &device)) < 0 || (status = tern_query(device, &info)) < 0 ||
        (status = tern_cq_create(device, 8, 0, &cq)) < 0)
        return fail(uris[rank], status);
    config.nodes = nodes;
    config.queue = (uint16_t)(info.queues - 1);
    if ((status = tern_team_create(cq, &config, &team, NULL)) < 0)
        return fail("the team", status);
    status = tern_collective_wait(&op, tern_allreduce(team, &op, &sum, &mine, &all, 8, 0));
    if (status)
        return fail("allreduce", status);
    if (rank == 0)
        printf("the sum of 1 to %d is %d\n", count, (int)all);
    if ((status = tern_team_destroy(team)) < 0)
        return fail("the end of the team", status);
    tern_close(device);
    return all != (uint64_t)count * ((uint64_t)count + 1) / 2;
}

int main(int argc, char **argv)
{
    int failed = 0, status, count = argc - 1;

    if (count < 1 || count > MEMBERS_MAX) {
        fprintf(stderr, "usage: allreduce sim:X.Y.Z...\n");
        return 2;
    }
    for (int rank = 0; rank < count; rank++)
        if (fork() == 0)
            exit(member(argv + 1, count, rank));
    for (int rank = 0; rank < count; rank++)
        failed |= wait(&status) < 0 || status != 0;
    return failed;
}
