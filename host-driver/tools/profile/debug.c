/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions, inlined functions and lines from DWARF.
 *
 * The linker drops functions that are never called but keeps their debug information, which then
 * names address 0, where other code is. So a function counts only if the symbol table has one at
 * its address, and lines count only if their unit has a function.
 */
#include "debug.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "profile.h"

enum { DEPTH_MAX = 64 }; /* maximum nesting of blocks, for damaged files */

struct unit {
    struct program *program;
    int number;
    bool assembler;
    const char *folder; /* of the compilation, or NULL */
};

/* ---- functions ---- */

/*
 * Tells whether the symbol table has a function of this range that the debug information has not
 * yet named.
 */
static bool is_live(const struct program *program, uint64_t low, uint64_t high)
{
    const struct program_cell *first = program_at(program, (uint32_t)low);
    const struct program_cell *last = program_at(program, (uint32_t)high - 2);
    const struct program_cell *behind = program_at(program, (uint32_t)high);

    return low < high && high <= UINT32_MAX && first != NULL && last != NULL &&
           first->scope != PROGRAM_NONE && first->scope == last->scope &&
           program->scope[first->scope].low == low &&
           program->scope[first->scope].unit == PROGRAM_NONE &&
           (behind == NULL || behind->scope != first->scope);
}

/*
 * Gives the cells of [low, high) that belong to `parent` to `scope`; with PROGRAM_NONE, the cells
 * of any function of the symbol table.
 */
static void paint(struct program *program, uint64_t low, uint64_t high, int parent, int scope)
{
    for (uint64_t pc = low & ~UINT64_C(1); pc < high && pc <= UINT32_MAX; pc += 2) {
        uint32_t index = ((uint32_t)pc - program->base) / 2;

        if (index >= program->cells)
            break;
        if (parent == PROGRAM_NONE || program->cell[index].scope == parent)
            program->cell[index].scope = scope;
    }
}

/* Returns the symbol's name there, which distinguishes clones of a function. */
static const char *symbol_name(const struct program *program, Dwarf_Die *die, uint64_t low)
{
    const struct program_cell *cell = program_at(program, (uint32_t)low);
    const char *name = dwarf_diename(die);

    if (cell != NULL && cell->scope != PROGRAM_NONE)
        return program->scope[cell->scope].name;
    return name != NULL ? name : "?";
}

/* Adds a function with its live ranges. *scope stays PROGRAM_NONE when it has none. */
static bool add_function(struct unit *unit, Dwarf_Die *die, int *scope)
{
    struct program *program = unit->program;
    Dwarf_Addr base, low, high;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0) {
        if (!is_live(program, low, high))
            continue;
        if (*scope == PROGRAM_NONE)
            *scope = program_add_scope(program, symbol_name(program, die, low), PROGRAM_NONE,
                                       (uint32_t)low, unit->number);
        if (*scope == PROGRAM_NONE)
            return false;
        paint(program, low, high, PROGRAM_NONE, *scope);
    }
    return true;
}

static bool add_inlined(struct unit *unit, Dwarf_Die *die, int parent, int *scope)
{
    const char *name = dwarf_diename(die);
    Dwarf_Addr base, low = 0, high;
    ptrdiff_t at = 0;

    *scope = program_add_scope(unit->program, name != NULL ? name : "?", parent, 0,
                               unit->number);
    if (*scope == PROGRAM_NONE)
        return false;
    while ((at = dwarf_ranges(die, at, &base, &low, &high)) > 0)
        paint(unit->program, low, high, parent, *scope);
    return true;
}

/* Walks all entries below `die`, whose innermost function is `scope`. */
static bool walk(struct unit *unit, Dwarf_Die *die, int scope, unsigned depth)
{
    Dwarf_Die child;
    bool good = true;

    if (depth == DEPTH_MAX || dwarf_child(die, &child) != 0)
        return true;
    do {
        int inner = scope;

        switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
            inner = PROGRAM_NONE;
            good = add_function(unit, &child, &inner);
            break;
        case DW_TAG_inlined_subroutine:
            if (scope != PROGRAM_NONE)
                good = add_inlined(unit, &child, scope, &inner);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
            break;
        default:
            continue;
        }
        if (good && (inner != PROGRAM_NONE || dwarf_tag(&child) == DW_TAG_namespace))
            good = walk(unit, &child, inner, depth + 1);
    } while (good && dwarf_siblingof(&child, &child) == 0);
    return good || profile_fail("out of memory");
}

/* ---- lines ---- */

static char *name_of(const struct unit *unit, const char *path)
{
    size_t length = unit->folder != NULL ? strlen(unit->folder) : 0;

    if (length > 0 && strncmp(path, unit->folder, length) == 0 && path[length] == '/')
        return strdup(path + length + 1);
    return strdup(path);
}

