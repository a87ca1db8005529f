/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The firmware as the profiler sees it: for every place of its code the instruction, the
 * function, what of other functions is inlined there, and the source line.
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
    int parent;      /* what it is inlined in; PROGRAM_NONE: it is a function of its own */
    uint32_t low;    /* address of its first range */
    int unit;        /* compilation unit; PROGRAM_NONE: known from the symbol table alone */
    int same;        /* the first one inlined of this name; for a function, itself */
};

struct program_file {
    char *path; /* as the compiler had it, from the root */
    char *name; /* to be shown: below the folder of the compilation */
};

/* Two bytes of code. */
struct program_cell {
    struct insn insn; /* the one that begins here */
    int scope;        /* innermost; PROGRAM_NONE: none */
    int file, line;   /* PROGRAM_NONE and 0: not known */
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

/* Whether its loadable bytes, laid out as in the image that a node boots, have this length and
 * CRC-32; false and a message on stderr when not. */
bool program_is_image(const char *path, uint32_t bytes, uint32_t crc);

/* The place of `pc`; NULL outside the code. */
static inline const struct program_cell *program_at(const struct program *program, uint32_t pc)
{
    uint32_t index = (pc - program->base) / 2;

    return pc % 2 == 0 && index < program->cells ? &program->cell[index] : NULL;
}

/* The function that a scope is inlined in, or itself. */
static inline int program_function(const struct program *program, int scope)
{
    while (program->scope[scope].parent != PROGRAM_NONE)
        scope = program->scope[scope].parent;
    return scope;
}

#endif
