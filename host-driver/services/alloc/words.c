/* SPDX-License-Identifier: Apache-2.0 */
/* Words of a heap, which its server changes through the NIC, as clients do. See owner.h. */
#include <tern/atomic.h>

#include "owner.h"

enum { WAIT_MS = 10000 };

/* Waits for the end of one operation; returns its status. */
static int end(struct tern_once *once, int posted, const struct tern_completion *done,
               uint64_t *before)
{
    int status = tern_once_end(once, posted, WAIT_MS);

    if (!status && done->status != TERN_ST_OK)
        status = -(int)done->status;
    if (!status && before)
        *before = done->value;
    return status;
}

int heap_swap_if(struct heap_owner *o, uint64_t offset, uint64_t compare, uint64_t compare_mask,
                 uint64_t swap, uint64_t *before)
{
    const struct tern_masked masked = {compare, compare_mask, swap, UINT64_MAX};
    struct tern_sq *sq = tern_pool_queue(o->pool);
    struct tern_completion done;
    struct tern_once once;

    tern_once_begin(&once, sq, &done);
    return end(&once,
               tern_compare_swap_masked(sq, tern_pool_rptr(o->pool, offset), &masked,
                                        TERN_DFLAG_SIGNAL, 0),
               &done, before);
}

int heap_set(struct heap_owner *o, uint64_t offset, uint64_t word)
{
    return heap_swap_if(o, offset, 0, 0, word, NULL);
}

int heap_clear_at(struct heap_owner *o, uint64_t offset, uint32_t bits, uint32_t frees)
{
    const struct tern_masked clear = heap_clear(bits, frees);
    struct tern_sq *sq = tern_pool_queue(o->pool);
    struct tern_completion done;
    struct tern_once once;

    tern_once_begin(&once, sq, &done);
    return end(&once,
               tern_fetch_add_masked(sq, tern_pool_rptr(o->pool, offset), &clear,
                                     TERN_DFLAG_SIGNAL, 0),
               &done, NULL);
}

int heap_discount(struct heap_owner *o, uint32_t block, uint32_t by)
{
    uint64_t at = heap_header_at(o, block), word = heap_word_at(o, at);

    for (;;) {
        uint32_t used = heap_unpack(word).used;
        uint64_t before = 0;
        int status = heap_swap_if(o, at, word, UINT64_MAX,
                                  heap_count(word, used > by ? used - by : 0), &before);

        if (status || before == word)
            return status;
        word = before;
    }
}
