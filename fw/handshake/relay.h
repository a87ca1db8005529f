/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Requests to send that go from member to member.
 *
 * The origin sends the request to the first node of a box. Each makes room in its arena, stores the
 * request there, adds where its room is, and forwards it to the next node on a path through all
 * nodes of the box; the last one answers the origin, by a remote get that makes it begin the
 * broadcast. So the origin hears once, however many they are. Every node of the box has to be a
 * member. A node that cannot forward, or that the next node refuses, reports to the origin by a
 * check-in that names the next node.
 *
 * The mechanism: store-and-forward request to send of US8325633.
 */
#ifndef FW_HANDSHAKE_RELAY_H
#define FW_HANDSHAKE_RELAY_H

#include "fw.h"

/* Its bit of the identify word FEATURES, or 0. */
extern const uint32_t fw_feature_relay;

/* Starts the first request of a descriptor, OP_RELAY. */
void fw_relay(struct fw *fw, struct fw_queue *q, uint32_t event);

/* A request in a receive slot: why not, or FW_LATER: fw_relay_stored() has the answer. */
uint32_t fw_relay_take(struct fw *fw, uint32_t slot);

/* Whether what is written for the message in a receive slot is a request. */
bool fw_relay_has(const struct fw *fw, uint32_t slot);

/* Goes on after host memory took or refused the request; returns the status to answer. */
uint32_t fw_relay_stored(struct fw *fw, uint32_t slot, uint32_t status);

/* Handles a request in an own slot that did not reach the next member. */
void fw_relay_failed(struct fw *fw, uint32_t slot, uint32_t status);

#endif
