/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An SPI NOR flash at pins, mode 0: reads, status, JEDEC id, page program, erasures of 4, 32 and
 * 64 KiB and of the whole. Erased bytes are ones; a program only clears bits, and wraps at the end
 * of its page. A write needs a write-enable before it, and ends at a byte's boundary.
 */
#ifndef TERN_SIM_BOARD_SPI_FLASH_H
#define TERN_SIM_BOARD_SPI_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    BOARD_FLASH_BYTES = 16 << 20,
    BOARD_FLASH_ID = 0x9d6018, /* of that size */
    BOARD_FLASH_PAGE = 256,
    BOARD_FLASH_SECTOR = 4096
};

struct board_flash {
    uint8_t *bytes;
    size_t size; /* a power of two */
    uint32_t id; /* JEDEC: manufacturer, type, size */
    bool clock, selected, miso;
    bool enabled;   /* for the next write */
    unsigned busy;  /* readings of the status until it has ended a write */
    unsigned bits;  /* since it was selected, at most the head's and a byte's more */
    uint8_t command, in, out;
    uint32_t place; /* of the next byte to be read; of a write */
    uint8_t page[BOARD_FLASH_PAGE];
    /* After each page and sector that has changed, if not NULL. */
    void (*changed)(void *ctx, uint32_t place, uint32_t bytes);
    void *ctx;
};

/* Makes an erased one. */
bool board_flash_init(struct board_flash *flash, size_t size, uint32_t id);
void board_flash_fini(struct board_flash *flash);

/* Writes a file's bytes at `place`; false with errno. */
bool board_flash_load(struct board_flash *flash, uint32_t place, const char *path);

/* Takes the pins of a cycle; returns the level of the data output. */
bool board_flash_step(struct board_flash *flash, bool select, bool clock, bool mosi);

#endif
