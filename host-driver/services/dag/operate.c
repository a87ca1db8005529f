/* SPDX-License-Identifier: Apache-2.0 */
/* See operate.h. */
#include "operate.h"

enum { WAIT_MS = 10000 };

int operate_swap(struct tern_pool *pool, uint64_t at, const struct tern_masked *masked,
                 uint64_t *old)
{
    struct tern_sq *sq = tern_pool_queue(pool);
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, sq, &done);
    status = tern_once_end(&once,
                           tern_compare_swap_masked(sq, tern_pool_rptr(pool, at), masked,
                                                    TERN_DFLAG_SIGNAL, 0),
                           WAIT_MS);
    if (!status && done.status != TERN_ST_OK)
        status = -(int)done.status;
    *old = status ? 0 : done.value;
    return status;
}

int operate_swap_word(struct tern_pool *pool, uint64_t at, uint64_t from, uint64_t to)
{
    const struct tern_masked masked = {from, UINT64_MAX, to, UINT64_MAX};
    uint64_t old;
    int status = operate_swap(pool, at, &masked, &old);

    return status ? status : old == from;
}

int operate_add(struct tern_pool *pool, uint64_t at, uint64_t add)
{
    struct tern_sq *sq = tern_pool_queue(pool);
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, sq, &done);
    status = tern_once_end(
        &once, tern_fetch_add(sq, tern_pool_rptr(pool, at), add, TERN_DFLAG_SIGNAL, 0), WAIT_MS);
    return status ? status : -(int)done.status;
}

int operate_push(struct tern_pool *pool, const struct dag_head *head, uint8_t life,
                 uint32_t place)
{
    const struct tern_masked set = dag_set(life, dag_bit(place % DAG_BITS));
    uint64_t old;

    return operate_swap(pool, head->ready + (uint64_t)(place / DAG_BITS) * DAG_WORD, &set, &old);
}
