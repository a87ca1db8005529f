/* SPDX-License-Identifier: Apache-2.0 */
/* SHA-256 of memory, by the system's library. */
#ifndef TERN_SHA256_H
#define TERN_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool sha256(const void *data, size_t bytes, uint8_t digest[32]);

/* Writes 64 hexadecimal digits and a NUL. */
char *sha256_text(const uint8_t digest[32], char text[65]);

#endif
