/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of the nodes' flash: from an ELF file, or from a flash image unchanged. */
#ifndef TERN_SIM_FIRMWARE_H
#define TERN_SIM_FIRMWARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Makes the words of the flash; the caller frees them. Zero bytes make a blank flash. False, with
 * the reason in `error`, for a file that is neither image nor ELF, or a damaged or oversized ELF. A
 * damaged image is accepted: the chip must detect it.
 */
bool tern_firmware_image(const void *bytes, size_t count, uint32_t **words,
                         size_t *word_count, char *error, size_t error_bytes);

/* Reads a file; the caller frees the bytes. False, with the reason in `error`. */
bool tern_firmware_load(const char *path, uint8_t **bytes, size_t *count, char *error,
                        size_t error_bytes);

#endif
