/* SPDX-License-Identifier: Apache-2.0 */
/* Epochs: 16-bit numbers that wrap around. Pure. */
#ifndef FW_PROTO_EPOCH_H
#define FW_PROTO_EPOCH_H

#include <stdint.h>

#include "tern_abi.h"

/* Returns how far epoch `a` is ahead of `b`; negative if it is earlier. */
static inline int32_t epoch_ahead(uint32_t a, uint32_t b)
{
    return (int32_t)((a - b) << 16) >> 16;
}

/*
 * Returns the answer to a message for epoch `named` while `now` is current: RNR for a later one, so
 * that its sender tries again; STALE_EPOCH for an earlier one.
 */
static inline uint32_t epoch_status(uint32_t named, uint32_t now)
{
    int32_t ahead = epoch_ahead(named, now);

    if (ahead > 0)
        return TERN_ST_RNR;
    return ahead < 0 ? TERN_ST_STALE_EPOCH : TERN_ST_OK;
}

#endif
