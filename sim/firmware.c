/* SPDX-License-Identifier: Apache-2.0 */
/* Converts firmware files to flash words. */
#include "firmware.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "elf_image.h"
#include "tern_abi.h"

static bool blank(uint32_t **words, size_t *word_count)
{
    *words = calloc(1, sizeof **words);
    *word_count = 1;
    if (*words == NULL)
        return false;
    (*words)[0] = UINT32_MAX; /* erased */
    return true;
}

bool tern_firmware_image(const void *bytes, size_t count, uint32_t **words,
                         size_t *word_count, char *error, size_t error_bytes)
{
    char reason[128] = "";
    uint8_t *image;
    size_t image_bytes;

    if (bytes == NULL)
        return blank(words, word_count);
    if (tern_elf_to_image(bytes, count, TERN_ABI_VERSION, &image, &image_bytes, reason,
                          sizeof reason) != 0) {
        snprintf(error, error_bytes, "firmware refused: %s", reason);
        return false;
    }
    *word_count = (image_bytes + 3) / 4;
    *words = calloc(*word_count, sizeof **words);
    if (*words != NULL)
        memcpy(*words, image, image_bytes);
    free(image);
    return *words != NULL;
}

static uint8_t *read_all(FILE *file, size_t *count)
{
    size_t room = 1 << 16;
    uint8_t *bytes = malloc(room);

    *count = 0;
    while (bytes != NULL) {
        uint8_t *more;

        *count += fread(bytes + *count, 1, room - *count, file);
        if (*count < room)
            break;
        room *= 2;
        more = realloc(bytes, room);
        if (more == NULL)
            free(bytes);
        bytes = more;
    }
    return bytes;
}

bool tern_firmware_load(const char *path, uint8_t **bytes, size_t *count, char *error,
                        size_t error_bytes)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        snprintf(error, error_bytes, "%s: %s", path, strerror(errno));
        return false;
    }
    *bytes = read_all(file, count);
    if (*bytes == NULL || ferror(file)) {
        snprintf(error, error_bytes, "%s cannot be read", path);
        free(*bytes);
        fclose(file);
        return false;
    }
    fclose(file);
    return true;
}
