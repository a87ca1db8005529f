/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers that are combined on their way: a node of the box of a request checks in with the
 * node that its copy came from when all those that have their copies from it have checked in,
 * and it is ready itself.  The origin hears one answer for each of its ports.  The same again,
 * if the request says so, when all bytes have come.
 *
 * A refusal goes up at once with the place of the node that refuses. A node that does not answer is
 * named by its parent, whose time limit is a little shorter than that of its own parent.
 */
#ifndef FW_HANDSHAKE_TREE_H
#define FW_HANDSHAKE_TREE_H

#include "fw.h"
#include "node.h"

/* Its bit of the identify word FEATURES, or 0. */
extern const uint32_t fw_feature_tree;

/* The request; origin and this node are in the box, and not the same. */
struct fw_tree_new {
    struct box box;
    uint32_t origin, pass, epoch, area, limit, lease;
    bool delivered, is_member;
};

/* False: no place in the table, nobody will be told anything; or it is known already. */
bool fw_tree_begin(struct fw *fw, const struct fw_tree_new *wanted);

/* This node is ready, or why it is not. */
void fw_tree_answer(struct fw *fw, uint32_t pass, uint32_t epoch, uint32_t status);

/* All bytes have come here. */
void fw_tree_delivered(struct fw *fw, uint32_t pass, uint32_t epoch);

/* The origin wants no answer any more. */
void fw_tree_withdraw(struct fw *fw, uint32_t pass, uint32_t epoch);

/* A check-in with this node, in a receive slot: its status. */
uint32_t fw_tree_checkin(struct fw *fw, uint32_t slot);

/* Every tick; whether some request has a limit to keep. */
bool fw_trees_tick(struct fw *fw);

#endif
