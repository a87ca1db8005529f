/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the ELF file with libelf: segments and symbols. debug.c reads the debug information.
 *
 * Each address of the code belongs first to the symbol before it, then to the function symbol whose
 * size covers it, then to the function of the debug information.
 */
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "debug.h"
#include "profile.h"
#include "tern_abi.h"

enum { CODE_BYTES_MAX = 4 << 20 };

/* An open file, during the read. */
struct reading {
    const char *path;
    int fd;
    Elf *elf;
    size_t segments;
};

static bool refuse(const struct reading *reading, const char *why)
{
    return profile_fail("%s: %s", reading->path, why);
}

static bool check_kind(struct reading *reading)
{
    GElf_Ehdr header;

    if (elf_kind(reading->elf) != ELF_K_ELF || gelf_getehdr(reading->elf, &header) == NULL)
        return refuse(reading, "not an ELF file");
    if (header.e_ident[EI_CLASS] != ELFCLASS32 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
        header.e_machine != EM_RISCV)
        return refuse(reading, "not for a 32-bit RISC-V");
    if (header.e_type != ET_EXEC)
        return refuse(reading, "not an executable");
    if (elf_getphdrnum(reading->elf, &reading->segments) != 0 || reading->segments == 0)
        return refuse(reading, "damaged, or not an executable: no program headers");
    return true;
}

static bool open_elf(struct reading *reading, const char *path)
{
    *reading = (struct reading){.path = path, .fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (reading->fd < 0)
        return profile_fail("%s: %s", path, strerror(errno));
    elf_version(EV_CURRENT);
    reading->elf = elf_begin(reading->fd, ELF_C_READ, NULL);
    if (reading->elf == NULL)
        return profile_fail("%s: cannot be read: %s", path, elf_errmsg(-1));
    return check_kind(reading);
}

static void close_elf(struct reading *reading)
{
    elf_end(reading->elf);
    if (reading->fd >= 0)
        close(reading->fd);
}

/* ---- segments ---- */

/*
 * Returns loadable segment `index`, and its bytes; false when it is no such segment. *bytes is NULL
 * when they are not in the file.
 */
static bool segment(const struct reading *reading, size_t index, GElf_Phdr *header,
                    const uint8_t **bytes)
{
    Elf_Data *data;

    if (gelf_getphdr(reading->elf, (int)index, header) == NULL ||
        header->p_type != PT_LOAD || header->p_filesz == 0)
        return false;
    data = elf_getdata_rawchunk(reading->elf, (int64_t)header->p_offset,
                                (size_t)header->p_filesz, ELF_T_BYTE);
    *bytes = data != NULL ? data->d_buf : NULL;
    return true;
}

/* Finds the lowest and the highest address of code. */
static bool measure_code(const struct reading *reading, uint32_t *low, uint64_t *high)
{
    const uint8_t *bytes;
    GElf_Phdr header;

    *low = UINT32_MAX;
    *high = 0;
    for (size_t i = 0; i < reading->segments; i++) {
        if (!segment(reading, i, &header, &bytes))
            continue;
        if (bytes == NULL)
            return refuse(reading, "damaged: a segment lies outside the file");
        if (!(header.p_flags & PF_X))
            continue;
        if (header.p_vaddr < *low)
            *low = (uint32_t)header.p_vaddr & ~1u;
        if (header.p_vaddr + header.p_filesz > *high)
            *high = header.p_vaddr + header.p_filesz;
    }
    if (*high == 0)
        return refuse(reading, "has no code");
    if (*high - *low > CODE_BYTES_MAX)
        return refuse(reading, "has too much code for a firmware, or is damaged");
    return true;
}

static uint32_t half(const uint8_t *bytes, size_t count, size_t at)
{
    if (at + 1 >= count)
        return 0;
    return bytes[at] | (uint32_t)bytes[at + 1] << 8;
}

static void decode_segment(struct program *program, uint32_t address, const uint8_t *bytes,
                           size_t count)
{
    for (size_t at = address % 2; at + 1 < count; at += 2) {
        uint32_t pc = address + (uint32_t)at;
        uint32_t code = half(bytes, count, at) | half(bytes, count, at + 2) << 16;

        program->cell[(pc - program->base) / 2].insn = insn_decode(code, pc);
    }
}

static bool read_code(struct program *program, const struct reading *reading)
{
    const uint8_t *bytes = NULL;
    GElf_Phdr header;
    uint64_t high;

    if (!measure_code(reading, &program->base, &high))
        return false;
    program->cells = (size_t)(high - program->base + 1) / 2;
    program->cell = calloc(program->cells, sizeof *program->cell);
    if (program->cell == NULL)
        return profile_fail("out of memory");
    for (size_t i = 0; i < program->cells; i++)
        program->cell[i] = (struct program_cell){
            .insn = {.bytes = 2}, .scope = PROGRAM_NONE, .file = PROGRAM_NONE};
    for (size_t i = 0; i < reading->segments; i++)
        if (segment(reading, i, &header, &bytes) && bytes != NULL && header.p_flags & PF_X)
            decode_segment(program, (uint32_t)header.p_vaddr, bytes, header.p_filesz);
    return true;
}

/* ---- symbols ---- */

struct symbol {
    const char *name;
    uint32_t low, bytes;
    bool function;
};

struct symbols {
    struct symbol *symbol;
    size_t count;
};

/* Tells whether a symbol is useful: labels of the compiler and assembler are not. */
static bool is_of_use(const char *name, const GElf_Sym *symbol)
{
    unsigned type = GELF_ST_TYPE(symbol->st_info);

    return name != NULL && name[0] != 0 && name[0] != '$' && strncmp(name, ".L", 2) != 0 &&
           symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < SHN_LORESERVE &&
           (type == STT_FUNC || type == STT_NOTYPE);
}

/* Sorts by address; of several at one address, functions last; then by name. */
static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *one = a, *other = b;

    if (one->low != other->low)
        return one->low < other->low ? -1 : 1;
    if (one->function != other->function)
        return one->function ? 1 : -1;
    return strcmp(other->name, one->name);
}

