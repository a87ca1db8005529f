/* SPDX-License-Identifier: Apache-2.0 */
#include "spec.h"

static uint64_t masked_swap(const struct linear_op *op, uint64_t before)
{
    if ((before ^ op->compare) & op->compare_mask)
        return before;
    return (before & ~op->swap_mask) | (op->operand & op->swap_mask);
}

uint64_t linear_after(const struct linear_op *op, uint64_t before)
{
    switch (op->kind) {
    case LINEAR_WRITE:
    case LINEAR_SWAP:
        return op->operand;
    case LINEAR_CAS:
        return before == op->compare ? op->operand : before;
    case LINEAR_MASKED_CAS:
        return masked_swap(op, before);
    case LINEAR_FAA:
        return before + op->operand;
    case LINEAR_TAKE:
        return before | ((before + op->operand) & op->swap_mask);
    case LINEAR_READ:
        break;
    }
    return before;
}

static int compared(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

int linear_compare_times(const struct linear_op *a, const struct linear_op *b)
{
    int order = compared(a->invoked, b->invoked);

    /* adding 1 makes LINEAR_NO_RESPONSE 0 */
    return order != 0 ? order : compared(a->responded + 1, b->responded + 1);
}
