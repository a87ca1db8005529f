/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The pins of a board as a number, for a record of them: a word a step, what a model got and what
 * it answered. Another model of the same board must give the same answers to it.
 */
#ifndef TERN_SIM_BOARD_PINS_H
#define TERN_SIM_BOARD_PINS_H

#include <stdint.h>

#include "tern_board.h"

/* Returns inputs and outputs as a word. */
uint64_t board_pins_word(const struct tern_board_pins *pins);

/* Sets the inputs to those of a word. */
void board_pins_drive(struct tern_board_pins *pins, uint64_t word);

#endif
