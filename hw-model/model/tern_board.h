/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verilated top of a board as a C object: the pins of its host link and of its flash. A board
 * has a serial line or a PHY; it leaves the pins of the other alone.
 *
 * A program links the model of one board (hw-model/verilated_boards.mk).
 */
#ifndef TERN_BOARD_H
#define TERN_BOARD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Five pins of a direction of RGMII as a number: the data lowest, then the control pin. */
enum { TERN_BOARD_RGMII_CTL = 16 };

struct tern_board_pins {
    bool serial_in, flash_miso; /* inputs of the board */
    bool rgmii_in_clock;
    unsigned rgmii_in;
    bool serial_out, flash_select, flash_clock, flash_mosi; /* outputs */
    bool rgmii_out_clock, phy_on;
    unsigned rgmii_out;
    /* a board with a second PHY */
    bool first, second; /* inputs: the jumpers */
    bool link_in_clock, link_out_clock;
    unsigned link_in, link_out;
};

struct tern_board;

/* Returns the board's name. */
const char *tern_board_name(void);

/* Makes a board without power; NULL without memory. */
struct tern_board *tern_board_new(void);
void tern_board_free(struct tern_board *board);

/*
 * Takes the inputs and sets the outputs: over one cycle of the system clock, the inputs before its
 * rising edge; or, on a board with a PHY, over half a cycle of the line, 4 ns.
 */
void tern_board_step(struct tern_board *board, struct tern_board_pins *pins);

#ifdef __cplusplus
}
#endif

#endif