static bool read_table(struct symbols *symbols, const struct reading *reading, Elf_Scn *section,
                       const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    GElf_Sym entry;

    if (data == NULL)
        return refuse(reading, "damaged: its symbol table cannot be read");
    if (count > data->d_size)
        count = data->d_size;
    symbols->symbol = calloc(count + 1, sizeof *symbols->symbol);
    if (symbols->symbol == NULL)
        return profile_fail("out of memory");
    for (size_t i = 0; i < count && gelf_getsym(data, (int)i, &entry) != NULL; i++) {
        const char *name = elf_strptr(reading->elf, header->sh_link, entry.st_name);

        if (is_of_use(name, &entry))
            symbols->symbol[symbols->count++] =
                (struct symbol){.name = name,
                                .low = (uint32_t)entry.st_value,
                                .bytes = (uint32_t)entry.st_size,
                                .function = GELF_ST_TYPE(entry.st_info) == STT_FUNC};
    }
    qsort(symbols->symbol, symbols->count, sizeof *symbols->symbol, compare_symbols);
    return true;
}

static bool read_symbols(struct symbols *symbols, const struct reading *reading)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;

    while ((section = elf_nextscn(reading->elf, section)) != NULL)
        if (gelf_getshdr(section, &header) != NULL && header.sh_type == SHT_SYMTAB)
            return read_table(symbols, reading, section, &header);
    return refuse(reading, "has no symbols: it was stripped");
}

int program_add_scope(struct program *program, const char *name, int parent, uint32_t low,
                      int unit)
{
    struct program_scope *scope;

    if (program->scopes == program->scope_room) {
        size_t room = program->scope_room ? 2 * program->scope_room : 256;

        scope = realloc(program->scope, room * sizeof *scope);
        if (scope == NULL)
            return PROGRAM_NONE;
        program->scope = scope;
        program->scope_room = room;
    }
    scope = &program->scope[program->scopes];
    *scope = (struct program_scope){
        .name = strdup(name), .parent = parent, .low = low, .unit = unit,
        .same = (int)program->scopes};
    return scope->name != NULL ? (int)program->scopes++ : PROGRAM_NONE;
}

/* Gives the code in [low, low + bytes) to a scope with the symbol's name. */
static bool paint_symbol(struct program *program, const struct symbol *symbol, uint64_t bytes)
{
    uint64_t offset = symbol->low - program->base;
    int scope;

    if (offset >= 2 * program->cells)
        return true;
    scope = program_add_scope(program, symbol->name, PROGRAM_NONE, symbol->low, PROGRAM_NONE);
    if (scope == PROGRAM_NONE)
        return profile_fail("out of memory");
    for (uint64_t i = offset / 2; i < program->cells && 2 * i < offset + bytes; i++)
        program->cell[i].scope = scope;
    return true;
}

