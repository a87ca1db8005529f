/* SPDX-License-Identifier: Apache-2.0 */
/* See sha256.h. */
#include "sha256.h"

#include <openssl/evp.h>
#include <stdio.h>

bool sha256(const void *data, size_t bytes, uint8_t digest[32])
{
    unsigned length = 0;

    return EVP_Digest(data, bytes, digest, &length, EVP_sha256(), NULL) == 1 && length == 32;
}

char *sha256_text(const uint8_t digest[32], char text[65])
{
    for (int i = 0; i < 32; i++)
        snprintf(text + 2 * (size_t)i, 3, "%02x", digest[i]);
    return text;
}
