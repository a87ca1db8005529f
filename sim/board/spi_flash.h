/* SPDX-License-Identifier: Apache-2.0 */
/* An SPI flash at pins, mode 0: reads by command 03h. Erased bytes are ones. */
#ifndef TERN_SIM_BOARD_SPI_FLASH_H
#define TERN_SIM_BOARD_SPI_FLASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOARD_FLASH_BYTES = 16 << 20 };

struct board_flash {
    uint8_t *bytes;
    bool clock, miso;
    unsigned bits;  /* since it was selected, of the command and the address */
    uint32_t shift;
    uint32_t place; /* in bits */
    uint64_t reads; /* commands */
};

bool board_flash_init(struct board_flash *flash);
void board_flash_fini(struct board_flash *flash);

/* Writes a file's bytes at `place`; false with errno. */
bool board_flash_load(struct board_flash *flash, uint32_t place, const char *path);

/* Takes the pins of a cycle; returns the level of the data output. */
bool board_flash_step(struct board_flash *flash, bool select, bool clock, bool mosi);

#endif
