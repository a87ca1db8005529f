/* SPDX-License-Identifier: Apache-2.0 */
/* Frees slabs of owners that are no longer members, and slabs without an owner. */
#include <tern/slabs.h>

#include "slabs_inside.h"

enum { LOOKS = 3 }; /* three looks span two grace periods */

/* Tells whether the slab changed meanwhile, by its owner. */
static bool is_elsewhere(int status)
{
    return status == -TERN_ST_NOT_TAKEN || status == -TERN_ST_NOT_OWNER ||
        status == -TERN_ST_STALE_POINTER;
}

/* Gives back the slabs whose owner `is_dead` accepts. */
static int give_back_those(struct tern_allocator *a, const void *head,
                           bool (*is_dead)(const void *of, struct tern_holder holder),
                           const void *of)
{
    int count = 0;

    for (uint32_t index = 0; index < a->blocks.slabs; index++) {
        struct tern_slab slab;
        struct tern_holder holder = tern_blocks_holder(&a->blocks, head, index, &slab);
        int status;

        if (holder.owner == 0 || !is_dead(of, holder))
            continue;
        status = tern_slab_give_back(a, holder, &slab);
        if (status < 0 && !is_elsewhere(status))
            return status;
        count += status == 0;
    }
    return count;
}

static bool is_it(const void *of, struct tern_holder holder)
{
    return tern_holder_is(*(const struct tern_holder *)of, holder);
}

int tern_blocks_recover(struct tern_allocator *a, const void *head, struct tern_holder dead)
{
    return give_back_those(a, head, is_it, &dead);
}

/* ---- slabs without an owner */

bool tern_slab_is_orphan(const struct tern_blocks *blocks, const void *head, uint32_t index,
                         uint64_t *seen)
{
    struct tern_slab slab;
    struct tern_holder holder;
    uint64_t looks;

    if (!tern_slab_is_taken(head, index)) {
        *seen = 0;
        return false;
    }
    holder = tern_blocks_holder(blocks, head, index, &slab);
    looks = (uint32_t)*seen == slab.generation ? *seen >> 32 : 0;
    if (holder.owner != 0)
        looks = 0;
    else
        looks++;
    *seen = looks == 0 || looks == LOOKS ? 0 : looks << 32 | slab.generation;
    return looks == LOOKS;
}

int tern_slabs_free(struct tern_allocator *a, uint32_t word, uint64_t bits)
{
    struct tern_completion done;
    struct tern_once once;
    int status;

    tern_once_begin(&once, a->sq, &done);
    status = tern_slabs_clear(a->sq, &a->blocks, word, bits, TERN_DFLAG_SIGNAL, 0);
    status = tern_once_end(&once, status, a->timeout_ms);
    if (status || done.status != TERN_ST_OK)
        return status ? status : -(int)done.status;
    return (done.value & bits) == bits ? __builtin_popcountll(bits) : 0;
}

/*
 * Looks at the slabs of a word. No client knows of the slabs that this frees, so their bits stay
 * set meanwhile.
 */
static int sweep_word(struct tern_allocator *a, const void *head, uint32_t word, uint64_t *seen)
{
    uint32_t first = word * TERN_BLOCK_SLABS;
    uint64_t orphans = 0;

    for (uint32_t i = 0; i < TERN_BLOCK_SLABS && first + i < a->blocks.slabs; i++)
        if (tern_slab_is_orphan(&a->blocks, head, first + i, &seen[first + i]))
            orphans |= UINT64_C(1) << i;
    return orphans ? tern_slabs_free(a, word, orphans) : 0;
}

static int look(struct tern_allocator *a, const void *head, uint64_t *seen)
{
    int count = 0, status = 0;

    for (uint32_t word = 0; word < tern_blocks_words(&a->blocks) && status >= 0; word++) {
        status = sweep_word(a, head, word, seen);
        count += status;
    }
    return status < 0 ? status : count;
}

/* ---- both */

struct list {
    const struct tern_grace *grace;
    struct tern_holder own;
};

/*
 * Tells whether a holder is not in the list. The owner word was read before the list, so a member
 * that has just joined is in the list.
 */
static bool is_in_no_list(const void *of, struct tern_holder holder)
{
    const struct list *list = of;

    return !tern_holder_is(list->own, holder) && !tern_grace_knows(list->grace, holder);
}

int tern_blocks_sweep(struct tern_allocator *a, const void *head, struct tern_grace *grace,
                      uint64_t *seen)
{
    const struct list list = {grace, a->holder};
    int freed = 0, count;

    if (tern_grace_is_over(grace)) {
        freed = look(a, head, seen);
        tern_grace_begin(grace);
    }
    if (freed < 0)
        return freed;
    count = give_back_those(a, head, is_in_no_list, &list);
    return count < 0 ? count : freed + count;
}
