/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Inputs as text, with one step per line: bytes in hexadecimal, `XX*N` for N of them, `@N` to
 * continue at byte N of the step. Fields that a line omits are 0; `#` begins a comment.
 */
#ifndef TERN_FUZZ_TEXT_H
#define TERN_FUZZ_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Reads steps of `record` bytes; false when the text is invalid or there is no room. */
bool text_read(FILE *file, size_t record, uint8_t *data, size_t room, size_t *size);

void text_write(FILE *file, size_t record, const uint8_t *data, size_t size);

#endif
