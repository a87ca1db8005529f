/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of the nodes' flash: from an ELF file, or a flash image as it is. */
#ifndef TERN_SIM_FIRMWARE_H
#define TERN_SIM_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes the words of the flash; the caller frees them.  No bytes at all make a blank flash.
 * False, with the reason in `error`, for what is neither image nor ELF file, or an ELF file
 * that is damaged or too large.  A damaged image is passed on: finding that out is the chip's.
 */
bool tern_firmware_image(const void *bytes, size_t count, uint32_t **words,
                         size_t *word_count, char *error, size_t error_bytes);

/* The bytes of a file; the caller frees them.  False, with the reason in `error`. */
bool tern_firmware_load(const char *path, uint8_t **bytes, size_t *count, char *error,
                        size_t error_bytes);

#endif
