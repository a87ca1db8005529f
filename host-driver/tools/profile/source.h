/* SPDX-License-Identifier: Apache-2.0 */
/* The text of source lines. */
#ifndef TERN_PROFILE_SOURCE_H
#define TERN_PROFILE_SOURCE_H

#include "program.h"

/* Prints a line of a file below `columns` wide, indented, when the file can be found where it
 * was compiled or below the current folder; nothing otherwise. */
void source_print(const struct program_file *file, int line, unsigned indent, unsigned columns);

#endif
