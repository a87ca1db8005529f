/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of the tree network, and contributions to them.
 *
 * The chip combines and answers; the core acts twice for each operation: it passes the contribution
 * to the tree, and writes the completion when the chip reports its end. The chip reports the end of
 * each contribution once, also when the group fails.
 *
 * A contribution from host memory is a put to this node itself whose packets go through the tree. A
 * group has at most two at a time, and no other contribution beside them.
 */
#ifndef FW_OP_COMBINE_H
#define FW_OP_COMBINE_H

#include "fw.h"

/* Returns the feature's bit of the identify word FEATURES; 0: without it, or without a tree. */
uint32_t fw_feature_combine(const struct fw *fw);

/* Call at boot. */
void fw_combines_init(struct fw *fw);

/* Handles OP_TREE_SET. */
void fw_tree_set(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Handles OP_COMBINE. */
void fw_combine(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Handles OP_TREE_PUT: a put whose packets go over the links of the tree. Its answers come over the
 * torus.
 */
void fw_tree_put(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Handles OP_TREE_FORWARD: sets up a group in another node, which only forwards. That node's host
 * has no part in it: the group belongs to no function there, but serves this node. If another node
 * wants it, the other firmware asks this one whether the group is still in use here.
 */
void fw_tree_forward(struct fw *fw, struct fw_queue *q, uint32_t event);

/* Handles such a packet, set-up or question. */
uint32_t fw_forward_take(struct fw *fw, uint32_t slot);

/* Tells whether the own slot holds a question. */
bool fw_forward_is(uint32_t slot);

/* Handles the answer to the question in the own slot. */
void fw_forward_answered(struct fw *fw, uint32_t slot, uint32_t status);

/* Handles the end of a contribution. */
void fw_combine_ended(struct fw *fw, uint32_t event);

/* Ends the contribution from host memory in the slot; false: it has none. */
bool fw_combine_over(struct fw *fw, uint32_t slot, uint32_t status);

/* Gives back the groups of functions being taken down, and ends their contributions. */
void fw_combines_sweep(struct fw *fw);

#endif
