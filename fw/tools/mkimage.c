/* SPDX-License-Identifier: Apache-2.0 */
/*
 * usage: mkimage ELF IMAGE
 *
 * Makes the flash image of a firmware ELF, or prints the reason why it cannot be an image.
 */
#include <stdio.h>
#include <stdlib.h>

#include "elf_image.h"
#include "version.h"

/* The firmware's ELF files are smaller than this, even with debug information. */
#define FILE_BYTES_MAX (16u << 20)

static uint8_t *read_file(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(FILE_BYTES_MAX);

    if (!file || !data) {
        perror(path);
        exit(1);
    }
    *bytes = fread(data, 1, FILE_BYTES_MAX, file);
    if (ferror(file) || !feof(file)) {
        fprintf(stderr, "mkimage: %s: cannot be read, or is no firmware\n", path);
        exit(1);
    }
    fclose(file);
    return data;
}

static void write_file(const char *path, const uint8_t *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    size_t elf_bytes, image_bytes;
    uint8_t *elf, *image;
    char reason[160];

    if (argc != 3) {
        fprintf(stderr, "usage: mkimage ELF IMAGE\n");
        return 2;
    }
    elf = read_file(argv[1], &elf_bytes);
    if (tern_elf_to_image(elf, elf_bytes, FW_VERSION_WORD, &image, &image_bytes, reason,
                          sizeof(reason)) != 0) {
        fprintf(stderr, "mkimage: %s: %s\n", argv[1], reason);
        return 1;
    }
    write_file(argv[2], image, image_bytes);
    free(image);
    free(elf);
    return 0;
}
