/* SPDX-License-Identifier: Apache-2.0 */
/* A file in memory, with its SHA-256, that is to be put. */
#ifndef TERN_PAYLOAD_H
#define TERN_PAYLOAD_H

#include "filemsg.h"

struct payload {
    const uint8_t *data; /* NULL when the file is empty */
    uint64_t bytes;
    uint8_t digest[FILEMSG_SHA_BYTES];
};

/* Maps `file`, which stays mapped.  0, SYSTEM with errno, or NO_MEMORY. */
int payload_map(const char *file, struct payload *payload);

#endif
