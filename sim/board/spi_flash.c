/* SPDX-License-Identifier: Apache-2.0 */
/* See spi_flash.h. */
#include "spi_flash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    COMMAND_NONE = 0x00,
    COMMAND_PROGRAM = 0x02,
    COMMAND_READ = 0x03,
    COMMAND_DISABLE = 0x04,
    COMMAND_STATUS = 0x05,
    COMMAND_ENABLE = 0x06,
    COMMAND_ERASE_4K = 0x20,
    COMMAND_ERASE_32K = 0x52,
    COMMAND_ERASE_64K = 0xd8,
    COMMAND_ERASE_ALL = 0xc7,
    COMMAND_ID = 0x9f,

    STATUS_BUSY = 1,
    STATUS_ENABLED = 2,

    HEAD_BITS = 32, /* command and address */
    BUSY_READINGS = 2
};

bool board_flash_init(struct board_flash *flash, size_t size, uint32_t id)
{
    memset(flash, 0, sizeof *flash);
    flash->size = size;
    flash->id = id;
    flash->bytes = malloc(size);
    if (flash->bytes == NULL)
        return false;
    memset(flash->bytes, 0xff, size);
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
    count = fread(flash->bytes + place, 1, flash->size - place, file);
    whole = !ferror(file) && count > 0;
    fclose(file);
    if (!whole)
        errno = EIO;
    return whole;
}

/* ---- output ---- */

static uint8_t status(struct board_flash *flash)
{
    uint8_t value = (uint8_t)((flash->busy > 0 ? STATUS_BUSY : 0) |
                              (flash->enabled ? STATUS_ENABLED : 0));

    if (flash->busy > 0)
        flash->busy--;
    return value;
}

/* Returns the byte that leaves while byte `index` comes. */
static uint8_t answer(struct board_flash *flash, unsigned index)
{
    if (flash->command == COMMAND_STATUS)
        return status(flash);
    if (flash->command == COMMAND_ID && index <= 3)
        return (uint8_t)(flash->id >> (24 - 8 * index));
    if (flash->command != COMMAND_READ || index < HEAD_BITS / 8)
        return 0xff;
    flash->place %= (uint32_t)flash->size;
    return flash->bytes[flash->place++];
}

static void falling(struct board_flash *flash)
{
    if (flash->bits < 8)
        return;
    if (flash->bits % 8 == 0)
        flash->out = answer(flash, flash->bits / 8);
    flash->miso = flash->out >> (7 - flash->bits % 8) & 1;
}

/* ---- input ---- */

static void take_command(struct board_flash *flash)
{
    bool refused = flash->busy > 0 && flash->in != COMMAND_STATUS;

    flash->command = refused ? COMMAND_NONE : flash->in;
    flash->place = 0;
    if (flash->command == COMMAND_PROGRAM)
        memset(flash->page, 0xff, sizeof flash->page);
}

static void take_byte(struct board_flash *flash)
{
    if (flash->bits == 8) {
        take_command(flash);
    } else if (flash->bits <= HEAD_BITS) {
        flash->place = flash->place << 8 | flash->in;
    } else if (flash->command == COMMAND_PROGRAM) {
        uint32_t page = flash->place & ~(BOARD_FLASH_PAGE - 1u);

        flash->page[flash->place - page] = flash->in;
        flash->place = page | ((flash->place + 1) & (BOARD_FLASH_PAGE - 1));
    }
}

static void rising(struct board_flash *flash, bool mosi)
{
    flash->in = (uint8_t)(flash->in << 1 | mosi);
    if (++flash->bits % 8 == 0)
        take_byte(flash);
    if (flash->bits == HEAD_BITS + 16)
        flash->bits -= 8; /* it counts no further */
}

/* ---- writes ---- */

static void program(struct board_flash *flash)
{
    uint32_t page = (flash->place & ~(BOARD_FLASH_PAGE - 1u)) % (uint32_t)flash->size;

    for (unsigned i = 0; i < BOARD_FLASH_PAGE; i++)
        flash->bytes[page + i] &= flash->page[i];
    if (flash->changed != NULL)
        flash->changed(flash->ctx, page, BOARD_FLASH_PAGE);
}

static bool is_blank(const uint8_t *bytes, size_t count)
{
    while (count > 0 && *bytes == 0xff) {
        bytes++;
        count--;
    }
    return count == 0;
}

static void erase(struct board_flash *flash, uint32_t bytes)
{
    uint32_t from = (flash->place & ~(bytes - 1)) % (uint32_t)flash->size;

    for (uint32_t at = from; at < from + bytes; at += BOARD_FLASH_SECTOR) {
        if (is_blank(flash->bytes + at, BOARD_FLASH_SECTOR))
            continue;
        memset(flash->bytes + at, 0xff, BOARD_FLASH_SECTOR);
        if (flash->changed != NULL)
            flash->changed(flash->ctx, at, BOARD_FLASH_SECTOR);
    }
}

/* Returns the bytes that a command erases, 0 if it erases none. */
static uint32_t erased_by(const struct board_flash *flash)
{
    switch (flash->command) {
    case COMMAND_ERASE_4K:
        return BOARD_FLASH_SECTOR;
    case COMMAND_ERASE_32K:
        return 32768;
    case COMMAND_ERASE_64K:
        return 65536;
    case COMMAND_ERASE_ALL:
        return (uint32_t)flash->size;
    default:
        return 0;
    }
}

/* Ends a command whose last byte is whole. */
static void deselected(struct board_flash *flash)
{
    uint32_t bytes = erased_by(flash);
    bool programs = flash->command == COMMAND_PROGRAM && flash->bits > HEAD_BITS;

    if (bytes == flash->size ? flash->bits != 8 : flash->bits != HEAD_BITS)
        bytes = 0;
    if (flash->command == COMMAND_ENABLE || flash->command == COMMAND_DISABLE)
        flash->enabled = flash->command == COMMAND_ENABLE;
    if (!flash->enabled || (!programs && bytes == 0))
        return;
    if (programs)
        program(flash);
    else
        erase(flash, bytes);
    flash->enabled = false;
    flash->busy = BUSY_READINGS;
}

bool board_flash_step(struct board_flash *flash, bool select, bool clock, bool mosi)
{
    if (!select) {
        if (flash->selected && flash->bits >= 8 && flash->bits % 8 == 0)
            deselected(flash);
        flash->bits = 0;
        flash->command = COMMAND_NONE;
        flash->miso = true; /* pulled up */
    } else if (clock && !flash->clock) {
        rising(flash, mosi);
    } else if (!clock && flash->clock) {
        falling(flash);
    }
    flash->selected = select;
    flash->clock = clock;
    return flash->miso;
}
