/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Histories as text, with one operation per line, in any order:
 *
 *   words 2                            number of words; the first line
 *   initial 1 0x77                     word, value; other words are initially 0
 *   vanishing                          words may become 0 by themselves, from this line on
 *   0 1 100 140 read = 0x77            client, word, invoked, responded, operation = result
 *   0 1 150 180 write 5
 *   1 1 120 170 cas 0x77 9 = 0x77      compare, operand
 *   1 1 200 210 mcas 5 9 0xf 0xff = 9  compare, operand, compare mask, swap mask
 *   2 1 130 150 faa 1 = 4              addend
 *   2 1 170 ? swap 3                   without a response, so without a result
 *   2 1 230 250 take 1 0xff = 4        addend, mask
 *
 * Numbers are decimal or, with 0x, hexadecimal.  `#` begins a comment.
 */
#ifndef TERN_LINEAR_TEXT_H
#define TERN_LINEAR_TEXT_H

#include "linear.h"

struct linear_complaint {
    size_t line; /* from 1; 0: no particular line */
    char text[160];
};

/*
 * Reads a history in which each client has one operation at a time. NULL, with a complaint, on
 * failure. The caller frees the history by linear_free.
 */
struct linear_history *linear_read(FILE *file, struct linear_complaint *complaint);

/* Writes an operation in this format, without a newline. */
void linear_write(FILE *file, const struct linear_op *op);

/* Writes a value in this format. */
void linear_write_value(FILE *file, uint64_t value);

#endif