/* Returns the bytes to the next symbol, or to the end. */
static uint64_t distance_to_next(const struct program *program, const struct symbols *symbols,
                                 size_t index)
{
    uint32_t low = symbols->symbol[index].low;

    for (size_t i = index + 1; i < symbols->count; i++)
        if (symbols->symbol[i].low != low)
            return symbols->symbol[i].low - low;
    return 2 * (uint64_t)program->cells;
}

static bool paint_symbols(struct program *program, const struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->count; i++)
        if (!paint_symbol(program, &symbols->symbol[i], distance_to_next(program, symbols, i)))
            return false;
    for (size_t i = 0; i < symbols->count; i++)
        if (symbols->symbol[i].function &&
            !paint_symbol(program, &symbols->symbol[i], symbols->symbol[i].bytes))
            return false;
    return true;
}

/* ---- strings ---- */

/*
 * Checks the NUL at the end of string tables: libdw relies on it, and a damaged file may lack it.
 */
static bool check_strings(const struct reading *reading)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;

    if (elf_getshdrstrndx(reading->elf, &names) != 0)
        return refuse(reading, "damaged: its sections have no names");
    while ((section = elf_nextscn(reading->elf, section)) != NULL) {
        const char *name = gelf_getshdr(section, &header) != NULL
                               ? elf_strptr(reading->elf, names, header.sh_name)
                               : NULL;
        Elf_Data *data;

        if (name == NULL || (strcmp(name, ".debug_str") != 0 &&
                             strcmp(name, ".debug_line_str") != 0))
            continue;
        data = elf_rawdata(section, NULL);
        if (data == NULL || (data->d_size > 0 &&
                             ((const char *)data->d_buf)[data->d_size - 1] != 0))
            return refuse(reading, "damaged: a table of strings has no end");
    }
    return true;
}

/* ---- together ---- */

static struct program *give_up(struct program *program, struct reading *reading)
{
    program_close(program);
    close_elf(reading);
    return NULL;
}

struct program *program_open(const char *path)
{
    struct program *program = calloc(1, sizeof *program);
    struct symbols symbols = {0};
    struct reading reading = {.fd = -1};
    GElf_Ehdr header;
    bool good;

    if (program == NULL)
        profile_fail("out of memory");
    if (program == NULL || !open_elf(&reading, path))
        return give_up(program, &reading);
    program->path = path;
    program->entry = (uint32_t)gelf_getehdr(reading.elf, &header)->e_entry;
    good = read_code(program, &reading) && read_symbols(&symbols, &reading) &&
           paint_symbols(program, &symbols) && check_strings(&reading) &&
           debug_read(program, reading.elf);
    free(symbols.symbol);
    if (!good)
        return give_up(program, &reading);
    close_elf(&reading);
    return program;
}

void program_close(struct program *program)
{
    if (program == NULL)
        return;
    for (size_t i = 0; i < program->scopes; i++)
        free(program->scope[i].name);
    for (size_t i = 0; i < program->files; i++) {
        free(program->file[i].path);
        free(program->file[i].name);
    }
    free(program->scope);
    free(program->file);
    free(program->cell);
    free(program);
}

/* Copies the segments to their places; false when one does not lie within `bytes`. */
static bool lay_out(const struct reading *reading, uint8_t *image, uint32_t bytes)
{
    const uint8_t *from;
    GElf_Phdr header;

    for (size_t i = 0; i < reading->segments; i++) {
        uint64_t offset;

        if (!segment(reading, i, &header, &from))
            continue;
        offset = header.p_paddr - TERN_MEM_ITCM_BASE;
        if (from == NULL || offset > bytes || header.p_filesz > bytes - offset)
            return false;
        memcpy(image + offset, from, header.p_filesz);
    }
    return true;
}

static bool has_crc(const struct reading *reading, uint32_t bytes, uint32_t crc)
{
    uint8_t *image = bytes <= TERN_MEM_ITCM_BYTES ? calloc(1, bytes + 1) : NULL;
    bool same = image != NULL && lay_out(reading, image, bytes) &&
                (uint32_t)crc32(0, image, bytes) == crc;

    free(image);
    return same || refuse(reading, "not the firmware of the trace; --elf=FILE names that one");
}

bool program_is_image(const char *path, uint32_t bytes, uint32_t crc)
{
    struct reading reading;
    bool same = open_elf(&reading, path) && has_crc(&reading, bytes, crc);

    close_elf(&reading);
    return same;
}
