/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An Ethernet PHY at its RGMII pins, 1 Gb/s, between two directions of a cable. A step is half a
 * cycle of 125 MHz. The PHY delays both clocks, so data goes with the edge that it changes with.
 */
#ifndef TERN_SIM_BOARD_PHY_H
#define TERN_SIM_BOARD_PHY_H

#include "wire.h"

/* The pins of a direction as a number: data lowest, then the control pin. */
enum { BOARD_PHY_CTL = 16 };

struct board_phy {
    struct board_wire *down, *up; /* to the board, from it */
    bool clock; /* to the board */
    struct board_frame to;
    bool sending, in_gap, half; /* half: the second half of a byte comes */
    size_t send_at;             /* byte of the preamble and the frame, or of the gap */
    uint8_t send_byte;
    bool from_clock, receiving;
    uint8_t low;
    size_t quiet; /* cycles since the last frame of the board */
    struct board_frame from;
    uint64_t sent, received; /* bytes of the line, with preamble and gap */
    uint64_t frames, wrong;  /* frames of the board; those against the rules of Ethernet */
};

void board_phy_init(struct board_phy *phy, struct board_wire *down, struct board_wire *up);

/* Returns the pins to the board for the next step; `clock` is their clock. */
unsigned board_phy_send(struct board_phy *phy, bool *clock);

/* Takes the pins of the board after a step. Returns whether a frame ended, now in `up`. */
bool board_phy_receive(struct board_phy *phy, bool clock, unsigned pins);

#endif
