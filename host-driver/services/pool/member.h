/* SPDX-License-Identifier: Apache-2.0 */
/* A member of a pool, for the files of this folder. */
#ifndef TERN_POOL_MEMBER_H
#define TERN_POOL_MEMBER_H

#include <tern/pool.h>

#include "ground.h"
#include "wire.h"

/* Memory that the member's NIC reads and writes; registered. */
struct member_memory {
    struct wire_request request;
    struct pool_lease page;       /* as last read */
    struct pool_entry directory[POOL_OBJECTS + 1];
};

struct tern_member {
    struct tern_device *device;
    struct tern_info info;
    struct tern_cq *cq;
    struct tern_sq *sq;
    struct tern_rq *rq;
    struct tern_region *region;
    struct member_memory *memory;
    struct wire_answer pool;      /* answer of the server to the join */
    uint16_t node, server_queue;
    uint64_t nonce;
    uint32_t asks;
    struct wire_answer *answer;   /* where the answer to the request under way goes; or NULL */
    bool answered;

    /* the keys in use, and their adoption */
    struct tern_rptr shared, lease;
    uint64_t adoption, moved;
    uint32_t moved_at;            /* number that was published when the keys came */

    /* the lease */
    uint32_t alive, number;       /* as last posted */
    int64_t renewed, renewing;    /* ms: of the last renewal that arrived; of the one in flight */
    bool putting, reading;
    bool advancing;               /* the renewal in flight publishes a new number */
    bool over;                    /* fenced, or too late */
    bool spoiled;                 /* an operation may still change memory: publish no more
                                   * numbers */

    /* operations begun since the last number's put ended [current], and those begun before */
    uint32_t open[2];
    unsigned current;
};

/* Handles a completion of the member's own queue. */
void pool_member_heard(struct tern_member *member, const struct tern_completion *done);

/* Handles all completions of the member's own queue. Never waits. */
void pool_member_hear(struct tern_member *member);

#endif
