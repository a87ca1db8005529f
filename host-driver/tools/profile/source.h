/* SPDX-License-Identifier: Apache-2.0 */
/* The text of source lines. */
#ifndef TERN_PROFILE_SOURCE_H
#define TERN_PROFILE_SOURCE_H

#include "program.h"

/*
 * Prints a line of a file, indented, in less than `columns`. Looks for the file where it was
 * compiled, then below the current folder; prints nothing if there is none.
 */
void source_print(const struct program_file *file, int line, unsigned indent, unsigned columns);

#endif
