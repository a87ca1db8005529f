/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a 32-bit little-endian RISC-V executable for the core bench: its bytes in memory and the
 * addresses of symbols. All contents of the file are checked before use.
 */
#ifndef TERN_TESTS_CORE_ELF32_H
#define TERN_TESTS_CORE_ELF32_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A whole file in memory.  `error` is the reason for the last failure, static text. */
struct elf32 {
    unsigned char *bytes;
    size_t byte_len;
    const char *error;
};

/* Reads and checks the file at `path`.  On failure `elf->error` says why; call elf32_close
 * in either case. */
bool elf32_open(struct elf32 *elf, const char *path);

void elf32_close(struct elf32 *elf);

uint32_t elf32_entry(const struct elf32 *elf);

/*
 * Copies every loadable segment into `image`, the memory [base, base + byte_len). Fails if a
 * segment lies outside.
 */
bool elf32_load(struct elf32 *elf, unsigned char *image, uint32_t base, size_t byte_len);

/* Finds a defined symbol.  Returns false when there is none. */
bool elf32_symbol(const struct elf32 *elf, const char *name, uint32_t *address);

#endif
