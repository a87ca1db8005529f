/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cable between the second PHYs of two simulated boards, each a process: RGMII pins of a board
 * on one side, a UNIX socket to the other process on the other side.
 *
 * The two processes run in step: each sends what its board sent in a slice of time, and waits for
 * the other's slice before it goes on. So time is the same at both ends, however busy the machine
 * is. A cable that is cut carries nothing, but keeps the two in step. Without a peer, time goes on
 * alone.
 */
#ifndef TERN_SIM_BOARD_CABLE_H
#define TERN_SIM_BOARD_CABLE_H

#include <stdbool.h>

#include "tern_board.h"

/* Steps of a slice, half a cycle of 125 MHz each. */
enum { BOARD_CABLE_SLICE = 250 };

/* Opens the cable at `path`: the first board listens there, the second one connects, and waits for
 * the first. False with errno. */
bool board_cable_open(const char *path, bool second);
void board_cable_close(void);

/* Set the inputs before a step; take the outputs after it. */
void board_cable_drive(struct tern_board_pins *pins);
void board_cable_sense(const struct tern_board_pins *pins);

/* Ends a slice: exchanges it for the peer's. `idle`: this board would rather sleep. Returns whether
 * it may, as far as the peer goes. */
bool board_cable_exchange(bool idle);

/* Cuts the cable, or mends it. Safe in a signal handler. */
void board_cable_cut(bool cut);

/* Prints counts, in the line that began. */
void board_cable_counts(void);

#endif