/* Returns the number of a file; PROGRAM_NONE when there is no memory. */
static int find_file(struct unit *unit, const char *path)
{
    struct program *program = unit->program;
    struct program_file *file;

    for (size_t i = program->files; i-- > 0;)
        if (strcmp(program->file[i].path, path) == 0)
            return (int)i;
    if (program->files == program->file_room) {
        size_t room = program->file_room ? 2 * program->file_room : 64;

        file = realloc(program->file, room * sizeof *file);
        if (file == NULL)
            return PROGRAM_NONE;
        program->file = file;
        program->file_room = room;
    }
    file = &program->file[program->files];
    *file = (struct program_file){.path = strdup(path), .name = name_of(unit, path)};
    program->files++; /* program_close() frees an incomplete entry */
    return file->path != NULL && file->name != NULL ? (int)program->files - 1 : PROGRAM_NONE;
}

/*
 * Tells whether the unit has the code at an address: a function of its own or, for assembler, one
 * that only the symbol table has.
 */
static bool has_code(const struct unit *unit, uint64_t address)
{
    const struct program *program = unit->program;
    const struct program_cell *cell = program_at(program, (uint32_t)address);
    int owner;

    if (cell == NULL || cell->scope == PROGRAM_NONE)
        return false;
    owner = program->scope[cell->scope].unit;
    return owner == unit->number || (unit->assembler && owner == PROGRAM_NONE);
}

static void paint_line(const struct unit *unit, uint64_t low, uint64_t high, int file, int line)
{
    for (uint64_t pc = low; pc < high && has_code(unit, pc); pc += 2) {
        struct program_cell *cell =
            &unit->program->cell[((uint32_t)pc - unit->program->base) / 2];

        cell->file = file;
        cell->line = line;
    }
}

/* Adds row `index` of the table, up to the address of the next row. */
static bool add_line(struct unit *unit, Dwarf_Lines *lines, size_t index, bool *live)
{
    Dwarf_Line *row = dwarf_onesrcline(lines, index);
    Dwarf_Line *next = dwarf_onesrcline(lines, index + 1);
    Dwarf_Addr low = 0, high = 0;
    bool end = true;
    const char *path;
    int line = 0, file;

    if (dwarf_lineendsequence(row, &end) != 0 || end || next == NULL) {
        *live = false;
        return true;
    }
    if (dwarf_lineaddr(row, &low) != 0 || dwarf_lineaddr(next, &high) != 0)
        return true;
    *live = *live || has_code(unit, low); /* checked once per sequence */
    path = dwarf_linesrc(row, NULL, NULL);
    if (!*live || path == NULL || dwarf_lineno(row, &line) != 0 || low >= high)
        return true;
    file = find_file(unit, path);
    if (file == PROGRAM_NONE)
        return profile_fail("out of memory");
    paint_line(unit, low, high, file, line);
    return true;
}

static bool add_lines(struct unit *unit, Dwarf_Die *die)
{
    Dwarf_Lines *lines;
    size_t count;
    bool live = false;

    if (dwarf_getsrclines(die, &lines, &count) != 0)
        return true;
    for (size_t i = 0; i < count; i++)
        if (!add_line(unit, lines, i, &live))
            return false;
    return true;
}

/* ---- units ---- */

static bool add_unit(struct program *program, Dwarf_Die *die, int number)
{
    struct unit unit = {.program = program,
                        .number = number,
                        .assembler = dwarf_srclang(die) == DW_LANG_Mips_Assembler};
    Dwarf_Attribute attribute;

    if (dwarf_attr(die, DW_AT_comp_dir, &attribute) != NULL)
        unit.folder = dwarf_formstring(&attribute);
    return walk(&unit, die, PROGRAM_NONE, 0) && add_lines(&unit, die);
}

/* ---- one name for a function that is inlined in many places ---- */

struct named {
    const char *name;
    int scope;
};

static int compare_names(const void *a, const void *b)
{
    const struct named *one = a, *other = b;
    int order = strcmp(one->name, other->name);

    return order != 0 ? order : one->scope - other->scope;
}

static bool join_inlined(struct program *program)
{
    struct named *named = calloc(program->scopes + 1, sizeof *named);
    size_t count = 0;

    if (named == NULL)
        return profile_fail("out of memory");
    for (size_t i = 0; i < program->scopes; i++)
        if (program->scope[i].parent != PROGRAM_NONE)
            named[count++] = (struct named){program->scope[i].name, (int)i};
    qsort(named, count, sizeof *named, compare_names);
    for (size_t i = 1; i < count; i++)
        if (strcmp(named[i - 1].name, named[i].name) == 0)
            program->scope[named[i].scope].same = program->scope[named[i - 1].scope].same;
    free(named);
    return true;
}

bool debug_read(struct program *program, Elf *elf)
{
    Dwarf *dwarf = dwarf_begin_elf(elf, DWARF_C_READ, NULL);
    Dwarf_CU *cu = NULL;
    Dwarf_Die die;
    uint8_t type;
    bool good = true;

    for (int i = 0; good && dwarf != NULL; i++) {
        if (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &die, NULL) != 0)
            break;
        if (type == DW_UT_compile && dwarf_tag(&die) == DW_TAG_compile_unit)
            good = add_unit(program, &die, i);
    }
    dwarf_end(dwarf);
    return good && join_inlined(program);
}
