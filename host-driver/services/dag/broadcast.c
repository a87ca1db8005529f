/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The end of a node with successors at many homes, told to all homes by one broadcast of a word. A
 * worker makes the group of the homes with its first such node. After a broadcast that failed, it
 * sets the bits itself.
 */
#include <stdlib.h>
#include <string.h>

#include <tern/group.h>

#include "run.h"

static int make_group(struct tern_run *run)
{
    const struct dag_head *first = &run->homes[0].head;
    uint16_t *nodes = calloc(run->count, sizeof(*nodes)), node;
    int status = nodes ? 0 : -TERN_ST_NO_MEMORY;

    run->self = false;
    for (unsigned h = 0; h < run->count && !status; h++) {
        nodes[h] = tern_member_node(run->homes[h].member);
        run->self |= nodes[h] == run->here;
        if (run->homes[h].head.fan_key != first->fan_key)
            status = -TERN_ST_BAD_KEY;
    }
    if (!status)
        status = tern_group_create_list(run->cq, nodes, run->count, first->fan_key,
                                        (uint64_t)first->fan_count * DAG_WORD, &run->group);
    if (!status)
        status = tern_group_open(run->group, &node);
    free(nodes);
    return status;
}

void broadcast_end(struct tern_run *run)
{
    if (run->group && tern_group_destroy(run->group) == 0)
        run->group = NULL;
}

int broadcast_tell(struct tern_run *run, uint32_t node, uint32_t fan)
{
    uint64_t word = dag_told(run->homes[0].head.started, run->life, node);
    struct dag_op op = {.kind = OP_BROADCAST, .at = (uint64_t)(fan - 1) * DAG_WORD,
                        .bytes = sizeof(word)};
    uint32_t number;
    int status;

    if (fan == 0 || run->alone || fan > run->homes[0].head.fan_count)
        return 0;
    if (!run->group && make_group(run) != 0) {
        broadcast_end(run);
        run->alone = true;
        return 0;
    }
    op.flags = run->self ? TERN_DFLAG_SELF : 0;
    memcpy(op.bytes_put, &word, sizeof(word));
    round_begin(run);
    number = round_add(run, &op);
    status = round_go(run);
    if (status)
        return status;
    run->alone = round_old(run, number) != 0;
    if (run->alone)
        broadcast_end(run);
    run->counts.broadcasts += !run->alone;
    return !run->alone;
}
