/* SPDX-License-Identifier: Apache-2.0 */
/* CRC-32C over several pieces; the caller inverts it at the start and at the end. */
#ifndef TERN_CRC_H
#define TERN_CRC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint32_t tern_crc_add(uint32_t crc, const void *from, size_t bytes);

/* The two implementations, for tests. Call the second only if the processor has the instruction. */
bool tern_crc_has_instruction(void);
uint32_t tern_crc_by_instruction(uint32_t crc, const void *from, size_t bytes);
uint32_t tern_crc_by_table(uint32_t crc, const void *from, size_t bytes);

#endif
