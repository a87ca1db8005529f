/* SPDX-License-Identifier: Apache-2.0 */
/* Remote pointers as text, for people and files: 32 hexadecimal digits. */
#ifndef TERN_POINTER_H
#define TERN_POINTER_H

#include <stdbool.h>
#include <tern/tern.h>

enum { POINTER_DIGITS = 32 };

/* Writes the digits and the end; returns `text`. */
char *pointer_format(struct tern_rptr pointer, char text[POINTER_DIGITS + 1]);

/* Reads what pointer_format() wrote; false for anything else. */
bool pointer_parse(const char *text, struct tern_rptr *pointer);

#endif
