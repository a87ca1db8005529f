/* SPDX-License-Identifier: Apache-2.0 */
/* Ethernet to a board: an interface of this machine, or a socket of a simulated board. */
#ifndef TERN_BRIDGE_ETHER_H
#define TERN_BRIDGE_ETHER_H

#include "packet.h"

/*
 * Opens an interface by its name, which needs CAP_NET_RAW, or, if the name has a slash, connects to
 * the UNIX socket of that path, each of whose messages is a frame. Writes the own address. Returns
 * the descriptor, non-blocking, or -1 with errno.
 */
int tern_ether_open(const char *name, uint8_t host[TERN_PACKET_ADDRESS]);

/*
 * Returns whether a failed read or write leaves the line as it was: nothing there, no room, or an
 * interface that is down, perhaps for a while.
 */
bool tern_ether_lives(int error);

#endif
