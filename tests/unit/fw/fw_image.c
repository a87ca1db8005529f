/* SPDX-License-Identifier: Apache-2.0 */
/* Firmware files: valid ones become an image, others are refused with a reason. */
#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "elf_image.h"
#include "tern_abi.h"

#define CODE_AT 256
#define CODE_BYTES 10

/* A small valid ELF file: one segment of CODE_BYTES at address 0. */
struct file {
    uint8_t bytes[512];
    size_t count;
};

static Elf32_Ehdr *header(struct file *f)
{
    return (Elf32_Ehdr *)(void *)f->bytes;
}

static Elf32_Phdr *segment(struct file *f)
{
    return (Elf32_Phdr *)(void *)(f->bytes + sizeof(Elf32_Ehdr));
}

static struct file sound(void)
{
    struct file f = {.count = CODE_AT + CODE_BYTES};
    Elf32_Ehdr *h = header(&f);
    Elf32_Phdr *p = segment(&f);

    memcpy(h->e_ident, ELFMAG, SELFMAG);
    h->e_ident[EI_CLASS] = ELFCLASS32;
    h->e_ident[EI_DATA] = ELFDATA2LSB;
    h->e_type = ET_EXEC;
    h->e_machine = EM_RISCV;
    h->e_phoff = sizeof(*h);
    h->e_phentsize = sizeof(*p);
    h->e_phnum = 1;
    p->p_type = PT_LOAD;
    p->p_offset = CODE_AT;
    p->p_filesz = p->p_memsz = CODE_BYTES;
    for (int i = 0; i < CODE_BYTES; i++)
        f.bytes[CODE_AT + i] = (uint8_t)(i + 1);
    return f;
}

/* Checks that the file is refused, with `word` in the reason. */
static void refused(const struct file *f, const char *word)
{
    uint8_t *image = NULL;
    size_t bytes = 0;
    char reason[160] = "";

    assert_int_equal(
        tern_elf_to_image(f->bytes, f->count, 1, &image, &bytes, reason, sizeof(reason)),
        -TERN_ST_BAD_FIRMWARE);
    assert_null(image);
    if (!strstr(reason, word))
        fail_msg("reason is '%s', expected '%s'", reason, word);
}

static void crc_is_castagnoli(void **state)
{
    (void)state;
    assert_int_equal(tern_crc32c("123456789", 9), 0xe3069283);
    assert_int_equal(tern_crc32c("", 0), 0);
}

static void a_sound_file_becomes_an_image(void **state)
{
    struct file f = sound();
    uint8_t *image = NULL, *again = NULL;
    size_t bytes = 0, bytes_again = 0;
    char reason[160];
    uint32_t w[4];

    (void)state;
    assert_int_equal(tern_elf_to_image(f.bytes, f.count, 0x12345, &image, &bytes, reason,
                                       sizeof(reason)),
                     0);
    assert_int_equal(bytes, TERN_FW_HEADER_BYTES + 12); /* rounded up to whole words */
    memcpy(w, image, sizeof(w));
    assert_int_equal(w[0], TERN_FW_MAGIC);
    assert_int_equal(w[1], 12);
    assert_int_equal(w[2], tern_crc32c(image + TERN_FW_HEADER_BYTES, 12));
    assert_int_equal(w[3], 0x12345);
    assert_memory_equal(image + TERN_FW_HEADER_BYTES, f.bytes + CODE_AT, CODE_BYTES);
    /* An image stays as it is. */
    assert_int_equal(
        tern_elf_to_image(image, bytes, 9, &again, &bytes_again, reason, sizeof(reason)),
        0);
    assert_int_equal(bytes_again, bytes);
    assert_memory_equal(again, image, bytes);
    free(again);
    free(image);
}

static void damaged_and_foreign_files_are_refused(void **state)
{
    struct file f;

    (void)state;
    f = sound();
    f.bytes[1] = 'X';
    refused(&f, "not an ELF");
    f = sound();
    f.count = 20;
    refused(&f, "shorter");
    f.count = 0;
    refused(&f, "shorter");
    f = sound();
    header(&f)->e_machine = EM_X86_64;
    refused(&f, "RISC-V");
    f = sound();
    header(&f)->e_ident[EI_CLASS] = ELFCLASS64;
    refused(&f, "32-bit");
    f = sound();
    header(&f)->e_phoff = 500;
    refused(&f, "program headers lie outside");
    f = sound();
    header(&f)->e_phnum = 0;
    refused(&f, "no program headers");
    f = sound();
    header(&f)->e_entry = 0x80000000;
    refused(&f, "entry point");
    f = sound();
    f.count -= 1; /* truncated */
    refused(&f, "segment lies outside");
    f = sound();
    segment(&f)->p_offset = UINT32_MAX;
    refused(&f, "segment lies outside");
    f = sound();
    segment(&f)->p_filesz = 0;
    refused(&f, "nothing to load");
}

static void what_does_not_fit_is_refused(void **state)
{
    struct file f = sound();

    (void)state;
    segment(&f)->p_paddr = TERN_MEM_ITCM_BYTES - CODE_BYTES + 1;
    refused(&f, "too large");
    segment(&f)->p_paddr = TERN_MEM_DTCM_BASE; /* the loader does not write data memory */
    refused(&f, "too large");
    segment(&f)->p_paddr = UINT32_MAX;
    refused(&f, "too large");
    printf("# evidence A5.23 refused=3\n");
}

static void a_damaged_image_is_refused(void **state)
{
    struct file f = sound(), image = {.count = 0};
    uint8_t *made = NULL;
    char reason[160];

    (void)state;
    assert_int_equal(tern_elf_to_image(f.bytes, f.count, 1, &made, &image.count, reason,
                                       sizeof(reason)),
                     0);
    memcpy(image.bytes, made, image.count);
    free(made);
    image.bytes[20] ^= 1;
    refused(&image, "CRC-32C");
    image.bytes[20] ^= 1;
    image.count--;
    refused(&image, "damaged");
    image.count = 10;
    refused(&image, "shorter");
    image.count = sizeof(image.bytes);
    image.bytes[6] = 1; /* a payload of more than 64 KiB */
    refused(&image, "too large");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(crc_is_castagnoli),
        cmocka_unit_test(a_sound_file_becomes_an_image),
        cmocka_unit_test(damaged_and_foreign_files_are_refused),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(a_damaged_image_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
