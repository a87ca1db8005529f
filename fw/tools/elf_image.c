/* SPDX-License-Identifier: Apache-2.0 */
#include "elf_image.h"

#include <elf.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tern_abi.h"

#define PAYLOAD_MAX ((size_t)TERN_MEM_ITCM_BYTES)

struct reason {
    char *text;
    size_t bytes;
};

__attribute__((format(printf, 2, 3))) static int refuse(struct reason *reason,
                                                        const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(reason->text, reason->bytes, format, args);
    va_end(args);
    return -TERN_ST_BAD_FIRMWARE;
}

uint32_t tern_crc32c(const void *bytes, size_t count)
{
    const uint8_t *byte = bytes;
    uint32_t crc = UINT32_MAX;

    for (size_t i = 0; i < count; i++) {
        crc ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
    }
    return ~crc;
}

static uint32_t word_at(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void word_put(uint8_t *p, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(value >> (8 * i));
}

/* Tells whether [offset, offset + bytes) lies in a file of `all` bytes. */
static int inside(uint64_t offset, uint64_t bytes, size_t all)
{
    return offset <= all && bytes <= all - offset;
}

static int check_header(const Elf32_Ehdr *h, size_t elf_bytes, struct reason *reason)
{
    if (memcmp(h->e_ident, ELFMAG, SELFMAG) != 0)
        return refuse(reason, "not an ELF file");
    if (h->e_ident[EI_CLASS] != ELFCLASS32 || h->e_ident[EI_DATA] != ELFDATA2LSB)
        return refuse(reason, "not a 32-bit little-endian ELF file");
    if (h->e_type != ET_EXEC || h->e_machine != EM_RISCV)
        return refuse(reason, "not an executable for RISC-V");
    if (h->e_phentsize != sizeof(Elf32_Phdr) || h->e_phnum == 0)
        return refuse(reason, "no program headers");
    if (!inside(h->e_phoff, (uint64_t)h->e_phnum * sizeof(Elf32_Phdr), elf_bytes))
        return refuse(reason, "damaged: program headers lie outside the file");
    if (h->e_entry != TERN_MEM_ITCM_BASE)
        return refuse(reason,
                      "entry point is 0x%x, not the start of the instruction memory",
                      (unsigned)h->e_entry);
    return 0;
}

/* Copies the loaded part of a segment to its place in the payload; *used grows. */
static int copy_segment(const uint8_t *elf, size_t elf_bytes, const Elf32_Phdr *p,
                        uint8_t *payload, size_t *used, struct reason *reason)
{
    if (p->p_type != PT_LOAD || p->p_filesz == 0)
        return 0;
    if (!inside(p->p_offset, p->p_filesz, elf_bytes))
        return refuse(reason, "damaged: a segment lies outside the file");
    if (!inside((uint64_t)p->p_paddr - TERN_MEM_ITCM_BASE, p->p_filesz, PAYLOAD_MAX))
        return refuse(
            reason,
            "too large: a segment of %u bytes at 0x%x, instruction memory has %zu",
            (unsigned)p->p_filesz, (unsigned)p->p_paddr, PAYLOAD_MAX);
    memcpy(payload + p->p_paddr, elf + p->p_offset, p->p_filesz);
    if (p->p_paddr + p->p_filesz > *used)
        *used = p->p_paddr + p->p_filesz;
    return 0;
}

static int copy_segments(const uint8_t *elf, size_t elf_bytes, uint8_t *payload,
                         size_t *used, struct reason *reason)
{
    Elf32_Ehdr header;
    int status;

    if (elf_bytes < sizeof(header))
        return refuse(reason, "damaged: shorter than an ELF header");
    memcpy(&header, elf, sizeof(header));
    status = check_header(&header, elf_bytes, reason);
    for (unsigned i = 0; status == 0 && i < header.e_phnum; i++) {
        Elf32_Phdr segment;

        memcpy(&segment, elf + header.e_phoff + i * sizeof(segment), sizeof(segment));
        status = copy_segment(elf, elf_bytes, &segment, payload, used, reason);
    }
    if (status == 0 && *used == 0)
        return refuse(reason, "nothing to load");
    return status;
}

/* Checks a finished image: its header must fit its payload. */
static int check_image(const uint8_t *image, size_t bytes, struct reason *reason)
{
    uint32_t payload;

    if (bytes < TERN_FW_HEADER_BYTES)
        return refuse(reason, "damaged: shorter than an image header");
    payload = word_at(image + 4);
    if (payload > PAYLOAD_MAX)
        return refuse(reason, "too large: %u bytes, instruction memory has %zu",
                      (unsigned)payload, PAYLOAD_MAX);
    if (payload == 0 || payload % 4 != 0 || payload > bytes - TERN_FW_HEADER_BYTES)
        return refuse(reason, "damaged: image of %zu bytes names a payload of %u", bytes,
                      (unsigned)payload);
    if (tern_crc32c(image + TERN_FW_HEADER_BYTES, payload) != word_at(image + 8))
        return refuse(reason, "damaged: CRC-32C of the image does not match");
    return 0;
}

static void fill_header(uint8_t *image, size_t payload, uint32_t version)
{
    word_put(image, TERN_FW_MAGIC);
    word_put(image + 4, (uint32_t)payload);
    word_put(image + 8, tern_crc32c(image + TERN_FW_HEADER_BYTES, payload));
    word_put(image + 12, version);
}

int tern_elf_to_image(const void *elf, size_t elf_bytes, uint32_t version,
                      uint8_t **image, size_t *image_bytes, char *text, size_t text_bytes)
{
    struct reason reason = {text, text_bytes};
    size_t used = 0;
    uint8_t *out;
    int status;

    if (elf_bytes >= 4 && word_at(elf) == TERN_FW_MAGIC) {
        status = check_image(elf, elf_bytes, &reason);
        used = status == 0 ? word_at((const uint8_t *)elf + 4) : 0;
        out = status == 0 ? malloc(TERN_FW_HEADER_BYTES + used) : NULL;
        if (out)
            memcpy(out, elf, TERN_FW_HEADER_BYTES + used);
    } else {
        out = calloc(1, TERN_FW_HEADER_BYTES + PAYLOAD_MAX);
        status = out ? copy_segments(elf, elf_bytes, out + TERN_FW_HEADER_BYTES, &used,
                                     &reason)
                     : 0;
        used = (used + 3) & ~(size_t)3;
        if (out && status == 0)
            fill_header(out, used, version);
    }
    if (status != 0 || !out) {
        free(out);
        return status != 0 ? status : -TERN_ST_NO_MEMORY;
    }
    *image = out;
    *image_bytes = TERN_FW_HEADER_BYTES + used;
    return 0;
}
