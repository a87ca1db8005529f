/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the debug information (DWARF) of a program with libdw. */
#ifndef TERN_PROFILE_DEBUG_H
#define TERN_PROFILE_DEBUG_H

#include <libelf.h>

#include "program.h"

/*
 * Adds inlined functions, files and lines; does nothing to a program without debug information.
 * False and a message on stderr when there is no memory.
 */
bool debug_read(struct program *program, Elf *elf);

/* Adds a scope (program.h); PROGRAM_NONE when there is no memory. */
int program_add_scope(struct program *program, const char *name, int parent, uint32_t low,
                      int unit);

#endif
