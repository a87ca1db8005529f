/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Combines the answers to a request along the tree by which routers copied it.  A node's parent is
 * the node that forwarded the request to it.  A node checks in with its parent once all its
 * children have checked in and it is ready itself, so the origin gets one answer per port.  If the
 * request asks for it, the nodes check in a second time after all bytes have arrived.
 *
 * A node passes a refusal to its parent at once, with the place of the refusing node.  If a node
 * does not answer, its parent names it; each parent's time limit is a little shorter than that of
 * its own parent.
 */
#ifndef FW_HANDSHAKE_TREE_H
#define FW_HANDSHAKE_TREE_H

#include "fw.h"
#include "node.h"

/* The feature's bit of the identify word FEATURES, or 0. */
extern const uint32_t fw_feature_tree;

/* The request; its origin is another node of the box. */
struct fw_tree_new {
    struct box box;
    uint32_t origin, pass, epoch, area, limit, lease;
    bool delivered, is_member;
};

/*
 * Enters a request. False: the table is full, so no node gets an answer; or the request is already
 * there.
 */
bool fw_tree_begin(struct fw *fw, const struct fw_tree_new *wanted);

/* Records that this node is ready, or the status that says why not. */
void fw_tree_answer(struct fw *fw, uint32_t pass, uint32_t epoch, uint32_t status);

/* Records that all bytes have arrived at this node. */
void fw_tree_delivered(struct fw *fw, uint32_t pass, uint32_t epoch);

/* Ends the request without an answer: the origin has withdrawn it. */
void fw_tree_withdraw(struct fw *fw, uint32_t pass, uint32_t epoch);

/* Takes a child's check-in from a receive slot; returns the status for its ack. */
uint32_t fw_tree_checkin(struct fw *fw, uint32_t slot);

/* Call every tick; returns whether a request still has a time limit. */
bool fw_trees_tick(struct fw *fw);

#endif
