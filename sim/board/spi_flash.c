/* SPDX-License-Identifier: Apache-2.0 */
/* See spi_flash.h. */
#include "spi_flash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COMMAND_READ = 0x03, HEAD_BITS = 32 };

bool board_flash_init(struct board_flash *flash)
{
    memset(flash, 0, sizeof *flash);
    flash->bytes = malloc(BOARD_FLASH_BYTES);
    if (flash->bytes == NULL)
        return false;
    memset(flash->bytes, 0xff, BOARD_FLASH_BYTES);
    return true;
}

void board_flash_fini(struct board_flash *flash)
{
    free(flash->bytes);
    flash->bytes = NULL;
}

bool board_flash_load(struct board_flash *flash, uint32_t place, const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t count;
    bool whole;

    if (file == NULL)
        return false;
    count = fread(flash->bytes + place, 1, BOARD_FLASH_BYTES - place, file);
    whole = !ferror(file) && count > 0;
    fclose(file);
    if (!whole)
        errno = EIO;
    return whole;
}

static void rising(struct board_flash *flash, bool mosi)
{
    if (flash->bits == HEAD_BITS)
        return;
    flash->shift = flash->shift << 1 | mosi;
    if (++flash->bits < HEAD_BITS)
        return;
    flash->place = (flash->shift & 0xffffff) % BOARD_FLASH_BYTES * 8;
    flash->reads += flash->shift >> 24 == COMMAND_READ;
}

static void falling(struct board_flash *flash)
{
    if (flash->bits < HEAD_BITS || flash->shift >> 24 != COMMAND_READ)
        return;
    flash->miso = flash->bytes[flash->place / 8] >> (7 - flash->place % 8) & 1;
    flash->place = (flash->place + 1) % (BOARD_FLASH_BYTES * 8u);
}

bool board_flash_step(struct board_flash *flash, bool select, bool clock, bool mosi)
{
    if (!select) {
        flash->bits = 0;
        flash->miso = true; /* pulled up */
    } else if (clock && !flash->clock) {
        rising(flash, mosi);
    } else if (!clock && flash->clock) {
        falling(flash);
    }
    flash->clock = clock;
    return flash->miso;
}
