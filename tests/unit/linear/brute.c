/* SPDX-License-Identifier: Apache-2.0 */
#include "brute.h"

#include <string.h>

struct brute {
    const struct linear_op *ops;
    size_t count;
    bool placed[BRUTE_OPS_MAX];
};

static bool pending(const struct linear_op *op)
{
    return op->responded == LINEAR_NO_RESPONSE;
}

/* Orders operations of one client that begin in the same tick: those without duration first. */
static bool is_first_of_client(const struct linear_op *a, size_t i,
                               const struct linear_op *b, size_t j)
{
    if (a->responded > b->invoked)
        return false;
    if (a->invoked != b->invoked)
        return a->invoked < b->invoked;
    if (pending(b))
        return false;
    return a->responded < b->responded || (a->responded == b->responded && i < j);
}

static bool precedes(const struct brute *brute, size_t i, size_t j)
{
    const struct linear_op *a = &brute->ops[i], *b = &brute->ops[j];

    if (pending(a))
        return false;
    if (a->client == b->client)
        return is_first_of_client(a, i, b, j);
    return a->responded < b->invoked;
}

static bool may_be_next(const struct brute *brute, size_t next)
{
    for (size_t i = 0; i < brute->count; i++)
        if (i != next && !brute->placed[i] && precedes(brute, i, next))
            return false;
    return true;
}

/* Applies an operation; false when it cannot have returned its result. */
static bool take_effect(const struct linear_op *op, uint64_t *held)
{
    uint64_t before = *held;
    bool equal = op->kind == LINEAR_MASKED_CAS
                     ? (before & op->compare_mask) == (op->compare & op->compare_mask)
                     : before == op->compare;

    if (op->kind == LINEAR_WRITE || op->kind == LINEAR_SWAP)
        *held = op->operand;
    if (op->kind == LINEAR_FAA)
        *held = before + op->operand;
    if (op->kind == LINEAR_CAS && equal)
        *held = op->operand;
    if (op->kind == LINEAR_MASKED_CAS && equal)
        *held = (op->operand & op->swap_mask) | (before & ~op->swap_mask);
    if (op->kind == LINEAR_TAKE)
        *held |= (before + op->operand) & op->swap_mask;
    return pending(op) || op->kind == LINEAR_WRITE || op->result == before;
}

static bool all_responses_placed(const struct brute *brute)
{
    for (size_t i = 0; i < brute->count; i++)
        if (!brute->placed[i] && !pending(&brute->ops[i]))
            return false;
    return true;
}

static bool place(struct brute *brute, const uint64_t held[BRUTE_WORDS_MAX])
{
    if (all_responses_placed(brute))
        return true;
    for (size_t i = 0; i < brute->count; i++) {
        uint64_t after[BRUTE_WORDS_MAX];
        bool found;

        memcpy(after, held, sizeof(after));
        if (brute->placed[i] || !may_be_next(brute, i) ||
            !take_effect(&brute->ops[i], &after[brute->ops[i].word]))
            continue;
        brute->placed[i] = true;
        found = place(brute, after);
        brute->placed[i] = false;
        if (found)
            return true;
    }
    return false;
}

bool brute_linearizable(const struct linear_op *ops, size_t count,
                        const uint64_t initial[BRUTE_WORDS_MAX])
{
    struct brute brute = {.ops = ops, .count = count};

    return place(&brute, initial);
}
