/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The host's line of a simulated board: between its pins and what `tern bridge` opens. Each kind of
 * line is a file (serial_line.c, ether_line.c); a program links the one of its board.
 */
#ifndef TERN_SIM_BOARD_LINE_H
#define TERN_SIM_BOARD_LINE_H

#include <stdbool.h>
#include <stdint.h>

#include "tern_board.h"

struct board_line_options {
    const char *path; /* where the line is; NULL: not wanted */
    uint64_t seed;
    unsigned flip, lose, repeat, swap; /* faults, of 1000 frames */
    const char *cable; /* to another board at the second PHY; NULL: none */
    bool second;       /* of the two boards */
};

/* Steps of a board between two looks at the outside. */
extern const unsigned board_line_slice;

/* Opens the line and prints a line of text that says where; false with errno. */
bool board_line_open(const struct board_line_options *options);
void board_line_close(void);

/* Moves what has come from outside; waits for at most `wait_ms`. Returns whether anything came. */
bool board_line_input(int wait_ms);

/* Moves to the outside what the board has sent. */
void board_line_output(void);

/* Returns how many accesses to its memory the host has not yet answered; 0 on a serial line. */
unsigned board_line_owed(void);

/* Set the inputs before a step; take the outputs after it, and return whether the board sends. */
void board_line_drive(struct tern_board_pins *pins);
bool board_line_sense(const struct tern_board_pins *pins);

/* Cuts the cable to another board, or mends it. Safe in a signal handler. */
void board_line_cut(bool cut);

/* Prints counts, in the line that began. */
void board_line_counts(void);

#endif
