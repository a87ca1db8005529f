/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware for the profiler: for every place of its code the instruction, the function, the
 * function inlined there, and the source line.
 */
#ifndef TERN_PROFILE_PROGRAM_H
#define TERN_PROFILE_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "insn.h"

/* A function of the code, or a place where one is inlined. */
struct program_scope {
    char *name;
    int parent;      /* the scope that contains it; PROGRAM_NONE: it is a function */
    uint32_t low;    /* address of its first range */
    int unit;        /* compilation unit; PROGRAM_NONE: only the symbol table has the function */
    int same;        /* the first inlined scope of this name; for a function, itself */
};

struct program_file {
    char *path; /* absolute, as the compiler saw it */
    char *name; /* for display: relative to the folder of the compilation */
};

/* Two bytes of code. */
struct program_cell {
    struct insn insn; /* the instruction that begins here */
    int scope;        /* innermost; PROGRAM_NONE: none */
    int file, line;   /* PROGRAM_NONE and 0: unknown */
};

enum { PROGRAM_NONE = -1 };

struct program {
    const char *path;
    uint32_t base, entry;
    size_t cells; /* of code, from the base */
    struct program_cell *cell;
    struct program_scope *scope;
    size_t scopes, scope_room;
    struct program_file *file;
    size_t files, file_room;
};

/* Reads an ELF file; NULL and a message on stderr when it is not a firmware. */
struct program *program_open(const char *path);
void program_close(struct program *program);

/*
 * Tells whether its loadable bytes, laid out as in the boot image of a node, have this length and
 * CRC-32; false and a message on stderr when not.
 */
bool program_is_image(const char *path, uint32_t bytes, uint32_t crc);

/* Returns the cell of `pc`; NULL outside the code. */
static inline const struct program_cell *program_at(const struct program *program, uint32_t pc)
{
    uint32_t index = (pc - program->base) / 2;

    return pc % 2 == 0 && index < program->cells ? &program->cell[index] : NULL;
}

/* Returns the function that contains a scope, or the scope itself. */
static inline int program_function(const struct program *program, int scope)
{
    while (program->scope[scope].parent != PROGRAM_NONE)
        scope = program->scope[scope].parent;
    return scope;
}

#endif
