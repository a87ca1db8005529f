/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads ELF files: see elf32.h. Offsets and sizes come from the file and may have any value: each
 * is compared with the size of the file, in 64 bits, before use.
 */
#include "elf32.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_BYTES_MAX = 64 << 20 };

static bool fail(struct elf32 *elf, const char *why)
{
    elf->error = why;
    return false;
}

/* Returns the `byte_len` bytes at `offset`, or NULL when the file is shorter. */
static const void *at(const struct elf32 *elf, uint64_t offset, uint64_t byte_len)
{
    if (offset > elf->byte_len || byte_len > elf->byte_len - offset)
        return NULL;
    return elf->bytes + offset;
}

static bool read_file(struct elf32 *elf, FILE *file)
{
    long size;

    if (fseek(file, 0, SEEK_END) != 0 || (size = ftell(file)) < 0)
        return fail(elf, "cannot be read");
    if (size > FILE_BYTES_MAX)
        return fail(elf, "is too large to be a program for this bench");
    rewind(file);
    elf->byte_len = (size_t)size;
    elf->bytes = malloc(elf->byte_len + 1);
    if (elf->bytes == NULL)
        return fail(elf, "does not fit into memory");
    if (fread(elf->bytes, 1, elf->byte_len, file) != elf->byte_len)
        return fail(elf, "cannot be read");
    return true;
}

static Elf32_Ehdr header(const struct elf32 *elf)
{
    Elf32_Ehdr ehdr;

    memcpy(&ehdr, elf->bytes, sizeof ehdr);
    return ehdr;
}

static bool check_header(struct elf32 *elf)
{
    Elf32_Ehdr ehdr;

    if (elf->byte_len < sizeof ehdr)
        return fail(elf, "is shorter than an ELF header");
    ehdr = header(elf);
    if (memcmp(ehdr.e_ident, ELFMAG, SELFMAG) != 0)
        return fail(elf, "is not an ELF file");
    if (ehdr.e_ident[EI_CLASS] != ELFCLASS32 || ehdr.e_ident[EI_DATA] != ELFDATA2LSB)
        return fail(elf, "is not a 32-bit little-endian ELF file");
    if (ehdr.e_machine != EM_RISCV)
        return fail(elf, "is not for RISC-V");
    if (ehdr.e_type != ET_EXEC)
        return fail(elf, "is not an executable");
    if (ehdr.e_phnum == 0 || ehdr.e_phentsize != sizeof(Elf32_Phdr) ||
        at(elf, ehdr.e_phoff, (uint64_t)ehdr.e_phnum * sizeof(Elf32_Phdr)) == NULL)
        return fail(elf, "is damaged: its program headers are outside the file");
    if (ehdr.e_shnum != 0 &&
        (ehdr.e_shentsize != sizeof(Elf32_Shdr) ||
         at(elf, ehdr.e_shoff, (uint64_t)ehdr.e_shnum * sizeof(Elf32_Shdr)) == NULL))
        return fail(elf, "is damaged: its section headers are outside the file");
    return true;
}

bool elf32_open(struct elf32 *elf, const char *path)
{
    FILE *file = fopen(path, "rb");
    bool ok;

    memset(elf, 0, sizeof *elf);
    if (file == NULL)
        return fail(elf, "cannot be opened");
    ok = read_file(elf, file);
    fclose(file);
    return ok && check_header(elf);
}

void elf32_close(struct elf32 *elf)
{
    free(elf->bytes);
    elf->bytes = NULL;
}

uint32_t elf32_entry(const struct elf32 *elf)
{
    return header(elf).e_entry;
}

static bool load_segment(struct elf32 *elf, const Elf32_Phdr *phdr, unsigned char *image,
                         uint32_t base, size_t byte_len)
{
    const void *from = at(elf, phdr->p_offset, phdr->p_filesz);

    if (from == NULL || phdr->p_filesz > phdr->p_memsz)
        return fail(elf, "is damaged: a segment is not within the file");
    if (phdr->p_paddr < base || phdr->p_paddr - base > byte_len ||
        phdr->p_memsz > byte_len - (phdr->p_paddr - base))
        return fail(elf, "has a segment outside the RAM at 0x80000000");
    memcpy(image + (phdr->p_paddr - base), from, phdr->p_filesz);
    return true;
}

bool elf32_load(struct elf32 *elf, unsigned char *image, uint32_t base, size_t byte_len)
{
    Elf32_Ehdr ehdr = header(elf);
    Elf32_Phdr phdr;

    for (unsigned i = 0; i < ehdr.e_phnum; i++) {
        memcpy(&phdr, elf->bytes + ehdr.e_phoff + i * sizeof phdr, sizeof phdr);
        if (phdr.p_type == PT_LOAD && phdr.p_memsz != 0 &&
            !load_segment(elf, &phdr, image, base, byte_len))
            return false;
    }
    return true;
}

static Elf32_Shdr section(const struct elf32 *elf, const Elf32_Ehdr *ehdr, unsigned index)
{
    Elf32_Shdr shdr;

    memcpy(&shdr, elf->bytes + ehdr->e_shoff + index * sizeof shdr, sizeof shdr);
    return shdr;
}

static bool search_table(const struct elf32 *elf, const Elf32_Shdr *table,
                         const Elf32_Shdr *names, const char *name, uint32_t *address)
{
    const unsigned char *symbols = at(elf, table->sh_offset, table->sh_size);
    const char *strings = at(elf, names->sh_offset, names->sh_size);
    size_t name_len = strlen(name) + 1; /* the final NUL must match too */
    Elf32_Sym sym;

    if (symbols == NULL || strings == NULL)
        return false;
    for (size_t i = 0; i < table->sh_size / sizeof sym; i++) {
        memcpy(&sym, symbols + i * sizeof sym, sizeof sym);
        if (sym.st_shndx == SHN_UNDEF || sym.st_name >= names->sh_size ||
            name_len > names->sh_size - sym.st_name ||
            memcmp(strings + sym.st_name, name, name_len) != 0)
            continue;
        *address = sym.st_value;
        return true;
    }
    return false;
}

bool elf32_symbol(const struct elf32 *elf, const char *name, uint32_t *address)
{
    Elf32_Ehdr ehdr = header(elf);

    for (unsigned i = 0; i < ehdr.e_shnum; i++) {
        Elf32_Shdr table = section(elf, &ehdr, i);
        Elf32_Shdr names;

        if (table.sh_type != SHT_SYMTAB || table.sh_link >= ehdr.e_shnum)
            continue;
        names = section(elf, &ehdr, table.sh_link);
        if (search_table(elf, &table, &names, name, address))
            return true;
    }
    return false;
}
