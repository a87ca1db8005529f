/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Replaces tree.c in configurations without the feature TREE. Such a node forwards no answers; the
 * time limit of the origin's area ends.
 */
#include "tree.h"

const uint32_t fw_feature_tree = 0;

bool fw_tree_begin(struct fw *fw, const struct fw_tree_new *wanted)
{
    (void)fw;
    (void)wanted;
    return false;
}

void fw_tree_answer(struct fw *fw, uint32_t pass, uint32_t epoch, uint32_t status)
{
    (void)fw;
    (void)pass;
    (void)epoch;
    (void)status;
}

void fw_tree_delivered(struct fw *fw, uint32_t pass, uint32_t epoch)
{
    (void)fw;
    (void)pass;
    (void)epoch;
}

void fw_tree_withdraw(struct fw *fw, uint32_t pass, uint32_t epoch)
{
    (void)fw;
    (void)pass;
    (void)epoch;
}

uint32_t fw_tree_checkin(struct fw *fw, uint32_t slot)
{
    (void)fw;
    (void)slot;
    return TERN_ST_UNSUPPORTED;
}

bool fw_trees_tick(struct fw *fw)
{
    (void)fw;
    return false;
}
