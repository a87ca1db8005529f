/* SPDX-License-Identifier: Apache-2.0 */
/* A member of a pool, for the files of this folder. */
#ifndef TERN_POOL_MEMBER_H
#define TERN_POOL_MEMBER_H

#include <tern/pool.h>

#include "ground.h"
#include "wire.h"

/* Memory that its NIC reads and writes; registered. */
struct member_memory {
    struct wire_request request;
    struct pool_lease page;       /* as read last */
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
    struct wire_answer pool;      /* what the server answered to the join */
    uint16_t node, server_queue;
    uint64_t nonce;
    uint32_t asks;
    struct wire_answer *answer;   /* where the answer to the request under way goes; or NULL */
    bool answered;

    /* the keys in use, and the adoption that they belong to */
    struct tern_rptr shared, lease;
    uint64_t adoption, moved;
    uint32_t moved_at;            /* number that was published when they came */

    /* the lease */
    uint32_t alive, number;       /* as posted last */
    int64_t renewed, renewing;    /* ms: of the last renewal that arrived; of the one under way */
    bool putting, reading;
    bool advancing;               /* the renewal under way publishes a new number */
    bool over;                    /* fenced, or too late */
    bool spoiled;                 /* an operation ended that may still land: no number any more */

    /* operations begun since the put of the last number ended [current], and before that */
    uint32_t open[2];
    unsigned current;
};

/* Takes a completion of the member's own queue. */
void pool_member_heard(struct tern_member *member, const struct tern_completion *done);

/* Hears what ended on the member's own queue.  Never waits. */
void pool_member_hear(struct tern_member *member);

#endif
