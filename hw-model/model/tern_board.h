/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The verilated top of a board as a C object: the pins of its serial line and of its flash.
 *
 * A program links the model of one board (hw-model/verilated_boards.mk).
 */
#ifndef TERN_BOARD_H
#define TERN_BOARD_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tern_board_pins {
    bool serial_in, flash_miso; /* inputs of the board */
    bool serial_out, flash_select, flash_clock, flash_mosi;
};

struct tern_board;

/* Returns the board's name. */
const char *tern_board_name(void);

/* Makes a board without power; NULL without memory. */
struct tern_board *tern_board_new(void);
void tern_board_free(struct tern_board *board);

/* Runs one cycle of the system clock: takes the inputs before its rising edge, sets the rest. */
void tern_board_step(struct tern_board *board, struct tern_board_pins *pins);

#ifdef __cplusplus
}
#endif

#endif
