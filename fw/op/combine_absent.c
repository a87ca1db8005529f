/* SPDX-License-Identifier: Apache-2.0 */
/* Replaces combine.c in configurations without the feature COMBINE. */
#include "combine.h"
#include "desc.h"

uint32_t fw_feature_combine(const struct fw *fw)
{
    (void)fw;
    return 0;
}

void fw_tree_set(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_desc_not_started(fw, q, event, TERN_ST_UNSUPPORTED);
}

void fw_combine(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_tree_set(fw, q, event);
}

void fw_tree_put(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_tree_set(fw, q, event);
}

void fw_tree_forward(struct fw *fw, struct fw_queue *q, uint32_t event)
{
    fw_tree_set(fw, q, event);
}

void fw_combines_init(struct fw *fw)
{
    (void)fw;
}

/* No contribution begins, so none ends. */
void fw_combine_ended(struct fw *fw, uint32_t event)
{
    (void)fw;
    (void)event;
}

void fw_combines_sweep(struct fw *fw)
{
    (void)fw;
}

/* For tests that link this file to the full firmware; in lean no code calls these. */
uint32_t fw_forward_take(struct fw *fw, uint32_t slot)
{
    (void)fw;
    (void)slot;
    return TERN_ST_BAD_OPCODE;
}

bool fw_forward_is(uint32_t slot)
{
    (void)slot;
    return false;
}

void fw_forward_answered(struct fw *fw, uint32_t slot, uint32_t status)
{
    (void)fw;
    (void)slot;
    (void)status;
}

bool fw_combine_over(struct fw *fw, uint32_t slot, uint32_t status)
{
    (void)fw;
    (void)slot;
    (void)status;
    return false;
}
