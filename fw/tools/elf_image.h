/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Converts a firmware ELF to the image for a node's flash: header {FW_MAGIC, payload bytes, CRC-32C
 * of the payload, version word}, then the payload as it is copied to ITCM.
 */
#ifndef FW_TOOLS_ELF_IMAGE_H
#define FW_TOOLS_ELF_IMAGE_H

#include <stddef.h>
#include <stdint.h>

/*
 * Makes an image from the bytes of an ELF file. If they are an image already, it is checked and
 * copied.
 *
 * Returns 0 and a buffer from malloc in *image, or -TERN_ST_BAD_FIRMWARE
 * (-TERN_ST_NO_MEMORY) and a sentence in `reason`, at most `reason_bytes` with its end.
 */
int tern_elf_to_image(const void *elf, size_t elf_bytes, uint32_t version,
                      uint8_t **image, size_t *image_bytes, char *reason,
                      size_t reason_bytes);

/* Returns the CRC-32C (Castagnoli); initial value and final exclusive or are all ones. */
uint32_t tern_crc32c(const void *bytes, size_t count);

#endif
