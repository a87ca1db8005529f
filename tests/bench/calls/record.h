/* SPDX-License-Identifier: Apache-2.0 */
/* A descriptor as it was posted, in the files that record.c writes. */
#ifndef TERN_RECORD_H
#define TERN_RECORD_H

#include <stdint.h>

#include <tern/tern.h>

struct recorded {
    uint64_t queue;
    uint32_t flags, zero;
    uint32_t words[TERN_DESC_BYTES / 4];
};

#endif
