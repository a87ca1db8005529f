/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to send that go from member to member.
 *
 * The origin sends the request to the first node of a box. Each node reserves room in its arena,
 * stores the request there, adds the place of its room, and forwards it to the next node on a path
 * through the box. The last node answers the origin with a remote get that makes it begin the
 * broadcast. So the origin gets one answer, whatever the number of nodes. Every node of the box
 * must be a member. If a node cannot forward, or the next node refuses, it reports to the origin
 * with a check-in that names the next node.
 *
 * The mechanism: store-and-forward request to send of US8325633.
 */
#ifndef FW_HANDSHAKE_RELAY_H
#define FW_HANDSHAKE_RELAY_H

#include "fw.h"

/* The feature's bit of the identify word FEATURES, or 0. */
extern const uint32_t fw_feature_relay;

/* Starts the first request of a descriptor, OP_RELAY. */
void fw_relay(struct fw *fw, struct fw_queue *q, uint32_t event);

/*
 * Handles a request in a receive slot: returns its fault, or FW_LATER; fw_relay_stored() then
 * follows.
 */
uint32_t fw_relay_take(struct fw *fw, uint32_t slot);

/* Tells whether the write for the message in a receive slot is that of a request. */
bool fw_relay_has(const struct fw *fw, uint32_t slot);

/* Continues after host memory took or refused the request; returns the status to answer. */
uint32_t fw_relay_stored(struct fw *fw, uint32_t slot, uint32_t status);

/* Handles a request in an own slot that did not reach the next member. */
void fw_relay_failed(struct fw *fw, uint32_t slot, uint32_t status);

#endif
